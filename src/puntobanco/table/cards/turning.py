"""Cards turned, by the dealer or by the player who squeezes."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.model import NO_RANK
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.base import HOUSE
from puntobanco.table.cards import waiting
from puntobanco.table.cards.dealing import check_source
from puntobanco.table.cards.drawing import check_out
from puntobanco.table.cards.misdealt import due_hand
from puntobanco.table.cases.incidents import cards_count, opened
from puntobanco.table.commands import Command
from puntobanco.table.insurance import offers
from puntobanco.table.refusals import Refused
from puntobanco.table.squeeze.rights import still_holds
from puntobanco.table.state import Round, Table

MISMATCH = "card_mismatch"
"""Scanner and dealer name different cards."""


def turn(table: Table, command: Command, body: c.Turn) -> Sequence[e.Event]:
    """By the dealer, or by the player who squeezes that hand."""
    if (early := waiting.waiting_card(table, body.number)) is not None:
        if body.card is not None:
            check_source(table, command)
        return waiting.turn_early(table, command, body, early)
    current = table.round
    if current is None:
        raise Refused("cards.unknown", number=body.number)
    check_out(current, body.number)
    drawn = current.card(body.number)
    if drawn.turned:
        raise Refused("already_there.open", number=body.number)
    if command.actor != HOUSE and table.rank_of(command.actor) is NO_RANK:
        _check_squeezer(table, current, command.actor, body.number)
        if body.card is not None:
            raise Refused("rank.cards", table.book.deals.paragraph)
        if not offers.nobody_is_asked(table, current):
            raise Refused("insurance_open", table.procedures.third_card.rule)
    if body.card is not None:
        check_source(table, command)
    card = body.card or drawn.card
    if card is None:
        raise Refused("cards.unread", number=body.number)
    # nobody insures once more is known: a card that the dealer turns ends the offer as one that is drawn does
    events: list[e.Event] = [] if current.window is None else [offers.closing(table, current)]
    hand = drawn.hand or due_hand(current, current.place(body.number))
    if drawn.hand is None and hand is not None:
        events.append(e.CardPut(body.number, hand))
    if drawn.card is not None and drawn.card is not card:
        about = About.of("card.mismatch", number=body.number, card=str(drawn.card), keyed=str(card))
        turned = e.CardTurned(body.number, drawn.card, command.actor)
        return (*events, turned, opened(table, MISMATCH, about, (body.number,), paragraph=cards_count(table)))
    return (*events, e.CardTurned(body.number, card, command.actor))


def _check_squeezer(table: Table, current: Round, person: str, number: int) -> None:
    hand = current.card(number).hand
    if not any(
        squeeze.person == person and squeeze.covers(number, hand) and still_holds(table, current, squeeze)
        for squeeze in current.squeezes
    ):
        barred = person in current.barred
        raise Refused(
            "squeeze.turn", (table.procedures.squeeze_bar if barred else table.procedures.squeeze).rule, person=person
        )
