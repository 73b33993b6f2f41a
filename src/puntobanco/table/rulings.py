"""What may be ruled: each kind of ruling with what it leaves to say. Who may give it is :mod:`remedies`' matter.

A ruling is proposed at the table and takes effect when somebody with the rank for it approves. A *correction* is ruled
on the same way, but is different in kind: the felt was right, and the entry in the record wrong.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from puntobanco.cards import Card, Side
from puntobanco.rules.model import Window


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="ruling"):
    """Base of all rulings."""


# --- cards


class Reconstruct(Ruling, tag="reconstruct", frozen=True):
    """The cards go back in the order they left the shoe and are dealt again by the Table of Play."""


class AsItLies(Ruling, tag="as_it_lies", frozen=True):
    """They cannot be put back: play goes on with the hands as they lie."""


class DecideOrder(Ruling, tag="order", frozen=True):
    """Which of the cards drawn at once is received first, second …; they are dealt again in that order."""

    cards: tuple[int, ...]


class ValueCard(Ruling, tag="value", frozen=True):
    """What a damaged, lost or doubtful card is."""

    number: int
    card: Card


class ReplaceShoe(Ruling, tag="replace_shoe", frozen=True):
    """The cards are replaced by a new set when the round is over."""


class BurnNow(Ruling, tag="burn_now", frozen=True):
    """The cards go back into the shoe, and the burn that was forgotten takes place."""


# --- the round


class PlayOn(Ruling, tag="play_on", frozen=True):
    """The round goes on."""


class VoidRound(Ruling, tag="void", frozen=True):
    """The round has no result and every bet goes back."""


class GiveOptions(Ruling, tag="options", frozen=True):
    """The players may go on or take their bets back."""


# --- bets


class SetStake(Ruling, tag="stake", frozen=True):
    """How much of a bet stands; the rest goes back."""

    person: str
    box: int
    bet: str
    stands: int


class OfferLate(Ruling, tag="offer_late", frozen=True):
    """Insurance that was not offered is offered now; its winnings are capped at the Original Bet."""


class ReturnBets(Ruling, tag="return_bets", frozen=True):
    """Who had meant to insure and would have won gets the Original Bet back."""


class MoveInsurance(Ruling, tag="move_insurance", frozen=True):
    """Insurance that staff put in the wrong box belongs to the other hand; ``hand`` is where it lies."""

    person: str
    box: int
    hand: Side


# --- a round that is over


class Rectify(Ruling, tag="rectify", frozen=True):
    """The round is dealt again by the Table of Play and settled again."""


class LetStand(Ruling, tag="let_stand", frozen=True):
    """What was settled stands."""


class Pay(Ruling, tag="pay", frozen=True):
    """A player is paid, or pays where the amount is below zero."""

    person: str
    amount: int


class Collect(Ruling, tag="collect", frozen=True):
    """A player pays what is owed, or a part of it."""

    amount: int


class WriteOff(Ruling, tag="write_off", frozen=True):
    """The House lets go of what a player owes."""


# --- corrections of the record


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


AnyRuling = (
    Reconstruct
    | AsItLies
    | DecideOrder
    | ValueCard
    | ReplaceShoe
    | BurnNow
    | PlayOn
    | VoidRound
    | GiveOptions
    | SetStake
    | OfferLate
    | ReturnBets
    | MoveInsurance
    | Rectify
    | LetStand
    | Pay
    | Collect
    | WriteOff
    | CorrectCard
    | CorrectBet
    | CorrectCall
    | CorrectPayout
)


def kind_of(ruling: Ruling | type[Ruling]) -> str:
    """A ruling's name, as it stands in the log."""
    return str(ruling.__struct_config__.tag)
