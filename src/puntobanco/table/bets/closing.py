"""No more bets."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.policies import Breach
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.bets.limits import Cutback, differential_paragraph, rejected_at_close
from puntobanco.table.bets.outside_limits import BELOW, OVER, bets_outside
from puntobanco.table.bets.placing import chips_back
from puntobanco.table.bets.state import ABOVE
from puntobanco.table.cases.holding import check_bets_held
from puntobanco.table.commands import Command
from puntobanco.table.folds import evolve
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table


def close(table: Table, command: Command, body: c.Close) -> Sequence[e.Event]:
    """No more bets; what is still over the Differential is rejected, where the book knows such a limit."""
    current = table.round
    if current is None:
        raise Refused("no_round.bets", table.procedures.call.rule)
    if current.closed:
        raise Refused("bets_closed", table.procedures.close.rule)
    check_bets_held(table, current)
    events: list[e.Event] = []
    if table.flags:
        # no request is granted beyond the limits, so where nothing is flagged nothing is outside them
        for wager, flag, paragraph, amount in bets_outside(table, current):
            events.append(chips_back(table, Cutback(wager, amount), flag, paragraph))
        for event in events:
            table = evolve(table, event)
        assert table.round is not None
        if table.policies.over_differential_noticed.value is Breach.PUT_RIGHT:
            rejected = rejected_at_close(table, table.round)
            events += [chips_back(table, cutback, "rejected", differential_paragraph(table)) for cutback in rejected]
        stands = table.policies.over_differential_noticed.value is Breach.STANDS
        events += [
            e.FlagCleared(*key, stands=stands and key[0] == OVER)
            for key in table.flags
            if key[0] in (OVER, BELOW, ABOVE)
        ]
    return (*events, e.BetsClosed(table.procedures.close.rule))
