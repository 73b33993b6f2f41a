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


class Layered(MutableMapping[K, V]):
    """A dictionary as a large one that many share and the few entries that are others now, in the order of one."""

    __slots__ = ("_base", "_top", "_whole")

    def __init__(self, base: dict[K, V], top: dict[K, V]) -> None:
        self._base = base
        self._top = top
        self._whole: dict[K, V] | None = None

    def copy(self) -> Layered[K, V]:
        if len(self._top) > FEW:
            return Layered(self._all, {})
        return Layered(self._base, self._top.copy())

    @property
    def _all(self) -> dict[K, V]:
        if self._whole is None:
            self._whole = self._base | self._top
        return self._whole

    def __getitem__(self, key: K) -> V:
        top = self._top
        return top[key] if key in top else self._base[key]

    def get(self, key: K, default: Any = None) -> Any:
        top = self._top
        return top[key] if key in top else self._base.get(key, default)

    def __setitem__(self, key: K, value: V) -> None:
        self._top[key] = value
        self._whole = None

    def __delitem__(self, key: K) -> None:
        self._base = self._base | self._top  # which nobody shares yet
        del self._base[key]
        self._top, self._whole = {}, None

    def __contains__(self, key: object) -> bool:
        return key in self._top or key in self._base

    def __len__(self) -> int:
        return len(self._all)

    def __bool__(self) -> bool:
        return bool(self._top or self._base)

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
