"""The floor's own record: small documents of what holds now, and a log of everything significant that changed it.

The log has the form of a table's: numbered lines, each with the hash of the one before, appended in one transaction
with the documents that it is about. Each line is signed, so that nobody without the house's key can write it anew. It
holds no secret: of a password or a key it says only that it was changed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Generic, TypeVar

import msgspec

from puntobanco.currencies import in_words
from puntobanco.floor.wire import FLOOR_CODES, Problem, Significant
from puntobanco.store.base import (
    Append,
    ConflictError,
    Document,
    Note,
    OverdrawnError,
    Posting,
    ReusedError,
    StaleError,
    Store,
)
from puntobanco.store.chain import FIRST, encode, hash_of
from puntobanco.store.keys import PrivateKey, PublicKey
from puntobanco.table.refusals import CODES

LOG = "@office"
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


class OfficeLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the office's log; what is signed is the line without its signature."""

    prev: str
    version: int
    at: int
    actor: str
    entry: Entry
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

    def __init__(self, store: Store, kind: str, type_: type[T]) -> None:
        self.kind = kind
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
            documents = self._store.documents(self.kind)
            found = {key: (self._decode(each.value), each.version) for key, each in documents.items()}
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
        raise FloorError("unavailable", f"too many change {self.kind} {key} at once")

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

    def __init__(self, store: Store, key: PrivateKey) -> None:
        self.store = store
        self._key = key
        self._shelves: list[Shelf[msgspec.Struct]] = []
        self._guard = threading.Lock()
        self._version, self._head = 0, FIRST

    def shelf(self, kind: str, type_: type[T]) -> Shelf[T]:
        shelf = Shelf(self.store, kind, type_)
        self._shelves.append(shelf)  # type: ignore[arg-type]
        return shelf

    def heard(self, name: str) -> None:
        """The store says that something was written."""
        for shelf in self._shelves:
            if name in ("*", f"documents:{shelf.kind}"):
                shelf.forget()

    def record(self, now: int, actor: str, entry: Entry, make: Callable[[], tuple[Document, ...]] = tuple) -> None:
        """Write an entry with its documents, all or nothing; made anew where somebody else was quicker."""
        with self._guard:
            for _ in range(ATTEMPTS):
                documents = make()
                append = self._next(now, actor, entry, documents)
                try:
                    self.store.append(append)
                except ConflictError:
                    self._catch_up()
                    continue
                except StaleError:
                    self._forget(documents)
                    continue
                self._version, self._head = append.last, hash_of(append.line)
                self._forget(documents)
                return
        raise FloorError("unavailable", "too many write to the office's log at once")

    def post(self, now: int, actor: str, name: str, id: str, amount: int, currency: str) -> int:
        """Money that comes to an account from outside or leaves it, and the entry that says so: both or neither.

        The balance in that currency afterwards. The same posting again has no second effect and no second entry.
        """

        def note(before: int) -> Append:
            entry = Entry(
                "money posted", name, in_words(before, currency), in_words(before + amount, currency), f"posting {id}"
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
                return after
        raise FloorError("unavailable", "too many write to the office's log at once")

    def _next(self, now: int, actor: str, entry: Entry, documents: tuple[Document, ...] = ()) -> Append:
        line = encode(OfficeLine(self._head, self._version + 1, now, actor, entry).signed(self._key))
        return Append(LOG, self._version, f"{self._version + 1}:{hash_of(line)}", line, documents=documents)

    def _forget(self, documents: tuple[Document, ...]) -> None:
        for document in documents:
            self.heard(f"documents:{document.kind}")

    def _catch_up(self) -> None:
        for line in self.store.load(LOG, self._version):
            self._version, self._head = self._version + 1, hash_of(line)

    def entries(self, after: int = 0, most: int = 1000) -> list[Significant]:
        """Entries after a number, in order."""
        found: list[Significant] = []
        for raw in self.store.load(LOG, after):
            line = _decode(raw)
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
        return any(_decode(line).entry.what == what for line in self.store.load(LOG))

    def export(self) -> Iterator[bytes]:
        return (line + b"\n" for line in self.store.load(LOG))

    def broken_at(self) -> int | None:
        """The number of the first entry that does not follow the last, or that the house has not signed so."""
        head = FIRST
        for number, raw in enumerate(self.store.load(LOG), 1):
            try:
                line = _decode(raw)
            except msgspec.MsgspecError:
                return number
            follows = (line.version, line.prev) == (number, head) and encode(line) == raw
            if not follows or not line.is_signed(self._key.public):
                return number
            head = hash_of(raw)
        return None
