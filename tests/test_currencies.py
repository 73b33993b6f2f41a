"""Currencies: codes and digits."""

from __future__ import annotations

import pytest

from puntobanco.currencies import CURRENCIES, digits_of, in_words, is_code


@pytest.mark.parametrize(
    ("currency", "digits"), [("SGD", 2), ("HKD", 2), ("VND", 0), ("JPY", 0), ("KWD", 3), ("POINTS", 2)]
)
def test_digits(currency: str, digits: int) -> None:
    assert digits_of(currency) == digits


def test_every_currency_has_a_code() -> None:
    assert all(is_code(code) and len(code) == 3 for code in CURRENCIES)
    assert set(CURRENCIES.values()) == {0, 2, 3}


@pytest.mark.parametrize("text", ["", "S", "sgd", "S$", "2SG", "SGD ", "NINELETTE", "ＳＧＤ"])
def test_no_code(text: str) -> None:
    assert not is_code(text)


def test_amounts() -> None:
    assert [in_words(-12345, code) for code in ("SGD", "JPY", "KWD")] == ["-123.45 SGD", "-12345 JPY", "-12.345 KWD"]
