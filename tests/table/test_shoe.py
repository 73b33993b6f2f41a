"""The shoe from its shuffle to its last round: evidence, cut, burn (reading O), Cut Card (reading K), discards."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rules import at_table
from tests.rules.at_table import called, only, table_of
from tests.table.build import DEALER, MANAGER, SHIFT, SUPERVISOR, Play, open_table
from tests.table.run_down import run_down

from puntobanco.cards import Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.cards.conservation import miscounted
from puntobanco.table.commands import HOUSE
from puntobanco.table.folds import evolve
from puntobanco.table.settings import ELECTRONIC, SettingsError, Step, check_settings, in_order
from puntobanco.table.state import Phase

QUICK = in_order({Step.OFFER, Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM})
HOIANA: dict[str, Any] = {"game": "dragon-tiger-commission", "layout": "A4", "positions": 5}
FOUR, SIX = "9h 8c Kd Ks", "2h 3c Kd Qs 5h 4h"


def told(play: Play, body: c.AnyCommand, actor: str = DEALER) -> tuple[str, str]:
    refusal = play.refused(body, actor)
    return refusal.code, refusal.paragraph


def coup(play: Play, cards: str) -> tuple[e.Event, ...]:
    """A round without bets."""
    play.call()
    play.close()
    return play.do(c.Deal(parse_cards(cards)), play.runner)


# --- from shoe to shoe


@pytest.mark.parametrize("decks", [4, 6, 8, 10])
def test_a_shoe_is_put_up_with_evidence_of_its_shuffle(decks: int) -> None:
    play = open_table(decks=decks)
    assert told(play, c.Call())[0] == "no_shoe"
    assert told(play, c.NewShoe("  "))[0] == "bad_amount"
    assert told(play, c.NewShoe("washed"), "ann")[0] == "rank"
    (started,) = play.do(c.NewShoe(" by machine, counted "), DEALER)
    assert started == e.ShoeStarted(1, 52 * decks, "by machine, counted")
    assert told(play, c.NewShoe("again"))[0] == "shoe_in_use"
    assert play.table.shoe.left == 52 * decks


def test_shoes_change_between_rounds() -> None:
    play = open_table(automated=QUICK)
    assert told(play, c.EndShoe(), SUPERVISOR)[0] == "no_shoe"
    play.shoe()
    play.call()
    assert told(play, c.EndShoe(), SUPERVISOR)[0] == "round_open"
    assert told(play, c.NewShoe("again"))[0] == "round_open"
    play.close()
    play.deal(FOUR)
    assert told(play, c.EndShoe(), DEALER)[0] == "rank"
    assert [result.winner for result in play.table.results] == ["player"]
    (ended,) = play.do(c.EndShoe("a torn card"), SUPERVISOR)
    assert ended == e.ShoeEnded(1, 4, 4, "a torn card")
    assert told(play, c.Call())[0] == "no_shoe"
    play.shoe()
    assert (play.table.shoe.number, play.table.shoe.left, play.table.shoe.discards) == (2, 416, 0)
    assert not play.table.results  # the roads begin anew
    play.call()
    assert play.table.round is not None
    assert play.table.round.number == 2  # rounds are counted on


def test_the_number_of_decks_is_the_books() -> None:
    play = open_table()
    settings = play.table.settings
    for decks in (3, 11):
        changed = {field: getattr(settings, field) for field in settings.__struct_fields__} | {"decks": decks}
        with pytest.raises(SettingsError, match=r"4 to 10 .*2\.2\.1"):
            check_settings(type(settings)(**changed), play.table.book)


# --- the cut


def test_cards_are_cut_before_the_first_one() -> None:
    play = open_table(automated=QUICK)
    play.sit("ann", 1)
    assert told(play, c.CutShoe("ann", 100), "ann")[0] == "no_shoe"
    play.shoe()
    for position in (0, 416):
        assert told(play, c.CutShoe("ann", position), "ann")[0] == "bad_amount"
    assert play.do(c.CutShoe("ann", 1), "ann") == (e.ShoeCut("ann", 1),)
    assert play.do(c.CutShoe(DEALER, 415), DEALER) == (e.ShoeCut(DEALER, 415),)
    coup(play, FOUR)
    assert told(play, c.CutShoe("ann", 100), "ann")[0] == "cards"


# --- the burn (reading O)

BURNS = [
    # setting, the first card, cards burnt in all
    ("first_card", "Ah", 2),
    ("first_card", "2c", 3),
    ("first_card", "9s", 10),
    ("first_card", "Td", 11),
    ("first_card", "Jh", 11),
    ("first_card", "Qh", 11),
    ("first_card", "Kc", 11),
    (1, None, 1),
    (3, None, 3),
    (20, None, 20),
]


@pytest.mark.parametrize(("setting", "first", "wanted"), BURNS)
def test_as_many_cards_are_burnt_as_the_setting_says(setting: Any, first: str | None, wanted: int) -> None:
    play = open_table(**HOIANA, burn=setting)
    assert told(play, c.Burn((None,)))[0] == "no_shoe"
    play.do(c.NewShoe("shuffled"), DEALER)
    shown = parse_cards(first)[0] if first else None
    for number in {1, wanted - 1, wanted + 1} - {0, wanted}:
        events = Play(play.table, ()).do(c.Burn((shown, *[None] * (number - 1))))
        assert [type(event) for event in events] == [e.CardsBurnt, e.IncidentOpened]
    assert told(play, c.Burn(())) == ("burn", "2.2.2")
    cards = (shown, *[None] * (wanted - 1))
    assert play.do(c.Burn(cards), DEALER) == (e.CardsBurnt(cards, "2.2.2"),)
    shoe = play.table.shoe
    assert (shoe.drawn, shoe.left, shoe.burnt, shoe.discards) == (wanted, 416 - wanted, wanted, wanted)
    again = Play(play.table, ()).do(c.Burn(cards))
    assert [type(event) for event in again] == [e.CardsBurnt, e.IncidentOpened]
    play.do(c.Call(), DEALER)


def test_the_first_card_must_be_seen_where_it_decides() -> None:
    play = open_table(**HOIANA, burn="first_card")
    play.do(c.NewShoe("shuffled"), DEALER)
    for cards in ((), (None, None), (None, *parse_cards("2h"), None)):
        assert told(play, c.Burn(cards)) == ("burn", "2.2.2")


@pytest.mark.parametrize("setting", ["none", 0])
def test_no_burn_where_none_is_set(setting: Any) -> None:
    play = open_table(burn=setting)
    play.do(c.NewShoe("shuffled"), DEALER)
    burnt = play.do(c.Burn((None,)))
    assert [type(event) for event in burnt] == [e.CardsBurnt, e.IncidentOpened]
    assert told(play, c.Call(), DEALER)[0] == "flagged"


def test_every_shoe_is_burnt_anew() -> None:
    play = open_table(burn=2, automated=QUICK)
    play.shoe()
    coup(play, FOUR)
    play.do(c.EndShoe(), SUPERVISOR)
    play.do(c.NewShoe("shuffled"), DEALER)
    assert play.table.shoe.burn_due


# --- the Cut Card (reading K)

CUTS = [
    # when it appears, rounds after it by the setting → rounds that may still be called
    ("in a round", 0, 0),
    ("in a round", 1, 1),
    ("while bets are taken", 0, 0),
    ("between rounds", 0, 1),
    ("between rounds", 1, 2),
]


@pytest.mark.parametrize(("when", "setting", "left"), CUTS)
def test_the_cut_card_says_how_many_rounds_are_left(when: str, setting: int, left: int) -> None:
    play = open_table(rounds_after_cut=setting, automated=QUICK)
    assert told(play, c.CutCard())[0] == "no_shoe"
    play.shoe()
    if when != "between rounds":
        play.call()
    if when == "in a round":
        play.close()
        play.do(c.Deal(parse_cards("9h 8c")))
    (seen,) = play.do(c.CutCard(), DEALER)
    assert seen == e.CutCardAppeared(left, "5.7" if when == "in a round" else "1.9")
    assert told(play, c.CutCard()) == ("cards", "1.9")
    if play.table.phase is Phase.BETTING:
        play.close()
        play.do(c.Deal(parse_cards(FOUR)))
    elif play.table.phase is Phase.DEALING:
        play.do(c.Deal(parse_cards("Kd Ks")))
    for _ in range(left):
        assert not play.table.shoe.ended
        coup(play, FOUR)
    assert play.table.shoe.ended
    assert play.events[-1] == e.ShoeEnded(1, play.table.shoe.drawn, play.table.shoe.drawn, About.of("shoe.last_round"))
    assert told(play, c.Call())[0] == "no_shoe"


def test_a_void_round_counts_as_the_last_one() -> None:
    play = open_table()
    play.shoe()
    play.call()
    play.do(c.CutCard())
    play.void("power", "shirley")
    assert play.table.shoe.ended


def test_an_electronic_shoe_marks_its_cut_card() -> None:
    play = open_table(automated=ELECTRONIC, decks=4, cut_card=198)
    play.shoe()
    assert not any(isinstance(event, e.CutCardAppeared) for event in coup(play, SIX))  # 202 left
    events = coup(play, SIX)
    assert [event for event in events if isinstance(event, e.CutCardAppeared)] == [e.CutCardAppeared(0, "5.7")]
    assert isinstance(events[-1], e.ShoeEnded)


def test_no_cut_card_by_itself_at_a_live_table() -> None:
    play = open_table(automated=QUICK, decks=4, cut_card=202)
    play.shoe()
    coup(play, SIX)
    assert not play.table.shoe.cut_seen


# --- the last cards


def nearly_empty(cards: str) -> Play:
    """A live table whose shoe of 208 cards has these left."""
    play = open_table(decks=4, automated=QUICK)
    play.shoe()
    run_down(play, len(cards.split()), cards)
    return play


def test_a_shoe_without_cards_is_over() -> None:
    play = nearly_empty(FOUR)
    events = coup(play, FOUR)
    assert events[-1] == e.ShoeEnded(1, 208, 208, About.of("shoe.empty"))


@pytest.mark.parametrize("cards", ["9h 8c", "2h 3c Kd Qs"])
def test_a_round_that_the_shoe_cannot_finish_is_void(cards: str) -> None:
    play = nearly_empty(cards)
    play.sit("ann", 1)
    play.call()
    play.bet("ann", {"tie": 100_00, "player_pair": 50_00})
    play.close()
    events = play.do(c.Deal(parse_cards(cards)))
    assert [type(event) for event in events] == [e.CardsDealt, e.RoundVoided, e.RoundEnded, e.ShoeEnded]
    assert events[1] == e.RoundVoided(
        play.table.rounds, "5.5.4", (e.Transfer("layout:ann", "chips:ann", 150_00),), About.of("shoe.empty")
    )
    assert play.table.balances["chips:ann"] == 10_000_00


def test_more_cards_than_there_are_cannot_be_dealt() -> None:
    play = nearly_empty("9h 8c")
    play.call()
    play.close()
    assert told(play, c.Deal(parse_cards("9h 8c Kd")), DEALER) == ("cards", "5.5.4")


def test_an_empty_shoe_voids_once_the_cards_lie_open() -> None:
    """With cards face down nobody knows yet whether another one is due."""
    play = nearly_empty("2h 3c Kd Qs")
    play.call()
    play.close()
    for card in parse_cards("2h 3c Kd Qs"):
        play.do(c.Draw(card))
    for number in (1, 2, 3):
        play.do(c.Turn(number))
    assert play.table.phase is Phase.DEALING
    events = play.do(c.Turn(4))
    assert any(isinstance(event, e.RoundVoided) and event.paragraph == "5.5.4" for event in events)


# --- discards


def test_used_cards_are_counted() -> None:
    play = open_table(burn=3, automated=QUICK)
    play.shoe()
    discards = [play.table.shoe.discards]
    for cards in (FOUR, SIX, FOUR):
        ended = next(event for event in coup(play, cards) if isinstance(event, e.RoundEnded))
        discards.append(ended.discards)
    play.call()
    play.close()
    play.do(c.Deal(parse_cards("9h 8c")))
    assert play.table.shoe.discards == 17  # what lies on the table is not there yet
    play.void("power", "shirley")
    discards.append(play.table.shoe.discards)
    assert discards == [3, 7, 13, 17, 19]
    assert play.table.shoe.drawn == 19


def test_the_house_system_runs_an_electronic_shoe() -> None:
    play = open_table(automated=ELECTRONIC)
    play.do(c.NewShoe("shuffled", "commitment"), HOUSE)
    play.do(c.Call(), HOUSE)
    play.do(c.Close(), HOUSE)
    assert told(play, c.Deal(parse_cards("9h")), DEALER)[0] == "cards"  # nobody else names its cards
    play.do(c.Deal(parse_cards(FOUR)), HOUSE)
    assert play.table.phase is Phase.IDLE


def test_nobody_commits_to_the_order_of_cards_that_are_dealt_by_hand() -> None:
    play = open_table()
    assert play.refused(c.NewShoe("shuffled", "ab" * 32), DEALER).detail == "cards.commitment"
    play.do(c.NewShoe("shuffled"), DEALER)
    assert not play.table.shoe.commitment


GAME = "tiger-buffalo"


def test_the_call_after_the_last_round_needs_a_shoe() -> None:
    play = table_of(GAME, automated=at_table.QUICK)
    play.do(c.CutCard(), DEALER)
    play.call()
    play.close()
    play.deal("9h 8c Kd Ks")
    assert only(tuple(play.events), e.ShoeEnded).number == 1
    assert at_table.told(play, c.Call(), DEALER)[0] == "no_shoe"


def test_one_card_left_is_a_shoe_still() -> None:
    play = open_table(automated=at_table.QUICK)
    play.table = evolve(play.table, e.ShoeStarted(1, 5, "what is left of one"))
    play.call()
    play.close()
    play.deal("9h 8c Kd Ks")
    assert (play.table.shoe.left, play.table.shoe.ended) == (1, False)


def test_what_was_dealt_is_in_the_discard_holder_after_each_round() -> None:
    play = called(GAME, automated=at_table.QUICK)
    for discards in (4, 8):
        play.close()
        play.deal("9h 8c Kd Ks")
        assert [event.discards for event in play.events if isinstance(event, e.RoundEnded)][-1] == discards
        assert play.table.shoe.discards == play.table.shoe.drawn == discards
        play.call()


# --- more copies of a card than the decks hold


def test_burnt_cards_count_where_their_faces_are_known() -> None:
    play = open_table(decks=4, automated=QUICK, burn=2)
    play.do(c.NewShoe("shuffled by machine"))
    play.do(c.Burn((*parse_cards("9h"), None)))
    coup(play, "9h 9h 8c 9h")
    assert not play.table.shoe.at_fault
    play.call()
    play.close()
    events = play.do(c.Draw(parse_cards("9h")[0], Side.PLAYER, True))
    assert [type(event) for event in events] == [e.CardDrawn, e.CardPut, e.CardTurned, e.CardsAtFault, e.IncidentOpened]


def test_a_surplus_among_burnt_cards_is_ruled_on_before_the_first_round() -> None:
    play = open_table(decks=4, automated=QUICK, burn=5)
    play.do(c.NewShoe("shuffled by machine"))
    *_, matter = play.do(c.Burn(parse_cards("9h 9h 9h 9h 9h")))
    assert isinstance(matter, e.IncidentOpened)
    assert (matter.family, matter.round) == ("cards_at_fault", 0)
    assert told(play, c.Call()) == ("flagged", "5.5.2")
    events = play.rule(r.PlayOn(), matter.number, "five of them", SHIFT)
    assert isinstance(events[-1], e.ShoeEnded)


def test_a_card_face_down_tells_nothing_yet() -> None:
    play = open_table(decks=4, automated=QUICK)
    play.shoe()
    coup(play, "9h 9h 9h 9h")
    play.call()
    play.close()
    play.do(c.Draw(parse_cards("9h")[0]))
    assert not play.table.incidents
    assert isinstance(play.do(c.Turn(1))[-1], e.IncidentOpened)


@pytest.mark.parametrize("wrong", [1, 2])
def test_a_card_that_was_keyed_wrongly_is_amended_and_nothing_is_left_to_rule_on(wrong: int) -> None:
    """In this round, or in the one before it."""
    play = open_table(decks=4, automated=QUICK)
    play.shoe()
    coup(play, "9h 9h 9h 9h")
    play.call()
    play.close()
    play.do(c.Draw(parse_cards("9h")[0], Side.PLAYER, True))
    assert play.table.shoe.at_fault
    fix = r.CorrectCard(1, parse_cards("9d")[0], round=wrong)
    play.do(c.Propose(fix, 0, "keyed wrongly"), MANAGER)
    for proposal in list(play.table.proposals):
        play.do(c.Approve(proposal), SHIFT)
    assert play.events[-1] == e.IncidentClosed(1, unfounded=True)
    assert not play.table.incidents
    assert not play.table.shoe.at_fault


@pytest.mark.parametrize("cards", [0, 1])
def test_an_earlier_round_amended_to_a_card_too_many_is_flagged_while_the_next_goes_on(cards: int) -> None:
    """While bets are taken, or with a card out that is none of them."""
    play = open_table(decks=4, automated=QUICK)
    play.shoe()
    coup(play, "9h 9h 9h 9h")
    coup(play, "Kd 9c Kc 9s")
    play.call()
    if cards:
        play.close()
        play.do(c.Draw(parse_cards("2c")[0], Side.PLAYER, True))
    play.do(c.Propose(r.CorrectCard(1, parse_cards("9h")[0], round=2), 0, "keyed wrongly"), MANAGER)
    for proposal in list(play.table.proposals):
        play.do(c.Approve(proposal), SHIFT)
    assert play.table.shoe.at_fault
    assert miscounted(play.table) is None


def test_an_amendment_that_shows_a_card_too_many_is_flagged() -> None:
    play = open_table(decks=4, automated=QUICK)
    play.shoe()
    coup(play, "9h 9h 9h 9h")
    coup(play, "9d 8c Kd Ks")
    play.do(c.Propose(r.CorrectCard(1, parse_cards("9h")[0], round=2), 0, "keyed wrongly"), MANAGER)
    *_, matter = play.do(c.Approve(1), SHIFT)
    assert isinstance(matter, e.IncidentOpened)
    assert (matter.family, matter.paragraph) == ("cards_at_fault", "5.5.2")
