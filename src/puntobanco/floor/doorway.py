"""Connections that have not signed in yet: how many there may be, and how long one may stay silent.

Strangers run out of connections first. A connection that has not asked for anything yet is silent: it has a few
seconds and a few kilobytes for its first request. When all places are taken, the silent give way, then strangers, and
at last connections that are between two requests; never one that is signed in and being served.

And afterwards: a client that does not read its answers is cut off before they fill the memory.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from enum import IntEnum
from functools import lru_cache
from heapq import nsmallest
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any, ClassVar

import msgspec
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import OPEN

LARGEST_HEAD = 64 * 1024
"""Bytes of a request's line and headers."""

AT_ONCE = 32
"""Requests of one connection that wait for their turn."""
CONTROL = 50
"""Frames a second of a websocket that carry no message of their own: pings, pongs, parts."""
UNREAD = 1 << 20
"""Bytes of answers to a websocket's own control frames that wait; those of the floor are counted elsewhere."""


class Doorway(msgspec.Struct, frozen=True):
    """The limits; addresses of proxies stand for many clients, and have none of their own."""

    most: int = 2_000
    from_one: int = 200
    silent: float = 10.0
    """Seconds for the line and the headers of a request, and as many for its body."""
    proxies: tuple[str, ...] = ()
    unread: float = 20.0
    """Seconds without taking a byte of what waits to be read."""


KNOWN = "puntobanco.known"
"""In the scope of a request: its sender is signed in."""
WIRE = "puntobanco.wire"
"""In the scope of a websocket: its :class:`Wire`."""


def place_of(address: str) -> str:
    """What counts as one address: of IPv6 the network, because somebody with one address there has 2⁶⁴ of them."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((found.packed[:8] + bytes(8), 64)))


class Turn(IntEnum):
    """In which order connections give way."""

    SILENT = 0
    STRANGER = 1
    """With nothing to wait for, or a body that is still to come."""
    ANSWERED = 2
    """A stranger who waits for an answer, perhaps to a sign-in."""
    RESTING = 3
    """Somebody known, between two requests."""
    NEVER = 4


class _Patient:
    """A connection that is let go where what was written to it stays unread. Beside one of the server's protocols."""

    doorway: ClassVar[Doorway] = Doorway()
    places: ClassVar[Counter[str]] = Counter()
    """How many connections there are from each address."""
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    scope: Any
    client: tuple[str, int] | None
    place = ""
    """Where it comes from."""
    since = 0.0
    """When it came."""
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)  # type: ignore[misc]
        self.since = self.loop.time()
        self.place = place_of(self.client[0]) if self.client else ""

    @property
    def turn(self) -> Turn:
        """A websocket's: strangers are told to sign in, and may be slow to go."""
        return Turn.NEVER if self.scope and self.scope.get(KNOWN) else Turn.STRANGER

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        self._look_again()

    def resume_writing(self) -> None:
        self._no_more_looks()
        super().resume_writing()  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        self._no_more_looks()
        self.places[self.place] -= 1
        if not self.places[self.place]:
            del self.places[self.place]
        super().connection_lost(exc)  # type: ignore[misc]

    def _look_again(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._stalled = self.loop.call_later(self.doorway.unread, self._look, left)

    def _look(self, before: int) -> None:
        if self.transport.get_write_buffer_size() >= before:
            self.transport.abort()
        else:
            self._look_again()

    def _no_more_looks(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


@lru_cache(maxsize=4096)
def head_of(length: int) -> bytes:
    """What a server's message of text begins with that is sent in one piece (RFC 6455, section 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    if length < 1 << 16:
        return bytes((0x81, 126)) + length.to_bytes(2, "big")
    return bytes((0x81, 127)) + length.to_bytes(8, "big")


class Wire(_Patient, WebSocketsSansIOProtocol):
    """A websocket that sends few control frames and takes the answers, or is let go."""

    scope: Any = None
    _together: tuple[bytes, ...] = ()
    """What goes out within this turn of the loop."""
    _second, _told = 0, 0

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.scope is not None:  # else it was no request for a websocket
            self.scope[WIRE] = self

    def take(self, message: bytes) -> bool:
        """Send a message of text at once; False where that cannot be now, and it has to wait its turn.

        Most messages go to many clients: each is written as it is, without a copy of all that lies in between.
        """
        ready = self.handshake_complete and self.writable.is_set() and not (self.close_sent or self.disconnected)
        if not ready or self.conn.state is not OPEN or self.conn.extensions:
            return False
        if not self._together:
            self.loop.call_soon(self._soon)
        self._together += (head_of(len(message)), message)
        return True

    def _soon(self) -> None:
        # a turn later: what is told and what is shown of it go together, for one visit to the system
        self.loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self._together:
            together, self._together = b"".join(self._together), ()
            if not self.transport.is_closing():
                self.transport.write(together)

    async def send(self, message: ASGISendEvent) -> None:
        self._flush()
        await super().send(message)

    def shutdown(self) -> None:
        self._flush()
        super().shutdown()

    def handle_ping(self) -> None:
        if self._few():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._few():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._few():
            super().handle_cont(event)

    def _few(self) -> bool:
        """Whether no more such frames have come within this second than anybody needs."""
        now = int(self.loop.time())
        self._second, self._told = now, (self._told + 1 if now == self._second else 1)
        if self._told > CONTROL:
            self.transport.abort()
        return self._told <= CONTROL

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_write_buffer_size() > UNREAD:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.connections.add(self)  # one that gave way is no longer among them, and is taken out once more
        super().connection_lost(exc)


class Door(_Patient, HttpToolsProtocol):
    """A connection that is held to the limits until its request has come."""

    _timer: asyncio.TimerHandle | None = None
    _head = 0
    _asked = False
    """Whether the head of a request has ever come whole."""
    _known = False
    """Whether somebody who is signed in has sent one."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        doorway = self.doorway
        self.places[self.place] += 1  # one that becomes a websocket is the same
        if (len(self.connections) > doorway.most and not self._make_room()) or self._from_here() > doorway.from_one:
            transport.abort()
        else:
            self._wait()

    def _from_here(self) -> int:
        """How many connections there are from the same address."""
        address = self.client[0] if self.client else ""
        return 0 if not address or address in self.doorway.proxies else self.places[self.place]

    def _make_room(self) -> bool:
        """Free places for others: of those whose turn it is, the one that has been there longest goes first.

        Of strangers some at once: to look for one costs as much, and strangers who come a thousand a second cause it.
        """
        here: set[Any] = self.connections
        others = [each for each in here if isinstance(each, _Patient) and each is not self]
        going = nsmallest(len(others) // 32 + 1, others, key=lambda each: (each.turn, each.since))
        going = [each for each in going if each.turn <= Turn.ANSWERED] or going[:1]
        if not going or going[0].turn is Turn.NEVER:
            return False
        for each in going:
            each.transport.abort()
            here.discard(each)
        return True

    @property
    def turn(self) -> Turn:
        cycle: RequestResponseCycle | None = self.cycle
        if not self._asked or cycle is None:
            return Turn.SILENT
        self._known = self._known or bool(cycle.scope.get(KNOWN))
        if not cycle.response_complete and not cycle.more_body:
            return Turn.NEVER if self._known else Turn.ANSWERED
        return Turn.RESTING if self._known else Turn.STRANGER

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.doorway.silent, self._too_slow)

    def _no_more_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is not None and not cycle.response_complete:
            self._known = self._known or bool(cycle.scope.get(KNOWN))
            super().data_received(data)  # of a body, or of requests after the one that is being answered
            return
        self._head += len(data)
        self._wait()
        super().data_received(data)
        if self._head > LARGEST_HEAD:  # and they still have no end
            self._no_more_waiting()
            self.transport.abort()

    def on_headers_complete(self) -> None:
        self._asked, self._head = True, 0
        self._no_more_waiting()
        self._wait()
        if len(self.pipeline) >= AT_ONCE:
            self.transport.abort()
            return
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._no_more_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._known = self._known or bool(self.cycle.scope.get(KNOWN))
        super().on_response_complete()

    def handle_websocket_upgrade(self) -> None:
        self._no_more_waiting()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self._no_more_waiting()
        super().connection_lost(exc)


def doors_of(doorway: Doorway) -> tuple[type[Any], type[Any]]:
    """The protocols of connections under these limits: of requests, and of websockets."""
    shared = {"doorway": doorway, "places": Counter[str]()}
    return type("Door", (Door,), shared), type("Wire", (Wire,), shared)
