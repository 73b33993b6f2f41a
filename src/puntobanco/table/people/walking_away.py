"""Players who walk away from their bets, and are back."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table


def walk_away(table: Table, command: Command, body: c.WalkAway) -> Sequence[e.Event]:
    """The bets stay and are settled; insurance is forgone (tiger-buffalo 5.3). If asked, the player goes on (H)."""
    current = table.round
    person = find_player(table, body.person)
    if person.id in table.absent:
        raise Refused("already_there.away", person=person.id)
    squeezes = current is not None and any(
        squeeze.person == person.id and squeeze.granted for squeeze in current.squeezes
    )
    opened_by_dealer = table.irregularities.squeeze_absent.rule if squeezes else ""
    # where the book is silent nothing is to be decided: the bets stand
    paragraph = table.irregularities.walk_away.rule or opened_by_dealer
    gone = e.WalkedAway(person.id, paragraph)
    if current is not None and current.options is not None and person.id in current.options.waiting:
        goes_on = table.irregularities.walk_away.rule or current.options.go_on
        return (gone, e.OptionTaken(person.id, True, goes_on))
    return (gone,)


def come_back(table: Table, command: Command, body: c.ComeBack) -> Sequence[e.Event]:
    """A player who had walked away is back."""
    if body.person not in table.absent:
        raise Refused("unknown_person.not_away", person=body.person)
    return (e.CameBack(body.person),)
