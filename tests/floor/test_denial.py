"""Strangers who connect and say nothing, or too much: they run out of places first, and nobody at a table notices."""

from __future__ import annotations

import os
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from tests.floor.indoors import Indoors, indoors
from tests.patience import limit, until

from puntobanco.floor.doorway import LARGEST_HEAD
from puntobanco.store import MemoryStore, PrivateKey
from puntobanco.store.keeper import Keeper, Witness

MOST, EACH = 40, 20


@pytest.fixture(scope="module")
def house() -> Iterator[Indoors]:
    with indoors(connections=MOST, connections_each=EACH, silent=0.5, proxies=("127.0.0.9",)) as found:
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
