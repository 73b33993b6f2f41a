"""Reading C, against a restatement that bisects on the scale instead of sharing out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.rules.at_table import LAYOUTS, PLAYER_WINS, QUICK, called, find, only
from tests.table.build import DEALER

from puntobanco.cards import parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.bets.pro_rata import pro_rata
from puntobanco.table.settings import Differential


@pytest.mark.parametrize(
    ("stakes", "minimum", "allowed", "floor", "stands"),
    [
        # two equal bets share what is allowed
        ([600, 600], 100, 1000, True, [500, 500]),
        # in proportion, down to the minor unit
        ([1000, 2000], 100, 1000, True, [333, 666]),
        # a bet under the minimum stands in full and comes off what is allowed
        ([50, 1000, 1000], 100, 1050, True, [50, 500, 500]),
        # one would fall below the minimum: it is set there, the rest is shared again
        ([100, 900], 100, 500, True, [100, 400]),
        # and that can push the next one below: the floors cascade
        ([100, 140, 1000], 100, 600, True, [100, 100, 400]),
        # what is allowed cannot carry the minimums
        ([200, 200, 200], 100, 250, True, [100, 100, 100]),
        # no floor at Hoiana
        ([100, 900], 100, 500, False, [50, 450]),
        ([50, 900], 100, 500, False, [50, 450]),
        # nothing is allowed at all
        ([200, 300], 100, 0, True, [100, 100]),
        ([200, 300], 100, 0, False, [0, 0]),
    ],
)
def test_pro_rata(stakes: list[int], minimum: int, allowed: int, floor: bool, stands: list[int]) -> None:
    assert pro_rata(stakes, [minimum] * len(stakes), allowed, floor=floor) == stands


def level(stakes: list[int], minimums: list[int], allowed: int, floor: bool) -> list[int]:
    """The same by its fixed point: every sharing bet stands at the greater of its floor and one common scale."""
    small = [index for index, stake in enumerate(stakes) if stake < minimums[index]]
    rest = Fraction(allowed - sum(stakes[index] for index in small))
    others = [index for index in range(len(stakes)) if index not in small]
    floors = {index: minimums[index] if floor else 0 for index in others}
    # the scale only matters where a bet's floor is reached: try each of these breaking points
    points = sorted({Fraction(floors[index], stakes[index]) for index in others} | {Fraction(0)})
    scale = Fraction(0)
    for position, point in enumerate(points):
        free = [index for index in others if Fraction(floors[index], stakes[index]) <= point]
        fixed = sum(floors[index] for index in others if index not in free)
        total = sum(stakes[index] for index in free)
        candidate = (rest - fixed) / total if total else Fraction(0)
        upper = points[position + 1] if position + 1 < len(points) else None
        if candidate >= point and (upper is None or candidate < upper):
            scale = candidate
    stands = {index: int(max(Fraction(floors[index]), scale * stakes[index])) for index in others}
    return [stakes[index] if index in small else stands[index] for index in range(len(stakes))]


@given(
    st.lists(st.tuples(st.integers(1, 5000), st.integers(1, 500)), min_size=1, max_size=8),
    st.integers(0, 10_000),
    st.booleans(),
)
def test_pro_rata_is_a_common_scale_above_the_floors(bets: list[tuple[int, int]], allowed: int, floor: bool) -> None:
    stakes, minimums = [stake for stake, _ in bets], [minimum for _, minimum in bets]
    assume(sum(stakes) > allowed)
    stands = pro_rata(stakes, minimums, allowed, floor=floor)
    assert stands == level(stakes, minimums, allowed, floor)
    for stake, minimum, standing in zip(stakes, minimums, stands, strict=True):
        assert 0 <= standing <= stake
        if stake < minimum:
            assert standing == stake
        elif floor:
            assert standing >= minimum


GAME = "tiger-buffalo"


def test_pro_rata_box_by_box_reaches_every_box_of_the_table() -> None:
    last = LAYOUTS[GAME][1]
    differential = Differential(500_00, "box")
    play = called(GAME, automated=QUICK, differential=differential)
    play.close()
    play.do(find("ann", last, "player", 600), DEALER)
    play.do(find("bob", 2, "player", 500), DEALER)  # just at the limit
    events = play.do(c.Deal(parse_cards(PLAYER_WINS)), DEALER)
    stand = only(events, e.StakesStand)
    assert [(cut.person, cut.box, cut.amount) for cut in stand.cuts] == [("ann", last, 100_00)]


def test_pro_rata_takes_no_share_from_what_has_no_rest() -> None:
    # the floors use up more than may stand: who shares the rest shares nothing
    assert pro_rata([100, 100], [100, 100], 50, floor=True) == [100, 100]
    assert pro_rata([100, 300], [100, 50], 100, floor=True) == [100, 50]
    assert pro_rata([100, 300], [100, 50], 100, floor=False) == [25, 75]
    assert pro_rata([10, 300], [50, 50], 5, floor=False) == [10, 0]
    assert pro_rata([100, 100], [50, 50], 100, floor=True) == [50, 50]  # just at the minimum
