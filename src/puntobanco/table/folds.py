"""``evolve(table, event)``: the table after something happened. No judgement here; the folds are the concerns' own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from puntobanco.rules.model import RuleBook
from puntobanco.table import events as e
from puntobanco.table.bets import folds as bets
from puntobanco.table.cards import folds as cards
from puntobanco.table.cases import folds as cases
from puntobanco.table.cash import folds as cash
from puntobanco.table.cash.state import Reckoning
from puntobanco.table.disputes import folds as disputes
from puntobanco.table.fold_helpers import moved
from puntobanco.table.insurance import folds as insurance
from puntobanco.table.people import folds as people
from puntobanco.table.settings import check_settings
from puntobanco.table.settlement import folds as settlement
from puntobanco.table.shoe import folds as shoe
from puntobanco.table.squeeze import folds as squeeze
from puntobanco.table.state import Table

FOLDS: dict[type[e.Event], Callable[[Table, Any], Table]] = {
    **cash.FOLDS,
    **people.FOLDS,
    **shoe.FOLDS,
    **bets.FOLDS,
    **cards.FOLDS,
    **squeeze.FOLDS,
    **insurance.FOLDS,
    **settlement.FOLDS,
    **cases.FOLDS,
    **disputes.FOLDS,
}
"""Event → the table after it."""


def evolve(table: Table, event: e.Event) -> Table:
    """The table one event later."""
    return FOLDS[type(event)](table, event)


def new_table(event: e.TableOpened, book: RuleBook) -> Table:
    """The table that an opening makes."""
    layout = check_settings(event.settings, book)
    opening = sum(value * count for value, count in event.opening_float.items())
    table = Table(book=book, layout=layout, settings=event.settings, open=True, version=1, reckoning=Reckoning(opening))
    return replace(table, balances=moved(table.balances, event.transfers))
