"""Connections to PostgreSQL that stay open: one that listens, one whose end is the end of all claims."""

from __future__ import annotations

import os
import selectors
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from puntobanco.store.base import ANYTHING, FAULTS, UnavailableError, number_of
from puntobanco.store.listeners import Listeners

Connection = psycopg.Connection[Any]
Connect = Callable[[], Connection]

LOST = (psycopg.OperationalError, psycopg.InterfaceError)
PROBE = 5.0
"""Seconds of silence after which a line is tried."""
PAUSE = 0.2
"""Seconds between two attempts to get a line back."""
_CHANNEL = "select 'puntobanco_' || md5(current_schema())"
_ALONE = """
    select case when pg_try_advisory_lock(%(key)s)
        then case when pg_try_advisory_lock_shared(%(key)s) then pg_advisory_unlock(%(key)s) end
        else false end
"""
"""Takes a lock alone, then with others, in one statement, so that nobody finds it taken alone for long."""


class Line:
    """Hears what any process writes, and tells it on; a line that was lost is made again, and anything may be new."""

    def __init__(self, connect: Connect, listeners: Listeners, writing: Callable[[], int]) -> None:
        self._connect = connect
        self._listeners = listeners
        self._writing = writing
        """The session that appends for this process."""
        self._waked, self._wake = os.pipe()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(self._open(),), name="listening", daemon=True)
        self._thread.start()

    def _open(self) -> Connection:
        connection = self._connect()
        try:
            ((channel,),) = connection.execute(_CHANNEL).fetchall()
            connection.execute(f"listen {channel}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _run(self, connection: Connection) -> None:
        while True:
            with suppress(*LOST), connection:
                self._follow(connection)
            while not self._closed.is_set():
                try:
                    connection = self._open()
                    break
                except (UnavailableError, *LOST):
                    self._closed.wait(PAUSE)
            else:
                return
            self._listeners.tell([ANYTHING])

    def _follow(self, connection: Connection) -> None:
        with selectors.DefaultSelector() as news:
            for file in (connection.fileno(), self._waked):
                news.register(file, selectors.EVENT_READ)
            while not self._closed.is_set():
                notices, writing = list(connection.notifies(timeout=0)), self._writing()
                own = [notice.payload for notice in notices if notice.pid == writing and _is_log(notice.payload)]
                self._listeners.tell_own(own)
                if others := [each.payload for each in notices if each.pid != writing or not _is_log(each.payload)]:
                    self._listeners.tell(others)
                if not news.select(PROBE):
                    connection.execute("select 1")

    def close(self) -> None:
        self._closed.set()
        os.write(self._wake, b".")
        self._thread.join()
        os.close(self._wake)
        os.close(self._waked)


def _is_log(name: str) -> bool:
    return name not in (ANYTHING, FAULTS) and not name.startswith("documents:")


class Claims:
    """Names held by a session of the database. Whenever one is asked for, the session is asked whether it lives."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._schema = ""
        self._claimed: set[str] = set()
        self._alone: bool | None = None
        self._closed = False

    def claim(self, name: str) -> bool:
        with self._lock:
            for _ in range(2):  # on the session there is, and where that is gone on a new one
                with suppress(UnavailableError), self._session() as session:
                    if name in self._claimed:
                        session.execute("select 1")
                    elif self._ask(session, "select pg_try_advisory_lock(%(key)s)", "claim", name):
                        self._claimed.add(name)
                    return name in self._claimed
            return False

    def release(self, name: str) -> None:
        with self._lock, suppress(UnavailableError):
            if name in self._claimed:
                with self._session() as session:
                    self._claimed.discard(name)
                    self._ask(session, "select pg_advisory_unlock(%(key)s)", "claim", name)

    def alone(self) -> bool:
        with self._lock:
            if self._alone is None:
                with self._session() as session:
                    alone = self._ask(session, _ALONE, "members")
                    if not alone:
                        self._join(session)
                    self._alone = alone
            return self._alone

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._hang_up()

    @contextmanager
    def _session(self) -> Iterator[Connection]:
        """The session that holds everything; with it everything is lost."""
        if self._closed:
            raise UnavailableError("the store is closed")
        try:
            if self._connection is None:
                self._connection = self._connect()
                self._connection.execute("set idle_session_timeout = 0")
                # the claims of a machine that vanished are free after 20 seconds
                for setting, seconds in (("idle", 5), ("interval", 5), ("count", 3)):
                    self._connection.execute(f"set tcp_keepalives_{setting} = {seconds}")
                ((self._schema,),) = self._connection.execute("select current_schema()").fetchall()
                if self._alone is not None:
                    self._join(self._connection)
            yield self._connection
        except LOST as error:
            self._hang_up()
            raise UnavailableError("the session that holds claims was lost") from error

    def _join(self, session: Connection) -> None:
        self._ask(session, "select pg_advisory_lock_shared(%(key)s)", "members")

    def _ask(self, session: Connection, query: str, *names: str) -> bool:
        ((answer,),) = session.execute(query, {"key": number_of(self._schema, *names)}).fetchall()
        return bool(answer)

    def _hang_up(self) -> None:
        self._claimed.clear()
        if self._connection is not None:
            with suppress(Exception):
                self._connection.close()
            self._connection = None
