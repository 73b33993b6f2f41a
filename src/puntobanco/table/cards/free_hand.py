"""Free Hands: rounds without wagers, where the book knows them."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import events as e
from puntobanco.table.settlement.voiding import all_back
from puntobanco.table.shoe.forgotten_burn import burn_forgotten
from puntobanco.table.state import Table


def into_free_hand(table: Table) -> tuple[e.FreeHandCalled, ...]:
    """The hand that bets are called for has not begun and becomes a Free Hand, where the cards make it one."""
    return made_free(table) if table.next_is_free else ()


def made_free(table: Table) -> tuple[e.FreeHandCalled, ...]:
    """The hand that bets are called for as a Free Hand; none where there is none, or it has begun."""
    current = table.round
    if current is None or current.cards or current.free or current.voided:
        return ()
    return (e.FreeHandCalled(current.number, _played_by(table, table.shoe.rounds_left == 0), all_back(current)),)


def _played_by(table: Table, last: bool) -> str:
    """The paragraph by which it is played, as the last hand of the shoe or any other."""
    paragraphs = table.irregularities.free_hand
    return paragraphs.last if last else paragraphs.played


def call_free_hand(table: Table, now: int) -> Sequence[e.Event]:
    """Between rounds: cards that make it a Free Hand are played without wagers."""
    if table.shoe.ended or not table.next_is_free:
        return ()
    if table.shoe.choosing or (table.to_burn and not table.carried):
        return ()
    called = e.FreeHandCalled(table.rounds + 1, _played_by(table, table.shoe.rounds_left == 1))
    # its first card is out, and no burn came before it
    return (called, burn_forgotten(table, called.number)) if table.to_burn else (called,)
