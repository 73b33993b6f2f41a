"""Figures for Prometheus, in its text form."""

from __future__ import annotations

import bisect
import os
import resource
from collections.abc import Iterable, Iterator
from pathlib import Path

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds."""


def memory() -> int:
    """Bytes of this process that are in memory now; where the system does not say so, the most there were."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return pages * os.sysconf("SC_PAGE_SIZE")


class Histogram:
    """How long something took."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect.bisect_left(BOUNDS, seconds)] += 1
        self._sum += seconds

    def lines(self, name: str) -> Iterator[str]:
        total = 0
        for bound, count in zip((*BOUNDS, "+Inf"), self._counts, strict=True):
            total += count
            yield f'{name}_bucket{{le="{bound}"}} {total}'
        yield f"{name}_sum {self._sum:.6f}"
        yield f"{name}_count {total}"


def exposition(
    counters: Iterable[tuple[str, str, float]],
    gauges: Iterable[tuple[str, str, float]],
    histograms: Iterable[tuple[str, str, Histogram]],
) -> str:
    """Names without prefix, what they are, values."""
    lines: list[str] = []
    for kind, figures in (("counter", counters), ("gauge", gauges)):
        for name, about, value in figures:
            full = f"puntobanco_{name}"
            lines += [f"# HELP {full} {about}", f"# TYPE {full} {kind}", f"{full} {value}"]
    for name, about, histogram in histograms:
        full = f"puntobanco_{name}"
        lines += [f"# HELP {full} {about}", f"# TYPE {full} histogram", *histogram.lines(full)]
    return "\n".join(lines) + "\n"
