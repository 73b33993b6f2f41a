"""Boxes are known by the numbers printed on the layout: in histories, the log, messages, views and actions."""

from __future__ import annotations

import msgspec
import pytest

from puntobanco.rules.load import GAMES, find_book
from puntobanco.script import parse_script, play
from puntobanco.script.history import retell
from puntobanco.script.language import format_script
from puntobanco.script.log import format_log, parse_log
from puntobanco.table import events as e
from puntobanco.views import Viewer, view
from puntobanco.words import worded

PRINTED = (1, 2, 3, 5, 6, 7)
"""Layout A of Tiger Buffalo has no 4 (Appendix A)."""

HISTORY = """
game tiger-buffalo
layout A
limits 25 to 5000 step 25
differential 500 box
automated offer announce settle
float 1000x100

open
staff dora dealer
sit ann 5
sit bob 7
sit cal 4
expect refused box
sit cal 8
expect refused box
sit cal 6
stand dee 7
chips in ann 1000
chips in bob 1000
chips in dee 1000
shoe "machine 3, 416 counted"
call
bet ann player 500
bet bob banker 500
bet dee banker 25
expect refused differential
bet dee 5 banker 100
bet dee 4 banker 100
expect refused box
"""
PAID = """
close
deal 9h 2c Kd Ks
expect won ann player 500
confirm 7
confirm 5
"""


def test_a_history_says_the_numbers_on_the_cloth_and_is_retold_with_them() -> None:
    played = play(parse_script(HISTORY + PAID))
    assert played.unmet is None, played.unmet
    messages = [worded(refusal) for _, refusal in played.refusals]
    assert "there is no box 4: the table has 1, 2, 3, 5, 6, 7" in messages
    assert "there is no box 8: the table has 1, 2, 3, 5, 6, 7" in messages
    told = format_script(retell(played.entries).script)
    for line in (
        "sit ann 5",
        "sit bob 7",
        "sit cal 6",
        "stand dee 7",
        "bet dee 5 banker 100",
        "confirm 7",
        "confirm 5",
    ):
        assert line in told.splitlines()
    assert "box 4" not in told
    again = play(parse_script(told))
    assert again.unmet is None
    assert [entry.events for entry in again.entries] == [entry.events for entry in played.entries]


def test_the_log_has_the_numbers_on_the_cloth() -> None:
    played = play(parse_script(HISTORY + PAID))
    entries = parse_log(format_log(played.entries))
    events = [event for entry in entries for event in entry.events]
    assert [event.box for event in events if isinstance(event, e.PlayerJoined)] == [5, 7, 6, 7]
    assert {event.box for event in events if isinstance(event, e.WagersPlaced)} == {5, 7}
    confirmed = [box for event in events if isinstance(event, e.BoxesConfirmed) for box in event.boxes]
    assert confirmed == [7, 5]


@pytest.mark.parametrize("role", ["player", "dealer", "pit", "surveillance", "display"])
def test_views_have_the_numbers_on_the_cloth(role: str) -> None:
    table = play(parse_script(HISTORY)).table
    assert table is not None
    assert table.boxes == PRINTED
    person = {"player": "ann", "dealer": "dora"}.get(role, "")
    seen = view(table, Viewer(role, person), 0)  # type: ignore[arg-type]
    assert tuple(box.number for box in seen.public.boxes) == PRINTED == seen.public.sign.geometry.numbers
    assert [box.number for box in seen.public.boxes if box.seated] == [5, 6, 7]
    assert {room.box for room in seen.public.room} == set(PRINTED)
    assert {stake.box for stake in seen.public.stakes} == {5, 7}
    asked = [ask.choices for action in seen.actions for ask in action.asks if ask.field.endswith("box")]
    assert all(set(choices) <= set(PRINTED) for choices in asked)
    assert not any("box 4" in msgspec.json.encode(action).decode() for action in seen.actions)


def test_a_newcomer_is_offered_the_free_boxes_that_are_printed() -> None:
    table = play(parse_script(HISTORY)).table
    assert table is not None
    joins = [action for action in view(table, Viewer("player", "eve"), 0).actions if action.do == "join"]
    seated = next(action for action in joins if action.fixed["seated"])
    (choices,) = (ask.choices for ask in seated.asks if ask.field == "box")
    assert tuple(choices) == (1, 2, 3)


@pytest.mark.parametrize("game", GAMES)
def test_fewer_positions_take_the_first_numbers(game: str) -> None:
    for layout in find_book(game).layouts.values():
        most = max(layout.positions)
        for positions in layout.positions:
            assert layout.printed(positions) == (layout.numbers or tuple(range(1, most + 1)))[:positions]
            assert len(layout.printed(positions)) == positions
