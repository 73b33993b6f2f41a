"""What insurance is worth to a counter: by hand and window, and row by row of the pay table, each with its count.

A row is offered at the points it names, so the count is taken when it is offered: with the cards of the round that lie
open. The effects of removal are those on the row as the table has it, its points averaged as often as they come.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec

from puntobanco.cards import Composition
from puntobanco.lab.counting import NAMES, Count, small_count
from puntobanco.lab.known import SIDES, WINDOWS
from puntobanco.lab.study import Tally
from puntobanco.lab.words import ranges
from puntobanco.lab.worth import AtDepths, Dealt, Depth, Worth
from puntobanco.odds import InsuranceOdds, insurance_odds
from puntobanco.rules.model import InsuranceRow, RuleBook


class RowExposure(AtDepths, frozen=True, kw_only=True):
    """A row of the insurance table. Shares are of the rounds in which it is on offer."""

    odds: str
    offered: float
    """Of all rounds."""
    removal: dict[str, float]
    """In units, for one card of each rank less in a full shoe."""
    count: Count
    correlation: float
    correlation_at_points: float
    """With the effects at the points that are shown, on average: other points are saved by other cards."""

    def summary(self) -> dict[str, Any]:
        return {
            "odds": self.odds,
            "offered": self.offered,
            "removal": self.removal,
            "count": self.count.by_rank,
            "correlation": self.correlation,
            "correlation_at_points": self.correlation_at_points,
            "perfect": self.perfect.summary(),
            "counted": self.counted.summary(trigger=True),
            "by_depth": {str(cut): depth.summary() for cut, depth in self.by_depth.items()},
        }


class InsuranceExposure(AtDepths, frozen=True, kw_only=True):
    """Insurance on a hand in a window. Shares are of the rounds in which it is on offer.

    ``counted`` takes every row by its own count and trigger: the gains are the sums of the rows', and the standard
    error is the sum of theirs, the most that it can be.
    """

    offered: float
    """Of all rounds."""
    rows: dict[str, RowExposure]
    """By the points of the insured hand and of the other, as in ``7 v 0-5``."""

    def summary(self) -> dict[str, Any]:
        return {
            "offered": self.offered,
            "perfect": self.perfect.summary(),
            "counted": self.counted.summary(),
            "rows": {name: row.summary() for name, row in self.rows.items()},
            "by_depth": {
                str(cut): {"perfect": depth.perfect.summary(), "counted": depth.counted.summary()}
                for cut, depth in self.by_depth.items()
            },
        }


class RowEffects(msgspec.Struct, frozen=True):
    """What one card of each rank less in a full shoe adds to the expectation of a row when it is offered."""

    removal: dict[str, float]
    """Over all the points at which it is offered, as often as they come."""
    points: tuple[tuple[int, dict[str, float]], ...]
    """At each pair of points: how often they come, and the effects."""

    def correlation(self, count: Count) -> float:
        """Of a count with the effects at the points that are shown, on average."""
        total = sum(weight for weight, _ in self.points)
        return sum(weight * count.correlation(effects) for weight, effects in self.points) / total


def row_effects(book: RuleBook, decks: int) -> tuple[RowEffects, ...]:
    """Every row of a book's insurance table."""
    if book.insurance is None:
        return ()
    full = Composition.of_decks(decks)
    before = _by_row(book, full)
    less = [
        _by_row(book, Composition(tuple(count - (kind == rank) for kind, count in enumerate(full.counts))))
        for rank in range(len(NAMES))
    ]
    return tuple(
        RowEffects(
            _effects(row, [after[number] for after in less]),
            tuple(
                (each.total, _effects([each], [[after[number][spot]] for after in less]))
                for spot, each in enumerate(row)
            ),
        )
        for number, row in enumerate(before)
    )


def _by_row(book: RuleBook, shoe: Composition) -> list[list[InsuranceOdds]]:
    """The odds at all points of every row; they come row by row."""
    assert book.insurance is not None
    points = iter(insurance_odds(book, shoe))
    return [[next(points) for _ in product(row.own, row.other)] for row in book.insurance.rows]


def _effects(before: list[InsuranceOdds], less: list[list[InsuranceOdds]]) -> dict[str, float]:
    return {name: float(_mean(after) - _mean(before)) for name, after in zip(NAMES, less, strict=True)}


def _mean(points: list[InsuranceOdds]) -> Fraction:
    """The expectation of a unit, at any of the points."""
    gain = sum((each.odds.fraction * each.win - each.lose for each in points), Fraction(0))
    return gain / max(1, sum(each.total for each in points))


class InsuranceCounts:
    """A count for every row of a book."""

    def __init__(self, book: RuleBook, decks: int) -> None:
        self._rows = () if book.insurance is None else book.insurance.rows
        self._effects = row_effects(book, decks)
        self.counts = [small_count(effects.removal) for effects in self._effects]

    def finish(self, done: Tally, depths: tuple[int, ...]) -> Iterator[tuple[str, InsuranceExposure]]:
        """From the sums of a study, by hand and window."""
        for spot, (window, side) in enumerate(product(WINDOWS, SIDES) if self._rows else ()):
            rows = [index for index, row in enumerate(self._rows) if (row.window, row.hand) == (window, side)]
            exposed = {row_name(self._rows[index]): self._row(index, done, depths) for index in rows}
            by_depth = {}
            for level, cut in enumerate(depths):
                offered = [int(done.sums["offered"][index][level]) for index in rows]
                dealt = Dealt(done.shoes, int(done.sums["rounds"][level]), sum(offered))
                counted = _together([row.by_depth[cut].counted for row in exposed.values()], offered)
                by_depth[cut] = Depth(dealt.worth(*done.sums["insured"][spot][:, level]), counted)
            share = sum(row.offered for row in exposed.values())
            yield (
                f"{side.value}_insurance {window.value}",
                InsuranceExposure(offered=share, rows=exposed, by_depth=by_depth),
            )

    def _row(self, index: int, done: Tally, depths: tuple[int, ...]) -> RowExposure:
        sums = done.sums.get(f"row count {index}")
        by_depth = {}
        for level, cut in enumerate(depths):
            dealt = Dealt(done.shoes, int(done.sums["rounds"][level]), int(done.sums["offered"][index][level]))
            counted = dealt.best(None if sums is None else sums[:, level])
            by_depth[cut] = Depth(dealt.worth(*done.sums["rows"][index][:, level]), counted)
        effects, count = self._effects[index], self.counts[index]
        return RowExposure(
            odds=str(self._rows[index].odds),
            offered=int(done.sums["offered"][index][0]) / done.rounds,
            removal=effects.removal,
            count=count,
            correlation=count.correlation(effects.removal),
            correlation_at_points=effects.correlation(count),
            by_depth=by_depth,
        )


def row_name(row: InsuranceRow) -> str:
    """A row of the insurance table by its points, as in ``2-6 v 1``."""
    return f"{ranges(row.own)} v {ranges(row.other)}".replace("–", "-")


def _together(rows: list[Worth], offered: list[int]) -> Worth:
    """Several rows, never on offer in the same window of a round."""
    taken = sum(row.share * number for row, number in zip(rows, offered, strict=True))
    return Worth(
        sum(row.per_shoe for row in rows),
        sum(row.per_100 for row in rows),
        taken / sum(offered) if any(offered) else 0.0,
        sum(row.se for row in rows),
    )
