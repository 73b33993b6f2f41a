"""A player holds himself to a loss limit and takes a break; the server refuses what is beyond them."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.page.conftest import Crowd
from tests.page.test_screens import barriers

from puntobanco.table import commands as c


def test_own_limits_are_set_felt_and_shown(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("super-six")
    ann = crowd.player(table, "ann", 1)
    casino.give("dan", table, c.Call())
    ann.open_tab("you")
    ann.at("own-loss").fill("100")
    ann.at("own-set").click()
    expect(ann.at("own-used")).to_have_attribute("data-lost", "0")
    ann.bet(1, "player", chip=25_00)
    ann.pick(100_00)
    ann.page.locator("[data-box='1'] [data-bet=player]").click()
    expect(ann.at("refusal-1-player")).to_have_attribute("data-code", "own_loss")
    expect(ann.at("refusal-1-player")).to_contain_text("75")
    ann.at("offer-1-player").click()
    ann.confirmed(1, "player", 100_00)

    ann.at("own-loss").fill("1000")
    ann.at("own-set").click()
    expect(ann.at("own-later")).to_contain_text("1,000")
    expect(ann.at("own-used")).to_have_attribute("data-lost", "10000")
    casino.deal(table, "2c 9h 3c Kh", "banker", 1)
    casino.give("dan", table, c.Call())
    expect(ann.at("phase")).to_have_attribute("data-phase", "betting")
    ann.pick(25_00)
    ann.page.locator("[data-box='1'] [data-bet=player]").click()
    expect(ann.at("refusal-1-player")).to_have_attribute("data-code", "own_loss")
    expect(ann.at("offer-1-player")).to_have_count(0)
    assert barriers(ann.page, "[data-testid=own-limits]") == []

    ann.at("own-break-begin").click()
    ann.at("own-break-begin").click()
    expect(ann.at("own-away")).to_be_visible()
    ann.page.locator("[data-box='1'] [data-bet=banker]").click()
    expect(ann.at("refusal-1-banker")).to_have_attribute("data-code", "own_break")
    ann.at("purse").click()
    ann.page.get_by_test_id("leave").click()
    ann.at("join").wait_for()
