"""The soak in short form, and its verdict."""

from __future__ import annotations

import asyncio

from scripts.tools.soak_test import SLACK, Sample, judged, names, soak
from tests.floor.serving import Nursery, Server, new_house
from tests.patience import limit


def samples(a_second: float) -> list[Sample]:
    """An hour in which memory grows at first, and then by so many bytes a second."""
    return [Sample(at, int(100e6 + 1e6 * min(at, 60) + a_second * at), 100 * at) for at in range(0, 3601, 18)]


def test_memory_that_grows_at_the_start_only_is_flat() -> None:
    assert judged(samples(0)).flat
    assert judged(samples(0)).grown == 0


def test_memory_that_grows_all_the_time_is_not_flat() -> None:
    assert judged(samples(0.9 * SLACK / 1800)).flat
    assert not judged(samples(1.1 * SLACK / 1800)).flat


def test_a_few_seconds_of_the_soak(nursery: Nursery) -> None:
    with new_house("sqlite") as house:
        house.add_players(names())
        server = Server(nursery, house).start()
        verdict = asyncio.run(soak(house, server, limit(6.0)))  # longer where less happens in a second
        server.stop()
        assert "Traceback" not in server.log()
    assert verdict.samples[-1].memory > 20e6
    assert verdict.samples[-1].events > 100
    assert verdict.reconnects >= len(names())
    assert "flat" in str(verdict).lower()
