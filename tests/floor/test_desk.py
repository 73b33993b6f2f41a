"""Those who look back get every part of a report."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.floor.serving import Nursery, Server, new_house, sit_down, table_settings
from tests.patience import no_hang

from puntobanco.floor.wire import Done
from puntobanco.table import commands as c


def test_reports_come_with_people_and_statistics(nursery: Nursery) -> None:
    with new_house("sqlite") as house:
        house.add_players(["ann"])
        server = Server(nursery, house).start()
        try:
            asyncio.run(house.open_tables(server, table_settings("T1")))
            sheets = asyncio.run(_reported(house, server))
        finally:
            server.kill()
        assert "Traceback" not in server.log()
    titles = [sheet["title"] for sheet in sheets]
    assert {"Table T1", "Players", "Bets"} <= set(titles), titles
    drawn = [row["drawn"] for sheet in sheets for row in sheet["rows"] if row["drawn"]]
    assert drawn
    assert all(each["observed"] >= 0 and "/" in each["expected"] for each in drawn if each["kind"] == "winner")


async def _reported(house: Any, server: Server) -> list[dict[str, Any]]:
    async with house.client("ann", server) as ann, house.client("sue", server) as sue:
        box = await sit_down(ann, "T1", "ann", 1, 3)
        async with no_hang():
            while not isinstance(await ann.try_give("T1", c.Place("ann", box, {"player": 100})), Done):
                await asyncio.sleep(0.05)
            while not (await sue.view("T1")).public.shoe.rounds:
                await asyncio.sleep(0.05)
        found: list[dict[str, Any]] = await sue.request("GET", "/api/reports?statistics=true&people=true", list)
        return found
