"""People in front of the page: each has a browser context and a screen of one table."""

from __future__ import annotations

import json
import re

from playwright.sync_api import BrowserContext, Locator, Page, expect
from tests.floor.serving import PASSWORD
from tests.page.casino import Casino, seen_by
from tests.page.reading import ROADS, amount, expected, expected_receipts, read, read_receipts, same
from tests.patience import limit, until

from puntobanco.views.view import View, Viewer, ViewerKind

PATIENCE = 1000 * limit()
"""Milliseconds after which a page hangs."""
expect.set_options(timeout=PATIENCE)

REST = """() => new Promise(done => {
  let calm = 0;
  const look = () => {
    calm = window.atRest?.() ? calm + 1 : 0;
    if (calm > 3) done(true);
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Nothing is on its way for a few frames: what is shown may lead to a measurement, and that to other sizes."""
ASKED_OR_DONE = """version => document.querySelector("[data-testid=next-step]")?.dataset.asked === "true"
  || Number(document.querySelector('main [data-version]')?.dataset.version ?? 0) > version"""
REACHED = "version => Number(document.querySelector('main [data-version]')?.dataset.version ?? 0) >= version"


TOURS = ("lobby", "player", "dealer", "pit", "surveillance")


def at_rest(page: Page) -> Page:
    """The page when it says that nothing of it moves or loads: only then anything is measured."""
    page.wait_for_function(REST)
    return page


def know_the_page(context: BrowserContext) -> None:
    """Make it a quiet browser in which every tour was taken and refusals stay until they are closed."""
    prefs = json.dumps({"stay": True, "sound": False})
    kept = "localStorage.getItem('puntobanco.prefs')"
    context.add_init_script(f"localStorage.setItem('puntobanco.tours', '{json.dumps(TOURS)}')")
    context.add_init_script(f"{kept} ?? localStorage.setItem('puntobanco.prefs', '{prefs}')")


def speak(page: Page, language: str) -> None:
    """Choose the language in the page's head."""
    page.get_by_test_id("language").select_option(language)


def sign_in(page: Page, address: str, name: str, path: str = "/") -> None:
    """Go to a screen as whoever is not signed in does: by way of the sign-in page."""
    page.goto(address + path)
    page.locator("#name").fill(name)
    page.locator("#password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.locator("#password").wait_for(state="detached")


class Screen:
    """A screen of a table."""

    kind: ViewerKind = "display"
    always_roads = True
    """Whether all five roads are there at any time."""

    def __init__(self, page: Page, casino: Casino, table: str, person: str) -> None:
        self.page, self.casino, self.table, self.person = page, casino, table, person

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.kind, self.person)

    @property
    def version(self) -> int:
        return int(self.page.locator("main [data-version]").first.get_attribute("data-version") or 0)

    def at(self, name: str) -> Locator:
        """What has this test id."""
        return self.page.get_by_test_id(name)

    def until(self, version: int) -> None:
        """Until the page shows the table as of this version."""
        self.page.wait_for_function(REACHED, arg=version)

    def agrees(self) -> View:
        """Check that the page shows what the log says for its viewer; the view that it must show."""
        table = self.casino.fold(self.table)
        self.until(table.version)
        view = seen_by(table, self.viewer)
        shown = read(self.page)
        if self.always_roads:
            self.same(set(shown.roads), set(ROADS))
        self.same(shown, expected(view, shown.roads))
        return view

    def same(self, shown: object, wanted: object) -> None:
        same(shown, wanted, f"{self.kind} {self.person}")


class DisplayScreen(Screen):
    """The board above the table."""

    def agrees(self) -> View:
        view = super().agrees()
        counts = view.public.roads.counts
        wanted = [counts.player, counts.banker, counts.tie, counts.player_pair, counts.banker_pair, counts.natural]
        shown = [int(text) for text in self.page.locator("main dl dd").all_inner_texts()]
        self.same(shown, [*wanted, view.public.shoe.rounds])
        return view


class PlayerScreen(Screen):
    """A player's table."""

    kind: ViewerKind = "player"

    def sit(self, box: int, *, seated: bool = True) -> None:
        self.at(f"{'sit' if seated else 'stand'}-{box}").click()
        self.at("tray").wait_for()

    def buy_in(self, units: int) -> None:
        """Chips from the account, in whole units of the currency."""
        self.at("purse").click()
        self.at("amount").fill(str(units))
        self.at("move-money").click()
        expect(self.at("stack")).not_to_have_attribute("data-amount", "0")
        self.at("close-purse").click()

    def pick(self, chip: int) -> None:
        self.at(f"chip-{chip}").click()

    def bet(self, box: int, bet: str, *, chip: int | None = None, total: int | None = None) -> None:
        """Put the chip on a bet and wait until the table has confirmed it."""
        if chip is not None:
            self.pick(chip)
        panel = self.page.locator(f"[data-box='{box}']")
        if panel.locator(f"[data-bet='{bet}']").count() == 0:  # it lies in a group that is folded
            panel.get_by_test_id(f"group-{bet.rpartition('_')[0] if '_wins_on_' in bet else 'side'}").click()
        panel.locator(f"[data-bet='{bet}']").click()
        self.confirmed(box, bet, total or chip)

    def confirmed(self, box: int, bet: str, total: int | None = None) -> None:
        chips = self.at(f"bet-{box}-{bet}")
        expect(chips).to_have_attribute("data-state", "confirmed")
        if total is not None:
            expect(chips).to_have_attribute("data-amount", str(total))

    def open_tab(self, name: str) -> None:
        tab = self.at(f"tab-{name}")
        if tab.get_attribute("aria-selected") != "true":
            tab.click()

    def agrees(self) -> View:
        self.open_tab("roads")
        view = super().agrees()
        own = view.own
        assert own is not None
        shown = {name: self.at(name).get_attribute("data-amount") for name in ("stack", "on-layout")}
        self.same(shown, {"stack": str(own.stack), "on-layout": str(own.on_layout)})
        self.same(self.at("stack").inner_text(), amount(own.stack).removesuffix(".00"))
        expect(self.at("balance")).to_have_attribute("data-amount", str(self.casino.balance(self.person)))
        bets = {
            str(chips.get_attribute("data-testid")): chips.get_attribute("data-amount")
            for chips in self.page.locator("[data-testid^='bet-'][data-state]").all()
        }
        settled = view.public.round is not None and view.public.round.settled
        wagers = () if settled else own.wagers
        self.same(bets, {f"bet-{wager.box}-{wager.bet}": str(wager.stake) for wager in wagers})
        self.open_tab("receipt")
        self.same(read_receipts(self.at("receipt")), expected_receipts(view))
        self.open_tab("roads")
        return view

    def rounds(self) -> list[str]:
        """The history of the shoe, the latest round first, as it is written there."""
        self.open_tab("rounds")
        self.page.locator("[data-testid^='round-']").first.wait_for()
        texts = [" ".join(each.inner_text().split()) for each in self.page.locator("[data-testid^='round-']").all()]
        self.open_tab("roads")
        return texts


class DealerScreen(Screen):
    """The console of a dealer, or of somebody from the pit at it."""

    kind: ViewerKind = "dealer"
    always_roads = False

    @property
    def step(self) -> Locator:
        return self.at("next-step")

    def sign_on(self) -> None:
        self.at("sign-on").or_(self.at("dealer-console")).first.wait_for()
        if self.at("sign-on").count():
            self.at("sign-on").click()
        self.at("dealer-console").wait_for()

    def waits_for(self, do: str) -> None:
        expect(self.step).to_have_attribute("data-do", do)

    def press(self, key: str) -> None:
        """Press a key for the step that is shown, once the console takes keys for it."""
        expect(self.step).to_have_attribute("data-keys", "true")
        self.page.keyboard.press(key)

    def doing(self) -> str:
        """What the next step is."""
        return str(self.step.get_attribute("data-do"))

    def click(self, name: str) -> None:
        """Click what changes the table, and wait until it has."""
        version = self.version
        self.at(name).click()
        self.until(version + 1)

    def call(self) -> None:
        self.waits_for("call")
        self.click("do-next")

    def close(self) -> None:
        """While the time for bets runs, the console wants it twice."""
        self.waits_for("close")
        self.at("do-next").click()
        self.click("do-next")

    def close_insurance(self) -> None:
        self.waits_for("close_insurance")
        version = self.version
        self.at("do-next").click()
        # for players who may still insure it wants that twice
        self.page.wait_for_function(ASKED_OR_DONE, arg=version)
        if self.version == version:
            self.click("do-next")

    def card(self, card: str) -> None:
        self.waits_for("draw")
        self.click(f"card-{card}")

    def deal(self, cards: str) -> None:
        """Key cards as they come out of the shoe; insurance that is offered meanwhile is let pass."""
        for card in cards.split():
            expect(self.step).to_have_attribute("data-do", re.compile("draw|close_insurance"))
            if self.doing() == "close_insurance":
                self.close_insurance()
            self.card(card)

    def turn(self, card: str) -> None:
        """Turn a card that the scanner has read, and key what it is."""
        self.waits_for("turn")
        self.click(f"card-{card}")

    def announce(self, result: str) -> None:
        self.waits_for("announce")
        self.click(f"choice-{result}")

    def pay(self) -> None:
        """Confirm box after box, until the round is over."""
        self.waits_for("confirm")
        while self.doing() == "confirm":
            self.click("do-next")

    def rule(self, ruling: str, reason: str = "") -> None:
        """Propose a ruling on what waits."""
        self.page.locator("aside").get_by_test_id(f"ruling-{ruling}").click()
        self.send(reason)

    def rule_order(self, first: str, second: str) -> None:
        """Propose which of two cards that were drawn at once comes first."""
        self.page.locator("aside").get_by_test_id("ruling-order").click()
        words = re.compile(f"{_name(first)}.*{_name(second)}")
        self.at("action-form").get_by_test_id("ask-cards").locator("label").filter(has_text=words).click()
        self.send()

    def send(self, reason: str = "") -> None:
        """Send the form that is open, with a reason where it asks for one."""
        form = self.at("action-form").last
        if reason:
            form.get_by_test_id("ask-reason").get_by_role("textbox").fill(reason)
        version = self.version
        form.get_by_test_id("action-send").click()
        self.until(version + 1)

    def astray(self, card: str, hand: str) -> None:
        """A card that was not due lies open at a hand."""
        self.at("open-wrong").click()
        self.at("wrong-felt").click()
        self.at("happened-wrong.drawn").click()
        form = self.at("action-form")
        form.get_by_test_id(f"card-{card}").click()
        form.get_by_test_id("ask-hand").get_by_text(hand).click()
        self.send()
        self.at("wrong-done").click()

    def report(self, family: str, about: str, *cards: int) -> None:
        """Something happened on the felt, to the cards of these numbers if any are meant."""
        self.at("open-wrong").click()
        self.at("wrong-felt").click()
        self.at(f"happened-family.{family}").click()
        form = self.at("action-form")
        if len(cards) > 1:  # one after the other, as a run
            form.get_by_test_id("ask-cards").get_by_role("combobox").select_option(
                json.dumps(cards, separators=(",", ":"))
            )
        elif cards:
            form.get_by_test_id("ask-cards").locator("label").nth(cards[0] - 1).click()
        form.get_by_test_id("ask-about").get_by_role("textbox").fill(about)
        self.send()
        self.at("wrong-done").click()

    def correct(self, was: str, card: str, reason: str) -> None:
        """A card was keyed wrongly: what the record has, and what it is."""
        self.at("open-wrong").click()
        self.at("wrong-keyed").click()
        recorded = self.page.locator(f"[aria-label='{_name(was)}']")
        self.page.locator("[data-testid=correct][data-ruling=correct_card]").filter(has=recorded).first.click()
        self.at("action-form").get_by_test_id(f"card-{card}").click()
        self.send(reason)
        self.at("wrong-done").click()

    def agrees(self) -> View:
        view = super().agrees()
        felt = view.felt
        assert felt is not None
        for player in felt.players:
            shown = self.at(f"person-{player.person}").locator(".number").inner_text()
            self.same(shown, amount(player.stack).removesuffix(".00"))
        if view.public.round is not None and view.public.round.settled:
            found = {
                (
                    str(each.get_attribute("data-person")),
                    each.get_attribute("data-take"),
                    each.get_attribute("data-pay"),
                )
                for each in self.at("payment").all()
            }
            self.same(found, {(each.person, str(each.take), str(each.pay)) for each in felt.payments})
        return view


def _name(card: str) -> str:
    """A card in English."""
    rank = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}.get(card[0], card[0])
    suit = {"s": "Spades", "h": "Hearts", "d": "Diamonds", "c": "Clubs"}[card[1]]
    return f"{rank} of {suit}"


class PitScreen(Screen):
    """The pit's console, opened at a table."""

    kind: ViewerKind = "pit"
    always_roads = False

    def until(self, version: int) -> None:
        """The console follows all tables, and does not say how far it has come with one: look until it shows that."""
        view = seen_by(self.casino.fold(self.table), self.viewer)

        def there() -> bool:
            shown = read(self.page)
            return shown == expected(view, shown.roads)

        until(there, "the console does not come that far")

    def approve(self) -> None:
        """Approve the one ruling that waits at the table, from the queue of all tables."""
        self.page.get_by_test_id("pit-floor").click()
        waiting = self.page.locator(f"[data-testid=approval][data-table='{self.table}']")
        waiting.get_by_test_id("approve").click()
        waiting.wait_for(state="detached")
        self.page.get_by_test_id(f"tile-{self.table}").click()


class SurveillanceScreen(Screen):
    """A round replayed to its end."""

    kind: ViewerKind = "surveillance"
    always_roads = False

    def until(self, version: int) -> None:
        """The round that was played last, at its last step."""
        self.page.reload()
        last = self.casino.fold(self.table).past[-1].number
        self.at(f"round-1-{last}").click()
        self.at("replay-last").click()
        expect(self.at("replay-last")).to_be_disabled()
