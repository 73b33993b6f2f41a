"""What a case, a flag or a note is about: a code with values, which is worded where it is shown."""

from __future__ import annotations

from typing import TypeAlias

import msgspec


class About(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the table says itself. Its sentences are in ``puntobanco.words``."""

    code: str
    values: dict[str, str | int | tuple[str, ...]] = {}
    """Codes, names and numbers, by a name that says their kind; amounts are in minor units."""

    @classmethod
    def of(cls, code: str, /, **values: str | int | tuple[str, ...]) -> About:
        return cls(code, values)

    def __hash__(self) -> int:
        # equal ones have equal values, which cannot be hashed themselves
        return hash((self.code, frozenset(self.values.items())))


Words: TypeAlias = About | str
"""What somebody wrote stays as it was written; everything else is a code."""


def about_bet(person: str, box: int, bet: str) -> About:
    """Somebody's chips on a bet."""
    return About.of("bet", person=person, box=box, bet=bet)
