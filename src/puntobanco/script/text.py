"""The words of a line: names, keywords, texts in quotation marks, comments; and reading them one after the other."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Unreadable(ValueError):  # noqa: N818 - it reads like what it says
    """Part of a line that cannot be read."""


# --- words


class Word(NamedTuple):
    """A word of a line. One in quotation marks is always a name or a text, never a keyword or a number."""

    text: str
    quoted: bool = False
    colon: bool = False
    """Whether a colon ends it: it then says who acts."""

    @property
    def key(self) -> str:
        """The word as a keyword: small letters, and no difference between ``buy-in``, ``buy_in`` and ``buy in``."""
        return "" if self.quoted or self.colon else self.text.lower().replace("-", " ").replace("_", " ")

    def __str__(self) -> str:
        return (quote(self.text) if self.quoted else self.text) + ":" * self.colon


_WORD = re.compile(r'(?P<quoted>"(?:[^"\\]|\\.)*")(?P<colon>:?)(?=\s|$)|(?P<bare>[^\s"#][^\s"]*)(?=\s|$)')
_SPACE = re.compile(r"\s*")


def split_line(text: str) -> tuple[list[Word], str | None, int]:
    """The words of a line, its comment if there is one, and how many spaces stand before that."""
    words: list[Word] = []
    at = 0
    while True:
        space = _SPACE.match(text, at)
        assert space is not None
        at = space.end()
        if at == len(text):
            return words, None, 0
        if text[at] == "#":
            return words, text[at + 1 :].strip(), len(space[0])
        match = _WORD.match(text, at)
        if match is None:
            raise Unreadable(_bad_quotes(text[at:]))
        words.append(_word(match))
        at = match.end()


def _word(match: re.Match[str]) -> Word:
    if match["quoted"]:
        try:
            return Word(json.loads(match["quoted"], strict=False), True, bool(match["colon"]))
        except ValueError:
            raise Unreadable(f"{match['quoted']} holds a backslash: write two of them for one") from None
    bare = match["bare"]
    colon = len(bare) > 1 and bare.endswith(":")
    return Word(bare[:-1] if colon else bare, False, colon)


def _bad_quotes(rest: str) -> str:
    if not rest.startswith('"'):
        return f'a quotation mark inside a word: {rest.split()[0]}; write a space before it, or \\" inside quotes'
    if not re.match(r'"(?:[^"\\]|\\.)*"', rest):
        return f"the quotation mark before {rest[1:].strip()!r} is not closed"
    return f"write a space after the closing quotation mark of {rest}"


def quote(text: str) -> str:
    """A text in quotation marks."""
    return json.dumps(text, ensure_ascii=False)


NAME = re.compile(r"[^\W\d][\w.'-]*|@\w+")
RESERVED = frozenset({"against", "fits", "nothing", "on"})
"""Words that a name could be mistaken for: such a name is written in quotation marks."""


def write_name(name: str, bare: re.Pattern[str] = NAME) -> str:
    """A name; in quotation marks where it could be mistaken for something else."""
    clear = bare.fullmatch(name) and RESERVED.isdisjoint(Word(name).key.split())
    return name if clear else quote(name)


def nearest(word: str, known: Iterable[str]) -> str:
    """``; did you mean tip?``, or nothing."""
    found = difflib.get_close_matches(word, list(known), 1)
    return f"; did you mean {found[0]}?" if found else ""


class Reader:
    """Takes the words of a line one after the other."""

    def __init__(self, words: Sequence[Word], digits: int) -> None:
        self.words = words
        self.digits = digits
        self.at = 0

    @property
    def next(self) -> Word | None:
        return self.words[self.at] if self.at < len(self.words) else None

    def take(self, usage: str) -> Word:
        """The next word, which stands for that."""
        word = self.next
        if word is None:
            raise Unreadable(f"{usage} is missing")
        if word.colon:
            raise Unreadable(f"{word} stands where {usage} belongs: who acts comes first in the line")
        self.at += 1
        return word

    def take_all(self, usage: str) -> list[Word]:
        """The rest of the line; ``nothing`` is how an empty one is written."""
        if self.next is not None and self.next.key == "nothing" and self.at == len(self.words) - 1:
            self.at += 1
            return []
        words = [self.take(usage)]
        while self.next is not None:
            words.append(self.take(usage))
        return words

    def comes(self, phrase: str) -> bool:
        """Whether this phrase comes next."""
        start = self.at
        found = self.take_phrase([phrase])
        self.at = start
        return found is not None

    def take_phrase(self, phrases: Iterable[str]) -> str | None:
        """The longest of these phrases that comes next, if one does."""
        for phrase in sorted(phrases, key=len, reverse=True):
            for count in range(1, len(phrase.split()) + 1):
                found = self.words[self.at : self.at + count]
                if " ".join(word.key for word in found) == phrase:
                    self.at += len(found)
                    return phrase
        return None
