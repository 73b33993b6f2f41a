"""Chips found with cards open, or in a round that is settled: they wait for a second person (reading Z)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.insurance import BOXES, window_of
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About, about_bet
from puntobanco.table.amendments.amending import find_chips, stake_there
from puntobanco.table.bets.found_chips import not_offered
from puntobanco.table.bets.state import ABOVE, FOUND
from puntobanco.table.cases.proposals import propose
from puntobanco.table.commands import Command
from puntobanco.table.people.lookup import check_box, find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.state import PAYING, Round, Table


def find_bet(table: Table, command: Command, body: c.FindBet) -> Sequence[e.Event]:
    """In the round in progress the chips are on the layout at once; one that is settled is settled again with them."""
    found = _settled(table, body.round)
    if found is None:
        events = find_chips(table, command, body)
        return (*events, *_to_confirm(table, command, body, events))
    if body.amount < 1:
        raise Refused("bad_amount.zero")
    if not_offered(found, body.bet):
        find_player(table, body.person)
        check_box(table, body.box)
        why = table.irregularities.no_insurance.rule
        return (e.LateChipsRefused(body.person, body.box, body.bet, body.amount, "placed", why),)
    fix = r.CorrectBet(body.person, body.box, body.bet, 0, round=found.number, window=body.window)
    was = stake_there(replace(found, wagers=found.laid or found.wagers), fix)
    return propose(table, command, c.Propose(replace(fix, stake=was + body.amount)), About.of("found"))


def _to_confirm(table: Table, command: Command, body: c.FindBet, events: Sequence[e.Event]) -> Sequence[e.Event]:
    """What waits for a second person: chips found with a card open, unless it is insurance in its window.

    Over the maximum they are ruled on in any case, and that takes two.
    """
    current = table.round
    if current is None or not any(drawn.turned for drawn in current.cards):
        return ()
    about = about_bet(body.person, body.box, body.bet)
    matters = {(found.family, found.about) for found in table.incidents.values()}
    matters |= {(event.family, event.about) for event in events if isinstance(event, e.IncidentOpened)}
    if (ABOVE, about) in matters:
        return ()
    window, paragraph = body.window, table.irregularities.chips_decide.rule or table.procedures.close.rule
    for event in events:
        if isinstance(event, e.InsuranceCorrected):
            window = event.window
            break
        if isinstance(event, e.BetFound):
            break
    else:
        return ()  # they went back
    if body.bet in BOXES and window is window_of(current.coup):
        return ()
    fix = r.CorrectBet(body.person, body.box, body.bet, 0, round=current.number, window=window, found=body.amount)
    fix = replace(fix, stake=stake_there(current, fix) + body.amount)
    number, flag = table.proposals_so_far + 1, (FOUND, about)
    asked = e.RulingProposed(number, 0, fix, command.actor, table.book.deals.code, paragraph, About.of("found"))
    return (asked,) if flag in table.flags else (e.Flagged(*flag, paragraph), asked)


def _settled(table: Table, number: int) -> Round | None:
    """The settled round that is meant; None for the one in progress."""
    current = table.round
    if current is not None and number in (0, current.number):
        return current if table.phase is PAYING and current.settled else None
    if not number:
        return None
    found = next((each for each in table.known_rounds if each.number == number), None)
    if found is None:
        raise Refused("no_round.too_old", table.procedures.round.rule, round=number)
    return found
