"""Who may do what: every command by HTTP and by websocket, and every address, for every role there is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any, get_args

import pytest
from litestar.routes import HTTPRoute
from tests.floor.indoors import Indoors, Json, Socket, code_of, indoors
from tests.floor.serving import PASSWORD, ROOT

from puntobanco.floor.app import Outside
from puntobanco.table.commands import AnyCommand

ANN = {"person": "ann"}
RULING = {"ruling": "play_on"}
BODIES: dict[str, Json] = {
    "open_table": {
        "settings": {"table": "T3", "game": "super-six", "layout": "A", "positions": 9, "decks": 8},
    },
    "close_table": {"count": {}},
    "sign_on": {"person": "newcomer", "rank": "dealer"},
    "sign_off": {"person": "ACTOR"},
    "join": ANN | {"box": 1},
    "leave": ANN,
    "set_limits": {"minimum": 100},
    "set_differential": {"limit": 5000},
    "waive_insurance": ANN,
    "buy_in": ANN | {"amount": 100, "source": "account"},
    "cash_out": ANN | {"amount": 1},
    "chips_in": ANN | {"amount": 100},
    "chips_out": ANN | {"amount": 1},
    "tip": ANN | {"amount": 1},
    "request_fill": {"request": "ID", "kind": "fill", "chips": {"100": 1}},
    "sign_fill": {"request": "none"},
    "cancel_fill": {"request": "none"},
    "new_shoe": {"evidence": "shuffled"},
    "cut": ANN | {"position": 20},
    "pledge_seed": ANN | {"pledge": "0" * 64},
    "show_seed": ANN | {"seed": "0" * 64},
    "close_seeds": {},
    "burn": {"cards": [None]},
    "cut_card": {},
    "end_shoe": {},
    "return_cards": {},
    "hold_suspect": ANN | {"what": "chips", "amount": 1, "about": "no mark"},
    "resolve_suspect": {"number": 1, "genuine": True, "finding": "examined"},
    "call": {},
    "place": ANN | {"box": 1, "wagers": {"player": 1}},
    "withdraw": ANN | {"box": 1, "bet": "player"},
    "refuse_balance": ANN,
    "close": {},
    "ask_squeeze": ANN | {"hand": "player"},
    "ask_early_squeeze": ANN | {"how": "expose"},
    "answer_squeeze": ANN | {"granted": True},
    "bar_squeeze": ANN,
    "deal": {"cards": ["9h"]},
    "draw": {"card": "9h"},
    "put_card": {"number": 1, "hand": "player"},
    "turn": {"number": 1},
    "offer_insurance": {},
    "insure": ANN | {"box": 1, "hand": "player", "amount": 1},
    "pass_insurance": ANN,
    "close_insurance": {},
    "announce": {"result": "tie"},
    "settle": {},
    "confirm": {"box": 1},
    "override_confirmation": {"reason": "asked for"},
    "find_bet": ANN | {"box": 1, "bet": "player", "amount": 1},
    "late_chips": ANN | {"box": 1, "bet": "player", "amount": 1, "what": "placed"},
    "walk_away": ANN,
    "come_back": ANN,
    "report_cards": {"fault": "unshuffled", "about": "seen"},
    "report": {"what": "display", "about": "dark"},
    "report_interruption": {"about": "no light"},
    "report_round": {"round": 1, "cards": ["9h"], "about": "seen later"},
    "meant_to_insure": ANN | {"hand": "player"},
    "propose": {"ruling": RULING},
    "approve": {"proposal": 99},
    "decline": {"proposal": 99},
    "take_option": ANN | {"goes_on": True},
    "raise_dispute": ANN | {"about": "the last round"},
    "note_on_dispute": {"dispute": 9, "what": "facts", "note": "seen"},
    "decide_dispute": {"dispute": 9, "decision": "stands", "grounds": ["game_rules"]},
    "answer_dispute": ANN | {"dispute": 9, "agrees": True},
}
"""A command of every kind, mostly about Ann. Most come to nothing; the question is who is let so far."""

NEEDED = """
nobody      open_table
anybody     turn
own         join leave buy_in cash_out tip cut place withdraw refuse_balance ask_squeeze ask_early_squeeze insure
own         pass_insurance come_back take_option raise_dispute answer_dispute pledge_seed show_seed
dealer      sign_off chips_in chips_out request_fill sign_fill cancel_fill new_shoe burn cut_card call close
dealer      answer_squeeze deal draw put_card offer_insurance close_insurance announce settle confirm find_bet
dealer      late_chips walk_away report_cards report report_interruption report_round meant_to_insure propose
dealer      approve decline return_cards hold_suspect close_seeds
supervisor  close_table sign_on end_shoe note_on_dispute waive_insurance
manager     set_limits set_differential bar_squeeze override_confirmation resolve_suspect
above       decide_dispute
"""
NEEDS = {tag: need for need, *tags in map(str.split, NEEDED.strip().splitlines()) for tag in tags}
LADDER = ("player", "dealer", "supervisor", "manager", "above")
RANKS = {"ann": "player", "bob": "player", "dan": "dealer", "sam": "supervisor", "mia": "manager"}
ACTORS = (*RANKS, "sue", "root", "scanner", "scanner elsewhere", "shoe", "display", "")
AUTHORITY = {"role", "rank", "not_yours", "sign_in"}


def expected(actor: str, tag: str) -> str:
    """The code that keeps somebody from a command; empty where nothing of the kind does."""
    need = NEEDS[tag]
    if not actor:
        return "sign_in"
    if actor in ("scanner", "shoe"):
        return "" if tag == "draw" else "role"
    if actor not in RANKS or need == "nobody":
        return "role"
    if need in ("own", "anybody"):
        return "not_yours" if need == "own" and actor == "bob" else ""
    return "" if LADDER.index(RANKS[actor]) >= LADDER.index(need) else "rank"


@pytest.fixture(scope="module")
def house() -> Iterator[Indoors]:
    with indoors() as found:
        for table in ("T1", "T2", "T9"):
            found.open_live(table)
        for table in ("T1", "T2"):
            found.add_device(f"scanner {table}", "scanner", table)
            found.add_device(f"shoe {table}", "shoe", table)
            found.add_device(f"display {table}", "display", table)
        found.add_device("scanner elsewhere", "scanner", "T9")
        yield found


def name_at(actor: str, table: str) -> str:
    return f"{actor} {table}" if actor in ("scanner", "shoe", "display") else actor


def test_every_command_by_http_and_by_websocket_is_refused_to_those_who_may_not_give_it(house: Indoors) -> None:
    """The same commands go to one table by HTTP and to its twin by websocket, and get the same answers."""
    sockets: dict[str, Socket] = {}
    for table in ("T1", "T2"):
        assert code_of(house.give("ann", table, "sit", {"do": "join", **ANN, "box": 1})) == ""
        buy = {"do": "buy_in", **ANN, "amount": 100_00, "source": "account"}
        assert code_of(house.give("dan", table, "buy", buy)) == ""
    for actor in filter(None, ACTORS):
        sockets[actor] = house.socket(name_at(actor, "T2"))
    wrong: list[str] = []
    numbers = count()
    for tag, values in BODIES.items():
        for actor in ACTORS:
            id = f"{next(numbers)}"
            stands_for = {"ACTOR": actor, "ID": id}
            body = {"do": tag} | {name: stands_for.get(str(value), value) for name, value in values.items()}
            by_http = code_of(house.give(name_at(actor, "T1"), "T1", id, body))
            by_socket = sockets[actor].do("T2", id, body).get("code", "") if actor else refused_socket(house)
            found = by_http if by_http in AUTHORITY else ""
            if by_http != by_socket or found != expected(actor, tag):
                wrong.append(f"{actor or 'nobody'} {tag}: {by_http} by HTTP, {by_socket} by websocket")
    for socket in sockets.values():
        socket.close()
    assert not wrong, "\n".join(wrong)


def refused_socket(house: Indoors) -> str:
    with house.socket("", hello=False) as socket:
        return str(socket.hear()["code"])


def test_the_matrix_has_every_command() -> None:
    tags = {str(command.__struct_config__.tag) for command in get_args(AnyCommand)}
    assert tags == set(BODIES) == set(NEEDS)


# --- addresses

PEOPLE = "player dealer supervisor manager surveillance admin"
ALL = f"{PEOPLE} scanner shoe display"
PIT = "supervisor manager admin"
MANAGERS = "manager admin"
WHY: Json = {"why": "asked for"}
ADDRESSES: dict[str, tuple[str, Any]] = {
    "GET /api/session": (PEOPLE, None),
    "DELETE /api/session": (PEOPLE, None),
    "POST /api/session/password": (PEOPLE, {"old": "not this one", "new": "quite another one"}),
    "POST /api/session/factor": ("dealer supervisor manager surveillance admin", {"password": "not this one"}),
    "PUT /api/session/factor": ("dealer supervisor manager surveillance admin", {"code": "000000"}),
    "GET /api/account": (PEOPLE, None),
    "GET /api/account/limits": ("player", None),
    "PUT /api/account/limits": ("player", {"reminder": 60}),
    "GET /api/tables": (ALL, None),
    "POST /api/tables": (MANAGERS, {"settings": BODIES["open_table"]["settings"] | {"table": "@"}}),
    "GET /api/tables/{table}": (ALL, None),
    "GET /api/tables/{table}/corrections/{number}": ("dealer supervisor manager surveillance", None),
    "GET /api/tables/{table}/events": (ALL, None),
    "GET /api/tables/{table}/shoes/{number}": (ALL, None),
    "POST /api/tables/{table}/commands": (ALL, {"id": "", "body": {"do": "draw"}}),
    "POST /api/tables/{table}/commands-for": (
        "dealer supervisor manager",
        {"person": "nobody of that name", "pin": "0000", "give": {"id": "", "body": {"do": "draw"}}},
    ),
    "POST /api/tables/{table}/light": ("shoe", {"result": "tie"}),
    "GET /api/tables/{table}/receipts/{version}": (ALL, None),
    "GET /api/tables/{table}/log": (f"surveillance {MANAGERS}", None),
    "POST /api/tables/{table}/verify": (f"surveillance {PIT}", None),
    "POST /api/tables/{table}/clear-fault": (MANAGERS, WHY),
    "GET /api/people": (PIT, None),
    "POST /api/people": (PIT, {"name": "@", "role": "player", "password": "a password"}),
    "PATCH /api/people/{name}": ("admin", WHY),
    "POST /api/people/{name}/revoke": (MANAGERS, WHY),
    "POST /api/people/{name}/money": (MANAGERS, {"id": "1", "amount": 1, "currency": "SGD"}),
    "GET /api/calls": (f"dealer surveillance {PIT}", None),
    "POST /api/tables/{table}/call": ("dealer supervisor manager", {"why": ""}),
    "DELETE /api/tables/{table}/call": ("dealer supervisor manager", None),
    "GET /api/stops": (f"surveillance {PIT}", None),
    "POST /api/stops": (PIT, {"kind": "person", "name": "nobody of that name", "why": "asked for"}),
    "POST /api/stops/lift": (MANAGERS, {"kind": "person", "name": "nobody of that name", "why": "asked for"}),
    "GET /api/devices": ("admin", None),
    "GET /api/tables/{table}/course": ("supervisor manager surveillance admin", None),
    "POST /api/devices": ("admin", {"name": "@", "kind": "display", "table": "T9"}),
    "DELETE /api/devices/{name}": ("admin", None),
    "POST /api/self-check": ("admin", None),
    "GET /api/significant": (f"surveillance {MANAGERS}", None),
    "GET /api/tables/{table}/rounds": (ALL, None),
    "GET /api/tables/{table}/replay": (ALL, None),
    "GET /api/tables/{table}/odds": ("supervisor manager surveillance", None),
    "GET /api/reports": (f"surveillance {PIT}", None),
    "GET /api/reports/page": (f"surveillance {PIT}", None),
    "GET /api/reports/csv/{kind}": (f"surveillance {PIT}", None),
    "GET /api/figures": (f"surveillance {PIT}", None),
    "GET /api/games": (PEOPLE, None),
    "GET /api/odds/{game}": (PEOPLE, None),
}
OPEN = {
    "POST /api/session",
    "GET /api/key",
    "GET /health",
    "GET /ready",
    "GET /metrics",
    "GET /",
    "GET /{path}",
    "GET /api/docs",
    "GET /api/docs/openapi.json",
    "GET /api/docs/asyncapi.json",
    "GET /api/docs/{path}",
}
"""Addresses for which nobody has to sign in."""
ROLE_OF = {
    "ann": "player",
    "dan": "dealer",
    "sam": "supervisor",
    "mia": "manager",
    "sue": "surveillance",
    "root": "admin",
    "scanner T1": "scanner",
    "shoe T1": "shoe",
    "display T1": "display",
    "": "nobody",
}


@pytest.mark.parametrize("name", ROLE_OF)
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_lets_in_whom_it_should(house: Indoors, address: str, name: str) -> None:
    allowed, body = ADDRESSES[address]
    method, path = address.split()
    path = path.format(table="T1", number=1, version=1, name="nobody of that name", kind="none", game="none")
    try:
        answer = house.ask(name, method, path, body)
    finally:
        if name and address == "DELETE /api/session" and name in ("ann", "dan", "sam", "mia", "sue", "root"):
            house.sign_in(name)
    code = code_of(answer)
    if not name:
        assert (answer.status_code, code) == (401, "sign_in")
    elif ROLE_OF[name] in allowed.split():
        assert code not in ("role", "sign_in")
        assert answer.status_code < 500
    else:
        assert (answer.status_code, code) == (403, "role")


def test_no_address_is_missing(house: Indoors) -> None:
    served = house.server.config.app
    assert isinstance(served, Outside)
    found = {
        f"{method} {route.path_format}"
        for route in served.app.routes
        if isinstance(route, HTTPRoute)
        for method in route.methods
        if method != "OPTIONS"
    }
    assert found == set(ADDRESSES) | OPEN


def test_whoever_may_not_is_told_so_before_the_body_is_read(house: Indoors) -> None:
    """A body that nobody can read tells nothing to those who have no business there."""
    for name, code in (("", "sign_in"), ("ann", "role"), ("root", "bad_request")):
        assert code_of(house.ask(name, "POST", "/api/people", [1, 2])) == code


def test_the_pit_adds_players_only(house: Indoors) -> None:
    for role in ("dealer", "pit", "surveillance", "admin"):
        new = {"name": f"new {role}", "role": role, "password": "a password"}
        assert code_of(house.ask("mia", "POST", "/api/people", new)) == "role"
    new = {"name": "eve", "role": "player", "password": PASSWORD}
    assert code_of(house.ask("sam", "POST", "/api/people", new)) == ""


def test_only_the_pit_and_surveillance_see_closed_tables(house: Indoors) -> None:
    for name, role in ROLE_OF.items():
        wanted = "" if role in ("supervisor", "manager", "surveillance") else "role" if name else "sign_in"
        assert code_of(house.ask(name, "GET", "/api/tables?closed=true")) == wanted


def test_a_device_sees_its_own_table_and_no_other(house: Indoors) -> None:
    for name in ("scanner elsewhere", "display T1"):
        own = "T9" if name == "scanner elsewhere" else "T1"
        assert [brief["table"] for brief in house.must(name, "GET", "/api/tables")] == [own]
        for table in ("T1", "T2", "T9"):
            for path in ("", "/events", "/receipts/1"):
                code = code_of(house.ask(name, "GET", f"/api/tables/{table}{path}"))
                assert code == ("role" if table != own else "not_found" if path == "/receipts/1" else "")
            with house.socket(name) as socket:
                socket.send({"op": "watch", "table": table})
                heard = socket.hear()
                assert heard["m"] == ("view" if table == own else "bad"), heard


def test_a_rank_that_was_taken_away_is_worth_nothing_at_tables_where_it_was_shown(house: Indoors) -> None:
    """The table remembers the dealer; the floor does not let a player act as one."""
    house.must("root", "POST", "/api/people", {"name": "dave", "role": "dealer", "password": PASSWORD})
    house.sign_in("dave")
    note = {"do": "request_fill", "kind": "fill", "chips": {"100": 1}}
    assert code_of(house.give("dave", "T9", "1", note | {"request": "first"})) == ""
    house.must("root", "PATCH", "/api/people/dave", {"role": "player", "why": "plays now"})
    assert code_of(house.give("dave", "T9", "2", note | {"request": "second"})) == "rank"
    house.must("root", "PATCH", "/api/people/dave", {"role": "pit", "why": "rules now"})
    assert code_of(house.give("dave", "T9", "3", {"do": "end_shoe"})) == "no_shoe"
    house.must("root", "PATCH", "/api/people/dave", {"role": "dealer", "why": "deals again"})
    assert code_of(house.give("dave", "T9", "4", {"do": "end_shoe"})) == "rank"


def test_a_dealer_inspector_is_one_at_hoiana_and_a_pit_supervisor_elsewhere(house: Indoors) -> None:
    """The rank stands in one book (Hoiana 8.1); the person works at every table."""
    person = {"name": "nia", "role": "pit", "rank": "dealer_inspector", "password": PASSWORD}
    house.must("root", "POST", "/api/people", person)
    (listed,) = (each for each in house.must("root", "GET", "/api/people") if each["name"] == "nia")
    assert listed["rank"] == "dealer_inspector"
    house.sign_in("nia")
    for table, game, rank in (
        ("inspected", "dragon-tiger-commission", "dealer_inspector"),
        ("supervised", "super-six", "pit_supervisor"),
    ):
        house.open_live(table, game)
        note = {"do": "note_on_dispute", "dispute": 1, "what": "facts", "note": "heard"}
        assert code_of(house.give("nia", table, "1", note)) == "unknown_request"
        staff = house.view("mia", table)["felt"]["staff"]
        assert [one["rank"] for one in staff if one["person"] == "nia"] == [rank]
    wrong = {"name": "noa", "role": "dealer", "rank": "dealer_inspector", "password": PASSWORD}
    assert code_of(house.ask("root", "POST", "/api/people", wrong)) == "bad_request"


def test_nobody_gets_the_answer_to_the_command_of_another(house: Indoors) -> None:
    """Ids belong to their senders: the same id from two people is two commands, and a device is nobody's namesake."""
    house.add_device("dora", "scanner", "T9")
    scanner, house.tokens["scanning dora"] = house.tokens.pop("dora"), ""
    house.tokens["scanning dora"] = scanner
    house.sign_in("dora")
    house.must("dan", "POST", "/api/tables/T9/commands", {"id": "shoe", "body": {"do": "new_shoe", "evidence": "new"}})
    answers = [house.give(name, "T9", "same", {"do": "draw"}) for name in ("scanning dora", "dora", "dan")]
    assert [answer.json().get("repeated", False) for answer in answers] == [False] * 3
    assert house.give("dora", "T9", "same", {"do": "draw"}).json()["repeated"]


@pytest.mark.parametrize(
    "name", ["a:b", "a/b", "house", "@1", "*", "faults", ".", "..", " a", "a\0", "", "x" * 65, "a\nb"]
)
def test_names_that_could_be_taken_for_something_else_are_refused(house: Indoors, name: str) -> None:
    person = {"name": name, "role": "player", "password": PASSWORD}
    device = {"name": name, "kind": "display", "table": "T9"}
    settings = BODIES["open_table"]["settings"] | {"table": name}
    assert code_of(house.ask("root", "POST", "/api/people", person)) == "bad_request"
    assert code_of(house.ask("root", "POST", "/api/devices", device)) == "bad_request"
    assert code_of(house.ask("root", "POST", "/api/tables", {"settings": settings})) == "bad_request"


def test_the_tables_of_the_documentation_are_up_to_date() -> None:
    script = [sys.executable, str(ROOT / "scripts" / "tools" / "floor_reference.py"), "--check"]
    checked = subprocess.run(script, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_the_page_of_the_floor_lists_every_address(house: Indoors) -> None:
    text = (ROOT / "docs" / "floor.md").read_text(encoding="utf-8")
    for path, methods in house.must("", "GET", "/api/docs/openapi.json")["paths"].items():
        for method in methods:
            assert f"`{method.upper()} {path}`" in text or f"`{path}`" in text, (method, path)
