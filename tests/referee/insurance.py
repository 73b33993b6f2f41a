"""Insurance: rows, windows, caps, what becomes of it (readings F, G; tiger-buffalo 3.11, 3.12, 4.1.14, 4.2.1, 5.17)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.referee.hands import BANKER, PLAYER, TIE, Deal, points
from tests.referee.limits import Sign

FOUR, THIRD = "after_four", "after_third"
Row = tuple[int, range, Fraction]
"""The insured hand's points, the other's, the odds."""


def row(own: int, least: int, most: int, numerator: int, denominator: int = 1) -> Row:
    return own, range(least, most + 1), Fraction(numerator, denominator)


ROWS: dict[tuple[str, str], list[Row]] = {
    (FOUR, PLAYER): [row(5, 4, 4, 3, 2), row(6, 0, 5, 5, 2), row(7, 0, 5, 4)],
    (THIRD, PLAYER): [row(5, 0, 4, 3, 2), row(6, 0, 5, 5, 2), row(7, 0, 6, 4), row(8, 0, 6, 10), row(9, 0, 6, 10)],
    (FOUR, BANKER): [row(4, 0, 3, 3, 2), row(5, 0, 4, 3, 2), row(6, 0, 5, 5, 2), row(7, 0, 5, 4)],
    (THIRD, BANKER): [
        *(row(own, 0, 0, 10) for own in range(1, 7)),
        row(1, 1, 1, 6),
        *(row(own, 1, 1, 10) for own in range(2, 7)),
        *(row(own, 2, 2, 4) for own in range(3, 7)),
        row(4, 3, 3, 5, 2),
    ],
}


def window(deal: Deal) -> str:
    """Which one is open on these cards, if a card is still to be drawn; empty if none is."""
    if not deal.due or deal.left_over:
        return ""
    return {4: FOUR, 5: THIRD if len(deal.player) == 3 else ""}.get(deal.out, "")


def offered(deal: Deal) -> dict[str, Fraction]:
    """The odds on each hand, where a row fits."""
    open_now = window(deal)
    found = {}
    totals = {PLAYER: points(deal.player), BANKER: points(deal.banker[:2])}
    for hand, other in ((PLAYER, BANKER), (BANKER, PLAYER)):
        for own, others, pays in ROWS.get((open_now, hand), []):
            if totals[hand] == own and totals[other] in others:
                found[hand] = pays
    return found


def cap(sign: Sign, original: int, pays: Fraction) -> int:
    """The most that may be insured of a bet in one window (3.12.2)."""
    most = original
    limit = sign.maximum if sign.maximum is not None else sign.differential
    if pays == 10 and limit is not None:
        most = min(most, limit // 4)
    return most


def late_cap(original: int, pays: Fraction) -> int:
    """The most that may be insured late: it wins no more than the Original Bet (5.17.1)."""
    return int(original / pays)


class Insured(NamedTuple):
    """Insurance as it was put down: at which window, and whether late."""

    person: str
    box: int
    hand: str
    amount: int
    window: str
    late: bool = False


def pays_tie(deal: Deal, insured: Insured) -> bool:
    """The two ties that pay (4.2.1)."""
    if insured.window != THIRD:
        return False
    if insured.hand == PLAYER:
        return points(deal.player) == 9
    return points(deal.player) == 0 and 1 <= points(deal.banker[:2]) <= 6


def becomes(deal: Deal, insured: Insured, pays: Fraction) -> Fraction | None:
    """What it wins to one; zero where it goes back, nothing where it lost."""
    if deal.winner == TIE:
        return pays if pays_tie(deal, insured) else Fraction(0)
    return None if deal.winner == insured.hand else pays
