"""Several processes that serve the same tables from one PostgreSQL."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from statistics import median

from tests.floor.serving import (
    Bettor,
    House,
    Nursery,
    Onlooker,
    Server,
    Wire,
    check_all,
    folded,
    new_house,
    see_the_end,
    sit_down,
    stop_all,
    table_settings,
)
from tests.floor.test_race import check_same, same_requests
from tests.patience import come_true, no_hang
from tests.store.server import PostgresServer

from puntobanco.floor.wire import Ping, Watch
from puntobanco.store.postgres_lines import PROBE
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.events import Record
from puntobanco.views.view import Viewer

GAME = "tiger-buffalo"
TABLES = ("T1", "T2", "T3", "T4")
PLAYERS = 2


@contextmanager
def processes(nursery: Nursery, postgres: PostgresServer, count: int) -> Iterator[tuple[House, list[Server]]]:
    """A house that several processes serve."""
    with new_house("postgres", postgres) as house, ExitStack() as end:
        names = [*(f"{table} player {place}" for table in TABLES for place in range(1, PLAYERS + 1)), "ann", "ben"]
        house.add_players(names)
        servers = []
        for _ in range(count):
            servers.append(Server(nursery, house).start())
            end.callback(servers[-1].kill)
        yield house, servers


def test_a_client_sees_at_once_what_another_does_at_another_process(nursery: Nursery, postgres: PostgresServer) -> None:
    async def play(house: House, a: Server, b: Server) -> tuple[list[float], Onlooker, Onlooker]:
        await house.open_tables(a, table_settings("T1", countdown=900))
        ann, ben = house.client("ann", a), house.client("ben", b)
        await sit_down(ann, "T1", "ann", 1, 9)
        await sit_down(ben, "T1", "ben", 2, 9)
        at_a = await Onlooker(ann, Viewer("player", "ann"), "T1").begin()
        at_b = await Onlooker(ben, Viewer("player", "ben"), "T1").begin()
        assert at_b.watched is not None
        await at_b.watched.until(lambda view: view.public.phase.value == "betting")
        waits = []
        for number in range(40):
            client, other, name, box = (ann, at_b, "ann", 1) if number % 2 else (ben, at_a, "ben", 2)
            done = await client.give("T1", c.Place(name, box, {"player": 100}))
            told = time.monotonic()
            await other.until(done.version)
            waits.append(time.monotonic() - told)
        await see_the_end(house, a, [at_a, at_b])
        return waits, at_a, at_b

    with processes(nursery, postgres, 2) as (house, (a, b)):
        waits, *onlookers = asyncio.run(play(house, a, b))
        logs = asyncio.run(house.logs(b, ["T1"]))
    # most of them at once, however busy the machine: not when the connection is probed the next time
    assert median(waits) < PROBE / 4, waits
    tables = folded(logs["T1"])
    for onlooker in onlookers:
        onlooker.check(logs["T1"], tables)
    assert sum(isinstance(record.event, e.WagersPlaced) for record in logs["T1"]) == 40


def test_a_client_that_comes_from_another_process_is_not_told_that_it_is_ahead(
    nursery: Nursery, postgres: PostgresServer
) -> None:
    """It may have seen more than the process that it comes to has heard of."""

    async def play(house: House, a: Server, b: Server) -> list[str]:
        await house.open_tables(a, table_settings("T1", countdown=900))
        wire = await Wire.dial(b.address, house.tokens["ann"])
        answers = []
        async with house.client("ann", a) as ann:
            await sit_down(ann, "T1", "ann", 1, 9)
            for _ in range(50):
                done = await ann.give("T1", c.BuyIn("ann", 100, "account"))
                await wire.send(Watch("T1", done.version, views=False))
                await wire.send(Ping(str(done.version)))
                while (heard := await wire.hear()).m == "events":
                    pass
                answers.append(heard.m)
        await wire.close()
        return answers

    with processes(nursery, postgres, 2) as (house, (a, b)):
        assert set(asyncio.run(play(house, a, b))) == {"pong"}


def test_the_same_request_at_two_processes_has_one_effect(nursery: Nursery, postgres: PostgresServer) -> None:
    with processes(nursery, postgres, 2) as (house, servers):
        answers, stack = asyncio.run(same_requests(house, servers))
        logs = asyncio.run(house.logs(servers[1], ["T1"]))
    check_same(answers)
    assert [record.command for record in logs["T1"] if isinstance(record.event, e.WagersPlaced)] == ["ann:the same"]
    assert stack["after"] == stack["before"] - 100


def test_exactly_one_of_three_processes_drives_a_table_and_another_takes_over(
    nursery: Nursery, postgres: PostgresServer
) -> None:
    """Whoever drives is killed, three times: its clients go on elsewhere, and play was never interrupted."""

    with processes(nursery, postgres, 3) as (house, servers):
        logs = asyncio.run(driven(house, servers))
        house.money(logs.values())
        assert not any("Traceback" in server.log() for server in servers)
    for records in logs.values():
        assert not [record for record in records if isinstance(record.event, e.PlayInterrupted)]
        assert rounds(records) >= 1
        check_clock(records)


async def driven(house: House, servers: Sequence[Server]) -> dict[str, tuple[Record, ...]]:
    await house.open_tables(servers[0], *(table_settings(table, GAME) for table in TABLES))
    bettors: list[Bettor] = []
    onlookers: list[Onlooker] = []
    for number, table in enumerate(TABLES):
        for place in range(1, PLAYERS + 1):
            name, first = f"{table} player {place}", (number + place) % len(servers)
            client = house.client(name, *servers[first:], *servers[:first])
            bettors.append(Bettor(client, name, table, await sit_down(client, table, name, place, 6)))
            onlookers.append(await Onlooker(client, Viewer("player", name), table).begin())
        sue = house.client("sue", *servers)
        onlookers.append(await Onlooker(sue, Viewer("surveillance", "sue"), table).begin())
    playing = [asyncio.create_task(bettor.play()) for bettor in bettors]
    for _ in range(3):
        driver = await all_driven(servers)
        await asyncio.to_thread(driver.kill)
        before = {onlooker: onlooker.version for onlooker in onlookers}
        await all_driven([server for server in servers if server is not driver])
        await come_true(lambda: all(onlooker.version > before[onlooker] + 3 for onlooker in onlookers))  # noqa: B023
        await asyncio.to_thread(driver.start)
    await all_driven(servers)
    await stop_all(playing)
    await see_the_end(house, servers[0], onlookers)
    logs = await house.logs(servers[1], TABLES)
    check_all(logs, bettors, onlookers)
    assert any(onlooker.client.reconnects for onlooker in onlookers)
    return logs


async def all_driven(servers: Sequence[Server]) -> Server:
    """Wait until every table is driven, by one process each; whoever drives the most of them."""
    async with no_hang():
        while True:
            clocks = [await asyncio.to_thread(server.figure, "clocks") for server in servers]
            if sum(clocks) == len(TABLES):
                return servers[clocks.index(max(clocks))]
            await asyncio.sleep(0.05)


def rounds(records: Sequence[Record]) -> int:
    return sum(isinstance(record.event, e.RoundCalled) for record in records)


def check_clock(records: Sequence[Record]) -> None:
    """Nothing that the clock does was done twice: of one version it does one thing, and that once."""
    commands = dict.fromkeys(record.command for record in records if record.command.startswith("clock/"))
    versions = [command.rpartition(" at ")[2] for command in commands]
    assert len(versions) == len(set(versions))
    calls = [record.command for record in records if isinstance(record.event, e.RoundCalled)]
    closes = [record.command for record in records if isinstance(record.event, e.BetsClosed)]
    assert all(command.startswith("clock/call at ") for command in calls)
    assert all(command.startswith("clock/close at ") for command in closes)
    assert len(calls) - len(closes) in (0, 1)


def test_the_restart_of_the_only_process_is_an_interruption(nursery: Nursery, postgres: PostgresServer) -> None:
    """With no card out the bets stand and their time starts again; the second process interrupts nothing."""

    async def bet(house: House, server: Server) -> None:
        await house.open_tables(server, table_settings("T1", GAME, countdown=900))
        async with house.client("ann", server) as ann:
            await sit_down(ann, "T1", "ann", 1, 6)
            watched = await ann.watch("T1")
            await watched.until(lambda view: view.public.phase.value == "betting")
            await ann.give("T1", c.Place("ann", 1, {"player": 100}))

    with processes(nursery, postgres, 1) as (house, (first,)):
        asyncio.run(bet(house, first))
        second = Server(nursery, house).start()
        first.kill()
        third = Server(nursery, house).start()
        second.kill()
        assert interruptions(asyncio.run(house.logs(third, ["T1"]))["T1"]) == []
        third.kill()
        first.start()
        found = interruptions(asyncio.run(house.logs(first, ["T1"]))["T1"])
    assert [event.effect for event in found] == ["bets_again"]


def interruptions(records: Sequence[Record]) -> list[e.PlayInterrupted]:
    return [record.event for record in records if isinstance(record.event, e.PlayInterrupted)]
