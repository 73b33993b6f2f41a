"""What a table says, worded at the edge: codes and values in, sentences out, in every language of the catalogue.

The engine makes no sentence. A refusal is a code and values; here is one catalogue a language that turns them into
words, for the command line, for histories and for the floor. The page has the same sentences, made from these files.

>>> from puntobanco.table.refusals import Refusal
>>> worded(Refusal.of("below_minimum", bet="tie", amount=2500), "vi")
'mức tối thiểu của Hòa là 25.00'
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal, TypeAlias, get_args

import msgspec

from puntobanco.money import MINOR_DIGITS, format_amount
from puntobanco.rules.model import RuleBook
from puntobanco.table.about import About, Words
from puntobanco.table.refusals import Refusal, Value
from puntobanco.table.state import Table

Language: TypeAlias = Literal["en", "zh-Hans", "vi"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

Section: TypeAlias = Literal["refusal", "step", "about"]
"""What has sentences; the other sections have names."""

Kind: TypeAlias = Literal["text", "about", "number", "money", "box", "card", "bet", "hand", "rank", "family", "ruling"]
KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("person", "people", "actor", "table", "layout", "account", "request", "requests"), "text"),
    **dict.fromkeys(("problem", "groups", "currency"), "text"),
    **dict.fromkeys(("number", "numbers", "round", "rounds", "count", "wanted", "left", "digits"), "number"),
    **dict.fromkeys(("version", "now", "since"), "number"),
    **dict.fromkeys(("amount", "limit", "room", "owes", "value"), "money"),
    **dict.fromkeys(("box", "boxes"), "box"),
    **dict.fromkeys(("hand", "result"), "hand"),
    **dict.fromkeys(("rank", "ranks"), "rank"),
    **dict.fromkeys(("ruling", "rulings"), "ruling"),
    "about": "about",
    "bet": "bet",
    **dict.fromkeys(("card", "cards", "keyed"), "card"),
    "family": "family",
}
"""How a value of that name is said, wherever it stands."""
COMMAS: Mapping[Language, str] = {"en": ", ", "zh-Hans": "、", "vi": ", "}
"""What stands between the values of a list."""
NOTHING = "–"
"""What is said for an empty name or list."""
_WINS_ON = re.compile(r"(player|banker|tie)_wins_on_(\d)")


class Terms(msgspec.Struct, frozen=True):
    """What a table calls things: its book's names, and its money."""

    book: RuleBook | None = None
    digits: int = MINOR_DIGITS
    currency: str = ""

    @classmethod
    def of(cls, table: Table | None, digits: int = MINOR_DIGITS) -> Terms:
        """Those of a table; one that has not opened has none but the digits of its money."""
        return cls(table.book, table.settings.digits, table.settings.currency) if table else cls(digits=digits)


def language_wanted(accepted: str) -> Language:
    """The first language of an ``Accept-Language`` header that the catalogue has; otherwise English.

    >>> language_wanted("fr, zh-CN;q=0.9, en;q=0.8")
    'zh-Hans'
    """
    for wanted in accepted.split(","):
        tag = wanted.partition(";")[0].strip().lower()
        for language in LANGUAGES:
            if tag.partition("-")[0] == language.partition("-")[0]:
                return language
    return "en"


@cache
def catalogue(language: Language) -> Mapping[str, Mapping[str, str]]:
    """All words of a language: sections, then keys."""
    with (resources.files(__name__) / f"{language}.toml").open("rb") as file:
        return tomllib.load(file)


def reasons() -> tuple[str, ...]:
    """Every refusal that can be worded, by its detail."""
    return tuple(catalogue("en")["refusal"])


def worded(refusal: Refusal, language: Language = "en", terms: Terms | None = None) -> str:
    """A refusal in a sentence."""
    return sentence("refusal", refusal.detail, refusal.values, language, terms)


def sentence(
    section: Section, key: str, values: Mapping[str, Value], language: Language = "en", terms: Terms | None = None
) -> str:
    """What the catalogue says for a key of a section, with these values in it."""
    terms = terms or Terms()
    filled = {name: said(KINDS[name], value, language, terms) for name, value in values.items()}
    return catalogue(language)[section][key].format_map(filled)


def about_words(about: Words, language: Language = "en", terms: Terms | None = None) -> str:
    """What something is about, in words; what a person wrote as it was written.

    >>> about_words(About.of("bet", person="ann", box=5, bet="big_tiger"), "zh-Hans")
    'ann 5 号位 大老虎'
    """
    return about if isinstance(about, str) else sentence("about", about.code, about.values, language, terms)


def notation(about: Words, terms: Terms | None = None) -> str:
    """The same as histories write it: in English, with the codes of bets.

    >>> notation(About.of("bet", person="ann", box=5, bet="big_tiger"))
    'ann box 5 big_tiger'
    """
    if isinstance(about, str):
        return about
    kinds: Mapping[str, Kind] = {**KINDS, "bet": "text"}
    filled = {name: said(kinds[name], value, "en", terms or Terms()) for name, value in about.values.items()}
    return catalogue("en")["about"][about.code].format_map(filled)


def said(kind: Kind, value: Value, language: Language, terms: Terms) -> str:
    """A value, or a list of them, as people say it."""
    if isinstance(value, About):
        return about_words(value, language, terms)
    if isinstance(value, str | int):
        return _said(kind, value, language, terms)
    return COMMAS[language].join(_said(kind, each, language, terms) for each in value) or NOTHING


def _said(kind: Kind, value: str | int, language: Language, terms: Terms) -> str:
    if isinstance(value, int):
        if kind == "money":
            return f"{format_amount(value, terms.digits)} {terms.currency}".rstrip()
        return str(value)
    if kind in ("text", "about", "card") or not value:
        return value or NOTHING
    if language == "en" and (name := _named_by_book(kind, value, terms.book)):
        return name
    return _named(kind, value, language) or _named_by_book(kind, value, terms.book) or value.replace("_", " ")


def _named_by_book(kind: Kind, code: str, book: RuleBook | None) -> str:
    """What the book calls it."""
    if book is None:
        return ""
    if kind == "bet":
        return book.bets[code].name if code in book.bets else ""
    return book.ranks.named[code].title if kind == "rank" and code in book.ranks.named else ""


def _named(kind: Kind, code: str, language: Language) -> str:
    """What the catalogue calls it."""
    words = catalogue(language)[kind]
    if kind == "bet" and (found := _WINS_ON.fullmatch(code)):
        return words[f"{found[1]}_wins_on"].format(points=found[2])
    return words.get(code, "")
