"""A table's log as JSON Lines: one :class:`Entry` a line, a command and the events it led to.

A log out of a store has hashes in its lines, and checkpoints between them (docs/record.md); both are passed over here.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import get_args

import msgspec
from msgspec.structs import replace

from puntobanco.rules.load import find_book
from puntobanco.rules.model import UnknownName
from puntobanco.table import events as e
from puntobanco.table.cases.remedies import RULINGS
from puntobanco.table.commands import NOTED, Incidental
from puntobanco.table.engine import ENGINE, FindBook, advance
from puntobanco.table.entry import Entry
from puntobanco.table.folds import evolve
from puntobanco.table.settings import SettingsError
from puntobanco.table.state import Table

LATEST = int(datetime(9999, 1, 1, tzinfo=UTC).timestamp()) * 1000


BESIDE = (b'{"checkpoint":', b'{"reveal":')
"""How lines begin that stand between the entries of a log out of a store."""


class LogError(ValueError):
    """A line that does not belong in a table's log; ``number`` is the line's."""

    def __init__(self, number: int, message: str, source: str = "") -> None:
        super().__init__(f"{source}:{number}: {message}" if source else f"line {number}: {message}")
        self.number = number


class EventError(LogError):
    """An event that cannot be used here; ``number`` is its version."""

    def __init__(self, number: int, message: str, source: str = "") -> None:
        super().__init__(number, message, source)
        self.args = (f"{source}: event {number}: {message}" if source else f"event {number}: {message}",)


class ImpossibleError(EventError):
    """An event of a log that can be read, but that no table has written: it cannot be, or not where it stands."""


CANNOT_BE = (ArithmeticError, AssertionError, AttributeError, LookupError, StopIteration, TypeError, ValueError)
"""What ``evolve`` and the rules raise for an event that cannot follow those before it."""
_FAMILIES = frozenset({*RULINGS, *get_args(Incidental), *NOTED})
"""What can go wrong, by the names that events have for it."""
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Entry)


def format_log(entries: Iterable[Entry]) -> bytes:
    """A log as JSON Lines, which :func:`parse_log` reads back."""
    return b"".join(_ENCODER.encode(entry) + b"\n" for entry in entries)


def parse_log(data: bytes, source: str = "") -> tuple[Entry, ...]:
    """Read a log. Raises :class:`LogError` at the first line that is not an entry, or out of order."""
    entries: list[Entry] = []
    version = 1
    for number, line in enumerate(data.splitlines(), 1):
        if line.startswith(BESIDE):
            continue
        if not entries and (message := other_engine(line)):
            raise LogError(number, message, source)
        try:
            entry = _DECODER.decode(line)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise LogError(number, f"this is not an entry: {error}", source) from error
        if entry.version != version:
            raise LogError(number, f"version {entry.version} where {version} belongs", source)
        if not entry.events:
            raise LogError(number, "a command that led to nothing", source)
        if not 0 <= entry.command.at <= LATEST:
            raise LogError(number, f"{entry.command.at} is not a time in milliseconds since 1970", source)
        version = entry.last + 1
        entries.append(entry)
    if not entries:
        raise LogError(1, "the log is empty", source)
    return tuple(entries)


# --- who made it


class _Opening(msgspec.Struct, frozen=True):
    engine: str = ""


class _First(msgspec.Struct, frozen=True):
    events: tuple[_Opening, ...] = ()


_decode_first = msgspec.json.Decoder(_First).decode


def other_engine(line: bytes) -> str:
    """That the first line of a log was made by another engine, whatever else is in it; nothing where that is not so."""
    try:
        first = _decode_first(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return ""
    made_by = first.events[0].engine if first.events else ""
    if made_by in ("", ENGINE):
        return ""
    return f"engine {made_by} made this log, and this is engine {ENGINE}: another one may decide otherwise"


def other_book(opened: e.TableOpened, books: FindBook) -> str:
    """That the book of a log is not here; nothing where it is."""
    settings = opened.settings
    try:
        book = books(settings.game)
    except UnknownName as error:
        return str(error)
    if settings.book_hash == book.hash:
        return ""
    return (
        f"the book {settings.game} with the hash {settings.book_hash or 'of nothing'} made this log,"
        f" and the one here has {book.hash}"
    )


# --- the table


def fold_log(entries: Iterable[Entry], books: FindBook = find_book, source: str = "") -> Table:
    """The table after the whole log. Raises :class:`LogError` at an event that cannot follow those before it."""
    table: Table | None = None
    for entry in entries:
        table = next_table(table, entry, books, source)
    assert table is not None
    return table


def next_table(table: Table | None, entry: Entry, books: FindBook, source: str = "") -> Table:
    """The table one entry later. Raises :class:`LogError` where that cannot be."""
    if table is None:
        return _opened(entry, books, source)
    for version, event in enumerate(entry.events, entry.version):
        if type(event) in _NAMING and (unknown := _unknown(table, event)):
            raise ImpossibleError(version, f"{tag_of(event)} cannot be: {unknown}", source)
    try:
        return advance(table, entry)
    except CANNOT_BE as error:
        possible = _possible(table, entry)
        message = f"{tag_of(entry.events[possible])} cannot follow what came before"
        raise ImpossibleError(entry.version + possible, message, source) from error


def next_tables(table: Table | None, entry: Entry, books: FindBook, source: str = "") -> list[Table]:
    """The table after each event of an entry."""
    found: list[Table] = []
    last = next_table(table, entry, books, source)
    for event in entry.events[:-1]:
        table = evolve(table, event) if table is not None else _opened(replace(entry, events=(event,)), books, source)
        found.append(table)
    return [*found, last]


def _possible(table: Table, entry: Entry) -> int:
    """How many events of an entry can follow what came before."""
    for place, event in enumerate(entry.events):
        try:
            table = evolve(table, event)
        except CANNOT_BE:
            return place
    return len(entry.events) - 1


def _opened(entry: Entry, books: FindBook, source: str) -> Table:
    opened = entry.events[0]
    if not isinstance(opened, e.TableOpened):
        raise EventError(1, "a log begins with the table's opening", source)
    if message := other_book(opened, books):
        raise EventError(1, message, source)
    try:
        return advance(None, entry, books(opened.settings.game))
    except (SettingsError, UnknownName) as error:
        raise EventError(1, str(error), source) from error


_NAMING = frozenset({e.WagersPlaced, e.BetFound, e.IncidentOpened, e.Noted})
"""Events with names that the rules look up only later."""


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


def tag_of(event: e.Event) -> str:
    """The name of an event in logs."""
    return str(event.__struct_config__.tag)
