"""The receipt of a shoe that is over: all that its commitment, its mixing, its cuts and its cards are checked with.

It names nobody: players know the pledge that was made for them, and find it. The House signs it; what it says
is checked without the House.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from puntobanco.cards import Card
from puntobanco.shoes.audit import check_shoe
from puntobanco.shoes.commit import CommitmentError, Reveal, read_order, unhex
from puntobanco.shoes.history import ShoeHistory
from puntobanco.table.shoe.seeds import pledge_of

SIGNED = b"puntobanco shoe receipt 1\0"
"""What a signature is made over, before the receipt."""
LARGEST = 1 << 18


class Pledge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pledge in its turn, and the seed; empty where it was not shown."""

    pledge: str
    seed: str = ""


class ShoeReceipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a shoe was committed to, how it was mixed and cut, and the cards that left it."""

    kind: Literal["shoe receipt 1"]
    table: str
    shoe: int
    book: str
    commitment: str
    salt: str
    order: str
    """As it was committed to: before mixing and cuts."""
    pledges: tuple[Pledge, ...]
    cuts: tuple[int, ...]
    cards: tuple[Card | None, ...]
    """As they left the shoe; null is one that nobody saw."""

    @property
    def seeds(self) -> tuple[str, ...]:
        """By which the shoe was mixed."""
        return tuple(each.seed for each in self.pledges if each.seed)

    def __bytes__(self) -> bytes:
        """As it is signed: JSON without spaces, its fields in this order."""
        return msgspec.json.encode(self)


class SignedReceipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A receipt with the House's Ed25519 signature, in hexadecimal digits."""

    receipt: ShoeReceipt
    key: str
    signature: str


def receipt_of(table: str, book: str, shoe: ShoeHistory, reveal: Reveal) -> ShoeReceipt:
    """The receipt of a shoe by its log and what was revealed of it."""
    return ShoeReceipt(
        "shoe receipt 1",
        table,
        shoe.number,
        book,
        shoe.commitment,
        reveal.salt,
        reveal.order,
        tuple(Pledge(pledge, seed) for _, pledge, seed in shoe.pledges),
        shoe.cuts,
        shoe.gone,
    )


def parse_receipt(text: bytes | str) -> SignedReceipt:
    """A receipt as the floor hands it out. Raises :class:`CommitmentError`."""
    if len(text) > LARGEST:
        raise CommitmentError(f"a receipt has at most {LARGEST:,} bytes")
    try:
        return msgspec.json.decode(text, type=SignedReceipt)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise CommitmentError(f"this is not a receipt of a shoe: {error}") from None


def check_receipt(receipt: ShoeReceipt) -> None:
    """Everything that can be checked with the receipt alone. Raises :class:`CommitmentError`."""
    for number, each in enumerate(receipt.pledges, 1):
        unhex(each.pledge, f"pledge {number}")
        if each.seed and _pledge(receipt.commitment, each.seed) != each.pledge:
            raise CommitmentError(f"seed {number} is not the one that was pledged")
    shoe = ShoeHistory(
        receipt.shoe,
        len(read_order(receipt.order)),
        receipt.commitment,
        seeds=receipt.seeds,
        cuts=receipt.cuts,
        gone=receipt.cards,
    )
    reveal = Reveal(receipt.table, receipt.shoe, receipt.salt, receipt.book, receipt.order)
    check_shoe(shoe, reveal, receipt.book)


def _pledge(commitment: str, seed: str) -> str:
    return pledge_of(unhex(commitment, "the commitment").hex(), unhex(seed, "a seed").hex())
