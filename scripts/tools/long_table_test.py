"""Walks random tables by random commands for as long as you like, and stops at the first thing that does not hold.

First come the searches that ``scripts/test`` goes a part of the way, all of it.
Every walk has a seed of its own, one after the other. The seed of a walk that fails is printed: with ``--seed`` it
fails again, and ``--length`` shows how few steps it needs. What is checked stands in tests/table/walk.py.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from random import Random

from tests.search import WHOLE
from tests.table.test_properties import everything
from tests.table.walk import Walk

EVERY = 10
"""Seconds between two lines of progress."""


def walk(seed: int, length: int, looks: int) -> Walk:
    """One walk, to its end."""
    walked = Walk(Random(seed), looks=looks)
    for _ in range(length):
        walked.step()
    walked.finish()
    if seed % 3 == 0:
        walked.close()
    return walked


def searches() -> int:
    """What scripts/test searches a part of, the whole way; pytest's exit status."""
    print("the searches of scripts/test, all the way", flush=True)
    command = [sys.executable, "-m", "pytest", "-m", "search"]
    return subprocess.run(command, env=os.environ | {WHOLE: "1"}, check=False).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/long-table-test", description=__doc__)
    parser.add_argument("--steps", type=int, default=1_000_000, help="commands to give in all (1,000,000)")
    parser.add_argument("--seed", type=int, default=None, help="the first seed; by the clock if none is given")
    parser.add_argument("--length", type=int, default=150, help="steps of a walk before it is led to its end (150)")
    parser.add_argument("--looks", type=int, default=20, help="one in so many steps is seen through views (20)")
    options = parser.parse_args(arguments)
    if options.seed is None and (failed := searches()):
        return failed
    first = int(time.time()) * 1_000 if options.seed is None else options.seed
    seen: Counter[str] = Counter()
    steps, begun, shown = 0, time.monotonic(), time.monotonic()
    for seed in itertools.count(first):
        try:
            walked = walk(seed, options.length, options.looks)
        except Exception:
            traceback.print_exc()
            same = f"--length {options.length} --looks {options.looks} --seed {seed}"
            again = f"scripts/long-table-test --steps 1 {same}"
            print(f"after {steps:,} good steps; to see it again: {again}", file=sys.stderr)
            return 1
        steps += walked.steps
        seen += walked.seen
        if steps >= options.steps or time.monotonic() > shown + EVERY:
            shown = time.monotonic()
            rate = steps / (shown - begun)
            print(f"{steps:,} steps, {seen['RoundSettled']:,} rounds settled, {rate:,.0f} steps/s", flush=True)
        if steps >= options.steps:
            if missing := sorted(everything() - seen.keys()):
                print(f"never happened: {', '.join(missing)}")
            return 0
    raise AssertionError


if __name__ == "__main__":
    sys.exit(main())
