"""The floor's store: PostgreSQL, for any number of processes that serve any table.

The primary key (table, version) is the lock: who inserts a version second is told of a conflict. An append is one call
of a function in the database, whose own savepoint keeps it apart from the others in the same transaction; a thread
sends what waits in one go. A connection that is lost is made again, and what was unsure is settled by looking.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import DeadlockDetected, SerializationFailure

from puntobanco.store import schema
from puntobanco.store.base import (
    ANYTHING,
    FAULTS,
    FILLED,
    PARTS,
    RETENTION,
    Append,
    BadNameError,
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
from puntobanco.store.postgres_lines import LOST, Claims, Connection, Line
from puntobanco.store.writer import GroupWriter

T = TypeVar("T")
Job = tuple[Append, "Future[None]"]

PAGE = 10_000
PATIENCE = 10.0
"""Seconds to try for a new connection before giving up."""
CONNECTIONS = 16
"""That may ask at the same time, beside those that write, listen and hold claims: a database has a hundred in all."""
AT_ONCE = 1.0
"""Seconds to try for the connections that stay open: what cannot be asked for now is not held."""
_AGAIN = (DeadlockDetected, SerializationFailure)
_MIGRATING = 0x70756E74
"""The advisory lock that a process holds while it migrates."""
_APPEND = (
    "select * from append_entry(%s, %s, %s, %s, %s::bytea, %s, %s::bigint[], %s::text[], %s::bytea[], %s::text[],"
    " %s::bigint[], %s, %s::text[], %s::text[], %s::bytea[], %s::bigint[])"
)
_REMOVE = (
    "with gone as (delete from documents where kind = %s and key = %s and exists (select from entries"
    " where log = %s and version = %s and line = %s::bytea) returning 1) select tell(%s) from gone"
)
_KEEP = "select * from keep_documents(%s::text[], %s::text[], %s::bytea[], %s::bigint[])"


class PostgresStore:
    """A store in a PostgreSQL database, ``postgresql://…``."""

    def __init__(self, address: str, *, patience: float = PATIENCE, read_only: bool = False) -> None:
        _check_address(address)
        self.address = address
        self.patience = patience
        self._idle: list[Connection] = []
        self._places = threading.BoundedSemaphore(CONNECTIONS)
        self._guard = threading.Lock()
        self._closed = False
        self._writer: Connection | None = None
        self._writing = 0
        """The session whose appends are answered for, as the database numbers it; none while that is not sure."""
        self._jobs: GroupWriter[Job] | None = None
        self._listeners = Listeners()
        self._line: Line | None = None
        self._lining = threading.Lock()
        self._claims = Claims(lambda: self._connect(AT_ONCE))
        try:
            if read_only:
                self._check_schema()
            else:
                self._transact(self._migrate)
                self._jobs = GroupWriter("writer to PostgreSQL", self._write)
        except BaseException:
            self.close()
            raise

    # --- connections

    def _connect(self, patience: float | None = None) -> Connection:
        """A connection, within the time that one is waited for."""
        patience = self.patience if patience is None else patience
        until = time.monotonic() + patience
        wait = 0.02
        while True:
            try:
                connection = psycopg.connect(self.address, autocommit=True, connect_timeout=max(2, int(patience)))
                connection.execute("set synchronous_commit = on")
                return connection
            except LOST as error:
                if time.monotonic() + wait > until:
                    raise UnavailableError(f"the database cannot be reached: {_reason(error)}") from error
                time.sleep(wait)
                wait = min(wait * 2, 0.5)

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        """A separate connection for a while; if all of them are taken, the caller waits for one."""
        if not self._places.acquire(timeout=self.patience):
            raise UnavailableError("the database is busy: all connections are taken")
        try:
            with self._one() as connection:
                yield connection
        finally:
            self._places.release()

    @contextmanager
    def _one(self) -> Iterator[Connection]:
        with self._guard:
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._connect()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        with self._guard:
            self._idle.append(connection)

    def _transact(self, work: Callable[[Connection], T]) -> T:
        """Do work in a transaction; again where the connection was lost or others were in the way.

        The caller makes sure that doing it twice does no harm.
        """
        until = time.monotonic() + self.patience
        while True:
            try:
                with self._connected() as connection, connection.transaction():
                    return work(connection)
            except psycopg.DataError as error:
                raise BadNameError(f"the database cannot hold it: {_reason(error)}") from error
            except (*LOST, *_AGAIN) as error:
                if time.monotonic() > until:
                    raise UnavailableError(f"the database fails: {_reason(error)}") from error
                with self._guard:  # the others are likely to be lost as well
                    idle, self._idle = self._idle, []
                for connection in idle:
                    connection.close()

    def _fetch(self, query: str, *parameters: Any) -> list[Row]:
        return self._transact(lambda connection: connection.execute(query, parameters or None).fetchall())

    def _change(self, query: str, *parameters: Any, heard: str = "") -> None:
        self._check_open()

        def work(connection: Connection) -> None:
            connection.execute(query, parameters)
            if heard:
                connection.execute("select tell(%s)", (heard,))

        self._transact(work)

    def _check_open(self) -> GroupWriter[Job]:
        if self._closed:
            raise UnavailableError("the store is closed")
        if self._jobs is None:
            raise UnavailableError("the store is open for reading only")
        return self._jobs

    def _check_schema(self) -> None:
        ((there,),) = self._fetch("select to_regclass('schema_version') is not null")
        had = self._fetch("select number, name from schema_version order by number") if there else []
        if missing := schema.pending("postgres", had, "the database"):
            raise SchemaError(f"the database is not a record, or of an earlier version: it lacks {missing[0].name}")

    def _migrate(self, connection: Connection) -> None:
        connection.execute("select pg_advisory_xact_lock(%s)", (_MIGRATING,))
        connection.execute("set local client_min_messages = warning")
        connection.execute(schema.VERSIONS)
        had = connection.execute("select number, name from schema_version order by number").fetchall()
        for migration in schema.pending("postgres", had, "the database"):
            connection.execute(migration.sql)
            connection.execute("insert into schema_version values (%s, %s)", (migration.number, migration.name))

    # --- the writer

    def submit(self, append: Append) -> Future[None]:
        future: Future[None] = Future()
        future.set_running_or_notify_cancel()
        try:
            check_append(append)
            self._check_open().put((append, future))
        except StoreError as error:
            return failed(error)
        return future

    def append(self, append: Append) -> None:
        self.submit(append).result()

    def _write(self, jobs: list[Job]) -> None:
        try:
            answers = self._send([append for append, _ in jobs])
        except (*LOST, *_AGAIN):
            for append, future in jobs:
                self._write_alone(append, future)
        except Exception as error:
            self._hang_up()
            for _, future in jobs:
                future.set_exception(error if isinstance(error, StoreError) else UnavailableError(_reason(error)))
        else:
            for (append, future), answer in zip(jobs, answers, strict=True):
                _tell(future, _problem(append, answer))

    def _write_alone(self, append: Append, future: Future[None]) -> None:
        """An append that may have happened already: if its very line is there, it has."""
        until = time.monotonic() + self.patience
        while True:
            try:
                (answer,) = self._send([append])
                problem = _problem(append, answer)
                if isinstance(problem, RepeatedError) and self._is_there(append):
                    problem = None
                return _tell(future, problem)
            except (*LOST, *_AGAIN) as error:
                if time.monotonic() > until:
                    return _tell(future, UnavailableError(f"the database fails: {_reason(error)}"))
            except StoreError as error:
                return _tell(future, error)
            except Exception as error:
                self._hang_up()
                return _tell(future, UnavailableError(_reason(error)))

    def _is_there(self, append: Append) -> bool:
        rows = self._fetch(
            "select line from entries where log = %s and version = %s", append.table, append.expected + 1
        )
        return [bytes(line) for (line,) in rows] == [append.line]

    def _send(self, appends: list[Append]) -> list[Row]:
        """All in one transaction and one journey; returns when it is committed."""
        if self._writer is None:
            self._writer = self._connect()
            self._writing = self._writer.info.backend_pid
        connection = self._writer
        try:
            with connection.pipeline(), connection.transaction():
                cursors = [self._execute(connection, append) for append in appends]
            answers = [cursor.fetchone() for cursor in cursors]
        except BaseException:
            self._hang_up()
            raise
        return [answer for answer in answers if answer is not None]

    @staticmethod
    def _execute(connection: Connection, append: Append) -> psycopg.Cursor[Row]:
        answer = connection.execute(_APPEND, _parameters(append), prepare=True)
        for kind, key in append.removed:
            # a refusal is an answer, too: only where the line is there now
            line = (append.table, append.expected + 1, append.line)
            connection.execute(_REMOVE, (kind, key, *line, kind_heard(kind)))
        return answer

    def _hang_up(self) -> None:
        self._writing = 0
        if self._writer is not None:
            with suppress(Exception):
                self._writer.close()
            self._writer = None

    # --- events

    def entries(self, table: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
        query = (
            "select last, line from entries where log = %s and last > %s and version >="
            " (select coalesce(max(version), 1) from entries where log = %s and version <= %s + 1)"
            f" order by version limit {PAGE}"
        )
        while rows := self._fetch(query, table, after, table, after):
            yield from rows
            after = rows[-1][0]

    def load(self, table: str, after: int = 0) -> Iterator[bytes]:
        return (line for _, line in self.entries(table, after))

    def beside(self, table: str, after: int = 0) -> Iterator[Beside]:
        query = (
            'select version, kind, line from beside where log = %s and (version, kind collate "C") > (%s, %s)'
            f' order by version, kind collate "C" limit {PAGE}'
        )
        kind = "~"
        while rows := self._fetch(query, table, after, kind):
            yield from (Beside(*row) for row in rows)
            after, kind, _ = rows[-1]

    def version(self, table: str) -> int:
        found = self._fetch("select last from entries where log = %s order by version desc limit 1", table)
        return int(found[0][0]) if found else 0

    def tables(self) -> dict[str, int]:
        return dict(self._fetch('select log, max(last) from entries group by log order by log collate "C"'))

    def answered(self, table: str, command: str) -> tuple[int, int] | None:
        found = self._fetch("select version, last from entries where log = %s and command = %s", table, command)
        return (found[0][0], found[0][1]) if found else None

    def drop(self, table: str, now: int) -> None:
        self._check_open()

        def work(connection: Connection) -> None:
            last = connection.execute(
                "select line from entries where log = %s order by version desc limit 1", (table,)
            ).fetchone()
            check_drop(table, moment_of(last[0]) if last else None, _retention(connection), now)
            for part in ("entries", "beside"):
                connection.execute(f"delete from {part} where log = %s", (table,))

        self._transact(work)

    # --- accounts

    def post(self, posting: Posting, note: Note | None = None) -> int:
        check_currency(posting.currency)
        self._check_open()
        of = (posting.account, posting.currency)

        def work(connection: Connection) -> int:
            row = (posting.id, *of, posting.amount, posting.at)
            new = connection.execute("insert into postings values (%s, %s, %s, %s, %s) on conflict do nothing", row)
            if new.rowcount == 0:
                query = "select account, currency, amount from postings where id = %s"
                ((account, currency, amount),) = connection.execute(query, (posting.id,)).fetchall()
                check_posting(posting, account, currency, amount)
            connection.execute("insert into accounts values (%s, %s, 0) on conflict do nothing", of)
            query = "select balance from accounts where name = %s and currency = %s for update"
            ((balance,),) = connection.execute(query, of).fetchall()
            if new.rowcount == 0:
                return int(balance)
            if balance + posting.amount < 0:
                raise OverdrawnError(*of, balance, -posting.amount)
            if note is not None:
                append = note.make(balance)
                check_append(append)
                answer = connection.execute(_APPEND, _parameters(append)).fetchone()
                assert answer is not None
                if problem := _problem(append, answer):
                    raise problem
            query = "update accounts set balance = balance + %s where name = %s and currency = %s"
            connection.execute(query, (posting.amount, *of))
            return int(balance) + posting.amount

        return self._transact(work)

    def accounts(self) -> dict[str, dict[str, int]]:
        query = 'select name, currency, balance from accounts order by name collate "C", currency collate "C"'
        return by_account(self._fetch(query))

    def balances(self, account: str) -> dict[str, int]:
        query = 'select currency, balance from accounts where name = %s order by currency collate "C"'
        return dict(self._fetch(query, account))

    def balance(self, account: str, currency: str) -> int:
        rows = self._fetch("select balance from accounts where name = %s and currency = %s", account, currency)
        return int(rows[0][0]) if rows else 0

    # --- faults and settings

    def set_fault(self, fault: Fault) -> None:
        row = (fault.table, fault.at, fault.reason)
        self._change("insert into faults values (%s, %s, %s) on conflict do nothing", *row, heard=FAULTS)

    def clear_fault(self, table: str) -> None:
        self._change("delete from faults where log = %s", table, heard=FAULTS)

    def faults(self) -> dict[str, Fault]:
        return {row[0]: Fault(*row) for row in self._fetch("select log, at, reason from faults")}

    @property
    def retention(self) -> int:
        return self._transact(_retention)

    @retention.setter
    def retention(self, days: int) -> None:
        self._change(
            "insert into settings values ('retention', %s) on conflict (name) do update set value = excluded.value",
            str(check_retention(days)),
        )

    # --- documents

    def document(self, kind: str, key: str) -> Document | None:
        if "\0" in kind + key:
            return None
        query = "select kind, key, content, version from documents where kind = %s and key = %s"
        rows = self._fetch(query, kind, key)
        return Document(*rows[0]) if rows else None

    def documents(self, kind: str) -> dict[str, Document]:
        query = 'select kind, key, content, version from documents where kind = %s order by key collate "C"'
        return {row[1]: Document(*row) for row in self._fetch(query, kind)}

    def keep(self, *documents: Document) -> None:
        check_documents(documents)
        self._check_open()
        attempts = 0

        def work(connection: Connection) -> None:
            nonlocal attempts
            attempts += 1
            if attempts > 1 and _are_there(connection, documents):
                return  # the first time it was done after all
            stale, found = connection.execute(_KEEP, _columns(documents)).fetchone() or (None, 0)
            if stale is not None:
                document = documents[stale - 1]
                raise StaleError(document.kind, document.key, found)

        self._transact(work)

    def forget(self, kind: str, key: str) -> None:
        self._change("delete from documents where kind = %s and key = %s", kind, key, heard=kind_heard(kind))

    # --- listening and claims

    def listen(self, heard: Heard, *, own: bool = True) -> Callable[[], None]:
        """What any process writes is heard of. After a lost connection it is that anything may have changed."""
        with self._lining:
            if self._closed:
                raise UnavailableError("the store is closed")
            self._line = self._line or Line(lambda: self._connect(AT_ONCE), self._listeners, lambda: self._writing)
        return self._listeners.add(heard, own=own)

    def claim(self, name: str) -> bool:
        """One question to the database each time: a name is never believed to be held by a session that was lost."""
        self._check_open()
        return self._claims.claim(name)

    def release(self, name: str) -> None:
        self._claims.release(name)

    def alone(self) -> bool:
        self._check_open()
        return self._claims.alone()

    # --- backup

    @contextmanager
    def rows(self) -> Iterator[Iterator[tuple[str, Row]]]:
        connection = self._connect()
        try:
            connection.execute("begin isolation level repeatable read read only")
            yield ((part, row) for part in PARTS for row in _stream(connection, rows_of(part)))
        finally:
            connection.close()

    def fill(self, rows: Iterable[tuple[str, Row]]) -> None:
        self._check_open()
        with self._connected() as connection, connection.transaction():
            for part in FILLED:
                if connection.execute(f"select 1 from {part} limit 1").fetchone():
                    raise StoreError("a backup goes into an empty store")
            connection.execute("delete from settings")
            for part, group in groupby(rows, itemgetter(0)):
                into = sql.SQL("copy {} from stdin").format(sql.Identifier(part))
                with connection.cursor().copy(into) as copy:
                    for _, row in group:
                        copy.write_row(row)
            connection.execute("select tell(%s)", (ANYTHING,))

    def close(self) -> None:
        self._closed = True
        if self._jobs is not None:
            self._jobs.close()
        with self._lining:
            line, self._line = self._line, None
        if line is not None:
            line.close()
        self._listeners.close()
        self._claims.close()
        self._hang_up()
        with self._guard:
            while self._idle:
                self._idle.pop().close()


def _parameters(append: Append) -> Row:
    beside = append.beside
    return (
        *(append.table, append.expected, append.follows, append.command, append.line, append.events),
        *([each.version for each in beside], [each.kind for each in beside], [each.line for each in beside]),
        *(list(append.moves), list(append.moves.values()), append.currency),
        *_columns(append.documents),
    )


def _columns(documents: Sequence[Document]) -> Row:
    if not documents:
        return ([], [], [], [])
    return (
        *([each.kind for each in documents], [each.key for each in documents]),
        *([each.value for each in documents], [each.version for each in documents]),
    )


def _are_there(connection: Connection, documents: Sequence[Document]) -> bool:
    """Whether documents are as keeping them would leave them."""
    query = "select content from documents where kind = %s and key = %s and version = %s"
    found = (connection.execute(query, (each.kind, each.key, each.version + 1)).fetchone() for each in documents)
    return all(row is not None and row[0] == each.value for row, each in zip(found, documents, strict=True))


def _problem(append: Append, answer: Row) -> StoreError | None:
    became, one, two, account = answer
    if became == "repeated":
        return RepeatedError(append.table, append.command, one, two)
    if became == "conflict":
        return ConflictError(append.table, append.expected, one)
    if became == "stale":
        document = append.documents[two - 1]
        return StaleError(document.kind, document.key, one)
    if became == "overdrawn":
        return OverdrawnError(account, append.currency, one, two)
    assert became == "done", answer
    return None


def _tell(future: Future[None], problem: BaseException | None) -> None:
    if problem is None:
        future.set_result(None)
    else:
        future.set_exception(problem)


def _stream(connection: Connection, query: str) -> Iterator[Row]:
    with connection.cursor(name="rows") as cursor:
        cursor.itersize = PAGE
        cursor.execute(query)
        yield from cursor


def _retention(connection: Connection) -> int:
    found = connection.execute("select value from settings where name = 'retention'").fetchone()
    return int(found[0]) if found else RETENTION


def _check_address(address: str) -> None:
    """Its own words, and no others: what the client says of an address may hold the password."""
    try:
        conninfo_to_dict(address)
    except (psycopg.ProgrammingError, UnicodeError):
        raise UnavailableError(
            "the address of the database cannot be read: write postgresql://NAME:PASSWORD@HOST:PORT/DATABASE, letters"
            " such as spaces, @ and / in a name or password as in %20, and after a ? only options that PostgreSQL has"
        ) from None


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
