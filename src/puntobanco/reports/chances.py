"""What a table's bets are worth to the House: exact edges, and the exact mean and variance of a round's result.

All odds are those of a full shoe of the table's decks. Insurance is judged by the same shoe less the cards that lay
open when it was taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from puntobanco.bets import Result, Verdict, members, payoffs
from puntobanco.cards import CardError, Composition, Side
from puntobanco.coup import Coup, Hand
from puntobanco.odds import Weights, odds, weights, weights_after
from puntobanco.rules.model import CommissionForm, InsuranceRow, RuleBook, Window
from puntobanco.table.settings import TableSettings
from puntobanco.table.state import InsuranceWager

Stakes = tuple[tuple[str, int], ...]
"""Bets and what lies on them, wager by wager."""


class Moments(NamedTuple):
    """Mean and variance of what the House gets, in minor units."""

    mean: Fraction
    variance: Fraction


def _moments(results: Iterable[tuple[int, int]], total: int) -> Moments:
    """From ways and the House's result in each."""
    first = second = 0
    for ways, result in results:
        first += ways * result
        second += ways * result * result
    mean = Fraction(first, total)
    return Moments(mean, Fraction(second, total) - mean * mean)


class Chances:
    """A table's book and shoe, made ready to judge one round after the other."""

    def __init__(self, book: RuleBook, settings: TableSettings) -> None:
        self.book = book
        self.rounding = settings.rounding
        self.shoe = Composition.of_decks(settings.decks, suited=book.suited)
        self.weights: Weights = weights(self.shoe, book.space)
        self.edges = {code: -bet.ev for code, bet in odds(book, self.shoe).items()}
        """The House's share of a stake on each bet, on average."""
        self._payoffs = payoffs(book)
        if book.commission.form is CommissionForm.MARKED:
            for code in book.commission.bets:
                self.edges[code] += book.commission.rate * self._winnings(code)
        self._kind_of: dict[int, int] = {}
        """Outcome → the kind of outcome it is: all of one kind treat every bet alike."""
        self._examples: list[int] = []
        kinds: dict[tuple[Verdict, ...], int] = {}
        for outcome in book.space.numbers:
            verdicts = tuple(payoff.verdict(outcome) for payoff in self._payoffs.values())
            kind = self._kind_of[outcome] = kinds.setdefault(verdicts, len(kinds))
            if kind == len(self._examples):
                self._examples.append(outcome)
        ways: dict[int, int] = defaultdict(int)
        for outcome, kind in self._kind_of.items():
            ways[kind] += self.weights[outcome]
        self._ways = [ways[kind] for kind in range(len(kinds))]
        self._taken = lru_cache(4096)(self._taken_of)
        self._after = lru_cache(8)(self._outcomes_after)
        self.moments = lru_cache(4096)(self._moments_of)

    def _winnings(self, bet: str) -> Fraction:
        """What a stake of one wins on average, before any commission that is marked."""
        payoff, total = self._payoffs[bet], Fraction(0)
        for outcome in self.book.space.numbers:
            if found := payoff.verdict(outcome).odds:
                total += self.weights[outcome] * found.fraction
        return total / self.weights.total

    def probability(self, outcomes: int) -> Fraction:
        """How likely a round ends in one of a bit set of outcomes."""
        return Fraction(self.weights.of(outcomes), self.weights.total)

    def _taken_of(self, bet: str, stake: int) -> tuple[int, ...]:
        """What the House gets from a stake in each kind of outcome, payouts rounded as the table rounds them."""
        payoff = self._payoffs[bet]
        return tuple(-payoff.verdict(outcome).profit(stake, self.rounding) for outcome in self._examples)

    def _results(self, stakes: Stakes) -> Sequence[int]:
        """What the House gets from all of them in each kind of outcome."""
        if not stakes:
            return [0] * len(self._examples)
        return [sum(column) for column in zip(*(self._taken(bet, stake) for bet, stake in stakes), strict=True)]

    def _moments_of(self, stakes: Stakes) -> Moments:
        """Mean and variance of what bets bring the House, when the cards are still in the shoe."""
        return _moments(zip(self._ways, self._results(stakes), strict=True), self.weights.total)

    # --- insurance

    def _outcomes_after(self, coup: Coup) -> list[tuple[int, int]]:
        """Outcomes in which a coup can end, with their ways."""
        try:
            left = self.shoe.without(coup.cards)
        except CardError:  # a card too many of its kind was in the shoe
            left = self.shoe
        found = weights_after(coup, left, self.book.space)
        return [(number, ways) for number in members(self.book.space.reachable(coup)) if (ways := found[number])]

    def insurance_edge(self, taken: InsuranceWager, coup: Coup) -> Fraction:
        """The House's share of an insurance stake, given the open cards on which it was taken."""
        row = as_it_lies(taken)
        ways_to = dict.fromkeys(Result, 0)
        for outcome, ways in self._after(cards_seen(coup, taken.row.window)):
            ways_to[_insured(row, self.book.space[outcome].winner).result] += ways
        kept = ways_to[Result.LOST] - row.odds.fraction * ways_to[Result.WON]
        return kept / sum(ways_to.values())

    def round_moments(self, stakes: Stakes, insurance: Sequence[InsuranceWager], coup: Coup) -> Moments:
        """Mean and variance of the House's result from a round.

        Insurance is chosen when cards are open. Its mean is taken given those; to the variance it adds what it changes
        of the variance that is left then, which is mostly below zero, for it hedges another bet.
        """
        mean, variance = self.moments(stakes)
        before: list[InsuranceWager] = []
        for window in (Window.FOUR_CARDS, Window.PLAYER_THIRD):
            taken = [each for each in insurance if each.row.window is window]
            if taken:
                after = self._after(cards_seen(coup, window))
                with_it = self._moments_after(after, stakes, [*before, *taken])
                without = self._moments_after(after, stakes, before)
                mean += with_it.mean - without.mean
                variance += with_it.variance - without.variance
                before += taken
        return Moments(mean, variance)

    def _moments_after(
        self, after: Sequence[tuple[int, int]], stakes: Stakes, insurance: Sequence[InsuranceWager]
    ) -> Moments:
        results, covered = self._results(stakes), dict[str, int]()
        for winner in ("player", "banker", "tie"):
            verdicts = ((_insured(as_it_lies(taken), winner), taken.stake) for taken in insurance)
            covered[winner] = -sum(verdict.profit(stake, self.rounding) for verdict, stake in verdicts)
        space = self.book.space
        return _moments(
            ((ways, results[self._kind_of[outcome]] + covered[space[outcome].winner]) for outcome, ways in after),
            sum(ways for _, ways in after),
        )


def as_it_lies(taken: InsuranceWager) -> InsuranceRow:
    """The row by which insurance is settled where it lies (tiger-buffalo 5.18)."""
    return replace(taken.row, hand=taken.hand, tie_pays=False) if taken.misplaced else taken.row


def cards_seen(coup: Coup, window: Window) -> Coup:
    """The cards of a finished coup that lay open in a window."""
    count = 2 if window is Window.FOUR_CARDS else 3
    return Coup(Hand(coup.player.cards[:count]), Hand(coup.banker.cards[:2]))


def _insured(row: InsuranceRow, winner: str) -> Verdict:
    if winner == "tie" and not row.tie_pays:
        return Verdict(Result.RETURNED, row.tie_paragraph)
    if winner != "tie" and Side(winner) is row.hand:
        return Verdict(Result.LOST, row.paragraph)
    return Verdict(Result.WON, row.paragraph, row.odds)
