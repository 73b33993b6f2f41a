"""Boxes confirmed, and the end of the round."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.commands import Command
from puntobanco.table.people.lookup import check_box
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import CONFIRM
from puntobanco.table.settlement.paying import paid_as_called
from puntobanco.table.state import Table


def confirm(table: Table, command: Command, body: c.Confirm) -> Sequence[e.Event]:
    """A box was paid: in its turn, on a result that was called too early, or without anything to pay (reading A)."""
    confirmed = e.BoxesConfirmed((body.box,), body.by_reader)
    if table.round is not None and body.box in table.round.unconfirmed:
        return (confirmed,)
    if table.settings.electronic:
        raise Refused("confirmations.box", table.procedures.round.rule, box=body.box)
    check_box(table, body.box)
    if paid := paid_as_called(table):
        return (*paid, confirmed)
    return (e.Noted("paid_box", About.of("box", box=body.box), table.procedures.round.rule),)


def override_confirmation(table: Table, command: Command, body: c.OverrideConfirmation) -> Sequence[e.Event]:
    """A Pit Manager lets play go on without the confirmations that are missing."""
    if table.round is None or not table.round.unconfirmed:
        raise Refused("confirmations.none", table.procedures.round.rule)
    if not body.reason.strip():
        raise Refused("bad_amount.why")
    return (e.ConfirmationOverridden(tuple(sorted(table.round.unconfirmed)), body.reason.strip()),)


def end_round(table: Table, now: int) -> Sequence[e.Event]:
    """Confirm by itself where the table does, and end the round when all boxes are done."""
    current = table.round
    assert current is not None
    if table.blocked:
        return ()
    ended = e.RoundEnded(current.number, table.shoe.discards + len(current.cards))
    if not current.unconfirmed:
        return (ended,)
    if CONFIRM in table.settings.automated:
        return (e.BoxesConfirmed(tuple(sorted(current.unconfirmed))), ended)
    return ()
