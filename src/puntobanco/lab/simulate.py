"""Simulation of whole shoes: one run counts outcomes, and every bet of the game comes out of them."""

from __future__ import annotations

import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.bets import members, payoffs
from puntobanco.cards import Composition
from puntobanco.lab import shoe_kernel as kernel
from puntobanco.lab.frames import frame
from puntobanco.lab.shoes import Dealing, SimulationError, check_seed, dealing_of, rules_of
from puntobanco.odds import odds
from puntobanco.rules.model import RuleBook

Integers = NDArray[np.int64]
Progress = Callable[[int, int], None]
"""Called with the shoes and rounds played so far."""

BLOCK = 8192
"""Shoes that a core plays at a time."""
PILOT = 256
"""Shoes by which the number that a wanted number of rounds takes is guessed."""
NO_LIMIT = 2**62
MOST_SHOES = 10**15
Z95 = 1.959963984540054
"""Standard errors on either side of a 95% interval."""


class Simulated(msgspec.Struct, frozen=True):
    """A bet in a simulation: the mean gain per unit and its standard error, and the exact one for a full shoe."""

    ev: float
    se: float
    exact: float

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true mean lies, in 95 of 100 simulations."""
        return self.ev - Z95 * self.se, self.ev + Z95 * self.se

    @property
    def sigmas(self) -> float:
        """How far the mean is from the exact one, in standard errors."""
        return (self.ev - self.exact) / self.se if self.se else 0.0


class Simulation(msgspec.Struct, frozen=True, eq=False):
    """What came of the shoes from number ``first`` on."""

    game: str
    dealing: Dealing
    seed: int
    first: int
    shoes: int
    rounds: int
    seconds: float
    outcomes: Integers
    """Rounds by the number of their outcome in the game's space."""
    lengths: Integers
    """Shoes by their number of rounds."""
    bets: dict[str, Simulated]
    interrupted: bool = False

    @property
    def rate(self) -> float:
        """Rounds a second."""
        return self.rounds / self.seconds if self.seconds else math.inf

    @property
    def rounds_a_shoe(self) -> float:
        return self.rounds / self.shoes

    def summary(self) -> dict[str, Any]:
        """What the command prints as JSON."""
        return {
            "game": self.game,
            "decks": self.dealing.decks,
            "cut": self.dealing.cut,
            "seed": self.seed,
            "rounds": self.rounds,
            "shoes": self.shoes,
            "seconds": self.seconds,
            "rate": self.rate,
            "interrupted": self.interrupted,
            "bets": {
                code: {"ev": bet.ev, "se": bet.se, "exact": bet.exact, "interval": list(bet.interval)}
                for code, bet in self.bets.items()
            },
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """A line per bet."""
        values = list(self.bets.values())
        return {
            "bet": np.array(list(self.bets)),
            "ev": np.array([bet.ev for bet in values]),
            "se": np.array([bet.se for bet in values]),
            "low": np.array([bet.interval[0] for bet in values]),
            "high": np.array([bet.interval[1] for bet in values]),
            "exact": np.array([bet.exact for bet in values]),
        }

    def frame(self) -> Any:
        """The same as a data frame of Polars or pandas."""
        return frame(self.columns())


class Counters:
    """What blocks of shoes add up to."""

    def __init__(self, size: int, longest: int) -> None:
        self.shoes = self.rounds = 0
        self.outcomes: Integers = np.zeros(size, np.int64)
        self.lengths: Integers = np.zeros(longest, np.int64)

    def add(self, other: Counters) -> None:
        self.shoes += other.shoes
        self.rounds += other.rounds
        self.outcomes += other.outcomes
        self.lengths += other.lengths


class Simulator:
    """A game made ready to be played. Blocks may be played anywhere and in any order: they add up to the same."""

    def __init__(self, book: RuleBook, dealing: Dealing, seed: int = 0) -> None:
        self.book = book
        self.dealing = dealing
        self._seed = check_seed(seed)
        self._setup = dealing.setup(suited=book.suited)
        self._rules = rules_of(book.space)

    def play(self, first: int, shoes: int, most: int = NO_LIMIT) -> Counters:
        """Shoes from number ``first`` on; stops after the one with which ``most`` rounds are played."""
        found = Counters(self.book.space.size, self.dealing.most_rounds)
        found.shoes, found.rounds = kernel.count_rounds(
            self._seed, first, shoes, most, self._setup, self._rules, found.outcomes, found.lengths
        )
        return found

    def warm_up(self) -> None:
        """Compile, so that no clock counts it."""
        self.play(0, 1)

    def finish(self, counters: Counters, *, first: int, seconds: float, interrupted: bool) -> Simulation:
        found = counters
        return Simulation(
            self.book.id,
            self.dealing,
            int(self._seed),
            first,
            found.shoes,
            found.rounds,
            seconds,
            found.outcomes,
            found.lengths,
            bets_of(self.book, self.dealing, found.outcomes),
            interrupted,
        )


def simulate(
    book: RuleBook,
    dealing: Dealing | None = None,
    *,
    shoes: int | None = None,
    rounds: int | None = None,
    seed: int = 0,
    first: int = 0,
    cores: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play so many shoes, or as many as it takes for so many rounds. Ctrl-C ends it early and keeps what was done."""
    if (shoes is None) == (rounds is None):
        raise SimulationError("say how many shoes or how many rounds, not both")
    if (number := shoes if rounds is None else rounds) is None or not 1 <= number <= MOST_SHOES:
        raise SimulationError(f"{number} {'shoes' if rounds is None else 'rounds'}: at least 1, at most {MOST_SHOES}")
    if first < 0 or first + MOST_SHOES >= 2**63:
        raise SimulationError(f"first shoe {first}: 0 or above, and below {2**63 - MOST_SHOES}")
    simulator = Simulator(book, dealing or dealing_of(book), seed)
    workers = number_of_cores(cores)
    simulator.warm_up()
    done = Counters(book.space.size, simulator.dealing.most_rounds)
    start = time.perf_counter()
    interrupted = False
    try:
        for part in _parts(simulator, done, first, shoes, rounds, workers):
            done.add(part)
            if progress is not None:
                progress(done.shoes, done.rounds)
    except KeyboardInterrupt:
        interrupted = True
        if not done.shoes:
            raise SimulationError("stopped before the first shoes were played") from None
    return simulator.finish(done, first=first, seconds=time.perf_counter() - start, interrupted=interrupted)


def number_of_cores(cores: int | None) -> int:
    """As many as asked for, or all that this process may use."""
    if cores is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= cores <= 1024:
        raise SimulationError(f"{cores} cores: 1 to 1024")
    return cores


def _parts(
    simulator: Simulator, done: Counters, first: int, shoes: int | None, rounds: int | None, workers: int
) -> Iterator[Counters]:
    """Counters of shoes one behind the other, until there are enough; ``done`` is what they have added up to."""
    if rounds is None:
        assert shoes is not None
        yield from _blocks(simulator, first, shoes, workers)
        return
    yield simulator.play(first, PILOT, rounds)
    # nearly all of them on all cores, and the rest shoe by shoe up to the last one needed
    sure = int(0.98 * rounds / (done.rounds / done.shoes)) - done.shoes
    if sure > PILOT:
        yield from _blocks(simulator, first + done.shoes, sure, workers)
    while done.rounds < rounds:
        yield simulator.play(first + done.shoes, BLOCK, rounds - done.rounds)


def _blocks(simulator: Simulator, first: int, shoes: int, workers: int) -> Iterator[Counters]:
    """Blocks of shoes on all cores, given back in their order."""
    starts = iter(range(first, first + shoes, BLOCK))
    with ThreadPoolExecutor(workers) as pool:
        running: deque[Future[Counters]] = deque()
        try:
            while True:
                while len(running) <= 2 * workers and (start := next(starts, None)) is not None:
                    running.append(pool.submit(simulator.play, start, min(BLOCK, first + shoes - start)))
                if not running:
                    return
                yield running.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def bets_of(book: RuleBook, dealing: Dealing, outcomes: Integers) -> dict[str, Simulated]:
    """Every bet of a book over counted outcomes, beside its exact expectation for a full shoe."""
    exact = odds(book, Composition.of_decks(dealing.decks, suited=book.suited))
    rounds = int(outcomes.sum())
    found = {}
    for code, payoff in payoffs(book).items():
        counts = {gain: int(outcomes[list(members(bits))].sum()) for gain, bits in payoff.by_gain.items()}
        lost = rounds - sum(counts.values())
        mean = (sum((gain * count for gain, count in counts.items()), Fraction(0)) - lost) / rounds
        square = (sum((gain**2 * count for gain, count in counts.items()), Fraction(0)) + lost) / rounds
        spread = max(float(square - mean**2), 0.0)
        found[code] = Simulated(float(mean), math.sqrt(spread / rounds), float(exact[code].ev))
    return found
