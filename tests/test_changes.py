"""How many files a change takes: counted at commands and irregularities that are there (docs/architecture.md)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WRITTEN = ("src/puntobanco/**/*.py", "src/puntobanco/words/*.toml", "web/src/**/*.ts", "web/src/**/*.svelte")
APART = ("types.ts", "tableWords.ts", "/demo/", ".test.ts")
"""Generated, of the demo, or a test."""


def files_naming(*names: str) -> list[str]:
    """The files, written by hand, that have one of these words in them."""
    word = re.compile(rf"\b({'|'.join(names)})\b")
    files = (file for pattern in WRITTEN for file in ROOT.glob(pattern))
    found = (file for file in files if not any(part in str(file) for part in APART))
    return sorted(str(file.relative_to(ROOT)) for file in found if word.search(file.read_text(encoding="utf-8")))


def test_an_irregularity_that_is_reported_takes_six_files() -> None:
    assert len(files_naming("simultaneous_in_order")) == 6, files_naming("simultaneous_in_order")


@pytest.mark.parametrize(
    "names",
    [
        ("RefuseBalance", "refuse_balance"),
        ("OverrideConfirmation", "override_confirmation"),
        ("NoteOnDispute", "note_on_dispute"),
    ],
)
def test_a_command_takes_eight_files_at_most(names: tuple[str, str]) -> None:
    assert 4 < len(files_naming(*names)) <= 8, files_naming(*names)
