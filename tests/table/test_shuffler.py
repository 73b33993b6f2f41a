"""A shuffler that deals: what goes back into it, what it has no use for, and how far back the table reaches."""

from __future__ import annotations

import pytest
from tests.rules.at_table import PLAYER_WINS, QUICK, SIX_CARDS, table_of
from tests.table.build import MANAGER, SHIFT, Play, open_table
from tests.table.build import settings as table_settings

from puntobanco.cards import Card, parse_cards
from puntobanco.floor.odds_desk import _live
from puntobanco.rules.load import find_book
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.cards.conservation import miscounted, misplaced
from puntobanco.table.settings import ELECTRONIC, check_settings
from puntobanco.table.shoe.folds import LOOKS_BACK
from puntobanco.views.public import public
from puntobanco.views.steps import next_step


def step_of(play: Play) -> str:
    step = next_step(play.table)
    assert step is not None
    return step.do


def table(game: str = "tiger-buffalo", **changes: object) -> Play:
    return table_of(game, **{"automated": QUICK, "shuffler": True, **changes})


def test_a_dealer_puts_discards_in_while_bets_are_open() -> None:
    """Until the call the round before may still be looked at, and its cards lie in the holder."""
    play = table()
    play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
    assert step_of(play) == "call"
    play.call()
    assert step_of(play) == "return_cards"
    assert play.refused(c.ReturnCards("ab" * 32)).detail == "cards.commitment"
    play.do(c.ReturnCards())
    assert step_of(play) == "close"


def test_cards_of_a_round_that_is_on_do_not_go_back() -> None:
    play = table()
    play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    play.do(c.Deal(parse_cards("9h")))
    assert play.refused(c.ReturnCards()).detail == "cards.none_to_return"
    assert (play.table.shoe.left, play.table.shoe.discards) == (8 * 52 - 5, 4)


def test_discards_may_go_back_after_the_close_while_no_card_is_out() -> None:
    play = table(automated=())
    play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    play.do(c.ReturnCards())
    for card in parse_cards(PLAYER_WINS):
        play.do(c.Draw(card, play.table.due, True))
    # the round is played again with the card put right, and counts what went back in
    play.rule(r.CorrectCard(1, Card("8h"), 2), 0, "keyed wrongly")
    assert play.table.shoe.drawn == 4
    assert (misplaced(play.table), miscounted(play.table)) == (None, None)


def test_a_card_that_waits_stays_out() -> None:
    play = table(automated=())
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    for card in parse_cards("9h 8c Kd Ks"):
        play.do(c.Draw(card, play.table.due, True))
    play.do(c.Draw(Card("4c"), turned=True))
    play.rule(r.Reconstruct(), next(iter(play.table.incidents)), by=MANAGER)
    play.finish()
    assert len(play.table.carried) == 1
    play.call()
    play.do(c.ReturnCards())
    assert (play.table.shoe.drawn, play.table.shoe.left) == (1, 8 * 52 - 1)
    assert misplaced(play.table) is None


def test_a_round_whose_cards_are_back_in_is_not_dealt_on() -> None:
    """HO 2.2.15: the next round has not begun, and a lacking card could be drawn, were the others still there."""
    short = parse_cards("2h 3c Kd Qs")
    for back in (False, True):
        play = table("dragon-tiger-commission", automated=())
        play.call()
        play.bet("ann", {"player": 100_00})
        play.close()
        for card in short:
            play.do(c.Draw(card, play.table.due, True))
        play.do(c.Draw(Card("5h"), play.table.due, True))
        play.do(c.Draw(Card("4h"), play.table.due, True))
        play.finish()
        play.call()
        if back:
            play.do(c.ReturnCards())
        play.do(c.ReportRound(1, short, "two cards were keyed that never left the shuffler"))
        number = next(iter(play.table.incidents))
        if back:
            assert play.refused(c.Propose(r.Rectify(), number, "seen on camera")).detail == "cards.lacking"
            play.rule(r.VoidRound(), number, "seen on camera", SHIFT)
        else:
            play.rule(r.Rectify(), number, "seen on camera", by=MANAGER)
        assert misplaced(play.table) is None


def test_neither_burn_nor_cut_card() -> None:
    book = find_book("tiger-buffalo")
    for wrong in ({"burn": 3}, {"burn": "first_card"}, {"rounds_after_cut": 1}):
        with pytest.raises(ValueError, match="shuffler: it has no Cut Card, and nothing is burnt from it"):
            check_settings(table_settings(shuffler=True, **wrong), book)


def test_a_book_that_burns_does_not_burn_from_a_shuffler() -> None:
    play = table("dragon-tiger-commission")
    assert (play.table.settings.burn, play.table.shoe.burn_due) == ("none", False)


def test_only_a_shuffler_takes_discards() -> None:
    play = table_of("tiger-buffalo", automated=QUICK)
    play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
    assert play.refused(c.ReturnCards()).detail == "cards.no_shuffler"


def test_odds_are_those_of_the_full_decks() -> None:
    play = table()
    play.round({"ann": {"player": 100_00}}, SIX_CARDS)
    before = _live(play.table)
    play.call()
    play.do(c.ReturnCards())
    after = _live(play.table)
    assert (before.left, before.unseen, len(before.course)) == (8 * 52 - 6, 0, 2)
    assert (after.left, after.unseen, len(after.course)) == (8 * 52, 0, 1)
    assert after.odds.cards == _live(table().table).odds.cards
    assert after.odds.bets == _live(table().table).odds.bets


def test_the_sign_says_that_a_shuffler_deals() -> None:
    assert public(table().table, 0).sign.shuffler
    assert not public(table(shuffler=False).table, 0).sign.shuffler


def test_the_table_reaches_as_far_back_as_with_a_shoe() -> None:
    play = table()
    for _ in range(2 * LOOKS_BACK + 2):
        play.round({}, PLAYER_WINS)
        play.do(c.ReturnCards())
        assert misplaced(play.table) is None
    assert len(play.table.past) == len(play.table.results) == len(play.table.journals) == LOOKS_BACK + 1
    assert play.table.past[-1].number == 2 * LOOKS_BACK + 2


def test_an_electronic_table_deals_no_card_before_discards_are_back() -> None:
    play = open_table(automated=ELECTRONIC, shuffler=True)
    play.shoe()
    play.round({}, PLAYER_WINS)
    assert step_of(play) == "return_cards"
    play.call()
    play.close()
    assert play.refused(c.Deal(parse_cards("9h")), play.runner).detail == "cards.return_first"
    assert play.refused(c.ReturnCards(), "dana").detail == "cards.electronic"
    play.do(c.ReturnCards("ab" * 32), play.runner)
    play.do(c.Deal(parse_cards("9h")), play.runner)


def test_what_went_back_is_told() -> None:
    play = table()
    play.round({}, PLAYER_WINS)
    (returned,) = play.do(c.ReturnCards())
    assert returned == e.CardsReturned(4)
