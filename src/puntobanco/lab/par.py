"""The PAR sheet of a game: what a test lab files and signs. A value without a clock; the same input gives the same."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

import puntobanco
from puntobanco.cards import Composition
from puntobanco.lab.batch import removal_by_rank
from puntobanco.lab.par_bets import BetSheet, Correlation, bet_sheets, by_decks, correlation
from puntobanco.lab.par_evidence import Exposure, Simulation
from puntobanco.lab.par_payouts import Payouts, payouts
from puntobanco.lab.par_recount import Recount, covers, recount, recount_insurance
from puntobanco.lab.par_rules import Rule, rules_of
from puntobanco.lab.par_terms import Terms, check_terms, command_of
from puntobanco.odds import BetOdds, InsuranceOdds, insurance_odds, weights
from puntobanco.rules.model import RuleBook


class ParSheet(msgspec.Struct, frozen=True, kw_only=True):
    """Every figure of the sheet."""

    book: RuleBook
    terms: Terms
    program: str
    """The program's version."""
    command: str
    shoe: Composition
    total: int
    """Ordered deals of six cards."""
    rules: tuple[Rule, ...]
    bets: tuple[BetSheet, ...]
    correlation: Correlation
    decks: dict[int, dict[str, BetOdds]]
    insurance: tuple[InsuranceOdds, ...]
    removal: dict[str, dict[str, Fraction]]
    """By how much one card less of each rank, Ace to King, changes the player's expectation."""
    payouts: Payouts | None
    recount: tuple[Recount, ...]
    insurance_recount: tuple[Recount, ...]
    covered: bool
    """Whether the literal settlement knows the game."""
    simulation: Simulation | None = None
    exposure: Exposure | None = None

    @property
    def favours_player(self) -> tuple[BetSheet, ...]:
        """Bets by which the House loses."""
        return tuple(bet for bet in self.bets if bet.edge <= 0)

    @property
    def insurance_favours_player(self) -> tuple[InsuranceOdds, ...]:
        """Insurance rows by which the House loses."""
        return tuple(row for row in self.insurance if row.ev is not None and row.ev >= 0)


def par_sheet(
    book: RuleBook,
    terms: Terms,
    *,
    options: Mapping[str, str] | None = None,
    simulation: Simulation | None = None,
    exposure: Exposure | None = None,
) -> ParSheet:
    """The sheet of a game; ``options`` are those of its command besides the terms, as the files behind it."""
    check_terms(book, terms)
    shoe = terms.shoe(book)
    found = weights(shoe, book.space)
    bets = bet_sheets(book, terms, found)
    base = {bet.code: bet.odds for bet in bets}
    insured = insurance_odds(book, shoe) if terms.layout is None or terms.layout.insurance else ()
    covered = covers(book)
    return ParSheet(
        book=book,
        terms=terms,
        program=puntobanco.__version__,
        command=command_of(book, terms, options or {}),
        shoe=shoe,
        total=found.total,
        rules=rules_of(book, terms),
        bets=bets,
        correlation=correlation(book, tuple(base), found),
        decks=by_decks(book, terms),
        insurance=insured,
        removal=removal_by_rank(book, terms.decks, terms.layout),
        payouts=payouts(book, terms, found),
        recount=recount(book, terms, base) if covered else (),
        insurance_recount=recount_insurance(terms, insured) if covered and insured else (),
        covered=covered,
        simulation=simulation,
        exposure=exposure,
    )
