"""Tiger Buffalo, paragraph by paragraph. Cards are written as they leave the shoe: P1 B1 P2 B2 P3 B3."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from tests.rules import helpers
from tests.rules.helpers import (
    Game,
    as_fraction,
    banker_over_player,
    banker_wins,
    card_of,
    dealt,
    in_order,
    insurance_table,
    odds_of,
    opening,
    player_over_banker,
    player_wins,
    tie,
)

from puntobanco import Result, Side
from puntobanco.insurance import find_row, insurance_verdict, rows_open, window_of
from puntobanco.rules.model import CardPlaces, CommissionForm, Window

GAME = Game("tiger-buffalo")
BOOK = GAME.book

SIDE_BETS = (
    *("tie", "tiger_tie", "player_pair", "banker_pair", "tiger_pair", "tiger", "tiger_buffalo", "wu_dalang"),
    *("big_tiger", "small_tiger", "big_buffalo", "small_buffalo", "player_char_siu", "banker_char_siu"),
    *("banker_big_7", "banker_small_7", "player_big_7", "player_small_7"),
)
BETS = ("player", "banker", *SIDE_BETS)


# --- 1: definitions --------------------------------------------------------------------------------------


def test_1_1_table_of_play_is_mandatory() -> None:
    helpers.check_table_of_play()
    GAME.procedure("table_of_play", "3.15")


def test_1_2_banker_big_7() -> None:
    GAME.wins("banker_big_7", "30 to 1", "6h 3c Kd Qs 4h")  # 7 on three cards over 6
    GAME.loses("banker_big_7", "6h 7c Kd Qs", "7h 7c Kd Qs", "8h 7c Kd Qs")
    GAME.wins_only("banker_big_7", banker_wins(7, cards=3), paragraph="1.2")


def test_1_3_banker_char_siu() -> None:
    GAME.loses("banker_char_siu", "5h 6c Kd Qs Kh", "6h 8c Kd Qs", "7h 7c Kd Qs", "7h 6c Kd Qs")
    GAME.wins_only("banker_char_siu", banker_over_player((7, 6), (8, 7), (9, 8)), paragraph="1.3")


def test_1_3_1_seven_over_six() -> None:
    GAME.wins("banker_char_siu", "10 to 1", "6h 7c Kd Qs")
    GAME.wins("banker_char_siu", "15 to 1", "6h 2c Kd Qs 5h", "2h 7c Kd Qs 4h")
    GAME.wins("banker_char_siu", "50 to 1", "2h 3c Kd Qs 4h 4c")


def test_1_3_2_eight_over_seven() -> None:
    GAME.wins("banker_char_siu", "10 to 1", "7h 8c Kd Qs")
    GAME.wins("banker_char_siu", "15 to 1", "7h 2c Kd Qs 6h")
    GAME.wins("banker_char_siu", "50 to 1", "2h 3c Kd Qs 5h 5c")


def test_1_3_3_nine_over_eight() -> None:
    GAME.wins("banker_char_siu", "10 to 1", "8h 9c Kd Qs")
    GAME.wins("banker_char_siu", "50 to 1", "2h 3c Kd Qs 6h 6c")
    # on five cards it cannot be: a Player 8 on two ends the deal, a Banker 9 on two as well


def test_1_4_banker_small_7() -> None:
    GAME.wins("banker_small_7", "15 to 1", "6h 7c Kd Qs", "2h 7c Kd Qs 4h")
    GAME.loses("banker_small_7", "7h 7c Kd Qs", "6h 3c Kd Qs 4h", "8h 7c Kd Qs")
    GAME.wins_only("banker_small_7", banker_wins(7, cards=2), paragraph="1.4")


def test_1_6_big_buffalo() -> None:
    GAME.wins("big_buffalo", "35 to 1", "2h 5c Kd Qs 4h Kc")  # 6 on three cards over 5
    GAME.loses("big_buffalo", "6h 5c Kd Qs Kh", "2h 6c Kd Qs 4h", "2h 7c Kd Qs 4h")
    GAME.wins_only("big_buffalo", player_wins(6, cards=3), paragraph="1.6")


def test_1_7_big_tiger() -> None:
    GAME.wins("big_tiger", "50 to 1", "Ah 3c 3d Ks Ac 3h")
    GAME.loses("big_tiger", "2h 6c 3d Ks Kd", "6h 6c Kd Qs", "7h 2c Kd Qs 4h")
    GAME.wins_only("big_tiger", banker_wins(6, cards=3), paragraph="1.7")


def test_1_10_dealer() -> None:
    GAME.ranks(dealer="1.10", pit="1.19", shift_manager="5.23")


def test_1_13_hand() -> None:
    helpers.check_hand()


def test_1_15_insurance_comes_before_a_third_card() -> None:
    # Player 6, Banker 5: Banker is due a card, and Player's row is open
    open_rows = rows_open(BOOK, dealt("6h 5c Kd Qs"))
    assert (odds_of(open_rows.player), open_rows.banker) == (Fraction(5, 2), None)
    # Player 6, Banker 6: nobody draws, so there is nothing to insure
    assert list(rows_open(BOOK, dealt("6h 6c Kd Qs"))) == [None, None]
    assert BOOK.insurance is not None
    assert (BOOK.insurance.paragraph, BOOK.insurance.offer) == ("4.1.14", "3.11")


def test_1_16_natural() -> None:
    helpers.check_natural()


def test_1_17_non_commission() -> None:
    GAME.wins("banker", "1 to 2", "2h 6c 3d Ks Kd", "Ah 3c 3d Ks Ac 3h")
    GAME.wins("banker", "1 to 1", "8h 9c Kd Qs", "6h 7c Kd Qs")
    assert BOOK.commission.form is CommissionForm.NONE


def test_1_18_original_bet() -> None:
    GAME.original_bets(paragraph="1.18")


def test_1_19_pit_employees() -> None:
    GAME.ranks(dealer="1.10", pit="1.19", shift_manager="5.23")


def test_1_21_player_big_7() -> None:
    GAME.wins("player_big_7", "30 to 1", "2h 6c Kd Qs 5h")
    GAME.loses("player_big_7", "7h 6c Kd Qs", "2h 7c Kd Qs 5h", "2h 6c Kd Qs 4h")
    GAME.wins_only("player_big_7", player_wins(7, cards=3), paragraph="1.21")


def test_1_22_player_char_siu() -> None:
    GAME.loses("player_char_siu", "6h 5c Kd Qs Kh", "8h 6c Kd Qs", "7h 7c Kd Qs", "6h 7c Kd Qs")
    GAME.wins_only("player_char_siu", player_over_banker((7, 6), (8, 7), (9, 8)), paragraph="1.22")


def test_1_22_1_seven_over_six() -> None:
    GAME.wins("player_char_siu", "10 to 1", "7h 6c Kd Qs")
    GAME.wins("player_char_siu", "15 to 1", "7h 2c Kd Qs 4h", "2h 6c Kd Qs 5h")
    GAME.wins("player_char_siu", "50 to 1", "2h 2c Kd Qs 5h 4h")


def test_1_22_2_eight_over_seven() -> None:
    GAME.wins("player_char_siu", "10 to 1", "8h 7c Kd Qs")
    GAME.wins("player_char_siu", "15 to 1", "2h 7c Kd Qs 6h")
    GAME.wins("player_char_siu", "50 to 1", "2h 2c Kd Qs 6h 5h")


def test_1_22_3_nine_over_eight() -> None:
    GAME.wins("player_char_siu", "10 to 1", "9h 8c Kd Qs")
    GAME.wins("player_char_siu", "50 to 1", "2h 2c Kd Qs 7h 6h")


def test_1_23_player_pair_and_banker_pair() -> None:
    helpers.check_pair_needs_one_rank()
    GAME.wins("player_pair", "11 to 1", "Kh 9c Kd Qs", "Th 9c Td Qs")
    GAME.loses("player_pair", "Th 9c Kd Qs")
    GAME.wins("banker_pair", "11 to 1", "9h Kc Qd Ks")
    GAME.wins_only("player_pair", helpers.player_pair, paragraph="1.23")
    GAME.wins_only("banker_pair", helpers.banker_pair, paragraph="1.23")


def test_1_24_player_small_7() -> None:
    GAME.wins("player_small_7", "15 to 1", "7h 6c Kd Qs", "7h 2c Kd Qs 4h")
    GAME.loses("player_small_7", "7h 7c Kd Qs", "2h 6c Kd Qs 5h", "7h 8c Kd Qs")
    GAME.wins_only("player_small_7", player_wins(7, cards=2), paragraph="1.24")


def test_1_25_point_total() -> None:
    helpers.check_point_totals()


def test_1_26_reconstruction() -> None:
    helpers.check_reconstruction()


def test_1_27_round_begins_with_the_call() -> None:
    GAME.procedure("round", "1.27", round_begins="call")


def test_1_29_small_buffalo() -> None:
    GAME.wins("small_buffalo", "20 to 1", "6h 5c Kd Qs Kh")  # 6 on two cards over 5
    GAME.loses("small_buffalo", "6h 6c Kd Qs", "2h 5c Kd Qs 4h Kc", "6h 7c Kd Qs")
    GAME.wins_only("small_buffalo", player_wins(6, cards=2), paragraph="1.29")


def test_1_30_small_tiger() -> None:
    GAME.wins("small_tiger", "22 to 1", "2h 6c 3d Ks Kd")
    GAME.loses("small_tiger", "Ah 3c 3d Ks Ac 3h", "6h 6c Kd Qs", "7h 6c Kd Qs")
    GAME.wins_only("small_tiger", banker_wins(6, cards=2), paragraph="1.30")


def test_1_32_tie() -> None:
    GAME.wins("tie", "8 to 1", "9h 9c Kd Qs", "6h 6c Kd Qs")
    GAME.wins_only("tie", tie(), paragraph="1.32")
    helpers.check_tie()


def test_1_33_tiger() -> None:
    GAME.wins("tiger", "12 to 1", "2h 6c 3d Ks Kd")
    GAME.wins("tiger", "20 to 1", "Ah 3c 3d Ks Ac 3h")
    GAME.wins_only("tiger", banker_wins(6), paragraph="1.33")


def test_1_34_tiger_buffalo() -> None:
    GAME.wins("tiger_buffalo", "6 to 1", "2h 6c 3d Ks Kd", "Ah 3c 3d Ks Ac 3h")
    GAME.wins("tiger_buffalo", "6 to 1", "6h 5c Kd Qs Kh", "2h 5c Kd Qs 4h Kc")
    GAME.loses("tiger_buffalo", "6h 6c Kd Qs", "7h 6c Kd Qs", "6h 7c Kd Qs")
    GAME.wins_only(
        "tiger_buffalo",
        lambda r: r.winner != "tie" and 6 in (r.player, r.banker) and max(r.player, r.banker) == 6,
        paragraph="1.34",
    )


def test_1_35_tiger_pair() -> None:
    GAME.wins("tiger_pair", "4 to 1", "4h 9c 4d Ks", "4h 9c 5d 9s")
    GAME.wins("tiger_pair", "20 to 1", "4h 9c 4d 9s", "Kh Qc Kd Qs 2h 2c")
    GAME.wins("tiger_pair", "100 to 1", "7h 7c 7d 7s 2h 4c", "Kh Kc Kd Ks 9h Ac")
    GAME.loses("tiger_pair", "4h 9c 5d Ks", "Th 9c Kd Ks")
    GAME.wins_only("tiger_pair", lambda r: r.player_pair or r.banker_pair, paragraph="1.35")


def test_1_36_tiger_tie() -> None:
    GAME.wins("tiger_tie", "35 to 1", "6h 6c Kd Qs")
    GAME.loses("tiger_tie", "7h 7c Kd Qs", "2h 6c 3d Ks Kd")
    GAME.wins_only("tiger_tie", tie(6), paragraph="1.36")


def test_1_38_wu_dalang() -> None:
    GAME.wins("wu_dalang", "150 to 1", "Ah Jc Kd Qs Th Tc")  # Player wins with 1, over 0
    GAME.loses("wu_dalang", "Ah Ac Kd Qs Th Tc", "Ah 2c Kd Qs Th Tc")  # 1 each; 1 against 2
    GAME.wins_only("wu_dalang", player_wins(1), paragraph="1.38")


# --- 2: layouts and cards --------------------------------------------------------------------------------


def test_2_1_1_layouts() -> None:
    assert list(BOOK.layouts) == list("ABCDEFGHIJKLMNOPQ")


def test_2_1_1_a_boxes() -> None:
    most = {code: max(layout.positions) for code, layout in BOOK.layouts.items()}
    assert most == {**dict.fromkeys("ABCGHJLMNPQ", 6), **dict.fromkeys("DEFI", 5), "K": 16, "O": 16}


def test_2_2_1_decks() -> None:
    GAME.decks(4, 10, paragraph="2.2.1")


# --- 3: how to play --------------------------------------------------------------------------------------


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


def test_3_9_squeeze_is_for_any_player() -> None:
    GAME.procedure("squeeze", "3.9", squeeze="any")


def test_3_10_initial_cards() -> None:
    helpers.check_initial_deal()
    helpers.check_pairs_by_first_four()


def insure(side: Side, before: str, after: str) -> tuple[Result, Fraction | None, str]:
    """What becomes of insurance taken on that hand with these cards out, when the round ends so."""
    row = rows_open(BOOK, dealt(before))[side]
    assert row is not None, before
    verdict = insurance_verdict(row, dealt(f"{before} {after}"))
    return verdict.result, verdict.odds.fraction if verdict.odds else None, verdict.paragraph


def test_3_11_insurance_pays_when_the_insured_hand_loses() -> None:
    # Player 7 on two cards, Banker 2 draws: to 8, to 6, to 7
    assert insure(Side.PLAYER, "7h 2c Kd Qs", "6h") == (Result.WON, Fraction(4), "4.1.14")
    assert insure(Side.PLAYER, "7h 2c Kd Qs", "4h") == (Result.LOST, None, "4.1.14")
    assert insure(Side.PLAYER, "7h 2c Kd Qs", "5h") == (Result.RETURNED, None, "4.2.1")
    # Banker 7 on two cards, Player 2 draws: to 8, to 6, to 7
    assert insure(Side.BANKER, "2h 7c Kd Qs", "6h") == (Result.WON, Fraction(4), "4.1.14")
    assert insure(Side.BANKER, "2h 7c Kd Qs", "4h") == (Result.LOST, None, "4.1.14")
    assert insure(Side.BANKER, "2h 7c Kd Qs", "5h") == (Result.RETURNED, None, "4.2.1")


def test_3_12_windows() -> None:
    for cards in ("", "2h", "2h 3c", "2h 3c Kd"):
        assert window_of(dealt(cards)) is None
    assert window_of(dealt("2h 3c Kd Qs")) is Window.FOUR_CARDS
    assert window_of(dealt("7h 2c Kd Qs")) is Window.FOUR_CARDS  # Player stands, Banker draws
    assert window_of(dealt("2h 3c Kd Qs 5h")) is Window.PLAYER_THIRD
    assert window_of(dealt("2h 6c Kd Qs 5h")) is None  # Banker stands
    assert window_of(dealt("7h 6c Kd Qs")) is None  # nobody draws
    assert window_of(dealt("9h 2c Kd Qs")) is None  # a Natural
    assert window_of(dealt("2h 3c Kd Qs 5h 4h")) is None  # over
    assert list(rows_open(BOOK, dealt("2h 3c Kd"))) == [None, None]
    assert rows_open(BOOK, dealt("6h 5c Kd Qs")).player is not None
    assert rows_open(BOOK, dealt("2h 3c Kd Qs 6h")).player is not None
    assert BOOK.insurance is not None
    assert BOOK.insurance.windows == "3.12"


def test_3_12_1_player_on_two_or_three_cards_banker_on_two() -> None:
    assert BOOK.insurance is not None
    rows = Counter((row.hand, row.window) for row in BOOK.insurance.rows)
    assert rows == {
        (Side.PLAYER, Window.FOUR_CARDS): 3,
        (Side.PLAYER, Window.PLAYER_THIRD): 5,
        (Side.BANKER, Window.FOUR_CARDS): 4,
        (Side.BANKER, Window.PLAYER_THIRD): 5,
    }
    for side, cards in ((Side.PLAYER, "2h 4c Kd Qs 4h"), (Side.BANKER, "5h 4c Kd Qs 6h")):
        coup = dealt(cards)
        row = rows_open(BOOK, coup)[side]
        assert row is not None
        assert (len(coup.player), len(coup.banker)) == (3, 2)
    # a row needs Banker's two-card points, so it is gone once Banker has drawn
    assert list(rows_open(BOOK, dealt("2h 4c Kd Qs 4h 2d"))) == [None, None]
    assert BOOK.insurance.hands == "3.12.1"


def test_3_12_2_caps() -> None:
    assert BOOK.insurance is not None
    assert BOOK.insurance.cap == "3.12.2"
    caps = [(cap.odds.fraction, cap.of_maximum, cap.paragraph) for cap in BOOK.insurance.caps]
    assert caps == [(Fraction(10), Fraction(1, 4), "3.12.2")]


def test_3_13_third_cards() -> None:
    helpers.check_banker_alone(draws="012345", stands="6789")


def test_3_15_table_of_play() -> None:
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


def test_3_16_winner() -> None:
    helpers.check_winner()


def test_3_17_tie_returns_original_bets_and_insurance() -> None:
    GAME.pushes("player", "6h 6c Kd Qs")
    GAME.pushes("banker", "6h 6c Kd Qs")
    GAME.tie_returns(paragraph="3.17")
    assert insure(Side.PLAYER, "6h 5c Kd Qs", "Ah")[0] is Result.RETURNED
    assert insure(Side.BANKER, "2h 6c Kd Qs", "4h")[0] is Result.RETURNED
    # not where Player was insured on 9
    assert insure(Side.PLAYER, "2h 2c Kd Qs 7h", "7d")[:2] == (Result.WON, Fraction(10))


# --- 4: settlement ---------------------------------------------------------------------------------------


def test_4_1_1_banker_and_player() -> None:
    GAME.pays("banker", "4.1.1", {"1 to 2": banker_wins(6), "1 to 1": banker_wins(1, 2, 3, 4, 5, 7, 8, 9)})
    GAME.pays("player", "4.1.1", {"1 to 1": player_wins()})
    GAME.carried_by("ABCDEFGHIJKLMNOPQ", "player", "banker")


def test_4_1_2_tie() -> None:
    GAME.pays("tie", "4.1.2", {"8 to 1": tie()})
    GAME.carried_by("ABCDEFGHIJKLMNOPQ", "tie")


def test_4_1_3_pairs() -> None:
    GAME.pays("banker_pair", "4.1.3", {"11 to 1": helpers.banker_pair})
    GAME.pays("player_pair", "4.1.3", {"11 to 1": helpers.player_pair})
    GAME.carried_by("ABDEGJK", "player_pair", "banker_pair")


def test_4_1_4_big_and_small_tiger() -> None:
    GAME.pays("big_tiger", "4.1.4", {"50 to 1": banker_wins(6, cards=3)})
    GAME.pays("small_tiger", "4.1.4", {"22 to 1": banker_wins(6, cards=2)})
    GAME.carried_by("ABCDEFGHIJKLNOPQ", "big_tiger", "small_tiger")


def test_4_1_5_big_and_small_buffalo() -> None:
    GAME.pays("big_buffalo", "4.1.5", {"35 to 1": player_wins(6, cards=3)})
    GAME.pays("small_buffalo", "4.1.5", {"20 to 1": player_wins(6, cards=2)})
    GAME.carried_by("ABCDEFGHIJKLNOPQ", "big_buffalo", "small_buffalo")


def test_4_1_6_banker_7() -> None:
    GAME.pays("banker_big_7", "4.1.6", {"30 to 1": banker_wins(7, cards=3)})
    GAME.pays("banker_small_7", "4.1.6", {"15 to 1": banker_wins(7, cards=2)})
    GAME.carried_by("M", "banker_big_7", "banker_small_7")


def test_4_1_7_player_7() -> None:
    GAME.pays("player_big_7", "4.1.7", {"30 to 1": player_wins(7, cards=3)})
    GAME.pays("player_small_7", "4.1.7", {"15 to 1": player_wins(7, cards=2)})
    GAME.carried_by("M", "player_big_7", "player_small_7")


def test_4_1_8_tiger_buffalo() -> None:
    GAME.pays("tiger_buffalo", "4.1.8", {"6 to 1": lambda r: banker_wins(6)(r) or player_wins(6)(r)})
    GAME.carried_by("CFHI", "tiger_buffalo")


def test_4_1_9_tiger_pair() -> None:
    GAME.pays(
        "tiger_pair",
        "4.1.9",
        {"4 to 1": helpers.single_pair, "20 to 1": helpers.double_pair, "100 to 1": helpers.twin_pair},
    )
    GAME.carried_by("M", "tiger_pair")


def test_4_1_10_tiger_tie() -> None:
    GAME.pays("tiger_tie", "4.1.10", {"35 to 1": tie(6)})
    GAME.carried_by("LNOPQ", "tiger_tie")


def test_4_1_11_wu_dalang() -> None:
    GAME.pays("wu_dalang", "4.1.11", {"150 to 1": player_wins(1)})
    GAME.carried_by("CFHIM", "wu_dalang")


def test_4_1_12_tiger() -> None:
    GAME.pays("tiger", "4.1.12", {"12 to 1": banker_wins(6, cards=2), "20 to 1": banker_wins(6, cards=3)})
    GAME.carried_by("M", "tiger")


def test_4_1_13_char_siu() -> None:
    scores = ((7, 6), (8, 7), (9, 8))
    by_cards = {4: "10 to 1", 5: "15 to 1", 6: "50 to 1"}
    GAME.pays(
        "banker_char_siu",
        "4.1.13",
        {odds: banker_over_player(*scores, in_all=cards) for cards, odds in by_cards.items()},
    )
    GAME.pays(
        "player_char_siu",
        "4.1.13",
        {odds: player_over_banker(*scores, in_all=cards) for cards, odds in by_cards.items()},
    )
    GAME.carried_by("ABCDEFGHIJKLNOPQ", "player_char_siu", "banker_char_siu")


# Own points, the other hand's points, odds: as the pay table prints them.
PLAYER_AFTER_FOUR = insurance_table([("5", "4", "3 to 2"), ("6", "0-5", "5 to 2"), ("7", "0-5", "4 to 1")])
PLAYER_AFTER_THIRD = insurance_table(
    [
        ("5", "0-4", "3 to 2"),
        ("6", "0-5", "5 to 2"),
        ("7", "0-6", "4 to 1"),
        ("8", "0-6", "10 to 1"),
        ("9", "0-6", "10 to 1"),
    ]
)
BANKER_AFTER_FOUR = insurance_table(
    [("4", "0-3", "3 to 2"), ("5", "0-4", "3 to 2"), ("6", "0-5", "5 to 2"), ("7", "0-5", "4 to 1")]
)
BANKER_AFTER_THIRD = insurance_table(
    [
        ("1-6", "0", "10 to 1"),
        ("1", "1", "6 to 1"),
        ("2-6", "1", "10 to 1"),
        ("3-6", "2", "4 to 1"),
        ("4", "3", "5 to 2"),
    ]
)
INSURANCE = {
    (Window.FOUR_CARDS, Side.PLAYER): PLAYER_AFTER_FOUR,
    (Window.PLAYER_THIRD, Side.PLAYER): PLAYER_AFTER_THIRD,
    (Window.FOUR_CARDS, Side.BANKER): BANKER_AFTER_FOUR,
    (Window.PLAYER_THIRD, Side.BANKER): BANKER_AFTER_THIRD,
}


def expected_odds(window: Window, side: Side, own: int, other: int) -> Fraction | None:
    odds = INSURANCE[window, side].get((own, other))
    return as_fraction(odds) if odds else None


def test_4_1_14_insurance_rows() -> None:
    for window, side in INSURANCE:
        for own in range(10):
            for other in range(10):
                row = find_row(BOOK, window, side, own, other)
                assert odds_of(row) == expected_odds(window, side, own, other), (window, side, own, other)
                assert row is None or row.paragraph == "4.1.14"


def test_4_1_14_insurance_pays_the_odds_of_its_row() -> None:
    # Banker 5 leads Player 2, who draws a 6 to 8, or a 9 to 1 against which Banker stands
    assert insure(Side.BANKER, "2h 5c Kd Qs", "6h Kc") == (Result.WON, Fraction(3, 2), "4.1.14")
    assert insure(Side.BANKER, "2h 5c Kd Qs", "9h") == (Result.LOST, None, "4.1.14")


def test_4_1_14_insurance_after_four_cards() -> None:
    for player in range(10):
        for banker in range(10):
            coup = dealt(in_order(opening(player), opening(banker)))
            found = rows_open(BOOK, coup)
            due = max(player, banker) < 8 and (player <= 5 or banker <= 5)
            window = Window.FOUR_CARDS
            assert odds_of(found.player) == (expected_odds(window, Side.PLAYER, player, banker) if due else None)
            assert odds_of(found.banker) == (expected_odds(window, Side.BANKER, banker, player) if due else None)


def test_4_1_14_insurance_after_the_third_card() -> None:
    for first in range(6):
        for third in range(10):
            for banker in range(8):
                coup = dealt(in_order(opening(first), opening(banker), card_of(third)))
                found = rows_open(BOOK, coup)
                due = str(third) in helpers.BANKER_DRAWS_AGAINST[banker]
                player = (first + third) % 10
                for side, own, other in ((Side.PLAYER, player, banker), (Side.BANKER, banker, player)):
                    expected = expected_odds(Window.PLAYER_THIRD, side, own, other) if due else None
                    assert odds_of(found[side]) == expected, coup


def completions() -> list[tuple[Side, str, str]]:
    """Every insurance there is, hand by hand, with every way the round can go on from there."""
    found = []
    for player in range(10):
        for banker in range(8):
            after_four = in_order(opening(player), opening(banker))
            after_third = [f"{after_four} {card_of(third)}" for third in range(10) if player <= 5]
            for before in (after_four, *after_third):
                for side in Side:
                    if rows_open(BOOK, dealt(before))[side]:
                        found += [(side, before, end) for end in endings(before)]
    return found


def endings(before: str) -> list[str]:
    """The cards that may follow, one of each value, until the round is finished."""
    ends = []
    for card in map(card_of, range(10)):
        if dealt(f"{before} {card}").finished:
            ends.append(card)
        else:
            ends += [f"{card} {last}" for last in map(card_of, range(10))]
    return ends


def test_4_2_1_insurance_is_paid_lost_or_returned() -> None:
    paying_ties = set()
    for side, before, after in completions():
        result, odds, _ = insure(side, before, after)
        coup, now = dealt(f"{before} {after}"), dealt(before)
        window = Window.FOUR_CARDS if len(now.player) == 2 else Window.PLAYER_THIRD
        own, other = now.hands[side].total, now.hands[side.other].total
        if coup.winner is None and result is Result.WON:
            paying_ties.add((side, window, own, other))
        elif coup.winner is None:
            assert (result, odds) == (Result.RETURNED, None)
        elif coup.winner is side:
            assert (result, odds) == (Result.LOST, None)
        else:
            assert (result, odds) == (Result.WON, expected_odds(window, side, own, other))
    # the two exceptions, of which only the Banker points from which Banker can draw to the tie come up
    assert paying_ties == {
        *((Side.PLAYER, Window.PLAYER_THIRD, 9, banker) for banker in range(7)),
        *((Side.BANKER, Window.PLAYER_THIRD, banker, 0) for banker in range(1, 7)),
    }
    assert BOOK.insurance is not None
    assert BOOK.insurance.tie == "4.2.1"


def rows_that_pay_on_a_tie(paragraph: str) -> list[tuple[Side, Window, tuple[int, ...], tuple[int, ...]]]:
    """The rows that pay on a tie by that paragraph; by others than the two exceptions none does."""
    assert BOOK.insurance is not None
    rows = [row for row in BOOK.insurance.rows if row.tie_pays]
    assert [row.tie_paragraph for row in rows] == ["4.2.1.a", "4.2.1.b"]
    return [(row.hand, row.window, row.own, row.other) for row in rows if row.tie_paragraph == paragraph]


def test_4_2_1_a_player_9_tied_pays() -> None:
    assert rows_that_pay_on_a_tie("4.2.1.a") == [(Side.PLAYER, Window.PLAYER_THIRD, (9,), (0, 1, 2, 3, 4, 5, 6))]
    # Player 2 draws a 7 to 9; Banker, on 2, draws a 7 to 9
    assert insure(Side.PLAYER, "2h 2c Kd Qs 7h", "7d") == (Result.WON, Fraction(10), "4.2.1.a")
    # on 8 a tie only returns it
    assert insure(Side.PLAYER, "2h 2c Kd Qs 6h", "6d") == (Result.RETURNED, None, "4.2.1")


def test_4_2_1_b_player_0_tied_pays() -> None:
    assert rows_that_pay_on_a_tie("4.2.1.b") == [(Side.BANKER, Window.PLAYER_THIRD, (1, 2, 3, 4, 5, 6), (0,))]
    # Player 3 draws a 7 to 0; Banker, on 6, draws a 4 to 0
    assert insure(Side.BANKER, "3h 6c Kd Qs 7h", "4d") == (Result.WON, Fraction(10), "4.2.1.b")
    # Player on 1: a tie only returns it
    assert insure(Side.BANKER, "4h 6c Kd Qs 7h", "5d") == (Result.RETURNED, None, "4.2.1")
    # nothing is offered with Banker on 0
    assert rows_open(BOOK, dealt("3h Jc Kd Qs 7h")).banker is None


def test_4_2_2_private_table_without_insurance() -> None:
    GAME.procedure("private_table", "4.2.2")


# --- 5: irregularities, as far as data holds them --------------------------------------------------------


def test_5_4_1_outcome_is_established_with_three_cards() -> None:
    helpers.check_established(GAME, cards=3)


def test_5_4_2_no_outcome_is_established_with_two_cards() -> None:
    helpers.check_established(GAME, cards=2, unless=lambda _: True)


def test_5_23_uncovered_goes_to_the_shift_manager() -> None:
    GAME.uncovered("shift_manager", "5.23")


# --- Appendices: which bets a layout carries, and how many positions it may have -------------------------

MAIN = ("player", "banker", "tie")
SIXES = ("big_tiger", "small_tiger", "big_buffalo", "small_buffalo", "player_char_siu", "banker_char_siu")
WITH_PAIRS = (*MAIN, *SIXES, "player_pair", "banker_pair")
WITH_TIGER_BUFFALO = (*MAIN, *SIXES, "tiger_buffalo", "wu_dalang")
WITH_TIGER_TIE = (*MAIN, *SIXES, "tiger_tie")
WITH_SEVENS = (
    *MAIN,
    *("banker_big_7", "banker_small_7", "player_big_7", "player_small_7", "tiger_pair", "tiger", "wu_dalang"),
)


# what the texts of the appendices have kept of their pictures
WITHOUT_FOUR = "AGHM"
WITH_CHARACTERS = "BCK"


def layout(code: str, bets: tuple[str, ...], *positions: range, language: str = "en") -> None:
    drawn = GAME.layout(
        code,
        bets,
        [number for numbers in positions for number in numbers],
        paragraph=f"Appendix {code}",
        insurance=True,
        language=language,
    )
    assert drawn.language == language
    assert drawn.numbers[:4] == ((1, 2, 3, 5) if code in WITHOUT_FOUR else (1, 2, 3, 4))
    assert drawn.cards is (CardPlaces.STACKED if code == "K" else CardPlaces.BESIDE)
    chinese = {box.bet: box.chinese for row in drawn.rows for box in row.boxes if box.chinese}
    if code in WITH_CHARACTERS:
        assert chinese == {"player": "閒", "banker": "庄"}
    else:
        assert set(chinese) == ({*bets, "player_insurance", "banker_insurance"} if language == "zh" else set())


ONE_TO_SIX, ONE_TO_FIVE, TEN_TO_SIXTEEN = range(1, 7), range(1, 6), range(10, 17)


def test_appendix_a_layout() -> None:
    layout("A", WITH_PAIRS, ONE_TO_SIX)


def test_appendix_b_layout() -> None:
    layout("B", WITH_PAIRS, ONE_TO_SIX)


def test_appendix_c_layout() -> None:
    layout("C", WITH_TIGER_BUFFALO, ONE_TO_SIX)


def test_appendix_d_layout() -> None:
    layout("D", WITH_PAIRS, ONE_TO_FIVE)


def test_appendix_e_layout() -> None:
    layout("E", WITH_PAIRS, ONE_TO_FIVE)


def test_appendix_f_layout() -> None:
    layout("F", WITH_TIGER_BUFFALO, ONE_TO_FIVE)  # on the contents page only


def test_appendix_g_layout() -> None:
    layout("G", WITH_PAIRS, ONE_TO_SIX)


def test_appendix_h_layout() -> None:
    layout("H", WITH_TIGER_BUFFALO, ONE_TO_SIX)


def test_appendix_i_layout() -> None:
    layout("I", WITH_TIGER_BUFFALO, ONE_TO_FIVE)


def test_appendix_j_layout() -> None:
    layout("J", WITH_PAIRS, ONE_TO_SIX)


def test_appendix_k_layout() -> None:
    layout("K", WITH_PAIRS, TEN_TO_SIXTEEN)


def test_appendix_l_layout() -> None:
    layout("L", WITH_TIGER_TIE, ONE_TO_SIX)


def test_appendix_m_layout() -> None:
    layout("M", WITH_SEVENS, ONE_TO_SIX)


def test_appendix_n_layout() -> None:
    layout("N", WITH_TIGER_TIE, ONE_TO_SIX)


def test_appendix_o_layout() -> None:
    # the contents page and the appendix's heading differ; both are accepted
    layout("O", WITH_TIGER_TIE, ONE_TO_SIX, TEN_TO_SIXTEEN)


def test_appendix_p_layout() -> None:
    layout("P", WITH_TIGER_TIE, ONE_TO_SIX, language="zh")


def test_appendix_q_layout() -> None:
    layout("Q", WITH_TIGER_TIE, ONE_TO_SIX, language="zh")
