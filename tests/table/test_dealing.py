"""Cards as facts: that one left the shoe, where it was put, that it was turned; in any order, and right or wrong."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.rules import at_table
from tests.rules.at_table import QUICK, called, only
from tests.rules.helpers import BANKER_DRAWS_AGAINST, card_of, in_order, opening
from tests.table.build import DEALER, DIRECTOR, SHIFT, Play, open_table

from puntobanco.cards import Card, Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.cards.misdealt import due_hand
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.refusals import Refusal
from puntobanco.table.rulings import VoidRound
from puntobanco.table.settings import ELECTRONIC, Step
from puntobanco.table.settings import in_order as steps
from puntobanco.table.state import Phase, Round

GAMES: dict[str, dict[str, Any]] = {
    "DH": {"game": "da-hu-ying-xiong", "layout": "A", "positions": 7},
    "S6": {"game": "super-six", "layout": "A", "positions": 9},
    "RB": {"game": "rws-baccarat", "layout": "A", "positions": 7},
    "TB": {"game": "tiger-buffalo", "layout": "A", "positions": 6},
    "HO": {"game": "dragon-tiger-commission", "layout": "A4", "positions": 5},
}
EXCESS = {"DH": "5.7", "S6": "5.1.2", "RB": "5.7", "TB": "5.8", "HO": "7.6"}
WRONG_SIDE = {"DH": "5.8.1", "S6": "", "RB": "5.8.1", "TB": "5.9.1", "HO": "7.9"}
RULER = {"DH": SHIFT, "S6": SHIFT, "RB": SHIFT, "TB": SHIFT, "HO": DIRECTOR}
PLAYER, BANKER = Side


def told(play: Play, body: c.AnyCommand, actor: str = DEALER) -> tuple[str, str]:
    refusal = play.refused(body, actor)
    return refusal.code, refusal.paragraph


def dealing(book: str = "DH", **changes: Any) -> Play:
    """Ann has 100 on Player, Bob 100 on Banker, and the bets are closed. A live table, its dealer does everything."""
    play = open_table(**GAMES[book] | {"automated": ()} | changes)
    play.sit("ann", 1)
    play.sit("bob", 2)
    play.shoe()
    play.call()
    play.bet("ann", {"player": 100_00})
    play.bet("bob", {"banker": 100_00})
    play.close()
    return play


def current(play: Play) -> Round:
    assert play.table.round is not None
    return play.table.round


def named(text: str) -> Card:
    (card,) = parse_cards(text)
    return card


def flags(play: Play) -> dict[str, str]:
    """What waits for a ruling, and the paragraphs."""
    return {incident.family: incident.paragraph for incident in play.table.incidents.values()}


# --- three facts, any order

COUPS = [
    # as the cards leave the shoe → the coup
    ("9h 8c Kd Ks", "P 9hKd B 8cKs"),
    ("6h 6c Kd Ks", "P 6hKd B 6cKs"),
    ("6h 5c Kd Ks 4h", "P 6hKd B 5cKs4h"),
    ("2h 7c Kd Ks 4h", "P 2hKd4h B 7cKs"),
    ("2h 3c Kd Ks 8h", "P 2hKd8h B 3cKs"),
    ("2h 3c Kd Qs 5h 4h", "P 2hKd5h B 3cQs4h"),
]


def facts_of(number: int, card: Card, hand: Side, chance: random.Random) -> list[c.AnyCommand]:
    """A card's three facts: told at once, in two commands or in three; read by the scanner, or keyed when turned."""
    scanned = chance.random() < 0.5
    match chance.randrange(4):
        case 0:
            return [c.Draw(card, hand, turned=True)]
        case 1:
            return [c.Draw(card if scanned else None, hand), c.Turn(number, None if scanned else card)]
        case 2:
            return [c.Draw(card, None, turned=True), c.PutCard(number, hand)]
        case _:
            rest: list[c.AnyCommand] = [c.PutCard(number, hand), c.Turn(number, None if scanned else card)]
            return [c.Draw(card if scanned else None), *chance.sample(rest, 2)]


def interleaved(lists: list[list[c.AnyCommand]], chance: random.Random) -> list[c.AnyCommand]:
    """Any order that leaves each list in its own, cards leaving the shoe one after another."""
    lists = [list(each) for each in lists]
    mixed: list[c.AnyCommand] = []
    drawn = 0
    while any(lists):
        ready = [i for i, each in enumerate(lists) if each and (i < drawn or i == drawn)]
        chosen = chance.choice(ready)
        drawn = max(drawn, chosen + 1)
        mixed.append(lists[chosen].pop(0))
    return mixed


@pytest.mark.parametrize(("cards", "coup"), COUPS)
@pytest.mark.parametrize("book", GAMES)
def test_three_facts_in_any_order(book: str, cards: str, coup: str) -> None:
    chance = random.Random(cards)
    base = dealing(book)
    hands = ((PLAYER, BANKER, PLAYER, BANKER, PLAYER, BANKER), (PLAYER, BANKER, PLAYER, BANKER, BANKER))
    player_stands = coup.index(" B") == len("P 9hKd")
    for _ in range(8):
        play = Play(base.table, tuple(base.entries))
        each = [
            facts_of(number, card, hand, chance)
            for number, (card, hand) in enumerate(zip(parse_cards(cards), hands[player_stands], strict=False), 1)
        ]
        for body in (*interleaved(each[:4], chance), *(fact for facts in each[4:] for fact in facts)):
            already = isinstance(body, c.PutCard) and current(play).cards[body.number - 1].hand is body.hand
            if already:  # a card that was turned where nobody had put it lies where it was due
                assert told(play, body)[0] == "already_there"
            else:
                play.do(body)
        assert str(current(play).coup) == coup
        assert current(play).finished
        assert not play.table.flags
        assert [drawn.hand for drawn in current(play).cards] == list(hands[player_stands][: len(each)])


def test_one_by_one_and_at_once_come_to_the_same() -> None:
    slow, quick = dealing("TB"), dealing("TB")
    for number, card in enumerate(parse_cards("9h 8c Kd Ks"), 1):
        slow.do(c.Draw(card))
        slow.do(c.PutCard(number, PLAYER if number % 2 else BANKER))
        slow.do(c.Turn(number))
    quick.do(c.Deal(parse_cards("9h 8c Kd Ks")))
    assert current(slow).cards == current(quick).cards
    assert current(slow).coup == current(quick).coup
    for play in (slow, quick):
        play.finish()
        assert play.table.balances["chips:ann"] == 10_100_00


def test_events_of_the_three_facts() -> None:
    play = dealing()
    assert play.do(c.Draw(), DEALER) == (e.CardDrawn(1, None),)
    assert play.do(c.PutCard(1, PLAYER), DEALER) == (e.CardPut(1, PLAYER),)
    assert told(play, c.Turn(1))[0] == "cards"  # no scanner has read it
    assert play.do(c.Turn(1, named("9h")), DEALER) == (e.CardTurned(1, named("9h"), DEALER),)
    assert play.do(c.Draw(named("8c"), BANKER, turned=True)) == (
        e.CardDrawn(2, named("8c")),
        e.CardPut(2, BANKER),
        e.CardTurned(2, named("8c"), DEALER),
    )
    assert play.do(c.Draw(named("Kd"), None, turned=False)) == (e.CardDrawn(3, named("Kd")),)
    assert play.do(c.Turn(3)) == (e.CardPut(3, PLAYER), e.CardTurned(3, named("Kd"), DEALER))
    assert told(play, c.Turn(3))[0] == "already_there"
    assert told(play, c.PutCard(3, PLAYER))[0] == "already_there"
    for number in (0, 4):
        assert told(play, c.Turn(number, named("Kd")))[0] == "cards"
        assert told(play, c.PutCard(number, PLAYER))[0] == "cards"
    assert told(play, c.Draw(None, BANKER, turned=True))[0] == "cards"  # a card that lies open has a name


def test_what_is_face_down_tells_nothing() -> None:
    play = dealing(face_down=True)
    for card in parse_cards("2h 3c Kd Qs"):
        play.do(c.Draw(card))
    assert (current(play).due, current(play).finished) == (None, False)
    for number in (4, 3, 2):
        play.do(c.Turn(number))
        assert str(current(play).coup) == "P B"  # the first card still lies face down
    play.do(c.Turn(1))
    assert str(current(play).coup) == "P 2hKd B 3cQs"
    assert current(play).due is PLAYER


# --- scanner and keyboard


def test_a_keyed_card_that_the_scanner_read_otherwise_is_flagged() -> None:
    play = dealing()
    play.do(c.Draw(named("9h"), PLAYER))
    events = play.do(c.Turn(1, named("8h")))
    turned, opened = events
    assert turned == e.CardTurned(1, named("9h"), DEALER)  # the scanner's word stands until somebody rules
    assert isinstance(opened, e.IncidentOpened)
    assert (opened.family, opened.about) == (
        "card_mismatch",
        About.of("card.mismatch", number=1, card="9h", keyed="8h"),
    )
    agreed = dealing()
    agreed.do(c.Draw(named("9h"), PLAYER))
    assert agreed.do(c.Turn(1, named("9h"))) == (e.CardTurned(1, named("9h"), DEALER),)


# --- whose the next card is


def test_the_next_card_is_due_by_the_table_of_play() -> None:
    """Every pair of opening points and every third card, against the table as printed."""
    base = dealing()
    assert current(base).due is PLAYER
    for player in range(10):
        for banker in range(10):
            play = Play(base.table, tuple(base.entries))
            for number, card in enumerate(parse_cards(in_order(opening(player), opening(banker))), 1):
                assert current(play).due is (PLAYER if number % 2 else BANKER)
                play.do(c.Draw(card, current(play).due, turned=True))
            natural = max(player, banker) >= 8
            if natural or (player >= 6 and banker >= 6):
                assert current(play).due is None
            elif player >= 6:
                assert current(play).due is BANKER
            else:
                assert current(play).due is PLAYER
                for third in range(10):
                    after = Play(play.table, tuple(play.entries))
                    after.do(c.Draw(named(card_of(third)), PLAYER, turned=True))
                    draws = str(third) in BANKER_DRAWS_AGAINST[banker]
                    assert current(after).due is (BANKER if draws else None), (player, banker, third)


OPENING = ("2h", "3c", "Kd", "Qs", "5h", "4h")


@pytest.mark.parametrize("book", GAMES)
@pytest.mark.parametrize("wrong", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("late", [False, True])
def test_a_card_at_the_wrong_side_is_flagged(book: str, wrong: int, late: bool) -> None:
    """Put there as it is drawn, or afterwards."""
    play = dealing(book)
    for number, card in enumerate(map(named, OPENING[:wrong]), 1):
        due = current(play).due
        assert due is not None
        hand = due.other if number == wrong else due
        if number == wrong and late:
            play.do(c.Draw(card))
            events = play.do(c.PutCard(number, hand))
        else:
            events = play.do(c.Draw(card, hand, turned=number < wrong))
        opened = [event for event in events if isinstance(event, e.IncidentOpened)]
        found = [(event.about, event.paragraph) for event in opened if event.family != "insurance_missed"]
        paragraph = "5.1.2" if book == "S6" and wrong > 3 else WRONG_SIDE[book]  # a hand has a card too many
        assert found == ([(About.of("card.at", number=number, hand=hand.value), paragraph)] if number == wrong else [])
    assert current(play).cards[wrong - 1].hand is hand  # the fact is on record


@pytest.mark.parametrize("book", GAMES)
@pytest.mark.parametrize(
    "cards", ["9h 8c Kd Ks", "6h 6c Kd Ks", "6h 5c Kd Ks 4h", "2h 7c Kd Ks 4h", "2h 3c Kd Qs 5h 4h"]
)
def test_a_card_too_many_is_flagged(book: str, cards: str) -> None:
    play = dealing(book)
    for card in parse_cards(cards):
        assert flags(play) == {}
        play.do(c.Draw(card, current(play).due, turned=True))
    number = len(cards.split()) + 1
    events = play.do(c.Draw(named("Ah"), PLAYER))
    *facts, opened = events
    assert facts == [e.CardDrawn(number, named("Ah")), e.CardPut(number, PLAYER)]
    assert isinstance(opened, e.IncidentOpened)
    fourth = book == "HO" and len(current(play).coup.player) == 3  # 7.6 is about Player's third
    paragraph = "7.5" if fourth else EXCESS[book]
    assert (opened.about, opened.cards, opened.paragraph) == (About.of("card", number=number), (number,), paragraph)
    assert play.table.shoe.drawn == number


@pytest.mark.parametrize("cards", ["9h 8c Kd Ks", "7h 7c Kd Ks", "2h 7c Kd Ks 4h", "2h 3c Kd Qs 5h 4h"])
def test_a_card_that_was_for_nobody_lies_at_no_wrong_side(cards: str) -> None:
    for hand in Side:
        play = dealing()
        for card in parse_cards(cards):
            play.do(c.Draw(card, current(play).due, turned=True))
        number = len(cards.split()) + 1
        play.do(c.Draw(named("Ah")))
        play.do(c.PutCard(number, hand))
        play.do(c.Turn(number))
        assert flags(play) == {"excess_cards": "5.7"}


def test_a_fifth_card_while_others_lie_face_down_is_too_early() -> None:
    play = dealing(face_down=True)
    for card in parse_cards("2h 3c Kd Qs"):
        play.do(c.Draw(card, current(play).due))
    events = play.do(c.Draw(named("5h"), PLAYER))
    opened = events[-1]
    assert isinstance(opened, e.IncidentOpened)
    assert (opened.family, opened.paragraph) == ("excess_cards", "5.7")
    assert opened.about == About.of("card.others_down", number=5)


# --- until it is ruled on


@pytest.mark.parametrize("book", GAMES)
def test_a_flagged_round_waits_for_a_ruling(book: str) -> None:
    play = dealing(book)
    for card in parse_cards("9h 8c Kd Ks"):
        play.do(c.Draw(card, current(play).due, turned=True))
    play.do(c.Draw(named("Ah"), PLAYER, turned=True))
    assert [type(event) for event in play.do(c.Announce("player"))] == [e.ResultCalled]  # and no settlement
    assert told(play, c.Settle())[0] == "flagged"
    assert told(play, c.Deal((named("2h"),))) == ("flagged", EXCESS[book])
    play.do(c.Propose(VoidRound(), 0, "a card too many"))
    assert told(play, c.Approve(1), DEALER)[0] == "second_person"
    assert told(play, c.Propose(VoidRound(), 0, " "), RULER[book])[0] == "reason"
    play.do(c.Decline(1))
    play.void("a card too many", RULER[book])
    assert play.table.balances["chips:ann"] == 10_000_00
    assert flags(play) == {}
    assert play.table.phase is Phase.IDLE


def test_nothing_flagged_settles_by_itself() -> None:
    """An automatic table does not pay a round that waits for a ruling."""
    play = dealing("DH", automated=steps({Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM}))
    play.do(c.Draw(named("9h"), BANKER, turned=True))
    for card in parse_cards("8c Kd Ks"):
        play.do(c.Draw(card, current(play).due, turned=True))
    assert current(play).finished
    assert play.table.phase is Phase.DEALING


# --- the electronic shoe


def test_cards_dealt_at_once_go_where_they_are_due() -> None:
    play = dealing("DH")
    (dealt,) = play.do(c.Deal(parse_cards("2h 3c Kd Qs 5h 4h")))
    assert dealt == e.CardsDealt(parse_cards("2h 3c Kd Qs 5h 4h"), (PLAYER, BANKER, PLAYER, BANKER, PLAYER, BANKER))
    assert current(play).finished


def test_cards_that_are_not_due_are_not_dealt() -> None:
    play = dealing("DH")
    assert told(play, c.Deal(()))[0] == "cards"
    assert told(play, c.Deal(parse_cards("9h 8c Kd Ks 2h"))) == ("finished", "3.12")
    play.do(c.Draw(named("9h")))
    assert told(play, c.Deal(parse_cards("8c"))) == ("not_due", "3.12")  # a card lies face down
    play.do(c.Turn(1))
    play.do(c.Deal(parse_cards("8c Kd Ks")))
    assert told(play, c.Deal(parse_cards("2h"))) == ("finished", "3.12")


@pytest.mark.parametrize("body", [c.PutCard(7, PLAYER), c.Turn(7, named("9h"))])
def test_no_card_is_put_or_turned_that_is_not_out(body: c.AnyCommand) -> None:
    play = open_table()
    play.sit("ann", 1)
    play.shoe()
    assert told(play, body)[0] == "cards"
    play.call()
    assert told(play, body)[0] == "cards"


def test_a_card_put_at_another_hand_while_boxes_are_paid_is_a_matter_of_the_round() -> None:
    play = open_table()
    play.sit("ann", 1)
    play.shoe()
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    play.deal("9h 8c Kd Ks")
    play.do(c.Announce("player"))
    put = play.do(c.PutCard(1, BANKER))
    assert [type(event) for event in put] == [e.RoundReopened, e.CardPut, e.IncidentOpened]
    assert play.table.phase is Phase.DEALING


@pytest.mark.parametrize("body", [c.Deal(parse_cards("9h"))])
def test_cards_come_between_the_close_and_the_settlement(body: c.AnyCommand) -> None:
    play = open_table()
    play.sit("ann", 1)
    play.shoe()
    assert told(play, body) == ("no_round", "3.3")
    play.call()
    play.bet("ann", {"player": 100_00})
    assert told(play, body) == ("bets_open", "3.8")
    play.close()
    play.deal("9h 8c Kd Ks")
    play.do(c.Announce("player"))
    assert play.table.phase is Phase.PAYING
    assert told(play, body) == ("no_round", "3.3")


def test_an_electronic_table_does_everything_after_the_last_card() -> None:
    play = dealing("TB", automated=ELECTRONIC)
    assert told(play, c.Deal(parse_cards("9h")), DEALER)[0] == "cards"
    events = play.do(c.Deal(parse_cards("9h 8c Kd Ks")), HOUSE)
    assert [type(event) for event in events] == [
        e.CardsDealt,
        e.ResultAnnounced,
        e.RoundSettled,
        e.BoxesConfirmed,
        e.RoundEnded,
    ]


def test_a_table_may_call_by_itself() -> None:
    play = dealing("TB", automated=steps(Step))
    events = play.do(c.Deal(parse_cards("9h 8c Kd Ks")), HOUSE)
    assert isinstance(events[-1], e.RoundCalled)
    assert events[-1].until == play.now + 20_000


def test_a_card_for_an_earlier_round_does_not_land_in_this_one() -> None:
    play = dealing("DH")
    version = play.table.version
    play.do(c.Deal(parse_cards("9h 8c Kd Ks")))
    play.finish()
    play.call()
    play.close()
    for against in (version, play.table.version + 1):
        done = execute(play.table, Command("x", DEALER, play.now, c.Draw(), against))
        assert isinstance(done, Refusal)
        assert done.code == "stale"
    assert isinstance(execute(play.table, Command("x", DEALER, play.now, c.Draw(), play.table.version)), Done)


GAME = "tiger-buffalo"


def test_four_cards_at_once_and_a_fifth_go_where_they_are_due() -> None:
    play = called(GAME, automated=QUICK)
    play.close()
    play.do(c.Deal(parse_cards("2h 3c Kd Qs")), DEALER)
    assert str(at_table.current(play).coup) == "P 2hKd B 3cQs"
    play = called("super-six", automated=QUICK)
    play.close()
    play.do(c.Deal(parse_cards("2h 3c Kd Qs 5h")), DEALER)
    assert str(at_table.current(play).coup) == "P 2hKd5h B 3cQs"


def test_cards_of_an_electronic_table_are_nobodys_to_put_or_turn() -> None:
    play = open_table(game=GAME, layout="A", positions=6, automated=ELECTRONIC)
    play.sit("ann", 1)
    play.shoe()
    play.call()
    play.do(c.Close(), HOUSE)
    before = play.table.shoe, play.table.balances
    for body in (c.PutCard(1, Side.PLAYER), c.Draw(), c.FindBet("ann", 1, "tie", 100_00)):
        matter = only(play.do(body, DEALER), e.IncidentOpened)
        assert (matter.family, matter.blocks, matter.reported) == ("other", False, True)
    assert (play.table.shoe, play.table.balances) == before
    assert at_table.told(play, c.Draw(), DEALER)[0] == "already_there"


def test_cards_of_an_electronic_table_are_not_keyed() -> None:
    play = open_table(game=GAME, layout="A", positions=6, automated=ELECTRONIC)
    play.sit("ann", 1)
    play.shoe()
    play.call()
    play.do(c.Close(), HOUSE)
    play.do(c.Draw(), HOUSE)
    assert only(play.do(c.Turn(1, parse_cards("9h")[0]), DEALER), e.IncidentOpened).family == "other"
    play.do(c.Turn(1, parse_cards("9h")[0]), HOUSE)


def hands_for(cards: str, *numbers: int) -> list[Side | None]:
    """For which hand cards of these numbers would have left the shoe, with those cards dealt."""
    play = called("super-six", automated=())
    play.close()
    play.deal(cards)
    return [due_hand(at_table.current(play), number) for number in numbers]


def test_for_whom_a_card_left_the_shoe() -> None:
    player, banker = Side.PLAYER, Side.BANKER
    assert hands_for("2h", 1, 2, 3, 4) == [player, banker, player, banker]
    for few in ("2h", "2h 3c", "2h 3c Kd"):
        assert hands_for(few, 5) == [None]
    assert hands_for("2h 2c Kd Qs", 5, 6, 7) == [player, banker, None]  # Banker on 2 draws against anything
    assert hands_for("2h 3c Kd Qs", 5, 6) == [player, None]  # on 3 not against an 8
    assert hands_for("2h 3c Kd Qs 8h", 6) == [None]
    assert hands_for("2h 3c Kd Qs 9h", 6) == [banker]
    assert hands_for("7h 2c Kd Qs", 5, 6) == [banker, None]
    assert hands_for("7h 6c Kd Qs", 5) == [None]
