"""What may be ruled on insurance that was missed or misplaced."""

from __future__ import annotations

from puntobanco.cards import Side
from puntobanco.table.base import Ruling


class OfferLate(Ruling, tag="offer_late", frozen=True):
    """Insurance that was not offered is offered now; its winnings are capped at the Original Bet."""


class ReturnBets(Ruling, tag="return_bets", frozen=True):
    """Players who had meant to insure and would have won get the Original Bet back."""


class MoveInsurance(Ruling, tag="move_insurance", frozen=True):
    """Insurance that staff put in the wrong box belongs to the other hand; ``hand`` is where it lies."""

    person: str
    box: int
    hand: Side


InsuranceRuling = OfferLate | ReturnBets | MoveInsurance
