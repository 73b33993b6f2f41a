"""Paying and collecting after the fact.

What cannot be collected from a person's chips is owed, until a ruling closes the debt. Stacks never go below zero.
"""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.base import Transfer
from puntobanco.table.cash.accounts import FLOOR, RECEIVABLES, TRAY, chips_of, held_for, owed_by
from puntobanco.table.ledger import moves
from puntobanco.table.state import Round, Table

DEBT = "debt"
"""The family of what a person owes."""
OWED = owed_by("").partition(":")[0]


def post(table: Table, person: str, amount: int) -> tuple[Transfer, ...]:
    """Pay a person, or collect where the amount is below zero."""
    return pay(table, person, amount) if amount > 0 else collect(table, person, -amount)


def pay(table: Table, person: str, amount: int, source: str = TRAY) -> tuple[Transfer, ...]:
    """From the tray to a player's chips; kept for somebody who has left, even one who works here now."""
    found = table.people.get(person)
    plays = found is not None and not found.staff
    return moves((source, chips_of(person) if plays else held_for(person), amount))


def collect(table: Table, person: str, amount: int) -> tuple[Transfer, ...]:
    """From a person's chips to the tray, then from what is kept for that person; the rest is owed."""
    had = to_hand(table, person, amount)
    missing = amount - sum(transfer.amount for transfer in had)
    return (*had, *moves((owed_by(person), RECEIVABLES, missing)))


def to_hand(table: Table, person: str, amount: int, target: str = TRAY) -> tuple[Transfer, ...]:
    """As much of an amount as a person's chips here cover, those at hand first."""
    chips = min(amount, table.stack(person))
    held = min(amount - chips, table.balances.get(held_for(person), 0))
    return moves((chips_of(person), target, chips), (held_for(person), target, held))


def walked_out(table: Table, found: Round, person: str, less: int) -> tuple[e.Event, ...]:
    """Chips that came in because the record had so much more on the layout than lay there were never here.

    A person who has carried them away since owes them: they were the house's.
    """
    amount = min(less, found.walked_in.get(person, 0))
    if amount <= 0:
        return ()
    had = to_hand(table, person, amount, FLOOR)
    missing = amount - sum(transfer.amount for transfer in had)
    transfers = (*had, *moves((owed_by(person), RECEIVABLES, missing), (TRAY, FLOOR, missing)))
    return (e.MoneyMoved("chips_out", person, amount, transfers, "found", round=found.number),)


def debt_opened(table: Table, now: int) -> Sequence[e.Event]:
    """For every debtor an incident stays open until the debt is paid or written off."""
    if not table.balances.get(RECEIVABLES):
        return ()
    known = {incident.person for incident in table.incidents.values() if incident.family == DEBT}
    for account, balance in table.balances.items():
        kind, _, person = account.partition(":")
        if kind == OWED and balance < 0 and person not in known:
            about = About.of("debt", person=person)
            number = table.incidents_so_far + 1
            return (e.IncidentOpened(number, DEBT, about, "", person=person, blocks=False, covered=False),)
    return ()
