"""Compiles the hot loops of odds and laboratory once, and the tests' own, into numba's cache.

Tests side by side, their servers and their clusters would each compile them, for none finds what another is about to
write. What is compiled already is only loaded.
"""

from __future__ import annotations

from tests.lab.engine import same
from tests.oracle import count_ranks, count_windows

from puntobanco.cards import Composition
from puntobanco.lab.exposure import exposure
from puntobanco.lab.shoes import Dealing
from puntobanco.lab.simulate import simulate
from puntobanco.lab.strategies import Strategy, play
from puntobanco.odds import weights
from puntobanco.rules.load import find_book

DEALING = Dealing(decks=8, cut=14)


def main() -> None:
    book = find_book("tiger-buffalo")
    weights(Composition.of_decks(8, suited=book.suited), book.space)
    simulate(book, DEALING, shoes=8, seed=1)
    exposure(book, DEALING, bets=["tie"], shoes=8, seed=1)
    play(book, Strategy(bet="player", insure="advantage"), DEALING, sessions=1, seed=1)
    same("super-six", DEALING, 1, 1)
    count_ranks([4] * 13)
    count_windows([16, *[4] * 9])


if __name__ == "__main__":
    main()
