"""The keys under which shoes are sealed: a file of its own that nobody else may read, never in the database.

The file has a key a line, as 64 hexadecimal digits; the first seals, all of them open. Lines with ``#`` are remarks.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn, SupportsIndex

from puntobanco.shoes.shuffle import Source, take

KEY_BYTES = 32
KEY_ID_BYTES = 8
MAX_FILE = 1 << 16
_LINE = re.compile("[0-9a-fA-F]{64}")
_REMARK = (
    "# Keys of electronic shoes: the first seals, the others only open. Keep apart from databases and their backups."
)


class KeyFileError(ValueError):
    """A key file that is not there, cannot be read, or could be read by others."""


class Key:
    """A key of 256 bits. ``id`` says which one it is and nothing more."""

    __slots__ = ("id", "secret")

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise KeyFileError(f"a key has {KEY_BYTES} bytes, not {len(secret)}")
        self.secret = secret
        self.id = hashlib.sha256(b"puntobanco shoe key id\0" + secret).digest()[:KEY_ID_BYTES]

    @classmethod
    def fresh(cls, source: Source = os.urandom) -> Key:
        return cls(take(KEY_BYTES, source))

    def __repr__(self) -> str:
        return f"<Key {self.id.hex()}>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("a key is neither pickled nor copied")


class KeyRing:
    """Keys in use: the first seals, every one opens what it has sealed."""

    __slots__ = ("_keys",)

    def __init__(self, keys: Iterable[Key]) -> None:
        self._keys = {key.id: key for key in keys}
        if not self._keys:
            raise KeyFileError("there is no key")

    @property
    def current(self) -> Key:
        """The key that seals."""
        return next(iter(self._keys.values()))

    def find(self, key_id: bytes) -> Key | None:
        return self._keys.get(key_id)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys.values())

    def __repr__(self) -> str:
        return f"<KeyRing of {len(self)}>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("keys are neither pickled nor copied")


def create_key_file(path: Path) -> KeyRing:
    """A new file with one fresh key, for its owner alone. Never overwrites a file."""
    ring = KeyRing([Key.fresh()])
    _write(path, ring)
    return ring


def load_key_file(path: Path) -> KeyRing:
    """The keys of a file that nobody else may read."""
    try:
        with open(path, "rb") as file:
            _check_private(path, os.fstat(file.fileno()))
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise KeyFileError(f"key file {path} cannot be read: {error.strerror}") from None
    if len(data) > MAX_FILE:
        raise KeyFileError(f"key file {path} is larger than {MAX_FILE:,} bytes: this is not a key file")
    keys = []
    for number, line in enumerate(data.decode("ascii", "replace").splitlines(), 1):
        if not (text := line.strip()) or text.startswith("#"):
            continue
        if not _LINE.fullmatch(text):
            raise KeyFileError(f"key file {path}, line {number}: a key is 64 hexadecimal digits")
        keys.append(Key(bytes.fromhex(text)))
    if not keys:
        raise KeyFileError(f"key file {path} holds no key")
    return KeyRing(keys)


def _check_private(path: Path, status: os.stat_result) -> None:
    """Refuse what others may read, or may have put there. Windows keeps these rights elsewhere."""
    if not stat.S_ISREG(status.st_mode):
        raise KeyFileError(f"key file {path} is not a plain file")
    if os.name != "posix":
        return
    if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        mode = stat.S_IMODE(status.st_mode)
        raise KeyFileError(f"key file {path} is open to others (mode {mode:04o}): chmod 600 {path}")
    if status.st_uid not in (os.geteuid(), 0):
        raise KeyFileError(f"key file {path} belongs to another user ({status.st_uid})")


def rotate_key_file(path: Path) -> KeyRing:
    """Put a fresh key first; the others stay to open what they sealed, until :func:`retire_keys`."""
    ring = KeyRing([Key.fresh(), *load_key_file(path)])
    _replace(path, ring)
    return ring


def retire_keys(path: Path, in_use: Iterable[bytes]) -> KeyRing:
    """Drop the keys that no longer seal anything; ``in_use`` are the ids of those that do."""
    kept, old = set(in_use), load_key_file(path)
    ring = KeyRing(key for key in old if key is old.current or key.id in kept)
    _replace(path, ring)
    return ring


def _write(path: Path, ring: KeyRing) -> None:
    text = "\n".join((_REMARK, *(key.secret.hex() for key in ring), ""))
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise KeyFileError(f"{path} already exists: a key file is never overwritten") from None
    except OSError as error:
        raise KeyFileError(f"key file {path} cannot be written: {error.strerror}") from None
    with open(descriptor, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    sync_folder(path)


def _replace(path: Path, ring: KeyRing) -> None:
    """Whole or not at all: whatever happens, one of the two files is there."""
    new = path.with_name(path.name + ".new")
    with contextlib.suppress(FileNotFoundError):
        new.unlink()
    _write(new, ring)
    try:
        new.replace(path)
    except OSError as error:
        raise KeyFileError(f"key file {path} cannot be replaced: {error.strerror}") from None
    sync_folder(path)


def sync_folder(path: Path) -> None:
    """A file that is new must not be lost with the power: its folder's entry has to be on the disk too."""
    if os.name == "posix":
        descriptor = os.open(path.parent, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
