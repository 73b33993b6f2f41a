"""A log told as a history: every command as its line, what it led to as comments below.

The commands are carried out again on the way: where a log is not what the rules make of them, the difference is told.
Otherwise the printed history, played, gives the same log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from puntobanco.rules.load import find_book
from puntobanco.script import grammar
from puntobanco.script import lines as x
from puntobanco.script.defaults import default_actor, later, without_box
from puntobanco.script.execution import Difference, difference
from puntobanco.script.lines import Line, Script
from puntobanco.script.log import CANNOT_BE, ImpossibleError, next_table, tag_of
from puntobanco.script.words import Voice
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.engine import FindBook, execute
from puntobanco.table.entry import Entry
from puntobanco.table.settings import AS_COUNTED
from puntobanco.table.state import Table

INDENT = 4
"""Spaces before a comment that tells what an act led to."""


class History(msgspec.Struct, frozen=True):
    """A log as a script, the table at its end, and where it does not follow from the rules."""

    script: Script
    table: Table
    differences: tuple[Difference, ...]


def retell(entries: Iterable[Entry], books: FindBook = find_book, *, expect: bool = False, source: str = "") -> History:
    """Tell a log as a history. ``expect`` adds lines by which it checks itself when it is played."""
    teller = _Teller(books, expect, source)
    for entry in entries:
        teller.tell(entry)
    assert teller.table is not None
    if expect:
        teller.expect_balances()
    script = Script(tuple(teller.lines), teller.table.settings.digits)
    return History(script, teller.table, tuple(teller.differences))


class _Teller:
    """Writes the lines of a history while the table goes through it."""

    def __init__(self, books: FindBook, expect: bool, source: str) -> None:
        self.books = books
        self.expect = expect
        self.source = source
        self.table: Table | None = None
        self.clock = 0
        self.lines: list[Line] = []
        self.differences: list[Difference] = []

    def tell(self, entry: Entry) -> None:
        """A command, and what it led to."""
        before = self.table
        self.table = next_table(before, entry, self.books, self.source)
        try:
            self._tell(before, self.table, entry)
        except CANNOT_BE as error:
            message = f"the rules make nothing of {tag_of(entry.events[0])} after what came before"
            raise ImpossibleError(entry.version, message, self.source) from error

    def _tell(self, before: Table | None, after: Table, entry: Entry) -> None:
        self._write_act(before, after, entry.command)
        if found := difference(before, entry, execute(before, entry.command, self.books)):
            self.differences.append(found)
            self._comment(f"! {found.message}")
        voice = Voice(after.book, after.settings.digits)
        for event in entry.events:
            head, *parts = voice.tell(event)
            self._comment(f"→ {head}")
            for part in parts:
                self._comment(str(part), INDENT + 2)
        if self.expect:
            self.lines += [Line(x.Outcome(result)) for result in _results(entry.events)]

    def _write_act(self, table: Table | None, after: Table, given: Command) -> None:
        body = given.body
        if isinstance(body, c.OpenTable):
            settings = msgspec.structs.replace(body.settings, book_hash=after.settings.book_hash)
            if settings.digits != AS_COUNTED:  # which are written behind the currency only
                settings = msgspec.structs.replace(settings, currency=after.settings.currency)
            self.lines += [Line(setting) for setting in grammar.header(c.OpenTable(settings, body.opening_float))]
            self.lines.append(Line())
        if isinstance(body, c.Call | c.NewShoe):
            self.lines.append(Line())
        actor = None if given.actor == default_actor(table, body) else given.actor
        act = x.Open() if isinstance(body, c.OpenTable) else without_box(table, _told(body))
        self.lines.append(Line(x.Act(act, self._time(given.at), actor)))  # type: ignore[arg-type]
        self.clock = given.at

    def _time(self, at: int) -> x.Time | None:
        if at == self.clock:
            return None
        clock = x.Clock(at % x.DAY)
        return clock if later(self.clock, clock) == at else x.Moment(at)

    def _comment(self, text: str, gap: int = INDENT) -> None:
        """What people wrote may hold anything, but a comment is one line."""
        self.lines.append(Line(note=" ".join(text.split()), gap=gap))

    def expect_balances(self) -> None:
        assert self.table is not None
        self.lines.append(Line())
        self.lines += [Line(x.Balance(account, amount)) for account, amount in sorted(self.table.balances.items())]


def _told(body: c.Body) -> c.Body:
    """What there are words for: a Differential that is lifted has no scope."""
    return c.SetDifferential() if isinstance(body, c.SetDifferential) and body.limit is None else body


def _results(events: Iterable[e.Event]) -> Iterator[Literal["player", "banker", "tie", "void"]]:
    for event in events:
        if isinstance(event, e.ResultAnnounced):
            yield event.result
        elif isinstance(event, e.RoundVoided):
            yield "void"
