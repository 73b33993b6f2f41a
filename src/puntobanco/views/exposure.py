"""What the House can lose on the round in progress."""

from __future__ import annotations

from collections import defaultdict

import msgspec

from puntobanco.bets import payoffs
from puntobanco.cards import Side
from puntobanco.money import Odds, winnings
from puntobanco.roads import Winner
from puntobanco.table.state import InsuranceWager, Round, Table

RESULTS: dict[Winner, Side | None] = {"player": Side.PLAYER, "banker": Side.BANKER, "tie": None}


class Exposure(msgspec.Struct, frozen=True):
    """The most that the House loses if the round ends so; below zero it wins. None: it cannot end so."""

    result: Winner
    most: int | None


def exposures(table: Table) -> tuple[Exposure, ...]:
    """The worst case by result, over every way the round can still end; side bets and insurance count."""
    current = table.round
    if current is None or current.settled or current.voided:
        return ()
    space = table.book.space
    reachable = space.reachable(current.coup)
    found = []
    for result, winner in RESULTS.items():
        outcomes = reachable & space.where({"winner": (result,)})
        most = _worst(table, current, outcomes) + _insured(table, current, winner) if outcomes else None
        found.append(Exposure(result, most))
    return tuple(found)


def _worst(table: Table, current: Round, outcomes: int) -> int:
    """Split the outcomes by what they cost, bet by bet; the dearest of them is the answer."""
    stakes: dict[str, list[int]] = defaultdict(list)
    for wager in current.wagers.values():
        stakes[wager.bet].append(wager.stake)
    rounding = table.settings.rounding
    costs = {0: outcomes}
    for bet, staked in stakes.items():
        split: dict[int, int] = defaultdict(int)
        gains = payoffs(table.book)[bet].by_gain
        for cost, bits in costs.items():
            for gain, where in gains.items():
                if hit := bits & where:
                    profit = sum(winnings(stake, Odds.of(gain), rounding) for stake in staked) if gain else 0
                    split[cost + profit] |= hit
                    bits &= ~where
            if bits:
                split[cost - sum(staked)] |= bits
        costs = split
    return max(costs)


def _insured(table: Table, current: Round, winner: Side | None) -> int:
    return sum(_insurance(table, wager, winner) for wager in current.insurance)


def _insurance(table: Table, wager: InsuranceWager, winner: Side | None) -> int:
    if winner is wager.hand:
        return -wager.stake
    if winner is None and not wager.row.tie_pays:
        return 0
    return winnings(wager.stake, wager.row.odds, table.settings.rounding)
