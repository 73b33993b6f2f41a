"""What may be ruled on cards: their order, their place and what they are."""

from __future__ import annotations

from puntobanco.cards import Card
from puntobanco.table.base import Ruling


class Reconstruct(Ruling, tag="reconstruct", frozen=True):
    """The cards go back in the order they left the shoe and are dealt again by the Table of Play."""


class AsItLies(Ruling, tag="as_it_lies", frozen=True):
    """They cannot be put back: play goes on with the hands as they lie."""


class DecideOrder(Ruling, tag="order", frozen=True):
    """Which of the cards drawn at once is received first, second …; they are dealt again in that order."""

    cards: tuple[int, ...]


class ValueCard(Ruling, tag="value", frozen=True):
    """What a damaged, lost or doubtful card is."""

    number: int
    card: Card


CardsRuling = Reconstruct | AsItLies | DecideOrder | ValueCard
