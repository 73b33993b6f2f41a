"""Tiger Buffalo at the table, paragraph by paragraph: calls, limits, squeeze, insurance, the Cut Card, staff."""

from __future__ import annotations

import pytest
from tests.rules import at_table
from tests.rules.at_table import QUICK, called, current, money_of, only, place, results_of, table_of, told, told_to_fit
from tests.rules.histories import holds
from tests.table.build import DEALER, MANAGER, SHIFT, SUPERVISOR, Play

from puntobanco import Result, Side
from puntobanco.cards import parse_cards
from puntobanco.money import Odds
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.commands import HOUSE
from puntobanco.table.insurance.offers import nobody_is_asked
from puntobanco.table.settings import ELECTRONIC, BetLimits, Differential
from puntobanco.views.public import public

GAME = "tiger-buffalo"


# --- 1: definitions


def test_1_9_the_cut_card_marks_the_last_round() -> None:
    play = called(GAME, automated=QUICK)
    play.close()
    play.deal("9h 8c")
    seen = only(play.do(c.CutCard(), DEALER), e.CutCardAppeared)
    assert (seen.rounds_left, seen.paragraph) == (0, "5.7")
    assert told(play, c.CutCard(), DEALER) == ("cards", "1.9")
    play.deal("Kd")
    over = only(play.do(c.Deal(parse_cards("Ks")), DEALER), e.ShoeEnded)  # this round was the last
    assert over.number == 1
    assert told(play, c.Call(), DEALER)[0] == "no_shoe"


def test_1_9_one_round_more_where_so_set() -> None:
    play = called(GAME, automated=QUICK, rounds_after_cut=1)
    play.close()
    play.deal("9h")
    assert only(play.do(c.CutCard(), DEALER), e.CutCardAppeared).rounds_left == 1
    play.deal("8c Kd Ks")
    assert not play.table.shoe.ended
    play.call()
    play.close()
    play.deal(at_table.PLAYER_WINS)
    assert play.table.shoe.ended


def test_1_9_between_rounds_it_is_the_first_card_of_the_last_round() -> None:
    play = table_of(GAME, automated=QUICK)
    assert only(play.do(c.CutCard(), DEALER), e.CutCardAppeared).rounds_left == 1
    play.call()
    play.close()
    play.deal(at_table.PLAYER_WINS)
    assert play.table.shoe.ended


def cut_cards(events: tuple[e.Event, ...]) -> list[e.CutCardAppeared]:
    return [event for event in events if isinstance(event, e.CutCardAppeared)]


def test_1_9_an_electronic_shoe_knows_its_cut_card() -> None:
    play = called(GAME, automated=ELECTRONIC, decks=4, cut_card=200)
    play.close()
    assert cut_cards(play.do(c.Deal(parse_cards("9h 8c Kd Ks")), HOUSE)) == []  # 204 are left
    play.call()
    play.close()
    assert cut_cards(play.do(c.Deal(parse_cards("9h 8c Kd Ks")), HOUSE)) == []  # it is at the mouth of the shoe
    play.call()
    (seen,) = cut_cards(play.do(c.Close(), HOUSE))
    play.do(c.Deal(parse_cards("9h 8c Kd Ks")), HOUSE)
    assert (seen.rounds_left, seen.paragraph) == (0, "1.9")  # the first card of the next round, not the last of this
    assert play.table.shoe.ended


def test_5_5_2_more_copies_of_a_card_than_the_decks_hold() -> None:
    at_table.check_more_copies_than_decks(GAME, "5.5.2", "5.5.2")


def test_5_7_1_at_an_electronic_table() -> None:
    """A round ended where the Cut Card lies: in a high-limit area the bets of the next one may be withdrawn."""
    play = called(GAME, automated=ELECTRONIC, decks=4, cut_card=200, high_limit=True)
    for _ in range(2):
        play.close()
        play.do(c.Deal(parse_cards("9h 8c Kd Ks")), HOUSE)
        assert not play.table.shoe.cut_seen
        play.call()
    play.do(at_table.place("ann", 1, tie=100), "ann")
    (seen,) = cut_cards(play.do(c.Close(), HOUSE))
    assert seen.rounds_left == 0
    play.do(c.Withdraw("ann", 1, "tie"), "ann")


def test_5_7_in_mid_round() -> None:
    play = called(GAME, automated=ELECTRONIC, decks=4, cut_card=202)
    play.close()
    play.do(c.Deal(parse_cards("9h 8c Kd Ks")), HOUSE)
    play.call()
    play.close()
    (seen,) = cut_cards(play.do(c.Deal(parse_cards("9h 8c")), HOUSE))
    assert (seen.rounds_left, seen.paragraph) == (0, "5.7")


def test_1_11_differential() -> None:
    at_table.check_differential(GAME, over="5.1")


def test_1_12_shuffler_that_deals() -> None:
    at_table.check_shuffler(GAME, shoe_empty="5.5.4")


def test_1_27_round_ends_when_all_are_settled() -> None:
    at_table.check_round(GAME, round="1.27")


def test_1_28_seated_player() -> None:
    at_table.check_seated(GAME, seated="1.28")


def test_1_31_standing_player() -> None:
    at_table.check_standing(GAME, standing="1.31")


def test_1_37_void() -> None:
    at_table.check_void(GAME, ruler=SHIFT, void="5.23")


# --- 3: how to play


def test_3_3_the_call_opens_the_betting() -> None:
    at_table.check_call(GAME, call="3.3")


def test_3_4_limits_are_displayed() -> None:
    at_table.check_sign(GAME)


def test_3_5_limits() -> None:
    at_table.check_limits(GAME, limits="3.5")


def test_3_6_the_balance_is_for_others() -> None:
    at_table.check_balance(GAME, balance="3.6", over="5.1")


def test_3_7_bets_are_taken_one_by_one() -> None:
    main = ("player", "banker", "tie", "player_pair", "banker_pair")
    bets = (*main, "big_tiger", "small_tiger", "big_buffalo", "small_buffalo", "player_char_siu", "banker_char_siu")
    at_table.check_bets_on_offer(GAME, bets=bets, bet_types="3.7", elsewhere="wu_dalang")  # not on layout A


def test_3_8_the_second_call_closes_the_betting() -> None:
    at_table.check_close(GAME, close="3.8", late_bet="5.6", late_withdrawal="5.6")


def test_3_9_squeeze() -> None:
    # any player, and Cho has the largest bet, although she stands
    at_table.check_squeeze(GAME, holder="cho", squeeze="3.9")


def insurable(cards: str, *, player: int = 100, banker: int = 100, **changes: object) -> Play:
    """Ann on Player, Bob on Banker, Cho on the Tie; these cards are out, and earlier windows closed unused."""
    play = called(GAME, automated=QUICK, forgo="window", **changes)
    play.do(place("ann", 1, player=player), "ann")
    play.do(place("bob", 2, banker=banker), "bob")
    play.do(place("cho", 1, tie=50), "cho")
    play.close()
    play.deal(cards)
    return play


def offer_of(play: Play) -> tuple[Side, str, tuple[str, ...]] | None:
    """The only hand on offer, at which odds, and to whom."""
    window = current(play).window if play.table.round else None
    if window is None:
        return None
    (offer,) = window.offers
    return offer.hand, str(offer.odds), offer.people


def test_3_11_insurance_is_for_those_who_bet_on_the_hand() -> None:
    play = insurable("6h 5c Kd Qs")  # Player 6, Banker 5 to draw
    assert offer_of(play) == (Side.PLAYER, "5 to 2", ("ann",))
    for person, box in (("bob", 2), ("cho", 1)):
        assert told(play, c.Insure(person, box, Side.PLAYER, 50_00), person) == ("no_insurance", "3.11")
    assert told(play, c.Insure("bob", 2, Side.BANKER, 50_00), "bob") == ("no_insurance", "4.1.14")
    insured = only(play.do(c.Insure("ann", 1, Side.PLAYER, 80_00), "ann"), e.Insured)
    assert (insured.window, insured.odds, insured.paragraph) == (Window.FOUR_CARDS, Odds(5, 2), "4.1.14")
    assert money_of(play, "ann") == (9_820, 180)
    results = results_of(play.do(c.Deal(parse_cards("4s")), DEALER))  # Banker 9: Player loses
    assert results["ann", "player"] == (Result.LOST, -100)
    assert results["ann", "player_insurance"] == (Result.WON, 200)
    assert money_of(play, "ann") == (10_100, 0)


def test_3_11_insurance_loses_when_the_hand_wins() -> None:
    play = insurable("6h 5c Kd Qs")
    play.do(c.Insure("ann", 1, Side.PLAYER, 80_00), "ann")
    results = results_of(play.do(c.Deal(parse_cards("6s")), DEALER))  # Banker 1: Player wins
    assert results["ann", "player_insurance"] == (Result.LOST, -80)
    assert money_of(play, "ann") == (10_020, 0)


def test_3_12_after_four_cards_and_after_the_third() -> None:
    play = insurable("2h 4c Kd Ks")  # Banker 4 leads Player 2
    assert offer_of(play) == (Side.BANKER, "3 to 2", ("bob",))
    assert only(tuple(play.events), e.InsuranceOffered).paragraph == "3.12"
    assert told(play, c.Deal(parse_cards("4s")), DEALER)[0] == "insurance_open"
    play.do(c.Insure("bob", 2, Side.BANKER, 100_00), "bob")
    offered = only(play.do(c.Deal(parse_cards("4s")), DEALER), e.InsuranceOffered)  # Player 6, Banker draws
    assert (offered.window, offered.paragraph) == (Window.PLAYER_THIRD, "3.12")
    assert offer_of(play) == (Side.PLAYER, "5 to 2", ("ann",))
    play.do(c.Insure("ann", 1, Side.PLAYER, 100_00), "ann")
    results = results_of(play.do(c.Deal(parse_cards("5d")), DEALER))  # 9 for Banker
    assert (results["bob", "banker_insurance"], results["ann", "player_insurance"]) == (
        (Result.LOST, -100),
        (Result.WON, 250),
    )


def test_3_12_nothing_while_no_card_is_to_come() -> None:
    for cards in (
        "6h 6c Kd Qs",  # both stand
        "8h 5c Kd Qs",  # a Natural
        "2h 4c Kd Ks As",  # Banker on 4 stands against an ace
    ):
        play = insurable(cards)
        assert play.table.round is None, cards
    assert told(play, c.OfferInsurance(), DEALER) == ("no_insurance", "3.12")
    early = insurable("2h 4c Kd")
    assert told(early, c.Insure("bob", 2, Side.BANKER, 50_00), "bob") == ("no_insurance", "3.12")


def test_3_12_1_offers_to_player_on_two_or_three_cards_to_banker_on_two() -> None:
    assert offer_of(insurable("6h 5c Kd Qs")) == (Side.PLAYER, "5 to 2", ("ann",))  # Player on two cards
    assert offer_of(insurable("2h 3c Kd Qs 6h")) == (Side.PLAYER, "10 to 1", ("ann",))  # Player on three
    # Banker on two cards, before and after Player's third: never on three, for then the round is over
    assert offer_of(insurable("2h 4c Kd Ks")) == (Side.BANKER, "3 to 2", ("bob",))
    assert offer_of(insurable("5h 6c Kd Ks")) == (Side.BANKER, "5 to 2", ("bob",))
    after = insurable("4h 6c Kd Ks 7h")  # Player 1 against Banker 6, who draws against a 7
    assert offer_of(after) == (Side.BANKER, "10 to 1", ("bob",))
    after.do(c.CloseInsurance(), DEALER)
    after.deal("Kc")
    assert after.table.round is None


def test_3_12_2_at_most_the_original_bet_each_time() -> None:
    play = insurable("2h 4c Kd Ks", banker=300)
    body = c.Insure("bob", 2, Side.BANKER, 305_00)
    assert told_to_fit(play, body, "bob") == ("insurance_cap", "3.12.2", 300)
    play.do(c.Insure("bob", 2, Side.BANKER, 300_00), "bob")
    assert nobody_is_asked(play.table, current(play))

    play = called(GAME, automated=QUICK)
    play.do(place("bob", 2, banker=300), "bob")
    play.do(place("ann", 1, banker=100), "ann")
    play.close()
    play.deal("2h 4c Kd Ks")
    play.do(c.Insure("bob", 2, Side.BANKER, 200_00), "bob")
    body = c.Insure("bob", 2, Side.BANKER, 105_00)
    assert told_to_fit(play, body, "bob") == ("insurance_cap", "3.12.2", 100)  # all of it together
    body = c.Insure("ann", 1, Side.BANKER, 105_00)
    assert told_to_fit(play, body, "ann") == ("insurance_cap", "3.12.2", 100)  # by the own bet


def test_3_12_2_both_windows_count_by_themselves() -> None:
    play = insurable("4h 6c Kd Ks", banker=300)  # Banker 6 leads Player 4
    play.do(c.Insure("bob", 2, Side.BANKER, 300_00), "bob")
    play.deal("8h")  # Player 2; Banker on 6 stands against an 8
    assert play.table.round is None
    play = insurable("5h 6c Kd Ks", banker=300)
    play.do(c.Insure("bob", 2, Side.BANKER, 300_00), "bob")
    play.deal("6h")  # Player 1, Banker draws: 10 to 1
    body = c.Insure("bob", 2, Side.BANKER, 305_00)
    assert told_to_fit(play, body, "bob") == ("insurance_cap", "3.12.2", 300)
    play.do(c.Insure("bob", 2, Side.BANKER, 300_00), "bob")


@pytest.mark.parametrize(
    ("maximum", "differential", "bet", "most"),
    [
        (2_000, None, 1_000, 500),  # a quarter of the maximum
        (2_000, 1_200, 1_000, 500),  # the maximum goes before the Differential
        (None, 1_200, 1_000, 300),  # a quarter of the Differential where there is no maximum
        (None, None, 1_000, 1_000),  # neither: the Original Bet
        (2_000, None, 400, 400),  # the Original Bet where it is less
    ],
)
def test_3_12_2_at_10_to_1_a_quarter_of_the_maximum(
    maximum: int | None, differential: int | None, bet: int, most: int
) -> None:
    play = insurable(
        "2h 3c Kd Qs 6h",  # Player 8 on three cards, Banker draws: 10 to 1
        player=bet,
        banker=bet,
        limits=BetLimits(25_00, maximum and maximum * 100, 5_00),
        differential=Differential(differential * 100) if differential else None,
    )
    body = c.Insure("ann", 1, Side.PLAYER, most * 100 + 1)
    assert told_to_fit(play, body, "ann") == ("insurance_cap", "3.12.2", most)
    play.do(c.Insure("ann", 1, Side.PLAYER, most * 100), "ann")


def test_3_12_2_shorter_odds_are_free_of_the_quarter() -> None:
    play = insurable("2h 3c Kd Qs 5h", player=1_500)  # Player 7 on three cards: 4 to 1
    assert offer_of(play) == (Side.PLAYER, "4 to 1", ("ann",))
    play.do(c.Insure("ann", 1, Side.PLAYER, 1_500_00), "ann")


def early(how: str, granter: str = SUPERVISOR) -> Play:
    """Player 2, Banker 1: both draw whatever comes. Cho, with the highest bet, asked for Banker's third card first."""
    play = at_table.squeezing(GAME)
    for number, card in enumerate(parse_cards("2h Ac Kd Qs"), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER), DEALER)
    for number in (1, 2, 3, 4):
        play.do(c.Turn(number), DEALER)
    asked = only(play.do(c.AskEarlySqueeze("cho", how), "cho"), e.SqueezeAsked)  # type: ignore[arg-type]
    assert (asked.hand, asked.early, asked.paragraph) == (Side.BANKER, how, "3.14")
    answered = only(play.do(c.AnswerSqueeze("cho", True), granter), e.SqueezeAnswered)
    assert (answered.granted, answered.paragraph) == (True, "3.14")
    return play


@pytest.mark.parametrize("how", ["squeeze", "expose"])
def test_3_14_bankers_third_card_is_seen_first(how: str) -> None:
    play = early(how)
    play.do(c.Draw(parse_cards("6h")[0], Side.PLAYER), DEALER)
    play.do(c.Draw(parse_cards("5s")[0], Side.BANKER), DEALER)
    play.do(c.Turn(6), "cho" if how == "squeeze" else DEALER)
    play.do(c.Turn(5), DEALER)
    assert not play.table.flags
    assert str(current(play).coup) == "P 2hKd6h B AcQs5s"


@pytest.mark.parametrize("how", ["squeeze", "expose"])
def test_3_14_insurance_after_players_third_is_waived_for_all(how: str) -> None:
    play = early(how)
    opened = play.do(c.Draw(parse_cards("6h")[0], Side.PLAYER, turned=True), DEALER)
    assert not any(isinstance(event, e.InsuranceOffered) for event in opened)  # Player 8 against 1: a row fits
    assert told(play, c.OfferInsurance(), DEALER) == ("no_insurance", "3.12")
    assert told(play, c.Insure("ann", 1, Side.PLAYER, 25_00), "ann") == ("no_insurance", "3.12")
    entry = r.CorrectBet("ann", 1, "player_insurance", 25_00, window=Window.PLAYER_THIRD)
    (again,) = (x for x in play.do(c.Propose(entry, 0, "not keyed"), DEALER) if isinstance(x, e.RoundPlayedAgain))
    assert [(line.stake, line.paragraph) for line in again.returned] == [(25_00, "3.14")]  # it goes back


def test_3_14_without_it_insurance_is_offered() -> None:
    play = at_table.squeezing(GAME)
    for number, card in enumerate(parse_cards("2h Ac Kd Qs"), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER, turned=True), DEALER)
    play.do(c.AskEarlySqueeze("cho", "squeeze"), "cho")
    play.do(c.AnswerSqueeze("cho", False), SUPERVISOR)
    offered = only(play.do(c.Draw(parse_cards("6h")[0], Side.PLAYER, turned=True), DEALER), e.InsuranceOffered)
    assert offered.offers[0].people == ("ann",)


def test_3_14_the_house_consents() -> None:
    play = at_table.squeezing(GAME)
    for number, card in enumerate(parse_cards("2h Ac Kd Qs"), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER, turned=True), DEALER)
    for person in ("ann", "bob"):
        assert told(play, c.AskEarlySqueeze(person, "squeeze"), person)[0] == "squeeze"  # not the highest bet
    play.do(c.AskEarlySqueeze("cho", "squeeze"), "cho")
    for person in (DEALER, HOUSE):
        assert told(play, c.AnswerSqueeze("cho", True), person) == ("rank", "3.14")
    play.do(c.AnswerSqueeze("cho", True), MANAGER)


def test_3_14_consent_is_for_the_cards_and_bets_as_they_are_then() -> None:
    """Asked in time; by the answer Player's third card lies open, or the bet has gone."""
    play = at_table.squeezing(GAME)
    for number, card in enumerate(parse_cards("2h Ac Kd Qs 6h"), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER, turned=True), DEALER)
        if number == 4:
            play.do(c.AskEarlySqueeze("cho", "squeeze"), "cho")
    assert current(play).window is not None  # Player 8 against 1
    assert told(play, c.AnswerSqueeze("cho", True), SUPERVISOR) == ("squeeze", "3.14")
    assert not current(play).waived
    play.do(c.AnswerSqueeze("cho", False), SUPERVISOR)
    play.do(c.Insure("ann", 1, Side.PLAYER, 25_00), "ann")


def test_3_14_denied_it_leaves_the_ordinary_squeeze() -> None:
    play = at_table.squeezing(GAME)
    for number, card in enumerate(parse_cards("2h Ac Kd Qs"), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER, turned=True), DEALER)
    play.do(c.AskEarlySqueeze("cho", "squeeze"), "cho")
    play.do(c.AnswerSqueeze("cho", False), SUPERVISOR)
    assert told(play, c.AskEarlySqueeze("cho", "squeeze"), "cho") == ("already_there", "3.14")
    play.do(c.Draw(parse_cards("4h")[0], Side.PLAYER, turned=True), DEALER)
    if current(play).window is not None:
        play.do(c.CloseInsurance(), DEALER)
    play.do(c.AskSqueeze("cho", Side.BANKER), "cho")  # Banker's third, in its turn


def test_3_9_asked_for_card_by_card() -> None:
    """One that was denied is not asked for again; the next card of the hand is another request."""
    play = at_table.squeezing(GAME)
    play.do(c.AskSqueeze("cho", Side.BANKER), "cho")
    play.do(c.AnswerSqueeze("cho", False), DEALER)
    assert told(play, c.AskSqueeze("cho", Side.BANKER), "cho") == ("already_there", "3.9")
    for number, card in enumerate(parse_cards("2h Ac"), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER), DEALER)
    play.do(c.AskSqueeze("cho", Side.BANKER), "cho")
    play.do(c.AnswerSqueeze("cho", True), DEALER)
    for number, card in enumerate(parse_cards("Kd Qs"), 3):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER), DEALER)
    assert told(play, c.Turn(2), "cho") == ("squeeze", "3.9")
    play.do(c.Turn(4), "cho")


def test_3_9_third_card_while_the_four_lie_face_down() -> None:
    play = at_table.squeezing(GAME)
    for number, card in enumerate(parse_cards("2h Ac Kd Qs"), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER), DEALER)
    refusal = play.refused(c.AskSqueeze("cho", Side.PLAYER), "cho")
    assert (refusal.detail, refusal.paragraph) == ("squeeze.unknown_yet", "3.9")
    for number in range(1, 5):
        play.do(c.Turn(number), DEALER)
    play.do(c.AskSqueeze("cho", Side.PLAYER), "cho")


def test_3_9_squeeze_ends_with_the_bet() -> None:
    play = at_table.squeezing(GAME, high_limit=True)
    play.do(c.CutCard(), DEALER)
    play.do(c.AskSqueeze("cho", Side.BANKER), "cho")
    play.do(c.AnswerSqueeze("cho", True), DEALER)
    for wager in [wager for wager in current(play).wagers.values() if wager.person == "cho"]:
        play.do(c.Withdraw("cho", wager.box, wager.bet), "cho")
    for number, card in enumerate(parse_cards("2h Ac"), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER), DEALER)
    assert told(play, c.Turn(2), "cho") == ("squeeze", "3.9")
    play.do(c.Turn(2), DEALER)


# --- 4: settlement


def test_4_2_1_a_player_9_tied_pays_at_the_table() -> None:
    play = insurable("3h 4c Kd Qs 6h")  # Player 9 on three cards, Banker 4 draws
    play.do(c.Insure("ann", 1, Side.PLAYER, 100_00), "ann")
    results = results_of(play.do(c.Deal(parse_cards("5d")), DEALER))  # Banker 9: a tie
    assert results["ann", "player"] == (Result.RETURNED, 0)
    assert results["ann", "player_insurance"] == (Result.WON, 1_000)
    lines = {line.bet: line.paragraph for line in only(tuple(play.events), e.RoundSettled).lines}
    assert lines["player_insurance"] == "4.2.1.a"
    assert money_of(play, "ann") == (11_000, 0)


def test_4_2_1_b_player_0_tied_pays_at_the_table() -> None:
    play = insurable("4h 5c Kd Qs 6h")  # Player 0 on three cards, Banker 5 draws
    play.do(c.Insure("bob", 2, Side.BANKER, 100_00), "bob")
    settled = only(play.do(c.Deal(parse_cards("5d")), DEALER), e.RoundSettled)  # Banker 0: a tie
    lines = {line.bet: line for line in settled.lines}
    insurance = lines["banker_insurance"]
    assert (insurance.result, insurance.profit, insurance.paragraph) == (Result.WON, 1_000_00, "4.2.1.b")
    assert lines["banker"].result is Result.RETURNED
    assert money_of(play, "bob") == (11_000, 0)


def test_4_2_1_other_ties_return_insurance_at_the_table() -> None:
    play = insurable("6h 5c Kd Qs")
    play.do(c.Insure("ann", 1, Side.PLAYER, 100_00), "ann")
    settled = only(play.do(c.Deal(parse_cards("As")), DEALER), e.RoundSettled)  # 6 each
    lines = {line.bet: line for line in settled.lines}
    insurance = lines["player_insurance"]
    assert (insurance.result, insurance.profit, insurance.paragraph) == (Result.RETURNED, 0, "4.2.1")
    assert money_of(play, "ann") == (10_000, 0)


def test_4_2_2_private_table_without_insurance_at_the_table() -> None:
    play = called(GAME, automated=QUICK, no_insurance=True)
    sign = public(play.table, play.now).sign
    assert (sign.insurance, bool(sign.notice), sign.notice_paragraph) == (False, True, "4.2.2")
    assert told(play, c.Join("dan", 3), "dan") == ("notice", "4.2.2")
    joined = only(play.do(c.Join("dan", 3, accepts_no_insurance=True), "dan"), e.PlayerJoined)
    assert joined.paragraph == "4.2.2"
    play.do(place("ann", 1, player=100), "ann")
    play.do(place("bob", 2, banker=100), "bob")
    play.close()
    play.do(c.Deal(parse_cards("2h 4c Kd Ks")), DEALER)  # elsewhere Bob would be asked now
    assert current(play).window is None
    assert told(play, c.Insure("bob", 2, Side.BANKER, 50_00), "bob") == ("no_insurance", "4.2.2")
    assert told(play, c.OfferInsurance(), DEALER) == ("no_insurance", "4.2.2")
    play.do(c.Deal(parse_cards("4s 3d")), DEALER)  # straight on
    assert play.table.round is None

    others = table_of(GAME)
    offered = public(others.table, others.now).sign
    assert (offered.insurance, offered.notice) == (True, "")


# --- 5: irregularities that need nothing more


def test_5_5_4_the_shoe_runs_out() -> None:
    at_table.check_shoe_runs_out(GAME, shoe_empty="5.5.4")


def test_5_6_nothing_changes_after_the_close() -> None:
    at_table.check_close(GAME, close="3.8", late_bet="5.6", late_withdrawal="5.6")


def test_5_21_void_round_returns_every_bet() -> None:
    at_table.check_void(GAME, ruler=SHIFT, void="5.23")


def test_5_21_void_round_returns_insurance() -> None:
    play = insurable("4h 6c Kd Ks")
    play.do(c.Insure("bob", 2, Side.BANKER, 60_00), "bob")
    assert money_of(play, "bob") == (9_840, 160)
    play.void("a fire alarm", SHIFT)
    assert {name: money_of(play, name) for name in ("ann", "bob", "cho")} == dict.fromkeys(
        ("ann", "bob", "cho"), (10_000, 0)
    )


def test_5_22_staff_bets_for_a_player() -> None:
    at_table.check_staff_bets(GAME, staff_bets="5.22")


def test_5_22_staff_insures_for_a_player() -> None:
    play = insurable("6h 5c Kd Qs")
    assert told(play, c.Insure("ann", 1, Side.PLAYER, 80_00), "bob") == ("not_yours", "5.22")
    play.do(c.Insure("ann", 1, Side.PLAYER, 80_00), DEALER)
    assert money_of(play, "ann") == (9_820, 180)


# --- 5: bets that nobody asked for, players who walk away, cards at fault


def test_5_1_over_the_differential_noticed_in_time() -> None:
    at_table.check_over_differential(GAME, over="5.1")


def test_5_1_bet_that_lies_in_another_box_is_seated_or_standing_there() -> None:
    at_table.check_seat_of_a_moved_bet(GAME, over="5.1")


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


def test_5_19_chips_decide() -> None:
    at_table.check_chips_decide(GAME, chips_decide="5.19")


def test_5_3_who_walks_away_has_forgone_insurance() -> None:
    play = called(GAME, automated=QUICK)
    for person, box in (("ann", 1), ("bob", 2)):
        play.do(place(person, box, banker=100), person)
    play.close()
    play.do(c.WalkAway("ann"), DEALER)
    play.deal("2h 4c Kd Ks")
    assert offer_of(play) == (Side.BANKER, "3 to 2", ("bob",))
    play.do(c.ComeBack("ann"), "ann")
    assert told(play, c.Insure("ann", 1, Side.BANKER, 50_00), "ann") == ("forgone", "5.3")
    play.do(c.Insure("bob", 2, Side.BANKER, 50_00), "bob")
    play.do(c.Deal(parse_cards("8h")), DEALER)  # Player 0: Banker leads, and draws not against an 8
    assert play.table.round is None


def test_5_3_who_lets_a_window_pass_or_leaves_in_it_has_forgone_the_next() -> None:
    play = called(GAME, automated=QUICK)
    play.do(place("ann", 1, banker=100), "ann")
    play.do(place("bob", 2, banker=100), "bob")
    play.close()
    play.deal("5h 6c Kd Ks")  # Banker 6 leads Player 5
    assert offer_of(play) == (Side.BANKER, "5 to 2", ("ann", "bob"))
    play.do(c.PassInsurance("ann"), "ann")
    play.do(c.WalkAway("bob"), DEALER)
    play.do(c.ComeBack("bob"), "bob")
    events = play.do(c.Deal(parse_cards("6h")), DEALER)  # Player 1, Banker draws: a row at 10 to 1
    closed = only(events, e.InsuranceClosed)  # nobody was left to wait for
    assert (closed.forgone, closed.paragraph) == (("ann", "bob"), "5.3")
    assert not [event for event in events if isinstance(event, e.InsuranceOffered)]
    for person, box in (("ann", 1), ("bob", 2)):
        assert told(play, c.Insure(person, box, Side.BANKER, 50_00), person) == ("forgone", "5.3")


def test_5_3_1_who_walks_away_is_settled_all_the_same() -> None:
    at_table.check_walk_away(GAME, walk_away="5.3.1")


# --- 5.7: the Cut Card


def test_5_7_the_cut_card_is_removed_and_the_round_proceeds() -> None:
    play = called(GAME, automated=QUICK)
    play.bet("ann", {"banker": 100_00})
    play.close()
    play.do(c.Draw(parse_cards("8h")[0], Side.PLAYER, True), DEALER)
    assert only(play.do(c.CutCard(), DEALER), e.CutCardAppeared).rounds_left == 0
    assert told(play, c.Withdraw("ann", 1, "banker"), "ann") == ("bets_closed", "5.6")
    for text, hand in (("9c", Side.BANKER), ("Kd", Side.PLAYER), ("Ks", Side.BANKER)):
        events = play.do(c.Draw(parse_cards(text)[0], hand, True), DEALER)
    (line,) = only(events, e.RoundSettled).lines
    assert (line.result, line.profit) == (Result.WON, 100_00)
    assert only(events, e.ShoeEnded).reason == About.of("shoe.last_round")


def test_5_7_1_as_first_card_in_a_high_limit_area_bets_may_be_withdrawn() -> None:
    play = called(GAME, automated=QUICK, high_limit=True)
    play.bet("ann", {"banker": 100_00, "tie": 50_00})
    play.bet("bob", {"player": 100_00})
    play.close()
    assert told(play, c.Withdraw("ann", 1, "tie"), "ann") == ("bets_closed", "5.6")
    play.do(c.CutCard(), DEALER)
    (withdrawn,) = play.do(c.Withdraw("ann", 1, "tie"), "ann")
    assert isinstance(withdrawn, e.WagerReduced)
    assert (withdrawn.amount, withdrawn.paragraph) == (50_00, "5.7.1")
    # the others' bets stay, and nobody may put more down
    assert told(play, place("bob", 2, tie=50), "bob") == ("bets_closed", "5.6")
    play.do(c.Withdraw("bob", 2, "player"), "bob")
    assert play.table.round is not None
    # with the last bet gone the round is concluded: no result, no void, and it was the last of the shoe
    events = play.do(c.Withdraw("ann", 1, "banker"), "ann")
    assert [type(event) for event in events] == [e.WagerReduced, e.RoundEnded, e.ShoeEnded]
    assert money_of(play, "ann") == money_of(play, "bob") == (10_000, 0)


def test_5_7_1_only_in_a_high_limit_area() -> None:
    play = called(GAME, automated=QUICK)
    play.bet("ann", {"banker": 100_00})
    play.close()
    play.do(c.CutCard(), DEALER)
    assert told(play, c.Withdraw("ann", 1, "banker"), "ann") == ("bets_closed", "5.6")


def test_5_7_2_not_after_a_card_is_dealt() -> None:
    play = called(GAME, automated=QUICK, high_limit=True)
    play.bet("ann", {"banker": 100_00})
    play.close()
    play.do(c.CutCard(), DEALER)
    play.do(c.Draw(parse_cards("8h")[0], Side.PLAYER, True), DEALER)
    assert told(play, c.Withdraw("ann", 1, "banker"), "ann") == ("bets_closed", "5.7.2")


def test_3_6_balance_of_a_box_is_what_others_may_take_up() -> None:
    at_table.check_maximum_of_a_box("tiger-buffalo", "3.6", "3.5")


def test_3_5_box_that_is_found_over_its_maximum() -> None:
    at_table.check_box_found_over_its_maximum("tiger-buffalo", "3.5")


def test_5_23_box_over_its_maximum_by_an_amendment() -> None:
    at_table.check_box_amended_over_its_maximum("tiger-buffalo", "5.23")


# --- 4.2.2: a private table without insurance

WAIVED = "sam: waive insurance ann\nexpect event insurance_waived 4.2.2\n"
SIX_AGAINST_FIVE = "call\nbet ann player 500\nclose\ndeal 6h 5c Kd Qs\n"


def test_4_2_2_player_of_a_private_table_asks_and_the_house_allows_it() -> None:
    lines = WAIVED + SIX_AGAINST_FIVE + "expect no offer\noffer insurance\nexpect refused no_insurance 4.2.2\n"
    played = holds("tiger-buffalo", lines, "private\nautomated offer settle confirm")
    event = next(event for entry in played.entries for event in entry.events if isinstance(event, e.InsuranceWaived))
    assert (event.person, event.by, event.offered, event.round) == ("ann", "sam", False, 1)
    assert played.table is not None
    sign = public(played.table, 0).sign
    assert (sign.insurance, bool(sign.notice), sign.notice_paragraph) == (False, True, "4.2.2")


def test_4_2_2_who_comes_later_accepts_it() -> None:
    lines = WAIVED + "sit dee 3\nexpect refused notice 4.2.2\nsit dee 3 accepts no insurance\n"
    holds("tiger-buffalo", lines + "expect event player_joined 4.2.2\n", "private")


def test_4_2_2_it_is_for_private_tables_and_between_rounds() -> None:
    holds("tiger-buffalo", "sam: waive insurance ann\nexpect refused no_insurance 4.2.2\n")
    lines = "dora: waive insurance ann\nexpect refused rank\nsam: resume insurance ann\n"
    lines += "expect refused no_insurance 4.2.2\ncall\nsam: waive insurance ann\nexpect refused round_open\n"
    holds("tiger-buffalo", lines, "private")


def test_4_2_2_offered_again_and_each_round_as_it_was_played() -> None:
    """No insurance was missed in a round that was played without (5.17.2), whatever is offered now."""
    lines = WAIVED + SIX_AGAINST_FIVE + "draw 5s banker turned\nannounce tie\nsam: resume insurance ann\n"
    lines += 'report insurance missed in round 1 "not asked"\nexpect refused no_insurance 4.2.2\n' + SIX_AGAINST_FIVE
    lines += "expect offer ann player 5 to 2\n"
    holds("tiger-buffalo", lines, "private\nautomated offer settle confirm")


def test_1_10_the_dealer_deals() -> None:
    at_table.check_the_dealer_deals(GAME, "1.10")


def test_1_19_pit_employees_deal_and_bet_for_players() -> None:
    at_table.check_pit_employees(GAME, "5.22")
