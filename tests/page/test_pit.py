"""The pit: chips from and to the cage, disputes, tables opened and closed, people and their ranks, reports."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, Route, expect
from tests.floor.serving import PASSWORD
from tests.page.casino import seen_by
from tests.page.conftest import Crowd
from tests.page.reading import amount
from tests.page.screens import PitScreen, PlayerScreen

from puntobanco.demo.plan import FLOAT
from puntobanco.table import commands as c
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
    ann = crowd.player(table, "ann", 1)
    crowd.casino.bets(table, {ann.person: (1, {"tie": 100_00})})
    crowd.casino.deal(table, "9h 8c Kd Ks", "player", 1)
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
    casino.give("dan", table, c.Approve(min(casino.fold(table).proposals)))  # what it pays takes two people (8.4)
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


def test_a_table_is_opened_with_other_limits_and_closed_after_the_count(crowd: Crowd) -> None:
    casino = crowd.casino
    like = casino.open_table("super-six")
    page = crowd.visit("pam", "/pit/open")
    name = f"{like}-high"
    page.get_by_test_id("open-like").select_option(like)
    form = page.get_by_test_id("open-table")
    expect(form.get_by_label("Seconds to bet")).to_have_value("900")  # it is copied
    form.get_by_label("Minimum, Player and Banker").fill("200")
    form.get_by_label("Maximum", exact=True).fill("20000")
    page.get_by_test_id("open-name").fill(name)
    page.get_by_test_id("open-send").click()
    page.get_by_test_id("table-desk").wait_for()
    pam = PitScreen(page, casino, name, "pam")
    settings = casino.fold(name).settings
    assert (settings.limits.minimum, settings.limits.maximum) == (200_00, 20_000_00)
    assert settings.differential == casino.fold(like).settings.differential
    casino.give("dan", name, c.NewShoe("machine 3, 416 counted"), c.Call())
    ann = crowd.player(name, "ann", 1)
    ann.pick(100_00)
    ann.page.locator("[data-box='1'] [data-bet=player]").click()
    expect(ann.page.locator(".refusal")).to_contain_text("200")  # what would fit, at the chip
    come(pam)
    close = pam.page.get_by_test_id("do-close_table")
    expect(close).to_have_class(re.compile("refused"))  # the round, and ann's chips
    casino.deal(name, "8h 2c Kd 5s", "player")
    casino.give(ann.person, name, c.CashOut(ann.person, 5_000_00), c.Leave(ann.person))
    expect(close).not_to_have_class(re.compile("refused"))
    close.click()
    dialog = pam.page.get_by_role("dialog").get_by_test_id("action-form")
    for value, count in FLOAT.items():
        dialog.get_by_test_id("ask-count").locator("label").filter(has_text=chips_of(value)).get_by_role(
            "textbox"
        ).fill(str(count))
    sent(dialog)
    expect(pam.at("table-desk")).to_contain_text("Closed")
    closed = casino.records(name)[-1].event
    assert isinstance(closed, e.TableClosed)
    assert (closed.result, closed.difference) == (0, 0)


def test_limits_are_changed_in_a_round_and_hold_from_the_next(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    ann, pam, board = crowd.player(table, "ann", 1), crowd.pit(table, "pam"), crowd.display(table)
    come(pam)
    casino.give("dan", table, c.Call())
    form = opened(pam, "limits", "set_limits")
    form.get_by_test_id("ask-bet").get_by_role("combobox").select_option(label="All bets without their own")
    for field, value in (("minimum", "200"), ("maximum", "20000"), ("step", "100")):
        form.get_by_test_id(f"ask-{field}").get_by_role("textbox").fill(value)
    sent(form)
    form = opened(pam, "limits", "set_differential")
    form.get_by_test_id("ask-limit").get_by_role("textbox").fill("30000")
    form.get_by_test_id("ask-scope").get_by_text("over the table").click()
    sent(form)
    for screen in (pam, board):
        expect(screen.at("limits-change")).to_have_text("New limits from the next round")
    ann.bet(1, "player", chip=100_00)  # this round is by the old sign
    casino.deal(table, "9h 8c Kd Ks", "player", 1)
    casino.give("dan", table, c.Call())
    expect(board.at("limits-change")).to_have_count(0)
    expect(board.page.locator("body")).to_contain_text("30,000")
    ann.pick(100_00)
    ann.page.locator("[data-box='1'] [data-bet=player]").click()
    expect(ann.page.locator(".refusal")).to_contain_text("200")
    settings = casino.fold(table).terms
    assert (settings.limits.minimum, settings.limits.maximum, settings.limits.step) == (200_00, 20_000_00, 100_00)


def test_what_is_typed_while_a_table_is_copied_stays(crowd: Crowd) -> None:
    """The answer takes its time; what it brings fills only what nobody has touched."""
    casino = crowd.casino
    like = casino.open_table("super-six")
    page = crowd.visit("pam", "/pit/open")
    held: list[Route] = []
    page.route(f"**/api/tables/{like}/events?after=0&most=1", lambda route: held.append(route))
    form, name = page.get_by_test_id("open-table"), f"{like}-typed"
    page.get_by_test_id("open-like").select_option(like)
    expect(form.get_by_role("status")).to_contain_text(like)
    page.get_by_test_id("open-name").fill(name)
    form.get_by_label("Minimum, Player and Banker").fill("150")
    expect(page.get_by_test_id("open-send")).to_be_disabled()
    held[0].continue_()
    expect(form.get_by_label("Seconds to bet")).to_have_value("900")
    expect(form.get_by_label("Minimum, Player and Banker")).to_have_value("150")
    expect(form.get_by_role("status")).to_be_empty()
    page.get_by_test_id("open-send").click()
    page.get_by_test_id("table-desk").wait_for()
    settings = casino.fold(name).settings
    assert (settings.game, settings.limits.minimum) == ("super-six", 150_00)


def chips_of(value: int) -> re.Pattern[str]:
    """Chips as the page writes them."""
    text = f"{value // 100_000}K" if value >= 1_000_00 else f"{value // 100}" if value >= 100 else f"0.{value:02}"
    return re.compile(rf"^\s*{text} ×")


def test_people_come_get_money_and_rise(crowd: Crowd) -> None:
    """A Pit Manager takes a player in and pays in for him; ranks are the administration's."""
    casino = crowd.casino
    table = casino.open_table("super-six", shoe=False)
    page = crowd.visit("pam", "/pit/people")
    new = f"eve-{crowd.number}"
    add(page, new, "player")
    row = page.get_by_test_id("people").locator("tbody tr").filter(has_text=new)
    row.get_by_role("button").click()
    page.get_by_test_id("person-money").fill("750.50")
    page.get_by_test_id("person-currency").fill("SGD")
    page.get_by_test_id("person").get_by_role("button", name="Money").click()
    expect(row).to_contain_text("SGD 750.50")
    assert casino.balance(new) == 750_50
    eve = crowd.visit(new, "/")
    eve.locator(f"[data-table='{table}']").wait_for()
    expect(page.get_by_test_id("person").get_by_role("combobox")).to_have_count(0)
    root = crowd.visit("root", "/pit/people")
    dealer = f"dex-{crowd.number}"
    add(root, dealer, "dealer")
    row = root.get_by_test_id("people").locator("tbody tr").filter(has_text=dealer)
    row.get_by_role("button").click()
    card = root.get_by_test_id("person")
    card.get_by_role("combobox").first.select_option("pit")
    card.get_by_role("combobox").last.select_option("pit_supervisor")
    card.get_by_label("Why").last.fill("passed the examination")
    card.get_by_role("button", name="Change role and rank").click()
    expect(row).to_contain_text("Pit Supervisor")


def add(page: Page, name: str, role: str) -> None:
    form = page.get_by_test_id("person-add")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Role").select_option(role)
    form.get_by_label("Password").fill(PASSWORD)
    form.get_by_role("button").click()
    expect(page.get_by_test_id("people")).to_contain_text(name)


def test_a_report_of_a_table_is_shown_and_taken_away(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("dragon-tiger-commission")
    lost_tie(crowd, table)
    page = crowd.visit("pam", "/pit/reports", locale="zh-CN")
    page.get_by_test_id("report-table").select_option(table)
    reports = page.get_by_test_id("reports")
    expect(reports.locator("section").first).to_contain_text(table)
    expect(reports).to_contain_text("100.00")
    assert reports.locator("select").nth(1).locator("option").all_inner_texts()[1:] == ["早班", "中班", "夜班"]
    file = reports.locator(".files button").first
    with page.expect_download() as kept:
        file.click()
    assert table in Path(kept.value.path()).read_text("utf-8")
    with page.context.expect_page() as printed:
        page.get_by_test_id("report-print").click()
    expect(printed.value.locator("body")).to_contain_text(table)
