"""Exact odds of every bet and every insurance row, for any shoe."""

from puntobanco.odds.deals import ShoeTooShort
from puntobanco.odds.exact import (
    BetOdds,
    Joint,
    Menu,
    Solution,
    Weights,
    joint_odds,
    odds,
    odds_after,
    weights,
    weights_after,
)
from puntobanco.odds.insurance import InsuranceOdds, insurance_after, insurance_odds

__all__ = [
    "BetOdds",
    "InsuranceOdds",
    "Joint",
    "Menu",
    "ShoeTooShort",
    "Solution",
    "Weights",
    "insurance_after",
    "insurance_odds",
    "joint_odds",
    "odds",
    "odds_after",
    "weights",
    "weights_after",
]
