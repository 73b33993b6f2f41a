"""Exact odds on the command line."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.table import Table

from puntobanco.cards import Composition
from puntobanco.cli.common import (
    AsJson,
    BookFile,
    Game,
    LayoutCode,
    UsageError,
    choose_book,
    fraction_text,
    option,
    read_cards,
    read_number,
)
from puntobanco.cli.many_odds import call_out, odds_of_many
from puntobanco.cli.render import WIDE, console, coup_table, new_table, print_json, show, styled
from puntobanco.coup import Coup, reconstruct
from puntobanco.lab.words import WINDOWS, odds_words, percent
from puntobanco.rules.model import RuleBook

if TYPE_CHECKING:
    from puntobanco.odds import BetOdds, InsuranceOdds


def odds(
    game: Game = None,
    /,
    *,
    decks: Annotated[str | None, Parameter(metavar="N", help="Full decks; within the book's range.")] = None,
    shoe: Annotated[
        str | None,
        Parameter(
            metavar="COUNTS",
            help='What is left in the shoe, as in "A:30 2:31 … K:32"; what is not named counts 0.',
        ),
    ] = None,
    cards: Annotated[
        str,
        Parameter(
            metavar="CARDS",
            show_default=False,
            help="Cards of this round dealt already; they are taken out of the decks or the shoe.",
        ),
    ] = "",
    shoes: Annotated[
        str | None,
        Parameter(
            metavar="FILE",
            help="Many shoes, a line each: a CSV file with the columns A,2,…,9,T,J,Q,K, or one for each card.",
        ),
    ] = None,
    output: Annotated[
        str | None,
        Parameter(name=("--output", "-o"), metavar="FILE", help="With --shoes: write a .csv, .json or .parquet file."),
    ] = None,
    lines: Annotated[bool, Parameter(negative=(), show_default=False, help="Also every pay line.")] = False,
    layout: LayoutCode = None,
    insurance: Annotated[bool, Parameter(negative=(), show_default=False, help="Also every insurance row.")] = False,
    book: BookFile = None,
    json: AsJson = False,
) -> None:
    """Exact odds of every bet for a full or depleted shoe."""
    found = choose_book(game, book)
    chosen = found.layout(layout)
    if shoes is not None:
        if decks is not None or shoe is not None or cards:
            raise UsageError("--shoes takes the place of --decks, --shoe and --cards: give it alone")
        odds_of_many(found, chosen, shoes, output, insurance=insurance, json=json)
        return
    if output is not None:
        raise UsageError("--output goes with --shoes FILE")
    full = _composition(found, decks, shoe)
    dealt = reconstruct(read_cards(cards))
    if dealt.left_over:
        raise UsageError(f"--cards: the round is finished with {dealt.coup}, cards are left over")
    with option("--cards"):
        coup, left = dealt.coup, full.without(dealt.coup.cards)

    # numpy and numba take a while to load, and only this command needs them
    from puntobanco.odds import insurance_after, insurance_odds, odds_after

    with nullcontext() if shoe is None else option("--shoe"):
        table = odds_after(found, coup, left, chosen)
    rows: tuple[InsuranceOdds, ...] = ()
    if insurance and (chosen is None or chosen.insurance):
        rows = insurance_after(found, coup, left) if coup.cards else insurance_odds(found, left)
    if json:
        print_json(_json(found, left, table, rows))
    else:
        _print(found, left, coup, table, rows, insurance)
        if lines:
            _print_lines(found, table)
        if not coup.cards:
            call_out(console(), {found.bets[code].name: float(bet.ev) for code, bet in table.items()})


def _composition(book: RuleBook, decks: str | None, shoe: str | None) -> Composition:
    if shoe is not None:
        if decks is not None:
            raise UsageError("give --decks or --shoe, not both")
        with option("--shoe"):
            return Composition.parse(shoe)
    allowed = book.decks
    number = allowed.default if decks is None else read_number("--decks", decks)
    if not allowed.least <= number <= allowed.most:
        raise UsageError(
            f"--decks {number}: {book.title} is played with {allowed.least} to {allowed.most} decks "
            f"({book.cite(allowed.paragraph)})"
        )
    return Composition.of_decks(number, suited=book.suited)


def _json(
    book: RuleBook, shoe: Composition, table: dict[str, BetOdds], rows: tuple[InsuranceOdds, ...]
) -> dict[str, Any]:
    return {
        "game": book.id,
        "cards": shoe.size,
        "total": str(next(iter(table.values())).total),
        "bets": {
            code: {
                "win": str(bet.win),
                "push": str(bet.push),
                "lose": str(bet.lose),
                "ev": fraction_text(bet.ev),
                "edge": bet.edge,
                "sd": bet.sd,
                "hit": bet.hit,
                "lines": [
                    {
                        "pays": fraction_text(gain),
                        "ways": str(ways),
                        "probability": ways / bet.total,
                    }
                    for gain, ways in bet.ways.items()
                ],
            }
            for code, bet in table.items()
        },
        "insurance": [
            {
                "window": row.window.value,
                "hand": row.hand.value,
                "own": row.own,
                "other": row.other,
                "odds": fraction_text(row.odds.fraction),
                "win": str(row.win),
                "push": str(row.push),
                "lose": str(row.lose),
                "ev": None if row.ev is None else fraction_text(row.ev),
            }
            for row in rows
        ],
    }


def _print(
    book: RuleBook,
    shoe: Composition,
    coup: Coup,
    table: dict[str, BetOdds],
    rows: tuple[InsuranceOdds, ...],
    insurance: bool,
) -> None:
    out = console()
    total = next(iter(table.values())).total
    out.print(styled(book.title, "bold"))
    out.print(f"{shoe.size} cards in the shoe, {total:,} deals\n")
    if coup.cards:
        show(out, coup_table(coup))
        out.print()
    show(out, _bets_table(book, table, wide=out.width >= WIDE, begun=bool(coup.cards)))
    if insurance and not rows:
        out.print("\nNo insurance here.")
    for (hand, window), group in groupby(rows, key=lambda row: (row.hand, row.window)):
        out.print()
        show(out, _insurance_table(f"Insurance on {hand.value.title()} after {WINDOWS[window]}", group))


def _bets_table(book: RuleBook, table: dict[str, BetOdds], *, wide: bool, begun: bool) -> Table:
    """In a round that has begun nobody can still bet: there it is what a unit staked is going to gain."""
    edge, deviation = (">house edge", ">std dev") if wide else (">edge", ">sd")
    worth = ">expected gain" if wide else ">gain"
    grid = new_table(
        "bet", "pays", ">wins", ">returned", ">loses", worth if begun else edge, deviation,
        *((">winning deals",) if wide else ()),
    )  # fmt: skip
    for code, bet in table.items():
        grid.add_row(
            book.bets[code].name,
            odds_words(line.odds for line in book.bets[code].pays),
            _share(bet.win, bet.total),
            _share(bet.push, bet.total),
            _share(bet.lose, bet.total),
            styled(f"{float(bet.ev):+.4f}" if begun else percent(bet.edge), _style_of_edge(bet.edge)),
            f"{bet.sd:.3f}",
            *([f"{bet.win:,}"] if wide else []),
        )
    return grid


def _print_lines(book: RuleBook, table: dict[str, BetOdds]) -> None:
    grid = new_table("bet", ">gain", ">probability", ">deals")
    for code, bet in table.items():
        for number, (gain, ways) in enumerate(bet.ways.items()):
            name = "" if number else book.bets[code].name
            grid.add_row(name, f"{float(gain):+g}", percent(ways / bet.total), f"{ways:,}")
    out = console()
    out.print()
    show(out, grid)


def _share(part: int, total: int) -> str:
    return percent(part / total, 2) if part else ""


def _style_of_edge(edge: float) -> str:
    """Green where the player is ahead, yellow where the house is by less than 2%."""
    return "bold green" if edge <= 0 else "yellow" if edge < 0.02 else ""


def _insurance_table(title: str, rows: Any) -> Table:
    grid = new_table(
        ">own", ">other", ">pays", ">wins", ">returned",
        ">loses", ">house edge", title=title,
    )  # fmt: skip
    for row in rows:
        edge = "cannot occur" if row.ev is None else percent(-row.ev)
        style = "dim" if row.ev is None else _style_of_edge(float(-row.ev))
        shares = [_share(part, row.total) for part in (row.win, row.push, row.lose)]
        grid.add_row(str(row.own), str(row.other), str(row.odds), *shares, styled(edge, style))
    return grid
