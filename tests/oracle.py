"""An independent count of baccarat deals: brute force that shares no code with ``puntobanco.odds``.

The Table of Play is typed in again, letter by letter. Small shoes are dealt in every order, card by card; large ones
are looped over rank by rank, or card by card where suits matter. The loops are compiled, and run as plain Python too
where numbers go beyond 64 bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import perm
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from puntobanco.cards import Card
from puntobanco.coup import Coup, Hand
from puntobanco.literal import literal_profit

BANKER = (
    # Player's third card: 0 1 2 3 4 5 6 7 8 9, none
    "DDDDDDDDDD D",  # Banker has 0
    "DDDDDDDDDD D",
    "DDDDDDDDDD D",
    "DDDDDDDDSD D",
    "SSDDDDDDSS D",
    "SSSSDDDDSS D",
    "SSSSSSDDSS S",
    "SSSSSSSSSS S",  # Banker has 7
)
_DRAWS = np.array([[letter == "D" for letter in row.replace(" ", "")] for row in BANKER])
_RANKS = "A23456789TJQK"
_VALUES = {rank: int(value) for rank, value in zip(_RANKS, "1234567890000", strict=True)}

NONE, RANK, SUITED = range(3)
"""What a pair is: none, two cards of one rank, the same card twice."""


class End(NamedTuple):
    """How a coup ended."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    player_pair: int
    banker_pair: int
    twin: bool

    @property
    def winner(self) -> str:
        return "tie" if self.player == self.banker else "player" if self.player > self.banker else "banker"

    @property
    def plain(self) -> End:
        """The same for somebody who does not look at suits."""
        return self._replace(player_pair=min(self.player_pair, RANK), banker_pair=min(self.banker_pair, RANK))


def deal(cards: Sequence[str]) -> End | None:
    """Deal a coup from the top of these cards; None if they run out."""
    if len(cards) < 4:
        return None
    values = [_VALUES[card[0]] for card in cards]
    player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
    drawn = player_cards = banker_cards = 0
    if player < 8 and banker < 8:
        column = 10
        if player < 6:
            if len(cards) < 5:
                return None
            column = values[4]
            player, player_cards, drawn = (player + column) % 10, 1, 1
        if BANKER[banker].replace(" ", "")[column] == "D":
            if len(cards) < 5 + drawn:
                return None
            banker, banker_cards = (banker + values[4 + drawn]) % 10, 1
    player_pair, banker_pair = _pair(cards[0], cards[2]), _pair(cards[1], cards[3])
    twin = bool(player_pair and banker_pair) and cards[0][0] == cards[1][0]
    return End(player, banker, 2 + player_cards, 2 + banker_cards, player_pair, banker_pair, twin)


def _pair(first: str, second: str) -> int:
    if first[0] != second[0]:
        return NONE
    return SUITED if first == second else RANK


def deal_every_order(cards: Sequence[str], known: Sequence[str] = ()) -> Counter[End | None]:
    """Deal a handful of cards, after those that are known, in every order: six, or all there are."""
    more = min(6 - len(known), len(cards))
    return Counter(deal((*known, *order)) for order in permutations(cards, more))


def deal_every_kind(left: Mapping[str, int], known: Sequence[str] = ()) -> Counter[End | None]:
    """The same for many cards of few kinds, each kind drawn as often as it is there."""
    ends: Counter[End | None] = Counter()
    counts = dict(left)
    more = min(6 - len(known), sum(counts.values()))

    def draw(cards: tuple[str, ...], ways: int, more: int) -> None:
        if not more:
            ends[deal(cards)] += ways
            return
        for kind, count in counts.items():
            if count:
                counts[kind] -= 1
                draw((*cards, kind), ways * count, more - 1)
                counts[kind] += 1

    draw(tuple(known), 1, more)
    return ends


def count_ranks(counts: Sequence[int]) -> Counter[End]:
    """The six-card deals of a shoe of 13 ranks. There must be six cards."""
    return _ends(tally(counts, 1))


def count_cards(counts: Sequence[int]) -> Counter[End]:
    """The six-card deals of a shoe of 52 cards: ace of spades, hearts, diamonds, clubs, twos, …"""
    return _ends(tally(counts, 4))


def tally(counts: Sequence[int], suits: int) -> NDArray[Any]:
    """The bare numbers, by everything that an end has, in its order."""
    fits = perm(sum(counts), 6) < 2**63
    out: NDArray[Any] = np.zeros((10, 10, 2, 2, 3, 3, 2), np.int64 if fits else object)
    if fits:
        _loop_compiled(np.array(counts, np.int64), suits, _DRAWS, out)
    else:
        _loop(list(counts), suits, _DRAWS.tolist(), out)
    return out


def _ends(out: NDArray[Any]) -> Counter[End]:
    ends: Counter[End] = Counter()
    for index in zip(*np.nonzero(out), strict=True):
        player, banker, player_three, banker_three, player_pair, banker_pair, twin = map(int, index)
        end = End(player, banker, 2 + player_three, 2 + banker_three, player_pair, banker_pair, bool(twin))
        ends[end] = int(out[index])
    return ends


def _loop(counts: Any, suits: int, draws: Any, out: Any) -> None:
    """Four cards kind by kind, as they are dealt: a and c to Player, b and d to Banker. Then thirds by value."""
    kinds = len(counts)
    size = sum(counts)
    left = [0] * 10
    value = [0] * kinds
    for k in range(kinds):
        value[k] = k // suits + 1 if k // suits < 9 else 0
        left[value[k]] += counts[k]
    for a in range(kinds):
        ways_a = counts[a]
        if ways_a == 0:
            continue
        counts[a] -= 1
        left[value[a]] -= 1
        for b in range(kinds):
            ways_b = ways_a * counts[b]
            if ways_b == 0:
                continue
            counts[b] -= 1
            left[value[b]] -= 1
            for c in range(kinds):
                ways_c = ways_b * counts[c]
                if ways_c == 0:
                    continue
                counts[c] -= 1
                left[value[c]] -= 1
                for d in range(kinds):
                    ways = ways_c * counts[d]
                    if ways == 0:
                        continue
                    left[value[d]] -= 1
                    p = (value[a] + value[c]) % 10
                    t = (value[b] + value[d]) % 10
                    pp = 0 if a // suits != c // suits else 2 if a == c and suits == 4 else 1
                    bp = 0 if b // suits != d // suits else 2 if b == d and suits == 4 else 1
                    tw = 1 if pp > 0 and bp > 0 and a // suits == b // suits else 0
                    if p >= 8 or t >= 8:
                        out[p, t, 0, 0, pp, bp, tw] += ways * (size - 4) * (size - 5)
                    elif p >= 6:
                        if draws[t][10]:
                            for e in range(10):
                                out[p, (t + e) % 10, 0, 1, pp, bp, tw] += ways * left[e] * (size - 5)
                        else:
                            out[p, t, 0, 0, pp, bp, tw] += ways * (size - 4) * (size - 5)
                    else:
                        for x in range(10):
                            q = (p + x) % 10
                            if draws[t][x]:
                                for e in range(10):
                                    drawn = left[x] * (left[e] - (1 if e == x else 0))
                                    out[q, (t + e) % 10, 1, 1, pp, bp, tw] += ways * drawn
                            else:
                                out[q, t, 1, 0, pp, bp, tw] += ways * left[x] * (size - 5)
                    left[value[d]] += 1
                counts[c] += 1
                left[value[c]] += 1
            counts[b] += 1
            left[value[b]] += 1
        counts[a] += 1
        left[value[a]] += 1


_loop_compiled = njit(cache=True)(_loop)

FOUR_CARDS, PLAYER_THIRD = range(2)
PLAYER, BANKER_WINS, TIE = range(3)


def count_windows(values: Sequence[int]) -> NDArray[Any]:
    """Deals that pass an insurance window, by window, Player's and Banker's points in it, and the winner.

    ``values`` are the cards that count 0, 1, … 9. A window opens only while a card is still to come.
    """
    fits = perm(sum(values), 6) < 2**63
    out: NDArray[Any] = np.zeros((2, 10, 10, 3), np.int64 if fits else object)
    if fits:
        _windows_compiled(np.array(values, np.int64), _DRAWS, out)
    else:
        _windows(list(values), _DRAWS.tolist(), out)
    return out


def _windows(n: Any, draws: Any, out: Any) -> None:
    size = sum(n)
    for a in range(10):
        ways_a = n[a]
        n[a] -= 1
        for b in range(10):
            ways_b = ways_a * n[b]
            n[b] -= 1
            for c in range(10):
                ways_c = ways_b * n[c]
                n[c] -= 1
                for d in range(10):
                    ways = ways_c * n[d]
                    n[d] -= 1
                    p = (a + c) % 10
                    t = (b + d) % 10
                    if ways != 0 and p < 8 and t < 8:
                        if p >= 6 and draws[t][10]:
                            for e in range(10):
                                u = (t + e) % 10
                                winner = 2 if p == u else 0 if p > u else 1
                                out[0, p, t, winner] += ways * n[e] * (size - 5)
                        if p < 6:
                            for x in range(10):
                                q = (p + x) % 10
                                if draws[t][x]:
                                    for e in range(10):
                                        u = (t + e) % 10
                                        winner = 2 if q == u else 0 if q > u else 1
                                        drawn = n[x] * (n[e] - (1 if e == x else 0))
                                        out[0, p, t, winner] += ways * drawn
                                        out[1, q, t, winner] += ways * drawn
                                else:
                                    winner = 2 if q == t else 0 if q > t else 1
                                    out[0, p, t, winner] += ways * n[x] * (size - 5)
                    n[d] += 1
                n[c] += 1
            n[b] += 1
        n[a] += 1


_windows_compiled = njit(cache=True)(_windows)


@cache
def examples() -> dict[End, Coup]:
    """A coup for each of the ways to end, suits left aside."""
    found: dict[End, Coup] = {}
    cards = [Card(rank + "s") for rank in _RANKS]
    for opening in _openings():
        for third in cards[:10]:
            for last in cards[:10]:
                dealt = (*opening, third, last)
                end = deal([card.value for card in dealt])
                assert end is not None
                if end.plain not in found:
                    found[end.plain] = _coup(dealt, end)
    return found


def _openings() -> Sequence[tuple[Card, Card, Card, Card]]:
    """Four cards with every combination of totals and pairs that there is."""
    hands: dict[tuple[int, bool, str], tuple[str, str]] = {}
    for first in _RANKS:
        for second in _RANKS:
            pair = first == second
            hands.setdefault(((_VALUES[first] + _VALUES[second]) % 10, pair, first if pair else ""), (first, second))
    card = {rank: Card(rank + "s") for rank in _RANKS}
    return [
        (card[player[0]], card[banker[0]], card[player[1]], card[banker[1]])
        for player in hands.values()
        for banker in hands.values()
    ]


def _coup(cards: Sequence[Card], end: End) -> Coup:
    thirds = list(cards[4 : end.player_cards + end.banker_cards])
    player = [cards[0], cards[2], *(thirds[:1] if end.player_cards == 3 else [])]
    banker = [cards[1], cards[3], *(thirds[-1:] if end.banker_cards == 3 else [])]
    return Coup(Hand(tuple(player)), Hand(tuple(banker)))


@cache
def literal_gains(game: str, bet: str) -> dict[End, Fraction]:
    """What one unit on a bet gains in each way to end, as the literal settlement reads the book."""
    return {end: literal_profit(game, bet, coup) for end, coup in examples().items()}
