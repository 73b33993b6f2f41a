"""Commission that is marked when a bet wins, and collected later: at the end of the shoe, or when the player leaves.

What is marked stands on the person's own account, below zero, and among the House's marks; collected it leaves both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from puntobanco.rules.model import CommissionForm, Due, RuleBook
from puntobanco.table import events as e
from puntobanco.table.base import Transfer
from puntobanco.table.cash.accounts import COMMISSION, MARKS, RECEIVABLES, TRAY, marked_for, owed_by
from puntobanco.table.ledger import moves
from puntobanco.table.settlement.debts import pay, to_hand
from puntobanco.table.settlement.events import SettledLine
from puntobanco.table.state import Table


def is_marked(book: RuleBook) -> bool:
    """Whether the house marks commission and collects it later."""
    return book.commission.form is CommissionForm.MARKED


def taken_on(book: RuleBook, stake: int, profit: int) -> int:
    """The commission on a bet that bears it and wins: kept of even money, or to be marked."""
    commission = book.commission
    if commission.form is CommissionForm.AT_ONCE:
        return max(stake - profit, 0)
    return commission.rounding(profit * commission.rate.numerator, commission.rate.denominator)


def commission_on(book: RuleBook, lines: Iterable[SettledLine]) -> dict[str, int]:
    """What is due on these lines, by person."""
    amounts: dict[str, int] = {}
    if book.commission.bets:
        for line in lines:
            if line.commission:
                amounts[line.person] = amounts.get(line.person, 0) + line.commission
    return amounts


def kept_or_marked(book: RuleBook, amounts: Mapping[str, int]) -> tuple[Transfer, ...]:
    """Commission taken when bets are paid: out of the tray, or marked for each person."""
    return marking(amounts) if is_marked(book) else (Transfer(TRAY, COMMISSION, sum(amounts.values())),)


def marked(table: Table, person: str) -> int:
    """What a person has to pay still."""
    return -table.balances.get(marked_for(person), 0)


def marking(amounts: Mapping[str, int]) -> tuple[Transfer, ...]:
    """Commission of each person, marked."""
    return moves(*((marked_for(person), MARKS, amount) for person, amount in amounts.items()))


def marked_anew(table: Table, changes: Mapping[str, int]) -> tuple[Transfer, ...]:
    """More or less marked than before; what was collected and is not due after all is paid back."""
    transfers = list(marking({person: change for person, change in changes.items() if change > 0}))
    for person, change in changes.items():
        less = max(-change, 0)
        struck = min(less, marked(table, person))
        transfers += moves((MARKS, marked_for(person), struck))
        transfers += pay(table, person, less - struck, COMMISSION)
    return tuple(transfers)


def collected(table: Table, person: str) -> tuple[e.CommissionCollected, ...]:
    """What is marked, out of the person's chips; what they do not hold is owed."""
    amount = marked(table, person)
    if not amount:
        return ()
    had = to_hand(table, person, amount, COMMISSION)
    owed = amount - sum(transfer.amount for transfer in had)
    transfers = (*had, *moves((owed_by(person), RECEIVABLES, owed), (MARKS, marked_for(person), amount)))
    return (e.CommissionCollected(person, amount, owed, transfers, table.book.commission.paragraph),)


def collect_at_end(table: Table, now: int) -> Sequence[e.Event]:
    """The shoe is over: marked commission is paid."""
    if not table.shoe.ended or not table.balances.get(MARKS) or Due.END_OF_SHOE not in table.book.commission.due:
        return ()
    people = (account.removeprefix(marked_for("")) for account in table.balances if account.startswith(marked_for("")))
    return [event for person in people for event in collected(table, person)]


def collect_on_leaving(table: Table, person: str) -> tuple[e.CommissionCollected, ...]:
    """Marked commission is collected when the player leaves, where the book says so."""
    return collected(table, person) if Due.LEAVING in table.book.commission.due else ()
