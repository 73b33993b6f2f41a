"""What went wrong, as it is reported; rulings proposed, approved, declined; the players' options."""

from __future__ import annotations

from typing import Literal

from puntobanco.cards import Card
from puntobanco.table.base import OWN, Body
from puntobanco.table.rulings import AnyRuling

Incidental = Literal[
    "exposed_cards",
    "face_up_in_shoe",
    "wrong_side",
    "squeeze_delivery",
    "squeeze_not_delivered",
    "face_up",
    "simultaneous",
    "simultaneous_in_order",
    "shoe_fault",
    "damaged_card",
    "cut_card_not_offered",
    "insurance_missed",
    "dealing_error",
    "display",
    "other",
]
"""What can be reported of a round in progress, by family."""
ABOUT_CARDS = frozenset(
    {
        "exposed_cards",
        "wrong_side",
        "squeeze_delivery",
        "face_up",
        "simultaneous",
        "simultaneous_in_order",
        "damaged_card",
    }
)
"""Of these, what is reported of certain cards."""
OF_A_ROUND = ABOUT_CARDS | {"squeeze_not_delivered", "cut_card_not_offered", "insurance_missed"}
"""And what can only have happened in a round: between rounds it was the last one."""
NOTED = ("cut_card", "paid_box")
"""What is noted by itself, and waits for nobody."""


class Report(Body, tag="report", frozen=True):
    """Something went wrong that the table cannot see by itself. ``cards`` are counted as they left the shoe.

    ``round`` 0 is the one in progress; of one that was settled, insurance that was not offered is reported.
    """

    what: Incidental
    about: str
    cards: tuple[int, ...] = ()
    round: int = 0
    holds: bool = False
    """Of something that the list does not foresee: whether play waits until it is ruled on."""
    person: str = ""
    """Of insurance that was not offered: who was not asked, where others were and kept silent."""


class ReportInterruption(Body, tag="report_interruption", frozen=True):
    """Play was interrupted; ``lost`` says that cards, bets or a device were lost."""

    about: str
    lost: bool = False


class ReportRound(Body, tag="report_round", frozen=True):
    """A round that is over was not played by the Table of Play: its cards as they really left the shoe."""

    round: int
    cards: tuple[Card, ...]
    about: str


class Propose(Body, tag="propose", frozen=True):
    """A ruling on an incident (0: on none in particular); it waits for approval unless the dealer may give it."""

    ruling: AnyRuling
    incident: int = 0
    reason: str = ""


class Approve(Body, tag="approve", frozen=True):
    """Somebody with the rank for it approves a ruling that another person proposed."""

    proposal: int


class Decline(Body, tag="decline", frozen=True):
    """A ruling that was proposed is not given."""

    proposal: int
    reason: str = ""


class TakeOption(Body, tag="take_option", frozen=True):
    """A player goes on with the round, or takes all bets back; staff may record it."""

    needs = OWN
    person: str
    goes_on: bool


CasesCommand = Report | ReportInterruption | ReportRound | Propose | Approve | Decline | TakeOption
