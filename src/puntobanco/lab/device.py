"""The laboratory's CUDA kernels, on a GPU (:mod:`puntobanco.lab.gpu`) or, in the tests, as plain C++."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from puntobanco.cards import Composition
from puntobanco.lab.batch import Batch
from puntobanco.lab.ends import ends_of
from puntobanco.lab.insurance_kernel import Offers
from puntobanco.lab.known import kinds_of_bytes
from puntobanco.lab.shoes import Dealing, check_seed, rules_of
from puntobanco.rules.model import RuleBook

Kernel = Callable[..., None]
"""Called with the blocks, the threads of each, the bytes of shared memory of each, and the kernel's arguments."""

COLUMN = 32
"""Threads whose shoes lie side by side."""
MOST_THREADS = 512
THREADS_OF_EXACT = 256
BLOCKS_OF_EXACT = 1
"""Blocks of it that are to find room on a processor of the GPU at a time, which limits their registers."""
THREADS_OF_INSURANCE = 256


class Device(Protocol):
    """Something that runs kernels on arrays of its own. ``xp`` makes these arrays, and is used like numpy."""

    name: str
    xp: Any
    processors: int
    shared: int
    """Bytes of shared memory that a block may have."""
    errors: tuple[type[Exception], ...]
    """What it raises when it cannot go on."""

    def kernels(self, source: str, defines: dict[str, int]) -> Callable[[str], Kernel]: ...

    def free(self) -> int:
        """Bytes of memory that arrays may take."""

    def host(self, array: Any) -> NDArray[Any]:
        """The array as one of numpy."""


def source_of(name: str) -> str:
    """The source of a kernel for the GPU, with what it includes."""
    folder = files("puntobanco.lab") / "cuda"
    return "\n".join((folder / file).read_text(encoding="utf-8") for file in ("common.h", f"{name}.cu"))


class DeviceKnown(NamedTuple):
    """What is known before each round, on the device. The first axis is the kind or the card, the second the round."""

    unseen: Any
    cards: Any
    places: Any
    shoes: Any
    rounds: int


class DeviceShoes:
    """A game's shoes, shuffled and dealt on a device; the same as :mod:`puntobanco.lab.shoe_kernel` deals."""

    def __init__(self, device: Device, book: RuleBook, dealing: Dealing, seed: int = 0) -> None:
        self.device, self.book, self.dealing = device, book, dealing
        self._seed = check_seed(seed)
        self._space = book.space.size
        self._kernel = device.kernels(source_of("shoes"), {"SUITED": book.suited, "WIDTH": len(book.space.states)})
        xp, setup, rules = device.xp, dealing.setup(suited=book.suited), rules_of(book.space)
        self._start = xp.asarray(setup.start.view(np.uint32))
        self._rules = [xp.asarray(table) for table in (rules.turns, rules.last, rules.states)]
        self._numbers = [
            np.int32(number)
            for number in (dealing.size, setup.thresholds.size // 4, setup.burn, setup.stop, setup.after)
        ]
        self._kinds = xp.asarray(kinds_of_bytes(suited=book.suited))
        self._full = xp.asarray(Composition.of_decks(dealing.decks, suited=book.suited).counts, np.uint8)

    def count(self, first: int, shoes: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rounds by outcome, and shoes by their number of rounds."""
        xp, longest = self.device.xp, self.dealing.most_rounds
        outcomes, lengths = xp.zeros(self._space, np.uint64), xp.zeros(longest, np.uint64)
        near = 4 * (self._space + longest) + self.dealing.size + sum(table.nbytes for table in self._rules)
        near = -(-near // (4 * COLUMN)) * 4 * COLUMN
        threads = self._threads(near)
        self._kernel("count_rounds")(
            self.device.processors, threads, near + threads * self._a_shoe, *self._dealt(first, shoes),
            np.int32(self._space), np.int32(longest), outcomes, lengths,
        )  # fmt: skip
        return self.device.host(outcomes).astype(np.int64), self.device.host(lengths).astype(np.int64)

    def know(self, first: int, shoes: int) -> DeviceKnown:
        """Before every round of the shoes: the unseen cards, the round's cards and its place."""
        xp, kinds = self.device.xp, len(self._full)
        threads = self._threads(0)
        know, room = self._kernel("know_shoes"), threads * self._a_shoe
        common = (*self._dealt(first, shoes), self._kinds, np.int32(kinds), self._full)
        blocks = min(self.device.processors, -(-shoes // threads))
        lengths, nothing = xp.zeros(shoes, np.int32), np.int64(0)
        know(blocks, threads, room, *common, lengths, nothing, nothing, nothing, nothing, nothing)
        ends = xp.cumsum(lengths.astype(np.int64))
        rounds, begins = int(ends[-1]), ends - lengths
        unseen, cards = xp.empty((kinds, rounds), np.uint8), xp.empty((6, rounds), np.uint8)
        places = xp.empty(rounds, np.uint16)
        know(blocks, threads, room, *common, lengths, begins, np.int64(rounds), unseen, cards, places)
        starts = xp.zeros(rounds, np.int64)
        starts[begins[1:]] = 1
        return DeviceKnown(unseen, cards, places, xp.cumsum(starts), rounds)

    @property
    def _a_shoe(self) -> int:
        return self.dealing.size + 4

    def _threads(self, near: int) -> int:
        """As many shoes as find room beside what all of them look up."""
        return min(MOST_THREADS, (self.device.shared - near) // self._a_shoe // COLUMN * COLUMN)

    def _dealt(self, first: int, shoes: int) -> tuple[Any, ...]:
        return (
            np.uint64(self._seed), np.uint64(first), np.int64(shoes), *self._numbers, self._start, *self._rules,
        )  # fmt: skip


class DeviceOdds:
    """The exact odds of every bet of a game on a device; the same as :class:`puntobanco.lab.batch.Batch` finds."""

    def __init__(self, device: Device, batch: Batch) -> None:
        self.device, self.batch = device, batch
        self._ends = ends = ends_of(batch)
        draws = ends.draws_to
        self._kernel = device.kernels(
            source_of("exact"),
            {
                "MOST_THREADS": THREADS_OF_EXACT,
                "LEAST_BLOCKS": BLOCKS_OF_EXACT,
                "ALWAYS_DRAWS": min(draws),
                "EVER_DRAWS": max(draws),
            },
        )
        xp = device.xp
        self._tables = [
            xp.asarray(draws, np.int32), xp.asarray(ends.classes), xp.asarray(ends.states), np.int32(ends.number),
            np.int32(len(ends.bet_ends)), xp.asarray(ends.bet_ends, np.int32), xp.asarray(ends.starts, np.int32),
            xp.asarray(ends.terms, np.uint8), xp.asarray(ends.factors), xp.asarray(ends.gains),
        ]  # fmt: skip

    def solve(self, unseen: Any, *, ways: bool = False) -> tuple[Any, Any]:
        """The expectation by bet and shoe, and, where asked for, the deals by line and shoe.

        ``unseen`` counts cards by kind and shoe, as bytes.
        """
        xp, (kinds, shoes) = self.device.xp, unseen.shape
        ev = xp.empty((len(self._ends.bet_ends), shoes))
        found = xp.empty((len(self._ends.gains), shoes)) if ways else np.int64(0)
        threads = THREADS_OF_EXACT
        self._kernel("count_deals")(
            min(-(-shoes // threads), BLOCKS_OF_EXACT * self.device.processors), threads,
            8 * threads * (10 + self._ends.number),
            np.int64(shoes), np.int64(shoes), np.int32(kinds), unseen, *self._tables, found, ev,
        )  # fmt: skip
        return ev, found if ways else None


class DeviceInsurance:
    """What insurance is worth before it is taken; the same as :mod:`puntobanco.lab.insurance_kernel` finds."""

    def __init__(self, device: Device, table: Offers) -> None:
        self.device = device
        self._kernel = device.kernels(source_of("insurance"), {})
        xp = device.xp
        self._table = [
            xp.asarray(table.player_draws, np.uint8), xp.asarray(table.turns, np.uint8),
            xp.asarray(table.rows, np.int32), xp.asarray(table.pays),
        ]  # fmt: skip

    def value(self, known: DeviceKnown) -> tuple[Any, Any]:
        """The expected gain of a unit and the row on offer, by window and hand (four lines) and round.

        Where none is offered, they are not a number and -1.
        """
        xp = self.device.xp
        worth, taken = xp.full((4, known.rounds), np.nan), xp.full((4, known.rounds), -1, np.int32)
        self._kernel("value_offers")(
            min(-(-known.rounds // THREADS_OF_INSURANCE), 8 * self.device.processors), THREADS_OF_INSURANCE, 0,
            np.int64(known.rounds), np.int32(len(known.unseen)), known.unseen, known.cards, *self._table, worth,
            taken,
        )  # fmt: skip
        return worth, taken
