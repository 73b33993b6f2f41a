"""The shuffle judged by the battery of scripts/shuffle-test, and the battery by shuffles that are known to be wrong.

Bytes come from a known stream here, so that a test that passes passes again; the operating system's bytes are judged by
the command, over a million shoes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from hashlib import shake_256
from itertools import pairwise, permutations

import numpy as np
import pytest
from rich.console import Console
from scripts.tools import shuffle_kernels as kernels
from scripts.tools import shuffle_statistics as statistics
from scripts.tools.shuffle_statistics import Counts, Outcome, chi2_tail, judge, poisson_p
from scripts.tools.shuffle_test import count, main, report

from puntobanco.shoes.shuffle import permutation

Draw = Callable[[int], int]
"""A number of so many bits."""


class Stream:
    """Bytes that look like chance and are always the same."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.block = self.used = 0
        self.held = b""

    def __call__(self, count: int) -> bytes:
        if self.used + count > len(self.held):
            self.held = shake_256(f"{self.name} {self.block}".encode()).digest(1 << 12)
            self.block += 1
            self.used = 0
        self.used += count
        return self.held[self.used - count : self.used]

    def bits(self, count: int) -> int:
        return int.from_bytes(self((count + 7) // 8), "big") >> -count % 8


def verdict(shuffle: Callable[[int], Sequence[int]], size: int, shoes: int) -> tuple[bool, set[str]]:
    """Whether the shuffle passes, and the tests that alone would fail it."""
    outcomes = count(shoes, size, shuffle).outcomes()
    judged = judge(outcomes)
    return judged.passed, {outcome.name for outcome in outcomes if outcome.p < judged.bound}


@pytest.mark.parametrize(("size", "shoes"), [(416, 6_000), (52, 20_000)])
def test_the_shuffle_passes(size: int, shoes: int) -> None:
    source = Stream(f"good {size}")
    assert verdict(lambda wanted: permutation(wanted, source), size, shoes) == (True, set())


# --- shuffles that are wrong


def swaps_with_any_place(draw: Draw, size: int) -> list[int]:
    """The naive mistake: each place is swapped with any place, so that some orders come up more often."""
    order = list(range(size))
    for place in range(size):
        other = draw(32) % size
        order[place], order[other] = order[other], order[place]
    return order


def takes_the_remainder(draw: Draw, size: int, bits: int) -> list[int]:
    """Fisher and Yates without rejection: small remainders come up more often."""
    order = list(range(size))
    for bound in range(size, 1, -1):
        other = draw(bits) % bound
        order[bound - 1], order[other] = order[other], order[bound - 1]
    return order


def never_stays(draw: Draw, size: int) -> list[int]:
    """Sattolo's mistake, off by one: no card may stay where it is, and the order is one cycle."""
    order = list(range(size))
    for bound in range(size, 1, -1):
        other = draw(32) % (bound - 1)
        order[bound - 1], order[other] = order[other], order[bound - 1]
    return order


def riffles(draw: Draw, size: int, times: int) -> list[int]:
    """By hand: the packet is split and its halves fall together card by card. Seven times is not enough for a shoe."""
    order = list(range(size))
    for _ in range(times):
        packets = draw(size)
        split = packets.bit_count()
        upper, lower = iter(order[:split]), iter(order[split:])
        order = [next(upper) if packets >> place & 1 else next(lower) for place in range(size)]
    return order


def one_of_few(draw: Draw, size: int) -> list[int]:
    """A good shuffle from a seed of 16 bits: 65,536 orders in all."""
    source = Stream(f"seed {draw(16)}")
    return permutation(size, source)


def test_a_swap_with_any_place_is_detected() -> None:
    draw = Stream("naive").bits
    passed, found = verdict(lambda size: swaps_with_any_place(draw, size), 416, 3_000)
    assert not passed
    assert "single card × place" in found


@pytest.mark.parametrize(("size", "bits", "shoes"), [(52, 8, 4_000), (416, 10, 3_000)])
def test_the_bias_of_a_remainder_is_detected(size: int, bits: int, shoes: int) -> None:
    draw = Stream("remainder").bits
    passed, found = verdict(lambda wanted: takes_the_remainder(draw, wanted, bits), size, shoes)
    assert not passed
    assert "single card × place" in found


def test_a_shuffle_of_one_cycle_is_detected() -> None:
    draw = Stream("cycle").bits
    passed, found = verdict(lambda size: never_stays(draw, size), 52, 2_000)
    assert not passed
    assert found >= {"cycles", "cards in their old place"}


def test_seven_riffles_are_detected() -> None:
    draw = Stream("riffle").bits
    passed, found = verdict(lambda size: riffles(draw, size, 7), 416, 2_000)
    assert not passed
    assert found >= {"adjacent pairs", "runs (rises)", "cards behind their forerunner"}


def test_a_small_seed_is_detected() -> None:
    """Every order looks fine, but too few of them exist: among 3,000 shoes some come twice."""
    draw = Stream("small seed").bits
    passed, found = verdict(lambda size: one_of_few(draw, size), 52, 3_000)
    assert not passed
    assert "whole orders that came before" in found


# --- the battery itself


def test_kernels_count_what_they_say() -> None:
    """Against the plainest reading of each count, on a few orders."""
    rng = np.random.default_rng(1)
    orders = np.array([rng.permutation(52) for _ in range(40)], np.uint16)
    counts = Counts(52)
    counts.add(orders)
    a = counts.arrays
    for order in orders.tolist():
        for place, card in enumerate(order):
            a["places"][card, place] -= 1
        marked = [52, *order, 52]
        for before, behind in pairwise(marked):
            a["neighbours"][before, behind] -= 1
        a["rises"][sum(behind > before for before, behind in pairwise(order))] -= 1
        a["follows"][sum(behind == before + 1 for before, behind in pairwise(order))] -= 1
        a["fixed"][sum(card == place for place, card in enumerate(order))] -= 1
        a["inversions"] -= sum(order[i] > order[j] for j in range(52) for i in range(j))
        left, lengths = set(range(52)), []
        while left:
            start = place = min(left)
            lengths.append(0)
            while place in left:
                left.remove(place)
                place = order[place]
                lengths[-1] += 1
            assert place == start
        a["cycles"][len(lengths)] -= 1
        a["first_cycle"][lengths[0] - 1] -= 1
        a["ends"][order[0], order[51]] -= 1
        digits = [card // 4 + 1 if card // 4 < 9 else 0 for card in order[:4]]
        a["opening"][int("".join(map(str, digits)))] -= 1
    for first, second in zip(orders[::2].tolist(), orders[1::2].tolist(), strict=True):
        a["repeats"][sum(x == y for x, y in zip(first, second, strict=True))] -= 1
    assert a["windows"].sum() == 40 * (52 // kernels.WINDOW)
    assert [name for name, array in a.items() if array.any()] == ["windows"]


def test_windows_tell_all_ways_apart() -> None:
    ways = np.zeros(120, np.int64)
    every = np.array(list(permutations(range(5))), np.uint16)
    kernels.count_windows(every, ways)
    assert ways.tolist() == [1] * 120


def test_chances_are_those_of_all_permutations() -> None:
    """Small sizes, counted out."""
    size = 6
    every = np.array(list(permutations(range(size))), np.uint16)
    names = ("rises", "follows", "fixed", "cycles", "first_cycle", "inversions")
    sizes = (size, size, size + 1, size + 1, size, 1)
    arrays = {name: np.zeros(length, np.int64) for name, length in zip(names, sizes, strict=True)}
    kernels.count_shapes(every, *arrays.values())
    for name, chances in (
        ("rises", statistics._rises(size)),
        ("follows", statistics._follows(size)),
        ("fixed", statistics._fixed(size)),
        ("cycles", statistics._cycles(size)),
        ("first_cycle", np.full(size, 1 / size)),
    ):
        np.testing.assert_allclose(arrays[name] / len(every), chances)
    assert arrays["inversions"][0] / len(every) == size * (size - 1) / 4
    assert math.isclose(statistics._ends(416).sum(), 1)
    assert math.isclose(statistics._opening(416).sum(), 1)


def test_the_statistic_of_neighbours_has_the_mean_of_its_freedom() -> None:
    """Over all permutations of 5 the mean of the statistic of one order is exactly the degrees of freedom."""
    found = []
    for order in permutations(range(5)):
        counts = np.zeros((6, 6), np.int64)
        kernels.count_neighbours(np.array([order], np.uint16), counts)
        outcome = statistics._neighbours("", counts, 1)
        found.append(outcome.statistic)
    assert math.isclose(sum(found) / len(found), outcome.freedom)
    found = []
    for order in permutations(range(5)):
        counts = np.zeros((5, 5), np.int64)
        kernels.count_places(np.array([order], np.uint16), counts)
        outcome = statistics._matrix("", counts)
        found.append(outcome.statistic)
    assert math.isclose(sum(found) / len(found), outcome.freedom)


@pytest.mark.parametrize(
    ("statistic", "freedom", "tail"),
    [
        (3.841459, 1, 0.05),
        (6.634897, 1, 0.01),
        (18.307038, 10, 0.05),
        (2.558212, 10, 0.99),
        (124.342113, 100, 0.05),
        (1_074.679449, 1_000, 0.05),
        (0.0, 5, 1.0),
        (3.0, 0, 1.0),
    ],
)
def test_tails_of_the_chi_square(statistic: float, freedom: int, tail: float) -> None:
    """Values of printed tables."""
    assert math.isclose(chi2_tail(statistic, freedom), tail, rel_tol=1e-5)


def test_tails_far_out_and_with_many_degrees() -> None:
    assert math.isclose(chi2_tail(172_225, 172_225), 0.4995, abs_tol=2e-4)
    assert 0 < chi2_tail(176_000, 172_225) < 1e-9
    assert chi2_tail(1_000_000, 10) == 0.0


def test_poisson() -> None:
    at_least = 1 - sum(math.exp(-17) * 17**k / math.factorial(k) for k in range(30))
    assert math.isclose(poisson_p(30, 17), 2 * at_least, rel_tol=1e-6)
    at_most = sum(math.exp(-17) * 17**k / math.factorial(k) for k in range(8))
    assert math.isclose(poisson_p(7, 17), 2 * at_most, rel_tol=1e-6)
    assert poisson_p(17, 17) == 1.0
    assert math.isclose(poisson_p(0, 5), 2 * math.exp(-5))


def test_one_bad_p_value_fails_all() -> None:
    good = [Outcome("a", 0, 0, 0.02), Outcome("b", 0, 0, 0.9)]
    assert judge(good).passed
    assert not judge([*good, Outcome("c", 0, 0, 0.003)]).passed


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--shoes", "10"], ["--decks", "11"], ["--processes", "0"]):
        with pytest.raises(SystemExit, match="2"):
            main(arguments)
        assert arguments[0] in capsys.readouterr().err
    console = Console(width=100, record=True, quiet=True)
    assert not report([Outcome("rigged", 9.0, 1, 0.0001)], 1_000, 1, console)
    assert main(["--shoes", "1000", "--decks", "1", "--processes", "1"]) in (0, 1)  # by chance, one in a hundred fails
    assert "1,000 shoes of 1 decks" in capsys.readouterr().out
