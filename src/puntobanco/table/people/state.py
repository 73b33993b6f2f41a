"""Somebody at the table."""

from __future__ import annotations

import msgspec

from puntobanco.rules.model import Authority

_NO_RANK = Authority.PLAYER
"""Named once for what is asked all the time."""


class Person(msgspec.Struct, frozen=True, gc=False):
    """Somebody at the table: a player at a box, seated or standing behind it, or staff."""

    id: str
    rank: Authority
    box: int = 0
    seated: bool = False

    @property
    def staff(self) -> bool:
        return self.rank is not _NO_RANK
