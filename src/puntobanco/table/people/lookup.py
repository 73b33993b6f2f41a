"""Finding people and boxes of a table, or refusing where there are none."""

from __future__ import annotations

from puntobanco.table.people.state import Person
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table


def find_player(table: Table, name: str) -> Person:
    """A player who is at the table."""
    person = table.people.get(name)
    if person is None:
        raise Refused("unknown_person", f"{name} is not at the table")
    if person.staff:
        raise Refused("rank", f"{name} works here and does not play", table.book.deals.paragraph)
    return person


def check_box(table: Table, box: int) -> None:
    if box not in table.boxes:
        printed = ", ".join(map(str, table.boxes))
        raise Refused("box", f"there is no box {box}: the table has {printed}", table.layout.paragraph)
