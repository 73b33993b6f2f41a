"""What went wrong and the table cannot see by itself: somebody reports it, and play waits for a ruling."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.rules.policies import BurnForgotten, ExposedInHand, FirstCard, NotDelivered
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.bets.withdrawing import may_withdraw_late
from puntobanco.table.cards.free_hand import into_free_hand
from puntobanco.table.cards.lying import hands_for
from puntobanco.table.cases.incidents import is_open, opened, round_being_dealt
from puntobanco.table.commands import Command
from puntobanco.table.folds import evolve
from puntobanco.table.insurance.missed import FAMILY, found_late, in_play, missed_between, never_offered
from puntobanco.table.refusals import Refused
from puntobanco.table.shoe.lifetime import check_shoe
from puntobanco.table.state import DEALING, Round, Table

ABOUT_CARDS = frozenset(
    {
        "exposed_cards",
        "wrong_side",
        "squeeze_delivery",
        "face_up",
        "simultaneous",
        "simultaneous_in_order",
        "damaged_card",
    }
)
"""What is reported of certain cards."""


def report(table: Table, command: Command, body: c.Report) -> Sequence[e.Event]:
    """What the table cannot see by itself, of the round in progress; of one that was settled, this alone."""
    if not body.round or in_play(table, body.round):
        return _report_in_play(table, command, body)
    if body.what != FAMILY:
        message = "what is reported of a round that is over are its cards, and insurance that was not offered"
        raise Refused("no_round", message, table.procedures.round.rule)
    return found_late(table, body)


def _report_in_play(table: Table, command: Command, body: c.Report) -> Sequence[e.Event]:
    """Something that the table cannot see by itself."""
    if not body.about.strip():
        raise Refused("bad_amount", "say what happened")
    about = body.about.strip()
    if body.what == "display":
        paragraph = table.irregularities.display.rule or table.book.uncovered.paragraph
        return (e.Noted("display", about, paragraph),)
    if body.what == "face_up_in_shoe" and _opens_next(table):
        return _next_shows(table, body, about)
    current = round_being_dealt(table)
    _check_cards(table, current, body)
    stated = table.policies
    if body.what == "squeeze_not_delivered" and stated.squeeze_not_delivered.value is NotDelivered.GOES_ON:
        return (e.Noted(body.what, about, table.irregularities.squeeze_not_delivered.rule),)
    if any(
        incident.family == body.what and incident.cards == body.cards and incident.round == current.number
        for incident in table.incidents.values()
    ):
        raise Refused("already_there", "that is reported already and waits for a ruling")
    if body.what == "insurance_missed":
        return never_offered(table, current, about)
    found = opened(table, body.what, about, tuple(body.cards))
    silent = stated.exposed_in_hand.value is ExposedInHand.NOT_COVERED
    if silent and body.what == "exposed_cards" and _of_the_hand(current, body.cards):
        return _seen_in_hand(table, found)
    if not body.what.startswith("simultaneous"):
        return (found,)
    return (found, *missed_between(table, current, body.cards))


def _of_the_hand(current: Round, cards: Sequence[int]) -> bool:
    """Whether all these cards belong to the hand in play: none of them opens the next."""
    return max(map(current.place, cards)) <= len(hands_for(current.cards))


def _seen_in_hand(table: Table, found: e.IncidentOpened) -> Sequence[e.Event]:
    """A card of the hand in play was seen before its time: a book may know of that in a hand without a burn alone."""
    ruled = table.policies.burn_forgotten_seen.value is not BurnForgotten.NOT_COVERED
    if ruled and (is_open(table, "burn_forgotten") or table.shoe.choice_due):
        played_out = replace(found, paragraph=table.irregularities.burn_forgotten.seen, blocks=False)
        return (played_out, e.IncidentClosed(found.number))
    return (replace(found, paragraph=table.book.uncovered.paragraph, covered=False),)


def _opens_next(table: Table) -> bool:
    """Whether the next card of the shoe is, for all that is known, the first of a hand; where that makes it free."""
    current = table.round
    if table.policies.first_card_seen.value is not FirstCard.FREE_HAND:
        return False
    return current is None or table.phase is not DEALING or not current.cards or current.finished


def _next_shows(table: Table, body: c.Report, about: str) -> Sequence[e.Event]:
    """The first card of the next hand is face up in the shoe: that is a Free Hand, now or when this one is over.

    With the burn still to come it is a card to be burnt, and opens no hand.
    """
    check_shoe(table)
    current, paragraph = table.round, table.irregularities.face_up_in_shoe.next_hand
    if body.cards:
        raise Refused("cards", "this is not about certain cards", paragraph)
    if table.shoe.left == 0:
        raise Refused("cards", "the shoe is empty", table.irregularities.shoe_empty.rule)
    if table.shoe.shown == table.shoe.drawn or (current is not None and current.free and not current.cards):
        raise Refused("already_there", "that is known already", paragraph)
    noted = e.Noted(body.what, about, paragraph)
    return (noted,) if table.to_burn else (noted, *into_free_hand(evolve(table, noted)))


def _check_cards(table: Table, current: Round, body: c.Report) -> None:
    """The cards that a report names are out, and make sense for it."""
    paragraph = table.irregularities.of(body.what).main
    out = len(current.cards)
    if body.what in ABOUT_CARDS:
        needed = 2 if body.what.startswith("simultaneous") else 1
        if len(body.cards) < needed:
            raise Refused("cards", f"say which cards: {needed} or more", paragraph)
        if body.what == "damaged_card" and len(body.cards) > 1:
            raise Refused("cards", "report each card by itself: each is valued by itself", paragraph)
        if len(set(body.cards)) != len(body.cards):
            raise Refused("cards", "a card is named twice", paragraph)
        for number in body.cards:
            if not current.place(number):
                raise Refused("cards", f"{out} cards have left the shoe: there is no card {number}", paragraph)
    elif body.cards:
        raise Refused("cards", "this is not about certain cards", paragraph)
    places = [current.place(number) for number in body.cards]
    if body.what.startswith("simultaneous") and places != list(range(min(places), max(places) + 1)):
        raise Refused(
            "cards", "cards drawn at once left the shoe one after another: name them in that order", paragraph
        )
    if body.what == "face_up" and not table.settings.face_down:
        raise Refused("cards", "cards are dealt face up at this table", paragraph)
    if body.what == "face_up" and not all(current.card(number).turned for number in body.cards):
        raise Refused("cards", "a card that was dealt face up lies open: turn it first", paragraph)
    if body.what == "face_up_in_shoe" and not out and not _opens_next(table):
        raise Refused("cards", "no card of the hand is out: draw the card, it opens the next hand", paragraph)
    if body.what == "cut_card_not_offered" and not (may_withdraw_late(table, current) and out):
        raise Refused(
            "cards",
            "the Cut Card was not the first card of the round in a high-limit area, or no card is out",
            paragraph,
        )
