"""How much insurance there can be."""

from __future__ import annotations

from puntobanco.cards import Side
from puntobanco.money import Odds
from puntobanco.rules.model import Window
from puntobanco.table import events as e
from puntobanco.table.bets.stakes_that_stand import cuts_of
from puntobanco.table.insurance.offers import insurance_paragraph
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Round, Table


def too_much(table: Table, most: int, *, late: bool) -> Refused:
    """The refusal of more insurance than is allowed."""
    paragraph = table.irregularities.insurance_missed.offered_late if late else insurance_paragraph(table, "cap")
    return Refused("insurance_cap", paragraph, most, amount=most)


def most_insurance(table: Table, current: Round, person: str, box: int, hand: Side, odds: Odds) -> int:
    """What may still be insured in the window that is open."""
    window = current.window
    assert window is not None
    late = (hand, person) in window.late
    return room_in(table, current, window.window, person, box, hand, odds, late=late)


def room_in(
    table: Table, current: Round, window: Window, person: str, box: int, hand: Side, odds: Odds, *, late: bool
) -> int:
    """Beside what is insured in a window: the Original Bet of the box, and a share of the maximum per person."""
    book = table.book
    assert book.insurance is not None
    original = bet_on(table, current, person, box, hand)
    if current.unnoticed:
        cuts = cuts_of(table, current)
        original -= sum(
            cut.amount for cut in cuts if (cut.person, cut.box) == (person, box) and _is_on(table, cut, hand)
        )
    taken = [
        insurance
        for insurance in current.insurance
        if insurance.person == person and insurance.row.hand is hand and insurance.row.window is window
    ]
    most = original - sum(insurance.stake for insurance in taken if insurance.box == box)
    if late:
        # the winnings of all that is offered late are capped at the Original Bet (tiger-buffalo 5.17.1)
        all_late = (insurance for insurance in current.insurance if insurance.late)
        of_it = [each for each in all_late if (each.person, each.box, each.row.hand) == (person, box, hand)]
        wins = sum(insurance.stake * insurance.row.odds.fraction for insurance in of_it)
        most = min(most, (original - wins) // odds.fraction)
    for cap in book.insurance.caps:
        if cap.odds == odds and (ceiling := _ceiling(table, current, hand)) is not None:
            share = ceiling * cap.of_maximum.numerator // cap.of_maximum.denominator
            most = min(most, share - sum(insurance.stake for insurance in taken))
    return max(0, most)


def bet_on(table: Table, current: Round, person: str, box: int, hand: Side) -> int:
    """The Original Bet of a box on a hand, as it lies there now."""
    bets = (current.wagers.get((person, box, bet)) for bet, on in table.book.original_bets.items() if on is hand)
    return sum(wager.stake for wager in bets if wager)


def _is_on(table: Table, cut: e.StakeCut, hand: Side) -> bool:
    return table.book.original_bets.get(cut.bet) is hand


def _ceiling(table: Table, current: Round, hand: Side) -> int | None:
    """The table's maximum on the hand, or the Differential where there is none."""
    code = next(code for code, on in table.book.original_bets.items() if on is hand)
    maximum, differential = current.settings.limits_of(code).maximum, current.settings.differential
    if maximum is None and differential is not None:
        return differential.limit
    return maximum
