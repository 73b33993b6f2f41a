"""Nothing moves, hides, shrinks below what can be read or stays in English: every screen in three sizes and languages.

One page for each role is resized and spoken to in place: one for every size and language takes ten times as long.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from tests.page.browser import PHONE, TABLET
from tests.page.casino import PAST
from tests.page.conftest import Crowd
from tests.page.screens import at_rest, speak

from puntobanco.table import commands as c

LAPTOP: ViewportSize = {"width": 1440, "height": 900}
LYING: ViewportSize = {"width": 844, "height": 390}
"""A phone on its side."""
SIZES = {"phone": PHONE, "lying": LYING, "tablet": TABLET, "laptop": LAPTOP}
GAMES = ("rws-baccarat", "tiger-buffalo", "dragon-tiger-commission")
LANGUAGES = ("en", "zh-Hans", "vi")

SHIFTS = """() => {
  window.shifts = [];
  const name = node => node?.outerHTML?.slice(0, 90) ?? String(node?.textContent).slice(0, 40);
  new PerformanceObserver(list => {
    for (const { value, sources } of list.getEntries())
      window.shifts.push([value, ...sources.map(({ node }) => name(node))]);
  }).observe({ type: "layout-shift" });
}"""
"""Every shift of the layout from now on, those after a tap too, with what has moved."""

COVERED = """() => [...document.querySelectorAll(".mains [data-bet]")].flatMap(bet => {
  const { left, top, right, bottom } = bet.getBoundingClientRect();
  const points = [left + 6, (left + right) / 2, right - 6].flatMap(x => [top + 6, bottom - 6].map(y => [x, y]));
  const hidden = points.filter(([x, y]) => document.elementFromPoint(x, y)?.closest("[data-bet]") !== bet);
  return hidden.length ? [`${bet.dataset.bet} is covered at ${hidden}`] : [];
})"""
"""Main bets that are not whole and in sight without scrolling."""

SMALL = """() => {
  const found = [];
  const drawn = "title, option, .unseen, .skip, [data-road], .chip, .stack, .chips, [data-card]";
  const walker = document.createTreeWalker(document.querySelector("#app") ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (parent.closest(drawn)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    if (range.getBoundingClientRect().width === 0) continue;
    const matrix = parent instanceof SVGElement ? parent.getScreenCTM() : null;
    const size = parseFloat(getComputedStyle(parent).fontSize) * (matrix ? Math.hypot(matrix.a, matrix.b) : 1);
    if (size < 10.99) found.push(`${node.data.trim().slice(0, 30)}: ${size.toFixed(1)} px`);
  }
  return [...new Set(found)];
}"""
"""Text that is too small to be read. What is drawn on cards, chips and roads is read as a picture."""

TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

LINES = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.querySelector("#app") ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    if (!node.parentElement.closest("option[lang], .brand, [aria-live].unseen")) found.push(node.data.trim());
  }
  for (const each of document.querySelectorAll("[aria-label], [title], [placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"]) found.push(each.getAttribute(name) ?? "");
  return [...new Set(found.filter(Boolean))];
}"""
"""Everything that is written, but for what was read out a moment ago."""
SHEETS = "/pit/reports"
"""Sheets come from the server as they are kept, in English; only what stands round them is the page's."""

ENGLISH = re.compile(
    r"\b(?:the|of|and|is|are|at|on|with|for|your?|not?|to|from|in|box|round|table|card|bets?|player|banker)\b", re.I
)

SCREENS = {
    "player": {
        "/": "[data-table]",
        "/table/{}": "[data-testid=table]",
        "/tables/{}": "[data-testid^=several-] header",
        "/odds": "[data-testid=odds-banker]",
    },
    "dealer": {"/dealer/{}": "[data-testid=dealer-console]"},
    "pit": {
        "/pit": "[data-testid^=tile-]",
        "/pit/t/{}": "[data-testid=table-desk] [data-hand]",
        "/pit/people": "[data-testid=people] tbody tr",
        "/pit/charts": "[data-testid=chart-people]",
        "/pit/reports": "[data-testid=reports]",
    },
    "surveillance": {
        "/surveillance/t/{}/rounds": "[data-testid^=round-]",
        "/surveillance/t/{}/log": "[data-testid=event-log]",
        "/surveillance/t/{}/flags": "[data-testid=flags]",
        "/surveillance/t/{}/chain": "[data-testid=record-state]",
    },
}


def shifts(page: Page) -> list[list[object]]:
    """What has moved since it was asked for last, once the browser had the time to report it."""
    at_rest(page)
    found: list[list[object]] = page.evaluate("window.shifts.splice(0)")
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_main_bets_are_whole_and_nothing_moves_while_bets_are_open(game: str, crowd: Crowd) -> None:
    """People come and go, chips lie down and are refused, the network is lost: no place on the page changes."""
    casino = crowd.casino
    table = casino.open_table(game, PAST)
    ann = crowd.player(table, "ann", 1, viewport=PHONE)
    page = ann.page
    casino.give("dan", table, c.Call())
    expect(ann.at("phase")).to_have_attribute("data-phase", "betting")
    bob = f"bob-{crowd.number}"
    for name, size in SIZES.items():
        page.set_viewport_size(size)
        page.evaluate("scrollTo(0, 0)")
        at_rest(page)
        assert page.evaluate(COVERED) == [], name
        assert page.evaluate(TOO_WIDE) <= 0, name
        page.evaluate(SHIFTS)
        casino.seat(bob, table, 2)
        expect(ann.at("box-2")).to_be_enabled()
        ann.bet(1, "player", chip=25_00)
        ann.pick(5_00)
        page.keyboard.press("b")  # five are too few for Banker
        page.locator("[data-testid^=refusal-]").wait_for()
        page.locator("[data-testid^=offer-]").click()
        ann.confirmed(1, "banker", 25_00)
        crowd.contexts[ann.person].set_offline(True)
        page.locator("[data-connection=offline]").first.wait_for()
        crowd.contexts[ann.person].set_offline(False)
        expect(page.locator("[data-connection=offline]")).to_have_count(0)
        casino.give(bob, table, c.CashOut(bob, 5_000_00), c.Leave(bob))
        expect(ann.at("box-2")).to_be_disabled()
        ann.at("clear").click()
        expect(ann.at("on-layout")).to_have_attribute("data-amount", "0")
        assert shifts(page) == [], name


def test_a_refusal_is_gone_after_three_seconds_and_at_the_close(crowd: Crowd) -> None:
    """The clock is the test's own. One that comes because bets were closed is told all the same."""
    casino = crowd.casino
    table = casino.open_table("super-six")
    ann = crowd.player(table, "ann", 1, viewport=PHONE)
    ann.page.evaluate("localStorage.setItem('puntobanco.prefs', JSON.stringify({ stay: false, sound: false }))")
    ann.page.clock.install()
    ann.page.reload()
    ann.at("tray").wait_for()
    casino.give("dan", table, c.Call())
    expect(ann.at("phase")).to_have_attribute("data-phase", "betting")
    ann.pick(5_00)
    refusal = ann.at("refusal-1-player")
    for _ in range(2):
        ann.page.locator("[data-box='1'] [data-bet=player]").click()
        expect(refusal).to_be_visible()
        ann.page.clock.run_for(3_000)
        expect(refusal).to_have_count(0)
    ann.page.locator("[data-box='1'] [data-bet=player]").click()
    expect(refusal).to_be_visible()
    casino.give("dan", table, c.Close())
    expect(ann.at("phase")).to_have_attribute("data-phase", "dealing")
    expect(refusal).to_have_count(0)


@pytest.mark.parametrize("role", SCREENS)
def test_every_screen_can_be_read_in_every_size_and_language(role: str, crowd: Crowd) -> None:
    """No letter is too small, nothing too wide, and in Chinese and Vietnamese nothing is left in English."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo", PAST)
    person = {"player": f"ann-{crowd.number}", "dealer": "dan", "pit": "pam", "surveillance": "sue"}[role]
    page = crowd.visit(person, "/")
    wrong: dict[str, list[str]] = {}
    for path, content in SCREENS[role].items():
        page.goto(casino.address + path.format(table))
        said: dict[str, set[str]] = {}
        for language in LANGUAGES:
            page.get_by_test_id("language").wait_for()
            speak(page, language)
            page.locator(content).first.wait_for()
            for name, size in SIZES.items():
                page.set_viewport_size(size)
                at_rest(page)
                where = f"{path} {language} {name}"
                wrong[where] = page.evaluate(SMALL)
                if (by := page.evaluate(TOO_WIDE)) > 0:
                    wrong[where].append(f"{by} px too wide")
            said[language] = set(page.evaluate(LINES))
        for language in LANGUAGES[1:]:
            left = sorted(line for line in said["en"] & said[language] if ENGLISH.search(line))
            wrong[f"{path} {language}"] = [] if path == SHEETS else [f"in English: {line}" for line in left]
    assert {where: what for where, what in wrong.items() if what} == {}
