"""The lines of a table's log: entries, each with the hash of the one before, and what stands beside them.

A log is JSON Lines. An *entry line* is a :class:`Line`; its ``prev`` is the SHA-256 of the entry line before it,
without the line's end. A *checkpoint line* ends every round and the table's day: it signs the hash of the entry line it
follows, and the root of a tree over all such hashes. A *reveal line* tells a committed shoe's order once it is over.
``docs/record.md`` has it byte for byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from puntobanco.script.log import BESIDE
from puntobanco.shoes.commit import Reveal
from puntobanco.store.keys import PrivateKey, PublicKey
from puntobanco.store.tree import Tree
from puntobanco.table import events as e
from puntobanco.table.entry import Entry

T = TypeVar("T")

FIRST = "0" * 64
"""What the first line has as the hash before it."""
SIGNS = b"puntobanco checkpoint 1\n"
"""Comes before the checkpoint in what is signed, so that a signature is good for nothing else."""
CHECKED = frozenset({e.RoundEnded, e.TableClosed})
"""A checkpoint follows entries with one of these."""


class LineError(ValueError):
    """A line that does not belong in a log, or is not in its canonical form."""


class Line(Entry, frozen=True, forbid_unknown_fields=True):
    """An entry as it stands in a store: with the hash of the line before it."""

    prev: str


class _Given(msgspec.Struct, frozen=True):
    at: int


class _Moment(msgspec.Struct, frozen=True):
    """As much of a line as tells when it was written."""

    at: int = 0
    command: _Given | None = None


class Checkpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is signed: the table stood at ``version``, whose line has the hash ``head``, under a tree of ``number``."""

    table: str
    number: int
    version: int
    at: int
    head: str
    root: str
    before: str
    """The hash of the checkpoint line before: a signature vouches for all earlier ones."""


class SignedCheckpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A checkpoint line."""

    checkpoint: Checkpoint
    key: str
    signature: str

    def signed_by(self, key: PublicKey) -> bool:
        try:
            signature = bytes.fromhex(self.signature)
        except ValueError:
            return False
        # upper case would be a second way to write the same
        return signature.hex() == self.signature and key.signed(SIGNS + encode(self.checkpoint), signature)


class RevealLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reveal line."""

    reveal: Reveal


encode = msgspec.json.Encoder().encode
_decode_line = msgspec.json.Decoder(Line).decode
_decode_checkpoint = msgspec.json.Decoder(SignedCheckpoint).decode
_decode_reveal = msgspec.json.Decoder(RevealLine).decode
_decode_moment = msgspec.json.Decoder(_Moment).decode


def hash_of(line: bytes) -> str:
    """The SHA-256 of a line, in hexadecimal digits."""
    return hashlib.sha256(line).hexdigest()


def kind_of(line: bytes) -> str:
    """``entry``, ``checkpoint`` or ``reveal``, by how the line begins."""
    if not line.startswith(BESIDE):
        return "entry"
    return "checkpoint" if line.startswith(BESIDE[0]) else "reveal"


# --- entries


def seal(entry: Entry, prev: str) -> bytes:
    """The line of an entry that follows a line with the hash ``prev``."""
    return encode(Line(entry.version, entry.command, entry.rank, entry.events, prev))


def read_line(line: bytes) -> Line:
    """An entry's line. Raises :class:`LineError`."""
    try:
        read = _decode_line(line)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise LineError(str(error)) from error
    if not read.events:
        raise LineError("a command that led to nothing")
    return read


def moment_of(line: bytes) -> int:
    """When it was written, in a table's log or in one of the house's own. Raises :class:`LineError`."""
    try:
        read = _decode_moment(line)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise LineError(str(error)) from error
    return read.command.at if read.command is not None else read.at


# --- checkpoints and reveals


def sign_checkpoint(checkpoint: Checkpoint, key: PrivateKey) -> bytes:
    """The checkpoint line."""
    signature = key.sign(SIGNS + encode(checkpoint))
    return encode(SignedCheckpoint(checkpoint, key.public.hex, signature.hex()))


class Checkpoints:
    """The checkpoints of a table as far as they go: the tree over their heads, and the hash of the last one's line."""

    def __init__(self, table: str) -> None:
        self._table = table
        self.tree = Tree()
        self._before = FIRST

    def sign(self, entry: Entry, line: bytes, key: PrivateKey) -> bytes | None:
        """The checkpoint line that belongs after an entry's line, if one does."""
        if CHECKED.isdisjoint(map(type, entry.events)):
            return None
        head = hashlib.sha256(line).digest()
        self.tree.add(head)
        root, at = self.tree.root().hex(), entry.command.at
        signed = sign_checkpoint(
            Checkpoint(self._table, self.tree.size, entry.last, at, head.hex(), root, self._before), key
        )
        self._before = hash_of(signed)
        return signed

    def follow(self, line: bytes, head: str) -> SignedCheckpoint:
        """Take over a checkpoint after an entry line of that hash. Raises :class:`LineError` if it does not fit."""
        signed = read_checkpoint(line)
        found = signed.checkpoint
        if (found.table, found.number, found.head) != (self._table, self.tree.size + 1, head):
            raise LineError("the checkpoint after it is another's")
        if found.before != self._before:
            raise LineError("the checkpoint after it follows another one")
        self.tree.add(bytes.fromhex(head))
        self._before = hash_of(line)
        return signed

    def mark(self) -> tuple[int, str]:
        return self.tree.size, self._before

    def back_to(self, mark: tuple[int, str]) -> None:
        """Forget what was signed since the mark."""
        size, self._before = mark
        self.tree.cut(size)


def sealed(entries: Iterable[Entry], table: str, key: PrivateKey) -> list[bytes]:
    """The lines of a whole log, with its checkpoints."""
    lines: list[bytes] = []
    checkpoints, head = Checkpoints(table), FIRST
    for entry in entries:
        line = seal(entry, head)
        signed = checkpoints.sign(entry, line, key)
        lines += [line] if signed is None else [line, signed]
        head = hash_of(line)
    return lines


def read_checkpoint(line: bytes) -> SignedCheckpoint:
    """A checkpoint line. Raises :class:`LineError` where it is not one."""
    return _read(line, _decode_checkpoint)


def read_reveal(line: bytes) -> Reveal:
    """A reveal line. Raises :class:`LineError` where it is not one."""
    return _read(line, _decode_reveal).reveal


def _read(line: bytes, decode: Callable[[bytes], T]) -> T:
    try:
        read = decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise LineError(str(error)) from error
    if encode(read) != line:
        raise LineError("not written in the one way that the format has")
    return read
