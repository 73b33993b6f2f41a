"""Amounts, odds and rounding: exact from the text that is read to the unit that is paid."""

from __future__ import annotations

import ast
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import puntobanco
from puntobanco.money import (
    MoneyError,
    Odds,
    Rounding,
    RoundingMode,
    format_amount,
    parse_amount,
    winnings,
)


@pytest.mark.parametrize(
    ("text", "fraction", "printed"),
    [
        ("50 to 1", Fraction(50), "50 to 1"),
        ("1 to 2", Fraction(1, 2), "1 to 2"),
        ("0.95 to 1", Fraction(19, 20), "0.95 to 1"),
        (" 3  to 2 ", Fraction(3, 2), "3 to 2"),
        ("19 to 20", Fraction(19, 20), "0.95 to 1"),
        ("2 to 4", Fraction(1, 2), "1 to 2"),
        ("1 to 0.5", Fraction(2), "2 to 1"),
        ("1 to 12", Fraction(1, 12), "1 to 12"),
        ("0.125 to 1", Fraction(1, 8), "1 to 8"),
        ("0.0625 to 1", Fraction(1, 16), "0.0625 to 1"),
    ],
)
def test_odds(text: str, fraction: Fraction, printed: str) -> None:
    odds = Odds.parse(text)
    assert odds.fraction == fraction
    assert str(odds) == printed
    assert Odds.parse(str(odds)) == odds
    assert eval(repr(odds), {"Odds": Odds}) == odds
    assert Odds.of(fraction.numerator, fraction.denominator) == odds


numbers = st.from_regex(r"[0-9]{1,6}(\.[0-9]{1,4})?", fullmatch=True)


@given(numbers, numbers)
def test_odds_read_back(pays: str, to: str) -> None:
    assume(Fraction(pays) and Fraction(to))
    odds = Odds.parse(f"{pays} to {to}")
    assert odds.fraction == Fraction(pays) / Fraction(to)
    assert Odds.parse(str(odds)) == odds


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_odds_print_as_they_read(pays: int, to: int) -> None:
    odds = Odds.of(pays, to)
    assert Odds.parse(str(odds)) == odds


@pytest.mark.parametrize(
    "text",
    [
        *("", "50", "50 to", "to 1", "50to1", "50:1", "1 to 1 to 1"),
        *("0 to 1", "1 to 0", "0.0 to 1", "-1 to 1"),
        *("1/2 to 1", "1e3 to 1", "1. to 1", ".5 to 1", "٣ to 1", "nan to 1", "1" * 5000 + " to 1"),
    ],
)
def test_no_odds(text: str) -> None:
    with pytest.raises(MoneyError, match="is not odds: write two positive numbers"):
        Odds.parse(text)


def test_odds_are_in_lowest_terms() -> None:
    assert Odds.of(10, 4) == Odds.of(Fraction(5, 2)) == Odds.parse("2.5 to 1") == Odds(5, 2)
    assert hash(Odds.of(10, 4)) == hash(Odds(5, 2))


@pytest.mark.parametrize(
    ("text", "digits", "amount"),
    [
        ("100", 2, 10000),
        ("250.50", 2, 25050),
        ("250.5", 2, 25050),
        ("0.01", 2, 1),
        ("  7 ", 2, 700),
        ("0007", 2, 700),
        ("1.500", 2, 150),
        ("25000", 0, 25000),
        ("25000.00", 0, 25000),
        ("1.234", 3, 1234),
    ],
)
def test_amounts(text: str, digits: int, amount: int) -> None:
    assert parse_amount(text, digits) == amount


@given(st.integers(1, 10**15 - 1), st.integers(0, 6))
def test_amounts_read_back(amount: int, digits: int) -> None:
    text = format_amount(amount, digits)
    assert parse_amount(text, digits) == amount
    assert Decimal(text) * 10**digits == amount
    assert format_amount(-amount, digits) == f"-{text}"


def test_printed_amounts() -> None:
    assert format_amount(25050) == "250.50"
    assert format_amount(5) == "0.05"
    assert format_amount(0) == "0.00"
    assert format_amount(-5) == "-0.05"
    assert format_amount(25050, 0) == "25050"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not an amount"),
        ("abc", "is not an amount"),
        ("1,000", "is not an amount"),
        ("1.", "is not an amount"),
        (".5", "is not an amount"),
        ("1e3", "is not an amount"),
        ("٣", "is not an amount"),
        ("+1", "is not an amount"),
        ("inf", "is not an amount"),
        ("9" * 5000, "at most 15 digits"),
        ("-1", "is negative"),
        ("-0.5", "is negative"),
        ("0", "is nothing"),
        ("0.00", "is nothing"),
        ("0.005", "finer than the minor unit: the smallest amount is 0.01"),
    ],
)
def test_no_amount(text: str, message: str) -> None:
    with pytest.raises(MoneyError, match=message):
        parse_amount(text)


def test_a_currency_without_minor_units() -> None:
    with pytest.raises(MoneyError, match=r"the smallest amount is 1$"):
        parse_amount("1.5", 0)


@given(st.text())
def test_reading_money_raises_nothing_else(text: str) -> None:
    for read in (Odds.parse, parse_amount):
        try:
            read(text)
        except MoneyError:
            continue


@pytest.mark.parametrize(
    ("mode", "unit", "stake", "odds", "paid"),
    [
        # 0.95 to 1 on 1.03 is 0.9785
        (RoundingMode.DOWN, 1, 103, "0.95 to 1", 97),
        (RoundingMode.NEAREST, 1, 103, "0.95 to 1", 98),
        (RoundingMode.UP, 1, 103, "0.95 to 1", 98),
        # 1 to 2 on 0.05 is 0.025: a half goes up
        (RoundingMode.DOWN, 1, 5, "1 to 2", 2),
        (RoundingMode.NEAREST, 1, 5, "1 to 2", 3),
        (RoundingMode.UP, 1, 5, "1 to 2", 3),
        # whole amounts stay
        (RoundingMode.DOWN, 1, 100, "0.95 to 1", 95),
        (RoundingMode.UP, 1, 100, "0.95 to 1", 95),
        # a smallest chip of 0.25: 0.95 on 3.50 is 3.325
        (RoundingMode.DOWN, 25, 350, "0.95 to 1", 325),
        (RoundingMode.NEAREST, 25, 350, "0.95 to 1", 325),
        (RoundingMode.UP, 25, 350, "0.95 to 1", 350),
        (RoundingMode.NEAREST, 25, 370, "0.95 to 1", 350),
    ],
)
def test_rounding(mode: RoundingMode, unit: int, stake: int, odds: str, paid: int) -> None:
    assert winnings(stake, Odds.parse(odds), Rounding(mode, unit)) == paid


def test_down_to_the_minor_unit_is_the_default() -> None:
    assert Rounding() == Rounding(RoundingMode.DOWN, 1)
    assert winnings(103, Odds.parse("0.95 to 1")) == 97


@given(st.fractions(min_value=0, max_value=10**9), st.integers(1, 500))
def test_rounding_keeps_to_its_unit(exact: Fraction, unit: int) -> None:
    down, near, up = (Rounding(mode, unit)(exact.numerator, exact.denominator) for mode in RoundingMode)
    assert down % unit == near % unit == up % unit == 0
    assert exact - unit < down <= exact <= up < exact + unit
    assert near in (down, up)
    assert 2 * abs(near - exact) <= unit
    assert Rounding(unit=unit)(up) == up


@pytest.mark.parametrize("unit", [0, -1])
def test_no_unit(unit: int) -> None:
    with pytest.raises(MoneyError, match="a unit of 1 or more"):
        Rounding(unit=unit)


def test_there_is_no_floating_point_where_money_is() -> None:
    package = Path(puntobanco.__file__).parent
    files = [package / f"{name}.py" for name in ("cards", "coup", "outcomes", "money", "bets", "insurance", "literal")]
    for file in [*files, *(package / "rules").glob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), (file, node.lineno)
            assert not (isinstance(node, ast.Name) and node.id == "float"), (file, node.lineno)
