"""The back office: a day against its expectation, drawn; devices and their credentials."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.page.browser import PHONE
from tests.page.conftest import Crowd
from tests.page.screens import at_rest
from tests.page.test_calm import SMALL, TOO_WIDE
from tests.page.test_screens import barriers

from puntobanco.table import commands as c


def test_a_day_is_drawn_beside_its_expectation(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    ann = f"ann-{crowd.number}"
    casino.seat(ann, table, 1)
    casino.bets(table, {ann: (1, {"player": 500_00})})
    casino.deal(table, "8h")
    casino.give("dan", table, c.Report("exposed_cards", "it jumped off the table", (1,)))
    page = crowd.visit("pam", "/pit/charts")
    page.get_by_test_id("chart-table").select_option(table)
    expect(page.locator("[data-family=exposed_cards]")).to_contain_text("1 ×")
    other = casino.open_table("super-six")
    casino.seat(ann, other, 1)
    casino.bets(other, {ann: (1, {"player": 500_00})})
    casino.deal(other, "2c 9h 3c Kh", "banker", 1)
    page.reload()
    page.get_by_test_id("chart-table").select_option(other)
    chart = page.get_by_test_id("chart-win")
    expect(chart).to_be_visible()
    assert "+500" in str(chart.get_attribute("aria-label"))
    player = page.locator(f"[data-person='{ann}']")
    expect(player).to_contain_text("−500")
    expect(player).to_contain_text("too few rounds")
    assert barriers(page, "main") == []
    page.set_viewport_size(PHONE)
    assert at_rest(page).evaluate(TOO_WIDE) <= 0
    assert page.evaluate(SMALL) == []


def test_the_administration_adds_and_removes_devices(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("super-six", shoe=False)
    page = crowd.visit("root", "/pit/devices")
    page.get_by_test_id("device-table").select_option(table)
    name = f"board {crowd.number}"
    page.get_by_test_id("device-name").fill(name)
    page.get_by_test_id("devices").locator("select").first.select_option("display")
    page.get_by_test_id("devices").get_by_role("button", name="Add a device").click()
    token = page.get_by_test_id("device-token").locator("code").inner_text()
    seen = page.context.request.get(
        f"{casino.address}/api/tables/{table}", headers={"authorization": f"Bearer {token}", "cookie": ""}
    )
    assert seen.ok, seen.text()
    assert barriers(page, "main") == []
    row = page.locator(f"[data-device='{name}']")
    expect(row).to_contain_text(f"Display · Table {table}")
    page.reload()
    expect(page.get_by_test_id("device-token")).to_have_count(0)
    row.get_by_test_id("remove-device").click()
    row.get_by_test_id("remove-device").click()
    expect(row).to_have_count(0)
    pit = crowd.visit("pam", "/pit")
    pit.get_by_test_id("pit-charts").wait_for()
    expect(pit.get_by_test_id("pit-devices")).to_have_count(0)
