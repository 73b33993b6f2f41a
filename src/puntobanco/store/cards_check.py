"""The cards of a log a second time: how many left the shoe by its events alone, and where the table has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from puntobanco.table import events as e
from puntobanco.table.cards.conservation import miscounted, misplaced
from puntobanco.table.state import Table

_LEAVING: dict[type[e.Event], Callable[[Any], int]] = {
    e.CardsDealt: lambda event: len(event.cards),
    e.CardDrawn: lambda event: 1,
    e.EarlyCardDrawn: lambda event: 1,
    e.CardsBurnt: lambda event: len(event.cards),
    e.CardsRetrieved: lambda event: -event.cards,
    e.CardsReturned: lambda event: -event.cards,
}
"""By how many cards an event makes the shoe poorer."""
_AMENDING = frozenset({e.CardCorrected, e.HandCorrected, e.CardStruck, e.CardAdded, e.OrderCorrected, e.CardsTold})
"""What is put right in the record may be how many cards left the shoe: it is counted from there on."""
_LOOKING = _AMENDING | {e.ShoeEnded, e.RoundReopened, e.CardsReturned}
OF_CARDS = frozenset(_LEAVING) | _LOOKING | {e.ShoeStarted, e.RoundEnded}
"""Events after which there is a second opinion on the cards."""


class CardCount:
    """How many cards have left the shoe in use."""

    def __init__(self) -> None:
        self._out = 0

    def follow(self, event: e.Event) -> None:
        kind = type(event)
        if kind is e.ShoeStarted:
            self._out = 0
        elif (leaving := _LEAVING.get(kind)) is not None:
            self._out += leaving(event)

    def wrong(self, table: Table, kinds: set[type]) -> str | None:
        """What is wrong with the cards after a command that led to events of these kinds."""
        if not kinds.isdisjoint(_AMENDING):
            self._out = table.shoe.drawn
        if table.shoe.drawn != self._out:
            return f"{self._out} cards have left the shoe by the events, and {table.shoe.drawn} by the table"
        if kinds.isdisjoint(_LOOKING) and e.RoundEnded not in kinds:
            return None
        return misplaced(table) or (None if kinds.isdisjoint(_LOOKING) else miscounted(table))
