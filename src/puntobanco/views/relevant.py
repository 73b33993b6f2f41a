"""A table without what cannot matter to some of the questions asked of it.

Where two such tables are equal, what they were asked has the same answers, and need not be asked again. That nothing
is left out which matters is what the tests hold: on every walk the answers are those of the whole table.
Where an incident is open nothing is left out at all, for then nearly everything hangs together.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache

from msgspec.structs import replace

from puntobanco.coup import Coup
from puntobanco.table.cash.accounts import (
    RECEIVABLES,
    chips_of,
    held_for,
    layout_of,
    marked_for,
    owed_by,
    remembered,
)
from puntobanco.table.layers import differing
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


class Relevant:
    """What of a table matters to what one person may do; each cut is made when it is first asked for."""

    def __init__(self, table: Table, person: str) -> None:
        self._table = table
        self._person = person
        self._ordinary = _ordinary(table)

    @cached_property
    def own(self) -> Table:
        """With this person's chips only, and while bets are open with this person's bets only."""
        table, person = self._table, self._person
        if not self._ordinary:
            return table
        balances, current = table.balances, table.round
        own = {account: balances[account] for account in _accounts(person) if account in balances}
        if current is not None and not current.closed:
            current = replace(current, wagers=wagers_of(current, person), placements=0, on_player=0, on_banker=0)
        return replace(table, version=0, balances=own, reckoning=_RECKONING, round=current, journal=None)

    @cached_property
    def aside_from_cards(self) -> Table:
        """The same without the cards of a round whose bets are closed."""
        table = self.own
        current = table.round
        if current is None or not self._ordinary or table.phase is not DEALING:
            return table
        none = replace(
            current, cards=(), numbered=0, hidden=0, drawn_over=False, coup=_COUP, squeezes=(), cut_first=False
        )
        return replace(table, round=none, shoe=_SHOE)

    @cached_property
    def while_betting(self) -> Table:
        """The same as ``own`` while bets are open; then everything, for a round may be played again."""
        return self.own if self._table.phase is BETTING else self._table


@remembered
def _accounts(person: str) -> tuple[str, ...]:
    return (
        *(chips_of(person), layout_of(person), owed_by(person), marked_for(person), held_for(person)),
        RECEIVABLES,
    )


def aside_from_bets(table: Table) -> Table:
    """Without anybody's chips while bets are open."""
    if not _ordinary(table) or table.phase is not BETTING:
        return table
    current = table.round
    assert current is not None
    current = replace(current, wagers={}, placements=0, on_player=0, on_banker=0)
    return replace(table, version=0, balances={}, reckoning=_RECKONING, round=current)


def touched(before: Table, after: Table) -> frozenset[str] | None:
    """The accounts that have changed between two tables, where only bets and chips have while bets are open.

    None where anything else has changed. A bet that has changed stands for its owner's account of chips on the layout.
    """
    if before is after:
        return frozenset()
    was, now = aside_from_bets(before), aside_from_bets(after)
    if was is before or now is after or was != now:
        return None
    assert before.round is not None
    assert after.round is not None
    bets = differing(before.round.wagers, after.round.wagers)
    return frozenset(differing(before.balances, after.balances) | {layout_of(person) for person, _, _ in bets})


def untouched(accounts: frozenset[str], person: str) -> bool:
    """Whether none of these accounts belongs to that person."""
    return accounts.isdisjoint(_accounts(person))


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
        (current.free or current.found or current.unnoticed or current.paid or current.voided or current.waiting)
        or (current.options is not None or current.all_back is not None)
        or (current.ruled or current.out or current.taken_back or current.missed or current.discarded)
    )
    return not unusual and (current.closed or not current.cards)
