"""Strict reading of a TOML document that keeps going, so that all mistakes of a file are told at once."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, time
from typing import Any, TypeVar

import msgspec

from puntobanco.rules.beyond import cannot_be_said

T = TypeVar("T")


class Problem(msgspec.Struct, frozen=True):
    """One mistake: where it is, and what was expected there."""

    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.key}: {self.message}" if self.key else self.message


class BookError(ValueError):
    """A book file that cannot be used, with everything that is wrong with it."""

    def __init__(self, file: str, problems: Sequence[Problem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        super().__init__(self._told())

    def _told(self) -> str:
        """All mistakes, a line each; a fault of the file itself is not a mistake in it."""
        if len(self.problems) == 1 and not self.problems[0].key:
            return f"{self.file} {self.problems[0]}"
        count = len(self.problems)
        lines = "\n".join(f"  {problem}" for problem in self.problems)
        return f"{self.file}: {count} mistake{'s' * (count != 1)}\n{lines}"


class Section:
    """A table of the document. Whatever is asked of it and is not there as expected is noted, not raised."""

    def __init__(self, data: dict[str, Any], key: str, problems: list[Problem]) -> None:
        self._data = data
        self.key = key
        self._problems = problems
        self._asked: set[str] = set()

    def path(self, name: str) -> str:
        return f"{self.key}.{name}" if self.key else name

    @property
    def mistakes(self) -> int:
        """How many were noted so far, in the whole file."""
        return len(self._problems)

    def problem(self, name: str, message: str) -> None:
        self._problems.append(Problem(self.path(name) if name else self.key, message))

    def take(self, name: str, kind: type[T], expected: str, default: T | None = None) -> T | None:
        """The value under ``name`` if it is of that kind. Without a default it must be there."""
        if not self.has(name):
            if default is None:
                self.problem(name, f"missing; expected {expected}")
            return default
        value = self._data[name]
        # TOML's true is not a number, though Python's is
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            quoted = " in quotes" if kind is str and isinstance(value, date | time) else ""
            self.problem(name, f"expected {expected}{quoted}, found {shown(value)}")
            return default
        return value

    def text(self, name: str, expected: str = "a text", default: str | None = None) -> str:
        value = self.take(name, str, expected, default)
        if value == "" and default is None:
            self.problem(name, f"expected {expected}, found an empty one")
        return value or ""

    def option(self, name: str, choices: Sequence[str], default: str | None = None) -> str | None:
        """One of the choices, or None where something else stands."""
        expected = f"one of {', '.join(choices)}"
        value = self.take(name, str, expected, default)
        if value is None or value in choices:
            return value
        self.problem(name, f"expected {expected}, found {shown(value)}")
        return None

    def choice(self, name: str, choices: Sequence[str], default: str | None = None) -> str:
        return self.option(name, choices, default) or choices[0]

    def integer(self, name: str, least: int, most: int, default: int | None = None) -> int:
        expected = f"a whole number from {least} to {most}"
        value = self.take(name, int, expected, default)
        if value is not None and not least <= value <= most:
            self.problem(name, f"expected {expected}, found {shown(value)}")
            value = default
        return least if value is None else value

    def flag(self, name: str) -> bool:
        return bool(self.take(name, bool, "true or false", False))

    def parsed(self, name: str, parse: Callable[[str], T], expected: str) -> T | None:
        """A text turned into a value; the parser's complaint becomes the message."""
        text = self.take(name, str, expected)
        if text is None:
            return None
        try:
            return parse(text)
        except ValueError as error:
            self.problem(name, str(error))
            return None

    def texts(self, name: str, expected: str = "a list of texts", default: list[str] | None = None) -> tuple[str, ...]:
        return self._list(name, str, expected, default)

    def integers(self, name: str, expected: str, *, once: bool = True) -> tuple[int, ...]:
        return self._list(name, int, expected, None, once=once)

    def _list(
        self, name: str, kind: type[T], expected: str, default: list[T] | None, *, once: bool = True
    ) -> tuple[T, ...]:
        values = self.take(name, list, expected, default)
        if values is None:
            return ()
        wrong = [value for value in values if not isinstance(value, kind) or isinstance(value, bool)]
        if wrong or (not values and default is None):
            self.problem(name, f"expected {expected}, found {shown(values)}")
            return ()
        if once and len(set(values)) != len(values):
            self.problem(name, f"expected each once, found {shown(values)}")
        return tuple(values)

    def section(self, name: str) -> Section:
        """A table of its own. What an absent one lacks is not told again."""
        data = self.take(name, dict, "a table")
        if data is None:
            return Section({}, self.path(name), [])
        return Section(data, self.path(name), self._problems)

    def has(self, name: str) -> bool:
        self._asked.add(name)
        return name in self._data

    @property
    def names(self) -> tuple[str, ...]:
        """All keys, for tables whose keys are the author's own."""
        return tuple(self._data)

    @property
    def has_any(self) -> bool:
        return bool(self._data)

    def value(self, name: str) -> object:
        """Whatever stands there, for values that the caller checks."""
        return self._data[name]

    def sections(self, name: str, *, needed: bool = True, label: str = "code") -> Iterator[Section]:
        """The tables of an array of tables, each under its own key."""
        items = self.take(name, list, "an array of tables", None if needed else [])
        if needed and items == []:
            self.problem(name, "expected at least one table, found an empty list")
        for index, item in enumerate(items or []):
            key = f"{self.path(name)}[{index}]"
            if not isinstance(item, dict):
                self._problems.append(Problem(key, f"expected a table, found {shown(item)}"))
                continue
            if isinstance(item.get(label), str):
                key += f" ({item[label]})"
            yield Section(item, key, self._problems)

    def rest(self) -> Iterator[str]:
        """The keys not asked for yet."""
        for name in self._data:
            if name not in self._asked:
                yield name

    def finish(self) -> None:
        """Note every key that nothing asked for."""
        for name in self.rest():
            self.problem(name, cannot_be_said(name) or f"unknown key; {suggestion(name, self._asked)}")


def shown(value: object) -> str:
    """A value of the file as a message can show it, however long or deep it is."""
    try:
        text = value.isoformat() if isinstance(value, date | time) else repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits; tables nested without end
        return "something too large to show"
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


_SHOWN = 100


def suggestion(name: str, known: Iterable[str]) -> str:
    """What the author may have meant."""
    known = sorted(known)
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return f"did you mean {close[0]}?"
    return f"known are {', '.join(known)}"
