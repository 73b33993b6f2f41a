"""Cards: that one left the shoe, where it was put, and that it was turned are three facts, in any order."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.cards import waiting
from puntobanco.table.cards.dealing import check_source
from puntobanco.table.cards.free_hand import into_free_hand
from puntobanco.table.cards.misdealt import due_hand, misdealt_family, misplaced_family
from puntobanco.table.cases.incidents import opened, round_being_dealt
from puntobanco.table.commands import Command
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.insurance.missed import not_offered
from puntobanco.table.insurance.offers import closing, offers_due, window_now
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.reopening import opened_again
from puntobanco.table.shoe.faults import too_many_cards
from puntobanco.table.state import BETTING, IDLE, PAYING, Round, Table


def draw(table: Table, command: Command, body: c.Draw) -> Sequence[e.Event]:
    """A card left the shoe, was perhaps put somewhere, and perhaps turned."""
    check_source(table, command)
    if not table.settings.electronic and table.phase in (IDLE, BETTING, PAYING):
        return waiting.early_card(table, body)
    current = round_being_dealt(table)
    events: list[e.Event] = []
    if table.to_burn:
        # the card that shows was to be burnt: drawn without the burn, it opens the hand
        events += into_free_hand(table)
    if current.window is not None:
        events.append(closing(table, current))
    if offers := offers_due(table):
        events += not_offered(table, window_now(table), offers)
    number, place = current.numbered + 1, len(current.cards) + 1
    due = table.due
    if body.turned and body.card is None:
        raise Refused("cards.unnamed")
    if table.shoe.left == 0:
        return (*events, *too_many_cards(table, current, About.of("card.empty_shoe", number=number)))
    misdealt = misdealt_family(table, current, place, number, body.hand, due)
    events.append(e.CardDrawn(number, body.card))
    if body.hand is not None:
        events.append(e.CardPut(number, body.hand))
    if body.turned:
        assert body.card is not None
        events.append(e.CardTurned(number, body.card, command.actor))
    if misdealt:
        family, about = misdealt
        if family == "exposed_cards" and not body.turned:
            about = About.of("card.face_down", number=number)
        opened_before = sum(isinstance(event, e.IncidentOpened) for event in events)
        events.append(opened(table, family, about, (number,), after=opened_before))
    return events


def check_out(current: Round, number: int) -> None:
    """Refuse a card that has not left the shoe in this round."""
    if not current.place(number):
        raise Refused("cards.unknown", number=number)


def put_card(table: Table, command: Command, body: c.PutCard) -> Sequence[e.Event]:
    """A card is put at a hand."""
    check_source(table, command)
    current = table.round
    if waiting.waiting_card(table, body.number) is not None or current is None:
        return waiting.put_early(table, body)
    check_out(current, body.number)
    if current.card(body.number).hand is body.hand:
        raise Refused("already_there.card", number=body.number)
    put = e.CardPut(body.number, body.hand)
    if current.voided or current.settled:
        again, table = opened_again(table, table.irregularities.wrong_side.rule or table.book.uncovered.paragraph)
        if not again:
            return (put,)
        return (*again, put, *_misplaced(table, current_round(table), body))
    return (put, *_misplaced(table, current, body))


def _misplaced(table: Table, current: Round, body: c.PutCard) -> Sequence[e.Event]:
    """A card put at the other hand is an incident of its own, unless it is one already."""
    due = due_hand(current, current.place(body.number))
    if due is None or due is body.hand or any(body.number in found.cards for found in table.incidents.values()):
        return ()
    family = misplaced_family(table, current, current.place(body.number), body.hand, due)
    return (opened(table, family, About.of("card.at", number=body.number, hand=body.hand.value), (body.number,)),)
