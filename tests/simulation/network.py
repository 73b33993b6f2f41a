"""The network between clients and simulated processes: slow by chance, cut, silent, and clients that do not read.

Requests and frames reach the floor's own application as the server would hand them over (ASGI). What is left out is
the server's part: the parsing of HTTP, TLS, and the limits of the doorway.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

import httpx
from tests.simulation.threads import Owner, VirtualLoop
from websockets.exceptions import ConnectionClosedError

SILENCE = 40.0
"""Seconds after which either side gives up a connection on which nothing comes back."""
ROOM = 64
"""Frames that wait for a client that does not read before the server has to wait, too."""

App = Callable[[Any, Any, Any], Any]


class Pipe:
    """One direction of a connection: what is sent arrives later, in order."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._loop = network.loop
        self._arrived: deque[Any] = deque()
        self.on_the_way: deque[Any] = deque()
        self.silent = False
        self.closed = False
        self.lost: list[Any] = []
        """What was sent and did not arrive before the end."""
        self._latest = 0.0
        self._news = asyncio.Event()
        self._room = asyncio.Event()

    def put(self, item: Any) -> None:
        if self.closed or self.silent:
            self.lost.append(item)
            return
        # never at the same moment as the one before: timers of one moment have no order
        self._latest = max(self._latest + 1e-7, self._loop.time() + self._network.delay())
        self.on_the_way.append(item)
        self._loop.call_at(self._latest, self._arrive, context=self._network.context)

    def _arrive(self) -> None:
        if not self.on_the_way:
            return  # it is lost already
        item = self.on_the_way.popleft()
        if self.silent:
            self.lost.append(item)
        else:
            self._arrived.append(item)
        self._news.set()

    async def send(self, item: Any) -> None:
        """The same, by somebody who waits for room."""
        while len(self._arrived) + len(self.on_the_way) >= ROOM and not self.closed:
            self._room.clear()
            await self._room.wait()
        if self.closed:
            raise ConnectionResetError("the connection is over")
        self.put(item)

    async def get(self) -> Any:
        """The next that has arrived; None at the end."""
        while not self._arrived:
            if self.closed:
                return None
            self._news.clear()
            await self._news.wait()
        self._room.set()
        return self._arrived.popleft()

    def end(self) -> None:
        """Nothing arrives any more; what has arrived may still be read."""
        self.closed = True
        self.lost += self.on_the_way
        self.on_the_way.clear()
        self._news.set()
        self._room.set()


class Link:
    """A websocket between a client and a process."""

    def __init__(self, network: Network, person: str, process: Owner) -> None:
        self.network = network
        self.person = person
        self.process = process
        self.up, self.down = Pipe(network), Pipe(network)
        self.over = False
        self.answered: asyncio.Future[bool] = network.loop.create_future()

    def cut(self, *, quietly: bool = False) -> None:
        """Both ends find out: at once, or quietly, after a long silence."""
        if self.over:
            return
        if quietly:
            self.up.silent = self.down.silent = True
            self.network.loop.call_later(SILENCE, self.cut, context=self.network.context)
            return
        self.over = True
        self.network.links.pop(self, None)
        for pipe in (self.up, self.down):
            pipe.end()
        if not self.answered.done():
            self.answered.set_result(False)

    @property
    def lost(self) -> list[Any]:
        """Frames to the client that it never got."""
        return self.down.lost


class ClientSocket:
    """A client's end, as :class:`puntobanco.client.AsyncClient` wants it."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.transport = self
        self.latest = ""
        self.reads_after = 0.0
        """When it reads on."""

    async def __aenter__(self) -> ClientSocket:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.abort()

    def abort(self) -> None:
        self.link.cut()

    async def send(self, frame: str) -> None:
        if self.link.over:
            raise ConnectionClosedError(None, None)
        self.link.up.put({"type": "websocket.receive", "text": frame})

    def __aiter__(self) -> ClientSocket:
        return self

    async def __anext__(self) -> str:
        loop = self.link.network.loop
        while (left := self.reads_after - loop.time()) > 0 and not self.link.over:
            await asyncio.sleep(left)
        frame = await self.link.down.get()
        if frame is None:
            raise ConnectionClosedError(None, None)
        if frame is CLOSED:
            raise StopAsyncIteration
        self.latest = str(frame)
        return self.latest


CLOSED = object()
"""The server's good-bye."""


class Network:
    """All connections. ``find`` names the process that listens at a host, if one does, and its application."""

    def __init__(self, loop: VirtualLoop, chance: Random, find: Callable[[str], tuple[Owner, App] | None]) -> None:
        self.loop = loop
        self.links: dict[Link, None] = {}
        self.slow = 1.0
        """How much slower than usual everything is."""
        self.lose = 0.0
        """The chance that a request or its answer is lost."""
        self.context = Owner("the network").context()
        self._chance = chance
        self._find = find

    def delay(self) -> float:
        return self._chance.expovariate(1 / (0.004 * self.slow)) + 0.0005

    # --- HTTP

    async def request(self, request: httpx.Request) -> httpx.Response:
        answer: asyncio.Future[Any] = self.loop.create_future()
        content = await request.aread()
        self.loop.call_later(self.delay(), self._arrives, request, content, answer, context=self.context)
        found = await answer
        if isinstance(found, Exception):
            raise found
        status, headers, body = found
        return httpx.Response(status, headers=headers, content=body, request=request)

    def _arrives(self, request: httpx.Request, content: bytes, answer: asyncio.Future[Any]) -> None:
        served = self._find(request.url.host)
        if served is None:
            self._answer(answer, httpx.ConnectError("nobody listens"))
            return
        if self._chance.random() < self.lose:
            self._answer(answer, httpx.ReadError("the connection was cut"))
            return
        process, app = served
        process.context().run(self.loop.create_task, self._serve(request, content, answer, process, app))
        self._watch_over(process, answer)

    def _watch_over(self, process: Owner, answer: asyncio.Future[Any]) -> None:
        """A process that dies answers nothing."""
        if not answer.done():
            if process.dead:
                answer.set_result(httpx.ReadError("the server has gone"))
            else:
                self.loop.call_later(1.0, self._watch_over, process, answer, context=self.context)

    async def _serve(
        self, request: httpx.Request, content: bytes, answer: asyncio.Future[Any], process: Owner, app: App
    ) -> None:
        scope = self._scope("http", request.url, request.headers.raw) | {"method": request.method}
        asked, status, body = False, 500, b""
        headers: list[tuple[bytes, bytes]] = []

        async def receive() -> Any:
            nonlocal asked
            if asked:
                await self.loop.create_future()
            asked = True
            return {"type": "http.request", "body": content, "more_body": False}

        async def send(message: Any) -> None:
            nonlocal status, headers, body
            if message["type"] == "http.response.start":
                status, headers = message["status"], list(message["headers"])
            else:
                body += message.get("body", b"")
                if not message.get("more_body"):
                    lost = self._chance.random() < self.lose
                    found = httpx.ReadError("the answer was cut") if lost else (status, headers, body)
                    self._answer(answer, found)

        await app(scope, receive, send)

    def _answer(self, answer: asyncio.Future[Any], found: Any) -> None:
        def give() -> None:
            if not answer.done():
                answer.set_result(found)

        self.loop.call_later(self.delay(), give, context=self.context)

    def _scope(self, kind: str, url: httpx.URL, headers: list[tuple[bytes, bytes]]) -> dict[str, Any]:
        return {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": kind,
            "path": url.path,
            "raw_path": url.raw_path.partition(b"?")[0],
            "query_string": url.query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in headers],
            "client": ("10.0.0.1", 1),
            "server": (url.host, 80),
            "state": {},
            "extensions": {},
        }

    # --- websockets

    async def dial(self, person: str, host: str, token: str) -> ClientSocket:
        await asyncio.sleep(self.delay())
        served = self._find(host)
        if served is None:
            raise ConnectionRefusedError("nobody listens")
        process, app = served
        link = Link(self, person, process)
        self.links[link] = None
        process.context().run(self.loop.create_task, self._socket(link, host, token, app))
        if not await link.answered:
            raise ConnectionResetError("the server has gone")
        return ClientSocket(link)

    async def _socket(self, link: Link, host: str, token: str, app: App) -> None:
        headers = [(b"host", host.encode()), (b"authorization", b"Bearer " + token.encode())]
        scope = self._scope("websocket", httpx.URL(f"http://{host}/api/stream"), headers) | {"subprotocols": []}
        begun = False

        async def receive() -> Any:
            nonlocal begun
            if not begun:
                begun = True
                return {"type": "websocket.connect"}
            found = await link.up.get()
            return found if found is not None else {"type": "websocket.disconnect", "code": 1006}

        async def send(message: Any) -> None:
            match message["type"]:
                case "websocket.accept":
                    if not link.answered.done():
                        link.answered.set_result(True)
                case "websocket.send":
                    await link.down.send(message.get("text"))
                case "websocket.close":
                    link.down.put(CLOSED)

        try:
            await app(scope, receive, send)
        finally:
            if not link.process.dead:
                link.down.put(CLOSED)
                link.network.loop.call_later(1.0, link.cut, context=self.context)

    def gone(self, process: Owner, *, quietly: bool) -> list[Link]:
        """A process has ended: its connections are reset, or without power fall silent."""
        found = [link for link in self.links if link.process is process]
        for link in found:
            link.cut(quietly=quietly)
        return found
