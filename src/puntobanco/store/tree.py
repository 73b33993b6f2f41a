"""A Merkle tree over a table's checkpoints, hashed as RFC 6962 does, with proofs of inclusion and of consistency.

The hashes of all complete subtrees are kept, 64 bytes a leaf, so that a leaf, a root and a proof each take as many
steps as the tree is high.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

SIZE = 32
EMPTY = hashlib.sha256(b"").digest()


def leaf_hash(data: bytes) -> bytes:
    """The hash of a leaf (RFC 6962)."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees (RFC 6962)."""
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that grows by leaves; what it was at any earlier size can still be asked."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self._levels: list[bytearray] = [bytearray()]
        self.size = 0
        for leaf in leaves:
            self.add(leaf)

    def add(self, leaf: bytes) -> None:
        level, hashed = 0, leaf_hash(leaf)
        index = self.size
        self._levels[0] += hashed
        while index & 1:
            hashed = node_hash(self._node(level, index - 1), hashed)
            level, index = level + 1, index >> 1
            if level == len(self._levels):
                self._levels.append(bytearray())
            self._levels[level] += hashed
        self.size += 1

    def cut(self, size: int) -> None:
        """Back to its first ``size`` leaves."""
        self.size = self._checked(size)
        for level, hashes in enumerate(self._levels):
            del hashes[(size >> level) * SIZE :]

    def root(self, size: int | None = None) -> bytes:
        """The root of the whole tree, or of its first ``size`` leaves."""
        left = self._checked(size)
        if not left:
            return EMPTY
        # complete subtrees from the right, the smallest first
        level = (left & -left).bit_length() - 1
        found = self._node(level, (left >> level) - 1)
        while left := left & (left - 1):
            level = (left & -left).bit_length() - 1
            found = node_hash(self._node(level, (left >> level) - 1), found)
        return found

    def inclusion(self, number: int, size: int | None = None) -> list[bytes]:
        """The proof that leaf ``number``, counted from 0, is among the first ``size``."""
        size = self._checked(size)
        if not 0 <= number < size:
            raise ValueError(f"a tree of {size} leaves has no leaf {number}")
        return self._path(number, 0, size)

    def consistency(self, before: int, size: int | None = None) -> list[bytes]:
        """The proof that the first ``before`` leaves are still the beginning of the first ``size``."""
        size = self._checked(size)
        if not 0 < before <= size:
            raise ValueError(f"a tree of {size} leaves does not begin with {before}")
        return self._subproof(before, 0, size, whole=True)

    def _checked(self, size: int | None) -> int:
        size = self.size if size is None else size
        if not 0 <= size <= self.size:
            raise ValueError(f"the tree has {self.size} leaves, not {size}")
        return size

    def _node(self, level: int, index: int) -> bytes:
        return bytes(self._levels[level][index * SIZE : (index + 1) * SIZE])

    def _hash(self, begin: int, end: int) -> bytes:
        """The hash over leaves ``begin`` to ``end``, where ``begin`` is where a subtree of that size may begin."""
        count = end - begin
        level = count.bit_length() - 1
        if count == 1 << level:
            return self._node(level, begin >> level)
        middle = begin + _split(count)
        return node_hash(self._hash(begin, middle), self._hash(middle, end))

    def _path(self, number: int, begin: int, end: int) -> list[bytes]:
        if end - begin == 1:
            return []
        middle = begin + _split(end - begin)
        if number < middle:
            return [*self._path(number, begin, middle), self._hash(middle, end)]
        return [*self._path(number, middle, end), self._hash(begin, middle)]

    def _subproof(self, before: int, begin: int, end: int, *, whole: bool) -> list[bytes]:
        if before == end:
            return [] if whole else [self._hash(begin, end)]
        middle = begin + _split(end - begin)
        if before <= middle:
            return [*self._subproof(before, begin, middle, whole=whole), self._hash(middle, end)]
        return [*self._subproof(before, middle, end, whole=False), self._hash(begin, middle)]


def _split(count: int) -> int:
    """The largest power of two below ``count``."""
    return 1 << ((count - 1).bit_length() - 1)


def verify_inclusion(leaf: bytes, number: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether the proof shows the leaf at its place under the root (RFC 9162, 2.1.3.2)."""
    if not 0 <= number < size:
        return False
    at, last = number, size - 1
    found = leaf_hash(leaf)
    for step in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            found = node_hash(step, found)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, step)
        at, last = at >> 1, last >> 1
    return last == 0 and found == root


def verify_consistency(before: int, size: int, proof: Sequence[bytes], old: bytes, new: bytes) -> bool:
    """Whether the proof shows that the tree under ``new`` begins with the one under ``old`` (RFC 9162, 2.1.4.2)."""
    if not 0 < before <= size:
        return False
    if before == size:
        return not proof and old == new
    steps = list(proof)
    if before & (before - 1) == 0:
        steps.insert(0, old)
    if not steps:
        return False
    at, last = before - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    was = now = steps[0]
    for step in steps[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            was, now = node_hash(step, was), node_hash(step, now)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            now = node_hash(now, step)
        at, last = at >> 1, last >> 1
    return last == 0 and was == old and now == new
