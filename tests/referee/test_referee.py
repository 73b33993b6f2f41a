"""The engine against a referee written from the texts: random live rounds, with a seed each."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from tests.referee.amended import Amended
from tests.referee.books import GAMES
from tests.referee.felt import ROUNDS

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
        felt = Amended(seed, game)
        felt.story_of(ROUNDS)
        seen += felt.seen
    assert seen["rounds"] >= 2_000 // len(GAMES)
