"""Which rulings a book allows on an incident, who may give each, and by which paragraph."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from puntobanco.coup import reconstruct
from puntobanco.insurance import BOXES, window_of
from puntobanco.rules.model import OptionsGiven, Rank, Remedy
from puntobanco.rules.policies import (
    BurnForgotten,
    Misplaced,
    OptionsBy,
    ShoeAfter,
    Simultaneous,
    Unrepairable,
    WrongCount,
)
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import Words
from puntobanco.table.bets.limits import unruled_maximum
from puntobanco.table.cards.reconstruction import count_is_right
from puntobanco.table.cases.incidents import cards_count, established, noticed
from puntobanco.table.cases.settled_rounds import number_is_right
from puntobanco.table.cases.state import Incident
from puntobanco.table.refusals import Refused
from puntobanco.table.squeeze.state import DELIVERY
from puntobanco.table.state import Round, Table

_ORDER: tuple[type[r.Ruling], ...] = (r.Reconstruct, r.AsItLies, r.VoidRound)
RULINGS: dict[str, tuple[type[r.Ruling], ...]] = {
    "wrong_number": _ORDER,
    "excess_cards": _ORDER,
    "third_to_player": _ORDER,
    "third_to_banker": _ORDER,
    "exposed_cards": _ORDER,
    "wrong_side": _ORDER,
    "squeeze_delivery": _ORDER,
    "simultaneous_in_order": _ORDER,
    "dealing_error": _ORDER,
    "simultaneous": (r.DecideOrder, r.AsItLies, r.VoidRound),
    "face_up": (r.PlayOn,),
    "face_up_in_shoe": (r.PlayOn,),
    "squeeze_not_delivered": (r.PlayOn,),
    "cut_card_not_offered": (r.PlayOn,),
    "shoe_fault": (r.PlayOn,),
    "interruption": (r.PlayOn, r.VoidRound),
    "cards_at_fault": (r.PlayOn, r.VoidRound),
    "card_mismatch": (r.ValueCard,),
    "damaged_card": (r.ValueCard, r.VoidRound),
    "burn_forgotten": (r.BurnNow, r.PlayOn),
    "wrong_burn": (r.PlayOn,),
    "above_maximum": (r.SetStake,),
    "late_withdrawal": (r.SetStake, r.PlayOn),
    "insurance_missed": (r.OfferLate, r.ReturnBets, r.PlayOn, r.LetStand),
    "wrong_round": (r.Rectify, r.VoidRound),
    "late_discovery": (r.LetStand, r.Rectify, r.VoidRound),
    "rectified_late": (r.Rectify, r.VoidRound),
    "debt": (r.Collect, r.WriteOff),
    "other": (r.PlayOn, r.VoidRound),
}
"""Family of an incident → what may be ruled on it."""
ORDER_FAMILIES = frozenset(family for family, kinds in RULINGS.items() if r.AsItLies in kinds)
"""Errors in the order of the cards: putting them right answers all of these at once."""
LATE = ("wrong_round", "late_discovery", "rectified_late")
"""What is ruled on a round that was settled."""
AMENDMENTS = (r.CorrectCard, r.CorrectHand, r.StrikeCard, r.AddCard, r.CorrectOrder, r.CorrectBet)
ANSWERS = (e.Insured, e.InsurancePassed, e.OptionTaken)
"""What people say to the cards that lie there."""
CORRECTIONS = (*AMENDMENTS, r.CorrectCall, r.CorrectPayout)
AT_DISCRETION = (r.VoidRound, r.GiveOptions, r.Pay)
"""What may be ruled where no incident was reported."""


class Choice(msgspec.Struct, frozen=True):
    """A ruling that may be given: by whom, under which paragraph, and whether a second person approves."""

    kind: type[r.Ruling]
    by: Rank
    paragraph: str
    second: bool


class Case(msgspec.Struct, frozen=True):
    """What a ruling is carried out on: the table, the incident if there is one, the paragraph and the reason."""

    table: Table
    incident: Incident | None
    paragraph: str
    reason: Words
    now: int

    @property
    def closed(self) -> tuple[e.Event, ...]:
        """The end of the incident."""
        return (e.IncidentClosed(self.incident.number),) if self.incident is not None else ()


def remedy_of(table: Table, family: str) -> Remedy:
    """Who rules on a family; the House where the book covers it and names nobody."""
    return table.book.remedies.get(family) or Remedy(table.book.authority.house.rank)


def _rules_on(table: Table, family: str) -> Rank:
    return table.book.ranks.of(remedy_of(table, family).by)


def _allows(table: Table, family: str) -> Rank:
    return table.book.ranks.of(remedy_of(table, family).allowed_by)


def given_by(table: Table, incident: Incident) -> str:
    """The paragraph that gives the options; a book may have two for a squeeze: an outcome is established, or not."""
    current, by_family = table.round, table.policies.options_by.value is OptionsBy.BY_FAMILY
    if incident.family == DELIVERY and by_family and current is not None:
        return delivery_paragraph(table, current, incident)
    return remedy_of(table, incident.family).given


def delivery_paragraph(table: Table, current: Round, incident: Incident) -> str:
    """The paragraph on cards delivered wrongly to be squeezed, by what they told when that was noticed."""
    slots = table.irregularities.squeeze_delivery
    return slots.decided if established(table, noticed(current, incident), incident.out) else slots.open


def put_right(table: Table) -> Incident | None:
    """A delivery that was put right and for which options may still be allowed; until the settlement (reading H)."""
    if table.round is None or remedy_of(table, DELIVERY).options is not OptionsGiven.ALLOWED:
        return None
    return next((found for found in table.round.delivered if found.number not in table.round.asked), None)


def choices(table: Table, incident: Incident) -> tuple[Choice, ...]:
    """What may be ruled on an incident. What was reported can be dismissed, by the lowest rank that may rule on it."""
    found = _remedies(table, incident)
    if not incident.reported:
        return found
    lowest = min(found, key=lambda choice: choice.by)
    return (*found, replace(lowest, kind=r.Dismiss, paragraph=incident.paragraph))


def _remedies(table: Table, incident: Incident) -> tuple[Choice, ...]:
    if incident.family == "card_mismatch":
        return (Choice(r.ValueCard, table.book.deals, cards_count(table), second=True),)
    if incident.family == "debt":
        return tuple(Choice(kind, table.book.manages, incident.paragraph, second=True) for kind in RULINGS["debt"])
    if not incident.covered:
        kinds: dict[type[r.Ruling], None] = dict.fromkeys((*_rulings_on(table, incident), r.VoidRound, r.GiveOptions))
        if _is_over(table, incident):
            kinds.pop(r.GiveOptions, None)
        if table.round is None and incident.reported and incident.family not in LATE:
            kinds.pop(r.VoidRound, None)
        return tuple(_at_discretion(table, kind) for kind in kinds)
    kinds = dict.fromkeys((*_rulings_on(table, incident), r.GiveOptions))
    if incident.family == "insurance_missed":
        # found after the settlement it holds nothing up
        late = not incident.blocks
        kinds = {kind: None for kind in kinds if kind is r.ReturnBets or (kind is r.LetStand) is late}
    found = tuple(choice for kind in kinds if (choice := _choice(table, incident, kind)))
    of_its_own = incident.true_cards or incident.family == "late_discovery"
    return found if of_its_own else tuple(_for_all(table, choice) for choice in found)


def _rulings_on(table: Table, incident: Incident) -> tuple[type[r.Ruling], ...]:
    """What the family knows, as far as there are cards for it: without any, play goes on or the round is void."""
    kinds = RULINGS[incident.family]
    if incident.family == "late_discovery" and incident.reported and not incident.true_cards:
        return tuple(kind for kind in kinds if kind is not r.Rectify)
    current, reported = table.round, incident.reported and not incident.cards
    if incident.family in ORDER_FAMILIES and reported and (current is None or not current.closed):
        return (r.PlayOn,) if current is None else (r.PlayOn, r.VoidRound)
    return kinds


def _is_over(table: Table, incident: Incident) -> bool:
    """Whether the incident is about a round in which nobody still has anything at stake."""
    return incident.round != table.rounds or bool(incident.true_cards) or (incident.reported and table.round is None)


def _at_discretion(table: Table, kind: type[r.Ruling]) -> Choice:
    """A ruling on what the book does not cover."""
    return Choice(kind, table.book.decides, table.book.uncovered.paragraph, second=True)


def _for_all(table: Table, choice: Choice) -> Choice:
    """A ruling that ends other incidents along with its own takes the rank for each of them.

    Putting the cards right answers everything about their order; of a round that is void nothing is left to rule on.
    """
    if choice.kind is r.VoidRound:
        ended = [found for found in table.incidents.values() if found.blocks and not found.true_cards]
    elif choice.kind in (r.Reconstruct, r.AsItLies, r.DecideOrder):
        ended = [found for found in table.incidents.values() if found.blocks and found.family in ORDER_FAMILIES]
    else:
        return choice
    by = max([choice.by, *(_rank(table, found) for found in ended)])
    return replace(choice, by=by, second=by > table.book.deals)


def _rank(table: Table, incident: Incident) -> Rank:
    """Who rules on an incident."""
    if incident.family == "card_mismatch":
        return table.book.deals
    return _rules_on(table, incident.family) if incident.covered else table.book.decides


def _choice(table: Table, incident: Incident, kind: type[r.Ruling]) -> Choice | None:
    family = incident.family
    slots, by, paragraph = table.irregularities, _rules_on(table, family), incident.paragraph
    if kind is r.GiveOptions:
        if remedy_of(table, family).options is not OptionsGiven.ALLOWED:
            return None
        return Choice(kind, _allows(table, family), given_by(table, incident), second=True)
    if family == "cards_at_fault" and (kind is r.PlayOn) is (table.round is not None):
        return None  # the round is void by its paragraph; between rounds there is none, and the shoe is over
    if family == "cards_at_fault" and kind is r.VoidRound:
        paragraph = slots.wrong_card_set.void or slots.foreign_card.void
    if kind is r.VoidRound and (family in ORDER_FAMILIES or family == "wrong_round"):
        return _void(table, incident)
    if kind is r.AsItLies:
        if _order_is_decided(table, family) or table.policies.unrepairable.value is Unrepairable.VOID:
            return None
        paragraph = slots.options.as_it_lies or paragraph
    elif family == "damaged_card":
        paragraph = slots.damaged_card.valued if kind is r.ValueCard else slots.damaged_card.void
    elif family == "burn_forgotten":
        return _on_burn(table, kind, by)
    elif family == "rectified_late":
        missing = reconstruct(incident.true_cards).coup.due is not None
        not_rectified = slots.rectified_late.missing if missing else slots.rectified_late.beyond
        paragraph = slots.rectified_late.extra if kind is r.Rectify else not_rectified
    elif family == "late_discovery" and kind is not r.LetStand:
        return _at_discretion(table, kind)
    elif kind is r.OfferLate:
        paragraph = slots.insurance_missed.offered_late
    elif kind is r.ReturnBets:
        paragraph = slots.insurance_missed.decided
    return Choice(kind, by, paragraph, second=by > table.book.deals)


def _void(table: Table, incident: Incident) -> Choice | None:
    """Void where cards cannot be put right, if the book says so: of a wrong number of cards, or of any such hand."""
    if _order_is_decided(table, incident.family):
        return None
    if incident.family == "wrong_round" and number_is_right(incident.true_cards):
        return _void_with_right_number(table)
    stated, current, by = table.policies, table.round, _rules_on(table, "wrong_number")
    second = by > table.book.deals
    if stated.unrepairable.value is Unrepairable.VOID and current is not None and count_is_right(current):
        return Choice(r.VoidRound, by, stated.unrepairable.paragraph, second)
    if stated.wrong_count.value is WrongCount.NOT_COVERED:
        return None
    return Choice(r.VoidRound, by, table.irregularities.wrong_number.rule, second)


def _void_with_right_number(table: Table) -> Choice | None:
    """A settled round with as many cards as it wants is settled again: void only where the book says more."""
    unrepairable = table.policies.unrepairable
    if unrepairable.value is Unrepairable.AS_IT_LIES:
        return None
    if unrepairable.value is Unrepairable.EITHER:
        return _at_discretion(table, r.VoidRound)
    by = _rules_on(table, "wrong_number")
    return Choice(r.VoidRound, by, unrepairable.paragraph, second=by > table.book.deals)


def _order_is_decided(table: Table, family: str) -> bool:
    """Whether the order of cards drawn at once is decided in any case, and then they can be put right."""
    return family == "simultaneous" and table.policies.simultaneous.value is Simultaneous.ORDER_DECIDED


def _on_burn(table: Table, kind: type[r.Ruling], by: Rank) -> Choice | None:
    """The cards go back for the burn where the book wants that, or the hand is played."""
    unseen, seen = table.policies.burn_forgotten_unseen, table.policies.burn_forgotten_seen
    slots, stage, paragraph = table.irregularities.burn_forgotten, seen, table.irregularities.burn_forgotten.seen
    if kind is r.BurnNow or (unseen.value is not BurnForgotten.BURN_NOW and not _card_seen(table)):
        stage, paragraph = unseen, slots.unseen
    if stage.value is BurnForgotten.NOT_COVERED:
        return _at_discretion(table, kind)
    if kind is r.BurnNow and stage.value is not BurnForgotten.BURN_NOW:
        return None
    return Choice(kind, by, paragraph, second=by > table.book.deals)


def _card_seen(table: Table) -> bool:
    out = (*(table.round.cards if table.round is not None else ()), *table.carried)
    return any(drawn.seen for drawn in out)


def choice_for(table: Table, ruling: r.Ruling, incident: Incident | None) -> Choice:
    """Who may give this ruling; refused where the book does not allow it."""
    if incident is None:
        return _without_incident(table, ruling)
    for choice in choices(table, incident):
        if choice.kind is type(ruling):
            return choice
    allowed = [r.kind_of(choice.kind) for choice in choices(table, incident)]
    raise Refused("ruling.other", incident.paragraph, ruling=r.kind_of(ruling), rulings=allowed)


def _without_incident(table: Table, ruling: r.Ruling) -> Choice:
    if isinstance(ruling, CORRECTIONS):
        return _correction(table, ruling)
    if isinstance(ruling, r.GiveOptions) and (found := put_right(table)):
        return Choice(r.GiveOptions, _allows(table, DELIVERY), given_by(table, found), second=True)
    if isinstance(ruling, r.Pay) and ruling.dispute:
        decides = table.book.ranks.of(table.book.authority.disputes_decided.rank)
        paragraph = table.irregularities.disputes.decided or table.book.uncovered.paragraph
        return Choice(r.Pay, decides, paragraph, second=True)
    if isinstance(ruling, AT_DISCRETION):
        return _at_discretion(table, type(ruling))
    if isinstance(ruling, r.ReplaceShoe):
        current = table.round or table.last
        may_be = table.policies.shoe_after_simultaneous.value is ShoeAfter.MAY_BE_REPLACED
        if current is not None and current.simultaneous and may_be:
            paragraph = table.irregularities.shoe_replaced.rule
            return Choice(r.ReplaceShoe, _rules_on(table, "shoe_replaced"), paragraph, second=True)
        return _at_discretion(table, r.ReplaceShoe)
    if isinstance(ruling, r.MoveInsurance):
        paragraph = table.irregularities.insurance_misplaced.rule
        if table.policies.insurance_misplaced.value is Misplaced.STANDS:
            raise Refused("ruling.insurance", paragraph)
        if not paragraph:
            raise Refused("no_insurance.game")
        by = _rules_on(table, "insurance_misplaced")
        return Choice(r.MoveInsurance, by, paragraph, second=by > table.book.deals)
    raise Refused("ruling.which", table.book.uncovered.paragraph, ruling=r.kind_of(ruling))


def _correction(table: Table, ruling: r.Ruling) -> Choice:
    """Before the settlement the dealer's, with a second person where cards change; after it a Pit Manager's."""
    number = getattr(ruling, "round", 0)
    current = table.round
    open_still = False
    if current is not None and number in (0, current.number):
        # one that was paid and is played on is settled again by difference, as after any settlement
        open_still = not (current.settled or current.voided or current.paid)
    paragraph = _what_counts(table, ruling)
    if isinstance(ruling, r.CorrectPayout) or open_still:
        return Choice(type(ruling), table.book.deals, paragraph, second=_has_followed(table, ruling))
    if isinstance(ruling, r.CorrectBet) and _over_the_maximum(table, ruling):
        # found before the settlement that would have been an incident of its own
        book = table.book
        return Choice(r.CorrectBet, max(book.manages, book.decides), book.uncovered.paragraph, second=True)
    return Choice(type(ruling), table.book.manages, paragraph, second=True)


def _has_followed(table: Table, ruling: r.Ruling) -> bool:
    """Whether a card, an answer or the call came after what was keyed wrongly: that takes two people (reading Z)."""
    if not isinstance(ruling, AMENDMENTS):
        return False
    current = table.round
    if isinstance(ruling, r.AddCard | r.CorrectOrder) or current is None:
        return True
    if isinstance(ruling, r.CorrectBet):
        window = window_of(current.coup)
        no_card_since = ruling.bet in BOXES and window is not None and ruling.window in (None, window)
        return bool(current.cards) and (current.announced or not no_card_since)
    return current.announced or ruling.number < current.numbered or _answered_since_the_card(table, current)


def _answered_since_the_card(table: Table, current: Round) -> bool:
    """Whether somebody has answered on the cards as they lie: taken or declined insurance, or chosen an option."""
    journal = table.journal if table.journal is not None else table.journals.get(current.number)
    answered = False
    for step in journal.steps if journal is not None and journal.round == current.number else ():
        if any(isinstance(event, e.CardDrawn) for event in step.events):
            answered = False
        else:
            answered = answered or any(isinstance(event, ANSWERS) for event in step.events)
    return answered


def _over_the_maximum(table: Table, ruling: r.CorrectBet) -> bool:
    """Whether the bet, with what lies there already, is more than may lie there and no paragraph says what stands."""
    box, bet = ruling.to_box or ruling.box, ruling.to_bet or ruling.bet
    if bet in BOXES:
        return False  # insurance has a cap of its own
    found = next((each for each in table.known_rounds if each.number == (ruling.round or table.rounds)), None)
    if found is None:
        return False
    laid = found.laid or found.wagers
    moves = (box, bet) != (ruling.box, ruling.bet)
    there = laid.get((ruling.person, box, bet)) if moves else None
    key = (ruling.to_person or ruling.person, box, bet)
    return unruled_maximum(table, found, key, ruling.stake + (there.stake if there else 0))


def _what_counts(table: Table, ruling: r.Ruling) -> str:
    """Why the felt is right and not the record: chips decide where they lie, and the cards decide the result."""
    if isinstance(ruling, r.CorrectBet):
        return table.irregularities.chips_decide.rule or table.procedures.close.rule
    if isinstance(ruling, r.CorrectPayout):
        return table.procedures.round.rule
    return cards_count(table)
