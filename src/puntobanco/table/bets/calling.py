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
from puntobanco.table.state import Phase, Table


def call(table: Table, command: Command, body: c.Call) -> Sequence[e.Event]:
    check_shoe(table)
    if table.round is not None:
        waiting = sorted(table.round.unconfirmed)
        if table.phase is Phase.PAYING and waiting:
            boxes = ", ".join(map(str, waiting))
            raise Refused(
                "confirmations", f"takes and pays are not confirmed at box {boxes}", table.procedures.round.rule
            )
        raise Refused("round_open", f"round {table.round.number} is not over", table.procedures.round.rule)
    check_clear(table)
    if proposal := table.card_in_question:
        # once the next round has begun it would be an error found late
        message = f"proposal {proposal.number} on a card of round {table.rounds} is to be approved or declined first"
        raise Refused("flagged", message, table.procedures.round.rule)
    if table.shoe.choosing:
        people = ", ".join(sorted(table.shoe.choosing))
        paragraph = table.irregularities.burn_forgotten.players_choose
        raise Refused("flagged", f"waits for the choice of {people}: go on with the shoe or not", paragraph)
    called = _called(table, command.at)
    if not table.shoe.burn_due:
        return (called,)
    if table.settings.electronic or not table.to_burn:
        raise Refused("burn", "cards are to be burnt before the first round", table.procedures.burn.rule)
    if table.next_is_free:
        # whether it opens the hand the burn decides: it may take the card that shows
        raise Refused(
            "burn",
            "the next card was seen: burn before bets are called for",
            table.irregularities.free_hand.first_card,
        )
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
        and not table.blocked
        and not table.shoe.choosing
    )
    return (_called(table, now),) if ready else ()
