"""Cards, and how many of each are left.

A card has one notation, ``9h`` or ``Td``; parsing is more generous (``10d``, ``kH``, ``Q♠``). A
:class:`Composition` counts the cards of a shoe, by rank (``A:32 2:32 … K:32``) or by card (``Ah:8 As:8 …``).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

import msgspec

T = TypeVar("T")
U = TypeVar("U")

MAX_DECKS = 10
CARDS_IN_DECK = 52


class CardError(ValueError):
    """Text that is not a card, a list of cards or the composition of a shoe."""


class Symbol(enum.Enum):
    """An enumeration whose members hash by identity, which is a good deal quicker where they are keys."""

    __hash__ = object.__hash__


class Side(Symbol):
    """One of the two hands of a coup."""

    PLAYER = "player"
    BANKER = "banker"

    @property
    def other(self) -> Side:
        """The hand across: Banker of Player."""
        return Side.BANKER if self is Side.PLAYER else Side.PLAYER

    def __repr__(self) -> str:
        return f"Side({self.value!r})"

    def __str__(self) -> str:
        return str(self.value)


PLAYER, BANKER = Side
"""Named once for what is asked all the time: an enumeration takes a while to find its members in Python 3.11."""


class BySide(msgspec.Struct, Generic[T], frozen=True):
    """One thing for Player and one for Banker.

    >>> BySide(8, 6).map(lambda points: points + 1)
    BySide(player=9, banker=7)
    """

    player: T
    banker: T

    def __getitem__(self, side: Side) -> T:
        return self.player if side is Side.PLAYER else self.banker

    def __iter__(self) -> Iterator[T]:
        yield self.player
        yield self.banker

    def map(self, function: Callable[[T], U]) -> BySide[U]:
        """The same done to both."""
        return BySide(function(self.player), function(self.banker))

    def swap(self) -> BySide[T]:
        """Player's and Banker's exchanged."""
        return BySide(self.banker, self.player)

    def put(self, side: Side, thing: T) -> BySide[T]:
        """The same, with ``thing`` in place of what ``side`` had."""
        return BySide(thing, self.banker) if side is Side.PLAYER else BySide(self.player, thing)


class Suit(Symbol):
    """The four suits, spades to clubs."""

    SPADES = "s"
    HEARTS = "h"
    DIAMONDS = "d"
    CLUBS = "c"

    @property
    def symbol(self) -> str:
        """As printed on a card: ♠ ♥ ♦ ♣."""
        return "♠♥♦♣"["shdc".index(self.value)]

    @property
    def red(self) -> bool:
        """Hearts and diamonds."""
        return self in (Suit.HEARTS, Suit.DIAMONDS)


class Rank(Symbol):
    """Ace to King. Ten, Jack, Queen and King are four ranks that all count zero."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    index: int
    points: int

    def __init__(self, text: str) -> None:
        self.index = "A23456789TJQK".index(text)
        self.points = self.index + 1 if self.index < 9 else 0

    def __repr__(self) -> str:
        return f"Rank({self.value!r})"


RANKS = tuple(Rank)
SUITS = tuple(Suit)
_SUIT_LETTER = {letter: suit for suit in Suit for letter in (suit.value, suit.value.upper(), suit.symbol)} | {
    "♤": Suit.SPADES,
    "♡": Suit.HEARTS,
    "♢": Suit.DIAMONDS,
    "♧": Suit.CLUBS,
}


class Card(Symbol):
    """One of the 52: ``Card("9h")``, ``Card("10♦")``. Prints as rank and suit letter."""

    # fmt: off
    AS = "As"; AH = "Ah"; AD = "Ad"; AC = "Ac"  # noqa: E702
    TWO_S = "2s"; TWO_H = "2h"; TWO_D = "2d"; TWO_C = "2c"  # noqa: E702
    THREE_S = "3s"; THREE_H = "3h"; THREE_D = "3d"; THREE_C = "3c"  # noqa: E702
    FOUR_S = "4s"; FOUR_H = "4h"; FOUR_D = "4d"; FOUR_C = "4c"  # noqa: E702
    FIVE_S = "5s"; FIVE_H = "5h"; FIVE_D = "5d"; FIVE_C = "5c"  # noqa: E702
    SIX_S = "6s"; SIX_H = "6h"; SIX_D = "6d"; SIX_C = "6c"  # noqa: E702
    SEVEN_S = "7s"; SEVEN_H = "7h"; SEVEN_D = "7d"; SEVEN_C = "7c"  # noqa: E702
    EIGHT_S = "8s"; EIGHT_H = "8h"; EIGHT_D = "8d"; EIGHT_C = "8c"  # noqa: E702
    NINE_S = "9s"; NINE_H = "9h"; NINE_D = "9d"; NINE_C = "9c"  # noqa: E702
    TS = "Ts"; TH = "Th"; TD = "Td"; TC = "Tc"  # noqa: E702
    JS = "Js"; JH = "Jh"; JD = "Jd"; JC = "Jc"  # noqa: E702
    QS = "Qs"; QH = "Qh"; QD = "Qd"; QC = "Qc"  # noqa: E702
    KS = "Ks"; KH = "Kh"; KD = "Kd"; KC = "Kc"  # noqa: E702
    # fmt: on

    text: str
    rank: Rank
    suit: Suit
    points: int
    index: int

    def __init__(self, text: str) -> None:
        self.text = text
        self.rank = Rank(text[0])
        self.suit = Suit(text[1])
        self.points = self.rank.points
        self.index = self.rank.index * 4 + SUITS.index(self.suit)

    @classmethod
    def _missing_(cls, value: object) -> Card:
        if not isinstance(value, str):
            raise CardError(f"a card is written as text such as 9h or Td, not {value!r}")
        match = _CARD.fullmatch(value.strip())
        if match is None:
            raise CardError(
                f"{value!r} is not a card: a card is a rank (A 2–9 T J Q K) and a suit (s h d c), as in 9h or Td"
            )
        return _card(match)

    @property
    def symbol(self) -> str:
        """The card as a person likes to see it: ``10♦``."""
        return ("10" if self.rank is Rank.TEN else self.rank.value) + self.suit.symbol

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.value!r})"


CARDS = tuple(Card)
_CARD = re.compile(r"(10|[A2-9TJQKa2-9tjqk])([shdcSHDC♠♥♦♣♤♡♢♧])\ufe0f?")
_COUNT = re.compile(r"[0-9]+")
_MOST_DIGITS = 9
_BETWEEN_CARDS = re.compile(r"[\s,]*")


def _card(match: re.Match[str]) -> Card:
    rank = "T" if match[1] == "10" else match[1].upper()
    return Card(rank + str(_SUIT_LETTER[match[2]].value))


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards in order, with or without spaces or commas between them.

    >>> parse_cards("9h,Td Kc")
    (Card('9h'), Card('Td'), Card('Kc'))
    """
    cards: list[Card] = []
    at = _BETWEEN_CARDS.match(text)
    position = at.end() if at else 0
    while position < len(text):
        match = _CARD.match(text, position)
        if match is None:
            rest = text[position:].split(maxsplit=1)[0]
            raise CardError(
                f"card {len(cards) + 1} cannot be read at {rest!r}: "
                "a card is a rank (A 2–9 T J Q K) and a suit (s h d c), as in 9h or Td"
            )
        cards.append(_card(match))
        at = _BETWEEN_CARDS.match(text, match.end())
        position = at.end() if at else match.end()
    return tuple(cards)


def format_cards(cards: Iterable[Card]) -> str:
    """Cards as text, which :func:`parse_cards` reads back.

    >>> format_cards(parse_cards("9hTd"))
    '9h Td'
    """
    return " ".join(map(str, cards))


class Composition(msgspec.Struct, frozen=True):
    """How many cards of each kind a shoe holds: 13 counts by rank, or 52 by card where suits matter.

    >>> shoe = Composition.of_decks(8).without(parse_cards("9h Td"))
    >>> sum(shoe.counts), shoe.counts[8]
    (414, 31)
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) not in (len(RANKS), len(CARDS)):
            raise CardError(f"a composition has 13 counts (by rank) or 52 (by card), not {len(self.counts)}")
        if any(count < 0 for count in self.counts):
            raise CardError("a composition has no negative counts")

    @classmethod
    def of_decks(cls, decks: int, *, suited: bool = False) -> Composition:
        """Full decks; 1 to 10 of them."""
        if not 1 <= decks <= MAX_DECKS or decks % 1:
            raise CardError(f"{decks} decks: a shoe is made of 1 to {MAX_DECKS} whole decks")
        decks = int(decks)
        return cls((decks,) * 52 if suited else (4 * decks,) * 13)

    @classmethod
    def of_cards(cls, cards: Iterable[Card]) -> Composition:
        """The composition of these cards alone."""
        counts = [0] * 52
        for card in cards:
            counts[card.index] += 1
        return cls(tuple(counts))

    @classmethod
    def parse(cls, text: str) -> Composition:
        """Read ``A:30 2:31 … K:32`` or ``Ah:8 As:7 …``; what is not named counts 0."""
        by_rank: dict[Rank, int] = {}
        by_card: dict[Card, int] = {}
        for item in text.replace(",", " ").split():
            name, colon, number = item.partition(":")
            if not colon or not _COUNT.fullmatch(number):
                raise CardError(f"{item!r} is not a count: write rank:number or card:number, as in A:32 or Ah:8")
            if len(number) > _MOST_DIGITS:
                raise CardError(f"{item!r} is too large: a count has at most {_MOST_DIGITS} digits")
            seen: bool
            if name.upper() == "10" or (len(name) == 1 and name.upper() in "A23456789TJQK"):
                rank = Rank("T" if name == "10" else name.upper())
                seen, by_rank[rank] = rank in by_rank, int(number)
            else:
                try:
                    card = Card(name)
                except CardError:
                    raise CardError(
                        f"{name!r} in {item!r} is neither a rank (A 2–9 T J Q K) nor a card (as in 9h)"
                    ) from None
                seen, by_card[card] = card in by_card, int(number)
            if seen:
                raise CardError(f"{name!r} is counted twice")
        if by_rank and by_card:
            raise CardError("a shoe is counted by ranks (A:32) or by cards (Ah:8), not by both")
        if not by_rank and not by_card:
            raise CardError("an empty shoe: write how many cards are left, as in A:32 2:32 … K:32")
        if by_card:
            return cls(tuple(by_card.get(card, 0) for card in CARDS))
        return cls(tuple(by_rank.get(rank, 0) for rank in RANKS))

    def __str__(self) -> str:
        names: Iterable[str] = (kind.value for kind in (CARDS if self.suited else RANKS))
        return " ".join(f"{name}:{count}" for name, count in zip(names, self.counts, strict=True) if count)

    @property
    def suited(self) -> bool:
        """Whether the suits are known."""
        return len(self.counts) == 52

    @property
    def size(self) -> int:
        """How many cards there are."""
        return sum(self.counts)

    @property
    def ranks(self) -> tuple[int, ...]:
        """Counts of the 13 ranks."""
        if not self.suited:
            return self.counts
        return tuple(sum(self.counts[4 * rank : 4 * rank + 4]) for rank in range(13))

    @property
    def points(self) -> tuple[int, ...]:
        """Counts of the ten card values, 0 to 9."""
        ranks = self.ranks
        return (sum(ranks[9:]), *ranks[:9])

    def without(self, cards: Iterable[Card]) -> Composition:
        """The shoe after these cards left it."""
        counts = list(self.counts)
        for card in cards:
            index = card.index if self.suited else card.rank.index
            if counts[index] == 0:
                raise CardError(f"{card} is not in the shoe any more")
            counts[index] -= 1
        return Composition(tuple(counts))
