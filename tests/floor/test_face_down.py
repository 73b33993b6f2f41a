"""While a player squeezes, the card is in the record and nowhere else: staff ask for it in every way there is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from tests.floor.indoors import Indoors, Json, indoors
from tests.floor.serving import KINDS, Kind, table_settings
from tests.patience import until
from tests.store.server import PostgresServer

from puntobanco.store import verify_log
from puntobanco.table import commands as c

VALUES = {"table": "T1", "number": "1", "kind": "statistics", "game": "tiger-buffalo", "path": "x"}
QUERIES = {"day": "", "shift": "", "people": "true", "statistics": "true", "public": "false", "closed": "true"}


def _until(house: Indoors, kind: str, *, give: c.AnyCommand | None = None) -> None:
    """Let time pass until that has happened; the next card is a long time away then."""

    def there() -> bool:
        if kind in house.kinds("T1"):
            return True
        house.ahead += 100
        return False

    until(there, lambda: f"there is no {kind}: {house.kinds('T1')[-5:]}")
    if give is not None:
        assert house.give("ann", "T1", kind, give).status_code == 200


@pytest.fixture(params=KINDS)
def house(request: pytest.FixtureRequest) -> Iterator[Indoors]:
    """Ann squeezes her first card and takes her time."""
    kind: Kind = request.param
    server: PostgresServer | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    pace = {"for_squeeze": 10**9, "between_cards": 10**6, "idle": 10**6, "longest": 10**6}
    with indoors(**pace, **({"store": server.schema()} if server else {})) as found:
        found.open(table_settings("T1", "tiger-buffalo", face_down=True, countdown=300))
        found.must("ann", "POST", "/api/tables/T1/commands", {"id": "sit", "body": c.Join("ann", 1)})
        found.must("ann", "POST", "/api/tables/T1/commands", {"id": "buy", "body": c.BuyIn("ann", 1_000_00, "account")})
        _until(found, "round_called", give=c.Place("ann", 1, {"player": 100_00}))
        _until(found, "bets_closed", give=c.AskSqueeze("ann", "player"))  # type: ignore[arg-type]
        _until(found, "card_drawn")
        yield found


def card_in_the_record(house: Indoors) -> str:
    lines = b"".join(house.floor.host.keeper.export("T1")).decode()
    card: str
    (card,) = re.findall(r'"event":"card_drawn","number":1,"card":"(..)"', lines)
    return card


def addresses(house: Indoors) -> list[str]:
    """Every address that is read, with what it may be asked for."""
    version = house.view("sue", "T1")["version"]
    values = VALUES | {"version": str(version)}
    document: Json = house.must("", "GET", "/api/docs/openapi.json")
    found = []
    for path, methods in document["paths"].items():
        if "get" not in methods or path.startswith("/api/odds/"):
            continue  # of full shoes, and at length
        asked: list[str] = []
        for parameter in methods["get"].get("parameters", ()):
            name = parameter["name"]
            if parameter["in"] == "path":
                path = path.replace("{" + name + "}", quote(values[name]))
            elif name in ("after", "most", "shoe", "layout", "decks", "table"):
                continue
            else:
                asked.append(f"{name}={ {'first': 1, 'last': version, **QUERIES}[name] }".replace(" ", ""))
        found.append("?".join(filter(None, (path, "&".join(asked)))))
    return found


def names(card: str, text: str) -> bool:
    """Whether it is told anywhere, on its own or in a row of cards."""
    return re.search(rf"(?<![0-9A-Za-z]){card}(?![0-9A-Za-z])", text) is not None


def test_nobody_on_the_staff_learns_a_card_that_is_squeezed(house: Indoors) -> None:
    card, asked = card_in_the_record(house), addresses(house)
    assert {"/api/tables/T1/log", "/metrics", "/health", "/api/significant", "/api/reports"} <= {
        each.split("?")[0] for each in asked
    }
    heard: list[tuple[str, str, str]] = []
    for name in ("sue", "mia", "sam", "root", "dan", "ann"):
        for method, path in (
            *(("GET", path) for path in asked),
            ("POST", "/api/tables/T1/verify"),
            ("POST", "/api/self-check"),
        ):
            heard.append((name, path, house.ask(name, method, path).text))
        with house.socket(name) as stream:
            stream.send({"op": "watch", "table": "T1", "after": 0})
            heard.append((name, "stream", str(stream.until("events")) + str(stream.until("view"))))
            stream.send({"op": "watch", "table": "T1", "whole": True})
            heard.append((name, "stream", str(stream.until("view"))))
    leaks = [(name, path) for name, path, text in heard if names(card, text)]
    assert not leaks
    assert "card_drawn" in house.kinds("T1"), "that there is one, everybody sees"


def test_everybody_at_the_table_sees_how_it_is_bent_and_no_record_has_it(house: Indoors) -> None:
    version = house.view("sue", "T1")["version"]
    bend: Json = {"op": "bend", "table": "T1", "card": 1, "grip": [0.0, 0.5], "at": [0.25, 0.5]}
    with house.socket("ann") as ann, house.socket("sue") as sue, house.socket("bob") as bob:
        for socket in (ann, sue, bob):
            socket.send({"op": "watch", "table": "T1"})
            socket.until("view")
        for name, refused, code in (
            ("bob", bend, "role"),
            ("ann", bend | {"card": 2}, "role"),
            ("ann", bend | {"at": [9.0, 0.5]}, "bad_request"),
            ("ann", bend | {"at": [1, 2, 3]}, "bad_request"),
            ("ann", bend | {"table": "T7"}, "role"),
        ):
            socket = {"ann": ann, "bob": bob}[name]
            socket.send(refused)
            assert socket.until("bad")["code"] == code, refused
        ann.send(bend)
        ann.send(bend | {"done": True})
        for socket in (sue, bob):
            heard = [socket.until("bent") for _ in range(2)]
            assert [each.pop("done") for each in heard] == [False, True]
            assert heard == [{"m": "bent", **{name: bend[name] for name in ("table", "card", "grip", "at")}}] * 2
        ann.send({"op": "ping", "id": "mine"})
        while (heard_by_ann := ann.hear())["m"] != "pong":
            assert heard_by_ann["m"] != "bent", "who bends it sees it already"
    assert house.view("sue", "T1")["version"] == version


def test_the_log_leaves_the_house_as_far_as_before_the_card_and_whole_afterwards(house: Indoors) -> None:
    card = card_in_the_record(house)
    held = house.floor.host.keeper._hold("T1")
    for anew in (False, True):
        if anew:  # as after a start
            with held.lock:
                held.forget()
        log = house.ask("sue", "GET", "/api/tables/T1/log").content
        report = verify_log(log)
        assert report.problem is None
        assert b"card_drawn" not in log
        assert b"squeeze_answered" in log, "and no less than that"
        assert house.must("sue", "POST", "/api/tables/T1/verify")["events"] > report.events
    assert house.give("ann", "T1", "turns", c.Turn(1)).status_code == 200
    assert f'"card":"{card}"' in house.ask("sue", "GET", "/api/tables/T1/log").text
