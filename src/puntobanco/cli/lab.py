"""The laboratory on the command line: simulation."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from puntobanco.cli.common import (
    AsJson,
    BookFile,
    Game,
    LayoutCode,
    UsageError,
    check_named,
    choose_book,
    option,
    read_number,
)
from puntobanco.cli.many_odds import call_out, write_results
from puntobanco.cli.render import console, new_table, print_json, show, styled
from puntobanco.cli.words import percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from puntobanco.lab.shoes import Dealing
    from puntobanco.lab.simulate import Simulation
    from puntobanco.rules.model import RuleBook

Decks = Annotated[str | None, Parameter(name="--decks", metavar="N", help="Full decks; within the book's range.")]
Cut = Annotated[str, Parameter(name="--cut", metavar="N", help="Cards behind the Cut Card.")]
Burn = Annotated[
    str, Parameter(name="--burn", metavar="N", help='Cards to burn, or "first": as many as the first card says.')
]
After = Annotated[
    str, Parameter(name="--after", metavar="N", help="Rounds after the one in which the Cut Card appears: 0 or 1.")
]
Cores = Annotated[str | None, Parameter(name="--cores", metavar="N", help="Processor cores; all by default.")]
Seed = Annotated[str, Parameter(name="--seed", metavar="S", help="The same seed gives the same shoes.")]
Output = Annotated[
    str | None,
    Parameter(name=("--output", "-o"), metavar="FILE", help="Write a file as well: .csv, .json or .parquet."),
]

ROUNDS = "1e7"


def simulate(
    game: Game = None,
    /,
    *,
    rounds: Annotated[str | None, Parameter(metavar="N", help=f"Rounds, as in 1e9; {ROUNDS} unless said.")] = None,
    shoes: Annotated[str | None, Parameter(metavar="N", help="Whole shoes, in place of rounds.")] = None,
    decks: Decks = None,
    cut: Cut = "16",
    burn: Burn = "first",
    after: After = "0",
    cores: Cores = None,
    seed: Seed = "0",
    layout: LayoutCode = None,
    output: Output = None,
    book: BookFile = None,
    json: AsJson = False,
) -> None:
    """Play whole shoes by the million and hold every bet against its exact odds."""
    found = choose_book(game, book)
    chosen = found.layout(layout)
    if rounds is not None and shoes is not None:
        raise UsageError("give --rounds or --shoes, not both")
    wanted = read_large("--shoes", shoes) if shoes is not None else read_large("--rounds", rounds or ROUNDS)
    number_of_cores = None if cores is None else read_number("--cores", cores)

    # numpy and numba take a while to load
    from puntobanco.lab.frames import check_format
    from puntobanco.lab.simulate import simulate as play

    kind = None
    if output is not None:
        check_named(output, "--output: ")
        with option("--output"):
            kind = check_format(output)
    dealing = read_dealing(found, decks, cut, burn, after)
    with progress("simulating", wanted, "shoes" if shoes is not None else "rounds") as tell:
        done = play(
            found,
            dealing,
            shoes=wanted if shoes is not None else None,
            rounds=None if shoes is not None else wanted,
            seed=read_number("--seed", seed),
            cores=number_of_cores,
            progress=lambda shoes_done, rounds_done: tell(shoes_done if shoes is not None else rounds_done),
        )
    codes = [bet.code for bet in found.menu(chosen)]
    summary = done.summary()
    summary["bets"] = {code: summary["bets"][code] for code in codes}
    if output is not None and kind is not None:
        write_results(output, kind, summary, done.columns())
    if json:
        print_json(summary)
    else:
        _print(found, done, codes)


def read_large(name: str, text: str) -> int:
    """A whole number, which may be written as 1e9 or 2.5e6."""
    if not _LARGE.fullmatch(text.strip()):
        raise UsageError(f"{name}: {text!r} is no whole number")
    number = Decimal(text.strip())
    if number != number.to_integral_value():
        raise UsageError(f"{name}: {text!r} is no whole number")
    return int(number)


_LARGE = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,30})?([eE]\+?[0-9]{1,2})?")


def read_dealing(book: RuleBook, decks: str | None, cut: str, burn: str, after: str) -> Dealing:
    from puntobanco.lab.shoes import dealing_of

    number = None if decks is None else read_number("--decks", decks)
    burnt = None if burn == "first" else read_number("--burn", burn)
    return dealing_of(book, number, cut=read_number("--cut", cut), burn=burnt, after=read_number("--after", after))


class _Rate(ProgressColumn):
    """Things a second."""

    def __init__(self, things: str) -> None:
        super().__init__()
        self._things = things

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{large(speed)} {self._things}/s", style="progress.data.speed")


def large(number: float) -> str:
    """``81.3 million``."""
    for size, name in ((1e9, " billion"), (1e6, " million"), (1e3, " thousand")):
        if number >= size:
            return f"{number / size:.1f}{name}"
    return f"{number:.0f}"


@contextmanager
def progress(what: str, total: int, things: str) -> Iterator[Callable[[int], None]]:
    """A bar with rate and time left, on a terminal; it is drawn beside the results, not among them."""
    err = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        _Rate(things),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def _print(book: RuleBook, done: Simulation, codes: list[str]) -> None:
    out = console()
    out.print(styled(book.title, "bold"))
    dealing = done.dealing
    if done.interrupted:
        out.print(styled("Stopped early: this is what was done until then.", "bold yellow"))
    out.print(
        f"{done.rounds:,} rounds in {done.shoes:,} shoes of {dealing.decks} decks, Cut Card {dealing.cut} from the "
        f"end: {done.rounds_a_shoe:.2f} rounds a shoe"
    )
    out.print(f"{done.seconds:.2f} s, {large(done.rate)} rounds/s, seed {done.seed}\n")
    show(out, _bets_table(book, done, codes))
    call_out(out, {book.bets[code].name: done.bets[code].exact for code in codes})


def _bets_table(book: RuleBook, done: Simulation, codes: list[str]) -> Table:
    grid = new_table("bet", ">mean gain", ">95% interval", ">exact, full shoe", ">off by")
    for code in codes:
        bet = done.bets[code]
        low, high = bet.interval
        grid.add_row(
            book.bets[code].name,
            percent(bet.ev),
            f"{percent(low)} … {percent(high)}",
            percent(bet.exact),
            styled(f"{bet.sigmas:+.1f} se", "bold yellow" if abs(bet.sigmas) > 3 else ""),
        )
    return grid
