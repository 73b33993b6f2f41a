"""Short histories for the tests."""

from __future__ import annotations

from pathlib import Path

from puntobanco.script import Play, parse_script, play

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples" / "histories").glob("*.txt"))

HEAD = """\
game tiger-buffalo
layout A
electronic
limits 25 to 5000 step 5
float 1000x20 100x50
open
staff dora dealer
staff sam pit supervisor
sit ann 1
sit bob 2
chips in ann 1000
chips in bob 1000
shoe "machine 3"
call
"""
"""Fourteen lines: an electronic table, ann and bob with 1000 each, bets called for."""


def played(text: str, head: str = HEAD) -> Play:
    return play(parse_script(head + text))


def unmet(text: str, head: str = HEAD) -> tuple[int, str]:
    """The line, counted from the end of the head, that is not as expected, and what was found."""
    result = played(text, head).unmet
    assert result is not None
    return result.number - head.count("\n"), result.found


def met(text: str, head: str = HEAD) -> int:
    """How many expectations are met; all of them."""
    result = played(text, head)
    assert result.unmet is None, result.unmet
    return result.met
