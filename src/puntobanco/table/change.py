"""Small steps that :mod:`evolve` is made of: each gives the table with one thing replaced, a version later."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec.structs import replace

from puntobanco import roads
from puntobanco.bets import Result
from puntobanco.cards import Card, Side
from puntobanco.coup import Coup, may_be_due
from puntobanco.table.events import SettledLine, Transfer
from puntobanco.table.rulings import CorrectBet, CorrectCard, MoveInsurance, Pay, ReplaceShoe
from puntobanco.table.state import PLAYER, Drawn, Round, Table


def moved(balances: dict[str, int], transfers: Iterable[Transfer]) -> dict[str, int]:
    if not transfers:
        return balances
    balances = balances.copy()
    get = balances.get
    for transfer in transfers:
        source, target, amount = transfer.source, transfer.target, transfer.amount
        balances[source] = get(source, 0) - amount
        balances[target] = get(target, 0) + amount
    return balances


def current_round(table: Table) -> Round:
    assert table.round is not None
    return table.round


def later(table: Table, **changes: Any) -> Table:
    return replace(table, version=table.version + 1, **changes)


def in_round(table: Table, **changes: Any) -> Table:
    return replace(table, version=table.version + 1, round=replace(current_round(table), **changes))


def in_shoe(table: Table, **changes: Any) -> Table:
    return replace(table, version=table.version + 1, shoe=replace(table.shoe, **changes))


def open_prefix(cards: tuple[Drawn, ...]) -> Iterable[Card]:
    """The cards up to the first that still lies face down: what comes after it tells nothing yet."""
    for drawn in cards:
        if not drawn.turned or drawn.card is None:
            return
        yield drawn.card


def road_result(coup: Coup, free: bool = False) -> roads.Result:
    player, banker, winner = coup.player, coup.banker, coup.winner
    name: roads.Winner = "tie" if winner is None else "player" if winner is PLAYER else "banker"
    return _one_result(name, player.pair, banker.pair, player.natural or banker.natural, free)


_one_result = cache(roads.Result)
"""There are no more than four dozen."""


def without(table: Table, cuts: Iterable[tuple[str, int, str, int]]) -> Round:
    """The round after amounts came off wagers."""
    current = current_round(table)
    wagers = current.wagers.copy()
    player, banker = current.on_player, current.on_banker
    for person, box, bet, amount in cuts:
        key = (person, box, bet)
        wagers[key] = replace(wagers[key], stake=wagers[key].stake - amount)
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


def changed(cards: tuple[Drawn, ...], number: int, **changes: Any) -> tuple[Drawn, ...]:
    index = number - 1
    return (*cards[:index], replace(cards[index], **changes), *cards[index + 1 :])


def hands_for(cards: Iterable[Drawn]) -> tuple[Side, ...]:
    """The hands of cards dealt from the start, as far as the Table of Play can tell from those that lie open."""
    hands, shown = list[Side](), _shown(cards)
    for place in range(len(shown)):
        due = may_be_due(shown[:place])
        hand = next(iter(due))
        if hand is None or len(due) > 1:
            break
        hands.append(hand)
    return tuple(hands)


def is_open_after(cards: Iterable[Drawn]) -> bool:
    """Whether it depends on cards that lie face down if, and to which hand, another is due after these."""
    return len(may_be_due(_shown(cards))) > 1


def _shown(cards: Iterable[Drawn]) -> tuple[int | None, ...]:
    return tuple(drawn.card.points if drawn.turned and drawn.card is not None else None for drawn in cards)


def matters_left(table: Table) -> dict[str, Any]:
    """What a round that is over leaves open: matters that never held it up."""
    if not table.incidents and not table.proposals:
        return {}
    incidents = {
        number: incident for number, incident in table.incidents.items() if not incident.blocks or incident.true_cards
    }
    proposals = {
        number: proposal
        for number, proposal in table.proposals.items()
        if proposal.incident in incidents or (not proposal.incident and isinstance(proposal.ruling, _LASTING))
    }
    return {"incidents": incidents, "proposals": proposals}


_LASTING = (Pay, ReplaceShoe, MoveInsurance, CorrectCard, CorrectBet)
"""Rulings without an incident that may still be given when the round is over."""
