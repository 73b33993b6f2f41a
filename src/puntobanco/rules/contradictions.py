"""Policies that cannot hold together, or that no paragraph of the book bears out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from puntobanco.rules import policies as p
from puntobanco.rules.model import AllBack, CommissionForm, OptionsGiven
from puntobanco.rules.read import Section
from puntobanco.rules.slots import Slots

if TYPE_CHECKING:
    from puntobanco.rules.load_policies import TableRules

Found = Iterator[tuple[str, str]]
"""The key of a policy, and what is wrong with it."""

BORNE_OUT_BY = {
    # policy: the family whose paragraphs say so
    "below_minimum_unnoticed": "below_minimum_unnoticed",
    "above_maximum_unnoticed": "above_maximum_unnoticed",
    "over_differential_noticed": "over_differential",
    "over_differential_unnoticed": "over_differential_unnoticed",
    "late_bet": "late_bet",
    "late_withdrawal": "late_withdrawal",
    "walk_away": "walk_away",
    "staff_bets": "staff_bets",
    "wrong_count": "wrong_number",
    "foreign_card": "foreign_card",
    "wrong_card_set": "wrong_card_set",
    "unshuffled": "unshuffled",
    "shoe_empty": "shoe_empty",
    "interruption": "interruption",
    "burn_forgotten_unseen": "burn_forgotten",
    "burn_forgotten_seen": "burn_forgotten",
    "burn_forgotten_later": "burn_forgotten",
    "squeeze_absent": "squeeze_absent",
    "squeeze_not_delivered": "squeeze_not_delivered",
    "insurance_missed_open": "insurance_missed",
    "insurance_missed_decided": "insurance_missed",
    "insurance_misplaced": "insurance_misplaced",
    "disputes": "disputes",
}
NEEDS: dict[p.Choice, tuple[str, ...]] = {
    # value: the families without which it cannot be cited
    p.TooMany.BY_HAND: ("third_to_player", "third_to_banker"),
    p.TooMany.WRONG_NUMBER: ("wrong_number",),
    p.TooMany.EXCESS: ("excess_cards",),
    p.ThirdToPlayer.BECOMES_BANKERS: ("third_to_player",),
    p.LateDiscovery.STANDS: ("late_discovery",),
    p.LateDiscovery.RECTIFY: ("rectified_late",),
    p.CutCardFirst.WITHDRAW: ("cut_card",),
    p.CutCardFirst.WITHDRAW_IN_HIGH_LIMIT: ("cut_card",),
    p.OptionsBy.GENERAL: ("options",),
    p.Unrepaired.ALWAYS: ("options",),
    p.ExposedInHand.PUT_RIGHT: ("exposed_cards",),
}
EXCLUDED: dict[str, tuple[p.BurnForgotten, ...]] = {
    # a stage of the forgotten burn: what makes no sense then
    "burn_forgotten_unseen": (p.BurnForgotten.PLAYERS_CHOOSE,),
    "burn_forgotten_seen": (p.BurnForgotten.BURN_NOW,),
    "burn_forgotten_later": (p.BurnForgotten.BURN_NOW, p.BurnForgotten.PLAYERS_CHOOSE),
}
IDLE = {"not_covered", "none", "never", "stands"}
"""Values by which a book does nothing in particular."""


def tell_contradictions(top: Section, rules: TableRules, *, insured: bool) -> None:
    """Note everything that cannot be meant so; each key once."""
    told: set[str] = set()
    for find in (_unborne, _free_hands, _cards, _late, _shoe, _squeeze, _insurance, _commission, _people):
        for key, message in find(rules, insured):
            if key not in told:
                told.add(key)
                top.problem(key, message)


def _covered(rules: TableRules, family: str) -> bool:
    found: Slots = rules.irregularities.of(family)
    return found.covered


def _by_a_reading(stated: p.Stated[p.Choice]) -> bool:
    """Whether no paragraph of the book is meant to say so."""
    return not stated.paragraph or stated.paragraph.startswith("reading ")


def _unborne(rules: TableRules, insured: bool) -> Found:
    for name, family in BORNE_OUT_BY.items():
        stated: p.Stated[p.Choice] = getattr(rules.policies, name)
        if _by_a_reading(stated) and stated.value.value not in ("not_covered", "stands", "void"):
            yield f"policies.{name}", f"{stated.value.value} takes a paragraph of the book"
        elif not _by_a_reading(stated) and not _covered(rules, family):
            yield f"policies.{name}", f"irregularities.{family} is not covered"
        elif stated.value.value == "not_covered" and _covered(rules, family) and not name.startswith("burn"):
            yield f"policies.{name}", f"irregularities.{family} has paragraphs: say what they do"
    for name in p.Policies.__struct_fields__:
        value: p.Choice = getattr(rules.policies, name).value
        lacking = [family for family in NEEDS.get(value, ()) if not _covered(rules, family)]
        if lacking:
            yield f"policies.{name}", f"{value.value} needs paragraphs in irregularities.{lacking[0]}"


def _free_hands(rules: TableRules, insured: bool) -> Found:
    leading = [
        f"policies.{name}"
        for name in p.Policies.__struct_fields__
        if getattr(rules.policies, name).value.value == "free_hand"
    ]
    leading += [
        f"remedies.{name}"
        for name, remedy in rules.remedies.items()
        if AllBack.FREE_HAND in (remedy.all_back, remedy.all_back_decided)
    ]
    known = _covered(rules, "free_hand")
    if known and not leading:
        yield "irregularities.free_hand", "no policy leads to a Free Hand"
    for key in leading if not known else ():
        yield key, "a Free Hand needs paragraphs in irregularities.free_hand"


def _cards(rules: TableRules, insured: bool) -> Found:
    stated = rules.policies
    if stated.third_to_player.value is p.ThirdToPlayer.BECOMES_BANKERS:
        if stated.card_too_many.value is not p.TooMany.BY_HAND:
            yield "policies.third_to_player", "becomes_bankers needs card_too_many by_hand"
        remedy = rules.remedies.get("third_to_player")
        if remedy and remedy.options is OptionsGiven.UNREPAIRED:
            # the card keeps its place and changes its hand: nothing is dealt again in order
            yield "remedies.third_to_player", "becomes_bankers reconstructs nothing: options cannot be unrepaired"
    if stated.options_by.value is p.OptionsBy.BY_FAMILY and _covered(rules, "options"):
        yield "policies.options_by", "irregularities.options has paragraphs that nothing would cite"
    never = stated.unrepairable.value is p.Unrepairable.VOID
    if never and stated.options_when_unrepaired.value is p.Unrepaired.ALWAYS:
        yield "policies.options_when_unrepaired", "unrepairable is void: nobody goes on with such a hand"
    if stated.shoe_after_simultaneous.value is p.ShoeAfter.MAY_BE_REPLACED:
        if "shoe_replaced" not in rules.remedies:
            yield "policies.shoe_after_simultaneous", "remedies.shoe_replaced does not say by whom"
    elif "shoe_replaced" in rules.remedies:
        yield "remedies.shoe_replaced", "shoe_after_simultaneous is not_covered"


def _late(rules: TableRules, insured: bool) -> Found:
    stated = rules.policies
    rectified = stated.late_discovery.value is p.LateDiscovery.RECTIFY
    if stated.decided_on_late_void.value is p.Decided.KEPT and not rectified:
        yield "policies.decided_on_late_void", "kept needs late_discovery rectify: nothing else voids a round late"
    if _covered(rules, "rectified_late") and not rectified:
        yield "policies.late_discovery", "irregularities.rectified_late has paragraphs: expected rectify"


def _shoe(rules: TableRules, insured: bool) -> Found:
    stated = rules.policies
    first, ends = stated.cut_card_first.value, stated.cut_card_ends.value
    if first is p.CutCardFirst.COUNTS_AS_PREVIOUS and ends is not p.CutCardEnds.ONE_MORE:
        yield "policies.cut_card_first", "counts_as_previous has a meaning only with cut_card_ends one_more"
    stages = {name: getattr(stated, name).value for name in EXCLUDED}
    for name, value in stages.items():
        if value in EXCLUDED[name]:
            yield f"policies.{name}", f"{value.value} is not possible then"
        elif stated.burn.value is p.Burn.NONE and value is not p.BurnForgotten.NOT_COVERED:
            yield f"policies.{name}", "burn is none: there is nothing to forget"
    chosen = p.BurnForgotten.PLAYERS_CHOOSE in stages.values()
    if chosen is (stated.shoe_asked_by.value is p.AskedBy.NOT_COVERED):
        message = "say how many must ask" if chosen else "nobody is asked: expected not_covered"
        yield "policies.shoe_asked_by", message


def _squeeze(rules: TableRules, insured: bool) -> Found:
    stated = rules.policies
    nobody = stated.squeeze.value is p.SqueezeBy.NONE
    if nobody is rules.procedures.squeeze.covered:
        paragraphs = "has paragraphs" if nobody else "is not covered"
        yield "policies.squeeze", f"procedures.squeeze {paragraphs}"
    if nobody:
        for name in ("squeeze_rights", "squeeze_bar", "early_squeeze", "squeeze_absent", "squeeze_not_delivered"):
            if getattr(stated, name).value.value not in IDLE:
                yield f"policies.{name}", "squeeze is none: nobody squeezes"
    elif stated.squeeze_rights.value is p.SqueezeRights.NOT_COVERED:
        yield "policies.squeeze_rights", "say how many rights there are, or leave it to the table"
    barred = stated.squeeze_bar.value is p.SqueezeBar.MAY_BE_BARRED
    if barred is (rules.authority.bars_squeeze is None):
        key = "authority.bars_squeeze"
        yield key, "missing; expected a rank, since squeeze_bar is may_be_barred" if barred else "squeeze_bar is never"


def _insurance(rules: TableRules, insured: bool) -> Found:
    names = ("insurance_forgone", "insurance_missed_open", "insurance_missed_decided", "insurance_misplaced")
    for name in (*names, "private_table") if not insured else ():
        if getattr(rules.policies, name).value.value != "not_covered":
            yield f"policies.{name}", "the book has no [insurance]"
    if insured and rules.policies.insurance_forgone.value is p.Forgone.NOT_COVERED:
        yield "policies.insurance_forgone", "the book has [insurance]: say what a player gives up who lets it pass"


def _commission(rules: TableRules, insured: bool) -> Found:
    taken = rules.commission.form is not CommissionForm.NONE
    if taken is not rules.procedures.commission.covered:
        yield "commission", f"procedures.commission is {'not covered' if taken else 'covered, and form is none'}"


def _people(rules: TableRules, insured: bool) -> Found:
    ranks, powers = rules.ranks, rules.authority
    for higher, lower in (("manages", "house"), ("disputes_decided", "disputes_first")):
        low, high = getattr(powers, lower).rank, getattr(powers, higher).rank
        if not ranks.at_least(high, low):
            yield f"authority.{higher}", f"{high} stands below {low}, which is {lower}"
