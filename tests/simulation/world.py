"""A whole floor in one thread: computers, disks, network and people, and what goes wrong with them, all by one seed."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import shutil
import tempfile
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.memory import IN_MEMORY
from tests.simulation import house, people, threads
from tests.simulation.computer import START, Computer, Process, kinds_of
from tests.simulation.database import Database
from tests.simulation.faults import Faults
from tests.simulation.ledger import Ledger, kinds_in
from tests.simulation.network import Link, Network
from tests.simulation.people import Client, Crew, Person
from tests.simulation.surroundings import surrounded
from tests.simulation.threads import Owner, VirtualLoop

from puntobanco.floor.floor import Floor
from puntobanco.shoes.vault import MemoryVault
from puntobanco.store.keys import PrivateKey
from puntobanco.table.commands import AnyCommand
from puntobanco.views.steps import next_step

LAST_STEPS = 100
QUIET = 150.0
"""Seconds without new faults at the end, after which nobody may wait for anything."""
SLACK = 10.0
"""Seconds by which the close may come late."""
HOUR = 3600.0


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is simulated."""

    seed: int
    hours: float = 1.0
    tables: int = 4
    several: bool = False
    """Whether two processes share one database; else one has its SQLite file."""
    pace: float = 4.0
    """Seconds between two things that people do at a table, on average: that makes some seventy rounds an hour."""
    views: int = 25
    """One in so many connections is shown whole views, which take most of the time."""
    faults: tuple[str, ...] = ("all",)
    rate: float = 1.0
    """How often things go wrong, as a multiple of the usual."""


class Result(NamedTuple):
    """What came of a simulation."""

    plan: Plan
    broken: str
    at: float
    """When it broke, in simulated seconds; the end where it did not."""
    table_hours: float
    real: float
    """Seconds of the processor that it took."""
    steps: int
    trace: str
    faults: Counter[str]
    events: Counter[str]
    met: Counter[tuple[str, str]]
    """How often each kind of event met each kind of fault."""
    commands: int
    refused: Counter[str]
    rounds: int
    checks: Counter[str]
    last: tuple[str, ...]


class _Ordered(dict[Any, None]):
    """A set whose order does not depend on where its members lie in memory."""

    def add(self, member: Any) -> None:
        self[member] = None

    def discard(self, member: Any) -> None:
        self.pop(member, None)


class World:
    def __init__(self, plan: Plan, folder: Path, loop: VirtualLoop) -> None:
        self.plan = plan
        self.seed = f"{plan.seed}"
        self.loop = loop
        self.loop.noted = self.noted
        self.broken_by = ""
        self.broken_at = 0.0
        self.last: deque[str] = deque(maxlen=LAST_STEPS)
        self._last_of_broken: tuple[str, ...] = ()
        self._trace = hashlib.sha256()
        self.injected: Counter[str] = Counter()
        self.met: Counter[tuple[str, str]] = Counter()
        self.refused: Counter[str] = Counter()
        self.commands = 0
        self.inspecting = False
        self.last_fault = 0.0
        self.starts = 0
        self._asked: dict[str, dict[str, str]] = defaultdict(dict)
        """Commands that wait for their answers, by person: their ids and tables."""
        self._struck: list[tuple[str, str, str]] = []
        """Commands that a fault has met, which the record will tell more of: the fault, the table, the id."""
        self.no_page = folder / "no page"
        self.no_page.mkdir()
        self.database = Database(Random(f"{self.seed} database")) if plan.several else None
        self.vault = MemoryVault()
        self.ledger = Ledger(self.broken, self.noted)
        names = ("one", "two") if plan.several else ("one",)
        self.computers = [Computer(self, name, folder, self.database) for name in names]
        self.network = Network(self.loop, Random(f"{self.seed} network"), self._find)
        self.faults = Faults(self, Random(f"{self.seed} faults"))
        self.ledger.told = self.faults.told
        self.people: dict[str, Person] = {}
        self.table_seconds = 0.0
        self._counting: dict[str, tuple[int, float]] = {}
        """Until when bets are taken at tables that count down, and since when that has been looked at."""
        for computer in self.computers:
            self._keys(computer.disk.folder)
            computer.disk = computer.insert(computer.disk.folder)

    def _keys(self, folder: Path) -> None:
        chance = Random(f"{self.seed} keys")
        key = PrivateKey(Ed25519PrivateKey.from_private_bytes(chance.randbytes(32)))
        key.save(folder / "house.key")
        (folder / "shoes.key").write_text(chance.randbytes(32).hex() + "\n")
        (folder / "shoes.key").chmod(0o600)

    def _find(self, host: str) -> tuple[Owner, Any] | None:
        return next((computer.listening for computer in self.computers if computer.name == host), None)

    # --- what happens

    def noted(self, step: str) -> None:
        told = f"{self.loop.time():.6f} {step}"
        self._trace.update(told.encode())
        self.last.append(told)

    def count(self, fault: str) -> None:
        self.injected[fault] += 1
        self.last_fault = self.loop.time()
        self.noted(f"fault: {fault}")

    def broken(self, told: str) -> None:
        """Something does not hold."""
        if not self.broken_by:
            self.broken_by, self.broken_at = told, self.loop.time()
            self.noted(f"broken: {told[:300]}")
            self._last_of_broken = tuple(self.last)
            self.loop.over = True

    def late(self, person: str, told: str, since: float) -> None:
        """Somebody was not answered in time, though nothing had been wrong for long."""
        if self.faults.none_since(since - people.PATIENCE, person):
            self.broken(f"{person} {told}, since {since:.1f}, and nothing was wrong")

    # --- commands and what meets them

    def asks(self, client: Client, table: str, id: str, body: AnyCommand) -> None:
        self._asked[client.name][id] = table
        self.noted(f"{client.name} asks {table} {type(body).__name__} {id}")

    def answered(self, table: str, id: str) -> None:
        for asked in self._asked.values():
            asked.pop(id, None)

    def cut_off(self, links: Sequence[Link]) -> None:
        """Connections have ended: what was asked and not answered, and what was told and not heard, was met by that."""
        for link in links:
            for id, table in self._asked[link.person].items():
                self._struck.append(("connection cut", table, id))
            for kind in kinds_in(link.lost):
                self.met[kind, "connection cut"] += 1

    def ends(self, process: Process, how: str) -> None:
        """A process ends: what it was writing, and what was asked of it and not answered, was met by that."""
        self.count(how)
        if process.store is not None:
            for append in process.store.in_flight.values():
                for kind in kinds_of(append):
                    self.met[kind, how] += 1
        for asked in self._asked.values():
            self._struck += [(how, table, id) for id, table in asked.items()]

    def _reckon_met(self) -> None:
        """By now the record tells what the commands led to that met a fault."""
        for fault, table, id in self._struck:
            for kind in self.ledger.read[table].kinds.get(id, ()) if table in self.ledger.read else ():
                self.met[kind, fault] += 1
        self._struck.clear()

    # --- processes

    def before_start(self, process: Process, floor: Floor) -> None:
        """What tells of the tables tells the ledger first."""
        floor.streams = _Ordered()  # type: ignore[assignment]
        floor.host.opened = self._opened
        if not self.starts:
            self.starts = 1
            floor.host.clock()
            people.set_up(floor)

    def _opened(self, mailbox: Any) -> None:
        mailbox.watchers = _Ordered()
        mailbox.watchers.add(self.ledger.follow(mailbox.name))

    def started(self, process: Process, floor: Floor) -> None:
        driven = floor.host.opened

        def opened(mailbox: Any) -> None:
            self._opened(mailbox)
            driven(mailbox)

        floor.host.opened = opened
        self.noted(f"{process.name} serves")
        self.check(floor)

    def floors(self) -> list[Floor]:
        found = [computer.process for computer in self.computers]
        return [each.floor for each in found if each is not None and not each.dead and each.floor is not None]

    def open_tables(self) -> tuple[str, ...]:
        return tuple(name for name, table in self.ledger.latest.items() if table.open)

    def faults_of_the_floor(self) -> dict[str, str]:
        return {name: fault.reason for floor in self.floors() for name, fault in floor.host.keeper.faults.items()}

    # --- checks

    @contextmanager
    def _looking(self) -> Iterator[None]:
        self.inspecting = True
        try:
            yield
        finally:
            self.inspecting = False

    def check(self, floor: Floor, *, whole: bool = False) -> None:
        if self.database is not None and (not self.database.up or self.database.lose):
            return  # nobody can look
        with self._looking():
            try:
                # a process sees with its own eyes only; together they have seen everything when all is quiet
                several = len(self.computers) > 1
                witnesses = [each.folder / "witness.jsonl" for each in self.floors()] if whole or not several else []
                self.ledger.check(floor, whole=whole, witnesses=witnesses or [floor.folder / "witness.jsonl"][several:])
            except Exception as error:
                self.broken(f"the record cannot be read: {error!r}")
        self._reckon_met()

    def _check_alive(self) -> None:
        """Nothing is out of order, what goes on by itself goes on, and nothing piles up."""
        for name, reason in self.faults_of_the_floor().items():
            if not reason.startswith("the witness file"):
                self.broken(f"the floor put {name} out of order: {reason}")
        for floor in self.floors():
            if not floor.ready:
                continue
            for task in floor._tasks + (floor._driver._tasks if floor._driver is not None else []):
                if task.done():
                    self.broken(f"{task.get_name()} has ended: {None if task.cancelled() else task.exception()!r}")
            mine = sum(not link.process.dead for link in self.network.links)
            if len(floor.streams) > mine + 20:
                self.broken(f"{len(floor.streams)} streams are served, and {mine} are connected")

    def _check_countdowns(self) -> None:
        """Bets are open for as long as was said, by the time that passes: no clock that is set makes it longer."""
        for name, table in self.ledger.latest.items():
            step = next_step(table) if table.open and table.settings.electronic else None
            if step is None or step.do != "close" or table.round is None:
                self._counting.pop(name, None)
                continue
            which, since = self._counting.get(name, (0, 0.0))
            if which != table.round.until:
                self._counting[name] = table.round.until, self.loop.time()
                continue
            late = self.loop.time() - since > table.settings.countdown + people.PATIENCE + SLACK
            if late and self.faults.none_since(since - people.PATIENCE, ""):
                self.broken(f"bets at table {name} are open since {since:.1f}, and nothing but a clock was wrong")

    async def _look(self) -> None:
        begun = self.loop.time()
        while True:
            await asyncio.sleep(5)
            self._check_alive()
            self._check_countdowns()
            self.table_seconds += 5 * len(self.open_tables())
            if self.loop.time() - begun > 600:
                begun = self.loop.time()
                for floor in self.floors():
                    self.check(floor)

    async def main(self) -> None:
        for computer in self.computers:
            self.later(computer.run(), f"computer {computer.name}")
            while not self.floors():
                await asyncio.sleep(0.1)
        for name, (role, _) in people.STAFF.items():
            self.people[name] = Person(self, name, role)
        for name in people.PLAYERS:
            self.people[name] = Person(self, name, "player")
        for person in self.people.values():
            self.later(person.live(), person.name)
        crews = [Crew(self, f"T{number}", number) for number in range(self.plan.tables)]
        for crew in crews:
            self.later(crew.run(), f"crew {crew.name}")
        for work in (house.cage, house.pit, house.surveillance, house.devices):
            self.later(work(self), work.__name__)
        self.later(self._visits(), "visitors")
        self.later(self._look(), "looking")
        await asyncio.sleep(5)
        self.faults.begin()
        await asyncio.sleep(self.plan.hours * HOUR)
        self.faults.stop()
        self._at_rest()
        await asyncio.sleep(QUIET)
        await self._last_look(crews)

    def _at_rest(self) -> None:
        self.noted("no more faults")

    async def _last_look(self, crews: list[Crew]) -> None:
        """Nothing was wrong for a while: everybody is served, everything is written, and it is all as it must be."""
        floors = self.floors()
        if len(floors) != len(self.computers):
            self.broken(f"{len(floors)} of {len(self.computers)} processes serve")
        for floor in floors:
            if not floor.serving:
                self.broken(f"the floor does not serve: {floor.problems}")
            for name, mailbox in floor.host.mailboxes.items():
                known = len(self.ledger.records[name])
                if mailbox.waiting > 20 or mailbox.version < known - 50:
                    self.broken(f"table {name}: {mailbox.waiting} commands wait, told to {mailbox.version} of {known}")
            self.check(floor, whole=True)
        for name in [name for name, person in self.people.items() if person.client is None]:
            self.broken(f"{name} cannot sign in")

    async def _visits(self) -> None:
        chance = Random(f"{self.seed} visitors")
        while True:
            await asyncio.sleep(chance.expovariate(1 / 30))
            self.later(house.visit(self, chance), "visitor")

    def later(self, work: Any, name: str) -> None:
        task = self.loop.create_task(work, name=name)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            logging.getLogger(__name__).error("the simulation itself failed", exc_info=error)
            self.broken(f"the simulation itself failed: {error!r}")


def simulate(plan: Plan, *, bug: Callable[[], Any] | None = None) -> Result:
    """A floor for some hours, from the seed alone."""
    begun = time.process_time()
    folder = Path(tempfile.mkdtemp(prefix="pb-sim-", dir=IN_MEMORY))
    try:
        with ExitStack() as stack:
            loop = VirtualLoop(Random(f"{plan.seed} threads"))
            stack.callback(loop.forget)
            chance = Random(f"{plan.seed} secrets")
            stack.enter_context(surrounded(loop, chance, lambda: START + loop.time(), _fsync))
            world = World(plan, folder, loop)
            if bug is not None:
                stack.enter_context(bug())
            world.loop.run(world.main())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Result(
        plan,
        world.broken_by,
        world.broken_at or world.loop.time(),
        world.table_seconds / HOUR,
        time.process_time() - begun,
        world.loop.steps,
        world._trace.hexdigest(),
        world.injected,
        world.ledger.events,
        world.met,
        world.commands,
        world.refused,
        world.ledger.rounds,
        world.ledger.checks,
        world._last_of_broken,
    )


def _fsync(file: int) -> None:
    process = threads.owner()
    if isinstance(process, Process):
        process.disk.fsync(file)
