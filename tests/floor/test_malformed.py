"""Frames and requests that make no sense: each is answered clearly, none is an error of the server's."""

from __future__ import annotations

import asyncio
import json
import logging
import socket as sockets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from litestar.exceptions import InternalServerException
from tests.floor.indoors import PLAYERS, STAFF, Indoors, Json, Socket, code_of, indoors
from tests.floor.serving import table_settings
from tests.patience import limit
from websockets.exceptions import ConnectionClosed

from puntobanco.floor import stream as streaming
from puntobanco.floor.wire import FLOOR_CODES, Problem
from puntobanco.table.refusals import CODES

KILO = 1024


@pytest.fixture(scope="module")
def house() -> Iterator[Indoors]:
    with indoors() as found:
        found.open_live("T1")
        yield found


@pytest.fixture(autouse=True)
def _no_error_in_the_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Nothing that anybody sends is worth an error in the server's log."""
    yield
    # the client's library says something of its own when it is cut off in the middle of a frame
    said = [record for record in caplog.get_records("call") if record.name != "websockets.client"]
    assert [record.getMessage() for record in said if record.levelno >= logging.ERROR] == []


def goes_on(socket: Socket) -> None:
    """The connection still serves."""
    socket.send({"op": "ping", "id": "still there"})
    while socket.until("pong")["id"] != "still there":
        pass


# --- frames

DEEP = "[" * 5_000 + "]" * 5_000
DO: dict[str, Any] = {"op": "do", "table": "T1", "id": "1", "body": {"do": "call"}}
BAD_FRAMES: dict[str, str | bytes] = {
    "nothing": "",
    "no JSON": "call",
    "half of it": '{"op": "ping"',
    "two": '{"op": "ping"} {"op": "ping"}',
    "a list": "[]",
    "a number": "17",
    "null": "null",
    "no op": "{}",
    "unknown op": '{"op": "shuffle"}',
    "op of another type": '{"op": 7}',
    "unknown field": '{"op": "ping", "pong": true}',
    "wrong type": '{"op": "watch", "table": 1}',
    "missing": '{"op": "watch"}',
    "fraction": '{"op": "watch", "table": "T1", "after": 1.5}',
    "unknown command": json.dumps(DO | {"body": {"do": "cheat"}}),
    "no command": json.dumps(DO | {"body": {}}),
    "unknown field of a command": json.dumps(DO | {"body": {"do": "call", "again": True}}),
    "no card": json.dumps(DO | {"body": {"do": "draw", "card": "17x"}}),
    "deep": DEEP,
    "deep inside": '{"op": "ping", "id": ' + DEEP + "}",
    "deep objects": '{"a":' * 5_000 + "1" + "}" * 5_000,
    "not a number": '{"op": "watch", "table": "T1", "after": NaN}',
    "half a pair": '{"op": "ping", "id": "\\ud800"}',
    "bytes that are no text": b"\xff\xfe\x00",
    "bytes that are no JSON": b"call",
    "NUL": "\0",
}


@pytest.mark.parametrize("frame", BAD_FRAMES.values(), ids=BAD_FRAMES)
def test_a_frame_that_cannot_be_read_is_answered_and_the_connection_goes_on(house: Indoors, frame: str | bytes) -> None:
    with house.socket("ann") as socket:
        socket.raw.send(frame)
        answer = socket.hear()
        assert (answer["m"], answer["code"]) == ("bad", "bad_request")
        assert 0 < len(answer["message"]) < 500
        goes_on(socket)


STRANGE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
FRAMES = st.dictionaries(
    st.sampled_from(["op", "table", "id", "body", "after", "views", "public", "against", "do"]), STRANGE, max_size=6
).flatmap(lambda found: st.sampled_from(["watch", "unwatch", "do", "ping", "bend"]).map(lambda op: found | {"op": op}))


def test_whatever_is_sent_gets_one_answer_or_none_and_the_connection_goes_on(house: Indoors) -> None:
    with house.socket("ann") as socket:

        @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
        @given(FRAMES | STRANGE)
        def whatever(frame: Any) -> None:
            socket.raw.send(json.dumps(frame))
            goes_on(socket)

        whatever()


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"op": "watch", "table": "T7"}, "not_found"),
        ({"op": "watch", "table": "@office"}, "not_found"),
        ({"op": "watch", "table": "\0"}, "not_found"),
        ({"op": "watch", "table": "T1", "after": -1}, "bad_request"),
        ({"op": "watch", "table": "T1", "after": 10**9}, "bad_request"),
        ({"op": "watch", "table": "T1", "after": 10**18}, "bad_request"),
    ],
)
def test_a_frame_that_cannot_be_served_is_answered(house: Indoors, frame: dict[str, Any], code: str) -> None:
    with house.socket("ann") as socket:
        socket.send(frame)
        answer = socket.hear()
        assert (answer["m"], answer["code"]) == ("bad", code)
        goes_on(socket)


def test_leaving_a_table_that_nobody_watches_is_nothing(house: Indoors) -> None:
    with house.socket("ann") as socket:
        socket.send({"op": "unwatch", "table": "T7"})
        goes_on(socket)


@pytest.mark.parametrize(("kilo", "survives"), [(63, True), (70, True), (200, True), (300, False), (10_000, False)])
def test_frames_that_are_too_large_are_refused(house: Indoors, kilo: int, survives: bool) -> None:
    with house.socket("ann") as socket:
        frame = '{"op": "ping", "id": "' + "x" * (kilo * KILO) + '"}'
        if not survives:
            with suppress(ConnectionClosed):
                socket.raw.send(frame)
            with pytest.raises(ConnectionClosed) as closed:
                socket.hear()
            # the rest of a very large one may meet a connection that is gone
            assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
            return
        socket.raw.send(frame)
        answer = socket.hear()
        assert answer["m"] == ("pong" if kilo < 64 else "bad")
        assert answer.get("code", "too_large") == "too_large"
        goes_on(socket)


def test_the_limit_of_a_frame_counts_bytes(house: Indoors) -> None:
    with house.socket("ann") as socket:
        socket.raw.send('{"op": "ping", "id": "' + "虎" * (30 * KILO) + '"}')
        assert socket.hear()["code"] == "too_large"


@pytest.mark.parametrize("id", ["", "x" * 65, "a\0b"])
def test_ids_have_a_length(house: Indoors, id: str) -> None:
    assert code_of(house.give("dan", "T1", id, {"do": "cut_card"})) == "bad_request"
    with house.socket("dan") as socket:
        assert socket.do("T1", id, {"do": "cut_card"})["code"] == "bad_request"


@pytest.mark.parametrize(
    "body",
    [
        {"do": "buy_in", "person": "ann", "amount": 10**30, "source": "account"},
        {"do": "buy_in", "person": "ann", "amount": -5, "source": "account"},
        {"do": "buy_in", "person": "ann", "amount": 2**63 - 1, "source": "account"},
        {"do": "buy_in", "person": "a\0b", "amount": 5, "source": "account"},
        {"do": "join", "person": "\0", "box": 1},
        {"do": "join", "person": "ann", "box": 10**20},
        {"do": "place", "person": "ann", "box": 1, "wagers": {"\0": 10**30}},
        {"do": "new_shoe", "evidence": "\0" * 1000},
        {"do": "request_fill", "request": "\0", "kind": "fill", "chips": {"100": 10**25}},
        {"do": "chips_in", "person": "ann", "amount": 10**25},
        {"do": "close_table", "count": {"100": 10**30}},
        {"do": "report", "what": "display", "about": "😀" * 100},
    ],
)
def test_senseless_commands_are_refused_by_both_ways_in(house: Indoors, body: dict[str, Any]) -> None:
    by_http = house.give("dan", "T1", f"{time.monotonic_ns()}", body)
    assert by_http.status_code in (200, 400, 409), by_http.text
    with house.socket("dan") as socket:
        sent = {"op": "do", "table": "T1", "id": f"{time.monotonic_ns()}", "body": body}
        socket.raw.send(json.dumps(sent))
        answer = socket.hear()
        assert answer["m"] in ("done", "refused", "bad"), answer
        assert answer.get("code") != "failed"
        goes_on(socket)


# --- requests


def problem(answer: httpx.Response) -> Problem:
    """The problem of an answer, which is whole and says something."""
    assert answer.headers["content-type"].startswith("application/json"), answer.text
    found = msgspec.json.decode(answer.content, type=Problem)
    assert found.code in FLOOR_CODES or found.code in CODES
    assert found.message
    assert "Traceback" not in answer.text
    assert ".py" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    return found


@pytest.mark.parametrize("body", BAD_FRAMES.values(), ids=BAD_FRAMES)
@pytest.mark.parametrize("path", ["/api/session", "/api/tables/T1/commands", "/api/people", "/api/stops"])
def test_a_body_that_cannot_be_read_is_answered(house: Indoors, path: str, body: str | bytes) -> None:
    data = body.encode() if isinstance(body, str) else body
    headers = house.headers("root") | {"content-type": "application/json"}
    answer = house.http.post(path, content=data, headers=headers)
    assert answer.status_code == 400
    assert problem(answer).code == "bad_request"


@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "x"]
)
def test_a_body_of_another_type_is_read_as_json_or_refused(house: Indoors, media_type: str) -> None:
    """What a form of another site can send never signs anybody in or does anything by itself."""
    for data in (b'{"name": "ann", "password": "wrong one"}', b"name=ann&password=x", b"\xff"):
        answer = house.http.post("/api/session", content=data, headers={"content-type": media_type})
        assert answer.status_code in (400, 401, 415)
        problem(answer)


@pytest.mark.parametrize("size", [70 * KILO, 1000 * KILO, 10_000 * KILO])
@pytest.mark.parametrize("chunked", [False, True])
def test_bodies_that_are_too_large_are_refused(house: Indoors, size: int, chunked: bool) -> None:
    data = b'{"name": "' + b"x" * size + b'", "password": "a password"}'
    parts = (data[first : first + 60_000] for first in range(0, len(data), 60_000))
    content: Any = parts if chunked else data
    try:
        answer = house.http.post("/api/session", content=content, headers={"content-type": "application/json"})
    except (httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
        return  # the answer was there before all of it was sent, and the connection closed
    assert answer.status_code == 413
    assert problem(answer).code == "too_large"


BAD_PATHS = (
    "/api/tables/T7",
    "/api/tables/%00",
    "/api/tables/@office",
    "/api/tables/@office/log",
    "/api/tables/@office/events",
    "/api/tables/..%2f..%2fetc%2fpasswd",
    "/api/tables/%2e%2e",
    "/api/tables/%ff%fe",
    "/api/tables/T1%00",
    "/api/tables/T1/events?after=-1",
    "/api/tables/T1/events?after=x",
    "/api/tables/T1/events?after=1e5",
    f"/api/tables/T1/events?after={10**30}",
    "/api/tables/T1/events?most=0",
    f"/api/tables/T1/events?most={10**30}",
    "/api/tables/T1/events?after=0&after=1",
    "/api/tables/T1?public=perhaps",
    f"/api/tables/T1/receipts/{10**30}",
    "/api/tables/T1/receipts/-1",
    "/api/tables/T1/receipts/x",
    f"/api/tables/T1/corrections/{10**30}",
    "/api/tables/T1/corrections/-1",
    f"/api/significant?after={10**30}",
    "/api/significant?most=1001",
    "/api/significant?after=%00",
    "/api/tables?closed=maybe",
    "/api/nothing",
    "/api/tables/T1/nothing",
    "/api//tables",
    "/api/../api/tables/T7",
)


HARMLESS = {
    "/api/tables/T1/events?after=1e5",
    "/api/tables/T1/events?after=0&after=1",
    f"/api/tables/T1/corrections/{10**30}",
    "/api/tables/T1/corrections/-1",
    "/api//tables",
}
"""What can be understood after all."""


@pytest.mark.parametrize("path", BAD_PATHS)
@pytest.mark.parametrize("name", ["mia", "ann", ""])
def test_strange_addresses_are_answered(house: Indoors, path: str, name: str) -> None:
    answer = raw_get(house, path, name)
    assert answer.status_code < 500
    if answer.status_code >= 400:
        problem(answer)
    else:
        assert path in HARMLESS


def raw_get(house: Indoors, path: str, name: str) -> httpx.Response:
    """A request whose path no client has tidied up."""
    url = httpx.URL(house.address).copy_with(raw_path=path.encode())
    return house.http.send(httpx.Request("GET", url, headers=house.headers(name)))


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "HEAD", "POST"])
def test_methods_that_an_address_does_not_know(house: Indoors, method: str) -> None:
    answer = house.http.request(method, "/api/tables/T1", headers=house.headers("mia"))
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]
    if method != "HEAD":
        assert problem(answer).code == "method"


@pytest.mark.parametrize(
    "data",
    [
        b"GET /api/tables HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
        b"GET /api/tables HTTP/1.1\r\nHost: x\r\nCookie: puntobanco_session=\xff;;;=\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /api/tables HTTP/1.1\r\n\r\n",
        b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"GET /api/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"rubbish\r\n\r\n",
    ],
)
def test_what_is_hardly_http_breaks_nothing(house: Indoors, data: bytes) -> None:
    host, port = house.address.removeprefix("http://").split(":")
    with sockets.create_connection((host, int(port)), timeout=limit()) as raw:
        raw.sendall(data)
        status = int(raw.recv(20).split()[1])
    assert 400 <= status < 500


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/people/ann/money", {"id": "1", "amount": 10**30, "currency": "SGD"}),
        ("/api/people/ann/money", {"id": "1", "amount": 0, "currency": "SGD"}),
        ("/api/people/ann/money", {"id": "", "amount": 1, "currency": "SGD"}),
        ("/api/people/ann/money", {"id": "a\0", "amount": 1, "currency": "SGD"}),
        ("/api/people/ann/money", {"id": "x" * 60_000, "amount": 1, "currency": "SGD"}),
        ("/api/people/ann/money", {"id": "1", "amount": -(10**14), "currency": "SGD"}),
        ("/api/people/ann/money", {"id": "1", "amount": 1.5, "currency": "SGD"}),
        ("/api/people/dan/money", {"id": "1", "amount": 1, "currency": "SGD"}),
        ("/api/people", {"name": "new", "role": "player", "password": "short"}),
        ("/api/people", {"name": "new", "role": "player", "password": "x" * 300}),
        ("/api/people", {"name": "new", "role": "player", "password": "long enough", "rank": "dealer"}),
        ("/api/people", {"name": "new", "role": "dealer", "password": "long enough", "rank": "pit_manager"}),
        ("/api/people", {"name": "new", "role": "dealer", "password": "long enough", "pin": "12"}),
        ("/api/people", {"name": "new", "role": "owner", "password": "long enough"}),
        ("/api/people/ann/revoke", {"why": ""}),
        ("/api/stops", {"kind": "everything", "name": "T1", "why": "no light"}),
        ("/api/stops", {"kind": "table", "why": "no light"}),
        ("/api/stops", {"kind": "table", "name": "T1", "why": ""}),
        ("/api/stops", {"kind": "shift", "name": "T1", "why": "no light"}),
        ("/api/devices", {"name": "eye", "kind": "camera", "table": "T1"}),
        ("/api/tables", {"settings": {"table": "T2"}}),
    ],
)
def test_senseless_orders_of_the_house_are_refused(house: Indoors, path: str, body: Any) -> None:
    before = house.must("root", "GET", "/api/significant")
    answer = house.ask("root", "POST", path, body)
    assert answer.status_code == 400, answer.text
    assert problem(answer).code == "bad_request"
    assert house.must("root", "GET", "/api/significant") == before, "and the log says nothing of it"


def test_tables_that_cannot_be_are_not_opened_and_leave_nothing_behind(house: Indoors) -> None:
    settings = msgspec.to_builtins(table_settings("T2"))
    wrong: list[Json] = [{"decks": 99}, {"positions": 0}, {"game": "whist"}, {"layout": "Z"}, {"chips": []}]
    for changes in wrong:
        answer = house.ask("root", "POST", "/api/tables", {"settings": settings | changes})
        assert (answer.status_code, problem(answer).code) == (409, "bad_settings")
    calls_by_itself = settings | {"automated": ["call", *settings["automated"]]}
    answer = house.ask("root", "POST", "/api/tables", {"settings": calls_by_itself})
    assert problem(answer).code == "bad_request"
    answer = house.ask("root", "POST", "/api/tables", {"settings": settings, "opening_float": {"7": 1}})
    assert answer.status_code == 409
    assert set(house.floor.host.mailboxes) == {"T1"}
    assert code_of(house.ask("mia", "GET", "/api/tables/T2")) == "not_found"


def test_the_errors_of_the_server_itself_tell_nothing(house: Indoors, caplog: pytest.LogCaptureFixture) -> None:
    """A fault is in the log, and the client hears that there was one."""

    def fails(*_: Any) -> None:
        raise RuntimeError("a secret of the house")

    keep = house.floor.people.stops
    house.floor.people.stops = fails  # type: ignore[method-assign, assignment]
    try:
        answer = house.ask("root", "GET", "/api/stops")
    finally:
        house.floor.people.stops = keep  # type: ignore[method-assign]
    assert (answer.status_code, problem(answer).code) == (500, "failed")
    assert "secret" not in answer.text
    assert "a secret of the house" in caplog.text
    caplog.clear()


# --- slow clients


@pytest.mark.parametrize("reads_again", [True, False])
def test_a_client_that_does_not_read_is_sent_away_and_can_go_on_where_it_was(
    monkeypatch: pytest.MonkeyPatch, reads_again: bool
) -> None:
    """With the good-bye, or without where it takes nothing at all."""
    monkeypatch.setattr(streaming, "PATIENCE", 20)
    monkeypatch.setattr(streaming, "LAST_WORDS", 2.0 if reads_again else 0.2)
    with indoors() as house:
        house.open_live("T1")
        with house.socket("dan") as dealer, house.socket("sue") as slow:
            slow.send({"op": "watch", "table": "T1", "after": 0})
            seen = slow.until("events")["events"]
            (stream,) = (each for each in house.floor.streams if each.identity.person == "sue")
            release = hold(stream, house)
            for number in range(30):
                fill = {"do": "request_fill", "request": str(number), "kind": "fill", "chips": {"100": 1}}
                assert dealer.do("T1", str(number), fill)["m"] == "done"
            if reads_again:
                release()
            heard: Json = {}
            with suppress(ConnectionClosed):
                while heard.get("m") != "bye":
                    heard = slow.hear()
                    seen += heard["events"] if heard["m"] == "events" else []
            if reads_again:
                assert (heard["code"], heard["again"]) == ("too_many", True)
            assert stream not in house.floor.streams or reads_again
        with house.socket("sue") as again:
            again.send({"op": "watch", "table": "T1", "after": seen[-1]["version"]})
            last = house.view("sue", "T1")["version"]
            while seen[-1]["version"] < last:
                seen += again.until("events")["events"]
        assert [event["version"] for event in seen] == list(range(1, last + 1))


def hold(stream: streaming.Stream, house: Indoors) -> Callable[[], object]:
    """Nothing goes out to this client any more, as if its network took nothing, until what this returns is called."""
    free, send = asyncio.Event(), stream._socket.send
    loop = house.floor.host.mailboxes["T1"]._task.get_loop()

    async def wait_and_send(frame: str) -> None:
        await free.wait()
        await send(frame)

    stream._socket.send = wait_and_send  # type: ignore[method-assign]
    stream._socket.take = lambda frame: False  # type: ignore[method-assign]
    return lambda: loop.call_soon_threadsafe(free.set)


def test_everybody_is_still_there(house: Indoors) -> None:
    """After all of the above the floor serves."""
    assert house.must("root", "GET", "/health")["status"] == "ok"
    assert {person["name"] for person in house.must("root", "GET", "/api/people")} >= {*STAFF, *PLAYERS}


# --- beyond any amount


BEYOND: list[Json] = [
    {"do": "buy_in", "person": "ann", "amount": 10**15 + 1, "source": "account"},
    {"do": "buy_in", "person": "ann", "amount": 10**40, "source": "cash"},
    {"do": "chips_in", "person": "ann", "amount": 10**20},
    {"do": "place", "person": "ann", "box": 1, "wagers": {"banker": 2**63}},
    {"do": "request_fill", "request": "f", "kind": "fill", "chips": {"10000": 10**13}},
    {"do": "decide_dispute", "dispute": 1, "decision": "x", "grounds": [], "pays": -(10**16)},
]


@pytest.mark.parametrize("body", BEYOND)
def test_an_amount_beyond_any_is_refused_before_the_table_is_asked(house: Indoors, body: Json) -> None:
    answer = house.give("dan", "T1", f"beyond {body['do']}", body)
    assert (answer.status_code, code_of(answer)) == (409, "bad_amount")
    assert "at most 1000000000000000" in answer.text


def test_a_table_with_amounts_beyond_any_does_not_open(house: Indoors) -> None:
    settings = msgspec.to_builtins(table_settings("T77"))
    for plan in (
        {"settings": settings, "opening_float": {"100": 10**14}},
        {"settings": settings | {"limits": {"minimum": 1, "maximum": 10**16, "step": 1}}},
    ):
        answer = house.ask("mia", "POST", "/api/tables", plan)
        assert code_of(answer) == "bad_amount", answer.text


@pytest.mark.parametrize("error", [OverflowError("x"), InternalServerException("x")])
def test_what_the_server_cannot_do_is_logged_with_its_traceback(
    house: Indoors, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(house.floor.host, "brief", fails)
    answer = house.ask("ann", "GET", "/api/tables")
    assert (answer.status_code, code_of(answer)) == (500, "failed")
    assert "Traceback" in caplog.text
    caplog.clear()


def test_a_view_that_cannot_be_made_is_told_to_who_looks(
    house: Indoors, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> None:
        raise OverflowError("a number that nobody can show")

    monkeypatch.setattr("puntobanco.floor.stream.look", fails)
    with house.socket("sue") as socket:
        socket.send({"op": "watch", "table": "T1"})
        told = socket.hear()
        assert (told["m"], told["code"]) == ("bad", "failed")
        assert "T1" in told["message"]
        socket.send({"op": "ping", "id": "p"})
        assert socket.hear()["m"] == "pong", "the connection goes on"
    assert "a number that nobody can show" in caplog.text
    caplog.clear()
