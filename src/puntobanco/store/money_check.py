"""The money of a log a second time: settlements by the literal rules, transfers by their lines, the day's reckoning.

Everything here says what is wrong in a sentence, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from puntobanco.bets import Result, payoffs
from puntobanco.coup import Coup
from puntobanco.insurance import insurance_verdict
from puntobanco.literal import COMMISSION as KEPT
from puntobanco.literal import LOST, RETURNED, ending, literal_gain, literal_insurance_profit, point_total
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
    for line, (wager, gain) in zip(event.lines, owed, strict=True):
        if (line.person, line.box, line.bet, line.stake) != wager:
            return (
                f"settles {line.stake} of {line.person} on {line.bet} where {wager[3]} of {wager[0]} on {wager[2]} lay"
            )
        pays = gain.numerator
        if pays > 0:
            profit, result = rounding(line.stake * pays, gain.denominator), Result.WON
        else:
            profit, result = line.stake * pays, Result.LOST if pays else Result.RETURNED
        if line.profit != profit or line.result is not result:
            return (
                f"{line.person}'s {line.stake} on {line.bet} {line.result.value} {line.profit},"
                f" but by the rules it {result.value} {profit}"
            )
        kept = max(line.stake - profit, 0) if gain == _AFTER_COMMISSION else 0
        if line.commission != kept:
            return f"{line.commission} of {line.person}'s {line.bet} kept as commission, not {kept}"
    return _wrong_sums(event.lines, event.transfers)


_AFTER_COMMISSION = 1 - KEPT


def _owed(table: Table, current: Round) -> list[tuple[tuple[str, int, str, int], Fraction]]:
    """Every wager with what a unit of it gains: box by box, in a box in the order they were placed."""
    game, coup = table.settings.game, current.coup
    owed: list[tuple[tuple[str, int, str, int], Fraction]] = []
    if is_literal(table):
        end = ending(coup)
        for wager in current.wagers.values():
            bet = wager.bet
            owed.append(((wager.person, wager.box, bet, wager.stake), literal_gain(game, bet, end)))
        for taken in current.insurance:
            gain = literal_insurance_profit(taken.row.window.value, taken.hand, coup)
            owed.append(((taken.person, taken.box, f"{taken.hand.value}_insurance", taken.stake), gain))
    else:
        owed = _owed_by_book(table, current, coup)
    owed.sort(key=lambda each: each[0][1])
    return owed


def _owed_by_book(table: Table, current: Round, coup: Coup) -> list[tuple[tuple[str, int, str, int], Fraction]]:
    """For a game of one's own there are no literal rules: its book decides."""
    paying, outcome = payoffs(table.book), table.book.space.outcome_of(coup)
    verdicts = [
        ((wager.person, wager.box, wager.bet, wager.stake), paying[wager.bet].verdict(outcome))
        for wager in current.wagers.values()
    ]
    verdicts += [
        ((taken.person, taken.box, f"{taken.hand.value}_insurance", taken.stake), insurance_verdict(taken.row, coup))
        for taken in current.insurance
    ]
    return [
        (wager, verdict.odds.fraction if verdict.odds else LOST if verdict.result is Result.LOST else RETURNED)
        for wager, verdict in verdicts
    ]


def _wrong_sums(lines: Sequence[SettledLine], transfers: Sequence[Transfer]) -> str | None:
    """Chips change by stake and profit of one's lines, the layout by the stakes; the rest is the House's."""
    expected: dict[str, int] = {}
    get = expected.get
    for line in lines:
        chips, layout = chips_of(line.person), layout_of(line.person)
        expected[layout] = get(layout, 0) - line.stake
        expected[chips] = get(chips, 0) + line.stake + line.profit
        expected[TRAY] = get(TRAY, 0) - line.profit - line.commission
        expected[COMMISSION] = get(COMMISSION, 0) + line.commission
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
