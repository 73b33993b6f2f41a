"""Cards that were not due, or lie at the wrong hand, and which error that is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from msgspec.structs import replace

from puntobanco.cards import Side
from puntobanco.coup import OPENING, banker_draws, player_draws, sure_third
from puntobanco.rules.policies import FirstCard, TooMany
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.base import BANKER, PLAYER
from puntobanco.table.cases.incidents import is_open, opened
from puntobanco.table.state import Round, Table

TOO_MANY = ("wrong_number", "excess_cards", "exposed_cards", "third_to_player", "third_to_banker")
"""While one of these waits for a ruling, more cards that are not due are part of the same incident."""
SIDES = {
    (player, banker): (*OPENING, *[PLAYER] * player, *[BANKER] * banker)
    for player in (False, True)
    for banker in (False, True)
}
"""Where the cards of a coup lie, by whether Player has a third card and whether Banker has."""


def misdealt_family(
    table: Table, current: Round, place: int, number: int, hand: Side | None, due: Side | None
) -> tuple[str, About] | None:
    """The family of error that this card is, if it is one: not due, or put at the other hand."""
    if due is None:
        if is_open(table, *TOO_MANY):
            return None
        hiding = not current.finished and current.cards and not current.all_turned
        about = About.of("card.others_down" if hiding else "card", number=number)
        if current.finished and hand is None and table.policies.first_card_seen.value is FirstCard.FREE_HAND:
            return "exposed_cards", about  # at no hand: it would have been the first card of the next
        return surplus_family(table, current, place, hand), about
    if hand is not None and hand is not due:
        return misplaced_family(table, current, place, hand, due), About.of("card.at", number=number, hand=hand.value)
    return None


def misplaced_family(table: Table, current: Round, place: int, hand: Side, due: Side | None) -> str:
    """What the book calls a card at the wrong hand; where it counts cards alone, a hand with one too many."""
    counts = table.policies.card_too_many.value is TooMany.WRONG_NUMBER
    if counts and not table.irregularities.wrong_side.covered:
        lying = sum(
            (drawn.hand or side) is hand for drawn, side in zip(current.cards[: place - 1], OPENING, strict=False)
        )
        return "wrong_number" if place > len(OPENING) or lying >= 2 else "wrong_side"
    return third_card_family(table, current, place, hand, due) or "wrong_side"


def misdealt_after_all(table: Table, now: int) -> Sequence[e.Event]:
    """Cards whose value turned out otherwise may not have been due, or belong to the other hand.

    That is the incident which it would have been when the card was drawn; it comes up when no other waits.
    """
    current = table.round
    assert current is not None
    if current.hidden or not current.cards or table.blocked:
        return ()
    place, due = _first_misdealt(table, current)
    if not place:
        return ()
    drawn = current.cards[place - 1]
    before = replace(current, cards=current.cards[: place - 1])
    found = misdealt_family(table, before, place, drawn.number, drawn.hand, due)
    assert found is not None
    return (opened(table, *found, (drawn.number,)),)


def miscounted(table: Table, now: int) -> Sequence[e.Event]:
    """Where the book counts cards alone, cards at the wrong hand are part of a wrong number once a hand has one."""
    slots, current = table.irregularities, table.round
    assert current is not None
    if table.policies.card_too_many.value is not TooMany.WRONG_NUMBER or slots.wrong_side.covered:
        return ()
    found = [each for each in table.incidents.values() if each.family == "wrong_side" and each.round == current.number]
    if not found:
        return ()
    closed = tuple(e.IncidentClosed(each.number) for each in found)
    if is_open(table, "wrong_number"):
        return closed
    lying = [drawn.hand for drawn in current.cards[: len(OPENING)]]
    hand = next((side for side in (PLAYER, BANKER) if lying.count(side) > 2), None)
    if hand is None:
        return ()
    last = max(drawn.number for drawn in current.cards[: len(OPENING)] if drawn.hand is hand)
    cards = tuple(sorted({last, *(number for each in found for number in each.cards)}))
    about = About.of("card.at", number=last, hand=hand.value)
    reported = all(each.reported for each in found)
    return (*closed, opened(table, "wrong_number", about, cards, reported=reported))


def _first_misdealt(table: Table, current: Round) -> tuple[int, Side | None]:
    """The place of a card too many, else of the first at the wrong hand, and its due hand; 0 where all lie well.

    A third card to a hand that gets none comes before what was drawn after it, where the book knows that error.
    """
    sides = SIDES[len(current.coup.player.cards) == 3, len(current.coup.banker.cards) == 3]
    if [drawn.hand for drawn in current.cards] == [*sides[: len(current.cards)]]:
        return 0, None
    found: tuple[int, Side | None] = (len(sides) + 1, None) if len(current.cards) > len(sides) else (0, None)
    for place, (drawn, due) in enumerate(zip(current.cards, sides, strict=False), 1):
        if drawn.hand is not due and drawn.hand is not None:
            own = third_card_family(table, current, place, drawn.hand, due)
            return (place, due) if own or not found[0] else found
    return found


def due_hand(current: Round, place: int) -> Side | None:
    """The hand that the card in that place was for; None where that cannot be told, or it was for none."""
    if place <= 4:
        return OPENING[place - 1]
    coup = current.coup
    if len(coup.player) < 2 or len(coup.banker) < 2:
        return None
    player, banker, third = coup.player.opening, coup.banker.opening, coup.player.third
    if player_draws(player, banker):
        if place == 5:
            return Side.PLAYER
        if place > 6:
            return None
        draws = banker_draws(player, banker, third.points) if third else sure_third(player, banker)
        return Side.BANKER if draws else None
    return Side.BANKER if place == 5 and banker_draws(player, banker, None) else None


def surplus_family(table: Table, current: Round, place: int, hand: Side | None) -> str:
    """What the book calls a card too many at that hand."""
    if table.policies.card_too_many.value is TooMany.WRONG_NUMBER:
        return "wrong_number"
    return third_card_family(table, current, place, hand, None) or "excess_cards"


def third_card_family(table: Table, current: Round, place: int, hand: Side | None, due: Side | None) -> str:
    """A third card to a hand that gets none, where the book tells these apart; one due to Player is misplaced."""
    if table.policies.card_too_many.value is not TooMany.BY_HAND:
        return ""
    if place < 5 or hand is None or due is Side.PLAYER:
        return ""
    lying = (drawn.hand or side for drawn, side in zip_longest(current.cards[: place - 1], OPENING))
    if sum(side is hand for side in lying) != 2:
        return ""
    return "third_to_player" if hand is Side.PLAYER else "third_to_banker"
