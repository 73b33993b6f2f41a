"""The embedded store: one SQLite file, written by one thread that commits for many at once.

Write-ahead log and ``synchronous=FULL``: a commit has reached the disk before anybody hears of it. Whatever waits when
the writer is free goes into one transaction, each append behind a savepoint, so that one that cannot be leaves its
neighbours alone and all share the one wait for the disk.
"""

from __future__ import annotations

import os
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
    ANYTHING,
    FAULTS,
    FILLED,
    PARTS,
    RETENTION,
    Append,
    Beside,
    ConflictError,
    Document,
    Fault,
    Heard,
    Note,
    OverdrawnError,
    Posting,
    RepeatedError,
    Row,
    SchemaError,
    StaleError,
    StoreError,
    UnavailableError,
    by_account,
    check_append,
    check_currency,
    check_documents,
    check_drop,
    check_posting,
    check_retention,
    failed,
    kind_heard,
    rows_of,
)
from puntobanco.store.chain import moment_of
from puntobanco.store.listeners import Listeners
from puntobanco.store.writer import GroupWriter

T = TypeVar("T")
Job = tuple[Callable[[apsw.Connection], Any], "Future[Any]", str, tuple[str, ...]]
"""What to do, who waits for it, the log that is appended to, and what else listeners hear of it."""

PAGE = 10_000
"""Rows read at once, so that no reader holds the write-ahead log for long."""
PATIENCE = 10_000
"""Milliseconds to wait for another process that writes."""
_FORGET = "delete from documents where kind = ? and key = ?"
UNWRITTEN = "the store cannot be written"
_LOCK = ".lock"
_BESIDE = ("-wal", "-shm", "-journal", _LOCK)
"""What is added to a store's name for the files that lie beside it."""


def files_of(path: str | Path) -> tuple[Path, ...]:
    """The files of a store, whether they are there or not; the first is the store itself."""
    real = os.path.realpath(path)
    return (Path(real), *(Path(real + end) for end in _BESIDE))


def is_claimed(path: str | Path) -> bool:
    """Whether a process holds the names of a store; nothing is opened, made or kept."""
    lock = _FileLock(path)
    try:
        return lock.there() and not lock.take()
    finally:
        lock.close()


class SqliteStore:
    """A store in a file. With ``read_only`` nothing is made, changed or migrated."""

    def __init__(self, path: str | Path, *, read_only: bool = False, vfs: str | None = None) -> None:
        self.path = str(path)
        self._vfs = vfs
        self._readers: list[apsw.Connection] = []
        self._guard = threading.Lock()
        self._writer: apsw.Connection | None = None
        self._jobs: GroupWriter[Job] | None = None
        self._listeners = Listeners()
        self._lock = _FileLock(path)
        self._alone: bool | None = None
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
                # fetched to the end: the journal's mode comes as a row, and what follows a row waits until it is read
                connection.execute("pragma journal_mode = wal; pragma synchronous = full").fetchall()
            connection.execute("select count(*) from sqlite_schema").fetchall()
        except apsw.NotADBError as error:
            raise SchemaError(f"{self.path} is not a SQLite database") from error
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
            raise UnavailableError(f"{self.path} cannot be read: {error}", "the store cannot be read") from error
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
            raise SchemaError(f"{self.path} is not a record, or of an earlier version: it lacks {missing[0].name}")

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

    def _do(self, work: Callable[[apsw.Connection], T], *heard: str, log: str = "") -> Future[T]:
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        self._check_open().put((work, future, log, heard))
        return future

    def _check_open(self) -> GroupWriter[Job]:
        if self._jobs is None:
            raise UnavailableError(f"{self.path} is open for reading only")
        return self._jobs

    def _change(self, sql: str, *bindings: Any, heard: tuple[str, ...] = ()) -> None:
        self._do(lambda connection: _rows(connection, sql, *bindings), *heard).result()

    def _write(self, jobs: list[Job]) -> None:
        """All jobs in one transaction; they hear of it when it is on the disk."""
        connection = self._writer
        assert connection is not None
        done: list[tuple[Future[Any], Any, Exception | None]] = []
        try:
            connection.execute("begin immediate")
            for work, future, _, _ in jobs:
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
            for _, future, _, _ in jobs:
                future.set_exception(UnavailableError(f"{self.path} cannot be written: {error}", UNWRITTEN))
            return
        for future, result, problem in done:
            if problem is None:
                future.set_result(result)
            else:
                future.set_exception(problem)
        if self._listeners:
            good = [job[2:] for job, (_, _, problem) in zip(jobs, done, strict=True) if problem is None]
            self._listeners.tell_own(log for log, _ in good if log)
            if heard := [name for _, names in good for name in names]:
                self._listeners.tell(heard)

    # --- events

    def submit(self, append: Append) -> Future[None]:
        try:
            check_append(append)
            log, *others = append.heard
            return self._do(lambda connection: _append(connection, append), *others, log=log)
        except StoreError as error:
            return failed(error)

    def append(self, append: Append) -> None:
        self.submit(append).result()

    def entries(self, table: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
        sql = (
            "select last, line from entries where log = ?1 and last > ?2 and version >="
            " (select coalesce(max(version), 1) from entries where log = ?1 and version <= ?2 + 1)"
            f" order by version limit {PAGE}"
        )
        while rows := self._fetch(sql, table, after):
            yield from rows
            after = rows[-1][0]

    def load(self, table: str, after: int = 0) -> Iterator[bytes]:
        return (line for _, line in self.entries(table, after))

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
        return dict(self._fetch("select log, max(last) from entries group by log order by log"))

    def answered(self, table: str, command: str) -> tuple[int, int] | None:
        found = self._fetch("select version, last from entries where log = ? and command = ?", table, command)
        return (found[0][0], found[0][1]) if found else None

    def drop(self, table: str, now: int) -> None:
        def work(connection: apsw.Connection) -> None:
            last = _rows(connection, "select line from entries where log = ? order by version desc limit 1", table)
            check_drop(table, moment_of(last[0][0]) if last else None, _retention(connection), now)
            for part in ("entries", "beside"):
                connection.execute(f"delete from {part} where log = ?", (table,))

        self._do(work).result()

    # --- accounts

    def post(self, posting: Posting, note: Note | None = None) -> int:
        check_currency(posting.currency)
        account, currency = posting.account, posting.currency

        def work(connection: apsw.Connection) -> int:
            known = _rows(connection, "select account, currency, amount from postings where id = ?", posting.id)
            if known:
                check_posting(posting, *known[0])
            else:
                if note is not None:
                    append = note.make(_balance(connection, account, currency))
                    check_append(append)
                    _append(connection, append)
                _move(connection, account, currency, posting.amount)
                row = (posting.id, account, currency, posting.amount, posting.at)
                connection.execute("insert into postings values (?, ?, ?, ?, ?)", row)
            return _balance(connection, account, currency)

        return self._do(work, *([note.log] if note else [])).result()

    def accounts(self) -> dict[str, dict[str, int]]:
        return by_account(self._fetch("select name, currency, balance from accounts order by name, currency"))

    def balances(self, account: str) -> dict[str, int]:
        return dict(self._fetch("select currency, balance from accounts where name = ? order by currency", account))

    def balance(self, account: str, currency: str) -> int:
        with self._reading() as connection:
            return _balance(connection, account, currency)

    # --- faults and settings

    def set_fault(self, fault: Fault) -> None:
        row = (fault.table, fault.at, fault.reason)
        self._change("insert or ignore into faults values (?, ?, ?)", *row, heard=(FAULTS,))

    def clear_fault(self, table: str) -> None:
        self._change("delete from faults where log = ?", table, heard=(FAULTS,))

    def faults(self) -> dict[str, Fault]:
        return {row[0]: Fault(*row) for row in self._fetch("select log, at, reason from faults")}

    @property
    def retention(self) -> int:
        with self._reading() as connection:
            return _retention(connection)

    @retention.setter
    def retention(self, days: int) -> None:
        self._change("replace into settings values (?, ?)", "retention", str(check_retention(days)))

    # --- documents

    def document(self, kind: str, key: str) -> Document | None:
        rows = self._fetch("select kind, key, content, version from documents where kind = ? and key = ?", kind, key)
        return Document(*rows[0]) if rows else None

    def documents(self, kind: str) -> dict[str, Document]:
        rows = self._fetch("select kind, key, content, version from documents where kind = ? order by key", kind)
        return {row[1]: Document(*row) for row in rows}

    def keep(self, *documents: Document) -> None:
        check_documents(documents)
        kinds = (kind_heard(document.kind) for document in documents)
        self._do(lambda connection: _keep(connection, documents), *kinds).result()

    def forget(self, kind: str, key: str) -> None:
        self._change(_FORGET, kind, key, heard=(kind_heard(kind),))

    # --- listening and claims

    def listen(self, heard: Heard, *, own: bool = True) -> Callable[[], None]:
        """Only what is written through this very store is heard of."""
        return self._listeners.add(heard, own=own)

    def claim(self, name: str) -> bool:
        """One process alone has all the names: the one that locked the file beside the store, until it ends."""
        self._check_open()
        return self._lock.take()

    def release(self, name: str) -> None:
        """The file stays locked: there is nobody to share the names with."""

    def alone(self) -> bool:
        if self._alone is None:
            self._alone = self.claim("")
        return self._alone

    # --- backup

    @contextmanager
    def rows(self) -> Iterator[Iterator[tuple[str, Row]]]:
        connection = self._connect(apsw.SQLITE_OPEN_READONLY)
        try:
            connection.execute("begin")
            connection.execute("select 1 from entries limit 1").fetchall()
            yield ((part, row) for part in PARTS for row in connection.execute(rows_of(part)))
        finally:
            connection.close()

    def fill(self, rows: Iterable[tuple[str, Row]]) -> None:
        def work(connection: apsw.Connection) -> None:
            for part in FILLED:
                if _rows(connection, f"select 1 from {part} limit 1"):
                    raise StoreError("a backup goes into an empty store")
            for part, group in groupby(rows, itemgetter(0)):
                marks = ", ".join("?" * len(PARTS[part]))
                connection.executemany(f"replace into {part} values ({marks})", (row for _, row in group))

        self._do(work, ANYTHING).result()

    def close(self) -> None:
        if self._jobs is not None:
            self._jobs.close()
        self._listeners.close()
        self._lock.close()
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
    query = "select version, last from entries where log = ? and command = ?"
    for first, last in _rows(connection, query, table, append.command):
        raise RepeatedError(table, append.command, first, last)
    if (version := _version(connection, table)) != expected:
        raise ConflictError(table, expected, version)
    if append.follows and [expected] != [last for _, last in _rows(connection, query, table, append.follows)]:
        raise ConflictError(table, expected, version)
    entry = (table, expected + 1, append.last, append.command, append.line)
    execute("insert into entries values (?, ?, ?, ?, ?)", entry)
    for each in append.beside:
        execute("insert into beside values (?, ?, ?, ?)", (table, each.version, each.kind, each.line))
    _keep(connection, append.documents)
    for name in append.removed:
        execute(_FORGET, name)
    for account, amount in append.moves.items():
        _move(connection, account, append.currency, amount)


def _keep(connection: apsw.Connection, documents: Iterable[Document]) -> None:
    for document in documents:
        name = (document.kind, document.key)
        found = _rows(connection, "select version from documents where kind = ? and key = ?", *name)
        version = found[0][0] if found else 0
        if version != document.version:
            raise StaleError(*name, version)
        connection.execute("replace into documents values (?, ?, ?, ?)", (*name, document.value, version + 1))


def _version(connection: apsw.Connection, table: str) -> int:
    found = _rows(connection, "select last from entries where log = ? order by version desc limit 1", table)
    return int(found[0][0]) if found else 0


def _balance(connection: apsw.Connection, account: str, currency: str) -> int:
    found = _rows(connection, "select balance from accounts where name = ? and currency = ?", account, currency)
    return int(found[0][0]) if found else 0


def _move(connection: apsw.Connection, account: str, currency: str, amount: int) -> None:
    balance = _balance(connection, account, currency)
    if amount < 0 and balance + amount < 0:
        raise OverdrawnError(account, currency, balance, -amount)
    connection.execute("replace into accounts values (?, ?, ?)", (account, currency, balance + amount))


def _retention(connection: apsw.Connection) -> int:
    found = _rows(connection, "select value from settings where name = 'retention'")
    return int(found[0][0]) if found else RETENTION


class _FileLock:
    """A file that one process has locked; the lock ends with the process, however that ends."""

    def __init__(self, store: str | Path) -> None:
        self._path = f"{os.path.realpath(store)}{_LOCK}"
        self._guard = threading.Lock()
        self._file: int | None = None
        self._closed = False

    def there(self) -> bool:
        return os.path.exists(self._path)

    def take(self) -> bool:
        """Whether the lock is ours, or is now."""
        import fcntl  # which not every system has, and who only writes needs no lock

        with self._guard:
            if self._file is not None or self._closed:
                return self._file is not None
            try:
                file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                raise UnavailableError(f"{self._path} cannot be opened: {error.strerror}") from error
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
                return False
            self._file = file
            return True

    def close(self) -> None:
        with self._guard:
            self._closed = True
            if self._file is not None:
                os.close(self._file)
                self._file = None
