"""Plays a history: every act at the table, every expectation against what came of it, up to the first that is unmet."""

from __future__ import annotations

import msgspec

from puntobanco import roads
from puntobanco.rules.load import find_book
from puntobanco.script import grammar
from puntobanco.script import lines as x
from puntobanco.script.defaults import default_actor, later, open_table, with_box
from puntobanco.script.expect import Sight, difference
from puntobanco.script.language import format_item
from puntobanco.script.lines import Line, Script
from puntobanco.table.commands import AnyCommand, Command
from puntobanco.table.engine import FindBook, execute
from puntobanco.table.entry import Entry, make_entry
from puntobanco.table.events import Record
from puntobanco.table.refusals import Refusal
from puntobanco.table.state import Table
from puntobanco.words import Terms, worded


class Step(msgspec.Struct, frozen=True):
    """An act that was played: the command it came to, and what the table made of it."""

    number: int
    """The line, counted from 1."""
    command: Command
    entry: Entry | None = None
    refusal: Refusal | None = None

    @property
    def records(self) -> tuple[Record, ...]:
        """The events that the line led to; none where it was refused."""
        return self.entry.records if self.entry is not None else ()


class Unmet(msgspec.Struct, frozen=True):
    """The line where a history turned out otherwise: what it expects, and what was found."""

    number: int
    line: str
    expected: str
    found: str


class Play(msgspec.Struct, frozen=True):
    """A history that was played, to its end or to the first line that was not as expected."""

    script: Script
    steps: tuple[Step, ...]
    table: Table | None
    met: int
    """How many expectations were met."""
    shoes: dict[int, tuple[roads.Result, ...]] = {}
    """The results of each shoe, by its number."""
    unmet: Unmet | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The log."""
        return tuple(step.entry for step in self.steps if step.entry is not None)

    @property
    def records(self) -> tuple[Record, ...]:
        """All events, in order."""
        return tuple(record for step in self.steps for record in step.records)

    @property
    def refusals(self) -> tuple[tuple[int, Refusal], ...]:
        """Refusals with the lines that led to them."""
        return tuple((step.number, step.refusal) for step in self.steps if step.refusal is not None)


def play(script: Script, books: FindBook = find_book) -> Play:
    """Play a history. An act that is refused must be expected to be: a history is what happened."""
    table: Table | None = None
    settings: list[x.Setting] = []
    steps: list[Step] = []
    history: list[Record] = []
    shoes: dict[int, tuple[roads.Result, ...]] = {}
    clock = met = 0
    unmet: Unmet | None = None
    for number, line in enumerate(script.lines, 1):
        item = line.item
        if isinstance(item, x.Setting):
            settings.append(item)
        elif isinstance(item, x.Pause):
            clock = later(clock, item.time)
        elif isinstance(item, x.Act):
            clock = later(clock, item.time)
            if isinstance(item.body, x.Open):
                body: AnyCommand = open_table(grammar.merge(settings), books)
            else:
                body = with_box(table, item.body)  # type: ignore[assignment]
            actor = default_actor(table, body) if item.actor is None else item.actor
            command = Command(str(number), actor, clock, body, item.against)
            done = execute(table, command, books)
            if isinstance(done, Refusal):
                steps.append(Step(number, command, refusal=done))
                if not _refusal_expected(script.lines[number:]):
                    unmet = _not_meant(script, number, line, done, table)
                    break
                continue
            entry = make_entry(table, command, done.events)
            table = done.table
            if table.shoe.number:
                shoes[table.shoe.number] = table.results
            history += entry.records
            steps.append(Step(number, command, entry))
        elif isinstance(item, x.Expectation):
            last = steps[-1]
            found = difference(item, Sight(table, last.records, last.refusal, history, script.digits))
            if found is not None:
                text = format_item(item, script.digits)
                unmet = Unmet(number, text, text.removeprefix("expect "), found)
                break
            met += 1
    return Play(script, tuple(steps), table, met, shoes, unmet)


def _refusal_expected(following: tuple[Line, ...]) -> bool:
    """Whether one of the expectations right after an act is its refusal."""
    for line in following:
        if isinstance(line.item, x.Refusal):
            return True
        if isinstance(line.item, x.Act | x.Setting):
            return False
    return False


def _not_meant(script: Script, number: int, line: Line, refusal: Refusal, table: Table | None) -> Unmet:
    assert line.item is not None
    expectation = x.Refusal(refusal.code, refusal.paragraph, refusal.fits)
    return Unmet(
        number,
        format_item(line.item, script.digits),
        "to be carried out",
        f"refused {refusal.code}: {worded(refusal, terms=Terms.of(table, script.digits))}\n"
        f"if that is meant, write below it: {format_item(expectation, script.digits)}",
    )
