"""Reports as one page for the printer: A4, a table of the casino a section."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from puntobanco.reports.drawing import bar_of
from puntobanco.reports.periods import time_of
from puntobanco.reports.report import TableReport
from puntobanco.reports.sheets import Parts, Sheet, Words, overview_of, share, sheets_of


class _Section(msgspec.Struct, frozen=True):
    """A table of the casino on the page."""

    table: str
    covers: str
    facts: Sheet
    headline: tuple[tuple[str, str], ...]
    sheets: tuple[Sheet, ...]


@cache
def _template() -> Template:
    loader = PackageLoader("puntobanco.reports", ".")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["bar_of"] = bar_of
    return environment.get_template("page.html")


def page_of(reports: Sequence[TableReport], parts: Parts, printed: int | None = None) -> str:
    """The page, complete in itself; ``printed`` is the time that it names, in milliseconds since the epoch."""
    sections = [_section(report, parts) for report in reports]
    when = f"{time_of(printed):%Y-%m-%d %H:%M} UTC" if printed is not None else ""
    overview = overview_of(reports) if len(reports) > 1 else None
    return _template().render(overview=overview, sections=sections, printed=when) + "\n"


def _section(report: TableReport, parts: Parts) -> _Section:
    words, figures = Words(report.settings), report.figures()
    facts, *sheets = sheets_of(report, parts)
    headline = (
        ("Rounds", f"{figures.rounds:,}"),
        ("Handle", words.money(figures.handle)),
        ("Drop", words.money(figures.drop)),
        ("Win", words.money(figures.win)),
        ("Hold", share(figures.hold)),
        ("Theoretical win", words.money(figures.theoretical)),
    )
    return _Section(report.table, report.covers, facts, headline, tuple(sheets))
