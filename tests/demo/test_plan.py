"""What the demo floor is made of: tables that the books allow, room for people, bots that know no rule."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puntobanco.demo
from puntobanco.cli import main
from puntobanco.demo.plan import GUESTS, TABLES, TablePlan, bots, is_bot
from puntobanco.demo.process import DemoError, DemoPlan, running
from puntobanco.demo.shoe import HandShoe
from puntobanco.floor.wire import ROLES
from puntobanco.rules.load import GAMES, find_book
from puntobanco.rules.policies import SqueezeBy
from puntobanco.table.settings import check_settings
from puntobanco.views.public import ShoeSeen

FOLDER = Path(puntobanco.demo.__file__).parent
ACTORS = ("bot", "players", "dealers", "pit", "mistakes", "ruling", "bots")


def test_there_is_a_table_of_every_game_half_of_them_live() -> None:
    assert sorted(plan.game for plan in TABLES) == sorted(GAMES)
    assert sum(bool(plan.dealer) for plan in TABLES) == 3


@pytest.mark.parametrize("plan", TABLES, ids=lambda plan: plan.name)
@pytest.mark.parametrize("speed", [0.01, 1.0, 1000.0])
def test_every_table_is_one_that_its_book_allows(plan: TablePlan, speed: float) -> None:
    settings = plan.opening(speed).settings
    check_settings(settings, find_book(plan.game))
    assert settings.electronic is not bool(plan.dealer)


@pytest.mark.parametrize("plan", TABLES, ids=lambda plan: plan.name)
def test_a_table_promises_a_squeeze_where_its_book_has_one(plan: TablePlan) -> None:
    has_one = plan.face_down and plan.book.policies.squeeze.value is not SqueezeBy.NONE
    assert ("squeeze" in plan.about) == plan.face_down == has_one


def test_live_and_electronic_tables_have_a_squeeze() -> None:
    assert {bool(plan.dealer) for plan in TABLES if plan.face_down} == {True, False}


@pytest.mark.parametrize("plan", TABLES, ids=lambda plan: plan.name)
def test_people_find_free_boxes_at_every_table(plan: TablePlan) -> None:
    taken = {seat.box for seat in plan.seats if seat.seated}
    assert taken <= set(find_book(plan.game).layouts[plan.layout].printed(plan.positions))
    assert plan.positions - len(taken) >= 2
    assert all(seat.box in taken for seat in plan.seats)


def test_there_is_a_sign_in_for_every_role_and_bots_are_known_by_their_names() -> None:
    assert {guest.role for guest in GUESTS} == set(ROLES)
    names = [person.name for person in (*GUESTS, *bots())]
    assert len(names) == len(set(names))
    assert all(is_bot(bot.name) for bot in bots())
    assert not any(is_bot(guest.name) for guest in GUESTS)


@pytest.mark.parametrize("module", ACTORS)
def test_bots_know_no_rule(module: str) -> None:
    """They see views and send commands; what decides, settles or reads books is not for them."""
    knowing = ("bets", "coup", "outcomes", "insurance", "literal", "odds", "roads", "rules.load", "table.engine")
    tree = ast.parse((FOLDER / f"{module}.py").read_text(encoding="utf-8"))
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not imported & {f"puntobanco.{name}" for name in knowing}


def seen(size: int, left: int, number: int = 1) -> ShoeSeen:
    return ShoeSeen(number, size, left, 0, 0, False, False, False, False, None, "")


@given(st.integers(1, 8), st.data())
def test_a_shoe_dealt_by_hand_gives_each_card_of_its_decks_once(decks: int, data: st.DataObject) -> None:
    shoe, size = HandShoe(decks, 1, whole=True), 52 * decks
    shoe.cut(data.draw(st.integers(1, size - 1)))
    cards = []
    for left in range(size, 0, -1):
        assert shoe.fits(seen(size, left))
        cards.append(shoe.draw(seen(size, left)))
    assert all(cards.count(card) == decks for card in set(cards))
    assert len(set(cards)) == 52
    drawn = data.draw(st.integers(6, size))
    for number in range(1, 7):
        assert shoe.lying(seen(size, size - drawn), 6, number) is cards[drawn - 7 + number]


def test_a_shoe_that_somebody_else_has_dealt_from_is_not_ours_any_more() -> None:
    shoe = HandShoe(8, 3, whole=True)
    shoe.draw(seen(416, 416, 3))
    assert shoe.fits(seen(416, 415, 3))
    assert shoe.fits(seen(416, 416, 3)), "the card went back"
    assert not shoe.fits(seen(416, 414, 3))
    assert not shoe.fits(seen(416, 415, 4))


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(DemoError, match="holds something else"), running(DemoPlan(tmp_path, fresh=True)):
        pass
    assert (tmp_path / "letter.txt").read_text() == "dear"
    with pytest.raises(DemoError, match="cannot be used"), running(DemoPlan(tmp_path / "letter.txt")):
        pass


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--pace", "0"], "--pace 0: 0.01 to 1000"),
        (["--pace", "nan"], "--pace nan"),
        (["--mistakes", "2"], "--mistakes 2: a chance"),
        (["--port", "70000"], "--port 70000"),
        (["--port", "x"], "port"),
    ],
)
def test_bad_options_are_refused_with_a_message(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["demo", *arguments])
    assert ended.value.code == 2
    assert complaint in capsys.readouterr().err
