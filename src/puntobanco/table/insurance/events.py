"""What happened to insurance: offered, taken, missed, moved, put right."""

from __future__ import annotations

import msgspec

from puntobanco.cards import Side
from puntobanco.money import Odds
from puntobanco.rules.model import Window
from puntobanco.table.base import Event, Transfer


class Offer(msgspec.Struct, frozen=True):
    """Insurance on one hand at the odds of its row, to the people who bet on it."""

    hand: Side
    odds: Odds
    own: int
    other: int
    people: tuple[str, ...]


class InsuranceOffered(Event, tag="insurance_offered", frozen=True):
    """Insurance is on offer."""

    window: Window
    offers: tuple[Offer, ...]
    paragraph: str
    until: int = 0
    late: bool = False
    """Whether it had been missed: winnings are capped at the Original Bet."""


class Insured(Event, tag="insured", frozen=True):
    """Somebody took insurance."""

    person: str
    box: int
    hand: Side
    amount: int
    window: Window
    odds: Odds
    own: int
    other: int
    paragraph: str
    transfers: tuple[Transfer, ...]
    by: str = ""
    """Staff who put it down for the player."""


class InsurancePassed(Event, tag="insurance_passed", frozen=True):
    """A player declined insurance."""

    person: str
    paragraph: str


class InsuranceClosed(Event, tag="insurance_closed", frozen=True):
    """Players who were offered insurance and took none have forgone it."""

    window: Window
    forgone: tuple[str, ...]
    paragraph: str
    not_asked: tuple[str, ...] = ()
    """Who had not answered when the round was paid with a card lacking: no card has come, and it is missed (5.17)."""


class InsuranceMissed(Event, tag="insurance_missed", frozen=True):
    """A card came although insurance should have been offered before it."""

    window: Window
    offers: tuple[Offer, ...]
    paragraph: str
    round: int = 0
    """Where it was found after the settlement; 0 is the round in progress."""


class IntentionNoted(Event, tag="intention_noted", frozen=True):
    """A player had meant to insure that hand, by this row."""

    person: str
    hand: Side
    window: Window
    own: int
    other: int
    paragraph: str
    round: int = 0
    """A round that was settled; 0 is the one in progress."""


class InsuranceMoved(Event, tag="insurance_moved", frozen=True):
    """Insurance in the wrong box was moved to the other hand, by the row that fitted then."""

    person: str
    box: int
    hand: Side
    """Where it lay."""
    paragraph: str
    round: int = 0


class InsuranceReread(Event, tag="insurance_reread", frozen=True):
    """Insurance as cards and bets really were: by the row of these points; back if none fits or no bet was there."""

    person: str
    box: int
    hand: Side
    """Where it lies."""
    window: Window
    own: int
    other: int
    odds: Odds | None
    """None where it goes back."""
    paragraph: str
    transfers: tuple[Transfer, ...] = ()
    round: int = 0


class BetsReturned(Event, tag="bets_returned", frozen=True):
    """Wagers went back by a ruling."""

    wagers: tuple[tuple[str, int, str], ...]
    transfers: tuple[Transfer, ...]
    paragraph: str
    round: int = 0
    """A round that was settled, and is settled again without them; 0 is the one in progress."""


class InsuranceWaived(Event, tag="insurance_waived", frozen=True):
    """From this round on insurance is no longer offered at a private table, or is offered again, as a player
    asked and the House allowed."""

    person: str
    by: str
    offered: bool
    round: int
    paragraph: str


InsuranceEvent = (
    InsuranceOffered
    | Insured
    | InsurancePassed
    | InsuranceClosed
    | InsuranceMissed
    | IntentionNoted
    | InsuranceMoved
    | InsuranceReread
    | BetsReturned
    | InsuranceWaived
)
