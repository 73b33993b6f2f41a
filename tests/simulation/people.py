"""Everybody on a simulated floor: with the floor's own client, over the simulated network, doing what people do.

What comes next at a table is chosen as walks through random tables choose it (``tests/table``): the next proper step,
what fits the moment, or anything at all by anybody.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Literal

import httpx
import msgspec
from tests.floor.serving import MONEY, PASSWORD
from tests.simulation.network import ClientSocket, Link
from tests.table.build import DEALER, DIRECTOR, FLOAT, MANAGER, SHIFT, SUPERVISOR
from tests.table.strategies import (
    SITTING,
    STANDING,
    fitting_command,
    one_in,
    random_command,
    random_ruling,
    random_settings,
)
from tests.table.walk import RULER, SECOND, Walk
from websockets.exceptions import ConnectionClosed

from puntobanco.client.asynchronous import AsyncClient, ClientError, new_id
from puntobanco.floor.wire import (
    Brief,
    Bye,
    Changed,
    Done,
    Events,
    FromServer,
    NewPerson,
    NotDone,
    OpenPlan,
    Role,
    ViewIs,
)
from puntobanco.rules.library import Library
from puntobanco.rules.model import Authority
from puntobanco.table import commands as c
from puntobanco.table.cases.remedies import choices
from puntobanco.table.commands import HOUSE, AnyCommand
from puntobanco.table.rulings import Dismiss, LetStand, Pay, Rectify, VoidRound, WriteOff
from puntobanco.table.settings import ELECTRONIC, LIVE, Step, TableSettings
from puntobanco.table.settlement.commission import marked
from puntobanco.table.shoe.seeds import pledge_of
from puntobanco.table.shoe.state import Seeds
from puntobanco.table.state import Phase, Table
from puntobanco.views import Viewer, view
from puntobanco.views.steps import next_step

if TYPE_CHECKING:
    from tests.simulation.world import World

log = logging.getLogger(__name__)

STAFF: dict[str, tuple[Role, Authority | None]] = {
    "root": ("admin", None),
    DEALER: ("dealer", None),
    SUPERVISOR: ("pit", Authority.PIT_SUPERVISOR),
    MANAGER: ("pit", Authority.PIT_MANAGER),
    SHIFT: ("pit", Authority.SHIFT_MANAGER),
    DIRECTOR: ("pit", Authority.ASSISTANT_DIRECTOR),
    RULER: ("pit", Authority.ASSISTANT_DIRECTOR),
    SECOND: ("pit", Authority.ASSISTANT_DIRECTOR),
    "eye": ("surveillance", None),
}
PLAYERS = (*SITTING, *STANDING)
PIN = "271828"
"""The supervisor's."""
BOOKS = Path(__file__).parents[2] / "examples" / "books"
OWN_BOOKS = Library(BOOKS)
"""The six games, and games of the house's own."""
TROUBLE = (ClientError, httpx.HTTPError, ConnectionError, TimeoutError, ConnectionClosed)
IN_FLIGHT = 6
TOGETHER = 5
"""Commands that are given at once now and then."""
"""Commands for one table that wait for their answers at the same time."""
DAYS = (3, 8, 20, 50, 150)
"""Rounds after which a table closes, and opens anew."""
NOTES: tuple[Literal["escalated", "facts", "surveillance"], ...] = ("escalated", "facts", "surveillance")
PATIENCE = 5.0
"""Seconds after the last fault for which an answer may still be late."""


class Client(AsyncClient):
    """The floor's client over the simulated network."""

    def __init__(self, world: World, name: str, role: str, *, token: str = "") -> None:
        super().__init__(*(f"http://{computer.name}" for computer in world.computers), token=token)
        self._world = world
        self.name, self.role = name, role
        self.socket: ClientSocket | None = None
        self._http = httpx.AsyncClient(transport=_Transport(world))
        self.heard = self._heard
        self.viewed = lambda table, view: world.ledger.viewed(name, role, table, view)
        self._next: dict[str, int] = {}
        """The version that comes next at each table of this connection."""
        self._moments: dict[str, int] = {}
        """When the latest view of each table was made, by the floor's clock."""

    async def _dial(self) -> Any:  # type: ignore[override]
        host = self.address.removeprefix("http://")
        self._next.clear()
        self._moments.clear()
        self.socket = await self._world.network.dial(self.name, host, self._token)
        return self.socket

    def link(self) -> Link | None:
        return self.socket.link if self.socket is not None and not self.socket.link.over else None

    def _heard(self, message: FromServer) -> None:
        self._world.noted(f"{self.name} hears {message!r:.90}" if isinstance(message, Events) else f"{self.name} hears")
        raw = self.socket.latest if self.socket is not None else ""
        self._world.ledger.shown(self.name, self.role, message, raw)
        match message:
            case Events():
                self._in_order(message)
            case ViewIs(table=table, view=view):
                self._on_time(table, view.now)
            case Changed(table=table, now=now):
                self._on_time(table, now)

    def _on_time(self, table: str, now: int) -> None:
        if now < (before := self._moments.get(table, 0)):
            self._world.broken(f"{self.name} was shown table {table} at {now}, and before that at {before}")
        self._moments[table] = now

    def _in_order(self, message: Events) -> None:
        for event in message.events:
            wanted = self._next.get(message.table)
            if wanted is not None and event.version != wanted:
                self._world.broken(f"{self.name} was told {event.version} of table {message.table}, not {wanted}")
            self._next[message.table] = event.version + 1


class _Transport(httpx.AsyncBaseTransport):
    def __init__(self, world: World) -> None:
        self._world = world

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return await self._world.network.request(request)


class Person:
    """Somebody, or a device, who is signed in whenever that is possible, and follows some tables."""

    def __init__(self, world: World, name: str, role: str, *, token: str = "", tables: tuple[str, ...] = ()) -> None:
        self.world = world
        self.name, self.role = name, role
        self.client: Client | None = None
        self._token = token
        self._tables = tables
        self.one_of = {"surveillance": 1, "player": 2}.get(role, 3)
        """It follows one in so many tables."""
        self.chance = Random(f"{world.seed} person {name} {tables}")
        self.since = 0.0

    async def live(self) -> None:
        while True:
            with suppress(*TROUBLE):
                async with Client(self.world, self.name, self.role, token=self._token) as client:
                    if not self._token:
                        await client.sign_in(self.name, PASSWORD)
                    self.client = client
                    for table in self._tables or self.world.open_tables():
                        await self.follow(table)
                    self.since = self.world.loop.time()
                    while not (isinstance(client.bye, Bye) and not client.bye.again):
                        await asyncio.sleep(1.0)
            self.client = None
            await asyncio.sleep(2.0)

    async def follow(self, table: str) -> None:
        if self.client is not None and one_in(self.chance, self.one_of):
            often = 3 if self.role == "player" else self.world.plan.views
            await self.client.watch(table, views=one_in(self.chance, often))


class Choice(Walk):
    """What comes next at a table, as walks choose it."""

    def __init__(self, chance: Random, table: Table, now: int) -> None:
        self.chance, self.table, self.now = chance, table, now
        self.looks = 24
        self.before: list[tuple[AnyCommand, str]] = []

    def give(self, body: AnyCommand, actor: str, against: int | None = None) -> Any:
        self.before.append((body, actor))

    def next(self) -> list[tuple[AnyCommand, str]]:
        """Commands to give, one after the other."""
        if self.table.shoe.seeds is not None and (seed := self._seed(self.table.shoe.seeds)) is not None:
            return [seed]
        waits = self.table.round is not None and self.table.round.window is not None
        busy = waits or bool(self.table.incidents) or self.table.phase is Phase.BETTING
        what = self.chance.randrange(20)
        if what == 3 and (seldom := self._seldom()) is not None:
            return [seldom]
        if what < 3:
            return [random_command(self.chance, self.table)]
        if self.table.settings.electronic and (found := self._own_money()) is not None and one_in(self.chance, 2):
            return [found]
        if what < (15 if busy else 7):
            found = fitting_command(self.chance, self.table)
            return [found] if found is not None else []
        return self.step()

    def _seldom(self) -> tuple[AnyCommand, str] | None:
        """What hardly anything leads to by chance."""
        table, chance = self.table, self.chance
        players = [person.id for person in table.people.values() if not person.staff]
        if table.suspects and one_in(chance, 2):
            return c.ResolveSuspect(chance.choice(list(table.suspects)), one_in(chance, 2), "looked at"), RULER
        if not players or one_in(chance, 8):
            return c.HoldSuspect(chance.choice(["chips", "cash"]), 25_00, "they look odd"), MANAGER
        person = chance.choice(players)
        owes = [matter for matter in table.incidents.values() if matter.family == "debt"]
        if owes and one_in(chance, 2):
            return c.Propose(random_ruling(chance, table, chance.choice(owes)), owes[0].number, "it is owed"), RULER
        if table.phase is Phase.IDLE and marked(table, person):
            return c.Leave(person), person
        if table.proposals and one_in(chance, 2):
            return c.Approve(chance.choice(list(table.proposals))), chance.choice([RULER, SECOND])
        return c.Propose(random_ruling(chance, table), 0, "keyed wrongly"), RULER

    def _seed(self, seeds: Seeds) -> tuple[AnyCommand, str] | None:
        """A seed is pledged, and shown when it is due; now and then another one, or none."""
        players = [person.id for person in self.table.people.values() if not person.staff]
        left = [name for name in players if name not in (seeds.shown if seeds.due else seeds.pledges)]
        if not left or one_in(self.chance, 4):
            return None
        name, commitment = self.chance.choice(left), self.table.shoe.commitment
        seed = hashlib.sha256(f"{commitment} {name} {one_in(self.chance, 20)}".encode()).hexdigest()
        if seeds.due:
            return c.ShowSeed(name, seed), name
        return c.PledgeSeed(name, pledge_of(commitment, seed)), name

    def _own_money(self) -> tuple[AnyCommand, str] | None:
        for person in self.table.people.values():
            if not person.staff and self.table.stack(person.id) < 500_00:
                return c.BuyIn(person.id, 2_000_00, "account"), person.id
        return None

    def step(self) -> list[tuple[AnyCommand, str]]:  # type: ignore[override]
        """The next proper step."""
        step = next_step(self.table)
        if step is None or (step.who == "player" and not step.people):
            return []  # it is closed, or waits for somebody who is not there
        actor = self.actor_of(step)
        body = None if one_in(self.chance, self.looks) else self.plain_body(step)
        if body is None:
            seen = view(self.table, Viewer("player" if step.who == "player" else "pit", actor), self.now)
            if seen.next_step is None or not seen.next_step.yours:
                return self.before
            try:
                body = self.body_of(step, seen)
            except IndexError:
                return self.before
        return [*self.before, (body, actor)]

    def last(self) -> list[tuple[AnyCommand, str]]:
        """What is left to do before the table closes, and the closing."""
        table = self.table
        if table.phase is not Phase.IDLE:
            return self.step()
        for matter in table.incidents.values():
            for proposal in table.proposals.values():
                if proposal.incident == matter.number:
                    return [(c.Approve(proposal.number), SECOND if proposal.by == RULER else RULER)]
            kinds = {choice.kind for choice in choices(table, matter)}
            ends = (WriteOff(), LetStand(), Dismiss(), VoidRound(), Rectify())
            if ruling := next((ruling for ruling in ends if type(ruling) in kinds), None):
                return [(c.Propose(ruling, matter.number, "the day ends"), RULER)]
        for dispute in table.disputes.values():
            notes = [(c.NoteOnDispute(dispute.number, what, "so"), RULER) for what in NOTES]
            return [*notes, (c.DecideDispute(dispute.number, "so be it", ("game_rules",)), RULER)]
        for number, found in table.proposals.items():
            if isinstance(found.ruling, Pay):
                return [(c.Decline(number, "the day ends"), RULER)]
        for request in table.fills:
            return [(c.CancelFill(request), RULER)]
        leaving: list[tuple[AnyCommand, str]] = [
            (c.Leave(person.id), person.id) for person in table.people.values() if not person.staff
        ]
        return [*leaving, (c.CloseTable({1_00: self.chance.randrange(500)}), RULER)]


class Crew:
    """What happens at one table of the plan, day after day."""

    def __init__(self, world: World, name: str, number: int) -> None:
        self.world = world
        self.name = name
        self.chance = Random(f"{world.seed} crew {name}")
        self._number = number
        self._doing: dict[asyncio.Task[None], None] = {}
        self._rounds = self.chance.choice(DAYS)
        """After how many rounds the day ends."""

    def settings(self) -> TableSettings:
        chance = self.chance
        by_itself = [ELECTRONIC, ELECTRONIC, tuple(Step), (Step.DEAL,)]
        automated = chance.choice(by_itself if self._number % 2 == 0 else [LIVE, (), (Step.OFFER, Step.SETTLE)])
        game = chance.choice(OWN_BOOKS.own) if one_in(chance, 6) else None
        found = random_settings(chance, game, OWN_BOOKS)
        fixed: dict[str, Any] = {"table": self.name, "automated": automated, "currency": "SGD", "digits": 2}
        if Step.DEAL not in automated and not found.shuffler and one_in(chance, 2):
            fixed |= {"burn": chance.choice([1, 3, "first_card"]), "cut_card": found.decks * 52 - 40}
        fixed |= {"private": one_in(chance, 3), "maximum_per": chance.choice(["person", "box"])}
        if Step.DEAL in automated and not found.shuffler:
            fixed |= {
                "seeds": chance.choice(["none", "asked", "required"]),
                "cut": chance.choice(["asked", "required"]),
            }
        return msgspec.structs.replace(found, **fixed, countdown=20, insurance_countdown=10)

    def open(self) -> Table | None:
        """The latest table of this name, if it is open."""
        found = [table for name, table in self.world.ledger.latest.items() if name.split(".")[0] == self.name]
        return next((table for table in reversed(found) if table.open), None)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(self.chance.expovariate(1 / self.world.plan.pace))
            table = self.open()
            if table is None:
                await self._open()
                continue
            if len(self._doing) >= IN_FLIGHT:
                continue
            now = int(self.world.computers[0].wall() * 1000)
            chooser = Choice(self.chance, table, now)
            ends = table.rounds >= self._rounds
            if ends and not one_in(self.chance, 8):
                self._start(table, chooser.last())
                continue
            for _ in range(TOGETHER if one_in(self.chance, 8) else 1):
                self._start(table, Choice(self.chance, table, now).next())

    def _start(self, table: Table, commands: list[tuple[AnyCommand, str]]) -> None:
        if commands:
            task = asyncio.create_task(self._give_all(table.settings.table, commands))
            self._doing[task] = None
            task.add_done_callback(self._doing.pop)

    async def _open(self) -> None:
        root = self.world.people["root"].client
        if root is None:
            return
        with suppress(*TROUBLE):
            opened = await root.request("POST", "/api/tables", Brief, OpenPlan(self.settings(), FLOAT))
            self.world.noted(f"root opened {opened.table}")
            self._rounds = self.chance.choice(DAYS)
            for person in self.world.people.values():
                await person.follow(opened.table)
        await asyncio.sleep(1.0)

    async def _give_all(self, table: str, commands: list[tuple[AnyCommand, str]]) -> None:
        for body, actor in commands:
            if isinstance(body, c.Place):
                await self._last_moment(self.world.ledger.latest[table])
            await self._give(table, body, actor)

    async def _last_moment(self, table: Table) -> None:
        """Some bets are sent so that they come at the very moment of the close."""
        if table.settings.electronic and table.phase is Phase.BETTING and table.round and one_in(self.chance, 2):
            left = table.round.until / 1000 - self.world.computers[0].wall()
            await asyncio.sleep(max(0.0, left + self.chance.uniform(-0.012, 0.006)))

    async def _give(self, table: str, body: AnyCommand, actor: str) -> None:
        if actor == HOUSE:
            actor = self.chance.choice([DEALER, RULER])
        person = self.world.people.get(actor)
        client = person.client if person is not None else None
        if client is None:
            return
        id, against = new_id(), None
        if one_in(self.chance, 12):
            against = self.world.ledger.latest[table].version - self.chance.choice([0, 1, 5])
        begun = self.world.loop.time()
        self.world.asks(client, table, f"{actor}:{id}", body)
        twice = one_in(self.chance, 20)
        try:
            if one_in(self.chance, 15):
                given = await client.post_command(table, body, id=id, against=against)
                self.world.ledger.done(table, f"{actor}:{id}", given.version)
                return
            answer = await client.try_give(table, body, id=id, against=against)
            if twice and isinstance(answer, Done):
                again = await client.try_give(table, body, id=id, against=against)
                if isinstance(again, Done):
                    self.world.ledger.done(table, f"{actor}:{id}", again.version)
        except TROUBLE as error:
            if isinstance(error, TimeoutError):
                self.world.late(actor, f"waited for an answer at table {table}: {body}", begun)
            return
        finally:
            self.world.answered(table, f"{actor}:{id}")
        if isinstance(answer, Done):
            self.world.ledger.done(table, f"{actor}:{id}", answer.version)
            self.world.commands += 1
        elif isinstance(answer, NotDone):
            self.world.refused[answer.code] += 1
            if answer.code == "failed":
                self.world.broken(f"the server could not carry out {body} at table {table}: {answer.message}")


def set_up(floor: Any) -> None:
    """The people of the house, before anybody serves it."""
    people, now = floor.people, floor.host.clock()
    for name, (role, rank) in STAFF.items():
        people.add("setup", now, NewPerson(name, role, PASSWORD, rank, PIN if name == SUPERVISOR else ""))
    for name in PLAYERS:
        people.add("setup", now, NewPerson(name, "player", PASSWORD))
        floor.office.post(now, "setup", name, "first money", 10 * MONEY, "SGD")
