"""How a layout is drawn: as its book says, and sensibly where the book is silent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from puntobanco.cards import Side
from puntobanco.rules.model import (
    Arrangement,
    Bet,
    Box,
    CardPlaces,
    Geometry,
    Layout,
    PayLine,
    Row,
    RuleBook,
    Shape,
    insurance_box,
)

WIDEST = 6
"""Boxes in a row of a layout that nobody arranged."""
ROUND = 9
"""Positions that fit round a table; more stand in a row."""

_geometries: dict[tuple[str, Layout], Geometry] = {}


def geometry_of(book: RuleBook, layout: Layout) -> Geometry:
    """How the layout is drawn; every box of it once.

    >>> from puntobanco import find_book
    >>> book = find_book("super-six")
    >>> [[box.bet for box in row.boxes] for row in geometry_of(book, book.layouts["A"]).rows]
    [['player_pair', 'super_six', 'banker_pair'], ['tie'], ['banker'], ['player']]
    """
    key = book.hash, layout
    found = _geometries.get(key)
    if found is None:
        found = _geometries[key] = _geometry(book, layout)
    return found


def _geometry(book: RuleBook, layout: Layout) -> Geometry:
    most = max(layout.positions)
    arranged = book.arrangements.get(layout.arrangement) or Arrangement(_sensible(book.menu(layout), layout.insurance))
    return Geometry(
        shape=layout.shape or (Shape.ARC if most <= ROUND else Shape.ROW),
        numbers=layout.printed(most),
        rows=tuple(
            replace(row, boxes=tuple(_printed(book, layout, box) for box in row.boxes)) for row in arranged.rows
        ),
        cards=layout.cards or CardPlaces.BESIDE,
        printed=arranged.printed,
        language=layout.language,
    )


def _printed(book: RuleBook, layout: Layout, box: Box) -> Box:
    """A box with what this cloth prints in it."""
    in_chinese = layout.language == "zh" or box.bet in layout.characters
    label = box.label or _INSURANCE_LABELS.get(box.bet, "")
    return replace(box, label=label, chinese=book.chinese.get(box.bet, "") if in_chinese else "")


_INSURANCE_LABELS = {insurance_box(hand): f"{hand.name.title()} Insurance" for hand in Side}


def _sensible(bets: Iterable[Bet], insurance: bool) -> tuple[Row, ...]:
    """Side bets on the dealer's side, then Banker, and Player nearest the player."""
    main: dict[Side, str] = {}
    sides: dict[Side | None, list[str]] = {Side.PLAYER: [], Side.BANKER: [], None: []}
    for bet in bets:
        if bet.hand:
            main[bet.hand] = bet.code
        else:
            sides[_hand_of(bet)].append(bet.code)
    on_player, on_banker = sides[Side.PLAYER], sides[Side.BANKER]
    together = len(on_player) + len(on_banker) <= WIDEST
    bands = [
        [insurance_box(hand) for hand in Side] if insurance else [],
        sides[None],
        *([on_player + on_banker] if together else [on_banker, on_player]),
    ]
    rows = [Row(tuple(map(Box, codes))) for band in bands for codes in _evenly(band)]
    return *rows, *(Row((Box(main[hand]),), height=2) for hand in (Side.BANKER, Side.PLAYER) if hand in main)


def _evenly(codes: Sequence[str]) -> Iterator[Sequence[str]]:
    """In as few rows as do, the longest first."""
    rows = -(-len(codes) // WIDEST)
    for row in range(rows):
        size = -(-len(codes) // (rows - row))
        yield codes[:size]
        codes = codes[size:]


def _hand_of(bet: Bet) -> Side | None:
    """The hand that a side bet is about, if it is about one."""
    hands = {_hand_of_line(line) for line in bet.pays}
    return hands.pop() if len(hands) == 1 else None


def _hand_of_line(line: PayLine) -> Side | None:
    for hand in Side:
        if line.when.get("winner") == (hand.value,) or all(name.startswith(hand.value) for name in line.when):
            return hand
    return None
