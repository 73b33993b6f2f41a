"""Writes the page's share of the catalogue: the words for codes and values that the table sends.

``python -m scripts.tools.page_words`` writes ``web/src/lib/tableWords.ts`` from ``puntobanco.words``; with ``--check``
it only says whether the file is up to date. ``scripts/build-page`` calls it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.tools.written import written

from puntobanco.words import COMMAS, KINDS, LANGUAGES, NOTHING, catalogue

FILE = Path(__file__).resolve().parents[2] / "web" / "src" / "lib" / "tableWords.ts"


def words() -> str:
    """The whole file."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "// Written by scripts/tools/page_words.py from the catalogues of puntobanco.words; do not edit."
    yield ""
    yield f"/** In the order of the languages: {', '.join(LANGUAGES)}. */"
    yield "export const TABLE_CATALOGUE = {"
    for section, entries in catalogue("en").items():
        for key in entries:
            yield f"  {_text(f'{section}.{key}')}: {_text([catalogue(each)[section][key] for each in LANGUAGES])},"
    yield "} as const;"
    yield ""
    yield "/** How a value of a refusal is said, by its name. */"
    yield f"export type Kind = {' | '.join(map(_text, dict.fromkeys(KINDS.values())))};"
    yield "export const KINDS: Readonly<Record<string, Kind>> = {"
    for name, kind in KINDS.items():
        yield f"  {name}: {_text(kind)},"
    yield "};"
    yield ""
    yield "/** What stands between the values of a list, and for an empty one. */"
    yield f"export const COMMAS = {_text([COMMAS[each] for each in LANGUAGES])} as const;"
    yield f"export const NOTHING = {_text(NOTHING)};"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def main(arguments: list[str]) -> int:
    return written(FILE, words(), "page_words", arguments)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
