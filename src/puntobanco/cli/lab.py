"""The laboratory on the command line: simulation and counting exposure."""

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
    check_apart,
    check_named,
    choose_book,
    option,
    read_number,
    write_file,
)
from puntobanco.cli.exposed import print_exposure
from puntobanco.cli.many_odds import call_out, write_results
from puntobanco.cli.render import console, new_table, print_json, show, styled
from puntobanco.lab.words import percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from puntobanco.lab.runs import Runner
    from puntobanco.lab.shoes import Dealing
    from puntobanco.lab.simulate import Simulation
    from puntobanco.rules.model import RuleBook

Decks = Annotated[str | None, Parameter(name="--decks", metavar="N", help="Full decks; within the book's range.")]
Cut = Annotated[str, Parameter(name="--cut", metavar="N", help="Cards behind the Cut Card.")]
Burn = Annotated[
    str, Parameter(name="--burn", metavar="N", help='Cards to burn, or "first": as many as the first card\'s value.')
]
After = Annotated[
    str, Parameter(name="--after", metavar="N", help="Rounds after the one with the Cut Card: 0, 1 or unless_first.")
]
Cores = Annotated[str | None, Parameter(name="--cores", metavar="N", help="Processor cores; all by default.")]
Gpu = Annotated[bool, Parameter(name="--gpu", negative="", help="On this machine's GPU; the same numbers come out.")]
ClusterAt = Annotated[
    str | None,
    Parameter(
        name="--cluster",
        metavar="ADDRESS",
        help='On the Dask cluster at this address, or on one started here: "local". The same numbers come out.',
    ),
]
CheckpointFile = Annotated[
    str | None,
    Parameter(
        name="--checkpoint", metavar="FILE", help="Save progress in this file, and continue from it if it exists."
    ),
]
Seed = Annotated[str, Parameter(name="--seed", metavar="S", help="The same seed gives the same shoes.")]
Output = Annotated[
    str | None,
    Parameter(name=("--output", "-o"), metavar="FILE", help="Write a file as well: .csv, .json or .parquet."),
]
PlotFile = Annotated[str | None, Parameter(name="--plot", metavar="FILE", help="Draw a picture as well: .svg.")]

ROUNDS = "1e7"


def simulate(
    game: Game = None,
    /,
    *,
    rounds: Annotated[str | None, Parameter(metavar="N", help=f"Rounds, as in 1e9; {ROUNDS} by default.")] = None,
    shoes: Annotated[str | None, Parameter(metavar="N", help="Whole shoes, in place of rounds.")] = None,
    decks: Decks = None,
    cut: Cut = "16",
    burn: Burn = "first",
    after: After = "0",
    cores: Cores = None,
    gpu: Gpu = False,
    cluster: ClusterAt = None,
    checkpoint: CheckpointFile = None,
    seed: Seed = "0",
    layout: LayoutCode = None,
    output: Output = None,
    plot: PlotFile = None,
    book: BookFile = None,
    json: AsJson = False,
) -> None:
    """Play whole shoes by the million and compare every bet with its exact odds."""
    found = choose_book(game, book)
    chosen = found.layout(layout)
    if rounds is not None and shoes is not None:
        raise UsageError("give --rounds or --shoes, not both")
    wanted = read_large("--shoes", shoes) if shoes is not None else read_large("--rounds", rounds or ROUNDS)
    number_of_cores = None if cores is None else read_number("--cores", cores)

    # numpy and numba take a while to load
    from puntobanco.lab.simulate import simulate as play

    kind = read_output(output)
    check_plot(plot)
    dealing = read_dealing(found, decks, cut, burn, after)
    check_checkpoint(checkpoint, output, book)
    with (
        runner_of(gpu, cluster, number_of_cores) as runner,
        progress("simulating", wanted, "shoes" if shoes is not None else "rounds") as tell,
    ):
        done = play(
            found,
            dealing,
            shoes=wanted if shoes is not None else None,
            rounds=None if shoes is not None else wanted,
            seed=read_number("--seed", seed),
            cores=number_of_cores,
            runner=runner,
            checkpoint=checkpoint,
            progress=lambda shoes_done, rounds_done: tell(shoes_done if shoes is not None else rounds_done),
        )
    codes = [bet.code for bet in found.menu(chosen)]
    summary = done.summary()
    summary["bets"] = {code: summary["bets"][code] for code in codes}
    if output is not None and kind is not None:
        write_results(output, kind, summary, done.columns())
    if plot is not None:
        from puntobanco.lab.plots import simulation_plot

        write_plot(plot, simulation_plot(done, {code: found.bets[code].name for code in codes}))
    if json:
        print_json(summary)
    else:
        _print(found, done, codes)


def exposure(
    game: Game = None,
    /,
    *,
    bet: Annotated[str | None, Parameter(metavar="CODE", help="Only this bet.")] = None,
    decks: Decks = None,
    cut: Cut = "16",
    burn: Burn = "first",
    after: After = "0",
    shoes: Annotated[
        str, Parameter(metavar="N", help="Shoes to look at, with exact odds before every round.")
    ] = "1000",
    count: Annotated[
        str | None,
        Parameter(metavar="TAGS", help='With --bet: a count to try in place of ours, as in "4:-1 5:-1 8:2 9:2".'),
    ] = None,
    trigger: Annotated[
        str | None, Parameter(metavar="N", help="Bet from this true count on; by default from the best.")
    ] = None,
    cores: Cores = None,
    gpu: Gpu = False,
    cluster: ClusterAt = None,
    checkpoint: CheckpointFile = None,
    seed: Seed = "0",
    output: Output = None,
    plot: PlotFile = None,
    book: BookFile = None,
    json: AsJson = False,
) -> None:
    """What card counting is worth, bet by bet, worst first: with perfect knowledge and with a count.

    Insurance as well, row by row, and everything for several Cut Card depths from one run.
    """
    found = choose_book(game, book)
    bets = None if bet is None else [found.bet(bet).code]
    if count is not None and bet is None:
        raise UsageError("--count goes with --bet CODE: a count is made for one bet")
    number = read_large("--shoes", shoes)

    # numpy and numba take a while to load
    from puntobanco.lab.counting import Count
    from puntobanco.lab.exposure import exposure as study
    from puntobanco.lab.simulate import number_of_cores

    kind = read_output(output)
    check_plot(plot)
    with option("--count"):
        counts = {} if count is None or bet is None else {bet: Count.parse(count)}
    dealing = read_dealing(found, decks, cut, burn, after)
    check_checkpoint(checkpoint, output, book)
    asked = None if cores is None else read_number("--cores", cores)
    with runner_of(gpu, cluster, asked) as runner, progress("counting", number, "shoes") as tell:
        done = study(
            found,
            dealing,
            bets=bets,
            shoes=number,
            seed=read_number("--seed", seed),
            cores=number_of_cores(asked),
            counts=counts,
            trigger=None if trigger is None else read_decimal("--trigger", trigger),
            runner=runner,
            checkpoint=checkpoint,
            progress=tell,
        )
    if output is not None and kind is not None:
        write_results(output, kind, done.summary(), done.columns())
    if plot is not None:
        from puntobanco.lab.plots import exposure_plot

        write_plot(plot, exposure_plot(done, {code: found.bets[code].name for code in done.bets}))
    if json:
        print_json(done.summary())
    else:
        print_exposure(found, done)


@contextmanager
def runner_of(gpu: bool, cluster: str | None, cores: int | None) -> Iterator[Runner | None]:
    """Where a run is played; None for the cores of this machine."""
    if gpu and cluster is not None:
        raise UsageError("give --gpu or --cluster, not both")
    if gpu:
        from puntobanco.lab.gpu import find_gpu
        from puntobanco.lab.runs import OnGpu

        yield OnGpu(find_gpu())
    elif cluster is not None:
        from puntobanco.lab.cluster import connect
        from puntobanco.lab.simulate import number_of_cores

        with connect(cluster, number_of_cores(cores)) as found:
            yield found
    else:
        yield None


def check_checkpoint(checkpoint: str | None, output: str | None, book: str | None) -> None:
    if checkpoint is not None:
        check_named(checkpoint, "--checkpoint: ")
        check_apart("--checkpoint", checkpoint, (output, book))


def read_output(output: str | None) -> str | None:
    """The format of the file that is asked for, if one is."""
    if output is None:
        return None
    from puntobanco.lab.frames import check_format

    check_named(output, "--output: ")
    with option("--output"):
        return check_format(output)


def check_plot(plot: str | None) -> None:
    """Before the work: whether a picture can have this name."""
    if plot is not None:
        check_named(plot, "--plot: ")
        if not plot.lower().endswith(".svg"):
            raise UsageError(f"--plot: {plot} must end in .svg")


def write_plot(file: str, plot: str) -> None:
    write_file(file, plot.encode(), "--plot")


def read_decimal(name: str, text: str) -> float:
    if not _DECIMAL.fullmatch(text.strip()):
        raise UsageError(f"{name}: {text!r} is not a number")
    return float(text)


_DECIMAL = re.compile(r"[+-]?[0-9]{1,9}(\.[0-9]{1,9})?")


def read_large(name: str, text: str) -> int:
    """A whole number, which may be written as 1e9 or 2.5e6."""
    if not _LARGE.fullmatch(text.strip()):
        raise UsageError(f"{name}: {text!r} is not a whole number")
    number = Decimal(text.strip())
    if number != number.to_integral_value():
        raise UsageError(f"{name}: {text!r} is not a whole number")
    return int(number)


_LARGE = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{1,30})?([eE]\+?[0-9]{1,2})?")


def read_dealing(book: RuleBook, decks: str | None, cut: str, burn: str, after: str) -> Dealing:
    from puntobanco.lab.shoes import dealing_of

    number = None if decks is None else read_number("--decks", decks)
    burnt = burn if burn in ("first", "value") else read_number("--burn", burn)
    rounds_after = after if after == "unless_first" else read_number("--after", after)
    return dealing_of(book, number, cut=read_number("--cut", cut), burn=burnt, after=rounds_after)


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
