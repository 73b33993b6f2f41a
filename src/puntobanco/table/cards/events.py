"""What happened to cards of a round, and to those that wait for the next."""

from __future__ import annotations

from typing import Literal

from puntobanco.cards import Card, Side
from puntobanco.table.base import Event, Transfer


class CardsDealt(Event, tag="cards_dealt", frozen=True):
    """Cards were drawn, each placed at the hand it was due to, and turned, all at once."""

    cards: tuple[Card, ...]
    hands: tuple[Side, ...]


class CardDrawn(Event, tag="card_drawn", frozen=True):
    """A card left the shoe, face down."""

    number: int
    card: Card | None = None


class CardPut(Event, tag="card_put", frozen=True):
    """A card was put at a hand."""

    number: int
    hand: Side


class CardTurned(Event, tag="card_turned", frozen=True):
    """A card lies open. Cards that wait for their round are numbered after those of the round in progress."""

    number: int
    card: Card
    by: str = ""
    paragraph: str = ""
    """What that means, where it was turned before its round."""


class CardsArranged(Event, tag="cards_arranged", frozen=True):
    """The round's cards in the order that now counts, each at its hand; any others are left over."""

    how: Literal["reconstructed", "as_it_lies"]
    order: tuple[int, ...]
    hands: tuple[Side, ...]
    paragraph: str
    goes: Literal["", "next_round", "free_hand", "discarded"] = ""
    """What becomes of cards left over."""


class CardValued(Event, tag="card_valued", frozen=True):
    """What a damaged, lost or doubtful card is, by ruling."""

    number: int
    card: Card
    paragraph: str


class EarlyCardDrawn(Event, tag="early_card_drawn", frozen=True):
    """A card left the shoe before its round: it waits for the next one."""

    paragraph: str
    card: Card | None = None
    turned: bool = False


class CarriedCardsDealt(Event, tag="carried_cards_dealt", frozen=True):
    """Cards left over from before open the round."""

    hands: tuple[Side, ...]
    paragraph: str


class FreeHandCalled(Event, tag="free_hand_called", frozen=True):
    """A round without wagers. A round called but not begun becomes one: its bets went back."""

    number: int
    paragraph: str
    transfers: tuple[Transfer, ...] = ()


class PlayedFree(Event, tag="played_free", frozen=True):
    """Everybody took the bets back: the rest of the round is a Free Hand."""

    paragraph: str


CardsEvent = (
    CardsDealt
    | CardDrawn
    | CardPut
    | CardTurned
    | CardsArranged
    | CardValued
    | EarlyCardDrawn
    | CarriedCardsDealt
    | FreeHandCalled
    | PlayedFree
)
