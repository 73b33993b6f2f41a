"""Exact odds of insurance: every row, every pair of points it covers, in both windows, for any shoe.

They are conditional on the points seen and nothing else: the cards that made those are averaged over, as they
are for somebody who knows the shoe and sees the score. With the cards in view, use :func:`insurance_after`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.cards import Composition, Side
from puntobanco.coup import Coup
from puntobanco.insurance import rows_open
from puntobanco.money import Odds
from puntobanco.odds.deals import PATHS, Path, count_paths, finishes
from puntobanco.rules.model import InsuranceRow, RuleBook, Window


class InsuranceOdds(msgspec.Struct, frozen=True):
    """One row at one pair of points. ``own`` are the points of the insured hand."""

    window: Window
    hand: Side
    own: int
    other: int
    odds: Odds
    win: int
    push: int
    lose: int
    paragraph: str

    @property
    def total(self) -> int:
        """All ways the round can go on."""
        return self.win + self.push + self.lose

    @property
    def ev(self) -> Fraction | None:
        """The expected gain per unit staked; None where the shoe cannot show these points."""
        if not self.total:
            return None
        return (self.odds.fraction * self.win - self.lose) / self.total


def insurance_odds(book: RuleBook, shoe: Composition) -> tuple[InsuranceOdds, ...]:
    """Every row of the book at every pair of points it covers, for a shoe.

    >>> from puntobanco import Composition, find_book
    >>> row = insurance_odds(find_book("tiger-buffalo"), Composition.of_decks(8))[0]
    >>> str(row.hand), row.own, row.other, str(row.odds), row.ev
    ('player', 5, 4, '3 to 2', Fraction(-3574740971, 21902755536))
    """
    if book.insurance is None:
        return ()
    ways = count_paths(shoe)
    paths, spots = _windows_passed()
    seen = np.zeros((2, 10, 10, 3), ways.dtype)
    np.add.at(seen.reshape(-1), spots, ways[paths])
    found = []
    for row in book.insurance.rows:
        for own, other in product(row.own, row.other):
            player, banker = (own, other) if row.hand is Side.PLAYER else (other, own)
            winners = seen[_WINDOWS.index(row.window), player, banker].tolist()
            found.append(_row_odds(row, own, other, winners))
    return tuple(found)


def insurance_after(book: RuleBook, coup: Coup, shoe: Composition) -> tuple[InsuranceOdds, ...]:
    """The rows on offer on an exact partial deal; ``shoe`` is what is left after its cards were taken out.

    >>> from puntobanco import Composition, find_book, parse_cards, reconstruct
    >>> coup = reconstruct(parse_cards("9h 4c 7d 9s")).coup
    >>> rows = insurance_after(find_book("tiger-buffalo"), coup, Composition.of_decks(8).without(coup.cards))
    >>> [(str(row.hand), row.own, row.other, str(row.odds)) for row in rows]
    [('player', 6, 3, '5 to 2')]
    """
    rows = [row for row in rows_open(book, coup) if row]
    if not rows:
        return ()
    winners = [0, 0, 0]
    for path, _, ways in finishes(coup, shoe):
        winners[_winner(path)] += ways
    return tuple(_row_odds(row, coup.hands[row.hand].total, coup.hands[row.hand.other].total, winners) for row in rows)


_WINDOWS = (Window.FOUR_CARDS, Window.PLAYER_THIRD)
_PLAYER, _BANKER, _TIE = range(3)


def _winner(path: Path) -> int:
    if path.player_end == path.banker_end:
        return _TIE
    return _PLAYER if path.player_end > path.banker_end else _BANKER


@cache
def _windows_passed() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Paths, and the spot each adds to: a window with a card still to come, the points seen in it, the winner."""
    passed = []
    for number, path in enumerate(PATHS):
        if path.thirds:
            passed.append((number, (0, path.player, path.banker, _winner(path))))
        if len(path.thirds) == 2:
            passed.append((number, (1, path.player_end, path.banker, _winner(path))))
    paths, spots = zip(*passed, strict=True)
    return np.array(paths), np.ravel_multi_index(np.array(spots).T, (2, 10, 10, 3))


def _row_odds(row: InsuranceRow, own: int, other: int, winners: list[int]) -> InsuranceOdds:
    """Insurance pays when the insured hand loses; a tie returns it, or pays as well where the row says so."""
    lose, win = winners[:_TIE] if row.hand is Side.PLAYER else reversed(winners[:_TIE])
    push = winners[_TIE]
    if row.tie_pays:
        win, push = win + push, 0
    return InsuranceOdds(row.window, row.hand, own, other, row.odds, win, push, lose, row.paragraph)
