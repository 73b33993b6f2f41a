"""The designer's loop: what the bets of a book file are worth, again each time the file changes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec

from puntobanco.cards import CARDS_IN_DECK
from puntobanco.lab.batch import removal_by_rank
from puntobanco.lab.par_bets import BetSheet, bet_sheets
from puntobanco.lab.par_terms import Terms, check_terms
from puntobanco.odds import weights
from puntobanco.rules.load import load_book
from puntobanco.rules.model import RuleBook

EVERY = 0.3
"""Seconds between two looks at the file."""
CARDS_A_ROUND = 4.94
"""On average; it hardly depends on the number of decks."""


class Designed(msgspec.Struct, frozen=True):
    """A bet of the file."""

    sheet: BetSheet
    counting: float | None
    """Units a shoe that a perfect linear count wins by flat bets, as estimated by :func:`counting_gain`."""

    @property
    def warning(self) -> str:
        if self.sheet.edge < 0:
            return "THE PLAYER HAS THE EDGE"
        return "no edge for the House" if not self.sheet.edge else ""


def examine(book: RuleBook, terms: Terms) -> tuple[Designed, ...]:
    """What every bet of the book is worth."""
    check_terms(book, terms)
    sheets = bet_sheets(book, terms, weights(terms.shoe(book), book.space))
    effects = removal_by_rank(book, terms.decks, terms.layout)
    return tuple(
        Designed(sheet, counting_gain(float(sheet.odds.ev), list(effects[sheet.code].values()), terms.decks, terms.cut))
        for sheet in sheets
    )


def counting_gain(ev: float, effects: Sequence[Fraction], decks: int, cut: int) -> float | None:
    """An estimate of what counting wins in a shoe, one unit on every round that pays.

    The expectation after n of N cards is taken as normal, with the variance that effects of removal give it when
    they add up: s² n (N-1) / (N-n), s² their mean square. What is above zero of it, summed over the rounds to the Cut
    Card, is the gain. None where no single card has an effect, as with pairs: such a bet takes another estimate.
    """
    if not any(effects):
        return None
    size = decks * CARDS_IN_DECK
    square = sum(float(effect) ** 2 for effect in effects) / len(effects)
    gain, seen = 0.0, 0.0
    while size - seen > cut:
        spread = math.sqrt(square * seen * (size - 1) / (size - seen))
        gain += _above_zero(ev, spread)
        seen += CARDS_A_ROUND
    return gain


def _above_zero(mean: float, spread: float) -> float:
    """What a normal variable has above zero, on average."""
    if not spread:
        return max(mean, 0.0)
    point = -mean / spread
    density = math.exp(-point * point / 2) / math.sqrt(2 * math.pi)
    return spread * (density - point * math.erfc(point / math.sqrt(2)) / 2)


class Version(msgspec.Struct, frozen=True):
    """The file as it stood at one look: a book, or what is wrong with it."""

    book: RuleBook | None
    mistakes: str = ""


def versions(file: str | Path, pause: Callable[[float], None] = time.sleep) -> Iterator[Version]:
    """The file now, and again each time it has changed. It may go and come back, as when an editor saves."""
    before: bytes | str | None = ""
    while True:
        now = _content(file)
        if now != before:
            before = now
            yield version(file)
        pause(EVERY)


def version(file: str | Path) -> Version:
    """A book file as it is now: its book, or what is wrong with it."""
    try:
        return Version(load_book(file))
    except ValueError as error:
        return Version(None, str(error))


def _content(file: str | Path) -> bytes | None:
    try:
        return Path(file).read_bytes()
    except (OSError, ValueError):
        return None
