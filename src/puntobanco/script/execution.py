"""A logged command carried out again: what the rules make of it, against what the log says came of it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from puntobanco.script.log import tag_of
from puntobanco.table import events as e
from puntobanco.table.engine import Done
from puntobanco.table.entry import Entry, rank_at
from puntobanco.table.refusals import Refusal
from puntobanco.table.state import Table
from puntobanco.words import Terms, worded


class Difference(msgspec.Struct, frozen=True):
    """Where a log is not what the rules make of its commands: the event, or the first and last of several."""

    version: int
    last: int
    message: str


def difference(table: Table | None, entry: Entry, done: Done | Refusal) -> Difference | None:
    """How an entry differs from what came of its command at the table before it."""
    last = max(entry.version, entry.last)
    if isinstance(done, Refusal):
        return Difference(
            entry.version, last, f"the rules refuse this: {done.code}, {worded(done, terms=Terms.of(table))}"
        )
    rank = rank_at(table, entry.command.actor)
    if entry.rank != rank:
        message = f"{entry.command.actor} gave this as {entry.rank or 'nobody'}, but was {rank}"
        return Difference(entry.version, last, message)
    if entry.events == done.events:
        return None
    place, message = _compared(done.events, entry.events)
    return Difference(entry.version + place, entry.version + place, message)


def _compared(ruled: Sequence[e.Event], logged: Sequence[e.Event]) -> tuple[int, str]:
    """The first place where events differ, and how: one is missing, put in, or another one."""
    pairs = zip(ruled, logged, strict=False)
    place = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(ruled), len(logged)))
    if place == len(logged) or ruled[place + 1 :] == logged[place:]:
        return place, f"missing: the rules lead to {tag_of(ruled[place])} here"
    if place == len(ruled) or ruled[place:] == logged[place + 1 :]:
        return place, f"put in: the rules do not lead to {tag_of(logged[place])} here"
    if type(ruled[place]) is not type(logged[place]):
        return place, f"{tag_of(logged[place])}, where the rules lead to {tag_of(ruled[place])}"
    return place, f"altered: the rules lead to another {tag_of(ruled[place])}: {_fields(ruled[place], logged[place])}"


def _fields(ruled: e.Event, logged: e.Event) -> str:
    return "; ".join(
        _values(name, getattr(ruled, name), getattr(logged, name))
        for name in ruled.__struct_fields__
        if getattr(ruled, name) != getattr(logged, name)
    )


def _values(name: str, ruled: object, logged: object) -> str:
    """Both values as the log writes them; of two lists the first place where they differ."""
    if isinstance(ruled, tuple) and isinstance(logged, tuple) and len(ruled) == len(logged):
        place = next(number for number, pair in enumerate(zip(ruled, logged, strict=True)) if pair[0] != pair[1])
        return _values(f"{name} {place + 1}", ruled[place], logged[place])
    return f"{name} {msgspec.json.encode(ruled).decode()}, not {msgspec.json.encode(logged).decode()}"
