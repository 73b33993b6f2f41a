"""The shoe from which a bot deals by hand: shuffled by fresh bytes of the operating system, cut, dealt to the end."""

from __future__ import annotations

from puntobanco.cards import CARDS, Card
from puntobanco.shoes.shuffle import shuffled
from puntobanco.views.public import ShoeSeen

EVIDENCE = "shuffled by hand and checked by the dealer"


class HandShoe:
    """Cards in their order. Where the table stands in it, the table's view says."""

    def __init__(self, decks: int, number: int, *, whole: bool) -> None:
        self._order = [CARDS[index] for index in shuffled(decks)]
        self.number = number
        self.whole = whole
        """Whether all cards so far came out of it. One that only stands in ends with the round."""
        self._drawn = 0

    def fits(self, shoe: ShoeSeen) -> bool:
        """Whether it is the shoe on the table. Cards may have gone back into it, but nobody else has drawn any."""
        return self.number == shoe.number and (not self.whole or shoe.size - shoe.left <= self._drawn)

    def cut(self, position: int) -> None:
        self._order = self._order[position:] + self._order[:position]

    def draw(self, shoe: ShoeSeen, count: int = 1) -> Card:
        """The next card, or the first of several that leave together."""
        at = shoe.size - shoe.left
        self._drawn = at + count
        return self._order[at % len(self._order)]

    def lying(self, shoe: ShoeSeen, out: int, number: int) -> Card:
        """A card of the round, by its number, of so many that are out."""
        return self._order[(shoe.size - shoe.left - out + number - 1) % len(self._order)]
