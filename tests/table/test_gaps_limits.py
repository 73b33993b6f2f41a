"""What the mutation score and the branches showed missing about limits and the Differential, to the unit."""

from __future__ import annotations

from tests.rules.at_table import PLAYER_WINS, QUICK, called, current, find, only, place, stakes_of, table_of, told
from tests.table.build import DEALER, book_without, open_table

from puntobanco.cards import Side
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.bets.limits import lead, make_room, room_for
from puntobanco.table.cards.misdealt import due_hand
from puntobanco.table.settings import BetLimits, Differential
from puntobanco.table.squeeze.rights import right_holder

GAME = "tiger-buffalo"
UNITS = BetLimits(minimum=1, maximum=None, step=1)


def test_what_fits_is_whole_steps_within_the_maximum() -> None:
    play = called(GAME, limits=BetLimits(minimum=25_00, maximum=2_002_00, step=5_00))
    assert play.refused(place("ann", 1, player=2_005), "ann").fits == 2_000_00
    play.do(find("ann", 1, "player", 2_500), DEALER)
    refused = play.refused(place("ann", 1, player=25), "ann")
    assert (refused.code, refused.fits) == ("above_maximum", 0)


def test_what_stays_after_a_withdrawal() -> None:
    play = called(GAME, limits=BetLimits(minimum=26_00, maximum=2_000_00, step=5_00))
    play.do(place("ann", 1, player=35), "ann")
    assert told(play, c.Withdraw("ann", 1, "player", 9_00), "ann")[0] == "step"  # 26 is just the minimum
    assert play.refused(c.Withdraw("ann", 1, "player", 9_00), "ann").fits == 5_00
    play.do(find("bob", 2, "player", 20), DEALER)
    refused = play.refused(c.Withdraw("bob", 2, "player", 5_00), "bob")
    assert (refused.code, refused.fits) == ("below_minimum", 0)  # all of it, or none


def test_the_differential_to_the_unit() -> None:
    play = called(GAME, limits=UNITS, differential=Differential(500_00))
    play.do(place("bob", 2, player=500), "bob")
    refused = play.refused(c.Place("cho", 1, {"player": 1}), "cho")
    assert (refused.code, refused.fits) == ("differential", 0)
    assert refused.message.endswith("leaves room for 0.00 SGD")
    play.do(c.FindBet("bob", 2, "player", 3), DEALER)
    refused = play.refused(c.Place("cho", 1, {"player": 1}), "cho")
    assert refused.fits == 0
    assert refused.message.endswith("leaves room for 0.00 SGD")
    play.do(c.Place("ann", 1, {"player": 7, "banker": 7}), "ann")  # a pair that changes nothing needs no room
    assert lead(play.table, current(play)) == 500_03
    assert room_for(play.table, current(play), 1, Side.BANKER) == 1_000_03


def test_room_for_just_the_minimum_is_offered() -> None:
    play = called(GAME, differential=Differential(500_00))
    play.do(place("bob", 2, banker=475), "bob")
    assert play.refused(place("cho", 1, banker=30), "cho").fits == 25_00
    assert make_room(play.table, current(play), "cho", 1, Side.BANKER, 25_00) == []


def test_a_last_unit_under_the_minimum_goes_back_too() -> None:
    play = called(GAME, limits=BetLimits(minimum=5, maximum=None, step=1), differential=Differential(500_00))
    play.do(c.Place("cho", 1, {"banker": 100}), "cho")
    play.do(c.Place("ann", 1, {"banker": 499_99}), "ann")  # 99 too many: one unit of Cho's would stay
    assert stakes_of(play) == {("ann", "banker"): 499}
    back = [event for event in play.events if isinstance(event, e.WagerReduced)]
    assert [(event.person, event.amount) for event in back] == [("cho", 100)]


def test_no_differential_is_no_limit() -> None:
    play = called(GAME)
    assert room_for(play.table, current(play), 1, Side.PLAYER) is None
    assert make_room(play.table, current(play), "ann", 1, Side.PLAYER, 1_000_000_00) == []


def test_a_unit_over_the_maximum_found_late_is_flagged() -> None:
    play = called(GAME)
    play.close()
    assert only(play.do(c.FindBet("ann", 1, "player", 2_000_01), DEALER), e.IncidentOpened).family == "above_maximum"


def test_nobody_squeezes_between_rounds() -> None:
    assert right_holder(table_of(GAME, face_down=True).table, Side.PLAYER) is None


def hands_for(cards: str, *numbers: int) -> list[Side | None]:
    """For which hand cards of these numbers would have left the shoe, with those cards dealt."""
    play = called("super-six", automated=())
    play.close()
    play.deal(cards)
    return [due_hand(current(play), number) for number in numbers]


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


def test_who_has_walked_away_insures_nothing() -> None:
    play = called(GAME, automated=QUICK, forgo="window")
    for person, box in (("ann", 1), ("bob", 2)):
        play.do(place(person, box, banker=100), person)
    play.close()
    play.deal("2h 4c Kd Ks")
    assert current(play).window is not None
    play.do(c.WalkAway("bob"), DEALER)
    assert told(play, c.Insure("bob", 2, Side.BANKER, 50_00), DEALER) == ("forgone", "5.3")


def test_a_bet_below_the_minimum_cites_the_limits_where_no_paragraph_is_about_it() -> None:
    play = called("dragon-tiger-commission")
    play.do(find("ann", 1, "player", 10), DEALER)
    assert play.table.flags == {("below_minimum", "ann box 1 player"): "4.4"}


def test_the_differential_cites_its_own_paragraph_where_none_is_about_an_excess() -> None:
    play = open_table(book=book_without("over_differential"), differential=Differential(500_00))
    play.sit("ann", 1)
    play.shoe()
    play.call()
    assert told(play, place("ann", 1, player=505), "ann") == ("differential", play.table.cite("differential"))


def test_what_stands_is_told_under_the_first_paragraph_that_took_something_off() -> None:
    """Hoiana: a second bet below the minimum goes back (7.17), then what is over the maximum (7.18)."""
    play = called("dragon-tiger-commission", automated=QUICK)
    play.close()
    play.do(find("bob", 2, "player", 10), DEALER)
    play.deal(PLAYER_WINS)
    play.call()
    play.close()
    play.do(find("bob", 2, "player", 10), DEALER)
    play.do(find("ann", 1, "player", 2_500), DEALER)
    play.deal(PLAYER_WINS)
    stand = [event for event in play.events if isinstance(event, e.StakesStand)][-1]
    assert [(cut.person, cut.amount, cut.paragraph) for cut in stand.cuts] == [
        ("bob", 10_00, "7.17"),
        ("ann", 500_00, "7.18"),
    ]
    assert stand.paragraph == "7.17"


def test_bets_that_change_nothing_about_the_differential_push_nobody_back() -> None:
    play = called(GAME, differential=Differential(500_00))
    play.do(find("cho", 1, "banker", 600), DEALER)
    for wagers in ({"tie": 25_00}, {"player": 25_00, "banker": 25_00}):
        only(play.do(c.Place("ann", 1, wagers), "ann"), e.WagersPlaced)
        assert current(play).wagers["cho", 1, "banker"].stake == 600_00
