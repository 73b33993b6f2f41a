"""What the tests of the books' table procedures share: a table of each game, and what the books have in common.

Ann sits at box 1, Bob at box 2, Cho stands behind box 1; each has chips for 10,000. A check takes the paragraphs that
its book must cite, so that they stand in the test of the book.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from tests.table.build import DEALER, Play, open_table

from puntobanco.bets import Result
from puntobanco.cards import Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import AnyCommand
from puntobanco.table.public import public
from puntobanco.table.settings import BetLimits, Differential, Step
from puntobanco.table.state import Phase, Round

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
    assert told(play, c.Draw(), DEALER) == ("bets_open", close)
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
    play.do(place("ann", 1, banker=400), "ann")
    assert told(play, c.RefuseBalance("ann"), "ann") == ("balance", balance)
    play.do(place("cho", 1, banker=350), "cho")
    play.do(place("bob", 1, banker=250), "bob")
    assert told_to_fit(play, place("bob", 1, banker=25), "bob") == ("differential", over, 0)
    assert {key: wager.stake for key, wager in current(play).wagers.items()} == {
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


def check_squeeze(game: str, *, holder: str, squeeze: str) -> None:
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
    unasked.do(c.AnswerSqueeze(holder, False), DEALER)
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
    voided = only(play.do(c.VoidRound("a card fell off the table"), ruler), e.RoundVoided)
    assert voided.paragraph == void
    assert set(voided.transfers) == {
        e.Transfer("layout:ann", "chips:ann", 150_00),
        e.Transfer("layout:bob", "chips:bob", 225_00),
    }
    assert (money_of(play, "ann"), money_of(play, "bob")) == ((10_000, 0), (10_000, 0))
    assert play.table.results == ()
    assert play.table.phase is Phase.IDLE
    play.do(c.Call(), DEALER)


def check_shoe_runs_out(game: str, *, shoe_empty: str) -> None:
    """A round that the shoe cannot complete is void; what was settled before stands."""
    play = called(game, decks=4, automated=QUICK)
    play.do(place("ann", 1, player=100), "ann")
    play.close()
    play.deal(PLAYER_WINS)
    assert money_of(play, "ann") == (10_100, 0)
    while play.table.shoe.left > 6:
        play.call()
        play.close()
        play.do(c.Deal(parse_cards(SIX_CARDS)), DEALER)
    assert play.table.shoe.left == 6
    play.call()
    play.close()
    play.do(c.Deal(parse_cards("8h 9c")), DEALER)
    play.do(c.VoidRound("to leave four cards"), "diego")
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
    while enough.table.shoe.left > 4:
        enough.call()
        enough.close()
        enough.do(c.Deal(parse_cards(SIX_CARDS)), DEALER)
    enough.call()
    enough.do(place("ann", 1, player=100), "ann")
    enough.close()
    only(enough.do(c.Deal(parse_cards(PLAYER_WINS)), DEALER), e.RoundSettled)  # the last four suffice
    assert money_of(enough, "ann") == (10_100, 0)


# --- money


def check_commission(game: str, *, commission: str) -> None:
    """5% of a winning Banker bet stays with the House, on an account of its own; other winners pay none."""
    play = called(game, automated=QUICK)
    assert play.table.cite("commission") == commission
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
