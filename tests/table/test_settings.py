"""A table's settings: what they leave to the book."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from puntobanco.rules.load import find_book, load_book
from puntobanco.rules.model import RuleBook
from puntobanco.script import parse_script, play
from puntobanco.table.commands import HOUSE, Command, OpenTable
from puntobanco.table.engine import Done, execute
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import TableSettings

EXAMPLES = Path(__file__).parents[2] / "examples" / "books"


def opened(book: RuleBook, **said: object) -> Done | Refusal:
    layout = next(iter(book.layouts.values()))
    base: dict[str, object] = {"layout": layout.code, "positions": layout.positions[0], "decks": book.decks.default}
    settings = TableSettings(table="T1", game=book.id, **base | said)  # type: ignore[arg-type]
    return execute(None, Command("1", HOUSE, 0, OpenTable(settings)), lambda game: book)


@pytest.mark.parametrize(
    ("game", "said", "currency", "digits"),
    [
        ("tiger-buffalo", {}, "SGD", 2),
        ("dragon-tiger-commission", {}, "HKD", 2),
        ("dragon-tiger-non-commission", {}, "HKD", 2),
        ("dragon-tiger-commission", {"currency": "SGD"}, "SGD", 2),
        ("super-six", {"currency": "VND"}, "VND", 0),
        ("super-six", {"currency": "VND", "digits": 2}, "VND", 2),
        ("super-six", {"digits": 0}, "SGD", 0),
        ("super-six", {"currency": "POINTS"}, "POINTS", 2),
    ],
)
def test_a_table_is_in_the_currency_of_its_house_unless_said(
    game: str, said: dict[str, object], currency: str, digits: int
) -> None:
    done = opened(find_book(game), **said)
    assert isinstance(done, Done)
    assert (done.table.settings.currency, done.table.settings.digits) == (currency, digits)


@pytest.mark.parametrize("name", ["bonus", "ez-baccarat", "lucky", "harbour-house"])
def test_the_examples_have_a_currency(name: str) -> None:
    book = load_book(EXAMPLES / f"{name}.toml")
    done = opened(book)
    assert isinstance(done, Done)
    assert done.table.settings.currency == book.currency != ""


def test_without_a_house_the_table_has_to_say_its_currency() -> None:
    book = replace(load_book(EXAMPLES / "bonus.toml"), currency="")
    refused = opened(book)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.values["problem"]) == (
        "bad_settings",
        "currency: Bonus Baccarat states none, so say one, as in SGD",
    )
    assert isinstance(opened(book, currency="EUR"), Done)


@pytest.mark.parametrize("currency", ["sgd", "S$", "S", "A VERY LONG ONE"])
def test_a_currency_is_a_code(currency: str) -> None:
    refused = opened(find_book("super-six"), currency=currency)
    assert isinstance(refused, Refusal)
    assert refused.code == "bad_settings"
    assert refused.values["problem"] == "currency: a code in capital letters, as in SGD"


def test_a_history_reads_amounts_as_the_books_currency_counts_them() -> None:
    """Without a line for the currency it is the book's, whose digits hold for every amount."""
    book = replace(find_book("super-six"), currency="JPY")
    lines = "limits 100 to 5000\ngame super-six\nopen\nsit ann 1\nbuy in ann 250\n"
    for text, digits, stack in (
        (lines, 0, 250),
        ("currency KWD\n" + lines, 3, 250_000),
        ("currency SGD 1\n" + lines, 1, 2500),
    ):
        script = parse_script(text, books=lambda game: book)
        played = play(script, lambda game: book)
        assert played.unmet is None
        assert played.table is not None
        assert script.digits == played.table.settings.digits == digits
        assert played.table.stack("ann") == stack
