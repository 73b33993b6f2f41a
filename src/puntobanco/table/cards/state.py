"""A card that left the shoe."""

from __future__ import annotations

import msgspec

from puntobanco.cards import Card, Side


class Drawn(msgspec.Struct, frozen=True, gc=False):
    """A card that left the shoe: what it is if known, the hand it was put at, whether it lies open."""

    card: Card | None = None
    hand: Side | None = None
    turned: bool = False
    free: bool = False
    """Whether it makes the hand that it opens a Free Hand."""
    viewed: bool = False
    """Whether somebody has looked at it while it lies face down."""
    number: int = 0
    """Its number in the round, by the order in which cards left the shoe; it keeps it wherever it is put."""

    @property
    def seen(self) -> bool:
        return self.turned or self.viewed
