"""The demo floor on the command line: six tables that are alive, and who may sign in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from puntobanco.cli.common import BookFiles, UsageError, check_named
from puntobanco.cli.render import console, new_table, show
from puntobanco.currencies import in_words
from puntobanco.money import format_amount
from puntobanco.rules.library import Library

if TYPE_CHECKING:
    from puntobanco.demo.process import Demo

# The service takes a while to load, which no other command should pay for.


def demo(
    *,
    folder: Annotated[Path, Parameter(metavar="DIR", help="Where everything is kept.")] = Path(".demo"),
    port: Annotated[
        int | None, Parameter(metavar="N", help="The port to listen on; by default the first free one from 8000.")
    ] = None,
    fresh: Annotated[
        bool, Parameter(negative=(), show_default=False, help="Start anew: forget what was there.")
    ] = False,
    bots: Annotated[bool, Parameter(negative="--no-bots", show_default=False, help="Whether bots play.")] = True,
    pace: Annotated[float, Parameter(metavar="X", help="1 is the pace of people, 2 is twice as fast.")] = 1.0,
    mistakes: Annotated[
        float, Parameter(metavar="P", help="The chance that something goes wrong in a round that a bot deals.")
    ] = 0.12,
    book: BookFiles = None,
) -> None:
    """Serve a floor with one table of each game, and bots that play, deal, make mistakes and rule. Ctrl-C ends it.

    What happened stays in the folder and goes on with the next start.
    """
    from puntobanco.demo.process import DemoPlan, run

    if not 0.01 <= pace <= 1000:
        raise UsageError(f"--pace {pace:g}: 0.01 to 1000")
    if not 0 <= mistakes <= 1:
        raise UsageError(f"--mistakes {mistakes:g}: a chance from 0 to 1")
    if port is not None and not 0 <= port <= 65_535:
        raise UsageError(f"--port {port}: 0 to 65535")
    own = str(Path(book).absolute()) if book is not None else ""
    if book is not None:
        check_named(book, "--book: ")
        Library(own)  # what is wrong with it is said before anything starts
    out = console()
    out.print(f"starting the floor in {folder} …")
    run(DemoPlan(folder.absolute(), port, fresh, bots, pace, mistakes, own), _print)
    out.print("the floor is closed; nothing is lost")


def _print(demo: Demo) -> None:
    from puntobanco.demo.plan import PASSWORD, PIN, guests, tables_of

    out = console()
    plans = tables_of(demo.plan.book)
    about = {plan.name: plan.about for plan in plans}
    tables = new_table("table", "game", "how", ">boxes", ">minimum")
    for brief in demo.tables:
        least = format_amount(max(bet.minimum for bet in brief.bets), brief.digits)
        name = brief.table.partition(".")[0]
        tables.add_row(
            brief.table, brief.title, about.get(name, ""), str(len(brief.boxes)), f"{least} {brief.currency}"
        )
    people = new_table("name", "role", "password", "PIN", "who")
    for guest in guests(plans):
        sums = " and ".join(in_words(amount, currency) for currency, amount in guest.money.items())
        money = f", {sums} on the account to begin with" if sums else ""
        pin = PIN if guest.role in ("dealer", "pit") else ""
        people.add_row(guest.name, guest.role, PASSWORD, pin, guest.about + money)
    show(out, tables)
    show(out, people)
    out.print(f"page       {demo.address}/")
    out.print(f"interface  {demo.address}/api/docs")
    out.print(f"metrics    {demo.address}/metrics")
    out.print(f"logs       {demo.plan.folder}/server.log and bots.log")
    out.print(f"{'bots play; ' if demo.plan.bots else ''}Ctrl-C ends it")
