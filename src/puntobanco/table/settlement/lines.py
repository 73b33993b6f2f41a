"""What every wager of a round comes to."""

from __future__ import annotations

from collections import defaultdict
from operator import attrgetter

from msgspec.structs import replace

from puntobanco.bets import Result, verdicts
from puntobanco.cards import Side
from puntobanco.insurance import insurance_verdict
from puntobanco.table.bets.stakes_that_stand import original_bet
from puntobanco.table.insurance.state import InsuranceWager
from puntobanco.table.settlement.commission import taken_on
from puntobanco.table.settlement.events import SettledLine
from puntobanco.table.state import Round, Table

LOST = Result.LOST


def lines_of(table: Table, current: Round) -> tuple[SettledLine, ...]:
    """What every wager comes to: by box in ascending order, and in a box in the order the bets were placed."""
    lines: list[SettledLine] = []
    book, rounding = table.book, table.settings.rounding
    shared = book.commission.bets
    # a coup that is not finished was called and paid with a card too few
    decided = verdicts(book, book.space.outcome_of(current.coup), as_it_lies=current.coup.due is not None)
    for wager in current.wagers.values():
        person, box, bet, stake = wager.person, wager.box, wager.bet, wager.stake
        verdict = decided[bet]
        if verdict.result is LOST:
            lines.append(SettledLine(person, box, bet, stake, LOST, -stake, verdict.paragraph))
        else:
            profit = verdict.profit(stake, rounding)
            kept = taken_on(book, stake, profit) if bet in shared and verdict.odds else 0
            lines.append(SettledLine(person, box, bet, stake, verdict.result, profit, verdict.paragraph, False, kept))
    won_late: dict[tuple[str, int, Side], int] = defaultdict(int)
    for insurance in current.insurance:
        row = insurance.row
        if insurance.off:
            lines.append(_gone_back(table, current, insurance))
            continue
        if insurance.misplaced:
            # as it lies there, until somebody moves it (tiger-buffalo 5.18)
            row = replace(row, hand=insurance.hand, tie_pays=False)
        verdict = insurance_verdict(row, current.coup)
        bet = f"{insurance.hand.value}_insurance"
        stake = insurance.stake
        profit = verdict.profit(stake, rounding)
        if insurance.late and profit > 0:
            # all of it together wins the Original Bet at most, also where its row is another now (tiger-buffalo 5.17.1)
            place = (insurance.person, insurance.box, row.hand)
            profit = min(profit, original_bet(table, current, *place) - won_late[place])
            won_late[place] += profit
        lines.append(
            SettledLine(insurance.person, insurance.box, bet, stake, verdict.result, profit, verdict.paragraph, True)
        )
    lines += current.sent_back
    lines.sort(key=attrgetter("box"))
    return tuple(lines)


def _gone_back(table: Table, current: Round, insurance: InsuranceWager) -> SettledLine:
    """Insurance at no row of the pay table, or of no bet."""
    bet, paragraph = f"{insurance.hand.value}_insurance", insurance.row.paragraph
    assert table.book.insurance is not None
    if not original_bet(table, current, insurance.person, insurance.box, insurance.row.hand):
        paragraph = table.book.insurance.offer
    return SettledLine(insurance.person, insurance.box, bet, insurance.stake, Result.RETURNED, 0, paragraph, True)
