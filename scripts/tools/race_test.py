"""Bets that race the close over the network: ``scripts/race-test [--bets N] [--store sqlite|postgres]``.

Many players at several electronic tables, with a second to bet, send as many bets as they can around the end of the
betting time, over websockets, without waiting for answers. Then the logs are compared with what every player was
told: each accepted bet stands before the close of its round and within its time, at the version that was acknowledged
and after everything that its sender had seen; each refused one is in no log.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec
from tests.floor.serving import (
    House,
    Kind,
    Nursery,
    Server,
    Wire,
    at_most,
    new_house,
    sit_down,
    table_settings,
)

from puntobanco.floor.wire import Do, Watch
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.events import Record

BETS = 1_000_000
TABLES = 8
PLAYERS = 6
BEFORE, AFTER = 0.45, 0.15
"""Seconds before and after the end of the betting time between which the bets are sent."""
A_ROUND = 40
"""Bets that a player sends around one close."""
EVERY = 10.0
"""Seconds between two lines of progress."""
LATE = frozenset({"bets_closed", "no_round"})
"""Refusals of a bet that came too late, or too early."""


class Outcome(msgspec.Struct):
    """What all players were told."""

    sent: int = 0
    accepted: int = 0
    refused: Counter[str] = msgspec.field(default_factory=Counter)
    rounds: int = 0


class Player:
    """Sends bets around every close, and remembers each answer."""

    def __init__(self, name: str, table: str, box: int, bets: int) -> None:
        self.name, self.table, self.box = name, table, box
        self.left = bets
        self.seen = 0
        """The last version that came."""
        self.sent: dict[str, int] = {}
        """What had been seen when a bet was sent, by its id."""
        self.accepted: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self._chance = random.Random(name)
        self._bursts: set[asyncio.Task[None]] = set()

    async def play(self, wire: Wire) -> None:
        await wire.send(Watch(self.table, None, views=False))
        while self.left or self._bursts or len(self.sent) > len(self.accepted) + len(self.refused):
            heard = await wire.hear()
            if heard.m == "done":
                self.accepted[heard.id] = heard.version
            elif heard.m == "refused":
                self.refused[heard.id] = heard.code
            elif heard.m == "events":
                self.seen = heard.events[-1].version
                until = max((each.event.until for each in heard.events if each.event is not None), default=0)
                if until and self.left:
                    burst = asyncio.create_task(self._burst(wire, until / 1000))
                    self._bursts.add(burst)
                    burst.add_done_callback(self._bursts.discard)
            else:
                raise AssertionError(heard)

    async def _burst(self, wire: Wire, close: float) -> None:
        moments = sorted(close + self._chance.uniform(-BEFORE, AFTER) for _ in range(min(self.left, A_ROUND)))
        self.left -= len(moments)
        for moment in moments:
            if (wait := moment - time.time()) > 0.001:
                await asyncio.sleep(wait)
            id = f"bet {len(self.sent)}"
            self.sent[id] = self.seen
            await wire.send(Do(self.table, id, c.Place(self.name, self.box, {"player": 1})))


async def race(
    house: House,
    server: Server,
    bets: int,
    *,
    tables: int = TABLES,
    players: int = PLAYERS,
    progress: Callable[[str], None] = lambda line: None,
) -> Outcome:
    """Let players race, and check the logs; raises AssertionError at the first thing that is wrong."""
    names = [f"T{number}" for number in range(1, tables + 1)]
    await house.open_tables(server, *(table_settings(name) for name in names))
    each, more = divmod(bets, tables * players)
    racers = [
        Player(f"{table} player {place}", table, place, each + (table == names[0] and place <= more))
        for table in names
        for place in range(1, players + 1)
    ]
    racers[0].left += bets - sum(racer.left for racer in racers)

    async def arrive(racer: Player) -> Wire:
        async with house.client(racer.name, server) as client:
            await sit_down(client, racer.table, racer.name, racer.box, players)
        return await Wire.dial(server.address, house.tokens[racer.name])

    wires = await at_most(8, (arrive(racer) for racer in racers))
    watching = asyncio.create_task(_report(racers, bets, progress))
    await asyncio.gather(*(racer.play(wire) for racer, wire in zip(racers, wires, strict=True)))
    watching.cancel()
    await asyncio.gather(*(wire.close() for wire in wires))
    logs = await house.logs(server, names)
    outcome = Outcome(sum(len(racer.sent) for racer in racers))
    for name in names:
        check(logs[name], [racer for racer in racers if racer.table == name], outcome)
    house.money(logs.values())
    return outcome


async def _report(racers: Sequence[Player], bets: int, progress: Callable[[str], None]) -> None:
    while True:
        await asyncio.sleep(EVERY)
        done = sum(len(racer.accepted) + len(racer.refused) for racer in racers)
        progress(f"{done:,} of {bets:,} bets answered")


def check(records: Sequence[Record], racers: Sequence[Player], outcome: Outcome) -> None:
    """Hold a table's log against what its players were told, and add it up."""
    until, closed = 0, True
    in_log: dict[str, int] = {}
    for record in records:
        event = record.event
        if isinstance(event, e.RoundCalled):
            until, closed = event.until, False
            outcome.rounds += 1
        elif isinstance(event, e.BetsClosed):
            assert record.at > until, f"bets closed before their time: {record}"
            closed = True
        elif isinstance(event, e.WagersPlaced):
            assert not closed, f"a bet after the close: {record}"
            assert record.at <= until, f"a bet after its time: {record}"
            assert record.command not in in_log, f"a bet twice: {record}"
            in_log[record.command] = record.version
    told: dict[str, int] = {}
    for racer in racers:
        assert racer.sent.keys() == racer.accepted.keys() | racer.refused.keys()
        assert not racer.accepted.keys() & racer.refused.keys()
        told |= {f"{racer.name}:{id}": version for id, version in racer.accepted.items()}
        early = [id for id, version in racer.accepted.items() if version <= racer.sent[id]]
        assert not early, f"{racer.name} had seen the future of {early}"
        assert set(racer.refused.values()) <= LATE, Counter(racer.refused.values())
        outcome.accepted += len(racer.accepted)
        outcome.refused.update(racer.refused.values())
    assert told == in_log


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="scripts/race-test", description="Bets that race the close.")
    parser.add_argument("--bets", type=int, default=BETS)
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--tables", type=int, default=TABLES)
    given = parser.parse_args(arguments)
    if given.bets < 1 or given.tables < 1:
        parser.error("at least one bet, and one table")
    kind: Kind = given.store
    begun = time.monotonic()
    with Nursery() as nursery, new_house(kind) as house:
        house.add_players(f"T{table} player {place}" for table in range(1, given.tables + 1) for place in _places())
        server = Server(nursery, house).start()
        try:
            outcome = asyncio.run(
                race(house, server, given.bets, tables=given.tables, progress=lambda line: print(line, flush=True))
            )
        finally:
            server.kill()
    late = ", ".join(f"{count:,} {code}" for code, count in sorted(outcome.refused.items()))
    print(
        f"{outcome.sent:,} bets over websockets on {kind} in {time.monotonic() - begun:,.0f} s,"
        f" {outcome.rounds:,} rounds: {outcome.accepted:,} accepted, 0 of them late;"
        f" refused: {late or 'none'}; every log agrees and verifies"
    )


def _places() -> range:
    return range(1, PLAYERS + 1)


if __name__ == "__main__":
    main(sys.argv[1:])
