"""Minimum, maximum, step and the Differential (readings A and B)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

import msgspec
from msgspec.structs import replace

from puntobanco.cards import Side
from puntobanco.rules.policies import AboveMaximum, Priority, RoundBegins
from puntobanco.table.base import BANKER, PLAYER
from puntobanco.table.bets.state import Wager, WagerKey
from puntobanco.table.bets.wagers import without
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Round, Table


class Layer(msgspec.Struct, frozen=True):
    """What was put on a wager at one time: a raise comes off before what lay there."""

    wager: Wager
    order: int
    amount: int


class Cutback(msgspec.Struct, frozen=True):
    """Chips that must come back from a wager."""

    wager: Wager
    amount: int


def refuse_stake(table: Table, bet: str, before: int, amount: int) -> NoReturn:
    """Refuse an amount that would take a stake outside the limits of its bet, with the amount that would fit."""
    limits = table.terms.limits_of(bet)
    stake = before + amount
    if stake < limits.minimum:
        detail, limit, fits = "below_minimum", limits.minimum, _up_to_step(limits.minimum, limits.step)
    elif limits.maximum is not None and stake > limits.maximum:
        detail, limit, fits = "above_maximum", limits.maximum, limits.maximum - limits.maximum % limits.step
    else:
        detail, limit = "step", limits.step
        fits = max(stake - stake % limits.step, _up_to_step(limits.minimum, limits.step))
    paragraph = table.procedures.limits.rule or "reading L"
    raise Refused(detail, paragraph, max(fits - before, 0), bet=bet, amount=limit)


def room_in_box(current: Round, person: str, box: int, bet: str) -> int | None:
    """What the maximum of a box leaves a person beside the others there; None where the maximum is each person's."""
    maximum = current.settings.limits_of(bet).maximum
    if maximum is None or current.settings.maximum_per == "person":
        return None
    others = (wager for wager in current.wagers.values() if (wager.box, wager.bet) == (box, bet))
    return max(0, maximum - sum(wager.stake for wager in others if wager.person != person))


def over_maximum(current: Round, wager: Wager) -> int:
    """How much of a bet is over the maximum: the person's, or the box's, where what was put down last is over."""
    maximum = current.settings.limits_of(wager.bet).maximum
    if maximum is None:
        return 0
    if current.settings.maximum_per == "person":
        return max(0, wager.stake - maximum)
    alike = [each for each in current.wagers.values() if (each.box, each.bet) == (wager.box, wager.bet)]
    layers = sorted((order, amount, each.person) for each in alike for order, amount in each.layers)
    total = over = 0
    for _, amount, person in layers:
        beyond = min(amount, max(0, total + amount - maximum))
        total += amount
        over += beyond if person == wager.person else 0
    return over


def begun_before_the_close(table: Table, current: Round) -> bool:
    """Whether bets are open still and the first card is out, with which the book lets the round begin (reading R)."""
    by_card = table.policies.round_begins.value is RoundBegins.FIRST_CARD
    return by_card and current.card_out and not current.closed


def check_not_begun(table: Table, current: Round) -> None:
    """Refuse to change bets once the first card is out, where the book lets the round begin with it (reading R)."""
    if begun_before_the_close(table, current):
        raise Refused("bets_closed.begun", table.policies.round_begins.paragraph)


def check_rest(table: Table, bet: str, stake: int, amount: int) -> None:
    """Refuse taking so much of a stake back that the rest may not stand, with the amount that may go instead of all."""
    limits = table.terms.limits_of(bet)
    rest = stake - amount
    if not rest or (rest >= limits.minimum and not rest % limits.step):
        return
    least = _up_to_step(max(rest, limits.minimum), limits.step)
    low = rest < limits.minimum
    detail, limit = ("below_minimum", limits.minimum) if low else ("step", limits.step)
    raise Refused(detail, table.procedures.limits.rule or "reading L", max(stake - least, 0), bet=bet, amount=limit)


def _up_to_step(amount: int, step: int) -> int:
    return -(-amount // step) * step


def lead(table: Table, current: Round, box: int = 0) -> int:
    """How much more is on Player than on Banker, at the table or in one box; below zero it is on Banker."""
    if not box:
        return current.on_player - current.on_banker
    hands = table.book.original_bets
    on_hands = [wager for wager in current.wagers.values() if wager.box == box and wager.bet in hands]
    return sum(wager.stake if hands[wager.bet] is PLAYER else -wager.stake for wager in on_hands)


def room_for(table: Table, current: Round, box: int, hand: Side) -> int | None:
    """How much more the Differential lets onto a hand as things stand; None without a limit."""
    differential = table.terms.differential
    if differential is None:
        return None
    ahead = lead(table, current, box if differential.scope == "box" else 0)
    return differential.limit - ahead if hand is PLAYER else differential.limit + ahead


def make_room(
    table: Table, current: Round, person: str, box: int, hand: Side, amount: int, beside: int = 0
) -> list[Cutback]:
    """The standing bets that must yield for an amount on a hand; refused where even that is not enough.

    ``beside`` goes on the other hand in the same request, and balances as much of the amount.
    """
    room = room_for(table, current, box, hand)
    if room is None or amount <= (room := room + beside):
        return []
    yielding = _candidates(table, current, person, box, hand)
    most = max(0, room + sum(layer.amount for layer in yielding))
    if most < amount:
        differential = table.terms.differential
        assert differential is not None
        bet = next(code for code, on in table.book.original_bets.items() if on is hand)
        wager = current.wagers.get((person, box, bet))
        raise Refused(
            "differential",
            differential_paragraph(table),
            whole_steps(table, bet, wager.stake if wager else 0, most),
            limit=differential.limit,
            room=most,
        )
    return cut_back(table, yielding, amount - room)


def whole_steps(table: Table, bet: str, before: int, most: int) -> int:
    """The largest amount up to ``most`` that the bet's own step and minimum allow on top of what is there."""
    limits = table.terms.limits_of(bet)
    stake = before + most - (before + most) % limits.step
    return stake - before if stake >= limits.minimum and stake > before else 0


def differential_paragraph(table: Table) -> str:
    """The paragraph on the Differential, or the reading where the book has none."""
    return table.irregularities.over_differential.rule or table.procedures.differential.rule or "reading L"


def seated_first(table: Table) -> bool:
    """Whether the book lets seated players' bets go before standing ones."""
    return table.policies.differential_priority.value is Priority.SEATED


def _latest_first(wagers: Iterable[Wager], first: Callable[[Wager], bool]) -> list[Layer]:
    """What was put down, each time by itself, in the order in which it goes back: some bets before all others."""
    layers = [Layer(wager, order, amount) for wager in wagers for order, amount in wager.layers]
    return sorted(layers, key=lambda layer: (not first(layer.wager), -layer.order))


def _candidates(table: Table, current: Round, person: str, box: int, hand: Side) -> list[Layer]:
    """Standing bets on the hand that a seated player may push back: behind the same box first, the latest first."""
    asker = table.people[person]
    if not (seated_first(table) and asker.seated and asker.box == box):
        return []
    hands = table.book.original_bets
    only_here = table.terms.differential is not None and table.terms.differential.scope == "box"
    standing = [
        wager
        for wager in current.wagers.values()
        if not wager.seated and hands.get(wager.bet) is hand and (wager.box == box or not only_here)
    ]
    return _latest_first(standing, lambda wager: wager.box == box)


def cut_back(table: Table, layers: Iterable[Layer], excess: int) -> list[Cutback]:
    """Take the excess from these in turn; a bet that would be left under the minimum goes back whole."""
    cutbacks: dict[WagerKey, Cutback] = {}
    for layer in layers:
        if excess <= 0:
            break
        wager = layer.wager
        key = (wager.person, wager.box, wager.bet)
        off = cutbacks[key].amount if key in cutbacks else 0
        amount = min(layer.amount, wager.stake - off, excess)
        if 0 < wager.stake - off - amount < table.terms.limits_of(wager.bet).minimum:
            amount = wager.stake - off
        if amount:
            cutbacks[key] = Cutback(wager, off + amount)
            excess -= amount
    return list(cutbacks.values())


class Excess(msgspec.Struct, frozen=True):
    """How far a hand is over the Differential, at the table (box 0) or in a box."""

    hand: Side
    box: int
    amount: int


def excesses(table: Table, current: Round) -> list[Excess]:
    """Where the Differential is exceeded."""
    differential = table.terms.differential
    if differential is None:
        return []
    boxes = table.boxes if differential.scope == "box" else (0,)
    found = []
    for box in boxes:
        ahead = lead(table, current, box)
        over = abs(ahead) - differential.limit
        if over > 0:
            found.append(Excess(PLAYER if ahead > 0 else BANKER, box, over))
    return found


def rejected_at_close(table: Table, current: Round) -> list[Cutback]:
    """What the House rejects at the close: standing bets first where the book has priorities, the latest first.

    A bet that goes back whole may leave the other hand over the Differential: that is rejected in its turn.
    """
    off: dict[WagerKey, int] = {}
    left = current
    while found := excesses(table, left):
        for excess in found:
            for cut in cut_back(table, _heavier(table, left, excess), excess.amount):
                key = (cut.wager.person, cut.wager.box, cut.wager.bet)
                off[key] = off.get(key, 0) + cut.amount
        left = without(replace(table, round=current), ((*key, amount) for key, amount in off.items()))
    return [Cutback(current.wagers[key], amount) for key, amount in off.items()]


def _heavier(table: Table, current: Round, excess: Excess) -> list[Layer]:
    """What was bet on the hand that is over, those first that are rejected first."""
    hands, priority = table.book.original_bets, seated_first(table)
    wagers = (wager for wager in current.wagers.values() if hands.get(wager.bet) is excess.hand)
    heavier = [wager for wager in wagers if excess.box in (0, wager.box)]
    return _latest_first(heavier, lambda wager: priority and not wager.seated)


def unruled_maximum(table: Table, found: Round, key: WagerKey, stake: int) -> bool:
    """Whether a stake that nobody noticed is over the maximum, and the book does not say what stands of it."""
    if table.policies.above_maximum_unnoticed.value is not AboveMaximum.NOT_COVERED:
        return False
    room = room_in_box(found, *key)
    most = found.settings.limits_of(key[2]).maximum if room is None else room
    return most is not None and stake > most
