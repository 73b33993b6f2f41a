"""What was seen at a moment that is over, between two events of one command as well."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from tests.script.mishaps import MISHAPS
from tests.test_playthroughs import FILES, played
from tests.views.watch import mishap, moments, people_in

from puntobanco.script import parse_script, play
from puntobanco.table.entry import Entry, records_of
from puntobanco.views import Viewer, past_view, view

TOGETHER = """
table together
game da-hu-ying-xiong
limits 100 to 5000 step 100
float 1000x100
open
staff dora dealer
staff sam pit supervisor
sit ann 1
chips in ann 1000
shoe "machine 3, 416 counted"
call
bet ann player 100
close
deal 6h 5c Kd Ks
draw 4h banker turned
draw 9d banker turned
report simultaneous 5 6 "they came out together"
rule order on 2 6 5
approve 1
expect carried 4h
"""


def look(entries: Iterable[Entry]) -> None:
    entries = list(entries)
    records = records_of(entries)
    viewers = [Viewer("player", name) for name in people_in(records)]
    viewers += [Viewer("display"), Viewer("dealer", "dora"), Viewer("pit", "sam"), Viewer("surveillance", "sue")]
    for record, table in moments(entries):
        for viewer in viewers:
            seen = past_view(table, viewer, record.at)
            assert (seen.next_step, seen.actions) == (None, ())


def test_a_ruling_that_leaves_a_card_over() -> None:
    """The matter is still open when the card that it is about has left the round."""
    look(play(parse_script(TOGETHER)).entries)


@pytest.mark.parametrize("name", MISHAPS)
def test_when_things_go_wrong(name: str) -> None:
    look(mishap(name).entries)


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("irregularities/")])
def test_in_playthroughs(name: str) -> None:
    look(played(name).entries)


def test_the_present_is_the_same_with_what_may_be_done() -> None:
    *_, (record, table) = moments(play(parse_script(TOGETHER)).entries)
    for viewer in (Viewer("player", "ann"), Viewer("dealer", "dora"), Viewer("surveillance", "sue")):
        now, then = view(table, viewer, record.at), past_view(table, viewer, record.at)
        assert now.next_step is not None
        assert (now.public, now.own, now.felt, now.matters) == (then.public, then.own, then.felt, then.matters)
