"""A bet on the layout, and the names of what can be wrong with it."""

from __future__ import annotations

import msgspec

ABOVE = "above_maximum"
"""A flag that several modules know: a bet over the maximum."""
FOUND = "bet_found"
"""A flag on chips that one person found with cards open."""
WITHDRAWN = "late_withdrawal"
"""The family of bets taken away after the close."""


class Wager(msgspec.Struct, frozen=True, gc=False):
    """One person's chips on a bet in a box. ``order`` tells who came first; a raise is as late as it was made."""

    person: str
    box: int
    bet: str
    stake: int
    order: int
    seated: bool


WagerKey = tuple[str, int, str]
"""Person, box, bet."""
