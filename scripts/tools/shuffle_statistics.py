"""The statistics of the shuffle test: what is counted over many orders, what chance makes of it, and the judgement.

Every expectation is exact for a uniformly distributed permutation. Where counts within one order depend on each other
(a card at one place is not at another), the statistic allows for it, so that its χ² is a χ²:

- card × place: counts of permutation matrices are centred in both directions; Σ(O − E)²/E times (n − 1)/n has
  (n − 1)² degrees of freedom, and with k kinds of card in place of n cards (k − 1)(n − 1);
- neighbours: with a mark at both ends the cards lie in a circle of m = n + 1. Of the centred counts, the part that is
  symmetric has variance N/(m − 1) in each direction and the antisymmetric part N·m/((m − 1)(m − 2)); together they have
  m² − 3m + 1 degrees of freedom.

The tests share their data, so their p-values are dependent and cannot be multiplied or summed into one. They are judged
by Bonferroni's bound, which holds whatever the dependence: the battery fails where the smallest of k two-sided p-values
is below 1% / k. A good shuffle then passes with a probability of at least 99%.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scripts.tools import shuffle_kernels as kernels

LEVEL = 0.01
LEAST_EXPECTED = 25.0
"""Cells are put together until each expects so many."""
KINDS, VALUES, EDGE = 52, 10, 6
Floats = NDArray[np.float64]


class Outcome(NamedTuple):
    """One test: its statistic, its degrees of freedom (0 where it is no χ²), and the two-sided p-value."""

    name: str
    statistic: float
    freedom: int
    p: float


class Counts:
    """Everything that is counted over orders of one size. Counts of two batches add up."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.shoes = 0
        self.arrays = {
            "places": np.zeros((size, size), np.int64),
            "neighbours": np.zeros((size + 1, size + 1), np.int64),
            "windows": np.zeros(math.factorial(kernels.WINDOW), np.int64),
            "rises": np.zeros(size, np.int64),
            "follows": np.zeros(size, np.int64),
            "fixed": np.zeros(size + 1, np.int64),
            "cycles": np.zeros(size + 1, np.int64),
            "first_cycle": np.zeros(size, np.int64),
            "inversions": np.zeros(1, np.int64),
            "repeats": np.zeros(size + 1, np.int64),
            "ends": np.zeros((KINDS, KINDS), np.int64),
            "opening": np.zeros(VALUES**4, np.int64),
        }
        self.edges: list[NDArray[np.uint16]] = []
        """The first and the last cards of every order."""
        self.prints: list[NDArray[np.uint64]] = []
        """64 bits of a hash of every order."""

    def add(self, orders: NDArray[np.uint16]) -> None:
        """Count some more orders, one a row."""
        a = self.arrays
        kernels.count_places(orders, a["places"])
        kernels.count_neighbours(orders, a["neighbours"])
        kernels.count_windows(orders, a["windows"])
        kernels.count_shapes(
            orders, a["rises"], a["follows"], a["fixed"], a["cycles"], a["first_cycle"], a["inversions"]
        )
        kernels.count_repeats(orders, a["repeats"])
        kernels.count_kinds(orders, a["ends"], a["opening"])
        self.edges.append(np.concatenate((orders[:, :EDGE], orders[:, -EDGE:]), axis=1))
        digests = b"".join(blake2b(order.tobytes(), digest_size=8).digest() for order in orders)
        self.prints.append(np.frombuffer(digests, np.uint64))
        self.shoes += len(orders)

    def merge(self, other: Counts) -> None:
        for name, array in other.arrays.items():
            self.arrays[name] += array
        self.edges += other.edges
        self.prints += other.prints
        self.shoes += other.shoes

    def outcomes(self) -> list[Outcome]:
        """Every test of the battery on what was counted."""
        a, size, shoes = self.arrays, self.size, self.shoes
        kinds = a["places"].reshape(size // KINDS, KINDS, size).sum(axis=0)
        pairs = int(a["repeats"].sum())
        return [
            _matrix("card × place", kinds),
            _matrix("single card × place", a["places"]),
            _cells("first × last card", a["ends"].ravel(), _ends(size)),
            _cells("values of the first four cards", a["opening"], _opening(size)),
            _neighbours("adjacent pairs", a["neighbours"], shoes),
            _cells("order within five cards", a["windows"], np.full(a["windows"].size, 1 / a["windows"].size)),
            _cells("runs (rises)", a["rises"], _rises(size)),
            _cells("cards behind their forerunner", a["follows"], _follows(size)),
            _cells("cards in their old place", a["fixed"], _fixed(size)),
            _cells("cycles", a["cycles"], _cycles(size)),
            _cells("length of the first card's cycle", a["first_cycle"], np.full(size, 1 / size)),
            _inversions("inversions", int(a["inversions"][0]), size, shoes),
            _cells("same card as in the shoe before", a["repeats"], _fixed(size), pairs),
            _collisions("first cards that came before", self._edges(0), size),
            _collisions("last cards that came before", self._edges(EDGE), size),
            Outcome("whole orders that came before", self._same_orders(), 0, 1.0 if not self._same_orders() else 0.0),
        ]

    def _edges(self, start: int) -> NDArray[np.uint16]:
        return np.concatenate(self.edges)[:, start : start + EDGE]

    def _same_orders(self) -> int:
        prints = np.concatenate(self.prints)
        return prints.size - np.unique(prints).size


class Verdict(NamedTuple):
    passed: bool
    smallest: float
    bound: float


def judge(outcomes: Sequence[Outcome]) -> Verdict:
    """All tests together, at 99%."""
    smallest, bound = min(outcome.p for outcome in outcomes), LEVEL / len(outcomes)
    return Verdict(smallest >= bound, smallest, bound)


# --- statistics


def _matrix(name: str, counts: NDArray[np.int64]) -> Outcome:
    """Kinds × places, every column holding every kind equally often in the long run."""
    kinds, places = counts.shape
    expected = counts.sum() / counts.size
    statistic = float(((counts - expected) ** 2).sum() / expected) * (places - 1) / places
    return _chi2(name, statistic, (kinds - 1) * (places - 1))


def _neighbours(name: str, counts: NDArray[np.int64], shoes: int) -> Outcome:
    m = counts.shape[0]
    off = counts - shoes / (m - 1)
    np.fill_diagonal(off, 0.0)
    even, odd = (off + off.T) / 2, (off - off.T) / 2
    statistic = (even**2).sum() / (shoes / (m - 1)) + (odd**2).sum() / (shoes * m / ((m - 1) * (m - 2)))
    return _chi2(name, float(statistic), m * m - 3 * m + 1)


def _cells(name: str, counts: NDArray[np.int64], chances: Floats, shoes: int | None = None) -> Outcome:
    """Independent draws from cells of known chances; neighbouring cells that expect little are put together."""
    total = int(counts.sum()) if shoes is None else shoes
    expected = chances * total
    starts = [0]
    gathered = 0.0
    for cell in range(expected.size - 1):
        gathered += expected[cell]
        if gathered >= LEAST_EXPECTED and expected[cell + 1 :].sum() >= LEAST_EXPECTED:
            starts.append(cell + 1)
            gathered = 0.0
    seen, wanted = np.add.reduceat(counts, starts), np.add.reduceat(expected, starts)
    return _chi2(name, float(((seen - wanted) ** 2 / wanted).sum()), len(starts) - 1)


def _inversions(name: str, total: int, size: int, shoes: int) -> Outcome:
    mean, variance = size * (size - 1) / 4, size * (size - 1) * (2 * size + 5) / 72
    z = (total - shoes * mean) / math.sqrt(shoes * variance)
    return Outcome(name, z, 0, math.erfc(abs(z) / math.sqrt(2)))


def _collisions(name: str, edges: NDArray[np.uint16], size: int) -> Outcome:
    """Pairs of shoes with the same few cards: about Poisson. As many cards as leave some pairs to expect."""
    shoes, width = edges.shape
    means = [shoes * (shoes - 1) / 2 / math.perm(size, cards) for cards in range(1, width + 1)]
    cards = max((number for number, mean in enumerate(means, 1) if mean >= 5), default=1)
    keys = np.zeros(shoes, np.int64)
    for column in range(cards):
        keys = keys * size + edges[:, column]
    _, times = np.unique(keys, return_counts=True)
    found, mean = int((times * (times - 1) // 2).sum()), means[cards - 1]
    return Outcome(f"{name} ({cards})", found, 0, poisson_p(found, mean))


# --- chances


def _ends(size: int) -> Floats:
    """First and last card by kind: without replacement, so the same kind twice is a little rarer."""
    copies = size // KINDS
    chances = np.full((KINDS, KINDS), copies * copies / (size * (size - 1)))
    np.fill_diagonal(chances, copies * (copies - 1) / (size * (size - 1)))
    return chances.ravel()


def _opening(size: int) -> Floats:
    decks = size // KINDS
    left = [16 * decks, *[4 * decks] * 9]
    chances = np.empty(VALUES**4)
    for cell in range(chances.size):
        drawn, chance = [0] * VALUES, 1.0
        for place, digit in enumerate(map(int, f"{cell:04}")):
            chance *= (left[digit] - drawn[digit]) / (size - place)
            drawn[digit] += 1
        chances[cell] = chance
    return chances


def _rises(size: int) -> Floats:
    """Eulerian numbers over n!."""
    chances = np.zeros(size)
    chances[0] = 1.0
    k = np.arange(size)
    for n in range(2, size + 1):
        chances = ((k + 1) * chances + (n - k) * np.concatenate(([0.0], chances[:-1]))) / n
    return chances


def _cycles(size: int) -> Floats:
    """Stirling numbers of the first kind over n!."""
    chances = np.zeros(size + 1)
    chances[1] = 1.0
    for n in range(2, size + 1):
        chances = (np.concatenate(([0.0], chances[:-1])) + (n - 1) * chances) / n
    return chances


def _derangements(size: int) -> list[int]:
    numbers = [1, 0]
    for n in range(2, size + 1):
        numbers.append((n - 1) * (numbers[-1] + numbers[-2]))
    return numbers


def _fixed(size: int) -> Floats:
    none, every = _derangements(size), math.factorial(size)
    return np.array([math.comb(size, k) * none[size - k] / every for k in range(size + 1)])


def _follows(size: int) -> Floats:
    none, every = _derangements(size), math.factorial(size)
    return np.array([math.comb(size - 1, k) * (none[size - k] + none[size - k - 1]) / every for k in range(size)])


# --- p-values


def _chi2(name: str, statistic: float, freedom: int) -> Outcome:
    upper = chi2_tail(statistic, freedom)
    return Outcome(name, statistic, freedom, min(1.0, 2 * min(upper, 1 - upper)))


def chi2_tail(statistic: float, freedom: int) -> float:
    """The chance of a χ² above this: the incomplete gamma function, by its series or its continued fraction."""
    a, x = freedom / 2, statistic / 2
    if freedom < 1 or x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        while abs(term) > total * 1e-15:
            a += 1
            term *= x / a
            total += term
        return max(0.0, 1 - front * total)
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for i in range(1, 1_000_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or tiny)
        c = b + an / c or tiny
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return front * h


def poisson_p(found: int, mean: float) -> float:
    """Two-sided: twice the smaller tail."""
    at_most = 1 - chi2_poisson(found + 1, mean)
    at_least = chi2_poisson(found, mean)
    return min(1.0, 2 * min(at_most, at_least))


def chi2_poisson(least: int, mean: float) -> float:
    """The chance of at least so many where ``mean`` are expected."""
    return 1 - chi2_tail(2 * mean, 2 * least) if least else 1.0
