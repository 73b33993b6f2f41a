"""An entry of a table's log: a command, the rank of the person who gave it, and the events it led to.

Events are numbered through the whole log: an entry of three events at version 7 holds 7, 8 and 9, and the next one
begins at 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from puntobanco.rules.model import NO_RANK
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.events import AnyEvent, Event, Record
from puntobanco.table.state import Table


class Entry(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What was asked or reported, and what came of it."""

    version: int
    """That of the first event."""
    command: Command
    rank: str
    """The actor's, as the table knew it at that moment; ``house`` for the House's own system."""
    events: tuple[AnyEvent, ...]

    @property
    def last(self) -> int:
        """The version of the last event."""
        return self.version + len(self.events) - 1

    @property
    def records(self) -> tuple[Record, ...]:
        """Its events one by one, each with its version and where it comes from."""
        given = self.command
        return tuple(
            Record(version, given.at, given.actor, given.id, event)
            for version, event in enumerate(self.events, self.version)
        )


def make_entry(table: Table | None, command: Command, events: Sequence[Event]) -> Entry:
    """What a command led to at a table, which is as before it; None before its opening."""
    version = table.version + 1 if table is not None else 1
    return Entry(version, command, rank_at(table, command.actor), tuple(events))  # type: ignore[arg-type]


def rank_at(table: Table | None, actor: str) -> str:
    """The rank with which somebody acts now."""
    if actor == HOUSE:
        return HOUSE
    return (table.rank_of(actor) if table is not None else NO_RANK).code


def records_of(entries: Iterable[Entry]) -> tuple[Record, ...]:
    """All events of a log."""
    return tuple(record for entry in entries for record in entry.records)
