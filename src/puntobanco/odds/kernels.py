"""Counts every deal of a shoe by how it ends: the hot loops, over arrays, compiled by numba.

A deal is an ordered sequence of six cards; a coup that ends earlier counts every continuation. Hands are
grouped by their totals, because cards matter by their ten values alone; ranks and suits enter through the
pairs, which are counted beforehand. None of the rules stands here: they come as ``play[x, p, t]``, what
Banker does on ``t`` after Player, on ``p``, drew a card of value ``x``.

Everything also runs uncompiled, on arrays of Python integers: that is how shoes beyond 64 bits are counted.
All of it stands in one file, because numba's cache notices edits in that file only.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

Counts = NDArray[Any]
"""Of 64-bit integers in compiled code, of Python's own elsewhere."""

NO_CARD = 10
"""In place of a value: Player draws no third card."""
IMPOSSIBLE, STANDS, DRAWS = range(3)
"""What ``play`` says of Banker; impossible where Player's draw is."""


class _Shoe(NamedTuple):
    """The cards by value, and the two-card hands they make."""

    left: Counts
    """Cards of each value, and one in the place of ``NO_CARD``."""
    partners: Counts
    """By total and value: the cards that bring a card of that value to that total. The values stand twice."""
    hands: Counts
    """Ordered hands of each total."""


def _count_deals(shoe: Counts, play: Counts, rows: Counts, ends: Counts) -> None:
    """Add the deals of a shoe, 13 ranks by 1 or 4 suits, to ``ends[state, row, Banker's points]``.

    ``rows[x, p, t]`` names the row. Banker's points keep their tens, up to 19. The states overlap: all deals;
    those in which Player pairs, by kind of pair; in which Banker pairs; in which both do.
    """
    cards = _by_value(shoe)
    single, both = _pairs(shoe)
    rest = _rest(shoe)
    _count_all(cards, rest, play, rows, ends)
    _count_pairs(cards, single, rest, play, rows, ends)
    _count_both_pairs(cards, both, rest, play, rows, ends)


def _fold(ends: Counts, kinds: int, out: Counts) -> None:
    """Turn overlapping states into outcomes in the order of their space: ``out[Player, Banker, cards, pair state]``.

    The rows of ``ends`` are Player's points and the cards of both hands.
    """
    states = out.shape[3]
    for row in range(40):
        for banker in range(10):
            outcome = out[row // 4, banker, row % 4]
            for state in range(states):
                outcome[state] = ends[state, row, banker] + ends[state, row, banker + 10]
            for kind in range(kinds):
                outcome[0] -= outcome[1 + kind] + outcome[1 + kinds + kind]
            for twin in range(2):
                for player in range(kinds):
                    for other in range(kinds):
                        together = outcome[1 + 2 * kinds + (twin * kinds + player) * kinds + other]
                        outcome[0] += together
                        outcome[1 + player] -= together
                        outcome[1 + kinds + other] -= together


def _add_up(weights: Counts, members: Counts, starts: Counts, sums: Counts) -> None:
    """The weight of each set of outcomes; set i is ``members[starts[i]:starts[i + 1]]``."""
    for i in range(len(sums)):
        for j in range(starts[i], starts[i + 1]):
            sums[i] += weights[members[j]]


@register_jitable
def _kinds(shoe: Counts) -> int:
    """The kinds of pairs: any; or of two suits and of one, where suits matter."""
    return 1 if shoe.shape[1] == 1 else 2


@register_jitable
def _value(rank: int) -> int:
    return rank + 1 if rank < 9 else 0


@register_jitable
def _by_value(shoe: Counts) -> _Shoe:
    left = np.zeros(11, shoe.dtype)
    partners = np.zeros((10, 20), shoe.dtype)
    hands = np.zeros(10, shoe.dtype)
    for rank in range(13):
        left[_value(rank)] += shoe[rank].sum()
    for total in range(10):
        for value in range(20):
            partners[total, value] = left[(total - value) % 10] - (2 * value % 10 == total)
        for value in range(10):
            hands[total] += left[value] * partners[total, value]
    left[NO_CARD] = 1
    return _Shoe(left, partners, hands)


@register_jitable
def _rest(shoe: Counts) -> Counts:
    """By Player's third card and Banker's turn: the ordered ways to draw what the coup leaves of six cards."""
    size = shoe.sum()
    rest = np.zeros((11, 3), shoe.dtype)
    rest[:NO_CARD, DRAWS] = 1
    rest[:NO_CARD, STANDS] = rest[NO_CARD, DRAWS] = size - 5
    rest[NO_CARD, STANDS] = (size - 4) * (size - 5)
    return rest


@register_jitable(inline="always")  # called by the hundred: passing the arrays would cost more than the work
def _take(cards: _Shoe, value: int) -> None:
    """One card of that value leaves."""
    if value == NO_CARD:
        return
    left, partners, hands = cards
    left[value] -= 1
    for total in range(10):
        hands[total] -= 2 * partners[total, value]
    for other in range(10):
        partners[(value + other) % 10, other] -= 1
        partners[(value + other) % 10, other + 10] -= 1


@register_jitable(inline="always")
def _put_back(cards: _Shoe, value: int) -> None:
    if value == NO_CARD:
        return
    left, partners, hands = cards
    left[value] += 1
    for other in range(10):
        partners[(value + other) % 10, other] += 1
        partners[(value + other) % 10, other + 10] += 1
    for total in range(10):
        hands[total] += 2 * partners[total, value]


@register_jitable
def _pairs(shoe: Counts) -> tuple[Counts, Counts]:
    """Ordered pairs by kind and value, of one hand and of both.

    The kinds of both: ``(twin * kinds + Player's) * kinds + Banker's``.
    """
    kinds = _kinds(shoe)
    by_rank = np.zeros((13, kinds), shoe.dtype)
    single = np.zeros((kinds, 10), shoe.dtype)
    both = np.zeros((2 * kinds * kinds, 10, 10), shoe.dtype)
    for rank in range(13):
        value, size = _value(rank), shoe[rank].sum()
        pairs, others = size * (size - 1), (size - 2) * (size - 3)
        if kinds == 1:
            by_rank[rank, 0] = pairs
            both[1, value, value] += pairs * others
        else:
            suited = (shoe[rank] * (shoe[rank] - 1)).sum()
            twins = 0  # both of one suit each, the same or another
            for suit in range(4):
                n = shoe[rank, suit]
                twins += n * (n - 1) * ((n - 2) * (n - 3) + suited - n * (n - 1))
            by_rank[rank, 0], by_rank[rank, 1] = pairs - suited, suited
            both[4, value, value] += (pairs - 2 * suited) * others + twins
            both[5, value, value] += suited * others - twins
            both[6, value, value] += suited * others - twins
            both[7, value, value] += twins
    for rank in range(13):
        for player in range(kinds):
            single[player, _value(rank)] += by_rank[rank, player]
            for other in range(13):
                if other != rank:
                    for banker in range(kinds):
                        ways = by_rank[rank, player] * by_rank[other, banker]
                        both[player * kinds + banker, _value(rank), _value(other)] += ways
    return single, both


@register_jitable
def _count_all(cards: _Shoe, rest: Counts, play: Counts, rows: Counts, ends: Counts) -> None:
    """All deals: over Player's third card and both totals."""
    left = cards.left
    holding = np.zeros(10, left.dtype)
    free = np.zeros(10, left.dtype)
    for x in range(11):
        drawn = left[x]
        if drawn == 0:
            continue
        _take(cards, x)
        for p in range(10):
            for t in range(10):
                turn = play[x, p, t]
                if turn == IMPOSSIBLE:
                    continue
                openings = 0
                for v in range(10):
                    holding[v] = _holding(cards, p, t, v)
                    openings += left[v] * holding[v]
                if turn == DRAWS:
                    for v in range(10):
                        holding[v] += _holding(cards, t, p, v)
                        free[v] = left[v] * (openings - 2 * holding[v])
                _add(ends, 0, rows[x, p, t], t, turn, drawn * rest[x, turn], openings, free)
        _put_back(cards, x)


@register_jitable
def _holding(cards: _Shoe, own: int, other: int, value: int) -> Any:
    """Openings of two totals in which a given card of that value is the first of its hand.

    The card and its partner leave the other hand those that hold neither. A hand of both, which takes equal
    totals, must not be taken off twice.
    """
    _, partners, hands = cards
    either = 2 * (partners[other, value] + partners[other, 10 + own - value])
    return partners[own, value] * (hands[other] - either + 2 * (own == other))


@register_jitable
def _count_pairs(cards: _Shoe, single: Counts, rest: Counts, play: Counts, rows: Counts, ends: Counts) -> None:
    """Deals in which a hand pairs: over the pair's value, Player's third card and the other hand's total."""
    left, partners, hands = cards
    kinds = single.shape[0]
    free = np.zeros(10, left.dtype)
    for a in range(10):
        if left[a] < 2:
            continue
        pair = 2 * a % 10
        _take(cards, a)
        _take(cards, a)
        for x in range(11):
            drawn = left[x]
            if drawn == 0:
                continue
            _take(cards, x)
            for other in range(10):
                if play[x, pair, other] == DRAWS or play[x, other, pair] == DRAWS:
                    for v in range(10):
                        free[v] = left[v] * (hands[other] - 2 * partners[other, v])
                for banker in range(2):
                    p, t = (other, pair) if banker else (pair, other)
                    turn = play[x, p, t]
                    if turn == IMPOSSIBLE:
                        continue
                    for kind in range(kinds):
                        state, ways = 1 + banker * kinds + kind, drawn * single[kind, a] * rest[x, turn]
                        _add(ends, state, rows[x, p, t], t, turn, ways, hands[other], free)
            _put_back(cards, x)
        _put_back(cards, a)
        _put_back(cards, a)


@register_jitable
def _count_both_pairs(cards: _Shoe, both: Counts, rest: Counts, play: Counts, rows: Counts, ends: Counts) -> None:
    """Deals in which both hands pair: over the values of the pairs and Player's third card."""
    left = cards.left
    kinds = both.shape[0]
    first = ends.shape[0] - kinds
    for a in range(10):
        for c in range(10):
            p, t = 2 * a % 10, 2 * c % 10
            left[a] -= 2
            left[c] -= 2
            for x in range(11):
                turn = play[x, p, t]
                if turn == IMPOSSIBLE:
                    continue
                drawn = left[x] * rest[x, turn]
                left[x] -= 1
                for kind in range(kinds):
                    ways = drawn * both[kind, a, c]
                    if ways != 0:
                        _add(ends, first + kind, rows[x, p, t], t, turn, ways, 1, left)
                left[x] += 1
            left[c] += 2
            left[a] += 2


@register_jitable(inline="always")
def _add(ends: Counts, state: int, row: int, banker: int, turn: int, ways: Any, openings: Any, free: Counts) -> None:
    """Add the openings; where Banker draws, those that leave it a third card of each value: ``free``."""
    if turn == DRAWS:
        for v in range(10):
            ends[state, row, banker + v] += ways * free[v]
    else:
        ends[state, row, banker] += ways * openings


def _kernel(function: Callable[..., None]) -> Callable[..., None]:
    """The function, compiled for 64-bit integers and as it is for Python's own."""
    try:
        compiled = njit(cache=True)(function)
    except RuntimeError:  # there is no folder that the cache could be written to
        compiled = njit(function)

    @functools.wraps(function)
    def run(counts: Counts, *others: Any) -> None:
        (function if counts.dtype == object else compiled)(counts, *others)

    return run


count_deals = _kernel(_count_deals)
fold = _kernel(_fold)
add_up = _kernel(_add_up)
