"""For game designers: compare two games, solve for odds, and see what a book file is worth as it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from puntobanco.cli.common import (
    AsJson,
    BookFile,
    UsageError,
    check_named,
    choose_book,
    fraction_text,
    option,
    own_book,
    read_number,
)
from puntobanco.cli.lab import PlotFile, check_plot, write_plot
from puntobanco.cli.render import WIDE, console, new_table, print_json, show, styled
from puntobanco.lab.words import condition_words, odds_words, percent
from puntobanco.rules.load import find_book
from puntobanco.rules.model import RuleBook

if TYPE_CHECKING:
    from puntobanco.lab.compare import Entry, Offer, Pairing
    from puntobanco.lab.design import Designed
    from puntobanco.lab.par_terms import Terms
    from puntobanco.lab.solve import Practical, Scaled, Solved

# The laboratory loads numpy and numba, which take a while; only its own commands should pay for that.


def compare(
    *games: Annotated[str, Parameter(metavar="GAME", help="One or two games (see games).")],
    book: Annotated[
        tuple[str, ...],
        Parameter(metavar="FILE", negative=(), show_default=False, help="A game of your own; once or twice."),
    ] = (),
    decks: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="N", negative=(), show_default=False, help="Full decks for both, or once for each in their order."
        ),
    ] = (),
    plot: PlotFile = None,
    json: AsJson = False,
) -> None:
    """Two games, books or deck counts side by side.

    Games come first, then books. A game by itself with two --decks is compared with itself.
    """
    check_plot(plot)
    from puntobanco.lab.compare import compare as pair_up

    first, second = _entries(games, book, decks)
    pairings = pair_up(first, second)
    if plot is not None:
        from puntobanco.lab.plots import compare_plot

        titles = (f"A: {first.book.id}, {first.decks} decks", f"B: {second.book.id}, {second.decks} decks")
        write_plot(plot, compare_plot(titles, pairings))
    if json:
        print_json(
            {
                "first": _entry_json(first),
                "second": _entry_json(second),
                "bets": [
                    {"name": each.name, "first": _offer_json(each.first), "second": _offer_json(each.second)}
                    for each in pairings
                ],
            }
        )
        return
    out = console()
    for letter, entry in (("A", first), ("B", second)):
        number = f"{entry.decks} deck{'s' * (entry.decks != 1)}"
        out.print(f"{letter}  {entry.book.title}, {number}, book {entry.book.hash[:12]}")
    out.print()
    show(out, _compared(pairings, wide=out.width >= WIDE))


def _entries(games: tuple[str, ...], files: tuple[str, ...], decks: tuple[str, ...]) -> tuple[Entry, Entry]:
    from puntobanco.lab.compare import Entry

    books = [*map(find_book, games), *map(own_book, files)]
    if len(books) == 1 and len(decks) == 2:
        books *= 2
    if len(books) != 2:
        raise UsageError(
            f"compare takes two games, and got {len(books)}: name two, as in compare super-six tiger-buffalo, "
            "give --book FILE for one or both, or one game with --decks twice"
        )
    if len(decks) > 2:
        raise UsageError("--decks: one number for both games, or one for each")
    numbers = [read_number("--decks", text) for text in decks]
    chosen = numbers * 2 if len(numbers) == 1 else numbers or [book.decks.default for book in books]
    first, second = (Entry(book, _allowed(book, number)) for book, number in zip(books, chosen, strict=True))
    return first, second


def _allowed(book: RuleBook, decks: int) -> int:
    from puntobanco.lab.par_terms import Terms, check_terms

    check_terms(book, Terms(decks=decks))
    return decks


def _compared(pairings: tuple[Pairing, ...], *, wide: bool) -> Table:
    more = (">hit A", ">hit B", ">std dev A", ">std dev B") if wide else ()
    table = new_table("bet", "A pays", "B pays", ">edge A", ">edge B", ">B − A", *more)
    for each in pairings:
        one, two = each.first, each.second
        change = each.change
        table.add_row(
            each.name,
            *(odds_words(line.odds for line in offer.bet.pays) if offer else "" for offer in (one, two)),
            *(_edge(offer) for offer in (one, two)),
            "" if change is None else "same" if not change else f"{change * 100:+.4f}",
            *([percent(offer.odds.hit, 2) if offer else "" for offer in (one, two)] if wide else []),
            *([f"{offer.odds.sd:.3f}" if offer else "" for offer in (one, two)] if wide else []),
        )
    return table


def _edge(offer: Offer | None) -> Any:
    if offer is None:
        return ""
    return styled(percent(offer.odds.edge), "bold red" if offer.odds.ev >= 0 else "")


def _entry_json(entry: Entry) -> dict[str, Any]:
    return {"game": entry.book.id, "decks": entry.decks, "hash": entry.book.hash}


def _offer_json(offer: Offer | None) -> dict[str, Any] | None:
    if offer is None:
        return None
    return {
        "code": offer.bet.code,
        "pays": [fraction_text(line.odds.fraction) for line in offer.bet.pays],
        "ev": fraction_text(offer.odds.ev),
        "edge": offer.odds.edge,
        "hit": offer.odds.hit,
        "sd": offer.odds.sd,
    }


def solve(
    game: Annotated[str | None, Parameter(metavar="GAME", help="Id of the game, left out with --book.")] = None,
    bet: Annotated[str | None, Parameter(metavar="BET", help="Code of the bet (see rules).")] = None,
    /,
    *,
    edge: Annotated[
        str | None,
        Parameter(metavar="PERCENT", allow_leading_hyphen=True, help="The house edge that is wanted, as in 2.5%."),
    ] = None,
    decks: Annotated[str | None, Parameter(metavar="N", help="Full decks; within the book's range.")] = None,
    book: BookFile = None,
    json: AsJson = False,
) -> None:
    """Which odds give a bet a wanted edge: each pay line in turn, and all together."""
    if book is not None and bet is None:
        game, bet = None, game
    found = choose_book(game, book)
    if bet is None:
        raise UsageError(f"which bet? {found.title} has {', '.join(found.bets)}")
    if edge is None:
        raise UsageError("solve needs --edge, as in --edge 2.5%")
    from puntobanco.lab.solve import parse_edge, solve_all, solve_line
    from puntobanco.odds import odds, weights

    chosen = found.bet(bet)
    with option("--edge"):
        wanted = parse_edge(edge)
    terms = _terms(found, decks)
    deals = weights(terms.shoe(found), found.space)
    lines, scaled = solve_line(chosen, deals, wanted), solve_all(chosen, deals, wanted)
    if scaled is None and all(each.exact is None for each in lines):
        raise UsageError(f"--edge: no odds above zero give {chosen.code} a house edge of {percent(wanted)}")
    if json:
        print_json(
            {
                "game": found.id,
                "bet": chosen.code,
                "decks": terms.decks,
                "edge": fraction_text(wanted),
                "lines": [_solved_json(each) for each in lines],
                "all": scaled and {"factor": fraction_text(scaled.factor), **_practical_json(scaled.practical)},
            }
        )
        return
    now = odds(found, terms.shoe(found))[chosen.code]
    out = console()
    out.print(styled(f"{chosen.name}, {found.title}", "bold"))
    number = f"{terms.decks} deck{'s' * (terms.decks != 1)}"
    out.print(f"{number}; the house edge is {percent(now.edge)}, wanted {percent(wanted)}\n")
    show(out, _solved_table(lines))
    if scaled:
        _print_scaled(out, scaled)


def _terms(book: RuleBook, decks: str | None, cut: str | None = None) -> Terms:
    from puntobanco.lab.par_terms import CUT_CARD, Terms, check_terms

    terms = Terms(
        decks=book.decks.default if decks is None else read_number("--decks", decks),
        cut=CUT_CARD if cut is None else read_number("--cut", cut),
    )
    check_terms(book, terms)
    return terms


def _solved_table(lines: tuple[Solved, ...]) -> Table:
    table = new_table("line", ">pays", ">exact odds", ">in print", ">edge")
    for each in lines:
        head = [" or ".join(condition_words(line.when) for line in each.lines), str(each.lines[0].odds)]
        if each.exact is None:
            table.add_row(*head, "none", "", "")
        exact = f"{float(each.exact or 0):.4f} to 1"
        for near in each.practical:
            edge = styled(percent(near.edge), "bold red" if near.edge <= 0 else "")
            table.add_row(*head, exact, str(near.odds[0]), edge)
            head, exact = ["", ""], ""
    return table


def _print_scaled(out: Console, scaled: Scaled) -> None:
    practical = scaled.practical
    out.print(f"\nAll lines times {float(scaled.factor):.4f}")
    out.print(f"In print {odds_words(practical.odds)}: edge {percent(practical.edge)}")


def _solved_json(each: Solved) -> dict[str, Any]:
    return {
        "lines": [line.name or condition_words(line.when) for line in each.lines],
        "pays": fraction_text(each.lines[0].odds.fraction),
        "ways": str(each.ways),
        "exact": each.exact and fraction_text(each.exact),
        "practical": [_practical_json(near) for near in each.practical],
    }


def _practical_json(near: Practical) -> dict[str, Any]:
    return {"odds": [fraction_text(odds.fraction) for odds in near.odds], "edge": float(near.edge)}


def design(
    file: Annotated[str, Parameter(metavar="FILE", help="A book file in TOML: see puntobanco help books.")],
    /,
    *,
    decks: Annotated[str | None, Parameter(metavar="N", help="Full decks; within the book's range.")] = None,
    cut: Annotated[str | None, Parameter(metavar="N", help="Cards behind the Cut Card; 16.")] = None,
    watch: Annotated[
        bool, Parameter(negative=(), show_default=False, help="Look again whenever the file changes, until Ctrl-C.")
    ] = False,
) -> None:
    """What the bets of a book file are worth, and every mistake in it, while you write it.

    Edge, hit frequency, volatility, and an estimate of what counting wins.
    Raising the odds of a line by 1 to 1 lowers the edge by the line's chance.
    """
    check_named(file)
    if watch:
        _watch(file, decks, cut)
    else:
        found = own_book(file)
        _print_design(console(), found, _terms(found, decks, cut), {})


def _watch(file: str, decks: str | None, cut: str | None) -> None:
    out = console()
    before: dict[str, float] = {}
    try:
        from puntobanco.lab.design import versions

        for version in versions(file):
            if out.is_terminal:
                out.clear()
            if version.book is None:
                out.print(styled(version.mistakes, "red"))
            else:
                try:
                    before = _print_design(out, version.book, _terms(version.book, decks, cut), before)
                except ValueError as error:  # decks that this version no longer allows
                    out.print(styled(str(error), "red"))
            out.print(styled(f"\nwatching {file}, Ctrl-C ends", "dim"), soft_wrap=True)
            out.file.flush()
    except KeyboardInterrupt:
        out.print()


def _print_design(out: Console, book: RuleBook, terms: Terms, before: dict[str, float]) -> dict[str, float]:
    """Show the bets, with what changed since the version before; their edges."""
    from puntobanco.lab.design import examine

    bets = examine(book, terms)
    out.print(styled(book.title, "bold"))
    number = f"{terms.decks} deck{'s' * (terms.decks != 1)}"
    out.print(f"{number}, Cut Card {terms.cut} from the end, book {book.hash[:12]}\n")
    show(out, _design_table(bets, before))
    for each in bets:
        if each.warning:
            out.print(styled(f"\n{each.sheet.bet.name}: {each.warning} ({percent(each.sheet.edge)})", "bold red"))
    return {each.sheet.code: float(each.sheet.edge) for each in bets}


def _design_table(bets: tuple[Designed, ...], before: dict[str, float]) -> Table:
    changed = any(float(each.sheet.edge) != before.get(each.sheet.code) for each in bets) and bool(before)
    table = new_table(
        "bet", "when", ">pays", ">chance", ">hit", ">edge", *((">change",) if changed else ()), ">sd", ">counting",
    )  # fmt: skip
    for each in bets:
        sheet = each.sheet
        lines = [line for line in sheet.lines if line.odds]
        for number, line in enumerate(lines):
            edge = float(sheet.edge)
            style = "bold red" if edge <= 0 else "bold"
            totals = [
                percent(sheet.hit, 2),
                styled(percent(edge), style),
                *([_change(edge, before.get(sheet.code))] if changed else []),
                f"{sheet.odds.sd:.3f}",
                "–" if each.counting is None else f"{each.counting:.3f}",
            ]
            table.add_row(
                sheet.bet.name if not number else "",
                line.words,
                str(line.odds),
                percent(line.probability, 3),
                *(totals if not number else [""] * len(totals)),
            )
    return table


def _change(edge: float, before: float | None) -> str:
    if before is None:
        return "new"
    return f"{(edge - before) * 100:+.4f}" if edge != before else ""
