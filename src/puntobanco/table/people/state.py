"""Somebody at the table."""

from __future__ import annotations

import msgspec


class Person(msgspec.Struct, frozen=True, gc=False):
    """Somebody at the table: a player at a box, seated or standing behind it, or staff."""

    id: str
    rank: str
    """A code of the book's; empty for a player."""
    box: int = 0
    seated: bool = False

    @property
    def staff(self) -> bool:
        return bool(self.rank)
