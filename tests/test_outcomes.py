"""The outcome space, against a count made without it."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.cards import CARDS, Card
from puntobanco.coup import Coup, reconstruct
from puntobanco.outcomes import FEATURES, PLAIN, SUITED, Outcome, Pair, PairState, Space, Value, space

SPACES = {"plain": PLAIN, "suited": SUITED}
VALUES = dict.fromkeys("TJQK", 0) | {rank: value for value, rank in enumerate("A23456789", start=1)}
many_cards = st.lists(st.sampled_from(CARDS), max_size=6)


class Opening(NamedTuple):
    """Two cards as far as they matter: points, the rank they pair in, and whether they are one card twice."""

    points: int
    pair: int | None = None
    suited: bool = False


def openings(suited: bool) -> set[Opening]:
    """By ranks 0 to 12: 0 to 8 are ace to nine, 9 to 12 count nothing."""
    found = set()
    for first, second in product(range(13), repeat=2):
        points = sum(rank + 1 if rank < 9 else 0 for rank in (first, second)) % 10
        found.add(Opening(points, first if first == second else None))
        if first == second and suited:
            found.add(Opening(points, first, suited=True))
    return found


@cache
def finishes(player: int, banker: int) -> set[tuple[int, int, int, int]]:
    """Points and numbers of cards at the end, by the Table of Play in yet another form."""
    if player >= 8 or banker >= 8:
        return {(player, banker, 2, 2)}
    if player >= 6:
        if banker >= 6:
            return {(player, banker, 2, 2)}
        return {(player, end, 2, 3) for end in range(10)}
    found = set()
    for third in range(10):
        # Banker's points → the span of third cards against which Banker draws; 3 leaves out the 8 only
        least, most = {3: (-1, 7), 4: (2, 7), 5: (4, 7), 6: (6, 7)}.get(banker, (-1, 9))
        draws = banker <= 2 or (banker <= 6 and (least <= third <= most or (banker == 3 and third == 9)))
        ends = range(10) if draws else [banker]
        found |= {((player + third) % 10, end, 3, 2 + draws) for end in ends}
    return found


def kind(opening: Opening) -> Pair:
    if opening.pair is None:
        return Pair.NONE
    return Pair.SUITED if opening.suited else Pair.RANK


@cache
def everything(suited: bool) -> set[Outcome]:
    found = set()
    for player, banker in product(openings(suited), repeat=2):
        twin = player.pair is not None and player.pair == banker.pair
        state = PairState(kind(player), kind(banker), twin)
        found |= {Outcome(*end, state) for end in finishes(player.points, banker.points)}
    return found


def test_sizes() -> None:
    assert (PLAIN.size, len(PLAIN.states)) == (2000, 5)
    assert (SUITED.size, len(SUITED.states)) == (5200, 13)
    assert len(PLAIN.numbers) == 779
    assert len({number // 5 for number in PLAIN.numbers}) == 205
    assert len({number // 13 for number in SUITED.numbers}) == 205


@pytest.mark.parametrize("suited", [False, True], ids=SPACES)
def test_the_outcomes_that_can_occur(suited: bool) -> None:
    outcomes = space(suited=suited)
    assert {outcomes[number] for number in outcomes.numbers} == everything(suited)
    assert len(outcomes.numbers) == len(everything(suited))


def test_the_suited_space_is_the_plain_one_in_finer_grain() -> None:
    def plain(outcome: Outcome) -> Outcome:
        pairs = outcome.pairs
        state = PairState(min(pairs.player, Pair.RANK), min(pairs.banker, Pair.RANK), pairs.twin)
        return Outcome(outcome.player_total, outcome.banker_total, outcome.player_cards, outcome.banker_cards, state)

    assert {plain(outcome) for outcome in everything(True)} == everything(False)


@pytest.mark.parametrize("outcomes", SPACES.values(), ids=SPACES)
def test_numbers_and_outcomes(outcomes: Space) -> None:
    for number in range(outcomes.size):
        assert outcomes.number(outcomes[number]) == number
    assert len({outcomes[number] for number in range(outcomes.size)}) == outcomes.size


def expected_outcome(coup: Coup, suited: bool) -> Outcome:
    """An outcome read off the printed cards."""
    player, banker = (str(hand) for hand in coup.hands)
    kinds = []
    for hand in (player, banker):
        one, two = hand[:2], hand[2:4]
        kinds.append(Pair.NONE if one[0] != two[0] else Pair.SUITED if suited and one == two else Pair.RANK)
    twin = player[0] == player[2] == banker[0] == banker[2]
    totals = [sum(VALUES[rank] for rank in hand[::2]) % 10 for hand in (player, banker)]
    return Outcome(totals[0], totals[1], len(player) // 2, len(banker) // 2, PairState(kinds[0], kinds[1], twin))


@given(st.lists(st.sampled_from(CARDS), min_size=6, max_size=6), st.booleans())
def test_the_outcome_of_a_coup(cards: list[Card], suited: bool) -> None:
    coup = reconstruct(cards).coup
    outcomes = space(suited=suited)
    number = outcomes.outcome_of(coup)
    assert outcomes[number] == expected_outcome(coup, suited)
    assert number in outcomes.numbers


@pytest.mark.parametrize(
    ("coup", "pairs"),
    [
        ("P ThKh B QhJh", PairState(Pair.NONE, Pair.NONE)),
        ("P 4h4d B 3h6d", PairState(Pair.RANK, Pair.NONE)),
        ("P 4h4d B 9h9d", PairState(Pair.RANK, Pair.RANK)),
        ("P 4h4d B 4s4c", PairState(Pair.RANK, Pair.RANK, twin=True)),
        ("P 4h4h B 4s4c", PairState(Pair.SUITED, Pair.RANK, twin=True)),
        ("P 4h4h B 4s4s", PairState(Pair.SUITED, Pair.SUITED, twin=True)),
        ("P 4h4h B 9s9s", PairState(Pair.SUITED, Pair.SUITED)),
    ],
)
def test_pair_states(coup: str, pairs: PairState) -> None:
    cards = Coup.parse(coup).cards
    finished = reconstruct((*cards, Card.TWO_S, Card.TWO_S)).coup
    assert SUITED[SUITED.outcome_of(finished)].pairs == pairs
    plain = PairState(min(pairs.player, Pair.RANK), min(pairs.banker, Pair.RANK), pairs.twin)
    assert PLAIN[PLAIN.outcome_of(finished)].pairs == plain


@given(st.lists(st.sampled_from(CARDS), min_size=6, max_size=6), st.booleans())
def test_what_can_still_happen_shrinks_as_cards_come(cards: list[Card], suited: bool) -> None:
    outcomes = space(suited=suited)
    coup = Coup()
    before = outcomes.all
    for card in cards:
        if coup.finished:
            break
        coup = coup.receive(card)
        now = outcomes.reachable(coup)
        assert now
        assert now & ~before == 0
        before = now
    assert before == 1 << outcomes.outcome_of(coup)


@given(many_cards.filter(lambda cards: len(cards) < 6), st.booleans())
def test_what_can_still_happen_is_what_the_next_cards_make_of_it(cards: list[Card], suited: bool) -> None:
    outcomes = space(suited=suited)
    coup = reconstruct(cards).coup
    if coup.finished:
        assert outcomes.reachable(coup) == 1 << outcomes.outcome_of(coup)
        return
    union = 0
    for card in CARDS:
        union |= outcomes.reachable(coup.receive(card))
    assert outcomes.reachable(coup) == union


MEANINGS: dict[str, dict[Value, str]] = {
    "winner": {
        "player": "player_total > banker_total",
        "banker": "player_total < banker_total",
        "tie": "player_total == banker_total",
    },
    "player_total": {total: f"player_total == {total}" for total in range(10)},
    "banker_total": {total: f"banker_total == {total}" for total in range(10)},
    "player_cards": {cards: f"player_cards == {cards}" for cards in (2, 3)},
    "banker_cards": {cards: f"banker_cards == {cards}" for cards in (2, 3)},
    "cards": {cards: f"player_cards + banker_cards == {cards}" for cards in (4, 5, 6)},
    "margin": {margin: f"player_total - banker_total in ({margin}, -{margin})" for margin in range(10)},
    "player_natural": {True: "player_cards == 2 and player_total in (8, 9)"},
    "banker_natural": {True: "banker_cards == 2 and banker_total in (8, 9)"},
    "pair": {
        "none": "not pairs.player and not pairs.banker",
        "player": "pairs.player and not pairs.banker",
        "banker": "pairs.banker and not pairs.player",
        "both": "pairs.player and pairs.banker and not pairs.twin",
        "twin": "pairs.twin",
    },
    "player_pair": {True: "pairs.player"},
    "banker_pair": {True: "pairs.banker"},
    "pairs": {0: "not pairs.player and not pairs.banker", 2: "pairs.player and pairs.banker"},
    "player_suited_pair": {True: "pairs.player == 2"},
    "banker_suited_pair": {True: "pairs.banker == 2"},
    "suited_pairs": {0: "pairs.player != 2 and pairs.banker != 2", 2: "pairs.player == 2 == pairs.banker"},
}


def members(bits: int) -> set[int]:
    return {number for number in range(bits.bit_length()) if bits >> number & 1}


@pytest.mark.parametrize("outcomes", SPACES.values(), ids=SPACES)
@pytest.mark.parametrize("name", FEATURES)
def test_a_feature(name: str, outcomes: Space) -> None:
    feature = FEATURES[name]
    for value, meaning in MEANINGS[name].items():
        found = members(outcomes.where({name: (value,)}))
        assert found == {
            number for number in outcomes.numbers if eval(meaning, {}, msgspec.structs.asdict(outcomes[number]))
        }
    # the values divide the space between them
    parts = [outcomes.where({name: (value,)}) for value in feature.values]
    assert sum(parts) == outcomes.all
    assert outcomes.where({name: feature.values}) == outcomes.all
    assert feature.meaning


def test_only_the_suited_features_need_suits() -> None:
    assert {name for name, feature in FEATURES.items() if feature.needs_suits} == {
        "player_suited_pair",
        "banker_suited_pair",
        "suited_pairs",
    }


def test_conditions_hold_together() -> None:
    both = PLAIN.where({"winner": ("banker",), "banker_total": (6, 6)})
    assert both == PLAIN.where({"winner": ("banker",)}) & PLAIN.where({"banker_total": (6,)})
    assert PLAIN.where({}) == PLAIN.all
    assert PLAIN.where({"winner": ("player",), "player_total": (0,)}) == 0
    assert repr(SUITED) == "Space(suited=True)"
