"""What happened to the table's money beside the play."""

from __future__ import annotations

from typing import Literal

from puntobanco.table.base import Event, Transfer
from puntobanco.table.settings import TableSettings


class TableOpened(Event, tag="table_opened", frozen=True):
    """The table opened; its settings are fixed from here on, and which engine decides."""

    settings: TableSettings
    opening_float: dict[int, int]
    transfers: tuple[Transfer, ...]
    engine: str


class TableClosed(Event, tag="table_closed", frozen=True):
    """The day's result: result = closing + credits + drop − opening − fills; ``difference`` is count less ledger."""

    count: dict[int, int]
    opening: int
    closing: int
    fills: int
    credits: int
    drop: int
    result: int
    difference: int


class MoneyMoved(Event, tag="money_moved", frozen=True):
    """Buy-ins, cash-outs, chips walking in and out, tips."""

    kind: Literal["buy_in", "cash_out", "chips_in", "chips_out", "tip"]
    person: str
    amount: int
    transfers: tuple[Transfer, ...]
    via: str = ""
    paragraph: str = ""
    round: int = 0
    """Of chips that were found: the round whose record had them."""


class FillRequested(Event, tag="fill_requested", frozen=True):
    """Chips were asked for, or are to go; a second signature is missing."""

    request: str
    kind: Literal["fill", "credit"]
    chips: dict[int, int]
    by: str


class FillSigned(Event, tag="fill_signed", frozen=True):
    """Chips moved between tray and cage over two signatures."""

    request: str
    kind: Literal["fill", "credit"]
    amount: int
    signatures: tuple[str, str]
    transfers: tuple[Transfer, ...]


class FillCancelled(Event, tag="fill_cancelled", frozen=True):
    """A fill or credit was dropped."""

    request: str


class SuspectHeld(Event, tag="suspect_held", frozen=True):
    """Chips or cash that may be counterfeit are held apart, and in no count."""

    number: int
    what: Literal["chips", "cash"]
    amount: int
    about: str
    by: str
    transfers: tuple[Transfer, ...]
    paragraph: str
    person: str = ""


class SuspectResolved(Event, tag="suspect_resolved", frozen=True):
    """They are genuine and went back, or counterfeit and were taken out."""

    number: int
    what: Literal["chips", "cash"]
    genuine: bool
    amount: int
    finding: str
    by: str
    transfers: tuple[Transfer, ...]
    paragraph: str
    person: str = ""


CashEvent = (
    TableOpened | TableClosed | MoneyMoved | FillRequested | FillSigned | FillCancelled | SuspectHeld | SuspectResolved
)
