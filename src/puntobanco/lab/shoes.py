"""Simulated shoes: how they are made up and dealt, made ready for the kernel."""

from __future__ import annotations

from itertools import product
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.cards import CARDS, CARDS_IN_DECK, MAX_DECKS, Card
from puntobanco.coup import banker_draws, player_draws
from puntobanco.lab import shoe_kernel as kernel
from puntobanco.lab.shoe_kernel import CARDS_A_GROUP, FIRST_CARD, FIRST_VALUE, OPENINGS, UNLESS_FIRST, Rules
from puntobanco.outcomes import Pair, PairState, Space
from puntobanco.rules.model import RuleBook

ROUND = 6
"""The most cards a round can take."""
MOST_BURNT = 20
_BURNS = {"first": FIRST_CARD, "value": FIRST_VALUE}
_AFTER = {0: 0, 1: 1, "unless_first": UNLESS_FIRST}
SEEDS = 2**64


class SimulationError(ValueError):
    """A shoe that cannot be dealt, or a number of shoes or rounds that makes no sense."""


class Dealing(msgspec.Struct, frozen=True, kw_only=True):
    """How a shoe is dealt. The round in which a card behind the Cut Card is drawn is the last, but for ``after``."""

    decks: int
    cut: int = 16
    """Cards behind the Cut Card."""
    burn: int | Literal["first", "value"] = "first"
    """Cards to burn before the first round: a number, or the first card and as many as its value says; one that counts
    zero says ten (``first``), or none (``value``)."""
    after: Literal[0, 1, "unless_first"] = 0
    """Rounds after the one in which the Cut Card appears; ``unless_first``: one, unless it came in the place of that
    round's first card."""

    def __post_init__(self) -> None:
        size = self.size
        if not 1 <= self.decks <= MAX_DECKS:
            raise SimulationError(f"{self.decks} decks: a shoe is made of 1 to {MAX_DECKS}")
        if self.after not in _AFTER:
            raise SimulationError(f"{self.after} rounds after the Cut Card: 0, 1 or unless_first")
        if self.burn not in _BURNS and (isinstance(self.burn, str) or not 0 <= self.burn <= MOST_BURNT):
            raise SimulationError(f"{self.burn} cards to burn: 0 to {MOST_BURNT}, or {' or '.join(_BURNS)}")
        burnt = 11 if isinstance(self.burn, str) else self.burn
        least, most = ROUND * (2 if self.after else 1), size - burnt
        if not least <= self.cut <= most:
            raise SimulationError(
                f"the Cut Card {self.cut} cards from the end of {size}: such a shoe cannot be dealt, "
                f"put it at {least} to {most}"
            )

    @property
    def size(self) -> int:
        return self.decks * CARDS_IN_DECK

    @property
    def most_rounds(self) -> int:
        """More rounds than a shoe can have."""
        return self.size // 4 + 2

    def setup(self, *, suited: bool) -> kernel.Setup:
        """For the kernel. The cards lie rank by rank before the shuffle, suit by suit where those matter."""
        dealt = self.size - self.cut + ROUND * (2 if self.after else 1)
        groups = -(-min(dealt, self.size) // CARDS_A_GROUP)
        thresholds = [
            _threshold(self.size - CARDS_A_GROUP * group - 2 * part) for part in range(4) for group in range(groups)
        ]
        start = np.repeat(np.array([_byte(card, suited) for card in CARDS], np.uint8), self.decks)
        burn = _BURNS[self.burn] if isinstance(self.burn, str) else self.burn
        return kernel.Setup(start, np.array(thresholds, np.uint64), burn, self.size - self.cut, _AFTER[self.after])


def dealing_of(book: RuleBook, decks: int | None = None, **settings: Any) -> Dealing:
    """The game's own number of decks, or one it allows."""
    allowed = book.decks
    number = allowed.default if decks is None else decks
    if not allowed.least <= number <= allowed.most:
        raise SimulationError(
            f"{number} decks: {book.title} is played with {allowed.least} to {allowed.most} "
            f"({book.cite(allowed.paragraph)})"
        )
    return Dealing(decks=number, **settings)


def check_seed(seed: int) -> np.uint64:
    """The seed as the kernel wants it; refused where it has more than 64 bits."""
    if not 0 <= seed < SEEDS:
        raise SimulationError(f"seed {seed}: a whole number from 0 to {SEEDS - 1}")
    return np.uint64(seed)


def _threshold(left: int) -> int:
    """Below this the rest of a word is rejected that placed two of the cards left."""
    return 2**32 % (left * (left - 1)) if left > 1 else 0


def _byte(card: Card, suited: bool) -> int:
    face = max(0, card.rank.index - 9)
    return card.points | (card.index % 4 if suited else 0) << 4 | face << 6


def card_of(byte: int) -> Card:
    """The card behind a byte of a shuffled shoe; a spade where suits do not matter."""
    value, face = byte & kernel.VALUE, byte >> 6
    rank = value - 1 if value else 9 + face
    return CARDS[rank * 4 + (byte >> 4 & 3)]


def rank_of(cards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The ranks of cards, Ace 0 to King 12."""
    return _RANK_OF_BYTE[cards]


_RANK_OF_BYTE = np.array([card_of(byte).rank.index if byte & kernel.VALUE < 10 else 0 for byte in range(256)], np.uint8)


def rules_of(space: Space) -> Rules:
    """The Table of Play and a space's numbers, as the kernel wants them."""
    turns, last = np.zeros(OPENINGS * 10, np.uint16), np.zeros(11 * 16, np.uint8)
    for banker, value in product(range(10), repeat=2):
        last[banker * 16 + value] = 4 * ((banker + value) % 10)
    for player, banker, value in product(range(19), range(19), range(10)):
        turns[player + 19 * banker + OPENINGS * value] = _turn(player % 10, banker % 10, value)
    return Rules(turns, last, _states(space), len(space.states), space.suited)


def _turn(player: int, banker: int, value: int) -> int:
    """What two openings and the value of the fifth card come to."""
    cards, last = 4, 10
    player_three = player_draws(player, banker)
    banker_three = banker_draws(player, banker, value if player_three else None)
    if player_three:
        player, cards = (player + value) % 10, 5
    if banker_three and player_three:
        cards, last, banker = 6, banker, 0
    elif banker_three:
        banker, cards = (banker + value) % 10, 5
    code = ((player * 10 + banker) * 2 + player_three) * 2 + banker_three
    return code | (cards - 4) << 9 | last << 11


def _states(space: Space) -> NDArray[np.uint8]:
    states = np.zeros(18, np.uint8)
    for number, state in enumerate(space.states):
        player, banker = (Pair.SUITED if pair and not space.suited else pair for pair in (state.player, state.banker))
        states[player + 3 * banker + 9 * state.twin] = number
    assert space.states[0] == PairState(Pair.NONE, Pair.NONE)
    return states
