"""Calls, bets and chips found: the paragraph of each refusal, and the amounts just at a limit."""

from __future__ import annotations

from tests.rules.at_table import PLAYER_WINS, QUICK, called, current, find, only, place, stakes_of, table_of, told
from tests.table.build import DEALER, SHIFT, book_without, open_table

from puntobanco.cards import parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE
from puntobanco.table.rulings import SetStake
from puntobanco.table.settings import ELECTRONIC, BetLimits, Differential, Step

GAME = "tiger-buffalo"
ROUND, CALL, CLOSE, LIMITS = "1.27", "3.3", "3.8", "3.5"


def test_what_is_too_early_or_too_late_is_refused_under_its_paragraph() -> None:
    play = table_of(GAME)
    assert told(play, c.Close(), DEALER) == ("no_round", CALL)
    assert told(play, c.Withdraw("ann", 1, "player"), "ann") == ("no_round", CALL)
    assert told(play, c.Deal(parse_cards("9h")), DEALER) == ("no_round", CALL)
    play.call()
    assert told(play, c.Call(), DEALER) == ("round_open", ROUND)
    play.close()
    assert told(play, c.Close(), DEALER) == ("bets_closed", CLOSE)
    assert told(play, c.Call(), DEALER) == ("round_open", ROUND)


def test_a_late_bet_where_the_book_is_silent_is_refused_under_the_close() -> None:
    play = open_table(game=GAME, layout="A", positions=6, automated=ELECTRONIC)
    play.sit("ann", 1)
    play.shoe()
    play.call()
    assert play.table.round is not None
    play.now = play.table.round.until
    play.do(c.Place("ann", 1, {"player": 100_00}), "ann")  # at the last moment
    play.now += 1
    assert told(play, c.Place("ann", 1, {"player": 100_00}), "ann") == ("bets_closed", CLOSE)


def test_at_a_live_table_the_dealer_closes_and_no_clock() -> None:
    play = called(GAME)
    play.now = current(play).until + 60_000
    play.do(place("ann", 1, player=100), "ann")


def test_a_call_waits_for_the_boxes() -> None:
    play = called(GAME, automated=(Step.ANNOUNCE, Step.SETTLE))
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    play.deal(PLAYER_WINS)
    assert told(play, c.Call(), DEALER) == ("confirmations", ROUND)


def test_amounts_just_at_the_edge() -> None:
    play = called(GAME, limits=BetLimits(minimum=1, maximum=2_000_00, step=1))
    assert told(play, c.Place("ann", 1, {}), "ann")[0] == "bad_amount"
    assert told(play, c.Place("ann", 1, {"player": 0}), "ann")[0] == "bad_amount"
    assert told(play, c.Place("ann", 1, {"player": -1}), "ann")[0] == "bad_amount"
    play.do(c.Place("ann", 1, {"player": 3}), "ann")
    assert told(play, c.Withdraw("ann", 1, "player", 0), "ann")[0] == "bad_amount"
    assert told(play, c.Withdraw("ann", 1, "player", 4), "ann")[0] == "bad_amount"
    play.do(c.Withdraw("ann", 1, "player", 1), "ann")
    assert told(play, c.FindBet("ann", 1, "player", 0), DEALER)[0] == "bad_amount"
    play.do(c.FindBet("ann", 1, "player", 1), DEALER)
    assert current(play).wagers["ann", 1, "player"].stake == 3
    play.close()
    for amount in (0, -1):
        assert told(play, c.LateChips("bob", 2, "player", amount, "placed"), DEALER)[0] == "bad_amount"
    refused = only(play.do(c.LateChips("bob", 2, "player", 1, "placed"), DEALER), e.LateChipsRefused)
    assert refused.amount == 1
    assert told(play, c.LateChips("bob", 2, "player", 1, "withdrawn"), DEALER)[0] == "bad_amount"
    assert play.refused(c.LateChips("bob", 2, "player", 1, "withdrawn"), DEALER).fits == 0
    unknown = c.LateChips("ann", 1, "nonsense", 1, "placed")
    assert told(play, unknown, DEALER) == ("unknown_bet", play.table.layout.paragraph)


def test_who_withdraws_for_a_player_is_recorded_and_the_player_is_not() -> None:
    play = called(GAME)
    play.do(place("ann", 1, player=100), "ann")
    own = only(play.do(c.Withdraw("ann", 1, "player", 25_00), "ann"), e.WagerReduced)
    assert (own.by, own.paragraph, own.why) == ("", CLOSE, "withdrawn")
    staff = only(play.do(c.Withdraw("ann", 1, "player", 25_00), DEALER), e.WagerReduced)
    assert (staff.by, staff.paragraph) == (DEALER, CLOSE)


def test_who_stands_bets_behind_somebody_who_sits() -> None:
    play = called(GAME)
    assert told(play, place("ann", 3, player=100), "ann") == ("nobody_seated", "1.31")
    play.do(place("ann", 2, player=100), "ann")  # behind Bob
    play.do(place("cho", 1, player=100), "cho")
    play.do(c.Leave("bob"), "bob")
    assert told(play, place("ann", 2, player=100), "ann") == ("nobody_seated", "1.31")
    play.do(place("ann", 1, player=100), "ann")  # a box of one's own needs nobody else


def test_equal_bets_on_both_hands_need_no_room() -> None:
    play = called(GAME, differential=Differential(100_00))
    play.do(place("bob", 2, player=100), "bob")
    play.do(place("ann", 1, player=500, banker=500), "ann")
    assert stakes_of(play) == {("bob", "player"): 100, ("ann", "player"): 500, ("ann", "banker"): 500}


def test_limits_just_kept_and_just_missed() -> None:
    play = called(GAME)
    play.do(find("ann", 1, "player", 2_000), DEALER)
    play.do(find("bob", 2, "player", 25), DEALER)
    assert not play.table.flags
    play.do(c.FindBet("ann", 1, "player", 1), DEALER)
    (flag,) = play.table.flags
    assert flag[0] == "above_maximum"
    back = only(play.do(c.Close(), DEALER), e.WagerReduced)
    assert (back.amount, back.paragraph) == (1, LIMITS)


def test_over_the_maximum_found_late_counts_what_lay_there() -> None:
    play = called(GAME)
    play.do(place("ann", 1, player=1_000), "ann")
    play.close()
    for just_at_the_maximum in (find("bob", 2, "player", 2_000), find("ann", 1, "player", 1_000)):
        assert [type(event) for event in play.do(just_at_the_maximum, DEALER)] == [e.BetFound]
    opened = only(play.do(c.FindBet("ann", 1, "player", 1), DEALER), e.IncidentOpened)
    assert opened.family == "above_maximum"
    ruling = c.Propose(SetStake("ann", 1, "player", -1), opened.number, "read the chips again")
    assert told(play, ruling, SHIFT)[0] == "bad_amount"
    play.rule(SetStake("ann", 1, "player", 0), opened.number, "none of it", SHIFT)


def test_found_chips_cite_the_close_where_no_paragraph_is_about_them() -> None:
    play = called("super-six")
    found = only(play.do(find("ann", 1, "player", 100), DEALER), e.BetFound)
    assert found.paragraph == (play.table.irregularities.chips_decide.rule or play.table.procedures.close.rule) != ""


def test_cards_of_an_electronic_table_come_from_its_shoe() -> None:
    play = open_table(game=GAME, layout="A", positions=6, automated=ELECTRONIC)
    play.sit("ann", 1)
    play.shoe()
    play.call()
    play.do(c.Close(), HOUSE)
    assert told(play, c.Deal(parse_cards("9h")), DEALER) == ("cards", "3.10")


def test_pairs_of_small_limits() -> None:
    """The Differential leaves room to the unit, and what may be withdrawn leaves a bet that may stand."""
    play = called(GAME, differential=Differential(500_00), automated=QUICK)
    play.do(place("ann", 1, player=500), "ann")  # just all of it
    fits = play.refused(place("bob", 2, player=25), "bob").fits
    assert fits == 0
    assert play.refused(c.Withdraw("ann", 1, "player", 480_00), "ann").fits == 475_00
    play.do(c.Withdraw("ann", 1, "player", 475_00), "ann")  # just the minimum stays
    assert play.refused(c.Withdraw("ann", 1, "player", 5_00), "ann").fits == 0


def test_a_late_bet_is_refused_under_the_close_where_no_paragraph_is_about_it() -> None:
    for families, paragraph in (((), "5.6"), (("late_bet",), CLOSE)):
        play = open_table(book=book_without(*families))
        play.sit("ann", 1)
        play.shoe()
        play.call()
        assert only(play.do(c.Close(), DEALER), e.BetsClosed).paragraph == CLOSE
        assert told(play, place("ann", 1, player=100), "ann") == ("bets_closed", paragraph)


def test_a_unit_more_than_the_stack_has_come_in_from_the_floor() -> None:
    for stack, came in ((10_000_00, 0), (9_999_99, 1)):
        play = called(GAME, limits=BetLimits(minimum=1, maximum=None, step=1))
        if stack < 10_000_00:
            play.do(c.Tip("ann", 1), "ann")
        events = play.do(c.FindBet("ann", 1, "player", 10_000_00), DEALER)
        assert sum(event.amount for event in events if isinstance(event, e.MoneyMoved)) == came
        assert play.table.stack("ann") == 0
