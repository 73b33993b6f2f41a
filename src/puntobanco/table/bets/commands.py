"""What is asked about bets and limits, and what chips are found."""

from __future__ import annotations

from typing import Literal

from puntobanco.rules.model import Window
from puntobanco.table.base import OWN, Body


class SetLimits(Body, tag="set_limits", frozen=True):
    """The pit changes the limits of a bet, or of all bets without their own, from the next round on."""

    needs = "manages"
    minimum: int
    maximum: int | None = None
    step: int = 1
    bet: str = ""


class SetDifferential(Body, tag="set_differential", frozen=True):
    """The pit changes the Differential, or lifts it, from the next round on."""

    needs = "manages"
    limit: int | None = None
    scope: Literal["table", "box"] = "table"


class Call(Body, tag="call", frozen=True):
    """Place your bets."""


class Place(Body, tag="place", frozen=True):
    """Put chips on bets: amounts are added to what is there."""

    needs = OWN
    person: str
    box: int
    wagers: dict[str, int]


class Withdraw(Body, tag="withdraw", frozen=True):
    """Take chips back: that amount, or the whole wager."""

    needs = OWN
    person: str
    box: int
    bet: str
    amount: int | None = None


class RefuseBalance(Body, tag="refuse_balance", frozen=True):
    """A seated player wants nobody to bet behind the box."""

    needs = OWN
    person: str


class Close(Body, tag="close", frozen=True):
    """No more bets."""


class FindBet(Body, tag="find_bet", frozen=True):
    """Chips are found on a bet that nobody asked for: noticed in time before the close, not noticed after it.

    Those in an insurance box were put down in a ``window``; it is named where there is a choice.
    """

    person: str
    box: int
    bet: str
    amount: int
    window: Window | None = None
    round: int = 0
    """The round in which they lay, where that is over; 0 is the one in progress."""


class LateChips(Body, tag="late_chips", frozen=True):
    """After the close somebody put chips on a bet, or took some away."""

    person: str
    box: int
    bet: str
    amount: int
    what: Literal["placed", "withdrawn"]


BetsCommand = SetLimits | SetDifferential | Call | Place | Withdraw | RefuseBalance | Close | FindBet | LateChips
