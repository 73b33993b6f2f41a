"""Shuffles and deals shoes by the million: the hot loops, compiled by numba. ``docs/lab.md`` has the stream in words.

Random words are Philox4x32-10 of the seed (its key) and a counter: group, attempt, and the shoe's number. So a shoe
depends on the seed and its number alone, and its words can be made in any order, many at a time. A word of 32 bits
places two cards: times the cards left, then its lower half times one fewer. Where what remains is below a threshold,
which would favour some places, the word of the next attempt is taken.

A card is a byte: its value, its suit from bit 4 (0 where suits do not matter), and from bit 6 which of the four ranks
that count zero it is. The rules come as tables. All of it stands in one file, because numba's cache notices edits in
that file only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

Array = NDArray[Any]

_MULTIPLY_0, _MULTIPLY_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_WEYL_0, _WEYL_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_ONE = np.uint64(1)

VALUE = 0x0F
RANK = 0xCF
"""The bits of a card that make its value, and its rank."""
CARDS_A_GROUP = 8
OPENINGS = 361
"""Sums of two values, 0 to 18, of Player and Banker."""
FIRST_CARD, FIRST_VALUE = -1, -2
"""In place of a number of cards to burn: as many as the first card says, and itself; ten for one that counts zero, or
none."""

UNLESS_FIRST = 2
"""In place of a number of rounds after the Cut Card: one, unless the Cut Card came in the place of a first card."""


class Rules(NamedTuple):
    """The Table of Play and the numbers of outcomes."""

    turns: Array
    """By the sums of both openings and the fifth card's value: 9 bits of the code, 2 of cards beyond four, 4 of the
    row of ``last``."""
    last: Array
    """By Banker's points and the sixth card's value: what the card adds to the code. Row 10: there is none."""
    states: Array
    """By kinds of pairs (none, of two suits, of one), Player's, Banker's, and whether of one rank: the pair state."""
    width: int
    """Pair states of the space."""
    suited: bool


class Setup(NamedTuple):
    """A kind of shoe and how it is dealt."""

    start: Array
    """The cards before the shuffle."""
    thresholds: Array
    """Of each word; words of one place in their group stand together."""
    burn: int
    stop: int
    """A round that begins behind this card is not played, unless it is one of ``after``."""
    after: int


class Known(NamedTuple):
    """By round, of many shoes: the unseen cards before it, its six cards (or what follows), where it begins, its shoe,
    and its outcome; and by shoe its rounds."""

    unseen: Array
    cards: Array
    places: Array
    shoes: Array
    outcomes: Array
    lengths: Array


@register_jitable(inline="always")  # or its loop is not made one of vectors
def _philox(group: Any, attempt: Any, shoe: Any, seed: Any) -> Any:
    """Four random words."""
    c0, c1, c2, c3 = group, attempt, shoe & _LOW, shoe >> _HALF
    k0, k1 = seed & _LOW, seed >> _HALF
    for _ in range(10):
        product_0, product_1 = _MULTIPLY_0 * c0, _MULTIPLY_1 * c2
        c0, c1 = (product_1 >> _HALF) ^ c1 ^ k0, product_1 & _LOW
        c2, c3 = (product_0 >> _HALF) ^ c3 ^ k1, product_0 & _LOW
        k0, k1 = (k0 + _WEYL_0) & _LOW, (k1 + _WEYL_1) & _LOW
    return c0, c1, c2, c3


@register_jitable
def _draw_places(seed: Any, shoe: Any, size: int, thresholds: Array, words: Array, places: Array) -> None:
    """Where the cards come from that are dealt, counted from their own place; ordered like the thresholds.

    The last group may go beyond the shoe: what is not there stays in its place.
    """
    groups = thresholds.size // 4
    for group in range(groups):
        first, second, third, fourth = _philox(np.uint64(group), np.uint64(0), shoe, seed)
        words[group], words[groups + group] = first, second
        words[2 * groups + group], words[3 * groups + group] = third, fourth
    rejected = np.uint64(0)
    for part in range(4):
        for group in range(groups):
            at = part * groups + group
            left = np.uint64(max(size - CARDS_A_GROUP * group - 2 * part, 1))
            one = words[at] * left
            two = (one & _LOW) * (left - _ONE)
            places[2 * at], places[2 * at + 1] = one >> _HALF, two >> _HALF
            rejected |= np.uint64((two & _LOW) < thresholds[at])
    if rejected:
        _draw_again(seed, shoe, size, thresholds, words, places)


@register_jitable
def _draw_again(seed: Any, shoe: Any, size: int, thresholds: Array, words: Array, places: Array) -> None:
    """The words that were rejected, from their next attempts."""
    groups = thresholds.size // 4
    for part in range(4):
        for group in range(groups):
            at = part * groups + group
            left = np.uint64(max(size - CARDS_A_GROUP * group - 2 * part, 1))
            word, attempt = words[at], np.uint64(0)
            one = word * left
            two = (one & _LOW) * (left - _ONE)
            while (two & _LOW) < thresholds[at]:
                attempt += _ONE
                word = _philox(np.uint64(group), attempt, shoe, seed)[part]
                one = word * left
                two = (one & _LOW) * (left - _ONE)
            places[2 * at], places[2 * at + 1] = one >> _HALF, two >> _HALF


@register_jitable
def _shuffle(seed: Any, shoe: Any, setup: Setup, words: Array, places: Array, cards: Array) -> None:
    """Put the cards that may be dealt in their order."""
    size = setup.start.size
    _draw_places(seed, shoe, size, setup.thresholds, words, places)
    cards[:size] = setup.start
    groups = setup.thresholds.size // 4
    for group in range(groups):
        for part in range(4):
            at, i = 2 * (part * groups + group), CARDS_A_GROUP * group + 2 * part
            j = i + places[at]
            cards[i], cards[j] = cards[j], cards[i]
            i += 1
            j = i + places[at + 1]
            cards[i], cards[j] = cards[j], cards[i]


@register_jitable
def _burn(setup: Setup, cards: Array) -> int:
    """The place of the first card that is dealt."""
    if setup.burn >= 0:
        return setup.burn
    value = cards[0] & VALUE
    return 1 + (value if value or setup.burn == FIRST_VALUE else 10)


@register_jitable(inline="always")
def _play_round(cards: Array, at: int, rules: Rules) -> Any:
    """The outcome's number, and where the next round begins. Nothing branches on a card."""
    a, b, c, d = cards[at], cards[at + 1], cards[at + 2], cards[at + 3]
    openings = (a & VALUE) + (c & VALUE) + 19 * ((b & VALUE) + (d & VALUE))
    turn = np.int64(rules.turns[openings + OPENINGS * (cards[at + 4] & VALUE)])
    code = (turn & 511) + rules.last[((turn >> 11) << 4) + (cards[at + 5] & VALUE)]
    return code * rules.width + _pair_state(a, b, c, d, rules), at + 4 + ((turn >> 9) & 3)


@register_jitable
def _pair_state(a: Any, b: Any, c: Any, d: Any, rules: Rules) -> Any:
    if not rules.suited:
        player, banker = np.int64(a == c), np.int64(b == d)
        return player + 2 * banker + (player & banker & np.int64(a == b))
    player = np.int64((a ^ c) & RANK == 0) + np.int64(a == c)
    banker = np.int64((b ^ d) & RANK == 0) + np.int64(b == d)
    twin = np.int64((a ^ b) & RANK == 0) & np.int64(player > 0) & np.int64(banker > 0)
    return np.int64(rules.states[player + 3 * banker + 9 * twin])


def _count_rounds(
    seed: Any, first: int, shoes: int, most: int, setup: Setup, rules: Rules, outcomes: Array, lengths: Array
) -> Any:
    """Play shoes from number ``first`` on, two side by side, until ``most`` rounds are played; count outcomes.

    ``lengths[n]`` are the shoes of n rounds. Gives back the shoes and the rounds played.
    """
    words, places = np.empty(setup.thresholds.size, np.uint64), np.empty(2 * setup.thresholds.size, np.uint16)
    one, two = (
        np.zeros(setup.start.size + CARDS_A_GROUP, np.uint8),
        np.zeros(setup.start.size + CARDS_A_GROUP, np.uint8),
    )
    played, rounds = 0, 0
    while played < shoes and rounds < most:
        _shuffle(seed, np.uint64(first + played), setup, words, places, one)
        at, so_far = _burn(setup, one), 0
        # The next round begins where this one ends: two shoes at a time keep the processor busy while it looks that up.
        if played + 1 < shoes and rounds + lengths.size <= most:
            _shuffle(seed, np.uint64(first + played + 1), setup, words, places, two)
            other = _burn(setup, two)
            while at < setup.stop and other < setup.stop:
                number, at = _play_round(one, at, rules)
                outcomes[number] += 1
                number, other = _play_round(two, other, rules)
                outcomes[number] += 1
                so_far += 1
            rounds += _play_to_end(two, other, so_far, setup, rules, outcomes, lengths)
            played += 1
        rounds += _play_to_end(one, at, so_far, setup, rules, outcomes, lengths)
        played += 1
    return played, rounds


@register_jitable
def _play_to_end(
    cards: Array, at: int, so_far: int, setup: Setup, rules: Rules, outcomes: Array, lengths: Array
) -> int:
    """What is left of a shoe."""
    rounds, after = so_far, min(setup.after, 1)
    while at < setup.stop:
        number, at = _play_round(cards, at, rules)
        outcomes[number] += 1
        rounds += 1
    if at == setup.stop:  # the Cut Card comes out in the place of the first card
        after += setup.after != UNLESS_FIRST
    for _ in range(after):
        number, at = _play_round(cards, at, rules)
        outcomes[number] += 1
    rounds += after
    lengths[rounds] += 1
    return rounds


def _trace_shoes(
    seed: Any, first: int, setup: Setup, rules: Rules, outcomes: Array, places: Array, orders: Array
) -> None:
    """The outcome of every round of shoe after shoe, and the place of its first card; -1 where no round is left.

    ``orders[shoe]`` are the cards; behind those that may be dealt they are not in a random order.
    """
    words, sources = np.empty(setup.thresholds.size, np.uint64), np.empty(2 * setup.thresholds.size, np.uint16)
    cards = np.zeros(setup.start.size + CARDS_A_GROUP, np.uint8)
    for shoe in range(outcomes.shape[0]):
        _shuffle(seed, np.uint64(first + shoe), setup, words, sources, cards)
        orders[shoe] = cards[: setup.start.size]
        at, after, round_ = _burn(setup, cards), min(setup.after, 1), 0
        outcomes[shoe] = -1
        places[shoe] = -1
        while at <= setup.stop or after > 0:
            if at > setup.stop:
                after -= 1
            elif at == setup.stop and setup.after == UNLESS_FIRST:
                after = 0
            places[shoe, round_] = at
            outcomes[shoe, round_], at = _play_round(cards, at, rules)
            round_ += 1


def _know_shoes(seed: Any, first: int, setup: Setup, rules: Rules, kinds: Array, full: Array, known: Known) -> int:
    """What somebody who has seen every card knows before each round of shoe after shoe; gives back the rounds.

    ``kinds[card]`` is the place of a card in a composition, ``full`` the composition of a new shoe. Cards burnt face
    down are not seen.
    """
    words, sources = np.empty(setup.thresholds.size, np.uint64), np.empty(2 * setup.thresholds.size, np.uint16)
    cards = np.zeros(setup.start.size + CARDS_A_GROUP, np.uint8)
    left = full.copy()
    rounds = 0
    for shoe in range(known.lengths.size):
        _shuffle(seed, np.uint64(first + shoe), setup, words, sources, cards)
        left[:] = full
        at, after, begun = _burn(setup, cards), min(setup.after, 1), rounds
        if setup.burn < 0:
            left[kinds[cards[0]]] -= 1
        while at <= setup.stop or after > 0:
            if at > setup.stop:
                after -= 1
            elif at == setup.stop and setup.after == UNLESS_FIRST:
                after = 0
            known.unseen[rounds] = left
            known.cards[rounds] = cards[at : at + 6]
            known.places[rounds] = at
            known.shoes[rounds] = shoe
            known.outcomes[rounds], end = _play_round(cards, at, rules)
            while at < end:
                left[kinds[cards[at]]] -= 1
                at += 1
            rounds += 1
        known.lengths[shoe] = rounds - begun
    return rounds


def _compiled(function: Any) -> Any:
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:  # there is no folder that the cache could be written to
        return njit(nogil=True)(function)


count_rounds = _compiled(_count_rounds)
trace_shoes = _compiled(_trace_shoes)
know_shoes = _compiled(_know_shoes)
