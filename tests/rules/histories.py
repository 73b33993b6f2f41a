"""Short histories for the tests of citations: a table with its staff and players, and the lines that matter.

Ann sits at box 1, Bob at box 2, Cho stands behind box 1; each has chips for 10,000.
"""

from __future__ import annotations

from puntobanco.script import Play, parse_script, play

_HEAD = """\
game {game}
limits {limits}
{settings}
float 1000x100
open
staff dora dealer
staff dan dealer
staff sam pit supervisor
staff eva pit manager
staff max shift manager
{director}
sit ann 1
sit bob 2
stand cho 1
chips in ann 10000
chips in bob 10000
chips in cho 10000
shoe "machine 3, counted"
"""

LIMITS = "100 to 5000 step 5"


def holds(game: str, lines: str, settings: str = "automated settle confirm", limits: str = LIMITS) -> Play:
    """Every expectation among the lines is met."""
    director = "staff al assistant director" if game.startswith("dragon") else ""
    told = play(parse_script(_HEAD.format(game=game, limits=limits, settings=settings, director=director) + lines))
    assert told.unmet is None, told.unmet
    assert told.met
    return told
