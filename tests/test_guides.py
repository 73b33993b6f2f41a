"""The guides are tried as a new reader would: every file is written, every command run, in the order of the page.

A code block with the name of a file after its language is that file. In a ``console`` block each line with ``$`` is
run in the same folder, and what is shown below it is what comes out (a lone … leaves lines out).
"""

from __future__ import annotations

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.patience import limit
from tests.test_docs import as_shown, lines_of

from puntobanco import GAMES
from puntobanco.cli import main
from puntobanco.script import ScriptError, parse_script, play

ROOT = Path(__file__).parents[1]
GUIDES = sorted((ROOT / "docs" / "guides").glob("*.md"))
HISTORIES = ROOT / "docs" / "guides" / "writing-histories.md"
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A block of code: its language, the file it is (if any), and what it says."""

    language: str
    file: str
    text: str


def blocks(page: Path) -> Iterator[Block]:
    for found in _BLOCK.finditer(page.read_text("utf-8")):
        yield Block(found[1], found[2] or "", found[3])


def printed(command: str) -> tuple[int, str]:
    """What a command of a guide prints, errors included, and its exit code."""
    program, *arguments = shlex.split(command)
    if program != "puntobanco" or any(each in command for each in "|>"):
        done = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            text=True,
            timeout=limit(),
            check=False,
            env=os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"},
        )
        return done.returncode, done.stdout + done.stderr
    out, code = io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(out):
        try:
            main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
    return code, out.getvalue()


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.stem)
def test_a_guide_is_done_from_start_to_end(guide: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    done = 0
    for language, file, text in blocks(guide):
        if file:
            Path(file).write_text(text, "utf-8")
        if language != "console":
            continue
        for example in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
            command, _, shown = example.partition("\n")
            code, output = printed(command)
            wrong = "✗" in shown or shown.startswith("puntobanco: ")
            assert bool(code) == wrong, (command, output)
            if shown:
                assert as_shown(lines_of(output), lines_of(shown)) == lines_of(shown), command
            done += 1
    # the client's bot plays in tests/floor/test_client.py, since it takes a floor
    assert done or guide.stem == "client", "a guide has a worked example"


def test_there_is_a_guide_for_every_reader() -> None:
    assert {guide.stem for guide in GUIDES} >= {
        *("pit-manager", "dealer", "auditor", "game-designer", "writing-histories", "client")
    }


PIT = ROOT / "docs" / "guides" / "pit-manager.md"
_IDENTIFIER = re.compile(
    r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]|[{}]|\[\]|\bJSON|"
    + "|".join(rf"\b{re.escape(game)}\b" for game in GAMES if "-" in game)
)
"""Names with an underline or a hump, braces and brackets, the ids of games: words of programmers."""


def programmers_words(guide: str) -> Iterator[str]:
    """Identifiers in a guide's prose, and code in it that its reader neither types nor saves."""
    prose = re.sub(r"\]\([^)]*\)", "]", _BLOCK.sub("", guide))
    files = {found[2] for found in _BLOCK.finditer(guide) if found[2]}
    opening = next((found[3] for found in _BLOCK.finditer(guide) if found[1] == "history" and found[2]), "")
    for span in re.findall(r"`([^`]+)`", prose):
        typed = span.startswith(("puntobanco", "--")) or span in files
        if not (typed or any(span in found[3] for found in _BLOCK.finditer(guide)) or _is_a_line(opening, span)):
            yield span
    yield from (found[0] for found in _IDENTIFIER.finditer(re.sub(r"`[^`]*`", "", prose)))


def _is_a_line(opening: str, span: str) -> bool:
    try:
        parse_script(f"{opening}{span}\n")
    except ScriptError:
        return False
    return True


def test_the_pit_managers_guide_has_no_identifier_in_its_prose() -> None:
    assert list(programmers_words(PIT.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("a bet `above_maximum`", "above_maximum"),
        ("the code above_maximum", "e_m"),
        ("a BetFound", "tF"),
        ('as {"bet": 5}', "{"),
        ("at tiger-buffalo", "tiger-buffalo"),
        ("approve it with `approveRuling`", "approveRuling"),
    ],
)
def test_an_identifier_in_prose_is_found(said: str, found: str) -> None:
    assert next(programmers_words(f"# A guide\n\nIt is {said}.\n")) == found


SITUATIONS = re.findall(
    r"^\*\*(\d+\. [^*]+)\*\*.*?^```history\n(.*?)^```$", HISTORIES.read_text("utf-8"), re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize(("name", "lines"), SITUATIONS, ids=[name for name, _ in SITUATIONS])
def test_a_situation_is_as_it_expects(name: str, lines: str) -> None:
    (opening,) = (block.text for block in blocks(HISTORIES) if block.file == "evening.txt")
    played = play(parse_script(opening + lines))
    assert played.unmet is None, played.unmet


def test_there_are_twenty_situations() -> None:
    assert [int(name.partition(".")[0]) for name, _ in SITUATIONS] == list(range(1, 21))
