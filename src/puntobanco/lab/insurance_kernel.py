"""What insurance is worth to somebody who has seen every card, round after round: the hot loop, compiled by numba.

All of it stands in one file, because numba's cache notices edits in that file only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

Array = NDArray[Any]

VALUE = 0x0F
"""The bits of a card that make its value."""


class Offers(NamedTuple):
    """The insurance table and the Table of Play."""

    player_draws: Array
    """By both points."""
    turns: Array
    """By Player's third card (10: none) and both points: whether Banker draws."""
    rows: Array
    """By window, hand, its points and the other's: the row, or -1."""
    pays: Array
    """By row: the odds, and 1 where a tie pays as well."""


@register_jitable
def _finish(left: Array, player: int, banker: int, draws: bool, third: int, turns: Array, winners: Array) -> None:
    """Count, over the cards to come, who wins: Player, Banker, neither. The numbers are whole, and so exact.

    ``draws`` says that Player's third card is still to come, ``third`` is its value if it has come (10: there is none).
    ``turns[third, player, banker]`` says whether Banker then draws; ``player`` are the points of two cards.
    """
    size = left.sum()
    winners[:] = 0.0
    for x in range(10 if draws else 1):
        value = x if draws else third
        ways = left[x] if draws else 1
        end = (player + value) % 10 if value < 10 else player
        if turns[value, player, banker]:
            for v in range(10):
                _win(winners, end, (banker + v) % 10, ways * (left[v] - (draws and v == x)))
        else:
            _win(winners, end, banker, ways * (size - 1 if draws else size))


@register_jitable
def _win(winners: Array, player: int, banker: int, ways: float) -> None:
    winners[2 if player == banker else (0 if player > banker else 1)] += ways


def _value_offers(unseen: Array, cards: Array, offers: Offers, worth: Array, taken: Array) -> None:
    """By round, window and hand: the row on offer, or -1, and the expected gain of a unit; not a number where none is.

    ``unseen`` are the cards before the round by value, ``cards`` its cards.
    """
    left = np.zeros(10, np.int64)
    winners = np.zeros(3)
    for number in range(unseen.shape[0]):
        worth[number] = np.nan
        taken[number] = -1
        left[:] = unseen[number]
        for index in range(4):
            left[cards[number, index] & VALUE] -= 1
        player = ((cards[number, 0] & VALUE) + (cards[number, 2] & VALUE)) % 10
        banker = ((cards[number, 1] & VALUE) + (cards[number, 3] & VALUE)) % 10
        draws = offers.player_draws[player, banker]
        if draws or offers.turns[10, player, banker]:
            on_player, on_banker = offers.rows[0, 0, player, banker], offers.rows[0, 1, banker, player]
            if on_player >= 0 or on_banker >= 0:
                _finish(left, player, banker, draws, 10, offers.turns, winners)
                _set_offers(on_player, on_banker, winners, offers.pays, worth[number, 0], taken[number, 0])
        if draws:
            third = cards[number, 4] & VALUE
            left[third] -= 1
            points = (player + third) % 10
            on_player, on_banker = offers.rows[1, 0, points, banker], offers.rows[1, 1, banker, points]
            if offers.turns[third, player, banker] and (on_player >= 0 or on_banker >= 0):
                _finish(left, player, banker, False, third, offers.turns, winners)
                _set_offers(on_player, on_banker, winners, offers.pays, worth[number, 1], taken[number, 1])


@register_jitable
def _set_offers(on_player: int, on_banker: int, winners: Array, pays: Array, worth: Array, taken: Array) -> None:
    """Both hands in one window."""
    total = winners[0] + winners[1] + winners[2]
    for hand in range(2):
        row = on_player if hand == 0 else on_banker
        if row >= 0:
            win = winners[1 - hand] + winners[2] * pays[row, 1]
            worth[hand] = (pays[row, 0] * win - winners[hand]) / total
            taken[hand] = row


try:
    value_offers = njit(cache=True, nogil=True)(_value_offers)
except RuntimeError:  # there is no folder that the cache could be written to
    value_offers = njit(nogil=True)(_value_offers)
