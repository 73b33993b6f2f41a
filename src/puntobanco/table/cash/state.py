"""Fills that wait for a signature, what may be counterfeit, and the day's result."""

from __future__ import annotations

from typing import Literal

import msgspec


class Fill(msgspec.Struct, frozen=True):
    """Chips asked for from the cage, or to be sent there, waiting for the second signature."""

    kind: str
    chips: dict[int, int]
    by: str

    @property
    def amount(self) -> int:
        return sum(value * count for value, count in self.chips.items())


class Suspect(msgspec.Struct, frozen=True):
    """Chips or cash held apart; nobody's name where they were the House's."""

    what: Literal["chips", "cash"]
    amount: int
    about: str
    by: str
    person: str = ""


class Reckoning(msgspec.Struct, frozen=True):
    """What the table got and gave beside the play."""

    opening: int = 0
    fills: int = 0
    credits: int = 0
