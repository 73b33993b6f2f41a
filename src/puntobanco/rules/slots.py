"""Where a book says what: every procedure and family of irregularity, with a named slot for each of its paragraphs.

These classes are the vocabulary of a book file. A subject of which a book says nothing has empty slots, and the file
lists it under ``not_covered``. A paragraph that belongs to a subject and decides nothing by itself stands in ``also``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import get_type_hints

import msgspec


class Slots(msgspec.Struct, frozen=True, kw_only=True):
    """The paragraphs of one subject; the first slot is the one that names it."""

    also: tuple[str, ...] = ()

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(name for name in cls.__struct_fields__ if name != "also")

    @property
    def main(self) -> str:
        paragraph: str = getattr(self, self.names()[0])
        return paragraph

    @property
    def covered(self) -> bool:
        """Whether the book has a word on the subject at all."""
        return bool(self.main)

    @property
    def cited(self) -> tuple[str, ...]:
        """All paragraphs, each once."""
        return tuple(dict.fromkeys(filter(None, (*(getattr(self, name) for name in self.names()), *self.also))))


class Rule(Slots, frozen=True, kw_only=True):
    """A subject with one slot."""

    rule: str = ""


class CutCardUse(Slots, frozen=True, kw_only=True):
    """The paragraphs on the use of the Cut Card."""

    rule: str = ""
    cuts: str = ""
    """The cards are cut with it."""


class CardsFault(Slots, frozen=True, kw_only=True):
    """The paragraphs on cards that are not what they should be."""

    rule: str = ""
    void: str = ""
    """The round in progress is void."""
    earlier: str = ""
    """What was settled before stands."""


class ProRata(Slots, frozen=True, kw_only=True):
    """The paragraphs on an excess over the Differential that nobody noticed."""

    rule: str = ""
    under_minimum: str = ""
    """A bet under the minimum is not scaled."""


class Interruption(Slots, frozen=True, kw_only=True):
    """The paragraphs on a technical interruption."""

    rule: str = ""
    established: str = ""
    """An outcome is established: play goes on."""
    open: str = ""
    """None is."""


class CutCard(Slots, frozen=True, kw_only=True):
    """The paragraphs on the Cut Card's appearance."""

    rule: str = ""
    """It appears in mid-round."""
    first_card: str = ""
    """It is the first card of the round."""
    too_late: str = ""
    """A card is dealt: bets can no longer be withdrawn."""


class FaceUpInShoe(Slots, frozen=True, kw_only=True):
    """The paragraphs on a card found face up in the shoe."""

    in_hand: str = ""
    """A card of the hand in play."""
    next_hand: str = ""
    """The card that would open the next hand."""


class DamagedCard(Slots, frozen=True, kw_only=True):
    """The paragraphs on damaged and lost cards."""

    rule: str = ""
    valued: str = ""
    void: str = ""


class RectifiedLate(Slots, frozen=True, kw_only=True):
    """The paragraphs on a round that is found wrong after the next one began."""

    rule: str = ""
    missing: str = ""
    """A card that was due was never dealt."""
    extra: str = ""
    """A card too many was dealt."""
    beyond: str = ""
    """The House rules that it cannot be put right."""
    kept: str = ""
    """Side bets that were decided."""


class Options(Slots, frozen=True, kw_only=True):
    """The paragraphs on the players' choice after an error."""

    rule: str = ""
    as_it_lies: str = ""
    """Go on with a hand that cannot be put right."""
    reconstructed: str = ""
    """Go on with one that was."""
    take_back: str = ""


class InsuranceMissed(Slots, frozen=True, kw_only=True):
    """The paragraphs on insurance that was not offered."""

    rule: str = ""
    offered_late: str = ""
    """Noticed while the result of the Original Bet is open."""
    decided: str = ""
    """Noticed after that."""


class InsuranceMisplaced(Slots, frozen=True, kw_only=True):
    """The paragraphs on insurance put at the wrong hand."""

    rule: str = ""
    at_banker: str = ""
    """Player's insurance lies in Banker's area."""
    at_player: str = ""
    """Banker's insurance lies in Player's area."""


class FreeHand(Slots, frozen=True, kw_only=True):
    """The paragraphs on Free Hands."""

    first_card: str = ""
    """The card that would open the next hand was seen."""
    third_to_player: str = ""
    third_to_banker: str = ""
    played: str = ""
    """How it is played."""
    last: str = ""
    """It is the last hand of the shoe."""


class BurnForgotten(Slots, frozen=True, kw_only=True):
    """The paragraphs on a burn that was forgotten."""

    rule: str = ""
    unseen: str = ""
    """No card was seen."""
    seen: str = ""
    """One was, in the first hand."""
    players_choose: str = ""
    """After that hand."""
    later: str = ""
    """Past the first hand."""


class Simultaneous(Slots, frozen=True, kw_only=True):
    """The paragraphs on cards drawn at once."""

    rule: str = ""
    """Cards drawn at once, in an order that cannot be told."""
    take_back: str = ""
    go_on: str = ""


class SqueezeDelivery(Slots, frozen=True, kw_only=True):
    """The paragraphs on cards handed to the wrong player to squeeze."""

    rule: str = ""
    """Cards went to the wrong person."""
    decided: str = ""
    """Options where an outcome is established."""
    open: str = ""
    """Options where none is."""


class Disputes(Slots, frozen=True, kw_only=True):
    """The paragraphs on the steps of a dispute."""

    raised: str = ""
    facts: str = ""
    time_frame: str = ""
    decided: str = ""
    disagreement: str = ""
    complaint: str = ""


class DisputeGrounds(Slots, frozen=True, kw_only=True):
    """The paragraphs of the grounds on which a dispute is decided."""

    game_rules: str = ""
    published_information: str = ""
    procedures: str = ""
    internal_controls: str = ""
    accounts: str = ""
    surveillance: str = ""
    other_evidence: str = ""
    law: str = ""


class Subjects(msgspec.Struct, frozen=True, kw_only=True):
    """All subjects of a kind, each by its name."""

    def of(self, name: str) -> Slots:
        """A subject whose name is a value; empty slots where the vocabulary does not know it."""
        found: Slots = getattr(self, name) if name in self.__struct_fields__ else Rule()
        return found

    @classmethod
    @cache
    def kinds(cls) -> dict[str, type[Slots]]:
        """The slots of each subject."""
        return {name: kind for name, kind in get_type_hints(cls).items() if name in cls.__struct_fields__}

    @property
    def covered(self) -> Iterator[tuple[str, Slots]]:
        for name in self.__struct_fields__:
            slots = self.of(name)
            if slots.covered:
                yield name, slots


class Procedures(Subjects, frozen=True, kw_only=True):
    """Steps and rights that a book knows."""

    objective: Rule = Rule()
    call: Rule = Rule()
    close: Rule = Rule()
    limits_sign: Rule = Rule()
    limits: Rule = Rule()
    differential: Rule = Rule()
    balance: Rule = Rule()
    bet_types: Rule = Rule()
    side_bets_alone: Rule = Rule()
    round: Rule = Rule()
    original_bet: Rule = Rule()
    seated: Rule = Rule()
    standing: Rule = Rule()
    squeeze: Rule = Rule()
    squeeze_bar: Rule = Rule()
    early_squeeze: Rule = Rule()
    initial_deal: Rule = Rule()
    pair_cards: Rule = Rule()
    third_card: Rule = Rule()
    table_of_play: Rule = Rule()
    card_values: Rule = Rule()
    point_total: Rule = Rule()
    natural: Rule = Rule()
    winner: Rule = Rule()
    tie: Rule = Rule()
    announcement: Rule = Rule()
    commission: Rule = Rule()
    private_table: Rule = Rule()
    reconstruction: Rule = Rule()
    cut_card: CutCardUse = CutCardUse()
    burn: Rule = Rule()
    free_hand: Rule = Rule()
    shoe_light: Rule = Rule()
    scoreboard: Rule = Rule()
    discards: Rule = Rule()
    drop_and_tips: Rule = Rule()
    suspect: Rule = Rule()
    staff_bets: Rule = Rule()
    pit_employees: Rule = Rule()


class Irregularities(Subjects, frozen=True, kw_only=True):
    """Families of what can go wrong."""

    over_differential: Rule = Rule()
    over_differential_unnoticed: ProRata = ProRata()
    below_minimum: Rule = Rule()
    below_minimum_unnoticed: Rule = Rule()
    above_maximum_unnoticed: Rule = Rule()
    walk_away: Rule = Rule()
    forgone_insurance: Rule = Rule()
    interruption: Interruption = Interruption()
    foreign_card: CardsFault = CardsFault()
    wrong_card_set: CardsFault = CardsFault()
    unshuffled: CardsFault = CardsFault()
    wrong_number: Rule = Rule()
    shoe_empty: Rule = Rule()
    late_bet: Rule = Rule()
    late_withdrawal: Rule = Rule()
    cut_card: CutCard = CutCard()
    cut_card_not_offered: Rule = Rule()
    excess_cards: Rule = Rule()
    third_to_player: Rule = Rule()
    third_to_banker: Rule = Rule()
    exposed_cards: Rule = Rule()
    face_up_in_shoe: FaceUpInShoe = FaceUpInShoe()
    wrong_side: Rule = Rule()
    face_up: Rule = Rule()
    simultaneous: Simultaneous = Simultaneous()
    simultaneous_in_order: Rule = Rule()
    shoe_fault: Rule = Rule()
    damaged_card: DamagedCard = DamagedCard()
    late_discovery: Rule = Rule()
    rectified_late: RectifiedLate = RectifiedLate()
    dealing_error: Rule = Rule()
    options: Options = Options()
    insurance_missed: InsuranceMissed = InsuranceMissed()
    insurance_misplaced: InsuranceMisplaced = InsuranceMisplaced()
    chips_decide: Rule = Rule()
    display: Rule = Rule()
    wrong_call: Rule = Rule()
    void: Rule = Rule()
    no_insurance: Rule = Rule()
    shoe_replaced: Rule = Rule()
    staff_bets: Rule = Rule()
    free_hand: FreeHand = FreeHand()
    burn_forgotten: BurnForgotten = BurnForgotten()
    squeeze_delivery: SqueezeDelivery = SqueezeDelivery()
    squeeze_absent: Rule = Rule()
    squeeze_not_delivered: Rule = Rule()
    disputes: Disputes = Disputes()
    dispute_grounds: DisputeGrounds = DisputeGrounds()


RULED = (
    "wrong_number",
    "cut_card_not_offered",
    "excess_cards",
    "third_to_player",
    "third_to_banker",
    "exposed_cards",
    "face_up_in_shoe",
    "wrong_side",
    "face_up",
    "simultaneous",
    "simultaneous_in_order",
    "shoe_fault",
    "damaged_card",
    "late_discovery",
    "rectified_late",
    "dealing_error",
    "insurance_missed",
    "insurance_misplaced",
    "burn_forgotten",
    "squeeze_delivery",
    "squeeze_not_delivered",
)
"""Families that somebody rules on: a book that covers one says who, in its remedies."""
