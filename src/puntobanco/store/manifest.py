"""The self-check: books, settings and installed code against a manifest that was signed at set-up.

A manifest lists the hash of every rule book and of every file of the installed package, the settings of the house, and
those that tables may open with. After a change to one of them a new manifest must be signed: until then the tables
stay closed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

import puntobanco
from puntobanco.rules.library import OURS, Library
from puntobanco.rules.model import UnknownName
from puntobanco.rules.read import BookError
from puntobanco.store.chain import encode
from puntobanco.store.keys import PrivateKey, PublicKey
from puntobanco.table.settings import BetLimits, TableSettings, as_the_book_says

SIGNS = b"puntobanco manifest 1\n"
PACKAGE = Path(puntobanco.__file__).parent


class ManifestError(ValueError):
    """A manifest that cannot be read, or that the key did not sign."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was approved at set-up: books and code by SHA-256, settings in full."""

    at: int
    books: dict[str, str]
    code: dict[str, str]
    settings: dict[str, TableSettings] | None = None
    """By any name: the settings of a kind of table. None: any that fit their book."""
    house: dict[str, str] | None = None
    """The settings of whatever keeps the tables, by their names. None: any."""

    def allows(self, settings: TableSettings, books: Library = OURS) -> bool:
        """Whether a table may open so."""
        return self.settings is None or _kind(settings, books) in (
            _kind(each, books) for each in self.settings.values()
        )

    def lets_play(self, settings: TableSettings, books: Library = OURS) -> bool:
        """Whether an open table may go on so: limits and Differential may be changed, on the record."""
        approved = () if self.settings is None else (_frame(each, books) for each in self.settings.values())
        return self.settings is None or _frame(settings, books) in approved


class SignedManifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A manifest as it lies in a file."""

    manifest: Manifest
    signature: str


def make_manifest(
    at: int,
    settings: Mapping[str, TableSettings] | None = None,
    books: Library = OURS,
    house: Mapping[str, str] | None = None,
) -> Manifest:
    """What is installed here, and the settings to allow."""
    return Manifest(
        at,
        {game: books(game).hash for game in books.games},
        hash_of_code(),
        None if settings is None else {name: _kind(each, books) for name, each in settings.items()},
        None if house is None else dict(house),
    )


def _kind(settings: TableSettings, books: Library) -> TableSettings:
    """Everything but the table's name and the book's hash, which the manifest has by itself, completed by the book."""
    with suppress(UnknownName):
        settings = as_the_book_says(settings, books(settings.game))
    return msgspec.structs.replace(settings, table="", book_hash="")


def _frame(settings: TableSettings, books: Library) -> TableSettings:
    """What stays as it is while a table is open."""
    return msgspec.structs.replace(_kind(settings, books), limits=BetLimits(), bet_limits={}, differential=None)


def hash_of_code(package: Path = PACKAGE) -> dict[str, str]:
    """The hash of every installed file that can make a difference."""
    return {
        file.relative_to(package).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(package.rglob("*"))
        if file.is_file() and file.suffix in (".py", ".toml", ".sql", ".so", ".pyd")
    }


def mismatches(manifest: Manifest, package: Path = PACKAGE, *, books: Library = OURS) -> tuple[str, ...]:
    """Everything installed that is not as the manifest says."""
    wrong = [*_other_books(manifest, books)]
    found = hash_of_code(package)
    for file in sorted(manifest.code.keys() | found.keys()):
        if file not in found:
            wrong.append(f"the file {file} is missing")
        elif file not in manifest.code:
            wrong.append(f"the file {file} was added")
        elif found[file] != manifest.code[file]:
            wrong.append(f"the file {file} was changed")
    return tuple(wrong)


def _other_books(manifest: Manifest, books: Library) -> Iterator[str]:
    """Files of the user's own books are read again: they may have changed since the start, like those of the code."""
    try:
        now = books.again()
    except BookError as error:
        yield f"a book cannot be used any more: {error}"
        return
    for game, approved in manifest.books.items():
        if game not in now.games:
            yield f"the book {game} is missing"
        elif now(game).hash != approved:
            yield f"the book {game} is another one"
    for game in now.own:
        if game not in manifest.books:
            yield f"the book {game} was added"


def changed_settings(manifest: Manifest, house: Mapping[str, str]) -> tuple[str, ...]:
    """The settings of the house that are not as the manifest says."""
    approved = house if manifest.house is None else manifest.house
    return tuple(
        f"the setting {name} is {_said(house.get(name))}, and {_said(approved.get(name))} was approved"
        for name in sorted(approved.keys() | house.keys())
        if house.get(name) != approved.get(name)
    )


def _said(value: str | None) -> str:
    return value or ("nothing" if value is None else "empty")


def sign_manifest(manifest: Manifest, key: PrivateKey) -> SignedManifest:
    """A manifest with its signature."""
    return SignedManifest(manifest, key.sign(SIGNS + encode(manifest)).hex())


def check_signature(signed: SignedManifest, key: PublicKey, source: str = "the manifest") -> Manifest:
    """The manifest. Raises :class:`ManifestError` unless the key signed exactly that."""
    try:
        signature = bytes.fromhex(signed.signature)
    except ValueError as error:
        raise ManifestError(f"{source} is not a manifest: {error}") from error
    if not key.signed(SIGNS + encode(signed.manifest), signature):
        raise ManifestError(f"{source} is not signed by the key {key.fingerprint}")
    return signed.manifest


def save_manifest(manifest: Manifest, key: PrivateKey, path: str | Path) -> None:
    """Sign a manifest and write it to a file."""
    Path(path).write_bytes(encode(sign_manifest(manifest, key)) + b"\n")


def load_manifest(path: str | Path, key: PublicKey) -> Manifest:
    """A manifest from its file. Raises :class:`ManifestError` unless the key signed exactly that."""
    try:
        signed = msgspec.json.decode(Path(path).read_bytes(), type=SignedManifest)
    except (OSError, ValueError) as error:
        raise ManifestError(f"{path} is not a manifest: {error}") from error
    return check_signature(signed, key, str(path))
