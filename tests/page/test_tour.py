"""The short tour: offered once in a browser, by keyboard and by touch, and never in the way of play."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect
from tests.page.browser import PHONE, TABLET, WIDE
from tests.page.casino import PAST, Casino
from tests.page.conftest import Crowd
from tests.page.screens import DealerScreen, PlayerScreen, at_rest
from tests.page.test_keyboard import tab_to
from tests.page.test_screens import barriers, overflow

INSIDE = """selector => {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= document.documentElement.clientWidth && bottom <= innerHeight;
}"""
LIT = """() => {
  const light = document.querySelector("[data-testid=tour-light]")?.getBoundingClientRect();
  return light !== undefined && light.width > 12 && light.bottom > 0 && light.top < innerHeight;
}"""


class Role(NamedTuple):
    person: str
    path: str
    steps: int


ROLES = {
    "lobby": Role("ann", "/", 4),
    "player": Role("ann", "/table/{}", 5),
    "dealer": Role("dan", "/dealer/{}", 6),
    "pit": Role("pam", "/pit", 6),
    "surveillance": Role("sue", "/surveillance", 6),
}


@pytest.fixture(scope="module")
def table(casino: Casino) -> str:
    return casino.open_table("tiger-buffalo", PAST)


def step_of(page: Page) -> str:
    return str(page.get_by_test_id("tour").get_attribute("data-step"))


def test_a_player_takes_the_tour_with_the_keyboard_and_it_does_not_come_back(crowd: Crowd, table: str) -> None:
    page = crowd.visit(f"ann-{crowd.number}", f"/table/{table}", new=True)
    page.get_by_test_id("tour-offer").wait_for()
    tab_to(page, "[data-testid=take-tour]")
    page.keyboard.press("Enter")
    card = page.get_by_test_id("tour")
    card.wait_for()
    assert barriers(page) == []
    steps = [step_of(page)]
    following = page.get_by_test_id("tour-next")
    for _ in range(3):
        expect(following).to_be_focused()
        page.keyboard.press("Enter")
        steps.append(step_of(page))
    assert steps == ["phase", "seat", "cloth", "tabs"]
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_test_id("tour-back")).to_be_focused()
    for wanted in ("cloth", "seat", "phase"):
        page.keyboard.press("Enter")
        assert step_of(page) == wanted
    expect(following).to_be_focused()  # there is no way further back
    for wanted in ("seat", "cloth", "tabs", "again"):
        page.keyboard.press("Space")
        assert step_of(page) == wanted
    page.keyboard.press("Enter")
    expect(card).to_have_count(0)
    page.reload()
    page.get_by_test_id("start-tour").wait_for()  # it comes together with the offer, where there is one
    assert page.get_by_test_id("tour-offer").count() == 0
    tab_to(page, "[data-testid=start-tour]")
    page.keyboard.press("Enter")
    expect(card).to_be_visible()
    expect(following).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(page.get_by_test_id("start-tour")).to_be_focused()


@pytest.mark.parametrize("locale", ["en-US", "zh-CN", "vi-VN"])
@pytest.mark.parametrize("tour", ROLES)
def test_every_tour_in_every_language_and_size(tour: str, locale: str, crowd: Crowd, table: str) -> None:
    """Each step lights something, its card is on the screen, and nothing is a barrier."""
    role = ROLES[tour]
    size = {"en-US": WIDE, "zh-CN": PHONE, "vi-VN": TABLET}[locale]
    person = f"ann-{crowd.number}" if role.person == "ann" else role.person
    page = crowd.visit(person, role.path.format(table), viewport=size, locale=locale, new=True)
    page.get_by_test_id("tour-offer").wait_for()
    found = {"offer": barriers(page, "[data-testid=tour-offer]")}  # what it stands on is held by test_screens.py
    wide = {"offer": overflow(page)}
    page.get_by_test_id("take-tour").click()
    said: list[str] = []
    # A phone has no keys to be shown.
    steps = role.steps - (tour == "dealer" and size is PHONE)
    for _ in range(steps):
        page.wait_for_function(LIT)
        at_rest(page)
        assert page.evaluate(INSIDE, "[data-testid=tour]"), step_of(page)
        wide[step_of(page)] = overflow(page)
        if not said:  # the card of every step is the same but for its words
            found[step_of(page)] = barriers(page, "[data-testid=tour]")
        said.append(page.locator("#tour-words").inner_text())
        page.get_by_test_id("tour-next").click()
    expect(page.get_by_test_id("tour")).to_have_count(0)
    assert len(set(said)) == steps
    assert not any(words.startswith("tour.") for words in said)
    assert {where: what for where, what in found.items() if what} == {}
    assert {where: by for where, by in wide.items() if by > 0} == {}


def test_play_goes_on_during_the_tour(crowd: Crowd) -> None:
    """The player bets and the dealer calls, keys and closes as if there were none."""
    table = crowd.casino.open_table("super-six", PAST[:2])
    dealer = crowd.open(DealerScreen, table, "dan", "dealer", new=True)
    dealer.sign_on()
    dealer.at("take-tour").click()
    dealer.at("tour").wait_for()
    ann = crowd.open(PlayerScreen, table, f"ann-{crowd.number}", "table", new=True)
    ann.at("tour-offer").wait_for()
    ann.sit(1)
    ann.buy_in(5000)
    ann.at("take-tour").click()
    ann.at("tour").wait_for()
    dealer.page.evaluate("document.activeElement.blur()")
    dealer.press("Space")
    dealer.waits_for("close")
    for _ in range(3):
        ann.bet(1, "banker", chip=100_00, total=100_00)
        ann.at("undo").click()
        expect(ann.at("bet-1-banker")).to_have_count(0)
        ann.at("tour-next").click()
    ann.bet(1, "player", chip=100_00)
    dealer.close()
    dealer.page.keyboard.type("8h")
    dealer.until(dealer.version)
    for screen in (dealer, ann):
        expect(screen.at("tour")).to_be_visible()
        screen.page.keyboard.press("Escape")
        expect(screen.at("tour")).to_have_count(0)
    ann.agrees()


def test_the_display_has_no_tour(crowd: Crowd, table: str) -> None:
    page = crowd.visit("sue", f"/display/{table}", new=True)
    page.locator("[data-road=big_road]").wait_for()
    at_rest(page)
    assert page.get_by_test_id("tour-offer").count() == 0
    assert page.get_by_test_id("start-tour").count() == 0
