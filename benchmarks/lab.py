"""How fast the laboratory is: simulation beside a plain C loop, and exact odds in batch: ``scripts/benchmark lab``.

Times are the processor's, of one core, the best of many short runs, so that what else runs on the machine counts as
little as can be; the rate of all cores is by the clock on the wall. The C loop is ``benchmarks/plain_simulation.c``,
compiled with gcc where there is one.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from scripts.tools.arguments import words

from puntobanco import GAMES, Composition, find_book
from puntobanco.lab.batch import Batch
from puntobanco.lab.shoes import Dealing
from puntobanco.lab.simulate import Simulator, simulate
from puntobanco.odds import Menu

RUNS = 40
SHOES = 4000
"""Of one run of a simulation."""
COMPOSITIONS = 2048
PUBLISHED = Dealing(decks=8, cut=14)
WANTED_RATE = 45e6
WANTED_COMPOSITION = 10e-6


def grid(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    return table


def plain_rate(folder: str) -> float | None:
    """Rounds a second of the C loop; None where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = Path(folder) / "plain"
    source = Path(__file__).with_name("plain_simulation.c")
    subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
    rates = []
    for seed in range(RUNS):
        done = subprocess.run([program, str(SHOES), str(seed)], capture_output=True, text=True, check=True)
        rounds, seconds, won = done.stdout.split()
        assert abs(int(won) / int(rounds) - 0.458597) < 0.01, "the C loop deals another game"
        rates.append(int(rounds) / float(seconds))
    return max(rates)


def our_rate(game: str) -> float:
    simulator = Simulator(find_book(game), PUBLISHED, 1)
    simulator.warm_up()
    rates = []
    for run in range(RUNS):
        begun = time.thread_time()
        played = simulator.play(run * SHOES, SHOES)
        rates.append(played.rounds / (time.thread_time() - begun))
    return max(rates)


def simulation() -> Table:
    table = grid(
        "Simulation, every outcome counted, one core", "game", "million rounds/s", "of the C loop", "of 45 million"
    )
    with tempfile.TemporaryDirectory() as folder:
        plain = plain_rate(folder)
    if plain is not None:
        table.add_row("the plain C loop", f"{plain / 1e6:.1f}", "", "")
    for game in GAMES:
        rate = our_rate(game)
        ratio = "no gcc here" if plain is None else f"{rate / plain:.2f} ×"
        table.add_row(game, f"{rate / 1e6:.1f}", ratio, f"{rate / WANTED_RATE:.0%}")
    return table


def cores() -> Table:
    table = grid("Simulation by the clock on the wall", "cores", "million rounds/s")
    for number in range(1, (os.cpu_count() or 1) + 1):
        run = simulate(find_book("rws-baccarat"), PUBLISHED, rounds=60_000_000, seed=1, cores=number)
        table.add_row(str(number), f"{run.rate / 1e6:.1f}")
    return table


def compositions(kinds: int = 13) -> list[Composition]:
    """Eight decks from which any number of cards has gone, down to six."""
    chance = random.Random(8)
    cards = [kind for kind in range(kinds) for _ in range(416 // kinds)]
    lefts = [chance.sample(cards, chance.randint(6, len(cards))) for _ in range(COMPOSITIONS)]
    return [Composition(tuple(map(left.count, range(kinds)))) for left in lefts]


def seconds(step: Callable[[], object], shoes: int) -> float:
    """Of the processor, for a shoe; the best of many runs."""
    times = []
    for _ in range(RUNS):
        begun = time.thread_time()
        step()
        times.append((time.thread_time() - begun) / shoes)
    return min(times)


def solve_each(menu: Menu, shoes: list[Composition]) -> None:
    for shoe in shoes:
        menu.solve(shoe)


def batch() -> Table:
    table = grid(
        "Exact odds of every bet, one core", "game", "a shoe", "of 10 µs", "and all outcomes", "one at a time", ""
    )
    shoes = compositions()
    counts = np.array([shoe.counts for shoe in shoes])
    for game in GAMES:
        solver, menu = Batch(find_book(game)), Menu(find_book(game))
        solver.solve(counts)
        best = seconds(partial(solver.solve, counts), len(counts))
        whole = seconds(partial(solver.solve, counts, weights=True), len(counts))
        single = seconds(partial(solve_each, menu, shoes[:100]), 100)
        table.add_row(
            f"{game}, {len(find_book(game).bets)} bets", f"{best * 1e6:.2f} µs", f"{best / WANTED_COMPOSITION:.0%}",
            f"{whole * 1e6:.2f} µs", f"{single * 1e6:.1f} µs", f"{single / best:.0f} ×",
        )  # fmt: skip
    return table


def main() -> None:
    console = Console(width=None if sys.stdout.isatty() else 140)
    load = f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"
    console.print(f"{os.cpu_count()} cores, load {load}, Python {sys.version.split()[0]}\n")
    for measure in (simulation, cores, batch):
        console.print(measure())
        console.print()


if __name__ == "__main__":
    words(sys.argv[1:], __doc__)
    main()
