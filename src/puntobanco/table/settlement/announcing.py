"""The result is called; the cards decide."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.cases.holding import check_clear
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Round, Table


def finished_round(table: Table) -> Round:
    """The round whose cards are finished and that is not settled yet."""
    current = table.round
    if current is None or current.settled or current.voided:
        raise Refused("no_round", table.procedures.round.rule)
    if not current.closed or not current.finished:
        raise Refused("not_finished", table.procedures.table_of_play.rule)
    check_clear(table)
    return current


def announcement(table: Table, current: Round, called: str = "") -> e.ResultAnnounced:
    """The result of the round, with the dealer's call beside it."""
    coup, winner = current.coup, current.coup.winner
    result = winner.value if winner else "tie"
    paragraph = (table.procedures.winner if winner else table.procedures.tie).rule
    wrong = called if called != result else ""
    if wrong:
        paragraph = table.irregularities.wrong_call.rule or paragraph
    return e.ResultAnnounced(coup.player.total, coup.banker.total, result, paragraph, wrong)  # type: ignore[arg-type]


def announce(table: Table, command: Command, body: c.Announce) -> Sequence[e.Event]:
    """The dealer calls the result; the cards decide, whatever was called, and whenever (reading A)."""
    if table.settings.electronic or may_be_called(table):
        current = finished_round(table)
        if current.announced:
            raise Refused("already_there.announced", table.procedures.announcement.rule)
        return (announcement(table, current, body.result),)
    paragraph = table.irregularities.wrong_call.rule or table.procedures.announcement.rule
    return (e.ResultCalled(body.result, paragraph or table.procedures.winner.rule),)


def may_be_called(table: Table) -> bool:
    """Whether the cards are all out, and nothing waits: a call before that, or after it, is one out of turn."""
    current = table.round
    if current is None or current.settled or current.voided or not current.closed or not current.finished:
        return False
    return current.options is None and table.blocked is None
