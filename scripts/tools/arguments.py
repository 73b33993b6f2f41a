"""What a benchmark is told: help where it is asked for, one plain line where it is told nonsense."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def words(arguments: Sequence[str], about: str | None, known: Sequence[str] = ()) -> list[str]:
    """Arguments that are known words."""
    _help(arguments, about)
    for each in arguments:
        if each not in known:
            _refuse(each, f"one of {', '.join(known)}" if known else "none")
    return list(arguments)


def counts(arguments: Sequence[str], about: str | None, most: int) -> list[int]:
    """Arguments that are numbers above zero, so many at most."""
    _help(arguments, about)
    for number, each in enumerate(arguments):
        if number == most or not each.isdecimal() or int(each) < 1:
            _refuse(each, f"at most {most}, a number above zero")
    return [int(each) for each in arguments]


def _help(arguments: Sequence[str], about: str | None) -> None:
    if {"-h", "--help"} & set(arguments):
        print((about or "").strip())
        raise SystemExit(0)


def _refuse(argument: str, expected: str) -> None:
    print(f"{argument}: that is no argument here; expected: {expected}", file=sys.stderr)
    raise SystemExit(2)
