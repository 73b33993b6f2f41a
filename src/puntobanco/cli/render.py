"""How things look: the console, tables in one style, cards, hands and JSON."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from puntobanco.bets import Result
from puntobanco.cards import Card
from puntobanco.coup import Coup
from puntobanco.printable import printable, printable_json

NARROWEST = 80
"""Below this a terminal wraps our lines itself; figures are never cut."""
WIDE = 110
"""From here on there is room for the columns that are nice to have."""

GAP = 2
"""Spaces between two columns."""

STYLE_OF_RESULT = {Result.WON: "green", Result.LOST: "red", Result.RETURNED: "yellow"}


class QuietConsole(Console):
    """Leaves a closed pipe to the caller. What texts of others hold is shown, and steers no terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError


class _PlainConsole(QuietConsole):
    """Takes text as it is, for book files are the user's."""

    def __init__(self, width: int | None = None) -> None:
        super().__init__(width=width, markup=False, emoji=False, highlight=False)


def console() -> Console:
    """As wide as the terminal; wide enough for our tables where the output is none and nobody says."""
    out = _PlainConsole(None if sys.stdout.isatty() or os.environ.get("COLUMNS") else 120)
    return out if out.width >= NARROWEST else _PlainConsole(NARROWEST)


def print_json(value: Any) -> None:
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    text = json.dumps(value, indent=2, ensure_ascii=encoding.lower().replace("-", "") != "utf8")
    print(printable_json(_TALL_LIST.sub(lambda found: f"[{' '.join(found[1].split())}]", text)))


def say(text: object, *, error: bool = False) -> None:
    """A plain line, on the output or among the complaints."""
    print(printable(str(text)), file=sys.stderr if error else sys.stdout)


# a list of plain numbers, which json would spread over as many lines; no string of JSON holds a line break
_TALL_LIST = re.compile(r"\[\n\s+(-?\d+(?:,\n\s+-?\d+)*)\n\s+\]")


def new_table(*columns: str, title: str | None = None) -> Table:
    """A table in the house style. A column ``>like this`` holds figures, which are never cut or broken."""
    table = Table(
        title=Text(title) if title else None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE,
        pad_edge=False,
        show_edge=False,
        collapse_padding=True,
        header_style="dim",
    )
    for column in columns:
        if column.startswith(">"):
            table.add_column(column[1:], justify="right", no_wrap=True)
        else:
            table.add_column(column, overflow="fold")
    return table


def show(out: Console, table: Table) -> None:
    """Print a table: wider than the terminal where it must be, rather than with a word or a figure cut."""
    widths = [
        max(_least_width(str(cell), column.no_wrap) for cell in (column.header, *column.cells, column.footer))
        for column in table.columns
    ]
    needed = sum(widths) + GAP * (len(widths) - 1)
    (out if needed <= out.width else _PlainConsole(needed)).print(table)


def _least_width(text: str, whole: bool) -> int:
    pieces = text.split("\n") if whole else text.split()
    return max(map(cell_len, pieces), default=0)


def styled(text: str, style: str) -> Text:
    return Text(text, style=style)


def cards_text(cards: Iterable[Card]) -> Text:
    return Text(" ").join(Text(card.symbol, style="red" if card.suit.red else "") for card in cards)


def coup_table(coup: Coup) -> Table:
    """Both hands with their points."""
    rows = []
    for name, hand in (("Player", coup.player), ("Banker", coup.banker)):
        marks = [mark for mark, there in (("natural", hand.natural), ("pair", hand.pair)) if there]
        points = styled(str(hand.total) if hand.cards else "–", "bold")
        rows.append((name, cards_text(hand.cards), points, ", ".join(marks)))
    marked = any(row[3] for row in rows)
    table = new_table("hand", "cards", ">points", *(("",) if marked else ()))
    for row in rows:
        table.add_row(*(row if marked else row[:3]))
    return table
