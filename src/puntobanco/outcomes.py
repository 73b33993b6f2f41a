"""The outcome space: everything a bet can depend on, as a small set of numbered outcomes.

A finished coup is one :class:`Outcome`: both point totals, the number of cards in each hand, and what pairs
there were. A :class:`Space` numbers them; a set of outcomes is a plain ``int`` used as a bit set, so that
'every way this round can still end' and 'every way this bet wins' are compared with one ``&``.

A book that distinguishes suited pairs (Perfect Pair) uses the larger space :data:`SUITED`; all others
:data:`PLAIN`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property

import msgspec

from puntobanco.cards import CARDS, Card
from puntobanco.coup import Coup, Hand, banker_draws, player_draws

Value = str | int | bool
"""What a named feature can be."""


class Pair(enum.IntEnum):
    """What the first two cards of a hand make."""

    NONE = 0
    RANK = 1
    SUITED = 2


class PairState(msgspec.Struct, frozen=True):
    """The pairs of both hands; ``twin`` when both are of one rank."""

    player: Pair
    banker: Pair
    twin: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """How a coup ended, as far as any bet may ask."""

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    pairs: PairState

    @property
    def winner(self) -> str:
        if self.player_total == self.banker_total:
            return "tie"
        return "player" if self.player_total > self.banker_total else "banker"


class Feature(msgspec.Struct, frozen=True):
    """A named property of an outcome that a pay line may put a condition on."""

    name: str
    values: tuple[Value, ...]
    of: Callable[[Outcome], Value]
    meaning: str
    needs_suits: bool = False


def _pair_name(outcome: Outcome) -> str:
    pairs = outcome.pairs
    if pairs.twin:
        return "twin"
    names = {(False, False): "none", (True, False): "player", (False, True): "banker", (True, True): "both"}
    return names[pairs.player > 0, pairs.banker > 0]


_TOTALS = tuple(range(10))
_YES_NO = (False, True)

FEATURES: dict[str, Feature] = {
    feature.name: feature
    for feature in (
        Feature("winner", ("player", "banker", "tie"), lambda o: o.winner, "the hand with more points, or tie"),
        Feature("player_total", _TOTALS, lambda o: o.player_total, "Player's points"),
        Feature("banker_total", _TOTALS, lambda o: o.banker_total, "Banker's points"),
        Feature("player_cards", (2, 3), lambda o: o.player_cards, "cards in Player's hand"),
        Feature("banker_cards", (2, 3), lambda o: o.banker_cards, "cards in Banker's hand"),
        Feature("cards", (4, 5, 6), lambda o: o.player_cards + o.banker_cards, "cards in both hands"),
        Feature("margin", _TOTALS, lambda o: abs(o.player_total - o.banker_total), "points between the hands"),
        Feature(
            "player_natural",
            _YES_NO,
            lambda o: o.player_cards == 2 and o.player_total >= 8,
            "Player has 8 or 9 on two cards",
        ),
        Feature(
            "banker_natural",
            _YES_NO,
            lambda o: o.banker_cards == 2 and o.banker_total >= 8,
            "Banker has 8 or 9 on two cards",
        ),
        Feature(
            "pair",
            ("none", "player", "banker", "both", "twin"),
            _pair_name,
            "which hands open with two cards of one rank; twin: both, and of the same rank",
        ),
        Feature("player_pair", _YES_NO, lambda o: o.pairs.player > 0, "Player opens with two cards of one rank"),
        Feature("banker_pair", _YES_NO, lambda o: o.pairs.banker > 0, "Banker opens with two cards of one rank"),
        Feature(
            "pairs",
            (0, 1, 2),
            lambda o: (o.pairs.player > 0) + (o.pairs.banker > 0),
            "how many hands open with a pair",
        ),
        Feature(
            "player_suited_pair",
            _YES_NO,
            lambda o: o.pairs.player is Pair.SUITED,
            "Player opens with two cards of one rank and suit",
            needs_suits=True,
        ),
        Feature(
            "banker_suited_pair",
            _YES_NO,
            lambda o: o.pairs.banker is Pair.SUITED,
            "Banker opens with two cards of one rank and suit",
            needs_suits=True,
        ),
        Feature(
            "suited_pairs",
            (0, 1, 2),
            lambda o: (o.pairs.player is Pair.SUITED) + (o.pairs.banker is Pair.SUITED),
            "how many hands open with two cards of one rank and suit",
            needs_suits=True,
        ),
    )
}

Conditions = Mapping[str, tuple[Value, ...]]
"""Feature name → the values that satisfy the condition; all named features must be satisfied."""


@cache
def endings(player: int, banker: int, player_third: int | None, banker_third: int | None) -> frozenset[int]:
    """Every way two opening totals can end, thirds known or not, as :func:`_code` has them."""
    found: set[int] = set()
    thirds: Iterable[int | None] = (None,)
    if player_draws(player, banker):
        thirds = range(10) if player_third is None else (player_third,)
    for third in thirds:
        player_end = player if third is None else (player + third) % 10
        player_three = third is not None
        if not banker_draws(player, banker, third):
            found.add(_code(player_end, banker, player_three, False))
        elif banker_third is not None:
            found.add(_code(player_end, (banker + banker_third) % 10, player_three, True))
        else:
            found.update(_code(player_end, total, player_three, True) for total in range(10))
    return frozenset(found)


def _code(player: int, banker: int, player_three: bool, banker_three: bool) -> int:
    return ((player * 10 + banker) * 2 + player_three) * 2 + banker_three


class _Opening(msgspec.Struct, frozen=True):
    """What matters of a hand's first two cards. ``rank`` is the pair's, so that twins can be told."""

    total: int
    pair: Pair
    rank: int | None


NOTHING_DEALT = Coup()


class Space:
    """Numbers for outcomes: ``code * states + pair state``. Of 2,000 in the plain space 779 can occur."""

    def __init__(self, *, suited: bool) -> None:
        self.suited = suited
        kinds = (Pair.RANK, Pair.SUITED) if suited else (Pair.RANK,)
        self.states = (
            PairState(Pair.NONE, Pair.NONE),
            *(PairState(kind, Pair.NONE) for kind in kinds),
            *(PairState(Pair.NONE, kind) for kind in kinds),
            *(PairState(first, second) for first in kinds for second in kinds),
            *(PairState(first, second, twin=True) for first in kinds for second in kinds),
        )
        self._state_number = {state: number for number, state in enumerate(self.states)}

    def __repr__(self) -> str:
        return f"Space(suited={self.suited})"

    @property
    def size(self) -> int:
        return 400 * len(self.states)

    def number(self, outcome: Outcome) -> int:
        code = _code(outcome.player_total, outcome.banker_total, outcome.player_cards == 3, outcome.banker_cards == 3)
        return code * len(self.states) + self._state_number[outcome.pairs]

    def __getitem__(self, number: int) -> Outcome:
        code, state = divmod(number, len(self.states))
        code, banker_three = divmod(code, 2)
        code, player_three = divmod(code, 2)
        return Outcome(code // 10, code % 10, 2 + player_three, 2 + banker_three, self.states[state])

    def outcome_of(self, coup: Coup) -> int:
        """The number of a finished coup, or of one that was called and paid as it lay."""
        player, banker = coup.player, coup.banker
        assert min(len(player), len(banker)) > 1, coup
        number = _code(player.total, banker.total, len(player) == 3, len(banker) == 3) * len(self.states)
        if not player.pair and not banker.pair:
            return number
        return number + self._state(self._opening(player), self._opening(banker))

    def _opening(self, hand: Hand) -> _Opening:
        first, second = hand.cards[:2]
        return _opening(first, second, self.suited)

    def _state(self, player: _Opening, banker: _Opening) -> int:
        twin = player.rank is not None and player.rank == banker.rank
        return self._state_number[PairState(player.pair, banker.pair, twin)]

    def reachable(self, coup: Coup = NOTHING_DEALT) -> int:
        """The bit set of outcomes in which the coup can still end, whatever cards come next."""
        player, banker = coup.player, coup.banker
        thirds = tuple(third.points if third else None for third in (player.third, banker.third))
        return self._reachable(
            _openings(player.cards[:2], self.suited), _openings(banker.cards[:2], self.suited), *thirds
        )

    @cache  # noqa: B019 - there are two spaces, and they live as long as the process
    def _reachable(
        self,
        players: frozenset[_Opening],
        bankers: frozenset[_Opening],
        player_third: int | None,
        banker_third: int | None,
    ) -> int:
        states = len(self.states)
        bits = 0
        for player in players:
            for banker in bankers:
                state = self._state(player, banker)
                for code in endings(player.total, banker.total, player_third, banker_third):
                    bits |= 1 << (code * states + state)
        return bits

    @cached_property
    def all(self) -> int:
        """The bit set of the outcomes that can occur at all."""
        return self.reachable()

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The outcomes that can occur, in order."""
        return tuple(number for number in range(self.size) if self.all >> number & 1)

    @cached_property
    def _features(self) -> dict[str, dict[Value, int]]:
        masks: dict[str, dict[Value, int]] = {}
        for feature in FEATURES.values():
            by_value = masks[feature.name] = dict.fromkeys(feature.values, 0)
            for number in self.numbers:
                by_value[feature.of(self[number])] |= 1 << number
        return masks

    def where(self, conditions: Conditions) -> int:
        """The bit set of the reachable outcomes that satisfy all conditions."""
        bits = self.all
        for name, values in conditions.items():
            by_value = self._features[name]
            bits &= sum(by_value[value] for value in set(values))
        return bits


@cache
def _opening(first: Card, second: Card, suited: bool) -> _Opening:
    total = (first.points + second.points) % 10
    if first.rank is not second.rank:
        return _Opening(total, Pair.NONE, None)
    return _Opening(total, Pair.SUITED if suited and first is second else Pair.RANK, first.rank.index)


@cache
def _openings(known: tuple[Card, ...], suited: bool) -> frozenset[_Opening]:
    """Every opening a hand can have, of whose first two cards some are known."""
    firsts = known[:1] or CARDS
    seconds = known[1:2] or CARDS
    return frozenset(_opening(first, second, suited) for first in firsts for second in seconds)


PLAIN = Space(suited=False)
SUITED = Space(suited=True)


def space(*, suited: bool) -> Space:
    """The outcome space, with the suits of pairs or without."""
    return SUITED if suited else PLAIN
