"""What has changed in a view since the one before: the part of it that has to be sent (docs/views.md).

A view is a tree of structs. Of each struct the fields that have changed are sent, each whole under its path. A list of
structs is sent as the runs that stay from the one before, and what is new; so a list of two hundred actions of
which one has changed costs one action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

_encode = msgspec.json.Encoder().encode

Run = tuple[int, int]
"""Of the list before: from where, and how many."""


class Difference(msgspec.Struct, frozen=True):
    """By path: fields that are another now, and lists as runs of the one before and new items, in order."""

    parts: dict[str, msgspec.Raw]
    lists: dict[str, tuple[Run | msgspec.Raw, ...]]

    def __bool__(self) -> bool:
        return bool(self.parts or self.lists)

    def beside(self, other: Difference) -> Difference:
        """Both, of different parts."""
        return Difference(self.parts | other.parts, self.lists | other.lists)


def difference(before: Any, after: Any, path: str = "", without: tuple[str, ...] = ()) -> Difference:
    """What leads from one struct to another of the same type. ``without``: fields that are told otherwise."""
    found = Difference({}, {})
    _compare(before, after, path, found, without)
    return found


def _compare(before: Any, after: Any, path: str, found: Difference, without: tuple[str, ...] = ()) -> None:
    for name in type(after).__struct_fields__:
        was, now = getattr(before, name), getattr(after, name)
        if was is now or name in without:
            continue
        at = f"{path}.{name}" if path else name
        if _have_all_fields(was, now):
            _compare(was, now, at, found)
        elif was == now:
            continue
        elif was and now and _of_structs(was) and _of_structs(now):
            found.lists[at] = _runs(was, now)
        else:
            found.parts[at] = msgspec.Raw(_encode(now))


def _have_all_fields(was: object, now: object) -> bool:
    """Whether these are structs of one type of which nothing is left out, so that a field of them can be replaced."""
    return type(was) is type(now) and isinstance(now, msgspec.Struct) and not now.__struct_config__.omit_defaults


def _of_structs(value: object) -> bool:
    return isinstance(value, tuple) and isinstance(value[0], msgspec.Struct)


def _runs(before: Sequence[Any], after: Sequence[Any]) -> tuple[Run | msgspec.Raw, ...]:
    first, last = 0, 0
    most = min(len(before), len(after))
    while first < most and (before[first] is after[first] or before[first] == after[first]):
        first += 1
    while last < most - first and (before[-1 - last] is after[-1 - last] or before[-1 - last] == after[-1 - last]):
        last += 1
    found: list[Run | msgspec.Raw] = [(0, first)] if first else []
    places: dict[bytes, int] = {}
    for place in range(len(before) - last - 1, first - 1, -1):
        places[_encode(before[place])] = place
    for item in after[first : len(after) - last]:
        text = _encode(item)
        place = places.get(text, -1)
        if place < 0:
            found.append(msgspec.Raw(text))
        elif found and isinstance(found[-1], tuple) and sum(found[-1]) == place:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((place, 1))
    if last:
        found.append((len(before) - last, last))
    return tuple(found)


def applied(base: dict[str, Any], parts: Mapping[str, Any], lists: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """A struct as JSON has it, with a difference put into it; the one before stays as it is."""
    whole = dict(base)
    for path, value in parts.items():
        _put(whole, base, path, value)
    for path, items in lists.items():
        before = _at(base, path)
        after: list[Any] = []
        for item in items:
            if isinstance(item, dict):
                after.append(item)
            else:
                start, count = item
                after += before[start : start + count]
        _put(whole, base, path, after)
    return whole


def _at(whole: dict[str, Any], path: str) -> Any:
    value: Any = whole
    for name in path.split("."):
        value = value[name]
    return value


def _put(whole: dict[str, Any], base: dict[str, Any], path: str, value: Any) -> None:
    """Only what leads there is copied, once."""
    *way, name = path.split(".")
    at, before = whole, base
    for step in way:
        before = before[step]
        if at[step] is before:
            at[step] = dict(before)
        at = at[step]
    at[name] = value
