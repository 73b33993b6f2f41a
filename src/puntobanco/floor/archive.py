"""What has happened at a table so far: which rounds there were, the table as it was at any moment, figures for reports.

Everything is read from the record, once, and read on when somebody asks. Tables never change, so that keeping one of
every few rounds costs little, and any moment is a short fold away.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from itertools import takewhile

import msgspec
from msgspec.structs import replace

from puntobanco.coup import Coup
from puntobanco.floor.office import FloorError
from puntobanco.reports import Gatherer, TableReport, report_so_far
from puntobanco.script.log import next_tables
from puntobanco.store.keeper import Keeper
from puntobanco.table import events as e
from puntobanco.table.events import Record
from puntobanco.table.state import Table
from puntobanco.views.view import View, Viewer, past_view

KEEP = 200
"""Events between two tables that are kept, at least."""
LONGEST = 300
"""Views in one replay."""


class RoundEntry(msgspec.Struct, frozen=True):
    """A round in the index. Its events are those from ``first`` to ``last``; a round that goes on has no end yet."""

    shoe: int
    round: int
    first: int
    last: int
    at: int
    result: str = ""
    voided: bool = False
    free: bool = False
    matters: int = 0
    """Incidents, rulings and corrections in it."""


class Lasted(msgspec.Struct, frozen=True):
    """An incident from its opening until it was closed."""

    family: str
    at: int
    milliseconds: int


class Archive:
    """One table's past."""

    def __init__(self, keeper: Keeper, name: str) -> None:
        self.name = name
        self._keeper = keeper
        self._guard = threading.Lock()
        self._gatherer = Gatherer(keeper.books)
        self._table: Table | None = None
        self._kept: list[tuple[int, Table | None]] = []
        """Entries by their versions, each with the table before it."""
        self._rounds: list[RoundEntry] = []
        self._waiting: dict[int, tuple[str, int]] = {}
        """Incidents that are open: of which family, and since when."""
        self._lasted: list[Lasted] = []

    def _read_on(self) -> None:
        version = self._table.version if self._table is not None else 0
        for entry in self._keeper.entries(self.name, version):
            self._gatherer.read(entry)
            if not self._kept or entry.version - self._kept[-1][0] >= KEEP:
                self._kept.append((entry.version, self._table))
            tables = next_tables(self._table, entry, self._keeper.books)
            for record, table in zip(entry.records, tables, strict=True):
                self._index(table, record)
            self._table = tables[-1]

    def _time(self, table: Table, record: Record) -> None:
        """How long each incident held up the table."""
        if isinstance(record.event, e.IncidentOpened):
            self._waiting[record.event.number] = record.event.family, record.at
        for number in self._waiting.keys() - table.incidents.keys():
            family, since = self._waiting.pop(number)
            self._lasted.append(Lasted(family, since, record.at - since))

    def _index(self, table: Table, record: Record) -> None:
        event, rounds = record.event, self._rounds
        if self._waiting or isinstance(event, e.IncidentOpened):
            self._time(table, record)
        match event:
            case e.RoundCalled() | e.FreeHandCalled():
                free = isinstance(event, e.FreeHandCalled)
                if rounds and rounds[-1].round == event.number:
                    rounds[-1] = replace(rounds[-1], free=free)
                else:
                    entry = RoundEntry(table.shoe.number, event.number, record.version, record.version, record.at)
                    rounds.append(replace(entry, free=free))
            case e.IncidentOpened() | e.RulingGiven() if rounds:
                rounds[-1] = replace(rounds[-1], matters=rounds[-1].matters + 1)
            case e.RoundSettledAgain():
                wanted = table.shoe.number, event.number
                at = next(at for at, entry in enumerate(rounds) if (entry.shoe, entry.round) == wanted)
                result = "" if event.void else _result(Coup.parse(event.coup))
                rounds[at] = replace(rounds[at], result=result, voided=event.void)
        found = table.round or table.last
        if not rounds or found is None or found.number != rounds[-1].round:
            return
        result = _result(found.coup) if found.settled and not found.voided else ""
        rounds[-1] = replace(rounds[-1], last=record.version, result=result, voided=found.voided)

    def rounds(self, shoe: int | None = None) -> list[RoundEntry]:
        """All rounds, or those of one shoe, in order."""
        with self._guard:
            self._read_on()
            return [entry for entry in self._rounds if shoe is None or entry.shoe == shoe]

    def lasted(self, since: int, until: int) -> list[Lasted]:
        """Incidents that were opened since then, those that are open yet among them, and how long each took."""
        with self._guard:
            self._read_on()
            still = (Lasted(family, at, until - at) for family, at in self._waiting.values())
            return [each for each in (*self._lasted, *still) if each.at >= since]

    def report(self, until: int) -> TableReport:
        with self._guard:
            self._read_on()
            return report_so_far(self._gatherer, until)

    def replay(self, viewer: Viewer, first: int, last: int) -> list[View]:
        """The table after each of these events, as somebody may see it; nothing can be done in the past."""
        if not 1 <= first <= last or last - first >= LONGEST:
            raise FloorError("bad_request", f"replay 1 to {LONGEST} events")
        with self._guard:
            self._read_on()
            place = bisect_right(self._kept, first, key=lambda kept: kept[0]) - 1
            if self._table is None or last > self._table.version:
                raise FloorError("not_found", f"table {self.name} has no event {last} yet")
            version, table = self._kept[place]
        views: list[View] = []
        past = self._keeper.entries(self.name, version - 1, last - version + 1)
        for entry in takewhile(lambda entry: entry.version <= last, past):
            tables = next_tables(table, entry, self._keeper.books)
            after = zip(entry.records, tables, strict=True)
            views += [past_view(now, viewer, each.at) for each, now in after if first <= each.version <= last]
            table = tables[-1]
        return views


def _result(coup: Coup) -> str:
    return coup.winner.value if coup.winner else "tie"


class Archives:
    """The past of every table, read when it is first asked for."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._archives: dict[str, Archive] = {}

    def of(self, name: str) -> Archive:
        return self._archives.setdefault(name, Archive(self._keeper, name))
