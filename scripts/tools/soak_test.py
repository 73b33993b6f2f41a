"""An hour of play with memory sampled: ``scripts/soak-test [--minutes N] [--store sqlite|postgres]``.

Players bet, come and go, and connect anew, at electronic tables over the network; the server's memory is sampled all
the while. A line fitted to the second half says how much was added: the verdict is that memory is flat, or that it is
not. A keeper holds the last records and commands of each table: a soak is long enough when there have been some
thousand events at every one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec
from tests.floor.serving import (
    Bettor,
    House,
    Kind,
    Nursery,
    Onlooker,
    Server,
    new_house,
    sit_down,
    stop_all,
    table_settings,
)

from puntobanco.views.view import Viewer

MINUTES = 60.0
TABLES, PLAYERS = 10, 5
SAMPLES = 200
SLACK = 8 << 20
"""Bytes that an allocator may keep over the second half, whatever the play."""
PAUSE = 1.0
"""Seconds between two bets of a player, about."""


class Sample(msgspec.Struct, frozen=True):
    """What the server had in memory at a moment, and what it had told by then."""

    at: float
    memory: int
    events: float


class Verdict(msgspec.Struct, frozen=True):
    samples: tuple[Sample, ...]
    grown: float
    """Bytes over the second half, by the fitted line."""
    events: float
    """Told over the second half."""
    reconnects: int

    @property
    def flat(self) -> bool:
        return self.grown <= SLACK

    def __str__(self) -> str:
        first, last = self.samples[0], self.samples[-1]
        return (
            f"{'flat' if self.flat else 'NOT FLAT'}:"
            f" {first.memory / 1e6:.1f} MB at first, {last.memory / 1e6:.1f} MB at last;"
            f" the second half adds {self.grown / 1e6:+.2f} MB in {self.events:,.0f} events,"
            f" {self.grown / max(self.events, 1):,.0f} bytes an event; up to {SLACK / 1e6:.1f} MB is flat;"
            f" {last.events:,.0f} events and {self.reconnects:,} connections in {last.at / 60:.0f} min"
        )


def judged(samples: Sequence[Sample], reconnects: int = 0) -> Verdict:
    """Fit a line through the second half, by least squares."""
    half = samples[len(samples) // 2 :]
    mean_at = sum(each.at for each in half) / len(half)
    mean = sum(each.memory for each in half) / len(half)
    spread = sum((each.at - mean_at) ** 2 for each in half)
    slope = sum((each.at - mean_at) * (each.memory - mean) for each in half) / spread if spread else 0.0
    events = half[-1].events - half[0].events
    return Verdict(tuple(samples), slope * (half[-1].at - half[0].at), events, reconnects)


async def soak(
    house: House, server: Server, seconds: float, progress: Callable[[str], None] = lambda line: None
) -> Verdict:
    """Play for so long; samples are taken at equal distances."""
    tables = [f"T{number}" for number in range(1, TABLES + 1)]
    await house.open_tables(server, *(table_settings(table) for table in tables))
    comings = [0]
    works = [
        asyncio.create_task(guest(house, server, f"{table} player {place}", table, place, comings))
        for table in tables
        for place in range(1, PLAYERS + 1)
    ]
    samples: list[Sample] = []
    begun = time.monotonic()
    for number in range(SAMPLES + 1):
        await asyncio.sleep(max(0.0, begun + seconds * number / SAMPLES - time.monotonic()))
        figure = await asyncio.to_thread(server.figure, "events_total")
        samples.append(Sample(time.monotonic() - begun, server.memory(), figure))
        if number % 20 == 0:
            progress(f"{samples[-1].at:,.0f} s: {samples[-1].memory / 1e6:.1f} MB, {figure:,.0f} events")
        for work in works:
            if work.done():
                work.result()
    await stop_all(works)
    await house.logs(server, tables)
    return judged(samples, comings[0])


async def guest(house: House, server: Server, name: str, table: str, place: int, comings: list[int]) -> None:
    """Sits down, then bets and watches, over one connection after the other."""
    chance = random.Random(name)
    async with house.client(name, server) as client:
        box = await sit_down(client, table, name, place, PLAYERS)
    while True:
        comings[0] += 1
        async with house.client(name, server) as client:
            onlooker = await Onlooker(client, Viewer("player", name), table).begin(after=None)
            playing = asyncio.create_task(Bettor(client, name, table, box).play(PAUSE, prefix=f"{comings[0]}-"))
            with suppress(TimeoutError):
                async with asyncio.timeout(chance.uniform(5, 30)):
                    await playing
            await stop_all([playing])
            assert onlooker.watched is not None
            assert onlooker.watched.gaps == 0


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/soak-test", description="Play for an hour, with memory sampled.")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    given = parser.parse_args(arguments)
    if given.minutes <= 0:
        parser.error("a soak takes some time")
    kind: Kind = given.store
    os.environ.setdefault("MALLOC_ARENA_MAX", "1")  # as the recipes in deploy/ have it
    with Nursery() as nursery, new_house(kind) as house:
        house.add_players(names())
        server = Server(nursery, house).start()
        try:
            verdict = asyncio.run(soak(house, server, given.minutes * 60, lambda line: print(line, flush=True)))
        finally:
            server.kill()
    print(verdict)
    return 0 if verdict.flat else 1


def names() -> list[str]:
    return [f"T{table} player {place}" for table in range(1, TABLES + 1) for place in range(1, PLAYERS + 1)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
