"""RWS Baccarat at the table, paragraph by paragraph: calls, limits, squeeze, rounds and what staff does."""

from __future__ import annotations

from tests.rules import at_table
from tests.table.build import SHIFT

GAME = "rws-baccarat"


def test_1_6_differential() -> None:
    at_table.check_differential(GAME, over="5.1")


def test_1_7_shuffler_that_deals() -> None:
    at_table.check_shuffler(GAME, shoe_empty="5.5.4")


def test_1_19_round_ends_when_all_are_settled() -> None:
    at_table.check_round(GAME, round="1.19")


def test_1_20_seated_player() -> None:
    at_table.check_seated(GAME, seated="1.20")


def test_1_21_standing_player() -> None:
    at_table.check_standing(GAME, standing="1.21")


def test_1_24_void() -> None:
    at_table.check_void(GAME, ruler=SHIFT, void="5.17")


def test_3_3_the_call_opens_the_betting() -> None:
    at_table.check_call(GAME, call="3.3")


def test_3_4_limits_are_displayed() -> None:
    at_table.check_sign(GAME)


def test_3_5_limits() -> None:
    at_table.check_limits(GAME, limits="3.5")


def test_3_6_the_balance_is_for_others() -> None:
    at_table.check_balance(GAME, balance="3.6", over="5.1")


def test_3_7_bets_are_taken_one_by_one() -> None:
    wins_on = [f"{hand}_wins_on_{points}" for hand in ("player", "banker") for points in range(1, 10)]
    ties_on = [f"tie_wins_on_{points}" for points in range(10)]
    bets = ("player", "banker", "any_tie", "player_pair", "banker_pair", *wins_on, *ties_on)
    at_table.check_bets_on_offer(GAME, bets=bets, bet_types="3.7", elsewhere="tie")


def test_3_8_the_second_call_closes_the_betting() -> None:
    at_table.check_close(GAME, close="3.8", late_bet="5.6", late_withdrawal="5.6")


def test_3_9_squeeze() -> None:
    # Cho's 500 is the largest bet, but she stands: the largest seated bet is Bob's
    at_table.check_squeeze(GAME, holder="bob", squeeze="3.9")


def test_5_5_4_the_shoe_runs_out() -> None:
    at_table.check_shoe_runs_out(GAME, shoe_empty="5.5.4")


def test_5_6_nothing_changes_after_the_close() -> None:
    at_table.check_close(GAME, close="3.8", late_bet="5.6", late_withdrawal="5.6")


def test_5_15_void_round_returns_every_bet() -> None:
    at_table.check_void(GAME, ruler=SHIFT, void="5.17")


def test_5_16_staff_bets_for_a_player() -> None:
    at_table.check_staff_bets(GAME, staff_bets="5.16")


# --- 5: bets that nobody asked for, players who walk away, cards at fault


def test_5_1_over_the_differential_noticed_in_time() -> None:
    at_table.check_over_differential(GAME, over="5.1")


def test_5_1_bet_that_lies_in_another_box_is_seated_or_standing_there() -> None:
    at_table.check_seat_of_a_moved_bet(GAME, over="5.1")


def test_5_5_2_more_copies_of_a_card_than_the_decks_hold() -> None:
    at_table.check_more_copies_than_decks(GAME, "5.5.2", "5.5.2")


def test_5_1_1_not_noticed_is_settled_pro_rata() -> None:
    at_table.check_pro_rata(GAME, paragraph="5.1.1")


def test_5_1_1_no_share_below_the_minimum() -> None:
    at_table.check_pro_rata_floor(GAME)


def test_5_1_2_bets_below_the_minimum_are_not_scaled() -> None:
    at_table.check_pro_rata_below_minimum(GAME)


def test_5_2_below_the_minimum_noticed_in_time() -> None:
    at_table.check_below_minimum(GAME, below="5.2")


def test_5_2_1_below_the_minimum_not_noticed_stands() -> None:
    at_table.check_below_minimum_unnoticed(GAME, stands="5.2.1")


def test_5_5_1_foreign_card() -> None:
    at_table.check_cards_at_fault(GAME, "foreign_card", paragraph="5.5.1")
    at_table.check_fault_after_settlement(GAME, "foreign_card")


def test_5_5_2_cards_missing_or_too_many() -> None:
    at_table.check_cards_at_fault(GAME, "wrong_card_set", paragraph="5.5.2")
    at_table.check_fault_after_settlement(GAME, "wrong_card_set")


def test_5_5_5_unshuffled_cards() -> None:
    at_table.check_cards_at_fault(GAME, "unshuffled", paragraph="5.5.5")
    at_table.check_fault_after_settlement(GAME, "unshuffled")


def test_5_6_late_chips_are_refused() -> None:
    at_table.check_late_chips(GAME, late_bet="5.6", late_withdrawal="5.6")


def test_5_13_chips_decide() -> None:
    at_table.check_chips_decide(GAME, chips_decide="5.13")


def test_5_3_who_walks_away_is_settled_all_the_same() -> None:
    at_table.check_walk_away(GAME, walk_away="5.3")


def test_5_5_3_is_for_a_wrong_number_of_cards_only() -> None:
    at_table.check_right_number_is_not_void(GAME, "5.8.1")


def test_3_6_balance_of_a_box_is_what_others_may_take_up() -> None:
    at_table.check_maximum_of_a_box(GAME, "3.6", "3.5")


def test_3_5_box_that_is_found_over_its_maximum() -> None:
    at_table.check_box_found_over_its_maximum(GAME, "3.5")


def test_5_17_box_over_its_maximum_by_an_amendment() -> None:
    at_table.check_box_amended_over_its_maximum(GAME, "5.17")


def test_1_5_the_dealer_deals() -> None:
    at_table.check_the_dealer_deals(GAME, "1.5")


def test_1_13_pit_employees_deal_and_bet_for_players() -> None:
    at_table.check_pit_employees(GAME, "5.16")
