"""Exact odds of every bet for any shoe: integers out of a total, never a float.

A shoe's :class:`Weights` are the numbers of deals that end in each outcome. Everything else is a sum over
them: how often a bet wins, its expectation as a fraction, how two bets go together.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from itertools import accumulate, chain

import msgspec
import numpy as np

from puntobanco.bets import Payoff, Result, members, payoffs
from puntobanco.cards import CardError, Composition
from puntobanco.coup import Coup
from puntobanco.lazy import lazy
from puntobanco.odds import kernels
from puntobanco.odds.deals import ROUND, count_outcomes, deals_after, finishes
from puntobanco.odds.kernels import Counts
from puntobanco.outcomes import NOTHING_DEALT, Space
from puntobanco.rules.model import Layout, RuleBook

LOST = Fraction(-1)


class Weights(msgspec.Struct, frozen=True, eq=False):
    """How many deals of a shoe, out of ``total``, end in each outcome."""

    space: Space
    total: int
    counts: Counts
    """64-bit integers where the total fits, Python's own otherwise."""

    def __getitem__(self, outcome: int) -> int:
        return int(self.counts[outcome])

    def of(self, outcomes: int) -> int:
        """The deals that end in a bit set of outcomes."""
        return sum(self[number] for number in members(outcomes))


def weights(shoe: Composition, space: Space) -> Weights:
    """The exact weight of every outcome, for a shoe by ranks or by cards."""
    return weights_after(NOTHING_DEALT, shoe, space)


def weights_after(coup: Coup, shoe: Composition, space: Space) -> Weights:
    """The same from an exact partial deal; ``shoe`` is what is left after its cards were taken out."""
    if space.suited and not shoe.suited:
        raise CardError(
            "this game tells suited pairs from others, which a shoe by ranks does not: "
            "count it by cards, as in Ah:8 As:8 …"
        )
    total = deals_after(coup, shoe)
    if coup == NOTHING_DEALT and shoe.size >= ROUND:
        return Weights(space, total, count_outcomes(shoe, space))
    counts = [0] * space.size
    for path, pairs, ways in finishes(coup, shoe, suited=space.suited):
        counts[space.number(path.outcome(pairs))] += ways
    return Weights(space, total, np.array(counts, object))


class BetOdds(msgspec.Struct, frozen=True, dict=True):
    """A bet against a shoe: how many of ``total`` deals give each gain per unit staked; -1 where it loses."""

    code: str
    total: int
    ways: dict[Fraction, int]

    @property
    def win(self) -> int:
        """Deals in which it wins something."""
        return sum(ways for gain, ways in self.ways.items() if gain > 0)

    @property
    def push(self) -> int:
        """Deals in which the stake goes back."""
        return self.ways.get(Fraction(0), 0)

    @property
    def lose(self) -> int:
        """Deals in which the whole stake is lost."""
        return self.ways[LOST]

    @lazy
    def ev(self) -> Fraction:
        """The expected gain per unit staked."""
        return sum((gain * ways for gain, ways in self.ways.items()), Fraction(0)) / self.total

    @lazy
    def variance(self) -> Fraction:
        square = sum((gain**2 * ways for gain, ways in self.ways.items()), Fraction(0)) / self.total
        return square - self.ev**2

    @property
    def edge(self) -> float:
        """The house's share of a stake, on average."""
        return float(-self.ev)

    @property
    def sd(self) -> float:
        """The standard deviation of the gain."""
        return math.sqrt(self.variance)

    @property
    def hit(self) -> float:
        """How often the bet wins."""
        return self.win / self.total


def odds(book: RuleBook, shoe: Composition, layout: Layout | None = None) -> dict[str, BetOdds]:
    """The exact odds of every bet on a layout (or of the book), for a shoe.

    >>> from puntobanco import Composition, find_book
    >>> bet = odds(find_book("super-six"), Composition.of_decks(8))["player"]
    >>> bet.win, bet.push, bet.lose
    (2230518282592256, 475627426473216, 2292252566437888)
    >>> f"{bet.edge:.4%}"
    '1.2351%'
    """
    return _odds(book, weights(shoe, book.space), layout)


def odds_after(book: RuleBook, coup: Coup, shoe: Composition, layout: Layout | None = None) -> dict[str, BetOdds]:
    """The same from an exact partial deal; ``shoe`` is what is left after its cards were taken out.

    >>> from puntobanco import Composition, find_book, parse_cards, reconstruct
    >>> coup = reconstruct(parse_cards("9h 4c 7d 9s")).coup
    >>> left = Composition.of_decks(8).without(coup.cards)
    >>> odds_after(find_book("super-six"), coup, left)["player"].ev
    Fraction(95, 206)
    """
    return _odds(book, weights_after(coup, shoe, book.space), layout)


def _odds(book: RuleBook, weights: Weights, layout: Layout | None) -> dict[str, BetOdds]:
    found = _menu(book).odds(weights)
    return {bet.code: found[bet.code] for bet in book.menu(layout)}


class Joint(msgspec.Struct, frozen=True):
    """Two bets together: deals by the gain of the first and of the second, per unit staked."""

    first: BetOdds
    second: BetOdds
    ways: dict[tuple[Fraction, Fraction], int]

    @property
    def total(self) -> int:
        """All deals."""
        return self.first.total

    @property
    def covariance(self) -> Fraction:
        """Of both profits, for one unit on each bet."""
        product = sum((one * two * ways for (one, two), ways in self.ways.items()), Fraction(0)) / self.total
        return product - self.first.ev * self.second.ev

    @property
    def correlation(self) -> float:
        """Pearson's coefficient; 0 where one of the bets cannot vary."""
        spread = self.first.variance * self.second.variance
        return float(self.covariance) / math.sqrt(spread) if spread else 0.0


def joint_odds(book: RuleBook, shoe: Composition, first: str, second: str) -> Joint:
    """The joint distribution of two bets for a shoe.

    >>> from puntobanco import Composition, find_book
    >>> both = joint_odds(find_book("super-six"), Composition.of_decks(8), "banker", "super_six")
    >>> round(both.correlation, 4)
    0.2471
    """
    one, two = (payoffs(book)[book.bet(code).code] for code in (first, second))
    found = weights(shoe, book.space)
    ways = {
        (gain, other): together
        for gain, outcomes in _by_gain(one).items()
        for other, others in _by_gain(two).items()
        if (together := found.of(outcomes & others))
    }
    single = _menu(book).odds(found)
    return Joint(single[first], single[second], ways)


def _by_gain(payoff: Payoff) -> dict[Fraction, int]:
    """Gain per unit staked → the outcomes that give it, losing ones included."""
    return payoff.by_gain | {LOST: payoff.sets[Result.LOST]}


class Solution(msgspec.Struct, frozen=True, eq=False):
    """A game against a shoe, in integers: bet i's expectation is ``numerators[i] / (scales[i] * total)``."""

    weights: Weights
    numerators: list[int]
    scales: tuple[int, ...]

    @property
    def total(self) -> int:
        """All deals."""
        return self.weights.total


class Menu:
    """The bets of a game, made ready to be solved for shoe after shoe.

    >>> from puntobanco import Composition, find_book
    >>> menu = Menu(find_book("super-six"))
    >>> solved = menu.solve(Composition.of_decks(8))
    >>> menu.codes[0], solved.numerators[0] / (solved.scales[0] * solved.total)
    ('player', -0.012350813289166138)
    """

    def __init__(self, book: RuleBook) -> None:
        self.space = book.space
        self.codes = tuple(book.bets)
        tables = [payoffs(book)[code].by_gain for code in self.codes]
        self._gains = [tuple(table) for table in tables]
        self.scales = tuple(math.lcm(*(gain.denominator for gain in gains)) for gains in self._gains)
        # Every deal counts as lost at first; one that is not gives back the unit and its gain.
        self._returns = [
            int((1 + gain) * scale) for gains, scale in zip(self._gains, self.scales, strict=True) for gain in gains
        ]
        ends = list(accumulate(map(len, tables)))
        self._parts = [slice(end - len(table), end) for end, table in zip(ends, tables, strict=True)]
        sets = [list(members(outcomes)) for table in tables for outcomes in table.values()]
        self._starts = np.array([0, *accumulate(map(len, sets))])
        self._members = np.array(list(chain(*sets)))

    def solve(self, shoe: Composition) -> Solution:
        """The weights of all outcomes and the expectations of all bets."""
        found = weights(shoe, self.space)
        total = found.total
        returned = list(map(operator.mul, self._returns, self._ways(found)))
        numerators = [sum(returned[part]) - scale * total for part, scale in zip(self._parts, self.scales, strict=True)]
        return Solution(found, numerators, self.scales)

    def odds(self, weights: Weights) -> dict[str, BetOdds]:
        """The odds of every bet over weights that are known already."""
        ways = self._ways(weights)
        found = {}
        for code, gains, part in zip(self.codes, self._gains, self._parts, strict=True):
            paid = dict(zip(gains, ways[part], strict=True))
            found[code] = BetOdds(code, weights.total, paid | {LOST: weights.total - sum(paid.values())})
        return found

    def _ways(self, weights: Weights) -> list[int]:
        """The deals of each gain of each bet, losing ones left out, all in a row."""
        sums = np.zeros(len(self._starts) - 1, weights.counts.dtype)
        kernels.add_up(weights.counts, self._members, self._starts, sums)
        ways: list[int] = sums.tolist()
        return ways


_menus: dict[str, Menu] = {}


def _menu(book: RuleBook) -> Menu:
    menu = _menus.get(book.hash)
    if menu is None:
        menu = _menus[book.hash] = Menu(book)
    return menu
