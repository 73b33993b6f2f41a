"""The sums of a counting study: exact odds before every round of shoe after shoe, added up in whole numbers.

An expectation is rounded to a multiple of 2⁻³² once, the same way wherever it was found, and all that follows is
arithmetic of whole numbers. So shoes may be looked at in any order and any split, on cores, machines or a GPU: the sums
are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.cards import CARDS_IN_DECK, Composition
from puntobanco.lab import insurance_kernel
from puntobanco.lab.batch import Batch, out_of_reach
from puntobanco.lab.device import Device, DeviceInsurance, DeviceOdds, DeviceShoes
from puntobanco.lab.known import deal_known, offers, ranks_of, values_of
from puntobanco.lab.shoes import Dealing, SimulationError, check_seed
from puntobanco.rules.model import RuleBook

UNIT = 2**32
"""What a unit staked is counted as."""
HALF = 16
"""Half the bits behind the point."""
TAG = 10**6
"""What 1 is counted as in a tag of a count."""
MOST_TAG = 1000
STEP = 0.5
CHUNK = 250
"""Shoes that a core looks at together."""
GPU_CHUNK = 2**15
DEPTHS = (26, 52, 104, 156, 208)
"""Further depths of the Cut Card, in cards behind it, that one run reports where it deals deeper than that."""


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
    """What is looked at: bets, and two counts for each, as whole tags. It can be sent to other machines."""

    block = CHUNK
    gpu_block = GPU_CHUNK

    def __init__(
        self,
        book: RuleBook,
        dealing: Dealing,
        seed: int,
        codes: Sequence[str],
        tags: Sequence[Sequence[int]],
        first_trigger: int,
        triggers: int,
    ) -> None:
        self.book, self.dealing, self.seed = book, dealing, seed
        self.codes, self.tags = tuple(codes), tuple(map(tuple, tags))
        self.first_trigger, self.triggers = first_trigger, triggers
        check_seed(seed)
        if any(abs(tag) > MOST_TAG * TAG for each in self.tags for tag in each):
            raise SimulationError(f"a tag of a count is at most {MOST_TAG}")

    def __reduce__(self) -> Any:
        settings = (self.book, self.dealing, self.seed, self.codes, self.tags, self.first_trigger, self.triggers)
        return Study, settings

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
            "trigger": [self.first_trigger, self.triggers],
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
        return tuple(cut for cut in DEPTHS if self.dealing.cut < cut < self.dealing.size - 12)

    def nothing(self) -> Tally:
        return Tally()

    def until(self, first: int, shoes: int, rounds: int) -> Tally:
        raise AssertionError("a study is asked for shoes, never for rounds")

    def part(self, first: int, shoes: int) -> Tally:
        """The shoes from number ``first`` on, on one core."""
        known, rounds = deal_known(self.book, self.dealing, check_seed(self.seed), first, shoes)
        unseen = known.unseen[:rounds]
        ranks, insured = ranks_of(unseen), None
        if self.book.insurance is not None:
            worth, taken = np.empty((rounds, 2, 2)), np.empty((rounds, 2, 2), np.int64)
            insurance_kernel.value_offers(values_of(ranks), known.cards[:rounds], offers(self.book), worth, taken)
            insured = worth.reshape(rounds, 4).T
        ev = self.batch.solve(unseen).ev[:, self.at].T
        shoe = known.shoes[:rounds].astype(np.int64)
        looked_at = Rounds(ev, ranks.T, known.places[:rounds], shoe, shoes, insured)
        return self._tally(np, looked_at)

    def on(self, device: Device) -> DeviceStudy:
        return DeviceStudy(device, self)

    def _tally(self, xp: Any, looked_at: Rounds) -> Tally:
        sums = {"perfect": xp.stack([_perfect(xp, ev, looked_at) for ev in looked_at.ev])}
        size = self.dealing.size
        for cut in self.depths:
            dealt = looked_at.places <= size - cut
            sums[f"depth {cut}"] = xp.stack([(_gain(xp, ev).astype(np.int64) * dealt).sum() for ev in looked_at.ev])
        decks = looked_at.ranks.sum(axis=0).astype(np.int64)
        # whole numbers below 2⁵³, so a product of matrices is exact in any order
        full = np.array(Composition.of_decks(self.dealing.decks).ranks, np.float64)
        tags = np.array(self.tags, np.float64)
        left = xp.asarray(tags) @ looked_at.ranks.astype(np.float64)
        for number, of_new in enumerate((tags @ full).tolist()):
            if any(self.tags[number]):
                running = (of_new - left[number]).astype(np.int64)
                ev = looked_at.ev[number // 2]
                sums[f"count {number}"] = self._counted(xp, running, decks, ev, looked_at)
        if looked_at.worth is not None:
            sums["insured"] = xp.stack([_perfect(xp, worth, looked_at) for worth in xp.nan_to_num(looked_at.worth)])
            sums["offered"] = (~xp.isnan(looked_at.worth)).sum(axis=1)
        get = getattr(xp, "asnumpy", np.asarray)
        found = {name: get(each).astype(np.int64) for name, each in sums.items()}
        return Tally(looked_at.number, looked_at.ev.shape[1], found)

    def _counted(self, xp: Any, running: Any, cards: Any, ev: Any, looked_at: Rounds) -> Any:
        """For every trigger: what the rounds at or above it gain, the squares by shoe, and how many they are."""
        number, shoes = self.triggers, looked_at.number
        # true count = running / decks; a step is half a point
        steps = (2 * CARDS_IN_DECK * running - 2 * self.first_trigger * cards) // (TAG * cards)
        at = xp.where(steps >= 0, xp.minimum(steps, number - 1), number)
        spots = looked_at.shoes * (number + 1) + at
        size = shoes * (number + 1)
        gains = xp.bincount(spots, xp.rint(ev * UNIT), size).astype(np.int64).reshape(shoes, number + 1)[:, :number]
        bet = xp.bincount(at, minlength=number + 1)[:number]
        above = gains[:, ::-1].cumsum(axis=1)[:, ::-1]
        return xp.stack([above.sum(axis=0), _squares(xp, above), bet[::-1].cumsum()[::-1]])


class Rounds(NamedTuple):
    """What was found before every round: its shoe, its place, the unseen cards by rank, and expectations."""

    ev: Any
    """By bet and round."""
    ranks: Any
    """By rank and round."""
    places: Any
    shoes: Any
    number: int
    """Of shoes."""
    worth: Any
    """Of insurance, by window and hand, and round; not a number where none is offered, None where there is none."""


def _gain(xp: Any, ev: Any) -> Any:
    return xp.rint(xp.where(ev > 0, ev, 0.0) * UNIT)


def _perfect(xp: Any, ev: Any, looked_at: Rounds) -> Any:
    """The gain of all shoes, the squares of each one's, and the rounds bet on."""
    by_shoe = xp.bincount(looked_at.shoes, _gain(xp, ev), looked_at.number).astype(np.int64)
    return xp.stack([by_shoe.sum(), _squares(xp, by_shoe), (ev > 0).sum()])


def _squares(xp: Any, by_shoe: Any) -> Any:
    """The squares of gains, in the same parts of a unit, from their upper and lower bits: there is room for no more."""
    if float((by_shoe.astype(np.float64) ** 2).sum(axis=0).max()) / UNIT >= 2.0**62:
        raise SimulationError("such gains a shoe have squares too large to be added up")
    whole, rest = by_shoe >> HALF, by_shoe & ((1 << HALF) - 1)
    return (whole * whole + ((whole * rest) >> (HALF - 1))).sum(axis=0)


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
        return rounds * (8 * (2 * bets + 2 * len(self._study.codes) + 40) + 200) + 64 * self._study.triggers

    def part(self, first: int, shoes: int) -> Tally:
        known = self._shoes.know(first, shoes)
        ev, _ = self._odds.solve(known.unseen)
        kinds, rounds = known.unseen.shape
        ranks = known.unseen.reshape(13, kinds // 13, rounds).sum(axis=1)
        worth = None if self._insurance is None else self._insurance.value(known)
        looked_at = Rounds(ev[self._at], ranks, known.places, known.shoes, shoes, worth)
        return self._study._tally(self._xp, looked_at)
