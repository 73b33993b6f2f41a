"""A short simulation holds, is the same each time, and finds a bug; ``scripts/simulate-floor`` goes on for hours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.simulation.bugs import BUGS
from tests.simulation.world import Plan, simulate

ROOT = Path(__file__).parents[2]
SHORT = Plan(seed=7, hours=0.02, tables=2, rate=8.0)


@pytest.mark.parametrize("several", [False, True], ids=["sqlite", "two processes"])
def test_a_floor_with_faults_holds(several: bool) -> None:
    result = simulate(Plan(seed=7, hours=0.02, tables=2, rate=8.0, several=several))
    assert not result.broken
    assert result.faults
    assert result.rounds


def test_the_same_seed_is_the_same_trace_in_any_process() -> None:
    program = (
        "import logging; logging.disable(); from tests.simulation.test_simulation import SHORT;"
        " from tests.simulation.world import simulate; print(simulate(SHORT).trace)"
    )
    traces = [
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    assert traces[0]
    assert traces == [traces[0]] * 2


def test_a_stream_that_skips_a_version_is_found() -> None:
    assert simulate(SHORT, bug=BUGS["version-skipped"].put_in).broken
