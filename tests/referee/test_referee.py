"""The engine against a referee written from the texts: random live rounds, with a seed each."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from tests.referee.books import GAMES, TB
from tests.referee.felt import ROUNDS
from tests.referee.hands import PLAYER
from tests.referee.limits import Lot, Sign, close, stakes
from tests.referee.unasked import Unasked
from tests.table.build import open_table

from puntobanco.table import commands as c
from puntobanco.table.settings import BetLimits, Differential

REFEREE = ("books", "hands", "limits", "insurance", "verdict")
STORIES = 42
"""Of each game: with those of all games 2,000 rounds and more."""


def test_the_referee_knows_nothing_of_the_engine() -> None:
    for name in REFEREE:
        tree = ast.parse(Path(__file__).with_name(f"{name}.py").read_text())
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        assert not {module for module in imported if module and module.startswith("puntobanco")}, name


@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_come_to_what_the_texts_say(game: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(STORIES):
        felt = Unasked(seed, game)
        felt.story_of(ROUNDS)
        seen += felt.seen
    assert seen["rounds"] >= 2_000 // len(GAMES)


def test_only_a_raise_is_as_late_as_the_raise() -> None:
    """Reading B (5.1, Hoiana 4.3.1)."""
    play = open_table(limits=BetLimits(100_00), differential=Differential(1_000_00))
    for box, person in enumerate(("ann", "bob"), 1):
        play.sit(person, box, 10_000_00)
    play.shoe()
    play.call()
    lots = [
        Lot("ann", 1, PLAYER, 100_00, True),
        Lot("bob", 2, PLAYER, 1_300_00, True),
        Lot("ann", 1, PLAYER, 1_100_00, True),
    ]
    for lot in lots:
        play.do(c.FindBet(lot.person, lot.box, lot.bet, lot.amount))
    play.close()
    sign = Sign(TB, "A", 100_00, None, 1, 1_000_00, by_box=False)
    assert stakes(close(sign, lots)) == {("ann", 1, PLAYER): 100_00, ("bob", 2, PLAYER): 900_00}
    assert play.table.round is not None
    assert {key: wager.stake for key, wager in play.table.round.wagers.items()} == stakes(close(sign, lots))
