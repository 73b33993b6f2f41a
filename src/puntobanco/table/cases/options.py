"""The players' options after an error (reading H): each goes on, or takes all bets back; play waits for the answers."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.model import AllBack, OptionsGiven
from puntobanco.rules.policies import OptionsBy
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.cases.incidents import established, noticed
from puntobanco.table.cases.remedies import delivery_paragraph, given_by, remedy_of
from puntobanco.table.cases.state import Incident
from puntobanco.table.cash.accounts import chips_of, layout_of
from puntobanco.table.commands import Command
from puntobanco.table.ledger import moves
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.voiding import on_layout, voided
from puntobanco.table.shoe.choice import choose_shoe
from puntobanco.table.squeeze.state import DELIVERY
from puntobanco.table.state import Round, Table


def due(table: Table, current: Round, incident: Incident, *, repaired: bool) -> bool:
    """Whether the book gives the options after an error, on the cards properly dealt when it was noticed."""
    rule = remedy_of(table, incident.family).options
    if rule in (OptionsGiven.OPEN, OptionsGiven.UNREPAIRED):
        known = established(table, noticed(current, incident), incident.out)
        return not known if rule is OptionsGiven.OPEN else not (repaired and known)
    return rule is OptionsGiven.ALWAYS


def given(table: Table, current: Round, incident: Incident | None, *, reconstructed: bool) -> tuple[e.Event, ...]:
    """Options for everybody with bets in the round; a player who has walked away goes on. Nothing if there are none."""
    wagers = (wager for wager in current.wagers.values() if not current.paid or wager.box in current.unpaid)
    bettors = tuple(dict.fromkeys(wager.person for wager in wagers))
    number = incident.number if incident is not None else 0
    if not bettors or current.options is not None or (number and number in current.asked):
        return ()
    covered = incident if incident is not None and incident.covered else None
    paragraph = (covered and given_by(table, covered)) or table.book.uncovered.paragraph
    go_on, take_back = _paragraphs(table, current, covered, paragraph, reconstructed=reconstructed)
    all_back = _all_back(table, current, covered).value if covered else AllBack.OVER.value
    events: list[e.Event] = [e.OptionsGiven(bettors, paragraph, go_on, take_back, number, all_back)]
    walked_away = table.irregularities.walk_away.rule or go_on
    events += [e.OptionTaken(person, True, walked_away) for person in bettors if person in table.absent]
    return tuple(events)


def _paragraphs(
    table: Table, current: Round, incident: Incident | None, paragraph: str, *, reconstructed: bool
) -> tuple[str, str]:
    """By which paragraphs one goes on and takes back."""
    slots = table.irregularities
    if table.policies.options_by.value is OptionsBy.GENERAL:
        going_on = slots.options.reconstructed if reconstructed else slots.options.as_it_lies
        return going_on or paragraph, slots.options.take_back
    if incident is not None and incident.family == "simultaneous":
        return slots.simultaneous.go_on, slots.simultaneous.take_back
    if incident is not None and incident.family == DELIVERY:
        delivery = delivery_paragraph(table, current, incident)
        return delivery, delivery
    return paragraph, paragraph


def _all_back(table: Table, current: Round, incident: Incident) -> AllBack:
    """What follows if everybody takes back."""
    remedy = remedy_of(table, incident.family)
    if remedy.all_back is remedy.all_back_decided:
        return remedy.all_back
    known = established(table, noticed(current, incident), incident.out)
    return remedy.all_back_decided if known else remedy.all_back


def take(table: Table, command: Command, body: c.TakeOption) -> Sequence[e.Event]:
    """A player's answer, or staff's record of it."""
    if table.shoe.choosing is not None:
        return choose_shoe(table, command, body)
    person = find_player(table, body.person)
    current = table.round
    if current is None or current.options is None:
        paragraph = table.irregularities.late_withdrawal.rule or table.procedures.close.rule
        raise Refused("no_options", paragraph)
    if person.id not in current.options.waiting:
        raise Refused("no_options.person", current.options.go_on, person=person.id)
    by = "" if command.actor == person.id else command.actor
    if body.goes_on:
        return (e.OptionTaken(person.id, True, current.options.go_on, by=by),)
    # of a round that was settled only late insurance lies there: what it came to is undone when it is settled again
    back = table.balances.get(layout_of(person.id), 0) if current.paid else on_layout(current)[person.id]
    transfers = moves((layout_of(person.id), chips_of(person.id), back))
    return (e.OptionTaken(person.id, False, current.options.take_back, transfers, by),)


def follow_up(table: Table, now: int) -> Sequence[e.Event]:
    """What follows when everybody has taken the bets back: the round is over without a result."""
    current = table.round
    if current is None or current.all_back is None:
        return ()
    options = current.all_back
    if options.all_back == "free_hand":
        # nobody squeezes in a Free Hand; any other incident is still open
        closed = (e.IncidentClosed(number) for number, found in table.incidents.items() if found.family == DELIVERY)
        return (e.PlayedFree(options.take_back), *closed)
    reason = About.of("all_back")
    over = voided(table, current, options.take_back, reason)
    return (e.ShoeToBeReplaced(options.take_back, reason), over) if options.all_back == "new_shoe" else (over,)
