"""``parse_script`` and ``format_script``: a history as text and back. Whatever cannot be read is told all at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from puntobanco.currencies import digits_of
from puntobanco.money import MINOR_DIGITS
from puntobanco.rules.load import find_book
from puntobanco.rules.model import UnknownName
from puntobanco.script import grammar
from puntobanco.script import lines as x
from puntobanco.script.lines import Line, Script
from puntobanco.script.notation import read_time, write_time
from puntobanco.script.text import Reader, Unreadable, Word, split_line, write_name
from puntobanco.table.engine import FindBook
from puntobanco.table.settings import AS_COUNTED


class Problem(msgspec.Struct, frozen=True):
    """A line that cannot be read, and what would be right."""

    number: int
    text: str
    message: str


class ScriptError(ValueError):
    """Text that is not a history. Every line that cannot be read is among the problems."""

    def __init__(self, problems: Sequence[Problem], source: str = "") -> None:
        self.problems = tuple(problems)
        where = f"{source}:" if source else "line "
        super().__init__(
            "\n".join(f"{where}{problem.number}: {problem.text.strip()}\n    {problem.message}" for problem in problems)
        )


def parse_script(text: str, source: str = "", books: FindBook = find_book) -> Script:
    r"""Read a history. Raises :class:`ScriptError`, which names ``source``, with all lines that cannot be read.

    >>> text = "game super-six\nlayout A\nelectronic\nopen\ncall\nexpect refused no_shoe\n"
    >>> from puntobanco.script import play
    >>> play(parse_script(text)).unmet is None
    True
    """
    problems: list[Problem] = []
    rows = text.removeprefix("\ufeff").split("\n")
    if rows[-1].strip() == "":
        rows.pop()
    digits = _find_digits(rows, books)
    lines: list[Line] = []
    for number, row in enumerate(rows, 1):
        try:
            lines.append(parse_line(row, digits))
        except Unreadable as error:
            problems.append(Problem(number, row, str(error)))
            lines.append(Line())
    problems = problems or list(_misplaced(rows, lines))
    if problems:
        raise ScriptError(problems, source)
    return Script(tuple(lines), digits)


def _find_digits(rows: Sequence[str], books: FindBook) -> int:
    """The digits of the currency: amounts may stand before the line that says it, or the game whose book does."""
    if said := _find_setting(rows, "currency"):
        digits = said["digits"]
        return digits_of(said["currency"]) if digits == AS_COUNTED else int(digits)
    if said := _find_setting(rows, "game"):
        with suppress(UnknownName):  # the table will refuse it
            return digits_of(books(said["game"]).currency)
    return MINOR_DIGITS


def _find_setting(rows: Sequence[str], keyword: str) -> dict[str, Any]:
    """What the first line with that keyword says; nothing where none can be read."""
    for row in rows:
        if row.lower().split(maxsplit=1)[:1] == [keyword]:
            with suppress(Unreadable):
                item = parse_line(row, MINOR_DIGITS).item
                if isinstance(item, x.Setting):
                    return item.fields
    return {}


def _misplaced(rows: Sequence[str], lines: Sequence[Line]) -> Iterable[Problem]:
    """Lines that can be read, but not where they stand."""
    last_open = max((number for number, line in enumerate(lines) if _opens(line)), default=-1)
    given: dict[str, int] = {}
    acted = False
    for number, line in enumerate(lines):
        item = line.item
        message = ""
        if isinstance(item, x.Setting):
            key = min(item.fields)
            if key == "bet_limits":
                key = f"limits on {next(iter(item.fields[key]))}"
            if number > last_open:
                message = "a setting comes before the line open, and none follows"
            elif key in given:
                message = f"that is set in line {given[key]} already"
            given[key] = number + 1
        elif isinstance(item, x.Expectation) and not acted:
            message = "there is no act before this that could be as expected"
        elif isinstance(item, x.Act):
            acted = True
            if _opens(line):
                currency = given.get("currency")
                given = {"currency": currency} if currency else {}
        if message:
            yield Problem(number + 1, rows[number], message)


def _opens(line: Line) -> bool:
    return isinstance(line.item, x.Act) and isinstance(line.item.body, x.Open)


def parse_line(text: str, digits: int = MINOR_DIGITS) -> Line:
    """Read one line. Raises :class:`Unreadable` with the forms that the line could have."""
    words, note, gap = split_line(text)
    return Line(_read_item(words, digits) if words else None, note, gap)


def _read_item(words: list[Word], digits: int) -> x.Item:
    reader = Reader(words, digits)
    time = read_time(reader)
    actor = None
    if reader.next is not None and reader.next.colon:
        actor = reader.next.text
        reader.at += 1
    if reader.next is None:
        if time is None or actor is not None:
            raise Unreadable(f"what {actor} does is missing")
        return x.Pause(time)
    start = reader.at
    form = grammar.find_form(reader)
    against = _take_against(reader) if grammar.is_act(form) else None
    try:
        item = form.read(reader)
    except Unreadable as error:
        raise Unreadable(f"{error}; write {_right(words[start], form)}") from error
    if grammar.is_act(form):
        return x.Act(item, time, actor, against)
    if time is not None or actor is not None:
        raise Unreadable(f"nobody does this, and at no time: write {form.usage}")
    assert isinstance(item, x.Setting | x.Expectation)
    return item


def _take_against(reader: Reader) -> int | None:
    """The version after ``against`` at the end of a line, which is taken off."""
    *rest, word, version = (Word(""), Word(""), *reader.words)
    if word.key != "against" or version.quoted or not version.text.isdecimal():
        return None
    reader.words = rest[2:]
    return int(version.text)


def _right(first: Word, form: grammar.Form) -> str:
    """The forms that begin like the line, the one that was recognised first."""
    forms = [form, *(other for other in grammar.forms_like(first.key) if other is not form)]
    return " or ".join(f"`{other.usage}`" for other in forms)


# --- printing


def format_script(script: Script) -> str:
    """The text of a history, which :func:`parse_script` reads back."""
    return "".join(f"{format_line(line, script.digits)}\n" for line in script.lines)


def format_line(line: Line, digits: int = MINOR_DIGITS) -> str:
    """A whole line of a history, with its comment."""
    text = format_item(line.item, digits) if line.item is not None else ""
    if line.note is None:
        return text
    return f"{text}{' ' * max(line.gap, bool(text))}# {line.note}".rstrip()


def format_item(item: x.Item, digits: int = MINOR_DIGITS) -> str:
    """What a line holds, as it is written."""
    if isinstance(item, x.Pause):
        return write_time(item.time)
    if not isinstance(item, x.Act):
        return grammar.write_item(item, digits)
    parts = (
        write_time(item.time) if item.time is not None else "",
        f"{write_name(item.actor)}:" if item.actor is not None else "",
        grammar.write_item(item.body, digits),
        f"against {item.against}" if item.against is not None else "",
    )
    return " ".join(filter(None, parts))
