"""Who has the right lifts a corner of a card that lies face down; nobody sees it before it is turned."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Locator, expect
from tests.page.conftest import Crowd
from tests.page.screens import DealerScreen, PlayerScreen, Screen, at_rest
from tests.page.test_keyboard import tab_to

from puntobanco.cards import Card
from puntobanco.coup import OPENING
from puntobanco.table import commands as c
from puntobanco.table import events as e

CORNER = 0.03


def lift(card: Locator, part: float) -> None:
    """Take the upper left corner with the mouse and lead it a part of the way to the opposite one."""
    at_rest(card.page)
    box = card.bounding_box()
    assert box
    mouse = card.page.mouse

    def at(share: float) -> tuple[float, float]:
        return box["x"] + box["width"] * share, box["y"] + box["height"] * share

    mouse.move(*at(CORNER))
    mouse.down()
    for step in range(1, 6):
        mouse.move(*at(CORNER + (part - CORNER) * step / 5))


def lies(screens: Sequence[Screen], hand: str, *cards: str) -> None:
    """Check what everybody sees of a hand."""
    for screen in screens:
        for number, card in enumerate(cards):
            shown = screen.page.locator(f"main [data-hand={hand}] [data-card]").nth(number)
            expect(shown).to_have_attribute("data-card", card)


def test_a_card_is_squeezed_by_mouse_and_one_by_keyboard(crowd: Crowd) -> None:
    """Dragon Tiger 4.7: ann has the highest bet and asks for Banker's cards, which the scanner has read."""
    casino = crowd.casino
    table = casino.open_table("dragon-tiger-commission", face_down=True)
    dealer, ann, bob = crowd.dealer(table), crowd.player(table, "ann", 1), crowd.player(table, "bob", 2)
    display = crowd.display(table)
    others: tuple[Screen, ...] = (dealer, bob, display)
    casino.bets(table, {ann.person: (1, {"banker": 500_00}), bob.person: (2, {"player": 100_00})})
    for player in (ann, bob):  # who has the right is known at the close
        player.at("wish-squeeze").click()
        expect(player.at("wish-squeeze")).to_have_attribute("aria-pressed", "true")
    casino.deal(table, "")
    dealer.waits_for("answer_squeeze")
    expect(bob.at("ask-squeeze-banker")).to_have_count(0)
    dealer.click("squeeze-true")
    expect(ann.at("squeezes")).to_contain_text("Banker")
    cards = [Card(card) for card in ("8h", "9c", "Kd", "Ks")]
    casino.scan(table, *(c.Draw(card, hand) for card, hand in zip(cards, OPENING, strict=True)))
    turn(dealer)
    lies((ann, *others), "banker", "back", "back")
    squeeze_by_mouse(ann, others)
    turn(dealer)
    tab_to(ann.page, "[data-testid=turn-4]")
    ann.page.keyboard.press("Enter")
    lies((ann, *others), "banker", "9c", "Ks")
    expect(ann.at("squeeze")).to_have_count(0)
    dealer.waits_for("announce")
    casino.pay(table, "banker", 1, 2)
    for screen in (ann, *others):
        screen.agrees()
    turned = [record.actor for record in casino.records(table) if isinstance(record.event, e.CardTurned)]
    assert turned == ["dan", ann.person, "dan", ann.person]


def turn(dealer: DealerScreen) -> None:
    """The next one of Player's cards, which nobody squeezes."""
    dealer.waits_for("turn")
    expect(dealer.step).to_contain_text("Player")
    dealer.click("do-next")


def squeeze_by_mouse(ann: PlayerScreen, others: Sequence[Screen]) -> None:
    card = ann.at("squeeze-card-2")
    expect(card).to_have_attribute("aria-label", "a card face down")
    version = ann.version
    lift(card, 0.2)
    at_rest(ann.page)
    assert ann.version == version
    assert card.locator("text").count() == 0
    lies(others, "banker", "back", "back")
    assert all(screen.at("squeezed").count() == (not isinstance(screen, DealerScreen)) for screen in others)
    ann.page.mouse.up()
    for screen in others:
        expect(screen.at("squeezed")).to_have_count(0)
    lift(card, 0.6)
    expect(card).to_have_attribute("aria-label", "9 of Clubs")
    assert card.locator("text").count() == 0, "the index is covered"
    assert card.locator("path").count() > 9
    for screen in others:
        if not isinstance(screen, DealerScreen):  # they see the same bend, and its pips
            expect(screen.at("squeezed").locator("path")).to_have_count(card.locator("path").count())
    lies(others[:1], "banker", "9c", "back")
    lies([ann], "banker", "back", "back")  # still in her hand
    ann.page.mouse.up()
    lies((ann, *others), "banker", "9c", "back")
