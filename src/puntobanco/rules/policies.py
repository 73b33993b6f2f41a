"""What a house does where houses differ: each policy a named choice, with the paragraph it comes from.

A book states every one of them. Nothing is inferred from what a book lacks: a subject of which it says nothing has the
value ``not_covered`` and is decided by the rank that the book names for that; one that it leaves to each table
has ``left_to_table``. ``docs/books.md`` has a table of them all, made from this module.
"""

from __future__ import annotations

from functools import cache
from typing import Generic, TypeVar, get_args, get_type_hints

import msgspec

from puntobanco.cards import Symbol


class Choice(Symbol):
    """A policy: what it is about, and its values with what they mean."""

    meaning: str

    def __new__(cls, value: str, meaning: str = "") -> Choice:
        member = object.__new__(cls)
        member._value_ = value
        member.meaning = meaning
        return member


C = TypeVar("C", bound=Choice, covariant=True)


class Stated(msgspec.Struct, Generic[C], frozen=True):
    """What a book says on a subject, and where."""

    value: C
    paragraph: str = ""


_RULED = "the book says nothing: it is referred to the rank that decides what the book does not cover"
_TABLE = "as the table is set up"

# --- the round


class RoundBegins(Choice):
    """When a round begins, and with it the time when an error of the one before is found late."""

    CALL = "call", "with the call for bets"
    CLOSE = "close", "when the bets are closed"
    FIRST_CARD = "first_card", "with the first card out of the shoe"


class RoundEnds(Choice):
    """When a round is over."""

    ALL_PAID = "all_paid", "when everybody is paid; the next call ends it in any case"
    ANNOUNCED = "announced", "when its result is announced"


# --- bets and limits


class Breach(Choice):
    """A bet outside the limits that is noticed before the close."""

    PUT_RIGHT = "put_right", "it is altered or withdrawn, and what is left of it at the close goes back"
    STANDS = "stands", "it is settled as it lies"


class BelowMinimum(Choice):
    """A bet under the minimum that nobody noticed."""

    STANDS = "stands", "it wins or loses like any other"
    ONCE_THEN_RETURNED = "once_then_returned", "the first time it stands, later ones of the same player go back"
    RETURNED = "returned", "it goes back"


class AboveMaximum(Choice):
    """A bet over the maximum that nobody noticed."""

    CAPPED = "capped", "it is settled on the maximum, the rest goes back"
    STANDS = "stands", "it is settled in full"
    RETURNED = "returned", "it goes back"
    NOT_COVERED = "not_covered", _RULED


class OverDifferential(Choice):
    """Bets over the Differential that nobody noticed."""

    PRO_RATA_TO_MINIMUM = "pro_rata_to_minimum", "the heavier side stands pro rata, no bet of it below the minimum"
    PRO_RATA = "pro_rata", "the heavier side stands pro rata"
    STANDS = "stands", "all bets are settled in full"


class Priority(Choice):
    """Whose bets yield where the Differential is exceeded."""

    SEATED = "seated", "those of standing players first, the latest first"
    NONE = "none", "the latest first, no matter who placed them"


class Scope(Choice):
    """What the Differential is counted over."""

    TABLE = "table", "the whole table"
    BOX = "box", "each betting box by itself"
    LEFT_TO_TABLE = "left_to_table", _TABLE


class LateBet(Choice):
    """Chips put down or added after the close."""

    RETURNED = "returned", "they go back"
    NOT_COVERED = "not_covered", "the book says nothing: they go back, because nobody has accepted the bet"


class LateWithdrawal(Choice):
    """A bet taken away after the close."""

    PLAYS = "plays", "it wins or loses as if it lay there"
    NOT_COVERED = "not_covered", _RULED


class WalkAway(Choice):
    """A player who goes away with bets on the layout."""

    SETTLED = "settled", "the bets are settled in the player's absence"
    NOT_COVERED = "not_covered", "the book says nothing: the bets stand"


class StaffBets(Choice):
    """Bets that staff put down for a player."""

    BIND_PLAYER = "bind_player", "they bind the player as the player's own do"
    BARRED = "barred", "staff put down none"
    NOT_COVERED = "not_covered", "the book says nothing: they are the player's"


# --- options and the outcome


class Established(Choice):
    """When an outcome is established."""

    ANY_BET = "any_bet", "a bet of the layout has the same result whatever comes"
    GAME = "game", "Player, Banker or Tie is settled whatever comes"


class Unrepaired(Choice):
    """Whether players have their options where cards cannot be put right."""

    ALWAYS = "always", "whatever the error was"
    BY_FAMILY = "by_family", "only where the remedy of the error gives them"


class OptionsBy(Choice):
    """By which paragraph a player goes on or takes back."""

    GENERAL = "general", "by the slots of `options`, whatever the error was"
    BY_FAMILY = "by_family", "by the slots of the error itself, or the paragraph that gives the options"


# --- cards out of place


class LeftOver(Choice):
    """Cards that are left over when a hand was put right."""

    OPENS_NEXT = "opens_next", "they open the next round, which is played with bets"
    FREE_HAND = "free_hand", "they open a Free Hand, which is played without"
    DISCARD = "discard", "they are discarded"


class FirstCard(Choice):
    """A card that would open the next hand and is out, or seen, before its time."""

    OPENS_NEXT = "opens_next", "it opens the next round, which is played with bets"
    FREE_HAND = "free_hand", "it opens a Free Hand"
    DISCARD = "discard", "it is discarded"


class TooMany(Choice):
    """What a card that is due to no hand is called."""

    BY_HAND = "by_hand", "`third_to_player` or `third_to_banker` for a third card, else `excess_cards`"
    EXCESS = "excess", "`excess_cards`"
    WRONG_NUMBER = "wrong_number", "`wrong_number`"


class ThirdToPlayer(Choice):
    """A third card dealt to Player when none was due."""

    BECOMES_BANKERS = "becomes_bankers", "it is Banker's third card if Banker draws, otherwise a card left over"
    PUT_RIGHT = "put_right", "the hand is put right like any other, and the card may be left over"


class ThirdToBanker(Choice):
    """A third card dealt to Banker when none was due."""

    AS_LEFT_OVER = "as_left_over", "like any other card left over"
    OPENS_NEXT = "opens_next", "it opens the next round, which is played with bets"
    FREE_HAND = "free_hand", "it opens a Free Hand"
    DISCARD = "discard", "it is discarded"


class ExposedInHand(Choice):
    """A card of the hand in play that is seen before its time."""

    PUT_RIGHT = "put_right", "the family `exposed_cards` says what then"
    NOT_COVERED = "not_covered", _RULED


class Unrepairable(Choice):
    """A hand with the right number of cards that cannot be put right."""

    VOID = "void", "the round is void"
    AS_IT_LIES = "as_it_lies", "play goes on with the hands as they lie"
    EITHER = "either", "one or the other, as the ruling decides"


class WrongCount(Choice):
    """A hand with a wrong number of cards that cannot be put right."""

    VOID = "void", "the round is void"
    NOT_COVERED = "not_covered", _RULED


class Simultaneous(Choice):
    """Cards drawn at once, in an order that cannot be told."""

    ORDER_DECIDED = "order_decided", "somebody decides the order, and that is that"
    ORDER_OR_UNREPAIRABLE = "order_or_unrepairable", "somebody decides it, or that it cannot be put right"


class ShoeAfter(Choice):
    """The shoe after cards were drawn at once."""

    MAY_BE_REPLACED = "may_be_replaced", "the rank that the remedy `shoe_replaced` names may replace it"
    NOT_COVERED = "not_covered", _RULED


class Fault(Choice):
    """Cards that are not what they should be."""

    VOID = "void", "the round is void, earlier ones stand"
    NOT_COVERED = "not_covered", _RULED


class Interrupted(Choice):
    """A technical interruption in which cards, bets or a device are lost."""

    OUTCOME_DECIDES = "outcome_decides", "play goes on if an outcome is established, otherwise the round is void"
    VOID = "void", "the round is void"
    GOES_ON = "goes_on", "play goes on"
    NOT_COVERED = "not_covered", _RULED


class Decided(Choice):
    """Side bets that were decided already."""

    RETURNED = "returned", "they go back like all others"
    KEPT = "kept", "they keep their result"


class LateDiscovery(Choice):
    """An error of a round that is found after the next one began."""

    STANDS = "stands", "the round stands; the rank that decides what is not covered may rule otherwise"
    RECTIFY = "rectify", "dealt again with a card too many, void with a card too few, as `rectified_late` says"
    NOT_COVERED = "not_covered", _RULED


# --- the shoe


class CutCardEnds(Choice):
    """Which round is the last of a shoe."""

    THIS_ROUND = "this_round", "the one in which the Cut Card appears"
    ONE_MORE = "one_more", "the one after it"
    LEFT_TO_TABLE = "left_to_table", _TABLE


class CutCardFirst(Choice):
    """A Cut Card that is the first card of a round."""

    NORMAL = "normal", "the round goes on as any other"
    WITHDRAW = "withdraw", "bets may be withdrawn until a card is dealt"
    WITHDRAW_IN_HIGH_LIMIT = "withdraw_in_high_limit", "the same, in a high-limit area only"
    COUNTS_AS_PREVIOUS = "counts_as_previous", "it counts as one of the round before: this one is the last"


class Burn(Choice):
    """Cards burnt before the first round of a shoe."""

    LEFT_TO_TABLE = "left_to_table", _TABLE
    FIRST_CARD = "first_card", "by the value of the first card; ten-valued cards burn ten"
    NONE = "none", "none"


class BurnForgotten(Choice):
    """A burn that was forgotten."""

    BURN_NOW = "burn_now", "the cards go back and the burn takes place"
    PLAYERS_CHOOSE = "players_choose", "the hand is played, then the players say whether the shoe is replaced"
    NEW_SHOE = "new_shoe", "the hand is played, then the shoe is replaced"
    GO_ON = "go_on", "the shoe goes on"
    NOT_COVERED = "not_covered", _RULED


class AskedBy(Choice):
    """How many players must ask before a shoe is replaced."""

    ANY = "any", "one"
    MAJORITY = "majority", "more than half of those at the table"
    ALL = "all", "all"
    LEFT_TO_TABLE = "left_to_table", _TABLE
    NOT_COVERED = "not_covered", "nobody is asked"


# --- the squeeze


class SqueezeBy(Choice):
    """Who may ask to squeeze at a table that deals face down."""

    SEATED = "seated", "the seated player with the highest bet"
    ANY = "any", "the player with the highest bet, seated or standing"
    NONE = "none", "nobody"


class SqueezeRights(Choice):
    """How many rights to squeeze there are in a round."""

    ONE = "one", "one, of the highest bet on the table"
    PER_HAND = "per_hand", "one for each hand, of the highest bet on it"
    LEFT_TO_TABLE = "left_to_table", _TABLE
    NOT_COVERED = "not_covered", "nobody squeezes"


class SqueezeBar(Choice):
    """Whether somebody may be kept from squeezing."""

    MAY_BE_BARRED = "may_be_barred", "by the rank that `[authority]` names"
    NEVER = "never", "no"


class EarlySqueeze(Choice):
    """Banker's third card before Player's is open."""

    WITH_CONSENT = "with_consent", "at the request of the highest bet and with the House's consent"
    NEVER = "never", "not at all"


class SqueezeAbsent(Choice):
    """A player who is not there to open cards."""

    DEALER_OPENS = "dealer_opens", "the dealer opens them"
    NOT_COVERED = "not_covered", "the book says nothing: the dealer opens them"


class NotDelivered(Choice):
    """Cards that the dealer opened instead of handing them over."""

    GOES_ON = "goes_on", "play goes on, and that is noted"
    NOT_COVERED = "not_covered", _RULED


# --- insurance


class Forgone(Choice):
    """What a player gives up who lets an offer of insurance pass."""

    ROUND = "round", "insurance in this round"
    WINDOW = "window", "this offer alone"
    LEFT_TO_TABLE = "left_to_table", _TABLE
    NOT_COVERED = "not_covered", "there is no insurance"


class MissedOpen(Choice):
    """Insurance that was not offered, noticed while the result of the Original Bet is open."""

    OFFERED_LATE = "offered_late", "it is offered now, its winnings capped at the Original Bet"
    NOT_COVERED = "not_covered", _RULED


class MissedDecided(Choice):
    """Insurance that was not offered, noticed after that."""

    ORIGINAL_BET_RETURNED = (
        "original_bet_returned",
        "the Original Bet goes back to those who meant to insure and would have won",
    )
    NOT_COVERED = "not_covered", _RULED


class Misplaced(Choice):
    """Insurance that staff put into the box of the other hand."""

    MOVED = "moved", "it is moved where it belongs, whenever that is found"
    STANDS = "stands", "it stands where it lies"
    NOT_COVERED = "not_covered", _RULED


class PrivateTable(Choice):
    """Insurance at a private table."""

    NO_INSURANCE = "no_insurance", "the House may offer none, with a notice at the table"
    SAME = "same", "it is offered as everywhere"
    NOT_COVERED = "not_covered", "there is no insurance"


# --- disputes


class DisputePath(Choice):
    """How a dispute goes."""

    ESCALATED = "escalated", "from the first rank to the one that decides, by the slots of `disputes`"
    NOT_COVERED = "not_covered", "the same steps, decided by the rank that the book names for what it does not cover"


class Policies(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a book decides where houses differ."""

    round_begins: Stated[RoundBegins]
    round_ends: Stated[RoundEnds]

    below_minimum_noticed: Stated[Breach]
    above_maximum_noticed: Stated[Breach]
    over_differential_noticed: Stated[Breach]
    below_minimum_unnoticed: Stated[BelowMinimum]
    above_maximum_unnoticed: Stated[AboveMaximum]
    over_differential_unnoticed: Stated[OverDifferential]
    differential_priority: Stated[Priority]
    differential_scope: Stated[Scope]
    late_bet: Stated[LateBet]
    late_withdrawal: Stated[LateWithdrawal]
    walk_away: Stated[WalkAway]
    staff_bets: Stated[StaffBets]

    outcome_established: Stated[Established]
    options_when_unrepaired: Stated[Unrepaired]
    options_by: Stated[OptionsBy]

    left_over: Stated[LeftOver]
    first_card_seen: Stated[FirstCard]
    first_card_unseen: Stated[FirstCard]
    card_too_many: Stated[TooMany]
    third_to_player: Stated[ThirdToPlayer]
    third_to_banker_seen: Stated[ThirdToBanker]
    third_to_banker_unseen: Stated[ThirdToBanker]
    exposed_in_hand: Stated[ExposedInHand]
    unrepairable: Stated[Unrepairable]
    wrong_count: Stated[WrongCount]
    simultaneous: Stated[Simultaneous]
    shoe_after_simultaneous: Stated[ShoeAfter]
    foreign_card: Stated[Fault]
    wrong_card_set: Stated[Fault]
    unshuffled: Stated[Fault]
    shoe_empty: Stated[Fault]
    interruption: Stated[Interrupted]
    decided_on_void: Stated[Decided]
    late_discovery: Stated[LateDiscovery]
    decided_on_late_void: Stated[Decided]

    cut_card_ends: Stated[CutCardEnds]
    cut_card_first: Stated[CutCardFirst]
    burn: Stated[Burn]
    burn_forgotten_unseen: Stated[BurnForgotten]
    burn_forgotten_seen: Stated[BurnForgotten]
    burn_forgotten_later: Stated[BurnForgotten]
    shoe_asked_by: Stated[AskedBy]

    squeeze: Stated[SqueezeBy]
    squeeze_rights: Stated[SqueezeRights]
    squeeze_bar: Stated[SqueezeBar]
    early_squeeze: Stated[EarlySqueeze]
    squeeze_absent: Stated[SqueezeAbsent]
    squeeze_not_delivered: Stated[NotDelivered]

    insurance_forgone: Stated[Forgone]
    insurance_missed_open: Stated[MissedOpen]
    insurance_missed_decided: Stated[MissedDecided]
    insurance_misplaced: Stated[Misplaced]
    private_table: Stated[PrivateTable]

    disputes: Stated[DisputePath]


PLAIN = Policies(
    round_begins=Stated(RoundBegins.CALL),
    round_ends=Stated(RoundEnds.ALL_PAID),
    below_minimum_noticed=Stated(Breach.STANDS),
    above_maximum_noticed=Stated(Breach.STANDS),
    over_differential_noticed=Stated(Breach.STANDS),
    below_minimum_unnoticed=Stated(BelowMinimum.STANDS),
    above_maximum_unnoticed=Stated(AboveMaximum.STANDS),
    over_differential_unnoticed=Stated(OverDifferential.STANDS),
    differential_priority=Stated(Priority.NONE),
    differential_scope=Stated(Scope.LEFT_TO_TABLE),
    late_bet=Stated(LateBet.NOT_COVERED),
    late_withdrawal=Stated(LateWithdrawal.NOT_COVERED),
    walk_away=Stated(WalkAway.NOT_COVERED),
    staff_bets=Stated(StaffBets.NOT_COVERED),
    outcome_established=Stated(Established.ANY_BET),
    options_when_unrepaired=Stated(Unrepaired.BY_FAMILY),
    options_by=Stated(OptionsBy.BY_FAMILY),
    left_over=Stated(LeftOver.OPENS_NEXT),
    first_card_seen=Stated(FirstCard.OPENS_NEXT),
    first_card_unseen=Stated(FirstCard.OPENS_NEXT),
    card_too_many=Stated(TooMany.EXCESS),
    third_to_player=Stated(ThirdToPlayer.PUT_RIGHT),
    third_to_banker_seen=Stated(ThirdToBanker.AS_LEFT_OVER),
    third_to_banker_unseen=Stated(ThirdToBanker.AS_LEFT_OVER),
    exposed_in_hand=Stated(ExposedInHand.PUT_RIGHT),
    unrepairable=Stated(Unrepairable.EITHER),
    wrong_count=Stated(WrongCount.NOT_COVERED),
    simultaneous=Stated(Simultaneous.ORDER_OR_UNREPAIRABLE),
    shoe_after_simultaneous=Stated(ShoeAfter.NOT_COVERED),
    foreign_card=Stated(Fault.NOT_COVERED),
    wrong_card_set=Stated(Fault.NOT_COVERED),
    unshuffled=Stated(Fault.NOT_COVERED),
    shoe_empty=Stated(Fault.VOID),
    interruption=Stated(Interrupted.NOT_COVERED),
    decided_on_void=Stated(Decided.RETURNED),
    late_discovery=Stated(LateDiscovery.NOT_COVERED),
    decided_on_late_void=Stated(Decided.RETURNED),
    cut_card_ends=Stated(CutCardEnds.LEFT_TO_TABLE),
    cut_card_first=Stated(CutCardFirst.NORMAL),
    burn=Stated(Burn.LEFT_TO_TABLE),
    burn_forgotten_unseen=Stated(BurnForgotten.NOT_COVERED),
    burn_forgotten_seen=Stated(BurnForgotten.NOT_COVERED),
    burn_forgotten_later=Stated(BurnForgotten.NOT_COVERED),
    shoe_asked_by=Stated(AskedBy.NOT_COVERED),
    squeeze=Stated(SqueezeBy.NONE),
    squeeze_rights=Stated(SqueezeRights.NOT_COVERED),
    squeeze_bar=Stated(SqueezeBar.NEVER),
    early_squeeze=Stated(EarlySqueeze.NEVER),
    squeeze_absent=Stated(SqueezeAbsent.NOT_COVERED),
    squeeze_not_delivered=Stated(NotDelivered.NOT_COVERED),
    insurance_forgone=Stated(Forgone.LEFT_TO_TABLE),
    insurance_missed_open=Stated(MissedOpen.NOT_COVERED),
    insurance_missed_decided=Stated(MissedDecided.NOT_COVERED),
    insurance_misplaced=Stated(Misplaced.NOT_COVERED),
    private_table=Stated(PrivateTable.NOT_COVERED),
    disputes=Stated(DisputePath.NOT_COVERED),
)
"""A game of which a file gives bets and odds alone: nothing is covered, and what must be settled is as it lies."""


NOT_YET: dict[str, tuple[Choice, ...]] = {
    "round_ends": (RoundEnds.ANNOUNCED,),
    "staff_bets": (StaffBets.BARRED,),
    "first_card_seen": (FirstCard.DISCARD,),
    "first_card_unseen": (FirstCard.DISCARD,),
    "shoe_empty": (Fault.NOT_COVERED,),
    "decided_on_void": (Decided.KEPT,),
}
"""Values that houses have and no table of ours can play yet: a book that wants one is refused by the loader."""


@cache
def choices_of(name: str) -> type[Choice]:
    """The values that a policy can have."""
    kind: type[Choice] = get_args(get_type_hints(Policies)[name])[0]
    return kind
