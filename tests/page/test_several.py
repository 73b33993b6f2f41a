"""Two tables in one window, bets that are put by, and what everybody bets."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect
from tests.page.browser import PHONE, TABLET
from tests.page.casino import PAST
from tests.page.conftest import Crowd
from tests.page.screens import at_rest
from tests.page.test_calm import LYING, SHIFTS, SMALL, TOO_WIDE, shifts
from tests.page.test_screens import barriers

from puntobanco.table import commands as c


def place(panel: Locator, bet: str, chip: int, total: int) -> None:
    panel.get_by_test_id(f"chip-{chip}").click()
    panel.locator(f"[data-bet={bet}]").click()
    expect(panel.get_by_test_id("on-layout")).to_have_attribute("data-amount", str(total))


def test_two_tables_are_played_side_by_side(crowd: Crowd) -> None:
    casino, ann = crowd.casino, f"ann-{crowd.number}"
    tables = [casino.open_table("super-six", PAST), casino.open_table("rws-baccarat", PAST[:4])]
    for table in tables:
        casino.seat(ann, table, 1)
    page: Page = crowd.visit(ann, "/")
    page.get_by_test_id("together").click()
    first, second = (page.get_by_test_id(f"several-{table}") for table in tables)
    for table in tables:
        casino.give("dan", table, c.Call())
    for panel in (first, second):
        expect(panel.get_by_test_id("phase")).to_have_attribute("data-phase", "betting")
    for number, size in enumerate((PHONE, LYING, TABLET), 1):
        page.set_viewport_size(size)
        at_rest(page).evaluate(SHIFTS)
        place(first, "player", 100_00, number * 100_00)
        assert shifts(page) == []
        assert page.evaluate(SMALL) == []
        assert page.evaluate(TOO_WIDE) <= 0
    place(second, "banker", 25_00, 25_00)
    assert barriers(page, "main") == []
    casino.deal(tables[0], "9h 2c Kh 3c", "player", 1)
    expect(first.locator("[data-result=player]")).to_be_visible()
    expect(first.get_by_test_id("stack")).to_have_attribute("data-amount", str(5_300_00))
    expect(second.get_by_test_id("on-layout")).to_have_attribute("data-amount", str(25_00))
    casino.give("dan", tables[0], c.Call())
    first.get_by_test_id("rebet").click()
    expect(first.get_by_test_id("on-layout")).to_have_attribute("data-amount", str(300_00))
    second.get_by_role("link").first.click()
    page.get_by_test_id("tray").wait_for()


def test_bets_are_put_by_and_made_again_and_everybodys_are_counted(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("super-six", PAST[:3])
    bob = f"bob-{crowd.number}"
    casino.seat(bob, table, 2)
    ann = crowd.player(table, "ann", 1)
    casino.bets(table, {bob: (2, {"banker": 300_00})})
    ann.bet(1, "player", chip=100_00)
    ann.at("saved").click()
    ann.at("save-bets").click()
    expect(ann.at("saved-0")).to_have_text("Player 100")
    assert barriers(ann.page, "[data-testid=saved-list]") == []
    share = {hand: ann.at("share").locator(f"[data-share={hand}]") for hand in ("player", "tie", "banker")}
    for hand, percent in (("player", 25), ("tie", 0), ("banker", 75)):
        expect(share[hand]).to_have_attribute("data-percent", str(percent))
    ann.at("saved-0").click()
    ann.confirmed(1, "player", 200_00)
    ann.at("clear").click()
    expect(ann.at("on-layout")).to_have_attribute("data-amount", "0")
    ann.page.reload()
    ann.at("saved").click()
    ann.at("saved-0").click()
    ann.confirmed(1, "player", 100_00)
