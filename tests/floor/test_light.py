"""The light of a shoe (dragon-tiger 3.2.1) as the third reading: it is held against the cards on record."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from tests.floor.indoors import Indoors, code_of, indoors

from puntobanco.table import events as e

LIGHT = "/api/tables/T1/light"


@pytest.fixture
def house() -> Iterator[Indoors]:
    with indoors() as found:
        found.open_live("T1")
        found.add_device("light", "shoe", "T1")
        numbers = count(1)
        for body in ({"do": "new_shoe", "evidence": "machine"}, {"do": "call"}, {"do": "close"}):
            assert code_of(found.give("dan", "T1", str(next(numbers)), body)) == ""
        yield found


def deal(house: Indoors, *cards: str) -> None:
    """What the shoe reads of each card that leaves it, and the dealer turns."""
    for number, card in enumerate(cards, 1):
        hand = "player" if number % 2 else "banker"
        assert code_of(house.give("light", "T1", f"card {number}", {"do": "draw", "card": card, "hand": hand})) == ""
        assert code_of(house.give("dan", "T1", f"turn {number}", {"do": "turn", "number": number})) == ""


def happened(house: Indoors) -> list[e.Event]:
    return [record.event for record in house.floor.host.keeper.records("T1", 0)]


def test_a_light_that_agrees_changes_nothing(house: Indoors) -> None:
    assert code_of(house.ask("light", "POST", LIGHT, {"result": "player"})) == "not_finished"
    deal(house, "9h", "8c", "Kd", "Ks")
    before = len(happened(house))
    assert house.must("light", "POST", LIGHT, {"result": "player"}) == {"round": 1, "cards": "player", "agrees": True}
    assert len(happened(house)) == before


def test_a_light_that_shows_another_result_holds_the_round_and_both_are_told(house: Indoors) -> None:
    deal(house, "9h", "8c", "Kd", "Ks")
    for _ in range(2):  # a light that is reported again is one
        answer = house.must("light", "POST", LIGHT, {"result": "banker"})
        assert (answer["cards"], answer["agrees"]) == ("player", False)
    (found,) = (event for event in happened(house) if isinstance(event, e.IncidentOpened))
    assert found.about == "the light of the shoe shows banker, the cards make player"
    # what the dealer calls is a fact all the same, and settles nothing
    assert code_of(house.give("dan", "T1", "result", {"do": "announce", "result": "player"})) == ""
    assert isinstance(happened(house)[-1], e.ResultCalled)


def test_a_light_after_the_settlement_is_noted(house: Indoors) -> None:
    deal(house, "9h", "8c", "Kd", "Ks")
    assert code_of(house.give("dan", "T1", "result", {"do": "announce", "result": "player"})) == ""
    assert house.must("light", "POST", LIGHT, {"result": "tie"})["agrees"] is False
    (noted,) = (event for event in happened(house) if isinstance(event, e.Noted))
    assert noted.about == "the light of the shoe shows tie, the cards make player"


def test_only_the_shoe_of_the_table_has_a_light(house: Indoors) -> None:
    assert code_of(house.ask("dan", "POST", LIGHT, {"result": "tie"})) == "role"
    assert code_of(house.ask("light", "POST", LIGHT, {"result": "nobody"})) == "bad_request"
    house.open_live("T2")
    assert code_of(house.ask("light", "POST", "/api/tables/T2/light", {"result": "tie"})) == "role"
