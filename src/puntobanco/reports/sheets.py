"""A report as sheets of words and figures: what the terminal, the printed page and plain text all show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from puntobanco.money import format_amount
from puntobanco.reports.figures import Figures
from puntobanco.reports.periods import Period, date_of, time_of
from puntobanco.reports.statistics import Comparison, Group, Statistics
from puntobanco.table.settings import TableSettings

if TYPE_CHECKING:
    from puntobanco.reports.report import TableReport

NONE = "–"


class Parts(msgspec.Struct, frozen=True):
    """What a report shows beside the shifts."""

    people: bool = False
    statistics: bool = False


class Row(msgspec.Struct, frozen=True):
    """A line of a sheet. ``kind`` is ``head``, ``main``, ``alert`` or nothing in particular."""

    cells: tuple[str, ...]
    kind: str = ""
    drawn: Comparison | None = None
    """What the printed page draws beside it."""


class Sheet(msgspec.Struct, frozen=True):
    """A table with its title, and a word about it. A heading ``>like this`` stands over figures."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""
    whole: bool = False
    """Whether it belongs on one page."""


def sheets_of(report: TableReport, parts: Parts) -> tuple[Sheet, ...]:
    """A report as sheets, the table itself first."""
    sheets = [_table(report), *_shifts(report), _bets(report), *_matters(report)]
    if parts.people:
        sheets += [_people(report), _staff(report)]
    if parts.statistics:
        sheets += _statistics(report, report.statistics)
    return tuple(sheet for sheet in sheets if sheet.rows)


def overview_of(reports: Sequence[TableReport]) -> Sheet:
    """Several tables at a glance, with their sum where all have one currency."""
    rows = [_overview(report.table, report.settings, report.figures()) for report in reports]
    if len({(report.settings.currency, report.settings.digits) for report in reports}) == 1:
        whole = Figures()
        for report in reports:
            whole.add(report.figures())
        rows.append(Row(_overview("all tables", reports[0].settings, whole).cells, "main"))
    headings = ("table", "", ">rounds", ">handle", ">drop", ">win", ">hold", ">theoretical")
    return Sheet("Tables", headings, tuple(rows))


def _overview(name: str, settings: TableSettings, figures: Figures) -> Row:
    words = Words(settings)
    amounts = (words.money(figures.handle), words.money(figures.drop), words.money(figures.win))
    rest = (share(figures.hold), words.money(figures.theoretical))
    return Row((name, settings.currency, str(figures.rounds), *amounts, *rest))


# --- words


class Words:
    """Amounts and shares as a table writes them."""

    def __init__(self, settings: TableSettings) -> None:
        self.digits = settings.digits

    def money(self, amount: int | Fraction | None) -> str:
        """Minor units as an amount; a fraction of one is rounded."""
        if amount is None:
            return NONE
        whole, point, part = format_amount(round(amount), self.digits).partition(".")
        sign, whole = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
        return f"{sign}{int(whole):,}{point}{part}"


def share(value: Fraction | None) -> str:
    """A fraction in percent with two places, rounded."""
    return NONE if value is None else f"{format_amount(round(value * 10_000), 2)}%"


def hours(milliseconds: int) -> str:
    """A duration in hours and minutes."""
    minutes = milliseconds // 60_000
    return f"{minutes // 60}:{minutes % 60:02}"


def plain(code: str) -> str:
    """A name of the record as words."""
    return code.replace("_", " ")


# --- the table and its shifts


def _table(report: TableReport) -> Sheet:
    settings, book = report.settings, report.book
    ends = f"{time_of(report.ends):%Y-%m-%d %H:%M} UTC"
    facts = (
        ("game", f"{book.title}, layout {settings.layout}, {settings.decks} decks"),
        ("casino", book.casino),
        ("covers", f"{report.covers}; gaming days begin at {_clock(settings.shifts.day_begins)} UTC"),
        ("record", f"{report.events} events, the last {ends}; the table is {'closed' if report.closed else 'open'}"),
        ("amounts", settings.currency),
    )
    rows = [Row(fact) for fact in facts if fact[1]]
    if report.rejected:
        rows.append(
            Row(("REJECTED", f"this record does not verify, and its figures prove nothing: {report.rejected}"), "alert")
        )
    return Sheet(f"Table {report.table}", ("", ""), tuple(rows))


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _shifts(report: TableReport) -> Iterator[Sheet]:
    days = report.days
    for day, periods in days.items():
        yield _figures(report, f"Gaming day {date_of(day)}", periods, "total")
    if len(days) > 1:
        whole = f"{date_of(min(days))} to {date_of(max(days))}"
        yield _figures(report, f"All days, {whole}", report.periods, "total", each=False)


class _Column(msgspec.Struct, frozen=True):
    """Some shifts together."""

    heading: str
    figures: Figures
    last: Period


def _figures(report: TableReport, title: str, periods: Sequence[Period], whole: str, *, each: bool = True) -> Sheet:
    columns = [_Column(period.shift, report.figures((period,)), period) for period in periods] if each else []
    if len(columns) != 1:
        columns.append(_Column(whole, report.figures(periods), periods[-1]))
    rows = [row for row in _rows(report, columns) if row is not None]
    return Sheet(title, ("", *(f">{column.heading}" for column in columns)), tuple(rows), whole=True)


def _rows(report: TableReport, columns: Sequence[_Column]) -> Iterator[Row | None]:
    words = Words(report.settings)
    figures = [column.figures for column in columns]

    def row(name: str, cells: Iterable[str], kind: str = "") -> Row:
        return Row((name, *cells), kind)

    def money(name: str, of: Callable[[Figures], int | Fraction], kind: str = "") -> Row | None:
        values = [of(it) for it in figures]
        return row(name, map(words.money, values), kind) if kind or any(values) else None

    def count(name: str, of: Callable[[Figures], int], kind: str = "") -> Row | None:
        values = [of(it) for it in figures]
        return row(name, map(str, values), kind) if kind or any(values) else None

    yield count("rounds", lambda it: it.rounds, "main")
    yield count("  of these Free Hands", lambda it: it.free_hands)
    yield count("voids", lambda it: it.voids)
    yield count("settled again", lambda it: it.settled_again)
    yield money("handle", lambda it: it.handle, "main")
    yield money("drop", lambda it: it.drop, "main")
    yield money("  cash", lambda it: it.cash_drop)
    yield money("  from accounts", lambda it: it.account_drop)
    yield money("  paid back to accounts", lambda it: it.paid_back)
    yield money("win", lambda it: it.win, "main")
    yield money("  commission in it", lambda it: it.commission)
    yield money("theoretical win", lambda it: it.theoretical, "main")
    yield money("  variance from it", lambda it: it.win - it.theoretical)
    yield row("hold: win by drop", (share(it.hold) for it in figures), "main")
    yield row("win by handle", (share(it.hold_of_handle) for it in figures))
    yield row("theoretical by handle", (share(it.theoretical / it.handle if it.handle else None) for it in figures))
    yield money("opening float", lambda it: it.opening)
    yield money("fills", lambda it: it.fills)
    yield money("credits", lambda it: it.credits)
    yield money("chips in from the floor", lambda it: it.chips_in)
    yield money("chips out to the floor", lambda it: it.chips_out)
    yield money("tips", lambda it: it.tips)
    yield money("rulings and disputes brought", lambda it: it.ruled)
    yield money("receivables opened", lambda it: it.owed)
    yield money("receivables collected", lambda it: it.collected)
    yield money("receivables written off", lambda it: it.written_off)
    owed = [report.receivables_after(column.last) for column in columns]
    yield row("receivables open at the end", map(words.money, owed)) if any(owed) else None
    yield count("incidents", lambda it: it.incidents.total())
    yield count("rulings", lambda it: it.rulings.total())
    yield count("corrections", lambda it: it.corrections.total())
    yield count("late chips refused", lambda it: it.late_chips)
    yield count("disputes raised", lambda it: it.disputes)
    yield count("disputes closed", lambda it: it.disputes_closed)
    open_disputes = [report.disputes_after(column.last) for column in columns]
    yield row("disputes open at the end", map(str, open_disputes)) if any(open_disputes) else None
    if any(it.closings for it in figures):
        yield money("closing count", lambda it: it.counted)
        differs = any(it.difference for it in figures)
        yield money("count against ledger", lambda it: it.difference, "alert" if differs else "plain")
    wrong = any(it.unexplained for it in figures)
    yield money("ledger less win and rulings", lambda it: it.unexplained, "alert" if wrong else "plain")


def _bets(report: TableReport) -> Sheet:
    words, figures = Words(report.settings), report.figures()
    known = report.book.bets
    order = [*known, "player_insurance", "banker_insurance"]
    rows = []
    for code in sorted(figures.bets, key=order.index):
        bet = figures.bets[code]
        if not bet.wagers and not bet.handle:  # all of it was voided
            continue
        rows.append(
            Row(
                (
                    known[code].name if code in known else plain(code).capitalize(),
                    str(bet.wagers),
                    words.money(bet.handle),
                    words.money(bet.win),
                    words.money(bet.theoretical),
                    share(bet.theoretical / bet.handle if bet.handle else None),
                    share(bet.hold_of_handle),
                )
            )
        )
    headings = ("bet", ">wagers", ">handle", ">win", ">theoretical", ">edge", ">win by handle")
    return Sheet("Bets", headings, tuple(rows))


def _matters(report: TableReport) -> Iterator[Sheet]:
    figures = report.figures()
    named = (("ruling", figures.rulings), ("correction", figures.corrections), ("incident", figures.incidents))
    rows = [
        Row((what, plain(kind), paragraph or NONE, str(count)))
        for what, counts in named
        for (kind, paragraph), count in sorted(counts.items())
    ]
    yield Sheet("Rulings, corrections and incidents", ("", "kind", "paragraph", ">number"), tuple(rows))


# --- people


def _people(report: TableReport) -> Sheet:
    words = Words(report.settings)
    rows = [
        Row(
            (
                name,
                hours(it.milliseconds),
                str(it.rounds),
                words.money(it.average_bet),
                words.money(it.handle),
                words.money(-it.win),
                words.money(it.theoretical),
                words.money(it.drop),
            )
        )
        for name, it in report.people().items()
    ]
    headings = ("player", ">time", ">rounds", ">average bet", ">handle", ">won or lost", ">theoretical", ">drop")
    return Sheet("Players", headings, tuple(rows))


def _staff(report: TableReport) -> Sheet:
    rows = [
        Row((name, it.rank or NONE, hours(it.milliseconds), str(it.rounds), str(it.rulings), str(it.approvals)))
        for name, it in report.staff().items()
    ]
    headings = ("staff", "rank", ">time", ">rounds dealt", ">rulings", ">approvals")
    return Sheet("Staff", headings, tuple(rows))


# --- statistics


def _statistics(report: TableReport, statistics: Statistics) -> Iterator[Sheet]:
    words = Words(report.settings)
    for group in statistics.groups[:1]:
        rows = tuple(_compared(words, each) for each in group.comparisons)
        headings = ("", ">observed", ">expected", ">99% from", ">to", ">z", "")
        title = f"Play against expectation, {group.rounds} round{'s' * (group.rounds != 1)}"
        yield Sheet(title, headings, rows, statistics.judgement)
    for kind in ("shoe", "dealer"):
        grouped = tuple(_grouped(words, group) for group in statistics.groups if group.kind == kind)
        by = (kind, ">rounds", ">Player", ">Banker", ">Tie", ">result", ">expected", ">z", "outside")
        yield Sheet(f"Play against expectation, by {kind}", by, grouped)


def _compared(words: Words, each: Comparison) -> Row:
    if each.kind == "result":
        figures = tuple(words.money(amount) for amount in (each.observed, each.expected, *each.band))
    else:
        expected = format_amount(round(each.expected * 10), 1)
        figures = (str(each.observed), expected, *map(str, each.band))
    alert = each.judged and each.outside
    return Row((each.name, *figures, f"{each.z:+.2f}", _mark(each)), "alert" if alert else "", each)


def _mark(each: Comparison) -> str:
    if each.judged:
        return "stands out" if each.outstanding else "outside" if each.outside else ""
    if each.kind == "result":
        return "too few to judge"
    return "as above" if each.outside else ""


def _grouped(words: Words, group: Group) -> Row:
    result = group.result
    outside = ", ".join(each.name + (" (stands out)" if each.outstanding else "") for each in group.outside)
    winners = (f"{each.observed}" for each in group.winners)
    return Row(
        (
            group.name,
            str(group.rounds),
            *winners,
            words.money(result.observed),
            words.money(result.expected),
            f"{result.z:+.2f}",
            outside,
        ),
        "alert" if outside else "",
        result,
    )


# --- plain text


def text_of(sheets: Iterable[Sheet]) -> str:
    """Sheets for a terminal or a mail: columns of even width, figures to the right."""
    return "\n".join(_sheet_text(sheet) for sheet in sheets)


def _sheet_text(sheet: Sheet) -> str:
    right = [heading.startswith(">") for heading in sheet.headings]
    lines = [tuple(heading.removeprefix(">") for heading in sheet.headings), *(row.cells for row in sheet.rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(sheet.headings))]

    def written(cells: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if figures else cell.ljust(width)
            for cell, width, figures in zip(cells, widths, right, strict=True)
        )
        return "  ".join(padded).rstrip()

    head, *body = map(written, lines)
    text = [
        sheet.title,
        "=" * len(sheet.title),
        *([sheet.note, ""] if sheet.note else []),
        *([head, "-" * sum(widths, 2 * len(widths) - 2)] if head else []),
        *body,
    ]
    return "\n".join([*text, ""])
