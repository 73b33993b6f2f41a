"""Physical shoes: a scanner's readings beside what the dealer keys, and the light of a shoe that knows the result.

The table records both readings of a card and flags it where they differ (``table.cards.turning``). Here is what comes
before: two streams of readings made into reports to the table; and what comes after: the third opinion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Literal

import msgspec

from puntobanco.cards import Card, Side
from puntobanco.coup import Coup
from puntobanco.table import commands as c

RoundResult = Literal["player", "banker", "tie"]


class Reading(msgspec.Struct, frozen=True):
    """What is known of a card of the round, counted from 1, by the scanner and by the dealer."""

    number: int
    scanned: Card | None = None
    keyed: Card | None = None

    @property
    def agrees(self) -> bool:
        """Whether nothing speaks against the card; one reading alone is enough."""
        return None in (self.scanned, self.keyed) or self.scanned is self.keyed

    @property
    def card(self) -> Card | None:
        """The card, where the readings leave no doubt."""
        return (self.scanned or self.keyed) if self.agrees else None

    def __str__(self) -> str:
        return f"card {self.number}: scanned {self.scanned or 'nothing'}, keyed {self.keyed or 'nothing'}"


def merge(scanned: Iterable[Card | None], keyed: Iterable[Card | None]) -> tuple[Reading, ...]:
    """Both readings of each card of a round, in the order the cards left the shoe; either side may lack some."""
    return tuple(Reading(number, *pair) for number, pair in enumerate(zip_longest(scanned, keyed), 1))


def doubtful(readings: Iterable[Reading]) -> tuple[Reading, ...]:
    """The cards that must be looked at before the round is settled: readings that differ, or none at all."""
    return tuple(reading for reading in readings if reading.card is None)


def reports(reading: Reading, hand: Side | None = None) -> Sequence[c.Draw | c.Turn]:
    """How a card goes to the table, so that the table has both readings and holds the round where they differ."""
    drawn = c.Draw(reading.scanned, hand)
    if reading.scanned is None and reading.keyed is None:
        return (drawn,)
    return (drawn, c.Turn(reading.number, reading.keyed))


class Opinions(msgspec.Struct, frozen=True):
    """The result by the cards, by the shoe's light (dragon-tiger 3.2.1) and by the dealer's call, if any."""

    cards: RoundResult
    light: RoundResult | None = None
    called: RoundResult | None = None

    @property
    def disagreements(self) -> tuple[str, ...]:
        """What differs from the result that the recorded cards make, in words."""
        says = (("the light of the shoe shows", self.light), ("the dealer called", self.called))
        return tuple(
            f"{who} {what}, the cards make {self.cards}" for who, what in says if what not in (None, self.cards)
        )

    @property
    def alone(self) -> Literal["cards", "light", "called"] | None:
        """Which of three stands against two that agree: where to look first. If it is the cards, one was misread."""
        if self.light is None or self.called is None:
            return None
        if self.light == self.called != self.cards:
            return "cards"
        if self.cards == self.called != self.light:
            return "light"
        return "called" if self.cards == self.light != self.called else None


def opinions(coup: Coup, light: RoundResult | None = None, called: RoundResult | None = None) -> Opinions | None:
    """The opinions on a finished coup; None as long as the cards have not made a result."""
    if not coup.finished:
        return None
    winner = coup.winner
    return Opinions("tie" if winner is None else "player" if winner is Side.PLAYER else "banker", light, called)
