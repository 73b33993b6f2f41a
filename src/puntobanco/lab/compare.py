"""Two games side by side: other books, other pay tables, or other numbers of decks."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from puntobanco.bets import Result, payoffs
from puntobanco.cards import Composition
from puntobanco.odds import BetOdds, odds
from puntobanco.rules.model import Bet, Layout, RuleBook


class Entry(msgspec.Struct, frozen=True):
    """One of the two: a game, from full decks."""

    book: RuleBook
    decks: int
    layout: Layout | None = None

    def offers(self) -> dict[str, Offer]:
        table = odds(self.book, Composition.of_decks(self.decks, suited=self.book.suited), self.layout)
        return {code: Offer(self.book.bets[code], found) for code, found in table.items()}


class Offer(msgspec.Struct, frozen=True):
    """A bet as one of the two offers it."""

    bet: Bet
    odds: BetOdds


class Pairing(msgspec.Struct, frozen=True):
    """A bet of both, or of one alone."""

    first: Offer | None
    second: Offer | None

    @property
    def name(self) -> str:
        return " / ".join(dict.fromkeys(offer.bet.name for offer in (self.first, self.second) if offer))

    @property
    def change(self) -> float | None:
        """By how much the second edge is above the first."""
        if self.first is None or self.second is None:
            return None
        return float(self.first.odds.ev - self.second.odds.ev)


def compare(first: Entry, second: Entry) -> tuple[Pairing, ...]:
    """Bets of one code go together, and bets that win in the same outcomes under different codes; then the rest."""
    ones, twos = first.offers(), second.offers()
    partners = dict(_partners(first, second, list(ones), list(twos)))
    together = [Pairing(offer, twos[partners[code]] if code in partners else None) for code, offer in ones.items()]
    taken = set(partners.values())
    return (*together, *(Pairing(None, offer) for code, offer in twos.items() if code not in taken))


def _partners(first: Entry, second: Entry, ones: list[str], twos: list[str]) -> Iterator[tuple[str, str]]:
    yield from ((code, code) for code in ones if code in twos)
    if first.book.suited != second.book.suited:  # their outcomes are numbered differently
        return
    free = {_wins(second, code): code for code in twos if code not in ones}
    for code in ones:
        if code not in twos and _wins(first, code) in free:
            yield code, free.pop(_wins(first, code))


def _wins(entry: Entry, code: str) -> int:
    return payoffs(entry.book)[code].sets[Result.WON]
