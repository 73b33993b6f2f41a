"""Reads a book file strictly: either a whole, consistent :class:`RuleBook`, or every mistake in it."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TypeVar

from msgspec import structs

from puntobanco.cards import MAX_DECKS, Side
from puntobanco.currencies import CURRENCIES
from puntobanco.money import Odds
from puntobanco.outcomes import FEATURES, Space, Value, space
from puntobanco.rules.beyond import cannot_be_said
from puntobanco.rules.load_geometry import (
    Arrangements,
    parse_positions,
    read_arrangements,
    read_chinese,
    read_look,
    refuse_idle,
)
from puntobanco.rules.load_policies import read_table_rules
from puntobanco.rules.model import (
    Bet,
    Decks,
    Insurance,
    InsuranceCap,
    InsuranceRow,
    Layout,
    PayLine,
    ReturnLine,
    RuleBook,
    UnknownName,
    Window,
    insurance_box,
)
from puntobanco.rules.read import BookError, Problem, Section, shown, suggestion

GAMES = (
    "da-hu-ying-xiong",
    "super-six",
    "rws-baccarat",
    "tiger-buffalo",
    "dragon-tiger-commission",
    "dragon-tiger-non-commission",
)
"""The six games of the five books."""

T = TypeVar("T")

_LARGEST_FILE = 1_000_000
_PARAGRAPH = "the number of the paragraph, as a text"
_GAME_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_BET_CODE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_LAYOUT_CODE = re.compile(r"[A-Z0-9]{1,8}")
_HANDS = tuple(side.value for side in Side)
_WINDOWS = tuple(window.value for window in Window)
_INSURANCE_BOXES = tuple(map(insurance_box, Side))


@cache
def find_book(game: str) -> RuleBook:
    """One of the six games, by its id.

    >>> find_book("super-six").title
    'Commission Baccarat with Super Six'
    """
    if game not in GAMES:
        raise UnknownName("game", game, list(GAMES))
    file = resources.files("puntobanco.rules") / "books" / f"{game}.toml"
    return parse_book(file.read_text(encoding="utf-8"), f"{game}.toml")


def load_book(path: str | Path) -> RuleBook:
    """A book from a file of your own."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            raw = file.read(_LARGEST_FILE + 1)
        text = raw.decode("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise BookError(str(path), [Problem("", f"cannot be read: {error.strerror}")]) from error
    except UnicodeDecodeError as error:
        raise BookError(str(path), [Problem("", f"is not UTF-8 text (byte {error.start})")]) from error
    except ValueError as error:  # a name that no file can have
        raise BookError(str(path), [Problem("", f"cannot be read: {error}")]) from error
    if len(raw) > _LARGEST_FILE:
        raise BookError(str(path), [Problem("", f"is larger than {_LARGEST_FILE:,} bytes, which no book is")])
    return parse_book(text, str(path))


def parse_book(text: str, file: str = "book") -> RuleBook:
    """A book from TOML text; ``file`` is its name in messages.

    >>> try:
    ...     parse_book('id = "mine"', "mine.toml")
    ... except BookError as error:
    ...     print(str(error).splitlines()[1].strip())
    bets: missing; expected an array of tables
    """
    try:
        data = tomllib.loads(text)
    # besides its own error the parser lets two of Python's through, for endless numbers and endless nesting
    except (ValueError, RecursionError) as error:
        raise BookError(file, [Problem("", f"is not TOML: {error}")]) from error
    problems: list[Problem] = []
    book = _book(Section(data, "", problems))
    if problems:
        raise BookError(file, problems)
    return book


def _book(top: Section) -> RuleBook:
    identity = top.text("id", "an id in lower case with hyphens, as in my-game")
    if identity and not _GAME_ID.fullmatch(identity):
        top.problem("id", f"expected lower-case words joined by hyphens, as in my-game, found {shown(identity)}")
    features = top.texts("features", "a list of added features", [])
    for feature in features:
        if feature != "suited":
            top.problem("features", f"unknown feature {shown(feature)}; known are suited")
    bets = _bets(top, space(suited="suited" in features))
    insurance = _insurance(top.section("insurance")) if top.has("insurance") else None
    boxes = (*bets, *_INSURANCE_BOXES) if bets and insurance else tuple(bets)
    arrangements, chinese = read_arrangements(top, boxes), read_chinese(top, boxes)
    book = RuleBook(
        id=identity,
        title=top.text("title", "the name of the game"),
        casino=top.text("casino", "who wrote the book", ""),
        version=top.text("version", "the version as the book prints it", ""),
        in_force=top.text("in_force", "the date from which the book holds", ""),
        source=top.text("source", "where the book is to be found", ""),
        currency=_currency(top),
        features=features,
        decks=_decks(top.section("decks")),
        bets=bets,
        layouts=_layouts(top, bets, insurance, arrangements, chinese),
        arrangements={name: arrangement for name, arrangement in arrangements.items() if arrangement},
        chinese=chinese,
        insurance=insurance,
        **structs.asdict(read_table_rules(top, bets, insured=insurance is not None)),
    )
    refuse_idle(top, arrangements, [layout.arrangement for layout in book.layouts.values()])
    top.finish()
    return book


def _currency(top: Section) -> str:
    code = top.text("currency", "the code of a currency, as in SGD", "")
    if code and code not in CURRENCIES:
        top.problem("currency", f"{shown(code)} is not a currency{_meant(code.upper())}")
    return code


def _meant(code: str) -> str:
    """Codes are so short that a slip leaves several; none is closer than the one that differs in case only."""
    if code in CURRENCIES:
        return f"; did you mean {code}?"
    close = difflib.get_close_matches(code, sorted(CURRENCIES), n=3)
    return f"; did you mean {' or '.join(close)}?" if close else ": write its code, as in SGD"


def _decks(at: Section) -> Decks:
    least = at.integer("least", 1, MAX_DECKS)
    most = at.integer("most", least, MAX_DECKS)
    default = at.integer("default", least, most, min(max(8, least), most))
    decks = Decks(least, most, default, at.text("paragraph", _PARAGRAPH, ""))
    at.finish()
    return decks


def _bets(top: Section, outcomes: Space) -> dict[str, Bet]:
    bets: dict[str, Bet] = {}
    for at in top.sections("bets"):
        bet = _bet(at, outcomes)
        if bet.code and bet.code in bets:
            at.problem("code", f"{bet.code} is there twice")
        same_hand = [other.code for other in bets.values() if bet.hand and other.hand is bet.hand]
        if same_hand:
            at.problem("hand", f"{same_hand[0]} is already the bet on that hand")
        bets[bet.code] = bet
    return bets


def _bet(at: Section, outcomes: Space) -> Bet:
    code = at.text("code", "a code in snake case, as in big_tiger")
    if code and not _BET_CODE.fullmatch(code):
        at.problem("code", f"expected lower-case words joined by underscores, as in big_tiger, found {shown(code)}")
    paragraph = at.text("paragraph", _PARAGRAPH)
    name = at.text("name", "the bet's name", code.replace("_", " ").title())
    hand = at.option("hand", _HANDS) if at.has("hand") else None
    loses = at.text("loses", _PARAGRAPH, "")
    taken: list[tuple[str, int]] = []
    pays = [_pay_line(section, outcomes, taken) for section in at.sections("pays", label="name")]
    returns = [_return_line(section, outcomes, taken) for section in at.sections("returns", needed=False)]
    at.finish()
    return Bet(code, name, paragraph, _sound(pays), _sound(returns), Side(hand) if hand else None, loses)


def _sound(lines: Iterable[T | None]) -> tuple[T, ...]:
    """Those that could be read; what is wrong with the others is noted already."""
    return tuple(line for line in lines if line is not None)


def _pay_line(at: Section, outcomes: Space, taken: list[tuple[str, int]]) -> PayLine | None:
    odds = at.parsed("odds", Odds.parse, "odds, as in 50 to 1")
    name = at.text("name", "what the line is called", "")
    paragraph = at.text("paragraph", _PARAGRAPH)
    when = _condition(at, outcomes, taken)
    at.finish()
    return PayLine(odds, when, paragraph, name) if odds and when is not None else None


def _return_line(at: Section, outcomes: Space, taken: list[tuple[str, int]]) -> ReturnLine | None:
    paragraph = at.text("paragraph", _PARAGRAPH)
    when = _condition(at, outcomes, taken)
    at.finish()
    return ReturnLine(when, paragraph) if when is not None else None


def _condition(at: Section, outcomes: Space, taken: list[tuple[str, int]]) -> dict[str, tuple[Value, ...]] | None:
    """A condition on named features that can come true and shares no outcome with the bet's earlier lines."""
    section = at.section("when")
    when: dict[str, tuple[Value, ...]] = {}
    sound = section.has_any
    for name in section.names:
        values = _feature_values(section, name, outcomes)
        if values is None:
            sound = False
        else:
            when[name] = values
    if at.has("when") and at.value("when") == {}:
        at.problem("when", 'expected at least one condition, as in { winner = "banker" }')
    if not sound:
        return None
    bits = outcomes.where(when)
    if not bits:
        at.problem("when", "impossible: no coup can end like this")
        return None
    for other, earlier in taken:
        if bits & earlier:
            example = outcomes[(bits & earlier).bit_length() - 1]
            at.problem(
                "when",
                f"overlaps {other}: both hold when Player has {example.player_total} on "
                f"{example.player_cards} cards and Banker {example.banker_total} on {example.banker_cards}",
            )
    taken.append((at.key.rpartition(".")[2], bits))
    return when


def _feature_values(section: Section, name: str, outcomes: Space) -> tuple[Value, ...] | None:
    feature = FEATURES.get(name)
    if feature is None:
        section.problem(name, cannot_be_said(name) or f"unknown feature; {suggestion(name, FEATURES)}")
        return None
    if feature.needs_suits and not outcomes.suited:
        section.problem(name, 'needs suits in the outcome space: add features = ["suited"] at the top of the file')
        return None
    found = section.value(name)
    values = found if isinstance(found, list) else [found]
    kinds = {type(value) for value in feature.values}
    for value in values:
        if type(value) not in kinds or value not in feature.values:
            allowed = ", ".join(str(value).lower() for value in feature.values)
            section.problem(name, f"expected {allowed}, or a list of those, found {shown(value)}")
            return None
    if not values:
        section.problem(name, "expected at least one value, found an empty list")
        return None
    if len(set(values)) != len(values):
        section.problem(name, f"expected each once, found {shown(values)}")
    # in the feature's own order, so that two ways of writing one condition are one condition
    return tuple(value for value in feature.values if value in values)


def _layouts(
    top: Section,
    bets: Mapping[str, Bet],
    insurance: Insurance | None,
    arrangements: Arrangements,
    chinese: Mapping[str, str],
) -> dict[str, Layout]:
    """The layouts of the file; a book without any gets one that carries everything."""
    if not top.has("layouts"):
        everything = Layout("A", "All bets", tuple(bets), tuple(range(1, 8)), "", insurance is not None)
        return {"A": everything}
    layouts: dict[str, Layout] = {}
    for at in top.sections("layouts"):
        before = at.mistakes
        code = at.text("code", "a short code in capitals, as in A")
        if code and not _LAYOUT_CODE.fullmatch(code):
            at.problem("code", f"expected up to eight capitals and digits, as in A, found {shown(code)}")
        if code and code in layouts:
            at.problem("code", f"{code} is there twice")
        offered = at.texts("bets", "a list of bet codes") if at.has("bets") else tuple(bets)
        for name in offered:
            if bets and name not in bets:
                at.problem("bets", f"unknown bet {shown(name)}; {suggestion(name, bets)}")
        insured = at.flag("insurance")
        if insured and insurance is None:
            at.problem("insurance", "the book has no [insurance]")
        for name in _INSURANCE_BOXES if insured else ():
            if name in offered:
                at.problem("bets", f"{name} is what the box for insurance is called")
        layout = Layout(
            code=code,
            name=at.text("name", "what the layout is called", f"Layout {code}"),
            bets=offered,
            positions=at.parsed("positions", parse_positions, "numbers of positions, as in 1-6") or (),
            paragraph=at.text("paragraph", _PARAGRAPH),
            insurance=insured,
            language=at.choice("language", ("en", "zh"), "en"),
        )
        layouts[code] = read_look(at, layout, at.mistakes == before, arrangements, chinese)
        at.finish()
    return layouts


def _insurance(at: Section) -> Insurance:
    rows: list[InsuranceRow] = []
    tie = at.text("tie", _PARAGRAPH)
    covered: dict[tuple[Window, Side, int, int], str] = {}
    for section in at.sections("rows", label="name"):
        row = _insurance_row(section, tie)
        if row is None:
            continue
        rows.append(row)
        spots = [(row.window, row.hand, own, other) for own in row.own for other in row.other]
        for spot in spots:
            if spot in covered:
                section.problem("", f"overlaps {covered[spot]}: both cover own {spot[2]} against {spot[3]}")
                break
        covered |= dict.fromkeys(spots, section.key.rpartition(".")[2])
    insurance = Insurance(
        paragraph=at.text("paragraph", _PARAGRAPH),
        offer=at.text("offer", _PARAGRAPH),
        windows=at.text("windows", _PARAGRAPH),
        hands=at.text("hands", _PARAGRAPH),
        cap=at.text("cap", _PARAGRAPH),
        tie=tie,
        rows=tuple(rows),
        caps=_sound(_insurance_cap(section) for section in at.sections("caps", needed=False)),
    )
    at.finish()
    return insurance


_POINTS = "a list of points from 0 to 9"


def _insurance_row(at: Section, tie: str) -> InsuranceRow | None:
    window = at.option("window", _WINDOWS)
    hand = at.option("hand", _HANDS)
    own, other = at.integers("own", _POINTS), at.integers("other", _POINTS)
    for name, values in (("own", own), ("other", other)):
        if any(not 0 <= value <= 9 for value in values):
            at.problem(name, f"expected {_POINTS}, found {shown(list(values))}")
    odds = at.parsed("odds", Odds.parse, "odds, as in 5 to 2")
    paragraph = at.text("paragraph", _PARAGRAPH)
    tie_pays = at.has("tie_pays")
    tie_paragraph = at.text("tie_pays", _PARAGRAPH) if tie_pays else tie
    at.finish()
    if odds is None or window is None or hand is None:
        return None
    return InsuranceRow(Window(window), Side(hand), own, other, odds, paragraph, tie_paragraph, tie_pays)


def _insurance_cap(at: Section) -> InsuranceCap | None:
    odds = at.parsed("odds", Odds.parse, "odds, as in 10 to 1")
    share = at.parsed("of_maximum", _share, "a share, as in 1/4")
    paragraph = at.text("paragraph", _PARAGRAPH)
    at.finish()
    return InsuranceCap(odds, share, paragraph) if odds and share else None


def _share(text: str) -> Fraction:
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if match is None or not 0 < int(match[1]) <= int(match[2]):
        raise ValueError(f"expected a share of at most 1, as in 1/4, found {shown(text)}")
    return Fraction(int(match[1]), int(match[2]))
