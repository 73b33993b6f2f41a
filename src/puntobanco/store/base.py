"""What every store does: append a command with its events durably, once, and give them back.

A store knows nothing of the rules. It keeps the lines of many tables' logs, the money on players' accounts, which
tables are out of order, and small named documents. An :class:`Append` is written whole or not at all, and has happened
when its future is done. A store also tells its listeners what was written, and who holds a name that only one may hold.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol

import msgspec

from puntobanco.currencies import in_words, is_code
from puntobanco.table.events import Event, Transfer
from puntobanco.table.state import account_of

RETENTION = 5 * 365 + 2
"""Days that a table's log is kept after its last event, unless the store is set otherwise: five years."""
DAY = 24 * 60 * 60 * 1000
EVERYWHERE = "*"
"""The name under which a fault closes all tables."""
ANYTHING = "*"
"""What a listener hears when something may have been missed: anything may have changed."""
FAULTS = "faults"
"""What a listener hears when a fault was set or cleared."""
UNSAVED = "session"
"""Documents of this kind are in no backup: nobody is signed in to a store that was brought back."""
Heard = Callable[[str], None]


class StoreError(Exception):
    """Something that was not stored. A store's other errors are bugs."""


class ConflictError(StoreError):
    """Somebody else has written: the table is not at the version that the append was made for."""

    def __init__(self, table: str, expected: int, found: int) -> None:
        super().__init__(f"table {table} is at version {found}, not at {expected}")
        self.table, self.expected, self.found = table, expected, found


class RepeatedError(StoreError):
    """The command has had its effect already: the events ``first`` to ``last``."""

    def __init__(self, table: str, command: str, first: int, last: int) -> None:
        super().__init__(f"command {command} was carried out at table {table}: versions {first} to {last}")
        self.table, self.command, self.first, self.last = table, command, first, last


class OverdrawnError(StoreError):
    """An account has less than is asked of it."""

    def __init__(self, account: str, currency: str, balance: int, wanted: int) -> None:
        super().__init__(f"account {account} holds {in_words(balance, currency)}, not {in_words(wanted, currency)}")
        self.account, self.currency, self.balance, self.wanted = account, currency, balance, wanted


class ReusedError(StoreError, ValueError):
    """The id of a posting, given again for something else."""


class StaleError(StoreError):
    """Somebody else has written: a document is not at the version that it was to be replaced at; 0 is not there."""

    def __init__(self, kind: str, key: str, found: int) -> None:
        super().__init__(f"{kind} {key} is at version {found}" if found else f"there is no {kind} {key}")
        self.kind, self.key, self.found = kind, key, found


class UnavailableError(StoreError):
    """The disk is full, the database gone, the store closed. Whether an append happened, only a reader can tell.

    The message says where and why, for the house; ``outside`` is what a client hears.
    """

    def __init__(self, message: str, outside: str = "the store does not answer") -> None:
        super().__init__(message)
        self.outside = outside


def outside(error: Exception) -> str:
    """What may be said of an error to somebody who is to hear of no files, hosts or databases."""
    return str(getattr(error, "outside", "") or error)


class SchemaError(StoreError, ValueError):
    """A database that is not one of ours, or was made by a later version."""

    outside = "the store is not one of this version's"


class BadNameError(StoreError, ValueError):
    """A name or an amount that no store can hold."""


class RetentionError(StoreError, ValueError):
    """A log that may not be dropped yet."""


class Beside(msgspec.Struct, frozen=True):
    """A checkpoint or reveal line, and the last event of the entry after which it stands."""

    version: int
    kind: str
    line: bytes


class Document(msgspec.Struct, frozen=True):
    """A small named value outside the logs. ``version`` is its own; to be kept, the one it replaces, 0 if it is new."""

    kind: str
    key: str
    value: bytes
    version: int = 0


class Append(msgspec.Struct, frozen=True):
    """What one command adds to a log: its line with so many events, moves on players' accounts, documents.

    ``follows`` is the command that must have led to ``expected``: a caller who submits several appends without
    waiting for the first cannot know that the version it will be at is not somebody else's.
    """

    table: str
    expected: int
    command: str
    line: bytes
    events: int = 1
    """The line holds the versions ``expected + 1`` to ``expected + events``."""
    beside: tuple[Beside, ...] = ()
    moves: dict[str, int] = {}
    documents: tuple[Document, ...] = ()
    removed: tuple[tuple[str, str], ...] = ()
    """Documents, by kind and key, that are there no longer afterwards."""
    follows: str = ""
    currency: str = ""
    """Of the moves: a table is in one currency."""

    @property
    def last(self) -> int:
        """The version of its last event."""
        return self.expected + self.events

    @property
    def heard(self) -> tuple[str, ...]:
        """What listeners hear once it has happened."""
        kinds = (*(each.kind for each in self.documents), *(kind for kind, _ in self.removed))
        return (self.table, *map(kind_heard, kinds))


class Posting(msgspec.Struct, frozen=True):
    """Money that reached a player's account from outside, or left it. Posted once, however often it is sent."""

    id: str
    account: str
    currency: str
    amount: int
    at: int


class Note(NamedTuple):
    """What is to be noted of a posting in a log, made from the balance before it."""

    log: str
    make: Callable[[int], Append]


class Fault(msgspec.Struct, frozen=True):
    """Why a table may not play, until somebody clears it."""

    table: str
    at: int
    reason: str


Row = tuple[Any, ...]


class Store(Protocol):
    """Where tables' logs and players' accounts live."""

    def submit(self, append: Append) -> Future[None]:
        """Write soon, together with what others submit; done when it is durable.

        The future fails with :class:`RepeatedError`, :class:`ConflictError`, :class:`StaleError` or
        :class:`OverdrawnError`, looked for in this order, or with :class:`UnavailableError`.
        """

    def append(self, append: Append) -> None:
        """Write, and return when it is durable."""

    def entries(self, table: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """The lines of commands with events after a version, in order, each with the version of its last event."""

    def load(self, table: str, after: int = 0) -> Iterator[bytes]:
        """These lines alone; none for a table that is not there."""

    def beside(self, table: str, after: int = 0) -> Iterator[Beside]:
        """Checkpoint and reveal lines that stand after later versions than ``after``, in order."""

    def version(self, table: str) -> int:
        """Where a table's log ends; 0 for a table that is not there."""

    def tables(self) -> dict[str, int]:
        """All tables by name, with their versions."""

    def answered(self, table: str, command: str) -> tuple[int, int] | None:
        """The first and last version that a command led to."""

    def post(self, posting: Posting, note: Note | None = None) -> int:
        """Move money between an account and the world outside; its balance in that currency afterwards.

        The same again has no second effect; another amount, currency or account under the id is a
        :class:`ReusedError`. What is noted goes into its log in the same transaction, or neither is done.
        """

    def accounts(self) -> dict[str, dict[str, int]]:
        """The balances of every account, by currency. Money never goes from one currency to another."""

    def balances(self, account: str) -> dict[str, int]:
        """What an account holds, by currency, in order; a currency that it never held is not there."""

    def balance(self, account: str, currency: str) -> int:
        """What an account holds in one currency; 0 if it never held any."""

    def set_fault(self, fault: Fault) -> None:
        """A table, or :data:`EVERYWHERE`, is out of order from now on; the first reason stays."""

    def clear_fault(self, table: str) -> None:
        """The table may play again."""

    def faults(self) -> dict[str, Fault]:
        """What is out of order, by table."""

    def document(self, kind: str, key: str) -> Document | None:
        """The latest version of one document."""

    def documents(self, kind: str) -> dict[str, Document]:
        """All documents of a kind by key, in order."""

    def keep(self, *documents: Document) -> None:
        """Write documents under their next versions, all or none: :class:`StaleError` for the first that cannot be."""

    def forget(self, kind: str, key: str) -> None:
        """Delete a document, whatever its version; nothing happens where there is none."""

    def listen(self, heard: Heard, *, own: bool = True) -> Callable[[], None]:
        """Be told, in some thread, soon after somebody appended to a log: its name. Returns what ends it.

        Without ``own`` what was submitted through this very store need not be told.

        ``documents:KIND`` says that documents of a kind were kept or forgotten, :data:`FAULTS` that a table was put out
        of order or back, :data:`ANYTHING` that something may have been missed. The same may be heard more than once.
        """

    def claim(self, name: str) -> bool:
        """Whether this store holds the name now, alone of all that are open; it is taken where nobody does."""

    def release(self, name: str) -> None:
        """Let others have the name. The end of the process, or :meth:`close`, releases all of them."""

    def alone(self) -> bool:
        """Whether nobody else was serving from this store when it was first asked, as this one is since then."""

    @property
    def retention(self) -> int:
        """Days that a log is kept after its last event."""

    @retention.setter
    def retention(self, days: int) -> None: ...

    def drop(self, table: str, now: int) -> None:
        """Forget a table whose last event is older than the retention; else :class:`RetentionError`."""

    def rows(self) -> AbstractContextManager[Iterator[tuple[str, Row]]]:
        """Everything as it is at one moment, while others go on writing: the name of a part, and a row of it."""

    def fill(self, rows: Iterable[tuple[str, Row]]) -> None:
        """Take over the rows of another store, all or nothing; this one must be empty."""

    def close(self) -> None:
        """Write what was submitted, then stop."""


PARTS: dict[str, tuple[str, ...]] = {
    "entries": ("log", "version", "last", "command", "line"),
    "beside": ("log", "version", "kind", "line"),
    "accounts": ("name", "currency", "balance"),
    "postings": ("id", "account", "currency", "amount", "at"),
    "faults": ("log", "at", "reason"),
    "settings": ("name", "value"),
    "documents": ("kind", "key", "content", "version"),
}
"""The parts of a store and their columns, in the order they are backed up."""
BYTES = frozenset({"line", "content"})
"""The columns that hold bytes."""
FILLED = ("entries", "accounts", "documents")
"""A store with something in one of these is not empty."""


def rows_of(part: str) -> str:
    """The query for what a backup has of a part."""
    which = f"where kind <> '{UNSAVED}' " if part == "documents" else ""
    return f"select {', '.join(PARTS[part])} from {part} {which}order by 1, 2"


def is_table(log: str) -> bool:
    """Whether a log is a table's. Names that begin with ``@`` are those of the house's own logs."""
    return not log.startswith("@")


def kind_heard(kind: str) -> str:
    """What a listener hears of documents of a kind."""
    return f"documents:{kind}"


def number_of(*names: str) -> int:
    """A number of 64 bits, with sign, for names that are locked."""
    return int.from_bytes(hashlib.sha256("\0".join(names).encode()).digest()[:8], "big", signed=True)


_ACCOUNT = account_of("")


def account_moves(events: Iterable[Event]) -> dict[str, int]:
    """What events add to players' accounts outside the table, and take from them."""
    moves: dict[str, int] = {}
    for event in events:
        transfers: Sequence[Transfer] = getattr(event, "transfers", ())
        for transfer in transfers:
            for account, amount in ((transfer.source, -transfer.amount), (transfer.target, transfer.amount)):
                if account.startswith(_ACCOUNT):
                    name = account.removeprefix(_ACCOUNT)
                    moves[name] = moves.get(name, 0) + amount
    return {account: amount for account, amount in moves.items() if amount}


def failed(error: BaseException) -> Future[None]:
    """A future that has failed already."""
    future: Future[None] = Future()
    future.set_exception(error)
    return future


def check_drop(table: str, last: int | None, days: int, now: int) -> None:
    """Raise :class:`RetentionError` unless the last event, in milliseconds since 1970, is old enough."""
    if last is None:
        raise RetentionError(f"there is no table {table}")
    if now < last + days * DAY:
        left = (last + days * DAY - now + DAY - 1) // DAY
        raise RetentionError(f"the log of table {table} is kept for {days} days after its last event, {left} more")


def check_retention(days: int) -> int:
    """Refuse to keep a log for less than a day."""
    if days < 1:
        raise ValueError("a log is kept for a day at least")
    return days


LARGEST = 2**62
"""More than this is on no account: databases count in 64 bits."""


def check_append(append: Append) -> None:
    """What databases could not hold is refused before it reaches one."""
    _check_names("a table, a command or an account", append.table, append.command, *append.moves)
    if append.events < 1:
        raise BadNameError("a command that led to nothing has no place in a log")
    if append.moves:
        check_currency(append.currency)
    for account, amount in append.moves.items():
        if abs(amount) > LARGEST:
            raise BadNameError(f"{amount} is more than an account can hold ({account})")
    if append.documents:
        check_documents(append.documents)
    for name in append.removed:
        _check_names("a document or its kind", *name)


def check_currency(currency: str) -> None:
    """That money is in a currency: :class:`BadNameError`."""
    if not is_code(currency):
        raise BadNameError(f"{currency!r} is not a currency: write a code in capital letters, as in SGD")


def check_posting(posting: Posting, account: str, currency: str, amount: int) -> None:
    """That a posting whose id is known is the one that was made for that account, currency and amount."""
    if (posting.account, posting.currency, posting.amount) != (account, currency, amount):
        was = f"{in_words(amount, currency)} for {account}"
        raise ReusedError(f"posting {posting.id} was of {was}: another one needs another id")


def by_account(rows: Iterable[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    """Rows of account, currency and balance as :meth:`Store.accounts` gives them."""
    found: dict[str, dict[str, int]] = {}
    for account, currency, balance in rows:
        found.setdefault(account, {})[currency] = balance
    return found


def check_documents(documents: Iterable[Document]) -> None:
    """Refuse documents whose names, versions or sizes no store takes."""
    for document in documents:
        _check_names("a document or its kind", document.kind, document.key)
        if not 0 <= document.version < LARGEST:
            raise BadNameError(f"{document.version} is not a version of a document")


def _check_names(of: str, *names: str) -> None:
    for name in names:
        if not name or "\0" in name:
            raise BadNameError(f"{name!r} cannot name {of}")
