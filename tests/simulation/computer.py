"""A simulated computer: its clock, its disk, and the process that serves a floor on it, again after each end."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import apsw
from argon2 import PasswordHasher
from tests.floor.serving import FAST
from tests.simulation import threads
from tests.simulation.database import Database, Session
from tests.simulation.disk import Disk
from tests.simulation.people import BOOKS
from tests.simulation.threads import KilledError, Owner

from puntobanco.floor.app import Outside, create_app
from puntobanco.floor.floor import Floor
from puntobanco.floor.office import FloorError
from puntobanco.floor.settings import FloorSettings, load_settings
from puntobanco.shoes.vault import SqliteVault, Vault, VaultError
from puntobanco.store.base import Append, Store, StoreError
from puntobanco.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from tests.simulation.world import World

log = logging.getLogger(__name__)

START = 1_800_000_000.0
"""The time of day when a simulation begins."""
DOWN = (0.2, 20.0)
"""Seconds until a process that has ended is started again."""
PACE = {"between_rounds": 4_000, "between_cards": 700, "for_cut": 3_000, "for_squeeze": 6_000}
TAG = re.compile(rb'"event":"([a-z_]+)"')


def kinds_of(append: Append) -> list[str]:
    """The kinds of events in what is to be stored; none for the house's own logs."""
    return [] if append.table.startswith("@") else [found.decode() for found in TAG.findall(append.line)]


class Hasher(PasswordHasher):
    """Quick, and with salts by seed."""

    def __init__(self, chance: Random) -> None:
        super().__init__(1, 8, 1)
        self._chance = chance

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        return super().hash(password, salt=salt or self._chance.randbytes(16))


class Recorder(SqliteStore):
    """The SQLite store over the computer's disk: it knows what it is writing, and waits for its disk."""

    def __init__(self, path: Path, computer: Computer, vfs: str) -> None:
        self._computer = computer
        self.in_flight: dict[str, Append] = {}
        super().__init__(path, vfs=vfs)

    def submit(self, append: Append) -> Any:
        self.in_flight[append.command] = append
        future = super().submit(append)
        future.add_done_callback(lambda _: self.in_flight.pop(append.command, None))
        return future

    def _fetch(self, sql: str, *bindings: Any) -> Any:
        threads.pause()
        return super()._fetch(sql, *bindings)

    def _write(self, jobs: Any) -> None:
        threads.pause(self._computer.disk_takes())
        self._computer.writes(self)
        super()._write(jobs)
        threads.pause()


class Process(Owner):
    """One run of the server."""

    def __init__(self, computer: Computer, number: int) -> None:
        super().__init__(f"{computer.name}.{number}")
        self.number = number
        self.computer = computer
        self.disk = computer.disk
        self.floor: Floor | None = None
        self.store: Recorder | Session | None = None
        self.vault: SqliteVault | None = None
        self.ended: asyncio.Event = asyncio.Event()


def bury(process: Process) -> None:
    """Let go of the files of a process that has ended; its disk does nothing any more."""
    store, floor = process.store, process.floor
    connections: list[Any] = []
    if isinstance(store, Recorder):
        connections += [*store._readers, store._writer]
    if process.vault is not None:
        connections.append(process.vault._connection)
    for connection in connections:
        with suppress(Exception):
            connection.close(True)
    if floor is not None:
        floor.host.keeper._held.clear()


class Computer:
    """Where processes run, one after the other."""

    def __init__(self, world: World, name: str, folder: Path, database: Database | None) -> None:
        self.world = world
        self.name = name
        self.process: Process | None = None
        self.app: Outside | None = None
        self.ahead = 0.0
        """Seconds by which its clock is wrong."""
        self.slow = 1.0
        self.failing: Counter[str] = Counter()
        """Kinds of operations of the disk that fail, each with how many in a thousand."""
        self.full = False
        self.strike: Callable[[], None] | None = None
        """What happens in one of the next operations of the disk."""
        self.strike_in = 0
        self.boots = 0
        self.powered = True
        self._database = database
        self._chance = Random(f"{world.seed} computer {name}")
        self._root = folder
        self.disk = self.insert(self._folder(0))

    # --- what processes find here

    def wall(self) -> float:
        return START + self.world.loop.time() + self.ahead

    def disk_takes(self) -> float:
        return self._chance.expovariate(1 / (0.002 * self.slow))

    def settings(self, folder: Path) -> FloorSettings:
        given = FAST | PACE | {"folder": str(folder), "page": str(self.world.no_page), "books": str(BOOKS)}
        return load_settings(None, {}, **given)

    def _folder(self, number: int) -> Path:
        found = self._root / f"{self.name}-{number}"
        found.mkdir(parents=True, exist_ok=True, mode=0o700)
        return found

    def insert(self, folder: Path) -> Disk:
        disk = Disk(folder, self._chance)
        disk.before, disk.after = self._before, self._after
        return disk

    # --- the disk

    def _before(self, kind: str, file: str) -> None:
        if self.world.inspecting:
            return
        if self.strike is not None and kind != "read":
            self.strike_in -= 1
            if self.strike_in <= 0:
                strike, self.strike = self.strike, None
                strike()
                raise KilledError
        writes = kind in ("write", "sync", "fsync", "truncate")
        if self.full and writes and kind != "sync":
            self.world.count("disk full")
            raise apsw.FullError("no space left on device") if kind != "fsync" else OSError(28, "No space left")
        if (share := self.failing[kind]) and self._chance.randrange(1000) < share:
            self.world.count(f"{kind} error")
            raise apsw.IOError("the disk fails") if kind != "fsync" else OSError(5, "Input/output error")

    def _after(self, kind: str, file: str) -> None:
        """A sync that is done, and nobody has heard of it yet."""
        if self.strike is not None and not self.world.inspecting and self._chance.random() < 0.3:
            strike, self.strike = self.strike, None
            strike()
            raise KilledError

    def writes(self, store: Recorder) -> None:
        """A transaction begins: whoever waits for a rare kind of event to strike strikes now."""
        self.world.faults.writing(self, [kind for each in store.in_flight.values() for kind in kinds_of(each)])

    # --- processes

    async def run(self) -> None:
        """Serve for ever: after each end begin again."""
        while True:
            self.boots += 1
            process = self.process = Process(self, self.boots)
            context = process.context()
            task = context.run(self.world.loop.create_task, self._serve(process))
            task.set_name(f"serving {process.name}")
            await process.ended.wait()
            await asyncio.sleep(self._chance.uniform(*DOWN))
            bury(process)
            self.powered = True
            self.slow, self.full = 1.0, False
            self.failing.clear()

    async def _serve(self, process: Process) -> None:
        loop = self.world.loop
        opened: asyncio.Future[Floor | Exception] = loop.create_future()

        def work() -> None:
            found: Floor | Exception
            try:
                found = self._open(process)
            except (StoreError, FloorError, VaultError, OSError, apsw.Error) as error:
                found = error
            loop.call_soon(lambda: None if opened.done() else opened.set_result(found))

        threads.spawn(work, "opening")
        found = await opened
        if isinstance(found, Exception):
            log.info("%s does not start: %s", process.name, found)
            self.end(process, "exit")
            return
        try:
            if self.app is None:
                self.app = create_app(found)
            else:
                self.app._floor = found
                self.app.app.state["floor"] = found
            self.world.before_start(process, found)
            await found.start()
        except (StoreError, FloorError, VaultError, OSError, apsw.Error) as error:
            log.info("%s does not start: %s", process.name, error)
            self.end(process, "exit")
            return
        process.floor = found
        self.world.started(process, found)

    def _open(self, process: Process) -> Floor:
        folder = self.disk.folder
        settings = self.settings(folder)
        store: Store
        vault: Vault
        if self._database is None:
            store = process.store = Recorder(folder / "record.db", self, self.disk.name)
            store.claim("the floor")
            vault = process.vault = SqliteVault(folder / "shoes.db", vfs=self.disk.name)
        else:
            store = process.store = Session(self._database)
            vault = self.world.vault
        return Floor(
            settings,
            hasher=Hasher(self._chance),
            wall=self.wall,
            steady=self.world.loop.time,
            store=store,
            vault=vault,
            source=self._chance.randbytes,
        )

    @property
    def listening(self) -> tuple[Owner, Any] | None:
        process = self.process
        if process is None or process.dead or process.floor is None or not process.floor.ready:
            return None
        return process, self.app

    def end(self, process: Process, how: str) -> None:
        """The process ends here and now: ``kill``, ``power cut``, or an ``exit`` of its own."""
        if process.dead:
            return
        self.world.ends(process, how)
        process.dead = True
        self.strike = None
        links = self.world.network.gone(process, quietly=how == "power cut")
        self.world.cut_off(links)
        if self._database is not None:
            self._database.ended(process)
        folder = self._folder(self.boots)
        if how == "power cut":
            self.disk.after_power_cut(folder)
        else:
            self.disk.after_kill(folder)
        self.world.loop.graveyard.append((process, self.disk))
        self.disk = self.insert(folder)
        process.ended.set()
