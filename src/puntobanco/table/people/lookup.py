"""Finding people, boxes and bets of a table, or refusing where there are none."""

from __future__ import annotations

from puntobanco.insurance import BOXES
from puntobanco.table.people.state import Person
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table


def find_player(table: Table, name: str) -> Person:
    """A player who is at the table."""
    person = table.people.get(name)
    if person is None:
        raise Refused("unknown_person", person=name)
    if person.staff:
        raise Refused("rank.staff", table.book.deals.paragraph, person=name)
    return person


def check_box(table: Table, box: int) -> None:
    """Refuse a box that the table does not have."""
    if box not in table.boxes:
        raise Refused("box.unknown", table.layout.paragraph, box=box, boxes=list(table.boxes))


def check_bet(table: Table, bet: str) -> None:
    """Refuse a bet that the layout does not carry; insurance is one where it is offered."""
    layout = table.layout
    if bet not in layout.bets and not (layout.insurance and bet in BOXES):
        raise Refused("unknown_bet", layout.paragraph, layout=layout.code, bet=bet)
