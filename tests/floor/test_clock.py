"""Time: the floor's clock, and electronic tables that play whole rounds by it, with nobody else to drive them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.floor.indoors import Indoors, Json, code_of, indoors
from tests.floor.serving import table_settings

from puntobanco.floor import floor as floors
from puntobanco.floor.gate import Bucket, Buckets
from puntobanco.floor.host import Clock

TIMES = st.lists(st.floats(min_value=0, max_value=4e9, allow_nan=False), min_size=1, max_size=30)


@given(TIMES)
def test_the_clock_never_goes_back(times: list[float]) -> None:
    clock = Clock(iter(times).__next__)
    told = [clock() for _ in times]
    assert told == [max(int(each * 1000) for each in times[: place + 1]) for place in range(len(times))]


def test_the_clock_never_goes_back_for_threads_that_ask_together() -> None:
    """Whatever one has been told, nobody is told less afterwards."""
    wall = iter(range(10**9, 0, -1))
    clock = Clock(lambda: next(wall))
    told: list[list[int]] = [[] for _ in range(4)]

    def ask(mine: list[int]) -> None:
        mine.extend(clock() for _ in range(2_000))

    threads = [threading.Thread(target=ask, args=(mine,)) for mine in told]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {moment for mine in told for moment in mine} == {10**12}


@given(st.integers(1, 50), st.integers(1, 20), st.lists(st.floats(0, 3), max_size=60))
def test_nobody_gets_more_than_the_rate_and_the_burst_allow(rate: int, burst: int, pauses: list[float]) -> None:
    moment = 0.0
    buckets = Buckets(rate, burst, lambda: moment)
    waits = Bucket(rate, burst, lambda: moment)
    taken, waited = 0, 0.0
    for asked, pause in enumerate(pauses, 1):
        taken += buckets.take("here")
        assert buckets.take(f"elsewhere {asked}"), "others are not concerned"
        waited = waits.take()
        assert taken <= burst + moment * rate + 1e-6
        assert asked <= burst + (moment + waited) * rate + 1e-6
        moment += pause


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[Indoors]:
    monkeypatch.setattr(floors, "LOOK", 0.05)
    with indoors() as found:
        yield found


@pytest.mark.parametrize("step", [3600.0, -3600.0, 1.5])
def test_a_clock_that_was_set_is_significant(house: Indoors, step: float) -> None:
    time.sleep(0.15)
    assert house.entries("clock stepped") == []
    before = house.floor.host.clock()
    house.ahead += step
    until = time.monotonic() + 10
    while not (found := house.floor.office.entries()) or found[-1].what != "clock stepped":
        assert time.monotonic() < until, "nobody has seen it"
        time.sleep(0.02)
    entry = found[-1]
    assert entry.actor == "system"
    assert abs(int(entry.after) - int(entry.before) - step * 1000) < 300
    assert entry.at >= before, "and the record does not go back"
    time.sleep(0.2)
    told = [each for each in house.floor.office.entries() if each.what == "clock stepped"]
    assert len(told) == 1, "once"


def test_a_clock_that_goes_on_from_a_later_moment_keeps_its_pace() -> None:
    wall = 100.0
    clock = Clock(lambda: wall)
    assert clock() == 100_000
    assert clock.not_before(160_000) == 60_000
    assert clock() == 160_000
    wall = 110.0
    assert clock() == 170_000
    wall = 50.0
    assert clock() == 170_000
    wall = 171.0
    assert clock() == 171_000, "the time of day has come there"
    assert clock.not_before(160_000) == 0
    assert clock() == 171_000


def test_a_clock_that_was_set_back_before_the_start_goes_on_from_the_last_record(house: Indoors) -> None:
    house.open_live("T1")
    last = house.events("T1")[-1]["at"]
    house.restart()
    assert house.entries("clock stepped") == []
    house.close()
    house.ahead -= 3600
    house.floor = house._new_floor()
    house._begin()
    (entry,) = house.entries("clock stepped")
    assert int(entry["before"]) - int(entry["after"]) > 3_590_000
    assert entry["at"] >= last
    assert code_of(house.give("dan", "T1", "shoe", {"do": "new_shoe", "evidence": "new"})) == ""
    times = [event["at"] for event in house.events("T1")]
    assert times == sorted(times)
    first = house.floor.host.clock()
    time.sleep(0.05)
    assert house.floor.host.clock() >= first + 40, "time goes on"


# --- tables that the clock drives


def play(house: Indoors, name: str, table: str, box: int, *, stack: int = 10_000_00) -> None:
    for id, body in (
        ("join", {"do": "join", "person": name, "box": box}),
        ("buy", {"do": "buy_in", "person": name, "amount": stack, "source": "account"}),
    ):
        assert code_of(house.give(name, table, f"{id} {name}", body)) == ""


def kinds(house: Indoors, table: str) -> list[str]:
    return [each["event"]["event"] for each in house.events(table)]


def verified(house: Indoors, table: str) -> Json:
    found: Json = house.must("sue", "POST", f"/api/tables/{table}/verify")
    assert found["ok"], found
    return found


def test_an_electronic_table_plays_whole_rounds_by_itself(house: Indoors) -> None:
    house.open(table_settings("T1", countdown=1))
    time.sleep(0.3)
    assert house.view("sue", "T1")["public"]["phase"] == "idle"
    assert "shoe_started" not in kinds(house, "T1"), "for nobody it does not begin"
    play(house, "ann", "T1", 1)
    for number in range(2):
        house.wait("T1", "betting")
        bet = {"do": "place", "person": "ann", "box": 1, "wagers": {"banker": 100_00}}
        assert code_of(house.give("ann", "T1", f"bet {number}", bet)) == ""
        until = time.monotonic() + 20
        while len(house.view("sue", "T1")["public"]["rounds"]) <= number:
            assert time.monotonic() < until
            time.sleep(0.02)
    found = verified(house, "T1")
    assert found["rounds"] >= 2
    bets = [each for each in house.events("T1") if each["event"]["event"] == "wagers_placed"]
    closes = [each for each in house.events("T1") if each["event"]["event"] == "bets_closed"]
    called = [each for each in house.events("T1") if each["event"]["event"] == "round_called"]
    assert len(bets) == 2
    for call, close in zip(called, closes, strict=False):
        assert 1_000 < close["at"] - call["at"] < 10_000, "the countdown was a second"


def test_a_table_goes_through_its_shoe_and_reveals_it(house: Indoors) -> None:
    """The time of bets is made to pass quickly; every card is the sealed shoe's."""
    house.open(table_settings("T1", "tiger-buffalo", countdown=1, decks=6, cut_card=290, burn="first_card"))
    play(house, "ann", "T1", 1)
    until = time.monotonic() + 40
    while (found := kinds(house, "T1")).count("shoe_ended") < 1:
        assert time.monotonic() < until, found[-5:]
        house.ahead += 1
        time.sleep(0.05)
    assert found.count("cards_burnt") >= 1
    assert found.count("round_called") >= 1
    report = verified(house, "T1")
    assert report["shoes"] == 1, "and it was revealed and found to be as committed"
    house.ahead += 10
    until = time.monotonic() + 10
    while kinds(house, "T1").count("shoe_started") < 2:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_player_cuts_while_the_burn_waits() -> None:
    with indoors(for_cut=60_000) as house:
        house.open(table_settings("T1", "tiger-buffalo", burn="first_card"))
        play(house, "ann", "T1", 1)
        until = time.monotonic() + 10
        while "shoe_started" not in kinds(house, "T1"):
            assert time.monotonic() < until
            time.sleep(0.02)
        time.sleep(0.2)
        assert "cards_burnt" not in kinds(house, "T1")
        assert code_of(house.give("ann", "T1", "cut", {"do": "cut", "person": "ann", "position": 100})) == ""
        house.ahead += 61
        house.wait("T1", "betting")
        found = kinds(house, "T1")
        assert found.index("shoe_cut") < found.index("cards_burnt") < found.index("round_called")


def until_insurance(house: Indoors, table: str) -> None:
    """Ann bets on both sides, round after round, until insurance is offered."""
    until = time.monotonic() + 60
    while "insurance_offered" not in kinds(house, table):
        assert time.monotonic() < until, "no insurance in all that time"
        shown = house.view("sue", table)["public"]
        if shown["phase"] == "betting":
            wagers = {"player": 100_00, "banker": 100_00}
            bet = {"do": "place", "person": "ann", "box": 1, "wagers": wagers}
            house.give("ann", table, f"bet {shown['shoe']['rounds']}", bet)
            house.ahead += 1
        time.sleep(0.01)


def test_insurance_is_offered_for_its_time_and_closed_by_the_clock(house: Indoors) -> None:
    house.open(table_settings("T1", "tiger-buffalo", countdown=1, insurance_countdown=30))
    play(house, "ann", "T1", 1, stack=400_000_00)
    until_insurance(house, "T1")
    time.sleep(0.3)
    assert "insurance_closed" not in kinds(house, "T1"), "it waits for the player"
    house.ahead += 31
    until = time.monotonic() + 10
    while "insurance_closed" not in kinds(house, "T1"):
        assert time.monotonic() < until
        time.sleep(0.02)
    events = house.events("T1")
    (offered,) = (each for each in events if each["event"]["event"] == "insurance_offered")
    closed = next(each for each in events if each["event"]["event"] == "insurance_closed")
    assert closed["at"] - offered["at"] > 30_000
    house.must("sam", "POST", "/api/stops", {"kind": "everything", "why": "enough"})
    house.ahead += 5
    house.wait("T1", "idle")
    verified(house, "T1")


def test_a_squeeze_that_takes_too_long_is_ended_by_the_clock() -> None:
    with indoors(for_squeeze=600_000, between_cards=60_000, idle=10_000, longest=100_000) as house:
        house.open(table_settings("T1", "tiger-buffalo", countdown=2, face_down=True))
        play(house, "ann", "T1", 1, stack=400_000_00)
        until = time.monotonic() + 30
        while house.view("sue", "T1")["public"]["phase"] != "betting":
            assert time.monotonic() < until
            house.ahead += 10
            time.sleep(0.02)
        bet = {"do": "place", "person": "ann", "box": 1, "wagers": {"player": 100_00}}
        assert code_of(house.give("ann", "T1", "bet", bet)) == ""
        house.ahead += 3
        house.wait("T1", "dealing")
        asked = house.give("ann", "T1", "squeeze", {"do": "ask_squeeze", "person": "ann", "hand": "player"})
        assert code_of(asked) == "", asked.text
        house.must("sam", "POST", "/api/stops", {"kind": "everything", "why": "one round is enough"})
        while (step := house.view("ann", "T1")["next_step"] or {}).get("do") != "turn" or step["who"] != "player":
            assert time.monotonic() < until, step
            house.ahead += 61
            time.sleep(0.02)
        before = house.view("sue", "T1")["version"]
        house.ahead += 300
        time.sleep(0.3)
        assert house.view("sue", "T1")["version"] == before, "the player has ten minutes"
        house.ahead += 301
        while house.view("sue", "T1")["version"] == before:
            assert time.monotonic() < until
            time.sleep(0.02)
        event = house.events("T1")[before]["event"]
        assert event["event"] == "card_turned"
        while house.view("sue", "T1")["public"]["phase"] != "idle":
            assert time.monotonic() < until
            house.ahead += 601
            time.sleep(0.02)
        verified(house, "T1")
