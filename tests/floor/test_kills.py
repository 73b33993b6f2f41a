"""A server that is killed under load, over and over, with clients that come back by themselves."""

from __future__ import annotations

import asyncio
import random

import pytest
from tests.floor.serving import (
    KINDS,
    Bettor,
    House,
    Kind,
    Nursery,
    Onlooker,
    Server,
    check_all,
    new_house,
    see_the_end,
    sit_down,
    stop_all,
    table_settings,
)
from tests.search import far, search
from tests.store.server import PostgresServer

from puntobanco.table import events as e
from puntobanco.table.events import Record
from puntobanco.views.view import Viewer

KILLS = far(8, 20)
TABLES = ("T1", "T2", "T3")
PLAYERS = 3
GAME = "tiger-buffalo"
"""Its book says how play goes on after an interruption; others wait for a ruling."""


@search
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_server_loses_nothing_that_was_acknowledged(
    kind: Kind, nursery: Nursery, request: pytest.FixtureRequest
) -> None:
    """Bets once each, streams without gap or repeat, money conserved, every log verifies."""
    postgres: PostgresServer | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    with new_house(kind, postgres) as house:
        house.add_players(f"{table} player {place}" for table in TABLES for place in range(1, PLAYERS + 1))
        server = Server(nursery, house).start()
        logs = asyncio.run(killed_under_load(house, server))
        server.kill()
        house.money(logs.values())
        assert "Traceback" not in server.log()
    interrupted = [record for log in logs.values() for record in log if isinstance(record.event, e.PlayInterrupted)]
    assert len(interrupted) >= KILLS // 2, "a restart of the only process interrupts play"


async def killed_under_load(house: House, server: Server) -> dict[str, tuple[Record, ...]]:
    chance = random.Random(20)
    await house.open_tables(server, *(table_settings(table, GAME) for table in TABLES))
    bettors: list[Bettor] = []
    onlookers: list[Onlooker] = []
    for table in TABLES:
        for place in range(1, PLAYERS + 1):
            name = f"{table} player {place}"
            client = house.client(name, server)
            bettors.append(Bettor(client, name, table, await sit_down(client, table, name, place, 9)))
            onlookers.append(await Onlooker(client, Viewer("player", name), table).begin())
        onlookers.append(await Onlooker(house.client("sue", server), Viewer("surveillance", "sue"), table).begin())
    playing = [asyncio.create_task(bettor.play()) for bettor in bettors]
    for _ in range(KILLS):
        await asyncio.sleep(chance.uniform(0.05, 0.4))
        before = {bettor.name: len(bettor.accepted) + len(bettor.refused) for bettor in bettors}
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        while any(len(bettor.accepted) + len(bettor.refused) == before[bettor.name] for bettor in bettors):
            await asyncio.sleep(0.01)  # the next kill is for everybody
    await stop_all(playing)
    await see_the_end(house, server, onlookers)
    logs = await house.logs(server, TABLES)
    check_all(logs, bettors, onlookers)
    for client in {onlooker.client for onlooker in onlookers}:
        assert client.reconnects >= KILLS
    assert sum(len(bettor.accepted) for bettor in bettors) > KILLS
    return logs
