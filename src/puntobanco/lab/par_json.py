"""A PAR sheet as JSON. Counts, amounts and fractions are texts, so that no reader loses a digit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import msgspec

from puntobanco.bets import Result
from puntobanco.lab.par import ParSheet
from puntobanco.lab.par_bets import LEVELS, ROUNDS, BetSheet
from puntobanco.lab.par_payouts import TablePayout
from puntobanco.lab.par_recount import Recount
from puntobanco.lab.par_terms import FIRST_CARD, Limits, Terms
from puntobanco.money import format_amount
from puntobanco.odds import BetOdds

DIGITS = 12
"""Significant figures of what is not an exact number."""


def json_text(sheet: ParSheet) -> str:
    """The document, which ends with the hash of all that stands before."""
    document = json_of(sheet)
    return json.dumps(document | {"hash": _hash(document)}, indent=1, ensure_ascii=False) + "\n"


def hash_of(sheet: ParSheet) -> str:
    """What a sheet says, in one number: the same on paper and in the JSON."""
    return _hash(json_of(sheet))


def _hash(document: dict[str, Any]) -> str:
    text = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def json_of(sheet: ParSheet) -> dict[str, Any]:
    """The sheet as JSON has it: counts and fractions as text."""
    book = sheet.book
    return {
        "game": book.id,
        "title": book.title,
        "casino": book.casino,
        "version": book.version,
        "in_force": book.in_force,
        "source": book.source,
        "book_hash": book.hash,
        "program": sheet.program,
        "command": sheet.command,
        "terms": _terms(sheet.terms),
        "cards": sheet.shoe.size,
        "total": str(sheet.total),
        "rules": msgspec.to_builtins(sheet.rules),
        "bets": {bet.code: _bet(sheet, bet) for bet in sheet.bets},
        "covariance": {
            code: dict(zip(sheet.correlation.codes, map(_fraction, row), strict=True))
            for code, row in zip(sheet.correlation.codes, sheet.correlation.covariance, strict=True)
        },
        "decks": {
            str(decks): {code: _odds(odds) for code, odds in table.items()} for decks, table in sheet.decks.items()
        },
        "insurance": [
            {
                "window": row.window.value,
                "hand": row.hand.value,
                "own": row.own,
                "other": row.other,
                "odds": _fraction(row.odds.fraction),
                "win": str(row.win),
                "push": str(row.push),
                "lose": str(row.lose),
                "ev": None if row.ev is None else _fraction(row.ev),
                "paragraph": row.paragraph,
            }
            for row in sheet.insurance
        ],
        "payouts": sheet.payouts and {"winnings": _payout(sheet.payouts.winnings), "loss": _payout(sheet.payouts.loss)},
        "recount": {"bets": _recounts(sheet.recount), "insurance": _recounts(sheet.insurance_recount)}
        if sheet.covered
        else None,
        "simulation": _evidence(sheet.simulation),
        "exposure": _evidence(sheet.exposure),
    }


def _terms(terms: Terms) -> dict[str, Any]:
    return {
        "decks": terms.decks,
        "layout": terms.layout.code if terms.layout else None,
        "limits": _limits(terms.limits),
        "bet_limits": {code: _limits(terms.limits_of(code)) for code in terms.bet_limits},
        "differential": _amount(terms.differential),
        "players": terms.players,
        "rounding": {"mode": terms.rounding.mode.value, "unit": format_amount(terms.rounding.unit)},
        "burn": "first_card" if terms.burn == FIRST_CARD else terms.burn,
        "cut": terms.cut,
    }


def _limits(limits: Limits) -> dict[str, str | None]:
    return {"minimum": _amount(limits.minimum), "maximum": _amount(limits.maximum)}


def _amount(amount: int | None) -> str | None:
    return None if amount is None else format_amount(amount)


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _float(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _odds(odds: BetOdds) -> dict[str, Any]:
    return {
        "total": str(odds.total),
        "win": str(odds.win),
        "push": str(odds.push),
        "lose": str(odds.lose),
        "ev": _fraction(odds.ev),
        "edge": _float(odds.edge),
    }


def _bet(sheet: ParSheet, bet: BetSheet) -> dict[str, Any]:
    at = bet.at_minimum
    return {
        "name": bet.bet.name,
        "paragraph": bet.bet.paragraph,
        **_odds(bet.odds),
        "variance": _fraction(bet.odds.variance),
        "return": _float(float(bet.back)),
        "edge_resolved": _float(float(bet.resolved_edge)),
        "hit": _float(bet.odds.hit),
        "sd": _float(bet.odds.sd),
        "volatility_index": _float(bet.index),
        "lines": [
            {
                "result": line.result.value,
                "name": line.name,
                "when": line.words,
                "odds": _fraction(line.gain) if line.result is Result.WON else None,
                "ways": str(line.ways),
                "probability": _float(float(line.probability)),
                "paragraph": line.paragraph,
            }
            for line in bet.lines
        ],
        "hold": {
            str(rounds): {str(level): [_float(end) for end in bet.band(rounds, level)] for level in LEVELS}
            for rounds in ROUNDS
        },
        "exact_step": format_amount(bet.step),
        "at_minimum": at
        and {
            "stake": format_amount(at.stake),
            "exact": at.exact,
            "ev": _fraction(at.ev),
            "paid": {_fraction(odds.fraction): format_amount(paid) for odds, _, paid in at.paid},
        },
        "removal": {rank: _fraction(effect) for rank, effect in sheet.removal[bet.code].items()},
    }


def _payout(payout: TablePayout) -> dict[str, Any]:
    return {
        "amount": format_amount(payout.amount),
        "outcome": msgspec.to_builtins(payout.outcome),
        "ways": str(payout.ways),
        "boxes": [
            {
                "box": item.box,
                "result": item.result.value,
                "odds": _fraction(item.odds.fraction) if item.odds else None,
                "stake": format_amount(item.stake),
                "paid": format_amount(item.paid),
            }
            for item in payout.items
        ],
    }


def _recounts(recounts: Sequence[Recount]) -> dict[str, Any]:
    return {
        each.code: {
            "win": str(each.literal[0]),
            "push": str(each.literal[1]),
            "lose": str(each.literal[2]),
            "ev": _fraction(each.literal_ev),
            "agrees": each.agrees,
        }
        for each in recounts
    }


def _evidence(found: msgspec.Struct | None) -> Any:
    return None if found is None else msgspec.to_builtins(found)
