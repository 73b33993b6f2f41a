"""What all bots have in common: they sign in, follow a table's views, and give commands that the views allow."""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import httpx
import msgspec

from puntobanco.client import AsyncClient, ClientError, Watched
from puntobanco.floor.wire import NotDone
from puntobanco.table.commands import AnyCommand
from puntobanco.views.judge import Action, Ask, fill
from puntobanco.views.steps import NextStep, step_words
from puntobanco.views.view import View

log = logging.getLogger(__name__)

LOOK = 5.0
"""Seconds after which a bot looks again, though nothing has changed."""
COME_BACK = 2.0
"""Seconds after which a bot comes back from trouble."""
MOST_PATIENT = 15.0


class World(msgspec.Struct, frozen=True):
    """Where and how the bots live."""

    address: str
    secret: str
    """The password of all bots."""
    speed: float
    """1 is the pace of people; 2 is twice as fast."""
    mistakes: float
    """The chance that something goes wrong in a round that a bot deals."""
    chance: Random
    now: Callable[[], float] = time.time
    """The time of day in seconds, by the server's clock."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def pause(self, least: float, most: float | None = None) -> None:
        """So many seconds of people, or between the two."""
        seconds = least if most is None else self.chance.uniform(least, most)
        await self.sleep(seconds / self.speed)

    def happens(self, chance: float) -> bool:
        return self.chance.random() < chance


class GoneError(Exception):
    """The session or the connection is over; sign in again."""


class Bot(ABC):
    """Somebody who acts alone, and comes back after trouble."""

    def __init__(self, name: str, world: World) -> None:
        self.name = name
        self.world = world
        self.client: AsyncClient

    async def run(self) -> None:
        while True:
            try:
                async with AsyncClient(self.world.address) as self.client:
                    await self.client.sign_in(self.name, self.world.secret)
                    await self.live()
            except (ClientError, GoneError, TimeoutError, httpx.HTTPError) as error:
                log.warning("%s: %s; comes back", self.name, str(error) or type(error).__name__)
            except Exception:
                log.exception("%s stumbled; comes back", self.name)
            await asyncio.sleep(COME_BACK)

    @abstractmethod
    async def live(self) -> None:
        """Until the session ends."""


class AtTable(Bot):
    """A bot at one table, which does one thing after another."""

    def __init__(self, name: str, world: World, table: str, *, public: bool = False) -> None:
        super().__init__(name, world)
        self.table = table
        self._public = public
        self.watched: Watched
        self._refused = 0
        self._standing: tuple[object, float] = (None, 0.0)

    @property
    def view(self) -> View:
        assert self.watched.view is not None
        return self.watched.view

    async def live(self) -> None:
        self.watched = await self.client.watch(self.table, public=self._public)
        await self.watched.until(lambda view: True)
        while True:
            if not await self.move():
                await self.wait(LOOK / self.world.speed)

    @abstractmethod
    async def move(self) -> bool:
        """Do one thing, if there is one to do; whether something was tried."""

    async def wait(self, seconds: float) -> None:
        """Until something changes, but not longer than that."""
        try:
            async with asyncio.timeout(max(seconds, 0.05)):
                await self.watched.changed()
        except TimeoutError:
            if (bye := self.client.bye) is not None and not bye.again:
                raise GoneError(bye.message) from None

    async def give(self, body: AnyCommand, *, against: int | None = None) -> bool:
        """Give a command and see what came of it. After a refusal a bot waits, longer each time."""
        answer = await self.client.try_give(self.table, body, against=against)
        if isinstance(answer, NotDone):
            self._refused += 1
            log.info("%s at %s: %s refused: %s %s", self.name, self.table, body, answer.code, answer.message)
            await self.world.sleep(min(MOST_PATIENT, 0.1 * 2**self._refused))
            return True
        self._refused = 0
        await self.watched.until(lambda view: view.version >= answer.version)
        return True

    # --- what the view allows

    def allowed(self, do: str, **fixed: object) -> list[Action]:
        return allowed(self.view, do, **fixed)

    def can(self, do: str, **fixed: object) -> Action | None:
        return next(iter(self.allowed(do, **fixed)), None)

    async def do(self, do: str, values: dict[str, Any] | None = None, **fixed: object) -> bool:
        """Do something if the view still allows it."""
        action = self.can(do, **fixed)
        return action is not None and await self.give(fill(action, values))

    def time_left(self) -> float:
        """Seconds that bets or insurance are still taken."""
        left = self.view.public.time_left
        if left is None:
            return 0.0
        return max(0.0, (left + self.view.now) / 1000 - self.world.now())

    def stands_for(self, what: object) -> float:
        """For how many seconds of people this has been so."""
        now = self.world.now()
        if self._standing[0] != what:
            self._standing = (what, now)
        return (now - self._standing[1]) * self.world.speed


def allowed(view: View, do: str, **fixed: object) -> list[Action]:
    """The actions of that kind which the view allows, with these values where they are settled."""
    return [
        action
        for action in view.actions
        if action.allowed
        and action.do == do
        and all(action.fixed.get(name.replace("__", "."), value) == value for name, value in fixed.items())
    ]


def ask_of(action: Action, field: str) -> Ask | None:
    return next((ask for ask in action.asks if ask.field == field), None)


def words(step: NextStep | None) -> str:
    """A step for the log."""
    return f"{step.do} by {step.who}: {step_words(step)} ({step.paragraph})" if step else "nothing"
