"""Free Hands: rounds without wagers, where the book knows them."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import events as e
from puntobanco.table.settlement.voiding import all_back
from puntobanco.table.shoe.forgotten_burn import burn_forgotten
from puntobanco.table.state import Table


def into_free_hand(table: Table) -> tuple[e.FreeHandCalled, ...]:
    """The hand that bets are called for has not begun and becomes a Free Hand, where the book knows it."""
    current = table.round
    if current is None or current.cards or current.free or current.voided or not table.irregularity("free_hand"):
        return ()
    last = table.shoe.rounds_left == 0
    return (e.FreeHandCalled(current.number, table.irregularity("free_hand", 4 if last else 3), all_back(current)),)


def call_free_hand(table: Table, now: int) -> Sequence[e.Event]:
    """Between rounds, where the book knows it: cards left over or seen are played without wagers."""
    if table.shoe.ended or not table.first_seen or not table.irregularity("free_hand"):
        return ()
    if table.shoe.choosing or (table.to_burn and not table.carried):
        return ()
    last = table.shoe.rounds_left == 1
    called = e.FreeHandCalled(table.rounds + 1, table.irregularity("free_hand", 4 if last else 3))
    # its first card is out, and no burn came before it
    return (called, burn_forgotten(table, called.number)) if table.to_burn else (called,)
