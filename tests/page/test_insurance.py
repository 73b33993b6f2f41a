"""Insurance: offered with its odds and cap, taken by one player, forgone by another, and paid."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.page.conftest import Crowd


def test_insurance_is_taken_and_paid(crowd: Crowd) -> None:
    """Player 5 against Banker 4: 3 to 2 on Player, which loses 3 to 4."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    dealer = crowd.dealer(table)
    ann, bob = crowd.player(table, "ann", 1), crowd.player(table, "bob", 2)
    display = crowd.display(table)
    everybody = (dealer, ann, bob, display)
    casino.bets(table, {ann.person: (1, {"player": 100_00}), bob.person: (2, {"player": 100_00})})
    casino.deal(table, "5h 4h Tc Js")
    dealer.waits_for("close_insurance")
    offer = ann.at("insure-player")
    expect(offer).to_contain_text("pays 3 to 2")
    offer.get_by_role("textbox").fill("40")
    ann.at("insure").click()
    expect(ann.at("insured")).to_contain_text("40")
    bob.at("pass-insurance").click()
    bob.at("pass-insurance").wait_for(state="detached")
    expect(bob.at("insure-player")).to_be_visible()  # until the next card a player may still change their mind
    for screen in everybody:
        screen.agrees()
    dealer.deal("8s")
    bob.at("insurance").wait_for(state="detached")
    dealer.announce("banker")
    dealer.pay()
    for screen in everybody:
        screen.agrees()
    crowd.pit(table, "pam").agrees()
    crowd.surveillance(table).agrees()
    table_now = casino.fold(table)
    paid = [line for line in table_now.past[-1].lines if line.bet == "player_insurance"]
    assert [(line.person, line.profit) for line in paid] == [(ann.person, 60_00)]
    assert (ann.at("stack").inner_text(), bob.at("stack").inner_text()) == ("4,960", "4,900")


def test_an_amount_over_the_cap_is_not_offered(crowd: Crowd) -> None:
    """The page says what is possible before anything is sent."""
    table = crowd.casino.open_table("tiger-buffalo")
    ann = crowd.player(table, "ann", 1)
    crowd.casino.bets(table, {ann.person: (1, {"player": 100_00})})
    crowd.casino.deal(table, "5h 4h Tc Js")
    ann.at("insure-player").get_by_role("textbox").fill("105")
    expect(ann.at("insure")).to_be_disabled()
    ann.at("insure-player").get_by_role("textbox").fill("100")
    expect(ann.at("insure")).to_be_enabled()
