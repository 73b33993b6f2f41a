"""Fills that wait for a signature, and the day's reckoning."""

from __future__ import annotations

import msgspec


class Fill(msgspec.Struct, frozen=True):
    """Chips asked for from the cage, or to be sent there, waiting for the second signature."""

    kind: str
    chips: dict[int, int]
    by: str

    @property
    def amount(self) -> int:
        return sum(value * count for value, count in self.chips.items())


class Reckoning(msgspec.Struct, frozen=True):
    """What the table got and gave beside the play."""

    opening: int = 0
    fills: int = 0
    credits: int = 0
