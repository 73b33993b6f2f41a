"""Cards from an electronic shoe, each where it is due."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.cards import Card, Side
from puntobanco.coup import OPENING
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.base import HOUSE
from puntobanco.table.cases.holding import check_clear
from puntobanco.table.cases.incidents import round_being_dealt
from puntobanco.table.commands import Command
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.folds import evolve
from puntobanco.table.insurance import offers
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import OFFER
from puntobanco.table.state import Round, Table


def check_source(table: Table, command: Command) -> None:
    """At an electronic table only its own shoe says which cards come, and where they go."""
    if table.settings.electronic and command.actor != HOUSE:
        raise Refused("cards.electronic", table.procedures.initial_deal.rule)
    if table.settings.electronic and table.to_return:
        raise Refused("cards.return_first")


def deal(table: Table, command: Command, body: c.Deal) -> Sequence[e.Event]:
    """Cards from an electronic shoe, each where the Table of Play wants it. Nobody else names its cards."""
    check_source(table, command)
    current = round_being_dealt(table)
    check_clear(table)
    if table.shoe.burn_due:
        raise Refused("burn.first", table.procedures.burn.rule)
    asks = not offers.nobody_is_asked(table, current)
    if asks or (OFFER not in table.settings.automated and offers.offers_due(table)):
        raise Refused("insurance_open", table.procedures.third_card.rule)
    if not body.cards:
        raise Refused("cards.none")
    if not current.all_turned:
        raise Refused("not_due", table.procedures.table_of_play.rule)
    if len(body.cards) > table.shoe.left:
        raise Refused("cards.left", table.irregularities.shoe_empty.rule, left=table.shoe.left)
    closed = () if current.window is None else (offers.closing(table, current),)
    for event in closed:
        table = evolve(table, event)
    return (*closed, e.CardsDealt(body.cards, _hands_due(table, current_round(table), body.cards)))


def _hands_due(table: Table, current: Round, cards: tuple[Card, ...]) -> tuple[Side, ...]:
    """Where each of the cards belongs; refused where one is not due, or insurance comes before it."""
    dealt = len(current.cards)
    if dealt + len(cards) <= 4:
        return OPENING[dealt : dealt + len(cards)]
    coup = current.coup
    hands: list[Side] = []
    for card in cards:
        due = coup.due
        if due is None:
            raise Refused("finished", table.procedures.table_of_play.rule, card=str(card))
        if hands and offers.offers_on(table, coup):
            raise Refused("insurance_open", table.procedures.third_card.rule)
        hands.append(due)
        coup = coup.receive(card)
    return tuple(hands)
