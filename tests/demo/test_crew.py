"""The bots of a table without a network: the same bots at the same engine, in a time of their own.

Whatever goes wrong, and however bots and chance have it, a table never comes to a dead end.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import pytest
from tests.search import far, search

from puntobanco.demo.bot import AtTable, World
from puntobanco.demo.dealers import Dealer, Words
from puntobanco.demo.pit import Pit
from puntobanco.demo.plan import DIRECTOR, SUPERVISOR, TABLES, TablePlan
from puntobanco.demo.players import Player
from puntobanco.floor.wire import Account, Balance, Done, NotDone
from puntobanco.rules.model import Authority
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import execute
from puntobanco.table.refusals import Refusal
from puntobanco.table.state import Table
from puntobanco.views import Viewer, view
from puntobanco.views.seen import Seen, seen
from puntobanco.views.steps import next_step
from puntobanco.views.view import View
from puntobanco.words import worded

LIVE = [plan for plan in TABLES if plan.dealer]
DEAD_END = 600.0
"""Seconds without an event that no table should see."""

GLANCE = 3_000
"""Milliseconds after which a view that has not changed is made anew."""


class Felt:
    """A table with its clock, where everybody's commands arrive at once."""

    def __init__(self, plan: TablePlan) -> None:
        self.name = plan.name
        self.time = 1_000_000.0
        self.records: list[e.Record] = []
        self.table: Table
        self.refused = Counter[str]()
        opening = plan.opening(1.0)
        self.give(HOUSE, c.OpenTable(opening.settings, opening.opening_float))

    def give(self, actor: str, body: AnyCommand, against: int | None = None) -> Refusal | None:
        now = round(self.time * 1000)
        done = execute(getattr(self, "table", None), Command("", actor, now, body, against))
        if isinstance(done, Refusal):
            self.refused[done.code] += 1
            return done
        self.table = done.table
        for event in done.events:
            record = e.Record(len(self.records) + 1, now, actor, "", event)  # type: ignore[arg-type]
            self.records.append(record)
        return None

    def count(self, kind: type[e.Event]) -> int:
        return sum(isinstance(record.event, kind) for record in self.records)

    async def sleep(self, seconds: float) -> None:
        self.time += seconds


class Here:
    """What a bot has at the table instead of a connection: it gives commands and looks."""

    bye = None

    def __init__(self, felt: Felt, viewer: Viewer, rank: Authority) -> None:
        self._felt, self._viewer, self._rank = felt, viewer, rank
        self._told = 0
        self._last: View | None = None

    async def try_give(self, table: str, body: AnyCommand, *, against: int | None = None) -> Done | NotDone:
        felt, name = self._felt, self._viewer.person
        if isinstance(body, c.SignOn):
            felt.give(HOUSE, c.SignOn(name, self._rank.value))
        elif (refused := felt.give(name, body, against)) is not None:
            return NotDone(table, "", refused.code, worded(refused))
        return Done(table, "", felt.table.version)

    async def account(self) -> Account:
        currency = self._felt.table.settings.currency
        return Account(self._viewer.person, (Balance(currency, 2, 10**8),))

    @property
    def seen(self) -> View:
        """As of now, or of a moment ago: nobody looks at a table all the time."""
        felt, now = self._felt, round(self._felt.time * 1000)
        last = self._last
        if last is None or last.version != felt.table.version or now - last.now > GLANCE:
            self._last = view(felt.table, self._viewer, now)
        assert self._last is not None
        return self._last

    async def view(self, table: str) -> View:
        return self.seen

    def waiting_events(self) -> list[Seen]:
        fresh = self._felt.records[self._told :]
        self._told = len(self._felt.records)
        return [seen(record, self._felt.table, self._viewer) for record in fresh]


class Watching:
    """A watch on the table, always up to date."""

    def __init__(self, here: Here) -> None:
        self._here = here
        self.waiting_events = here.waiting_events

    @property
    def view(self) -> View:
        return self._here.seen

    async def until(self, good: object) -> View:
        return self.view


class Crew:
    """All bots of a table."""

    def __init__(self, plan: TablePlan, mistakes: float, seed: int) -> None:
        self.felt = Felt(plan)
        world = World("", "", 1.0, mistakes, Random(seed), lambda: self.felt.time, self.felt.sleep)
        words = Words()
        self.dealer = Dealer(plan, world, plan.name, words)
        self.supervisor = Pit(SUPERVISOR, Authority.PIT_SUPERVISOR, 2.0, plan, world, plan.name, words)
        self.director = Pit(DIRECTOR, Authority.ASSISTANT_DIRECTOR, 5.0, plan, world, plan.name, words)
        players = [Player(seat, world, plan.name) for seat in plan.seats]
        self.bots: list[AtTable] = [*players, self.dealer, self.supervisor, self.director]
        ranks = {DIRECTOR: Authority.ASSISTANT_DIRECTOR, SUPERVISOR: Authority.PIT_SUPERVISOR}
        for bot in self.bots:
            kind = "player" if isinstance(bot, Player) else "dealer" if bot is self.dealer else "pit"
            here = Here(self.felt, Viewer(kind, bot.name), ranks.get(bot.name, Authority.DEALER))  # type: ignore[arg-type]
            bot.client = here  # type: ignore[assignment]
            bot.watched = Watching(here)  # type: ignore[assignment]

    async def play(self, rounds: int) -> None:
        """So many rounds more. Between their moves time goes on."""
        wanted = self.felt.table.rounds + rounds
        version, since = 0, self.felt.time
        while self.felt.table.rounds < wanted:
            for bot in self.bots:
                await bot.move()
            self.felt.time += 0.5
            if self.felt.table.version != version:
                version, since = self.felt.table.version, self.felt.time
            assert self.felt.time - since < DEAD_END, next_step(self.felt.table)

    def families(self) -> set[str]:
        """The kinds of irregularity that have come about."""
        return {record.event.family for record in self.felt.records if isinstance(record.event, e.IncidentOpened)}


@search
@pytest.mark.parametrize("plan", LIVE, ids=lambda plan: plan.name)
def test_whatever_goes_wrong_play_goes_on(plan: TablePlan) -> None:
    crew = Crew(plan, mistakes=1.0, seed=1)
    asyncio.run(crew.play(far(12, 25)))
    felt = crew.felt
    while len(crew.families()) < 2 or felt.count(e.RulingGiven) < 2:  # chance decides how long it takes
        assert felt.table.rounds < 60, crew.families()
        asyncio.run(crew.play(1))
    assert sum(felt.table.balances.values()) == 0
