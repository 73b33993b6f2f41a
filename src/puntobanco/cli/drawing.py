"""A layout drawn in a terminal: one position as its player sees it, the dealer's side on top."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from puntobanco.lab.words import ranges
from puntobanco.rules.geometry import geometry_of
from puntobanco.rules.model import Box, CardPlaces, Geometry, Layout, Row, RuleBook, Shape

_SHAPES = {Shape.ARC: "round a half-moon", Shape.BEAN: "round a bean", Shape.ROW: "in a row"}
_CARDS = {
    CardPlaces.BESIDE: "Player's cards lie to the left of Banker's",
    CardPlaces.STACKED: "Banker's cards lie above Player's",
}
_JOINTS = {(False, False): "─", (True, False): "┴", (False, True): "┬", (True, True): "┼"}
"""Of a line between two rows, by whether boxes end there above and below it."""


def drawn(book: RuleBook, layout: Layout, width: int) -> Iterator[str]:
    """The layout line by line."""
    geometry = geometry_of(book, layout)
    numbers = " ".join(map(str, geometry.numbers))
    yield f"layout {layout.code}: {layout.name}"
    yield f"{ranges(layout.positions)} positions {_SHAPES[geometry.shape]}, from the dealer's left: {numbers}"
    yield f"{_CARDS[geometry.cards]}; each position, with the dealer's side on top:"
    yield from _position(book, geometry, width - 2)
    if geometry.printed:
        names = (book.bets[code].name if code in book.bets else code for code in geometry.printed)
        yield f"pay tables in the middle of the cloth: {', '.join(names)}"


def _position(book: RuleBook, geometry: Geometry, width: int) -> Iterator[str]:
    above: frozenset[int] = frozenset()
    for number, row in enumerate(geometry.rows):
        ends = _ends(row, width)
        yield _line(above, frozenset(ends[:-1]), width, "├┤" if number else "┌┐")
        if row.title:
            yield f"│{_centred(row.title, width)}│"
        texts = [_texts(book, box) for box in row.boxes]
        for at in range(max(row.height, *map(len, texts))):
            cells = (text[at] if at < len(text) else "" for text in texts)
            starts = [0, *(end + 1 for end in ends)]
            yield (
                "│"
                + "│".join(_centred(cell, end - start) for cell, start, end in zip(cells, starts, ends, strict=False))
                + "│"
            )
        above = frozenset(ends[:-1])
    yield _line(above, frozenset(), width, "└┘")


def _ends(row: Row, width: int) -> list[int]:
    """Where each box of a row ends, in cells from the left."""
    shares, so_far, ends = sum(box.width for box in row.boxes), 0, []
    for box in row.boxes:
        so_far += box.width
        ends.append(so_far * width // shares)
    return ends


def _line(above: frozenset[int], below: frozenset[int], width: int, corners: str) -> str:
    return corners[0] + "".join(_JOINTS[at in above, at in below] for at in range(width)) + corners[1]


def _texts(book: RuleBook, box: Box) -> Sequence[str]:
    """What stands in a box: its name, and what it pays."""
    bet = book.bets.get(box.bet)
    name = box.label or (bet.name if bet else box.bet)
    odds = sorted({line.odds for line in bet.pays}, key=lambda each: each.fraction) if bet else []
    if not odds:
        pays: tuple[str, ...] = ()
    elif len(odds) == 1:
        pays = (str(odds[0]),)
    else:
        pays = (f"{odds[0]} … {odds[-1]}",)
    return (f"{name} {box.chinese}".strip(), *pays)


def _centred(text: str, width: int) -> str:
    """Cut where there is no room: Chinese characters take two cells."""
    if cell_len(text) > width:
        return set_cell_size(text, max(0, width - 1)) + "…" * (width > 0)
    left = (width - cell_len(text)) // 2
    return set_cell_size(" " * left + text, width)
