"""The sums of a counting study: exact odds before every round of shoe after shoe, added up in whole numbers.

An expectation is rounded to a multiple of 2⁻³² once, the same way wherever it was found, and all that follows is
arithmetic of whole numbers. So shoes may be looked at in any order and any split, on cores, machines or a GPU: the sums
are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.cards import CARDS_IN_DECK, Composition
from puntobanco.lab import insurance_kernel
from puntobanco.lab.batch import Batch, out_of_reach
from puntobanco.lab.count_kernel import HALF, count_shoes
from puntobanco.lab.device import Device, DeviceInsurance, DeviceOdds, DeviceShoes
from puntobanco.lab.known import SEEN, SIDES, WINDOWS, deal_known, offers, ranks_of, values_of
from puntobanco.lab.shoes import Dealing, SimulationError, check_seed, rank_of
from puntobanco.rules.model import RuleBook

UNIT = 2**32
"""What a unit staked is counted as."""
TAG = 10**6
"""What 1 is counted as in a tag of a count."""
MOST_TAG = 1000
STEP = 0.5
"""Between two triggers."""
CHUNK = 250
"""Shoes that a core looks at together."""
GPU_CHUNK = 2**15
DEPTHS = (26, 52, 104, 156, 208)
"""Further depths of the Cut Card, in cards behind it, that one run reports where it deals deeper than that."""
TRIGGERS = 80
"""True counts from 0 in such steps, at which betting may begin."""


class Tally:
    """Sums over shoes, by name. They are Python's integers: no number of shoes is too large for them."""

    def __init__(self, shoes: int = 0, rounds: int = 0, sums: dict[str, NDArray[Any]] | None = None) -> None:
        self.shoes, self.rounds = shoes, rounds
        self.sums = {name: found.astype(object) for name, found in (sums or {}).items()}

    def add(self, other: Tally) -> None:
        self.shoes += other.shoes
        self.rounds += other.rounds
        self.sums = {
            name: self.sums[name] + found if name in self.sums else found for name, found in other.sums.items()
        }

    def packed(self) -> dict[str, Any]:
        """As JSON has it."""
        sums = {name: {"shape": found.shape, "sums": found.ravel().tolist()} for name, found in self.sums.items()}
        return {"shoes": self.shoes, "rounds": self.rounds, "sums": sums}

    @classmethod
    def unpacked(cls, data: dict[str, Any]) -> Tally:
        sums = {
            name: np.array([int(each) for each in found["sums"]], object).reshape(found["shape"])
            for name, found in data["sums"].items()
        }
        return cls(int(data["shoes"]), int(data["rounds"]), sums)


class Study:
    """What is looked at: bets and insurance rows, and their counts, as whole tags. It can be sent to other machines."""

    block = CHUNK
    gpu_block = GPU_CHUNK

    def __init__(
        self,
        book: RuleBook,
        dealing: Dealing,
        seed: int,
        codes: Sequence[str],
        tags: Sequence[Sequence[int]],
        row_tags: Sequence[Sequence[int]],
        first_trigger: int,
        triggers: int,
    ) -> None:
        """``tags`` are two counts for every bet, ``row_tags`` one for every insurance row of the book."""
        self.book, self.dealing, self.seed = book, dealing, seed
        self.codes, self.tags, self.row_tags = tuple(codes), tuple(map(tuple, tags)), tuple(map(tuple, row_tags))
        self.first_trigger, self.triggers = first_trigger, triggers
        check_seed(seed)
        if any(abs(tag) > MOST_TAG * TAG for each in self.tags for tag in each):
            raise SimulationError(f"a tag of a count is at most {MOST_TAG}")

    def __reduce__(self) -> Any:
        counts = (self.codes, self.tags, self.row_tags, self.first_trigger, self.triggers)
        return Study, (self.book, self.dealing, self.seed, *counts)

    @property
    def identity(self) -> dict[str, Any]:
        return {
            "what": "exposure",
            "game": self.book.id,
            "book": self.book.hash,
            "dealing": msgspec.to_builtins(self.dealing),
            "seed": self.seed,
            "bets": self.codes,
            "counts": self.tags,
            "insurance counts": self.row_tags,
            "trigger": [self.first_trigger, self.triggers],
            "depths": self.depths,
        }

    @cached_property
    def batch(self) -> Batch:
        return Batch(self.book)

    @cached_property
    def at(self) -> list[int]:
        """Where the bets stand among all."""
        return [self.batch.codes.index(code) for code in self.codes]

    @property
    def depths(self) -> tuple[int, ...]:
        """Cards behind the Cut Card: those of the run itself, and more."""
        dealing = self.dealing
        return (dealing.cut, *(cut for cut in DEPTHS if dealing.cut < cut < dealing.size - 12))

    def nothing(self) -> Tally:
        return Tally()

    def until(self, first: int, shoes: int, rounds: int) -> Tally:
        raise AssertionError("a study is asked for shoes, never for rounds")

    def part(self, first: int, shoes: int) -> Tally:
        """The shoes from number ``first`` on, on one core."""
        known, rounds = deal_known(self.book, self.dealing, check_seed(self.seed), first, shoes)
        unseen, cards = known.unseen[:rounds], known.cards[:rounds]
        ranks, insured = ranks_of(unseen), None
        if self.book.insurance is not None:
            worth, taken = np.empty((rounds, 2, 2)), np.empty((rounds, 2, 2), np.int64)
            insurance_kernel.value_offers(values_of(ranks), cards, offers(self.book), worth, taken)
            insured = Insured(cards.T, worth.reshape(rounds, 4).T, taken.reshape(rounds, 4).T)
        ev = self.batch.solve(unseen).ev[:, self.at].T
        shoe = known.shoes[:rounds].astype(np.int64)
        levels = self.levels(np, known.places[:rounds], shoe)
        return self.tally(np, Rounds(ev, ranks.T, levels, shoe, shoes, insured), count_on_core)

    def on(self, device: Device) -> DeviceStudy:
        return DeviceStudy(device, self)

    def levels(self, xp: Any, places: Any, shoes: Any) -> Any:
        """For every round, from where its first card lay: the last of the depths with which it is still dealt."""
        levels = xp.zeros(len(places), np.int64)
        for cut in self.depths[1:]:
            stop = self.dealing.size - cut
            dealt = places <= stop
            if self.dealing.after:
                before = places[:-1] < stop if self.dealing.after == "unless_first" else dealt[:-1]
                dealt[1:] |= before & (shoes[1:] == shoes[:-1])
            levels += dealt
        return levels

    def tally(self, xp: Any, looked_at: Rounds, counted: Counted) -> Tally:
        number, shoes, depths = looked_at.number, looked_at.shoes, len(self.depths)
        levels, cards = looked_at.levels, looked_at.ranks.sum(axis=0).astype(np.int64)
        by_depth = (shoes, levels, number, depths)
        sums = {
            "rounds": _deeper(xp.bincount(levels, minlength=depths)),
            "perfect": xp.stack([_perfect(xp, ev, *by_depth) for ev in looked_at.ev]),
        }
        for index, running in enumerate(_running(xp, self.tags, self.dealing, looked_at.ranks)):
            if any(self.tags[index]):
                steps = _steps(running, cards, self.first_trigger)
                # of the two counts of a bet, the second is not asked for by depth
                place = (shoes, levels, number, depths) if index % 2 == 0 else (shoes, levels * 0, number, 1)
                sums[f"count {index}"] = counted(xp, steps, looked_at.ev[index // 2], *place, self.triggers)
        if looked_at.insured is not None:
            worth = xp.nan_to_num(looked_at.insured.worth)
            sums["insured"] = xp.stack([_perfect(xp, each, *by_depth) for each in worth])
            sums |= self._tally_rows(xp, looked_at, cards, counted)
        get = getattr(xp, "asnumpy", np.asarray)
        found = {name: get(each).astype(np.int64) for name, each in sums.items()}
        return Tally(number, looked_at.ev.shape[1], found)

    def _tally_rows(self, xp: Any, looked_at: Rounds, cards: Any, counted: Counted) -> dict[str, Any]:
        """Insurance row by row, with the count as it is when the row is offered."""
        assert self.book.insurance is not None
        assert looked_at.insured is not None
        insured, depths = looked_at.insured, len(self.depths)
        tags_of_card = xp.asarray(np.array(self.row_tags)[:, rank_of(np.arange(256, dtype=np.uint8))])
        sums: dict[str, Any] = {}
        perfect, offered = [], []
        for index, row in enumerate(self.book.insurance.rows):
            spot = WINDOWS.index(row.window) * len(SIDES) + SIDES.index(row.hand)
            at = xp.nonzero(insured.taken[spot] == index)[0]
            place = (looked_at.shoes[at], looked_at.levels[at], looked_at.number, depths)
            worth, seen = insured.worth[spot][at], SEEN[row.window]
            perfect.append(_perfect(xp, worth, *place))
            offered.append(_deeper(xp.bincount(place[1], minlength=depths)))
            if any(self.row_tags[index]):
                (running,) = _running(xp, self.row_tags[index : index + 1], self.dealing, looked_at.ranks[:, at])
                running = running + tags_of_card[index][insured.cards[:seen, at]].sum(axis=0)
                steps = _steps(running, cards[at] - seen, 0)
                sums[f"row count {index}"] = counted(xp, steps, worth, *place, TRIGGERS)
        return sums | {"rows": xp.stack(perfect), "offered": xp.stack(offered)}


class Insured(NamedTuple):
    """The insurance of every round."""

    cards: Any
    """By place in the round, and round."""
    worth: Any
    """By window and hand, and round; not a number where none is offered."""
    taken: Any
    """The row offered, by window and hand, and round; -1 where none is."""


class Rounds(NamedTuple):
    """What was found before every round: its shoe, its depth, the unseen cards by rank, and expectations."""

    ev: Any
    """By bet and round."""
    ranks: Any
    """By rank and round."""
    levels: Any
    """Of depth: see :meth:`Study.levels`."""
    shoes: Any
    number: int
    """Of shoes."""
    insured: Insured | None


Counted = Callable[..., Any]
"""From steps of the true count, expectations, shoes, levels and the numbers of shoes, depths and triggers: what the
rounds at or above every trigger gain, the squares by shoe, and how many they are; by depth and trigger."""


def count_on_core(
    xp: Any, steps: Any, ev: Any, shoes: Any, levels: Any, number: int, depths: int, triggers: int
) -> Any:
    """What a count wins over these shoes, on one core or on a GPU."""
    sums, rough = np.zeros((3, depths, triggers), np.int64), np.zeros((depths, triggers))
    gains = np.rint(ev * UNIT).astype(np.int64)
    count_shoes(shoes, levels, steps, gains, np.zeros(triggers, np.int64), sums, rough)
    _check_squares(rough)
    sums[2] = _deeper(_above(sums[2]))
    return sums


def count_in_arrays(
    xp: Any, steps: Any, ev: Any, shoes: Any, levels: Any, number: int, depths: int, triggers: int
) -> Any:
    """The same with arrays alone."""
    at = xp.where(steps >= 0, xp.minimum(steps, triggers - 1), triggers)
    shape = (depths, number, triggers + 1)
    spots = (levels * number + shoes) * (triggers + 1) + at
    gains = xp.bincount(spots, xp.rint(ev * UNIT), depths * number * (triggers + 1)).astype(np.int64).reshape(shape)
    above = _deeper(_above(gains[..., :triggers]))
    bet = xp.bincount(levels * (triggers + 1) + at, minlength=depths * (triggers + 1)).reshape(depths, triggers + 1)
    return xp.stack([above.sum(axis=1), _squares(xp, above, 1), _deeper(_above(bet[:, :triggers]))])


def _running(xp: Any, tags: Sequence[Sequence[int]], dealing: Dealing, ranks: Any) -> Any:
    """The running counts, by count and round; whole numbers below 2⁵³, so a product of matrices is exact."""
    full = np.array(Composition.of_decks(dealing.decks).ranks, np.float64)
    each = np.array(tags, np.float64)
    left = xp.asarray(each) @ ranks.astype(np.float64)
    return (xp.asarray(each @ full)[:, None] - left).astype(np.int64)


def _steps(running: Any, cards: Any, first_trigger: int) -> Any:
    """How many steps above the first trigger the true count is: the running count by the decks unseen."""
    return (2 * CARDS_IN_DECK * running - 2 * first_trigger * cards) // (TAG * cards)


def _deeper(sums: Any) -> Any:
    """From sums by the last depth at which rounds are dealt, those of all rounds dealt at a depth."""
    return sums[::-1].cumsum(axis=0)[::-1]


def _above(sums: Any) -> Any:
    """From sums by step, those at and above each."""
    return sums[..., ::-1].cumsum(axis=-1)[..., ::-1]


def _perfect(xp: Any, ev: Any, shoes: Any, levels: Any, number: int, depths: int) -> Any:
    """By depth: the gain of all shoes, the squares of each one's, and the rounds bet on."""
    right = ev > 0
    gain = xp.rint(xp.where(right, ev, 0.0) * UNIT)
    by_shoe = xp.bincount(levels * number + shoes, gain, depths * number).astype(np.int64).reshape(depths, number)
    by_shoe = _deeper(by_shoe)
    return xp.stack(
        [by_shoe.sum(axis=1), _squares(xp, by_shoe, 1), _deeper(xp.bincount(levels[right], minlength=depths))]
    )


def _squares(xp: Any, by_shoe: Any, axis: int) -> Any:
    """The squares of gains, in the same parts of a unit, from their upper and lower bits: there is room for no more."""
    _check_squares((by_shoe.astype(np.float64) ** 2).sum(axis=axis))
    whole, rest = by_shoe >> HALF, by_shoe & ((1 << HALF) - 1)
    return (whole * whole + ((whole * rest) >> (HALF - 1))).sum(axis=axis)


def _check_squares(rough: Any) -> None:
    if float(rough.max()) / UNIT >= 2.0**62:
        raise SimulationError("such gains a shoe have squares too large to be added up")


class DeviceStudy:
    """The same on a GPU."""

    def __init__(self, device: Device, study: Study) -> None:
        self._study, self._xp = study, device.xp
        book, dealing = study.book, study.dealing
        full = np.array([Composition.of_decks(dealing.decks, suited=book.suited).counts])
        if out_of_reach(full).any():
            raise SimulationError(f"{dealing.decks} decks are too many for exact odds on a GPU: leave --gpu away")
        self._shoes = DeviceShoes(device, book, dealing, study.seed)
        self._odds = DeviceOdds(device, study.batch)
        self._insurance = None if book.insurance is None else DeviceInsurance(device, offers(book))
        self._at = device.xp.asarray(study.at)

    @property
    def bytes_a_shoe(self) -> int:
        """Of the device's memory, at most, roughly: the odds twice, what is known, and what counts need on the way."""
        rounds, bets = self._study.dealing.most_rounds, len(self._study.batch.codes)
        counts = 64 * len(self._study.depths) * max(self._study.triggers, TRIGGERS)
        return rounds * (8 * (2 * bets + 2 * len(self._study.codes) + 40) + 200) + counts

    def part(self, first: int, shoes: int) -> Tally:
        known = self._shoes.know(first, shoes)
        ev, _ = self._odds.solve(known.unseen)
        kinds, rounds = known.unseen.shape
        ranks = known.unseen.reshape(13, kinds // 13, rounds).sum(axis=1)
        insured = None if self._insurance is None else Insured(known.cards, *self._insurance.value(known))
        levels = self._study.levels(self._xp, known.places, known.shoes)
        looked_at = Rounds(ev[self._at], ranks, levels, known.shoes, shoes, insured)
        return self._study.tally(self._xp, looked_at, count_in_arrays)
