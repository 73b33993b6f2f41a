"""Odds of many shoes at once are the same integers as those of one, for every bet, and refuse what cannot be dealt."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.cards import CardError, Composition
from puntobanco.lab.batch import LARGEST, Batch, BatchOdds, Integers, removal, removal_by_rank
from puntobanco.lab.values import encode, plain
from puntobanco.odds import insurance_odds, odds, weights
from puntobanco.rules.load import GAMES, find_book, load_book
from puntobanco.rules.model import RuleBook

BOOKS = Path(__file__).parents[2] / "examples" / "books"
BONUS = load_book(BOOKS / "bonus.toml")
TIGER = find_book("tiger-buffalo")
EIGHT_DECKS = Composition.of_decks(8)


def left_of(decks: int, shoes: int, *, kinds: int = 13, seed: int = 8, least: int = 6) -> Integers:
    """Shoes from which any number of cards has gone."""
    chance = np.random.default_rng(seed)
    full = np.repeat(np.arange(kinds), decks * 52 // kinds)
    return np.array(
        [
            np.bincount(chance.permutation(full)[: chance.integers(least, len(full) + 1)], minlength=kinds)
            for _ in range(shoes)
        ]
    )


def ways(found: BatchOdds, shoe: int) -> dict[str, dict[Fraction, int]]:
    by_bet: dict[str, dict[Fraction, int]] = {}
    for (code, gain), count in zip(found.lines, found.ways[shoe].tolist(), strict=True):
        by_bet.setdefault(code, {})[gain] = count
    return by_bet


def check_same(book: RuleBook, counts: Integers) -> None:
    """Every bet, every gain, the total, the expectation and the variance, shoe by shoe."""
    found = Batch(book).solve(counts)
    for number, row in enumerate(counts.tolist()):
        single = odds(book, Composition(tuple(row)))
        assert ways(found, number) == {code: bet.ways for code, bet in single.items()}, row
        for index, bet in enumerate(single.values()):
            assert found.total[number] == bet.total
            assert found.exact(number, bet.code) == bet.ev
            assert found.ev[number, index] == pytest.approx(float(bet.ev), abs=1e-12)
            assert found.variance[number, index] == pytest.approx(float(bet.variance), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("game", GAMES)
def test_the_integers_of_one_for_every_bet(game: str) -> None:
    check_same(find_book(game), left_of(8, 150))


def test_the_integers_of_one_on_thousands_of_shoes() -> None:
    counts = left_of(8, 3000, seed=1)
    found = Batch(TIGER).solve(counts, weights=True)
    assert found.weights is not None
    for number, row in enumerate(counts.tolist()):
        single = weights(Composition(tuple(row)), TIGER.space)
        assert found.total[number] == single.total
        assert np.array_equal(found.weights[number], single.counts), row


@pytest.mark.parametrize("decks", [1, 6, 9, 10])
def test_other_numbers_of_decks(decks: int) -> None:
    check_same(TIGER, left_of(decks, 20, least=52 * decks - 45))


any_count = st.one_of(st.integers(0, 40), st.integers(0, 3))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(any_count, min_size=13, max_size=13), min_size=1, max_size=9))
def test_any_shoe(rows: list[list[int]]) -> None:
    check_same(TIGER, np.array([row if sum(row) >= 6 else [6] * 13 for row in rows]))


def test_shoes_of_two_ranks_and_of_one() -> None:
    rows = np.zeros((40, 13), np.int64)
    for number in range(39):
        rows[number, number % 13] = 6 + 11 * number
        rows[number, (number * 5 + 2) % 13] += number
    rows[39, 9] = 420  # more pairs than the lanes count exactly: this one goes the long way
    check_same(TIGER, rows)


def test_shoes_by_card_where_suits_matter() -> None:
    check_same(BONUS, left_of(8, 60, kinds=52))
    with pytest.raises(CardError, match="52 columns"):
        Batch(BONUS).solve(left_of(8, 1))


def test_shoes_by_card_where_they_do_not() -> None:
    by_card = left_of(8, 20, kinds=52)
    by_rank = by_card.reshape(20, 13, 4).sum(axis=2)
    assert np.array_equal(Batch(TIGER).solve(by_card).ways, Batch(TIGER).solve(by_rank).ways)


def test_shoes_by_value_solve_what_asks_for_no_pair() -> None:
    counts = left_of(8, 20)
    by_value = np.concatenate((counts[:, 9:].sum(axis=1, keepdims=True), counts[:, :9]), axis=1)
    all_bets, some = Batch(TIGER).solve(counts), Batch(TIGER).solve(by_value)
    assert {"tie", "big_tiger"} <= set(some.codes)
    assert set(all_bets.codes) - set(some.codes) == {"player_pair", "banker_pair", "tiger_pair"}
    for code in some.codes:
        assert np.array_equal(all_bets.of(code), some.of(code))
    with pytest.raises(CardError, match="for the sake of the pairs"):
        Batch(TIGER).solve(by_value, weights=True)


def test_every_insurance_row() -> None:
    counts = left_of(8, 40)
    found = Batch(TIGER).solve(counts, insurance=True)
    assert found.insurance is not None
    for number, row in enumerate(counts.tolist()):
        single = insurance_odds(TIGER, Composition(tuple(row)))
        assert found.insurance[number].tolist() == [[each.win, each.push, each.lose] for each in single]
        expected = [np.nan if each.ev is None else float(each.ev) for each in single]
        assert found.insurance_ev[number] == pytest.approx(expected, nan_ok=True)
    assert len(found.columns()) == len(TIGER.bets) + 83


def test_a_layout_has_its_own_bets() -> None:
    layout = TIGER.layout("M")
    assert layout is not None
    assert Batch(TIGER, layout).solve([EIGHT_DECKS]).codes == layout.bets


def test_any_number_of_cores_gives_the_same() -> None:
    counts = left_of(8, 2100)
    one, three = Batch(TIGER).solve(counts, cores=1), Batch(TIGER).solve(counts, cores=3)
    assert np.array_equal(one.ways, three.ways)
    assert np.array_equal(one.ev, three.ev)


def test_bets_that_favour_the_player_are_named() -> None:
    rich = Composition.parse("A:20 2:24 3:22 4:25 5:20 6:31 7:12 8:10 9:9 T:20 J:21 Q:22 K:20")
    found = Batch(TIGER).solve([EIGHT_DECKS, rich, rich])
    assert found.beatable["big_tiger"] == 2
    assert "player" not in found.beatable


@pytest.mark.parametrize(
    ("shoes", "said"),
    [
        ([[1, 2, 3]], "10 counts"),
        ([1, 2, 3], "10 counts"),
        ([[-1] * 13], "negative"),
        ([[1.5] * 13], "whole numbers"),
        ([[400] * 13], str(LARGEST)),
        ([[32] * 13, [1, 1, 1] + [0] * 10], "shoe 2: the shoe is too short"),
    ],
)
def test_what_is_no_shoe_is_refused(shoes: object, said: str) -> None:
    with pytest.raises(CardError, match=said):
        Batch(TIGER).solve(np.array(shoes))


# --- effect of removal ----------------------------------------------------------------------------------


def test_the_published_effects_of_removal() -> None:
    """Griffin's figures, in percentage points for one card of eight decks: an eight on Banker, and on Tie."""
    found = removal(find_book("super-six"), EIGHT_DECKS)
    assert float(found["banker"]["8"]) * 100 == pytest.approx(-0.00502, abs=5e-6)
    assert float(found["tie"]["8"]) * 100 == pytest.approx(0.06543, abs=5e-6)
    assert list(found["tie"]) == list("A23456789TJQK")


def test_effects_of_removal_are_differences_of_exact_odds() -> None:
    shoe = Composition.parse("A:5 2:5 8:5 9:3 K:1")
    found = removal(TIGER, shoe)
    assert set(found["tie"]) == {"A", "2", "8", "9", "K"}
    less = odds(TIGER, Composition.parse("A:5 2:5 8:4 9:3 K:1"))["tie"].ev
    assert found["tie"]["8"] == less - odds(TIGER, shoe)["tie"].ev


def test_effects_by_rank_of_a_book_with_suits() -> None:
    by_card = removal(BONUS, Composition.of_decks(8, suited=True))
    by_rank = removal_by_rank(BONUS, 8)
    assert by_rank.keys() == by_card.keys() == BONUS.bets.keys()
    for code, effects in by_rank.items():
        assert list(effects) == list("A23456789TJQK")
        assert all(by_card[code][rank + suit] == effect for rank, effect in effects.items() for suit in "shdc")


# --- values and files -----------------------------------------------------------------------------------


def test_values_encode_to_json() -> None:
    bet = odds(TIGER, EIGHT_DECKS)["banker"]
    assert json.loads(encode(bet))["ways"]["1/2"] == 269232304455680
    assert json.loads(encode(removal(TIGER, EIGHT_DECKS)))["tie"]["A"].count("/") == 1
    found = json.loads(encode(Batch(TIGER).solve([EIGHT_DECKS], insurance=True)))
    assert found["total"] == [4998398275503360]
    assert found["rows"][0]["row"]["window"] == "four_cards"
    assert plain({"x": np.array([np.nan, 1.0])}) == {"x": [None, 1.0]}
