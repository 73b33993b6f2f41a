"""Who does what alone: how much money one person moves at a table, and what somebody else has to hear of.

Money that staff bring in or take out for a player is capped for each rank, over an hour; above it a second person gives
the command at the same console. What a person says against an electronic table goes to the pit, to surveillance and
into the floor's log, whatever becomes of it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from puntobanco.floor.office import Entry as Noted
from puntobanco.floor.people import Identity
from puntobanco.floor.wire import Give, Problem
from puntobanco.rules.model import Authority
from puntobanco.store.keeper import Answer
from puntobanco.table import commands as c
from puntobanco.table.commands import AnyCommand
from puntobanco.table.entry import Entry
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


WITH = "with "
"""How the record's device begins where a second person stood by: the name follows."""
FIRST_LOOK = 1_000
"""Versions to look back at first for the last hour; then four times as many."""


class _Asked:
    """Money that somebody has asked to move, and of which nobody knows yet whether it will."""

    def __init__(self, at: int, give: Give, amount: int) -> None:
        self.at, self.give, self.amount = at, give, amount


class _Moved(NamedTuple):
    """Money that somebody has moved alone, by the table's log."""

    at: int
    command: str
    body: AnyCommand
    amount: int


class _Read:
    """A table's log as far as it was read, and who has moved what within the hour."""

    def __init__(self) -> None:
        self.version = 0
        self.by: dict[str, deque[_Moved]] = {}

    def take(self, entry: Entry) -> None:
        self.version = max(self.version, entry.last)
        command = entry.command
        body, actor = command.body, command.actor
        if isinstance(body, MONEY) and body.person != actor and not command.device.startswith(WITH):
            self.by.setdefault(actor, deque()).append(_Moved(command.at, command.id, body, max(body.amount, 0)))


class Till:
    """What each person has moved alone within the hour, by table.

    It is counted from the table's log, so that neither a restart nor a second process makes room; what was asked for
    and is not in the log yet counts as well, from when it is looked at.
    """

    def __init__(self, caps: Caps, entries: Callable[[str, int], Sequence[Entry]]) -> None:
        self._caps = caps
        self._entries = entries
        self._read: dict[str, _Read] = {}
        self._asked: dict[tuple[str, str], deque[_Asked]] = {}
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
        most, name = self._caps.of(who.rank) * table.settings.chips[0], table.settings.table
        with self._guard:
            moved = self._within(name, table.version, now).by.setdefault(who.person, deque())
            while moved and moved[0].at <= now - HOUR:
                moved.popleft()
            commands = {each.command: each.body for each in moved}
            # the same once more: it happens once, and has counted
            if commands.get(f"{who.person}:{give.id}") == body:
                return None
            asked = self._asked.setdefault((name, who.person), deque())
            for each in tuple(asked):
                if each.at <= now - HOUR or f"{who.person}:{each.give.id}" in commands:
                    asked.remove(each)  # it is over, or the log has it by now
            room = most - sum(each.amount for each in moved) - sum(each.amount for each in asked)
            if body.amount > room:
                return self._over(table, max(room, 0))
            asked.append(_Asked(now, give, max(body.amount, 0)))
        return None

    def _within(self, name: str, version: int, now: int) -> _Read:
        """What the log says, from an hour ago at the latest."""
        if (read := self._read.get(name)) is None:
            back = FIRST_LOOK
            entries = self._entries(name, version - back)
            while back < version and entries and entries[0].command.at > now - HOUR:
                back *= 4
                entries = self._entries(name, version - back)
            read = self._read[name] = _Read()
        else:
            entries = self._entries(name, read.version)
        for each in entries:
            if each.last > read.version:
                read.take(each)
        return read

    def settled(self, table: str, person: str, give: Give, *, known: bool) -> None:
        """What came of it: where that is known, the log has it, or it was refused; else it goes on counting."""
        with self._guard:
            asked = self._asked.get((table, person), deque())
            for each in tuple(asked):
                if known and each.give is give:
                    asked.remove(each)

    @staticmethod
    def _over(table: Table, room: int) -> Problem:
        return Problem.of(Refusal.of("second_person.cap", "", room, amount=room), table)


def to_be_told(table: Table, who: Identity, body: AnyCommand, outcome: Answer | Problem, witness: str) -> Noted | None:
    """What others hear of a command that somebody has given: the pit, surveillance, and readers of the log."""
    name, kind = table.settings.table, table.settings.kind
    told = f"{_tag(body)} {_about(table, body)}".strip()
    if isinstance(outcome, Problem):
        refused = outcome.code == "electronic" or outcome.detail == "cards.electronic"
        return Noted("refused at an electronic table", name, after=told, why=outcome.message) if refused else None
    if outcome.repeated:
        return None
    if who.staff and word_of(kind, body) is Word.HEARD:
        return Noted("word against an electronic table", name, after=told)
    if isinstance(body, MONEY) and witness:
        return Noted("money moved by two people", name, after=told, why=f"with {witness}")
    if kind is Kind.MACHINE and isinstance(body, FOR_A_PLAYER) and who.person != body.person:
        return Noted("done for a player", name, after=told)
    return None


def _tag(body: AnyCommand) -> str:
    return str(body.__struct_config__.tag)


def _about(table: Table, body: AnyCommand) -> str:
    """The person and the amount that it is about."""
    person, amount = getattr(body, "person", ""), getattr(body, "amount", None)
    return " ".join(filter(None, (person, money(table, amount) if amount is not None else "")))
