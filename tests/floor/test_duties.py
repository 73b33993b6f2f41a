"""A dishonest dealer on the floor: what his word does at an electronic table, how much he moves, and where he works."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from tests.floor.indoors import PINS, Indoors, code_of, indoors
from tests.floor.serving import table_settings

from puntobanco.cards import CARDS
from puntobanco.floor.duties import HOUR, Caps
from puntobanco.floor.settings import FloorSettings, SettingsError, load_settings
from puntobanco.store import Answer, Keeper
from puntobanco.table import commands as c
from puntobanco.table.commands import Command

CHIP = 10_000_00
"""The highest of the tables here."""
CAPS = FloorSettings().caps


@pytest.fixture(scope="module")
def house() -> Iterator[Indoors]:
    """Dealers are assigned; ``dan`` works at the electronic table and at one live table."""
    with indoors(assigned=True, between_rounds=600_000, idle=10_000, longest=10_000) as found:
        found.open(table_settings("E1"))
        for name in ("L1", "L2", "L3"):
            found.open_live(name)
            found.must("ann", "POST", f"/api/tables/{name}/commands", give("sits", c.Join("ann", 1)))
        for name in ("E1", "L1", "L3"):
            found.must("sam", "POST", f"/api/tables/{name}/commands", give("dan deals", c.SignOn("dan", "dealer")))
        found.must("ann", "POST", "/api/tables/E1/commands", give("sits", c.Join("ann", 1)))
        found.must("ann", "POST", "/api/tables/E1/commands", give("buys", c.BuyIn("ann", 1_000_00, "account")))
        yield found


def give(id: str, body: c.AnyCommand) -> dict[str, Any]:
    return {"id": id, "body": body}


def together(house: Indoors, console: str, second: str, table: str, id: str, body: c.AnyCommand) -> httpx.Response:
    """A second person gives a command at somebody's console."""
    given = {"person": second, "pin": PINS[second], "give": give(id, body)}
    return house.ask(console, "POST", f"/api/tables/{table}/commands-for", given)


# --- at an electronic table


FORGED: dict[str, c.AnyCommand] = {
    "chips_in": c.ChipsIn("ann", 10**14),
    "cash": c.BuyIn("ann", 10**10),
    "tip": c.Tip("ann", 100_00),
    "chips_out": c.ChipsOut("ann", 100_00),
    "new_shoe": c.NewShoe("mine", "00" * 32),
    "account": c.BuyIn("ann", 100_00, "account"),
    "cut": c.CutShoe("ann", 7),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_is_refused_is_flagged_to_pit_and_surveillance(house: Indoors, what: str) -> None:
    before = len(house.entries("refused at an electronic table"))
    for attempt in range(3):
        answer = house.give("dan", "E1", f"{what} {attempt}", FORGED[what])
        assert code_of(answer) in ("electronic", "cards")
    told = house.entries("refused at an electronic table")
    assert len(told) == before + 1, "once a round is enough"
    tag = FORGED[what].__struct_config__.tag
    assert (told[-1]["actor"], told[-1]["about"], told[-1]["after"].split()[0]) == ("dan", "E1", tag)
    for name in ("sam", "sue"):
        (call,) = house.must(name, "GET", "/api/calls")
        assert (call["table"], call["by"]) == ("E1", "system")
    table = house.floor.host.find("E1").table
    assert table is not None
    assert (table.stack("ann"), table.shoe.number) == (1_000_00, 0)
    assert code_of(house.ask("dan", "DELETE", "/api/tables/E1/call")) == "role"


def test_what_is_heard_is_a_matter_and_in_the_log(house: Indoors) -> None:
    bodies: tuple[c.AnyCommand, ...] = (
        c.FindBet("ann", 1, "player", 500_00),
        c.ReportCards("foreign_card", "a joker"),
        c.Burn((None,)),
    )
    for number, body in enumerate(bodies):
        given = house.must("dan", "POST", "/api/tables/E1/commands", give(f"word {number}", body))
        assert [each["event"]["event"] for each in given["events"]] == ["incident_opened"]
        entry = house.entries("word against an electronic table")[-1]
        assert (entry["actor"], entry["about"]) == ("dan", "E1")
    assert len(house.entries("word against an electronic table")) == len(bodies)


def test_a_device_gives_an_electronic_table_no_card(house: Indoors) -> None:
    for kind in ("scanner", "shoe"):
        house.add_device(f"{kind} of E1", kind, "E1")
        answer = house.give(f"{kind} of E1", "E1", "a card", c.Draw(CARDS[0]))
        assert (code_of(answer), answer.json()["detail"]) == ("cards", "cards.electronic")


def test_a_bet_for_a_player_is_told(house: Indoors) -> None:
    house.give("dan", "E1", "no round", c.Place("ann", 1, {"player": 100_00}))
    assert not house.entries("done for a player"), "it was refused"


# --- money at a live table


def chips(number: int) -> c.ChipsIn:
    return c.ChipsIn("ann", number * CHIP)


def test_one_person_moves_so_much_within_an_hour_and_two_more(house: Indoors) -> None:
    for each in range(CAPS.dealer - 1):
        house.must("dan", "POST", "/api/tables/L1/commands", give(f"chip {each}", chips(1)))
    refused = house.give("dan", "L1", "over", chips(2))
    assert (code_of(refused), refused.json()["fits"]) == ("second_person", CHIP)
    # the same once more is the same: it counts once, and is answered as before
    house.must("dan", "POST", "/api/tables/L1/commands", give("chip 0", chips(1)))
    house.must("dan", "POST", "/api/tables/L1/commands", give("last", chips(1)))
    house.must("dan", "POST", "/api/tables/L1/commands", give("last", chips(1)))
    assert code_of(house.give("dan", "L1", "a little more", c.ChipsOut("ann", 1_00))) == "second_person"
    assert together(house, "dan", "sam", "L1", "both", chips(CAPS.manager + 1)).status_code == 200
    entry = house.entries("money moved by two people")[-1]
    assert (entry["actor"], entry["why"]) == ("sam", "with dan")
    assert "chips_in ann 2010000.00 SGD" in entry["after"]
    house.ahead += HOUR / 1000 + 1
    house.must("dan", "POST", "/api/tables/L1/commands", give("an hour later", chips(1)))


def seated(house: Indoors, name: str) -> None:
    """Ann sits at a live table, where dan deals."""
    house.open_live(name)
    house.must("ann", "POST", f"/api/tables/{name}/commands", give("sits", c.Join("ann", 1)))
    house.must("sam", "POST", f"/api/tables/{name}/commands", give("dan deals", c.SignOn("dan", "dealer")))


def test_neither_a_restart_nor_another_process_makes_room() -> None:
    with indoors(assigned=True) as house:
        seated(house, "L1")
        for each in range(CAPS.dealer - 1):
            house.must("dan", "POST", "/api/tables/L1/commands", give(f"chip {each}", chips(1)))
        assert together(house, "dan", "sam", "L1", "both", chips(CAPS.dealer)).status_code == 200
        house.restart()
        # whoever gave it before gets the same answer, and what two have moved does not count
        house.must("dan", "POST", "/api/tables/L1/commands", give("chip 0", chips(1)))
        refused = house.give("dan", "L1", "over", chips(2))
        assert (code_of(refused), refused.json()["fits"]) == ("second_person", CHIP)
        elsewhere = Keeper(house.floor.store, house.floor.key)  # as another process would
        answer = elsewhere.give("L1", Command("dan:elsewhere", "dan", house.floor.host.clock(), chips(1)))
        assert isinstance(answer, Answer)
        assert house.give("dan", "L1", "none is left", chips(1)).json()["fits"] == 0
        house.ahead += HOUR / 1000 + 1
        house.sign_in("dan")
        house.must("dan", "POST", "/api/tables/L1/commands", give("an hour later", chips(1)))


def test_the_log_of_the_table_has_both_who_moved_money(house: Indoors) -> None:
    seated(house, "L6")
    assert together(house, "dan", "sam", "L6", "two", chips(CAPS.dealer + 1)).status_code == 200
    log = [json.loads(line) for line in house.ask("sue", "GET", "/api/tables/L6/log").text.splitlines()]
    (command,) = [line["command"] for line in log if line.get("command", {}).get("id") == "sam:two"]
    assert (command["actor"], command["device"]) == ("sam", "with dan")


def test_an_id_used_again_makes_no_room(house: Indoors) -> None:
    """What is refused because its id stands for another command gives nothing back of what that one has moved."""
    house.open_live("L4")
    house.must("ann", "POST", "/api/tables/L4/commands", give("sits", c.Join("ann", 1)))
    house.must("sam", "POST", "/api/tables/L4/commands", give("dan deals", c.SignOn("dan", "dealer")))
    house.must("dan", "POST", "/api/tables/L4/commands", give("all", chips(CAPS.dealer)))
    assert code_of(house.give("dan", "L4", "all", c.ChipsIn("ann", 1_00))) == "second_person"
    assert code_of(house.give("dan", "L4", "all", c.Tip("ann", 0))) == "already_there"
    assert code_of(house.give("dan", "L4", "more", chips(1))) == "second_person"


def test_an_id_that_is_refused_first_counts_when_it_is_granted(house: Indoors) -> None:
    """A sleeve of commands under one id, the first of which fails: each counts for itself until it is refused."""
    house.open_live("L5")
    house.must("sam", "POST", "/api/tables/L5/commands", give("dan deals", c.SignOn("dan", "dealer")))
    with house.socket("dan") as stream:
        for turn in range(3):
            # nobody is there yet; then somebody is, and the same comes again: all of it waits for one visit
            for id, body in (
                (f"x{turn}", chips(CAPS.dealer)),
                (f"join {turn}", c.Join("ann", 1)),
                (f"x{turn}", chips(CAPS.dealer)),
                (f"leave {turn}", c.Leave("ann")),
            ):
                stream.send({"op": "do", "table": "L5", "id": id, "body": body})
        for _ in range(12):
            while stream.hear()["m"] not in ("done", "refused"):
                pass
    house.give("dan", "L5", "she is there", c.Join("ann", 1))
    for number in range(2 * CAPS.dealer):
        house.give("dan", "L5", f"the rest {number}", chips(1))
    moved = [each["event"]["amount"] for each in house.events("L5") if each["event"].get("kind") == "chips_in"]
    assert sum(moved) == CAPS.dealer * CHIP


def test_who_gives_the_pin_of_a_dealer_is_no_second_person_of_the_pit(house: Indoors) -> None:
    house.must("sam", "POST", "/api/tables/L3/commands", give("dora deals", c.SignOn("dora", "dealer")))
    assert code_of(together(house, "dora", "dan", "L3", "two dealers", chips(CAPS.dealer + 1))) == "second_person"
    assert code_of(together(house, "dan", "dan", "L3", "himself", chips(CAPS.dealer + 1))) == "second_person"


def test_many_at_once_are_no_more(house: Indoors) -> None:
    with ThreadPoolExecutor(8) as crowd:
        answers = list(crowd.map(lambda each: house.give("dan", "L3", f"at once {each}", chips(1)), range(24)))
    codes = [code_of(answer) for answer in answers]
    assert (codes.count(""), codes.count("second_person")) == (CAPS.dealer, 24 - CAPS.dealer)


def test_what_the_table_refuses_does_not_count(house: Indoors) -> None:
    for each in range(CAPS.supervisor + 5):
        body = c.ChipsOut("bob", CHIP)  # who is not there
        assert code_of(house.give("sam", "L2", f"refused {each}", body)) == "unknown_person"
    house.must("sam", "POST", "/api/tables/L2/commands", give("granted", chips(CAPS.supervisor)))


def test_ranks_have_their_caps() -> None:
    with pytest.raises(SettingsError, match="none is below the one before"):
        load_settings(None, {}, dealer_alone=5, supervisor_alone=4)
    assert load_settings(None, {}, dealer_alone=0).caps == Caps(0)


# --- where a dealer works


def test_a_dealer_works_where_the_pit_has_signed_him_on(house: Indoors) -> None:
    refused = house.give("dan", "L2", "here I am", c.NewShoe("shuffled"))
    assert (code_of(refused), refused.json()["detail"]) == ("rank", "rank.assigned")
    assert code_of(house.give("dan", "L2", "myself", c.SignOn("dan", "dealer"))) == "rank"
    house.must("sam", "POST", "/api/tables/L2/commands", give("dan deals", c.SignOn("dan", "dealer")))
    house.must("dan", "POST", "/api/tables/L2/commands", give("now", c.NewShoe("shuffled")))
    house.must("sam", "POST", "/api/tables/L2/commands", give("dan goes", c.SignOff("dan")))
    assert code_of(house.give("dan", "L2", "again", c.CutCard())) == "rank"
