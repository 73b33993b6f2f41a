"""Second opinions on what is put right at a table, made from what an event says and the table before it.

Each says what is wrong in a sentence, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.bets import Result
from puntobanco.cards import Side
from puntobanco.coup import Coup
from puntobanco.insurance import find_row, insurance_verdict
from puntobanco.literal import literal_insurance_profit, point_total
from puntobanco.rules.load import GAMES
from puntobanco.rules.model import Window
from puntobanco.table import events as e
from puntobanco.table.events import Transfer
from puntobanco.table.state import PAYING, InsuranceWager, Intention, Round, Table, chips_of, layout_of


def wrong_insurance_correction(table: Table, event: e.InsuranceCorrected) -> str | None:
    """What lay there before, the row of the cards, and no more than the Original Bet where it is raised or moved."""
    current = table.round
    found = next((each for each in table.known_rounds if each.number == event.round), None)
    if found is None:
        return f"there is no round {event.round} in this shoe or the one before"
    place = event.person, event.box, event.hand, event.window
    lying = [each for each in found.insurance if (each.person, each.box, each.hand, each.row.window) == place]
    was = sum(each.stake for each in lying)
    if event.was != was or event.stake < 0:
        return f"insurance of {event.was} corrected to {event.stake} where {was} lay"
    if event.stake and (wrong := _wrong_entry(table, found, event, lying)):
        return wrong
    if found is not current or found.paid or table.phase is PAYING:
        return f"moves {event.transfers}" if event.transfers else None  # another settlement posts the difference
    chips, layout, more = chips_of(event.person), layout_of(event.person), event.stake - was
    moved = Transfer(chips, layout, more) if more > 0 else Transfer(layout, chips, -more)
    expected = (moved,) if more else ()
    return f"moves {event.transfers}, not {expected}" if event.transfers != expected else None


def _wrong_entry(table: Table, found: Round, event: e.InsuranceCorrected, lying: Sequence[InsuranceWager]) -> str:
    count = 2 if event.window is Window.FOUR_CARDS else 3
    points = point_total(found.coup.player.cards[:count]), point_total(found.coup.banker.cards[:2])
    if (event.own, event.other) != (points if event.to_hand is Side.PLAYER else points[::-1]):
        return f"insurance at {event.own} to {event.other}, which the cards do not make"
    row = find_row(table.book, event.window, event.to_hand, event.own, event.other)
    row = row or find_row(table.book, event.window, event.to_hand.other, event.other, event.own)
    if row is None or row.odds != event.odds:
        return f"insurance at {event.odds}, where the book has {row.odds if row else 'no row'}"
    where = event.person, event.to_box
    bets = {bet for bet, hand in table.book.original_bets.items() if hand is row.hand}
    original = sum(each.stake for key, each in found.wagers.items() if key[:2] == where and key[2] in bets)
    same = (event.to_box, event.to_hand) == (event.box, event.hand)
    there = sum(
        each.stake
        for each in found.insurance
        if (each.person, each.box, each.row.hand, each.row.window) == (*where, row.hand, event.window)
        and each not in lying
    )
    if event.stake + there > original and not (same and event.stake <= event.was):
        return f"insurance of {event.stake + there} on an Original Bet of {original}"
    return ""


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
