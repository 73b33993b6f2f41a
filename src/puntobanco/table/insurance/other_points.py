"""Insurance that was on offer for other points than the cards turn out to make."""

from __future__ import annotations

from msgspec.structs import replace

from puntobanco.insurance import cards_in
from puntobanco.table.state import Round


def on_other_points(current: Round) -> Round:
    """Insurance that was offered on other points than the cards make is not past, for what they make was not offered.

    Before a further card it is offered now (tiger-buffalo 3.12); drawn past, it shows as missed (5.17).
    """
    if current.settled or current.paid:
        return current
    for closed in current.offered:
        then = cards_in(current.coup, closed.window)
        if then is None or not closed.ordinary or closed.points == (then.player.total, then.banker.total):
            continue
        current = replace(current, windows_past=current.windows_past - {closed.window})
        if len(current.cards) > len(then.player) + len(then.banker):
            current = replace(current, drawn_over=True)
        else:
            offered = tuple(window for window in current.offered if window is not closed)
            current = replace(current, offered=offered, forgone=current.forgone - closed.people)
    return current
