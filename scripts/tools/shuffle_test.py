"""Shuffles shoes by the product's own code and judges them by a battery of statistics, all together at 99%."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table as Grid
from scripts.tools.shuffle_statistics import KINDS, Counts, Outcome, judge

from puntobanco.shoes.shuffle import permutation

Shuffle = Callable[[int], Sequence[int]]
"""The numbers below a size in a chance order."""
BATCH = 10_000
"""Shoes that a process shuffles before it reports."""
MOST = 100_000_000


def shuffles(shoes: int, size: int, shuffle: Shuffle = permutation) -> NDArray[np.uint16]:
    return np.array([shuffle(size) for _ in range(shoes)], np.uint16)


def count(shoes: int, size: int, shuffle: Shuffle = permutation) -> Counts:
    """Shuffle so many shoes and count them."""
    counts = Counts(size)
    while counts.shoes < shoes:
        counts.add(shuffles(min(1_000, shoes - counts.shoes), size, shuffle))
    return counts


def batches(shoes: int) -> Iterator[int]:
    while shoes > 0:
        yield min(BATCH, shoes)
        shoes -= BATCH


def run(shoes: int, size: int, processes: int, console: Console) -> Counts:
    """The same in several processes, with progress and an estimate."""
    total, begun = Counts(size), time.monotonic()
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        waiting = [pool.submit(count, batch, size) for batch in batches(shoes)]
        shown = 0.0
        for done in as_completed(waiting):
            total.merge(done.result())
            took = time.monotonic() - begun
            if took > shown + 5 or total.shoes == shoes:
                shown = took
                rate = total.shoes / took
                left = (shoes - total.shoes) / rate
                console.print(f"{total.shoes:,} shoes, {rate:,.0f} shoes/s, about {left:.0f} s to go", highlight=False)
    return total


def report(outcomes: Sequence[Outcome], shoes: int, decks: int, console: Console) -> bool:
    grid = Grid(title=f"{shoes:,} shoes of {decks} decks")
    for heading in ("test", "statistic", "degrees of freedom", "p"):
        grid.add_column(heading, justify="left" if heading == "test" else "right")
    for name, statistic, freedom, p in outcomes:
        grid.add_row(name, f"{statistic:,.2f}", f"{freedom:,}" if freedom else "", f"{p:.4f}")
    console.print(grid)
    verdict = judge(outcomes)
    told = "passed" if verdict.passed else "FAILED"
    console.print(
        f"{told}: the smallest of {len(outcomes)} p-values is {verdict.smallest:.2g}, "
        f"and one below {verdict.bound:.2g} fails all (Bonferroni, 99%)",
        highlight=False,
    )
    return verdict.passed


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/shuffle-test", description=__doc__)
    parser.add_argument("--shoes", type=int, default=1_000_000, help="shoes to shuffle (1,000,000)")
    parser.add_argument("--decks", type=int, default=8, help="decks of a shoe (8)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="processes (one a core)")
    options = parser.parse_args(arguments)
    for name, least, most in (("shoes", 1_000, MOST), ("decks", 1, 10), ("processes", 1, 256)):
        if not least <= getattr(options, name) <= most:
            parser.error(f"--{name}: {least:,} to {most:,}")
    console = Console()
    counts = run(options.shoes, KINDS * options.decks, options.processes, console)
    return 0 if report(counts.outcomes(), options.shoes, options.decks, console) else 1


if __name__ == "__main__":
    sys.exit(main())
