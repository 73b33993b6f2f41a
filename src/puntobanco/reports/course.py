"""How a table's day has gone so far: the House's win beside its exact expectation, and who plays far from it.

The band holds 99 of 100 honest days at each of its points. A player's result is judged by its exact mean and variance
and the normal distribution; those who stand out when all players of the table are judged together are named, by Holm's
procedure as in :mod:`puntobanco.reports.statistics`. Insurance counts in the House's course and not in a player's.
"""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction

import msgspec

from puntobanco.reports.chances import Moments
from puntobanco.reports.gather import PlayedRound, Wagered
from puntobanco.reports.report import TableReport
from puntobanco.reports.statistics import FEWEST, OUTSIDE, QUANTILE

MOST_POINTS = 240


class CoursePoint(msgspec.Struct, frozen=True):
    """After a round: what the House has won since the day began, and what was to be expected."""

    round: int
    handle: int
    win: int
    expected: int
    """The exact expectation of the win, rounded."""
    low: int
    """The lower end of the 99% band."""
    high: int
    """The upper end of the 99% band."""


class BetCourse(msgspec.Struct, frozen=True):
    """One bet over the day."""

    bet: str
    wagers: int
    handle: int
    win: int
    theoretical: int
    """The House's edge of the bet times its handle."""


class PersonCourse(msgspec.Struct, frozen=True):
    """One player over the day; ``result`` is the player's own."""

    person: str
    rounds: int
    handle: int
    result: int
    expected: int
    """What was to be expected of it."""
    sd: int
    """Its standard deviation."""
    chance: float
    """How likely honest play is as far off, to either side."""
    judged: bool
    """Whether there is enough play to judge."""
    outstanding: bool
    """Whether it stands out among all players of the table together."""


class Course(msgspec.Struct, frozen=True):
    """A table's day so far."""

    points: tuple[CoursePoint, ...]
    bets: tuple[BetCourse, ...]
    people: tuple[PersonCourse, ...]


def course_of(report: TableReport) -> Course:
    """The course of what a report covers."""
    rounds = report.played
    figures = report.figures()
    bets = tuple(
        BetCourse(code, each.wagers, each.handle, each.win, round(each.theoretical))
        for code, each in sorted(figures.bets.items())
        if each.handle
    )
    return Course(_points(rounds), bets, _people(report, rounds))


def _points(rounds: tuple[PlayedRound, ...]) -> tuple[CoursePoint, ...]:
    points = []
    handle = win = 0
    mean = variance = Fraction(0)
    for played in rounds:
        handle, win = handle + played.handle, win + played.result
        mean, variance = mean + played.expected.mean, variance + max(played.expected.variance, Fraction(0))
        width = math.isqrt(math.ceil(variance * QUANTILE**2))
        points.append(
            CoursePoint(played.number, handle, win, round(mean), math.floor(mean - width), math.ceil(mean + width))
        )
    every = max(1, math.ceil(len(points) / MOST_POINTS))
    return tuple(points[len(points) % every or every - 1 :: every]) if every > 1 else tuple(points)


def _people(report: TableReport, rounds: tuple[PlayedRound, ...]) -> tuple[PersonCourse, ...]:
    by_person: dict[str, list[list[Wagered]]] = defaultdict(list)
    for played in rounds:
        here: dict[str, list[Wagered]] = defaultdict(list)
        for wager in played.wagers:
            here[wager.person].append(wager)
        for person, wagers in here.items():
            by_person[person].append(wagers)
    found = [_person(report, person, wagers) for person, wagers in sorted(by_person.items())]
    judged = sorted((each for each in found if each.judged), key=lambda each: each.chance)
    standing = set()
    for rank, each in enumerate(judged):
        if each.chance > OUTSIDE / (len(judged) - rank):
            break
        standing.add(each.person)
    shown = [msgspec.structs.replace(each, outstanding=each.person in standing) for each in found]
    return tuple(sorted(shown, key=lambda each: (each.chance, each.person)))


def _person(report: TableReport, person: str, rounds: list[list[Wagered]]) -> PersonCourse:
    mean = variance = Fraction(0)
    for wagers in rounds:
        moments: Moments = report.chances.moments(tuple(sorted((each.bet, each.stake) for each in wagers)))
        mean, variance = mean + moments.mean, variance + max(moments.variance, Fraction(0))
    win = sum(each.win for wagers in rounds for each in wagers)
    sd = math.sqrt(variance)
    chance = math.erfc(abs(float(win - mean)) / sd / math.sqrt(2)) if sd else 1.0
    handle = sum(each.stake for wagers in rounds for each in wagers)
    enough = len(rounds) >= FEWEST
    return PersonCourse(person, len(rounds), handle, -win, round(-mean), round(sd), chance, enough, outstanding=False)
