"""The pit: chips to and from the cage by two signatures, and disputes from the player's word to the answer."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect
from tests.page.casino import seen_by
from tests.page.conftest import Crowd
from tests.page.reading import amount
from tests.page.screens import PitScreen, PlayerScreen

from puntobanco.table import events as e


def come(pit: PitScreen) -> None:
    """To the table, so that it says what one may do there."""
    pit.at("sign-on").click()
    pit.at("more-actions").wait_for()


def opened(pit: PitScreen, where: str, do: str) -> Locator:
    """The form of an action."""
    pit.at(where).get_by_test_id(f"do-{do}").click()
    form = pit.page.get_by_role("dialog").get_by_test_id("action-form")
    expect(form).to_have_attribute("data-do", do)
    return form


def sent(form: Locator) -> None:
    form.get_by_test_id("action-send").click()
    form.wait_for(state="detached")


def ask_for(pit: PitScreen, kind: str, **chips: int) -> None:
    form = opened(pit, "fills", "request_fill")
    form.get_by_test_id("ask-kind").locator("label").filter(has_text=kind).click()
    for value, count in chips.items():
        field = (
            form.get_by_test_id("ask-chips").locator("label").filter(has_text=re.compile(rf"^\s*{value.strip('_')} ×"))
        )
        field.first.get_by_role("textbox").fill(str(count))
    sent(form)


def books(pit: PitScreen) -> None:
    """Check the money of the table that the console shows against the log."""
    view = seen_by(pit.casino.fold(pit.table), pit.viewer)
    assert view.books
    for name, sum_ in (("Tray", view.books.tray), ("Fills", view.books.fills), ("Credits", view.books.credits)):
        row = pit.at("books").locator("div").filter(has_text=name).first
        expect(row.locator("dd")).to_have_text(amount(sum_))


def test_a_fill_and_a_credit_need_two_people_and_the_tray_follows(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    sam, pam = crowd.pit(table, "sam"), crowd.pit(table, "pam")
    dealer = crowd.dealer(table)
    come(sam)
    tray = casino.fold(table).balances["tray"]
    ask_for(sam, "Fill", _100=20, _25=4)
    own = sam.page.locator("[data-testid=approval]")
    expect(own).to_contain_text("2,100.00")
    expect(own.get_by_test_id("approve")).to_be_disabled()
    expect(dealer.page.locator("aside")).to_contain_text("2,100")
    books(sam)
    pam.approve()
    assert casino.fold(table).balances["tray"] == tray + 2_100_00
    for pit in (sam, pam):
        books(pit)
    ask_for(sam, "Credit", _100=5)
    pam.approve()
    ask_for(sam, "Credit", _100=9)
    expect(own).to_contain_text("900.00")
    own.get_by_test_id("decline").click()
    own.wait_for(state="detached")
    for pit in (sam, pam):
        books(pit)
    signed = [record.event for record in casino.records(table) if isinstance(record.event, e.FillSigned)]
    assert [(event.kind, event.amount, event.signatures) for event in signed] == [
        ("fill", 2_100_00, ("sam", "pam")),
        ("credit", 500_00, ("sam", "pam")),
    ]
    assert casino.fold(table).balances["tray"] == tray + 1_600_00


def lost_tie(crowd: Crowd, table: str) -> PlayerScreen:
    """ann, after a round in which she lost a bet on the tie."""
    dealer, ann = crowd.dealer(table), crowd.player(table, "ann", 1)
    dealer.call()
    ann.bet(1, "tie", chip=100_00)
    dealer.close()
    dealer.deal("9h 8c Kd Ks")
    dealer.announce("player")
    dealer.pay()
    return ann


def note(pit: PitScreen, what: str, words: str) -> None:
    form = opened(pit, "disputes", "note_on_dispute")
    if form.get_by_test_id("ask-what").count():
        form.get_by_test_id("ask-what").get_by_text(what).click()
    form.get_by_test_id("ask-note").get_by_role("textbox").fill(words)
    sent(form)


def test_a_dispute_is_raised_decided_and_answered(crowd: Crowd) -> None:
    """Hoiana 8: ann says that both had 9; the Pit Manager finds out, pays half, and she agrees."""
    casino = crowd.casino
    table = casino.open_table("dragon-tiger-commission")
    ann = lost_tie(crowd, table)
    pam = crowd.pit(table, "pam")
    come(pam)
    ann.open_tab("receipt")
    ann.at("dispute-round").click()
    expect(ann.at("dispute-number")).to_have_value("1")
    ann.at("dispute-about").fill("both had 9")
    ann.at("raise-dispute").click()
    expect(ann.at("dispute-1")).to_contain_text("being looked into")
    expect(pam.at("disputes")).to_contain_text("both had 9")
    note(pam, "Passed on", "she does not accept what the dealer says")
    note(pam, "What was found out", "the discard holder: 9h 8c Kd Ks")
    expect(pam.at("disputes").get_by_test_id("do-decide_dispute")).to_have_class(re.compile("refused"))  # 8.2
    note(pam, "Surveillance was asked", "camera 4, 12:03")
    form = opened(pam, "disputes", "decide_dispute")
    form.get_by_test_id("ask-decision").get_by_role("textbox").fill("half of it for good will")
    form.get_by_test_id("ask-grounds").get_by_text("Surveillance").click()
    form.get_by_test_id("ask-pays").get_by_role("textbox").fill("50")
    sent(form)
    expect(ann.at("dispute-1")).to_contain_text("half of it for good will")
    expect(ann.page.locator("main")).not_to_contain_text("discard holder")
    expect(ann.at("stack")).to_have_attribute("data-amount", str(4_950_00))
    ann.at("dispute-1").get_by_role("button", name="I agree").click()
    expect(ann.at("dispute-1")).to_have_count(0)
    expect(pam.at("disputes")).not_to_contain_text("both had 9")
    assert casino.fold(table).disputes == {}
    events = casino.events(table)
    assert [event for event in events if event.startswith("dispute")] == [
        "dispute_raised",
        "dispute_noted",
        "dispute_noted",
        "dispute_noted",
        "dispute_decided",
        "dispute_answered",
    ]
    ann.agrees()
