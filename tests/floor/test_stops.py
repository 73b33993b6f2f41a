"""Stops and faults: what is in progress concludes, nothing new starts, and the rest of the floor plays on."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import pytest
from tests.floor.indoors import Indoors, Json, code_of, indoors
from tests.floor.serving import table_settings
from tests.patience import until

STOPS: dict[str, Json] = {
    "table": {"kind": "table", "name": "T1", "why": "no light"},
    "game": {"kind": "game", "name": "super-six", "why": "the book is being read again"},
    "everything": {"kind": "everything", "why": "a fire alarm"},
}


@pytest.fixture
def house() -> Iterator[Indoors]:
    with indoors() as found:
        yield found


def sit(house: Indoors, table: str, name: str, box: int) -> None:
    for id, body in (
        ("join", {"do": "join", "person": name, "box": box}),
        ("buy", {"do": "buy_in", "person": name, "amount": 1_000_00, "source": "account"}),
    ):
        assert code_of(house.give(name, table, f"{id} {box}", body)) == ""


def deal(house: Indoors, id: str, *bodies: Json) -> list[str]:
    """What the dealer does at T1, one after the other; the codes of what is refused."""
    return [code_of(house.give("dan", "T1", f"{id} {number}", body)) for number, body in enumerate(bodies)]


CARDS = [{"do": "draw", "card": card, "turned": True} for card in ("9h", "2c", "Kh", "3c")]
PLACE = {"do": "place", "person": "ann", "box": 1, "wagers": {"player": 100_00}}


@pytest.mark.parametrize("kind", STOPS)
def test_a_live_round_in_progress_concludes_and_no_other_is_called(house: Indoors, kind: str) -> None:
    house.open_live("T1")
    house.open_live("T2", "tiger-buffalo")
    sit(house, "T1", "ann", 1)
    assert deal(house, "begin", {"do": "new_shoe", "evidence": "new"}, {"do": "call"}) == ["", ""]
    (held,) = house.must("sam", "POST", "/api/stops", STOPS[kind])
    assert (held["by"], held["why"], held["kind"]) == ("sam", STOPS[kind]["why"], kind)

    assert code_of(house.give("ann", "T1", "bet", PLACE)) == "", "the bets of this round are still open"
    assert code_of(house.give("bob", "T1", "join", {"do": "join", "person": "bob", "box": 2})) == "stopped"
    assert deal(house, "round", {"do": "close"}, *CARDS, {"do": "announce", "result": "player"}) == [""] * 6
    deal(house, "settle", {"do": "settle"}, {"do": "confirm", "box": 1})
    shown = house.view("sue", "T1")["public"]
    assert (shown["phase"], shown["last"]["result"]) == ("idle", "player")
    refused = house.give("dan", "T1", "next", {"do": "call"})
    assert (refused.status_code, refused.json()["code"]) == (409, "stopped")
    assert STOPS[kind]["why"] in refused.json()["message"]
    assert "sam" in refused.json()["message"]

    house.add_device("its display", "display", "T1")
    heard = [house.ask(name, "GET", "/api/tables").text for name in ("ann", "its display")]
    heard.append(house.give("bob", "T1", "join", {"do": "join", "person": "bob", "box": 2}).text)
    with house.socket("bob") as socket:
        heard.append(str(socket.do("T1", "again", {"do": "join", "person": "bob", "box": 2})))
    assert not any(STOPS[kind]["why"] in each or "sam" in each for each in heard), "why is a note for staff"
    told = {brief["table"]: brief["stopped"] for brief in house.must("ann", "GET", "/api/tables")}
    assert bool(told["T1"])
    assert bool(told["T2"]) == (kind == "everything")
    opening = house.ask("mia", "POST", "/api/tables", {"settings": table_settings("T3")})
    assert code_of(opening) == ("" if kind == "table" else "stopped")

    assert code_of(house.ask("sam", "POST", "/api/stops/lift", STOPS[kind])) == "role", "whoever stops need not lift"
    assert house.must("mia", "POST", "/api/stops/lift", STOPS[kind] | {"why": "light again"}) == []
    assert deal(house, "again", {"do": "call"}) == [""]
    name = STOPS[kind].get("name", "")
    (stopped,), (lifted,) = house.entries(f"{kind} stopped"), house.entries(f"{kind} released")
    assert (stopped["actor"], stopped["about"], stopped["why"]) == ("sam", name, STOPS[kind]["why"])
    assert (lifted["actor"], lifted["about"], lifted["why"]) == ("mia", name, "light again")
    assert lifted["before"] == f"stopped by sam: {STOPS[kind]['why']}"


def test_a_person_who_is_stopped_gets_no_chips_but_a_bet_that_lies_there_is_recorded(house: Indoors) -> None:
    house.open_live("T1")
    sit(house, "T1", "bob", 1)
    assert deal(house, "first", {"do": "new_shoe", "evidence": "new"}, {"do": "call"}) == ["", ""]
    house.must("sam", "POST", "/api/stops", {"kind": "person", "name": "bob", "why": "a quarrel"})
    refused: tuple[Json, ...] = (
        {"do": "chips_in", "person": "bob", "amount": 100_00},
        {"do": "buy_in", "person": "bob", "amount": 1_00},
    )
    for body in refused:
        answer = house.give("dan", "T1", body["do"], body)
        assert (code_of(answer), "a quarrel" in answer.text) == ("stopped", True)
    found = {"do": "find_bet", "person": "bob", "box": 1, "bet": "banker", "amount": 100_00}
    assert code_of(house.give("dan", "T1", "found", found)) == ""


def test_a_person_who_is_stopped_finishes_the_round_and_starts_nothing(house: Indoors) -> None:
    house.open_live("T1")
    sit(house, "T1", "ann", 1)
    sit(house, "T1", "bob", 2)
    deal(house, "begin", {"do": "new_shoe", "evidence": "new"}, {"do": "call"})
    assert code_of(house.give("ann", "T1", "bet", PLACE)) == ""
    house.must("sam", "POST", "/api/stops", {"kind": "person", "name": "ann", "why": "asked to leave"})
    more: list[Json] = [
        PLACE,
        {"do": "buy_in", "person": "ann", "amount": 100, "source": "account"},
        {"do": "join", "person": "ann", "box": 3},
    ]
    for name in ("ann", "dan"):  # nor does a dealer do it for her
        codes = {code_of(house.give(name, "T1", f"more {number}", body)) for number, body in enumerate(more)}
        assert codes == {"stopped"}
    with house.socket("ann") as socket:
        assert socket.do("T1", "by websocket", PLACE)["code"] == "stopped"
    bet = PLACE | {"person": "bob", "box": 2}
    assert code_of(house.give("bob", "T1", "bet", bet)) == "", "others play on"
    assert deal(house, "round", {"do": "close"}, *CARDS, {"do": "announce", "result": "player"}) == [""] * 6
    deal(house, "settle", {"do": "settle"}, {"do": "confirm", "box": 1}, {"do": "confirm", "box": 2})
    assert house.view("ann", "T1")["own"]["stack"] == 1_100_00, "what was won is paid"
    assert code_of(house.give("ann", "T1", "go", {"do": "leave", "person": "ann"})) == ""
    people = {person["name"]: person["stopped"] for person in house.must("mia", "GET", "/api/people")}
    assert people["ann"] == "ann was stopped by sam: asked to leave"
    assert people["bob"] == ""


@pytest.mark.parametrize("kind", STOPS)
def test_an_electronic_table_finishes_its_round_and_waits_until_the_stop_is_lifted(house: Indoors, kind: str) -> None:
    house.open(table_settings("T1", countdown=900))
    house.open(table_settings("T2", "tiger-buffalo", countdown=1))
    sit(house, "T1", "ann", 1)
    sit(house, "T2", "bob", 1)
    house.wait("T1", "betting")
    assert code_of(house.give("ann", "T1", "bet", PLACE)) == ""
    house.must("sam", "POST", "/api/stops", STOPS[kind])
    house.ahead += 901
    shown = house.wait("T1", "idle")
    rounds = shown["shoe"]["rounds"]
    assert rounds >= 1
    others = house.view("sue", "T2")["version"]
    for _ in range(3):
        house.clock_looks("T1")
        assert house.view("sue", "T1")["public"]["phase"] == "idle"
    assert house.view("sue", "T1")["public"]["shoe"]["rounds"] == rounds
    if kind != "everything":
        until(lambda: house.view("sue", "T2")["version"] > others, "the rest of the floor plays on")
    house.must("mia", "POST", "/api/stops/lift", STOPS[kind])
    house.wait("T1", "betting")


def test_stops_hold_over_a_restart(house: Indoors) -> None:
    house.open_live("T1")
    deal(house, "begin", {"do": "new_shoe", "evidence": "new"})
    house.must("sam", "POST", "/api/stops", STOPS["table"])
    house.restart()
    assert [stop["name"] for stop in house.must("sue", "GET", "/api/stops")] == ["T1"]
    assert deal(house, "call", {"do": "call"}) == ["stopped"]


@pytest.mark.parametrize(
    ("stop", "code"),
    [
        ({"kind": "person", "name": "nobody of that name", "why": "x"}, "not_found"),
        ({"kind": "table", "name": "T7", "why": "x"}, "not_found"),
        ({"kind": "table", "name": "@office", "why": "x"}, "not_found"),
        ({"kind": "game", "name": "whist", "why": "x"}, "not_found"),
        ({"kind": "game", "name": "super-six", "why": "  "}, "bad_request"),
    ],
)
def test_what_is_not_there_cannot_be_stopped(house: Indoors, stop: Json, code: str) -> None:
    assert code_of(house.ask("mia", "POST", "/api/stops", stop)) == code
    assert code_of(house.ask("mia", "POST", "/api/stops/lift", stop)) == "not_found"
    assert house.must("mia", "GET", "/api/stops") == []


# --- faults


def tamper(house: Indoors, table: str, version: int, change: tuple[bytes, bytes]) -> None:
    """Change a line of a table's log behind the floor's back."""
    with apsw.Connection(str(house.folder / "record.db")) as database:
        ((line,),) = database.execute("select line from entries where log = ? and version = ?", (table, version))
        assert change[0] in bytes(line)
        changed = bytes(line).replace(*change)
        database.execute("update entries set line = ? where log = ? and version = ?", (changed, table, version))


def test_a_damaged_log_puts_its_table_out_of_order_and_the_rest_serve(
    house: Indoors, caplog: pytest.LogCaptureFixture
) -> None:
    house.open_live("T1")
    house.open_live("T2")
    for table in ("T1", "T2"):
        sit(house, table, "ann", 1)
        deal_one = {"do": "new_shoe", "evidence": "new"}
        assert code_of(house.give("dan", table, "shoe", deal_one)) == ""
    house.close()
    tamper(house, "T1", 2, (b"ann", b"amy"))
    house.floor = house._new_floor()
    house._begin()

    health = house.must("", "GET", "/health")
    assert health["status"] == "ok"
    assert list(health["faults"]) == ["T1"]
    assert "damaged at version" in health["faults"]["T1"]
    assert "puntobanco_faults 1" in house.ask("", "GET", "/metrics").text
    assert "out of order, table T1: the log of table T1 is damaged" in caplog.text
    (entry,) = house.entries("fault")
    assert (entry["actor"], entry["about"]) == ("system", "T1")
    assert entry["after"] == health["faults"]["T1"]
    for answer in (house.ask("ann", "GET", "/api/tables/T1"), house.give("dan", "T1", "c", {"do": "call"})):
        assert (answer.status_code, code_of(answer)) == (409, "table_closed")
        assert "out of order" in answer.json()["message"]
    with house.socket("dan") as socket:
        assert socket.do("T1", "c", {"do": "call"})["code"] == "table_closed"
        assert socket.do("T2", "c", {"do": "call"})["m"] == "done"
    assert code_of(house.ask("mia", "POST", "/api/tables/T2/clear-fault", {"why": "x"})) == "not_found"

    found = house.must("sue", "POST", "/api/tables/T1/verify")
    assert not found["ok"]
    assert found["at_event"] in (2, 3)
    assert b"amy" in house.ask("sue", "GET", "/api/tables/T1/log").content
    still = house.ask("mia", "POST", "/api/tables/T1/clear-fault", {"why": "looked at it"})
    assert code_of(still) == "table_closed"
    assert "still" in still.json()["message"]
    assert house.entries("fault cleared") == []

    tamper(house, "T1", 2, (b"amy", b"ann"))
    assert code_of(house.ask("mia", "POST", "/api/tables/T1/clear-fault", {"why": " "})) == "bad_request"
    house.must("mia", "POST", "/api/tables/T1/clear-fault", {"why": "brought back from the backup"})
    assert code_of(house.give("dan", "T1", "d", {"do": "call"})) == ""
    assert house.must("sue", "POST", "/api/tables/T1/verify")["ok"]
    (entry,) = house.entries("fault cleared")
    assert (entry["actor"], entry["about"], entry["why"]) == ("mia", "T1", "brought back from the backup")
    assert "damaged" in entry["before"]
    assert house.must("", "GET", "/health")["faults"] == {}


def test_a_fault_that_stays_is_told_once_in_the_floors_log_and_at_every_start(
    house: Indoors, caplog: pytest.LogCaptureFixture
) -> None:
    house.open_live("T1")
    for _ in range(2):
        house.floor.host.keeper.set_fault("T1", house.floor.host.clock(), "the drawer is open")
    house.restart()
    assert "still out of order" in caplog.text
    assert [entry["after"] for entry in house.entries("fault")] == ["the drawer is open"]


def test_a_witness_that_cannot_be_written_closes_all_tables_until_somebody_has_looked(house: Indoors) -> None:
    house.open_live("T1")
    house.open_live("T2")
    house.floor.host.keeper.set_fault("*", house.floor.host.clock(), "the witness file cannot be written")
    for table in ("T1", "T2"):
        assert code_of(house.give("dan", table, "c", {"do": "new_shoe", "evidence": "new"})) == "table_closed"
    assert {brief["fault"] for brief in house.must("ann", "GET", "/api/tables")} == {
        "the witness file cannot be written"
    }
    house.must("root", "POST", "/api/tables/*/clear-fault", {"why": "there is room again"})
    assert code_of(house.give("dan", "T1", "d", {"do": "new_shoe", "evidence": "new"})) == ""
