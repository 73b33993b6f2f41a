"""What stays open of a round that is over, or whose cards are others now."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from puntobanco.table.amendments.rulings import CorrectBet, CorrectCard
from puntobanco.table.cases.state import Proposal
from puntobanco.table.insurance.rulings import MoveInsurance
from puntobanco.table.settlement.rulings import Pay
from puntobanco.table.shoe.rulings import ReplaceShoe
from puntobanco.table.state import Table


def matters_left(table: Table) -> dict[str, Any]:
    """What a round that is over leaves open: matters that never held it up."""
    if not table.incidents and not table.proposals:
        return {}
    incidents = {
        number: incident for number, incident in table.incidents.items() if not incident.blocks or incident.true_cards
    }
    proposals = {
        number: proposal
        for number, proposal in table.proposals.items()
        if proposal.incident in incidents or (not proposal.incident and isinstance(proposal.ruling, _LASTING))
    }
    return {"incidents": incidents, "proposals": proposals}


_LASTING = (Pay, ReplaceShoe, MoveInsurance, CorrectCard, CorrectBet)
"""Rulings without an incident that may still be given when the round is over."""


def proposals_on_same_cards(table: Table, number: int, kept: Collection[int]) -> dict[int, Proposal]:
    """What waits for approval, less corrections of cards that are not in the round's hands any more."""
    return {
        key: proposal
        for key, proposal in table.proposals.items()
        if not isinstance(ruling := proposal.ruling, CorrectCard) or ruling.round != number or ruling.number in kept
    }
