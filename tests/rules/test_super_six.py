"""Super Six, paragraph by paragraph. Cards are written as they leave the shoe: P1 B1 P2 B2 P3 B3.

The definitions of section 1 carry no numbers; their tests are named after the section.
"""

from __future__ import annotations

from tests.rules import helpers
from tests.rules.helpers import Game, banker_wins, player_wins, tie

from puntobanco import settle
from puntobanco.rules.model import Shape

GAME = Game("super-six")
SIDE_BETS = ("tie", "super_six", "player_pair", "banker_pair")
BETS = ("player", "banker", *SIDE_BETS)


def test_1_table_of_play_is_mandatory() -> None:
    helpers.check_table_of_play()


def test_1_natural() -> None:
    helpers.check_natural()


def test_1_player_pair_and_banker_pair() -> None:
    helpers.check_pair_needs_one_rank()
    GAME.wins("player_pair", "11 to 1", "Kh 9c Kd Qs", "Th 9c Td Qs")
    GAME.loses("player_pair", "Th 9c Kd Qs", "Qh Kc Jd Ks 2h 3c")
    GAME.wins("banker_pair", "11 to 1", "9h Kc Qd Ks")
    GAME.wins_only("player_pair", helpers.player_pair, paragraph="1")
    GAME.wins_only("banker_pair", helpers.banker_pair, paragraph="1")


def test_1_super_six() -> None:
    # however many cards; Banker still pays 0.95
    for cards in ("2h 6c 3d Ks Kd", "Ah 3c 3d Ks Ac 3h"):
        GAME.wins("super_six", "15 to 1", cards)
        GAME.wins("banker", "0.95 to 1", cards)
    GAME.loses("super_six", "6h 6c Kd Qs", "6h 2c Kd Qs 2h")
    GAME.wins_only("super_six", banker_wins(6), paragraph="1")


def test_1_tie() -> None:
    GAME.wins("tie", "8 to 1", "9h 9c Kd Qs")
    GAME.wins_only("tie", tie(), paragraph="1")
    helpers.check_tie()


def test_2_1_1_layouts() -> None:
    assert list(GAME.book.layouts) == list("ABCDEF")


def layout(code: str, name: str, players: int) -> None:
    drawn = GAME.layout(code, BETS, range(1, players + 1), paragraph=f"Appendix {code}")
    assert GAME.book.layouts[code].name == name
    assert drawn.shape is (Shape.BEAN if name.startswith("Bean") else Shape.ARC)


def test_2_1_1_a_bean_for_nine() -> None:
    layout("A", "Bean Baccarat (9 players)", 9)


def test_2_1_1_b_mini_for_seven() -> None:
    layout("B", "Mini Baccarat (7 players)", 7)


def test_2_1_1_c_bean_for_eight() -> None:
    layout("C", "Bean Baccarat (8 players)", 8)


def test_2_1_1_d_bean_for_seven() -> None:
    layout("D", "Bean Baccarat (7 players)", 7)


def test_2_1_1_e_mini_for_six() -> None:
    layout("E", "Mini Baccarat (6 players)", 6)


def test_2_1_1_f_mini_for_five() -> None:
    layout("F", "Mini Baccarat (5 players)", 5)


def test_2_1_2_boxes() -> None:
    most = {code: max(layout.positions) for code, layout in GAME.book.layouts.items()}
    assert most == {"A": 9, "B": 7, "C": 8, "D": 7, "E": 6, "F": 5}


def test_2_1_3_betting_areas() -> None:
    GAME.carried_by("ABCDEF", "player", "banker", "tie", "player_pair", "banker_pair", "super_six")
    assert {len(layout.bets) for layout in GAME.book.layouts.values()} == {6}


def test_2_2_1_decks() -> None:
    GAME.decks(4, 8, paragraph="2.2.1")


def test_3_1_round_begins_with_the_call() -> None:
    GAME.procedure("round", "3.1", round_begins="call")


def test_3_3_bets_and_side_bets_alone() -> None:
    GAME.offers(*BETS)
    GAME.alone(*SIDE_BETS)


def test_3_4_initial_cards() -> None:
    helpers.check_initial_deal()
    helpers.check_pairs_by_first_four()


def test_3_5_third_cards() -> None:
    helpers.check_banker_alone(draws="012345", stands="67")  # the 7 is 3.6's


def test_3_6_table_of_play() -> None:
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


def test_3_7_card_values() -> None:
    helpers.check_values({"K": 0, "Q": 0, "J": 0, "10": 0, "A": 1})
    helpers.check_values({"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9})


def test_3_7_point_count() -> None:
    helpers.check_point_totals()


def test_3_7_winner() -> None:
    helpers.check_winner()


def test_3_8_tie_returns_original_bets() -> None:
    GAME.pushes("player", "6h 6c Kd Qs")
    GAME.pushes("banker", "6h 6c Kd Qs")
    GAME.tie_returns(paragraph="3.8")
    GAME.original_bets(paragraph="3.3")


def test_4_1_1_commission() -> None:
    (wager,) = settle(GAME.book, helpers.finished_coup("8h 9c Kd Qs"), {"banker": 100_00})
    assert wager.profit == 95_00
    GAME.procedure("commission", "4.1.1")
    GAME.commission("4.1.1")


def test_4_1_2_pay_table() -> None:
    GAME.pays("banker", "4.1.2", {"0.95 to 1": banker_wins()})
    GAME.pays("player", "4.1.2", {"1 to 1": player_wins()})
    GAME.pays("tie", "4.1.2", {"8 to 1": tie()})
    GAME.pays("player_pair", "4.1.2", {"11 to 1": helpers.player_pair})
    GAME.pays("banker_pair", "4.1.2", {"11 to 1": helpers.banker_pair})
    GAME.pays("super_six", "4.1.2", {"15 to 1": banker_wins(6)})


def test_5_names_nobody_for_the_uncovered() -> None:
    GAME.uncovered("shift_manager", "")


def test_appendix_a_layout() -> None:
    layout("A", "Bean Baccarat (9 players)", 9)


def test_appendix_b_layout() -> None:
    layout("B", "Mini Baccarat (7 players)", 7)


def test_appendix_c_layout() -> None:
    layout("C", "Bean Baccarat (8 players)", 8)


def test_appendix_d_layout() -> None:
    layout("D", "Bean Baccarat (7 players)", 7)


def test_appendix_e_layout() -> None:
    layout("E", "Mini Baccarat (6 players)", 6)


def test_appendix_f_layout() -> None:
    layout("F", "Mini Baccarat (5 players)", 5)
