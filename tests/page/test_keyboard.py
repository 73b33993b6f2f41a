"""Everything by keyboard: a dealer from the new shoe to the last confirmation, a player from the seat to the chip."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from tests.page.conftest import Crowd
from tests.page.screens import DealerScreen, PlayerScreen, at_rest


def tab_to(page: Page, selector: str, most: int = 150) -> None:
    """Go on with the Tab key until this has the focus."""
    for _ in range(most):
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached with the Tab key")


def press_next(dealer: DealerScreen, key: str = "Space") -> None:
    """Take the next step, and wait until it is done."""
    version = dealer.version
    dealer.press(key)
    dealer.until(version + 1)


def test_a_dealer_and_a_player_need_no_mouse(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("super-six", shoe=False)
    dealer = crowd.open(DealerScreen, table, "dan", "dealer")
    tab_to(dealer.page, "[data-testid=sign-on]")
    dealer.page.keyboard.press("Enter")
    dealer.waits_for("new_shoe")
    tab_to(dealer.page, "[data-testid=ask-evidence] input")
    dealer.page.keyboard.type("machine 3, 416 counted")
    dealer.page.keyboard.press("Enter")
    dealer.waits_for("call")
    ann = sit_and_buy_in(crowd, table)
    dealer.page.locator("body").press("Escape")
    dealer.page.evaluate("document.activeElement.blur()")
    press_next(dealer)
    ann.page.evaluate("document.activeElement.blur()")
    ann.page.keyboard.press("3")  # the third chip of those that lie there
    picked = ann.page.locator("[data-testid^='chip-'][aria-pressed=true]").get_attribute("data-testid")
    chip = int(str(picked).removeprefix("chip-"))
    tab_to(ann.page, "[data-box='1'] [data-bet=banker]")
    ann.page.keyboard.press("Enter")
    ann.page.keyboard.press("Space")
    ann.confirmed(1, "banker", 2 * chip)
    ann.page.keyboard.press("u")
    ann.confirmed(1, "banker", chip)
    dealer.waits_for("close")
    dealer.press("Space")
    press_next(dealer)
    for card in ("2h", "6c", "3d", "Ks", "9h"):
        dealer.waits_for("draw")
        version = dealer.version
        dealer.page.keyboard.type(card)
        dealer.until(version + 1)
    dealer.waits_for("announce")
    press_next(dealer, "b")
    dealer.waits_for("confirm")
    press_next(dealer)
    dealer.waits_for("call")
    for screen in (dealer, ann):
        screen.agrees()


def sit_and_buy_in(crowd: Crowd, table: str) -> PlayerScreen:
    """By keys alone."""
    ann = crowd.player(table, "ann")
    keys = ann.page.keyboard
    tab_to(ann.page, "[data-testid=sit-1]")
    keys.press("Enter")
    ann.at("tray").wait_for()
    tab_to(ann.page, "[data-testid=purse]")
    keys.press("Enter")
    tab_to(ann.page, "[data-testid=amount]")
    keys.type("5000")
    keys.press("Enter")
    expect(ann.at("stack")).to_have_attribute("data-amount", str(5_000_00))
    keys.press("Escape")
    expect(ann.at("money")).to_be_hidden()
    return ann


def test_wrong_keys_do_nothing(crowd: Crowd) -> None:
    """A suit without a rank, a rank that is forgotten again, and keys of other steps."""
    table = crowd.casino.open_table("super-six")
    dealer = crowd.dealer(table)
    version = dealer.version
    for key in ("h", "9", "p", "b", "t", "Escape", "n"):
        dealer.press(key)
    at_rest(dealer.page)
    assert dealer.version == version
    dealer.call()
    dealer.close()
    dealer.waits_for("draw")
    version = dealer.version
    for key in ("h", "9", "Escape", "h"):
        dealer.press(key)
    at_rest(dealer.page)
    assert dealer.version == version
