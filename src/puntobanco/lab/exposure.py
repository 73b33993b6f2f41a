"""What card counting is worth: with perfect knowledge (exact odds before every round) and with a count, bet by bet."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.cards import CARDS_IN_DECK, Composition
from puntobanco.lab import insurance_kernel
from puntobanco.lab.batch import Batch, removal_by_rank
from puntobanco.lab.counting import NAMES, Count, full_count, small_count
from puntobanco.lab.frames import frame
from puntobanco.lab.known import SIDES, WINDOWS, deal_known, offers, ranks_of, values_of
from puntobanco.lab.shoe_kernel import Known
from puntobanco.lab.shoes import Dealing, SimulationError, check_seed, dealing_of
from puntobanco.rules.model import RuleBook

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CHUNK = 250
"""Shoes looked at together."""
STEP = 0.5
TRIGGERS = 80
"""True counts from 0 in such steps, at which betting may begin."""
MOST_SHOES = 10**9
DEPTHS = (26, 52, 104, 156, 208)
"""Cards behind the Cut Card for which exposure is told as well, where the shoe is dealt deeper."""


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
    progress: Callable[[int], None] | None = None,
) -> Exposure:
    """Exact odds before every round of so many shoes; ``counts`` take the place of the small ones found here.

    Betting with a count begins at the true count that gains the most, or at ``trigger``.
    """
    if not 1 <= shoes <= MOST_SHOES:
        raise SimulationError(f"{shoes} shoes: at least 1, at most {MOST_SHOES}")
    chosen = [book.bet(code).code for code in (bets or book.bets)]
    study = _Study(book, dealing or dealing_of(book), chosen, seed, counts or {}, trigger)
    interrupted = False
    try:
        for start in range(first, first + shoes, CHUNK):
            study.add(start, min(CHUNK, first + shoes - start), cores)
            if progress is not None:
                progress(study.shoes)
    except KeyboardInterrupt:
        interrupted = True
        if not study.shoes:
            raise SimulationError("stopped before the first shoes were looked at") from None
    return study.finish(interrupted)


class _Sum:
    """Gains by shoe, added up: over all shoes, their squares, and the rounds bet on; for one or many ways to bet."""

    def __init__(self, *shape: int) -> None:
        self.gain, self.square, self.bet = np.zeros(shape), np.zeros(shape), np.zeros(shape)

    def add(self, gains: Floats, bet: Floats) -> None:
        """By shoe, of one chunk."""
        self.gain += gains.sum(axis=0)
        self.square += (gains**2).sum(axis=0)
        self.bet += bet

    def worth(self, shoes: int, rounds: float, at: tuple[int, ...], trigger: float | None = None) -> Worth:
        mean = float(self.gain[at]) / shoes
        spread = max(float(self.square[at]) / shoes - mean**2, 0.0)
        per_100 = 100 * float(self.gain[at]) / rounds if rounds else 0.0
        share = float(self.bet[at]) / rounds if rounds else 0.0
        return Worth(mean, per_100, share, math.sqrt(spread / shoes), trigger)


NOTHING = Worth(0.0, 0.0, 0.0, 0.0)


class _Study:
    """Sums over shoes."""

    def __init__(
        self,
        book: RuleBook,
        dealing: Dealing,
        codes: list[str],
        seed: int,
        counts: Mapping[str, Count],
        trigger: float | None,
    ) -> None:
        self.book, self.dealing, self.codes = book, dealing, codes
        self._seed = check_seed(seed)
        self._batch = Batch(book)
        self._at = [self._batch.codes.index(code) for code in codes]
        self._full = np.array(Composition.of_decks(dealing.decks, suited=book.suited).counts)
        self._effects = {code: _effects(book, dealing, code) for code in codes}
        self._full_counts = [full_count(self._effects[code]) for code in codes]
        self._small = [counts[code] if code in counts else small_count(self._effects[code]) for code in codes]
        self._scaled = [_scaled(whole, small) for whole, small in zip(self._full_counts, self._small, strict=True)]
        self._triggers = np.arange(TRIGGERS) * STEP if trigger is None else np.array([trigger])
        self.shoes = self.rounds = 0
        self._perfect = _Sum(len(codes))
        self._counted = [_Sum(len(self._triggers)) for _ in codes]
        self._in_full = [_Sum(len(self._triggers)) for _ in codes]
        self._depths = {cut: np.zeros(len(codes)) for cut in DEPTHS if dealing.cut < cut < dealing.size - 12}
        self._insured = _Sum(2, 2)
        self._offered = np.zeros((2, 2))

    def add(self, first: int, shoes: int, cores: int) -> None:
        known, rounds = deal_known(self.book, self.dealing, self._seed, first, shoes)
        found = self._batch.solve(known.unseen[:rounds], cores=cores)
        ev = found.ev[:, self._at]
        shoe = known.shoes[:rounds].astype(np.int64)
        gain = np.where(ev > 0, ev, 0.0)
        by_shoe: Any = np.stack([np.bincount(shoe, column, shoes) for column in gain.T], axis=1)
        self._perfect.add(by_shoe, (ev > 0).sum(axis=0).astype(np.float64))
        places = known.places[:rounds]
        for cut, worth in self._depths.items():
            worth += gain[places <= self.dealing.size - cut].sum(axis=0)
        self._count(known.unseen[:rounds], ev, shoe, shoes)
        if self.book.insurance is not None:
            self._insure(known, rounds, shoe, shoes)
        self.shoes += shoes
        self.rounds += rounds

    def _count(self, unseen: Integers, ev: Floats, shoe: Integers, shoes: int) -> None:
        ranks = ranks_of(unseen)
        seen = self._full.reshape(13, -1).sum(axis=1) - ranks
        decks = ranks.sum(axis=1) / CARDS_IN_DECK
        for index in range(len(self.codes)):
            for count, sums in (
                (self._small[index], self._counted[index]),
                (self._scaled[index], self._in_full[index]),
            ):
                if count.any:
                    true = seen @ np.array(count.tags) / decks
                    self._add_triggers(true, ev[:, index], shoe, shoes, sums)

    def _add_triggers(self, true: Floats, ev: Floats, shoe: Integers, shoes: int, sums: _Sum) -> None:
        """For every trigger, what the rounds at or above it gain."""
        number = len(self._triggers)
        # a running count is a sum of floats, and may fall short of its true count by a rounding
        step = np.floor((true - self._triggers[0]) / STEP + 1e-9).astype(np.int64)
        reached = step >= 0
        at = np.minimum(step[reached], number - 1)
        spots = shoe[reached] * number + at
        gains = np.bincount(spots, ev[reached], shoes * number).reshape(shoes, number)
        bet = np.bincount(at, minlength=number).astype(np.float64)
        above = gains[:, ::-1].cumsum(axis=1)[:, ::-1]
        sums.add(above, bet[::-1].cumsum()[::-1])

    def _insure(self, known: Known, rounds: int, shoe: Integers, shoes: int) -> None:
        values = values_of(ranks_of(known.unseen[:rounds]))
        worth, taken = np.empty((rounds, 2, 2)), np.empty((rounds, 2, 2), np.int64)
        insurance_kernel.value_offers(values, known.cards[:rounds], offers(self.book), worth, taken)
        offered = taken >= 0
        gain = np.where(offered & (worth > 0), worth, 0.0)
        by_shoe = np.zeros((shoes, 2, 2))
        np.add.at(by_shoe, shoe, gain)
        self._insured.add(by_shoe, (gain > 0).sum(axis=0).astype(np.float64))
        self._offered += offered.sum(axis=0)

    def finish(self, interrupted: bool) -> Exposure:
        bets = {code: self._bet(index, code) for index, code in enumerate(self.codes)}
        worst_first = sorted(bets.items(), key=lambda item: -item[1].perfect.per_shoe)
        return Exposure(
            self.book.id,
            self.dealing,
            int(self._seed),
            self.shoes,
            self.rounds,
            dict(worst_first),
            dict(self._insurance()) if self.book.insurance is not None else {},
            interrupted,
        )

    def _bet(self, index: int, code: str) -> BetExposure:
        effects = self._effects[code]
        return BetExposure(
            effects,
            self._small[index],
            self._full_counts[index],
            self._small[index].correlation(effects),
            self._perfect.worth(self.shoes, self.rounds, (index,)),
            self._best(self._counted[index]),
            self._best(self._in_full[index], _ratio(self._scaled[index], self._full_counts[index])),
            {self.dealing.cut: float(self._perfect.gain[index]) / self.shoes}
            | {cut: float(worth[index]) / self.shoes for cut, worth in self._depths.items()},
        )

    def _best(self, sums: _Sum, ratio: float = 1.0) -> Worth:
        best = int(np.argmax(sums.gain))
        if len(self._triggers) > 1 and sums.gain[best] <= 0:
            return NOTHING
        return sums.worth(self.shoes, self.rounds, (best,), float(self._triggers[best]) * ratio)

    def _insurance(self) -> Iterator[tuple[str, InsuranceExposure]]:
        for (window, hand), offered in np.ndenumerate(self._offered):
            name = f"{SIDES[hand].value}_insurance {WINDOWS[window].value}"
            found = self._insured.worth(self.shoes, self.rounds, (window, hand))
            share = float(self._insured.bet[window, hand] / offered) if offered else 0.0
            yield (
                name,
                InsuranceExposure(float(offered) / self.rounds, Worth(found.per_shoe, found.per_100, share, found.se)),
            )


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
