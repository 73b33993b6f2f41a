"""Who may squeeze, when, and which cards (readings P and Q).

In the tables, ``1`` is the player seated at box 1; ``1x`` and ``2x`` stand, and ``1@2`` is the player of box 1 behind
box 2. ``B300`` is 300 on Banker.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import pytest
from tests.rules.at_table import called, place, table_of
from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, SUPERVISOR, Play, open_table

from puntobanco.cards import Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE
from puntobanco.table.engine import Done
from puntobanco.table.settings import ELECTRONIC, BetLimits
from puntobanco.table.squeeze.rights import right_holder
from puntobanco.table.state import Round

GAMES: dict[str, dict[str, Any]] = {
    "DH": {"game": "da-hu-ying-xiong", "layout": "A", "positions": 7},
    "S6": {"game": "super-six", "layout": "A", "positions": 9},
    "RB": {"game": "rws-baccarat", "layout": "A", "positions": 7},
    "TB": {"game": "tiger-buffalo", "layout": "A", "positions": 6},
    "HO": {"game": "dragon-tiger-commission", "layout": "A4", "positions": 5},
}
PARAGRAPH = {"DH": "3.9", "RB": "3.9", "TB": "3.9", "HO": "4.7"}
CAST = ("1", "2", "1x", "2x")
BETS = {"P": "player", "B": "banker", "T": "tie"}
PLAYER, BANKER = Side

RIGHTS = """
# books    | rights   | bets, in this order             | Player's cards | Banker's cards

# the largest single bet on Player or Banker, whichever cards are asked for
DH RB HO TB | one      | 1 P100, 2 B200                  | 2              | 2
DH RB HO TB | one      | 1 P300, 2 B200                  | 1              | 1
# single: two bets of one person are not added up
DH RB HO TB | one      | 1 P150, 1 B150, 2 B200          | 2              | 2
# side bets do not count
DH HO TB    | one      | 1 P100, 2 T500                  | 1              | 1
DH HO TB    | one      | 2 T500                          | -              | -
# the earlier among equals; a raised bet is as late as its raise
DH RB HO TB | one      | 1 P200, 2 B200                  | 1              | 1
DH RB HO TB | one      | 2 B200, 1 P200                  | 2              | 2
DH RB HO TB | one      | 1 P100, 2 B200, 1 P100          | 2              | 2
DH RB HO TB | one      | 1 P200, 2 B200, 1 B100          | 1              | 1
# of seated players, except in Tiger Buffalo
DH RB HO    | one      | 1 P100, 1x B500                 | 1              | 1
TB          | one      | 1 P100, 1x B500                 | 1x             | 1x
DH RB HO    | one      | 1x B500, 2x P400                | -              | -
TB          | one      | 1x B500, 2x P400                | 1x             | 1x
# the player sits, wherever the bet lies
DH RB HO TB | one      | 1@2 B500, 2 P100                | 1              | 1
DH RB HO    | one      | 1@2 B200, 2 P100, 1x P500       | 1              | 1
DH RB HO TB | per_hand | 1@2 B500, 2 P100                | 2              | 1
# one right for each hand
DH RB HO TB | per_hand | 1 P100, 2 B200                  | 1              | 2
DH RB HO TB | per_hand | 1 P100, 2 P200                  | 2              | -
DH RB HO TB | per_hand | 1 P100, 2 P100, 2 B25, 1 B25    | 1              | 2
DH RB HO    | per_hand | 1 P100, 1x P500, 2x B500        | 1              | -
TB          | per_hand | 1 P100, 1x P500, 2x B500        | 1x             | 2x
# nobody at super-six
S6          | one      | 1 P100, 2 B200                  | -              | -
S6          | per_hand | 1 P100, 2 B200                  | -              | -
"""


def rights() -> list[tuple[str, str, str, str, str]]:
    found = []
    for line in RIGHTS.splitlines():
        if line and not line.startswith("#"):
            books, setting, bets, player, banker = (cell.strip() for cell in line.split("|"))
            found += [(book, setting, bets, player, banker) for book in books.split()]
    return found


def at_close(book: str, bets: str, **changes: Any) -> Play:
    """A face-down table, these bets placed and closed."""
    play = open_table(**GAMES[book] | {"face_down": True, "limits": BetLimits(25_00, None, 5_00)} | changes)
    for person in CAST:
        play.sit(person, int(person[0]), seated=len(person) == 1)
    play.shoe()
    play.call()
    for text in bets.split(", "):
        who, what = text.split()
        person, _, behind = who.partition("@")
        play.bet(person, {BETS[what[0]]: int(what[1:]) * 100}, int(behind or person[0]))
    play.close()
    return play


def current(play: Play) -> Round:
    assert play.table.round is not None
    return play.table.round


def draw(play: Play, cards: str, *, turned: bool = False) -> None:
    """Cards from the shoe, scanned, each put where it is due."""
    for card in parse_cards(cards):
        play.do(c.Draw(card, current(play).due, turned), play.runner)


def granted(play: Play, person: str, hand: Side) -> None:
    play.do(c.AskSqueeze(person, hand), person)
    play.do(c.AnswerSqueeze(person, True), DEALER)


def told(play: Play, body: c.AnyCommand, actor: str) -> tuple[str, str]:
    refusal = play.refused(body, actor)
    return refusal.code, refusal.paragraph


def turned(play: Play) -> list[int]:
    return [number for number, drawn in enumerate(current(play).cards, 1) if drawn.turned]


# --- reading P: whose right it is


@pytest.mark.parametrize(("book", "setting", "bets", "player", "banker"), rights())
def test_who_has_the_right(book: str, setting: str, bets: str, player: str, banker: str) -> None:
    play = at_close(book, bets, squeeze_rights=setting)
    for hand, holder in ((PLAYER, player), (BANKER, banker)):
        for person in CAST:
            if person == holder:
                (asked,) = play.do(c.AskSqueeze(person, hand), person)
                assert asked == e.SqueezeAsked(person, hand, PARAGRAPH[book])
            else:
                assert told(play, c.AskSqueeze(person, hand), person) == ("squeeze", PARAGRAPH.get(book, ""))


@pytest.mark.parametrize("book", PARAGRAPH)
def test_only_where_cards_are_dealt_face_down(book: str) -> None:
    play = at_close(book, "1 P100", face_down=False)
    assert told(play, c.AskSqueeze("1", PLAYER), "1") == ("squeeze", PARAGRAPH[book])


@pytest.mark.parametrize("book", PARAGRAPH)
def test_only_between_the_close_and_the_result(book: str) -> None:
    play = at_close(book, "1 P100")
    draw(play, "9h 8c Kd Ks", turned=True)
    assert told(play, c.AskSqueeze("1", PLAYER), "1") == ("squeeze", PARAGRAPH[book])
    play.finish()
    assert told(play, c.AskSqueeze("1", PLAYER), "1") == ("squeeze", PARAGRAPH[book])
    play.call()
    play.bet("1", {"player": 100_00})
    assert told(play, c.AskSqueeze("1", PLAYER), "1") == ("squeeze", PARAGRAPH[book])  # bets may still come
    play.close()
    play.do(c.AskSqueeze("1", PLAYER), "1")


# --- reading P: before the card is dealt


def asked_late(cards: str, hand: Side) -> Play:
    """Asked for after these cards had left the shoe; then the rest of a six-card round is drawn."""
    play = at_close("DH", "1 P100")
    draw(play, cards)
    granted(play, "1", hand)
    return play


@pytest.mark.parametrize(
    ("before", "hand", "opens"),
    [
        ("", PLAYER, [1, 3]),
        ("", BANKER, [2, 4]),
        ("2h", PLAYER, [3]),
        ("2h", BANKER, [2, 4]),
        ("2h 3c", BANKER, [4]),
        ("2h 3c Kd", PLAYER, []),
        ("2h 3c Kd", BANKER, [4]),
    ],
)
def test_cards_that_were_out_are_not_squeezed(before: str, hand: Side, opens: list[int]) -> None:
    play = asked_late(before, hand)
    rest = ["2h", "3c", "Kd", "Qs"][len(before.split()) :]
    draw(play, " ".join(rest))
    for number in (1, 2, 3, 4):
        if number in opens:
            play.do(c.Turn(number), "1")
        else:
            assert told(play, c.Turn(number), "1") == ("squeeze", "3.9")
            play.do(c.Turn(number), DEALER)
    draw(play, "5h")
    assert may_turn(play, 5) == (hand is PLAYER)  # third cards come after the request
    play.do(c.Turn(5), DEALER)
    draw(play, "4h")
    assert may_turn(play, 6) == (hand is BANKER)


def may_turn(play: Play, number: int) -> bool:
    return isinstance(play.ask(c.Turn(number), "1"), Done)


def test_asked_for_when_all_cards_of_the_hand_are_out() -> None:
    play = at_close("DH", "1 P100")
    draw(play, "2h 3c Kd Qs")
    for hand in Side:
        assert told(play, c.AskSqueeze("1", hand), "1") == ("squeeze", "3.9")  # nobody knows yet who draws
    for number in (1, 2, 3, 4):
        play.do(c.Turn(number))
    assert told(play, c.AskSqueeze("1", BANKER), "1") == ("squeeze", "3.9")  # Player is due a card first
    granted(play, "1", PLAYER)
    draw(play, "5h")
    assert told(play, c.AskSqueeze("1", BANKER), "1") == ("squeeze", "3.9")
    play.do(c.Turn(5), "1")
    granted(play, "1", BANKER)
    draw(play, "4h")
    play.do(c.Turn(6), "1")
    assert turned(play) == [1, 2, 3, 4, 5, 6]


# --- the House's answer, and who turns


def test_a_squeeze_needs_the_houses_consent() -> None:
    play = at_close("RB", "1 P100, 2 B50")
    assert told(play, c.AnswerSqueeze("1", True), DEALER) == ("unknown_request", "3.9")
    play.do(c.AskSqueeze("1", PLAYER), "1")
    assert told(play, c.AskSqueeze("1", PLAYER), "1") == ("already_there", "3.9")
    draw(play, "2h")
    assert told(play, c.Turn(1), "1") == ("squeeze", "3.9")  # nobody has answered
    for person in ("1", "2"):
        assert told(play, c.AnswerSqueeze("1", True), person)[0] == "rank"
    (answer,) = play.do(c.AnswerSqueeze("1", True), DEALER)
    assert answer == e.SqueezeAnswered("1", PLAYER, True, "3.9")
    assert told(play, c.AnswerSqueeze("1", True), DEALER) == ("unknown_request", "3.9")
    for person in ("2", "1x", "stranger"):
        assert told(play, c.Turn(1), person) == ("squeeze", "3.9")
    (opened,) = play.do(c.Turn(1), "1")
    assert opened == e.CardTurned(1, parse_cards("2h")[0], "1")


def test_a_refused_squeeze_gives_no_right() -> None:
    play = at_close("RB", "1 P100")
    play.do(c.AskSqueeze("1", PLAYER), "1")
    play.do(c.AnswerSqueeze("1", False), DEALER)
    draw(play, "2h")
    assert told(play, c.Turn(1), "1") == ("squeeze", "3.9")
    play.do(c.Turn(1), DEALER)


def test_both_hands_may_be_asked_for() -> None:
    play = at_close("RB", "1 P100")
    for hand in Side:
        play.do(c.AskSqueeze("1", hand), "1")
    (first,) = play.do(c.AnswerSqueeze("1", True), DEALER)
    (second,) = play.do(c.AnswerSqueeze("1", False), DEALER)
    assert (first, second) == (
        e.SqueezeAnswered("1", PLAYER, True, "3.9"),
        e.SqueezeAnswered("1", BANKER, False, "3.9"),
    )
    draw(play, "2h 3c")
    play.do(c.Turn(1), "1")
    assert told(play, c.Turn(2), "1") == ("squeeze", "3.9")


def test_players_do_not_key_cards() -> None:
    play = at_close("RB", "1 P100")
    granted(play, "1", PLAYER)
    play.do(c.Draw(None, PLAYER))  # no scanner
    assert told(play, c.Turn(1, parse_cards("9h")[0]), "1") == ("rank", "1.5")
    assert told(play, c.Turn(1), "1")[0] == "cards"
    play.do(c.Turn(1, parse_cards("2h")[0]), DEALER)


def test_an_electronic_table_grants_by_itself() -> None:
    play = at_close("TB", "1 P100", automated=ELECTRONIC)
    _, answered = play.do(c.AskSqueeze("1", PLAYER), "1")
    assert answered == e.SqueezeAnswered("1", PLAYER, True, "3.9")
    draw(play, "2h 3c")
    play.do(c.Turn(1), "1")
    assert told(play, c.Turn(2), "1") == ("squeeze", "3.9")


def test_staff_may_ask_for_a_player() -> None:
    play = at_close("TB", "1 P100, 2 B50")
    assert told(play, c.AskSqueeze("1", PLAYER), "2")[0] == "not_yours"
    play.do(c.AskSqueeze("1", PLAYER), DEALER)


# --- barring, at Hoiana


def test_a_pit_manager_bars_at_hoiana() -> None:
    for ruler in (MANAGER, SHIFT, DIRECTOR):
        play = at_close("HO", "1 P100, 2 B50")
        for person in ("2", DEALER, SUPERVISOR, HOUSE):
            assert told(play, c.BarSqueeze("1"), person) == ("rank", "4.8")
        granted(play, "1", PLAYER)
        play.do(c.BarSqueeze("1", "hides cards"), ruler)
        draw(play, "2h")
        assert told(play, c.Turn(1), "1") == ("squeeze", "4.8")
        assert told(play, c.AskSqueeze("1", PLAYER), "1") == ("squeeze", "4.8")
        assert told(play, c.BarSqueeze("1"), ruler) == ("already_there", "4.8")
        play.do(c.Turn(1), DEALER)


def test_who_is_barred_may_not_even_ask() -> None:
    play = open_table(**GAMES["HO"], face_down=True)
    play.sit("1", 1)
    assert told(play, c.BarSqueeze("1"), MANAGER) == ("no_round", "4.8")
    play.shoe()
    play.call()
    play.bet("1", {"player": 100_00})
    play.do(c.BarSqueeze("1"), MANAGER)  # before the close, too
    play.close()
    assert told(play, c.AskSqueeze("1", PLAYER), "1") == ("squeeze", "4.8")


@pytest.mark.parametrize("book", ["DH", "S6", "RB", "TB"])
def test_nobody_bars_elsewhere(book: str) -> None:
    play = at_close(book, "1 P100")
    for ruler in (MANAGER, SHIFT, DIRECTOR):
        assert told(play, c.BarSqueeze("1"), ruler) == ("squeeze", PARAGRAPH.get(book, ""))


# --- reading Q: Banker's third card first, in Tiger Buffalo


def after_four(cards: str, bets: str = "1 P100, 2 B50", **changes: Any) -> Play:
    play = at_close("TB", bets, **changes)
    draw(play, cards, turned=True)
    return play


def openings() -> Iterable[tuple[int, int]]:
    return ((player, banker) for player in range(10) for banker in range(10))


def two_cards(points: int) -> tuple[str, str]:
    return ("K" if points == 0 else "A" if points == 1 else str(points)) + "h", "Kd"


@pytest.mark.parametrize("how", ["squeeze", "expose"])
def test_only_where_both_draw_whatever_comes(how: Literal["squeeze", "expose"]) -> None:
    """Player on 0 to 5 draws, Banker on 0 to 2 does so against every card."""
    base = at_close("TB", "1 P100, 2 B50")
    for player, banker in openings():
        (first, third), (second, fourth) = two_cards(player), two_cards(banker)
        play = Play(base.table, tuple(base.entries))
        draw(play, f"{first} {second} {third} {fourth}", turned=True)
        if player <= 5 and banker <= 2:
            play.do(c.AskEarlySqueeze("1", how), "1")
        else:
            assert told(play, c.AskEarlySqueeze("1", how), "1") == ("squeeze", "3.14"), (player, banker)


def test_it_is_asked_for_between_the_fourth_card_and_players_third() -> None:
    play = at_close("TB", "1 P100")
    early = c.AskEarlySqueeze("1", "squeeze")
    assert told(play, early, "1") == ("squeeze", "3.14")
    draw(play, "2h Ac Kd Ks")
    assert told(play, early, "1") == ("squeeze", "3.14")  # the cards lie face down
    for number in (1, 2, 3, 4):
        play.do(c.Turn(number))
    draw(play, "5h")  # Player's third is out, but not opened
    assert isinstance(play.ask(early, "1"), Done)
    play.do(c.Turn(5))
    assert told(play, early, "1") == ("squeeze", "3.14")


def test_it_is_the_highest_bettors_to_ask() -> None:
    play = after_four("2h Ac Kd Ks", "1 P100, 2 B50, 1x B300")
    for person in ("1", "2", "2x"):
        assert told(play, c.AskEarlySqueeze(person, "squeeze"), person) == ("squeeze", "3.9")
    play.do(c.AskEarlySqueeze("1x", "squeeze"), "1x")
    assert told(play, c.AskEarlySqueeze("1x", "expose"), "1x") == ("already_there", "3.14")


def test_with_one_right_for_each_hand_it_is_whose_cards_they_are() -> None:
    """Squeezed by who has the right to Banker's cards, exposed for the player who squeezes Player's."""
    play = after_four("2h Ac Kd Ks", "1 P100, 2 B50", squeeze_rights="per_hand")
    assert told(play, c.AskEarlySqueeze("1", "squeeze"), "1") == ("squeeze", "3.9")
    assert told(play, c.AskEarlySqueeze("2", "expose"), "2") == ("squeeze", "3.9")
    assert isinstance(play.ask(c.AskEarlySqueeze("2", "squeeze"), "2"), Done)
    assert isinstance(play.ask(c.AskEarlySqueeze("1", "expose"), "1"), Done)


@pytest.mark.parametrize("book", ["DH", "S6", "RB", "HO"])
def test_other_books_do_not_know_it(book: str) -> None:
    play = at_close(book, "1 P100")
    draw(play, "2h Ac Kd Ks", turned=True)
    assert told(play, c.AskEarlySqueeze("1", "squeeze"), "1") == ("squeeze", PARAGRAPH.get(book, ""))


def test_not_where_cards_are_dealt_face_up() -> None:
    play = after_four("2h Ac Kd Ks", face_down=False)
    assert told(play, c.AskEarlySqueeze("1", "squeeze"), "1") == ("squeeze", "3.9")


def test_the_house_consents_through_a_supervisor_or_above() -> None:
    for person in (DEALER, HOUSE):
        play = after_four("2h Ac Kd Ks")
        play.do(c.AskEarlySqueeze("1", "squeeze"), "1")
        assert told(play, c.AnswerSqueeze("1", True), person) == ("rank", "3.14")
        assert told(play, c.AnswerSqueeze("1", False), person) == ("rank", "3.14")
    for person in (SUPERVISOR, MANAGER, SHIFT, DIRECTOR):
        play = after_four("2h Ac Kd Ks")
        play.do(c.AskEarlySqueeze("1", "squeeze"), "1")
        (answer,) = play.do(c.AnswerSqueeze("1", True), person)
        assert answer == e.SqueezeAnswered("1", BANKER, True, "3.14", "squeeze")


def early(how: Literal["squeeze", "expose"], *, consent: bool = True) -> Play:
    """Asked for and answered, and Player's third card drawn, face down."""
    play = after_four("2h Ac Kd Ks", "1 P100, 2 B50, 2x P50")
    play.do(c.AskEarlySqueeze("1", how), "1")
    play.do(c.AnswerSqueeze("1", consent), SUPERVISOR)
    draw(play, "6h")
    return play


def test_bankers_third_is_squeezed_before_players() -> None:
    play = early("squeeze")
    assert current(play).due is BANKER
    draw(play, "5s")
    assert not play.table.flags
    assert told(play, c.Turn(5), "1") == ("squeeze", "3.9")  # Player's was not asked for
    play.do(c.Turn(6), "1")
    play.do(c.Turn(5), DEALER)
    assert str(current(play).coup) == "P 2hKd6h B AcKs5s"
    assert current(play).finished


def test_bankers_third_is_exposed_before_players_is_squeezed() -> None:
    play = after_four("2h Ac Kd Ks")
    granted(play, "1", PLAYER)
    play.do(c.AskEarlySqueeze("1", "expose"), "1")
    play.do(c.AnswerSqueeze("1", True), SUPERVISOR)
    draw(play, "6h 5s")
    assert told(play, c.Turn(6), "1") == ("squeeze", "3.9")  # it is the dealer's to expose
    play.do(c.Turn(6), DEALER)
    play.do(c.Turn(5), "1")
    assert current(play).finished


@pytest.mark.parametrize("how", ["squeeze", "expose"])
def test_it_waives_the_second_window_for_everybody(how: Literal["squeeze", "expose"]) -> None:
    play = early(how)
    draw(play, "5s")
    play.do(c.Turn(6), DEALER)
    events = play.do(c.Turn(5), DEALER)  # Player 8 on three cards: a row fits for 1 and 2x
    assert not any(isinstance(event, e.InsuranceOffered) for event in events)
    for person, box in (("1", 1), ("2x", 2)):
        assert told(play, c.Insure(person, box, PLAYER, 25_00), person) == ("no_insurance", "3.12")


@pytest.mark.parametrize("how", ["squeeze", "expose"])
def test_it_waives_even_where_players_third_is_opened_first(how: Literal["squeeze", "expose"]) -> None:
    play = early(how)
    events = play.do(c.Turn(5), DEALER)
    assert not any(isinstance(event, e.InsuranceOffered) for event in events)


def test_without_consent_nothing_is_waived() -> None:
    play = early("squeeze", consent=False)
    events = play.do(c.Turn(5), DEALER)
    (offered,) = (event for event in events if isinstance(event, e.InsuranceOffered))
    assert offered.offers[0].people == ("1", "2x")


def test_without_consent_bankers_third_waits_for_players() -> None:
    play = early("squeeze", consent=False)
    assert current(play).due is None
    draw_anyway = play.do(c.Draw(parse_cards("5s")[0]))
    assert [event.family for event in draw_anyway if isinstance(event, e.IncidentOpened)] == ["excess_cards"]


def test_where_nobody_insures_bankers_sure_third_does_not_wait() -> None:
    play = open_table(face_down=True, no_insurance=True)
    play.sit("1", 1)
    play.shoe()
    play.call()
    play.bet("1", {"player": 100_00})
    play.close()
    play.deal("2h Ac Kd Ks")
    draw(play, "6h")
    assert play.table.due is BANKER
    draw(play, "5s")
    assert not play.table.incidents


def test_a_game_without_squeeze_says_so() -> None:
    play = called("super-six", face_down=True)
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    refused = play.refused(c.AskSqueeze("ann", Side.PLAYER), "ann")
    assert refused.detail == "squeeze.game"


GAME = "tiger-buffalo"


def test_nobody_squeezes_between_rounds() -> None:
    assert right_holder(table_of(GAME, face_down=True).table, Side.PLAYER) is None
