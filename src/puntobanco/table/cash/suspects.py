"""Chips and cash that somebody suspects to be counterfeit: held apart, out of every count, until that is known.

A dealer holds them; a Pit Manager or above says what they are, and is another person. What is genuine goes back to
whose it is, what is not is taken out for good. Neither has to wait for the other: what is held outlives its table.
"""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.authority import lacking_rank, rank_for
from puntobanco.table.base import Transfer
from puntobanco.table.cash.accounts import CAGE, CASH, COUNTERFEIT, DROP, SUSPECT, TRAY, held_for
from puntobanco.table.cash.state import Suspect
from puntobanco.table.commands import Command
from puntobanco.table.ledger import check_stack, check_tray, moves
from puntobanco.table.people import lookup
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.debts import pay
from puntobanco.table.state import Table, chips_of


def hold(table: Table, command: Command, body: c.HoldSuspect) -> Sequence[e.Event]:
    """A player's chips or banknotes; with nobody named, the House's own in the tray or in the drop box."""
    check_tray(table, body.amount)
    if not body.about.strip():
        raise Refused("bad_amount.what_happened")
    if body.person:
        person = lookup.find_player(table, body.person)
        if body.what == "chips":
            check_stack(table, person.id, body.amount)
        origin = chips_of(person.id) if body.what == "chips" else CASH
    else:
        origin = TRAY if body.what == "chips" else DROP
        if body.what == "cash" and table.rank_of(command.actor) < rank_for(table.book, "manages"):
            # the drop box is opened at its count only
            raise lacking_rank(table.book, "manages")
    transfers = moves((origin, SUSPECT, body.amount))
    held = (body.what, body.amount, body.about.strip(), command.actor, transfers, _of(table), body.person)
    return (e.SuspectHeld(table.suspects_so_far + 1, *held),)


def resolve(table: Table, command: Command, body: c.ResolveSuspect) -> Sequence[e.Event]:
    """Give back what was found genuine, and keep what was not out of the count. A second person says which."""
    found = table.suspects.get(body.number)
    if found is None:
        raise Refused("unknown_request.suspect", _of(table), number=body.number)
    if command.actor == found.by:
        raise Refused("second_person.found", _of(table), person=found.by)
    if command.actor == found.person:
        raise Refused("second_person.concerned", _of(table), person=found.person)
    if not body.finding.strip():
        raise Refused("bad_amount.what_happened")
    transfers = _back(table, found) if body.genuine else moves((SUSPECT, COUNTERFEIT, found.amount))
    return (
        e.SuspectResolved(
            *(body.number, found.what, body.genuine, found.amount, body.finding.strip(), command.actor),
            *(transfers, _of(table), found.person),
        ),
    )


def _back(table: Table, found: Suspect) -> tuple[Transfer, ...]:
    """To whose it is. A table that is closed has neither tray nor drop box any more: there is the cage."""
    if not found.person:
        return moves((SUSPECT, (TRAY if found.what == "chips" else DROP) if table.open else CAGE, found.amount))
    if found.what == "cash":
        return moves((SUSPECT, CASH, found.amount))
    if not table.open:
        return moves((SUSPECT, held_for(found.person), found.amount))
    return pay(table, found.person, found.amount, SUSPECT)


def _of(table: Table) -> str:
    return table.procedures.suspect.rule or table.book.uncovered.paragraph
