"""Small steps that the folds are made of: each gives the table with one thing replaced, a version later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from puntobanco.table.base import Transfer
from puntobanco.table.layers import copied
from puntobanco.table.state import Journal, Round, Table


def moved(balances: Mapping[str, int], transfers: Iterable[Transfer]) -> Mapping[str, int]:
    """The balances after transfers."""
    if not transfers:
        return balances
    after = copied(balances)
    get = after.get
    for transfer in transfers:
        source, target, amount = transfer.source, transfer.target, transfer.amount
        after[source] = get(source, 0) - amount
        after[target] = get(target, 0) + amount
    return after


def current_round(table: Table) -> Round:
    """The round in progress, which there must be."""
    assert table.round is not None
    return table.round


def later(table: Table, **changes: Any) -> Table:
    """The table after an event."""
    return replace(table, version=table.version + 1, **changes)


def in_round(table: Table, **changes: Any) -> Table:
    """The table after an event that changed its round."""
    assert table.round is not None
    return replace(table, version=table.version + 1, round=replace(table.round, **changes))


def in_shoe(table: Table, **changes: Any) -> Table:
    """The table after an event that changed its shoe."""
    return replace(table, version=table.version + 1, shoe=replace(table.shoe, **changes))


def known_round(table: Table, number: int) -> Round:
    """A round that can still be looked at; a log that names another cannot be."""
    return {each.number: each for each in table.known_rounds}[number]


def in_any_round(table: Table, number: int, change: Callable[[Round], Round]) -> Table:
    """A round changed: the one in progress, or one that is over."""
    if table.round is not None and table.round.number == number:
        return later(table, round=change(table.round))

    def changed_in(rounds: tuple[Round, ...]) -> tuple[Round, ...]:
        return tuple(change(each) if each.number == number else each for each in rounds)

    past, previous = changed_in(table.past), changed_in(table.previous)
    last = change(table.last) if table.last is not None and table.last.number == number else table.last
    return later(table, past=past, previous=previous, last=last)


def forgone_by(table: Table, people: Iterable[str]) -> Round | None:
    """The round in which a player who is away at the close, or leaves later, has no insurance (tiger-buffalo 5.3)."""
    current = table.round
    if current is None or not current.closed or not table.book.insurance or table.settings.forgo != "round":
        return current
    return replace(current, forgone=current.forgone.union(people))


def begun(table: Table) -> Table:
    """The table, which remembers from here on what is done in the round: its bets have just been closed."""
    if table.settings.electronic:
        return table
    journals = table.journals if table.journal is None else table.journals | {table.journal.round: table.journal}
    start = replace(table, past=(), previous=(), last=None, results=(), journal=None, journals={})
    return replace(table, journal=Journal(current_round(table).number, start), journals=journals)
