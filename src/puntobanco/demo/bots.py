"""The process of the bots: a crew for each table of the demo floor, the cage, and somebody who watches over all."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Sequence
from logging.handlers import RotatingFileHandler
from pathlib import Path
from random import SystemRandom
from urllib.parse import quote

import msgspec

from puntobanco.client.asynchronous import new_id
from puntobanco.demo.bot import AtTable, Bot, World, words
from puntobanco.demo.child import stop_with_parent
from puntobanco.demo.dealers import Dealer, Words
from puntobanco.demo.pit import Pit
from puntobanco.demo.plan import CAGE, DIRECTOR, SECRET, SUPERVISOR, TABLES, TablePlan, bots, tables_of
from puntobanco.demo.players import Player
from puntobanco.floor.wire import Account, Brief, Money, PersonSeen
from puntobanco.rules.model import Authority

log = logging.getLogger(__name__)

STUCK = 120.0
"""Seconds of people after which a table that has not moved is reported."""
LOOK = 10.0
"""Seconds of people between two looks at the floor."""
LARGEST_LOG = 4_000_000
SIGN_INS_APART = 0.05
STOP = 0.5
"""Seconds after which a bot that goes on is told to stop again."""


class BotPlan(msgspec.Struct, frozen=True):
    """What the process of the bots is told on its command line, as JSON."""

    address: str
    folder: str
    speed: float = 1.0
    mistakes: float = 0.12
    book: str = ""


class Crew:
    """The bots of one table."""

    def __init__(self, plan: TablePlan, world: World, table: str) -> None:
        self.table = table
        self._world = world
        talk = Words()
        supervisor = Pit(SUPERVISOR, Authority.PIT_SUPERVISOR, 2.0, plan, world, table, talk)
        director = Pit(DIRECTOR, Authority.ASSISTANT_DIRECTOR, 5.0, plan, world, table, talk)
        dealers = [Dealer(plan, world, table, talk)] if plan.dealer else []
        players = [Player(seat, world, table) for seat in plan.seats]
        self._watch: AtTable = supervisor
        self._bots: list[AtTable] = [*dealers, supervisor, director, *players]
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        for bot in self._bots:
            self._tasks.append(asyncio.create_task(bot.run(), name=f"{bot.name} at {self.table}"))
            await asyncio.sleep(SIGN_INS_APART)
        self._tasks.append(asyncio.create_task(self._watch_over(), name=f"watch over {self.table}"))

    async def stop(self) -> None:
        await stop_tasks(*self._tasks)

    async def _watch_over(self) -> None:
        """Say so when nothing has moved for long: a table must never come to a dead end."""
        version, since = -1, time.monotonic()
        while True:
            await asyncio.sleep(LOOK / self._world.speed)
            view = self._watch.watched.view if hasattr(self._watch, "watched") else None
            if view is None or view.version != version:
                version, since = view.version if view else -1, time.monotonic()
            elif time.monotonic() - since > max(STUCK / self._world.speed, 10.0):
                waits = ", ".join(f"{wait.what} {wait.family}" for wait in view.public.waits)
                log.warning("%s stands still at %d: %s %s", self.table, version, words(view.next_step), waits)
                since = time.monotonic()


class Cage(Bot):
    """Keeps the bots in money, and a crew at every table of the plan that is open."""

    def __init__(self, world: World, plans: Sequence[TablePlan] = TABLES) -> None:
        super().__init__(CAGE, world)
        self._plans = plans
        self._crews: dict[str, Crew] = {}

    async def live(self) -> None:
        while True:
            await self._crews_to_tables(await self.client.tables())
            await self._money()
            await asyncio.sleep(LOOK / self.world.speed)

    async def stop(self) -> None:
        await asyncio.gather(*(crew.stop() for crew in self._crews.values()))

    async def _crews_to_tables(self, tables: list[Brief]) -> None:
        for plan in self._plans:
            name = next((brief.table for brief in tables if is_table_of(plan, brief.table)), None)
            crew = self._crews.get(plan.name)
            if crew is not None and crew.table != name:
                await self._crews.pop(plan.name).stop()
                crew = None
            if crew is None and name is not None:
                self._crews[plan.name] = Crew(plan, self.world, name)
                await self._crews[plan.name].start()

    async def _money(self) -> None:
        """Who runs short gets as much again as at first."""
        people = await self.client.request("GET", "/api/people", list[PersonSeen])
        accounts = {person.name: Account(person.name, person.balances) for person in people}
        for bot in bots(self._plans):
            for currency, amount in bot.money.items():
                if bot.name in accounts and accounts[bot.name].holds(currency) < amount // 2:
                    path = f"/api/people/{quote(bot.name, safe='')}/money"
                    await self.client.request("POST", path, Account, Money(new_id(), amount, currency))


def is_table_of(plan: TablePlan, table: str) -> bool:
    """Whether a table is the one of the plan; after a day was closed it goes on as NAME.2 and so on."""
    return table == plan.name or table.startswith(f"{plan.name}.")


async def stop_tasks(*tasks: asyncio.Task[None]) -> None:
    """Stop bots, wherever they are. Python 3.11 loses a cancellation that meets the end of a wait_for."""
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=STOP)


async def live(plan: BotPlan, secret: str) -> None:
    """All bots, until a signal comes or the parent has gone."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    stop_with_parent()
    cage = Cage(World(plan.address, secret, plan.speed, plan.mistakes, SystemRandom()), tables_of(plan.book))
    task = asyncio.create_task(cage.run(), name=cage.name)
    await stopped.wait()
    await stop_tasks(task)
    await cage.stop()


def main() -> None:
    plan = msgspec.json.decode(sys.argv[1], type=BotPlan)
    folder = Path(plan.folder)
    handler = RotatingFileHandler(folder / "bots.log", maxBytes=LARGEST_LOG, backupCount=1)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("httpx").setLevel(logging.WARNING)
    secret = (folder / SECRET).read_text().strip()
    asyncio.run(live(plan, secret))


if __name__ == "__main__":
    main()
