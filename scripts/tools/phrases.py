"""Looks for turns of phrase that are not English: ``scripts/tools/phrases.toml`` lists them with better wordings.

``python -m scripts.tools.phrases`` reads docs, messages, docstrings and comments, prints every find with its file and
line, and exits with 1 if there is one. ``scripts/lint`` runs it.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("phrases.toml")
WHERE = (
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/**/*.md"),
    *("src/**/*.py", "src/**/en.toml", "src/puntobanco/rules/**/*.toml"),
    *("scripts/tools/*.py", "benchmarks/*.py", "examples/**/*.toml", "examples/**/*.txt"),
)
"""Texts of people. Tests are left out, whose names and samples say what they want; so are the other languages."""


class Phrase(NamedTuple):
    """A turn of phrase to avoid."""

    find: re.Pattern[str]
    say: str
    caught: tuple[str, ...]
    fine: tuple[str, ...]
    docs: bool
    """Whether it is looked for in Markdown alone."""


class Find(NamedTuple):
    """A place where one was found."""

    file: str
    line: int
    text: str
    say: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: “{self.text}”: say “{self.say}”"


def phrases() -> tuple[Phrase, ...]:
    """The list."""
    return tuple(_phrases(tomllib.loads(LIST.read_text("utf-8"))["phrase"]))


def _phrases(listed: Iterable[dict[str, object]]) -> Iterator[Phrase]:
    for each in listed:
        find = str(each["find"])
        pattern = re.compile(find.removeprefix("(?-i:").removesuffix(")")) if find.startswith("(?-i:") else None
        caught, fine = each["caught"], each["fine"]
        assert isinstance(caught, list)
        assert isinstance(fine, list)
        yield Phrase(
            pattern or re.compile(find, re.IGNORECASE),
            str(each["say"]),
            tuple(map(str, caught)),
            tuple(map(str, fine)),
            bool(each.get("docs")),
        )


def finds_in(text: str, name: str, listed: Iterable[Phrase]) -> Iterator[Find]:
    """Every find in a text. A phrase may go over the end of a line."""
    # a line break reads like a space, in comments and quoted docstrings with what begins the next line
    flowing = re.sub(r"\n[ \t]*(?:#[ \t]*)?(?=\S)", lambda found: " ".ljust(len(found[0]), "\0"), text)
    flat = flowing.replace("\0", "")
    places = [at for at, letter in enumerate(flowing) if letter != "\0"]
    for phrase in listed:
        if phrase.docs and not name.endswith(".md"):
            continue
        for found in phrase.find.finditer(flat):
            line = text.count("\n", 0, places[found.start()]) + 1
            yield Find(name, line, found[0].strip(), phrase.say)


def words_of(source: str) -> str:
    """The strings and comments of a program, each on its line; what else there is becomes blank."""
    kept: list[str] = [""] * (source.count("\n") + 2)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT) or tokenize.tok_name[token.type] == "FSTRING_MIDDLE":
            for offset, part in enumerate(token.string.split("\n")):
                kept[token.start[0] - 1 + offset] += f" {part}"
    return "\n".join(kept)


def files() -> Iterator[Path]:
    """What is looked at."""
    for pattern in WHERE:
        yield from sorted(ROOT.glob(pattern))


def finds() -> Iterator[Find]:
    """Every find in the tree."""
    listed = phrases()
    for file in files():
        text = file.read_text("utf-8")
        name = file.relative_to(ROOT).as_posix()
        yield from finds_in(words_of(text) if file.suffix == ".py" else text, name, listed)


def main() -> int:
    found = sorted(finds())
    for each in found:
        print(each, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
