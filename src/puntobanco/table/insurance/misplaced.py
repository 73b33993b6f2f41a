"""Insurance that staff put in the wrong box (reading T)."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.cards import Side
from puntobanco.rules.policies import Misplaced
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import about_bet
from puntobanco.table.base import BANKER
from puntobanco.table.cases.remedies import Case
from puntobanco.table.cases.settled_rounds import check_ruled
from puntobanco.table.fold_helpers import known_round
from puntobanco.table.folds import evolve
from puntobanco.table.insurance.state import InsuranceWager
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.lines import lines_of
from puntobanco.table.settlement.resettle import settled_again
from puntobanco.table.state import Round, Table


def move_insurance(case: Case, ruling: r.MoveInsurance) -> Sequence[e.Event]:
    """To the hand where it belongs, by the row that fitted when it was taken; a settled round is settled again."""
    table = case.table
    found, taken = _find(table, ruling, case.paragraph)
    paragraph = _moved_by(table, ruling.hand)
    if not taken.by:
        binding = table.irregularities.chips_decide.rule
        raise Refused("not_yours.insurance", binding, person=taken.person)
    if not taken.misplaced:
        raise Refused("no_insurance.in_place", paragraph, hand=taken.hand.value)
    moved = e.InsuranceMoved(taken.person, taken.box, taken.hand, paragraph, found.number)
    if not found.settled:
        flag = ("insurance_misplaced", about_bet(taken.person, taken.box, f"{taken.hand.value}_insurance"))
        return (moved, e.FlagCleared(*flag))
    check_ruled(table, found)
    after = evolve(table, moved)
    again = known_round(after, found.number)
    return (moved, settled_again(table, found, lines_of(after, again), paragraph))


def _moved_by(table: Table, lies_at: Side) -> str:
    slots = table.irregularities.insurance_misplaced
    return slots.at_banker if lies_at is BANKER else slots.at_player


def _find(table: Table, ruling: r.MoveInsurance, paragraph: str) -> tuple[Round, InsuranceWager]:
    lying = [
        (each, taken)
        for each in reversed(table.known_rounds)
        if not each.voided
        for taken in each.insurance
        if (taken.person, taken.box, taken.hand) == (ruling.person, ruling.box, ruling.hand)
    ]
    if not lying:
        raise Refused("no_wager.insurance", paragraph, person=ruling.person, hand=ruling.hand.value, box=ruling.box)
    return next((found for found in lying if found[1].misplaced), lying[0])


def moved_where_it_belongs(table: Table, current: Round) -> list[e.Event]:
    """Insurance that is known to lie in the wrong box is settled where it belongs, if the book says so."""
    if table.policies.insurance_misplaced.value is not Misplaced.MOVED:
        return []
    lying = ((taken.person, taken.box, taken.hand) for taken in current.insurance if taken.misplaced)
    events: list[e.Event] = []
    for person, box, hand in dict.fromkeys(lying):
        events.append(e.InsuranceMoved(person, box, hand, _moved_by(table, hand), current.number))
        flag = ("insurance_misplaced", about_bet(person, box, f"{hand.value}_insurance"))
        events.append(e.FlagCleared(*flag))
    return events
