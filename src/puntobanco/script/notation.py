"""How amounts, cards, times, settings and the rest are written in a history, each kind with its reader and writer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from puntobanco import currencies
from puntobanco.cards import Card, CardError, Side, parse_cards
from puntobanco.money import MoneyError, Odds, Rounding, RoundingMode, format_amount, parse_amount
from puntobanco.script.lines import DAY, After, Clock, Moment, Time
from puntobanco.script.text import NAME, RESERVED, Reader, Unreadable, Word, nearest, quote, write_name
from puntobanco.table.settings import BetLimits, Differential, Shifts

T = TypeVar("T")

EPOCH = datetime(1970, 1, 1)

# --- kinds of values


@dataclass(frozen=True)
class Kind(Generic[T]):
    """How a kind of value is written. ``fits`` tells from its first word whether an optional one is there."""

    usage: str
    read: Callable[[Reader], T]
    write: Callable[[T, int], str]
    """The text for a value, with that many digits of the currency; empty where it is left out."""
    fits: Callable[[Word], bool]
    phrase: str = ""
    """The words before the value, where there are some: they tell instead."""

    def comes(self, reader: Reader) -> bool:
        """Whether such a value comes next."""
        if self.phrase:
            return reader.comes(self.phrase)
        return reader.next is not None and self.fits(reader.next)


def optional(kind: Kind[T], default: Any = None) -> Kind[Any]:
    """A value that may be left out."""

    def read(reader: Reader) -> Any:
        return kind.read(reader) if kind.comes(reader) else default

    def write(value: Any, digits: int) -> str:
        return "" if value == default else kind.write(value, digits)

    return Kind(f"[{kind.usage}]", read, write, kind.fits)


def after(literal: str, kind: Kind[T]) -> Kind[T]:
    """A value with a word or two before it: ``fits 25``, ``in round 4``."""

    def read(reader: Reader) -> T:
        if reader.take_phrase([literal]) is None:
            raise Unreadable(f"{reader.take(f'{literal} {kind.usage}')} stands where {literal!r} belongs")
        return kind.read(reader)

    def write(value: T, digits: int) -> str:
        return f"{literal} {kind.write(value, digits)}"

    return Kind(f"{literal} {kind.usage}", read, write, lambda word: word.key == literal, literal)


def name(usage: str, bare: re.Pattern[str] = NAME) -> Kind[str]:
    """Somebody or something that has a name; in quotation marks where that holds spaces, say."""
    return Kind(
        usage,
        lambda reader: reader.take(usage).text,
        lambda text, _: write_name(text, bare),
        lambda word: not word.colon and word.key not in RESERVED,
    )


def code(usage: str, bare: re.Pattern[str], spell: Callable[[str], str]) -> Kind[str]:
    """The code of something, in any case; one in quotation marks is taken as it stands."""

    def read(reader: Reader) -> str:
        word = reader.take(usage)
        return word.text if word.quoted else spell(word.text)

    return Kind(usage, read, lambda text, _: write_name(text, bare), name(usage).fits)


def _spell_account(text: str) -> str:
    """Its kind in small letters; whose it is stands as written."""
    kind, colon, person = text.partition(":")
    return f"{kind.lower()}{colon}{person}"


BET = code("BET", re.compile(r"[a-z][a-z0-9_]*"), lambda text: text.lower().replace("-", "_"))
FLAG = code("FLAG", re.compile(r"[a-z][a-z0-9_]*"), lambda text: text.lower().replace("-", "_"))
GAME = code("GAME", re.compile(r"[a-z][a-z0-9-]*"), lambda text: text.lower().replace("_", "-"))
LAYOUT = code("CODE", re.compile(r"[A-Z][A-Z0-9]*"), str.upper)
CURRENCY = code("CODE", currencies.CODE, str.upper)
ACCOUNT = code("ACCOUNT", re.compile(r"[a-z_]+(?::@?[\w.'-]+)?"), _spell_account)
PARAGRAPH = name("PARAGRAPH", re.compile(r"[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*"))
HASH = name("HASH", re.compile(r"\w+"))


def _read_text(reader: Reader) -> str:
    word = reader.take("a text in quotation marks")
    if not word.quoted:
        raise Unreadable(f'{word} stands where a text in quotation marks belongs, as in "lid was open"')
    return word.text


TEXT: Kind[str] = Kind('"TEXT"', _read_text, lambda text, _: quote(text), lambda word: word.quoted)

_NUMBER = re.compile(r"-?[0-9]{1,9}")


def number(usage: str) -> Kind[int]:
    """The notation of a whole number."""

    def read(reader: Reader) -> int:
        word = reader.take(usage)
        if not _is_number(word):
            raise Unreadable(f"{word} stands where {usage} belongs, a whole number")
        return int(word.text)

    return Kind(usage, read, lambda value, _: str(value), _is_number)


def _is_number(word: Word) -> bool:
    return not word.quoted and not word.colon and _NUMBER.fullmatch(word.text) is not None


def _read_box(reader: Reader) -> int:
    box = number("BOX").read(reader)
    if box == 0:
        raise Unreadable("boxes are counted from 1; leave the box out for the person's own")
    return box


OWN_BOX: Kind[int] = optional(Kind("BOX", _read_box, lambda box, _: str(box), _is_number), 0)
"""A box; left out (0) it is the person's own."""


def parse_money(text: str, digits: int) -> int:
    """An amount in minor units. Zero and less can be written, too: what comes of it the table says."""
    negative = text.startswith("-")
    plain = text.removeprefix("-")
    if re.fullmatch(r"0{1,15}(\.0{1,15})?", plain):
        return 0
    amount = parse_amount(plain, digits)
    return -amount if negative else amount


def format_money(amount: int, digits: int) -> str:
    """As short as it gets: ``25``, ``0.50``."""
    text = format_amount(amount, digits)
    whole, point, part = text.partition(".")
    return whole if point and not part.strip("0") else text


_AMOUNT = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")


def _is_amount(word: Word) -> bool:
    return not word.quoted and not word.colon and _AMOUNT.fullmatch(word.text) is not None


def amount(usage: str) -> Kind[int]:
    """The notation of an amount of money."""

    def read(reader: Reader) -> int:
        word = reader.take(usage)
        if not _is_amount(word):
            raise Unreadable(f"{word} stands where {usage} belongs: write a decimal number, as in 100 or 250.50")
        try:
            return parse_money(word.text, reader.digits)
        except MoneyError as error:
            raise Unreadable(str(error)) from error

    return Kind(usage, read, format_money, _is_amount)


def choice(values: Mapping[str, T], usage: str = "") -> Kind[T]:
    """One of a few values, each with its word or words."""
    texts = list(values)
    phrases = {value: text for text, value in values.items()}
    keys = {text.replace("_", " "): value for text, value in values.items()}
    first = {key.split()[0] for key in keys}
    usage = usage or "|".join(texts)

    def read(reader: Reader) -> T:
        phrase = reader.take_phrase(keys)
        if phrase is None:
            word = reader.take(usage)
            listed = f"write {', '.join(texts[:-1])} or {texts[-1]}" if len(texts) > 1 else f"write {texts[0]}"
            raise Unreadable(f"{word} stands where {usage} belongs{nearest(word.text, texts) or f': {listed}'}")
        return keys[phrase]

    return Kind(usage, read, lambda value, _: phrases[value], lambda word: word.key.split(" ")[0] in first)


_OF_RANK = re.compile(r"[a-z]+(?:[_ ][a-z]+)*")


def _of_rank(word: Word) -> bool:
    return not word.quoted and not word.colon and bool(_OF_RANK.fullmatch(word.key)) and word.key not in RESERVED


def _read_rank(reader: Reader) -> str:
    """A rank of the table's book: the words up to the end, or to what cannot be one."""
    first = reader.take("RANK")
    if not _of_rank(first):
        raise Unreadable(f"{first} stands where RANK belongs, as in dealer or pit manager")
    words = [first.key]
    while reader.next is not None and _of_rank(reader.next):
        words.append(reader.take("RANK").key)
    return " ".join(words).replace(" ", "_")


RANK: Kind[str] = Kind("RANK", _read_rank, lambda rank, _: rank.replace("_", " "), _of_rank)


def flag(phrase: str) -> Kind[bool]:
    """Words that say yes where they stand."""
    return optional(choice({phrase: True}), False)


HAND: Kind[Side] = choice({"player": Side.PLAYER, "banker": Side.BANKER}, "HAND")


def _read_card(reader: Reader) -> Card:
    word = reader.take("CARD")
    try:
        return Card(word.text)
    except CardError as error:
        raise Unreadable(str(error)) from error


def _like_card(word: Word) -> bool:
    """Whether it is meant as a card: what begins like one is, even where it turns out to be none."""
    return not word.quoted and not word.colon and len(word.text) in (2, 3) and word.text[0] in "A23456789TJQKtjqka1"


CARD: Kind[Card] = Kind("CARD", _read_card, lambda card, _: str(card), _like_card)


def _read_cards(reader: Reader) -> tuple[Card, ...]:
    try:
        return parse_cards(" ".join(word.text for word in reader.take_all("CARD")))
    except CardError as error:
        raise Unreadable(str(error)) from error


CARDS: Kind[tuple[Card, ...]] = Kind(
    "CARD …", _read_cards, lambda cards, _: " ".join(map(str, cards)) or "nothing", _like_card
)


def _read_cards_before_text(reader: Reader) -> tuple[Card, ...]:
    start = reader.at
    while reader.next is not None and not reader.next.quoted:
        reader.take("CARD")
    return _read_cards(Reader(reader.words[start : reader.at], reader.digits))


CARDS_BEFORE_TEXT: Kind[tuple[Card, ...]] = Kind(CARDS.usage, _read_cards_before_text, CARDS.write, _like_card)
"""Cards, up to a text in quotation marks."""


def _read_maybe_card(reader: Reader) -> Card | None:
    if reader.next is not None and reader.next.text == "?":
        reader.take("CARD")
        return None
    return _read_card(reader)


MAYBE_CARD: Kind[Card | None] = Kind(
    "CARD|?",
    _read_maybe_card,
    lambda card, _: str(card) if card else "?",
    lambda word: word.text == "?" or _like_card(word),
)


DRAWN: Kind[Card | None] = Kind(
    "[CARD|?]",
    lambda reader: _read_maybe_card(reader) if MAYBE_CARD.comes(reader) else None,
    MAYBE_CARD.write,
    MAYBE_CARD.fits,
)
"""A card that left the shoe; ``?`` or nothing where nobody saw it."""


def _read_maybe_cards(reader: Reader) -> tuple[Card | None, ...]:
    each = Reader(reader.take_all("CARD|?"), reader.digits)
    cards: list[Card | None] = []
    while each.next is not None:
        cards.append(_read_maybe_card(each))
    return tuple(cards)


MAYBE_CARDS: Kind[tuple[Card | None, ...]] = Kind(
    "CARD|? …",
    _read_maybe_cards,
    lambda cards, digits: " ".join(MAYBE_CARD.write(card, digits) for card in cards) or "nothing",
    MAYBE_CARD.fits,
)


def _read_wagers(reader: Reader) -> dict[str, int]:
    pairs = Reader(reader.take_all("BET AMOUNT"), reader.digits)
    wagers: dict[str, int] = {}
    while pairs.next is not None:
        bet = BET.read(pairs)
        if bet in wagers:
            raise Unreadable(f"{bet} stands twice in the line")
        wagers[bet] = amount(f"the AMOUNT on {bet}").read(pairs)
    return wagers


def _write_wagers(wagers: dict[str, int], digits: int) -> str:
    pairs = (f"{BET.write(bet, digits)} {format_money(stake, digits)}" for bet, stake in wagers.items())
    return " ".join(pairs) or "nothing"


WAGERS: Kind[dict[str, int]] = Kind("BET AMOUNT …", _read_wagers, _write_wagers, lambda word: not word.colon)

_CHIPS = re.compile(r"(?P<value>[0-9]{1,15}(?:\.[0-9]{1,15})?)[x×*](?P<count>-?[0-9]{1,9})")


def _read_chips(reader: Reader) -> dict[int, int]:
    chips: dict[int, int] = {}
    for word in reader.take_all("CHIPxCOUNT"):
        match = None if word.quoted else _CHIPS.fullmatch(word.text)
        if match is None:
            raise Unreadable(f"{word} is not a number of chips: write value x count without spaces, as in 100x20")
        try:
            value = parse_money(match["value"], reader.digits)
        except MoneyError as error:
            raise Unreadable(str(error)) from error
        if value in chips:
            raise Unreadable(f"chips of {match['value']} are counted twice")
        chips[value] = int(match["count"])
    return chips


def write_chips(chips: Mapping[int, int], digits: int) -> str:
    """Chips as a history writes them: ``100x20 25x8``."""
    return " ".join(f"{format_money(value, digits)}x{count}" for value, count in chips.items()) or "nothing"


CHIPS: Kind[dict[int, int]] = Kind("CHIPxCOUNT …", _read_chips, write_chips, lambda word: not word.colon)


def _read_odds(reader: Reader) -> Odds:
    words = [reader.take("ODDS")]
    while reader.next is not None and len(words) < 3:
        words.append(reader.take("ODDS"))
    text = " ".join(word.text for word in words)
    try:
        return Odds.parse(text)
    except MoneyError as error:
        raise Unreadable(str(error)) from error


ODDS: Kind[Odds] = Kind("ODDS", _read_odds, lambda odds, _: str(odds), _is_amount)


# --- kinds of settings

_MINIMUM, _MAXIMUM, _STEP = amount("MINIMUM"), optional(after("to", amount("MAXIMUM"))), after("step", amount("STEP"))


def _read_limits(reader: Reader) -> BetLimits:
    return BetLimits(_MINIMUM.read(reader), _MAXIMUM.read(reader), optional(_STEP, 1).read(reader))


def _write_limits(limits: BetLimits, digits: int) -> str:
    parts = (
        _MINIMUM.write(limits.minimum, digits),
        _MAXIMUM.write(limits.maximum, digits),
        optional(_STEP, 1).write(limits.step, digits),
    )
    return " ".join(filter(None, parts))


LIMITS: Kind[BetLimits] = Kind("MINIMUM [to MAXIMUM] [step STEP]", _read_limits, _write_limits, _is_amount)


def _write_bet_limits(limits: dict[str, BetLimits], digits: int) -> str:
    ((bet, found),) = limits.items()
    return f"{BET.write(bet, digits)} {_write_limits(found, digits)}"


BET_LIMITS: Kind[dict[str, BetLimits]] = Kind(
    f"BET {LIMITS.usage}",
    lambda reader: {BET.read(reader): _read_limits(reader)},
    _write_bet_limits,
    lambda word: not word.colon,
)

_SCOPE = optional(choice({"table": "table", "box": "box"}), "table")
DIFFERENTIAL: Kind[Differential] = Kind(
    "AMOUNT [table|box]",
    lambda reader: Differential(amount("AMOUNT").read(reader), _SCOPE.read(reader)),
    lambda limit, digits: f"{format_money(limit.limit, digits)} {_SCOPE.write(limit.scope, digits)}".rstrip(),
    _is_amount,
)


def several(
    kind: Kind[T], collect: Callable[[Iterable[T]], Any], order: Callable[[Any], Any] | None = None
) -> Kind[Any]:
    """Values of one kind to the end of the line."""

    def read(reader: Reader) -> Any:
        rest = Reader(reader.take_all(kind.usage), reader.digits)
        values = []
        while rest.next is not None:
            values.append(kind.read(rest))
        return collect(values)

    def write(values: Any, digits: int) -> str:
        ordered = sorted(values, key=order) if order else values
        return " ".join(kind.write(value, digits) for value in ordered) or "nothing"

    return Kind(f"{kind.usage} …", read, write, kind.fits)


def some(kind: Kind[T]) -> Kind[tuple[T, ...]]:
    """Values of one kind as long as they come; none is left out."""

    def read(reader: Reader) -> tuple[T, ...]:
        values = []
        while kind.comes(reader):
            values.append(kind.read(reader))
        return tuple(values)

    def write(values: tuple[T, ...], digits: int) -> str:
        return " ".join(kind.write(value, digits) for value in values)

    return Kind(f"[{kind.usage} …]", read, write, kind.fits)


_MODE = choice({mode.value: mode for mode in RoundingMode})
_UNIT = after("to", amount("UNIT"))


def _read_rounding(reader: Reader) -> Rounding:
    mode, unit = _MODE.read(reader), optional(_UNIT, 1).read(reader)
    try:
        return Rounding(mode, unit)
    except MoneyError as error:
        raise Unreadable(str(error)) from error


ROUNDING: Kind[Rounding] = Kind(
    f"{_MODE.usage} [{_UNIT.usage}]",
    _read_rounding,
    lambda rounding, digits: " ".join(
        filter(None, (rounding.mode.value, optional(_UNIT, 1).write(rounding.unit, digits)))
    ),
    _MODE.fits,
)

_BURN_WORDS = choice({"none": "none", "first card": "first_card"})


def _read_burn(reader: Reader) -> str | int:
    word = reader.next
    return number("COUNT").read(reader) if word is not None and _is_number(word) else _BURN_WORDS.read(reader)


BURN: Kind[Any] = Kind(
    "none|first card|COUNT",
    _read_burn,
    lambda rule, digits: str(rule) if isinstance(rule, int) else _BURN_WORDS.write(rule, digits),
    lambda word: _is_number(word) or _BURN_WORDS.fits(word),
)


def _read_digits(reader: Reader) -> int:
    word = reader.next
    digits = number("DIGITS").read(reader)
    if not 0 <= digits <= 4:
        raise Unreadable(f"{word} digits after the point: a currency has 0 to 4")
    return digits


DIGITS: Kind[int] = Kind("DIGITS", _read_digits, lambda digits, _: str(digits), _is_number)


def _read_shifts(reader: Reader) -> Shifts:
    word = reader.take("HH:MM")
    match = re.fullmatch(r"([0-9]{1,2}):([0-5][0-9])", word.text)
    if match is None or int(match[1]) > 23:
        raise Unreadable(f"{word} is not a time of day: write hours and minutes, as in 06:00")
    names = tuple(name.text for name in reader.take_all("SHIFT"))
    return Shifts(int(match[1]) * 60 + int(match[2]), names)


def _write_shifts(shifts: Shifts, digits: int) -> str:
    hours, minutes = divmod(shifts.day_begins, 60)
    names = " ".join(map(write_name, shifts.names)) or "nothing"
    return f"{hours:02}:{minutes:02} {names}"


SHIFTS: Kind[Shifts] = Kind("HH:MM SHIFT …", _read_shifts, _write_shifts, lambda word: not word.colon)


# --- times

_UNITS = {"h": 60 * 60 * 1000, "m": 60 * 1000, "s": 1000, "ms": 1}
_AFTER = re.compile(r"\+([0-9]{1,9})(ms|s|m|h)")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,3}))?)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def read_time(reader: Reader) -> Time | None:
    """The time at the beginning of a line, if there is one; ``at`` may stand before it."""
    start = reader.at
    if reader.next is not None and reader.next.key == "at":
        reader.at += 1
    word = reader.next
    if word is None or word.quoted or word.colon:
        reader.at = start
        return None
    if match := _AFTER.fullmatch(word.text):
        reader.at += 1
        return After(int(match[1]) * _UNITS[match[2]])
    if _DATE.match(word.text):
        date, _, time = word.text.partition("T")
        reader.at += 1
        if not time:
            if reader.next is None:
                raise Unreadable(f"{date} needs a time of day, as in {date} 12:00:05")
            time = reader.take("HH:MM:SS").text
        return Moment(_days_of(date) * DAY + _milliseconds_of(time))
    if word.text[0].isdigit() and ":" in word.text:
        reader.at += 1
        return Clock(_milliseconds_of(word.text))
    if reader.at > start:
        raise Unreadable(f"{word} is not a time: write at 12:00:05, at 2026-03-01 12:00:05 or +5s")
    return None


def _days_of(date: str) -> int:
    try:
        return (datetime.strptime(date, "%Y-%m-%d") - EPOCH).days
    except ValueError:
        raise Unreadable(f"{date} is not a date: write year-month-day, as in 2026-03-01") from None


def _milliseconds_of(time: str) -> int:
    match = _CLOCK.fullmatch(time)
    hours, minutes, seconds = (int(match[part] or 0) for part in (1, 2, 3)) if match else (99, 0, 0)
    if match is None or hours > 23 or minutes > 59 or seconds > 59:
        raise Unreadable(f"{time} is not a time of day: write hours:minutes:seconds, as in 12:00:05 or 12:00:05.250")
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int((match[4] or "").ljust(3, "0"))


def write_time(time: Time) -> str:
    """A time as a history writes it."""
    if time == After(0):
        return "+0s"
    if isinstance(time, After):
        unit = next(unit for unit, size in _UNITS.items() if time.milliseconds % size == 0)
        return f"+{time.milliseconds // _UNITS[unit]}{unit}"
    if isinstance(time, Clock):
        return _write_clock(time.milliseconds)
    days, milliseconds = divmod(time.milliseconds, DAY)
    return f"{(EPOCH + timedelta(days=days)).date().isoformat()} {_write_clock(milliseconds)}"


def _write_clock(milliseconds: int) -> str:
    seconds, part = divmod(milliseconds, 1000)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{clock}.{part:03}" if part else clock
