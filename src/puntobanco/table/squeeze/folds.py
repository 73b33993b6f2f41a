"""The table after a squeeze was asked for, answered or barred."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.fold_helpers import current_round, in_round
from puntobanco.table.squeeze.state import Squeeze
from puntobanco.table.state import Table


def _squeeze_asked(table: Table, event: e.SqueezeAsked) -> Table:
    current = current_round(table)
    asked = Squeeze(event.person, event.hand, event.early, after=len(current.cards))
    return in_round(table, squeezes=(*current.squeezes, asked))


def _squeeze_answered(table: Table, event: e.SqueezeAnswered) -> Table:
    current = current_round(table)
    squeezes = tuple(
        replace(squeeze, granted=event.granted)
        if (squeeze.person, squeeze.hand, squeeze.early, squeeze.granted)
        == (event.person, event.hand, event.early, None)
        else squeeze
        for squeeze in current.squeezes
    )
    waived = current.waived or bool(event.early and event.granted)
    return in_round(table, squeezes=squeezes, waived=waived)


def _squeeze_barred(table: Table, event: e.SqueezeBarred) -> Table:
    current = current_round(table)
    squeezes = tuple(squeeze for squeeze in current.squeezes if squeeze.person != event.person)
    return in_round(table, squeezes=squeezes, barred=current.barred | {event.person})


FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    e.SqueezeAsked: _squeeze_asked,
    e.SqueezeAnswered: _squeeze_answered,
    e.SqueezeBarred: _squeeze_barred,
}
