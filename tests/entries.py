"""Logs for tests that only care about events: each under a command that stands for the one that was given."""

from __future__ import annotations

from collections.abc import Iterable

from puntobanco.table.commands import HOUSE, Call, Command
from puntobanco.table.entry import Entry
from puntobanco.table.events import Event


def as_entries(events: Iterable[Event], at: int = 0, actor: str = HOUSE) -> tuple[Entry, ...]:
    """An entry for each event."""
    return tuple(
        Entry(version, Command(f"c{version}", actor, at, Call()), HOUSE, (event,))  # type: ignore[arg-type]
        for version, event in enumerate(events, 1)
    )
