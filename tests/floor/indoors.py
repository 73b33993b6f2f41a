"""A floor that this process itself serves over the loopback network, with a clock that the test sets.

Requests and frames are real; what the test does to the floor besides (the time, a damaged log) it does directly.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
import msgspec
from tests.floor.serving import FAST, HASHER, MONEY, PASSWORD, new_folder, table_settings
from tests.patience import limit, until
from websockets.sync.client import connect

from puntobanco.floor.clock import Due
from puntobanco.floor.floor import Floor
from puntobanco.floor.host import Mailbox
from puntobanco.floor.serve import address_of, listen, server_of
from puntobanco.floor.settings import load_settings
from puntobanco.floor.wire import NewDevice, NewPerson, OpenPlan, Role
from puntobanco.rules.model import Authority
from puntobanco.table.commands import AnyCommand
from puntobanco.table.settings import LIVE, TableSettings
from puntobanco.table.state import Table

STAFF: dict[str, tuple[Role, Authority | None]] = {
    "dan": ("dealer", None),
    "dora": ("dealer", None),
    "sam": ("pit", Authority.PIT_SUPERVISOR),
    "mia": ("pit", Authority.PIT_MANAGER),
    "sue": ("surveillance", None),
    "root": ("admin", None),
}
PLAYERS = ("ann", "bob", "cat")
PINS = {"dan": "1357", "sam": "2468", "mia": "3690"}
Json = dict[str, Any]


class Socket:
    """A websocket in JSON."""

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        self._stack = ExitStack()
        self.raw = self._stack.enter_context(
            connect(
                address,
                additional_headers=headers,
                max_size=None,
                compression=None,
                proxy=None,
                open_timeout=limit(),
                ping_timeout=limit(),
            )
        )

    def __enter__(self) -> Socket:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._stack.close()

    def send(self, frame: Any) -> None:
        self.raw.send(msgspec.json.encode(frame).decode())

    def hear(self) -> Json:
        found: Json = msgspec.json.decode(self.raw.recv(limit()))
        return found

    def until(self, kind: str) -> Json:
        """The next message of that kind; others are passed over."""
        while (found := self.hear())["m"] != kind:
            pass
        return found

    def do(self, table: str, id: str, body: Any) -> Json:
        """Give a command; the answer."""
        self.send({"op": "do", "table": table, "id": id, "body": body})
        while (found := self.hear()).get("id") != id:
            pass
        return found


class Indoors:
    """A served floor with people: ``STAFF``, ``PLAYERS`` with money, everybody signed in."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.folder = folder
        self._ahead = 0.0
        self.settings = load_settings(None, {}, **FAST | {"folder": str(folder), "port": 0} | settings)
        self.floor = self._new_floor()
        self.tokens: dict[str, str] = {}
        people, now = self.floor.people, self.floor.host.clock()
        if people.person("root") is None:
            for name, (role, rank) in STAFF.items():
                people.add("setup", now, NewPerson(name, role, PASSWORD, rank, PINS.get(name, "")))
            for name in PLAYERS:
                people.add("setup", now, NewPerson(name, "player", PASSWORD))
                self.floor.office.post(now, "setup", name, "first money", MONEY, "SGD")
        for name in (*STAFF, *PLAYERS):
            self.sign_in(name)
        self._begin()

    def _new_floor(self) -> Floor:
        return Floor(self.settings, hasher=HASHER, wall=self._now)

    def _now(self) -> float:
        return time.time() + self.ahead

    @property
    def ahead(self) -> float:
        """Seconds by which the wall clock differs from the true time. When it is set every table's clock looks."""
        return self._ahead

    @ahead.setter
    def ahead(self, seconds: float) -> None:
        self._ahead = seconds
        for mailbox in tuple(self.floor.host.mailboxes.values()):
            self._look(mailbox)

    def _look(self, mailbox: Mailbox) -> None:
        loop = self.floor._tasks[0].get_loop()
        if not loop.is_closed():
            loop.call_soon_threadsafe(mailbox.changed.set)

    def _begin(self) -> None:
        listening = listen(self.settings)
        self.address = address_of(listening, self.settings)
        self.server = server_of(self.floor)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        self.http = httpx.Client(base_url=self.address, timeout=limit())
        until(lambda: self.floor.ready or not self._thread.is_alive(), "the server does not start")
        assert self._thread.is_alive(), "the server has ended"

    def close(self) -> None:
        """In order; once is enough."""
        self.server.should_exit = True
        self._thread.join(limit())
        assert not self._thread.is_alive(), "the server does not end"
        self.http.close()

    def restart(self, **settings: Any) -> None:
        """The same record, served anew, with other settings for now if there are any."""
        self.close()
        self.serve_again(**settings)

    def serve_again(self, **settings: Any) -> None:
        """After it was closed."""
        first = self.settings
        self.settings = msgspec.structs.replace(first, **settings)
        self.floor = self._new_floor()
        self._begin()
        self.settings = first

    # --- people

    def sign_in(self, name: str) -> str:
        """A new session of somebody; its token."""
        self.tokens[name], _ = self.floor.people.sign_in(self.floor.host.clock(), name, PASSWORD, "here")
        return self.tokens[name]

    def add_device(self, name: str, kind: Any, table: str) -> None:
        now = self.floor.host.clock()
        self.tokens[name] = self.floor.people.add_device("setup", now, NewDevice(name, kind, table))

    def headers(self, name: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.tokens[name]}"} if name else {}

    # --- requests

    def ask(self, name: str, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Somebody's request; nobody's without a name."""
        content = None if body is None else msgspec.json.encode(body)
        kind = {} if body is None else {"content-type": "application/json"}
        return self.http.request(method, path, content=content, headers=self.headers(name) | kind | headers)

    def give(self, name: str, table: str, id: str, body: AnyCommand | Json) -> httpx.Response:
        return self.ask(name, "POST", f"/api/tables/{table}/commands", {"id": id, "body": body})

    def must(self, name: str, method: str, path: str, body: Any = None) -> Any:
        """A request that is granted; what it answers."""
        answer = self.ask(name, method, path, body)
        assert answer.status_code < 300, f"{method} {path}: {answer.status_code} {answer.text}"
        return msgspec.json.decode(answer.content) if answer.content else None

    def socket(self, name: str, *, hello: bool = True, **headers: str) -> Socket:
        address = self.address.replace("http", "ws", 1) + "/api/stream"
        found = Socket(address, self.headers(name) | headers)
        if hello:
            greeting = found.hear()
            assert greeting["m"] == "hello", greeting
        return found

    # --- tables

    def open(self, table: TableSettings) -> None:
        self.must("mia", "POST", "/api/tables", OpenPlan(table))

    def open_live(self, name: str, game: str = "super-six", **changes: Any) -> None:
        self.open(table_settings(name, game, **{"automated": LIVE} | changes))

    def view(self, name: str, table: str) -> Json:
        found: Json = self.must(name, "GET", f"/api/tables/{table}")
        return found

    def events(self, table: str) -> list[Json]:
        """All that the pit sees of a table's log."""
        found: list[Json] = self.must("mia", "GET", f"/api/tables/{table}/events")["events"]
        return found

    def entries(self, what: str = "") -> list[Json]:
        """The floor's own log, or the entries of one kind."""
        found: list[Json] = self.must("root", "GET", "/api/significant")
        return [entry for entry in found if entry["what"] == what or not what]

    def wait(self, table: str, phase: str) -> Json:
        """The table's public part, when it has come to a phase."""
        shown: Json = {}

        def there() -> bool:
            shown.update(self.view("sue", table)["public"])
            return bool(shown["phase"] == phase)

        until(there, lambda: f"table {table} stays {shown['phase']}")
        return shown

    def look_at_wall(self) -> None:
        """Wait until the floor has looked at the wall clock twice more."""
        looks, steady = 0, self.floor._steady

        def look() -> float:
            nonlocal looks
            looks += 1
            return steady()

        self.floor._steady = look
        try:
            until(lambda: looks >= 2, "nobody looks at the clock")
        finally:
            self.floor._steady = steady

    def kinds(self, table: str) -> list[str]:
        """What has happened at a table."""
        return [each["event"]["event"] for each in self.events(table)]

    def clock_looks(self, table: str) -> None:
        """Have the clock look at a table twice: whatever was due at the first look is done before the second."""
        driver, mailbox = self.floor._driver, self.floor.host.mailboxes[table]
        assert driver is not None
        looks, due = 0, driver._due

        async def look(state: Table, last: int) -> Due | None:
            nonlocal looks
            looks += state.settings.table == table
            return await due(state, last)

        driver._due = look  # type: ignore[method-assign, assignment]
        try:
            for wanted in (1, 2):
                self._look(mailbox)
                until(lambda: looks >= wanted, "the clock does not look")  # noqa: B023
        finally:
            driver._due = due  # type: ignore[method-assign]


@contextmanager
def indoors(**settings: Any) -> Iterator[Indoors]:
    with new_folder() as folder:
        found = Indoors(folder, **settings)
        try:
            yield found
        finally:
            found.close()


def code_of(answer: httpx.Response) -> str:
    """The code of a problem; empty where the request was granted."""
    return "" if answer.status_code < 400 else str(msgspec.json.decode(answer.content)["code"])
