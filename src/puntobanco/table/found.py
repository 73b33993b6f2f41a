"""What people do to the layout without asking: chips found, put down or taken away too late, bets left behind.

What a dealer finds is a fact and is recorded (reading A). Found before the close it was noticed in time: it is put
right there, or goes back at the close. Found later it was not noticed, and :mod:`puntobanco.table.standing` says what
stands of it when the round is settled.
"""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.insurance import BOXES
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import insurance_record
from puntobanco.table.betting import flag_changes
from puntobanco.table.commands import Command
from puntobanco.table.incidents import opened, unruled_maximum
from puntobanco.table.ledger import chips_walked_in, money, moves
from puntobanco.table.people import check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement import voided
from puntobanco.table.shoe import check_shoe
from puntobanco.table.state import ABOVE, PAYING, WITHDRAWN, Round, Table, about, chips_of, layout_of

AT_FAULT = "cards_at_fault"
"""Cards that are not as they should be, where the book has no paragraph."""


def _unsettled(table: Table) -> Round:
    current = table.round
    if current is None or table.phase is PAYING:
        raise Refused("no_round", "there are no bets to find between rounds", table.cite("call"))
    return current


def find_bet(table: Table, command: Command, body: c.FindBet) -> Sequence[e.Event]:
    """Chips lie on a bet. What the person's stack does not hold has come in from the floor."""
    current = _unsettled(table)
    person = find_player(table, body.person)
    check_box(table, body.box)
    insurance = table.layout.insurance and body.bet in BOXES
    if body.bet not in table.layout.bets and not insurance:
        raise Refused("unknown_bet", f"layout {table.layout.code} does not carry {body.bet}", table.layout.paragraph)
    if body.amount < 1:
        raise Refused("bad_amount", "an amount is above zero")
    if current.free or current.paid:
        # no bet can be in a Free Hand, nor be new in a round that was settled and is played on: the chips go back
        why = table.irregularity("free_hand", 3) if current.free else table.irregularity("late_bet")
        return (e.LateChipsRefused(person.id, body.box, body.bet, body.amount, "placed", why or table.cite("close")),)
    if took_back := current.out.get(person.id):
        # who takes back takes back everything, known or not (reading H)
        return (e.LateChipsRefused(person.id, body.box, body.bet, body.amount, "placed", took_back),)
    if insurance:
        return insurance_record.find(table, current, body)
    walked_in = chips_walked_in(table, person.id, body.amount - table.stack(person.id))
    transfers = moves((chips_of(person.id), layout_of(person.id), body.amount))
    paragraph = table.irregularity("chips_decide") or table.cite("close")
    found = e.BetFound(person.id, body.box, body.bet, body.amount, not current.closed, transfers, paragraph)
    if not current.closed:
        return (*walked_in, found, *flag_changes(table, (*walked_in, found)))
    before = current.wagers.get((person.id, body.box, body.bet))
    stake = body.amount + (before.stake if before else 0)
    return (*walked_in, found, *uncovered_maximum(table, person.id, body.box, body.bet, stake))


def uncovered_maximum(table: Table, person: str, box: int, bet: str, stake: int) -> list[e.Event]:
    """A bet over the maximum that nobody noticed is covered at Hoiana alone; elsewhere it waits for a ruling."""
    if not unruled_maximum(table, table.terms.limits_of(bet), stake):
        return []
    what = about(person, box, bet)
    if any((incident.family, incident.about) == (ABOVE, what) for incident in table.incidents.values()):
        return []
    return [opened(table, ABOVE, what)]


def maximum_kept(table: Table, now: int) -> Sequence[e.Event]:
    """No ruling is needed on a bet that is not over the maximum any more, or can be put right before the close."""
    if not table.incidents:
        return ()
    current = table.round
    assert current is not None
    over = set()
    for wager in current.wagers.values():
        maximum = table.terms.limits_of(wager.bet).maximum
        if current.closed and maximum is not None and wager.stake > maximum:
            over.add(about(wager.person, wager.box, wager.bet))
    return [
        e.IncidentClosed(number)
        for number, incident in table.incidents.items()
        if incident.family == ABOVE and incident.about not in over
    ]


def late_chips(table: Table, command: Command, body: c.LateChips) -> Sequence[e.Event]:
    """After the close nothing goes on or off: what was put down goes back, what was taken away still plays."""
    current = _unsettled(table)
    person = find_player(table, body.person)
    check_box(table, body.box)
    if not current.closed:
        raise Refused("bets_open", "the bets are open: nothing is late yet", table.cite("close"))
    if table.layout.insurance and body.bet in BOXES:
        most = _insured(table, current, body)
    elif body.bet not in table.layout.bets:
        raise Refused("unknown_bet", f"layout {table.layout.code} does not carry {body.bet}", table.layout.paragraph)
    else:
        wager = current.wagers.get((person.id, body.box, body.bet))
        most = wager.stake if wager else 0
    if body.amount < 1 or (body.what == "withdrawn" and body.amount > most):
        raise Refused("bad_amount", f"the bet is {money(table, most)}", fits=most)
    family = "late_bet" if body.what == "placed" else "late_withdrawal"
    paragraph = table.irregularity("free_hand", 3) if current.free else table.irregularity(family)
    if not paragraph and body.what == "withdrawn":
        return _unruled_withdrawal(table, body)
    paragraph = paragraph or table.cite("close")  # where the book is silent, nobody has decided anything
    return (e.LateChipsRefused(person.id, body.box, body.bet, body.amount, body.what, paragraph),)


def _unruled_withdrawal(table: Table, body: c.LateChips) -> Sequence[e.Event]:
    """What stands of a bet taken away after the close is for a ruling to say where the book is silent."""
    uncovered, what = table.book.uncovered.paragraph, about(body.person, body.box, body.bet)
    gone = e.LateChipsRefused(body.person, body.box, body.bet, body.amount, "withdrawn", uncovered, waits=True)
    if any((found.family, found.about) == (WITHDRAWN, what) for found in table.incidents.values()):
        return (gone,)
    return (gone, opened(table, WITHDRAWN, what))


def _insured(table: Table, current: Round, body: c.LateChips) -> int:
    """What lies there as insurance; it is late once its window is over."""
    if body.what == "placed" and current.window is not None:
        paragraph = table.book.insurance.windows if table.book.insurance else ""
        raise Refused("insurance_open", "insurance is on offer: nothing is late yet", paragraph)
    place = (body.person, body.box, BOXES[body.bet])
    return sum(taken.stake for taken in current.insurance if (taken.person, taken.box, taken.hand) == place)


def walk_away(table: Table, command: Command, body: c.WalkAway) -> Sequence[e.Event]:
    """The bets stay and are settled; insurance is forgone (tiger-buffalo 5.3). Who was asked goes on (reading H)."""
    current = _unsettled(table)
    person = find_player(table, body.person)
    if person.id in table.absent:
        raise Refused("already_there", f"{person.id} has walked away already")
    if not table.balances.get(layout_of(person.id), 0):
        raise Refused("no_wager", f"{person.id} has nothing on the layout and may simply leave")
    squeezes = any(squeeze.person == person.id and squeeze.granted for squeeze in current.squeezes)
    opened_by_dealer = table.irregularity("squeeze_absent") if squeezes else ""
    # where the book is silent nothing is to be decided: the bets stand
    paragraph = table.irregularity("walk_away") or opened_by_dealer
    gone = e.WalkedAway(person.id, paragraph)
    if current.options is not None and person.id in current.options.waiting:
        goes_on = table.irregularity("walk_away") or current.options.go_on
        return (gone, e.OptionTaken(person.id, True, goes_on))
    return (gone,)


def come_back(table: Table, command: Command, body: c.ComeBack) -> Sequence[e.Event]:
    if body.person not in table.absent:
        raise Refused("unknown_person", f"{body.person} has not walked away")
    return (e.CameBack(body.person),)


def report_cards(table: Table, command: Command, body: c.ReportCards) -> Sequence[e.Event]:
    """A fault of the cards voids the round in progress and nothing before it; the shoe is over, or was."""
    if not table.shoe.number:
        check_shoe(table)
    if table.shoe.at_fault:
        raise Refused("already_there", "the cards of this shoe are reported already")
    if not body.about.strip():
        raise Refused("bad_amount", "say what is wrong with the cards")
    paragraph = table.irregularity(body.fault)
    fault = e.CardsAtFault(body.fault, body.about.strip(), paragraph or table.book.uncovered.paragraph)
    current = table.round
    if current is None or table.phase is PAYING:
        return (fault,)
    if paragraph:
        return (fault, voided(table, current, paragraph, body.about.strip()))
    return (fault, opened(table, AT_FAULT, body.about.strip()))


def too_many_cards(table: Table, current: Round, about: str) -> Sequence[e.Event]:
    """More cards than the shoe should hold: the set is not whole."""
    paragraph = table.irregularity("wrong_card_set")
    if table.shoe.at_fault:
        raise Refused("cards", "the shoe is empty, and that is reported", table.irregularity("shoe_empty"))
    fault = e.CardsAtFault("wrong_card_set", about, paragraph or table.book.uncovered.paragraph)
    if paragraph:
        return (fault, voided(table, current, paragraph, about))
    return (fault, opened(table, AT_FAULT, about))
