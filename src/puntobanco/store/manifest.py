"""The self-check: books, settings and installed code against a manifest that was signed at set-up.

A manifest lists the hash of every rule book, of every file of the installed package, and of the settings that tables
may open with. Whoever changes one of them has to have a new manifest signed, or the tables stay closed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

import puntobanco
from puntobanco.rules.load import GAMES, find_book
from puntobanco.store.chain import encode
from puntobanco.store.keys import PrivateKey, PublicKey
from puntobanco.table.settings import TableSettings

SIGNS = b"puntobanco manifest 1\n"
PACKAGE = Path(puntobanco.__file__).parent


class ManifestError(ValueError):
    """A manifest that cannot be read, or that the key did not sign."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was approved at set-up, all by SHA-256."""

    at: int
    books: dict[str, str]
    code: dict[str, str]
    settings: dict[str, str] | None = None
    """By a name of one's own choice: the settings of a kind of table. None: any that fit their book."""

    def allows(self, settings: TableSettings) -> bool:
        return self.settings is None or hash_of_settings(settings) in self.settings.values()


class SignedManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A manifest as it lies in a file."""

    manifest: Manifest
    signature: str


def make_manifest(
    at: int, settings: Mapping[str, TableSettings] | None = None, games: Iterable[str] = GAMES
) -> Manifest:
    """What is installed here, and the settings to allow."""
    return Manifest(
        at,
        {game: find_book(game).hash for game in games},
        hash_of_code(),
        None if settings is None else {name: hash_of_settings(each) for name, each in settings.items()},
    )


def hash_of_settings(settings: TableSettings) -> str:
    """Of everything but the table's name and the book's hash, which the manifest has by itself."""
    return hashlib.sha256(encode(msgspec.structs.replace(settings, table="", book_hash=""))).hexdigest()


def hash_of_code(package: Path = PACKAGE) -> dict[str, str]:
    """The hash of every installed file that can make a difference."""
    return {
        file.relative_to(package).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(package.rglob("*"))
        if file.is_file() and file.suffix in (".py", ".toml", ".sql", ".so", ".pyd")
    }


def mismatches(manifest: Manifest, package: Path = PACKAGE) -> tuple[str, ...]:
    """Everything installed that is not as the manifest says."""
    wrong: list[str] = []
    for game, approved in manifest.books.items():
        if game not in GAMES:
            wrong.append(f"the book {game} is missing")
        elif find_book(game).hash != approved:
            wrong.append(f"the book {game} is another one")
    found = hash_of_code(package)
    for file in sorted(manifest.code.keys() | found.keys()):
        if file not in found:
            wrong.append(f"the file {file} is missing")
        elif file not in manifest.code:
            wrong.append(f"the file {file} was added")
        elif found[file] != manifest.code[file]:
            wrong.append(f"the file {file} was changed")
    return tuple(wrong)


def sign_manifest(manifest: Manifest, key: PrivateKey) -> SignedManifest:
    return SignedManifest(manifest, key.sign(SIGNS + encode(manifest)).hex())


def check_signature(signed: SignedManifest, key: PublicKey, source: str = "the manifest") -> Manifest:
    """The manifest. Raises :class:`ManifestError` unless the key signed exactly that."""
    try:
        signature = bytes.fromhex(signed.signature)
    except ValueError as error:
        raise ManifestError(f"{source} is no manifest: {error}") from error
    if not key.signed(SIGNS + encode(signed.manifest), signature):
        raise ManifestError(f"{source} is not signed by the key {key.fingerprint}")
    return signed.manifest


def save_manifest(manifest: Manifest, key: PrivateKey, path: str | Path) -> None:
    Path(path).write_bytes(encode(sign_manifest(manifest, key)) + b"\n")


def load_manifest(path: str | Path, key: PublicKey) -> Manifest:
    """A manifest from its file. Raises :class:`ManifestError` unless the key signed exactly that."""
    try:
        signed = msgspec.json.decode(Path(path).read_bytes(), type=SignedManifest)
    except (OSError, ValueError) as error:
        raise ManifestError(f"{path} is no manifest: {error}") from error
    return check_signature(signed, key, str(path))
