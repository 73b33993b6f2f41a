"""Takes and pays as the dealer handles them: box by box, person by person, in chips."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from puntobanco.bets import Result
from puntobanco.table.ledger import break_down
from puntobanco.table.state import Table


class Chips(msgspec.Struct, frozen=True):
    value: int
    count: int


class LineSeen(msgspec.Struct, frozen=True):
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


def payments(table: Table, name: str | None = None) -> tuple[Payment, ...]:
    """Takes and pays of the round that was settled last, of all or of one person."""
    settled = table.round if table.round and table.round.settled else table.last
    if settled is None:
        return ()
    lines: dict[tuple[int, str], list[LineSeen]] = {}
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
    return tuple(_payment(table, settled.number, box, who, seen) for (box, who), seen in lines.items())


def _payment(table: Table, number: int, box: int, person: str, lines: list[LineSeen]) -> Payment:
    take = sum(line.stake for line in lines if line.result is Result.LOST)
    back = sum(line.stake for line in lines) - take
    pay = sum(line.profit for line in lines if line.result is not Result.LOST)
    values = table.settings.chips
    taken = chips_seen(break_down(take, values)[0])
    paid, rest = break_down(pay, values)
    return Payment(number, person, box, take, taken, back, pay, chips_seen(paid), rest, tuple(lines))


def chips_seen(chips: Mapping[int, int]) -> tuple[Chips, ...]:
    return tuple(Chips(value, count) for value, count in chips.items())
