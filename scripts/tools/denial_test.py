"""Bets at 20 tables under each attack: ``scripts/denial-test [--seconds N] [--tables N]``.

A real server, as many electronic tables, a player at each who bets over a websocket; and one process on the same
machine that does what an attacker did. For each attack: how long bets took, the server's memory, tables out of order.
The limits are those of a floor as it is set up, but for the rate of sign-ins: the attack on those is to be felt.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import cycle
from multiprocessing.synchronize import Event

from tests.floor.serving import House, Nursery, Server, Wire, new_folder, sit_down, table_settings

from puntobanco.table import commands as c

MEGABYTE = 1 << 20
PAUSE = 0.1
"""Seconds between two bets of a player."""


def _connect(port: int, last: int = 1) -> socket.socket:
    """From one of the addresses that a machine has for itself."""
    found = socket.create_connection(("127.0.0.1", port), 5, (f"127.0.0.{last}", 0))
    found.settimeout(1)
    return found


def _stream(port: int, token: str) -> socket.socket:
    found = _connect(port, 3)
    found.sendall(
        b"GET /api/stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13"
        b"\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nAuthorization: Bearer " + token.encode() + b"\r\n\r\n"
    )
    found.recv(12)
    return found


def _frame(opcode: int, data: bytes) -> bytes:
    length = bytes((0x80 | len(data),)) if len(data) <= 125 else struct.pack(">BH", 0x80 | 126, len(data))
    return bytes((0x80 | opcode,)) + length + bytes(4) + data


def silent(port: int, token: str, over: Event) -> None:
    """1,100 connections that say nothing, made again when they end."""
    held: list[socket.socket] = []
    while not over.is_set():
        with suppress(OSError):
            held.append(_connect(port, 2 + len(held) % 8))
        if len(held) >= 1_100:
            held.pop(0).close()
            time.sleep(0.002)


def headers(port: int, token: str, over: Event) -> None:
    """Requests whose headers never end."""
    while not over.is_set():
        with suppress(OSError), _connect(port, 2) as endless:
            endless.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nX-A: ")
            while not over.is_set():
                endless.sendall(b"a" * 65_536)


def unread(port: int, token: str, over: Event) -> None:
    """Four websockets that ask to be answered at length and read nothing."""
    ping = _frame(1, b'{"op":"ping","id":"' + b"y" * 60_000 + b'"}')
    while not over.is_set():
        with suppress(OSError):
            four = [_stream(port, token) for _ in range(4)]
            for each in four:
                each.settimeout(0.2)
            until = time.monotonic() + 2
            while time.monotonic() < until and not over.is_set():
                for each in four:
                    with suppress(TimeoutError):
                        each.sendall(ping)


def control(port: int, token: str, over: Event) -> None:
    """A websocket that sends control frames and reads no answer."""
    pings = _frame(9, b"p" * 125) * 100
    while not over.is_set():
        with suppress(OSError):
            one = _stream(port, token)
            while not over.is_set():
                one.sendall(pings)


def pipeline(port: int, token: str, over: Event) -> None:
    """Requests behind each other by the thousand, whose answers nobody reads."""
    many = b"GET /api/session HTTP/1.1\r\nHost: x\r\n\r\n" * 1_000
    while not over.is_set():
        with suppress(OSError), _connect(port, 2) as one:
            while not over.is_set():
                one.sendall(many)


def sign_ins(port: int, token: str, over: Event) -> None:
    """200 sign-ins with a wrong password from 8 addresses, again and again."""
    body = b'{"name":"root","password":"wrong"}'
    head = b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    while not over.is_set():
        held: list[socket.socket] = []
        for number in range(200):
            with suppress(OSError):
                held.append(_connect(port, 2 + number % 8))
                held[-1].sendall(head % len(body) + body)
        time.sleep(1)


def slow_bodies(port: int, token: str, over: Event) -> None:
    """1,600 connections from eight addresses, each with a request whose body never comes."""
    head = b"POST /api/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    held: list[socket.socket] = []
    while not over.is_set():
        with suppress(OSError):
            held.append(_connect(port, 2 + len(held) % 8))
            held[-1].sendall(head)
        if len(held) >= 1_600:
            held.pop(0).close()
            time.sleep(0.002)


def _ask(port: int, token: str, over: Event, *paths: str) -> None:
    """Eight connections that ask one after the other, without a pause."""

    def one() -> None:
        while not over.is_set():
            with suppress(OSError), _connect(port, 2) as asking:
                for path in cycle(paths):
                    request = f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n"
                    asking.sendall(request.encode())
                    if over.is_set() or not asking.recv(1 << 20):
                        break

    threads = [threading.Thread(target=one) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def the_past(port: int, token: str, over: Event) -> None:
    """A player who asks for replays, rounds, events and receipts without end."""
    table = "/api/tables/T0"
    paths = ("replay?first=1&last=40", "rounds", "events?after=0", "shoes/1")
    _ask(port, token, over, *(f"{table}/{path}" for path in paths))


def descriptions(port: int, token: str, over: Event) -> None:
    """A stranger who asks for what the interface says of itself, without end."""
    _ask(port, "", over, "/api/docs", "/api/docs/openapi.json", "/metrics")


ATTACKS: dict[str, Callable[[int, str, Event], None]] = {
    "silent connections": silent,
    "endless headers": headers,
    "unread answers": unread,
    "control frames": control,
    "pipelined requests": pipeline,
    "sign-ins": sign_ins,
    "slow bodies": slow_bodies,
    "the past": the_past,
    "descriptions": descriptions,
}


async def _bets(server: Server, house: House, tables: list[str], seconds: float, took: list[float]) -> None:
    """A player at each table puts a chip down and takes it back, and waits a moment."""

    async def play(place: int, table: str) -> None:
        name = f"p{place}"
        wire = await Wire.dial(server.address, house.tokens[name])
        until, number = time.monotonic() + seconds, 0
        await asyncio.sleep(PAUSE * place / len(tables))
        while time.monotonic() < until:
            number += 1
            begun = time.perf_counter()
            await wire.ask(table, f"{begun} {number}", c.Place(name, 1, {"player": 5_00}))
            took.append(time.perf_counter() - begun)
            await asyncio.sleep(PAUSE)
        await wire.close()

    await asyncio.gather(*(play(place, table) for place, table in enumerate(tables)))


async def _measure(server: Server, house: House, tables: list[str], seconds: float, name: str) -> str:
    over = multiprocessing.Event()
    attack = ATTACKS.get(name)
    process = (
        multiprocessing.Process(target=attack, args=(server.port, house.tokens["mallory"], over)) if attack else None
    )
    if process:
        process.start()
    took: list[float] = []
    most = 0
    playing = asyncio.create_task(_bets(server, house, tables, seconds, took))
    while not playing.done():
        most = max(most, server.memory())
        await asyncio.sleep(0.2)
    over.set()
    if process:
        process.join(10)
        process.kill()
    await playing
    took.sort()
    middle, late = took[len(took) // 2], took[int(len(took) * 0.99)]
    faults = server.figure("faults")
    return (
        f"| {name} | {len(took)} | {middle * 1000:.0f} ms | {late * 1000:.0f} ms | {took[-1] * 1000:.0f} ms "
        f"| {most // MEGABYTE} MiB | {faults:.0f} |"
    )


async def _run(server: Server, house: House, count: int, seconds: float) -> None:
    tables = [f"T{number}" for number in range(count)]
    await house.open_tables(server, *(table_settings(name, countdown=100_000) for name in tables))
    for place, table in enumerate(tables):
        async with house.client(f"p{place}", server) as client:
            await sit_down(client, table, f"p{place}", 0, 1)
    await asyncio.sleep(3)  # shoes come into play, and bets are called for
    print("| attack | bets | median | p99 | longest | memory | out of order |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in ("none", *ATTACKS, "none, afterwards"):
        print(await _measure(server, house, tables, seconds, name), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--tables", type=int, default=20)
    given = parser.parse_args()
    usual = {"connections": 800, "silent": 10.0, "connections_each": 200, "streams": 8, "rate": 200.0, "burst": 1_000}
    with Nursery() as nursery, new_folder() as folder:
        house = House(folder)
        house.add_players([*(f"p{number}" for number in range(given.tables)), "mallory"])
        server = Server(nursery, house, **usual).start()
        try:
            asyncio.run(_run(server, house, given.tables, given.seconds))
        finally:
            server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
