"""What clients see of a table under load is what its log says, for every kind of viewer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

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
from tests.patience import come_true
from tests.store.server import PostgresServer

from puntobanco.rules.model import Authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.events import Record
from puntobanco.views.seen import SEEN_TYPES
from puntobanco.views.view import Viewer, ViewerKind

GAMES = {"T1": "tiger-buffalo", "T2": "super-six"}
PLAYERS = 4
ROUNDS = 3
VIEWS = 30
"""What everybody has to see before it is held against the log."""
VIEWERS: tuple[ViewerKind, ...] = ("player", "dealer", "pit", "surveillance", "display")


@pytest.mark.parametrize("kind", KINDS)
def test_every_view_and_event_equals_the_fold_of_the_log(
    kind: Kind, nursery: Nursery, request: pytest.FixtureRequest
) -> None:
    """On SQLite by one process, on PostgreSQL by two, while everybody bets, insures."""
    postgres: PostgresServer | None = request.getfixturevalue("postgres") if kind == "postgres" else None
    with new_house(kind, postgres) as house:
        house.add_players(f"{table} player {place}" for table in GAMES for place in range(1, PLAYERS + 1))
        house.add_players(["passer-by"])
        for table in GAMES:
            house.add_display(table)
        servers = [Server(nursery, house).start() for _ in range(1 if kind == "sqlite" else 2)]
        try:
            onlookers, logs = asyncio.run(watched(house, servers))
        finally:
            for server in servers:
                server.kill()
        assert not any("Traceback" in server.log() for server in servers)
    seen = Counter(onlooker.viewer.kind for onlooker in onlookers for _ in onlooker.views)
    assert seen.keys() == set(VIEWERS)
    assert min(seen.values()) > VIEWS
    events = {type(record.event) for records in logs.values() for record in records}
    assert {e.WagersPlaced, e.RoundSettled, e.MoneyMoved} <= events


def enough(onlooker: Onlooker) -> bool:
    """Whether somebody has seen rounds, wherever he came in, and money that came and went."""
    rounds = sum(isinstance(seen.event, SEEN_TYPES[e.RoundCalled]) for seen in onlooker.events)
    return rounds >= ROUNDS and len(onlooker.views) >= VIEWS


async def watched(house: House, servers: Sequence[Server]) -> tuple[list[Onlooker], dict[str, tuple[Record, ...]]]:
    await house.open_tables(servers[0], *(table_settings(table, game) for table, game in GAMES.items()))
    bettors: list[Bettor] = []
    onlookers: list[Onlooker] = []
    works = []
    for table in GAMES:
        for place in range(1, PLAYERS + 1):
            name = f"{table} player {place}"
            client = house.client(name, servers[place % len(servers)])
            bettors.append(Bettor(client, name, table, await sit_down(client, table, name, place, 3)))
            onlookers.append(await Onlooker(client, Viewer("player", name), table).begin())
            works.append(bettors[-1].play())
            works.append(money_and_insurance(onlookers[-1], name))
        staff: tuple[tuple[str, ViewerKind, Authority | None], ...] = (
            ("dan", "dealer", Authority.DEALER),
            ("pam", "pit", Authority.PIT_MANAGER),
            ("sue", "surveillance", None),
        )
        for name, kind, rank in staff:
            client = house.client(name, servers[-1])
            if rank is not None:
                await client.give(table, c.SignOn(name, rank.value))
            onlookers.append(await Onlooker(client, Viewer(kind, name), table).begin())
        display = house.client(f"display of {table}", servers[-1])
        onlookers.append(await Onlooker(display, Viewer("display"), table).begin())
        passer_by = house.client("passer-by", servers[0])
        onlookers.append(await Onlooker(passer_by, Viewer("player", "passer-by"), table).begin())
        works.append(impatient(house, servers[0], table))
    tasks = [asyncio.create_task(work) for work in works]
    await come_true(lambda: all(enough(onlooker) for onlooker in onlookers))
    await stop_all(tasks)
    await see_the_end(house, servers[0], onlookers)
    logs = await house.logs(servers[-1], GAMES)
    check_all(logs, bettors, onlookers)
    house.money(logs.values())
    return onlookers, logs


async def money_and_insurance(onlooker: Onlooker, name: str) -> None:
    """Buy and cash chips now and then, and take what insurance is offered."""
    client, table = onlooker.client, onlooker.table
    while True:
        await asyncio.sleep(0.1)
        await client.try_give(table, c.BuyIn(name, 500, "account"))
        await client.try_give(table, c.CashOut(name, 300))
        own = onlooker.views[-1].own if onlooker.views else None
        for offer in own.offers if own is not None else ():
            if offer.most:
                await client.try_give(table, c.Insure(name, offer.box, offer.hand, offer.most))


async def impatient(house: House, server: Server, table: str) -> None:
    """Comes, reads everything from the start, and goes; what the others see must not suffer."""
    while True:
        async with house.client("sue", server) as client:
            found = await client.watch(table, 0)
            await found.until(lambda view: True)
            assert found.gaps == 0
            assert found.version is not None
            assert [event.version for event in found.waiting_events()] == list(range(1, found.version + 1))
        await asyncio.sleep(0.2)
