"""A PostgreSQL server of one's own, in a temporary folder, for tests, the crash test and the benchmark.

PostgreSQL refuses to run as root; then it runs as another user. Where its programs are missing and we are root, they
are installed through apt; else :class:`NoServerError` says what to do. Nothing is ever skipped.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from pwd import getpwnam
from types import TracebackType

import psycopg
from tests.memory import IN_MEMORY
from tests.patience import limit

USERS = ("postgres", "nobody")


class NoServerError(RuntimeError):
    """PostgreSQL's programs are missing and cannot be installed from here."""


def program(name: str) -> str:
    """The path of one of PostgreSQL's programs."""
    if found := _find(name):
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=False, env=environment)
        subprocess.run(["apt-get", "install", "-y", "-qq", "postgresql"], check=False, env=environment)
        if found := _find(name):
            return found
    raise NoServerError(
        f"the tests of the PostgreSQL store need its server, and there is no {name}: install PostgreSQL 15 or later"
        " (on Debian and Ubuntu: apt-get install postgresql) or put its programs on the PATH"
    )


def _find(name: str) -> str | None:
    if found := shutil.which(name):
        return found
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return str(versions[0]) if versions else None


class PostgresServer:
    """A server that runs between ``with`` and its end."""

    def __init__(self, *, on_disk: bool = False) -> None:
        self._postgres, initdb = program("postgres"), program("initdb")
        self.folder = Path(tempfile.mkdtemp(prefix="pb-pg-", dir=None if on_disk else IN_MEMORY))
        self._user: str | None = None
        if os.geteuid() == 0:
            self._user = next(user for user in USERS if _exists(user))
            shutil.chown(self.folder, self._user)
        self._schemas = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._run([initdb, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync", "-D", str(self.data)])

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def address(self) -> str:
        return f"postgresql:///postgres?host={self.folder}&user=postgres"

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(command, user=self._user, cwd="/", capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoServerError(f"{command[0]} failed: {done.stderr.strip()}")

    def start(self) -> None:
        log = (self.folder / "log").open("ab")
        options = ["-c", "listen_addresses=", "-c", f"unix_socket_directories={self.folder}"]
        self._process = subprocess.Popen(
            [self._postgres, "-D", str(self.data), *options, "-c", "max_connections=200"],
            user=self._user,
            cwd="/",
            stdout=log,
            stderr=log,
        )
        log.close()
        until = time.monotonic() + limit()
        while True:
            try:
                psycopg.connect(self.address).close()
                return
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or time.monotonic() > until:
                    text = (self.folder / "log").read_text(errors="replace")
                    raise NoServerError(f"PostgreSQL does not start: {text[-2000:]}") from error
                time.sleep(0.05)

    def stop(self, how: int = signal.SIGINT) -> None:
        """In order by default; by SIGQUIT at once, writing nothing more, so that the next start has to recover."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=limit())
            self._process = None

    def schema(self) -> str:
        """The address of a new, empty schema."""
        self._schemas += 1
        name = f"s{self._schemas}"
        with psycopg.connect(self.address, autocommit=True) as connection:
            connection.execute(f"create schema {name}")
        return f"{self.address}&options=-csearch_path%3D{name}"

    def __enter__(self) -> PostgresServer:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)


def _exists(user: str) -> bool:
    try:
        getpwnam(user)
    except KeyError:
        return False
    return True
