"""Betting systems over simulated shoes: what becomes of a bankroll, how deep it falls, how often it is lost."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from puntobanco.bets import members, payoffs
from puntobanco.cards import CARDS_IN_DECK, Composition, Side
from puntobanco.lab import insurance_kernel, strategy_kernel
from puntobanco.lab.counting import Count
from puntobanco.lab.frames import frame
from puntobanco.lab.known import deal_known, offers, ranks_of, values_of
from puntobanco.lab.shoes import Dealing, SimulationError, check_seed, dealing_of
from puntobanco.odds import odds
from puntobanco.rules.model import RuleBook

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

SYSTEMS = {
    "flat": strategy_kernel.FLAT,
    "martingale": strategy_kernel.MARTINGALE,
    "paroli": strategy_kernel.PAROLI,
    "fibonacci": strategy_kernel.FIBONACCI,
    "dalembert": strategy_kernel.DALEMBERT,
    "labouchere": strategy_kernel.LABOUCHERE,
    "oscar": strategy_kernel.OSCAR,
}
"""The betting systems by name."""
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
CHUNK = 250
"""Shoes played together, rounded to whole sessions."""
MOST_SESSIONS = 10**8
MOST_MONEY = 10**9
MOST_SHOES = 1000
"""Of a session, which is played in one piece."""


class Strategy(msgspec.Struct, frozen=True, kw_only=True):
    """What a player does. Amounts are units, the smallest stake."""

    bet: str
    system: str = "flat"
    bankroll: int = 100
    limit: int = 1000
    """The table's maximum."""
    shoes: int = 1
    """A session's."""
    count: Count | None = None
    trigger: float = 0.0
    """With a count: bet only at this true count or above."""
    insure: Literal["never", "always", "advantage"] = "never"
    """For a bet on a hand: take insurance on it, as large as the stake, never, whenever it is offered, or where exact
    odds favour it. It is not taken with a bankroll of less than three such stakes."""

    def __post_init__(self) -> None:
        if self.system not in SYSTEMS:
            raise SimulationError(f"no system {self.system!r}; there are {', '.join(SYSTEMS)}")
        for name, number, most in (
            ("bankroll", self.bankroll, MOST_MONEY),
            ("limit", self.limit, MOST_MONEY),
            ("shoes", self.shoes, MOST_SHOES),
        ):
            if not 1 <= number <= most:
                raise SimulationError(f"{name} {number}: 1 to {most}")


class Played(msgspec.Struct, frozen=True, eq=False):
    """Sessions of a strategy. Amounts are units."""

    strategy: Strategy
    game: str
    seed: int
    results: Floats
    stakes: Floats
    drawdowns: Floats
    bets: Integers
    ruined: NDArray[np.bool_]
    paths: Floats
    """The bankroll after each bet of the first sessions."""
    exact: float
    """The bet's exact expectation for a full shoe."""
    interrupted: bool = False

    def __len__(self) -> int:
        return len(self.results)

    @property
    def mean(self) -> float:
        return float(self.results.mean())

    @property
    def se(self) -> float:
        """Of the mean result of a session."""
        return float(self.results.std()) / math.sqrt(len(self))

    @property
    def hold(self) -> float:
        """What the house kept of all stakes; insurance counts for the result, not for the stakes."""
        staked = float(self.stakes.sum())
        return -float(self.results.sum()) / staked if staked else 0.0

    @property
    def hold_se(self) -> float:
        """Its standard error, that of a ratio of sums."""
        if not self.stakes.any():
            return 0.0
        off = self.results + self.hold * self.stakes
        return math.sqrt(float((off**2).sum())) / float(self.stakes.sum())

    @property
    def holds(self) -> Floats:
        """The hold of every session with a stake."""
        staked = self.stakes > 0
        found: Floats = -self.results[staked] / self.stakes[staked]
        return found

    @property
    def ruin(self) -> tuple[float, float]:
        """The risk of ruin in a session, and its standard error."""
        risk = float(self.ruined.mean())
        return risk, math.sqrt(risk * (1 - risk) / len(self))

    def summary(self) -> dict[str, Any]:
        """All of it for JSON."""
        risk, risk_se = self.ruin
        strategy = self.strategy
        return {
            "game": self.game,
            "seed": self.seed,
            "strategy": {
                "bet": strategy.bet,
                "system": strategy.system,
                "bankroll": strategy.bankroll,
                "limit": strategy.limit,
                "shoes": strategy.shoes,
                "count": None if strategy.count is None else strategy.count.by_rank,
                "trigger": None if strategy.count is None else strategy.trigger,
                "insure": strategy.insure,
            },
            "sessions": len(self),
            "interrupted": self.interrupted,
            "bets": int(self.bets.sum()),
            "mean": self.mean,
            "se": self.se,
            "sd": float(self.results.std()),
            "hold": self.hold,
            "hold_se": self.hold_se,
            "exact_edge": -self.exact,
            "ruin": risk,
            "ruin_se": risk_se,
            "result": _quantiles(self.results),
            "drawdown": _quantiles(self.drawdowns),
            "hold_of_sessions": _quantiles(self.holds),
        }

    def columns(self) -> dict[str, NDArray[Any]]:
        """A line per session."""
        return {
            "result": self.results,
            "staked": self.stakes,
            "drawdown": self.drawdowns,
            "bets": self.bets,
            "ruined": self.ruined,
        }

    def frame(self) -> Any:
        """The same as a data frame of Polars or pandas."""
        return frame(self.columns())


def _quantiles(values: Floats) -> dict[str, float]:
    if not len(values):
        return {}
    return {f"{share:g}": float(value) for share, value in zip(QUANTILES, np.quantile(values, QUANTILES), strict=True)}


def play(
    book: RuleBook,
    strategy: Strategy,
    dealing: Dealing | None = None,
    *,
    sessions: int = 10_000,
    seed: int = 0,
    paths: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Played:
    """Play so many sessions; the bankroll after every bet of the first few is kept as well."""
    if not 1 <= sessions <= MOST_SESSIONS:
        raise SimulationError(f"{sessions} sessions: 1 to {MOST_SESSIONS}")
    table = _Table(book, strategy, dealing or dealing_of(book), seed)
    parts: list[strategy_kernel.Sessions] = []
    kept: list[Integers] = []
    done, interrupted = 0, False
    chunk = max(1, CHUNK // strategy.shoes)
    try:
        while done < sessions:
            number = min(chunk, sessions - done)
            part, walked = table.play(done, number, max(0, min(number, paths - done)))
            parts.append(part)
            kept.append(walked)
            done += number
            if progress is not None:
                progress(done)
    except KeyboardInterrupt:
        interrupted = True
        if not parts:
            raise SimulationError("stopped before the first session was played") from None
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    results, stakes, drawdowns = (column / table.scale for column in columns[:3])
    walks = np.concatenate(kept) / table.scale
    return Played(
        strategy, book.id, seed, results, stakes, drawdowns, columns[3], columns[4], walks, table.exact, interrupted
    )


class _Table:
    """A game, a strategy and the shoes they meet in."""

    def __init__(self, book: RuleBook, strategy: Strategy, dealing: Dealing, seed: int) -> None:
        self._book, self._strategy, self._dealing = book, strategy, dealing
        self._seed = check_seed(seed)
        bet = book.bet(strategy.bet)
        if strategy.insure != "never" and (book.insurance is None or bet.hand is None):
            raise SimulationError(f"{bet.name} has no insurance at {book.title}")
        self._hand = bet.hand
        by_gain = payoffs(book)[bet.code].by_gain
        rows = book.insurance.rows if book.insurance and strategy.insure != "never" else ()
        denominators = [gain.denominator for gain in by_gain] + [row.odds.fraction.denominator for row in rows]
        self.scale = math.lcm(*denominators)
        self._gains = np.full(book.space.size, -self.scale, np.int64)
        for gain, outcomes in by_gain.items():
            self._gains[list(members(outcomes))] = int(gain * self.scale)
        full = Composition.of_decks(dealing.decks, suited=book.suited)
        self.exact = float(odds(book, full)[bet.code].ev)

    def play(self, done: int, sessions: int, paths: int) -> tuple[strategy_kernel.Sessions, Integers]:
        strategy = self._strategy
        known, rounds = deal_known(
            self._book, self._dealing, self._seed, done * strategy.shoes, sessions * strategy.shoes
        )
        betting = np.ones(rounds, np.bool_)
        ranks = ranks_of(known.unseen[:rounds])
        if strategy.count is not None:
            running = (4 * self._dealing.decks - ranks) @ np.array(strategy.count.tags)
            betting = running / (ranks.sum(axis=1) / CARDS_IN_DECK) >= strategy.trigger - 1e-9
        lengths = known.lengths.reshape(sessions, strategy.shoes).sum(axis=1)
        firsts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
        insured = np.zeros(rounds, np.int64)
        if strategy.insure != "never":
            insured = self._insurance(values_of(ranks), known.cards[:rounds], known.outcomes[:rounds])
        money = strategy_kernel.Money(
            SYSTEMS[strategy.system], strategy.bankroll, strategy.limit, self.scale
        )  # fmt: skip
        out = strategy_kernel.Sessions(
            np.zeros(sessions, np.int64),
            np.zeros(sessions, np.int64),
            np.zeros(sessions, np.int64),
            np.zeros(sessions, np.int64),
            np.zeros(sessions, np.bool_),
        )
        room = strategy.shoes * self._dealing.most_rounds
        walked = np.full((paths, room), strategy.bankroll * self.scale, np.int64)
        strategy_kernel.play_sessions(
            firsts, known.outcomes[:rounds], self._gains, betting, insured, money, out, walked
        )
        return out, walked

    def _insurance(self, values: Integers, cards: NDArray[np.uint8], outcomes: NDArray[np.int32]) -> Integers:
        """What a unit of insurance on the hand gains in each round, over both windows."""
        assert self._book.insurance is not None
        table = offers(self._book)
        worth = np.empty((len(values), 2, 2))
        taken = np.empty((len(values), 2, 2), np.int64)
        insurance_kernel.value_offers(values, cards, table, worth, taken)
        hand = 0 if self._hand is Side.PLAYER else 1
        wins = [self._wins[number] for number in ("player", "banker", "tie")]
        gain = np.zeros(len(values), np.int64)
        for window in range(2):
            right = taken[:, window, hand] >= 0
            if self._strategy.insure == "advantage":
                right &= worth[:, window, hand] > 0
            for number, row in enumerate(self._book.insurance.rows):
                here = right & (taken[:, window, hand] == number)
                pays = int(row.odds.fraction * self.scale)
                gain += here * wins[1 - hand][outcomes] * pays
                gain -= here * wins[hand][outcomes] * self.scale
                gain += here * wins[2][outcomes] * (pays if row.tie_pays else 0)
        return gain

    @property
    def _wins(self) -> dict[str, Integers]:
        """By winner, 1 for its outcomes."""
        space = self._book.space
        found = {}
        for winner in ("player", "banker", "tie"):
            found[winner] = np.zeros(space.size, np.int64)
            found[winner][list(members(space.where({"winner": (winner,)})))] = 1
        return found
