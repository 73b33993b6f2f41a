"""The host: one mailbox per table. What comes in is carried out in turn, and told only when it is stored.

Everything that waits for the disk happens in threads; everything that is told, in the event loop. A mailbox hands
each record to its watchers once, in order, whichever process has written it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import groupby
from typing import ParamSpec, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from puntobanco.floor.duties import CAPS, MONEY, WITH, Caps, Till, to_be_told
from puntobanco.floor.office import SYSTEM, Entry, FloorError
from puntobanco.floor.own_limits import OwnLimits
from puntobanco.floor.people import Identity, People, check_name
from puntobanco.floor.wire import Brief, Give, OpenPlan, Opinion, Problem
from puntobanco.rules.model import NO_RANK, rank_in
from puntobanco.script.voice import Speaker
from puntobanco.shoes.scanner import RoundResult, opinions
from puntobanco.store.base import EVERYWHERE, FAULTS, Fault, StoreError, outside
from puntobanco.store.keeper import SELF_CHECK, Answer, DamagedError, Keeper
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import decide
from puntobanco.table.events import Record
from puntobanco.table.ledger import money
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import Step
from puntobanco.table.state import Table
from puntobanco.views.public import public
from puntobanco.words import Language

log = logging.getLogger(__name__)

AT_ONCE = 50
"""Commands for one table that share a visit to a thread."""
THREADS = 64
AT_THE_DOOR = 2
LONGEST_QUEUE = 32
"""Sign-ins that wait at most, beside those that are looked at: about a second's worth."""
READERS = 2
LOOKS = 8
"""What one person asks of the past at the same time."""
LONGEST_ID = 64
MOST = 10**15
"""Minor units; what is beyond is not an amount, and more than stores and browsers can hold."""
BEADS = 36
LATE_BETS = 5
"""Wagers of a late bet that are named."""
GIVE_COMMANDS = frozenset({"player", "dealer", "pit"})
"""Roles that have a part in the play."""
DEVICE_COMMANDS: dict[str, tuple[type[c.Body], ...]] = {"scanner": (c.Draw,), "shoe": (c.Draw,)}
"""What devices report."""
NEW_PLAY = (c.Call, c.Join)
"""What does not start where a table, a game or everything is stopped."""
NEW_BETS = (c.Join, c.BuyIn, c.ChipsIn, c.Place)
"""What does not start for a person who is stopped."""

STOPPED = "play was stopped: ask the pit"
"""What a player hears."""

P = ParamSpec("P")
T = TypeVar("T")
Given = Answer | Problem
Outcome = Given | None
Work = Callable[[], Outcome]
Prepare = Callable[[], Problem | Sequence[Command]]
"""What somebody's command comes to: why not, or what to give to the table."""


def check_id(id: str) -> None:
    """An id that a sender has chosen."""
    if not 1 <= len(id) <= LONGEST_ID or "\0" in id:
        raise FloorError("bad_request", f"an id has 1 to {LONGEST_ID} characters")


def whose(fault: str) -> str:
    """What a fault is about, in words."""
    return "all tables" if fault == EVERYWHERE else f"table {fault}"


def remedy(fault: Fault) -> str:
    """What to do about a fault."""
    cleared = f"puntobanco admin clear-fault {fault.table!r} --why …"
    if fault.reason.startswith(SELF_CHECK):
        return "put back what was approved, or approve what is there with puntobanco admin sign-manifest --why …"
    if "witness" in fault.reason:
        return (
            "look for the newer record; if it is lost, keep copies of the record and of both witness files, move these"
            f" out of the folder, puntobanco admin audit --accept --why …, then {cleared}"
        )
    return f"keep a copy of the record, look at it with puntobanco verify, then {cleared}"


def within(value: object) -> bool:
    """Whether no number in it is beyond any amount of money."""
    if isinstance(value, int):
        return -MOST <= value <= MOST
    if isinstance(value, str) or value is None:
        return True
    if isinstance(value, msgspec.Struct):
        return all(within(getattr(value, name)) for name in value.__struct_fields__)
    if isinstance(value, dict):
        chips = [key * count for key, count in value.items() if isinstance(key, int) and isinstance(count, int)]
        return within(sum(map(abs, chips))) and all(within(each) for pair in value.items() for each in pair)
    return all(map(within, value)) if isinstance(value, tuple | list) else True


def _texts(value: object) -> Iterator[str]:
    """All texts in a command."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _texts(getattr(value, name))
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _texts(each)


LONGEST_TEXT = 2_000
MOST_DISPUTES = 20
_TOO_LONG = Problem("too_large", f"a text has at most {LONGEST_TEXT} signs")
_DISPUTES = Problem("too_many", f"{MOST_DISPUTES} of your disputes are open: ask the staff to raise another")
_TOO_MUCH = Problem.of(Refusal.of("bad_amount.too_much", number=MOST))


class Watcher(Protocol):
    """Somebody who follows a table."""

    def happened(self, table: Table, records: Sequence[Record]) -> None:
        """These were stored; none is told twice, and none left out."""


class Clock:
    """The time of day in milliseconds, which never goes back."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._latest = 0
        self._ahead = 0
        """Milliseconds by which it has to be before the time of day."""
        self._guard = threading.Lock()

    def __call__(self) -> int:
        with self._guard:
            now = int(self._now() * 1000)
            if now >= self._latest:
                self._ahead = 0  # the time of day has come there
            self._latest = max(self._latest, now + self._ahead)
            return self._latest

    def not_before(self, latest: int) -> int:
        """Go on from that moment if it is later than now; by how much.

        It goes on at its pace: a clock that stood still until the time of day has come there would hold up every table.
        """
        with self._guard:
            self._latest = max(self._latest, latest)
            self._ahead = max(self._latest - int(self._now() * 1000), 0)
            return self._ahead


class _Prepared:
    """A command that is looked at when its turn comes."""

    def __init__(self, prepare: Prepare) -> None:
        self.prepare = prepare


def _out_of_order(problem: str) -> Problem:
    return Problem.of(Refusal.of("table_closed.fault", problem=problem))


def _still_out_of_order(problem: str) -> Problem:
    return Problem.of(Refusal.of("table_closed.still", problem=problem))


class Mailbox:
    """A table, what is to be done at it, and who follows it."""

    def __init__(self, host: Host, name: str) -> None:
        self.name = name
        self.table: Table | None = None
        self.version = 0
        """As far as the watchers have been told."""
        self.last_at = 0
        self.watchers: set[Watcher] = set()
        self.changed = asyncio.Event()
        self._noted: tuple[int, set[str]] = (0, set())
        """What was noted, about which person, and in which round."""
        self._host = host
        self._to_look = False
        self._unstored: StoreError | None = None
        """What has kept something from being stored since the store was last told of."""
        self._queue: asyncio.Queue[tuple[Work | _Prepared, asyncio.Future[Outcome]]] = asyncio.Queue()
        self._task = asyncio.create_task(self._run(), name=f"mailbox of {name}")

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    async def do(self, work: Work | _Prepared) -> Outcome:
        """Done in turn; answered when it is durable and the watchers have been told."""
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((work, future))
        with self._host.under_way():
            return await future

    def is_first(self, what: str, round: int) -> bool:
        """Whether nobody has been told of it yet in the round: once is enough, however often somebody tries."""
        if self._noted[0] != round:
            self._noted = (round, set())
        first = what not in self._noted[1]
        self._noted[1].add(what)
        return first

    def look(self) -> None:
        """Somebody else may have written; one look is enough for all that was heard before it."""
        if not self._to_look:
            self._to_look = True
            future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
            self._queue.put_nowait((self._refresh, future))

    async def catch_up(self) -> None:
        """Read what others have written up to now, and tell it."""
        await self.do(self._refresh)

    def _refresh(self) -> None:
        self._to_look = False  # what is heard from now on may be news
        self._host.keeper.refresh(self.name)

    async def close(self) -> None:
        """Finish what was asked for, then stop."""
        await self.do(lambda: None)
        self._task.cancel()

    async def _run(self) -> None:
        while True:
            jobs = [await self._queue.get()]
            while len(jobs) < AT_ONCE and not self._queue.empty():
                jobs.append(self._queue.get_nowait())
            outcomes, table, records = await self._host.in_thread(self._visit, [work for work, _ in jobs])
            self._tell(table, records)
            if self._unstored is not None:
                self._host.store_failed(self._unstored)
                self._unstored = None
            for (_, future), outcome in zip(jobs, outcomes, strict=True):
                if future.cancelled():
                    continue
                if isinstance(outcome, Exception):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome)

    def _tried(self, work: Callable[[], T]) -> T | Problem | Exception:
        """What came of it; whatever goes wrong is its sender's own affair."""
        try:
            return work()
        except DamagedError as error:
            return _out_of_order(str(error))
        except StoreError as error:
            self._unstored = error
            return Problem("unavailable", f"{outside(error)}: send the same again")
        except Exception as error:
            return error

    def _visit(
        self, works: Sequence[Work | _Prepared]
    ) -> tuple[list[Outcome | Exception], Table | None, Sequence[Record]]:
        """In a thread: do it, then see what there is to tell. Commands together wait for the disk together."""
        outcomes: list[Outcome | Exception] = []
        for together, group in groupby(works, lambda work: isinstance(work, _Prepared)):
            if together:
                outcomes += self._commands([work for work in group if isinstance(work, _Prepared)])
            else:
                outcomes += [self._tried(work) for work in group if not isinstance(work, _Prepared)]
        try:
            table = self._host.keeper.table(self.name)
            return outcomes, table, self._host.keeper.records(self.name, self.version) if table else ()
        except StoreError:
            return outcomes, self.table, ()

    def _commands(self, works: Sequence[_Prepared]) -> list[Outcome | Exception]:
        """One answer for each: that to its last command."""
        prepared = [self._tried(work.prepare) for work in works]
        commands = [command for each in prepared if isinstance(each, Sequence) for command in each]
        given = self._tried(lambda: self._host.keeper.give_all(self.name, commands))
        if isinstance(given, Problem | Exception):
            return [given if isinstance(each, Sequence) else each for each in prepared]
        answers = iter(given)
        outcomes: list[Outcome | Exception] = []
        for each in prepared:
            if isinstance(each, Sequence):
                *_, last = (next(answers) for _ in each)
                outcomes.append(Problem.of(last, self.table) if isinstance(last, Refusal) else last)
            else:
                outcomes.append(each)
        return outcomes

    def _tell(self, table: Table | None, records: Sequence[Record]) -> None:
        # what the keeper has by now may be ahead of what was asked for; it is told all the same
        fresh = [record for record in records if record.version > self.version]
        if table is None or not fresh:
            return
        known = self.version > 0
        self.table, self.version, self.last_at = table, fresh[-1].version, fresh[-1].at
        self._host.count_events(len(fresh))
        if known and any(isinstance(record.event, e.TableClosed) for record in fresh):
            log.info("table %s closed", self.name)
        for watcher in tuple(self.watchers):
            try:
                watcher.happened(table, fresh)
            except Exception:  # the table goes on, whatever one of those who follow it does
                log.exception("a watcher of table %s", self.name)
                self.watchers.discard(watcher)
        self.changed.set()


class Host:
    """All tables of a process."""

    def __init__(
        self, keeper: Keeper, people: People, clock: Clock, caps: Caps = CAPS, *, assigned: bool = False
    ) -> None:
        self.keeper = keeper
        self._till = Till(caps, keeper.entries)
        self._assigned = assigned
        keeper.announce = self._announce
        keeper.announce_refusing = self._announce_refusing
        self.people = people
        self.office = people.office
        self.clock = clock
        self.own = OwnLimits(self.office, keeper, lambda: tuple(self.mailboxes))
        self.for_squeeze = 0
        """Milliseconds that a card may be squeezed at an electronic table."""
        self.events = 0
        self.refused = 0
        self.mailboxes: dict[str, Mailbox] = {}
        self.opened: Callable[[Mailbox], None] = lambda mailbox: None
        """Called with each table that comes to be."""
        self.flagged: Callable[[str, int, str, str], None] = lambda actor, now, table, why: None
        """Called with what the pit has to look at."""
        self.documents_changed: Callable[[], None] = lambda: None
        """Called when people, sessions or devices were changed, here or by another process."""
        self.store_failed: Callable[[StoreError], None] = lambda problem: None
        """Called with what kept a command from being stored."""
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="table")
        self._door = ThreadPoolExecutor(AT_THE_DOOR, thread_name_prefix="door")
        self._waiting = 0
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="past")
        self._looks: Counter[str] = Counter()
        self._deaf: Callable[[], None] = lambda: None
        self._under_way = 0
        self._calm = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    def count_events(self, count: int) -> None:
        self.events += count

    # --- start and end

    async def start(self) -> None:
        """Bring every table back and follow the store. Where another process serves, play was not interrupted."""
        store, loop = self.keeper.store, asyncio.get_running_loop()
        for fault in self.keeper.faults.values():
            since = datetime.fromtimestamp(fault.at / 1000, UTC).isoformat(timespec="seconds")
            log.error("still out of order since %s, %s: %s; %s", since, whose(fault.table), fault.reason, remedy(fault))
        alone = await self.in_thread(store.alone)
        await self.in_thread(lambda: self.keeper.start(self.clock(), takeover=not alone))

        def heard(name: str) -> None:
            self.office.heard(name)
            loop.call_soon_threadsafe(self._heard, name)

        self._deaf = store.listen(heard, own=False)  # the keeper knows what it has written
        await self._find_tables()
        await asyncio.gather(*(mailbox.do(lambda: None) for mailbox in self.mailboxes.values()))

    async def close(self) -> None:
        """Finish what was asked for; nothing is lost."""
        await self.in_thread(self._deaf)
        await asyncio.gather(*(mailbox.close() for mailbox in self.mailboxes.values()))
        self._threads.shutdown()
        self._door.shutdown()
        self._readers.shutdown()

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """While something is asked of a table."""
        self._under_way += 1
        self._calm.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._calm.set()

    @property
    def busy(self) -> bool:
        """Whether something is asked of a table."""
        return self._under_way > 0

    async def calm(self, seconds: float) -> None:
        """Wait until nothing is asked of any table, but no longer than that."""
        if self._under_way:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._calm.wait()

    async def in_thread(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Whatever may wait for a disk or for another thread."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: work(*arguments, **named))

    async def at_the_door(self, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """Passwords and PINs: a few at a time, apart from the tables, and nobody joins a long queue."""
        if self._waiting >= LONGEST_QUEUE:
            raise FloorError("too_many", "too many sign in at once: try again in a moment")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._door, lambda: work(*arguments, **named))
        finally:
            self._waiting -= 1

    async def look_back(self, who: Identity, work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """What takes long and is in no hurry: apart from the tables, a few at a time, and not many for one person."""
        if self._looks[who.person] >= LOOKS:
            raise FloorError("too_many", "wait for what you have asked for already")
        self._looks[who.person] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, lambda: work(*arguments, **named))
        finally:
            self._looks[who.person] -= 1
            self._looks += Counter()  # who asks for nothing is forgotten

    def later(self, work: Coroutine[None, None, None], name: str) -> asyncio.Task[None]:
        """Something that goes on by itself."""
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _heard(self, name: str) -> None:
        if name == "*":
            for mailbox in self.mailboxes.values():
                mailbox.look()
            self.later(self._find_tables(), "looking for tables")
        elif name in ("documents:session", "documents:era", "documents:person", "documents:device"):
            self.documents_changed()
        elif name == "documents:manifest" and self.keeper.refusing:
            self.later(self._check_again(), "the self-check")
        elif name != FAULTS and not name.startswith(("@", "documents:")):
            self._mailbox(name).look()

    async def _check_again(self) -> None:
        """Somebody has approved something: perhaps what this process was refused for."""
        await self.in_thread(self.keeper.self_check, self.clock())

    async def _find_tables(self) -> None:
        for name in await self.in_thread(self.keeper.store.tables):
            if not name.startswith("@"):
                self._mailbox(name)

    def _mailbox(self, name: str) -> Mailbox:
        mailbox = self.mailboxes.get(name)
        if mailbox is None:
            mailbox = self.mailboxes[name] = Mailbox(self, name)
            self.opened(mailbox)
        return mailbox

    # --- tables

    def find(self, name: str) -> Mailbox:
        """The mailbox of a table that has opened."""
        mailbox = self.mailboxes.get(name)
        if mailbox is None or mailbox.table is None:
            if mailbox is not None and (fault := self.keeper.faults.get(name)):
                raise FloorError.of(_out_of_order(fault.reason))
            raise FloorError("not_found", f"there is no table {name}")
        return mailbox

    def check_log(self, name: str) -> None:
        """That there is a log of that name, however damaged."""
        if name not in self.keeper.faults or name not in self.mailboxes:
            self.find(name)

    def _announce(self, fault: Fault) -> None:
        """A fault that was just set: in the server's log, and in the floor's own."""
        log.error("out of order, %s: %s; %s", whose(fault.table), fault.reason, remedy(fault))
        with suppress(FloorError, StoreError):  # the table is closed all the same
            self.office.record(fault.at, SYSTEM, Entry("fault", fault.table, after=fault.reason))

    def _announce_refusing(self, why: str) -> None:
        """This process has other settings than were approved: the others go on."""
        if why:
            log.error(
                "this process refuses all commands: %s; give it the settings of the others, or approve its own with"
                " puntobanco admin sign-manifest --why …",
                why,
            )
        else:
            log.info("this process takes commands: its settings are the approved ones")

    async def clear_fault(self, actor: str, name: str, why: str) -> None:
        """Somebody has looked: the table plays again, unless its log is still damaged."""
        await self.in_thread(self.clear_fault_now, actor, name, why)
        if name != EVERYWHERE:
            await self._mailbox(name).catch_up()

    def clear_fault_now(self, actor: str, name: str, why: str) -> None:
        fault = self.keeper.faults.get(name)
        if fault is None:
            raise FloorError("not_found", f"{'the floor' if name == EVERYWHERE else f'table {name}'} has no fault")
        if not why.strip():
            raise FloorError("bad_request", "say why")

        try:
            if name != EVERYWHERE:
                self.keeper.refresh(name)
                self.keeper.check_witnessed(name)
            else:
                if found := self.keeper.mismatches():
                    raise FloorError.of(_still_out_of_order(found[0]))
                self.keeper.show_again()
        except DamagedError as error:
            raise FloorError.of(_still_out_of_order(str(error))) from None
        self.office.record(self.clock(), actor, Entry("fault cleared", name, before=fault.reason, why=why))
        self.keeper.clear_fault(name)

    async def seek(self, name: str) -> Mailbox:
        """The same; one that another process has just opened may not have been heard of yet."""
        mailbox = self.mailboxes.get(name)
        fits = 0 < len(name) <= LONGEST_ID and "\0" not in name and not name.startswith("@")
        unheard = (mailbox is None or mailbox.table is None) and fits
        if unheard and await self.in_thread(self.keeper.store.version, name) > 0:
            await self._mailbox(name).catch_up()
        return self.find(name)

    def tables(self) -> list[Mailbox]:
        return [mailbox for _, mailbox in sorted(self.mailboxes.items()) if mailbox.table is not None]

    def brief(self, mailbox: Mailbox) -> Brief:
        """A table as the lobby shows it; whether it is stopped may have to be asked of the store."""
        table = mailbox.table
        assert table is not None
        seen = public(table, self.clock())
        sign = seen.sign
        fault = self.keeper.faults.get(mailbox.name) or self.keeper.faults.get("*")
        return Brief(
            table=mailbox.name,
            game=sign.game,
            title=sign.title,
            layout=sign.layout,
            phase=seen.phase,
            currency=sign.currency,
            digits=sign.digits,
            bets=sign.bets,
            boxes=tuple(box.number for box in seen.boxes),
            free=tuple(box.number for box in seen.boxes if not box.seated),
            players=sum(box.seated + box.standing for box in seen.boxes),
            rounds=seen.shoe.rounds,
            beads=tuple(each.result for each in seen.rounds if each.result is not None)[-BEADS:],
            electronic=sign.electronic,
            differential=sign.differential,
            insurance=sign.insurance,
            stopped=self.people.stopped(table=mailbox.name, game=sign.game),
            fault=fault.reason if fault else "",
            waits=bool(seen.waits),
        )

    async def open_table(self, actor: str, plan: OpenPlan) -> Mailbox | Problem:
        """Open a table; a name whose day was closed goes on as NAME.2, NAME.3 and so on."""
        name = plan.settings.table
        check_name(name)
        if not within(plan):
            return _TOO_MUCH
        if Step.CALL in plan.settings.automated:
            raise FloorError("bad_request", "rounds are called by the floor's clock or the dealer, so that stops hold")
        number, opens = 1, name
        while opens in self.mailboxes and self.mailboxes[opens].table is not None:
            table = self.mailboxes[opens].table
            if table is not None and table.open:
                raise FloorError("exists", f"table {opens} is open")
            number += 1
            opens = f"{name}.{number}"
        if reason := self.people.stopped(table=name, game=plan.settings.game):
            raise FloorError("stopped", reason)
        body = c.OpenTable(replace(plan.settings, table=opens), plan.opening_float)
        refusal = decide(None, Command("open", HOUSE, self.clock(), body), self.keeper.books)
        if isinstance(refusal, Refusal):
            return Problem.of(refusal)
        mailbox = self._mailbox(opens)
        outcome = await mailbox.do(lambda: self._execute(opens, Command("open", HOUSE, self.clock(), body)))
        if isinstance(outcome, Problem):
            return outcome
        if isinstance(outcome, Answer) and outcome.repeated:
            raise FloorError("exists", f"table {opens} was opened by somebody else at the same time")
        entry = Entry("table opened", opens, after=f"{plan.settings.game}, layout {plan.settings.layout}")
        await self.in_thread(self.office.record, self.clock(), actor, entry)
        log.info("table %s opened by %s: %s", mailbox.name, actor, entry.after)
        return mailbox

    # --- commands

    async def give(
        self, name: str, identity: Identity, give: Give, witness: Identity | None = None
    ) -> Answer | Problem:
        """Carry out a command of somebody, in the table's turn; ``witness`` is whose console it is given at."""
        check_id(give.id)
        mailbox = await self.seek(name)
        try:
            outcome = await mailbox.do(_Prepared(lambda: self._prepare(name, identity, give, witness)))
        finally:
            self.own.settled(give)
        assert outcome is not None
        known = not isinstance(outcome, Problem) or outcome.code != "unavailable"
        self._till.settled(name, identity.person, give, known=known)
        if isinstance(outcome, Problem):
            self.refused += 1
            if outcome.code == "bets_closed" and isinstance(give.body, c.Place):
                await self._note_late(mailbox, identity.person, give.body)
        elif not outcome.repeated and isinstance(give.body, c.SetLimits | c.SetDifferential):
            await self._note_limits(name, identity.person, outcome)
        if mailbox.table is not None and identity.staff:
            second = witness.person if witness is not None and witness.person != identity.person else ""
            await self._note_word(
                mailbox, identity, to_be_told(mailbox.table, identity, give.body, outcome, second), outcome
            )
        return outcome

    async def _note_word(
        self, mailbox: Mailbox, identity: Identity, entry: Entry | None, outcome: Answer | Problem
    ) -> None:
        """What was said against an electronic table, or needed two people; what was refused once a round."""
        table, actor = mailbox.table, identity.person
        assert table is not None
        if entry is None or (
            isinstance(outcome, Problem) and not mailbox.is_first(f"{actor} {entry.after}", table.rounds)
        ):
            return
        now = self.clock()
        with suppress(FloorError, StoreError):  # the answer is the same
            await self.in_thread(self.office.record, now, actor, entry)
            if entry.what.endswith("an electronic table"):
                await self.in_thread(self.flagged, SYSTEM, now, mailbox.name, f"{entry.what}: {actor} {entry.after}")

    async def _note_limits(self, name: str, actor: str, answer: Answer) -> None:
        """A changed sign stands in the table's log, and among what matters to the whole floor."""
        speaker = Speaker(answer.table.book, answer.table.settings.digits)
        for record in answer.records:
            match record.event:
                case e.LimitsSet(bet, before, limits, first):
                    which = f"limits on {bet}" if bet else "limits"
                    values = speaker.limits(before), speaker.limits(limits)
                case e.DifferentialSet(before, differential, first):
                    which, values = "differential", (speaker.differential(before), speaker.differential(differential))
                case _:
                    continue
            entry = Entry(f"{which} set", name, *values, f"from round {first}")
            with suppress(FloorError, StoreError):  # they are set, and the table's log says so
                await self.in_thread(self.office.record, self.clock(), actor, entry)

    async def _note_late(self, mailbox: Mailbox, actor: str, bet: c.Place) -> None:
        """Surveillance wants to know who tries to bet late; once a round is enough."""
        table = mailbox.table
        assert table is not None
        if table.round is None or not mailbox.is_first(f"late {bet.person}", table.round.number):
            return
        speaker, bets = Speaker(table.book, table.settings.digits), list(bet.wagers.items())[:LATE_BETS]
        wagers = ", ".join(f"{speaker.bet(code)} {money(table, amount)}" for code, amount in bets)
        told = f"round {table.round.number}, box {bet.box}, {bet.person}: {wagers}"
        with suppress(FloorError, StoreError):  # the answer is the same
            await self.in_thread(
                self.office.record, self.clock(), actor, Entry("late bet refused", mailbox.name, after=told)
            )

    async def light(self, name: str, result: RoundResult) -> Opinion | Problem:
        """The third reading of a round: a light that shows another result than the cards on record holds it up."""
        mailbox = await self.seek(name)
        table = mailbox.table
        assert table is not None
        current = table.round or table.last
        found = opinions(current.coup, light=result) if current is not None else None
        if current is None or found is None:
            return Problem.of(Refusal.of("not_finished", table.procedures.table_of_play.rule))
        if not found.disagreements:
            return Opinion(current.number, found.cards, agrees=True)
        # what is settled stands until somebody has looked: then it is noted only
        body = c.Report("display" if current.settled else "dealing_error", found.disagreements[0])
        answer = await self.house(name, f"light {table.shoe.number}/{current.number} {result}", body)
        if isinstance(answer, Problem):
            return answer
        assert answer is not None
        return Opinion(current.number, found.cards, agrees=False, version=answer.records[-1].version)

    async def house(self, name: str, command: str, body: AnyCommand) -> Outcome:
        """Something that the floor does by itself."""
        return await self.find(name).do(lambda: self._execute(name, Command(command, HOUSE, self.clock(), body)))

    async def deal(self, name: str, command: str) -> Outcome:
        """Let the electronic shoe do what is due."""

        def work() -> Outcome:
            answer = self.keeper.deal(name, command, self.clock())
            return Problem.of(answer, self._known(name)) if isinstance(answer, Refusal) else answer

        return await self.find(name).do(work)

    def _prepare(
        self, name: str, identity: Identity, give: Give, witness: Identity | None
    ) -> Problem | Sequence[Command]:
        """The command as the table gets it; staff who are not there yet are signed on before."""
        body, person, now = give.body, identity.person, self.clock()
        table = self.keeper.table(name)
        assert table is not None
        if problem := self._gate(table, identity, body):
            return problem
        if isinstance(body, MONEY):
            table = self.keeper.refresh(name) or table  # what another process has written counts as well
        if problem := self.own.problem(table, give, now):
            return problem
        if problem := self._till.problem(table, identity, give, now, witness):
            return problem
        # whose id it is belongs to it: nobody gets the answer to another's command
        if identity.table:
            return (Command(f"{identity.role}/{person}:{give.id}", HOUSE, now, body, give.against),)
        beside = f"{WITH}{witness.person}" if witness is not None and witness.person != person else ""
        command = Command(f"{person}:{give.id}", person, now, body, give.against, beside)
        if not identity.staff and table.rank_of(person) is not NO_RANK:
            # the rank that was shown here is no longer held
            return (Command(f"{person} goes at {table.version}", HOUSE, now, c.SignOff(person)), command)
        rank = rank_in(table.book, identity.rank)
        if not identity.staff or not table.open or table.rank_of(person) == rank:
            return (command,)
        if isinstance(body, c.SignOn) and body.person == person:
            return (Command(command.id, HOUSE, now, c.SignOn(person, rank.code)),)  # sent again it is known by its id
        return (Command(f"{person} comes at {table.version}", HOUSE, now, c.SignOn(person, rank.code)), command)

    def _gate(self, table: Table, identity: Identity, body: AnyCommand) -> Problem | None:
        """What the floor refuses before the table is asked."""
        settings = table.settings
        if identity.table:
            if identity.table != settings.table or not isinstance(body, DEVICE_COMMANDS.get(identity.role, ())):
                return Problem("role", f"a {identity.role} of table {identity.table} may not do that")
            if settings.electronic:
                return Problem.of(Refusal.of("cards.electronic", table.procedures.initial_deal.rule), table)
        elif identity.role not in GIVE_COMMANDS:
            return Problem("role", f"{identity.role} gives no commands at tables")
        elif self._assigned and identity.role == "dealer" and table.open and table.rank_of(identity.person) is NO_RANK:
            return Problem.of(Refusal.of("rank.assigned", person=identity.person), table)
        if not within(body):
            return _TOO_MUCH
        if any(len(text) > LONGEST_TEXT for text in _texts(body)):
            return _TOO_LONG
        if isinstance(body, c.RaiseDispute) and not identity.staff:
            mine = [each for each in table.disputes.values() if each.person == identity.person]
            if len(mine) >= MOST_DISPUTES:
                return _DISPUTES
        if isinstance(body, c.OpenTable):
            return Problem("role", "tables are opened by the pit, not by a command at the table")
        reason = ""
        if isinstance(body, NEW_PLAY):
            reason = self.people.stopped(table=settings.table, game=settings.game)
        if not reason and isinstance(body, NEW_BETS):
            reason = self.people.stopped(person=body.person)
        # why and by whom is a note for staff
        return Problem("stopped", reason if identity.staff else STOPPED) if reason else None

    def said_in(self, language: Language, name: str, problem: Problem) -> Problem:
        """What a table refuses, in the language of the person who asked."""
        return problem.said_in(language, self._known(name))

    def _known(self, name: str) -> Table | None:
        """The table as it was last seen, for its names; it may be out of order by now."""
        mailbox = self.mailboxes.get(name)
        return mailbox.table if mailbox else None

    def _execute(self, name: str, command: Command) -> Answer | Problem:
        answer = self.keeper.give(name, command)
        return Problem.of(answer, self._known(name)) if isinstance(answer, Refusal) else answer
