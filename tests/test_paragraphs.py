"""The lists of paragraphs are whole: what they point to exists, and what is cited is listed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import astuple
from scripts.tools import paragraphs as matrix

from puntobanco.rules.catalogue import (
    BOOKS,
    book_of,
    book_paragraphs,
    games_of,
    paragraphs,
    parse_paragraphs,
)
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import RuleBook, UnknownName
from puntobanco.rules.policies import Policies
from puntobanco.rules.read import BookError


def numbers(book_id: str) -> set[str]:
    return {paragraph.number for paragraph in paragraphs(book_id)}


# --- The lists -------------------------------------------------------------------------------------------


def test_five_books_and_their_games() -> None:
    assert {game: book_of(game) for game in GAMES} == {
        "da-hu-ying-xiong": "da-hu-ying-xiong",
        "super-six": "super-six",
        "rws-baccarat": "rws-baccarat",
        "tiger-buffalo": "tiger-buffalo",
        "dragon-tiger-commission": "dragon-tiger",
        "dragon-tiger-non-commission": "dragon-tiger",
    }
    assert games_of("dragon-tiger") == ("dragon-tiger-commission", "dragon-tiger-non-commission")
    assert book_paragraphs("dragon-tiger-commission") is paragraphs("dragon-tiger")


def test_no_paragraph_is_missing() -> None:
    """Counted once in the texts, with scripts/paragraphs --against."""
    assert {book_id: len(paragraphs(book_id)) for book_id in BOOKS} == {
        "da-hu-ying-xiong": 93,
        "super-six": 40,
        "rws-baccarat": 99,
        "tiger-buffalo": 168,
        "dragon-tiger": 167,
    }


@pytest.mark.parametrize("book_id", BOOKS)
def test_lists_are_in_the_order_of_the_book(book_id: str) -> None:
    listed = [paragraph.number for paragraph in paragraphs(book_id)]
    assert listed == sorted(listed, key=matrix.natural_order)


@pytest.mark.parametrize("book_id", BOOKS)
def test_lists_have_no_gaps(book_id: str) -> None:
    """Where there is 5.17.2 there are 5.17 and 5.17.1, and so with letters."""
    listed = numbers(book_id)
    for number in listed:
        parent, _, last = number.rpartition(".")
        assert not parent or parent in listed, number
        if last.isdigit() and int(last) > 1:
            assert f"{parent}.{int(last) - 1}".lstrip(".") in listed, number
        elif last.isalpha() and last > "a":
            assert f"{parent}.{chr(ord(last) - 1)}" in listed, number


@pytest.mark.parametrize("book_id", BOOKS)
def test_exactly_one_of_code_and_none(book_id: str) -> None:
    for paragraph in paragraphs(book_id):
        assert bool(paragraph.code) != bool(paragraph.none), paragraph
        assert paragraph.gist, paragraph


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_pointer_leads_somewhere(book_id: str) -> None:
    pointers = {pointer for paragraph in paragraphs(book_id) for pointer in paragraph.code}
    assert [pointer for pointer in sorted(pointers) if not matrix.resolves(pointer, book_id)] == []


def test_pointers_that_lead_nowhere_are_found() -> None:
    assert matrix.resolves("books:bets.*_pair", "super-six")
    assert matrix.resolves("books:dragon-tiger-commission:bets.banker", "dragon-tiger")
    assert not matrix.resolves("books:super-six:bets.banker", "dragon-tiger")
    for pointer in (
        "books:bets.big_tiger",
        "books:bets.*_dragon",
        "books:insurance.rows.first",
        "books:nothing",
        "coup.nothing",
        "coup.Coup.nothing",
        "nothing.at_all",
        "coup",
    ):
        assert not matrix.resolves(pointer, "super-six"), pointer


# --- Tests -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_paragraph_with_code_has_a_test_of_its_name(book_id: str) -> None:
    tested = matrix.named_tests(book_id)
    coded = [paragraph.number for paragraph in paragraphs(book_id) if paragraph.code]
    assert [number for number in coded if number not in tested] == []


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_test_of_a_book_names_a_paragraph(book_id: str) -> None:
    names = matrix.names_of_tests(book_id)
    assert names
    assert [name for name in names if matrix.paragraph_of_test(name) not in numbers(book_id)] == []
    assert len(set(names)) == len(names), "of two tests of one name only the second runs"


def test_tests_stand_in_the_files_of_the_books() -> None:
    files = set(matrix.TESTS.glob("test_*.py"))
    assert files == {file for book_id in BOOKS for file in matrix.files_of_tests(book_id)}


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("test_5_17_1_offer", "5.17.1"),
        ("test_4_2_1_a_tie", "4.2.1.a"),
        ("test_1_super_six", "1"),
        ("test_appendix_k_layout", "Appendix K"),
        ("test_appendix_a_3_layout", "Appendix A.3"),
        ("test_5_17_1", None),
        ("test_odds", None),
    ],
)
def test_names_of_tests(name: str, number: str | None) -> None:
    assert matrix.paragraph_of_test(name) == number


# --- The books' data -------------------------------------------------------------------------------------


READINGS = {f"reading {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
"""What no paragraph says and a reading does (docs/readings.md)."""


def cited(book: RuleBook) -> Iterator[tuple[str, str]]:
    """Everything in a book's data that names a paragraph."""
    yield "decks", book.decks.paragraph
    for bet in book.bets.values():
        yield bet.code, bet.paragraph
        yield from ((f"{bet.code} pays", line.paragraph) for line in bet.pays)
        yield from ((f"{bet.code} returns", line.paragraph) for line in bet.returns)
    yield from ((f"layout {layout.code}", layout.paragraph) for layout in book.layouts.values())
    if insurance := book.insurance:
        yield "insurance", insurance.paragraph
        yield "insurance offer", insurance.offer
        yield "insurance windows", insurance.windows
        yield "insurance hands", insurance.hands
        yield "insurance cap", insurance.cap
        yield "insurance tie", insurance.tie
        yield from (("insurance cap", cap.paragraph) for cap in insurance.caps)
        for row in insurance.rows:
            yield "insurance row", row.paragraph
            yield "insurance row tie", row.tie_paragraph
    for code, rank in book.ranks.named.items():
        if rank.paragraph:
            yield code, rank.paragraph
    yield "uncovered", book.uncovered.paragraph
    for power in astuple(book.authority):
        yield "authority", power.paragraph if power else ""
    yield "commission", book.commission.paragraph
    for subjects in (book.procedures, book.irregularities):
        yield from ((name, paragraph) for name, slots in subjects.covered for paragraph in slots.cited)
    yield from ((family, remedy.given) for family, remedy in book.remedies.items())
    yield from ((name, getattr(book.policies, name).paragraph) for name in Policies.__struct_fields__)


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_a_book_cites_is_listed(game: str) -> None:
    listed = {*numbers(book_of(game)), *READINGS}
    book = find_book(game)
    wrong = {(where, paragraph) for where, paragraph in cited(book) if paragraph and paragraph not in listed}
    assert wrong == set()
    # super-six names nobody for what it does not cover, Hoiana no number of decks
    assert bool(book.uncovered.paragraph) is (game != "super-six")
    assert bool(book.decks.paragraph) is not game.startswith("dragon")


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_cites_a_paragraph_or_says_that_there_is_none(game: str) -> None:
    for name in Policies.__struct_fields__:
        stated = getattr(find_book(game).policies, name)
        assert stated.paragraph or stated.value.value == "not_covered", name


@pytest.mark.parametrize("game", GAMES)
def test_every_irregularity_has_a_family(game: str) -> None:
    """No paragraph of the section on irregularities, or on disputes, is left out of the families and procedures."""
    book = find_book(game)
    familied = {paragraph for _, paragraph in cited(book)}
    for paragraph in book_paragraphs(game):
        section = paragraph.number.split(".")[0]
        if paragraph.none or section not in (("7", "8") if game.startswith("dragon") else ("5",)):
            continue
        # a lead-in is there with what it leads to, and the items of a list with its head
        number = paragraph.number
        related = {other for other in familied if other == number or other.startswith(f"{number}.")}
        assert related or number.rpartition(".")[0] in familied, number


# Family → its paragraphs in Da Hu Ying Xiong and RWS Baccarat, Super Six, Tiger Buffalo, and Hoiana's book.
# A number stands for all below it.
FAMILIES: dict[str, tuple[str, str, str, str]] = {
    "over_differential": ("5.1", "", "5.1", "4.3.1"),
    "over_differential_unnoticed": ("5.1.1 5.1.2", "", "5.1.1 5.1.2", "7.19"),
    "below_minimum": ("5.2", "", "5.2", ""),
    "below_minimum_unnoticed": ("5.2.1", "", "5.2.1", "7.17"),
    "above_maximum_unnoticed": ("", "", "", "7.18"),
    "walk_away": ("5.3", "", "5.3 5.3.1", ""),
    "forgone_insurance": ("", "", "5.3", ""),
    "interruption": ("5.4", "", "5.4", ""),
    "foreign_card": ("5.5.1", "5.1.1", "5.5.1", "7.1"),
    "wrong_card_set": ("5.5.2", "", "5.5.2", "7.1"),
    "unshuffled": ("5.5.5", "", "5.5.5", "7.1"),
    "wrong_number": ("5.5.3", "5.1.2", "5.5.3", "7.3"),
    "shoe_empty": ("5.5.4", "5.1.3", "5.5.4", "7.2"),
    "late_bet": ("5.6", "5.2", "5.6", "4.2 4.6"),
    "late_withdrawal": ("5.6", "5.3", "5.6", ""),
    "cut_card": ("", "", "5.7 5.7.1 5.7.2", ""),
    "cut_card_not_offered": ("", "", "5.7.3", ""),
    "excess_cards": ("5.7", "", "5.8", "7.5 7.6 7.7"),
    "exposed_cards": ("5.7", "", "5.8", "7.5"),
    "third_to_player": ("", "", "", "7.6"),
    "third_to_banker": ("", "", "", "7.7"),
    "face_up_in_shoe": ("5.7", "", "5.8", "7.4 7.5"),
    "wrong_side": ("5.8 5.8.1", "", "5.9 5.9.1", "7.9"),
    "face_up": ("5.9", "", "5.10", ""),
    "simultaneous": ("5.10 5.10.1", "", "5.11 5.11.1", "7.13"),
    "simultaneous_in_order": ("5.10.1", "", "5.11.1", "7.12"),
    "shoe_replaced": ("5.10.2", "", "5.11.2", "7.10.2 7.11"),
    "shoe_fault": ("", "", "5.12", ""),
    "damaged_card": ("", "", "5.13", ""),
    "late_discovery": ("5.11", "", "5.14", ""),
    "rectified_late": ("", "", "5.15", ""),
    "dealing_error": ("5.12", "", "5.16", ""),
    "options": ("5.12", "", "5.16", ""),
    "insurance_missed": ("", "", "5.17", ""),
    "insurance_misplaced": ("", "", "5.18", ""),
    "chips_decide": ("5.13", "3.2 3.3", "5.19", "4.2"),
    "display": ("5.14", "", "5.20", ""),
    "wrong_call": ("5.14", "", "5.20", "7.16"),
    "void": ("5.15 1.24", "5.1", "5.21 1.37", "2.2.22 7.1 7.2 7.3 7.10.2"),
    "no_insurance": ("", "", "4.2.2", ""),
    "staff_bets": ("5.16", "", "5.22", ""),
    "free_hand": ("", "", "", "7.5 7.6 7.7 7.8"),
    "burn_forgotten": ("", "", "", "7.11"),
    "squeeze_delivery": ("5.8 5.8.2", "", "5.9 5.9.2", "7.10"),
    "squeeze_absent": ("", "", "", "7.14"),
    "squeeze_not_delivered": ("", "", "", "7.15"),
    "disputes": ("", "", "", "8.1 8.2 8.3 8.4 8.5 8.6"),
    "dispute_grounds": ("", "", "", "8.4"),
}
COLUMNS = {"da-hu-ying-xiong": 0, "rws-baccarat": 0, "super-six": 1, "tiger-buffalo": 2, "dragon-tiger": 3}


def stands_for(number: str, paragraph: str) -> bool:
    return paragraph == number or paragraph.startswith(f"{number}.")


@pytest.mark.parametrize("game", GAMES)
def test_families_of_irregularities(game: str) -> None:
    book = find_book(game)
    found = {family: slots.cited for family, slots in book.irregularities.covered}
    for family, columns in FAMILIES.items():
        expected = columns[COLUMNS[book_of(game)]].split()
        remedy = book.remedies.get(family)
        given = {*found.get(family, ()), *filter(None, [remedy.given if remedy else ""])}
        for paragraph in given:
            assert any(stands_for(number, paragraph) for number in expected), (family, paragraph)
        for number in expected:
            assert any(stands_for(number, paragraph) for paragraph in given), (family, number)
    assert set(found) <= set(FAMILIES)


# --- Reading a list --------------------------------------------------------------------------------------


def test_mistakes_in_a_list_are_told_at_once() -> None:
    text = """
        extra = 1
        paragraphs = [
            { number = "5,3", gist = "one", none = "heading" },
            { number = "1", gist = "", none = "heading" },
            { number = "2", gist = "two", none = "heading", code = ["coup.points"] },
            { number = "3", gist = "three" },
            { number = "6", gist = "six", code = ["coup.points"], why = "spelling" },
            { number = "6", gist = "six again", code = ["coup.points"] },
        ]
    """
    with pytest.raises(BookError) as caught:
        parse_paragraphs(text, "own.toml")
    told = [str(problem) for problem in caught.value.problems]
    for part in (
        "(5,3).number: expected a number",
        "(1).gist: expected a short phrase",
        "(2): expected exactly one of code and none, found 2",
        "(3): expected exactly one of code and none, found 0",
        "(6).why: unknown key",
        "(6).number: 6 is there twice",
        "extra: unknown key",
    ):
        assert any(part in line for line in told), (part, told)
    assert len(told) == 7


def test_unknown_books_and_games() -> None:
    with pytest.raises(UnknownName, match="dragon-tiger"):
        paragraphs("dragon-tiger-commission")
    with pytest.raises(UnknownName, match="dragon-tiger-commission"):
        book_paragraphs("dragon-tiger")
    with pytest.raises(BookError, match="not TOML"):
        parse_paragraphs("paragraphs = [")


# --- The page, and the books' own texts ------------------------------------------------------------------


def test_page_is_up_to_date() -> None:
    """If this fails: scripts/paragraphs."""
    assert matrix.PAGE.read_text(encoding="utf-8") == matrix.render()


def test_numbers_are_found_in_a_text() -> None:
    text = (
        "Table of Contents\n1. Rules\t3\nAppendix A\t9\nAppendix F\t10\n"
        "## 1. RULES\n- 1.1 **One** is one.\n - 1.1.1. below\n- a. lettered\n - b) lettered\n"
        "3\t0-1-2\t8\nBanker 0.95 to 1\n<|MARK|>1.2\n**APPENDIX A**\n1. Three players\n"
    )
    expected = {"1", "1.1", "1.1.1", "1.1.1.a", "1.1.1.b", "1.2", "Appendix A", "Appendix A.1", "Appendix F"}
    assert matrix.numbers_in_text(text) == expected


def test_differences_from_a_text_are_told(tmp_path: Path) -> None:
    listed = [paragraph.number for paragraph in paragraphs("super-six")]
    lines = [f"{number} text" if "." in number else f"{number}. Text" for number in listed[:-6]]
    lines = [line for line in lines if line[0].isdigit() and not line.startswith(("2.1.1.", "5.3 "))]
    letters = [f"{letter}) text" for letter in "abcdef"]
    at = lines.index("2.1.1 text") + 1
    appendices = [f'Appendix "{letter}"' for letter in "ABCDEF"]
    file = tmp_path / matrix.TEXTS["super-six"]
    file.write_text("\n".join([*lines[:at], *letters, *lines[at:], "5.4 text", *appendices]), encoding="utf-8")
    assert matrix.differences("super-six", tmp_path) == [
        "super-six 5.4: in the text, not in the list",
        "super-six 5.3: in the list, not in the text",
    ]
