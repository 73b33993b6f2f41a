"""What the mutation score showed missing about payoffs and coups."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from puntobanco import GAMES, Result, UnknownName, find_book, settle
from puntobanco.bets import payoffs
from puntobanco.coup import Coup
from puntobanco.insurance import insurance_verdict
from puntobanco.money import MoneyError
from puntobanco.rules.model import Authority


@pytest.mark.parametrize("game", GAMES)
def test_a_payoff_splits_the_space_and_its_gains_are_those_of_its_verdicts(game: str) -> None:
    book = find_book(game)
    assert [result.value for result in Result] == ["won", "lost", "returned"]  # as every record has them
    for code, payoff in payoffs(book).items():
        assert (payoff.bet, payoff.space) == (book.bets[code], book.space)
        assert repr(payoff) == f"Payoff({code})"
        gains: dict[Fraction, int] = {}
        results = dict.fromkeys(Result, 0)
        for number in book.space.numbers:
            verdict = payoff.verdict(number)
            results[verdict.result] |= 1 << number
            if verdict.result is not Result.LOST:
                gain = verdict.odds.fraction if verdict.odds else Fraction(0)
                gains[gain] = gains.get(gain, 0) | 1 << number
        assert payoff.sets == results
        assert payoff.by_gain == gains


def test_coups_print_as_they_are_read() -> None:
    for text in ("P B", "P 9h B", "P 9h4c B KsQd", "P 2hKd5h B 3cQs4h"):
        assert str(Coup.parse(text)) == text


def test_a_coup_needs_no_blank_after_its_letters() -> None:
    assert Coup.parse("P9h4cBKsQd") == Coup.parse("P 9h4c B KsQd")


@pytest.mark.parametrize("stake", [0, -1, True, 1.5, "1"])
def test_what_is_no_stake(stake: Any) -> None:
    coup = Coup.parse("P 9hKd B 8cKs")
    with pytest.raises(MoneyError, match="is no stake"):
        settle(find_book("super-six"), coup, {"player": stake})


def test_one_minor_unit_is_a_stake() -> None:
    (settled,) = settle(find_book("super-six"), Coup.parse("P 9hKd B 8cKs"), {"player": 1})
    assert (settled.profit, settled.back) == (1, 2)


def test_insurance_that_pays_on_a_tie_says_so() -> None:
    book = find_book("tiger-buffalo")
    assert book.insurance is not None
    tied = Coup.parse("P 2hKd7h B 2cQs7d")
    lines = {row.tie_pays: insurance_verdict(row, tied).line for row in book.insurance.rows}
    assert lines == {True: "tie", False: ""}


def test_what_a_book_tells_of_itself() -> None:
    plain = find_book("tiger-buffalo")
    suited = replace(plain, features=("suited",))
    assert (plain.suited, suited.suited) == (False, True)
    assert plain.layout("a") is plain.layouts["A"]
    assert plain.layout(None) is None
    with pytest.raises(UnknownName, match="no layout 'Z' at Tiger Buffalo"):
        plain.layout("Z")
    assert plain.insurance is not None
    (cap,) = plain.insurance.caps
    other = replace(plain.insurance, caps=(replace(cap, of_maximum=cap.of_maximum / 2),))
    assert replace(plain, insurance=other).hash != plain.hash


def test_ranks_are_named_as_people_say_them() -> None:
    assert [rank.with_article for rank in Authority] == [
        "a Player",
        "a Dealer",
        "a Pit Supervisor",
        "a Pit Manager",
        "a Shift Manager",
        "an Assistant Director",
    ]
    assert sorted(Authority, reverse=True)[0] is Authority.ASSISTANT_DIRECTOR
    assert not Authority.DEALER < Authority.DEALER
    assert not Authority.DEALER > Authority.DEALER
