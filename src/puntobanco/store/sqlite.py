"""The embedded store: one SQLite file, written by one thread that commits for many at once.

Write-ahead log and ``synchronous=FULL``: a commit has reached the disk before anybody hears of it. Whatever waits when
the writer is free goes into one transaction, each append behind a savepoint, so that one that cannot be leaves its
neighbours alone and all share the one wait for the disk.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import apsw

from puntobanco.store import schema
from puntobanco.store.base import (
    PARTS,
    RETENTION,
    Append,
    Beside,
    ConflictError,
    Fault,
    OverdrawnError,
    Posting,
    RepeatedError,
    Row,
    SchemaError,
    StoreError,
    UnavailableError,
    check_append,
    check_drop,
    check_retention,
    failed,
)
from puntobanco.store.chain import read_line
from puntobanco.store.writer import GroupWriter

T = TypeVar("T")
Job = tuple[Callable[[apsw.Connection], Any], "Future[Any]"]

PAGE = 10_000
"""Rows read at once, so that no reader holds the write-ahead log for long."""
PATIENCE = 10_000
"""Milliseconds to wait for another process that writes."""


class SqliteStore:
    """A store in a file. With ``read_only`` nothing is made, changed or migrated."""

    def __init__(self, path: str | Path, *, read_only: bool = False, vfs: str | None = None) -> None:
        self.path = str(path)
        self._vfs = vfs
        self._readers: list[apsw.Connection] = []
        self._guard = threading.Lock()
        self._writer: apsw.Connection | None = None
        self._jobs: GroupWriter[Job] | None = None
        try:
            if read_only:
                self._check_schema()
            else:
                self._writer = self._connect(apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
                self._migrate(self._writer)
                self._jobs = GroupWriter(f"writer of {self.path}", self._write)
        except BaseException:
            self.close()
            raise

    # --- connections

    def _connect(self, flags: int) -> apsw.Connection:
        try:
            connection = apsw.Connection(self.path, flags=flags, vfs=self._vfs)
            connection.set_busy_timeout(PATIENCE)
            if flags & apsw.SQLITE_OPEN_READWRITE:
                connection.execute("pragma journal_mode = wal; pragma synchronous = full")
            connection.execute("select count(*) from sqlite_schema").fetchall()
        except apsw.NotADBError as error:
            raise SchemaError(f"{self.path} is no SQLite database") from error
        except apsw.Error as error:
            raise UnavailableError(f"{self.path} cannot be opened: {error}") from error
        return connection

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        with self._guard:
            connection = self._readers.pop() if self._readers else None
        connection = connection or self._connect(apsw.SQLITE_OPEN_READONLY)
        try:
            yield connection
        except apsw.Error as error:
            raise UnavailableError(f"{self.path} cannot be read: {error}") from error
        finally:
            with self._guard:
                self._readers.append(connection)

    def _fetch(self, sql: str, *bindings: Any) -> list[Row]:
        with self._reading() as connection:
            return _rows(connection, sql, *bindings)

    def _check_schema(self) -> None:
        with self._reading() as connection:
            had = _migrated(connection)
        if missing := schema.pending("sqlite", had, self.path):
            raise SchemaError(f"{self.path} is no record, or of an earlier version: it lacks {missing[0].name}")

    def _migrate(self, connection: apsw.Connection) -> None:
        execute = connection.execute
        try:
            execute("begin immediate")
            execute(schema.VERSIONS)
            for migration in schema.pending("sqlite", _migrated(connection), self.path):
                execute(migration.sql)
                execute("insert into schema_version values (?, ?)", (migration.number, migration.name))
            execute("commit")
        except apsw.Error as error:
            raise UnavailableError(f"{self.path} cannot be set up: {error}") from error

    # --- the writer

    def _do(self, work: Callable[[apsw.Connection], T]) -> Future[T]:
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        if self._jobs is None:
            raise UnavailableError(f"{self.path} is open for reading only")
        self._jobs.put((work, future))
        return future

    def _change(self, sql: str, *bindings: Any) -> None:
        self._do(lambda connection: _rows(connection, sql, *bindings)).result()

    def _write(self, jobs: list[Job]) -> None:
        """All jobs in one transaction; they hear of it when it is on the disk."""
        connection = self._writer
        assert connection is not None
        done: list[tuple[Future[Any], Any, Exception | None]] = []
        try:
            connection.execute("begin immediate")
            for work, future in jobs:
                connection.execute("savepoint job")
                try:
                    done.append((future, work(connection), None))
                except (apsw.Error, OSError):
                    raise
                except Exception as error:  # that job's own affair
                    connection.execute("rollback to job")
                    done.append((future, None, error))
                connection.execute("release job")
            connection.execute("commit")
        except (apsw.Error, OSError) as error:  # the disk: nobody's work has happened
            with suppress(apsw.Error):
                if connection.in_transaction:
                    connection.execute("rollback")
            for _, future in jobs:
                future.set_exception(UnavailableError(f"{self.path} cannot be written: {error}"))
            return
        for future, result, problem in done:
            if problem is None:
                future.set_result(result)
            else:
                future.set_exception(problem)

    # --- events

    def submit(self, append: Append) -> Future[None]:
        try:
            check_append(append)
            return self._do(lambda connection: _append(connection, append))
        except StoreError as error:
            return failed(error)

    def append(self, append: Append) -> None:
        self.submit(append).result()

    def load(self, table: str, after: int = 0) -> Iterator[bytes]:
        sql = f"select line from events where log = ? and version > ? order by version limit {PAGE}"
        while rows := self._fetch(sql, table, after):
            for (line,) in rows:
                yield line
            after += len(rows)

    def beside(self, table: str, after: int = 0) -> Iterator[Beside]:
        sql = (
            "select version, kind, line from beside where log = ? and (version, kind) > (?, ?)"
            f" order by version, kind limit {PAGE}"
        )
        kind = "~"
        while rows := self._fetch(sql, table, after, kind):
            yield from (Beside(*row) for row in rows)
            after, kind, _ = rows[-1]

    def version(self, table: str) -> int:
        with self._reading() as connection:
            return _version(connection, table)

    def tables(self) -> dict[str, int]:
        return dict(self._fetch("select log, max(version) from events group by log order by log"))

    def answered(self, table: str, command: str) -> tuple[int, int] | None:
        found = self._fetch("select first, last from commands where log = ? and id = ?", table, command)
        return (found[0][0], found[0][1]) if found else None

    def drop(self, table: str, now: int) -> None:
        def work(connection: apsw.Connection) -> None:
            last = _rows(connection, "select line from events where log = ? order by version desc limit 1", table)
            check_drop(table, read_line(last[0][0]).at if last else None, _retention(connection), now)
            for part in ("events", "beside", "commands"):
                connection.execute(f"delete from {part} where log = ?", (table,))

        self._do(work).result()

    # --- accounts

    def post(self, posting: Posting) -> int:
        def work(connection: apsw.Connection) -> int:
            if not _rows(connection, "select 1 from postings where id = ?", posting.id):
                _move(connection, posting.account, posting.amount)
                row = (posting.id, posting.account, posting.amount, posting.at)
                connection.execute("insert into postings values (?, ?, ?, ?)", row)
            return _balance(connection, posting.account)

        return self._do(work).result()

    def accounts(self) -> dict[str, int]:
        return dict(self._fetch("select name, balance from accounts order by name"))

    def balance(self, account: str) -> int:
        with self._reading() as connection:
            return _balance(connection, account)

    # --- faults and settings

    def set_fault(self, fault: Fault) -> None:
        row = (fault.table, fault.at, fault.reason)
        self._change("insert or ignore into faults values (?, ?, ?)", *row)

    def clear_fault(self, table: str) -> None:
        self._change("delete from faults where log = ?", table)

    def faults(self) -> dict[str, Fault]:
        return {row[0]: Fault(*row) for row in self._fetch("select log, at, reason from faults")}

    @property
    def retention(self) -> int:
        with self._reading() as connection:
            return _retention(connection)

    @retention.setter
    def retention(self, days: int) -> None:
        self._change("replace into settings values (?, ?)", "retention", str(check_retention(days)))

    # --- backup

    @contextmanager
    def rows(self) -> Iterator[Iterator[tuple[str, Row]]]:
        connection = self._connect(apsw.SQLITE_OPEN_READONLY)
        try:
            connection.execute("begin")
            connection.execute("select 1 from events limit 1").fetchall()
            yield (
                (part, row)
                for part, columns in PARTS.items()
                for row in connection.execute(f"select {', '.join(columns)} from {part} order by 1, 2")
            )
        finally:
            connection.close()

    def fill(self, rows: Iterable[tuple[str, Row]]) -> None:
        def work(connection: apsw.Connection) -> None:
            for part in ("events", "accounts"):
                if _rows(connection, f"select 1 from {part} limit 1"):
                    raise StoreError("a backup goes into an empty store")
            for part, group in groupby(rows, itemgetter(0)):
                marks = ", ".join("?" * len(PARTS[part]))
                connection.executemany(f"replace into {part} values ({marks})", (row for _, row in group))

        self._do(work).result()

    def close(self) -> None:
        if self._jobs is not None:
            self._jobs.close()
        with self._guard:
            connections, self._readers = self._readers, []
        if self._writer is not None:
            connections.append(self._writer)  # the last to go tidies up
        for connection in connections:
            # what was acknowledged is on the disk, whether or not there is room to tidy up
            with suppress(apsw.Error):
                connection.close()


def _rows(connection: apsw.Connection, sql: str, *bindings: Any) -> list[Row]:
    return connection.execute(sql, bindings).fetchall()


def _migrated(connection: apsw.Connection) -> list[tuple[int, str]]:
    if not _rows(connection, "select 1 from sqlite_schema where name = 'schema_version'"):
        return []
    return [(number, name) for number, name in _rows(connection, "select number, name from schema_version order by 1")]


def _append(connection: apsw.Connection, append: Append) -> None:
    execute, table, expected = connection.execute, append.table, append.expected
    query = "select first, last from commands where log = ? and id = ?"
    for first, last in _rows(connection, query, table, append.command):
        raise RepeatedError(table, append.command, first, last)
    if expected and not _rows(connection, "select 1 from events where log = ? and version = ?", table, expected):
        raise ConflictError(table, expected, _version(connection, table))
    try:
        # one statement for all lines: each one lets other threads run, who then have to be waited for
        execute(
            "insert into events select ?, ? + rowid, value from carray(?)",
            (table, expected, apsw.carray(append.lines)),
        )
    except apsw.ConstraintError:
        raise ConflictError(table, expected, _version(connection, table)) from None
    execute("insert into commands values (?, ?, ?, ?)", (table, append.command, expected + 1, append.last))
    for each in append.beside:
        execute("insert into beside values (?, ?, ?, ?)", (table, each.version, each.kind, each.line))
    for account, amount in append.moves.items():
        _move(connection, account, amount)


def _version(connection: apsw.Connection, table: str) -> int:
    ((version,),) = _rows(connection, "select coalesce(max(version), 0) from events where log = ?", table)
    return int(version)


def _balance(connection: apsw.Connection, account: str) -> int:
    found = _rows(connection, "select balance from accounts where name = ?", account)
    return int(found[0][0]) if found else 0


def _move(connection: apsw.Connection, account: str, amount: int) -> None:
    balance = _balance(connection, account)
    if amount < 0 and balance + amount < 0:
        raise OverdrawnError(account, balance, -amount)
    connection.execute("replace into accounts values (?, ?)", (account, balance + amount))


def _retention(connection: apsw.Connection) -> int:
    found = _rows(connection, "select value from settings where name = 'retention'")
    return int(found[0][0]) if found else RETENTION
