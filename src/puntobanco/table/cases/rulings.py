"""What may be ruled on a round as a whole, and corrections of the record: the felt was right, the entry wrong."""

from __future__ import annotations

from typing import Literal

from puntobanco.cards import Card
from puntobanco.rules.model import Window
from puntobanco.table.base import Ruling


class PlayOn(Ruling, tag="play_on", frozen=True):
    """The round goes on."""


class VoidRound(Ruling, tag="void", frozen=True):
    """The round has no result and every bet goes back."""


class GiveOptions(Ruling, tag="options", frozen=True):
    """The players may go on or take their bets back."""


class CorrectCard(Ruling, tag="correct_card", frozen=True):
    """A card was keyed or read wrongly. ``round`` 0 is the one in progress."""

    number: int
    card: Card
    round: int = 0


class CorrectBet(Ruling, tag="correct_bet", frozen=True):
    """A bet was keyed wrongly: it was ``stake`` (0: there was none), in another box or on another bet where said.

    Insurance as well; ``window`` says which, where that leaves room.
    """

    person: str
    box: int
    bet: str
    stake: int
    to_box: int = 0
    to_bet: str = ""
    round: int = 0
    window: Window | None = None


class CorrectCall(Ruling, tag="correct_call", frozen=True):
    """The call of the result was keyed wrongly."""

    result: Literal["player", "banker", "tie"]


class CorrectPayout(Ruling, tag="correct_payout", frozen=True):
    """A box was confirmed by mistake: its takes and pays are not done yet."""

    box: int


CasesRuling = PlayOn | VoidRound | GiveOptions | CorrectCard | CorrectBet | CorrectCall | CorrectPayout
