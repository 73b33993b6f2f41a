"""What people do to the layout without asking: chips found, put down or taken away too late, bets left behind.

What a dealer finds is a fact and is recorded (reading A). Found before the close it was noticed in time: it is put
right there, or goes back at the close. Found later it was not noticed, and :mod:`puntobanco.table.standing` says what
stands of it when the round is settled.
"""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.betting import flag_changes
from puntobanco.table.commands import Command
from puntobanco.table.ledger import money, moves
from puntobanco.table.people import check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement import voided
from puntobanco.table.shoe import check_shoe
from puntobanco.table.state import ABOVE, AT_FAULT, FLOOR, PAYING, Round, Table, about, chips_of, layout_of


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
    if body.bet not in table.layout.bets:
        raise Refused("unknown_bet", f"layout {table.layout.code} does not carry {body.bet}", table.layout.paragraph)
    if body.amount < 1:
        raise Refused("bad_amount", "an amount is above zero")
    chips = chips_of(person.id)
    walked_in = max(0, body.amount - table.stack(person.id))
    transfers = moves((FLOOR, chips, walked_in), (chips, layout_of(person.id), body.amount))
    paragraph = table.irregularity("chips_decide") or table.cite("close")
    found = e.BetFound(person.id, body.box, body.bet, body.amount, not current.closed, transfers, paragraph)
    if not current.closed:
        return (found, *flag_changes(table, (found,)))
    return (found, *_uncovered_maximum(table, current, found))


def _uncovered_maximum(table: Table, current: Round, found: e.BetFound) -> list[e.Event]:
    """A bet over the maximum that nobody noticed is covered at Hoiana alone; elsewhere it waits for a ruling."""
    maximum = table.settings.limits_of(found.bet).maximum
    before = current.wagers.get((found.person, found.box, found.bet))
    stake = found.amount + (before.stake if before else 0)
    if maximum is None or stake <= maximum or table.irregularity("above_maximum_unnoticed") or not table.cite("limits"):
        return []
    return [e.Flagged(ABOVE, about(found.person, found.box, found.bet), table.book.uncovered.paragraph)]


def rule_stake(table: Table, command: Command, body: c.RuleStake) -> Sequence[e.Event]:
    """How much stands of a bet over the maximum that nobody noticed, by whom the book lets decide."""
    current = _unsettled(table)
    paragraph = table.book.uncovered.paragraph
    wager = current.wagers.get((body.person, body.box, body.bet))
    flag = (ABOVE, about(body.person, body.box, body.bet))
    if wager is None or not current.closed or flag not in table.flags:
        raise Refused("no_wager", f"nothing about {body.bet} of {body.person} waits for a ruling", paragraph)
    if not 0 <= body.stands <= wager.stake:
        raise Refused("bad_amount", f"the bet is {money(table, wager.stake)}", paragraph, wager.stake)
    if not body.reason.strip():
        raise Refused("bad_amount", "a ruling at discretion needs its reason", paragraph)
    back = moves((layout_of(wager.person), chips_of(wager.person), wager.stake - body.stands))
    ruled = e.StakeRuled(body.person, body.box, body.bet, body.stands, back, paragraph, body.reason.strip())
    return (ruled, e.FlagCleared(*flag))


def late_chips(table: Table, command: Command, body: c.LateChips) -> Sequence[e.Event]:
    """After the close nothing goes on or off: what was put down goes back, what was taken away still plays."""
    current = _unsettled(table)
    person = find_player(table, body.person)
    if not current.closed:
        raise Refused("bets_open", "the bets are open: nothing is late yet", table.cite("close"))
    if body.bet not in table.layout.bets:
        raise Refused("unknown_bet", f"layout {table.layout.code} does not carry {body.bet}", table.layout.paragraph)
    wager = current.wagers.get((person.id, body.box, body.bet))
    most = wager.stake if wager else 0
    if body.amount < 1 or (body.what == "withdrawn" and body.amount > most):
        raise Refused("bad_amount", f"the bet is {money(table, most)}", fits=most)
    family = "late_bet" if body.what == "placed" else "late_withdrawal"
    paragraph = table.irregularity(family) or table.book.uncovered.paragraph
    return (e.LateChipsRefused(person.id, body.box, body.bet, body.amount, body.what, paragraph),)


def walk_away(table: Table, command: Command, body: c.WalkAway) -> Sequence[e.Event]:
    """The bets stay and are settled; insurance is forgone (tiger-buffalo 5.3)."""
    _unsettled(table)
    person = find_player(table, body.person)
    if person.id in table.absent:
        raise Refused("already_there", f"{person.id} has walked away already")
    if not table.balances.get(layout_of(person.id), 0):
        raise Refused("no_wager", f"{person.id} has nothing on the layout and may simply leave")
    return (e.WalkedAway(person.id, table.irregularity("walk_away") or table.book.uncovered.paragraph),)


def come_back(table: Table, command: Command, body: c.ComeBack) -> Sequence[e.Event]:
    if body.person not in table.absent:
        raise Refused("unknown_person", f"{body.person} has not walked away")
    return (e.CameBack(body.person),)


def report_cards(table: Table, command: Command, body: c.ReportCards) -> Sequence[e.Event]:
    """A fault of the cards voids the round in progress and nothing before it; the shoe is over."""
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
        return (fault, voided(current, paragraph, body.about.strip()))
    return (fault, e.Flagged(AT_FAULT, body.about.strip(), table.book.uncovered.paragraph))
