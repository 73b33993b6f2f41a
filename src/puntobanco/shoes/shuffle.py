"""A shuffled shoe: every swap by fresh bytes from the operating system, without bias.

A generator with a seed reaches no more orders than it has seeds; eight decks have about 2 to the 3,025th. So
there is no generator and no seed here: two fresh bytes for each swap, and two more whenever they are rejected.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from struct import unpack

from puntobanco.cards import CARDS_IN_DECK, MAX_DECKS

Source = Callable[[int], bytes]
"""Gives as many bytes as it is asked for, each of the 256 equally likely and independent of all others."""

WORDS = 1 << 16
"""How many values two bytes have."""


class ShuffleError(ValueError):
    """A shoe that cannot be made, or a source that does not give what it is asked for."""


def shuffled(decks: int, source: Source = os.urandom) -> bytes:
    """Full decks in an order of which every one is equally likely: a byte a card, its index, the top one first."""
    if not 1 <= decks <= MAX_DECKS:
        raise ShuffleError(f"{decks} decks: a shoe is made of 1 to {MAX_DECKS} decks")
    return bytes([place % CARDS_IN_DECK for place in permutation(CARDS_IN_DECK * decks, source)])


def permutation(size: int, source: Source = os.urandom) -> list[int]:
    """The numbers below ``size`` in a chance order (Fisher and Yates): each place, from the last on, draws its own."""
    if not 1 <= size <= WORDS:
        raise ShuffleError(f"{size} cards: 1 to {WORDS:,} can be shuffled")
    order = list(range(size))
    # one call for a word a swap, for speed; every swap still has bytes of its own
    words = unpack(f">{size - 1}H", take(2 * (size - 1), source))
    for bound, word in zip(range(size, 1, -1), words, strict=True):
        while word >= WORDS - WORDS % bound:
            (word,) = unpack(">H", take(2, source))
        place = word % bound
        order[bound - 1], order[place] = order[place], order[bound - 1]
    return order


def take(count: int, source: Source = os.urandom) -> bytes:
    """So many bytes, or an error: a source that runs short must not pass unseen."""
    given = source(count)
    if len(given) != count:
        raise ShuffleError(f"the source of chance gave {len(given)} bytes where {count} were asked for")
    return given
