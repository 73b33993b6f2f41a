"""Disks that can be looked into and that fail: SQLite's files through a layer of our own (a VFS)."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import apsw

_names = count(1)


class Operation:
    """One thing that SQLite did to a file."""

    def __init__(self, kind: str, file: str, offset: int = 0, data: bytes = b"") -> None:
        self.kind, self.file, self.offset, self.data = kind, file, offset, data


class Disk(apsw.VFS):
    """Writes through to the real disk and keeps a list of all it did. ``before`` may fail an operation."""

    def __init__(self, before: Callable[[int, Operation], None] | None = None) -> None:
        self.name = f"disk{next(_names)}"
        self.operations: list[Operation] = []
        self._before = before
        super().__init__(self.name, "")

    def did(self, operation: Operation) -> None:
        self.operations.append(operation)
        if self._before is not None:
            self._before(len(self.operations), operation)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.did(Operation("delete", Path(filename).name))
        super().xDelete(filename, syncdir)


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        self._name = Path(name.filename() if isinstance(name, apsw.URIFilename) else name or "").name
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.did(Operation("write", self._name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self._disk.did(Operation("truncate", self._name, newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.did(Operation("sync", self._name))
        super().xSync(flags)


class Remains:
    """What is on the disk after some operations, and what of it is sure to be: that before a file's last sync."""

    def __init__(self) -> None:
        self.files: dict[str, bytearray] = {}
        self.unsure: dict[str, list[Operation]] = {}
        self.synced: dict[str, bytearray] = {}

    def add(self, operation: Operation) -> None:
        if operation.kind == "sync":
            self.synced[operation.file] = bytearray(self.files.get(operation.file, b""))
            self.unsure.pop(operation.file, None)
        elif operation.kind == "delete":
            self.files.pop(operation.file, None)
            self.synced.pop(operation.file, None)
            self.unsure.pop(operation.file, None)
        else:
            apply(self.files.setdefault(operation.file, bytearray()), operation)
            self.unsure.setdefault(operation.file, []).append(operation)

    def after_power_cut(self, chance: random.Random) -> dict[str, bytearray]:
        """Of what was not synced some arrived, in any order, and some did not."""
        found: dict[str, bytearray] = {}
        for file in self.files:
            data = bytearray(self.synced.get(file, b""))
            for operation in self.unsure.get(file, ()):
                if chance.random() < 0.5:
                    apply(data, operation)
            found[file] = data
        return found

    def torn(self, operation: Operation) -> dict[str, bytearray]:
        """As it is, with half of the next write."""
        found = {file: bytearray(data) for file, data in self.files.items()}
        if operation.kind == "write":
            half = operation.data[: len(operation.data) // 2]
            apply(found.setdefault(operation.file, bytearray()), Operation("write", "", operation.offset, half))
        return found


def apply(data: bytearray, operation: Operation) -> None:
    if operation.kind == "truncate":
        del data[operation.offset :]
        return
    end = operation.offset + len(operation.data)
    if len(data) < operation.offset:
        data.extend(bytes(operation.offset - len(data)))
    data[operation.offset : end] = operation.data
