"""Drawings as SVG made by hand: plain numbers in, the same bytes out on every machine.

A plotting library would bring its version, its fonts and often a date or random ids into the file.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

_STYLE = """
.plot{background:#fff}
.plot text{font:11px "Liberation Sans","Helvetica Neue",Arial,sans-serif;fill:#16202b}
.plot .grid{stroke:#e2e6eb;fill:none}.plot .zero{stroke:#7b8592;fill:none}
.plot .line{stroke:#1d4f7c;stroke-width:1.3;fill:none}
.plot .path{stroke:#1d4f7c;stroke-opacity:.35;stroke-width:.9;fill:none}.plot .ruin{stroke:#a3161a;stroke-opacity:.45}
.plot .tick{text-anchor:middle;fill:#566170}.plot .side{text-anchor:end;fill:#566170}
.plot .name{text-anchor:end}.plot .note{fill:#566170}.plot .title{font-weight:700;font-size:13px}
.plot .bar{fill:#4d7ea8}.plot .second{fill:#d8775c}.plot .bad{fill:#a3161a}
"""
"""Of the plot alone: a notebook puts the whole document into its page."""


class Plot(str):
    """An SVG document, complete in itself; a notebook shows it as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def document(width: int, height: int, title: str, parts: Sequence[str]) -> Plot:
    """A file of its own."""
    return Plot(
        f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(title)}">\n<style>{_STYLE}</style>\n'
        + text("title", 8, 18, title)
        + "\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def element(width: int, height: int, label: str, parts: Sequence[str]) -> str:
    """A part of a page, which has the styles."""
    return (
        f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(label)}">' + "".join(parts) + "</svg>"
    )


def text(kind: str, x: float, y: float, words: str) -> str:
    """A text at a place."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{html.escape(words)}</text>'


def rect(kind: str, x: float, y: float, width: float, height: float) -> str:
    """A rectangle."""
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}"/>'


def path(kind: str, points: Sequence[tuple[float, float]]) -> str:
    """A line through points."""
    return f'<path class="{kind}" d="M{"L".join(f"{x:.1f} {y:.1f}" for x, y in points)}"/>'


def ticks(least: float, most: float) -> list[float]:
    """Round numbers along an axis, about six of them."""
    rough = (most - least) / 6
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    return [number * step for number in range(math.ceil(least / step), math.floor(most / step) + 1)]


def plain(number: float) -> str:
    """A number as it is printed beside an axis."""
    return f"{number:g}".replace("-", "−")


def percent(number: float) -> str:
    """A share in percent, with as many digits as it has."""
    return plain(float(f"{number * 100:.12g}")) + "%"
