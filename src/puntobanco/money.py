"""Money in whole minor units, odds as exact fractions, and the rounding of what is not a whole unit.

There is no floating point here, nor anywhere near a stake.
"""

from __future__ import annotations

import enum
import re
from fractions import Fraction

import msgspec

MINOR_DIGITS = 2
"""Decimal places of the currency unless a table says otherwise."""


class MoneyError(ValueError):
    """Text that is not an amount, or not odds."""


_ODDS = re.compile(r"\s*({0})\s+to\s+({0})\s*".format(r"[0-9]{1,12}(?:\.[0-9]{1,12})?"))


class Odds(msgspec.Struct, frozen=True):
    """What a winning stake earns on top of itself, in lowest terms: ``Odds.parse("0.95 to 1")``.

    >>> Odds.parse("0.95 to 1").fraction
    Fraction(19, 20)
    """

    pays: int
    to: int

    @classmethod
    def of(cls, pays: Fraction | int, to: int = 1) -> Odds:
        """In lowest terms: ``Odds.of(Fraction(1, 2))`` is 1 to 2."""
        fraction = Fraction(pays, to)
        return cls(fraction.numerator, fraction.denominator)

    @property
    def fraction(self) -> Fraction:
        """What one unit wins."""
        return Fraction(self.pays, self.to)

    @classmethod
    def parse(cls, text: str) -> Odds:
        """From ``50 to 1`` or ``0.95 to 1``; raises MoneyError for anything else."""
        match = _ODDS.fullmatch(text)
        if match is None or not Fraction(match[1]) or not Fraction(match[2]):
            raise MoneyError(f"{text!r} is not odds: write two positive numbers, as in 50 to 1, 1 to 2 or 0.95 to 1")
        return cls.of(Fraction(match[1]) / Fraction(match[2]))

    def __str__(self) -> str:
        pays, to = self.pays, self.to
        digits = next((n for n in range(1, 5) if 10**n % to == 0), None)
        if to <= 10 or digits is None:
            return f"{pays} to {to}"
        return f"{format_amount(pays * 10**digits // to, digits)} to 1"

    def __repr__(self) -> str:
        return f"Odds.parse({str(self)!r})"


class RoundingMode(enum.Enum):
    """Which way a payout that is not a whole number of units goes."""

    DOWN = "down"
    NEAREST = "nearest"
    UP = "up"


class Rounding(msgspec.Struct, frozen=True):
    """How a table rounds payouts (reading D): down to the minor unit unless set otherwise.

    ``unit`` is a number of minor units: 1, or the value of the smallest chip that a payout may hold.
    """

    mode: RoundingMode = RoundingMode.DOWN
    unit: int = 1

    def __post_init__(self) -> None:
        if self.unit < 1:
            raise MoneyError(f"a payout rounds to a unit of 1 or more minor units, not {self.unit}")

    def __call__(self, numerator: int, denominator: int = 1) -> int:
        denominator *= self.unit
        units, rest = divmod(numerator, denominator)
        if rest and self._rounds_up(rest, denominator):
            units += 1
        return units * self.unit

    def _rounds_up(self, rest: int, denominator: int) -> bool:
        if self.mode is RoundingMode.NEAREST:
            return 2 * rest >= denominator
        return self.mode is RoundingMode.UP


ROUND_DOWN = Rounding()


def winnings(stake: int, odds: Odds, rounding: Rounding = ROUND_DOWN) -> int:
    """What a winning stake earns on top of itself, in minor units."""
    return rounding(stake * odds.pays, odds.to)


_AMOUNT = re.compile(r"([0-9]+)(?:\.([0-9]+))?")
_MOST_DIGITS = 15
"""Before the point."""


def parse_amount(text: str, digits: int = MINOR_DIGITS) -> int:
    """Read a positive decimal amount exactly, as minor units: ``250.50`` is 25050.

    >>> parse_amount("250.50")
    25050
    """
    text = text.strip()
    match = _AMOUNT.fullmatch(text)
    if match is None:
        if text.startswith("-") and _AMOUNT.fullmatch(text[1:]):
            raise MoneyError(f"{text!r} is negative: an amount is above zero")
        raise MoneyError(f"{text!r} is not an amount: write a decimal number, as in 100 or 250.50")
    whole, part = match[1], match[2] or ""
    if len(whole) > _MOST_DIGITS:
        raise MoneyError(f"{text!r} is too large: an amount has at most {_MOST_DIGITS} digits before the point")
    if len(part.rstrip("0")) > digits:
        smallest = format_amount(1, digits)
        raise MoneyError(f"{text!r} is finer than the minor unit: the smallest amount is {smallest}")
    amount = int(whole + part[:digits].ljust(digits, "0"))
    if amount == 0:
        raise MoneyError(f"{text!r} is nothing: an amount is above zero")
    return amount


def format_amount(amount: int, digits: int = MINOR_DIGITS) -> str:
    """Minor units as a decimal string: 25050 is ``250.50``.

    >>> format_amount(25050)
    '250.50'
    """
    sign = "-" if amount < 0 else ""
    whole, part = divmod(abs(amount), 10**digits)
    return f"{sign}{whole}.{part:0{digits}}" if digits else f"{sign}{whole}"
