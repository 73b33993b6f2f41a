"""What can be put right in the record: the felt was right, and the entry wrong. ``round`` 0 is the one in progress."""

from __future__ import annotations

from typing import Literal

import msgspec

from puntobanco.cards import Card, Side
from puntobanco.rules.model import Window
from puntobanco.table.base import Ruling


class CorrectCard(Ruling, tag="correct_card", frozen=True):
    """A card was keyed or read wrongly. ``round`` 0 is the one in progress."""

    number: int
    card: Card
    round: int = 0


class CorrectHand(Ruling, tag="correct_hand", frozen=True):
    """A card was keyed to the wrong hand."""

    number: int
    hand: Side
    round: int = 0


class StrikeCard(Ruling, tag="strike_card", frozen=True):
    """A card was keyed that never left the shoe."""

    number: int
    round: int = 0


class AddCard(Ruling, tag="add_card", frozen=True):
    """A card left the shoe after another one (0: before all) and was never keyed."""

    card: Card
    hand: Side
    after: int
    round: int = 0
    number: int = 0
    """Its number, once it has one."""


class CorrectOrder(Ruling, tag="correct_order", frozen=True):
    """Cards left the shoe in another order than they were keyed: by the numbers they have."""

    cards: tuple[int, ...]
    round: int = 0
    became: tuple[Card, ...] = ()
    """What the cards of these numbers are then, the lowest number first; known once it is decided."""


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
    to_person: str = ""
    found: int = 0
    """So much of it was found with cards open: on record already, and a second person confirms it (reading Z)."""


class CorrectCall(Ruling, tag="correct_call", frozen=True):
    """The call of the result was keyed wrongly."""

    result: Literal["player", "banker", "tie"]


class CorrectPayout(Ruling, tag="correct_payout", frozen=True):
    """A box was confirmed by mistake: its takes and pays are not done yet."""

    box: int


class TrueCards(msgspec.Struct, frozen=True):
    """All cards of a round as they really left the shoe."""

    cards: tuple[Card, ...]
    round: int = 0
    carried: bool = False
    """Whether those left over wait for the next round."""
    free: bool = False
    """Whether that is a Free Hand."""
    face_down: tuple[Card, ...] = ()
    """Of those left over, what nobody has turned."""


AmendingRuling = CorrectCard | CorrectHand | StrikeCard | AddCard | CorrectOrder | CorrectBet
Amendment = AmendingRuling | TrueCards
"""What can have been wrong in the record of a round that is played again."""
AmendmentsRuling = (
    CorrectCard | CorrectHand | StrikeCard | AddCard | CorrectOrder | CorrectBet | CorrectCall | CorrectPayout
)
