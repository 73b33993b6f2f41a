"""Corrections of the record: the felt was right and an entry wrong. Cards, bets, boxes, calls, confirmations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.rules.irregular_tb import (
    LIVE,
    SECOND_DEALER,
    B,
    P,
    all_of,
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
    phase,
    ruled,
    seated,
    told,
    waiting,
    whole_round,
    winners,
)
from tests.table.build import DEALER, MANAGER, SHIFT, SUPERVISOR, Play

from puntobanco.cards import Card, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.commands import HOUSE
from puntobanco.table.settings import Step
from puntobanco.table.state import Phase

UNTOUCHED = (10_000, 10_000, 10_000)
PAYING = LIVE[:2]
"""Steps of a table where the boxes are confirmed one by one."""
CARDS, CHIPS, BOXES = "5.20", "5.19", "1.27"
"""Cards, not what is shown or called; chips where they lie; and a round until all are settled."""


@pytest.fixture(autouse=True)
def _sound() -> Iterator[None]:
    """At the end of every test the table is the fold of its events: nothing recorded was changed."""
    yield from checked_tables()


def card(text: str) -> Card:
    return parse_cards(text)[0]


def correct_card(number: int, text: str, round: int = 0) -> r.CorrectCard:
    return r.CorrectCard(number, card(text), round)


# --- a card, before the settlement


def test_a_card_keyed_wrongly_takes_a_second_person() -> None:
    play = closed()
    play.do(c.SignOn(SECOND_DEALER, "dealer"), HOUSE)
    draw(play, "9hP 8cB KdP KsB")
    ruling = correct_card(2, "9c")
    assert told(play, c.Propose(ruling))[0] == "reason"  # say why
    assert told(play, c.Propose(ruling, 0, "misread"), "ann")[0] == "rank"
    proposed = only(play.do(c.Propose(ruling, 0, "misread"), DEALER), e.RulingProposed)
    assert (proposed.needs, proposed.paragraph) == ("dealer", CARDS)
    assert coup(play) == "P 9hKd B 8cKs"  # nothing before the approval
    assert told(play, c.Approve(proposed.number), DEALER)[0] == "second_person"
    assert told(play, c.Approve(proposed.number), "ann")[0] == "rank"
    events = play.do(c.Approve(proposed.number), SECOND_DEALER)
    corrected = only(events, e.CardCorrected)
    assert (corrected.round, corrected.number, corrected.reason) == (1, 2, "misread")
    assert (str(corrected.was), str(corrected.card)) == ("8c", "9c")
    assert told(play, c.Approve(proposed.number), SUPERVISOR)[0] == "unknown_request"
    assert coup(play) == "P 9hKd B 9cKs"
    # what was turned is still in the log as it was keyed
    assert [str(turned.card) for turned in all_of(play.events, e.CardTurned)] == ["9h", "8c", "Kd", "Ks"]
    settled = only(end(play), e.RoundSettled)
    assert lines(settled)["cho", "tie"] == ("won", 400)
    assert chips(play) == (9_990, 10_000, 10_400)
    assert winners(play) == ["tie"]


def test_with_the_right_card_another_may_be_due() -> None:
    play = closed()
    draw(play, "KhP 7cB 6dP KsB")
    assert current(play).finished
    play.rule(correct_card(3, "5d"), 0, "misread", SUPERVISOR)
    assert not play.table.incidents
    assert current(play).due is P
    draw(play, "3cP")
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)  # 8 to 7


def test_a_card_may_be_too_many_once_another_is_valued() -> None:
    play = closed(face_down=True)
    draw(play, "2hP 6cB KdP KsB")
    play.do(c.Draw(card("6h"), P))
    number = only(play.do(c.Turn(5, card("5h"))), e.IncidentOpened).number
    draw(play, "2dB")  # Banker draws on 6 to a 6, not to a 5
    missed = next(each.number for each in play.table.incidents.values() if each.family == "insurance_missed")
    assert not all_of(play.rule(r.ValueCard(5, card("5h")), number, "looked at", SUPERVISOR), e.IncidentOpened)
    opened = only(play.rule(r.PlayOn(), missed, by=MANAGER), e.IncidentOpened)  # once no other waits
    assert (opened.family, opened.paragraph, opened.cards) == ("excess_cards", "5.8", (6,))
    assert told(play, c.Settle(), DEALER) == ("flagged", "5.8")


def test_with_the_right_card_one_may_be_too_many_while_another_matter_waits() -> None:
    play = closed()
    draw(play, "2hP 6cB KdP KsB 6hP 2dB")
    jam = only(play.do(c.Report("shoe_fault", "it jammed")), e.IncidentOpened).number
    assert not all_of(play.rule(correct_card(5, "5h"), 0, "misread", SUPERVISOR), e.IncidentOpened)
    opened = only(play.do(c.Propose(r.PlayOn(), jam)), e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.cards) == ("excess_cards", "5.8", (6,))


def test_with_the_right_card_one_may_be_too_many() -> None:
    """Player 5 drew a 2, Banker 4 a 4. With 6 Player stands: the 2 is Banker's, the 4 is not due."""
    play = closed()
    draw(play, "KhP 4cB 5dP KsB 2cP 4hB")
    events = play.rule(correct_card(3, "6d"), 0, "misread", SUPERVISOR)
    opened = only(events, e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.cards) == ("excess_cards", "5.8", (6,))
    ruled(play, r.Reconstruct(), waiting(play).number, by=SUPERVISOR, paragraph="5.8")
    assert coup(play) == "P Kh6d B 4cKs2c"
    assert [str(drawn.card) for drawn in play.table.carried] == ["4h"]
    end(play)
    assert chips(play) == (9_990, 10_000, 10_400)


def test_with_the_right_card_one_may_lie_at_the_wrong_hand() -> None:
    """Player 5 drew a 9. With 6 Player stands, and the 9 is Banker's."""
    play = closed()
    draw(play, "KhP 4cB 5dP KsB 9cP")
    events = play.rule(correct_card(3, "6d"), 0, "misread", SUPERVISOR)
    opened = only(events, e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.cards) == ("wrong_side", "5.9.1", (5,))
    ruled(play, r.Reconstruct(), waiting(play).number, by=SUPERVISOR, paragraph="5.9.1")
    assert coup(play) == "P Kh6d B 4cKs9c"
    end(play)
    assert chips(play) == (10_090, 9_800, 9_950)  # 6 to 3


def test_insurance_is_offered_on_the_right_points() -> None:
    """Banker's 4 against 2 was on offer; with a 3 nothing fits, with a 6 another row does."""
    play = closed()
    draw(play, "2hP 4cB KdP KsB")
    assert current(play).window is not None
    play.rule(correct_card(2, "3c"), 0, "misread", SUPERVISOR)
    assert current(play).window is None
    play.rule(correct_card(2, "6c"), 0, "misread again", SUPERVISOR)
    window = current(play).window
    assert window is not None
    (offer,) = window.offers
    assert (offer.hand, offer.own, offer.other, str(offer.odds)) == (B, 6, 2, "5 to 2")


@pytest.mark.parametrize(("number", "text"), [(5, "9c"), (0, "9c"), (2, "8c")])
def test_only_a_card_that_is_out_and_another_than_it(number: int, text: str) -> None:
    play = closed()
    draw(play, "9hP 8cB KdP KsB")
    assert told(play, c.Propose(correct_card(number, text), 0, "misread"))[0] == "cards"


def test_a_card_nobody_knows_is_turned_and_not_corrected() -> None:
    play = closed()
    draw(play, "9hP ..B")
    assert told(play, c.Propose(correct_card(2, "8c"), 0, "misread"))[0] == "cards"


# --- a card, after the settlement


@pytest.mark.parametrize("when", ["paying", "between rounds", "after the next call", "two rounds later"])
def test_a_settled_round_is_settled_again_by_difference(when: str) -> None:
    play = seated(automated=PAYING if when == "paying" else LIVE)
    first = only(whole_round(play, "9h 8c Kd Ks"), e.RoundSettled)
    assert chips(play) == (10_090, 9_800, 9_950)
    later: list[str] = []
    if when in ("after the next call", "two rounds later"):
        bets_down(play, {"ann": {"player": 100}})
    if when == "two rounds later":
        play.close()
        draw(play, "9hP 8cB KdP KsB")
        end(play)
        later = ["player"]
        assert chips(play) == (10_190, 9_800, 9_950)
    held = layout(play)
    events = ruled(play, correct_card(2, "9c", 1), by=MANAGER, paragraph=CARDS, reason="the camera shows a 9")
    corrected, again = only(events, e.CardCorrected), only(events, e.RoundSettledAgain)
    assert (corrected.round, corrected.number, str(corrected.was), str(corrected.card)) == (1, 2, "8c", "9c")
    assert (again.number, again.coup, again.void) == (1, "P 9hKd B 9cKs", False)
    assert lines(again) == {
        ("ann", "player"): ("returned", 0),
        ("ann", "player_pair"): ("lost", -10),
        ("bob", "banker"): ("returned", 0),
        ("cho", "tie"): ("won", 400),
    }
    assert set(again.transfers) == {
        e.Transfer("chips:ann", "tray", 100_00),
        e.Transfer("tray", "chips:bob", 200_00),
        e.Transfer("tray", "chips:cho", 450_00),
    }
    ann = {"after the next call": 9_890, "two rounds later": 10_090}.get(when, 9_990)
    assert chips(play) == (ann, 10_000, 10_400)
    assert layout(play) == held
    assert winners(play) == ["tie", *later]
    settled = play.table.round if when == "paying" else play.table.past[0]
    assert settled is not None
    assert settled.lines == again.lines
    assert lines(first)["ann", "player"] == ("won", 100)  # what was recorded stays recorded
    if when == "paying":
        assert current(play).unconfirmed == {1, 2}


def test_the_next_round_waits_for_what_is_said_of_a_card() -> None:
    """What was seen before the next call is not found late because the approval comes after it."""
    play = seated()
    whole_round(play, "4h 2c Kd 5s 6h")
    proposed = only(play.do(c.Propose(correct_card(1, "9h", 1), 0, "misread"), DEALER), e.RulingProposed)
    assert told(play, c.Call()) == ("flagged", BOXES)
    declined = Play(play.table, tuple(play.entries), play.now)
    declined.do(c.Decline(proposed.number), DEALER)
    declined.call()
    events = play.do(c.Approve(proposed.number), MANAGER)
    opened = only(events, e.IncidentOpened)
    assert (opened.family, opened.blocks) == ("wrong_round", True)
    ruled(play, r.Rectify(), opened.number, by=SUPERVISOR, paragraph=opened.paragraph)
    assert [str(drawn.card) for drawn in play.table.carried] == ["6h"]  # the natural ends the round


def mistyped() -> Play:
    """Ann has 10,000 and 1,000 lie there: 13,000 were keyed, so that 3,000 came in from the floor."""
    play = closed({"bob": {"banker": 200}})
    came = only(play.do(c.FindBet("ann", 1, "player", 13_000_00), DEALER), e.MoneyMoved)
    assert (came.kind, came.amount, came.round) == ("chips_in", 3_000_00, 1)
    return play


def test_chips_that_only_a_slip_brought_in_go_out_again() -> None:
    play = mistyped()
    events = given(play, r.CorrectBet("ann", 1, "player", 1_000_00), 0, paragraph=CHIPS, reason="a nought too many")
    out = only(events, e.MoneyMoved)
    assert (out.kind, out.via, out.amount) == ("chips_out", "found", 3_000_00)
    assert out.transfers == (e.Transfer("chips:ann", "floor", 3_000_00),)
    assert play.table.stack("ann") == 9_000_00
    events = given(play, r.CorrectBet("ann", 1, "player", 900_00), 0, paragraph=CHIPS, reason="once more")
    assert not all_of(events, e.MoneyMoved)  # all of them are gone
    events = given(play, r.CorrectBet("ann", 1, "player", 10_500_00), 0, paragraph=CHIPS, reason="no, that was right")
    assert only(events, e.MoneyMoved).amount == 500_00
    draw(play, "9hP 8cB KdP KsB")
    play.rule(r.SetStake("ann", 1, "player", 10_500_00), waiting(play).number, "as it lies", SHIFT)
    end(play)
    assert play.table.stack("ann") == 21_000_00


def test_chips_of_a_slip_that_were_carried_away_are_owed() -> None:
    play = mistyped()
    play.rule(r.SetStake("ann", 1, "player", 13_000_00), waiting(play).number, "as it lies", SHIFT)
    draw(play, "9hP 8cB KdP KsB")
    end(play)
    play.do(c.ChipsOut("ann", 25_000_00), DEALER)  # of 26,000
    bet = r.CorrectBet("ann", 1, "player", 1_000_00, round=1)
    events = ruled(play, bet, by=MANAGER, paragraph=CHIPS, reason="a nought too many")
    # 12,000 too much were paid, of which she has 1,000; and 3,000 were never hers
    assert only(events, e.MoneyMoved).transfers == (
        e.Transfer("owed:ann", "receivables", 3_000_00),
        e.Transfer("tray", "floor", 3_000_00),
    )
    assert (play.table.stack("ann"), play.table.balances["owed:ann"]) == (0, -14_000_00)
    assert [matter.person for matter in play.table.incidents.values()] == ["ann"]


def test_the_same_correction_twice_is_none() -> None:
    play = seated()
    whole_round(play, "9h 8c Kd Ks")
    ruled(play, correct_card(2, "9c", 1), by=MANAGER, paragraph=CARDS, reason="misread")
    assert told(play, c.Propose(correct_card(2, "9c", 1), 0, "misread"))[0] == "cards"
    ruled(play, correct_card(2, "8c", 1), by=MANAGER, paragraph=CARDS, reason="it was an 8 after all")
    assert chips(play) == (10_090, 9_800, 9_950)
    assert winners(play) == ["player"]


def test_what_cannot_be_collected_is_owed() -> None:
    play = seated()
    whole_round(play, "9h 8c Kd Ks")
    play.do(c.ChipsOut("ann", 10_060_00), DEALER)
    ruled(play, correct_card(2, "9c", 1), by=MANAGER, paragraph=CARDS, reason="misread")
    assert (play.table.stack("ann"), play.table.balances["owed:ann"]) == (0, -70_00)
    (debt,) = play.table.incidents.values()
    assert (debt.family, debt.person, debt.blocks) == ("debt", "ann", False)


@pytest.mark.parametrize("late", [False, True])
def test_a_settled_round_that_turns_out_misdealt_opens_an_incident(late: bool) -> None:
    """With 5 and not 6 Player was due a card: in time it is drawn, later the round is void."""
    play = seated()
    whole_round(play, "Kh 7c 6d Ks")
    assert chips(play) == (9_890, 10_200, 9_950)
    if late:
        play.call()
    events = ruled(play, correct_card(3, "5d", 1), by=MANAGER, paragraph=CARDS, reason="misread")
    opened = only(events, e.IncidentOpened)
    assert (opened.round, opened.true_cards) == (1, parse_cards("Kh 7c 5d Ks"))
    assert not all_of(events, e.RoundSettledAgain)
    assert chips(play) == (9_890, 10_200, 9_950)  # nothing before a ruling on that
    if late:
        assert (opened.paragraph, opened.blocks) == ("5.15", False)
        ruled(play, r.VoidRound(), opened.number, by=SUPERVISOR, paragraph="5.15.1", reason="no third card")
        assert chips(play) == (9_990, 10_000, 10_000)
        assert winners(play) == []
    else:
        assert waiting(play).number == opened.number
        play.rule(r.Rectify(), opened.number, "", SUPERVISOR)
        play.rule(r.OfferLate(), waiting(play).number, by=MANAGER)  # insurance before that card was passed over (5.17)
        play.do(c.CloseInsurance(), DEALER)
        draw(play, "3cP")
        end(play)
        assert chips(play) == (10_090, 9_800, 9_950)
        assert winners(play) == ["player"]


def test_a_settled_round_with_a_card_too_many_opens_an_incident() -> None:
    play = seated()
    whole_round(play, "Kh 4c 5d Ks 2c 4h")
    events = ruled(play, correct_card(3, "6d", 1), by=MANAGER, paragraph=CARDS, reason="misread")
    opened = only(events, e.IncidentOpened)
    assert (opened.paragraph, opened.blocks) == ("5.8", True)
    play.rule(r.Rectify(), opened.number, "", SUPERVISOR)
    assert chips(play) == (9_990, 10_000, 10_400)
    assert [str(drawn.card) for drawn in play.table.carried] == ["4h"]


def test_rounds_that_have_no_result_are_not_corrected() -> None:
    play = closed()
    draw(play, "9hP 8cB")
    play.void("a fire alarm")
    assert told(play, c.Propose(correct_card(1, "8h", 1), 0, "misread"))[0] == "no_round"
    assert told(play, c.Propose(correct_card(1, "8h", 7), 0, "misread"))[0] == "no_round"


# --- bets, before the settlement


def correct_bet(play: Play, ruling: r.CorrectBet) -> e.BetCorrected:
    """The dealer's own to correct."""
    return only(given(play, ruling, 0, paragraph=CHIPS, reason="miskeyed"), e.BetCorrected)


def stakes(play: Play) -> dict[tuple[str, int, str], int]:
    return {key: wager.stake // 100 for key, wager in current(play).wagers.items()}


@pytest.mark.parametrize("close", [False, True])
@pytest.mark.parametrize("amount", [40, 150])
def test_a_bet_keyed_wrongly(amount: int, close: bool) -> None:
    play = seated()
    bets_down(play)
    if close:
        play.close()
    assert told(play, c.Propose(r.CorrectBet("ann", 1, "player", 150_00)))[0] == "reason"  # say why
    assert told(play, c.Propose(r.CorrectBet("ann", 1, "player", 100_00), 0, "the same"))[0] == "bad_amount"
    corrected = correct_bet(play, r.CorrectBet("ann", 1, "player", amount * 100))
    assert (corrected.was, corrected.stake, corrected.reason) == (100_00, amount * 100, "miskeyed")
    assert stakes(play)["ann", 1, "player"] == amount
    assert (chips(play)[0], layout(play)[0]) == (9_990 - amount, amount + 10)
    assert current(play).on_player == amount * 100
    if not close:
        play.close()
    draw(play, "9hP 8cB KdP KsB")
    end(play)
    assert chips(play) == (9_990 + amount, 9_800, 9_950)


def test_a_bet_that_was_not_there_and_one_that_was_not_keyed() -> None:
    play = closed()
    gone = correct_bet(play, r.CorrectBet("bob", 2, "banker", 0))
    assert (gone.was, gone.stake) == (200_00, 0)
    there = correct_bet(play, r.CorrectBet("cho", 1, "banker", 30_00))
    assert (there.was, there.stake) == (0, 30_00)
    assert stakes(play) == {("ann", 1, "player"): 100, ("ann", 1, "player_pair"): 10, ("cho", 1, "tie"): 50} | {
        ("cho", 1, "banker"): 30
    }
    assert (chips(play), layout(play)) == ((9_890, 10_000, 9_920), (110, 0, 80))
    draw(play, "9hP 8cB KdP KsB")
    end(play)
    assert chips(play) == (10_090, 10_000, 9_920)


def test_a_bet_keyed_in_the_wrong_box_or_on_the_wrong_bet() -> None:
    play = closed()
    moved = correct_bet(play, r.CorrectBet("ann", 1, "player", 100_00, to_box=2))
    assert (moved.box, moved.to_box, moved.was, moved.stake) == (1, 2, 100_00, 100_00)
    other = correct_bet(play, r.CorrectBet("bob", 2, "banker", 200_00, to_bet="player"))
    assert (other.bet, other.to_bet) == ("banker", "player")
    assert stakes(play) == {
        ("ann", 2, "player"): 100,
        ("ann", 1, "player_pair"): 10,
        ("bob", 2, "player"): 200,
        ("cho", 1, "tie"): 50,
    }
    assert (current(play).on_player, current(play).on_banker) == (300_00, 0)
    assert layout(play) == (110, 200, 50)
    draw(play, "9hP 8cB KdP KsB")
    settled = only(end(play), e.RoundSettled)
    assert [(line.person, line.box, line.bet) for line in settled.lines if line.bet == "player"] == [
        ("ann", 2, "player"),
        ("bob", 2, "player"),
    ]
    assert chips(play) == (10_090, 10_200, 9_950)


def test_a_bet_corrected_onto_another_is_added_to_it() -> None:
    play = closed({"ann": {"player": 100, "banker": 50}})
    correct_bet(play, r.CorrectBet("ann", 1, "banker", 50_00, to_bet="player"))
    assert stakes(play) == {("ann", 1, "player"): 150}
    assert layout(play)[0] == 150


def test_chips_that_the_record_did_not_know_come_from_the_floor() -> None:
    play = seated()
    play.do(c.ChipsOut("cho", 9_940_00), DEALER)  # 60 are left
    bets_down(play)
    play.close()
    corrected = r.CorrectBet("cho", 1, "tie", 100_00)
    events = given(play, corrected, 0, paragraph=CHIPS, reason="miskeyed")
    came = only(events, e.MoneyMoved)
    assert (came.kind, came.person, came.amount) == ("chips_in", "cho", 40_00)
    assert (play.table.stack("cho"), layout(play)[2]) == (0, 100)


def test_before_the_close_limits_are_flagged_as_ever() -> None:
    play = seated()
    bets_down(play)
    events = given(play, r.CorrectBet("ann", 1, "player", 1_00), 0, paragraph=CHIPS, reason="miskeyed")
    assert only(events, e.Flagged).flag == "below_minimum"
    events = given(play, r.CorrectBet("ann", 1, "player", 100_00), 0, paragraph=CHIPS, reason="miskeyed")
    assert only(events, e.FlagCleared).flag == "below_minimum"


@pytest.mark.parametrize(
    ("ruling", "code"),
    [
        (r.CorrectBet("ann", 1, "player", -5_00), "bad_amount"),
        (r.CorrectBet("ann", 1, "player", 100_00, to_box=9), "box"),
        (r.CorrectBet("ann", 1, "player", 100_00, to_bet="wu_dalang"), "unknown_bet"),
        (r.CorrectBet("dan", 1, "player", 100_00), "unknown_person"),
    ],
)
def test_corrections_that_cannot_be(ruling: r.CorrectBet, code: str) -> None:
    play = closed()
    assert told(play, c.Propose(ruling, 0, "miskeyed"))[0] == code


# --- bets, after the settlement


@pytest.mark.parametrize(
    ("ruling", "after"),
    [
        (r.CorrectBet("ann", 1, "player", 150_00, round=1), (10_140, 9_800, 9_950)),  # won 50 more
        (r.CorrectBet("ann", 1, "player", 0, round=1), (9_990, 9_800, 9_950)),  # there was no bet to win
        (r.CorrectBet("bob", 2, "banker", 300_00, round=1), (10_090, 9_700, 9_950)),  # lost 100 more
        (r.CorrectBet("bob", 2, "banker", 200_00, to_bet="player", round=1), (10_090, 10_200, 9_950)),
        (r.CorrectBet("bob", 2, "banker", 200_00, to_box=1, round=1), (10_090, 9_800, 9_950)),  # no money in that
        (r.CorrectBet("cho", 1, "small_buffalo", 10_00, round=1), (10_090, 9_800, 9_940)),  # one that was not keyed
    ],
)
@pytest.mark.parametrize("next_called", [False, True])
def test_a_bet_of_a_settled_round(ruling: r.CorrectBet, after: tuple[int, ...], next_called: bool) -> None:
    play = seated()
    whole_round(play, "9h 8c Kd Ks")
    assert chips(play) == (10_090, 9_800, 9_950)
    if next_called:
        play.call()
    events = ruled(play, ruling, by=MANAGER, paragraph=CHIPS, reason="as on camera")
    corrected, again = only(events, e.BetCorrected), only(events, e.RoundSettledAgain)
    assert (corrected.round, corrected.stake, corrected.transfers) == (1, ruling.stake, ())
    assert again.number == 1
    assert chips(play) == after
    assert play.table.past[0].lines == again.lines
    found = {(line.person, line.box, line.bet): line.stake for line in again.lines}
    key = (ruling.person, ruling.to_box or ruling.box, ruling.to_bet or ruling.bet)
    assert found.get(key, 0) == ruling.stake
    assert winners(play) == ["player"]


def test_a_corrected_bet_is_to_be_confirmed_again_while_boxes_are_open() -> None:
    play = seated(automated=PAYING)
    whole_round(play, "9h 8c Kd Ks")
    play.do(c.Confirm(1), DEALER)
    ruled(play, r.CorrectBet("ann", 1, "player", 150_00), by=MANAGER, paragraph=CHIPS, reason="as on camera")
    assert 1 in current(play).unconfirmed
    assert told(play, c.Call())[0] == "confirmations"
    for box in sorted(current(play).unconfirmed):
        play.do(c.Confirm(box), DEALER)
    assert phase(play) is Phase.IDLE
    assert chips(play) == (10_140, 9_800, 9_950)


# --- the call and the confirmations


def test_a_call_keyed_wrongly() -> None:
    play = closed(automated=(Step.OFFER,))
    draw(play, "9hP 8cB KdP KsB")
    assert told(play, c.Propose(r.CorrectCall("player"), 0, "miskeyed"))[0] == "not_finished"  # nothing was called yet
    play.do(c.Announce("banker"), DEALER)
    assert current(play).called == "banker"
    assert told(play, c.Propose(r.CorrectCall("banker"), 0, "miskeyed"))[0] == "already_there"
    corrected = only(given(play, r.CorrectCall("player"), 0, paragraph=CARDS, reason="miskeyed"), e.CallCorrected)
    assert (corrected.was, corrected.result, corrected.reason) == ("banker", "player", "miskeyed")
    assert current(play).called == "player"
    assert only(tuple(play.events), e.ResultAnnounced).called == "banker"
    play.finish()
    assert chips(play) == (10_090, 9_800, 9_950)


def test_a_call_of_a_settled_round_is_a_pit_managers() -> None:
    play = closed(automated=PAYING)
    draw(play, "9hP 8cB KdP KsB")
    play.do(c.Announce("tie"), DEALER)
    assert phase(play) is Phase.PAYING
    events = ruled(play, r.CorrectCall("player"), by=MANAGER, paragraph=CARDS, reason="miskeyed")
    assert only(events, e.CallCorrected).was == "tie"
    assert chips(play) == (10_090, 9_800, 9_950)


@pytest.mark.parametrize(("stake", "first"), [(50_00, [1]), (0, [])])
def test_boxes_that_wait_still_wait_when_another_bet_is_corrected(stake: int, first: list[int]) -> None:
    """A round is over when all bets are taken and paid (1.27), Bob's too."""
    play = seated(automated=PAYING)
    bets_down(play, {"ann": {"player": 100}, "bob": {"banker": 200}, "cho": {"tie": 50}})
    play.close()
    draw(play, "9hP 8cB KdP KsB")
    play.do(c.Announce("player"), DEALER)
    assert current(play).unconfirmed == {1, 2}
    ruled(play, r.CorrectBet("ann", 1, "player", stake), by=MANAGER, paragraph=CHIPS, reason="miskeyed")
    ruled(play, r.CorrectBet("cho", 1, "tie", 0), by=MANAGER, paragraph=CHIPS, reason="miskeyed")
    assert sorted(current(play).unconfirmed) == [*first, 2]
    for box in (*first, 2):
        assert phase(play) is Phase.PAYING
        play.do(c.Confirm(box), DEALER)
    assert phase(play) is Phase.IDLE


def test_a_box_confirmed_by_mistake() -> None:
    play = seated(automated=PAYING)
    whole_round(play, "9h 8c Kd Ks")
    assert told(play, c.Propose(r.CorrectPayout(1), 0, "too early"))[0] == "confirmations"  # not confirmed yet
    play.do(c.Confirm(1), DEALER)
    assert told(play, c.Propose(r.CorrectPayout(1)))[0] == "reason"  # say why
    assert told(play, c.Propose(r.CorrectPayout(3), 0, "too early"))[0] == "confirmations"  # nothing was there
    corrected = only(given(play, r.CorrectPayout(1), 0, paragraph=BOXES, reason="too early"), e.ConfirmationCorrected)
    assert (corrected.box, corrected.reason) == (1, "too early")
    assert current(play).unconfirmed == {1, 2}
    play.do(c.Confirm(2), DEALER)
    assert told(play, c.Call())[0] == "confirmations"
    play.do(c.Confirm(1), DEALER)
    assert phase(play) is Phase.IDLE


# --- rulings in general


def test_nobody_is_asked_twice_for_the_same() -> None:
    play = closed()
    draw(play, "9hP 8cB KdP KsB")
    play.do(c.Propose(correct_card(2, "9c"), 0, "misread"), DEALER)
    assert told(play, c.Propose(correct_card(2, "9c"), 0, "misread"))[0] == "already_there"


def test_who_may_approve_is_asked_of_the_table_as_it_is_now() -> None:
    """Before the settlement, which waits for it, it needs any second person; after it, a Pit Manager."""
    play = closed()
    draw(play, "9hP 8cB KdP KsB")
    proposed = only(play.do(c.Propose(correct_card(2, "9c", 1), 0, "misread"), DEALER), e.RulingProposed)
    assert proposed.needs == "dealer"
    assert not all_of(play.do(c.Announce("player"), DEALER), e.RoundSettled)
    assert all_of(play.do(c.Decline(proposed.number, "read rightly"), DEALER), e.RoundSettled)
    proposed = only(play.do(c.Propose(correct_card(2, "9c", 1), 0, "misread"), DEALER), e.RulingProposed)
    assert told(play, c.Approve(proposed.number), SUPERVISOR)[0] == "rank"
    play.do(c.Approve(proposed.number), MANAGER)
    assert chips(play) == (9_990, 10_000, 10_400)


def test_a_correction_proposed_for_a_round_does_not_land_in_the_next() -> None:
    """Without a number it is about the round in progress, which was another when it was proposed."""
    play = seated(automated=PAYING)
    whole_round(play, "9h 8c Kd Ks")
    bet = r.CorrectBet("ann", 1, "player", 50_00)
    proposed = only(play.do(c.Propose(bet, 0, "miskeyed"), DEALER), e.RulingProposed)
    for box in (1, 2):
        play.do(c.Confirm(box), DEALER)
    bets_down(play, {"ann": {"player": 100}})
    play.close()
    draw(play, "9hP 8cB KdP KsB")
    before = current(play)
    again = only(play.do(c.Approve(proposed.number), MANAGER), e.RoundSettledAgain)
    assert (again.number, lines(again)["ann", "player"]) == (1, ("won", 50))
    assert current(play) == before


def test_a_card_left_over_that_the_next_round_was_dealt_is_counted_once() -> None:
    """Amended, the round before wants that card itself: then another one left the shoe for the round that has it."""
    play = closed({"bob": {"banker": 200}})
    draw(play, "3dP 6sB 4sP ThB")
    draw(play, "4dB")  # on 6 Banker stands: it is left over
    ruled(play, r.Reconstruct(), waiting(play).number, by=SUPERVISOR, paragraph="5.8")
    end(play)
    assert len(play.table.carried) == 1
    bets_down(play, {"bob": {"banker": 200}})
    play.close()
    assert [drawn.card for drawn in current(play).cards] == list(parse_cards("4d"))
    play.rule(r.CorrectCard(2, parse_cards("5h")[0], 1), reason="a five", by=MANAGER)
    table = play.table
    assert table.shoe.drawn == table.shoe.discards + len(current(play).cards) + len(table.carried)


def test_what_an_order_comes_to_is_not_said_when_it_is_proposed() -> None:
    play = closed()
    draw(play, "9hP 8cB")
    foretold = c.Propose(r.CorrectOrder((2, 1), became=(card("8c"), card("9h"))), reason="keyed the other way round")
    assert play.refused(foretold).detail == "bad_amount.order"
