"""Chips that are found on a bet that nobody asked for.

What a dealer finds is a fact and is recorded (reading A). Found before the close it was noticed in time: it is put
right there, or goes back at the close. Found later it was not noticed, and :mod:`.stakes_that_stand` says what
stands of it when the round is settled.
"""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.insurance import BOXES
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import about_bet
from puntobanco.table.bets.limits import over_maximum, room_in_box, unruled_maximum
from puntobanco.table.bets.outside_limits import flag_changes
from puntobanco.table.bets.state import ABOVE, Wager
from puntobanco.table.cases.incidents import opened
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.commands import Command
from puntobanco.table.ledger import check_tray, chips_walked_in, moves
from puntobanco.table.people.lookup import check_bet, check_box, find_player
from puntobanco.table.state import Round, Table


def find_bet(table: Table, command: Command, body: c.FindBet) -> Sequence[e.Event]:
    """Chips lie on a bet. What the person's stack does not hold has come in from the floor."""
    current = table.round
    person = find_player(table, body.person)
    check_box(table, body.box)
    check_bet(table, body.bet)
    check_tray(table, body.amount)
    if not_offered(current or table, body.bet):
        why = table.irregularities.no_insurance.rule
        return (e.LateChipsRefused(person.id, body.box, body.bet, body.amount, "placed", why),)
    early = body.bet in BOXES and current is not None and not current.closed
    if current is None or early or current.free or current.paid or current.settled or current.voided:
        # no bet can be between rounds or in a Free Hand, nor be new in a round that was settled, and nothing can be
        # insured while bets are open: the chips go back
        free = current is not None and current.free
        why = table.irregularities.free_hand.played if free else table.irregularities.late_bet.rule
        if early and table.book.insurance is not None:
            why = table.book.insurance.paragraph
        why = why or table.procedures.close.rule
        return (e.LateChipsRefused(person.id, body.box, body.bet, body.amount, "placed", why),)
    if took_back := current.out.get(person.id):
        # who takes back takes back everything, known or not (reading H)
        return (e.LateChipsRefused(person.id, body.box, body.bet, body.amount, "placed", took_back),)
    walked_in = chips_walked_in(table, person.id, body.amount - table.stack(person.id))
    transfers = moves((chips_of(person.id), layout_of(person.id), body.amount))
    paragraph = table.irregularities.chips_decide.rule or table.procedures.close.rule
    found = e.BetFound(person.id, body.box, body.bet, body.amount, not current.closed, transfers, paragraph)
    if not current.closed:
        return (*walked_in, found, *flag_changes(table, (*walked_in, found)))
    before = current.wagers.get((person.id, body.box, body.bet))
    stake = body.amount + (before.stake if before else 0)
    return (*walked_in, found, *uncovered_maximum(table, person.id, body.box, body.bet, stake))


def not_offered(at: Round | Table, bet: str) -> bool:
    """Whether a notice says that there is no insurance: chips in its boxes are no bet (tiger-buffalo 4.2.2)."""
    return bet in BOXES and at.settings.no_insurance


def uncovered_maximum(table: Table, person: str, box: int, bet: str, stake: int) -> list[e.Event]:
    """A bet over the maximum that nobody noticed is covered at Hoiana alone; elsewhere it waits for a ruling."""
    if table.round is None or not unruled_maximum(table, table.round, (person, box, bet), stake):
        return []
    what = about_bet(person, box, bet)
    if any((incident.family, incident.about) == (ABOVE, what) for incident in table.incidents.values()):
        return []
    return [opened(table, ABOVE, what)]


def maximum_kept(table: Table, now: int) -> Sequence[e.Event]:
    """No ruling is needed on a bet that is not over the maximum any more, or can be put right before the close."""
    current = table.round
    assert current is not None
    wagers = current.wagers.values() if current.closed else ()
    over = {about_bet(wager.person, wager.box, wager.bet) for wager in wagers if _is_over(current, wager)}
    return [
        e.IncidentClosed(number)
        for number, incident in table.incidents.items()
        if incident.family == ABOVE and incident.about not in over
    ]


def _is_over(current: Round, wager: Wager) -> bool:
    """Whether a bet is over the maximum, or is one of those that together are over that of their box."""
    if current.settings.maximum_per == "person":
        return over_maximum(current, wager) > 0
    room = room_in_box(current, wager.person, wager.box, wager.bet)
    return room is not None and wager.stake > room
