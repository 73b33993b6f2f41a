"""What betting from each true count on gains, by Cut Card depth: the hot loop, compiled by numba.

All of it stands in one file, because numba's cache notices edits in that file only.
"""

from __future__ import annotations

from typing import Any

from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

Array = NDArray[Any]

HALF = 16
"""Half the bits behind the point of a gain."""


@register_jitable
def _add(by_step: Array, top: int, gains: Array, squares: Array, rough: Array) -> None:
    """Add a shoe, so far: for every trigger what the rounds at or above it gain, and the square of that."""
    above = 0
    for step in range(top, -1, -1):
        above += by_step[step]
        gains[step] += above
        whole, rest = above >> HALF, above & ((1 << HALF) - 1)
        squares[step] += whole * whole + ((whole * rest) >> (HALF - 1))
        rough[step] += float(above) * float(above)


def _count_shoes(
    shoes: Array, levels: Array, steps: Array, gains: Array, by_step: Array, sums: Array, rough: Array
) -> None:
    """Sums by kind (gains, their squares by shoe, rounds), depth and trigger, over rounds in their order.

    A round counts for its level of depth and all before it; levels fall within a shoe, as a shoe goes on. The rounds
    are left in the places of their own level and step, to be added up. ``rough`` are the squares again, as floats that
    show whether they were too large. ``by_step`` is room to work in.
    """
    number = len(shoes)
    at = 0
    while at < number:
        shoe, top, level = shoes[at], -1, sums.shape[1] - 1
        by_step[:] = 0
        going = True
        while going:
            going = at < number and shoes[at] == shoe
            now = levels[at] if going else -1
            while level > now:
                _add(by_step, top, sums[0, level], sums[1, level], rough[level])
                level -= 1
            if going:
                step = min(steps[at], len(by_step) - 1)
                if step >= 0:
                    by_step[step] += gains[at]
                    sums[2, now, step] += 1
                    top = max(top, step)
                at += 1


try:
    count_shoes = njit(cache=True, nogil=True)(_count_shoes)
except RuntimeError:  # there is no folder that the cache could be written to
    count_shoes = njit(nogil=True)(_count_shoes)
