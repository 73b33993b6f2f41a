"""Insurance offered, taken, passed, and what somebody had meant to take."""

from __future__ import annotations

from puntobanco.cards import Side
from puntobanco.table.base import OWN, Body


class OfferInsurance(Body, tag="offer_insurance", frozen=True):
    """The dealer offers insurance by the row that fits."""


class Insure(Body, tag="insure", frozen=True):
    """A player insures the bet of a box on one hand."""

    needs = OWN
    person: str
    box: int
    hand: Side
    amount: int


class PassInsurance(Body, tag="pass_insurance", frozen=True):
    """A player declines what is offered."""

    needs = OWN
    person: str


class CloseInsurance(Body, tag="close_insurance", frozen=True):
    """The time for insurance is over."""


class MeantToInsure(Body, tag="meant_to_insure", frozen=True):
    """A player had meant to insure a hand when insurance was not offered. ``round`` 0 is the one in progress."""

    person: str
    hand: Side
    round: int = 0


class WaiveInsurance(Body, tag="waive_insurance", frozen=True):
    """The House allows what a player of a private table asks for: that no insurance is offered, or that it is again."""

    needs = "speaks"
    person: str
    offered: bool = False


InsuranceCommand = OfferInsurance | Insure | PassInsurance | CloseInsurance | MeantToInsure | WaiveInsurance
