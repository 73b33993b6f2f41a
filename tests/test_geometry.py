"""How layouts are drawn: by the books of the six games, by a file of one's own, and where nobody says."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table.build import open_table
from tests.test_books import BOOK, Change, cut, document, problems, put

from puntobanco.cards import Side
from puntobanco.rules.geometry import ROUND, WIDEST, geometry_of
from puntobanco.rules.load import GAMES, find_book, parse_book
from puntobanco.rules.model import CardPlaces, Geometry, Layout, RuleBook, Shape
from puntobanco.views import Viewer, view

LAYOUTS = [(game, code) for game in GAMES for code in find_book(game).layouts]


def boxes(drawn: Geometry) -> list[str]:
    return [box.bet for row in drawn.rows for box in row.boxes]


def labels(drawn: Geometry) -> dict[str, str]:
    return {box.bet: box.label for row in drawn.rows for box in row.boxes if box.label}


# --- the six games ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "code"), LAYOUTS)
def test_a_layout_of_the_six_games(game: str, code: str) -> None:
    book = find_book(game)
    layout = book.layouts[code]
    assert layout.arrangement
    drawn = geometry_of(book, layout)
    insurance = [f"{hand}_insurance" for hand in ("player", "banker")] if layout.insurance else []
    assert sorted(boxes(drawn)) == sorted([*layout.bets, *insurance])
    assert len(drawn.numbers) == len(set(drawn.numbers)) == max(layout.positions)
    assert sorted(drawn.numbers) == list(drawn.numbers)
    assert boxes(drawn)[-2:] == ["banker", "player"]
    assert set(drawn.printed) <= set(boxes(drawn))
    assert all(len(row.boxes) <= 10 for row in drawn.rows)


def test_the_layouts_are_39() -> None:
    assert len(LAYOUTS) == 4 + 6 + 8 + 17 + 2 + 2


def test_positions_ten_to_sixteen_stand_in_a_row() -> None:
    book = find_book("tiger-buffalo")
    drawn = {code: geometry_of(book, layout) for code, layout in book.layouts.items()}
    assert {code for code, found in drawn.items() if found.shape is Shape.ROW} == {"K", "O"}
    assert drawn["K"].numbers == drawn["O"].numbers == tuple(range(1, 17))
    assert drawn["A"].numbers == (1, 2, 3, 5, 6, 7)


def test_chinese_boxes() -> None:
    book = find_book("tiger-buffalo")
    for code in "PQ":
        drawn = geometry_of(book, book.layouts[code])
        names = [box.chinese for row in drawn.rows for box in row.boxes]
        assert drawn.language == "zh"
        assert len(set(names)) == len(names) == 12
        assert all("\u4e00" <= letter <= "\u9fff" for name in names for letter in name)
    english = geometry_of(book, book.layouts["L"])
    assert boxes(english) == boxes(drawn)
    assert not any(box.chinese for row in english.rows for box in row.boxes)


def test_wins_on_boxes_show_points_under_a_title() -> None:
    book = find_book("rws-baccarat")
    drawn = geometry_of(book, book.layouts["D"])
    titled = [row for row in drawn.rows if row.title]
    assert [row.title for row in titled] == ["Tie Wins On", "Banker Wins On", "Player Wins On"]
    for row in titled:
        assert all(f"{row.title} {box.label}" == book.bets[box.bet].name for box in row.boxes)


def test_layouts_of_one_book_share_an_arrangement() -> None:
    assert {game: len(find_book(game).arrangements) for game in GAMES} == {
        **dict.fromkeys(GAMES, 1),
        "tiger-buffalo": 4,
    }


# --- a file of one's own ----------------------------------------------------------------------------

DRAWN: dict[str, Any] = {
    **BOOK,
    "arrangements": {
        "wide": {
            "rows": [
                {"boxes": ["player_insurance", "banker_insurance"]},
                {"boxes": ["lucky", "player"], "widths": [1, 3], "labels": ["Luck", "P"], "height": 2, "title": "Main"},
            ],
            "printed": ["player_insurance", "lucky"],
        },
        "small": {"rows": [{"boxes": ["player"]}]},
    },
    "chinese": {"player": "閒", "banker_insurance": "庄保險"},
    "layouts": [
        {**BOOK["layouts"][0], "arrangement": "wide", "shape": "bean", "cards": "stacked", "numbers": "1-3 5-11"},
        {**BOOK["layouts"][1], "arrangement": "small"},
    ],
}
DRAWN["layouts"][0]["characters"] = ["player"]


def drawn_book(change: Callable[[dict[str, Any]], object] = lambda data: None) -> str:
    data = copy.deepcopy(DRAWN)
    change(data)
    return document(data)


def test_everything_a_file_can_say() -> None:
    book = parse_book(drawn_book())
    drawn = geometry_of(book, book.layouts["A"])
    assert (drawn.shape, drawn.cards, drawn.language) == (Shape.BEAN, CardPlaces.STACKED, "en")
    assert drawn.numbers == (1, 2, 3, 5, 6, 7, 8, 9, 10, 11)
    assert drawn.printed == ("player_insurance", "lucky")
    first, second = drawn.rows
    assert [box.bet for box in first.boxes] == ["player_insurance", "banker_insurance"]
    assert (first.height, first.title, second.height, second.title) == (1, "", 2, "Main")
    assert [(box.bet, box.width, box.label, box.chinese) for box in second.boxes] == [
        ("lucky", 1, "Luck", ""),
        ("player", 3, "P", "閒"),
    ]
    assert labels(drawn)["banker_insurance"] == "Banker Insurance"
    chinese = geometry_of(book, book.layouts["B"])
    assert (chinese.language, chinese.shape, chinese.cards) == ("zh", Shape.ARC, CardPlaces.BESIDE)
    assert [box.chinese for row in chinese.rows for box in row.boxes] == ["閒"]
    assert chinese.numbers == (1, 2, 3, 4, 5, 6, 7)


def test_a_geometry_survives_its_json() -> None:
    for game, code in LAYOUTS:
        book = find_book(game)
        drawn = geometry_of(book, book.layouts[code])
        encoded = msgspec.json.encode(drawn)
        assert msgspec.json.decode(encoded, type=Geometry) == drawn
        assert len(encoded) < 1_500


WIDE = ("arrangements", "wide", "rows")
WIDE_KEY = "arrangements.wide.rows"

MISTAKES: dict[str, tuple[Change, str, str]] = {
    "no arrangement": (put("arrangements", "wide", to=1), "arrangements.wide", "expected a table, found 1"),
    "no rows": (cut(*WIDE), WIDE_KEY, "missing; expected an array of tables"),
    "empty rows": (put(*WIDE, to=[]), WIDE_KEY, "expected at least one table"),
    "a row that is no table": (put(*WIDE, 0, to="tie"), f"{WIDE_KEY}[0]", "expected a table, found 'tie'"),
    "no boxes": (cut(*WIDE, 0, "boxes"), f"{WIDE_KEY}[0].boxes", "missing; expected a list of bet codes"),
    "empty boxes": (put(*WIDE, 0, "boxes", to=[]), f"{WIDE_KEY}[0].boxes", "expected a list of bet codes, found []"),
    "unknown box": (
        put(*WIDE, 1, "boxes", to=["luky", "player"]),
        f"{WIDE_KEY}[1] (Main).boxes",
        "unknown box 'luky', did you mean lucky?",
    ),
    "box twice in a row": (
        put(*WIDE, 1, "boxes", to=["player", "player"]),
        f"{WIDE_KEY}[1] (Main).boxes",
        "expected each once",
    ),
    "box in two rows": (
        put(*WIDE, 0, "boxes", to=["player"]),
        f"{WIDE_KEY}[1] (Main).boxes",
        "player lies in an earlier row already",
    ),
    "too few widths": (
        put(*WIDE, 1, "widths", to=[1]),
        f"{WIDE_KEY}[1] (Main).widths",
        "expected one for each of the 2 boxes, found 1",
    ),
    "width of nothing": (
        put(*WIDE, 1, "widths", to=[0, 1]),
        f"{WIDE_KEY}[1] (Main).widths",
        "expected whole numbers from 1 to 12, found [0, 1]",
    ),
    "too wide": (
        put(*WIDE, 1, "widths", to=[12, 13]),
        f"{WIDE_KEY}[1] (Main).widths",
        "expected whole numbers from 1 to 12, found [12, 13]",
    ),
    "too many labels": (
        put(*WIDE, 1, "labels", to=["a", "b", "c"]),
        f"{WIDE_KEY}[1] (Main).labels",
        "expected one for each of the 2 boxes, found 3",
    ),
    "height": (
        put(*WIDE, 1, "height", to=13),
        f"{WIDE_KEY}[1] (Main).height",
        "expected a whole number from 1 to 12, found 13",
    ),
    "key of a row": (
        put(*WIDE, 0, "hight", to=1),
        f"{WIDE_KEY}[0].hight",
        "unknown key; did you mean height?",
    ),
    "key of an arrangement": (
        put("arrangements", "wide", "row", to=[]),
        "arrangements.wide.row",
        "unknown key; did you mean rows?",
    ),
    "unknown pay table": (
        put("arrangements", "wide", "printed", to=["tie"]),
        "arrangements.wide.printed",
        "unknown box 'tie'",
    ),
    "unknown arrangement": (
        put("layouts", 0, "arrangement", to="wde"),
        "layouts[0] (A).arrangement",
        "unknown arrangement 'wde'; did you mean wide?",
    ),
    "name of an arrangement that is no text": (
        put("layouts", 1, "arrangement", to=1),
        "layouts[1] (B).arrangement",
        "expected the name of an arrangement, found 1",
    ),
    "a box lacking": (
        put(*WIDE, 0, "boxes", to=["player_insurance"]),
        "layouts[0] (A).arrangement",
        "wide lacks banker_insurance",
    ),
    "a box that the layout lacks": (
        put("layouts", 1, "arrangement", to="wide"),
        "layouts[1] (B).arrangement",
        "wide has player_insurance, banker_insurance, lucky, which the layout does not carry",
    ),
    "shape": (
        put("layouts", 0, "shape", to="oval"),
        "layouts[0] (A).shape",
        "expected one of arc, bean, row, found 'oval'",
    ),
    "card places": (
        put("layouts", 0, "cards", to="row"),
        "layouts[0] (A).cards",
        "expected one of beside, stacked, found 'row'",
    ),
    "numbers that are none": (
        put("layouts", 0, "numbers", to="one"),
        "layouts[0] (A).numbers",
        "expected numbers of positions, as in 1-6 or 1-6 10-16, found 'one'",
    ),
    "too few numbers": (
        put("layouts", 0, "numbers", to="1-9"),
        "layouts[0] (A).numbers",
        "expected a number for each of 10 positions, found 9",
    ),
    "characters of an unknown box": (
        put("layouts", 0, "characters", to=["tie"]),
        "layouts[0] (A).characters",
        "unknown box 'tie'",
    ),
    "characters without a Chinese name": (
        put("layouts", 0, "characters", to=["lucky"]),
        "layouts[0] (A).characters",
        "no name in [chinese] for lucky",
    ),
    "Chinese name of an unknown box": (
        put("chinese", "tie", to="和"),
        "chinese",
        "unknown box 'tie'",
    ),
    "Chinese name that is no text": (
        put("chinese", "player", to=1),
        "chinese.player",
        "expected the Chinese name, found 1",
    ),
    "no layout uses it": (
        put("arrangements", "spare", to={"rows": [{"boxes": ["lucky"]}]}),
        "arrangements.spare",
        'no layout uses it: write arrangement = "spare" in one',
    ),
}


@pytest.mark.parametrize(("change", "key", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_drawing(change: Change, key: str, message: str) -> None:
    found = problems(drawn_book(change))
    assert message in found.pop(key)
    assert not found


def test_a_mistake_in_an_arrangement_is_not_told_again_by_its_layouts() -> None:
    change = put(*WIDE, 1, "boxes", to=["luky", "player"])
    assert list(problems(drawn_book(change))) == [f"{WIDE_KEY}[1] (Main).boxes"]


def test_a_misspelt_bet_of_a_layout_is_not_told_again_by_its_arrangement() -> None:
    change = put("layouts", 1, "bets", to=["playr"])
    assert list(problems(drawn_book(change))) == ["layouts[1] (B).bets"]


def test_a_book_without_arrangements() -> None:
    def change(data: dict[str, Any]) -> None:
        del data["arrangements"]
        del data["layouts"][1]["arrangement"]

    found = problems(drawn_book(change))
    assert found == {"layouts[0] (A).arrangement": "unknown arrangement 'wide'; the book has no [arrangements]"}


def test_a_bet_cannot_be_called_like_an_insurance_box() -> None:
    data = copy.deepcopy(BOOK)
    data["bets"][1]["code"] = "player_insurance"
    found = problems(document(data))
    assert found == {"layouts[0] (A).bets": "player_insurance is what the box for insurance is called"}


def test_the_hash_sees_the_drawing() -> None:
    changes = [
        put(*WIDE, 1, "widths", to=[1, 2]),
        put(*WIDE, 1, "labels", to=["Luck", "Q"]),
        put(*WIDE, 1, "height", to=1),
        put(*WIDE, 1, "title", to="Other"),
        put(*WIDE, 1, "boxes", to=["player", "lucky"]),
        put("arrangements", "wide", "printed", to=["lucky"]),
        put("chinese", "player", to="閑"),
        put("layouts", 0, "shape", to="row"),
        cut("layouts", 0, "cards"),
        cut("layouts", 0, "numbers"),
        cut("layouts", 0, "characters"),
        cut("layouts", 1, "language"),
    ]
    hashes = {parse_book(drawn_book(change)).hash for change in changes}
    assert len(hashes | {parse_book(drawn_book()).hash}) == len(changes) + 1


# --- where nobody says ------------------------------------------------------------------------------


def undrawn(book: RuleBook, bets: tuple[str, ...], positions: tuple[int, ...], insurance: bool) -> Geometry:
    return geometry_of(book, Layout("X", "Own", bets, positions, "", insurance))


@given(st.data())
def test_a_layout_that_nobody_arranged(draw: st.DataObject) -> None:
    book = find_book(draw.draw(st.sampled_from(GAMES)))
    codes = draw.draw(st.lists(st.sampled_from(list(book.bets)), min_size=1, unique=True))
    most = draw.draw(st.integers(1, 99))
    insurance = draw.draw(st.booleans())
    drawn = undrawn(book, tuple(codes), (most,), insurance)
    expected = [*codes, *(["player_insurance", "banker_insurance"] if insurance else [])]
    assert Counter(boxes(drawn)) == Counter(expected)
    assert all(1 <= len(row.boxes) <= WIDEST for row in drawn.rows)
    assert drawn.numbers == tuple(range(1, most + 1))
    assert drawn.shape is (Shape.ARC if most <= ROUND else Shape.ROW)
    main = [book.bets[code].hand for code in boxes(drawn) if code in book.bets and book.bets[code].hand]
    assert main in ([], [Side.BANKER], [Side.PLAYER], [Side.BANKER, Side.PLAYER])
    assert boxes(drawn)[len(expected) - len(main) :] == [hand.value for hand in main if hand]
    if insurance:
        assert boxes(drawn)[:2] == ["player_insurance", "banker_insurance"]


def test_side_bets_of_a_hand_lie_together() -> None:
    book = find_book("tiger-buffalo")
    layout = book.layouts["M"]
    drawn = undrawn(book, layout.bets, (6,), insurance=True)
    assert [[box.bet for box in row.boxes] for row in drawn.rows] == [
        ["player_insurance", "banker_insurance"],
        ["tie", "tiger_pair"],
        ["player_big_7", "player_small_7", "wu_dalang", "banker_big_7", "banker_small_7", "tiger"],
        ["banker"],
        ["player"],
    ]


def test_many_side_bets_of_a_hand_fill_rows_evenly() -> None:
    book = find_book("rws-baccarat")
    drawn = undrawn(book, tuple(book.bets), (7,), insurance=False)
    assert [len(row.boxes) for row in drawn.rows] == [6, 5, 5, 5, 5, 5, 1, 1]
    assert all(code.startswith("banker") for row in drawn.rows[2:4] for code in [box.bet for box in row.boxes])


def test_a_file_without_a_drawing_gets_one() -> None:
    book = parse_book(document(BOOK))
    drawn = geometry_of(book, book.layouts["A"])
    assert boxes(drawn) == ["player_insurance", "banker_insurance", "lucky", "player"]
    assert (drawn.shape, len(drawn.numbers), drawn.printed) == (Shape.ROW, 10, ())


# --- on the sign ------------------------------------------------------------------------------------


def test_the_sign_shows_the_drawing_to_everybody() -> None:
    play = open_table()
    book, layout = play.table.book, play.table.layout
    for viewer in (Viewer("display"), Viewer("player", "alice")):
        sign = view(play.table, viewer, play.now).public.sign
        assert sign.geometry == geometry_of(book, layout)
        assert {bet.code for bet in sign.bets} < set(boxes(sign.geometry))
        assert len(sign.geometry.numbers) >= sign.positions


def test_the_sign_has_the_insurance_pay_table_where_insurance_is_offered() -> None:
    sign = view(open_table(game="tiger-buffalo").table, Viewer("display"), 0).public.sign
    book = find_book("tiger-buffalo").insurance
    assert book is not None
    rows = [(row.window, row.hand, row.own, row.other, row.odds) for row in book.rows]
    assert [msgspec.structs.astuple(row) for row in sign.insurance_pays] == rows
    for settings in ({"game": "tiger-buffalo", "no_insurance": True}, {"game": "super-six", "layout": "A"}):
        assert view(open_table(**settings).table, Viewer("display"), 0).public.sign.insurance_pays == ()
