"""A second factor for those who sign in: codes of an authenticator (RFC 6238: HMAC-SHA-1, 30 seconds, six digits).

No secret is stored. Each follows from the house's key, the person, and how many that person has had, so that a stolen
database has nothing to make codes from.
"""

from __future__ import annotations

import base64
import hmac
from urllib.parse import quote

import msgspec

from puntobanco.floor.office import Entry, FloorError, Office

PERIOD = 30_000
DIGITS = 6
AROUND = 1
"""Steps by which a clock may differ."""
ISSUER = "puntobanco"
KIND = "factor"


class Factor(msgspec.Struct, frozen=True):
    """That somebody has an authenticator, the how manieth, and whether a code of it was ever shown."""

    number: int
    proven: bool = False


class Used(msgspec.Struct, frozen=True):
    """The last step whose code was taken: none is good twice."""

    step: int


def code_of(secret: bytes, step: int) -> str:
    """The code of a step (RFC 4226, 5.3)."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    at = digest[-1] & 15
    return str(int.from_bytes(digest[at : at + 4], "big") & 0x7FFFFFFF)[-DIGITS:].zfill(DIGITS)


class Factors:
    """Who has one, and whether a code is right."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._factors = office.shelf(KIND, Factor)
        self._used = office.shelf("factor used", Used)

    def has(self, name: str) -> bool:
        """Whether somebody signs in with a code."""
        found = self._factors.get(name)
        return found is not None and found.proven

    def secret(self, name: str) -> bytes:
        found = self._factors.get(name)
        assert found is not None
        return bytes.fromhex(self._office.mac("second factor", name, str(found.number)))[:20]

    def begin(self, actor: str, now: int, name: str, *, proven: bool = False) -> str:
        """A new authenticator for somebody; what to show it. An earlier one is good no more."""
        before = self._factors.get(name)
        factor = Factor(before.number + 1 if before else 1, proven)
        what = "second factor given" if proven else "second factor begun"
        self._office.record(now, actor, Entry(what, name), lambda: (self._factors.document(name, factor),))
        text = base64.b32encode(self.secret(name)).decode()
        return f"otpauth://totp/{ISSUER}:{quote(name)}?secret={text}&issuer={ISSUER}"

    def prove(self, now: int, name: str, code: str) -> None:
        """Somebody shows a code of the authenticator just given: from now on signing in takes one."""
        found = self._factors.get(name)
        if found is not None and found.proven:
            raise FloorError("exists", "there is a second factor already")
        if found is None or not self.check(now, name, code):
            raise FloorError("second_factor", "the code is wrong")
        factor = msgspec.structs.replace(found, proven=True)
        self._office.record(
            now, name, Entry("second factor given", name), lambda: (self._factors.document(name, factor),)
        )

    def remove(self, actor: str, now: int, name: str) -> None:
        if self._factors.get(name) is None:
            raise FloorError("not_found", f"{name} has no second factor")
        self._office.record(now, actor, Entry("second factor removed", name), gone=((KIND, name),))

    def check(self, now: int, name: str, code: str) -> bool:
        """Whether it is the code of now, or of the step before or after, and was not used before."""
        secret, step = self.secret(name), now // PERIOD

        def taken(used: Used | None) -> Used | None:
            first = max(step - AROUND, used.step + 1 if used else 0)
            steps = range(first, step + AROUND + 1)
            found = (each for each in steps if hmac.compare_digest(code_of(secret, each).encode(), code.encode()))
            return next(map(Used, found), None)

        return self._used.change(name, taken) is not None
