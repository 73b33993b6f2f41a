"""Counting exposure: against a plain reading of the same shoes, and against published counts."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.test_cli import refused, run

from puntobanco.cards import Composition
from puntobanco.coup import Coup, reconstruct
from puntobanco.insurance import rows_open, window_of
from puntobanco.lab import insurance_kernel
from puntobanco.lab.batch import removal
from puntobanco.lab.counting import Count, CountError, full_count, small_count
from puntobanco.lab.exposure import exposure
from puntobanco.lab.known import SIDES, WINDOWS, deal_known, offers, values_of
from puntobanco.lab.shoes import Dealing, SimulationError, card_of, check_seed
from puntobanco.lab.study import UNIT, _squares
from puntobanco.odds import insurance_after, odds
from puntobanco.rules.load import find_book, load_book

FILE = str(Path(__file__).parents[2] / "examples" / "books" / "ez-baccarat.toml")
EZ = load_book(FILE)
BONUS = load_book(Path(FILE).with_name("bonus.toml"))
TIGER = find_book("tiger-buffalo")
DRAGON = Count.parse("4:-1 5:-1 6:-1 7:-1 8:2 9:2")
"""The count that Eliot Jacobson published for Dragon 7."""


def effects_of(code: str) -> dict[str, float]:
    return {rank: float(effect) for rank, effect in removal(EZ, Composition.of_decks(8))[code].items()}


# --- counts ---------------------------------------------------------------------------------------------


def test_counts_are_read_and_shown() -> None:
    assert DRAGON.by_rank == dict(zip("A23456789TJQK", [0, 0, 0, -1, -1, -1, -1, 2, 2, 0, 0, 0, 0], strict=True))
    assert Count.parse("10:0.5").by_rank["T"] == 0.5
    for wrong in ("", "8", "8:x", "1:2", "8:1 8:2", "8:nan", "8:0"):
        with pytest.raises(CountError):
            Count.parse(wrong)


@pytest.mark.parametrize(("code", "least"), [("dragon_7", 0.975), ("panda_8", 0.98), ("tie", 0.96), ("player", 0.97)])
def test_the_small_count_follows_the_effects(code: str, least: float) -> None:
    effects = effects_of(code)
    count = small_count(effects)
    assert sum(count.tags) == 0
    assert max(map(abs, count.tags)) <= 3
    assert all(tag == int(tag) for tag in count.tags)
    assert count.correlation(effects) > least
    assert count.correlation(effects) >= DRAGON.correlation(effects)
    assert full_count(effects).correlation(effects) == pytest.approx(1)


def test_effects_of_removal_come_to_nothing_over_a_deck() -> None:
    assert sum(removal(EZ, Composition.of_decks(8))["dragon_7"].values()) == 0


def test_pairs_leave_nothing_to_count() -> None:
    flat = dict.fromkeys("A23456789TJQK", 0.0)
    assert not small_count(flat).any
    assert not full_count(flat).any
    assert small_count(flat).correlation(flat) == 0


# --- against a plain reading ----------------------------------------------------------------------------


def rounds_of(book: Any, dealing: Dealing, shoes: int) -> Any:
    known, rounds = deal_known(book, dealing, check_seed(3), 0, shoes)
    return known, rounds


@pytest.mark.parametrize("burn", ["first", 4, "value"])
def test_what_is_known_before_a_round(burn: Any) -> None:
    """Everything but the cards seen: those of the rounds before, and the first where it is shown."""
    dealing = Dealing(decks=1, cut=10, burn=burn)
    known, rounds = rounds_of(BONUS, dealing, 40)
    left = Composition.of_decks(1, suited=True)
    shoe = -1
    for number in range(rounds):
        cards = [card_of(byte) for byte in known.cards[number].tolist()]
        unseen = Composition(tuple(known.unseen[number].tolist()))
        if known.shoes[number] != shoe:
            shoe = int(known.shoes[number])
            left = Composition.of_decks(1, suited=True)
            assert left.size - unseen.size == isinstance(burn, str)
            if isinstance(burn, str):
                (first,) = (at for at in range(52) if unseen.counts[at] == 0)
                tens = 10 if burn == "first" else 0
                assert known.places[number] == 1 + ((first // 4 + 1) if first < 36 else tens)
            left = unseen
        assert unseen == left
        coup = reconstruct(cards).coup
        assert BONUS.space.outcome_of(coup) == known.outcomes[number]
        left = left.without(coup.cards)
    assert known.lengths.sum() == rounds


def test_exposure_is_what_exact_odds_say_round_by_round() -> None:
    dealing = Dealing(decks=6, cut=12)
    shoes = 12
    found = exposure(EZ, dealing, shoes=shoes, seed=3, counts={"dragon_7": DRAGON}, trigger=4.0)
    known, rounds = rounds_of(EZ, dealing, shoes)
    gains, counted = np.zeros((2, shoes)), 0
    for number in range(rounds):
        unseen = Composition(tuple(known.unseen[number].tolist()))
        ev = float(odds(EZ, unseen)["dragon_7"].ev)
        gains[0, known.shoes[number]] += max(ev, 0.0)
        running = sum(tag * (24 - left) for tag, left in zip(DRAGON.tags, unseen.counts, strict=True))
        if running / (unseen.size / 52) >= 4:
            gains[1, known.shoes[number]] += ev
            counted += 1
    bet = found.bets["dragon_7"]
    assert found.rounds == rounds
    assert bet.perfect.per_shoe == pytest.approx(gains[0].mean())
    assert bet.perfect.se == pytest.approx(gains[0].std() / math.sqrt(shoes))
    assert bet.perfect.per_100 == pytest.approx(100 * gains[0].sum() / rounds)
    assert bet.counted.per_shoe == pytest.approx(gains[1].mean())
    assert bet.counted.share == pytest.approx(counted / rounds)
    assert bet.counted.trigger == 4
    assert bet.depths[12] == bet.perfect.per_shoe
    assert list(bet.depths.values()) == sorted(bet.depths.values(), reverse=True)


def test_a_trigger_that_is_found_is_the_best_of_its_steps() -> None:
    best = exposure(EZ, Dealing(decks=8, cut=14), bets=["dragon_7"], shoes=40, seed=3).bets["dragon_7"]
    assert best.counted.trigger is not None
    for step in (-0.5, 0.5):
        other = exposure(
            EZ, Dealing(decks=8, cut=14), bets=["dragon_7"], shoes=40, seed=3, trigger=best.counted.trigger + step
        ).bets["dragon_7"]
        assert other.counted.per_shoe <= best.counted.per_shoe
    assert best.counted.per_shoe <= best.perfect.per_shoe
    assert best.counted.edge == pytest.approx(best.counted.per_100 / 100 / best.counted.share)


def test_insurance_is_worth_what_exact_odds_say() -> None:
    known, rounds = rounds_of(TIGER, Dealing(decks=4, cut=16), 6)
    worth, taken = np.empty((rounds, 2, 2)), np.empty((rounds, 2, 2), np.int64)
    assert TIGER.insurance is not None
    values = values_of(known.unseen[:rounds])
    insurance_kernel.value_offers(values, known.cards[:rounds], offers(TIGER), worth, taken)
    seen = 0
    for number in range(rounds):
        unseen = Composition(tuple(known.unseen[number].tolist()))
        expected: dict[tuple[int, int], tuple[Any, float]] = {}
        coup = Coup()
        for byte in known.cards[number].tolist():
            if coup.due is None:
                break
            coup = coup.receive(card_of(byte))
            window = window_of(coup)
            if window is not None:
                rows = {row.hand: row for row in rows_open(TIGER, coup) if row}
                for row in insurance_after(TIGER, coup, unseen.without(coup.cards)):
                    assert row.ev is not None
                    expected[WINDOWS.index(window), SIDES.index(row.hand)] = rows[row.hand], float(row.ev)
        for window_number, hand in np.ndindex(2, 2):
            at = (number, window_number, hand)
            if (window_number, hand) in expected:
                row_open, ev = expected[window_number, hand]
                assert TIGER.insurance.rows[taken[at]] == row_open
                assert worth[at] == pytest.approx(ev)
                seen += 1
            else:
                assert taken[at] == -1
                assert np.isnan(worth[at])
    assert seen > 50


def test_insurance_and_all_bets_worst_first() -> None:
    found = exposure(TIGER, Dealing(decks=8, cut=16), shoes=20, seed=1)
    assert set(found.bets) == set(TIGER.bets)
    worth = [bet.perfect.per_shoe for bet in found.bets.values()]
    assert worth == sorted(worth, reverse=True)
    assert found.bets["player_pair"].counted.trigger is None
    assert not found.bets["player_pair"].count.any
    assert list(found.insurance) == [
        f"{hand}_insurance {window}" for window in ("four_cards", "player_third") for hand in ("player", "banker")
    ]
    assert all(0 < row.offered < 0.3 and row.perfect.per_shoe > 0 for row in found.insurance.values())


def test_a_game_with_suits() -> None:
    found = exposure(BONUS, Dealing(decks=8, cut=16), shoes=3, seed=1)
    assert set(found.bets) == set(BONUS.bets)


# --- published figures ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "tags", "trigger", "published"),
    [
        ("dragon_7", "4:-1 5:-1 6:-1 7:-1 8:2 9:2", 4, 0.597),
        ("panda_8", "A:1 2:1 3:-2 4:-2 5:-2 6:-1 7:-1 8:-2 9:4 T:1 J:1 Q:1 K:1", 11, 0.237),
    ],
)
def test_published_counts_win_what_was_published(code: str, tags: str, trigger: float, published: float) -> None:
    """Eliot Jacobson's units a shoe, eight decks, Cut Card 14 from the end; at full scale in docs/lab.md."""
    dealing = Dealing(decks=8, cut=14, after="unless_first")
    found = exposure(EZ, dealing, bets=[code], shoes=750, seed=20, counts={code: Count.parse(tags)}, trigger=trigger)
    counted = found.bets[code].counted
    assert counted.se < published / 10
    assert counted.per_shoe == pytest.approx(published, abs=4 * counted.se)


def test_squares_are_those_of_whole_numbers_and_never_overflow() -> None:
    gains = np.array([[3 * UNIT + 5, -UNIT // 3], [UNIT // 1000, 400 * UNIT]])
    squares = _squares(np, gains, 0)
    exact = [sum(int(gain) ** 2 for gain in column) / UNIT for column in gains.T]
    assert squares == pytest.approx(exact, rel=1e-9, abs=2 * len(gains))
    with pytest.raises(SimulationError, match="too large"):
        _squares(np, np.full(2, 2**31 * UNIT), 0)


def test_more_shoes_from_any_start_add_up() -> None:
    """Shoes 0 to 29 are shoes 0 to 9 and 10 to 29."""
    dealing = Dealing(decks=8, cut=14)
    whole = exposure(EZ, dealing, bets=["panda_8"], shoes=30, seed=2)
    parts = [exposure(EZ, dealing, bets=["panda_8"], shoes=n, first=f, seed=2) for f, n in ((0, 10), (10, 20))]
    total = sum(part.bets["panda_8"].perfect.per_shoe * part.shoes for part in parts)
    assert whole.bets["panda_8"].perfect.per_shoe * 30 == pytest.approx(total)
    assert whole.rounds == sum(part.rounds for part in parts)


# --- the command ----------------------------------------------------------------------------------------


def test_the_command_keeps_its_contract(tmp_path: Path) -> None:
    out = tmp_path / "exposure.json"
    data = run("exposure", "--book", FILE, "--shoes", "12", "--cut", "14", "--json", "-o", str(out)).json
    assert json.loads(out.read_text()) == data
    bet = data["bets"]["dragon_7"]
    assert list(bet["removal"]) == list(bet["count"]) == list("A23456789TJQK")
    assert bet["perfect"].keys() == {"per_shoe", "per_100", "share", "se"}
    assert bet["counted"].keys() == {"per_shoe", "per_100", "share", "se", "trigger"}
    assert list(bet["depths"]) == list(bet["by_depth"]) == list(data["rounds_a_shoe"])
    assert bet["by_depth"]["14"] == {"perfect": bet["perfect"], "counted": bet["counted"]}
    assert -1 <= bet["correlation"] <= 1
    table = tmp_path / "exposure.csv"
    said = run("exposure", "--book", FILE, "--bet", "dragon_7", "--shoes", "12", "-o", str(table))
    assert "effect of removal" in said.out
    assert "By Cut Card depth" in said.out
    assert "A COUNTER BEATS Dragon 7" in said.out
    assert table.read_text().startswith("bet,correlation,perfect_per_shoe")
    tried = run(
        "exposure", "--book", FILE, "--bet", "dragon_7", "--shoes", "5", "--count", "8:2 9:2 4:-4", "--trigger", "3",
        "--json",
    ).json["bets"]["dragon_7"]  # fmt: skip
    assert (tried["count"]["4"], tried["counted"]["trigger"]) == (-4, 3)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--shoes", "0"], "0 shoes"),
        (["--bet", "nothing"], "no bet 'nothing'"),
        (["--count", "8:1"], "goes with --bet"),
        (["--bet", "tie", "--count", "8"], "is not a tag"),
        (["--bet", "tie", "--count", "8:1e308 9:-1e308"], "a tag lies between -100 and 100"),
        (["--bet", "tie", "--count", "8:nan"], "is not a tag"),
        (["--bet", "tie", "--count", "8:inf"], "a tag lies between"),
        (["--trigger", "x"], "not a number"),
        (["--decks", "11"], "6 to 8"),
        (["--cut", "5"], "cannot be dealt"),
        (["-o", "x.png"], "must end in"),
    ],
)
def test_bad_commands_are_refused(arguments: list[str], said: str) -> None:
    assert said in refused("exposure", "--book", FILE, *arguments)


def test_what_was_done_is_kept_on_ctrl_c() -> None:
    def stop(shoes: int) -> None:
        raise KeyboardInterrupt

    found = exposure(EZ, Dealing(decks=8, cut=14), bets=["tie"], shoes=10**6, progress=stop)
    assert found.interrupted
    assert found.shoes == 250
    with pytest.raises(SimulationError):
        exposure(EZ, shoes=0)
