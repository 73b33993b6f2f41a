"""Who is at the table: staff with ranks, players seated at boxes or standing behind them."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.model import NO_RANK
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.base import HOUSE
from puntobanco.table.cash.accounts import FLOOR, chips_of, held_for, layout_of
from puntobanco.table.commands import Command
from puntobanco.table.ledger import moves, to_account
from puntobanco.table.people.lookup import check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.commission import collect_on_leaving
from puntobanco.table.state import Table

UNNAMED = "@"
"""An unnamed player at a live table is called by the box: ``@3``."""


def sign_on(table: Table, command: Command, body: c.SignOn) -> Sequence[e.Event]:
    """A member of staff comes, with a rank."""
    rank = table.book.ranks.of(body.rank)
    if rank is NO_RANK:
        raise Refused("rank.unknown", ranks=list(table.book.ranks.named))
    if command.actor != HOUSE and rank > table.rank_of(command.actor):
        raise Refused("rank.above_own", person=command.actor)
    before = table.people.get(body.person)
    if body.person == HOUSE or body.person.startswith(UNNAMED):
        raise Refused("already_there.name", person=body.person)
    if before is not None and (not before.staff or before.rank == body.rank):
        raise Refused("already_there.person", person=body.person)
    return (e.StaffSignedOn(body.person, body.rank),)


def sign_off(table: Table, command: Command, body: c.SignOff) -> Sequence[e.Event]:
    """A member of staff goes."""
    person = table.people.get(body.person)
    if person is None or not person.staff:
        raise Refused("unknown_person.staff", person=body.person)
    if command.actor not in (HOUSE, body.person) and table.rank_of(command.actor) < table.book.speaks:
        raise Refused("not_yours.person", actor=command.actor, person=body.person)
    return (e.StaffSignedOff(body.person),)


def join(table: Table, command: Command, body: c.Join) -> Sequence[e.Event]:
    """A player takes a seat, or stands behind one."""
    if body.person == HOUSE or not body.person:
        raise Refused("unknown_person.name", person=body.person)
    before = table.people.get(body.person)
    if before is not None and before.staff:
        raise Refused("already_there.staff", person=body.person)
    if before is not None and (before.box, before.seated) == (body.box, body.seated):
        raise Refused("already_there.person", person=body.person)
    if before is not None and _has_bets(table, body.person):
        raise Refused("bets_on_layout", person=body.person)
    check_box(table, body.box)
    occupant = table.seated_at(body.box)
    if body.seated and occupant is not None and occupant.id != body.person:
        raise Refused("box.taken", box=body.box)
    if not body.seated and (occupant is None or occupant.id == body.person):
        raise Refused("nobody_seated", table.procedures.standing.rule, box=body.box)
    paragraph = (table.procedures.seated if body.seated else table.procedures.standing).rule
    if table.settings.no_insurance:
        paragraph = table.irregularities.no_insurance.rule
        if not body.accepts_no_insurance and before is None:
            raise Refused("notice", paragraph)
    held = table.balances.get(held_for(body.person), 0)
    kept = moves((held_for(body.person), chips_of(body.person), held))
    return (e.PlayerJoined(body.person, body.box, body.seated, paragraph, kept),)


def leave(table: Table, command: Command, body: c.Leave) -> Sequence[e.Event]:
    """Leave with the chips: to the floor, or to the account at an electronic table. Bets are settled first (5.3)."""
    person = find_player(table, body.person)
    if _has_bets(table, person.id):
        raise Refused("bets_on_layout", table.irregularities.walk_away.rule, person=person.id)
    paid = collect_on_leaving(table, person.id)
    taken = sum(each.amount for event in paid for each in event.transfers if each.source == chips_of(person.id))
    stack = table.stack(person.id) - taken
    if table.settings.electronic:
        return (*paid, e.PlayerLeft(person.id, to_account(person.id, stack)))
    return (*paid, e.PlayerLeft(person.id, moves((chips_of(person.id), FLOOR, stack))))


def _has_bets(table: Table, person: str) -> bool:
    return table.balances.get(layout_of(person), 0) > 0
