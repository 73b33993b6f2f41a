"""Takes and pays as the dealer handles them: box by box, person by person, in chips."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from puntobanco.bets import Result
from puntobanco.table.ledger import break_down
from puntobanco.table.state import Round, Table
from puntobanco.views.public import settled_again


class Chips(msgspec.Struct, frozen=True):
    """Chips of one value."""

    value: int
    count: int


class LineSeen(msgspec.Struct, frozen=True):
    """What became of one wager; ``profit`` excludes the stake."""

    person: str
    box: int
    bet: str
    stake: int
    result: Result
    profit: int
    commission: int
    insurance: bool
    paragraph: str


class Payment(msgspec.Struct, frozen=True):
    """What the dealer takes from a person in a box, leaves there and pays; ``rest`` no chip can show."""

    round: int
    person: str
    box: int
    take: int
    take_chips: tuple[Chips, ...]
    back: int
    pay: int
    pay_chips: tuple[Chips, ...]
    rest: int
    lines: tuple[LineSeen, ...]
    difference: int | None = None
    """Where the round was settled before: what the person gets on top of that, or gives back if below zero."""


def payments(table: Table, name: str | None = None) -> tuple[Payment, ...]:
    """Takes and pays of the round that was settled last, of all or of one person."""
    current = table.round
    settled = current if current and (current.settled or current.lines) else table.last
    return payments_of(table, settled, name) if settled is not None else ()


def payments_again(table: Table, name: str) -> tuple[Payment, ...]:
    """One person's takes and pays in rounds of this shoe and the one before that were settled again."""
    changed = (each for each in (*table.previous, *table.past) if settled_again(each))
    return tuple(payment for each in changed for payment in payments_of(table, each, name))


def payments_of(table: Table, settled: Round, name: str | None = None) -> tuple[Payment, ...]:
    """Takes and pays of a round that was settled, by box and person."""
    lines: dict[tuple[int, str], list[LineSeen]] = {}
    before: dict[tuple[int, str], int] = {}
    for line in settled.before:
        if name in (None, line.person):
            key = (line.box, line.person)
            before[key] = before.get(key, 0) + line.profit
            lines.setdefault(key, [])
    for line in settled.lines:
        if name in (None, line.person):
            lines.setdefault((line.box, line.person), []).append(
                LineSeen(
                    line.person,
                    line.box,
                    line.bet,
                    line.stake,
                    line.result,
                    line.profit,
                    line.commission,
                    line.insurance,
                    line.paragraph,
                )
            )
    found = []
    for key, seen in lines.items():
        payment = _payment(table, settled.number, *key, seen)
        if settled.before:
            now = sum(line.profit for line in seen)
            payment = replace(payment, difference=now - before.get(key, 0))
        found.append(payment)
    return tuple(found)


def _payment(table: Table, number: int, box: int, person: str, lines: list[LineSeen]) -> Payment:
    take = sum(line.stake for line in lines if line.result is Result.LOST)
    back = sum(line.stake for line in lines) - take
    pay = sum(line.profit for line in lines if line.result is not Result.LOST)
    values = table.settings.chips
    taken = chips_seen(break_down(take, values)[0])
    paid, rest = break_down(pay, values)
    return Payment(number, person, box, take, taken, back, pay, chips_seen(paid), rest, tuple(lines))


def chips_seen(chips: Mapping[int, int]) -> tuple[Chips, ...]:
    """Chips as a view lists them."""
    return tuple(Chips(value, count) for value, count in chips.items())
