"""Random walks told as histories: whatever a table comes to can be told, and played again to the same log."""

from __future__ import annotations

from random import Random

import pytest
from tests.table.walk import Walk

from puntobanco.script import format_script, parse_script, play, retell
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.events import Record
from puntobanco.table.folds import evolve
from puntobanco.table.refusals import Refusal

MOST = "0" * 15
"""Amounts are written with 15 digits at most."""


class LoggedWalk(Walk):
    """A walk that keeps its log; what must hold on the way is checked elsewhere."""

    def __init__(self, chance: Random) -> None:
        self.records: list[Record] = []
        super().__init__(chance)

    def give(self, body: AnyCommand, actor: str, against: int | None = None) -> Done | Refusal:
        self.steps += 1
        command = Command(f"c{self.steps}", actor, self.now, body, against)
        answer = execute(self.table, command)
        if isinstance(answer, Done) and MOST not in repr(body):
            self.table = answer.table
            self.log(answer.events, actor, command.id)
        return answer

    def happen(self, *events: e.Event) -> None:
        """A shoe that is nearly empty, out of nowhere."""
        for event in events:
            self.table = evolve(self.table, event)
        self.log(events, HOUSE, "")

    def check_event(self, before: object, event: e.Event, after: object) -> None:
        self.log((event,), HOUSE, "c0")

    def log(self, events: tuple[e.Event, ...], actor: str, command: str) -> None:
        self.records += [
            Record(version, self.now, actor, command, event)  # type: ignore[arg-type]
            for version, event in enumerate(events, len(self.records) + 1)
        ]


@pytest.mark.parametrize("seed", range(8))
def test_a_random_walk_told_as_a_history_gives_the_same_log(seed: int) -> None:
    walk = LoggedWalk(Random(seed))
    for _ in range(120):
        walk.step()
    told = retell(walk.records)
    from_nowhere = [record.version for record in walk.records if not record.command]
    assert [difference.version for difference in told.differences] == from_nowhere
    text = format_script(told.script)
    assert parse_script(text) == told.script
    if not from_nowhere:
        again = play(parse_script(text))
        assert again.unmet is None, again.unmet
        assert [(record.at, record.actor, record.event) for record in again.records] == [
            (record.at, record.actor, record.event) for record in walk.records
        ]
        assert again.table == walk.table
