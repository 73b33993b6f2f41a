"""Dragon Tiger at the table, paragraph by paragraph: equipment, calls, limits, squeeze, announcement."""

from __future__ import annotations

from typing import Literal

import pytest
from tests.rules import at_table
from tests.rules.at_table import BANKER_WINS, PLAYER_WINS, QUICK, called, current, money_of, only, place, table_of, told
from tests.rules.histories import holds
from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, SUPERVISOR, Play, open_table

from puntobanco.cards import Side, parse_cards
from puntobanco.coup import Coup
from puntobanco.shoes.scanner import opinions
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.commands import HOUSE
from puntobanco.table.settings import Differential
from puntobanco.table.state import Phase
from puntobanco.views.public import public

GAMES = ("dragon-tiger-commission", "dragon-tiger-non-commission")
GAME = GAMES[0]
both_games = pytest.mark.parametrize("game", GAMES)


# --- 2: definitions


def test_2_2_2_burn() -> None:
    play = open_table(game=GAME, layout="A4", positions=5, burn=3)
    play.do(c.NewShoe("shuffled"), DEALER)
    assert play.table.shoe.burn_due  # 7.11 says what follows if it is forgotten
    burnt = only(play.do(c.Burn((None,) * 3), DEALER), e.CardsBurnt)
    assert burnt.paragraph == "2.2.2"
    shoe = play.table.shoe
    assert (shoe.left, shoe.burnt, shoe.discards) == (413, 3, 3)  # they lie in the discard holder
    play.do(c.Call(), DEALER)
    assert isinstance(Play(play.table, ()).do(c.Burn((None,) * 3))[0], e.CardsBurnt)  # before the first round only
    play.close()
    play.deal(PLAYER_WINS)
    play.finish()
    assert isinstance(Play(play.table, ()).do(c.Burn((None,) * 3))[0], e.CardsBurnt)
    assert play.table.shoe.discards == 7


@both_games
def test_2_2_20_table_differential(game: str) -> None:
    at_table.check_differential(game, over="4.3.1")


@both_games
def test_2_2_22_void(game: str) -> None:
    at_table.check_void(game, ruler=DIRECTOR, void="7.20")


def test_2_2_5_commission_is_kept_by_the_house() -> None:
    at_table.check_commission(GAMES[0], commission="2.2.5")


def test_2_2_12_no_commission_account() -> None:
    play = called(GAMES[1], automated=QUICK)
    play.do(place("ann", 1, banker=100), "ann")
    play.close()
    play.deal("2h 6c 3d Ks Kd")  # Banker wins on 6: half
    assert money_of(play, "ann") == (10_050, 0)
    assert play.table.balances.get("commission", 0) == 0


# --- 3: equipment


def test_3_2_1_light_of_the_shoe() -> None:
    coup = Coup.parse("P 9hKd B 8cKs")
    agreed, doubted = opinions(coup, light="player"), opinions(coup, light="tie", called="player")
    assert agreed is not None
    assert doubted is not None
    assert agreed.disagreements == ()
    assert doubted.disagreements == ("the light of the shoe shows tie, the cards make player",)
    assert doubted.alone == "light"


def test_3_2_3_used_cards_go_to_the_discard_holder() -> None:
    play = called(GAME, automated=QUICK)
    play.close()
    play.deal(at_table.SIX_CARDS[:11])
    assert play.table.shoe.discards == 0  # they lie on the table
    play.deal(at_table.SIX_CARDS[12:])
    assert play.table.shoe.discards == 6
    play.call()
    play.close()
    ended = only(play.do(c.Deal(parse_cards(PLAYER_WINS)), DEALER), e.RoundEnded)
    assert (ended.discards, play.table.shoe.discards) == (10, 10)
    over = only(play.do(c.EndShoe(), SUPERVISOR), e.ShoeEnded)
    assert (over.drawn, over.discards) == (10, 10)
    play = open_table(game=GAME, layout="A4", positions=5, burn=3)
    play.do(c.NewShoe("shuffled"), DEALER)
    play.do(c.Burn((None,) * 3), DEALER)
    assert play.table.shoe.discards == 3  # burnt cards lie there, too


def test_3_2_4_drop_box_and_tip_box() -> None:
    play = table_of(GAME)
    before = dict(play.table.balances)
    bought = only(play.do(c.BuyIn("ann", 300_00), DEALER), e.MoneyMoved)
    assert bought.paragraph == "3.2.4"
    assert bought.transfers == (e.Transfer("cash", "drop", 300_00), e.Transfer("tray", "chips:ann", 300_00))
    tipped = only(play.do(c.Tip("ann", 20_00), "ann"), e.MoneyMoved)
    assert tipped.paragraph == "3.2.4"
    assert tipped.transfers == (e.Transfer("chips:ann", "tips", 20_00),)
    after = play.table.balances
    assert after["drop"] - before["drop"] == 300_00
    assert after["tips"] == 20_00


@pytest.mark.parametrize("what", ["chips", "cash"])
@pytest.mark.parametrize("genuine", [True, False])
def test_3_2_7_suspect_chips_and_cash_are_held_out_of_the_count(what: Literal["chips", "cash"], genuine: bool) -> None:
    play = table_of(GAME)
    before = money_of(play, "ann")
    (held,) = play.do(c.HoldSuspect(what, 500_00, "the lamp shows no mark", "ann"))
    assert isinstance(held, e.SuspectHeld)
    assert held.paragraph == "3.2.7"
    assert sum(move.amount for move in held.transfers if move.target == "suspect") == 500_00
    resolved = c.ResolveSuspect(1, genuine, "examined by the cage")
    assert told(play, resolved, DEALER) == ("rank", told(play, c.SetDifferential(), DEALER)[1])
    (found,) = play.do(resolved, MANAGER)
    assert isinstance(found, e.SuspectResolved)
    assert found.paragraph == "3.2.7"
    assert play.table.balances["suspect"] == 0
    lost = 500 if what == "chips" and not genuine else 0
    assert money_of(play, "ann") == (before[0] - lost, 0)


def test_3_2_8_cards_are_cut_by_a_player_the_dealer_or_above() -> None:
    for person in ("ann", "cho", DEALER, SUPERVISOR, MANAGER):
        play = table_of(GAME)
        cut = only(play.do(c.CutShoe(person, 200), person), e.ShoeCut)
        assert (cut.person, cut.position) == (person, 200)
    assert told(play, c.CutShoe("stranger", 200), "stranger")[0] == "unknown_person"
    assert told(play, c.CutShoe("ann", 200), "bob")[0] == "not_yours"
    play.call()
    play.close()
    play.deal("9h")
    assert told(play, c.CutShoe("ann", 200), "ann")[0] == "cards"
    seen = only(play.do(c.CutCard(), DEALER), e.CutCardAppeared)
    assert (seen.paragraph, seen.rounds_left) == ("3.2.8", 0)


# --- 4: how to play


@both_games
def test_4_1_the_call_opens_the_betting(game: str) -> None:
    at_table.check_call(game, call="4.1")


@both_games
def test_4_2_chips_in_marked_areas_before_the_first_card(game: str) -> None:
    play = called(game)
    play.do(c.CashOut("ann", 9_900_00), "ann")
    assert told(play, place("ann", 1, player=105), "ann")[0] == "funds"  # by means of chips
    assert told(play, place("ann", 6, player=100), "ann") == ("box", play.table.layout.paragraph)
    assert told(play, place("ann", 1, super_six=100), "ann") == ("unknown_bet", play.table.layout.paragraph)
    play.do(place("ann", 1, player=50), "ann")
    assert told(play, c.Deal(parse_cards("9h")), DEALER)[0] == "bets_open"  # no card while bets are taken
    play.close()
    assert told(play, place("ann", 1, player=25), "ann") == ("bets_closed", "4.6")
    play.deal("9h")
    assert told(play, place("ann", 1, player=25), "ann") == ("bets_closed", "4.6")
    assert money_of(play, "ann") == (50, 50)


@both_games
def test_4_3_wagers_keep_within_the_differential(game: str) -> None:
    at_table.check_differential(game, over="4.3.1")
    play = table_of(game, differential=Differential(8_000_00))
    assert public(play.table, play.now).sign.differential == 8_000_00


def over_the_differential(game: str) -> Play:
    """Ann 600, Cho 500 and Bob 400 on Banker, 500 over the limit since Bob took 500 off Player."""
    play = called(game, differential=Differential(1_000_00))
    play.do(place("bob", 1, player=500), "bob")
    play.do(place("ann", 1, banker=600), "ann")
    play.do(place("cho", 1, banker=500), "cho")
    play.do(place("bob", 2, banker=400), "bob")
    flagged = only(play.do(c.Withdraw("bob", 1, "player"), "bob"), e.Flagged)
    assert (flagged.flag, flagged.about, flagged.paragraph) == ("over_differential", About.of("table"), "4.3.1")
    return play


@both_games
def test_4_3_1_wagers_are_altered_until_it_is_met(game: str) -> None:
    play = over_the_differential(game)
    assert told(play, place("ann", 1, banker=25), "ann") == ("differential", "4.3.1")
    play.do(c.Withdraw("cho", 1, "banker", 300_00), "cho")
    assert play.table.flags  # 200 still to go
    play.do(place("ann", 1, player=200), "ann")
    assert not play.table.flags
    play.do(c.Close(), DEALER)
    assert {name: money_of(play, name)[1] for name in ("ann", "bob", "cho")} == {"ann": 800, "bob": 400, "cho": 200}


@both_games
def test_4_3_1_what_nobody_altered_is_rejected_the_latest_first(game: str) -> None:
    play = over_the_differential(game)
    rejected = [event for event in play.do(c.Close(), DEALER) if isinstance(event, e.WagerReduced)]
    assert [(event.person, event.amount, event.why, event.paragraph) for event in rejected] == [
        ("bob", 400_00, "rejected", "4.3.1"),
        ("cho", 100_00, "rejected", "4.3.1"),
    ]
    assert {name: money_of(play, name)[1] for name in ("ann", "bob", "cho")} == {"ann": 600, "bob": 0, "cho": 400}


@both_games
def test_4_4_limits(game: str) -> None:
    at_table.check_limits(game, limits="4.4")
    at_table.check_sign(game)


@both_games
def test_4_5_bets_are_taken_one_by_one(game: str) -> None:
    main = ("banker", "player", "tie", "banker_pair", "player_pair")
    bets = (*main, "small_dragon", "big_dragon", "small_tiger", "big_tiger", "dragon_tiger")
    at_table.check_bets_on_offer(game, bets=bets, bet_types="4.5", elsewhere="tiger_pair")


@both_games
def test_4_6_the_second_call_closes_the_betting(game: str) -> None:
    at_table.check_close(game, close="4.6", late_bet="4.6", late_withdrawal="7.20")


@both_games
def test_4_7_squeeze(game: str) -> None:
    # Cho's 500 is the largest bet, but she stands: the largest seated bet is Bob's
    at_table.check_squeeze(game, holder="bob", squeeze="4.7", denied_by=MANAGER)


@both_games
def test_4_8_pit_manager_bars_the_squeeze(game: str) -> None:
    for ruler in (MANAGER, SHIFT, DIRECTOR):
        play = at_table.squeezing(game)
        for person in ("ann", DEALER, SUPERVISOR, HOUSE):
            assert told(play, c.BarSqueeze("bob"), person) == ("rank", "4.8")
        play.do(c.AskSqueeze("bob", Side.BANKER), "bob")
        play.do(c.AnswerSqueeze("bob", True), DEALER)
        barred = only(play.do(c.BarSqueeze("bob", "bends the cards"), ruler), e.SqueezeBarred)
        assert (barred.person, barred.paragraph, barred.reason) == ("bob", "4.8", "bends the cards")
        assert told(play, c.AskSqueeze("bob", Side.BANKER), "bob") == ("squeeze", "4.8")
        play.do(c.Draw(parse_cards("9h")[0], Side.PLAYER), DEALER)
        play.do(c.Draw(parse_cards("8h")[0], Side.BANKER), DEALER)
        assert told(play, c.Turn(2), "bob")[0] == "squeeze"
        play.void("enough", DIRECTOR)
        play.call()
        play.do(place("bob", 2, banker=400), "bob")
        play.close()
        play.do(c.AskSqueeze("bob", Side.BANKER), "bob")  # barred for that round only


@both_games
def test_4_17_points_and_result_are_announced(game: str) -> None:
    play = called(game)
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    play.deal("2h 3c Kd Qs 6h")  # Banker draws against a 6
    assert told(play, c.Settle(), DEALER)[0] == "not_finished"
    play.deal("2c")
    assert play.table.phase is Phase.DEALING  # nothing is settled before the announcement
    assert told(play, c.Settle(), DEALER) == ("not_finished", "4.17")
    assert told(play, c.Announce("player"), "ann")[0] == "rank"
    announced = only(play.do(c.Announce("player"), DEALER), e.ResultAnnounced)
    assert (announced.player_total, announced.banker_total, announced.result) == (8, 5, "player")
    assert money_of(play, "ann") == (10_100, 0)


# --- 7: irregularities that need nothing more


@both_games
def test_7_2_the_shoe_runs_out(game: str) -> None:
    at_table.check_shoe_runs_out(game, shoe_empty="7.2")


def squeezed_round(game: str) -> Play:
    """Bob was allowed to squeeze Banker's cards, which lie face down."""
    play = at_table.squeezing(game)
    play.do(c.AskSqueeze("bob", Side.BANKER), "bob")
    play.do(c.AnswerSqueeze("bob", True), DEALER)
    for number, card in enumerate(parse_cards("2h 3c Kd Qs"), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER), DEALER)
    return play


@both_games
def test_7_14_the_dealer_opens_for_a_player_who_is_not_there(game: str) -> None:
    play = squeezed_round(game)
    play.do(c.Turn(2), "bob")
    (gone,) = play.do(c.WalkAway("bob"), DEALER)
    assert gone == e.WalkedAway("bob", "7.14")
    for number in (4, 1, 3):
        play.do(c.Turn(number), DEALER)
    for number, (card, hand) in enumerate(zip(parse_cards("6h 2c"), Side, strict=True), 5):
        play.do(c.Draw(card, hand), DEALER)
        play.do(c.Turn(number), DEALER)  # an additional card that nobody was there to receive
    assert not play.table.flags
    play.do(c.Announce("player"), DEALER)
    assert (money_of(play, "ann"), money_of(play, "bob")) == ((10_300, 0), (9_600, 0))


@both_games
def test_7_15_the_dealer_opens_instead_of_the_squeezer(game: str) -> None:
    play = squeezed_round(game)
    for number in (1, 2, 3, 4):
        play.do(c.Turn(number), DEALER)
    assert not play.table.flags
    assert current(play).due is Side.PLAYER  # the game goes on
    play.do(c.Draw(parse_cards("6h")[0], Side.PLAYER, turned=True), DEALER)
    play.do(c.Draw(parse_cards("2c")[0], Side.BANKER, turned=True), DEALER)
    play.do(c.Announce("player"), DEALER)
    assert (money_of(play, "ann"), money_of(play, "bob")) == ((10_300, 0), (9_600, 0))


@both_games
def test_7_16_the_cards_stand_against_a_wrong_call(game: str) -> None:
    play = called(game)
    play.do(place("ann", 1, player=100), "ann")
    play.do(place("bob", 2, banker=100), "bob")
    play.close()
    play.deal(PLAYER_WINS)
    announced = only(play.do(c.Announce("banker"), DEALER), e.ResultAnnounced)
    assert (announced.result, announced.called, announced.paragraph) == ("player", "banker", "7.16")
    assert (money_of(play, "ann"), money_of(play, "bob")) == ((10_100, 0), (9_900, 0))
    assert [result.winner for result in play.table.results] == ["player"]

    right = called(game)
    right.close()
    right.deal(BANKER_WINS)
    announced = only(right.do(c.Announce("banker"), DEALER), e.ResultAnnounced)
    assert (announced.called, announced.paragraph) == ("", right.table.procedures.winner.rule)


# --- 7: cards at fault, bets outside the limits


@both_games
def test_4_3_1_bets_found_in_time_are_altered_or_rejected(game: str) -> None:
    play = called(game, differential=Differential(1_000_00))
    play.do(place("cho", 1, banker=600), "cho")
    assert only(play.do(at_table.find("ann", 1, "banker", 500), DEALER), e.Flagged).paragraph == "4.3.1"
    back = only(play.do(c.Close(), DEALER), e.WagerReduced)  # no priority: the latest first
    assert (back.person, back.amount, back.paragraph) == ("ann", 100_00, "4.3.1")


FAULTS = pytest.mark.parametrize("fault", ["foreign_card", "wrong_card_set", "unshuffled"])


def test_7_1_more_copies_of_a_card_than_the_decks_hold() -> None:
    at_table.check_more_copies_than_decks(GAME, "7.1", "7.1.1")


@both_games
@FAULTS
def test_7_1_cards_missing_too_many_foreign_or_unshuffled(game: str, fault: str) -> None:
    at_table.check_cards_at_fault(game, fault, paragraph="7.1", void="7.1.1")


@FAULTS
def test_7_1_1_the_round_is_void(fault: str) -> None:
    at_table.check_cards_at_fault(GAME, fault, paragraph="7.1", void="7.1.1")


@both_games
@FAULTS
def test_7_1_2_earlier_rounds_stand(game: str, fault: str) -> None:
    at_table.check_fault_after_settlement(game, fault)


def small_bet(play: Play, cards: str, person: str = "ann", box: int = 1) -> int:
    """A bet of 10 on Player, below the minimum, is found after the close: what it changes, in whole units."""
    before = play.table.stack(person)
    play.call()
    play.close()
    play.do(at_table.find(person, box, "player", 10), DEALER)
    play.deal(cards)
    return (play.table.stack(person) - before) // 100


@both_games
@pytest.mark.parametrize(("cards", "change"), [(PLAYER_WINS, 10), (BANKER_WINS, -10)])
def test_7_17_below_the_minimum_is_settled_once(game: str, cards: str, change: int) -> None:
    play = table_of(game, automated=QUICK)
    assert small_bet(play, at_table.TIE) == 0  # a tie does not use it up
    play.call()
    play.close()
    play.do(at_table.find("ann", 1, "player", 10), DEALER)
    play.void("a fire alarm", DIRECTOR)  # nor does a void
    assert small_bet(play, cards) == change
    for later in (PLAYER_WINS, BANKER_WINS):
        assert small_bet(play, later) == 0
        stand = [event for event in play.events if isinstance(event, e.StakesStand)][-1]
        (cut,) = stand.cuts
        assert (cut.person, cut.amount, cut.why, cut.paragraph) == ("ann", 10_00, "below_minimum", "7.17")
    assert small_bet(play, PLAYER_WINS, "bob", 2) == 10  # each player once
    play.do(c.Leave("ann"), "ann")
    play.sit("ann", 1)
    assert small_bet(play, PLAYER_WINS) == 10  # another stay


def test_7_17_correcting_a_round_of_a_former_stay_touches_nobody_else() -> None:
    """Bob's bet was another; Ann, who has come back since, keeps what was decided, and her one time."""
    play = table_of(GAME, automated=QUICK)
    play.call()
    play.do(place("bob", 2, player=100), "bob")
    play.close()
    play.do(at_table.find("ann", 1, "player", 10), DEALER)
    play.deal(PLAYER_WINS)
    assert small_bet(play, PLAYER_WINS) == 0  # a second time it goes back
    play.do(c.Leave("ann"), "ann")
    play.sit("ann", 1)

    def correct(stake: int) -> None:
        for number in (1, 2):
            bet = r.CorrectBet("bob", 2, "player", stake + number * 100, round=number)
            again = only(play.rule(bet, reason="keyed wrongly", by=MANAGER), e.RoundSettledAgain)
            assert {(line.person, line.profit) for line in again.lines if line.person == "ann"} == (
                {("ann", 10_00)} if number == 1 else set()
            )

    correct(200_00)
    assert money_of(play, "ann") == (10_000, 0)
    assert small_bet(play, PLAYER_WINS) == 10  # once in this stay
    correct(300_00)
    assert money_of(play, "ann") == (10_010, 0)
    assert small_bet(play, PLAYER_WINS) == 0


def test_7_17_later_small_bet_takes_nothing_from_an_earlier_one() -> None:
    """Of two rounds the later one comes back; a bet of the first that turns out to be small was the first."""
    play = table_of(GAME, automated=QUICK)
    play.call()
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    play.deal(PLAYER_WINS)
    assert small_bet(play, PLAYER_WINS) == 10
    bet = r.CorrectBet("ann", 1, "player", 5_00, round=1)
    again = only(play.rule(bet, reason="keyed wrongly", by=MANAGER), e.RoundSettledAgain)
    assert [(line.person, line.stake, line.profit) for line in again.lines] == [("ann", 5_00, 5_00)]
    assert money_of(play, "ann") == (10_015, 0)
    assert small_bet(play, PLAYER_WINS) == 0


def test_7_17_what_counted_in_a_round_still_does_when_another_bet_of_it_is_corrected() -> None:
    play = table_of(GAME, automated=QUICK)
    play.call()
    play.do(place("bob", 2, player=100), "bob")
    play.close()
    play.do(at_table.find("ann", 1, "player", 10), DEALER)
    play.deal(PLAYER_WINS)
    bet = r.CorrectBet("bob", 2, "player", 200_00, round=1)
    again = only(play.rule(bet, reason="keyed wrongly", by=MANAGER), e.RoundSettledAgain)
    assert {(line.person, line.profit) for line in again.lines} == {("ann", 10_00), ("bob", 200_00)}
    assert small_bet(play, PLAYER_WINS) == 0


def test_7_17_both_small_bets_of_one_round_are_settled() -> None:
    play = called(GAME, automated=QUICK)
    play.close()
    play.do(at_table.find("ann", 1, "player", 10), DEALER)
    play.do(at_table.find("ann", 1, "tie", 5), DEALER)
    play.deal(PLAYER_WINS)
    assert money_of(play, "ann") == (10_005, 0)
    assert play.table.under_minimum == {"ann"}


def test_7_17_what_pro_rata_takes_below_the_minimum_is_no_small_bet() -> None:
    play = called(GAME, automated=QUICK, differential=Differential(500_00))
    play.do(place("ann", 1, banker=30), "ann")
    play.close()
    play.do(at_table.find("bob", 2, "banker", 1_970), DEALER)
    play.deal(PLAYER_WINS)
    assert at_table.chips(play, "ann", "bob") == (10_000_00 - 7_50, 10_000_00 - 492_50)
    assert play.table.under_minimum == frozenset()


@both_games
@pytest.mark.parametrize(("cards", "change"), [(PLAYER_WINS, 2_000), (BANKER_WINS, -2_000)])
def test_7_18_above_the_maximum_is_settled_up_to_it(game: str, cards: str, change: int) -> None:
    play = called(game, automated=QUICK)
    play.close()
    play.do(at_table.find("ann", 1, "player", 3_000), DEALER)
    assert not play.table.flags  # the book covers it: nothing waits for a ruling
    play.deal(cards)
    assert money_of(play, "ann") == (10_000 + change, 0)
    (cut,) = only(tuple(play.events), e.StakesStand).cuts
    assert (cut.amount, cut.why, cut.paragraph) == (1_000_00, "above_maximum", "7.18")


@both_games
def test_7_19_over_the_differential_is_settled_pro_rata(game: str) -> None:
    at_table.check_pro_rata(game, paragraph="7.19")


def test_7_19_without_a_floor() -> None:
    assert at_table.settled_stakes(GAME, {"ann": 50, "cho": 50}, {"bob": 1_900}, 500) == {
        "ann": 12_50,
        "cho": 12_50,
        "bob": 475_00,
    }


@both_games
def test_7_19_1_bets_below_the_minimum_are_not_scaled(game: str) -> None:
    at_table.check_pro_rata_below_minimum(game)


def test_7_19_comes_after_the_minimum_and_the_maximum() -> None:
    play = table_of(GAME, automated=QUICK, differential=Differential(1_000_00))
    assert small_bet(play, PLAYER_WINS) == 10
    play.call()
    play.do(place("cho", 1, banker=500), "cho")
    play.close()
    play.do(at_table.find("ann", 1, "banker", 20), DEALER)  # goes back: 7.17
    play.do(at_table.find("bob", 2, "banker", 4_500), DEALER)  # 2,000 of it: 7.18
    play.deal(PLAYER_WINS)
    cuts = [event for event in play.events if isinstance(event, e.StakesStand)][-1].cuts
    assert [(cut.person, cut.amount, cut.paragraph) for cut in cuts] == [
        ("ann", 20_00, "7.17"),
        ("bob", 2_500_00, "7.18"),
        ("cho", 300_00, "7.19"),  # 1,000 for 2,500: two fifths
        ("bob", 1_200_00, "7.19"),
    ]
    assert at_table.chips(play, "ann", "bob", "cho") == (10_010_00, 9_200_00, 9_800_00)


@pytest.mark.parametrize("found", [2_000, 5_000])
def test_7_18_and_7_19_bet_taken_back_counts_up_to_the_maximum(found: int) -> None:
    """Ann takes back a bet on Banker of the maximum or more: what stands of Cho's is the same."""
    play = called(GAME, differential=Differential(1_000_00))
    play.do(place("bob", 2, player=1_000), "bob")
    play.do(place("cho", 1, banker=2_000), "cho")
    play.close()
    play.do(at_table.find("ann", 1, "banker", found), DEALER)
    play.deal("2h 3c Kd 9s")
    number = only(play.do(c.Report("simultaneous", "at once", (3, 4)), DEALER), e.IncidentOpened).number
    play.rule(r.DecideOrder((3, 4)), number, by=MANAGER)
    for person, goes_on in (("ann", False), ("bob", True), ("cho", True)):
        play.do(c.TakeOption(person, goes_on), person)
    play.deal("6h Kc")
    play.finish()
    cuts = only(tuple(play.events), e.StakesStand).cuts
    assert [(cut.person, cut.amount, cut.paragraph) for cut in cuts] == [("cho", 1_000_00, "7.19")]


def test_7_17_and_7_19_small_bet_taken_back_counts_for_nothing_the_second_time() -> None:
    play = table_of(GAME, automated=QUICK, differential=Differential(1_000_00))
    assert small_bet(play, PLAYER_WINS) == 10
    play.call()
    play.do(place("bob", 2, banker=1_000), "bob")
    play.close()
    play.do(at_table.find("ann", 1, "banker", 20), DEALER)  # would go back: 7.17
    play.deal("2h 3c Kd 9s")
    number = only(play.do(c.Report("simultaneous", "at once", (3, 4)), DEALER), e.IncidentOpened).number
    play.rule(r.DecideOrder((3, 4)), number, by=MANAGER)
    play.do(c.TakeOption("ann", False), "ann")
    play.do(c.TakeOption("bob", True), "bob")
    play.deal("6h Kc")
    assert [event.cuts for event in play.events if isinstance(event, e.StakesStand)][-1] == ()


def test_4_4_maximum_of_a_box() -> None:
    lines = "call\nbet ann player 600\nbet cho player 500\nexpect refused above_maximum.box 4.4 fits 400\n"
    holds(GAMES[0], lines, at_table.BOX_MAXIMUM, at_table.TO_1000)


def test_7_18_box_over_its_maximum_that_nobody_noticed_is_settled_on_the_maximum() -> None:
    """What came latest is what is over it."""
    lines = "call\nbet ann player 600\nbet cho player 300\nclose\ndeal 9h 8c Kd Ks\nfind bet cho player 300\n"
    lines += "approve 1\nannounce player\nexpect won cho 1 player 400\nexpect won ann player 600\n"
    lines += "expect returned cho 1 player 200\n"
    holds(GAMES[0], lines, "burn rule none\n" + at_table.BOX_MAXIMUM, at_table.TO_1000)


def test_4_10_points_of_each_hand_are_told_before_a_third_card() -> None:
    """Every screen has the count of both hands, and says which hand is due a card."""
    played = holds(
        GAMES[0], "call\nbet ann player 100\nclose\ndeal 2h 3c Kd Qs\nexpect phase dealing\n", "burn rule none"
    )
    assert played.table is not None
    shown = public(played.table, 0).round
    assert shown is not None
    assert (shown.player_total, shown.banker_total, shown.due) == (2, 3, Side.PLAYER)


def test_4_2_no_chips_once_the_first_card_is_out() -> None:
    lines = "call\nbet ann player 100\ndraw ?\nbet ann player 100\nexpect refused bets_closed 2.2.15\n"
    holds(GAMES[0], lines + "withdraw ann player\nexpect refused bets_closed 2.2.15\n", "burn rule none")
