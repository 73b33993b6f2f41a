"""The result and the money of a round, the first time and again."""

from __future__ import annotations

from typing import Literal

import msgspec

from puntobanco.bets import Result
from puntobanco.table.about import Words
from puntobanco.table.base import Event, Transfer


class ResultAnnounced(Event, tag="result_announced", frozen=True):
    """The result was announced."""

    player_total: int
    banker_total: int
    result: Literal["player", "banker", "tie"]
    paragraph: str
    called: str = ""
    """What the dealer called, where that was something else."""


class ResultCalled(Event, tag="result_called", frozen=True):
    """The dealer called a result out of turn: before the cards were out, while something waits, or once more."""

    result: Literal["player", "banker", "tie"]
    paragraph: str


class SettledLine(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What became of one wager. ``profit`` excludes the stake."""

    person: str
    box: int
    bet: str
    stake: int
    result: Result
    profit: int
    paragraph: str
    insurance: bool = False
    commission: int = 0
    """Kept of even money where it is taken at once; where it is marked, what the person owes beside the line."""


class RoundSettled(Event, tag="round_settled", frozen=True):
    """Takes and pays, box by box."""

    number: int
    coup: str
    lines: tuple[SettledLine, ...]
    transfers: tuple[Transfer, ...]
    commission: str = ""
    """The paragraph on commission, where some is due."""


class RoundVoided(Event, tag="round_voided", frozen=True):
    """The round has no result; everything on the layout went back."""

    number: int
    paragraph: str
    transfers: tuple[Transfer, ...]
    reason: Words = ""


class BoxesConfirmed(Event, tag="boxes_confirmed", frozen=True):
    """Takes and pays are done there."""

    boxes: tuple[int, ...]
    by_reader: bool = False


class ConfirmationOverridden(Event, tag="confirmation_overridden", frozen=True):
    """The round may end although boxes were not confirmed."""

    boxes: tuple[int, ...]
    reason: str


class RoundEnded(Event, tag="round_ended", frozen=True):
    """The cards are in the discard holder and the next round may be called."""

    number: int
    discards: int


class RoundReopened(Event, tag="round_reopened", frozen=True):
    """A round that was settled lacks a card: it is drawn now, and the round settled again."""

    number: int
    paragraph: str


class RoundSettledAgain(Event, tag="round_settled_again", frozen=True):
    """Every wager of a settled round as it now stands; the transfers are the difference from what was paid
    and taken."""

    number: int
    coup: str
    lines: tuple[SettledLine, ...]
    transfers: tuple[Transfer, ...]
    paragraph: str
    void: bool = False
    reason: Words = ""
    commission: str = ""
    """The paragraph on commission, where some is due."""


class MoneyRuled(Event, tag="money_ruled", frozen=True):
    """A player was paid by a ruling, or paid the House; what could not be collected is owed."""

    person: str
    amount: int
    transfers: tuple[Transfer, ...]
    paragraph: str
    reason: Words = ""


class DebtSettled(Event, tag="debt_settled", frozen=True):
    """What a player owed was paid, in part or whole, or the House wrote it off."""

    person: str
    amount: int
    how: Literal["collected", "written_off"]
    transfers: tuple[Transfer, ...]


class CommissionCollected(Event, tag="commission_collected", frozen=True):
    """Marked commission was paid; what the player's chips did not cover is owed."""

    person: str
    amount: int
    owed: int
    transfers: tuple[Transfer, ...]
    paragraph: str


SettlementEvent = (
    ResultAnnounced
    | ResultCalled
    | RoundSettled
    | RoundVoided
    | BoxesConfirmed
    | ConfirmationOverridden
    | RoundEnded
    | RoundReopened
    | RoundSettledAgain
    | MoneyRuled
    | DebtSettled
    | CommissionCollected
)
