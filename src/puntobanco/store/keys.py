"""Ed25519 keys: made once, kept in PEM files, known by their fingerprint."""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from pathlib import Path

from cryptography.exceptions import InternalError, InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)


class KeyFileError(ValueError):
    """A file that holds no key of the kind that is wanted."""


class PublicKey:
    """What signatures are checked with. ``hex`` is the 32 bytes of the key, as checkpoints carry it."""

    def __init__(self, raw: bytes) -> None:
        try:
            self._key = Ed25519PublicKey.from_public_bytes(raw)
        except (ValueError, UnsupportedAlgorithm) as error:
            raise KeyFileError("an Ed25519 key has 32 bytes") from error
        self.raw = raw
        self.hex = raw.hex()

    @classmethod
    def from_hex(cls, text: str) -> PublicKey:
        """The key as checkpoints carry it, in lower case. Raises ValueError."""
        key = cls(bytes.fromhex(text))
        if key.hex != text:
            raise KeyFileError("a key is written in lower case")
        return key

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the key's 32 bytes."""
        return hashlib.sha256(self.raw).hexdigest()

    def signed(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature is this key's, of exactly this message."""
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def pem(self) -> bytes:
        """As in a file that others trust."""
        return self._key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicKey) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.raw)


class PrivateKey:
    """What checkpoints and manifests are signed with."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = PublicKey(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    @classmethod
    def generate(cls) -> PrivateKey:
        """A fresh one, from the system's randomness."""
        return cls(Ed25519PrivateKey.generate())

    def sign(self, message: bytes) -> bytes:
        """An Ed25519 signature, of 64 bytes."""
        return self._key.sign(message)

    def mac(self, purpose: str, *parts: str) -> str:
        """What only who has this key can make of the parts; good for one purpose."""
        raw = self._key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        key = hmac.digest(raw, b"puntobanco " + purpose.encode(), "sha256")
        return hmac.digest(key, "\0".join(parts).encode(), "sha256").hex()

    def save(self, path: str | Path) -> None:
        """Write the key, readable for its owner only; a key that is there already stays."""
        pem = self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(pem)


def check_private(path: str | Path) -> None:
    """That a secret file is not for everybody on the machine to read. Raises :class:`KeyFileError`."""
    mode = stat.S_IMODE(Path(path).stat().st_mode)
    if mode & 0o007:
        raise KeyFileError(f"{path} can be read by everybody on this machine: chmod 600 {path}")


def load_private_key(path: str | Path) -> PrivateKey:
    """The key that signs, from a file that nobody else may read."""
    data = _read(path)
    check_private(path)
    try:
        key = load_pem_private_key(data, None)
    except (ValueError, TypeError, UnsupportedAlgorithm, InternalError) as error:
        raise KeyFileError(f"{path} holds no private key in PEM") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"{path} holds a key of another kind than Ed25519")
    return PrivateKey(key)


def load_public_key(path: str | Path) -> PublicKey:
    """The key that checks signatures, from a PEM file."""
    data = _read(path)
    try:
        key = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm, InternalError) as error:
        raise KeyFileError(f"{path} holds no public key in PEM") from error
    if not isinstance(key, Ed25519PublicKey):
        raise KeyFileError(f"{path} holds a key of another kind than Ed25519")
    return PublicKey(key.public_bytes(Encoding.Raw, PublicFormat.Raw))


def _read(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise KeyFileError(f"{path} cannot be read: {reason}") from error
