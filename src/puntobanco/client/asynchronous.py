"""The asynchronous client: HTTP for questions, one websocket for commands and streams.

The websocket comes back by itself when it is lost. Every watch goes on after the last event that came, without gap or
repeat, and every command without an answer is sent again under its id, so that it has its effect once. Where several
processes serve the floor, a client that knows their addresses goes on at the next one.
"""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import quote

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from puntobanco.floor.wire import (
    Account,
    Bad,
    Brief,
    Bye,
    Changed,
    Do,
    Done,
    Events,
    FromServer,
    Give,
    GiveFor,
    Given,
    Hello,
    NotDone,
    Part,
    Problem,
    SignedIn,
    SignIn,
    Unwatch,
    ViewIs,
    Watch,
)
from puntobanco.table.commands import AnyCommand
from puntobanco.views.difference import applied
from puntobanco.views.seen import Seen
from puntobanco.views.view import View

T = TypeVar("T")
TIMEOUT = 30.0
"""Seconds that a request may take."""
PAUSES = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
"""Seconds before the next try to connect."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(FromServer).decode


class ClientError(Exception):
    """A request that was not granted. ``problem`` says why; its code is stable."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.code}: {problem.message}")
        self.problem = problem

    @property
    def code(self) -> str:
        """What went wrong, for programs: ``bets_closed``."""
        return self.problem.code


class Watched:
    """A table that is followed: the latest view, and the events as they come."""

    def __init__(self, table: str, after: int | None, *, views: bool, public: bool) -> None:
        self.table = table
        self.version = after
        """Of the last event that came."""
        self.view: View | None = None
        self.gaps = 0
        """Events that were missing or came twice: none, ever."""
        self.views, self.public = views, public
        self._shown: dict[str, Any] | None = None
        """The view as it came, if something was put into it."""
        self.lost = False
        """Whether a whole view is waited for."""
        self._events: asyncio.Queue[Seen] = asyncio.Queue()
        self._changed = asyncio.Event()

    def frame(self) -> Watch:
        """What to send to follow the table from where we are."""
        return Watch(self.table, self.version, self.views, self.public)

    def events_came(self, events: tuple[Seen, ...]) -> None:
        """Take in what the server sent, and count what is missing."""
        for event in events:
            if self.version is not None and event.version != self.version + 1:
                self.gaps += 1
            self.version = event.version
            self._events.put_nowait(event)
        self._changed.set()

    def view_came(self, view: View) -> None:
        """Take in a whole view."""
        self.view, self._shown, self.lost = view, None, False
        if self.version is None:
            self.version = view.version
        self._changed.set()

    def view_changed(self, changed: Changed) -> bool:
        """Put into the view what has changed. False: it is about another view, and a whole one has to be asked for."""
        if self.view is None or self.view.version != changed.base:
            self.lost = True
            return False
        shown = msgspec.json.decode(_encode(self.view)) if self._shown is None else self._shown
        shown = applied(shown, changed.parts, changed.lists) | {"version": changed.version, "now": changed.now}
        self.view, self._shown = msgspec.convert(shown, View, str_keys=True), shown
        self._changed.set()
        return True

    async def next_event(self) -> Seen:
        """The next event, waited for if need be; each is given once."""
        return await self._events.get()

    def waiting_events(self) -> list[Seen]:
        """What came since the last time; never waits."""
        found = []
        while not self._events.empty():
            found.append(self._events.get_nowait())
        return found

    async def changed(self) -> None:
        """Until something came."""
        await self._changed.wait()
        self._changed.clear()

    async def until(self, good: Callable[[View], bool], timeout: float = TIMEOUT) -> View:
        """The first view that is as wanted."""
        async with asyncio.timeout(timeout):
            while self.view is None or not good(self.view):
                await self.changed()
        return self.view


class AsyncClient:
    """One person or device at a floor that is served at one address or at several: whichever answers is used."""

    def __init__(self, address: str, *others: str, token: str = "") -> None:
        self._addresses = tuple(each.rstrip("/") for each in (address, *others))
        self._at = 0
        self.who: SignedIn | None = None
        self.reconnects = 0
        self._token = token
        self._http = httpx.AsyncClient(timeout=TIMEOUT, verify=_trusted())
        self._watched: dict[str, Watched] = {}
        self._pending: dict[str, tuple[Do, asyncio.Future[Done | NotDone]]] = {}
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._online = asyncio.Event()
        self.bad: list[Bad] = []
        """Frames that the server could not serve."""
        self.bye: Bye | None = None
        self.heard: Callable[[FromServer], None] = lambda message: None
        """Called with every message of the websocket, before anything else is done with it."""
        self.viewed: Callable[[str, View], None] = lambda table, view: None
        """Called with the whole view of a table whenever it is another."""

    @property
    def address(self) -> str:
        """Where the client is served, or tries to be."""
        return self._addresses[self._at]

    def _elsewhere(self) -> None:
        self._at = (self._at + 1) % len(self._addresses)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the connection; the session goes on until it is signed out of."""
        try:
            if self._task is not None:
                self._task.cancel()
                await asyncio.wait([self._task])  # which lets whoever closes be cancelled as well
                if not self._task.cancelled():
                    self._task.exception()
        finally:
            await self._http.aclose()

    # --- HTTP

    async def request(self, method: str, path: str, type_: type[T], body: msgspec.Struct | None = None) -> T:
        """Any request of the interface. Raises :class:`ClientError` where it is not granted, or nobody answers."""
        headers = {"content-type": "application/json"}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        content = _encode(body) if body is not None else None
        answer = await self._answer(method, path, content, headers)
        if answer.status_code >= 400:
            try:
                problem = msgspec.json.decode(answer.content, type=Problem)
            except msgspec.MsgspecError:
                problem = Problem("failed", f"{answer.status_code}: {answer.text[:200]}")
            raise ClientError(problem)
        if type_ is bytes:
            return answer.content  # type: ignore[return-value]
        if not answer.content:
            return None  # type: ignore[return-value]
        return msgspec.json.decode(answer.content, type=type_)

    async def _answer(self, method: str, path: str, content: bytes | None, headers: dict[str, str]) -> httpx.Response:
        for _ in self._addresses:
            try:
                return await self._http.request(method, self.address + path, content=content, headers=headers)
            except httpx.ConnectError:  # nothing was sent
                self._elsewhere()
            except httpx.TransportError as error:
                raise ClientError(Problem("unavailable", f"{self.address} gave no answer: {error!r}")) from error
        raise ClientError(Problem("unavailable", f"nobody answers at {' or '.join(self._addresses)}"))

    async def sign_in(self, name: str, password: str) -> SignedIn:
        """Begin a session; raises ClientError unless name and password fit."""
        self.who = await self.request("POST", "/api/session", SignedIn, SignIn(name, password))
        self._token = self.who.token
        return self.who

    async def sign_out(self) -> None:
        """End the session at the server."""
        await self.request("DELETE", "/api/session", type(None))
        self._token = ""

    async def account(self) -> Account:
        """The signed-in person's account: ``(await client.account()).holds("SGD")`` minor units."""
        return await self.request("GET", "/api/account", Account)

    async def tables(self, *, closed: bool = False) -> list[Brief]:
        """The lobby: every open table, and with ``closed`` those that are over."""
        return await self.request("GET", f"/api/tables{'?closed=true' if closed else ''}", list[Brief])

    async def view(self, table: str) -> View:
        """What this person may see of a table now."""
        return await self.request("GET", f"/api/tables/{_part(table)}", View)

    async def events(self, table: str, after: int = 0) -> Part:
        """A part of what happened after a version, as this person may see it."""
        return await self.request("GET", f"/api/tables/{_part(table)}/events?after={after}", Part)

    async def post_command(self, table: str, body: AnyCommand, *, id: str = "", against: int | None = None) -> Given:
        """Give a command by HTTP instead of the websocket."""
        give = Give(id or new_id(), body, against)
        return await self.request("POST", f"/api/tables/{_part(table)}/commands", Given, give)

    async def give_for(self, table: str, person: str, pin: str, body: AnyCommand, *, id: str = "") -> Given:
        """A second person's command at this console."""
        give = GiveFor(person, pin, Give(id or new_id(), body))
        return await self.request("POST", f"/api/tables/{_part(table)}/commands-for", Given, give)

    async def log(self, table: str) -> bytes:
        """The table's log, for those who may have it."""
        return await self.request("GET", f"/api/tables/{_part(table)}/log", bytes)

    # --- the websocket

    async def watch(self, table: str, after: int | None = None, *, views: bool = True, public: bool = False) -> Watched:
        """Follow a table from now on, or from a version on."""
        watched = self._watched[table] = Watched(table, after, views=views, public=public)
        await self._send(watched.frame())
        return watched

    async def unwatch(self, table: str) -> None:
        """Follow the table no longer."""
        del self._watched[table]
        await self._send(Unwatch(table))

    async def give(self, table: str, body: AnyCommand, *, id: str = "", against: int | None = None) -> Done:
        """Give a command; answered when it is durable. Raises :class:`ClientError` where the table refuses."""
        answer = await self.try_give(table, body, id=id, against=against)
        if isinstance(answer, NotDone):
            raise ClientError(
                Problem(answer.code, answer.message, answer.paragraph, answer.fits, answer.detail, answer.values)
            )
        return answer

    async def try_give(
        self, table: str, body: AnyCommand, *, id: str = "", against: int | None = None
    ) -> Done | NotDone:
        """The same, with a refusal as an answer."""
        frame = Do(table, id or new_id(), body, against)
        key = f"{table}\0{frame.id}"
        _, future = self._pending.setdefault(key, (frame, asyncio.get_running_loop().create_future()))
        try:
            await self._send(frame)
            async with asyncio.timeout(TIMEOUT):  # wait_for of Python 3.11 may lose a cancellation
                answer = await asyncio.shield(future)
        finally:
            self._pending.pop(key, None)
        if isinstance(answer, NotDone) and answer.code == "unavailable":
            # it is not known whether it happened: the same id cannot do it twice
            await asyncio.sleep(PAUSES[2])
            return await self.try_give(table, body, id=frame.id, against=against)
        return answer

    async def _send(self, frame: msgspec.Struct) -> None:
        self._connect()
        if self._socket is None:
            return  # it goes out with the rest when the connection is there
        with suppress(ConnectionClosed):
            await self._socket.send(_encode(frame).decode())

    def _connect(self) -> None:
        """Begin to connect, if that is new. Raises :class:`ClientError` where the server has ended it for good."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name=f"websocket of {self.address}")
        elif self._task.done() and self.bye is not None:
            raise ClientError(Problem(self.bye.code, self.bye.message))

    async def _run(self) -> None:
        tries = 0
        while self.bye is None or self.bye.again:
            self.bye = None
            with suppress(OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError):
                await self._stay(await self._dial())
            if self._socket is not None:
                tries = 0
            else:
                self._elsewhere()
            self._socket = None
            self._online.clear()
            self.reconnects += 1
            await asyncio.sleep(PAUSES[min(tries // len(self._addresses), len(PAUSES) - 1)])
            tries += 1
        problem = Problem(self.bye.code, self.bye.message)
        for _, future in self._pending.values():
            if not future.done():
                future.set_exception(ClientError(problem))

    def _dial(self) -> connect:
        address = self.address.replace("http", "ws", 1) + "/api/stream"
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        return connect(
            address, additional_headers=headers, max_size=None, compression=None, open_timeout=TIMEOUT, proxy=None
        )

    async def _stay(self, socket: ClientConnection) -> None:
        """Listen until the connection ends. Its socket is closed even where the goodbye is cancelled, too."""
        try:
            async with socket:
                await self._listen(socket)
        finally:
            socket.transport.abort()

    async def _listen(self, socket: ClientConnection) -> None:
        async for data in socket:
            message = _decode(data)
            self.heard(message)
            match message:
                case Hello():
                    await self._greeted(socket)
                case Events():
                    if watched := self._watched.get(message.table):
                        watched.events_came(message.events)
                case ViewIs():
                    if watched := self._watched.get(message.table):
                        watched.view_came(message.view)
                        self.viewed(message.table, message.view)
                case Changed():
                    await self._changed(socket, message)
                case Done() | NotDone():
                    _, future = self._pending.get(f"{message.table}\0{message.id}", (None, None))
                    if future is not None and not future.done():
                        future.set_result(message)
                case Bad():
                    self.bad.append(message)
                case Bye():
                    self.bye = message

    async def _changed(self, socket: ClientConnection, message: Changed) -> None:
        watched = self._watched.get(message.table)
        if watched is None or watched.lost:
            return
        if watched.view_changed(message) and watched.view is not None:
            self.viewed(message.table, watched.view)
        else:
            await socket.send(_encode(watched.frame()).decode())

    async def _greeted(self, socket: ClientConnection) -> None:
        """Go on where the last connection ended."""
        self._socket = socket
        frames: list[Any] = [watched.frame() for watched in self._watched.values()]
        frames += [frame for frame, future in self._pending.values() if not future.done()]
        for frame in frames:
            await socket.send(_encode(frame).decode())
        self._online.set()

    async def online(self) -> None:
        """Until the websocket is there."""
        self._connect()
        await self._online.wait()


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that https trusts: read once, because that takes longer than the rest of a client."""
    return httpx.create_ssl_context()


def new_id() -> str:
    """A fresh id for a command."""
    return secrets.token_hex(12)


def _part(table: str) -> str:
    return quote(table, safe="")
