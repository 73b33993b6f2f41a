"""Two houses on one floor: each currency has its own balance, and a table shows the one in its own."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.page.conftest import Crowd


def test_a_balance_for_each_currency_in_the_lobby_and_the_tables_own_at_a_table(crowd: Crowd) -> None:
    casino = crowd.casino
    dollars = casino.open_table("super-six")
    hoiana = casino.open_table("dragon-tiger-commission", currency="")
    ann = crowd.player(hoiana, "ann")
    ann.sit(1)
    expect(ann.at("balance")).to_have_attribute("data-amount", "0")
    before = casino.balance(ann.person)

    ann.at("purse").click()
    ann.at("amount").fill("300")
    ann.at("move-money").click()
    expect(ann.at("money-problem")).to_contain_text("holds no HKD")

    pit = crowd.visit("pam", "/pit/people")
    name = pit.get_by_role("button", name=ann.person, exact=True)
    row = pit.get_by_test_id("people").locator("tbody tr").filter(has=name)
    row.get_by_role("button").click()
    pit.get_by_test_id("person-money").fill("500.50")
    pit.get_by_test_id("person-currency").fill("hkd")
    pit.get_by_test_id("person").get_by_role("button", name="Money").click()
    expect(row).to_contain_text("HKD 500.50")
    expect(row).to_contain_text(f"SGD {before / 100:,.2f}")

    ann.at("move-money").click()
    expect(ann.at("stack")).to_have_attribute("data-amount", "30000")
    expect(ann.at("balance")).to_have_attribute("data-amount", "20050")
    expect(ann.at("money")).to_contain_text("HKD 200.50")
    ann.at("close-purse").click()
    assert casino.balance(ann.person) == before

    ann.page.goto(casino.address + "/")
    balances = ann.at("balances")
    expect(balances.locator("[data-currency=HKD]")).to_have_text("HKD 500.50")  # chips on the table are still hers
    expect(balances.get_by_test_id("at-tables")).to_contain_text("HKD 300")
    expect(balances.locator("[data-currency=SGD]")).to_have_attribute("data-amount", str(before))
    stake = ann.page.locator("#stake")
    stake.select_option(label="HKD 25")
    expect(ann.page.locator(f"[data-table='{hoiana}']")).to_be_visible()
    expect(ann.page.locator(f"[data-table='{dollars}']")).to_have_count(0)

    ann.page.goto(f"{casino.address}/table/{dollars}")
    ann.sit(1)
    expect(ann.at("balance")).to_have_attribute("data-amount", str(before))
