"""Calls of a supervisor to a table, which the pit is shown until somebody clears them."""

from __future__ import annotations

import threading

import msgspec

from puntobanco.floor.office import SYSTEM, Entry, FloorError, Office
from puntobanco.floor.wire import CallSeen


class Called(msgspec.Struct, frozen=True):
    """A call as it is kept, by the table's name."""

    by: str
    why: str
    at: int


class Calls:
    """Who was called where; the floor's log has when and by whom, and who cleared it."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._calls = office.shelf("call", Called)
        self._guard = threading.Lock()

    def call(self, actor: str, now: int, table: str, why: str) -> None:
        """Call once more changes nothing: the first call stands, but for one that the floor itself has flagged.

        Otherwise somebody about to be flagged could call first, and clear that call afterwards.
        """
        with self._guard:
            before = self._calls.get(table)
            if before is not None and (actor != SYSTEM or before.by == SYSTEM):
                return
            called = Called(actor, why.strip(), before.at if before else now)
            entry = Entry("supervisor called", table, before.why if before else "", why=called.why)
            self._office.record(now, actor, entry, lambda: (self._calls.document(table, called),))

    def clear(self, actor: str, now: int, table: str, *, pit: bool = True) -> None:
        """By anybody on the staff; what the floor itself has flagged, by the pit."""
        with self._guard:
            called = self._calls.get(table)
            if called is None:
                raise FloorError("not_found", f"nobody was called to table {table}")
            if called.by == SYSTEM and not pit:
                raise FloorError("role", "what the floor has flagged is for the pit to look at")
            entry = Entry("call cleared", table, f"called by {called.by}", why=called.why)
            self._office.record(now, actor, entry, gone=(("call", table),))

    def all(self) -> list[CallSeen]:
        """The longest wait first."""
        found = (CallSeen(table, each.by, each.why, each.at) for table, each in self._calls.all().items())
        return sorted(found, key=lambda call: (call.at, call.table))
