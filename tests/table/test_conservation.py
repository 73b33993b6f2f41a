"""Every card that left the shoe is in one place, and the check can tell when one is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from tests.rules.at_table import PLAYER_WINS, QUICK, table_of
from tests.table.build import DIRECTOR, SHIFT, SUPERVISOR, Play

from puntobanco.cards import Card, Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.cards.conservation import miscounted, misplaced
from puntobanco.table.cards.state import Drawn
from puntobanco.table.folds import evolve
from puntobanco.table.state import Round, Table

NINE = Card("9h")


def in_mid_round() -> Play:
    """Three cards burnt, a round over, four cards of the next one out, the last of them face down."""
    play = table_of("tiger-buffalo", automated=QUICK, burn=3)
    play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    play.deal("2h 8c Kd")
    play.do(c.Draw(None))
    return play


def in_round(table: Table, change: Callable[[Round], Round]) -> Table:
    assert table.round is not None
    return replace(table, round=change(table.round))


def test_cards_are_where_they_went() -> None:
    play = in_mid_round()
    table = play.table
    assert (len(table.shoe.aside), len(table.past), len(table_cards(play)), table.shoe.drawn) == (3, 1, 4, 11)
    assert misplaced(table) is None
    assert miscounted(table) is None


def table_cards(play: Play) -> tuple[Drawn, ...]:
    return play.table.round.cards if play.table.round is not None else ()


def test_a_card_that_is_left_over_waits_and_is_dealt_once() -> None:
    """DH 5.7: it opens the next round; at every step it is in one place."""
    play = table_of("da-hu-ying-xiong", automated=())
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    for place, card in enumerate(parse_cards("9h 8c Kd Ks")):
        play.do(c.Draw(card, Side.PLAYER if place % 2 == 0 else Side.BANKER, True))
    play.do(c.Draw(Card("4h"), Side.PLAYER, True))
    assert misplaced(play.table) is None
    play.rule(r.Reconstruct(), 1, "one too many", SUPERVISOR)
    assert waiting(play) == [Card("4h")]
    assert misplaced(play.table) is None
    play.finish()
    play.call()
    play.close()
    assert [drawn.card for drawn in table_cards(play)] == [Card("4h")]
    assert waiting(play) == []
    assert misplaced(play.table) is None


def test_a_card_left_over_by_a_shoe_to_be_replaced_stays_discarded_when_the_record_is_put_right() -> None:
    """DH 5.7: no round comes that it could wait for, and none when the round is played again."""
    play = table_of("da-hu-ying-xiong", automated=())
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    for place, card in enumerate(parse_cards("9h 8c Kd Ks")):
        play.do(c.Draw(card, Side.PLAYER if place % 2 == 0 else Side.BANKER, True))
    play.do(c.Draw(Card("4h"), Side.PLAYER, True))
    play.rule(r.ReplaceShoe(), 0, "worn", SHIFT)
    play.rule(r.Reconstruct(), 1, "one too many", SUPERVISOR)
    assert waiting(play) == []
    play.finish()
    assert misplaced(play.table) is None
    play.rule(r.CorrectCard(3, Card("Qd")), 0, "keyed wrongly", DIRECTOR)
    assert [str(drawn.card) for drawn in play.table.past[0].discarded] == ["4h"]
    assert misplaced(play.table) is None


def test_a_ruling_on_a_matter_that_an_amendment_told_anew_holds_when_the_round_is_played_once_more() -> None:
    """DH 5.7: the sixth card is one too many before card 3 is struck and after it, under another number."""
    play = table_of("da-hu-ying-xiong", automated=())
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    for card in parse_cards("4d 5c 3h Ac"):
        play.do(c.Draw(card, None, True))
    for number, card in enumerate(parse_cards("8s 5h"), 1):
        play.do(c.Draw(card))
        play.rule(r.Reconstruct(), number, "one too many", SUPERVISOR)
    play.rule(r.StrikeCard(3), 0, "keyed twice", DIRECTOR)
    (matter,) = play.table.incidents.values()
    assert (matter.number, matter.cards) == (3, (6,))
    play.do(c.Turn(5))
    play.do(c.Turn(6))
    for card in parse_cards("9s Tc"):
        play.do(c.Draw(card))
    play.rule(r.Reconstruct(), 3, "one too many", SUPERVISOR)
    assert waiting(play) == [Card("Tc")]
    play.do(c.Turn(7))
    play.finish()
    assert misplaced(play.table) is None
    play.rule(r.CorrectCard(7, Card("9d"), 1), 0, "keyed wrongly", DIRECTOR)
    assert waiting(play) == [Card("Tc")]
    assert misplaced(play.table) is None


def waiting(play: Play) -> list[Card | None]:
    return [drawn.card for drawn in play.table.carried]


FORGED: list[tuple[str, Callable[[Table], Table]]] = [
    ("have the same number", lambda table: in_round(table, lambda now: replace(now, cards=(*now.cards, now.cards[0])))),
    ("in hands, waiting", lambda table: in_round(table, lambda now: replace(now, cards=now.cards[:-1]))),
    ("in hands, waiting", lambda table: replace(table, carried=(Drawn(NINE),))),
    ("the discard holder has 7 cards by its count, and 3", lambda table: replace(table, past=())),
    (
        "the discard holder has 7 cards by its count, and 8",
        lambda table: in_round(table, lambda now: replace(now, discarded=(Drawn(NINE),))),
    ),
    ("the discard holder has 8", lambda table: replace(table, shoe=replace(table.shoe, discards=8))),
    ("by its count, and 4", lambda table: replace(table, shoe=replace(table.shoe, aside=()))),
    ("11 cards have left a shoe of 10", lambda table: replace(table, shoe=replace(table.shoe, size=10))),
]


@pytest.mark.parametrize(("message", "forge"), FORGED)
def test_a_card_in_two_places_or_in_none_is_found(message: str, forge: Callable[[Table], Table]) -> None:
    play = in_mid_round()
    assert misplaced(play.table) is None
    found = misplaced(forge(play.table))
    assert found is not None
    assert message in found


def test_a_round_that_takes_more_along_than_it_had_is_found() -> None:
    """A forged event: what the log says of the discard holder is not what went into it."""
    play = in_mid_round()
    forged: Any = e.RoundEnded(2, play.table.shoe.discards + 5)
    assert misplaced(evolve(play.table, forged)) == (
        "the discard holder has 12 cards by its count, and 11 by what went into it"
    )


def test_a_face_that_was_counted_wrongly_is_found() -> None:
    table = in_mid_round().table
    assert miscounted(table) is None
    faces = table.shoe.faces | {NINE: 2}
    assert (
        miscounted(replace(table, shoe=replace(table.shoe, faces=faces))) == "9h was seen 1 times, and counted 2 times"
    )


def test_copies_that_nobody_was_told_of_are_found() -> None:
    table = in_mid_round().table
    more = in_round(table, lambda now: replace(now, cards=(Drawn(NINE, turned=True),) * 8))
    assert miscounted(more) == "more copies than 8 decks hold, and nobody was told: 9h"


def test_a_copy_that_an_earlier_round_turns_out_to_have_shown_is_flagged_at_once() -> None:
    """HO 7.1: the record of round 1 is put right while round 2 is on, or bets are open for it."""
    for close in (False, True):
        play = table_of("dragon-tiger-commission", automated=QUICK, decks=1)
        play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
        play.round({"ann": {"player": 100_00}}, "2h 8d Ts Qs")
        play.call()
        if close:
            play.close()
        play.do(c.ReportRound(1, parse_cards("9h 8c Kd Ks 2h"), "seen on camera"))
        assert not play.table.shoe.at_fault
        play.rule(r.VoidRound(), next(iter(play.table.incidents)), "seen on camera", DIRECTOR)
        assert miscounted(play.table) is None
        assert play.table.shoe.surplus == 1
        assert [found.family for found in play.table.incidents.values()] == ["cards_at_fault"]


def test_a_copy_that_is_burnt_while_a_hand_is_played_is_flagged_at_once() -> None:
    """HO 7.1: a single deck, burnt with its ace of hearts face up, and then with another."""
    play = table_of("dragon-tiger-commission", automated=QUICK, decks=1, burn="none")
    play.call()
    play.close()
    play.deal("9h")
    play.do(c.Burn(parse_cards("Ah Kh")))
    assert miscounted(play.table) is None
    play.do(c.Burn(parse_cards("Ah Qh")))
    assert miscounted(play.table) is None
    assert [found.family for found in play.table.incidents.values()] == ["wrong_burn", "cards_at_fault"]
