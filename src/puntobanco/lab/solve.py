"""Which odds give a wanted edge: exactly, and as odds that can be printed on a cloth."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from puntobanco.money import MoneyError, Odds
from puntobanco.odds import Weights
from puntobanco.rules.model import Bet, PayLine


class Practical(msgspec.Struct, frozen=True):
    """Odds as casinos print them, and the edge that the bet then has."""

    odds: tuple[Odds, ...]
    edge: Fraction


class Solved(msgspec.Struct, frozen=True):
    """What a line must pay, the others left as they are. Lines that pay alike change together."""

    lines: tuple[PayLine, ...]
    ways: int
    total: int
    exact: Fraction | None
    """The gain per unit; None where no odds above zero do it."""
    practical: tuple[Practical, ...]
    """The nearest with at least the edge, then the nearest with less."""


class Scaled(msgspec.Struct, frozen=True):
    """All lines of the bet changed by one factor."""

    factor: Fraction
    practical: Practical
    """Every line at the nearest odds that can be printed."""


def solve_line(bet: Bet, found: Weights, edge: Fraction) -> tuple[Solved, ...]:
    """For each line in turn, the odds that give the bet this edge."""
    ways, lost = _ways(bet, found)
    groups: dict[Odds, list[PayLine]] = {}
    for line in bet.pays:
        groups.setdefault(line.odds, []).append(line)
    by_odds = {odds: sum(ways[bet.pays.index(line)] for line in lines) for odds, lines in groups.items()}
    found_lines = []
    for odds, lines in groups.items():
        if not by_odds[odds]:
            continue
        others = sum((other.fraction * count for other, count in by_odds.items() if other != odds), Fraction(0))
        exact = (lost - edge * found.total - others) / by_odds[odds]
        practical = tuple(
            Practical((near,), (lost - others - near.fraction * by_odds[odds]) / found.total) for near in nearest(exact)
        )
        positive = exact if exact > 0 else None
        found_lines.append(Solved(tuple(lines), by_odds[odds], found.total, positive, practical if positive else ()))
    return tuple(found_lines)


def solve_all(bet: Bet, found: Weights, edge: Fraction) -> Scaled | None:
    """One factor on every line; None for a single line, or where no factor does it."""
    ways, lost = _ways(bet, found)
    paid = sum((line.odds.fraction * count for line, count in zip(bet.pays, ways, strict=True)), Fraction(0))
    if len({line.odds for line in bet.pays}) < 2 or not paid:
        return None
    factor = (lost - edge * found.total) / paid
    if factor <= 0:
        return None
    odds = tuple(_closest(factor * line.odds.fraction) for line in bet.pays)
    back = sum((each.fraction * count for each, count in zip(odds, ways, strict=True)), Fraction(0))
    return Scaled(factor, Practical(odds, (lost - back) / found.total))


def _ways(bet: Bet, found: Weights) -> tuple[list[int], int]:
    """Deals of each pay line, and of the loss."""
    ways = [found.of(found.space.where(line.when)) for line in bet.pays]
    returned = sum(found.of(found.space.where(line.when)) for line in bet.returns)
    return ways, found.total - sum(ways) - returned


_STEPS: Mapping[int, Fraction] = {
    2: Fraction(1, 20),
    5: Fraction(1, 2),
    200: Fraction(1),
}
"""Up to so much to 1, odds go in these steps; beyond in fives."""


def nearest(exact: Fraction) -> tuple[Odds, ...]:
    """Odds that can be printed, at or below what is wanted, and above.

    >>> [str(odds) for odds in nearest(Fraction(497, 10))]
    ['49 to 1', '50 to 1']
    >>> [str(odds) for odds in nearest(Fraction(97, 100))]
    ['0.95 to 1', '1 to 1']
    """
    if exact <= 0:
        return ()
    step = next((step for limit, step in _STEPS.items() if exact < limit), Fraction(5))
    below = exact // step * step
    both = (below,) if below == exact else (below, below + step)
    return tuple(Odds.of(gain) for gain in both if gain > 0)


def _closest(exact: Fraction) -> Odds:
    return min(nearest(exact), key=lambda odds: (abs(odds.fraction - exact), odds.fraction))


def parse_edge(text: str) -> Fraction:
    """``2.5%`` or ``0.025``, exactly."""
    plain = text.strip()
    number = plain.removesuffix("%").strip()
    digits = number.removeprefix("-").replace(".", "", 1)
    if not (digits.isascii() and digits.isdigit()) or len(number) > 20:
        raise MoneyError(f"{text!r} is not an edge: write a percentage, as in 2.5%")
    edge = Fraction(number) / (100 if plain.endswith("%") else 1)
    if not -1 < edge < 1:
        raise MoneyError(f"{text!r}: an edge lies between -100% and 100%")
    return edge
