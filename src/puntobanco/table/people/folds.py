"""The table after somebody came or went."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.fold_helpers import forgone_by, later, moved
from puntobanco.table.people.state import Person
from puntobanco.table.state import Round, Table


def _staff_signed_on(table: Table, event: e.StaffSignedOn) -> Table:
    return later(table, people=table.people | {event.person: Person(event.person, event.rank)})


def _gone(table: Table, event: e.StaffSignedOff | e.PlayerLeft) -> Table:
    people = {name: person for name, person in table.people.items() if name != event.person}
    balances = moved(table.balances, event.transfers) if isinstance(event, e.PlayerLeft) else table.balances
    gone = {event.person}
    shoe = table.shoe
    if shoe.choosing and event.person in shoe.choosing:
        shoe = replace(shoe, choosing=shoe.choosing - gone, choices=shoe.choices - 1)
    table = _new_stay(table, event.person)
    return later(
        table,
        people=people,
        seats=_seats_of_others(table, event.person),
        balances=balances,
        shoe=shoe,
        absent=table.absent - gone,
        under_minimum=table.under_minimum - gone,
    )


def _seats_of_others(table: Table, person: str) -> dict[int, str]:
    return {box: name for box, name in table.seats.items() if name != person}


def _new_stay(table: Table, person: str) -> Table:
    """Bets below the minimum of a stay that is over do not count in the next one (reading M)."""

    def over(each: Round) -> Round:
        return replace(each, former=each.former | {person}) if each.settled or each.paid else each

    current = over(table.round) if table.round is not None else None
    last = over(table.last) if table.last is not None else None
    past, previous = tuple(map(over, table.past)), tuple(map(over, table.previous))
    return replace(table, round=current, last=last, past=past, previous=previous)


def _player_joined(table: Table, event: e.PlayerJoined) -> Table:
    person = Person(event.person, "", event.box, event.seated)
    balances = moved(table.balances, event.transfers)
    seats = _seats_of_others(table, event.person) | ({event.box: event.person} if event.seated else {})
    return later(table, people=table.people | {event.person: person}, seats=seats, balances=balances)


def _walked_away(table: Table, event: e.WalkedAway) -> Table:
    return later(table, round=forgone_by(table, {event.person}), absent=table.absent | {event.person})


def _came_back(table: Table, event: e.CameBack) -> Table:
    return later(table, absent=table.absent - {event.person})


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.StaffSignedOn: _staff_signed_on,
    e.StaffSignedOff: _gone,
    e.PlayerJoined: _player_joined,
    e.PlayerLeft: _gone,
    e.WalkedAway: _walked_away,
    e.CameBack: _came_back,
}
