"""What people ask of a table, and what they report to it.

A *request* (a bet, insurance, a cash-out) may be refused. A *fact* (a card left the shoe, it was turned) is recorded
whatever it is. Every command comes in an envelope with its id, who gives it, when, and the version it was made against.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from puntobanco.cards import Card, Side
from puntobanco.rules.model import Authority, Window
from puntobanco.table.rulings import AnyRuling
from puntobanco.table.settings import TableSettings

HOUSE = "house"
"""The operator's own system as an actor: it opens tables and signs staff on."""


Incidental = Literal[
    "exposed_cards",
    "face_up_in_shoe",
    "wrong_side",
    "squeeze_delivery",
    "squeeze_not_delivered",
    "face_up",
    "simultaneous",
    "simultaneous_in_order",
    "shoe_fault",
    "damaged_card",
    "cut_card_not_offered",
    "insurance_missed",
    "dealing_error",
    "display",
]
"""What can be reported of a round in progress, by family."""


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of all commands."""


# --- the table and its people


class OpenTable(Body, tag="open_table", frozen=True):
    """A table opens with its settings and the chips in its tray."""

    settings: TableSettings
    opening_float: dict[int, int] = {}
    """Chips in the tray by value: how many of each."""


class CloseTable(Body, tag="close_table", frozen=True):
    """The table closes with the count of its tray."""

    count: dict[int, int]
    """The closing count by chip value."""


class SetLimits(Body, tag="set_limits", frozen=True):
    """The pit changes the limits of a bet, or of all bets without their own, from the next round on."""

    minimum: int
    maximum: int | None = None
    step: int = 1
    bet: str = ""


class SetDifferential(Body, tag="set_differential", frozen=True):
    """The pit changes the Differential, or lifts it, from the next round on."""

    limit: int | None = None
    scope: Literal["table", "box"] = "table"


class SignOn(Body, tag="sign_on", frozen=True):
    """Staff comes to the table with a rank."""

    person: str
    rank: Authority


class SignOff(Body, tag="sign_off", frozen=True):
    """Staff leaves the table."""

    person: str


class Join(Body, tag="join", frozen=True):
    """A player takes a box, or stands behind one."""

    person: str
    box: int
    seated: bool = True
    accepts_no_insurance: bool = False


class Leave(Body, tag="leave", frozen=True):
    """A player goes, with the chips."""

    person: str


# --- money


class BuyIn(Body, tag="buy_in", frozen=True):
    """Money becomes chips: cash by way of the dealer, or money on the player's account."""

    person: str
    amount: int
    source: Literal["cash", "account"] = "cash"


class CashOut(Body, tag="cash_out", frozen=True):
    """Chips become money on the player's account."""

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


# --- the shoe


class NewShoe(Body, tag="new_shoe", frozen=True):
    """A shuffled shoe is put up; ``evidence`` says how it was shuffled and checked."""

    evidence: str
    commitment: str = ""


class Cut(Body, tag="cut", frozen=True):
    """Somebody cuts the cards; ``position`` cards from the top go below."""

    person: str
    position: int


class Burn(Body, tag="burn", frozen=True):
    """Cards taken out before the first round; the first one may have been shown."""

    cards: tuple[Card | None, ...]


class CutCard(Body, tag="cut_card", frozen=True):
    """The Cut Card appeared."""


class EndShoe(Body, tag="end_shoe", frozen=True):
    """The shoe is taken out of use between rounds."""

    reason: str = ""


# --- the round


class Call(Body, tag="call", frozen=True):
    """Place your bets."""


class Place(Body, tag="place", frozen=True):
    """Put chips on bets: amounts are added to what is there."""

    person: str
    box: int
    wagers: dict[str, int]


class Withdraw(Body, tag="withdraw", frozen=True):
    """Take chips back: that amount, or the whole wager."""

    person: str
    box: int
    bet: str
    amount: int | None = None


class RefuseBalance(Body, tag="refuse_balance", frozen=True):
    """A seated player wants nobody to bet behind the box."""

    person: str


class Close(Body, tag="close", frozen=True):
    """No more bets."""


class AskSqueeze(Body, tag="ask_squeeze", frozen=True):
    """The highest bettor asks to squeeze a hand's cards."""

    person: str
    hand: Side


class AskEarlySqueeze(Body, tag="ask_early_squeeze", frozen=True):
    """The highest bettor asks to see Banker's third card before Player's third is opened."""

    person: str
    how: Literal["squeeze", "expose"]


class AnswerSqueeze(Body, tag="answer_squeeze", frozen=True):
    """The House consents to a squeeze that was asked for, or does not."""

    person: str
    granted: bool


class BarSqueeze(Body, tag="bar_squeeze", frozen=True):
    """No squeezing for this person in this round."""

    person: str
    reason: str = ""


class Deal(Body, tag="deal", frozen=True):
    """An electronic shoe gives cards: each is drawn, placed where it is due, and turned."""

    cards: tuple[Card, ...]


class Draw(Body, tag="draw", frozen=True):
    """A card left the shoe; the scanner may have read it. Where it was put, and that it was turned, may be told too."""

    card: Card | None = None
    hand: Side | None = None
    turned: bool = False


class PutCard(Body, tag="put_card", frozen=True):
    """A drawn card was put at a hand. Cards are counted from 1, in the order they left the shoe."""

    number: int
    hand: Side


class Turn(Body, tag="turn", frozen=True):
    """A card was turned; the identity is keyed unless the scanner knows it.

    Cards that wait for their round are counted on after those of the round in progress.
    """

    number: int
    card: Card | None = None


class OfferInsurance(Body, tag="offer_insurance", frozen=True):
    """The dealer offers insurance by the row that fits."""


class Insure(Body, tag="insure", frozen=True):
    """A player insures the bet of a box on one hand."""

    person: str
    box: int
    hand: Side
    amount: int


class PassInsurance(Body, tag="pass_insurance", frozen=True):
    """A player wants none of what is offered."""

    person: str


class CloseInsurance(Body, tag="close_insurance", frozen=True):
    """The time for insurance is over."""


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

    reason: str


# --- what went wrong


class FindBet(Body, tag="find_bet", frozen=True):
    """Chips are found on a bet that nobody asked for: noticed in time before the close, not noticed after it.

    Those in an insurance box were put down in a ``window``; it is said where that leaves room.
    """

    person: str
    box: int
    bet: str
    amount: int
    window: Window | None = None


class LateChips(Body, tag="late_chips", frozen=True):
    """After the close somebody put chips on a bet, or took some away."""

    person: str
    box: int
    bet: str
    amount: int
    what: Literal["placed", "withdrawn"]


class WalkAway(Body, tag="walk_away", frozen=True):
    """A player with bets on the layout walks away."""

    person: str


class ComeBack(Body, tag="come_back", frozen=True):
    """A player who walked away is back."""

    person: str


class ReportCards(Body, tag="report_cards", frozen=True):
    """The cards are not as they should be: a foreign one, too few or too many, or not shuffled."""

    fault: Literal["foreign_card", "wrong_card_set", "unshuffled"]
    about: str


class Report(Body, tag="report", frozen=True):
    """Something went wrong that the table cannot see by itself. ``cards`` are counted as they left the shoe.

    ``round`` 0 is the one in progress; of one that was settled, insurance that was not offered is reported.
    """

    what: Incidental
    about: str
    cards: tuple[int, ...] = ()
    round: int = 0


class ReportInterruption(Body, tag="report_interruption", frozen=True):
    """Play was interrupted; ``lost`` says that cards, bets or a device were lost."""

    about: str
    lost: bool = False


class ReportRound(Body, tag="report_round", frozen=True):
    """A round that is over was not played by the Table of Play: its cards as they really left the shoe."""

    round: int
    cards: tuple[Card, ...]
    about: str


class MeantToInsure(Body, tag="meant_to_insure", frozen=True):
    """A player had meant to insure a hand when insurance was not offered. ``round`` 0 is the one in progress."""

    person: str
    hand: Side
    round: int = 0


class Propose(Body, tag="propose", frozen=True):
    """A ruling on an incident (0: on none in particular); it waits for approval unless the dealer may give it."""

    ruling: AnyRuling
    incident: int = 0
    reason: str = ""


class Approve(Body, tag="approve", frozen=True):
    """Somebody with the rank for it approves a ruling that another person proposed."""

    proposal: int


class Decline(Body, tag="decline", frozen=True):
    """A ruling that was proposed is not given."""

    proposal: int
    reason: str = ""


class TakeOption(Body, tag="take_option", frozen=True):
    """A player goes on with the round, or takes all bets back; staff may record it."""

    person: str
    goes_on: bool


Ground = Literal[
    "game_rules",
    "published_information",
    "procedures",
    "internal_controls",
    "accounts",
    "surveillance",
    "other_evidence",
    "law",
]
"""What a decision in a dispute may rest on."""
GROUNDS: tuple[str, ...] = get_args(Ground)


class RaiseDispute(Body, tag="raise_dispute", frozen=True):
    """A player disputes something; it goes to the supervisor first."""

    person: str
    about: str
    round: int = 0


class NoteOnDispute(Body, tag="note_on_dispute", frozen=True):
    """A step on the way of a dispute, with what there is to say about it."""

    dispute: int
    what: Literal[
        "resolved",
        "escalated",
        "facts",
        "surveillance",
        "time_frame",
        "right_told",
        "complaint_filed",
        "complaint_waived",
    ]
    note: str


class DecideDispute(Body, tag="decide_dispute", frozen=True):
    """The decision, its grounds, and what the player is paid by it (below zero: pays)."""

    dispute: int
    decision: str
    grounds: tuple[Ground, ...]
    pays: int = 0


class AnswerDispute(Body, tag="answer_dispute", frozen=True):
    """The player agrees with the decision, or does not."""

    person: str
    dispute: int
    agrees: bool


AnyCommand = (
    OpenTable
    | CloseTable
    | SetLimits
    | SetDifferential
    | SignOn
    | SignOff
    | Join
    | Leave
    | BuyIn
    | CashOut
    | ChipsIn
    | ChipsOut
    | Tip
    | RequestFill
    | SignFill
    | CancelFill
    | NewShoe
    | Cut
    | Burn
    | CutCard
    | EndShoe
    | Call
    | Place
    | Withdraw
    | RefuseBalance
    | Close
    | AskSqueeze
    | AskEarlySqueeze
    | AnswerSqueeze
    | BarSqueeze
    | Deal
    | Draw
    | PutCard
    | Turn
    | OfferInsurance
    | Insure
    | PassInsurance
    | CloseInsurance
    | Announce
    | Settle
    | Confirm
    | OverrideConfirmation
    | FindBet
    | LateChips
    | WalkAway
    | ComeBack
    | ReportCards
    | Report
    | ReportInterruption
    | ReportRound
    | MeantToInsure
    | Propose
    | Approve
    | Decline
    | TakeOption
    | RaiseDispute
    | NoteOnDispute
    | DecideDispute
    | AnswerDispute
)


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command in its envelope. ``against`` is the version of the table it was made for, if that matters."""

    id: str
    actor: str
    at: int
    """Milliseconds since the epoch."""
    body: AnyCommand
    against: int | None = None
    device: str = ""
    """The terminal, scanner or shoe that it came from, where that is known."""
