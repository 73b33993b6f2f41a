"""What is installed here, against the manifest that the house has signed and keeps in its record."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import msgspec

from puntobanco.floor.office import Entry, Office
from puntobanco.rules.library import OURS, Library
from puntobanco.store.chain import encode, hash_of
from puntobanco.store.keys import PrivateKey
from puntobanco.store.manifest import (
    Manifest,
    ManifestError,
    SignedManifest,
    changed_settings,
    check_signature,
    make_manifest,
    sign_manifest,
)
from puntobanco.table.settings import TableSettings

SIGNED = "manifest signed"
"""What the floor's log says of a manifest."""
_KEY = "installed"


class Installation:
    """Books, code and settings as they were approved: at the set-up of the floor, or by somebody since."""

    def __init__(self, office: Office, key: PrivateKey, house: Mapping[str, str], books: Library = OURS) -> None:
        self._office, self._key, self._house, self._books = office, key, house, books
        self._shelf = office.shelf("manifest", SignedManifest, strict=True)

    def manifest(self) -> Manifest:
        """What was approved last. Raises :class:`ManifestError` where nothing was, or not by this house."""
        try:
            signed = self._shelf.get(_KEY)
        except msgspec.MsgspecError:
            raise ManifestError("the manifest cannot be read") from None
        if signed is None:
            raise ManifestError("the manifest is missing")
        return check_signature(signed, self._key.public)

    def changed(self) -> tuple[str, ...]:
        """The settings of the house that are not as they were approved; nothing where the manifest itself is wrong."""
        with suppress(ManifestError):
            return changed_settings(self.manifest(), self._house)
        return ()

    def set_up(self, now: int) -> None:
        """Approve what is here, if nothing ever was: a manifest that is lost is not made again."""
        if not self._office.knows(SIGNED):
            self.sign(now, "system", "the floor was set up")

    def sign(self, now: int, actor: str, why: str, tables: Mapping[str, TableSettings] | None = None) -> None:
        """Approve what is here now; with tables, no others may open than such."""
        signed = sign_manifest(make_manifest(now, tables, self._books, self._house), self._key)
        try:
            before = _hash(self.manifest())
        except ManifestError as error:
            before = str(error)
            self._shelf.remove(_KEY)  # it may not even be one
        entry = Entry(SIGNED, "", before, _hash(signed.manifest), why)
        self._office.record(now, actor, entry, lambda: (self._shelf.document(_KEY, signed),))


def _hash(manifest: Manifest) -> str:
    return hash_of(encode(manifest))
