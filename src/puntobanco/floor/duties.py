"""Who does what alone: how much money one person moves at a table, and what somebody else has to hear of.

Money that staff bring in or take out for a player is capped for each rank, over an hour; above it a second person gives
the command at the same console. What a person says against an electronic table goes to the pit, to surveillance and
into the floor's log, whatever becomes of it.
"""

from __future__ import annotations

import threading
from collections import deque

import msgspec

from puntobanco.floor.office import Entry
from puntobanco.floor.people import Identity
from puntobanco.floor.wire import Give, Problem
from puntobanco.rules.model import Authority
from puntobanco.store.keeper import Answer
from puntobanco.table import commands as c
from puntobanco.table.commands import AnyCommand
from puntobanco.table.ledger import money
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import Kind
from puntobanco.table.state import Table
from puntobanco.table.word import Word, word_of

HOUR = 3_600_000
MONEY = (c.BuyIn, c.CashOut, c.ChipsIn, c.ChipsOut, c.Tip)
"""What moves money in or out for a player."""
FOR_A_PLAYER = (c.Place, c.Withdraw, c.Insure, c.PassInsurance)
"""What staff may do at a player's request; at an electronic table the player could have done it alone."""


class Caps(msgspec.Struct, frozen=True):
    """How much one person moves alone within an hour at a table, in chips of its highest value."""

    dealer: int = 10
    supervisor: int = 50
    manager: int = 200

    def of(self, rank: Authority) -> int:
        if rank >= Authority.PIT_MANAGER:
            return self.manager
        return self.supervisor if rank >= Authority.PIT_SUPERVISOR else self.dealer


CAPS = Caps()


class _Moved:
    """Money that somebody has asked to move."""

    def __init__(self, at: int, give: Give, amount: int) -> None:
        self.at, self.give, self.amount = at, give, amount
        self.stands = False
        """Whether it has happened, or nobody knows; as long as it is looked at, it may be refused yet."""


class Till:
    """What each person has moved alone within the hour, by table. A command counts from when it is looked at."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._moved: dict[tuple[str, str], deque[_Moved]] = {}
        self._guard = threading.Lock()

    def problem(self, table: Table, who: Identity, give: Give, now: int, witness: Identity | None) -> Problem | None:
        """Why one person may not move that money alone; nothing if that is allowed, and then it counts."""
        body = give.body
        if not isinstance(body, MONEY) or not who.staff or who.person == body.person:
            return None
        if table.settings.kind is Kind.MACHINE:
            return None  # where the table itself refuses it, or it goes back to its owner's account
        if witness is not None and witness.person != who.person:
            return None if max(witness.rank, who.rank) > Authority.DEALER else self._over(table, 0)
        most = self._caps.of(who.rank) * table.settings.chips[0]
        with self._guard:
            moved = self._moved.setdefault((table.settings.table, who.person), deque())
            while moved and moved[0].at <= now - HOUR:
                moved.popleft()
            # the same once more: it happens once, and has counted
            if any(each.stands and (each.give.id, each.give.body) == (give.id, body) for each in moved):
                return None
            room = most - sum(each.amount for each in moved)
            if body.amount > room:
                return self._over(table, max(room, 0))
            moved.append(_Moved(now, give, max(body.amount, 0)))
        return None

    def settled(self, table: str, person: str, give: Give, *, stands: bool) -> None:
        """What came of it: what this very request has counted for stays, or was refused and counts no more."""
        with self._guard:
            moved = self._moved.get((table, person), deque())
            for each in tuple(moved):
                if each.give is give:
                    each.stands = stands
                    if not stands:
                        moved.remove(each)

    @staticmethod
    def _over(table: Table, room: int) -> Problem:
        return Problem.of(Refusal.of("second_person.cap", "", room, amount=room), table)


def to_be_told(table: Table, who: Identity, body: AnyCommand, outcome: Answer | Problem, witness: str) -> Entry | None:
    """What others hear of a command that somebody has given: the pit, surveillance, and readers of the log."""
    name, kind = table.settings.table, table.settings.kind
    told = f"{_tag(body)} {_about(table, body)}".strip()
    if isinstance(outcome, Problem):
        refused = outcome.code == "electronic" or outcome.detail == "cards.electronic"
        return Entry("refused at an electronic table", name, after=told, why=outcome.message) if refused else None
    if outcome.repeated:
        return None
    if who.staff and word_of(kind, body) is Word.HEARD:
        return Entry("word against an electronic table", name, after=told)
    if isinstance(body, MONEY) and witness:
        return Entry("money moved by two people", name, after=told, why=f"with {witness}")
    if kind is Kind.MACHINE and isinstance(body, FOR_A_PLAYER) and who.person != body.person:
        return Entry("done for a player", name, after=told)
    return None


def _tag(body: AnyCommand) -> str:
    return str(body.__struct_config__.tag)


def _about(table: Table, body: AnyCommand) -> str:
    """The person and the amount that it is about."""
    person, amount = getattr(body, "person", ""), getattr(body, "amount", None)
    return " ".join(filter(None, (person, money(table, amount) if amount is not None else "")))
