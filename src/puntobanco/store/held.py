"""A table in memory as far as its log has been read, and its last entries."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from itertools import takewhile
from typing import NamedTuple

from puntobanco.shoes.commit import CommitmentError
from puntobanco.shoes.history import ShoeHistory, follow
from puntobanco.store.chain import FIRST, Checkpoints
from puntobanco.table import events as e
from puntobanco.table.entry import Entry
from puntobanco.table.state import Table


class Tail:
    """The last entries of a table, one after the other without a gap, for any thread."""

    def __init__(self, length: int) -> None:
        self._entries: deque[Entry] = deque(maxlen=length)
        self._lock = threading.Lock()

    def add(self, entries: Iterable[Entry]) -> None:
        with self._lock:
            self._entries.extend(entries)

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()

    def after(self, version: int) -> tuple[int, list[Entry]]:
        """The version that the tail ends at, 0 if it is empty, and the entries after one as far as they are here."""
        with self._lock:
            last = self._entries[-1].last if self._entries else 0
            found = list(takewhile(lambda entry: entry.last > version, reversed(self._entries)))
        return last, found[::-1]


RECENT = 2_000
"""Commands of a table that are remembered without asking the store; after a restart those of the tail."""


class Recent(dict[str, int]):
    """The latest entries only."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: str, value: int) -> None:
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(iter(self))]


class Place(NamedTuple):
    """Where a held table stands."""

    table: Table | None
    head: str
    shoe: ShoeHistory | None
    lost: str
    mark: tuple[int, str]
    open_at: int


class Step(NamedTuple):
    """A command that was decided and is on its way to the disk."""

    entry: Entry
    before: Place
    table: Table
    head: str
    """The hash of its line."""
    signed: bytes | None
    stored: Future[None]


def covered(table: Table) -> bool:
    """Whether a card lies face down that the log has named: a scanner's or an electronic shoe's."""
    return bool(table.round is not None and table.round.hidden) or any(not each.turned for each in table.carried)


def dealt(table: Table) -> bool:
    """Whether cards lie on it, and the round is not over: whoever has seen them must not undo what was done."""
    return table.round is not None and bool(table.round.cards)


class Held:
    """A table in memory, as far as its log has been read. One command at a time, or several on their way at once."""

    def __init__(self, name: str, tail: int) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.tail = Tail(tail)
        self.unheard: dict[int, bytes] = {}
        """Checkpoints by version that may be stored, though the store did not answer: the witness lacks them."""
        self.end = 0
        """The latest version that was witnessed while cards lay on the table."""
        self.forget()

    def forget(self) -> None:
        """Start over from the log at the next occasion."""
        self.table: Table | None = None
        self.open_at = 0
        """The last version of the log after which no card lay face down."""
        self.shoe: ShoeHistory | None = None
        """What the log tells of an electronic table's shoe."""
        self.lost = ""
        """Why that cannot be told any more, until the next shoe."""
        self.head = FIRST
        self.commands = Recent(RECENT)
        """The latest commands, each with the first version that it led to; earlier ones the store remembers."""
        self.checkpoints = Checkpoints(self.name)
        self.tail.clear()
        self.read = False
        self.last_at = 0
        """When the last command was given, as far as is known: no record is before an earlier one."""

    @property
    def version(self) -> int:
        return self.table.version if self.table is not None else 0

    @property
    def place(self) -> Place:
        return Place(self.table, self.head, self.shoe, self.lost, self.checkpoints.mark(), self.open_at)

    def back_to(self, steps: Sequence[Step]) -> None:
        """Undo steps that did not happen, the first of which tells where to go."""
        self.table, self.head, self.shoe, self.lost, mark, self.open_at = steps[0].before
        self.checkpoints.back_to(mark)
        for step in steps:
            self.commands.pop(step.entry.command.id, None)

    def follow(self, event: e.Event) -> None:
        """Note what an event tells of the shoe."""
        if isinstance(event, e.ShoeStarted):
            self.shoe, self.lost = None, ""
        if self.lost:
            return
        try:
            self.shoe = follow(self.shoe, event)
        except CommitmentError as error:
            self.shoe, self.lost = None, str(error)
