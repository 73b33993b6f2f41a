"""What a line need not say: who acts, in which box, and the settings that the book knows."""

from __future__ import annotations

from typing import Any

import msgspec

from puntobanco.rules.model import Authority, UnknownName
from puntobanco.script.lines import DAY, After, Clock, Time
from puntobanco.table import commands as c
from puntobanco.table.authority import NEEDS, OWN
from puntobanco.table.commands import HOUSE
from puntobanco.table.decide import FindBook
from puntobanco.table.settings import TableSettings
from puntobanco.table.state import Table


def default_actor(table: Table | None, body: c.Body) -> str:
    """Players for themselves, the House for an electronic shoe, else the first who came of the lowest rank that may."""
    if table is None or isinstance(body, c.OpenTable | c.SignOn):
        return HOUSE
    if table.settings.electronic and isinstance(body, c.Deal | c.Draw | c.PutCard | c.Turn):
        return HOUSE
    if isinstance(body, c.SignOff):
        return body.person
    need = NEEDS[type(body)]
    if need == OWN and not (isinstance(body, c.BuyIn) and body.source == "cash"):
        return str(body.person)  # type: ignore[attr-defined]
    if isinstance(need, str):  # the dealer takes cash; what the book does not cover goes to whom it names
        need = Authority.DEALER if need == OWN else table.book.uncovered.authority
    need = max(need, Authority.DEALER)
    besides = ""
    if isinstance(body, c.SignFill) and body.request in table.fills:
        besides = table.fills[body.request].by
        need = Authority.DEALER if table.rank_of(besides) >= Authority.PIT_SUPERVISOR else Authority.PIT_SUPERVISOR
    elif isinstance(body, c.AnswerSqueeze) and _asked_early(table, body.person):
        need = Authority.PIT_SUPERVISOR
    staff = [person for person in table.people.values() if person.rank >= need and person.id != besides]
    return min(staff, key=lambda person: person.rank).id if staff else HOUSE


def _asked_early(table: Table, person: str) -> bool:
    squeezes = table.round.squeezes if table.round else ()
    return any(asked.early and asked.person == person and asked.granted is None for asked in squeezes)


def own_box(table: Table | None, person: str) -> int:
    found = table.people.get(person) if table else None
    return found.box if found else 0


IN_A_BOX = (c.Place, c.Withdraw, c.Insure, c.FindBet, c.LateChips, c.RuleStake)
"""Commands whose lines need not name the box where it is the person's own."""


def with_box(table: Table | None, body: c.Body) -> c.Body:
    """The command with the person's own box where the line names none."""
    if isinstance(body, IN_A_BOX) and body.box == 0:
        return msgspec.structs.replace(body, box=own_box(table, body.person))
    return body


def without_box(table: Table | None, body: c.Body) -> c.Body:
    """The other way round: the person's own box is left out."""
    if isinstance(body, IN_A_BOX) and body.box == own_box(table, body.person):
        return msgspec.structs.replace(body, box=0)
    return body


def open_table(fields: dict[str, Any], books: FindBook) -> c.OpenTable:
    """The opening with these settings; what they leave out is as the book has it."""
    fields = fields.copy()
    opening = fields.pop("opening_float", {})
    usual: dict[str, Any] = {"table": "t1", "game": "", "layout": "", "positions": 1, "decks": 1}
    try:
        book = books(fields.get("game", ""))
        layout = book.layout(fields.get("layout", next(iter(book.layouts))))
        assert layout is not None
        usual |= {"layout": layout.code, "positions": max(layout.positions), "decks": book.decks.default}
    except UnknownName:
        pass  # the table refuses a game or layout that is not there
    return c.OpenTable(TableSettings(**usual | fields), opening)


def later(clock: int, time: Time | None) -> int:
    """The time of an act, in milliseconds since the epoch, when the clock stood there before."""
    if time is None:
        return clock
    if isinstance(time, After):
        return clock + time.milliseconds
    if isinstance(time, Clock):
        return clock + (time.milliseconds - clock) % DAY
    return time.milliseconds
