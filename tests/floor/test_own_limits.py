"""What players ask of themselves holds: losses in a day, at all tables and over restarts, and breaks from play."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.floor.indoors import Indoors, Json, code_of, indoors

LIMITS = "/api/account/limits"
DAY = 86_400
PLAYER_WINS = ("9h", "2c", "Kh", "3c")
BANKER_WINS = ("2c", "9h", "3c", "Kh")


@pytest.fixture
def house() -> Iterator[Indoors]:
    with indoors() as found:
        yield found


def sit(house: Indoors, table: str, name: str = "ann", box: int = 1) -> None:
    for id, body in (
        ("join", {"do": "join", "person": name, "box": box}),
        ("buy", {"do": "buy_in", "person": name, "amount": 5_000_00, "source": "account"}),
    ):
        assert code_of(house.give(name, table, f"{name} {id} {box}", body)) == ""


def opened(house: Indoors, *tables: str) -> None:
    """Live tables with a shoe, at which ann has chips and a round is called."""
    for table in tables:
        house.open_live(table)
        sit(house, table)
        house.give("dan", table, "shoe", {"do": "new_shoe", "evidence": "new"})
        assert code_of(house.give("dan", table, "first call", {"do": "call"})) == ""


def bet(house: Indoors, table: str, id: str, amount: int, by: str = "ann") -> Json:
    body = {"do": "place", "person": "ann", "box": 1, "wagers": {"player": amount}}
    found: Json = house.give(by, table, id, body).json()
    return found


def play(house: Indoors, table: str, id: str, cards: tuple[str, ...], result: str) -> None:
    """The round is dealt and paid, and the next one called."""
    bodies: list[Json] = [{"do": "close"}]
    bodies += [{"do": "draw", "card": card, "turned": True} for card in cards]
    bodies += [{"do": "announce", "result": result}, {"do": "settle"}, {"do": "confirm", "box": 1}, {"do": "call"}]
    for number, body in enumerate(bodies):
        house.give("dan", table, f"{id} {number}", body)
    assert house.view("sue", table)["public"]["phase"] == "betting"


def limits(house: Indoors, **change: object) -> Json:
    found: Json = house.must("ann", "PUT", LIMITS, change)
    return found


def test_a_loss_limit_counts_every_table_and_what_lies_on_layouts(house: Indoors) -> None:
    opened(house, "T1", "T2")
    assert limits(house, losses={"SGD": 300_00})["losses"][0]["lost"] == 0
    assert "code" not in bet(house, "T1", "one", 200_00)
    refused = bet(house, "T2", "two", 150_00)
    assert (refused["code"], refused["fits"], refused["values"]) == ("own_loss", 100_00, {"amount": 100_00})
    assert bet(house, "T2", "by the dealer", 150_00, by="dan")["code"] == "own_loss"
    with house.socket("ann") as socket:
        body = {"do": "place", "person": "ann", "box": 1, "wagers": {"banker": 50_00, "player": 100_00}}
        assert socket.do("T2", "three", body)["code"] == "own_loss"
    assert "code" not in bet(house, "T2", "four", 100_00)

    play(house, "T1", "lost", BANKER_WINS, "banker")
    assert house.must("ann", "GET", LIMITS)["losses"][0]["lost"] == 300_00
    refused = bet(house, "T1", "five", 25_00)
    assert (refused["code"], "fits" in refused) == ("own_loss", False)
    play(house, "T2", "won", PLAYER_WINS, "player")
    assert house.must("ann", "GET", LIMITS)["losses"][0]["lost"] == 100_00, "what was won counts against it"
    assert "code" not in bet(house, "T1", "six", 200_00)
    house.restart()
    assert bet(house, "T2", "seven", 25_00)["code"] == "own_loss", "the logs are read again"
    house.ahead += DAY + 60
    house.sign_in("ann")
    assert house.must("ann", "GET", LIMITS)["losses"][0]["lost"] == 200_00, "only what lies there yet"
    assert "code" not in bet(house, "T2", "eight", 100_00)


def test_what_is_stricter_holds_at_once_and_what_is_not_a_day_later(house: Indoors) -> None:
    opened(house, "T1")
    limits(house, losses={"SGD": 500_00})
    (shown,) = limits(house, losses={"SGD": 100_00})["losses"]
    assert (shown["most"], shown["later_at"]) == (100_00, 0)
    (shown,) = limits(house, losses={"SGD": 900_00})["losses"]
    assert (shown["most"], shown["later"]) == (100_00, 900_00)
    assert bet(house, "T1", "one", 200_00)["code"] == "own_loss"
    (shown,) = limits(house, losses={"SGD": None})["losses"]
    assert (shown["most"], shown["later"], shown["later_at"] > 0) == (100_00, None, True)
    house.ahead += DAY - 60
    house.sign_in("ann")
    assert bet(house, "T1", "two", 200_00)["code"] == "own_loss"
    house.ahead += 120
    house.sign_in("ann")
    assert house.must("ann", "GET", LIMITS)["losses"] == []
    assert "code" not in bet(house, "T1", "three", 200_00)
    house.sign_in("root")
    kept = house.entries("own limits set")
    assert [(each["actor"], each["about"]) for each in kept] == [("ann", "ann")] * 4
    assert (kept[1]["before"], kept[1]["after"]) == tuple(
        f"{amount}.00 SGD a day, a reminder every 60 minutes" for amount in (500, 100)
    )
    assert house.floor.audit() == []


def test_a_break_stops_new_play_everywhere_and_only_grows(house: Indoors) -> None:
    opened(house, "T1")
    assert "code" not in bet(house, "T1", "before", 100_00)
    until = limits(house, away=48)["away_until"]
    assert limits(house, away=24)["away_until"] == until
    bodies: list[Json] = [
        {"do": "place", "person": "ann", "box": 1, "wagers": {"player": 100_00}},
        {"do": "buy_in", "person": "ann", "amount": 100_00, "source": "account"},
    ]
    for number, body in enumerate(bodies):
        assert code_of(house.give("ann", "T1", f"more {number}", body)) == "own_break"
    house.open_live("T2")
    assert code_of(house.give("ann", "T2", "join", {"do": "join", "person": "ann", "box": 2})) == "own_break"
    play(house, "T1", "round", PLAYER_WINS, "player")
    cash = {"do": "cash_out", "person": "ann", "amount": house.view("ann", "T1")["own"]["stack"]}
    assert code_of(house.give("ann", "T1", "cash", cash)) == "", "what is hers she takes home"
    assert code_of(house.give("ann", "T1", "leave", {"do": "leave", "person": "ann"})) == ""
    house.ahead += 2 * DAY + 60
    house.sign_in("ann")
    assert house.must("ann", "GET", LIMITS)["away_until"] == 0
    assert code_of(house.give("ann", "T2", "join again", {"do": "join", "person": "ann", "box": 2})) == ""


def test_bets_at_two_tables_at_once_do_not_pass_it_together(house: Indoors) -> None:
    tables = [f"T{number}" for number in range(1, 5)]
    opened(house, *tables)
    limits(house, losses={"SGD": 100_00})
    gate = threading.Barrier(len(tables))

    def race(table: str) -> str:
        gate.wait()
        return str(bet(house, table, "at once", 100_00).get("code", ""))

    with ThreadPoolExecutor(len(tables)) as threads:
        codes = sorted(threads.map(race, tables))
    assert codes == ["", *["own_loss"] * (len(tables) - 1)]


@pytest.mark.parametrize(
    "change",
    [
        {"losses": {"dollars": 100}},
        {"losses": {"SGD": -1}},
        {"losses": {"SGD": 10**16}},
        {"losses": {"SGD": "100"}},
        {"reminder": 7},
        {"away": -1},
        {"away": 10**9},
        {"person": "bob"},
    ],
)
def test_what_makes_no_sense_is_refused(house: Indoors, change: Json) -> None:
    assert code_of(house.ask("ann", "PUT", LIMITS, change)) == "bad_request"
    assert house.must("ann", "GET", LIMITS) == {"losses": [], "reminder": 60, "away_until": 0}


def test_they_are_a_players_own(house: Indoors) -> None:
    assert limits(house, reminder=15)["reminder"] == 15
    assert house.must("bob", "GET", LIMITS)["reminder"] == 60
    assert code_of(house.ask("mia", "GET", LIMITS)) == "role"
