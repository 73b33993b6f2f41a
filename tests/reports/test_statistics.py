"""Honest play keeps within its bands as often as it should, and play that is not honest is named."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reports.build import DEALERS, evening
from tests.table.build import settings

from puntobanco.bets import members, payoffs, settle
from puntobanco.cards import CARDS, Side, parse_cards
from puntobanco.coup import Coup, Hand
from puntobanco.insurance import insurance_verdict
from puntobanco.odds import joint_odds
from puntobanco.reports import Statistics, report_on
from puntobanco.reports.chances import Chances, Moments
from puntobanco.reports.gather import PlayedRound
from puntobanco.reports.periods import Period
from puntobanco.reports.statistics import OUTSIDE, at_least, at_most, binomial_band, statistics_of
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import InsuranceRow, Window
from puntobanco.table.state import InsuranceWager

BOOK = find_book("tiger-buffalo")
LAYOUT = BOOK.layouts["A"]
NOBODY = Moments(Fraction(0), Fraction(0))
TODAY = Period(20_000, 0, "day")


@cache
def chances_of(game: str = "tiger-buffalo", **changes: object) -> Chances:
    book = find_book(game)
    layout = next(iter(book.layouts.values()))
    return Chances(book, settings(game=game, layout=layout.code, positions=max(layout.positions), **changes))


Crook = Callable[[Random, str, Coup], bool]
"""Whether a coup is made to vanish, by whoever deals."""


def coups(seed: int, crook: Crook = lambda *_: False) -> Iterator[tuple[int, str, Coup]]:
    """Coups from shuffled shoes of eight decks, with the shoe's number and the dealer."""
    chance = Random(seed)
    for number in range(1, 1_000_000):
        shoe = [card for card in CARDS for _ in range(8)]
        chance.shuffle(shoe)
        dealer = DEALERS[number % 2]
        while len(shoe) > 20:
            coup = Coup()
            while not coup.finished:
                coup = coup.receive(shoe.pop())
            if not crook(chance, dealer, coup):
                yield number, dealer, coup


def played(rounds: int, seed: int, crook: Crook = lambda *_: False) -> list[PlayedRound]:
    """Rounds without money."""
    return [
        PlayedRound(count, TODAY, number, dealer, BOOK.space.outcome_of(coup), 0, 0, NOBODY)
        for count, (number, dealer, coup) in zip(range(rounds), coups(seed, crook), strict=False)
    ]


def judged(rounds: list[PlayedRound]) -> Statistics:
    return statistics_of("T1", BOOK, LAYOUT, chances_of(), rounds)


# --- honest and other play


def test_honest_shoes_lie_outside_at_most_once_in_a_hundred() -> None:
    """Over 400 shoes: bands are made so that either side holds at most half of 1%, and are not much wider."""
    statistics = judged(played(400 * 78, seed=7))
    shoes = [group for group in statistics.groups if group.kind == "shoe"]
    winners = [each for group in shoes for each in group.winners]
    lines = [each for group in shoes for each in group.comparisons if each.judged and each.kind == "pay_line"]
    assert len(shoes) > 350
    # three correlated figures a shoe: three standard deviations of the binomial share, and as much again
    assert 0.002 < sum(each.outside for each in winners) / len(winners) < 0.02
    assert 0.001 < sum(each.outside for each in lines) / len(lines) < 0.012


@pytest.mark.parametrize("seed", range(6))
def test_nothing_stands_out_at_an_honest_table(seed: int) -> None:
    statistics = judged(played(1500, seed))
    assert statistics.outstanding == ()
    assert "nothing stands out" in statistics.judgement


def test_a_dealer_who_makes_player_lose_is_named() -> None:
    def crook(chance: Random, dealer: str, coup: Coup) -> bool:
        return dealer == "dora" and coup.winner is Side.PLAYER and chance.random() < 0.35

    statistics = judged(played(3000, 5, crook))
    named = {(group.kind, group.name, each.name) for group, each in statistics.outstanding}
    assert ("dealer", "dora", "Player") in named
    assert not any(name == "dirk" for _, name, _ in named)
    assert "dealer dora, Player" in statistics.judgement
    assert all(each.outside for _, each in statistics.outstanding)


def test_a_shoe_without_pairs_is_named() -> None:
    def crook(chance: Random, dealer: str, coup: Coup) -> bool:
        return coup.player.pair or coup.banker.pair

    named = {each.name for _, each in judged(played(1000, 2, crook)).outstanding}
    assert {"Player Pair (11 to 1)", "Banker Pair (11 to 1)"} <= named


def test_the_result_of_the_house_spreads_as_its_variance_says() -> None:
    """With every bet of the layout, insurance among them: the squares of z are 1 on average."""
    squares = []
    for seed in range(8):
        statistics = report_on(evening(seed, 330)).statistics
        squares += [group.result.z**2 for group in statistics.groups if group.kind == "shoe" and group.rounds > 50]
    mean, spread = sum(squares) / len(squares), math.sqrt(2 / len(squares))
    assert len(squares) >= 32
    assert abs(mean - 1) < 4 * spread


# --- what is compared


@pytest.mark.parametrize("game", GAMES)
def test_every_pay_line_of_the_layout_is_compared(game: str) -> None:
    book = find_book(game)
    for layout in book.layouts.values():
        (group, *_) = statistics_of("T1", book, layout, chances_of(game), played(1, 1)).groups
        lines = sum(len(bet.pays) for bet in book.menu(layout))
        assert [each.kind for each in group.comparisons] == ["winner"] * 3 + ["pay_line"] * lines + ["result"]


def test_frequencies_are_counted_as_if_bet_in_every_round() -> None:
    rounds = played(500, 3)
    (group, *_) = judged(rounds).groups
    lines = [(bet.code, line) for bet in BOOK.menu(LAYOUT) for line in bet.pays]
    found = [each for each in group.comparisons if each.kind == "pay_line"]
    for (code, line), each in zip(lines, found, strict=True):
        verdicts = [payoffs(BOOK)[code].verdict(it.outcome) for it in rounds]
        assert each.observed == sum(v.odds == line.odds and v.line == line.name for v in verdicts)
        assert each.paragraph == line.paragraph


def test_what_says_the_same_is_judged_once() -> None:
    (group, *_) = judged(played(10, 1)).groups
    judged_names = [each.name for each in group.comparisons if each.judged]
    assert "Player" in judged_names
    assert "Player (1 to 1)" not in judged_names
    assert "Result of the House" not in judged_names


def test_the_only_shoe_is_not_judged_beside_the_table() -> None:
    statistics = judged(played(20, 1))
    assert {group.kind for group in statistics.groups} == {"table", "shoe", "dealer"}
    assert all(not each.judged for group in statistics.groups[1:] for each in group.comparisons)


def test_no_rounds_no_judgement() -> None:
    assert judged([]).judgement == "There are no rounds to judge."


# --- exact moments


def test_probabilities_are_of_the_whole_space() -> None:
    chances = chances_of()
    assert chances.probability(BOOK.space.all) == 1
    assert float(chances.probability(BOOK.space.where({"winner": ("banker",)}))) == pytest.approx(0.458597, abs=1e-6)


stakes_made = st.lists(
    st.tuples(st.sampled_from(["player", "banker", "tie", "tiger_pair", "small_tiger"]), st.integers(1, 50)), max_size=4
)


@given(stakes_made)
def test_mean_and_variance_follow_from_edges_and_covariances(wagers: list[tuple[str, int]]) -> None:
    """Stakes of which every payout is whole, so that nothing is rounded."""
    chances = chances_of()
    stakes = tuple((bet, 100 * stake) for bet, stake in wagers)
    mean, variance = chances.moments(stakes)
    assert mean == sum((chances.edges[bet] * stake for bet, stake in stakes), Fraction(0))
    assert variance == sum(
        (covariance(*sorted((one, two))) * a * b for (one, a), (two, b) in product(stakes, repeat=2)), Fraction(0)
    )


@cache
def covariance(one: str, two: str) -> Fraction:
    return joint_odds(BOOK, chances_of().shoe, one, two).covariance


def test_payouts_are_rounded_as_the_table_rounds_them() -> None:
    """A Banker bet of 1 that wins on 6 pays half, which is nothing: the House has that more."""
    chances = chances_of()
    on_six = chances.probability(BOOK.space.where({"winner": ("banker",), "banker_total": (6,)}))
    assert chances.moments((("banker", 1),)).mean == chances.edges["banker"] + on_six / 2


def insured_openings() -> list[tuple[Coup, InsuranceRow]]:
    """Openings at which the book offers insurance after four cards, one for every few pairs of points."""
    assert BOOK.insurance is not None
    found = []
    for (window, hand, own, other), row in BOOK.insurance.by_points.items():
        player, banker = (own, other) if hand is Side.PLAYER else (other, own)
        coup = Coup(Hand(parse_cards(f"Kh{'JA23456789'[player]}c")), Hand(parse_cards(f"Kd{'JA23456789'[banker]}s")))
        if window is Window.FOUR_CARDS and coup.due is not None:
            found.append((coup, row))
    return found[::4]


@pytest.mark.parametrize(
    ("coup", "row"), insured_openings(), ids=lambda it: it.paragraph if isinstance(it, InsuranceRow) else str(it)
)
def test_insurance_adds_the_variance_that_it_makes(coup: Coup, row: InsuranceRow) -> None:
    """Against every order in which the rest of one deck can come, settled coup by coup."""
    bare, insured, covered = [], [], []
    left = [card for card in CARDS if card not in coup.cards]
    for cards in permutations(left, 2):
        end = coup
        for card in cards:
            end = end if end.finished else end.receive(card)
        main = -sum(line.profit for line in settle(BOOK, end, {"banker": 100_00, "tie": 5_00}))
        cover = -insurance_verdict(row, end).profit(30_00)
        bare.append(main)
        insured.append(main + cover)
        covered.append(cover)
    chances, stakes = chances_of(decks=1), (("banker", 100_00), ("tie", 5_00))
    taken = InsuranceWager(person="ann", box=1, hand=row.hand, stake=30_00, row=row)
    found, without = chances.round_moments(stakes, (taken,), coup), chances.moments(stakes)
    assert found.mean - without.mean == mean(covered)
    assert found.variance - without.variance == variance(insured) - variance(bare)
    assert chances.insurance_edge(taken, coup) * 30_00 == mean(covered)


def mean(results: list[int]) -> Fraction:
    return Fraction(sum(results), len(results))


def variance(results: list[int]) -> Fraction:
    return Fraction(sum(result * result for result in results), len(results)) - mean(results) ** 2


# --- the binomial distribution

tries_and_chance = st.tuples(
    st.integers(1, 60), st.fractions(Fraction(1, 200), Fraction(199, 200), max_denominator=200)
)


@given(tries_and_chance, st.data())
def test_tails_are_exact(case: tuple[int, Fraction], data: st.DataObject) -> None:
    tries, chance = case
    hits = data.draw(st.integers(0, tries))
    below = sum(term(count, tries, chance) for count in range(hits + 1))
    assert at_most(hits, tries, float(chance)) == pytest.approx(float(below), rel=1e-9, abs=1e-14)
    above = 1 - below + term(hits, tries, chance)
    assert at_least(hits, tries, float(chance)) == pytest.approx(float(above), rel=1e-9, abs=1e-14)


@given(tries_and_chance)
def test_a_band_leaves_half_a_percent_on_each_side_and_no_more(case: tuple[int, Fraction]) -> None:
    tries, chance = case
    low, high = binomial_band(tries, float(chance))
    mass = [term(count, tries, chance) for count in range(tries + 1)]
    tail, hair = OUTSIDE / 2, Fraction(1, 10**12)
    assert sum(mass[:low]) <= tail + hair
    assert sum(mass[: low + 1]) >= tail - hair
    assert sum(mass[high + 1 :]) <= tail + hair
    assert sum(mass[high:]) >= tail - hair


def term(hits: int, tries: int, chance: Fraction) -> Fraction:
    return math.comb(tries, hits) * chance**hits * (1 - chance) ** (tries - hits)


def test_long_runs_are_judged_too() -> None:
    low, high = binomial_band(1_000_000, 0.4462)
    assert low == pytest.approx(446_200 - 2.5758 * 497.1, abs=3)
    assert high == pytest.approx(446_200 + 2.5758 * 497.1, abs=3)


def test_members_of_a_line_are_outcomes_that_occur() -> None:
    assert all(chances_of().weights[outcome] for outcome in members(BOOK.space.where({"winner": ("tie",)})))
