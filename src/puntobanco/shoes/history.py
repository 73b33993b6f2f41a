"""What a table's log tells of its shoes: how they were cut, and the cards that have left them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from puntobanco.cards import Card
from puntobanco.shoes.commit import CommitmentError
from puntobanco.table import events as e


class ShoeHistory(msgspec.Struct, frozen=True):
    """One shoe as far as the log goes. A card that the log does not name is None."""

    number: int
    size: int
    commitment: str = ""
    cuts: tuple[int, ...] = ()
    burnt: tuple[Card | None, ...] = ()
    dealt: tuple[Card | None, ...] = ()
    before_round: int = 0
    """Cards that were dealt before the round in progress."""
    over: bool = False

    @property
    def gone(self) -> tuple[Card | None, ...]:
        """The cards that have left the shoe, in order."""
        return self.burnt + self.dealt


def follow(shoe: ShoeHistory | None, event: e.Event) -> ShoeHistory | None:
    """The shoe one event later; None before the first."""
    if isinstance(event, e.ShoeStarted):
        return ShoeHistory(event.number, event.cards, event.commitment)
    if shoe is None:
        return None
    match event:
        case e.CardsDealt(cards):
            return replace(shoe, dealt=shoe.dealt + cards)
        case e.CardDrawn(_, card):
            return replace(shoe, dealt=(*shoe.dealt, card))
        case e.CardTurned(number, card):
            return replace(shoe, dealt=_named(shoe, number, card))
        case e.RoundCalled():
            return replace(shoe, before_round=len(shoe.dealt))
        case e.ShoeCut(_, position):
            if shoe.gone:
                raise CommitmentError(f"shoe {shoe.number} was cut after its first card")
            return replace(shoe, cuts=(*shoe.cuts, position))
        case e.CardsBurnt(cards):
            if shoe.dealt:
                raise CommitmentError(f"shoe {shoe.number} was burnt after its first round")
            return replace(shoe, burnt=shoe.burnt + cards)
        case e.ShoeEnded() | e.TableClosed():
            return replace(shoe, over=True)
    return shoe


def _named(shoe: ShoeHistory, number: int, card: Card) -> tuple[Card | None, ...]:
    """The dealt cards with one of the round named, counted from 1."""
    place = shoe.before_round + number - 1
    if not shoe.before_round <= place < len(shoe.dealt):
        raise CommitmentError(f"shoe {shoe.number}: card {number} of a round was turned before it was drawn")
    known = shoe.dealt[place]
    if known not in (None, card):
        raise CommitmentError(f"shoe {shoe.number}: card {number} of a round was drawn as {known}, turned as {card}")
    return (*shoe.dealt[:place], card, *shoe.dealt[place + 1 :])


def follow_all(events: Iterable[e.Event], shoe: ShoeHistory | None = None) -> ShoeHistory | None:
    """The shoe after all these events."""
    for event in events:
        shoe = follow(shoe, event)
    return shoe


def shoes_of(events: Iterable[e.Event]) -> Iterator[ShoeHistory]:
    """Every shoe of a log, each as it was last heard of."""
    shoe: ShoeHistory | None = None
    for event in events:
        if shoe is not None and isinstance(event, e.ShoeStarted):
            yield shoe
        shoe = follow(shoe, event)
    if shoe is not None:
        yield shoe
