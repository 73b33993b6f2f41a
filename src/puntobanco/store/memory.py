"""A store in memory, for tests and trials: it forgets everything, and is as strict as the others."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from operator import itemgetter

from puntobanco.store.base import (
    ANYTHING,
    FAULTS,
    RETENTION,
    UNSAVED,
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
    StaleError,
    Store,
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
)
from puntobanco.store.chain import moment_of
from puntobanco.store.listeners import Listeners


class MemoryStore(Store):
    """Dictionaries behind a lock."""

    def __init__(self, retention: int = RETENTION) -> None:
        self._lock = threading.RLock()
        self._entries: dict[str, list[tuple[int, bytes]]] = {}
        """The lines of each table, with the version that each ends at."""
        self._beside: dict[str, list[Beside]] = {}
        self._commands: dict[tuple[str, str], tuple[int, int]] = {}
        self._accounts: dict[tuple[str, str], int] = {}
        self._postings: dict[str, Posting] = {}
        self._faults: dict[str, Fault] = {}
        self._documents: dict[tuple[str, str], Document] = {}
        self._listeners = Listeners()
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
            version, follows = self.version(append.table), append.follows
            if version != append.expected or (follows and self._ended(append.table, follows) != version):
                raise ConflictError(append.table, append.expected, version)
            documents = self._replaced(append.documents)
            for account, amount in append.moves.items():
                self._check(account, append.currency, amount)
            for account, amount in append.moves.items():
                self._move(account, append.currency, amount)
            self._entries.setdefault(append.table, []).append((append.last, append.line))
            self._beside.setdefault(append.table, []).extend(append.beside)
            self._commands[append.table, append.command] = (append.expected + 1, append.last)
            self._documents = {name: each for name, each in documents.items() if name not in append.removed}
        self._listeners.tell_own([append.table])
        if heard := append.heard[1:]:
            self._listeners.tell(heard)

    def _ended(self, table: str, command: str) -> int:
        return self._commands.get((table, command), (0, 0))[1]

    def _replaced(self, documents: Iterable[Document]) -> dict[tuple[str, str], Document]:
        """All documents once these are kept."""
        found = self._documents
        for document in documents:
            name = (document.kind, document.key)
            version = found[name].version if name in found else 0
            if version != document.version:
                raise StaleError(*name, version)
            found = found | {name: Document(*name, document.value, version + 1)}
        return found

    def _check(self, account: str, currency: str, amount: int) -> None:
        balance = self.balance(account, currency)
        if amount < 0 and balance + amount < 0:
            raise OverdrawnError(account, currency, balance, -amount)

    def _move(self, account: str, currency: str, amount: int) -> None:
        self._accounts[account, currency] = self.balance(account, currency) + amount

    def entries(self, table: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
        with self._lock:
            found = self._entries.get(table, [])
            found = found[bisect_right(found, after, key=itemgetter(0)) :]
        yield from found

    def load(self, table: str, after: int = 0) -> Iterator[bytes]:
        return (line for _, line in self.entries(table, after))

    def beside(self, table: str, after: int = 0) -> Iterator[Beside]:
        with self._lock:
            found = [each for each in self._beside.get(table, []) if each.version > after]
        yield from found

    def version(self, table: str) -> int:
        found = self._entries.get(table)
        return found[-1][0] if found else 0

    def tables(self) -> dict[str, int]:
        with self._lock:
            return {table: self._entries[table][-1][0] for table in sorted(self._entries)}

    def answered(self, table: str, command: str) -> tuple[int, int] | None:
        return self._commands.get((table, command))

    def post(self, posting: Posting, note: Note | None = None) -> int:
        check_currency(posting.currency)
        account, currency = posting.account, posting.currency
        with self._lock:
            if self._closed:
                raise UnavailableError("the store is closed")
            if known := self._postings.get(posting.id):
                check_posting(posting, known.account, known.currency, known.amount)
            else:
                self._check(account, currency, posting.amount)
                if note is not None:
                    self.append(note.make(self.balance(account, currency)))
                self._postings[posting.id] = posting
                self._move(account, currency, posting.amount)
            return self.balance(account, currency)

    def accounts(self) -> dict[str, dict[str, int]]:
        with self._lock:
            return by_account((*of, balance) for of, balance in sorted(self._accounts.items()))

    def balances(self, account: str) -> dict[str, int]:
        return self.accounts().get(account, {})

    def balance(self, account: str, currency: str) -> int:
        return self._accounts.get((account, currency), 0)

    def set_fault(self, fault: Fault) -> None:
        with self._lock:
            self._faults.setdefault(fault.table, fault)
        self._listeners.tell([FAULTS])

    def clear_fault(self, table: str) -> None:
        with self._lock:
            self._faults.pop(table, None)
        self._listeners.tell([FAULTS])

    def faults(self) -> dict[str, Fault]:
        with self._lock:
            return dict(self._faults)

    def document(self, kind: str, key: str) -> Document | None:
        return self._documents.get((kind, key))

    def documents(self, kind: str) -> dict[str, Document]:
        return {key: document for (own, key), document in sorted(self._documents.items()) if own == kind}

    def keep(self, *documents: Document) -> None:
        check_documents(documents)
        with self._lock:
            if self._closed:
                raise UnavailableError("the store is closed")
            self._documents = self._replaced(documents)
        self._listeners.tell(kind_heard(document.kind) for document in documents)

    def forget(self, kind: str, key: str) -> None:
        with self._lock:
            if self._closed:
                raise UnavailableError("the store is closed")
            self._documents = {name: each for name, each in self._documents.items() if name != (kind, key)}
        self._listeners.tell([kind_heard(kind)])

    def listen(self, heard: Heard, *, own: bool = True) -> Callable[[], None]:
        return self._listeners.add(heard, own=own)

    def claim(self, name: str) -> bool:
        return not self._closed  # nobody else can be here

    def release(self, name: str) -> None:
        """Nobody waits for it."""

    def alone(self) -> bool:
        return True

    @property
    def retention(self) -> int:
        return self._retention

    @retention.setter
    def retention(self, days: int) -> None:
        self._retention = check_retention(days)

    def drop(self, table: str, now: int) -> None:
        with self._lock:
            found = self._entries.get(table)
            check_drop(table, moment_of(found[-1][1]) if found else None, self._retention, now)
            del self._entries[table]
            self._beside.pop(table, None)
            self._commands = {key: value for key, value in self._commands.items() if key[0] != table}

    @contextmanager
    def rows(self) -> Iterator[Iterator[tuple[str, Row]]]:
        with self._lock:
            found: list[tuple[str, Row]] = []
            lines = {table: dict(entries) for table, entries in self._entries.items()}
            for (table, command), (first, last) in self._commands.items():
                found.append(("entries", (table, first, last, command, lines[table][last])))
            for table, beside in self._beside.items():
                found += [("beside", (table, each.version, each.kind, each.line)) for each in beside]
            found += [("accounts", (*of, balance)) for of, balance in self._accounts.items()]
            found += [("postings", (p.id, p.account, p.currency, p.amount, p.at)) for p in self._postings.values()]
            found += [("faults", (f.table, f.at, f.reason)) for f in self._faults.values()]
            found.append(("settings", ("retention", str(self._retention))))
            documents = [each for each in self._documents.values() if each.kind != UNSAVED]
            found += [("documents", (each.kind, each.key, each.value, each.version)) for each in documents]
        yield iter(found)

    def fill(self, rows: Iterable[tuple[str, Row]]) -> None:
        new = MemoryStore()
        for part, row in rows:
            match part, row:
                case "entries", (table, first, last, command, line):
                    if first != new.version(table) + 1:
                        raise StoreError(f"version {first} of table {table} where {new.version(table) + 1} belongs")
                    new._entries.setdefault(table, []).append((last, line))
                    new._commands[table, command] = (first, last)
                case "beside", (table, version, kind, line):
                    new._beside.setdefault(table, []).append(Beside(version, kind, line))
                case "accounts", (account, currency, balance):
                    new._accounts[account, currency] = balance
                case "postings", (name, account, currency, amount, at):
                    new._postings[name] = Posting(name, account, currency, amount, at)
                case "faults", (table, at, reason):
                    new._faults[table] = Fault(table, at, reason)
                case "settings", ("retention", days):
                    new._retention = int(days)
                case "documents", (kind, key, value, version):
                    new._documents[kind, key] = Document(kind, key, value, version)
        with self._lock:
            if self._entries or self._accounts or self._documents:
                raise StoreError("a backup goes into an empty store")
            kept = ("_lock", "_listeners")
            self.__dict__.update({name: value for name, value in new.__dict__.items() if name not in kept})
        self._listeners.tell([ANYTHING])

    def close(self) -> None:
        self._closed = True
        self._listeners.close()
