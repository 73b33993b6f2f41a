"""A store in memory, for tests and trials: it forgets everything, and is as strict as the others."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from puntobanco.store.base import (
    RETENTION,
    Append,
    Beside,
    ConflictError,
    Fault,
    OverdrawnError,
    Posting,
    RepeatedError,
    Row,
    StoreError,
    UnavailableError,
    check_append,
    check_drop,
    check_retention,
    failed,
)
from puntobanco.store.chain import read_line


class MemoryStore:
    """Dictionaries behind a lock."""

    def __init__(self, retention: int = RETENTION) -> None:
        self._lock = threading.RLock()
        self._events: dict[str, list[bytes]] = {}
        self._beside: dict[str, list[Beside]] = {}
        self._commands: dict[tuple[str, str], tuple[int, int]] = {}
        self._accounts: dict[str, int] = {}
        self._postings: dict[str, Posting] = {}
        self._faults: dict[str, Fault] = {}
        self._retention = check_retention(retention)
        self._closed = False

    def submit(self, append: Append) -> Future[None]:
        try:
            self.append(append)
        except StoreError as error:
            return failed(error)
        future: Future[None] = Future()
        future.set_result(None)
        return future

    def append(self, append: Append) -> None:
        check_append(append)
        with self._lock:
            if self._closed:
                raise UnavailableError("the store is closed")
            if first := self._commands.get((append.table, append.command)):
                raise RepeatedError(append.table, append.command, *first)
            lines = self._events.get(append.table, [])
            if len(lines) != append.expected:
                raise ConflictError(append.table, append.expected, len(lines))
            for account, amount in append.moves.items():
                self._check(account, amount)
            for account, amount in append.moves.items():
                self._accounts[account] = self.balance(account) + amount
            self._events.setdefault(append.table, lines).extend(append.lines)
            self._beside.setdefault(append.table, []).extend(append.beside)
            self._commands[append.table, append.command] = (append.expected + 1, append.last)

    def _check(self, account: str, amount: int) -> None:
        balance = self.balance(account)
        if amount < 0 and balance + amount < 0:
            raise OverdrawnError(account, balance, -amount)

    def load(self, table: str, after: int = 0) -> Iterator[bytes]:
        with self._lock:
            lines = self._events.get(table, [])[after:]
        yield from lines

    def beside(self, table: str, after: int = 0) -> Iterator[Beside]:
        with self._lock:
            found = [each for each in self._beside.get(table, []) if each.version > after]
        yield from found

    def version(self, table: str) -> int:
        return len(self._events.get(table, ()))

    def tables(self) -> dict[str, int]:
        with self._lock:
            return {table: len(self._events[table]) for table in sorted(self._events)}

    def answered(self, table: str, command: str) -> tuple[int, int] | None:
        return self._commands.get((table, command))

    def post(self, posting: Posting) -> int:
        with self._lock:
            if self._closed:
                raise UnavailableError("the store is closed")
            if posting.id not in self._postings:
                self._check(posting.account, posting.amount)
                self._postings[posting.id] = posting
                self._accounts[posting.account] = self.balance(posting.account) + posting.amount
            return self.balance(posting.account)

    def accounts(self) -> dict[str, int]:
        with self._lock:
            return dict(sorted(self._accounts.items()))

    def balance(self, account: str) -> int:
        return self._accounts.get(account, 0)

    def set_fault(self, fault: Fault) -> None:
        with self._lock:
            self._faults.setdefault(fault.table, fault)

    def clear_fault(self, table: str) -> None:
        with self._lock:
            self._faults.pop(table, None)

    def faults(self) -> dict[str, Fault]:
        with self._lock:
            return dict(self._faults)

    @property
    def retention(self) -> int:
        return self._retention

    @retention.setter
    def retention(self, days: int) -> None:
        self._retention = check_retention(days)

    def drop(self, table: str, now: int) -> None:
        with self._lock:
            lines = self._events.get(table)
            check_drop(table, read_line(lines[-1]).at if lines else None, self._retention, now)
            del self._events[table]
            self._beside.pop(table, None)
            self._commands = {key: value for key, value in self._commands.items() if key[0] != table}

    @contextmanager
    def rows(self) -> Iterator[Iterator[tuple[str, Row]]]:
        with self._lock:
            found: list[tuple[str, Row]] = []
            for table, lines in self._events.items():
                found += [("events", (table, version, line)) for version, line in enumerate(lines, 1)]
            for table, beside in self._beside.items():
                found += [("beside", (table, each.version, each.kind, each.line)) for each in beside]
            found += [("commands", (*key, *versions)) for key, versions in self._commands.items()]
            found += [("accounts", item) for item in self._accounts.items()]
            found += [("postings", (p.id, p.account, p.amount, p.at)) for p in self._postings.values()]
            found += [("faults", (f.table, f.at, f.reason)) for f in self._faults.values()]
            found.append(("settings", ("retention", str(self._retention))))
        yield iter(found)

    def fill(self, rows: Iterable[tuple[str, Row]]) -> None:
        new = MemoryStore()
        for part, row in rows:
            match part, row:
                case "events", (table, version, line):
                    lines = new._events.setdefault(table, [])
                    if version != len(lines) + 1:
                        raise StoreError(f"version {version} of table {table} where {len(lines) + 1} belongs")
                    lines.append(line)
                case "beside", (table, version, kind, line):
                    new._beside.setdefault(table, []).append(Beside(version, kind, line))
                case "commands", (table, command, first, last):
                    new._commands[table, command] = (first, last)
                case "accounts", (account, balance):
                    new._accounts[account] = balance
                case "postings", (name, account, amount, at):
                    new._postings[name] = Posting(name, account, amount, at)
                case "faults", (table, at, reason):
                    new._faults[table] = Fault(table, at, reason)
                case "settings", ("retention", days):
                    new._retention = int(days)
        with self._lock:
            if self._events or self._accounts:
                raise StoreError("a backup goes into an empty store")
            self.__dict__.update({name: value for name, value in new.__dict__.items() if name != "_lock"})

    def close(self) -> None:
        self._closed = True
