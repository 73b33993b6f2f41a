"""Files outside the database that get what must not be undone, so that the record can be compared with them.

A *witness* gets every checkpoint, and is kept for good. *Ends* are how far the logs of tables go while cards lie on
them: only the latest of each table counts, until its next checkpoint.
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from puntobanco.shoes.keys import sync_folder
from puntobanco.store.chain import encode, hash_of

LARGEST = 4 << 20
"""Bytes of ends after which a file of the latest ones takes the place of all."""


class _Short(msgspec.Struct, frozen=True):
    table: str
    version: int


class _ShortLine(msgspec.Struct, frozen=True):
    checkpoint: _Short


class End(msgspec.Struct, frozen=True):
    """A log goes at least to this version, and the hash of that entry's line is ``head``."""

    table: str
    version: int
    head: str


class EndLine(msgspec.Struct, frozen=True):
    """A line of the witness file that says how far a table's log went."""

    end: End


class Seen(NamedTuple):
    """What was witnessed of a table: the hashes of its checkpoint lines by version, and how far its log went."""

    checkpoints: dict[int, str]
    end: End | None = None

    @property
    def version(self) -> int:
        return max(*self.checkpoints, self.end.version if self.end is not None else 0, 0)


_decode_short = msgspec.json.Decoder(_ShortLine).decode
_decode_end = msgspec.json.Decoder(EndLine).decode


class Witness:
    """The file of checkpoints."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()

    def see(self, line: bytes) -> None:
        self.see_all((line,))

    def see_all(self, lines: Sequence[bytes]) -> None:
        """Write them to the disk."""
        with self._lock:
            _write(self._path, lines)

    def seen(self) -> dict[str, dict[int, str]]:
        """The versions of each table that it has a checkpoint of, each with the hash of its line."""
        found: dict[str, dict[int, str]] = defaultdict(dict)
        with suppress(FileNotFoundError), self._path.open("rb") as file:
            for line in file:
                with suppress(msgspec.MsgspecError, ValueError):
                    short = _decode_short(line).checkpoint
                    found[short.table].setdefault(short.version, hash_of(line.rstrip(b"\r\n")))
        return found


class Ends:
    """The file of ends. Those who write at the same time wait for the disk once."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        self._guard = threading.Lock()
        self._waiting: list[End] = []
        self._come = self._written = 0
        """How many ends there were, and how many of them are on the disk."""

    def see(self, end: End) -> None:
        self.see_all((end,))

    def see_all(self, ends: Sequence[End]) -> None:
        """Write them to the disk, with those that could not be written before."""
        with self._guard:
            self._waiting += ends
            self._come += len(ends)
            mine = self._come
        with self._lock:
            if self._written >= mine:
                return  # by somebody else who wrote, together with his own
            with self._guard:
                waiting, come = tuple(self._waiting), self._come
            if _write(self._path, [encode(EndLine(each)) for each in waiting]) > LARGEST:
                self._renew()
            with self._guard:
                del self._waiting[: len(waiting)]
            self._written = come

    def seen(self) -> dict[str, End]:
        """The latest of each table."""
        found: dict[str, End] = {}
        with suppress(FileNotFoundError), self._path.open("rb") as file:
            for line in file:
                with suppress(msgspec.MsgspecError, ValueError):
                    end = _decode_end(line).end
                    if end.table not in found or found[end.table].version < end.version:
                        found[end.table] = end
        return found

    def _renew(self) -> None:
        new = self._path.with_name(self._path.name + ".new")
        new.unlink(missing_ok=True)
        _write(new, [encode(EndLine(each)) for each in self.seen().values()])
        os.replace(new, self._path)
        sync_folder(self._path)


def _write(path: Path, lines: Sequence[bytes]) -> int:
    """Add lines to a file, on the disk before it returns its size; a line that a crash has torn is ended first."""
    with path.open("a+b") as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(b"".join(line + b"\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())
        return file.tell()
