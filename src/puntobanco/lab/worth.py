"""What betting is worth to a counter, from the sums of a study: a shoe, per 100 rounds, and by Cut Card depth."""

from __future__ import annotations

import math
from typing import Any

import msgspec
from numpy.typing import NDArray

from puntobanco.lab.study import STEP, UNIT


class Worth(msgspec.Struct, frozen=True):
    """What betting a unit whenever it is right to gains: a shoe, and per 100 rounds dealt."""

    per_shoe: float
    per_100: float
    share: float
    """Of all rounds, those bet on; for insurance, of those in which it is on offer."""
    se: float
    """Of ``per_shoe``."""
    trigger: float | None = None
    """The true count from which on it is bet; None with perfect knowledge, or where it is never right."""

    @property
    def edge(self) -> float:
        """The mean advantage of the rounds bet on, where ``share`` is of all rounds."""
        return self.per_100 / 100 / self.share if self.share else 0.0

    def summary(self, *, trigger: bool = False) -> dict[str, Any]:
        """As JSON has it."""
        found = {"per_shoe": self.per_shoe, "per_100": self.per_100, "share": self.share, "se": self.se}
        return found | {"trigger": self.trigger} if trigger else found


NOTHING = Worth(0.0, 0.0, 0.0, 0.0)


class Depth(msgspec.Struct, frozen=True):
    """What the same shoes are worth with the Cut Card at some depth; the count is then bet from its best trigger."""

    perfect: Worth
    counted: Worth

    def summary(self) -> dict[str, Any]:
        return {"perfect": self.perfect.summary(), "counted": self.counted.summary(trigger=True)}


class AtDepths(msgspec.Struct, frozen=True, kw_only=True):
    """Something one can bet on, and what it is worth with the Cut Card at several depths."""

    by_depth: dict[int, Depth]
    """By cards behind the Cut Card, the deepest first: that of the run itself."""

    @property
    def perfect(self) -> Worth:
        return self._of_the_run.perfect

    @property
    def counted(self) -> Worth:
        return self._of_the_run.counted

    @property
    def _of_the_run(self) -> Depth:
        return next(iter(self.by_depth.values()))


class Dealt(msgspec.Struct, frozen=True):
    """So many shoes and rounds, and those of the rounds in which the bet can be made."""

    shoes: int
    rounds: int
    open: int

    def worth(self, gain: int, square: int, bet: int, trigger: float | None = None) -> Worth:
        """From whole sums."""
        mean = gain / UNIT / self.shoes
        spread = max(square / UNIT / self.shoes - mean**2, 0.0)
        error = math.sqrt(spread / self.shoes)
        return Worth(mean, 100 * gain / UNIT / self.rounds, bet / self.open if self.open else 0.0, error, trigger)

    def best(self, sums: NDArray[Any] | None, fixed: float | None = None, ratio: float = 1.0) -> Worth:
        """From sums by trigger, that which gains the most; there is but one where it is ``fixed``.

        Without sums there is nothing to count. ``ratio`` are the true counts of the answer to those of the sums.
        """
        if sums is None:
            return NOTHING if fixed is None else msgspec.structs.replace(NOTHING, trigger=fixed * ratio)
        gains, squares, bet = sums.tolist()
        best = max(range(len(gains)), key=gains.__getitem__)
        if fixed is None and gains[best] <= 0:
            return NOTHING
        trigger = best * STEP if fixed is None else fixed
        return self.worth(gains[best], squares[best], bet[best], trigger * ratio)
