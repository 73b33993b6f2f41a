"""Insurance taken, also where staff put it in the wrong box."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.insurance import window_of
from puntobanco.rules.model import NO_RANK
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import about_bet
from puntobanco.table.base import PLAYER
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.commands import Command
from puntobanco.table.insurance.caps import most_insurance, too_much
from puntobanco.table.insurance.offers import insurance_paragraph, on_offer_here
from puntobanco.table.insurance.state import OpenWindow
from puntobanco.table.ledger import check_stack, moves
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Round, Table


def insure(table: Table, command: Command, body: c.Insure) -> Sequence[e.Event]:
    """At most the Original Bet each time; at the longest odds also at most a share of the maximum. No minimum."""
    person = find_player(table, body.person)
    current = table.round
    if current is None or current.window is None:
        if current is not None and person.id in current.forgone and on_offer_here(table):
            raise Refused("forgone.passed", table.irregularities.forgone_insurance.rule, person=person.id)
        raise Refused("no_insurance", insurance_paragraph(table, "windows"))
    window = current.window
    if not _fits(current, window):
        raise Refused("no_insurance.other_cards", insurance_paragraph(table, "windows"))
    if table.settings.electronic and command.at > window.until:
        raise Refused("forgone.time", table.irregularities.forgone_insurance.rule)
    by = "" if command.actor == person.id else command.actor
    offered = window.offer_on(body.hand)
    by_staff = table.rank_of(command.actor) is not NO_RANK
    if by_staff and person.id in window.people and (offered is None or person.id not in offered.people):
        return _in_the_wrong_box(table, current, window, body, by)
    if offered is None:
        raise Refused("no_insurance.hand", insurance_paragraph(table, "paragraph"), hand=body.hand.value)
    if person.id not in offered.people:
        if person.id in current.forgone:
            raise Refused("forgone.passed", table.irregularities.forgone_insurance.rule, person=person.id)
        paragraph = insurance_paragraph(table, "offer")
        raise Refused("no_insurance.no_bet", paragraph, person=person.id, hand=body.hand.value)
    if person.id in table.absent | current.forgone:
        raise Refused("forgone.away", table.irregularities.forgone_insurance.rule, person=person.id)
    if body.amount < 1:
        raise Refused("bad_amount.zero")
    most = most_insurance(table, current, person.id, body.box, body.hand, offered.odds)
    if body.amount > most:
        raise too_much(table, most, late=(body.hand, person.id) in window.late)
    check_stack(table, person.id, body.amount)
    return (
        e.Insured(
            person.id,
            body.box,
            body.hand,
            body.amount,
            window.window,
            offered.odds,
            offered.own,
            offered.other,
            insurance_paragraph(table, "paragraph"),
            moves((chips_of(person.id), layout_of(person.id), body.amount)),
            by,
        ),
    )


def _fits(current: Round, window: OpenWindow) -> bool:
    """Whether the offer is still for the points on the table, and a card still to be drawn."""
    points = (current.coup.player.total, current.coup.banker.total)
    return window_of(current.coup) is window.window and all(
        (offer.own, offer.other) == (points if offer.hand is PLAYER else points[::-1]) for offer in window.offers
    )


def _in_the_wrong_box(table: Table, current: Round, window: OpenWindow, body: c.Insure, by: str) -> Sequence[e.Event]:
    """Staff put a player's insurance at the other hand: it lies there, flagged, until it is moved (5.18)."""
    right = next(offer for offer in window.offers if body.person in offer.people)
    if body.person in table.absent | current.forgone:
        raise Refused("forgone.away", table.irregularities.forgone_insurance.rule, person=body.person)
    if body.amount < 1:
        raise Refused("bad_amount.zero")
    most = most_insurance(table, current, body.person, body.box, right.hand, right.odds)
    if body.amount > most:
        raise too_much(table, most, late=(right.hand, body.person) in window.late)
    check_stack(table, body.person, body.amount)
    moved = moves((chips_of(body.person), layout_of(body.person), body.amount))
    # the points as seen from where it lies: a row of the pay table fits only the other hand
    own, other, paragraph = right.other, right.own, insurance_paragraph(table, "paragraph")
    return (
        e.Insured(
            body.person, body.box, body.hand, body.amount, window.window, right.odds, own, other, paragraph, moved, by
        ),
        e.Flagged(
            "insurance_misplaced",
            about_bet(body.person, body.box, f"{body.hand.value}_insurance"),
            table.irregularities.insurance_misplaced.rule,
        ),
    )
