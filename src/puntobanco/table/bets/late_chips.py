"""Chips put down or taken away after the close."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.insurance import BOXES
from puntobanco.rules.policies import LateWithdrawal
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import about_bet
from puntobanco.table.bets.limits import begun_before_the_close
from puntobanco.table.bets.state import WITHDRAWN
from puntobanco.table.cases.incidents import opened
from puntobanco.table.commands import Command
from puntobanco.table.people.lookup import check_bet, check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.reopening import opened_again, still_paying
from puntobanco.table.state import DEALING, Round, Table


def late_chips(table: Table, command: Command, body: c.LateChips) -> Sequence[e.Event]:
    """After the close nothing goes on or off: what was put down goes back, what was taken away still plays.

    That holds until every box is paid; before the close, and between rounds, it is recorded and nothing is at stake.
    """
    current = table.round or table.last
    person = find_player(table, body.person)
    check_box(table, body.box)
    check_bet(table, body.bet)
    if body.bet in BOXES:
        most = _insured(current, body) if current is not None else 0
    else:
        wager = current.wagers.get((person.id, body.box, body.bet)) if current is not None else None
        most = wager.stake if wager else 0
    if body.amount < 1 or (body.what == "withdrawn" and body.amount > most):
        raise Refused("bad_amount.bet", "", most, amount=most)
    slots, silent = table.irregularities, table.policies.late_withdrawal.value is LateWithdrawal.NOT_COVERED
    begun = current is not None and begun_before_the_close(table, current)
    if current is not None and current.free:
        paragraph = slots.free_hand.played
    elif body.what == "placed":
        # where the book is silent, nobody has taken the bet
        paragraph = slots.late_bet.rule or table.procedures.close.rule
        if begun:
            paragraph = table.policies.round_begins.paragraph
    elif silent and (table.phase is DEALING or begun):
        return _unruled_withdrawal(table, body)
    elif silent and still_paying(table):
        again, after = opened_again(table, table.book.uncovered.paragraph)
        return (*again, *_unruled_withdrawal(after, body))
    else:
        paragraph = slots.late_withdrawal.rule or table.book.uncovered.paragraph
    return (e.LateChipsRefused(person.id, body.box, body.bet, body.amount, body.what, paragraph),)


def _unruled_withdrawal(table: Table, body: c.LateChips) -> Sequence[e.Event]:
    """What stands of a bet taken away after the close is for a ruling to say where the book is silent."""
    uncovered, what = table.book.uncovered.paragraph, about_bet(body.person, body.box, body.bet)
    gone = e.LateChipsRefused(body.person, body.box, body.bet, body.amount, "withdrawn", uncovered, waits=True)
    if any((found.family, found.about) == (WITHDRAWN, what) for found in table.incidents.values()):
        return (gone,)
    return (gone, opened(table, WITHDRAWN, what, reported=True))


def _insured(current: Round, body: c.LateChips) -> int:
    """What lies there as insurance."""
    place = (body.person, body.box, BOXES[body.bet])
    return sum(taken.stake for taken in current.insurance if (taken.person, taken.box, taken.hand) == place)


def bet_gone(table: Table, now: int) -> Sequence[e.Event]:
    """No ruling is needed on a bet that was taken away too late and that does not lie there any more at all."""
    current = table.round
    assert current is not None
    lying = {about_bet(*key) for key in current.wagers}
    return [
        e.IncidentClosed(number)
        for number, incident in table.incidents.items()
        if incident.family == WITHDRAWN and incident.about not in lying
    ]
