"""What the mutation score showed missing about dealing and authority."""

from __future__ import annotations

from tests.rules.at_table import QUICK, called, current, only, place, table_of, told
from tests.table.build import DEALER, NOW, open_table, settings

from puntobanco.cards import Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.engine import execute
from puntobanco.table.folds import evolve
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import ELECTRONIC, Step

GAME = "tiger-buffalo"


def test_who_may_open_a_table_is_named() -> None:
    answer = execute(None, Command("c0", DEALER, NOW, c.OpenTable(settings(), {})))
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.message) == ("rank", "this needs a Pit Manager or above")


def test_four_cards_at_once_and_a_fifth_go_where_they_are_due() -> None:
    play = called(GAME, automated=QUICK)
    play.close()
    play.do(c.Deal(parse_cards("2h 3c Kd Qs")), DEALER)
    assert str(current(play).coup) == "P 2hKd B 3cQs"
    play = called("super-six", automated=QUICK)
    play.close()
    play.do(c.Deal(parse_cards("2h 3c Kd Qs 5h")), DEALER)
    assert str(current(play).coup) == "P 2hKd5h B 3cQs"


def test_insurance_is_due_where_the_dealer_offers_it() -> None:
    play = called(GAME, automated=(Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM))
    play.do(place("bob", 2, banker=100), "bob")
    play.close()
    play.deal("2h 4c Kd Ks")  # Banker 4 leads Player 2
    assert told(play, c.Deal(parse_cards("4s")), DEALER) == ("insurance_open", "3.13")
    play.do(c.OfferInsurance(), DEALER)
    play.do(c.CloseInsurance(), DEALER)
    play.do(c.Deal(parse_cards("4s")), DEALER)


def test_cards_of_an_electronic_table_are_nobodys_to_put_or_turn() -> None:
    play = open_table(game=GAME, layout="A", positions=6, automated=ELECTRONIC)
    play.sit("ann", 1)
    play.shoe()
    play.call()
    play.do(c.Close(), HOUSE)
    assert told(play, c.PutCard(1, Side.PLAYER), DEALER) == ("cards", "3.10")
    assert told(play, c.Draw(), DEALER)[0] == "cards"


def test_the_call_after_the_last_round_needs_a_shoe() -> None:
    play = table_of(GAME, automated=QUICK)
    play.do(c.CutCard(), DEALER)
    play.call()
    play.close()
    play.deal("9h 8c Kd Ks")
    assert only(tuple(play.events), e.ShoeEnded).number == 1
    assert told(play, c.Call(), DEALER)[0] == "no_shoe"


def test_cards_of_an_electronic_table_are_not_keyed() -> None:
    play = open_table(game=GAME, layout="A", positions=6, automated=ELECTRONIC)
    play.sit("ann", 1)
    play.shoe()
    play.call()
    play.do(c.Close(), HOUSE)
    play.do(c.Draw(), HOUSE)
    assert told(play, c.Turn(1, parse_cards("9h")[0]), DEALER) == ("cards", "3.10")
    play.do(c.Turn(1, parse_cards("9h")[0]), HOUSE)


def test_one_card_left_is_a_shoe_still() -> None:
    play = open_table(automated=QUICK)
    play.table = evolve(play.table, e.ShoeStarted(1, 5, "what is left of one"))
    play.call()
    play.close()
    play.deal("9h 8c Kd Ks")
    assert (play.table.shoe.left, play.table.shoe.ended) == (1, False)


def test_what_was_dealt_is_in_the_discard_holder_after_each_round() -> None:
    play = called(GAME, automated=QUICK)
    for discards in (4, 8):
        play.close()
        play.deal("9h 8c Kd Ks")
        assert [event.discards for event in play.events if isinstance(event, e.RoundEnded)][-1] == discards
        assert play.table.shoe.discards == play.table.shoe.drawn == discards
        play.call()


def test_a_game_without_squeeze_says_so() -> None:
    play = called("super-six", face_down=True)
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    refused = play.refused(c.AskSqueeze("ann", Side.PLAYER), "ann")
    assert (refused.code, refused.message) == ("squeeze", "this game knows no squeeze")
