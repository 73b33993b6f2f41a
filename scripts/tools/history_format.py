"""Writes the generated parts of docs/history-format.md: the tables of the grammar, a log told. --check compares."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from puntobanco.script import format_script, parse_script, play, retell
from puntobanco.script.grammar import ACTS, EXPECTATIONS, RULINGS, SETTINGS, Form

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "history-format.md"
EXAMPLE = ROOT / "examples" / "histories" / "first-round.txt"


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def rows(forms: Sequence[Form]) -> Iterator[str]:
    yield "| line | what it says | example |"
    yield "| --- | --- | --- |"
    for form in forms:
        yield f"| `{cell(form.usage)}` | {cell(form.about)} | `{cell(form.example)}` |"


def told() -> Iterator[str]:
    """The log of the first example as a history."""
    played = play(parse_script(EXAMPLE.read_text(encoding="utf-8")))
    yield "```history"
    yield from format_script(retell(played.entries, expect=True).script).splitlines()
    yield "```"


def written(page: str) -> str:
    """The page with its generated parts as the code has them."""
    forms = {"settings": SETTINGS, "acts": ACTS, "rulings": RULINGS, "expectations": EXPECTATIONS}
    parts = {name: rows(found) for name, found in forms.items()} | {"told": told()}
    for name, lines in parts.items():
        before, mark, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        assert mark, f"{PAGE.name} has no place for {name}"
        assert end, f"the place for {name} has no end"
        page = "".join((before, mark, "\n", "".join(f"{line}\n" for line in lines), "\n", end, after))
    return page


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(written(page), encoding="utf-8")
    elif written(page) != page:
        sys.exit(f"{PAGE.name} is not up to date: run scripts/history-format")


if __name__ == "__main__":
    main()
