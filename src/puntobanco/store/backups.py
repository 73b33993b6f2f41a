"""Backups: everything in a store at one moment, as one compressed file that any kind of store can be filled from.

Others go on writing meanwhile. The last line counts the rows and has the hash of all before it: a file that was cut
short or changed is refused before anything is filled. Nothing but an earlier backup is ever replaced by one.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from puntobanco.store.base import BYTES, PARTS, Row, Store
from puntobanco.store.sqlite import SqliteStore, files_of

HEADER = b'{"backup":2}\n'
_encode = msgspec.json.Encoder().encode


class BackupError(ValueError):
    """A file that is not a complete backup, or one that no backup may be written to."""


class Trailer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: how many rows there are, and the SHA-256 of all lines before."""

    rows: int
    sha256: str


def backup(store: Store, path: str | Path) -> int:
    """Write everything to a file, which appears under its name when it is complete; how many rows there are.

    Raises :class:`BackupError` where the file is one of the store's own, or anything else that is not a backup.
    """
    path = Path(path)
    _check_target(store, path)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    with unfinished.open("xb") as raw:
        try:
            count = _write(store, raw)
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise
    return count


def _write(store: Store, raw: BinaryIO) -> int:
    """Everything in a store, on the disk when this returns."""
    digest, count = hashlib.sha256(HEADER), 0
    with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=1, mtime=0) as file, store.rows() as rows:
        file.write(HEADER)
        for part, row in rows:
            line = _encode([part, *map(_text, row)]) + b"\n"
            file.write(line)
            digest.update(line)
            count += 1
        file.write(_encode(Trailer(count, digest.hexdigest())) + b"\n")
    raw.flush()
    os.fsync(raw.fileno())
    return count


def _check_target(store: Store, path: Path) -> None:
    """A slip of the hand must not cost the record, or a key."""
    if isinstance(store, SqliteStore):
        own, *beside = files_of(store.path)
        if Path(os.path.realpath(path)) in beside or (path.exists() and path.samefile(own)):
            raise BackupError(f"{path} belongs to the store itself: write the backup to another file")
    if path.is_dir():
        raise BackupError(f"{path} is a folder: name a file for the backup")
    if path.exists() and not _is_backup(path):
        raise BackupError(f"{path} already exists and is not a backup: name a new file, or a backup to be replaced")


def _is_backup(path: Path) -> bool:
    """Whether a file begins as backups do."""
    if not path.is_file():  # a device, or a pipe that nobody writes to
        return False
    try:
        with gzip.open(path, "rb") as file:
            return file.read(len(HEADER)) == HEADER
    except (EOFError, gzip.BadGzipFile, zlib.error):
        return False


def restore(store: Store, path: str | Path) -> int:
    """Fill an empty store from a file that was first read through to its end; how many rows there were."""
    count = sum(1 for _ in _rows(path))
    store.fill(_rows(path))
    return count


def _text(cell: object) -> object:
    return base64.b64encode(cell).decode() if isinstance(cell, bytes) else cell


def _rows(path: str | Path) -> Iterator[tuple[str, Row]]:
    """The rows of a backup; :class:`BackupError` where it is not whole, at its end at the latest."""
    digest, count = hashlib.sha256(), 0
    try:
        with gzip.open(path, "rb") as file:
            if (line := file.readline()) != HEADER:
                raise BackupError(f"{path} is not a backup")
            while True:
                digest.update(line)
                line = file.readline()
                if line.startswith(b"{"):
                    break
                part, *cells = msgspec.json.decode(line, type=list[int | str])
                columns = PARTS[str(part)]
                if len(columns) != len(cells):
                    raise BackupError(f"{path}: row {count + 1} of {part} has {len(cells)} cells")
                pairs = zip(columns, cells, strict=True)
                yield str(part), tuple(base64.b64decode(str(cell)) if name in BYTES else cell for name, cell in pairs)
                count += 1
            if msgspec.json.decode(line, type=Trailer) != Trailer(count, digest.hexdigest()):
                raise BackupError(f"{path} was changed: its last line tells of other rows")
    except BackupError:
        raise
    except gzip.BadGzipFile as error:
        raise BackupError(f"{path} is not a backup, or was changed") from error
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}") from error
    except EOFError as error:
        raise BackupError(f"{path} is not a complete backup: it was cut short") from error
    except (zlib.error, LookupError, ValueError) as error:
        raise BackupError(f"{path} is not a complete backup: row {count + 1} was changed and cannot be read") from error
