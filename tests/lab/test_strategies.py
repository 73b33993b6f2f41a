"""Betting systems: against a plain reading with fractions, and against what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.test_cli import refused, run

from puntobanco.bets import payoffs
from puntobanco.coup import Coup, reconstruct
from puntobanco.insurance import insurance_verdict, rows_open, window_of
from puntobanco.lab.counting import Count
from puntobanco.lab.known import deal_known
from puntobanco.lab.shoes import Dealing, SimulationError, card_of, check_seed
from puntobanco.lab.strategies import SYSTEMS, Strategy, play
from puntobanco.rules.load import find_book

SUPER_SIX = find_book("super-six")
TIGER = find_book("tiger-buffalo")
SHORT = Dealing(decks=4, cut=60)


def stakes(system: str) -> Iterator[int]:
    """The stakes a system asks for; it is sent the gain of each bet that was won or lost, in units."""
    level, wins, ahead = 0, 0, Fraction(0)
    line = [1, 2, 3, 4]
    stake = 1
    fibonacci = [1, 1]
    while len(fibonacci) < 80:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    while True:
        if system == "fibonacci":
            stake = fibonacci[level]
        if system == "labouchere":
            stake = line[0] + (line[-1] if len(line) > 1 else 0)
        gain: Any = yield stake
        staked, gain = gain
        won = gain > 0
        if system == "martingale":
            stake = 1 if won else stake * 2
        elif system == "paroli":
            wins = wins + 1 if won else 0
            stake = stake * 2 if won and wins < 3 else 1
            wins %= 3
        elif system == "fibonacci":
            level = max(0, level - 2) if won else level + 1
        elif system == "dalembert":
            stake = max(1, stake - 1) if won else stake + 1
        elif system == "labouchere":
            line = line[1:-1] if won else [*line, staked]
            line = line or [1, 2, 3, 4]
        elif system == "oscar":
            ahead += gain
            if ahead >= 1:
                ahead, stake = Fraction(0), 1
            elif won:
                stake = min(stake + 1, max(1, -int((ahead - 1) // 1)))


def walk(system: str, gains: list[Fraction], bankroll: int, limit: int) -> tuple[list[Fraction], Fraction, bool]:
    """The bankroll after every bet, all stakes, and whether it was lost."""
    asked = stakes(system)
    stake = next(asked)
    bank, staked = Fraction(bankroll), Fraction(0)
    path: list[Fraction] = []
    for gain in gains:
        put = min(stake, limit, int(bank))
        if put < 1:
            return path, staked, True
        staked += put
        bank += put * gain
        path.append(bank)
        if gain:
            stake = asked.send((put, put * gain))  # type: ignore[attr-defined]
    return path, staked, bank < 1


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(("bankroll", "limit"), [(100, 1000), (9, 4)])
def test_systems_as_they_are_told(system: str, bankroll: int, limit: int) -> None:
    strategy = Strategy(bet="banker", system=system, bankroll=bankroll, limit=limit, shoes=2)
    sessions = 60
    found = play(SUPER_SIX, strategy, SHORT, sessions=sessions, seed=5, paths=sessions)
    known, _ = deal_known(SUPER_SIX, SHORT, check_seed(5), 0, 2 * sessions)
    first = 0
    table = payoffs(SUPER_SIX)["banker"]
    for session in range(sessions):
        last = first + int(known.lengths[2 * session : 2 * session + 2].sum())
        verdicts = [table.verdict(number) for number in known.outcomes[first:last].tolist()]
        gains = [Fraction(verdict.profit(100), 100) for verdict in verdicts]
        path, staked, ruined = walk(system, gains, bankroll, limit)
        assert found.bets[session] == len(path)
        assert found.paths[session, : len(path)] == pytest.approx([float(bank) for bank in path])
        assert found.results[session] == pytest.approx(float((path or [Fraction(bankroll)])[-1] - bankroll))
        assert found.stakes[session] == pytest.approx(float(staked))
        assert found.ruined[session] == ruined
        peaks = np.maximum.accumulate([bankroll, *map(float, path)])
        assert found.drawdowns[session] == pytest.approx(float((peaks - [bankroll, *map(float, path)]).max()))
        first = last


def test_no_system_changes_the_hold() -> None:
    """Whatever is staked, the house keeps its edge of it, within the error."""
    for system in SYSTEMS:
        found = play(SUPER_SIX, Strategy(bet="player", system=system, bankroll=300), sessions=2000, seed=8)
        assert abs(found.hold + found.exact) < 4.5 * found.hold_se, system
        assert found.hold_se < 0.02


def test_the_risk_of_ruin_of_a_flat_bettor() -> None:
    """As often as a walk of independent rounds comes to nothing."""
    found = play(SUPER_SIX, Strategy(bet="player", bankroll=6), sessions=4000, seed=3)
    risk, error = found.ruin
    chances = np.zeros(200)
    chances[6] = 1.0
    for _ in range(80):
        moved = 0.095156 * chances
        moved[2:] += 0.446247 * chances[1:-1]
        moved[:-1] += 0.458597 * chances[1:]
        moved[0] += chances[0] * (1 - 0.095156)
        chances = moved
    assert risk == pytest.approx(chances[0], abs=4 * error + 0.005)
    assert 0 < error < 0.01


def test_a_count_bets_only_where_it_says() -> None:
    count = Count.parse("4:-1 5:-1 6:-1 7:-1 8:2 9:2")
    dealing = Dealing(decks=8, cut=14)
    strategy = Strategy(bet="tie", count=count, trigger=4.0)
    found = play(SUPER_SIX, strategy, dealing, sessions=50, seed=3)
    known, rounds = deal_known(SUPER_SIX, dealing, check_seed(3), 0, 50)
    unseen = known.unseen[:rounds]
    true = (32 - unseen) @ np.array(count.tags) / (unseen.sum(axis=1) / 52)
    expected = np.bincount(known.shoes[:rounds][true >= 4], minlength=50)
    assert found.bets.tolist() == expected.tolist()


@pytest.mark.parametrize("bet", ["player", "banker"])
def test_insurance_is_settled_as_the_book_says(bet: str) -> None:
    sessions = 30
    flat = play(TIGER, Strategy(bet=bet), SHORT, sessions=sessions, seed=2)
    insured = play(TIGER, Strategy(bet=bet, insure="always"), SHORT, sessions=sessions, seed=2)
    known, rounds = deal_known(TIGER, SHORT, check_seed(2), 0, sessions)
    hand = TIGER.bets[bet].hand
    assert hand is not None
    extra = [Fraction(0)] * sessions
    for number in range(rounds):
        cards = [card_of(byte) for byte in known.cards[number].tolist()]
        final = reconstruct(cards).coup
        coup = Coup()
        for card in final.cards:
            coup = coup.receive(card)
            row = rows_open(TIGER, coup)[hand] if window_of(coup) else None
            if row is not None:
                extra[known.shoes[number]] += Fraction(insurance_verdict(row, final).profit(100), 100)
    assert insured.results - flat.results == pytest.approx([float(each) for each in extra])
    best = play(TIGER, Strategy(bet=bet, insure="advantage"), SHORT, sessions=sessions, seed=2)
    assert best.mean > insured.mean


# --- the command ----------------------------------------------------------------------------------------


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "sessions.csv"
    data = run("strategy", "super-six", "--system", "martingale", "--sessions", "40", "--json", "-o", str(out)).json
    assert data["strategy"]["system"] == "martingale"
    assert data["exact_edge"] == pytest.approx(0.010579, abs=1e-6)
    assert data["result"]["0.5"] >= data["result"]["0.05"]
    assert len(out.read_text().splitlines()) == 41
    said = run("strategy", "tiger-buffalo", "--bet", "player", "--insure", "advantage", "--sessions", "20").out
    assert "risk of ruin" in said
    counted = run("strategy", "super-six", "--bet", "tie", "--count", "8:1 6:-1", "--trigger", "90", "--sessions", "5")
    assert "0.0 bets each" in counted.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--system", "winning"], "no system 'winning'"),
        (["--bankroll", "0"], "bankroll 0"),
        (["--limit", "0"], "limit 0"),
        (["--shoes", "0"], "shoes 0"),
        (["--shoes", "1001"], "shoes 1001: 1 to 1000"),
        (["--sessions", "0"], "0 sessions"),
        (["--bet", "nothing"], "no bet 'nothing'"),
        (["--insure", "often"], "not one of never, always"),
        (["--insure", "always"], "Banker has no insurance"),
        (["--trigger", "4"], "goes with --count"),
        (["--count", "x"], "is not a tag"),
    ],
)
def test_bad_strategies_are_refused(arguments: list[str], said: str) -> None:
    assert said in refused("strategy", "super-six", *arguments)


def test_what_was_done_is_kept_on_ctrl_c() -> None:
    def stop(sessions: int) -> None:
        raise KeyboardInterrupt

    found = play(SUPER_SIX, Strategy(bet="tie"), sessions=10**6, progress=stop)
    assert found.interrupted
    assert len(found) == 250
    with pytest.raises(SimulationError):
        play(SUPER_SIX, Strategy(bet="tie"), sessions=0)
