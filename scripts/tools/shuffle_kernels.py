"""Counts over many shuffled orders for the shuffle test: hot loops over arrays, compiled by numba.

An order is a permutation of 0 … n − 1: which card of the new decks lies at each place, the top one first.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

Orders = NDArray[np.uint16]
Counts = NDArray[np.int64]

WINDOW = 5
"""Cards whose order is looked at together: 120 ways."""


@njit(cache=True)
def count_places(orders: Orders, places: Counts) -> None:
    """``places[card, place]``."""
    for order in orders:
        for place in range(order.size):
            places[order[place], place] += 1


@njit(cache=True)
def count_neighbours(orders: Orders, neighbours: Counts) -> None:
    """``neighbours[a, b]``: b lies right behind a. A mark n lies before the first and behind the last card."""
    for order in orders:
        before = order.size
        for card in order:
            neighbours[before, card] += 1
            before = card
        neighbours[before, order.size] += 1


@njit(cache=True)
def count_windows(orders: Orders, ways: Counts) -> None:
    """Which of the 120 ways each five cards in a row are ordered, windows side by side."""
    for order in orders:
        for start in range(0, order.size - WINDOW + 1, WINDOW):
            way = 0
            for i in range(WINDOW):
                smaller = 0
                for j in range(i + 1, WINDOW):
                    if order[start + j] < order[start + i]:
                        smaller += 1
                way = way * (WINDOW - i) + smaller
            ways[way] += 1


@njit(cache=True)
def count_shapes(
    orders: Orders,
    rises: Counts,
    follows: Counts,
    fixed: Counts,
    cycles: Counts,
    first_cycle: Counts,
    inversions: Counts,
) -> None:
    """How many orders have so many rises, cards behind their own forerunner, cards in place, cycles, and so on."""
    size = orders.shape[1]
    seen = np.zeros(size, np.bool_)
    tree = np.zeros(size + 1, np.int64)
    for order in orders:
        rising = following = staying = 0
        for place in range(size):
            if order[place] == place:
                staying += 1
            if place:
                if order[place] > order[place - 1]:
                    rising += 1
                if order[place] == order[place - 1] + 1:
                    following += 1
        rises[rising] += 1
        follows[following] += 1
        fixed[staying] += 1
        seen[:] = False
        circles = 0
        for start in range(size):
            length, place = 0, start
            while not seen[place]:
                seen[place] = True
                place = order[place]
                length += 1
            if length:
                circles += 1
            if start == 0:
                first_cycle[length - 1] += 1
        cycles[circles] += 1
        tree[:] = 0
        for place in range(size - 1, -1, -1):
            at = np.int64(order[place])
            while at > 0:
                inversions[0] += tree[at]
                at -= at & -at
            at = np.int64(order[place]) + 1
            while at <= size:
                tree[at] += 1
                at += at & -at


@njit(cache=True)
def count_repeats(orders: Orders, repeats: Counts) -> None:
    """How many pairs of shoes that follow each other have so many places with the same card."""
    for number in range(0, orders.shape[0] - 1, 2):
        same = 0
        for place in range(orders.shape[1]):
            if orders[number, place] == orders[number + 1, place]:
                same += 1
        repeats[same] += 1


@njit(cache=True)
def count_kinds(orders: Orders, ends: Counts, opening: Counts) -> None:
    """``ends[first card, last card]`` of 52 kinds, and the values (0 to 9) of the first four cards."""
    for order in orders:
        ends[order[0] % 52, order[-1] % 52] += 1
        values = 0
        for place in range(4):
            rank = order[place] % 52 // 4
            values = 10 * values + (rank + 1 if rank < 9 else 0)
        opening[values] += 1
