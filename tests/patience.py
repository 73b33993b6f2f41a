"""How long tests wait: for a condition, and never longer than a hang would last.

No test waits for a time. It says what it waits for, and goes on as soon as that is so. A limit only ends what would
never end; it is as good on a slow machine as on a fast one, for it grows with the pace that is measured here. Every
limit of the tests comes from :func:`limit`, and nothing that is right is expected to come near it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

HANG = 240.0
"""Seconds after which something hangs, on a quiet machine of the usual speed."""
USUAL = 0.025
"""Seconds that :func:`_work` takes on such a machine."""
SLOWEST = 20.0
"""No machine counts as slower than that: a hang has to end some time."""
FRESH = 30.0
"""Seconds for which a measured pace is believed; what else runs on the machine comes and goes."""
LOOK = 0.01
"""Seconds between two looks, at least."""
SHARE = 4
"""A look that takes long is followed by a pause this many times as long: who waits leaves the machine to who works."""

_measured: tuple[float, float] | None = None
"""When the pace was measured last, and what it was."""


def _work() -> int:
    """A little of what tests mostly do: plain Python."""
    kept: dict[int, str] = {}
    for number in range(250_000):
        kept[number % 997] = str(number)
    return len(kept)


def pace() -> float:
    """By how much this machine is slower than the usual one, together with all that runs beside us; at least 1."""
    global _measured
    begun = time.monotonic()
    if _measured is None or begun - _measured[0] > FRESH:
        _work()
        took = time.monotonic() - begun
        _measured = begun, min(max(took / USUAL, 1.0), SLOWEST)
    return _measured[1]


def limit(seconds: float = HANG) -> float:
    """Seconds after which something hangs here and now."""
    return seconds * pace()


def until(done: Callable[[], object], what: str | Callable[[], object] = "it did not come to that") -> None:
    """Wait for a condition; ``what`` says what is wrong where it never comes true."""
    end = time.monotonic() + limit()
    begun = time.monotonic()
    while not done():
        now = time.monotonic()
        assert now < end, what() if callable(what) else what
        time.sleep(max(LOOK, SHARE * (now - begun)))
        begun = time.monotonic()


async def come_true(done: Callable[[], object], what: str | Callable[[], object] = "it did not come to that") -> None:
    """The same among coroutines."""
    end = time.monotonic() + limit()
    while not done():
        assert time.monotonic() < end, what() if callable(what) else what
        await asyncio.sleep(LOOK)


@asynccontextmanager
async def no_hang() -> AsyncIterator[None]:
    """For coroutines that wait for something by themselves."""
    async with asyncio.timeout(limit()):
        yield
