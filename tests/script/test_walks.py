"""Random walks told as histories: whatever a table comes to can be told, and played again to the same log."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from tests.table.walk import Walk

from puntobanco.script import format_script, parse_script, play, retell
from puntobanco.table import events as e
from puntobanco.table.commands import AnyCommand, Command, OpenTable, SetDifferential
from puntobanco.table.engine import Done, execute
from puntobanco.table.entry import Entry, make_entry
from puntobanco.table.folds import evolve
from puntobanco.table.refusals import Refusal

MOST = "0" * 15
"""Amounts are written with 15 digits at most."""


class LoggedWalk(Walk):
    """A walk that keeps its log; what must hold on the way is checked elsewhere."""

    def give(self, body: AnyCommand, actor: str, against: int | None = None) -> Done | Refusal:
        self.steps += 1
        command = Command(f"c{self.steps}", actor, self.now, body, against)
        answer = execute(self.table, command)
        if isinstance(answer, Done) and MOST not in repr(body):
            self.entries.append(make_entry(self.table, command, answer.events))
            self.table = answer.table
        return answer

    def happen(self, *events: e.Event) -> None:
        """A shoe that is nearly empty, which no command leads to."""
        for event in events:
            self.table = evolve(self.table, event)

    def check_event(self, before: object, event: e.Event, after: object) -> None:
        """Nothing is checked here."""


@pytest.mark.parametrize("seed", range(8))
def test_a_random_walk_told_as_a_history_gives_the_same_log(seed: int) -> None:
    walk = LoggedWalk(Random(seed))
    for _ in range(120):
        walk.step()
    told = retell(walk.entries)
    short = [entry.version for entry in walk.entries if entry.command.id == "short"]
    assert [difference.version for difference in told.differences] == short
    text = format_script(told.script)
    assert parse_script(text) == told.script
    if not short:
        again = play(parse_script(text))
        assert again.unmet is None, again.unmet
        assert [told_of(entry) for entry in again.entries] == [told_of(entry) for entry in walk.entries]
        assert again.table is not None
        # what a round remembers of itself holds commands as they were keyed
        assert replace(again.table, journal=None, journals={}) == replace(walk.table, journal=None, journals={})


def told_of(entry: Entry) -> Entry:
    """What a history tells: whatever the command was called, and whichever version it was made for."""
    body = entry.command.body
    if isinstance(body, SetDifferential) and body.limit is None:
        body = SetDifferential()
    elif isinstance(body, OpenTable):  # a history names the book, and with its digits the currency
        body = replace(body, settings=replace(body.settings, book_hash="", currency=""))
    return replace(entry, command=replace(entry.command, id="", body=body, against=None))
