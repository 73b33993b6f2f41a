"""What the tests of the books' table procedures share: a table of each game, and what the books have in common.

Ann sits at box 1, Bob at box 2, Cho stands behind box 1; each has chips for 10,000. A check takes the paragraphs that
its book must cite, so that they stand in the test of the book.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from tests.rules.histories import holds
from tests.table.build import DEALER, DIRECTOR, SHIFT, Play, open_table
from tests.table.run_down import run_down

from puntobanco.bets import Result
from puntobanco.cards import Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About, about_bet
from puntobanco.table.cases.remedies import choices
from puntobanco.table.commands import AnyCommand
from puntobanco.table.settings import BetLimits, Differential, Step
from puntobanco.table.state import Phase, Round
from puntobanco.views.public import public

LAYOUTS = {
    "da-hu-ying-xiong": ("A", 7),
    "super-six": ("A", 9),
    "rws-baccarat": ("A", 7),
    "tiger-buffalo": ("A", 6),
    "dragon-tiger-commission": ("A4", 5),
    "dragon-tiger-non-commission": ("A2", 5),
}
LIMITS = BetLimits(minimum=25_00, maximum=2_000_00, step=5_00)
QUICK = (Step.OFFER, Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM)
"""A live table on which what follows the last card goes by itself."""

PLAYER_WINS = "9h 8c Kd Ks"
BANKER_WINS = "8h 9c Kd Ks"
TIE = "9h 9c Kd Ks"
SIX_CARDS = "2h 3c Kd Qs 5h 4h"


def tie_bet(game: str) -> str:
    """A side bet that every layout of the game carries."""
    return "any_tie" if game == "rws-baccarat" else "tie"


def table_of(game: str, **changes: Any) -> Play:
    """A table of the game with three players, a shoe, and no round yet."""
    layout, positions = LAYOUTS[game]
    play = open_table(**{"game": game, "layout": layout, "positions": positions, "limits": LIMITS, **changes})
    play.sit("ann", 1)
    play.sit("bob", 2)
    play.sit("cho", 1, seated=False)
    play.shoe()
    return play


def called(game: str, **changes: Any) -> Play:
    play = table_of(game, **changes)
    play.call()
    return play


def place(person: str, box: int, **wagers: int) -> c.Place:
    """Amounts in whole currency units."""
    return c.Place(person, box, {bet: amount * 100 for bet, amount in wagers.items()})


def told(play: Play, body: AnyCommand, actor: str) -> tuple[str, str]:
    """The code and the paragraph of the refusal that the command must meet. A refusal changes nothing."""
    before = play.table
    refusal = play.refused(body, actor)
    assert play.table is before
    return refusal.code, refusal.paragraph


def told_to_fit(play: Play, body: AnyCommand, actor: str) -> tuple[str, str, int | None]:
    """As :func:`told`, with the amount that would fit, in whole currency units."""
    refusal = play.refused(body, actor)
    return refusal.code, refusal.paragraph, None if refusal.fits is None else refusal.fits // 100


def money_of(play: Play, person: str) -> tuple[int, int]:
    """Chips in hand and on the layout, in whole currency units."""
    balances = play.table.balances
    return balances[f"chips:{person}"] // 100, balances.get(f"layout:{person}", 0) // 100


E = TypeVar("E", bound=e.Event)


def only(events: tuple[e.Event, ...], kind: type[E]) -> E:
    (found,) = (event for event in events if isinstance(event, kind))
    return found


def current(play: Play) -> Round:
    assert play.table.round is not None
    return play.table.round


def results_of(events: tuple[e.Event, ...]) -> Mapping[tuple[str, str], tuple[Result, int]]:
    """(Person, bet) → what became of it, and the profit in whole currency units."""
    settled = only(events, e.RoundSettled)
    return {(line.person, line.bet): (line.result, line.profit // 100) for line in settled.lines}


# --- calls and rounds


def check_call(game: str, *, call: str) -> None:
    """No bet before the dealer's call; bets after it."""
    play = table_of(game)
    assert told(play, place("ann", 1, player=100), "ann") == ("no_round", call)
    assert told(play, c.Call(), "ann")[0] == "rank"
    assert only(play.do(c.Call(), DEALER), e.RoundCalled).paragraph == call
    play.do(place("ann", 1, player=100), "ann")
    assert money_of(play, "ann") == (9_900, 100)


def check_close(game: str, *, close: str, late_bet: str, late_withdrawal: str) -> None:
    """Until the dealer's second call bets come and go; after it none is placed, raised or withdrawn."""
    play = called(game)
    play.do(place("ann", 1, player=100), "ann")
    play.do(place("ann", 1, player=50), "ann")
    play.do(c.Withdraw("ann", 1, "player", 25_00), "ann")
    assert told(play, c.Deal(parse_cards("9h")), DEALER) == ("bets_open", close)
    assert told(play, c.Close(), "ann")[0] == "rank"
    assert only(play.do(c.Close(), DEALER), e.BetsClosed).paragraph == close
    assert told(play, place("bob", 2, banker=100), "bob") == ("bets_closed", late_bet)
    assert told(play, place("ann", 1, player=100), "ann") == ("bets_closed", late_bet)
    assert told(play, place("ann", 1, **{tie_bet(game): 100}), DEALER) == ("bets_closed", late_bet)
    assert told(play, c.Withdraw("ann", 1, "player"), "ann") == ("bets_closed", late_withdrawal)
    assert told(play, c.Withdraw("ann", 1, "player", 25_00), "ann") == ("bets_closed", late_withdrawal)
    play.deal(PLAYER_WINS)
    play.finish()
    assert money_of(play, "ann") == (10_125, 0)
    assert money_of(play, "bob") == (10_000, 0)


def check_round(game: str, *, round: str) -> None:
    """A round is on from the call until everybody is settled; only then comes the next."""
    play = called(game)
    assert (current(play).number, current(play).cards) == (1, ())
    assert told(play, c.Call(), DEALER) == ("round_open", round)
    play.do(place("ann", 1, player=100), "ann")
    play.do(place("bob", 2, banker=100), "bob")
    play.close()
    play.deal(PLAYER_WINS)
    assert told(play, c.Call(), DEALER) == ("round_open", round)
    play.do(c.Announce("player"), DEALER)
    assert play.table.phase is Phase.PAYING
    assert told(play, c.Call(), DEALER) == ("confirmations", round)
    play.do(c.Confirm(1), DEALER)
    assert told(play, c.Call(), DEALER) == ("confirmations", round)
    ended = only(play.do(c.Confirm(2), DEALER), e.RoundEnded)
    assert (ended.number, play.table.round) == (1, None)
    play.do(c.Call(), DEALER)
    assert current(play).number == 2


# --- people


def check_seated(game: str, *, seated: str) -> None:
    """One person sits at a box; a bet counts as a seated player's in that box alone."""
    play = called(game)
    assert told(play, c.Join("dan", 1), "dan")[0] == "box"
    assert only(play.do(c.Join("dan", 3), "dan"), e.PlayerJoined).paragraph == seated
    play.do(place("ann", 1, player=100), "ann")
    play.do(place("ann", 2, player=100), "ann")
    wagers = current(play).wagers
    assert wagers["ann", 1, "player"].seated
    assert not wagers["ann", 2, "player"].seated


def check_standing(game: str, *, standing: str) -> None:
    """One stands behind a seated player and bets in that player's box."""
    play = called(game)
    assert told(play, c.Join("dan", 3, seated=False), "dan") == ("nobody_seated", standing)
    assert only(play.do(c.Join("dan", 2, seated=False), "dan"), e.PlayerJoined).paragraph == standing
    assert told(play, place("cho", 3, banker=100), "cho") == ("nobody_seated", standing)
    play.do(place("cho", 1, banker=100), "cho")
    play.do(place("cho", 2, banker=50), "cho")
    wagers = current(play).wagers
    assert (wagers["cho", 1, "banker"].stake, wagers["cho", 1, "banker"].seated) == (100_00, False)
    assert (wagers["cho", 2, "banker"].stake, wagers["cho", 2, "banker"].seated) == (50_00, False)


def check_staff_bets(game: str, *, staff_bets: str) -> None:
    """Staff of every rank bets for a player, who has to bear it; nobody else does."""
    play = called(game, automated=QUICK)
    assert told(play, place("ann", 1, banker=100), "bob") == ("not_yours", staff_bets)
    stakes = {DEALER: 100, "sue": 200, "marco": 300, "shirley": 400, "diego": 500}
    for person, amount in stakes.items():
        placed = only(play.do(place("ann", 1, banker=amount), person), e.WagersPlaced)
        assert (placed.person, placed.by, placed.paragraph) == ("ann", person, staff_bets)
    assert money_of(play, "ann") == (8_500, 1_500)
    own = only(play.do(place("ann", 1, **{tie_bet(game): 25}), "ann"), e.WagersPlaced)
    assert (own.by, own.paragraph != staff_bets) == ("", True)
    play.close()
    play.deal(PLAYER_WINS)  # she meant Player; the chips lay on Banker
    assert money_of(play, "ann") == (8_475, 0)


# --- limits


def check_differential(game: str, *, over: str) -> None:
    """All Banker bets of the round against all Player bets, whosever they are; side bets are neither."""
    play = called(game, differential=Differential(1_000_00))
    play.do(place("ann", 1, banker=600), "ann")
    play.do(place("bob", 2, banker=400), "bob")
    play.do(place("cho", 2, **{tie_bet(game): 2_000}), "cho")
    assert told_to_fit(play, place("cho", 1, banker=25), "cho") == ("differential", over, 0)
    play.do(place("cho", 1, player=300), "cho")
    assert told_to_fit(play, place("cho", 2, banker=305), "cho") == ("differential", over, 300)
    assert told_to_fit(play, place("cho", 2, player=1_705), "cho") == ("differential", over, 1_700)
    play.do(place("cho", 2, player=1_700), "cho")  # 2,000 on Player, 1,000 on Banker
    assert (current(play).on_player, current(play).on_banker) == (2_000_00, 1_000_00)


def check_sign(game: str) -> None:
    """Minimum and Differential stand on the table's sign, which every viewer sees."""
    side = tie_bet(game)
    play = table_of(game, differential=Differential(10_000_00), bet_limits={side: BetLimits(10_00, 500_00, 10_00)})
    sign = public(play.table, play.now).sign
    assert sign.differential == 10_000_00
    limits = {bet.code: (bet.minimum, bet.maximum, bet.step) for bet in sign.bets}
    assert set(limits) == set(play.table.layout.bets)
    assert limits.pop(side) == (10_00, 500_00, 10_00)
    assert set(limits.values()) == {(25_00, 2_000_00, 5_00)}


def check_limits(game: str, *, limits: str) -> None:
    """A bet outside the limits is the player's mistake: it is not taken, and the player is told what would be."""
    play = called(game)
    for amount, code, fits in ((20, "below_minimum", 25), (2_005, "above_maximum", 2_000), (31, "step", 30)):
        assert told_to_fit(play, place("ann", 1, player=amount), "ann") == (code, limits, fits)
    both = place("ann", 1, **{"player": 100, tie_bet(game): 5})
    assert told_to_fit(play, both, "ann") == ("below_minimum", limits, 25)
    assert money_of(play, "ann") == (10_000, 0)
    play.do(place("ann", 1, player=25), "ann")
    play.do(place("bob", 2, banker=2_000), "bob")
    assert told_to_fit(play, place("ann", 1, player=2_000), "ann") == ("above_maximum", limits, 1_975)
    assert money_of(play, "ann") == (9_975, 25)


def check_balance(game: str, *, balance: str, over: str) -> None:
    """Who leaves room in a box cannot keep others from taking it up."""
    play = called(game, differential=Differential(1_000_00, "box"))
    play.do(place("bob", 2, banker=1_000), "bob")  # another box, whose balance is taken up
    play.do(place("ann", 1, banker=400), "ann")
    assert told(play, c.RefuseBalance("ann"), "ann") == ("balance", balance)
    play.do(place("cho", 1, banker=350), "cho")
    play.do(place("bob", 1, banker=250), "bob")
    assert told_to_fit(play, place("bob", 1, banker=25), "bob") == ("differential", over, 0)
    assert {key: wager.stake for key, wager in current(play).wagers.items()} == {
        ("bob", 2, "banker"): 1_000_00,
        ("ann", 1, "banker"): 400_00,
        ("cho", 1, "banker"): 350_00,
        ("bob", 1, "banker"): 250_00,
    }


# --- squeeze


def squeezing(game: str, **changes: Any) -> Play:
    """A face-down table after the close: Ann 300 and Bob 400, both seated, Cho 500 standing."""
    play = called(game, face_down=True, **changes)
    play.do(place("ann", 1, player=300), "ann")
    play.do(place("bob", 2, banker=400), "bob")
    play.do(place("cho", 1, banker=500), "cho")
    play.close()
    return play


def check_squeeze(game: str, *, holder: str, squeeze: str, denied_by: str = DEALER) -> None:
    """The holder of the highest bet, and nobody else, asks before the card is dealt, and then turns it."""
    play = squeezing(game)
    for person in {"ann", "bob", "cho"} - {holder}:
        assert told(play, c.AskSqueeze(person, Side.BANKER), person) == ("squeeze", squeeze)
    asked = only(play.do(c.AskSqueeze(holder, Side.BANKER), holder), e.SqueezeAsked)
    assert (asked.hand, asked.paragraph) == (Side.BANKER, squeeze)
    answered = only(play.do(c.AnswerSqueeze(holder, True), DEALER), e.SqueezeAnswered)
    assert (answered.granted, answered.paragraph) == (True, squeeze)
    for number, card in enumerate(parse_cards(BANKER_WINS), 1):
        play.do(c.Draw(card, Side.PLAYER if number % 2 else Side.BANKER), DEALER)
    assert told(play, c.AskSqueeze(holder, Side.PLAYER), holder) == ("squeeze", squeeze)  # the cards are out
    assert told(play, c.Turn(1), holder) == ("squeeze", squeeze)  # not the hand asked for
    play.do(c.Turn(2), holder)
    play.do(c.Turn(4), holder)
    play.do(c.Turn(1), DEALER)
    play.do(c.Turn(3), DEALER)
    assert str(current(play).coup) == "P 8hKd B 9cKs"

    unasked = squeezing(game)
    unasked.do(c.AskSqueeze(holder, Side.BANKER), holder)
    unasked.do(c.AnswerSqueeze(holder, False), denied_by)
    for card in parse_cards("8h 9c"):
        unasked.do(c.Draw(card), DEALER)
    unasked.do(c.PutCard(2, Side.BANKER), DEALER)
    assert told(unasked, c.Turn(2), holder) == ("squeeze", squeeze)

    open_cards = called(game)
    open_cards.do(place("ann", 1, player=300), "ann")
    open_cards.close()
    assert told(open_cards, c.AskSqueeze("ann", Side.PLAYER), "ann") == ("squeeze", squeeze)


# --- rounds without a result


def check_void(game: str, *, ruler: str, void: str) -> None:
    """A void round has no result: every bet goes back, decided side bets, too, and no road takes notice."""
    pair = "tiger_pair" if game == "da-hu-ying-xiong" else "player_pair"
    play = called(game)
    play.do(c.Place("ann", 1, {"player": 100_00, pair: 50_00}), "ann")
    play.do(c.Place("bob", 2, {"banker": 200_00, tie_bet(game): 25_00}), "bob")
    play.close()
    play.deal("Kh 5c Kd")  # the pair is decided
    voided = only(play.void("a card fell off the table", ruler), e.RoundVoided)
    assert voided.paragraph == void
    assert set(voided.transfers) == {
        e.Transfer("layout:ann", "chips:ann", 150_00),
        e.Transfer("layout:bob", "chips:bob", 225_00),
    }
    assert (money_of(play, "ann"), money_of(play, "bob")) == ((10_000, 0), (10_000, 0))
    assert play.table.results == ()
    assert play.table.phase is Phase.IDLE
    play.do(c.Call(), DEALER)


def check_shuffler(game: str, *, shoe_empty: str) -> None:
    """A shuffler that deals: discards go back in and full decks deal again; it runs short where nobody puts them in."""
    play = called(game, decks=4, automated=QUICK, shuffler=True)
    assert told(play, c.CutCard(), DEALER) == ("cards", "")
    assert told(play, c.CutShoe("ann", 100), "ann") == ("cards", "")
    play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
    assert (play.table.shoe.left, play.table.shoe.discards) == (204, 4)
    play.call()
    assert only(play.do(c.ReturnCards()), e.CardsReturned).cards == 4
    assert (play.table.shoe.left, play.table.shoe.discards, play.table.shoe.faces) == (208, 0, {})
    assert told(play, c.ReturnCards(), DEALER) == ("cards", "")  # nothing lies there any more
    # the same cards again, five times: more than four decks hold, had they not gone back in
    for _ in range(5):
        play.round({"ann": {"player": 100_00}}, PLAYER_WINS)
        play.do(c.ReturnCards())
    assert not play.table.incidents
    assert money_of(play, "ann") == (10_600, 0)

    run_down(play, 4, "2h 3c Kd Qs")  # nobody puts them in
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    voided = only(play.do(c.Deal(parse_cards("2h 3c Kd Qs")), DEALER), e.RoundVoided)
    assert voided.paragraph == shoe_empty
    assert money_of(play, "ann") == (10_600, 0)
    assert not play.table.shoe.ended
    play.call()
    assert only(play.do(c.ReturnCards()), e.CardsReturned).cards == 208
    assert play.table.shoe.left == 208


def check_shoe_runs_out(game: str, *, shoe_empty: str) -> None:
    """A round that the shoe cannot complete is void; what was settled before stands."""
    play = called(game, decks=4, automated=QUICK)
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    play.deal(PLAYER_WINS)
    assert money_of(play, "ann") == (10_100, 0)
    run_down(play, 6, "8h 9c 2h 3c Kd Qs")
    play.call()
    play.close()
    play.do(c.Deal(parse_cards("8h 9c")), DEALER)
    play.void("to leave four cards", "diego")
    results = len(play.table.results)
    play.call()
    play.do(place("ann", 1, **{"player": 100, tie_bet(game): 25}), "ann")
    play.do(place("bob", 2, banker=200), "bob")
    play.close()
    events = play.do(c.Deal(parse_cards("2h 3c Kd Qs")), DEALER)  # a fifth card is due
    voided = only(events, e.RoundVoided)
    assert voided.paragraph == shoe_empty
    assert (money_of(play, "ann"), money_of(play, "bob")) == ((10_100, 0), (10_000, 0))
    assert len(play.table.results) == results
    assert only(events, e.ShoeEnded).number == 1

    enough = called(game, decks=4, automated=QUICK)
    run_down(enough, 4, PLAYER_WINS)
    enough.call()
    enough.do(place("ann", 1, player=100), "ann")
    enough.close()
    only(enough.do(c.Deal(parse_cards(PLAYER_WINS)), DEALER), e.RoundSettled)  # the last four suffice
    assert money_of(enough, "ann") == (10_100, 0)


# --- money


def check_commission(game: str, *, commission: str) -> None:
    """5% of a winning Banker bet stays with the House, on an account of its own; other winners pay none."""
    play = called(game, automated=QUICK)
    assert play.table.procedures.commission.rule == commission
    play.do(place("ann", 1, banker=100), "ann")
    play.do(place("bob", 2, player=100), "bob")
    play.do(place("cho", 1, banker=200), "cho")
    play.close()
    play.deal(BANKER_WINS)
    assert (money_of(play, "ann"), money_of(play, "bob"), money_of(play, "cho")) == (
        (10_095, 0),
        (9_900, 0),
        (10_190, 0),
    )
    assert play.table.balances["commission"] == 15_00
    play.call()
    play.do(place("bob", 2, player=100), "bob")
    play.do(place("ann", 1, banker=100), "ann")
    play.close()
    play.deal(PLAYER_WINS)
    assert money_of(play, "bob") == (10_000, 0)
    assert play.table.balances["commission"] == 15_00
    play = called(game, automated=())  # and where the dealer does everything
    play.do(place("ann", 1, banker=100), "ann")
    play.close()
    play.deal(BANKER_WINS)
    assert told(play, c.Settle(), DEALER)[0] == "not_finished"  # the result is announced first
    play.do(c.Announce("banker"), DEALER)
    assert results_of(play.do(c.Settle(), DEALER)) == {("ann", "banker"): (Result.WON, 95)}
    assert play.table.balances["commission"] == 5_00


def check_bets_on_offer(game: str, *, bets: tuple[str, ...], bet_types: str, elsewhere: str = "") -> None:
    """Every bet of the layout may be placed alone; one that it does not carry is refused under the layout."""
    play = called(game)
    for bet in bets:
        placed = only(play.do(place("ann", 1, **{bet: 25}), "ann"), e.WagersPlaced)
        assert placed.paragraph == bet_types
    assert {wager.bet for wager in current(play).wagers.values()} == set(bets)
    assert set(bets) == set(play.table.layout.bets)
    for bet in filter(None, (elsewhere, "nonsense")):
        assert told(play, place("bob", 2, **{bet: 25}), "bob") == ("unknown_bet", play.table.layout.paragraph)


# --- bets that nobody asked for


def chips(play: Play, *people: str) -> tuple[int, ...]:
    """Chips in hand, in minor units."""
    return tuple(play.table.stack(person) for person in people)


def stakes_of(play: Play) -> dict[tuple[str, str], int]:
    """(Person, bet) → what lies there, in whole currency units."""
    return {(wager.person, wager.bet): wager.stake // 100 for wager in current(play).wagers.values()}


def find(person: str, box: int, bet: str, amount: int) -> c.FindBet:
    """Amount in whole currency units."""
    return c.FindBet(person, box, bet, amount * 100)


def check_over_differential(game: str, *, over: str) -> None:
    """Noticed before the close: flagged, and what is left of it at the close is rejected, standing bets first."""

    def found() -> Play:
        play = called(game, differential=Differential(1_000_00))
        play.do(place("ann", 1, banker=600), "ann")
        play.do(place("cho", 1, banker=300), "cho")
        events = play.do(find("bob", 2, "banker", 400), DEALER)
        assert only(events, e.BetFound).noticed
        assert only(events, e.Flagged) == e.Flagged("over_differential", About.of("table"), over)
        return play

    play = found()
    events = play.do(c.Close(), DEALER)
    back = only(events, e.WagerReduced)
    assert (back.person, back.amount, back.why, back.paragraph) == ("cho", 300_00, "rejected", over)
    assert stakes_of(play) == {("ann", "banker"): 600, ("bob", "banker"): 400}
    assert not play.table.flags

    play = found()  # the players put it right themselves
    assert only(play.do(c.Withdraw("ann", 1, "banker", 300_00), "ann"), e.FlagCleared).flag == "over_differential"
    assert not [event for event in play.do(c.Close(), DEALER) if isinstance(event, e.WagerReduced)]

    play = called(game, differential=Differential(1_000_00))  # no standing bets: the latest seated one
    play.do(place("ann", 1, banker=600), "ann")
    play.do(find("bob", 2, "banker", 500), DEALER)
    back = only(play.do(c.Close(), DEALER), e.WagerReduced)
    assert (back.person, back.amount) == ("bob", 100_00)

    play = called(game, differential=Differential(1_000_00))  # a seated player's bet goes before a standing one
    play.do(place("cho", 1, banker=300), "cho")
    back = only(play.do(place("ann", 1, banker=900), "ann"), e.WagerReduced)
    assert (back.person, back.amount) == ("cho", 200_00)
    assert stakes_of(play) == {("ann", "banker"): 900, ("cho", "banker"): 100}
    assert told_to_fit(play, place("ann", 1, banker=105), "ann") == ("differential", over, 100)


def check_seat_of_a_moved_bet(game: str, *, over: str) -> None:
    """A bet that really lies behind another's box is a standing one there, and yields to those who sit."""
    play = called(game, differential=Differential(1_000_00))
    play.do(place("bob", 2, banker=600), "bob")
    play.do(place("ann", 1, banker=400), "ann")
    play.rule(r.CorrectBet("ann", 1, "banker", 400_00, to_box=2), reason="it lies behind box 2")
    play.do(find("bob", 2, "banker", 300), DEALER)
    back = only(play.do(c.Close(), DEALER), e.WagerReduced)
    assert (back.person, back.box, back.amount, back.paragraph) == ("ann", 2, 300_00, over)

    play = called(game, differential=Differential(1_000_00))  # and the other way round
    play.do(place("bob", 2, banker=600), "bob")
    play.do(place("ann", 2, banker=300), "ann")
    play.rule(r.CorrectBet("ann", 2, "banker", 300_00, to_box=1), reason="it lies in box 1")
    play.do(place("cho", 1, banker=100), "cho")
    play.do(find("ann", 1, "banker", 100), DEALER)
    back = only(play.do(c.Close(), DEALER), e.WagerReduced)
    assert (back.person, back.amount) == ("cho", 100_00)


def check_pro_rata(game: str, *, paragraph: str, side: int = 25) -> None:
    """Not noticed: 1,300 may stand of 1,600, and the settlement takes that; nothing else is scaled."""
    play = called(game, differential=Differential(1_000_00), automated=QUICK)
    play.do(place("ann", 1, **{"banker": 600, tie_bet(game): side}), "ann")
    play.do(place("cho", 1, player=300), "cho")
    play.close()
    found = play.do(find("bob", 2, "banker", 1_000), DEALER)
    assert not only(found, e.BetFound).noticed
    assert not play.table.flags
    play.deal(PLAYER_WINS)
    stand = only(tuple(play.events), e.StakesStand)
    assert [(cut.person, cut.bet, cut.amount, cut.why, cut.paragraph) for cut in stand.cuts] == [
        ("ann", "banker", 112_50, "pro_rata", paragraph),
        ("bob", "banker", 187_50, "pro_rata", paragraph),
    ]
    assert stand.transfers == (
        e.Transfer("layout:ann", "chips:ann", 112_50),
        e.Transfer("layout:bob", "chips:bob", 187_50),
    )
    lines = {(line.person, line.bet): line.stake for line in only(tuple(play.events), e.RoundSettled).lines}
    assert lines == {
        ("ann", "banker"): 487_50,
        ("ann", tie_bet(game)): side * 100,
        ("bob", "banker"): 812_50,
        ("cho", "player"): 300_00,
    }
    assert chips(play, "ann", "bob", "cho") == (10_000_00 - 487_50 - side * 100, 10_000_00 - 812_50, 10_300_00)


def settled_stakes(game: str, placed: Mapping[str, int], found: Mapping[str, int], limit: int) -> dict[str, int]:
    """What is settled on Banker, in minor units, by person; found after the close."""
    play = called(game, differential=Differential(limit * 100), automated=QUICK)
    for person, amount in placed.items():
        play.do(place(person, play.table.people[person].box, banker=amount), person)
    play.close()
    for person, amount in found.items():
        play.do(find(person, play.table.people[person].box, "banker", amount), DEALER)
    play.deal(PLAYER_WINS)
    return {line.person: line.stake for line in only(tuple(play.events), e.RoundSettled).lines}


def check_pro_rata_floor(game: str) -> None:
    """No share falls below the minimum of 25; who is set there takes from what the others share."""
    settled = settled_stakes(game, {"ann": 30, "cho": 60}, {"bob": 2_000}, 500)
    assert settled == {"ann": 25_00, "cho": 25_00, "bob": 450_00}
    settled = settled_stakes(game, {"ann": 30, "cho": 160}, {"bob": 2_000}, 350)  # first Ann alone, then Cho, too
    assert settled == {"ann": 25_00, "cho": 25_00, "bob": 300_00}
    settled = settled_stakes(game, {"ann": 25, "cho": 25}, {"bob": 2_000}, 60)  # not even the minimums fit
    assert settled == {"ann": 25_00, "cho": 25_00, "bob": 25_00}


def check_pro_rata_below_minimum(game: str) -> None:
    """A bet under the minimum is not scaled, and comes off what the others share."""
    assert settled_stakes(game, {"cho": 100}, {"ann": 10, "bob": 1_900}, 500) == {
        "cho": 24_50 if "dragon" in game else 25_00,
        "ann": 10_00,
        "bob": 465_50 if "dragon" in game else 465_00,
    }


def check_below_minimum(game: str, *, below: str) -> None:
    """Noticed before the close: to be raised or withdrawn; what is neither goes back."""
    play = called(game)
    for person, box in (("ann", 1), ("bob", 2), ("cho", 1)):
        flagged = only(play.do(find(person, box, "player", 10), DEALER), e.Flagged)
        assert flagged == e.Flagged("below_minimum", about_bet(person, box, "player"), below)
    assert only(play.do(place("ann", 1, player=15), "ann"), e.FlagCleared).about == about_bet("ann", 1, "player")
    assert only(play.do(c.Withdraw("bob", 2, "player"), "bob"), e.FlagCleared).about == about_bet("bob", 2, "player")
    events = play.do(c.Close(), DEALER)
    back = only(events, e.WagerReduced)
    assert (back.person, back.amount, back.why, back.paragraph) == ("cho", 10_00, "below_minimum", below)
    assert stakes_of(play) == {("ann", "player"): 25}
    assert not play.table.flags


def check_below_minimum_unnoticed(game: str, *, stands: str) -> None:
    """Not noticed: it wins or loses like any other, round after round."""
    play = called(game, automated=QUICK)
    expected = 10_000_00
    for cards, change in ((PLAYER_WINS, 10_00), (BANKER_WINS, -10_00), (PLAYER_WINS, 10_00)):
        play.call()
        play.close()
        play.do(find("ann", 1, "player", 10), DEALER)
        play.deal(cards)
        expected += change
        assert chips(play, "ann") == (expected,)
        stand = [event for event in play.events if isinstance(event, e.StakesStand)][-1]
        assert (stand.cuts, stand.paragraph) == ((), stands)


def check_walk_away(game: str, *, walk_away: str) -> None:
    """Who walks away has the bets settled all the same, and the chips wait."""
    play = called(game, automated=QUICK)
    play.do(place("ann", 1, player=100), "ann")
    play.do(place("bob", 2, banker=100), "bob")
    assert only(play.do(c.WalkAway("ann"), DEALER), e.WalkedAway).paragraph == walk_away
    play.close()
    play.do(c.WalkAway("bob"), DEALER)
    assert told(play, c.WalkAway("bob"), DEALER)[0] == "already_there"
    play.deal(PLAYER_WINS)
    assert (money_of(play, "ann"), money_of(play, "bob")) == ((10_100, 0), (9_900, 0))
    play.do(c.ComeBack("ann"), "ann")
    assert play.table.absent == {"bob"}
    play.call()  # it was about that round
    assert play.table.absent == frozenset()
    play.do(place("bob", 2, banker=100), "bob")
    play.do(c.WalkAway("bob"), DEALER)
    back = only(play.do(place("bob", 2, banker=50), DEALER), e.CameBack)  # staff bet for who asks for it
    assert (back.person, play.table.absent) == ("bob", frozenset())


def check_chips_decide(game: str, *, chips_decide: str) -> None:
    """Where the chips lie at the close counts, whoever put them there; afterwards they are not moved."""
    play = called(game, automated=QUICK)
    play.do(place("ann", 1, banker=100), DEALER)  # she had said Player
    assert only(play.do(find("bob", 2, "banker", 50), DEALER), e.BetFound).paragraph == chips_decide
    play.close()
    play.do(c.LateChips("ann", 1, "banker", 100_00, "withdrawn"), DEALER)
    play.do(c.LateChips("ann", 1, "player", 100_00, "placed"), DEALER)
    play.deal(PLAYER_WINS)
    assert (money_of(play, "ann"), money_of(play, "bob")) == ((9_900, 0), (9_950, 0))


def check_late_chips(game: str, *, late_bet: str, late_withdrawal: str) -> None:
    """Chips put down after the close go back; chips taken away then win or lose as if they lay there."""
    play = called(game, automated=QUICK)
    early = only(play.do(c.LateChips("ann", 1, "player", 50_00, "placed"), DEALER), e.LateChipsRefused)
    assert (early.paragraph, play.table.stack("ann")) == (late_bet, 10_000_00)  # nothing is late yet, and nothing moves
    play.do(place("ann", 1, player=100), "ann")
    play.do(place("bob", 2, banker=100), "bob")
    play.close()
    before = play.table.balances
    for box in (0, play.table.boxes[-1] + 1):
        for what in ("placed", "withdrawn"):
            body = c.LateChips("ann", box, "player", 50_00, what)
            assert told(play, body, DEALER)[0] == "box"
    late = [
        (c.LateChips("ann", 1, "player", 50_00, "placed"), late_bet),
        (c.LateChips("cho", 1, "player", 50_00, "placed"), late_bet),
        (c.LateChips("bob", 2, "banker", 100_00, "withdrawn"), late_withdrawal),
        (c.LateChips("ann", 1, "player", 25_00, "withdrawn"), late_withdrawal),
    ]
    for body, paragraph in late:
        assert only(play.do(body, DEALER), e.LateChipsRefused).paragraph == paragraph
    assert told(play, c.LateChips("bob", 2, "banker", 105_00, "withdrawn"), DEALER)[0] == "bad_amount"
    assert told(play, place("bob", 2, banker=100), "bob") == ("bets_closed", late_bet)
    assert told(play, c.Withdraw("bob", 2, "banker"), "bob") == ("bets_closed", late_withdrawal)
    assert play.table.balances == before
    play.deal(PLAYER_WINS)
    assert [money_of(play, name) for name in ("ann", "bob", "cho")] == [(10_100, 0), (9_900, 0), (10_000, 0)]


# --- cards at fault


def more_copies_than_decks(game: str, **settings: Any) -> tuple[Play, e.IncidentOpened, tuple[e.Event, ...]]:
    """A fifth nine of hearts from four decks: flagged as it is turned."""
    play = table_of(game, decks=4, **{"automated": QUICK} | settings)
    play.round({"ann": {"player": 100_00}}, "9h 9h 8c 9h")
    play.call()
    play.bet("ann", {"player": 100_00})
    play.close()
    play.deal("9h Kd")
    assert not play.table.incidents  # four of them there may be
    events = play.do(c.Draw(parse_cards("9h")[0], Side.PLAYER, True))
    return play, only(events, e.IncidentOpened), events


def check_more_copies_than_decks(game: str, paragraph: str, void: str) -> None:
    """Nothing is settled before a ruling: the round is void, or the card was read wrongly and play goes on."""
    play, matter, events = more_copies_than_decks(game)
    assert only(events, e.CardsAtFault).paragraph == paragraph
    assert (matter.family, matter.paragraph, matter.blocks) == ("cards_at_fault", paragraph, True)
    assert matter.about == About.of("shoe.copies", count=4, cards=("9h",))
    assert {choice.kind for choice in choices(play.table, play.table.incidents[matter.number])} == {
        r.VoidRound,
        r.Dismiss,
    }
    play.do(c.Draw(parse_cards("2d")[0], Side.BANKER, True))
    assert play.table.phase is Phase.DEALING
    events = play.rule(r.VoidRound(), matter.number, "five of them", DIRECTOR)
    assert only(events, e.RoundVoided).paragraph == void
    assert only(events, e.ShoeEnded).reason == About.of("shoe.at_fault")

    play, matter, _ = more_copies_than_decks(game)
    play.rule(r.Dismiss(), matter.number, "a nine of diamonds", DIRECTOR)
    assert not play.table.incidents
    assert not play.table.shoe.at_fault
    events = play.do(c.Draw(parse_cards("2d")[0], Side.BANKER, True))
    assert only(events, e.RoundSettled).coup == "P 9h9h B Kd2d"
    play.call()
    play.close()
    events = play.do(c.Draw(parse_cards("9h")[0], Side.PLAYER, True))  # one more is another matter
    assert only(events, e.IncidentOpened).family == "cards_at_fault"


def check_cards_at_fault(game: str, fault: Any, *, paragraph: str, void: str = "") -> None:
    """The round in progress is void, whatever is out of it; earlier ones stand, and the shoe is over."""
    for out in ("", "9h 8c", "2h 4c Kd"):
        play = called(game, automated=QUICK)
        play.do(place("ann", 1, player=100), "ann")
        play.close()
        play.deal(PLAYER_WINS)
        play.call()
        play.do(place("ann", 1, **{"player": 100, tie_bet(game): 25}), "ann")
        play.do(place("bob", 2, banker=200), "bob")
        if out:
            play.close()
            play.deal(out)
        events = play.do(c.ReportCards(fault, "seen by the dealer"), DEALER)
        assert only(events, e.CardsAtFault).paragraph == paragraph
        assert only(events, e.RoundVoided).paragraph == (void or paragraph)
        assert only(events, e.ShoeEnded).reason == About.of("shoe.at_fault")
        assert (money_of(play, "ann"), money_of(play, "bob")) == ((10_100, 0), (10_000, 0))
        assert len(play.table.results) == 1
        assert told(play, c.Call(), DEALER)[0] == "no_shoe"
        play.shoe()
        play.call()


def check_fault_after_settlement(game: str, fault: Any) -> None:
    """A fault found once every box is paid voids nothing; until then the round lasts, and is void (reading L)."""
    for paying in (True, False):
        play = called(game, automated=(Step.ANNOUNCE, Step.SETTLE))
        play.do(place("ann", 1, player=100), "ann")
        play.close()
        play.deal(PLAYER_WINS)
        assert play.table.phase is Phase.PAYING
        if not paying:
            play.do(c.Confirm(1), DEALER)
        events = play.do(c.ReportCards(fault, "counted"), DEALER)
        if not paying:
            assert not [event for event in events if isinstance(event, e.RoundVoided | e.RoundSettledAgain)]
        elif play.table.irregularities.of(fault).main:
            void = only(events, e.RoundSettledAgain)
            assert (void.void, void.paragraph) == (True, getattr(play.table.irregularities, fault).void)
        else:
            play.void("counted")
        if paying:
            play.do(c.Confirm(1), DEALER)
        assert money_of(play, "ann") == (10_000 if paying else 10_100, 0)
        assert len(play.table.results) == (0 if paying else 1)
        assert play.table.shoe.ended


def check_right_number_is_not_void(game: str, paragraph: str, void_by: str = "") -> None:
    """Two cards of a settled round had changed places: it is settled again; void it is by who may, or by nobody."""
    play = table_of(game, automated=QUICK)
    play.round({"ann": {"player": 100_00}, "bob": {"banker": 100_00}}, "9h 8c 5s Kd")
    number = play.table.rounds
    report = c.ReportRound(number, parse_cards("9h 8c Kd 5s"), "the other way round")
    matter = only(play.do(report, DEALER), e.IncidentOpened)
    assert (matter.family, matter.paragraph) == ("wrong_round", paragraph)
    void = c.Propose(r.VoidRound(), matter.number, "cannot be put right")
    if void_by:
        assert only(play.do(void, DEALER), e.RulingProposed).needs == void_by
    else:
        assert told(play, void, DEALER)[0] == "ruling"
    play.rule(r.Rectify(), matter.number, "the camera shows it", SHIFT)
    assert money_of(play, "ann") == (10_100, 0)  # Player has the natural


BOX_MAXIMUM = "maximum per box\nautomated settle confirm"
TO_1000 = "100 to 1000 step 5"


def check_maximum_of_a_box(game: str, balance: str, limits: str) -> None:
    """Who bets behind a box takes up the balance that those before him leave of its maximum."""
    lines = "call\nbet ann banker 600\nrefuse balance ann\n" + f"expect refused balance {balance}\n"
    lines += f"bet cho banker 500\nexpect refused above_maximum.box {balance} fits 400\nbet cho banker 400\n"
    lines += f"bet ann banker 100\nexpect refused above_maximum.box {balance} fits 0\nbet cho player 1000\n"
    lines += f"bet bob banker 1000\nrefuse balance bob\nexpect refused balance.none {limits}\n"
    lines += "withdraw cho banker\nbet ann banker 400\nexpect wager ann 1 banker 1000\n"
    holds(game, lines, BOX_MAXIMUM, TO_1000)


def check_box_found_over_its_maximum(game: str, limits: str) -> None:
    """What came latest is over it; seen before the close it goes back there."""
    lines = "call\nbet ann banker 600\nbet cho banker 400\nfind bet ann banker 200\nexpect flag above_maximum\n"
    lines += (
        f"close\nexpect event wager_reduced {limits}\nexpect wager ann 1 banker 600\nexpect wager cho 1 banker 400\n"
    )
    holds(game, lines, BOX_MAXIMUM, TO_1000)


def check_box_amended_over_its_maximum(game: str, uncovered: str) -> None:
    """Found after the close it waits for a ruling, be the bet that was amended the first of its box."""
    lines = 'call\nbet ann banker 600\nbet cho banker 400\nclose\ncorrect bet ann banker 800 "it lay there"\n'
    lines += f'expect incident 1 above_maximum {uncovered}\nrule stake on 1 ann banker 600 "the sign"\n'
    lines += "expect proposal 1 stake shift manager\napprove 1\nexpect no incidents\ndeal 8h 9c Kd Ks\n"
    holds(game, lines + "announce banker\nexpect won ann 1 banker\nexpect won cho 1 banker\n", BOX_MAXIMUM, TO_1000)


def check_the_dealer_deals(game: str, paragraph: str) -> None:
    """Who calls, closes, draws and announces is the dealer, and no player."""
    lines = f"ann: call\nexpect refused rank {paragraph}\ndora: call\nbet ann player 100\n"
    lines += f"ann: close\nexpect refused rank {paragraph}\ndora: close\n"
    lines += f"ann: draw 9h player turned\nexpect refused rank {paragraph}\n"
    for card, hand in (("9h", "player"), ("8c", "banker"), ("Kd", "player"), ("Ks", "banker")):
        lines += f"dora: draw {card} {hand} turned\n"
    lines += f"bob: announce player\nexpect refused rank {paragraph}\ndora: announce player\n"
    holds(game, lines + "expect won ann player 100\n")


def check_pit_employees(game: str, bets: str) -> None:
    """Dealer, Pit Supervisor and Pit Manager alike deal and bet for players who ask them to; a player bets for none."""
    for who in ("dora", "sam", "eva"):
        lines = f"{who}: call\n{who}: bet ann player 100\nexpect event wagers_placed {bets}\n"
        lines += f"bob: bet ann player 100\nexpect refused not_yours {bets}\n{who}: close\n"
        lines += f"{who}: deal 9h 8c Kd Ks\n{who}: announce player\nexpect won ann player 100\n"
        holds(game, lines)
    # whoever is assigned to a position and acts in it has its responsibilities, and whoever no longer does has them not
    lines = "call\nbet ann player 100\nclose\ndeal 9h 8c Kd Ks\ndan: set limits 100 to 1000\nexpect refused rank\n"
    lines += "eva: staff dan pit manager\ndan: set limits 100 to 1000\nexpect event limits_set\neva: staff dan dealer\n"
    holds(game, lines + "dan: set limits 100 to 2000\nexpect refused rank\n")
