"""Histories to be watched: random walks, playthroughs and mishaps as records, each with the table after it.

People in them get names that occur nowhere else, so that a name which slips through can be found in any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import msgspec
from tests.script.mishaps import MISHAPS
from tests.table.strategies import random_settings
from tests.table.walk import Walk

from puntobanco.rules.load import find_book
from puntobanco.script import Play, parse_script, play
from puntobanco.script.log import next_tables
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, FindBook
from puntobanco.table.entry import Entry, records_of
from puntobanco.table.events import Record
from puntobanco.table.refusals import Refusal
from puntobanco.table.state import Table


class WatchedWalk(Walk):
    """A walk that keeps its records, commands and refusals."""

    def __init__(self, chance: Random, **fixed: Any) -> None:
        self.records: list[Record] = []
        self.commands: list[Command] = []
        self.refusals: list[Refusal] = []
        self.actor = HOUSE
        super().__init__(chance, random_settings(chance, **fixed))

    def give(self, body: AnyCommand, actor: str, against: int | None = None) -> Done | Refusal:
        self.actor = actor
        answer = super().give(body, actor, against)
        self.commands.append(Command(f"c{self.steps}", actor, self.now, body, against))
        if isinstance(answer, Refusal):
            self.refusals.append(answer)
        return answer

    def check_event(self, before: Table, event: e.Event, after: Table) -> None:
        super().check_event(before, event, after)
        record = Record(after.version, self.now, self.actor, f"c{self.steps}", event)  # type: ignore[arg-type]
        self.records.append(record)


@cache
def walked(seed: int) -> WatchedWalk:
    """A walk of 120 steps; every other table is in the hands of a dealer who forgets things."""
    chance = Random(seed)
    by_hand: dict[str, Any] = {"automated": (), "burn": 1, "no_insurance": False, "face_down": True}
    game = ("tiger-buffalo", "dragon-tiger-commission")[seed // 2 % 2]
    walk = WatchedWalk(chance, game=game, **by_hand) if seed % 2 else WatchedWalk(chance)
    for _ in range(120):
        walk.step()
    if seed % 4 == 0 and walk.table.open:
        walk.finish()
        walk.close()
    return walk


@cache
def mishap(name: str) -> Play:
    return play(parse_script(MISHAPS[name]))


class Moment(NamedTuple):
    record: Record
    table: Table


def moments(entries: Iterable[Entry], books: FindBook = find_book) -> Iterator[Moment]:
    """Each event with the table after it."""
    table: Table | None = None
    for entry in entries:
        tables = next_tables(table, entry, books)
        yield from map(Moment, entry.records, tables)
        table = tables[-1]


def people_in(records: Iterable[Record]) -> set[str]:
    """Everybody who ever was at the table, gave a command or disputes something."""
    found = set[str]()
    for record in records:
        event = record.event
        found.add(record.actor)
        if isinstance(event, e.StaffSignedOn | e.PlayerJoined | e.DisputeRaised):
            found.add(event.person)
    return found - {HOUSE, ""}


def named(name: str) -> str:
    """A name that occurs nowhere else."""
    return f"Qx{name.replace(' ', '')}xQ"


def renamed(entries: Iterable[Entry]) -> list[Entry]:
    """The same history with names that occur nowhere else, in accounts and in texts too."""
    entries = list(entries)
    people = sorted(people_in(records_of(entries)), key=len, reverse=True)
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, people))})\b")

    def changed(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub(lambda found: named(found[0]), value)
        if isinstance(value, dict):
            return {key: changed(each) for key, each in value.items()}
        return tuple(map(changed, value)) if isinstance(value, list | tuple) else value

    return [msgspec.convert(changed(msgspec.to_builtins(entry)), Entry) for entry in entries]
