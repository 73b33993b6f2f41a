"""Which rulings a book allows on an incident, who may give each, and by which paragraph."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from puntobanco.coup import reconstruct
from puntobanco.insurance import BOXES, window_of
from puntobanco.rules.model import Authority, Remedy
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.bets.limits import unruled_maximum
from puntobanco.table.cases.incidents import cards_count, game_decided, noticed
from puntobanco.table.cases.state import Incident
from puntobanco.table.refusals import Refused
from puntobanco.table.squeeze.state import DELIVERY
from puntobanco.table.state import Table

DEALER, MANAGER = Authority.DEALER, Authority.PIT_MANAGER
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
CORRECTIONS = (*AMENDMENTS, r.CorrectCall, r.CorrectPayout)
AT_DISCRETION = (r.VoidRound, r.GiveOptions, r.Pay)
"""What may be ruled where no incident was reported."""


class Choice(msgspec.Struct, frozen=True):
    """A ruling that may be given: by whom, under which paragraph, and whether a second person approves."""

    kind: type[r.Ruling]
    by: Authority
    paragraph: str
    second: bool


class Case(msgspec.Struct, frozen=True):
    """What a ruling is carried out on: the table, the incident if there is one, the paragraph and the reason."""

    table: Table
    incident: Incident | None
    paragraph: str
    reason: str
    now: int

    @property
    def closed(self) -> tuple[e.Event, ...]:
        """The end of the incident."""
        return (e.IncidentClosed(self.incident.number),) if self.incident is not None else ()


def remedy_of(table: Table, family: str) -> Remedy:
    return table.book.remedies.get(family, Remedy())


def given_by(table: Table, incident: Incident) -> str:
    """The paragraph that gives the options. Hoiana has two for a squeeze: the game outcome is established, or not."""
    remedy, current = remedy_of(table, incident.family), table.round
    if incident.family == DELIVERY and remedy.options == "allowed" and current is not None:
        return table.irregularity(DELIVERY, 1 if game_decided(table, noticed(current, incident)) else 2)
    return remedy.given


def put_right(table: Table) -> Incident | None:
    """A delivery that was put right and for which options may still be allowed; until the settlement (reading H)."""
    if table.round is None or remedy_of(table, DELIVERY).options != "allowed":
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
        return (Choice(r.ValueCard, DEALER, cards_count(table), second=True),)
    if incident.family == "debt":
        return tuple(Choice(kind, MANAGER, incident.paragraph, second=True) for kind in RULINGS["debt"])
    if not incident.covered:
        uncovered = table.book.uncovered
        kinds: dict[type[r.Ruling], None] = dict.fromkeys((*_rulings_on(table, incident), r.VoidRound, r.GiveOptions))
        if _is_over(table, incident):
            kinds.pop(r.GiveOptions, None)
        if table.round is None and incident.reported and incident.family not in LATE:
            kinds.pop(r.VoidRound, None)
        return tuple(Choice(kind, uncovered.authority, uncovered.paragraph, second=True) for kind in kinds)
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
    """Whether the matter is about a round in which nobody has anything at stake any more."""
    return incident.round != table.rounds or bool(incident.true_cards) or (incident.reported and table.round is None)


def _for_all(table: Table, choice: Choice) -> Choice:
    """A ruling that ends other matters along with its own takes the rank for each of them.

    Putting the cards right answers everything about their order; of a round that is void nothing is left to rule on.
    """
    if choice.kind is r.VoidRound:
        ended = [found for found in table.incidents.values() if found.blocks and not found.true_cards]
    elif choice.kind in (r.Reconstruct, r.AsItLies, r.DecideOrder):
        ended = [found for found in table.incidents.values() if found.blocks and found.family in ORDER_FAMILIES]
    else:
        return choice
    by = max([choice.by, *(_rank(table, found) for found in ended)])
    return replace(choice, by=by, second=by > DEALER)


def _rank(table: Table, incident: Incident) -> Authority:
    """Who rules on a matter."""
    if incident.family == "card_mismatch":
        return DEALER
    return remedy_of(table, incident.family).by if incident.covered else table.book.uncovered.authority


def _choice(table: Table, incident: Incident, kind: type[r.Ruling]) -> Choice | None:
    family = incident.family
    remedy = remedy_of(table, family)
    by, paragraph = remedy.by, incident.paragraph
    if kind is r.GiveOptions:
        if remedy.options != "allowed":
            return None
        return Choice(kind, remedy.allowed_by, given_by(table, incident), second=True)
    if kind is r.VoidRound and (family in ORDER_FAMILIES or family == "wrong_round"):
        # a hand that cannot be put right is void where the book says so for a wrong number of cards
        if not table.irregularity("wrong_number") or (family == "simultaneous" and _never_as_it_lies(table)):
            return None
        by, paragraph = remedy_of(table, "wrong_number").by, table.irregularity("wrong_number")
    elif kind is r.AsItLies:
        if _never_as_it_lies(table):
            return None
        paragraph = table.irregularity("options", 1) or paragraph
    elif family == "damaged_card":
        paragraph = table.irregularity(family, 1 if kind is r.ValueCard else 2)
    elif family == "burn_forgotten":
        paragraph = _burn_paragraph(table, kind)
    elif family == "rectified_late":
        missing = reconstruct(incident.true_cards).coup.due is not None
        paragraph = table.irregularity(family, 2 if kind is r.Rectify else 1 if missing else 3)
    elif family == "late_discovery" and kind is not r.LetStand:
        by, paragraph = table.book.uncovered.authority, table.book.uncovered.paragraph
    elif family == "insurance_missed" and kind in (r.OfferLate, r.ReturnBets):
        paragraph = table.irregularity(family, 1 if kind is r.OfferLate else 2)
    return Choice(kind, by, paragraph, second=by > DEALER)


def _never_as_it_lies(table: Table) -> bool:
    """Hoiana voids every hand that cannot be put right (7.3), but decides the order of cards drawn at once (7.13)."""
    return "options" not in table.book.irregularities and bool(table.irregularity("free_hand"))


def _burn_paragraph(table: Table, kind: type[r.Ruling]) -> str:
    return table.irregularity("burn_forgotten", 1 if kind is r.BurnNow else 2)


def choice_for(table: Table, ruling: r.Ruling, incident: Incident | None) -> Choice:
    """Who may give this ruling; refused where the book does not allow it."""
    if incident is None:
        return _without_incident(table, ruling)
    for choice in choices(table, incident):
        if choice.kind is type(ruling):
            return choice
    allowed = ", ".join(r.kind_of(choice.kind) for choice in choices(table, incident))
    kind = r.kind_of(ruling)
    raise Refused("ruling", f"{kind} is no ruling on this: {allowed}", incident.paragraph)


def _without_incident(table: Table, ruling: r.Ruling) -> Choice:
    uncovered = table.book.uncovered
    if isinstance(ruling, CORRECTIONS):
        return _correction(table, ruling)
    if isinstance(ruling, r.GiveOptions) and (found := put_right(table)):
        return Choice(r.GiveOptions, remedy_of(table, DELIVERY).allowed_by, given_by(table, found), second=True)
    if isinstance(ruling, AT_DISCRETION):
        return Choice(type(ruling), uncovered.authority, uncovered.paragraph, second=True)
    if isinstance(ruling, r.ReplaceShoe):
        current = table.round or table.last
        replaced = table.book.remedies.get("shoe_replaced")
        if current is not None and current.simultaneous and replaced is not None:
            return Choice(r.ReplaceShoe, replaced.by, table.irregularity("shoe_replaced"), second=True)
        return Choice(r.ReplaceShoe, uncovered.authority, uncovered.paragraph, second=True)
    if isinstance(ruling, r.MoveInsurance):
        paragraph = table.irregularity("insurance_misplaced")
        if not paragraph:
            raise Refused("no_insurance", "this game knows no insurance")
        remedy = remedy_of(table, "insurance_misplaced")
        return Choice(r.MoveInsurance, remedy.by, paragraph, second=remedy.by > DEALER)
    raise Refused("ruling", f"{r.kind_of(ruling)} is ruled on an incident: say which", uncovered.paragraph)


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
        return Choice(type(ruling), DEALER, paragraph, second=_has_followed(table, ruling))
    if isinstance(ruling, r.CorrectBet) and _over_the_maximum(table, ruling):
        # found before the settlement that would have been a matter of its own
        uncovered = table.book.uncovered
        return Choice(r.CorrectBet, max(MANAGER, uncovered.authority), uncovered.paragraph, second=True)
    return Choice(type(ruling), MANAGER, paragraph, second=True)


def _has_followed(table: Table, ruling: r.Ruling) -> bool:
    """Whether a card or the call came after what was keyed wrongly: then a second person looks at it (reading Z)."""
    if not isinstance(ruling, AMENDMENTS):
        return False
    current = table.round
    if isinstance(ruling, r.AddCard | r.CorrectOrder) or current is None:
        return True
    if isinstance(ruling, r.CorrectBet):
        window = window_of(current.coup)
        no_card_since = ruling.bet in BOXES and window is not None and ruling.window in (None, window)
        return bool(current.cards) and (current.announced or not no_card_since)
    return current.announced or ruling.number < current.numbered


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
    return unruled_maximum(table, found.settings.limits_of(bet), ruling.stake + (there.stake if there else 0))


def _what_counts(table: Table, ruling: r.Ruling) -> str:
    """Why the felt is right and not the record: chips decide where they lie, and the cards decide the result."""
    if isinstance(ruling, r.CorrectBet):
        return table.irregularity("chips_decide") or table.cite("close")
    if isinstance(ruling, r.CorrectPayout):
        return table.cite("round")
    return cards_count(table)
