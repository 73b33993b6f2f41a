"""A table's event log as JSON Lines: one :class:`Record` a line, versions 1, 2, 3 and so on.

A log out of a store has hashes in its lines, and checkpoints between them (docs/record.md); both are passed over here.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import get_args

import msgspec

from puntobanco.rules.load import find_book
from puntobanco.rules.model import UnknownName
from puntobanco.table import events as e
from puntobanco.table.cases.remedies import RULINGS
from puntobanco.table.commands import Incidental
from puntobanco.table.engine import FindBook
from puntobanco.table.events import Record
from puntobanco.table.folds import evolve, new_table
from puntobanco.table.settings import SettingsError
from puntobanco.table.state import Table

LATEST = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp()) * 1000


BESIDE = (b'{"checkpoint":', b'{"reveal":')
"""How lines begin that stand between the events of a log out of a store."""


class LogError(ValueError):
    """A line that is no event of a table's log, or none that can stand there."""

    def __init__(self, number: int, message: str, source: str = "") -> None:
        super().__init__(f"{source}:{number}: {message}" if source else f"line {number}: {message}")
        self.number = number


class ImpossibleError(LogError):
    """An event of a log that can be read, but that no table has written: it cannot be, or not where it stands."""


CANNOT_BE = (ArithmeticError, AssertionError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
"""What ``evolve`` and the rules raise for an event that cannot follow those before it."""
_FAMILIES = frozenset({*RULINGS, *get_args(Incidental)})
"""What can go wrong, by the names that events have for it."""
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Record)


def format_log(records: Iterable[Record]) -> bytes:
    return b"".join(_ENCODER.encode(record) + b"\n" for record in records)


def parse_log(data: bytes, source: str = "") -> tuple[Record, ...]:
    """Read a log. Raises :class:`LogError` at the first line that is no record, or out of order."""
    records: list[Record] = []
    for number, line in enumerate(data.splitlines(), 1):
        if line.startswith(BESIDE):
            continue
        try:
            record = _DECODER.decode(line)
        except (msgspec.DecodeError, ValueError) as error:
            raise LogError(number, f"this is no event: {error}", source) from error
        if record.version != len(records) + 1:
            raise LogError(number, f"version {record.version} where {len(records) + 1} belongs", source)
        if not 0 <= record.at <= LATEST:
            raise LogError(number, f"{record.at} is no time in milliseconds since 1970", source)
        records.append(record)
    if not records:
        raise LogError(1, "the log is empty", source)
    return tuple(records)


def fold_log(records: Iterable[Record], books: FindBook = find_book, source: str = "") -> Table:
    """The table after the whole log. Raises :class:`LogError` at an event that cannot follow those before it."""
    table: Table | None = None
    for number, record in enumerate(records, 1):
        table = next_table(table, record.event, books, number, source)
    assert table is not None
    return table


def next_table(table: Table | None, event: e.Event, books: FindBook, number: int, source: str = "") -> Table:
    """The table one event later; ``number`` is the event's line, for the message where that cannot be."""
    if table is None:
        if not isinstance(event, e.TableOpened):
            raise LogError(number, "a log begins with the table's opening", source)
        try:
            return new_table(event, books(event.settings.game))
        except (SettingsError, UnknownName) as error:
            raise LogError(number, str(error), source) from error
    tag = event.__struct_config__.tag
    if unknown := _unknown(table, event):
        raise ImpossibleError(number, f"{tag} cannot be: {unknown}", source)
    try:
        return evolve(table, event)
    except CANNOT_BE as error:
        raise ImpossibleError(number, f"{tag} cannot follow what came before", source) from error


def _unknown(table: Table, event: e.Event) -> str:
    """The name in an event that stands for nothing; the rules would stumble over it only later."""
    if isinstance(event, e.WagersPlaced):
        found = event.wagers.keys() - table.layout.bets
        return f"there is no bet {min(found)!r} at this table" if found else ""
    if isinstance(event, e.BetFound) and event.bet not in table.layout.bets:
        return f"there is no bet {event.bet!r} at this table"
    if isinstance(event, e.IncidentOpened | e.Noted) and event.family not in _FAMILIES:
        return f"there is no irregularity {event.family!r}"
    return ""
