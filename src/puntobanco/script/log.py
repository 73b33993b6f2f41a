"""A table's event log as JSON Lines: one :class:`Record` a line, versions 1, 2, 3 and so on.

A log out of a store has hashes in its lines, and checkpoints between them (docs/record.md); both are passed over here.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from puntobanco.rules.load import find_book
from puntobanco.rules.model import UnknownName
from puntobanco.table import events as e
from puntobanco.table.decide import FindBook
from puntobanco.table.events import Record
from puntobanco.table.evolve import evolve, new_table
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


_CANNOT_BE = (ArithmeticError, AssertionError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
"""What ``evolve`` raises for an event that cannot follow those before it."""
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
    try:
        return evolve(table, event)
    except _CANNOT_BE as error:
        tag = event.__struct_config__.tag
        raise LogError(number, f"{tag} cannot follow what came before", source) from error
