"""What goes wrong on the felt or at the keys is recorded, ruled on and shown, from one screen to the other."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.page.conftest import Crowd
from tests.page.screens import DealerScreen, PlayerScreen

from puntobanco.cards import parse_cards
from puntobanco.table import commands as c


def seated(crowd: Crowd, table: str) -> tuple[DealerScreen, PlayerScreen, PlayerScreen]:
    return crowd.dealer(table), crowd.player(table, "ann", 1), crowd.player(table, "bob", 2)


def test_an_exposed_card_lets_players_go_on_or_take_back(crowd: Crowd) -> None:
    """Tiger Buffalo 5.8: the supervisor approves from the pit; one player goes on, the other takes the bet back."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    dealer, ann, bob = seated(crowd, table)
    pit = crowd.pit(table, "sam")
    everybody = (dealer, ann, bob, pit)
    dealer.call()
    ann.bet(1, "player", chip=100_00)
    bob.bet(2, "banker", chip=100_00)
    dealer.close()
    dealer.deal("8h")
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
    dealer.deal("9c Kd Ks")  # Player 8, Banker 9
    dealer.announce("banker")
    dealer.pay()
    for screen in everybody:
        screen.agrees()
    events = casino.events(table)
    assert events.count("option_taken") == 2
    assert (ann.at("stack").inner_text(), bob.at("stack").inner_text()) == ("5,000", "5,100")


def test_an_excess_card_is_ruled_on_and_opens_the_next_round(crowd: Crowd) -> None:
    """Both hands stand on 6 and 7, and the dealer draws once more."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo")
    dealer, ann, bob = seated(crowd, table)
    pit = crowd.pit(table, "sam")
    everybody = (dealer, ann, bob, pit)
    dealer.call()
    ann.bet(1, "player", chip=100_00)
    bob.bet(2, "banker", chip=100_00)
    dealer.close()
    dealer.deal("6h 7c Kd Ks")
    dealer.waits_for("announce")
    dealer.astray("9d", "Banker")
    for screen in everybody:
        screen.agrees()
    dealer.rule("reconstruct")
    pit.approve()
    dealer.announce("banker")
    dealer.pay()
    for screen in everybody:
        screen.agrees()
    dealer.call()
    dealer.close()
    dealer.waits_for("draw")
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
    dealer, ann, bob = seated(crowd, table)
    pit, display = crowd.pit(table, "sam"), crowd.display(table)
    everybody = (dealer, ann, bob, pit, display)
    dealer.call()
    ann.bet(1, "player", chip=100_00)
    bob.bet(2, "banker", chip=100_00)
    bob.bet(2, "tie", chip=25_00)
    dealer.close()
    dealer.deal("6h 5c Kd Ks 4h")  # Player 6 stands, Banker has 9 with this one
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
    dealer.announce("player")  # 6 to 4
    dealer.pay()
    for screen in everybody:
        view = screen.agrees()
        assert view.public.last is not None
        assert [str(card.card) for card in view.public.last.cards] == ["6h", "5c", "Kd", "Ks", "9d"]
    crowd.surveillance(table).agrees()
    assert [line.person for line in casino.fold(table).past[-1].lines] == [ann.person]
    assert (ann.at("stack").inner_text(), bob.at("stack").inner_text()) == ("5,100", "5,000")
    dealer.call()
    dealer.close()
    dealer.waits_for("draw")
    for screen in everybody:
        seen = screen.agrees().public.round
        assert seen is not None
        assert [str(card.card) for card in seen.cards] == ["4h"]


def test_a_card_keyed_wrongly_is_corrected_before_the_call(crowd: Crowd) -> None:
    """The felt was right: a second person signs, and the totals change on every page."""
    casino = crowd.casino
    table = casino.open_table("da-hu-ying-xiong")
    dealer, ann, bob = seated(crowd, table)
    pit, display = crowd.pit(table, "sam"), crowd.display(table)
    everybody = (dealer, ann, bob, pit, display)
    dealer.call()
    ann.bet(1, "player", chip=100_00)
    bob.bet(2, "banker", chip=100_00)
    dealer.close()
    dealer.deal("8h 9c Kd Ks")
    for screen in everybody:
        screen.agrees()
    dealer.correct("8h", "9h", "it is a 9")
    pit.approve()
    dealer.announce("tie")
    dealer.pay()
    for screen in everybody:
        screen.agrees()
    assert ann.page.locator("main [data-hand=player] [data-card='9h']").count() == 1
    assert "card_corrected" in casino.events(table)


def test_a_correction_after_the_settlement_settles_again(crowd: Crowd) -> None:
    """The Pit Manager approves; roads, history and receipt change, and say so."""
    casino = crowd.casino
    table = casino.open_table("da-hu-ying-xiong")
    dealer, ann, bob = seated(crowd, table)
    pit, display = crowd.pit(table, "pam"), crowd.display(table)
    everybody = (dealer, ann, bob, pit, display)
    dealer.call()
    ann.bet(1, "player", chip=100_00)
    bob.bet(2, "banker", chip=100_00)
    dealer.close()
    dealer.deal("8s 9d Kh Kc")
    dealer.announce("banker")
    dealer.pay()
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
    assert (ann.at("stack").inner_text(), bob.at("stack").inner_text()) == ("5,000", "5,000")


def test_a_void_is_shown_everywhere_and_leaves_the_roads(crowd: Crowd) -> None:
    """The first card lies at the wrong hand, and the round is voided: bets go back, and the history says it."""
    casino = crowd.casino
    table = casino.open_table("tiger-buffalo", ["8h 2c Kd 5s"])
    dealer, ann, bob = seated(crowd, table)
    pit, display = crowd.pit(table, "pam"), crowd.display(table)
    everybody = (dealer, ann, bob, pit, display)
    dealer.call()
    ann.bet(1, "player", chip=100_00)
    bob.bet(2, "banker", chip=100_00)
    dealer.close()
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
    dealer, ann, bob = seated(crowd, table)
    pit, display = crowd.pit(table, "sam"), crowd.display(table)
    dealer.call()
    ann.bet(1, "player", chip=100_00)
    bob.bet(2, "banker", chip=100_00)
    dealer.close()
    dealer.deal("2h 6c 3d Ks 9h")
    dealer.announce("banker")
    dealer.pay()
    dealer.call()
    cards = parse_cards("2h 6c 4d Ks 9h")
    casino.give("dan", table, c.ReportRound(1, cards, "the camera shows a 4 of diamonds"))
    dealer.rule("rectify")
    pit.approve()
    for screen in (dealer, ann, bob, pit, display):
        screen.agrees()
    assert ann.rounds()[0].startswith("1 Tie settled again")
    ann.open_tab("receipt")
    expect(ann.at("settled-again-1")).to_contain_text("+100.00")
