"""What goes wrong on the felt or at the keys is recorded, ruled on and shown, from one screen to the other."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.page.conftest import Crowd
from tests.page.screens import DealerScreen, PlayerScreen

from puntobanco.cards import parse_cards
from puntobanco.table import commands as c


def dealt(crowd: Crowd, table: str, cards: str, **more: int) -> tuple[DealerScreen, PlayerScreen]:
    """A round of which these cards are dealt: ann has bet on Player, bob on Banker and on what else is named.

    Up to here everybody plays past the page: what is to be seen comes now.
    """
    casino, ann, bob = crowd.casino, f"ann-{crowd.number}", f"bob-{crowd.number}"
    for box, person in enumerate((ann, bob), 1):
        casino.seat(person, table, box)
    casino.bets(table, {ann: (1, {"player": 100_00}), bob: (2, {"banker": 100_00} | more)})
    casino.deal(table, cards)
    return crowd.dealer(table), crowd.player(table, "ann")


def stacks(crowd: Crowd, table: str) -> tuple[int, int]:
    """Ann's and bob's chips, by the log."""
    now = crowd.casino.fold(table)
    return now.stack(f"ann-{crowd.number}"), now.stack(f"bob-{crowd.number}")


def test_an_exposed_card_lets_players_go_on_or_take_back(crowd: Crowd) -> None:
    """Tiger Buffalo 5.8: the supervisor approves from the pit; one player goes on, the other takes the bet back."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    dealer, ann = dealt(crowd, table, "8h")
    bob, pit = crowd.player(table, "bob"), crowd.pit(table, "sam")
    everybody = (dealer, ann, bob, pit)
    dealer.report("exposed_cards", "it jumped off the table", 1)
    expect(ann.at("wait")).to_contain_text("5.8")
    dealer.rule("reconstruct")
    pit.approve()
    for player in (ann, bob):
        player.at("option").wait_for()
        player.agrees()
    expect(ann.at("option-take-back")).to_contain_text("5.16.3")
    ann.at("option-take-back").click()
    ann.at("option").wait_for(state="detached")
    dealer.waits_for("take_option")
    bob.at("option-go-on").click()
    dealer.waits_for("draw")
    casino.deal(table, "9c Kd Ks", "banker", 2, after="8h")  # Player 8, Banker 9
    for screen in everybody:
        screen.agrees()
    events = casino.events(table)
    assert events.count("option_taken") == 2
    assert (ann.at("stack").inner_text(), bob.at("stack").inner_text()) == ("5,000", "5,100")


def test_an_excess_card_is_ruled_on_and_opens_the_next_round(crowd: Crowd) -> None:
    """Both hands stand on 6 and 7, and the dealer draws once more."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    dealer, ann = dealt(crowd, table, "6h 7c Kd Ks")
    pit = crowd.pit(table, "sam")
    everybody = (dealer, ann, pit)
    dealer.waits_for("announce")
    dealer.astray("9d", "Banker")
    for screen in everybody:
        screen.agrees()
    dealer.rule("reconstruct")
    pit.approve()
    dealer.waits_for("announce")
    casino.pay(table, "banker", 1, 2)
    for screen in everybody:
        screen.agrees()
    casino.give("dan", table, c.Call(), c.Close())
    for screen in everybody:
        seen = screen.agrees().public.round
        assert seen is not None
        assert [str(card.card) for card in seen.cards] == ["9d"]


def test_a_card_in_excess_that_came_together_with_another_lets_players_go_on_or_take_back(crowd: Crowd) -> None:
    """Da Hu Ying Xiong 5.10: two cards leave the shoe at once, and Banker gets one of them.

    An excess card alone asks nobody. DH and RB 5.7.1 and TB 5.8.1 give the options only while no outcome is
    established; with four cards one always is (reading E), and no card in excess comes before the fifth. S6 5.1.2 and
    HO 7.6 and 7.7 know no options for it. Cards drawn at once are another error, with options in any case (DH and RB
    5.10.1, TB 5.11.1, HO 7.13): the supervisor says which came first, and the other one is left over.
    """
    casino = crowd.casino
    table = casino.open_table("da-hu-ying-xiong", ["8h 2c Kd 5s"])
    dealer, ann = dealt(crowd, table, "6h 5c Kd Ks 4h", tie=25_00)  # Player 6 stands, Banker has 9 with the last one
    bob, pit, display = crowd.player(table, "bob"), crowd.pit(table, "sam"), crowd.display(table)
    everybody = (dealer, ann, bob, pit, display)
    dealer.astray("9d", "Banker")
    dealer.report("simultaneous", "the 4 and the 9 came out together", 5, 6)
    for screen in everybody:
        screen.agrees()
    dealer.rule_order("9d", "4h")
    pit.approve()
    for player in (ann, bob):
        expect(player.at("option-go-on")).to_contain_text("5.12.2")
    for screen in everybody:
        screen.agrees()
    ann.at("option-go-on").click()
    ann.at("option").wait_for(state="detached")
    dealer.waits_for("take_option")
    bob.at("option-take-back").click()
    dealer.waits_for("announce")
    casino.pay(table, "player", 1)  # 6 to 4
    for screen in everybody:
        view = screen.agrees()
        assert view.public.last is not None
        assert [str(card.card) for card in view.public.last.cards] == ["6h", "5c", "Kd", "Ks", "9d"]
    crowd.surveillance(table).agrees()
    assert [line.person for line in casino.fold(table).past[-1].lines] == [ann.person]
    assert (ann.at("stack").inner_text(), bob.at("stack").inner_text()) == ("5,100", "5,000")
    casino.give("dan", table, c.Call(), c.Close())
    for screen in everybody:
        seen = screen.agrees().public.round
        assert seen is not None
        assert [str(card.card) for card in seen.cards] == ["4h"]


def test_a_card_keyed_wrongly_is_corrected_before_the_call(crowd: Crowd) -> None:
    """The felt was right: a second person signs, and the totals change on every page."""
    casino = crowd.casino
    table = casino.open_table("da-hu-ying-xiong")
    dealer, ann = dealt(crowd, table, "8h 9c Kd Ks")
    pit, display = crowd.pit(table, "sam"), crowd.display(table)
    everybody = (dealer, ann, pit, display)
    for screen in everybody:
        screen.agrees()
    dealer.correct("8h", "9h", "it is a 9")
    pit.approve()
    dealer.waits_for("announce")
    casino.pay(table, "tie", 1, 2)
    for screen in everybody:
        screen.agrees()
    assert ann.page.locator("main [data-hand=player] [data-card='9h']").count() == 1
    assert "card_corrected" in casino.events(table)


def test_a_correction_after_the_settlement_settles_again(crowd: Crowd) -> None:
    """The Pit Manager approves; roads, history and receipt change, and say so."""
    casino = crowd.casino
    table = casino.open_table("da-hu-ying-xiong")
    dealer, ann = dealt(crowd, table, "8s 9d Kh Kc")
    casino.pay(table, "banker", 1, 2)
    pit, display = crowd.pit(table, "pam"), crowd.display(table)
    everybody = (dealer, ann, pit, display)
    for screen in everybody:
        screen.agrees()
    assert ann.rounds()[0].startswith("1 Banker")
    dealer.correct("8s", "9s", "it is a 9")
    pit.approve()
    for screen in everybody:
        screen.agrees()
    assert ann.rounds()[0].startswith("1 Tie")
    assert "settled again" in ann.rounds()[0]
    ann.open_tab("receipt")
    expect(ann.at("settled-again-1")).to_contain_text("+100.00")
    expect(display.page.locator("main")).to_contain_text("This round was settled again")
    assert stacks(crowd, table) == (5_000_00, 5_000_00)


def test_a_void_is_shown_everywhere_and_leaves_the_roads(crowd: Crowd) -> None:
    """The first card lies at the wrong hand, and the round is voided: bets go back, and the history says it."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo", ["8h 2c Kd 5s"])
    dealer, ann = dealt(crowd, table, "")
    pit, display = crowd.pit(table, "pam"), crowd.display(table)
    everybody = (dealer, ann, pit, display)
    dealer.waits_for("draw")
    dealer.at("to-banker").click()
    dealer.click("card-2h")
    dealer.waits_for("propose")
    dealer.rule("void", "it cannot be put back")
    pit.approve()
    for screen in everybody:
        screen.agrees()
    assert "void" in ann.rounds()[0]
    assert ann.at("stack").inner_text() == "5,000"
    assert "round_voided" in casino.events(table)


def test_a_round_found_wrong_later_is_settled_again(crowd: Crowd) -> None:
    """Tiger Buffalo 5.15.2: after the next call it turns out that a card was one too many."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    dealer, ann = dealt(crowd, table, "2h 6c 3d Ks 9h")
    casino.pay(table, "banker", 1, 2)
    casino.give("dan", table, c.Call())
    pit, display = crowd.pit(table, "sam"), crowd.display(table)
    cards = parse_cards("2h 6c 4d Ks 9h")
    casino.give("dan", table, c.ReportRound(1, cards, "the camera shows a 4 of diamonds"))
    dealer.rule("rectify")
    pit.approve()
    for screen in (dealer, ann, pit, display):
        screen.agrees()
    assert ann.rounds()[0].startswith("1 Tie settled again")
    ann.open_tab("receipt")
    expect(ann.at("settled-again-1")).to_contain_text("+100.00")
