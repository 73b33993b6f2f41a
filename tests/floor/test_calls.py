"""A supervisor who is called to a table is called until somebody clears it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.floor.indoors import Indoors, code_of, indoors
from tests.floor.serving import table_settings

from puntobanco.table import commands as c

PATH = "/api/tables/{}/call"


@pytest.fixture
def house() -> Iterator[Indoors]:
    with indoors() as found:
        found.open_live("T1")
        found.open_live("T2")
        yield found


def calls(house: Indoors, name: str = "sam") -> list[tuple[str, str, str]]:
    found = house.ask(name, "GET", "/api/calls").json()
    return [(each["table"], each["by"], each["why"]) for each in found]


def test_a_call_stands_until_it_is_cleared_and_the_longest_wait_comes_first(house: Indoors) -> None:
    house.must("dora", "POST", PATH.format("T2"), {"why": "a card face up"})
    house.ahead += 1_000
    house.must("dan", "POST", PATH.format("T1"), {"why": ""})
    assert calls(house) == [("T2", "dora", "a card face up"), ("T1", "dan", "")]
    assert calls(house, "dan") == calls(house, "sue")
    house.must("sam", "DELETE", PATH.format("T2"))
    assert calls(house) == [("T1", "dan", "")]
    assert code_of(house.ask("sam", "DELETE", PATH.format("T2"))) == "not_found"


def test_whoever_calls_twice_has_called_once(house: Indoors) -> None:
    for why in ("first", "second"):
        house.must("dan", "POST", PATH.format("T1"), {"why": why})
    assert calls(house) == [("T1", "dan", "first")]
    assert [entry["why"] for entry in house.entries("supervisor called")] == ["first"]


def test_the_log_has_who_called_and_who_came(house: Indoors) -> None:
    house.must("dan", "POST", PATH.format("T1"), {"why": "late chips"})
    house.must("mia", "DELETE", PATH.format("T1"))
    (cleared,) = house.entries("call cleared")
    assert (cleared["actor"], cleared["about"], cleared["before"]) == ("mia", "T1", "called by dan")


def test_a_table_that_is_not_there_has_no_call(house: Indoors) -> None:
    assert code_of(house.ask("dan", "POST", PATH.format("nowhere"), {"why": ""})) == "not_found"
    assert code_of(house.ask("dan", "POST", PATH.format("T1"), {})) == "bad_request"


def test_what_the_floor_flags_stands_though_the_dealer_has_called_first(house: Indoors) -> None:
    """Else a dealer calls for drinks, says what he wants to, and clears his own call."""
    house.open(table_settings("E1"))
    house.must("dan", "POST", PATH.format("E1"), {"why": "drinks"})
    assert code_of(house.give("dan", "E1", "mine", c.NewShoe("mine", "00" * 32))) == "cards"
    ((table, by, why),) = calls(house)
    assert (table, by) == ("E1", "system")
    assert "new_shoe" in why
    assert code_of(house.ask("dan", "DELETE", PATH.format("E1"))) == "role"
    assert [entry["before"] for entry in house.entries("supervisor called")] == ["", "drinks"]
    house.must("sam", "DELETE", PATH.format("E1"))
    assert calls(house) == []
