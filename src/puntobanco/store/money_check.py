"""The money of a log a second time: settlements by the literal rules, and their transfers by their lines.

Everything here says what is wrong in a sentence, or nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from operator import attrgetter

import msgspec
from msgspec.structs import replace

from puntobanco.bets import Payoff, Result, Verdict, members, payoffs
from puntobanco.cards import CARDS, Side
from puntobanco.coup import Coup, reconstruct
from puntobanco.insurance import insurance_verdict
from puntobanco.literal import COMMISSION as KEPT
from puntobanco.literal import End, ending, literal_gain, literal_insurance_profit, point_total
from puntobanco.rules.load import GAMES
from puntobanco.rules.model import CommissionForm, Window
from puntobanco.table import events as e
from puntobanco.table.events import SettledLine, Transfer
from puntobanco.table.folds import evolve
from puntobanco.table.settlement.paying import lacks_a_card
from puntobanco.table.state import (
    COMMISSION,
    MARKS,
    RECEIVABLES,
    TRAY,
    InsuranceWager,
    Round,
    Table,
    chips_of,
    held_for,
    layout_of,
    marked_for,
    owed_by,
)


def is_literal(table: Table) -> bool:
    """Whether the game is one whose paragraphs are spelt out."""
    return table.settings.game in GAMES


class Owed(msgspec.Struct, frozen=True, gc=False):
    """A wager, and what it gains by the rules: ``pays`` to ``to``, below zero if it is lost."""

    person: str
    box: int
    bet: str
    stake: int
    pays: int
    to: int
    late: bool = False
    """Insurance that was offered late: all of it on a hand wins the Original Bet at most (tiger-buffalo 5.17.1)."""


def wrong_settlements(table: Table, events: Sequence[e.Event]) -> tuple[int, str] | None:
    """The place of the first wrong settlement among a command's events, and how; ``table`` is as before them."""
    last = max(place for place, event in enumerate(events) if type(event) in SETTLING)
    for place, event in enumerate(events[: last + 1]):
        if isinstance(event, e.RoundSettled):
            message = wrong_settlement(table, event)
        elif isinstance(event, e.RoundSettledAgain):
            message = wrong_settlement_again(table, event)
        else:
            message = None
        if message:
            return place, message
        if place < last:
            table = evolve(table, event)
    return None


SETTLING = frozenset({e.RoundSettled, e.RoundSettledAgain})


def wrong_settlement(table: Table, event: e.RoundSettled) -> str | None:
    """The lines of a round against the paragraphs, and its transfers against the lines; ``table`` is as before it."""
    current = table.round
    if current is None or not (current.coup.finished or lacks_a_card(current)):
        return "a settlement without a finished round"
    if event.coup != str(current.coup):
        return f"settled as {event.coup}, but the cards are {current.coup}"
    if event.number != current.number:
        return f"settled as round {event.number}, but it is round {current.number}"
    return _wrong_lines(table, current, event.lines) or _wrong_sums(table, event.lines, event.transfers)


def _wrong_lines(table: Table, current: Round, lines: Sequence[SettledLine]) -> str | None:
    """Every wager has its line, and gains what the paragraphs give it."""
    try:
        owed = _owed(table, current)
    except ValueError as error:
        return str(error)
    if len(owed) != len(lines):
        return f"{len(lines)} lines for {len(owed)} wagers"
    rounding = table.settings.rounding
    taken = table.book.commission
    won_late: dict[tuple[str, int, str], int] = {}
    for line, due in zip(lines, owed, strict=True):
        person, box, bet, stake, pays, to = due.person, due.box, due.bet, due.stake, due.pays, due.to
        if line.stake != stake or line.bet != bet or line.person != person or line.box != box:
            return f"settles {line.stake} of {line.person} on {line.bet} where {stake} of {person} on {bet} lay"
        kept = 0
        if pays > 0:
            profit, result = rounding(stake * pays, to), WON
            if due.late:
                won = won_late.get((person, box, bet), 0)
                profit = min(profit, _original(table, current, person, box, bet) - won)
                won_late[person, box, bet] = won + profit
            if taken.form is CommissionForm.MARKED and bet in taken.bets:
                kept = taken.rounding(profit * taken.rate.numerator, taken.rate.denominator)
            elif _after_commission(table, due):
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
    """The Original Bet under an insurance, even if it went back since."""
    hand = insured.removesuffix("_insurance")
    there = (*current.wagers.values(), *current.taken_back)
    bets = {code for code, side in table.book.original_bets.items() if side.value == hand}
    return sum(wager.stake for wager in there if (wager.person, wager.box) == (person, box) and wager.bet in bets)


WON, LOST, RETURNED = Result.WON, Result.LOST, Result.RETURNED
"""Named once, because they are asked all the time."""
_AFTER_COMMISSION = (1 - KEPT).as_integer_ratio()


def _after_commission(table: Table, due: Owed) -> bool:
    """Whether the odds are what the house's share has left: a user's own game says on which bets."""
    if is_literal(table):
        return (due.pays, due.to) == _AFTER_COMMISSION
    taken = table.book.commission
    return taken.form is CommissionForm.AT_ONCE and due.bet in taken.bets


def _owed(table: Table, current: Round) -> list[Owed]:
    """Every wager with what it gains: box by box, in a box in the order they were placed."""
    game, coup = table.settings.game, current.coup
    owed: list[Owed] = []
    if is_literal(table):
        gains = _gains(game, ending(coup, as_it_lies=True))
        for wager in current.wagers.values():
            pays, to = gains[wager.bet]
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
    owed += [Owed(line.person, line.box, line.bet, line.stake, 0, 1) for line in current.sent_back]
    owed.sort(key=_by_box)
    return owed


_by_box = attrgetter("box")


class _Gains(dict[str, tuple[int, int]]):
    """What the bets of a game gain by one end of a coup, each worked out when it is first asked for."""

    def __init__(self, game: str, end: End) -> None:
        self._game, self._end = game, end

    def __missing__(self, bet: str) -> tuple[int, int]:
        gain = self[bet] = literal_gain(self._game, bet, self._end).as_integer_ratio()
        return gain


_gains = cache(_Gains)


def _owed_by_book(table: Table, current: Round) -> list[Owed]:
    """A user's own game has no literal rules: its book decides."""
    paying, outcome = payoffs(table.book), table.book.space.outcome_of(current.coup)
    owed = [
        Owed(wager.person, wager.box, wager.bet, wager.stake, *_ratio(_verdict(paying[wager.bet], outcome, current)))
        for wager in current.wagers.values()
    ]
    for taken in current.insurance:
        ratio = _by_row(taken, current.coup)
        owed.append(Owed(taken.person, taken.box, f"{taken.hand.value}_insurance", taken.stake, *ratio, taken.late))
    return owed


def _verdict(payoff: Payoff, outcome: int, current: Round) -> Verdict:
    return payoff.verdict(outcome) if current.coup.finished else payoff.as_it_lies(outcome)


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


def _wrong_sums(table: Table, lines: Sequence[SettledLine], transfers: Sequence[Transfer]) -> str | None:
    """Chips change by stake and profit of one's lines, the layout by the stakes; the rest is the House's."""
    people: dict[str, tuple[int, int]] = {}
    marked = table.book.commission.form is CommissionForm.MARKED
    commission = 0
    expected: dict[str, int] = {}
    for line in lines:
        person = line.person
        stake, profit = people.get(person, (0, 0))
        people[person] = (stake + line.stake, profit + line.profit)
        commission += line.commission
        if marked:
            expected[marked_for(person)] = expected.get(marked_for(person), 0) - line.commission
    expected |= {MARKS: commission, TRAY: 0} if marked else {COMMISSION: commission, TRAY: -commission}
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
        ratios = {_gains(game, end)[bet] for end in set(_endings(dealt))}
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
    commissions: dict[str, int] = defaultdict(int)
    expected: dict[str, int] = defaultdict(int)
    for sign, lines in ((-1, old), (1, event.lines)):
        for line in lines:
            profits[line.person] += sign * line.profit
            commissions[line.person] += sign * line.commission
    if table.book.commission.form is CommissionForm.MARKED:
        for person, change in commissions.items():
            open_still = -table.balances.get(marked_for(person), 0)
            on_marks = max(change, -open_still)
            expected[MARKS] += on_marks
            expected[marked_for(person)] -= on_marks
            # what was collected and is not due goes back
            back = on_marks - change
            expected[COMMISSION] -= back
            expected[chips_of(person) if person in table.people else held_for(person)] += back
    else:
        expected[COMMISSION] += sum(commissions.values())
        expected[TRAY] -= sum(commissions.values())
    lying = _lying_since(table, event)
    for person, amount in lying.items():
        expected[layout_of(person)] -= amount
        expected[chips_of(person) if person in table.people else held_for(person)] += amount
    for person, profit in profits.items():
        here = person in table.people
        if profit > 0:
            expected[chips_of(person) if here else held_for(person)] += profit
            expected[TRAY] -= profit
        elif profit < 0:
            chips = min(-profit, table.stack(person) + lying.get(person, 0)) if here else 0
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


def _lying_since(table: Table, event: e.RoundSettledAgain) -> dict[str, int]:
    """What lies on the layout of a round that had been settled and was played on: late insurance (5.17.1)."""
    current = table.round
    if current is None or not current.paid or current.number != event.number:
        return {}
    people = dict.fromkeys(taken.person for taken in current.insurance)
    return {person: amount for person in people if (amount := table.balances.get(layout_of(person), 0))}
