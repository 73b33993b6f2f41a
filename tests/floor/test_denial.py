"""Strangers who connect and say nothing, or too much: they run out of places first, and nobody at a table notices."""

from __future__ import annotations

import os
import resource
import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
import pytest
from tests.floor.indoors import Indoors, indoors
from tests.patience import limit, until
from tests.store.server import PostgresServer

from puntobanco.floor import interface
from puntobanco.floor import stream as streams
from puntobanco.floor.doorway import AT_ONCE, LARGEST_HEAD, UNREAD, Door, place_of
from puntobanco.floor.gate import address_of
from puntobanco.floor.host import LOOKS, THREADS
from puntobanco.floor.settings import FloorSettings
from puntobanco.floor.stream import UNREAD as UNREAD_OF_A_STREAM
from puntobanco.store import MemoryStore, PrivateKey
from puntobanco.store import keeper as keepers
from puntobanco.store.base import UnavailableError
from puntobanco.store.chain import read_line
from puntobanco.store.keeper import Keeper
from puntobanco.store.postgres import CONNECTIONS, PostgresStore
from puntobanco.store.witness import Witness
from puntobanco.table import commands as c

MOST, EACH = 40, 20


@pytest.fixture
def roomy() -> Iterator[Indoors]:
    """Of those who are signed in and may connect as they like."""
    with indoors() as found:
        found.open_live("T1")
        yield found


@pytest.fixture(scope="module")
def house() -> Iterator[Indoors]:
    with indoors(connections=MOST, connections_each=EACH, silent=0.5, unread=0.5, proxies=("127.0.0.9",)) as found:
        found.open_live("T1")
        yield found


def connected(house: Indoors, stack: ExitStack, here: str = "127.0.0.1") -> socket.socket:
    host, port = house.address.removeprefix("http://").split(":")
    found = stack.enter_context(socket.create_connection((host, int(port)), limit(), (here, 0)))
    found.settimeout(limit())
    return found


def is_over(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def test_silent_connections_end_and_give_way(house: Indoors) -> None:
    with ExitStack() as stack:
        silent = [connected(house, stack, f"127.0.1.{number}") for number in range(3 * MOST)]
        assert house.view("sue", "T1")["public"]["phase"] == "idle", "there is room for who asks for something"
        assert all(map(is_over, silent))
    assert house.http.get("/health").status_code == 200
    assert not house.floor.host.keeper.faults


def test_one_address_has_so_many(house: Indoors) -> None:
    with ExitStack() as stack:
        some = [connected(house, stack, "127.0.2.1") for _ in range(EACH)]
        assert is_over(connected(house, stack, "127.0.2.1"))
        other = connected(house, stack, "127.0.2.2")
        other.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert other.recv(12) == b"HTTP/1.1 200"
        assert len(some) == EACH


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::1", "::/64"),
        ("nowhere", "nowhere"),
    ],
)
def test_whoever_has_a_network_has_one_address(address: str, place: str) -> None:
    """A household's network in IPv6 has 2⁶⁴ addresses: each would be allowed its own connections and guesses."""
    assert place_of(address) == place
    connection: Any = SimpleNamespace(client=SimpleNamespace(host=address))
    assert address_of(connection) == place, "and so it is counted for requests and sign-ins"


def test_a_request_that_comes_drop_by_drop_ends(house: Indoors) -> None:
    with ExitStack() as stack:
        slow = connected(house, stack)
        slow.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nX-A: ")
        assert is_over(slow)
        # a second request of a connection that was good once is held to the same
        second = connected(house, stack)
        second.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        assert second.recv(65_536).startswith(b"HTTP/1.1 200")
        second.sendall(b"GET /health HTTP/1.1\r\nX-A: ")
        assert is_over(second)


HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
UPGRADE = (
    b"GET /api/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
SLOW = b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"


@pytest.mark.parametrize("asks", [HEALTH, UPGRADE, SLOW], ids=["asked once", "websocket", "slow body"])
def test_strangers_who_have_asked_for_something_give_way(
    house: Indoors, asks: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """Two addresses with half a body on each connection kept everybody out for as long as they liked."""
    with house.socket("bob") as mine, ExitStack() as stack:
        for number in range(3 * MOST):
            stranger = connected(house, stack, f"127.0.4.{number % 200 + 1}")
            stranger.sendall(asks)
            if asks is not SLOW:
                with suppress(ConnectionError):
                    stranger.recv(12)
            if number % MOST == MOST - 1:
                with httpx.Client(base_url=house.address, timeout=limit()) as client:
                    assert client.get("/api/session", headers=house.headers("ann")).status_code == 200
        mine.send({"op": "ping", "id": "still there"})
        assert mine.until("pong")["id"] == "still there"
    until(lambda: len(connections(house)) < MOST)
    until(lambda: sum(_places(house).values()) == len(connections(house)), "each is counted as long as it is there")
    assert not caplog.records, "half a request is no fault of the server's"


def _places(house: Indoors) -> Counter[str]:
    door: Any = house.server.config.http
    found: Counter[str] = door.places
    return found


def test_a_body_that_comes_drop_by_drop_ends(house: Indoors) -> None:
    with ExitStack() as stack:
        slow = connected(house, stack)
        slow.sendall(SLOW)
        assert is_over(slow)


def test_endless_headers_are_not_kept(house: Indoors) -> None:
    with ExitStack() as stack:
        endless = connected(house, stack)
        endless.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nX-A: ")
        sent = 0
        with suppress(ConnectionError):
            while sent < 64 * LARGEST_HEAD:
                sent += endless.send(b"a" * 16_384)
        assert sent < 64 * LARGEST_HEAD
        assert is_over(endless)


def test_a_large_body_is_no_head(house: Indoors) -> None:
    answer = house.ask("ann", "POST", "/api/tables/T1/commands", {"id": "x" * 40_000, "body": {"do": "call"}})
    assert answer.status_code == 400
    with ExitStack() as stack:
        whole = connected(house, stack)
        body = b"x" * 3 * LARGEST_HEAD
        head = b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        whole.sendall(head % len(body) + body)
        assert whole.recv(12).startswith(b"HTTP/1.1 4")
    with house.socket("ann") as stream:
        stream.send({"op": "ping", "id": "y" * 1_000})
        until(lambda: stream.hear()["m"] == "pong")


def test_want_of_files_is_no_fault_and_passes_by_itself(tmp_path: Path) -> None:
    """What comes while no file can be opened is shown to the witness with what comes next."""
    file = tmp_path / "witness.jsonl"
    keeper = Keeper(MemoryStore(), PrivateKey.generate(), witness=Witness(file))
    taken: list[int] = []
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) - 1, hard))
    try:
        with suppress(OSError):
            while True:
                taken.append(os.open("/dev/null", os.O_RDONLY))
        keeper._show((b"first",), 0)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for each in taken:
            os.close(each)
    assert not keeper.faults
    assert not file.exists()
    keeper._show((b"second",), 0)
    assert file.read_bytes() == b"first\nsecond\n"


# --- who does not read


def websocket(house: Indoors, stack: ExitStack, name: str = "ann") -> socket.socket:
    """A websocket whose client can leave unread what it likes."""
    found = connected(house, stack)
    head = (
        "GET /api/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer {house.tokens[name]}\r\n\r\n"
    )
    found.sendall(head.encode())
    assert found.recv(12) == b"HTTP/1.1 101"
    return found


def frame(opcode: int, data: bytes) -> bytes:
    """A whole frame of a client, under a mask of zeros."""
    size = (
        struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, len(data))
        if len(data) > 125
        else bytes((0x80 | opcode, 0x80 | len(data)))
    )
    return size + bytes(4) + data


def test_what_a_client_does_not_read_does_not_pile_up(house: Indoors) -> None:
    """Each ping of the protocol is answered with what it carries: four clients had 366 MiB waiting for them."""
    before, most, sent = set(house.floor.streams), 0, 0
    ping = frame(1, msgspec.json.encode({"op": "ping", "id": "y" * 60_000}))
    with ExitStack() as stack:
        silent = [websocket(house, stack) for _ in range(4)]
        until(lambda: len(house.floor.streams) == len(before) + 4)
        mine = set(house.floor.streams) - before
        for each in silent:
            with suppress(ConnectionError):  # the server reads no more of whom it has ended, and hangs up
                each.settimeout(limit())
                for _ in range(400):
                    each.sendall(ping)
                    sent += len(ping)
                    most = max(most, *(stream.unread for stream in mine))
        until(lambda: not mine & house.floor.streams)
        assert 0 < most <= UNREAD_OF_A_STREAM + len(ping)
        assert sent > UNREAD_OF_A_STREAM
        assert house.view("sue", "T1")["public"]["phase"] == "idle"


def test_a_long_past_comes_as_fast_as_it_is_read(house: Indoors) -> None:
    """Whoever reads slowly gets everything: he is slowed down, not sent away."""
    for number in range(200):
        house.give("sam", "T1", f"dora {number}", c.SignOn("dora", "dealer"))
        house.give("sam", "T1", f"off {number}", c.SignOff("dora"))
    version = house.view("sue", "T1")["version"]
    with house.socket("sue") as stream:
        for _ in range(20):
            stream.send({"op": "watch", "table": "T1", "after": 0})
        told = 0
        while told < 20 * version:
            heard = stream.hear()
            assert heard["m"] != "bye"
            told += len(heard.get("events", ()))


def connections(house: Indoors) -> list[Any]:
    return list(house.server.server_state.connections)


def test_control_frames_that_are_answered_and_not_read_end_the_connection(house: Indoors) -> None:
    with ExitStack() as stack:
        silent, pings = websocket(house, stack), frame(9, b"p" * 125) * 500
        most = sent = 0
        with suppress(OSError):
            while sent < 64 << 20:
                silent.sendall(pings)
                sent += len(pings)
                most = max(most, *(each.transport.get_write_buffer_size() for each in connections(house)))
        assert 0 < sent < 64 << 20, "it was ended"
        assert most < 2 * UNREAD


def test_requests_that_wait_for_each_other_are_few(house: Indoors) -> None:
    with ExitStack() as stack:
        many = connected(house, stack)
        most = 0
        with suppress(ConnectionError):
            for _ in range(50):
                many.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n" * 500)
                waiting = [len(each.pipeline) for each in connections(house) if isinstance(each, Door)]
                most = max(most, *waiting, 0)
        assert most <= AT_ONCE
        with suppress(ConnectionError):
            while many.recv(1 << 16):
                pass


def has_answered(door: Any, before: Any) -> bool:
    return door.cycle is not before and bool(door.cycle.response_complete)


def test_an_answer_that_nobody_takes_ends(house: Indoors) -> None:
    """More than the machine keeps for a connection by itself, and nothing of it read."""
    with ExitStack() as stack:
        before = set(connections(house))
        lazy = connected(house, stack)
        until(lambda: set(connections(house)) - before)
        (mine,) = set(connections(house)) - before
        token = house.tokens["sue"]
        request = f"GET /api/tables/T1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        written = 0
        while not mine.flow.write_paused:
            answered = mine.cycle
            lazy.sendall(request)
            written += 1
            until(lambda: mine.flow.write_paused or has_answered(mine, answered))  # noqa: B023
        assert written > 1
        until(lambda: mine not in connections(house), "it is still there")


# --- what takes long


def test_whoever_looks_back_without_end_holds_up_no_table(roomy: Indoors, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replays, receipts and long pasts were read by the threads that tables use, as many at once as were asked for."""
    house, may = roomy, threading.Event()

    def takes_long(*_: object) -> Any:
        assert may.wait(limit())
        return []

    monkeypatch.setattr(house.floor.archives.of("T1"), "replay", takes_long)
    monkeypatch.setattr(house.floor.archives.of("T1"), "rounds", takes_long)
    paths = ("/api/tables/T1/replay?first=1&last=1", "/api/tables/T1/rounds")
    with ThreadPoolExecutor(2 * THREADS) as crowd:
        try:
            asked = [crowd.submit(house.ask, "ann", "GET", paths[number % 2]) for number in range(2 * THREADS)]
            until(lambda: sum(each.done() for each in asked) >= 2 * THREADS - LOOKS)
            given = house.give("sam", "T1", "while they wait", c.SignOn("dora", "dealer"))
            assert house.view("bob", "T1")["public"]["phase"] == "idle"
            house.give("sam", "T1", "and off", c.SignOff("dora"))
        finally:
            may.set()
        codes = Counter(each.result().status_code for each in asked)
    assert given.status_code == 200
    assert codes == {200: LOOKS, 429: 2 * THREADS - LOOKS}
    assert house.ask("ann", "GET", paths[1]).status_code == 200, "afterwards as ever"


def test_a_past_is_read_no_further_than_it_is_asked_for(roomy: Indoors, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request for one event read the whole log, and a stream that caught up read it once for every frame."""
    house = roomy
    for number in range(40):
        house.give("sam", "T1", f"on {number}", c.SignOn("dora", "dealer"))
        house.give("sam", "T1", f"off {number}", c.SignOff("dora"))
    version = house.view("sue", "T1")["version"]
    assert version > 80
    kept = house.floor.host.keeper._hold("T1").tail
    read = 0

    def count(line: bytes) -> Any:
        nonlocal read
        read += 1
        return read_line(line)

    monkeypatch.setattr(keepers, "read_line", count)
    monkeypatch.setattr(streams, "PAST", 20)
    monkeypatch.setattr(kept, "after", lambda version: (kept._entries[-1].last, []))  # as of a log that is longer
    (event,) = house.must("sue", "GET", "/api/tables/T1/events?after=0&most=1")["events"]
    assert (event["version"], read) == (1, 1)
    read = 0
    house.must("sue", "GET", "/api/tables/T1/replay?first=1&last=5")  # the archive reads the log once, and keeps it
    read = 0
    house.must("sue", "GET", "/api/tables/T1/replay?first=1&last=5")
    assert read <= 6
    read = 0
    with house.socket("sue") as stream:
        stream.send({"op": "watch", "table": "T1", "after": 0, "views": False})
        told = 0
        while told < version:
            told += len(stream.until("events")["events"])
    assert version // 2 < read <= version + version // 20 + 1


def test_the_interface_is_described_once_and_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing it took a quarter of a second of the event loop, for anybody and as often as asked."""
    drawn = Counter[str]()

    def counted(name: str) -> Any:
        real = getattr(interface, name)

        def draw(*arguments: Any) -> Any:
            drawn[name] += 1
            return real(*arguments)

        return draw

    for name in ("complete", "asyncapi"):
        monkeypatch.setattr(interface, name, counted(name))
    with indoors() as house:
        for path in ("", "/openapi.json", "/asyncapi.json"):
            found = {house.http.get(f"/api/docs{path}").content for _ in range(5)}
            assert len(found) == 1
            assert len(found.pop()) > 10_000
    assert drawn == {"complete": 2, "asyncapi": 1}


def test_requests_share_a_few_connections_to_the_database(postgres: PostgresServer) -> None:
    """600 questions at the same time took all hundred that a database has."""
    store = PostgresStore(postgres.schema())
    try:
        with ThreadPoolExecutor(64) as many:
            found = list(many.map(lambda number: store.balances(f"nobody {number}"), range(600)))
        assert found == [{}] * 600
        ((held,),) = store._fetch("select count(*) from pg_stat_activity where backend_type = 'client backend'")
        assert len(store._idle) <= CONNECTIONS
        assert held <= CONNECTIONS + 4
        # whoever finds all taken waits his time, and is told
        store.patience = 0.05
        with ExitStack() as taken:
            for _ in range(CONNECTIONS):
                taken.enter_context(store._connected())
            with pytest.raises(UnavailableError, match="busy"):
                store.balances("somebody")
        assert store.balances("somebody") == {}
    finally:
        store.close()


def test_the_unit_sets_its_limits() -> None:
    unit = Path("deploy/puntobanco.service").read_text("utf-8")
    limits = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line and not line.startswith("#"))
    files = FloorSettings().connections + CONNECTIONS + 200
    assert files < int(limits["LimitNOFILE"]) <= 65_536
    assert {"MemoryMax", "MemoryHigh", "TasksMax"} <= limits.keys()
    assert limits["LimitCORE"] == "0", "a dump would hold keys and shoes"


def test_container_and_unit_install_from_the_lock() -> None:
    """Every installation names the lock with its hashes, or one wheel and nothing that it asks for."""
    for name in ("Containerfile", "puntobanco.service"):
        lines = (Path("deploy") / name).read_text("utf-8").splitlines()
        installs = [line for line in lines if "pip install" in line]
        assert len(installs) >= 2
        for line in installs:
            assert ("--require-hashes" in line and ".txt" in line) or "--no-deps" in line, line
    lock = Path("requirements/floor.txt").read_text("utf-8")
    assert lock.count("==") <= lock.count("--hash=sha256:")
