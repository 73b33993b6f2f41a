"""Verifies a table's log: every command carried out again, and the second opinions on what came of it.

These are the literal rules for every settlement, a ledger and a count of cards of its own, the chain, the signatures,
the committed shoes.
It goes through the lines once and stops at the first that is wrong. A log by itself can only be shown to be consistent:
who wrote it may have written another one. Against that there are a key that is known from elsewhere, and checkpoints
that were seen elsewhere: no log that lacks one of these, or tells another story before it, passes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import get_args

import msgspec

from puntobanco.rules.load import find_book
from puntobanco.script.execution import difference
from puntobanco.script.log import CANNOT_BE, LATEST, other_book, other_engine
from puntobanco.shoes.audit import check_shoe
from puntobanco.shoes.commit import CommitmentError
from puntobanco.shoes.history import ShoeHistory, follow
from puntobanco.store.cards_check import OF_CARDS, CardCount
from puntobanco.store.chain import (
    CHECKED,
    FIRST,
    Line,
    LineError,
    SignedCheckpoint,
    encode,
    kind_of,
    read_checkpoint,
    read_reveal,
)
from puntobanco.store.keys import PublicKey
from puntobanco.store.ledger_check import Ledger
from puntobanco.store.money_check import SETTLING, is_literal, wrong_settlements
from puntobanco.store.tree import Tree
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.engine import Done, FindBook, execute
from puntobanco.table.entry import Entry, rank_at
from puntobanco.table.events import AnyEvent
from puntobanco.table.refusals import Refusal
from puntobanco.table.state import Table

AT_ONCE = 64
"""Checkpoints whose signatures are checked by the last of them."""


class Problem(msgspec.Struct, frozen=True):
    """The first thing wrong with a log. Where only a span of events is known to hold it, ``last`` is its end."""

    line: int
    """The line at which it came out, counted from 1; one after the end for what is missing there."""
    event: int
    last: int
    message: str

    def __str__(self) -> str:
        events = f"event {self.event}" if self.event == self.last else f"events {self.event} to {self.last}"
        return f"{events}: {self.message}"


class Report(msgspec.Struct, frozen=True):
    """What was checked, up to the end or to the first problem."""

    table: str
    commands: int
    events: int
    rounds: int
    """Rounds settled, each by the rules; one that was settled again counts again."""
    checkpoints: int
    shoes: int
    """Committed shoes whose order was revealed and is right."""
    uncommitted: int
    """Shoes of an electronic table that published nothing before their first card: the cards may have been chosen."""
    unsigned: int
    """Events after the last checkpoint: chained, but not signed yet."""
    chained: bool
    """Whether there are hashes in the log; without them nothing is signed or revealed either."""
    closed: bool
    literal: bool
    """Whether the game is one of those whose paragraphs are spelt out; others are settled by their book file."""
    key: PublicKey | None
    trusted: bool
    """Whether the key was known beforehand."""
    seen: int
    """Checkpoints of this table that were seen elsewhere and are in the log."""
    balances: dict[str, int]
    problem: Problem | None


class SeenError(ValueError):
    """A file of checkpoints seen elsewhere that cannot serve as one."""


class _Bad(Exception):  # noqa: N818 - not an error of the program
    def __init__(self, message: str, event: int, last: int | None = None, line: int = 0) -> None:
        super().__init__(message)
        self.event, self.last = event, event if last is None else last
        self.line = line
        """Where it stands, if that is not the line being read."""


def verify_log(
    data: bytes | Iterable[bytes],
    key: PublicKey | None = None,
    seen: Sequence[SignedCheckpoint] = (),
    books: FindBook = find_book,
) -> Report:
    """Check a log, given whole or as lines. Without a key the log's own is used, which proves consistency only."""
    lines = _lines(data) if isinstance(data, bytes) else (line.removesuffix(b"\n") for line in data)
    verifier = _Verifier(key, seen, books)
    problem: Problem | None = None
    blank = False
    try:
        for line in lines:
            verifier.line += 1
            if blank:
                raise _Bad("an empty line before it", verifier.version + 1)
            blank = not line
            if line.endswith(b"\r"):
                raise _Bad(_CONVERTED, verifier.version + 1)
            if line:
                verifier.feed(line)
        if isinstance(data, bytes) and data and not blank:
            raise _Bad("its line does not end", max(verifier.version, 1))
        verifier.line += 1
        verifier.finish()
    except _Bad as bad:
        problem = _problem(verifier, bad)
    return verifier.report(problem)


_CONVERTED = "its line ends in CR LF: the file was converted on its way, so take the log as export writes it"


def _lines(data: bytes) -> Iterator[bytes]:
    """What ``split`` gives, one by one: all lines at once would be as large as the log again."""
    start = 0
    while (end := data.find(b"\n", start)) >= 0:
        yield data[start:end]
        start = end + 1
    yield data[start:]


def _problem(verifier: _Verifier, bad: _Bad) -> Problem:
    """What came out first, unless a signature before it is wrong."""
    try:
        verifier.check_signatures()
    except _Bad as earlier:
        bad = earlier
    return Problem(bad.line or verifier.line, bad.event, bad.last, str(bad))


def parse_seen(
    data: bytes, source: str, key: PublicKey | None = None, warn: Callable[[str], None] | None = None
) -> list[SignedCheckpoint]:
    """Checkpoints from a witness file, a receipt or an earlier copy of the log. Raises :class:`SeenError`.

    With ``warn`` a line that was torn while it was written is told to it and left out.
    """
    found: list[SignedCheckpoint] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        line = line.removesuffix(b"\r")
        if not line or kind_of(line) == "reveal" or line.startswith(b'{"version":'):
            continue  # an earlier copy of the log serves as well
        if warn is not None and _is_torn(line):
            warn(f"{source}:{number}: a torn line, left out")
            continue
        try:
            signed = read_checkpoint(line)
            own = PublicKey.from_hex(signed.key)
        except (LineError, ValueError) as error:
            raise SeenError(f"{source}:{number}: this is not a checkpoint: {error}") from error
        if not signed.signed_by(own):
            raise SeenError(f"{source}:{number}: this checkpoint is not signed by its key")
        if key is not None and own != key:
            raise SeenError(f"{source}:{number}: this checkpoint is signed by another key, {own.fingerprint}")
        found.append(signed)
    return found


def _is_torn(line: bytes) -> bool:
    """Whether it begins as a checkpoint line does, and ends before its end."""
    begins = line[: len(_BEGINS)]
    return _BEGINS.startswith(begins) and not line.endswith(b'"}')


_BEGINS = b'{"checkpoint":{'


class _Verifier:
    """A log as far as it was read and found right."""

    def __init__(self, key: PublicKey | None, seen: Sequence[SignedCheckpoint], books: FindBook) -> None:
        self.line = 0
        self.version = 0
        self._trusted = key is not None
        self._key = key
        self._all_seen = seen
        self._seen: dict[int, list[SignedCheckpoint]] = {}
        self._books = books
        self._table: Table | None = None
        self._name = ""
        self.chained = True
        self._head: str | None = FIRST
        """The hash of the last entry's line; None where the log has no hashes."""
        self._entry_at = 0
        """The first event of the last entry."""
        self._commands = 0
        self._ids: dict[str, int] = {}
        """Commands by their ids, with the first event of each."""
        self._ledger = Ledger()
        self._cards = CardCount()
        self._tree = Tree()
        self._signed = 0
        """The version of the last checkpoint."""
        self._confirmed = 0
        """The version of the last checkpoint that was seen elsewhere."""
        self._matched = 0
        self._due = False
        """Whether a checkpoint must come next."""
        self._doubted: tuple[_Bad, str] | None = None
        """A checkpoint that signs another hash than the entry's before it, and that hash."""
        self._before = FIRST
        """The hash of the last checkpoint's line."""
        self._unchecked: list[tuple[SignedCheckpoint, int, int]] = []
        """Checkpoints whose signatures are still to be checked, with the first event that each covers, and its line."""
        self._rounds = self._shoes = self._uncommitted = 0
        self._shoe: _Shoe | None = None
        """The committed shoe that is in use, or waits to be revealed."""
        self._commitments: dict[str, int] = {}

    def feed(self, line: bytes) -> None:
        if self._doubted is not None:
            raise _narrowed(*self._doubted, line, self._entry_at)
        kind = kind_of(line)
        if kind == "entry":
            self._entry(line)
        elif self._table is None:
            raise _Bad("a log begins with the table's opening", 1)
        elif not self.chained:
            raise _Bad(f"a {kind} in a log without hashes", self._entry_at, self.version)
        elif kind == "checkpoint":
            self._checkpoint(line)
        else:
            self._reveal(line)

    # --- entries

    def _entry(self, raw: bytes) -> None:
        before, first = self._table, self.version + 1
        if before is None:
            self._begin(raw)
        try:
            line = _decode(raw)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise _Bad(f"this is not an entry: {error}", first) from None
        given = line.command
        if line.version != first or line.prev != self._head or self._due:
            raise self._misplaced(line, first)
        if not 0 <= given.at <= LATEST:
            raise _Bad(f"{given.at} is not a time in milliseconds since 1970", first)
        if (earlier := self._ids.setdefault(given.id, first)) != first:
            raise _Bad(f"the command {given.id} was given before: event {earlier} came of it", first)
        try:
            done = execute(before, given, self._books)
        except CANNOT_BE as error:
            raise _Bad(f"the rules make nothing of this command: {type(error).__name__}", first) from None
        if isinstance(done, Refusal):
            raise self._contradiction(raw, done, first)
        events, rank = done.events, rank_at(before, given.actor)
        if self.chained:
            written = encode(Line(first, given, rank, events, line.prev))  # type: ignore[arg-type]
        else:
            written = encode(Entry(first, given, rank, events))  # type: ignore[arg-type]
        if written != raw:
            raise self._contradiction(raw, done, first)
        kinds = set(map(type, events))
        if not kinds.isdisjoint(_TELLING) or self._shoe is not None:
            self._check(before, events, kinds, first)
        if not kinds.isdisjoint(OF_CARDS):
            self._check_cards(done.table, events, kinds, first)
        if before is None:
            self._open(done.table)
        self._table, self._entry_at, self.version = done.table, first, done.table.version
        self._commands += 1
        if self.chained:
            self._head = hashlib.sha256(raw).hexdigest()
            self._due = not CHECKED.isdisjoint(kinds)

    def _begin(self, raw: bytes) -> None:
        """The first line: whether there are hashes in the log, and which engine and book made it.

        A log of an engine or a book that is not here is no contradiction, and nothing can be said of the rest.
        """
        if message := other_engine(raw):
            raise _Bad(message, 1)
        entry = _read(raw, 1)
        opened = entry.events[0] if entry.events and entry.version == 1 else None
        if not isinstance(opened, e.TableOpened):
            raise _Bad("a log begins with the table's opening", 1)
        if message := other_book(opened, self._books):
            raise _Bad(message, 1)
        self.chained = _decode(raw).prev is not None
        if not self.chained:
            self._head = None
            if self._trusted:
                raise _Bad("there are no hashes in this log: no key has signed it", 1)

    def _misplaced(self, line: _Short, first: int) -> _Bad:
        """How an entry does not follow the one before it."""
        if line.version != first:
            return _Bad(f"missing: event {line.version} stands in its place", first)
        if line.prev == self._head:
            return _Bad("the checkpoint that belongs after it is missing", self._entry_at, self.version)
        if first == 1:
            return _Bad("this is not the beginning of the log", 1)
        return _Bad(f"changed: event {first} was written after another one", self._entry_at, self.version)

    def _contradiction(self, raw: bytes, done: Done | Refusal, first: int) -> _Bad:
        """What a line says that its command cannot have led to."""
        line = _read(raw, first)
        found = difference(self._table, line, done)
        if found is None:
            return _Bad("not written in the one way that the format has", first, line.last)
        return _Bad(found.message, found.version, found.last)

    def _open(self, table: Table) -> None:
        self._name = table.settings.table
        for signed in self._all_seen:
            if signed.checkpoint.table == self._name:
                self._seen.setdefault(signed.checkpoint.number, []).append(signed)

    # --- the second opinions

    def _check(self, before: Table | None, events: Sequence[e.Event], kinds: set[type], first: int) -> None:
        """Settlements by the literal rules, the money in a ledger of its own, the cards of committed shoes."""
        if before is not None and not SETTLING.isdisjoint(kinds):
            self._rounds += sum(type(event) in SETTLING for event in events)
            if found := wrong_settlements(before, events):
                raise _Bad(found[1], first + found[0])
        for version, event in enumerate(events, first):
            kind = type(event)
            message: str | None = None
            if kind in _MOVING:
                message = self._ledger.post(event.transfers)  # type: ignore[attr-defined]
            elif kind is e.RoundEnded:
                message = self._ledger.left_on_layout()
            if message is None and (self._shoe is not None or kind in _ORDERING):
                message = self._wrong_shoe(before, event, version)
            if message is not None:
                raise _Bad(message, version)

    def _check_cards(self, after: Table, events: Sequence[e.Event], kinds: set[type], first: int) -> None:
        """Every card that left the shoe is in one place."""
        for event in events:
            self._cards.follow(event)
        if message := self._cards.wrong(after, kinds):
            raise _Bad(message, first, after.version)

    def _wrong_shoe(self, before: Table | None, event: e.Event, version: int) -> str | None:
        if isinstance(event, e.ShoeStarted | e.CardsReturned):
            return self._start_order(before, event, version)
        assert self._shoe is not None
        try:
            self._shoe.follow(event, version)
        except CommitmentError as error:
            return str(error)
        if type(event) is e.TableClosed and before is not None and before.shoe.ended:
            return self._unrevealed()  # one that is in use is over with the table, and revealed after it
        return None

    def _start_order(self, before: Table | None, event: e.ShoeStarted | e.CardsReturned, version: int) -> str | None:
        if self._shoe is not None:
            in_use = f"shoe {self._shoe.number} was committed to and is still in use"
            if message := self._unrevealed() or ("" if self._shoe.history.over else in_use):
                return message
            self._shoe = None
        if not event.commitment:
            self._uncommitted += self._table is not None and self._table.settings.electronic
            return None
        if isinstance(event, e.ShoeStarted):
            history = ShoeHistory(event.number, event.cards, event.commitment, event.shuffler)
        else:
            assert before is not None
            shoe = before.shoe
            history = ShoeHistory(shoe.number, shoe.size, event.commitment, True, shoe.mixed + 1)
        if (earlier := self._commitments.get(event.commitment)) is not None:
            return f"shoe {history.number} has the commitment of shoe {earlier}"
        self._commitments[event.commitment] = history.number
        self._shoe = _Shoe(history, version)
        return None

    def _unrevealed(self) -> str | None:
        if not self.chained or self._shoe is None or not self._shoe.history.over:
            return None  # nothing is revealed in a log without hashes
        return f"shoe {self._shoe.number} was committed to and is over, but its order was not revealed"

    # --- beside the events

    def _checkpoint(self, raw: bytes) -> None:
        first, version, number = self._signed + 1, self.version, self._tree.size + 1
        try:
            signed = read_checkpoint(raw)
            known = self._key
            own = known if known and signed.key == known.hex else PublicKey.from_hex(signed.key)
        except (LineError, ValueError) as error:
            raise _Bad(f"the checkpoint after it cannot be read: {error}", first, version) from None
        found = signed.checkpoint
        if found.number == number and found.version > version:
            raise _Bad(f"missing: checkpoint {number} stands after event {found.version}", version + 1, found.version)
        if found.table != self._name or found.number != number or found.version != version or version < first:
            raise _Bad(f"checkpoint {number} is missing or stands elsewhere", first, max(version, first))
        self._check_key(own, number, first)
        if found.head != self._head:
            message = f"changed: checkpoint {number} signs other events"
            self._doubted = _Bad(message, first, version, self.line), found.head
            return
        self._tree.add(bytes.fromhex(found.head))
        if found.root != self._tree.root().hex():
            raise _Bad(f"checkpoint {number} follows other checkpoints than these", first, version)
        if found.before != self._before:
            raise _Bad(f"checkpoint {number} follows another one than stands before it", first, version)
        self._unchecked.append((signed, first, self.line))
        if len(self._unchecked) == AT_ONCE:
            self.check_signatures()
        self._compare_seen(signed)
        self._signed, self._due, self._before = version, False, hashlib.sha256(raw).hexdigest()

    def check_signatures(self) -> None:
        """A checkpoint has the hash of the one before: if the last is signed, so are all before it."""
        unchecked, self._unchecked = self._unchecked, []
        key = self._key
        if not unchecked or key is None or unchecked[-1][0].signed_by(key):
            return
        for signed, first, line in unchecked:
            if not signed.signed_by(key):
                found = signed.checkpoint
                raise _Bad(f"checkpoint {found.number} is not signed by its key", first, found.version, line)

    def _check_key(self, own: PublicKey, number: int, first: int) -> None:
        if self._key is None:
            self._key = own
        elif own != self._key:
            known = "the trusted one" if self._trusted else "that of the checkpoints before"
            message = f"checkpoint {number} is signed by the key {own.fingerprint}, which is not {known}"
            raise _Bad(message, first, max(self.version, first))

    def _compare_seen(self, signed: SignedCheckpoint) -> None:
        found = signed.checkpoint
        for other in self._seen.pop(found.number, ()):
            if other.checkpoint != found or other.key != signed.key:
                seen = other.checkpoint
                last = max(min(seen.version, found.version), self._confirmed + 1)
                message = (
                    f"rewritten: checkpoint {seen.number} was seen with other events before version {seen.version}"
                )
                raise _Bad(message, self._confirmed + 1, last)
            self._confirmed = found.version
            self._matched += 1

    def _reveal(self, raw: bytes) -> None:
        shoe, table = self._shoe, self._table
        assert table is not None
        try:
            reveal = read_reveal(raw)
        except LineError as error:
            raise _Bad(f"the reveal after it cannot be read: {error}", self.version) from None
        if shoe is None or not shoe.history.over or (reveal.table, reveal.shoe) != (self._name, shoe.number):
            raise _Bad(f"shoe {reveal.shoe} is revealed here, but none of that number waits for it", self.version)
        try:
            check_shoe(shoe.history, reveal, table.settings.book_hash)
        except CommitmentError as error:
            raise _Bad(str(error), shoe.event_of(error.card)) from None
        self._shoe = None
        self._shoes += 1

    # --- the end

    def finish(self) -> None:
        if self._table is None:
            raise _Bad("the log is empty: there is no event in it", 1, line=1)
        self.check_signatures()
        if self._doubted is not None:
            raise self._doubted[0]
        if self._due:
            raise _Bad("the checkpoint that belongs after it is missing", self._entry_at, self.version)
        if message := self._ledger.differs(self._table):
            raise _Bad(message, self.version)
        if not self._table.open and (unrevealed := self._unrevealed()):
            raise _Bad(unrevealed, self.version)
        missing = [signed.checkpoint for others in self._seen.values() for signed in others]
        if missing:
            farthest = max(missing, key=lambda checkpoint: checkpoint.version)
            message = (
                f"cut off: the log ends at version {self.version}, but checkpoint {farthest.number}"
                f" at version {farthest.version} was seen"
            )
            first = min(checkpoint.version for checkpoint in missing)
            raise _Bad(message, min(self.version + 1, first), farthest.version)

    def report(self, problem: Problem | None) -> Report:
        table = self._table
        return Report(
            table=self._name,
            commands=self._commands,
            events=self.version,
            rounds=self._rounds,
            checkpoints=self._tree.size,
            shoes=self._shoes,
            uncommitted=self._uncommitted,
            unsigned=self.version - self._signed,
            chained=self.chained,
            closed=table is not None and not table.open,
            literal=table is not None and is_literal(table),
            key=self._key,
            trusted=self._trusted,
            seen=self._matched,
            balances=dict(table.balances) if table is not None else {},
            problem=problem,
        )


class _Shoe:
    """A committed shoe, and the events that named its cards."""

    def __init__(self, history: ShoeHistory, version: int) -> None:
        self.number = history.number
        self.history = history
        self._version = version
        self._named: list[int] = []
        """For each card that left the shoe, the event that said so, or that said last what it is."""

    def follow(self, event: e.Event, version: int) -> None:
        before, after = self.history, follow(self.history, event)
        assert after is not None
        self.history = after
        if after.gone is before.gone:
            return
        named, known, gone = self._named, len(before.gone), after.gone
        if gone[:known] != before.gone:
            for place, (old, new) in enumerate(zip(before.gone, gone, strict=False)):
                if old is not new:
                    named[place] = version
        del named[len(gone) :]
        named += [version] * (len(gone) - len(named))

    def event_of(self, card: int | None) -> int:
        """The event to blame for a card; for the order itself, the shoe's start."""
        return self._version if card is None else self._named[card]


_MOVING = frozenset(kind for kind in get_args(AnyEvent) if "transfers" in kind.__struct_fields__)
_ORDERING = frozenset({e.ShoeStarted, e.CardsReturned})
"""Events with which the cards come in another order from then on."""
_TELLING = _MOVING | SETTLING | {e.RoundEnded} | _ORDERING
"""Events on which there is a second opinion; on all of them where a committed shoe is in use."""


class _Short(msgspec.Struct, frozen=True):
    """A line whose events are not read: what its command leads to is written anew, and must be the same bytes."""

    version: int
    command: Command
    prev: str | None = None


_decode = msgspec.json.Decoder(_Short).decode
_decode_entry = msgspec.json.Decoder(Entry).decode


def _read(raw: bytes, first: int) -> Entry:
    """The whole of a line, hashes left aside."""
    try:
        return _decode_entry(raw)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise _Bad(f"this is not an entry: {error}", first) from None


def _narrowed(bad: _Bad, head: str, following: bytes, entry_at: int) -> _Bad:
    """A checkpoint signs another hash: if the next entry follows that one, only the last entry was changed."""
    if following.endswith(f'"prev":"{head}"}}'.encode()):
        return _Bad(str(bad), entry_at, bad.last, bad.line)
    return bad
