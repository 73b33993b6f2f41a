"""What a shoe publishes before its first card, and how anybody checks it after its last (``docs/shoes.md``).

The commitment is SHA-256 over a salt of 32 bytes, the 32 bytes of the rule book's hash, and the order as text, two
letters a card. Then the cards are cut: so neither who shuffled nor who cut has chosen the first card.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NoReturn, SupportsIndex

import msgspec

from puntobanco.cards import CARDS, CARDS_IN_DECK, MAX_DECKS, Card
from puntobanco.shoes.shuffle import Source, shuffled, take

SALT_BYTES = 32
_HEX_256 = re.compile("[0-9a-f]{64}")
_LETTERS = tuple(card.value for card in CARDS)
_INDEX = {letters: index for index, letters in enumerate(_LETTERS)}


class CommitmentError(ValueError):
    """A commitment, a revealed order and the cards of a log that do not belong together."""

    def __init__(self, message: str, card: int | None = None) -> None:
        super().__init__(message)
        self.card = card
        """Which card of those that left the shoe is wrong, counted from 0, where it is one of them."""


class ShoeSecret:
    """The salt and the order of a shoe. It shows nothing of itself and cannot be written out by mistake."""

    __slots__ = ("order", "salt")

    def __init__(self, salt: bytes, order: bytes) -> None:
        self.salt = salt
        self.order = order

    @classmethod
    def fresh(cls, decks: int, source: Source = os.urandom) -> ShoeSecret:
        """A shoe that nobody has seen."""
        return cls(take(SALT_BYTES, source), shuffled(decks, source))

    def commitment(self, book_hash: str) -> str:
        return commitment(self.salt, book_hash, self.order)

    def __repr__(self) -> str:
        return "<ShoeSecret>"

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError("a shoe's secret is neither pickled nor copied")


class Reveal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is published of a shoe that is over: salt and book hash in hexadecimal digits, the order as text."""

    table: str
    shoe: int
    salt: str
    book: str
    order: str
    """As it was before any cut."""
    mixed: int = 0
    """Of a shuffler that deals: how often discards had gone back into it."""

    @property
    def commitment(self) -> str:
        """What was published if this is the shoe that was committed to."""
        return commitment(self.salt_bytes, self.book, read_order(self.order))

    @property
    def salt_bytes(self) -> bytes:
        return unhex(self.salt, "the salt")

    @classmethod
    def parse(cls, text: bytes | str) -> Reveal:
        try:
            return msgspec.json.decode(text, type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise CommitmentError(f"this is not a revealed shoe: {error}") from None

    def __bytes__(self) -> bytes:
        """One line of JSON, without its end."""
        return msgspec.json.encode(self)


def unhex(text: str, what: str) -> bytes:
    """32 bytes as they are published: in one way only, so that what was signed cannot be written otherwise."""
    if not _HEX_256.fullmatch(text):
        raise CommitmentError(f"{what} is not written as 64 hexadecimal digits in small letters")
    return bytes.fromhex(text)


def commitment(salt: bytes, book_hash: str, order: bytes) -> str:
    """64 hexadecimal digits."""
    if len(salt) != SALT_BYTES:
        raise CommitmentError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    if not _HEX_256.fullmatch(book_hash):
        raise CommitmentError(f"{book_hash!r} is not the hash of a book: 64 hexadecimal digits")
    return hashlib.sha256(salt + bytes.fromhex(book_hash) + write_order(order).encode()).hexdigest()


def write_order(order: bytes) -> str:
    """Two letters a card, nothing between them: ``As9hTd…``."""
    try:
        return "".join([_LETTERS[index] for index in order])
    except IndexError:
        raise CommitmentError(f"byte {max(order)} is not a card: cards are 0 to {CARDS_IN_DECK - 1}") from None


def read_order(text: str) -> bytes:
    """The other way round, and nothing but what ``write_order`` writes."""
    try:
        return bytes([_INDEX[text[place : place + 2]] for place in range(0, len(text), 2)])
    except KeyError as error:
        raise CommitmentError(f"{error} is not a card: an order is two letters a card, as in As9hTd") from None


def check_order(order: bytes) -> None:
    """An order is of whole decks, with no card too many and none missing."""
    decks, rest = divmod(len(order), CARDS_IN_DECK)
    if rest or not 1 <= decks <= MAX_DECKS:
        raise CommitmentError(f"{len(order)} cards are not 1 to {MAX_DECKS} decks")
    counts = Counter(order)
    for card in CARDS:
        if counts[card.index] != decks:
            raise CommitmentError(f"{card} is there {counts[card.index]} times in {decks} decks")


def check_reveal(published: str, salt: bytes, book_hash: str, order: bytes) -> None:
    """The revealed order is whole, and the one that was committed to."""
    check_order(order)
    found = commitment(salt, book_hash, order)
    if found != published:
        message = f"it makes {found}, but {published or 'nothing'} was published"
        raise CommitmentError(f"the revealed order is not the one that was committed to: {message}")


def cut(order: bytes, position: int) -> bytes:
    """``position`` cards from the top go below."""
    if not 1 <= position < len(order):
        raise CommitmentError(f"cut after 1 to {len(order) - 1} cards, not after {position}")
    return order[position:] + order[:position]


def after_cuts(order: bytes, cuts: Iterable[int]) -> bytes:
    """The order as it is dealt."""
    for position in cuts:
        order = cut(order, position)
    return order


def first_difference(order: bytes, cuts: Iterable[int], cards: Sequence[Card | None]) -> int | None:
    """Which of the cards that left the shoe, burnt ones first, is not the order's; unnamed cards may be any."""
    dealt = after_cuts(order, cuts)
    for number, card in enumerate(cards):
        if number >= len(dealt) or (card is not None and card.index != dealt[number]):
            return number
    return None


def check_dealt(order: bytes, cuts: Iterable[int], burnt: Sequence[Card | None], dealt: Sequence[Card | None]) -> None:
    """The cards of a log are those of the committed and cut order. Only for a shoe that is revealed: it names cards."""
    cuts, cards = tuple(cuts), (*burnt, *dealt)
    number = first_difference(order, cuts, cards)
    if number is None:
        return
    if number >= len(order):
        raise CommitmentError(f"{len(cards)} cards left a shoe of {len(order)}", number)
    wanted = CARDS[after_cuts(order, cuts)[number]]
    raise CommitmentError(f"card {number + 1} out of the shoe: the log has {cards[number]}, the order {wanted}", number)
