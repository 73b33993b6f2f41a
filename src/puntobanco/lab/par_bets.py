"""A bet on a PAR sheet: combinations of every pay line, return, edge, volatility, hold and rounding. All exact."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from puntobanco.bets import Payoff, Result, members, payoffs
from puntobanco.cards import Composition
from puntobanco.lab.par_terms import Terms
from puntobanco.lab.words import condition_words
from puntobanco.money import Odds, Rounding, winnings
from puntobanco.odds import BetOdds, Menu, Weights, weights
from puntobanco.rules.model import Bet, PayLine, ReturnLine, RuleBook

LEVELS = {90: 1.6448536269514722, 95: 1.959963984540054, 99: 2.5758293035489004}
"""Percent of all cases inside the band, and its half width in standard deviations."""
ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
ENOUGH = 25
"""Below so many expected wins the normal distribution is a rough guide to hold."""


class Line(msgspec.Struct, frozen=True):
    """A way for the bet to end: a pay line, a return, or the loss that is left over."""

    result: Result
    name: str
    words: str
    gain: Fraction
    """Per unit staked: the odds, 0, or -1."""
    odds: Odds | None
    ways: int
    total: int
    paragraph: str

    @property
    def probability(self) -> Fraction:
        return Fraction(self.ways, self.total)

    @property
    def back(self) -> Fraction:
        """Its part of the return: stake and winnings."""
        return (1 + self.gain) * self.probability


class AtMinimum(msgspec.Struct, frozen=True):
    """What rounding does to the smallest stake."""

    stake: int
    exact: bool
    """Whether every payout at this stake is whole."""
    ev: Fraction
    paid: tuple[tuple[Odds, Fraction, int], ...]
    """Odds, the exact winnings, and what is paid."""


class BetSheet(msgspec.Struct, frozen=True):
    """All figures of one bet."""

    bet: Bet
    odds: BetOdds
    lines: tuple[Line, ...]
    step: int
    """Stakes in multiples of so many minor units are paid without rounding."""
    at_minimum: AtMinimum | None

    @property
    def code(self) -> str:
        return self.bet.code

    @property
    def edge(self) -> Fraction:
        return -self.odds.ev

    @property
    def back(self) -> Fraction:
        """The return to player: what comes back of a unit staked, on average."""
        return 1 + self.odds.ev

    @property
    def resolved_edge(self) -> Fraction:
        """The edge over stakes that won or lost, returned ones left out."""
        return self.edge * self.odds.total / (self.odds.total - self.odds.push)

    @property
    def hit(self) -> Fraction:
        return Fraction(self.odds.win, self.odds.total)

    @property
    def index(self) -> float:
        """The volatility index: half the 90% band of one round, in stakes."""
        return LEVELS[90] * self.odds.sd

    @property
    def top(self) -> Line:
        """The dearest pay line; several that pay the same are one award."""
        most = max(line.gain for line in self.lines)
        first, *others = (line for line in self.lines if line.gain == most)
        return replace(
            first,
            words=" or ".join(line.words for line in (first, *others)),
            ways=sum(line.ways for line in (first, *others)),
        )

    def band(self, rounds: int, level: int) -> tuple[float, float]:
        """Between which shares of the handle the house's win lies after so many equal bets."""
        half = LEVELS[level] * self.odds.sd / math.sqrt(rounds)
        return self.odds.edge - half, self.odds.edge + half

    def rough(self, rounds: int) -> bool:
        """Whether so few wins are expected that the band is only a rough guide."""
        return rounds * min(self.hit, 1 - self.hit) < ENOUGH


def bet_sheets(book: RuleBook, terms: Terms, found: Weights) -> tuple[BetSheet, ...]:
    """Every bet of the layout, over the weights of its shoe."""
    table = Menu(book).odds(found)
    return tuple(_sheet(bet, table[bet.code], found, terms) for bet in book.menu(terms.layout))


def _sheet(bet: Bet, odds: BetOdds, found: Weights, terms: Terms) -> BetSheet:
    sources: tuple[PayLine | ReturnLine, ...] = (*bet.pays, *bet.returns)
    lines = [_line(line, found) for line in sources]
    lost = found.total - sum(line.ways for line in lines)
    paragraph = bet.loses or bet.paragraph
    lines.append(Line(Result.LOST, "", "otherwise", Fraction(-1), None, lost, found.total, paragraph))
    minimum = terms.limits_of(bet.code).minimum
    return BetSheet(bet, odds, tuple(lines), _step(bet, terms.rounding), _at_minimum(lines, minimum, terms.rounding))


def _line(line: PayLine | ReturnLine, found: Weights) -> Line:
    ways, words = found.of(found.space.where(line.when)), condition_words(line.when)
    if isinstance(line, PayLine):
        return Line(Result.WON, line.name, words, line.odds.fraction, line.odds, ways, found.total, line.paragraph)
    return Line(Result.RETURNED, "", words, Fraction(0), None, ways, found.total, line.paragraph)


def _step(bet: Bet, rounding: Rounding) -> int:
    """Stakes in multiples of this give winnings in whole units on every line."""
    return math.lcm(*((Fraction(line.odds.fraction) / rounding.unit).denominator for line in bet.pays))


def _at_minimum(lines: Sequence[Line], stake: int | None, rounding: Rounding) -> AtMinimum | None:
    if stake is None:
        return None
    paid = {line.odds: (stake * line.gain, winnings(stake, line.odds, rounding)) for line in lines if line.odds}
    gained = sum(
        line.ways * (winnings(stake, line.odds, rounding) if line.odds else int(stake * line.gain)) for line in lines
    )
    return AtMinimum(
        stake,
        all(exact == whole for exact, whole in paid.values()),
        Fraction(gained, stake * lines[0].total),
        tuple((odds, *both) for odds, both in paid.items()),
    )


class Correlation(msgspec.Struct, frozen=True):
    """How the bets go together: exact covariances over the outcomes."""

    codes: tuple[str, ...]
    covariance: tuple[tuple[Fraction, ...], ...]

    def coefficient(self, row: int, column: int) -> float:
        """Pearson's, 0 where a bet cannot vary."""
        spread = self.covariance[row][row] * self.covariance[column][column]
        return float(self.covariance[row][column]) / math.sqrt(spread) if spread else 0.0


def correlation(book: RuleBook, codes: Sequence[str], found: Weights) -> Correlation:
    """The exact correlation of every two bets."""
    numbers = [number for number in book.space.numbers if found[number]]
    scaled = [_scaled_gains(payoffs(book)[code], numbers) for code in codes]
    gains = np.array([gains for gains, _ in scaled], object).reshape(len(codes), len(numbers))
    deals = np.array([found[number] for number in numbers], object)
    products: NDArray[np.object_] = (gains * deals) @ gains.T
    means = [Fraction(int((gains[row] * deals).sum()), scale * found.total) for row, (_, scale) in enumerate(scaled)]
    return Correlation(
        tuple(codes),
        tuple(
            tuple(
                Fraction(int(products[row, column]), scale * other * found.total) - means[row] * means[column]
                for column, (_, other) in enumerate(scaled)
            )
            for row, (_, scale) in enumerate(scaled)
        ),
    )


def _scaled_gains(payoff: Payoff, numbers: Sequence[int]) -> tuple[list[int], int]:
    """The bet's gain in each outcome as whole numbers, and by what they were multiplied."""
    scale = math.lcm(*(gain.denominator for gain in payoff.by_gain))
    by_outcome = {
        number: int(gain * scale) for gain, outcomes in payoff.by_gain.items() for number in members(outcomes)
    }
    return [by_outcome.get(number, -scale) for number in numbers], scale


def by_decks(book: RuleBook, terms: Terms) -> dict[int, dict[str, BetOdds]]:
    """The odds of every bet for every number of decks that the book allows."""
    menu = Menu(book)
    found = {}
    for decks in range(book.decks.least, book.decks.most + 1):
        table = menu.odds(weights(Composition.of_decks(decks, suited=book.suited), book.space))
        found[decks] = {bet.code: table[bet.code] for bet in book.menu(terms.layout)}
    return found
