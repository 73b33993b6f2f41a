"""A floor that is open: its tables, people, clocks and connections, from the start to the last good-bye."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from argon2 import PasswordHasher

from puntobanco.floor.archive import Archives
from puntobanco.floor.calls import Calls
from puntobanco.floor.clock import Driver
from puntobanco.floor.gate import Gate
from puntobanco.floor.host import Clock, Host, remedy, whose
from puntobanco.floor.installation import Installation
from puntobanco.floor.metrics import Histogram, exposition, memory
from puntobanco.floor.office import LOG, SYSTEM, Entry, FloorError, Office
from puntobanco.floor.people import People
from puntobanco.floor.pulse import Pulse
from puntobanco.floor.settings import FloorSettings
from puntobanco.floor.shoe_receipts import ShoeReceipts
from puntobanco.floor.stream import LAST_WORDS, Gallery, Stream
from puntobanco.floor.wire import Bye
from puntobanco.rules.library import OURS, Library
from puntobanco.shoes.commit import CommitmentError
from puntobanco.shoes.dealer import DealerError, ElectronicShoe
from puntobanco.shoes.keys import KeyRing, create_key_file, load_key_file
from puntobanco.shoes.shuffle import Source
from puntobanco.shoes.vault import SqliteVault, Vault, VaultError
from puntobanco.store.base import EVERYWHERE, Store, StoreError, is_table
from puntobanco.store.chain import LineError, moment_of
from puntobanco.store.keeper import SELF_CHECK, DamagedError, Keeper
from puntobanco.store.keys import KeyFileError, PrivateKey, load_private_key
from puntobanco.store.logs import is_database, open_store
from puntobanco.store.manifest import ManifestError
from puntobanco.store.sqlite import is_claimed
from puntobanco.store.verify import verify_log
from puntobanco.store.witness import Ends, Witness
from puntobanco.table.settings import TableSettings

log = logging.getLogger(__name__)

AUDIT = "the audit found"
"""How the reason of its fault begins."""
MOST_TOLD = 20
"""Findings of the audit that stand in the floor's log."""
STEP = 1_000
"""Milliseconds by which the clock may differ from what has passed before that counts as a step."""
LOOK = 1
"""Seconds between two looks at the clock."""
SWEEP = 30
"""Seconds between two looks at sessions."""


class ServedError(FloorError):
    """An embedded record that another process has."""

    def __init__(self, address: str) -> None:
        told = f"{address} is being served: use the interface (puntobanco help floor), or stop the server first"
        super().__init__("unavailable", told)


class Floor:
    """Everything that one process serves."""

    def __init__(
        self,
        settings: FloorSettings,
        *,
        hasher: PasswordHasher | None = None,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        store: Store | None = None,
        vault: Vault | None = None,
        source: Source = os.urandom,
    ) -> None:
        self.settings = settings
        self._wall, self._steady = wall, steady
        self.folder = Path(settings.folder)
        self.books = Library(settings.books) if settings.books else OURS
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.key = house_key(self.folder / "house.key")
        self.store: Store = store or open_store(settings.address)
        if settings.retention:
            self.store.retention = settings.retention
        self.vault: Vault = vault or _vault(settings, self.folder)
        self.shoe_keys = shoe_keys(self.folder / "shoes.key")
        shoes = self._shoes = ElectronicShoe(self.vault, self.shoe_keys, source, wait_for_cut=False)
        witness = Witness(self.folder / "witness.jsonl")
        self.office = Office(self.store, self.key, self.folder / "witness-office.jsonl")
        self.people = People(self.office, settings.limits, hasher, self.books)
        self.calls = Calls(self.office)
        self.installation = Installation(self.office, self.key, settings.of_the_house, self.books)
        manifest = self.installation.manifest
        keeper = Keeper(
            self.store,
            self.key,
            books=self.books,
            manifest=manifest,
            witness=witness,
            ends=Ends(self.folder / "witness-ends.jsonl"),
            shoes=shoes,
        )
        keeper.dropped = self.office.dropped
        self.host = Host(keeper, self.people, Clock(wall), settings.caps, assigned=settings.assigned)
        self.host.flagged = self.calls.call
        self.host.for_squeeze = settings.for_squeeze
        self.shoe_receipts = ShoeReceipts(self.store, self.key)
        self.archives = Archives(self.host.keeper)
        self.gate = Gate(self.host, settings.rates, settings.origins, steady, secure=settings.secure)
        self.gallery = Gallery(self.host)
        self.streams: set[Stream] = set()
        self._documents_changed = asyncio.Event()
        self.answered = Histogram()
        self.pulse = Pulse(self.store)
        self.host.store_failed = self.pulse.failed
        self.ready = False
        """Whether it has started, and has not begun to part."""
        self._driver: Driver | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        await self.host.in_thread(self._set_clock)
        await self.host.in_thread(self.installation.set_up, self.host.clock())
        # only who serves compares them: a command of the administration may be given others
        self.host.keeper.house = self.settings.of_the_house
        await self.host.in_thread(self._check_office)
        await self.host.start()
        await self.host.in_thread(self._note_openings)
        self._driver = Driver(self.host, self.settings.pace)
        self.host.documents_changed = self._documents_changed.set
        self._tasks = [
            self.host.later(self._watch_clock(), "watching the clock"),
            self.host.later(self._sweep(), "sweeping sessions"),
            self.host.later(self._end_sessions(), "ending sessions"),
            self.host.later(self.pulse.watch(), "asking the store"),
            self.host.later(self.gallery.run(), "showing views"),
        ]
        self.ready = True
        log.info("serving %d tables from %s", len(self.host.tables()), self.settings.address.split("@")[-1])

    @property
    def problems(self) -> tuple[str, ...]:
        """Why this process serves nothing, or not everything, each with its remedy."""
        host = self.host
        found = [] if self.ready else ["the server starts, or is going down"]
        found += filter(None, (self.pulse.problem, host.keeper.refusing))
        return (
            *found,
            *(
                f"{whose(name)} out of order: {fault.reason}; {remedy(fault)}"
                for name, fault in sorted(host.keeper.faults.items())
            ),
        )

    @property
    def serving(self) -> bool:
        """Whether requests are served: a table out of order is one thing, a floor without a store another."""
        return self.ready and not self.pulse.problem and not self.host.keeper.refusing

    def _check_office(self) -> None:
        """Balances, people and the floor's log are what was signed; else nobody plays until somebody has looked."""
        found = self.audit()
        if found:  # what another process was just writing is written when one looks again
            again = self.audit()
            found = [each for each in found if each in again]
        if found:
            now, what = self.host.clock(), "1 thing" if len(found) == 1 else f"{len(found)} things"
            # the reason of a fault is told to everybody: whose account it is about is for the house
            for each in found:
                log.error("%s: %s", AUDIT, each)
            with suppress(FloorError, StoreError):  # the tables are closed all the same
                self.office.record(now, SYSTEM, Entry("audit failed", after="; ".join(found[:MOST_TOLD])))
            self.host.keeper.set_fault(
                EVERYWHERE, now, f"{AUDIT} {what} amiss in the floor's own record: puntobanco admin audit says what"
            )

    def audit(self) -> list[str]:
        """What in the floor's own record is not as the house has signed it."""
        return [*self.office.problems(), *self.people.forged()]

    def audit_all(self) -> list[str]:
        """The same, and every table's log from its first line: chain, signatures, settlements, shoes, witness."""
        found, keeper = self.audit(), self.host.keeper
        try:
            self.installation.manifest()
        except ManifestError as error:
            found.append(str(error))
        for name in self.store.tables():
            if not is_table(name):
                found += [f"{name} is not a log of the house's"] if name != LOG else []
                continue
            try:
                keeper.check_witnessed(name)
                report = verify_log(keeper.export(name), self.key.public, books=self.books)
                if table := keeper.table(name):
                    if table.settings.table != name:  # a good opening under another name makes another table
                        found.append(f"{name} holds the log of table {table.settings.table}")
                    self._shoes.check(table)
            except (DamagedError, LineError) as error:
                found.append(str(error))
                continue
            except (DealerError, VaultError, CommitmentError) as error:
                found.append(f"table {name}: {error}")
                continue
            if report.problem is not None:
                found.append(f"table {name}: {report.problem}")
        return [*found, *keeper.missing()]

    async def part(self) -> None:
        """Say good-bye to everybody who is connected, and wait until it is said."""
        self.ready = False
        loop = asyncio.get_running_loop()
        until = loop.time() + LAST_WORDS + 1
        while self.streams and loop.time() < until:
            for stream in tuple(self.streams):
                stream.end(Bye("unavailable", "the server is going down: connect again", True))
            await asyncio.sleep(0.01)

    async def close(self) -> None:
        """Say good-bye to everybody, finish what was asked for, and stop."""
        await self.part()
        for task in self._tasks:
            task.cancel()
        if self._driver is not None:
            await self._driver.close()
        await self.host.close()
        self.pulse.close()
        self.vault.close()
        self.store.close()
        log.info("closed; nothing is left undone")

    def sign_manifest(self, actor: str, why: str, *, tables: bool = False) -> None:
        """Somebody has approved what is installed: tables that only the self-check had closed may play again.

        With ``tables`` the settings of the tables that are open now are approved as well, and no others from then on.
        """
        if not why.strip():
            raise FloorError("bad_request", "say why")
        now, keeper = self.host.clock(), self.host.keeper
        self.installation.sign(now, actor, why.strip(), self._settings_of_tables() if tables else None)
        for name, fault in keeper.faults.items():
            if fault.reason.startswith(SELF_CHECK):
                self.office.record(now, actor, Entry("fault cleared", name, before=fault.reason, why=why.strip()))
                keeper.clear_fault(name)
        if keeper.refusing:
            keeper.self_check(now)

    def self_check(self) -> tuple[str, ...]:
        """What is not as it was approved, with the settings that this floor was given, before it serves anything."""
        for name in self.store.tables():
            with suppress(DamagedError):
                self.host.keeper.table(name)
        return self.host.keeper.self_check(self.host.clock()) + self.installation.changed()

    def _settings_of_tables(self) -> dict[str, TableSettings]:
        found: dict[str, TableSettings] = {}
        for name in self.store.tables():
            with suppress(DamagedError):
                table = self.host.keeper.table(name)
                if table is not None and table.open:
                    found[name] = table.settings
        return found

    async def check_streams(self) -> None:
        """End the connections of sessions that are over; the store may have to be asked, and nobody waits for it."""
        now, streams = self.host.clock(), tuple(self.streams)
        over = await self.host.in_thread(
            lambda: [stream for stream in streams if not self.people.alive(stream.identity, now)]
        )
        for stream in over:
            stream.end(Bye("sign_in", "the session is over: sign in again", False))

    async def _end_sessions(self) -> None:
        """Whenever people, sessions or devices were changed."""
        while True:
            await self._documents_changed.wait()
            self._documents_changed.clear()
            with suppress(FloorError, StoreError):  # the sweep looks again
                await self.check_streams()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            with suppress(FloorError, StoreError):  # the next time will do, and the pulse says what is wrong
                await self.host.in_thread(self.people.sweep, self.host.clock())
                await self.host.in_thread(self.host.keeper.daily, self.host.clock())
                await self.check_streams()

    def _note_openings(self) -> None:
        """A table that opened just before its process was killed is written into the floor's log now."""
        known, after = set[str](), 0
        while part := self.office.entries(after):
            known |= {entry.about for entry in part if entry.what == "table opened"}
            after = part[-1].version
        for mailbox in self.host.tables():
            table = mailbox.table
            if table is not None and mailbox.name not in known:
                told = f"{table.settings.game}, layout {table.settings.layout}"
                entry = Entry("table opened", mailbox.name, after=told, why="written down at a later start")
                self.office.record(self.host.clock(), SYSTEM, entry)

    def _set_clock(self) -> None:
        """A clock that was set back since the last record goes on from there: no record is before an earlier one."""
        latest = max((self._last_of(log, version) for log, version in self.store.tables().items()), default=0)
        now = round(self._wall() * 1000)
        ahead = self.host.clock.not_before(latest)
        if ahead >= STEP:
            entry = Entry(
                "clock stepped", f"process {os.getpid()}", str(latest), str(now), "set back since the last record"
            )
            self.office.record(self.host.clock(), SYSTEM, entry)
            log.warning("the clock was set back by %d ms since the last record: time goes on from there", ahead)

    def _last_of(self, name: str, version: int) -> int:
        """When something happened last in a log; 0 where that cannot be read, which others find out."""
        for line in self.store.load(name, version - 1):
            with suppress(LineError):
                return moment_of(line)
        return 0

    async def _watch_clock(self) -> None:
        """A clock that was set is significant: every time in the record comes from it."""
        wall, steady = self._wall(), self._steady()
        while True:
            await asyncio.sleep(LOOK)
            now, passed = self._wall(), self._steady() - steady
            off = round((now - wall - passed) * 1000)
            if abs(off) >= STEP:
                expected = round((wall + passed) * 1000)
                entry = Entry("clock stepped", f"process {os.getpid()}", str(expected), str(round(now * 1000)))
                try:
                    await self.host.in_thread(self.office.record, self.host.clock(), SYSTEM, entry)
                except (FloorError, StoreError):
                    continue  # it still differs at the next look, and is written down then
                log.warning("the clock was set by %+d ms", off)
                self.host.clock.not_before(self.host.clock())
            wall, steady = now, steady + passed

    def metrics(self) -> str:
        host = self.host
        waiting = sum(mailbox.waiting for mailbox in host.mailboxes.values())
        held_up = (box.table is not None and box.table.blocked is not None for box in host.tables())
        return exposition(
            (
                ("events_total", "Events told since the start.", host.events),
                ("refused_total", "Commands refused since the start.", host.refused),
                ("cpu_seconds_total", "Seconds of the processor that this process has used.", time.process_time()),
            ),
            (
                ("tables", "Tables that are open.", sum(bool(box.table and box.table.open) for box in host.tables())),
                ("clocks", "Tables whose clock this process drives.", len(self._driver.driven) if self._driver else 0),
                ("streams", "Websockets connected.", len(self.streams)),
                ("waiting", "Commands waiting for their turn.", waiting),
                ("faults", "Tables out of order.", len(host.keeper.faults)),
                ("held_up", "Tables where play waits for a ruling.", sum(held_up)),
                ("memory_bytes", "Memory that this process uses.", memory()),
                ("ready", "Whether requests are served.", int(self.serving)),
                ("store_up", "Whether the store answers.", int(not self.pulse.problem)),
            ),
            (("request_seconds", "How long requests took.", self.answered),),
        )


def open_floor(settings: FloorSettings, hasher: PasswordHasher | None = None) -> Floor:
    """A floor to serve or to change; an embedded record is one process's alone, and its files one account's.

    Raises :class:`ServedError` where another has it, before anything is written, even what a newer version migrates.
    """
    os.umask(0o077)
    embedded = not is_database(settings.address)
    if embedded and is_claimed(settings.address):
        raise ServedError(settings.address)
    floor = Floor(settings, hasher=hasher)
    if embedded and not floor.store.claim("the floor"):
        floor.store.close()
        raise ServedError(settings.address)
    return floor


def house_key(file: Path) -> PrivateKey:
    """The key that signs checkpoints; made at the first start."""
    if not file.exists():
        key = PrivateKey.generate()
        with suppress(FileExistsError):  # another process was quicker
            key.save(file)
            Path(f"{file}.pub").write_bytes(key.public.pem())
    try:
        return load_private_key(file)
    except KeyFileError as error:
        raise FloorError("unavailable", str(error)) from None


def shoe_keys(file: Path) -> KeyRing:
    """The keys that seal shoes; made at the first start."""
    return load_key_file(file) if file.exists() else create_key_file(file)


def _vault(settings: FloorSettings, folder: Path) -> Vault:
    """Beside the embedded record; in the database where several processes serve the same tables."""
    if is_database(settings.address):
        from puntobanco.shoes.postgres_vault import PostgresVault

        return PostgresVault(settings.address)
    return SqliteVault(folder / "shoes.db")
