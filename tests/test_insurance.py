"""Insurance: when it is offered, at which row, and what becomes of it; test_literal does it once more."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from puntobanco.bets import Result
from puntobanco.cards import BySide, Side, parse_cards
from puntobanco.coup import Coup, deal_finished, reconstruct
from puntobanco.insurance import find_row, insurance_verdict, rows_open, window_of
from puntobanco.money import Odds
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import Insurance, InsuranceRow, Window

BOOK = find_book("tiger-buffalo")
FOUR, THIRD = Window.FOUR_CARDS, Window.PLAYER_THIRD

# tiger-buffalo 4.1.14, typed from the book: insured hand's points, other hand's points, odds
TABLE = {
    (FOUR, Side.PLAYER): {"5": ("4", "3 to 2"), "6": ("0-5", "5 to 2"), "7": ("0-5", "4 to 1")},
    (THIRD, Side.PLAYER): {
        "5": ("0-4", "3 to 2"),
        "6": ("0-5", "5 to 2"),
        "7": ("0-6", "4 to 1"),
        "8": ("0-6", "10 to 1"),
        "9": ("0-6", "10 to 1"),
    },
    (FOUR, Side.BANKER): {
        "4": ("0-3", "3 to 2"),
        "5": ("0-4", "3 to 2"),
        "6": ("0-5", "5 to 2"),
        "7": ("0-5", "4 to 1"),
    },
    (THIRD, Side.BANKER): {
        "1-6": ("0", "10 to 1"),
        "1": ("1", "6 to 1"),
        "2-6": ("1", "10 to 1"),
        "3-6": ("2", "4 to 1"),
        "4": ("3", "5 to 2"),
    },
}


def insurance() -> Insurance:
    assert BOOK.insurance is not None
    return BOOK.insurance


def span(printed: str) -> range:
    least, _, most = printed.partition("-")
    return range(int(least), int(most or least) + 1)


def printed_odds(window: Window, hand: Side, own: int, other: int) -> Odds | None:
    found = [
        odds for points, (others, odds) in TABLE[window, hand].items() if own in span(points) and other in span(others)
    ]
    assert len(found) <= 1
    return Odds.parse(found[0]) if found else None


@pytest.mark.parametrize(("window", "hand"), TABLE)
def test_the_pay_table(window: Window, hand: Side) -> None:
    for own, other in product(range(10), repeat=2):
        row = find_row(BOOK, window, hand, own, other)
        assert (row.odds if row else None) == printed_odds(window, hand, own, other), (own, other)
        if row:
            assert row.paragraph == "4.1.14"
    assert len([row for row in insurance().rows if (row.window, row.hand) == (window, hand)]) == len(
        TABLE[window, hand]
    )


def test_the_paragraphs() -> None:
    terms = insurance()
    assert (terms.paragraph, terms.offer, terms.windows) == ("4.1.14", "3.11", "3.12")
    assert (terms.hands, terms.cap, terms.tie) == ("3.12.1", "3.12.2", "4.2.1")
    (cap,) = terms.caps
    assert (str(cap.odds), cap.of_maximum, cap.paragraph) == ("10 to 1", Fraction(1, 4), "3.12.2")


def test_only_tiger_buffalo_insures() -> None:
    coup = Coup.parse("P Ks7d B Kh5h")
    for game in GAMES:
        book = find_book(game)
        insured = game == "tiger-buffalo"
        assert (book.insurance is not None) is insured
        assert all(layout.insurance is insured for layout in book.layouts.values())
        assert (rows_open(book, coup).player is not None) is insured
        assert (find_row(book, FOUR, Side.PLAYER, 7, 5) is not None) is insured


@pytest.mark.parametrize(
    ("cards", "window"),
    [
        ("", None),
        ("Ks Kh 7d", None),
        ("Ks Kh 7d 5h", FOUR),
        ("Ks Kh 5d 7h", FOUR),
        # nothing is left to draw
        ("Ks Kh 7d 6h", None),
        ("Ks Kh 8d 2h", None),
        ("Ks Kh 7d 5h 2c", None),
        # after Player's third, while Banker is still to draw
        ("Ks Kh 2d 2h 2c", THIRD),
        ("Ks Kh 2d 7h 2c", None),
        ("Ks Kh 2d 3h 8c", None),
        ("Ks Kh 2d 2h 2c 2s", None),
    ],
)
def test_windows(cards: str, window: Window | None) -> None:
    coup = reconstruct(parse_cards(cards)).coup
    assert window_of(coup) is window
    if window is None:
        assert rows_open(BOOK, coup) == BySide(None, None)


def test_both_hands_can_be_on_offer() -> None:
    rows = rows_open(BOOK, reconstruct(parse_cards("Ks Kh 5d 4h")).coup)
    assert rows.player is not None
    assert rows.banker is None
    rows = rows_open(BOOK, reconstruct(parse_cards("Ks Kh 4d 5h")).coup)
    assert rows.player is None
    assert rows.banker is not None
    # Player 5 against Banker's two-card 4; for Banker the row of 4 would want Player on 0 to 3
    rows = rows_open(BOOK, reconstruct(parse_cards("Ks Kh 3d 4h 2c")).coup)
    assert rows.player is not None
    assert rows.banker is None


def row_of(window: Window, hand: Side, own: int, other: int) -> InsuranceRow:
    row = find_row(BOOK, window, hand, own, other)
    assert row is not None
    return row


@pytest.mark.parametrize(
    ("row", "cards", "result", "paragraph"),
    [
        (row_of(FOUR, Side.PLAYER, 7, 5), "Ks Kh 7d 5h 3c", Result.WON, "4.1.14"),
        (row_of(FOUR, Side.PLAYER, 7, 5), "Ks Kh 7d 5h Ac", Result.LOST, "4.1.14"),
        (row_of(FOUR, Side.PLAYER, 7, 5), "Ks Kh 7d 5h 2c", Result.RETURNED, "4.2.1"),
        (row_of(FOUR, Side.BANKER, 6, 4), "Ks Kh 4d 6h 6c 4s", Result.RETURNED, "4.2.1"),
        (row_of(THIRD, Side.PLAYER, 8, 3), "Ks Kh 3d 3h 5c 5s", Result.RETURNED, "4.2.1"),
        (row_of(THIRD, Side.PLAYER, 9, 3), "Ks Kh 3d 3h 6c 6s", Result.WON, "4.2.1.a"),
        (row_of(THIRD, Side.PLAYER, 9, 3), "Ks Kh 3d 3h 6c 5s", Result.LOST, "4.1.14"),
        (row_of(THIRD, Side.BANKER, 3, 0), "Ks Kh 3d 3h 7c 7s", Result.WON, "4.2.1.b"),
        (row_of(THIRD, Side.BANKER, 3, 0), "Ks Kh 3d 3h 7c 6s", Result.LOST, "4.1.14"),
        (row_of(THIRD, Side.BANKER, 1, 1), "Ks Kh Ad Ah Tc Ts", Result.RETURNED, "4.2.1"),
    ],
)
def test_what_becomes_of_it(row: InsuranceRow, cards: str, result: Result, paragraph: str) -> None:
    verdict = insurance_verdict(row, deal_finished(parse_cards(cards)))
    assert (verdict.result, verdict.paragraph) == (result, paragraph)
    assert (
        verdict.profit(100)
        == {
            Result.WON: 100 * row.odds.fraction,
            Result.LOST: -100,
            Result.RETURNED: 0,
        }[result]
    )


def test_the_two_ties_that_pay() -> None:
    paying = [row for row in insurance().rows if row.tie_pays]
    assert [(row.window, row.hand, row.tie_paragraph) for row in paying] == [
        (THIRD, Side.PLAYER, "4.2.1.a"),
        (THIRD, Side.BANKER, "4.2.1.b"),
    ]
    assert paying[0].own == (9,)
    assert (paying[1].own, paying[1].other) == ((1, 2, 3, 4, 5, 6), (0,))


def test_insurance_that_pays_on_a_tie_says_so() -> None:
    book = find_book("tiger-buffalo")
    assert book.insurance is not None
    tied = Coup.parse("P 2hKd7h B 2cQs7d")
    lines = {row.tie_pays: insurance_verdict(row, tied).line for row in book.insurance.rows}
    assert lines == {True: "tie", False: ""}
