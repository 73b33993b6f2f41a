"""What a PAR sheet has beside its exact figures: a simulation that confirms it, and how far counting beats it.

Both are small values. ``confirm`` runs a simulation; larger ones, and exposure, come from the JSON that ``simulate``
and ``exposure`` print, or are made by a caller who has them. The sheet asks no more of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from puntobanco.lab.par_terms import FIRST_CARD, Terms
from puntobanco.lab.shoes import dealing_of
from puntobanco.lab.simulate import simulate
from puntobanco.rules.model import RuleBook

T = TypeVar("T")


class EvidenceError(ValueError):
    """Results that cannot be read, or are of another game."""


class SimulatedBet(msgspec.Struct, frozen=True):
    """The mean gain per unit staked, and its standard error."""

    ev: float
    se: float


class Simulation(msgspec.Struct, frozen=True):
    """Whole shoes, dealt at random."""

    game: str
    rounds: int
    shoes: int
    bets: dict[str, SimulatedBet]
    seed: int | None = None
    decks: int | None = None
    cut: int | None = None


class Gain(msgspec.Struct, frozen=True):
    """What a counter wins who bets one unit when it pays."""

    per_shoe: float
    per_100: float
    share: float
    """Of all rounds, those with a bet."""
    se: float
    trigger: float | None = None
    """The true count from which the bet is made."""


class ExposedBet(msgspec.Struct, frozen=True):
    """A bet against counting: the best count with small whole tags, and what it and perfect knowledge win."""

    count: dict[str, float]
    correlation: float | None
    """Of the count with the effects of removal; None where there are none."""
    perfect: Gain
    counted: Gain


class ExposedInsurance(msgspec.Struct, frozen=True):
    """Insurance of a hand in a window; the share is of the rounds in which it is on offer."""

    offered: float
    perfect: Gain


class Exposure(msgspec.Struct, frozen=True):
    """Every bet against counting, in the order in which they are to be shown."""

    bets: dict[str, ExposedBet]
    insurance: dict[str, ExposedInsurance] = {}
    game: str | None = None
    shoes: int | None = None
    decks: int | None = None
    cut: int | None = None


def confirm(book: RuleBook, terms: Terms, *, rounds: int, seed: int = 0, cores: int | None = None) -> Simulation:
    """Whole shoes as the sheet has them. The same seed gives the same figures, whatever the number of cores."""
    burn = "first" if terms.burn == FIRST_CARD else terms.burn
    run = simulate(book, dealing_of(book, terms.decks, cut=terms.cut, burn=burn), rounds=rounds, seed=seed, cores=cores)
    if run.interrupted:  # a part of it would be another sheet than the one its command makes
        raise KeyboardInterrupt
    bets = {bet.code: SimulatedBet(run.bets[bet.code].ev, run.bets[bet.code].se) for bet in book.menu(terms.layout)}
    return Simulation(book.id, run.rounds, run.shoes, bets, run.seed, terms.decks, terms.cut)


def read_simulation(data: bytes, book: RuleBook, decks: int) -> Simulation:
    """What ``simulate --json`` printed, if it is of this game."""
    found = _read(data, Simulation)
    if found.rounds < 1:
        raise EvidenceError("a simulation of no rounds confirms nothing")
    _check(found, book, decks, found.bets)
    return found


def read_exposure(data: bytes, book: RuleBook, decks: int) -> Exposure:
    """What ``exposure --json`` printed, if it is of this game."""
    found = _read(data, Exposure)
    _check(found, book, decks, found.bets)
    return found


def _read(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise EvidenceError(f"cannot be read: {error}") from error


def _check(found: Simulation | Exposure, book: RuleBook, decks: int, bets: Mapping[str, object]) -> None:
    if found.game not in (None, book.id):
        raise EvidenceError(f"is of {found.game}, not of {book.id}")
    if found.decks not in (None, decks):
        raise EvidenceError(f"is of {found.decks} decks, not of {decks}")
    unknown = [code for code in bets if code not in book.bets]
    if unknown:
        raise EvidenceError(f"{book.id} has no bet {unknown[0]!r}")
