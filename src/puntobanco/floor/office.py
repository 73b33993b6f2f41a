"""The floor's own record: small documents of what holds now, and a log of everything significant that changed it.

The log has the form of a table's: numbered lines, each with the hash of the one before, appended in one transaction
with the documents that it is about. Each line is signed, so that nobody without the house's key can write it anew. It
holds no secret: of a password or a key it says only that it was changed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from puntobanco.currencies import in_words
from puntobanco.floor.wire import FLOOR_CODES, Problem, Significant
from puntobanco.store.accounts_check import Books, Posted
from puntobanco.store.base import (
    Append,
    ConflictError,
    Document,
    Note,
    OverdrawnError,
    Posting,
    RepeatedError,
    ReusedError,
    StaleError,
    Store,
)
from puntobanco.store.chain import FIRST, LineError, encode, hash_of, moment_of
from puntobanco.store.keys import PrivateKey, PublicKey
from puntobanco.table.refusals import CODES

LOG = "@office"
SYSTEM = "system"
"""The floor itself, where it writes into its log."""
SIGNS = b"puntobanco office 1\n"
ATTEMPTS = 20
T = TypeVar("T", bound=msgspec.Struct)


class FloorError(Exception):
    """A request that the floor does not grant."""

    def __init__(self, code: str, message: str) -> None:
        assert code in FLOOR_CODES or code in CODES, code
        super().__init__(message)
        self.problem = Problem(code, message)

    @classmethod
    def of(cls, problem: Problem) -> FloorError:
        error = cls(problem.code, problem.message)
        error.problem = problem
        return error


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was done, to what, the value before and after, and why."""

    what: str
    about: str = ""
    before: str = ""
    after: str = ""
    why: str = ""
    posting: Posted | None = None
    """The money that it is about: balances follow from these."""
    carried: tuple[Posted, ...] = ()
    """Money that was accepted as it was found, or that a log had moved which is kept no longer."""


class OfficeLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the office's log; what is signed is the line without its signature."""

    prev: str
    version: int
    at: int
    actor: str
    entry: Entry
    documents: dict[str, str] = {}
    """The SHA-256 of each document that was written with it, by kind and key; empty where one was removed."""
    signature: str = ""

    def signed(self, key: PrivateKey) -> OfficeLine:
        return msgspec.structs.replace(self, signature=key.sign(SIGNS + encode(self)).hex())

    def is_signed(self, key: PublicKey) -> bool:
        unsigned = encode(msgspec.structs.replace(self, signature=""))
        try:
            signature = bytes.fromhex(self.signature)
        except ValueError:
            return False
        return signature.hex() == self.signature and key.signed(SIGNS + unsigned, signature)


_decode = msgspec.json.Decoder(OfficeLine).decode


class Shelf(Generic[T]):
    """The documents of one kind, kept in memory and read anew when somebody has changed one."""

    def __init__(self, store: Store, kind: str, type_: type[T], *, strict: bool = False) -> None:
        self.kind = kind
        self._strict = strict
        self._store = store
        self._decode = msgspec.json.Decoder(type_).decode
        self._guard = threading.Lock()
        self._cache: dict[str, tuple[T, int]] | None = None
        self._era = 0

    def forget(self) -> None:
        """Another process may have changed something."""
        with self._guard:
            self._cache = None
            self._era += 1

    def _all(self) -> dict[str, tuple[T, int]]:
        with self._guard:
            found, era = self._cache, self._era
        if found is None:
            found = {}
            for key, each in self._store.documents(self.kind).items():
                try:
                    found[key] = (self._decode(each.value), each.version)
                except (msgspec.MsgspecError, ValueError):
                    if self._strict:
                        raise
                    # it stands for nothing, and the audit names it
            with self._guard:
                if self._era == era:
                    self._cache = found
        return found

    def all(self) -> dict[str, T]:
        return {key: value for key, (value, _) in self._all().items()}

    def get(self, key: str) -> T | None:
        found = self._all().get(key)
        return found[0] if found else None

    def document(self, key: str, value: T) -> Document:
        """What to keep so that this is the value, if it is still as it was read."""
        found = self._all().get(key)
        return Document(self.kind, key, encode(value), found[1] if found else 0)

    def put(self, key: str, value: T) -> None:
        """Keep a value that is worth no entry in the log."""
        for _ in range(ATTEMPTS):
            with suppress(StaleError):
                self._store.keep(self.document(key, value))
                self.forget()
                return
            self.forget()
        raise FloorError("unavailable", f"{self.kind} {key} is being changed by too many at once")

    def change(self, key: str, make: Callable[[T | None], T | None]) -> T | None:
        """Keep what is made of the value there is, asked anew where somebody else was quicker; None keeps nothing."""
        for _ in range(ATTEMPTS):
            found = self._all().get(key)
            value = make(found[0] if found else None)
            if value is None:
                return None
            with suppress(StaleError):
                self._store.keep(Document(self.kind, key, encode(value), found[1] if found else 0))
                self.forget()
                return value
            self.forget()
        raise FloorError("unavailable", f"{self.kind} {key} is being changed by too many at once")

    def renew(self, key: str, value: T) -> None:
        """Keep another value for what is there; whatever was removed in the meantime stays removed."""
        for _ in range(ATTEMPTS):
            if key not in self._all():
                return
            with suppress(StaleError):
                self._store.keep(self.document(key, value))
                self.forget()
                return
            self.forget()

    def remove(self, key: str) -> None:
        self._store.forget(self.kind, key)
        self.forget()


class Office:
    """Keeps the log, and tells every shelf when it is out of date."""

    def __init__(self, store: Store, key: PrivateKey, witness: Path | None = None) -> None:
        self.store = store
        self._key = key
        self._witness = witness
        self._shelves: list[Shelf[msgspec.Struct]] = []
        self._guard = threading.Lock()
        self._version, self._head = 0, FIRST
        self._at = 0
        """When the last entry was written: none is before an earlier one."""

    def mac(self, purpose: str, *parts: str) -> str:
        """What only the house can make of the parts."""
        return self._key.mac(purpose, *parts)

    def shelf(self, kind: str, type_: type[T], *, strict: bool = False) -> Shelf[T]:
        """Documents that cannot be read are not there, unless it is ``strict``."""
        shelf = Shelf(self.store, kind, type_, strict=strict)
        self._shelves.append(shelf)  # type: ignore[arg-type]
        return shelf

    def heard(self, name: str) -> None:
        """The store says that something was written."""
        for shelf in self._shelves:
            if name in ("*", f"documents:{shelf.kind}"):
                shelf.forget()

    def record(
        self,
        now: int,
        actor: str,
        entry: Entry,
        make: Callable[[], tuple[Document, ...]] = tuple,
        gone: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Write an entry with its documents, all or nothing; made anew where somebody else was quicker.

        ``gone`` are documents that are removed with it, by kind and key.
        """
        with self._guard:
            for _ in range(ATTEMPTS):
                documents = make()
                append = self._next(now, actor, entry, documents, gone)
                try:
                    self.store.append(append)
                except (ConflictError, RepeatedError):  # the same entry, by another process in the same moment
                    self._catch_up()
                    continue
                except StaleError:
                    self._forget(documents)
                    continue
                self._version, self._head, self._at = append.last, hash_of(append.line), moment_of(append.line)
                self._seen()
                for name in append.heard[1:]:
                    self.heard(name)
                return
        raise FloorError("unavailable", "too many are writing to the office's log at once")

    def post(self, now: int, actor: str, name: str, id: str, amount: int, currency: str) -> int:
        """Money that comes to an account from outside or leaves it, and the entry that says so: both or neither.

        The balance in that currency afterwards. The same posting again has no second effect and no second entry.
        """

        def note(before: int) -> Append:
            entry = Entry(
                "money posted",
                name,
                in_words(before, currency),
                in_words(before + amount, currency),
                f"posting {id}",
                Posted(f"{name}:{id}", name, currency, amount),
            )
            return self._next(now, actor, entry)

        with self._guard:
            for _ in range(ATTEMPTS):
                try:
                    after = self.store.post(Posting(f"{name}:{id}", name, currency, amount, now), Note(LOG, note))
                except ConflictError:
                    self._catch_up()
                    continue
                except OverdrawnError as error:
                    told = f"there are {in_words(error.balance, currency)} on the account"
                    raise FloorError("bad_request", told) from None
                except ReusedError as error:
                    raise FloorError("exists", str(error)) from None
                self._catch_up()
                self._seen()
                return after
        raise FloorError("unavailable", "too many are writing to the office's log at once")

    def _next(
        self,
        now: int,
        actor: str,
        entry: Entry,
        documents: tuple[Document, ...] = (),
        gone: tuple[tuple[str, str], ...] = (),
    ) -> Append:
        vouched = {named(each.kind, each.key): hash_of(each.value) for each in documents}
        vouched |= {named(*name): "" for name in gone}
        at = max(now, self._at)  # by the clock of a process that is behind another one's
        line = encode(OfficeLine(self._head, self._version + 1, at, actor, entry, vouched).signed(self._key))
        return Append(
            LOG, self._version, f"{self._version + 1}:{hash_of(line)}", line, documents=documents, removed=gone
        )

    def _forget(self, documents: tuple[Document, ...]) -> None:
        for document in documents:
            self.heard(f"documents:{document.kind}")

    def _catch_up(self) -> None:
        line = b""
        for line in self.store.load(LOG, self._version):
            self._version, self._head = self._version + 1, hash_of(line)
        with suppress(LineError):  # what is damaged the audit tells
            self._at = max(self._at, moment_of(line))

    def entries(self, after: int = 0, most: int = 1000) -> list[Significant]:
        """Entries after a number, in order."""
        found: list[Significant] = []
        for line in self._lines(after):
            entry = line.entry
            found.append(
                Significant(
                    line.version, line.at, line.actor, entry.what, entry.about, entry.before, entry.after, entry.why
                )
            )
            if len(found) == most:
                break
        return found

    def knows(self, what: str) -> bool:
        """Whether such an entry was ever made."""
        return any(line.entry.what == what for line in self._lines())

    def _lines(self, after: int = 0) -> Iterator[OfficeLine]:
        """Those that can be read; the audit names the others."""
        for raw in self.store.load(LOG, after):
            with suppress(msgspec.MsgspecError, ValueError):
                yield _decode(raw)

    def dropped(self) -> set[str]:
        """The tables whose logs somebody has dropped."""
        return {line.entry.about for line in self._lines() if line.entry.what == "log dropped"}

    def export(self) -> Iterator[bytes]:
        return (line + b"\n" for line in self.store.load(LOG))

    def broken_at(self) -> int | None:
        """The number of the first entry that does not follow the last, or that the house has not signed so."""
        return next(self._broken(), None)

    def _broken(self) -> Iterator[int]:
        head = FIRST
        for number, raw in enumerate(self.store.load(LOG), 1):
            try:
                line = _decode(raw)
            except (msgspec.MsgspecError, ValueError):
                yield number
                return
            follows = (line.version, line.prev) == (number, head) and encode(line) == raw
            if not follows or not line.is_signed(self._key.public):
                yield number
                return
            head = hash_of(raw)

    # --- what holds it to its word

    def _seen(self) -> None:
        """Leave its length and head outside the database: a log that was cut, emptied or deleted is then noticed."""
        if self._witness is not None:
            with suppress(OSError), self._witness.open("ab") as file:  # the next entry tells more than this one
                file.write(encode(_Mark(self._version, self._head)) + b"\n")
                file.flush()
                os.fsync(file.fileno())

    def lost(self) -> str:
        """That the log is not the one that was witnessed; nothing where it is."""
        marks = self._marks()
        if not marks:
            return ""
        hashes = dict(enumerate(map(hash_of, self.store.load(LOG)), 1))
        latest = max(marks)
        if latest not in hashes:
            return f"the floor's log ends at entry {len(hashes)}, and {latest} were witnessed"
        changed = next((number for number, head in sorted(marks.items()) if hashes.get(number) != head), None)
        return "" if changed is None else f"entry {changed} of the floor's log is not the one that was witnessed"

    def _marks(self) -> dict[int, str]:
        marks: dict[int, str] = {}
        if self._witness is not None:
            with suppress(FileNotFoundError), self._witness.open("rb") as file:
                for line in file:
                    with suppress(msgspec.MsgspecError, ValueError):  # torn while it was written
                        mark = _decode_mark(line)
                        marks[mark.version] = mark.head
        return marks

    def problems(self) -> list[str]:
        """Everything in the floor's own record that its signed log does not bear out."""
        wrong = [lost] if (lost := self.lost()) else []
        if (broken := self.broken_at()) is not None:
            wrong.append(f"entry {broken} of the floor's log is not as the house has signed it, or does not follow")
        return [*wrong, *self._unvouched(), *self.books().problems()]

    def books(self) -> Books:
        """What the record says of accounts."""
        books = Books(LOG)
        with self.store.rows() as rows:
            books.read(rows)
        return books

    def _unvouched(self) -> Iterator[str]:
        """Documents that are not as they were when the log spoke of them last."""
        vouched, faults = self._last_told()
        for kind in VOUCHED:
            found = {named(kind, key): hash_of(each.value) for key, each in self.store.documents(kind).items()}
            for name in sorted(found.keys() | {each for each in vouched if each.startswith(f"{kind} ")}):
                if found.get(name, "") != vouched.get(name, ""):
                    yield f"{name} is not as the floor's log has it"
        for table in sorted(faults - self.store.faults().keys()):
            yield f"the fault of {table} was removed, and nobody has cleared it"

    def _last_told(self) -> tuple[dict[str, str], set[str]]:
        vouched: dict[str, str] = {}
        faults: set[str] = set()
        for line in self._lines():
            vouched |= line.documents
            if line.entry.what == "fault":
                faults.add(line.entry.about)
            elif line.entry.what == "fault cleared":
                faults.discard(line.entry.about)
        return vouched, faults

    def accept(self, now: int, actor: str, why: str) -> list[str]:
        """Somebody has looked at what is wrong with accounts and documents, and it is to hold from now on."""
        found = self.problems()
        documents = [each for kind in VOUCHED for each in self.store.documents(kind).values()]
        there = {named(each.kind, each.key) for each in documents}
        names = (name.partition(" ") for name in sorted(self._last_told()[0].keys() - there))
        gone = tuple((kind, key) for kind, _, key in names if kind in VOUCHED)
        entry = Entry("record accepted", after="; ".join(found), why=why, carried=self.books().differences())
        self.record(now, actor, entry, lambda: tuple(documents), gone)
        return found


VOUCHED = ("person", "secret", "factor", "device", "stop", "call", "era", "own")
"""The kinds of documents that change with an entry of the log, and never without one; a manifest has its signature."""


def named(kind: str, key: str) -> str:
    """How the log names a document."""
    return f"{kind} {key}"


class _Mark(msgspec.Struct, frozen=True):
    version: int
    head: str


_decode_mark = msgspec.json.Decoder(_Mark).decode
