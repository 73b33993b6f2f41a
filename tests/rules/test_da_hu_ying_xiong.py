"""Da Hu Ying Xiong, paragraph by paragraph. Cards are written as they leave the shoe: P1 B1 P2 B2 P3 B3."""

from __future__ import annotations

from tests.rules import helpers
from tests.rules.helpers import Game, banker_wins, player_wins, tie

from puntobanco import Coup, Rounding, RoundingMode, settle

GAME = Game("da-hu-ying-xiong")
SIDE_BETS = ("tie", "tiger_tie", "tiger", "big_tiger", "small_tiger", "tiger_pair")
BETS = ("player", "banker", *SIDE_BETS)


def test_1_1_table_of_play_is_mandatory() -> None:
    helpers.check_table_of_play()
    GAME.procedure("table_of_play", "3.12")


def test_1_3_big_tiger() -> None:
    GAME.wins("big_tiger", "50 to 1", "Ah 3c 3d Ks Ac 3h")  # 6 on three cards over 5
    GAME.loses("big_tiger", "2h 6c 3d Ks Kd", "6h 6c Kd Qs", "7h 2c Kd Qs 4h")
    GAME.wins_only("big_tiger", banker_wins(6, cards=3), paragraph="1.3")


def test_1_5_dealer() -> None:
    GAME.ranks(dealer="1.5", pit="1.12", shift_manager="5.17")


def test_1_8_hand() -> None:
    helpers.check_hand()


def test_1_10_natural() -> None:
    helpers.check_natural()


def test_1_11_original_bet() -> None:
    GAME.original_bets(paragraph="1.11")


def test_1_12_pit_employees() -> None:
    GAME.ranks(dealer="1.5", pit="1.12", shift_manager="5.17")


def test_1_14_point_total() -> None:
    helpers.check_point_totals()


def test_1_15_reconstruction() -> None:
    helpers.check_reconstruction()


def test_1_16_round_begins_with_the_call() -> None:
    GAME.procedure("round", "1.16", round_begins="call")


def test_1_18_small_tiger() -> None:
    GAME.wins("small_tiger", "22 to 1", "2h 6c 3d Ks Kd")  # 6 on two cards over 5
    GAME.loses("small_tiger", "Ah 3c 3d Ks Ac 3h", "6h 6c Kd Qs", "7h 6c Kd Qs")
    GAME.wins_only("small_tiger", banker_wins(6, cards=2), paragraph="1.18")


def test_1_20_tie() -> None:
    GAME.wins("tie", "8 to 1", "9h 9c Kd Qs", "6h 6c Kd Qs")
    GAME.loses("tie", "9h 8c Kd Qs")
    GAME.wins_only("tie", tie(), paragraph="1.20")
    helpers.check_tie()


def test_1_21_tiger() -> None:
    GAME.wins("tiger", "12 to 1", "2h 6c 3d Ks Kd")
    GAME.wins("tiger", "20 to 1", "Ah 3c 3d Ks Ac 3h")
    GAME.loses("tiger", "6h 6c Kd Qs", "6h 2c Kd Qs 2h")
    GAME.wins_only("tiger", banker_wins(6), paragraph="1.21")


def test_1_22_tiger_tie() -> None:
    GAME.wins("tiger_tie", "35 to 1", "6h 6c Kd Qs")
    GAME.loses("tiger_tie", "7h 7c Kd Qs", "2h 6c 3d Ks Kd")
    GAME.wins_only("tiger_tie", tie(6), paragraph="1.22")


def test_1_23_tiger_pair() -> None:
    helpers.check_pair_needs_one_rank()  # of one rank, not of one value: 10 and K are no pair
    GAME.wins("tiger_pair", "4 to 1", "4h 9c 4d Ks", "4h 9c 5d 9s")
    GAME.wins("tiger_pair", "20 to 1", "4h 9c 4d 9s", "Kh Qc Kd Qs 2h 2c")
    GAME.wins("tiger_pair", "100 to 1", "7h 7c 7d 7s 2h 4c", "Kh Kc Kd Ks 9h Ac")
    GAME.loses("tiger_pair", "4h 9c 5d Ks", "Th 9c Kd Ks")
    GAME.wins_only("tiger_pair", lambda r: r.player_pair or r.banker_pair, paragraph="1.23")


def test_2_1_1_layouts() -> None:
    assert list(GAME.book.layouts) == list("ABCD")


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


def test_4_1_1_commission() -> None:
    banker_wins_9_over_8 = helpers.finished_coup("8h 9c Kd Qs")
    (wager,) = settle(GAME.book, banker_wins_9_over_8, {"banker": 100_00})
    assert wager.profit == 95_00
    # 5% of 33 is 1.65: what is not a whole unit is kept, unless the table rounds otherwise
    (odd,) = settle(GAME.book, banker_wins_9_over_8, {"banker": 33})
    (up,) = settle(GAME.book, banker_wins_9_over_8, {"banker": 33}, rounding=Rounding(RoundingMode.UP))
    assert (odd.profit, up.profit) == (31, 32)
    GAME.procedure("commission", "4.1.1")
    GAME.commission("4.1.1")


def test_4_1_2_pay_table() -> None:
    GAME.pays("banker", "4.1.2", {"0.95 to 1": banker_wins()})
    GAME.pays("player", "4.1.2", {"1 to 1": player_wins()})
    GAME.pays("tie", "4.1.2", {"8 to 1": tie()})
    GAME.pays(
        "tiger_pair",
        "4.1.2",
        {"4 to 1": helpers.single_pair, "20 to 1": helpers.double_pair, "100 to 1": helpers.twin_pair},
    )
    GAME.pays("tiger", "4.1.2", {"12 to 1": banker_wins(6, cards=2), "20 to 1": banker_wins(6, cards=3)})
    GAME.pays("big_tiger", "4.1.2", {"50 to 1": banker_wins(6, cards=3)})
    GAME.pays("small_tiger", "4.1.2", {"22 to 1": banker_wins(6, cards=2)})
    GAME.pays("tiger_tie", "4.1.2", {"35 to 1": tie(6)})


def is_open_with_three(coup: Coup) -> bool:
    """Player's two cards are no pair and draw: then nothing is decided yet."""
    return not coup.player.pair and coup.player.total <= 5


def test_5_4_1_outcome_is_established_with_three_cards_or_not() -> None:
    helpers.check_established(GAME, cards=3, unless=is_open_with_three)


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
