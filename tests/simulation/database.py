"""A database server for several simulated processes, as PostgreSQL is one: it outlives them, goes away and comes back.

Its rows are those of :class:`puntobanco.store.memory.MemoryStore`, which keeps the same contract as the real stores. A
session adds what lies between a process and a server: time, lost connections, claims that end with a session, and
listeners that are told later. A commit whose answer is lost has happened or not; nobody is told which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from tests.simulation import threads
from tests.simulation.threads import Future, Owner

from puntobanco.store.base import (
    ANYTHING,
    Append,
    Document,
    Fault,
    Heard,
    Note,
    Posting,
    Row,
    StoreError,
    UnavailableError,
)
from puntobanco.store.memory import MemoryStore

WRITES = ("append", "post", "set_fault", "clear_fault", "keep", "forget", "drop")


class Database:
    """What is on the server."""

    def __init__(self, chance: Random) -> None:
        self.rows = MemoryStore()
        self.rows.listen(lambda name: None)  # so that the thread of those who listen is no process's
        self.up = True
        self.sessions: list[Session] = []
        self.claims: dict[str, Session] = {}
        self.chance = chance
        self.lose = 0.0
        """The chance that the answer to a call is lost."""

    def go(self) -> None:
        """The server has gone, and with it every connection."""
        self.up = False
        for session in self.sessions:
            session.cut()

    def come_back(self) -> None:
        self.up = True

    def ended(self, process: Owner) -> None:
        """A process has ended, and its connections with it."""
        for session in [each for each in self.sessions if each.owner is process]:
            session.cut()
            self.sessions.remove(session)


class Session:
    """The store as one process has it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._rows = database.rows
        self.owner = threads.owner()
        self._heard: list[Heard] = []
        self._closed = False
        self._first_alone: bool | None = None
        self.in_flight: dict[str, Append] = {}
        self.before: Callable[[str], None] = lambda call: None
        database.sessions.append(self)
        self._deaf = self._rows.listen(self._hears)

    def cut(self) -> None:
        """The connections are lost: claims end, and something may have been missed."""
        for name in [name for name, holder in self._database.claims.items() if holder is self]:
            del self._database.claims[name]
        for heard in self._heard:
            self._tell(heard, ANYTHING)

    def _hears(self, name: str) -> None:
        if self._database.up:
            for heard in tuple(self._heard):
                self._tell(heard, name)

    def _tell(self, heard: Heard, name: str) -> None:
        owner = self.owner
        if owner is not None and not owner.dead:
            owner.context().run(threads.spawn, lambda: heard(name), "listener")

    def _call(self, name: str, *arguments: Any, **named: Any) -> Any:
        """Something asked of the server: it takes time, and the connection may be lost before it or after."""
        threads.pause()
        if self._closed or not self._database.up:
            raise UnavailableError("the database is gone")
        self.before(name)
        chance, lose = self._database.chance, self._database.lose
        if lose and chance.random() < lose:
            raise UnavailableError("the connection to the database was lost")
        found = getattr(self._rows, name)(*arguments, **named)
        if lose and chance.random() < lose:
            raise UnavailableError("the connection to the database was lost")
        self.before(f"{name} done")
        threads.pause()
        return found

    def submit(self, append: Append) -> Future[None]:
        future: Future[None] = Future()
        self.in_flight[append.command] = append

        def work() -> None:
            try:
                self._call("append", append)
            except StoreError as error:
                future.set_exception(error)
            else:
                future.set_result(None)
            self.in_flight.pop(append.command, None)

        if append.follows:
            # in the order they came, as the writer's queue has it
            previous, self._last = self._last, future

            def after() -> None:
                previous.exception()
                work()

            threads.spawn(after, "writer")
        else:
            self._last = future
            threads.spawn(work, "writer")
        return future

    _last: Future[None]

    def append(self, append: Append) -> None:
        self.submit(append).result()

    def entries(self, table: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
        yield from list(self._call("entries", table, after))

    def load(self, table: str, after: int = 0) -> Iterator[bytes]:
        return (line for _, line in self.entries(table, after))

    def beside(self, table: str, after: int = 0) -> Iterator[Any]:
        yield from list(self._call("beside", table, after))

    def version(self, table: str) -> int:
        return int(self._call("version", table))

    def tables(self) -> dict[str, int]:
        return dict(self._call("tables"))

    def answered(self, table: str, command: str) -> tuple[int, int] | None:
        found: tuple[int, int] | None = self._call("answered", table, command)
        return found

    def post(self, posting: Posting, note: Note | None = None) -> int:
        return int(self._call("post", posting, note))

    def accounts(self) -> dict[str, dict[str, int]]:
        return dict(self._call("accounts"))

    def balances(self, account: str) -> dict[str, int]:
        return dict(self._call("balances", account))

    def balance(self, account: str, currency: str) -> int:
        return int(self._call("balance", account, currency))

    def set_fault(self, fault: Fault) -> None:
        self._call("set_fault", fault)

    def clear_fault(self, table: str) -> None:
        self._call("clear_fault", table)

    def faults(self) -> dict[str, Fault]:
        return dict(self._call("faults"))

    def document(self, kind: str, key: str) -> Document | None:
        found: Document | None = self._call("document", kind, key)
        return found

    def documents(self, kind: str) -> dict[str, Document]:
        return dict(self._call("documents", kind))

    def keep(self, *documents: Document) -> None:
        self._call("keep", *documents)

    def forget(self, kind: str, key: str) -> None:
        self._call("forget", kind, key)

    def listen(self, heard: Heard, *, own: bool = True) -> Callable[[], None]:
        """Whatever ``own`` says: a process may hear of what it has written itself."""
        self._heard.append(heard)
        return lambda: self._heard.remove(heard)

    def claim(self, name: str) -> bool:
        threads.pause()
        return not self._closed and self._database.up and self._database.claims.setdefault(name, self) is self

    def release(self, name: str) -> None:
        if self._database.claims.get(name) is self:
            del self._database.claims[name]

    def alone(self) -> bool:
        if self._first_alone is None:
            self._first_alone = not any(
                each is not self and each.owner is not None and not each.owner.dead for each in self._database.sessions
            )
        return self._first_alone

    @property
    def retention(self) -> int:
        return self._rows.retention

    @retention.setter
    def retention(self, days: int) -> None:
        self._rows.retention = days

    def drop(self, table: str, now: int) -> None:
        self._call("drop", table, now)

    @contextmanager
    def rows(self) -> Iterator[Iterator[tuple[str, Row]]]:
        threads.pause()
        if not self._database.up:
            raise UnavailableError("the database is gone")
        with self._rows.rows() as rows:
            yield iter(list(rows))

    def fill(self, rows: Iterable[tuple[str, Row]]) -> None:
        self._rows.fill(rows)

    def close(self) -> None:
        self._closed = True
        self._deaf()
        self.cut()
