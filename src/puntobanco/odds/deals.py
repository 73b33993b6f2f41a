"""How many deals of a shoe go each way through the Table of Play.

For a shoe from which nothing is dealt yet, :mod:`puntobanco.odds.kernels` counts them. From a coup that has
begun, and for a shoe that holds fewer cards than a round may take, they are listed here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from typing import NamedTuple, TypeVar

import numpy as np

from puntobanco.cards import CARDS, Card, CardError, Composition
from puntobanco.coup import Coup, banker_draws, player_draws
from puntobanco.odds import kernels
from puntobanco.odds.kernels import DRAWS, NO_CARD, STANDS, Counts
from puntobanco.outcomes import NOTHING_DEALT, PLAIN, Outcome, Pair, PairState, Space

T = TypeVar("T")

ROUND = 6
"""The most cards a round can take."""


class ShoeTooShort(CardError):  # noqa: N818 - it reads like what it says
    """A shoe with which a round may not come to its end."""

    def __init__(self, cards: int, coup: Coup) -> None:
        dealt = f" after {coup}" if coup.cards else ""
        super().__init__(
            f"the shoe is too short: with {cards} card{'s' * (cards != 1)}{dealt} a round may not be finished"
        )


class Path(NamedTuple):
    """A way through the Table of Play: the points of both openings and the values of the third cards."""

    player: int
    banker: int
    player_third: int | None
    banker_third: int | None

    @property
    def thirds(self) -> tuple[int, ...]:
        """The values drawn, Player's first."""
        return tuple(third for third in (self.player_third, self.banker_third) if third is not None)

    @property
    def player_end(self) -> int:
        return (self.player + (self.player_third or 0)) % 10

    @property
    def banker_end(self) -> int:
        return (self.banker + (self.banker_third or 0)) % 10

    def outcome(self, pairs: PairState) -> Outcome:
        player_cards, banker_cards = (2 + (third is not None) for third in self[2:])
        return Outcome(self.player_end, self.banker_end, player_cards, banker_cards, pairs)


def _paths(player: int, banker: int) -> Iterator[Path]:
    values = tuple(range(10))
    for third in values if player_draws(player, banker) else (None,):
        for last in values if banker_draws(player, banker, third) else (None,):
            yield Path(player, banker, third, last)


_PATHS_FROM = {opening: tuple(_paths(*opening)) for opening in product(range(10), repeat=2)}
"""The paths from every opening, Player's points first."""
PATHS = tuple(chain(*_PATHS_FROM.values()))
"""All 3,394."""


def _turn(path: Path) -> tuple[int, int, int]:
    """The index at which the kernels find what happens on Banker's turn."""
    return NO_CARD if path.player_third is None else path.player_third, path.player, path.banker


def _table_of_play() -> tuple[Counts, Counts]:
    """What Banker does on its turn, and the row of outcomes: Player's end, and which hands have three cards."""
    play, rows = np.zeros((11, 10, 10), np.uint8), np.zeros((11, 10, 10), np.uint16)
    for path in PATHS:
        player_three, banker_three = path.player_third is not None, path.banker_third is not None
        play[_turn(path)] = DRAWS if banker_three else STANDS
        rows[_turn(path)] = 4 * path.player_end + 2 * player_three + banker_three
    return play, rows


_PLAY, _OUTCOME_ROWS = _table_of_play()
_TURN_ROWS = np.arange(_PLAY.size, dtype=np.uint16).reshape(_PLAY.shape)
_PATH_ROWS = np.array([_TURN_ROWS[_turn(path)] for path in PATHS])
_PATH_POINTS = np.array([path.banker + (path.banker_third or 0) for path in PATHS])


def count_outcomes(shoe: Composition, space: Space) -> Counts:
    """The six-card deals of a shoe that end in each outcome of a space."""
    ends = _count(shoe.counts if space.suited else shoe.ranks, space, _OUTCOME_ROWS, 40)
    weights = np.zeros((10, 10, 4, len(space.states)), ends.dtype)
    kernels.fold(ends, 2 if space.suited else 1, weights)
    return weights.reshape(-1)


def count_paths(shoe: Composition) -> Counts:
    """The deals of a shoe that take each path, in the order of ``PATHS``."""
    if shoe.size < ROUND:
        taken: Counter[Path] = Counter()
        for path, _, ways in finishes(NOTHING_DEALT, shoe):
            taken[path] += ways
        return np.array([taken[path] for path in PATHS], object)
    all_deals = _count(shoe.ranks, PLAIN, _TURN_ROWS, _TURN_ROWS.size)[0]
    deals: Counts = all_deals[_PATH_ROWS, _PATH_POINTS]
    return deals


def _count(counts: tuple[int, ...], space: Space, rows: Counts, height: int) -> Counts:
    """The deals by pair states that overlap, rows, and Banker's points; in 64 bits if their number fits."""
    kind = np.int64 if math.perm(sum(counts), ROUND) < 2**63 else object
    ends = np.zeros((len(space.states), height, 20), kind)
    kernels.count_deals(np.array(counts, kind).reshape(13, -1), _PLAY, rows, ends)
    return ends


def finishes(coup: Coup, shoe: Composition, *, suited: bool = False) -> Iterator[tuple[Path, PairState, int]]:
    """Every way to finish a coup: its path, its pairs, and how many of :func:`deals_after` go that way.

    ``shoe`` is what is left after the coup's cards were taken out.
    """
    known = tuple(card.points for card in coup.cards[4:])
    for opening, ways in _openings(coup, shoe, suited).items():
        left = Counter(dict(enumerate(shoe.points)))
        left.subtract(opening.drawn)
        size = left.total()
        for path in _PATHS_FROM[opening.player, opening.banker]:
            if path.thirds[: len(known)] != known:
                continue
            thirds = path.thirds[len(known) :]
            if not (draws := _ways(left, thirds[:size])):
                continue
            if len(thirds) > size:
                raise ShoeTooShort(shoe.size, coup)
            drawn = len(opening.drawn) + len(thirds)
            unused = math.perm(shoe.size - drawn, _cards_to_come(coup, shoe) - drawn)
            yield path, opening.pairs, ways * draws * unused


def deals_after(coup: Coup, shoe: Composition) -> int:
    """Ordered ways to deal on, to six cards or as many as there are."""
    return math.perm(shoe.size, _cards_to_come(coup, shoe))


def _cards_to_come(coup: Coup, shoe: Composition) -> int:
    return min(ROUND - len(coup.cards), shoe.size)


class _Opening(NamedTuple):
    """The first four cards: both totals, the pairs, and the values of those still to be drawn."""

    player: int
    banker: int
    pairs: PairState
    drawn: tuple[int, ...]


def _openings(coup: Coup, shoe: Composition, suited: bool) -> Counter[_Opening]:
    """Ordered ways to complete the first four cards of a coup."""
    known = coup.cards[:4]
    missing = 4 - len(known)
    if missing > shoe.size:
        raise ShoeTooShort(shoe.size, coup)
    kinds = CARDS if shoe.suited else CARDS[::4]
    counts = {card: count for card, count in zip(kinds, shoe.counts, strict=True) if count}
    openings: Counter[_Opening] = Counter()
    for drawn in product(counts, repeat=missing):
        if not (ways := _ways(counts, drawn)):
            continue
        player, banker, player_second, banker_second = known + drawn
        opening = _Opening(
            (player.points + player_second.points) % 10,
            (banker.points + banker_second.points) % 10,
            _pair_state(player, player_second, banker, banker_second, suited),
            tuple(sorted(card.points for card in drawn)),
        )
        openings[opening] += ways
    return openings


def _pair_state(first: Card, second: Card, third: Card, fourth: Card, suited: bool) -> PairState:
    player, banker = _pair(first, second, suited), _pair(third, fourth, suited)
    return PairState(player, banker, twin=bool(player and banker) and first.rank is third.rank)


def _pair(first: Card, second: Card, suited: bool) -> Pair:
    if first.rank is not second.rank:
        return Pair.NONE
    return Pair.SUITED if suited and first is second else Pair.RANK


def _ways(left: Mapping[T, int], kinds: Sequence[T]) -> int:
    """Ordered ways to draw cards of these kinds."""
    return math.prod(left[kind] - kinds[:index].count(kind) for index, kind in enumerate(kinds))
