"""Rule books with one row falsified: other odds, another condition, another paragraph, or the row gone.

A pointer of the catalogue, ``books:bets.*_pair``, names one row or several. The change is made in the book that is
loaded, which everybody shares, and belongs in a process of its own.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import force_setattr, replace

from puntobanco.money import Odds
from puntobanco.outcomes import FEATURES
from puntobanco.rules.load import find_book
from puntobanco.rules.model import RuleBook
from puntobanco.rules.slots import Slots

Step = str | int


@dataclass(frozen=True)
class Row:
    """A row of a book's data, by the way that leads to it: ``("bets", "tie")``, ``("insurance", "rows", 3)``."""

    game: str
    path: tuple[Step, ...]

    def __str__(self) -> str:
        return f"{self.game} {'.'.join(map(str, self.path))}"


def rows_of(game: str, path: Sequence[str]) -> list[Row]:
    """The rows that a path leads to in a game; a whole table is each of its rows."""
    found: list[tuple[tuple[Step, ...], object]] = [((), find_book(game))]
    for name in path:
        found = [
            ((*before, step), child)
            for before, parent in found
            for step, child in _children(parent)
            if fnmatchcase(str(step), name)
        ]
    rows: list[Row] = []
    for steps, thing in found:
        if _is_table(thing):
            rows += [Row(game, (*steps, step)) for step, _ in _children(thing)]
        else:
            rows.append(Row(game, steps))
    return rows


def _is_table(thing: object) -> bool:
    """Whether it is a table of rows, as the bets are; the numbers of a row's paragraphs are one row."""
    if isinstance(thing, Mapping):
        return True
    return isinstance(thing, tuple) and bool(thing) and isinstance(thing[0], msgspec.Struct)


def _children(parent: object) -> list[tuple[Step, object]]:
    if isinstance(parent, Mapping):
        return list(parent.items())
    if isinstance(parent, tuple):
        return list(enumerate(parent))
    if isinstance(parent, msgspec.Struct):
        return [(name, getattr(parent, name)) for name in parent.__struct_fields__]
    return []


def falsifications(row: Row) -> Iterator[tuple[str, Callable[[], None]]]:
    """What can be made wrong about a row, each with the step that does so; the row's removal comes last."""
    book = find_book(row.game)
    value: Any = book
    holder: Any = None
    for step in row.path:
        holder, value = value, _child(value, step)
    for change, new in other_values(value):
        yield f"{row}: {change}", _putting(book, _with(book, row.path, new))
    if isinstance(value, Slots):
        yield f"{row}: removed", _putting(book, _with(book, row.path, type(value)()))
    elif isinstance(holder, Mapping | tuple):
        yield f"{row}: removed", _putting(book, _with(book, row.path[:-1], _without(holder, row.path[-1])))


def _child(parent: Any, step: Step) -> Any:
    return getattr(parent, str(step)) if isinstance(parent, msgspec.Struct) else parent[step]


def _without(table: Any, step: Step) -> Any:
    kept = [(at, child) for at, child in _children(table) if at != step]
    return dict(kept) if isinstance(table, Mapping) else tuple(child for _, child in kept)


def _with(parent: Any, path: tuple[Step, ...], new: Any) -> Any:
    """The same data with something else at the end of a path."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    inner = _with(_child(parent, step), rest, new)
    if isinstance(parent, msgspec.Struct):
        return replace(parent, **{str(step): inner})
    if isinstance(parent, Mapping):
        return {key: inner if key == step else child for key, child in parent.items()}
    return tuple(inner if at == step else child for at, child in enumerate(parent))


def _putting(book: RuleBook, changed: RuleBook) -> Callable[[], None]:
    def put_in() -> None:
        for name in book.__struct_fields__:
            force_setattr(book, name, getattr(changed, name))
        vars(book).clear()  # what was worked out from the book as it was

    return put_in


# --- Other values ----------------------------------------------------------------------------------------


def other_values(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Values of the same kind that are not this one, and how to say so."""
    if name == "when":
        yield from _other_condition(value)
    elif isinstance(value, Odds):
        yield _said(name, value, Odds.of(value.fraction + 1))
    elif isinstance(value, bool):
        yield _said(name, value, not value)
    elif isinstance(value, int):
        yield from (_said(name, value, other) for other in (value + 1, value - 1))
    elif isinstance(value, Fraction):
        yield _said(name, value, value / 2)
    elif isinstance(value, enum.Enum):
        members = list(type(value))
        yield _said(name, value.value, members[(members.index(value) + 1) % len(members)])
    elif isinstance(value, str) and value and name != "code":  # a row is found by its code
        yield _said(name, value, f"{value}9")
    elif isinstance(value, msgspec.Struct):
        fields = {field: getattr(value, field) for field in value.__struct_fields__}
        for field, held in sorted(fields.items(), key=lambda item: _turn(*item)):
            for change, new in other_values(held, field):
                yield change, replace(value, **{field: new})
    elif isinstance(value, frozenset):
        for member in sorted(value):
            yield f"{member} dropped", value - {member}
    elif isinstance(value, Mapping | tuple):
        yield from _other_entries(value, name)


def _turn(field: str, value: object) -> int:
    """What is falsified first: yes and no, then numbers and conditions, paragraphs, and last mere names."""
    return 0 if isinstance(value, bool) else {"paragraph": 2, "name": 3}.get(field, 1)


def _said(name: str, old: object, new: Any) -> tuple[str, Any]:
    shown = new.value if isinstance(new, enum.Enum) else new
    return f"{name or 'value'} {old} becomes {shown}", new


def _other_entries(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    is_list = isinstance(value, tuple) and len(value) > 1 and isinstance(value[0], str | int)
    for step, child in () if is_list else _children(value):  # of a list of names or numbers one is dropped
        for change, new in other_values(child, str(step) if isinstance(step, str) else name):
            yield change, _with(value, (step,), new)
    for step, child in _children(value):
        shown = step if isinstance(step, str) else child if isinstance(child, str | int) else f"{name}[{step}]"
        yield f"{shown} dropped", _without(value, step)


def _other_condition(when: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """A condition on other values of a feature, on fewer, or without the feature."""
    for feature, values in when.items():
        others = tuple(value for value in FEATURES[feature].values if value not in values)
        if others:
            yield f"{feature} {_list(values)} becomes {_list(others)}", {**when, feature: others}
        for value in values if len(values) > 1 else ():
            yield f"{feature} {value} dropped", {**when, feature: tuple(each for each in values if each != value)}
        yield f"condition {feature} dropped", {name: held for name, held in when.items() if name != feature}


def _list(values: tuple[object, ...]) -> str:
    return ", ".join(str(value).lower() for value in values)
