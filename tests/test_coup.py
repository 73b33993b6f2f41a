"""Dealing: the Table of Play as each of the five books prints it, reconstruction, and notation."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from puntobanco.cards import CARDS, BySide, Card, Side, parse_cards
from puntobanco.coup import (
    Coup,
    DealError,
    Hand,
    banker_draws,
    deal_finished,
    may_be_due,
    player_draws,
    points,
    reconstruct,
)

many_cards = st.lists(st.sampled_from(CARDS), max_size=12)


class TableOfPlay(NamedTuple):
    """A book's table, typed from the book: point totals and third cards joined by hyphens, as printed."""

    paragraph: str
    player_draws: str
    player_stands: str
    natural: str
    banker_draws_always: str
    rows: dict[str, tuple[str, str]]
    """Banker's points → Player's third cards on which Banker draws, and those on which Banker stands."""
    banker_stands: str
    alone_draws: str
    """What Banker draws on when Player has taken no third card."""


BOOKS = {
    "da-hu-ying-xiong": TableOfPlay(
        paragraph="3.11, 3.12",
        player_draws="0-1-2-3-4-5",
        player_stands="6-7",
        natural="8-9",
        banker_draws_always="0-1-2",
        rows={
            "3": ("0-1-2-3-4-5-6-7-9", "8"),
            "4": ("2-3-4-5-6-7", "0-1-8-9"),
            "5": ("4-5-6-7", "0-1-2-3-8-9"),
            "6": ("6-7", "0-1-2-3-4-5-8-9"),
        },
        banker_stands="7",
        alone_draws="0-1-2-3-4-5",
    ),
    "super-six": TableOfPlay(
        paragraph="3.5, 3.6",
        player_draws="0-1-2-3-4-5",
        player_stands="6-7",
        natural="8-9",
        banker_draws_always="0-1-2",
        rows={
            "3": ("0-1-2-3-4-5-6-7-9", "8"),
            "4": ("2-3-4-5-6-7", "0-1-8-9"),
            "5": ("4-5-6-7", "0-1-2-3-8-9"),
            "6": ("6-7", "0-1-2-3-4-5-8-9"),
        },
        banker_stands="7",
        alone_draws="0-1-2-3-4-5",
    ),
    # the scan lost the column of Banker's points, in order 3 to 7, and the stands cell of the 3
    "rws-baccarat": TableOfPlay(
        paragraph="3.11, 3.12",
        player_draws="0-1-2-3-4-5",
        player_stands="6-7",
        natural="8-9",
        banker_draws_always="0-1-2",
        rows={
            "3": ("0-1-2-3-4-5-6-7-9", "8"),
            "4": ("2-3-4-5-6-7", "0-1-8-9"),
            "5": ("4-5-6-7", "0-1-2-3-8-9"),
            "6": ("6-7", "0-1-2-3-4-5-8-9"),
        },
        banker_stands="7",
        alone_draws="0-1-2-3-4-5",
    ),
    "tiger-buffalo": TableOfPlay(
        paragraph="3.13, 3.15",
        player_draws="0-1-2-3-4-5",
        player_stands="6-7",
        natural="8-9",
        banker_draws_always="0-1-2",
        rows={
            "3": ("0-1-2-3-4-5-6-7-9", "8"),
            "4": ("2-3-4-5-6-7", "0-1-8-9"),
            "5": ("4-5-6-7", "0-1-2-3-8-9"),
            "6": ("6-7", "0-1-2-3-4-5-8-9"),
        },
        banker_stands="7",
        alone_draws="0-1-2-3-4-5",
    ),
    # a 10 stands for every card that counts zero
    "dragon-tiger": TableOfPlay(
        paragraph="4.13 to 4.16, Tables One and Two",
        player_draws="0-1-2-3-4-5",
        player_stands="6-7",
        natural="8-9",
        banker_draws_always="0-1-2",
        rows={
            "3": ("1-2-3-4-5-6-7-9-10", "8"),
            "4": ("2-3-4-5-6-7", "1-8-9-10"),
            "5": ("4-5-6-7", "1-2-3-8-9-10"),
            "6": ("6-7", "1-2-3-4-5-8-9-10"),
        },
        banker_stands="7",
        alone_draws="0-1-2-3-4-5",
    ),
}


def numbers(printed: str) -> set[int]:
    return {int(number) % 10 for number in printed.split("-")}


@pytest.mark.parametrize("table", BOOKS.values(), ids=BOOKS)
def test_a_typed_table_is_whole(table: TableOfPlay) -> None:
    everything = set(range(10))
    assert numbers(table.player_draws) | numbers(table.player_stands) | numbers(table.natural) == everything
    banker = [table.banker_draws_always, *table.rows, table.banker_stands, table.natural]
    assert set.union(*map(numbers, banker)) == everything
    for draws, stands in table.rows.values():
        assert numbers(draws) | numbers(stands) == everything
        assert not numbers(draws) & numbers(stands)


def who_draws(table: TableOfPlay, player: int, banker: int, third: int) -> tuple[bool, bool]:
    """Whether Player and Banker draw on these opening points; ``third`` is what Player would draw."""
    if player in numbers(table.natural) or banker in numbers(table.natural):
        return False, False
    if player in numbers(table.player_stands):
        return False, banker in numbers(table.alone_draws)
    assert player in numbers(table.player_draws)
    if banker in numbers(table.banker_draws_always):
        return True, True
    if banker in numbers(table.banker_stands):
        return True, False
    draws, _ = table.rows[str(banker)]
    return True, third in numbers(draws)


CARD_OF = parse_cards("Kd Ah 2s 3c 4d 5h 6s 7c 8d 9h")
"""A card for each value."""


@pytest.mark.parametrize("table", BOOKS.values(), ids=BOOKS)
def test_the_table_of_play(table: TableOfPlay) -> None:
    """Every opening, by every way to make its points, against every third card."""
    for player in range(10):
        for banker in range(10):
            for third in range(10):
                expected = who_draws(table, player, banker, third)
                due = [Side.PLAYER] * expected[0] + [Side.BANKER] * expected[1]
                for first in range(10):
                    coup = reconstruct(
                        CARD_OF[value] for value in (first, (banker - first) % 10, (player - first) % 10, first)
                    ).coup
                    drew = []
                    while coup.due:
                        drew.append(coup.due)
                        coup = coup.receive(CARD_OF[third])
                    assert drew == due, (table.paragraph, player, banker, third)
                assert player_draws(player, banker) is expected[0]
                assert banker_draws(player, banker, third if expected[0] else None) is expected[1]


@pytest.mark.parametrize("zero", ["T", "J", "Q", "K"])
def test_every_card_that_counts_zero_is_a_zero_to_the_table(zero: str) -> None:
    coup = reconstruct(parse_cards(f"{zero}h {zero}d {zero}s 4c {zero}c")).coup
    assert (coup.player.total, coup.banker.total) == (0, 4)
    assert coup.due is None
    assert str(deal_finished(parse_cards(f"{zero}h {zero}d {zero}s 3c {zero}c Ac")).banker) == f"{zero}d3cAc"


@given(many_cards)
def test_the_deal(cards: list[Card]) -> None:
    dealt = reconstruct(cards)
    coup = dealt.coup
    assert (*coup.cards, *dealt.left_over) == tuple(cards)
    assert coup.player.cards[:2] == tuple(cards[0:4:2])
    assert coup.banker.cards[:2] == tuple(cards[1:4:2])
    assert coup.finished == (coup.due is None)
    assert not dealt.left_over or coup.finished
    assert coup.finished or len(cards) < 6
    if coup.finished:
        assert 4 <= len(coup.cards) <= 6
        assert deal_finished(coup.cards) == coup
    # each card goes to the hand it was due to
    again = Coup()
    for card in coup.cards:
        due = again.due
        assert due is not None
        before = again.hands.map(len)
        again = again.receive(card)
        assert again.hands.map(len) == before.put(due, before[due] + 1)
    assert again == coup


def test_what_is_left_over() -> None:
    dealt = reconstruct(parse_cards("9h Kc Qd 2s 5c 4h"))
    assert str(dealt.coup) == "P 9hQd B Kc2s"
    assert dealt.left_over == parse_cards("5c 4h")
    assert str(dealt) == "P 9hQd B Kc2s, left over 5c 4h"
    assert str(reconstruct(parse_cards("9h Kc Qd"))) == "P 9hQd B Kc"
    assert reconstruct([]) == reconstruct(iter(()))
    assert reconstruct([]).coup == Coup()


def test_a_finished_coup_takes_no_card() -> None:
    coup = deal_finished(parse_cards("9h Kc Qd 2s"))
    with pytest.raises(DealError, match="the coup P 9hQd B Kc2s is finished: 5c belongs to neither hand"):
        coup.receive(Card.FIVE_C)


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("", r"not finished: after 0 cards \(P B\) the next goes to Player"),
        ("9h", r"not finished: after 1 card \(P 9h B\) the next goes to Banker"),
        ("2h Kc Qd 2s", r"not finished: after 4 cards \(P 2hQd B Kc2s\) the next goes to Player"),
        ("2h Kc Qd 2s 5c", r"the next goes to Banker"),
        ("9h Kc Qd 2s 5c", r"1 card too many: the round is finished with P 9hQd B Kc2s, left over 5c"),
        ("9h Kc Qd 2s 5c 4h", r"2 cards too many: .* left over 5c 4h"),
    ],
)
def test_too_few_or_too_many(cards: str, message: str) -> None:
    with pytest.raises(DealError, match=message):
        deal_finished(parse_cards(cards))


@given(many_cards)
def test_a_coup_reads_back(cards: list[Card]) -> None:
    coup = reconstruct(cards).coup
    assert Coup.parse(str(coup)) == coup
    assert Coup.parse(f" {str(coup).replace('B', ' B ')} ") == coup


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not a coup: write P"),
        ("9h4c", "is not a coup: write P"),
        ("P 9h4c", "is not a coup: write P"),
        ("B KsQd P 9h4c", "is not a coup: write P"),
        ("P 9x4c B KsQd", "is not a coup: card 1 cannot be read at '9x4c'"),
        ("P 9h4c B KsQd B 2c", "is not a coup: card 3 cannot be read at 'B'"),
        # 9 is a natural, and 0 against 6 draws
        ("P 9hKc2d B KsQd", "is not dealt by the Table of Play, which gives P 9hKc B KsQd, left over 2d"),
        ("P 6hKc2d B KsQd", "is not dealt by the Table of Play, which gives P 6hKc B KsQd2d"),
        ("P 9h B KsQd", "is not dealt by the Table of Play"),
        ("P B Ks", "is not dealt by the Table of Play"),
        ("P 2hKc2d3d B KsQd", "is not dealt by the Table of Play"),
    ],
)
def test_no_coup(text: str, message: str) -> None:
    with pytest.raises(DealError) as error:
        Coup.parse(text)
    assert message in str(error.value)


@given(st.text(alphabet="PB AKQJT98765432shdc", max_size=20))
def test_reading_a_coup_raises_nothing_else(text: str) -> None:
    try:
        coup = Coup.parse(text)
    except DealError:
        return
    assert Coup.parse(str(coup)) == coup


@given(st.lists(st.sampled_from(CARDS), max_size=3))
def test_a_hand(cards: list[Card]) -> None:
    hand = Hand(tuple(cards))
    assert hand.total == points(cards) == sum(card.points for card in cards) % 10
    assert hand.opening == points(cards[:2])
    assert hand.third == (cards[2] if len(cards) == 3 else None)
    assert hand.natural == (len(cards) == 2 and hand.total >= 8)
    assert hand.pair == (len(cards) >= 2 and str(cards[0])[0] == str(cards[1])[0])
    assert hand.suited_pair == (len(cards) >= 2 and str(cards[0]) == str(cards[1]))
    assert parse_cards(str(hand)) == hand.cards
    assert len(hand) == len(cards)


@pytest.mark.parametrize(
    ("cards", "pair", "suited"),
    [
        ("ThTh", True, True),
        ("ThTd", True, False),
        ("ThKh", False, False),
        ("JhQh", False, False),
        ("9h", False, False),
    ],
)
def test_pairs(cards: str, pair: bool, suited: bool) -> None:
    hand = Hand(parse_cards(cards))
    assert (hand.pair, hand.suited_pair) == (pair, suited)


def test_the_winner() -> None:
    assert Coup.parse("P 9hKc B KsQd").winner is Side.PLAYER
    assert Coup.parse("P 2hKc B 9sQd").winner is Side.BANKER
    assert Coup.parse("P 9hKc B 9sQd").winner is None
    assert Coup.parse("P 9hKc B 9sQd").hands == BySide(Hand(parse_cards("9hKc")), Hand(parse_cards("9sQd")))


@given(many_cards)
def test_two_cards_of_an_opening_can_change_places(cards: list[Card]) -> None:
    assume(len(cards) >= 4)
    swapped = [cards[2], cards[3], cards[0], cards[1], *cards[4:]]
    before, after = reconstruct(cards), reconstruct(swapped)
    assert before.left_over == after.left_over
    assert before.coup.due is after.coup.due
    assert before.coup.winner is after.coup.winner


def test_what_may_be_due_after_cards_face_down_is_what_some_card_makes_due() -> None:
    chance = Random(7)
    by_points = {card.points: card for card in CARDS}
    for _ in range(3_000):
        dealt = tuple(None if chance.random() < 0.3 else chance.randrange(10) for _ in range(chance.randrange(7)))
        if dealt.count(None) > 2:
            continue
        ways = product(*(range(10) if point is None else (point,) for point in dealt))
        due = {reconstruct(by_points[point] for point in way) for way in ways}
        assert may_be_due(dealt) == {None if each.left_over else each.coup.due for each in due}


def test_coups_print_as_they_are_read() -> None:
    for text in ("P B", "P 9h B", "P 9h4c B KsQd", "P 2hKd5h B 3cQs4h"):
        assert str(Coup.parse(text)) == text


def test_a_coup_needs_no_blank_after_its_letters() -> None:
    assert Coup.parse("P9h4cBKsQd") == Coup.parse("P 9h4c B KsQd")
