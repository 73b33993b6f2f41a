"""The demo as a tree of processes: one starts a server and the bots, watches over both, and stops them."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import httpx
import msgspec

from puntobanco.client import ClientError
from puntobanco.demo.bots import BotPlan
from puntobanco.demo.plan import SECRET, tables_of
from puntobanco.demo.server import ServerPlan
from puntobanco.demo.set_up import set_up
from puntobanco.floor.serve import address_of, listen
from puntobanco.floor.settings import FloorSettings, SettingsError, load_settings
from puntobanco.floor.wire import Brief

PORTS = range(8000, 8020)
"""Where the demo looks for a free port, if none is asked for."""
PATIENCE = 60.0
"""Seconds that a server may take to start."""
FOR_BOTS, FOR_SERVER = 10.0, 30.0
"""Seconds that a process may take to stop."""
RESTART = 2.0
"""Seconds before bots that died are started again."""
LOCK = "demo.lock"
"""The file that marks a folder of the demo, and is locked while it runs."""


class DemoError(ValueError):
    """A demo that cannot start, or cannot go on; the message says why."""


class DemoPlan(msgspec.Struct, frozen=True):
    """How the demo is to run."""

    folder: Path
    port: int | None = None
    fresh: bool = False
    bots: bool = True
    speed: float = 1.0
    mistakes: float = 0.12
    book: str = ""
    """A game of somebody's own, which gets a table as well."""


class Stop:
    """What a signal asks for.

    Without a lock: a handler runs in the middle of the thread that waits, and would wait for itself.
    """

    def __init__(self) -> None:
        self.asked = False

    def ask(self, number: int, frame: FrameType | None) -> None:
        self.asked = True

    def within(self, seconds: float) -> bool:
        """Whether it is asked for, at the latest after so many seconds."""
        until = time.monotonic() + seconds
        while not self.asked and (left := until - time.monotonic()) > 0:
            time.sleep(min(left, 0.1))
        return self.asked


class Demo:
    """A demo floor that runs; ``bots`` and ``server`` are its processes."""

    def __init__(self, plan: DemoPlan, address: str, listening: socket.socket, secret: str) -> None:
        self.plan = plan
        self.address = address
        self.tables: list[Brief] = []
        self.bots: subprocess.Popen[bytes] | None = None
        self._secret = secret
        self.server = self._start_server(listening)

    def _start_server(self, listening: socket.socket) -> subprocess.Popen[bytes]:
        plan = ServerPlan(_settings(self.plan), listening.fileno(), self._secret)
        server = self._start("server", pass_fds=(listening.fileno(),))
        assert server.stdin is not None
        server.stdin.write(msgspec.json.encode(plan) + b"\n")
        server.stdin.flush()
        return server

    def _start(self, module: str, *arguments: str, pass_fds: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
        """A child with its own log, in a session of its own: a Ctrl-C is for us, and we stop it in order."""
        with (self.plan.folder / f"{module}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"puntobanco.demo.{module}", *arguments],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                pass_fds=pass_fds,
                start_new_session=True,
            )

    def open(self) -> None:
        """Wait for the server, and put on the floor what is missing."""
        until = time.monotonic() + PATIENCE
        while not self._ready():
            if self.server.poll() is not None or time.monotonic() > until:
                raise DemoError(f"the server did not start; {self.plan.folder / 'server.log'} says why")
            time.sleep(0.1)
        try:
            self.tables = asyncio.run(set_up(self.address, self._secret, self.plan.speed, tables_of(self.plan.book)))
        except (ClientError, httpx.HTTPError) as error:
            raise DemoError(f"the floor cannot be set up: {error}; --fresh starts afresh") from None

    def _ready(self) -> bool:
        with suppress(httpx.HTTPError):
            return httpx.get(f"{self.address}/ready", timeout=2.0).status_code == 200
        return False

    def start_bots(self) -> None:
        plan = BotPlan(self.address, str(self.plan.folder), self.plan.speed, self.plan.mistakes, self.plan.book)
        self.bots = self._start("bots", msgspec.json.encode(plan).decode())

    def watch(self, stop: Stop) -> None:
        """Until it is told to stop; bots that die are started again."""
        while not stop.within(0.25):
            if self.server.poll() is not None:
                raise DemoError(f"the server has ended; {self.plan.folder / 'server.log'} says why")
            if self.bots is not None and self.bots.poll() is not None:
                if stop.within(RESTART / self.plan.speed):
                    return
                self.start_bots()

    def close(self) -> None:
        """The bots first, then the server, which finishes what was asked for."""
        if self.bots is not None:
            _stop(self.bots, FOR_BOTS)
        _stop(self.server, FOR_SERVER)


def _stop(process: subprocess.Popen[bytes], patience: float) -> None:
    process.terminate()
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()


def run(plan: DemoPlan, opened: Callable[[Demo], None]) -> None:
    """Run a demo until Ctrl-C or SIGTERM; ``opened`` is called when everything is there."""
    stop = Stop()
    before = {number: signal.signal(number, stop.ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with running(plan) as demo:
            opened(demo)
            demo.watch(stop)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def running(plan: DemoPlan) -> Iterator[Demo]:
    """A demo that is open, with its bots."""
    with _locked(plan.folder) as lock, _listening(plan) as listening:
        if plan.fresh:
            _empty(plan.folder)
        demo = Demo(plan, address_of(listening, _settings(plan)), listening, _secret(plan.folder))
        try:
            _write(lock, {"process": os.getpid(), "address": demo.address})
            demo.open()
            if plan.bots:
                demo.start_bots()
            yield demo
        finally:
            demo.close()


def _settings(plan: DemoPlan) -> FloorSettings:
    """Of the floor; nothing from the environment, which may be another floor's."""

    def scaled(milliseconds: int) -> int:
        return round(milliseconds / plan.speed)

    return load_settings(
        None,
        {},
        folder=str(plan.folder),
        port=plan.port,
        books=plan.book,
        rate=2_000.0,
        burst=10_000,
        sign_ins=1_000.0,
        assigned=False,
        between_rounds=scaled(5_000),
        between_cards=scaled(900),
        for_cut=scaled(6_000),
        for_squeeze=scaled(15_000),
    )


@contextmanager
def _listening(plan: DemoPlan) -> Iterator[socket.socket]:
    settings = _settings(plan)
    ports = PORTS if plan.port is None else (plan.port,)
    for port in ports:
        try:
            listening = listen(msgspec.structs.replace(settings, port=port))
        except SettingsError as error:
            if port != ports[-1]:
                continue
            raise DemoError(str(error)) from None
        with listening:
            yield listening
        return


@contextmanager
def _locked(folder: Path) -> Iterator[int]:
    """The folder, as long as nobody else has it: one demo at a time. A demo that cannot start leaves no new one."""
    made = not folder.exists()
    try:
        ours = not folder.exists() or not any(folder.iterdir()) or (folder / LOCK).exists()
        if not ours:
            raise DemoError(f"{folder} holds something else: choose another folder")
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise DemoError(f"{folder} cannot be used: {error.strerror}") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DemoError(f"the demo in {folder} is already running{_by(lock)}") from None
        yield lock
    except DemoError:
        if made and [path.name for path in folder.iterdir()] == [LOCK]:
            (folder / LOCK).unlink()
            folder.rmdir()
        raise
    finally:
        os.close(lock)


def _by(lock: int) -> str:
    """Who has it, as far as that is written down."""
    with suppress(ValueError, KeyError, TypeError):
        found = json.loads(os.pread(lock, 10_000, 0))
        return f" at {found['address']} (process {found['process']})"
    return ""


def _write(lock: int, what: dict[str, object]) -> None:
    os.ftruncate(lock, 0)
    os.pwrite(lock, json.dumps(what).encode(), 0)


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != LOCK:
            path.unlink()


def _secret(folder: Path) -> str:
    """The bots' password; made at the first start."""
    file = folder / SECRET
    if not file.exists():
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(secrets.token_urlsafe(24))
    return file.read_text().strip()
