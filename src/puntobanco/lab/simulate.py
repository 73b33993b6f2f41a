"""Simulation of whole shoes: one run counts outcomes, and every bet of the game comes out of them."""

from __future__ import annotations

import math
import os
from fractions import Fraction
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.bets import members, payoffs
from puntobanco.cards import Composition
from puntobanco.lab import shoe_kernel as kernel
from puntobanco.lab.device import Device, DeviceShoes
from puntobanco.lab.frames import frame
from puntobanco.lab.runs import Cores, Progress, Runner, run
from puntobanco.lab.shoes import Dealing, SimulationError, check_seed, dealing_of, rules_of
from puntobanco.odds import odds
from puntobanco.rules.model import RuleBook

Integers = NDArray[np.int64]
BLOCK = 8192
"""Shoes that a core plays at a time."""
GPU_BLOCK = 2**24
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
    """What parts of a run add up to."""

    def __init__(self, size: int, longest: int) -> None:
        self.shoes = self.rounds = 0
        self.outcomes: Integers = np.zeros(size, np.int64)
        self.lengths: Integers = np.zeros(longest, np.int64)

    def add(self, other: Counters) -> None:
        self.shoes += other.shoes
        self.rounds += other.rounds
        self.outcomes += other.outcomes
        self.lengths += other.lengths

    def packed(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"outcomes": self.outcomes.tolist(), "lengths": self.lengths.tolist()}

    @classmethod
    def unpacked(cls, data: dict[str, Any]) -> Counters:
        return cls.of(np.array(data["outcomes"], np.int64), np.array(data["lengths"], np.int64))

    @classmethod
    def of(cls, outcomes: Integers, lengths: Integers) -> Counters:
        found = cls(0, 0)
        found.shoes, found.rounds = int(lengths.sum()), int(outcomes.sum())
        found.outcomes, found.lengths = outcomes, lengths
        return found


class Simulator:
    """A game made ready to be played. Parts may be played anywhere and in any order: they add up to the same."""

    block = BLOCK
    gpu_block = GPU_BLOCK

    def __init__(self, book: RuleBook, dealing: Dealing, seed: int = 0) -> None:
        self.book = book
        self.dealing = dealing
        self._seed = check_seed(seed)
        self._setup = dealing.setup(suited=book.suited)
        self._rules = rules_of(book.space)

    def __reduce__(self) -> Any:
        return Simulator, (self.book, self.dealing, int(self._seed))

    @property
    def identity(self) -> dict[str, Any]:
        return {
            "what": "simulate",
            "game": self.book.id,
            "book": self.book.hash,
            "dealing": msgspec.to_builtins(self.dealing),
            "seed": int(self._seed),
        }

    def nothing(self) -> Counters:
        return Counters(self.book.space.size, self.dealing.most_rounds)

    def part(self, first: int, shoes: int) -> Counters:
        return self.play(first, shoes)

    def until(self, first: int, shoes: int, rounds: int) -> Counters:
        return self.play(first, shoes, rounds)

    def on(self, device: Device) -> DeviceSimulator:
        return DeviceSimulator(device, self.book, self.dealing, int(self._seed))

    def play(self, first: int, shoes: int, most: int = NO_LIMIT) -> Counters:
        """Shoes from number ``first`` on; stops after the one with which ``most`` rounds are played."""
        found = self.nothing()
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


class DeviceSimulator:
    """The same on a GPU."""

    bytes_a_shoe = 0

    def __init__(self, device: Device, book: RuleBook, dealing: Dealing, seed: int) -> None:
        self._shoes = DeviceShoes(device, book, dealing, seed)

    def part(self, first: int, shoes: int) -> Counters:
        return Counters.of(*self._shoes.count(first, shoes))


def simulate(
    book: RuleBook,
    dealing: Dealing | None = None,
    *,
    shoes: int | None = None,
    rounds: int | None = None,
    seed: int = 0,
    first: int = 0,
    cores: int | None = None,
    runner: Runner | None = None,
    checkpoint: str | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """Play so many shoes, or as many as it takes for so many rounds. Ctrl-C ends it early and keeps what was done.

    ``runner`` plays elsewhere than on the cores of this machine; a ``checkpoint`` is a file to go on from.
    """
    if (shoes is None) == (rounds is None):
        raise SimulationError("give a number of shoes or of rounds, not both")
    if (number := shoes if rounds is None else rounds) is None or not 1 <= number <= MOST_SHOES:
        raise SimulationError(
            f"{number} {'shoes' if rounds is None else 'rounds'}: from 1 to {MOST_SHOES:,} can be played"
        )
    if first < 0 or first + MOST_SHOES >= 2**63:
        raise SimulationError(f"first shoe {first}: 0 or above, and below {2**63 - MOST_SHOES}")
    simulator = Simulator(book, dealing or dealing_of(book), seed)
    workers = Cores(number_of_cores(cores))
    simulator.warm_up()
    done, seconds, interrupted = run(
        simulator, runner or workers, first=first, shoes=shoes, rounds=rounds, checkpoint=checkpoint, progress=progress
    )
    return simulator.finish(done, first=first, seconds=seconds, interrupted=interrupted)


def number_of_cores(cores: int | None) -> int:
    """As many as asked for, or all that this process may use."""
    if cores is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= cores <= 1024:
        raise SimulationError(f"{cores} cores: 1 to 1024")
    return cores


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
