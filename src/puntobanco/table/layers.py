"""Dictionaries that are copied for every bet, at a table with very many people.

Bets and balances are values: each change is made to a copy. A copy of a small dictionary costs next to nothing; that of
a large one would make every bet dearer the more people bet.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, MutableMapping, ValuesView
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")

FEW = 64
"""Entries up to which everything is copied."""


def copied(entries: Mapping[K, V]) -> MutableMapping[K, V]:
    """A copy to make changes to."""
    if isinstance(entries, dict):
        return entries.copy() if len(entries) <= FEW else Layered(entries, {})
    assert isinstance(entries, Layered)
    return entries.copy()


def differing(before: Mapping[K, V], after: Mapping[K, V]) -> set[K]:
    """The keys whose entries are not the same in both."""
    if isinstance(before, Layered) and isinstance(after, Layered) and before.base is after.base:
        keys = before.top.keys() | after.top.keys()
    else:
        keys = before.keys() | after.keys()
    return {key for key in keys if before.get(key) != after.get(key)}


class Layered(MutableMapping[K, V]):
    """A dictionary as a large one that many share and the few entries that are others now, in the order of one."""

    __slots__ = ("_whole", "base", "top")

    def __init__(self, base: dict[K, V], top: dict[K, V]) -> None:
        self.base = base
        self.top = top
        self._whole: dict[K, V] | None = None

    def copy(self) -> Layered[K, V]:
        if len(self.top) > FEW:
            return Layered(self._all, {})
        return Layered(self.base, self.top.copy())

    @property
    def _all(self) -> dict[K, V]:
        if self._whole is None:
            self._whole = self.base | self.top
        return self._whole

    def __getitem__(self, key: K) -> V:
        top = self.top
        return top[key] if key in top else self.base[key]

    def get(self, key: K, default: Any = None) -> Any:
        top = self.top
        return top[key] if key in top else self.base.get(key, default)

    def __setitem__(self, key: K, value: V) -> None:
        self.top[key] = value
        self._whole = None

    def __delitem__(self, key: K) -> None:
        self.base = self.base | self.top  # which nobody shares yet
        del self.base[key]
        self.top, self._whole = {}, None

    def __contains__(self, key: object) -> bool:
        return key in self.top or key in self.base

    def __len__(self) -> int:
        return len(self._all)

    def __bool__(self) -> bool:
        return bool(self.top or self.base)

    def __iter__(self) -> Iterator[K]:
        return iter(self._all)

    def keys(self) -> KeysView[K]:
        return self._all.keys()

    def values(self) -> ValuesView[V]:
        return self._all.values()

    def items(self) -> ItemsView[K, V]:
        return self._all.items()

    def __repr__(self) -> str:
        return repr(self._all)
