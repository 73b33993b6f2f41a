"""Nobody of the staff has money at the table, and nobody rules in a matter of their own."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, SUPERVISOR, Play, open_table

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.commands import HOUSE

HOIANA: dict[str, Any] = {"game": "dragon-tiger-commission", "layout": "A4", "positions": 5}
PLAYER_WINS = "9h 8c Kd Ks"


def after_a_round(**changes: Any) -> Play:
    """ann has won 100 on Player in round 1."""
    play = open_table(**{**HOIANA, **changes})
    play.sit("ann", 1)
    play.sit("bob", 2)
    play.shoe()
    play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
    return play


def at_work(play: Play, person: str = "ann", rank: str = "assistant_director") -> None:
    """A player leaves and works at the table from now on."""
    play.do(c.Leave(person), person)
    play.do(c.SignOn(person, rank), HOUSE)


def decided(play: Play, pays: int, by: str = DIRECTOR) -> tuple[e.Event, ...]:
    """Dispute 1, from the supervisor to the decision."""
    play.do(c.NoteOnDispute(1, "escalated", "not settled between them"), SUPERVISOR)
    play.do(c.NoteOnDispute(1, "facts", "both were heard"), MANAGER)
    play.do(c.NoteOnDispute(1, "surveillance", "camera 4"), MANAGER)
    events = play.do(c.DecideDispute(1, "so be it", ("game_rules",), pays), by)
    return play.do(c.Approve(play.table.proposals_so_far), MANAGER) if pays else events


@pytest.mark.parametrize("by", [DIRECTOR, DEALER, HOUSE])
def test_who_works_here_disputes_nothing(by: str) -> None:
    play = after_a_round()
    refused = play.refused(c.RaiseDispute(DIRECTOR, "short payment"), by)
    assert (refused.code, refused.paragraph) == ("rank", play.table.book.deals.paragraph)


def test_what_a_dispute_pays_to_a_player_who_now_works_here_is_kept() -> None:
    play = after_a_round()
    play.do(c.RaiseDispute("ann", "short payment", 1), "ann")
    at_work(play)
    decided(play, 50_00)
    assert (play.table.stack("ann"), play.table.balances["held:ann"]) == (0, 50_00)
    play.do(c.Leave("bob"), "bob")
    closed = play.do(c.CloseTable({1_00: play.table.balances["tray"] // 100}), HOUSE)
    assert isinstance(closed[0], e.TableClosed)


def test_a_round_settled_again_keeps_the_money_of_who_now_works_here() -> None:
    play = after_a_round(game="tiger-buffalo", layout="A", positions=6)
    at_work(play)
    play.rule(r.CorrectBet("ann", 1, "player", 300_00, round=1), 0, "three chips", MANAGER)
    assert (play.table.stack("ann"), play.table.balances["held:ann"]) == (0, 200_00)
    play.do(c.SignOff("ann"), "ann")
    play.sit("ann", 1, chips=0)
    assert (play.table.stack("ann"), play.table.balances["held:ann"]) == (200_00, 0)


@pytest.mark.parametrize("round", [0, 1])
def test_no_bet_of_staff_gets_into_the_record(round: int) -> None:
    play = after_a_round()
    play.call()
    ruling = r.CorrectBet(DEALER, 1, "player", 100_00, round=round)
    assert play.refused(c.Propose(ruling, 0, "keyed for somebody else")).code == "rank"
    assert play.refused(c.Propose(r.CorrectBet("zoe", 1, "player", 100_00), 0, "whose?")).code == "unknown_person"


def test_nobody_takes_on_an_own_dispute() -> None:
    play = after_a_round()
    play.do(c.RaiseDispute("ann", "short payment", 1), "ann")
    at_work(play)
    assert play.refused(c.NoteOnDispute(1, "resolved", "all is well"), "ann").code == "second_person"
    play.do(c.NoteOnDispute(1, "escalated", "not settled between them"), SUPERVISOR)
    play.do(c.NoteOnDispute(1, "facts", "both were heard"), MANAGER)
    play.do(c.NoteOnDispute(1, "surveillance", "camera 4"), MANAGER)
    refused = play.refused(c.DecideDispute(1, "I am right", ("game_rules",), 50_00), "ann")
    assert (refused.code, refused.paragraph) == ("second_person", "8.4")
    play.do(c.DecideDispute(1, "not so", ("game_rules",)), SHIFT)


def test_nobody_approves_an_own_debt_away() -> None:
    play = after_a_round()
    play.do(c.Leave("ann"), "ann")
    play.rule(r.Pay("ann", -30_00), 0, "paid too much", DIRECTOR)
    (debt,) = play.table.incidents.values()
    play.do(c.SignOn("ann", "assistant_director"), HOUSE)
    proposed = play.do(c.Propose(r.WriteOff(), debt.number, "a good customer"))[0]
    assert isinstance(proposed, e.RulingProposed)
    assert play.refused(c.Approve(proposed.number), "ann").code == "second_person"
    play.do(c.Approve(proposed.number), MANAGER)
    assert play.table.balances["owed:ann"] == 0


def test_nobody_approves_a_correction_of_an_own_bet() -> None:
    play = after_a_round()
    at_work(play)
    ruling = r.CorrectBet("ann", 1, "player", 300_00, round=1)
    proposed = play.do(c.Propose(ruling, 0, "three chips"))[0]
    assert isinstance(proposed, e.RulingProposed)
    assert play.refused(c.Approve(proposed.number), "ann").code == "second_person"
    play.do(c.Approve(proposed.number), DIRECTOR)
    assert play.table.balances["held:ann"] == 200_00


def test_a_table_does_not_close_over_what_a_dispute_pays() -> None:
    play = after_a_round()
    play.do(c.RaiseDispute("ann", "short payment", 1), "ann")
    for what in ("escalated", "facts", "surveillance"):
        play.do(c.NoteOnDispute(1, what, "noted"), MANAGER)
    play.do(c.DecideDispute(1, "so be it", ("game_rules",), 50_00), MANAGER)
    for person in ("ann", "bob"):
        play.do(c.Leave(person), person)
    closing = c.CloseTable({1_00: play.table.balances["tray"] // 100})
    assert play.refused(closing, HOUSE).code == "dispute"
    play.do(c.Decline(1, "it was right"), SHIFT)
    assert isinstance(play.do(closing, HOUSE)[0], e.TableClosed)
