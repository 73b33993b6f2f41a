"""Insurance: which row of the pay table fits the points on the table, and what becomes of it (reading F)."""

from __future__ import annotations

from puntobanco.bets import Result, Verdict
from puntobanco.cards import BySide, Side
from puntobanco.coup import Coup, Hand
from puntobanco.rules.model import InsuranceRow, RuleBook, Window

FOUR_CARDS, PLAYER_THIRD = Window
BOXES = {f"{hand.value}_insurance": hand for hand in Side}
"""The insurance boxes of the layout, by the hand that each insures."""


def window_of(coup: Coup) -> Window | None:
    """The window that the cards dealt so far have opened: only while a card is still to be drawn."""
    if len(coup.player.cards) < 2 or len(coup.banker.cards) != 2 or coup.due is None:
        return None
    return FOUR_CARDS if len(coup.player.cards) == 2 else PLAYER_THIRD


def cards_in(coup: Coup, window: Window) -> Coup | None:
    """The cards as they lay in that window; None where these cards never opened it."""
    count = 2 if window is Window.FOUR_CARDS else 3
    then = Coup(Hand(coup.player.cards[:count]), Hand(coup.banker.cards[:2]))
    return then if window_of(then) is window else None


def find_row(book: RuleBook, window: Window, hand: Side, own: int, other: int) -> InsuranceRow | None:
    """The row for these points, if the table has one."""
    return book.insurance.by_points.get((window, hand, own, other)) if book.insurance else None


def rows_open(book: RuleBook, coup: Coup) -> BySide[InsuranceRow | None]:
    """The row on offer for each hand, on the cards dealt so far."""
    window = window_of(coup)
    if window is None:
        return BySide(None, None)
    player, banker = coup.player.total, coup.banker.total
    return BySide(
        find_row(book, window, Side.PLAYER, player, banker),
        find_row(book, window, Side.BANKER, banker, player),
    )


def insurance_verdict(row: InsuranceRow, coup: Coup) -> Verdict:
    """What a coup, finished or paid as it lay, does to insurance at that row: it pays when the insured hand loses."""
    if coup.winner is None:
        if row.tie_pays:
            return Verdict(Result.WON, row.tie_paragraph, row.odds, "tie")
        return Verdict(Result.RETURNED, row.tie_paragraph)
    if coup.winner is row.hand:
        return Verdict(Result.LOST, row.paragraph)
    return Verdict(Result.WON, row.paragraph, row.odds)
