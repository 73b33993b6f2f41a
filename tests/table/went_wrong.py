"""The events that nothing but an irregularity, a ruling, a correction or a dispute leads to, and money that moves."""

from __future__ import annotations

from typing import get_args

from puntobanco.table import events as e
from puntobanco.table.amendments.events import AmendmentsEvent
from puntobanco.table.cases.events import CasesEvent
from puntobanco.table.disputes.events import DisputesEvent

WENT_WRONG: tuple[type[e.Event], ...] = (
    *(event for event in get_args(CasesEvent) if event not in (e.Flagged, e.FlagCleared)),
    *get_args(DisputesEvent),
    *get_args(AmendmentsEvent),
    *(e.CardsArranged, e.CardValued, e.EarlyCardDrawn, e.CarriedCardsDealt, e.FreeHandCalled, e.PlayedFree),
    *(e.CardsRetrieved, e.ShoeToBeReplaced, e.ShoeChoiceDue, e.ShoeChoiceGiven, e.ShoeChosen, e.ShoeKept),
    *(e.InsuranceMissed, e.IntentionNoted, e.InsuranceMoved, e.InsuranceReread, e.BetsReturned),
    *(e.RoundReopened, e.RoundSettledAgain, e.ResultCalled, e.MoneyRuled, e.DebtSettled, e.MoneyMoved),
)
