"""The websocket of one client: what it watches, and what it asks for.

Events of a watch are numbered by the table's versions, without gap or repeat, and go out at once. Views follow as fast
as client and server can take them: a slow client gets fewer of them, never an old one after a new one. They take more
work than the rest, so one gallery makes them for all streams of a process, between everything else. What all viewers of
a table share it makes once, what somebody may do it asks again only where that may be another, and after the first view
of a watch it sends what has changed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

import msgspec

from puntobanco.floor.gate import Bucket
from puntobanco.floor.host import Clock, Host, Mailbox
from puntobanco.floor.office import FloorError
from puntobanco.floor.people import Identity
from puntobanco.floor.wire import (
    Bad,
    Bend,
    Bent,
    Bye,
    Changed,
    Do,
    Done,
    Events,
    FromClient,
    FromServer,
    Give,
    Hello,
    NotDone,
    Ping,
    Pong,
    Problem,
    Unwatch,
    ViewIs,
    Watch,
)
from puntobanco.store.base import StoreError, outside
from puntobanco.table.events import Record
from puntobanco.table.state import Table
from puntobanco.views.judge import Memory
from puntobanco.views.public import Public
from puntobanco.views.seen import Seen, concerned, seen
from puntobanco.views.view import Common, View, Viewer, ViewerKind, granted, look, own_since
from puntobanco.words import Language

log = logging.getLogger(__name__)

LARGEST_FRAME = 64 * 1024
PATIENCE = 2_000
"""Frames that may wait for a slow client before it is sent away; it can come back and go on where it was."""
MOST_WATCHES = 200
UNREAD = 4 << 20
"""Bytes that may wait for one client."""
AT_ONCE = 500
"""Events in one frame."""
PAST = 2_000
"""Events of the past that are read at once."""
IN_FLIGHT = 32
"""Commands of one connection that may wait at the same time."""
QUIET = 0.1
"""Seconds between two views of the same table, unless the client itself has done something."""

YIELD = 0.003
"""Seconds that a view waits for the tables to answer what is asked of them."""
CARDS_AWAY = 2
"""How far a finger goes from the card that it bends, in cards."""
LAST_WORDS = 2.0
"""Seconds that a good-bye may take."""

encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(FromClient).decode

_KINDS: dict[str, ViewerKind] = {
    "player": "player",
    "dealer": "dealer",
    "pit": "pit",
    "surveillance": "surveillance",
}


def viewer_of(identity: Identity, *, as_display: bool = False) -> Viewer:
    """The kind of viewer somebody is at a table; a person without a role there sees what everybody may see."""
    kind = "display" if as_display else _KINDS.get(identity.role, "display")
    return Viewer(kind, "" if kind == "display" else identity.person)


def as_seen(records: Sequence[Record], table: Table, viewer: Viewer) -> tuple[Seen, ...]:
    """Records as somebody may see them who looks at the table now."""
    there = Viewer(granted(table, viewer), viewer.person)
    return tuple(seen(record, table, there) for record in records)


def may_bend(table: Table, person: str, card: int) -> bool:
    """Whether somebody squeezes that card: it was granted, and the round is not paid yet."""
    current = table.round
    if current is None or current.settled:
        return False
    drawn = next((each for each in current.cards if each.number == card), None)
    return drawn is not None and any(
        squeeze.person == person and squeeze.covers(card, drawn.hand) for squeeze in current.squeezes
    )


def _size(data: str | bytes) -> int:
    """In bytes."""
    return len(data) if isinstance(data, bytes) or data.isascii() else len(data.encode())


class Socket(Protocol):
    """The client's end, as far as it matters here."""

    async def receive(self) -> str | bytes | None:
        """The next frame; None when the client has gone."""

    async def send(self, frame: str) -> None: ...

    def take(self, frame: bytes) -> bool:
        """Send it at once, where nothing has to be waited for; else False, and nothing was sent."""


_Shared = tuple[Public, Common, bytes]
"""From which public part to the moment of which view a frame leads."""


class _Looking:
    """Everybody who looks at a table as the same viewer, and sees the same."""

    def __init__(self, viewer: Viewer, shared: dict[int, _Shared] | None = None) -> None:
        self.viewer = viewer
        self._shared: dict[int, _Shared] = {} if shared is None else shared
        """What all are sent who had a view of that version, and for whom nothing has changed but what all see."""
        self.watchings = 0
        self.memory = Memory()
        self.view: View | None = None
        self.of: Common | None = None
        self.whole = b""
        self.changed: tuple[View, bytes] | None = None
        """What leads from a view that most of them have to the latest."""

    def look(self, common: Common) -> View:
        if self.view is None or self.of is not common:
            self.of, self.view = common, look(common, self.viewer, self.memory)
            self.whole, self.changed = b"", None
        return self.view

    def frame(self, table: str, before: View | None) -> bytes:
        """What has to be sent to a client that has that view."""
        assert self.view is not None
        assert self.of is not None
        if before is None:
            self.whole = self.whole or encode(ViewIs(table, self.view))
            return self.whole
        if self.changed is None or self.changed[0] is not before:
            self.changed = before, self._frame_of_change(table, self.of, before, self.view)
        return self.changed[1]

    def _frame_of_change(self, table: str, common: Common, before: View, after: View) -> bytes:
        own = own_since(before, after)
        if not own:
            known = self._shared.get(before.version)
            if known is not None and known[0] is before.public and known[1] is common:
                return known[2]
        told = common.public_since(before.public).beside(own)
        frame = encode(Changed(table, before.version, after.version, after.now, told.parts, told.lists))
        if not own:
            self._shared[before.version] = before.public, common, frame
        return frame


class _Wall:
    """A table in the gallery: what all who look at it share, at this moment and from one view to the next."""

    def __init__(self) -> None:
        self.common: Common | None = None
        self.made = 0.0
        self.looking: dict[Viewer, _Looking] = {}
        self.shared: dict[int, _Shared] = {}
        self.news: _News | None = None

    def at(self, table: Table, now: float, clock: Clock) -> Common:
        if self.common is None or self.common.table is not table or now > self.made + QUIET:
            self.common, self.made = Common(table, clock(), self.common), now
            self.shared.clear()
        return self.common

    def events(self, name: str, table: Table, viewer: Viewer, records: Sequence[Record]) -> bytes:
        if self.news is None or self.news.records is not records:
            self.news = _News(name, table, records)
        return self.news.frame(viewer)


class _News:
    """Events that are sent to many: as one frame to all those they do not concern."""

    def __init__(self, name: str, table: Table, records: Sequence[Record]) -> None:
        self.records = records
        self._name = name
        self._table = table
        self._concerned = frozenset[str]().union(*(concerned(record, table) for record in records))
        self._frames: dict[Viewer, bytes] = {}

    def frame(self, viewer: Viewer) -> bytes:
        kind = granted(self._table, viewer)
        if kind == "player" and viewer.person not in self._concerned:
            kind = "display"
        there = Viewer(kind, "" if kind == "display" else viewer.person)
        frame = self._frames.get(there)
        if frame is None:
            frame = encode(Events(self._name, as_seen(self.records, self._table, there)))
            self._frames[there] = frame
        return frame


class Gallery:
    """Shows views to everybody: first to those who have done something, then to those who have waited longest."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._first: dict[_Watching, None] = {}
        self._then: dict[_Watching, None] = {}
        self._quiet: dict[_Watching, asyncio.TimerHandle] = {}
        self._wake = asyncio.Event()
        self._walls: dict[str, _Wall] = {}

    def changed(self, watching: _Watching) -> None:
        """There is something new to show, if the last view was a moment ago."""
        if watching in self._first or watching in self._then or watching in self._quiet:
            return
        loop = asyncio.get_running_loop()
        if watching.shown_at + QUIET > loop.time():
            self._quiet[watching] = loop.call_at(watching.shown_at + QUIET, self._rested, watching)
        else:
            self._then[watching] = None
            self._wake.set()

    def _rested(self, watching: _Watching) -> None:
        del self._quiet[watching]
        self._then[watching] = None
        self._wake.set()

    def at_once(self, watching: _Watching) -> None:
        """What is to be shown, if anything, is what the client itself has done."""
        if timer := self._quiet.pop(watching, None):
            timer.cancel()
        elif watching not in self._then:
            return
        self._then.pop(watching, None)
        self._first[watching] = None
        self._wake.set()

    def enter(self, watching: _Watching) -> _Wall:
        wall = self._walls.setdefault(watching.mailbox.name, _Wall())
        looking = wall.looking.get(watching.viewer)
        if looking is None:
            looking = wall.looking[watching.viewer] = _Looking(watching.viewer, wall.shared)
        looking.watchings += 1
        return wall

    def leave(self, watching: _Watching) -> None:
        """Who does not look any more is forgotten."""
        wall = self._walls[watching.mailbox.name]
        looking = wall.looking[watching.viewer]
        looking.watchings -= 1
        if not looking.watchings:
            del wall.looking[watching.viewer]
        if not wall.looking:
            del self._walls[watching.mailbox.name]

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._wake.wait()
            self._wake.clear()
            pause = loop.time() + YIELD
            while waiting := self._first or self._then:
                watching = next(iter(waiting))
                del waiting[watching]
                now = loop.time()
                self._show(watching, now)
                if now > pause or self._host.busy:
                    await asyncio.sleep(0)  # answers and events go before the next view
                    await self._host.calm(YIELD)
                    pause = loop.time() + YIELD

    def _show(self, watching: _Watching, now: float) -> None:
        table = watching.mailbox.table
        wall = self._walls.get(watching.mailbox.name)
        if not watching.live or table is None or wall is None:
            return
        watching.shown_at = now
        try:
            looking = wall.looking[watching.viewer]
            watching.show(looking, looking.look(wall.at(table, now, self._host.clock)))
        except Exception:  # the others are to see theirs
            log.exception("a view of table %s", watching.mailbox.name)
            watching.fail()


class _Watching:
    """One table that a client follows."""

    def __init__(self, stream: Stream, mailbox: Mailbox, viewer: Viewer, *, views: bool, whole: bool) -> None:
        self.mailbox = mailbox
        self.viewer = viewer
        self.version = 0
        self.live = False
        """Whether it has caught up, and goes on; else others tell it nothing."""
        self._stream = stream
        self._views = views
        self._whole = whole
        self._shown: View | None = None
        """What the client has."""
        self.shown_at = 0.0
        self._wall = stream.gallery.enter(self)

    def happened(self, table: Table, records: Sequence[Record]) -> None:
        if self.live:
            self.tell(table, records)

    def tell(self, table: Table, records: Sequence[Record]) -> None:
        fresh = records
        if records and records[0].version <= self.version:
            fresh = [record for record in records if record.version > self.version]
        if not fresh:
            return
        assert fresh[0].version == self.version + 1, (self.version, fresh[0].version)
        self.version = fresh[-1].version
        if len(fresh) <= AT_ONCE:
            self._stream.send_frame(self._wall.events(self.mailbox.name, table, self.viewer, fresh))
        else:
            for first in range(0, len(fresh), AT_ONCE):
                part = as_seen(fresh[first : first + AT_ONCE], table, self.viewer)
                self._stream.send(Events(self.mailbox.name, part))
        if self._views and self.live:
            self._stream.gallery.changed(self)

    def show(self, looking: _Looking, view: View) -> None:
        if self._shown is not view:
            self._stream.send_frame(looking.frame(self.mailbox.name, None if self._whole else self._shown))
            self._shown = view

    def relay(self, frame: bytes) -> None:
        """Something of the moment, for everybody who is shown the table."""
        if self.live and self._views:
            self._stream.send_frame(frame)

    def fail(self) -> None:
        """The view cannot be made: what is shown is no longer how the table is."""
        name = self.mailbox.name
        self._stream.send(Bad("failed", f"the view of table {name} cannot be made; it is in the server's log", name))


class Stream:
    """A connection from its hello to its end."""

    def __init__(
        self,
        host: Host,
        gallery: Gallery,
        socket: Socket,
        identity: Identity,
        frames: Bucket,
        language: Language = "en",
    ) -> None:
        self.identity = identity
        self.language = language
        self.gallery = gallery
        self._frames = frames
        self._noted = host.clock()
        self._host = host
        self._socket = socket
        self._watches: dict[str, _Watching] = {}
        self._outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._idle = True
        """Whether all that was to be sent has been, so that nothing is overtaken."""
        self.unread = 0
        """Bytes that wait for the client."""
        self._read_on = asyncio.Event()
        self._read_on.set()
        self._ending: Bye | None = None
        self._over = asyncio.Event()
        self._doing: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(IN_FLIGHT)

    # --- out

    def send(self, message: FromServer) -> None:
        self.send_frame(encode(message))

    def send_frame(self, frame: bytes) -> None:
        """The same, encoded already."""
        if self._idle and self._ending is None and self._socket.take(frame):
            return
        self._idle = False
        if self._outbox.qsize() > PATIENCE or self.unread + len(frame) > UNREAD:
            self.end(Bye("too_many", "the connection is too slow: connect again and go on where you were", True))
        if self._ending is None:
            self._outbox.put_nowait(frame)
            self.unread += len(frame)
            if self.unread > UNREAD // 2:
                self._read_on.clear()

    def end(self, bye: Bye) -> None:
        """Say good-bye and close."""
        if self._ending is None:
            self._ending = bye
            self._idle = False
            self._outbox.put_nowait(encode(bye))
            self._outbox.put_nowait(None)
            self._over.set()

    async def _write(self) -> None:
        while (frame := await self._outbox.get()) is not None:
            await self._socket.send(frame.decode())
            self.unread -= len(frame)
            self._idle = self._outbox.empty()
            if self.unread <= UNREAD // 2:
                self._read_on.set()

    # --- in

    async def run(self) -> None:
        """Serve the client until either side ends it."""
        host = self._host
        self.send(Hello(self.identity.person, self.identity.role, host.clock(), host.for_squeeze))
        tasks = [
            asyncio.create_task(work, name=f"{name} for {self.identity.person}")
            for name, work in (
                ("reading", self._read()),
                ("writing", self._write()),
                ("waiting for the end", self._until_over()),
            )
        ]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._ending is not None and tasks[1] not in done:
                await asyncio.wait([tasks[1]], timeout=LAST_WORDS)  # a client that takes nothing does not take the bye
            for task in done:
                if (error := task.exception()) is not None and not isinstance(error, ConnectionError):
                    log.error("stream of %s: %r", self.identity.person, error, exc_info=error)
        finally:
            for table in tuple(self._watches):
                self._unwatch(table)
            for task in (*tasks, *self._doing):
                task.cancel()
            await asyncio.gather(*tasks, *self._doing, return_exceptions=True)

    async def _until_over(self) -> None:
        await self._over.wait()

    async def _read(self) -> None:
        while self._ending is None and (data := await self._socket.receive()) is not None:
            if (pause := self._frames.take()) > 0:
                await asyncio.sleep(pause)
            if _size(data) > LARGEST_FRAME:
                self.send(Bad("too_large", f"a frame has at most {LARGEST_FRAME} bytes"))
                continue
            try:
                frame = _decode(data)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                self.send(Bad("bad_request", str(error)))
                continue
            await self._in_use()
            try:
                await self._serve(frame)
            except FloorError as error:
                self.send(Bad(error.problem.code, error.problem.message, getattr(frame, "table", "")))
            except StoreError as error:
                self.send(Bad("unavailable", f"{outside(error)}: send the same again", getattr(frame, "table", "")))

    async def _in_use(self) -> None:
        people, now = self._host.people, self._host.clock()
        people.touch(self.identity, now)
        if now - self._noted > people.seen_every:
            self._noted = now
            with suppress(FloorError, StoreError):  # the next time will do
                await self._host.in_thread(people.write_down, self.identity, now)

    async def _serve(self, frame: FromClient) -> None:
        match frame:
            case Watch():
                await self._watch(frame)
            case Unwatch():
                self._unwatch(frame.table)
            case Do():
                await self._places.acquire()
                task = asyncio.create_task(self._do(frame))
                self._doing.add(task)
                task.add_done_callback(self._done)
            case Bend():
                self._bend(frame)
            case Ping():
                self.send(Pong(frame.id, self._host.clock()))

    def _done(self, task: asyncio.Task[None]) -> None:
        self._places.release()
        self._doing.discard(task)

    async def _watch(self, frame: Watch) -> None:
        mailbox = await self._host.seek(frame.table)
        if self.identity.table and self.identity.table != frame.table:
            raise FloorError("role", f"{self.identity.person} may only use table {self.identity.table}")
        if frame.table not in self._watches and len(self._watches) >= MOST_WATCHES:
            raise FloorError("too_many", f"at most {MOST_WATCHES} tables at a time")
        if frame.after is not None and frame.after > mailbox.version:
            await mailbox.catch_up()  # the client may come from a process that was ahead of this one
        if frame.after is not None and not 0 <= frame.after <= mailbox.version:
            raise FloorError("bad_request", f"table {frame.table} is at {mailbox.version}; there is no {frame.after}")
        self._unwatch(frame.table)
        viewer = viewer_of(self.identity, as_display=frame.public)
        watching = _Watching(self, mailbox, viewer, views=frame.views, whole=frame.whole)
        self._watches[frame.table] = watching
        watching.version = mailbox.version if frame.after is None else frame.after
        while watching.version < mailbox.version:
            await self._read_on.wait()  # a long past goes out no faster than it is read
            # what happens meanwhile is read in the next turn
            records = await self._host.in_thread(self._host.keeper.records, frame.table, watching.version, PAST)
            assert mailbox.table is not None
            watching.tell(mailbox.table, [record for record in records if record.version <= mailbox.version])
        watching.live = True
        mailbox.watchers.add(watching)
        if frame.views:
            self.gallery.changed(watching)

    def _bend(self, frame: Bend) -> None:
        """Tell everybody else who watches in this process; it is gone a moment later, so nothing is kept of it."""
        watching = self._watches.get(frame.table)
        table = watching.mailbox.table if watching else None
        if watching is None or table is None or not may_bend(table, self.identity.person, frame.card):
            raise FloorError("role", f"card {frame.card} is not yours to squeeze")
        if not all(-CARDS_AWAY <= part <= 1 + CARDS_AWAY for part in (*frame.grip, *frame.at)):
            raise FloorError("bad_request", "a bend stays near its card")
        told = encode(Bent(frame.table, frame.card, frame.grip, frame.at, frame.done))
        for other in tuple(watching.mailbox.watchers):
            if isinstance(other, _Watching) and other is not watching:
                other.relay(told)

    def _unwatch(self, table: str) -> None:
        before = self._watches.pop(table, None)
        if before is not None:
            before.live = False
            before.mailbox.watchers.discard(before)
            self.gallery.leave(before)

    async def _do(self, frame: Do) -> None:
        try:
            outcome = await self._host.give(frame.table, self.identity, Give(frame.id, frame.body, frame.against))
        except FloorError as error:
            outcome = error.problem
        except Exception:
            log.exception("command %s at table %s", frame.id, frame.table)
            outcome = Problem("failed", "the server could not carry this out; it is in its log")
        if isinstance(outcome, Problem):
            outcome = self._host.said_in(self.language, frame.table, outcome)
            self.send(NotDone(frame.table, frame.id, *msgspec.structs.astuple(outcome)))
            return
        if watching := self._watches.get(frame.table):
            self.gallery.at_once(watching)
        self.send(Done(frame.table, frame.id, outcome.records[-1].version, outcome.repeated))
