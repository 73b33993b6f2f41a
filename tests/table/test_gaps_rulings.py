"""Refusals around incidents and rulings that no paragraph's own test comes by."""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.build import DEALER, SHIFT, SUPERVISOR, Play, open_table

from puntobanco.cards import Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.evolve import evolve
from puntobanco.table.state import Phase


def closed(game: str = "tiger-buffalo", cards: int | None = None, **changes: Any) -> Play:
    """Bets are closed; ann has 100 on Player."""
    layout, positions = ("A", 6) if game == "tiger-buffalo" else ("A", 9)
    play = open_table(game=game, layout=layout, positions=positions, automated=(), **changes)
    play.sit("ann", 1)
    if cards is None:
        play.shoe()
    else:
        play.table = evolve(play.table, e.ShoeStarted(1, cards, "what is left of one"))
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    return play


def draw(play: Play, cards: str) -> None:
    for card in parse_cards(cards):
        current = play.table.round
        assert current is not None
        play.do(c.Draw(card, current.due, turned=True))


def test_a_turned_card_has_a_name_before_its_round_too() -> None:
    play = open_table()
    play.shoe()
    assert play.refused(c.Draw(turned=True)).code == "cards"
    assert play.table.phase is Phase.IDLE


@pytest.mark.parametrize(
    "report",
    [
        c.Report("damaged_card", "torn", (1, 2)),
        c.Report("damaged_card", "torn"),
        c.Report("exposed_cards", "seen", (1, 1)),
        c.Report("exposed_cards", "seen", (0,)),
        c.Report("exposed_cards", "seen", (3,)),
        c.Report("dealing_error", "the shoe fell", (1,)),
        c.Report("simultaneous", "stuck", (2, 1)),
        c.Report("face_up", "dropped", (3,)),
    ],
)
def test_reports_of_cards_that_make_no_sense(report: c.Report) -> None:
    play = closed(face_down=True)
    draw(play, "9h 8c")
    before = play.table
    assert play.refused(report).code == "cards"
    assert play.table == before


def test_a_card_dealt_face_up_lies_open() -> None:
    play = closed(face_down=True)
    play.do(c.Draw(parse_cards("9h")[0], Side.PLAYER))
    assert "turn it first" in play.refused(c.Report("face_up", "dropped", (1,))).message


def test_hands_as_they_lie_need_every_card_at_a_hand() -> None:
    play = closed()
    play.do(c.Draw(parse_cards("9h")[0]))
    play.do(c.Report("dealing_error", "it slid away"))
    assert play.refused(c.Propose(r.AsItLies(), 1, "nobody knows")).message == "card 1 lies at no hand"


def test_a_note_on_a_dispute_says_something() -> None:
    play = closed()
    play.do(c.RaiseDispute("ann", "short payment"), "ann")
    assert play.refused(c.NoteOnDispute(1, "escalated", " "), SUPERVISOR).code == "bad_amount"


def test_more_found_on_the_same_bet_is_one_matter() -> None:
    play = closed()
    play.do(c.FindBet("ann", 1, "player", 5_000_00))
    assert len(play.table.incidents) == 1
    play.do(c.FindBet("ann", 1, "player", 5_00))
    assert len(play.table.incidents) == 1


def test_a_card_from_an_empty_shoe_means_that_the_set_was_wrong() -> None:
    play = closed(cards=4)
    draw(play, "9h 8c Kd Ks")
    fault, void, *_ = play.do(c.Draw())
    assert isinstance(fault, e.CardsAtFault)
    assert isinstance(void, e.RoundVoided)
    assert (fault.paragraph, void.paragraph) == ("5.5.2", "5.5.2")
    assert play.table.stack("ann") == 10_000_00


def test_and_waits_for_a_ruling_where_the_book_says_nothing_of_the_set() -> None:
    play = closed("super-six", cards=4)
    draw(play, "9h 8c Kd Ks")
    fault, opened = play.do(c.Draw())
    assert isinstance(fault, e.CardsAtFault)
    assert isinstance(opened, e.IncidentOpened)
    assert opened.family == "cards_at_fault"
    assert play.refused(c.Draw()).code == "cards"
    play.rule(r.VoidRound(), 1, "nobody knows the cards", SHIFT)
    assert play.table.shoe.ended


def test_a_burn_that_was_forgotten_is_not_made_up_for_after_the_hand() -> None:
    play = open_table(burn=1, automated=())
    play.sit("ann", 1)
    play.do(c.NewShoe("shuffled"))
    play.do(c.Call())
    number = next(iter(play.table.incidents))
    play.close()
    draw(play, "9h 8c Kd Ks")
    assert play.refused(c.Propose(r.BurnNow(), number, "now")).code == "burn"  # cards were seen
    play.do(c.Announce("player"))
    play.do(c.Settle())
    assert not play.table.incidents  # past the first hand the shoe goes on
    assert play.refused(c.Propose(r.BurnNow(), number, "now")).code == "unknown_request"


def test_insurance_put_down_by_staff_in_the_wrong_box_has_an_amount() -> None:
    play = closed()
    play.do(c.FindBet("ann", 1, "banker", 100_00))
    play.rule(r.CorrectBet("ann", 1, "player", 0), 0, "it was on Banker")
    draw(play, "4h 6c Kd Ks")
    play.do(c.OfferInsurance())
    assert play.refused(c.Insure("ann", 1, Side.PLAYER, 0), DEALER).code == "bad_amount"
