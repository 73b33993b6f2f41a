"""Cards and compositions: every notation reads back, and what cannot be read says where and why."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco.cards import (
    CARDS,
    RANKS,
    SUITS,
    BySide,
    Card,
    CardError,
    Composition,
    Rank,
    Side,
    Suit,
    format_cards,
    parse_cards,
)

RANK_LETTERS = "A23456789TJQK"
SUIT_LETTERS = "shdc"
VALUES = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0} | {str(number): number for number in range(2, 10)}

cards = st.sampled_from(CARDS)


def test_the_deck() -> None:
    assert len(CARDS) == len(set(CARDS)) == 52
    assert [card.index for card in CARDS] == list(range(52))
    assert {str(card) for card in CARDS} == {rank + suit for rank in RANK_LETTERS for suit in SUIT_LETTERS}
    assert [rank.value for rank in RANKS] == list(RANK_LETTERS)
    assert [rank.index for rank in RANKS] == list(range(13))


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card(card: Card) -> None:
    text = str(card)
    assert (card.rank.value, card.suit.value) == (text[0], text[1])
    assert card.points == card.rank.points == VALUES[text[0]]
    assert card.index == 4 * card.rank.index + SUITS.index(card.suit)
    assert Card(text) is card
    assert Card(card.symbol) is card
    assert eval(repr(card), {"Card": Card}) is card
    assert card.suit.red == (text[1] in "hd")


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("10d", "Td"),
        ("10♦", "Td"),
        ("tD", "Td"),
        ("kH", "Kh"),
        ("as", "As"),
        ("Q♠", "Qs"),
        ("Q♠\ufe0f", "Qs"),
        ("7♤", "7s"),
        ("7♡", "7h"),
        ("7♢", "7d"),
        ("7♧", "7c"),
        (" 9c ", "9c"),
    ],
)
def test_reading_is_generous(text: str, card: str) -> None:
    assert str(Card(text)) == card
    assert parse_cards(text) == (Card(card),)


@pytest.mark.parametrize("text", ["", "1h", "11h", "0h", "Bh", "9", "9x", "h9", "9 h", "9hh", "９h", "9h 9h", "Aſ"])
def test_no_card(text: str) -> None:
    with pytest.raises(CardError, match=r"is not a card: a card is a rank .* and a suit") as error:
        Card(text)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize("thing", [9, None, ("9", "h"), ["9h"], b"9h"])
def test_a_card_is_text(thing: object) -> None:
    with pytest.raises(CardError, match="written as text"):
        Card(thing)  # type: ignore[arg-type]


@given(st.lists(cards, max_size=12), st.sampled_from([" ", "", ", ", ",", "\n", "  ,\t"]))
def test_lists_read_back(dealt: list[Card], between: str) -> None:
    assert parse_cards(format_cards(dealt)) == tuple(dealt)
    assert parse_cards(between.join(map(str, dealt))) == tuple(dealt)
    assert parse_cards(between.join(card.symbol for card in dealt)) == tuple(dealt)


@pytest.mark.parametrize(
    ("text", "number", "rest"),
    [("9h Kx 4d", 2, "Kx"), ("?", 1, "?"), ("9h4d1", 3, "1"), ("As;2h", 2, ";2h"), ("9h 4d\nzz 3c", 3, "zz")],
)
def test_an_unreadable_list_says_which_card(text: str, number: int, rest: str) -> None:
    with pytest.raises(CardError) as error:
        parse_cards(text)
    assert f"card {number} cannot be read at {rest!r}" in str(error.value)


@given(st.text())
def test_reading_cards_raises_nothing_else(text: str) -> None:
    for read in (Card, parse_cards, Composition.parse):
        try:
            read(text)
        except CardError:
            continue


def test_sides() -> None:
    assert Side.PLAYER.other is Side.BANKER
    assert Side.BANKER.other is Side.PLAYER
    assert [str(side) for side in Side] == ["player", "banker"]
    assert eval(repr(Side.BANKER), {"Side": Side}) is Side.BANKER
    both = BySide(1, 2)
    assert (both[Side.PLAYER], both[Side.BANKER]) == (1, 2)
    assert list(both) == [1, 2]
    assert both.swap() == BySide(2, 1)
    assert both.map(str) == BySide("1", "2")
    assert both.put(Side.PLAYER, 5) == BySide(5, 2)
    assert both.put(Side.BANKER, 5) == BySide(1, 5)


def test_symbols() -> None:
    assert [suit.symbol for suit in (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS)] == [
        "♠",
        "♥",
        "♦",
        "♣",
    ]
    assert Card.TD.symbol == "10♦"
    assert repr(Rank.TEN) == "Rank('T')"


@pytest.mark.parametrize("decks", range(1, 11))
@pytest.mark.parametrize("suited", [False, True])
def test_full_decks(decks: int, suited: bool) -> None:
    shoe = Composition.of_decks(decks, suited=suited)
    assert shoe.size == 52 * decks
    assert shoe.suited is suited
    assert shoe.ranks == (4 * decks,) * 13
    assert shoe.points == (16 * decks, *(4 * decks,) * 9)
    assert Composition.parse(str(shoe)) == shoe


@pytest.mark.parametrize("decks", [0, -1, 11, 1.5, float("nan")])
def test_decks_out_of_range(decks: int) -> None:
    with pytest.raises(CardError, match=f"{decks} decks: a shoe is made of 1 to 10"):
        Composition.of_decks(decks)


compositions = st.one_of(
    st.lists(st.integers(0, 40), min_size=13, max_size=13),
    st.lists(st.integers(0, 10), min_size=52, max_size=52),
).map(lambda counts: Composition(tuple(counts)))


@given(compositions)
def test_a_composition_reads_back(shoe: Composition) -> None:
    if not shoe.size:
        return
    assert Composition.parse(str(shoe)) == shoe
    assert Composition.parse(str(shoe).replace(" ", ",").lower()) == shoe
    assert sum(shoe.ranks) == sum(shoe.points) == shoe.size


@given(st.lists(cards, max_size=60))
def test_counting_cards(dealt: list[Card]) -> None:
    shoe = Composition.of_cards(dealt)
    count = Counter(dealt)
    assert shoe.counts == tuple(count[card] for card in CARDS)
    assert shoe.ranks == tuple(sum(card.rank is rank for card in dealt) for rank in RANKS)
    assert shoe.points == tuple(sum(card.points == value for card in dealt) for value in range(10))


@given(st.lists(cards, max_size=8), st.booleans())
def test_cards_leave_the_shoe(dealt: list[Card], suited: bool) -> None:
    full = Composition.of_decks(8, suited=suited)
    left = full.without(dealt)
    assert left.suited is suited
    assert left.size == full.size - len(dealt)
    kinds = CARDS if suited else RANKS
    for kind, before, after in zip(kinds, full.counts, left.counts, strict=True):
        assert before - after == sum(card is kind or card.rank is kind for card in dealt)
    assert full == Composition.of_decks(8, suited=suited)


def test_a_card_that_is_gone_cannot_leave() -> None:
    with pytest.raises(CardError, match="Ah is not in the shoe any more"):
        Composition.of_decks(1, suited=True).without([Card.AH, Card.AH])
    with pytest.raises(CardError, match="As is not in the shoe any more"):
        Composition.of_decks(1).without([Card.AH, Card.AC, Card.AD, Card.AH, Card.AS])


def test_what_is_not_named_counts_nothing() -> None:
    assert Composition.parse("10:3 k:1").counts == (0,) * 9 + (3, 0, 0, 1)
    assert Composition.parse("Kc:2").counts == (0,) * 51 + (2,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an empty shoe"),
        ("  ", "an empty shoe"),
        ("A:8 Ah:2", "by ranks .* or by cards .*, not by both"),
        ("A:8 2:3 a:1", "'a' is counted twice"),
        ("10:8 T:3", "'T' is counted twice"),
        ("Ah:8 a♥:3", "'a♥' is counted twice"),
        ("A8", "'A8' is not a count"),
        ("A:", "'A:' is not a count"),
        ("A:-1", "'A:-1' is not a count"),
        ("A:1.5", "'A:1.5' is not a count"),
        ("A:٣", "is not a count"),
        ("A:" + "9" * 5000, "at most 9 digits"),
        ("1:8", "'1' in '1:8' is neither a rank .* nor a card"),
        (":8", "'' in ':8' is neither"),
    ],
)
def test_no_composition(text: str, message: str) -> None:
    with pytest.raises(CardError, match=message):
        Composition.parse(text)


def test_counts_that_make_no_composition() -> None:
    with pytest.raises(CardError, match=r"13 counts .* or 52 .*, not 12"):
        Composition((1,) * 12)
    with pytest.raises(CardError, match="no negative counts"):
        Composition((-1, *(1,) * 12))
