"""A dispute that is open."""

from __future__ import annotations

import msgspec


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute that is open, and how far it has come."""

    number: int
    person: str
    about: str
    round: int = 0
    escalated: bool = False
    facts: tuple[str, ...] = ()
    surveillance: bool = False
    time_frame: str = ""
    decision: str = ""
    agreed: bool | None = None
    right_told: bool = False
