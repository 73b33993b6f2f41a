"""A comparison as a small drawing: the 99% band, and where the figure lies in standard deviations."""

from __future__ import annotations

from puntobanco.reports.statistics import Comparison

WIDTH, HEIGHT, MOST = 150, 14, 5
"""Pixels, and the standard deviations from the middle to either end."""


def _place(deviations: float) -> float:
    return WIDTH / 2 + max(-MOST, min(MOST, deviations)) * (WIDTH / 2 - 6) / MOST


def bar_of(each: Comparison) -> str:
    """The drawing as SVG, into which nothing goes but numbers."""
    if not each.sd:
        return ""
    low, high = (_place(float(end - each.expected) / each.sd) for end in each.band)
    middle, at = _place(0), _place(each.z)
    state = "out" if each.judged and each.outside else "in"
    left, right = sorted((middle, at))
    beyond = abs(each.z) > MOST
    reach = 4 if at > middle else -4
    mark = (
        f'<path d="M{at:.1f} 3l{reach} 4l{-reach} 4z" class="{state}"/>'
        if beyond
        else f'<circle cx="{at:.1f}" cy="7" r="3" class="{state}"/>'
    )
    return (
        f'<svg class="bar" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{each.z:+.2f} standard deviations">'
        f'<rect x="{low:.1f}" y="2" width="{high - low:.1f}" height="10" class="band"/>'
        f'<line x1="{left:.1f}" y1="7" x2="{right:.1f}" y2="7" class="way {state}"/>'
        f'<line x1="{middle:.1f}" y1="0" x2="{middle:.1f}" y2="{HEIGHT}" class="middle"/>{mark}</svg>'
    )
