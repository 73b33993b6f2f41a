"""The money of a log a second time: settlements by the literal rules, transfers by their lines, the day's reckoning.

Everything here says what is wrong in a sentence, or nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from msgspec.structs import replace

from puntobanco.bets import Result, Verdict, members, payoffs
from puntobanco.cards import CARDS, Side
from puntobanco.coup import Coup, reconstruct
from puntobanco.insurance import insurance_verdict, window_of
from puntobanco.literal import COMMISSION as KEPT
from puntobanco.literal import End, ending, literal_gain, literal_insurance_profit, point_total
from puntobanco.rules.load import GAMES
from puntobanco.rules.model import Window
from puntobanco.table import events as e
from puntobanco.table.cards.lying import open_prefix
from puntobanco.table.events import Offer, SettledLine, Transfer
from puntobanco.table.state import (
    COMMISSION,
    DROP,
    RECEIVABLES,
    TRAY,
    InsuranceWager,
    Intention,
    Round,
    Table,
    Wager,
    chips_of,
    held_for,
    layout_of,
    owed_by,
)

_PEOPLES = ("chips:", "layout:")
"""Accounts that cannot hold less than nothing: what people have at the table."""


def is_literal(table: Table) -> bool:
    """Whether the game is one whose paragraphs are spelt out."""
    return table.settings.game in GAMES


def wrong_transfers(transfers: Sequence[Transfer], after: Table) -> str | None:
    """Amounts are above zero, and nobody gives what is not there."""
    balances = after.balances
    for transfer in transfers:
        source = transfer.source
        if transfer.amount <= 0 or source == transfer.target:
            return f"a transfer of {transfer.amount} from {source} to {transfer.target}"
        if balances[source] < 0 and source.startswith(_PEOPLES):
            return f"{source} is overdrawn: {balances[source]}"
    return None


def wrong_result(table: Table, event: e.ResultAnnounced) -> str | None:
    current = table.round
    if current is None:
        return "a result without a round"
    player, banker = point_total(current.coup.player.cards), point_total(current.coup.banker.cards)
    winner = "player" if player > banker else "banker" if banker > player else "tie"
    if (event.player_total, event.banker_total, event.result) != (player, banker, winner):
        return (
            f"{event.result} at {event.player_total} to {event.banker_total}, but the cards make {player} to {banker}"
        )
    return None


class Owed(NamedTuple):
    """A wager, and what it gains by the rules: ``pays`` to ``to``, below zero if it is lost."""

    person: str
    box: int
    bet: str
    stake: int
    pays: int
    to: int
    late: bool = False
    """Insurance that was offered late: all of it on a hand wins the Original Bet at most (tiger-buffalo 5.17.1)."""


def wrong_settlement(table: Table, event: e.RoundSettled) -> str | None:
    """The lines of a round against the paragraphs, and its transfers against the lines; ``table`` is as before it."""
    current = table.round
    if current is None or not current.coup.finished:
        return "a settlement without a finished round"
    if event.coup != str(current.coup):
        return f"settled as {event.coup}, but the cards are {current.coup}"
    if event.number != current.number:
        return f"settled as round {event.number}, but it is round {current.number}"
    return _wrong_lines(table, current, event.lines) or _wrong_sums(event.lines, event.transfers)


def _wrong_lines(table: Table, current: Round, lines: Sequence[SettledLine]) -> str | None:
    """Every wager has its line, and gains what the paragraphs give it."""
    try:
        owed = _owed(table, current)
    except ValueError as error:
        return str(error)
    if len(owed) != len(lines):
        return f"{len(lines)} lines for {len(owed)} wagers"
    rounding = table.settings.rounding
    won_late: dict[tuple[str, int, str], int] = {}
    for line, (person, box, bet, stake, pays, to, late) in zip(lines, owed, strict=True):
        if line.stake != stake or line.bet != bet or line.person != person or line.box != box:
            return f"settles {line.stake} of {line.person} on {line.bet} where {stake} of {person} on {bet} lay"
        kept = 0
        if pays > 0:
            profit, result = rounding(stake * pays, to), WON
            if late:
                won = won_late.get((person, box, bet), 0)
                profit = min(profit, _original(table, current, person, box, bet) - won)
                won_late[person, box, bet] = won + profit
            if (pays, to) == _AFTER_COMMISSION:
                kept = max(stake - profit, 0)
        else:
            profit, result = stake * pays, LOST if pays else RETURNED
        if line.profit != profit or line.result is not result:
            found = f"{person}'s {stake} on {bet} {line.result.value} {line.profit}"
            return f"{found}, but by the rules it {result.value} {profit}"
        if line.commission != kept:
            return f"{line.commission} of {person}'s {bet} kept as commission, not {kept}"
    return None


def _original(table: Table, current: Round, person: str, box: int, insured: str) -> int:
    """The Original Bet under an insurance, be it back by now."""
    hand = insured.removesuffix("_insurance")
    there = (*current.wagers.values(), *current.taken_back)
    bets = {code for code, side in table.book.original_bets.items() if side.value == hand}
    return sum(wager.stake for wager in there if (wager.person, wager.box) == (person, box) and wager.bet in bets)


WON, LOST, RETURNED = Result.WON, Result.LOST, Result.RETURNED
"""Named once, for they are asked all the time."""
_AFTER_COMMISSION = (1 - KEPT).as_integer_ratio()


def _owed(table: Table, current: Round) -> list[Owed]:
    """Every wager with what it gains: box by box, in a box in the order they were placed."""
    game, coup = table.settings.game, current.coup
    owed: list[Owed] = []
    if is_literal(table):
        end = ending(coup)
        for wager in current.wagers.values():
            pays, to = _gain(game, wager.bet, end)
            owed.append(Owed(wager.person, wager.box, wager.bet, wager.stake, pays, to))
        for taken in current.insurance:
            if not taken.off and _as_when_taken(taken, coup):
                pays, to = literal_insurance_profit(taken.row.window.value, taken.hand, coup).as_integer_ratio()
            else:
                pays, to = _by_row(taken, coup)
            owed.append(
                Owed(taken.person, taken.box, f"{taken.hand.value}_insurance", taken.stake, pays, to, taken.late)
            )
    else:
        owed = _owed_by_book(table, current)
    owed.sort(key=_by_box)
    return owed


_by_box = attrgetter("box")


@cache
def _gain(game: str, bet: str, end: End) -> tuple[int, int]:
    return literal_gain(game, bet, end).as_integer_ratio()


def _owed_by_book(table: Table, current: Round) -> list[Owed]:
    """For a game of one's own there are no literal rules: its book decides."""
    paying, outcome = payoffs(table.book), table.book.space.outcome_of(current.coup)
    owed = [
        Owed(wager.person, wager.box, wager.bet, wager.stake, *_ratio(paying[wager.bet].verdict(outcome)))
        for wager in current.wagers.values()
    ]
    for taken in current.insurance:
        ratio = _by_row(taken, current.coup)
        owed.append(Owed(taken.person, taken.box, f"{taken.hand.value}_insurance", taken.stake, *ratio, taken.late))
    return owed


def _by_row(taken: InsuranceWager, coup: Coup) -> tuple[int, int]:
    """What insurance gains by the row at which it was taken; nothing where it goes back."""
    if taken.off:
        return 0, 1
    row = taken.row
    if taken.misplaced:
        # where it lies it pays when that hand loses, and no tie, until somebody moves it (tiger-buffalo 5.18)
        row = replace(row, hand=taken.hand, tie_pays=False)
    return _ratio(insurance_verdict(row, coup))


def _as_when_taken(taken: InsuranceWager, coup: Coup) -> bool:
    """Whether it lies where it belongs, and the cards then are those of the coup: none was put right since."""
    player, banker = coup.player.cards, coup.banker.cards
    count = 2 if taken.row.window is Window.FOUR_CARDS else 3
    if taken.misplaced or len(player) < count:
        return False
    points = point_total(player[:count]), point_total(banker[:2])
    return taken.points == (points if taken.hand is Side.PLAYER else points[::-1])


def _ratio(verdict: Verdict) -> tuple[int, int]:
    if verdict.odds is not None:
        return verdict.odds.pays, verdict.odds.to
    return (-1, 1) if verdict.result is LOST else (0, 1)


def _wrong_sums(lines: Sequence[SettledLine], transfers: Sequence[Transfer]) -> str | None:
    """Chips change by stake and profit of one's lines, the layout by the stakes; the rest is the House's."""
    people: dict[str, tuple[int, int]] = {}
    commission = 0
    for line in lines:
        person = line.person
        stake, profit = people.get(person, (0, 0))
        people[person] = (stake + line.stake, profit + line.profit)
        commission += line.commission
    expected = {COMMISSION: commission, TRAY: -commission}
    for person, (stake, profit) in people.items():
        expected[layout_of(person)] = -stake
        expected[chips_of(person)] = stake + profit
        expected[TRAY] -= profit
    get = expected.get
    for transfer in transfers:
        expected[transfer.source] = get(transfer.source, 0) + transfer.amount
        expected[transfer.target] = get(transfer.target, 0) - transfer.amount
    for account, difference in expected.items():
        if difference:
            return f"{account} gets {-difference} more than the lines of the settlement come to"
    return None


# --- settled again


def wrong_settlement_again(table: Table, event: e.RoundSettledAgain) -> str | None:
    """The new lines of a round against the paragraphs, and the transfers against the difference to the old ones."""
    found = next((each for each in table.known_rounds if each.number == event.number), None)
    if found is None:
        return f"round {event.number} is settled again, but there is none in this shoe or the one before"
    old = found.before if found.paid else found.lines
    if event.void:
        message = _wrong_void(table, event, old)
    else:
        if event.cards:
            found = replace(found, coup=reconstruct(event.cards).coup)
        if not found.coup.finished:
            return "a settlement without a finished round"
        if event.coup != str(found.coup):
            return f"settled as {event.coup}, but the cards are {found.coup}"
        message = _wrong_lines(table, found, event.lines)
    return message or _wrong_difference(table, old, event)


def _wrong_void(table: Table, event: e.RoundSettledAgain, old: Sequence[SettledLine]) -> str | None:
    """Every stake goes back, save what the book keeps of side bets that the cards properly dealt had decided."""
    if len(old) != len(event.lines):
        return f"{len(event.lines)} lines for {len(old)} wagers"
    matters = (found for found in table.incidents.values() if found.round == event.number and found.true_cards)
    matter = next((found for found in matters if found.family == "rectified_late"), None)
    dealt = reconstruct(matter.true_cards).coup if matter is not None else None
    for line, before in zip(event.lines, old, strict=True):
        wager = before.person, before.box, before.bet, before.stake, before.insurance
        if (line.person, line.box, line.bet, line.stake, line.insurance) != wager:
            return f"settles {line.stake} of {line.person} on {line.bet} where {before.stake} of {before.person} lay"
        side_bet = not before.insurance and table.book.bets[before.bet].hand is None
        kept = _certain(table, before.bet, before.stake, dealt) if dealt is not None and side_bet else None
        profit = kept or 0
        result = WON if profit > 0 else LOST if profit < 0 else RETURNED
        if (line.profit, line.result, line.commission) != (profit, result, 0):
            found = f"{line.person}'s {line.stake} on {line.bet} {line.result.value} {line.profit}"
            return f"{found} in a round that is void, but it {result.value} {profit}"
    return None


def _certain(table: Table, bet: str, stake: int, dealt: Coup) -> int | None:
    """What a bet gains in every way that a coup can end, if that is always the same."""
    rounding, game = table.settings.rounding, table.settings.game
    if is_literal(table):
        ratios = {_gain(game, bet, end) for end in set(_endings(dealt))}
    else:
        payoff = payoffs(table.book)[bet]
        ratios = {_ratio(payoff.verdict(outcome)) for outcome in members(table.book.space.reachable(dealt))}
    profits = {rounding(stake * pays, to) if pays > 0 else stake * pays for pays, to in ratios}
    return profits.pop() if len(profits) == 1 else None


def _endings(coup: Coup) -> Iterator[End]:
    """How a coup can end, whatever cards come."""
    if coup.finished:
        yield ending(coup)
        return
    for card in CARDS:
        yield from _endings(coup.receive(card))


def _wrong_difference(table: Table, old: Sequence[SettledLine], event: e.RoundSettledAgain) -> str | None:
    """People get what the new lines give them more; what their chips cannot give back is owed."""
    profits: dict[str, int] = defaultdict(int)
    expected: dict[str, int] = defaultdict(int)
    for sign, lines in ((-1, old), (1, event.lines)):
        for line in lines:
            profits[line.person] += sign * line.profit
            expected[COMMISSION] += sign * line.commission
            expected[TRAY] -= sign * line.commission
    for person, profit in profits.items():
        here = person in table.people
        if profit > 0:
            expected[chips_of(person) if here else held_for(person)] += profit
            expected[TRAY] -= profit
        elif profit < 0:
            chips = min(-profit, table.stack(person)) if here else 0
            kept = min(-profit - chips, table.balances.get(held_for(person), 0))
            expected[chips_of(person)] -= chips
            expected[held_for(person)] -= kept
            expected[TRAY] += chips + kept
            expected[owed_by(person)] -= -profit - chips - kept
            expected[RECEIVABLES] += -profit - chips - kept
    for transfer in event.transfers:
        expected[transfer.source] += transfer.amount
        expected[transfer.target] -= transfer.amount
    for account, difference in expected.items():
        if difference:
            return f"{account} gets {-difference} more than the difference between the two settlements"
    return None


# --- before the settlement


def wrong_offers(table: Table, window: Window, offers: Sequence[Offer]) -> str | None:
    """Insurance is offered on the points that the open cards make."""
    if table.round is None:
        return "insurance without a round"
    return _wrong_points(table.round.coup, window, offers)


def wrong_missed(table: Table, event: e.InsuranceMissed) -> str | None:
    """Insurance was missed on the points of the open cards, or of those that lay there before others were drawn."""
    found = next((each for each in table.known_rounds if each.number == event.round), table.round)
    if found is None:
        return "insurance without a round"
    cards = tuple(open_prefix(found.cards))
    earlier = (reconstruct(cards[:count]).coup for count in range(4, len(cards)))
    messages = [_wrong_points(coup, event.window, event.offers) for coup in (found.coup, *earlier)]
    return messages[0] if all(messages) else None


def _wrong_points(coup: Coup, window: Window, offers: Sequence[Offer]) -> str | None:
    points = point_total(coup.player.cards), point_total(coup.banker.cards)
    for offer in offers:
        made = points if offer.hand is Side.PLAYER else points[::-1]
        if window_of(coup) is not window or (offer.own, offer.other) != made:
            return f"insurance of {offer.hand.value} at {offer.own} to {offer.other}, which the cards do not make"
    return None


def wrong_insurance(table: Table, event: e.Insured) -> str | None:
    """Insurance is taken as it is on offer; staff may put it in the other hand's box."""
    window = table.round.window if table.round is not None else None
    if window is None or window.window is not event.window:
        return "insurance that was not on offer"
    taken = event.hand, event.own, event.other
    other = Side.BANKER if event.hand is Side.PLAYER else Side.PLAYER
    for offer in window.offers:
        if (offer.hand, offer.own, offer.other) in (taken, (other, event.other, event.own)):
            return None
    return f"insurance of {event.hand.value} at {event.own} to {event.other}, which was not on offer"


def wrong_late_return(table: Table, event: e.BetsReturned) -> str | None:
    """After the settlement a bet goes back to who had meant to insure it and would have won (tiger-buffalo 5.17.2).

    Nothing moves by that alone: the settlement after it posts the difference.
    """
    found = next((each for each in table.known_rounds if each.number == event.round), None)
    if found is None or not found.settled or event.transfers:
        return f"bets of round {event.round} go back as if they lay on the layout"
    for key in event.wagers:
        hand = table.book.original_bets.get(key[2])
        meant = [each for each in found.intentions if (each.person, each.hand) == (key[0], hand)]
        if key not in found.wagers or not any(_would_have_won(table, each, found.coup) for each in meant):
            return f"{key[2]} of {key[0]} goes back, but no insurance that was meant for it would have won"
    return None


def _would_have_won(table: Table, meant: Intention, coup: Coup) -> bool:
    if not is_literal(table):
        return insurance_verdict(meant.row, coup).result is WON
    try:
        return literal_insurance_profit(meant.row.window.value, meant.hand, coup) > 0
    except ValueError:
        return False  # no row on the cards as they count


def wrong_return(event: e.Event, transfers: Sequence[Transfer], after: Table) -> str | None:
    """What comes off the layout goes to whose it is, and what stays there are the bets that stand."""
    people = {event.person} if isinstance(event, e.WagerReduced | e.StakeRuled | e.OptionTaken) else set[str]()
    if isinstance(event, e.WagerReduced) and event.amount < 1:
        return f"{event.amount} is no amount"
    for transfer in transfers:
        kind, _, person = transfer.source.partition(":")
        if kind != "layout" or transfer.target != chips_of(person):
            return f"{transfer.amount} from {transfer.source} to {transfer.target}, but bets go back to whose they are"
        people.add(person)
    current = after.round
    stakes = dict.fromkeys(people, 0)
    if current is not None and not current.voided:
        standing: list[Wager | InsuranceWager] = [*current.wagers.values(), *current.insurance]
        for wager in standing:
            if wager.person in people:
                stakes[wager.person] += wager.stake
    for person, stake in stakes.items():
        if after.balances.get(layout_of(person), 0) != stake:
            return f"{after.balances.get(layout_of(person), 0)} of {person} is left on the layout where {stake} stands"
    if isinstance(event, e.RoundVoided):
        return left_on_layout(after)
    if isinstance(event, e.StakeRuled) and current is not None:
        wager_left = current.wagers.get((event.person, event.box, event.bet))
        if (wager_left.stake if wager_left else 0) != event.stands:
            return f"{event.stands} of {event.person} stands by the ruling, but another amount is left on the layout"
    return None


# --- round and day


def left_on_layout(table: Table) -> str | None:
    """After a round nothing lies on the layout."""
    for account, balance in table.balances.items():
        if balance and account.startswith("layout:"):
            return f"{balance} is left on {account} after the round"
    return None


def wrong_reckoning(table: Table, event: e.TableClosed) -> str | None:
    """The day's figures against the ledger; ``table`` is as before it."""
    day, balances = table.reckoning, table.balances
    closing, drop = sum(value * count for value, count in event.count.items()), balances.get(DROP, 0)
    ledger = balances.get(TRAY, 0) + balances.get(COMMISSION, 0)
    expected = (day.opening, closing, day.fills, day.credits, drop)
    if (event.opening, event.closing, event.fills, event.credits, event.drop) != expected:
        return "opening, closing, fills, credits or drop are not those of the ledger"
    if event.result != closing + day.credits + drop - day.opening - day.fills:
        return f"a result of {event.result} does not follow from the count"
    if event.difference != closing - ledger:
        return f"a difference of {event.difference}, but count and ledger differ by {closing - ledger}"
    return None
