"""Cards put right (reading I): back in the order they left the shoe and dealt again, or taken as they lie."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from puntobanco.cards import Card, Side
from puntobanco.coup import OPENING, Coup, Hand, reconstruct
from puntobanco.rules.policies import Policies, ThirdToBanker
from puntobanco.table import events as e
from puntobanco.table.cards.lying import hands_for, is_open_after
from puntobanco.table.cards.state import Drawn
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Round, Table

AT_ONCE = "simultaneous"
"""Cards drawn at once of which nobody knows the order."""


def reconstructed(table: Table, current: Round, order: Sequence[int], paragraph: str) -> e.CardsArranged:
    """The cards dealt again by the Table of Play, in that order."""
    ordered = [current.card(number) for number in order]
    hands = _dealt_again(ordered, paragraph)
    goes = _destination(table, ordered, len(hands)) if len(hands) < len(ordered) else ""
    return e.CardsArranged("reconstructed", tuple(order), hands, paragraph, goes)  # type: ignore[arg-type]


def _dealt_again(cards: Sequence[Drawn], paragraph: str) -> tuple[Side, ...]:
    """The hand of each card that the coup has use for. Where that depends on one face down, it is turned first."""
    hands = hands_for(cards)
    used = cards[: len(hands)]
    if len(hands) < len(cards) and is_open_after(used):
        down = [drawn.number for drawn in used if not drawn.turned]
        raise Refused("cards.face_down", paragraph, number=down[0])
    return hands


def _destination(table: Table, ordered: Sequence[Drawn], used: int) -> str:
    """Where cards left over go: nowhere when the shoe is over, else where the book says. One way for all of them."""
    shoe = table.shoe
    if shoe.ended or shoe.to_replace or shoe.at_fault or shoe.rounds_left == 0:
        return "discarded"
    ways = {_way_of(table.policies, ordered, place) for place in range(used, len(ordered))}
    if "free_hand" in ways:
        return "free_hand"
    return "next_round" if "opens_next" in ways else "discarded"


def _way_of(stated: Policies, ordered: Sequence[Drawn], place: int) -> str:
    """What the book says on one card that is left over, by where it lay and whether it was seen."""
    drawn = ordered[place]
    before = sum(each.hand is drawn.hand for each in ordered[:place])
    if drawn.hand is None or before > 2:
        # at no hand, or the fourth of one: it would have been the first of the next hand
        return str((stated.first_card_seen if drawn.seen else stated.first_card_unseen).value.value)
    if drawn.hand is Side.BANKER and before == 2:
        third = stated.third_to_banker_seen if drawn.seen else stated.third_to_banker_unseen
        if third.value is not ThirdToBanker.AS_LEFT_OVER:
            return str(third.value.value)
    return str(stated.left_over.value.value)


def as_it_lies(table: Table, current: Round, paragraph: str) -> e.CardsArranged:
    """The hands as they lie, if each has the number of cards that the Table of Play gives it."""
    hands: dict[Side, list[int]] = {Side.PLAYER: [], Side.BANKER: []}
    for drawn, hand in _lying(current):
        if hand is None:
            raise Refused("cards.no_hand", paragraph, number=drawn.number)
        hands[hand].append(drawn.number)
    player, banker = hands[Side.PLAYER], hands[Side.BANKER]
    sides = right_count(current, player, banker)
    if sides is None:
        raise Refused("cards.wrong_number", _void(table, paragraph))
    counters = {Side.PLAYER: iter(player), Side.BANKER: iter(banker)}
    order = tuple(next(counters[side]) for side in sides)
    return e.CardsArranged("as_it_lies", order, sides, paragraph)


def _lying(current: Round) -> list[tuple[Drawn, Side | None]]:
    """Each card with the hand where it lies: one that was opened is where it was due unless somebody said otherwise."""
    due = zip_longest(current.cards, hands_for(current.cards))
    return [(drawn, drawn.hand or (hand if drawn.turned else None)) for drawn, hand in due]


def drawn_at_once(table: Table) -> list[tuple[int, ...]]:
    """Cards whose order is to be decided, by the times that some came at once; times that share a card are one."""
    found: list[tuple[int, ...]] = []
    for cards in sorted(tuple(sorted(each.cards)) for each in table.incidents.values() if each.family == AT_ONCE):
        if found and cards[0] <= found[-1][-1]:
            found[-1] = tuple(sorted({*found[-1], *cards}))
        else:
            found.append(cards)
    return found


def _void(table: Table, paragraph: str) -> str:
    return table.irregularities.wrong_number.rule or paragraph


def right_count(current: Round, player: Sequence[int], banker: Sequence[int]) -> tuple[Side, ...] | None:
    """The order in which the Table of Play fills hands like these; None where it does not."""
    known: dict[int, Card] = {
        drawn.number: drawn.card for drawn in current.cards if drawn.turned and drawn.card is not None
    }
    if len(player) < 2 or len(banker) < 2:
        sides = OPENING[: len(player) + len(banker)]
        fits = sides.count(Side.PLAYER) == len(player) and sides.count(Side.BANKER) == len(banker)
        return sides if fits else None
    if len(player) + len(banker) > 4 and not all(number in known for number in (*player, *banker)):
        return None
    sides = (*OPENING, *[Side.PLAYER] * (len(player) - 2), *[Side.BANKER] * (len(banker) - 2))
    if len(sides) == 4:
        return sides
    coup = Coup(Hand(tuple(known[number] for number in player)), Hand(tuple(known[number] for number in banker)))
    dealt = reconstruct(coup.cards)
    return sides if dealt.coup == coup and not dealt.left_over else None


def count_is_right(current: Round) -> bool:
    """Whether each hand, as it lies, has the number of cards that the Table of Play gives it so far."""
    lying = _lying(current)
    player = [drawn.number for drawn, hand in lying if hand is Side.PLAYER]
    banker = [drawn.number for drawn, hand in lying if hand is Side.BANKER]
    return len(player) + len(banker) == len(current.cards) and right_count(current, player, banker) is not None
