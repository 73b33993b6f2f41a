"""Facts in every phase (reading A): each is told where the table stands, and recorded; requests alone are refused."""

from __future__ import annotations

from typing import get_args

import pytest
from scripts.tools import facts

from puntobanco.table import commands as c
from puntobanco.table.facts import FACTS, REQUESTS
from puntobanco.table.refusals import Refusal

GAMES = ("tiger-buffalo", "da-hu-ying-xiong", "super-six", "dragon-tiger-commission")


@pytest.mark.parametrize("game", GAMES)
def test_no_fact_is_refused_for_its_phase(game: str) -> None:
    found = list(facts.cells(game))
    assert not [(kind.__name__, when, answer) for kind, when, answer in found if isinstance(answer, Refusal)]
    assert {kind for kind, _, _ in found} == set(FACTS) - {c.MeantToInsure}


def test_a_fact_that_is_left_out_of_a_phase_cannot_have_been() -> None:
    told = {(kind, when) for kind, when, _ in facts.cells()}
    missing = {(kind.__name__, when) for kind in FACTS for when in facts.WHEN if (kind, when) not in told}
    now_only = {kind.__name__ for kind, when in told if (kind, "an earlier round") not in told}
    assert missing == {
        *((name, "an earlier round") for name in now_only),
        *(("ReportRound", when) for when in facts.NO_ROUND_YET),
        *(("MeantToInsure", when) for when in facts.WHEN),
        ("PutCard", "shoe over"),
        ("Turn", "shoe over"),
    }


def test_every_command_is_a_fact_or_a_request() -> None:
    assert {*FACTS, *REQUESTS} == set(get_args(c.AnyCommand))
    assert not set(FACTS) & set(REQUESTS)
