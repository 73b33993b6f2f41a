"""Bugs to put in on purpose, so that it shows that the simulation finds such bugs, and how fast."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import wraps
from typing import Any, NamedTuple

import apsw
import msgspec

from puntobanco.floor.host import Clock, Mailbox
from puntobanco.floor.office import Office
from puntobanco.floor.stream import _Watching
from puntobanco.store.base import UnavailableError
from puntobanco.store.chain import encode
from puntobanco.store.held import Recent
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.witness import End, EndLine, Ends, Witness
from puntobanco.table.bets import placing
from puntobanco.views.difference import difference


class Bug(NamedTuple):
    about: str
    put_in: Callable[[], AbstractContextManager[None]]
    processes: int = 0
    """How many processes a floor has to have for it; 0 leaves that to the seed."""


BUGS: dict[str, Bug] = {}


def bug(name: str, about: str, processes: int = 0) -> Callable[[Callable[[], Iterator[None]]], None]:
    def add(work: Callable[[], Iterator[None]]) -> None:
        BUGS[name] = Bug(about, contextmanager(work), processes)

    return add


@contextmanager
def _in_place_of(where: Any, name: str, made: Callable[[Any], Any]) -> Iterator[None]:
    real = getattr(where, name)
    setattr(where, name, wraps(real)(made(real)) if callable(real) else made(real))
    try:
        yield
    finally:
        setattr(where, name, real)


@bug("early-acknowledgement", "an answer is given before the transaction is on the disk", 1)
def _early() -> Iterator[None]:
    def made(real: Any) -> Any:
        def write(self: SqliteStore, jobs: Any) -> None:
            from tests.simulation import threads

            connection = self._writer
            assert connection is not None
            done: list[Any] = []
            try:
                connection.execute("begin immediate")
                for work, future, _ in jobs:
                    connection.execute("savepoint job")
                    try:
                        done.append((future, work(connection), None))
                    except (apsw.Error, OSError):
                        raise
                    except Exception as error:
                        connection.execute("rollback to job")
                        done.append((future, None, error))
                    connection.execute("release job")
                for future, result, problem in done:
                    future.set_result(result) if problem is None else future.set_exception(problem)
                threads.pause(0.01)
                connection.execute("commit")
                self._listeners.tell(name for _, _, heard in jobs for name in heard)
            except (apsw.Error, OSError) as error:
                if connection.in_transaction:
                    connection.execute("rollback")
                for _, future, _ in jobs:
                    if not future.done():
                        future.set_exception(UnavailableError(str(error)))

        return write

    with _in_place_of(SqliteStore, "_write", made):
        yield


@bug("witness-not-synced", "the witness file is written and not synced", 1)
def _witness() -> Iterator[None]:
    def made(real: Any) -> Any:
        def see_all(self: Witness, lines: Any) -> None:
            with self._lock, self._path.open("ab") as file:
                file.write(b"".join(line + b"\n" for line in lines))

        return see_all

    with _in_place_of(Witness, "see_all", made):
        yield


@bug("end-not-synced", "how far a log goes is written and not synced", 1)
def _end() -> Iterator[None]:
    def made(real: Any) -> Any:
        def see(self: Ends, end: End) -> None:
            with self._lock, self._path.open("ab") as file:
                file.write(encode(EndLine(end)) + b"\n")

        return see

    with _in_place_of(Ends, "see", made):
        yield


@bug("synchronous-lowered", "SQLite waits for its disk at checkpoints only", 1)
def _synchronous() -> Iterator[None]:
    def made(real: Any) -> Any:
        def connect(self: SqliteStore, flags: int) -> apsw.Connection:
            connection: apsw.Connection = real(self, flags)
            connection.execute("pragma synchronous = normal").fetchall()
            return connection

        return connect

    with _in_place_of(SqliteStore, "_connect", made):
        yield


@bug("queue-forgotten", "a mailbox that hears of another process forgets what waits in it", 2)
def _queue() -> Iterator[None]:
    def made(real: Any) -> Any:
        def look(self: Mailbox) -> None:
            while not self._queue.empty():
                self._queue.get_nowait()
            self._to_look = False
            real(self)

        return look

    with _in_place_of(Mailbox, "look", made):
        yield


@bug("version-skipped", "a stream leaves out the first of three events that come together")
def _skipped() -> Iterator[None]:
    def made(real: Any) -> Any:
        def happened(self: _Watching, table: Any, records: Any) -> None:
            if len(records) >= 3 and self.live:
                self.version = records[0].version
            real(self, table, records)

        return happened

    with _in_place_of(_Watching, "happened", made):
        yield


@bug("face-down-shown", "a player's view shows the cards that lie face down, as far as the table has read them")
def _face_down() -> Iterator[None]:
    from puntobanco.floor import stream

    def made(real: Any) -> Any:
        def look(common: Any, viewer: Any, memory: Any = None) -> Any:
            found, table = real(common, viewer, memory), common.table
            seen = found.public.round
            if viewer.kind != "player" or seen is None or table.round is None:
                return found
            cards = tuple(
                msgspec.structs.replace(each, card=each.card or drawn.card)
                for each, drawn in zip(seen.cards, table.round.cards, strict=True)
            )
            public = msgspec.structs.replace(found.public, round=msgspec.structs.replace(seen, cards=cards))
            return msgspec.structs.replace(found, public=public)

        return look

    def changes(real: Any) -> Any:
        return lambda common, before, after: difference(before, after, without=("version", "now"))

    with _in_place_of(stream, "look", made), _in_place_of(stream, "since", changes):
        yield


@bug("double-effect", "neither process nor store remembers the ids of commands")
def _double() -> Iterator[None]:
    from puntobanco.store import memory, sqlite

    def forgetful(real: Any) -> Any:
        def append(connection: Any, append: Any) -> None:
            connection.execute("drop index if exists entries_by_command")
            again = msgspec.structs.replace(append)
            number = sqlite._rows(connection, "select count(*) from entries")[0][0]
            real(connection, msgspec.structs.replace(again, command=f"{append.command} {number}", follows=""))

        return append

    def in_memory(real: Any) -> Any:
        def append(self: Any, append: Any) -> None:
            number = sum(map(len, self._entries.values()))
            real(self, msgspec.structs.replace(append, command=f"{append.command} {number}", follows=""))

        return append

    with (
        _in_place_of(Recent, "__setitem__", lambda real: lambda self, key, value: None),
        _in_place_of(sqlite, "_append", forgetful),
        _in_place_of(memory.MemoryStore, "append", in_memory),
    ):
        yield


@bug("late-bet", "an electronic table takes a bet a moment after the close")
def _late() -> Iterator[None]:
    def made(real: Any) -> Any:
        return lambda table, now: real(table, now - 300)

    with _in_place_of(placing, "_betting", made):
        yield


@bug("posting-without-entry", "money is posted to an account, and the floor's log does not say so")
def _posting() -> Iterator[None]:
    def made(real: Any) -> Any:
        def post(self: Office, now: int, actor: str, name: str, id: str, amount: int, currency: str) -> int:
            from puntobanco.store.base import Posting

            if actor == "setup" or amount > 0:
                return int(real(self, now, actor, name, id, amount, currency))
            return self.store.post(Posting(f"{name}:{id}", name, currency, amount, now))

        return post

    with _in_place_of(Office, "post", made):
        yield


@bug("clock-back", "the floor's clock goes back with the computer's")
def _clock() -> Iterator[None]:
    with _in_place_of(Clock, "__call__", lambda real: lambda self: int(self._now() * 1000)):
        yield
