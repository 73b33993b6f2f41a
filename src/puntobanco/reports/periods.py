"""Gaming days and their shifts: to which one a moment belongs, and how time at the table divides among them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from puntobanco.table.settings import Shifts

_DAY = 24 * 60
_MINUTE = 60_000
_EPOCH = date(1970, 1, 1)


class Period(NamedTuple):
    """One shift of one gaming day; periods sort by time."""

    day: int
    """Days since the epoch."""
    number: int
    """The shift's place in its day, from 0."""
    shift: str

    @property
    def date(self) -> date:
        return date_of(self.day)

    def __str__(self) -> str:
        return f"{self.date} {self.shift}"


def date_of(day: int) -> date:
    """The date on which a gaming day begins."""
    return _EPOCH + timedelta(days=day)


def time_of(moment: int) -> datetime:
    """A moment of the record, in UTC."""
    return datetime.fromtimestamp(moment // 1000, UTC)


def period_at(shifts: Shifts, moment: int) -> Period:
    """The shift of a moment in milliseconds since the epoch."""
    day, into = divmod(moment // _MINUTE - shifts.day_begins, _DAY)
    number = into * len(shifts.names) // _DAY
    return Period(day, number, shifts.names[number])


def ends_at(shifts: Shifts, period: Period) -> int:
    """The first moment after a period."""
    into = -(-(period.number + 1) * _DAY // len(shifts.names))
    return (period.day * _DAY + shifts.day_begins + into) * _MINUTE


def divided(shifts: Shifts, start: int, end: int) -> Iterator[tuple[Period, int]]:
    """The milliseconds from start to end, shift by shift."""
    while start < end:
        period = period_at(shifts, start)
        until = min(ends_at(shifts, period), end)
        yield period, until - start
        start = until
