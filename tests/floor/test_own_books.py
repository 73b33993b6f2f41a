"""Games of the house's own on a floor: a folder of books, played, priced, verified and watched like the six."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.floor.indoors import Indoors, code_of, indoors
from tests.test_cli import refused

from puntobanco.floor.wire import OpenPlan
from puntobanco.rules.library import Library
from puntobanco.rules.load import GAMES
from puntobanco.table.settings import LIVE, TableSettings

BOOK = Path(__file__).parents[2] / "examples" / "books" / "night-market.toml"
GAME = "night-market"


@pytest.fixture
def books(tmp_path: Path) -> Path:
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / BOOK.name).write_bytes(BOOK.read_bytes())
    return folder


@pytest.fixture
def house(books: Path) -> Iterator[Indoors]:
    with indoors(books=str(books)) as found:
        found.open(TableSettings(table="N1", game=GAME, layout="A", positions=7, decks=8, automated=LIVE))
        yield found


def test_a_floor_plays_prices_stops_and_verifies_games_of_its_own(house: Indoors) -> None:
    assert [each["game"] for each in house.must("ann", "GET", "/api/games")] == [*GAMES, GAME]
    odds = house.must("ann", "GET", f"/api/odds/{GAME}")
    assert [bet["code"] for bet in odds["bets"]] == ["player", "banker", "tie", "lantern", "twins"]
    assert house.must("ann", "GET", f"/api/odds/{GAME}") == odds
    house.must("dan", "POST", "/api/tables/N1/commands", {"id": "a", "body": {"do": "new_shoe", "evidence": "new"}})
    house.must("dan", "POST", "/api/tables/N1/commands", {"id": "b", "body": {"do": "call"}})
    assert house.must("sue", "POST", "/api/tables/N1/verify")["ok"]
    assert house.must("sue", "GET", "/api/figures")[0]["table"] == "N1"
    assert house.must("root", "POST", "/api/self-check") == {"ok": True, "found": []}
    assert house.floor.audit_all() == []
    house.must("mia", "POST", "/api/stops", {"kind": "game", "name": GAME, "why": "a new pay table"})
    house.restart()
    assert house.view("sue", "N1")["public"]["sign"]["title"] == "Night Market Baccarat"


def test_a_book_that_was_changed_closes_the_tables_until_somebody_approves_it(house: Indoors, books: Path) -> None:
    file = books / BOOK.name
    file.write_text(file.read_text(encoding="utf-8").replace("14 to 1", "15 to 1"), encoding="utf-8")
    changed = {"ok": False, "found": [f"the book {GAME} is another one"]}
    assert house.must("root", "POST", "/api/self-check") == changed
    assert code_of(house.give("dan", "N1", "a", {"do": "call"})) == "table_closed"
    file.write_text("id = 7", encoding="utf-8")
    (found,) = house.must("root", "POST", "/api/self-check")["found"]
    assert found.startswith("a book cannot be used any more")
    file.write_bytes(BOOK.read_bytes())
    assert house.must("root", "POST", "/api/self-check")["ok"]


def test_a_book_that_was_added_is_approved_first(house: Indoors, books: Path) -> None:
    (books / "lucky.toml").write_bytes((BOOK.parent / "lucky.toml").read_bytes())
    house.restart()
    assert house.must("root", "POST", "/api/self-check") == {"ok": False, "found": ["the book lucky was added"]}
    house.floor.sign_manifest("root", "the lucky game")
    assert house.must("root", "POST", "/api/self-check")["ok"]
    lucky = TableSettings(table="L1", game="lucky", layout="A", positions=7, decks=8, automated=LIVE)
    house.must("mia", "POST", "/api/tables", OpenPlan(lucky))


def test_a_floor_without_the_book_says_what_is_missing(house: Indoors) -> None:
    house.restart(books="")
    faults = house.must("", "GET", "/health")["faults"]
    assert faults["*"] == f"the self-check found: the book {GAME} is missing"
    assert GAME in faults["N1"]


def test_books_that_cannot_be_used_are_told_before_anything_is_served(tmp_path: Path) -> None:
    missing = str(tmp_path / "nowhere")
    assert refused("serve", "--folder", str(tmp_path / "floor"), "--port", "0", "--books", missing) == (
        f"{missing} cannot be read: No such file or directory"
    )
    assert not (tmp_path / "floor").exists()


def test_settings_name_the_folder(tmp_path: Path, books: Path) -> None:
    assert Library(books).own == (GAME,)
    config = tmp_path / "floor.toml"
    config.write_text("books = 7\n")
    assert "books = 7: expected text" in refused("serve", "--config", str(config))
