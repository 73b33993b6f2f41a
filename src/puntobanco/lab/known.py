"""What somebody who has seen every card knows before each round, and the insurance on offer in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puntobanco.cards import Composition, Side
from puntobanco.coup import banker_draws, player_draws
from puntobanco.lab import shoe_kernel as kernel
from puntobanco.lab.insurance_kernel import Offers
from puntobanco.lab.shoe_kernel import Known
from puntobanco.lab.shoes import Dealing, card_of, rules_of
from puntobanco.rules.model import RuleBook, Window

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

WINDOWS = (Window.FOUR_CARDS, Window.PLAYER_THIRD)
SIDES = (Side.PLAYER, Side.BANKER)
SEEN = {Window.FOUR_CARDS: 4, Window.PLAYER_THIRD: 5}
"""Cards of the round that lie open when a window opens."""


def deal_known(book: RuleBook, dealing: Dealing, seed: np.uint64, first: int, shoes: int) -> tuple[Known, int]:
    """Shoes from number ``first`` on, and how many rounds they have; what follows those is not filled in."""
    full = np.array(Composition.of_decks(dealing.decks, suited=book.suited).counts)
    most = shoes * dealing.most_rounds
    known = Known(
        np.empty((most, len(full)), np.int64),
        np.empty((most, 6), np.uint8),
        np.empty(most, np.int32),
        np.empty(most, np.int32),
        np.empty(most, np.int32),
        np.zeros(shoes, np.int32),
    )
    setup, rules = dealing.setup(suited=book.suited), rules_of(book.space)
    return known, kernel.know_shoes(seed, first, setup, rules, kinds_of_bytes(suited=book.suited), full, known)


def kinds_of_bytes(*, suited: bool) -> NDArray[np.uint8]:
    """The place of every card, as the kernel has it, in a composition."""
    kinds = np.zeros(256, np.uint8)
    for byte in range(256):
        if byte & kernel.VALUE < 10:
            card = card_of(byte)
            kinds[byte] = card.index if suited else card.rank.index
    return kinds


def ranks_of(compositions: Integers) -> Integers:
    """Cards by rank, from those by rank or by card."""
    ranks: Integers = compositions.reshape(len(compositions), 13, -1).sum(axis=2)
    return ranks


def values_of(ranks: Integers) -> Integers:
    """Cards by value, 0 to 9."""
    return np.concatenate((ranks[:, 9:].sum(axis=1, keepdims=True), ranks[:, :9]), axis=1)


def offers(book: RuleBook) -> Offers:
    """The insurance table and the Table of Play, as the kernel wants them."""
    assert book.insurance is not None
    rows = np.full((2, 2, 10, 10), -1, np.int64)
    for number, row in enumerate(book.insurance.rows):
        for own in row.own:
            rows[WINDOWS.index(row.window), SIDES.index(row.hand), own, list(row.other)] = number
    pays = [(float(row.odds.fraction), float(row.tie_pays)) for row in book.insurance.rows]
    player = np.array([[player_draws(p, t) for t in range(10)] for p in range(10)])
    banker = np.zeros((11, 10, 10), np.bool_)
    for p, t in np.ndindex(10, 10):
        for x in range(10) if player[p, t] else (10,):
            banker[x, p, t] = banker_draws(p, t, None if x == 10 else x)
    return Offers(player, banker, rows, np.array(pays))
