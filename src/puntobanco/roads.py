"""Baccarat scoreboards: bead plate, Big Road, Big Eye Boy, Small Road and Cockroach Pig.

Everything starts from the *runs* of the shoe: how many times in a row the same side won, ties ignored.
The derived roads are read off the run lengths alone. The drawn grid, in which long runs bend into dragon
tails, is only ever an output: a height measured there would be wrong as soon as one run has bent.

    >>> roads = Roads(parse_results("BBPPPBPTP"))
    >>> roads.big_eye_boy.colours
    'RBBBB'
    >>> roads.if_next("player").big_eye_boy
    'R'

``docs/roads.md`` explains the roads, the notation and the layouts with a worked example.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, groupby
from typing import Final, Literal, NamedTuple, NoReturn, TypedDict, get_args

Winner = Literal["player", "banker", "tie"]

Tail = Literal["right", "step"]
"""How a bent run goes on: ``right`` keeps to its row, ``step`` falls again where the cell below is free."""

ROWS: Final = 6
"""Rows of a customary display."""


class RoadError(ValueError):
    """A result, a text of results or a layout that makes no sense; the message says what is expected."""


# --- Results and their notation -----------------------------------------------------------------------

_LETTERS: Final[dict[Winner | None, str]] = {"player": "P", "banker": "B", "tie": "T", None: "V"}
_WINNERS: Final = {letter: winner for winner, letter in _LETTERS.items()}
_MARKS: Final = "^_*"  # the pair marks sit where displays put the dots: Banker's high, Player's low


@dataclass(frozen=True, slots=True)
class Result:
    """One round as the scoreboards see it; ``winner`` is None for a void round.

    One flag is enough for naturals: a natural ends the round and loses only to a higher natural, so a round
    with a natural is always won (or tied) by one.
    """

    winner: Winner | None
    player_pair: bool = False
    banker_pair: bool = False
    natural: bool = False
    free_hand: bool = False

    def __post_init__(self) -> None:
        if self.winner not in _LETTERS:
            raise RoadError(f"winner is {self.winner!r}: expected 'player', 'banker', 'tie' or None (void)")
        if self.winner is None and (self.marks or self.free_hand):
            raise RoadError("a void round has no pairs, no natural and is not a free hand")

    @property
    def letter(self) -> str:
        """``P``, ``B``, ``T``, or ``V`` for a void round."""
        return _LETTERS[self.winner]

    @property
    def marks(self) -> str:
        """``^`` banker pair, ``_`` player pair, ``*`` natural, in this order."""
        flags = (self.banker_pair, self.player_pair, self.natural)
        return "".join(mark for mark, flag in zip(_MARKS, flags, strict=True) if flag)

    def __str__(self) -> str:
        text = self.letter + self.marks
        return f"({text})" if self.free_hand else text


VOID: Final = Result(None)
"""A round that was called off."""


def parse_results(text: str) -> tuple[Result, ...]:
    """Read results such as ``BBPTP``, ``b b p`` or ``B^ (P*) V``; the inverse of :func:`format_results`.

    Spaces and commas may stand between rounds. Raises :class:`RoadError` naming the position, counted from 1.
    """
    results: list[Result] = []
    at = 0
    while at < len(text):
        if text[at].isspace() or text[at] == ",":
            at += 1
            continue
        free_hand = text[at] == "("
        at += free_hand
        letter = text[at : at + 1].upper()
        if free_hand and letter not in ("B", "P", "T"):
            _fail(text, at, "B, P or T")
        if letter not in _WINNERS:
            _fail(text, at, "B, P, T, V or a free hand such as (B)")
        at += 1
        marks = ""
        while letter != "V" and at < len(text) and text[at] in _MARKS:
            if text[at] in marks:
                _fail(text, at, "each mark once")
            marks += text[at]
            at += 1
        if free_hand:
            if text[at : at + 1] != ")":
                _fail(text, at, "a mark (^ _ *) or the ')' of the free hand")
            at += 1
        results.append(Result(_WINNERS[letter], "_" in marks, "^" in marks, "*" in marks, free_hand))
    return tuple(results)


def _fail(text: str, at: int, expected: str) -> NoReturn:
    """Raise the error for the character at this index, or for the end of the text."""
    found = repr(text[at]) if at < len(text) else "the end"
    raise RoadError(f"position {at + 1}: found {found}, expected {expected}")


def format_results(results: Iterable[Result]) -> str:
    """Write results in the notation that :func:`parse_results` reads."""
    return "".join(map(str, results))


# --- Runs, colours and cells ---------------------------------------------------------------------------


class Cell(NamedTuple):
    """A place on a drawn road, counted from 0."""

    row: int
    column: int


def run_lengths(symbols: Iterable[object]) -> tuple[int, ...]:
    """The lengths of the runs of equal symbols: the logical columns of a road."""
    return tuple(sum(1 for _ in run) for _, run in groupby(symbols))


def derive(lengths: Sequence[int], offset: int) -> str:
    """The derived road of runs of these lengths, ``R`` or ``B`` for each entry.

    The offset is 1 for Big Eye Boy, 2 for Small Road and 3 for Cockroach Pig.

    While a run grows it is compared with the run ``offset`` before it, its model. Growing from exactly the
    model's length to one more breaks the likeness: blue. Any other growth is red, also far below the model's
    end ("straight down is red"). The next run's first entry says how this run ended: red if it stopped at
    its model's length, else blue.
    """
    colours: list[str] = []
    for number, length in enumerate(lengths[offset:]):
        model = lengths[number]
        colours += ("B" if depth == model + 1 else "R" for depth in range(2, length + 1))
        if offset + number + 1 < len(lengths):
            colours.append("R" if length == model else "B")
    return "".join(colours)


def place(lengths: Iterable[int], rows: int = ROWS, tail: Tail = "right") -> tuple[Cell, ...]:
    """The cells in which to draw runs of these lengths, one cell for each entry in order.

    A run starts in the top row, in the first free column right of the previous run's start, and goes down;
    at the bottom or above a taken cell it turns right. No tail ever meets a taken cell on its way right:
    whatever lies there would have had to cross this run first.
    """
    _check_layout(rows, tail)
    cells: list[Cell] = []
    taken: set[Cell] = set()
    start = -1
    for length in lengths:
        start = next(column for column in count(start + 1) if Cell(0, column) not in taken)
        cell, turned = Cell(0, start), False
        for _ in range(length):
            cells.append(cell)
            taken.add(cell)
            below = Cell(cell.row + 1, cell.column)
            blocked = below.row == rows or below in taken
            if blocked or (turned and tail == "right"):
                cell, turned = Cell(cell.row, cell.column + 1), True
            else:
                cell = below
    return tuple(cells)


def _check_layout(rows: int, tail: str) -> None:
    if rows < 1:
        raise RoadError(f"rows is {rows}: expected at least 1")
    if tail not in get_args(Tail):
        raise RoadError(f"tail is {tail!r}: expected 'right' or 'step'")


# --- The scoreboards ------------------------------------------------------------------------------------


class Entry(NamedTuple):
    """A round on the bead plate or the Big Road; on the latter ``ties`` counts the ties that followed it."""

    cell: Cell
    result: Result
    ties: int = 0


class DerivedRoad(NamedTuple):
    """A derived road: ``R`` or ``B`` for each entry, and where each is drawn."""

    colours: str
    cells: tuple[Cell, ...]


class Forecast(NamedTuple):
    """What one more win would add: its Big Road cell, and for each derived road ``R``, ``B`` or None."""

    big_road: Cell
    big_eye_boy: str | None
    small_road: str | None
    cockroach_pig: str | None


class Counts(NamedTuple):
    """How often each thing happened in the rounds shown."""

    player: int
    banker: int
    tie: int
    player_pair: int
    banker_pair: int
    natural: int


class RoadsJson(TypedDict):
    """The plain data of :meth:`Roads.to_json`."""

    bead: str
    big_road: list[list[int]]
    big_eye_boy: str
    small_road: str
    cockroach_pig: str


@dataclass(frozen=True)
class Roads:
    """The five scoreboards of a shoe.

    Void rounds are left out everywhere, free hands only if ``free_hands`` is False. ``rows`` and ``tail``
    decide where things are drawn, never their colour.
    """

    results: Sequence[Result]
    rows: int = ROWS
    tail: Tail = "right"
    free_hands: bool = True

    def __post_init__(self) -> None:
        _check_layout(self.rows, self.tail)
        object.__setattr__(self, "results", tuple(self.results))  # ours alone: the roads are worked out once

    @cached_property
    def shown(self) -> tuple[Result, ...]:
        """The rounds that count, in order."""
        return tuple(
            result for result in self.results if result.winner is not None and (self.free_hands or not result.free_hand)
        )

    @cached_property
    def decided(self) -> tuple[Result, ...]:
        """The rounds shown that somebody won."""
        return tuple(result for result in self.shown if result.winner != "tie")

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The lengths of the runs: the logical columns of the Big Road."""
        return run_lengths(result.winner for result in self.decided)

    @cached_property
    def counts(self) -> Counts:
        """Wins, ties, pairs and naturals."""
        letters = self.bead
        return Counts(
            player=letters.count("P"),
            banker=letters.count("B"),
            tie=letters.count("T"),
            player_pair=sum(result.player_pair for result in self.shown),
            banker_pair=sum(result.banker_pair for result in self.shown),
            natural=sum(result.natural for result in self.shown),
        )

    @property
    def bead(self) -> str:
        """The letters of the bead plate in order."""
        return "".join(result.letter for result in self.shown)

    @cached_property
    def bead_plate(self) -> tuple[Entry, ...]:
        """Every round shown, ties too, filling column after column."""
        return tuple(Entry(Cell(i % self.rows, i // self.rows), result) for i, result in enumerate(self.shown))

    @cached_property
    def big_road(self) -> tuple[Entry, ...]:
        """Every decided round, each with the number of ties that followed it."""
        cells = place(self.lengths, self.rows, self.tail)
        return tuple(map(Entry, cells, self.decided, self._ties[1:]))

    @property
    def leading_ties(self) -> int:
        """The ties before the first win, which are drawn on the first cell."""
        return self._ties[0]

    @cached_property
    def _ties(self) -> list[int]:
        """The number of ties before the first win and after each win."""
        ties = [0]
        for result in self.shown:
            if result.winner == "tie":
                ties[-1] += 1
            else:
                ties.append(0)
        return ties

    @cached_property
    def big_eye_boy(self) -> DerivedRoad:
        """Each run against the one before it."""
        return self._derived(1)

    @cached_property
    def small_road(self) -> DerivedRoad:
        """Each run against the second one before it."""
        return self._derived(2)

    @cached_property
    def cockroach_pig(self) -> DerivedRoad:
        """Each run against the third one before it."""
        return self._derived(3)

    def _derived(self, offset: int) -> DerivedRoad:
        colours = derive(self.lengths, offset)
        return DerivedRoad(colours, place(run_lengths(colours), self.rows, self.tail))

    def if_next(self, winner: Literal["player", "banker"]) -> Forecast:
        """What the roads would show next if this side won the next round."""
        if winner not in ("player", "banker"):
            raise RoadError(f"winner is {winner!r}: expected 'player' or 'banker'")
        after = replace(self, results=(*self.results, Result(winner)))

        def added(now: DerivedRoad, then: DerivedRoad) -> str | None:
            return then.colours[len(now.colours) :] or None

        return Forecast(
            after.big_road[-1].cell,
            added(self.big_eye_boy, after.big_eye_boy),
            added(self.small_road, after.small_road),
            added(self.cockroach_pig, after.cockroach_pig),
        )

    def to_json(self) -> RoadsJson:
        """The roads as plain data: letters, and ``[row, column]`` from 0 for each decided round."""
        return {
            "bead": self.bead,
            "big_road": [list(entry.cell) for entry in self.big_road],
            "big_eye_boy": self.big_eye_boy.colours,
            "small_road": self.small_road.colours,
            "cockroach_pig": self.cockroach_pig.colours,
        }

    def text(self, *, ansi: bool = False, width: int | None = None) -> str:
        """All five roads drawn for a terminal, in plain ASCII or with ANSI colours.

        Rounds are written as :func:`parse_results` reads them, and ties on the Big Road as ``/``, ``/2`` ...
        Where a road is wider than ``width`` characters its oldest columns are left out.
        """
        player, banker = self.if_next("player"), self.if_next("banker")
        derived = (
            ("Big Eye Boy", self.big_eye_boy, player.big_eye_boy, banker.big_eye_boy),
            ("Small Road", self.small_road, player.small_road, banker.small_road),
            ("Cockroach Pig", self.cockroach_pig, player.cockroach_pig, banker.cockroach_pig),
        )
        boards = [("Bead plate", _inked(self.bead_plate)), ("Big Road", self._inked_big_road())]
        for title, road, _, _ in derived:
            inked = zip(road.cells, road.colours, map(_INK_OF_COLOUR.__getitem__, road.colours), strict=True)
            boards.append((title, [_Inked(*item) for item in inked]))
        asked = [f"{'If next is':15}Player  Banker"]
        asked += (f"{title:15}{if_player or '-':8}{if_banker or '-'}" for title, _, if_player, if_banker in derived)
        counts = self.counts
        tally = (
            f"Player {counts.player}  Banker {counts.banker}  Tie {counts.tie}",
            f"Player pair _ {counts.player_pair}  Banker pair ^ {counts.banker_pair}  Natural * {counts.natural}",
        )
        blocks = [[title, *_grid(inked, self.rows, ansi, width)] for title, inked in boards]
        return "\n\n".join("\n".join(block) for block in (*blocks, asked, tally)) + "\n"

    def _inked_big_road(self) -> list[_Inked]:
        """The Big Road with the leading ties on its first cell, even while nobody has won there."""
        if self.big_road:
            first, *others = self.big_road
            return _inked([first._replace(ties=first.ties + self.leading_ties), *others])
        return [_Inked(Cell(0, 0), _slashes(self.leading_ties), "T")] if self.leading_ties else []


# --- Drawing --------------------------------------------------------------------------------------------

_MIN_COLUMNS: Final = 12  # a young shoe still looks like a scoreboard
_SGR: Final = {"B": "31", "P": "34", "T": "32"}  # red, blue, green
_INK_OF_COLOUR: Final = {"R": "B", "B": "P"}  # red is Banker's colour, blue is Player's


class _Inked(NamedTuple):
    """A label in a cell, in the colour of this winner's letter."""

    cell: Cell
    label: str
    ink: str


def _inked(entries: Iterable[Entry]) -> list[_Inked]:
    return [_Inked(cell, f"{result}{_slashes(ties)}", result.letter) for cell, result, ties in entries]


def _slashes(ties: int) -> str:
    return f"/{ties}" if ties > 1 else "/" * ties


def _grid(inked: Iterable[_Inked], rows: int, ansi: bool, width: int | None) -> list[str]:
    """The lines of a grid whose columns are as wide as the widest label."""
    by_cell = {item.cell: item for item in inked}
    used = max((cell.column + 1 for cell in by_cell), default=0)
    columns = max(used, _MIN_COLUMNS)
    wide = max([1, *(len(item.label) for item in by_cell.values())])
    fitting = columns if width is None else max(1, (width - 1) // (wide + 1))
    oldest = max(0, used - fitting)

    def drawn(cell: Cell) -> str:
        item = by_cell.get(cell)
        padded = (item.label if item else ".").ljust(wide)
        return f"\x1b[{_SGR[item.ink]}m{padded}\x1b[0m" if item and ansi else padded

    shown = range(oldest, min(columns, oldest + fitting))
    return ["  " + " ".join(drawn(Cell(row, column)) for column in shown).rstrip() for row in range(rows)]
