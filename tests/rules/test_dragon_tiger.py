"""Dragon Tiger, both versions, by paragraph. Cards are written as they leave the shoe: P1 B1 P2 B2 P3 B3."""

from __future__ import annotations

import pytest
from tests.rules import helpers
from tests.rules.helpers import Game, banker_wins, dealt, player_over_banker, player_wins, tie

from puntobanco import DealError, Result, Side, parse_cards, settle
from puntobanco.coup import points
from puntobanco.roads import Roads, parse_results
from puntobanco.rules.model import CommissionForm, Power

COMMISSION = Game("dragon-tiger-commission")
NON_COMMISSION = Game("dragon-tiger-non-commission")
BOTH = (COMMISSION, NON_COMMISSION)

SIDE_BETS = (
    *("tie", "banker_pair", "player_pair", "small_dragon", "big_dragon"),
    *("small_tiger", "big_tiger", "dragon_tiger"),
)
BETS = ("banker", "player", *SIDE_BETS)


def area(bet: str) -> None:
    """Every layout of either version has a place for the bet."""
    COMMISSION.carried_by("A3 A4", bet)
    NON_COMMISSION.carried_by("A1 A2", bet)


# --- 2.1: the table --------------------------------------------------------------------------------------


def test_2_1_2_betting_areas() -> None:
    for game in BOTH:
        assert {len(layout.bets) for layout in game.book.layouts.values()} == {10}


def test_2_1_2_1_banker() -> None:
    area("banker")


def test_2_1_2_2_player() -> None:
    area("player")


def test_2_1_2_3_tie() -> None:
    area("tie")


def test_2_1_2_4_banker_pair() -> None:
    area("banker_pair")


def test_2_1_2_5_player_pair() -> None:
    area("player_pair")


def test_2_1_2_6_small_dragon() -> None:
    area("small_dragon")


def test_2_1_2_7_big_dragon() -> None:
    area("big_dragon")


def test_2_1_2_8_small_tiger() -> None:
    area("small_tiger")


def test_2_1_2_9_big_tiger() -> None:
    area("big_tiger")


def test_2_1_2_10_dragon_tiger() -> None:
    area("dragon_tiger")


# --- 2.2: definitions ------------------------------------------------------------------------------------


def test_2_2_3_big_dragon() -> None:
    for game in BOTH:
        game.wins_only("big_dragon", player_wins(7, cards=3), paragraph="2.2.3", loses="6.4.1.1")


def test_2_2_4_big_tiger() -> None:
    for game in BOTH:
        game.wins_only("big_tiger", banker_wins(6, cards=3), paragraph="2.2.4", loses="6.6.1.1")


def test_2_2_5_commission() -> None:
    banker_wins_9_over_8 = helpers.finished_coup("8h 9c Kd Qs")
    (wager,) = settle(COMMISSION.book, banker_wins_9_over_8, {"banker": 100_00})
    assert wager.profit == 95_00
    COMMISSION.procedure("commission", "2.2.5")
    COMMISSION.commission("2.2.5")
    assert NON_COMMISSION.book.commission.form is CommissionForm.NONE


def test_2_2_6_commission_version() -> None:
    COMMISSION.wins("banker", "0.95 to 1", "2h 6c 3d Ks Kd", "8h 9c Kd Qs", "6h 7c Kd Qs")


def test_2_2_7_dragon_tiger() -> None:
    for game in BOTH:
        game.wins_only("dragon_tiger", player_over_banker((7, 6)), paragraph="2.2.7", loses="6.7.1.1")


def test_2_2_9_hand() -> None:
    helpers.check_hand()


def test_2_2_10_initial_deal() -> None:
    coup = dealt("2h 3c Kd Qs")
    assert (len(coup.player), len(coup.banker), coup.due) == (2, 2, Side.PLAYER)
    drawn = dealt("2h 3c Kd Qs 5h 4h")
    assert (drawn.player.opening, drawn.banker.opening) == (2, 3)


def test_2_2_11_natural() -> None:
    helpers.check_natural()


def test_2_2_12_non_commission_version() -> None:
    NON_COMMISSION.wins("banker", "1 to 2", "2h 6c 3d Ks Kd", "Ah 3c 3d Ks Ac 3h")
    NON_COMMISSION.wins("banker", "1 to 1", "8h 9c Kd Qs", "6h 7c Kd Qs")


def test_2_2_13_player_pair_and_banker_pair() -> None:
    for game in BOTH:
        game.wins_only("player_pair", helpers.player_pair, paragraph="2.2.13", loses="6.2.1.2")
        game.wins_only("banker_pair", helpers.banker_pair, paragraph="2.2.13", loses="6.2.1.2")


def test_2_2_14_point_total() -> None:
    helpers.check_point_totals()


def test_2_2_15_round_begins_with_the_first_card() -> None:
    for game in BOTH:
        game.procedure("round", "2.2.15", round_begins="first_card")


def test_2_2_16_small_dragon() -> None:
    for game in BOTH:
        game.wins_only("small_dragon", player_wins(7, cards=2), paragraph="2.2.16", loses="6.3.1.1")


def test_2_2_17_small_tiger() -> None:
    for game in BOTH:
        game.wins_only("small_tiger", banker_wins(6, cards=2), paragraph="2.2.17", loses="6.5.1.1")


def test_2_2_18_subsequent_deal() -> None:
    coup = dealt("2h 3c Kd Qs 5h 4h")
    assert (str(coup.player.third), str(coup.banker.third)) == ("5h", "4h")
    stood = dealt("7h 2c Kd Qs 4h")
    assert (stood.player.third, str(stood.banker.third)) == (None, "4h")


def test_2_2_19_stand_off() -> None:
    for game in BOTH:
        for bet in ("player", "banker"):
            result, profit, _ = game.play(bet, "6h 6c Kd Qs")
            assert (result, profit) == (Result.RETURNED, 0)


def test_2_2_21_tie() -> None:
    assert dealt("6h 6c Kd Qs").winner is None
    for game in BOTH:
        game.wins("tie", "8 to 1", "9h 9c Kd Qs", "2h 2c Kd Qs 5h 5c")


# --- 3: layout and equipment -----------------------------------------------------------------------------


def test_3_1_layouts() -> None:
    assert list(NON_COMMISSION.book.layouts) == ["A1", "A2"]
    assert list(COMMISSION.book.layouts) == ["A3", "A4"]


def test_3_2_2_scoreboard() -> None:
    roads = Roads(parse_results("B B P T P"))
    assert roads.bead == "BBPTP"
    assert (roads.counts.banker, roads.counts.player, roads.counts.tie) == (2, 2, 1)
    for game in BOTH:
        game.procedure("scoreboard", "3.2.2")


# --- 4: how to play --------------------------------------------------------------------------------------


def test_4_5_bets() -> None:
    for game in BOTH:
        game.offers(*BETS)


def test_4_5_1_side_bets_alone() -> None:
    for game in BOTH:
        game.alone(*SIDE_BETS)


def test_4_7_squeeze_is_for_seated_players() -> None:
    for game in BOTH:
        game.procedure("squeeze", "4.7", squeeze="seated")


def test_4_8_squeeze_is_barred_by_a_pit_manager() -> None:
    for game in BOTH:
        game.procedure("squeeze_bar", "4.8", squeeze_bar="may_be_barred")
        assert game.book.authority.bars_squeeze == Power("pit_manager", "4.8")


def test_4_9_two_hands() -> None:
    coup = dealt("2h 3c Kd Qs 5h 4h")
    assert (coup.hands[Side.PLAYER], coup.hands[Side.BANKER]) == (coup.player, coup.banker)
    assert str(coup) == "P 2hKd5h B 3cQs4h"


def test_4_9_1_four_cards() -> None:
    for cards in ("", "9h", "9h 9c", "9h 9c Kd"):
        assert not dealt(cards).finished
    assert dealt("9h 9c Kd Qs").finished


def test_4_9_1_1_first_and_third_to_player() -> None:
    helpers.check_initial_deal()
    assert str(dealt("2h 3c 4d 5s").player) == "2h4d"


def test_4_9_1_2_second_and_fourth_to_banker() -> None:
    helpers.check_initial_deal()
    assert str(dealt("2h 3c 4d 5s").banker) == "3c5s"


def test_4_9_1_3_pairs_by_four_cards() -> None:
    helpers.check_pairs_by_first_four()
    for game in BOTH:
        game.loses("player_pair", "2h Kc 3d Qs 3h Qh")
        game.loses("banker_pair", "2h Kc 3d Qs 3h Qh")


def test_4_10_third_card_if_required() -> None:
    player_due = dealt("2h 3c Kd Qs")
    assert player_due.due is Side.PLAYER
    assert player_due.receive(parse_cards("5h")[0]).due is Side.BANKER
    with pytest.raises(DealError):
        dealt("7h 6c Kd Qs").receive(parse_cards("5h")[0])


def test_4_11_card_values() -> None:
    helpers.check_values(helpers.VALUES)


def test_4_11_1_ace_to_nine() -> None:
    helpers.check_values({"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9})


def test_4_11_2_ten_to_king() -> None:
    helpers.check_values({"10": 0, "J": 0, "Q": 0, "K": 0})


def test_4_11_2_1_their_own_face_for_pairs() -> None:
    helpers.check_pair_needs_one_rank()
    for game in BOTH:
        game.loses("player_pair", "Th 9c Kd Qs", "Jh 9c Qd Ts")
        game.wins("player_pair", "11 to 1", "Th 9c Td Ks", "Kh 9c Kd Ts")


def test_4_12_point_count() -> None:
    helpers.check_point_totals()


def test_4_12_1_up_to_nine() -> None:
    for cards, count in {"Kh Qc": 0, "4h 5c": 9, "2h 3c 4d": 9, "Ah Kc": 1}.items():
        assert points(parse_cards(cards)) == count


def test_4_12_2_ten_and_higher() -> None:
    for cards, count in {"4h 6c": 0, "9h 9c": 8, "9h 9c 9d": 7, "5h 5c 3d": 3}.items():
        assert points(parse_cards(cards)) == count


def test_4_13_natural_ends_the_deal() -> None:
    helpers.check_naturals_end_the_deal()


def test_4_14_table_one() -> None:
    helpers.check_player_draws(draws="012345", stands="67")


def test_4_15_table_two() -> None:
    # the book's 10 is every card that counts 0
    helpers.check_banker_draws(
        {
            0: (helpers.ANY, ""),
            1: (helpers.ANY, ""),
            2: (helpers.ANY, ""),
            3: ("1 2 3 4 5 6 7 9 0", "8"),
            4: ("2 3 4 5 6 7", "1 8 9 0"),
            5: ("4 5 6 7", "1 2 3 8 9 0"),
            6: ("6 7", "1 2 3 4 5 8 9 0"),
            7: ("", helpers.ANY),
        }
    )


def test_4_16_banker_when_player_stands() -> None:
    helpers.check_banker_alone(draws="012345", stands="67")


# --- 5: payout odds --------------------------------------------------------------------------------------


def test_5_1_1_commission() -> None:
    COMMISSION.pays("banker", "5.1.1", {"0.95 to 1": banker_wins()})
    COMMISSION.pays("player", "5.1.1", {"1 to 1": player_wins()})


def test_5_1_2_non_commission() -> None:
    NON_COMMISSION.pays("banker", "5.1.2", {"1 to 2": banker_wins(6), "1 to 1": banker_wins(1, 2, 3, 4, 5, 7, 8, 9)})
    NON_COMMISSION.pays("player", "5.1.2", {"1 to 1": player_wins()})


def test_5_1_3_side_bets() -> None:
    for game in BOTH:
        game.pays("tie", "5.1.3", {"8 to 1": tie()})
        game.pays("banker_pair", "5.1.3", {"11 to 1": helpers.banker_pair})
        game.pays("player_pair", "5.1.3", {"11 to 1": helpers.player_pair})
        game.pays("big_dragon", "5.1.3", {"30 to 1": player_wins(7, cards=3)})
        game.pays("small_dragon", "5.1.3", {"15 to 1": player_wins(7, cards=2)})
        game.pays("big_tiger", "5.1.3", {"50 to 1": banker_wins(6, cards=3)})
        game.pays("small_tiger", "5.1.3", {"22 to 1": banker_wins(6, cards=2)})
        game.pays(
            "dragon_tiger",
            "5.1.3",
            {
                "100 to 1": player_over_banker((7, 6), in_all=6),
                "40 to 1": player_over_banker((7, 6), in_all=5),
                "30 to 1": player_over_banker((7, 6), in_all=4),
            },
        )


# --- 6: determining the winner ---------------------------------------------------------------------------


def test_6_1_winner() -> None:
    helpers.check_winner()


def test_6_1_1_player() -> None:
    for game in BOTH:
        game.wins_only("player", player_wins(), paragraph="6.1.1", returned=tie(), loses="6.1.1.2")


def test_6_1_1_1_player_wins() -> None:
    for game in BOTH:
        game.wins("player", "1 to 1", "9h 8c Kd Qs", "Ah Jc Kd Qs Th Tc")


def test_6_1_1_2_player_loses() -> None:
    for game in BOTH:
        game.loses("player", "8h 9c Kd Qs", "2h 6c 3d Ks Kd")


def test_6_1_1_3_player_stands_off() -> None:
    for game in BOTH:
        assert game.play("player", "9h 9c Kd Qs") == (Result.RETURNED, 0, "6.1.1.3")


def test_6_1_2_banker() -> None:
    for game in BOTH:
        game.wins_only("banker", banker_wins(), paragraph="6.1.2", returned=tie(), loses="6.1.2.2")
        hands = {code: bet.hand for code, bet in game.book.bets.items() if bet.hand}
        assert hands == {"player": Side.PLAYER, "banker": Side.BANKER}


def test_6_1_2_1_banker_wins() -> None:
    COMMISSION.wins("banker", "0.95 to 1", "8h 9c Kd Qs")
    NON_COMMISSION.wins("banker", "1 to 1", "8h 9c Kd Qs")


def test_6_1_2_2_banker_loses() -> None:
    for game in BOTH:
        game.loses("banker", "9h 8c Kd Qs", "7h 6c Kd Qs")


def test_6_1_2_3_banker_stands_off() -> None:
    for game in BOTH:
        assert game.play("banker", "9h 9c Kd Qs") == (Result.RETURNED, 0, "6.1.2.3")


def test_6_1_3_tie() -> None:
    for game in BOTH:
        game.wins_only("tie", tie(), paragraph="6.1.3")


def test_6_2_1_pair_bets() -> None:
    for game in BOTH:
        game.wins("player_pair", "11 to 1", "4h 9c 4d Ks")
        game.loses("banker_pair", "4h 9c 4d Ks")
        game.wins("banker_pair", "11 to 1", "4h 9c 5d 9s")
        game.loses("player_pair", "4h 9c 5d 9s")


def test_6_2_1_1_pair_wins() -> None:
    for game in BOTH:
        game.wins("player_pair", "11 to 1", "Qh 9c Qd Ks")
        game.loses("player_pair", "Qh 9c Kd Ks")  # two face cards, but no pair


def test_6_2_1_2_no_pair_loses() -> None:
    for game in BOTH:
        game.loses("player_pair", "4h 9c 5d Ks", "9h 8c Ad Ks")
        game.loses("banker_pair", "4h 9c 5d Ks", "4h 9c 4d Ts")


def test_6_3_1_small_dragon() -> None:
    for game in BOTH:
        game.wins("small_dragon", "15 to 1", "7h 6c Kd Qs", "7h 2c Kd Qs 4h")


def test_6_3_1_1_small_dragon_loses_otherwise() -> None:
    for game in BOTH:
        game.loses("small_dragon", "2h 6c Kd Qs 5h", "7h 7c Kd Qs", "6h 5c Kd Qs Kh", "7h 8c Kd Qs")
        game.wins_only("small_dragon", player_wins(7, cards=2), paragraph="2.2.16", loses="6.3.1.1")


def test_6_4_1_big_dragon() -> None:
    for game in BOTH:
        game.wins("big_dragon", "30 to 1", "2h 6c Kd Qs 5h", "2h 2c Kd Qs 5h 4h")


def test_6_4_1_1_big_dragon_loses_otherwise() -> None:
    for game in BOTH:
        game.loses("big_dragon", "7h 6c Kd Qs", "2h 7c Kd Qs 5h", "2h 7c Kd Qs 6h")
        game.wins_only("big_dragon", player_wins(7, cards=3), paragraph="2.2.3", loses="6.4.1.1")


def test_6_5_1_small_tiger() -> None:
    for game in BOTH:
        game.wins("small_tiger", "22 to 1", "2h 6c 3d Ks Kd")


def test_6_5_1_1_small_tiger_loses_otherwise() -> None:
    for game in BOTH:
        game.loses("small_tiger", "Ah 3c 3d Ks Ac 3h", "6h 6c Kd Qs", "7h 6c Kd Qs")
        game.wins_only("small_tiger", banker_wins(6, cards=2), paragraph="2.2.17", loses="6.5.1.1")


def test_6_6_1_big_tiger() -> None:
    for game in BOTH:
        game.wins("big_tiger", "50 to 1", "Ah 3c 3d Ks Ac 3h")


def test_6_6_1_1_big_tiger_loses_otherwise() -> None:
    for game in BOTH:
        game.loses("big_tiger", "2h 6c 3d Ks Kd", "6h 6c Kd Qs", "7h 2c Kd Qs 4h")
        game.wins_only("big_tiger", banker_wins(6, cards=3), paragraph="2.2.4", loses="6.6.1.1")


def test_6_7_1_dragon_tiger() -> None:
    for game in BOTH:
        game.wins("dragon_tiger", "30 to 1", "7h 6c Kd Qs")
        game.wins("dragon_tiger", "40 to 1", "2h 6c Kd Qs 5h", "7h 2c Kd Qs 4h")
        game.wins("dragon_tiger", "100 to 1", "2h 2c Kd Qs 5h 4h")


def test_6_7_1_1_dragon_tiger_loses_otherwise() -> None:
    for game in BOTH:
        game.loses("dragon_tiger", "8h 7c Kd Qs", "7h 7c Kd Qs", "6h 7c Kd Qs", "7h 2c Kd Qs 3h")
        game.wins_only("dragon_tiger", player_over_banker((7, 6)), paragraph="2.2.7", loses="6.7.1.1")


# --- 7 and 8, as far as data holds them ------------------------------------------------------------------


def test_7_20_uncovered_goes_to_the_assistant_director() -> None:
    for game in BOTH:
        game.uncovered("assistant_director", "7.20")
        assert [(rank.step, rank.code, rank.paragraph) for rank in game.book.ranks.named.values()] == [
            (1, "dealer", "2.2.15"),
            (2, "pit_supervisor", "8.1"),
            (2, "dealer_inspector", "8.1"),
            (3, "pit_manager", "4.8"),
            (4, "shift_manager", "7.9"),
            (5, "assistant_director", "7.20"),
        ]


# --- Appendix A ------------------------------------------------------------------------------------------


def test_appendix_a_1_non_commission_for_three() -> None:
    NON_COMMISSION.layout("A1", BETS, range(1, 4), paragraph="Appendix A.1")


def test_appendix_a_2_non_commission_for_five() -> None:
    NON_COMMISSION.layout("A2", BETS, range(1, 6), paragraph="Appendix A.2")


def test_appendix_a_3_commission_for_three() -> None:
    COMMISSION.layout("A3", BETS, range(1, 4), paragraph="Appendix A.3")


def test_appendix_a_4_commission_for_five() -> None:
    COMMISSION.layout("A4", BETS, range(1, 6), paragraph="Appendix A.4")
