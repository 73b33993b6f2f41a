"""Pictures of results: simulations, betting systems, counting and two games side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from puntobanco.lab import svg
from puntobanco.lab.compare import Pairing
from puntobanco.lab.exposure import Exposure
from puntobanco.lab.simulate import Z95, Simulation
from puntobanco.lab.strategies import Played
from puntobanco.lab.svg import Plot

WIDTH = 760
LEFT, RIGHT, TOP, BOTTOM = 150, 60, 46, 30
ROW = 20
PATHS = 60
"""Sessions whose bankroll is drawn."""
POINTS = 400
"""Of one bankroll; of a longer path only every so many are drawn."""
BINS = 40


class _Axis:
    """From numbers to places along one side of a plot."""

    def __init__(self, least: float, most: float, first: float, last: float) -> None:
        if least == most:
            least, most = least - 1, most + 1
        self.least, self.most, self._first = least, most, first
        self._scale = (last - first) / (most - least)

    def __call__(self, number: float) -> float:
        return self._first + (number - self.least) * self._scale

    def grid(self, height: float, words: Callable[[float], str], top: float = TOP) -> list[str]:
        """Lines upright with their numbers below."""
        parts = []
        for tick in svg.ticks(self.least, self.most):
            parts.append(svg.path("grid" if tick else "zero", [(self(tick), top), (self(tick), height - BOTTOM)]))
            parts.append(svg.text("tick", self(tick), height - BOTTOM + 15, words(tick)))
        return parts


def simulation_plot(found: Simulation, names: Mapping[str, str]) -> Plot:
    """How far every bet is from its exact expectation, in standard errors, with the 95% interval."""
    bets = {code: found.bets[code] for code in names}
    reach = max(3.0, *(abs(bet.sigmas) + Z95 for bet in bets.values()))
    height = TOP + ROW * len(bets) + BOTTOM
    across = _Axis(-reach, reach, LEFT, WIDTH - RIGHT)
    parts = [
        svg.text("note", 8, 34, "Distance from the exact expectation in standard errors, with the 95% interval"),
        *across.grid(height, svg.plain),
    ]
    for row, (code, bet) in enumerate(bets.items()):
        middle, at = TOP + ROW * row + ROW / 2, across(bet.sigmas)
        far = abs(bet.sigmas) > 3
        parts.append(svg.text("name", LEFT - 8, middle + 4, names[code]))
        parts.append(svg.path("line", [(across(bet.sigmas - Z95), middle), (across(bet.sigmas + Z95), middle)]))
        parts.append(svg.rect("bad" if far else "bar", at - 3.5, middle - 3.5, 7, 7))
    return svg.document(WIDTH, height, f"{found.game}: {found.rounds:,} rounds, {found.shoes:,} shoes", parts)


def exposure_plot(found: Exposure, names: Mapping[str, str]) -> Plot:
    """Units a shoe, bet by bet: with perfect knowledge, and with the count."""
    rows = [(names[code], (bet.perfect.per_shoe, bet.counted.per_shoe)) for code, bet in found.bets.items()]
    dealing = found.dealing
    return _paired_bars(
        f"{found.game}: what counting wins",
        f"Units a shoe, {found.shoes:,} shoes of {dealing.decks} decks, Cut Card {dealing.cut} from the end",
        ("perfect knowledge", "count of whole tags"),
        rows,
        svg.plain,
        lambda value: f"{value:.3f}",
    )


def compare_plot(titles: tuple[str, str], pairings: Sequence[Pairing]) -> Plot:
    """The house edges of two games, bet by bet."""
    rows = [
        (each.name, (each.first.odds.edge if each.first else None, each.second.odds.edge if each.second else None))
        for each in pairings
    ]
    return _paired_bars(
        "House edge, bet by bet", "Of a full shoe", titles, rows, svg.percent, lambda value: f"{value:.3%}"
    )


def _paired_bars(
    title: str,
    note: str,
    legend: tuple[str, str],
    rows: Sequence[tuple[str, tuple[float | None, float | None]]],
    tick: Callable[[float], str],
    words: Callable[[float], str],
) -> Plot:
    """Two bars for each name."""
    values = [value for _, both in rows for value in both if value is not None]
    across = _Axis(min(0.0, *values), max(0.0, *values), LEFT, WIDTH - RIGHT)
    row, top = 28, TOP + 18
    height = top + row * len(rows) + BOTTOM
    parts = [svg.text("note", 8, 34, note), *across.grid(height, tick, top)]
    for place, (kind, each) in enumerate(zip(("bar", "second"), legend, strict=True)):
        parts.append(svg.rect(kind, LEFT + 300 * place, TOP - 2, 10, 10))
        parts.append(svg.text("note", LEFT + 300 * place + 16, TOP + 7, each))
    for number, (name, both) in enumerate(rows):
        y = top + row * number
        parts.append(svg.text("name", LEFT - 8, y + 16, name))
        for place, (kind, value) in enumerate(zip(("bar", "second"), both, strict=True)):
            if value is not None:
                start, end = sorted((across(0), across(value)))
                parts.append(svg.rect(kind, start, y + 2 + 11 * place, end - start, 10))
                parts.append(svg.text("note", end + 4, y + 11 + 11 * place, words(value)))
    return svg.document(WIDTH, height, title, parts)


def strategy_plot(found: Played) -> Plot:
    """The bankroll of the sessions whose paths were kept, and how all of them ended."""
    plan = found.strategy
    height, left, split = 380, 56, 500
    walks = zip(found.paths, found.bets[: len(found.paths)].tolist(), strict=True)
    kept = [[float(plan.bankroll), *walk[:bets].tolist()] for walk, bets in walks]
    step = -(-max(map(len, kept), default=1) // POINTS)
    ends = found.results + plan.bankroll
    least = min([float(ends.min()), *(min(walk) for walk in kept)])
    most = max([float(ends.max()), *(max(walk) for walk in kept)])
    down = _Axis(least, most, height - BOTTOM, TOP)
    across = _Axis(0, max([1, *(len(walk) - 1 for walk in kept)]), left, split)
    parts = [
        svg.text("note", 8, 34, f"Bankroll after every bet of {len(kept)} sessions"),
        *across.grid(height, svg.plain),
    ]
    for tick in svg.ticks(least, most):
        parts.append(svg.path("grid", [(left, down(tick)), (split, down(tick))]))
        parts.append(svg.text("side", left - 6, down(tick) + 4, svg.plain(tick)))
    for walk, ruined in zip(kept, found.ruined[: len(kept)].tolist(), strict=True):
        shown = sorted({*range(0, len(walk), step), len(walk) - 1})
        points = [(across(number), down(walk[number])) for number in shown]
        parts.append(svg.path("path ruin" if ruined else "path", points))
    parts.append(svg.path("zero", [(left, down(plan.bankroll)), (split, down(plan.bankroll))]))
    parts += _ends(ends, down, split + 24)
    return svg.document(WIDTH, height, f"{found.game}: {plan.system} on {plan.bet}, {len(found):,} sessions", parts)


def _ends(ends: np.ndarray[tuple[int, ...], np.dtype[np.float64]], down: _Axis, left: float) -> list[str]:
    """How all sessions ended, as bars that lie along the axis of the bankroll."""
    counts, edges = np.histogram(ends, BINS, (down.least, down.most))
    longest = (WIDTH - 16 - left) / max(int(counts.max()), 1)
    parts = [svg.text("note", left, 34, "Where all sessions ended")]
    for count, low, high in zip(counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if count:
            parts.append(svg.rect("bar", left, down(high), count * longest, down(low) - down(high) - 0.5))
    return parts
