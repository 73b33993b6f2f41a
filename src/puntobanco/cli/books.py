"""Which games there are, and what each one's rule book says."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from puntobanco.cards import Side
from puntobanco.cli.common import (
    AsJson,
    BookFile,
    Game,
    LayoutCode,
    UsageError,
    choose_book,
    fraction_text,
    own_book,
)
from puntobanco.cli.drawing import drawn
from puntobanco.cli.render import WIDE, console, new_table, print_json, show, styled
from puntobanco.lab.words import WINDOWS, condition_words, ranges
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.model import Bet, InsuranceRow, Layout, RuleBook


def games(*, book: BookFile = None, json: AsJson = False) -> None:
    """List the games."""
    books = [find_book(game) for game in GAMES]
    if book is not None:
        books.append(own_book(book))
    if json:
        print_json([_identity(found) for found in books])
        return
    out = console()
    wide = out.width >= WIDE
    about = ("casino", "in force") if wide else ()
    table = new_table("game", "title", *about, ">decks", ">bets", ">layouts")
    for found in books:
        in_force = found.in_force.partition(" ")[0]
        title = Text(found.title)
        if not wide:
            title.append("".join(f"\n{line}" for line in (_since(found),) if line), style="dim")
        table.add_row(
            styled(found.id, "bold"),
            title,
            *((found.casino, in_force or "not stated") if wide else ()),
            f"{found.decks.least}–{found.decks.most}",
            str(len(found.bets)),
            str(len(found.layouts)),
        )
    show(out, table)


def _since(book: RuleBook) -> str:
    in_force = f"since {book.in_force.partition(' ')[0]}" if book.in_force else ""
    return ", ".join(part for part in (book.casino, in_force) if part)


def _identity(book: RuleBook) -> dict[str, Any]:
    return {
        "game": book.id,
        "title": book.title,
        "casino": book.casino,
        "version": book.version,
        "in_force": book.in_force,
        "source": book.source,
        "currency": book.currency,
        "decks": {"least": book.decks.least, "most": book.decks.most, "default": book.decks.default},
        "bets": list(book.bets),
        "layouts": list(book.layouts),
        "insurance": book.insurance is not None,
        "hash": book.hash,
    }


def rules(
    game: Game = None,
    /,
    *,
    layout: LayoutCode = None,
    draw: Annotated[
        bool, Parameter(negative=(), show_default=False, help="Draw the layout, or each of them, instead.")
    ] = False,
    book: BookFile = None,
    json: AsJson = False,
) -> None:
    """Show a game: bets, what they pay, layouts, insurance, and the paragraphs."""
    found = choose_book(game, book)
    chosen = found.layout(layout)
    if draw:
        if json:
            raise UsageError("--draw is for people, --json for scripts: take one of them")
        _draw(found, chosen)
        return
    if json:
        print_json(_rules_json(found, chosen))
        return
    out = console()
    wide = out.width >= WIDE
    decks = found.decks
    out.print(styled(found.title, "bold"))
    about = [found.casino, found.version, f"in force {found.in_force}" if found.in_force else ""]
    out.print(" · ".join(filter(None, about)) or "a book of your own")
    cited = f" ({decks.paragraph})" if decks.paragraph else ", not stated in the book"
    currency = f"; tables in {found.currency} unless they say another" if found.currency else ""
    out.print(f"{decks.least} to {decks.most} decks{cited}, usually {decks.default}{currency}")
    if wide:
        out.print(styled(f"book hash {found.hash}", "dim"))
    if chosen:
        places = f"{ranges(chosen.positions)} positions"
        cited = f" ({chosen.paragraph})" if chosen.paragraph else ""
        out.print(f"layout {chosen.code}: {chosen.name}, {places}{cited}")
    out.print()
    show(out, _bets_table(found, chosen, wide))
    if chosen is None:
        out.print()
        show(out, _layouts_table(found))
    if found.insurance and (chosen is None or chosen.insurance):
        out.print()
        show(out, _insurance_table(found.insurance.rows))


def _draw(book: RuleBook, layout: Layout | None) -> None:
    out = console()
    for number, each in enumerate((layout,) if layout else book.layouts.values()):
        if number:
            out.print()
        for line in drawn(book, each, min(out.width, WIDE)):
            out.print(line)


def _bets_table(book: RuleBook, layout: Layout | None, wide: bool) -> Table:
    title = f"Bets on layout {layout.code}" if layout else "Bets"
    table = new_table("bet", *(("name",) if wide else ()), ">pays", "when", "paragraph", title=title)
    for bet in book.menu(layout):
        head = [styled(bet.code, "bold"), *((Text(bet.name),) if wide else ())]
        lines = [(str(line.odds), line.when, line.paragraph) for line in bet.pays]
        lines += [("returned", line.when, line.paragraph) for line in bet.returns]
        for pays, when, paragraph in lines:
            table.add_row(*head, pays, condition_words(when), paragraph)
            head = [Text() for _ in head]
    return table


def _layouts_table(book: RuleBook) -> Table:
    """Layouts that carry the same bets share a row."""
    table = new_table("layouts", "positions", "bets", title="Layouts")
    by_bets: dict[tuple[str, ...], dict[tuple[int, ...], list[str]]] = {}
    for layout in book.layouts.values():
        by_bets.setdefault(layout.bets, {}).setdefault(layout.positions, []).append(layout.code)
    for bets, by_positions in by_bets.items():
        codes = "\n".join(" ".join(codes) for codes in by_positions.values())
        positions = "\n".join(map(ranges, by_positions))
        offered = "all" if len(bets) == len(book.bets) else ", ".join(book.bets[code].name for code in bets)
        table.add_row(styled(codes, "bold"), positions, offered)
    return table


def _insurance_table(rows: tuple[InsuranceRow, ...]) -> Table:
    table = new_table(
        "insured", "offered after", ">own", ">other", ">pays", "on a tie", "paragraph",
        title="Insurance",
    )  # fmt: skip
    for row in rows:
        table.add_row(
            "Player" if row.hand is Side.PLAYER else "Banker",
            WINDOWS[row.window],
            ranges(row.own),
            ranges(row.other),
            str(row.odds),
            f"pays ({row.tie_paragraph})" if row.tie_pays else "returned",
            row.paragraph,
        )
    return table


def _rules_json(book: RuleBook, layout: Layout | None) -> dict[str, Any]:
    insurance = book.insurance.rows if book.insurance and (layout is None or layout.insurance) else ()
    return _identity(book) | {
        "bets": {bet.code: _bet_json(bet) for bet in book.menu(layout)},
        "layouts": {
            found.code: {
                "name": found.name,
                "bets": list(found.bets),
                "positions": list(found.positions),
                "insurance": found.insurance,
                "paragraph": found.paragraph,
            }
            for found in ((layout,) if layout else book.layouts.values())
        },
        "insurance": [
            {
                "window": row.window.value,
                "hand": row.hand.value,
                "own": list(row.own),
                "other": list(row.other),
                "odds": fraction_text(row.odds.fraction),
                "tie": "won" if row.tie_pays else "returned",
                "paragraph": row.paragraph,
            }
            for row in insurance
        ],
    }


def _bet_json(bet: Bet) -> dict[str, Any]:
    return {
        "name": bet.name,
        "paragraph": bet.paragraph,
        "pays": [
            {
                "name": line.name,
                "odds": fraction_text(line.odds.fraction),
                "when": {name: list(values) for name, values in line.when.items()},
                "paragraph": line.paragraph,
            }
            for line in bet.pays
        ],
        "returned": [
            {"when": {name: list(values) for name, values in line.when.items()}, "paragraph": line.paragraph}
            for line in bet.returns
        ],
    }
