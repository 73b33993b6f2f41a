"""What is asked about the table's money: opening and closing count, buy-ins and cash-outs, chips, tips, fills."""

from __future__ import annotations

from typing import Literal

import msgspec

from puntobanco.table.base import OWN, Body
from puntobanco.table.settings import TableSettings


class OpenTable(Body, tag="open_table", frozen=True):
    """A table opens with its settings and the chips in its tray."""

    needs = "manages"
    settings: TableSettings
    opening_float: dict[int, int] = msgspec.field(default_factory=dict)
    """Chips in the tray by value: how many of each."""


class CloseTable(Body, tag="close_table", frozen=True):
    """The table closes with the count of its tray."""

    needs = "speaks"
    count: dict[int, int]
    """The closing count by chip value."""


class BuyIn(Body, tag="buy_in", frozen=True):
    """Money becomes chips: cash by way of the dealer, or money on the player's account."""

    needs = OWN
    person: str
    amount: int
    source: Literal["cash", "account"] = "cash"


class CashOut(Body, tag="cash_out", frozen=True):
    """Chips become money on the player's account."""

    needs = OWN
    person: str
    amount: int


class ChipsIn(Body, tag="chips_in", frozen=True):
    """Chips walk in from the floor."""

    person: str
    amount: int


class ChipsOut(Body, tag="chips_out", frozen=True):
    """Chips walk out to the floor."""

    person: str
    amount: int


class Tip(Body, tag="tip", frozen=True):
    """A player tips."""

    needs = OWN
    person: str
    amount: int


class RequestFill(Body, tag="request_fill", frozen=True):
    """Chips to the tray (fill) or from it (credit); a second person signs before they move."""

    request: str
    kind: Literal["fill", "credit"]
    chips: dict[int, int]


class SignFill(Body, tag="sign_fill", frozen=True):
    """The second signature of a fill or credit; then the chips move."""

    request: str


class CancelFill(Body, tag="cancel_fill", frozen=True):
    """A fill or credit that nobody signed is dropped."""

    request: str


class HoldSuspect(Body, tag="hold_suspect", frozen=True):
    """Chips or cash that may be counterfeit are held apart: a player's, or the House's own in tray and drop box."""

    what: Literal["chips", "cash"]
    amount: int
    about: str
    person: str = ""


class ResolveSuspect(Body, tag="resolve_suspect", frozen=True):
    """What was held was found genuine, and goes back, or counterfeit, and is taken out."""

    needs = "manages"
    number: int
    genuine: bool
    finding: str


CashCommand = (
    OpenTable
    | CloseTable
    | BuyIn
    | CashOut
    | ChipsIn
    | ChipsOut
    | Tip
    | RequestFill
    | SignFill
    | CancelFill
    | HoldSuspect
    | ResolveSuspect
)
