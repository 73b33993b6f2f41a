"""Play against exact expectation: each figure with its 99% band, and a judgement of all of them together.

Frequencies are judged by the exact binomial distribution, the House's result by its exact mean and variance and the
normal distribution. With many comparisons some lie outside by chance alone, so those that still stand out when all are
judged together are named by Holm's procedure: the chance to name even one of an honest table is 1% at most, however
the comparisons depend on each other.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache

import msgspec

from puntobanco.bets import members
from puntobanco.reports.chances import Chances
from puntobanco.reports.gather import PlayedRound
from puntobanco.rules.model import Layout, RuleBook

OUTSIDE = Fraction(1, 100)
"""How often honest play lies outside a band, at most."""
QUANTILE = Fraction(25_758_293, 10_000_000)
"""Standard deviations on each side of the mean that hold 99% of a normal distribution."""
FEWEST = 30
"""Rounds with money, below which the House's result is not judged: it is far from normal."""

WINNERS = {"player": "Player", "banker": "Banker", "tie": "Tie"}


class Comparison(msgspec.Struct, frozen=True):
    """A figure against its expectation."""

    kind: str
    """``winner``, ``pay_line`` or ``result``."""
    name: str
    paragraph: str
    count: int
    """Rounds behind it."""
    observed: int
    expected: Fraction
    sd: float
    band: tuple[int, int]
    """What honest play keeps within, both ends included, in 99 of 100 cases or more."""
    chance: float
    """How likely honest play is as far off, to either side."""
    judged: bool = True
    """Whether it counts: not where another figure says the same, or where there is too little to judge."""
    outstanding: bool = False
    """Whether it stands out among all comparisons together."""

    @property
    def z(self) -> float:
        """Standard deviations above the expectation."""
        return float(self.observed - self.expected) / self.sd if self.sd else 0.0

    @property
    def outside(self) -> bool:
        """Whether it lies outside the band in which 99 of 100 honest tables lie."""
        return not self.band[0] <= self.observed <= self.band[1]


class Group(msgspec.Struct, frozen=True):
    """The rounds of a table, a shoe or a dealer."""

    kind: str
    """``table``, ``shoe`` or ``dealer``."""
    name: str
    rounds: int
    comparisons: tuple[Comparison, ...]

    @property
    def result(self) -> Comparison:
        """The House's."""
        return next(each for each in self.comparisons if each.kind == "result")

    @property
    def winners(self) -> tuple[Comparison, ...]:
        """How often Player, Banker and tie came up."""
        return tuple(each for each in self.comparisons if each.kind == "winner")

    @property
    def outside(self) -> tuple[Comparison, ...]:
        """What lies outside its band, of what is judged."""
        return tuple(each for each in self.comparisons if each.judged and each.outside)


class Statistics(msgspec.Struct, frozen=True):
    """All groups, and what to make of them."""

    groups: tuple[Group, ...]

    @property
    def judged(self) -> tuple[Comparison, ...]:
        """What there was enough play to judge."""
        return tuple(each for group in self.groups for each in group.comparisons if each.judged)

    @property
    def outside(self) -> int:
        """How many lie outside their bands."""
        return sum(each.outside for each in self.judged)

    @property
    def outstanding(self) -> tuple[tuple[Group, Comparison], ...]:
        """What stands out, with where it was played."""
        return tuple((group, each) for group in self.groups for each in group.comparisons if each.outstanding)

    @property
    def judgement(self) -> str:
        """In words."""
        if not self.judged:
            return "There are no rounds to judge."
        count = len(self.judged)
        told = (
            f"Outside their 99% bands: {self.outside} of {count} comparisons; "
            f"up to {count / 100:.1f} are to be expected of honest play. "
        )
        if not self.outstanding:
            return told + "Judged together (Holm, 1% for all of them), nothing stands out."
        names = "; ".join(f"{group.kind} {group.name}, {each.name}" for group, each in self.outstanding)
        return told + f"Judged together (Holm, 1% for all of them), these stand out and want an explanation: {names}."


def statistics_of(
    table: str, book: RuleBook, layout: Layout, chances: Chances, rounds: Sequence[PlayedRound]
) -> Statistics:
    """The rounds of a table, and of each of its shoes and dealers, against expectation."""
    lines = _lines(book, layout)
    shoes, dealers = defaultdict[int, list[PlayedRound]](list), defaultdict[str, list[PlayedRound]](list)
    for played in rounds:
        shoes[played.shoe].append(played)
        dealers[played.dealer].append(played)
    parts = [
        *([("table", table, rounds)] if rounds else []),
        *(("shoe", str(number), shoes[number]) for number in sorted(shoes)),
        *(("dealer", dealer, dealers[dealer]) for dealer in sorted(dealers)),
    ]
    groups = []
    for kind, name, part in parts:
        again = kind != "table" and len(part) == len(rounds)  # the only shoe or dealer is the table over again
        groups.append(_group(kind, name, part, lines, chances, judged=not again))
    return Statistics(_judged_together(groups))


class _Line(msgspec.Struct, frozen=True):
    """A set of outcomes that has a name."""

    kind: str
    name: str
    paragraph: str
    outcomes: int
    judged: bool


def _lines(book: RuleBook, layout: Layout) -> tuple[_Line, ...]:
    """Who wins, and every pay line of every bet on the layout; what is the same as another is not judged twice."""
    named: list[tuple[str, str, str, int]] = [
        ("winner", name, "", book.space.where({"winner": (winner,)})) for winner, name in WINNERS.items()
    ]
    for bet in book.menu(layout):
        for line in bet.pays:
            name = f"{bet.name}{f', {line.name}' if line.name else ''} ({line.odds})"
            named.append(("pay_line", name, line.paragraph, book.space.where(line.when)))
    seen: set[int] = set()
    lines = []
    for kind, name, paragraph, outcomes in named:
        lines.append(_Line(kind, name, paragraph, outcomes, outcomes not in seen))
        seen.add(outcomes)
    return tuple(lines)


def _group(
    kind: str, name: str, rounds: Sequence[PlayedRound], lines: Iterable[_Line], chances: Chances, *, judged: bool
) -> Group:
    counts: dict[int, int] = {}
    for played in rounds:
        counts[played.outcome] = counts.get(played.outcome, 0) + 1
    comparisons = [*(_frequency(line, len(rounds), counts, chances) for line in lines), _result(rounds)]
    if not judged:
        comparisons = [msgspec.structs.replace(each, judged=False) for each in comparisons]
    return Group(kind, name, len(rounds), tuple(comparisons))


def _frequency(line: _Line, rounds: int, counts: Mapping[int, int], chances: Chances) -> Comparison:
    observed = sum(counts.get(outcome, 0) for outcome in members(line.outcomes))
    chance = chances.probability(line.outcomes)
    return Comparison(
        line.kind,
        line.name,
        line.paragraph,
        rounds,
        observed,
        rounds * chance,
        math.sqrt(rounds * chance * (1 - chance)),
        binomial_band(rounds, float(chance)),
        min(1.0, 2 * min(at_most(observed, rounds, float(chance)), at_least(observed, rounds, float(chance)))),
        line.judged,
    )


def _result(rounds: Sequence[PlayedRound]) -> Comparison:
    """What the House got by the stakes that were made, against what they were worth to it."""
    staked = [played for played in rounds if played.handle]
    result = sum(played.result for played in staked)
    expected = sum((played.expected.mean for played in staked), Fraction(0))
    variance = max(sum((played.expected.variance for played in staked), Fraction(0)), Fraction(0))
    width = math.isqrt(math.ceil(variance * QUANTILE**2))
    sd = math.sqrt(variance)
    off = abs(float(result - expected))
    return Comparison(
        "result",
        "Result of the House",
        "",
        len(staked),
        result,
        expected,
        sd,
        (math.floor(expected - width), math.ceil(expected + width)),
        math.erfc(off / sd / math.sqrt(2)) if sd else 1.0,
        len(staked) >= FEWEST,
    )


def _judged_together(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Holm: the smallest chance is held to 1% by the number of comparisons, the next to 1% by one less, and so on."""
    places = [(at, number) for at, group in enumerate(groups) for number in range(len(group.comparisons))]
    judged = [(groups[at].comparisons[number], (at, number)) for at, number in places]
    ranked = sorted((each.chance, place) for each, place in judged if each.judged)
    standing: set[tuple[int, int]] = set()
    for rank, (chance, place) in enumerate(ranked):
        if chance > OUTSIDE / (len(ranked) - rank):
            break
        standing.add(place)
    return tuple(
        msgspec.structs.replace(
            group,
            comparisons=tuple(
                msgspec.structs.replace(each, outstanding=(at, number) in standing)
                for number, each in enumerate(group.comparisons)
            ),
        )
        for at, group in enumerate(groups)
    )


# --- the binomial distribution


def _term(hits: int, tries: int, chance: float) -> float:
    """The chance of exactly so many hits."""
    if not 0 < chance < 1:
        return float(hits == (tries if chance else 0))
    ways = math.lgamma(tries + 1) - math.lgamma(hits + 1) - math.lgamma(tries - hits + 1)
    return math.exp(ways + hits * math.log(chance) + (tries - hits) * math.log1p(-chance))


def at_most(hits: int, tries: int, chance: float) -> float:
    """The chance of so many hits or fewer."""
    if hits < 0:
        return 0.0
    if hits >= tries:
        return 1.0
    if hits > tries * chance:
        return 1.0 - at_least(hits + 1, tries, chance)
    term = total = _term(hits, tries, chance)
    while hits > 0 and term > total * 1e-17:
        term *= hits * (1 - chance) / ((tries - hits + 1) * chance)
        hits -= 1
        total += term
    return min(total, 1.0)


def at_least(hits: int, tries: int, chance: float) -> float:
    """The chance of so many hits or more."""
    return at_most(tries - hits, tries, 1 - chance)


@cache
def binomial_band(tries: int, chance: float) -> tuple[int, int]:
    """The fewest and the most hits that leave half of 1% or less beyond on each side."""
    tail = float(OUTSIDE) / 2
    low, high = 0, tries
    while low < high:  # the first number that is not too small
        middle = (low + high) // 2
        low, high = (middle + 1, high) if at_most(middle, tries, chance) <= tail else (low, middle)
    fewest = low
    low, high = 0, tries
    while low < high:  # the last number that is not too large
        middle = (low + high + 1) // 2
        low, high = (low, middle - 1) if at_least(middle, tries, chance) <= tail else (middle, high)
    return fewest, low
