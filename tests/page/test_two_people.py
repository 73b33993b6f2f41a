"""What one person alone does not decide: a PIN at the dealer's console, and a scanner beside the dealer's keys."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect
from tests.page.casino import PIN
from tests.page.conftest import Crowd
from tests.page.screens import DealerScreen, PlayerScreen

from puntobanco.cards import Card
from puntobanco.table import commands as c
from puntobanco.table import events as e


def signed(form: Locator, person: str, pin: str) -> None:
    form.get_by_test_id("second-person").fill(person)
    form.get_by_test_id("second-pin").fill(pin)
    form.get_by_test_id("action-send").click()


def test_a_supervisor_approves_by_pin_at_the_dealers_console(crowd: Crowd) -> None:
    """Tiger Buffalo 5.8: a wrong PIN and the dealer's own name approve nothing."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    dealer, ann = betting(crowd, table)
    casino.deal(table, "6h 7c Kd Ks")
    dealer.waits_for("announce")
    dealer.astray("9d", "Banker")
    dealer.rule("reconstruct")
    dealer.waits_for("approve")
    aside = dealer.page.locator("aside")
    aside.get_by_test_id("approve-1").click()
    form = aside.get_by_test_id("action-form")
    version = dealer.version
    signed(form, "sam", "0000")
    expect(form.get_by_role("alert")).to_be_visible()
    expect(form.get_by_test_id("second-pin")).to_have_value("")
    signed(form, "dan", PIN)
    expect(form.get_by_role("alert")).to_be_visible()
    assert dealer.version == version
    signed(form, "sam", PIN)
    dealer.waits_for("announce")
    casino.pay(table, "banker", 1)
    for screen in (dealer, ann):
        screen.agrees()
    given = [record.event for record in casino.records(table) if isinstance(record.event, e.RulingGiven)]
    assert [(event.by, event.approved_by) for event in given] == [("dan", "sam")]


def betting(crowd: Crowd, table: str) -> tuple[DealerScreen, PlayerScreen]:
    dealer, ann = crowd.dealer(table), crowd.player(table, "ann", 1)
    crowd.casino.bets(table, {ann.person: (1, {"player": 100_00})})
    return dealer, ann


def test_a_scanner_and_the_dealer_name_the_same_card(crowd: Crowd) -> None:
    """The scanner reads every card as it leaves the shoe; the dealer keys what he turns."""
    casino = crowd.casino
    table = casino.open_table("super-six")
    dealer, ann = betting(crowd, table)
    casino.deal(table, "")
    for number, card in enumerate(("9h", "4d", "Ts", "4c"), 1):
        dealer.waits_for("draw")
        casino.scan(table, c.Draw(Card(card)))
        dealer.waits_for("turn")
        for screen in (dealer, ann):
            screen.agrees()  # nobody sees it yet
        if number % 2:
            dealer.turn(card)
        else:
            dealer.page.keyboard.type(card)
    dealer.waits_for("announce")
    casino.pay(table, "player", 1)
    for screen in (dealer, ann):
        screen.agrees()
    assert "incident_opened" not in casino.events(table)


def test_a_scanner_and_the_dealer_name_different_cards(crowd: Crowd) -> None:
    """Both readings are shown and play stands still, until two people say which card it is."""
    casino = crowd.casino
    table = casino.open_table("super-six")
    dealer, ann = betting(crowd, table)
    casino.deal(table, "")
    casino.scan(table, c.Draw(Card("9h")))
    dealer.turn("6h")
    dealer.waits_for("propose")
    expect(dealer.at("incident-1")).to_contain_text("read 9 of Hearts, keyed 6 of Hearts")
    expect(dealer.at("incident-1")).to_contain_text("Play stands still")
    expect(ann.at("wait")).to_have_text(re.compile(r"differently paragraph 3\.6\s*$"))
    for screen in (dealer, ann):
        screen.agrees()
    aside = dealer.page.locator("aside")
    aside.get_by_test_id("ruling-value").click()
    aside.get_by_test_id("action-form").get_by_test_id("card-6h").click()
    dealer.send("both looked at it")
    aside.get_by_test_id("approve-1").click()
    signed(aside.get_by_test_id("action-form"), "sam", PIN)
    dealer.waits_for("draw")
    casino.deal(table, "4d Ts 4c", "banker", 1, after="6h")  # Player 6, Banker 8
    for screen in (dealer, ann):
        screen.agrees()
    assert ann.at("stack").inner_text() == "4,900"
