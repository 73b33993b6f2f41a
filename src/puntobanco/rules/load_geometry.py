"""Reads what a book file says about the look of its layouts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from msgspec.structs import replace

from puntobanco.rules.model import Arrangement, Box, CardPlaces, Layout, Row, Shape
from puntobanco.rules.read import Section, shown, suggestion

Arrangements = Mapping[str, Arrangement | None]
"""By name; None for one that holds a mistake, which is told already."""

LARGEST_SHARE = 12
_BOXES = "a list of bet codes"
_POSITIONS = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?")
_SHAPES = tuple(shape.value for shape in Shape)
_CARD_PLACES = tuple(places.value for places in CardPlaces)


def read_arrangements(top: Section, known: Collection[str]) -> dict[str, Arrangement | None]:
    """The arrangements of a book that has these boxes, no box twice in one of them."""
    if not top.has("arrangements"):
        return {}
    table = top.section("arrangements")
    found: dict[str, Arrangement | None] = {}
    for name in table.names:
        at = table.section(name)
        before = at.mistakes
        placed: set[str] = set()
        rows = tuple(_row(section, known, placed) for section in at.sections("rows", label="title"))
        printed = _boxes(at, "printed", known) if at.has("printed") else ()
        at.finish()
        found[name] = Arrangement(rows, printed) if rows and at.mistakes == before else None
    return found


def _row(at: Section, known: Collection[str], placed: set[str]) -> Row:
    boxes = _boxes(at, "boxes", known)
    again = [code for code in boxes if code in placed]
    if again:
        at.problem("boxes", f"{', '.join(again)} lies in an earlier row already")
    placed.update(boxes)
    widths = at.integers("widths", "a list of whole numbers", once=False) if at.has("widths") else ()
    labels = at.texts("labels", "a list of texts") if at.has("labels") else ()
    for key, values in (("widths", widths), ("labels", labels)):
        if boxes and values and len(values) != len(boxes):
            at.problem(key, f"expected one for each of the {len(boxes)} boxes, found {len(values)}")
    if any(not 1 <= width <= LARGEST_SHARE for width in widths):
        at.problem("widths", f"expected whole numbers from 1 to {LARGEST_SHARE}, found {shown(list(widths))}")
    height = at.integer("height", 1, LARGEST_SHARE, 1)
    title = at.text("title", "what is printed over the row", "")
    at.finish()
    each = zip(boxes, widths or [1] * len(boxes), labels or [""] * len(boxes), strict=False)
    return Row(tuple(Box(*parts) for parts in each), height, title)


def _boxes(at: Section, name: str, known: Collection[str]) -> tuple[str, ...]:
    boxes = at.texts(name, _BOXES)
    _refuse_unknown(at, name, boxes, known)
    return boxes


def _refuse_unknown(at: Section, name: str, boxes: Collection[str], known: Collection[str]) -> None:
    unknown = [code for code in boxes if known and code not in known]
    if unknown:
        at.problem(name, "; ".join(f"unknown box {shown(code)}, {suggestion(code, known)}" for code in unknown))


def read_chinese(top: Section, known: Collection[str]) -> dict[str, str]:
    """The Chinese names of boxes."""
    if not top.has("chinese"):
        return {}
    at = top.section("chinese")
    _refuse_unknown(at, "", at.names, known)
    return {code: at.text(code, "the Chinese name") for code in at.names}


def read_look(
    at: Section, layout: Layout, sound: bool, arrangements: Arrangements, chinese: Mapping[str, str]
) -> Layout:
    """The layout with what the file says of how it looks; held to what it carries if that is sound."""
    shape = at.option("shape", _SHAPES) if at.has("shape") else None
    cards = at.option("cards", _CARD_PLACES) if at.has("cards") else None
    return replace(
        layout,
        arrangement=_arrangement(at, layout.boxes if sound else None, arrangements),
        shape=Shape(shape) if shape else None,
        cards=CardPlaces(cards) if cards else None,
        numbers=_numbers(at, layout.positions),
        characters=_characters(at, layout.boxes, chinese),
    )


def _arrangement(at: Section, carried: Collection[str] | None, arrangements: Arrangements) -> str:
    """The name of an arrangement in which every box of the layout lies, and no other."""
    name = at.text("arrangement", "the name of an arrangement") if at.has("arrangement") else ""
    if name and name not in arrangements:
        known = suggestion(name, arrangements) if arrangements else "the book has no [arrangements]"
        at.problem("arrangement", f"unknown arrangement {shown(name)}; {known}")
    arrangement = arrangements.get(name)
    if arrangement is None or carried is None:
        return name
    placed = [box.bet for row in arrangement.rows for box in row.boxes]
    lacking = [code for code in carried if code not in placed]
    foreign = [code for code in dict.fromkeys((*placed, *arrangement.printed)) if code not in carried]
    faults = [f"{name} lacks {', '.join(lacking)}"] * bool(lacking)
    faults += [f"{name} has {', '.join(foreign)}, which the layout does not carry"] * bool(foreign)
    if faults:
        at.problem("arrangement", "; ".join(faults))
    return name


def refuse_idle(top: Section, arrangements: Arrangements, used: Collection[str]) -> None:
    """An arrangement that no layout names is a slip, unless another mistake of the file is behind it."""
    if top.mistakes == 0:
        for name in arrangements:
            if name not in used:
                top.problem(f"arrangements.{name}", f'no layout uses it: write arrangement = "{name}" in one')


def _numbers(at: Section, positions: Collection[int]) -> tuple[int, ...]:
    if not at.has("numbers"):
        return ()
    numbers = at.parsed("numbers", parse_positions, "the numbers printed at the positions, as in 1-3 5-7") or ()
    if numbers and positions and len(numbers) != max(positions):
        at.problem("numbers", f"expected a number for each of {max(positions)} positions, found {len(numbers)}")
    return numbers


def _characters(at: Section, carried: Collection[str], chinese: Mapping[str, str]) -> tuple[str, ...]:
    boxes = _boxes(at, "characters", carried) if at.has("characters") else ()
    nameless = [code for code in boxes if code in carried and code not in chinese]
    if nameless:
        at.problem("characters", f"no name in [chinese] for {', '.join(nameless)}")
    return boxes


def parse_positions(text: str) -> tuple[int, ...]:
    """``1-6`` or ``1-6 10-16``: numbers of positions, in ascending order."""
    positions: set[int] = set()
    for part in text.split():
        match = _POSITIONS.fullmatch(part)
        span = range(int(match[1]), int(match[2] or match[1]) + 1) if match else range(0)
        if not span or span[0] == 0:
            positions.clear()
            break
        positions.update(span)
    if not positions:
        raise ValueError(f"expected numbers of positions, as in 1-6 or 1-6 10-16, found {shown(text)}")
    return tuple(sorted(positions))
