"""What goes wrong, when and how often: everything by the seed, each kind with its rate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from tests.simulation.computer import Computer
from tests.simulation.network import Link

if TYPE_CHECKING:
    from tests.simulation.world import World

RATES: dict[str, float] = {
    "kill": 4,
    "power cut": 4,
    "kill while storing": 24,
    "power cut while storing": 24,
    "cut while telling": 60,
    "disk error": 3,
    "disk full": 1,
    "slow disk": 4,
    "clock step": 12,
    "connection cut": 60,
    "half-open": 6,
    "slow network": 4,
    "requests lost": 4,
    "does not read": 6,
    "database gone": 4,
    "sessions lost": 10,
}
"""How often an hour each kind comes, on the whole floor."""
OF_A_DISK = ("power cut while storing", "kill while storing", "disk error", "disk full")
OF_A_DATABASE = ("database gone", "sessions lost")


class Faults:
    def __init__(self, world: World, chance: Random) -> None:
        self._world = world
        self.chance = chance
        self._going = False
        self._wrong: list[tuple[float, str]] = []
        """Until when something was wrong, and for whom; for everybody where nobody is named."""
        chosen = world.plan.faults
        self.rates = {
            kind: rate * world.plan.rate * chance.choice((0.3, 1, 1, 2.5))
            for kind, rate in RATES.items()
            if ("all" in chosen or kind in chosen)
            and not (world.database is None and kind in OF_A_DATABASE)
            and not (world.database is not None and kind in OF_A_DISK)
        }
        self._telling = False
        """A connection is cut on which something goes out of a kind that this has seldom met."""
        self._storing = ""
        """A process ends while it stores something of a kind that this has seldom met, and how."""

    def begin(self) -> None:
        self._going = True
        for kind, rate in self.rates.items():
            self._world.later(self._keep(kind, rate), kind)

    def stop(self) -> None:
        self._going = self._telling = False
        self._storing = ""
        world = self._world
        world.network.slow, world.network.lose = 1.0, 0.0
        for computer in world.computers:
            computer.failing.clear()
            computer.slow, computer.full, computer.strike = 1.0, False, None
        if world.database is not None:
            world.database.lose = 0.0
            world.database.come_back()

    def none_since(self, since: float, person: str) -> bool:
        return all(end < since for end, whose in self._wrong if whose in ("", person))

    def _lasts(self, seconds: float, person: str = "") -> None:
        self._wrong.append((self._world.loop.time() + seconds, person))

    async def _keep(self, kind: str, rate: float) -> None:
        act: Callable[[], float] = getattr(self, "_" + kind.replace(" ", "_").replace("-", "_"))
        while True:
            await asyncio.sleep(self.chance.expovariate(rate / 3600))
            if not self._going:
                return
            if seconds := act():
                self._lasts(seconds + 10)

    def _one(self) -> Computer:
        return self.chance.choice(self._world.computers)

    def _after(self, seconds: float, act: Callable[[], None]) -> float:
        self._world.loop.call_later(seconds, act)
        return seconds

    # --- processes

    def _kill(self) -> float:
        return self._end("kill")

    def _power_cut(self) -> float:
        return self._end("power cut")

    def _end(self, how: str) -> float:
        computer = self._one()
        if computer.process is not None:
            computer.end(computer.process, how)
        return 60

    def _kill_while_storing(self) -> float:
        self._storing = "kill"
        return 60

    def _power_cut_while_storing(self) -> float:
        self._storing = "power cut"
        return 60

    def writing(self, computer: Computer, kinds: Sequence[str]) -> None:
        """A transaction is about to begin: to strike now, or to wait for what was seldom struck?"""
        if not self._storing or not kinds or computer.strike is not None:
            return
        if self._wanted(self._storing, kinds):
            how, self._storing = self._storing, ""
            process = computer.process
            assert process is not None
            computer.strike_in = self.chance.randint(1, 12)
            computer.strike = lambda: computer.end(process, how)
            self._lasts(60)

    def _wanted(self, fault: str, kinds: Sequence[str]) -> bool:
        """Whether to strike now, or to wait for what was seldom struck, or seldom comes."""
        met = min(self._world.met[kind, fault] + self._world.ledger.events[kind] // 20 for kind in kinds)
        return self.chance.random() < 1 / (1 + 8 * met)

    # --- disks and clocks

    def _disk_error(self) -> float:
        computer = self._one()
        kinds = self.chance.sample(("read", "write", "sync", "fsync"), self.chance.randint(1, 2))
        for kind in kinds:
            computer.failing[kind] = self.chance.choice((20, 200, 1000))
        return self._after(self.chance.uniform(0.5, 20), computer.failing.clear)

    def _disk_full(self) -> float:
        computer = self._one()
        computer.full = True
        return self._after(self.chance.uniform(1, 30), lambda: setattr(computer, "full", False))

    def _slow_disk(self) -> float:
        computer = self._one()
        computer.slow = self.chance.choice((10, 100, 1000))
        self._world.count("slow disk")
        return self._after(self.chance.uniform(2, 30), lambda: setattr(computer, "slow", 1.0))

    def _clock_step(self) -> float:
        computer = self._one()
        steps = [-3600, -60, -5, -0.5, 0.5, 5, 60]
        if len(self._world.computers) == 1:
            steps.append(3600)  # all sessions end; processes that far apart would end each other's for ever
        computer.ahead += self.chance.choice(steps)
        self._world.count("clock step")
        return 0

    # --- the network

    def _connection_cut(self, kind: str = "connection cut", *, quietly: bool = False) -> float:
        links = list(self._world.network.links)
        if links:
            self._cut(self.chance.choice(links), kind, quietly=quietly)
        return 0

    def _cut(self, link: Link, kind: str, *, quietly: bool = False) -> None:
        link.cut(quietly=quietly)
        self._world.count(kind)
        self._world.cut_off([link])
        self._lasts(60 if quietly else 15, link.person)

    def _cut_while_telling(self) -> float:
        self._telling = True
        return 0

    def told(self, kinds: Sequence[str]) -> None:
        """Something has happened, and goes out to whoever follows the table."""
        if self._telling and self._wanted("connection cut", kinds):
            self._telling = False
            self._world.loop.call_later(self.chance.uniform(0.0005, 0.004), self._cut_on_the_way)

    def _cut_on_the_way(self) -> None:
        """Two of the connections on which something is on its way."""
        links = [link for link in self._world.network.links if link.down.on_the_way]
        for link in self.chance.sample(links, min(2, len(links))):
            self._cut(link, "connection cut")

    def _half_open(self) -> float:
        return self._connection_cut("half-open", quietly=True)

    def _slow_network(self) -> float:
        self._world.network.slow = self.chance.choice((10, 100, 500))
        self._world.count("slow network")
        return self._after(self.chance.uniform(5, 40), lambda: setattr(self._world.network, "slow", 1.0))

    def _requests_lost(self) -> float:
        self._world.network.lose = 0.2
        self._world.count("requests lost")
        return self._after(self.chance.uniform(5, 40), lambda: setattr(self._world.network, "lose", 0.0))

    def _does_not_read(self) -> float:
        person = self.chance.choice(list(self._world.people.values()))
        if person.client is not None and person.client.socket is not None:
            pause = self.chance.choice((5, 60, 400))
            person.client.socket.reads_after = self._world.loop.time() + pause
            self._world.count("does not read")
            self._lasts(pause + 60, person.name)
        return 0

    # --- the database

    def _database_gone(self) -> float:
        database = self._world.database
        assert database is not None
        database.go()
        self._world.count("database gone")
        return self._after(self.chance.uniform(0.5, 30), database.come_back)

    def _sessions_lost(self) -> float:
        """Claims end though their holders live: for a moment two processes believe that a table is theirs."""
        database = self._world.database
        assert database is not None
        database.lose = 0.3
        for session in database.sessions:
            session.cut()
        self._world.count("sessions lost")
        return self._after(self.chance.uniform(0.5, 5), lambda: setattr(database, "lose", 0.0))
