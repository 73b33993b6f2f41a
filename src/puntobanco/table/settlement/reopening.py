"""A round whose boxes are still to be paid is not over (reading L): what comes to light is ruled on in it."""

from __future__ import annotations

from puntobanco.table import events as e
from puntobanco.table.folds import evolve
from puntobanco.table.state import PAYING, Round, Table


def still_paying(table: Table) -> Round | None:
    """The round that was settled, and in which somebody is still to be paid."""
    current = table.round
    if current is None or table.phase is not PAYING or not current.settled:
        return None
    return current if current.unconfirmed else None


def opened_again(table: Table, paragraph: str) -> tuple[tuple[e.Event, ...], Table]:
    """What opens such a round again, and the table then; it is settled again by difference when it can go on."""
    current = still_paying(table)
    if current is None:
        return (), table
    reopened = e.RoundReopened(current.number, paragraph)
    return (reopened,), evolve(table, reopened)
