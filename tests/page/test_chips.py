"""Chips dragged by mouse and by finger, taken back, doubled and put down again; and chips behind another's box."""

from __future__ import annotations

from playwright.sync_api import Locator, expect
from tests.page.browser import PHONE
from tests.page.conftest import Crowd
from tests.page.screens import PlayerScreen, at_rest

from puntobanco.table import commands as c


def middle(what: Locator) -> tuple[float, float]:
    what.scroll_into_view_if_needed()
    at_rest(what.page)
    box = what.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def bet_of(player: PlayerScreen, box: int, bet: str) -> Locator:
    return player.page.locator(f"[data-box='{box}'] [data-bet='{bet}']")


def drag(player: PlayerScreen, chip: int, to: Locator) -> None:
    mouse = player.page.mouse
    end = middle(to)
    start = middle(player.at(f"chip-{chip}"))
    mouse.move(*start)
    mouse.down()
    mouse.move(start[0], start[1] - 30)
    mouse.move(*end, steps=4)
    mouse.up()


def drag_by_finger(player: PlayerScreen, chip: int, to: Locator) -> None:
    touch = player.page.context.new_cdp_session(player.page)
    end = middle(to)
    start = middle(player.at(f"chip-{chip}"))
    kind = "touchStart"
    for share in (0, *(step / 10 for step in range(1, 11)), 1, 1):  # after a fling the next tap would only stop it
        x, y = (one + (other - one) * share for one, other in zip(start, end, strict=True))
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        player.page.wait_for_timeout(40)  # a finger's pace, not a wait: slower is as good
        kind = "touchMove"
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def on_layout(player: PlayerScreen, /, **amounts: int) -> None:
    """Check what lies in box 1, all of it."""
    for bet, amount in amounts.items():
        player.confirmed(1, bet, amount)
    expect(player.page.locator("[data-testid^='bet-'][data-state]")).to_have_count(len(amounts))
    expect(player.at("on-layout")).to_have_attribute("data-amount", str(sum(amounts.values())))


def test_chips_are_dragged_taken_back_doubled_and_put_down_again(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    dealer, ann = crowd.dealer(table), crowd.player(table, "ann", 1)
    everybody = (dealer, ann)
    casino.give("dan", table, c.Call())
    drag(ann, 100_00, bet_of(ann, 1, "banker"))
    on_layout(ann, banker=100_00)
    drag(ann, 25_00, ann.page.locator("[data-spot='1-tie']"))  # onto the drawn layout
    on_layout(ann, banker=100_00, tie=25_00)
    drag(ann, 500_00, ann.at("cards"))  # where no bet is
    drag(ann, 500_00, ann.page.locator("[data-spot='3-player']"))  # a box of nobody
    on_layout(ann, banker=100_00, tie=25_00)
    ann.at("double").click()
    on_layout(ann, banker=200_00, tie=50_00)
    ann.at("undo").click()
    on_layout(ann, banker=100_00, tie=25_00)
    ann.at("undo").click()
    on_layout(ann, banker=100_00)
    ann.at("clear").click()
    on_layout(ann)
    expect(ann.at("stack")).to_have_attribute("data-amount", str(5_000_00))
    drag(ann, 100_00, bet_of(ann, 1, "banker"))
    drag(ann, 25_00, bet_of(ann, 1, "tie"))
    on_layout(ann, banker=100_00, tie=25_00)
    for screen in everybody:
        screen.agrees()
    casino.deal(table, "9h")
    for verb in ("undo", "clear", "double", "rebet"):
        expect(ann.at(verb)).to_be_disabled()
    casino.deal(table, "4d Ts 4c", "player", 1, after="9h")  # Player 9, Banker 8
    casino.give("dan", table, c.Call())
    ann.at("rebet").click()
    on_layout(ann, banker=100_00, tie=25_00)
    for screen in everybody:
        screen.agrees()


def test_chips_are_dragged_by_finger_on_a_phone(crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table("super-six")
    ann = crowd.player(table, "ann", 1, viewport=PHONE, has_touch=True, is_mobile=True)
    casino.give("dan", table, c.Call())
    drag_by_finger(ann, 100_00, bet_of(ann, 1, "player"))
    on_layout(ann, player=100_00)
    drag_by_finger(ann, 25_00, bet_of(ann, 1, "tie"))
    on_layout(ann, player=100_00, tie=25_00)
    bet_of(ann, 1, "tie").tap()
    on_layout(ann, player=100_00, tie=50_00)
    for verb, left in (("undo", 25_00), ("double", 50_00)):
        ann.at(verb).tap()
        on_layout(ann, player=100_00 if verb == "undo" else 200_00, tie=left)
    casino.deal(table, "9h 4d Ts 4c", "player", 1)
    ann.agrees()


def test_a_player_stands_behind_another_and_is_paid(crowd: Crowd) -> None:
    """Two people's chips on one box: each has a receipt of his own, and the dealer pays both before he confirms it."""
    casino = crowd.casino
    table = casino.open_table("dragon-tiger-commission")
    dealer, ann = crowd.dealer(table), crowd.player(table, "ann", 1)
    bob = crowd.player(table, "bob", 1, seated=False)
    display = crowd.display(table)
    everybody = (dealer, ann, bob, display)
    expect(dealer.at("box-1")).to_contain_text(bob.person)
    casino.give("dan", table, c.Call())
    ann.bet(1, "banker", chip=100_00)
    bob.bet(1, "banker", chip=500_00)
    bob.bet(1, "tie", chip=25_00)
    expect(ann.page.locator("[data-box='1'] [data-bet=banker]")).to_contain_text("+500")
    for screen in everybody:
        screen.agrees()
    casino.deal(table, "2h 6c 3d Ks 9h")
    dealer.announce("banker")  # with 5 % commission
    dealer.waits_for("confirm")
    expect(dealer.at("box-1").get_by_test_id("payment")).to_have_count(2)
    for screen in everybody:
        screen.agrees()
    dealer.pay()
    for screen in everybody:
        screen.agrees()
    assert (ann.at("stack").inner_text(), bob.at("stack").inner_text()) == ("5,095", "5,450")
    assert casino.events(table).count("boxes_confirmed") == 1


def test_a_seated_player_bets_behind_another_box_too(crowd: Crowd) -> None:
    """bob plays his own box and ann's: two receipts for him."""
    casino = crowd.casino
    table = casino.open_table("super-six")
    dealer, ann, bob = crowd.dealer(table), crowd.player(table, "ann", 1), crowd.player(table, "bob", 2)
    everybody = (dealer, ann, bob)
    casino.bets(table, {ann.person: (1, {"player": 100_00}), bob.person: (2, {"banker": 100_00})})
    bob.at("box-1").click()
    bob.bet(1, "player", chip=500_00)
    casino.deal(table, "9h 4d Ts 4c", "player", 1, 2)  # Player 9, Banker 8
    for screen in everybody:
        screen.agrees()
    bob.open_tab("receipt")
    assert [text.split("·")[1].strip() for text in bob.page.locator(".receipt h3").all_inner_texts()] == [
        "Box 1",
        "Box 2",
    ]
    assert (ann.at("stack").inner_text(), bob.at("stack").inner_text()) == ("5,100", "5,400")
