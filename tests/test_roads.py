"""The scoreboards: against a second implementation, shoes worked by hand, and their own laws."""

from __future__ import annotations

import doctest
import re
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from puntobanco import roads as module
from puntobanco.roads import (
    ROWS,
    VOID,
    Cell,
    Counts,
    Entry,
    Result,
    RoadError,
    Roads,
    Tail,
    Winner,
    derive,
    format_results,
    parse_results,
    place,
    run_lengths,
)

OFFSETS = {"big_eye_boy": 1, "small_road": 2, "cockroach_pig": 3}
SIDES: tuple[Literal["player", "banker"], ...] = ("player", "banker")
DOCS = Path(__file__).parents[1] / "docs" / "roads.md"

# Shoes with long runs as well as choppy ones: plain random letters would hardly ever bend a column.
shoes = st.lists(st.tuples(st.sampled_from("BPT"), st.integers(1, 14)), max_size=30).map(
    lambda runs: "".join(letter * length for letter, length in runs)
) | st.text("BPT", max_size=100)
lengths = st.lists(st.integers(1, 20), max_size=40)
tails = st.sampled_from(get_args(Tail))
marked = st.builds(
    Result,
    winner=st.sampled_from(get_args(Winner)),
    player_pair=st.booleans(),
    banker_pair=st.booleans(),
    natural=st.booleans(),
    free_hand=st.booleans(),
)
results = st.lists(marked | st.just(VOID), max_size=100)


def roads_of(text: str, **settings: Any) -> Roads:
    return Roads(parse_results(text), **settings)


def colours(roads: Roads) -> dict[str, str]:
    return {name: getattr(roads, name).colours for name in OFFSETS}


# --- The derived roads against a second implementation ---------------------------------------------------


def literal_derived(shoe: str, offset: int) -> str:
    """A derived road as one does it by hand, result by result, on squared paper without a bottom.

    Every result is entered in its square first; then one looks at squares, and at nothing but squares.
    """
    paper: set[tuple[int, int]] = set()
    column, row, last = -1, 0, ""
    marks = ""

    def foot(of_column: int) -> int:
        depth = 0
        while (of_column, depth) in paper:
            depth += 1
        return depth

    for letter in shoe:
        if letter == "T":
            continue
        if letter == last:
            row += 1
        else:
            column, row, last = column + 1, 0, letter
        paper.add((column, row))
        if row == 0:
            # A new column: do the columns before it, one next to it and one further off, end level?
            if column - 1 - offset >= 0:
                marks += "R" if foot(column - 1) == foot(column - 1 - offset) else "B"
        elif column - offset >= 0:
            # Further down: the square to the left, and the one above that, are both full or both empty?
            left, above_left = (column - offset, row), (column - offset, row - 1)
            marks += "R" if (left in paper) == (above_left in paper) else "B"
    return marks


@given(shoes)
@example("B" * 9 + "P" * 8 + "B" * 7 + "P")
@example("TTBPBPBPBP")
def test_derived_roads_match_the_squared_paper(shoe: str) -> None:
    expected = {name: literal_derived(shoe, offset) for name, offset in OFFSETS.items()}
    assert colours(roads_of(shoe)) == expected


@given(lengths, st.integers(1, 3))
def test_number_of_entries(runs: list[int], offset: int) -> None:
    """The first ``offset`` runs and the entry after them show nothing; every later win shows one entry."""
    assert len(derive(runs, offset)) == max(0, sum(runs[offset:]) - 1)


@given(shoes, st.sampled_from("BPT"), tails)
def test_a_result_only_ever_adds(shoe: str, letter: str, tail: Tail) -> None:
    before, after = roads_of(shoe, tail=tail), roads_of(shoe + letter, tail=tail)
    wins = letter != "T"
    assert after.bead == before.bead + letter
    assert after.to_json()["big_road"][: len(before.big_road)] == before.to_json()["big_road"]
    assert len(after.big_road) == len(before.big_road) + wins
    for name in OFFSETS:
        old, new = getattr(before, name), getattr(after, name)
        assert new.colours.startswith(old.colours)
        assert new.cells[: len(old.cells)] == old.cells
        assert len(new.colours) <= len(old.colours) + wins


@given(shoes)
def test_ties_and_sides_do_not_matter_to_derived_roads(shoe: str) -> None:
    swapped = shoe.replace("T", "").translate(str.maketrans("BP", "PB"))
    assert colours(roads_of(swapped)) == colours(roads_of(shoe))


@given(shoes, st.integers(1, 8), tails)
def test_layout_never_changes_a_colour(shoe: str, rows: int, tail: Tail) -> None:
    assert colours(roads_of(shoe, rows=rows, tail=tail)) == colours(roads_of(shoe))


# --- What the next result would show ---------------------------------------------------------------------


@given(shoes, tails)
def test_forecast_comes_true(shoe: str, tail: Tail) -> None:
    now = roads_of(shoe, tail=tail)
    for side in SIDES:
        forecast, then = now.if_next(side), roads_of(shoe + side[0].upper(), tail=tail)
        assert forecast.big_road == then.big_road[-1].cell
        for name, shown in colours(now).items():
            assert shown + (getattr(forecast, name) or "") == getattr(then, name).colours


@given(shoes)
def test_the_two_forecasts_are_opposite(shoe: str) -> None:
    """Going on and changing over never show the same colour, once there is a run to compare with."""
    roads = roads_of(shoe)
    player, banker = roads.if_next("player"), roads.if_next("banker")
    for name, offset in OFFSETS.items():
        pair = {getattr(player, name), getattr(banker, name)}
        assert pair == ({"R", "B"} if len(roads.lengths) > offset else {None})


def test_forecast_leaves_the_roads_alone() -> None:
    roads = roads_of("BP")
    assert roads.if_next("player") == (Cell(1, 1), "B", None, None)
    assert roads.if_next("banker") == (Cell(0, 2), "R", None, None)
    assert roads.bead == "BP"
    with pytest.raises(RoadError, match="'tie': expected 'player' or 'banker'"):
        roads.if_next("tie")  # type: ignore[arg-type]


# --- Shoes worked by hand --------------------------------------------------------------------------------


def test_shoe_worked_by_hand() -> None:
    # Runs: BB PPP B PP BBBBBBBB P, lengths 2 3 1 2 8 1. "3-2" below: run of 3 held against its model of 2.
    assert colours(roads_of("BBPTPPBPPBBBBBBBBP")) == {
        # 3-2: second R, third B (one past the model); it ended at 3, not 2: B.
        # 1-3: ended at 1, not 3: B.
        # 2-1: second B (one past); ended at 2, not 1: B.
        # 8-2: second R, third B, fourth to eighth straight down R; ended at 8: B.
        "big_eye_boy": "RB" + "B" + "B" + "B" + "B" + "RBRRRRR" + "B",
        # 1-2: ended B.  2-3: second R, ended B.  8-1: second B, then six R; ended B.
        "small_road": "B" + "R" + "B" + "BRRRRRR" + "B",
        # 2-2: second R, ended level R.  8-3: second and third R, fourth B, then four R; ended B.
        "cockroach_pig": "R" + "R" + "RRBRRRR" + "B",
    }


@pytest.mark.parametrize(
    ("shoe", "big_eye_boy", "small_road", "cockroach_pig"),
    [
        ("", "", "", ""),
        ("TTT", "", "", ""),
        ("BBBBBBBBBB", "", "", ""),  # one run has no model, however long
        ("BP", "", "", ""),  # the second run's first entry shows nothing yet ...
        ("BPP", "B", "", ""),  # ... its second does (one past a model of 1) ...
        ("BPB", "R", "", ""),  # ... or the third run's first, if there is no second
        ("BBPP", "R", "", ""),
        ("BPBB", "RB", "B", ""),
        ("BPBP", "RR", "R", ""),
        ("BPBPB", "RRR", "RR", "R"),
        ("BPBPP", "RRB", "RB", "B"),
        ("BBPPBBPP", "RRRRR", "RRR", "R"),
        ("BPPBPP", "BBBB", "RR", "B"),  # lengths 1 2 1 2: the Small Road sees the rhythm of two
        # Lengths 1 2 1 3: 2-1 B, ended B; 1-2 ended B; 3-1 second B, third straight down R.
        # Small Road: 1-1 ended R; 3-2 second R, third B.  Cockroach Pig: 3-1 second B, third R.
        ("BPPBPPP", "BBBBR", "RRB", "BR"),
    ],
)
def test_small_shoes(shoe: str, big_eye_boy: str, small_road: str, cockroach_pig: str) -> None:
    expected = {"big_eye_boy": big_eye_boy, "small_road": small_road, "cockroach_pig": cockroach_pig}
    assert colours(roads_of(shoe)) == expected


def test_straight_down_is_red() -> None:
    # Against a model of 1 the second entry breaks away (B); everything below it runs beside empty paper.
    assert roads_of("P" + "B" * 20).big_eye_boy.colours == "B" + "R" * 18


def test_heights_come_from_the_runs_not_from_the_bent_grid() -> None:
    # Both long runs bend in the sixth row, where the drawing makes 9 and 7 look alike; 9 and 9 are alike.
    assert roads_of("B" * 9 + "P" * 7 + "B").big_eye_boy.colours == "RRRRRR" + "B"
    assert roads_of("B" * 9 + "P" * 9 + "B").big_eye_boy.colours == "RRRRRRRR" + "R"
    # The tenth entry is one past a model of 9, although the drawing has had no room below for long.
    assert roads_of("B" * 9 + "P" * 11).big_eye_boy.colours == "RRRRRRRR" + "B" + "R"


# --- Placement -------------------------------------------------------------------------------------------


@given(lengths, st.integers(1, 8), tails)
@example([20] * 40, 6, "right")
@example([20] * 40, 6, "step")
def test_every_step_of_the_placement_is_lawful(runs: list[int], rows: int, tail: Tail) -> None:
    cells = list(place(runs, rows, tail))
    assert len(cells) == len(set(cells)) == sum(runs)
    taken: set[tuple[int, int]] = set()

    def free(row: int, column: int) -> bool:
        return row < rows and (row, column) not in taken

    previous_start = -1
    for length in runs:
        run, cells = cells[:length], cells[length:]
        row, column = run[0]
        assert row == 0
        assert column > previous_start
        assert not any(free(0, skipped) for skipped in range(previous_start + 1, column))
        taken.add(run[0])
        previous_start, turned = column, False
        for cell in run[1:]:
            if free(row + 1, column) and not (turned and tail == "right"):
                row += 1
            else:
                column, turned = column + 1, True
            assert cell == (row, column)
            taken.add(cell)


def drawing(text: str, **settings: Any) -> list[str]:
    """The rows of the Big Road as drawn, without marks."""
    entries = roads_of(text, **settings).big_road
    letters = {cell: result.letter for cell, result, _ in entries}
    width = 1 + max(cell.column for cell in letters)
    rows = settings.get("rows", ROWS)
    return ["".join(letters.get(Cell(row, column), ".") for column in range(width)) for row in range(rows)]


def test_dragon_tail() -> None:
    assert drawing("BBBBBBBBBP") == ["BP..", "B...", "B...", "B...", "B...", "BBBB"]


def test_dragon_tails_stack_up() -> None:
    # Each run finds the tail of the one before it in its way and turns one row higher.
    assert drawing("B" * 9 + "P" * 8 + "B" * 7 + "P") == [
        "BPBP..",
        "BPB...",
        "BPB...",
        "BPBBBB",
        "BPPPP.",
        "BBBB..",
    ]


def test_tail_in_the_top_row_pushes_the_next_start_aside() -> None:
    # The third run fills the top row over columns 2 to 4, so that the fourth starts in column 5.
    assert drawing("BBBBBB" + "PPPPP" + "BBB" + "P", rows=3) == ["BPBBBP", "BPPPP.", "BBBB.."]


def test_tail_that_steps_down_again() -> None:
    # The first tail ends in column 2. Past it the second run stays in its row, or falls to the bottom again.
    shoe = "BBBBB" + "PPPPP"
    assert drawing(shoe, rows=3, tail="right") == ["BP...", "BPPPP", "BBB.."]
    assert drawing(shoe, rows=3, tail="step") == ["BP..", "BPPP", "BBBP"]


def test_derived_roads_are_drawn_by_the_same_rule() -> None:
    road = roads_of("P" + "B" * 10).big_eye_boy
    assert road.colours == "BRRRRRRRR"
    assert road.cells[0] == Cell(0, 0)
    assert road.cells[1:] == place([1, 8])[1:] == (*(Cell(row, 1) for row in range(6)), Cell(5, 2), Cell(5, 3))


@pytest.mark.parametrize(("settings", "message"), [({"rows": 0}, "rows is 0"), ({"tail": "up"}, "tail is 'up'")])
def test_bad_layout(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(RoadError, match=message):
        roads_of("B", **settings)
    with pytest.raises(RoadError, match=message):
        place([1], **settings)


@given(st.text("ab"))
def test_run_lengths(symbols: str) -> None:
    assert sum(run_lengths(symbols)) == len(symbols)
    assert list(run_lengths(symbols)) == [len(match[0]) for match in re.finditer("a+|b+", symbols)]


# --- Ties, marks, void rounds, free hands ----------------------------------------------------------------


def test_bead_plate_fills_columns_with_every_round() -> None:
    roads = roads_of("BPTBPTB^")
    assert [cell for cell, _, _ in roads.bead_plate] == [*(Cell(row, 0) for row in range(6)), Cell(0, 1)]
    assert roads.bead_plate[-1] == Entry(Cell(0, 1), Result("banker", banker_pair=True))


def test_ties_mark_the_win_before_them() -> None:
    roads = roads_of("TTBTBTTTP")
    assert roads.leading_ties == 2
    assert [(str(result), ties) for _, result, ties in roads.big_road] == [("B", 1), ("B", 3), ("P", 0)]
    assert roads.to_json()["big_road"] == [[0, 0], [1, 0], [0, 1]]


@given(shoes)
def test_no_tie_is_lost(shoe: str) -> None:
    roads = roads_of(shoe)
    assert roads.leading_ties + sum(entry.ties for entry in roads.big_road) == shoe.count("T")


def test_ties_alone() -> None:
    roads = roads_of("TT")
    assert (roads.leading_ties, roads.big_road) == (2, ())
    assert "/2" in roads.text()


def test_counts() -> None:
    roads = roads_of("B^_* P* T_ V (B^) T*")
    assert roads.counts == Counts(player=1, banker=2, tie=2, player_pair=2, banker_pair=2, natural=3)
    assert replace(roads, free_hands=False).counts == Counts(1, 1, 2, 2, 1, 3)


@given(results)
def test_void_rounds_are_left_out(rounds: list[Result]) -> None:
    played = [result for result in rounds if result != VOID]
    assert Roads(rounds).to_json() == Roads(played).to_json()
    assert Roads(rounds).text() == Roads(played).text()


@given(results)
def test_free_hands_count_or_not(rounds: list[Result]) -> None:
    as_bet = [replace(result, free_hand=False) for result in rounds]
    without = [result for result in rounds if not result.free_hand]
    assert Roads(rounds).to_json() == Roads(as_bet).to_json()
    assert Roads(rounds, free_hands=False).to_json() == Roads(without).to_json()


def test_a_free_hand_may_break_a_run() -> None:
    assert roads_of("BB(P)B").lengths == (2, 1, 1)
    assert roads_of("BB(P)B", free_hands=False).lengths == (3,)


def test_the_roads_keep_their_own_results() -> None:
    rounds = [Result("banker")]
    roads = Roads(rounds)
    rounds.append(Result("player"))
    assert roads.bead == "B"


# --- Notation --------------------------------------------------------------------------------------------


@given(results)
def test_parsing_undoes_printing(rounds: list[Result]) -> None:
    assert parse_results(format_results(rounds)) == tuple(rounds)
    assert parse_results(" , ".join(map(str, rounds))) == tuple(rounds)
    assert parse_results(format_results(rounds).lower()) == tuple(rounds)


def test_notation() -> None:
    assert parse_results("B b^ P_ (t_*) V\n") == (
        Result("banker"),
        Result("banker", banker_pair=True),
        Result("player", player_pair=True),
        Result("tie", player_pair=True, natural=True, free_hand=True),
        VOID,
    )
    assert format_results(parse_results("p*_^, v")) == "P^_*V"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BXP", "position 2: found 'X', expected B, P, T, V or a free hand such as (B)"),
        ("B-P", "position 2: found '-', expected B, P, T, V or a free hand such as (B)"),
        ("B ^", "position 3: found '^', expected B, P, T, V or a free hand such as (B)"),
        ("V^", "position 2: found '^', expected B, P, T, V or a free hand such as (B)"),
        ("B)", "position 2: found ')', expected B, P, T, V or a free hand such as (B)"),
        ("B^_^", "position 4: found '^', expected each mark once"),
        ("(B", "position 3: found the end, expected a mark (^ _ *) or the ')' of the free hand"),
        ("(BP)", "position 3: found 'P', expected a mark (^ _ *) or the ')' of the free hand"),
        ("(", "position 2: found the end, expected B, P or T"),
        ("(V)", "position 2: found 'V', expected B, P or T"),
        ("ß", "position 1: found 'ß', expected B, P, T, V or a free hand such as (B)"),
    ],
)
def test_bad_notation(text: str, message: str) -> None:
    with pytest.raises(RoadError) as caught:
        parse_results(text)
    assert str(caught.value) == message


@given(st.text("BPTVbptv^_*(), x-\n"))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        rounds = parse_results(text)
    except RoadError:
        return
    assert parse_results(format_results(rounds)) == rounds


def test_results_that_make_no_sense() -> None:
    with pytest.raises(RoadError, match="winner is 'bank'"):
        Result("bank")  # type: ignore[arg-type]
    with pytest.raises(RoadError, match="void round"):
        Result(None, natural=True)
    with pytest.raises(RoadError, match="void round"):
        Result(None, free_hand=True)


# --- Output ----------------------------------------------------------------------------------------------


def test_json() -> None:
    assert roads_of("bbptp").to_json() == {
        "bead": "BBPTP",
        "big_road": [[0, 0], [1, 0], [0, 1], [1, 1]],
        "big_eye_boy": "R",
        "small_road": "",
        "cockroach_pig": "",
    }


def board(text: str, title: str) -> list[str]:
    """The lines of one board of a drawing."""
    (found,) = (block for block in text.split("\n\n") if block.startswith(title + "\n"))
    return found.split("\n")[1:]


def test_text_shows_marks_and_ties() -> None:
    text = roads_of("TB^TT P_* (P)").text()
    assert board(text, "Big Road")[:2] == [
        "  B^/3 P_*  " + "    ".join("." * 10),
        "  .    (P)  " + "    ".join("." * 10),
    ]
    assert board(text, "Bead plate")[3] == "  T   " + "   ".join("." * 11)


@given(results, st.integers(8, 120))
def test_text_keeps_to_its_width(rounds: list[Result], width: int) -> None:
    text = Roads(rounds).text(width=width)
    assert text.isascii()
    for title in ("Bead plate", "Big Road", "Big Eye Boy", "Small Road", "Cockroach Pig"):
        lines = board(text, title)
        assert len(lines) == ROWS
        assert max(map(len, lines)) <= max(width, len("  (B^_*)/100"))


def test_narrow_text_keeps_the_latest_columns() -> None:
    assert board(roads_of("BP" * 20 + "B").text(width=10), "Big Road")[0] == "  P B P B"


@given(results)
def test_colours_add_nothing_but_escapes(rounds: list[Result]) -> None:
    roads = Roads(rounds)
    bare = re.sub(r"\x1b\[\d+m", "", roads.text(ansi=True))
    assert [line.rstrip() for line in bare.split("\n")] == roads.text().split("\n")


def test_colours() -> None:
    text = roads_of("BPPT").text(ansi=True)
    assert "\x1b[31mB\x1b[0m" in board(text, "Bead plate")[0]
    assert "\x1b[34mP\x1b[0m" in board(text, "Bead plate")[1]
    assert "\x1b[32mT\x1b[0m" in board(text, "Bead plate")[3]
    assert "\x1b[34mB\x1b[0m" in board(text, "Big Eye Boy")[0]  # B is blue there


def test_docs() -> None:
    """The page shows what the code draws, and its examples run."""
    page = DOCS.read_text(encoding="utf-8")
    assert roads_of("BBPTPPBPPBBBBBBBBP").text() in page
    assert doctest.testfile(str(DOCS), module_relative=False, encoding="utf-8").failed == 0
    assert doctest.testmod(module).failed == 0


def test_logical_columns_are_the_runs() -> None:
    shoe = "BBPTPPTTBTP"
    wins = shoe.replace("T", "")
    assert roads_of(shoe).lengths == tuple(len(list(run)) for _, run in groupby(wins)) == (2, 3, 1, 1)
