"""Exact odds of many shoes at once: arrays in, arrays out, the same integers as :mod:`puntobanco.odds` has for one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from puntobanco.bets import members, payoffs
from puntobanco.cards import CARDS, RANKS, CardError, Composition, Side
from puntobanco.lab import batch_kernel
from puntobanco.lab.batch_kernel import CODES, DRAWS, LANES, NO_CARD, STANDS
from puntobanco.lab.frames import frame
from puntobanco.odds import ShoeTooShort, insurance_odds, weights
from puntobanco.odds.deals import PATHS, ROUND, Path
from puntobanco.outcomes import Space
from puntobanco.rules.model import InsuranceRow, Layout, RuleBook, Window

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

EXACT = 2**53
"""Whole numbers up to here are exact as float64."""
LARGEST = 1450
"""The most cards with which all deals still have a number of 64 bits."""
CHUNK = 1024
"""Shoes that a core counts at a time."""
_VALUES = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
KINDS: dict[int, tuple[str, ...]] = {
    10: _VALUES,
    13: tuple(str(rank.value) for rank in RANKS),
    52: tuple(card.text for card in CARDS),
}
"""What the columns of a composition count: the ten values from 0 to 9, the ranks from Ace to King, or the 52 cards."""
_WINDOWS = (Window.FOUR_CARDS, Window.PLAYER_THIRD)


class RowAt(msgspec.Struct, frozen=True):
    """An insurance row at one pair of points; ``own`` are those of the insured hand."""

    row: InsuranceRow
    own: int
    other: int

    @property
    def name(self) -> str:
        return f"{self.row.hand.value}_insurance {self.row.window.value} {self.own}-{self.other}"


class BatchOdds(msgspec.Struct, frozen=True, eq=False):
    """Many shoes against a game. Rows are shoes; columns are lines, bets, outcomes or insurance rows."""

    codes: tuple[str, ...]
    lines: tuple[tuple[str, Fraction], ...]
    """The bet and the gain per unit staked of each line: every bet has one for each gain, the last is the loss."""
    total: Integers
    ways: Integers
    """Deals of each line."""
    ev: Floats
    variance: Floats
    weights: Integers | None = None
    """Deals of each outcome of the game's space, where they were asked for."""
    rows: tuple[RowAt, ...] = ()
    insurance: Integers | None = None
    """By shoe and insurance row: deals that win, that are returned, that lose; where they were asked for."""

    def __len__(self) -> int:
        return len(self.total)

    def exact(self, shoe: int, code: str) -> Fraction:
        """The expectation of a bet, as a fraction."""
        ways: list[int] = self.ways[shoe].tolist()
        gained = sum(gain * count for (bet, gain), count in zip(self.lines, ways, strict=True) if bet == code)
        return Fraction(gained) / int(self.total[shoe])

    def of(self, code: str) -> Floats:
        """The expectation of one bet, shoe by shoe."""
        return self.ev[:, self.codes.index(code)]

    @property
    def probability(self) -> Floats:
        """Of each line."""
        return self.ways / self.total[:, None]

    @property
    def beatable(self) -> dict[str, int]:
        """The bets that favour the player, and in how many of the shoes."""
        ahead = np.count_nonzero(self.ev > 0, axis=0)
        return {code: int(count) for code, count in zip(self.codes, ahead, strict=True) if count}

    @property
    def insurance_ev(self) -> Floats:
        """The expectation of every insurance row; not a number where the shoe cannot show the points."""
        assert self.insurance is not None
        pays = np.array([float(each.row.odds.fraction) for each in self.rows])
        win, push, lose = (self.insurance[:, :, part].astype(np.float64) for part in range(3))
        shown = win + push + lose
        found: Floats = np.divide(pays * win - lose, shown, out=np.full(shown.shape, np.nan), where=shown > 0)
        return found

    def columns(self) -> dict[str, NDArray[Any]]:
        """The expectation of every bet, and of every insurance row that was asked for."""
        found: dict[str, NDArray[Any]] = {code: self.ev[:, index] for index, code in enumerate(self.codes)}
        if self.insurance is not None:
            found |= {row.name: self.insurance_ev[:, index] for index, row in enumerate(self.rows)}
        return found

    def frame(self) -> Any:
        """The same as a data frame of Polars or pandas."""
        return frame(self.columns())


class Batch:
    """A game made ready to be solved for thousands of shoes.

    >>> from puntobanco import find_book
    >>> solved = Batch(find_book("super-six")).solve([[32] * 13, [20, 24, 22, 25, 20, 31, 12, 10, 9, 20, 21, 22, 20]])
    >>> solved.of("super_six").round(4).tolist()
    [-0.1382, 0.1366]
    """

    def __init__(self, book: RuleBook, layout: Layout | None = None) -> None:
        self.book = book
        self.space = book.space
        self._tables = {bet.code: payoffs(book)[bet.code].by_gain for bet in book.menu(layout)}
        offered = book.insurance is not None and (layout is None or layout.insurance)
        rows = book.insurance.rows if book.insurance and offered else ()
        self.rows = tuple(RowAt(row, own, other) for row in rows for own, other in product(row.own, row.other))
        self._plans: dict[bool, _Plan] = {}

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(self._tables)

    def solve(
        self,
        shoes: ArrayLike | Sequence[Composition],
        *,
        weights: bool = False,
        insurance: bool = False,
        cores: int = 1,
    ) -> BatchOdds:
        """The exact odds of every bet, for shoes by values (10 columns), ranks (13) or cards (52).

        Of shoes by values only the bets are solved that do not ask for pairs.
        """
        counts = self._counts(shoes)
        plan = self.plan(pairs=counts.shape[1] > 10)
        if weights and not plan.pairs:
            raise CardError("the weights of all outcomes take shoes by ranks or by cards, for the sake of the pairs")
        out = _Out(len(counts), plan, self.space.size if weights else 0, len(self.rows) if insurance else -1)
        starts = range(0, len(counts), CHUNK)

        def work(start: int) -> None:
            self._chunk(counts[start : start + CHUNK], plan, out, start)

        if cores == 1 or len(starts) == 1:
            for start in starts:
                work(start)
        else:
            with ThreadPoolExecutor(cores) as pool:
                list(pool.map(work, starts))
        return out.finish(self.rows if insurance else ())

    def _counts(self, shoes: ArrayLike | Sequence[Composition]) -> Integers:
        if isinstance(shoes, Sequence) and shoes and isinstance(shoes[0], Composition):
            suited = self.space.suited
            shoes = [shoe.counts if suited else shoe.ranks for shoe in shoes]  # type: ignore[union-attr]
        counts = np.asarray(shoes)
        if counts.ndim != 2 or counts.shape[1] not in KINDS:
            raise CardError("shoes are rows of 10 counts (by value), 13 (by rank) or 52 (by card)")
        if not np.issubdtype(counts.dtype, np.integer):
            raise CardError("the cards of a shoe are whole numbers")
        if counts.size and counts.min() < 0:
            raise CardError("a shoe has no negative counts")
        if self.space.suited and counts.shape[1] != 52:
            raise CardError("this game tells suited pairs from others: count its shoes by card, 52 columns")
        if not self.space.suited and counts.shape[1] == 52:
            counts = counts.reshape(len(counts), 13, 4).sum(axis=2)
        counts = counts.astype(np.int64)
        sizes = counts.sum(axis=1)
        if len(sizes) and sizes.max() > LARGEST:
            shoe = int(sizes.argmax())
            raise CardError(f"shoe {shoe + 1} has {sizes[shoe]} cards: {LARGEST} are the most for many shoes at once")
        return counts

    def plan(self, *, pairs: bool) -> _Plan:
        if pairs not in self._plans:
            self._plans[pairs] = _Plan(self.space, self._tables, pairs)
        return self._plans[pairs]

    def _chunk(self, counts: Integers, plan: _Plan, out: _Out, start: int) -> None:
        number = len(counts)
        padded = _eights(number)
        columns = np.zeros((counts.shape[1], padded))
        columns[:, :number] = counts.T
        ways = np.zeros((len(plan.gains), padded))
        nothing = np.zeros((0, padded), np.int64)
        seen = np.zeros((600 if out.insurance is not None else 0, padded))
        batch_kernel.count_shoes(
            columns,
            PLAY,
            _SLOTS,
            plan.terms,
            plan.factors,
            plan.starts,
            ways,
            plan.detailed or out.weights is not None,
            plan.numbers,
            nothing if out.weights is None else out.weights,
            start,
            seen,
        )  # fmt: skip
        part = slice(start, start + number)
        out.total[part] = _totals(counts.sum(axis=1))
        out.ways[part] = ways[:, :number].T
        if out.insurance is not None:
            out.insurance[part] = self._insured(seen[:, :number].T.astype(np.int64))
        for index in np.flatnonzero(out_of_reach(counts)):
            self._one(counts[index], plan, out, start + int(index))

    def _one(self, counts: Integers, plan: _Plan, out: _Out, at: int) -> None:
        """A shoe too short or too large for the lanes, by the odds of one."""
        ranks = (*counts[1:].tolist(), int(counts[0]), 0, 0, 0) if len(counts) == 10 else tuple(counts.tolist())
        shoe = Composition(ranks)
        try:
            found = weights(shoe, self.space)
        except ShoeTooShort as error:
            raise CardError(f"shoe {at + 1}: {error}") from None
        out.total[at] = found.total
        out.ways[at] = [found.of(bits) for bits in plan.sets]
        if out.weights is not None:
            out.weights[:, at] = np.array(found.counts, np.int64)
        if out.insurance is not None:
            out.insurance[at] = [(row.win, row.push, row.lose) for row in insurance_odds(self.book, shoe)]

    def _insured(self, seen: Integers) -> Integers:
        """From winners by window and points to what becomes of every row."""
        found = np.zeros((len(seen), len(self.rows), 3), np.int64)
        for index, each in enumerate(self.rows):
            row = each.row
            points = (each.own, each.other) if row.hand is Side.PLAYER else (each.other, each.own)
            first = _WINDOWS.index(row.window) * 300 + (points[0] * 10 + points[1]) * 3
            player, banker, tie = (seen[:, first + winner] for winner in range(3))
            lose, win = (player, banker) if row.hand is Side.PLAYER else (banker, player)
            found[:, index] = np.stack((win + tie * row.tie_pays, tie * (not row.tie_pays), lose), axis=1)
        return found


class _Plan:
    """The lines of a menu as sums over what the kernel counts: by code, and by pair states that overlap."""

    def __init__(self, space: Space, tables: dict[str, dict[Fraction, int]], pairs: bool) -> None:
        self.pairs = pairs
        self.states = len(space.states) if pairs else 1
        self._width = len(space.states)
        self._all = space.all
        self.codes: list[str] = []
        self.sets: list[int] = []
        self.gains: list[Fraction] = []
        self.ends: list[int] = []
        self.detailed = False
        """Whether a bet asks for pairs and totals together, so that pairs are to be counted by their codes."""
        terms: list[dict[int, int]] = []
        for code, table in tables.items():
            sums = [self._terms(outcomes) for outcomes in table.values()]
            if not pairs and any(state for each in sums for state, _ in each):
                continue
            self.codes.append(code)
            self.sets += table.values()
            self.gains += table
            self.ends.append(len(self.gains))
            terms += map(self._cells, sums)
        self.terms = np.array([term for each in terms for term in each], np.int64)
        self.factors = np.array([factor for each in terms for factor in each.values()], np.float64)
        self.starts = np.cumsum([0, *map(len, terms)])

    def _terms(self, outcomes: int) -> dict[tuple[int, int], int]:
        """A set of outcomes by inclusion and exclusion: state and slot → how often its cell is added.

        An outcome that cannot occur is taken for inside or outside, whichever saves a term.
        """
        kinds = 2 if self._width > 5 else 1
        found: dict[tuple[int, int], int] = {}
        for code in dict.fromkeys(number // self._width for number in members(outcomes)):
            inside = [outcomes >> code * self._width + state & 1 for state in range(self._width)]
            occurs = [self._all >> code * self._width + state & 1 for state in range(self._width)]
            none = inside[0]
            for state in range(1, 1 + 2 * kinds):
                inside[state] = inside[state] if occurs[state] else none
            factors = [none, *(each - none for each in inside[1 : 1 + 2 * kinds])]
            for number, each in enumerate(inside[1 + 2 * kinds :]):
                player, banker = inside[1 + number // kinds % kinds], inside[1 + kinds + number % kinds]
                factors.append((each - player - banker + none) * occurs[1 + 2 * kinds + number])
            found |= {(state, _SLOT_OF_CODE[code]): factor for state, factor in enumerate(factors) if factor}
        return found

    def _cells(self, terms: dict[tuple[int, int], int]) -> dict[int, int]:
        """The kernel's cells of a sum. Where a state counts alike whatever the code, all its codes are one cell."""
        found: dict[int, int] = {}
        for state in range(self.states):
            factors = {slot: factor for (each, slot), factor in terms.items() if each == state}
            same = set(factors.values())
            if state and len(same) == 1 and factors.keys() == self._slots_of(state):
                found[self.states * CODES + state] = same.pop()
            else:
                self.detailed |= bool(state and factors)
                found |= {state * CODES + slot: factor for slot, factor in factors.items()}
        return found

    def _slots_of(self, state: int) -> set[int]:
        """The codes with which a state can occur."""
        return {slot for code, slot in _SLOT_OF_CODE.items() if self._all >> code * self._width + state & 1}

    @cached_property
    def floats(self) -> Floats:
        """The gains."""
        return np.array([float(gain) for gain in self.gains])

    @cached_property
    def numbers(self) -> Integers:
        """By slot and state the number of the outcome, or -1 where it cannot occur."""
        return np.array(
            [
                number if self._all >> number & 1 else -1
                for code in CODE_OF_SLOT.tolist()
                for number in range(code * self._width, code * self._width + self.states)
            ]
        )


class _Out:
    """Where the chunks put what they find."""

    def __init__(self, shoes: int, plan: _Plan, outcomes: int, rows: int) -> None:
        self._plan = plan
        self.total: Integers = np.zeros(shoes, np.int64)
        self.ways: Integers = np.zeros((shoes, len(plan.gains)), np.int64)
        # an outcome's row is written eight shoes at a time
        self.weights: Integers | None = np.zeros((outcomes, _eights(shoes)), np.int64) if outcomes else None
        self.insurance: Integers | None = np.zeros((shoes, rows, 3), np.int64) if rows >= 0 else None

    def finish(self, rows: tuple[RowAt, ...]) -> BatchOdds:
        plan = self._plan
        gains, by_line = plan.floats, np.ascontiguousarray(self.ways.T)
        # what is not won or returned is lost; the loss has a line of its own, behind those of its bet
        ev, square, lines, ways = [], [], [], []
        for code, (first, last) in zip(plan.codes, pairwise([0, *plan.ends]), strict=True):
            lost = self.total - by_line[first:last].sum(axis=0)
            part = slice(first, last)
            # in this order, each step rounded, so that a GPU finds the same to the last bit
            won, squares = np.zeros(len(lost)), np.zeros(len(lost))
            for line in range(first, last):
                gained = gains[line] * by_line[line]
                won += gained
                squares += gains[line] * gained
            ev.append((won - lost) / self.total)
            square.append((squares + lost) / self.total)
            lines += [*((code, gain) for gain in plan.gains[part]), (code, Fraction(-1))]
            ways += [self.ways[:, part], lost[:, None]]
        mean = np.stack(ev, axis=1)
        return BatchOdds(
            tuple(plan.codes),
            tuple(lines),
            self.total,
            np.concatenate(ways, axis=1),
            mean,
            np.stack(square, axis=1) - mean**2,
            None if self.weights is None else self.weights.T[: len(self.total)],
            rows,
            self.insurance,
        )


def _eights(number: int) -> int:
    """The next multiple of the lanes."""
    return -(-number // LANES) * LANES


def _totals(sizes: Integers) -> Integers:
    """Deals of six cards; those of a shoe that has fewer are counted with it."""
    total = sizes.copy()
    for dealt in range(1, ROUND):
        total *= sizes - dealt
    return total


def out_of_reach(counts: Integers) -> NDArray[np.bool_]:
    """Shoes that the lanes cannot count exactly.

    A line's sum goes up to all deals, once more those with a pair on each side, and twice those with both.
    """
    sizes = counts.sum(axis=1)
    ranks = counts.reshape(len(counts), 13, -1).sum(axis=2) if counts.shape[1] != 10 else counts[:, :0]
    n = sizes.astype(np.float64)
    paired = (ranks * (ranks - 1)).sum(axis=1) / np.maximum(n * (n - 1), 1)
    total = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5)
    out: NDArray[np.bool_] = (sizes < ROUND) | (total * (1 + 4 * paired) >= EXACT)
    return out


class _End(NamedTuple):
    """An outcome without its pairs, in the order of the kernel's slots: Banker's ends stand together."""

    player: int
    player_three: bool
    banker_three: bool
    banker: int

    @property
    def code(self) -> int:
        """The number that spaces build on."""
        return ((self.player * 10 + self.banker) * 2 + self.player_three) * 2 + self.banker_three


def _end(path: Path) -> _End:
    return _End(path.player_end, path.player_third is not None, path.banker_third is not None, path.banker_end)


def _rules() -> tuple[NDArray[np.uint8], Integers, dict[int, int]]:
    """The Table of Play for the kernel: Banker's turn, the slot of the end, and the slot of every code."""
    slots = {end: slot for slot, end in enumerate(sorted(set(map(_end, PATHS))))}
    play, first = np.zeros((11, 10, 10), np.uint8), np.zeros((11, 10, 10), np.int64)
    for path in PATHS:
        end = _end(path)
        turn = NO_CARD if path.player_third is None else path.player_third, path.player, path.banker
        play[turn] = DRAWS if end.banker_three else STANDS
        first[turn] = slots[end._replace(banker=0) if end.banker_three else end]
    for totals in (play == DRAWS).reshape(-1, 10).tolist():
        # the kernel takes the totals on which Banker draws for a range from 0
        assert totals == sorted(totals, reverse=True)
    return play.reshape(-1), first.reshape(-1), {end.code: slot for end, slot in slots.items()}


PLAY, _SLOTS, _SLOT_OF_CODE = _rules()
CODE_OF_SLOT = np.array(sorted(_SLOT_OF_CODE, key=_SLOT_OF_CODE.__getitem__))


def removal(book: RuleBook, shoe: Composition, layout: Layout | None = None) -> dict[str, dict[str, Fraction]]:
    """The effect of removal: by bet and kind of card, what one such card less in the shoe adds to the expectation.

    Kinds are ranks, or cards where the shoe is counted by card; those of which the shoe has none are left out.

    >>> from puntobanco import find_book
    >>> effects = removal(find_book("super-six"), Composition.of_decks(8))
    >>> f"{float(effects['banker']['8']):.5%} {float(effects['tie']['8']):.5%}"
    '-0.00502% 0.06543%'
    """
    kinds = [index for index, count in enumerate(shoe.counts) if count]
    shoes = [shoe.counts] + [_less(shoe.counts, index) for index in kinds]
    batch = Batch(book, layout)
    found = batch.solve(np.array(shoes))
    names = KINDS[len(shoe.counts)]
    return {
        code: {names[kind]: found.exact(row, code) - found.exact(0, code) for row, kind in enumerate(kinds, 1)}
        for code in found.codes
    }


def removal_by_rank(book: RuleBook, decks: int, layout: Layout | None = None) -> dict[str, dict[str, Fraction]]:
    """The effect of removal in full decks, Ace to King. Where suits matter, those of a rank's four cards are alike."""
    effects = removal(book, Composition.of_decks(decks, suited=book.suited), layout)
    suit = CARDS[0].text[1:] if book.suited else ""
    return {code: {name: by_kind[name + suit] for name in KINDS[13]} for code, by_kind in effects.items()}


def _less(counts: Iterable[int], index: int) -> tuple[int, ...]:
    return tuple(count - (kind == index) for kind, count in enumerate(counts))
