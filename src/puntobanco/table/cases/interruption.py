"""Play is interrupted (reading X)."""

from __future__ import annotations

from collections.abc import Sequence

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
        raise Refused("bad_amount", "say what happened")
    about, paragraph = body.about.strip(), table.irregularity("interruption")
    if current is None:
        # nothing is in progress that it could affect
        return (e.PlayInterrupted(about, body.lost, paragraph or table.cite("round"), "goes_on"),)
    if table.phase is PAYING:
        # the result stands: what is left to take and pay is taken and paid
        established_by = table.irregularity("interruption", 1) or table.cite("round")
        return (e.PlayInterrupted(about, body.lost, established_by, "goes_on"),)
    if not paragraph:
        event = e.PlayInterrupted(about, body.lost, table.book.uncovered.paragraph, "ruling")
        return (event, opened(table, "interruption", about, reported=True))
    if not current.cards and not current.free:
        until = command.at + 1000 * table.settings.countdown
        again = e.PlayInterrupted(about, body.lost, paragraph, "bets_again", until)
        # what was found after the close can be put right again
        return (again, *flag_changes(table, (again,)))
    if not body.lost:
        return (e.PlayInterrupted(about, False, paragraph, "goes_on"),)
    if established(table, current.known, len(current.cards)):
        return (e.PlayInterrupted(about, True, table.irregularity("interruption", 1), "goes_on"),)
    void = table.irregularity("interruption", 2)
    return (e.PlayInterrupted(about, True, void, "void"), voided(table, current, void, about))
