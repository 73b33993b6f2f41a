"""Boxes are called by the numbers that the cloth prints, on every screen."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.page.casino import PAST
from tests.page.conftest import Crowd


def test_everybody_reads_the_number_on_the_cloth(crowd: Crowd) -> None:
    """Layout A of Tiger Buffalo has no 4: the fourth box is number 5."""
    table = crowd.casino.open_table("tiger-buffalo", PAST[:2])
    dealer, ann = crowd.dealer(table), crowd.player(table, "ann")
    expect(ann.at("sit-5")).to_have_text("5")
    ann.sit(5)
    ann.buy_in(5000)
    bob = crowd.player(table, "bob")
    expect(bob.at("stand-5")).to_have_text("5")
    expect(bob.at("stand-5")).to_have_attribute("aria-label", "Bet behind box 5")
    dealer.call()
    expect(ann.page.get_by_role("group", name="Box 5", exact=True)).to_be_visible()
    ann.bet(5, "banker", chip=100_00)
    drawn = ann.page.locator("[data-spot='5-banker']")
    expect(drawn).to_have_attribute("aria-label", "Banker in box 5: 100 on it")
    expect(ann.at("bet-5-banker")).to_contain_text("Banker in box 5: 100 on it")
    crowd.casino.deal(table, "2h Ks 3c 2d 9d 4h")
    dealer.announce("banker")
    expect(dealer.at("box-5").locator(".number-of-box")).to_have_text("5")
    expect(dealer.step).to_contain_text("Take and pay at box 5")
    pit = crowd.pit(table, "pam")
    expect(pit.at("table-desk").get_by_role("row", name=ann.person)).to_contain_text("Box 5")
    expect(pit.at("table-desk")).to_contain_text("Take and pay at box 5")
    dealer.pay()
    ann.open_tab("receipt")
    expect(ann.at("receipt")).to_contain_text("Box 5")
    watch = crowd.surveillance(table)
    watch.at("round-1-3").click()
    watch.at("replay-last").click()
    expect(watch.page.locator("main")).to_contain_text("Box 5")
    watch.page.goto(f"{crowd.casino.address}/surveillance/t/{table}/log")
    placed = watch.at("event-log").get_by_role("row").filter(has_text="Banker 100")
    expect(placed.first).to_contain_text("box 5")
