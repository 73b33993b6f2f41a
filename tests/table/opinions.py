"""Second opinions on what is put right at a table, made from what an event says and the table before it.

Each says what is wrong in a sentence, or nothing.
"""

from __future__ import annotations

from puntobanco.bets import Result
from puntobanco.coup import Coup
from puntobanco.insurance import insurance_verdict
from puntobanco.literal import literal_insurance_profit
from puntobanco.rules.load import GAMES
from puntobanco.table import events as e
from puntobanco.table.state import Intention, Table


def wrong_late_return(table: Table, event: e.BetsReturned) -> str | None:
    """After the settlement a bet goes back to who had meant to insure it and would have won (tiger-buffalo 5.17.2).

    Nothing moves by that alone: the settlement after it posts the difference.
    """
    found = next((each for each in table.known_rounds if each.number == event.round), None)
    if found is None or not found.settled or event.transfers:
        return f"bets of round {event.round} go back as if they lay on the layout"
    for key in event.wagers:
        hand = table.book.original_bets.get(key[2])
        meant = [each for each in found.intentions if (each.person, each.hand) == (key[0], hand)]
        if key not in found.wagers or not any(_would_have_won(table, each, found.coup) for each in meant):
            return f"{key[2]} of {key[0]} goes back, but no insurance that was meant for it would have won"
    return None


def _would_have_won(table: Table, meant: Intention, coup: Coup) -> bool:
    if table.settings.game not in GAMES:
        return insurance_verdict(meant.row, coup).result is Result.WON
    try:
        return literal_insurance_profit(meant.row.window.value, meant.hand, coup) > 0
    except ValueError:
        return False  # no row on the cards as they count
