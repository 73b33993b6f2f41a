"""RWS Baccarat, paragraph by paragraph. Cards are written as they leave the shoe: P1 B1 P2 B2 P3 B3."""

from __future__ import annotations

from tests.rules import helpers
from tests.rules.helpers import Game, banker_wins, player_wins, tie

from puntobanco.rules.model import CommissionForm

GAME = Game("rws-baccarat")
PLAYER_WINS_ON = tuple(f"player_wins_on_{points}" for points in range(1, 10))
BANKER_WINS_ON = tuple(f"banker_wins_on_{points}" for points in range(1, 10))
TIE_WINS_ON = tuple(f"tie_wins_on_{points}" for points in range(10))
SIDE_BETS = ("any_tie", "player_pair", "banker_pair", *PLAYER_WINS_ON, *BANKER_WINS_ON, *TIE_WINS_ON)
BETS = ("player", "banker", *SIDE_BETS)


def test_1_1_table_of_play_is_mandatory() -> None:
    helpers.check_table_of_play()
    GAME.procedure("table_of_play", "3.12")


def test_1_2_banker_wins_on() -> None:
    GAME.wins("banker_wins_on_6", "11 to 1", "2h 6c 3d Ks Kd", "Ah 3c 3d Ks Ac 3h")
    GAME.loses("banker_wins_on_6", "6h 6c Kd Qs", "8h 9c Kd Qs", "6h 2c Kd Qs 2h")
    for points in range(1, 10):
        GAME.wins_only(f"banker_wins_on_{points}", banker_wins(points), paragraph="1.2")


def test_1_5_dealer() -> None:
    GAME.ranks(dealer="1.5", pit="1.13", shift_manager="5.17")


def test_1_8_hand() -> None:
    helpers.check_hand()


def test_1_10_natural() -> None:
    helpers.check_natural()


def test_1_11_non_commission() -> None:
    GAME.wins("banker", "1 to 2", "2h 6c 3d Ks Kd", "Ah 3c 3d Ks Ac 3h")
    GAME.wins("banker", "1 to 1", "8h 9c Kd Qs", "6h 7c Kd Qs")
    assert GAME.book.commission.form is CommissionForm.NONE


def test_1_12_original_bet() -> None:
    GAME.original_bets(paragraph="1.12")


def test_1_13_pit_employees() -> None:
    GAME.ranks(dealer="1.5", pit="1.13", shift_manager="5.17")


def test_1_15_player_pair_and_banker_pair() -> None:
    helpers.check_pair_needs_one_rank()
    GAME.wins("player_pair", "11 to 1", "Kh 9c Kd Qs", "Th 9c Td Qs")
    GAME.loses("player_pair", "Th 9c Kd Qs")
    GAME.wins("banker_pair", "11 to 1", "9h Kc Qd Ks")
    GAME.wins_only("player_pair", helpers.player_pair, paragraph="1.15")
    GAME.wins_only("banker_pair", helpers.banker_pair, paragraph="1.15")


def test_1_16_player_wins_on() -> None:
    GAME.wins("player_wins_on_7", "8 to 1", "7h 6c Kd Qs", "2h 6c Kd Qs 5h")
    GAME.loses("player_wins_on_7", "7h 7c Kd Qs", "8h 6c Kd Qs", "2h 7c Kd Qs 4h")
    for points in range(1, 10):
        GAME.wins_only(f"player_wins_on_{points}", player_wins(points), paragraph="1.16")


def test_1_17_point_total() -> None:
    helpers.check_point_totals()


def test_1_18_reconstruction() -> None:
    helpers.check_reconstruction()


def test_1_19_round_begins_with_the_call() -> None:
    GAME.procedure("round", "1.19", round_begins="call")


def test_1_22_tie() -> None:
    GAME.wins("any_tie", "8 to 1", "9h 9c Kd Qs", "6h 6c Kd Qs")
    GAME.wins_only("any_tie", tie(), paragraph="1.22")
    helpers.check_tie()


def test_1_23_tie_wins_on() -> None:
    GAME.wins("tie_wins_on_6", "35 to 1", "6h 6c Kd Qs")
    GAME.loses("tie_wins_on_6", "7h 7c Kd Qs", "2h 6c 3d Ks Kd")
    for points in range(10):
        GAME.wins_only(f"tie_wins_on_{points}", tie(points), paragraph="1.23")


def test_2_1_1_layouts() -> None:
    assert list(GAME.book.layouts) == list("ABCDEFGH")


def test_2_1_1_a_boxes() -> None:
    assert {layout.positions for layout in GAME.book.layouts.values()} == {(1, 2, 3, 4, 5, 6, 7)}


def test_2_2_1_decks() -> None:
    GAME.decks(4, 10, paragraph="2.2.1")


def test_3_2_card_values() -> None:
    helpers.check_values(helpers.VALUES)


def test_3_2_1_ace() -> None:
    helpers.check_values({"A": 1})


def test_3_2_2_two_to_ten() -> None:
    # a ten adds ten, of which the point total keeps nothing
    helpers.check_values({"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "10": 0})


def test_3_2_3_pictures() -> None:
    helpers.check_values({"J": 0, "Q": 0, "K": 0})


def test_3_7_bets_and_side_bets_alone() -> None:
    GAME.offers(*BETS)
    GAME.alone(*SIDE_BETS)


def test_3_9_squeeze_is_for_seated_players() -> None:
    GAME.procedure("squeeze", "3.9", squeeze="seated")


def test_3_10_initial_cards() -> None:
    helpers.check_initial_deal()
    helpers.check_pairs_by_first_four()


def test_3_11_third_cards() -> None:
    helpers.check_banker_alone(draws="012345", stands="6789")


def test_3_12_table_of_play() -> None:
    # the scan lost the cell in which Banker on 3 stands against 8
    helpers.check_player_draws(draws="012345", stands="67")
    helpers.check_naturals_end_the_deal()
    helpers.check_banker_draws(
        {
            3: ("0 1 2 3 4 5 6 7 9", "8"),
            4: ("2 3 4 5 6 7", "0 1 8 9"),
            5: ("4 5 6 7", "0 1 2 3 8 9"),
            6: ("6 7", "0 1 2 3 4 5 8 9"),
            7: ("", helpers.ANY),
            0: (helpers.ANY, ""),
            1: (helpers.ANY, ""),
            2: (helpers.ANY, ""),
        }
    )


def test_3_13_winner() -> None:
    helpers.check_winner()


def test_3_14_tie_returns_original_bets() -> None:
    GAME.pushes("player", "6h 6c Kd Qs")
    GAME.pushes("banker", "6h 6c Kd Qs")
    GAME.tie_returns(paragraph="3.14")


def test_4_1_1_pay_table() -> None:
    GAME.pays("banker", "4.1.1", {"1 to 2": banker_wins(6), "1 to 1": banker_wins(1, 2, 3, 4, 5, 7, 8, 9)})
    GAME.pays("player", "4.1.1", {"1 to 1": player_wins()})
    GAME.pays("any_tie", "4.1.1", {"8 to 1": tie()})
    GAME.pays("player_pair", "4.1.1", {"11 to 1": helpers.player_pair})
    GAME.pays("banker_pair", "4.1.1", {"11 to 1": helpers.banker_pair})


def test_4_1_2_player_wins_on() -> None:
    odds = {1: 160, 2: 80, 3: 50, 4: 50, 5: 30, 6: 11, 7: 8, 8: 6, 9: 5}
    for points, pays in odds.items():
        GAME.pays(f"player_wins_on_{points}", "4.1.2", {f"{pays} to 1": player_wins(points)})


def test_4_1_3_banker_wins_on() -> None:
    odds = {1: 160, 2: 80, 3: 50, 4: 25, 5: 15, 6: 11, 7: 8, 8: 6, 9: 5}
    for points, pays in odds.items():
        GAME.pays(f"banker_wins_on_{points}", "4.1.3", {f"{pays} to 1": banker_wins(points)})


def test_4_1_4_tie_wins_on() -> None:
    odds = {0: 110, 1: 160, 2: 160, 3: 150, 4: 100, 5: 90, 6: 35, 7: 35, 8: 60, 9: 60}
    for points, pays in odds.items():
        GAME.pays(f"tie_wins_on_{points}", "4.1.4", {f"{pays} to 1": tie(points)})


def test_5_4_1_outcome_is_established_with_three_cards() -> None:
    helpers.check_established(GAME, cards=3)


def test_5_4_2_no_outcome_is_established_with_two_cards() -> None:
    helpers.check_established(GAME, cards=2, unless=lambda _: True)


def test_5_17_uncovered_goes_to_the_shift_manager() -> None:
    GAME.uncovered("shift_manager", "5.17")


def test_appendix_a_layout() -> None:
    GAME.layout("A", BETS, range(1, 8), paragraph="Appendix A")


def test_appendix_b_layout() -> None:
    GAME.layout("B", BETS, range(1, 8), paragraph="Appendix B")


def test_appendix_c_layout() -> None:
    GAME.layout("C", BETS, range(1, 8), paragraph="Appendix C")


def test_appendix_d_layout() -> None:
    GAME.layout("D", BETS, range(1, 8), paragraph="Appendix D")


def test_appendix_e_layout() -> None:
    GAME.layout("E", BETS, range(1, 8), paragraph="Appendix E")


def test_appendix_f_layout() -> None:
    GAME.layout("F", BETS, range(1, 8), paragraph="Appendix F")


def test_appendix_g_layout() -> None:
    GAME.layout("G", BETS, range(1, 8), paragraph="Appendix G")


def test_appendix_h_layout() -> None:
    GAME.layout("H", BETS, range(1, 8), paragraph="Appendix H")
