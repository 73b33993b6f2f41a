"""The Cut Card."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.policies import CutCardFirst
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.bets.withdrawing import withdrawn_after_cut_card
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.shoe.lifetime import check_shoe
from puntobanco.table.state import Phase, Table


def cut_card(table: Table, command: Command, body: c.CutCard) -> Sequence[e.Event]:
    """The Cut Card appears."""
    if table.settings.shuffler:
        raise Refused("cards.shuffler")
    if not table.shoe.number:
        check_shoe(table)
    if table.shoe.ended:
        paragraph = table.procedures.cut_card.rule or table.book.uncovered.paragraph
        return (e.Noted("cut_card", About.of("shoe.over"), paragraph),)
    if table.shoe.cut_seen:
        raise Refused("cards.cut_card_out", table.procedures.cut_card.rule)
    return (_cut_card_event(table),)


def _cut_card_event(table: Table) -> e.CutCardAppeared:
    # between rounds it counts as the first card of the next one, which is then the last
    more = table.settings.rounds_after_cut + (table.phase is Phase.IDLE)
    in_mid_round = table.round is not None and bool(table.round.cards)
    as_previous = table.policies.cut_card_first.value is CutCardFirst.COUNTS_AS_PREVIOUS
    if as_previous and table.shoe.rounds and not in_mid_round and not table.carried:
        return e.CutCardAppeared(more - 1, table.irregularities.cut_card.first_card or table.procedures.cut_card.rule)
    paragraph = (in_mid_round and table.irregularities.cut_card.rule) or table.procedures.cut_card.rule
    if table.round is not None and not in_mid_round and not table.carried and withdrawn_after_cut_card(table):
        paragraph = table.irregularities.cut_card.first_card
    return e.CutCardAppeared(more, paragraph)


def mark_cut_card(table: Table, now: int) -> Sequence[e.Event]:
    """An electronic shoe knows where its Cut Card lies: it comes out before the card behind it."""
    shoe, current, settings = table.shoe, table.round, table.settings
    if not settings.electronic or settings.shuffler:
        return ()
    left = shoe.left
    if left > settings.cut_card or shoe.cut_seen or shoe.ended:
        return ()
    at_the_mouth = left == settings.cut_card
    if at_the_mouth and (current is None or current.due is None):
        return ()
    return (_cut_card_event(table),)
