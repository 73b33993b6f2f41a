"""Readings of a scanner and of the dealer, and the light of the shoe."""

from __future__ import annotations

import pytest
from tests.table.build import DEALER, open_table

from puntobanco.cards import Card, Side, parse_cards
from puntobanco.coup import OPENING, Coup
from puntobanco.shoes.scanner import Reading, doubtful, merge, opinions, reports
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.state import Phase
from puntobanco.words import notation

NINE, EIGHT = Card("9h"), Card("8h")


def test_readings_are_laid_side_by_side() -> None:
    readings = merge(parse_cards("9h 8c Kd"), (NINE, None, Card("Ks"), Card("2c"), None))
    assert [reading.card for reading in readings] == [NINE, Card("8c"), None, Card("2c"), None]
    assert [str(reading) for reading in doubtful(readings)] == [
        "card 3: scanned Kd, keyed Ks",
        "card 5: scanned nothing, keyed nothing",
    ]


def play_cards(scanned: str, keyed: str) -> list[e.IncidentOpened]:
    """A live round with these readings of the opening, up to where the table lets it come."""
    play = open_table()
    play.shoe()
    play.call()
    play.close()
    begun = len(play.events)
    cards = [tuple(None if text == "-" else Card(text) for text in side.split()) for side in (scanned, keyed)]
    for reading, hand in zip(merge(*cards), OPENING, strict=True):
        for report in reports(reading, hand):
            play.do(report)
    matters = [event for event in play.events[begun:] if isinstance(event, e.IncidentOpened)]
    if matters or play.table.round is None or not play.table.round.finished:
        assert play.refused(c.Settle()).code in ("flagged", "not_due", "not_finished")
        assert play.table.phase is Phase.DEALING
    else:
        play.do(c.Announce("player"), DEALER)
        play.finish()
        assert any(isinstance(event, e.RoundSettled) for event in play.events)
    return matters


@pytest.mark.parametrize(
    ("scanned", "keyed", "mismatches"),
    [
        ("9h 8c Kd Ks", "9h 8c Kd Ks", []),
        ("9h 8c Kd Ks", "- - - -", []),
        ("- - - -", "9h 8c Kd Ks", []),
        ("9h - Kd -", "- 8c Kd Ks", []),
        ("9h 8c Kd Ks", "9h 8c Kd Qs", ["card 4: read Ks, keyed Qs"]),
        ("9h 8c Kd Ks", "8h 8c Qd Ks", ["card 1: read 9h, keyed 8h", "card 3: read Kd, keyed Qd"]),
        ("9h 8c Kd -", "9h 8c Kd -", []),
    ],
)
def test_both_readings_reach_the_table_and_must_agree_before_the_settlement(
    scanned: str, keyed: str, mismatches: list[str]
) -> None:
    found = play_cards(scanned, keyed)
    assert [(event.family, notation(event.about)) for event in found] == [
        ("card_mismatch", about) for about in mismatches
    ]


def test_a_card_that_nobody_read_stays_face_down() -> None:
    assert reports(Reading(3), Side.PLAYER) == (c.Draw(None, Side.PLAYER),)


PLAYER_WINS = Coup.parse("P 9hKd B 8cKs")


def test_the_light_is_a_third_opinion() -> None:
    agreed = opinions(PLAYER_WINS, "player", "player")
    assert agreed is not None
    assert (agreed.disagreements, agreed.alone) == ((), None)
    for coup, result in (("P 9hKd B 8cKs", "player"), ("P 8cKs B 9hKd", "banker"), ("P 9hKd B 9cKs", "tie")):
        found = opinions(Coup.parse(coup))
        assert found is not None
        assert (found.cards, found.disagreements, found.alone) == (result, (), None)


def test_what_disagrees_is_said_and_who_stands_alone() -> None:
    by_light = opinions(PLAYER_WINS, light="banker")
    assert by_light is not None
    assert by_light.disagreements == ("the light of the shoe shows banker, the cards make player",)
    assert by_light.alone is None  # one against one
    for light, called, alone in (
        ("banker", "player", "light"),
        ("player", "tie", "called"),
        ("tie", "tie", "cards"),
        ("tie", "banker", None),
    ):
        found = opinions(PLAYER_WINS, light, called)  # type: ignore[arg-type]
        assert found is not None
        assert found.alone == alone
        assert len(found.disagreements) == (light != "player") + (called != "player")


def test_no_opinion_before_the_last_card() -> None:
    assert opinions(Coup.parse("P 2hKd B 3cKs"), "player") is None
