"""Time: the floor's clock, and electronic tables that play whole rounds by it, with nobody else to drive them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.floor.indoors import Indoors, Json, code_of, indoors
from tests.floor.serving import table_settings
from tests.patience import until

from puntobanco.floor import floor as floors
from puntobanco.floor.gate import Bucket, Buckets
from puntobanco.floor.host import Clock
from puntobanco.floor.wire import Significant
from puntobanco.store.base import UnavailableError
from puntobanco.table import commands as c

LONG = 300
"""Seconds of a countdown that no test outlasts: it passes when the test sets the clock."""
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
    with indoors(idle=10_000, longest=100_000) as found:  # so that nobody has to sign in again when time passes
        yield found


@pytest.mark.parametrize("step", [3600.0, -3600.0, 1.5])
def test_a_clock_that_was_set_is_significant(house: Indoors, step: float) -> None:
    def stepped() -> list[Significant]:  # past the desk: sessions may be over by that clock
        return [entry for entry in house.floor.office.entries() if entry.what == "clock stepped"]

    house.look_at_wall()
    assert stepped() == []
    before = house.floor.host.clock()
    house.ahead += step
    until(stepped, "nobody has seen it")
    house.look_at_wall()
    (entry,) = stepped()
    assert entry.actor == "system"
    assert int(entry.after) - int(entry.before) == pytest.approx(step * 1000, abs=999)
    assert entry.at >= before, "and the record does not go back"


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
    until(lambda: house.floor.host.clock() > first, "time goes on")


# --- tables that the clock drives


def play(house: Indoors, name: str, table: str, box: int, *, stack: int = 10_000_00) -> None:
    for id, body in (
        ("join", {"do": "join", "person": name, "box": box}),
        ("buy", {"do": "buy_in", "person": name, "amount": stack, "source": "account"}),
    ):
        assert code_of(house.give(name, table, f"{id} {name}", body)) == ""


def pass_time_until(house: Indoors, seconds: float, done: Callable[[], bool]) -> None:
    """Let time pass quickly, so much of it between two looks."""

    def look() -> bool:
        if done():
            return True
        house.ahead += seconds
        return False

    until(look, lambda: f"it came to {house.kinds('T1')[-5:]} only")


def step_of(house: Indoors) -> tuple[str, str]:
    """What ann sees that is to be done, and by whom."""
    step = house.view("ann", "T1")["next_step"] or {}
    return step.get("do", ""), step.get("who", "")


def verified(house: Indoors, table: str) -> Json:
    found: Json = house.must("sue", "POST", f"/api/tables/{table}/verify")
    assert found["ok"], found
    return found


def test_an_electronic_table_plays_whole_rounds_by_itself(house: Indoors) -> None:
    house.open(table_settings("T1", countdown=LONG))
    house.clock_looks("T1")
    assert house.view("sue", "T1")["public"]["phase"] == "idle"
    assert "shoe_started" not in house.kinds("T1"), "for nobody it does not begin"
    play(house, "ann", "T1", 1)
    for number in range(2):
        house.wait("T1", "betting")
        bet = {"do": "place", "person": "ann", "box": 1, "wagers": {"banker": 100_00}}
        assert code_of(house.give("ann", "T1", f"bet {number}", bet)) == ""
        house.ahead += LONG + 1
        until(lambda: len(house.view("sue", "T1")["public"]["rounds"]) > number)  # noqa: B023
    found = verified(house, "T1")
    assert found["rounds"] >= 2
    bets = [each for each in house.events("T1") if each["event"]["event"] == "wagers_placed"]
    closes = [each for each in house.events("T1") if each["event"]["event"] == "bets_closed"]
    called = [each for each in house.events("T1") if each["event"]["event"] == "round_called"]
    assert len(bets) == 2
    for call, close in zip(called, closes, strict=False):
        assert call["event"]["until"] - call["at"] == LONG * 1_000, "the countdown"
        assert close["at"] > call["event"]["until"]


def test_a_store_that_fails_for_a_while_stops_no_clock(house: Indoors, monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[str] = []
    claim = house.floor.store.claim

    def fails(name: str) -> bool:
        if len(failed) < 3:
            failed.append(name)
            raise UnavailableError("the disk has gone for a while")
        return claim(name)

    monkeypatch.setattr(house.floor.store, "claim", fails)
    house.open(table_settings("T1", countdown=LONG))
    play(house, "ann", "T1", 1)
    house.wait("T1", "betting")
    assert len(failed) == 3


def test_whoever_signs_himself_on_and_sends_it_again_is_answered_as_the_first_time(house: Indoors) -> None:
    house.open_live("T1")
    first, again = (house.give("mia", "T1", "mine", c.SignOn("mia", "pit_manager")) for _ in range(2))
    assert code_of(first) == ""
    assert again.json()["repeated"]
    assert again.json()["version"] == first.json()["version"]


def test_a_table_goes_through_its_shoe_and_reveals_it(house: Indoors) -> None:
    """The time of bets is made to pass quickly; every card is the sealed shoe's."""
    house.open(table_settings("T1", "tiger-buffalo", countdown=1, decks=6, cut_card=290, burn="first_card"))
    play(house, "ann", "T1", 1)
    pass_time_until(house, 1, lambda: "shoe_ended" in house.kinds("T1"))
    found = house.kinds("T1")
    assert found.count("cards_burnt") >= 1
    assert found.count("round_called") >= 1
    report = verified(house, "T1")
    assert report["shoes"] == 1, "and it was revealed and found to be as committed"
    house.ahead += 10
    until(lambda: house.kinds("T1").count("shoe_started") == 2)


def test_a_player_cuts_while_the_burn_waits() -> None:
    with indoors(for_cut=60_000) as house:
        house.open(table_settings("T1", "tiger-buffalo", burn="first_card"))
        play(house, "ann", "T1", 1)
        until(lambda: "shoe_started" in house.kinds("T1"))
        house.clock_looks("T1")
        assert "cards_burnt" not in house.kinds("T1")
        assert code_of(house.give("ann", "T1", "cut", {"do": "cut", "person": "ann", "position": 100})) == ""
        house.ahead += 61
        house.wait("T1", "betting")
        found = house.kinds("T1")
        assert found.index("shoe_cut") < found.index("cards_burnt") < found.index("round_called")


def until_insurance(house: Indoors, table: str) -> None:
    """Ann bets on both sides, round after round, until insurance is offered."""

    def offered() -> bool:
        shown = house.view("sue", table)["public"]
        if shown["phase"] == "betting":
            wagers = {"player": 100_00, "banker": 100_00}
            bet = {"do": "place", "person": "ann", "box": 1, "wagers": wagers}
            house.give("ann", table, f"bet {shown['shoe']['rounds']}", bet)
            house.ahead += 1
        return "insurance_offered" in house.kinds(table)

    until(offered, "no insurance in all that time")


def test_insurance_is_offered_for_its_time_and_closed_by_the_clock(house: Indoors) -> None:
    house.open(table_settings("T1", "tiger-buffalo", countdown=1, insurance_countdown=30))
    play(house, "ann", "T1", 1, stack=400_000_00)
    until_insurance(house, "T1")
    house.clock_looks("T1")
    assert "insurance_closed" not in house.kinds("T1"), "it waits for the player"
    house.ahead += 31
    until(lambda: "insurance_closed" in house.kinds("T1"))
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
        house.open(table_settings("T1", "tiger-buffalo", countdown=LONG, face_down=True))
        play(house, "ann", "T1", 1, stack=400_000_00)
        pass_time_until(house, 10, lambda: house.view("sue", "T1")["public"]["phase"] == "betting")
        bet = {"do": "place", "person": "ann", "box": 1, "wagers": {"player": 100_00}}
        assert code_of(house.give("ann", "T1", "bet", bet)) == ""
        house.ahead += LONG + 1
        house.wait("T1", "dealing")
        asked = house.give("ann", "T1", "squeeze", {"do": "ask_squeeze", "person": "ann", "hand": "player"})
        assert code_of(asked) == "", asked.text
        house.must("sam", "POST", "/api/stops", {"kind": "everything", "why": "one round is enough"})
        pass_time_until(house, 61, lambda: step_of(house) == ("turn", "player"))
        before = house.view("sue", "T1")["version"]
        house.ahead += 300
        house.clock_looks("T1")
        assert house.view("sue", "T1")["version"] == before, "the player has ten minutes"
        house.ahead += 301
        until(lambda: house.view("sue", "T1")["version"] > before)
        event = house.events("T1")[before]["event"]
        assert event["event"] == "card_turned"
        pass_time_until(house, 601, lambda: house.view("sue", "T1")["public"]["phase"] == "idle")
        verified(house, "T1")
