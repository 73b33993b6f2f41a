"""Small steps on the wagers of a round: some of them off the layout, whose are small, who is asked too."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from puntobanco.bets import Result
from puntobanco.table.bets.state import Wager, WagerKey
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.layers import copied
from puntobanco.table.settlement.events import SettledLine
from puntobanco.table.state import Round, Table


def without(table: Table, cuts: Iterable[tuple[str, int, str, int]]) -> Round:
    """The round after amounts came off wagers."""
    current = current_round(table)
    wagers = copied(current.wagers)
    player, banker = current.on_player, current.on_banker
    for person, box, bet, amount in cuts:
        key = (person, box, bet)
        wagers[key] = wagers[key].less(amount)
        if not wagers[key].stake:
            del wagers[key]
        off_player, off_banker = table.on_hands({bet: amount})
        player, banker = player - off_player, banker - off_banker
    return replace(current, wagers=wagers, on_player=player, on_banker=banker)


def small_bettors(current: Round, lines: Iterable[SettledLine]) -> frozenset[str]:
    """Who wins or loses a bet below the minimum in this stay by these lines; a tie does not count (reading M)."""
    people = frozenset(
        line.person
        for line in lines
        if line.result is not Result.RETURNED and (line.person, line.box, line.bet) in current.small
    )
    return people - current.former


def asked_too(table: Table, before: Round, after: Round, person: str) -> Round:
    """The options are for everybody with bets: also for somebody whose first one comes to light while others choose."""
    had = any(wager.person == person for wager in before.wagers.values())
    if after.options is None or had or person in table.absent:
        return after
    return replace(after, options=replace(after.options, waiting=after.options.waiting | {person}))


def off_the_layout(table: Table, current: Round, keys: Iterable[WagerKey]) -> Round:
    """The round without these wagers."""
    cuts = [(*key, current.wagers[key].stake) for key in keys]
    return without(replace(table, round=current), cuts)


def stakes_by_bet(wagers: Iterable[Wager]) -> dict[str, int]:
    """What lies on each bet, all wagers together."""
    stakes: dict[str, int] = {}
    for wager in wagers:
        stakes[wager.bet] = stakes.get(wager.bet, 0) + wager.stake
    return stakes


def with_wagers(table: Table, current: Round, wagers: dict[WagerKey, Wager]) -> Round:
    """The round with these bets."""
    player, banker = table.on_hands(stakes_by_bet(wagers.values()))
    return replace(current, wagers=wagers, on_player=player, on_banker=banker)


def taken_back(table: Table, current: Round, person: str, paragraph: str) -> Round:
    """The round after a person has taken everything back."""
    back = tuple(wager for wager in current.wagers.values() if wager.person == person)
    left = {key: wager for key, wager in current.wagers.items() if wager.person != person}
    window = current.window
    if window is not None:
        window = replace(window, answered=window.answered | {person})
    return replace(
        with_wagers(table, current, left),
        insurance=tuple(taken for taken in current.insurance if taken.person != person),
        window=window,
        forgone=current.forgone | {person},
        out=current.out | {person: paragraph},
        taken_back=(*current.taken_back, *back),
    )
