"""What happened at a table. State is the fold of these; each names the paragraph that decided it, where one did."""

from __future__ import annotations

from typing import Literal

import msgspec

from puntobanco.bets import Result
from puntobanco.cards import Card, Side
from puntobanco.money import Odds
from puntobanco.rules.model import Authority, Window
from puntobanco.table.settings import TableSettings


class Transfer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Money from one named account to another; what leaves the one reaches the other, so sums are always zero."""

    source: str
    target: str
    amount: int


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Base of all events."""


# --- the table and its people


class TableOpened(Event, tag="table_opened", frozen=True):
    """The table opened; its settings are fixed from here on."""

    settings: TableSettings
    opening_float: dict[int, int]
    transfers: tuple[Transfer, ...]


class TableClosed(Event, tag="table_closed", frozen=True):
    """The day's reckoning: result = closing + credits + drop − opening − fills; ``difference`` is count less ledger."""

    count: dict[int, int]
    opening: int
    closing: int
    fills: int
    credits: int
    drop: int
    result: int
    difference: int


class StaffSignedOn(Event, tag="staff_signed_on", frozen=True):
    """Staff came to the table, or changed rank."""

    person: str
    rank: Authority


class StaffSignedOff(Event, tag="staff_signed_off", frozen=True):
    """Staff left the table."""

    person: str


class PlayerJoined(Event, tag="player_joined", frozen=True):
    """A player sat down, or stands behind a box."""

    person: str
    box: int
    seated: bool
    paragraph: str = ""


class PlayerLeft(Event, tag="player_left", frozen=True):
    """A player is gone; on a live table the chips go along to the floor."""

    person: str
    transfers: tuple[Transfer, ...] = ()


# --- money


class MoneyMoved(Event, tag="money_moved", frozen=True):
    """Buy-ins, cash-outs, chips walking in and out, tips."""

    kind: Literal["buy_in", "cash_out", "chips_in", "chips_out", "tip"]
    person: str
    amount: int
    transfers: tuple[Transfer, ...]
    via: str = ""
    paragraph: str = ""


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


# --- the shoe


class ShoeStarted(Event, tag="shoe_started", frozen=True):
    """A shuffled shoe was put up."""

    number: int
    cards: int
    evidence: str
    commitment: str = ""


class ShoeCut(Event, tag="shoe_cut", frozen=True):
    """Somebody cut the cards."""

    person: str
    position: int


class CardsBurnt(Event, tag="cards_burnt", frozen=True):
    """Cards were burnt before the first round."""

    cards: tuple[Card | None, ...]
    paragraph: str = ""


class CutCardAppeared(Event, tag="cut_card_appeared", frozen=True):
    """``rounds_left`` may still be played, this one not counted."""

    rounds_left: int
    paragraph: str = ""


class ShoeEnded(Event, tag="shoe_ended", frozen=True):
    """The shoe went out of use."""

    number: int
    drawn: int
    discards: int
    reason: str = ""


# --- the round


class RoundCalled(Event, tag="round_called", frozen=True):
    """Bets were called for."""

    number: int
    paragraph: str
    until: int
    """When the betting time is over."""


class WagersPlaced(Event, tag="wagers_placed", frozen=True):
    """Chips went on the layout; ``by`` is staff who put them down for the player."""

    person: str
    box: int
    wagers: dict[str, int]
    transfers: tuple[Transfer, ...]
    by: str = ""
    paragraph: str = ""


class WagerReduced(Event, tag="wager_reduced", frozen=True):
    """Chips came back before the cards: withdrawn, yielded to a seated player, or rejected as excess."""

    person: str
    box: int
    bet: str
    amount: int
    why: Literal["withdrawn", "yielded", "rejected", "below_minimum", "above_maximum"]
    transfers: tuple[Transfer, ...]
    paragraph: str = ""
    by: str = ""


class BetsClosed(Event, tag="bets_closed", frozen=True):
    """No more bets."""

    paragraph: str


class SqueezeAsked(Event, tag="squeeze_asked", frozen=True):
    """Somebody asked to squeeze."""

    person: str
    hand: Side
    paragraph: str
    early: Literal["", "squeeze", "expose"] = ""


class SqueezeAnswered(Event, tag="squeeze_answered", frozen=True):
    """A granted early squeeze waives the insurance window after Player's third card for everybody."""

    person: str
    hand: Side
    granted: bool
    paragraph: str
    early: Literal["", "squeeze", "expose"] = ""


class SqueezeBarred(Event, tag="squeeze_barred", frozen=True):
    """Somebody may not squeeze in this round."""

    person: str
    paragraph: str
    reason: str = ""


class CardsDealt(Event, tag="cards_dealt", frozen=True):
    """Cards were drawn, each placed at the hand it was due to, and turned, all at once."""

    cards: tuple[Card, ...]
    hands: tuple[Side, ...]


class CardDrawn(Event, tag="card_drawn", frozen=True):
    """A card left the shoe, face down."""

    number: int
    card: Card | None = None


class CardPut(Event, tag="card_put", frozen=True):
    """A card was put at a hand."""

    number: int
    hand: Side


class CardTurned(Event, tag="card_turned", frozen=True):
    """A card lies open."""

    number: int
    card: Card
    by: str = ""


class Offer(msgspec.Struct, frozen=True):
    """Insurance on one hand at the odds of its row, to the people who bet on it."""

    hand: Side
    odds: Odds
    own: int
    other: int
    people: tuple[str, ...]


class InsuranceOffered(Event, tag="insurance_offered", frozen=True):
    """Insurance is on offer."""

    window: Window
    offers: tuple[Offer, ...]
    paragraph: str
    until: int = 0


class Insured(Event, tag="insured", frozen=True):
    """Somebody took insurance."""

    person: str
    box: int
    hand: Side
    amount: int
    window: Window
    odds: Odds
    own: int
    other: int
    paragraph: str
    transfers: tuple[Transfer, ...]


class InsurancePassed(Event, tag="insurance_passed", frozen=True):
    """Somebody wants no insurance."""

    person: str
    paragraph: str


class InsuranceClosed(Event, tag="insurance_closed", frozen=True):
    """Who was offered insurance and took none has forgone it."""

    window: Window
    forgone: tuple[str, ...]
    paragraph: str


class ResultAnnounced(Event, tag="result_announced", frozen=True):
    """The result was announced."""

    player_total: int
    banker_total: int
    result: Literal["player", "banker", "tie"]
    paragraph: str
    called: str = ""
    """What the dealer called, where that was something else."""


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


class RoundSettled(Event, tag="round_settled", frozen=True):
    """Takes and pays, box by box."""

    number: int
    coup: str
    lines: tuple[SettledLine, ...]
    transfers: tuple[Transfer, ...]


class RoundVoided(Event, tag="round_voided", frozen=True):
    """The round has no result; everything on the layout went back."""

    number: int
    paragraph: str
    transfers: tuple[Transfer, ...]
    reason: str = ""


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


# --- what went wrong


class BetFound(Event, tag="bet_found", frozen=True):
    """Chips lay on a bet that nobody asked for; ``noticed`` when that was before the close."""

    person: str
    box: int
    bet: str
    amount: int
    noticed: bool
    transfers: tuple[Transfer, ...]
    paragraph: str = ""


class LateChipsRefused(Event, tag="late_chips_refused", frozen=True):
    """Chips put down after the close go back; chips taken away then count as if they lay there still."""

    person: str
    box: int
    bet: str
    amount: int
    what: Literal["placed", "withdrawn"]
    paragraph: str


class WalkedAway(Event, tag="walked_away", frozen=True):
    """A player is gone, the bets stay and are settled."""

    person: str
    paragraph: str


class CameBack(Event, tag="came_back", frozen=True):
    """The player who walked away is back."""

    person: str


class Cut(msgspec.Struct, frozen=True):
    """What does not stand of a wager, and why."""

    person: str
    box: int
    bet: str
    amount: int
    why: Literal["below_minimum", "above_maximum", "pro_rata"]
    paragraph: str


class StakesStand(Event, tag="stakes_stand", frozen=True):
    """What stands of bets that nobody noticed in time; the rest went back before the settlement."""

    cuts: tuple[Cut, ...]
    transfers: tuple[Transfer, ...]
    paragraph: str


class StakeRuled(Event, tag="stake_ruled", frozen=True):
    """Somebody with the rank for it ruled how much of a bet stands."""

    person: str
    box: int
    bet: str
    stands: int
    transfers: tuple[Transfer, ...]
    paragraph: str
    reason: str


class CardsAtFault(Event, tag="cards_at_fault", frozen=True):
    """The cards in use are not as they should be; this shoe is over."""

    fault: Literal["foreign_card", "wrong_card_set", "unshuffled"]
    about: str
    paragraph: str = ""


class Flagged(Event, tag="flagged", frozen=True):
    """Something is not as the book wants it; it stands until it is dealt with."""

    flag: str
    about: str
    paragraph: str = ""


class FlagCleared(Event, tag="flag_cleared", frozen=True):
    """What was flagged is put right."""

    flag: str
    about: str


AnyEvent = (
    TableOpened
    | TableClosed
    | StaffSignedOn
    | StaffSignedOff
    | PlayerJoined
    | PlayerLeft
    | MoneyMoved
    | FillRequested
    | FillSigned
    | FillCancelled
    | ShoeStarted
    | ShoeCut
    | CardsBurnt
    | CutCardAppeared
    | ShoeEnded
    | RoundCalled
    | WagersPlaced
    | WagerReduced
    | BetsClosed
    | SqueezeAsked
    | SqueezeAnswered
    | SqueezeBarred
    | CardsDealt
    | CardDrawn
    | CardPut
    | CardTurned
    | InsuranceOffered
    | Insured
    | InsurancePassed
    | InsuranceClosed
    | ResultAnnounced
    | RoundSettled
    | RoundVoided
    | BoxesConfirmed
    | ConfirmationOverridden
    | RoundEnded
    | BetFound
    | LateChipsRefused
    | WalkedAway
    | CameBack
    | StakesStand
    | StakeRuled
    | CardsAtFault
    | Flagged
    | FlagCleared
)


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event as it is stored: its place in the table's history, and the command that caused it."""

    version: int
    at: int
    actor: str
    command: str
    event: AnyEvent
