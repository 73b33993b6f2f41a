"""The floor's own log: everything significant with its value before and after, and no secret anywhere."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from tests.floor.indoors import PINS, Indoors, code_of, indoors
from tests.floor.serving import PASSWORD

from puntobanco.floor.office import LOG, Entry, FloorError, Office, OfficeLine
from puntobanco.money import parse_amount
from puntobanco.store import MemoryStore, open_store
from puntobanco.store.base import Append, Store, UnavailableError
from puntobanco.store.chain import FIRST, encode, hash_of
from puntobanco.store.keys import PrivateKey


@pytest.fixture
def house() -> Iterator[Indoors]:
    with indoors() as found:
        yield found


def test_everything_significant_is_recorded_with_the_value_before_and_after(house: Indoors) -> None:
    """What somebody did → who, what about, the values, and why."""
    house.open_live("T1")
    before = len(house.entries())
    new = {"name": "eve", "role": "dealer", "password": "a new password", "pin": "7193"}
    why = {"why": "asked for"}
    device = {"name": "eye", "kind": "scanner", "table": "T1"}
    money = {"id": "cage 17", "amount": 250_00, "currency": "SGD"}
    held = {"kind": "person", "name": "ann", "why": "a quarrel"}
    for name, method, path, body in (
        ("root", "POST", "/api/people", new),
        ("root", "PATCH", "/api/people/eve", {"why": "promoted", "role": "pit", "rank": "pit_manager"}),
        ("root", "PATCH", "/api/people/eve", {"why": "forgotten", "password": "another harbour", "pin": "8264"}),
        ("mia", "POST", "/api/people/bob/revoke", why),
        ("mia", "POST", "/api/people/bob/money", money),
        ("mia", "POST", "/api/people/bob/money", money),
        ("root", "POST", "/api/devices", device),
        ("root", "DELETE", "/api/devices/eye", None),
        ("sam", "POST", "/api/stops", held),
        ("mia", "POST", "/api/stops/lift", held | {"why": "they have made up"}),
    ):
        house.must(name, method, path, body)
    house.ask("", "POST", "/api/session", {"name": "ann", "password": "not the password"})
    house.ask("", "POST", "/api/session", {"name": "nobody of that name", "password": "not the password"})
    found = [
        tuple(entry[field] for field in ("actor", "what", "about", "before", "after", "why"))
        for entry in house.entries()[before:]
    ]
    assert found == [
        ("root", "person added", "eve", "", "dealer, dealer", ""),
        ("root", "person changed", "eve", "dealer, dealer", "pit, pit_manager", "promoted"),
        ("root", "person changed", "eve", "pit, pit_manager", "pit, pit_manager, new password, new PIN", "forgotten"),
        ("mia", "sessions revoked", "bob", "", "", "asked for"),
        ("mia", "money posted", "bob", "1000000.00 SGD", "1000250.00 SGD", "posting cage 17"),
        ("root", "device added", "eye", "", "scanner of table T1", ""),
        ("root", "device removed", "eye", "scanner of table T1", "", ""),
        ("sam", "person stopped", "ann", "", "", "a quarrel"),
        ("mia", "person released", "ann", "stopped by sam: a quarrel", "", "they have made up"),
        ("ann", "sign-in failed", "ann", "", "1 in a row", "from 127.0.0.1"),
        ("nobody of that name", "sign-in failed", "nobody of that name", "", "nobody's name", "from 127.0.0.1"),
    ]
    assert [entry["version"] for entry in house.entries()] == list(range(1, len(house.entries()) + 1))
    assert all(first["at"] <= second["at"] for first, second in zip(house.entries(), house.entries()[1:], strict=False))
    (opened,) = house.entries("table opened")
    assert (opened["actor"], opened["about"], opened["after"]) == ("mia", "T1", "super-six, layout A")
    assert house.floor.office.broken_at() is None


def test_a_changed_sign_is_recorded_with_the_limits_before_and_after(house: Indoors) -> None:
    house.open_live("T1")
    limits = {"do": "set_limits", "minimum": 50_00, "maximum": 9_000_00, "step": 5_00}
    for number, body in enumerate((limits, limits | {"bet": "tie"}, {"do": "set_differential", "limit": 20_000_00})):
        for _ in range(2):  # a command that is given again is one
            assert code_of(house.give("mia", "T1", str(number), body)) == ""
    found = [
        tuple(entry[field] for field in ("actor", "what", "about", "before", "after", "why"))
        for entry in house.entries()
        if entry["what"].endswith(" set")
    ]
    assert found == [
        ("mia", "limits set", "T1", "0.01 and above", "50 to 9000 in steps of 5", "from round 1"),
        ("mia", "limits on tie set", "T1", "50 to 9000 in steps of 5", "50 to 9000 in steps of 5", "from round 1"),
        ("mia", "differential set", "T1", "none", "20000 over the table", "from round 1"),
    ]


def test_a_sign_is_changed_though_the_floor_cannot_note_it(house: Indoors, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open_live("T2")

    def fails(*_: object) -> None:
        raise UnavailableError("the disk fails")

    with monkeypatch.context() as disk:
        disk.setattr(house.floor.office, "record", fails)
        assert code_of(house.give("mia", "T2", "changed", {"do": "set_differential", "limit": 7_000_00})) == ""
    assert "differential_set" in house.kinds("T2")


def test_a_late_bet_is_noted_once_a_round_for_each_who_tries(house: Indoors) -> None:
    house.open_live("T1")

    def give(name: str, do: str, **rest: Any) -> str:
        return code_of(house.give(name, "T1", str(next(numbers)), {"do": do, **rest}))

    numbers = count()
    for box, name in enumerate(("ann", "bob"), 1):
        assert give(name, "join", person=name, box=box) == ""
        assert give(name, "buy_in", person=name, amount=1_000_00, source="account") == ""
    assert give("dan", "new_shoe", evidence="new") == ""
    bets = [("ann", 1, {"player": 100_00, "tie": 5_00}), ("bob", 2, {"banker": 50_00}), ("ann", 1, {"player": 200_00})]
    for _ in range(2):
        assert give("ann", "place", person="ann", box=1, wagers={"player": 100_00}) == "no_round"
        assert give("dan", "call") == ""
        assert give("ann", "place", person="ann", box=1, wagers={"player": 100_00}) == ""
        assert give("dan", "close") == ""
        assert {give(name, "place", person=name, box=box, wagers=wagers) for name, box, wagers in bets} == {
            "bets_closed"
        }
        assert give("ann", "withdraw", person="ann", box=1, bet="player") == "bets_closed"
        for card in ("9h", "2c", "Kh", "3c"):
            assert give("dan", "draw", card=card, turned=True) == ""
        assert give("dan", "announce", result="player") == ""
        give("dan", "settle")
        give("dan", "confirm", box=1)
    found = [(entry["actor"], entry["about"], entry["after"]) for entry in house.entries("late bet refused")]
    assert found == [
        ("ann", "T1", "round 1, box 1, ann: Player 100.00 SGD, Tie 5.00 SGD"),
        ("bob", "T1", "round 1, box 2, bob: Banker 50.00 SGD"),
        ("ann", "T1", "round 2, box 1, ann: Player 100.00 SGD, Tie 5.00 SGD"),
        ("bob", "T1", "round 2, box 2, bob: Banker 50.00 SGD"),
    ]


def test_the_log_is_read_in_parts(house: Indoors) -> None:
    whole = house.entries()
    part = house.must("sue", "GET", "/api/significant?after=3&most=4")
    assert part == whole[3:7]
    assert house.must("sue", "GET", "/api/significant?after=10000") == []


def test_what_is_refused_changes_nothing_and_says_nothing(house: Indoors) -> None:
    house.must("mia", "POST", "/api/people/cat/money", {"id": "known", "amount": 250_00, "currency": "SGD"})
    house.must("mia", "POST", "/api/stops", {"kind": "person", "name": "cat", "why": "a quarrel"})
    before = house.entries()
    for path, body in (
        ("/api/people", {"name": "ann", "role": "player", "password": "a password"}),
        ("/api/people/nobody of that name/revoke", {"why": "x"}),
        ("/api/people/ann/money", {"id": "1", "amount": -(10**12), "currency": "SGD"}),
        ("/api/people/cat/money", {"id": "known", "amount": 251_00, "currency": "SGD"}),
        ("/api/stops/lift", {"kind": "everything", "why": "x"}),
        ("/api/stops/lift", {"kind": "person", "name": "cat", "why": " "}),
    ):
        assert code_of(house.ask("root", "POST", path, body)), path
    assert house.entries() == before
    answer = house.ask("mia", "POST", "/api/people/cat/money", {"id": "known", "amount": 251_00, "currency": "SGD"})
    assert (answer.status_code, code_of(answer)) == (409, "exists")


# --- the chain

KEY = PrivateKey.generate()


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    found = MemoryStore() if request.param == "memory" else open_store(str(tmp_path / "record.db"))
    yield found
    found.close()


def fill(store: Store, count: int = 6) -> list[bytes]:
    office = Office(store, KEY)
    for number in range(count):
        office.record(number, "mia", Entry("person changed", f"person {number}", "dealer", "pit"))
    assert office.broken_at() is None
    return list(store.load(LOG))


def rewritten(lines: list[bytes]) -> Office:
    """An office whose log has these lines."""
    store = MemoryStore()
    for version, line in enumerate(lines):
        store.append(Append(LOG, version, f"line {version}", line))
    return Office(store, KEY)


@pytest.mark.parametrize("place", range(6))
def test_a_changed_dropped_or_swapped_entry_is_found(store: Store, place: int) -> None:
    lines = fill(store)
    last = place == len(lines) - 1
    changed = [*lines]
    changed[place] = lines[place].replace(b"dealer", b"player")
    assert rewritten(changed).broken_at() == place + 1, "it is not what was signed"
    changed[place] = lines[place].replace(b":", b": ", 1)
    assert rewritten(changed).broken_at() == place + 1, "and it is written in one way only"
    changed[place] = b"rubbish"
    assert rewritten(changed).broken_at() == place + 1
    assert rewritten([*lines[:place], *lines[place + 1 :]]).broken_at() == (None if last else place + 1)
    if not last:
        swapped = [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]]
        assert rewritten(swapped).broken_at() == place + 1
    assert rewritten([*lines[:place], lines[place], *lines[place:]]).broken_at() == place + 2, "an entry twice"


def test_a_log_that_is_written_anew_needs_the_houses_key(store: Store) -> None:
    """Somebody with the database but not the key can make a chain, and no signature."""
    lines = fill(store)
    for key in (PrivateKey.generate(), None):
        forged, head = [], FIRST
        for raw in lines:
            line = msgspec.json.decode(raw.replace(b"dealer", b"player"), type=OfficeLine)
            line = msgspec.structs.replace(line, prev=head, signature="")
            forged.append(encode(line.signed(key) if key else line))
            head = hash_of(forged[-1])
        assert rewritten(forged).broken_at() == 1
    upper = lines[0].replace(lines[0][-140:], lines[0][-140:].replace(b"a", b"A"))
    assert upper != lines[0]
    assert rewritten([upper]).broken_at() == 1
    rubbish = msgspec.json.decode(lines[0], type=OfficeLine)
    assert rewritten([encode(msgspec.structs.replace(rubbish, signature="xyz"))]).broken_at() == 1


def test_two_offices_on_one_store_write_one_chain(store: Store) -> None:
    first, second = Office(store, KEY), Office(store, KEY)
    for number in range(10):
        (first if number % 3 else second).record(number, "mia", Entry("x", str(number)))
    assert first.broken_at() is None
    assert [entry.about for entry in second.entries()] == [str(number) for number in range(10)]


def test_no_entry_is_before_an_earlier_one(store: Store) -> None:
    """Two processes have clocks of their own, and one of them may be behind."""
    key = PrivateKey.generate()
    ahead, behind = Office(store, key), Office(store, key)
    for office, now in ((ahead, 5_000), (behind, 3_000), (ahead, 4_000), (Office(store, key), 1_000), (behind, 6_000)):
        office.record(now, "sam", Entry("noted"))
    assert [entry.at for entry in ahead.entries()] == [5_000, 5_000, 5_000, 5_000, 6_000]


def cents(text: str) -> int:
    """``12.34 SGD`` as the office writes it."""
    return parse_amount(text.removesuffix(" SGD"), 2) if text != "0.00 SGD" else 0


def test_money_is_posted_with_its_entry_while_others_write_and_play(store: Store) -> None:
    """Two processes post, a table takes and gives: each entry has the balances as they were."""
    offices = [Office(store, KEY), Office(store, KEY)]
    offices[0].post(0, "mia", "ann", "first", 1_000, "SGD")
    done = threading.Event()

    def play() -> None:
        number = 0
        while not done.is_set():
            moves = {"ann": 1 if number % 2 else -1}
            store.append(Append("T1", number, f"c{number}", b"line", moves=moves, currency="SGD"))
            number += 1

    def post(office: Office, who: str) -> None:
        for number in range(40):
            for _ in range(2):
                office.post(number, who, "ann", f"{who} {number}", 10, "SGD")

    threads = [threading.Thread(target=post, args=each) for each in zip(offices, ("mia", "pam"), strict=True)]
    playing = threading.Thread(target=play)
    playing.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    playing.join()
    entries = offices[0].entries()
    assert offices[1].broken_at() is None
    assert len({entry.why for entry in entries}) == len(entries) == 81
    assert all(cents(entry.after) - cents(entry.before) in (10, 1_000) for entry in entries)
    assert store.balance("ann", "SGD") == 1_800 - store.version("T1") % 2
    with pytest.raises(FloorError, match=r"was of 0.10 SGD for ann"):
        offices[0].post(0, "mia", "ann", "mia 3", 11, "SGD")
    with pytest.raises(FloorError, match="SGD on the account"):
        offices[0].post(0, "mia", "ann", "too much", -5_000, "SGD")
    assert len(offices[0].entries()) == 81


# --- secrets

CLIENTS = ("httpx", "httpcore", "websockets.client")
"""Loggers of the test itself."""


def test_no_secret_is_stored_logged_or_answered(caplog: pytest.LogCaptureFixture) -> None:
    """Every byte that the floor keeps, logs or answers is searched; the sign-in alone tells a token, once."""
    caplog.set_level(logging.DEBUG)
    with indoors(log_level="debug") as house:
        house.open_live("T1")
        secrets = {PASSWORD, *PINS.values(), "a newer harbour", "another harbour", "96857463", "86957463"}
        secrets |= {"the wrong harbour", "70605040"}
        new = {"name": "eve", "role": "pit", "password": "a newer harbour", "pin": "96857463"}
        answers = [house.ask("root", "POST", "/api/people", new)]
        change = {"why": "forgotten", "password": "another harbour", "pin": "86957463"}
        answers.append(house.ask("root", "PATCH", "/api/people/eve", change))
        answers.append(house.ask("", "POST", "/api/session", {"name": "eve", "password": "the wrong harbour"}))
        signed_in = house.ask("", "POST", "/api/session", {"name": "eve", "password": "another harbour"})
        secrets |= {signed_in.json()["token"], signed_in.json()["csrf"]}
        house.http.cookies.clear()
        give = {"id": "1", "body": {"do": "request_fill", "request": "1", "kind": "fill", "chips": {"100": 1}}}
        path = "/api/tables/T1/commands-for"
        answers.append(house.ask("dan", "POST", path, {"person": "eve", "pin": "70605040", "give": give}))
        answers.append(house.ask("dan", "POST", path, {"person": "eve", "pin": "86957463", "give": give}))
        told = house.ask("root", "POST", "/api/devices", {"name": "eye", "kind": "scanner", "table": "T1"})
        secrets.add(told.json()["token"])
        house.tokens |= {"eve": signed_in.json()["token"], "eye": told.json()["token"]}
        wrong = [
            house.ask("", "POST", "/api/session", {"name": "eve", "password": ["another harbour"]}),
            house.ask("", "POST", "/api/session", {"name": "eve", "password": "another harbour", "more": 1}),
            house.ask("root", "POST", "/api/people", new | {"pin": 96857463}),
        ]
        answers += wrong
        assert [answer.status_code for answer in wrong] == [400] * 3
        for name in ("root", "mia", "sue"):
            paths = ["/api/significant", "/api/people", "/api/stops", "/api/tables/T1/log", "/api/tables/T1/events"]
            paths += ["/api/tables", "/api/tables/T1", "/api/account"]
            answers += [house.ask(name, "GET", path) for path in paths]
        answers += [house.ask("", "GET", path) for path in ("/metrics", "/health", "/api/key", "/api/docs")]
        answers.append(house.give("eye", "T1", "1", {"do": "draw"}))
        house.must("eve", "DELETE", "/api/session")
        secrets |= set(house.tokens.values())
        csrf = signed_in.json()["csrf"]
        house.close()
        kept = {file.name: file.read_bytes() for file in house.folder.iterdir() if file.is_file()}
    assert {"record.db", "house.key", "shoes.key"} <= set(kept)
    logged = "\n".join(record.getMessage() for record in caplog.records if not record.name.startswith(CLIENTS))
    long_ones = {secret for secret in secrets if len(secret) > 4}
    for secret in long_ones:
        for name, data in kept.items():
            assert secret.encode() not in data, f"{secret} in {name}"
        assert secret not in logged, f"{secret} in the log"
        for answer in answers:
            assert secret not in answer.text, f"{secret} in the answer of {answer.request.url}"
    assert csrf in long_ones
    for pin in PINS.values():
        assert f'"{pin}"'.encode() not in b"".join(kept.values())


def test_what_is_stored_lets_nobody_sign_in(house: Indoors) -> None:
    """Neither the hash of a password nor the key of a session is worth anything to whoever reads the file."""
    with apsw.Connection(str(house.folder / "record.db")) as database:
        documents = list(database.execute("select kind, key, content from documents"))
    keys = [str(key) for kind, key, _ in documents if kind == "session"]
    hashes = [bytes(value).decode() for kind, _, value in documents if kind == "secret"]
    assert len(keys) >= 9
    assert all("$argon2id$" in each for each in hashes)
    for stolen in keys:
        house.tokens["thief"] = stolen
        assert code_of(house.ask("thief", "GET", "/api/session")) == "sign_in"
    for stolen in hashes[:2]:
        assert code_of(house.ask("", "POST", "/api/session", {"name": "root", "password": stolen})) == "sign_in"
