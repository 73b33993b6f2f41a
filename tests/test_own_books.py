"""Games of one's own beside the six: libraries, what a book cannot say, layouts drawn before they are built."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.test_cli import refused, run

from puntobanco.rules.geometry import geometry_of
from puntobanco.rules.library import OURS, Library
from puntobanco.rules.load import GAMES, parse_book
from puntobanco.rules.model import UnknownName
from puntobanco.rules.read import BookError

EXAMPLES = Path(__file__).parents[1] / "examples"
NIGHT_MARKET = EXAMPLES / "books" / "night-market.toml"
TEXT = NIGHT_MARKET.read_text(encoding="utf-8")
HISTORY = """
table t-1
game {game}
layout A
limits 5 to 5000
electronic
float 100x100
open
sit ann 1
chips in ann 1000
shoe "shuffled by machine 3, 416 counted"
call
bet ann banker 100
close
deal Kh 9c 2d Kc
expect result banker
"""


def test_the_six_games_are_always_there() -> None:
    assert OURS.games == GAMES
    assert OURS.own == ()
    assert OURS.again() is OURS
    with pytest.raises(UnknownName, match="night-market"):
        OURS("night-market")


def test_a_library_of_a_folder_has_its_books_beside_the_six() -> None:
    library = Library(EXAMPLES / "books")
    assert library.own == ("bonus", "ez-baccarat", "harbour-house", "lucky", "night-market")
    assert library.games == (*GAMES, *library.own)
    assert library("night-market").title == "Night Market Baccarat"
    assert library("super-six") is OURS("super-six")
    with pytest.raises(UnknownName, match=r"no-game.*night-market"):
        library("no-game")


def test_no_two_books_are_one_game(tmp_path: Path) -> None:
    for name in ("one.toml", "two.toml"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    with pytest.raises(BookError, match=r"two.toml: 1 mistake\n  id: night-market is the game in .*one.toml already"):
        Library(tmp_path)
    ours = tmp_path / "one.toml"
    ours.write_text(TEXT.replace('"night-market"', '"super-six"'), encoding="utf-8")
    with pytest.raises(BookError, match="super-six is one of the six games"):
        Library(ours)
    assert Library(ours, instead=True)("super-six").title == "Night Market Baccarat"
    assert Library(ours, instead=True).games == GAMES


def test_a_folder_without_books_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="is a folder without a book"):
        Library(tmp_path)


def test_a_library_is_read_again_from_where_it_came(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(TEXT, encoding="utf-8")
    library = Library(tmp_path)
    (tmp_path / "one.toml").write_text(TEXT.replace("14 to 1", "15 to 1"), encoding="utf-8")
    assert library.again()("night-market").hash != library("night-market").hash
    (tmp_path / "one.toml").unlink()
    with pytest.raises(BookError):
        library.again()


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ("player_suited", "suits can be asked for in pairs only"),
        ("flush", "suits can be asked for in pairs only"),
        ("player_colour", "the colours of cards cannot be asked for"),
        ("red", "the colours of cards cannot be asked for"),
        ("player_third", "a third card's value cannot be asked for"),
        ("aces", "ranks cannot be counted"),
        ("rank_count", "ranks cannot be counted"),
        ("streak", "a bet cannot run over several rounds"),
        ("winer", "unknown feature; did you mean winner?"),
    ],
)
def test_conditions_that_no_book_can_have_are_refused_by_name(condition: str, says: str) -> None:
    wrong = TEXT.replace("when = { pairs = [1, 2] }", f"when = {{ {condition} = 1 }}")
    with pytest.raises(BookError) as error:
        parse_book(wrong)
    (problem,) = error.value.problems
    assert problem.key == f"bets[4] (twins).pays[0].when.{condition}"
    assert problem.message.startswith(says)


@pytest.mark.parametrize("key", ["jackpot", "progressive", "contribution"])
def test_a_progressive_jackpot_is_refused_by_name(key: str) -> None:
    wrong = TEXT.replace('name = "Twins"', f'name = "Twins"\n{key} = "1%"')
    with pytest.raises(BookError) as error:
        parse_book(wrong)
    (problem,) = error.value.problems
    assert problem.message.startswith("a progressive jackpot cannot be said in a book")


def test_a_layout_is_drawn_as_its_arrangement_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = run("rules", "--book", str(NIGHT_MARKET), "--draw").out.splitlines()
    assert out[0] == "layout A: The stall"
    assert out[4:9] == [
        "┌─────────────────────────────┬──────────────────┬─────────────────────────────┐",
        "│           Lantern           │       Tie        │            Twins            │",
        "│      6 to 1 … 14 to 1       │      8 to 1      │           5 to 1            │",
        "├─────────────────────────────┴──────────────────┴─────────────────────────────┤",
        "│                                  Banker 庄                                   │",
    ]
    assert out[-1] == "pay tables in the middle of the cloth: Lantern, Twins"


@pytest.mark.parametrize("game", GAMES)
def test_every_layout_of_every_game_is_drawn(game: str) -> None:
    out = run("rules", game, "--draw").out
    book = OURS(game)
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("layout ")] == [
        f"layout {code}" for code in book.layouts
    ]
    boxes = [box for layout in book.layouts.values() for row in geometry_of(book, layout).rows for box in row.boxes]
    assert all((box.label or book.bets[box.bet].name)[:5] in out for box in boxes)


def test_a_drawing_is_not_json() -> None:
    assert "take one of them" in refused("rules", "super-six", "--draw", "--json")


@pytest.fixture
def history(tmp_path: Path) -> Path:
    file = tmp_path / "history.txt"
    file.write_text(HISTORY.format(game="night-market"), encoding="utf-8")
    return file


def test_commission_that_a_book_states_is_booked_verified_and_reported(history: Path, tmp_path: Path) -> None:
    log, book = str(tmp_path / "log.jsonl"), str(NIGHT_MARKET)
    assert run("run", str(history), "--book", book, "--log", log).code == 0
    assert run("verify", log, "--book", book).code == 0
    commission = next(line for line in run("report", log, "--book", book).out.splitlines() if "commission" in line)
    assert commission.split()[-1] == "4.00"


def test_a_folder_of_books_is_as_good_as_a_file(history: Path) -> None:
    assert run("run", str(history), "--book", str(EXAMPLES / "books")).code == 0


def test_a_book_that_nothing_asks_for_is_not_passed_over(history: Path, tmp_path: Path) -> None:
    log, book = str(tmp_path / "log.jsonl"), str(EXAMPLES / "books" / "lucky.toml")
    history.write_text(HISTORY.format(game="super-six"), encoding="utf-8")
    assert run("run", str(history), "--log", log).code == 0
    for command in ("run", "verify", "report", "history"):
        file = str(history) if command == "run" else log
        assert (
            refused(command, file, "--book", book) == f"--book: {book} holds lucky, and what is read here is super-six"
        )
