"""What tables do by themselves as time goes by: close the bets, deal, end insurance, call the next round.

Of all processes that serve a table, exactly one drives it: the holder of the claim. The claim dies with its process.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from contextlib import suppress

import msgspec

from puntobanco.floor.host import Host, Mailbox
from puntobanco.floor.office import FloorError
from puntobanco.floor.wire import Problem
from puntobanco.store.base import StoreError
from puntobanco.table import commands as c
from puntobanco.table.commands import HOUSE, AnyCommand
from puntobanco.table.state import Table
from puntobanco.views.steps import NextStep, next_step

log = logging.getLogger(__name__)

SHOE = frozenset({"new_shoe", "return_cards", "burn", "deal", "draw", "turn"})
"""Steps of the electronic shoe."""
SURE = 10
"""How many times as long as others whoever holds a claim waits until he asks for it again."""


class Pace(msgspec.Struct, frozen=True):
    """How an electronic table takes its time, in milliseconds."""

    between_rounds: int = 4_000
    between_cards: int = 700
    for_cut: int = 8_000
    """How long the burn waits for somebody to cut."""
    for_squeeze: int = 15_000
    """How long a card may be squeezed before it is turned."""
    retry: int = 1_000
    """How long after a claim that another process holds, or a step that was refused."""


class Due(msgspec.Struct, frozen=True):
    """What is to be done, and when; without a body the shoe does it."""

    at: int
    do: str
    body: AnyCommand | None = None


class Driver:
    """Drives the tables of a process."""

    def __init__(self, host: Host, pace: Pace) -> None:
        self._host = host
        self._pace = pace
        self._driven: set[str] = set()
        self._complained: dict[str, str] = {}
        """What was said last of each table."""
        self._tasks: list[asyncio.Task[None]] = []
        host.opened = self._opened
        for mailbox in host.mailboxes.values():
            self._opened(mailbox)

    def _opened(self, mailbox: Mailbox) -> None:
        self._tasks.append(self._host.later(self._drive(mailbox), f"clock of {mailbox.name}"))

    @property
    def driven(self) -> frozenset[str]:
        """The tables whose clock is here."""
        return frozenset(self._driven)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _drive(self, mailbox: Mailbox) -> None:
        """For ever: a store that fails for a while, or a mistake of ours, does not stop a table's clock for good."""
        while True:
            try:
                await self._drive_on(mailbox)
            except (FloorError, StoreError) as error:
                self._complain(mailbox, f"its clock waits: {error}")
            except Exception:
                log.exception("the clock of table %s", mailbox.name)
            await asyncio.sleep(self._pace.retry / 1000)

    async def _drive_on(self, mailbox: Mailbox) -> None:
        asked = -math.inf
        while True:
            mailbox.changed.clear()
            table = mailbox.table
            if table is not None and table.settings.electronic and table.open and not self._host.keeper.refusing:
                due = await self._due(table, mailbox.last_at)
                left = due.at - self._host.clock() if due is not None else self._pace.retry
                # before each step, and now and then: not for every bet that is placed
                again = SURE if mailbox.name in self._driven else 1
                if left <= 0 or time.monotonic() - asked >= again * self._pace.retry / 1000:
                    if not await self._claim(mailbox):
                        await asyncio.sleep(self._pace.retry / 1000)
                        continue
                    asked = time.monotonic()
                if due is not None and left <= 0 and await self._do(mailbox, table, due):
                    continue
                if left > 0:
                    # what is due is another only when the table is; what may become due is looked for
                    await _wait(mailbox.changed, min(left, (SURE if due is not None else 1) * self._pace.retry))
                    continue
            # at the latest after a while: stops are lifted, and a claim may be free
            await _wait(mailbox.changed, self._pace.retry)

    async def _claim(self, mailbox: Mailbox) -> bool:
        """Whether this process drives the table now."""
        mine = await self._host.in_thread(self._host.keeper.store.claim, f"clock of {mailbox.name}")
        if mine and mailbox.name not in self._driven:
            log.info("table %s: its clock is driven by this process now", mailbox.name)
        elif not mine and mailbox.name in self._driven:
            log.warning("table %s: its clock is driven here no more; another process may take it over", mailbox.name)
        (self._driven.add if mine else self._driven.discard)(mailbox.name)
        return mine

    async def _do(self, mailbox: Mailbox, table: Table, due: Due) -> bool:
        """Do what is due; whether to look again at once."""
        command = f"clock/{due.do} at {table.version}"
        if due.body is None:
            outcome = await self._host.deal(mailbox.name, command)
        else:
            outcome = await self._host.house(mailbox.name, command, due.body)
        complaint = f"{due.do} refused: {outcome.code} {outcome.message}" if isinstance(outcome, Problem) else ""
        self._complain(mailbox, complaint)
        return outcome is not None and not isinstance(outcome, Problem)

    def _complain(self, mailbox: Mailbox, complaint: str) -> None:
        """It is tried again every second, and logged once."""
        if complaint and self._complained.get(mailbox.name) != complaint:
            log.warning("table %s: %s", mailbox.name, complaint)
        self._complained[mailbox.name] = complaint

    async def _due(self, table: Table, last: int) -> Due | None:
        step, pace = next_step(table), self._pace
        if step is None:
            return None
        if step.do == "turn" and step.who == "player":
            return Due(last + pace.for_squeeze, "turn", c.Turn(step.number))
        if step.do == "end_shoe":
            return Due(last + pace.between_rounds, "end_shoe", c.EndShoe("last round played"))
        if step.do == "close_seeds":
            seeds = table.shoe.seeds
            assert seeds is not None
            waits = table.settings.seeds == "required" and not seeds.pledges
            return None if waits else Due(seeds.until + 1, "close_seeds", c.CloseSeeds())
        if step.who != HOUSE:
            return None
        if step.do in SHOE:
            return self._of_shoe(table, step, last)
        return await self._of_round(table, step, last)

    def _of_shoe(self, table: Table, step: NextStep, last: int) -> Due | None:
        if step.do == "new_shoe":
            return Due(last + self._pace.between_rounds, "new_shoe") if _attended(table) else None
        # without a burn there is time to cut as long as bets are taken
        return Due(last + (self._pace.for_cut if step.do == "burn" else self._pace.between_cards), step.do)

    async def _of_round(self, table: Table, step: NextStep, last: int) -> Due | None:
        current = table.round
        match step.do:
            case "call":
                if not _attended(table):
                    return None
                settings, stopped = table.settings, self._host.people.stopped
                if await self._host.in_thread(stopped, table=settings.table, game=settings.game):
                    return None
                return Due(last + self._pace.between_rounds, "call", c.Call())
            case "close":
                assert current is not None
                return Due(current.until + 1, "close", c.Close())
            case "close_insurance":
                assert current is not None
                assert current.window is not None
                at = current.window.until + 1 if step.people else last + self._pace.between_cards
                return Due(at, "close_insurance", c.CloseInsurance())
            case "offer_insurance":
                return Due(last + self._pace.between_cards, step.do, c.OfferInsurance())
            case "announce":
                assert current is not None
                winner = current.coup.winner
                return Due(last + self._pace.between_cards, step.do, c.Announce(winner.value if winner else "tie"))
            case "settle":
                return Due(last + self._pace.between_cards, step.do, c.Settle())
        return None


def _attended(table: Table) -> bool:
    """Whether anybody is there to play for."""
    return any(not person.staff for person in table.people.values())


async def _wait(event: asyncio.Event, milliseconds: int) -> None:
    with suppress(TimeoutError):  # wait_for of Python 3.11 may lose a cancellation
        async with asyncio.timeout(milliseconds / 1000):
            await event.wait()
