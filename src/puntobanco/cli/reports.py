"""Reports on the command line: a table's shifts, people and statistics, for the terminal, a spreadsheet or paper."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.progress import track

from puntobanco.cli.common import (
    BookFiles,
    UsageError,
    books_with,
    check_apart,
    check_named,
    check_used,
    option,
    read_file,
    write_file,
)
from puntobanco.cli.render import console, new_table, say, show, styled
from puntobanco.script.log import format_log, parse_log
from puntobanco.table.engine import FindBook
from puntobanco.table.entry import Entry

if TYPE_CHECKING:
    from puntobanco.reports import Parts, Sheet, TableReport

# The exact odds behind a report take a while to load, which no other command should pay for.

STYLES = {"main": "bold", "alert": "bold red"}


def report(
    *logs: Annotated[
        str,
        Parameter(metavar="LOG", allow_leading_hyphen=True, help="Logs as export prints them; - reads the input."),
    ],
    day: Annotated[str | None, Parameter(metavar="YYYY-MM-DD", help="One gaming day; all of them otherwise.")] = None,
    shift: Annotated[str | None, Parameter(metavar="NAME", help="One shift, by its name at the table.")] = None,
    people: Annotated[bool, Parameter(negative=(), show_default=False, help="Also players and staff.")] = False,
    statistics: Annotated[
        bool, Parameter(negative=(), show_default=False, help="Also play against exact expectation, with 99% bands.")
    ] = False,
    csv: Annotated[str | None, Parameter(metavar="DIR", help="Write everything as CSV files into a folder.")] = None,
    html: Annotated[str | None, Parameter(metavar="FILE", help="Write a page for the printer.")] = None,
    book: BookFiles = None,
) -> None:
    """Shifts and gaming days of tables: handle, drop, win, hold, theoretical win, and what happened.

    Several logs are several tables, one after the other. With --csv or --html only the names of the files that were
    written are printed. The exit code is 1 if a log holds something impossible or does not verify, 2 if it cannot be
    read.
    """
    if not logs:
        raise UsageError("report needs LOG, see puntobanco report --help")
    if logs.count("-") > 1:
        raise UsageError("the input can be read once: give - one time")
    chosen = _day(day)
    books = books_with(book)
    from puntobanco.reports import COLUMNS, Parts

    if html is not None:
        check_named(html, "--html: ")
        check_apart("--html", html, (*logs, book))
    if csv is not None:
        check_named(csv, "--csv: ")
        for kind in COLUMNS:
            check_apart("--csv", Path(csv) / f"{kind}.csv", (*logs, book))
    data = [(log, read_file(log)) for log in logs]
    read = [(log, parse_log(each, log)) for log, each in data]
    _check_different(read)
    every = [_report(each, log, books) for log, each in read]
    for each, (log, lines) in zip(every, data, strict=True):
        each.rejected = _rejected(log, lines, books)
    check_used(books)
    reports = _select(every, chosen, shift)
    parts = Parts(people=people, statistics=statistics)
    if csv is not None:
        _write_csv(csv, reports)
    if html is not None:
        _write_page(html, reports, parts)
    if csv is None and html is None:
        _print(reports, parts)
    if any(each.rejected for each in every):
        raise SystemExit(1)


def _day(text: str | None) -> date | None:
    if text is None:
        return None
    with option("--day"):
        try:
            return date.fromisoformat(text)
        except ValueError:
            raise UsageError(f"{text!r} is not a day: write it as in 2026-03-01") from None


def _select(reports: Sequence[TableReport], day: date | None, shift: str | None) -> list[TableReport]:
    """What is asked for of each table; one that has nothing of it is named and passed over where others have."""
    from puntobanco.reports import ReportError

    found: list[TableReport] = []
    missing: list[ReportError] = []
    for each in reports:
        try:
            found.append(each.select(day, shift))
        except ReportError as error:
            missing.append(error)
    if not found:
        raise missing[0]
    for passed_over in missing:
        say(passed_over, error=True)
    return found


def _check_different(logs: Sequence[tuple[str, Sequence[Entry]]]) -> None:
    """Two logs with the same opening are of one table, whose figures would be counted twice."""
    opened: dict[bytes, str] = {}
    for log, each in logs:
        opening = format_log(each[:1])
        if opening in opened:
            raise UsageError(f"{opened[opening]} and {log} are logs of the same table: give one of them")
        opened[opening] = log


def _report(entries: Sequence[Entry], log: str, books: FindBook) -> TableReport:
    """The report on a log, with a bar while a long one is read."""
    from puntobanco.reports import report_on

    err = Console(stderr=True)
    shown = track(
        entries, f"reading {log}", console=err, transient=True, disable=not (err.is_terminal and len(entries) > 5_000)
    )
    return report_on(shown, books, source=log)


def _rejected(log: str, data: bytes, books: FindBook) -> str:
    """What verify finds wrong with a log; said at once, for files of figures have no room for it."""
    from puntobanco.store.verify import verify_log

    problem = verify_log(data, books=books).problem
    if problem is None:
        return ""
    say(f"! {log}: verify rejects this log: {problem}", error=True)
    return str(problem)


def _print(reports: Sequence[TableReport], parts: Parts) -> None:
    from puntobanco.reports import overview_of, sheets_of

    sheets = [overview_of(reports)] if len(reports) > 1 else []
    for number, sheet in enumerate((*sheets, *(sheet for each in reports for sheet in sheets_of(each, parts)))):
        if number:
            print()
        _print_sheet(sheet)


def _print_sheet(sheet: Sheet) -> None:
    out = console()
    out.print(styled(sheet.title, "bold italic"))
    if sheet.note:
        out.print(sheet.note)
    table = new_table(*sheet.headings)
    table.show_header = any(sheet.headings)
    for row in sheet.rows:
        table.add_row(*(styled(cell, STYLES.get(row.kind, "")) for cell in row.cells))
    show(out, table)


def _write_csv(folder: str, reports: Sequence[TableReport]) -> None:
    from puntobanco.reports import write_csv

    try:
        written = write_csv(Path(folder), reports)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"--csv: {folder} cannot be written: {reason}") from error
    for file in written:
        say(file)


def _write_page(file: str, reports: Sequence[TableReport], parts: Parts) -> None:
    from puntobanco.reports import page_of

    page = page_of(reports, parts, printed=int(time.time() * 1000))
    write_file(file, page.encode(), "--html")
    say(file)
