"""How players' seeds mix a committed order (``docs/shoes.md``): nobody has chosen the shoe that comes of it.

The House has committed to its order before it hears a seed, and each seed was pledged before any was shown. The seeds
and the commitment are hashed to a key, the key with a counter gives a stream of bytes, and the stream shuffles the
order once more, by Fisher and Yates. Anybody with the receipt of a shoe can do the same and gets the same cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from puntobanco.shoes.commit import unhex

KEY = b"puntobanco shoe seeds 1\0"
STREAM = b"puntobanco shoe mix 1\0"
WORDS = 1 << 16


def mixing_key(commitment: str, seeds: Sequence[str]) -> bytes:
    """The key of the stream; commitment and seeds are 64 hexadecimal digits each."""
    parts = [unhex(commitment, "the commitment"), *(unhex(seed, "a seed") for seed in seeds)]
    return hashlib.sha256(KEY + b"".join(parts)).digest()


def words_of(key: bytes) -> Iterator[int]:
    """The stream as numbers of two bytes, the first byte counting more: sixteen of each hash."""
    block = 0
    while True:
        found = hashlib.sha256(STREAM + key + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(found[at : at + 2], "big") for at in range(0, len(found), 2))
        block += 1


def mixing(size: int, key: bytes) -> list[int]:
    """Where each card of the mixed order lay before, from the top.

    Word by word as they come, unlike :func:`~puntobanco.shoes.shuffle.permutation`: so it is a loop in any language.
    """
    order, words = list(range(size)), words_of(key)
    for bound in range(size, 1, -1):
        word = next(words)
        while word >= WORDS - WORDS % bound:  # a remainder of these would favour the first places
            word = next(words)
        place = word % bound
        order[bound - 1], order[place] = order[place], order[bound - 1]
    return order


def mixed(order: bytes, commitment: str, seeds: Sequence[str]) -> bytes:
    """The order as the seeds mix it, before any cut; without a seed it stays as it is."""
    if not seeds:
        return order
    return bytes([order[place] for place in mixing(len(order), mixing_key(commitment, seeds))])
