"""The result called, bets taken and paid, boxes confirmed."""

from __future__ import annotations

from typing import Literal

from puntobanco.table.base import Body


class Announce(Body, tag="announce", frozen=True):
    """The dealer calls the result."""

    result: Literal["player", "banker", "tie"]


class Settle(Body, tag="settle", frozen=True):
    """Take and pay."""


class Confirm(Body, tag="confirm", frozen=True):
    """The takes and pays of a box are done: keyed by the dealer, or seen by a chip reader."""

    box: int
    by_reader: bool = False


class OverrideConfirmation(Body, tag="override_confirmation", frozen=True):
    """A Pit Manager lets the next round start without the confirmations that are missing."""

    needs = "manages"
    reason: str


SettlementCommand = Announce | Settle | Confirm | OverrideConfirmation
