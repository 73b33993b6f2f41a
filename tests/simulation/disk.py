"""A disk for one simulated computer: what was not synced when the power goes is lost, torn or there, in any order.

SQLite reaches it through a layer of its own (a VFS) over files in memory, everything else through ``os.fsync``. Each
operation may fail, or be the last that the process does.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import apsw
from tests.simulation.threads import KilledError

_names = count(1)
NOT_KEPT = ("-shm", ".lock")
"""Ends of files that are gone with the process."""


class _Kept:
    """A file of SQLite: what is sure to be on the disk, and what was done to it since."""

    def __init__(self, sure: bytes) -> None:
        self.sure = bytearray(sure)
        self.since: list[tuple[int, bytes | None]] = []
        """Where and what; None truncates."""

        self.listed = bool(sure)
        """Whether its folder is known to have it."""

    def sync(self) -> None:
        for offset, data in self.since:
            apply(self.sure, offset, data)
        self.since.clear()


class Disk(apsw.VFS):
    """A folder of files. ``before`` is called with each operation and its file, and may raise."""

    def __init__(self, folder: Path, chance: Random) -> None:
        self.name = f"simulated{next(_names)}"
        self.folder = folder
        self.before: Callable[[str, str], None] = lambda kind, file: None
        self.after: Callable[[str, str], None] = lambda kind, file: None
        self.dead = False
        self.syncs = self.writes = 0
        self._chance = chance
        self._kept: dict[str, _Kept] = {}
        self._removed: dict[str, bytes] = {}
        """Files that may be back after a power cut."""
        self._sure: dict[str, int] = {}
        """How much of each plain file was synced."""
        for file in folder.iterdir():
            if _is_sqlite(file.name):
                self._kept[file.name] = _Kept(file.read_bytes())
            else:
                self._sure[file.name] = file.stat().st_size
        super().__init__(self.name, "")

    # --- SQLite

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.does("delete", Path(filename).name)
        kept = self._kept.pop(Path(filename).name, None)
        if kept is not None and not syncdir:
            self._removed[Path(filename).name] = bytes(kept.sure)
        super().xDelete(filename, syncdir)

    def does(self, kind: str, file: str) -> None:
        if self.dead:
            raise apsw.IOError("the computer is off")
        self.before(kind, file)

    def did(self, kind: str, file: str) -> None:
        self.after(kind, file)

    def kept(self, file: str) -> _Kept:
        found = self._kept.get(file)
        if found is None:
            self._removed.pop(file, None)
            found = self._kept[file] = _Kept(b"")
        return found

    def folder_synced(self) -> None:
        self._removed.clear()

    # --- plain files

    def fsync(self, descriptor: int) -> None:
        """What ``os.fsync`` does on this computer."""
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        if self.dead:
            raise OSError(errno.EIO, "the computer is off")
        if path.is_file():
            self.before("fsync", path.name)
            self._sure[path.name] = path.stat().st_size
            self.after("fsync", path.name)

    # --- what is left

    def after_kill(self, folder: Path) -> None:
        """As the next process finds it: everything that was written is there."""
        self.dead = True
        for file in sorted(self.folder.iterdir()):
            if file.is_file() and not file.name.endswith(NOT_KEPT):
                shutil.copy2(file, folder / file.name)

    def after_power_cut(self, folder: Path) -> None:
        """As the next process finds it when the power is back."""
        self.dead = True
        for file in sorted(self.folder.iterdir()):
            if file.is_file() and not file.name.endswith(NOT_KEPT) and not _is_sqlite(file.name):
                data, sure = file.read_bytes(), self._sure.get(file.name, 0)
                left = sure + self._chance.randint(0, max(0, len(data) - sure))
                (folder / file.name).write_bytes(data[:left])
                os.chmod(folder / file.name, file.stat().st_mode & 0o777)
        for name, data in self._removed.items():
            if name not in self._kept and self._chance.random() < 0.5:
                (folder / name).write_bytes(data)
        for name, kept in self._kept.items():
            found = bytearray(kept.sure)
            arrived = self._chance.choice((0.0, 0.2, 0.8, 1.0))
            for offset, part in kept.since:
                if self._chance.random() < arrived:
                    torn = part is not None and self._chance.random() < 0.2
                    apply(found, offset, part[: self._chance.randint(0, len(part))] if torn and part else part)
            if name and (found or kept.since):  # what SQLite keeps for itself has no name, and is gone
                (folder / name).write_bytes(found)
                os.chmod(folder / name, 0o600)


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        self._name = Path(name.filename() if isinstance(name, apsw.URIFilename) else name or "").name
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self._disk.does("read", self._name)
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        disk = self._disk
        try:
            disk.does("write", self._name)
        except KilledError:
            part = bytes(data[: len(data) // 2])
            disk.kept(self._name).since.append((offset, part))
            super().xWrite(part, offset)
            raise
        disk.writes += 1
        disk.kept(self._name).since.append((offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.does("truncate", self._name)
        self._disk.kept(self._name).since.append((newsize, None))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        """The file is in memory: that it is sure now is all there is to do."""
        self._disk.does("sync", self._name)
        self._disk.syncs += 1
        kept = self._disk.kept(self._name)
        kept.sync()
        if not kept.listed and not self._name.endswith(".db"):
            # with a new journal or log SQLite syncs the folder: what was deleted before stays deleted
            kept.listed = True
            self._disk.folder_synced()
        self._disk.did("sync", self._name)


def apply(data: bytearray, offset: int, part: bytes | None) -> None:
    if part is None:
        del data[offset:]
        return
    if len(data) < offset:
        data.extend(bytes(offset - len(data)))
    data[offset : offset + len(part)] = part


def _is_sqlite(name: str) -> bool:
    return name.endswith((".db", "-wal", "-journal"))
