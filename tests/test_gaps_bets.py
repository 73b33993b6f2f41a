"""What the mutation score showed missing about payoffs and coups."""

from __future__ import annotations

from fractions import Fraction

import pytest

from puntobanco import GAMES, Result, find_book
from puntobanco.bets import payoffs
from puntobanco.coup import Coup
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
