"""The call for bets."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.cases.holding import check_clear
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import CALL
from puntobanco.table.shoe.forgotten_burn import burn_forgotten
from puntobanco.table.shoe.lifetime import check_shoe
from puntobanco.table.shoe.seeds import check_promised, cut_missing
from puntobanco.table.state import Phase, Table


def call(table: Table, command: Command, body: c.Call) -> Sequence[e.Event]:
    """Call for bets: a round begins."""
    check_shoe(table)
    if table.round is not None:
        waiting = sorted(table.round.unconfirmed)
        if table.phase is Phase.PAYING and waiting:
            raise Refused("confirmations.boxes", table.procedures.round.rule, boxes=waiting)
        raise Refused("round_open", table.procedures.round.rule, round=table.round.number)
    check_promised(table)
    check_clear(table)
    if proposal := table.card_in_question:
        # once the next round has begun it would be an error found late
        raise Refused("flagged.proposal", table.procedures.round.rule, number=proposal.number)
    if table.shoe.choosing:
        paragraph = table.irregularities.burn_forgotten.players_choose
        raise Refused("flagged.choice", paragraph, people=sorted(table.shoe.choosing))
    called = _called(table, command.at)
    if not table.shoe.burn_due:
        return (called,)
    if table.settings.electronic or not table.to_burn:
        raise Refused("burn.first", table.procedures.burn.rule)
    if table.next_is_free:
        # whether it opens the hand the burn decides: it may take the card that shows
        raise Refused("burn.before_bets", table.irregularities.free_hand.first_card)
    # what a dealer calls is called: the burn was forgotten
    return (called, burn_forgotten(table, called.number))


def _called(table: Table, now: int) -> e.RoundCalled:
    return e.RoundCalled(table.rounds + 1, table.procedures.call.rule, now + 1000 * table.settings.countdown)


def call_by_itself(table: Table, now: int) -> Sequence[e.Event]:
    """An electronic table calls the next round by itself."""
    ready = (
        CALL in table.settings.automated
        and table.phase is Phase.IDLE
        and not table.shoe.ended
        and not table.shoe.burn_due
        and table.shoe.seeds is None
        and not cut_missing(table)
        and not table.blocked
        and not table.shoe.choosing
    )
    return (_called(table, now),) if ready else ()
