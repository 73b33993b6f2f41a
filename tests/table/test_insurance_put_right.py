"""Insurance that the record has wrongly, or not at all: corrected like any bet, by the row and within the cap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from tests.rules.irregular_tb import (
    LIVE,
    B,
    P,
    all_of,
    bets_down,
    checked_tables,
    chips,
    closed,
    current,
    draw,
    end,
    given,
    layout,
    lines,
    only,
    ruled,
    seated,
    told,
)
from tests.table.build import DEALER, MANAGER, SUPERVISOR, Play

from puntobanco.cards import parse_cards
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.insurance.offers import nobody_is_asked
from puntobanco.table.settings import BetLimits
from puntobanco.views import Viewer, view

CHIPS = "5.19"
FIRST, SECOND = Window
BOTH = {"ann": {"player": 100}, "bob": {"banker": 200}, "cho": {"banker": 40}}
FOUR_TO_TWO = "2hP 4cB KdP KsB"
"""Banker's 4 against 2, at 3 to 2 after four cards."""
LOSES = "7hP KcB"
"""Player 9, Banker 4: insurance on Banker wins; after Player's third, Player is insured at 10 to 1."""


@pytest.fixture(autouse=True)
def _sound() -> Iterator[None]:
    yield from checked_tables()


def on_offer(cards: str = FOUR_TO_TWO, **changes: object) -> Play:
    play = closed(BOTH, **changes)
    draw(play, cards)
    assert current(play).window is not None
    return play


def keyed(stake: int = 50) -> Play:
    """Bob's insurance on Banker as it was keyed, the window over."""
    play = on_offer()
    play.do(c.Insure("bob", 2, B, stake * 100), DEALER)
    play.do(c.CloseInsurance(), DEALER)
    return play


def insurance(person: str = "bob", box: int = 2, stake: int = 80, hand: str = "banker", **more: object) -> r.CorrectBet:
    return r.CorrectBet(person, box, f"{hand}_insurance", stake * 100, **more)  # type: ignore[arg-type]


def correct(play: Play, ruling: r.CorrectBet) -> e.InsuranceCorrected:
    """The dealer's own to correct before the settlement."""
    return only(given(play, ruling, 0, paragraph=CHIPS, reason="miskeyed"), e.InsuranceCorrected)


def sent_back(events: Iterable[e.Event]) -> list[tuple[str, int, str]]:
    """What of it was no insurance and went back, and why."""
    (again,) = (event for event in events if isinstance(event, e.RoundPlayedAgain))
    return [(line.person, line.stake // 100, line.paragraph) for line in again.returned]


def corrected_back(play: Play, ruling: r.CorrectBet) -> list[tuple[str, int, str]]:
    return sent_back(given(play, ruling, 0, paragraph=CHIPS, reason="miskeyed"))


def lying(play: Play) -> dict[tuple[str, int, str], int]:
    return {(each.person, each.box, each.hand.value): each.stake // 100 for each in current(play).insurance}


# --- before the settlement


@pytest.mark.parametrize("stake", [20, 80, 200])
def test_3_12_2_insurance_keyed_with_a_wrong_amount(stake: int) -> None:
    play = keyed()
    event = correct(play, insurance(stake=stake))
    assert (event.was, event.stake, event.window, event.reason) == (50_00, stake * 100, FIRST, "miskeyed")
    assert lying(play) == {("bob", 2, "banker"): stake}
    assert (chips(play)[1], layout(play)[1]) == (9_800 - stake, 200 + stake)
    draw(play, LOSES)
    settled = only(end(play), e.RoundSettled)
    assert lines(settled)["bob", "banker_insurance"] == ("won", stake * 3 // 2)
    assert chips(play)[1] == 9_800 + stake * 3 // 2


def test_3_12_2_insurance_of_a_correction_is_at_most_the_original_bet() -> None:
    play = keyed()
    assert corrected_back(play, insurance(stake=201)) == [("bob", 1, "3.12.2")]
    assert lying(play) == {("bob", 2, "banker"): 200}
    assert (chips(play)[1], layout(play)[1]) == (9_600, 400)


def test_3_12_2_at_10_to_1_a_corrected_stake_is_a_quarter_of_the_maximum() -> None:
    limits = BetLimits(minimum=5_00, maximum=200_00, step=5_00)
    play = closed({"ann": {"player": 100}}, limits=limits)
    draw(play, "2hP 4cB KdP KsB 7hP")  # Player 9 on three cards
    play.do(c.Insure("ann", 1, P, 10_00), "ann")
    assert corrected_back(play, insurance("ann", 1, 51, "player")) == [("ann", 1, "3.12.2")]
    assert lying(play) == {("ann", 1, "player"): 50}


def test_3_12_2_cap_holds_where_the_original_bet_turns_out_smaller() -> None:
    play = keyed(150)
    events = play.rule(r.CorrectBet("bob", 2, "banker", 100_00), reason="miskeyed")
    assert sent_back(events) == [("bob", 50, "3.12.2")]
    assert (chips(play)[1], layout(play)[1]) == (9_800, 200)
    assert corrected_back(play, insurance(stake=120)) == [("bob", 20, "3.12.2")]
    draw(play, LOSES)
    assert lines(only(end(play), e.RoundSettled))["bob", "banker_insurance"] == ("won", 150)


def test_5_19_insurance_that_was_not_there() -> None:
    play = keyed()
    event = correct(play, insurance(stake=0))
    assert (event.was, event.stake) == (50_00, 0)
    assert lying(play) == {}
    assert (chips(play)[1], layout(play)[1]) == (9_800, 200)
    assert "bob" in current(play).forgone  # none taken in a window that is over (5.3)
    draw(play, LOSES)
    assert ("bob", "banker_insurance") not in lines(only(end(play), e.RoundSettled))


def test_5_19_insurance_that_was_not_keyed() -> None:
    play = on_offer()
    play.do(c.CloseInsurance(), DEALER)
    assert "bob" in current(play).forgone
    event = correct(play, insurance())
    assert (event.was, event.stake, event.window) == (0, 80_00, FIRST)
    assert "bob" not in current(play).forgone  # who took it did not let it pass (5.3)
    assert (chips(play)[1], layout(play)[1]) == (9_720, 280)
    draw(play, LOSES)
    assert lines(only(end(play), e.RoundSettled))["bob", "banker_insurance"] == ("won", 120)


def test_5_19_insurance_found_beside_what_was_keyed() -> None:
    play = keyed(30)
    event = only(play.do(c.FindBet("bob", 2, "banker_insurance", 40_00), DEALER), e.InsuranceCorrected)
    assert (event.was, event.stake, event.window) == (30_00, 70_00, FIRST)
    assert lying(play)["bob", 2, "banker"] == 70


def test_5_19_insurance_in_a_round_that_is_played_on() -> None:
    """It was settled on a natural that was none: the chips moved then, and the next settlement moves the difference."""
    play = seated()
    bets_down(play, BOTH)
    play.close()
    draw(play, "8hP 4cB KdP KsB")
    end(play)
    assert chips(play) == (10_100, 9_800, 9_960)
    wrong = c.ReportRound(1, parse_cards("2h 4c Kd Ks"), "it was a 2")
    number = only(play.do(wrong, DEALER), e.IncidentOpened).number
    play.rule(r.Rectify(), number, by=SUPERVISOR)
    before = chips(play)
    events = play.rule(insurance(window=FIRST), reason="not keyed", by=MANAGER)
    assert only(events, e.RoundPlayedAgain).transfers == ()
    assert chips(play) == before
    play.rule(r.OfferLate(), next(iter(play.table.incidents)), by=MANAGER)  # Cho was not asked (5.17)
    play.do(c.CloseInsurance(), DEALER)
    draw(play, LOSES)
    again = only(end(play), e.RoundSettledAgain)
    assert lines(again)["bob", "banker_insurance"] == ("won", 120)
    assert chips(play)[1] == 9_800 + 120


def test_5_19_insurance_of_another_person() -> None:
    """Bob's in the record, Cho's on the felt: none of Bob's, and Cho's as it lay."""
    play = keyed(30)
    correct(play, insurance(stake=0))
    correct(play, insurance("cho", 1, 30))
    assert lying(play) == {("cho", 1, "banker"): 30}
    assert (chips(play), layout(play)) == ((9_900, 9_800, 9_930), (100, 200, 70))


def test_5_19_insurance_in_another_box() -> None:
    play = seated()
    bets_down(play, BOTH)
    play.do(c.Place("bob", 1, {"banker": 40_00}), "bob")
    play.close()
    draw(play, FOUR_TO_TWO)
    play.do(c.Insure("bob", 2, B, 30_00), "bob")
    to_tie = c.Propose(insurance(stake=30, to_bet="tie"), 0, "miskeyed")
    assert told(play, to_tie) == ("unknown_bet", "3.11")
    assert corrected_back(play, insurance(stake=50, to_box=1)) == [("bob", 10, "3.12.2")]  # of the bet in that box
    assert lying(play) == {("bob", 1, "banker"): 40}
    assert corrected_back(play, insurance(stake=30, to_box=3)) == [("bob", 30, "3.11")]  # he has no bet there
    event = correct(play, insurance(stake=30, to_box=1))
    assert (event.box, event.to_box, event.stake) == (2, 1, 30_00)
    assert lying(play) == {("bob", 1, "banker"): 30}


def test_5_19_chips_for_insurance_that_the_record_did_not_know_come_from_the_floor() -> None:
    play = keyed()
    play.do(c.ChipsOut("bob", play.table.stack("bob")), DEALER)
    events = given(play, insurance(stake=90), 0, paragraph=CHIPS, reason="miskeyed")
    assert only(events, e.MoneyMoved).amount == 40_00
    assert (chips(play)[1], layout(play)[1]) == (0, 290)


@pytest.mark.parametrize(
    ("ruling", "code", "paragraph"),
    [
        (insurance(stake=50), "bad_amount", CHIPS),  # as the record has it
        (insurance(stake=-1), "bad_amount", CHIPS),
        (insurance("dan", 1, 20), "unknown_person", ""),
        (insurance(to_box=9), "box", "Appendix A"),
    ],
)
def test_5_19_insurance_that_cannot_have_been(ruling: r.CorrectBet, code: str, paragraph: str) -> None:
    assert told(keyed(), c.Propose(ruling, 0, "miskeyed")) == (code, paragraph)


@pytest.mark.parametrize(
    ("ruling", "paragraph"),
    [
        (insurance("ann", 1, 20), "3.11"),  # she bet on Player
        (insurance("ann", 1, 20, "player"), "4.1.14"),  # no row for Player's 2
        (insurance(stake=20, window=SECOND), "4.1.14"),  # that window never opened
    ],
)
def test_3_11_chips_that_insure_nothing_go_back(ruling: r.CorrectBet, paragraph: str) -> None:
    play = keyed()
    before = (chips(play), layout(play))
    assert corrected_back(play, ruling) == [(ruling.person, 20, paragraph)]
    assert (chips(play), layout(play)) == before


def test_4_2_2_no_record_of_insurance_where_none_is_offered() -> None:
    play = closed(BOTH, no_insurance=True)
    draw(play, FOUR_TO_TWO)
    assert told(play, c.Propose(insurance(), 0, "miskeyed")) == ("no_insurance", "4.2.2")
    found = play.do(c.FindBet("bob", 2, "banker_insurance", 5_00))  # a fact: the chips go back
    assert found == (e.LateChipsRefused("bob", 2, "banker_insurance", 5_00, "placed", "4.2.2"),)


def test_5_3_no_record_of_insurance_for_who_let_it_pass() -> None:
    play = closed({"ann": {"player": 100}})
    draw(play, "5hP 4cB KdP KsB")
    play.do(c.PassInsurance("ann"), "ann")
    draw(play, "2hP")  # Player 7 against 4
    late = insurance("ann", 1, 10, "player", window=SECOND)
    assert corrected_back(play, late) == [("ann", 10, "5.3")]
    first = insurance("ann", 1, 10, "player", window=FIRST)
    correct(play, first)  # but chips may have lain there in the first


def test_3_12_window_is_said_where_both_are_possible() -> None:
    play = closed({"ann": {"player": 100}})
    draw(play, "5hP 4cB KdP KsB")
    play.do(c.Insure("ann", 1, P, 10_00), "ann")
    draw(play, "2hP")
    play.do(c.Insure("ann", 1, P, 20_00), "ann")
    assert told(play, c.Propose(insurance("ann", 1, 30, "player"), 0, "miskeyed")) == ("bad_amount", "3.12")
    event = correct(play, insurance("ann", 1, 30, "player", window=SECOND))
    assert event.was == 20_00
    assert current(play).insurance[1].points == (7, 4)
    assert [each.stake for each in current(play).insurance] == [10_00, 30_00]


def test_5_18_amount_of_insurance_that_lies_in_the_wrong_box() -> None:
    play = on_offer()
    play.do(c.Insure("bob", 2, P, 50_00), DEALER)
    (flag,) = play.table.flags
    event = correct(play, insurance(hand="player", stake=60))
    assert event.to_hand is P
    assert flag in play.table.flags
    (taken,) = current(play).insurance
    assert (taken.misplaced, taken.by) == (True, DEALER)
    # the chips lay where they belong, and only the entry was wrong
    correct(play, insurance(hand="player", stake=60, to_bet="banker_insurance"))
    assert not play.table.flags
    assert lying(play) == {("bob", 2, "banker"): 60}


# --- chips that are found


def test_5_19_chips_found_in_an_insurance_box() -> None:
    play = keyed()
    events = play.do(c.FindBet("bob", 2, "banker_insurance", 30_00), DEALER)
    event = only(events, e.InsuranceCorrected)
    assert (event.was, event.stake, event.paragraph, event.reason) == (50_00, 80_00, CHIPS, About.of("found"))
    assert lying(play) == {("bob", 2, "banker"): 80}
    assert sent_back(play.do(c.FindBet("bob", 2, "banker_insurance", 121_00), DEALER)) == [("bob", 1, "3.12.2")]
    assert sent_back(play.do(c.FindBet("ann", 1, "banker_insurance", 5_00), DEALER))[-1] == ("ann", 5, "3.11")
    assert lying(play) == {("bob", 2, "banker"): 200}
    assert told(play, c.FindBet("bob", 2, "banker_insurance", 0))[0] == "bad_amount"


def test_5_19_chips_found_while_insurance_is_on_offer() -> None:
    play = on_offer()
    only(play.do(c.FindBet("bob", 2, "banker_insurance", 30_00), DEALER), e.InsuranceCorrected)
    play.do(c.Insure("cho", 1, B, 10_00), "cho")
    assert nobody_is_asked(play.table, current(play))
    play.do(c.CloseInsurance(), DEALER)
    assert "bob" not in current(play).forgone


def test_3_12_no_chips_are_found_before_there_is_a_window() -> None:
    play = closed(BOTH)
    draw(play, "2hP 4cB")
    assert told(play, c.FindBet("bob", 2, "banker_insurance", 5_00)) == ("no_insurance", "4.1.14")


def test_5_17_1_late_insurance_keyed_wrongly_wins_at_most_the_original_bet() -> None:
    play = closed(BOTH, automated=tuple(step for step in LIVE if step.value != "offer"))
    draw(play, "5hP 4cB KdP KsB 2dP")  # no offer before the card; Player 7 against 4
    number = next(iter(play.table.incidents))
    play.rule(r.OfferLate(), number, by=MANAGER)
    play.do(c.Insure("ann", 1, P, 5_00), "ann")
    assert corrected_back(play, insurance("ann", 1, 26, "player")) == [("ann", 1, "5.17.1")]
    assert current(play).insurance[0].late
    play.rule(insurance("ann", 1, 0, "player"), reason="miskeyed")
    assert not current(play).insurance
    # not keyed at all, it is still what was offered late
    correct(play, insurance("ann", 1, 25, "player", window=SECOND))
    assert current(play).insurance[0].late


# --- after the settlement


@pytest.mark.parametrize(
    ("ruling", "after"),
    [
        (insurance(stake=80, round=1), 9_920),  # won 45 more
        (insurance(stake=0, round=1), 9_800),
        (insurance(stake=200, round=1), 10_100),
    ],
)
@pytest.mark.parametrize("next_called", [False, True])
def test_5_19_insurance_of_a_settled_round(ruling: r.CorrectBet, after: int, next_called: bool) -> None:
    play = keyed()
    draw(play, LOSES)
    end(play)
    assert chips(play)[1] == 9_875
    if next_called:
        play.call()
    events = ruled(play, ruling, by=MANAGER, paragraph=CHIPS, reason="as on camera")
    corrected, again = only(events, e.InsuranceCorrected), only(events, e.RoundSettledAgain)
    assert (corrected.round, again.number) == (1, 1)
    assert chips(play)[1] == after
    assert play.table.past[0].lines == again.lines


def test_5_19_insurance_that_was_not_keyed_in_a_settled_round() -> None:
    play = on_offer()
    play.do(c.CloseInsurance(), DEALER)
    draw(play, LOSES)
    end(play)
    events = ruled(play, insurance(stake=80, round=1), by=MANAGER, paragraph=CHIPS, reason="as on camera")
    assert lines(only(events, e.RoundSettledAgain))["bob", "banker_insurance"] == ("won", 120)
    assert chips(play)[1] == 9_920
    events = ruled(play, insurance(stake=201, round=1), by=MANAGER, paragraph=CHIPS, reason="as on camera")
    again = only(events, e.RoundSettledAgain)
    taken = [(line.stake, line.profit, line.paragraph) for line in again.lines if line.insurance]
    assert taken == [(200_00, 300_00, "4.1.14"), (1_00, 0, "3.12.2")]
    assert chips(play)[1] == 10_100
    found = only(play.do(c.FindBet("bob", 2, "banker_insurance", 5_00, round=1)), e.RulingProposed)
    assert (found.ruling, found.needs) == (insurance(stake=205, round=1), "pit_manager")


def test_5_19_what_the_chips_cannot_give_back_is_owed() -> None:
    play = keyed(200)
    draw(play, LOSES)
    end(play)
    play.do(c.ChipsOut("bob", play.table.stack("bob") - 5_00), DEALER)
    ruled(play, insurance(stake=0, round=1), by=MANAGER, paragraph=CHIPS, reason="as on camera")
    assert (play.table.stack("bob"), play.table.balances["owed:bob"]) == (0, -295_00)


def test_5_21_insurance_of_a_void_round_is_not_corrected() -> None:
    play = keyed()
    play.do(c.ReportCards("foreign_card", "a blue one"))
    assert told(play, c.Propose(insurance(round=1), 0, "on camera"))[0] == "no_round"


# --- what the screens offer


def test_5_19_the_dealer_is_offered_what_can_be_corrected() -> None:
    play = keyed()
    actions = view(play.table, Viewer("dealer", DEALER), 0).actions
    insured = {
        (each.fixed["ruling.person"], each.fixed["ruling.bet"], ask.least, ask.most, ask.but)
        for each in actions
        if each.do == "propose" and "insurance" in str(each.fixed.get("ruling.bet", "")) and each.allowed
        for ask in each.asks
        if ask.field == "ruling.stake"
    }
    assert insured == {("bob", "banker_insurance", 0, 200_00, 50_00), ("cho", "banker_insurance", 1, 40_00, None)}
    found = {
        (each.fixed["person"], each.fixed["bet"], ask.most)
        for each in actions
        if each.do == "find_bet" and each.fixed.get("bet") and each.allowed
        for ask in each.asks
    }
    assert found == {("bob", "banker_insurance", 150_00), ("cho", "banker_insurance", 40_00)}
    assert not all_of(play.events, e.InsuranceCorrected)
