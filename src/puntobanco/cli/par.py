"""PAR sheets on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from puntobanco.cli.common import (
    BookFile,
    Game,
    LayoutCode,
    UsageError,
    check_apart,
    check_named,
    choose_book,
    option,
    read_file,
    read_number,
    write_file,
)
from puntobanco.cli.lab import read_large
from puntobanco.cli.render import say
from puntobanco.money import Rounding, RoundingMode, parse_amount

if TYPE_CHECKING:
    from puntobanco.lab.par import ParSheet
    from puntobanco.lab.par_terms import Limits

# The laboratory loads numpy and numba, which take a while; only its own commands should pay for that.

KINDS = (".html", ".pdf", ".json")
ROUNDS = "1e7"
"""Simulated to confirm a sheet: it takes a fraction of a second."""


def par(
    game: Game = None,
    /,
    *,
    output: Annotated[
        str | None,
        Parameter(name=("--output", "-o"), metavar="FILE", help="Where the sheet goes: .html, .pdf or .json."),
    ] = None,
    decks: Annotated[str | None, Parameter(metavar="N", help="Full decks; within the book's range.")] = None,
    layout: LayoutCode = None,
    minimum: Annotated[str | None, Parameter(metavar="AMOUNT", help="The least stake on any bet.")] = None,
    maximum: Annotated[str | None, Parameter(metavar="AMOUNT", help="The most that a player stakes on a bet.")] = None,
    limit: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="BET=MIN-MAX",
            negative=(),
            show_default=False,
            help="Limits of one bet; repeat it for others. MIN may be left out.",
        ),
    ] = (),
    differential: Annotated[
        str | None, Parameter(metavar="AMOUNT", help="The most by which all Banker and all Player bets may differ.")
    ] = None,
    players: Annotated[
        str | None, Parameter(metavar="N", help="Players at the maximum; as many as the layout has positions.")
    ] = None,
    rounding: Annotated[
        str, Parameter(metavar="down|nearest|up", show_default=False, help="How payouts are rounded; down.")
    ] = "down",
    chip: Annotated[
        str | None, Parameter(metavar="AMOUNT", help="The smallest chip that a payout is rounded to; 0.01.")
    ] = None,
    burn: Annotated[
        str | None,
        Parameter(metavar="N|first", help="Cards burnt, or first: by the first card's value; as in the book."),
    ] = None,
    cut: Annotated[str | None, Parameter(metavar="N", help="Cards behind the Cut Card; 16.")] = None,
    rounds: Annotated[
        str | None, Parameter(metavar="N", help=f"Rounds simulated to confirm the sheet; {ROUNDS}. 0: none.")
    ] = None,
    seed: Annotated[str | None, Parameter(metavar="S", help="Seed of the simulation; 0.")] = None,
    simulation: Annotated[
        str | None, Parameter(metavar="FILE", help="What simulate --json printed for this game, in its place.")
    ] = None,
    exposure: Annotated[
        str | None, Parameter(metavar="FILE", help="What exposure --json printed for this game.")
    ] = None,
    book: BookFile = None,
) -> None:
    """Write the PAR sheet of a game: what a test lab files and signs.

    Whole combinations beside each percentage, hold, rounding, payouts and more.
    The same input gives the same bytes.
    """
    if output is None:
        raise UsageError("par needs -o FILE, a name that ends in .html, .pdf or .json")
    check_named(output, "-o: ")
    if Path(output).suffix not in KINDS:
        raise UsageError(f"-o: {output} must end in one of {', '.join(KINDS)}")
    check_apart("-o", output, (book, simulation, exposure))
    if simulation is not None and (rounds is not None or seed is not None):
        raise UsageError("--simulation FILE stands in place of --rounds and --seed: give one or the other")
    wanted, chance = read_large("--rounds", rounds or ROUNDS), read_number("--seed", seed or "0")
    found = choose_book(game, book)

    from puntobanco.lab.par import par_sheet
    from puntobanco.lab.par_evidence import confirm, read_exposure, read_simulation
    from puntobanco.lab.par_terms import CUT_CARD, FIRST_CARD, Limits, Terms, burn_of, check_terms, players_of

    chosen = found.layout(layout)
    terms = Terms(
        decks=found.decks.default if decks is None else read_number("--decks", decks),
        layout=chosen,
        limits=Limits(_amount("--minimum", minimum), _amount("--maximum", maximum)),
        bet_limits=dict(map(_limit, limit)),
        differential=_amount("--differential", differential),
        players=players_of(found, chosen) if players is None else read_number("--players", players),
        rounding=_rounding(rounding, chip),
        burn=burn_of(found) if burn is None else FIRST_CARD if burn == "first" else _not_negative("--burn", burn),
        cut=CUT_CARD if cut is None else read_number("--cut", cut),
    )
    check_terms(found, terms)
    options = {"--book": book, "--simulation": simulation, "--exposure": exposure}
    confirmed, exposed = None, None
    if simulation is not None:
        with option(f"--simulation {simulation}"):
            confirmed = read_simulation(read_file(simulation), found, terms.decks)
    else:
        options |= {"--rounds": str(wanted), "--seed": str(chance) if wanted else None}
        confirmed = confirm(found, terms, rounds=wanted, seed=chance) if wanted else None
    if exposure is not None:
        with option(f"--exposure {exposure}"):
            exposed = read_exposure(read_file(exposure), found, terms.decks)
    sheet = par_sheet(
        found,
        terms,
        options={name: value for name, value in options.items() if value},
        simulation=confirmed,
        exposure=exposed,
    )
    write_file(output, _written(sheet, Path(output).suffix), "-o")
    _say(sheet, output)


def _written(sheet: ParSheet, kind: str) -> bytes:
    from puntobanco.lab.par_json import json_text
    from puntobanco.lab.par_page import page_of
    from puntobanco.lab.par_pdf import pdf_of

    if kind == ".json":
        return json_text(sheet).encode()
    page = page_of(sheet)
    return pdf_of(page) if kind == ".pdf" else page.encode()


def _say(sheet: ParSheet, output: str) -> None:
    wrong = [each.code for each in (*sheet.recount, *sheet.insurance_recount) if not each.agrees]
    say(output)
    if wrong:
        print(f"The second count DIFFERS on {', '.join(wrong)}: do not file this sheet.")
    for bet in sheet.favours_player:
        print(f"THE HOUSE HAS NO EDGE on {bet.code}: the player gains {float(bet.odds.ev):.4%} of each stake.")
    for row in sheet.insurance_favours_player:
        print(f"THE HOUSE HAS NO EDGE on {row.hand.value} insurance at {row.own} against {row.other}, {row.odds}.")


def _amount(name: str, text: str | None) -> int | None:
    if text is None:
        return None
    with option(name):
        return parse_amount(text)


def _not_negative(name: str, text: str) -> int:
    number = read_number(name, text)
    if number < 0:
        raise UsageError(f"{name} {number}: 0 to 20 cards are burnt, or first for the first card's value")
    return number


def _limit(text: str) -> tuple[str, Limits]:
    from puntobanco.lab.par_terms import Limits

    code, equals, both = text.partition("=")
    least, dash, most = both.partition("-")
    if not (code and equals and dash and (least or most)):
        raise UsageError(f"--limit: {text!r} are not limits: write BET=MIN-MAX, as in big_tiger=25-1000")
    return code, Limits(_amount("--limit", least or None), _amount("--limit", most or None))


def _rounding(mode: str, chip: str | None) -> Rounding:
    modes = [each.value for each in RoundingMode]
    if mode not in modes:
        raise UsageError(f"--rounding: {mode!r} is not one of {', '.join(modes)}")
    return Rounding(RoundingMode(mode), _amount("--chip", chip) or 1)
