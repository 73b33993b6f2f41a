"""A PAR sheet as one page for the printer, complete in itself."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from puntobanco.cards import Side
from puntobanco.lab import par_plots
from puntobanco.lab.par import ParSheet
from puntobanco.lab.par_bets import LEVELS, ROUNDS, BetSheet
from puntobanco.lab.par_json import hash_of
from puntobanco.lab.par_payouts import TablePayout, insured_most
from puntobanco.lab.par_rules import table_of_play
from puntobanco.lab.words import WINDOWS, odds_words, percent
from puntobanco.money import format_amount, winnings
from puntobanco.odds import InsuranceOdds
from puntobanco.outcomes import PairState
from puntobanco.rules.model import RuleBook

FUNNELS = 4
"""Bets whose hold is drawn."""


def page_of(sheet: ParSheet) -> str:
    """The page. It holds no date and no chance: the same sheet gives the same bytes."""
    bets = {bet.code: bet for bet in sheet.bets}
    return _template().render(
        sheet=sheet,
        book=sheet.book,
        terms=sheet.terms,
        bets=bets,
        command=[shlex.quote(word) for word in shlex.split(sheet.command)],
        fingerprint=hash_of(sheet),
        play=table_of_play(),
        rounds=ROUNDS,
        levels=tuple(LEVELS),
        funnels=_drawn(sheet.bets),
        by_window=_by_window(sheet.insurance),
    )


def _drawn(bets: Sequence[BetSheet]) -> list[BetSheet]:
    """The Original Bets, and the most volatile of the others."""
    main = [bet for bet in bets if bet.bet.hand]
    others = sorted((bet for bet in bets if not bet.bet.hand), key=lambda bet: -bet.odds.sd)
    return (main + others)[:FUNNELS]


def _by_window(rows: Sequence[InsuranceOdds]) -> list[tuple[str, list[InsuranceOdds]]]:
    found: dict[str, list[InsuranceOdds]] = {}
    for row in rows:
        found.setdefault(f"{row.hand.value.title()} insured after {WINDOWS[row.window]}", []).append(row)
    return list(found.items())


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("puntobanco.lab", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "pct": percent,
        "num": lambda number: f"{number:,}",
        "money": _money,
        "one_in": _one_in,
        "signed": lambda value, digits=4: f"{float(value):+.{digits}f}".replace("-", "−"),
        "plain": lambda value, digits=3: f"{float(value):.{digits}f}",
        "odds_words": odds_words,
        "tag": lambda value: f"{value:g}".replace("-", "−"),
        "hundredths": lambda value: f"{round(value * 100)}".replace("-", "−"),
        "capital": lambda words: words[:1].upper() + words[1:],
    }
    environment.globals |= {
        "edge_bars": par_plots.edge_bars,
        "hold_funnel": par_plots.hold_funnel,
        "spark": par_plots.spark,
        "shade": par_plots.shade,
        "outcome_words": _outcome_words,
        "box_name": _box_name,
        "most_insured": _most_insured,
        "paid_at": _paid_at,
    }
    return environment.get_template("par.html")


def _money(amount: int) -> str:
    whole, _, part = format_amount(amount).partition(".")
    return f"{int(whole):,}.{part}".replace("-", "−")


def _one_in(chance: Fraction) -> str:
    if not chance:
        return "never"
    turns = float(1 / chance)
    return f"1 in {turns:,.2f}" if turns < 100 else f"1 in {turns:,.0f}"


def _outcome_words(payout: TablePayout) -> str:
    end = payout.outcome
    hands = f"Player {end.player_total} on {end.player_cards} cards, Banker {end.banker_total} on {end.banker_cards}"
    return f"{hands}, {_pair_words(end.pairs)}"


def _pair_words(pairs: PairState) -> str:
    if pairs.player and pairs.banker:
        return "both pairs of one rank" if pairs.twin else "two pairs"
    return "Player pair" if pairs.player else "Banker pair" if pairs.banker else "no pair"


def _box_name(book: RuleBook, box: str) -> str:
    if box in book.bets:
        return book.bets[box].name
    return next(f"{hand.value.title()} insurance" for hand in Side if box.startswith(hand.value))


def _paid_at(sheet: ParSheet, bet: BetSheet) -> int | None:
    """What the dearest line wins at the maximum."""
    maximum = sheet.terms.limits_of(bet.code).maximum
    return winnings(maximum, bet.top.odds, sheet.terms.rounding) if maximum and bet.top.odds else None


def _most_insured(sheet: ParSheet, row: InsuranceOdds) -> tuple[int, int] | None:
    """The most one player may stake on a row, and what it then pays."""
    assert sheet.book.insurance is not None
    found = sheet.book.insurance.by_points[row.window, row.hand, row.own, row.other]
    stake = insured_most(sheet.book, sheet.terms, found)
    return None if stake is None else (stake, winnings(stake, row.odds, sheet.terms.rounding))
