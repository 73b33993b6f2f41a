"""Writes docs/paragraphs.md: every numbered paragraph of every book, with the code and tests that carry it.

What a paragraph is about and what carries it stands in src/puntobanco/rules/paragraphs; the tests are found
by their names. --check compares instead of writing; --against compares the lists with the books' own texts.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from puntobanco.rules.catalogue import BOOKS, Paragraph, games_of, paragraphs
from puntobanco.rules.load import find_book

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "paragraphs.md"
TESTS = ROOT / "tests" / "rules"

TITLES = {
    "da-hu-ying-xiong": "Da Hu Ying Xiong (Commission Baccarat)",
    "super-six": "Commission Baccarat with Super Six",
    "rws-baccarat": "RWS Baccarat (Non-Commission)",
    "tiger-buffalo": "Tiger Buffalo (Non-Commission Baccarat with Insurance Plus)",
    "dragon-tiger": "Dragon Tiger Baccarat (both versions)",
}

# --- Tests -----------------------------------------------------------------------------------------------

_TEST_NAME = re.compile(
    r"test_(?:appendix_(?P<appendix>[a-z])(?:_(?P<item>\d+))?|(?P<digits>\d+(?:_\d+)*)(?:_(?P<letter>[a-z]))?)"
    r"_[a-z]{2}\w*"
)


def files_of_tests(book_id: str) -> tuple[Path, ...]:
    """The tests of a book's cards and bets, and of what happens at its tables."""
    name = book_id.replace("-", "_")
    return tuple(TESTS / f"test_{name}{part}.py" for part in ("", "_table", "_irregularities"))


def paragraph_of_test(name: str) -> str | None:
    """The paragraph a test is named after: ``test_4_2_1_a_tie_pays`` tests 4.2.1.a."""
    match = _TEST_NAME.fullmatch(name)
    if match is None:
        return None
    if match["appendix"]:
        item = f".{match['item']}" if match["item"] else ""
        return f"Appendix {match['appendix'].upper()}{item}"
    letter = f".{match['letter']}" if match["letter"] else ""
    return match["digits"].replace("_", ".") + letter


def names_of_tests(book_id: str) -> tuple[str, ...]:
    """The names of all tests in the book's files, in order."""
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files_of_tests(book_id)]
    return tuple(
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def named_tests(book_id: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names_of_tests(book_id):
        number = paragraph_of_test(name)
        if number is not None:
            found.setdefault(number, []).append(name)
    return found


# --- Pointers --------------------------------------------------------------------------------------------


def games_and_path(pointer: str, book_id: str) -> tuple[tuple[str, ...], list[str]]:
    """The games that a ``books:`` pointer speaks of, one or all of the book, and the way to the data in them."""
    *game, path = pointer.removeprefix("books:").split(":")
    games = games_of(book_id)
    return tuple(each for each in games if not game or each == game[0]), path.split(".")


def resolves(pointer: str, book_id: str) -> bool:
    """Whether there is what the pointer points to; for ``books:``, in any game of the book."""
    if pointer.startswith("books:"):
        games, path = games_and_path(pointer, book_id)
        return any(_leads_somewhere(find_book(game), path) for game in games)
    names = pointer.split(".")
    for length in range(len(names), 0, -1):
        try:
            module = importlib.import_module(".".join(["puntobanco", *names[:length]]))
        except ModuleNotFoundError:
            continue
        return length < len(names) and _leads_somewhere(module, names[length:])
    return False


def _leads_somewhere(thing: object, path: Iterable[str]) -> bool:
    things = [thing]
    for name in path:
        things = [child for parent in things for child in _children(parent, name)]
    return bool(things)


def _children(parent: object, name: str) -> Iterator[object]:
    if isinstance(parent, Mapping):
        yield from (child for key, child in parent.items() if fnmatchcase(key, name))
    elif hasattr(parent, name):
        yield getattr(parent, name)


# --- The page --------------------------------------------------------------------------------------------

_INTRODUCTION = """\
# Paragraphs

Every numbered paragraph of the five rule books, and what carries it. The gist is in our own words.
`scripts/paragraphs` writes this page from `src/puntobanco/rules/paragraphs/` and the names of the tests, and
a test keeps it up to date.

- **implemented**: the code named here does what the paragraph says, and the tests named after the paragraph
  hold it to that. `books:` means the book's own data file, all else is a name below `puntobanco`.
- **no code needed**: a heading, or words that only name a thing.
"""


def render() -> str:
    parts = [_INTRODUCTION, _summary(), *map(_book_table, BOOKS)]
    return "\n".join(parts)


def _summary() -> str:
    lines = [
        "| book | paragraphs | implemented | no code needed |",
        "| --- | ---: | ---: | ---: |",
    ]
    total: Counter[str] = Counter()
    for book_id in BOOKS:
        counts = Counter(paragraph.status for paragraph in paragraphs(book_id))
        lines.append(_summary_row(f"[{TITLES[book_id]}](#{book_id})", counts))
        total += counts
    return "\n".join([*lines, _summary_row("all", total), ""])


def _summary_row(name: str, counts: Counter[str]) -> str:
    figures = [counts.total(), *(counts[key] for key in ("implemented", "no code needed"))]
    return f"| {name} | {' | '.join(map(str, figures))} |"


def _book_table(book_id: str) -> str:
    tests = named_tests(book_id)
    files = ", ".join(f"[{game}.toml](../src/puntobanco/rules/books/{game}.toml)" for game in games_of(book_id))
    tested = ", ".join(f"[{file.name}](../tests/rules/{file.name})" for file in files_of_tests(book_id))
    lines = [
        f'<a id="{book_id}"></a>',
        "",
        f"## {TITLES[book_id]}",
        "",
        f"Data: {files}. Tests: {tested}.",
        "",
        "| number | gist | code | tests | status |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [_row(paragraph, tests.get(paragraph.number, [])) for paragraph in paragraphs(book_id)]
    return "\n".join([*lines, ""])


def _row(paragraph: Paragraph, tests: list[str]) -> str:
    status = paragraph.status
    if paragraph.none:
        status += f": {paragraph.none}"
    cells = (paragraph.number, paragraph.gist, _names(paragraph.code), _names(tests), status)
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


# --- The books' own texts --------------------------------------------------------------------------------

TEXTS = {
    "da-hu-ying-xiong": "rws-da-hu-ying-xiong-2019.txt",
    "super-six": "rws-super-six-2013.txt",
    "rws-baccarat": "rws-baccarat-non-commission.txt",
    "tiger-buffalo": "rws-tiger-buffalo-2025.txt",
    "dragon-tiger": "hoiana-dragon-tiger-2025.txt",
}

# The scan of rws-baccarat lost numbers, whole section headings and Appendix B's; '53' in it is 5.3.
_LOST_IN_SCAN = {
    *"1345",
    *(f"1.{number}" for number in range(1, 25)),
    *(f"3.{number}" for number in range(1, 15)),
    *(f"5.{number}" for number in range(1, 18)),
    "Appendix B",
}

_MARK = re.compile(r"<\|[^|]*\|>")
_CONTENTS_LINE = re.compile(r"\t\s*\d+$")
_DECORATION = r"[\s#*\-]*"
_HEADING = re.compile(_DECORATION + r"(\d{1,2})\. (?=[A-Z])")
_NUMBERED = re.compile(_DECORATION + r"(\d{1,2}(?:\.\d{1,2})+)\.?(?=\s|$)")
_LETTERED = re.compile(_DECORATION + r"([a-z])[.)] (?=\S)")
_APPENDIX = re.compile(_DECORATION + r"appendix \"?([A-Z])\b", re.IGNORECASE)


def numbers_in_text(text: str) -> set[str]:
    """The paragraph numbers that begin a line. The contents page counts for appendices only."""
    found: set[str] = set()
    last = ""
    for line in _MARK.sub("", text).splitlines():
        if _CONTENTS_LINE.search(line):
            if match := _APPENDIX.match(line):
                found.add(f"Appendix {match[1]}")
            continue
        if match := _APPENDIX.match(line):
            last = f"Appendix {match[1]}"
        elif match := _NUMBERED.match(line):
            last = match[1]
        elif match := _HEADING.match(line):
            last = f"{last[:10]}.{match[1]}" if last.startswith("Appendix") else match[1]
        elif match := _LETTERED.match(line):
            found.add(f"{re.sub(r'[.][a-z]$', '', last)}.{match[1]}")
            continue
        else:
            continue
        found.add(last)
    return found


def natural_order(number: str) -> list[tuple[int, str]]:
    """A key that sorts 5.9 before 5.10, 2.1.1 before 2.1.1.a, and appendices last."""
    parts = re.split(r"[. ]", number)
    return [(int(part), "") if part.isdigit() else (1000, part) for part in parts]


def differences(book_id: str, folder: Path) -> list[str]:
    """What sets the list apart from the book's own text; nothing if it is complete."""
    found = numbers_in_text((folder / TEXTS[book_id]).read_text(encoding="utf-8"))
    if book_id == "rws-baccarat":
        found |= _LOST_IN_SCAN
    listed = [paragraph.number for paragraph in paragraphs(book_id)]
    messages = [f"{book_id} {number}: in the text, not in the list" for number in sorted(found - set(listed))]
    messages += [f"{book_id} {number}: in the list, not in the text" for number in listed if number not in found]
    if listed != sorted(listed, key=natural_order):
        messages.append(f"{book_id}: the list is not in the order of the book")
    return messages


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/paragraphs", description=__doc__)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--check", action="store_true", help="exit 1 if docs/paragraphs.md is not up to date")
    group.add_argument(
        "--against",
        metavar="DIR",
        type=Path,
        help="compare the lists with the books' own texts in that folder",
    )
    arguments = parser.parse_args()
    if arguments.against:
        messages = [message for book_id in BOOKS for message in differences(book_id, arguments.against)]
        for message in messages:
            print(message, file=sys.stderr)
        if not messages:
            for book_id in BOOKS:
                print(f"{book_id}: {len(paragraphs(book_id))} paragraphs, as in {TEXTS[book_id]}")
        return bool(messages)
    page = render()
    if not arguments.check:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        print("docs/paragraphs.md is not up to date: run scripts/paragraphs", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
