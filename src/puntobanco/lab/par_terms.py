"""What a PAR sheet is made for: decks, layout, limits, rounding, burn and Cut Card. Plain values, all checked here."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

import msgspec

from puntobanco.cards import CARDS_IN_DECK, Composition
from puntobanco.money import MINOR_DIGITS, ROUND_DOWN, Rounding, format_amount
from puntobanco.rules.model import Layout, RuleBook

FIRST_CARD = -1
"""Burn by the first card's value: the card itself and as many as it counts, ten for a ten or a picture."""
MOST_BY_FIRST_CARD = 11
CUT_CARD = 16
"""Cards behind the Cut Card where nobody says."""
ROUND = 6
"""The most cards that a round takes."""


class TermsError(ValueError):
    """Terms that do not fit the book or each other."""


class Limits(msgspec.Struct, frozen=True):
    """The least and the most that a player may stake on a bet, in minor units."""

    minimum: int | None = None
    maximum: int | None = None

    def __str__(self) -> str:
        return "-".join(format_amount(end, MINOR_DIGITS) if end else "" for end in (self.minimum, self.maximum))


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """How the game of the sheet is run."""

    decks: int
    layout: Layout | None = None
    limits: Limits = Limits()
    bet_limits: dict[str, Limits] = {}
    """Bets with limits of their own; what these leave open is as for all."""
    differential: int | None = None
    """The most by which all Banker and all Player bets of the table may differ, in minor units."""
    players: int = 1
    """How many stake the maximum in the largest payout of the table."""
    rounding: Rounding = ROUND_DOWN
    burn: int = 0
    """Cards burnt before the first round, or ``FIRST_CARD``."""
    cut: int = CUT_CARD

    def limits_of(self, bet: str) -> Limits:
        own = self.bet_limits.get(bet, self.limits)
        return Limits(own.minimum or self.limits.minimum, own.maximum or self.limits.maximum)

    def shoe(self, book: RuleBook) -> Composition:
        return Composition.of_decks(self.decks, suited=book.suited)


def players_of(book: RuleBook, layout: Layout | None) -> int:
    """As many as the layout has positions; without one, as the largest of the book has."""
    layouts = (layout,) if layout else tuple(book.layouts.values())
    return max((max(each.positions) for each in layouts), default=1)


def burn_of(book: RuleBook) -> int:
    """By the first card's value where the book knows a burn, none where it does not (reading O)."""
    return FIRST_CARD if book.procedures.burn.covered else 0


def check_terms(book: RuleBook, terms: Terms) -> None:
    """Raise with everything that is wrong."""
    wrong = list(_mistakes(book, terms))
    if wrong:
        raise TermsError("; ".join(wrong))


def _mistakes(book: RuleBook, terms: Terms) -> Iterator[str]:
    allowed = book.decks
    if not allowed.least <= terms.decks <= allowed.most:
        yield (
            f"--decks {terms.decks}: {book.title} is played with {allowed.least} to {allowed.most} decks "
            f"({book.cite(allowed.paragraph)})"
        )
        return
    menu = {bet.code: bet for bet in book.menu(terms.layout)}
    for code in terms.bet_limits:
        if code not in menu:
            where = f"layout {terms.layout.code}" if terms.layout else book.title
            yield f"--limit {code}: no such bet at {where}; there are {', '.join(menu)}"
    for code in ("", *terms.bet_limits):
        limits = terms.limits_of(code)
        if limits.minimum and limits.maximum and limits.maximum < limits.minimum:
            yield f"the maximum{f' of {code}' if code else ''} is below the minimum"
    yield from _table_mistakes(terms)


def _table_mistakes(terms: Terms) -> Iterator[str]:
    cards = terms.decks * CARDS_IN_DECK
    if terms.differential is not None and terms.differential < (terms.limits.minimum or 1):
        yield "--differential: the Differential is below the minimum bet"
    if not 1 <= terms.players <= 100:
        yield f"--players {terms.players}: 1 to 100 players bet at a table"
    most = cards - (MOST_BY_FIRST_CARD if terms.burn == FIRST_CARD else terms.burn)
    if not ROUND <= terms.cut <= most:
        yield f"--cut {terms.cut}: the Cut Card lies {ROUND} to {most} cards before the end of {terms.decks} decks"
    if terms.burn != FIRST_CARD and not 0 <= terms.burn <= 20:
        yield f"--burn {terms.burn}: 0 to 20 cards are burnt, or first for the first card's value"


def command_of(book: RuleBook, terms: Terms, more: Mapping[str, str]) -> str:
    """The command that makes the same sheet again, with every choice spelt out.

    ``more`` are options that are not terms: the files that it is made from, and the simulation's.
    """
    words = ["puntobanco", "par", *(() if "--book" in more else (book.id,)), "--decks", str(terms.decks)]
    if terms.layout:
        words += "--layout", terms.layout.code
    for name, amount in (
        ("--minimum", terms.limits.minimum),
        ("--maximum", terms.limits.maximum),
        ("--differential", terms.differential),
    ):
        if amount is not None:
            words += name, format_amount(amount)
    for code, limits in terms.bet_limits.items():
        words += "--limit", f"{code}={limits}"
    words += "--players", str(terms.players)
    words += "--rounding", terms.rounding.mode.value
    if terms.rounding.unit != 1:
        words += "--chip", format_amount(terms.rounding.unit)
    words += "--burn", "first" if terms.burn == FIRST_CARD else str(terms.burn)
    words += "--cut", str(terms.cut)
    for option, value in more.items():
        words += option, value
    return shlex.join(words)
