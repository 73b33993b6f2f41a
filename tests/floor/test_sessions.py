"""Signing in and out, sessions and how they end, who may act for whom: over HTTP and by websocket."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from argon2 import PasswordHasher
from tests.floor.indoors import PINS, Indoors, Json, Socket, code_of, indoors
from tests.floor.serving import PASSWORD, now
from tests.patience import until
from websockets.exceptions import ConnectionClosed

from puntobanco.floor.attempts import MINUTE
from puntobanco.floor.office import FloorError, Office
from puntobanco.floor.people import Identity, Limits, People
from puntobanco.floor.wire import ChangePerson, NewPerson
from puntobanco.rules.model import Authority
from puntobanco.store import MemoryStore, PrivateKey

MINUTES = 60
TOP = max(Authority).value


@pytest.fixture
def house() -> Iterator[Indoors]:
    with indoors() as found:
        yield found


def sign_in(house: Indoors, name: str, password: str = PASSWORD, **headers: str) -> Any:
    return house.ask("", "POST", "/api/session", {"name": name, "password": password}, **headers)


def ended(socket: Socket) -> Json:
    """The last message of a connection that ends."""
    bye = socket.until("bye")
    with pytest.raises(ConnectionClosed):
        socket.hear()
    return bye


# --- signing in


def test_a_session_begins_with_the_right_password_and_ends_with_sign_out(house: Indoors) -> None:
    answer = sign_in(house, "ann")
    assert answer.status_code == 200
    assert answer.json() | {"token": "", "csrf": ""} == {
        "person": "ann",
        "role": "player",
        "rank": "player",
        "token": "",
        "csrf": "",
    }
    house.http.cookies.clear()
    house.tokens["ann"] = answer.json()["token"]
    told = house.must("ann", "GET", "/api/session")
    assert (told["person"], told["csrf"], told["token"]) == ("ann", answer.json()["csrf"], "")
    assert house.ask("ann", "DELETE", "/api/session").status_code == 204
    assert code_of(house.ask("ann", "GET", "/api/session")) == "sign_in"


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(house: Indoors) -> None:
    answers = [sign_in(house, "ann", "wrong one"), sign_in(house, "nobody of that name", "wrong one")]
    answers += [sign_in(house, "ann", ""), sign_in(house, "ann\0", PASSWORD), sign_in(house, "", PASSWORD)]
    assert {(answer.status_code, answer.text) for answer in answers} == {(401, answers[0].text)}
    assert all("set-cookie" not in answer.headers for answer in answers)


class CountingHasher(PasswordHasher):
    """Counts what takes the time of a sign-in."""

    verified = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Any:
        self.verified += 1
        return super().verify(hash, password)


def test_an_unknown_name_costs_as_much_as_a_wrong_password() -> None:
    hasher = CountingHasher(1, 8, 1)
    people = People(Office(MemoryStore(), PrivateKey.generate()), Limits(), hasher)
    people.add("setup", 0, NewPerson("ann", "player", PASSWORD))
    people.add("setup", 0, NewPerson("dan", "dealer", PASSWORD))
    costs = []
    for attempt in (people.sign_in, people.check_pin):
        for name in ("ann", "nobody of that name", "dan"):  # neither has a PIN
            before = hasher.verified
            with pytest.raises(FloorError, match="is wrong"):
                attempt(0, name, "wrong one", "here")
            costs.append(hasher.verified - before)
    assert costs == [1] * 6


@pytest.mark.parametrize("name", ["ann", "nobody of that name"])
def test_too_many_failures_lock_a_name_for_a_while_whether_anybody_has_it_or_not(house: Indoors, name: str) -> None:
    codes = [code_of(sign_in(house, name, "wrong one")) for _ in range(6)]
    assert codes == ["sign_in"] * 5 + ["locked"]
    locked = sign_in(house, name)
    assert (locked.status_code, locked.json()["message"]) == (429, "too many failed sign-ins: try again in 15 min")
    assert code_of(sign_in(house, "bob")) == "", "others can sign in"
    house.ahead += 14 * MINUTES
    assert code_of(sign_in(house, name)) == "locked"
    house.ahead += 2 * MINUTES
    assert code_of(sign_in(house, name)) == ("" if name == "ann" else "sign_in")


def test_a_locked_name_keeps_the_sessions_it_has_and_the_pit_sees_the_lock(house: Indoors) -> None:
    for _ in range(5):
        sign_in(house, "ann", "wrong one")
    assert code_of(house.ask("ann", "GET", "/api/session")) == ""
    people = {person["name"]: person for person in house.must("mia", "GET", "/api/people")}
    assert people["ann"]["locked"]
    assert people["ann"]["sessions"] == 1
    assert not people["bob"]["locked"]
    told = [entry["after"] for entry in house.entries("sign-in failed")]
    assert told == ["1 in a row", "2 in a row", "3 in a row", "4 in a row", "locked"]


def test_a_sign_in_that_works_forgets_the_failures_before(house: Indoors) -> None:
    for _ in range(2):
        codes = [code_of(sign_in(house, "ann", "wrong one")) for _ in range(4)]
        assert codes == ["sign_in"] * 4
        assert code_of(sign_in(house, "ann")) == ""


def test_failures_long_ago_do_not_count(house: Indoors) -> None:
    for _ in range(3):
        for _ in range(4):
            assert code_of(sign_in(house, "ann", "wrong one")) == "sign_in"
        house.ahead += 16 * MINUTES


# --- how sessions end


def test_a_session_that_is_not_used_ends(house: Indoors) -> None:
    house.ahead += 29 * MINUTES
    assert code_of(house.ask("ann", "GET", "/api/session")) == "", "and this was a use of it"
    house.ahead += 29 * MINUTES
    assert code_of(house.ask("ann", "GET", "/api/session")) == ""
    house.ahead += 31 * MINUTES
    assert code_of(house.ask("ann", "GET", "/api/session")) == "sign_in"
    house.sign_in("ann")
    assert code_of(house.ask("ann", "GET", "/api/session")) == ""


def test_a_session_in_use_ends_at_the_longest_time(house: Indoors) -> None:
    for _ in range(35):
        house.ahead += 20 * MINUTES
        assert code_of(house.ask("ann", "GET", "/api/session")) == ""
    house.ahead += 21 * MINUTES
    assert code_of(house.ask("ann", "GET", "/api/session")) == "sign_in"


def test_a_websocket_keeps_its_session_in_use_also_for_other_processes(house: Indoors) -> None:
    """What only the memory of one process knows, another would sweep away."""
    with house.socket("ann") as socket:
        for _ in range(4):
            house.ahead += 20 * MINUTES
            socket.send({"op": "ping", "id": "1"})
            socket.until("pong")
        another = People(Office(house.floor.store, house.floor.key), house.settings.limits)
        another.sweep(house.floor.host.clock())
        socket.send({"op": "ping", "id": "2"})
        assert socket.until("pong")["id"] == "2"
    assert code_of(house.ask("bob", "GET", "/api/session")) == "sign_in"


def test_an_idle_websocket_is_sent_away_with_the_sweep(house: Indoors) -> None:
    with house.socket("ann") as idle:
        house.ahead += 31 * MINUTES
        house.floor.people.sweep(house.floor.host.clock())
        assert ended(idle) == {
            "m": "bye",
            "code": "sign_in",
            "message": "the session is over: sign in again",
            "again": False,
        }


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/people/dan/revoke", {"why": "has left"}),
        ("PATCH", "/api/people/dan", {"why": "told somebody", "password": "another one"}),
        ("PATCH", "/api/people/dan", {"why": "rules now", "role": "pit"}),
        ("PATCH", "/api/people/dan", {"why": "plays now", "role": "player"}),
    ],
    ids=["revoked", "password", "role", "role below"],
)
def test_an_open_websocket_ends_at_once(house: Indoors, method: str, path: str, body: Json) -> None:
    with house.socket("dan") as socket, house.socket("dora") as other:
        house.must("root", method, path, body)
        assert ended(socket)["code"] == "sign_in"
        other.send({"op": "ping"})
        assert other.until("pong")
    over = "role" not in body
    assert code_of(house.ask("dan", "GET", "/api/session")) == ("sign_in" if over else "")


def test_a_websocket_ends_when_the_rank_changes(house: Indoors) -> None:
    with house.socket("sam") as socket:
        house.must("root", "PATCH", "/api/people/sam", {"why": "promoted", "rank": "pit_manager"})
        assert ended(socket)["code"] == "sign_in"
    assert house.must("sam", "GET", "/api/session")["rank"] == "pit_manager"


def test_a_websocket_ends_with_the_sign_out_of_its_session_only(house: Indoors) -> None:
    with house.socket("ann") as stays:
        first = house.tokens["ann"]
        house.sign_in("ann")
        with house.socket("ann") as goes:
            house.must("ann", "DELETE", "/api/session")
            assert ended(goes)["code"] == "sign_in"
        house.tokens["ann"] = first
        stays.send({"op": "ping"})
        assert stays.until("pong")


def test_all_sessions_of_somebody_are_revoked_together(house: Indoors) -> None:
    tokens = [house.sign_in("ann") for _ in range(3)]
    assert code_of(house.ask("mia", "POST", "/api/people/ann/revoke", {"why": " "})) == "bad_request"
    house.must("mia", "POST", "/api/people/ann/revoke", {"why": "lost the phone"})
    for token in tokens:
        house.tokens["ann"] = token
        assert code_of(house.ask("ann", "GET", "/api/tables")) == "sign_in"
    (entry,) = house.entries("sessions revoked")
    assert (entry["actor"], entry["about"], entry["why"]) == ("mia", "ann", "lost the phone")


def test_nothing_is_left_of_sessions_that_ended_whatever_ended_them() -> None:
    store = MemoryStore()
    key = PrivateKey.generate()
    people, another = (People(Office(store, key), Limits(), PasswordHasher(1, 8, 1)) for _ in range(2))
    people.add("setup", 0, NewPerson("ann", "player", PASSWORD))

    def session() -> tuple[str, Identity]:
        token, _ = people.sign_in(0, "ann", PASSWORD, "here")
        identity = people.who(token, 0)
        assert identity is not None
        return token, identity

    def held() -> int:
        return sum(len(each) for each in vars(people).values() if isinstance(each, dict | list | set))

    stays, _ = session()
    people.sweep(0)
    before = held()
    for _ in range(5):
        _, mine = session()
        people.sign_out(mine)
        people.touch(mine, 0)  # by a frame that was on its way
        _, elsewhere = session()
        another.sign_out(elsewhere)
        people.office.heard("documents:session")
    assert people.sweep(0) == 0
    assert held() == before
    assert people.who(stays, 0) is not None
    session()
    people.revoke("setup", 0, "ann", "lost the phone")
    session()
    people.change("setup", 0, "ann", ChangePerson("asked for", password="another one"))
    assert people.sweep(0) == 3
    assert held() == before - 1


def test_the_old_password_and_pin_are_worth_nothing_after_a_change(house: Indoors) -> None:
    house.must("root", "PATCH", "/api/people/sam", {"why": "asked for", "password": "another one", "pin": "9871"})
    assert code_of(sign_in(house, "sam")) == "sign_in"
    assert code_of(sign_in(house, "sam", "another one")) == ""
    house.open_live("T1")
    fill(house, "dora")
    assert code_of(house.ask("dora", "POST", "/api/tables/T1/commands-for", signing("sam", PINS["sam"]))) == "pin"
    assert code_of(house.ask("dora", "POST", "/api/tables/T1/commands-for", signing("sam", "9871"))) == ""


@pytest.mark.parametrize("token", ["x", "Bearer", "a" * 5_000, "../../x", "%00", "é"])
def test_made_up_tokens_are_nobody(house: Indoors, token: str) -> None:
    for header in (f"Bearer {token}", token, f"Basic {token}"):
        answer = house.http.get("/api/session", headers={b"authorization": header.encode("utf-8")})
        assert (answer.status_code, code_of(answer)) == (401, "sign_in")


# --- pages: cookies, tokens against forgery, origins


def page_session(house: Indoors, name: str = "ann") -> tuple[str, str]:
    """A session in a cookie, as browsers have it: the cookie and the token against forgery."""
    answer = sign_in(house, name)
    house.http.cookies.clear()
    return f"puntobanco_session={answer.json()['token']}", answer.json()["csrf"]


@pytest.mark.parametrize("https", [False, True])
def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(https: bool) -> None:
    with indoors(https=https) as house:
        flags = {part.strip().lower() for part in sign_in(house, "ann").headers["set-cookie"].split(";")[1:]}
        assert {"httponly", "samesite=strict", "path=/", f"max-age={720 * 60}"} <= flags
        assert ("secure" in flags) == https
        house.http.cookies.clear()
        gone = house.ask("ann", "DELETE", "/api/session").headers["set-cookie"]
        assert 'puntobanco_session="";' in gone or "puntobanco_session=;" in gone
        assert gone.startswith("__Host-") == https, "a neighbouring host cannot put one in its place"
        strict = house.http.get("/health").headers.get("strict-transport-security", "")
        assert bool(strict) == https
        if https:  # and none of the other name counts
            token = house.sign_in("ann")
            for name, status in (("puntobanco_session", 401), ("__Host-puntobanco_session", 200)):
                answer = house.http.get("/api/session", headers={"cookie": f"{name}={token}"})
                assert answer.status_code == status
        assert "max-age=0" in gone.lower()


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "csrf"),
        ({"x-csrf-token": ""}, "csrf"),
        ({"x-csrf-token": "0" * 32}, "csrf"),
        ({"x-csrf-token": "é"}, "csrf"),
        ({"x-csrf-token": "OTHER"}, "csrf"),
        ({"x-csrf-token": "RIGHT"}, ""),
        ({"x-csrf-token": "RIGHT", "origin": "OWN"}, ""),
        ({"x-csrf-token": "RIGHT", "origin": "https://elsewhere.example"}, "origin"),
        ({"x-csrf-token": "RIGHT", "origin": "null"}, "origin"),
        ({"x-csrf-token": "RIGHT", "origin": ""}, "origin"),
        ({"x-csrf-token": "RIGHT", "origin": "http://["}, "origin"),
        ({"x-csrf-token": "RIGHT", "origin": "http://127.0.0.1"}, "origin"),
        ({"x-csrf-token": "RIGHT", "origin": "https://friend.example"}, ""),
    ],
)
def test_what_changes_something_carries_the_token_of_the_page(
    forms: tuple[Indoors, str, str, str], headers: dict[str, str], code: str
) -> None:
    house, cookie, right, other = forms
    values = {"RIGHT": right, "OTHER": other, "OWN": house.address}
    sent = {"cookie": cookie, "content-type": "application/json"}
    sent |= {name: values.get(value, value) for name, value in headers.items()}
    body = b'{"id": "1", "body": {"do": "call"}}'
    answer = house.http.post(
        "/api/tables/T1/commands",
        content=body,
        headers={name.encode(): value.encode("latin-1") for name, value in sent.items()},
    )
    found = code_of(answer)
    assert found == (code or "rank"), "whoever gets past is told that a player calls no rounds"
    assert answer.status_code == (403 if code else 409)


@pytest.fixture(scope="module")
def forms() -> Iterator[tuple[Indoors, str, str, str]]:
    with indoors(origins=("https://friend.example",)) as house:
        house.open_live("T1")
        cookie, right = page_session(house)
        yield house, cookie, right, page_session(house, "bob")[1]


def test_looking_needs_the_cookie_only(forms: tuple[Indoors, str, str, str]) -> None:
    house, cookie, _, _ = forms
    assert house.http.get("/api/tables", headers={"cookie": cookie}).status_code == 200
    assert house.http.get("/api/tables", headers={"cookie": f"{cookie}x"}).status_code == 401


def test_other_sites_cannot_sign_anybody_in(forms: tuple[Indoors, str, str, str]) -> None:
    house = forms[0]
    for origin, code in (("https://elsewhere.example", "origin"), ("null", "origin"), (house.address, "")):
        assert code_of(sign_in(house, "ann", origin=origin)) == code
    house.http.cookies.clear()


@pytest.mark.parametrize("by", ["cookie", "token"])
@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://[", "OWN", "https://friend.example"])
def test_websockets_of_other_sites_are_refused(forms: tuple[Indoors, str, str, str], origin: str, by: str) -> None:
    house, cookie, _, _ = forms
    good = origin in ("OWN", "https://friend.example")
    headers = {"origin": house.address if origin == "OWN" else origin} | ({"cookie": cookie} if by == "cookie" else {})
    with house.socket("" if by == "cookie" else "ann", hello=good, **headers) as socket:
        if not good:
            assert socket.hear()["code"] == "origin"
            with pytest.raises(ConnectionClosed) as closed:
                socket.hear()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4403


def test_a_websocket_without_a_session_is_told_to_sign_in(house: Indoors) -> None:
    house.tokens["made up"] = "x" * 43
    for name in ("", "made up"):
        with house.socket(name, hello=False) as socket:
            assert socket.hear()["code"] == "sign_in"
            with pytest.raises(ConnectionClosed) as closed:
                socket.hear()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4401


# --- devices


def test_a_device_has_its_credential_until_it_is_removed(house: Indoors) -> None:
    house.open_live("T1")
    for name, kind in (("eye", "scanner"), ("board", "display")):
        told = house.must("root", "POST", "/api/devices", {"name": name, "kind": kind, "table": "T1"})
        house.tokens[name] = told["token"]
        assert told["name"] == name
    again = house.ask("root", "POST", "/api/devices", {"name": "eye", "kind": "scanner", "table": "T1"})
    assert code_of(again) == "exists"
    nowhere = house.ask("root", "POST", "/api/devices", {"name": "other", "kind": "scanner", "table": "T2"})
    assert code_of(nowhere) == "not_found"
    house.must("dan", "POST", "/api/tables/T1/commands", {"id": "1", "body": {"do": "new_shoe", "evidence": "new"}})
    with house.socket("eye") as eye, house.socket("board") as board:
        assert eye.do("T1", "1", {"do": "draw", "card": "9h"})["m"] == "done"
        assert board.do("T1", "1", {"do": "draw", "card": "9h"})["code"] == "role"
        house.must("root", "DELETE", "/api/devices/eye")
        assert ended(eye)["code"] == "sign_in"
        board.send({"op": "ping"})
        assert board.until("pong")
    assert code_of(house.give("eye", "T1", "2", {"do": "draw"})) == "sign_in"
    assert code_of(house.ask("root", "DELETE", "/api/devices/eye")) == "not_found"
    assert [entry["about"] for entry in house.entries("device removed")] == ["eye"]


# --- a second person


def fill(house: Indoors, by: str, request: str = "1") -> None:
    body = {"do": "request_fill", "request": request, "kind": "fill", "chips": {"100": 5}}
    house.must(by, "POST", "/api/tables/T1/commands", {"id": f"fill {request}", "body": body})


def signing(person: str, pin: str, id: str = "sign", request: str = "1") -> Json:
    return {"person": person, "pin": pin, "give": {"id": id, "body": {"do": "sign_fill", "request": request}}}


def test_a_second_person_signs_at_the_console_by_pin(house: Indoors) -> None:
    house.open_live("T1")
    fill(house, "dan")
    path = "/api/tables/T1/commands-for"
    assert code_of(house.ask("dan", "POST", path, signing("dan", PINS["dan"], "own"))) == "second_person"
    assert code_of(house.ask("dan", "POST", path, signing("sam", "0000"))) == "pin"
    assert code_of(house.ask("dan", "POST", path, signing("dora", ""))) == "pin", "who has no PIN signs nothing"
    assert code_of(house.ask("ann", "POST", path, signing("sam", PINS["sam"]))) == "role"
    signed = house.ask("dan", "POST", path, signing("sam", PINS["sam"]))
    assert (signed.status_code, signed.json()["repeated"]) == (200, False)
    again = house.ask("dan", "POST", path, signing("sam", PINS["sam"]))
    assert (again.json()["repeated"], again.json()["version"]) == (True, signed.json()["version"])
    assert code_of(house.ask("dan", "POST", path, signing("sam", PINS["sam"], "new id"))) == "unknown_request"
    signers = [each["event"] for each in house.events("T1") if each["event"]["event"] == "fill_signed"]
    assert len(signers) == 1
    assert [entry["about"] for entry in house.entries("PIN failed")] == ["sam", "dora"]


def test_a_ruling_is_approved_once_by_somebody_else_with_the_rank_for_it(house: Indoors) -> None:
    house.open_live("T1")
    path = "/api/tables/T1/commands-for"
    for number, body in enumerate(({"do": "new_shoe", "evidence": "new"}, {"do": "call"}, {"do": "close"})):
        house.must("sam", "POST", "/api/tables/T1/commands", {"id": str(number), "body": body})
    chief = {"name": "cho", "role": "pit", "rank": TOP, "password": PASSWORD, "pin": "4826"}
    house.must("root", "POST", "/api/people", chief)
    house.sign_in("cho")
    propose = {"do": "propose", "ruling": {"ruling": "void"}, "reason": "no light"}
    house.must("dan", "POST", "/api/tables/T1/commands", {"id": "p", "body": propose})
    house.must("root", "POST", "/api/people", chief | {"name": "cleo", "pin": "5937"})

    def approve(person: str, pin: str, id: str) -> str:
        body = {"person": person, "pin": pin, "give": {"id": id, "body": {"do": "approve", "proposal": 1}}}
        return code_of(house.ask("dan", "POST", path, body))

    assert approve("dan", PINS["dan"], "a") == "second_person"
    assert code_of(house.give("dan", "T1", "a", {"do": "approve", "proposal": 1})) == "second_person"
    assert approve("sam", PINS["sam"], "a") == "rank"
    assert approve("cleo", "5937", "a") == ""
    assert approve("cleo", "5937", "a") == "", "the same again is the same answer"
    assert [approve("cleo", "5937", "b"), approve("cho", "4826", "c")] == ["unknown_request"] * 2
    voided = [each for each in house.events("T1") if each["event"]["event"] == "round_voided"]
    assert len(voided) == 1


def test_guessing_pins_locks_the_name(house: Indoors) -> None:
    house.open_live("T1")
    fill(house, "dan")
    path = "/api/tables/T1/commands-for"
    codes = [code_of(house.ask("dan", "POST", path, signing("sam", f"000{each}"))) for each in range(5)]
    assert codes == ["pin"] * 5
    assert code_of(house.ask("dan", "POST", path, signing("sam", PINS["sam"]))) == "locked"
    assert code_of(sign_in(house, "sam")) == "locked"
    house.ahead += 16 * MINUTES
    assert code_of(house.ask("dan", "POST", path, signing("sam", PINS["sam"]))) == ""


# --- rates


def test_sign_ins_from_one_address_are_limited() -> None:
    with indoors(sign_ins=3) as house:
        codes = [code_of(sign_in(house, f"name {each}", "wrong one")) for each in range(5)]
        assert codes == ["sign_in"] * 3 + ["too_many"] * 2
        elsewhere = {"x-forwarded-for": "192.0.2.7"}
        assert code_of(sign_in(house, "ann", **elsewhere)) == "", "the proxy before the floor tells who asks"
    with indoors(sign_ins=3, proxies=("192.0.2.1",)) as house:
        codes = [code_of(sign_in(house, "nobody", **{"x-forwarded-for": f"192.0.2.{each}"})) for each in range(5)]
        assert codes == ["sign_in"] * 3 + ["too_many"] * 2, "whoever is no proxy is not believed"


def test_one_person_has_so_many_connections_and_no_more() -> None:
    with indoors(streams=2) as house, house.socket("ann"), house.socket("bob"):
        with house.socket("ann"), house.socket("ann", hello=False) as third:
            bye = third.hear()
            assert (bye["m"], bye["code"]) == ("bye", "too_many")
            assert "2 connections" in bye["message"]
        until(
            lambda: sum(each.identity.person == "ann" for each in tuple(house.floor.streams)) == 1,
            "the connection that was closed is still counted",
        )
        with house.socket("ann") as again:
            again.send({"op": "ping", "id": "1"})
            assert again.until("pong")["id"] == "1"


def test_requests_from_one_address_are_limited() -> None:
    with indoors(rate=1e-6, burst=10) as house:  # however long the requests take
        codes = [code_of(house.ask("ann", "GET", "/api/tables")) for _ in range(20)]
        assert codes == [""] * 10 + ["too_many"] * 10
        refused = house.ask("ann", "GET", "/api/tables")
        assert (refused.status_code, code_of(refused)) == (429, "too_many")
        with house.socket("ann", hello=False) as socket:
            assert socket.hear()["code"] == "too_many"


def test_whoever_floods_a_websocket_is_made_to_wait() -> None:
    with indoors(rate=50, burst=20) as house, house.socket("ann") as socket:
        begun = now()
        for each in range(60):
            socket.send({"op": "ping", "id": str(each)})
        assert [socket.until("pong")["id"] for _ in range(60)] == [str(each) for each in range(60)]
        assert now() - begun > 600, "forty of them at fifty a second"


def test_minutes_are_minutes() -> None:
    assert MINUTE == 1000 * MINUTES
