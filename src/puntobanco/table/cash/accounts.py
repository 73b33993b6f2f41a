"""The accounts between which money moves: those of the table, of people, and of the world outside."""

from __future__ import annotations

from functools import lru_cache

remembered = lru_cache(maxsize=10_000)
"""A name is made up once: it is looked up among the balances for every bet and every payment."""

TRAY, COMMISSION, DROP, TIPS = "tray", "commission", "drop", "tips"
CAGE, FLOOR, CASH = "cage", "floor", "cash"
RECEIVABLES, MARKS = "receivables", "marks"
SUSPECT, COUNTERFEIT = "suspect", "counterfeit"
"""Accounts of the table, and of the world outside it."""


@remembered
def chips_of(person: str) -> str:
    """A person's chips at the table."""
    return f"chips:{person}"


@remembered
def layout_of(person: str) -> str:
    """A person's chips on the layout."""
    return f"layout:{person}"


def account_of(person: str) -> str:
    """A person's money outside the table."""
    return f"account:{person}"


def owed_by(person: str) -> str:
    """What a person owes the House: below zero by as much."""
    return f"owed:{person}"


def marked_for(person: str) -> str:
    """Commission that is marked and not collected yet: below zero by as much."""
    return f"marked:{person}"


def held_for(person: str) -> str:
    """Chips that the House keeps for a person who is not at the table."""
    return f"held:{person}"
