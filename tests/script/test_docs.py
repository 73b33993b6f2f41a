"""docs/history-format.md: its histories are as they expect, its tables are the grammar's."""

from __future__ import annotations

import re

import pytest
from scripts.tools import history_format
from tests.script.helpers import ROOT

from puntobanco.script import parse_script, play

PAGE = history_format.PAGE.read_text(encoding="utf-8")
HISTORIES = re.findall(r"^```history\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", HISTORIES, ids=lambda text: text.partition("\n")[0])
def test_the_histories_of_the_page_are_as_they_expect(text: str) -> None:
    played = play(parse_script(text))
    assert played.unmet is None
    assert played.met


def test_the_first_history_is_the_example() -> None:
    assert HISTORIES[0] == (ROOT / "examples" / "histories" / "first-round.txt").read_text(encoding="utf-8")


def test_the_generated_parts_are_up_to_date() -> None:
    assert history_format.written(PAGE) == PAGE, "run scripts/history-format"


def test_every_example_is_named() -> None:
    for file in (ROOT / "examples" / "histories").iterdir():
        assert file.name in PAGE
