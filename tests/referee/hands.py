"""Cards as texts (``9h``, ``Td``), the Table of Play, and cards dealt in the order they left the shoe (reading I)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

PLAYER, BANKER, TIE = "player", "banker", "tie"

BANKER_DRAWS_ON = {3: "012345679", 4: "234567", 5: "4567", 6: "67"}
"""Banker's two-card points, and the values of Player's third on which Banker draws; below 3 always, above 6 never."""


def value(card: str) -> int:
    """An ace is 1, tens and pictures count nothing."""
    return 1 if card[0] == "A" else 0 if card[0] in "TJQK" else int(card[0])


def points(cards: Sequence[str]) -> int:
    return sum(value(card) for card in cards) % 10


class Deal(NamedTuple):
    """Cards of a round by the Table of Play."""

    player: tuple[str, ...]
    banker: tuple[str, ...]
    left_over: tuple[str, ...]
    due: str
    """The hand that the next card is for; empty when the coup is complete."""

    @property
    def out(self) -> int:
        """How many cards are properly dealt."""
        return len(self.player) + len(self.banker)

    @property
    def winner(self) -> str:
        own, other = points(self.player), points(self.banker)
        return TIE if own == other else PLAYER if own > other else BANKER


def due(player: Sequence[str], banker: Sequence[str]) -> str:
    """The hand that the next card is for."""
    out = len(player) + len(banker)
    if out < 4:
        return PLAYER if out % 2 == 0 else BANKER
    own, other = points(player[:2]), points(banker[:2])
    if own > 7 or other > 7 or len(banker) > 2:
        return ""
    if len(player) == 2:
        if own < 6:
            return PLAYER
        return BANKER if other < 6 else ""
    third = value(player[2])
    draws = other < 3 or str(third) in BANKER_DRAWS_ON.get(other, "")
    return BANKER if draws else ""


def deal(cards: Sequence[str]) -> Deal:
    """Cards in the order they left the shoe, each to the hand that is due; what no hand is due is left over."""
    hands: dict[str, list[str]] = {PLAYER: [], BANKER: []}
    for place, card in enumerate(cards):
        hand = due(hands[PLAYER], hands[BANKER])
        if not hand:
            return Deal(tuple(hands[PLAYER]), tuple(hands[BANKER]), tuple(cards[place:]), "")
        hands[hand].append(card)
    return Deal(tuple(hands[PLAYER]), tuple(hands[BANKER]), (), due(hands[PLAYER], hands[BANKER]))
