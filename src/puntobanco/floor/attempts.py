"""Failed sign-ins: counted by name and address before anybody's password is looked at, and locked for a while.

Somebody who guesses is locked out at the address in use. A name as a whole is locked only for addresses from which its
owner never signed in, so that a stranger cannot keep the only administrator out. A try counts from its beginning: a
hundred at once are no more than one after the other.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from puntobanco.floor.office import Entry, FloorError, Office
from puntobanco.store.base import Document

MINUTE = 60_000
LONGEST_NAME = 64
MOST_STRANGERS = 10_000
"""Names that nobody has whose failed sign-ins are counted."""
FROM_ANYWHERE = 4
"""A name is locked for unknown addresses after so many times the failures that lock it at one."""
ADDRESS = 10
"""An address is locked for all names after so many times the failures that lock it for one."""
DOUBLED = 6
"""How often a lock is doubled at most: from a quarter of an hour to sixteen hours."""
ADDRESSES = 8
"""Of how many addresses it is known that somebody signs in from there."""


class Failures(msgspec.Struct, frozen=True):
    """Tries that failed in a row, until when nobody may try again, and how often it came to that."""

    count: int
    last: int
    until: int = 0
    locks: int = 0


class Addresses(msgspec.Struct, frozen=True):
    """From where somebody has signed in, the latest last."""

    known: tuple[str, ...]


class Attempts:
    """Who may try to sign in now."""

    def __init__(self, office: Office, failures: int, lockout: int) -> None:
        self._office = office
        self._most, self._lockout = failures, lockout * MINUTE
        self._kept = office.shelf("failures", Failures)
        self._addresses = office.shelf("addresses", Addresses)
        self._strangers: dict[str, Failures] = {}
        self._trying: Counter[str] = Counter()
        self._guard = threading.Lock()

    def locked(self, name: str, now: int) -> bool:
        """Whether somebody cannot sign in from somewhere."""
        return any(key.partition("@")[2] == name and each.until > now for key, each in self._kept.all().items())

    @contextmanager
    def one(self, now: int, name: str, where: str) -> Iterator[None]:
        """A try, from the moment it is allowed until its outcome is written down."""
        keys = self._keys(name, where)
        with self._guard:
            for key, most in keys.items():
                self._check(now, key, most)
            self._trying.update(keys.keys())
        try:
            yield
        finally:
            with self._guard:
                self._trying -= Counter(keys.keys())

    def _keys(self, name: str, where: str) -> dict[str, int]:
        """What is counted of a try, and how many failures lock it."""
        keys = {f"{where}@{name}": self._most}
        found = self._addresses.get(name)
        if found is None or where not in found.known:
            keys[f"@{name}"] = FROM_ANYWHERE * self._most
        return keys | {f"{where}@": ADDRESS * self._most}

    def _check(self, now: int, key: str, most: int) -> None:
        found = self._of(key)
        if found is not None and found.until > now:
            minutes = -(-(found.until - now) // MINUTE)
            raise FloorError("locked", f"too many failed sign-ins: try again in {minutes} min")
        if self._failed_lately(found, now) + self._trying[key] >= most:
            raise FloorError("locked", "too many sign-ins at once: try again in a moment")

    def _of(self, key: str) -> Failures | None:
        return self._kept.get(key) or self._strangers.get(key)

    def _failed_lately(self, found: Failures | None, now: int) -> int:
        """A lock that is over starts again from nothing."""
        return found.count if found and not found.until and now - found.last < self._lockout else 0

    def failed(self, now: int, name: str, what: str, where: str, *, known: bool) -> None:
        """Write down that the password or PIN was wrong; the log says so too."""
        about = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
        keys = self._keys(name, where)
        if not known:
            # counted as well, in memory: so that no answer shows which names exist
            with self._guard:
                if len(self._strangers) >= MOST_STRANGERS:
                    self._strangers.clear()
                self._strangers.update({key: self._after(key, most, now) for key, most in keys.items()})
            self._office.record(now, about, Entry(f"{what} failed", about, after="nobody's name", why=f"from {where}"))
            return

        def documents() -> tuple[Document, ...]:
            return tuple(self._kept.document(key, self._after(key, most, now)) for key, most in keys.items())

        here = self._after(f"{where}@{name}", self._most, now)
        told = "locked" if here.until else f"{here.count} in a row"
        self._office.record(now, about, Entry(f"{what} failed", about, after=told, why=f"from {where}"), documents)

    def _after(self, key: str, most: int, now: int) -> Failures:
        before = self._of(key)
        count = self._failed_lately(before, now) + 1
        locks = before.locks if before else 0
        if count < most:
            return Failures(count, now, 0, locks)
        return Failures(count, now, now + self._lockout * 2 ** min(locks, DOUBLED), locks + 1)

    def passed(self, name: str, where: str, *, signed_in: bool) -> None:
        """Forget failures at this address; a sign-in makes the address known."""
        if self._kept.get(f"{where}@{name}") is not None:
            self._kept.remove(f"{where}@{name}")
        found = self._addresses.get(name) or Addresses(())
        if signed_in and where not in found.known:
            self._addresses.put(name, Addresses((*found.known, where)[-ADDRESSES:]))

    def forget_stranger(self, name: str) -> None:
        """It is somebody's name now."""
        with self._guard:
            for key in [key for key in self._strangers if key.partition("@")[2] == name]:
                del self._strangers[key]
