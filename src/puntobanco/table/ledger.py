"""Transfers between named accounts, and amounts as chips."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puntobanco.money import format_amount
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.base import Transfer
from puntobanco.table.cash.accounts import DROP, FLOOR, TRAY, account_of, chips_of
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import Kind
from puntobanco.table.state import Table

TRAY_HOLDS = 5_000
"""Chips of the highest value: more than any tray, cloth or player's rack has room for."""
UNRECORDED = "chips_unrecorded"
"""The flag on chips that nobody had bought or brought."""


def moves(*transfers: tuple[str, str, int]) -> tuple[Transfer, ...]:
    """Transfers, those of nothing left out."""
    return tuple(Transfer(source, target, amount) for source, target, amount in transfers if amount)


def to_account(person: str, amount: int) -> tuple[Transfer, ...]:
    """Chips back into money on the person's account: the reverse of a buy-in from it."""
    return moves((chips_of(person), TRAY, amount), (DROP, account_of(person), amount))


def count_chips(chips: Mapping[int, int], values: Sequence[int]) -> int:
    """The amount of counted chips; refused where the table has no such chip."""
    for value, count in chips.items():
        if value not in values:
            raise Refused("bad_amount.chips", value=value)
        if count < 0:
            raise Refused("bad_amount.count", count=count, value=value)
    return sum(value * count for value, count in chips.items())


def check_amount(amount: int) -> None:
    """Refuse an amount that is not above zero."""
    if amount < 1:
        raise Refused("bad_amount.zero")


def check_tray(table: Table, amount: int) -> None:
    """Refuse an amount that nobody can have counted: nothing at all, or more than the chips of a table make."""
    check_amount(amount)
    most = TRAY_HOLDS * table.settings.chips[0]
    if amount > most and table.settings.kind is not Kind.MACHINE:
        raise Refused("bad_amount.tray", "", most, amount=most)


def break_down(amount: int, values: Sequence[int]) -> tuple[dict[int, int], int]:
    """An amount in chips, the largest first, and what no chip can show."""
    chips: dict[int, int] = {}
    for value in values:
        count, amount = divmod(amount, value)
        if count:
            chips[value] = count
    return chips, amount


def money(table: Table, amount: int) -> str:
    """An amount with its currency, as text."""
    return f"{format_amount(amount, table.settings.digits)} {table.settings.currency}"


def check_stack(table: Table, person: str, amount: int) -> None:
    """Refuse more than a player has in chips."""
    stack = table.stack(person)
    if amount > stack:
        raise Refused("funds.stack", "", stack, person=person, amount=stack)


def chips_walked_in(table: Table, person: str, amount: int) -> tuple[e.Event, ...]:
    """Chips that lie there but were not in the person's recorded stack came in from the floor; that is flagged."""
    if amount <= 0:
        return ()
    assert table.round is not None
    transfers = moves((FLOOR, chips_of(person), amount))
    came = e.MoneyMoved("chips_in", person, amount, transfers, "found", round=table.round.number)
    flag = (UNRECORDED, About.of("chips", person=person, amount=amount))
    paragraph = table.irregularities.chips_decide.rule or table.procedures.close.rule
    return (came,) if flag in table.flags else (came, e.Flagged(*flag, paragraph))
