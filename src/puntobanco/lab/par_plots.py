"""The plots of a PAR sheet."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from puntobanco.lab import svg
from puntobanco.lab.par_bets import LEVELS, BetSheet

WIDTH = 640
"""All plots are drawn so wide, in units that the page scales."""
ROW = 13
NAME = 150
"""Room for the names of bets."""


def edge_bars(bets: Sequence[BetSheet]) -> str:
    """The house edge of every bet, side by side."""
    most = max(max(float(bet.edge) for bet in bets), 0.01)
    least = min(min(float(bet.edge) for bet in bets), 0.0)
    scale = (WIDTH - NAME - 60) / (most - least)
    zero = NAME - least * scale
    height = ROW * len(bets) + 16
    parts = []
    for tick in svg.ticks(least, most):
        at = zero + tick * scale
        parts.append(f'<path class="grid" d="M{at:.1f} 0V{height - 14}"/>')
        parts.append(f'<text class="tick" x="{at:.1f}" y="{height - 3}">{svg.percent(tick)}</text>')
    for row, bet in enumerate(bets):
        edge, top = float(bet.edge), ROW * row
        left, right = sorted((zero, zero + edge * scale))
        kind = "bar" if edge > 0 else "bar bad"
        parts.append(f'<text class="name" x="{NAME - 6}" y="{top + 10}">{html.escape(bet.bet.name)}</text>')
        parts.append(f'<rect class="{kind}" x="{left:.1f}" y="{top + 2}" width="{right - left:.1f}" height="9"/>')
        parts.append(f'<text class="value" x="{right + 4:.1f}" y="{top + 10}">{edge:.3%}</text>')
    return svg.element(WIDTH, height, "House edge of every bet", parts)


_FUNNEL_WIDTH, _FUNNEL_HEIGHT = 314, 150
_LEFT, _TOP, _BOTTOM = 44, 18, 18
_FIRST, _LAST = 3, 6
"""Powers of ten on the axis of rounds."""


def hold_funnel(bet: BetSheet) -> str:
    """The bands of hold as the rounds go on."""
    width, height = _FUNNEL_WIDTH - _LEFT - 8, _FUNNEL_HEIGHT - _TOP - _BOTTOM
    reach = bet.band(10**_FIRST, 99)[1] - bet.odds.edge
    low, high = bet.odds.edge - reach, bet.odds.edge + reach

    def across(power: float) -> float:
        return _LEFT + (power - _FIRST) / (_LAST - _FIRST) * width

    def down(value: float) -> float:
        return _TOP + (high - value) / (high - low) * height

    powers = [_FIRST + step / 20 for step in range(20 * (_LAST - _FIRST) + 1)]
    parts = [f'<text class="title" x="{_LEFT}" y="11">{html.escape(bet.bet.name)}</text>']
    for level in sorted(LEVELS, reverse=True):
        bands = [bet.band(round(10**power), level) for power in powers]
        upper = [f"{across(power):.1f} {down(end):.1f}" for power, (_, end) in zip(powers, bands, strict=True)]
        lower = [f"{across(power):.1f} {down(end):.1f}" for power, (end, _) in zip(powers, bands, strict=True)]
        parts.append(f'<path class="band{level}" d="M{"L".join(upper)}L{"L".join(reversed(lower))}Z"/>')
    for tick in svg.ticks(low, high):
        at = down(tick)
        parts.append(f'<path class="{"zero" if not tick else "grid"}" d="M{_LEFT} {at:.1f}h{width}"/>')
        parts.append(f'<text class="side" x="{_LEFT - 4}" y="{at + 3:.1f}">{svg.percent(tick)}</text>')
    parts.append(f'<path class="edge" d="M{_LEFT} {down(bet.odds.edge):.1f}h{width}"/>')
    for power in range(_FIRST, _LAST + 1):
        anchor = ' style="text-anchor:end"' if power == _LAST else ""
        at = across(power) + (6 if power == _LAST else 0)
        parts.append(f'<text class="tick" x="{at:.1f}" y="{_FUNNEL_HEIGHT - 5}"{anchor}>{10**power:,}</text>')
    return svg.element(_FUNNEL_WIDTH, _FUNNEL_HEIGHT, f"Bands of hold, {bet.bet.name}", parts)


def spark(values: Sequence[float]) -> str:
    """A line without axes: how a figure moves with the number of decks."""
    low, high = min(values), max(values)
    spread = (high - low) or 1.0
    step = 52 / max(len(values) - 1, 1)
    points = [f"{2 + step * at:.1f} {11 - 9 * (value - low) / spread:.1f}" for at, value in enumerate(values)]
    return f'<svg class="spark" viewBox="0 0 56 13" aria-hidden="true"><path d="M{"L".join(points)}"/></svg>'


def shade(value: float, most: float) -> str:
    """The class of a heat map's cell: its sign and five strengths; nothing near zero."""
    strength = math.ceil(abs(value) / most * 5 - 0.25) if most else 0
    return f"{'u' if value > 0 else 'd'}{min(strength, 5)}" if strength > 0 else ""
