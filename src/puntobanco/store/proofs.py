"""Proofs about checkpoints for anybody who holds one but not the log: it is in the log, and the log begins with it.

A proof is a list of hashes under the root that a later checkpoint signs, at most 20 for a million rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.store.base import Store
from puntobanco.store.chain import Checkpoint, read_checkpoint
from puntobanco.store.tree import Tree, leaf_hash, verify_consistency, verify_inclusion


def tree_of(store: Store, table: str) -> Tree:
    """The tree over a table's checkpoints."""
    return Tree(
        bytes.fromhex(read_checkpoint(beside.line).checkpoint.head)
        for beside in store.beside(table)
        if beside.kind == "checkpoint"
    )


def prove_inclusion(tree: Tree, number: int, later: int) -> list[bytes]:
    """That checkpoint ``number`` is under the root of checkpoint ``later``."""
    return tree.inclusion(number - 1, later)


def check_inclusion(held: Checkpoint, later: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Whether the held checkpoint is part of the later one's log."""
    leaf, root = bytes.fromhex(held.head), bytes.fromhex(later.root)
    return held.table == later.table and verify_inclusion(leaf, held.number - 1, later.number, proof, root)


def prove_consistency(tree: Tree, number: int, later: int) -> list[bytes]:
    """That everything under the root of checkpoint ``number`` is under that of ``later``, in its place."""
    proof = tree.consistency(number, later)
    return proof[1:] if _begins_with_leaf(number, later) else proof


def check_consistency(held: Checkpoint, later: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Whether the later log begins with all that the held checkpoint covers."""
    if _begins_with_leaf(held.number, later.number):
        proof = [leaf_hash(bytes.fromhex(held.head)), *proof]
    old, new = bytes.fromhex(held.root), bytes.fromhex(later.root)
    return held.table == later.table and verify_consistency(held.number, later.number, proof, old, new)


def _begins_with_leaf(number: int, later: int) -> bool:
    """Whether RFC 6962's proof begins with the hash of the last leaf: it is not sent, for the checkpoint has it."""
    return 1 < number < later and number % 2 == 1
