"""What card counting is worth: with perfect knowledge (exact odds before every round) and with a count, bet by bet."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.lab.batch import removal_by_rank
from puntobanco.lab.counting import NAMES, Count, full_count, small_count
from puntobanco.lab.frames import frame
from puntobanco.lab.known import SIDES, WINDOWS
from puntobanco.lab.runs import Cores, Runner, run
from puntobanco.lab.shoes import Dealing, SimulationError, dealing_of
from puntobanco.lab.study import MOST_TAG, STEP, TAG, UNIT, Study, Tally
from puntobanco.rules.model import RuleBook

TRIGGERS = 80
"""True counts from 0 in such steps, at which betting may begin."""
MOST_SHOES = 10**9


class Worth(msgspec.Struct, frozen=True):
    """What betting a unit whenever it is right to gains: a shoe, and per 100 rounds dealt."""

    per_shoe: float
    per_100: float
    share: float
    """Of all rounds, those bet on."""
    se: float
    """Of ``per_shoe``."""
    trigger: float | None = None
    """The true count from which on it is bet; None with perfect knowledge, or where it is never right."""

    @property
    def edge(self) -> float:
        """The mean advantage of the rounds bet on."""
        return self.per_100 / 100 / self.share if self.share else 0.0


class BetExposure(msgspec.Struct, frozen=True):
    """A bet: its effects of removal, its counts, and what they are worth."""

    removal: dict[str, float]
    """In units, for one card of each rank less in a full shoe."""
    count: Count
    full_count: Count
    correlation: float
    perfect: Worth
    counted: Worth
    counted_in_full: Worth
    depths: dict[int, float]
    """By cards behind the Cut Card: units a shoe with perfect knowledge."""


class InsuranceExposure(msgspec.Struct, frozen=True):
    """Insurance on a hand in a window, with perfect knowledge. ``share`` is of the rounds in which it is on offer."""

    offered: float
    """Of all rounds."""
    perfect: Worth


class Exposure(msgspec.Struct, frozen=True):
    """All bets of a game, worst first."""

    game: str
    dealing: Dealing
    seed: int
    shoes: int
    rounds: int
    bets: dict[str, BetExposure]
    insurance: dict[str, InsuranceExposure]
    interrupted: bool = False

    def summary(self) -> dict[str, Any]:
        """What the command prints as JSON."""
        return {
            "game": self.game,
            "decks": self.dealing.decks,
            "cut": self.dealing.cut,
            "seed": self.seed,
            "shoes": self.shoes,
            "rounds": self.rounds,
            "interrupted": self.interrupted,
            "bets": {code: _bet_json(bet) for code, bet in self.bets.items()},
            "insurance": {
                name: {"offered": row.offered, "perfect": _worth_json(row.perfect)}
                for name, row in self.insurance.items()
            },
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """A line per bet."""
        bets = list(self.bets.values())
        return {
            "bet": np.array(list(self.bets)),
            "correlation": np.array([bet.correlation for bet in bets]),
            "perfect_per_shoe": np.array([bet.perfect.per_shoe for bet in bets]),
            "perfect_share": np.array([bet.perfect.share for bet in bets]),
            "counted_per_shoe": np.array([bet.counted.per_shoe for bet in bets]),
            "counted_share": np.array([bet.counted.share for bet in bets]),
            "trigger": np.array([math.nan if bet.counted.trigger is None else bet.counted.trigger for bet in bets]),
            **{f"tag_{name}": np.array([bet.count.tags[index] for bet in bets]) for index, name in enumerate(NAMES)},
        }

    def frame(self) -> Any:
        """The same as a data frame of Polars or pandas."""
        return frame(self.columns())


def _bet_json(bet: BetExposure) -> dict[str, Any]:
    return {
        "removal": bet.removal,
        "count": bet.count.by_rank,
        "full_count": bet.full_count.by_rank,
        "correlation": bet.correlation,
        "perfect": _worth_json(bet.perfect),
        "counted": _worth_json(bet.counted) | {"trigger": bet.counted.trigger},
        "counted_in_full": _worth_json(bet.counted_in_full) | {"trigger": bet.counted_in_full.trigger},
        "depths": {str(cut): worth for cut, worth in bet.depths.items()},
    }


def _worth_json(worth: Worth) -> dict[str, Any]:
    return {"per_shoe": worth.per_shoe, "per_100": worth.per_100, "share": worth.share, "se": worth.se}


def exposure(
    book: RuleBook,
    dealing: Dealing | None = None,
    *,
    bets: Sequence[str] | None = None,
    shoes: int = 2000,
    seed: int = 0,
    first: int = 0,
    cores: int = 1,
    counts: Mapping[str, Count] | None = None,
    trigger: float | None = None,
    runner: Runner | None = None,
    checkpoint: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Exposure:
    """Exact odds before every round of so many shoes; ``counts`` take the place of the small ones found here.

    Betting with a count begins at the true count that gains the most, or at ``trigger``. ``runner`` looks at the shoes
    elsewhere than on the cores of this machine; a ``checkpoint`` is a file to go on from.
    """
    if not 1 <= shoes <= MOST_SHOES:
        raise SimulationError(f"{shoes} shoes: at least 1, at most {MOST_SHOES}")
    if trigger is not None and abs(trigger) > MOST_TAG:
        raise SimulationError(f"a true count of {trigger:g} to bet from: {MOST_TAG} is the most")
    chosen = [book.bet(code).code for code in (bets or book.bets)]
    plan = _Plan(book, dealing or dealing_of(book), chosen, seed, counts or {}, trigger)
    done, _, interrupted = run(
        plan, runner or Cores(cores), first=first, shoes=shoes, rounds=None, checkpoint=checkpoint,
        progress=None if progress is None else lambda played, _: progress(played),
    )  # fmt: skip
    return plan.finish(done, interrupted)


NOTHING = Worth(0.0, 0.0, 0.0, 0.0)


class _Plan(Study):
    """A study, with what its sums are told by: effects of removal, and counts."""

    def __init__(
        self,
        book: RuleBook,
        dealing: Dealing,
        codes: list[str],
        seed: int,
        counts: Mapping[str, Count],
        trigger: float | None,
    ) -> None:
        self._effects = [_effects(book, dealing, code) for code in codes]
        self._full = [full_count(effects) for effects in self._effects]
        self._small = [
            counts[code] if code in counts else small_count(effects)
            for code, effects in zip(codes, self._effects, strict=True)
        ]
        self._scaled = [_scaled(whole, small) for whole, small in zip(self._full, self._small, strict=True)]
        self._trigger = trigger
        tags = [
            [round(tag * TAG) for tag in count.tags]
            for pair in zip(self._small, self._scaled, strict=True)
            for count in pair
        ]
        super().__init__(
            book, dealing, seed, codes, tags, round((trigger or 0) * TAG), TRIGGERS if trigger is None else 1
        )

    def finish(self, done: Tally, interrupted: bool) -> Exposure:
        bets = {code: self._bet(index, done) for index, code in enumerate(self.codes)}
        worst_first = sorted(bets.items(), key=lambda item: -item[1].perfect.per_shoe)
        return Exposure(
            self.book.id,
            self.dealing,
            self.seed,
            done.shoes,
            done.rounds,
            dict(worst_first),
            dict(self._insurance(done)) if self.book.insurance is not None else {},
            interrupted,
        )

    def _bet(self, index: int, done: Tally) -> BetExposure:
        perfect = _worth(done, *done.sums["perfect"][index])
        depths = {cut: done.sums[f"depth {cut}"][index] / UNIT / done.shoes for cut in self.depths}
        return BetExposure(
            self._effects[index],
            self._small[index],
            self._full[index],
            self._small[index].correlation(self._effects[index]),
            perfect,
            self._best(2 * index, done),
            self._best(2 * index + 1, done, _ratio(self._scaled[index], self._full[index])),
            {self.dealing.cut: perfect.per_shoe} | depths,
        )

    def _best(self, number: int, done: Tally, ratio: float = 1.0) -> Worth:
        """The trigger that gains the most."""
        if not any(self.tags[number]):
            return NOTHING if self._trigger is None else msgspec.structs.replace(NOTHING, trigger=self._trigger * ratio)
        gains, squares, bet = done.sums[f"count {number}"].tolist()
        best = max(range(len(gains)), key=gains.__getitem__)
        if self._trigger is None and gains[best] <= 0:
            return NOTHING
        trigger = best * STEP if self._trigger is None else self._trigger
        return _worth(done, gains[best], squares[best], bet[best], trigger * ratio)

    def _insurance(self, done: Tally) -> Iterator[tuple[str, InsuranceExposure]]:
        for row, (window, side) in enumerate(product(WINDOWS, SIDES)):
            gain, square, bet = done.sums["insured"][row]
            offered = done.sums["offered"][row]
            found = _worth(done, gain, square, bet)
            share = bet / offered if offered else 0.0
            yield (
                f"{side.value}_insurance {window.value}",
                InsuranceExposure(offered / done.rounds, Worth(found.per_shoe, found.per_100, share, found.se)),
            )


def _worth(done: Tally, gain: int, square: int, bet: int, trigger: float | None = None) -> Worth:
    mean = gain / UNIT / done.shoes
    spread = max(square / UNIT / done.shoes - mean**2, 0.0)
    return Worth(mean, 100 * gain / UNIT / done.rounds, bet / done.rounds, math.sqrt(spread / done.shoes), trigger)


def _effects(book: RuleBook, dealing: Dealing, code: str) -> dict[str, float]:
    """Effects of removal by rank."""
    key = (book.hash, dealing.decks)
    if key not in _removals:
        _removals[key] = {
            bet: {name: float(effect) for name, effect in effects.items()}
            for bet, effects in removal_by_rank(book, dealing.decks).items()
        }
    return _removals[key][code]


_removals: dict[tuple[str, int], dict[str, dict[str, float]]] = {}


def _scaled(whole: Count, small: Count) -> Count:
    """The full count in tags as large as the small one's, so that the same triggers fit."""
    size = math.sqrt(sum(tag**2 for tag in whole.tags))
    if not size or not small.any:
        return whole
    factor = math.sqrt(sum(tag**2 for tag in small.tags)) / size
    return Count(tuple(tag * factor for tag in whole.tags))


def _ratio(scaled: Count, whole: Count) -> float:
    largest = max(map(abs, scaled.tags))
    return max(map(abs, whole.tags)) / largest if largest else 1.0
