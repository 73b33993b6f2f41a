"""The table after something happened to bets and limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.coup import OPENING
from puntobanco.table import events as e
from puntobanco.table.bets.state import Wager
from puntobanco.table.bets.wagers import asked_too, without
from puntobanco.table.fold_helpers import begun, current_round, forgone_by, in_round, later, moved
from puntobanco.table.layers import copied
from puntobanco.table.state import Round, Table


def _limits_set(table: Table, event: e.LimitsSet) -> Table:
    if not event.bet:
        return later(table, settings=replace(table.settings, limits=event.limits))
    bet_limits = table.settings.bet_limits | {event.bet: event.limits}
    return later(table, settings=replace(table.settings, bet_limits=bet_limits))


def _differential_set(table: Table, event: e.DifferentialSet) -> Table:
    return later(table, settings=replace(table.settings, differential=event.differential))


def _round_called(table: Table, event: e.RoundCalled) -> Table:
    left = table.shoe.rounds_left
    shoe = replace(table.shoe, rounds_left=left - 1, cut_next=False) if left else table.shoe
    first, waiting = table.shoe.cut_next, len(table.carried)
    called = Round(
        number=event.number,
        until=event.until,
        since=table.version + 1,
        settings=table.settings,
        cut_first=first,
        waiting=waiting,
    )
    return later(table, round=called, rounds=event.number, shoe=shoe, absent=frozenset())


def _wagers_placed(table: Table, event: e.WagersPlaced) -> Table:
    current = current_round(table)
    name, box = event.person, event.box
    person = table.people[name]
    seated = person.seated and person.box == box
    wagers = copied(current.wagers)
    order = current.placements
    for bet, amount in event.wagers.items():
        key = (name, box, bet)
        before = wagers.get(key)
        if before is None:
            wagers[key] = Wager(name, box, bet, amount, order, seated)
        else:
            wagers[key] = before.more(amount, order, seated=seated)
        order += 1
    player, banker = table.on_hands(event.wagers)
    return replace(
        table,
        version=table.version + 1,
        round=replace(
            current,
            wagers=wagers,
            placements=order,
            on_player=current.on_player + player,
            on_banker=current.on_banker + banker,
        ),
        balances=moved(table.balances, event.transfers),
    )


def _wager_reduced(table: Table, event: e.WagerReduced) -> Table:
    current = current_round(table)
    wagers = copied(current.wagers)
    key = (event.person, event.box, event.bet)
    left = wagers[key].stake - event.amount
    back = current.taken_back
    if current.closed:
        back = (*back, replace(wagers[key], stake=event.amount))
    if left:
        wagers[key] = wagers[key].less(event.amount)
    else:
        del wagers[key]
    player, banker = table.on_hands({event.bet: event.amount})
    return later(
        table,
        round=replace(
            current,
            wagers=wagers,
            on_player=current.on_player - player,
            on_banker=current.on_banker - banker,
            taken_back=back,
        ),
        balances=moved(table.balances, event.transfers),
    )


def _bets_closed(table: Table, event: e.BetsClosed) -> Table:
    table = in_round(table, closed=True)
    return begun(replace(table, round=forgone_by(table, table.absent)) if table.absent else table)


def _bet_found(table: Table, event: e.BetFound) -> Table:
    placed = e.WagersPlaced(event.person, event.box, {event.bet: event.amount}, event.transfers)
    after = _wagers_placed(table, placed)
    current = replace(current_round(after), found=True, unnoticed=current_round(after).unnoticed or not event.noticed)
    if current.closed and len(current.cards) > len(OPENING):
        current = replace(current, drawn_over=True)
    return replace(after, round=asked_too(table, current_round(table), current, event.person))


def _nothing_but_the_record(table: Table, event: e.LateChipsRefused) -> Table:
    return later(table)


def _stakes_stand(table: Table, event: e.StakesStand) -> Table:
    laid, limits_of = current_round(table).wagers, current_round(table).settings.limits_of
    ruled = current_round(table).ruled
    small = frozenset(
        key for key, wager in laid.items() if wager.stake < limits_of(wager.bet).minimum and key not in ruled
    )
    current = without(table, ((cut.person, cut.box, cut.bet, cut.amount) for cut in event.cuts))
    current = replace(current, unnoticed=False, small=small, laid=laid)
    return later(table, round=current, balances=moved(table.balances, event.transfers))


def _stake_ruled(table: Table, event: e.StakeRuled) -> Table:
    key, before = (event.person, event.box, event.bet), current_round(table)
    off = before.wagers[key].stake - event.stands
    current = without(table, ((*key, off),) if off else ())
    # ruled on anew, it still lay as it did at the close
    current = replace(current, ruled={key: before.wagers[key]} | before.ruled)
    return later(table, round=current, balances=moved(table.balances, event.transfers))


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.LimitsSet: _limits_set,
    e.DifferentialSet: _differential_set,
    e.RoundCalled: _round_called,
    e.WagersPlaced: _wagers_placed,
    e.WagerReduced: _wager_reduced,
    e.BetsClosed: _bets_closed,
    e.BetFound: _bet_found,
    e.LateChipsRefused: _nothing_but_the_record,
    e.StakesStand: _stakes_stand,
    e.StakeRuled: _stake_ruled,
}
