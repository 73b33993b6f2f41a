"""A bet on the layout, and the names of what can be wrong with it."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

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
    earlier: tuple[tuple[int, int], ...] = ()
    """What lay there before it was raised, each with its own order: only the raise is as late as the raise."""

    @property
    def layers(self) -> tuple[tuple[int, int], ...]:
        """What was put down each time, with its order, the latest last."""
        return (*self.earlier, (self.order, self.stake - sum(amount for _, amount in self.earlier)))

    def more(self, amount: int, order: int, *, seated: bool) -> Wager:
        """The bet, raised."""
        return replace(self, stake=self.stake + amount, order=order, seated=seated, earlier=self.layers)

    def less(self, amount: int) -> Wager:
        """The bet after so much of it went back: what came latest goes first."""
        left, layers = self.stake - amount, list(self.layers)
        while len(layers) > 1 and sum(each for _, each in layers[:-1]) >= left:
            layers.pop()
        return replace(self, stake=left, order=layers[-1][0], earlier=tuple(layers[:-1]))


WagerKey = tuple[str, int, str]
"""Person, box, bet."""
