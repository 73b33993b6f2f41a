"""Da Hu Ying Xiong when something goes wrong, paragraph by paragraph: interruptions, misdeals, options, rulings."""

from __future__ import annotations

import pytest
from tests.rules import irregular_rws
from tests.rules.histories import holds
from tests.rules.irregular import PLAYER_WINS, B, P

from puntobanco.table.cards.conservation import misplaced

GAME = "da-hu-ying-xiong"

# --- 5.4: technical interruption


def test_5_4_no_card_is_out_and_the_betting_time_starts_again() -> None:
    irregular_rws.check_interruption_without_cards(GAME, interruption="5.4", close="3.8")


def test_5_4_cards_and_bets_are_as_they_were() -> None:
    irregular_rws.check_interruption_with_cards_intact(GAME, interruption="5.4")


@pytest.mark.parametrize(
    ("out", "rest", "stacks"),
    [
        ("6h 2c Kd", "Qs 3d", (10_075, 9_750)),  # Player stands on 6: no Tiger any more; 6 to 5
        ("2h 9c 2d", "Ks", (9_875, 10_390)),  # a pair on the table; 4 to 9, and the pair pays 4 to 1
        ("2h 3c Kd Qs", "5h 7s", (10_075, 9_750)),
        (PLAYER_WINS, "", (10_075, 9_750)),
    ],
)
def test_5_4_1_something_is_decided_and_the_round_goes_on(out: str, rest: str, stacks: tuple[int, int]) -> None:
    irregular_rws.check_interruption_goes_on(GAME, out, rest, stacks, goes_on="5.4.1")


def test_5_4_1_open_cards_decide_among_others_face_down() -> None:
    irregular_rws.check_interruption_face_down(GAME, goes_on="5.4.1", void="5.4.2")


@pytest.mark.parametrize("out", ["9h", "9h 8c", "9h 9c", "2h 3c Kd", "Kh 3c 5d"])
def test_5_4_2_nothing_is_decided_and_the_round_is_void(out: str) -> None:
    irregular_rws.check_interruption_voids(GAME, out, void="5.4.2")


def test_5_4_2_three_cards_decide_or_not() -> None:
    undecided = irregular_rws.drawing_without_a_pair
    irregular_rws.check_interruption_with_three_cards(GAME, goes_on="5.4.1", void="5.4.2", undecided=undecided)


# --- 5.5: faults that void


@pytest.mark.parametrize(
    ("fault", "paragraph"), [("foreign_card", "5.5.1"), ("wrong_card_set", "5.5.2"), ("unshuffled", "5.5.5")]
)
def test_5_5_the_current_round_is_void_and_earlier_ones_stand(fault: str, paragraph: str) -> None:
    irregular_rws.check_fault_voids_one_round(GAME, fault, paragraph=paragraph, wrong_side="5.8.1")


def test_5_5_3_wrong_number_of_cards_that_cannot_be_put_right() -> None:
    irregular_rws.check_wrong_number_is_void(GAME, excess="5.7", void="5.5.3")


def test_5_5_3_three_cards_to_one_hand_and_one_to_the_other() -> None:
    irregular_rws.check_three_cards_to_one(GAME, wrong_side="5.8.1", void="5.5.3")


def test_5_5_3_right_number_of_cards_is_not_void() -> None:
    irregular_rws.check_right_number(GAME, void="5.5.3", lies="5.12.1")
    irregular_rws.check_number_that_nobody_knows(GAME, excess="5.7", void="5.5.3")


def test_5_5_3_is_not_for_cards_that_lie_where_they_were_due_though_nobody_keyed_it() -> None:
    lines = "call\nbet ann player 100\nclose\ndraw 9h turned\ndraw 8c turned\ndraw Kd turned\ndraw Qs turned\n"
    lines += 'report dealing error "two cards stuck together"\nexpect rulings on 1 reconstruct as_it_lies\n'
    lines += 'rule void on 1 "mixed up"\nexpect refused ruling.as_it_lies 5.12.1\n'
    lines += 'rule as it lies on 1 "mixed up"\napprove 1\nexpect options ann\ngo on ann\nannounce player\n'
    holds(GAME, lines + "expect won ann player 100\n")


def test_5_5_3_missing_card_is_drawn_before_the_next_call() -> None:
    irregular_rws.check_missing_card_is_drawn(GAME, wrong_number="5.5.3", table_of_play="3.12")


def test_5_5_3_missing_card_of_the_last_round() -> None:
    irregular_rws.check_missing_card_of_the_last_round(GAME)


def test_5_5_3_missing_card_that_is_out_already() -> None:
    irregular_rws.check_missing_card_already_out(GAME, excess="5.7")


def test_5_5_3_missing_card_that_cannot_be_drawn() -> None:
    irregular_rws.check_missing_card_that_cannot_be_drawn(GAME, wrong_number="5.5.3")


# --- 5.7: cards drawn in excess or exposed


def test_5_7_excess_card_opens_the_next_round() -> None:
    irregular_rws.check_excess_card_opens_the_next_round(GAME, excess="5.7", late_withdrawal="5.6")


def test_5_7_of_two_excess_cards_the_first_is_the_players() -> None:
    irregular_rws.check_two_excess_cards(GAME, excess="5.7")


def test_5_7_excess_card_finds_its_place_in_the_round() -> None:
    irregular_rws.check_excess_card_finds_its_place(GAME, excess="5.7")


def test_5_7_the_house_says_whether_cards_can_be_put_right() -> None:
    irregular_rws.check_house_decides_on_excess_cards(GAME, excess="5.7", void="5.5.3")


def test_5_7_excess_card_is_discarded_when_the_shoe_is_over() -> None:
    irregular_rws.check_excess_card_is_discarded(GAME)


def test_5_7_card_before_its_round_is_the_first_of_it() -> None:
    irregular_rws.check_card_before_its_round(GAME, exposed="5.7")


def test_5_7_card_turned_before_its_round() -> None:
    irregular_rws.check_card_turned_before_its_round(GAME, exposed="5.7")


def test_5_7_many_cards_before_their_round() -> None:
    irregular_rws.check_many_early_cards(GAME)


def test_5_7_excess_cards_of_a_round_already_settled() -> None:
    irregular_rws.check_extra_cards_of_a_settled_round(GAME, excess="5.7", void="5.5.3")


@pytest.mark.parametrize(("out", "rest"), [("9h", "8c Kd Qs"), ("9h 8c", "Kd Qs"), ("2h 3c Kd", "Qs 6c Tc")])
def test_5_7_1_options_while_nothing_is_decided(out: str, rest: str) -> None:
    irregular_rws.check_options_while_open(
        GAME, out, rest, exposed="5.7", given="5.7.1", go_on="5.12.2", take_back="5.12.3"
    )


@pytest.mark.parametrize("out", ["2h 3c 2d", "6h 3c Kd", "2h 3c Kd Qs", PLAYER_WINS])
def test_5_7_1_no_options_once_something_is_decided(out: str) -> None:
    irregular_rws.check_no_options_once_decided(GAME, out, exposed="5.7", late_withdrawal="5.6")


def test_5_7_1_no_options_once_an_open_hand_decides() -> None:
    irregular_rws.check_no_options_once_player_is_open(GAME, exposed="5.7", late_withdrawal="5.6")


# --- 5.8: cards on the wrong side


def test_5_8_options_while_nothing_is_decided() -> None:
    for out, card in (("", "9h"), ("2h 3c", "Kd")):
        irregular_rws.check_wrong_side_while_open(
            GAME, out, card, B, wrong_side="5.8.1", given="5.8", go_on="5.12.2", take_back="5.12.3"
        )


def test_5_8_options_where_the_cards_cannot_be_put_right() -> None:
    irregular_rws.check_wrong_sides_as_they_lie(GAME, given="5.8", go_on="5.12.1", take_back="5.12.3")


def test_5_8_no_options_where_put_right_and_decided() -> None:
    irregular_rws.check_wrong_sides_put_right(GAME, wrong_side="5.8.1", late_withdrawal="5.6")
    for card in ("2d", "5d"):  # a pair, and 7 points
        irregular_rws.check_wrong_side_once_decided(GAME, "2h 3c", card, wrong_side="5.8.1", late_withdrawal="5.6")


def test_5_8_1_dealt_to_the_other_area() -> None:
    irregular_rws.check_wrong_side_while_open(
        GAME, "9h", "8c", P, wrong_side="5.8.1", given="5.8", go_on="5.12.2", take_back="5.12.3"
    )
    irregular_rws.check_card_moved_to_the_wrong_side(GAME, wrong_side="5.8.1")


def test_5_8_1_third_card_to_the_other_area() -> None:
    irregular_rws.check_third_card_to_the_wrong_side(GAME, wrong_side="5.8.1", late_withdrawal="5.6")


def test_5_8_2_handed_to_the_other_squeezer() -> None:
    irregular_rws.check_handed_to_the_other(
        GAME, delivery="5.8.2", given="5.8", go_on="5.12.2", take_back="5.12.3", late_withdrawal="5.6"
    )


# --- 5.9: dealt face up


@pytest.mark.parametrize("out", ["9h", "9h 8c", "2h 3c Kd"])
def test_5_9_options_while_nothing_is_decided(out: str) -> None:
    irregular_rws.check_face_up_while_open(GAME, out, face_up="5.9", go_on="5.12.1", take_back="5.12.3")


@pytest.mark.parametrize("out", ["2h 3c 2d", "6h 3c Kd", "2h 3c Kd Qs"])
def test_5_9_no_options_once_something_is_decided(out: str) -> None:
    irregular_rws.check_face_up_once_decided(GAME, out, face_up="5.9", late_withdrawal="5.6")


def test_5_9_the_result_stands() -> None:
    irregular_rws.check_face_up_result_stands(GAME, face_up="5.9")


# --- 5.10: cards drawn at once


def test_5_10_supervisor_decides_the_order() -> None:
    irregular_rws.check_simultaneous(GAME, simultaneous="5.10", given="5.10.1", go_on="5.12.2", take_back="5.12.3")


def test_5_10_cards_that_nobody_has_seen() -> None:
    irregular_rws.check_simultaneous_face_down(GAME, simultaneous="5.10")


def test_5_10_excess_cards_drawn_at_once() -> None:
    irregular_rws.check_simultaneous_excess_cards(
        GAME, excess="5.7", simultaneous="5.10", given="5.10.1", go_on="5.12.2", take_back="5.12.3"
    )


def test_5_10_1_options_in_every_case() -> None:
    irregular_rws.check_simultaneous_third_cards(
        GAME, simultaneous="5.10", given="5.10.1", go_on="5.12.2", take_back="5.12.3"
    )


def test_5_10_1_options_where_the_order_is_known() -> None:
    irregular_rws.check_simultaneous_in_order(GAME, given="5.10.1", go_on="5.12.2", take_back="5.12.3")


def test_5_10_2_the_shoe_may_be_replaced() -> None:
    irregular_rws.check_shoe_replaced(GAME, simultaneous="5.10", replaced="5.10.2", uncovered="5.17")


# --- 5.11: noticed late


def test_5_11_late_error_changes_nothing() -> None:
    irregular_rws.check_late_error_changes_nothing(GAME, late="5.11")


def test_5_11_late_error_changes_nothing_on_the_road() -> None:
    irregular_rws.check_late_error_on_the_road(GAME)


def test_5_11_late_from_the_next_call_on() -> None:
    irregular_rws.check_late_error_in_time(GAME, late="5.11")


def test_5_11_late_error_ruled_on_leaves_later_rounds_alone() -> None:
    irregular_rws.check_late_error_ruled_on(GAME, late="5.11", uncovered="5.17")


def test_5_11_late_cards_play_no_part_in_later_rounds() -> None:
    irregular_rws.check_late_extra_cards(GAME, late="5.11", uncovered="5.17")


# --- 5.12: the players' options


@pytest.mark.parametrize("out", ["9h", "2h 3c 2d", "2h 3c Kd Qs", PLAYER_WINS])
def test_5_12_options_after_any_dealing_error(out: str) -> None:
    irregular_rws.check_dealing_error(GAME, out, dealing_error="5.12", go_on="5.12.2", take_back="5.12.3")


def test_5_12_options_once_more_after_another_error() -> None:
    irregular_rws.check_second_error(GAME, dealing_error="5.12", go_on="5.12.2", take_back="5.12.3")


def test_5_12_play_waits_for_the_answers() -> None:
    irregular_rws.check_table_waits_for_answers(GAME, go_on="5.12.2")


def test_5_12_no_options_after_the_settlement() -> None:
    irregular_rws.check_no_dealing_error_after_settlement(GAME)


def test_5_12_who_walked_away_goes_on() -> None:
    irregular_rws.check_who_walked_away_goes_on(GAME, walk_away="5.3")


def test_5_12_1_on_with_the_hands_as_they_lie() -> None:
    irregular_rws.check_go_on_as_it_lies(GAME, dealing_error="5.12", go_on="5.12.1", take_back="5.12.3")


def test_5_12_2_on_with_the_cards_put_right() -> None:
    irregular_rws.check_go_on_reconstructed(GAME, go_on="5.12.2", late_withdrawal="5.6")


def test_5_12_3_bets_taken_back() -> None:
    irregular_rws.check_take_back(GAME, take_back="5.12.3")


def test_5_12_3_everybody_takes_back() -> None:
    irregular_rws.check_everybody_takes_back(GAME, take_back="5.12.3")


def test_5_12_3_bets_taken_back_do_not_reopen_the_differential() -> None:
    irregular_rws.check_take_back_leaves_the_others_alone(GAME)


def test_5_12_3_bet_taken_back_stays_so_when_its_record_is_corrected() -> None:
    irregular_rws.check_taken_back_stays_so(GAME, take_back="5.12.3")


def test_5_7_card_that_shows_in_the_shoe_is_an_exposed_one() -> None:
    irregular_rws.check_shows_in_the_shoe(GAME, exposed="5.7", given="5.7.1", go_on="5.12.1", take_back="5.12.3")


def test_5_7_1_options_for_a_card_that_shows_in_the_shoe() -> None:
    irregular_rws.check_shows_in_the_shoe(GAME, exposed="5.7", given="5.7.1", go_on="5.12.1", take_back="5.12.3")


def test_5_12_options_are_also_for_whose_bet_is_found_while_others_choose() -> None:
    irregular_rws.check_found_while_others_choose(GAME, take_back="5.12.3")


# --- 5.14, 5.17: displays, and what is not covered


def test_5_14_the_display_decides_nothing() -> None:
    irregular_rws.check_display(GAME, display="5.14")


def test_5_14_wrong_call_decides_nothing() -> None:
    irregular_rws.check_wrong_call(GAME, display="5.14", winner="3.13")


def test_5_17_round_void_at_discretion() -> None:
    irregular_rws.check_void_at_discretion(GAME, uncovered="5.17")


def test_5_17_options_at_discretion() -> None:
    irregular_rws.check_options_at_discretion(GAME, uncovered="5.17", go_on="5.12.1", take_back="5.12.3", close="3.8")


def test_5_17_payment_at_discretion() -> None:
    irregular_rws.check_pay_at_discretion(GAME, uncovered="5.17")


def test_5_17_irregularity_that_the_book_does_not_know() -> None:
    irregular_rws.check_uncovered_incident(GAME, uncovered="5.17", go_on="5.12.1", take_back="5.12.3")


def test_5_17_damaged_card() -> None:
    irregular_rws.check_damaged_card(GAME, uncovered="5.17")


def test_5_17_bet_above_the_maximum() -> None:
    irregular_rws.check_above_the_maximum(GAME, uncovered="5.17")


def test_5_10_order_waits_until_every_card_is_known() -> None:
    irregular_rws.check_identity_first(GAME, order="5.10", as_it_lies="5.12.1", identity="5.14")


def test_5_10_correction_of_a_card_that_changed_places() -> None:
    irregular_rws.check_correction_of_a_card_that_moved(GAME)


def test_5_5_3_missing_card_of_a_shoe_that_is_over_is_drawn() -> None:
    irregular_rws.check_missing_card_of_a_shoe_that_is_over(GAME, wrong_number="5.5.3")


def test_5_5_3_round_of_the_shoe_before() -> None:
    irregular_rws.check_round_of_the_shoe_before(
        GAME, wrong_number="5.5.3", late="5.11", chips_decide="5.13", display="5.14"
    )


def test_5_5_3_void_round_with_an_extra_card_keeps_the_count() -> None:
    irregular_rws.check_void_keeps_the_count_of_the_shoe(GAME, wrong_number="5.5.3")


def test_5_17_correction_of_a_settled_bet_above_the_maximum() -> None:
    irregular_rws.check_correction_above_the_maximum(GAME, uncovered="5.17", chips_decide="5.13")


def test_5_5_2_fault_of_a_shoe_that_is_over() -> None:
    irregular_rws.check_fault_of_a_shoe_that_is_over(GAME, wrong_card_set="5.5.2", wrong_number="5.5.3")


def test_5_13_chips_found_while_paying_count_when_they_are_confirmed() -> None:
    """Another amendment of the round does not bring them in unconfirmed (reading Z)."""
    lines = "call\nbet ann player 100\nbet bob banker 100\nclose\ndeal 9h 8c Kd Ks\nannounce player\n"
    lines += "find bet ann tie 100\nexpect proposal 1 correct_bet pit manager\n"
    lines += 'correct bet bob banker 200 "two chips"\napprove 2\nexpect stack ann 10100\nexpect stack bob 9800\n'
    holds(GAME, lines + "approve 1\nexpect lost ann tie 100\nexpect stack ann 10000\n", "automated settle")


def test_5_13_bet_found_within_all_limits() -> None:
    lines = "call\nclose\nfind bet ann tie 100\ndeal 9h 8c Kd Ks\nannounce player\n"
    holds("da-hu-ying-xiong", lines + "expect event stakes_stand 5.13\n")


# --- 5.7: a card is in one place, whatever is reported of the round later

PLAYED = "call\nbet ann player 100\nbet bob banker 100\nclose\n"
NATURAL = PLAYED + "draw 9h turned\ndraw 8c turned\ndraw Kd turned\ndraw Qs turned\n"
RECTIFIED = "rule rectify on {0}\napprove {0}\n"


def test_5_7_card_that_waits_already_is_not_carried_again_by_a_report() -> None:
    lines = NATURAL + "draw 4h banker turned\nrule reconstruct on 1\napprove 1\nannounce player\nexpect carried 4h\n"
    lines += 'report round 1 9h 8c 2d Qs 4h "card 3 was a 2"\n' + RECTIFIED.format(2) + "expect carried 4h\n"
    lines += PLAYED + "expect hand player 4h\ndraw 9c turned\ndraw 5d turned\ndraw Ks turned\n"
    holds(GAME, lines + "announce tie\nexpect result tie\nexpect returned ann player 100\n")


def test_5_7_card_drawn_after_the_settlement_waits_and_is_not_carried_again_by_a_report() -> None:
    lines = NATURAL + "announce player\ndraw 4h turned\nexpect carried 4h\n"
    lines += 'report round 1 9h 8c Kd Qs 4h "a third card for Banker after the settlement"\n'
    holds(GAME, lines + RECTIFIED.format(1) + "expect carried 4h\nexpect result player\n")


def test_5_7_card_drawn_after_the_settlement_goes_to_the_round_that_lacked_it() -> None:
    lines = PLAYED + "draw 9h turned\ndraw 7c turned\ndraw Kd turned\ndraw Qs turned\nannounce player\ndraw 6h turned\n"
    lines += 'report round 1 2h 7c Kd Qs 6h "card 1 was a 2"\n' + RECTIFIED.format(1)
    holds(GAME, lines + "announce player\nexpect points player 8 banker 7\nexpect won ann player 100\n")


def test_5_7_left_over_card_that_turns_out_to_be_the_rounds_own_waits_no_more() -> None:
    lines = PLAYED + "draw 7h turned\ndraw 6c turned\ndraw Kd turned\ndraw Qs turned\ndraw 4h banker turned\n"
    lines += "rule reconstruct on 1\napprove 1\nannounce player\nexpect carried 4h\n"
    lines += 'report round 1 2h 6c Kd Qs 4h "card 1 was a 2"\n' + RECTIFIED.format(2)
    lines += "expect points player 6 banker 6\n" + PLAYED + "expect no event carried_cards_dealt\n"
    holds(GAME, lines)


def test_5_12_report_that_was_wrong_itself_leaves_no_card_behind() -> None:
    lines = NATURAL + 'announce player\nreport round 1 9h 8c 2d Qs 4h "card 3 was a 2"\n' + RECTIFIED.format(1)
    lines += 'expect result banker\nexpect carried 4h\nreport round 1 9h 8c Kd Qs "the first report was wrong"\n'
    lines += (
        RECTIFIED.format(2)
        + "expect result player\nexpect stack ann 10100\n"
        + PLAYED
        + "expect no event carried_cards_dealt\n"
    )
    holds(GAME, lines)


def test_4_1_1_commission_is_cited_where_it_is_taken() -> None:
    won = "draw 8h turned\ndraw 9c turned\ndraw Kd turned\ndraw Qs turned\nannounce banker\n"
    holds(GAME, PLAYED + won + "expect won bob banker 95\nexpect paragraph 4.1.1\n")
    holds(GAME, NATURAL + "announce player\nexpect won ann player 100\nexpect paragraph 4.1.2\n")


def test_5_7_cards_left_over_wait_although_another_card_is_corrected_that_would_have_given_options_again() -> None:
    """Bob went on after the first card at the wrong hand and was not asked at the second; with a 3c he would be."""
    lines = "call\nbet bob banker 100\nclose\ndraw 7s player turned\ndraw Qs player turned\n"
    lines += "rule reconstruct on 1\napprove 1\ngo on bob\ndraw 7s banker turned\nrule reconstruct on 2\napprove 2\n"
    lines += "draw 6h banker turned\ndraw Qc player turned\ndraw 9d player turned\ndraw Js banker turned\n"
    lines += "rule reconstruct on 3\napprove 3\nannounce banker\nexpect carried 9d Js\n"
    lines += 'correct card 3 3c in round 1 "misread"\neva: approve 4\n'
    holds(GAME, lines + "expect points player 0 banker 6\nexpect carried 9d Js\n")


# --- of the second reading

SETTLED = "call\nbet ann player 100\nclose\ndeal 9h 8c Kd Ks\nannounce player\n"


def test_5_11_error_of_an_earlier_round_that_is_not_about_its_cards_is_on_record() -> None:
    lines = SETTLED + 'call\nreport simultaneous 3 4 in round 1 "seen on tape"\nexpect incident 1 late_discovery 5.11\n'
    holds(GAME, lines + "expect stack ann 10100\nexpect phase betting\n")


def test_5_17_what_the_list_does_not_foresee_is_reported_in_words() -> None:
    lines = SETTLED + 'report other "a drink was spilt on the layout"\nexpect incident 1 other 5.17\n'
    holds(GAME, lines + "call\nexpect phase betting\n")


def test_5_12_report_that_proves_unfounded_is_dismissed_and_changes_nothing() -> None:
    lines = "call\nbet ann player 100\nclose\ndeal 9h 8c Kd Ks\n" + 'report dealing error "two cards stuck together"\n'
    lines += 'rule dismiss on 1 "the camera shows one card after the other"\napprove 1\nexpect no incidents\n'
    holds(GAME, lines + "announce player\nexpect won ann player 100\n")


@pytest.mark.parametrize(
    ("keyed", "amended"),
    [
        ("draw 9h banker turned\n", 'correct hand 1 player "keyed at the wrong hand"\n'),
        ("draw 9h player turned\ndraw 9h banker turned\n", 'strike card 2 "the key bounced"\n'),
    ],
)
def test_5_14_card_keyed_wrongly_is_amended_without_options(keyed: str, amended: str) -> None:
    lines = "call\nbet ann player 100\nclose\n" + keyed + amended
    lines += "expect no incidents\nexpect hand player 9h\ndraw 8c banker turned\ndraw Kd player turned\n"
    holds(
        GAME,
        lines + "draw Ks banker turned\nannounce player\nexpect won ann player 100\nexpect no event options_given\n",
    )


@pytest.mark.parametrize(("truth", "phase", "drawn"), [("9h 2d 4h 3d 3c", "idle", 5), ("9h 2d 4h 4d", "dealing", 4)])
def test_5_7_card_drawn_after_the_settlement_is_counted_once_when_the_round_is_told_anew(
    truth: str, phase: str, drawn: int
) -> None:
    """The round lacked the king that was drawn after it, and was dealt it; then it is told again."""
    lines = "call\nbet ann player 100\nclose\ndeal 9h 2d 4h 3d\ndraw Jd player turned\nannounce banker\nconfirm 1\n"
    lines += 'draw Kd turned\nreport round 1 9h 2d 4h 3d "no fifth card"\nrule rectify on 1 "agreed"\napprove 1\n'
    lines += f'expect phase dealing\nannounce banker\nconfirm 1\nreport round 1 {truth} "others"\n'
    lines += f'rule rectify on 2 "agreed"\nmax: approve 2\nexpect phase {phase}\n'
    table = holds(GAME, lines, "burn rule none\nautomated settle").table
    assert table is not None
    assert misplaced(table) is None
    assert table.shoe.drawn == drawn


@pytest.mark.parametrize("answered", [True, False])
def test_5_14_card_that_somebody_has_answered_on_is_put_right_by_two(answered: bool) -> None:
    """The latest card is the dealer's to put right alone, until an answer has followed from it (reading Z)."""
    lines = "call\nbet ann player 100\nclose\ndeal 2h 3c Kd Ks\n"
    if answered:
        lines += 'report dealing error "two cards stuck together"\nrule reconstruct on 1\napprove 1\ngo on ann\n'
    lines += 'correct card 4 As "misread"\n'
    lines += "expect no event card_corrected\napprove 2\n" if answered else ""
    holds(GAME, lines + "expect event ruling_given 5.14\nexpect event card_corrected\nexpect hand banker 3c As\n")
