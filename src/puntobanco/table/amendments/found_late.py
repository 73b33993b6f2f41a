"""Chips found on a bet of a round that is settled: an amendment of its record, which waits for a second person."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.insurance import BOXES
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.amendments.amending import find_chips
from puntobanco.table.amendments.entries import lies_there
from puntobanco.table.cases.proposals import propose
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.state import PAYING, Round, Table


def find_bet(table: Table, command: Command, body: c.FindBet) -> Sequence[e.Event]:
    """In the round in progress the chips are on the layout at once; one that is settled is settled again with them."""
    found = _settled(table, body.round)
    if found is None:
        return find_chips(table, command, body)
    if body.amount < 1:
        raise Refused("bad_amount", "an amount is above zero")
    fix = r.CorrectBet(body.person, body.box, body.bet, 0, round=found.number, window=body.window)
    if body.bet in BOXES:
        lying = [taken for taken in found.insurance if lies_there(taken, fix)]
        was = sum(taken.stake for taken in lying if body.window in (None, taken.row.window))
    else:
        wager = (found.laid or found.wagers).get((body.person, body.box, body.bet))
        was = wager.stake if wager is not None else 0
    stake = was + body.amount
    fix = r.CorrectBet(body.person, body.box, body.bet, stake, round=found.number, window=body.window)
    return propose(table, command, c.Propose(fix, reason="found"))


def _settled(table: Table, number: int) -> Round | None:
    """The settled round that is meant; None for the one in progress."""
    current = table.round
    if current is not None and number in (0, current.number):
        return current if table.phase is PAYING and current.settled else None
    if not number:
        return None
    found = next((each for each in table.known_rounds if each.number == number), None)
    if found is None:
        raise Refused("no_round", f"round {number} is none of this shoe or the one before", table.procedures.round.rule)
    return found
