"""What every bet does in every outcome: verdicts by look-up, settlement, and what is decided before the end.

A bet of a book becomes a :class:`Payoff`: bit sets of the outcomes in which it wins, is returned or loses,
and the :class:`Verdict` of each. The literal settlement in :mod:`puntobanco.literal` checks these tables over
the whole space.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property

import msgspec

from puntobanco.cards import CARDS, Symbol
from puntobanco.coup import Coup, DealError, Hand
from puntobanco.money import ROUND_DOWN, MoneyError, Odds, Rounding, winnings
from puntobanco.outcomes import FEATURES, Space, Value
from puntobanco.rules.model import Bet, Layout, RuleBook


class Result(Symbol):
    """What became of a wager."""

    WON = "won"
    LOST = "lost"
    RETURNED = "returned"


class Verdict(msgspec.Struct, frozen=True):
    """What an outcome does to a bet, and the paragraph that says so."""

    result: Result
    paragraph: str
    odds: Odds | None = None
    line: str = ""

    def profit(self, stake: int, rounding: Rounding = ROUND_DOWN) -> int:
        """What the stake earns, in minor units: negative when it is lost."""
        if self.odds is not None:
            return winnings(stake, self.odds, rounding)
        return -stake if self.result is Result.LOST else 0


class Payoff:
    """A bet over an outcome space."""

    def __init__(self, bet: Bet, space: Space) -> None:
        self.bet = bet
        self.space = space
        self._lines = [
            (space.where(line.when), Verdict(Result.WON, line.paragraph, line.odds, line.name)) for line in bet.pays
        ]
        self._lines += [(space.where(line.when), Verdict(Result.RETURNED, line.paragraph)) for line in bet.returns]
        self._lost = Verdict(Result.LOST, bet.loses or bet.paragraph)

    def __repr__(self) -> str:
        return f"Payoff({self.bet.code})"

    @cached_property
    def sets(self) -> dict[Result, int]:
        """The outcomes in which the bet wins, loses and is returned, as bit sets."""
        sets = dict.fromkeys(Result, 0)
        for bits, verdict in self._lines:
            sets[verdict.result] |= bits
        sets[Result.LOST] = self.space.all & ~(sets[Result.WON] | sets[Result.RETURNED])
        return sets

    @cached_property
    def by_gain(self) -> dict[Fraction, int]:
        """Gain per unit staked → the outcomes that give it; 0 where returned, losing outcomes left out."""
        gains: dict[Fraction, int] = {}
        for bits, verdict in self._lines:
            gain = verdict.odds.fraction if verdict.odds else Fraction(0)
            gains[gain] = gains.get(gain, 0) | bits
        return gains

    @cached_property
    def _verdicts(self) -> dict[int, Verdict]:
        return {number: verdict for bits, verdict in self._lines for number in members(bits)}

    def verdict(self, outcome: int) -> Verdict:
        """What this outcome does to the bet."""
        return self._verdicts.get(outcome, self._lost)

    def as_it_lies(self, outcome: int) -> Verdict:
        """What hands do to the bet that the Table of Play does not leave so: somebody called and paid them."""
        end = self.space[outcome]

        def fits(when: Mapping[str, tuple[Value, ...]]) -> bool:
            return all(FEATURES[name].of(end) in values for name, values in when.items())

        for line in self.bet.pays:
            if fits(line.when):
                return Verdict(Result.WON, line.paragraph, line.odds, line.name)
        for back in self.bet.returns:
            if fits(back.when):
                return Verdict(Result.RETURNED, back.paragraph)
        return self._lost

    def decided(self, reachable: int) -> Result | None:
        """The result that all these outcomes agree on, if they do."""
        for result, bits in self.sets.items():
            if reachable & ~bits == 0:
                return result
        return None


def members(bits: int) -> Iterator[int]:
    """The numbers in a bit set, in ascending order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


_tables: dict[str, dict[str, Payoff]] = {}
_verdicts: dict[tuple[str, int, bool], dict[str, Verdict]] = {}
_sure: dict[tuple[str, str, int], bool] = {}


def payoffs(book: RuleBook) -> dict[str, Payoff]:
    """The payoff of every bet of the book, by code."""
    table = _tables.get(book.hash)
    if table is None:
        table = _tables[book.hash] = {code: Payoff(bet, book.space) for code, bet in book.bets.items()}
    return table


def verdicts(book: RuleBook, outcome: int, *, as_it_lies: bool = False) -> dict[str, Verdict]:
    """What an outcome does to every bet of the book, by code."""
    key = (book.hash, outcome, as_it_lies)
    found = _verdicts.get(key)
    if found is None:
        table = payoffs(book)
        found = _verdicts[key] = {
            code: payoff.as_it_lies(outcome) if as_it_lies else payoff.verdict(outcome)
            for code, payoff in table.items()
        }
    return found


class SettledWager(msgspec.Struct, frozen=True):
    """A wager after the round. ``profit`` excludes the stake; ``back`` is all that the player gets."""

    bet: str
    stake: int
    result: Result
    profit: int
    paragraph: str
    odds: Odds | None = None

    @property
    def back(self) -> int:
        """What goes back to the player, stake included: 0 for a bet that is lost."""
        return self.stake + self.profit


def settle(
    book: RuleBook,
    coup: Coup,
    wagers: Mapping[str, int] | Iterable[tuple[str, int]],
    *,
    layout: Layout | None = None,
    rounding: Rounding = ROUND_DOWN,
) -> tuple[SettledWager, ...]:
    """Settle wagers (bet code, stake in minor units) on a finished coup.

    >>> from puntobanco import Coup, find_book
    >>> (settled,) = settle(find_book("super-six"), Coup.parse("P 9hKd B Kc7s"), {"player": 100_00})
    >>> settled.result.value, settled.profit, settled.back, settled.paragraph
    ('won', 10000, 20000, '4.1.2')
    """
    pairs = wagers.items() if isinstance(wagers, Mapping) else wagers
    if not coup.finished:
        raise DealError(f"the coup {coup} is not finished: nothing can be settled yet")
    outcome = book.space.outcome_of(coup)
    table = payoffs(book)
    settled = []
    for code, stake in pairs:
        if type(stake) is not int or stake < 1:
            raise MoneyError(f"{stake!r} on {code} is not a stake: a whole number of minor units above zero")
        verdict = table[book.bet(code, layout).code].verdict(outcome)
        profit = verdict.profit(stake, rounding)
        settled.append(SettledWager(code, stake, verdict.result, profit, verdict.paragraph, verdict.odds))
    return tuple(settled)


class Decided(msgspec.Struct, frozen=True):
    """Which bets of a layout have the same result in every way the round can still end (reading E)."""

    bets: dict[str, Result]

    @property
    def established(self) -> bool:
        """Whether an outcome is established: at least one bet is decided."""
        return bool(self.bets)


def sure_to_be_decided(book: RuleBook, layout: Layout, count: int) -> bool:
    """Whether something is decided once so many of the first four cards are dealt, whichever they are."""
    key = (book.hash, layout.code, count)
    if key not in _sure:
        deals = itertools.product({card.rank: card for card in CARDS}.values(), repeat=count)
        coups = (Coup(Hand(cards[::2]), Hand(cards[1::2])) for cards in deals)
        before = count > 0 and sure_to_be_decided(book, layout, count - 1)
        _sure[key] = before or all(decided(book, coup, layout).established for coup in coups)
    return _sure[key]


def decided(book: RuleBook, coup: Coup, layout: Layout | None = None) -> Decided:
    """What is decided by the cards properly dealt so far, whatever comes next.

    >>> from puntobanco import find_book, parse_cards, reconstruct
    >>> dealt = reconstruct(parse_cards("9h 4c 2d")).coup
    >>> {code: result.value for code, result in decided(find_book("super-six"), dealt).bets.items()}
    {'player_pair': 'lost'}
    """
    reachable = book.space.reachable(coup)
    table = payoffs(book)
    found = {bet.code: table[bet.code].decided(reachable) for bet in book.menu(layout)}
    return Decided({code: result for code, result in found.items() if result})
