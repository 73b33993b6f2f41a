"""A house that mixes what no other mixes, from one file and without a line of Python: a shoe, its commission, and every
family of irregularity.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.script.test_walks import told_of
from tests.test_playthroughs import check_money_only_moves

from puntobanco.bets import Result
from puntobanco.reports.gather import Gatherer
from puntobanco.rules.load import find_book, load_book
from puntobanco.rules.model import RuleBook
from puntobanco.script import Play, fold_log, format_log, format_script, parse_log, parse_script, play, retell
from puntobanco.script.expect import paragraphs_of
from puntobanco.store.money_check import wrong_settlement, wrong_settlement_again
from puntobanco.table import events as e
from puntobanco.table.engine import advance
from puntobanco.table.folds import evolve
from puntobanco.table.state import Table

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "houses" / "harbour-house"
FILES = sorted(file.name for file in FOLDER.glob("*.txt"))
BOOK = load_book(ROOT / "examples" / "books" / "harbour-house.toml")


def books(game: str) -> RuleBook:
    return BOOK if game == BOOK.id else find_book(game)


@cache
def played(name: str) -> Play:
    return play(parse_script((FOLDER / name).read_text(encoding="utf-8"), name), books)


def events() -> Iterator[e.Event]:
    return (record.event for name in FILES for record in played(name).records)


@pytest.mark.parametrize("name", FILES)
def test_a_playthrough_is_as_it_expects(name: str) -> None:
    result = played(name)
    assert result.unmet is None, f"{name}:{result.unmet.number}"


@pytest.mark.parametrize("name", FILES)
def test_its_log_told_as_a_history_gives_the_same_log(name: str) -> None:
    entries = played(name).entries
    assert parse_log(format_log(entries)) == entries
    assert fold_log(entries, books) == played(name).table
    history = retell(entries, books, expect=True)
    assert history.differences == ()
    again = play(parse_script(format_script(history.script)), books)
    assert again.unmet is None
    assert [told_of(entry) for entry in again.entries] == [told_of(entry) for entry in entries]


@pytest.mark.parametrize("name", FILES)
def test_money_only_moves(name: str) -> None:
    check_money_only_moves(played(name))


@pytest.mark.parametrize("name", FILES)
def test_the_second_opinion_agrees_on_every_settlement(name: str) -> None:
    table: Table | None = None
    for entry in played(name).entries:
        if table is not None:
            before = table
            for event in entry.events:
                if isinstance(event, e.RoundSettled):
                    assert wrong_settlement(before, event) is None
                elif isinstance(event, e.RoundSettledAgain):
                    assert wrong_settlement_again(before, event) is None
                before = evolve(before, event)
        table = advance(table, entry, BOOK)


def test_reports_count_what_is_marked_as_won() -> None:
    """The win is what the House's accounts gained, marks and debts among them."""
    for name in FILES:
        gatherer = Gatherer(books)
        for entry in played(name).entries:
            gatherer.read(entry)
        whole = list(gatherer.found.figures.values())
        won = sum(figures.win for figures in whole)
        ruled = sum(figures.ruled - figures.written_off for figures in whole)
        assert won + ruled == sum(figures.ledger for figures in whole), name


def test_commission_is_marked_on_banker_alone_and_rounded_up_to_quarters() -> None:
    lines = [line for event in events() if isinstance(event, e.RoundSettled) for line in event.lines]
    taken = [line for line in lines if line.commission]
    assert {line.bet for line in taken} == {"banker"}
    assert all(line.result is Result.WON and line.profit == line.stake for line in taken)
    assert all(line.commission == -(-line.stake * 5 // 2500) * 25 for line in taken)
    assert {line.commission % 100 for line in taken} >= {0, 50, 75}


ELSEWHERE = {
    "late_discovery": "6.14 says what becomes of an error that is found late",
    "void": "a round is void by the paragraph of its cause",
    "squeeze_absent": "who walks away is told by 7.3",
}
"""Families whose own paragraph ends no decision."""


def test_every_family_of_irregularity_is_played() -> None:
    cited: set[str] = {refusal.paragraph for name in FILES for _, refusal in played(name).refusals}
    for event in events():
        cited |= set(paragraphs_of(event))
        if isinstance(event, e.OptionsGiven):
            cited |= {event.go_on, event.take_back}
    missing = {name: slots.cited for name, slots in BOOK.irregularities.covered if not cited & set(slots.cited)}
    assert missing.keys() == ELSEWHERE.keys()
