"""Random tables under random commands: what :mod:`tests.table.walk` checks holds whatever happens.

Money is conserved to the minor unit after every event and nobody has less than nothing; a refused command changes
nothing; a table is the fold of its events, which survive JSON; every decision cites a paragraph; a view shows
nothing that its viewer may not see, and what it allows is granted; from anywhere the next steps lead to the end of
the round.
``scripts/long-table-test`` does the same for millions of steps.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from tests import test_harbour_house as harbour_house
from tests.script.mishaps import MISHAPS
from tests.search import far, search
from tests.table.strategies import COMMANDS, random_settings
from tests.table.walk import INITIALS, SILENCES, Walk

from puntobanco.rules.catalogue import book_of
from puntobanco.rules.load import GAMES, find_book
from puntobanco.script import parse_script, play
from puntobanco.table.events import AnyEvent

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
CHANCE = st.randoms(use_true_random=False)
NEVER_GRANTED = {"OpenTable", "RefuseBalance"}
"""A table that is open opens no more; 3.6 gives nobody the right."""


class TableMachine(RuleBasedStateMachine):
    """A table in the hands of hypothesis, which looks for the shortest way to break it."""

    @initialize(chance=CHANCE)
    def open(self, chance: Random) -> None:
        self.walk = Walk(chance)

    @rule(chance=CHANCE)
    def anything(self, chance: Random) -> None:
        self.walk.chance = chance
        self.walk.anything()

    @rule(chance=CHANCE)
    def something_fitting(self, chance: Random) -> None:
        self.walk.chance = chance
        self.walk.something_fitting()

    @rule(chance=CHANCE)
    def something_allowed(self, chance: Random) -> None:
        self.walk.chance = chance
        self.walk.something_allowed()

    @rule(chance=CHANCE)
    def proper(self, chance: Random) -> None:
        self.walk.chance = chance
        self.walk.proper()

    @rule(seconds=st.sampled_from([1, 10, 100]))
    def wait(self, seconds: int) -> None:
        self.walk.now += 1_000 * seconds

    def teardown(self) -> None:
        walk = getattr(self, "walk", None)
        if walk is not None:
            walk.chance = Random(0)
            walk.finish()


TableMachine.TestCase.settings = settings(
    max_examples=far(30, 60),
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
test_any_table_under_any_commands = TableMachine.TestCase


@search
@pytest.mark.parametrize("game", GAMES)
def test_walks_through_random_tables(game: str) -> None:
    chance = Random(game)
    for number in range(far(6, 12)):
        walk = Walk(chance, random_settings(chance, game))
        for _ in range(80):
            walk.step()
        walk.finish()
        if number % 3 == 0:
            walk.close()


def everything() -> set[str]:
    """Every command granted and refused, and every event."""
    names = {command.__name__ for command in COMMANDS}
    answers = {f"{name} granted" for name in names - NEVER_GRANTED} | {f"{name} refused" for name in names}
    return answers | {event.__name__ for event in get_args(AnyEvent)}


def in_histories() -> set[str]:
    """What happens in histories that were written for it."""
    found = set()
    written = [file.read_text(encoding="utf-8") for file in sorted(PLAYTHROUGHS.rglob("*.txt"))]
    for text in (*MISHAPS.values(), *written):
        played = play(parse_script(text))
        for step in played.steps:
            answer = "granted" if step.refusal is None else "refused"
            found.add(f"{type(step.command.body).__name__} {answer}")
        found |= {type(record.event).__name__ for record in played.records}
    # commission is marked in no book of ours
    return found | {type(event).__name__ for event in harbour_house.events()}


@search
def test_walks_come_by_everything() -> None:
    """Every command is granted and refused, and every event happens: on a few walks, or in histories written for it.

    ``scripts/long-table-test`` says what walks alone never come by.
    """
    missing = everything() - in_histories()
    seen: Counter[str] = Counter()
    for seed in range(60):
        chance = Random(seed)
        # every other table is in the hands of a dealer who forgets things
        by_hand: dict[str, Any] = {"automated": (), "burn": 1, "no_insurance": False}
        game = ("tiger-buffalo", "dragon-tiger-commission")[seed // 2 % 2]
        walk = Walk(chance, random_settings(chance, game, **by_hand) if seed % 2 else None)
        for _ in range(80):
            walk.step()
        if walk.table.open and seed % 5 == 0:
            walk.close()
        seen += walk.seen
        missing -= set(seen)
        if not missing and seed >= far(12, 30):
            break
    assert missing == set()
    assert len(everything() - seen.keys()) < len(everything()) / 4, "walks do little by themselves"


@pytest.mark.parametrize(("matter", "books"), [(silence[0], silence[3]) for silence in SILENCES])
def test_the_books_are_silent_where_a_decision_cites_nothing(matter: str, books: str) -> None:
    for game in GAMES:
        book = find_book(game)
        knows = book.procedures.of(matter).covered or book.irregularities.of(matter).covered
        if matter == "insurance":
            knows = book.insurance is not None
        assert knows != (INITIALS[book_of(game)] in books.split()), (game, matter)
