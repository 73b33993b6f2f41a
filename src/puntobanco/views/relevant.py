"""A table without what cannot matter to some of the questions asked of it.

Where two such tables are equal, what they were asked has the same answers, and need not be asked again. That nothing
is left out which matters is what the tests hold: on every walk the answers are those of the whole table.
Where a matter is open nothing is left out at all, for then nearly everything hangs together.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec.structs import replace

from puntobanco.coup import Coup
from puntobanco.table.cash.accounts import RECEIVABLES, chips_of, held_for, layout_of, marked_for, owed_by
from puntobanco.table.state import BETTING, DEALING, Reckoning, Round, Shoe, Table, Wager, WagerKey


class _Same:
    """A value that is known by being the same one, whatever is in it."""

    __slots__ = ("value",)

    def __init__(self, value: Mapping[WagerKey, Wager]) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@lru_cache(maxsize=512)
def _by_person(wagers: _Same) -> dict[str, dict[WagerKey, Wager]]:
    found: dict[str, dict[WagerKey, Wager]] = {}
    for key, wager in wagers.value.items():
        found.setdefault(wager.person, {})[key] = wager
    return found


def wagers_of(current: Round, person: str) -> Mapping[WagerKey, Wager]:
    """One person's bets. They are sorted once for everybody."""
    return _by_person(_Same(current.wagers)).get(person, {})


def of_one(person: str, table: Table) -> Table:
    """With one person's chips only, and while bets are open with his bets only."""
    if not _ordinary(table):
        return table
    balances = table.balances
    accounts = (chips_of(person), layout_of(person), owed_by(person), marked_for(person), held_for(person), RECEIVABLES)
    own = {account: balances[account] for account in accounts if account in balances}
    current = table.round
    if current is not None and table.phase is BETTING:
        current = replace(current, wagers=wagers_of(current, person), placements=0, on_player=0, on_banker=0)
    return replace(table, version=0, balances=own, reckoning=_RECKONING, round=current, journal=None)


def aside_from_cards(person: str, table: Table) -> Table:
    """The same without the cards of a round whose bets are closed."""
    table, current = of_one(person, table), table.round
    if current is None or table.phase is not DEALING or not _ordinary(table):
        return table
    current = replace(
        current, cards=(), numbered=0, hidden=0, drawn_over=False, coup=_COUP, squeezes=(), cut_first=False
    )
    return replace(table, round=current, shoe=_SHOE)


def while_betting(person: str, table: Table) -> Table:
    """With one person's bets and chips only, while bets are open; then everything, for a round may be played again."""
    return of_one(person, table) if table.phase is BETTING else table


def aside_from_bets(table: Table) -> Table:
    """Without anybody's chips while bets are open."""
    if not _ordinary(table) or table.phase is not BETTING:
        return table
    current = table.round
    assert current is not None
    current = replace(current, wagers={}, placements=0, on_player=0, on_banker=0)
    return replace(table, version=0, balances={}, reckoning=_RECKONING, round=current)


_COUP, _SHOE, _RECKONING = Coup(), Shoe(), Reckoning()


def _ordinary(table: Table) -> bool:
    """Whether the round goes its usual way, and nothing waits for anybody's word but its own."""
    shoe, current = table.shoe, table.round
    if table.incidents or table.proposals or table.disputes or table.carried:
        return False
    if shoe.at_fault or shoe.to_replace or shoe.choosing is not None:
        return False
    if current is None:
        return True
    unusual = (
        *(current.free, current.found, current.unnoticed, current.paid, current.voided),
        *(current.options is not None, current.all_back is not None),
        *(current.ruled, current.out, current.taken_back, current.missed, current.discarded, current.waiting),
    )
    return not any(unusual) and (current.closed or not current.cards)
