"""Chips that nobody asked for, chips too late, players who walk away, cards at fault: what the books' own tests leave.

What each book says of it stands in ``tests/rules``; here are the engine's own sides of it: flags, money, scopes, order.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, Play, open_table

from puntobanco.cards import Side, parse_cards
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About, about_bet
from puntobanco.table.commands import HOUSE
from puntobanco.table.rulings import CorrectBet, SetStake
from puntobanco.table.settings import BetLimits, Differential, Step
from puntobanco.table.state import FlagKey, Phase

PLAYER_WINS, BANKER_WINS = "9h 8c Kd Ks", "8h 9c Kd Ks"
QUICK = (Step.OFFER, Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM)
LAYOUTS = {"super-six": ("A", 9), "dragon-tiger-commission": ("A4", 5)}


def called(game: str = "tiger-buffalo", **changes: Any) -> Play:
    """Ann and Bob seated, Cho standing behind Ann, 10,000 each; bets from 25 to 2,000, called for."""
    layout, positions = LAYOUTS.get(game, ("A", 6))
    base: dict[str, Any] = {
        "game": game,
        "layout": layout,
        "positions": positions,
        "limits": BetLimits(25_00, 2_000_00, 5_00),
    }
    play = open_table(**base | {"automated": QUICK} | changes)
    play.sit("ann", 1)
    play.sit("bob", 2)
    play.sit("cho", 1, seated=False)
    play.shoe()
    play.call()
    return play


def find(play: Play, person: str, bet: str, amount: int, box: int = 0) -> tuple[e.Event, ...]:
    return play.do(c.FindBet(person, box or play.table.people[person].box, bet, amount * 100))


def flags(play: Play) -> set[FlagKey]:
    return set(play.table.flags)


def phase(play: Play) -> Phase:
    return play.table.phase


def window(play: Play) -> bool:
    """Whether insurance is on offer."""
    return play.table.round is not None and play.table.round.window is not None


def stand_of(play: Play) -> e.StakesStand:
    (found,) = (event for event in play.events if isinstance(event, e.StakesStand))
    return found


def stakes(play: Play) -> dict[tuple[str, str], int]:
    (settled,) = (event for event in play.events if isinstance(event, e.RoundSettled))
    return {(line.person, line.bet): line.stake for line in settled.lines}


# --- noticed before the close


def test_above_the_maximum_noticed_in_time() -> None:
    play = called()
    find(play, "ann", "player", 2_500)
    assert play.table.flags == {("above_maximum", about_bet("ann", 1, "player")): "3.5"}
    play.do(c.Withdraw("ann", 1, "player", 400_00), "ann")
    assert flags(play) == {("above_maximum", about_bet("ann", 1, "player"))}  # still 2,100
    play.do(c.Withdraw("ann", 1, "player", 100_00), "ann")
    assert flags(play) == set()
    find(play, "ann", "player", 300)
    events = play.do(c.Close())
    back = [event for event in events if isinstance(event, e.WagerReduced)]
    assert [(event.amount, event.why, event.paragraph) for event in back] == [(300_00, "above_maximum", "3.5")]
    assert play.table.balances["layout:ann"] == 2_000_00
    assert flags(play) == set()


def test_a_small_bet_that_goes_back_may_leave_the_other_side_too_heavy() -> None:
    play = called(differential=Differential(1_000_00))
    find(play, "ann", "player", 20)
    play.bet("bob", {"banker": 1_020_00})
    assert flags(play) == {("below_minimum", about_bet("ann", 1, "player"))}
    reduced = [event for event in play.do(c.Close()) if isinstance(event, e.WagerReduced)]
    assert [(event.person, event.amount, event.why) for event in reduced] == [
        ("ann", 20_00, "below_minimum"),
        ("bob", 20_00, "rejected"),
    ]


def test_chips_beyond_the_stack_come_from_the_floor() -> None:
    play = called(limits=BetLimits(25_00, None, 5_00))
    came, flagged, found = find(play, "ann", "player", 12_000)
    transfers = (e.Transfer("floor", "chips:ann", 2_000_00),)
    assert came == e.MoneyMoved("chips_in", "ann", 2_000_00, transfers, "found", round=1)
    assert flagged == e.Flagged("chips_unrecorded", About.of("chips", person="ann", amount=2_000_00), "5.19")
    assert isinstance(found, e.BetFound)
    assert found.transfers == (e.Transfer("chips:ann", "layout:ann", 12_000_00),)
    assert play.table.stack("ann") == 0
    (other,) = find(play, "bob", "player", 100)
    assert isinstance(other, e.BetFound)
    assert other.transfers == (e.Transfer("chips:bob", "layout:bob", 100_00),)


def test_what_cannot_be_found() -> None:
    play = called()
    for body, code in (
        (c.FindBet("zoe", 1, "player", 100_00), "unknown_person"),
        (c.FindBet("ann", 9, "player", 100_00), "box"),
        (c.FindBet("ann", 1, "wu_dalang", 100_00), "unknown_bet"),
        (c.FindBet("ann", 1, "player", 0), "bad_amount"),
    ):
        assert play.refused(body).code == code
    play.close()
    play.deal(PLAYER_WINS)
    assert [type(event) for event in play.do(c.FindBet("ann", 1, "player", 100_00))] == [e.LateChipsRefused]


# --- not noticed


def test_by_box_each_is_scaled_alone() -> None:
    play = called(differential=Differential(1_000_00, "box"))
    play.bet("ann", {"banker": 800_00})
    play.bet("bob", {"banker": 900_00})
    play.close()
    find(play, "cho", "banker", 1_200)
    play.deal(PLAYER_WINS)
    assert stakes(play) == {("ann", "banker"): 400_00, ("cho", "banker"): 600_00, ("bob", "banker"): 900_00}


def test_exact_shares_round_down_and_the_rest_goes_back() -> None:
    play = called(differential=Differential(1_000_00))
    play.bet("ann", {"player": 500_00})
    play.close()
    find(play, "bob", "player", 500)
    find(play, "cho", "player", 500)
    play.deal(BANKER_WINS)
    assert set(stakes(play).values()) == {333_33}
    assert [cut.amount for cut in stand_of(play).cuts] == [166_67] * 3
    assert play.table.stack("ann") == 10_000_00 - 333_33


@pytest.mark.parametrize("when", [None, Window.FOUR_CARDS, Window.PLAYER_THIRD])
def test_chips_for_insurance_found_while_bets_are_open_go_back(when: Window | None) -> None:
    """There is nothing to insure yet; that they lay there is recorded all the same (reading A)."""
    play = called()
    stack = play.table.stack("ann")
    (refused,) = play.do(c.FindBet("ann", 1, "player_insurance", 50_00, window=when))
    insured = play.table.book.insurance
    assert insured is not None
    assert refused == e.LateChipsRefused("ann", 1, "player_insurance", 50_00, "placed", insured.paragraph)
    assert play.table.stack("ann") == stack
    assert phase(play) is Phase.BETTING


def test_insurance_is_capped_by_what_stands() -> None:
    play = called(differential=Differential(1_000_00))
    play.bet("ann", {"banker": 1_000_00})
    play.close()
    find(play, "bob", "banker", 1_000)
    play.deal("2h 4c Kd Ks")
    refusal = play.refused(c.Insure("ann", 1, Side.BANKER, 505_00), "ann")
    assert (refusal.code, refusal.fits) == ("insurance_cap", 500_00)
    play.do(c.Insure("ann", 1, Side.BANKER, 500_00), "ann")
    play.do(c.PassInsurance("bob"), "bob")
    play.deal("As")  # Player 3; Banker on 4 stands and wins
    assert stakes(play) == {
        ("ann", "banker"): 500_00,
        ("bob", "banker"): 500_00,
        ("ann", "banker_insurance"): 500_00,
    }


def test_super_six_settles_facts_in_full() -> None:
    play = called("super-six", differential=Differential(1_000_00))
    find(play, "ann", "player", 10)
    assert flags(play) == set()
    play.close()
    find(play, "bob", "banker", 5_000)
    play.deal(PLAYER_WINS)
    assert stakes(play) == {("ann", "player"): 10_00, ("bob", "banker"): 5_000_00}
    assert (stand_of(play).cuts, stand_of(play).paragraph) == ((), "3.2")


# --- a ruling


@pytest.mark.parametrize(
    ("game", "paragraph"), [("da-hu-ying-xiong", "5.17"), ("rws-baccarat", "5.17"), ("tiger-buffalo", "5.23")]
)
@pytest.mark.parametrize("stands", [0, 2_000, 2_500])
def test_above_the_maximum_not_noticed_waits_for_a_ruling(game: str, paragraph: str, stands: int) -> None:
    play = called(game)
    play.close()
    find(play, "ann", "player", 2_500)
    (incident,) = play.table.incidents.values()
    assert (incident.family, incident.about) == ("above_maximum", about_bet("ann", 1, "player"))
    assert incident.paragraph == paragraph
    assert play.refused(c.Deal(parse_cards("9h"))).code == "flagged"
    ruling = SetStake("ann", 1, "player", stands * 100)
    assert play.refused(c.Propose(SetStake("ann", 1, "player", 2_505_00), 1, "why")).code == "bad_amount"
    assert play.refused(c.Propose(SetStake("ann", 1, "player", 0), 1, " ")).code == "reason"
    assert play.refused(c.Propose(SetStake("ann", 1, "banker", 0), 1, "why")).code == "no_wager"
    assert play.refused(c.Propose(ruling, 0, "why")).code == "ruling"
    play.do(c.Propose(ruling, 1, "the sign was covered"), HOUSE)
    assert play.refused(c.Approve(1), MANAGER).code == "rank"
    assert play.refused(c.Approve(1), HOUSE).code == "second_person"
    given, ruled, closed = play.do(c.Approve(1), SHIFT)
    assert isinstance(given, e.RulingGiven)
    assert (given.by, given.approved_by, given.paragraph) == (HOUSE, SHIFT, paragraph)
    assert isinstance(ruled, e.StakeRuled)
    assert (ruled.stands, ruled.paragraph, ruled.reason) == (stands * 100, paragraph, "the sign was covered")
    assert closed == e.IncidentClosed(1)
    play.deal(PLAYER_WINS)
    assert play.table.stack("ann") == 10_000_00 + stands * 100


def test_the_settlement_waits_for_the_ruling_too() -> None:
    play = called(automated=(Step.ANNOUNCE, Step.SETTLE))
    play.close()
    play.deal("9h 8c Kd")
    play.do(c.Draw(None, Side.BANKER))
    find(play, "ann", "player", 2_500)
    play.do(c.Turn(4, parse_cards("Ks")[0]))
    assert phase(play) is Phase.DEALING
    play.rule(SetStake("ann", 1, "player", 2_000_00), 1, "up to the maximum", SHIFT)
    assert phase(play) is Phase.PAYING  # and now it goes on by itself
    assert stakes(play) == {("ann", "player"): 2_000_00}


def over_the_maximum(**changes: Any) -> Play:
    """Ann's bet and Bob's, each found at 500 over the maximum after the close; both wait for a ruling."""
    play = called(**changes)
    play.close()
    find(play, "ann", "player", 2_500)
    find(play, "bob", "banker", 2_500)
    assert set(play.table.incidents) == {1, 2}
    return play


def test_bets_open_again_are_put_right_before_the_close_and_wait_for_no_ruling() -> None:
    play = over_the_maximum()
    events = play.do(c.ReportInterruption("power cut", lost=False))
    assert [event for event in events if isinstance(event, e.IncidentClosed)] == list(map(e.IncidentClosed, (1, 2)))
    assert flags(play) >= {
        ("above_maximum", about_bet("ann", 1, "player")),
        ("above_maximum", about_bet("bob", 2, "banker")),
    }
    play.do(c.Withdraw("bob", 2, "banker"), "bob")
    play.close()
    play.deal(PLAYER_WINS)
    assert stakes(play) == {("ann", "player"): 2_000_00}


@pytest.mark.parametrize(("stake", "waits"), [(0, False), (2_000_00, False), (2_000_01, True)])
def test_a_bet_that_turns_out_within_the_maximum_waits_for_no_ruling(stake: int, waits: bool) -> None:
    play = over_the_maximum()
    play.rule(CorrectBet("ann", 1, "player", stake), 0, "counted again")
    assert (1 in play.table.incidents, 2 in play.table.incidents) == (waits, True)


def test_a_bet_withdrawn_after_the_cut_card_waits_for_no_ruling() -> None:
    play = called(high_limit=True)
    play.bet("bob", {"banker": 100_00})
    play.do(c.CutCard())
    play.close()
    find(play, "ann", "player", 2_500)
    play.do(c.Withdraw("ann", 1, "player", 400_00), "ann")
    assert play.table.incidents
    play.do(c.Withdraw("ann", 1, "player", 100_00), "ann")
    assert not play.table.incidents
    play.deal(PLAYER_WINS)
    assert play.table.stack("ann") == 12_000_00


# --- walking away


def test_a_window_does_not_wait_for_who_is_gone() -> None:
    play = called()
    play.bet("ann", {"banker": 100_00})
    play.close()
    play.deal("2h 4c Kd Ks")
    assert play.refused(c.Deal(parse_cards("As"))).code == "insurance_open"
    play.do(c.WalkAway("ann"))
    play.do(c.Deal(parse_cards("As")))
    assert play.table.stack("ann") == 10_100_00


def test_all_absent_means_no_offer() -> None:
    play = called()
    play.bet("ann", {"banker": 100_00})
    play.do(c.WalkAway("ann"))
    play.close()
    play.deal("2h 4c Kd Ks As")
    assert play.table.round is None
    assert not [event for event in play.events if isinstance(event, e.InsuranceOffered)]


def test_forgone_by_the_window_who_is_back_is_asked_again() -> None:
    play = called(forgo="window")
    play.bet("ann", {"banker": 100_00})
    play.close()
    play.do(c.WalkAway("ann"))
    play.deal("5h 6c Kd Ks")
    play.do(c.ComeBack("ann"), "ann")
    assert window(play)


def test_who_can_walk_away_and_come_back() -> None:
    play = called()
    play.do(c.WalkAway("ann"))  # with nothing on the layout
    play.do(c.ComeBack("ann"), "ann")
    play.bet("ann", {"player": 100_00})
    play.do(c.WalkAway("ann"))
    assert play.refused(c.ComeBack("bob"), "bob").code == "unknown_person"
    assert play.refused(c.ComeBack("ann"), "bob").code == "not_yours"
    play.close()
    play.deal(PLAYER_WINS)
    assert play.table.absent == {"ann"}
    play.do(c.Leave("ann"))
    assert play.table.absent == set()


# --- cards at fault


@pytest.mark.parametrize("fault", ["wrong_card_set", "unshuffled"])
def test_super_six_names_no_fault_but_a_foreign_card(fault: Any) -> None:
    play = called("super-six")
    play.bet("ann", {"player": 100_00})
    play.close()
    play.deal("9h 8c")
    play.do(c.ReportCards(fault, "counted"))
    (incident,) = play.table.incidents.values()
    assert (incident.family, incident.about) == ("cards_at_fault", "counted")
    assert play.refused(c.Deal(parse_cards("Kd"))).code == "flagged"
    events = play.void("not shuffled", SHIFT)
    assert any(isinstance(event, e.ShoeEnded) for event in events)
    assert play.table.stack("ann") == 10_000_00


def test_a_fault_is_told_once_and_in_words() -> None:
    play = called("super-six")
    assert play.refused(c.ReportCards("unshuffled", " ")).code == "bad_amount"
    play.do(c.ReportCards("unshuffled", "straight from the box"))
    assert play.refused(c.ReportCards("foreign_card", "a joker")).code == "already_there"
    play.void("so", DIRECTOR)
    assert play.refused(c.ReportCards("foreign_card", "a joker"), DEALER).code == "already_there"


@pytest.mark.parametrize("actor", ["ann", DEALER])
def test_who_bets_again_is_back(actor: str) -> None:
    play = called("super-six")
    play.bet("ann", {"banker": 50_00})
    play.do(c.WalkAway("ann"), DEALER)
    events = play.do(c.Place("ann", 1, {"banker": 50_00}), actor)
    assert isinstance(events[0], e.CameBack)
    assert play.table.absent == frozenset()


def test_who_walked_away_did_so_from_one_round() -> None:
    play = called("super-six")
    play.bet("ann", {"banker": 50_00})
    play.do(c.WalkAway("ann"), DEALER)
    play.close()
    play.deal(PLAYER_WINS)
    assert play.table.absent == {"ann"}
    play.call()
    assert play.table.absent == frozenset()


def test_where_there_is_no_insurance_nobody_forgoes_it() -> None:
    play = called("super-six")
    play.bet("ann", {"banker": 50_00})
    play.do(c.WalkAway("ann"), DEALER)
    assert play.refused(c.Insure("ann", 1, Side.BANKER, 10_00), "ann").code == "no_insurance"
