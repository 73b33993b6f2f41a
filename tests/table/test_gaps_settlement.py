"""What the mutation score showed missing about results, settlement, voids, and stakes that stand."""

from __future__ import annotations

import pytest
from tests.rules.at_table import LAYOUTS, PLAYER_WINS, QUICK, TIE, called, find, only, place, stakes_of, table_of, told
from tests.table.build import DEALER, MANAGER, SHIFT, SUPERVISOR

from puntobanco.cards import parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.bets.pro_rata import pro_rata
from puntobanco.table.rulings import Reconstruct, VoidRound
from puntobanco.table.settings import Differential, Step

GAME = "tiger-buffalo"
WINNER, LEVEL = "3.16", "3.17"


@pytest.mark.parametrize(
    ("cards", "call", "paragraph", "called_wrong"),
    [
        (PLAYER_WINS, "player", WINNER, ""),
        (TIE, "tie", LEVEL, ""),
        (PLAYER_WINS, "banker", "5.20", "banker"),
        (TIE, "player", "5.20", "player"),
    ],
)
def test_a_result_is_announced_under_its_paragraph(cards: str, call: str, paragraph: str, called_wrong: str) -> None:
    play = called(GAME, automated=())
    play.close()
    play.deal(cards)
    announced = only(play.do(c.Announce(call), DEALER), e.ResultAnnounced)  # type: ignore[arg-type]
    assert announced.result == ("tie" if cards == TIE else "player")
    assert (announced.paragraph, announced.called) == (paragraph, called_wrong)


def test_a_wrong_call_where_the_book_is_silent_stands_under_the_result() -> None:
    play = called("super-six", automated=())
    play.close()
    play.deal(PLAYER_WINS)
    announced = only(play.do(c.Announce("banker"), DEALER), e.ResultAnnounced)
    assert (announced.paragraph, announced.called) == (play.table.cite("winner"), "banker")


def test_a_result_is_announced_once_and_after_the_last_card() -> None:
    play = called(GAME, automated=())
    assert told(play, c.Announce("player"), DEALER) == ("not_finished", "3.15")
    assert told(play, c.Settle(), DEALER) == ("not_finished", "3.15")
    play.close()
    play.deal("9h 8c Kd")
    assert told(play, c.Announce("player"), DEALER) == ("not_finished", "3.15")
    play.deal("Ks")
    assert told(play, c.Settle(), DEALER) == ("not_finished", WINNER)
    play.do(c.Announce("player"), DEALER)
    assert told(play, c.Announce("player"), DEALER)[0] == "already_there"
    play.do(c.Settle(), DEALER)
    assert told(play, c.Settle(), DEALER) == ("no_round", "1.27")
    assert told(play, c.Announce("player"), DEALER) == ("no_round", "1.27")


def test_a_second_announcement_is_refused_under_its_own_paragraph_where_there_is_one() -> None:
    play = called("dragon-tiger-commission", automated=())
    play.close()
    play.deal(PLAYER_WINS)
    play.do(c.Announce("player"), DEALER)
    assert play.table.cite("announcement")
    assert told(play, c.Announce("player"), DEALER) == ("already_there", play.table.cite("announcement"))


def test_between_announcing_and_settling_by_itself_there_are_all_mixtures() -> None:
    play = called(GAME, automated=(Step.ANNOUNCE,))
    play.close()
    play.deal(PLAYER_WINS)
    assert play.table.round is not None
    assert (play.table.round.announced, play.table.round.settled) == (True, False)
    play = called(GAME, automated=(Step.SETTLE,))  # what is not announced is not settled
    play.close()
    play.deal(PLAYER_WINS)
    assert play.table.round is not None
    assert (play.table.round.announced, play.table.round.settled) == (False, False)
    only(play.do(c.Announce("player"), DEALER), e.RoundSettled)


def test_no_result_while_a_ruling_is_due() -> None:
    play = called(GAME, automated=())
    play.close()
    play.deal(PLAYER_WINS)
    play.do(c.Report("dealing_error", "a card slid from hand to hand"))
    assert told(play, c.Announce("player"), DEALER) == ("flagged", "5.16")
    play.rule(Reconstruct(), 1, "in order", SUPERVISOR)
    play.do(c.Announce("player"), DEALER)
    play.do(c.Report("dealing_error", "another one"))
    assert told(play, c.Settle(), DEALER) == ("flagged", "5.16")


def test_confirmations_are_asked_for_under_the_round() -> None:
    play = called(GAME, automated=(Step.ANNOUNCE, Step.SETTLE))
    override = c.OverrideConfirmation("the reader is out")
    assert told(play, c.Confirm(1), DEALER) == ("confirmations", "1.27")
    assert told(play, override, MANAGER) == ("confirmations", "1.27")
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    assert told(play, override, MANAGER) == ("confirmations", "1.27")
    play.deal(PLAYER_WINS)
    assert told(play, c.OverrideConfirmation("  "), MANAGER)[0] == "bad_amount"
    play.do(override, MANAGER)
    assert told(play, override, MANAGER) == ("confirmations", "1.27")


def test_there_is_no_round_to_void_between_rounds_and_while_boxes_are_paid() -> None:
    void = c.Propose(VoidRound(), 0, "the lights went out")
    play = table_of(GAME, automated=(Step.ANNOUNCE, Step.SETTLE))
    assert told(play, void, SHIFT) == ("no_round", "5.21")
    play.call()
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    play.deal(PLAYER_WINS)
    assert told(play, void, SHIFT) == ("no_round", "5.21")


def test_a_closed_round_can_be_voided() -> None:
    play = called(GAME)
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    assert only(play.void("the lights went out"), e.RoundVoided).paragraph == "5.23"


def test_the_last_cards_of_a_shoe_make_a_round_if_they_suffice() -> None:
    play = table_of(GAME, automated=QUICK, decks=4)
    for _ in range(52):
        play.call()
        play.close()
        play.deal(PLAYER_WINS)
    assert play.table.shoe.drawn == play.table.shoe.size == 208
    assert not [event for event in play.events if isinstance(event, e.RoundVoided)]


def test_pro_rata_box_by_box_reaches_every_box_of_the_table() -> None:
    last = LAYOUTS[GAME][1]
    differential = Differential(500_00, "box")
    play = called(GAME, automated=QUICK, differential=differential)
    play.close()
    play.do(find("ann", last, "player", 600), DEALER)
    play.do(find("bob", 2, "player", 500), DEALER)  # just at the limit
    events = play.do(c.Deal(parse_cards(PLAYER_WINS)), DEALER)
    stand = only(events, e.StakesStand)
    assert [(cut.person, cut.box, cut.amount) for cut in stand.cuts] == [("ann", last, 100_00)]


def test_over_the_differential_in_the_last_box_is_rejected_at_the_close() -> None:
    last = LAYOUTS[GAME][1]
    play = called(GAME, differential=Differential(500_00, "box"))
    play.do(find("ann", last, "player", 505), DEALER)
    play.do(find("bob", 1, "banker", 500), DEALER)
    back = only(play.do(c.Close(), DEALER), e.WagerReduced)
    assert (back.person, back.box, back.amount) == ("ann", last, 5_00)
    assert stakes_of(play) == {("ann", "player"): 500, ("bob", "banker"): 500}


def test_a_unit_over_the_differential_is_over_it() -> None:
    play = called(GAME, differential=Differential(500_00))
    play.do(c.FindBet("ann", 1, "player", 500_01), DEALER)
    back = only(play.do(c.Close(), DEALER), e.WagerReduced)
    assert back.amount == 1


def test_a_bet_of_just_the_minimum_is_no_small_bet() -> None:
    play = called("dragon-tiger-commission", automated=QUICK)
    for _ in range(2):
        play.close()
        play.do(find("ann", 1, "player", 10), DEALER)
        play.deal(PLAYER_WINS)
        play.call()
    play.close()
    play.do(find("ann", 1, "player", 25), DEALER)
    events = play.do(c.Deal(parse_cards(PLAYER_WINS)), DEALER)
    assert [event for event in events if isinstance(event, e.StakesStand) and event.cuts] == []


def test_pro_rata_takes_no_share_from_what_has_no_rest() -> None:
    # the floors use up more than may stand: who shares the rest shares nothing
    assert pro_rata([100, 100], [100, 100], 50, floor=True) == [100, 100]
    assert pro_rata([100, 300], [100, 50], 100, floor=True) == [100, 50]
    assert pro_rata([100, 300], [100, 50], 100, floor=False) == [25, 75]
    assert pro_rata([10, 300], [50, 50], 5, floor=False) == [10, 0]
    assert pro_rata([100, 100], [50, 50], 100, floor=True) == [50, 50]  # just at the minimum
