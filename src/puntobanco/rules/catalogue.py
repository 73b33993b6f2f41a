"""Every numbered paragraph of the five books: what it is about, and what carries it.

The lists are TOML files in ``paragraphs/``, one line a paragraph. ``scripts/paragraphs`` turns them into
``docs/paragraphs.md`` together with the tests named after each paragraph.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

import msgspec

from puntobanco.rules.load import GAMES
from puntobanco.rules.model import UnknownName
from puntobanco.rules.read import BookError, Problem, Section

BOOKS = ("da-hu-ying-xiong", "super-six", "rws-baccarat", "tiger-buffalo", "dragon-tiger")
"""The five books. The two Hoiana games stand in one, ``dragon-tiger``."""

NUMBER = re.compile(r"\d+(\.\d+)*(\.[a-z])?|Appendix [A-Z](\.\d+)?")
"""How a paragraph is cited: ``5.15.4``, ``4.2.1.a``, ``Appendix K``, ``Appendix A.3``."""


class Paragraph(msgspec.Struct, frozen=True):
    """A numbered paragraph. Exactly one of ``code`` and ``none`` is set.

    A pointer in ``code`` is ``books:`` and a path into the book's data, as in ``books:bets.big_tiger`` or
    ``books:bets.*_pair``; where a book holds two games and means one, ``books:dragon-tiger-commission:bets.banker``. Or
    it is a name below the package, as in ``coup.banker_draws``.
    """

    number: str
    gist: str
    code: tuple[str, ...] = ()
    none: str = ""

    @property
    def status(self) -> str:
        """``implemented`` or ``no code needed``."""
        return "implemented" if self.code else "no code needed"


def games_of(book_id: str) -> tuple[str, ...]:
    """The games that stand in a book."""
    return tuple(game for game in GAMES if book_of(game) == book_id)


def book_of(game: str) -> str:
    """The book in which a game stands."""
    if game not in GAMES:
        raise UnknownName("game", game, list(GAMES))
    return "dragon-tiger" if game.startswith("dragon-tiger-") else game


def book_paragraphs(game: str) -> tuple[Paragraph, ...]:
    """The paragraphs of the book in which a game stands."""
    return paragraphs(book_of(game))


@cache
def paragraphs(book_id: str) -> tuple[Paragraph, ...]:
    """The paragraphs of one of the five books, in the order of the book."""
    if book_id not in BOOKS:
        raise UnknownName("book", book_id, list(BOOKS))
    file = resources.files("puntobanco.rules") / "paragraphs" / f"{book_id}.toml"
    return parse_paragraphs(file.read_text(encoding="utf-8"), f"{book_id}.toml")


def parse_paragraphs(text: str, file: str = "paragraphs") -> tuple[Paragraph, ...]:
    """The paragraphs in a TOML text, or every mistake in it; ``file`` is its name in messages."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BookError(file, [Problem("", f"is not TOML: {error}")]) from error
    problems: list[Problem] = []
    top = Section(data, "", problems)
    found: dict[str, Paragraph] = {}
    for at in top.sections("paragraphs", label="number"):
        paragraph = _paragraph(at)
        if paragraph.number in found:
            at.problem("number", f"{paragraph.number} is there twice")
        found[paragraph.number] = paragraph
    top.finish()
    if problems:
        raise BookError(file, problems)
    return tuple(found.values())


def _paragraph(at: Section) -> Paragraph:
    number = at.text("number", "the number of the paragraph, as a text")
    if number and not NUMBER.fullmatch(number):
        at.problem("number", f"expected a number as in 5.15.4, 4.2.1.a or Appendix K, found {number!r}")
    paragraph = Paragraph(
        number=number,
        gist=at.text("gist", "a short phrase"),
        code=at.texts("code", "a list of pointers", []),
        none=at.text("none", "why no code is needed", ""),
    )
    given = sum(map(bool, (paragraph.code, paragraph.none)))
    if given != 1:
        at.problem("", f"expected exactly one of code and none, found {given}")
    at.finish()
    return paragraph
