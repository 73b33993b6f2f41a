"""Exact odds of insurance: every row, every pair of points, both windows, against brute force and the literal rules."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracle import End, count_windows, deal_every_kind, deal_every_order

from puntobanco.cards import CARDS, Card, Composition, Side
from puntobanco.coup import Coup, reconstruct
from puntobanco.literal import literal_insurance_odds, literal_insurance_profit
from puntobanco.odds import InsuranceOdds, ShoeTooShort, insurance_after, insurance_odds
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import Window

BOOK = find_book("tiger-buffalo")
EIGHT_DECKS = Composition.of_decks(8)
WINDOWS = (Window.FOUR_CARDS, Window.PLAYER_THIRD)
WINNERS = (Side.PLAYER, Side.BANKER, None)
Spot = tuple[Window, Side, int, int]
"""A window, the insured hand, its points and the other hand's."""


# --- what the literal reading of the book says ----------------------------------------------------------


@cache
def rounds() -> tuple[Coup, ...]:
    """A finished coup for every pair of opening points and every value of the third cards."""
    cards = [Card(rank + "s") for rank in "TA23456789"]
    zero = Card("Ks")
    return tuple(
        reconstruct([cards[player], cards[banker], zero, zero, cards[third], cards[last]]).coup
        for player, banker, third, last in product(range(10), repeat=4)
    )


def seen(window: Window, coup: Coup) -> Coup | None:
    """The cards on the table in a window of a finished coup, if it opened while a card was still to come."""
    if window is Window.FOUR_CARDS:
        return reconstruct(coup.cards[:4]).coup if len(coup.cards) > 4 else None
    return reconstruct(coup.cards[:5]).coup if len(coup.cards) == 6 else None


@cache
def literal_gains() -> dict[Spot, dict[Side | None, Fraction]]:
    """What one unit of insurance gains, by where it was taken and who wins."""
    gains: dict[Spot, dict[Side | None, Fraction]] = {}
    for coup in rounds():
        for window, hand in product(WINDOWS, Side):
            then = seen(window, coup)
            if then is None or literal_insurance_odds(then, hand) is None:
                continue
            spot = (window, hand, then.hands[hand].total, then.hands[hand.other].total)
            gain = literal_insurance_profit(window.value, hand, coup)
            assert gains.setdefault(spot, {}).setdefault(coup.winner, gain) == gain
    return gains


def spot_of(row: InsuranceOdds) -> Spot:
    return row.window, row.hand, row.own, row.other


def ways_of(row: InsuranceOdds) -> Counter[Fraction]:
    return Counter({row.odds.fraction: row.win, Fraction(0): row.push, Fraction(-1): row.lose})


def check_table(shoe: Composition) -> None:
    counted = count_windows(shoe.points)
    rows = {spot_of(row): row for row in insurance_odds(BOOK, shoe)}
    assert set(rows) == set(literal_gains())
    for (window, hand, own, other), gains in literal_gains().items():
        player, banker = (own, other) if hand is Side.PLAYER else (other, own)
        ends = counted[WINDOWS.index(window), player, banker]
        expected: Counter[Fraction] = Counter()
        for winner, ways in zip(WINNERS, map(int, ends), strict=True):
            if ways:
                expected[gains[winner]] += ways
        row = rows[window, hand, own, other]
        assert +ways_of(row) == expected
        assert row.total == sum(map(int, ends))
        if row.total:
            assert row.ev == sum((gain * ways for gain, ways in expected.items()), Fraction(0)) / row.total
        else:
            assert row.ev is None


# --- for a shoe -----------------------------------------------------------------------------------------


def test_the_rows_cover_what_the_book_says() -> None:
    """Paragraph 4.1.14, and no pair of points twice."""
    rows = insurance_odds(BOOK, EIGHT_DECKS)
    assert {spot_of(row) for row in rows} == set(literal_gains())
    assert len(rows) == len(literal_gains())
    assert all(row.total for row in rows)
    assert Counter((row.window, row.hand) for row in rows) == {
        (Window.FOUR_CARDS, Side.PLAYER): 1 + 6 + 6,
        (Window.FOUR_CARDS, Side.BANKER): 4 + 5 + 6 + 6,
        (Window.PLAYER_THIRD, Side.PLAYER): 5 + 6 + 7 + 7 + 7,
        (Window.PLAYER_THIRD, Side.BANKER): 6 + 1 + 5 + 4 + 1,
    }


@pytest.mark.parametrize("decks", range(1, 11))
def test_every_row_for_full_shoes(decks: int) -> None:
    check_table(Composition.of_decks(decks))


counts = st.one_of(
    st.lists(st.integers(0, 40), min_size=13, max_size=13),
    st.lists(st.sampled_from([0, 0, 0, 1, 2, 3]), min_size=13, max_size=13),
    st.lists(st.integers(0, 12), min_size=6, max_size=6).map(lambda ranks: [ranks.count(rank) for rank in range(13)]),
)


@settings(max_examples=80, deadline=None)
@given(counts.filter(lambda counts: sum(counts) >= 6).map(lambda counts: Composition(tuple(counts))))
def test_every_row_for_depleted_shoes(shoe: Composition) -> None:
    check_table(shoe)


@pytest.mark.parametrize("shoe", [(10**6,) * 13, (10**9, 0, 0, 3, 0, 10**8, 0, 1, 0, 7, 7, 7, 7), (112,) * 13])
def test_every_row_for_shoes_beyond_64_bits(shoe: tuple[int, ...]) -> None:
    check_table(Composition(shoe))


def test_a_shoe_by_cards_gives_the_same() -> None:
    assert insurance_odds(BOOK, Composition.of_decks(3, suited=True)) == insurance_odds(BOOK, Composition.of_decks(3))


def test_points_that_a_shoe_cannot_show() -> None:
    rows = insurance_odds(BOOK, Composition.parse("9:12"))
    assert {(row.total, row.ev) for row in rows} == {(0, None)}


@pytest.mark.parametrize("game", [game for game in GAMES if game != "tiger-buffalo"])
def test_games_without_insurance(game: str) -> None:
    coup = reconstruct(map(Card, ("5s", "4s", "Ks", "Kh"))).coup
    assert insurance_odds(find_book(game), EIGHT_DECKS) == ()
    assert insurance_after(find_book(game), coup, EIGHT_DECKS) == ()


CARDS_THAT_OFTEN_SUFFICE = [Card(text) for text in ("4s", "3h", "3s", "9h", "Kd", "Tc", "7s", "8c", "2d")]


@settings(max_examples=200, deadline=None)
@example(list(map(Card, ("Kd", "Kd", "Tc", "7s", "9h"))))  # 0 against 7 with a pair and without
@example(list(map(Card, ("3s", "3s", "3h", "3h", "Kd"))))
@given(st.lists(st.sampled_from(CARDS_THAT_OFTEN_SUFFICE), max_size=5))
def test_short_shoes(cards: list[Card]) -> None:
    shoe = Composition.of_cards(cards)
    if None in deal_every_order([card.value for card in cards]):
        with pytest.raises(ShoeTooShort):
            insurance_odds(BOOK, shoe)
        return
    tally: dict[Spot, Counter[Fraction]] = {spot: Counter() for spot in literal_gains()}
    for order in permutations(cards):
        coup = reconstruct(order).coup
        for window, hand in product(WINDOWS, Side):
            then = seen(window, coup)
            if then and literal_insurance_odds(then, hand):
                spot = (window, hand, then.hands[hand].total, then.hands[hand.other].total)
                tally[spot][literal_insurance_profit(window.value, hand, coup)] += 1
    found = {spot_of(row): +ways_of(row) for row in insurance_odds(BOOK, shoe)}
    assert found == tally


# --- for an exact partial deal --------------------------------------------------------------------------


def gain(window: Window, hand: Side, banker_before: int, odds: Fraction, end: End) -> Fraction:
    """Reading F, typed in once more."""
    if end.winner == "tie":
        nine = hand is Side.PLAYER and end.player == 9
        nought = hand is Side.BANKER and end.player == 0 and 1 <= banker_before <= 6
        return odds if window is Window.PLAYER_THIRD and (nine or nought) else Fraction(0)
    return Fraction(-1) if end.winner == hand.value else odds


def check_after(coup: Coup, left: dict[str, int]) -> tuple[InsuranceOdds, ...]:
    """The rows on offer, against every way to deal on."""
    shoe = Composition.of_cards(Card(card) for card, count in left.items() for _ in range(count))
    counted = deal_every_kind(left, [card.value for card in coup.cards])
    on_offer = {hand: literal_insurance_odds(coup, hand) for hand in Side}
    if None in counted and any(on_offer.values()):
        with pytest.raises(ShoeTooShort):
            insurance_after(BOOK, coup, shoe)
        return ()
    rows = insurance_after(BOOK, coup, shoe)
    assert {row.hand: row.odds.fraction for row in rows} == {hand: odds for hand, odds in on_offer.items() if odds}
    for row in rows:
        assert row.window is (Window.FOUR_CARDS if len(coup.cards) == 4 else Window.PLAYER_THIRD)
        assert (row.own, row.other) == (coup.hands[row.hand].total, coup.hands[row.hand.other].total)
        expected: Counter[Fraction] = Counter()
        for end, ways in counted.items():
            assert end is not None
            expected[gain(row.window, row.hand, coup.banker.opening, row.odds.fraction, end)] += ways
        assert +ways_of(row) == expected
    return rows


@settings(max_examples=150, deadline=None)
@given(
    dealt=st.lists(st.sampled_from(CARDS), min_size=3, max_size=6),
    left=st.dictionaries(st.sampled_from([card.value for card in CARDS]), st.integers(1, 9), max_size=6),
)
def test_exact_partial_deals(dealt: list[Card], left: dict[str, int]) -> None:
    check_after(reconstruct(dealt).coup, left)


@pytest.mark.parametrize(
    ("cards", "hands"),
    [
        ("5s 4s Ks Kh", {Side.PLAYER}),
        ("7s 2s Ks Kh", {Side.PLAYER}),
        ("2s 6s Ks Kh", {Side.BANKER}),
        ("4s 3s Ks Kh 5d", {Side.PLAYER}),  # a third card that makes 9
        ("4s 6s Ks Kh 6d", {Side.BANKER}),  # … that makes 0
        ("2s 2h Ks Kh 7d", {Side.PLAYER}),
        ("4s 4h Ks Kh 8d", set()),  # Banker stands on 4 against an 8
        ("9s 6s Ks Kh", set()),
        ("2s 3s Ks", set()),
    ],
)
def test_rows_on_offer(cards: str, hands: set[Side]) -> None:
    coup = reconstruct(map(Card, cards.split())).coup
    rows = check_after(coup, {"As": 3, "4h": 2, "9d": 4, "Kc": 9, "6h": 5})
    assert {row.hand for row in rows} == hands


@pytest.mark.parametrize("text", ["A:2 3:3 5:2 8:1 K:4", "2:2 4:5 6:1 9:2", "6:4 T:4"])
def test_points_seen_average_the_cards_behind_them(text: str) -> None:
    """A row of the table is the rows after every deal that shows its points, each as likely as it is."""
    shoe = Composition.parse(text)
    kinds = {Card(item.split(":")[0] + "s"): int(item.split(":")[1]) for item in text.split()}
    summed: dict[Spot, Counter[Fraction]] = {spot: Counter() for spot in literal_gains()}
    for cards in (2, 3):
        for drawn in product(kinds, repeat=2 + cards):
            left = Counter(kinds)
            ways = 1
            for card in drawn:
                ways *= left[card]
                left[card] -= 1
            dealt = reconstruct(drawn)
            if not ways or dealt.left_over:
                continue
            for row in insurance_after(BOOK, dealt.coup, shoe.without(drawn)):
                for gained, count in ways_of(row).items():
                    summed[spot_of(row)][gained] += ways * count
    assert {spot_of(row): +ways_of(row) for row in insurance_odds(BOOK, shoe)} == {
        spot: +ways for spot, ways in summed.items()
    }


# --- published figures ----------------------------------------------------------------------------------

PUBLISHED = {
    # Wizard of Odds, baccarat insurance at Marina Bay Sands and at Asia Gaming, eight decks:
    # the insured hand's points, the other's → the chances that it loses, wins, ties
    (Side.BANKER, 5, 0): ("0.319950", "0.638715", "0.041335"),
    (Side.BANKER, 5, 1): ("0.283814", "0.674655", "0.041531"),
    (Side.BANKER, 5, 2): ("0.248356", "0.650906", "0.100738"),
    (Side.BANKER, 5, 3): ("0.271182", "0.628151", "0.100667"),
    (Side.BANKER, 5, 4): ("0.294993", "0.604412", "0.100595"),
    (Side.BANKER, 6, 0): ("0.248749", "0.721860", "0.029391"),
    (Side.BANKER, 6, 1): ("0.200798", "0.710369", "0.088833"),
    (Side.BANKER, 6, 2): ("0.212631", "0.698539", "0.088830"),
    (Side.BANKER, 6, 3): ("0.224458", "0.687609", "0.087932"),
    (Side.BANKER, 6, 4): ("0.236160", "0.675002", "0.088838"),
    (Side.BANKER, 6, 5): ("0.248909", "0.662332", "0.088759"),
    (Side.BANKER, 7, 0): ("0.154340", "0.769393", "0.076268"),
    (Side.BANKER, 7, 1): ("0.153216", "0.769718", "0.077066"),
    (Side.BANKER, 7, 2): ("0.153224", "0.769708", "0.077068"),
    (Side.BANKER, 7, 3): ("0.154128", "0.768806", "0.077066"),
    (Side.BANKER, 7, 4): ("0.153211", "0.769725", "0.077065"),
    (Side.BANKER, 7, 5): ("0.154124", "0.768810", "0.077066"),
    (Side.PLAYER, 5, 4): ("0.289715", "0.597782", "0.112503"),
}


def test_published_chances_after_four_cards() -> None:
    rows = {spot_of(row): row for row in insurance_odds(BOOK, EIGHT_DECKS)}
    for (hand, own, other), chances in PUBLISHED.items():
        row = rows[Window.FOUR_CARDS, hand, own, other]
        assert chances == tuple(f"{ways / row.total:.6f}" for ways in (row.win, row.lose, row.push))


# Published at 4 to 1 as well: insuring Banker's 7 against each of Player's points.
@pytest.mark.parametrize(
    ("other", "ev"),
    [(0, "-0.152035"), (1, "-0.156852"), (2, "-0.156814"), (3, "-0.152294"), (4, "-0.156882"), (5, "-0.152312")],
)
def test_published_expectations(other: int, ev: str) -> None:
    rows = {spot_of(row): row for row in insurance_odds(BOOK, EIGHT_DECKS)}
    found = rows[Window.FOUR_CARDS, Side.BANKER, 7, other].ev
    assert found is not None
    assert f"{float(found):.6f}" == ev
