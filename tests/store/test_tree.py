"""The tree over checkpoints, against RFC 6962's own definition and its published example."""

from __future__ import annotations

import hashlib
import random
from math import ceil, log2

import pytest

from puntobanco.store.tree import EMPTY, Tree, leaf_hash, node_hash, verify_consistency, verify_inclusion

# the reference implementation's test vectors: eight leaves, and the root after each
LEAVES = [
    bytes.fromhex(text)
    for text in (*("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"),)
]
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


def slow_root(leaves: list[bytes]) -> bytes:
    """As the RFC says it (2.1)."""
    if len(leaves) == 0:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(slow_root(leaves[:split]), slow_root(leaves[split:]))


def test_the_published_roots() -> None:
    tree = Tree()
    assert tree.root() == EMPTY == hashlib.sha256(b"").digest()
    for leaf, root in zip(LEAVES, ROOTS, strict=True):
        tree.add(leaf)
        assert tree.root().hex() == root
    assert [tree.root(size).hex() for size in range(1, 9)] == list(ROOTS)


def test_every_proof_of_small_trees() -> None:
    leaves = [bytes([number]) * 32 for number in range(33)]
    tree = Tree(leaves)
    for size in range(1, 34):
        root = tree.root(size)
        assert root == slow_root(leaves[:size])
        for number in range(size):
            proof = tree.inclusion(number, size)
            assert verify_inclusion(leaves[number], number, size, proof, root)
            assert not verify_inclusion(leaves[(number + 1) % 33], number, size, proof, root)
            assert not verify_inclusion(leaves[number], number, size, [*proof, root], root)
            assert not proof or not verify_inclusion(leaves[number], number, size, proof[:-1], root)
            assert not verify_inclusion(leaves[number], size, size, proof, root)
        for before in range(1, size + 1):
            proof = tree.consistency(before, size)
            old = tree.root(before)
            assert verify_consistency(before, size, proof, old, root)
            assert not verify_consistency(before, size, proof, leaf_hash(b"x"), root)
            assert not verify_consistency(before, size, proof, old, leaf_hash(b"x"))
            assert not verify_consistency(before, size, [*proof, root], old, root)
            assert not proof or not verify_consistency(before, size, proof[:-1], old, root)
            assert not verify_consistency(0, size, proof, old, root)


def test_a_rewritten_beginning_has_no_proof() -> None:
    leaves = [bytes([number]) * 32 for number in range(20)]
    seen = Tree(leaves[:13]).root()
    forged = Tree([*leaves[:5], b"another", *leaves[6:]])
    assert not verify_consistency(13, 20, forged.consistency(13, 20), seen, forged.root())


def test_proofs_grow_with_the_height_of_the_tree() -> None:
    size = 100_000
    tree = Tree(number.to_bytes(32) for number in range(size))
    root, chance = tree.root(), random.Random(1)
    for number in (0, 1, size - 1, *(chance.randrange(size) for _ in range(200))):
        proof = tree.inclusion(number)
        assert len(proof) <= ceil(log2(size))
        assert verify_inclusion(number.to_bytes(32), number, size, proof, root)
        proof = tree.consistency(number + 1)
        assert len(proof) <= ceil(log2(size)) + 1
        assert verify_consistency(number + 1, size, proof, tree.root(number + 1), root)


def test_back_to_an_earlier_size() -> None:
    leaves = [bytes([number]) * 32 for number in range(40)]
    for size in range(41):
        tree = Tree(leaves)
        tree.cut(size)
        assert (tree.size, tree.root()) == (size, Tree(leaves[:size]).root())
        for leaf in leaves[size:]:
            tree.add(leaf)
        assert tree.root() == Tree(leaves).root()


def test_sizes_that_cannot_be() -> None:
    tree = Tree([b"a", b"b"])
    for ask in (lambda: tree.root(3), lambda: tree.inclusion(2), lambda: tree.consistency(0), lambda: tree.cut(3)):
        with pytest.raises(ValueError, match="leaves"):
            ask()
