"""Super Six at the table, paragraph by paragraph: calls and what a round that cannot be finished comes to."""

from __future__ import annotations

from tests.rules import at_table

GAME = "super-six"


def test_3_1_the_call_opens_the_betting() -> None:
    at_table.check_call(GAME, call="3.1")
    at_table.check_round(GAME, round="3.1")


def test_3_2_the_second_call_closes_the_betting() -> None:
    at_table.check_close(GAME, close="3.2", late_bet="5.2", late_withdrawal="5.3")


def test_3_3_bets_are_taken_one_by_one() -> None:
    bets = ("player", "banker", "tie", "super_six", "player_pair", "banker_pair")
    at_table.check_bets_on_offer(GAME, bets=bets, bet_types="3.3", elsewhere="big_tiger")


def test_4_1_1_commission_at_the_table() -> None:
    at_table.check_commission(GAME, commission="4.1.1")


def test_5_1_3_the_shoe_runs_out() -> None:
    at_table.check_shoe_runs_out(GAME, shoe_empty="5.1.3")


def test_5_1_1_more_copies_of_a_card_than_the_decks_hold() -> None:
    at_table.check_more_copies_than_decks(GAME, "5.1.1", "5.1.1")


def test_5_1_1_foreign_card() -> None:
    at_table.check_cards_at_fault(GAME, "foreign_card", paragraph="5.1.1")
    at_table.check_fault_after_settlement(GAME, "foreign_card")


def test_5_2_late_bets_do_not_count() -> None:
    at_table.check_late_chips(GAME, late_bet="5.2", late_withdrawal="5.3")


def test_5_3_bets_withdrawn_late_still_play() -> None:
    at_table.check_late_chips(GAME, late_bet="5.2", late_withdrawal="5.3")


def test_5_1_2_is_for_a_wrong_number_of_cards_only() -> None:
    at_table.check_right_number_is_not_void(GAME, "reading I", "shift_manager")
