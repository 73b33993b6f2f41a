"""The course of a day ends where the statistics of the same day stand, and adds up over bets and players."""

from __future__ import annotations

import math
from fractions import Fraction

import msgspec
import pytest
from tests.reports.build import evening

from puntobanco.reports import report_on
from puntobanco.reports.chances import Moments
from puntobanco.reports.course import MOST_POINTS, course_of
from puntobanco.reports.gather import PlayedRound
from puntobanco.reports.report import TableReport
from puntobanco.reports.statistics import FEWEST


@pytest.fixture(scope="module")
def report() -> TableReport:
    return report_on(evening(7, 90))


def test_the_course_ends_where_the_statistics_stand(report: TableReport) -> None:
    course = course_of(report)
    result = next(group.result for group in report.statistics.groups if group.kind == "table")
    last = course.points[-1]
    assert (last.win, last.expected) == (result.observed, round(result.expected))
    assert (last.low, last.high) == result.band
    assert [point.round for point in course.points] == [each.number for each in report.played]
    assert all(point.low <= point.expected <= point.high for point in course.points)


def test_bets_and_players_add_up(report: TableReport) -> None:
    course, figures = course_of(report), report.figures()
    assert sum(bet.handle for bet in course.bets) == figures.handle
    assert sum(bet.win for bet in course.bets) == figures.win
    wagers = [wager for played in report.played for wager in played.wagers]
    assert sum(person.result for person in course.people) == -sum(wager.win for wager in wagers)
    assert sum(person.handle for person in course.people) == sum(wager.stake for wager in wagers)
    assert all(person.judged == (person.rounds >= FEWEST) for person in course.people)


def test_who_wins_against_all_odds_stands_out(report: TableReport) -> None:
    """The cards of one player are made to win each time; the others play as they did."""
    lucky = next(person.person for person in course_of(report).people if person.judged)
    assert not any(person.outstanding for person in course_of(report).people)
    gathered = msgspec.structs.replace(report._gathered, rounds=dict(report._gathered.rounds))
    for number, played in gathered.rounds.items():
        wagers = tuple(
            wager._replace(win=-wager.stake if wager.person == lucky else wager.win) for wager in played.wagers
        )
        gathered.rounds[number] = msgspec.structs.replace(played, wagers=wagers)
    course = course_of(TableReport(gathered, report.periods))
    assert [person.person for person in course.people if person.outstanding] == [lucky]
    assert course.people[0].person == lucky
    assert course.people[0].chance < 0.01


def test_a_long_day_is_told_by_its_last_points(report: TableReport) -> None:
    gathered = msgspec.structs.replace(report._gathered, rounds={})
    period = report.periods[0]
    for number in range(1, 1_001):
        played = PlayedRound(number, period, 1, "dan", 0, 100, 1, Moments(Fraction(1), Fraction(4)))
        gathered.rounds[number] = played
    points = course_of(TableReport(gathered, [period])).points
    assert len(points) <= MOST_POINTS
    assert (points[-1].round, points[-1].win, points[-1].expected) == (1_000, 1_000, 1_000)
    assert points[-1].high - 1_000 == math.ceil(Fraction(math.isqrt(math.ceil(4_000 * Fraction("2.5758293") ** 2))))


def test_a_table_without_rounds_has_no_course() -> None:
    course = course_of(report_on(evening(3, 0)))
    assert (course.points, course.people) == ((), ())
