"""Which commands are facts and which are requests (reading A).

A *fact* is what somebody saw happen: a card left the shoe, chips lie there, a result was called. It is recorded in
every phase, and may be refused only where it cannot have been: somebody who is not here, a card that is not out. A
*request* is what somebody wants; it is refused where the book or the phase does not allow it. The *amendments* say
that a fact was keyed wrongly; they are proposed like rulings (:data:`puntobanco.table.cases.remedies.AMENDMENTS`).
"""

from __future__ import annotations

from typing import get_args

from puntobanco.table import commands as c

FACTS: tuple[type[c.Body], ...] = (
    c.Burn,
    c.CutCard,
    c.ReportCards,
    c.Draw,
    c.PutCard,
    c.Turn,
    c.FindBet,
    c.LateChips,
    c.WalkAway,
    c.ComeBack,
    c.MeantToInsure,
    c.Announce,
    c.Confirm,
    c.HoldSuspect,
    c.Report,
    c.ReportInterruption,
    c.ReportRound,
    c.RaiseDispute,
)
REQUESTS: tuple[type[c.Body], ...] = tuple(body for body in get_args(c.AnyCommand) if body not in FACTS)
PHASES = frozenset(
    {"round_open", "no_round", "bets_closed", "bets_open", "confirmations", "not_finished", "finished", "no_shoe"}
)
"""The refusals that say: not now. No fact at a live table meets one of them."""
