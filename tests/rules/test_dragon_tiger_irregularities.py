"""Dragon Tiger when something goes wrong, paragraph by paragraph: Free Hands, cards put right, the burn, disputes.

Ann sits at box 1 with 100 on Player and 25 on the tie, Bob at box 2 with 200 on Banker; Cho stands behind box 1 and
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
from tests.table.run_down import run_down

from puntobanco.cards import Card, Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.cards.conservation import misplaced
from puntobanco.table.commands import HOUSE
from puntobanco.table.settings import ELECTRONIC, Differential, Step
from puntobanco.table.state import Phase

GAMES = ("dragon-tiger-commission", "dragon-tiger-non-commission")
GAME = GAMES[0]
both_games = pytest.mark.parametrize("game", GAMES)
BANKER_PROFIT = {GAMES[0]: 190, GAMES[1]: 200}
"""What Bob's 200 on Banker win, other than on 6 points."""

P, B = Side.PLAYER, Side.BANKER
OTHER_DEALER = "dan"
RANKS = {OTHER_DEALER: "dealer", **{person: rank for person, rank in STAFF.items() if person != DEALER}}
"""Everybody who could approve what the dealer proposes, lowest first."""
STAKES = {"ann": 125, "bob": 200}


# --- a round in which something goes wrong


def table_of(game: str = GAME, **changes: Any) -> Play:
    play = at_table.table_of(game, **changes)
    play.do(c.SignOn(OTHER_DEALER, "dealer"), MANAGER)
    return play


def bets(play: Play) -> None:
    """Bets are called for, and Ann and Bob place theirs."""
    play.call()
    play.do(place("ann", 1, player=100, tie=25), "ann")
    play.do(place("bob", 2, banker=200), "bob")


def dealt(game: str = GAME, cards: str = "", **changes: Any) -> Play:
    """A round with bets, closed, and these cards on the table, open and in their places."""
    play = table_of(game, **changes)
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
    """Ann's and Bob's chips on the layout, in whole currency units."""
    return money_of(play, "ann")[1], money_of(play, "bob")[1]


def hands_of(play: Play) -> str:
    return str(current(play).coup)


def settled_as(play: Play, coup: str, money: tuple[int, int]) -> None:
    """The round is called and settled on these hands; Ann and Bob have that much then."""
    play.finish()
    settled = [event for event in play.events if isinstance(event, e.RoundSettled)][-1]
    assert settled.coup == coup
    assert (stacks(play), layout(play)) == (money, (0, 0))
    assert sum(play.table.balances.values()) == 0


def is_void(play: Play, events: tuple[e.Event, ...], paragraph: str) -> None:
    """The round is over without a result: all is back, and nothing waits any more."""
    assert only(events, e.RoundVoided).paragraph == paragraph
    assert (stacks(play), layout(play)) == ((10_000, 10_000), (0, 0))
    assert (play.table.round, play.table.incidents, play.table.results) == (None, {}, ())


def incident(events: tuple[e.Event, ...], family: str, paragraph: str, cards: Iterable[int] = ()) -> int:
    """The number of the one incident that was opened: of that family, under that paragraph, and play waits."""
    opened = only(events, e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.cards) == (family, paragraph, tuple(cards))
    assert opened.blocks
    return opened.number


def waits(play: Play, paragraph: str) -> None:
    """Neither card nor result comes before the ruling."""
    assert told(play, c.Deal(parse_cards("2c")), DEALER) == ("flagged", paragraph)
    if current(play).finished:
        assert told(play, c.Settle(), DEALER) == ("flagged", paragraph)


def approved(
    play: Play, ruling: r.AnyRuling, number: int, needs: str, paragraph: str, reason: str = ""
) -> tuple[e.Event, ...]:
    """Proposed by the dealer and approved by the lowest rank that may: not by the proposer, nor below it, nor twice."""
    propose = c.Propose(ruling, number, reason)
    able = [person for person, rank in RANKS.items() if play.table.book.ranks.at_least(rank, needs)]
    assert told(play, propose, "ann")[0] == "rank"
    own = branch(play)
    proposed = only(own.do(propose, able[0]), e.RulingProposed)
    assert told(own, c.Approve(proposed.number), able[0])[0] == "second_person"  # whatever the rank
    before = play.table
    proposed = only(play.do(propose), e.RulingProposed)
    assert (proposed.needs, proposed.paragraph, proposed.by) == (needs, paragraph, DEALER)
    assert (play.table.balances, play.table.round) == (before.balances, before.round)  # nothing happens before
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
    given = only(events, e.RulingGiven)
    assert (given.ruling, given.incident, given.paragraph, given.reason) == (ruling, number, paragraph, reason)
    assert (given.by, given.approved_by) == (DEALER, able[0])
    for person in (able[0], DIRECTOR):
        assert told(play, approval, person)[0] == "unknown_request"  # once
    return events


def reconstructed(
    play: Play, number: int, paragraph: str, order: Iterable[int], hands: Iterable[Side], goes: str = ""
) -> tuple[e.Event, ...]:
    """The House puts the cards back in their order: they lie so now, and nobody is offered anything."""
    events = approved(play, r.Reconstruct(), number, "pit_supervisor", paragraph)
    arranged = only(events, e.CardsArranged)
    assert (arranged.how, arranged.paragraph, arranged.goes) == ("reconstructed", paragraph, goes)
    assert (arranged.order, arranged.hands) == (tuple(order), tuple(hands))
    assert not [event for event in events if isinstance(event, e.OptionsGiven)]
    assert play.table.incidents == {}
    return events


def allowed(play: Play, number: int, given: str, go_on: str, take_back: str) -> tuple[e.Event, ...]:
    """The Shift Manager lets Ann and Bob take their wagers back, and everything waits for their answers."""
    assert told(play, c.TakeOption("bob", False), "bob")[0] == "no_options"  # not before
    assert told(play, c.Propose(r.GiveOptions(), number), DEALER) == ("reason", given)  # why?
    events = approved(play, r.GiveOptions(), number, "shift_manager", given, "as a courtesy")
    options = only(events, e.OptionsGiven)
    assert (options.people, options.paragraph) == (("ann", "bob"), given)
    assert (options.go_on, options.take_back) == (go_on, take_back)
    assert told(play, c.Propose(r.GiveOptions(), number, "again"), DEALER)[0] == "no_options"
    if number in play.table.incidents:
        assert told(play, c.Propose(r.Reconstruct(), number), DEALER) == ("flagged", go_on)  # answers come first
    return events


def answers_differ(play: Play, go_on: str, take_back: str) -> None:
    """Ann goes on, and Bob takes everything back; each decides alone, once, and for good."""
    assert told(play, c.TakeOption("bob", False), "ann")[0] == "not_yours"
    assert told(play, c.TakeOption("cho", False), "cho")[0] == "no_options"  # she has no bets
    taken = only(play.do(c.TakeOption("ann", True), "ann"), e.OptionTaken)
    assert (taken.goes_on, taken.paragraph, taken.transfers) == (True, go_on, ())
    assert told(play, c.TakeOption("ann", False), "ann")[0] == "no_options"
    taken = only(play.do(c.TakeOption("bob", False), DEALER), e.OptionTaken)  # recorded by staff
    assert (taken.goes_on, taken.paragraph, taken.by) == (False, take_back, DEALER)
    assert taken.transfers == (e.Transfer("layout:bob", "chips:bob", 200_00),)
    assert (stacks(play), layout(play)) == ((9_875, 10_000), (125, 0))
    assert current(play).options is None


def everybody(play: Play, *, goes_on: bool) -> tuple[e.Event, ...]:
    play.do(c.TakeOption("ann", goes_on), "ann")
    return play.do(c.TakeOption("bob", goes_on), "bob")


# --- Free Hands


def free_hand(play: Play, number: int, cards: str, hands: Iterable[Side], paragraph: str = "7.8") -> None:
    """A Free Hand is on: these cards opened it, and there is nothing on the layout."""
    called = [event for event in play.events if isinstance(event, e.FreeHandCalled)][-1]
    assert (called.number, called.paragraph) == (number, paragraph)
    now = current(play)
    assert (now.number, now.free, now.closed, now.wagers) == (number, True, True, {})
    assert [(drawn.card, drawn.hand) for drawn in now.cards] == list(zip(parse_cards(cards), hands, strict=True))
    assert layout(play) == (0, 0)


def played_free(play: Play, rest: str, coup: str) -> None:
    """It is played out by the Table of Play, and no money moves."""
    before = play.table.balances
    rounds = play.table.shoe.rounds
    play.deal(rest)
    winner = current(play).coup.winner
    play.do(c.Announce(winner.value if winner else "tie"))
    settled = [event for event in play.events if isinstance(event, e.RoundSettled)][-1]
    assert (settled.coup, settled.lines, settled.transfers) == (coup, (), ())
    assert play.table.balances == before
    assert play.table.shoe.rounds == rounds + 1  # a round of the shoe
    assert play.table.results[-1].free_hand


def no_free_hand(events: Iterable[e.Event]) -> bool:
    return not any(isinstance(event, e.FreeHandCalled) for event in events)


@both_games
def test_2_2_8_free_hand_is_a_round_without_wagers(game: str) -> None:
    play = table_of(game)
    draw(play, "4h")
    free_hand(play, 1, "4h", [P])
    before = play.table.balances
    assert told(play, place("ann", 1, player=100), "ann")[0] == "bets_closed"
    assert told(play, place("ann", 1, tie=25), DEALER)[0] == "bets_closed"
    assert told(play, c.Close(), DEALER)[0] == "bets_closed"
    assert told(play, c.Call(), DEALER) == ("round_open", "2.2.15")  # it is a round
    for found in (at_table.find("ann", 1, "player", 100), c.LateChips("bob", 2, "tie", 50_00, "placed")):
        refused = only(play.do(found), e.LateChipsRefused)  # chips that lie there all the same go back
        assert (refused.what, refused.paragraph) == ("placed", "7.8")
    wrong = r.CorrectBet("ann", 1, "player", 100_00)
    assert told(play, c.Propose(wrong, 0, "it lay there"), DEALER) == ("no_wager", "7.8")
    assert (play.table.balances, current(play).wagers) == (before, {})
    played_free(play, "9c 4d Ks", "P 4h4d B 9cKs")
    assert (play.table.rounds, play.table.shoe.rounds, play.table.shoe.discards) == (1, 1, 4)
    assert [(result.winner, result.free_hand) for result in play.table.results] == [("banker", True)]
    bets(play)  # and with wagers again
    assert (current(play).number, current(play).free, layout(play)) == (2, False, (125, 200))
    play.close()
    play.deal(PLAYER_WINS)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    assert [result.free_hand for result in play.table.results] == [True, False]


@both_games
def test_2_2_15_round_is_over_when_all_is_settled(game: str) -> None:
    at_table.check_round(game, round="2.2.15")


def settled_tie(game: str = GAME) -> Play:
    """A round that came out as a tie of 7 on six cards: Ann won 200 on it and Bob has his 200 back."""
    play = dealt(game, "2h 3c Kd Qs 5h 4h")
    settled_as(play, "P 2hKd5h B 3cQs4h", (10_200, 10_000))
    return play


TWO_TOO_MANY = c.ReportRound(1, parse_cards("2h 8c Kd Qs 5h 4h"), "card 2 was an 8")
"""Banker had a natural: the fifth and the sixth card were not due."""


@both_games
@pytest.mark.parametrize("closed", [False, True])
def test_2_2_15_until_the_first_card_the_round_before_is_put_right_in_time(game: str, closed: bool) -> None:
    play = settled_tie(game)
    bets(play)  # called for, but not begun
    if closed:
        play.close()
    number = incident(play.do(TWO_TOO_MANY), "wrong_round", "7.6")
    assert told(play, TWO_TOO_MANY, DEALER)[0] == "already_there"
    assert (stacks(play), layout(play)) == ((10_200 - 125, 9_800), (125, 200))
    events = approved(play, r.Rectify(), number, "pit_supervisor", "7.6")
    again = only(events, e.RoundSettledAgain)
    assert (again.number, again.coup, again.void) == (1, "P 2hKd B 8cQs", False)
    anew = only(events, e.CardsTold)
    assert (anew.left_over, anew.carried) == (parse_cards("5h 4h"), True)
    # Ann lost 125 and had won 200; the wagers of round 2, which is a Free Hand now, are back
    assert (stacks(play), layout(play)) == ((9_875, 10_000 + BANKER_PROFIT[game]), (0, 0))
    assert set(only(events, e.FreeHandCalled).transfers) == {
        e.Transfer("layout:ann", "chips:ann", 125_00),
        e.Transfer("layout:bob", "chips:bob", 200_00),
    }
    free_hand(play, 2, "5h 4h", [P, B])
    assert [result.winner for result in play.table.results] == ["banker"]
    played_free(play, "4d 2s", "P 5h4d B 4h2s")
    assert sum(play.table.balances.values()) == 0
    assert (play.table.rounds, play.table.shoe.drawn, play.table.shoe.discards) == (2, 8, 8)


@both_games
def test_2_2_15_with_the_first_card_it_is_too_late(game: str) -> None:
    play = settled_tie(game)
    bets(play)
    play.close()
    play.deal("9h")
    opened = only(play.do(TWO_TOO_MANY), e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.round) == ("late_discovery", "7.20", 1)
    assert (opened.covered, opened.blocks) == (False, False)  # the book is silent; play goes on
    play.deal("8c Kd Ks")
    settled_as(play, "P 9hKd B 8cKs", (10_275, 9_800))
    number = opened.number
    assert told(play, c.Propose(r.Rectify(), number), DEALER) == ("reason", "7.20")  # why?
    events = approved(play, r.Rectify(), number, "assistant_director", "7.20", "the camera shows it")
    again = only(events, e.RoundSettledAgain)
    anew = only(events, e.CardsTold)
    assert (again.number, anew.left_over, anew.carried) == (1, parse_cards("5h 4h"), False)  # discarded
    assert stacks(play) == (10_275 - 325, 9_800 + BANKER_PROFIT[game])
    assert no_free_hand(events)
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (10, 10)


@pytest.mark.parametrize("called", [False, True])
def test_2_2_15_missing_card_is_drawn_before_the_next_round_begins(called: bool) -> None:
    play = dealt(GAME, "Kh 5c 6d 2s")  # 6 against 7
    settled_as(play, "P Kh6d B 5c2s", (9_875, 10_190))
    if called:
        play.do(c.CutCard())
        bets(play)
        assert play.table.shoe.rounds_left == 0
    wrong = c.ReportRound(1, parse_cards("Kh 5c 5d 2s"), "card 3 was a 5")
    number = incident(play.do(wrong), "wrong_round", "4.14")
    assert told(play, c.Call(), DEALER)[0] == ("round_open" if called else "flagged")
    events = approved(play, r.Rectify(), number, "pit_supervisor", "4.14")
    assert only(events, e.RoundReopened).number == 1
    assert (stacks(play), layout(play)) == ((9_875, 10_190), (0, 0))  # nothing of round 1 moves before the card
    if called:
        off = only(events, e.RoundVoided)  # the hand that had not begun: its bets are back
        assert (off.number, off.paragraph, len(off.transfers)) == (2, "2.2.15", 2)
    refused = only(play.do(at_table.find("ann", 1, "player", 100)), e.LateChipsRefused)  # it was settled before
    assert (refused.what, refused.paragraph, layout(play)) == ("placed", "4.6", (0, 0))
    play.deal("4h")  # 9 against 7
    again = only(play.do(c.Announce("player")), e.RoundSettledAgain)
    assert (again.coup, again.void) == ("P Kh5d4h B 5c2s", False)
    assert (stacks(play), play.table.balances["commission"]) == ((10_075, 9_800), 0)
    play.finish()
    assert [result.winner for result in play.table.results] == ["player"]
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (5, 5)
    incident(branch(play).do(c.ReportRound(1, parse_cards("Kh 5c 5d 2s 3h"), "no, a 3")), "wrong_round", "7.16")
    bets(play)  # the last hand of the shoe is still to come
    incident(branch(play).do(c.ReportRound(1, parse_cards("Kh 5c 5d 2s 3h"), "no, a 3")), "wrong_round", "7.16")
    play.close()
    play.deal(PLAYER_WINS)
    settled_as(play, "P 9hKd B 8cKs", (10_150, 9_600))
    assert play.table.shoe.ended is called


def test_2_2_15_boxes_left_to_pay_stay_so_when_a_lacking_card_is_drawn() -> None:
    """Ann was paid; the card that lacked changes nothing for anybody, and Bob is still to be paid."""
    play = dealt(GAME, automated=(Step.SETTLE,))
    play.deal("2h 6c 4d Ks")
    play.do(c.Announce("tie"))
    assert current(play).unconfirmed == {1, 2}
    play.do(c.Confirm(1))
    wrong = c.ReportRound(1, parse_cards("2h 6c 3d Ks"), "card 3 was a 3: Player had to draw")
    number = incident(play.do(wrong), "wrong_round", "4.14")
    approved(play, r.Rectify(), number, "pit_supervisor", "4.14")
    assert isinstance(Play(play.table, ()).do(c.Confirm(2))[0], e.Noted)  # first the card
    play.deal("Ah")  # 6 against 6 again
    only(play.do(c.Announce("tie")), e.RoundSettledAgain)
    assert current(play).unconfirmed == {2}
    play.do(c.Confirm(2))
    assert play.table.phase is Phase.IDLE


def test_2_2_15_leftovers_before_the_last_hand() -> None:
    play = settled_tie()
    play.do(c.CutCard())
    bets(play)  # the last hand, not begun
    events = play.rule(r.Rectify(), only(play.do(TWO_TOO_MANY), e.IncidentOpened).number, by=SUPERVISOR)
    assert only(events, e.FreeHandCalled).paragraph == "7.8.1"
    free_hand(play, 2, "5h 4h", [P, B], "7.8.1")
    played_free(play, "4d 2s", "P 5h4d B 4h2s")
    assert play.table.shoe.ended


# --- 7.3: what cannot be put right


@both_games
def test_7_3_hand_that_cannot_be_reconstructed_is_void(game: str) -> None:
    play = dealt(game)
    number = incident(draw(play, "9h", B), "wrong_side", "7.9", [1])
    draw(play, "8c", P)
    waits(play, "7.9")
    assert told(play, c.Propose(r.VoidRound(), number), DEALER) == ("reason", "7.3")  # why?
    events = approved(play, r.VoidRound(), number, "pit_supervisor", "7.3", "they were mixed")
    is_void(play, events, "7.3")
    assert only(events, e.RoundVoided).reason == "they were mixed"
    assert not [event for event in events if isinstance(event, e.OptionsGiven)]
    assert play.table.shoe.discards == 2
    play.call()


MISDEALS = [
    # cards dealt, the card too many and where it lies, family
    (PLAYER_WINS, "4h", P, "third_to_player", "7.6"),
    (PLAYER_WINS, "4h", B, "third_to_banker", "7.7"),
    (PLAYER_WINS, "4h", None, "exposed_cards", "7.5"),
    ("2h 3c Kd Qs", "5h", B, "wrong_side", "7.9"),
]


@pytest.mark.parametrize(("cards", "card", "hand", "family", "paragraph"), MISDEALS)
def test_7_3_void_whatever_the_misdeal(cards: str, card: str, hand: Side | None, family: str, paragraph: str) -> None:
    play = dealt(GAME, cards)
    number = incident(draw(play, card, hand), family, paragraph, [5])
    events = play.rule(r.VoidRound(), number, "nobody knows the order", SUPERVISOR)
    is_void(play, events, "7.3")  # Ann's tie, too, that has lost already
    assert (play.table.carried, play.table.shoe.discards) == ((), 5)
    assert no_free_hand(events)


def test_7_3_hands_are_never_taken_as_they_lie() -> None:
    play = dealt(GAME)
    number = incident(draw(play, "9h", B), "wrong_side", "7.9", [1])
    draw(play, "8c", P)
    draw(play, "Kd", P)
    draw(play, "Ks", B)  # two cards each, in the wrong hands
    assert told(play, c.Propose(r.AsItLies(), number, "leave it"), DEALER) == ("ruling", "7.9")
    is_void(play, play.rule(r.VoidRound(), number, "nobody knows the order", SUPERVISOR), "7.3")


@both_games
@pytest.mark.parametrize("wrong", [TWO_TOO_MANY, c.ReportRound(1, parse_cards("2h 3c Kd Qs"), "no third cards")])
def test_7_3_settled_round_that_cannot_be_put_right_is_void(game: str, wrong: c.ReportRound) -> None:
    play = settled_tie(game)
    number = only(play.do(wrong), e.IncidentOpened).number
    events = approved(play, r.VoidRound(), number, "pit_supervisor", "7.3", "they are in the holder")
    again = only(events, e.RoundSettledAgain)
    assert (again.number, again.void, again.paragraph) == (1, True, "7.3")
    assert again.transfers == (e.Transfer("chips:ann", "tray", 200_00),)
    assert (stacks(play), play.table.results) == ((10_000, 10_000), ())
    assert sum(play.table.balances.values()) == 0


def test_7_3_more_cards_than_the_shoe_held() -> None:
    play = dealt(GAME, "2h 3c Kd Qs 5h 4h", decks=1)
    play.finish()
    run_down(play, 4)
    number = only(
        play.do(c.ReportRound(play.table.rounds, parse_cards("9h 8c Kd Ks" * 3), "twelve")), e.IncidentOpened
    ).number
    assert told(play, c.Propose(r.Rectify(), number), DEALER) == ("cards", "7.1")
    again = only(play.rule(r.VoidRound(), number, "it cannot be", SUPERVISOR), e.RoundSettledAgain)
    assert (again.void, again.paragraph) == (True, "7.3")


# --- 7.4, 7.5: cards seen too early


@both_games
@pytest.mark.parametrize("out", [1, 3, 4, 5])
def test_7_4_face_up_in_the_shoe_is_played_as_if_face_down(game: str, out: int) -> None:
    cards = ["2h", "3c", "Kd", "Qs", "6h", "2c"]  # 8 against 5
    play = dealt(game, " ".join(cards[:out]))
    number = incident(play.do(c.Report("face_up_in_shoe", "the next card shows")), "face_up_in_shoe", "7.4")
    waits(play, "7.4")
    for ruling in (r.VoidRound(), r.GiveOptions(), r.Reconstruct()):
        assert told(play, c.Propose(ruling, number, "seen"), DEALER) == ("ruling", "7.4")
    events = play.rule(r.PlayOn(), number)  # nothing to judge: the dealer goes on
    assert [type(event) for event in events] == [e.RulingGiven, e.IncidentClosed]
    assert only(events, e.RulingGiven).paragraph == "7.4"
    assert told(play, c.TakeOption("ann", False), "ann")[0] == "no_options"
    play.deal(" ".join(cards[out:]))
    settled_as(play, "P 2hKd6h B 3cQs2c", (10_075, 9_800))
    assert no_free_hand(play.events)


@both_games
def test_7_5_disclosed_between_rounds(game: str) -> None:
    play = dealt(game, PLAYER_WINS)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    events = draw(play, "4h")
    drawn = only(events, e.EarlyCardDrawn)
    assert (drawn.card, drawn.paragraph) == (Card("4h"), "7.5")
    free_hand(play, 2, "4h", [P])
    played_free(play, "9c 4d Ks", "P 4h4d B 9cKs")
    assert stacks(play) == (10_075, 9_800)
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (8, 8)


@both_games
def test_7_5_disclosed_while_bets_are_taken(game: str) -> None:
    play = table_of(game)
    bets(play)
    events = draw(play, "4h")
    assert only(events, e.EarlyCardDrawn).paragraph == "7.5"
    off = only(events, e.FreeHandCalled)
    assert set(off.transfers) == {
        e.Transfer("layout:ann", "chips:ann", 125_00),
        e.Transfer("layout:bob", "chips:bob", 200_00),
    }
    free_hand(play, 1, "4h", [P])  # the hand that was called for
    assert stacks(play) == (10_000, 10_000)
    assert not [event for event in events if isinstance(event, e.RoundVoided)]
    played_free(play, "9c 4d Ks", "P 4h4d B 9cKs")
    bets(play)
    assert (current(play).number, current(play).free) == (2, False)


@both_games
def test_7_5_found_face_up_before_the_first_card(game: str) -> None:
    play = dealt(game)
    events = play.do(c.Report("face_up_in_shoe", "the first card shows"))
    assert only(events, e.Noted).paragraph == "7.5"
    assert len(only(events, e.FreeHandCalled).transfers) == 2
    free_hand(play, 1, "", [])
    assert (stacks(play), play.table.incidents) == ((10_000, 10_000), {})
    played_free(play, "4h 9c 4d Ks", "P 4h4d B 9cKs")  # it is the first card


def test_7_5_disclosed_while_boxes_are_paid() -> None:
    play = dealt(GAME, PLAYER_WINS)
    play.do(c.Announce("player"))
    assert play.table.phase is Phase.PAYING
    assert only(draw(play, "4h"), e.EarlyCardDrawn).paragraph == "7.5"
    assert current(play).number == 1
    play.do(c.Confirm(1))
    play.do(c.Confirm(2))
    assert stacks(play) == (10_075, 9_800)  # what was settled stands
    free_hand(play, 2, "4h", [P])


@both_games
def test_7_5_disclosed_after_the_last_card_of_a_hand(game: str) -> None:
    play = dealt(game, PLAYER_WINS)
    number = incident(draw(play, "4h"), "exposed_cards", "7.5", [5])  # at neither hand
    waits(play, "7.5")
    arranged = only(play.rule(r.Reconstruct(), number), e.CardsArranged)
    assert (arranged.order, arranged.hands, arranged.goes) == ((1, 2, 3, 4, 5), (P, B, P, B), "free_hand")
    assert arranged.paragraph == "7.5"
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    free_hand(play, 2, "4h", [P])


def test_7_5_what_was_noted_of_the_bets_goes_with_them() -> None:
    play = table_of()
    play.call()
    flagged = only(play.do(at_table.find("ann", 1, "player", 10)), e.Flagged)
    assert flagged.flag == "below_minimum"
    draw(play, "4h")
    draw(play, "9c", B)  # another one slipped out: it is the second card
    free_hand(play, 1, "4h 9c", [P, B])
    assert (stacks(play), play.table.flags) == ((10_000, 10_000), {})
    played_free(play, "4d Ks", "P 4h4d B 9cKs")

    play = dealt(GAME)
    play.do(at_table.find("ann", 1, "player", 10))  # not noticed before the close
    play.do(c.Report("face_up_in_shoe", "the first card shows"))
    assert (stacks(play), layout(play)) == ((10_000, 10_000), (0, 0))
    played_free(play, "4h 9c 4d Ks", "P 4h4d B 9cKs")
    assert not [event for event in play.events if isinstance(event, e.StakesStand)]
    assert play.table.under_minimum == frozenset()


def next_card_shows(play: Play) -> tuple[e.Event, ...]:
    events = play.do(c.Report("face_up_in_shoe", "the next card shows"))
    assert only(events, e.Noted).paragraph == "7.5"
    assert play.table.blocked is None
    return events


@both_games
def test_7_5_face_up_in_the_shoe_when_the_hand_is_complete(game: str) -> None:
    play = dealt(game, PLAYER_WINS)
    assert no_free_hand(next_card_shows(play))
    again = c.Report("face_up_in_shoe", "it still shows")
    assert told(play, again, DEALER) == ("already_there", "7.5")
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))  # the hand itself is not touched
    free_hand(play, 2, "", [])
    assert told(play, again, DEALER) == ("already_there", "7.5")  # it is why the hand is free
    played_free(play, "4h 9c 4d Ks", "P 4h4d B 9cKs")
    bets(play)
    assert not current(play).free


@both_games
def test_7_5_face_up_in_the_shoe_while_boxes_are_paid(game: str) -> None:
    play = dealt(game, PLAYER_WINS)
    play.do(c.Announce("player"))
    next_card_shows(play)
    play.finish()
    assert stacks(play) == (10_075, 9_800)
    free_hand(play, 2, "", [])


@both_games
def test_7_5_face_up_in_the_shoe_between_rounds(game: str) -> None:
    play = table_of(game)
    assert only(next_card_shows(play), e.FreeHandCalled).paragraph == "7.8"
    free_hand(play, 1, "", [])
    played_free(play, "4h 9c 4d Ks", "P 4h4d B 9cKs")
    assert play.table.phase is Phase.IDLE


@both_games
def test_7_5_face_up_in_the_shoe_while_bets_are_taken(game: str) -> None:
    play = table_of(game)
    bets(play)
    assert len(only(next_card_shows(play), e.FreeHandCalled).transfers) == 2
    free_hand(play, 1, "", [])
    assert stacks(play) == (10_000, 10_000)


def test_7_5_face_up_in_the_shoe_and_the_hand_turns_out_complete() -> None:
    play = dealt(GAME, face_down=True)
    for hand in (P, B, P, B):
        play.do(c.Draw(None, hand))
    number = incident(play.do(c.Report("face_up_in_shoe", "the fifth shows")), "face_up_in_shoe", "7.4")
    play.rule(r.PlayOn(), number)
    other = branch(play)
    for place_of, card in enumerate(parse_cards(PLAYER_WINS), 1):
        play.do(c.Turn(place_of, card))
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    free_hand(play, 2, "", [])  # the card was not for this hand
    for place_of, card in enumerate(parse_cards("2h 3c Kd Qs"), 1):
        other.do(c.Turn(place_of, card))
    other.deal("6h 2c")  # here it was
    settled_as(other, "P 2hKd6h B 3cQs2c", (10_075, 9_800))
    assert other.table.phase is Phase.IDLE


def test_7_5_card_that_shows_after_a_hand_that_is_void() -> None:
    play = dealt(GAME, "2h 3c")
    play.rule(r.PlayOn(), incident(play.do(c.Report("face_up_in_shoe", "shows")), "face_up_in_shoe", "7.4"))
    play.void("the lights went out", DIRECTOR)
    free_hand(play, 2, "", [])


def test_7_5_not_once_the_shoe_is_over() -> None:
    play = last_hand_next()
    bets(play)
    play.close()
    play.deal(PLAYER_WINS)
    next_card_shows(play)
    play.finish()
    assert no_free_hand(play.events)
    assert play.table.shoe.ended
    assert told(play, c.Report("face_up_in_shoe", "shows"), DEALER)[0] == "already_there"


def test_7_5_card_that_shows_behind_one_that_was_not_recorded() -> None:
    play = dealt(GAME, "Kh 5c 6d 2s")
    play.do(c.Announce("banker"))
    next_card_shows(play)
    wrong = c.ReportRound(1, parse_cards("Kh 5c 5d 2s 4h"), "a fifth card was dealt")
    play.rule(r.Rectify(), only(play.do(wrong), e.IncidentOpened).number, by=SUPERVISOR)
    play.finish()
    free_hand(play, 2, "", [])


@both_games
def test_7_5_is_not_about_a_card_that_nobody_has_seen(game: str) -> None:
    play = table_of(game, face_down=True)
    bets(play)
    events = play.do(c.Draw())
    assert [(type(event), event.paragraph) for event in events] == [(e.EarlyCardDrawn, "4.9.1")]  # type: ignore[attr-defined]
    assert layout(play) == (125, 200)  # bets stand, and the round has begun (reading R)
    assert told(play, place("bob", 2, banker=100), "bob") == ("bets_closed", "2.2.15")
    dealt_on = only(play.do(c.Close()), e.CarriedCardsDealt)
    assert (dealt_on.hands, dealt_on.paragraph) == ((P,), "4.9.1")
    assert (current(play).free, current(play).due) == (False, B)  # it is the first card of the hand
    play.do(c.Turn(1, Card("9h")))
    play.deal("8c Kd Ks")
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))


@both_games
def test_7_5_unseen_between_rounds_waits_for_the_call(game: str) -> None:
    play = dealt(game, PLAYER_WINS, face_down=True)
    play.do(c.Announce("player"))
    play.do(c.Draw())  # while boxes are paid
    play.finish()
    play.do(c.Draw())
    assert (play.table.phase, len(play.table.carried), no_free_hand(play.events)) == (Phase.IDLE, 2, True)
    other = branch(play)
    bets(play)
    play.close()
    assert [drawn.hand for drawn in current(play).cards] == [P, B]
    draw(other, "4h")  # the third one was seen: all three are played without wagers
    assert [drawn.card for drawn in current(other).cards] == [None, None, Card("4h")]
    assert current(other).free


def test_7_5_unseen_after_the_last_card_of_a_hand() -> None:
    play = dealt(GAME, PLAYER_WINS, face_down=True)
    number = incident(play.do(c.Draw()), "exposed_cards", "7.5", [5])
    assert play.table.incidents[number].about == About.of("card.face_down", number=5)
    other = branch(play)
    assert only(play.rule(r.Reconstruct(), number), e.CardsArranged).goes == "next_round"
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    assert (play.table.phase, len(play.table.carried)) == (Phase.IDLE, 1)
    bets(play)
    play.close()
    assert (len(current(play).cards), current(play).free) == (1, False)
    other.do(c.Turn(5, Card("4h")))  # it was seen after all
    assert only(other.rule(r.Reconstruct(), number), e.CardsArranged).goes == "free_hand"


@both_games
def test_7_5_unseen_and_disclosed_afterwards(game: str) -> None:
    play = table_of(game, face_down=True)
    bets(play)
    play.do(c.Draw())
    assert len(only(next_card_shows(play), e.FreeHandCalled).transfers) == 2
    assert (current(play).free, len(current(play).cards), layout(play)) == (True, 1, (0, 0))


@both_games
def test_7_5_unseen_and_turned_while_bets_are_taken(game: str) -> None:
    play = table_of(game, face_down=True)
    bets(play)
    play.do(c.Draw())
    assert told(play, c.Turn(1), DEALER)[0] == "cards"  # no scanner has read it
    assert told(play, c.Turn(2, Card("4h")), DEALER)[0] == "cards"  # there is no such card
    events = play.do(c.Turn(1, Card("4h")))
    assert events[0] == e.CardTurned(1, Card("4h"), DEALER, "7.5")
    assert len(only(events, e.FreeHandCalled).transfers) == 2
    free_hand(play, 1, "4h", [P])
    assert stacks(play) == (10_000, 10_000)
    played_free(play, "9c 4d Ks", "P 4h4d B 9cKs")


@both_games
def test_7_5_unseen_and_turned_between_rounds(game: str) -> None:
    play = dealt(game, PLAYER_WINS, face_down=True)
    play.do(c.Announce("player"))
    play.do(c.Draw(Card("4h")))  # while boxes are paid; the scanner has read it
    other = branch(play)
    play.finish()
    assert told(play, c.Turn(1), "ann") == ("squeeze", "4.7")
    assert told(play, c.Turn(1, Card("5h")), DEALER)[0] == "cards"  # that is not what the scanner has read
    events = play.do(c.Turn(1))
    assert [type(event) for event in events[:2]] == [e.CardTurned, e.FreeHandCalled]
    free_hand(play, 2, "4h", [P])
    assert only(other.do(c.Turn(5)), e.CardTurned).paragraph == "7.5"  # counted on after the four of the hand
    assert told(other, c.Turn(5), DEALER)[0] == "already_there"
    assert current(other).number == 1
    other.finish()
    assert stacks(other) == (10_075, 9_800)
    free_hand(other, 2, "4h", [P])


@pytest.mark.parametrize("called", [False, True])
def test_7_5_left_over_unseen_and_turned_before_its_hand(called: bool) -> None:
    play = dealt(GAME, PLAYER_WINS, face_down=True)
    number = incident(play.do(c.Draw()), "exposed_cards", "7.5", [5])
    play.rule(r.Reconstruct(), number)
    play.finish()
    if called:
        bets(play)
    play.do(c.Turn(1, Card("4h")))
    free_hand(play, 2, "4h", [P])
    assert stacks(play) == (10_075, 9_800)


def test_7_5_unseen_and_turned_while_a_hand_is_played() -> None:
    play = table_of(face_down=True)
    bets(play)
    for _ in range(5):
        play.do(c.Draw())
    play.close()
    assert (len(current(play).cards), len(play.table.carried)) == (4, 1)
    play.do(c.Turn(5, Card("2d")))
    for number, card in enumerate(parse_cards(PLAYER_WINS), 1):
        play.do(c.Turn(number, card))
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    free_hand(play, 2, "2d", [P])


# --- 7.6, 7.7: a third card too many


@both_games
@pytest.mark.parametrize("put_later", [False, True])
def test_7_6_third_card_of_player_becomes_bankers(game: str, put_later: bool) -> None:
    play = dealt(game, "6h 5c Kd Ks")  # Player stands on 6, Banker draws on 5
    if put_later:
        play.do(c.Draw(Card("3d")))
        events = play.do(c.PutCard(5, P))
        play.do(c.Turn(5))
    else:
        events = draw(play, "3d", P)
    number = incident(events, "third_to_player", "7.6", [5])
    waits(play, "7.6")
    assert told(play, c.Propose(r.GiveOptions(), number, "as a courtesy"), DEALER) == ("ruling", "7.6")
    reconstructed(play, number, "7.6", (1, 2, 3, 4, 5), (P, B, P, B, B))
    settled_as(play, "P 6hKd B 5cKs3d", (9_875, 10_000 + BANKER_PROFIT[game]))
    assert no_free_hand(play.events)
    assert play.table.phase is Phase.IDLE


@both_games
def test_7_6_third_card_of_player_opens_a_free_hand_when_banker_stands(game: str) -> None:
    play = table_of(game)
    play.call()
    play.do(place("ann", 1, player=100, dragon_tiger=25, big_dragon=25), "ann")
    play.do(place("bob", 2, banker=200), "bob")
    play.close()
    play.deal("7h 6c Kd Ks")  # 7 and 6: both stand
    number = incident(draw(play, "3d", P), "third_to_player", "7.6", [5])
    another = draw(branch(play), "8d", B)  # one more is part of the same matter
    assert not [event for event in another if isinstance(event, e.IncidentOpened)]
    reconstructed(play, number, "7.6", (1, 2, 3, 4, 5), (P, B, P, B), "free_hand")
    assert hands_of(play) == "P 7hKd B 6cKs"
    # 7 over 6 with four cards pays 30 to 1; no third card ever was Player's
    settled_as(play, "P 7hKd B 6cKs", (10_000 + 100 + 750 - 25, 9_800))
    free_hand(play, 2, "3d", [P])
    played_free(play, "9c 5d Ks", "P 3d5d B 9cKs")
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (8, 8)


NOBODY_DRAWS = [
    ("8h 3c Kd Ks", (10_075, 9_800)),  # Player's natural
    ("3h 9c Kd Ks", (9_875, 10_190)),  # Banker's
    ("7h 6c Kd Ks", (10_075, 9_800)),  # both stand
]


@pytest.mark.parametrize(("cards", "money"), NOBODY_DRAWS)
@pytest.mark.parametrize(
    ("hand", "family", "paragraph"), [(P, "third_to_player", "7.6"), (B, "third_to_banker", "7.7")]
)
def test_7_6_third_card_that_neither_hand_is_due(
    cards: str, money: tuple[int, int], hand: Side, family: str, paragraph: str
) -> None:
    play = dealt(GAME, cards)
    number = incident(draw(play, "4h", hand), family, paragraph, [5])
    reconstructed(play, number, paragraph, (1, 2, 3, 4, 5), (P, B, P, B), "free_hand")
    play.finish()
    assert stacks(play) == money
    free_hand(play, 2, "4h", [P])


def test_7_6_after_banker_has_drawn() -> None:
    play = dealt(GAME, "6h 5c Kd Ks 3d")  # 6 against 8
    number = incident(draw(play, "9h", P), "third_to_player", "7.6", [6])
    reconstructed(play, number, "7.6", range(1, 7), (P, B, P, B, B), "free_hand")
    settled_as(play, "P 6hKd B 5cKs3d", (9_875, 10_190))
    free_hand(play, 2, "9h", [P])


def test_7_5_fourth_card_of_player() -> None:
    play = dealt(GAME, "2h 6c Kd Ks 5h")  # 7 against 6, which stands against a 5
    number = incident(draw(play, "2d", P), "excess_cards", "7.5", [6])
    reconstructed(play, number, "7.5", range(1, 7), (P, B, P, B, P), "free_hand")
    settled_as(play, "P 2hKd5h B 6cKs", (10_075, 9_800))
    free_hand(play, 2, "2d", [P])


@both_games
@pytest.mark.parametrize(("cards", "hand"), [("2h 6c Kd Ks 5h", P), ("6h 5c Kd Ks 3d", B)])
def test_7_5_fourth_card_that_nobody_has_seen(game: str, cards: str, hand: Side) -> None:
    """It was not disclosed: it waits as the next card, and bets stand."""
    play = dealt(game, cards)
    number = incident(play.do(c.Draw(Card("2d"), hand)), "excess_cards", "7.5", [6])
    reconstructed(play, number, "7.5", range(1, 7), (P, B, P, B, hand), "next_round")
    play.finish()
    assert (play.table.phase, [str(drawn.card) for drawn in play.table.carried]) == (Phase.IDLE, ["2d"])
    bets(play)
    assert not current(play).free


def test_7_6_card_that_nobody_has_seen() -> None:
    play = dealt(GAME, "7h 6c Kd Ks", face_down=True)
    number = incident(play.do(c.Draw(None, P)), "third_to_player", "7.6", [5])
    reconstructed(play, number, "7.6", (1, 2, 3, 4, 5), (P, B, P, B), "free_hand")
    settled_as(play, "P 7hKd B 6cKs", (10_075, 9_800))
    (first,) = current(play).cards
    assert (current(play).free, first.hand, first.card, first.turned) == (True, P, None, False)
    play.do(c.Turn(1, Card("3d")))
    played_free(play, "9c 5d Ks", "P 3d5d B 9cKs")


@both_games
def test_7_7_third_card_of_banker_opens_a_free_hand(game: str) -> None:
    play = dealt(game, "7h 6c Kd Ks")
    number = incident(draw(play, "2d", B), "third_to_banker", "7.7", [5])  # it would have made 8
    waits(play, "7.7")
    assert told(play, c.Propose(r.GiveOptions(), number, "as a courtesy"), DEALER) == ("ruling", "7.7")
    reconstructed(play, number, "7.7", (1, 2, 3, 4, 5), (P, B, P, B), "free_hand")
    settled_as(play, "P 7hKd B 6cKs", (10_075, 9_800))
    free_hand(play, 2, "2d", [P])  # Player's first card
    played_free(play, "9c 5d Ks", "P 2d5d B 9cKs")


@both_games
def test_7_7_after_players_third_card(game: str) -> None:
    play = dealt(game, "2h 6c Kd Ks 5h")  # 7 against 6, which stands against a 5
    number = incident(draw(play, "2d", B), "third_to_banker", "7.7", [6])
    reconstructed(play, number, "7.7", range(1, 7), (P, B, P, B, P), "free_hand")
    settled_as(play, "P 2hKd5h B 6cKs", (10_075, 9_800))
    free_hand(play, 2, "2d", [P])


def test_7_7_is_not_about_a_card_that_is_due() -> None:
    play = dealt(GAME, "2h 6c Kd Ks")
    incident(draw(play, "6h", B), "wrong_side", "7.9", [5])  # Player's third card, dealt to Banker


@both_games
@pytest.mark.parametrize("banker", ["Kc", "Ac", "2c"])
def test_7_7_is_not_about_a_third_card_that_banker_draws_whatever_player_has(game: str, banker: str) -> None:
    play = dealt(game, f"5h {banker} Kd Ks", face_down=True)
    play.do(c.Draw(Card("9h"), P))  # face down, to be squeezed
    assert play.table.due is B
    play.do(c.Draw(Card("4d"), B))
    assert play.table.incidents == {}
    surplus = branch(play)
    play.do(c.Turn(6))
    play.do(c.Turn(5))
    assert play.table.incidents == {}
    assert str(current(play).coup) == f"P 5hKd9h B {banker}Ks4d"
    incident(surplus.do(c.Draw(None, B)), "excess_cards", "7.5", [7])  # nobody gets a fourth


def test_7_7_of_banker_on_three_a_hidden_third_card_of_player_tells_nothing() -> None:
    play = dealt(GAME, "5h 3c Kd Ks", face_down=True)
    play.do(c.Draw(Card("9h"), P))
    assert play.table.due is None
    incident(play.do(c.Draw(Card("4d"), B)), "third_to_banker", "7.7", [6])


# --- 7.8: the Free Hand


def surplus_card_of_banker(game: str) -> Play:
    """Player drew to 2, Banker on 6 to that card, which the scanner took for a 6: with a 5 Banker had to stand."""
    play = dealt(game, "2h 6c Kd Ks", face_down=True)
    play.do(c.Draw(Card("6h"), P))
    assert only(play.do(c.Turn(5, Card("5h"))), e.IncidentOpened).family == "card_mismatch"
    draw(play, "2d", B)
    return play


@both_games
def test_7_6_third_card_of_player_that_a_correction_makes_surplus(game: str) -> None:
    play = dealt(game, "2h 2c 3d 3s 4h 9d")  # both drew on 5
    play.do(c.Propose(r.CorrectCard(3, Card("4d")), 0, "a 4"))
    events = play.do(c.Approve(1), SUPERVISOR)  # Player had 6 and stood: the fifth card is Banker's
    number = incident(events, "third_to_player", "7.6", [5])
    arranged = only(play.rule(r.Reconstruct(), number, by=SUPERVISOR), e.CardsArranged)
    assert (arranged.hands, arranged.goes) == ((P, B, P, B, B), "free_hand")
    assert hands_of(play) == "P 2h4d B 2c3s4h"


@both_games
def test_7_7_card_that_a_value_makes_surplus(game: str) -> None:
    play = surplus_card_of_banker(game)
    events = play.rule(r.ValueCard(5, Card("5h")), 1, "looked at", SUPERVISOR)
    number = incident(events, "third_to_banker", "7.7", [6])
    waits(play, "7.7")
    reconstructed(play, number, "7.7", range(1, 7), (P, B, P, B, P), "free_hand")
    settled_as(play, "P 2hKd5h B 6cKs", (10_075, 9_800))
    free_hand(play, 2, "2d", [P])


@both_games
def test_7_7_card_that_a_correction_makes_surplus(game: str) -> None:
    play = dealt(game, "2h 6c Kd Ks 6h 2d")
    events = play.rule(r.CorrectCard(5, Card("5h")), 0, "misread", SUPERVISOR)
    reconstructed(
        play, incident(events, "third_to_banker", "7.7", [6]), "7.7", range(1, 7), (P, B, P, B, P), "free_hand"
    )


def test_7_7_correction_while_another_matter_waits() -> None:
    play = dealt(GAME, "2h 6c Kd Ks 6h 2d")
    shows = only(play.do(c.Report("dealing_error", "the dealer dropped the shoe")), e.IncidentOpened).number
    play.rule(r.CorrectCard(5, Card("5h")), 0, "misread", SUPERVISOR)
    assert set(play.table.incidents) == {shows}  # putting the cards right answers both
    play.rule(r.Reconstruct(), shows, "as they were", DIRECTOR)
    assert (hands_of(play), len(current(play).cards), len(play.table.carried)) == ("P 2hKd5h B 6cKs", 5, 1)

    play = dealt(GAME, "2h 6c Kd Ks 6h 2d")
    jam = only(play.do(c.Report("shoe_fault", "it jammed")), e.IncidentOpened).number
    play.rule(r.CorrectCard(5, Card("5h")), 0, "misread", SUPERVISOR)
    events = play.rule(r.PlayOn(), jam, "it works again", DIRECTOR)
    incident(events, "third_to_banker", "7.7", [6])


@both_games
def test_7_7_settled_round_in_which_bankers_third_was_surplus(game: str) -> None:
    play = dealt(game, "2h 6c Kd Ks 6h 2d")
    play.finish()
    report = c.ReportRound(1, parse_cards("2h 6c Kd Ks 5h 2d"), "misread")
    incident(branch(play).do(report), "wrong_round", "7.7")
    corrected = play.rule(r.CorrectCard(5, Card("5h"), 1), 0, "misread", MANAGER)
    incident(corrected, "wrong_round", "7.7")


@both_games
def test_7_8_cards_in_the_order_they_were_drawn(game: str) -> None:
    play = dealt(game, PLAYER_WINS)
    number = incident(draw(play, "4h", B), "third_to_banker", "7.7", [5])
    assert not [event for event in draw(play, "2c", P) if isinstance(event, e.IncidentOpened)]  # the same error
    reconstructed(play, number, "7.7", range(1, 7), (P, B, P, B), "free_hand")
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    free_hand(play, 2, "4h 2c", [P, B])
    dealt_on = [event for event in play.events if isinstance(event, e.CarriedCardsDealt)][-1]
    assert (dealt_on.hands, dealt_on.paragraph) == ((P, B), "7.8")
    played_free(play, "Kh 7d", "P 4hKh B 2c7d")
    assert play.table.phase is Phase.IDLE


def test_7_8_and_so_on_until_the_hand_is_complete() -> None:
    play = dealt(GAME, PLAYER_WINS)
    number = incident(draw(play, "4h", P), "third_to_player", "7.6", [5])
    for card in ("9c", "5d", "Kc", "2s"):
        draw(play, card)
    reconstructed(play, number, "7.6", range(1, 10), (P, B, P, B), "free_hand")
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    free_hand(play, 2, "4h 9c 5d Kc", [P, B, P, B])  # complete with four cards
    played_free(play, "", "P 4h5d B 9cKc")
    free_hand(play, 3, "2s", [P])  # and the fifth opens another
    played_free(play, "9c 5h Ks", "P 2s5h B 9cKs")
    assert (play.table.rounds, play.table.shoe.rounds, play.table.shoe.discards) == (3, 3, 12)
    assert [result.free_hand for result in play.table.results] == [False, True, True]


@both_games
def test_7_8_leftovers_that_nobody_has_seen_come_before_the_shoe(game: str) -> None:
    play = dealt(game, PLAYER_WINS, face_down=True)
    number = incident(play.do(c.Draw(None, P)), "third_to_player", "7.6", [5])
    for _ in range(5):
        play.do(c.Draw())
    reconstructed(play, number, "7.6", range(1, 11), (P, B, P, B), "free_hand")
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    assert (len(current(play).cards), len(play.table.carried)) == (4, 2)  # more cannot be told yet
    for place_of, card in enumerate(parse_cards("2h 3c Kd"), 1):
        play.do(c.Turn(place_of, card))
    dealt_on = only(play.do(c.Turn(4, Card("Qs"))), e.CarriedCardsDealt)  # 2 against 3: Player draws
    assert (dealt_on.hands, dealt_on.paragraph, play.table.shoe.drawn) == ((P,), "7.8", 10)
    dealt_on = only(play.do(c.Turn(5, Card("6h"))), e.CarriedCardsDealt)
    assert (dealt_on.hands, dealt_on.paragraph) == ((B,), "7.8")
    play.do(c.Turn(6, Card("2c")))
    played_free(play, "", "P 2hKd6h B 3cQs2c")
    assert (play.table.carried, play.table.phase, play.table.shoe.discards) == ((), Phase.IDLE, 10)


@both_games
def test_7_8_its_own_leftovers_open_another(game: str) -> None:
    play = table_of(game)
    draw(play, "4h")
    play.deal("9c 4d Ks")
    number = incident(draw(play, "3h", B), "third_to_banker", "7.7", [5])
    reconstructed(play, number, "7.7", (1, 2, 3, 4, 5), (P, B, P, B), "free_hand")
    played_free(play, "", "P 4h4d B 9cKs")
    free_hand(play, 2, "3h", [P])
    played_free(play, "9c 5h Ks", "P 3h5h B 9cKs")
    assert (play.table.rounds, stacks(play)) == (2, (10_000, 10_000))


def last_hand_next(**changes: Any) -> Play:
    """A round is over, and the Cut Card shows: the next hand is announced as the last of the shoe."""
    play = dealt(GAME, PLAYER_WINS, **changes)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    assert only(play.do(c.CutCard()), e.CutCardAppeared).rounds_left == 1
    return play


@pytest.mark.parametrize("called", [False, True])
def test_7_8_1_free_hand_announced_as_the_last_ends_the_shoe(called: bool) -> None:
    play = last_hand_next()
    if called:
        bets(play)
    draw(play, "4h")
    free_hand(play, 2, "4h", [P], "7.8.1")
    assert stacks(play) == (10_075, 9_800)
    assert not play.table.shoe.ended
    played_free(play, "9c 4d Ks", "P 4h4d B 9cKs")
    ended = only(tuple(play.events), e.ShoeEnded)
    assert (ended.reason, ended.drawn, ended.discards) == (About.of("shoe.last_round"), 8, 8)
    assert told(play, c.Call(), DEALER)[0] == "no_shoe"


@both_games
def test_7_8_1_leftovers_of_the_hand_before_the_last(game: str) -> None:
    play = dealt(game, PLAYER_WINS, rounds_after_cut=1)
    assert only(play.do(c.CutCard()), e.CutCardAppeared).rounds_left == 1
    play.rule(r.Reconstruct(), incident(draw(play, "4h", P), "third_to_player", "7.6", [5]), by=SUPERVISOR)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    free_hand(play, 2, "4h", [P], "7.8.1")
    number = incident((*play.do(c.Draw(Card("9c"), B, turned=True)), *draw(play, "4d", B)), "wrong_side", "7.9", [3])
    play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    draw(play, "Ks")
    number = incident(draw(play, "3h", B), "third_to_banker", "7.7", [5])
    # no other hand follows the last
    arranged = only(play.rule(r.Reconstruct(), number, by=SUPERVISOR), e.CardsArranged)
    assert (arranged.hands, arranged.goes) == ((P, B, P, B), "discarded")
    played_free(play, "", "P 4h4d B 9cKs")
    assert (play.table.shoe.ended, play.table.shoe.discards, play.table.round) == (True, 9, None)


def test_7_8_1_no_free_hand_after_the_last_hand() -> None:
    play = last_hand_next()
    bets(play)
    play.close()
    play.deal(PLAYER_WINS)
    number = incident(draw(play, "4h", P), "third_to_player", "7.6", [5])
    reconstructed(play, number, "7.6", (1, 2, 3, 4, 5), (P, B, P, B), "discarded")
    play.do(c.Announce("player"))
    draw(play, "2c")  # and another while the boxes are paid
    play.finish()
    assert stacks(play) == (10_150, 9_600)
    assert no_free_hand(play.events)
    assert (play.table.round, play.table.shoe.ended, play.table.carried) == (None, True, ())
    assert only(tuple(play.events), e.ShoeEnded).discards == 10


# --- 7.9: a wrong order


def first_card_to_banker(game: str = GAME) -> tuple[Play, int]:
    """Player's first card lies at Banker, and Banker's at Player."""
    play = dealt(game)
    number = incident(draw(play, "9h", B), "wrong_side", "7.9", [1])
    draw(play, "8c", P)
    return play, number


@both_games
def test_7_9_wrong_order_is_reconstructed(game: str) -> None:
    play, number = first_card_to_banker(game)
    waits(play, "7.9")
    reconstructed(play, number, "7.9", (1, 2), (P, B))
    assert told(play, c.TakeOption("ann", False), "ann")[0] == "no_options"
    assert told(play, c.Propose(r.GiveOptions(), number, "too late"), DEALER)[0] == "unknown_request"
    play.deal("Kd Ks")
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))


@both_games
def test_7_9_reported_when_it_is_noticed(game: str) -> None:
    play = dealt(game, "2h 3c Kd Qs")
    report = c.Report("wrong_side", "cards 3 and 4 changed places", (3, 4))
    assert told(play, report, "ann")[0] == "rank"
    number = incident(play.do(report), "wrong_side", "7.9", [3, 4])
    reconstructed(play, number, "7.9", (1, 2, 3, 4), (P, B, P, B))
    play.deal("6h 2c")
    settled_as(play, "P 2hKd6h B 3cQs2c", (10_075, 9_800))


@both_games
def test_7_9_players_third_card_at_banker(game: str) -> None:
    play = dealt(game, "2h 3c Kd Qs")
    number = incident(draw(play, "6h", B), "wrong_side", "7.9", [5])
    reconstructed(play, number, "7.9", (1, 2, 3, 4, 5), (P, B, P, B, P))
    assert current(play).due is B
    number = incident(draw(play, "2c", P), "wrong_side", "7.9", [6])  # and Banker's at Player, who has three
    reconstructed(play, number, "7.9", range(1, 7), (P, B, P, B, P, B))
    settled_as(play, "P 2hKd6h B 3cQs2c", (10_075, 9_800))


@both_games
def test_7_9_card_that_a_value_makes_the_other_hands(game: str) -> None:
    # taken for a 5, the third card made 7: Player stood, and Banker drew; it is a 3, and the next card was Player's
    play = dealt(game, "2h 4c", face_down=True)
    play.do(c.Draw(Card("5d"), P))
    play.do(c.Turn(3, Card("3d")))
    draw(play, "Ks", B)
    draw(play, "2c", B)
    number = incident(play.rule(r.ValueCard(3, Card("3d")), 1, "looked at", SUPERVISOR), "wrong_side", "7.9", [5])
    reconstructed(play, number, "7.9", range(1, 6), (P, B, P, B, P))
    draw(play, "9h", B)
    settled_as(play, "P 2h3d2c B 4cKs9h", (10_075, 9_800))


@both_games
def test_7_9_shift_manager_lets_players_withdraw_before_it(game: str) -> None:
    play, number = first_card_to_banker(game)
    allowed(play, number, "7.9", "7.9", "7.9")
    answers_differ(play, "7.9", "7.9")
    waits(play, "7.9")  # the cards are not put right yet
    reconstructed(play, number, "7.9", (1, 2), (P, B))
    play.deal("Kd Ks")
    settled_as(play, "P 9hKd B 8cKs", (10_075, 10_000))


def test_7_9_everybody_withdraws() -> None:
    play, number = first_card_to_banker()
    allowed(play, number, "7.9", "7.9", "7.9")
    is_void(play, everybody(play, goes_on=False), "7.9")
    assert not play.table.shoe.ended
    play.call()


def test_7_9_who_walked_away_goes_on() -> None:
    play, number = first_card_to_banker()
    play.do(c.WalkAway("ann"))
    events = play.rule(r.GiveOptions(), number, "as a courtesy", SHIFT)
    taken = only(events, e.OptionTaken)
    assert (taken.person, taken.goes_on, taken.transfers) == ("ann", True, ())
    assert current(play).options is not None
    assert told(play, c.TakeOption("ann", False), DEALER)[0] == "no_options"
    play.do(c.TakeOption("bob", False), "bob")
    play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    play.deal("Kd Ks")
    settled_as(play, "P 9hKd B 8cKs", (10_075, 10_000))


# --- 7.10: the wrong cards to squeeze


def squeezed(game: str, cards: str, opened: Iterable[int] = (), **changes: Any) -> tuple[Play, int]:
    """Bob squeezes Banker's cards, but was handed Player's; some cards lie open by now."""
    play = dealt(game, face_down=True, **changes)
    play.do(c.AskSqueeze("bob", B), "bob")
    play.do(c.AnswerSqueeze("bob", True))
    for number, card in enumerate(parse_cards(cards), 1):
        play.do(c.Draw(card, P if number % 2 else B))
    for number in opened:
        play.do(c.Turn(number))
    report = c.Report("squeeze_delivery", "Player's cards went to Bob", (1, 3))
    assert told(play, c.Report("squeeze_delivery", "which?"), DEALER) == ("cards", "7.10")
    return play, incident(play.do(report), "squeeze_delivery", "7.10", [1, 3])


@both_games
def test_7_10_delivery_to_squeeze_is_put_right(game: str) -> None:
    play, number = squeezed(game, "2h 3c Kd Qs")
    assert told(play, c.Settle(), DEALER)[0] == "not_finished"
    reconstructed(play, number, "7.10", (1, 2, 3, 4), (P, B, P, B))
    assert told(play, c.TakeOption("bob", False), "bob")[0] == "no_options"
    play.do(c.Turn(2), "bob")
    play.do(c.Turn(4), "bob")  # the right cards now
    play.do(c.Turn(1))
    play.do(c.Turn(3))
    draw(play, "6h", P)
    draw(play, "2c", B)
    settled_as(play, "P 2hKd6h B 3cQs2c", (10_075, 9_800))
    assert not play.table.shoe.ended


@both_games
def test_7_10_1_outcome_established(game: str) -> None:
    play, number = squeezed(game, PLAYER_WINS, (1, 2, 3, 4))
    allowed(play, number, "7.10.1", "7.10.1", "7.10.1")
    answers_differ(play, "7.10.1", "7.10.1")
    reconstructed(play, number, "7.10", (1, 2, 3, 4), (P, B, P, B))
    settled_as(play, "P 9hKd B 8cKs", (10_075, 10_000))


@both_games
def test_7_10_1_free_hand_when_everybody_withdraws(game: str) -> None:
    play, number = squeezed(game, PLAYER_WINS, (1, 2, 3, 4))
    allowed(play, number, "7.10.1", "7.10.1", "7.10.1")
    events = everybody(play, goes_on=False)
    assert only(events, e.PlayedFree).paragraph == "7.10.1"
    assert not [event for event in events if isinstance(event, e.RoundVoided | e.ShoeToBeReplaced)]
    assert (current(play).free, current(play).wagers, play.table.incidents) == (True, {}, {})
    assert told(play, place("ann", 1, player=100), "ann")[0] == "bets_closed"
    settled_as(play, "P 9hKd B 8cKs", (10_000, 10_000))
    assert [(result.winner, result.free_hand) for result in play.table.results] == [("player", True)]
    assert not play.table.shoe.ended


@both_games
def test_7_10_1_only_a_result_that_is_certain(game: str) -> None:
    # Player's 9 is known, Banker's second card is not: a tie is possible still
    play, number = squeezed(game, PLAYER_WINS, (1, 2, 3))
    allowed(play, number, "7.10.2", "7.10.2", "7.10.2")


@both_games
def test_7_10_1_and_2_as_it_stood_when_it_was_noticed(game: str) -> None:
    play, number = squeezed(game, PLAYER_WINS, (1, 2, 3))
    proposed = only(play.do(c.Propose(r.GiveOptions(), number, "as a courtesy")), e.RulingProposed)
    play.do(c.Turn(4))  # now Player has won
    events = play.do(c.Approve(proposed.number), SHIFT)
    assert (only(events, e.RulingGiven).paragraph, only(events, e.OptionsGiven).paragraph) == ("7.10.2", "7.10.2")
    events = everybody(play, goes_on=False)
    is_void(play, events, "7.10.2")
    assert only(events, e.ShoeToBeReplaced).paragraph == "7.10.2"


def test_7_10_1_cards_seen_are_the_same_in_another_order() -> None:
    # the natural of the first four cards is known, and stays so when cards 1 and 2 change places
    play, _ = squeezed(GAME, PLAYER_WINS, (1, 2, 3, 4))
    together = only(play.do(c.Report("simultaneous", "at once", (1, 2))), e.IncidentOpened).number
    play.rule(r.DecideOrder((2, 1)), together, by=MANAGER)
    everybody(play, goes_on=True)
    assert play.table.incidents == {}
    approved(play, r.GiveOptions(), 0, "shift_manager", "7.10.1", "as a courtesy")


@both_games
@pytest.mark.parametrize("opened", [(), (1, 3), (1, 2, 3, 4)])
def test_7_10_2_outcome_not_established(game: str, opened: tuple[int, ...]) -> None:
    play, number = squeezed(game, "2h 3c Kd Qs", opened)
    allowed(play, number, "7.10.2", "7.10.2", "7.10.2")
    answers_differ(play, "7.10.2", "7.10.2")
    reconstructed(play, number, "7.10", (1, 2, 3, 4), (P, B, P, B))
    for card in {1, 2, 3, 4} - set(opened):
        play.do(c.Turn(card))
    draw(play, "6h", P)
    draw(play, "2c", B)
    settled_as(play, "P 2hKd6h B 3cQs2c", (10_075, 10_000))
    assert not play.table.shoe.ended


@both_games
def test_7_10_2_options_until_the_settlement(game: str) -> None:
    play, number = squeezed(game, "2h 3c Kd Qs", (1, 2, 3, 4))
    reconstructed(play, number, "7.10", (1, 2, 3, 4), (P, B, P, B))
    events = approved(play, r.GiveOptions(), 0, "shift_manager", "7.10.2", "as a courtesy")
    assert only(events, e.OptionsGiven).incident == number
    answers_differ(play, "7.10.2", "7.10.2")
    again = only(branch(play).do(c.Propose(r.GiveOptions(), 0, "again")), e.RulingProposed)
    assert (again.needs, again.paragraph) == ("assistant_director", "7.20")  # once by this paragraph
    draw(play, "6h", P)
    draw(play, "2c", B)
    settled_as(play, "P 2hKd6h B 3cQs2c", (10_075, 10_000))
    assert told(play, c.Propose(r.GiveOptions(), 0, "late"), DEALER)[0] == "no_round"


@both_games
def test_7_10_1_options_until_the_settlement(game: str) -> None:
    play, number = squeezed(game, PLAYER_WINS, (1, 2, 3, 4))
    reconstructed(play, number, "7.10", (1, 2, 3, 4), (P, B, P, B))
    approved(play, r.GiveOptions(), 0, "shift_manager", "7.10.1", "as a courtesy")
    assert only(everybody(play, goes_on=False), e.PlayedFree).paragraph == "7.10.1"
    assert current(play).free


@both_games
def test_7_10_2_void_and_a_new_shoe_when_everybody_withdraws(game: str) -> None:
    play, number = squeezed(game, "2h 3c Kd Qs", (1, 2, 3, 4))
    allowed(play, number, "7.10.2", "7.10.2", "7.10.2")
    events = everybody(play, goes_on=False)
    is_void(play, events, "7.10.2")
    assert only(events, e.ShoeToBeReplaced).paragraph == "7.10.2"
    ended = only(events, e.ShoeEnded)
    assert (ended.drawn, ended.discards) == (4, 4)
    assert told(play, c.Call(), DEALER)[0] == "no_shoe"
    play.shoe()
    play.call()


# --- 7.11: the burn


def unburnt(game: str = GAME, **changes: Any) -> Play:
    """The dealer called for bets and forgot to burn three cards; the bets are closed."""
    play = fresh_shoe(game, **changes)
    opened = only(play.do(c.Call()), e.IncidentOpened)
    assert (opened.number, opened.family, opened.paragraph) == (1, "burn_forgotten", "7.11")
    assert not opened.blocks  # who forgot it does not know
    bets(play)
    play.close()
    return play


def first_hand(play: Play) -> None:
    for card, hand in zip(PLAYER_WINS.split(), (P, B, P, B), strict=True):
        draw(play, card, hand)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))


@both_games
def test_7_11_burn_forgotten_and_noticed_at_once(game: str) -> None:
    play = unburnt(game)
    events = play.do(c.Burn((None,) * 3))  # no card is out: it simply takes place
    assert [type(event) for event in events] == [e.CardsBurnt, e.IncidentClosed]
    first_hand(play)
    assert (play.table.shoe.drawn, play.table.shoe.burnt, play.table.shoe.discards) == (7, 3, 7)
    play.call()  # nobody is asked anything


def fresh_shoe(game: str = GAME, **changes: Any) -> Play:
    """A shoe from which three cards are to be burnt, unless told otherwise."""
    play = table_of(game, **{"burn": 3, **changes})
    play.do(c.EndShoe(), SUPERVISOR)
    play.do(c.NewShoe("shuffled"))
    return play


@both_games
def test_7_11_2_card_seen_between_rounds_before_the_burn(game: str) -> None:
    play = fresh_shoe(game)
    opened = only(draw(play, "4h"), e.IncidentOpened)  # 7.5 all the same
    assert (opened.family, opened.paragraph, opened.round, opened.blocks) == ("burn_forgotten", "7.11", 1, False)
    free_hand(play, 1, "4h", [P])
    assert told(play, c.Call(), DEALER) == ("round_open", "2.2.15")
    assert isinstance(Play(play.table, ()).do(c.Burn((None,) * 3))[0], e.CardsBurnt)
    assert told(play, c.Propose(r.BurnNow(), opened.number), DEALER) == ("burn", "7.11.2")
    play.rule(r.PlayOn(), opened.number)
    played_free(play, "9c 4d Ks", "P 4h4d B 9cKs")
    assert play.table.shoe.choosing == frozenset({"ann", "bob", "cho"})  # 7.11.2.1


def test_7_11_unseen_card_before_the_burn_goes_back_or_waits() -> None:
    play = fresh_shoe(face_down=True)
    play.do(c.Draw())
    other, third = branch(play), branch(play)
    play.do(c.Burn((None,) * 3))
    bets(play)
    play.close()
    assert (len(current(play).cards), play.table.shoe.burnt, play.table.shoe.drawn) == (0, 3, 3)
    bets(other)  # the burn is forgotten
    draw(other, "4h")
    assert (current(other).free, layout(other)) == (True, (0, 0))
    bets(third)
    third.do(c.Burn((None,) * 3))  # noticed while bets are taken
    assert third.table.incidents == {}
    draw(third, "4h")
    assert (current(third).free, layout(third)) == (True, (0, 0))


def test_7_5_card_that_shows_before_the_burn_is_burnt() -> None:
    play = fresh_shoe()
    assert no_free_hand(next_card_shows(play))
    assert told(play, c.Call(), DEALER) == ("burn", "7.5")  # nobody bets on a card that was seen
    play.do(c.Burn((None,) * 3))
    bets(play)
    assert not current(play).free


@both_games
@pytest.mark.parametrize("closed", [False, True])
def test_7_5_card_that_shows_while_the_burn_is_still_to_come_takes_no_wagers_off(game: str, closed: bool) -> None:
    play = fresh_shoe(game)
    bets(play)  # the burn is forgotten
    if closed:
        play.close()
    assert no_free_hand(next_card_shows(play))
    assert layout(play) == (125, 200)
    unburnt_hand = branch(play)
    play.do(c.Burn((None,) * 3))  # it is one of them
    if not closed:
        play.close()
        unburnt_hand.close()
    assert not current(play).free
    first_hand(play)
    events = draw(unburnt_hand, "4h")  # not burnt, it opens the hand after all
    assert [type(event) for event in events[:2]] == [e.FreeHandCalled, e.CardDrawn]
    assert (current(unburnt_hand).free, layout(unburnt_hand)) == (True, (0, 0))


def test_7_5_card_that_shows_is_drawn_while_bets_are_taken_and_the_burn_is_still_to_come() -> None:
    play = fresh_shoe(face_down=True)
    bets(play)
    next_card_shows(play)
    play.do(c.Draw())  # it was seen in the shoe
    assert (current(play).free, layout(play), len(current(play).cards)) == (True, (0, 0), 1)


def test_7_5_card_that_shows_behind_the_burn_opens_a_free_hand() -> None:
    play = fresh_shoe(burn=1, face_down=True)
    play.do(c.Draw())
    bets(play)
    assert no_free_hand(next_card_shows(play))  # the one behind the card that is out
    play.do(c.Burn((None,)))  # which goes back and is burnt
    assert (current(play).free, layout(play), current(play).cards) == (True, (0, 0), ())


@both_games
@pytest.mark.parametrize("burnt", [1, 2, 4, 10])
def test_2_2_2_wrong_number_of_cards_burnt(game: str, burnt: int) -> None:
    play = fresh_shoe(game)
    events = play.do(c.Burn((None,) * burnt))  # they are out of the shoe
    number = incident(events, "wrong_burn", "7.20")
    assert len(only(events, e.CardsBurnt).cards) == burnt
    assert (play.table.shoe.drawn, play.table.shoe.burnt, play.table.shoe.discards) == (burnt,) * 3
    assert told(play, c.Call(), DEALER) == ("flagged", "7.20")
    assert isinstance(Play(play.table, ()).do(c.Burn((None,)))[0], e.CardsBurnt)
    other = branch(play)
    approved(play, r.PlayOn(), number, "assistant_director", "7.20", "nobody saw them")
    bets(play)
    play.close()
    first_hand(play)
    approved(other, r.ReplaceShoe(), 0, "assistant_director", "7.20", "to be fair")
    approved(other, r.PlayOn(), number, "assistant_director", "7.20", "with new cards")
    assert (other.table.shoe.ended, other.table.incidents) == (True, {})


def test_2_2_2_wrong_number_burnt_while_bets_are_taken() -> None:
    play = fresh_shoe()
    bets(play)  # the burn is forgotten
    number = incident(play.do(c.Burn((None,) * 2)), "wrong_burn", "7.20")
    assert set(play.table.incidents) == {number}  # it was made up for, after a fashion
    assert told(play, place("bob", 2, banker=100), "bob") == ("flagged", "7.20")
    assert told(play, c.Close(), DEALER) == ("flagged", "7.20")
    play.rule(r.PlayOn(), number, "two will do", DIRECTOR)
    play.close()
    first_hand(play)


def test_2_2_2_machine_burns_the_right_number() -> None:
    play = table_of(GAME, burn=3, automated=ELECTRONIC)
    play.do(c.EndShoe(), HOUSE)
    play.do(c.NewShoe("shuffled"), HOUSE)
    assert told(play, c.Burn((None,) * 2), HOUSE) == ("burn", "2.2.2")
    assert told(play, c.Burn(()), HOUSE) == ("burn", "2.2.2")


def test_7_11_machine_does_not_forget() -> None:
    play = table_of(GAME, burn=3, automated=ELECTRONIC)
    play.do(c.EndShoe(), HOUSE)
    play.do(c.NewShoe("shuffled"), HOUSE)
    assert told(play, c.Call(), HOUSE) == ("burn", "2.2.2")


@both_games
@pytest.mark.parametrize("out", [1, 2, 4])
def test_7_11_1_nothing_seen_the_cards_go_back(game: str, out: int) -> None:
    play = unburnt(game)
    for _ in range(out):
        play.do(c.Draw())
    assert isinstance(Play(play.table, ()).do(c.Burn((None,) * 3))[0], e.CardsBurnt)  # cards are out
    assert told(play, c.Propose(r.PlayOn(), 1), DEALER) == ("burn", "7.11.1")
    events = play.rule(r.BurnNow(), 1)  # by the dealer
    retrieved = only(events, e.CardsRetrieved)
    assert (retrieved.cards, retrieved.paragraph) == (out, "7.11.1")
    assert (play.table.shoe.drawn, current(play).cards, play.table.incidents) == (0, (), {})
    assert layout(play) == (125, 200)  # the bets stay
    assert told(play, c.Deal(parse_cards("9h")), DEALER) == ("burn", "2.2.2")
    play.do(c.Burn((None,) * 3))
    first_hand(play)
    assert (play.table.shoe.drawn, play.table.shoe.burnt, play.table.shoe.discards) == (7, 3, 7)


@both_games
@pytest.mark.parametrize("ruled", [True, False])
def test_7_11_1_card_that_came_before_its_hand_is_the_first_to_be_burnt(game: str, ruled: bool) -> None:
    play = fresh_shoe(game, burn="first_card", face_down=True)
    play.do(c.Draw())  # before the call
    between = branch(play)
    bets(play)
    play.do(c.Draw())  # and while bets are taken
    burn = c.Burn((Card("2h"), None, None))
    if ruled:
        retrieved = only(play.rule(r.BurnNow(), 1), e.CardsRetrieved)
        assert (play.table.shoe.drawn, play.table.carried, play.table.incidents) == (0, (), {})
        play.do(burn)
    else:
        events = play.do(burn)
        assert [type(event) for event in events] == [e.CardsRetrieved, e.CardsBurnt, e.IncidentClosed]
        retrieved = only(events, e.CardsRetrieved)
    assert (retrieved.cards, retrieved.paragraph) == (2, "7.11.1")
    assert (play.table.shoe.drawn, play.table.shoe.burnt, play.table.carried) == (3, 3, ())
    assert layout(play) == (125, 200)
    play.close()
    assert current(play).cards == ()  # nothing opens the hand
    first_hand(play)
    between.do(burn)  # no round is called yet
    assert (between.table.shoe.drawn, between.table.carried, between.table.phase) == (3, (), Phase.IDLE)


def test_7_11_1_cards_of_the_hand_and_those_behind_it_go_back_together() -> None:
    play = fresh_shoe(face_down=True)
    bets(play)
    for _ in range(5):
        play.do(c.Draw())
    play.close()
    assert (len(current(play).cards), len(play.table.carried)) == (4, 1)
    seen = branch(play)
    assert only(play.rule(r.BurnNow(), 1), e.CardsRetrieved).cards == 5
    assert (play.table.shoe.drawn, current(play).cards, play.table.carried) == (0, (), ())
    seen.do(c.Turn(5, Card("9h")))  # one that was seen does not go back
    assert told(seen, c.Propose(r.BurnNow(), 1), DEALER) == ("burn", "7.11.2")
    seen.rule(r.PlayOn(), 1)


def test_7_11_1_what_was_about_the_cards_goes_with_them() -> None:
    play = unburnt(GAMES[0])
    for _ in range(2):
        play.do(c.Draw())
    torn = branch(play)
    play.do(c.Report("simultaneous", "both at once", (1, 2)))
    play.rule(r.BurnNow(), 1)
    assert (current(play).cards, play.table.incidents) == ((), {})
    torn.do(c.Report("damaged_card", "card 2 is torn", (2,)))
    assert told(torn, c.Propose(r.BurnNow(), 1), DEALER) == ("flagged", "7.20")
    assert not [event for event in play.events if isinstance(event, e.ShoeChoiceGiven)]
    play.call()


@both_games
@pytest.mark.parametrize("seen", [1, 3])
def test_7_11_2_card_seen_the_hand_is_played_out(game: str, seen: int) -> None:
    play = unburnt(game)
    for card, hand in zip(PLAYER_WINS.split()[:seen], (P, B, P), strict=False):
        draw(play, card, hand)
    assert told(play, c.Propose(r.BurnNow(), 1), DEALER) == ("burn", "7.11.2")
    events = play.rule(r.PlayOn(), 1)
    assert only(events, e.RulingGiven).paragraph == "7.11.2"
    assert only(events, e.ShoeChoiceDue).paragraph == "7.11.2"
    assert isinstance(Play(play.table, ()).do(c.Burn((None,) * 3))[0], e.CardsBurnt)
    assert told(play, c.TakeOption("ann", False), "ann")[0] == "no_options"  # no bet goes back
    for card, hand in zip(PLAYER_WINS.split()[seen:], (P, B, P, B)[seen:], strict=True):
        draw(play, card, hand)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    assert play.table.shoe.burnt == 0


@both_games
@pytest.mark.parametrize("out", [1, 4])
def test_7_11_2_card_viewed_though_it_lies_face_down(game: str, out: int) -> None:
    play = unburnt(game, face_down=True)
    for hand in (P, B, P, B)[:out]:
        play.do(c.Draw(None, hand))
    opened, closed = play.do(c.Report("exposed_cards", "Ann has looked at it", (out,)))
    assert isinstance(opened, e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.blocks) == ("exposed_cards", "7.11.2", False)
    assert closed == e.IncidentClosed(opened.number)  # there is nothing to judge
    assert told(play, c.Propose(r.BurnNow(), 1), DEALER) == ("burn", "7.11.2")
    assert only(play.rule(r.PlayOn(), 1), e.ShoeChoiceDue).paragraph == "7.11.2"
    assert play.table.incidents == {}


def asked_about_the_shoe(game: str = GAME, **changes: Any) -> Play:
    """The first hand of a shoe that was not burnt is over."""
    play = unburnt(game, **changes)
    draw(play, "9h", P)
    play.rule(r.PlayOn(), 1)
    for card, hand in zip(PLAYER_WINS.split()[1:], (B, P, B), strict=True):
        draw(play, card, hand)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    return play


@both_games
def test_7_11_2_1_players_choose_about_the_shoe(game: str) -> None:
    play = asked_about_the_shoe(game)
    given = only(tuple(play.events), e.ShoeChoiceGiven)
    assert (given.people, given.paragraph) == (("ann", "bob", "cho"), "7.11.2.1")  # bets or no bets
    assert told(play, c.Call(), DEALER) == ("flagged", "7.11.2.1")
    assert told(play, c.TakeOption("bob", False), "ann")[0] == "not_yours"
    chosen = only(play.do(c.TakeOption("ann", True), "ann"), e.ShoeChosen)
    assert (chosen.goes_on, chosen.paragraph) == (True, "7.11.2.1")
    assert told(play, c.TakeOption("ann", False), "ann") == ("no_options", "7.11.2.1")
    play.do(c.TakeOption("bob", True), DEALER)  # recorded by staff
    assert told(play, c.Call(), DEALER) == ("flagged", "7.11.2.1")
    assert only(play.do(c.TakeOption("cho", True), "cho"), e.ShoeKept).paragraph == "7.11.2.1"
    bets(play)
    assert (current(play).number, play.table.shoe.number) == (2, 2)
    assert stacks(play) == (10_075 - 125, 9_800 - 200)


REPLACED = [
    # setting, who wants new cards, replaced
    ("any", "", False),
    ("any", "cho", True),
    ("majority", "cho", False),
    ("majority", "ann cho", True),
    ("all", "ann cho", False),
    ("all", "ann bob cho", True),
]


@pytest.mark.parametrize(("setting", "wish", "replaced"), REPLACED)
def test_7_11_2_1_how_many_must_ask(setting: Any, wish: str, replaced: bool) -> None:
    play = asked_about_the_shoe(unburnt_shoe=setting)
    for person in ("ann", "bob", "cho"):
        events = play.do(c.TakeOption(person, person not in wish.split()), person)
    if not replaced:
        only(events, e.ShoeKept)
        assert not play.table.shoe.ended
        return play.call()
    assert only(events, e.ShoeToBeReplaced).paragraph == "7.11.2.1"
    assert only(events, e.ShoeEnded).number == 2
    assert told(play, c.Call(), DEALER)[0] == "no_shoe"
    play.shoe()
    return play.call()


def test_7_11_2_1_half_is_no_majority() -> None:
    for wish, kept in (("ann bob", True), ("ann bob cho", False)):
        play = unburnt(unburnt_shoe="majority")
        play.sit("dee", 3)
        draw(play, "9h", P)
        play.rule(r.PlayOn(), 1)
        for card, hand in zip(PLAYER_WINS.split()[1:], (B, P, B), strict=True):
            draw(play, card, hand)
        play.finish()
        for person in ("ann", "bob", "cho", "dee"):
            play.do(c.TakeOption(person, person not in wish.split()), person)
        assert play.table.shoe.ended is not kept


def test_7_11_2_1_of_those_who_are_there() -> None:
    play = unburnt(unburnt_shoe="all")
    play.do(c.WalkAway("ann"))
    draw(play, "9h", P)
    play.rule(r.PlayOn(), 1)
    for card, hand in zip(PLAYER_WINS.split()[1:], (B, P, B), strict=True):
        draw(play, card, hand)
    play.finish()
    chosen = only(tuple(play.events), e.ShoeChosen)
    assert (chosen.person, chosen.goes_on) == ("ann", True)  # who walked away goes on
    play.do(c.TakeOption("bob", False), "bob")
    assert only(play.do(c.TakeOption("cho", False), "cho"), e.ShoeKept).paragraph == "7.11.2.1"

    play = asked_about_the_shoe(unburnt_shoe="all")
    play.do(c.TakeOption("ann", False), "ann")
    play.do(c.TakeOption("bob", False), "bob")
    only(play.do(c.Leave("cho"), "cho"), e.ShoeToBeReplaced)  # she is not asked any more


def test_7_11_2_1_free_hand_waits_for_the_choice() -> None:
    for goes_on in (True, False):
        play = asked_about_the_shoe()
        draw(play, "4h")
        for person in ("ann", "bob"):
            play.do(c.TakeOption(person, True), person)
        assert play.table.round is None
        play.do(c.TakeOption("cho", goes_on), "cho")
        if goes_on:
            free_hand(play, 2, "4h", [P])
        else:
            assert (play.table.round, play.table.shoe.ended, play.table.shoe.discards) == (None, True, 5)


@both_games
def test_7_11_2_1_what_the_table_has_flagged_has_come_to_light_though_nobody_ruled(game: str) -> None:
    play = unburnt(game)
    first_hand(play)
    due = [event for event in play.events if isinstance(event, e.ShoeChoiceDue | e.ShoeChoiceGiven)]
    assert [event.paragraph for event in due] == ["7.11.2", "7.11.2.1"]
    assert play.table.incidents == {}
    for person in ("ann", "bob", "cho"):
        play.do(c.TakeOption(person, person != "ann"), person)
    assert play.table.shoe.ended


@both_games
def test_7_11_3_past_the_first_hand_the_shoe_goes_on(game: str) -> None:
    """No card of it was seen, and it is void: nothing can go back any more, and nobody chooses."""
    play = unburnt(game)
    play.do(c.Draw(None, P))
    play.void("the table was knocked over", DIRECTOR)
    play.finish()
    noted = only(tuple(play.events), e.Noted)
    assert (noted.family, noted.paragraph) == ("burn_forgotten", "7.11.3")
    assert play.table.incidents == {}
    assert not [event for event in play.events if isinstance(event, e.ShoeChoiceGiven | e.ShoeToBeReplaced)]
    assert told(play, c.Propose(r.BurnNow(), 1), DEALER)[0] == "unknown_request"
    assert isinstance(Play(play.table, ()).do(c.Burn((None,) * 3))[0], e.CardsBurnt)
    assert told(play, c.TakeOption("ann", False), "ann")[0] == "no_options"
    bets(play)
    play.close()
    play.deal(PLAYER_WINS)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    play.do(c.CutCard())
    play.call()
    play.close()
    play.deal(PLAYER_WINS)
    play.finish()
    ended = [event for event in play.events if isinstance(event, e.ShoeEnded)][-1]
    assert (ended.reason, ended.drawn, ended.discards) == (About.of("shoe.last_round"), 9, 9)


# --- 7.12, 7.13: cards drawn at once


def at_once(game: str, what: Any, paragraph: str) -> tuple[Play, int]:
    """The third and the fourth card came together: a king and a 9."""
    play = dealt(game, "2h 3c Kd 9s")
    together = "cards 3 and 4 came together"
    for cards in ((3,), (3, 3), (2, 4), (4, 5)):
        assert told(play, c.Report(what, together, cards), DEALER) == ("cards", paragraph)
    assert told(play, c.Report(what, " ", (3, 4)), DEALER)[0] == "bad_amount"
    return play, incident(play.do(c.Report(what, together, (3, 4))), what, paragraph, [3, 4])


@both_games
def test_7_12_order_known_the_cards_are_reconstructed(game: str) -> None:
    play, number = at_once(game, "simultaneous_in_order", "7.12")
    waits(play, "7.12")
    assert told(play, c.Propose(r.DecideOrder((4, 3)), number), DEALER) == ("ruling", "7.12")  # nothing to decide
    reconstructed(play, number, "7.12", (1, 2, 3, 4), (P, B, P, B))
    assert told(play, c.TakeOption("bob", False), "bob")[0] == "no_options"
    play.deal("6h Kc")  # 8 against 2
    settled_as(play, "P 2hKd6h B 3c9sKc", (10_075, 9_800))


@both_games
def test_7_12_shift_manager_lets_players_withdraw_before_it(game: str) -> None:
    play, number = at_once(game, "simultaneous_in_order", "7.12")
    allowed(play, number, "7.12", "7.12", "7.12")
    answers_differ(play, "7.12", "7.12")
    reconstructed(play, number, "7.12", (1, 2, 3, 4), (P, B, P, B))
    play.deal("6h Kc")
    settled_as(play, "P 2hKd6h B 3c9sKc", (10_075, 10_000))


def test_7_12_everybody_withdraws() -> None:
    play, number = at_once(GAME, "simultaneous_in_order", "7.12")
    allowed(play, number, "7.12", "7.12", "7.12")
    is_void(play, everybody(play, goes_on=False), "7.12")
    assert not play.table.shoe.ended


def test_7_12_not_after_the_reconstruction() -> None:
    play, number = at_once(GAME, "simultaneous_in_order", "7.12")
    play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    assert told(play, c.Propose(r.GiveOptions(), number, "late"), DEALER)[0] == "unknown_request"
    assert told(play, c.TakeOption("bob", False), "bob")[0] == "no_options"


def two_at_once(opening: str, family: Any) -> tuple[Play, int]:
    """After these four, two cards came together; they lie face down at no hand."""
    play = dealt(GAME, opening, face_down=True)
    play.do(c.Draw(Card("9h")))
    play.do(c.Draw(Card("4d")))
    number = only(play.do(c.Report(family, "together", (5, 6))), e.IncidentOpened).number
    return play, number


def test_7_12_turned_first_only_where_the_place_of_another_card_depends_on_it() -> None:
    play, number = two_at_once("6h 2c Kh 3c", "simultaneous_in_order")  # Player stands, Banker draws, and that is all
    arranged = only(play.rule(r.Reconstruct(), number, by=SUPERVISOR), e.CardsArranged)
    assert (arranged.hands, arranged.goes) == ((P, B, P, B, B), "next_round")

    play, number = two_at_once("5h 7c Kh Kc", "simultaneous_in_order")  # Banker stands whatever Player's third is
    arranged = only(play.rule(r.Reconstruct(), number, by=SUPERVISOR), e.CardsArranged)
    assert arranged.hands == (P, B, P, B, P)

    play, number = two_at_once("5h 3c Kh Kc", "simultaneous_in_order")  # on 3 Banker stands against an 8
    assert told(play, c.Propose(r.Reconstruct(), number), DEALER) == ("cards", "7.12")
    play.do(c.Turn(5))
    play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    assert [drawn.hand for drawn in current(play).cards] == [P, B, P, B, P, B]


@pytest.mark.parametrize("order", [(5, 6), (6, 5)])
def test_7_13_the_order_is_decided_without_looking_where_the_places_are_fixed(order: tuple[int, int]) -> None:
    play, number = two_at_once("5h 2c Kh Kc", "simultaneous")  # Banker on 2 draws whatever comes
    arranged = only(play.rule(r.DecideOrder(order), number, by=MANAGER), e.CardsArranged)
    assert (arranged.order, arranged.hands) == ((1, 2, 3, 4, *order), (P, B, P, B, P, B))

    play, number = two_at_once("6h 2c Kh 3c", "simultaneous")
    arranged = only(play.rule(r.DecideOrder(order), number, by=MANAGER), e.CardsArranged)
    assert (arranged.hands, arranged.goes) == ((P, B, P, B, B), "next_round")

    play, number = two_at_once("5h 4c Kh Kc", "simultaneous")
    assert told(play, c.Propose(r.DecideOrder(order), number), DEALER) == ("cards", "7.13")


def test_7_13_natural_that_lies_open_ends_the_hand_whatever_the_others_are() -> None:
    play = dealt(GAME, face_down=True)
    for _ in range(6):
        play.do(c.Draw())
    number = only(play.do(c.Report("simultaneous", "together", (5, 6))), e.IncidentOpened).number
    assert told(play, c.Propose(r.DecideOrder((6, 5)), number), DEALER) == ("cards", "7.13")
    play.do(c.Turn(1, Card("9h")))
    play.do(c.Turn(3, Card("Kh")))
    arranged = only(play.rule(r.DecideOrder((6, 5)), number, by=MANAGER), e.CardsArranged)
    assert arranged.hands == (P, B, P, B)


def order_decided(game: str) -> Play:
    """A Pit Manager has decided that the 9 came first: Player has 1, Banker 3."""
    play, number = at_once(game, "simultaneous", "7.13")
    waits(play, "7.13")
    for wrong in ((3,), (1, 2), (3, 4, 5)):
        assert told(play, c.Propose(r.DecideOrder(wrong), number), DEALER) == ("cards", "7.13")
    assert told(play, c.Propose(r.Reconstruct(), number), DEALER) == ("ruling", "7.13")  # in which order?
    events = approved(play, r.DecideOrder((4, 3)), number, "pit_manager", "7.13")
    arranged = only(events, e.CardsArranged)
    assert (arranged.order, arranged.hands, arranged.paragraph) == ((1, 2, 4, 3), (P, B, P, B), "7.13")
    options = only(events, e.OptionsGiven)  # whatever anybody thinks of it
    assert (options.people, options.paragraph) == (("ann", "bob"), "7.13")
    assert (options.go_on, options.take_back) == ("7.13.2", "7.13.1")
    assert hands_of(play) == "P 2h9s B 3cKd"
    waits(play, "7.13.2")
    return play


@both_games
def test_7_13_pit_manager_decides_the_order(game: str) -> None:
    play = order_decided(game)
    everybody(play, goes_on=True)
    play.deal("6h 2c")
    settled_as(play, "P 2h9s6h B 3cKd2c", (10_075, 9_800))  # 7 against 5
    assert not play.table.shoe.ended


def test_7_13_or_leaves_it_as_it_is() -> None:
    play, number = at_once(GAME, "simultaneous", "7.13")
    events = play.rule(r.DecideOrder((3, 4)), number, by=MANAGER)
    assert only(events, e.CardsArranged).order == (1, 2, 3, 4)
    assert only(events, e.OptionsGiven).people == ("ann", "bob")
    assert hands_of(play) == "P 2hKd B 3c9s"


@both_games
def test_7_13_no_void_instead_of_the_decision(game: str) -> None:
    play, number = at_once(game, "simultaneous", "7.13")
    assert told(play, c.Propose(r.VoidRound(), number, "unclear"), DEALER) == ("ruling", "7.13")


@both_games
def test_7_13_each_time_that_cards_came_at_once_is_decided(game: str) -> None:
    play = dealt(game, "2h 3c Kd 9s")
    first = only(play.do(c.Report("simultaneous", "1 and 2", (1, 2))), e.IncidentOpened).number
    play.do(c.Propose(r.DecideOrder((2, 1)), first))
    second = only(play.do(c.Report("simultaneous", "3 and 4", (3, 4))), e.IncidentOpened).number
    assert told(play, c.Approve(1), MANAGER) == ("cards", "7.13")  # says nothing of the others
    for wrong in ((2, 1), (4, 3), (3, 1, 2, 4), (2, 1, 4, 3, 3)):
        assert told(play, c.Propose(r.DecideOrder(wrong), second), DEALER) == ("cards", "7.13")
    events = approved(play, r.DecideOrder((2, 1, 4, 3)), second, "pit_manager", "7.13")
    assert only(events, e.CardsArranged).order == (2, 1, 4, 3)
    assert only(events, e.OptionsGiven).people == ("ann", "bob")
    assert (hands_of(play), play.table.incidents, play.table.proposals) == ("P 3c9s B 2hKd", {}, {})


def test_7_13_cards_that_came_at_once_with_those_of_another_report() -> None:
    play = dealt(GAME, "2h 3c Kd 9s")
    for cards in ((1, 2), (2, 3)):
        number = only(play.do(c.Report("simultaneous", "at once", cards)), e.IncidentOpened).number
    play.rule(r.DecideOrder((3, 1, 2)), number, by=MANAGER)
    assert (hands_of(play), play.table.incidents) == ("P Kd3c B 2h9s", {})


def test_7_13_not_before_it_is_known_what_the_cards_are() -> None:
    play, number = at_once(GAME, "simultaneous", "7.13")
    torn = only(play.do(c.Report("damaged_card", "card 4 is torn", (4,))), e.IncidentOpened).number
    assert told(play, c.Propose(r.DecideOrder((4, 3)), number), DEALER) == ("flagged", "7.20")
    play.rule(r.ValueCard(4, Card("9s")), torn, "glued", DIRECTOR)
    play.rule(r.DecideOrder((4, 3)), number, by=MANAGER)
    assert hands_of(play) == "P 2h9s B 3cKd"


def test_7_13_declined() -> None:
    play, number = at_once(GAME, "simultaneous", "7.13")
    proposal = only(play.do(c.Propose(r.DecideOrder((4, 3)), number)), e.RulingProposed).number
    assert told(play, c.Propose(r.DecideOrder((4, 3)), number), DEALER)[0] == "already_there"
    assert told(play, c.Decline(proposal), SUPERVISOR)[0] == "rank"
    assert only(play.do(c.Decline(proposal, "the other way"), MANAGER), e.RulingDeclined).by == MANAGER
    assert told(play, c.Approve(proposal), MANAGER)[0] == "unknown_request"
    waits(play, "7.13")
    play.rule(r.DecideOrder((3, 4)), number, by=MANAGER)


def test_7_13_other_errors_do_not_lower_the_rank() -> None:
    play, number = at_once(GAME, "simultaneous", "7.13")
    moved = incident(play.do(c.Report("wrong_side", "card 4 lay at Player", (4,))), "wrong_side", "7.9", [4])
    assert told(play, c.Propose(r.Reconstruct(), moved), DEALER) == ("flagged", "7.13")  # the order first
    proposed = only(play.do(c.Propose(r.DecideOrder((4, 3)), number)), e.RulingProposed)
    assert proposed.needs == "pit_manager"
    play.do(c.Approve(proposed.number), MANAGER)
    assert play.table.incidents == {}


@both_games
def test_7_13_1_withdraw(game: str) -> None:
    play = order_decided(game)
    answers_differ(play, "7.13.2", "7.13.1")
    play.deal("6h 2c")
    settled_as(play, "P 2h9s6h B 3cKd2c", (10_075, 10_000))

    play = order_decided(game)
    is_void(play, everybody(play, goes_on=False), "7.13.1")
    assert not play.table.shoe.ended  # the book replaces it for a wrong delivery only (7.10.2)


@both_games
def test_7_13_2_continue_in_that_order(game: str) -> None:
    play = order_decided(game)
    taken = only(play.do(c.WalkAway("bob")), e.OptionTaken)  # away from the question
    assert (taken.person, taken.goes_on, taken.paragraph) == ("bob", True, "7.13.2")
    taken = only(play.do(c.TakeOption("ann", True), "ann"), e.OptionTaken)
    assert (taken.goes_on, taken.paragraph, taken.transfers) == (True, "7.13.2", ())
    assert (stacks(play), layout(play)) == ((9_875, 9_800), (125, 200))
    play.deal("2s 5c")  # 3 against 8
    settled_as(play, "P 2h9s2s B 3cKd5c", (9_875, 10_000 + BANKER_PROFIT[game]))


def test_7_13_2_who_walked_away_before_goes_on() -> None:
    play, number = at_once(GAME, "simultaneous", "7.13")
    play.do(c.WalkAway("bob"))
    taken = only(play.rule(r.DecideOrder((4, 3)), number, by=MANAGER), e.OptionTaken)
    assert (taken.person, taken.goes_on, taken.paragraph) == ("bob", True, "7.13.2")
    play.do(c.TakeOption("ann", False), "ann")
    play.deal("2s 5c")
    settled_as(play, "P 2h9s2s B 3cKd5c", (10_000, 10_190))


# --- what the book does not mention, and nobody has to decide


# --- 7.15


def test_7_15_reported_it_changes_nothing() -> None:
    play = dealt(GAME, "2h 3c Kd Qs", face_down=True)
    (noted,) = play.do(c.Report("squeeze_not_delivered", "the dealer opened Bob's cards"))
    assert noted == e.Noted("squeeze_not_delivered", "the dealer opened Bob's cards", "7.15")
    assert play.table.incidents == {}
    play.deal("6h 2c")
    settled_as(play, "P 2hKd6h B 3cQs2c", (10_075, 9_800))


# --- 7.20: what the book does not cover

UNCOVERED = [
    (c.Report("dealing_error", "the dealer dropped the shoe"), "dealing_error"),
    (c.Report("damaged_card", "card 2 is torn", (2,)), "damaged_card"),
    (c.Report("face_up", "dealt open", (1,)), "face_up"),
    (c.Report("exposed_cards", "a card of the hand flashed", (2,)), "exposed_cards"),  # 7.5 is about the next hand
    (c.Report("shoe_fault", "it jammed"), "shoe_fault"),
    (c.ReportInterruption("the lights went out", lost=True), "interruption"),
    (c.ReportInterruption("the lights flickered"), "interruption"),
]


@both_games
@pytest.mark.parametrize(("report", "family"), UNCOVERED)
def test_7_20_what_is_not_covered_goes_to_the_assistant_director(game: str, report: Any, family: str) -> None:
    play = dealt(game, "2h 3c", face_down=True)
    opened = only(play.do(report), e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.covered) == (family, "7.20", False)
    waits(play, "7.20")
    assert told(play, c.Propose(r.VoidRound(), opened.number), DEALER) == ("reason", "7.20")  # why?
    events = approved(play, r.VoidRound(), opened.number, "assistant_director", "7.20", "to be fair")
    is_void(play, events, "7.20")


@both_games
@pytest.mark.parametrize("lost", [False, True])
def test_7_20_interruption_while_bets_are_taken_waits_for_a_ruling(game: str, lost: bool) -> None:
    play = table_of(game)
    bets(play)
    number = only(play.do(c.ReportInterruption("lights out", lost=lost)), e.IncidentOpened).number
    assert told(play, place("bob", 2, tie=50), "bob") == ("flagged", "7.20")
    assert told(play, c.Close(), DEALER) == ("flagged", "7.20")
    other = branch(play)
    play.do(c.Withdraw("bob", 2, "banker", 100_00), "bob")  # before the close, always
    approved(play, r.PlayOn(), number, "assistant_director", "7.20", "they are on again")
    play.do(place("bob", 2, banker=100), "bob")
    play.close()
    play.deal(PLAYER_WINS)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    events = approved(other, r.VoidRound(), number, "assistant_director", "7.20", "nobody knows the bets")
    is_void(other, events, "7.20")


def test_7_20_director_decides_otherwise() -> None:
    play = dealt(GAME, "2h 3c Kd Qs")
    number = only(play.do(c.Report("dealing_error", "a card fell")), e.IncidentOpened).number
    events = approved(play, r.GiveOptions(), number, "assistant_director", "7.20", "a card fell")
    assert only(events, e.OptionsGiven).paragraph == "7.20"
    play.do(c.TakeOption("ann", True), "ann")
    assert only(play.do(c.TakeOption("bob", False), "bob"), e.OptionTaken).paragraph == "7.20"
    approved(play, r.Reconstruct(), number, "assistant_director", "7.20", "as they were")
    play.deal("6h 2c")
    settled_as(play, "P 2hKd6h B 3cQs2c", (10_075, 10_000))


def test_7_20_nobody_below_answers_it_along_the_way() -> None:
    play = dealt(GAME, PLAYER_WINS)
    play.do(c.Report("dealing_error", "the dealer dropped the shoe"))
    seen = only(draw(play, "4h"), e.IncidentOpened)
    assert (seen.family, seen.paragraph) == ("exposed_cards", "7.5")  # the dealer's to put right, if it were alone
    approved(play, r.Reconstruct(), seen.number, "assistant_director", "7.5")


@both_games
def test_7_20_nobody_below_voids_it_along_the_way(game: str) -> None:
    play = dealt(game, PLAYER_WINS)
    play.do(c.Report("dealing_error", "the dealer dropped the shoe"))
    surplus = only(draw(play, "4h", P), e.IncidentOpened).number
    events = approved(play, r.VoidRound(), surplus, "assistant_director", "7.3", "cannot be put right")
    is_void(play, events, "7.3")


def test_7_20_open_still_when_the_hand_becomes_free() -> None:
    play, number = squeezed(GAME, PLAYER_WINS, (1, 2, 3, 4))
    dropped = only(play.do(c.Report("dealing_error", "the dealer dropped the shoe")), e.IncidentOpened).number
    play.rule(r.GiveOptions(), number, "courtesy", SHIFT)
    events = everybody(play, goes_on=False)
    assert only(events, e.PlayedFree).paragraph == "7.10.1"
    assert set(play.table.incidents) == {dropped}
    approved(play, r.Reconstruct(), dropped, "assistant_director", "7.20", "as they were")
    settled_as(play, "P 9hKd B 8cKs", (10_000, 10_000))


def test_7_20_at_discretion() -> None:
    play = dealt(GAME, "2h 3c Kd Qs")
    voided = approved(branch(play), r.VoidRound(), 0, "assistant_director", "7.20", "a fire alarm")
    assert only(voided, e.RoundVoided).paragraph == "7.20"
    for ruling in (r.GiveOptions(), r.ReplaceShoe(), r.Pay("ann", 50_00)):
        approved(branch(play), ruling, 0, "assistant_director", "7.20", "to be fair")
    number = only(play.do(c.Report("simultaneous", "two at once", (3, 4))), e.IncidentOpened).number
    play.rule(r.DecideOrder((3, 4)), number, by=MANAGER)
    everybody(play, goes_on=True)
    # this book has no new shoe for cards drawn at once
    events = approved(play, r.ReplaceShoe(), 0, "assistant_director", "7.20", "the shoe sticks")
    assert only(events, e.ShoeToBeReplaced).paragraph == "7.20"
    play.deal("6h 2c")
    settled_as(play, "P 2hKd6h B 3cQs2c", (10_075, 9_800))
    assert play.table.shoe.ended


# --- 8: disputes

NOTES: tuple[Any, ...] = ("escalated", "facts", "surveillance", "time_frame")


def disputed(game: str = GAME, *steps: Any) -> Play:
    """Bob disputes that round 1, which he lost, came out as it did; these steps were taken."""
    play = dealt(game, PLAYER_WINS)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))
    play.do(c.RaiseDispute("bob", "the cards were mixed", 1), "bob")
    for step in steps:
        play.do(c.NoteOnDispute(1, step, f"about {step}"), MANAGER)
    return play


def decision(*grounds: Any, pays: int = 0) -> c.DecideDispute:
    return c.DecideDispute(1, "Bob is right" if pays else "the result stands", grounds, pays * 100)


@both_games
def test_8_1_raised_and_resolved_by_the_supervisor(game: str) -> None:
    play = dealt(game, PLAYER_WINS)
    raised = c.RaiseDispute("bob", "Ann bet late", 1)
    assert told(play, raised, "ann")[0] == "not_yours"
    assert told(play, c.RaiseDispute("bob", " "), "bob")[0] == "bad_amount"
    assert told(play, c.RaiseDispute("bob", "a round to come", 2), "bob") == ("no_round", "8.1")
    dispute = only(play.do(raised, "bob"), e.DisputeRaised)
    assert (dispute.number, dispute.person, dispute.round, dispute.paragraph) == (1, "bob", 1, "8.1")
    solved = c.NoteOnDispute(1, "resolved", "the camera shows that she did not")
    for person in ("bob", DEALER, OTHER_DEALER, HOUSE):
        assert told(play, solved, person) == ("rank", "8.1")
    noted = only(play.do(solved, SUPERVISOR), e.DisputeNoted)
    assert (noted.what, noted.by, noted.paragraph) == ("resolved", SUPERVISOR, "8.1")
    assert play.table.disputes == {}
    assert told(play, solved, SUPERVISOR) == ("unknown_request", "8.1")
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))


@both_games
def test_8_1_what_the_supervisor_cannot_resolve_goes_to_the_pit_manager(game: str) -> None:
    play = disputed(game)
    for step in NOTES[1:]:
        assert told(play, c.NoteOnDispute(1, step, "so"), MANAGER)[0] == "dispute"  # not yet
    assert told(play, c.NoteOnDispute(1, "escalated", "he insists"), DEALER) == ("rank", "8.1")
    noted = only(play.do(c.NoteOnDispute(1, "escalated", "he insists"), SUPERVISOR), e.DisputeNoted)
    assert (noted.what, noted.paragraph) == ("escalated", "8.1")
    for step in ("resolved", "escalated"):
        again = c.NoteOnDispute(1, step, "again")  # type: ignore[arg-type]
        assert told(play, again, SUPERVISOR) == ("dispute", "8.1")


def test_8_1_neither_stops_play_nor_holds_money() -> None:
    play = disputed(GAME, *NOTES[:2])
    bets(play)
    play.close()
    play.deal(PLAYER_WINS)
    play.do(c.RaiseDispute("ann", "paid too little", 2), DEALER)  # staff for a player, while another one is open
    settled_as(play, "P 9hKd B 8cKs", (10_150, 9_600))
    assert only(play.do(c.CashOut("bob", 9_600_00), "bob"), e.MoneyMoved).amount == 9_600_00
    assert set(play.table.disputes) == {1, 2}
    play.call()


@both_games
def test_8_2_facts_and_surveillance(game: str) -> None:
    play = disputed(game, "escalated")
    for what, note in (("facts", "both were heard"), ("surveillance", "camera 4"), ("facts", "the cards were counted")):
        step = c.NoteOnDispute(1, what, note)  # type: ignore[arg-type]
        assert told(play, step, SUPERVISOR) == ("rank", "8.2")
        noted = only(play.do(step, MANAGER), e.DisputeNoted)
        assert (noted.what, noted.note, noted.by, noted.paragraph) == (what, note, MANAGER, "8.2")
    dispute = play.table.disputes[1]
    assert (dispute.facts, dispute.surveillance) == (("both were heard", "the cards were counted"), True)


@pytest.mark.parametrize("steps", [(), ("escalated",), ("escalated", "facts"), ("escalated", "surveillance")])
def test_8_2_no_decision_before(steps: tuple[str, ...]) -> None:
    play = disputed(GAME, *steps)
    assert told(play, decision("game_rules"), MANAGER) == ("dispute", "8.2")


def test_8_2_higher_ranks_may() -> None:
    for person in (SHIFT, DIRECTOR):
        play = disputed(GAME, "escalated")
        play.do(c.NoteOnDispute(1, "facts", "heard"), person)
        play.do(c.NoteOnDispute(1, "surveillance", "told"), person)
        assert only(play.do(decision("surveillance"), person), e.DisputeDecided).by == person


@both_games
def test_8_3_time_frame_where_possible(game: str) -> None:
    play = disputed(game, "escalated")
    given = c.NoteOnDispute(1, "time_frame", "within two hours")
    assert told(play, given, DEALER)[0] == "rank"
    noted = only(play.do(given, SUPERVISOR), e.DisputeNoted)  # the paragraph names nobody
    assert (noted.note, noted.paragraph) == ("within two hours", "8.3")
    assert play.table.disputes[1].time_frame == "within two hours"
    without = disputed(game, *NOTES[:3])
    without.do(decision("game_rules"), MANAGER)  # it was not possible
    assert told(without, given, MANAGER) == ("dispute", "8.3")  # and is late now


@both_games
def test_8_4_decision_on_named_grounds(game: str) -> None:
    play = disputed(game, *NOTES)
    assert told(play, decision(), MANAGER) == ("dispute", "8.4")
    assert told(play, decision("law", "law"), MANAGER) == ("dispute", "8.4")
    assert told(play, c.DecideDispute(1, " ", ("law",)), MANAGER) == ("bad_amount", "8.4")
    assert told(play, decision("game_rules"), SUPERVISOR)[0] == "rank"
    assert told(play, decision("game_rules"), "bob")[0] == "rank"
    before = play.table.balances
    decided = only(play.do(decision("surveillance", "game_rules"), MANAGER), e.DisputeDecided)
    assert (decided.grounds, decided.cited) == (("game_rules", "surveillance"), ("8.4.1", "8.4.6"))
    assert (decided.paragraph, decided.by, decided.pays) == ("8.4", MANAGER, 0)
    assert play.table.balances == before
    assert told(play, decision("game_rules"), DIRECTOR) == ("dispute", "8.4")  # once
    answered = only(play.do(c.AnswerDispute("bob", 1, True), "bob"), e.DisputeAnswered)
    assert (answered.agrees, answered.paragraph) == (True, "8.4")
    assert play.table.disputes == {}


@both_games
def test_8_4_what_it_changes_is_posted_anew(game: str) -> None:
    play = disputed(game, *NOTES)
    settled = only(tuple(play.events), e.RoundSettled)
    decided, proposed = play.do(decision("accounts", pays=150), MANAGER)
    assert isinstance(decided, e.DisputeDecided)
    assert isinstance(proposed, e.RulingProposed)
    assert (decided.pays, proposed.ruling) == (150_00, r.Pay("bob", 150_00, dispute=1, given=-200_00))
    assert stacks(play) == (10_075, 9_800)  # it waits for a second person, who sees what the round gave (reading Z)
    assert told(play, c.Approve(proposed.number), MANAGER)[0] == "second_person"
    paid = only(play.do(c.Approve(proposed.number), DEALER), e.MoneyRuled)
    assert paid.transfers == (e.Transfer("tray", "chips:bob", 150_00),)
    assert stacks(play) == (10_075, 9_950)
    assert only(tuple(play.events), e.RoundSettled) == settled
    assert play.table.past[0].lines == settled.lines
    assert [result.winner for result in play.table.results] == ["player"]

    play = disputed(game, *NOTES)
    play.do(decision("accounts", pays=-150), MANAGER)
    paid = only(play.do(c.Approve(1), SUPERVISOR), e.MoneyRuled)
    assert (paid.transfers, paid.paragraph) == ((e.Transfer("chips:bob", "tray", 150_00),), "8.4")

    play = disputed(game, *NOTES)
    play.do(decision("accounts", pays=150), MANAGER)
    play.do(c.Decline(1, "paid already"), SHIFT)
    assert stacks(play) == (10_075, 9_800)
    mine = c.Propose(r.Pay("bob", 50_00, dispute=1), 0, "for the dispute")
    assert told(play, mine, DEALER)[0] == "bad_amount"  # only its decision can say so

    play = disputed(game, *NOTES)
    play.do(decision("accounts", pays=-150), MANAGER)
    play.do(c.Approve(1), SUPERVISOR)
    assert stacks(play) == (10_075, 9_650)


def test_8_4_money_of_somebody_who_has_gone() -> None:
    play = disputed(GAME, *NOTES)
    play.do(c.Leave("bob"), "bob")
    play.do(decision("accounts", pays=150), MANAGER)
    play.do(c.Approve(1), SUPERVISOR)
    assert play.table.balances["held:bob"] == 150_00
    play.do(c.Join("bob", 2), "bob")
    assert (play.table.balances["held:bob"], play.table.stack("bob")) == (0, 150_00)

    play = disputed(GAME, *NOTES)
    play.do(c.ChipsOut("bob", 9_700_00))
    play.do(decision("accounts", pays=-150), MANAGER)
    events = play.do(c.Approve(1), SUPERVISOR)
    assert play.table.stack("bob") == 0
    assert (play.table.balances["owed:bob"], play.table.balances["receivables"]) == (-50_00, 50_00)
    debt = only(events, e.IncidentOpened)
    assert (debt.family, debt.person, debt.blocks) == ("debt", "bob", False)


def grounded(ground: Any, paragraph: str) -> None:
    for game in GAMES:
        play = disputed(game, *NOTES)
        decided = only(play.do(decision(ground), MANAGER), e.DisputeDecided)
        assert (decided.grounds, decided.cited) == ((ground,), (paragraph,))
        assert play.table.disputes[1].decision == "the result stands"


def test_8_4_1_game_rules() -> None:
    grounded("game_rules", "8.4.1")


def test_8_4_2_published_information() -> None:
    grounded("published_information", "8.4.2")


def test_8_4_3_operating_procedures() -> None:
    grounded("procedures", "8.4.3")


def test_8_4_4_internal_controls() -> None:
    grounded("internal_controls", "8.4.4")


def test_8_4_5_accounts_of_both_sides() -> None:
    grounded("accounts", "8.4.5")


def test_8_4_6_evidence_of_surveillance() -> None:
    grounded("surveillance", "8.4.6")


def test_8_4_7_other_evidence() -> None:
    grounded("other_evidence", "8.4.7")


def test_8_4_8_the_law() -> None:
    grounded("law", "8.4.8")


def disagreed(game: str = GAME) -> Play:
    """Bob does not agree with the decision."""
    play = disputed(game, *NOTES)
    no = c.AnswerDispute("bob", 1, False)
    assert told(play, no, "bob") == ("dispute", "8.5")  # with what?
    play.do(decision("game_rules"), MANAGER)
    assert told(play, c.AnswerDispute("ann", 1, False), "ann")[0] == "not_yours"
    assert told(play, c.NoteOnDispute(1, "right_told", "told"), MANAGER) == ("dispute", "8.5")  # he has not said so
    answered = only(play.do(no, "bob"), e.DisputeAnswered)
    assert (answered.agrees, answered.paragraph) == (False, "8.5")
    assert told(play, no, "bob")[0] == "already_there"
    return play


@both_games
def test_8_5_right_to_complain(game: str) -> None:
    play = disagreed(game)
    told_so = c.NoteOnDispute(1, "right_told", "Senior Management takes formal complaints")
    assert told(play, told_so, DEALER)[0] == "rank"
    noted = only(play.do(told_so, SUPERVISOR), e.DisputeNoted)
    assert (noted.what, noted.by, noted.paragraph) == ("right_told", SUPERVISOR, "8.5")
    assert play.table.disputes[1].right_told


@both_games
def test_8_6_help_with_the_complaint(game: str) -> None:
    play = disagreed(game)
    filed = c.NoteOnDispute(1, "complaint_filed", "form 12, filled in with the Pit Manager")
    assert told(play, filed, MANAGER) == ("dispute", "8.6")  # he was not told of the right yet
    play.do(c.NoteOnDispute(1, "right_told", "told"), MANAGER)
    assert set(play.table.disputes) == {1}
    noted = only(play.do(filed, SUPERVISOR), e.DisputeNoted)
    assert (noted.what, noted.by, noted.paragraph) == ("complaint_filed", SUPERVISOR, "8.6")
    assert play.table.disputes == {}
    assert told(play, filed, MANAGER)[0] == "unknown_request"


@both_games
def test_8_6_no_complaint_is_wanted(game: str) -> None:
    play = disagreed(game)
    waived = c.NoteOnDispute(1, "complaint_waived", "he leaves it at that")
    assert told(play, waived, MANAGER) == ("dispute", "8.5")  # he was not told of the right yet
    play.do(c.NoteOnDispute(1, "right_told", "told"), MANAGER)
    assert told(play, waived, SUPERVISOR)[0] == "rank"
    noted = only(play.do(waived, MANAGER), e.DisputeNoted)
    assert (noted.what, noted.by, noted.paragraph) == ("complaint_waived", MANAGER, "8.5")
    assert play.table.disputes == {}


@both_games
@pytest.mark.parametrize("right_told", [False, True])
def test_8_5_agrees_after_second_thoughts(game: str, right_told: bool) -> None:
    play = disagreed(game)
    if right_told:
        play.do(c.NoteOnDispute(1, "right_told", "told"), MANAGER)
    answered = only(play.do(c.AnswerDispute("bob", 1, True), "bob"), e.DisputeAnswered)
    assert (answered.agrees, answered.paragraph) == (True, "8.4")
    assert play.table.disputes == {}


@both_games
def test_7_5_no_card_can_show_in_an_empty_shoe(game: str) -> None:
    play = fresh_shoe(game, decks=1)
    assert told(play, c.Burn((None,) * 53), DEALER) == ("cards", "7.2")
    assert told(play, c.Report("face_up_in_shoe", "it shows", (1,)), DEALER) == ("cards", "7.5")
    play.do(c.Burn((None,) * 52), DEALER)  # a wrong number, and all there are
    assert told(play, c.Report("face_up_in_shoe", "it shows"), DEALER) == ("cards", "7.2")


# --- 7.20: bets taken away too late


@both_games
@pytest.mark.parametrize(("stands", "left"), [(100, 10_075), (40, 10_015), (0, 9_975)])
def test_7_20_what_stands_of_a_bet_taken_away_too_late_is_ruled(game: str, stands: int, left: int) -> None:
    play = dealt(game, "9h")
    events = play.do(c.LateChips("ann", 1, "player", 60_00, "withdrawn"))
    gone = only(events, e.LateChipsRefused)
    assert (gone.paragraph, gone.waits) == ("7.20", True)
    number = incident(events, "late_withdrawal", "7.20")
    waits(play, "7.20")
    again = play.do(c.LateChips("ann", 1, "player", 40_00, "withdrawn"))
    assert [type(event) for event in again] == [e.LateChipsRefused]  # one matter
    ruling = r.SetStake("ann", 1, "player", stands * 100)
    approved(play, ruling, number, "assistant_director", "7.20", "seen on camera")
    play.deal("8c Kd Ks")
    play.finish()
    assert stacks(play) == (left, 9_800)


@both_games
def test_7_5_card_out_early_that_somebody_looked_at_is_recorded(game: str) -> None:
    play = table_of(game, face_down=True)
    play.call()
    play.do(c.Draw())
    assert only(play.do(c.Report("exposed_cards", "ann lifted it", (1,))), e.Noted).cards == (1,)
    assert [drawn.viewed for drawn in play.table.carried] == [True]


@both_games
def test_7_20_ruled_stake_is_not_under_7_17_whatever_is_found_beside_it(game: str) -> None:
    play = dealt(game)
    number = incident(play.do(c.LateChips("ann", 1, "player", 85_00, "withdrawn")), "late_withdrawal", "7.20")
    approved(play, r.SetStake("ann", 1, "player", 15_00), number, "assistant_director", "7.20", "seen on camera")
    play.do(c.FindBet("bob", 2, "tie", 100_00))
    play.deal(PLAYER_WINS)
    play.finish()
    settled = [line for event in play.events if isinstance(event, e.RoundSettled) for line in event.lines]
    assert [line.stake for line in settled if (line.person, line.bet) == ("ann", "player")] == [15_00]
    assert play.table.under_minimum == frozenset()  # and 7.17 is not used up


@pytest.mark.parametrize(("bet", "next_time"), [("tie", "returned"), ("big_tiger", "returned"), ("banker", "lost")])
def test_7_17_small_bet_that_a_tie_decides_was_the_one_time(bet: str, next_time: str) -> None:
    """One on a hand goes back in a tie, and has not been paid or collected."""
    lines = f"call\nclose\nfind bet ann {bet} 40\ndeal 9h 9c Kd Ks\nannounce tie\n"
    lines += "call\nclose\nfind bet ann banker 40\ndeal 9h 8c Kd Ks\nannounce player\n"
    holds(GAME, lines + f"expect {next_time} ann banker 40\n")


def test_7_20_ruled_stake_stays_ruled_where_the_bet_really_lay() -> None:
    """The record is put right to another bet: what stands of it is not a Pit Manager's to change (reading Y)."""
    lines = "call\nbet ann banker 400\nclose\nlate withdrawal ann banker 300\n"
    lines += 'rule stake on 1 ann banker 100 "off in time"\napprove 1\n'
    now = lines + 'correct bet ann banker 400 to bet tie "keyed wrongly"\nexpect wager ann tie 100\n'
    holds(GAME, now + "deal 9h 8c Kd Ks\nannounce player\nexpect lost ann tie 100\nexpect stack ann 9900\n")
    lines += "deal 9h 8c Kd Ks\nannounce player\n"
    lines += 'correct bet ann banker 400 to bet tie in round 1 "keyed wrongly"\napprove 2\nexpect lost ann tie 100\n'
    lines += 'correct bet ann tie 400 to bet player in round 1 "seen"\napprove 3\nexpect won ann player 100\n'
    holds(GAME, lines + "expect stack ann 10100\n")


def test_7_20_stake_that_is_ruled_while_boxes_are_paid_moves_by_difference() -> None:
    """Nothing lies on the layout any more: a lost bet comes back from the tray, a won one goes there."""
    lines = "call\nbet ann banker 400\nbet bob player 200\nclose\ndeal 9h 8c Kd Ks\nannounce player\n"
    lines += 'late withdrawal ann banker 300\nrule stake on 1 ann banker 100 "off in time"\napprove 1\n'
    lines += "expect event stake_ruled 7.20\nexpect transfer tray chips:ann 300\nexpect balance layout:ann 0\n"
    lines += 'late withdrawal bob player 200\nrule stake on 2 bob player 0 "off in time"\napprove 2\n'
    lines += "expect transfer chips:bob tray 200\nexpect stack ann 9900\nexpect stack bob 10000\n"
    told = holds(GAME, lines, "burn rule none\nautomated settle")
    ruled = [record.event for record in told.records if isinstance(record.event, e.StakeRuled)]
    assert [event.transfers for event in ruled] == [(), ()]


def test_7_20_ruled_stake_under_the_minimum_does_not_make_others_stand_by_7_17() -> None:
    """What is found beside it, within all limits, stands because the chips lay there."""
    lines = "call\nbet ann player 100\nclose\nlate withdrawal ann player 60\n"
    lines += 'rule stake on 1 ann player 40 "camera"\napprove 1\nfind bet bob tie 100\ndeal 9h 8c Kd Ks\n'
    holds(GAME, lines + "announce player\nexpect event stakes_stand 4.2\nexpect won ann player 40\n")


def test_7_20_ruled_stake_counts_for_7_19_as_it_lay_at_the_close() -> None:
    play = table_of(GAME, differential=Differential(500_00))
    play.call()
    play.bet("bob", {"player": 500_00})
    play.bet("ann", {"banker": 1_000_00})
    play.close()
    number = incident(play.do(c.LateChips("bob", 2, "player", 500_00, "withdrawn")), "late_withdrawal", "7.20")
    approved(play, r.SetStake("bob", 2, "player", 0), number, "assistant_director", "7.20", "off in time")
    play.do(c.FindBet("cho", 1, "tie", 100_00))
    play.deal(PLAYER_WINS)
    play.finish()
    settled = [line for event in play.events if isinstance(event, e.RoundSettled) for line in event.lines]
    assert [line.stake for line in settled if line.bet == "banker"] == [1_000_00]


def test_7_20_bet_taken_away_too_late_plays_on() -> None:
    play = dealt(GAME)
    number = incident(play.do(c.LateChips("ann", 1, "player", 100_00, "withdrawn")), "late_withdrawal", "7.20")
    other = branch(play)
    approved(play, r.PlayOn(), number, "assistant_director", "7.20", "it was closed")
    assert layout(play) == (125, 200)
    next_card_shows_on_layout = other.do(c.Report("face_up_in_shoe", "the first card shows"))
    assert only(next_card_shows_on_layout, e.IncidentClosed).number == number  # all wagers are off


@both_games
def test_7_20_who_walks_away_needs_no_ruling(game: str) -> None:
    play = dealt(game)
    assert play.do(c.WalkAway("ann")) == (e.WalkedAway("ann", ""),)  # no paragraph says so, and nobody decides
    assert play.table.incidents == {}
    play.deal(PLAYER_WINS)
    settled_as(play, "P 9hKd B 8cKs", (10_075, 9_800))


# --- the paragraph that is cited


@both_games
@pytest.mark.parametrize(
    ("bet", "loses"),
    [
        ("player_pair", "6.2.1.2"),
        ("banker_pair", "6.2.1.2"),
        ("small_dragon", "6.3.1.1"),
        ("big_dragon", "6.4.1.1"),
        ("small_tiger", "6.5.1.1"),
        ("big_tiger", "6.6.1.1"),
        ("dragon_tiger", "6.7.1.1"),
    ],
)
def test_6_2_1_2_losing_side_bets(game: str, bet: str, loses: str) -> None:
    holds(game, f"call\nbet ann {bet} 100\nclose\ndeal 9h 8c Kd Ks\nannounce player\nexpect paragraph {loses}\n")


def test_7_1_1_the_round_in_progress_is_void() -> None:
    lines = 'call\nbet ann player 100\nforeign card "a blue back"\nexpect event cards_at_fault 7.1\n'
    holds(GAME, lines + "expect event round_voided 7.1.1\n")


def test_7_1_1_boxes_still_to_be_paid() -> None:
    lines = 'call\nbet ann player 100\nclose\ndeal 9h 8c Kd Ks\nannounce player\nforeign card "a blue back"\n'
    holds(GAME, lines + "expect event round_settled_again 7.1.1\n", "automated settle")


def test_7_1_2_what_was_settled_stands() -> None:
    lines = 'call\nbet ann player 100\nclose\ndeal 9h 8c Kd Ks\nannounce player\nforeign card "a blue back"\n'
    holds(GAME, lines + "expect event cards_at_fault 7.1.2\nexpect stack ann 10100\n")


def test_7_5_fourth_card_that_was_seen() -> None:
    lines = "call\nbet ann banker 100\nclose\ndeal 2h 3c Kd Qs 6h 2c\ndraw 9d banker turned\n"
    holds(GAME, lines + "expect incident 1 excess_cards 7.5\n")


def test_7_13_rank_of_who_decides_the_order() -> None:
    lines = 'call\nbet ann player 100\nclose\ndeal 2h 3c Kd 9s\nreport simultaneous 3 4 "two at once"\n'
    holds(GAME, lines + "rule order on 1 4 3\nsam: approve 1\nexpect refused rank 7.13\n", "")


def test_7_12_rank_of_who_allows_options() -> None:
    lines = 'call\nbet ann player 100\nclose\ndeal 2h 3c Kd 9s\nreport simultaneous in order 3 4 "two at once"\n'
    holds(GAME, lines + 'rule options on 1 "courtesy"\neva: approve 1\nexpect refused rank 7.12\n', "")


def test_7_10_2_rank_of_who_allows_options() -> None:
    lines = "call\nbet bob banker 500\nclose\nsqueeze bob banker\ngrant bob\n"
    lines += "draw 2h player\ndraw 3c banker\ndraw Kd player\ndraw Qs banker\n"
    lines += 'report squeeze delivery 1 3 "to Bob, who looked"\nrule options on 1 "courtesy"\n'
    holds(GAME, lines + "eva: approve 1\nexpect refused rank 7.10.2\n", "face down")


def test_4_8_squeeze_is_denied_by_a_pit_manager() -> None:
    lines = "call\nbet bob banker 500\nclose\nsqueeze bob banker\ndora: deny bob\nexpect refused rank 4.8\n"
    lines += "sam: deny bob\nexpect refused rank 4.8\n"
    holds(GAME, lines + "eva: deny bob\nexpect event squeeze_answered 4.8\n", "face down")


def test_7_20_withdrawal_after_the_close() -> None:
    holds(GAME, "call\nbet ann player 200\nclose\nwithdraw ann player\nexpect refused bets_closed 7.20\n")


def test_3_2_8_cards_are_cut() -> None:
    holds(GAME, "cut ann 200\nexpect event shoe_cut 3.2.8\n")


def test_4_2_bet_found_within_all_limits() -> None:
    lines = "call\nclose\nfind bet ann tie 100\nexpect event bet_found 4.2\ndeal 9h 8c Kd Ks\nannounce player\n"
    holds(GAME, lines + "expect event stakes_stand 4.2\n")


def test_7_17_small_bet_found_stands_once() -> None:
    lines = "call\nclose\nfind bet ann player 40\ndeal 9h 8c Kd Ks\nannounce player\n"
    holds(GAME, lines + "expect event stakes_stand 7.17\n")


def test_4_14_lacking_card_is_drawn() -> None:
    lines = "call\nbet ann player 100\nclose\ndeal Kh 5c 6d 2s\nannounce banker\n"
    holds(GAME, lines + 'report round 1 Kh 5c 5d 2s "Player had to draw"\nexpect incident 1 wrong_round 4.14\n')


def test_7_17_return_through_a_correction() -> None:
    lines = "call\nclose\nfind bet ann player 40\ndeal 9h 8c Kd Ks\nannounce player\ncall\nclose\ndeal 9h 8c Kd Ks\n"
    lines += 'announce player\ncorrect bet ann player 40 in round 2 "seen when paying"\napprove 1\n'
    holds(GAME, lines + "expect stack ann 10040\nexpect paragraph 7.17\n")


# --- 2.2.15, 4.2: a round begins with its first card (reading R)


def test_2_2_15_bets_neither_change_nor_go_once_the_first_card_is_out() -> None:
    lines = "call\nbet ann player 100\ndraw ?\nbet ann player 400\nexpect refused bets_closed 2.2.15\n"
    lines += "withdraw ann player 100\nexpect refused bets_closed 2.2.15\nexpect wager ann player 100\n"
    holds(GAME, lines + "close\nexpect hand player ?\n")


def test_2_2_15_card_out_after_the_call_that_somebody_looked_at_is_played_with_the_bets_that_lay_there() -> None:
    lines = (
        'call\nbet bob player 100\ndraw ?\nreport exposed cards 1 "ann lifted it"\nexpect no event free_hand_called\n'
    )
    lines += "bet ann player 500\nexpect refused bets_closed 2.2.15\nclose\nexpect hand player ?\n"
    holds(GAME, lines + "expect wager bob player 100\n", "face down\nautomated settle confirm")


FORTY = "call\nclose\nfind bet ann player 40\ndeal 9h 8c Kd Ks\nannounce player\n"
"""A round that Player wins, in which 40 of Ann's, below the minimum, come to light."""


@both_games
@pytest.mark.parametrize(
    ("amended", "again"),
    [
        ('correct bet ann player 140 in round 1 "three chips"\n', "won"),
        ('correct bet ann player 40 to person bob in round 1 "they were his"\n', "won"),
        ('correct bet ann player 0 in round 1 "nothing lay there"\n', "won"),
        ('correct card 2 9c in round 1 "a nine: it is a tie"\n', "won"),
        ('correct bet ann player 60 in round 1 "below the minimum all the same"\n', "returned"),
    ],
)
def test_7_17_is_not_used_up_by_a_small_bet_that_the_record_turns_out_not_to_have(
    game: str, amended: str, again: str
) -> None:
    lines = FORTY + amended + f"eva: approve 1\n{FORTY}expect {again} ann player 40\n"
    if "bob" in amended:  # whose one time it was
        lines += (
            "call\nclose\nfind bet bob player 40\ndeal 9h 8c Kd Ks\nannounce player\nexpect returned bob player 40\n"
        )
    holds(game, lines)


CALLED_OFF = """call
bet bob tie 100
close
deal 3h 2c Kd Ks 4d 4h
announce player
call
bet ann player 100
close
report round 1 3h 2c Kd Ks 4d "Banker's third was never drawn"
rule rectify on 1
approve 1
expect event round_voided 2.2.15
"""
"""Round 2 is called off with its bets closed, and round 1 played on first."""


@both_games
def test_4_14_round_played_on_while_the_next_was_closed_is_amended_as_any_other(game: str) -> None:
    told = holds(
        game,
        CALLED_OFF
        + "draw 5h banker turned\nannounce tie\nexpect won bob tie 800\ncall\nclose\ndeal 9h\n"
        + 'correct bet bob tie 200 in round 1 "two chips"\neva: approve 2\nexpect won bob tie 1600\n'
        + "expect stack bob 11600\nexpect stack ann 10000\n",
    )
    assert told.table is not None
    assert set(told.table.journals) == {1, 2}


def test_4_14_card_of_a_round_that_is_played_on_is_corrected_meanwhile() -> None:
    lines = CALLED_OFF + 'correct card 2 3c in round 1 "a three"\neva: approve 2\nexpect hand banker 3c Ks\n'
    holds(GAME, lines + "draw 5h banker turned\nannounce banker\nexpect lost bob tie 100\nexpect result banker\n")


FIRST_CARD_OUT = "call\nbet ann player 100\nbet bob banker 200\ndraw ?\n"
UNBURNT = "face down\nautomated settle confirm\nburn rule 3"


@pytest.mark.parametrize("looked", ["", 'report exposed cards 1 "ann lifted it"\n'])
def test_2_2_15_bets_do_not_change_either_where_the_burn_was_forgotten(looked: str) -> None:
    lines = FIRST_CARD_OUT + looked + "bet ann player 500\nexpect refused bets_closed 2.2.15\n"
    holds(GAME, lines + "withdraw ann player 100\nexpect refused bets_closed 2.2.15\n", UNBURNT)


def test_7_11_1_card_that_goes_back_for_the_burn_has_begun_nothing() -> None:
    lines = FIRST_CARD_OUT + "burn 3c ? ?\nexpect event cards_retrieved 7.11.1\nbet ann player 500\nclose\n"
    holds(GAME, lines + "deal 9h 8c Kd Ks\nannounce player\nexpect won ann player 600\n", UNBURNT)


@both_games
def test_7_20_bet_taken_away_after_the_first_card_and_before_the_close(game: str) -> None:
    lines = FIRST_CARD_OUT + "late withdrawal ann player 60\nexpect incident 1 late_withdrawal 7.20\n"
    lines += (
        'sam: rule stake on 1 ann player 40 "it was off"\neva: approve 1\nexpect refused rank 7.20\nal: approve 1\n'
    )
    lines += "expect stack ann 9960\nclose\nturn 1 8h\ndraw 9c turned\ndraw Kd turned\ndraw Ks turned\n"
    # it stays as it was ruled, and does not use 7.17 up
    lines += "announce banker\nexpect lost ann player 40\ncall\nclose\nfind bet ann player 40\ndeal 9h 8c Kd Ks\n"
    holds(game, lines + "announce player\nexpect won ann player 40\n")


def test_2_2_15_bet_put_down_after_the_first_card_and_before_the_close_goes_back() -> None:
    lines = FIRST_CARD_OUT + "late bet cho 1 player 300\nexpect event late_chips_refused 2.2.15\n"
    holds(GAME, lines + "expect wager cho player 0\nexpect wager ann player 100\n")


def test_2_2_15_card_out_before_the_call_begins_nothing() -> None:
    holds(GAME, "draw ?\ncall\nbet ann player 400\nwithdraw ann player 200\nexpect wager ann player 200\n")


def test_2_2_15_card_out_while_bets_are_open_makes_an_error_of_the_round_before_late() -> None:
    lines = "call\nbet ann player 100\nclose\ndeal 9h 8c Kd Ks\nannounce player\ncall\ndraw ?\n"
    holds(GAME, lines + 'report round 1 9h 8c 2d Ks "card 3 was a 2"\nexpect incident 1 late_discovery\n')


@pytest.mark.parametrize(
    ("looked", "goes"), [("", "next_round"), ('report exposed cards 5 "ann looked"\n', "free_hand")]
)
def test_7_5_card_too_many_that_lies_face_down_opens_a_free_hand_if_somebody_looked_at_it(
    looked: str, goes: str
) -> None:
    lines = "call\nbet bob banker 500\nclose\ndraw 7h player turned\ndraw 6c banker turned\ndraw Kd player turned\n"
    lines += "draw Ks banker turned\ndraw ?\nexpect incident 1 exposed_cards 7.5\n" + looked
    lines += "rule reconstruct on 1\nannounce player\n"
    free = "expect event free_hand_called\n" if goes == "free_hand" else "expect no event free_hand_called\n"
    holds(GAME, lines + free, "face down\nautomated settle confirm")


def test_7_5_that_somebody_looked_at_it_is_reported_once() -> None:
    lines = "call\nbet bob banker 500\nclose\ndraw 7h player turned\ndraw 6c banker turned\ndraw Kd player turned\n"
    lines += 'draw Ks banker turned\ndraw ?\nreport exposed cards 5 "ann looked"\nreport exposed cards 5 "bob too"\n'
    holds(GAME, lines + "expect refused already_there\n", "face down\nautomated settle confirm")


def test_7_5_card_too_many_that_nobody_saw_opens_no_free_hand_when_the_round_is_told_anew() -> None:
    """A fourth card at Player, face down, waits for the next hand. A report of a misread card changes nothing."""
    lines = "call\nbet bob banker 100\nclose\ndraw Kd player turned\ndraw 5d banker turned\ndraw 2c player turned\n"
    lines += "draw Th banker turned\ndraw Tc player turned\ndraw 2h player\nrule reconstruct on 1\napprove 1\n"
    lines += 'announce banker\nexpect carried ?\nreport round 1 Kd 5d 3c Th Tc 2h "card 3 was a 3"\n'
    lines += "rule rectify on 2\napprove 2\nexpect points player 3 banker 5\nexpect carried ?\ncall\n"
    holds("dragon-tiger-commission", lines + "expect no event free_hand_called\n")


# --- of the second reading


def test_2_2_2_cards_burnt_in_two_goes_count_together() -> None:
    lines = "burn ? ?\nexpect incident 1 wrong_burn 7.20\nburn ?\nexpect no incidents\nburn ?\n"
    holds(GAME, lines + "expect incident 2 wrong_burn 7.20\n", "burn rule 3")


def test_7_16_result_called_before_the_cards_are_out_is_on_record() -> None:
    lines = "call\nbet ann player 100\nclose\ndeal 2h 3c Kd Qs\nannounce banker\nexpect event result_called 7.16\n"
    holds(GAME, lines + "deal 5h 9c\nannounce player\nexpect won ann player 100\n", "burn rule none\nautomated settle")


def test_7_17_small_bet_that_is_seen_when_paying_is_found_like_any() -> None:
    lines = "call\nbet bob player 200\nclose\ndeal 9h 8c Kd Ks\nannounce player\nfind bet ann player 40\n"
    lines += "expect proposal 1 correct_bet pit manager\neva: approve 1\nexpect won ann player 40\n"
    holds(GAME, lines, "burn rule none\nautomated settle")


@pytest.mark.parametrize(
    "before", ["", "call\n", "call\nbet ann player 200\nclose\ndeal 9h 8c Kd Ks\nannounce player\n"]
)
def test_7_20_faults_are_on_record_whenever_they_are_seen(before: str) -> None:
    lines = before + 'report shoe fault "the lid broke"\nexpect incident 1 shoe_fault 7.20\n'
    holds(GAME, lines, "burn rule none\nautomated settle")


# --- 7.20: a round is told anew while another is on, or is played on: each keeps its own cards

FIVE_CARDS = """\
call
bet ann player 100
close
deal 9h 2d 4h 3d
draw Jd player turned
announce banker
"""
FOUR_IN_TRUTH = 'report round 1 9h 2d 4h 3d "no fifth card"\n'
ALL_VOID = 'rule void on 1 "agreed"\nal: approve 1\nexpect result void\n'
PLAYED_ON = "confirm 1\ndraw ?\n" + FOUR_IN_TRUTH + 'rule rectify on 1 "agreed"\nal: approve 1\nexpect phase dealing\n'


def conserved(lines: str, drawn: int) -> None:
    """So many cards have left the shoe, and each is in one place."""
    table = holds(GAME, FIVE_CARDS + lines, "burn rule none\nautomated settle").table
    assert table is not None
    assert misplaced(table) is None
    assert table.shoe.drawn == drawn


def test_7_20_void_round_does_not_take_the_card_that_the_next_was_begun_with() -> None:
    """The dealer's confirmation ended the one and began the other, a Free Hand with the card that waited."""
    conserved("draw Ad turned\nconfirm 1\nexpect phase dealing\n" + FOUR_IN_TRUTH + ALL_VOID, 5)


@pytest.mark.parametrize(("truth", "count"), [("9c 2s 4c 3s", 4), ("9c 2s 4c 3d 5d", 5)])
def test_7_20_what_is_told_of_the_round_before_is_not_of_this_one(truth: str, count: int) -> None:
    next_round = "confirm 1\ncall\nbet ann player 100\nclose\ndeal 9c 2s\n" + FOUR_IN_TRUTH + ALL_VOID
    over = "deal 4c 3s Js\nannounce banker\nconfirm 1\n"
    void = f'report round 2 {truth} "others"\nrule void on 2 "agreed"\nal: approve 2\nexpect result void\n'
    conserved(next_round + over + void, 4 + count)


@pytest.mark.parametrize("card", ["9c", "4c"])  # the card that waited is due to the round, or no longer
def test_7_20_card_drawn_since_stays_out_when_the_round_played_on_is_corrected(card: str) -> None:
    corrected = f'turn 6 Kd\ncorrect card 1 {card} "misread"\neva: approve 2\nexpect phase dealing\n'
    conserved(PLAYED_ON + corrected, 5)


def test_7_20_round_that_was_played_on_is_told_anew_with_the_cards_it_had_since() -> None:
    played_on = PLAYED_ON.replace("draw ?\n", "") + "draw 2h player turned\nannounce tie\nconfirm 1\n"
    again = 'report round 1 9h 2d 4h 3d 3c "the fifth was a 3"\nrule void on 2 "agreed"\nal: approve 2\n'
    conserved(played_on + again + "expect result void\n", 5)


# --- 8: a dispute outlives its table

DISPUTED = """\
call
bet ann player 100
close
deal 9h 8c Kd Ks
announce player
dispute ann in round 1 "the tie was not paid"
sam: note on dispute 1 escalated "she insists"
leave ann
leave bob
leave cho
sam: close table 1000x99 100x9
expect phase closed
expect disputes 1
"""
TO_THE_END = """\
eva: note on dispute 1 facts "heard"
eva: note on dispute 1 surveillance "camera 4"
eva: decide dispute 1 game_rules "it stands"
disagree ann dispute 1
eva: note on dispute 1 right told "told"
eva: note on dispute 1 complaint filed "form 12"
expect event dispute_noted 8.6
"""
BY_HAND_NO_BURN = "burn rule none\nautomated settle confirm"


def test_8_6_dispute_goes_on_when_its_table_is_closed() -> None:
    holds(GAME, DISPUTED + TO_THE_END + "call\nexpect refused table_closed\n", BY_HAND_NO_BURN)


def test_8_4_what_a_dispute_pays_after_the_closing_comes_from_the_cage() -> None:
    lines = DISPUTED + TO_THE_END.partition("eva: decide")[0]
    lines += 'eva: decide dispute 1 game_rules pays -50 "too much"\nexpect refused dispute.closed 8.4\n'
    lines += 'eva: decide dispute 1 game_rules pays 50 "in good will"\nmax: approve 1\n'
    holds(
        GAME,
        lines + "expect transfer cage held:ann 50\nagree ann dispute 1\nexpect event dispute_answered\n",
        BY_HAND_NO_BURN,
    )


def test_8_1_dispute_may_be_raised_when_the_table_is_closed() -> None:
    before, _, after = DISPUTED.partition("dispute ann")
    lines = before + after.partition('insists"\n')[2].replace("expect disputes 1\n", "")
    lines += "staff nia pit manager\nexpect refused table_closed\n"
    lines += (
        'sam: dispute ann in round 1 "the tie was not paid"\nexpect event dispute_raised 8.1\nstaff nia pit manager\n'
    )
    holds(GAME, lines + "expect disputes 1\n", BY_HAND_NO_BURN)


def test_8_1_dealer_inspector_stands_beside_the_pit_supervisor() -> None:
    lines = 'staff nia dealer inspector\ndispute ann "the change was short"\nnia: note on dispute 1 facts "heard"\n'
    lines += 'expect refused rank 8.2\nnia: note on dispute 1 escalated "she insists"\nexpect event dispute_noted 8.1\n'
    holds(GAME, lines)
