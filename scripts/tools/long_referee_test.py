"""Plays random stories of live rounds on the engine, and stops where the referee of tests/referee says something else.

Every story has a seed of its own, one after the other. Where engine and referee differ, what each says is printed,
and the story so far as a history: ``puntobanco run`` plays it.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence

from tests.referee.felt import ROUNDS, DifferenceError
from tests.referee.unasked import Unasked

EVERY = 10
"""Seconds between two lines of progress."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/long-referee-test", description=__doc__)
    parser.add_argument("rounds", type=int, nargs="?", default=200_000, help="rounds to play in all (200,000)")
    parser.add_argument("--seed", type=int, default=None, help="the first seed; by the clock if none is given")
    options = parser.parse_args(arguments)
    first = int(time.time()) * 1_000 if options.seed is None else options.seed
    seen: Counter[str] = Counter()
    begun = shown = time.monotonic()
    for seed in itertools.count(first):
        story = Unasked(seed)
        try:
            story.story_of(ROUNDS)
        except Exception as found:
            if isinstance(found, DifferenceError):
                print(found)
            else:
                traceback.print_exc()
                print(story.told())
            print(f"after {seen['rounds']:,} rounds; to see it again: scripts/long-referee-test 1 --seed {seed}")
            return 1
        seen += story.seen
        if seen["rounds"] >= options.rounds or time.monotonic() > shown + EVERY:
            shown = time.monotonic()
            print(f"{seen['rounds']:,} rounds, {seen['rounds'] / (shown - begun):,.0f} rounds/s", flush=True)
        if seen["rounds"] >= options.rounds:
            print(", ".join(f"{what} {count:,}" for what, count in seen.most_common()))
            return 0
    raise AssertionError


if __name__ == "__main__":
    sys.exit(main())
