"""Plays a betting system over the outcomes of many rounds: the hot loop, compiled by numba.

Money is whole: units of the smallest stake times a scale that makes every gain of the bet whole. All of it stands in
one file, because numba's cache notices edits in that file only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numba.extending import register_jitable
from numpy.typing import NDArray

Array = NDArray[Any]

FLAT, MARTINGALE, PAROLI, FIBONACCI, DALEMBERT, LABOUCHERE, OSCAR = range(7)
FIRST_LINE = 4
"""Labouchère begins with the line 1 2 3 4."""
LONGEST_LINE = 4096
PAROLI_WINS = 3
"""Paroli doubles until so many wins in a row, then begins again."""


class Money(NamedTuple):
    """What a player brings, and what the table allows; in units."""

    system: int
    bankroll: int
    limit: int
    scale: int
    """A unit's worth in the money of the results."""


class Sessions(NamedTuple):
    """By session, in money: the result, all stakes, the deepest fall from a peak; the rounds bet on; whether ruined."""

    results: Array
    stakes: Array
    drawdowns: Array
    bets: Array
    ruined: Array


@register_jitable
def _next_stake(system: int, state: Array, line: Array) -> Any:
    """What the system asks for, in units."""
    if system == FIBONACCI:
        one, two = 1, 1
        for _ in range(state[0]):
            one, two = two, min(one + two, 1 << 40)
        return one
    if system == LABOUCHERE:
        first, last = state[0], state[1]
        if first > last:
            return 1
        return line[first] if first == last else line[first] + line[last]
    return state[0]


@register_jitable
def _begin(system: int, state: Array, line: Array) -> None:
    state[:] = 0
    if system == LABOUCHERE:
        for place in range(FIRST_LINE):
            line[place] = place + 1
        state[1] = FIRST_LINE - 1
    elif system != FIBONACCI:
        state[0] = 1


@register_jitable
def _advance(system: int, state: Array, line: Array, stake: int, won: bool, gain: int, scale: int) -> None:
    """After a round that was won or lost."""
    most = 1 << 40
    if system == MARTINGALE:
        state[0] = 1 if won else min(2 * state[0], most)
    elif system == PAROLI:
        state[1] = state[1] + 1 if won else 0
        state[0] = min(2 * state[0], most) if won and state[1] < PAROLI_WINS else 1
        if state[1] == PAROLI_WINS:
            state[1] = 0
    elif system == FIBONACCI:
        state[0] = max(0, state[0] - 2) if won else min(state[0] + 1, 60)
    elif system == DALEMBERT:
        state[0] = max(1, state[0] - 1) if won else state[0] + 1
    elif system == LABOUCHERE:
        if won:
            state[0] += 1
            state[1] -= 1
        elif state[1] + 1 < LONGEST_LINE:
            state[1] += 1
            line[state[1]] = stake
        if state[0] > state[1] or state[1] + 1 >= LONGEST_LINE:
            _begin(system, state, line)
    elif system == OSCAR:
        # a unit more after a win, but never more than it takes to be one unit ahead
        state[1] += gain
        if state[1] >= scale:
            state[0], state[1] = 1, 0
        elif won:
            short = scale - state[1]
            state[0] = min(state[0] + 1, max(1, -(-short // scale)))


def _play_sessions(
    firsts: Array,
    outcomes: Array,
    gains: Array,
    betting: Array,
    insured: Array,
    money: Money,
    out: Sessions,
    paths: Array,
) -> None:
    """Session after session: rounds ``firsts[i]`` to ``firsts[i + 1]``.

    ``gains[outcome]`` is the gain of a unit, ``betting[round]`` whether the round is bet on, ``insured[round]`` what a
    unit of insurance taken in it gains (0 where none is). ``paths[session, bet]`` is the bankroll after each bet, as
    far as there is room; the rest keeps its last value.
    """
    state, line = np.zeros(2, np.int64), np.zeros(LONGEST_LINE, np.int64)
    for session in range(firsts.size - 1):
        _begin(money.system, state, line)
        bank = peak = money.bankroll * money.scale
        staked, deepest, bets = 0, 0, 0
        ruined = False
        for number in range(firsts[session], firsts[session + 1]):
            if not betting[number]:
                continue
            stake = min(_next_stake(money.system, state, line), money.limit, bank // money.scale)
            if stake < 1:
                ruined = True
                break
            gain = stake * gains[outcomes[number]]
            staked += stake * money.scale
            if bank >= 3 * stake * money.scale:
                bank += stake * insured[number]
            bank += gain
            if gain != 0:
                _advance(money.system, state, line, stake, gain > 0, gain, money.scale)
            peak = max(peak, bank)
            deepest = max(deepest, peak - bank)
            if session < paths.shape[0] and bets < paths.shape[1]:
                paths[session, bets:] = bank
            bets += 1
        out.results[session] = bank - money.bankroll * money.scale
        out.stakes[session] = staked
        out.drawdowns[session] = deepest
        out.bets[session] = bets
        out.ruined[session] = ruined or bank < money.scale


try:
    play_sessions = njit(cache=True, nogil=True)(_play_sessions)
except RuntimeError:  # there is no folder that the cache could be written to
    play_sessions = njit(nogil=True)(_play_sessions)
