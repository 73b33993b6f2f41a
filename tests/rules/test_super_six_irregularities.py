"""Super Six when something goes wrong, paragraph by paragraph: what voids a game, and what is put right.

Ann sits at box 1 with 100 on Player and 50 on Player Pair, Bob at box 2 with 200 on Banker and 25 on Super Six; Cho
has no bets. Each has chips for 10,000.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from tests.rules import at_table
from tests.rules.at_table import PLAYER_WINS, current, money_of, only, place, told
from tests.rules.histories import holds
from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, STAFF, SUPERVISOR, Play

from puntobanco.cards import Card, Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.settings import Differential
from puntobanco.table.state import Phase

GAME = "super-six"
P, B = Side.PLAYER, Side.BANKER
OTHER_DEALER = "dan"
RANKS = {OTHER_DEALER: "dealer", **{person: rank for person, rank in STAFF.items() if person != DEALER}}
"""Everybody who could approve what the dealer proposes, lowest first."""


def bets(play: Play) -> None:
    play.call()
    play.do(place("ann", 1, player=100, player_pair=50), "ann")
    play.do(place("bob", 2, banker=200, super_six=25), "bob")


def dealt(cards: str = "", **changes: Any) -> Play:
    """A game with bets, closed, and these cards on the table, open and in their places."""
    play = at_table.table_of(GAME, **changes)
    play.do(c.SignOn(OTHER_DEALER, "dealer"), MANAGER)
    bets(play)
    play.close()
    play.deal(cards)
    return play


def branch(play: Play) -> Play:
    """The same table once more, to go another way."""
    return Play(play.table, tuple(play.entries), play.now)


def draw(play: Play, card: str, hand: Side | None = None) -> tuple[e.Event, ...]:
    """The dealer draws a card, puts it there and turns it, due or not."""
    return play.do(c.Draw(Card(card), hand, turned=True))


def stacks(play: Play) -> tuple[int, int]:
    """Ann's and Bob's chips in hand, in whole currency units."""
    return play.table.stack("ann") // 100, play.table.stack("bob") // 100


def layout(play: Play) -> tuple[int, int]:
    return money_of(play, "ann")[1], money_of(play, "bob")[1]


def settled_as(play: Play, coup: str, money: tuple[int, int]) -> None:
    """The game is settled on these hands; Ann and Bob have that much then."""
    play.finish()
    assert [event for event in play.events if isinstance(event, e.RoundSettled)][-1].coup == coup
    assert (stacks(play), layout(play)) == (money, (0, 0))
    assert sum(play.table.balances.values()) == 0


def is_void(play: Play, events: tuple[e.Event, ...], paragraph: str) -> None:
    """The game has no result: all is back, and nothing waits any more."""
    assert only(events, e.RoundVoided).paragraph == paragraph
    assert (stacks(play), layout(play)) == ((10_000, 10_000), (0, 0))
    assert (play.table.round, play.table.incidents, play.table.results) == (None, {}, ())
    assert sum(play.table.balances.values()) == 0


def wrong_number(events: tuple[e.Event, ...], cards: Iterable[int]) -> int:
    """The number of the incident; play waits for a ruling under 5.1.2."""
    opened = only(events, e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.cards) == ("wrong_number", "5.1.2", tuple(cards))
    assert (opened.blocks, opened.covered) == (True, True)
    return opened.number


def approved(
    play: Play, ruling: r.AnyRuling, number: int, needs: str, paragraph: str, reason: str = ""
) -> tuple[e.Event, ...]:
    """Proposed by the dealer and approved by the lowest rank that may: not by the proposer, nor below it, nor twice."""
    able = [person for person, rank in RANKS.items() if play.table.book.ranks.at_least(rank, needs)]
    propose = c.Propose(ruling, number, reason)
    own = branch(play)
    proposed = only(own.do(propose, able[0]), e.RulingProposed)
    assert told(own, c.Approve(proposed.number), able[0])[0] == "second_person"  # whatever the rank
    proposed = only(play.do(propose), e.RulingProposed)
    assert (proposed.needs, proposed.paragraph) == (needs, paragraph)
    approval = c.Approve(proposed.number)
    assert told(play, approval, DEALER)[0] == "second_person"
    for person in (
        "ann",
        *(person for person, rank in RANKS.items() if not play.table.book.ranks.at_least(rank, needs)),
    ):
        assert told(play, approval, person)[0] == "rank"
    for person in able[1:]:
        assert only(branch(play).do(approval, person), e.RulingGiven).approved_by == person
    events = play.do(approval, able[0])
    assert only(events, e.RulingGiven).paragraph == paragraph
    assert told(play, approval, DIRECTOR)[0] == "unknown_request"  # once
    return events


# --- 5.1: what voids a game


def test_5_1_foreign_card_voids_the_game() -> None:
    play = dealt("Kh 5c Kd")  # the pair is decided, and goes back all the same
    is_void(play, play.do(c.ReportCards("foreign_card", "a joker")), "5.1.1")
    assert play.table.shoe.ended


def test_5_1_1_foreign_card_found_when_the_shoe_is_over() -> None:
    play = settled()
    play.do(c.EndShoe("done"), SUPERVISOR)
    assert play.do(c.ReportCards("foreign_card", "a joker")) == (e.CardsAtFault("foreign_card", "a joker", "5.1.1"),)
    assert stacks(play) == (9_850, 10_165)  # all previous games stand


def test_5_1_wrong_number_of_cards_voids_the_game() -> None:
    play = dealt("Kh 8c Kd Ks")
    number = wrong_number(draw(play, "4h", B), [5])
    is_void(play, play.rule(r.VoidRound(), number, "nobody knows the order", SUPERVISOR), "5.1.2")


def test_5_1_empty_shoe_voids_the_game() -> None:
    at_table.check_shoe_runs_out(GAME, shoe_empty="5.1.3")


def test_5_1_void_at_discretion() -> None:
    play = dealt("Kh 5c Kd")
    events = approved(play, r.VoidRound(), 0, "shift_manager", "", "a fire alarm")
    is_void(play, events, "5.1")
    assert set(only(events, e.RoundVoided).transfers) == {
        e.Transfer("layout:ann", "chips:ann", 150_00),
        e.Transfer("layout:bob", "chips:bob", 225_00),
    }


# --- 5.1.2: a wrong number of cards

EXCESS = [
    # cards dealt, card too many, hand, the hands as they should be, money
    (PLAYER_WINS, "4h", P, "P 9hKd B 8cKs", (10_050, 9_775)),
    (PLAYER_WINS, "4h", B, "P 9hKd B 8cKs", (10_050, 9_775)),
    (PLAYER_WINS, "4h", None, "P 9hKd B 8cKs", (10_050, 9_775)),
    ("7h 6c Kd Ks", "2h", B, "P 7hKd B 6cKs", (10_050, 9_775)),  # it would have made 8
    ("2h 6c Kd Ks 3h", "2s", B, "P 2hKd3h B 6cKs", (9_850, 10_000 + 190 + 375)),  # 6 stands against a 3
]


@pytest.mark.parametrize(("cards", "card", "hand", "coup", "money"), EXCESS)
def test_5_1_2_card_too_many_is_put_right(
    cards: str, card: str, hand: Side | None, coup: str, money: tuple[int, int]
) -> None:
    play = dealt(cards)
    due = len(cards.split())
    number = wrong_number(draw(play, card, hand), [due + 1])
    assert told(play, c.Settle(), DEALER) == ("flagged", "5.1.2")
    assert told(play, c.Call(), DEALER)[0] == "round_open"
    assert told(play, c.Propose(r.GiveOptions(), number, "as a courtesy"), DEALER) == ("ruling", "5.1.2")  # none here
    events = approved(play, r.Reconstruct(), number, "pit_supervisor", "5.1.2")
    arranged = only(events, e.CardsArranged)
    assert (arranged.how, arranged.paragraph, arranged.goes) == ("reconstructed", "5.1.2", "next_round")
    assert (arranged.order, len(arranged.hands)) == (tuple(range(1, due + 2)), due)
    assert not [event for event in events if isinstance(event, e.OptionsGiven)]
    assert told(play, c.TakeOption("ann", False), "ann")[0] == "no_options"
    settled_as(play, coup, money)


def test_5_1_2_what_is_left_over_opens_the_next_game() -> None:
    play = dealt(PLAYER_WINS)
    number = wrong_number(draw(play, "4h", B), [5])
    assert not [event for event in draw(play, "2c", B) if isinstance(event, e.IncidentOpened)]  # the same error
    play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    settled_as(play, "P 9hKd B 8cKs", (10_050, 9_775))
    assert play.table.phase is Phase.IDLE  # no Free Hand in this book
    bets(play)  # with bets
    assert current(play).cards == ()
    play.close()
    opening = [(drawn.card, drawn.hand) for drawn in current(play).cards]
    assert opening == [(Card("4h"), P), (Card("2c"), B)]
    play.deal("5d 7s")
    settled_as(play, "P 4h5d B 2c7s", (10_000, 9_750))  # a tie of 9: the side bets lose
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (8, 8)


def test_5_1_2_leftovers_of_the_last_game_are_discarded() -> None:
    play = dealt(PLAYER_WINS)
    play.do(c.CutCard())
    number = wrong_number(draw(play, "4h", P), [5])
    assert only(play.rule(r.Reconstruct(), number, by=SUPERVISOR), e.CardsArranged).goes == "discarded"
    settled_as(play, "P 9hKd B 8cKs", (10_050, 9_775))
    assert (play.table.shoe.ended, play.table.shoe.discards) == (True, 5)


@pytest.mark.parametrize("hand", [P, B])
def test_5_1_2_void_where_it_cannot_be_put_right(hand: Side) -> None:
    play = dealt("Kh 8c Kd Ks")  # a pair
    number = wrong_number(draw(play, "4h", hand), [5])
    assert told(play, c.Propose(r.VoidRound(), number), DEALER) == ("reason", "5.1.2")  # why?
    assert told(play, c.Propose(r.AsItLies(), number, "leave it"), DEALER) == ("cards", "5.1.2")
    events = approved(play, r.VoidRound(), number, "pit_supervisor", "5.1.2", "nobody knows the order")
    is_void(play, events, "5.1.2")
    assert (play.table.shoe.discards, play.table.carried) == (5, ())
    bets(play)


def settled() -> Play:
    """Banker won, 7 to 6, so far as anybody knows."""
    play = dealt("Kh 5c 6d 2s")
    settled_as(play, "P Kh6d B 5c2s", (9_850, 10_165))
    return play


TOO_FEW = c.ReportRound(1, parse_cards("Kh 5c 5d 2s"), "card 3 was a 5: Player had to draw")
TOO_MANY = c.ReportRound(1, parse_cards("Kh 5c 9d 2s 4h"), "card 3 was a 9, and a fifth card was out")


def test_5_1_2_missing_card_is_drawn_before_the_next_game() -> None:
    play = settled()
    number = only(play.do(TOO_FEW), e.IncidentOpened).number
    assert told(play, c.Call(), DEALER) == ("flagged", "5.1.2")
    events = approved(play, r.Rectify(), number, "pit_supervisor", "5.1.2")
    assert only(events, e.RoundReopened).paragraph == "5.1.2"
    assert stacks(play) == (9_850, 10_165)
    play.deal("4h")  # 9 against 7
    again = only(play.do(c.Announce("player")), e.RoundSettledAgain)
    assert again.coup == "P Kh5d4h B 5c2s"
    assert (stacks(play), play.table.balances["commission"]) == ((10_050, 9_775), 0)
    play.finish()
    assert [result.winner for result in play.table.results] == ["player"]


def test_5_1_2_card_too_many_of_a_settled_game() -> None:
    play = settled()
    opened = only(play.do(TOO_MANY), e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.blocks) == ("wrong_round", "5.1.2", True)
    events = approved(play, r.Rectify(), opened.number, "pit_supervisor", "5.1.2")
    again, anew = only(events, e.RoundSettledAgain), only(events, e.CardsTold)
    assert (again.coup, anew.left_over, anew.carried) == ("P Kh9d B 5c2s", (Card("4h"),), True)
    assert (stacks(play), play.table.balances["commission"]) == ((10_050, 9_775), 0)
    bets(play)
    play.close()
    assert [(drawn.card, drawn.hand) for drawn in current(play).cards] == [(Card("4h"), P)]


@pytest.mark.parametrize("wrong", [TOO_FEW, TOO_MANY])
def test_5_1_2_settled_game_that_cannot_be_put_right(wrong: c.ReportRound) -> None:
    play = settled()
    number = only(play.do(wrong), e.IncidentOpened).number
    events = approved(play, r.VoidRound(), number, "pit_supervisor", "5.1.2", "they are in the holder")
    again = only(events, e.RoundSettledAgain)
    assert (again.void, again.paragraph) == (True, "5.1.2")
    assert (stacks(play), play.table.results) == ((10_000, 10_000), ())
    assert play.table.balances["commission"] == 0
    out = len(wrong.cards)
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (out, out)


def test_5_1_2_not_once_the_next_game_has_commenced() -> None:
    play = settled()
    play.call()  # that is the commencement of play (3.1), although no card is out
    opened = only(play.do(TOO_FEW), e.IncidentOpened)
    assert (opened.family, opened.covered, opened.blocks) == ("late_discovery", False, False)
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    play.deal(PLAYER_WINS)
    settled_as(play, "P 9hKd B 8cKs", (9_950, 10_165))  # the game before stands
    lasting = branch(play)
    approved(lasting, r.LetStand(), opened.number, "shift_manager", "", "too late")
    assert (stacks(lasting), lasting.table.incidents) == ((9_950, 10_165), {})
    assert told(play, c.Propose(r.Rectify(), opened.number, "the camera"), DEALER)[0] == "cards"
    approved(play, r.VoidRound(), opened.number, "shift_manager", "", "the camera shows it")
    assert stacks(play) == (10_100, 10_000)


def test_5_1_2_missing_card_of_the_last_game_is_drawn() -> None:
    play = dealt()
    play.do(c.CutCard())
    play.deal("Kh 5c 6d 2s")
    settled_as(play, "P Kh6d B 5c2s", (9_850, 10_165))
    number = only(play.do(TOO_FEW), e.IncidentOpened).number
    approved(play, r.Rectify(), number, "pit_supervisor", "5.1.2")
    play.deal("4h")
    play.finish()
    assert stacks(play) == (10_050, 9_775)
    assert (play.table.shoe.ended, play.table.shoe.drawn, play.table.shoe.discards) == (True, 5, 5)


@pytest.mark.parametrize(("wrong", "ruling"), [(TOO_FEW, r.VoidRound()), (TOO_MANY, r.Rectify())])
def test_5_1_2_game_of_the_shoe_before(wrong: c.ReportRound, ruling: r.AnyRuling) -> None:
    play = settled()
    play.do(c.EndShoe("done"), SUPERVISOR)
    play.shoe()
    opened = only(play.do(wrong), e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.blocks) == ("wrong_round", "5.1.2", True)
    if wrong is TOO_FEW:  # the new shoe does not give what the old one lacks
        assert told(play, c.Propose(r.Rectify(), opened.number), DEALER) == ("cards", "5.1.2")
    approved(play, ruling, opened.number, "pit_supervisor", "5.1.2", "seen on camera")
    assert stacks(play) == ((10_000, 10_000) if wrong is TOO_FEW else (10_050, 9_775))
    assert (play.table.shoe.drawn, play.table.carried) == (0, ())


# --- 5.1.2: what else can happen to cards is nobody's paragraph

SILENT = [
    (c.Report("wrong_side", "cards 1 and 2 changed places", (1, 2)), r.Reconstruct()),
    (c.Report("simultaneous_in_order", "1 and 2 came together", (1, 2)), r.Reconstruct()),
    (c.Report("simultaneous", "1 and 2 came together", (1, 2)), r.DecideOrder((1, 2))),
    (c.Report("exposed_cards", "card 2 flashed", (2,)), r.Reconstruct()),
    (c.Report("dealing_error", "the dealer dropped the shoe"), r.Reconstruct()),
    (c.Report("damaged_card", "card 2 is torn", (2,)), r.ValueCard(2, Card("8c"))),
    (c.Report("shoe_fault", "it jammed"), r.PlayOn()),
    (c.Report("face_up_in_shoe", "the next card shows"), r.PlayOn()),
    (c.ReportInterruption("the lights went out", lost=True), r.PlayOn()),
    (c.ReportCards("unshuffled", "in order of suits"), r.PlayOn()),
    (c.ReportCards("wrong_card_set", "a king is missing"), r.PlayOn()),
]


@pytest.mark.parametrize(("report", "ruling"), SILENT)
def test_5_1_2_what_the_book_is_silent_about_goes_to_the_shift_manager(report: Any, ruling: r.AnyRuling) -> None:
    play = dealt("9h 8c")
    opened = only(play.do(report), e.IncidentOpened)
    assert (opened.paragraph, opened.covered, opened.blocks) == ("", False, True)
    assert told(play, c.Deal(parse_cards("Kd")), DEALER) == ("flagged", "")
    number = opened.number
    assert told(play, c.Propose(ruling, number), DEALER)[0] == "reason"  # why?
    void = branch(play)
    voided = approved(void, r.VoidRound(), number, "shift_manager", "", "to be fair")
    assert only(voided, e.RoundVoided).paragraph == "5.1"
    assert stacks(void) == (10_000, 10_000)
    events = approved(play, ruling, number, "shift_manager", "", "as it was")
    assert not [event for event in events if isinstance(event, e.OptionsGiven)]
    play.deal("Kd Ks")
    settled_as(play, "P 9hKd B 8cKs", (10_050, 9_775))


def test_5_1_2_order_waits_until_every_card_is_known() -> None:
    play = dealt("9h 8c")
    play.do(c.Report("damaged_card", "card 1 is torn", (1,)))
    play.do(c.Report("simultaneous", "1 and 2 came together", (1, 2)))
    assert told(play, c.Propose(r.DecideOrder((2, 1)), 2, "as seen"), DEALER)[0] == "flagged"
    play.rule(r.ValueCard(1, Card("7h")), 1, "half of it is there", SHIFT)
    play.rule(r.DecideOrder((2, 1)), 2, "as seen", SHIFT)
    play.deal("Kd Ks")
    settled_as(play, "P 8cKd B 7hKs", (10_050, 9_775))


def test_5_1_2_first_card_at_the_wrong_hand() -> None:
    play = dealt()
    opened = only(draw(play, "9h", B), e.IncidentOpened)
    assert (opened.family, opened.covered) == ("wrong_side", False)  # two cards each are no wrong number
    play.rule(r.Reconstruct(), opened.number, "swap them", SHIFT)
    play.deal("8c Kd Ks")
    settled_as(play, "P 9hKd B 8cKs", (10_050, 9_775))


# --- the paragraph that is cited


def test_5_1_2_three_of_the_first_four_at_one_hand() -> None:
    lines = "call\nbet ann player 100\nclose\ndraw 9h player turned\ndraw 8c banker turned\ndraw Kd player turned\n"
    holds("super-six", lines + "draw 5s player turned\nexpect incident 1 wrong_number 5.1.2\n")


def test_5_1_2_cards_at_the_wrong_hand_are_a_wrong_number_once_a_hand_has_one() -> None:
    """The second lay wrongly before the third made three at Player: one matter, and it is the Pit Supervisor's."""
    drawn = "call\nbet ann player 100\nclose\ndraw 9h player turned\ndraw 8c player turned\n"
    drawn += "expect incident 1 wrong_side\ndraw Kd player turned\nexpect incident 2 wrong_number 5.1.2\n"
    void = 'rule void on 2 "nobody knows the order"\nexpect proposal 1 void pit supervisor\n'
    holds("super-six", drawn + "expect rulings on 2 reconstruct void\n" + void)
    put_right = "rule reconstruct on 2\napprove 1\nexpect hand player 9h Kd\nexpect no incidents\nannounce player\n"
    holds("super-six", drawn + "draw Ks banker turned\n" + put_right + "expect won ann player 100\n")


def test_5_1_2_swapped_cards_and_one_too_many() -> None:
    lines = "call\nbet ann player 100\nclose\ndraw 9h banker turned\ndraw 8c player turned\ndraw Kd player turned\n"
    lines += "draw Ks banker turned\ndraw 5h player turned\nexpect incident 3 wrong_number 5.1.2\n"
    lines += "rule reconstruct on 3\nexpect proposal 1 reconstruct pit supervisor\napprove 1\nexpect no incidents\n"
    holds("super-six", lines + "announce player\nexpect won ann player 100\nexpect carried 5h\n")


def test_5_1_2_third_card_at_the_other_hand() -> None:
    lines = "call\nbet ann player 100\nclose\ndeal 2h 3c Kd Qs\ndraw 8d banker turned\n"
    lines += "expect incident 1 wrong_number 5.1.2\n"
    holds("super-six", lines + "expect rulings on 1 reconstruct void\n")


def test_3_2_bet_found_within_all_limits() -> None:
    lines = "call\nclose\nfind bet ann tie 100\ndeal 9h 8c Kd Ks\nannounce player\nexpect event stakes_stand 3.2\n"
    holds("super-six", lines)


def test_3_2_what_is_over_a_house_limit_stands_and_is_said_to_stand() -> None:
    """The book has no limit paragraphs (reading L): nothing is put right at the close."""
    play = at_table.called(GAME, differential=Differential(1_000_00))
    play.do(c.FindBet("cho", 1, "banker", 5_000_00))
    cleared = only(play.do(c.Close()), e.FlagCleared)
    assert cleared == e.FlagCleared("over_differential", About.of("table"), stands=True)
    assert money_of(play, "cho") == (5_000, 5_000)
