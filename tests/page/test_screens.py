"""Every screen in every language and size, without barriers; signing in, the lobby, and pages for the wrong people."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from tests.floor.serving import PASSWORD
from tests.page.browser import AXE, PHONE, TABLET, WIDE
from tests.page.casino import PAST, Casino
from tests.page.conftest import Crowd
from tests.page.screens import at_rest, sign_in, speak

LANGUAGES = {"en-US": ("en", "Player", "Banker"), "zh-CN": ("zh-Hans", "闲", "庄"), "vi-VN": ("vi", "Con", "Cái")}
SIZES = {"phone": PHONE, "tablet": TABLET, "wide": WIDE}
CONTENT = {
    "/": "[data-table]",
    "/table/{}": "[data-testid=table]",
    "/dealer/{}": "[data-testid=dealer-console]",
    "/display/{}": "[data-road=big_road]",
    "/pit": "[data-testid^=tile-]",
    "/pit/t/{}": "[data-testid=table-desk] [data-hand]",
    "/pit/people": "[data-testid=people] tbody tr",
    "/pit/charts": "[data-testid=chart-people]",
    "/pit/reports": "[data-testid=reports]",
    "/surveillance/t/{}/rounds": "[data-testid^=round-]",
    "/surveillance/t/{}/log": "[data-testid=event-log]",
    "/surveillance/t/{}/flags": "[data-testid=flags]",
    "/surveillance/t/{}/chain": "[data-testid=record-state]",
    "/surveillance/floor": "[data-testid=floor-log]",
    "/odds": "[data-testid=odds-banker]",
}
"""By address, what is there when the screen has come."""


MEASURE = """() => {
  Object.assign(window, { widest: -Infinity, moved: false });
  const root = document.documentElement;
  const look = () => {
    window.widest = Math.max(window.widest, root.scrollWidth - root.clientWidth);
    window.moved ||= document.getAnimations().length > 0;
    requestAnimationFrame(look);
  };
  look();
}"""
"""By how much the page is ever too wide from now on, and whether anything has moved."""


@pytest.fixture(scope="module")
def table(casino: Casino) -> str:
    """A table with some results."""
    return casino.open_table("tiger-buffalo", PAST)


def barriers(page: Page, within: str = "html") -> list[str]:
    """What axe-core finds serious or critical."""
    at_rest(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("within => axe.run(within, { resultTypes: ['violations'] })", within)
    return [
        f"{each['impact']} {each['id']}: {each['help']}: {json.dumps([node['target'] for node in each['nodes']])[:300]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    return int(at_rest(page).evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@pytest.mark.parametrize("role", ["player", "dealer", "pit", "surveillance"])
def test_no_screen_has_barriers_or_is_too_wide(role: str, crowd: Crowd, table: str) -> None:
    person = {"player": f"ann-{crowd.number}", "dealer": "dan", "pit": "pam", "surveillance": "sue"}[role]
    paths = {
        "player": ("/", "/table/{}", "/odds"),
        "dealer": ("/dealer/{}",),
        "pit": ("/pit", "/pit/t/{}", "/pit/people", "/pit/charts", "/pit/reports"),
        "surveillance": tuple(path for path in CONTENT if path.startswith(("/surveillance", "/display"))),
    }[role]
    found: dict[str, list[str]] = {}
    if role == "player":
        stranger = crowd.page("a stranger")
        stranger.goto(crowd.casino.address)
        stranger.locator("#name").wait_for()
        found["/signin"] = barriers(stranger)
    page = crowd.visit(person, paths[0].format(table))
    wide: dict[str, int] = {}
    for path in paths:
        if path != paths[0]:
            page.goto(crowd.casino.address + path.format(table))
        page.locator(CONTENT[path]).first.wait_for()
        for name, size in SIZES.items():
            page.set_viewport_size(size)
            wide[f"{path} {name}"] = overflow(page)
            if size is not TABLET:  # where nothing is that is neither on a phone nor on a wide screen
                found[f"{path} {name}"] = barriers(page)
    assert {where: what for where, what in found.items() if what} == {}
    assert {where: by for where, by in wide.items() if by > 0} == {}


@pytest.mark.parametrize("locale", LANGUAGES)
def test_the_page_speaks_the_language_of_the_browser(locale: str, crowd: Crowd, table: str) -> None:
    """And another one on demand; nothing is left in the first language, and nothing unsaid."""
    language, player, banker = LANGUAGES[locale]
    page = crowd.page("ann", locale=locale)
    page.goto(crowd.casino.address)
    page.locator("#name").wait_for()
    assert page.evaluate("document.documentElement.lang") == language
    sign_in(page, crowd.casino.address, f"ann-{crowd.number}", f"/table/{table}")
    page.locator("[data-hand=player]").wait_for()
    expect(page.locator("[data-hand=player] .name")).to_have_text(player)
    expect(page.locator("[data-hand=banker] .name")).to_have_text(banker)
    unsaid = re.compile(r"\b(?:table|purse|dealer|page|lobby|step|sign|shoe|result)\.[a-z_]+\b|\{[a-z_]+\}")
    assert unsaid.findall(page.locator("body").inner_text()) == []
    for other in ("zh-Hans", "vi", "en"):
        speak(page, other)
        words = next(each for each in LANGUAGES.values() if each[0] == other)
        expect(page.locator("[data-hand=player] .name")).to_have_text(words[1])
        assert page.evaluate("document.documentElement.lang") == other
    speak(page, language)
    page.reload()
    expect(page.locator("[data-hand=banker] .name")).to_have_text(banker)


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_a_round_on_a_phone_a_tablet_and_a_wide_screen(name: str, size: ViewportSize, crowd: Crowd) -> None:
    """A player with a touch screen bets and is paid; the dealer's console has the same size."""
    casino = crowd.casino
    table = casino.open_table("dragon-tiger-commission", PAST[:3])
    dealer = crowd.dealer(table, viewport=size)
    ann = crowd.player(table, "ann", 1, viewport=size, has_touch=name != "wide")
    dealer.call()
    ann.bet(1, "banker", chip=100_00)
    ann.bet(1, "banker", chip=25_00, total=125_00)
    dealer.close()
    dealer.deal("2h 6c 3d Ks 9h")
    dealer.announce("banker")
    dealer.pay()
    for screen in (dealer, ann):
        screen.agrees()
        assert overflow(screen.page) <= 0


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_the_hands_lie_as_on_the_cloth(size: ViewportSize, crowd: Crowd) -> None:
    """Tiger Buffalo's layout K has Banker's cards above Player's; layout A has them side by side."""
    casino = crowd.casino
    for layout, positions in (("A", 6), ("K", 16)):
        table = casino.open_table("tiger-buffalo", PAST[:3], layout=layout, positions=positions, bet_limits={})
        ann = crowd.player(table, "ann", viewport=size)
        ann.page.locator("[data-hand=banker]").wait_for()  # a page without the table rests, too
        at_rest(ann.page)
        player, banker = (ann.page.locator(f"[data-hand={side}]").bounding_box() for side in ("player", "banker"))
        assert player
        assert banker
        if layout == "K":
            assert banker["y"] + banker["height"] <= player["y"]
        else:
            assert player["x"] + player["width"] <= banker["x"]
            assert player["y"] == banker["y"]
        assert overflow(ann.page) <= 0
        ann.open_tab("rounds")
        ann.at("round-3").click()
        first = ann.at("replay").locator("[data-hand]").first
        expect(first).to_have_attribute("data-hand", "banker" if layout == "K" else "player")


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_nothing_is_too_wide_while_cards_and_chips_fly(size: ViewportSize, crowd: Crowd) -> None:
    """Every frame of a round with all its motion is measured, at the display, the console and the player's table."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo", PAST[:3])
    moving: dict[str, Any] = {"viewport": size, "reduced_motion": "no-preference"}
    dealer, ann = crowd.dealer(table, **moving), crowd.player(table, "ann", 1, **moving)
    screens = (dealer, ann, crowd.display(table, **moving))
    for screen in screens:
        at_rest(screen.page).evaluate(MEASURE)
    dealer.call()
    ann.bet(1, "player", chip=100_00)
    ann.bet(1, "tie", chip=25_00)
    dealer.close()
    dealer.deal("2h 6c 3d Ks 9h")
    dealer.announce("banker")
    dealer.pay()
    for screen in screens:
        screen.until(dealer.version)
        widest, moved = at_rest(screen.page).evaluate("[widest, moved]")
        assert moved, "nothing has moved"
        assert widest <= 0


def test_nothing_sticks_out_of_its_panel(crowd: Crowd) -> None:
    """The lobby on a phone, and the long title of a game where a dealer signs on."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo", shoe=False)
    phone = crowd.visit(f"ann-{crowd.number}", "/", viewport=PHONE)
    phone.locator(f"[data-table='{table}']").wait_for()
    inside = "panel => [panel.left, document.documentElement.clientWidth - panel.right]"
    for panel in at_rest(phone).locator("main .panel").all():
        left, right = panel.evaluate(f"element => ({inside})(element.getBoundingClientRect())")
        assert abs(left - right) < 1
    desk = crowd.visit("dan", f"/dealer/{table}")
    title = desk.locator("main .panel h1")
    title.wait_for()
    at_rest(desk)
    assert title.evaluate("h1 => h1.getBoundingClientRect().right < h1.parentElement.getBoundingClientRect().right")


def test_signing_in_says_what_is_wrong_and_goes_where_one_wanted_to(crowd: Crowd, table: str) -> None:
    page = crowd.page("ann")
    page.goto(f"{crowd.casino.address}/table/{table}")
    page.locator("#name").fill(f"ann-{crowd.number}")
    page.locator("#password").fill("wrong")
    page.keyboard.press("Enter")
    page.get_by_role("alert").wait_for()
    assert page.locator("#password").input_value() == ""
    page.locator("#password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_test_id("table").wait_for()
    assert page.url.endswith(f"/table/{table}")
    page.get_by_role("button", name="Sign out").click()
    page.locator("#password").wait_for()
    page.goto(f"{crowd.casino.address}/table/{table}")
    page.locator("#password").wait_for()


def test_the_lobby_shows_every_table_and_filters_them(crowd: Crowd, table: str) -> None:
    page = crowd.visit(f"ann-{crowd.number}", "/")
    cards = page.locator("[data-table]")
    page.locator(f"[data-table='{table}']").wait_for()
    assert cards.count() > 0
    page.locator("#game").select_option("tiger-buffalo")
    assert all("Tiger Buffalo" in text for text in cards.all_inner_texts())
    page.locator(f"[data-table='{table}']").get_by_role("link").first.click()
    page.get_by_test_id("table").wait_for()


def test_a_player_finds_no_way_into_the_pit(crowd: Crowd, table: str) -> None:
    page = crowd.visit(f"ann-{crowd.number}", "/pit")
    page.get_by_role("alert").first.wait_for()
    page.goto(f"{crowd.casino.address}/dealer/{table}")
    page.locator("main").get_by_role("link").first.wait_for()
    assert page.get_by_test_id("dealer-console").count() == 0
