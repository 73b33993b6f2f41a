"""Real server processes on the loopback network, and a house to play in, for tests, long runs and the benchmark.

A nursery is a process that has imported everything: it forks a server for each line that it is sent, so that a server
that was killed is back within a fraction of a second. A house is people with sessions, accounts and tables, put into
a store before anybody serves it.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import msgspec
from argon2 import PasswordHasher
from tests.memory import IN_MEMORY
from tests.patience import limit, no_hang, until
from tests.store.server import PostgresServer
from websockets.asyncio.client import ClientConnection, connect

from puntobanco.client import AsyncClient, Watched
from puntobanco.floor.floor import Floor, house_key
from puntobanco.floor.office import Office
from puntobanco.floor.people import Limits, People
from puntobanco.floor.serve import serve
from puntobanco.floor.settings import load_settings
from puntobanco.floor.stream import as_seen
from puntobanco.floor.wire import (
    Brief,
    Do,
    Done,
    Events,
    FromClient,
    FromServer,
    NewDevice,
    NewPerson,
    OpenPlan,
    Role,
)
from puntobanco.rules.load import find_book
from puntobanco.rules.model import Authority
from puntobanco.script.log import parse_log
from puntobanco.store import Store, verify_log
from puntobanco.store.base import account_moves
from puntobanco.store.logs import open_store
from puntobanco.table import commands as c
from puntobanco.table.commands import AnyCommand
from puntobanco.table.entry import records_of
from puntobanco.table.events import Record, TableOpened, WagersPlaced
from puntobanco.table.folds import evolve, new_table
from puntobanco.table.settings import ELECTRONIC, TableSettings
from puntobanco.table.state import Table
from puntobanco.views.seen import Seen
from puntobanco.views.view import View, Viewer, view

ROOT = Path(__file__).parents[2]
HASHER = PasswordHasher(1, 8, 1)
PASSWORD = "harbour lights at dusk"
MONEY = 1_000_000_00
"""What a player has on the account at first; half of it becomes chips."""
_END_WITH_PARENT = 1
"""Linux's PR_SET_PDEATHSIG."""
Kind = Literal["sqlite", "postgres"]
KINDS: tuple[Kind, ...] = ("sqlite", "postgres")
FAST = {
    "log_level": "warning",
    "rate": 1e6,
    "burst": 1_000_000,
    "streams": 1_000,
    "sign_ins": 1e6,
    "assigned": False,
    "connections": 20_000,
    "silent": 60.0,
    "between_rounds": 50,
    "between_cards": 10,
    "for_cut": 10,
    "for_squeeze": 10,
}
"""Settings of a floor that nobody has to wait for."""


def now() -> int:
    return int(time.time() * 1000)


# --- processes


class Nursery:
    """Forks servers."""

    def __enter__(self) -> Nursery:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.floor.serving"],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=limit())
        self._process.stdout.close()

    def fork(self, settings: dict[str, Any]) -> int:
        """The id of a new process that serves a floor with these settings."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(settings) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


def _raise_servers() -> None:
    """What a nursery does: a server for each line, and their end with its own."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    find_book("super-six")
    born: list[int] = []
    for line in sys.stdin:
        born.append(_fork(json.loads(line)))
        print(born[-1], flush=True)
    for process in born:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _fork(given: dict[str, Any]) -> int:
    process = os.fork()
    if process:
        return process
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)  # also where the nursery itself is killed
        with (Path(given["folder"]) / f"server-{given['port']}.log").open("ab") as log:
            for stream in (1, 2):
                os.dup2(log.fileno(), stream)
        settings = load_settings(None, {}, **given)
        serve(settings, None, Floor(settings, hasher=HASHER))
    finally:
        os._exit(0)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Server:
    """A process that serves a house, at the same port whenever it is started again."""

    def __init__(self, nursery: Nursery, house: House, **settings: Any) -> None:
        self.port = free_port()
        self.process = 0
        self._nursery, self._house = nursery, house
        given = {"folder": str(house.folder), "store": house.store_address, "port": self.port}
        self._settings = FAST | given | settings

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *, wait: bool = True) -> Server:
        assert not self.process
        self.process = self._nursery.fork(self._settings)
        if wait:
            until(lambda: self.answers("/ready"), lambda: f"the server does not start: {self.log()[-2000:]}")
        return self

    def answers(self, path: str) -> str:
        """What a plain request gets; empty where nobody answers."""
        try:
            with urllib.request.urlopen(self.address + path, timeout=limit()) as answer:
                return str(answer.read().decode())
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return ""

    def figure(self, name: str) -> float:
        """One of the server's metrics; 0 where nobody answers."""
        lines = self.answers("/metrics").splitlines()
        return next((float(line.split()[1]) for line in lines if line.startswith(f"puntobanco_{name} ")), 0.0)

    def kill(self) -> None:
        """At once, in the middle of whatever it does."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """In order."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        process, self.process = self.process, 0
        if not process:
            return
        os.kill(process, how)
        until(lambda: not _lives(process), f"server {process} does not end")

    def log(self) -> str:
        """What it has written to its log."""
        file = self._house.folder / f"server-{self.port}.log"
        return file.read_text(errors="replace") if file.exists() else ""

    def memory(self) -> int:
        """Bytes of its own that are in memory now."""
        pages = int(Path(f"/proc/{self.process}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


# --- the house


class House:
    """A store with people in it: ``root`` (administration), ``pam`` (pit), ``sue`` (surveillance), ``dan`` (dealer)."""

    def __init__(self, folder: Path, store_address: str = "") -> None:
        self.folder = folder
        self.store_address = store_address
        self.tokens: dict[str, str] = {}
        """Of everybody's session, and of devices by name."""
        staff: tuple[tuple[str, Role, Authority | None], ...] = (
            ("root", "admin", None),
            ("pam", "pit", Authority.PIT_MANAGER),
            ("sue", "surveillance", None),
            ("dan", "dealer", None),
        )
        with self._people() as (people, _):
            for name, role, rank in staff:
                people.add("setup", now(), NewPerson(name, role, PASSWORD, rank))
                self.tokens[name], _ = people.sign_in(now(), name, PASSWORD, "here")

    @contextmanager
    def open(self) -> Iterator[Store]:
        """The store itself, past all servers."""
        store = open_store(self.store_address or str(self.folder / "record.db"))
        try:
            yield store
        finally:
            store.close()

    @contextmanager
    def _people(self) -> Iterator[tuple[People, Store]]:
        with self.open() as store:
            yield People(Office(store, house_key(self.folder / "house.key")), Limits(), HASHER), store

    def add_players(self, names: Iterable[str]) -> None:
        """Players with money on their accounts, who are signed in."""
        with self._people() as (people, _):
            for name in names:
                people.add("setup", now(), NewPerson(name, "player", PASSWORD))
                people.office.post(now(), "setup", name, "first money", MONEY, "SGD")
                self.tokens[name], _ = people.sign_in(now(), name, PASSWORD, "here")

    def add_display(self, table: str) -> str:
        """A display of a table; its name."""
        name = f"display of {table}"
        with self._people() as (people, _):
            self.tokens[name] = people.add_device("setup", now(), NewDevice(name, "display", table))
        return name

    def client(self, name: str, *servers: Server) -> AsyncClient:
        """Somebody's client, who is signed in."""
        return AsyncClient(*(server.address for server in servers), token=self.tokens[name])

    async def open_tables(self, server: Server, *tables: TableSettings) -> None:
        async with self.client("root", server) as root:
            for settings in tables:
                await root.request("POST", "/api/tables", Brief, OpenPlan(settings))

    async def logs(self, server: Server, tables: Iterable[str]) -> dict[str, tuple[Record, ...]]:
        """The tables' logs, each of them verified."""
        found: dict[str, tuple[Record, ...]] = {}
        async with self.client("sue", server) as sue:
            await sue.sign_in("sue", PASSWORD)  # after a long run the session that she had is over
            for table in tables:
                data = await sue.log(table)
                report = verify_log(data)
                assert report.problem is None, f"table {table}: {report.problem}"
                found[table] = records_of(parse_log(data))
        return found

    def money(self, tables: Iterable[tuple[Record, ...]]) -> None:
        """Check that what players have put in at first is on their accounts, or went to tables by their logs."""
        with self.open() as store:
            accounts = store.accounts()
        moved: dict[str, int] = {}
        for records in tables:
            for account, amount in account_moves(record.event for record in records).items():
                moved[account] = moved.get(account, 0) + amount
        assert accounts == {name: {"SGD": MONEY + moved.get(name, 0)} for name in accounts}


def table_settings(name: str, game: str = "super-six", **changes: Any) -> TableSettings:
    """An electronic table with as many boxes as its first layout has."""
    layout = next(iter(find_book(game).layouts.values()))
    base: dict[str, Any] = {
        "table": name,
        "game": game,
        "layout": layout.code,
        "positions": max(layout.positions),
        "decks": 8,
        "automated": ELECTRONIC,
        "currency": "SGD",  # which everybody has money in
        "countdown": 1,
        "insurance_countdown": 1,
    }
    return TableSettings(**base | changes)


async def sit_down(client: AsyncClient, table: str, name: str, place: int, boxes: int) -> int:
    """Take a box, or stand behind whoever sits there, with chips from the account; the box."""
    box = (place - 1) % boxes + 1
    await client.give(table, c.Join(name, box, place <= boxes))
    await client.give(table, c.BuyIn(name, MONEY // 2, "account"))
    return box


@contextmanager
def new_folder() -> Iterator[Path]:
    """A folder that costs no waiting for a disk: what is killed are processes, never the machine."""
    folder = Path(tempfile.mkdtemp(prefix="pb-floor-", dir=IN_MEMORY))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def new_house(kind: Kind, postgres: PostgresServer | None = None) -> Iterator[House]:
    with new_folder() as folder:
        if kind == "sqlite":
            yield House(folder)
        elif postgres is not None:
            yield House(folder, postgres.schema())
        else:
            with PostgresServer() as server:
                yield House(folder, server.schema())


# --- what somebody was shown


def folded(records: Sequence[Record]) -> list[Table | None]:
    """The table after each event of its log; the first is before the opening."""
    tables: list[Table | None] = [None]
    for record in records:
        table, event = tables[-1], record.event
        if table is None:
            assert isinstance(event, TableOpened)
            tables.append(new_table(event, find_book(event.settings.game)))
        else:
            tables.append(evolve(table, event))
    return tables


class Onlooker:
    """Follows a table from its first event on, and keeps all that is shown."""

    def __init__(self, client: AsyncClient, viewer: Viewer, table: str) -> None:
        self.client, self.viewer, self.table = client, viewer, table
        self.events: list[Seen] = []
        self.views: list[View] = []
        self.watched: Watched | None = None

    async def begin(self, *, after: int | None = 0) -> Onlooker:
        self.client.heard = self._hear
        self.client.viewed = lambda table, view: self.views.append(view)
        public = self.viewer.kind == "display"
        self.watched = await self.client.watch(self.table, after, public=public)
        return self

    def _hear(self, message: FromServer) -> None:
        if isinstance(message, Events):
            self.events += message.events

    @property
    def version(self) -> int:
        return self.events[-1].version if self.events else 0

    async def until(self, version: int) -> None:
        """Until the events have come as far as that."""
        assert self.watched is not None
        async with no_hang():
            while self.version < version:
                await self.watched.changed()

    def check(self, records: Sequence[Record], tables: Sequence[Table | None]) -> None:
        """Everything that was shown is what the log says, each event once and in order."""
        name = f"{self.viewer.kind} {self.viewer.person} at {self.table}"
        assert self.watched is not None
        assert self.watched.gaps == 0, name
        assert not self.client.bad, (name, self.client.bad)
        assert [event.version for event in self.events] == list(range(1, len(self.events) + 1)), name
        last = tables[-1]
        assert last is not None
        expected = as_seen(records[: len(self.events)], last, self.viewer)
        for seen, wanted in zip(self.events, expected, strict=True):
            assert _encode(seen) == _encode(wanted), f"{name}: event {seen.version}"
        assert [each.version for each in self.views] == sorted(each.version for each in self.views), name
        for shown in self.views:
            table = tables[shown.version]
            assert table is not None
            assert _encode(shown) == _encode(view(table, self.viewer, shown.now)), f"{name}: view {shown.version}"


class Bettor:
    """A player's client that bets whenever it can, and keeps every answer."""

    def __init__(self, client: AsyncClient, name: str, table: str, box: int) -> None:
        self.client, self.name, self.table, self.box = client, name, table, box
        self.accepted: dict[str, int] = {}
        self.refused: dict[str, str] = {}
        self._chance = random.Random(name)

    async def play(self, pause: float = 0.02, *, prefix: str = "") -> None:
        """Bet until it is cancelled; what was sent is waited for even then."""
        while True:
            bet = asyncio.ensure_future(self._bet(f"{prefix}{len(self.accepted) + len(self.refused)}"))
            try:
                await asyncio.shield(bet)
            except asyncio.CancelledError:
                await bet
                raise
            await asyncio.sleep(self._chance.uniform(0, 2 * pause))

    async def _bet(self, id: str) -> None:
        bet = self._chance.choice(("player", "banker", "tie"))
        answer = await self.client.try_give(self.table, c.Place(self.name, self.box, {bet: 100}), id=id)
        if isinstance(answer, Done):
            self.accepted[id] = answer.version
        else:
            self.refused[id] = answer.code


async def stop_all(tasks: Iterable[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    for found in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(found, Exception):
            raise found


def check_bets(records: Sequence[Record], bettors: Iterable[Bettor]) -> None:
    """Every acknowledged bet is in the log at its version, once; nothing else is."""
    told = {f"{each.name}:{id}": version for each in bettors for id, version in each.accepted.items()}
    placed = [record for record in records if isinstance(record.event, WagersPlaced)]
    assert len(placed) == len(told)
    assert {record.command: record.version for record in placed} == told


async def see_the_end(house: House, server: Server, onlookers: Sequence[Onlooker]) -> None:
    """Wait until everybody has been shown what there is now, then let them go."""
    async with house.client("sue", server) as sue:
        for onlooker in onlookers:
            await onlooker.until((await sue.events(onlooker.table)).version)
    for onlooker in onlookers:
        await onlooker.client.close()


def check_all(logs: Mapping[str, Sequence[Record]], bettors: Sequence[Bettor], onlookers: Sequence[Onlooker]) -> None:
    """Hold every table's log against what everybody was told and shown."""
    for table, records in logs.items():
        check_bets(records, [bettor for bettor in bettors if bettor.table == table])
        tables = folded(records)
        for onlooker in onlookers:
            if onlooker.table == table:
                onlooker.check(records, tables)


# --- a bare websocket


class Glimpse(msgspec.Struct, frozen=True):
    """The little of an event that load has to know."""

    event: str = ""
    until: int = 0


class SeenGlimpse(msgspec.Struct, frozen=True):
    version: int
    at: int
    event: Glimpse | None = None


class Heard(msgspec.Struct, frozen=True):
    """The little of a message that load has to know."""

    m: str
    table: str = ""
    id: str = ""
    version: int = 0
    repeated: bool = False
    code: str = ""
    message: str = ""
    events: tuple[SeenGlimpse, ...] = ()


_encode = msgspec.json.Encoder().encode
_glimpse = msgspec.json.Decoder(Heard).decode


class Wire:
    """A websocket that decodes only what it must: a thousand of them leave the processor to the server."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.received = 0
        """Bytes of all frames so far."""

    @staticmethod
    async def dial(address: str, token: str) -> Wire:
        headers = {"Authorization": f"Bearer {token}"}
        url = address.replace("http", "ws", 1) + "/api/stream"
        socket = await connect(
            url, additional_headers=headers, max_size=None, compression=None, proxy=None, open_timeout=limit()
        )
        wire = Wire(socket)
        hello = await wire.hear()
        assert hello.m == "hello", hello
        return wire

    async def send(self, frame: FromClient) -> None:
        await self._socket.send(_encode(frame), text=True)

    async def hear(self) -> Heard:
        frame = await self._socket.recv(decode=False)
        self.received += len(frame)
        return _glimpse(frame)

    async def ask(self, table: str, id: str, body: AnyCommand) -> Heard:
        """Give a command and wait for its answer, whatever else comes before."""
        await self.send(Do(table, id, body))
        while (heard := await self.hear()).id != id:
            pass
        return heard

    async def close(self) -> None:
        await self._socket.close()


async def at_most(count: int, works: Iterable[Any]) -> list[Any]:
    """The results of many coroutines, of which so many run at a time."""
    places = asyncio.Semaphore(count)

    async def one(work: Any) -> Any:
        async with places:
            return await work

    return await asyncio.gather(*(one(work) for work in works))


if __name__ == "__main__":
    _raise_servers()
