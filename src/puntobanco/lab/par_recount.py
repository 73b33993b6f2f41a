"""The headline figures a second time, by another way: every deal rank by rank, settled by the literal paragraphs.

Nothing here comes from the book files, the outcome space or the counting kernel. The Table of Play is written down
once more, all openings of four cards are listed by rank, and :mod:`puntobanco.literal` says what each ending pays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.cards import Card, Side
from puntobanco.coup import Coup, Hand
from puntobanco.lab.par_terms import Terms
from puntobanco.literal import End, literal_gain, literal_insurance_odds, literal_insurance_profit
from puntobanco.odds import BetOdds, InsuranceOdds
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import RuleBook

RANKS = "A23456789TJQK"
VALUES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
BANKER = (
    # Player's third card 0 1 2 3 4 5 6 7 8 9; without one
    "DDDDDDDDDD D",  # Banker has 0
    "DDDDDDDDDD D",
    "DDDDDDDDDD D",
    "DDDDDDDDSD D",
    "SSDDDDDDSS D",
    "SSSSDDDDSS D",
    "SSSSSSDDSS S",
    "SSSSSSSSSS S",  # Banker has 7
)
NONE = 10
"""In place of a third card's value where none is drawn."""
PAIRS = ((None, None), ("A", None), (None, "A"), ("A", "2"), ("A", "A"))
"""The pairs of both hands, Player's first. Which rank they are of matters only where both are pairs."""

Deals = NDArray[np.int64]
_Path = tuple[int, int, int, int]
"""Points of both openings, Player's first, and the third cards' values."""
_Insured = tuple[str, Side, int, int]
"""The window, the insured hand, its points and the other's."""


class Recount(msgspec.Struct, frozen=True):
    """A bet, or an insurance row, counted twice."""

    code: str
    counted: tuple[int, int, int]
    """Deals that win, are returned and lose: by the book file and the kernel."""
    literal: tuple[int, int, int]
    counted_ev: Fraction
    literal_ev: Fraction

    @property
    def agrees(self) -> bool:
        return self.counted == self.literal and self.counted_ev == self.literal_ev


def covers(book: RuleBook) -> bool:
    """Whether this is one of the games that the literal settlement knows, unchanged."""
    return book.id in GAMES and book.hash == find_book(book.id).hash


def recount(book: RuleBook, terms: Terms, odds: Mapping[str, BetOdds]) -> tuple[Recount, ...]:
    """Every bet of the layout once more."""
    ends, _ = _deals(terms.decks)
    found = []
    for code, bet in odds.items():
        ways: Counter[Fraction] = Counter()
        for end, count in ends.items():
            ways[literal_gain(book.id, code, end)] += count
        total = sum(ways.values())
        literal_ev = sum((gain * count for gain, count in ways.items()), Fraction(0)) / total
        found.append(Recount(code, (bet.win, bet.push, bet.lose), _split(ways), bet.ev, literal_ev))
    return tuple(found)


def recount_insurance(terms: Terms, rows: Iterable[InsuranceOdds]) -> tuple[Recount, ...]:
    """Every insurance row at every pair of points, once more."""
    _, paths = _deals(terms.decks)
    seen: dict[_Insured, Counter[Fraction]] = {}
    for path, count in paths.items():
        for key, gain in _insured(path):
            seen.setdefault(key, Counter())[gain] += count
    found = []
    for row in rows:
        ways = seen.pop((row.window.value, row.hand, row.own, row.other), Counter())
        total = sum(ways.values())
        literal = sum((gain * count for gain, count in ways.items()), Fraction(0)) / (total or 1)
        code = f"{row.hand.value} {row.own}–{row.other} {row.window.value}"
        found.append(Recount(code, (row.win, row.push, row.lose), _split(ways), row.ev or Fraction(0), literal))
    assert not seen, f"the literal settlement insures {sorted(map(str, seen))}, and the book does not"
    return tuple(found)


def _split(ways: Mapping[Fraction, int]) -> tuple[int, int, int]:
    win = sum(count for gain, count in ways.items() if gain > 0)
    return win, ways.get(Fraction(0), 0), ways.get(Fraction(-1), 0)


def _insured(path: _Path) -> Iterator[tuple[_Insured, Fraction]]:
    """What each insurance that these cards open gains, per unit."""
    player, banker, third, last = path
    coup = Coup(Hand(_cards(player, third)), Hand(_cards(banker, last)))
    four = Coup(Hand(coup.player.cards[:2]), Hand(coup.banker.cards[:2]))
    five = Coup(coup.player, four.banker)
    windows = [("four_cards", four)] + ([("player_third", five)] if third != NONE else [])
    for (window, then), hand in product(windows, Side):
        if literal_insurance_odds(then, hand) is not None:
            own, other = then.hands[hand].total, then.hands[hand.other].total
            yield (window, hand, own, other), literal_insurance_profit(window, hand, coup)


def _cards(opening: int, third: int) -> tuple[Card, ...]:
    """Cards with these points: a picture, one that makes the opening, and the third."""
    ranks = ["K", _RANK_OF[opening], *([_RANK_OF[third]] if third != NONE else [])]
    return tuple(Card(f"{rank}{suit}") for rank, suit in zip(ranks, "shd", strict=False))


_RANK_OF = {value: rank for rank, value in zip(RANKS[:9] + "Q", (*VALUES[:9], 0), strict=True)}


@cache
def _deals(decks: int) -> tuple[Counter[End], Counter[_Path]]:
    """All ordered deals of six cards from full decks, by how the coup ends and by the way it took."""
    ranks = np.array(list(product(range(13), repeat=4)))
    values = np.array(VALUES)[ranks]
    ways = _openings(ranks, 4 * decks)
    size = 52 * decks
    player, banker = (values[:, 0] + values[:, 2]) % 10, (values[:, 1] + values[:, 3]) % 10
    first, second = (ranks[:, at] == ranks[:, at + 2] for at in (0, 1))
    pairs = np.where(first & second, np.where(ranks[:, 0] == ranks[:, 1], 4, 3), first + 2 * second)
    cards_of = np.array([16 * decks] + [4 * decks] * 9)
    natural = (player >= 8) | (banker >= 8)
    ends: Counter[End] = Counter()
    paths: Counter[_Path] = Counter()
    for third in range(11):
        takes = (~natural & (player <= 5)) if third != NONE else (natural | (player >= 6))
        left = np.ones(len(ranks), np.int64)
        if third != NONE:
            left = cards_of[third] - (values == third).sum(axis=1)
        draws = ~natural & _banker_draws(banker, third)
        for last in range(11):
            where = takes & (draws if last != NONE else ~draws)
            if not where.any():
                continue
            deals = ways * left
            if last != NONE:
                deals = deals * (cards_of[last] - (values == last).sum(axis=1) - (third == last))
            drawn = 4 + (third != NONE) + (last != NONE)
            deals = deals * ((size - 4) * (size - 5) if drawn == 4 else size - 5 if drawn == 5 else 1)
            _add(ends, paths, where, deals, player, banker, pairs, third, last)
    return ends, paths


def _openings(ranks: NDArray[np.int64], each: int) -> Deals:
    """How many ordered ways there are to draw four cards of these ranks, of which the shoe has ``each``."""
    ways = np.ones(len(ranks), np.int64)
    for at in range(4):
        ways *= each - (ranks[:, :at] == ranks[:, at : at + 1]).sum(axis=1)
    return ways


def _banker_draws(banker: NDArray[np.int64], third: int) -> NDArray[np.bool_]:
    column = np.array([row.replace(" ", "")[third] == "D" for row in BANKER] + [False, False])
    draws: NDArray[np.bool_] = column[banker]
    return draws


def _add(
    ends: Counter[End],
    paths: Counter[_Path],
    where: NDArray[np.bool_],
    deals: Deals,
    player: NDArray[np.int64],
    banker: NDArray[np.int64],
    pairs: NDArray[np.int64],
    third: int,
    last: int,
) -> None:
    keys = (player * 10 + banker) * len(PAIRS) + pairs
    sums = np.zeros(10 * 10 * len(PAIRS), np.int64)
    np.add.at(sums, keys[where], deals[where])
    for key in np.flatnonzero(sums).tolist():
        points, state = divmod(key, len(PAIRS))
        own, other = divmod(points, 10)
        end = (own + third % 10) % 10, (other + last % 10) % 10, 2 + (third != NONE), 2 + (last != NONE)
        paths[own, other, third, last] += int(sums[key])
        ends[End(*end, *PAIRS[state])] += int(sums[key])
