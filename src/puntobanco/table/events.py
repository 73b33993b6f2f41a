"""What happened at a table. State is the fold of these; each names the paragraph that decided it, where one did."""

from __future__ import annotations

from typing import Literal

import msgspec

from puntobanco.bets import Result
from puntobanco.cards import Card, Side
from puntobanco.money import Odds
from puntobanco.rules.model import Authority, Window
from puntobanco.table.rulings import AnyRuling
from puntobanco.table.settings import BetLimits, Differential, TableSettings


class Transfer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Money from one named account to another; what leaves the one reaches the other, so sums are always zero."""

    source: str
    target: str
    amount: int


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Base of all events."""


# --- the table and its people


class TableOpened(Event, tag="table_opened", frozen=True):
    """The table opened; its settings are fixed from here on, and which engine decides."""

    settings: TableSettings
    opening_float: dict[int, int]
    transfers: tuple[Transfer, ...]
    engine: str


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


class LimitsSet(Event, tag="limits_set", frozen=True):
    """The limits of a bet, or of all without their own (no bet named), were changed; ``round`` is the first by them."""

    bet: str
    before: BetLimits
    limits: BetLimits
    round: int
    paragraph: str = ""


class DifferentialSet(Event, tag="differential_set", frozen=True):
    """The Differential was changed or lifted; ``round`` is the first by the new one."""

    before: Differential | None
    differential: Differential | None
    round: int
    paragraph: str = ""


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
    transfers: tuple[Transfer, ...] = ()
    """Chips that the House kept for the player."""


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
    """A card lies open. Those that wait for their round are counted on after the cards of the round in progress."""

    number: int
    card: Card
    by: str = ""
    paragraph: str = ""
    """What that means, where it was turned before its round."""


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
    late: bool = False
    """Whether it had been missed: winnings are capped at the Original Bet."""


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
    by: str = ""
    """Staff who put it down for the player."""


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
    waits: bool = False
    """Whether the book does not say so, and a ruling is to say what stands."""


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


class IncidentOpened(Event, tag="incident_opened", frozen=True):
    """Something went wrong; it waits for a ruling. ``blocks``: play does not go on before."""

    number: int
    family: str
    about: str
    paragraph: str
    round: int = 0
    cards: tuple[int, ...] = ()
    true_cards: tuple[Card, ...] = ()
    """The cards of a round that is over, as they really left the shoe."""
    person: str = ""
    blocks: bool = True
    covered: bool = True
    """Whether the book has a paragraph for it."""


class IncidentClosed(Event, tag="incident_closed", frozen=True):
    """What went wrong is dealt with."""

    number: int


class Noted(Event, tag="noted", frozen=True):
    """Something went wrong that changes nothing: the book says how it is read."""

    family: str
    about: str
    paragraph: str


class RulingProposed(Event, tag="ruling_proposed", frozen=True):
    """A ruling waits for somebody of that rank or above, other than who proposed it."""

    number: int
    incident: int
    ruling: AnyRuling
    by: str
    needs: Authority
    paragraph: str
    reason: str = ""


class RulingGiven(Event, tag="ruling_given", frozen=True):
    """A ruling takes effect: approved by somebody with the rank, or given where no approval is needed."""

    incident: int
    ruling: AnyRuling
    paragraph: str
    by: str
    """Who proposed it."""
    approved_by: str = ""
    proposal: int = 0
    reason: str = ""


class RulingDeclined(Event, tag="ruling_declined", frozen=True):
    """A ruling that was proposed is not given."""

    proposal: int
    by: str
    reason: str = ""


class CardsArranged(Event, tag="cards_arranged", frozen=True):
    """The round's cards in the order that counts now, each at its hand; the rest of them is left over."""

    how: Literal["reconstructed", "as_it_lies"]
    order: tuple[int, ...]
    hands: tuple[Side, ...]
    paragraph: str
    goes: Literal["", "next_round", "free_hand", "discarded"] = ""
    """What becomes of cards left over."""


class CardValued(Event, tag="card_valued", frozen=True):
    """What a damaged, lost or doubtful card is, by ruling."""

    number: int
    card: Card
    paragraph: str


class CardsRetrieved(Event, tag="cards_retrieved", frozen=True):
    """Unseen cards went back into the shoe, and the burn comes first."""

    cards: int
    paragraph: str


class EarlyCardDrawn(Event, tag="early_card_drawn", frozen=True):
    """A card left the shoe before its round: it waits for the next one."""

    paragraph: str
    card: Card | None = None
    turned: bool = False


class CarriedCardsDealt(Event, tag="carried_cards_dealt", frozen=True):
    """Cards left over from before open the round."""

    hands: tuple[Side, ...]
    paragraph: str


class FreeHandCalled(Event, tag="free_hand_called", frozen=True):
    """A round without wagers. One that bets were called for, but not begun, becomes it: the bets went back."""

    number: int
    paragraph: str
    transfers: tuple[Transfer, ...] = ()


class PlayedFree(Event, tag="played_free", frozen=True):
    """Everybody took the bets back: the rest of the round is a Free Hand."""

    paragraph: str


class ShoeToBeReplaced(Event, tag="shoe_to_be_replaced", frozen=True):
    """The cards are replaced when the round is over."""

    paragraph: str
    reason: str = ""


class ShoeChoiceDue(Event, tag="shoe_choice_due", frozen=True):
    """When the round is over, the players choose whether the shoe goes on."""

    paragraph: str


class ShoeChoiceGiven(Event, tag="shoe_choice_given", frozen=True):
    """Each player says whether the cards are to be replaced."""

    people: tuple[str, ...]
    paragraph: str


class ShoeChosen(Event, tag="shoe_chosen", frozen=True):
    """A player goes on with the shoe, or asks to have the cards replaced."""

    person: str
    goes_on: bool
    paragraph: str


class ShoeKept(Event, tag="shoe_kept", frozen=True):
    """The shoe goes on."""

    paragraph: str


class OptionsGiven(Event, tag="options_given", frozen=True):
    """Each player with bets goes on or takes them back; play waits for the answers."""

    people: tuple[str, ...]
    paragraph: str
    go_on: str
    """The paragraph of going on."""
    take_back: str
    """The paragraph of taking back."""
    incident: int = 0
    """What they are given for, if for something in particular."""
    all_back: Literal["over", "free_hand", "replace"] = "over"
    """What follows if everybody takes back: the round is over, goes on without money, or takes the shoe along."""


class OptionTaken(Event, tag="option_taken", frozen=True):
    """A player goes on, or took all bets back."""

    person: str
    goes_on: bool
    paragraph: str
    transfers: tuple[Transfer, ...] = ()
    by: str = ""


class PlayInterrupted(Event, tag="play_interrupted", frozen=True):
    """Play was interrupted. ``until`` is the new end of the betting time, where it starts again."""

    about: str
    lost: bool
    paragraph: str
    effect: Literal["bets_again", "goes_on", "void", "ruling"]
    until: int = 0


class InsuranceMissed(Event, tag="insurance_missed", frozen=True):
    """A card came although insurance was to be offered before it."""

    window: Window
    offers: tuple[Offer, ...]
    paragraph: str
    round: int = 0
    """Where it was found after the settlement; 0 is the round in progress."""


class IntentionNoted(Event, tag="intention_noted", frozen=True):
    """A player had meant to insure that hand, by this row."""

    person: str
    hand: Side
    window: Window
    own: int
    other: int
    paragraph: str
    round: int = 0
    """A round that was settled; 0 is the one in progress."""


class InsuranceMoved(Event, tag="insurance_moved", frozen=True):
    """Insurance in the wrong box was moved to the other hand, by the row that fitted then."""

    person: str
    box: int
    hand: Side
    """Where it lay."""
    paragraph: str
    round: int = 0


class InsuranceReread(Event, tag="insurance_reread", frozen=True):
    """Insurance as cards and bets really were: by the row of these points; back if none fits or no bet was there."""

    person: str
    box: int
    hand: Side
    """Where it lies."""
    window: Window
    own: int
    other: int
    odds: Odds | None
    """None where it goes back."""
    paragraph: str
    transfers: tuple[Transfer, ...] = ()
    round: int = 0


class BetsReturned(Event, tag="bets_returned", frozen=True):
    """Wagers went back by a ruling."""

    wagers: tuple[tuple[str, int, str], ...]
    transfers: tuple[Transfer, ...]
    paragraph: str
    round: int = 0
    """A round that was settled, and is settled again without them; 0 is the one in progress."""


class RoundReopened(Event, tag="round_reopened", frozen=True):
    """A round that was settled lacks a card: it is drawn now, and the round settled again."""

    number: int
    cards: tuple[Card, ...]
    paragraph: str


class RoundSettledAgain(Event, tag="round_settled_again", frozen=True):
    """What every wager of a settled round comes to now; the transfers are the difference to what was paid and taken."""

    number: int
    coup: str
    lines: tuple[SettledLine, ...]
    transfers: tuple[Transfer, ...]
    paragraph: str
    void: bool = False
    reason: str = ""
    cards: tuple[Card, ...] = ()
    """The round's cards, where they are others than was thought."""
    left_over: tuple[Card, ...] = ()
    carried: bool = False
    """Whether cards left over wait for the next round; otherwise they are discarded."""


class MoneyRuled(Event, tag="money_ruled", frozen=True):
    """A player was paid by a ruling, or paid; what could not be collected is owed."""

    person: str
    amount: int
    transfers: tuple[Transfer, ...]
    paragraph: str
    reason: str = ""


class DebtSettled(Event, tag="debt_settled", frozen=True):
    """What a player owed was paid, in part or whole, or the House let go of it."""

    person: str
    amount: int
    how: Literal["collected", "written_off"]
    transfers: tuple[Transfer, ...]


class CardCorrected(Event, tag="card_corrected", frozen=True):
    """The record of a card was wrong."""

    round: int
    number: int
    was: Card | None
    card: Card
    reason: str


class BetCorrected(Event, tag="bet_corrected", frozen=True):
    """The record of a bet was wrong."""

    round: int
    person: str
    box: int
    bet: str
    was: int
    stake: int
    to_box: int
    to_bet: str
    transfers: tuple[Transfer, ...]
    reason: str


class InsuranceCorrected(Event, tag="insurance_corrected", frozen=True):
    """The record of insurance was wrong, or lacked chips that lay there."""

    round: int
    person: str
    box: int
    hand: Side
    window: Window
    was: int
    stake: int
    to_box: int
    to_hand: Side
    own: int
    other: int
    """The points of the hand where it lay and the other's when it was taken."""
    odds: Odds | None
    """None where there was no insurance."""
    paragraph: str
    transfers: tuple[Transfer, ...]
    reason: str
    late: bool = False
    """Whether it was missed and offered late."""


class CallCorrected(Event, tag="call_corrected", frozen=True):
    """The record of the dealer's call was wrong."""

    was: str
    result: Literal["player", "banker", "tie"]
    reason: str


class ConfirmationCorrected(Event, tag="confirmation_corrected", frozen=True):
    """A box was confirmed by mistake."""

    box: int
    reason: str


class DisputeRaised(Event, tag="dispute_raised", frozen=True):
    """A player disputes something."""

    number: int
    person: str
    about: str
    paragraph: str
    round: int = 0


class DisputeNoted(Event, tag="dispute_noted", frozen=True):
    """A step on the way of a dispute."""

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
    paragraph: str
    by: str


class DisputeDecided(Event, tag="dispute_decided", frozen=True):
    """The decision and the paragraphs of its grounds; what it changes is posted here."""

    dispute: int
    decision: str
    grounds: tuple[str, ...]
    cited: tuple[str, ...]
    paragraph: str
    by: str
    pays: int = 0
    transfers: tuple[Transfer, ...] = ()


class DisputeAnswered(Event, tag="dispute_answered", frozen=True):
    """The player agrees with the decision, or does not."""

    dispute: int
    person: str
    agrees: bool
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
    | LimitsSet
    | DifferentialSet
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
    | IncidentOpened
    | IncidentClosed
    | Noted
    | RulingProposed
    | RulingGiven
    | RulingDeclined
    | CardsArranged
    | CardValued
    | CardsRetrieved
    | EarlyCardDrawn
    | CarriedCardsDealt
    | FreeHandCalled
    | PlayedFree
    | ShoeToBeReplaced
    | ShoeChoiceDue
    | ShoeChoiceGiven
    | ShoeChosen
    | ShoeKept
    | OptionsGiven
    | OptionTaken
    | PlayInterrupted
    | InsuranceMissed
    | IntentionNoted
    | InsuranceMoved
    | InsuranceReread
    | BetsReturned
    | RoundReopened
    | RoundSettledAgain
    | MoneyRuled
    | DebtSettled
    | CardCorrected
    | BetCorrected
    | InsuranceCorrected
    | CallCorrected
    | ConfirmationCorrected
    | DisputeRaised
    | DisputeNoted
    | DisputeDecided
    | DisputeAnswered
    | StakeRuled
    | CardsAtFault
    | Flagged
    | FlagCleared
)


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event of a log: its place in the table's history, and the command that caused it."""

    version: int
    at: int
    actor: str
    command: str
    event: AnyEvent
