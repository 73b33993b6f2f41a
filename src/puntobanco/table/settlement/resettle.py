"""A settled round settled again, by difference: nothing recorded is changed, what was wrongly paid or taken moves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from puntobanco.bets import Result
from puntobanco.table import events as e
from puntobanco.table.about import Words
from puntobanco.table.base import Transfer
from puntobanco.table.cash.accounts import COMMISSION, TRAY, layout_of
from puntobanco.table.fold_helpers import moved
from puntobanco.table.ledger import moves
from puntobanco.table.settlement.commission import commission_on, is_marked, marked_anew
from puntobanco.table.settlement.debts import pay, post
from puntobanco.table.settlement.events import SettledLine
from puntobanco.table.state import Round, Table

LAYOUT = layout_of("").partition(":")[0]


def settled_again(
    table: Table,
    settled: Round,
    lines: Sequence[SettledLine],
    paragraph: str,
    *,
    void: bool = False,
    reason: Words = "",
) -> e.RoundSettledAgain:
    """The round as it comes out now, and the difference to what was paid and taken."""
    back = lying_since(table) if settled.paid else ()
    after = replace(table, balances=moved(table.balances, back))
    transfers = (*back, *difference(after, settled.before if settled.paid else settled.lines, lines))
    kept = table.book.commission.paragraph if commission_on(table.book, lines) else ""
    return e.RoundSettledAgain(
        settled.number, str(settled.coup), tuple(lines), transfers, paragraph, void, reason, kept
    )


def lying_since(table: Table) -> tuple[Transfer, ...]:
    """What was put on the layout of a round that had been settled, which is late insurance, comes off it again."""
    places = ((account.partition(":"), amount) for account, amount in table.balances.items() if amount)
    lying = ((person, amount) for (kind, _, person), amount in places if kind == LAYOUT)
    return tuple(transfer for each, amount in lying for transfer in pay(table, each, amount, layout_of(each)))


def returned(lines: Iterable[SettledLine], paragraph: str) -> tuple[SettledLine, ...]:
    """The same wagers without a result: every stake goes back."""
    return tuple(replace(line, result=Result.RETURNED, profit=0, commission=0, paragraph=paragraph) for line in lines)


def difference(table: Table, before: Iterable[SettledLine], now: Iterable[SettledLine]) -> tuple[Transfer, ...]:
    """What moves between tray, people and the commission so that the new lines hold."""
    profits: dict[str, int] = defaultdict(int)
    commissions: dict[str, int] = defaultdict(int)
    for sign, lines in ((-1, before), (1, now)):
        for line in lines:
            profits[line.person] += sign * line.profit
            commissions[line.person] += sign * line.commission
    transfers: list[Transfer] = []
    for person, amount in profits.items():
        transfers += post(table, person, amount)
    if is_marked(table.book):
        return (*transfers, *marked_anew(table, commissions))
    commission = sum(commissions.values())
    source, target = (TRAY, COMMISSION) if commission > 0 else (COMMISSION, TRAY)
    return (*transfers, *moves((source, target, abs(commission))))
