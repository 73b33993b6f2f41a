"""A second factor: codes by the RFC, none good twice, and what a thief of the password or of the database lacks."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from urllib.parse import parse_qs, urlsplit

import pytest
from scripts.tools.tamper_test import build
from tests.floor.indoors import Indoors, code_of, indoors
from tests.floor.serving import HASHER, PASSWORD
from tests.floor.test_guessing import answer
from tests.patience import limit
from tests.store.server import PostgresServer

from puntobanco.cli import main
from puntobanco.floor import factor
from puntobanco.floor.factor import PERIOD
from puntobanco.floor.office import Office
from puntobanco.floor.people import Limits, People
from puntobanco.floor.wire import NewPerson
from puntobanco.store import MemoryStore, PrivateKey
from puntobanco.store.logs import open_store

RFC = {
    59: "287082",
    1111111109: "081804",
    1111111111: "050471",
    1234567890: "005924",
    2000000000: "279037",
    20000000000: "353130",
}
"""RFC 6238, appendix B: seconds since 1970, and the last six digits of the code."""
NOW = 1_800_000_000_000


@pytest.mark.parametrize("seconds", RFC)
def test_codes_are_those_of_the_rfc(seconds: int) -> None:
    assert factor.code_of(b"12345678901234567890", seconds * 1000 // PERIOD) == RFC[seconds]


def people(limits: Limits | None = None) -> People:
    found = People(Office(MemoryStore(), PrivateKey.generate()), limits or Limits(), HASHER)
    found.add("setup", NOW, NewPerson("root", "admin", PASSWORD))
    found.add("setup", NOW, NewPerson("ann", "player", PASSWORD))
    return found


def authenticator(address: str, now: int) -> str:
    """The code that the telephone shows, which has seen the address and nothing else."""
    (secret,) = parse_qs(urlsplit(address).query)["secret"]
    return factor.code_of(base64.b32decode(secret), now // PERIOD)


def test_a_password_alone_is_not_enough() -> None:
    found, now = people(), NOW
    address = found.factors.begin("setup", now, "root", proven=True)
    code = authenticator(address, now)
    assert answer(found.sign_in, now, "root", PASSWORD, "here") == "second_factor"
    assert answer(found.sign_in, now, "root", "another", "here", code) == "sign_in"
    assert answer(found.sign_in, now, "root", PASSWORD, "here", code) == ""
    assert answer(found.sign_in, now, "root", PASSWORD, "here", code) == "second_factor", "seen over a shoulder"
    later = now + PERIOD
    assert answer(found.sign_in, later, "root", PASSWORD, "here", authenticator(address, later)) == ""
    assert answer(found.sign_in, now, "ann", PASSWORD, "here") == ""


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_code_that_is_shown_twice_at_once_is_good_once(kind: str, tmp_path: Path, postgres: PostgresServer) -> None:
    """Whoever has read a code over a shoulder sends it in the same moment, perhaps to another process."""
    key, now = PrivateKey.generate(), NOW
    stores = [open_store(str(tmp_path / "record.db"))] * 2
    if kind == "postgres":
        address = postgres.schema()
        stores = [open_store(address) for _ in range(2)]
    two = [People(Office(store, key), Limits(), HASHER) for store in stores]
    two[0].add("setup", now, NewPerson("root", "admin", PASSWORD))
    address = two[0].factors.begin("setup", now, "root", proven=True)
    two[1].office.heard("*")
    for round in range(4):  # a fifth wrong code locks the name
        now = NOW + 3 * PERIOD * round
        code, both = authenticator(address, now), Barrier(2)

        def sign_in(one: People, now: int = now, code: str = code, both: Barrier = both) -> str:
            both.wait(limit())
            return answer(one.sign_in, now, "root", PASSWORD, "here", code)

        with ThreadPoolExecutor(2) as pair:
            assert sorted(pair.map(sign_in, two)) == ["", "second_factor"]
    for store in stores:
        store.close()


@pytest.mark.parametrize("code", ["é", "１２３４５６", "0" * 1_000, " ", "\0"])
def test_what_is_no_code_is_a_wrong_one(code: str) -> None:
    found = people()
    found.factors.begin("setup", NOW, "root", proven=True)
    assert answer(found.sign_in, NOW, "root", PASSWORD, "here", code) == "second_factor"


def test_a_session_alone_learns_no_code(house: Indoors) -> None:
    """Whoever has found a session open may not try codes of an authenticator that is in use."""
    now = house.floor.host.clock()
    address = house.floor.people.factors.begin("setup", now, "dora", proven=True)
    refused = house.ask("dora", "PUT", "/api/session/factor", {"code": authenticator(address, now)})
    assert code_of(refused) == "exists"
    signing = {"name": "dora", "password": PASSWORD, "code": authenticator(address, now)}
    assert code_of(house.ask("", "POST", "/api/session", signing)) == "", "and has used none up"


def test_a_clock_may_differ_by_a_step_and_no_more() -> None:
    for steps, granted in ((-2, False), (-1, True), (0, True), (1, True), (2, False)):
        found = people()
        code = authenticator(found.factors.begin("setup", NOW, "root", proven=True), NOW + steps * PERIOD)
        assert (answer(found.sign_in, NOW, "root", PASSWORD, "here", code) == "") is granted, steps


def test_who_guesses_codes_is_locked_out() -> None:
    found = people()
    found.factors.begin("setup", NOW, "root", proven=True)
    codes = [answer(found.sign_in, NOW, "root", PASSWORD, "here", f"x{number}") for number in range(6)]
    assert codes == ["second_factor"] * 5 + ["locked"]


def test_a_lost_authenticator_is_taken_away_and_another_is_another() -> None:
    found = people()
    first = found.factors.begin("setup", NOW, "root", proven=True)
    second = found.factors.begin("setup", NOW, "root", proven=True)
    assert first != second
    assert answer(found.sign_in, NOW, "root", PASSWORD, "here", authenticator(first, NOW)) == "second_factor"
    found.factors.remove("setup", NOW, "root")
    assert answer(found.sign_in, NOW, "root", PASSWORD, "here") == ""


def test_a_house_may_want_one_of_everybody_but_players() -> None:
    found = people(Limits(second_factor=True))
    assert answer(found.sign_in, NOW, "root", PASSWORD, "here") == "second_factor"
    assert answer(found.sign_in, NOW, "ann", PASSWORD, "here") == ""


def test_the_database_has_nothing_to_make_codes_from() -> None:
    store = MemoryStore()
    found = People(Office(store, PrivateKey.generate()), Limits(), HASHER)
    found.add("setup", NOW, NewPerson("root", "admin", PASSWORD))
    address = found.factors.begin("setup", NOW, "root", proven=True)
    thief = People(Office(store, PrivateKey.generate()), Limits(), HASHER)
    assert thief.factors.secret("root") != found.factors.secret("root")
    (secret,) = parse_qs(urlsplit(address).query)["secret"]
    with store.rows() as rows:
        assert not any(secret in str(row) or base64.b32decode(secret).hex() in str(row) for row in rows)


@pytest.fixture(scope="module")
def house() -> Iterator[Indoors]:
    with indoors() as found:
        yield found


def test_staff_enrol_by_themselves(house: Indoors) -> None:
    path, now = "/api/session/factor", house.floor.host.clock()
    assert code_of(house.ask("sam", "POST", path, {"password": "another"})) == "bad_request"
    assert code_of(house.ask("ann", "POST", path, {"password": PASSWORD})) == "role"
    address = house.must("sam", "POST", path, {"password": PASSWORD})["address"]
    assert code_of(house.ask("", "POST", "/api/session", {"name": "sam", "password": PASSWORD})) == "", "not yet"
    assert code_of(house.ask("sam", "PUT", path, {"code": "000000"})) == "second_factor"
    house.must("sam", "PUT", path, {"code": authenticator(address, now)})
    signing = {"name": "sam", "password": PASSWORD}
    refused = house.ask("", "POST", "/api/session", signing)
    assert (refused.status_code, code_of(refused)) == (401, "second_factor")
    code = authenticator(address, now + PERIOD)
    assert code_of(house.ask("", "POST", "/api/session", signing | {"code": code})) == ""
    assert code_of(house.ask("sam", "POST", path, {"password": PASSWORD})) == "exists"
    assert [each["actor"] for each in house.entries("second factor given") if each["about"] == "sam"] == ["sam"]


def test_by_the_command_line(tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path_factory.mktemp("factor")
    build(folder)
    main(["admin", "factor", "sam", "--folder", str(folder)])
    assert capsys.readouterr().out.startswith("otpauth://totp/puntobanco:sam?secret=")
    main(["admin", "factor", "sam", "--remove", "--folder", str(folder)])
    with pytest.raises(SystemExit) as ended:
        main(["admin", "factor", "nobody", "--folder", str(folder)])
    assert ended.value.code == 2
    main(["admin", "audit", "--folder", str(folder)])
