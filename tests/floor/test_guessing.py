"""Whoever guesses passwords and PINs: how many tries he gets, whom he keeps out, and what cannot be guessed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.floor.indoors import Indoors, code_of, indoors
from tests.floor.serving import PASSWORD
from tests.patience import limit, until

from puntobanco.floor.attempts import ADDRESS, FROM_ANYWHERE, MINUTE
from puntobanco.floor.host import AT_THE_DOOR, LONGEST_QUEUE
from puntobanco.floor.office import FloorError, Office
from puntobanco.floor.people import MOST_SESSIONS, Limits, People, check_name
from puntobanco.floor.weak import COMMON, SHORTEST_PASSWORD, weak_password, weak_pin
from puntobanco.floor.wire import ChangePerson, NewPerson
from puntobanco.store import MemoryStore, PrivateKey
from puntobanco.table.commands import SignOn

PIN = "2580"


class Waiting(PasswordHasher):
    """Looks at no password until it may, and counts."""

    def __init__(self) -> None:
        super().__init__(1, 8, 1)
        self.may = threading.Event()
        self.may.set()
        self.verified = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Any:
        self.verified += 1
        assert self.may.wait(limit())
        return super().verify(hash, password)


@pytest.fixture
def hasher() -> Waiting:
    return Waiting()


@pytest.fixture
def people(hasher: Waiting) -> People:
    found = People(Office(MemoryStore(), PrivateKey.generate()), Limits(), hasher)
    found.add("setup", 0, NewPerson("root", "admin", PASSWORD))
    found.add("setup", 0, NewPerson("sam", "pit", PASSWORD, pin=PIN))
    found.add("setup", 0, NewPerson("ann", "player", PASSWORD))
    return found


def answer(attempt: Callable[..., Any], *arguments: Any) -> str:
    try:
        attempt(*arguments)
    except FloorError as error:
        return error.problem.code
    return ""


@pytest.mark.parametrize("known", [True, False], ids=["somebody", "nobody"])
def test_a_hundred_guesses_at_once_are_no_more_than_five(people: People, hasher: Waiting, known: bool) -> None:
    hasher.may.clear()
    with ThreadPoolExecutor(100) as crowd:
        name = "sam" if known else "nobody of that name"
        tries = [crowd.submit(answer, people.check_pin, 0, name, f"{each:04}", "here") for each in range(100)]
        until(lambda: sum(each.done() for each in tries) >= 95)
        hasher.may.set()
        codes = [each.result() for each in tries]
    assert (codes.count("pin"), codes.count("locked")) == (5, 95)
    assert hasher.verified == 5
    assert answer(people.check_pin, 0, name, PIN, "here") == "locked"


def test_a_stranger_cannot_keep_an_administrator_out(people: People) -> None:
    """From where he has signed in before he can do so again, however many others try his name elsewhere."""
    people.sign_in(0, "root", PASSWORD, "the office")
    for number in range(100):
        answer(people.sign_in, 0, "root", "wrong one", f"10.0.0.{number}")
    assert people.attempts.locked("root", 0)
    assert answer(people.sign_in, 0, "root", PASSWORD, "elsewhere") == "locked"
    assert answer(people.sign_in, 0, "root", PASSWORD, "the office") == ""


def test_a_name_is_locked_for_unknown_addresses_after_some_tries_from_many(people: People) -> None:
    most = FROM_ANYWHERE * people.limits.failures
    codes = [answer(people.sign_in, 0, "root", "wrong one", f"10.0.0.{number}") for number in range(most + 1)]
    assert codes == ["sign_in"] * most + ["locked"]


def test_an_address_is_locked_after_some_tries_with_many_names(people: People) -> None:
    most = ADDRESS * people.limits.failures
    codes = [answer(people.sign_in, 0, f"name {number}", "wrong one", "here") for number in range(most + 1)]
    assert codes == ["sign_in"] * most + ["locked"]
    assert answer(people.sign_in, 0, "ann", PASSWORD, "here") == "locked"
    assert answer(people.sign_in, 0, "ann", PASSWORD, "elsewhere") == ""


def test_every_lock_of_a_name_is_twice_as_long_as_the_last(people: People) -> None:
    now, minutes = 0, []
    for _ in range(4):
        while (code := answer(people.check_pin, now, "sam", "9999", "here")) != "locked":
            assert code == "pin"
        begun = now
        assert answer(people.check_pin, now, "sam", PIN, "elsewhere") == "", "only here"
        while answer(people.check_pin, now, "sam", "9999", "here") == "locked":
            now += MINUTE
        minutes.append((now - begun) // MINUTE)
    assert minutes == [15, 30, 60, 120]


# --- sessions that were ended


def test_a_revoked_session_does_not_come_back(people: People) -> None:
    """Not by a request that is on its way while all sessions are ended, and not by a sign-in that began before."""
    token, who = people.sign_in(0, "ann", PASSWORD, "here")
    assert people.revoke("setup", 0, "ann", "lost the phone") == 1
    people.write_down(who, 1)
    assert people.who(token, 1) is None
    assert not people.alive(who, 1)
    people.sweep(1)
    people.write_down(who, 2)
    assert people.who(token, 2) is None


def test_somebody_has_so_many_sessions(people: People) -> None:
    """A thousand sign-ins of one player leave no thousand sessions that every change has read anew."""
    first, _ = people.sign_in(0, "ann", PASSWORD, "here")
    used, who = people.sign_in(1, "ann", PASSWORD, "here")
    other, _ = people.sign_in(2, "root", PASSWORD, "here")
    tokens = []
    for moment in range(3, MOST_SESSIONS + 2):
        people.touch(who, moment)
        tokens.append(people.sign_in(moment, "ann", PASSWORD, "here")[0])
    assert people.who(first, 100) is None, "it was used the longest ago"
    assert all(people.who(token, 100) for token in (used, other, *tokens))
    assert len(people._sessions.all()) == MOST_SESSIONS + 1


def test_a_session_that_is_written_down_while_it_is_removed_stays_removed(people: People) -> None:
    token, who = people.sign_in(0, "ann", PASSWORD, "here")
    shelf = people._sessions
    session = shelf.get(who.key)
    assert session is not None
    shelf.remove(who.key)
    shelf.renew(who.key, session)
    assert people.who(token, 0) is None


def test_a_sign_in_that_is_overtaken_by_a_revocation_is_worth_nothing(people: People, hasher: Waiting) -> None:
    hasher.may.clear()
    with ThreadPoolExecutor(1) as one:
        late = one.submit(people.sign_in, 0, "ann", PASSWORD, "here")
        until(lambda: hasher.verified)
        people.revoke("setup", 0, "ann", "lost the phone")
        hasher.may.set()
        token, _ = late.result()
    assert people.who(token, 0) is None


def test_a_revocation_is_one_transaction(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = [people.sign_in(0, "ann", PASSWORD, "here")[0] for _ in range(4)]
    store = people.office.store

    def fails(*_: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(store, "append", fails)
    with pytest.raises(OSError, match="full"):
        people.revoke("setup", 0, "ann", "lost the phone")
    assert all(people.who(token, 0) for token in tokens), "all or none"
    monkeypatch.undo()
    assert people.revoke("setup", 0, "ann", "lost the phone") == 4
    assert not any(people.who(token, 0) for token in tokens)


# --- what cannot be chosen


@pytest.mark.parametrize(
    "password",
    ["short", "password", "Password123", "PUNTOBANCO", "12345678", "aaaaaaaa", "abababab", "hgfedcba", "ann-and-bob"],
)
def test_passwords_that_are_guessed_first_are_refused(people: People, password: str) -> None:
    assert weak_password(password, "ann")
    with pytest.raises(FloorError) as refused:
        people.change("setup", 0, "ann", ChangePerson("asked for", password=password))
    assert refused.value.problem.code == "bad_request"
    assert people.sign_in(0, "ann", PASSWORD, "here")


def test_the_list_holds_what_the_length_would_let_in() -> None:
    assert all(len(word) >= SHORTEST_PASSWORD and word == word.casefold() for word in COMMON)
    assert not weak_password("nine lives of a cat", "ann")


@pytest.mark.parametrize("pin", ["0000", "7777", "1234", "4321", "123456", "12"])
def test_pins_that_are_guessed_first_are_refused(people: People, pin: str) -> None:
    assert weak_pin(pin)
    with pytest.raises(FloorError):
        people.change("setup", 0, "sam", ChangePerson("asked for", pin=pin))
    assert people.check_pin(0, "sam", PIN, "here").person == "sam"


@pytest.mark.parametrize(
    "name", ["", " ", "\u3164", "\u2800", "a\u200bb", "\u202eann", "...", "a  b", "ann ", "\u00a0"]
)
def test_names_that_nobody_sees_are_refused(name: str) -> None:
    with pytest.raises(FloorError):
        check_name(name)


@pytest.mark.parametrize("name", ["ann", "Ann Lee", "陈小明", "Nguyễn Thị Hoa", "o'neill", "bot-7", "7"])
def test_names_as_people_have_them_are_taken(name: str) -> None:
    check_name(name)


# --- over HTTP


@pytest.fixture
def house() -> Iterator[Indoors]:
    with indoors() as found:
        yield found


def test_one_changes_one_s_own_password(house: Indoors) -> None:
    before = house.tokens["ann"]
    path = "/api/session/password"
    assert code_of(house.ask("ann", "POST", path, {"old": "wrong one", "new": "nine lives of a cat"})) == "bad_request"
    assert code_of(house.ask("ann", "POST", path, {"old": PASSWORD, "new": "password123"})) == "bad_request"
    assert code_of(house.ask("ann", "GET", "/api/session")) == ""
    house.tokens["ann"] = house.must("ann", "POST", path, {"old": PASSWORD, "new": "nine lives of a cat"})["token"]
    house.http.cookies.clear()
    assert code_of(house.ask("ann", "GET", "/api/session")) == ""
    old = house.http.get("/api/session", headers={"authorization": f"Bearer {before}"})
    assert code_of(old) == "sign_in"
    assert [entry["about"] for entry in house.entries("own password changed")] == ["ann"]


def test_a_crowd_at_the_door_is_refused_early_and_delays_no_table(house: Indoors) -> None:
    """Sign-ins wait in a queue of their own; while it is full, a table takes commands as ever."""
    people = house.floor.people
    waiting = Waiting()
    waiting.may.clear()
    people._hasher = waiting
    house.open_live("T1")
    most = AT_THE_DOOR + LONGEST_QUEUE
    with ThreadPoolExecutor(most + 20) as crowd:
        try:
            tries = [crowd.submit(sign_in, house, f"name {number}") for number in range(most + 20)]
            until(lambda: sum(each.done() for each in tries) >= 20)
            given = house.give("dan", "T1", "still", SignOn("dan", "dealer"))
        finally:
            waiting.may.set()
        codes = [each.result() for each in tries]
    assert code_of(given) == ""
    assert codes.count("too_many") >= 20 - AT_THE_DOOR
    assert set(codes) == {"too_many", "sign_in"}


def sign_in(house: Indoors, name: str) -> str:
    return code_of(house.ask("", "POST", "/api/session", {"name": name, "password": "wrong one"}))
