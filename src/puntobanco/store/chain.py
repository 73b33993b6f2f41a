"""The lines of a table's log: events, each with the hash of the one before, and what stands beside them.

A log is JSON Lines. An *event line* is a :class:`Line`; its ``prev`` is the SHA-256 of the event line before it,
without the line's end. A *checkpoint line* ends every round and the table's day: it signs the hash of the event line it
follows, and the root of a tree over all such hashes. A *reveal line* tells a committed shoe's order once it is over.
``docs/record.md`` has it byte for byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec

from puntobanco.script.log import BESIDE
from puntobanco.shoes.commit import Reveal
from puntobanco.store.forms import FORMS, Forms
from puntobanco.store.keys import PrivateKey, PublicKey
from puntobanco.store.tree import Tree
from puntobanco.table import events as e
from puntobanco.table.events import AnyEvent, Record

T = TypeVar("T")

FIRST = "0" * 64
"""What the first event has as the hash before it."""
SIGNS = b"puntobanco checkpoint 1\n"
"""Comes before the checkpoint in what is signed, so that a signature is good for nothing else."""
CHECKED = frozenset({e.RoundEnded, e.TableClosed})
"""A checkpoint follows these."""


class LineError(ValueError):
    """A line that is none of a log, or not in its one form."""


class Line(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An event as it stands in the log: a :class:`Record` with the hash of the line before it."""

    prev: str
    version: int
    at: int
    actor: str
    command: str
    event: AnyEvent
    form: int = 1

    @property
    def record(self) -> Record:
        return Record(self.version, self.at, self.actor, self.command, self.event)


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
_NAME = b'"event":{"event":"'
"""What stands before the name of an event's type, and nowhere else: inside a text the quotes would be escaped."""


def hash_of(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def kind_of(line: bytes) -> str:
    """``event``, ``checkpoint`` or ``reveal``, by how the line begins."""
    if not line.startswith(BESIDE):
        return "event"
    return "checkpoint" if line.startswith(BESIDE[0]) else "reveal"


# --- events


def seal(records: Iterable[Record], prev: str, forms: Forms = FORMS) -> list[bytes]:
    """The lines of records that follow a line with the hash ``prev``."""
    lines: list[bytes] = []
    current = forms.current
    for record in records:
        event = record.event
        form = current[event.__struct_config__.tag]  # type: ignore[index]
        line = encode(Line(prev, record.version, record.at, record.actor, record.command, event, form))
        prev = hashlib.sha256(line).hexdigest()
        lines.append(line)
    return lines


def read_line(line: bytes, forms: Forms = FORMS) -> Line:
    """An event line, its event raised to the current form. Raises :class:`LineError`."""
    if forms.changed and (old := _raised(line, forms)) is not None:
        return old
    try:
        read = _decode_line(line)
    except (msgspec.DecodeError, ValueError) as error:
        raise LineError(str(error)) from error
    if read.form != forms.current[read.event.__struct_config__.tag]:  # type: ignore[index]
        raise LineError(f"nobody here knows form {read.form} of {read.event.__struct_config__.tag}")
    return read


def _raised(line: bytes, forms: Forms) -> Line | None:
    """The line in the current form, where its event's type has changed since it was written; else None."""
    name = _name_of(line)
    if name not in forms.changed:
        return None
    try:
        fields: dict[str, Any] = msgspec.json.decode(line)
        form = fields.pop("form", 1)
        fields["event"] = forms.raised(name, form, fields["event"])
        fields["form"] = forms.current[fields["event"]["event"]]
        return msgspec.convert(fields, Line)
    except (msgspec.DecodeError, ValueError, LookupError, TypeError) as error:
        raise LineError(str(error)) from error


def _name_of(line: bytes) -> str:
    begin = line.find(_NAME) + len(_NAME)
    return line[begin : line.find(b'"', begin)].decode(errors="replace")


def is_canonical(line: bytes, read: Line, forms: Forms = FORMS) -> bool:
    """Whether the bytes are the one way to write that line."""
    # an older form has other fields; then: no two keys alike, no spaces, no needless escapes
    if encode(read) == line:
        return True
    name = _name_of(line)
    if name not in forms.changed:
        return False
    fields = msgspec.json.decode(line)
    return fields.get("form", 1) != forms.current.get(name) and encode(fields) == line


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

    def sign(self, records: Sequence[Record], lines: Sequence[bytes], key: PrivateKey) -> list[tuple[int, bytes]]:
        """The checkpoint lines that belong after some of these event lines, with their versions."""
        found: list[tuple[int, bytes]] = []
        for record, line in zip(records, lines, strict=True):
            if type(record.event) in CHECKED:
                head = hashlib.sha256(line).digest()
                self.tree.add(head)
                root = self.tree.root().hex()
                checkpoint = Checkpoint(
                    self._table, self.tree.size, record.version, record.at, head.hex(), root, self._before
                )
                signed = sign_checkpoint(checkpoint, key)
                self._before = hash_of(signed)
                found.append((record.version, signed))
        return found

    def follow(self, line: bytes, head: str) -> SignedCheckpoint:
        """Take over a checkpoint after an event line of that hash. Raises :class:`LineError` if it does not fit."""
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


def read_checkpoint(line: bytes) -> SignedCheckpoint:
    return _read(line, _decode_checkpoint)


def read_reveal(line: bytes) -> Reveal:
    return _read(line, _decode_reveal).reveal


def _read(line: bytes, decode: Callable[[bytes], T]) -> T:
    try:
        read = decode(line)
    except (msgspec.DecodeError, ValueError) as error:
        raise LineError(str(error)) from error
    if encode(read) != line:
        raise LineError("not written in the one way that the format has")
    return read
