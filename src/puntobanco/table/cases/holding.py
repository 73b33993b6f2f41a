"""What keeps play from going on: an incident without its ruling, options without their answers."""

from __future__ import annotations

from puntobanco.table.refusals import Refused
from puntobanco.table.state import Round, Table


def check_clear(table: Table) -> None:
    """Refuse to go on while an incident waits for a ruling, or players for their options."""
    if incident := table.blocked:
        raise Refused("flagged.incident", incident.paragraph, family=incident.family, about=incident.about)
    if table.round is not None and (options := table.round.options):
        raise Refused("flagged.answer", options.go_on, people=sorted(options.waiting))


HOLDING = ("interruption", "cards_at_fault", "wrong_burn", "shoe_fault", "dealing_error", "other")
"""What can be ruled on while bets are open; the round waits for it (reading X)."""


def check_bets_held(table: Table, current: Round) -> None:
    """Refuse to go on with the bets of a round that waits for a ruling. Withdrawing is allowed all the same."""
    if not table.incidents:
        return
    for found in table.incidents.values():
        if found.blocks and found.family in HOLDING and found.round == current.number:
            raise Refused("flagged.incident", found.paragraph, family=found.family, about=found.about)
