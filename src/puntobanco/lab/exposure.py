"""What card counting is worth: with perfect knowledge (exact odds before every round) and with a count, bet by bet."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.lab.batch import removal_by_rank
from puntobanco.lab.counting import NAMES, Count, full_count, small_count
from puntobanco.lab.frames import frame
from puntobanco.lab.insured import InsuranceCounts, InsuranceExposure
from puntobanco.lab.runs import Cores, Runner, run
from puntobanco.lab.shoes import Dealing, SimulationError, dealing_of
from puntobanco.lab.study import MOST_TAG, TAG, TRIGGERS, Study, Tally
from puntobanco.lab.worth import AtDepths, Dealt, Depth, Worth
from puntobanco.rules.model import RuleBook

MOST_SHOES = 10**9


class BetExposure(AtDepths, frozen=True, kw_only=True):
    """A bet: its effects of removal, its counts, and what they are worth."""

    removal: dict[str, float]
    """In units, for one card of each rank less in a full shoe."""
    count: Count
    full_count: Count
    correlation: float
    counted_in_full: Worth

    @property
    def depths(self) -> dict[int, float]:
        """By cards behind the Cut Card: units a shoe with perfect knowledge."""
        return {cut: depth.perfect.per_shoe for cut, depth in self.by_depth.items()}

    def summary(self) -> dict[str, Any]:
        return {
            "removal": self.removal,
            "count": self.count.by_rank,
            "full_count": self.full_count.by_rank,
            "correlation": self.correlation,
            "perfect": self.perfect.summary(),
            "counted": self.counted.summary(trigger=True),
            "counted_in_full": self.counted_in_full.summary(trigger=True),
            "depths": {str(cut): worth for cut, worth in self.depths.items()},
            "by_depth": {str(cut): depth.summary() for cut, depth in self.by_depth.items()},
        }


class Exposure(msgspec.Struct, frozen=True):
    """All bets of a game, worst first."""

    game: str
    dealing: Dealing
    seed: int
    shoes: int
    rounds: int
    bets: dict[str, BetExposure]
    insurance: dict[str, InsuranceExposure]
    rounds_a_shoe: dict[int, float]
    """By cards behind the Cut Card."""
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
            "rounds_a_shoe": {str(cut): rounds for cut, rounds in self.rounds_a_shoe.items()},
            "bets": {code: bet.summary() for code, bet in self.bets.items()},
            "insurance": {name: each.summary() for name, each in self.insurance.items()},
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
            **{
                f"{what}_per_shoe_{cut}": np.array([getattr(bet.by_depth[cut], what).per_shoe for bet in bets])
                for what, cut in product(("perfect", "counted"), list(self.rounds_a_shoe)[1:])
            },
            **{f"tag_{name}": np.array([bet.count.tags[index] for bet in bets]) for index, name in enumerate(NAMES)},
        }

    def frame(self) -> Any:
        """The same as a data frame of Polars or pandas."""
        return frame(self.columns())


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
        raise SimulationError(f"{shoes} shoes: from 1 to {MOST_SHOES:,} can be played")
    if trigger is not None and abs(trigger) > MOST_TAG:
        raise SimulationError(f"a true count of {trigger:g} to bet from: {MOST_TAG} is the most")
    chosen = [book.bet(code).code for code in (bets or book.bets)]
    plan = _Plan(book, dealing or dealing_of(book), chosen, seed, counts or {}, trigger)
    done, _, interrupted = run(
        plan, runner or Cores(cores), first=first, shoes=shoes, rounds=None, checkpoint=checkpoint,
        progress=None if progress is None else lambda played, _: progress(played),
    )  # fmt: skip
    return plan.finish(done, interrupted)


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
        self._insurance = InsuranceCounts(book, dealing.decks)
        tags = [_whole_tags(count) for pair in zip(self._small, self._scaled, strict=True) for count in pair]
        row_tags = [_whole_tags(count) for count in self._insurance.counts]
        first, triggers = round((trigger or 0) * TAG), TRIGGERS if trigger is None else 1
        super().__init__(book, dealing, seed, codes, tags, row_tags, first, triggers)

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
            dict(self._insurance.finish(done, self.depths)),
            {cut: self._dealt(level, done).rounds / done.shoes for level, cut in enumerate(self.depths)},
            interrupted,
        )

    def _dealt(self, level: int, done: Tally) -> Dealt:
        rounds = int(done.sums["rounds"][level])
        return Dealt(done.shoes, rounds, rounds)

    def _bet(self, index: int, done: Tally) -> BetExposure:
        small, whole = (done.sums.get(f"count {2 * index + which}") for which in (0, 1))
        by_depth = {}
        for level, cut in enumerate(self.depths):
            dealt = self._dealt(level, done)
            perfect = dealt.worth(*done.sums["perfect"][index][:, level])
            by_depth[cut] = Depth(perfect, dealt.best(None if small is None else small[:, level], self._trigger))
        ratio = _ratio(self._scaled[index], self._full[index])
        return BetExposure(
            removal=self._effects[index],
            count=self._small[index],
            full_count=self._full[index],
            correlation=self._small[index].correlation(self._effects[index]),
            counted_in_full=self._dealt(0, done).best(None if whole is None else whole[:, 0], self._trigger, ratio),
            by_depth=by_depth,
        )


def _whole_tags(count: Count) -> list[int]:
    return [round(tag * TAG) for tag in count.tags]


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
