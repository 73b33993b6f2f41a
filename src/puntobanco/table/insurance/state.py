"""Insurance taken, on offer, missed, and meant to be taken."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from puntobanco.cards import Side
from puntobanco.rules.model import InsuranceRow, Window
from puntobanco.table.base import PLAYER
from puntobanco.table.insurance.events import Offer


class InsuranceWager(msgspec.Struct, frozen=True, kw_only=True):
    """One person's insurance at a row of the pay table."""

    person: str
    box: int
    hand: Side
    stake: int
    row: InsuranceRow
    points: tuple[int, int] = (0, 0)
    """The points of the hand where it lies and the other's when it was taken."""
    by: str = ""
    """Staff who put it down for the player."""
    off: bool = False
    """Whether no row fits the cards as they really were, or no bet was there to insure: it goes back."""
    late: bool = False
    """Whether it was missed and offered late: what it wins is capped (tiger-buffalo 5.17.1)."""
    moved: bool = False
    """Whether staff had put it at the other hand, and it was moved to where it belongs (tiger-buffalo 5.18)."""

    @property
    def misplaced(self) -> bool:
        """Whether staff put it at the other hand than the one that it insures (tiger-buffalo 5.18)."""
        return self.hand is not self.row.hand


class OpenWindow(msgspec.Struct, frozen=True):
    """Insurance on offer, and who has answered."""

    window: Window
    offers: tuple[Offer, ...]
    until: int
    answered: frozenset[str] = frozenset()
    late: frozenset[tuple[Side, str]] = frozenset()
    """The hands and people of whom it was missed, and that are offered it late; of others it is an ordinary window."""

    @property
    def points(self) -> tuple[int, int]:
        """Player's and Banker's, on which it was offered."""
        offer = self.offers[0]
        return (offer.own, offer.other) if offer.hand is PLAYER else (offer.other, offer.own)

    def offer_on(self, hand: Side) -> Offer | None:
        return next((offer for offer in self.offers if offer.hand is hand), None)

    @property
    def ordinary(self) -> bool:
        """Whether anybody in it is not offered it late."""
        return any((offer.hand, person) not in self.late for offer in self.offers for person in offer.people)

    @property
    def people(self) -> frozenset[str]:
        return frozenset(person for offer in self.offers for person in offer.people)

    def without(self, people: tuple[str, ...]) -> OpenWindow:
        """As it was on offer to the others."""
        if not people:
            return self
        left = (replace(each, people=tuple(who for who in each.people if who not in people)) for each in self.offers)
        return replace(self, offers=tuple(left))


class Intention(msgspec.Struct, frozen=True):
    """Insurance that a player had meant to take when none was offered."""

    person: str
    hand: Side
    row: InsuranceRow


class Missed(msgspec.Struct, frozen=True):
    """Insurance that should have been offered, and was not."""

    window: Window
    offers: tuple[Offer, ...]
    displayed: tuple[OpenWindow, ...] = ()
    """What the table had displayed, by the report that it was not offered all the same."""
    forgone: frozenset[str] = frozenset()
    """Who had forgone it until then."""
