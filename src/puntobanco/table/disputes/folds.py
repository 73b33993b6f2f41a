"""The table after a step of a dispute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.disputes.state import Dispute
from puntobanco.table.fold_helpers import later
from puntobanco.table.state import Table


def _with(table: Table, dispute: Dispute, *, over: bool = False, **changes: Any) -> Table:
    disputes = {number: found for number, found in table.disputes.items() if number != dispute.number or not over}
    if not over:
        disputes[dispute.number] = replace(dispute, **changes)
    return later(table, disputes=disputes)


def _raised(table: Table, event: e.DisputeRaised) -> Table:
    dispute = Dispute(number=event.number, person=event.person, about=event.about, round=event.round)
    return later(table, disputes=table.disputes | {event.number: dispute}, disputes_so_far=event.number)


def _noted(table: Table, event: e.DisputeNoted) -> Table:
    dispute = table.disputes[event.dispute]
    match event.what:
        case "escalated":
            return _with(table, dispute, escalated=True)
        case "facts":
            return _with(table, dispute, facts=(*dispute.facts, event.note))
        case "surveillance":
            return _with(table, dispute, surveillance=True)
        case "time_frame":
            return _with(table, dispute, time_frame=event.note)
        case "right_told":
            return _with(table, dispute, right_told=True)
    return _with(table, dispute, over=True)  # resolved by the supervisor, or a complaint is filed or is not wanted


def _decided(table: Table, event: e.DisputeDecided) -> Table:
    return _with(table, table.disputes[event.dispute], decision=event.decision)


def _answered(table: Table, event: e.DisputeAnswered) -> Table:
    return _with(table, table.disputes[event.dispute], over=event.agrees, agreed=event.agrees)


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.DisputeRaised: _raised,
    e.DisputeNoted: _noted,
    e.DisputeDecided: _decided,
    e.DisputeAnswered: _answered,
}
