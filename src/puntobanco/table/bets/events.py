"""What happened to bets and limits."""

from __future__ import annotations

from typing import Literal

import msgspec

from puntobanco.table.about import Words
from puntobanco.table.base import Event, Transfer
from puntobanco.table.settings import BetLimits, Differential


class LimitsSet(Event, tag="limits_set", frozen=True):
    """The limits of a bet, or of all without their own (no bet named), changed; ``round`` is the first under them."""

    bet: str
    before: BetLimits
    limits: BetLimits
    round: int
    paragraph: str = ""


class DifferentialSet(Event, tag="differential_set", frozen=True):
    """The Differential was changed or lifted; ``round`` is the first under the new one."""

    before: Differential | None
    differential: Differential | None
    round: int
    paragraph: str = ""


class RoundCalled(Event, tag="round_called", frozen=True):
    """Bets were called for."""

    number: int
    paragraph: str
    until: int
    """When the betting time is over."""


class WagersPlaced(Event, tag="wagers_placed", frozen=True):
    """Chips went on the layout; ``by`` is staff who put them down for the player."""

    person: str
    box: int
    wagers: dict[str, int]
    transfers: tuple[Transfer, ...]
    by: str = ""
    paragraph: str = ""


class WagerReduced(Event, tag="wager_reduced", frozen=True):
    """Chips came back before the cards: withdrawn, yielded to a seated player, or rejected as excess."""

    person: str
    box: int
    bet: str
    amount: int
    why: Literal["withdrawn", "yielded", "rejected", "below_minimum", "above_maximum"]
    transfers: tuple[Transfer, ...]
    paragraph: str = ""
    by: str = ""


class BetsClosed(Event, tag="bets_closed", frozen=True):
    """No more bets."""

    paragraph: str


class BetFound(Event, tag="bet_found", frozen=True):
    """Chips lay on a bet that nobody asked for; ``noticed`` when that was before the close."""

    person: str
    box: int
    bet: str
    amount: int
    noticed: bool
    transfers: tuple[Transfer, ...]
    paragraph: str = ""


class LateChipsRefused(Event, tag="late_chips_refused", frozen=True):
    """Chips put down after the close go back; chips taken away after it count as if they still lay there."""

    person: str
    box: int
    bet: str
    amount: int
    what: Literal["placed", "withdrawn"]
    paragraph: str
    waits: bool = False
    """Whether the book does not say so, and a ruling is to say what stands."""


class StakeCut(msgspec.Struct, frozen=True):
    """What does not stand of a wager, and why."""

    person: str
    box: int
    bet: str
    amount: int
    why: Literal["below_minimum", "above_maximum", "pro_rata"]
    paragraph: str


class StakesStand(Event, tag="stakes_stand", frozen=True):
    """What stands of bets that were not noticed in time; the rest went back before the settlement."""

    cuts: tuple[StakeCut, ...]
    transfers: tuple[Transfer, ...]
    paragraph: str
    in_full: str = ""
    """The paragraph by which bets under the minimum stand in full beside those that are shared out."""


class StakeRuled(Event, tag="stake_ruled", frozen=True):
    """Somebody with the rank for it ruled how much of a bet stands."""

    person: str
    box: int
    bet: str
    stands: int
    transfers: tuple[Transfer, ...]
    paragraph: str
    reason: Words


BetsEvent = (
    LimitsSet
    | DifferentialSet
    | RoundCalled
    | WagersPlaced
    | WagerReduced
    | BetsClosed
    | BetFound
    | LateChipsRefused
    | StakesStand
    | StakeRuled
)
