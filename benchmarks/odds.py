"""How fast exact odds are, beside plain enumeration in the same run: ``scripts/benchmark``.

The baseline is the brute force that the tests check the library with: compiled loops over the first four cards rank by
rank, then over the third cards by value. It counts deals and prices nothing, so the comparison favours it.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from scripts.tools.arguments import words
from tests import oracle

from puntobanco import GAMES, Composition, RuleBook, find_book, parse_book
from puntobanco.odds import Menu, insurance_odds

SHOES = 1000
ROUNDS = 10
BASELINE_SHOES = 100
PROCESSES = 7

PERFECT_PAIR = """
id = "perfect-pair"
title = "Perfect Pair"
features = ["suited"]
decks = { least = 8, most = 8, paragraph = "1" }
[[bets]]
code = "perfect_pair"
paragraph = "1"
pays = [
    { odds = "25 to 1", when = { suited_pairs = 1 }, paragraph = "1" },
    { odds = "200 to 1", when = { suited_pairs = 2 }, paragraph = "1" },
]
"""


class Times(NamedTuple):
    """Seconds: half of the calls took no longer than the median, all but one in a hundred no longer than p99."""

    least: float
    median: float
    p99: float

    @classmethod
    def of(cls, seconds: Iterable[float]) -> Times:
        ordered = sorted(seconds)
        return cls(ordered[0], ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100])


def timed(function: Callable[[Composition], object], shoes: list[Composition], rounds: int = 1) -> Times:
    """Every shoe by itself, after a warm-up."""
    for shoe in shoes[:20]:
        function(shoe)
    seconds = []
    for _ in range(rounds):
        for shoe in shoes:
            start = time.perf_counter()
            function(shoe)
            seconds.append(time.perf_counter() - start)
    return Times.of(seconds)


def depleted(number: int, *, suited: bool) -> list[Composition]:
    """Eight decks from which any number of cards has gone, down to six."""
    chance = random.Random(8)
    full = Composition.of_decks(8, suited=suited)
    kinds = [kind for kind, count in enumerate(full.counts) for _ in range(count)]
    shoes = []
    for _ in range(number):
        left = chance.sample(kinds, chance.randint(6, len(kinds)))
        shoes.append(Composition(tuple(map(left.count, range(len(full.counts))))))
    return shoes


def fresh(code: str, runs: int = PROCESSES, **environment: str) -> Times:
    """What a new Python process takes for some statements, by its own clock."""
    program = f"import time; start = time.perf_counter()\n{code}\nprint(time.perf_counter() - start)"
    seconds = []
    for _ in range(runs):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=True,
        )
        seconds.append(float(done.stdout.split()[-1]))
    return Times.of(seconds)


def microseconds(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:,.2f} ms"


def grid(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number else "left")
    return table


def add(table: Table, name: str, times: Times, baseline: Times, budget: float | None = None) -> None:
    table.add_row(
        name,
        microseconds(times.least),
        microseconds(times.median),
        microseconds(times.p99),
        microseconds(baseline.median),
        f"{baseline.median / times.median:,.0f} ×",
        f"{times.median / budget:.0%}" if budget else "",
    )


COLUMNS = ("least", "median", "p99", "baseline", "baseline ÷ median", "of the budget")


def menus() -> Table:
    """Weights of all outcomes and the expectations of all bets, shoe after shoe."""
    table = grid("One shoe, all outcomes and the whole menu (budget 100 µs)", "game", *COLUMNS)
    shoes = depleted(SHOES, suited=False)
    baseline = timed(lambda shoe: oracle.tally(shoe.ranks, 1), shoes[:BASELINE_SHOES])
    books: list[RuleBook] = [find_book(game) for game in GAMES]
    for book in books:
        times = timed(Menu(book).solve, shoes, ROUNDS)
        add(table, f"{book.id}, {len(book.bets)} bets", times, baseline, 100e-6)
    by_cards = depleted(SHOES, suited=True)
    slow = timed(lambda shoe: oracle.tally(shoe.counts, 4), by_cards[:3])
    add(table, "a book with suits, 1 bet", timed(Menu(parse_book(PERFECT_PAIR)).solve, by_cards, ROUNDS), slow)
    return table


def insurance() -> Table:
    """Every row and pair of points of the insurance table."""
    table = grid("One shoe, the insurance table", "game", *COLUMNS)
    book = find_book("tiger-buffalo")
    shoes = depleted(SHOES, suited=False)
    baseline = timed(lambda shoe: oracle.count_windows(shoe.points), shoes[:BASELINE_SHOES])
    rows = len(insurance_odds(book, shoes[0]))
    times = timed(lambda shoe: insurance_odds(book, shoe), shoes)
    add(table, f"{book.id}, {rows} pairs of points", times, baseline)
    return table


FIRST_ODDS = """
from puntobanco import Composition, find_book
from puntobanco.odds import odds
odds(find_book("rws-baccarat"), Composition.of_decks(8))
"""
IMPORT = """
import puntobanco, sys
assert not {"numpy", "numba", "cyclopts", "rich"} & set(sys.modules)
"""


def processes() -> Table:
    """What a process takes until it has its first odds, and for the import alone."""
    table = grid("A fresh process", "what", *COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        cold = fresh(FIRST_ODDS, runs=1, NUMBA_CACHE_DIR=folder)
    fresh(FIRST_ODDS, runs=1)
    add(table, "first odds, kernels cached (baseline: not cached)", fresh(FIRST_ODDS), cold, 2)
    add(
        table,
        "import puntobanco, no numpy (baseline: puntobanco.odds)",
        fresh(IMPORT),
        fresh("import puntobanco.odds"),
        0.2,
    )
    return table


def main() -> None:
    console = Console(width=None if sys.stdout.isatty() else 140)
    load = f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"
    console.print(f"{os.cpu_count()} cores, load {load}, Python {sys.version.split()[0]}\n")
    for measure in (menus, insurance, processes):
        console.print(measure())
        console.print()


if __name__ == "__main__":
    words(sys.argv[1:], __doc__)
    main()
