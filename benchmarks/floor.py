"""How fast the floor is: ``scripts/benchmark floor [TABLES [PLAYERS]]``.

A hundred electronic tables with ten players each, over websockets on the loopback network, on this machine's disk:
SQLite with one server process, PostgreSQL with two. The players are a process of their own, and each has a connection
that gets events and views. The tables open one after the other over the time of a round, so that they do not keep step.
First at the pace of a casino, two bets a player in a round with twenty seconds to bet; then as fast as it goes, each
player sending the next bet when the last was answered.

An acknowledgement is timed from the sending of a bet to the answer that it is durable, a broadcast from the sending to
the event's arrival at each other player of the table. Beside them stands what the bare store appends in the same run,
with as many tables. All shares the processors of one machine, the players' process included.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from benchmarks.store import SECONDS as APPENDING
from benchmarks.store import appending
from rich.console import Console
from rich.table import Table as Grid
from scripts.tools.arguments import counts
from tests.floor.serving import KINDS, House, Kind, Nursery, Server, Wire, at_most, table_settings
from tests.store.server import PostgresServer
from websockets.exceptions import ConnectionClosed

from puntobanco.floor.wire import Do, Watch
from puntobanco.store.logs import open_store
from puntobanco.table import commands as c

TABLES, PLAYERS = 100, 10
COUNTDOWN = 20
SPREAD = 25.0
"""Seconds over which the tables open."""
BETS = 2
"""Bets of a player in a round, at the pace of a casino."""
WARM = 5.0
SECONDS = {"casino": 40.0, "most": 15.0}
WANTED = 50.0
"""Milliseconds that the 99th percentile should not exceed at the pace of a casino."""
PACE = {"between_rounds": 4_000, "between_cards": 700, "for_cut": 8_000, "for_squeeze": 15_000}
NAMES = {"sqlite": "SQLite, 1 process", "postgres": "PostgreSQL, 2 processes"}


class Figures:
    """What is measured while it is wanted."""

    def __init__(self) -> None:
        self.on = False
        self.acknowledged: list[float] = []
        self.refused = 0
        self.bytes = 0
        """Of all that players were sent."""
        self.broadcast: list[float] = []
        self.events: set[tuple[str, int]] = set()
        self._sent: dict[tuple[str, int], tuple[str, float]] = {}
        self._came: dict[tuple[str, int], list[tuple[str, float]]] = {}

    def answered(self, name: str, table: str, version: int, sent: float) -> None:
        if self.on:
            self.acknowledged.append(time.perf_counter() - sent)
            self._sent[table, version] = (name, sent)

    def came(self, name: str, table: str, version: int) -> None:
        if self.on:
            self._came.setdefault((table, version), []).append((name, time.perf_counter()))

    def finish(self) -> None:
        """Put arrivals at others to the bets that they are of."""
        self.on = False
        for key, (name, sent) in self._sent.items():
            self.broadcast += [came - sent for other, came in self._came.get(key, ()) if other != name]


class Player:
    """One connection: a player who bets at one of two paces."""

    def __init__(self, name: str, table: str, place: int, boxes: int) -> None:
        self.name, self.table = name, table
        self.box, self.seated = (place - 1) % boxes + 1, place <= boxes
        self.number = 0
        self.fast = False
        self._waiting: dict[str, float] = {}
        self._chance = random.Random(name)
        self._tasks: set[asyncio.Task[None]] = set()

    async def arrive(self, wire: Wire) -> None:
        self.wire = wire
        done = await wire.ask(self.table, "join", c.Join(self.name, self.box, self.seated))
        assert done.m == "done", done
        done = await wire.ask(self.table, "buy in", c.BuyIn(self.name, 500_000_00, "account"))
        assert done.m == "done", done
        await wire.send(Watch(self.table))

    async def play(self, figures: Figures) -> None:
        while True:
            before = self.wire.received
            heard = await self.wire.hear()
            if figures.on:
                figures.bytes += self.wire.received - before
            if heard.m == "events":
                for each in heard.events:
                    if figures.on:
                        figures.events.add((self.table, each.version))
                    happened = each.event.event if each.event is not None else ""
                    if happened == "wagers_placed":
                        figures.came(self.name, self.table, each.version)
                    elif happened == "round_called" and each.event is not None:
                        self._begin(each.event.until / 1000)
            elif heard.m == "done":
                figures.answered(self.name, self.table, heard.version, self._waiting.pop(heard.id))
                if self.fast:
                    await self._bet()
            elif heard.m == "refused":
                del self._waiting[heard.id]
                figures.refused += figures.on

    def _begin(self, until: float) -> None:
        for number in range(1 if self.fast else BETS):
            latest = max(until - time.time() - 1, 0.0)
            task = asyncio.create_task(self._later(0.0 if self.fast else self._chance.uniform(number and 0.5, latest)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _later(self, wait: float) -> None:
        await asyncio.sleep(wait)
        with suppress(ConnectionClosed):  # it is over
            await self._bet()

    async def _bet(self) -> None:
        self.number += 1
        id = str(self.number)
        self._waiting[id] = time.perf_counter()
        await self.wire.send(Do(self.table, id, c.Place(self.name, self.box, {"player": 100})))

    async def hurry(self) -> None:
        """From now on the next bet follows the last answer."""
        self.fast = True
        await self._bet()


def cpu_of(process: int) -> float:
    """Seconds of the processor that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Measured:
    """One pace on one store."""

    def __init__(self, figures: Figures, seconds: float, cpu: Sequence[float]) -> None:
        self.figures, self.seconds, self.cpu = figures, seconds, cpu

    @property
    def bets(self) -> float:
        return len(self.figures.acknowledged) / self.seconds

    @property
    def events(self) -> float:
        return len(self.figures.events) / self.seconds

    @property
    def work(self) -> float:
        """Milliseconds of the servers' processor time for each bet, with all that goes with it."""
        return sum(self.cpu[:-1]) / self.bets * 1000 if self.bets else float("nan")

    def bytes(self, viewers: int) -> float:
        """Sent to each viewer of a table for each bet there."""
        return self.figures.bytes / len(self.figures.acknowledged) / viewers if self.bets else float("nan")


async def load(house: House, servers: Sequence[Server], tables: int, players: int) -> dict[str, Measured]:
    plans = [table_settings(f"T{number}", countdown=COUNTDOWN) for number in range(1, tables + 1)]
    await house.open_tables(servers[0], *plans)
    await asyncio.sleep(2)  # until every process has heard of the tables
    people = [
        Player(f"T{table} player {place}", f"T{table}", place, plans[0].positions)
        for table in range(1, tables + 1)
        for place in range(1, players + 1)
    ]
    figures = Figures()
    playing: list[asyncio.Task[None]] = []

    async def come(number: int, player: Player) -> None:
        server = servers[number % len(servers)]
        await player.arrive(await Wire.dial(server.address, house.tokens[player.name]))
        playing.append(asyncio.create_task(player.play(figures)))

    async def gather_at(table: int) -> None:
        await asyncio.sleep(SPREAD * table / tables)
        here = list(enumerate(people))[table * players : (table + 1) * players]
        # whoever sits down goes before those who stand behind
        for seated in (True, False):
            await asyncio.gather(*(come(number, each) for number, each in here if each.seated is seated))

    await asyncio.gather(*map(gather_at, range(tables)))
    await asyncio.sleep(WARM)
    found = {"casino": await measure(figures, servers, SECONDS["casino"])}
    await asyncio.gather(*(player.hurry() for player in people))
    await asyncio.sleep(WARM)
    figures = fresh = Figures()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    playing = [asyncio.create_task(player.play(fresh)) for player in people]
    found["most"] = await measure(fresh, servers, SECONDS["most"])
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await at_most(50, (player.wire.close() for player in people))
    return found


async def measure(figures: Figures, servers: Sequence[Server], seconds: float) -> Measured:
    processes = [*(server.process for server in servers), os.getpid()]
    before = [cpu_of(process) for process in processes]
    figures.on = True
    begun = time.perf_counter()
    await asyncio.sleep(seconds)
    took = time.perf_counter() - begun
    figures.finish()
    return Measured(figures, took, [(cpu_of(each) - was) / took for each, was in zip(processes, before, strict=True)])


@contextmanager
def stores(folder: Path) -> Iterator[dict[Kind, tuple[str, str]]]:
    """Of each kind an address for the floor and one for the bare store, on the disk."""
    with PostgresServer(on_disk=True) as server:
        yield {"sqlite": ("", str(folder / "bare.db")), "postgres": (server.schema(), server.schema())}


def percentiles(times: Sequence[float]) -> tuple[float, float]:
    """Milliseconds: the median and the 99th percentile."""
    cuts = statistics.quantiles(times, n=100) if len(times) > 1 else [float("nan")] * 99
    return cuts[49] * 1000, cuts[98] * 1000


def main(arguments: Sequence[int]) -> None:
    out = Console(width=None if sys.stdout.isatty() else 150)
    tables, players = [*arguments, *(TABLES, PLAYERS)[len(arguments) :]]
    grid = Grid(title=f"{tables} tables × {players} players over websockets, {os.cpu_count()} cores")
    for heading in ("", "bets/s", "events/s", "acknowledged p50", "p99", "broadcast p50", "p99", "processor"):
        grid.add_column(heading, justify="left" if not heading else "right")
    for heading in ("ms a bet", "bytes a bet and viewer", "× bare"):
        grid.add_column(heading, justify="right")
    folder = Path(tempfile.mkdtemp(prefix="pb-bench-"))
    notes = []
    try:
        with Nursery() as nursery, stores(folder) as addresses:
            for kind in KINDS:
                address, bare = addresses[kind]
                (folder / kind).mkdir()
                house = House(folder / kind, address)
                house.add_players(
                    f"T{table} player {place}" for table in range(1, tables + 1) for place in range(1, players + 1)
                )
                with ExitStack() as end:
                    servers = [Server(nursery, house, **PACE) for _ in range(1 if kind == "sqlite" else 2)]
                    for server in servers:
                        server.start()
                        end.callback(server.kill)
                    found = asyncio.run(load(house, servers, tables, players))
                    # where there is a traceback, the figures are none
                    assert not any("Traceback" in server.log() for server in servers)
                store = open_store(bare)
                raw = len(appending(store, tables)) / APPENDING
                store.close()
                _row(grid, f"{NAMES[kind]}, a casino's pace", found["casino"], raw, players)
                _row(grid, f"{NAMES[kind]}, as fast as it goes", found["most"], raw, players)
                grid.add_row(f"{kind}: the bare store, appends", f"{raw:,.0f}", *[""] * 8, "1.00", end_section=True)
                p99 = percentiles(found["casino"].figures.acknowledged)[1]
                notes.append(f"{NAMES[kind]}: p99 of {p99:.0f} ms, wanted {WANTED:.0f} ms or less")
    finally:
        shutil.rmtree(folder)
    out.print(grid)
    out.print("processor: cores used by each server process, and by the players' process last")
    out.print("ms a bet: the servers' processor time, cards and settlements of the rounds included")
    out.print(f"load of the machine: {', '.join(f'{each:.1f}' for each in os.getloadavg())}")
    for note in notes:
        out.print(note)


def _row(grid: Grid, name: str, found: Measured, raw: float, players: int) -> None:
    p50, p99 = percentiles(found.figures.acknowledged)
    seen50, seen99 = percentiles(found.figures.broadcast)
    grid.add_row(
        *(name, f"{found.bets:,.0f}", f"{found.events:,.0f}", f"{p50:.1f} ms", f"{p99:.1f} ms"),
        *(f"{seen50:.1f} ms", f"{seen99:.1f} ms", " + ".join(f"{each:.2f}" for each in found.cpu)),
        *(f"{found.work:.2f}", f"{found.bytes(players):,.0f}", f"{found.bets / raw:.2f}"),
    )


if __name__ == "__main__":
    main(counts(sys.argv[1:], __doc__, 2))
