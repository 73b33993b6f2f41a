"""How fast the laboratory is on a GPU, with this machine's cores beside it: ``scripts/benchmark scale``.

Times are by the clock on the wall, the best of some runs; kernels are compiled beforehand. Where there is no GPU, only
the cores are measured, and that is said.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from scripts.tools.arguments import words

from puntobanco import GAMES, find_book
from puntobanco.lab.batch import Batch
from puntobanco.lab.device import DeviceOdds, DeviceShoes
from puntobanco.lab.exposure import exposure
from puntobanco.lab.gpu import Gpu, find_gpu
from puntobanco.lab.known import deal_known
from puntobanco.lab.runs import OnGpu
from puntobanco.lab.shoes import Dealing, SimulationError, check_seed
from puntobanco.lab.simulate import number_of_cores, simulate

PUBLISHED = Dealing(decks=8, cut=14)
RUNS = 3
GPU_SHOES, CPU_SHOES = 2**25, 2**17
KNOWN_SHOES, KNOWN_ON_CPU = 2**16, 500
STUDY_SHOES, STUDY_ON_CPU = 2**18, 1000
WANTED_ROUNDS = 100e9
WANTED_ODDS = 50e6


def best(step: Callable[[], int], runs: int = RUNS) -> float:
    """Things a second, of a step that says how many it did."""
    rates = []
    step()
    for _ in range(runs):
        begun = time.perf_counter()
        done = step()
        rates.append(done / (time.perf_counter() - begun))
    return max(rates)


def rounds_on_gpu(gpu: Gpu, game: str) -> float:
    shoes = DeviceShoes(gpu, find_book(game), PUBLISHED, 1)
    return best(lambda: int(shoes.count(0, GPU_SHOES)[0].sum()))


def rounds_on_cores(game: str) -> float:
    return best(lambda: simulate(find_book(game), PUBLISHED, shoes=CPU_SHOES, seed=1).rounds)


def odds_on_gpu(gpu: Gpu, game: str) -> float:
    book = find_book(game)
    known, solver = DeviceShoes(gpu, book, PUBLISHED, 1).know(0, KNOWN_SHOES), DeviceOdds(gpu, Batch(book))

    def solve() -> int:
        ev, _ = solver.solve(known.unseen)
        gpu.host(ev[:, -1:])
        return known.rounds

    return best(solve)


def odds_on_cores(game: str) -> float:
    book = find_book(game)
    known, rounds = deal_known(book, PUBLISHED, check_seed(1), 0, KNOWN_ON_CPU)
    batch, unseen = Batch(book), np.ascontiguousarray(known.unseen[:rounds])
    return best(lambda: len(batch.solve(unseen, cores=number_of_cores(None))))


def study(game: str, shoes: int, **where: Any) -> float:
    return best(lambda: exposure(find_book(game), PUBLISHED, shoes=shoes, seed=1, **where).rounds, 1)


def measure(gpu: Gpu | None) -> Table:
    table = Table(title="Million a second", title_justify="left", title_style="bold")
    columns = ("game", "simulated rounds: GPU", "of 100 billion", "cores", "exact odds, all bets: GPU", "of 50 million")
    for number, column in enumerate((*columns, "cores", "study: GPU", "cores")):
        table.add_column(column, justify="right" if number else "left")
    for game in GAMES:
        cells = [f"{game}, {len(find_book(game).bets)} bets"]
        for on_gpu, on_cores, wanted in (
            (rounds_on_gpu, rounds_on_cores, WANTED_ROUNDS),
            (odds_on_gpu, odds_on_cores, WANTED_ODDS),
        ):
            rate = None if gpu is None else on_gpu(gpu, game)
            cells += ["", ""] if rate is None else [f"{rate / 1e6:,.0f}", f"{rate / wanted:.0%}"]
            cells.append(f"{on_cores(game) / 1e6:.2f}")
        cells.append("" if gpu is None else f"{study(game, STUDY_SHOES, runner=OnGpu(gpu)) / 1e6:.1f}")
        cells.append(f"{study(game, STUDY_ON_CPU, cores=number_of_cores(None)) / 1e6:.2f}")
        table.add_row(*cells)
    return table


def main() -> None:
    console = Console(width=None if sys.stdout.isatty() else 170)
    gpu = None
    try:
        gpu = find_gpu()
        console.print(f"GPU: {gpu.name}, {gpu.processors} processors")
    except SimulationError as error:
        console.print(f"not measured on a GPU: {error}")
    load = f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"
    console.print(f"{number_of_cores(None)} cores, load {load}, Python {sys.version.split()[0]}\n")
    console.print(measure(gpu))


if __name__ == "__main__":
    words(sys.argv[1:], __doc__)
    main()
