"""The money of a log a second time: settlements by the literal rules, transfers by their lines, the day's reckoning.

Everything here says what is wrong in a sentence, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from puntobanco.bets import Result, Verdict, payoffs
from puntobanco.insurance import insurance_verdict
from puntobanco.literal import COMMISSION as KEPT
from puntobanco.literal import End, ending, literal_gain, literal_insurance_profit, point_total
from puntobanco.rules.load import GAMES
from puntobanco.table import events as e
from puntobanco.table.events import SettledLine, Transfer
from puntobanco.table.state import COMMISSION, DROP, TRAY, Round, Table, chips_of, layout_of

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


def wrong_settlement(table: Table, event: e.RoundSettled) -> str | None:
    """The lines of a round against the paragraphs, and its transfers against the lines; ``table`` is as before it."""
    current = table.round
    if current is None or not current.coup.finished:
        return "a settlement without a finished round"
    if event.coup != str(current.coup):
        return f"settled as {event.coup}, but the cards are {current.coup}"
    if event.number != current.number:
        return f"settled as round {event.number}, but it is round {current.number}"
    try:
        owed = _owed(table, current)
    except ValueError as error:
        return str(error)
    if len(owed) != len(event.lines):
        return f"{len(event.lines)} lines for {len(owed)} wagers"
    rounding = table.settings.rounding
    for line, (person, box, bet, stake, pays, to) in zip(event.lines, owed, strict=True):
        if line.stake != stake or line.bet != bet or line.person != person or line.box != box:
            return f"settles {line.stake} of {line.person} on {line.bet} where {stake} of {person} on {bet} lay"
        kept = 0
        if pays > 0:
            profit, result = rounding(stake * pays, to), WON
            if (pays, to) == _AFTER_COMMISSION:
                kept = max(stake - profit, 0)
        else:
            profit, result = stake * pays, LOST if pays else RETURNED
        if line.profit != profit or line.result is not result:
            found = f"{person}'s {stake} on {bet} {line.result.value} {line.profit}"
            return f"{found}, but by the rules it {result.value} {profit}"
        if line.commission != kept:
            return f"{line.commission} of {person}'s {bet} kept as commission, not {kept}"
    return _wrong_sums(event.lines, event.transfers)


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
            pays, to = literal_insurance_profit(taken.row.window.value, taken.hand, coup).as_integer_ratio()
            owed.append(Owed(taken.person, taken.box, f"{taken.hand.value}_insurance", taken.stake, pays, to))
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
        ratio = _ratio(insurance_verdict(taken.row, current.coup))
        owed.append(Owed(taken.person, taken.box, f"{taken.hand.value}_insurance", taken.stake, *ratio))
    return owed


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
