"""What is told about cards: dealt by an electronic shoe, drawn, put, turned."""

from __future__ import annotations

from puntobanco.cards import Card, Side
from puntobanco.table.base import Body


class Deal(Body, tag="deal", frozen=True):
    """An electronic shoe gives cards: each is drawn, placed where it is due, and turned."""

    cards: tuple[Card, ...]


class Draw(Body, tag="draw", frozen=True):
    """A card left the shoe; the scanner may have read it. Where it was put, and that it was turned, may be told too."""

    card: Card | None = None
    hand: Side | None = None
    turned: bool = False


class PutCard(Body, tag="put_card", frozen=True):
    """A drawn card was put at a hand. Cards are counted from 1, in the order they left the shoe."""

    number: int
    hand: Side


class Turn(Body, tag="turn", frozen=True):
    """A card was turned; the identity is keyed unless the scanner knows it.

    Cards that wait for their round are counted on after those of the round in progress.
    """

    needs = "anybody"
    number: int
    card: Card | None = None


CardsCommand = Deal | Draw | PutCard | Turn
