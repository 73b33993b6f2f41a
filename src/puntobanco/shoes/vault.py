"""Where salts and orders wait, sealed, until their shoes are over: outside the log, under a key that is not there.

A sealed shoe is: 1 byte of version (1), 8 bytes of key id, 12 bytes of nonce, then salt and order under
ChaCha20-Poly1305 with its tag of 16 bytes. The label and what stands before the nonce are authenticated too, so
that nobody can pass one shoe off as another.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import apsw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from puntobanco.shoes.commit import SALT_BYTES, ShoeSecret
from puntobanco.shoes.keys import KEY_ID_BYTES, KeyRing
from puntobanco.shoes.shuffle import Source, take

VERSION = b"\x01"
NONCE_BYTES = 12
_PURPOSE = b"puntobanco sealed shoe\0"


class VaultError(ValueError):
    """A shoe that is not in the vault, is there already, or cannot be opened."""


class UnreachableError(VaultError):
    """A vault that fails as a whole; ``outside`` is what a client hears of it."""

    outside = "the vault of the shoes does not answer"


class Label(NamedTuple):
    """Whose a sealed shoe is. The commitment tells apart shoes of a table id that is used again, and unused ones."""

    table: str
    shoe: int
    commitment: str

    def __str__(self) -> str:
        return f"shoe {self.shoe} of table {self.table}"

    def __bytes__(self) -> bytes:
        """For authentication: each part with its length, so that no two labels are the same bytes."""
        parts = (self.table.encode(), self.shoe.to_bytes(8, "big"), self.commitment.encode())
        return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def seal(secret: ShoeSecret, label: Label, keys: KeyRing, source: Source = os.urandom) -> bytes:
    """A shoe's salt and order, encrypted under the current key for this label alone."""
    key = keys.current
    head, nonce = VERSION + key.id, take(NONCE_BYTES, source)
    return head + nonce + ChaCha20Poly1305(key.secret).encrypt(nonce, secret.salt + secret.order, _data(head, label))


def unseal(sealed: bytes, label: Label, keys: KeyRing) -> ShoeSecret:
    """Raises :class:`VaultError` where the key is another, or a single bit of it or of its label was changed."""
    head, rest = sealed[: 1 + KEY_ID_BYTES], sealed[1 + KEY_ID_BYTES :]
    if head[:1] != VERSION:
        raise VaultError(f"{label} is not sealed in a way that is known here")
    key = keys.find(head[1:])
    if key is None:
        raise VaultError(f"{label} is sealed under key {head[1:].hex()}, which is not in the key file")
    nonce, body = rest[:NONCE_BYTES], rest[NONCE_BYTES:]
    try:
        plain = ChaCha20Poly1305(key.secret).decrypt(nonce, body, _data(head, label))
    except (InvalidTag, ValueError):
        raise VaultError(f"{label} cannot be opened: it was changed, or belongs to another shoe") from None
    return ShoeSecret(plain[:SALT_BYTES], plain[SALT_BYTES:])


def _data(head: bytes, label: Label) -> bytes:
    return _PURPOSE + head + bytes(label)


def key_id(sealed: bytes) -> bytes:
    """The id of the key that a shoe is sealed under."""
    return sealed[1 : 1 + KEY_ID_BYTES]


class Vault(Protocol):
    """Keeps sealed shoes. What ``put`` has returned from survives a crash."""

    def put(self, label: Label, sealed: bytes) -> None:
        """Keep a new shoe; one that is there is never overwritten."""

    def get(self, label: Label) -> bytes: ...

    def replace(self, label: Label, sealed: bytes) -> None:
        """The same shoe sealed under another key."""

    def labels(self) -> tuple[Label, ...]:
        """All that is kept, in order."""

    def close(self) -> None: ...


def open_vault(address: str) -> Vault:
    """The vault behind ``postgresql://…``, or in a SQLite file."""
    if address.startswith(("postgresql://", "postgres://")):
        # who keeps a file needs no client for a database
        from puntobanco.shoes.postgres_vault import PostgresVault

        return PostgresVault(address)
    return SqliteVault(Path(address))


def reseal(vault: Vault, keys: KeyRing, source: Source = os.urandom) -> int:
    """Seal everything under the current key; how many were under another. Can be broken off and run again."""
    changed = 0
    for label in vault.labels():
        sealed = vault.get(label)
        if key_id(sealed) != keys.current.id:
            vault.replace(label, seal(unseal(sealed, label, keys), label, keys, source))
            changed += 1
    return changed


def keys_in_use(vault: Vault) -> frozenset[bytes]:
    """The ids of keys that still seal something."""
    return frozenset(key_id(vault.get(label)) for label in vault.labels())


class MemoryVault:
    """For tests and demonstrations: gone with the process."""

    def __init__(self) -> None:
        self._sealed: dict[Label, bytes] = {}

    def put(self, label: Label, sealed: bytes) -> None:
        if self._sealed.setdefault(label, sealed) is not sealed:
            raise VaultError(f"{label} is already in the vault")

    def get(self, label: Label) -> bytes:
        if label not in self._sealed:
            raise VaultError(f"{label} is not in the vault")
        return self._sealed[label]

    def replace(self, label: Label, sealed: bytes) -> None:
        self.get(label)
        self._sealed[label] = sealed

    def labels(self) -> tuple[Label, ...]:
        return tuple(sorted(self._sealed))

    def close(self) -> None:
        """There is nothing to release."""


class SqliteVault:
    """A file of its own, beside the log's database and never part of its backups."""

    def __init__(self, path: Path, *, vfs: str | None = None) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise UnreachableError(f"vault {path} cannot be opened: {error.strerror}") from None
        self._connection = apsw.Connection(str(path), vfs=vfs)
        with self._using() as connection:
            self._set_up(connection)

    @contextlib.contextmanager
    def _using(self) -> Iterator[apsw.Connection]:
        with self._lock:
            try:
                yield self._connection
            except apsw.ConstraintError:
                raise
            except apsw.Error as error:
                raise UnreachableError(f"vault {self.path}: {error}") from None

    def _set_up(self, connection: apsw.Connection) -> None:
        connection.set_busy_timeout(5_000)
        for pragma in ("journal_mode=delete", "synchronous=extra", "secure_delete=on"):
            connection.execute(f"pragma {pragma}").fetchall()
        version = connection.pragma("user_version")
        if version not in (0, 1):
            raise VaultError(f"vault {self.path} is of version {version}; this program knows version 1")
        with connection:
            connection.execute(
                "create table if not exists shoes ("
                "table_id text not null, shoe integer not null, commitment text not null, sealed blob not null, "
                "primary key (table_id, shoe, commitment)) strict, without rowid"
            )
            connection.pragma("user_version", 1)

    def put(self, label: Label, sealed: bytes) -> None:
        try:
            with self._using() as connection:
                connection.execute("insert into shoes values (?, ?, ?, ?)", (*label, sealed))
        except apsw.ConstraintError:
            raise VaultError(f"{label} is already in the vault") from None

    def get(self, label: Label) -> bytes:
        query = "select sealed from shoes where (table_id, shoe, commitment) = (?, ?, ?)"
        with self._using() as connection:
            found = connection.execute(query, tuple(label)).get
        if not isinstance(found, bytes):
            raise VaultError(f"{label} is not in the vault")
        return found

    def replace(self, label: Label, sealed: bytes) -> None:
        query = "update shoes set sealed = ? where (table_id, shoe, commitment) = (?, ?, ?)"
        with self._using() as connection:
            connection.execute(query, (sealed, *label))
            if not connection.changes():
                raise VaultError(f"{label} is not in the vault")

    def labels(self) -> tuple[Label, ...]:
        query = "select table_id, shoe, commitment from shoes order by 1, 2, 3"
        with self._using() as connection:
            return tuple(Label(*row) for row in connection.execute(query))

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> SqliteVault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
