"""Tiger Buffalo's section 5, paragraph by paragraph: what went wrong, who rules on it, and what then becomes of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from tests.rules.at_table import QUICK, table_of
from tests.rules.histories import holds
from tests.rules.irregular_tb import (
    BETS,
    BY_HAND,
    LIVE,
    PLAYER_WINS,
    SECOND_DEALER,
    B,
    Bets,
    P,
    all_go_on,
    all_of,
    answer,
    asked,
    bets_down,
    checked_tables,
    chips,
    closed,
    coup,
    current,
    draw,
    end,
    given,
    layout,
    lines,
    only,
    options_in,
    phase,
    report,
    rest_of,
    ruled,
    seated,
    told,
    waiting,
    whole_round,
    winners,
)
from tests.store.build import KEY
from tests.table.build import DEALER, MANAGER, SHIFT, SUPERVISOR, Play, open_table

from puntobanco.cards import parse_cards
from puntobanco.money import Odds
from puntobanco.rules.model import Window
from puntobanco.store import verify_log
from puntobanco.store.chain import sealed
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About, about_bet
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.engine import execute
from puntobanco.table.folds import evolve
from puntobanco.table.insurance.offers import nobody_is_asked
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import ELECTRONIC, BetLimits, Differential, Step
from puntobanco.table.state import Phase

UNTOUCHED = (10_000, 10_000, 10_000)
LAYOUTS = ("A", "C", "L", "M")
"""One layout of each set of bets."""


ONE_TOO_MANY = ("Kh 4c 5d Ks 2c 4h", "Kh 4c 6d Ks 2c 4h")
"""Settled on Player 5, who drew a 2 to 7, and Banker 4, who drew a 4 to 8. Really Player had 6 and stood: Banker drew
the 2 and tied at 6, and the other 4 was not due."""
PLAYER_WINS_IN_ALL = "9h 8c Kd Ks"
ONE_TOO_FEW = ("Kh 7c 6d Ks", "Kh 7c 5d Ks")
"""Settled on Player 6 against Banker 7, both standing. Really Player had 5, and a third card was due."""


@pytest.fixture(autouse=True)
def _sound() -> Iterator[None]:
    yield from checked_tables()


def found(play: Play, cards: tuple[str, str]) -> int:
    body = c.ReportRound(1, parse_cards(cards[1]), "seen on camera")
    opened = only(play.do(body, DEALER), e.IncidentOpened)
    assert opened.true_cards == parse_cards(cards[1])
    return opened.number


# --- 5.4: technical interruption


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("close", [False, True])
def test_5_4_with_no_card_out_bets_stand_and_the_time_starts_again(close: bool, lost: bool) -> None:
    play = seated(countdown=20)
    bets_down(play)
    if close:
        play.close()
    play.wait(300)
    interrupted = only(play.do(c.ReportInterruption("power failure", lost), DEALER), e.PlayInterrupted)
    assert (interrupted.paragraph, interrupted.effect, interrupted.until) == ("5.4", "bets_again", play.now + 20_000)
    assert phase(play) is Phase.BETTING
    assert current(play).until == play.now + 20_000
    assert layout(play) == (110, 200, 50)
    play.bet("bob", {"tie": 10_00})
    play.close()
    draw(play, "9hP 8cB KdP KsB")
    end(play)
    assert chips(play) == (10_090, 9_790, 9_950)


def test_5_4_options_lapse_when_the_time_for_bets_starts_again() -> None:
    """Whoever may bet and withdraw has no other choice to make; who took his bets back may bet anew, and insure."""
    play = closed()
    ruled(play, r.GiveOptions(), by=SHIFT, paragraph="5.23", reason="a player fainted")
    answer(play, "bob", False)
    play.do(c.ReportInterruption("power failure", True), DEALER)
    assert asked(play) == set()
    assert told(play, c.TakeOption("ann", False), "ann")[0] == "no_options"
    play.bet("bob", {"banker": 200_00})
    play.close()
    draw(play, "2hP 7cB KdP KsB")  # Player 2, Banker 7: insurance for Banker's backers
    offered = current(play).window
    assert offered is not None
    assert "bob" in {person for offer in offered.offers for person in offer.people}


@pytest.mark.parametrize("cards", ["9hP", "9hP 8cB"])
def test_5_4_with_everything_intact_play_simply_goes_on(cards: str) -> None:
    play = closed()
    draw(play, cards)
    interrupted = only(play.do(c.ReportInterruption("the lights went out"), DEALER), e.PlayInterrupted)
    assert (interrupted.paragraph, interrupted.effect) == ("5.4", "goes_on")
    assert not play.table.incidents
    draw(play, rest_of(play))
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)


def test_5_4_is_told_by_staff_of_a_round_in_progress() -> None:
    play = closed()
    assert told(play, c.ReportInterruption("power failure", True), "ann")[0] == "rank"
    assert told(play, c.ReportInterruption(" ", True))[0] == "bad_amount"
    draw(play, "9hP 8cB KdP KsB")
    end(play)
    assert only(play.do(c.ReportInterruption("power failure", True)), e.PlayInterrupted).effect == "goes_on"
    assert chips(play) == (10_090, 9_800, 9_950)


@pytest.mark.parametrize("code", LAYOUTS)
@pytest.mark.parametrize(
    ("cards", "rest"),
    [("2hP 4cB KdP", "KsB 6cP 2dB"), ("3hP 4cB 4dP", "4sB"), ("4hP 4cB 4dP", "KsB"), ("5hP 5cB 5dP 5sB", "KcP KdB")],
)
def test_5_4_1_some_bet_is_decided_and_the_round_goes_on(code: str, cards: str, rest: str) -> None:
    """With three cards and more a bet of every layout is decided (reading E)."""
    play = closed({"ann": {"player": 100}, "bob": {"banker": 200}}, layout=code)
    draw(play, cards)
    interrupted = only(play.do(c.ReportInterruption("a display is gone", True), DEALER), e.PlayInterrupted)
    assert (interrupted.paragraph, interrupted.effect) == ("5.4.1", "goes_on")
    assert layout(play) == (100, 200, 0)
    draw(play, rest)
    only(end(play), e.RoundSettled)


def test_5_4_1_the_money_of_a_round_that_went_on() -> None:
    play = closed()
    draw(play, "KhP 4cB KdP")
    play.do(c.ReportInterruption("the shoe's power failed", True), DEALER)
    draw(play, "KsB 6cP 2dB")  # Player 6; Banker 4, which draws against a 6: 6. A tie
    settled = only(end(play), e.RoundSettled)
    assert lines(settled) == {
        ("ann", "player"): ("returned", 0),
        ("ann", "player_pair"): ("won", 110),
        ("bob", "banker"): ("returned", 0),
        ("cho", "tie"): ("won", 400),
    }


@pytest.mark.parametrize("code", LAYOUTS)
@pytest.mark.parametrize("cards", ["9hP", "9hP 9cB", "KhP KcB"])
def test_5_4_2_no_bet_is_decided_and_the_round_is_void(code: str, cards: str) -> None:
    play = closed({"ann": {"player": 100, "tie": 20}, "bob": {"banker": 200}}, layout=code)
    draw(play, cards)
    events = play.do(c.ReportInterruption("a display is gone", True), DEALER)
    interrupted, voided = only(events, e.PlayInterrupted), only(events, e.RoundVoided)
    assert (interrupted.paragraph, interrupted.effect, voided.paragraph) == ("5.4.2", "void", "5.4.2")
    assert set(voided.transfers) == {
        e.Transfer("layout:ann", "chips:ann", 120_00),
        e.Transfer("layout:bob", "chips:bob", 200_00),
    }
    assert chips(play) == UNTOUCHED
    assert winners(play) == []
    play.call()
    assert current(play).number == 2


# --- 5.5: what voids the round


@pytest.mark.parametrize(
    ("fault", "paragraph"), [("foreign_card", "5.5.1"), ("wrong_card_set", "5.5.2"), ("unshuffled", "5.5.5")]
)
def test_5_5_the_round_is_void_and_earlier_ones_stand(fault: str, paragraph: str) -> None:
    play = seated()
    whole_round(play, "9h 8c Kd Ks")
    after_first = chips(play)
    bets_down(play)
    play.close()
    draw(play, "KhP 5cB KdP")  # Ann's pair is decided, and goes back all the same
    voided = only(play.do(c.ReportCards(fault, "counted"), DEALER), e.RoundVoided)  # type: ignore[arg-type]
    assert voided.paragraph == paragraph
    assert chips(play) == after_first == (10_090, 9_800, 9_950)
    assert winners(play) == ["player"]


def test_5_5_wrong_number_voids_this_round_and_no_other() -> None:
    play = seated()
    whole_round(play, "9h 8c Kd Ks")
    bets_down(play)
    play.close()
    draw(play, "4hP 8cB 4dP KsB 5dB")
    ruled(play, r.VoidRound(), waiting(play).number, by=SUPERVISOR, paragraph="5.5.3")
    assert chips(play) == (10_090, 9_800, 9_950)
    assert winners(play) == ["player"]


def test_5_5_gives_no_options() -> None:
    play = closed()
    draw(play, "9hB")
    ruled(play, r.Reconstruct(), waiting(play).number, by=SUPERVISOR, paragraph="5.9.1")
    assert asked(play) == {"ann", "bob", "cho"}
    answer(play, "ann", True)
    events = play.do(c.ReportCards("foreign_card", "a red back"), DEALER)
    assert not all_of(events, e.OptionsGiven)
    assert only(events, e.RoundVoided).paragraph == "5.5.1"
    assert told(play, c.TakeOption("bob", False), "bob")[0] == "no_options"
    assert chips(play) == UNTOUCHED

    play = closed()
    draw(play, "4hP 8cB 4dP KsB 5dP")
    voided = ruled(play, r.VoidRound(), waiting(play).number, by=SUPERVISOR, paragraph="5.5.3")
    assert not all_of(voided, e.OptionsGiven)
    assert told(play, c.TakeOption("ann", True), "ann")[0] == "no_options"


@pytest.mark.parametrize("extra", ["5dP", "5dB", "5dP 6dB"])
def test_5_5_3_wrong_number_that_cannot_be_put_right_is_void(extra: str) -> None:
    play = closed()
    draw(play, f"4hP 8cB 4dP KsB {extra}")  # 8 all: no card was due
    number = waiting(play).number
    assert told(play, c.Propose(r.VoidRound(), number))[0] == "reason"  # not without the reason
    assert told(play, c.Propose(r.AsItLies(), number, "mixed up")) == ("cards", "5.5.3")  # nor with six cards
    events = ruled(play, r.VoidRound(), number, by=SUPERVISOR, paragraph="5.5.3", reason="mixed with the discards")
    voided = only(events, e.RoundVoided)
    assert (voided.paragraph, voided.reason) == ("5.5.3", "mixed with the discards")
    assert chips(play) == UNTOUCHED  # the pair of 4s, too
    assert winners(play) == []
    assert not play.table.incidents
    play.call()


def test_5_5_3_is_no_ruling_where_the_number_is_right() -> None:
    play = closed()
    draw(play, "9hP 8cB 7dB KsP")
    number = next(iter(play.table.incidents))
    assert told(play, c.Propose(r.VoidRound(), number, "mixed up")) == ("ruling", "5.16.1")


def test_5_5_3_noticed_after_the_settlement_and_before_the_next_call() -> None:
    """Settled on Player 5, who drew; really Player had 6 and stood, and the last card was one too many."""
    play = seated()
    whole_round(play, "4h 2c Ad 2s 2c 4h", {"ann": {"player": 100}, "bob": {"banker": 200, "banker_pair": 10}})
    assert chips(play) == (9_900, 10_310, 10_000)  # 7 to 8, and the pair of 2s
    body = c.ReportRound(1, parse_cards("4h 2c 2d 2s 2c 4h"), "Player had 6 on two cards")
    only(play.do(body, DEALER), e.IncidentOpened)
    incident = waiting(play)
    events = ruled(play, r.VoidRound(), incident.number, by=SUPERVISOR, paragraph="5.5.3", reason="nobody is sure")
    again = only(events, e.RoundSettledAgain)
    assert (again.void, again.paragraph, again.reason) == (True, "5.5.3", "nobody is sure")
    assert set(lines(again).values()) == {("returned", 0)}  # in time, decided side bets go back, too
    assert chips(play) == UNTOUCHED
    assert winners(play) == []
    play.call()


def late_and_declined(play: Play) -> None:
    """Insurance was not offered before the card that lacks: it is, and nobody takes it (5.17.1)."""
    play.rule(r.OfferLate(), waiting(play).number, by=MANAGER)
    play.do(c.CloseInsurance(), DEALER)


def test_5_5_3_missing_card_found_in_time_is_drawn_and_the_round_settled_again() -> None:
    play = seated()
    whole_round(play, ONE_TOO_FEW[0])
    assert chips(play) == (9_890, 10_200, 9_950)
    number = found(play, ONE_TOO_FEW)
    assert waiting(play).number == number
    events = ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.5.3", reason="")
    assert only(events, e.CardsTold).cards == parse_cards(ONE_TOO_FEW[1])
    assert not all_of(events, e.OptionsGiven)  # the settlement is behind us
    assert winners(play) == []
    assert coup(play) == "P Kh5d B 7cKs"
    late_and_declined(play)
    draw(play, "2hP")  # Player 7: a tie
    again = only(end(play), e.RoundSettledAgain)
    assert (again.number, again.coup) == (1, "P Kh5d2h B 7cKs")
    assert lines(again) == {
        ("ann", "player"): ("returned", 0),
        ("ann", "player_pair"): ("lost", -10),
        ("bob", "banker"): ("returned", 0),
        ("cho", "tie"): ("won", 400),
    }
    assert chips(play) == (9_990, 10_000, 10_400)
    assert winners(play) == ["tie"]
    assert phase(play) is Phase.IDLE
    play.call()
    assert current(play).number == 2


def test_5_5_3_nobody_insures_or_takes_back_in_a_round_that_was_settled_before() -> None:
    """Player 2 and Banker 4 would be insured at 3 to 2; the bets were taken and paid, and none is on the layout."""
    play = seated()
    whole_round(play, "Kh 7c 6d Ks")
    number = found(play, ("", "Kh 4c 2d Ks"))
    ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.5.3")
    assert current(play).window is None
    assert told(play, c.Insure("bob", 2, B, 50_00), "bob")[0] == "no_insurance"
    assert told(play, c.TakeOption("bob", False), "bob")[0] == "no_options"
    draw(play, "4hP 3hB")  # 6 against 7
    end(play)
    assert chips(play) == (9_890, 10_200, 9_950)
    assert layout(play) == (0, 0, 0)


def last_round() -> Play:
    """The shoe ended with a round that lacked a card."""
    play = closed()
    draw(play, "KhP 7cB")
    play.do(c.CutCard(), DEALER)
    draw(play, "6dP KsB")
    only(end(play), e.ShoeEnded)
    return play


def test_5_5_3_missing_card_of_the_last_round_of_a_shoe() -> None:
    play = last_round()
    number = found(play, ONE_TOO_FEW)
    assert told(play, c.NewShoe("shuffled by hand"))[0] == "flagged"  # first this
    ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.5.3")
    late_and_declined(play)
    draw(play, "4hP")
    again = end(play)
    assert only(again, e.RoundSettledAgain).coup == "P Kh5d4h B 7cKs"
    only(again, e.ShoeEnded)
    assert chips(play) == (10_090, 9_800, 9_950)
    assert winners(play) == ["player"]
    play.shoe()


def test_5_5_3_missing_card_of_a_shoe_that_is_gone() -> None:
    play = last_round()
    play.shoe()
    number = found(play, ONE_TOO_FEW)
    assert told(play, c.Propose(r.Rectify(), number)) == ("cards", "5.5.3")
    assert told(play, c.Call()) == ("flagged", "5.5.3")
    events = ruled(play, r.VoidRound(), number, by=SUPERVISOR, paragraph="5.5.3", reason="no card to draw")
    assert only(events, e.RoundSettledAgain).void
    assert chips(play) == UNTOUCHED
    assert winners(play) == []


def test_5_5_3_round_that_is_played_on_may_still_be_void() -> None:
    play = seated()
    whole_round(play, ONE_TOO_FEW[0])
    ruled(play, r.Rectify(), found(play, ONE_TOO_FEW), by=SUPERVISOR, paragraph="5.5.3")
    voided = only(play.do(c.ReportCards("foreign_card", "a red back"), DEALER), e.RoundSettledAgain)
    assert (voided.void, voided.paragraph) == (True, "5.5.1")
    assert chips(play) == UNTOUCHED  # what was taken and paid is undone
    assert winners(play) == []


# --- 5.7.3: the Cut Card came first, and nobody was told


def cut_card_first(cards: str, **changes: object) -> Play:
    play = closed(BETS, **{"high_limit": True, **changes})
    play.do(c.CutCard(), DEALER)
    draw(play, cards)
    return play


@pytest.mark.parametrize("cards", ["9hP", "9hP 8cB"])
def test_5_7_3_options_while_nothing_is_decided(cards: str) -> None:
    play = cut_card_first(cards)
    incident = report(play, "cut_card_not_offered")
    assert incident.paragraph == "5.7.3"
    events = given(play, r.PlayOn(), incident.number, paragraph="5.7.3")
    assert options_in(events, "5.7.3", "5.16.1")
    assert asked(play) == {"ann", "bob", "cho"}
    taken = only(answer(play, "bob", False), e.OptionTaken)
    assert (taken.paragraph, taken.transfers) == ("5.16.3", (e.Transfer("layout:bob", "chips:bob", 200_00),))
    answer(play, "ann", True)
    answer(play, "cho", True)
    draw(play, rest_of(play))
    assert ("bob", "banker") not in lines(only(end(play), e.RoundSettled))
    assert chips(play) == (10_090, 10_000, 9_950)


@pytest.mark.parametrize("cards", ["9hP 8cB KdP", "9hP 8cB KdP KsB"])
def test_5_7_3_none_once_a_bet_is_decided(cards: str) -> None:
    play = cut_card_first(cards)
    incident = report(play, "cut_card_not_offered")
    events = given(play, r.PlayOn(), incident.number, paragraph="5.7.3")
    assert not all_of(events, e.OptionsGiven)
    assert not asked(play)
    assert told(play, c.TakeOption("ann", False), "ann") == ("no_options", "5.6")


@pytest.mark.parametrize("called", [False, True])
def test_5_7_1_card_that_was_out_before_the_cut_card_is_the_first(called: bool) -> None:
    play = seated(high_limit=True)
    if called:
        bets_down(play)
    draw(play, "9hP")  # too early: it opens the round, and the Cut Card comes behind it
    play.do(c.CutCard(), DEALER)
    if not called:
        bets_down(play)
    play.close()
    assert not current(play).cut_first
    draw(play, "8cB")
    assert told(play, c.Report("cut_card_not_offered", "forgot")) == ("cards", "5.7.3")


def test_5_7_3_only_where_5_7_1_applies() -> None:
    elsewhere = cut_card_first("9hP", high_limit=False)
    assert told(elsewhere, c.Report("cut_card_not_offered", "forgot")) == ("cards", "5.7.3")
    nothing_dealt = cut_card_first("")
    assert told(nothing_dealt, c.Report("cut_card_not_offered", "forgot")) == ("cards", "5.7.3")
    play = closed(high_limit=True)
    draw(play, "9hP")
    play.do(c.CutCard(), DEALER)  # not the first card
    assert told(play, c.Report("cut_card_not_offered", "forgot")) == ("cards", "5.7.3")


# --- 5.8: cards in excess or exposed


@pytest.mark.parametrize(("cards", "options"), [("4hP", True), ("4hP 2cB", True), ("4hP 2cB KdP", False)])
def test_5_8_card_that_shows_in_the_shoe_is_an_exposed_one(cards: str, options: bool) -> None:
    play = closed()
    draw(play, cards)
    number = report(play, "face_up_in_shoe").number
    events = ruled(play, r.PlayOn(), number, by=SUPERVISOR, paragraph="5.8")
    assert bool(all_of(events, e.OptionsGiven)) is options


def test_5_8_1_options_for_a_card_that_shows_in_the_shoe() -> None:
    play = closed()
    draw(play, "4hP 2cB")
    number = report(play, "face_up_in_shoe").number
    events = ruled(play, r.PlayOn(), number, by=SUPERVISOR, paragraph="5.8")
    assert only(events, e.OptionsGiven).paragraph == "5.8.1"
    assert asked(play) == {"ann", "bob", "cho"}


def test_5_8_an_excess_card_opens_the_next_round() -> None:
    play = closed()
    draw(play, "9hP 8cB KdP KsB 5dP")
    incident = waiting(play)
    assert (incident.family, incident.paragraph, incident.cards) == ("excess_cards", "5.8", (5,))
    events = ruled(play, r.Reconstruct(), incident.number, by=SUPERVISOR, paragraph="5.8", reason="")
    arranged = only(events, e.CardsArranged)
    assert (arranged.how, arranged.order, arranged.hands) == ("reconstructed", (1, 2, 3, 4, 5), (P, B, P, B))
    assert (arranged.goes, arranged.paragraph) == ("next_round", "5.8")
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)  # 9 to 8, and the card played no part
    bets_down(play, {"bob": {"banker": 200}})
    assert [str(drawn.card) for drawn in play.table.carried] == ["5d"]
    opening = only(play.do(c.Close(), DEALER), e.CarriedCardsDealt)
    assert (opening.hands, opening.paragraph) == ((P,), "5.8")
    draw(play, "8cB KdP KsB")
    assert coup(play) == "P 5dKd B 8cKs"
    end(play)
    assert chips(play) == (10_090, 10_000, 9_950)


def test_5_8_two_open_it_for_player_and_banker() -> None:
    play = closed()
    draw(play, "9hP 8cB KdP KsB 5dP 7dB")
    (incident,) = play.table.incidents.values()  # one error, one ruling
    ruled(play, r.Reconstruct(), incident.number, by=SUPERVISOR, paragraph="5.8")
    end(play)
    bets_down(play)
    assert only(play.do(c.Close(), DEALER), e.CarriedCardsDealt).hands == (P, B)
    draw(play, "4cP 2cB")
    assert coup(play) == "P 5d4c B 7d2c"


def test_5_8_card_drawn_ahead_is_dealt_by_the_table_of_play() -> None:
    """Face down, four cards lie there and a fifth is drawn: it turns out to be Player's."""
    play = closed(face_down=True)
    draw(play, "KhP? 3cB? 2dP? KsB? 6cB?")
    number = waiting(play).number
    assert told(play, c.Propose(r.Reconstruct(), number))[0] == "cards"  # what is due is not known yet
    for card in (1, 2, 3, 4):
        play.do(c.Turn(card), DEALER)
    arranged = only(ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.8"), e.CardsArranged)
    assert (arranged.hands, arranged.goes) == ((P, B, P, B, P), "")
    play.do(c.Turn(5), DEALER)
    assert coup(play) == "P Kh2d6c B 3cKs"
    assert not play.table.carried


def test_5_8_nothing_is_carried_out_of_the_last_round_of_a_shoe() -> None:
    play = closed()
    draw(play, "9hP 8cB")
    play.do(c.CutCard(), DEALER)
    draw(play, "KdP KsB 5dP")
    arranged = only(ruled(play, r.Reconstruct(), waiting(play).number, by=SUPERVISOR, paragraph="5.8"), e.CardsArranged)
    assert arranged.goes == "discarded"
    ended = only(end(play), e.ShoeEnded)
    assert (ended.drawn, ended.discards) == (5, 5)
    assert play.table.carried == ()


def test_5_8_card_exposed_between_rounds_opens_the_next() -> None:
    play = seated()
    early = only(play.do(c.Draw(parse_cards("5d")[0], turned=True), DEALER), e.EarlyCardDrawn)
    assert early.paragraph == "5.8"
    bets_down(play)
    assert only(play.do(c.Close(), DEALER), e.CarriedCardsDealt).hands == (P,)
    draw(play, "8cB 4dP KsB")
    assert coup(play) == "P 5d4d B 8cKs"


def test_5_8_third_cards_that_were_drawn_ahead_wait_for_insurance() -> None:
    play = seated()
    for card in parse_cards("2h 3c 2d Ks 4h 7s"):
        play.do(c.Draw(card, turned=True), DEALER)
    bets_down(play)
    events = play.do(c.Close(), DEALER)
    assert [dealt.hands for dealt in all_of(events, e.CarriedCardsDealt)] == [(P, B, P, B), (P,)]
    assert only(events, e.InsuranceOffered).window is Window.PLAYER_THIRD  # 8 against 3, before Banker's card
    events = play.do(c.CloseInsurance(), DEALER)
    assert only(events, e.CarriedCardsDealt).hands == (B,)
    assert (coup(play), play.table.carried) == ("P 2h2d4h B 3cKs7s", ())


def test_5_8_the_house_judges_whether_they_can_be_put_right() -> None:
    play = closed()
    play.do(c.SignOn(SECOND_DEALER, "dealer"), HOUSE)
    draw(play, "9hP 8cB KdP KsB 5dP")
    number = waiting(play).number
    proposed = only(play.do(c.Propose(r.Reconstruct(), number), DEALER), e.RulingProposed)
    assert told(play, c.Approve(proposed.number), SECOND_DEALER) == ("rank", "5.8")
    # a supervisor does not approve the own proposal, either
    own = only(play.do(c.Propose(r.VoidRound(), number, "mixed up"), SUPERVISOR), e.RulingProposed)
    assert told(play, c.Approve(own.number), SUPERVISOR)[0] == "second_person"
    declined = only(play.do(c.Decline(own.number, "they can be put right"), MANAGER), e.RulingDeclined)
    assert (declined.by, declined.reason) == (MANAGER, "they can be put right")
    play.do(c.Approve(proposed.number), MANAGER)  # or above
    assert not play.table.incidents
    assert not play.table.proposals


@pytest.mark.parametrize("cards", ["9hP? 8cB", "9hP 8cB"])
def test_5_8_1_options_while_nothing_is_decided(cards: str) -> None:
    play = closed(face_down=True)
    draw(play, cards)
    incident = report(play, "exposed_cards", (2,))
    assert incident.paragraph == "5.8"
    events = ruled(play, r.Reconstruct(), incident.number, by=SUPERVISOR, paragraph="5.8")
    assert options_in(events, "5.8.1", "5.16.2")
    assert asked(play) == {"ann", "bob", "cho"}
    assert told(play, c.Deal(parse_cards("Kd"))) == ("flagged", "5.16.2")  # play waits
    answer(play, "cho", False)
    answer(play, "bob", True)
    answer(play, "ann", True)
    assert layout(play) == (110, 200, 0)


@pytest.mark.parametrize("cards", ["9hP 8cB KdP", "9hP 8cB KdP KsB"])
def test_5_8_1_none_once_a_bet_is_decided(cards: str) -> None:
    play = closed()
    draw(play, cards)
    incident = report(play, "exposed_cards", (3,))
    events = ruled(play, r.Reconstruct(), incident.number, by=SUPERVISOR, paragraph="5.8")
    assert not all_of(events, e.OptionsGiven)
    assert layout(play) == (110, 200, 50)


# --- 5.9: the wrong side


def test_5_9_1_card_in_the_other_area_is_put_right() -> None:
    play = closed()
    draw(play, "9hB")
    incident = waiting(play)
    assert (incident.family, incident.paragraph, incident.cards) == ("wrong_side", "5.9.1", (1,))
    events = ruled(play, r.Reconstruct(), incident.number, by=SUPERVISOR, paragraph="5.9.1", reason="")
    assert only(events, e.CardsArranged).hands == (P,)
    assert options_in(events, "5.9", "5.16.2")
    all_go_on(play)
    draw(play, "8cB KdP KsB")
    assert coup(play) == "P 9hKd B 8cKs"
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)


@pytest.mark.parametrize("down", ["", "?"])
def test_5_9_1_both_areas_mixed_up_exposed_or_not(down: str) -> None:
    play = closed(face_down=True)
    draw(play, f"9hB{down} 8cP{down}")
    first, second = play.table.incidents.values()
    assert {first.paragraph, second.paragraph} == {"5.9.1"}
    events = ruled(play, r.Reconstruct(), second.number, by=SUPERVISOR, paragraph="5.9.1")
    assert not play.table.incidents  # put right once for both
    assert [drawn.hand for drawn in current(play).cards] == [P, B]
    assert len(all_of(events, e.OptionsGiven)) == 1


def test_5_9_1_bankers_third_card_put_at_player() -> None:
    play = closed()
    draw(play, "6hP 2cB KdP KsB 7cP")  # Player stands on 6; the card is Banker's, which makes 9
    assert waiting(play).paragraph == "5.9.1"
    events = ruled(play, r.Reconstruct(), waiting(play).number, by=SUPERVISOR, paragraph="5.9.1")
    assert only(events, e.CardsArranged).hands == (P, B, P, B, B)
    assert not all_of(events, e.OptionsGiven)
    assert coup(play) == "P 6hKd B 2cKs7c"
    end(play)
    assert chips(play) == (9_890, 10_200, 9_950)


def test_5_9_2_card_handed_to_the_other_squeezer() -> None:
    play = closed(face_down=True)
    draw(play, "9hP? 8cB?")
    incident = report(play, "squeeze_delivery", (1, 2))
    assert incident.paragraph == "5.9.2"
    events = ruled(play, r.Reconstruct(), incident.number, by=SUPERVISOR, paragraph="5.9.2")
    assert only(events, e.CardsArranged).hands == (P, B)
    assert options_in(events, "5.9", "5.16.2")
    answer(play, "bob", False)
    all_go_on(play)
    draw(play, "KdP? KsB?")
    for card in (1, 2, 3, 4):
        play.do(c.Turn(card), DEALER)
    end(play)
    assert chips(play) == (10_090, 10_000, 9_950)


def test_5_9_2_none_where_it_is_put_right_and_a_bet_is_decided() -> None:
    play = closed(face_down=True)
    draw(play, "9hP 8cB KdP KsB")
    incident = report(play, "squeeze_delivery", (3,))
    events = ruled(play, r.Reconstruct(), incident.number, by=SUPERVISOR, paragraph="5.9.2")
    assert not all_of(events, e.OptionsGiven)


def test_5_9_no_options_where_the_cards_are_put_right_and_a_bet_is_decided() -> None:
    play = closed()
    draw(play, "9hP 8cB KdB")
    events = ruled(play, r.Reconstruct(), waiting(play).number, by=SUPERVISOR, paragraph="5.9.1")
    assert only(events, e.CardsArranged).hands == (P, B, P)
    assert not all_of(events, e.OptionsGiven)
    draw(play, "KsB")
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)


@pytest.mark.parametrize(("cards", "hands"), [("9hB", (P,)), ("9hP 8cP", (P, B))])
def test_5_9_options_where_nothing_is_decided(cards: str, hands: tuple[object, ...]) -> None:
    play = closed()
    draw(play, cards)
    events = ruled(play, r.Reconstruct(), waiting(play).number, by=SUPERVISOR, paragraph="5.9.1")
    assert tuple(drawn.hand for drawn in current(play).cards) == hands  # before play continues
    assert options_in(events, "5.9", "5.16.2")
    answer(play, "bob", False)
    all_go_on(play)
    draw(play, rest_of(play))
    end(play)
    assert chips(play) == (10_090, 10_000, 9_950)


def test_5_16_1_as_it_lies_with_a_third_card_of_bankers_alone() -> None:
    play = closed()
    draw(play, "6hP 2cB KdP 3sB 4cB")  # Player stands on 6, Banker draws on 5
    number = report(play, "dealing_error").number
    events = ruled(play, r.AsItLies(), number, by=SUPERVISOR, paragraph="5.16.1", reason="nobody knows which")
    arranged = only(events, e.CardsArranged)
    assert (arranged.how, arranged.hands) == ("as_it_lies", (P, B, P, B, B))


@pytest.mark.parametrize("as_it_lies", [False, True])
def test_5_9_options_where_they_are_not_put_right_whatever_is_decided(as_it_lies: bool) -> None:
    play = closed()
    draw(play, "9hP 8cB 7dB KsP")  # the last two crossed over; four cards always decide something
    number = next(iter(play.table.incidents))
    if as_it_lies:
        assert told(play, c.Propose(r.AsItLies(), number))[0] == "reason"  # the reason is recorded
        events = ruled(play, r.AsItLies(), number, by=SUPERVISOR, paragraph="5.16.1", reason="nobody knows which")
        arranged = only(events, e.CardsArranged)
        assert (arranged.how, arranged.order, arranged.hands) == ("as_it_lies", (1, 2, 4, 3), (P, B, P, B))
        assert options_in(events, "5.9", "5.16.1")
        assert coup(play) == "P 9hKs B 8c7d"
        all_go_on(play)
        end(play)
        assert chips(play) == (10_090, 9_800, 9_950)  # 9 to 5
    else:
        events = ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.9.1")
        assert not all_of(events, e.OptionsGiven)
        assert coup(play) == "P 9h7d B 8cKs"
        end(play)
        assert chips(play) == (9_890, 10_200, 9_950)  # 6 to 8


# --- 5.10: face up on a face-down table


@pytest.mark.parametrize("cards", ["9hP", "9hP 8cB"])
def test_5_10_options_while_nothing_is_decided_and_the_result_stands(cards: str) -> None:
    play = closed(face_down=True)
    draw(play, cards)
    incident = report(play, "face_up", (1,))
    assert incident.paragraph == "5.10"
    before = current(play).cards
    events = given(play, r.PlayOn(), incident.number, paragraph="5.10")
    assert options_in(events, "5.10", "5.16.1")
    assert current(play).cards == before  # the cards stay as they are
    answer(play, "bob", False)
    all_go_on(play)
    draw(play, rest_of(play))
    end(play)
    assert chips(play) == (10_090, 10_000, 9_950)


def test_5_10_none_once_a_bet_is_decided() -> None:
    play = closed(face_down=True)
    draw(play, "9hP 8cB KdP")
    events = given(play, r.PlayOn(), report(play, "face_up", (1, 2, 3)).number, paragraph="5.10")
    assert not all_of(events, e.OptionsGiven)
    draw(play, "KsB")
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)


def test_5_10_only_at_a_table_dealt_face_down() -> None:
    play = closed()
    draw(play, "9hP")
    assert told(play, c.Report("face_up", "seen", (1,))) == ("cards", "5.10")
    play = closed(face_down=True)
    draw(play, "9hP?")
    assert told(play, c.Report("face_up", "seen", (1,))) == ("cards", "5.10")  # it lies face down


# --- 5.11: two at once


def test_5_11_supervisor_decides_which_came_first() -> None:
    play = closed()
    draw(play, "8cP 9hB")
    incident = report(play, "simultaneous", (1, 2))
    assert incident.paragraph == "5.11"
    assert told(play, c.Propose(r.Reconstruct(), incident.number)) == ("ruling", "5.11")  # the order is not known
    assert told(play, c.Propose(r.DecideOrder((2,)), incident.number)) == ("cards", "5.11")
    assert told(play, c.Propose(r.DecideOrder((2, 3)), incident.number)) == ("cards", "5.11")
    decision = r.DecideOrder((2, 1))
    arranged = only(ruled(play, decision, incident.number, by=SUPERVISOR, paragraph="5.11"), e.CardsArranged)
    assert (arranged.order, arranged.hands, arranged.paragraph) == ((2, 1), (P, B), "5.11")
    all_go_on(play)
    draw(play, "KdP KsB")
    assert coup(play) == "P 9hKd B 8cKs"
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)


def test_5_11_more_than_two_and_a_card_too_many() -> None:
    """Cards 3 to 5 at once: in the order decided the hand is a Natural, and the last one is left over."""
    play = closed()
    draw(play, "9hP 8cB KdP KsB 5dP")
    assert told(play, c.Report("simultaneous", "stuck together", (3, 5))) == ("cards", "5.11")
    incident = only(play.do(c.Report("simultaneous", "stuck together", (3, 4, 5)), DEALER), e.IncidentOpened)
    events = ruled(play, r.DecideOrder((5, 4, 3)), incident.number, by=SUPERVISOR, paragraph="5.11")
    assert only(events, e.CardsArranged).goes == "next_round"
    assert not play.table.incidents
    assert asked(play) == {"ann", "bob", "cho"}
    assert coup(play) == "P 9h5d B 8cKs"
    assert [str(drawn.card) for drawn in play.table.carried] == ["Kd"]


def test_5_11_cards_face_down_are_decided_on_as_well() -> None:
    play = closed(face_down=True)
    draw(play, "8cP? 9hB?")
    incident = report(play, "simultaneous", (1, 2))
    ruled(play, r.DecideOrder((2, 1)), incident.number, by=SUPERVISOR, paragraph="5.11")
    assert [str(drawn.card) for drawn in current(play).cards] == ["9h", "8c"]
    assert not any(drawn.turned for drawn in current(play).cards)


def test_5_11_insurance_is_offered_on_the_points_as_decided() -> None:
    """As they lay, Banker led 6 to 2, and insurance was on offer; in the other order it is 4 all."""
    play = closed()
    draw(play, "2hP 4cB KdP 2sB")
    assert current(play).window is not None
    incident = report(play, "simultaneous", (3, 4))
    ruled(play, r.DecideOrder((4, 3)), incident.number, by=SUPERVISOR, paragraph="5.11")
    assert coup(play) == "P 2h2s B 4cKd"
    all_go_on(play)
    assert current(play).window is None
    assert told(play, c.Insure("bob", 2, B, 50_00), "bob")[0] == "no_insurance"


@pytest.mark.parametrize("cards", ["9hP 8cB", "9hP 8cB KdP", "9hP 8cB KdP KsB"])
@pytest.mark.parametrize("order_known", [False, True])
def test_5_11_1_options_in_every_case(cards: str, order_known: bool) -> None:
    play = closed()
    draw(play, cards)
    family = "simultaneous_in_order" if order_known else "simultaneous"
    incident = report(play, family, (1, 2))
    ruling = r.Reconstruct() if order_known else r.DecideOrder((1, 2))
    paragraph = "5.11.1" if order_known else "5.11"
    events = ruled(play, ruling, incident.number, by=SUPERVISOR, paragraph=paragraph)
    assert options_in(events, "5.11.1", "5.16.2")
    assert asked(play) == {"ann", "bob", "cho"}
    answer(play, "ann", False)
    answer(play, "bob", True)
    answer(play, "cho", True)
    assert layout(play) == (0, 200, 50)
    if len(current(play).cards) == 4:
        end(play)
        assert chips(play) == (10_000, 9_800, 9_950)


def test_5_11_2_the_shoe_may_be_replaced() -> None:
    play = closed()
    draw(play, "9hP 8cB KdP KsB 5dP")
    incident = only(play.do(c.Report("simultaneous", "stuck together", (4, 5)), DEALER), e.IncidentOpened)
    ruled(play, r.DecideOrder((4, 5)), incident.number, by=SUPERVISOR, paragraph="5.11")
    all_go_on(play)
    events = ruled(play, r.ReplaceShoe(), by=SUPERVISOR, paragraph="5.11.2", reason="cards stick")
    assert only(events, e.ShoeToBeReplaced).paragraph == "5.11.2"
    assert not play.table.shoe.ended  # the round is played to its end
    ended = only(end(play), e.ShoeEnded)
    assert (ended.reason, ended.drawn, ended.discards) == (About.of("shoe.replaced"), 5, 5)  # the card left over, too
    assert play.table.carried == ()
    assert chips(play) == (10_090, 9_800, 9_950)
    assert told(play, c.Call())[0] == "no_shoe"
    play.shoe()
    play.call()


def test_5_11_2_decided_before_the_cards_are_put_right_the_rest_is_discarded() -> None:
    play = closed()
    draw(play, "9hP 8cB KdP KsB 5dP")
    incident = only(play.do(c.Report("simultaneous", "stuck together", (4, 5)), DEALER), e.IncidentOpened)
    ruled(play, r.ReplaceShoe(), by=SUPERVISOR, paragraph="5.11.2", reason="cards stick")
    events = ruled(play, r.DecideOrder((4, 5)), incident.number, by=SUPERVISOR, paragraph="5.11")
    assert only(events, e.CardsArranged).goes == "discarded"


def test_5_11_2_may_and_only_then() -> None:
    play = closed()
    draw(play, "9hP 8cB")
    incident = report(play, "simultaneous", (1, 2))
    ruled(play, r.DecideOrder((1, 2)), incident.number, by=SUPERVISOR, paragraph="5.11")
    all_go_on(play)
    draw(play, "KdP KsB")
    end(play)
    assert not play.table.shoe.ended  # nobody wanted it
    events = ruled(play, r.ReplaceShoe(), by=SUPERVISOR, paragraph="5.11.2", reason="on second thoughts")
    assert only(events, e.ShoeEnded).reason == About.of("shoe.replaced")
    # without such an error it is nothing that the book covers
    play = closed()
    draw(play, "9hP 8cB")
    ruled(play, r.ReplaceShoe(), by=SHIFT, paragraph="5.23", reason="players want it")


# --- 5.12: the shoe or shuffler must be reset


@pytest.mark.parametrize("cards", ["", "9hP", "9hP 8cB"])
def test_5_12_options_while_nothing_is_decided(cards: str) -> None:
    play = closed()
    draw(play, cards)
    incident = report(play, "shoe_fault", about="jammed")
    assert incident.paragraph == "5.12"
    events = given(play, r.PlayOn(), incident.number, paragraph="5.12")
    assert options_in(events, "5.12", "5.16.1")
    answer(play, "ann", False)
    all_go_on(play)
    draw(play, rest_of(play))
    end(play)
    assert chips(play) == (10_000, 9_800, 9_950)


@pytest.mark.parametrize("cards", ["9hP 8cB KdP", "9hP 8cB KdP KsB"])
def test_5_12_none_once_a_bet_is_decided(cards: str) -> None:
    play = closed()
    draw(play, cards)
    events = given(play, r.PlayOn(), report(play, "shoe_fault").number, paragraph="5.12")
    assert not all_of(events, e.OptionsGiven)
    assert not asked(play)


def test_5_12_after_the_close_only() -> None:
    play = seated()
    bets_down(play)
    jammed = report(play, "shoe_fault")
    assert told(play, c.Close(), DEALER) == ("flagged", "5.12")
    assert not all_of(play.do(c.Propose(r.PlayOn(), jammed.number), DEALER), e.OptionsGiven)
    play.close()


def test_5_12_fault_of_a_shuffler_that_deals() -> None:
    play = table_of("tiger-buffalo", automated=QUICK, shuffler=True)
    play.round({"ann": {"player": 100_00}}, "9h 8c Kd Ks")
    play.call()
    play.do(c.ReturnCards())
    play.bet("ann", {"player": 100_00})
    play.close()
    play.deal("2h")
    jammed = report(play, "shoe_fault", about="the shuffler has stopped")
    assert options_in(given(play, r.PlayOn(), jammed.number, paragraph="5.12"), "5.12", "5.16.1")
    # once the cards of the round are out, what went back in is no part of it
    assert play.refused(c.ReturnCards()).detail == "cards.none_to_return"
    answer(play, "ann", True)
    play.deal("9h 8c Kd")
    assert play.table.past[-1].settled


# --- 5.13: a card is damaged or lost


def test_5_13_play_waits_until_the_card_is_known() -> None:
    play = closed()
    draw(play, "9hP ..B")
    incident = report(play, "damaged_card", (2,))
    assert incident.paragraph == "5.13"
    assert told(play, c.Propose(r.Reconstruct(), incident.number)) == ("ruling", "5.13")
    assert told(play, c.Propose(r.ValueCard(1, parse_cards("8c")[0]), incident.number))[0] == "cards"
    # errors of order wait for it, too
    draw(play, "KdB")
    wrong_side = max(play.table.incidents)
    assert told(play, c.Propose(r.Reconstruct(), wrong_side)) == ("flagged", "5.13")


@pytest.mark.parametrize("ruling", [r.DecideOrder((2, 1)), r.AsItLies()])
def test_5_13_cards_do_not_change_places_until_the_card_is_known(ruling: r.AnyRuling) -> None:
    play = closed()
    draw(play, "9hP 8cB")
    damaged = report(play, "damaged_card", (1,)).number
    play.do(c.Report("simultaneous", "both at once", (1, 2)), DEALER)
    at_once = max(play.table.incidents)
    assert told(play, c.Propose(ruling, at_once, "nobody saw it")) == ("flagged", "5.13")
    ruled(play, r.ValueCard(1, parse_cards("7h")[0]), damaged, by=SUPERVISOR, paragraph="5.13.1")
    play.rule(ruling, at_once, "nobody saw it", SUPERVISOR)
    as_it_lies = isinstance(ruling, r.AsItLies)
    assert coup(play) == ("P 7h B 8c" if as_it_lies else "P 8c B 7h")


def test_5_13_1_the_house_finds_its_value() -> None:
    play = closed()
    draw(play, "9hP ..B KdP KsB")
    incident = report(play, "damaged_card", (2,), "torn in the shoe")
    value = r.ValueCard(2, parse_cards("8c")[0])
    events = ruled(play, value, incident.number, by=SUPERVISOR, paragraph="5.13.1", reason="seen on camera 4")
    valued = only(events, e.CardValued)
    assert (valued.number, str(valued.card), valued.paragraph) == (2, "8c", "5.13.1")
    assert not all_of(events, e.OptionsGiven)
    assert coup(play) == "P 9hKd B 8cKs"
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)


def test_5_13_1_card_that_was_seen_may_be_valued_anew() -> None:
    play = closed()
    draw(play, "9hP 8cB KdP KsB")
    incident = report(play, "damaged_card", (2,), "the index is torn off")
    ruled(play, r.ValueCard(2, parse_cards("9c")[0]), incident.number, by=SUPERVISOR, paragraph="5.13.1")
    assert coup(play) == "P 9hKd B 9cKs"
    end(play)
    assert chips(play) == (9_990, 10_000, 10_400)  # a tie


def test_5_13_2_void_if_it_cannot_be_found() -> None:
    play = closed()
    draw(play, "4hP 8cB 4dP ..B")  # the pair is decided, and goes back
    incident = report(play, "damaged_card", (4,), "fell down the lift")
    events = ruled(play, r.VoidRound(), incident.number, by=SUPERVISOR, paragraph="5.13.2", reason="not found")
    voided = only(events, e.RoundVoided)
    assert (voided.paragraph, voided.reason) == ("5.13.2", "not found")
    assert chips(play) == UNTOUCHED
    assert winners(play) == []


# --- 5.14, 5.15: found after the next round began


def late(cards: tuple[str, str], bets: Bets = BETS, **changes: object) -> Play:
    """A round settled on the first cards; after the next call it is found that they were the second."""
    play = seated(**changes)
    whole_round(play, cards[0], bets)
    play.call()
    found(play, cards)
    return play


def test_5_14_the_next_round_goes_on_untouched() -> None:
    play = seated()
    whole_round(play, ONE_TOO_MANY[0])
    assert chips(play) == (9_890, 10_200, 9_950)
    bets_down(play, {"ann": {"player": 100}})
    play.close()
    draw(play, "9hP 8cB")
    number = found(play, ONE_TOO_MANY)
    assert not play.table.incidents[number].blocks
    draw(play, "KdP KsB")
    settled = only(end(play), e.RoundSettled)
    assert lines(settled) == {("ann", "player"): ("won", 100)}
    assert chips(play) == (9_990, 10_200, 9_950)
    bets_down(play, {"bob": {"banker": 200}})  # and the one after it, too
    ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.15.2")
    assert layout(play) == (0, 200, 0)
    assert play.table.last is not None
    assert play.table.last.lines == settled.lines
    assert winners(play) == ["tie", "player"]
    play.close()
    assert current(play).cards == ()  # nothing was carried
    draw(play, "9hP 8cB KdP KsB")
    end(play)
    # round 1 anew: Ann's bet back, Bob's winnings gone, the tie pays 8 to 1
    assert chips(play) == (9_990 + 100, 10_200 - 200 - 200, 9_950 + 50 + 400)


def test_5_14_nothing_changes_before_a_ruling() -> None:
    play = late(ONE_TOO_FEW)
    assert chips(play) == (9_890, 10_200, 9_950)
    assert winners(play) == ["banker"]
    play.close()
    draw(play, "9hP 8cB KdP KsB")
    end(play)
    assert winners(play) == ["banker", "player"]


def test_5_15_late_is_from_the_next_call_on() -> None:
    play = seated()
    whole_round(play, ONE_TOO_MANY[0])
    number = found(play, ONE_TOO_MANY)
    assert play.table.incidents[number].paragraph == "5.8"  # in time
    play = seated()
    whole_round(play, ONE_TOO_MANY[0])
    play.call()  # no card is out, nor a bet down
    number = found(play, ONE_TOO_MANY)
    incident = play.table.incidents[number]
    assert (incident.family, incident.paragraph, incident.blocks, incident.round) == (
        "rectified_late",
        "5.15",
        False,
        1,
    )
    for ruling in (r.LetStand(), r.Reconstruct(), r.GiveOptions(), r.PlayOn()):
        assert told(play, c.Propose(ruling, number, "as it is")) == ("ruling", "5.15")
    assert told(play, c.ReportRound(1, parse_cards(ONE_TOO_MANY[1]), "again"))[0] == "already_there"


def test_5_15_only_rounds_of_the_shoe_that_were_settled() -> None:
    play = seated()
    whole_round(play, "9h 8c Kd Ks")
    play.call()
    assert told(play, c.ReportRound(1, parse_cards("9h 8c Kd Ks"), "the same"))[0] == "cards"
    assert told(play, c.ReportRound(2, parse_cards(ONE_TOO_MANY[1]), "not over"))[0] == "no_round"
    assert told(play, c.ReportRound(1, parse_cards(ONE_TOO_MANY[1]), "x"), "ann")[0] == "rank"


def test_5_15_1_third_card_left_out_voids_the_round() -> None:
    play = late(ONE_TOO_FEW)
    (number,) = play.table.incidents
    assert told(play, c.Propose(r.Rectify(), number)) == ("cards", "5.15.1")  # it never left the shoe
    events = ruled(play, r.VoidRound(), number, by=SUPERVISOR, paragraph="5.15.1", reason="no third card")
    again = only(events, e.RoundSettledAgain)
    assert (again.number, again.void, again.paragraph) == (1, True, "5.15.1")
    assert lines(again) == {
        ("ann", "player"): ("returned", 0),
        ("ann", "player_pair"): ("lost", -10),  # K and 5: decided by four cards
        ("bob", "banker"): ("returned", 0),
        ("cho", "tie"): ("returned", 0),  # Player could still have made 7
    }
    assert set(again.transfers) == {
        e.Transfer("tray", "chips:ann", 100_00),
        e.Transfer("chips:bob", "tray", 200_00),
        e.Transfer("tray", "chips:cho", 50_00),
    }
    assert chips(play) == (9_990, 10_000, 10_000)
    assert winners(play) == []
    assert not play.table.incidents
    assert current(play).number == 2
    assert told(play, c.ReportRound(1, parse_cards("2h 4c Kd Ks 6d 3c"), "again"))[0] == "no_round"  # it has no result


def test_5_15_1_bankers_third_card_left_out() -> None:
    """Settled on 6 against 7; really Banker had 5 and must draw against a Player who stands."""
    play = late(("Kh 7c 6d Ks", "Kh 5c 6d Ks"), {"ann": {"player": 100}, "bob": {"banker": 200, "small_buffalo": 10}})
    (number,) = play.table.incidents
    again = only(
        ruled(play, r.VoidRound(), number, by=SUPERVISOR, paragraph="5.15.1", reason="no third card"),
        e.RoundSettledAgain,
    )
    # Player may win with its 6 on two cards or not: Small Buffalo is open
    assert set(lines(again).values()) == {("returned", 0)}
    assert chips(play) == UNTOUCHED


def test_5_15_2_card_too_many_is_put_right_and_discarded() -> None:
    play = late(ONE_TOO_MANY)
    (number,) = play.table.incidents
    assert chips(play) == (9_890, 10_200, 9_950)
    drawn = play.table.shoe.drawn
    events = ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.15.2", reason="")
    again = only(events, e.RoundSettledAgain)
    assert (again.number, again.void, again.paragraph, again.coup) == (1, False, "5.15.2", "P Kh6d B 4cKs2c")
    anew = only(events, e.CardsTold)
    assert (anew.left_over, anew.carried) == (parse_cards("4h"), False)
    assert lines(again) == {
        ("ann", "player"): ("returned", 0),
        ("ann", "player_pair"): ("lost", -10),
        ("bob", "banker"): ("returned", 0),
        ("cho", "tie"): ("won", 400),
    }
    assert set(again.transfers) == {
        e.Transfer("tray", "chips:ann", 100_00),
        e.Transfer("chips:bob", "tray", 200_00),
        e.Transfer("tray", "chips:cho", 450_00),
    }
    assert chips(play) == (9_990, 10_000, 10_400)
    assert winners(play) == ["tie"]
    assert play.table.carried == ()
    assert play.table.shoe.drawn == drawn  # all six had been drawn before
    # what was recorded stays recorded
    first = only(tuple(play.events), e.RoundSettled)
    assert lines(first)["bob", "banker"] == ("won", 200)


def test_5_15_2_in_time_the_card_opens_the_next_round() -> None:
    play = seated()
    whole_round(play, ONE_TOO_MANY[0])
    number = found(play, ONE_TOO_MANY)
    assert waiting(play).number == number  # the next call waits
    events = ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.8", reason="")
    again = only(events, e.RoundSettledAgain)
    anew = only(events, e.CardsTold)
    assert (anew.left_over, anew.carried, again.paragraph) == (parse_cards("4h"), True, "5.8")
    assert chips(play) == (9_990, 10_000, 10_400)
    assert winners(play) == ["tie"]
    bets_down(play, {})
    assert only(play.do(c.Close(), DEALER), e.CarriedCardsDealt).hands == (P,)
    assert [str(card.card) for card in current(play).cards] == ["4h"]


def test_5_15_2_in_time_while_boxes_are_still_confirmed() -> None:
    play = seated(automated=(LIVE[0], LIVE[1]))
    whole_round(play, ONE_TOO_MANY[0])
    assert phase(play) is Phase.PAYING
    play.do(c.Confirm(1), DEALER)
    number = found(play, ONE_TOO_MANY)
    play.do(c.Confirm(2), DEALER)
    assert play.table.round is not None  # the round does not end before the ruling
    ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.8")
    assert current(play).unconfirmed == {1, 2}  # both are to be put right on the felt
    play.do(c.Confirm(1), DEALER)
    play.do(c.Confirm(2), DEALER)
    assert phase(play) is Phase.IDLE
    assert chips(play) == (9_990, 10_000, 10_400)
    assert [str(card.card) for card in play.table.carried] == ["4h"]


def test_5_15_2_what_cannot_be_collected_is_owed_and_collected_later() -> None:
    play = seated()
    whole_round(play, ONE_TOO_MANY[0])
    play.do(c.ChipsOut("bob", 10_150_00), DEALER)  # 50 are left of 10,200
    play.call()
    number = found(play, ONE_TOO_MANY)
    events = ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.15.2")
    again = only(events, e.RoundSettledAgain)
    assert e.Transfer("chips:bob", "tray", 50_00) in again.transfers
    assert e.Transfer("owed:bob", "receivables", 150_00) in again.transfers
    assert play.table.stack("bob") == 0
    assert (play.table.balances["owed:bob"], play.table.balances["receivables"]) == (-150_00, 150_00)
    (debt,) = play.table.incidents.values()
    assert (debt.family, debt.person, debt.blocks) == ("debt", "bob", False)  # play goes on
    refusal = play.refused(c.Propose(r.Collect(1_00), debt.number, "he agreed"))
    assert (refusal.code, refusal.fits) == ("funds", 0)
    play.do(c.BuyIn("bob", 120_00), DEALER)
    refusal = play.refused(c.Propose(r.Collect(150_00), debt.number, "he agreed"))
    assert (refusal.code, refusal.fits) == ("funds", 120_00)
    tray = play.table.balances["tray"]
    events = ruled(play, r.Collect(100_00), debt.number, by=MANAGER, paragraph="", reason="he agreed")
    paid = only(events, e.DebtSettled)
    assert (paid.person, paid.amount, paid.how) == ("bob", 100_00, "collected")
    assert (play.table.stack("bob"), play.table.balances["tray"] - tray) == (20_00, 100_00)
    assert play.table.balances["owed:bob"] == -50_00
    assert debt.number in play.table.incidents
    assert told(play, c.Propose(r.WriteOff(), debt.number))[0] == "reason"  # with its reason
    events = ruled(play, r.WriteOff(), debt.number, by=MANAGER, paragraph="", reason="our mistake")
    assert (only(events, e.DebtSettled).how, only(events, e.DebtSettled).amount) == ("written_off", 50_00)
    assert (play.table.balances["owed:bob"], play.table.balances["receivables"]) == (0, 0)
    assert not play.table.incidents


def test_5_15_2_who_has_left_owes_or_has_money_waiting() -> None:
    play = seated()
    whole_round(play, ONE_TOO_MANY[0])
    play.do(c.Leave("bob"), "bob")
    play.do(c.Leave("cho"), "cho")
    play.call()
    number = found(play, ONE_TOO_MANY)
    ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.15.2")
    balances = play.table.balances
    assert (balances["owed:bob"], balances["receivables"], balances["held:cho"]) == (-200_00, 200_00, 450_00)
    play.do(c.Join("cho", 1, False), "cho")
    assert play.table.stack("cho") == 450_00
    (debt,) = play.table.incidents.values()
    play.do(c.Join("bob", 2), "bob")
    play.do(c.BuyIn("bob", 500_00), DEALER)
    ruled(play, r.Collect(200_00), debt.number, by=MANAGER, paragraph="", reason="he agreed")
    assert play.table.stack("bob") == 300_00
    assert not play.table.incidents


def test_5_15_2_money_that_waits_for_somebody_is_taken_before_he_owes() -> None:
    """Bob has left with nothing here; a first correction pays him, the second takes that back and 50 more."""
    play = seated()
    whole_round(play, "9h 8c Kd Ks")
    play.do(c.Leave("bob"), "bob")

    def correct(stake: int) -> e.RoundSettledAgain:
        bet = r.CorrectBet("bob", 2, "banker", stake, round=1)
        return only(ruled(play, bet, by=MANAGER, paragraph="5.19", reason="miskeyed"), e.RoundSettledAgain)

    correct(100_00)
    assert play.table.balances["held:bob"] == 100_00
    again = correct(250_00)
    assert again.transfers == (
        e.Transfer("held:bob", "tray", 100_00),
        e.Transfer("owed:bob", "receivables", 50_00),
    )
    (debt,) = play.table.incidents
    assert play.refused(c.Propose(r.Collect(50_00), debt, "he agreed")).fits == 0
    ruled(play, r.Pay("bob", 30_00), by=SHIFT, paragraph="5.23", reason="a chip was lost")  # that waits for him
    assert play.refused(c.Propose(r.Collect(50_00), debt, "he agreed")).fits == 30_00
    events = ruled(play, r.Collect(30_00), debt, by=MANAGER, paragraph="", reason="he agreed")
    assert e.Transfer("held:bob", "tray", 30_00) in only(events, e.DebtSettled).transfers
    assert (play.table.balances["held:bob"], play.table.balances["owed:bob"]) == (0, -20_00)


def test_5_15_3_the_house_may_judge_that_it_cannot_be_put_right() -> None:
    play = late(ONE_TOO_MANY)
    (number,) = play.table.incidents
    assert told(play, c.Propose(r.VoidRound(), number))[0] == "reason"  # the reason is recorded
    events = ruled(play, r.VoidRound(), number, by=SUPERVISOR, paragraph="5.15.3", reason="the camera saw too little")
    again = only(events, e.RoundSettledAgain)
    assert (again.void, again.paragraph, again.reason) == (True, "5.15.3", "the camera saw too little")
    assert winners(play) == []
    # Tie and pair were decided by the cards that were due; Player and Banker go back
    assert lines(again) == {
        ("ann", "player"): ("returned", 0),
        ("ann", "player_pair"): ("lost", -10),
        ("bob", "banker"): ("returned", 0),
        ("cho", "tie"): ("won", 400),
    }
    assert chips(play) == (9_990, 10_000, 10_400)
    assert play.table.carried == ()


PAIRS = ("4h 7c 2d Ks", "4h 7c 4d 7s")
"""Settled on 6 against 7 without a pair; really a pair each, Player 8: and so a Natural, with no card missing."""


def test_5_15_4_side_bets_already_decided_stand() -> None:
    """Layout A: the pairs are decided by four cards; what the missing card could still change goes back."""
    side_bets = ("player_pair", "banker_pair", "big_tiger", "small_tiger", "big_buffalo", "small_buffalo")
    bets = {
        "ann": {"player": 100, **dict.fromkeys(side_bets, 10)},
        "bob": {"banker": 200, "tie": 10, "player_char_siu": 10, "banker_char_siu": 10},
    }
    # settled on 6 against 7; really Player had a pair of 5s, 0 points, and Banker 7 stands
    play = late(("5h 7c Ad Ks", "5h 7c 5d Ks"), bets)
    # Banker wins with one point more on four cards: Bob's Char Siu pays 10 to 1
    assert chips(play) == (9_840, 10_280, 10_000)
    (number,) = play.table.incidents
    events = ruled(play, r.VoidRound(), number, by=SUPERVISOR, paragraph="5.15.1", reason="no third card")
    again = only(events, e.RoundSettledAgain)
    assert lines(again) == {
        ("ann", "player"): ("returned", 0),
        ("ann", "player_pair"): ("won", 110),
        ("ann", "banker_pair"): ("lost", -10),
        ("ann", "big_tiger"): ("lost", -10),  # Banker stands on 7
        ("ann", "small_tiger"): ("lost", -10),
        ("ann", "big_buffalo"): ("lost", -10),  # 6 does not win against 7
        ("ann", "small_buffalo"): ("lost", -10),  # Player would have three cards
        ("bob", "banker"): ("returned", 0),
        ("bob", "tie"): ("returned", 0),
        ("bob", "player_char_siu"): ("returned", 0),  # 8 against 7 could come
        ("bob", "banker_char_siu"): ("returned", 0),  # 7 against 6, too
    }
    kept = {line.bet for line in again.lines if line.paragraph == "5.15.4"}
    assert kept == set(side_bets)
    assert chips(play) == (10_060, 10_000, 10_000)


def test_5_15_4_the_tiger_pair_of_four_cards() -> None:
    """Layout M: settled on 6 against 7; really a pair of 5s against one of 7s, and Player was due a card."""
    side_bets = ("tiger_pair", "wu_dalang", "tiger", "banker_small_7", "player_small_7", "player_big_7", "banker_big_7")
    bets = {"ann": {"player": 100, **dict.fromkeys(side_bets, 10)}}
    play = late(("5h 7c Ad Ks", "5h 7c 5d 7s"), bets, layout="M")
    assert chips(play) == (10_000 - 100 - 60 + 150, 10_000, 10_000)  # Banker Small 7 had won
    (number,) = play.table.incidents
    events = ruled(play, r.VoidRound(), number, by=SUPERVISOR, paragraph="5.15.1", reason="no third card")
    assert lines(only(events, e.RoundSettledAgain)) == {
        ("ann", "player"): ("returned", 0),
        ("ann", "tiger_pair"): ("won", 200),  # double: 20 to 1
        ("ann", "wu_dalang"): ("lost", -10),  # only an ace makes 1, and Banker on 4 stands against it and wins
        ("ann", "tiger"): ("returned", 0),
        ("ann", "banker_small_7"): ("lost", -10),  # Banker has 4 on two cards
        ("ann", "player_small_7"): ("lost", -10),
        ("ann", "player_big_7"): ("returned", 0),
        ("ann", "banker_big_7"): ("returned", 0),
    }
    assert chips(play) == (10_000 + 200 - 30, 10_000, 10_000)


def test_5_15_4_not_player_banker_or_insurance() -> None:
    """Settled on Player 6, who stood, and Banker 5, who drew to 9: Ann's insurance won. Really it was 2 against 7."""
    play = seated()
    bets_down(play, {"ann": {"player": 100, "player_pair": 10}, "bob": {"banker": 200}})
    play.close()
    play.deal("6h 5c Kd Qs")
    play.do(c.Insure("ann", 1, P, 80_00), "ann")
    play.deal("4s")
    end(play)
    assert chips(play) == (10_000 - 100 - 10 + 200, 10_200, 10_000)
    play.call()
    number = found(play, ("", "Ah 7c Ad Qs"))  # Player 2, Banker 7: the third card never came
    events = ruled(play, r.VoidRound(), number, by=SUPERVISOR, paragraph="5.15.1", reason="as on camera")
    assert lines(only(events, e.RoundSettledAgain)) == {
        ("ann", "player"): ("returned", 0),
        ("ann", "player_pair"): ("won", 110),
        ("ann", "player_insurance"): ("returned", 0),
        ("bob", "banker"): ("returned", 0),
    }
    assert chips(play) == (10_110, 10_000, 10_000)


def test_5_15_4_in_a_round_put_right_they_are_settled_on_the_right_cards() -> None:
    bets = {"ann": {"player": 100, "player_pair": 10}, "bob": {"banker": 200, "banker_pair": 10}}
    play = late(PAIRS, bets)
    assert chips(play) == (9_890, 10_190, 10_000)
    (number,) = play.table.incidents
    again = only(ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.15.2"), e.RoundSettledAgain)
    assert lines(again) == {
        ("ann", "player"): ("won", 100),
        ("ann", "player_pair"): ("won", 110),
        ("bob", "banker"): ("lost", -200),
        ("bob", "banker_pair"): ("won", 110),
    }
    assert chips(play) == (10_210, 9_910, 10_000)


def test_5_15_round_of_the_shoe_before() -> None:
    for cards, paragraph in ((ONE_TOO_FEW, "5.15.1"), (ONE_TOO_MANY, "5.15.2")):
        play = seated()
        whole_round(play, cards[0], BETS)
        play.do(c.EndShoe("done"), SUPERVISOR)
        play.shoe()
        play.call()
        number = found(play, cards)
        ruling = r.VoidRound() if cards is ONE_TOO_FEW else r.Rectify()
        events = ruled(play, ruling, number, by=SUPERVISOR, paragraph=paragraph)
        assert only(events, e.RoundSettledAgain).void is (cards is ONE_TOO_FEW)
        assert not any(told.carried for told in all_of(events, e.CardsTold))
        assert (play.table.shoe.drawn, play.table.shoe.discards, winners(play)) == (0, 0, [])


def test_5_15_shoe_that_showed_its_order_has_no_other_cards() -> None:
    play = open_table(automated=ELECTRONIC)
    play.sit("ann", 1)
    play.round({"ann": {"player": 100_00}}, "9h 8c Kd Ks")
    play.do(c.EndShoe("done"), SUPERVISOR)
    play.shoe()
    report = c.ReportRound(1, parse_cards(ONE_TOO_FEW[1]), "seen on camera")
    refused = play.refused(report, HOUSE)
    assert (refused.code, refused.paragraph) == ("cards", "3.10")
    assert told(play, c.Propose(r.CorrectCard(1, parse_cards("8h")[0], 1), 0, "misread")) == ("machine_record", "5.20")


def test_5_15_1_void_round_keeps_the_count_of_the_shoe() -> None:
    """It was settled on four cards; five were out."""
    play = seated()
    whole_round(play, PLAYER_WINS_IN_ALL, BETS)
    play.call()
    number = found(play, (PLAYER_WINS_IN_ALL, f"{PLAYER_WINS_IN_ALL} 2c"))
    ruled(play, r.VoidRound(), number, by=SUPERVISOR, paragraph="5.15.3")
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (5, 5)


# --- 5.16: the players' options


def dealing_error(cards: str = "9hP 8cB KdP KsB", bets: Bets = BETS) -> tuple[Play, int]:
    play = closed(bets)
    draw(play, cards)
    return play, report(play, "dealing_error", about="a card slipped").number


@pytest.mark.parametrize("cards", ["9hP", "9hP 8cB", "9hP 8cB KdP", "9hP 8cB KdP KsB"])
@pytest.mark.parametrize("as_it_lies", [False, True])
def test_5_16_any_other_dealing_error_gives_options_whatever_is_decided(cards: str, as_it_lies: bool) -> None:
    play, number = dealing_error(cards)
    assert play.table.incidents[number].paragraph == "5.16"
    if as_it_lies:
        events = ruled(play, r.AsItLies(), number, by=SUPERVISOR, paragraph="5.16.1")
    else:
        events = ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.16")
    assert options_in(events, "5.16", "5.16.1" if as_it_lies else "5.16.2")
    assert only(events, e.OptionsGiven).people == ("ann", "bob", "cho")
    assert told(play, c.Settle())[0] in ("flagged", "not_finished")
    answer(play, "ann", True)
    answer(play, "bob", False)
    assert told(play, c.Settle())[0] in ("flagged", "not_finished")  # Cho has not answered
    answer(play, "cho", True)
    assert not asked(play)
    draw(play, rest_of(play))
    end(play)
    assert chips(play) == (10_090, 10_000, 9_950)


def test_5_16_until_the_settlement() -> None:
    play = closed(automated=(LIVE[0], LIVE[1]))
    draw(play, "9hP 8cB KdP KsB")
    end(play)
    assert phase(play) is Phase.PAYING
    assert told(play, c.TakeOption("bob", False), "bob")[0] == "no_options"
    # until every box is paid the round lasts (reading L)
    assert only(play.do(c.Report("dealing_error", "a card slipped"), DEALER), e.RoundReopened).paragraph == "5.16"


def test_5_16_only_those_with_bets_are_asked_and_each_for_himself() -> None:
    play, number = dealing_error(bets={"ann": {"player": 100}, "bob": {"banker": 200}})
    events = ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.16")
    assert only(events, e.OptionsGiven).people == ("ann", "bob")
    assert told(play, c.TakeOption("cho", False), "cho")[0] == "no_options"
    assert told(play, c.TakeOption("ann", False), "bob") == ("not_yours", "5.22")
    taken = only(answer(play, "ann", True, DEALER), e.OptionTaken)  # staff records it
    assert (taken.person, taken.goes_on, taken.by) == ("ann", True, DEALER)
    taken = only(answer(play, "bob", False, DEALER), e.OptionTaken)
    assert (taken.by, taken.paragraph) == (DEALER, "5.16.3")
    end(play)
    assert chips(play) == (10_100, 10_000, 10_000)


def test_5_16_who_has_walked_away_goes_on() -> None:
    play = closed()
    draw(play, "9hP 8cB")
    play.do(c.WalkAway("bob"), DEALER)
    number = report(play, "dealing_error").number
    events = ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.16")
    taken = only(events, e.OptionTaken)
    assert (taken.person, taken.goes_on, taken.paragraph) == ("bob", True, "5.3.1")
    assert asked(play) == {"ann", "cho"}
    assert told(play, c.TakeOption("bob", False), DEALER)[0] == "no_options"
    all_go_on(play)
    draw(play, "KdP KsB")
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)


def test_5_16_who_walks_away_without_an_answer_goes_on() -> None:
    play, number = dealing_error()
    ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.16")
    answer(play, "ann", False)
    answer(play, "cho", False)
    taken = only(play.do(c.WalkAway("bob"), DEALER), e.OptionTaken)
    assert (taken.person, taken.goes_on, taken.paragraph) == ("bob", True, "5.3.1")
    assert not asked(play)
    end(play)
    assert chips(play) == (10_000, 9_800, 10_000)


def test_5_16_another_error_asks_those_who_went_on_again() -> None:
    play, number = dealing_error("9hP 8cB")
    ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.16")
    answer(play, "ann", True)
    answer(play, "bob", False)
    answer(play, "cho", True)
    draw(play, "KdP")
    number = report(play, "dealing_error").number
    events = ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.16")
    assert only(events, e.OptionsGiven).people == ("ann", "cho")


def test_5_16_1_going_on_with_the_hand_as_it_lies() -> None:
    play = closed()
    draw(play, "9hP 8cB 7dB KsP")
    number = next(iter(play.table.incidents))
    events = ruled(play, r.AsItLies(), number, by=SUPERVISOR, paragraph="5.16.1", reason="nobody knows")
    assert only(events, e.CardsArranged).hands == (P, B, P, B)
    assert only(events, e.OptionsGiven).go_on == "5.16.1"
    taken = only(answer(play, "ann", True), e.OptionTaken)
    assert (taken.paragraph, taken.transfers) == ("5.16.1", ())
    answer(play, "bob", True)
    answer(play, "cho", False)
    assert coup(play) == "P 9hKs B 8c7d"
    end(play)
    assert chips(play) == (10_090, 9_800, 10_000)


def test_5_16_2_going_on_with_the_reconstructed_hand_binds() -> None:
    play = closed()
    draw(play, "9hB")
    events = ruled(play, r.Reconstruct(), waiting(play).number, by=SUPERVISOR, paragraph="5.9.1")
    assert only(events, e.CardsArranged).hands == (P,)
    taken = only(answer(play, "bob", True), e.OptionTaken)
    assert (taken.paragraph, taken.transfers) == ("5.16.2", ())
    assert told(play, c.TakeOption("bob", False), "bob") == ("no_options", "5.16.2")  # answered is answered
    answer(play, "ann", True)
    answer(play, "cho", True)
    assert told(play, c.TakeOption("bob", False), "bob")[0] == "no_options"
    assert told(play, c.Withdraw("bob", 2, "banker"), "bob") == ("bets_closed", "5.6")
    draw(play, "8cB KdP KsB")  # whatever comes
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)


def test_5_16_3_taking_back_takes_everything_back() -> None:
    """Bob's Banker bet, his side bets and his insurance; Ann and Cho play on."""
    bets = {"ann": {"player": 100}, "bob": {"banker": 200, "tie": 10, "small_tiger": 5}, "cho": {"tie": 50}}
    play = closed(bets)
    draw(play, "2hP 4cB KdP KsB")
    play.do(c.Insure("bob", 2, B, 60_00), "bob")
    assert (chips(play)[1], layout(play)) == (9_725, (100, 275, 50))
    number = report(play, "dealing_error").number
    ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.16")
    taken = only(answer(play, "bob", False), e.OptionTaken)
    assert (taken.paragraph, taken.transfers) == ("5.16.3", (e.Transfer("layout:bob", "chips:bob", 275_00),))
    assert (chips(play)[1], layout(play)) == (10_000, (100, 0, 50))
    all_go_on(play)
    draw(play, "5hP")  # Player 7; Banker draws
    play.do(c.CloseInsurance(), DEALER)
    draw(play, "5dB")  # 9
    settled = only(end(play), e.RoundSettled)
    assert {line.person for line in settled.lines} == {"ann", "cho"}
    assert chips(play) == (9_900, 10_000, 9_950)


def test_5_16_3_who_goes_on_keeps_the_insurance() -> None:
    play = closed({"bob": {"banker": 200}})
    draw(play, "2hP 4cB KdP KsB")
    play.do(c.Insure("bob", 2, B, 60_00), "bob")
    number = report(play, "dealing_error").number
    ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.16")
    answer(play, "bob", True)
    draw(play, "8hP")  # Player 0; Banker on 4 stands against an 8 and wins
    end(play)
    assert chips(play)[1] == 10_000 + 200 - 60


def test_5_16_3_bet_taken_back_stays_so_when_its_record_is_corrected() -> None:
    play = closed(automated=(Step.ANNOUNCE, *BY_HAND))
    draw(play, "9hP 8cB")
    number = report(play, "simultaneous", (1, 2)).number
    play.rule(r.DecideOrder((1, 2)), number, "", SUPERVISOR)
    answer(play, "ann", False)
    more = r.CorrectBet("ann", 1, "player", 150_00)
    assert told(play, c.Propose(more, 0, "she had 150 there")) == ("no_wager", "5.16.3")
    all_go_on(play)
    draw(play, "KdP KsB")
    assert chips(play) == (10_000, 9_800, 9_950)
    assert told(play, c.Propose(replace(more, round=1), 0, "she had 150 there")) == ("no_wager", "5.16.3")


def test_5_16_3_if_everybody_takes_back_the_round_is_over_without_a_result() -> None:
    play, number = dealing_error()
    ruled(play, r.Reconstruct(), number, by=SUPERVISOR, paragraph="5.16")
    answer(play, "ann", False)
    answer(play, "bob", False)
    assert play.table.round is not None
    events = answer(play, "cho", False)
    over = only(events, e.RoundVoided)
    assert (over.paragraph, over.transfers) == ("5.16.3", ())  # all is back already
    assert only(events, e.RoundEnded).number == 1
    assert not all_of(play.events, e.RoundSettled)
    assert chips(play) == UNTOUCHED
    assert winners(play) == []
    play.call()
    assert current(play).number == 2


# --- 5.17: insurance was not offered


def not_offered(cards: str, bets: Bets, **changes: object) -> Play:
    """A table where the dealer offers insurance by hand, and these cards came without it."""
    play = closed(bets, **{"automated": BY_HAND, **changes})
    draw(play, cards)
    return play


BOTH: Bets = {"ann": {"player": 100}, "bob": {"banker": 200}}
FIVE_TO_SIX = "5hP 6cB KdP KsB 6hP"
"""Player 5, Banker 6: insurance on Banker at 5 to 2. Player draws to 1, Banker draws: at 10 to 1 now."""


def test_5_17_card_before_the_offer_is_noticed_and_play_waits() -> None:
    play = not_offered("5hP 6cB KdP KsB", BOTH)
    assert not play.table.incidents  # nothing is missed yet
    events = draw(play, "6hP")
    missed = only(events, e.InsuranceMissed)
    (offer,) = missed.offers
    assert (missed.window, missed.paragraph) == (Window.FOUR_CARDS, "5.17")
    assert (offer.hand, offer.odds, offer.people) == (B, Odds(5, 2), ("bob",))
    incident = waiting(play)
    assert (incident.family, incident.paragraph) == ("insurance_missed", "5.17")
    assert told(play, c.Propose(r.VoidRound(), incident.number, "so sorry")) == ("ruling", "5.17")
    ruled(play, r.OfferLate(), incident.number, by=MANAGER, paragraph="5.17.1", reason="before the next card")
    assert not play.table.incidents


def test_5_17_offered_in_time_nothing_is_missed() -> None:
    play = not_offered("5hP 6cB KdP KsB", BOTH)
    assert told(play, c.Deal(parse_cards("6h")))[0] == "insurance_open"
    play.do(c.OfferInsurance(), DEALER)
    play.do(c.PassInsurance("bob"), "bob")
    assert not all_of(draw(play, "6hP"), e.InsuranceMissed)
    assert not play.table.incidents


def test_5_17_nothing_is_missed_where_no_row_fits_or_nobody_bet_on_the_hand() -> None:
    play = not_offered("5hP 6cB KdP KsB 6hP", {"ann": {"player": 100}, "cho": {"tie": 50}})
    assert not play.table.incidents
    play = not_offered("4hP 4cB KdP KsB 2hP", BOTH)  # 4 all
    assert not all_of(play.events, e.InsuranceMissed)


def test_5_17_1_offered_now_by_the_row_that_fits_now() -> None:
    play = not_offered(FIVE_TO_SIX, BOTH)
    number = waiting(play).number
    events = ruled(play, r.OfferLate(), number, by=MANAGER, paragraph="5.17.1", reason="")
    offered = only(events, e.InsuranceOffered)
    (offer,) = offered.offers
    assert (offered.window, offered.paragraph, offered.late) == (Window.PLAYER_THIRD, "5.17.1", True)
    assert (offer.hand, offer.odds, offer.people) == (B, Odds(10, 1), ("bob",))
    assert told(play, c.Deal(parse_cards("Kc")))[0] == "insurance_open"  # before the round continues
    # at 10 to 1 a stake of 20 wins the Original Bet of 200
    refusal = play.refused(c.Insure("bob", 2, B, 25_00), "bob")
    assert (refusal.code, refusal.paragraph, refusal.fits) == ("insurance_cap", "5.17.1", 20_00)
    play.do(c.Insure("bob", 2, B, 20_00), "bob")
    draw(play, "4dB")  # Banker 0 against 1
    settled = only(end(play), e.RoundSettled)
    assert lines(settled)["bob", "banker_insurance"] == ("won", 200)
    assert lines(settled)["bob", "banker"] == ("lost", -200)
    assert chips(play) == (10_100, 10_000, 10_000)


@pytest.mark.parametrize(
    ("cards", "hand", "fits", "won"),
    [
        ("5hP 4cB KdP KsB 2dP", P, 25_00, 100_00),  # Player 5 against 4, then 7: at 4 to 1
        ("3hP 6cB KdP KsB 7dP", B, 20_00, 200_00),  # Banker 6 against 3, then Player 0: at 10 to 1
        ("5hP 6cB KdP KsB 7dP", B, 50_00, 200_00),  # Banker 6 against 5, then Player 2: at 4 to 1
        ("AhP 4cB KdP KsB 2dP", B, 80_00, 200_00),  # Banker 4 against 1, then Player 3: at 5 to 2
    ],
)
def test_5_17_1_winnings_are_at_most_the_original_bet(cards: str, hand: object, fits: int, won: int) -> None:
    play = not_offered(cards, BOTH)
    ruled(play, r.OfferLate(), waiting(play).number, by=MANAGER, paragraph="5.17.1")
    person, box = ("ann", 1) if hand is P else ("bob", 2)
    refusal = play.refused(c.Insure(person, box, hand, fits + 1), person)  # type: ignore[arg-type]
    assert (refusal.code, refusal.fits) == ("insurance_cap", fits)
    taken = only(play.do(c.Insure(person, box, hand, fits), person), e.Insured)  # type: ignore[arg-type]
    assert taken.odds.pays * fits // taken.odds.to == won


def test_5_17_1_all_of_it_together() -> None:
    """Two players on Banker, so that the window stays open: Bob's 15 and 5 come to 20."""
    play = not_offered(FIVE_TO_SIX, {"bob": {"banker": 200}, "cho": {"banker": 50}})
    ruled(play, r.OfferLate(), waiting(play).number, by=MANAGER, paragraph="5.17.1")
    play.do(c.Insure("bob", 2, B, 15_00), "bob")
    assert play.refused(c.Insure("bob", 2, B, 6_00), "bob").fits == 5_00
    play.do(c.Insure("bob", 2, B, 5_00), "bob")
    assert play.refused(c.Insure("cho", 1, B, 5_01), "cho").fits == 5_00


def missed_twice(first: int) -> Play:
    """Both windows are missed and offered late: Ann insures her 100 on Player with that in the first, at 3 to 2."""
    play = not_offered("2hP 4cB 3dP KsB ..P", {"ann": {"player": 100}})
    play.rule(r.OfferLate(), waiting(play).number, by=MANAGER)
    play.do(c.Insure("ann", 1, P, first * 100), "ann")
    play.do(c.Turn(5, parse_cards("2s")[0]), DEALER)  # Player 7, Banker 4 draws: at 4 to 1
    draw(play, "..B")
    play.rule(r.OfferLate(), waiting(play).number, by=MANAGER)
    return play


@pytest.mark.parametrize(("first", "fits"), [(66, 25), (20, 17_50), (40, 10_00)])
def test_5_17_1_both_windows_together_win_at_most_the_original_bet(first: int, fits: int) -> None:
    play = missed_twice(first)
    assert play.refused(c.Insure("ann", 1, P, fits + 1), "ann").fits == fits
    play.do(c.Insure("ann", 1, P, fits), "ann")
    play.do(c.Turn(6, parse_cards("5h")[0]), DEALER)  # Banker 9
    settled = only(end(play), e.RoundSettled)
    won = [line.profit for line in settled.lines if line.insurance]
    assert won == [first * 150, fits * 4]
    assert 99_00 < sum(won) <= 100_00


def test_5_17_1_another_row_wins_no_more() -> None:
    play = missed_twice(40)
    play.do(c.Insure("ann", 1, P, 5_00), "ann")
    play.do(c.Turn(6, parse_cards("5h")[0]), DEALER)
    # the third card was a 3: Player 8 against 4 is at 10 to 1
    play.rule(r.CorrectCard(5, parse_cards("3s")[0]), reason="keyed wrongly", by=SUPERVISOR)
    settled = only(end(play), e.RoundSettled)
    assert [line.profit for line in settled.lines if line.insurance] == [60_00, 40_00]
    assert chips(play) == (10_000, 10_000, 10_000)
    play.rule(r.CorrectCard(5, parse_cards("2s")[0], 1), reason="it was a 2 after all", by=MANAGER)
    assert [line.profit for line in play.table.past[0].lines if line.insurance] == [60_00, 20_00]


def test_5_17_1_while_the_card_is_still_face_down_the_row_is_that_of_four_cards() -> None:
    play = not_offered("5hP 6cB KdP KsB 6hP?", BOTH, face_down=True)
    events = ruled(play, r.OfferLate(), waiting(play).number, by=MANAGER, paragraph="5.17.1")
    (offer,) = only(events, e.InsuranceOffered).offers
    assert (offer.hand, offer.odds, offer.own, offer.other) == (B, Odds(5, 2), 6, 5)
    assert play.refused(c.Insure("bob", 2, B, 85_00), "bob").fits == 80_00
    play.do(c.Insure("bob", 2, B, 80_00), "bob")
    play.do(c.Turn(5), DEALER)
    assert coup(play) == "P 5hKd6h B 6cKs"


def test_5_17_1_turned_card_ends_the_offer() -> None:
    """Player 8 against 3, at 10 to 1; Banker's third lies there face down. Once it is open nobody insures any more."""
    play = not_offered("5hP 3cB KdP KsB 3hP 6hB?", BOTH, face_down=True)
    ruled(play, r.OfferLate(), waiting(play).number, by=MANAGER, paragraph="5.17.1")
    closing = only(play.do(c.Turn(6), DEALER), e.InsuranceClosed)
    assert (closing.forgone, closing.paragraph) == (("ann",), "5.3")
    assert coup(play) == "P 5hKd3h B 3cKs6h"
    assert told(play, c.Insure("ann", 1, P, 10_00), "ann") == ("forgone", "5.3")
    end(play)
    assert chips(play) == (9_900, 10_200, 10_000)


def test_5_17_1_who_squeezes_waits_for_the_offer() -> None:
    play = closed(BOTH, automated=BY_HAND, face_down=True)
    draw(play, "5hP 6cB KdP")
    play.do(c.AskSqueeze("bob", P), "bob")
    play.do(c.AnswerSqueeze("bob", True), DEALER)
    draw(play, "KsB 6hP?")
    ruled(play, r.OfferLate(), waiting(play).number, by=MANAGER, paragraph="5.17.1")
    assert told(play, c.Turn(5), "bob") == ("insurance_open", "3.13")
    play.do(c.PassInsurance("bob"), "bob")
    play.do(c.Turn(5), "bob")
    assert coup(play) == "P 5hKd6h B 6cKs"


def test_5_17_1_an_offer_is_for_the_points_it_was_made_on() -> None:
    """A record in which a card was turned while the offer went on: what is open now is not what was offered."""
    play = not_offered("5hP 6cB KdP KsB 6hP?", BOTH, face_down=True)
    ruled(play, r.OfferLate(), waiting(play).number, by=MANAGER, paragraph="5.17.1")
    table = evolve(play.table, e.CardTurned(5, parse_cards("6h")[0], DEALER))
    refused = execute(table, Command("1", "bob", 0, c.Insure("bob", 2, B, 80_00)))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.paragraph) == ("no_insurance", "3.12")


def test_5_17_1_only_to_who_was_not_asked() -> None:
    """Banker 4 leads 2: Bob was not asked. Player draws to 6: that is Ann's to insure, and not late at all."""
    play = not_offered("2hP 4cB KdP KsB 4hP", BOTH)
    number = waiting(play).number
    assert told(play, c.Propose(r.OfferLate(), number)) == ("no_insurance", "5.17.1")
    ruled(play, r.PlayOn(), number, by=MANAGER, paragraph="5.17")
    offered = only(play.do(c.OfferInsurance(), DEALER), e.InsuranceOffered)
    assert (offered.late, offered.paragraph) == (False, "3.12")
    play.do(c.Insure("ann", 1, P, 100_00), "ann")  # up to the Original Bet, as ever
    draw(play, "5dB")
    assert lines(only(end(play), e.RoundSettled))["ann", "player_insurance"] == ("won", 250)


def test_5_17_1_who_lets_it_pass_accepts_what_comes() -> None:
    play = not_offered(FIVE_TO_SIX, BOTH)
    ruled(play, r.OfferLate(), waiting(play).number, by=MANAGER, paragraph="5.17.1")
    play.do(c.PassInsurance("bob"), "bob")
    draw(play, "4dB")
    assert current(play).forgone == {"bob"}
    assert not play.table.incidents
    end(play)
    assert chips(play) == (10_100, 9_800, 10_000)


def test_5_17_cards_drawn_at_once_leave_no_time_for_insurance() -> None:
    """Cards 4 and 5 left the shoe together: what the table offered between them nobody could take."""
    play = closed(BOTH)
    draw(play, FIVE_TO_SIX)
    assert current(play).forgone == {"bob"}  # so it seemed
    events = play.do(c.Report("simultaneous", "stuck together", (4, 5)), DEALER)
    missed = only(events, e.InsuranceMissed)
    assert (missed.window, missed.offers[0].people, missed.paragraph) == (Window.FOUR_CARDS, ("bob",), "5.17")
    order, insurance = all_of(events, e.IncidentOpened)
    assert (order.family, insurance.family, insurance.paragraph) == ("simultaneous", "insurance_missed", "5.17")
    assert (order.number, insurance.number) == (1, 2)
    play.rule(r.DecideOrder((4, 5)), order.number, "", SUPERVISOR)
    all_go_on(play)
    late = only(play.rule(r.OfferLate(), insurance.number, "", MANAGER), e.InsuranceOffered)
    assert (late.late, late.offers[0].odds, late.offers[0].people) == (True, Odds(10, 1), ("bob",))
    play.do(c.Insure("bob", 2, B, 20_00), "bob")


def test_5_17_third_cards_drawn_at_once_leave_no_time_for_insurance_between_them() -> None:
    play = closed({"ann": {"player": 100}})
    draw(play, "2hP 3cB KdP KsB")  # 2 to 3: nothing to insure for Ann
    draw(play, "7hP")  # 9 to 3, and Banker draws
    assert current(play).window is not None
    draw(play, "5sB")
    events = play.do(c.Report("simultaneous", "stuck together", (5, 6)), DEALER)
    missed = only(events, e.InsuranceMissed)
    assert (missed.window, missed.offers[0].people) == (Window.PLAYER_THIRD, ("ann",))


def test_5_17_displayed_but_not_offered_is_reported() -> None:
    play = closed(BOTH)
    assert told(play, c.Report("insurance_missed", "nobody was asked")) == ("no_insurance", "5.17")
    draw(play, FIVE_TO_SIX)
    assert told(play, c.MeantToInsure("bob", B))[0] == "no_insurance"
    number = report(play, "insurance_missed", about="nobody was asked").number
    play.do(c.MeantToInsure("bob", B), DEALER)
    ruled(play, r.OfferLate(), number, by=MANAGER, paragraph="5.17.1")
    play.do(c.Insure("bob", 2, B, 20_00), "bob")  # at 10 to 1 by now
    draw(play, "4dB")
    end(play)
    assert told(play, c.Report("insurance_missed", "too late"))[0] == "no_insurance"
    assert chips(play) == (10_100, 10_000, 10_000)


def test_5_17_the_report_names_who_was_not_asked() -> None:
    play = closed({"ann": {"banker": 100}, "cho": {"banker": 200}})
    draw(play, "5hP 6cB KdP KsB")
    play.do(c.CloseInsurance(), DEALER)
    draw(play, "6hP")
    events = play.do(c.Report("insurance_missed", "cho was not asked", person="cho"), DEALER)
    assert [offer.people for offer in only(events, e.InsuranceMissed).offers] == [("cho",)]
    ruled(play, r.OfferLate(), waiting(play).number, by=MANAGER, paragraph="5.17.1")
    assert told(play, c.Insure("ann", 1, B, 10_00), "ann")[0] == "forgone"  # silent when she was asked
    play.do(c.Insure("cho", 1, B, 10_00), "cho")


def test_5_17_who_declined_was_asked() -> None:
    play = closed(BOTH)
    draw(play, "5hP 6cB KdP KsB")
    play.do(c.PassInsurance("bob"), "bob")
    draw(play, "6hP")
    assert told(play, c.Report("insurance_missed", "says who")) == ("no_insurance", "5.17")


SIX_TO_FIVE = "2hP 3cB 4dP 2sB"
"""As keyed, Player 6 against 5: at 5 to 2. With a 9 for the first card it is Banker 5 against 3, at 3 to 2."""


def let_pass(cards: str = SIX_TO_FIVE, **changes: object) -> Play:
    """Ann lets the insurance of the cards as keyed pass, which Bob was not offered."""
    play = closed(BOTH, **changes)
    draw(play, cards)
    if current(play).window is None:
        play.do(c.OfferInsurance(), DEALER)
    play.do(c.PassInsurance("ann"), "ann")
    return play


def test_3_12_row_of_a_corrected_card_is_offered_before_the_next() -> None:
    play = let_pass()
    events = play.rule(r.CorrectCard(1, parse_cards("9h")[0]), reason="keyed wrongly", by=SUPERVISOR)
    (offer,) = only(events, e.InsuranceOffered).offers
    assert (offer.hand, offer.odds, offer.own, offer.other, offer.people) == (B, Odds(3, 2), 5, 3, ("bob",))
    play.do(c.Insure("bob", 2, B, 100_00), "bob")
    # and as it was keyed: that is open to Ann until the next card, though she has let it pass once
    events = play.rule(r.CorrectCard(1, parse_cards("2h")[0]), reason="it was right", by=SUPERVISOR)
    assert only(events, e.InsuranceReread).odds is None
    assert only(events, e.InsuranceOffered).offers[0].people == ("ann",)
    assert not current(play).forgone


def test_3_12_same_points_are_not_offered_twice() -> None:
    play = let_pass()
    events = play.rule(r.CorrectCard(1, parse_cards("2d")[0]), reason="keyed wrongly", by=SUPERVISOR)
    assert not all_of(events, e.InsuranceOffered)


def test_3_12_row_of_a_valued_card_is_offered_before_the_next() -> None:
    play = let_pass()
    number = report(play, "damaged_card", (1,)).number
    events = play.rule(r.ValueCard(1, parse_cards("9h")[0]), number, by=SUPERVISOR)
    assert only(events, e.InsuranceOffered).offers[0].people == ("bob",)


def test_5_17_row_of_a_corrected_card_is_missed_if_a_card_comes_first() -> None:
    play = let_pass(automated=BY_HAND)
    play.rule(r.CorrectCard(1, parse_cards("9h")[0]), reason="keyed wrongly", by=SUPERVISOR)
    missed = only(draw(play, "6sP"), e.InsuranceMissed)
    assert [(offer.hand, offer.own, offer.other, offer.people) for offer in missed.offers] == [(B, 5, 3, ("bob",))]
    assert waiting(play).paragraph == "5.17"


def test_5_17_row_of_a_corrected_card_is_missed_if_a_card_came_already() -> None:
    play = let_pass("5hP 4cB KdP QsB", automated=BY_HAND)  # Player 5 against 4
    draw(play, "..P")
    events = play.rule(r.CorrectCard(1, parse_cards("3h")[0]), reason="keyed wrongly", by=SUPERVISOR)
    missed = only(events, e.InsuranceMissed)  # Banker 4 against 3
    assert [(offer.hand, offer.own, offer.other, offer.people) for offer in missed.offers] == [(B, 4, 3, ("bob",))]
    assert waiting(play).paragraph == "5.17"


def test_5_17_window_that_the_decided_order_opens_was_missed() -> None:
    """Player's third and another left the shoe at once. As they lay Banker stood; in the other order Banker draws."""
    play = closed(BOTH)
    draw(play, "2hP 6cB KdP KsB")
    play.do(c.PassInsurance("bob"), "bob")
    draw(play, "AhP 6hB")
    number = only(play.do(c.Report("simultaneous", "two at once", (5, 6))), e.IncidentOpened).number
    events = play.rule(r.DecideOrder((6, 5)), number, by=SUPERVISOR)
    missed = only(events, e.InsuranceMissed)  # Player 8 against 6
    assert [(offer.hand, offer.own, offer.other, offer.people) for offer in missed.offers] == [(P, 8, 6, ("ann",))]


def test_5_17_2_the_original_bet_goes_back_to_who_would_have_won() -> None:
    """Player 6 against 5, insured at 5 to 2; Banker drew to 9. Ann had meant to, Cho had not."""
    bets = {"ann": {"player": 100, "tie": 10}, "bob": {"banker": 200}, "cho": {"player": 50}}
    play = not_offered("6hP 5cB KdP QsB 4sB", bets)
    number = waiting(play).number
    assert told(play, c.Propose(r.OfferLate(), number)) == ("no_insurance", "5.17.1")  # nothing is open any more
    assert told(play, c.Propose(r.ReturnBets(), number)) == ("no_wager", "5.17.2")  # nobody is known to have meant to
    assert told(play, c.MeantToInsure("ann", P), "ann")[0] == "rank"
    noted = only(play.do(c.MeantToInsure("ann", P), DEALER), e.IntentionNoted)
    assert (noted.person, noted.hand, noted.own, noted.other, noted.paragraph) == ("ann", P, 6, 5, "5.17.2")
    assert told(play, c.MeantToInsure("ann", P))[0] == "already_there"
    assert told(play, c.MeantToInsure("bob", B)) == ("no_insurance", "5.17.2")  # that was not to be offered
    events = ruled(play, r.ReturnBets(), number, by=MANAGER, paragraph="5.17.2", reason="")
    back = only(events, e.BetsReturned)
    assert (back.wagers, back.paragraph) == ((("ann", 1, "player"),), "5.17.2")
    assert back.transfers == (e.Transfer("layout:ann", "chips:ann", 100_00),)  # and nothing more
    settled = only(end(play), e.RoundSettled)
    assert lines(settled) == {
        ("ann", "tie"): ("lost", -10),
        ("bob", "banker"): ("won", 200),
        ("cho", "player"): ("lost", -50),
    }
    assert chips(play) == (9_990, 10_200, 9_950)


@pytest.mark.parametrize("last", ["6sB", "AsB"])
def test_5_17_2_not_to_who_would_have_lost_or_had_it_back(last: str) -> None:
    """Banker draws to 1, and Player wins; or to 6, and the tie would have returned the insurance."""
    play = not_offered(f"6hP 5cB KdP QsB {last}", BOTH)
    number = waiting(play).number
    play.do(c.MeantToInsure("ann", P), DEALER)
    assert told(play, c.Propose(r.ReturnBets(), number)) == ("no_wager", "5.17.2")
    ruled(play, r.PlayOn(), number, by=MANAGER, paragraph="5.17")
    end(play)
    assert chips(play) == ((10_100, 9_800, 10_000) if last == "6sB" else UNTOUCHED)


def test_5_17_2_player_9_that_is_tied_would_have_paid() -> None:
    play = not_offered("3hP 4cB KdP QsB 6hP 5dB", {"ann": {"player": 100, "tie": 10}})  # 4.2.1 a
    number = waiting(play).number
    play.do(c.MeantToInsure("ann", P), DEALER)
    events = ruled(play, r.ReturnBets(), number, by=MANAGER, paragraph="5.17.2")
    assert only(events, e.BetsReturned).wagers == (("ann", 1, "player"),)
    assert lines(only(end(play), e.RoundSettled)) == {("ann", "tie"): ("won", 80)}
    assert chips(play) == (10_080, 10_000, 10_000)


def test_5_17_2_player_0_that_banker_ties_would_have_paid() -> None:
    play = not_offered("4hP 5cB KdP QsB", {"bob": {"banker": 200}})
    play.do(c.OfferInsurance(), DEALER)
    play.do(c.Insure("bob", 2, B, 30_00), "bob")  # after four cards he was asked
    draw(play, "6hP 5dB")  # Player 0, not offered; Banker 0: 4.2.1 b
    number = waiting(play).number
    play.do(c.MeantToInsure("bob", B), DEALER)
    events = ruled(play, r.ReturnBets(), number, by=MANAGER, paragraph="5.17.2")
    assert only(events, e.BetsReturned).transfers == (e.Transfer("layout:bob", "chips:bob", 200_00),)
    # insurance taken after four cards comes back on every tie
    assert lines(only(end(play), e.RoundSettled)) == {("bob", "banker_insurance"): ("returned", 0)}
    assert chips(play) == UNTOUCHED


def test_5_17_2_missed_twice() -> None:
    """Not offered after four cards, nor after the fifth. The intention counts for the row that was missed first."""
    play = not_offered(f"{FIVE_TO_SIX} 4dB", BOTH)
    assert [missed.window for missed in current(play).missed] == [Window.FOUR_CARDS, Window.PLAYER_THIRD]
    first, second = play.table.incidents
    play.do(c.MeantToInsure("bob", B), DEALER)
    ruled(play, r.ReturnBets(), first, by=MANAGER, paragraph="5.17.2")
    ruled(play, r.PlayOn(), second, by=MANAGER, paragraph="5.17")
    end(play)
    assert chips(play) == (10_100, 10_000, 10_000)


def test_5_17_2_where_nothing_fitted_in_between() -> None:
    """Banker 4 led 2, then Player has 7: there is nothing to offer any more, and the cards decide."""
    play = not_offered("2hP 4cB KdP KsB 5hP", {"bob": {"banker": 200}})
    number = waiting(play).number
    assert told(play, c.Propose(r.OfferLate(), number)) == ("no_insurance", "5.17.1")
    play.do(c.MeantToInsure("bob", B), DEALER)
    assert told(play, c.Propose(r.ReturnBets(), number)) == ("not_finished", "5.17.2")  # would it have won?
    draw(play, "KcB")  # 4 against 7
    ruled(play, r.ReturnBets(), number, by=MANAGER, paragraph="5.17.2")
    end(play)
    assert chips(play) == UNTOUCHED


FACE_DOWN = "6hP? 5cB? KdP? QsB? 4sB?"
"""Player 6 against 5, insured at 5 to 2, and Banker's third card out before anybody saw that."""


def drawn_over(cards: str = FACE_DOWN, bets: Bets = BOTH) -> Play:
    play = closed(bets, face_down=True)
    draw(play, cards)
    assert {incident.family for incident in play.table.incidents.values()} == {"excess_cards"}
    return play


def turn(play: Play, *numbers: int) -> tuple[e.Event, ...]:
    """Cards are turned one after another. What that led to."""
    return tuple(event for number in numbers for event in play.do(c.Turn(number), DEALER))


def test_5_17_1_card_drawn_over_cards_that_lay_face_down() -> None:
    play = drawn_over()
    assert not all_of(turn(play, 1, 2, 3), e.InsuranceMissed)
    events = turn(play, 4)
    missed = only(events, e.InsuranceMissed)
    assert [(offer.hand, offer.own, offer.other) for offer in missed.offers] == [(P, 6, 5)]
    assert only(events, e.IncidentOpened).paragraph == "5.17"
    excess, number = play.table.incidents
    ruled(play, r.OfferLate(), number, by=MANAGER, paragraph="5.17.1")
    assert play.refused(c.Insure("ann", 1, P, 50_00), "ann").fits == 40_00  # 100 at 5 to 2
    play.do(c.Insure("ann", 1, P, 40_00), "ann")
    ruled(play, r.Reconstruct(), excess, by=SUPERVISOR, paragraph="5.8")
    all_go_on(play)  # nothing lay open when the card too many was noticed
    turn(play, 5)
    assert lines(only(end(play), e.RoundSettled))["ann", "player_insurance"] == ("won", 100)
    assert chips(play) == (10_000, 10_200, 10_000)


def test_5_17_1_card_that_is_turned_ends_the_offer() -> None:
    play = drawn_over()
    turn(play, 1, 2, 3, 4)
    excess, number = play.table.incidents
    ruled(play, r.Reconstruct(), excess, by=SUPERVISOR, paragraph="5.8")
    all_go_on(play)
    ruled(play, r.OfferLate(), number, by=MANAGER, paragraph="5.17.1")
    only(turn(play, 5), e.InsuranceClosed)
    assert told(play, c.Insure("ann", 1, P, 40_00), "ann") == ("forgone", "5.3")
    end(play)
    assert chips(play) == (9_900, 10_200, 10_000)


@pytest.mark.parametrize("order", [(1, 2, 3, 4, 5), (5, 4, 3, 2, 1)])
def test_5_17_2_card_drawn_over_cards_that_lay_face_down(order: tuple[int, ...]) -> None:
    play = drawn_over()
    only(turn(play, *order), e.InsuranceMissed)
    excess, number = play.table.incidents
    ruled(play, r.Reconstruct(), excess, by=SUPERVISOR, paragraph="5.8")
    all_go_on(play)
    play.do(c.MeantToInsure("ann", P), DEALER)
    ruled(play, r.ReturnBets(), number, by=MANAGER, paragraph="5.17.2")
    end(play)
    assert chips(play) == (10_000, 10_200, 10_000)


def test_5_17_2_both_windows_went_by_face_down() -> None:
    play = drawn_over("5hP? 6cB? KdP? KsB? 6hP? 4dB?")
    turn(play, 6, 5, 4, 3, 2, 1)
    assert [missed.window for missed in current(play).missed] == [Window.FOUR_CARDS, Window.PLAYER_THIRD]


def test_5_17_waits_until_it_is_known_what_the_card_is() -> None:
    """Read as a queen, keyed as a 4: Banker has 9 with it, and nothing was to be insured."""
    play = drawn_over()
    turn(play, 1, 2, 3)
    play.do(c.Turn(4, parse_cards("4d")[0]), DEALER)
    assert not current(play).missed
    mismatch = max(play.table.incidents)
    for card, missed in (("4d", False), ("Qs", True)):
        found = Play(play.table, tuple(play.entries), play.now)
        found.rule(r.ValueCard(4, parse_cards(card)[0]), mismatch, "seen by both", SUPERVISOR)
        assert bool(current(found).missed) is missed


def test_5_17_nothing_was_to_be_offered_before_the_card_that_was_not_due() -> None:
    play = drawn_over("9hP? 5cB? KdP? QsB? 4sB?")  # a natural
    turn(play, 1, 2, 3, 4, 5)
    assert not current(play).missed


def test_5_17_2_bet_that_went_back_does_not_reopen_the_differential() -> None:
    """Banker 900 against Player 500 was within the limit at the close: Ann's bet goes back, Bob's stands in full."""
    play = closed(
        {"ann": {"player": 500}, "bob": {"banker": 900}}, automated=BY_HAND, differential=Differential(600_00)
    )
    play.do(c.FindBet("cho", 1, "tie", 10_00), DEALER)
    draw(play, "6hP 5cB KdP QsB 4sB")
    play.do(c.MeantToInsure("ann", P), DEALER)
    ruled(play, r.ReturnBets(), waiting(play).number, by=MANAGER, paragraph="5.17.2")
    assert lines(only(end(play), e.RoundSettled)) == {("bob", "banker"): ("won", 900), ("cho", "tie"): ("lost", -10)}


@pytest.mark.parametrize(
    ("found", "withdrawn", "stands"),
    [
        (("tie", 10), ("ann", "player", None), 900),
        (("tie", 10), ("ann", "player", 400), 900),
        # Banker 1,100 may stand for 500 + 500: Bob's part is 818
        (("banker", 200), ("bob", "banker", None), 0),
        (("banker", 200), ("bob", "banker", 50), 818),
        (("banker", 200), ("bob", "banker", 450), 450),
    ],
)
def test_5_7_1_what_is_withdrawn_does_not_reopen_the_differential(
    found: tuple[str, int], withdrawn: tuple[str, str, int | None], stands: int
) -> None:
    play = closed(
        {"ann": {"player": 500}, "bob": {"banker": 900}},
        automated=LIVE,
        differential=Differential(500_00),
        high_limit=True,
    )
    play.do(c.FindBet("cho", 1, found[0], found[1] * 100), DEALER)
    play.do(c.CutCard(), DEALER)
    person, bet, amount = withdrawn
    body = c.Withdraw(person, play.table.people[person].box, bet, None if amount is None else amount * 100)
    play.do(body, person)
    draw(play, " ".join(PLAYER_WINS))
    settled = only(end(play), e.RoundSettled)
    assert [line.stake // 100 for line in settled.lines if line.person == "bob"] == ([stands] if stands else [])
    if found[0] == "banker":
        assert [line.stake for line in settled.lines if line.person == "cho"] == [181_81]


def test_5_4_bets_that_are_called_for_again_count_as_they_are_closed_then() -> None:
    """What was withdrawn after the first close does not count as if it lay there at the second."""
    play = closed(
        {"ann": {"player": 500}, "bob": {"banker": 900}},
        automated=LIVE,
        differential=Differential(500_00),
        high_limit=True,
    )
    play.do(c.CutCard(), DEALER)
    play.do(c.Withdraw("ann", 1, "player"), "ann")
    play.do(c.ReportInterruption("power failure"), DEALER)
    assert current(play).taken_back == ()


SIX_TO_FIVE = "6hP 5cB KdP QsB 4sB"
"""Player 6 against 5, at 5 to 2; Banker draws to 9."""


def displayed(bets: Bets = BOTH, **changes: object) -> Play:
    """A settled round in which insurance was displayed, and the dealer drew on without a word."""
    play = closed(bets, **changes)
    draw(play, SIX_TO_FIVE)
    end(play)
    return play


def missed_in(play: Play, number: int, about: str = "nobody was asked") -> e.IncidentOpened:
    return only(play.do(c.Report("insurance_missed", about, (), number), DEALER), e.IncidentOpened)


@pytest.mark.parametrize("when", ["paying", "between rounds", "after the next call", "in the next shoe"])
def test_5_17_2_found_after_the_settlement(when: str) -> None:
    play = displayed(automated=LIVE[:2] if when == "paying" else LIVE)
    assert chips(play)[:2] == (9_900, 10_200)
    if when == "after the next call":
        play.call()
    if when == "in the next shoe":
        play.do(c.EndShoe("because"), SUPERVISOR)
        play.shoe()
    events = play.do(c.Report("insurance_missed", "nobody was asked", (), 1), DEALER)
    missed, opened = only(events, e.InsuranceMissed), only(events, e.IncidentOpened)
    assert (missed.round, missed.window, missed.paragraph) == (1, Window.FOUR_CARDS, "5.17.2")
    assert (opened.round, opened.paragraph, opened.blocks) == (1, "5.17.2", False)
    assert told(play, c.Report("insurance_missed", "again", (), 1))[0] == "already_there"
    assert told(play, c.Propose(r.OfferLate(), opened.number), DEALER)[0] == "ruling"  # too late for that
    assert told(play, c.Propose(r.ReturnBets(), opened.number)) == ("no_wager", "5.17.2")  # nobody meant to, so far
    assert told(play, c.MeantToInsure("bob", B, 1)) == ("no_insurance", "5.17.2")
    noted = only(play.do(c.MeantToInsure("ann", P, 1), DEALER), e.IntentionNoted)
    assert (noted.round, noted.own, noted.other) == (1, 6, 5)
    assert told(play, c.MeantToInsure("ann", P, 1))[0] == "already_there"
    events = ruled(play, r.ReturnBets(), opened.number, by=MANAGER, paragraph="5.17.2", reason="")
    back, again = only(events, e.BetsReturned), only(events, e.RoundSettledAgain)
    assert (back.round, back.wagers, back.transfers) == (1, (("ann", 1, "player"),), ())
    assert again.transfers == (e.Transfer("tray", "chips:ann", 100_00),)  # the Original Bet, and nothing more
    assert lines(again) == {("bob", "banker"): ("won", 200)}
    assert chips(play)[:2] == (10_000, 10_200)
    assert not play.table.incidents


def test_5_17_2_found_after_the_settlement_it_can_be_let_stand() -> None:
    play = displayed()
    number = missed_in(play, 1).number
    ruled(play, r.LetStand(), number, by=MANAGER, paragraph="5.17.2", reason="she had waved it off")
    assert not play.table.incidents
    assert chips(play)[0] == 9_900


def test_5_17_2_found_after_the_settlement_by_who_has_left() -> None:
    play = displayed()
    play.do(c.Leave("ann"), "ann")
    number = missed_in(play, 1).number
    play.do(c.MeantToInsure("ann", P, 1), DEALER)
    ruled(play, r.ReturnBets(), number, by=MANAGER, paragraph="5.17.2")
    assert play.table.balances["held:ann"] == 100_00


def test_5_17_2_found_after_the_settlement_not_for_who_would_have_lost_or_was_asked() -> None:
    play = closed({"ann": {"player": 100}, "cho": {"player": 50}})
    draw(play, "6hP 5cB KdP QsB")
    play.do(c.PassInsurance("cho"), "cho")
    draw(play, "KcB")  # Player wins, 6 to 5
    end(play)
    number = missed_in(play, 1).number
    assert told(play, c.MeantToInsure("cho", P, 1)) == ("no_insurance", "5.17.2")
    play.do(c.MeantToInsure("ann", P, 1), DEALER)
    assert told(play, c.Propose(r.ReturnBets(), number)) == ("no_wager", "5.17.2")


def test_5_17_2_what_was_returned_late_stays_so_when_the_round_is_settled_once_more() -> None:
    play = displayed()
    number = missed_in(play, 1).number
    play.do(c.MeantToInsure("ann", P, 1), DEALER)
    play.rule(r.ReturnBets(), number, by=MANAGER)
    more = r.CorrectBet("bob", 2, "banker", 300_00, round=1)
    again = only(play.rule(more, reason="keyed wrongly", by=MANAGER), e.RoundSettledAgain)
    assert lines(again) == {("bob", "banker"): ("won", 300)}
    assert chips(play)[:2] == (10_000, 10_300)
    gone = c.Propose(r.CorrectBet("ann", 1, "player", 150_00, round=1), 0, "keyed wrongly")
    assert told(play, gone) == ("no_wager", "5.19")  # nothing of it is at stake


def test_5_17_2_after_the_settlement_only_what_was_not_answered_and_as_far_as_rounds_are_known() -> None:
    play = closed(BOTH)
    draw(play, "9hP 8cB KdP KsB")  # nothing to insure
    end(play)
    assert told(play, c.Report("insurance_missed", "nobody was asked", (), 1)) == ("no_insurance", "5.17.2")
    assert told(play, c.Report("insurance_missed", "nobody was asked", (), 7)) == ("no_round", "1.27")
    assert told(play, c.Report("insurance_missed", " ", (), 1))[0] == "bad_amount"
    assert told(play, c.Report("insurance_missed", "nobody was asked", (1,), 1))[0] == "cards"
    late = only(play.do(c.Report("shoe_fault", "it jammed", (), 1), DEALER), e.IncidentOpened)
    assert (late.family, late.what, late.round, late.blocks) == ("late_discovery", "shoe_fault", 1, False)
    assert told(play, c.MeantToInsure("ann", P, 7)) == ("no_round", "1.27")
    play.do(c.EndShoe("because"), SUPERVISOR)
    play.shoe()
    whole_round(play, "9h 8c Kd Ks")
    play.do(c.EndShoe("because"), SUPERVISOR)
    play.shoe()
    assert told(play, c.Report("insurance_missed", "nobody was asked", (), 1)) == ("no_round", "1.27")  # two shoes ago


def test_5_17_2_after_the_settlement_not_at_a_table_without_insurance() -> None:
    play = not_offered(SIX_TO_FIVE, BOTH, no_insurance=True)
    end(play)
    assert told(play, c.Report("insurance_missed", "nobody was asked", (), 1)) == ("no_insurance", "4.2.2")


def test_5_17_2_round_in_progress_named_by_its_number() -> None:
    play = closed(BOTH)
    draw(play, SIX_TO_FIVE)
    assert missed_in(play, 1).blocks  # as ever
    assert only(play.do(c.MeantToInsure("ann", P, 1), DEALER), e.IntentionNoted).round == 0


def test_5_17_2_not_at_a_table_without_insurance() -> None:
    play = not_offered("6hP 5cB KdP QsB 4sB", BOTH, no_insurance=True)  # 4.2.2
    assert not play.table.incidents
    assert told(play, c.MeantToInsure("ann", P))[0] == "no_insurance"
    end(play)
    assert chips(play) == (9_900, 10_200, 10_000)


def test_5_17_2_not_where_the_window_was_waived() -> None:
    """3.14: Bob, with the highest bet, sees Banker's third card first."""
    play = not_offered("2hP AcB KdP QsB", BOTH, face_down=True)
    play.do(c.AskEarlySqueeze("bob", "expose"), "bob")
    play.do(c.AnswerSqueeze("bob", True), SUPERVISOR)
    draw(play, "6hP? 8sB")
    play.do(c.Turn(5), DEALER)  # Player 8, Banker 9: at 10 to 1 it would have paid
    assert not play.table.incidents
    assert told(play, c.MeantToInsure("ann", P))[0] == "no_insurance"
    end(play)
    assert chips(play) == (9_900, 10_200, 10_000)


# --- 5.18: insurance in the wrong box


def misplaced(by: str = DEALER) -> Play:
    """Player 6 against 5; of Ann's 100 on Player she insures 80, at 5 to 2. Staff puts it at Banker's."""
    play = closed(BOTH)
    draw(play, "6hP 5cB KdP QsB")
    events = play.do(c.Insure("ann", 1, B, 80_00), by)
    assert only(events, e.Flagged) == e.Flagged("insurance_misplaced", about_bet("ann", 1, "banker_insurance"), "5.18")
    assert layout(play) == (180, 200, 0)
    assert nobody_is_asked(play.table, current(play))  # she has her insurance
    return play


def test_5_18_1_players_in_bankers_box_is_moved_before_the_settlement() -> None:
    play = misplaced()
    assert told(play, c.Propose(r.MoveInsurance("ann", 1, P)))[0] == "no_wager"  # nothing lies there
    events = given(play, r.MoveInsurance("ann", 1, B), 0, paragraph="5.18")
    moved = only(events, e.InsuranceMoved)
    assert (moved.person, moved.box, moved.hand, moved.paragraph) == ("ann", 1, B, "5.18.1")
    assert not play.table.flags
    assert layout(play) == (180, 200, 0)
    draw(play, "4sB")  # Banker 9: Player loses, insurance pays
    settled = only(end(play), e.RoundSettled)
    assert lines(settled)["ann", "player_insurance"] == ("won", 200)
    assert chips(play) == (10_100, 10_200, 10_000)
    assert told(play, c.Propose(r.MoveInsurance("ann", 1, P))) == ("no_insurance", "5.18.2")  # it lies where it belongs


@pytest.mark.parametrize(
    ("last", "insurance", "ann"),
    [("4sB", ("won", 200), 10_100), ("6sB", ("lost", -80), 10_020), ("AsB", ("returned", 0), 10_000)],
)
def test_5_18_1_known_to_be_misplaced_it_is_settled_where_it_belongs(
    last: str, insurance: tuple[str, int], ann: int
) -> None:
    """Nobody moved it: what the table knows is discovered, and the settlement goes by the corrected position."""
    play = misplaced()
    draw(play, last)
    events = end(play)
    moved = only(events, e.InsuranceMoved)
    assert (moved.hand, moved.paragraph, moved.round) == (B, "5.18.1", 1)
    settled = only(events, e.RoundSettled)
    assert lines(settled)["ann", "player_insurance"] == insurance
    assert ("ann", "banker_insurance") not in lines(settled)
    assert chips(play)[0] == ann
    assert not play.table.flags
    assert told(play, c.Propose(r.MoveInsurance("ann", 1, P))) == ("no_insurance", "5.18.2")


@pytest.mark.parametrize("later", ["at once", "after the next call", "two rounds later"])
def test_5_18_1_players_in_bankers_box_is_moved_after_the_settlement(later: str) -> None:
    """Staff put it at Banker's and keyed nothing; the camera shows it."""
    play = closed(BOTH)
    draw(play, "6hP 5cB KdP QsB")
    play.do(c.CloseInsurance(), DEALER)
    draw(play, "4sB")
    end(play)
    assert chips(play) == (9_900, 10_200, 10_000)
    results = play.table.results
    if later != "at once":
        play.call()
    if later == "two rounds later":
        play.close()
        draw(play, "9hP 8cB KdP KsB")
        end(play)
        results = play.table.results
    entry = r.CorrectBet("ann", 1, "banker_insurance", 80_00, round=1)
    events = ruled(play, entry, by=MANAGER, paragraph="5.19", reason="the camera shows it")
    moved = only(events, e.InsuranceMoved)
    assert (moved.round, moved.hand, moved.paragraph) == (1, B, "5.18.1")
    again = only(events, e.RoundSettledAgain)
    assert (again.number, again.void) == (1, False)
    assert lines(again)["ann", "player_insurance"] == ("won", 200)
    assert ("ann", "banker_insurance") not in lines(again)
    assert chips(play) == (10_100, 10_200, 10_000)  # as if it had lain there all the time
    assert play.table.results == results


def test_5_18_2_bankers_in_players_box() -> None:
    """Banker 6 leads 5: Bob insures 100 at 5 to 2, put at Player's. Player draws to 9, Banker stands on 6."""
    for before in (True, False):
        play = closed(BOTH)
        draw(play, "5hP 6cB KdP KsB")
        play.do(c.Insure("bob", 2, P, 100_00), SUPERVISOR)
        if before:
            moved = only(given(play, r.MoveInsurance("bob", 2, P), 0, paragraph="5.18"), e.InsuranceMoved)
            assert moved.paragraph == "5.18.2"
        draw(play, "4dP")
        events = end(play)
        if not before:
            assert only(events, e.InsuranceMoved).paragraph == "5.18.2"
        assert lines(only(events, e.RoundSettled))["bob", "banker_insurance"] == ("won", 250)
        assert chips(play) == (10_100, 10_050, 10_000)


def test_5_18_2_bankers_in_players_box_is_moved_after_the_settlement() -> None:
    play = closed(BOTH)
    draw(play, "5hP 6cB KdP KsB")
    play.do(c.CloseInsurance(), DEALER)
    draw(play, "4dP")
    end(play)
    assert chips(play) == (10_100, 9_800, 10_000)
    entry = r.CorrectBet("bob", 2, "player_insurance", 100_00, round=1)
    events = ruled(play, entry, by=MANAGER, paragraph="5.19", reason="the camera shows it")
    assert only(events, e.InsuranceMoved).paragraph == "5.18.2"
    again = only(events, e.RoundSettledAgain)
    assert lines(again)["bob", "banker_insurance"] == ("won", 250)
    assert ("bob", "player_insurance") not in lines(again)
    assert chips(play) == (10_100, 10_050, 10_000)  # as if it had lain there all the time


def test_5_18_it_counts_towards_what_may_be_insured() -> None:
    play = closed({"ann": {"player": 100}, "cho": {"player": 50}})
    draw(play, "6hP 5cB KdP QsB")
    refusal = play.refused(c.Insure("ann", 1, B, 105_00), DEALER)
    assert (refusal.code, refusal.paragraph, refusal.fits) == ("insurance_cap", "3.12.2", 100_00)
    flagged = only(play.do(c.Insure("ann", 1, B, 80_00), DEALER), e.Flagged)
    assert (flagged.flag, flagged.paragraph) == ("insurance_misplaced", "5.18")
    assert play.refused(c.Insure("ann", 1, P, 25_00), "ann").fits == 20_00


def test_5_18_what_a_player_puts_down_in_person_binds() -> None:
    play = closed(BOTH)
    draw(play, "6hP 5cB KdP QsB")
    assert told(play, c.Insure("ann", 1, B, 80_00), "ann")[0] == "no_insurance"  # a request
    play.do(c.Insure("ann", 1, P, 80_00), "ann")
    assert told(play, c.Propose(r.MoveInsurance("ann", 1, P))) == ("not_yours", "5.19")
    draw(play, "6sB")
    end(play)
    assert told(play, c.Propose(r.MoveInsurance("ann", 1, P))) == ("not_yours", "5.19")
    assert chips(play) == (10_020, 9_800, 10_000)


def test_5_18_what_staff_put_in_the_right_box_stays() -> None:
    play = closed(BOTH)
    draw(play, "6hP 5cB KdP QsB")
    play.do(c.Insure("ann", 1, P, 80_00), DEALER)
    assert not play.table.flags
    assert told(play, c.Propose(r.MoveInsurance("ann", 1, P))) == ("no_insurance", "5.18.2")


# --- 4.1.14, 4.2.1: insurance is by the row of the cards as they count


SEVEN_TO_FIVE = "6hP 5cB AdP QsB"
"""As keyed, Player 7 against 5: at 4 to 1. With a king for the ace it is 6 against 5, at 5 to 2."""


def insured(cards: str, amount: int, **changes: object) -> Play:
    """Ann, with 100 on Player, insures that much of it."""
    play = closed(BOTH, **changes)
    draw(play, cards)
    play.do(c.Insure("ann", 1, P, amount * 100), "ann")
    return play


def keyed_wrongly(play: Play, number: int, card: str, of_round: int = 0) -> tuple[e.Event, ...]:
    """The card was this one all the time; a Pit Manager approves."""
    return play.rule(r.CorrectCard(number, parse_cards(card)[0], of_round), 0, "keyed wrongly", MANAGER)


def test_4_1_14_corrected_card_before_the_settlement() -> None:
    play = insured(SEVEN_TO_FIVE, 80)
    events = keyed_wrongly(play, 3, "Kd")
    again = only(events, e.InsuranceReread)
    assert (again.person, again.odds, again.own, again.other) == ("ann", Odds(5, 2), 6, 5)
    assert (again.paragraph, again.transfers) == ("4.1.14", ())
    draw(play, "4sB")
    assert lines(only(end(play), e.RoundSettled))["ann", "player_insurance"] == ("won", 200)
    assert chips(play) == (10_100, 10_200, 10_000)


def test_4_1_14_corrected_card_after_the_settlement() -> None:
    play = insured(SEVEN_TO_FIVE, 80)
    draw(play, "4sB")
    assert lines(only(end(play), e.RoundSettled))["ann", "player_insurance"] == ("won", 320)
    events = keyed_wrongly(play, 3, "Kd", 1)
    assert lines(only(events, e.RoundSettledAgain))["ann", "player_insurance"] == ("won", 200)
    assert chips(play) == (10_100, 10_200, 10_000)


def test_4_1_14_no_row_fits_before_the_settlement() -> None:
    """Player has 8: a natural, and nobody could insure."""
    play = insured(SEVEN_TO_FIVE, 80)
    events = keyed_wrongly(play, 3, "2d")
    back = only(events, e.InsuranceReread)
    assert (back.odds, back.paragraph) == (None, "4.1.14")
    assert layout(play) == (100, 200, 0)
    assert chips(play) == (9_900, 9_800, 10_000)
    assert ("ann", "player_insurance") not in lines(only(end(play), e.RoundSettled))
    assert chips(play) == (10_100, 9_800, 10_000)


def test_4_1_14_no_row_fits_after_the_settlement() -> None:
    """Player 5 against 4, insured at 3 to 2, and it was 5 against 3."""
    play = insured("5hP 4cB KdP QsB", 100)
    draw(play, "6hP 2dB")  # 1 against 6
    assert lines(only(end(play), e.RoundSettled))["ann", "player_insurance"] == ("won", 150)
    events = keyed_wrongly(play, 2, "3c", 1)
    assert lines(only(events, e.RoundSettledAgain))["ann", "player_insurance"] == ("returned", 0)
    assert chips(play) == (9_900, 10_200, 10_000)
    # and back again: the record was right after all
    events = keyed_wrongly(play, 2, "4c", 1)
    assert lines(only(events, e.RoundSettledAgain))["ann", "player_insurance"] == ("won", 150)


def test_3_11_no_bet_was_there_to_insure_before_the_settlement() -> None:
    for correction in (
        r.CorrectBet("ann", 1, "player", 0),
        r.CorrectBet("ann", 1, "player", 100_00, to_box=2),
        r.CorrectBet("ann", 1, "player", 100_00, to_bet="banker"),
    ):
        play = insured(SEVEN_TO_FIVE, 80)
        events = play.rule(correction, reason="keyed wrongly")
        back = only(events, e.InsuranceReread)
        assert (back.person, back.odds, back.paragraph) == ("ann", None, "3.11")
        assert current(play).insurance == ()
        assert layout(play)[0] == (100 if correction.stake else 0)


def test_3_11_no_bet_was_there_to_insure_after_the_settlement() -> None:
    play = insured(SEVEN_TO_FIVE, 80)
    draw(play, "3hB")  # 7 against 8
    assert lines(only(end(play), e.RoundSettled))["ann", "player_insurance"] == ("won", 320)
    to_banker = r.CorrectBet("ann", 1, "player", 100_00, to_bet="banker", round=1)
    again = only(play.rule(to_banker, reason="it lay on Banker", by=MANAGER), e.RoundSettledAgain)
    assert lines(again)["ann", "player_insurance"] == ("returned", 0)
    assert chips(play) == (10_100, 10_200, 10_000)
    # and back again: the record was right after all
    to_player = r.CorrectBet("ann", 1, "banker", 100_00, to_bet="player", round=1)
    again = only(play.rule(to_player, reason="as it was", by=MANAGER), e.RoundSettledAgain)
    assert lines(again)["ann", "player_insurance"] == ("won", 320)
    assert chips(play) == (10_220, 10_200, 10_000)


def test_4_2_1_a_player_9_that_is_tied_pays_by_the_right_card() -> None:
    """Player's third was keyed as 5, which makes 8: it was 6. Banker ties at 9, which pays 10 to 1."""
    play = closed(BOTH)
    draw(play, "3hP 4cB KdP QsB")
    play.do(c.Insure("bob", 2, B, 5_00), "bob")
    draw(play, "5hP")
    play.do(c.Insure("ann", 1, P, 80_00), "ann")
    draw(play, "5dB")
    keyed_wrongly(play, 5, "6h")
    settled = lines(only(end(play), e.RoundSettled))
    assert settled["ann", "player_insurance"] == ("won", 800)
    assert settled["bob", "banker_insurance"] == ("returned", 0)


def test_4_1_14_the_value_of_a_damaged_card_and_the_order_of_cards_drawn_at_once() -> None:
    play = insured(SEVEN_TO_FIVE, 80)
    number = report(play, "damaged_card", (3,)).number
    events = ruled(play, r.ValueCard(3, parse_cards("Kd")[0]), number, by=SUPERVISOR, paragraph="5.13.1")
    assert only(events, e.InsuranceReread).odds == Odds(5, 2)
    play = insured(SEVEN_TO_FIVE, 80)
    number = report(play, "simultaneous", (3, 4)).number
    events = ruled(play, r.DecideOrder((4, 3)), number, by=SUPERVISOR, paragraph="5.11")
    assert coup(play) == "P 6hQs B 5cAd"  # 6 each: nothing to insure
    assert only(events, e.InsuranceReread).odds is None
    assert layout(play) == (100, 200, 0)


def test_4_1_14_round_that_is_put_right_late() -> None:
    play = insured(SEVEN_TO_FIVE, 80)
    draw(play, "4sB")
    end(play)
    play.call()
    reported = play.do(c.ReportRound(1, parse_cards("6h 5c Kd Qs 4s 2c"), "camera"), DEALER)
    number = only(reported, e.IncidentOpened).number
    events = ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.15.2")
    assert lines(only(events, e.RoundSettledAgain))["ann", "player_insurance"] == ("won", 200)


def test_5_17_2_what_would_have_won_is_asked_of_the_cards_as_they_count() -> None:
    """Banker 6 against 5 in the record; with the right card 6 each, and there was nothing to insure."""
    play = not_offered("5hP 6cB KdP KsB 4dP", BOTH)
    play.do(c.MeantToInsure("bob", B), DEALER)
    number = waiting(play).number
    assert told(play, c.Propose(r.OfferLate(), number))[0] == "no_insurance"
    keyed_wrongly(play, 1, "8h")
    assert told(play, c.Propose(r.ReturnBets(), number))[0] in ("no_wager", "not_finished")


# --- 5.6: insurance chips after their window


def test_5_6_insurance_put_down_or_taken_away_late() -> None:
    play = closed(BOTH)
    draw(play, "6hP 5cB KdP QsB")
    late = c.LateChips("ann", 1, "player_insurance", 50_00, "placed")
    assert only(play.do(late, DEALER), e.LateChipsRefused).paragraph == "5.6"  # nobody asked for it in the window
    play.do(c.Insure("ann", 1, P, 80_00), "ann")
    refused = only(play.do(late, DEALER), e.LateChipsRefused)
    assert (refused.bet, refused.amount, refused.paragraph) == ("player_insurance", 50_00, "5.6")
    gone = only(play.do(replace(late, what="withdrawn"), DEALER), e.LateChipsRefused)
    assert (gone.what, gone.paragraph) == ("withdrawn", "5.6")
    assert play.refused(replace(late, what="withdrawn", amount=85_00), DEALER).fits == 80_00
    assert layout(play) == (180, 200, 0)
    draw(play, "4sB")
    assert lines(only(end(play), e.RoundSettled))["ann", "player_insurance"] == ("won", 200)


# --- 5.20: the display, and what the dealer calls


def test_5_20_other_cards_than_were_called_are_called_again() -> None:
    play = closed(BOTH, automated=(Step.OFFER, Step.CONFIRM))
    draw(play, "9hP 8cB KdP KsB")
    end(play)
    assert current(play).called == "player"
    play.rule(r.CorrectCard(1, parse_cards("2h")[0]), 0, "keyed wrongly", SUPERVISOR)
    assert (current(play).announced, current(play).called) == (False, "")
    assert told(play, c.Settle())[0] == "not_finished"
    end(play)
    assert current(play).called == "banker"


def test_5_20_scanner_and_dealer_differ() -> None:
    play = closed(BOTH, face_down=True)
    draw(play, "9hP?")
    opened = only(play.do(c.Turn(1, parse_cards("8h")[0]), DEALER), e.IncidentOpened)
    assert (opened.family, opened.paragraph) == ("card_mismatch", "5.20")


def test_5_4_1_while_boxes_are_paid() -> None:
    play = closed(BOTH, automated=(Step.OFFER, Step.SETTLE))
    draw(play, "9hP 8cB KdP KsB")
    end(play)
    assert phase(play) is Phase.PAYING
    interrupted = only(play.do(c.ReportInterruption("power", True), DEALER), e.PlayInterrupted)
    assert (interrupted.effect, interrupted.paragraph) == ("goes_on", "5.4.1")
    play.do(c.Confirm(1), DEALER)
    play.do(c.Confirm(2), DEALER)
    assert phase(play) is Phase.IDLE


def test_5_20_card_never_keyed_after_one_that_had_waited() -> None:
    play = seated()
    play.do(c.Draw(parse_cards("4h")[0], None, turned=True))
    bets_down(play)
    play.close()  # the 4 opens the round
    draw(play, "KdP")  # Banker's first card was not keyed
    assert waiting(play).family == "wrong_side"
    play.rule(r.AddCard(parse_cards("9c")[0], B, 1), 0, "not keyed", SUPERVISOR)
    assert (play.table.incidents, coup(play), current(play).due) == ({}, "P 4hKd B 9c", B)
    draw(play, "KsB")
    end(play)
    assert chips(play) == (9_890, 10_200, 9_950)  # 4 against a natural 9


def test_5_20_two_cards_never_keyed_one_after_the_other() -> None:
    play = closed()
    draw(play, "4hP 9cB")
    play.rule(r.AddCard(parse_cards("Kd")[0], P, 2), 0, "not keyed", SUPERVISOR)
    play.rule(r.AddCard(parse_cards("Ks")[0], B, 3), 0, "not keyed", SUPERVISOR)
    assert (coup(play), current(play).finished) == ("P 4hKd B 9cKs", True)
    assert play.table.shoe.drawn == 4


def test_5_20_insurance_taken_before_a_card_that_was_not_keyed_stands() -> None:
    """The chips lay there before the card: that nobody keyed it at once takes no right away (3.12)."""
    play = closed()
    draw(play, "2hP 6cB KdP KsB")  # Banker 6 against 2: 5 to 2
    play.do(c.Insure("bob", 2, B, 100_00), "bob")
    play.rule(r.AddCard(parse_cards("5h")[0], P, 4), 0, "not keyed", SUPERVISOR)
    assert [each.stake for each in current(play).insurance] == [100_00]
    settled = only(end(play), e.RoundSettled)  # 7 against 6, which stands
    assert lines(settled)["bob", "banker_insurance"] == ("won", 250)
    assert chips(play)[1] == 10_050


def test_5_20_card_that_was_added_is_corrected_and_struck_like_any_other() -> None:
    play = closed()
    draw(play, "4hP 9cB")
    play.rule(r.AddCard(parse_cards("Kd")[0], B, 2), 0, "not keyed", SUPERVISOR)
    play.rule(r.CorrectHand(3, P), 0, "for Player")
    play.rule(r.CorrectCard(3, parse_cards("5d")[0]), 0, "misread")
    assert coup(play) == "P 4h5d B 9c"
    play.rule(r.StrikeCard(3), 0, "there was none")
    assert coup(play) == "P 4h B 9c"


def test_5_20_window_after_a_card_that_was_added_is_open_though_another_was_struck() -> None:
    """Only a card that left the shoe ends a window (5.3)."""
    play = closed()
    draw(play, "2hP AsB KdP KsB TsP")
    play.rule(r.StrikeCard(5), 0, "keyed twice")
    play.rule(r.AddCard(parse_cards("9h")[0], P, 4), 0, "not keyed", SUPERVISOR)
    assert (coup(play), play.table.incidents) == ("P 2hKd9h B AsKs", {})
    window = current(play).window
    assert window is not None
    assert [(offer.hand, offer.people) for offer in window.offers] == [(B, ("bob",))]


def options_and_a_second_error(answers: dict[str, bool]) -> Play:
    """Banker's card at Player, options, another one; the round is settled as P 9hKd B 8cKs."""
    play = closed()
    play.sit("dan", 3)
    draw(play, "9hB")
    play.rule(r.Reconstruct(), waiting(play).number, by=SUPERVISOR)
    for person, goes_on in answers.items():
        play.do(c.TakeOption(person, goes_on), person)
    draw(play, "8cB KdB")
    play.rule(r.Reconstruct(), waiting(play).number, by=SUPERVISOR)
    draw(play, "KsB")
    end(play)
    return play


def test_5_19_bet_of_somebody_who_was_not_asked_under_options() -> None:
    """The chips went on, whosever they were: no question is left open in the round that is over."""
    play = options_and_a_second_error({"ann": True, "bob": True, "cho": True})
    play.rule(r.CorrectBet("cho", 1, "tie", 50_00, round=1, to_person="dan"), 0, "keyed to another", MANAGER)
    assert play.table.incidents == {}
    assert (chips(play)[2], play.table.stack("dan")) == (10_000, 9_950_00)


def test_5_19_no_bet_of_the_only_one_who_went_on_under_options() -> None:
    play = options_and_a_second_error({"ann": False, "bob": True, "cho": False})
    assert chips(play) == (10_000, 9_800, 10_000)
    play.rule(r.CorrectBet("bob", 2, "banker", 0, round=1), 0, "there was none", MANAGER)
    assert (play.table.incidents, chips(play)) == ({}, (10_000, 10_000, 10_000))


def test_5_20_insurance_taken_once_an_added_card_was_on_record_stands_when_something_else_is_amended() -> None:
    play = closed()
    draw(play, "2hP 3cB KdP KsB")
    play.rule(r.AddCard(parse_cards("5h")[0], P, 4), 0, "not keyed", SUPERVISOR)  # 7 against 3: 4 to 1
    play.do(c.Insure("ann", 1, P, 100_00), "ann")
    draw(play, "4dB")
    play.rule(r.CorrectBet("cho", 1, "tie", 60_00), 0, "keyed wrongly", SUPERVISOR)
    assert [each.stake for each in current(play).insurance] == [100_00]
    settled = only(end(play), e.RoundSettled)
    assert lines(settled)["ann", "player_insurance"] == ("returned", 0)  # 7 against 7
    assert chips(play) == (9_990, 10_000, 10_480)


def test_5_19_chips_found_again_where_others_were_not_confirmed() -> None:
    play = closed()
    draw(play, "9hP")
    for amount, confirmed in ((500_00, False), (300_00, True)):
        play.do(c.FindBet("bob", 2, "player", amount))
        (number,) = play.table.proposals
        play.do(c.Approve(number) if confirmed else c.Decline(number, "not on the camera"), SUPERVISOR)
    play.do(c.FindBet("ann", 1, "tie", 50_00))
    play.do(c.Decline(next(iter(play.table.proposals)), "not on the camera"), SUPERVISOR)
    assert current(play).wagers["bob", 2, "player"].stake == 300_00
    draw(play, "8cB KdP KsB")
    end(play)
    assert chips(play) == (10_090, 10_100, 9_950)


@pytest.mark.parametrize("amended", [False, True])
def test_5_1_1_pro_rata_holds_when_a_paid_round_is_played_on(amended: bool) -> None:
    """What went back does not come to life again when a lacking card is drawn and the round is settled once more."""
    play = closed({"bob": {"banker": 200}}, differential=Differential(200_00), automated=LIVE[:2])
    play.do(c.FindBet("ann", 1, "banker", 600_00))  # nobody noticed: 50 and 150 stand
    draw(play, "2hP 3cB KdP QsB")
    play.do(c.Announce("banker"))
    play.do(c.Confirm(1))
    play.rule(r.Rectify(), waiting(play).number, by=SUPERVISOR)
    draw(play, "AcP 7hB")
    if amended:
        play.rule(r.CorrectCard(6, parse_cards("8h")[0]), 0, "misread", MANAGER)
    end(play)
    for box in (1, 2):
        if phase(play) is Phase.PAYING:
            play.do(c.Confirm(box))
    assert chips(play) == (9_850, 9_950, 10_000)  # 3 against 0, or against 1


def test_4_1_14_second_window_is_priced_anew_though_the_first_turns_out_missed() -> None:
    """Card 4 was a 2: Banker's 4 against 1 was not offered. Player's 5 was, against 2, and fits against 4 as well."""
    play = closed()
    draw(play, "ThP 2cB AsP TsB 4sP")
    play.do(c.Insure("ann", 1, P, 100_00), "ann")  # 5 against 2, at 3 to 2
    draw(play, "4hB")  # 5 against 6
    end(play)
    assert chips(play)[0] == 10_040
    play.rule(r.CorrectCard(4, parse_cards("2d")[0], 1), 0, "misread", MANAGER)  # 5 against 8
    assert chips(play)[0] == 10_040
    missed = [(event.window, event.offers[0].people) for event in all_of(play.events, e.InsuranceMissed)]
    assert missed == [(Window.FOUR_CARDS, ("bob",))]


def test_4_1_14_insurance_of_a_round_that_a_waiting_card_opened_is_priced_anew_when_it_is_dealt_again() -> None:
    """Player had 5, not 7, and the last card was Player's. The window came after the same four cards."""
    play = seated()
    play.do(c.Draw(parse_cards("8c")[0], None, turned=True))
    bets_down(play)
    play.close()
    draw(play, "2cB 9dP 2sB")  # 7 against 4: 4 to 1
    play.do(c.Insure("ann", 1, P, 50_00), "ann")
    draw(play, "KhB")
    end(play)
    play.rule(r.CorrectCard(3, parse_cards("7c")[0], 1), 0, "misread", MANAGER)
    play.rule(r.Rectify(), waiting(play).number, "the camera shows it", SUPERVISOR)
    again = all_of(play.events, e.RoundSettledAgain)[-1]
    found = [(line.stake, line.result.value) for line in again.lines if line.insurance]
    assert (again.coup, found) == ("P 8c7cKh B 2c2s", [(50_00, "lost")])


def test_3_12_insurance_of_a_bet_found_in_its_window_stands_beside_one_that_was_not_asked() -> None:
    """Ann's bet came to light after four cards and was offered insurance; Cho's was on Player, too."""
    play = closed({"cho": {"tie": 50}})
    draw(play, "6cP AsB QsP 3dB")
    play.do(c.FindBet("ann", 1, "player", 100_00))
    play.do(c.Approve(next(iter(play.table.proposals))), SUPERVISOR)
    play.do(c.Insure("ann", 1, P, 50_00), "ann")  # 6 against 4: 5 to 2
    draw(play, "KsB")
    end(play)
    assert chips(play) == (10_050, 10_000, 9_950)
    play.rule(r.CorrectBet("cho", 1, "tie", 50_00, round=1, to_bet="player"), 0, "keyed wrongly", MANAGER)
    assert chips(play) == (10_050, 10_000, 10_050)


def test_3_12_insurance_taken_twice_stands_when_who_kept_the_window_open_had_no_bet_there() -> None:
    play = closed({"ann": {"banker": 100}, "bob": {"banker": 200}})
    draw(play, "KdP TcB JsP 6hB")
    play.do(c.Insure("bob", 2, B, 50_00), "bob")
    play.do(c.Insure("bob", 2, B, 50_00), "bob")
    draw(play, "KsP")
    end(play)
    assert chips(play) == (10_050, 10_000, 10_000)
    play.rule(r.CorrectBet("ann", 1, "banker", 100_00, round=1, to_bet="tie"), 0, "keyed wrongly", MANAGER)
    assert chips(play) == (9_900, 10_000, 10_000)


def test_3_12_insurance_of_the_second_window_stands_when_the_first_was_about_the_other_hand() -> None:
    """Player had 5, not 3: after four cards Player was ahead. After the third card Banker was, on 4 against 2."""
    play = closed({"bob": {"player": 500, "banker": 100}, "cho": {"player": 200}})
    draw(play, "6dP 4dB 7hP ThB")  # 3 against 4
    play.do(c.Insure("bob", 2, B, 100_00), "bob")
    draw(play, "7cP")  # 0 against 4: 10 to 1
    play.do(c.Insure("bob", 2, B, 100_00), "bob")
    draw(play, "7cB")
    end(play)
    play.rule(r.CorrectCard(1, parse_cards("8d")[0], 1), 0, "misread", MANAGER)
    again = all_of(play.events, e.RoundSettledAgain)[-1]
    found = [(line.stake, line.result.value) for line in again.lines if line.insurance]
    assert (again.coup, found) == ("P 8d7h7c B 4dTh7c", [(100_00, "won"), (100_00, "returned")])


def test_3_12_2_insurance_over_a_bet_that_is_cut_by_one_found_later_goes_back() -> None:
    """Ann's chips came to light when Bob had insured; shared out under the Differential, Bob's bet is less."""
    play = closed({"bob": {"player": 300}}, differential=Differential(300_00))
    draw(play, "AdP 2sB 6sP 9dB")
    play.do(c.Insure("bob", 2, P, 250_00), "bob")
    play.do(c.FindBet("ann", 1, "player", 300_00))
    play.do(c.Approve(next(iter(play.table.proposals))), SUPERVISOR)
    draw(play, "TdB")
    end(play)
    settled = only(tuple(play.events), e.RoundSettled)
    found = [(line.person, line.bet, line.stake, line.result.value) for line in settled.lines]
    assert found == [
        ("ann", "player", 150_00, "won"),
        ("bob", "player", 150_00, "won"),
        ("bob", "player_insurance", 150_00, "lost"),
    ]
    back = only(tuple(play.events), e.InsuranceReread)
    assert (back.paragraph, [move.amount for move in back.transfers]) == ("3.12.2", [100_00])


def test_5_20_the_display_changes_nothing() -> None:
    play = closed()
    draw(play, "9hP 8cB KdP KsB")
    before = (play.table.round, play.table.balances)
    noted = only(play.do(c.Report("display", "it shows Banker"), DEALER), e.Noted)
    assert (noted.family, noted.about, noted.paragraph) == ("display", "it shows Banker", "5.20")
    assert (play.table.round, play.table.balances) == before
    assert not play.table.incidents
    end(play)
    assert winners(play) == ["player"]
    only(play.do(c.Report("display", "the road lacks a round"), DEALER), e.Noted)  # of earlier rounds, too
    assert winners(play) == ["player"]
    assert chips(play) == (10_090, 9_800, 9_950)


@pytest.mark.parametrize("called", ["banker", "tie"])
def test_5_20_the_cards_count_and_not_what_was_called(called: str) -> None:
    play = closed()
    draw(play, "9hP 8cB KdP KsB")
    events = play.do(c.Announce(called), DEALER)  # type: ignore[arg-type]
    announced = only(events, e.ResultAnnounced)
    assert (announced.result, announced.called, announced.paragraph) == ("player", called, "5.20")
    assert lines(only(events, e.RoundSettled))["ann", "player"] == ("won", 100)
    assert winners(play) == ["player"]
    assert chips(play) == (10_090, 9_800, 9_950)


# --- 5.23: what is not covered


def test_5_19_insurance_that_was_keyed_wrongly_is_as_it_lies() -> None:
    play = closed({"bob": {"banker": 200}})
    draw(play, "2hP 4cB KdP KsB")
    play.do(c.Insure("bob", 2, B, 60_00), "bob")
    entry = r.CorrectBet("bob", 2, "banker_insurance", 100_00)
    given(play, entry, 0, paragraph="5.19", reason="100 lay there")
    assert (chips(play)[1], layout(play)[1]) == (9_700, 300)
    draw(play, "8hP")  # Player 0; Banker on 4 stands against an 8 and wins
    end(play)
    assert chips(play)[1] == 10_000 + 200 - 100


def test_5_17_1_while_the_result_is_open_insurance_shall_be_offered() -> None:
    play = closed({"bob": {"banker": 200}}, automated=BY_HAND)
    draw(play, "5hP 6cB KdP KsB 6hP")  # 5 to 2 was not offered; now Player has 1, and 10 to 1 fits
    number = waiting(play).number
    assert told(play, c.Propose(r.PlayOn(), number)) == ("ruling", "5.17.1")  # to go on without is no ruling
    ruled(play, r.OfferLate(), number, by=MANAGER, paragraph="5.17.1")
    assert play.refused(c.Insure("bob", 2, B, 200_00), "bob").fits == 20_00  # winnings up to the Original Bet


@pytest.mark.parametrize("confirmed", [True, False])
def test_5_19_chips_found_with_cards_open_wait_for_a_second_person(confirmed: bool) -> None:
    play = closed({"bob": {"banker": 200}})
    draw(play, "9hP 9cB KdP KsB")
    events = play.do(c.FindBet("ann", 1, "tie", 1_000_00), DEALER)
    assert only(events, e.Flagged) == e.Flagged("bet_found", about_bet("ann", 1, "tie"), "5.19")
    assert layout(play)[0] == 1_000  # on record at once
    play.do(c.Announce("tie"), DEALER)
    assert play.table.phase is Phase.DEALING
    for body in (c.Approve(1), c.Decline(1)):
        assert told(play, body, DEALER)[0] == "second_person"  # who found it decides neither way
    play.do(c.Approve(1) if confirmed else c.Decline(1), SUPERVISOR)
    assert play.table.round is None
    assert chips(play)[:2] == ((18_000 if confirmed else 10_000), 10_000)


def test_5_19_insurance_of_chips_that_are_not_confirmed_goes_back() -> None:
    play = closed({"bob": {"banker": 200}})
    draw(play, "2hP 4cB KdP")
    play.do(c.FindBet("ann", 1, "banker", 300_00), DEALER)
    draw(play, "KsB")
    play.do(c.Insure("ann", 1, B, 100_00), "ann")  # the rights that go with the bet
    assert layout(play)[0] == 400
    play.do(c.Decline(1, "the camera shows an empty box"), SUPERVISOR)
    assert layout(play)[0] == 0
    assert chips(play)[0] == 10_000
    assert play.table.flags == {}


def test_5_23_the_shift_manager_decides_what_is_not_covered() -> None:
    play = closed()
    draw(play, "KhP 8cB KdP")
    assert told(play, c.Propose(r.VoidRound()))[0] == "reason"  # a reason there must be
    voided = only(ruled(play, r.VoidRound(), by=SHIFT, paragraph="5.23", reason="a fire alarm"), e.RoundVoided)
    assert (voided.paragraph, voided.reason) == ("5.23", "a fire alarm")
    assert chips(play) == UNTOUCHED


def test_5_23_options_at_discretion() -> None:
    play = closed()
    draw(play, "9hP 8cB KdP KsB")  # nothing went wrong that the book knows, and much is decided
    events = ruled(play, r.GiveOptions(), by=SHIFT, paragraph="5.23", reason="a player fainted")
    assert only(events, e.OptionsGiven).paragraph == "5.23"
    assert asked(play) == {"ann", "bob", "cho"}
    answer(play, "bob", False)
    all_go_on(play)
    end(play)
    assert chips(play) == (10_090, 10_000, 9_950)


def test_5_23_money_at_discretion() -> None:
    play = seated()
    paid = only(ruled(play, r.Pay("ann", 50_00), by=SHIFT, paragraph="5.23", reason="a chip was lost"), e.MoneyRuled)
    assert (paid.amount, paid.paragraph, paid.reason) == (50_00, "5.23", "a chip was lost")
    assert paid.transfers == (e.Transfer("tray", "chips:ann", 50_00),)
    ruled(play, r.Pay("bob", -20_00), by=SHIFT, paragraph="5.23", reason="paid twice")
    assert chips(play) == (10_050, 9_980, 10_000)


def test_5_23_bet_over_the_maximum_that_nobody_noticed() -> None:
    """The book has no paragraph for it: what stands is the Shift Manager's to say."""
    play = closed({"ann": {"player": 100}}, limits=BetLimits(5_00, 1_000_00, 5_00))
    events = play.do(c.FindBet("bob", 2, "banker", 1_500_00), DEALER)
    opened = only(events, e.IncidentOpened)
    assert (opened.paragraph, opened.covered) == ("5.23", False)
    number = waiting(play).number
    assert told(play, c.Propose(r.SetStake("bob", 2, "banker", 2_000_00), number, "too much")) == ("bad_amount", "5.23")
    events = ruled(
        play, r.SetStake("bob", 2, "banker", 1_000_00), number, by=SHIFT, paragraph="5.23", reason="to the maximum"
    )
    assert only(events, e.StakeRuled).transfers == (e.Transfer("layout:bob", "chips:bob", 500_00),)
    draw(play, "8hP 9cB KdP KsB")
    end(play)
    assert chips(play) == (9_900, 11_000, 10_000)


def test_5_23_is_for_nobody_below() -> None:
    play = closed()
    draw(play, "9hP")
    assert told(play, c.Propose(r.VoidRound(), 0, "why not"), "ann")[0] == "rank"
    proposed = only(play.do(c.Propose(r.VoidRound(), 0, "why not"), DEALER), e.RulingProposed)
    for person in (SUPERVISOR, MANAGER):
        assert told(play, c.Approve(proposed.number), person) == ("rank", "5.23")
    assert told(play, c.Decline(proposed.number), SUPERVISOR) == ("rank", "5.23")
    play.do(c.Decline(proposed.number), DEALER)  # taken back by who proposed it
    assert not play.table.proposals
    own = only(play.do(c.Propose(r.VoidRound(), 0, "why not"), SHIFT), e.RulingProposed)
    assert told(play, c.Approve(own.number), SHIFT)[0] == "second_person"


def test_5_23_correction_of_a_settled_bet_above_the_maximum() -> None:
    play = seated()
    whole_round(play, PLAYER_WINS_IN_ALL, {"ann": {"player": 100}})
    for stake, by, paragraph in ((5_000_00, MANAGER, "5.19"), (5_005_00, SHIFT, "5.23")):
        ruled(play, r.CorrectBet("ann", 1, "player", stake, round=1), by=by, paragraph=paragraph)
    assert chips(play)[0] == 15_005


def test_5_5_2_fault_of_a_shoe_that_is_over() -> None:
    play = last_round()
    before = chips(play)
    events = play.do(c.ReportCards("wrong_card_set", "415 counted"), DEALER)
    assert events == (e.CardsAtFault("wrong_card_set", "415 counted", "5.5.2"),)
    assert chips(play) == before
    number = found(play, ONE_TOO_FEW)
    assert told(play, c.Propose(r.Rectify(), number)) == ("cards", "5.5.3")  # such a shoe gives no card


# --- 4.1.14 and 5.18 together


def test_5_18_chips_that_lay_where_they_belong_after_all() -> None:
    """As keyed Banker leads, 6 against 5, and Ann's chips at Player's are misplaced; it was 5 against 4."""
    play = closed({"ann": {"player": 100, "banker": 100}})
    draw(play, "5hP 6cB KdP KsB")
    only(play.do(c.Insure("ann", 1, P, 20_00), DEALER), e.Flagged)
    events = keyed_wrongly(play, 2, "4c")
    again = only(events, e.InsuranceReread)
    assert (again.hand, again.own, again.other, again.odds) == (P, 5, 4, Odds(3, 2))
    assert only(events, e.FlagCleared).flag == "insurance_misplaced"
    assert not play.table.flags
    draw(play, "5dP 9cB")  # Player 0, Banker 3
    assert lines(only(end(play), e.RoundSettled))["ann", "player_insurance"] == ("won", 30)


def test_4_1_14_points_that_are_still_to_come() -> None:
    """Insured on Player's third card, which was never drawn: it is now, and the points are by that one."""
    play = closed(BOTH)
    draw(play, "2hP 3cB 2dP 2sB 4hP")  # 8 against 5
    play.do(c.Insure("ann", 1, P, 5_00), "ann")
    draw(play, "9cB")
    end(play)
    reported = play.do(c.ReportRound(1, parse_cards("2h 3c 2d 2s"), "camera"), DEALER)
    number = only(reported, e.IncidentOpened).number
    events = ruled(play, r.Rectify(), number, by=SUPERVISOR, paragraph="5.5.3")
    assert not all_of(events, e.InsuranceReread)
    assert not current(play).finished


# --- the paragraph that is cited


def test_5_19_bet_found_within_all_limits() -> None:
    lines = "call\nbet bob banker 100\nclose\nfind bet ann tie 100\ndeal 8h 9c Kd Ks\nannounce banker\n"
    holds("tiger-buffalo", lines + "expect event stakes_stand 5.19\n")


def test_5_2_1_small_bet_found() -> None:
    lines = "call\nbet bob banker 100\nclose\nfind bet ann tie 25\ndeal 8h 9c Kd Ks\nannounce banker\n"
    holds("tiger-buffalo", lines + "expect event stakes_stand 5.2.1\n")


def test_5_1_2_small_bet_beside_those_shared_out() -> None:
    lines = "call\nbet bob banker 1000\nclose\nfind bet ann banker 3000\nfind bet cho banker 10\n"
    lines += "deal 8h 9c Kd Ks\nannounce banker\nexpect event stakes_stand 5.1.1\nexpect event stakes_stand 5.1.2\n"
    holds("tiger-buffalo", lines, "differential 1000\nautomated settle confirm")


@pytest.mark.parametrize(("area", "paragraph"), [("high limit", "5.7.1"), ("", "1.9")])
def test_5_7_1_cut_card_after_the_close(area: str, paragraph: str) -> None:
    lines = f"call\nbet ann banker 100\nclose\ncut card\nexpect event cut_card_appeared {paragraph}\n"
    holds("tiger-buffalo", lines, area)


def test_3_11_insurance_of_no_bet() -> None:
    lines = "call\nbet ann player 1000\nbet bob banker 200\nclose\ndeal 2h 3c Kd Ks 6h\ninsure ann player 1000\n"
    lines += 'deal 6s\nannounce banker\ncall\ncorrect bet ann player 0 in round 1 "nothing lay there"\napprove 1\n'
    lines += "expect returned ann player_insurance 1000\nexpect event insurance_reread 3.11\n"
    holds("tiger-buffalo", lines + "expect event round_settled_again 3.11\n", "automated offer settle confirm")


def test_5_17_window_that_is_still_open() -> None:
    lines = "call\nbet ann player 500\nclose\ndeal 7h 4c Kd Ks\n"
    lines += 'report insurance missed "displayed, not offered"\nexpect refused no_insurance 5.17\n'
    holds("tiger-buffalo", lines, "automated offer settle confirm")


def test_3_6_who_bets_the_maximum_leaves_no_balance() -> None:
    lines = "call\nbet ann banker 4000\nrefuse balance ann\nexpect refused balance 3.6\n"
    lines += "bet ann banker 1000\nrefuse balance ann\nexpect refused balance 3.5\n"
    holds("tiger-buffalo", lines + "bet cho banker 5000\nexpect wager cho 1 banker 5000\n")


# --- 3.11, 3.12, 5.17: insurance on a bet that comes to light

OFFERING = "automated offer settle confirm"
FOUR_CARDS = """\
call
bet bob player 500
{bets}close
draw 7h player turned
draw 4c banker turned
draw Kd player turned
draw Ks banker turned
"""


@pytest.mark.parametrize("before", ["", "pass insurance bob\n"])
def test_3_11_bet_found_before_the_next_card_is_offered_insurance(before: str) -> None:
    """Be the window still open, or over because everybody known has answered (reading F)."""
    lines = FOUR_CARDS.format(bets="") + before + "find bet ann player 500\nexpect offer ann player 4 to 1\n"
    holds("tiger-buffalo", lines + "insure ann player 100\nexpect event insured 4.1.14\n", OFFERING)


def test_3_11_bet_corrected_while_insurance_is_on_offer_is_offered_it() -> None:
    lines = FOUR_CARDS.format(bets="bet ann tie 100\n") + "expect offer bob player 4 to 1\n"
    lines += 'correct bet ann tie 100 to bet player "it lies on Player"\napprove 1\nexpect offer ann player 4 to 1\n'
    holds("tiger-buffalo", lines + "insure ann player 100\nexpect event insured 4.1.14\n", OFFERING)


def test_3_12_who_has_answered_is_not_asked_again_for_another_persons_bet() -> None:
    lines = FOUR_CARDS.format(bets="") + "insure bob player 100\nfind bet ann player 500\n"
    told = holds("tiger-buffalo", lines + "expect offer ann player 4 to 1\n", OFFERING)
    offered = [event for entry in told.entries for event in entry.events if isinstance(event, e.InsuranceOffered)]
    assert [offer.people for event in offered for offer in event.offers] == [("bob",), ("ann",)]


SIX_TO_FIVE_DEALT = "call\n{bets}\nclose\n" + "".join(
    f"draw {card} {hand} turned\n"
    for card, hand in (("6h", "player"), ("5c", "banker"), ("Kd", "player"), ("Qs", "banker"))
)
"""Player 6 against 5, where Banker is to draw: 5 to 2."""
FIVE_TO_FOUR = SIX_TO_FIVE_DEALT.replace("6h", "2h").replace("5c", "2c").replace("Kd", "3d").replace("Qs", "2s")
"""Player 5 against 4: 3 to 2."""


def test_5_3_window_is_open_until_the_next_card_leaves_the_shoe() -> None:
    """Whoever has insured a part, or has said no, may still insure up to the cap."""
    lines = SIX_TO_FIVE_DEALT.format(bets="bet ann player 200\nbet bob player 200")
    lines += "insure ann player 50\npass insurance bob\nexpect offer ann player 5 to 2\ninsure ann player 100\n"
    lines += "insure ann player 51\nexpect refused insurance_cap 3.12.2 fits 50\ninsure bob player 200\n"
    lines += "draw 4s banker turned\ninsure ann player 50\nexpect refused no_insurance 3.12\nannounce banker\n"
    holds("tiger-buffalo", lines + "expect stack ann 10175\nexpect stack bob 10300\n", OFFERING)


def test_5_3_who_has_let_it_pass_by_the_next_card_has_forgone_it() -> None:
    lines = FIVE_TO_FOUR.format(bets="bet ann player 200\nbet bob player 200") + "pass insurance ann\n"
    lines += "insure bob player 50\ndraw 2d player turned\nexpect event insurance_closed 5.3\n"
    lines += "expect offer bob player 4 to 1\ninsure ann player 50\nexpect refused forgone 5.3\n"
    holds("tiger-buffalo", lines, OFFERING)


def test_5_20_window_that_a_card_ended_which_never_left_the_shoe_is_open_again() -> None:
    lines = SIX_TO_FIVE_DEALT.format(bets="bet ann player 200\nbet bob player 200") + "insure ann player 50\n"
    lines += 'draw 4s banker turned\nstrike card 5 "the key bounced"\nexpect offer ann player 5 to 2\n'
    lines += "insure ann player 150\ninsure bob player 200\ndraw 4d banker turned\nannounce banker\n"
    holds("tiger-buffalo", lines + "expect stack ann 10300\nexpect stack bob 10300\n", OFFERING)
    # and also where that card seemed to open the next window
    lines = FIVE_TO_FOUR.format(bets="bet ann player 200\nbet bob player 200") + "insure ann player 50\n"
    lines += 'draw 2d player turned\nexpect offer ann player 4 to 1\nstrike card 5 "the key bounced"\n'
    holds(
        "tiger-buffalo",
        lines + "expect offer ann player 3 to 2\ninsure ann player 150\nexpect event insured\n",
        OFFERING,
    )


@pytest.mark.parametrize("offered", ["", "offer insurance\n"], ids=["after", "before"])
def test_5_17_1_late_offer_leaves_the_others_their_own_window(offered: str) -> None:
    """Ann was not asked after four cards, and is offered it late; for Bob the second window is one as ever."""
    settings = "automated settle confirm\nforgo window"
    lines = FIVE_TO_FOUR.format(bets="bet ann player 200\nbet bob player 200")
    lines += f"offer insurance\ninsure bob player 50\ndraw 2d player turned\n{offered}"
    lines += 'report insurance missed of ann "she was not asked"\nrule offer late on 1\napprove 1\n'
    lines += ("" if offered else "offer insurance\n") + "expect offer bob player 4 to 1\n"
    lines += "insure ann player 51\nexpect refused insurance_cap 5.17.1 fits 50\ninsure ann player 50\n"
    lines += "insure bob player 200\ninsure bob player 1\nexpect refused insurance_cap 3.12.2 fits 0\n"
    lines += "draw 5s banker turned\nannounce banker\nexpect won ann player_insurance 200\n"
    holds("tiger-buffalo", lines + "expect stack bob 10675\n", settings)


def test_5_17_1_late_insurance_of_a_bet_that_was_smaller_is_what_could_win_no_more() -> None:
    """Ann had 10, not 200: at 4 to 1 that is insurance of 2.50, whether it wins or loses; the rest goes back."""
    lines = FIVE_TO_FOUR.format(bets="bet ann player 200\nbet bob player 200")
    lines += "pass insurance bob\ndraw 2d player turned\n"
    lines += 'report insurance missed of ann "she was not asked"\nrule offer late on 1\napprove 1\n'
    lines += "insure ann player 30\ninsure ann player 20\ndraw 2h banker turned\nannounce player\n"
    lines += 'correct bet ann player 10 in round 1 "one chip of 10"\napprove 2\n'
    lines += "expect lost ann player_insurance 2.50\nexpect returned ann player_insurance 27.50\n"
    told = holds(
        "tiger-buffalo", lines + "expect returned ann player_insurance 20\nexpect stack ann 10007.50\n", OFFERING
    )
    again = [record.event for record in told.records if isinstance(record.event, e.RoundSettledAgain)][-1]
    back = [line.paragraph for line in again.lines if line.bet == "player_insurance" and not line.profit]
    assert back == ["5.17.1", "5.17.1"]


def test_3_11_bet_found_while_insurance_is_offered_late_is_offered_it() -> None:
    lines = FIVE_TO_FOUR.format(bets="bet bob player 200") + "draw 2d player turned\n"
    lines += "expect incident 1 insurance_missed 5.17\nrule offer late on 1\napprove 1\n"
    lines += "find bet ann player 200\napprove 2\noffer insurance\nexpect offer ann player 4 to 1\n"
    lines += "insure ann player 200\ninsure bob player 51\nexpect refused insurance_cap 5.17.1 fits 50\n"
    holds("tiger-buffalo", lines)


def test_5_3_who_walked_away_from_the_window_has_not_missed_it() -> None:
    """Ann has forgone it, whoever says that she was not asked, and whenever; Bob may have missed it."""
    lines = SIX_TO_FIVE_DEALT.format(bets="bet ann player 200\nbet bob player 200")
    lines += "walk away ann\ncome back ann\ndraw 4s banker turned\n"
    named = 'report insurance missed of ann {}"she was not asked"\nexpect refused no_insurance {}\n'
    paid = named.format("", "5.17") + "announce banker\n" + named.format("in round 1 ", "5.17.2")
    holds("tiger-buffalo", lines + paid + "expect lost ann player 200\n", OFFERING)
    lines += 'report insurance missed "nobody was asked"\nmeant to insure ann player\n'
    lines += "expect refused no_insurance 5.17.2\nmeant to insure bob player\nrule return bets on 1\napprove 1\n"
    holds("tiger-buffalo", lines + "announce banker\nexpect stack ann 9800\nexpect stack bob 10000\n", OFFERING)


def test_3_12_the_dealer_offers_where_the_table_does_not() -> None:
    lines = FOUR_CARDS.format(bets="") + "offer insurance\nfind bet ann player 500\noffer insurance\n"
    holds("tiger-buffalo", lines + "expect offer bob player 4 to 1\nexpect offer ann player 4 to 1\n")


def test_5_17_bet_found_and_not_offered_insurance_before_the_card_has_missed_it() -> None:
    lines = FOUR_CARDS.format(bets="") + "offer insurance\nfind bet ann player 500\ndraw 2c banker turned\n"
    holds("tiger-buffalo", lines + "expect incident 1 insurance_missed 5.17\nexpect event insurance_missed 5.17\n")


@pytest.mark.parametrize("known", ["", "pass insurance bob\n"])
def test_5_17_2_bet_found_after_the_card_has_missed_its_insurance(known: str) -> None:
    """Ann was never asked: she gets her bet back where she had meant to insure it (reading G)."""
    lines = FOUR_CARDS.format(bets="") + known + "draw 5c banker turned\nfind bet ann player 500\n"
    lines += "approve 1\nexpect incident 1 insurance_missed 5.17\nmeant to insure ann player\n"
    lines += "rule return bets on 1\napprove 2\nexpect stack ann 10000\n"
    holds("tiger-buffalo", lines, OFFERING)


def test_3_11_bet_corrected_is_offered_insurance_where_nobody_had_anything_to_insure() -> None:
    lines = FOUR_CARDS.replace("bet bob player 500\n", "bet ann banker 100\n").format(bets="") + "expect no offer\n"
    lines += 'correct bet ann banker 100 to bet player "it lies on Player"\napprove 1\nexpect offer ann player 4 to 1\n'
    holds("tiger-buffalo", lines, OFFERING)


def test_3_12_2_insurance_over_the_bet_as_it_is_corrected_goes_back() -> None:
    lines = FOUR_CARDS.format(bets="") + "insure bob player 500\n"
    lines += 'correct bet bob player 100 "one chip lay there"\napprove 1\nexpect wager bob player 100\n'
    lines += "draw 5c banker turned\nannounce banker\nexpect won bob player_insurance 400\n"
    holds("tiger-buffalo", lines, OFFERING)


@pytest.mark.parametrize(
    ("answer", "two"), [("insure bob player 100\n", True), ("pass insurance bob\n", True), ("", False)]
)
def test_5_20_card_that_somebody_has_answered_on_is_put_right_by_two(answer: str, two: bool) -> None:
    """The latest card is the dealer's to put right alone, until an answer has followed from it (reading Z)."""
    lines = FOUR_CARDS.format(bets="") + answer + 'correct card 4 As "misread"\n'
    lines += "expect no event card_corrected\napprove 1\n" if two else ""
    lines += "expect event ruling_given 5.20\nexpect event card_corrected\n"
    holds("tiger-buffalo", lines, OFFERING)


# --- 5.17 in a round that was settled with a card lacking, and is played on

LACKING = """\
call
bet bob banker 500
close
draw 2h player turned
draw Kc banker turned
draw 4d player turned
draw 7s banker turned
announce banker
expect stack bob 10500
report round 1 2h Kc 3d 7s "Player had 5"
rule rectify on 1
approve 1
expect incident 2 insurance_missed 5.17
"""
"""Banker 7 against Player 5, whose third card is due: 4 to 1."""
LATE = "rule offer late on 2\napprove 2\n"


def plays(lines: str) -> None:
    """What is expected holds, and who verifies the log has nothing to say against cards and money."""
    played = holds("tiger-buffalo", lines, OFFERING)
    log = sealed(played.entries, "t1", KEY)
    report = verify_log(b"".join(line + b"\n" for line in log), KEY.public)
    assert report.problem is None, report.problem


def test_5_17_round_opened_again_for_a_lacking_card_has_missed_its_insurance() -> None:
    """A Pit Manager offers it, by the row that fits now (reading G)."""
    plays(LACKING + "expect no offer\nexpect rulings on 2 offer_late\nrule offer late on 2\n" + EVA_OFFERS)


def test_5_17_what_was_passed_over_is_not_offered_by_the_dealer_nor_missed_twice() -> None:
    """A card that comes before the ruling does not open the matter again."""
    lines = LACKING + "offer insurance\nexpect refused no_insurance\ndraw Kd player turned\n"
    plays(lines + "expect no event incident_opened\nexpect incident 2 insurance_missed 5.17\n")


def test_5_18_insurance_that_was_moved_is_amended_where_it_lies_now() -> None:
    """Staff had put all 100 at Banker: what is found or keyed beside it is not counted on top of that."""
    lines = SIX_TO_FIVE_DEALT.format(bets="bet ann player 200") + "sam: insure ann banker 100\ndraw 4s banker turned\n"
    lines += (
        "announce banker\nexpect won ann player_insurance 250\nfind bet ann player_insurance 20 in round 1\napprove 1\n"
    )
    lines += "expect won ann player_insurance 300\nexpect stack ann 10100\n"
    for number, (lies, stack) in enumerate(((60, 9950), (80, 10000), (0, 9800), (40, 9900)), 2):
        lines += f'correct bet ann player_insurance {lies} in round 1 "seen"\napprove {number}\n'
        lines += f"expect stack ann {stack}\n"
    holds("tiger-buffalo", lines, OFFERING)


def test_5_18_insurance_of_which_a_part_was_moved_is_amended_as_a_whole() -> None:
    lines = SIX_TO_FIVE_DEALT.format(bets="bet ann player 200") + "insure ann player 50\nsam: insure ann banker 100\n"
    lines += "rule move insurance ann banker\nfind bet ann player_insurance 20\ndraw 4s banker turned\n"
    lines += "announce banker\nexpect stack ann 10225\n"
    lines += 'correct bet ann player_insurance 160 in round 1 "seen"\napprove 1\nexpect stack ann 10200\n'
    holds("tiger-buffalo", lines, OFFERING)


def test_5_19_insurance_that_was_amended_to_another_box_is_amended_there() -> None:
    lines = SIX_TO_FIVE_DEALT.format(bets="bet ann player 200\nbet ann 2 player 100")
    lines = lines.replace("bet ann player 200", "bet bob tie 100\nbet ann player 200")
    lines += "insure ann player 80\ninsure ann 2 player 40\ndraw 4s banker turned\nannounce banker\n"
    lines += 'correct bet ann player_insurance 60 to box 2 in round 1 "box 2"\napprove 1\nexpect stack ann 9950\n'
    lines += 'correct bet ann 2 player_insurance 50 in round 1 "in all"\napprove 2\nexpect stack ann 9825\n'
    holds("tiger-buffalo", lines, OFFERING)


def test_4_2_2_what_lies_in_an_insurance_box_that_nothing_is_offered_for_goes_back() -> None:
    """It is on record in every phase (reading A), and nothing of it was missed."""
    found, back = "find bet ann player_insurance 50", "expect event late_chips_refused 4.2.2\n"
    lines = f"waive insurance ann\ncall\nbet ann player 200\n{found}\n{back}close\ndraw 6h player turned\n"
    lines += f"draw 5c banker turned\ndraw Kd player turned\ndraw Qs banker turned\nexpect no offer\n{found}\n{back}"
    lines += 'report insurance missed "nobody asked"\nexpect refused no_insurance 4.2.2\n'
    lines += "meant to insure ann player\nexpect refused no_insurance 4.2.2\ndraw 4s banker turned\nannounce banker\n"
    lines += f"{found} in round 1\n{back}find bet zoe player_insurance 50 in round 1\nexpect refused unknown_person\n"
    holds("tiger-buffalo", lines + "expect no incidents\nexpect stack ann 9800\n", OFFERING + "\nprivate")


def test_5_17_who_had_not_answered_when_the_round_was_paid_with_a_card_lacking_was_not_asked() -> None:
    """No card has come, so nobody has forgone by silence (5.3); Bob has said no. What follows keeps the late offer."""
    lines = SIX_TO_FIVE_DEALT.format(bets="bet ann player 200\nbet bob player 200\nbet cho player 100")
    lines += "insure cho player 50\npass insurance bob\nannounce player\nsettle\nexpect stack ann 10200\n"
    lines += (
        "expect event insurance_closed 5.3\nrule rectify on 1\napprove 1\nexpect incident 2 insurance_missed 5.17\n"
    )
    lines += "rule offer late on 2\napprove 2\nexpect offer ann player 5 to 2\ninsure bob player 10\n"
    lines += "expect refused forgone 5.3\ninsure ann player 81\nexpect refused insurance_cap 5.17.1 fits 80\n"
    lines += "insure ann player 80\ndraw 4s banker turned\nannounce banker\nexpect won ann player_insurance 200\n"
    lines += "expect won cho player_insurance 125\nexpect stack ann 10000\nexpect stack bob 9800\n"
    lines += 'correct bet bob player 100 in round 1 "one chip"\napprove 3\nexpect won ann player_insurance 200\n'
    holds("tiger-buffalo", lines + "expect stack ann 10000\nexpect stack bob 9900\n", OFFERING)


EVA_OFFERS = (
    "expect proposal 2 offer_late pit manager\napprove 2\nexpect offer bob banker 4 to 1\nexpect no incidents\n"
)


@pytest.mark.parametrize(("card", "stack", "result"), [("4c", 10000 - 500 + 500, "won"), ("Kd", 10500 - 125, "lost")])
def test_5_17_1_insurance_of_a_round_opened_again_wins_the_original_bet_at_most(
    card: str, stack: int, result: str
) -> None:
    lines = LACKING + LATE + "insure bob banker 126\nexpect refused insurance_cap 5.17.1 fits 125\n"
    lines += "insure bob banker 125\nexpect balance layout:bob 125\nexpect stack bob 10375\n"
    lines += f"draw {card} player turned\nannounce {'player' if result == 'won' else 'banker'}\n"
    plays(lines + f"expect {result} bob banker_insurance\nexpect balance layout:bob 0\nexpect stack bob {stack}\n")


def test_5_17_1_insurance_of_a_round_opened_again_goes_back_if_the_round_is_void() -> None:
    lines = LACKING + LATE + 'insure bob banker 100\nrule void "the shoe is not whole"\napprove 3\n'
    plays(lines + "expect result void\nexpect balance layout:bob 0\nexpect stack bob 10000\n")


def test_5_17_1_insurance_of_a_round_opened_again_stays_late_when_a_card_is_corrected() -> None:
    lines = LACKING + LATE + "insure bob banker 125\ndraw Kd player turned\n"
    lines += 'correct card 5 4c "it was a four"\napprove 3\nannounce player\nexpect won bob banker_insurance 500\n'
    plays(lines + "expect balance layout:bob 0\nexpect stack bob 10000\n")


def test_5_17_1_insurance_of_a_round_opened_again_is_capped_when_the_settled_round_is_corrected() -> None:
    """It was Banker 7 against 5 for all who looked; the record had another card."""
    lines = LACKING + LATE + "insure bob banker 125\ndraw Kd player turned\nannounce banker\nexpect stack bob 10375\n"
    lines += 'correct card 5 4c in round 1 "it was a four"\napprove 3\nexpect won bob banker_insurance 500\n'
    plays(lines + "expect stack bob 10000\n")


def test_3_12_window_that_a_later_card_opens_is_an_ordinary_one_in_a_round_opened_again() -> None:
    lines = LACKING.replace("2h Kc 3d 7s", "2h Kc 3d 4s").replace("expect incident 2 insurance_missed 5.17", "")
    lines += "expect no incidents\ndraw 7h player turned\nexpect offer bob banker 4 to 1\ninsure bob banker 500\n"
    lines += "draw Ks banker turned\nannounce banker\nexpect lost bob banker_insurance\nexpect stack bob 10000\n"
    plays(lines)


def test_5_3_who_had_let_it_pass_has_still_forgone_it_in_a_round_opened_again() -> None:
    called = "pass insurance bob\nannounce banker\nsettle"
    lines = LACKING.replace("draw 4d", "draw 3d").replace("announce banker", called)
    lines = lines.replace('report round 1 2h Kc 3d 7s "Player had 5"\n', "")
    lines = lines.replace("expect incident 2 insurance_missed 5.17\n", "")
    plays(lines + "expect no incidents\nexpect no offer\n")


@pytest.mark.parametrize(("forgo", "refusal"), [("round", "forgone 5.3"), ("window", "no_insurance")])
def test_5_17_who_kept_silent_until_a_round_with_a_card_too_few_was_paid_was_not_asked(
    forgo: str, refusal: str
) -> None:
    """No card ended the window: only who had declined in it has forgone it (reading G)."""
    lines = "call\nbet ann banker 500\nbet bob banker 500\nclose\n"
    lines += "draw 2h player turned\ndraw Kc banker turned\ndraw 3d player turned\ndraw 7s banker turned\n"
    lines += "pass insurance ann\nannounce banker\nconfirm 1\nexpect incident 1 wrong_round 5.5.3\n"
    lines += "rule rectify on 1\napprove 1\nexpect incident 2 insurance_missed 5.17\nrule offer late on 2\napprove 2\n"
    lines += f"expect offer bob banker 4 to 1\ninsure ann banker 100\nexpect refused {refusal}\ninsure bob banker 125\n"
    holds("tiger-buffalo", lines, f"automated offer settle\nforgo {forgo}")


# --- more of the second reading


def test_5_1_only_the_raise_is_as_late_as_the_raise() -> None:
    """Cho stands behind Ann's box, and raises after Bob: at the close the raise goes before what lay there."""
    lines = "call\nbet ann player 500\nbet cho banker 600\nbet bob banker 500\nbet cho banker 300\n"
    lines += "withdraw ann player\nclose\nexpect wager cho 1 banker 500\nexpect wager bob banker 500\n"
    holds("tiger-buffalo", lines, "differential 1000\nautomated settle confirm")


def test_5_1_raise_yields_before_what_others_bet_earlier() -> None:
    lines = "stand eli 1\nchips in eli 5000\ncall\nbet cho banker 400\nbet eli banker 300\nbet cho banker 300\n"
    lines += "bet ann banker 500\nexpect wager cho 1 banker 400\nexpect wager eli 1 banker 100\n"
    holds("tiger-buffalo", lines, "differential 1000")


def test_5_3_who_is_back_with_a_bet_at_the_close_has_forgone_nothing() -> None:
    lines = FOUR_CARDS.replace("{bets}", "walk away bob\ncome back bob\nbet bob player 100\n")
    holds("tiger-buffalo", lines + "expect offer bob player 4 to 1\ninsure bob player 100\n", OFFERING)


def test_5_15_1_result_called_and_paid_with_a_card_lacking_is_on_record() -> None:
    lines = "call\nbet bob banker 500\nclose\ndraw 2h player turned\ndraw Kc banker turned\ndraw 3d player turned\n"
    lines += "draw 7s banker turned\nannounce banker\nexpect event result_called 5.20\nconfirm 2\n"
    lines += "expect stack bob 10500\nexpect incident 1 wrong_round 5.5.3\ncall\nexpect refused round_open\n"
    holds("tiger-buffalo", lines, "automated offer settle")


def test_5_17_1_to_go_on_without_the_offer_is_no_ruling() -> None:
    lines = FOUR_CARDS.format(bets="") + "close insurance\n" + 'report insurance missed "nobody was asked"\n'
    holds("tiger-buffalo", lines + "rule play on 1\nexpect refused ruling 5.17.1\n", OFFERING)
