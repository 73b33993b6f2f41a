"""Committed shoes: the order revealed at the end against the commitment before the first card, and the cards."""

from __future__ import annotations

from collections import Counter

from puntobanco.cards import CARDS, CARDS_IN_DECK, Card
from puntobanco.store.chain import Reveal
from puntobanco.table import events as e
from puntobanco.table.state import Table


class CommittedShoe:
    """What a log shows of one shoe: its commitment, the cut, and every card that was seen, by its place."""

    def __init__(self, started: e.ShoeStarted, version: int) -> None:
        self.number, self.cards, self.commitment = started.number, started.cards, started.commitment
        self.version = version
        self.ended = 0
        """The version at which it ended."""
        self._cut = 0
        self._seen: dict[int, Card] = {}

    def follow(self, before: Table, event: e.Event) -> None:
        """Note what an event shows of the shoe."""
        if isinstance(event, e.ShoeCut):
            # who cuts again turns what was turned before
            self._cut = (self._cut + event.position) % self.cards
        elif isinstance(event, e.CardsBurnt):
            for place, card in enumerate(event.cards, before.shoe.drawn):
                if card is not None:
                    self._seen[place] = card
        elif isinstance(event, e.RoundEnded) and before.round is not None:
            begun = before.shoe.drawn - len(before.round.cards)
            for place, drawn in enumerate(before.round.cards, begun):
                if drawn.card is not None:
                    self._seen[place] = drawn.card

    def wrong_reveal(self, reveal: Reveal, book: str) -> str | None:
        """Why the revealed order is not the one that was committed to and dealt."""
        try:
            commitment = reveal.commitment
        except ValueError:
            return "salt and book are hexadecimal, the order is plain text"
        if commitment != self.commitment:
            return f"the order revealed for shoe {self.number} is not the one that was committed to"
        if len(reveal.salt) != 64 or reveal.book != book:
            return f"the commitment of shoe {self.number} is not over 32 bytes of salt and this table's book"
        names = [reveal.order[place : place + 2] for place in range(0, len(reveal.order), 2)]
        decks = self.cards // CARDS_IN_DECK
        if Counter(names) != {card.value: decks for card in CARDS}:
            return f"the order revealed for shoe {self.number} is not {decks} decks"
        names = names[self._cut :] + names[: self._cut]
        for place, card in sorted(self._seen.items()):
            if names[place] != card.value:
                return (
                    f"card {place + 1} of shoe {self.number} was {card.value}, but the order has {names[place]} there"
                )
        return None
