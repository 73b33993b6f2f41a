"""The roads of the shoe as plain values, ready to be drawn: cells, marks, and what the next win would add."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from puntobanco.roads import DerivedRoad, Forecast, Result, Roads, format_results


class RoadCell(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cell, counted from 0, and what is drawn there: a result such as ``B^``, or ``R`` or ``B``."""

    row: int
    column: int
    mark: str
    ties: int = 0


class NextWin(msgspec.Struct, frozen=True):
    """What a win of one side would add: its Big Road cell, and the colour on each derived road, if any."""

    row: int
    column: int
    big_eye_boy: str | None
    small_road: str | None
    cockroach_pig: str | None


class RoadCounts(msgspec.Struct, frozen=True):
    """How often each result came in this shoe."""

    player: int
    banker: int
    tie: int
    player_pair: int
    banker_pair: int
    natural: int


class Scoreboard(msgspec.Struct, frozen=True):
    """The five roads. ``results`` is the shoe in the notation of ``docs/roads.md``."""

    results: str
    counts: RoadCounts
    bead_plate: tuple[RoadCell, ...]
    big_road: tuple[RoadCell, ...]
    leading_ties: int
    big_eye_boy: tuple[RoadCell, ...]
    small_road: tuple[RoadCell, ...]
    cockroach_pig: tuple[RoadCell, ...]
    if_player: NextWin
    if_banker: NextWin


@lru_cache(maxsize=256)
def scoreboard(results: tuple[Result, ...]) -> Scoreboard:
    """The roads of these results; every viewer of a table sees the same."""
    roads = Roads(results)
    return Scoreboard(
        format_results(roads.shown),
        RoadCounts(*roads.counts),
        tuple(RoadCell(cell.row, cell.column, str(result)) for cell, result, _ in roads.bead_plate),
        tuple(RoadCell(cell.row, cell.column, str(result), ties) for cell, result, ties in roads.big_road),
        roads.leading_ties,
        _derived(roads.big_eye_boy),
        _derived(roads.small_road),
        _derived(roads.cockroach_pig),
        _next_win(roads.if_next("player")),
        _next_win(roads.if_next("banker")),
    )


def _derived(road: DerivedRoad) -> tuple[RoadCell, ...]:
    return tuple(RoadCell(cell.row, cell.column, colour) for cell, colour in zip(road.cells, road.colours, strict=True))


def _next_win(forecast: Forecast) -> NextWin:
    cell, *colours = forecast
    return NextWin(cell.row, cell.column, *colours)
