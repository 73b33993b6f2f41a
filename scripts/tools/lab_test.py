"""The simulation against the table engine on many shoes: ``scripts/lab-test [SHOES]``, 100,000 by default."""

from __future__ import annotations

import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Literal

from scripts.tools.arguments import counts
from tests.lab.engine import same

from puntobanco.lab.shoes import Dealing
from puntobanco.rules.load import GAMES, find_book

SHOES = 100_000
PART = 50
"""Shoes of one game, one way of dealing and one seed."""


def compare(number: int) -> int:
    """One part, all of it chosen by its number."""
    chance = random.Random(number)
    game = GAMES[number % len(GAMES)]
    decks = find_book(game).decks
    after: Literal[0, 1] = 1 if chance.random() < 0.5 else 0
    size = chance.randint(decks.least, decks.most)
    least = 6 * (1 + after)
    dealing = Dealing(
        decks=size,
        cut=chance.randint(least, min(least + 40, size * 52 - 20)),
        burn=chance.choice(["first", 0, chance.randint(1, 10)]),
        after=after,
    )
    return same(game, dealing, number, PART)


def main(shoes: int) -> None:
    parts = -(-shoes // PART)
    begun = time.monotonic()
    rounds = 0
    compare(0)  # compiles before there are many processes
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for done, played in enumerate(pool.map(compare, range(parts), chunksize=4), 1):
            rounds += played
            if done % 100 == 0 or done == parts:
                print(
                    f"{done * PART:,} shoes, {rounds:,} rounds: the same ({time.monotonic() - begun:,.0f} s)",
                    flush=True,
                )


if __name__ == "__main__":
    main(*counts(sys.argv[1:], __doc__, 1) or [SHOES])
