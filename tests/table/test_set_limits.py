"""The limit sign of an open table: set by the pit, held from the next round on, and each round by its own."""

from __future__ import annotations

import pytest
from tests.rules.at_table import LAYOUTS, PLAYER_WINS, QUICK, called, money_of, only, place, table_of, told
from tests.table.build import MANAGER, SUPERVISOR, Play

from puntobanco.cards import Side, parse_cards
from puntobanco.money import Rounding
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.bets.limits import room_for
from puntobanco.table.settings import BetLimits, Differential
from puntobanco.views.public import public

GAME = "tiger-buffalo"
SIGN = {
    "da-hu-ying-xiong": "3.4",
    "super-six": "reading L",
    "rws-baccarat": "3.4",
    "tiger-buffalo": "3.4",
    "dragon-tiger-commission": "4.3",
    "dragon-tiger-non-commission": "4.3",
}
"""Where each book has the limits displayed."""
DOUBLE = c.SetLimits(50_00, 4_000_00, 5_00)


def minimum(play: Play, bet: str = "player") -> int:
    sign = public(play.table, play.now).sign
    return next(each.minimum for each in sign.bets if each.code == bet)


@pytest.mark.parametrize("game", LAYOUTS)
def test_limits_set_between_rounds_hold_at_once(game: str) -> None:
    play = table_of(game)
    event = only(play.do(DOUBLE, MANAGER), e.LimitsSet)
    before, after = BetLimits(25_00, 2_000_00, 5_00), BetLimits(50_00, 4_000_00, 5_00)
    assert event == e.LimitsSet("", before, after, 1, SIGN[game])
    assert minimum(play) == 50_00
    play.call()
    assert told(play, place("ann", 1, player=45), "ann")[0] == "below_minimum"
    play.do(place("ann", 1, player=4_000), "ann")


def test_limits_set_in_a_round_are_those_of_the_next() -> None:
    play = called(GAME, automated=QUICK, differential=Differential(100_00))
    assert only(play.do(DOUBLE, MANAGER), e.LimitsSet).round == 2
    raised = only(play.do(c.SetDifferential(300_00, "box"), MANAGER), e.DifferentialSet)
    assert raised == e.DifferentialSet(Differential(100_00), Differential(300_00, "box"), 2, "3.4")
    sign = public(play.table, play.now).sign
    assert (sign.limits_change, sign.differential, minimum(play)) == (True, 100_00, 25_00)
    play.do(place("ann", 1, player=25), "ann")
    assert told(play, place("ann", 1, player=80), "ann")[0] == "differential"
    play.close()
    play.deal(PLAYER_WINS)
    assert money_of(play, "ann") == (10_025, 0)
    sign = public(play.table, play.now).sign
    assert (sign.limits_change, sign.differential, sign.differential_scope, minimum(play)) == (
        False,
        300_00,
        "box",
        50_00,
    )
    play.call()
    assert told(play, place("ann", 1, player=25), "ann")[0] == "below_minimum"
    play.do(place("ann", 1, player=300), "ann")
    play.do(place("bob", 2, player=300), "bob")


def test_a_bet_has_limits_of_its_own_from_then_on() -> None:
    play = table_of(GAME)
    assert only(play.do(c.SetLimits(5_00, 100_00, 5_00, "tie"), MANAGER), e.LimitsSet).bet == "tie"
    play.do(DOUBLE, MANAGER)
    assert (minimum(play, "tie"), minimum(play)) == (5_00, 50_00)
    assert only(play.do(c.SetLimits(10_00, None, 5_00, "tie"), MANAGER), e.LimitsSet).before.maximum == 100_00


def test_the_differential_is_lifted() -> None:
    play = called(GAME, differential=Differential(100_00))
    assert only(play.do(c.SetDifferential(), MANAGER), e.DifferentialSet).differential is None
    play.close()
    play.deal("9h 8c Kd Ks")
    play.finish()
    play.call()
    assert play.table.round is not None
    assert room_for(play.table, play.table.round, 1, Side.PLAYER) is None
    play.do(place("ann", 1, player=2_000), "ann")


@pytest.mark.parametrize(
    "body",
    [
        c.SetLimits(0),
        c.SetLimits(50_00, 45_00),
        c.SetLimits(50_00, step=0),
        c.SetLimits(500_00),
        c.SetLimits(50_00, bet="nothing"),
        c.SetDifferential(20_00),
    ],
    ids=str,
)
def test_a_sign_that_makes_no_sense_is_refused(body: c.SetLimits | c.SetDifferential) -> None:
    play = table_of(GAME, differential=Differential(100_00))
    assert told(play, body, MANAGER) == ("bad_settings", "3.4")
    assert told(play, body, SUPERVISOR)[0] == "rank"


def test_the_sign_goes_by_what_payouts_are_rounded_to() -> None:
    """Reading D: a winning 5 would win nothing where payouts round down to 10."""
    play = table_of(GAME, limits=BetLimits(20_00, None, 10_00), rounding=Rounding(unit=10_00))
    for body in (
        c.SetLimits(25_00, None, 10_00),
        c.SetLimits(20_00, None, 5_00),
        c.SetLimits(5_00, None, 10_00, "tie"),
    ):
        assert told(play, body, MANAGER) == ("bad_settings", "3.4")
    # where no step is set it is the unit, when the table opens and when the sign changes
    assert only(play.do(c.SetLimits(30_00), MANAGER), e.LimitsSet).limits == BetLimits(30_00, None, 10_00)
    opened = table_of(GAME, limits=BetLimits(10_00), rounding=Rounding(unit=10_00))
    assert opened.table.settings.limits == BetLimits(10_00, None, 10_00)
    opened.call()
    assert told(opened, place("ann", 1, player=15), "ann")[0] == "step"
    opened.do(place("ann", 1, player=20), "ann")


def test_a_settled_round_is_put_right_by_the_sign_that_it_was_played_under() -> None:
    """Hoiana 7.2.3 cuts what is over the maximum: that of the round, whatever the sign says when the error is found."""
    play = called("dragon-tiger-commission", automated=QUICK)
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    play.deal(PLAYER_WINS)
    play.do(c.SetLimits(50_00, 10_000_00, 5_00), MANAGER)
    play.rule(r.CorrectBet("ann", 1, "player", 3_000_00, round=1), 0, "the camera shows three plaques", MANAGER)
    assert play.table.last is not None
    assert [line.stake for line in play.table.last.lines] == [2_000_00]


def test_a_bet_of_a_round_that_nobody_knows_is_not_corrected() -> None:
    play = called(GAME, automated=QUICK)
    play.close()
    play.deal(PLAYER_WINS)
    body = c.Propose(r.CorrectBet("ann", 1, "player", 3_000_00, round=99), 0, "misread")
    assert told(play, body, MANAGER)[0] == "no_round"


def test_a_round_that_is_played_on_goes_by_its_own_sign() -> None:
    """A card was missing and is drawn afterwards: the round is open again, and its limits are what they were."""
    play = called(GAME, automated=QUICK)
    play.do(place("ann", 1, player=25), "ann")
    play.close()
    play.deal("Kh 7c 6d Ks")
    play.do(DOUBLE, MANAGER)
    play.do(c.ReportRound(1, parse_cards("Kh 7c 5d Ks"), "Player stood on 5"))
    (incident,) = play.table.incidents
    play.rule(r.Rectify(), incident, "", SUPERVISOR)
    assert (minimum(play), public(play.table, play.now).sign.limits_change) == (25_00, True)
    play.deal("2h")
    assert (minimum(play), public(play.table, play.now).sign.limits_change) == (50_00, False)
