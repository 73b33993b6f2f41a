"""Takes the pictures in docs/pictures/page: a floor with six tables is staged, and browsers look at it.

Results and cards come from a fixed seed, so that pictures taken again differ only where the page does.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize
from tests.floor.serving import Nursery, new_folder
from tests.page.browser import PHONE, TABLET, build_page, open_browser
from tests.page.casino import Casino
from tests.page.screens import PATIENCE, DealerScreen, PitScreen, PlayerScreen, at_rest, know_the_page, sign_in, speak

from puntobanco.cards import CARDS, Side, parse_cards
from puntobanco.coup import OPENING, Coup
from puntobanco.table import commands as c

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "page"
WIDE: ViewportSize = {"width": 1360, "height": 850}
LYING: ViewportSize = {"width": 844, "height": 390}
"""A phone on its side."""
TALL: ViewportSize = {"width": 1360, "height": 1150}
QUALITIES = (72, 64, 56)
"""The best that is small enough is taken."""
MOST = 150_000
"""Bytes of a picture."""
FLOOR = {
    "TB-1": ("tiger-buffalo", 34),
    "DH-1": ("da-hu-ying-xiong", 21),
    "S6-1": ("super-six", 47),
    "RW-1": ("rws-baccarat", 12),
    "DT-1": ("dragon-tiger-commission", 28),
    "DN-1": ("dragon-tiger-non-commission", 9),
}
"""The tables: the game, and how many rounds were played."""
SEATS = {
    "TB-1": {"wei": 1, "mei": 2, "arjun": 5},
    "DH-1": {"lena": 2, "otto": 5},
    "S6-1": {"siti": 1, "bala": 4, "grace": 5},
    "DT-1": {"minh": 2},
}
"""Who sits where before anybody looks."""
BETS = {
    "wei": {"player": 300_00, "big_tiger": 25_00},
    "mei": {"banker": 500_00, "tie": 50_00},
    "arjun": {"player": 100_00, "player_pair": 10_00},
}


PLAYERS = ("alice", "bob", *(person for seats in SEATS.values() for person in seats))


class Stage:
    """A floor, and browsers that look at it."""

    def __init__(self, casino: Casino, browser: Browser) -> None:
        self.casino, self.browser = casino, browser

    def page(self, viewport: ViewportSize = WIDE, locale: str = "en-US") -> Page:
        """A page of somebody who is not signed in yet."""
        context = self.browser.new_context(viewport=viewport, locale=locale, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE)
        know_the_page(context)
        return context.new_page()

    def go(self, who: str, path: str, viewport: ViewportSize = WIDE, locale: str = "en-US") -> Page:
        page = self.page(viewport, locale)
        sign_in(page, self.casino.address, who, path)
        return page


def take(page: Page, name: str) -> None:
    """Keep what the page shows, once everything is still."""
    for close in page.locator(".toast button").all():
        close.click()
    page.mouse.move(0, 0)
    keep(page, name)


def keep(page: Page, name: str) -> None:
    """The same, with the mouse where it is."""
    at_rest(page)
    file = FOLDER / f"{name}.jpg"
    for quality in QUALITIES:
        page.screenshot(path=file, type="jpeg", quality=quality)
        if (size := file.stat().st_size) <= MOST:
            print(f"{file.name}: {size // 1000} kB")
            return
    raise AssertionError(f"{file.name} has {size} bytes")


def past(table: str, rounds: int) -> list[str]:
    """Rounds dealt from eight shuffled decks, always the same ones for a table."""
    shoe = list(CARDS) * 8
    random.Random(table).shuffle(shoe)
    dealt: list[str] = []
    for _ in range(rounds):
        coup, cards = Coup(), []
        while coup.due is not None:
            cards.append(shoe.pop())
            coup = coup.receive(cards[-1])
        dealt.append(" ".join(map(str, cards)))
    return dealt


def stage(casino: Casino) -> None:
    """The six tables, and people at the first of them."""
    for table, (game, rounds) in FLOOR.items():
        casino.open_table(game, past(table, rounds), table=table, countdown=60, insurance_countdown=60)
    for table, seats in SEATS.items():
        for person, box in seats.items():
            casino.give(person, table, c.Join(person, box), c.BuyIn(person, 8_000_00, "account"))


def bets(casino: Casino) -> None:
    for person, box in SEATS["TB-1"].items():
        casino.give(person, "TB-1", c.Place(person, box, BETS[person]))


def sign_in_page(stage: Stage) -> None:
    page = stage.page()
    page.goto(stage.casino.address)
    page.locator("#name").wait_for()
    take(page, "sign-in")


def lobby(stage: Stage) -> None:
    page = stage.go("alice", "/", viewport=TALL)
    page.locator("[data-table]").first.wait_for()
    take(page, "lobby")


def table(stage: Stage) -> None:
    """A whole round at the first table, seen by players, the dealer and the board."""
    casino = stage.casino
    dealer = DealerScreen(stage.go("dan", "/dealer/TB-1"), casino, "TB-1", "dan")
    dealer.sign_on()
    alice = PlayerScreen(stage.go("alice", "/table/TB-1"), casino, "TB-1", "alice")
    alice.sit(3)
    alice.buy_in(5000)
    bob = PlayerScreen(stage.go("bob", "/table/TB-1", viewport=PHONE, locale="zh-CN"), casino, "TB-1", "bob")
    bob.sit(4)
    bob.buy_in(2000)
    dealer.call()
    bets(casino)
    alice.bet(3, "player", chip=100_00)
    alice.bet(3, "player", chip=100_00, total=200_00)
    alice.bet(3, "big_buffalo", chip=25_00)
    bob.bet(4, "banker", chip=500_00)
    bob.bet(4, "tie", chip=25_00)
    take(alice.page, "table")
    take(bob.page, "table-phone")
    bob.page.set_viewport_size(LYING)
    take(bob.page, "table-lying")
    bob.page.set_viewport_size(PHONE)
    dealer.close()
    dealer.deal("5h 4c Td")
    take(dealer.page, "dealer")
    dealer.deal("Js")
    alice.page.set_viewport_size(TABLET)
    alice.at("insurance").wait_for()
    take(alice.page, "insurance")
    alice.at("insure").click()
    alice.at("insured").wait_for()
    alice.page.set_viewport_size(TALL)
    dealer.deal("8s")
    dealer.announce("banker")
    take(dealer.page, "dealer-paying")
    alice.open_tab("receipt")
    alice.at("receipt").scroll_into_view_if_needed()
    take(alice.page, "receipt")
    alice.page.set_viewport_size(WIDE)
    board = stage.go("sue", "/display/TB-1")
    board.locator("[data-road=big_road]").wait_for()
    take(board, "display")
    dealer.pay()
    irregularity(stage, dealer, alice, bob)


def irregularity(stage: Stage, dealer: DealerScreen, alice: PlayerScreen, bob: PlayerScreen) -> None:
    """A card is exposed: the dealer reports it, the supervisor approves, and players choose."""
    dealer.call()
    bets(stage.casino)
    alice.bet(3, "player", chip=100_00)
    bob.bet(4, "banker", chip=100_00)
    dealer.close()
    dealer.deal("8h")
    dealer.at("open-wrong").click()
    dealer.at("wrong-felt").click()
    take(dealer.page, "dealer-irregularity")
    dealer.page.keyboard.press("Escape")
    dealer.report("exposed_cards", "it jumped off the table", 1)
    dealer.rule("reconstruct")
    take(dealer.page, "dealer-ruling")
    pit = PitScreen(stage.go("sam", "/pit"), stage.casino, "TB-1", "sam")
    pit.page.locator("[data-testid=approval]").wait_for()
    take(pit.page, "pit")
    pit.approve()
    take(pit.page, "pit-table")
    speak(bob.page, "vi")
    bob.at("option").wait_for()
    take(bob.page, "options-phone")


def surveillance(stage: Stage) -> None:
    page = stage.go("sue", "/surveillance/t/TB-1/rounds")
    page.locator("[data-testid='round-1-35']").click()
    for _ in range(12):
        page.get_by_test_id("replay-on").click()
    take(page, "surveillance")


def odds(stage: Stage) -> None:
    page = stage.go("pam", "/odds")
    page.get_by_test_id("odds-banker").wait_for()
    take(page, "odds")


def several(stage: Stage) -> None:
    """Two tables in one window, on a laptop and on a phone, and the player's own limits."""
    casino = stage.casino
    for name, box in (("S6-1", 2), ("DH-1", 1)):
        casino.give("bob", name, c.Join("bob", box), c.BuyIn("bob", 3_000_00, "account"))
        casino.give("dan", name, c.Call())
    casino.give("siti", "S6-1", c.Place("siti", 1, {"player": 200_00}))
    page = stage.go("bob", "/tables/S6-1/DH-1")
    for bet, table in (("banker", "S6-1"), ("player", "DH-1")):
        panel = page.get_by_test_id(f"several-{table}")
        panel.locator("[data-testid^=chip-]").nth(2).click()
        panel.locator(f"[data-bet={bet}]").click()
        panel.locator("[data-testid=on-layout]:not([data-amount='0'])").wait_for()
    take(page, "several")
    page.set_viewport_size(PHONE)
    take(page, "several-phone")
    page.set_viewport_size(WIDE)
    page.goto(f"{casino.address}/table/S6-1")
    page.get_by_test_id("tab-you").click()
    page.get_by_test_id("own-loss").fill("5000")
    page.get_by_test_id("own-set").click()
    page.get_by_test_id("own-used").wait_for()
    take(page, "own-limits")


def squeeze(stage: Stage) -> None:
    """A long edge comes up; who sits beside sees the same bend."""
    casino = stage.casino
    name = "SQ-1"
    casino.open_table("dragon-tiger-commission", past(name, 17), table=name, currency="SGD", face_down=True)
    for person, box in (("bob", 1), ("mei", 2)):
        casino.give(person, name, c.Join(person, box), c.BuyIn(person, 3_000_00, "account"))
    casino.bets(name, {"bob": (1, {"banker": 500_00}), "mei": (2, {"player": 100_00})})
    casino.deal(name, "")
    casino.give("bob", name, c.AskSqueeze("bob", Side.BANKER))
    casino.give("dan", name, c.AnswerSqueeze("bob", granted=True))
    casino.scan(name, *(c.Draw(card, hand) for card, hand in zip(parse_cards("8h 9c Kd Ks"), OPENING, strict=True)))
    casino.give("dan", name, c.Turn(1))
    bob = stage.go("bob", f"/table/{name}", viewport=PHONE)
    mei = stage.go("mei", f"/table/{name}")
    mei.get_by_test_id("table").wait_for()
    card = bob.get_by_test_id("squeeze-card-2")
    card.wait_for()
    box_ = at_rest(bob).get_by_test_id("squeeze-card-2").bounding_box()
    assert box_
    x, y = box_["x"] + 3, box_["y"] + box_["height"] / 2
    bob.mouse.move(x, y)
    bob.mouse.down()
    for step in range(1, 9):
        bob.mouse.move(x + box_["width"] * 0.07 * step, y)
    bob.locator("[aria-label='9 of Clubs']").wait_for()
    bob.mouse.move(x + box_["width"] * 0.6, y)
    mei.get_by_test_id("squeezed").wait_for()
    keep(mei, "squeeze-watched")
    keep(bob, "squeeze-phone")
    bob.mouse.up()


def back_office(stage: Stage) -> None:
    casino, name = stage.casino, "DY-1"
    casino.open_table("super-six", (), table=name, countdown=60)
    chance = random.Random(name)
    for person, box in (("wei", 1), ("arjun", 2)):
        casino.give(person, name, c.Join(person, box), c.BuyIn(person, 20_000_00, "account"))
    for cards in past(name, 36):
        coup = Coup()
        casino.bets(
            name,
            {
                "wei": (1, {chance.choice(("player", "banker")): 200_00, "super_six": 25_00}),
                "arjun": (2, {"banker": chance.choice((100_00, 300_00))}),
            },
        )
        for card in parse_cards(cards):
            coup = coup.receive(card)
        winner = coup.winner
        casino.deal(name, cards, winner.value if winner else "tie", 1, 2)
    page = stage.go("pam", "/pit/charts", viewport=TALL)
    page.get_by_test_id("chart-table").select_option(name)
    page.locator("[data-person=wei]").wait_for()
    take(page, "pit-charts")
    devices = stage.go("root", "/pit/devices")
    for name in ("scanner of TB-1", "board over TB-1"):
        devices.get_by_test_id("device-name").fill(name)
        devices.get_by_test_id("device-table").select_option("TB-1")
        devices.keyboard.press("Enter")
        devices.locator(f"[data-device='{name}']").wait_for()
    devices.reload()  # credentials are nothing for pictures
    devices.locator("[data-device]").first.wait_for()
    take(devices, "pit-devices")


SCENES: dict[str, Callable[[Stage], None]] = {
    "sign-in": sign_in_page,
    "lobby": lobby,
    "table": table,
    "surveillance": surveillance,
    "odds": odds,
    "several": several,
    "squeeze": squeeze,
    "back-office": back_office,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/screenshots", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("scene", nargs="*", choices=[*SCENES, []], help=f"of {', '.join(SCENES)}; all by default")
    wanted = parser.parse_args().scene or list(SCENES)
    FOLDER.mkdir(parents=True, exist_ok=True)
    build_page()
    with Nursery() as nursery, new_folder() as folder, open_browser() as browser:
        casino = Casino(nursery, folder, PLAYERS)
        try:
            stage(casino)
            for name in wanted:
                SCENES[name](Stage(casino, browser))
        finally:
            casino.server.kill()


if __name__ == "__main__":
    main()
