"""What the generators of playthroughs share: chance, cards and amounts. Nothing of it comes from the table engine.

Points are those of :mod:`puntobanco.literal`; the Table of Play is written out once more below, by the column in which
Banker stands, where the library has it by the column in which Banker draws.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TypeVar

from puntobanco.cards import CARDS, Card, Side
from puntobanco.coup import Coup, Hand
from puntobanco.literal import point_total

T = TypeVar("T")


class Chance:
    """Splitmix64: the same numbers with every version of Python."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def _bits(self) -> int:
        mask = (1 << 64) - 1
        self._state = (self._state + 0x9E3779B97F4A7C15) & mask
        bits = self._state
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & mask
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & mask
        return bits ^ (bits >> 31)

    def below(self, count: int) -> int:
        return self._bits() % count

    def one_in(self, count: int) -> bool:
        return self.below(count) == 0

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        rest = list(things)
        for last in range(len(rest) - 1, 0, -1):
            other = self.below(last + 1)
            rest[last], rest[other] = rest[other], rest[last]
        return rest


def cards_of(decks: int) -> list[Card]:
    return [card for card in CARDS for _ in range(decks)]


BANKER_STANDS_AGAINST = {
    0: "",
    1: "",
    2: "",
    3: "8",
    4: "0189",
    5: "012389",
    6: "01234589",
    7: "0123456789",
}
"""Banker's points on two cards → Player's third cards against which Banker stands."""


def due(player: Sequence[Card], banker: Sequence[Card]) -> Side | None:
    """The hand that gets the next card; None when the round is over."""
    if len(player) + len(banker) < 4:
        return Side.PLAYER if len(player) == len(banker) else Side.BANKER
    player_two, banker_two = point_total(player[:2]), point_total(banker[:2])
    if player_two >= 8 or banker_two >= 8 or len(banker) == 3:
        return None
    if len(player) == 2:
        if player_two <= 5:
            return Side.PLAYER
        return Side.BANKER if banker_two <= 5 else None
    stands = str(point_total(player[2:])) in BANKER_STANDS_AGAINST[banker_two]
    return None if stands else Side.BANKER


class Deal:
    """The two hands of a round while they are dealt."""

    def __init__(self) -> None:
        self.player: list[Card] = []
        self.banker: list[Card] = []

    @property
    def due(self) -> Side | None:
        return due(self.player, self.banker)

    def over(self) -> bool:
        return self.due is None

    def take(self, card: Card) -> Side:
        hand = self.due
        assert hand is not None
        (self.player if hand is Side.PLAYER else self.banker).append(card)
        return hand

    @property
    def coup(self) -> Coup:
        return Coup(Hand(tuple(self.player)), Hand(tuple(self.banker)))

    @property
    def points(self) -> tuple[int, int]:
        return point_total(self.player), point_total(self.banker)

    @property
    def result(self) -> str:
        player, banker = self.points
        return "player" if player > banker else "banker" if banker > player else "tie"

    def __str__(self) -> str:
        player, banker = self.points
        return f"Player {player}, Banker {banker}"


def amount(minor: int, digits: int = 2) -> str:
    """An amount as a history writes it: 25, 23.75."""
    sign, minor = ("-" if minor < 0 else ""), abs(minor)
    whole, part = divmod(minor, 10**digits)
    return f"{sign}{whole}.{part:0{digits}}" if part else f"{sign}{whole}"


class Pages:
    """Lines of a history; notes stand in a column of their own."""

    def __init__(self, column: int = 46) -> None:
        self.lines: list[str] = []
        self.column = column

    def say(self, line: str = "", note: str = "") -> None:
        if note:
            line = f"{line + '  ':<{self.column}}# {note}" if line else f"# {note}"
        self.lines.append(line)

    def tell(self, paragraph: str) -> None:
        """A paragraph for the reader."""
        self.lines += textwrap.wrap(paragraph, 118, initial_indent="# ", subsequent_indent="# ")
        self.lines.append("")

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"
