"""The table after money moved beside the play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.cash.state import Fill, Suspect
from puntobanco.table.fold_helpers import in_any_round, later, moved
from puntobanco.table.state import Round, Table


def _table_closed(table: Table, event: e.TableClosed) -> Table:
    return later(table, open=False)


def _money_moved(table: Table, event: e.MoneyMoved) -> Table:
    balances = moved(table.balances, event.transfers)
    if not event.round:
        return later(table, balances=balances)
    more = event.amount if event.kind == "chips_in" else -event.amount

    def walked(found: Round) -> Round:
        return replace(found, walked_in=found.walked_in | {event.person: found.walked_in.get(event.person, 0) + more})

    return replace(in_any_round(table, event.round, walked), balances=balances)


def _fill_requested(table: Table, event: e.FillRequested) -> Table:
    return later(table, fills=table.fills | {event.request: Fill(event.kind, event.chips, event.by)})


def _without_fill(table: Table, request: str) -> dict[str, Fill]:
    return {name: fill for name, fill in table.fills.items() if name != request}


def _fill_signed(table: Table, event: e.FillSigned) -> Table:
    reckoning = table.reckoning
    if event.kind == "fill":
        reckoning = replace(reckoning, fills=reckoning.fills + event.amount)
    else:
        reckoning = replace(reckoning, credits=reckoning.credits + event.amount)
    balances = moved(table.balances, event.transfers)
    return later(table, fills=_without_fill(table, event.request), reckoning=reckoning, balances=balances)


def _fill_cancelled(table: Table, event: e.FillCancelled) -> Table:
    return later(table, fills=_without_fill(table, event.request))


def _suspect_held(table: Table, event: e.SuspectHeld) -> Table:
    held = Suspect(event.what, event.amount, event.about, event.by, event.person)
    suspects = table.suspects | {event.number: held}
    balances = moved(table.balances, event.transfers)
    return later(table, suspects=suspects, suspects_so_far=event.number, balances=balances)


def _suspect_resolved(table: Table, event: e.SuspectResolved) -> Table:
    left = {number: held for number, held in table.suspects.items() if number != event.number}
    return later(table, suspects=left, balances=moved(table.balances, event.transfers))


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.TableClosed: _table_closed,
    e.FillRequested: _fill_requested,
    e.FillSigned: _fill_signed,
    e.FillCancelled: _fill_cancelled,
    e.MoneyMoved: _money_moved,
    e.SuspectHeld: _suspect_held,
    e.SuspectResolved: _suspect_resolved,
}
