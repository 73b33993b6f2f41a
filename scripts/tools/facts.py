"""Facts × phases: what a table makes of every fact in every phase, found by playing it."""

from __future__ import annotations

from collections.abc import Iterator

from puntobanco.script import parse_script, play
from puntobanco.table import commands as c
from puntobanco.table.facts import FACTS, PHASES
from puntobanco.table.refusals import Refusal

GAME = "tiger-buffalo"
_OPENED = """
game {game}
limits 25 to 5000 step 5
automated offer settle
open
staff dora dealer
staff sam pit supervisor
sit ann 1
sit bob 2
chips in ann 10000
chips in bob 10000
shoe "machine 3"
"""
_BETS = """
call
bet ann player 100
bet bob banker 100
close
"""
_SETTLED = f"""
{_BETS}
draw 9h player turned
draw 8c banker turned
draw Kd player turned
draw Ks banker turned
announce player
"""
_OVER = f"""
{_SETTLED}
confirm 1
confirm 2
"""
WHEN: dict[str, str] = {
    "idle": _OPENED,
    "betting": f"{_OPENED} call\nbet ann player 100",
    "dealing": f"{_OPENED} {_BETS} draw 2h player turned\ndraw 7c banker turned",
    "paying": f"{_OPENED} {_SETTLED}",
    "round settled": f"{_OPENED} {_OVER}",
    "shoe over": f'{_OPENED} {_OVER} sam: end shoe "the deck is worn"',
    "an earlier round": f"{_OPENED} {_OVER} {_BETS} draw 2h player turned",
}
"""Phase → how a table comes there."""
IN_ROUND = {"an earlier round": " in round 1"}
NO_ROUND_YET = ("idle", "betting", "dealing")
"""Where no round was settled that something could be found out about."""


def examples(when: str) -> dict[type[c.Body], tuple[str, ...]]:
    """Fact → how it is told in that phase, the fact in the last line; left out where it cannot have been."""
    earlier = IN_ROUND.get(when, "")
    about_a_round: dict[type[c.Body], tuple[str, ...]] = {
        c.FindBet: (f"find bet ann tie 25{earlier}",),
        c.Report: (f'report dealing error{earlier} "the cards were touched"',),
        c.RaiseDispute: (f'dispute ann{earlier} "she was not asked"',),
    }
    if when not in NO_ROUND_YET:
        about_a_round[c.ReportRound] = ('report round 1 9h 8c 2d Ks 5s "card 3 was a 2"',)
    return about_a_round if earlier else about_a_round | _about_now(when)


def _about_now(when: str) -> dict[type[c.Body], tuple[str, ...]]:
    now: dict[type[c.Body], tuple[str, ...]] = {
        c.Burn: ("burn ? ?",),
        c.HoldSuspect: ('hold chips of bob 25 "the lamp shows no mark"',),
        c.CutCard: ("cut card",),
        c.ReportCards: ('wrong cards "415 counted"',),
        c.Draw: ("draw 5h",),
        c.LateChips: ("late bet ann player 50",) if when == "idle" else ("late withdrawal ann player 50",),
        c.WalkAway: ("walk away bob",),
        c.ComeBack: ("walk away bob", "come back bob"),
        c.Announce: ("announce tie",),
        c.Confirm: ("confirm 1",),
        c.ReportInterruption: ('interruption "the lights went out"',),
    }
    if when == "shoe over":
        return now  # no card is out that could be put or turned
    number = {"dealing": 3, "paying": 5}.get(when, 1)
    return now | {c.PutCard: ("draw ?", f"put {number} banker"), c.Turn: ("draw ?", f"turn {number} 5h")}


def answer(when: str, told: tuple[str, ...], game: str = GAME) -> tuple[str, ...] | Refusal:
    """What the table made of a fact: the events, or why it was refused."""
    text = WHEN[when].format(game=game) + "\n" + "\n".join(told) + "\n"
    played = play(parse_script(text))
    last = played.steps[-1]
    lines = len(text.rstrip("\n").split("\n"))
    assert last.number == lines, (when, told, played.unmet)
    if last.refusal is not None:
        return last.refusal
    return tuple(dict.fromkeys(str(record.event.__struct_config__.tag) for record in last.records))


def cells(game: str = GAME) -> Iterator[tuple[type[c.Body], str, tuple[str, ...] | Refusal]]:
    """Every fact in every phase in which it can have happened, and what came of it."""
    for when in WHEN:
        for kind, told in examples(when).items():
            if told:
                yield kind, when, answer(when, told, game)


def refused_for_its_phase(found: tuple[str, ...] | Refusal) -> bool:
    return isinstance(found, Refusal) and found.code in PHASES


def lines() -> Iterator[str]:
    """The table of docs/reference.md."""
    found = {(kind, when): answer for kind, when, answer in cells()}
    yield "| fact | " + " | ".join(WHEN) + " |"
    yield "| --- " * (len(WHEN) + 1) + "|"
    for kind in FACTS:
        told = [_words(found.get((kind, when))) for when in WHEN]
        yield f"| `{kind.__struct_config__.tag}` | " + " | ".join(told) + " |"


def _words(found: tuple[str, ...] | Refusal | None) -> str:
    if found is None:
        return "–"
    if isinstance(found, Refusal):
        return f"refused: {found.code}"
    return ", ".join(f"`{tag}`" for tag in found)
