"""Betting systems on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from puntobanco.cli.common import AsJson, BookFile, Game, UsageError, choose_book, option, read_number
from puntobanco.cli.lab import (
    After,
    Burn,
    Cut,
    Decks,
    Output,
    PlotFile,
    Seed,
    check_plot,
    progress,
    read_dealing,
    read_decimal,
    read_large,
    read_output,
    write_plot,
)
from puntobanco.cli.many_odds import write_results
from puntobanco.cli.render import console, new_table, print_json, show, styled
from puntobanco.lab.words import percent

if TYPE_CHECKING:
    from puntobanco.lab.strategies import Played
    from puntobanco.rules.model import RuleBook

INSURE = ("never", "always", "advantage")
_SYSTEMS = "flat, martingale, paroli, fibonacci, dalembert, labouchere or oscar"


def strategy(
    game: Game = None,
    /,
    *,
    bet: Annotated[str, Parameter(metavar="CODE", help="The bet.")] = "banker",
    system: Annotated[str, Parameter(metavar="NAME", help=f"{_SYSTEMS}.")] = "flat",
    bankroll: Annotated[str, Parameter(metavar="N", help="Units that a session begins with.")] = "100",
    limit: Annotated[str, Parameter(metavar="N", help="The table's maximum, in units.")] = "1000",
    shoes: Annotated[str, Parameter(metavar="N", help="Shoes a session.")] = "1",
    sessions: Annotated[str, Parameter(metavar="N", help="Sessions to play.")] = "10000",
    count: Annotated[
        str | None, Parameter(metavar="TAGS", help='Bet by a count only, as in "4:-1 5:-1 8:2 9:2".')
    ] = None,
    trigger: Annotated[
        str | None, Parameter(metavar="N", help="With --count: bet from this true count on; 0 by default.")
    ] = None,
    insure: Annotated[
        str, Parameter(metavar="RULE", help="Insurance: never, always, or where it is an advantage.")
    ] = "never",
    decks: Decks = None,
    cut: Cut = "16",
    burn: Burn = "first",
    after: After = "0",
    seed: Seed = "0",
    output: Output = None,
    plot: PlotFile = None,
    book: BookFile = None,
    json: AsJson = False,
) -> None:
    """What becomes of a bankroll under a betting system, in sessions of whole shoes."""
    found = choose_book(game, book)
    if trigger is not None and count is None:
        raise UsageError("--trigger goes with --count TAGS")
    if insure not in INSURE:
        raise UsageError(f"--insure: {insure!r} is not one of {', '.join(INSURE)}")
    number = read_large("--sessions", sessions)

    # numpy and numba take a while to load
    from puntobanco.lab.counting import Count
    from puntobanco.lab.plots import PATHS, strategy_plot
    from puntobanco.lab.strategies import Strategy, play

    kind = read_output(output)
    check_plot(plot)
    with option("--count"):
        tags = None if count is None else Count.parse(count)
    plan = Strategy(
        bet=found.bet(bet).code,
        system=system,
        bankroll=read_number("--bankroll", bankroll),
        limit=read_number("--limit", limit),
        shoes=read_number("--shoes", shoes),
        count=tags,
        trigger=0.0 if trigger is None else read_decimal("--trigger", trigger),
        insure=insure,  # type: ignore[arg-type]
    )
    dealing = read_dealing(found, decks, cut, burn, after)
    with progress("playing", number, "sessions") as tell:
        done = play(
            found,
            plan,
            dealing,
            sessions=number,
            seed=read_number("--seed", seed),
            paths=0 if plot is None else PATHS,
            progress=tell,
        )
    if output is not None and kind is not None:
        write_results(output, kind, done.summary(), done.columns())
    if plot is not None:
        write_plot(plot, strategy_plot(done))
    if json:
        print_json(done.summary())
    else:
        _print(found, done)


def _print(book: RuleBook, done: Played) -> None:
    out = console()
    plan = done.strategy
    out.print(styled(f"{book.title}: {plan.system} on {book.bets[plan.bet].name}", "bold"))
    if done.interrupted:
        out.print(styled("Stopped early: this is what was done until then.", "bold yellow"))
    out.print(
        f"{len(done):,} sessions of {plan.shoes} shoe{'s' * (plan.shoes != 1)}, {done.bets.sum() / len(done):.1f} bets "
        f"each; bankroll {plan.bankroll}, limit {plan.limit}, seed {done.seed}\n"
    )
    risk, risk_se = done.ruin
    facts = new_table("", ">", ">±")
    facts.add_row("mean result of a session", f"{done.mean:+.3f}", f"{done.se:.3f}")
    facts.add_row("hold: what the house kept of all stakes", percent(done.hold), percent(done.hold_se))
    facts.add_row("exact house edge, full shoe", percent(-done.exact), "")
    facts.add_row("risk of ruin", percent(risk, 2), percent(risk_se, 2))
    show(out, facts)
    out.print()
    summary = done.summary()
    grid = new_table("of 100 sessions, so many are at or below", *(f">{float(q) * 100:g}" for q in summary["result"]))
    grid.add_row("result", *(f"{value:+.2f}" for value in summary["result"].values()))
    grid.add_row("deepest fall from a peak", *(f"{value:.2f}" for value in summary["drawdown"].values()))
    if summary["hold_of_sessions"]:
        grid.add_row("hold", *(percent(value, 1) for value in summary["hold_of_sessions"].values()))
    show(out, grid)
    if done.mean > 3 * done.se:
        out.print(styled(f"\nTHE PLAYER IS AHEAD: {done.mean:+.3f} units a session", "bold red"))
