"""Bets that race the close over the network, and the same request many times at once."""

from __future__ import annotations

import asyncio

from scripts.tools.race_test import PLAYERS, TABLES, Outcome, race
from tests.floor.serving import House, Nursery, Server, Wire, new_house, sit_down, table_settings
from tests.search import far, search

from puntobanco.floor.wire import Do, Given
from puntobanco.table import commands as c
from puntobanco.table import events as e

BETS = far(6_000, 20_000)
SAME = 200


@search
def test_of_thousands_of_bets_that_race_the_close_none_is_late(nursery: Nursery) -> None:
    """Accepted ones are in the log before the close and in time, refused ones are not; ``race`` has the checks.

    ``scripts/race-test`` does it with a million.
    """
    with new_house("sqlite") as house:
        house.add_players(
            f"T{table} player {place}" for table in range(1, TABLES + 1) for place in range(1, PLAYERS + 1)
        )
        server = Server(nursery, house).start()
        outcome = asyncio.run(race(house, server, BETS))
        server.kill()
        assert "Traceback" not in server.log()
    assert outcome.sent == BETS
    assert outcome.accepted + sum(outcome.refused.values()) == BETS
    assert_a_race(outcome)


def assert_a_race(outcome: Outcome) -> None:
    """Enough bets on both sides of the close that there was something to see.

    On a slow machine more of the late ones find the round gone than find it closed.
    """
    assert outcome.accepted > BETS // 20
    assert outcome.refused["bets_closed"] > 0
    assert sum(outcome.refused.values()) > BETS // 20
    assert outcome.rounds > TABLES


def test_the_same_request_200_times_at_once_has_one_effect_and_one_answer(nursery: Nursery) -> None:
    with new_house("sqlite") as house:
        house.add_players(["ann"])
        server = Server(nursery, house).start()
        answers, stack = asyncio.run(same_requests(house, [server]))
        logs = asyncio.run(house.logs(server, ["T1"]))
        server.kill()
    check_same(answers)
    assert [record.command for record in logs["T1"] if isinstance(record.event, e.WagersPlaced)] == ["ann:the same"]
    assert stack == {"before": stack["before"], "after": stack["before"] - 100}


async def same_requests(house: House, servers: list[Server]) -> tuple[list[tuple[int, bool]], dict[str, int]]:
    """A bet of Ann's, from four websockets and by HTTP, all under one id; the version and whether it was a repeat."""
    await house.open_tables(servers[0], table_settings("T1", countdown=900))
    body = c.Place("ann", 1, {"player": 100})
    async with house.client("ann", *servers) as ann:
        await sit_down(ann, "T1", "ann", 1, 9)
        watched = await ann.watch("T1")
        view = await watched.until(lambda view: view.public.phase.value == "betting")
        assert view.own is not None
        wires = [await Wire.dial(servers[each % len(servers)].address, house.tokens["ann"]) for each in range(4)]
        by_http = [house.client("ann", servers[each % len(servers)]) for each in range(4)]

        async def posted(number: int) -> tuple[int, bool]:
            given: Given = await by_http[number % 4].post_command("T1", body, id="the same")
            return given.version, given.repeated

        async def sent(wire: Wire) -> list[tuple[int, bool]]:
            for _ in range(SAME // 8):
                await wire.send(Do("T1", "the same", body))
            found = [await wire.hear() for _ in range(SAME // 8)]
            assert {heard.m for heard in found} == {"done"}, found
            return [(heard.version, heard.repeated) for heard in found]

        posts = asyncio.gather(*(posted(number) for number in range(SAME // 2)))
        answers = [answer for found in await asyncio.gather(*map(sent, wires)) for answer in found]
        answers += await posts
        for wire in wires:
            await wire.close()
        for client in by_http:
            await client.close()
        after = await ann.view("T1")
        assert after.own is not None
        return answers, {"before": view.own.stack, "after": after.own.stack}


def check_same(answers: list[tuple[int, bool]]) -> None:
    assert len(answers) == SAME
    assert len({version for version, _ in answers}) == 1
    assert sum(not repeated for _, repeated in answers) == 1
