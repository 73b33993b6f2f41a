"""What was put right in the record, and rounds played again by it."""

from __future__ import annotations

from typing import Literal

from puntobanco.cards import Card, Side
from puntobanco.rules.model import Window
from puntobanco.table.about import Words
from puntobanco.table.base import Event, Transfer
from puntobanco.table.settlement.events import SettledLine


class CardCorrected(Event, tag="card_corrected", frozen=True):
    """The record of a card was wrong."""

    round: int
    number: int
    was: Card | None
    card: Card
    reason: Words


class BetCorrected(Event, tag="bet_corrected", frozen=True):
    """The record of a bet was wrong."""

    round: int
    person: str
    box: int
    bet: str
    was: int
    stake: int
    to_box: int
    to_bet: str
    transfers: tuple[Transfer, ...]
    """What moved, where bets were still open."""
    reason: Words
    to_person: str = ""


class CallCorrected(Event, tag="call_corrected", frozen=True):
    """The record of the dealer's call was wrong."""

    was: str
    result: Literal["player", "banker", "tie"]
    reason: Words


class ConfirmationCorrected(Event, tag="confirmation_corrected", frozen=True):
    """A box was confirmed by mistake."""

    box: int
    reason: Words


class InsuranceCorrected(Event, tag="insurance_corrected", frozen=True):
    """The record of insurance was wrong, or left out chips that lay there."""

    round: int
    person: str
    box: int
    hand: Side
    window: Window
    was: int
    stake: int
    to_box: int
    to_hand: Side
    paragraph: str
    reason: Words
    to_person: str = ""


class HandCorrected(Event, tag="hand_corrected", frozen=True):
    """A card was keyed to the wrong hand."""

    round: int
    number: int
    was: Side | None
    hand: Side
    reason: Words


class CardStruck(Event, tag="card_struck", frozen=True):
    """A card was keyed that never left the shoe."""

    round: int
    number: int
    card: Card | None
    reason: Words


class CardAdded(Event, tag="card_added", frozen=True):
    """A card left the shoe and was never keyed."""

    round: int
    number: int
    card: Card
    hand: Side
    after: int
    reason: Words


class OrderCorrected(Event, tag="order_corrected", frozen=True):
    """Cards left the shoe in another order than they were keyed."""

    round: int
    cards: tuple[int, ...]
    """Their numbers, by the order in which they left."""
    became: tuple[Card, ...]
    """What the cards of these numbers are now, the lowest number first."""
    reason: Words


class CardsTold(Event, tag="cards_told", frozen=True):
    """The cards of a round as they really left the shoe."""

    round: int
    cards: tuple[Card, ...]
    left_over: tuple[Card, ...] = ()
    """Those that the round has no use for."""
    carried: bool = False
    """Whether these wait for the next round; otherwise they are discarded."""
    free: bool = False
    """Whether that is a Free Hand for them."""
    face_down: tuple[Card, ...] = ()
    """Of those left over, what nobody has turned."""


class RoundPlayedAgain(Event, tag="round_played_again", frozen=True):
    """The round was played again by its amended record. The transfers are what changed on the layout."""

    number: int
    coup: str
    transfers: tuple[Transfer, ...]
    paragraph: str
    returned: tuple[SettledLine, ...] = ()
    """What went back: insurance over its cap, at no row of the pay table, or of no bet; bets outside the limits."""


AmendmentsEvent = (
    CardCorrected
    | HandCorrected
    | CardStruck
    | CardAdded
    | OrderCorrected
    | CardsTold
    | BetCorrected
    | InsuranceCorrected
    | CallCorrected
    | ConfirmationCorrected
    | RoundPlayedAgain
)
