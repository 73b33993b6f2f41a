"""What a page shows, read from the browser, and the same taken from a view of the log.

Money, cards and roads are read as they are drawn: texts, colours and places. How they must look is said here once more,
apart from the page's own code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page

from puntobanco.views.scoreboard import RoadCell
from puntobanco.views.view import View

WINNERS = {"#1f5fae": "P", "#c0262f": "B", "#1f7a4d": "T"}
"""The colours of Player, Banker and Tie on paper."""
ROADS = ("bead_plate", "big_road", "big_eye_boy", "small_road", "cockroach_pig")

SHOWN = """root => {
  const one = (selector) => root.querySelector(selector);
  const hand = (name) => {
    const found = one(`[data-hand=${name}]`);
    return found && {
      cards: [...found.querySelectorAll("[data-card]")].map((card) => card.dataset.card),
      total: found.querySelector(".total").textContent.trim(),
    };
  };
  const shape = (each) => ({
    kind: each.tagName,
    fill: each.getAttribute("fill"),
    stroke: each.getAttribute("stroke"),
    x: each.getAttribute("cx"),
    opacity: each.getAttribute("opacity"),
    dashes: each.getAttribute("stroke-dasharray"),
    text: each.textContent.trim(),
  });
  const road = (drawn) => [...drawn.children]
    .filter((each) => each.tagName === "g")
    .map((cell) => ({ at: cell.getAttribute("transform"), shapes: [...cell.children].map(shape) }));
  const roads = [...root.querySelectorAll("svg[data-road]")];
  return {
    player: hand("player"),
    banker: hand("banker"),
    result: one("[data-result]")?.dataset.result ?? null,
    roads: Object.fromEntries(roads.map((drawn) => [drawn.dataset.road, road(drawn)])),
  };
}"""


class HandShown(NamedTuple):
    cards: tuple[str, ...]
    total: str


class CellShown(NamedTuple):
    """A cell of a road: its place, and what is drawn there."""

    row: int
    column: int
    mark: str
    pairs: str = ""
    ties: int = 0
    natural: bool = False
    free: bool = False


class Shown(NamedTuple):
    """What every screen of a table shows."""

    player: HandShown
    banker: HandShown
    result: str
    roads: Mapping[str, tuple[CellShown, ...]]


def read(page: Page) -> Shown:
    """The hands, the result and all roads that are on the screen."""
    found = page.locator("main").evaluate(SHOWN)
    roads = {name: tuple(sorted(_cell(name, cell) for cell in cells)) for name, cells in found["roads"].items()}
    hands = {
        side: HandShown(tuple(found[side]["cards"]), found[side]["total"]) if found[side] else HandShown((), "–")
        for side in ("player", "banker")
    }
    return Shown(hands["player"], hands["banker"], found["result"] or "", roads)


def expected(view: View, roads: Iterable[str] = ROADS) -> Shown:
    """What a page must show of this view."""
    seen = view.public
    round_ = seen.round or seen.last
    totals = (None, None) if round_ is None else (round_.player_total, round_.banker_total)
    player, banker = (
        HandShown(
            tuple(str(card.card or "back") for card in (round_.cards if round_ else ()) if str(card.hand) == side),
            "–" if total is None else str(total),
        )
        for side, total in zip(("player", "banker"), totals, strict=True)
    )
    result = "" if round_ is None or round_.result is None else str(round_.result)
    cells = {name: tuple(sorted(_cells(name, getattr(seen.roads, name)))) for name in roads}
    return Shown(player, banker, result, cells)


def _cells(name: str, cells: Iterable[RoadCell]) -> Iterable[CellShown]:
    for cell in cells:
        if name in ("bead_plate", "big_road"):
            letter = re.sub("[^PBT]", "", cell.mark)
            pairs = "".join(sign for sign in "^_" if sign in cell.mark)
            natural = name == "big_road" and "*" in cell.mark
            yield CellShown(cell.row, cell.column, letter, pairs, cell.ties, natural, cell.mark.startswith("("))
        else:
            yield CellShown(cell.row, cell.column, cell.mark)


def _cell(name: str, cell: dict[str, Any]) -> CellShown:
    match = re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\)", cell["at"])
    assert match, cell
    column, row = (int(float(each) - 0.5) for each in match.groups())
    first, *rest = cell["shapes"]
    if name not in ("bead_plate", "big_road"):
        colour = first["fill"] if name == "small_road" else first["stroke"]
        return CellShown(row, column, "R" if WINNERS[colour] == "B" else "B")
    dots = [shape for shape in rest if shape["kind"] == "circle"]
    pairs = "".join("^" if WINNERS[dot["fill"]] == "B" else "_" for dot in dots)
    if name == "bead_plate":
        return CellShown(row, column, WINNERS[first["fill"]], pairs, 0, False, first["opacity"] == "0.55")
    slash = any(shape["kind"] == "path" for shape in rest)
    counted = [shape["text"] for shape in rest if shape["kind"] == "text"]
    ties = int(counted[0]) if counted else int(slash)
    return CellShown(row, column, WINNERS[first["stroke"]], pairs, ties, first["fill"] != "none", bool(first["dashes"]))


def same(shown: object, wanted: object, who: str) -> None:
    """Check that somebody is shown what he must be."""
    assert shown == wanted, f"{who} is shown\n{shown}\nand not\n{wanted}"


# --- money


def amount(minor: int, *, signed: bool = False) -> str:
    """Minor units as the page writes them, with two decimals."""
    whole, rest = divmod(abs(minor), 100)
    return ("−" if minor < 0 else "+" if signed and minor else "") + f"{whole:,}.{rest:02}"


class LineShown(NamedTuple):
    """A line of a receipt."""

    round: int
    stake: str
    result: str
    profit: str
    paragraph: str
    insurance: bool


def read_receipts(root: Locator) -> list[LineShown]:
    """Every line of the receipts that are shown."""
    found: list[LineShown] = []
    for receipt in root.locator(".receipt:not(.kept *)").all():
        number = re.search(r"\d+", receipt.locator("h3").inner_text())
        assert number
        for row in receipt.locator("tbody tr").all():
            stake, result, profit, paragraph = row.locator("td").all()
            found.append(
                LineShown(
                    int(number[0]),
                    stake.inner_text(),
                    str(result.get_attribute("class")).split()[0],
                    profit.inner_text().splitlines()[0],
                    paragraph.inner_text(),
                    row.locator("th small").count() > 0,
                )
            )
    return found


def expected_receipts(view: View) -> list[LineShown]:
    """The lines of rounds that were settled again, then those of the last round if it was not."""
    own = view.own
    assert own is not None
    again = {(payment.round, payment.box) for payment in own.again}
    latest = [payment for payment in own.payments if (payment.round, payment.box) not in again]
    return [
        LineShown(
            payment.round,
            amount(line.stake),
            line.result.value,
            amount(line.profit, signed=True),
            f"§ {line.paragraph}",
            line.insurance,
        )
        for payment in (*own.again, *latest)
        for line in payment.lines
    ]
