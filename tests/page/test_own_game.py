"""A game of somebody's own: from an empty file to bets that are settled on the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.floor.serving import Nursery, new_folder
from tests.page.browser import build_page
from tests.page.casino import Casino
from tests.page.conftest import Crowd
from tests.test_cli import run

GAME = """
id = "back-room"
title = "Back Room Baccarat"
currency = "SGD"

[decks]
least = 8
most = 8
paragraph = "1"

[commission]
form = "at_once"
rate = "4%"
bets = ["banker"]
paragraph = "2.3"

[[bets]]
code = "player"
hand = "player"
paragraph = "2.1"
pays = [{ odds = "1 to 1", when = { winner = "player" }, paragraph = "2.1" }]
returns = [{ when = { winner = "tie" }, paragraph = "2.4" }]

[[bets]]
code = "banker"
hand = "banker"
paragraph = "2.2"
pays = [{ odds = "0.96 to 1", when = { winner = "banker" }, paragraph = "2.2" }]
returns = [{ when = { winner = "tie" }, paragraph = "2.4" }]

[[bets]]
code = "six_up"
name = "Six Up"
paragraph = "3"
pays = [{ odds = "17 to 1", when = { winner = "banker", banker_total = 6, cards = 6 }, paragraph = "3" }]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """What its author has at first."""
    found = tmp_path / "back-room.toml"
    found.touch()
    return found


@pytest.fixture
def own(file: Path, browser: Browser, nursery: Nursery) -> Iterator[Crowd]:
    """People in front of a floor that has the game, once the file holds one."""
    assert "id: missing" in run("rules", "--book", str(file)).err
    file.write_text(GAME, encoding="utf-8")
    assert "Six Up" in run("rules", "--book", str(file), "--draw").out
    build_page()
    with new_folder() as folder:
        casino = Casino(nursery, folder, [], books=str(file.parent))
        crowd = Crowd(browser, casino, [])
        yield crowd
        crowd.leave(failed=True)
        casino.server.kill()
        assert not crowd.errors
        assert "Traceback" not in casino.server.log()


def test_from_an_empty_file_to_bets_settled_on_the_page(file: Path, own: Crowd, tmp_path: Path) -> None:
    casino = own.casino
    table = casino.open_table("back-room")
    dealer = own.dealer(table)
    ann = own.player(table, "ann", 1)
    before = int(ann.at("stack").get_attribute("data-amount") or 0)
    dealer.call()
    ann.bet(1, "banker", chip=100_00)
    ann.bet(1, "six_up", chip=5_00)
    dealer.close()
    dealer.deal("2h Ks 3c 2d 9d 4h")  # Player 4, Banker 6 with three cards each
    dealer.announce("banker")
    dealer.pay()
    for screen in (dealer, ann):
        assert screen.agrees().public.sign.title == "Back Room Baccarat"
    assert int(ann.at("stack").get_attribute("data-amount") or 0) == before + 96_00 + 17 * 5_00
    assert casino.fold(table).balances["commission"] == 4_00
