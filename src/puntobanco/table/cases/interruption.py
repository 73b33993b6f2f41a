"""Play is interrupted (reading X)."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.policies import Interrupted
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.bets.outside_limits import flag_changes
from puntobanco.table.cases.incidents import established, opened
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.voiding import voided
from puntobanco.table.state import PAYING, Table


def report_interruption(table: Table, command: Command, body: c.ReportInterruption) -> Sequence[e.Event]:
    """Reading X: with no card out the bets stand and the time for them starts again; cards intact, play goes on."""
    current = table.round
    if not body.about.strip():
        raise Refused("bad_amount.what_happened")
    about, slots = body.about.strip(), table.irregularities.interruption
    stated = table.policies.interruption.value
    if current is None:
        # nothing is in progress that it could affect
        return (e.PlayInterrupted(about, body.lost, slots.rule or table.procedures.round.rule, "goes_on"),)
    if table.phase is PAYING:
        # the result stands: what is left to take and pay is taken and paid
        established_by = slots.established or table.procedures.round.rule
        return (e.PlayInterrupted(about, body.lost, established_by, "goes_on"),)
    if stated is Interrupted.NOT_COVERED:
        event = e.PlayInterrupted(about, body.lost, table.book.uncovered.paragraph, "ruling")
        return (event, opened(table, "interruption", about, reported=True))
    if not current.cards and not current.free:
        until = command.at + 1000 * table.settings.countdown
        again = e.PlayInterrupted(about, body.lost, slots.rule, "bets_again", until)
        # what was found after the close can be put right again
        return (again, *flag_changes(table, (again,)))
    if not body.lost:
        return (e.PlayInterrupted(about, False, slots.rule, "goes_on"),)
    goes_on = stated is Interrupted.GOES_ON
    if stated is Interrupted.OUTCOME_DECIDES:
        goes_on = established(table, current.known, len(current.cards))
    if goes_on:
        return (e.PlayInterrupted(about, True, slots.established or slots.rule, "goes_on"),)
    void = slots.open or slots.rule
    return (e.PlayInterrupted(about, True, void, "void"), voided(table, current, void, about))
