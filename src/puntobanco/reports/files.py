"""A report as CSV files, one a kind of thing, with columns that stay as they are.

Amounts are whole minor units; ``digits`` says how many of their figures stand behind the point. Exact fractions are
written ``numerator/denominator``. A text that a spreadsheet would take for a formula gets an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from puntobanco.reports.report import TableReport

Cell = str | int | float | Fraction | None

_TABLE = ("table", "game", "layout", "decks", "currency", "digits")
_PLAY = ("handle", "win", "theoretical", "theoretical_rounded")

COLUMNS: dict[str, tuple[str, ...]] = {
    "shifts": (
        *_TABLE,
        *("day", "shift", "rounds", "free_hands", "voids", "settled_again"),
        *_PLAY,
        *("commission", "drop", "cash_drop", "account_drop", "paid_back", "hold", "hold_of_handle"),
        *("opening", "fills", "credits", "chips_in", "chips_out", "tips", "ruled"),
        *("receivables_opened", "receivables_collected", "receivables_written_off", "receivables_open"),
        *("incidents", "rulings", "corrections", "late_chips", "disputes_raised", "disputes_closed", "disputes_open"),
        *("closing_count", "count_difference", "ledger_difference"),
    ),
    "bets": (*_TABLE, "day", "shift", "bet", "wagers", *_PLAY),
    "rulings": (*_TABLE, "day", "shift", "what", "kind", "paragraph", "number"),
    "people": (*_TABLE, "person", "seconds", "rounds", "average_bet", *_PLAY, "drop", "tips", "ruled"),
    "staff": (*_TABLE, "person", "rank", "seconds", "rounds_dealt", "rulings", "approvals"),
    "statistics": (
        *_TABLE,
        *("group", "name", "figure", "line", "paragraph", "rounds", "observed", "expected", "sd", "z"),
        *("band_low", "band_high", "chance", "judged", "outside", "outstanding"),
    ),
}
"""The columns of each file, in order. New ones are only ever added at the end."""


def csv_of(kind: str, reports: Iterable[TableReport]) -> str:
    """One of the files, over several tables."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS[kind])
    for report in reports:
        settings = report.settings
        table: tuple[Cell, ...] = (
            *(settings.table, settings.game, settings.layout),
            *(settings.decks, settings.currency, settings.digits),
        )
        for row in ROWS[kind](report):
            cells = (*table, *row)
            assert len(cells) == len(COLUMNS[kind]), kind
            writer.writerow(map(_written, cells))
    return out.getvalue()


def write_csv(folder: Path, reports: Sequence[TableReport], kinds: Iterable[str] = COLUMNS) -> list[Path]:
    """Write the files into a folder, which is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for kind in kinds:
        file = folder / f"{kind}.csv"
        file.write_text(csv_of(kind, reports), encoding="utf-8", newline="")
        written.append(file)
    return written


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, Fraction):
        return f"{cell.numerator}/{cell.denominator}"
    if isinstance(cell, float):
        return f"{cell:.6g}"
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return str(cell)


def _shifts(report: TableReport) -> Iterator[tuple[Cell, ...]]:
    for period in report.periods:
        it = report.figures((period,))
        closed = bool(it.closings)
        yield (
            *(str(period.date), period.shift, it.rounds, it.free_hands, it.voids, it.settled_again),
            *(it.handle, it.win, it.theoretical, round(it.theoretical)),
            *(it.commission, it.drop, it.cash_drop, it.account_drop, it.paid_back, it.hold, it.hold_of_handle),
            *(it.opening, it.fills, it.credits, it.chips_in, it.chips_out, it.tips, it.ruled),
            *(it.owed, it.collected, it.written_off, report.receivables_after(period)),
            *(it.incidents.total(), it.rulings.total(), it.corrections.total(), it.late_chips),
            *(it.disputes, it.disputes_closed, report.disputes_after(period)),
            *(it.counted if closed else None, it.difference if closed else None, it.unexplained),
        )


def _bets(report: TableReport) -> Iterator[tuple[Cell, ...]]:
    for period in report.periods:
        for code, it in sorted(report.figures((period,)).bets.items()):
            play = (it.handle, it.win, it.theoretical, round(it.theoretical))
            yield (str(period.date), period.shift, code, it.wagers, *play)


def _rulings(report: TableReport) -> Iterator[tuple[Cell, ...]]:
    for period in report.periods:
        it = report.figures((period,))
        for what, counts in (("ruling", it.rulings), ("correction", it.corrections), ("incident", it.incidents)):
            for (kind, paragraph), number in sorted(counts.items()):
                yield (str(period.date), period.shift, what, kind, paragraph, number)


def _people(report: TableReport) -> Iterator[tuple[Cell, ...]]:
    for name, it in report.people().items():
        play = (it.handle, it.win, it.theoretical, round(it.theoretical))
        average = it.average_bet
        rounded = None if average is None else round(average)
        yield (name, it.milliseconds // 1000, it.rounds, rounded, *play, it.drop, it.tips, it.ruled)


def _staff(report: TableReport) -> Iterator[tuple[Cell, ...]]:
    for name, it in report.staff().items():
        yield (name, it.rank, it.milliseconds // 1000, it.rounds, it.rulings, it.approvals)


def _statistics(report: TableReport) -> Iterator[tuple[Cell, ...]]:
    for group in report.statistics.groups:
        for it in group.comparisons:
            yield (
                *(group.kind, group.name, it.kind, it.name, it.paragraph, it.count, it.observed),
                *(it.expected, it.sd, it.z, *it.band, it.chance, it.judged, it.outside, it.outstanding),
            )


ROWS: dict[str, Callable[[TableReport], Iterator[tuple[Cell, ...]]]] = {
    "shifts": _shifts,
    "bets": _bets,
    "rulings": _rulings,
    "people": _people,
    "staff": _staff,
    "statistics": _statistics,
}
