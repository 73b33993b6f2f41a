"""What lies outside the limits before the close: flagged, and cleared when it is put right."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.policies import Breach
from puntobanco.table import events as e
from puntobanco.table.about import About, about_bet
from puntobanco.table.bets.limits import differential_paragraph, excesses, over_maximum
from puntobanco.table.bets.state import ABOVE, Wager
from puntobanco.table.cases.state import FlagKey
from puntobanco.table.folds import evolve
from puntobanco.table.state import Round, Table

OVER, BELOW = "over_differential", "below_minimum"


def flag_changes(table: Table, events: Sequence[e.Event]) -> list[e.Event]:
    """Flag what these events put outside the limits before the close, and clear what they put right."""
    after = table
    for event in events:
        after = evolve(after, event)
    assert after.round is not None
    now = breaches(after, after.round)
    return [
        *(
            e.Flagged(flag, about, paragraph)
            for (flag, about), paragraph in now.items()
            if (flag, about) not in table.flags
        ),
        *(e.FlagCleared(*key) for key in table.flags if key[0] in (OVER, BELOW, ABOVE) and key not in now),
    ]


def breaches(table: Table, current: Round) -> dict[FlagKey, str]:
    """What is outside the limits, with its paragraph."""
    over: dict[FlagKey, str] = {
        (OVER, About.of("box", box=excess.box) if excess.box else About.of("table")): differential_paragraph(table)
        for excess in excesses(table, current)
    }
    outside: dict[FlagKey, str] = {
        (flag, about_bet(wager.person, wager.box, wager.bet)): paragraph
        for wager, flag, paragraph, _ in bets_outside(table, current)
    }
    return over | outside


def bets_outside(table: Table, current: Round) -> list[tuple[Wager, str, str, int]]:
    """Bets under the minimum or over the maximum, and what must come off; only facts can be."""
    if not current.found:
        return []
    stated, by_limits = table.policies, table.procedures.limits.rule
    too_small = stated.below_minimum_noticed.value is Breach.PUT_RIGHT
    too_large = stated.above_maximum_noticed.value is Breach.PUT_RIGHT
    found = []
    for wager in current.wagers.values():
        limits = table.terms.limits_of(wager.bet)
        if wager.stake < limits.minimum and too_small:
            found.append((wager, BELOW, table.irregularities.below_minimum.rule or by_limits, wager.stake))
        elif too_large and (over := over_maximum(current, wager)):
            found.append((wager, ABOVE, by_limits, over))
    return found
