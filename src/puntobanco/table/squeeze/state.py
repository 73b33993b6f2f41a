"""A squeeze that was asked for."""

from __future__ import annotations

import msgspec

from puntobanco.cards import Side

DELIVERY = "squeeze_delivery"
"""The family of cards handed to the wrong person to squeeze, or the wrong cards."""


class Squeeze(msgspec.Struct, frozen=True):
    """A squeeze that was asked for, and the answer when there is one."""

    person: str
    hand: Side
    early: str = ""
    granted: bool | None = None
    after: int = 0
    """Cards that had left the shoe by then: it was asked for too late for these."""

    def covers(self, number: int, hand: Side | None) -> bool:
        """Whether its person turns that card of the hand; one that is to be exposed is the dealer's to turn."""
        return bool(self.granted) and self.early != "expose" and self.hand is hand and number > self.after
