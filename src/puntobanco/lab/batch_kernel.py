"""Counts the deals of many shoes at once, eight side by side in the lanes of vectors: the hot loops, compiled by numba.

The method is that of :mod:`puntobanco.odds.kernels`: Player's third card is taken out of the shoe, hands are grouped
by their totals, pairs are taken out beforehand. Here every number is a vector of eight, one for each of eight shoes,
and every step is the same for all, so that nothing branches on what a shoe holds: what a shoe cannot deal is counted
and multiplied by zero. Numbers are float64, exact up to 2⁵³; the caller sees to it that none on the way is larger.

All of it stands in one file, because numba's cache notices edits in that file only.
"""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, register_jitable, register_model
from numpy.typing import NDArray

Array = NDArray[Any]

LANES = 8
CODES = 205
"""Outcomes without their pairs that can occur."""
NO_CARD = 10
IMPOSSIBLE, STANDS, DRAWS = range(3)
"""As in :mod:`puntobanco.odds.kernels`."""


# --- vectors --------------------------------------------------------------------------------------------


class _Lanes(types.Type):
    """Eight float64."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_lanes = _Lanes()
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_WHOLE = ir.VectorType(ir.IntType(64), LANES)


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, front_end: Any) -> None:
        super().__init__(manager, front_end, _VECTOR)


def _arithmetic(function: Any, instruction: str) -> None:
    @infer_global(function)
    class _Template(ConcreteTemplate):
        cases = (signature(_lanes, _lanes, _lanes),)

    @lower_builtin(function, _lanes, _lanes)
    def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        # all numbers are whole and exact, so a product may be fused with the sum it goes into
        return getattr(builder, instruction)(*args, flags=("contract",))


for _function, _instruction in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):
    _arithmetic(_function, _instruction)


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any, vector: Any = _VECTOR) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    first = builder.gep(data, [builder.mul(index, ir.Constant(index.type, LANES))])
    return builder.bitcast(first, vector.as_pointer())


def _get_vector(typing: Any, array: Any, index: Any) -> Any:
    """Vector ``index`` of a flat array."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], sig.args[1], types.intp)
        return builder.load(_place(context, builder, sig.args[0], args[0], at), align=8)

    return _lanes(array, index), generate


def _set_vector(typing: Any, array: Any, index: Any, value: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], sig.args[1], types.intp)
        builder.store(args[2], _place(context, builder, sig.args[0], args[0], at), align=8)
        return context.get_dummy_value()

    return types.void(array, index, _lanes), generate


def _set_whole_vector(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Into an array of 64-bit integers."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        at = context.cast(builder, args[1], sig.args[1], types.intp)
        place = _place(context, builder, sig.args[0], args[0], at, _WHOLE)
        builder.store(builder.fptosi(args[2], _WHOLE), place, align=8)
        return context.get_dummy_value()

    return types.void(array, index, _lanes), generate


def _vector_of(typing: Any, number: Any) -> Any:
    """The same number in every lane."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        scalar = context.cast(builder, args[0], sig.args[0], types.float64)
        vector = ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(LANES):
            vector = builder.insert_element(vector, scalar, cgutils.intp_t(lane))
        return vector

    return _lanes(number), generate


_get: Any = intrinsic(_get_vector)
_set: Any = intrinsic(_set_vector)
_set_whole: Any = intrinsic(_set_whole_vector)
_all: Any = intrinsic(_vector_of)


@register_jitable
def _room(vectors: int) -> Array:
    """Room for so many vectors, each in one line of the processor's cache."""
    whole = np.zeros((vectors + 1) * LANES)
    skip = (64 - whole.ctypes.data % 64) // 8 % LANES
    return whole[skip : skip + vectors * LANES]


class _Shoes(NamedTuple):
    """Eight shoes by value, as in the odds kernel, the rules they are dealt by, and room to add up in."""

    left: Array
    partners: Array
    hands: Array
    rest: Array
    """By Player's third card (any, none) and Banker's turn: the ways to draw what the coup leaves of six cards."""
    play: Array
    slots: Array
    """By Player's third card and both totals: the code of the end, or of end 0 where Banker draws; ends follow."""
    own: Array
    ends: Array
    taken: Array
    steady: Array


# --- the shoe -------------------------------------------------------------------------------------------


@register_jitable
def _value(rank: int) -> int:
    return rank + 1 if rank < 9 else 0


@register_jitable
def _turn(x: int, p: int, t: int) -> int:
    """Where the rules have Banker's turn on ``t`` after Player, on ``p``, drew a card of value ``x``."""
    return x * 100 + p * 10 + t


@register_jitable
def _take(shoes: _Shoes, value: int, sign: float) -> None:
    """One card of that value leaves, or with a sign of -1 comes back."""
    left, partners, hands = shoes.left, shoes.partners, shoes.hands
    if value == NO_CARD:
        return
    one, two = _all(sign), _all(2.0 * sign)
    if sign < 0:
        for other in range(10):
            at = (value + other) % 10 * 20 + other
            _set(partners, at, _get(partners, at) - one)
            _set(partners, at + 10, _get(partners, at + 10) - one)
    _set(left, value, _get(left, value) - one)
    for total in range(10):
        _set(hands, total, _get(hands, total) - two * _get(partners, total * 20 + value))
    if sign > 0:
        for other in range(10):
            at = (value + other) % 10 * 20 + other
            _set(partners, at, _get(partners, at) - one)
            _set(partners, at + 10, _get(partners, at + 10) - one)


@register_jitable
def _by_value(shoes: _Shoes) -> None:
    """The partners of every card and the hands of every total, from the cards of each value."""
    left, partners, hands = shoes.left, shoes.partners, shoes.hands
    for total in range(10):
        for value in range(20):
            own = _all(1.0 if 2 * value % 10 == total else 0.0)
            _set(partners, total * 20 + value, _get(left, (total - value) % 10) - own)
        hand = _all(0.0)
        for value in range(10):
            hand = hand + _get(left, value) * _get(partners, total * 20 + value)
        _set(hands, total, hand)
    _set(left, NO_CARD, _all(1.0))


@register_jitable
def _rest(shoes: _Shoes) -> None:
    """By Player's third card (any, none) and Banker's turn: the ways to draw what the coup leaves of six cards."""
    left, rest = shoes.left, shoes.rest
    size = _all(0.0)
    for value in range(10):
        size = size + _get(left, value)
    _set(rest, DRAWS, _all(1.0))
    _set(rest, STANDS, size - _all(5.0))
    _set(rest, 3 + DRAWS, size - _all(5.0))
    _set(rest, 3 + STANDS, (size - _all(4.0)) * (size - _all(5.0)))


@register_jitable
def _pairs(ranks: Array, suits: int, single: Array, both: Array) -> None:
    """Ordered pairs by kind and value, of one hand and of both; the kinds are those of the odds kernel."""
    one, two, three = _all(1.0), _all(2.0), _all(3.0)
    kinds = 1 if suits == 1 else 2
    by_rank = _room(13 * kinds)
    for rank in range(13):
        value, at = _value(rank), _value(rank) * 11
        size, suited, twins = _all(0.0), _all(0.0), _all(0.0)
        for suit in range(suits):
            n = _get(ranks, rank * suits + suit)
            size = size + n
            suited = suited + n * (n - one)
        pairs, others = size * (size - one), (size - two) * (size - three)
        if kinds == 1:
            _set(by_rank, rank, pairs)
            _set(both, 100 + at, _get(both, 100 + at) + pairs * others)
        else:
            for suit in range(suits):
                n = _get(ranks, rank * suits + suit)
                twins = twins + n * (n - one) * ((n - two) * (n - three) + suited - n * (n - one))
            _set(by_rank, 2 * rank, pairs - suited)
            _set(by_rank, 2 * rank + 1, suited)
            _set(both, 400 + at, _get(both, 400 + at) + (pairs - two * suited) * others + twins)
            _set(both, 500 + at, _get(both, 500 + at) + suited * others - twins)
            _set(both, 600 + at, _get(both, 600 + at) + suited * others - twins)
            _set(both, 700 + at, _get(both, 700 + at) + twins)
        for kind in range(kinds):
            of_kind = kind * 10 + value
            _set(single, of_kind, _get(single, of_kind) + _get(by_rank, rank * kinds + kind))
    for rank in range(13):
        for other in range(13):
            if other != rank:
                for kind in range(kinds * kinds):
                    ways = _get(by_rank, rank * kinds + kind // kinds) * _get(by_rank, other * kinds + kind % kinds)
                    at = kind * 100 + _value(rank) * 10 + _value(other)
                    _set(both, at, _get(both, at) + ways)


# --- the deals ------------------------------------------------------------------------------------------


@register_jitable
def _count_all(shoes: _Shoes, cells: Array, seen: Array) -> None:
    """All deals: over Player's third card and both totals; for insurance, also by what the windows showed."""
    left, partners, hands, rest = shoes.left, shoes.partners, shoes.hands, shoes.rest
    play, slots, own, ends = shoes.play, shoes.slots, shoes.own, shoes.ends
    two, four = _all(2.0), _all(4.0)
    for x in range(11):
        drawn = _get(left, x)
        none = 3 if x == NO_CARD else 0
        _take(shoes, x, 1.0)
        standing, drawing = drawn * _get(rest, none + STANDS), drawn * _get(rest, none + DRAWS)
        for p in range(10):
            drawn_to = -1
            for v in range(10):
                _set(own, v, _get(left, v) * _get(partners, p * 20 + v))
                _set(ends, v, _all(0.0))
            for t in range(10):
                turn = play[_turn(x, p, t)]
                if turn == IMPOSSIBLE:
                    continue
                shared, as_well = _all(0.0), _all(0.0)  # two sums at a time, as each waits for its last term
                for v in range(0, 10, 2):
                    shared = shared + _get(own, v) * _get(partners, t * 20 + v)
                    as_well = as_well + _get(own, v + 1) * _get(partners, t * 20 + v + 1)
                twins = _all(2.0 if p == t else 0.0)
                to_player, to_banker = _get(hands, p) + twins, _get(hands, t) + twins
                openings = _get(hands, p) * to_banker - four * (shared + as_well)
                if turn == STANDS:
                    slot = slots[_turn(x, p, t)]
                    _set(cells, slot, _get(cells, slot) + standing * openings)
                    if seen.size:
                        _see(seen, x, p, t, 10, standing * openings)
                    continue
                drawn_to = slots[_turn(x, p, t)]
                for v in range(10):
                    of_player, of_banker = _get(partners, p * 20 + v), _get(partners, t * 20 + v)
                    first = to_banker - two * (of_banker + _get(partners, t * 20 + 10 + p - v))
                    second = to_player - two * (of_player + _get(partners, p * 20 + 10 + t - v))
                    free = _get(left, v) * (openings - two * (of_player * first + of_banker * second))
                    end = (t + v) % 10
                    _set(ends, end, _get(ends, end) + free)
                    if seen.size:
                        _see(seen, x, p, t, v, drawing * free)
            if drawn_to >= 0:
                for end in range(10):
                    _set(cells, drawn_to + end, _get(cells, drawn_to + end) + drawing * _get(ends, end))
        _take(shoes, x, -1.0)


@register_jitable
def _see(seen: Array, x: int, p: int, t: int, v: int, ways: Any) -> None:
    """Add deals to what the windows of insurance showed: window, points, and who won (Player, Banker, neither)."""
    end = (p + x) % 10 if x < NO_CARD else p
    banker = (t + v) % 10 if v < 10 else t
    winner = 2 if end == banker else (0 if end > banker else 1)
    if x < NO_CARD or v < 10:
        at = (p * 10 + t) * 3 + winner
        _set(seen, at, _get(seen, at) + ways)
    if x < NO_CARD and v < 10:
        at = 300 + (end * 10 + t) * 3 + winner
        _set(seen, at, _get(seen, at) + ways)


@register_jitable
def _count_pairs(shoes: _Shoes, single: Array, cells: Array) -> None:
    """Deals in which a hand pairs: over the pair's value; the pair is out of the shoe, Player's third card x is not.

    The other hand, of total o, and Banker's third card v then come in (n(v) - [v = x]) (h(o) - 2 m(o, x) - 2 m(o, v) +
    2 [v + x = o]) ways. What does not depend on x is summed beforehand, the brackets are added one by one.
    """
    for a in range(10):
        _take(shoes, a, 1.0)
        _take(shoes, a, 1.0)
        _count_player_pairs(shoes, single, cells, a)
        _count_banker_pairs(shoes, single, cells, a)
        _count_banker_pairs_after_two(shoes, single, cells, a)
        _take(shoes, a, -1.0)
        _take(shoes, a, -1.0)


@register_jitable
def _count_player_pairs(shoes: _Shoes, single: Array, cells: Array, a: int) -> None:
    """Player has a pair of value a: over x and Banker's totals, those that draw being the lowest."""
    left, partners, hands, rest = shoes.left, shoes.partners, shoes.hands, shoes.rest
    play, slots, ends, taken = shoes.play, shoes.slots, shoes.ends, shoes.taken
    steady = shoes.steady
    kinds = single.size // (10 * LANES)
    two = _all(2.0)
    pair = 2 * a % 10
    _sum_steady(shoes)
    for x in range(11):
        if x < NO_CARD and play[_turn(x, pair, 0)] == IMPOSSIBLE:
            continue
        drawn = _get(left, x)
        none = 3 if x == NO_CARD else 0
        standing, drawing = drawn * _get(rest, none + STANDS), drawn * _get(rest, none + DRAWS)
        drawn_on = 0
        for t in range(10):
            turn = play[_turn(x, pair, t)]
            if turn == DRAWS:
                drawn_on = t + 1
            elif turn == STANDS:
                hand = _get(hands, t)
                if x < NO_CARD:
                    hand = hand - two * _get(partners, t * 20 + x)
                for kind in range(kinds):
                    at = (1 + kind) * CODES + slots[_turn(x, pair, t)]
                    _set(cells, at, _get(cells, at) + _get(single, kind * 10 + a) * standing * hand)
        if drawn_on == 0:
            continue
        for end in range(10):
            _set(ends, end, _get(steady, (drawn_on - 1) * 10 + end))
        if x < NO_CARD:
            # always as many terms, some times zero: a loop of varying length costs more than it saves
            for t in range(7):
                _set(taken, t, _all(2.0 if t < drawn_on else 0.0) * _get(partners, t * 20 + x))
            for end in range(10):
                found = _get(ends, end)
                for t in range(7):
                    found = found - _get(left, (10 + end - t) % 10) * _get(taken, t)
                _set(ends, end, found)
            _mend_player(shoes, x, drawn_on)
        for kind in range(kinds):
            ways, first = _get(single, kind * 10 + a) * drawing, (1 + kind) * CODES + slots[_turn(x, pair, 0)]
            for end in range(10):
                _set(cells, first + end, _get(cells, first + end) + ways * _get(ends, end))


@register_jitable
def _sum_steady(shoes: _Shoes) -> None:
    """By Banker's highest total that draws, and the end: the sum of n(v) (h(t) - 2 m(t, v))."""
    left, partners, hands, steady = shoes.left, shoes.partners, shoes.hands, shoes.steady
    two = _all(2.0)
    for end in range(10):
        found = _all(0.0)
        for t in range(8):
            v = (10 + end - t) % 10
            found = found + _get(left, v) * (_get(hands, t) - two * _get(partners, t * 20 + v))
            _set(steady, t * 10 + end, found)


@register_jitable
def _mend_player(shoes: _Shoes, x: int, drawn_on: int) -> None:
    """What the two brackets in the sum come to."""
    left, partners, hands, ends = shoes.left, shoes.partners, shoes.hands, shoes.ends
    one, two, four = _all(1.0), _all(2.0), _all(4.0)
    for t in range(drawn_on):
        end, other = (t + x) % 10, (10 + t - x) % 10
        fewer = _get(hands, t) - four * _get(partners, t * 20 + x)
        _set(ends, end, _get(ends, end) - fewer)
        more = _get(left, other)
        if other == x:
            more = more - one
        _set(ends, (t + other) % 10, _get(ends, (t + other) % 10) + two * more)


@register_jitable
def _count_banker_pairs(shoes: _Shoes, single: Array, cells: Array, a: int) -> None:
    """Banker has a pair of value a, Player three cards: over Player's end; x decides Player's opening p."""
    left, partners, hands, rest = shoes.left, shoes.partners, shoes.hands, shoes.rest
    play, slots, ends, taken = shoes.play, shoes.slots, shoes.ends, shoes.taken
    kinds = single.size // (10 * LANES)
    two = _all(2.0)
    pair = 2 * a % 10
    for final in range(10):
        first_slot = -1
        steady = _all(0.0)
        for x in range(10):
            p = (10 + final - x) % 10
            turn = play[_turn(x, p, pair)]
            if turn == IMPOSSIBLE:
                continue
            ways = _get(left, x) * (_get(hands, p) - two * _get(partners, p * 20 + x))
            if turn == DRAWS:
                first_slot = slots[_turn(x, p, pair)]
                steady = steady + ways
                continue
            for kind in range(kinds):
                at = (1 + kinds + kind) * CODES + slots[_turn(x, p, pair)]
                _set(cells, at, _get(cells, at) + _get(single, kind * 10 + a) * _get(rest, STANDS) * ways)
        if first_slot < 0:
            continue
        for p in range(6):
            x = (10 + final - p) % 10
            _set(taken, p, _all(2.0 if play[_turn(x, p, pair)] == DRAWS else 0.0) * _get(left, x))
        for v in range(10):
            found = steady
            for p in range(6):
                found = found - _get(taken, p) * _get(partners, p * 20 + v)
            _set(ends, v, _get(left, v) * found)
        for x in range(10):
            p = (10 + final - x) % 10
            if play[_turn(x, p, pair)] == DRAWS:
                _mend_banker(shoes, x, p)
        for kind in range(kinds):
            pairs, first = _get(single, kind * 10 + a), (1 + kinds + kind) * CODES + first_slot
            for v in range(10):
                at = first + (pair + v) % 10
                _set(cells, at, _get(cells, at) + pairs * _get(ends, v))


@register_jitable
def _mend_banker(shoes: _Shoes, x: int, p: int) -> None:
    """What the two brackets in the sum come to."""
    left, partners, hands, ends = shoes.left, shoes.partners, shoes.hands, shoes.ends
    one, two, four = _all(1.0), _all(2.0), _all(4.0)
    drawn = _get(left, x)
    fewer = _get(hands, p) - four * _get(partners, p * 20 + x)
    _set(ends, x, _get(ends, x) - drawn * fewer)
    other = (10 + p - x) % 10
    more = _get(left, other)
    if other == x:
        more = more - one
    _set(ends, other, _get(ends, other) + two * drawn * more)


@register_jitable
def _count_banker_pairs_after_two(shoes: _Shoes, single: Array, cells: Array, a: int) -> None:
    """The same where Player stands on two cards."""
    left, partners, hands, rest = shoes.left, shoes.partners, shoes.hands, shoes.rest
    play, slots = shoes.play, shoes.slots
    kinds = single.size // (10 * LANES)
    two = _all(2.0)
    pair = 2 * a % 10
    for p in range(10):
        turn = play[_turn(NO_CARD, p, pair)]
        if turn == IMPOSSIBLE:
            continue
        ways = _get(rest, 3 + turn)
        for kind in range(kinds):
            pairs, first = (
                _get(single, kind * 10 + a) * ways,
                (1 + kinds + kind) * CODES + slots[_turn(NO_CARD, p, pair)],
            )
            if turn == STANDS:
                _set(cells, first, _get(cells, first) + pairs * _get(hands, p))
                continue
            for v in range(10):
                at = first + (pair + v) % 10
                free = _get(left, v) * (_get(hands, p) - two * _get(partners, p * 20 + v))
                _set(cells, at, _get(cells, at) + pairs * free)


@register_jitable
def _count_both_pairs(shoes: _Shoes, both: Array, cells: Array) -> None:
    """Deals in which both hands pair: over their totals, the values that make them, and Player's third card.

    The pairs are not taken out of the shoe. With k(y) for the pairs of value y, x is one of n(x) - 2 k(x) cards and v
    one of n(v) - 2 k(v) - [v = x]; multiplied out, the sums over the pairs come first.
    """
    left, rest, play, slots = shoes.left, shoes.rest, shoes.play, shoes.slots
    kinds = both.size // (100 * LANES)
    state = cells.size // ((CODES + 1) * LANES) - kinds
    one, two = _all(1.0), _all(2.0)
    touched = _room(10)
    together = _room(100)
    for p in range(0, 10, 2):
        for t in range(0, 10, 2):
            touched[:] = 0
            together[:] = 0
            for kind in range(kinds):
                if kind * 2 >= kinds and p != t:
                    break  # pairs of one rank have one value
                pairs = _sum_pairs(both, kind, p, t, touched, together)
                for x in range(11):
                    turn = play[_turn(x, p, t)]
                    if turn == IMPOSSIBLE:
                        continue
                    ways = _get(left, x) * pairs
                    if x < NO_CARD:
                        ways = ways - two * _get(touched, x)
                    factor = _get(rest, (3 if x == NO_CARD else 0) + turn)
                    first = (state + kind) * CODES + slots[_turn(x, p, t)]
                    if turn == STANDS:
                        _set(cells, first, _get(cells, first) + ways * factor)
                        continue
                    drawn = two * _get(left, x)
                    for v in range(10):
                        cards = _get(left, v) - one if v == x else _get(left, v)
                        found = ways * cards - drawn * _get(touched, v)
                        if x < NO_CARD:
                            found = found + _get(together, x * 10 + v)
                        at = first + (t + v) % 10
                        _set(cells, at, _get(cells, at) + factor * found)


@register_jitable
def _sum_pairs(both: Array, kind: int, p: int, t: int, touched: Array, together: Array) -> Any:
    """All pairs of two totals; times k(y); times 4 k(x) k(v)."""
    four = _all(4.0)
    found = _all(0.0)
    for one in (p // 2, p // 2 + 5, t // 2, t // 2 + 5):
        _set(touched, one, _all(0.0))
        for other in (p // 2, p // 2 + 5, t // 2, t // 2 + 5):
            _set(together, one * 10 + other, _all(0.0))
    for a in (p // 2, p // 2 + 5):
        for c in (t // 2, t // 2 + 5):
            ways = _get(both, kind * 100 + a * 10 + c)
            found = found + ways
            for one in (a, c):
                _set(touched, one, _get(touched, one) + ways)
                for other in (a, c):
                    at = one * 10 + other
                    _set(together, at, _get(together, at) + four * ways)
    return found


@register_jitable
def _sum_states(shoes: _Shoes, single: Array, both: Array, cells: Array, at: int) -> None:
    """All deals of each state, whatever their end; that takes no Table of Play."""
    size = _get(shoes.rest, STANDS) + _all(5.0)
    two_left = (size - _all(4.0)) * (size - _all(5.0))
    four_left = (size - _all(2.0)) * (size - _all(3.0)) * two_left
    kinds = single.size // (10 * LANES)
    for kind in range(kinds):
        found = _all(0.0)
        for value in range(10):
            found = found + _get(single, kind * 10 + value)
        _set(cells, at + 1 + kind, found * four_left)
        _set(cells, at + 1 + kinds + kind, found * four_left)
    for kind in range(2 * kinds * kinds):
        found = _all(0.0)
        for value in range(100):
            found = found + _get(both, kind * 100 + value)
        _set(cells, at + 1 + 2 * kinds + kind, found * two_left)


@register_jitable
def _add_up(cells: Array, terms: Array, factors: Array, starts: Array, ways: Array, block: int) -> None:
    """The deals of each line: a sum of cells, each with its factor."""
    blocks = ways.shape[1] // LANES
    flat = ways.reshape(-1)
    for line in range(ways.shape[0]):
        found = _all(0.0)
        for at in range(starts[line], starts[line + 1]):
            found = found + _all(factors[at]) * _get(cells, terms[at])
        _set(flat, line * blocks + block, found)


@register_jitable
def _fold(cells: Array, kinds: int, numbers: Array, folded: Array, weights: Array, block: int) -> None:
    """The deals of every outcome, from those of states that overlap; ``numbers[code, state]`` is its row, or -1."""
    blocks = weights.shape[1] // LANES
    flat = weights.reshape(-1)
    states = numbers.size // CODES
    for code in range(CODES):
        for state in range(states):
            _set(folded, state, _get(cells, state * CODES + code))
        none = _get(folded, 0)
        for kind in range(2 * kinds):
            none = none - _get(folded, 1 + kind)
        for number in range(2 * kinds * kinds):
            together = _get(folded, 1 + 2 * kinds + number)
            player, banker = 1 + number // kinds % kinds, 1 + kinds + number % kinds
            none = none + together
            _set(folded, player, _get(folded, player) - together)
            _set(folded, banker, _get(folded, banker) - together)
        _set(folded, 0, none)
        for state in range(states):
            row = numbers[code * states + state]
            if row >= 0:
                _set_whole(flat, row * blocks + block, _get(folded, state))


@register_jitable
def _copy(cells: Array, out: Array, block: int) -> None:
    """Each vector to its row, where it is wanted at all."""
    blocks = out.shape[1] // LANES
    flat = out.reshape(-1)
    for row in range(out.shape[0]):
        _set(flat, row * blocks + block, _get(cells, row))


def _count_shoes(
    compositions: Array,
    play: Array,
    slots: Array,
    terms: Array,
    factors: Array,
    starts: Array,
    ways: Array,
    detailed: bool,
    numbers: Array,
    weights: Array,
    first: int,
    seen_out: Array,
) -> None:
    """Count shoes, ``compositions[kind, shoe]`` with 10, 13 or 52 kinds, and add the deals up to ``ways[line, shoe]``.

    A line is a sum of cells: ``state * 205 + code`` by the overlapping states of the odds kernel, and behind these, one
    for each state, the deals of all codes. Those of the states with pairs by code are counted only where ``detailed``.
    ``weights[outcome, first + shoe]`` are the deals of every outcome, and ``seen_out[spot, shoe]`` what the windows of
    insurance showed; either may have no rows. ``first`` and the number of shoes are multiples of eight.
    """
    kinds_of_cards = compositions.shape[0]
    suits = 4 if kinds_of_cards == 52 else 1
    kinds = 0 if kinds_of_cards == 10 else (1 if suits == 1 else 2)
    states = 1 + 2 * kinds + 2 * kinds * kinds
    shoes = _Shoes(
        _room(11),
        _room(200),
        _room(10),
        _room(6),
        play,
        slots,
        _room(10),
        _room(10),
        _room(7),
        _room(80),
    )
    left = shoes.left
    ranks = _room(kinds_of_cards)
    single, both = _room(kinds * 10), _room(2 * kinds * kinds * 100)
    cells = _room(states * CODES + states)
    folded = _room(states)
    seen = _room(seen_out.shape[0])
    flat = compositions.reshape(-1)
    blocks = compositions.shape[1] // LANES
    for block in range(blocks):
        cells[:] = 0
        seen[:] = 0
        single[:] = 0
        both[:] = 0
        left[:] = 0
        for kind in range(kinds_of_cards):
            count = _get(flat, kind * blocks + block)
            _set(ranks, kind, count)
            value = kind if kinds == 0 else _value(kind // suits)
            _set(left, value, _get(left, value) + count)
        _by_value(shoes)
        _rest(shoes)
        _count_all(shoes, cells, seen)
        if kinds:
            _pairs(ranks, suits, single, both)
            _sum_states(shoes, single, both, cells, states * CODES)
        if kinds and detailed:
            _count_pairs(shoes, single, cells)
            _count_both_pairs(shoes, both, cells)
        _add_up(cells, terms, factors, starts, ways, block)
        if weights.shape[0]:
            _fold(cells, kinds, numbers, folded, weights, first // LANES + block)
        _copy(seen, seen_out, block)


try:
    count_shoes = njit(cache=True, nogil=True)(_count_shoes)
except RuntimeError:  # there is no folder that the cache could be written to
    count_shoes = njit(nogil=True)(_count_shoes)
