"""Counting exposure by Cut Card depth, and insurance with a count: against a plain reading of the same shoes."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.test_cli import run

from puntobanco.cards import Composition, Side
from puntobanco.coup import Coup
from puntobanco.insurance import rows_open
from puntobanco.lab.counting import Count
from puntobanco.lab.exposure import BetExposure, exposure
from puntobanco.lab.insured import InsuranceExposure, row_effects, row_name
from puntobanco.lab.known import deal_known
from puntobanco.lab.shoes import Dealing, SimulationError, card_of, check_seed
from puntobanco.lab.study import DEPTHS, UNIT, count_in_arrays, count_on_core
from puntobanco.lab.worth import Worth
from puntobanco.odds import insurance_after, insurance_odds, odds
from puntobanco.rules.load import find_book, load_book
from puntobanco.rules.model import Window

EZ = load_book(Path(__file__).parents[2] / "examples" / "books" / "ez-baccarat.toml")
TIGER = find_book("tiger-buffalo")
DRAGON = Count.parse("4:-1 5:-1 6:-1 7:-1 8:2 9:2")
SEED = 3
STEPS = [Fraction(step, 2) for step in range(80)]


class Bets:
    """A unit bet now and then over some shoes: plain sums."""

    def __init__(self, shoes: int) -> None:
        self.by_shoe, self.number = [0.0] * shoes, 0

    def add(self, shoe: int, ev: float) -> None:
        self.by_shoe[shoe] += ev
        self.number += 1

    def check(self, worth: Worth, rounds: int, chances: int) -> None:
        gains = np.array(self.by_shoe)
        assert worth.per_shoe == pytest.approx(gains.mean(), abs=1e-8)
        assert worth.per_100 == pytest.approx(100 * gains.sum() / rounds, abs=1e-8)
        assert worth.share == pytest.approx(self.number / chances)
        assert worth.se == pytest.approx(gains.std() / math.sqrt(len(gains)), abs=1e-6)


def best(counted: dict[Fraction, Bets]) -> tuple[float | None, Bets]:
    """The trigger that gains the most, the lowest of those alike; none where nothing is gained."""
    trigger = max(counted, key=lambda trigger: (round(sum(counted[trigger].by_shoe), 9), -trigger))
    found = counted[trigger]
    return (float(trigger), found) if sum(found.by_shoe) > 0 else (None, Bets(len(found.by_shoe)))


def true_count(count: Count, decks: int, unseen: Composition) -> Fraction:
    """The tags of all cards seen, by the decks unseen."""
    running = sum(int(tag) * (4 * decks - left) for tag, left in zip(count.tags, unseen.ranks, strict=True))
    return Fraction(52 * running, unseen.size)


def test_a_bet_at_every_depth() -> None:
    """Deal by hand: a round is the last once a card behind the Cut Card has come."""
    shoes, dealing = 15, Dealing(decks=4, cut=12)
    found = exposure(EZ, dealing, bets=["dragon_7"], shoes=shoes, seed=SEED, counts={"dragon_7": DRAGON})
    known, rounds = deal_known(EZ, dealing, check_seed(SEED), 0, shoes)
    cuts = [12, 26, 52, 104, 156]
    assert list(found.rounds_a_shoe) == list(found.bets["dragon_7"].by_depth) == cuts
    for cut in cuts:
        over, dealt, perfect = set(), 0, Bets(shoes)
        counted = {trigger: Bets(shoes) for trigger in STEPS}
        for number in range(rounds):
            shoe = int(known.shoes[number])
            if shoe in over:
                continue
            unseen = Composition(tuple(known.unseen[number].tolist()))
            ev = float(odds(EZ, unseen)["dragon_7"].ev)
            dealt += 1
            if ev > 0:
                perfect.add(shoe, ev)
            count = true_count(DRAGON, 4, unseen)
            for trigger in STEPS:
                if count >= trigger:
                    counted[trigger].add(shoe, ev)
            coup = Coup()
            for byte in known.cards[number].tolist():
                coup = coup if coup.due is None else coup.receive(card_of(byte))
            if known.places[number] + len(coup.cards) > dealing.size - cut:
                over.add(shoe)
        depth = found.bets["dragon_7"].by_depth[cut]
        assert found.rounds_a_shoe[cut] == dealt / shoes
        perfect.check(depth.perfect, dealt, dealt)
        best_trigger, bets = best(counted)
        assert depth.counted.trigger == best_trigger
        bets.check(depth.counted, dealt, dealt)


@pytest.mark.parametrize("after", [0, 1, "unless_first"])
def test_a_depth_is_what_a_run_with_that_cut_card_says(after: Any) -> None:
    """The same shoes, stopped sooner: every bet, every insurance row, every figure."""
    deep, shallow = (exposure(TIGER, Dealing(decks=6, cut=cut, after=after), shoes=60, seed=SEED) for cut in (14, 52))
    assert deep.rounds_a_shoe[52] == shallow.rounds / shallow.shoes
    for cut in (52, 104, 156, 208):
        for code, bet in shallow.bets.items():
            assert deep.bets[code].by_depth[cut] == bet.by_depth[cut]
        for name, each in shallow.insurance.items():
            assert deep.insurance[name].by_depth[cut] == each.by_depth[cut]
            for points, row in each.rows.items():
                assert deep.insurance[name].rows[points].by_depth[cut] == row.by_depth[cut]
    for code, bet in shallow.bets.items():
        assert (bet.perfect, bet.counted) == (
            deep.bets[code].by_depth[52].perfect,
            deep.bets[code].by_depth[52].counted,
        )


def test_depths_are_in_order() -> None:
    found = exposure(TIGER, Dealing(decks=8, cut=16), shoes=60, seed=1)
    assert list(found.rounds_a_shoe) == [16, *DEPTHS]
    rounds = list(found.rounds_a_shoe.values())
    assert rounds == sorted(set(rounds), reverse=True)
    assert rounds[0] == found.rounds / found.shoes
    exposed: list[BetExposure | InsuranceExposure] = [*found.bets.values(), *found.insurance.values()]
    for each in exposed:
        perfect = [depth.perfect.per_shoe for depth in each.by_depth.values()]
        assert perfect == sorted(perfect, reverse=True)
        assert each.perfect == each.by_depth[16].perfect
        assert each.counted == each.by_depth[16].counted
        assert all(0 <= depth.counted.per_shoe <= depth.perfect.per_shoe for depth in each.by_depth.values())
    assert found.bets["wu_dalang"].depths[26] == found.bets["wu_dalang"].by_depth[26].perfect.per_shoe


def test_a_trigger_that_is_set_holds_at_every_depth() -> None:
    """Insurance keeps its own: a true count for a bet says nothing about a row."""
    found = exposure(TIGER, Dealing(decks=6, cut=14), shoes=30, seed=1, trigger=6.0)
    free = exposure(TIGER, Dealing(decks=6, cut=14), shoes=30, seed=1)
    assert {depth.counted.trigger for depth in found.bets["small_tiger"].by_depth.values()} == {6}
    assert found.insurance == free.insurance


# --- insurance ------------------------------------------------------------------------------------------


def test_insurance_is_counted_at_the_offer() -> None:
    """Every row: its offers, perfect knowledge, and its count with the open cards of the round seen."""
    assert TIGER.insurance is not None
    shoes, dealing = 30, Dealing(decks=4, cut=16)
    found = exposure(TIGER, dealing, bets=["tie"], shoes=shoes, seed=SEED).insurance
    known, rounds = deal_known(TIGER, dealing, check_seed(SEED), 0, shoes)
    offered: dict[Any, int] = defaultdict(int)
    perfect: dict[Any, Bets] = defaultdict(lambda: Bets(shoes))
    counted: dict[Any, dict[Fraction, Bets]] = defaultdict(lambda: {trigger: Bets(shoes) for trigger in STEPS})
    counts = {
        row: found[f"{row.hand.value}_insurance {row.window.value}"].rows[row_name(row)].count
        for row in TIGER.insurance.rows
    }
    for number in range(rounds):
        unseen, coup = Composition(tuple(known.unseen[number].tolist())), Coup()
        for byte in known.cards[number].tolist():
            if coup.due is None:
                break
            coup = coup.receive(card_of(byte))
            left = unseen.without(coup.cards)
            rows = {row.hand: row for row in rows_open(TIGER, coup) if row}
            for each in insurance_after(TIGER, coup, left):
                assert each.ev is not None
                row, ev, shoe = rows[each.hand], float(each.ev), int(known.shoes[number])
                offered[row] += 1
                if ev > 0:
                    perfect[row].add(shoe, ev)
                for trigger in STEPS:
                    if true_count(counts[row], 4, left) >= trigger:
                        counted[row][trigger].add(shoe, ev)
    for row in TIGER.insurance.rows:
        exposed = found[f"{row.hand.value}_insurance {row.window.value}"].rows[row_name(row)]
        assert exposed.offered == offered[row] / rounds
        perfect[row].check(exposed.perfect, rounds, offered[row])
        best_trigger, bets = best(counted[row])
        assert exposed.counted.trigger == best_trigger
        bets.check(exposed.counted, rounds, offered[row])


def test_a_hand_in_a_window_is_the_sum_of_its_rows() -> None:
    found = exposure(TIGER, Dealing(decks=8, cut=16), bets=["tie"], shoes=60, seed=2)
    for each in found.insurance.values():
        rows = list(each.rows.values())
        assert each.offered == pytest.approx(sum(row.offered for row in rows))
        for cut, depth in each.by_depth.items():
            parts = [row.by_depth[cut] for row in rows]
            assert depth.perfect.per_shoe == pytest.approx(sum(part.perfect.per_shoe for part in parts))
            assert depth.counted.per_100 == pytest.approx(sum(part.counted.per_100 for part in parts))
        taken = sum(row.counted.share * row.offered for row in rows)
        assert each.counted.share == pytest.approx(taken / each.offered)


def test_effects_of_removal_on_a_row() -> None:
    """One pair of points has the effects of the exact odds; over several, other cards count at each."""
    assert TIGER.insurance is not None
    rows = {
        (row.window.value, row.hand.value, row_name(row)): number for number, row in enumerate(TIGER.insurance.rows)
    }
    effects = row_effects(TIGER, 8)
    single = effects[rows["player_third", "banker", "4 v 3"]]
    full, less = Composition.of_decks(8), Composition((32,) * 6 + (31,) + (32,) * 6)
    before, after = (
        {(each.window, each.hand, each.own, each.other): each.ev for each in insurance_odds(TIGER, shoe)}[
            Window.PLAYER_THIRD, Side.BANKER, 4, 3
        ]
        for shoe in (full, less)
    )
    assert before is not None
    assert after is not None
    assert single.removal["7"] == pytest.approx(float(after - before))
    ((_, at_points),) = single.points
    assert at_points == single.removal
    several = effects[rows["four_cards", "player", "7 v 0-5"]]
    assert len(several.points) == 6
    count = Count.parse("8:-1 9:-1 A:1 2:1")
    assert single.correlation(count) == pytest.approx(count.correlation(single.removal))
    assert several.correlation(count) < count.correlation(several.removal)


def test_a_game_without_insurance_has_none() -> None:
    assert exposure(EZ, Dealing(decks=6, cut=14), bets=["tie"], shoes=2).insurance == {}
    assert row_effects(EZ, 8) == ()


# --- the sums -------------------------------------------------------------------------------------------


def test_both_ways_of_counting_agree() -> None:
    """The loop and the arrays, on rounds made up: shoes without a round, without a bet, and with triggers passed."""
    chance = np.random.default_rng(5)
    shoes = np.sort(chance.integers(0, 9, 400))
    shoes = shoes[shoes != 4]
    levels = np.concatenate([np.sort(chance.integers(0, 4, (shoes == each).sum()))[::-1] for each in range(9)])
    steps, ev = chance.integers(-20, 40, len(shoes)), chance.normal(0, 0.3, len(shoes))
    steps[shoes == 2] = -1
    place = (shoes, levels, 9, 4, 30)
    assert np.array_equal(count_on_core(np, steps, ev, *place), count_in_arrays(np, steps, ev, *place))
    nothing = np.zeros(0, np.int64)
    empty = count_on_core(np, nothing, np.zeros(0), nothing, nothing, 9, 4, 30)
    assert not empty.any()
    for count in (count_on_core, count_in_arrays):
        with pytest.raises(SimulationError, match="too large"):
            count(np, steps, ev * 0 + 2.0**58 / UNIT, *place)


# --- the command ----------------------------------------------------------------------------------------


def test_the_command_shows_depths_and_insurance() -> None:
    said = run("exposure", "tiger-buffalo", "--bet", "tie", "--shoes", "30", "--cut", "14").out
    assert "By Cut Card depth" in said
    assert "Units per 100 rounds" in said
    assert "rounds a shoe" in said
    assert "Player 7 v 0-5" in said
    assert "Banker insurance, Player's third card" in said
    data = run("exposure", "tiger-buffalo", "--bet", "tie", "--shoes", "3", "--json").json
    line = data["insurance"]["player_insurance four_cards"]
    assert line.keys() == {"offered", "perfect", "counted", "rows", "by_depth"}
    assert list(line["rows"]) == ["5 v 4", "6 v 0-5", "7 v 0-5"]
    row = line["rows"]["7 v 0-5"]
    assert list(row["removal"]) == list(row["count"]) == list("A23456789TJQK")
    assert row["counted"].keys() == {"per_shoe", "per_100", "share", "se", "trigger"}
    assert 0 < row["correlation_at_points"] < row["correlation"] <= 1
    assert row["by_depth"]["16"] == {"perfect": row["perfect"], "counted": row["counted"]}


def test_a_shoe_cut_as_early_as_can_be_has_one_depth() -> None:
    said = run("exposure", "super-six", "--bet", "tie", "--shoes", "3", "--cut", "208").out
    assert "By Cut Card depth" not in said
