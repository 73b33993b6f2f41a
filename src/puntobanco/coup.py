"""One deal of two hands, by the Table of Play that all five books share.

A :class:`Coup` knows which hand is due the next card; :func:`reconstruct` deals a sequence of drawn cards as
the Table of Play wants it, and says what is left over.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import msgspec

from puntobanco.cards import BANKER, PLAYER, BySide, Card, CardError, Side, parse_cards
from puntobanco.lazy import lazy

PLAYER_DRAWS_ON = frozenset({0, 1, 2, 3, 4, 5})
BANKER_DRAWS_WITHOUT_PLAYER_THIRD_ON = frozenset({0, 1, 2, 3, 4, 5})
NATURALS = frozenset({8, 9})

OPENING = (PLAYER, BANKER, PLAYER, BANKER)
"""Whose the first four cards are."""

_ANY = frozenset(range(10))
BANKER_DRAWS_AGAINST: dict[int, frozenset[int]] = {
    0: _ANY,
    1: _ANY,
    2: _ANY,
    3: _ANY - {8},
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
    7: frozenset(),
}
"""Banker's two-card points → the points of Player's third card against which Banker draws."""


class DealError(ValueError):
    """Cards that do not make the coup asked for."""


def player_draws(player: int, banker: int) -> bool:
    """Whether Player, on two cards each, takes a third."""
    return player in PLAYER_DRAWS_ON and banker not in NATURALS


def banker_draws(player: int, banker: int, player_third: int | None) -> bool:
    """Whether Banker, on two cards, takes a third; ``player`` are Player's points on two cards."""
    if player in NATURALS or banker in NATURALS:
        return False
    if player_third is None:
        return banker in BANKER_DRAWS_WITHOUT_PLAYER_THIRD_ON
    return player_third in BANKER_DRAWS_AGAINST[banker]


def sure_third(player: int, banker: int) -> bool:
    """Whether, on two cards each, Banker's third card follows Player's, whatever Player's is."""
    return player_draws(player, banker) and all(banker_draws(player, banker, third) for third in range(10))


@lru_cache(maxsize=4096)
def may_be_due(dealt: tuple[int | None, ...]) -> frozenset[Side | None]:
    """Whose the next card may be, None where it is nobody's, after cards of these points; None is one face down."""
    if len(dealt) < 4:
        return frozenset({OPENING[len(dealt)]})
    thirds = [_ANY if point is None else {point} for point in dealt[4:5]]
    return frozenset(
        _due_next(player, banker, len(dealt), third)
        for player in _totals(dealt[0:4:2])
        for banker in _totals(dealt[1:4:2])
        for third in (thirds[0] if thirds else (0,))
    )


def _totals(pair: tuple[int | None, ...]) -> frozenset[int]:
    """What two cards may come to."""
    known = [point for point in pair if point is not None]
    return frozenset({sum(known) % 10}) if len(known) == len(pair) else _ANY


def _due_next(player: int, banker: int, dealt: int, third: int) -> Side | None:
    """Whose the card after so many is, by the points of two cards each and those of the fifth."""
    if player_draws(player, banker):
        if dealt == 4:
            return Side.PLAYER
        return Side.BANKER if dealt == 5 and banker_draws(player, banker, third) else None
    return Side.BANKER if dealt == 4 and banker_draws(player, banker, None) else None


def points(cards: Iterable[Card]) -> int:
    """The point total: the last digit of the sum of the card values."""
    total = 0
    for card in cards:
        total += card.points
    return total % 10


class Hand(msgspec.Struct, frozen=True, dict=True):
    """The cards of one side, in the order it received them."""

    cards: tuple[Card, ...] = ()

    @lazy
    def total(self) -> int:
        return points(self.cards)

    @property
    def opening(self) -> int:
        """The points of the first two cards."""
        return points(self.cards[:2])

    @property
    def third(self) -> Card | None:
        """The third card, if there is one."""
        return self.cards[2] if len(self.cards) == 3 else None

    @property
    def natural(self) -> bool:
        """Whether it is an 8 or 9 with two cards."""
        return len(self.cards) == 2 and self.total in NATURALS

    @property
    def pair(self) -> bool:
        """Whether the first two cards are of one rank."""
        return len(self.cards) >= 2 and self.cards[0].rank is self.cards[1].rank

    @property
    def suited_pair(self) -> bool:
        """Whether the first two cards are the same card."""
        return len(self.cards) >= 2 and self.cards[0] is self.cards[1]

    def __len__(self) -> int:
        return len(self.cards)

    def __str__(self) -> str:
        return "".join([card.text for card in self.cards])


class Coup(msgspec.Struct, frozen=True, dict=True):
    """Two hands, dealt so far or to the end. Notation: ``P 9h4c2d B KsQd5h``.

    >>> coup = Coup.parse("P 9h4c B KsQd")
    >>> coup.player.total, coup.banker.total, coup.due
    (3, 0, Side('player'))
    """

    player: Hand = Hand()
    banker: Hand = Hand()

    @property
    def hands(self) -> BySide[Hand]:
        """Both hands."""
        return BySide(self.player, self.banker)

    @lazy
    def due(self) -> Side | None:
        """The hand that the next card belongs to; None when the coup is finished."""
        player, banker = self.player, self.banker
        dealt = len(player.cards) + len(banker.cards)
        if dealt < 4:
            return PLAYER if dealt % 2 == 0 else BANKER
        if len(banker.cards) == 3:
            return None
        if dealt == 4 and player_draws(player.total, banker.total):
            return PLAYER
        third = player.third
        if banker_draws(player.opening, banker.total, third.points if third else None):
            return BANKER
        return None

    @property
    def finished(self) -> bool:
        """Whether no card is due."""
        return self.due is None

    @property
    def winner(self) -> Side | None:
        """The hand ahead on points as they are now; None when they are level."""
        if self.player.total == self.banker.total:
            return None
        return PLAYER if self.player.total > self.banker.total else BANKER

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in the order the Table of Play deals them."""
        player, banker = self.player.cards, self.banker.cards
        opening = [hand[index] for index in (0, 1) for hand in (player, banker) if index < len(hand)]
        return (*opening, *player[2:], *banker[2:])

    def receive(self, card: Card) -> Coup:
        """The coup after the next card went to the hand it was due to."""
        due = self.due
        if due is PLAYER:
            return Coup(Hand((*self.player.cards, card)), self.banker)
        if due is BANKER:
            return Coup(self.player, Hand((*self.banker.cards, card)))
        raise DealError(f"the coup {self} is finished: {card} belongs to neither hand")

    @classmethod
    def parse(cls, text: str) -> Coup:
        """Read ``P 9h4c2d B KsQd5h``; the hands must be dealt as the Table of Play says."""
        player, mark, banker = text.strip().partition("B")
        if not player.startswith("P") or not mark:
            raise DealError(f"{text!r} is not a coup: write P, Player's cards, B, Banker's cards, as in P 9h4c B KsQd")
        try:
            coup = cls(Hand(parse_cards(player[1:])), Hand(parse_cards(banker)))
        except CardError as error:
            raise DealError(f"{text!r} is not a coup: {error}") from error
        dealt = reconstruct(coup.cards)
        if dealt.coup != coup or dealt.left_over:
            raise DealError(f"{text!r} is not dealt by the Table of Play, which gives {dealt}")
        return coup

    def __str__(self) -> str:
        return " ".join(filter(None, ("P", str(self.player), "B", str(self.banker))))


class Reconstruction(msgspec.Struct, frozen=True):
    """Cards put back in the order they left the shoe and dealt again, and those the coup had no use for."""

    coup: Coup
    left_over: tuple[Card, ...]

    def __str__(self) -> str:
        if not self.left_over:
            return str(self.coup)
        return f"{self.coup}, left over {' '.join(map(str, self.left_over))}"


def reconstruct(cards: Iterable[Card]) -> Reconstruction:
    """Deal the cards, in the order they left the shoe, by the Table of Play.

    >>> from puntobanco.cards import parse_cards
    >>> str(reconstruct(parse_cards("9h Kc Kd 7s 4d")))
    'P 9hKd B Kc7s, left over 4d'
    """
    coup = Coup()
    remaining = iter(cards)
    while not coup.finished:
        card = next(remaining, None)
        if card is None:
            break
        coup = coup.receive(card)
    return Reconstruction(coup, tuple(remaining))


def deal_finished(cards: Iterable[Card]) -> Coup:
    """Exactly one finished coup; a card too few or too many is an error.

    >>> from puntobanco.cards import parse_cards
    >>> str(deal_finished(parse_cards("9h Kc Kd 7s")))
    'P 9hKd B Kc7s'
    """
    cards = tuple(cards)
    dealt = reconstruct(cards)
    if dealt.coup.due is not None:
        raise DealError(
            f"the round is not finished: after {len(cards)} card{'s' * (len(cards) != 1)} ({dealt.coup}) "
            f"the next goes to {dealt.coup.due.value.title()}"
        )
    if dealt.left_over:
        count = len(dealt.left_over)
        raise DealError(
            f"{count} card{'s' * (count != 1)} too many: the round is finished with {dealt.coup}, "
            f"left over {' '.join(map(str, dealt.left_over))}"
        )
    return dealt.coup
