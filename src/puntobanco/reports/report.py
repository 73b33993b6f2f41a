"""A table's report: what its record says of every gaming day and shift, of every person, and against expectation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from puntobanco.reports.chances import Chances
from puntobanco.reports.figures import Figures, PersonFigures, StaffFigures
from puntobanco.reports.gather import Gathered, Gatherer, PlayedRound, SomeFigures
from puntobanco.reports.periods import Period, time_of
from puntobanco.reports.sheets import Parts, sheets_of, text_of
from puntobanco.reports.statistics import Statistics, statistics_of
from puntobanco.rules.load import find_book
from puntobanco.rules.model import Layout, RuleBook
from puntobanco.script.log import EventError
from puntobanco.table.engine import FindBook
from puntobanco.table.entry import Entry
from puntobanco.table.settings import TableSettings

LONGEST_PAUSE = 366 * 24 * 60 * 60 * 1000
"""Milliseconds between two events; who is at the table fills every shift of a longer one, which is a wrong time."""


class ReportError(ValueError):
    """A day or shift of which the record says nothing."""


def total(figures: Iterable[SomeFigures], kind: type[SomeFigures]) -> SomeFigures:
    """The sum of figures."""
    found = kind()
    for each in figures:
        found.add(each)
    return found


class _Open(NamedTuple):
    """What is not settled at the end of a shift."""

    receivables: int
    disputes: int


class TableReport:
    """What a table's record says, whole or in part: :meth:`select` gives a day or a shift of it."""

    def __init__(self, gathered: Gathered, periods: Sequence[Period], rejected: str = "") -> None:
        self._gathered = gathered
        self.rejected = rejected
        """What a verifier has found wrong with the record; empty where nothing, or where nobody has looked."""
        self.periods = tuple(sorted(periods))
        """The shifts it covers, in order: those in which something happened or somebody was there."""

    @property
    def settings(self) -> TableSettings:
        """As at the opening of the table."""
        return self._gathered.settings

    @property
    def table(self) -> str:
        """The table's name."""
        return self.settings.table

    @property
    def book(self) -> RuleBook:
        """The rule book that the table played by."""
        return self._gathered.book

    @property
    def layout(self) -> Layout:
        """The layout that the table played on."""
        layout = self.book.layout(self.settings.layout)
        assert layout is not None
        return layout

    @property
    def events(self) -> int:
        """How many events the record has."""
        return self._gathered.events

    @property
    def ends(self) -> int:
        """When the record's last event happened."""
        return self._gathered.ends

    @property
    def closed(self) -> bool:
        """Whether the table was closed and counted."""
        return self._gathered.closed

    def select(self, day: date | None = None, shift: str | None = None) -> TableReport:
        """The same of one gaming day, of one shift of every day, or of one shift of one day."""
        names = self.settings.shifts.names
        if shift is not None and shift not in names:
            raise ReportError(f"table {self.table} has no shift {shift!r}; there are {', '.join(names)}")
        periods = [
            period
            for period in self.periods
            if (day is None or period.date == day) and (shift is None or period.shift == shift)
        ]
        if not periods:
            when = " ".join(str(part) for part in (day, shift) if part is not None)
            raise ReportError(f"table {self.table} has nothing on record for {when}; there is {self.covers}")
        return TableReport(self._gathered, periods, self.rejected)

    @property
    def covers(self) -> str:
        """The first and the last shift, in words."""
        first, last = self.periods[0], self.periods[-1]
        return str(first) if first == last else f"{first} to {last}"

    @property
    def days(self) -> dict[int, tuple[Period, ...]]:
        """The gaming days, with their shifts."""
        found: dict[int, tuple[Period, ...]] = {}
        for period in self.periods:
            found[period.day] = (*found.get(period.day, ()), period)
        return found

    def figures(self, periods: Iterable[Period] | None = None) -> Figures:
        """The figures of some shifts, or of all that the report covers."""
        return total((self._gathered.figures[period] for period in periods or self.periods), Figures)

    def receivables_after(self, period: Period) -> int:
        """What was owed to the House at the end of a shift."""
        return self._open_after[period].receivables

    def disputes_after(self, period: Period) -> int:
        """How many disputes were open at the end of a shift."""
        return self._open_after[period].disputes

    @cached_property
    def _open_after(self) -> dict[Period, _Open]:
        """What every shift of the record leaves to the next."""
        found: dict[Period, _Open] = {}
        receivables = disputes = 0
        for period, it in sorted(self._gathered.figures.items(), key=itemgetter(0)):
            receivables += it.owed - it.collected - it.written_off
            disputes += it.disputes - it.disputes_closed
            found[period] = _Open(receivables, disputes)
        return found

    def people(self) -> dict[str, PersonFigures]:
        """The players, by name."""
        return self._by_name(self._gathered.people, PersonFigures)

    def staff(self) -> dict[str, StaffFigures]:
        """The staff, by name; an electronic table deals by itself, as ``house``."""
        return self._by_name(self._gathered.staff, StaffFigures)

    def _by_name(
        self, periods: Mapping[Period, Mapping[str, SomeFigures]], kind: type[SomeFigures]
    ) -> dict[str, SomeFigures]:
        found: dict[str, SomeFigures] = {}
        for period in self.periods:
            for name, figures in periods.get(period, {}).items():
                found.setdefault(name, kind()).add(figures)
        return dict(sorted(found.items()))

    @property
    def chances(self) -> Chances:
        """What bets are worth at this table."""
        return self._gathered.chances

    @property
    def played(self) -> tuple[PlayedRound, ...]:
        """The rounds that it covers, in order."""
        covered = set(self.periods)
        return tuple(played for _, played in sorted(self._gathered.rounds.items()) if played.period in covered)

    @cached_property
    def statistics(self) -> Statistics:
        """The rounds against exact expectation."""
        return statistics_of(self.table, self.book, self.layout, self.chances, self.played)

    # --- as one reads it

    def as_text(self, *, people: bool = False, statistics: bool = False) -> str:
        """For a terminal, without colour."""
        return text_of(sheets_of(self, Parts(people=people, statistics=statistics)))

    def __repr__(self) -> str:
        return f"TableReport({self.table!r}, {len(self.periods)} shifts, {self.events} events)"


def report_on(
    entries: Iterable[Entry], books: FindBook = find_book, *, until: int | None = None, source: str = ""
) -> TableReport:
    """The report on a table's record, as far as it goes.

    ``until`` is the time now, for those still at the table; without it their time ends with the last event. Raises
    :class:`puntobanco.script.log.LogError` at an event that cannot follow those before it, or is years away from them.
    """
    gatherer = Gatherer(books, source)
    before: int | None = None
    for entry in entries:
        at = entry.command.at
        if before is not None and abs(at - before) > LONGEST_PAUSE:
            raise EventError(entry.version, _pause(before, at), source)
        gatherer.read(entry)
        before = at
    return report_so_far(gatherer, until)


def _pause(before: int, at: int) -> str:
    now, then = (f"{time_of(moment):%Y-%m-%d %H:%M}" for moment in (at, before))
    return (
        f"it is of {now} and the one before of {then}: no shifts can be told across more than a year"
        " (a history begins in 1970 unless its opening has a time)"
    )


def report_so_far(gatherer: Gatherer, until: int | None = None) -> TableReport:
    """The report on what was read up to now: for callers who follow a table and do not reread its record."""
    gathered = gatherer.so_far(until)
    return TableReport(gathered, tuple(gathered.figures))
