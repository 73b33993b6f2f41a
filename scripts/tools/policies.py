"""Writes the tables of policies and slots in ``docs/books.md``, between two marks each.

A test holds the page to what this makes; if it fails, run ``scripts/policies``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from puntobanco.rules.load import find_book
from puntobanco.rules.model import AllBack, CommissionForm, Due, OptionsGiven
from puntobanco.rules.policies import NOT_YET, Choice, Policies, choices_of
from puntobanco.rules.slots import Irregularities, Procedures

PAGE = Path(__file__).resolve().parents[2] / "docs" / "books.md"
SHOWN = {"tiger-buffalo": "TB", "super-six": "S6", "dragon-tiger-commission": "HO"}
"""Books to compare: what each says on a policy."""


def meanings(kind: type[Choice], not_yet: tuple[Choice, ...] = ()) -> str:
    return "; ".join(
        f"`{choice.value}`: {choice.meaning}{' (cannot be played yet)' if choice in not_yet else ''}" for choice in kind
    )


def policy_lines() -> Iterator[str]:
    yield "| policy | what it is about | values | " + " | ".join(SHOWN.values()) + " |"
    yield "| --- " * (3 + len(SHOWN)) + "|"
    books = [find_book(game) for game in SHOWN]
    for name in Policies.__struct_fields__:
        kind = choices_of(name)
        stated = [getattr(book.policies, name) for book in books]
        cells = [f"`{each.value.value}` {each.paragraph}".strip() for each in stated]
        yield f"| `{name}` | {kind.__doc__} | {meanings(kind, NOT_YET.get(name, ()))} | " + " | ".join(cells) + " |"


def slot_lines() -> Iterator[str]:
    yield "| family | slots |"
    yield "| --- | --- |"
    for name, kind in Irregularities.kinds().items():
        yield f"| `{name}` | {', '.join(f'`{slot}`' for slot in kind.names())} |"


def procedure_lines() -> Iterator[str]:
    yield ", ".join(f"`{name}`" for name in Procedures.__struct_fields__) + "."


def choice_lines() -> Iterator[str]:
    for key, kind in (("options", OptionsGiven), ("all_back", AllBack), ("form", CommissionForm), ("due", Due)):
        yield f"- `{key}`: {meanings(kind)}."


PARTS = {"policies": policy_lines, "slots": slot_lines, "procedures": procedure_lines, "choices": choice_lines}


def render(text: str) -> str:
    """The page with its tables made anew."""
    for name, lines in PARTS.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = before + begin + "\n".join(["", *lines(), "", end]) + after
    return text


if __name__ == "__main__":
    PAGE.write_text(render(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
