"""What da-hu-ying-xiong and rws-baccarat have in common when something goes wrong: their section 5 is the same.

A check takes the paragraphs that its book must cite, so that they stand in the test of the book.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.rules.irregular import (
    BANKER_PROFIT,
    OTHER_DEALER,
    PLAYER_WINS,
    QUICK,
    TIE_BET,
    UNTOUCHED,
    WON_BY_PLAYER,
    B,
    P,
    all_of,
    arranged,
    asked,
    bets,
    betting,
    branch,
    check_answers,
    confirm,
    current,
    dealt,
    draw,
    ends,
    everybody_goes_on,
    incident,
    is_void,
    lay,
    layout,
    next_round,
    not_asked,
    only,
    ruled,
    stacks,
    table_of,
    told,
    waits,
    won_by_banker,
)
from tests.table.build import DEALER, MANAGER, SHIFT, SUPERVISOR, Play, open_table

from puntobanco.cards import Card, Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.settings import ELECTRONIC, Differential
from puntobanco.table.state import Drawn, Phase

# --- interruptions


def check_interruption_without_cards(game: str, *, interruption: str, close: str) -> None:
    """While no card is out the bets stand, and the time for them starts again, after the close, too."""
    play = table_of(game)
    between = e.PlayInterrupted("power failure", False, interruption, "goes_on")
    assert play.do(c.ReportInterruption("power failure")) == (between,)
    bets(play)
    assert current(play).until == play.now + 20_000
    play.wait(15)
    assert told(play, c.ReportInterruption("power failure"), "ann")[0] == "rank"
    assert told(play, c.ReportInterruption(" "))[0] == "bad_amount"
    for after_the_close in (False, True):
        if after_the_close:
            play.close()
            play.wait(5)
        events = play.do(c.ReportInterruption("power failure"))
        assert events == (e.PlayInterrupted("power failure", False, interruption, "bets_again", play.now + 20_000),)
        assert (play.table.phase, current(play).until) == (Phase.BETTING, play.now + 20_000)
        assert (stacks(play), layout(play)) == ((9_875, 9_750), (125, 250))
    assert told(play, c.Deal(parse_cards("9h"))) == ("bets_open", close)
    play.bet("cho", {"player": 100_00})
    play.do(c.Withdraw("cho", 1, "player"), "cho")
    play.close()
    play.deal(PLAYER_WINS)
    play.do(c.Announce("player"))
    # while boxes are paid the result stands
    goes_on = e.PlayInterrupted("power failure", False, f"{interruption}.1", "goes_on")
    assert play.do(c.ReportInterruption("power failure")) == (goes_on,)
    play.finish()
    assert stacks(play) == WON_BY_PLAYER
    assert play.do(c.ReportInterruption("power failure")) == (between,)


def check_interruption_with_cards_intact(game: str, *, interruption: str) -> None:
    """Cards are out, and cards and bets as they were: play simply goes on, be anything decided or not."""
    for automated in (None, ELECTRONIC):
        changes: dict[str, Any] = {"automated": automated} if automated else {}
        for out in range(1, 5):
            cards = PLAYER_WINS.split()
            play = dealt(game, **changes)
            if automated and out == 4:
                continue  # nothing is left to interrupt
            play.deal(" ".join(cards[:out]))
            events = play.do(c.ReportInterruption("screen went dark"), play.runner)
            assert events == (e.PlayInterrupted("screen went dark", False, interruption, "goes_on"),)
            play.deal(" ".join(cards[out:]))
            play.finish()
            assert stacks(play) == WON_BY_PLAYER


def check_interruption_goes_on(game: str, out: str, rest: str, stacks_after: tuple[int, int], *, goes_on: str) -> None:
    """Something was lost and some bet is decided: the round is played to its end."""
    play = dealt(game, out)
    events = play.do(c.ReportInterruption("the lights went out", lost=True))
    assert events == (e.PlayInterrupted("the lights went out", True, goes_on, "goes_on"),)
    play.deal(rest)
    play.finish()
    assert stacks(play) == stacks_after
    assert len(play.table.results) == 1


def check_interruption_face_down(game: str, *, goes_on: str, void: str) -> None:
    """Three cards decide something whatever they are; at da-hu-ying-xiong Player's two have to be known."""
    for turned in (0, 1, 2, 3):
        play = dealt(game, face_down=True)
        lay(play, P, B, P)
        for out, card in ((1, "6h"), (3, "Kd"), (2, "2c"))[:turned]:
            play.do(c.Turn(out, Card(card)))
        interrupted = only(play.do(c.ReportInterruption("power failure", lost=True)), e.PlayInterrupted)
        decided = turned >= 2 or game != "da-hu-ying-xiong"
        expected = ("goes_on", goes_on) if decided else ("void", void)
        assert (interrupted.effect, interrupted.paragraph) == expected, turned

    for hands, effect in (((P, B), "void"), ((P, B, P, B), "goes_on")):  # two never do, four always
        play = dealt(game, face_down=True)
        lay(play, *hands)
        interrupted = only(play.do(c.ReportInterruption("power failure", lost=True)), e.PlayInterrupted)
        assert interrupted.effect == effect


def check_interruption_voids(game: str, out: str, *, void: str) -> None:
    """Something was lost and no bet is decided: the round is void and every bet goes back."""
    play = dealt(game, out)
    events = play.do(c.ReportInterruption("the lights went out", lost=True))
    assert only(events, e.PlayInterrupted) == e.PlayInterrupted("the lights went out", True, void, "void")
    is_void(play, events, void)
    assert play.table.results == ()
    assert play.table.shoe.discards == len(out.split())
    play.call()


VALUES = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 0, "J": 0, "Q": 0, "K": 0}


def drawing_without_a_pair(first: str, second: str) -> bool:
    """Player's two cards, by rank, are no pair and total 0 to 5: with three cards out nothing is decided yet."""
    return first != second and (VALUES[first] + VALUES[second]) % 10 <= 5


def nothing(first: str, second: str) -> bool:
    return False


def check_interruption_with_three_cards(
    game: str, *, goes_on: str, void: str, undecided: Callable[[str, str], bool]
) -> None:
    """Whatever Player's two cards are: void where ``undecided`` says so, and on it goes elsewhere."""
    closed = dealt(game)
    for first in VALUES:
        for second in VALUES:
            for between in "A68K":
                play = branch(closed)
                play.deal(f"{first}h {between}c {second}d")
                interrupted = only(play.do(c.ReportInterruption("power failure", lost=True)), e.PlayInterrupted)
                expected = ("void", void) if undecided(first, second) else ("goes_on", goes_on)
                assert (interrupted.effect, interrupted.paragraph) == expected, (first, between, second)


# --- faults that void


def check_fault_voids_one_round(game: str, fault: Any, *, paragraph: str, wrong_side: str) -> None:
    """The current round alone, whatever waits in it: no ruling, no options, and nobody gets a bet back twice."""
    play = dealt(game, PLAYER_WINS)
    play.finish()
    next_round(play)
    number = incident(draw(play, "9h", B), "wrong_side", wrong_side, (1,))
    waiting = branch(play)
    proposal = only(waiting.do(c.Propose(r.Reconstruct(), number)), e.RulingProposed).number
    events = waiting.do(c.ReportCards(fault, "seen by the dealer"))
    assert only(events, e.CardsAtFault) == e.CardsAtFault(fault, "seen by the dealer", paragraph)
    is_void(waiting, events, paragraph, WON_BY_PLAYER)
    assert waiting.table.shoe.ended
    assert told(waiting, c.Approve(proposal), SUPERVISOR)[0] == "unknown_request"
    assert told(waiting, c.Propose(r.Reconstruct(), number))[0] == "unknown_request"

    play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    play.do(c.TakeOption("ann", False), "ann")
    assert (stacks(play), layout(play)) == ((10_075, 9_500), (0, 250))
    events = play.do(c.ReportCards(fault, "seen by the dealer"))
    is_void(play, events, paragraph, WON_BY_PLAYER)
    assert only(events, e.RoundVoided).transfers == (e.Transfer("layout:bob", "chips:bob", 250_00),)
    assert not all_of(events, e.OptionsGiven)
    assert told(play, c.TakeOption("bob", True), "bob")[0] == "no_options"
    assert [result.winner for result in play.table.results] == ["player"]


def check_wrong_number_is_void(game: str, *, excess: str, void: str) -> None:
    """A card too many, and the House rules that the cards cannot be put right: void, decided side bets, too."""
    play = dealt(game, "9h 8c 9d Qs")
    number = incident(draw(play, "4h", B), "excess_cards", excess, (5,))
    waits(play, excess)
    lies = c.Propose(r.AsItLies(), number, "nobody knows the order")
    assert told(play, lies) == ("cards", void)  # three cards are no hand for a Banker who has to stand
    assert told(play, c.Propose(r.VoidRound(), number)) == ("reason", void)  # why not?
    events = ruled(play, r.VoidRound(), number, "pit_supervisor", void, "nobody knows the order")
    is_void(play, events, void)
    assert not all_of(events, e.OptionsGiven)
    assert (play.table.results, play.table.carried) == ((), ())
    assert play.table.shoe.discards == 5


def check_three_cards_to_one(game: str, *, wrong_side: str, void: str) -> None:
    """Player has three of the first four cards: as they lie they are no hands, and so void if they stay mixed up."""
    play = dealt(game, "9h 8c Kd")
    number = incident(draw(play, "5s", P), "wrong_side", wrong_side, (4,))
    assert told(play, c.Propose(r.AsItLies(), number, "mixed up")) == ("cards", void)
    events = ruled(play, r.VoidRound(), number, "pit_supervisor", void, "mixed up")
    is_void(play, events, void)


AS_IT_LIES: dict[tuple[str, str], tuple[int, ...] | None] = {
    ("9h 8c", "BP"): (2, 1),
    ("9h 8c", "PP"): None,
    ("9h 8c", "BB"): None,
    ("9h 8c Kd", "PPB"): (1, 3, 2),
    ("9h 8c Kd", "BPB"): None,
    ("9h 8c Kd 5s", "PBBP"): (1, 2, 4, 3),
    ("9h 8c Kd 5s", "PBPP"): None,
    ("2h 3c 5d Ks", "PBBP"): (1, 2, 4, 3),  # 2 to 8: it is over
    ("2h 3c 5d Ks 4s", "PBBPB"): None,  # with a third card for Banker
    ("2h 3c Kd Qs 8d", "PBPBB"): None,  # Player had to draw on 2
    ("2h 3c Kd Qs 5h", "PBBPP"): (1, 2, 4, 3, 5),
    ("2h 3c Kd Qs 5h 7s", "PBBPPB"): (1, 2, 4, 3, 5, 6),
    ("2h 3c Kd Qs 8h 7s", "PBBPPB"): None,  # Banker stood on 3 against an 8
}
"""Cards and the hands they were put at → the order in which they count as they lie; None for a wrong number of them."""


def check_right_number(game: str, *, void: str, lies: str) -> None:
    """Hands that have the right number of cards are played as they lie, and the round is not void; others are."""
    for (cards, hands), order in AS_IT_LIES.items():
        play = dealt(game)
        for card, hand in zip(cards.split(), hands, strict=True):
            draw(play, card, P if hand == "P" else B)
        as_it_lies = c.Propose(r.AsItLies(), 1, "mixed up")
        no_result = c.Propose(r.VoidRound(), 1, "mixed up")
        if order is None:
            assert told(play, as_it_lies) == ("cards", void), (cards, hands)
            assert only(play.do(no_result), e.RulingProposed).paragraph == void
        else:
            assert told(play, no_result) == ("ruling", lies), (cards, hands)
            events = play.rule(r.AsItLies(), 1, "mixed up", SUPERVISOR)
            found = only(events, e.CardsArranged)
            assert (found.how, found.order, found.paragraph) == ("as_it_lies", order, lies), (cards, hands)


def check_number_that_nobody_knows(game: str, *, excess: str, void: str) -> None:
    """Cards lie face down that say whether a fifth was due: as they lie nobody can tell."""
    play = dealt(game, face_down=True)
    lay(play, P, B, P, B)
    number = incident(play.do(c.Draw(None, P)), "excess_cards", excess, (5,))
    assert told(play, c.Propose(r.AsItLies(), number, "mixed up")) == ("cards", void)


def settled(game: str, cards: str, **changes: Any) -> Play:
    """A round that is over, its boxes confirmed; the next one is not called yet."""
    play = dealt(game, cards, **changes)
    play.finish()
    assert play.table.phase is Phase.IDLE
    return play


def check_missing_card_is_drawn(game: str, *, wrong_number: str, table_of_play: str) -> None:
    """Player's 6 was a 5 and had to draw. Before the next call the card still comes, and the round is settled again."""
    for confirmed in (True, False):
        play = dealt(game, "Kh 5c 6d 2s")
        play.do(c.Announce("banker"))
        if confirmed:
            play.finish()
        assert play.table.phase is (Phase.IDLE if confirmed else Phase.PAYING)
        assert stacks(play) == won_by_banker(game)
        wrong = c.ReportRound(1, parse_cards("Kh 5c 5d 2s"), "card 3 was a 5")
        assert told(play, wrong, "ann")[0] == "rank"
        number = incident(play.do(wrong), "wrong_round", wrong_number)
        assert told(play, wrong)[0] == "already_there"
        assert told(play, c.Call())[0] in ("flagged", "confirmations")
        events = ruled(play, r.Rectify(), number, "pit_supervisor", wrong_number)
        assert only(events, e.CardsTold).cards == parse_cards("Kh 5c 5d 2s")
        assert not all_of(events, e.OptionsGiven)
        assert stacks(play) == won_by_banker(game), "nothing is paid before the card"
        assert told(play, c.Settle()) == ("not_finished", table_of_play)
        play.deal("4h")
        events = play.do(c.Announce("player"))
        again = only(events, e.RoundSettledAgain)
        assert (again.number, again.coup, again.void) == (1, "P Kh5d4h B 5c2s", False)
        assert stacks(play) == WON_BY_PLAYER
        assert (sum(play.table.balances.values()), play.table.balances.get("commission", 0)) == (0, 0)
        assert all(not left for name, left in play.table.balances.items() if name.startswith("layout:"))
        play.finish()
        assert [result.winner for result in play.table.results] == ["player"]
        assert (play.table.shoe.drawn, play.table.shoe.discards, play.table.rounds) == (5, 5, 1)
        next_round(play)
        play.deal(PLAYER_WINS)
        ends(play, (10_150, 9_500), "P 9hKd B 8cQs")


def check_missing_card_of_the_last_round(game: str) -> None:
    """The Cut Card was out, and a box is not confirmed: the shoe is not over before the round is."""
    play = dealt(game, "Kh 5c 6d 2s")
    play.do(c.CutCard())
    play.do(c.Announce("banker"))
    play.do(c.Confirm(1))
    play.do(c.ReportRound(1, parse_cards("Kh 5c 5d 2s"), "card 3 was a 5"))
    play.do(c.Confirm(2))
    assert not play.table.shoe.ended
    play.rule(r.Rectify(), 1, by=SUPERVISOR)
    play.deal("4h")
    play.finish()
    assert (stacks(play), play.table.shoe.ended) == (WON_BY_PLAYER, True)


def check_missing_card_already_out(game: str, *, excess: str) -> None:
    """The card that was missing has left the shoe since: it comes first, seen or not, and then what is left over."""
    for seen in (True, False):
        play = settled(game, "Kh 5c 6d 2s")
        for card in ("4h", "7s"):
            play.do(c.Draw(Card(card), None, turned=True) if seen else c.Draw())
        play.do(c.ReportRound(1, parse_cards("Kh 5c 5d 2s"), "card 3 was a 5"))
        events = play.rule(r.Rectify(), 1, by=SUPERVISOR)
        carried = only(events, e.CarriedCardsDealt)
        assert (carried.hands, carried.paragraph) == ((P,), excess)
        if not seen:
            play.do(c.Turn(5, Card("4h")))
        play.finish()
        assert (str(play.table.past[-1].coup), stacks(play)) == ("P Kh5d4h B 5c2s", WON_BY_PLAYER)
        assert (play.table.shoe.drawn, play.table.shoe.discards) == (6, 5)
        next_round(play)
        assert [drawn.hand for drawn in current(play).cards] == [P]


def check_missing_card_that_cannot_be_drawn(game: str, *, wrong_number: str) -> None:
    """The House rules that the round cannot be put right: void, and what was paid and taken goes back."""
    play = settled(game, "Kh 5c 6d 2s")
    wrong = c.ReportRound(1, parse_cards("Kh 5c 5d 2s"), "card 3 was a 5")
    number = incident(play.do(wrong), "wrong_round", wrong_number)
    events = ruled(play, r.VoidRound(), number, "pit_supervisor", wrong_number, "the cards are mixed")
    again = only(events, e.RoundSettledAgain)
    assert (again.number, again.void, again.paragraph) == (1, True, wrong_number)
    assert stacks(play) == UNTOUCHED
    assert (sum(play.table.balances.values()), play.table.balances.get("commission", 0)) == (0, 0)
    assert play.table.results == ()
    assert not all_of(events, e.OptionsGiven)
    play.call()

    reopened = settled(game, "Kh 5c 6d 2s")  # it was to be drawn, and then that is not possible either
    reopened.do(wrong)
    reopened.rule(r.Rectify(), 1, by=SUPERVISOR)
    assert only(reopened.void("the shoe fell down"), e.RoundSettledAgain).void
    assert stacks(reopened) == UNTOUCHED
    confirm(reopened)
    assert (reopened.table.results, reopened.table.phase) == ((), Phase.IDLE)


def check_extra_cards_of_a_settled_round(game: str, *, excess: str, void: str) -> None:
    """Both had naturals: two cards too many. Before the next call it is settled again, and the two come next."""
    wrong = c.ReportRound(1, parse_cards("2h 3c 6d 6s 5h 7s"), "two cards were misread")
    for confirmed in (True, False):
        found = dealt(game, "2h 3c Kd Qs 5h 7s")
        found.do(c.Announce("player"))
        if confirmed:
            found.finish()
        assert stacks(found) == WON_BY_PLAYER  # 7 to 0
        number = incident(found.do(wrong), "wrong_round", excess)
        play = branch(found)
        events = ruled(play, r.Rectify(), number, "pit_supervisor", excess)
        again = only(events, e.RoundSettledAgain)
        anew = only(events, e.CardsTold)
        assert (again.coup, anew.cards) == ("P 2h6d B 3c6s", parse_cards("2h 3c 6d 6s 5h 7s"))
        assert (anew.left_over, anew.carried) == (parse_cards("5h 7s"), True)
        assert stacks(play) == won_by_banker(game)
        confirm(play)
        assert (play.table.shoe.drawn, play.table.shoe.discards) == (6, 4)
        next_round(play)
        assert [drawn.hand for drawn in current(play).cards] == [P, B]
        play.deal("4d As")
        ann, bob = won_by_banker(game)
        ends(play, (ann + 75, bob - 250), "P 5h4d B 7sAs")
        assert [str(each.coup) for each in play.table.past] == ["P 2h6d B 3c6s", "P 5h4d B 7sAs"]

        events = found.rule(r.VoidRound(), number, "nobody knows the order", SUPERVISOR)
        again = only(events, e.RoundSettledAgain)
        assert (again.void, again.paragraph) == (True, void)
        assert stacks(found) == UNTOUCHED

    early = settled(game, "2h 3c Kd Qs 5h 7s")
    early.do(c.Draw(Card("9d"), None, turned=True))  # it left the shoe after the two
    early.do(wrong)
    early.rule(r.Rectify(), 1, by=SUPERVISOR)
    next_round(early)
    assert [str(drawn.card) for drawn in current(early).cards] == ["5h", "7s", "9d"]

    replaced = dealt(game, "2h 3c Kd Qs 5h 7s")
    replaced.rule(r.ReplaceShoe(), 0, "a card is marked", SHIFT)
    replaced.do(c.Announce("player"))
    replaced.do(wrong)
    assert not only(replaced.rule(r.Rectify(), 1, by=SUPERVISOR), e.CardsTold).carried

    last = dealt(game, "2h 3c Kd Qs 5h 7s")
    last.do(c.CutCard())
    last.finish()
    assert last.table.shoe.ended
    last.do(wrong)
    assert told(last, c.NewShoe("by machine"))[0] == "flagged"
    anew = only(last.rule(r.Rectify(), 1, by=SUPERVISOR), e.CardsTold)
    assert (anew.left_over, anew.carried) == (parse_cards("5h 7s"), False)
    assert (last.table.shoe.drawn, last.table.shoe.discards) == (6, 6)
    last.shoe()
    next_round(last)
    assert current(last).cards == ()


# --- cards drawn in excess or exposed


def check_excess_card_opens_the_next_round(game: str, *, excess: str, late_withdrawal: str) -> None:
    """A card after the last: the hands stay what they were, and it is Player's first card of the next round."""
    play = dealt(game, PLAYER_WINS)
    number = incident(draw(play, "4h", B), "excess_cards", excess, (5,))
    waits(play, excess)
    events = ruled(play, r.Reconstruct(), number, "pit_supervisor", excess)
    arranged(events, "reconstructed", (1, 2, 3, 4, 5), (P, B, P, B), "next_round")
    not_asked(play, events, late_withdrawal)  # with four cards something is decided
    ends(play, WON_BY_PLAYER, "P 9hKd B 8cQs")
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (5, 4)
    bets(play)
    assert current(play).cards == ()
    carried = only(play.do(c.Close()), e.CarriedCardsDealt)
    assert (carried.hands, carried.paragraph) == ((P,), excess)
    play.deal("9c 2d Ks")
    ends(play, (9_950, 9_700 + BANKER_PROFIT[game]), "P 4h2d B 9cKs")
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (8, 8)


def check_two_excess_cards(game: str, *, excess: str) -> None:
    """Of two cards left over the first is Player's and the second Banker's, whoever had them before."""
    play = dealt(game, PLAYER_WINS)
    number = incident(draw(play, "4h", B), "excess_cards", excess, (5,))
    assert not all_of(draw(play, "7d", P), e.IncidentOpened)  # one matter
    events = play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    arranged(events, "reconstructed", (1, 2, 3, 4, 5, 6), (P, B, P, B), "next_round")
    ends(play, WON_BY_PLAYER, "P 9hKd B 8cQs")
    next_round(play)
    assert [(str(drawn.card), drawn.hand) for drawn in current(play).cards] == [("4h", P), ("7d", B)]
    play.deal("2d Ac")
    ends(play, (9_950, 9_700 + BANKER_PROFIT[game]), "P 4h2d B 7dAc")


def check_excess_card_finds_its_place(game: str, *, excess: str) -> None:
    """A fifth card too early: when the four lie open it is Player's third, and nothing is left over."""
    play = dealt(game, face_down=True)
    lay(play, P, B, P, B)
    number = incident(play.do(c.Draw(None, B)), "excess_cards", excess, (5,))
    assert told(play, c.Propose(r.Reconstruct(), number)) == ("cards", excess)  # does Player draw?
    for out, card in enumerate(parse_cards("2h 3c Kd Qs"), 1):
        play.do(c.Turn(out, card))
    events = play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    arranged(events, "reconstructed", (1, 2, 3, 4, 5), (P, B, P, B, P))
    assert not all_of(events, e.OptionsGiven)  # with four cards something is decided, open or not (reading E)
    play.do(c.Turn(5, Card("5h")))
    draw(play, "7s", B)
    ends(play, WON_BY_PLAYER, "P 2hKd5h B 3cQs7s")
    assert play.table.carried == ()


def check_house_decides_on_excess_cards(game: str, *, excess: str, void: str) -> None:
    """Whether the cards can be put right is the House's to say: declined, proposed anew, and ruled the other way."""
    play = dealt(game, PLAYER_WINS)
    number = incident(draw(play, "4h", B), "excess_cards", excess, (5,))
    first = only(play.do(c.Propose(r.Reconstruct(), number), SUPERVISOR), e.RulingProposed)
    assert first.needs == "pit_supervisor"
    assert told(play, c.Propose(r.Reconstruct(), number))[0] == "already_there"
    assert told(play, c.Approve(first.number), SUPERVISOR)[0] == "second_person"
    assert told(play, c.Decline(first.number))[0] == "rank"
    play.do(c.Decline(first.number, "the cards were mixed"), MANAGER)
    assert told(play, c.Approve(first.number), MANAGER)[0] == "unknown_request"
    waits(play, excess)
    second = only(play.do(c.Propose(r.VoidRound(), number, "mixed"), SUPERVISOR), e.RulingProposed)
    third = only(play.do(c.Propose(r.Reconstruct(), number)), e.RulingProposed)
    assert len({first.number, second.number, third.number}) == 3
    events = play.do(c.Approve(second.number), MANAGER)
    is_void(play, events, void)
    assert only(events, e.RulingGiven).reason == "mixed"
    assert told(play, c.Approve(third.number), MANAGER)[0] == "unknown_request"  # the matter is closed


def check_excess_card_is_discarded(game: str) -> None:
    """Where the shoe is over after the round, or is to be replaced, what is left over is used no more."""
    last = dealt(game, PLAYER_WINS)
    last.do(c.CutCard())
    replaced = dealt(game, PLAYER_WINS)
    replaced.rule(r.ReplaceShoe(), 0, "a card is marked", SHIFT)
    for play in (last, replaced):
        draw(play, "4h", B)
        number = only(tuple(play.events), e.IncidentOpened).number
        events = play.rule(r.Reconstruct(), number, by=SUPERVISOR)
        arranged(events, "reconstructed", (1, 2, 3, 4, 5), (P, B, P, B), "discarded")
    ruled_later = dealt(game, PLAYER_WINS)
    draw(ruled_later, "4h", B)
    ruled_later.rule(r.Reconstruct(), 1, by=SUPERVISOR)
    ruled_later.rule(r.ReplaceShoe(), 0, "a card is marked", SHIFT)
    for play in (last, replaced, ruled_later):
        ends(play, WON_BY_PLAYER, "P 9hKd B 8cQs")
        ended = only(tuple(play.events), e.ShoeEnded)
        assert (ended.drawn, ended.discards) == (5, 5)
        assert play.table.carried == ()
        play.shoe()
        next_round(play)
        assert current(play).cards == ()


def check_card_before_its_round(game: str, *, exposed: str) -> None:
    """A card that came out too early, seen or not, is the first of the round that comes."""
    idle = table_of(game)
    paying = dealt(game, PLAYER_WINS)
    paying.do(c.Announce("player"))
    for seen in (True, False):
        for phase, start in ((Phase.IDLE, idle), (Phase.PAYING, paying), (Phase.BETTING, betting(game))):
            play = branch(start)
            assert play.table.phase is phase
            events = play.do(c.Draw(Card("4h"), None, turned=True) if seen else c.Draw())
            assert events == (e.EarlyCardDrawn(exposed, Card("4h") if seen else None, seen),)
            confirm(play)
            if play.table.phase is Phase.IDLE:
                bets(play)
            assert current(play).cards == ()
            carried = only(play.do(c.Close()), e.CarriedCardsDealt)
            assert (carried.hands, carried.paragraph) == ((P,), exposed)
            if not seen:
                play.do(c.Turn(1, Card("4h")))
            play.deal("9c 2d Ks")
            play.finish()
            assert str(play.table.past[-1].coup) == "P 4h2d B 9cKs"
            assert play.table.results[-1].winner == "banker"


def check_card_turned_before_its_round(game: str, *, exposed: str) -> None:
    """One that lay face down and is turned before its round was seen: the first of the round all the same."""
    paying = dealt(game, PLAYER_WINS)
    paying.do(c.Announce("player"))
    for out, start in ((0, table_of(game)), (4, paying), (0, betting(game))):
        play = branch(start)
        play.do(c.Draw())
        phase = play.table.phase
        assert play.do(c.Turn(out + 1, Card("4h"))) == (e.CardTurned(out + 1, Card("4h"), DEALER, exposed),)
        assert (play.table.phase, play.table.carried) == (phase, (Drawn(Card("4h"), turned=True),))
        confirm(play)
        if play.table.phase is Phase.IDLE:
            bets(play)
        play.close()
        play.deal("9c 2d Ks")
        play.finish()
        assert str(play.table.past[-1].coup) == "P 4h2d B 9cKs"


def check_many_early_cards(game: str) -> None:
    """They are dealt as if they came now, as far as the round has use for them; the rest waits for the one after."""
    for cards, hands, rest in (
        ("2h 3c Kd", (P, B, P), 0),
        ("2h 3c Kd Qs 5h 7s", (P, B, P, B, P, B), 0),
        ("2h 3c Kd Qs 8h 7s", (P, B, P, B, P), 1),  # Banker stands on 3 against an 8
        ("9h 8c Kd Qs 5h", (P, B, P, B), 1),
    ):
        play = table_of(game)
        for card in parse_cards(cards):
            play.do(c.Draw(card, None, turned=True))
        bets(play)
        assert only(play.do(c.Close()), e.CarriedCardsDealt).hands == hands
        assert len(play.table.carried) == rest
    play.finish()
    next_round(play)
    assert [(str(drawn.card), drawn.hand) for drawn in current(play).cards] == [("5h", P)]


def check_shows_in_the_shoe(game: str, *, exposed: str, given: str, go_on: str, take_back: str) -> None:
    """A card that shows in the shoe is an exposed one: it comes when it is due; options while nothing is decided."""
    play = dealt(game, "4h 2c")
    number = incident(play.do(c.Report("face_up_in_shoe", "a 9 shows")), "face_up_in_shoe", exposed)
    waits(play, exposed)
    events = ruled(play, r.PlayOn(), number, "pit_supervisor", exposed)
    asked(play, events, given=given, go_on=go_on, take_back=take_back)
    for person in ("ann", "bob"):
        play.do(c.TakeOption(person, goes_on=True), person)
    play.deal("9s 5s")
    decided = dealt(game, "9h 2c Kd 5s")
    number = incident(decided.do(c.Report("face_up_in_shoe", "a 9 shows")), "face_up_in_shoe", exposed)
    events = ruled(decided, r.PlayOn(), number, "pit_supervisor", exposed)
    assert not [event for event in events if isinstance(event, e.OptionsGiven)]


# --- options


def exposed_at(game: str, cards: str, *, exposed: str) -> tuple[Play, tuple[e.Event, ...]]:
    """The last of these open cards should not have been seen; put right by a supervisor."""
    play = dealt(game, cards)
    last = len(cards.split())
    events = play.do(c.Report("exposed_cards", "a card fell open", (last,)))
    number = incident(events, "exposed_cards", exposed, (last,))
    waits(play, exposed)
    return play, ruled(play, r.Reconstruct(), number, "pit_supervisor", exposed)


def check_options_while_open(
    game: str, cards: str, rest: str, *, exposed: str, given: str, go_on: str, take_back: str
) -> None:
    """Nothing is decided by these cards: everybody is asked. Player wins with the rest."""
    play, events = exposed_at(game, cards, exposed=exposed)
    asked(play, events, given=given, go_on=go_on, take_back=take_back)
    check_answers(play, go_on=go_on, take_back=take_back)
    play.deal(rest)
    play.finish()
    assert stacks(play) == (10_075, 10_000)


def check_no_options_once_decided(game: str, cards: str, *, exposed: str, late_withdrawal: str) -> None:
    """These cards decide some bet: nobody is asked."""
    play, events = exposed_at(game, cards, exposed=exposed)
    not_asked(play, events, late_withdrawal)


def check_no_options_once_player_is_open(game: str, *, exposed: str, late_withdrawal: str) -> None:
    """Player's open 6 decides something, and Banker's cards lie face down still: nobody is asked."""
    play = dealt(game, face_down=True)
    lay(play, P, B, P, B)
    play.do(c.Turn(1, Card("6h")))
    play.do(c.Turn(3, Card("Kd")))
    number = incident(play.do(c.Report("exposed_cards", "fell open", (3,))), "exposed_cards", exposed, (3,))
    not_asked(play, play.rule(r.Reconstruct(), number, by=SUPERVISOR), late_withdrawal)


# --- cards at the wrong side


def check_wrong_side_while_open(
    game: str, out: str, card: str, hand: Side, *, wrong_side: str, given: str, go_on: str, take_back: str
) -> None:
    """A card at the wrong hand is put right before play goes on; nothing is decided: everybody is asked."""
    for turned in (True, False):
        play = dealt(game, out, face_down=not turned)
        number_out = len(out.split()) + 1
        events = play.do(c.Draw(Card(card) if turned else None, hand, turned=turned))
        number = incident(events, "wrong_side", wrong_side, (number_out,))
        waits(play, wrong_side)
        events = ruled(play, r.Reconstruct(), number, "pit_supervisor", wrong_side)
        hands = (P, B, P, B)[:number_out]
        arranged(events, "reconstructed", tuple(range(1, number_out + 1)), hands)
        assert tuple(drawn.hand for drawn in current(play).cards) == hands
        asked(play, events, given=given, go_on=go_on, take_back=take_back)


def check_wrong_side_once_decided(game: str, out: str, card: str, *, wrong_side: str, late_withdrawal: str) -> None:
    """Player's second card at Banker: put right, it decides something, and nobody is asked."""
    play = dealt(game, out)
    number = incident(draw(play, card, B), "wrong_side", wrong_side, (3,))
    events = play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    arranged(events, "reconstructed", (1, 2, 3), (P, B, P))
    not_asked(play, events, late_withdrawal)


def check_wrong_sides_put_right(game: str, *, wrong_side: str, late_withdrawal: str) -> None:
    """Player's second card and Banker's changed places: one ruling puts both right, and with four nobody is asked."""
    play = dealt(game, "9h 8c")
    number = incident(draw(play, "Kd", B), "wrong_side", wrong_side, (3,))
    incident(draw(play, "5s", P), "wrong_side", wrong_side, (4,))
    events = ruled(play, r.Reconstruct(), number, "pit_supervisor", wrong_side)
    arranged(events, "reconstructed", (1, 2, 3, 4), (P, B, P, B))
    not_asked(play, events, late_withdrawal)
    assert play.table.incidents == {}
    ends(play, WON_BY_PLAYER, "P 9hKd B 8c5s")


def check_card_moved_to_the_wrong_side(game: str, *, wrong_side: str) -> None:
    """Where a card lies may be told after it was drawn; that it lies wrong is noticed then."""
    play = dealt(game, face_down=True)
    play.do(c.Draw())
    assert told(play, c.PutCard(2, P))[0] == "cards"
    assert branch(play).do(c.PutCard(1, P)) == (e.CardPut(1, P),)
    number = incident(play.do(c.PutCard(1, B)), "wrong_side", wrong_side, (1,))
    assert current(play).cards[0].hand is B
    assert told(play, c.PutCard(1, B))[0] == "already_there"
    for hand in (P, B):  # pushed to and fro: one matter
        assert play.do(c.PutCard(1, hand)) == (e.CardPut(1, hand),)
    play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    assert current(play).cards[0].hand is P


def check_third_card_to_the_wrong_side(game: str, *, wrong_side: str, late_withdrawal: str) -> None:
    """Player's third card at Banker: it is Player's, and whether Banker draws follows from it."""
    play = dealt(game, "2h 3c Kd Qs")
    number = incident(draw(play, "8d", B), "wrong_side", wrong_side, (5,))
    events = ruled(play, r.Reconstruct(), number, "pit_supervisor", wrong_side)
    arranged(events, "reconstructed", (1, 2, 3, 4, 5), (P, B, P, B, P))
    not_asked(play, events, late_withdrawal)
    ends(play, won_by_banker(game), "P 2hKd8d B 3cQs")  # 0 to 3, and Banker stands on 3 against an 8


def check_wrong_sides_as_they_lie(game: str, *, given: str, go_on: str, take_back: str) -> None:
    """They cannot be put right: everybody is asked, whatever is decided, and the hands are what lies there."""
    play = dealt(game, "9h 8c")
    draw(play, "Kd", B)
    draw(play, "5s", P)
    assert told(play, c.Propose(r.AsItLies(), 1)) == ("reason", go_on)  # why not?
    events = ruled(play, r.AsItLies(), 1, "pit_supervisor", go_on, "the cards were picked up")
    arranged(events, "as_it_lies", (1, 2, 4, 3), (P, B, P, B))
    assert play.table.incidents == {}
    asked(play, events, given=given, go_on=go_on, take_back=take_back)
    all_in = branch(play)
    everybody_goes_on(all_in)
    ends(all_in, won_by_banker(game), "P 9h5s B 8cKd")  # 4 to 8; put right, Player would have won 9 to 3
    check_answers(play, go_on=go_on, take_back=take_back)
    ends(play, (9_875, 10_000), "P 9h5s B 8cKd")


def check_handed_to_the_other(
    game: str, *, delivery: str, given: str, go_on: str, take_back: str, late_withdrawal: str
) -> None:
    """Cards in the hands of who squeezes the other side: as with the wrong area, turned or not."""
    play = dealt(game, face_down=True)
    lay(play, P, B)
    assert told(play, c.Report("squeeze_delivery", "handed to Bob")) == ("cards", delivery)  # which?
    assert told(play, c.Report("squeeze_delivery", "handed to Bob", (3,))) == ("cards", delivery)
    events = play.do(c.Report("squeeze_delivery", "handed to Bob", (1,)))
    number = incident(events, "squeeze_delivery", delivery, (1,))
    waits(play, delivery)
    events = ruled(play, r.Reconstruct(), number, "pit_supervisor", delivery)
    arranged(events, "reconstructed", (1, 2), (P, B))
    asked(play, events, given=given, go_on=go_on, take_back=take_back)
    everybody_goes_on(play)
    lay(play, P, B)
    for out, card in enumerate(parse_cards(PLAYER_WINS), 1):
        play.do(c.Turn(out, card))
    number = incident(play.do(c.Report("squeeze_delivery", "again", (3,))), "squeeze_delivery", delivery, (3,))
    events = play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    not_asked(play, events, late_withdrawal)
    ends(play, WON_BY_PLAYER, "P 9hKd B 8cQs")


# --- dealt face up


def check_face_up_while_open(game: str, cards: str, *, face_up: str, go_on: str, take_back: str) -> None:
    """Play goes on by the dealer's word alone, and nothing is decided: everybody is asked."""
    play = dealt(game, face_down=True)
    for out, card in enumerate(cards.split()):
        draw(play, card, (P, B, P)[out])
    last = len(cards.split())
    number = incident(play.do(c.Report("face_up", "dealt face up", (last,))), "face_up", face_up, (last,))
    waits(play, face_up)
    for ruling in (r.VoidRound(), r.AsItLies(), r.Reconstruct()):
        assert told(play, c.Propose(ruling, number, "because")) == ("ruling", face_up)
    events = play.do(c.Propose(r.PlayOn(), number))
    given = only(events, e.RulingGiven)
    assert (given.paragraph, given.by, given.approved_by) == (face_up, DEALER, "")
    assert not all_of(events, e.CardsArranged)
    asked(play, events, given=face_up, go_on=go_on, take_back=take_back)
    check_answers(play, go_on=go_on, take_back=take_back)
    assert told(play, c.Propose(r.PlayOn(), number))[0] == "unknown_request"


def check_face_up_once_decided(game: str, cards: str, *, face_up: str, late_withdrawal: str) -> None:
    """The round goes on, and what these cards decide stands; nobody is asked."""
    play = dealt(game, face_down=True)
    for out, card in enumerate(cards.split()):
        draw(play, card, (P, B, P, B)[out])
    number = incident(play.do(c.Report("face_up", "dealt face up", (1,))), "face_up", face_up, (1,))
    not_asked(play, play.do(c.Propose(r.PlayOn(), number)), late_withdrawal)


def check_face_up_result_stands(game: str, *, face_up: str) -> None:
    play = dealt(game, face_down=True)
    for out, card in enumerate(PLAYER_WINS.split()):
        draw(play, card, (P, B, P, B)[out])
    number = incident(play.do(c.Report("face_up", "all of them", (1, 2, 3, 4))), "face_up", face_up, (1, 2, 3, 4))
    play.rule(r.PlayOn(), number)
    ends(play, WON_BY_PLAYER, "P 9hKd B 8cQs")
    open_cards = dealt(game, "9h")
    assert told(open_cards, c.Report("face_up", "dealt face up", (1,))) == ("cards", face_up)
    hidden = dealt(game, face_down=True)
    lay(hidden, P)
    assert told(hidden, c.Report("face_up", "dealt face up", (1,))) == ("cards", face_up)


# --- cards drawn at once


def check_simultaneous(game: str, *, simultaneous: str, given: str, go_on: str, take_back: str) -> None:
    """A supervisor decides which of two cards is the first; everybody is asked although much is decided."""
    play = dealt(game, "9h 8c Kd 5s")
    assert told(play, c.Report("simultaneous", "two at once", (3,))) == ("cards", simultaneous)
    assert told(play, c.Report("simultaneous", "two at once", (2, 4))) == ("cards", simultaneous)
    events = play.do(c.Report("simultaneous", "two at once", (3, 4)))
    number = incident(events, "simultaneous", simultaneous, (3, 4))
    waits(play, simultaneous)
    assert told(play, c.Propose(r.Reconstruct(), number)) == ("ruling", simultaneous)  # in which order?
    for cards in ((3,), (3, 3), (4, 5), (2, 3)):
        assert told(play, c.Propose(r.DecideOrder(cards), number)) == ("cards", simultaneous)
    other = branch(play)
    events = ruled(play, r.DecideOrder((4, 3)), number, "pit_supervisor", simultaneous)
    arranged(events, "reconstructed", (1, 2, 4, 3), (P, B, P, B))
    asked(play, events, given=given, go_on=go_on, take_back=take_back)
    everybody_goes_on(play)
    ends(play, won_by_banker(game), "P 9h5s B 8cKd")
    events = other.rule(r.DecideOrder((3, 4)), number, by=SUPERVISOR)
    arranged(events, "reconstructed", (1, 2, 3, 4), (P, B, P, B))
    asked(other, events, given=given, go_on=go_on, take_back=take_back)
    check_answers(other, go_on=go_on, take_back=take_back)
    ends(other, (10_075, 10_000), "P 9hKd B 8c5s")


def check_simultaneous_face_down(game: str, *, simultaneous: str) -> None:
    """Nobody has seen the cards yet: the order is decided all the same."""
    play = dealt(game, face_down=True)
    lay(play, P, B, P)
    events = play.do(c.Report("simultaneous", "three at once", (1, 2, 3)))
    number = incident(events, "simultaneous", simultaneous, (1, 2, 3))
    events = play.rule(r.DecideOrder((3, 1, 2)), number, by=SUPERVISOR)
    arranged(events, "reconstructed", (3, 1, 2), (P, B, P))
    everybody_goes_on(play)
    lay(play, B)
    # a card keeps its number wherever it counts: the third one out is Player's first
    for out, card in zip((3, 1, 2, 4), parse_cards(PLAYER_WINS), strict=True):
        play.do(c.Turn(out, card))
    ends(play, WON_BY_PLAYER, "P 9hKd B 8cQs")


def check_simultaneous_third_cards(game: str, *, simultaneous: str, given: str, go_on: str, take_back: str) -> None:
    """The order decides whether Banker draws; where not, the other card opens the next round."""
    play = dealt(game, "2h 3c Kd Qs 5h 7d")
    events = play.do(c.Report("simultaneous", "two at once", (5, 6)))
    number = incident(events, "simultaneous", simultaneous, (5, 6))
    events = play.rule(r.DecideOrder((5, 6)), number, by=SUPERVISOR)
    arranged(events, "reconstructed", (1, 2, 3, 4, 5, 6), (P, B, P, B, P, B))
    everybody_goes_on(play)
    ends(play, WON_BY_PLAYER, "P 2hKd5h B 3cQs7d")

    play = dealt(game, "2h 3c Kd Qs 5h 8d")
    play.do(c.Report("simultaneous", "two at once", (5, 6)))
    events = play.rule(r.DecideOrder((6, 5)), 1, by=SUPERVISOR)
    arranged(events, "reconstructed", (1, 2, 3, 4, 6, 5), (P, B, P, B, P), "next_round")
    asked(play, events, given=given, go_on=go_on, take_back=take_back)
    everybody_goes_on(play)
    ends(play, won_by_banker(game), "P 2hKd8d B 3cQs")
    next_round(play)
    assert [(str(drawn.card), drawn.hand) for drawn in current(play).cards] == [("5h", P)]


def check_simultaneous_excess_cards(
    game: str, *, excess: str, simultaneous: str, given: str, go_on: str, take_back: str
) -> None:
    """Two cards too many, drawn at once: the order is decided first, and in that order they open the next round."""
    play = dealt(game, PLAYER_WINS)
    number = incident(draw(play, "4h", P), "excess_cards", excess, (5,))
    draw(play, "7d", B)
    events = play.do(c.Report("simultaneous", "two at once", (5, 6)))
    at_once = incident(events, "simultaneous", simultaneous, (5, 6))
    assert told(play, c.Propose(r.Reconstruct(), number)) == ("flagged", simultaneous)
    events = ruled(play, r.DecideOrder((6, 5)), at_once, "pit_supervisor", simultaneous)
    arranged(events, "reconstructed", (1, 2, 3, 4, 6, 5), (P, B, P, B), "next_round")
    assert play.table.incidents == {}
    asked(play, events, given=given, go_on=go_on, take_back=take_back)
    everybody_goes_on(play)
    ends(play, WON_BY_PLAYER, "P 9hKd B 8cQs")
    next_round(play)
    assert [(str(drawn.card), drawn.hand) for drawn in current(play).cards] == [("7d", P), ("4h", B)]


def check_simultaneous_in_order(game: str, *, given: str, go_on: str, take_back: str) -> None:
    """Their order can be told, so nobody decides it; it is an error of the dealer's all the same."""
    play = dealt(game, "9h 8c Kd 5s")
    events = play.do(c.Report("simultaneous_in_order", "two at once", (3, 4)))
    number = incident(events, "simultaneous_in_order", given, (3, 4))
    events = play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    arranged(events, "reconstructed", (1, 2, 3, 4), (P, B, P, B))
    asked(play, events, given=given, go_on=go_on, take_back=take_back)
    check_answers(play, go_on=go_on, take_back=take_back)
    ends(play, (10_075, 10_000), "P 9hKd B 8c5s")


def check_shoe_replaced(game: str, *, simultaneous: str, replaced: str, uncovered: str) -> None:
    """After cards drawn at once a supervisor may have the cards replaced; the round is played to its end first."""
    marked = "cards stick together"
    play = dealt(game, "2h 3c Kd Qs 5h 8d")
    assert only(branch(play).do(c.Propose(r.ReplaceShoe(), 0, marked)), e.RulingProposed).paragraph == uncovered
    play.do(c.Report("simultaneous", "two at once", (5, 6)))
    assert told(play, c.Propose(r.ReplaceShoe(), 0)) == ("reason", replaced)  # why?
    after = branch(play)
    events = ruled(play, r.ReplaceShoe(), 0, "pit_supervisor", replaced, marked)
    assert only(events, e.ShoeToBeReplaced) == e.ShoeToBeReplaced(replaced, marked)
    assert told(play, c.Propose(r.ReplaceShoe(), 0, marked))[0] == "already_there"
    waits(play, simultaneous)
    events = play.rule(r.DecideOrder((6, 5)), 1, by=SUPERVISOR)
    arranged(events, "reconstructed", (1, 2, 3, 4, 6, 5), (P, B, P, B, P), "discarded")
    everybody_goes_on(play)
    ends(play, won_by_banker(game), "P 2hKd8d B 3cQs")
    ended = only(tuple(play.events), e.ShoeEnded)
    assert (ended.drawn, ended.discards) == (6, 6)
    assert told(play, c.Call())[0] == "no_shoe"
    play.shoe()
    next_round(play)
    assert current(play).cards == ()

    after.rule(r.DecideOrder((6, 5)), 1, by=SUPERVISOR)  # ruled on when the round is over
    everybody_goes_on(after)
    ends(after, won_by_banker(game), "P 2hKd8d B 3cQs")
    kept = branch(after)
    events = ruled(after, r.ReplaceShoe(), 0, "pit_supervisor", replaced, marked)
    assert (only(events, e.ShoeEnded).discards, after.table.carried) == (6, ())
    assert told(after, c.Call())[0] == "no_shoe"
    next_round(kept)  # the shoe goes on; nothing of this round was drawn at once
    proposed = only(kept.do(c.Propose(r.ReplaceShoe(), 0, marked)), e.RulingProposed)
    assert (proposed.paragraph, proposed.needs) == (uncovered, "shift_manager")


# --- noticed late


def found_late(game: str, cards: str, true_cards: str, *, late: str) -> Play:
    """A settled round that was wrong, noticed when bets are called for anew, and Ann and Bob have bet again."""
    play = settled(game, cards)
    bets(play)
    before = play.table
    opened = only(play.do(c.ReportRound(1, parse_cards(true_cards), "seen on the recording")), e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.round, opened.blocks) == ("late_discovery", late, 1, False)
    after = play.table
    assert (after.balances, after.results, after.round, after.past, after.shoe) == (
        before.balances,
        before.results,
        before.round,
        before.past,
        before.shoe,
    )
    return play


def check_late_error_changes_nothing(game: str, *, late: str) -> None:
    """Noticed after the next call, before a card of it is out: that round is played and settled as any other."""
    play = found_late(game, "Kh 5c 6d 2s", "Kh 5c 5d 2s 4h", late=late)
    play.close()
    play.deal(PLAYER_WINS)
    ann, bob = won_by_banker(game)
    ends(play, (ann + 75, bob - 250), "P 9hKd B 8cQs")
    assert [result.winner for result in play.table.results] == ["banker", "player"]
    events = ruled(play, r.LetStand(), 1, "pit_supervisor", late, "too late")
    assert not [event for event in events if not isinstance(event, e.RulingGiven | e.IncidentClosed)]
    assert stacks(play) == (ann + 75, bob - 250)
    play.call()
    assert told(play, c.ReportRound(7, parse_cards(PLAYER_WINS), "seen"))[0] == "no_round"
    assert told(play, c.ReportRound(2, parse_cards(PLAYER_WINS), "seen"))[0] == "cards"  # as it was settled
    assert told(play, c.ReportRound(2, parse_cards("9h 8c Kd"), "seen"))[0] == "cards"
    assert told(play, c.ReportRound(2, parse_cards("9h 8c Kd Ks"), " "))[0] == "bad_amount"
    for number, cards in ((1, "Kh 5c 5d 2s 4h"), (2, "9h 8c Kd Ks")):  # each round for itself
        assert only(play.do(c.ReportRound(number, parse_cards(cards), "seen")), e.IncidentOpened).round == number


def check_late_error_on_the_road(game: str) -> None:
    """What was let stand stays on the road as it was settled, also when another round is put right."""
    play = settled(game, "9h 4c Kd 3s")
    next_round(play)
    play.deal(PLAYER_WINS)
    play.finish()
    play.call()
    play.rule(r.CorrectCard(1, Card("2h"), 1), reason="it was a 2", by=MANAGER)  # a third card was due
    play.rule(r.LetStand(), 1, "too late", SUPERVISOR)
    play.rule(r.CorrectCard(1, Card("7h"), 2), reason="it was a 7", by=MANAGER)
    assert [result.winner for result in play.table.results] == ["player", "banker"]


def check_late_error_in_time(game: str, *, late: str) -> None:
    """It is late from the call on, and not a moment before."""
    play = settled(game, "Kh 5c 6d 2s")
    wrong = c.ReportRound(1, parse_cards("Kh 5c 5d 2s 4h"), "seen on the recording")
    timely = branch(play)
    assert only(timely.do(wrong), e.IncidentOpened).family == "wrong_round"
    later = branch(play)
    play.do(c.Call())
    assert only(play.do(wrong), e.IncidentOpened).paragraph == late
    next_round(later)
    later.deal(PLAYER_WINS)
    later.finish()
    assert later.table.phase is Phase.IDLE
    assert only(later.do(wrong), e.IncidentOpened).paragraph == late  # a whole round later
    second = c.ReportRound(2, parse_cards("9h 8c Kd Ks"), "seen on the recording")
    assert only(later.do(second), e.IncidentOpened).family == "wrong_round"


def check_late_error_ruled_on(game: str, *, late: str, uncovered: str) -> None:
    """At discretion the old round is put right, or void, by new postings; the new one does not notice."""
    play = found_late(game, "Kh 5c 6d 2s", "Kh 5c 5d 2s 4h", late=late)
    void = branch(play)
    events = ruled(play, r.Rectify(), 1, "shift_manager", uncovered, "the recording is clear")
    again = only(events, e.RoundSettledAgain)
    assert (again.number, again.coup, again.paragraph, again.void) == (1, "P Kh5d4h B 5c2s", uncovered, False)
    assert stacks(play) == (10_075 - 125, 9_750 - 250)
    assert [result.winner for result in play.table.results] == ["player"]
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (5, 5)

    events = ruled(void, r.VoidRound(), 1, "shift_manager", uncovered, "nobody can tell")
    assert only(events, e.RoundSettledAgain).void
    assert stacks(void) == (10_000 - 125, 10_000 - 250)
    assert void.table.results == ()
    for each, (ann, bob) in ((play, (10_075, 9_750)), (void, UNTOUCHED)):
        assert (layout(each), each.table.balances.get("commission", 0)) == ((125, 250), 0)
        each.close()
        each.deal(PLAYER_WINS)
        ends(each, (ann + 75, bob - 250), "P 9hKd B 8cQs")


def check_late_extra_cards(game: str, *, late: str, uncovered: str) -> None:
    """Cards that were too many then play no part now; a card that never came is not drawn any more."""
    play = found_late(game, "2h 3c Kd Qs 5h 7s", "2h 3c 6d 6s 5h 7s", late=late)
    events = ruled(play, r.Rectify(), 1, "shift_manager", uncovered, "the recording is clear")
    again = only(events, e.RoundSettledAgain)
    anew = only(events, e.CardsTold)
    assert (again.coup, anew.left_over, anew.carried) == ("P 2h6d B 3c6s", parse_cards("5h 7s"), False)
    play.close()
    assert current(play).cards == ()
    assert (play.table.shoe.drawn, play.table.shoe.discards) == (6, 6)

    play = found_late(game, "Kh 5c 6d 2s", "Kh 5c 5d 2s", late=late)
    assert told(play, c.Propose(r.Rectify(), 1, "the recording is clear")) == ("cards", uncovered)


# --- any dealing error


def check_dealing_error(game: str, cards: str, *, dealing_error: str, go_on: str, take_back: str) -> None:
    """Everybody is asked whatever is decided, until the settlement."""
    play = dealt(game, cards)
    assert told(play, c.Report("dealing_error", "")) == ("bad_amount", "")
    assert told(play, c.Report("dealing_error", "two bets of one player swapped"), "ann")[0] == "rank"
    events = play.do(c.Report("dealing_error", "the shoe was knocked"))
    number = incident(events, "dealing_error", dealing_error)
    waits(play, dealing_error)
    assert told(play, c.Report("dealing_error", "the shoe was knocked again"))[0] == "already_there"
    assert told(play, c.TakeOption("ann", False), "ann")[0] == "no_options"  # after the ruling
    events = ruled(play, r.Reconstruct(), number, "pit_supervisor", dealing_error)
    asked(play, events, given=dealing_error, go_on=go_on, take_back=take_back)


def check_no_dealing_error_after_settlement(game: str) -> None:
    """Who is paid is not asked any more; who is still to be paid is (reading L)."""
    play = dealt(game, PLAYER_WINS)
    play.do(c.Announce("player"))
    assert told(play, c.TakeOption("bob", False), "bob")[0] == "no_options"
    play.do(c.Confirm(1))
    play.do(c.Report("dealing_error", "the shoe was knocked"))
    assert only(play.rule(r.Reconstruct(), 1, by=SUPERVISOR), e.OptionsGiven).people == ("bob",)
    assert told(play, c.TakeOption("ann", False), "ann")[0] == "no_options"
    ann = play.table.stack("ann")
    assert only(play.do(c.TakeOption("bob", False), "bob"), e.RoundSettledAgain).void is False
    assert (play.table.stack("ann"), play.table.stack("bob")) == (ann, 10_000_00)
    play.finish()
    late = only(play.do(c.Report("dealing_error", "the shoe was knocked")), e.IncidentOpened)
    assert (late.family, late.blocks) == ("late_discovery", False)


def erred(game: str, cards: str = PLAYER_WINS, *, walked_away: str = "", **changes: Any) -> Play:
    """Something went wrong and was put right, and everybody is asked."""
    play = dealt(game, cards, **changes)
    if walked_away:
        play.do(c.WalkAway(walked_away))
    play.do(c.Report("dealing_error", "the shoe was knocked"))
    play.rule(r.Reconstruct(), 1, by=SUPERVISOR)
    return play


def check_second_error(game: str, *, dealing_error: str, go_on: str, take_back: str) -> None:
    """Something goes wrong once more: who still has bets is asked once more."""
    play = erred(game, "2h 3c Kd Qs")
    play.do(c.TakeOption("ann", True), "ann")
    play.do(c.TakeOption("bob", False), "bob")
    play.deal("5h")
    number = incident(play.do(c.Report("dealing_error", "knocked again")), "dealing_error", dealing_error)
    events = play.rule(r.Reconstruct(), number, by=SUPERVISOR)
    asked(play, events, given=dealing_error, go_on=go_on, take_back=take_back, people="ann")
    is_void(play, play.do(c.TakeOption("ann", False), "ann"), take_back)


def check_table_waits_for_answers(game: str, *, go_on: str) -> None:
    """A table that settles by itself does not while an error or an answer is open, though the last card is out."""
    play = dealt(game, "2h 3c Kd Qs 5h", automated=QUICK)
    play.do(c.Report("dealing_error", "the shoe was knocked"))
    assert not all_of(draw(play, "7s", B), e.ResultAnnounced)
    events = play.rule(r.Reconstruct(), 1, by=SUPERVISOR)
    assert not all_of(events, e.ResultAnnounced)
    assert not all_of(play.do(c.TakeOption("bob", True), "bob"), e.ResultAnnounced)
    assert told(play, c.Settle()) == ("flagged", go_on)
    assert only(play.do(c.TakeOption("ann", True), "ann"), e.RoundSettled).coup == "P 2hKd5h B 3cQs7s"
    assert stacks(play) == WON_BY_PLAYER


def check_go_on_as_it_lies(game: str, *, dealing_error: str, go_on: str, take_back: str) -> None:
    """The cards cannot be put right, but each hand has the right number: on with the hands as they lie."""
    play = dealt(game, "2h 3c Kd Qs")
    play.do(c.Report("dealing_error", "the shoe was knocked"))
    events = ruled(play, r.AsItLies(), 1, "pit_supervisor", go_on, "nobody knows the order")
    arranged(events, "as_it_lies", (1, 2, 3, 4), (P, B, P, B))
    asked(play, events, given=dealing_error, go_on=go_on, take_back=take_back)
    check_answers(play, go_on=go_on, take_back=take_back)
    play.deal("5h 7s")  # who goes on takes what comes
    ends(play, (10_075, 10_000), "P 2hKd5h B 3cQs7s")


def check_go_on_reconstructed(game: str, *, go_on: str, late_withdrawal: str) -> None:
    """Who goes on with the cards as put right takes every card that comes, and nothing back any more."""
    play = erred(game, "2h 3c Kd Qs")
    assert [drawn.hand for drawn in current(play).cards] == [P, B, P, B]
    for person in ("ann", "bob"):
        taken = only(play.do(c.TakeOption(person, True), person), e.OptionTaken)
        assert (taken.goes_on, taken.paragraph, taken.transfers) == (True, go_on, ())
    for out in ("5h", "7s"):
        assert told(play, c.TakeOption("ann", False), "ann") == ("no_options", late_withdrawal)
        assert told(play, c.Withdraw("ann", 1, "player"), "ann") == ("bets_closed", late_withdrawal)
        play.deal(out)
    ends(play, WON_BY_PLAYER, "P 2hKd5h B 3cQs7s")


def check_take_back(game: str, *, take_back: str) -> None:
    """The one who takes back has all bets back, and neither wins nor loses; staff may write the answer down."""
    play = erred(game)
    taken = only(play.do(c.TakeOption("ann", False), DEALER), e.OptionTaken)
    assert (taken.by, taken.paragraph, taken.transfers) == (
        DEALER,
        take_back,
        (e.Transfer("layout:ann", "chips:ann", 125_00),),
    )
    taken = only(play.do(c.TakeOption("bob", True), MANAGER), e.OptionTaken)
    assert (taken.by, taken.goes_on) == (MANAGER, True)
    ends(play, (10_000, 9_750), "P 9hKd B 8cQs")


def check_taken_back_stays_so(game: str, *, take_back: str) -> None:
    """A bet that was taken back is not at stake, whatever is found out about its size, before and after the end."""
    play = dealt(game, "9h 8c", automated=QUICK)
    number = only(play.do(c.Report("simultaneous", "two at once", (1, 2))), e.IncidentOpened).number
    play.rule(r.DecideOrder((1, 2)), number, by=SUPERVISOR)
    play.do(c.TakeOption("ann", goes_on=False), "ann")
    more = c.Propose(r.CorrectBet("ann", 1, "player", 150_00), reason="she had 150 there")
    assert told(play, more) == ("no_wager", take_back)
    other = c.Propose(r.CorrectBet("ann", 1, TIE_BET[game], 50_00), reason="she had 50 there")
    assert told(play, other) == ("no_wager", take_back)  # she has taken back whatever she had (reading H)
    found = only(play.do(c.FindBet("ann", 1, "banker", 50_00)), e.LateChipsRefused)
    assert (found.amount, found.paragraph, stacks(play)[0]) == (50_00, take_back, 10_000)
    play.rule(r.CorrectBet("bob", 2, "banker", 300_00), reason="he had 300 there")  # his is
    play.do(c.TakeOption("bob", goes_on=True), "bob")
    play.deal("Kd 5s")
    assert stacks(play) == (10_000, 9_650)
    assert told(play, c.Propose(r.CorrectBet("ann", 1, "player", 150_00, round=1), reason="she had 150 there")) == (
        "no_wager",
        take_back,
    )


def check_found_while_others_choose(game: str, *, take_back: str) -> None:
    """Cho's bet lay there at the close, and comes to light while Ann and Bob have the options: she has them, too."""
    for by_hand in (c.FindBet("cho", 1, "banker", 100_00), c.Propose(r.CorrectBet("cho", 1, "banker", 100_00), 0, "x")):
        play = dealt(game, "9h 8c", automated=QUICK)
        number = only(play.do(c.Report("simultaneous", "two at once", (1, 2))), e.IncidentOpened).number
        play.rule(r.DecideOrder((1, 2)), number, by=SUPERVISOR)
        play.do(c.TakeOption("bob", goes_on=True), "bob")
        if isinstance(proposed := play.do(by_hand)[0], e.RulingProposed):
            play.do(c.Approve(proposed.number), SUPERVISOR)
        play.do(c.FindBet("bob", 2, TIE_BET[game], 25_00))  # he has answered, for all that is his
        play.do(c.TakeOption("ann", goes_on=True), "ann")
        assert told(play, c.TakeOption("bob", False), "bob")[0] == "no_options"
        taken = only(play.do(c.TakeOption("cho", goes_on=False), "cho"), e.OptionTaken)
        assert (taken.paragraph, taken.transfers) == (take_back, (e.Transfer("layout:cho", "chips:cho", 100_00),))
        play.deal("Kd 5s")
        assert play.table.stack("cho") == 10_000_00


def check_everybody_takes_back(game: str, *, take_back: str) -> None:
    """Nothing is left to play for: the round is over and has no result."""
    play = erred(game)
    assert not all_of(play.do(c.TakeOption("ann", False), "ann"), e.RoundVoided)
    events = play.do(c.TakeOption("bob", False), "bob")
    is_void(play, events, take_back)
    assert only(events, e.RoundVoided).transfers == ()
    assert (play.table.results, play.table.shoe.discards) == ((), 4)
    play.call()


def check_who_walked_away_goes_on(game: str, *, walk_away: str) -> None:
    """Somebody who is not there is not waited for: the bets stay, before the question or after it."""
    before = erred(game, walked_away="bob")
    taken = only(tuple(before.events), e.OptionTaken)
    assert (taken.person, taken.goes_on, taken.paragraph) == ("bob", True, walk_away)
    after = erred(game)
    events = after.do(c.WalkAway("bob"))
    taken = only(events, e.OptionTaken)
    assert (taken.person, taken.goes_on, taken.paragraph) == ("bob", True, walk_away)
    answered = erred(game)
    answered.do(c.TakeOption("bob", True), "bob")
    assert answered.do(c.WalkAway("bob")) == (e.WalkedAway("bob", walk_away),)
    for play in (before, after, answered):
        assert play.table.absent == {"bob"}
        assert told(play, c.Settle())[0] == "flagged"  # Ann is asked still
        play.do(c.TakeOption("ann", False), "ann")
        assert told(play, c.TakeOption("bob", False))[0] == "no_options"
        ends(play, (10_000, 9_750), "P 9hKd B 8cQs")

    later = dealt(game)
    later.do(c.WalkAway("bob"))
    later.deal(PLAYER_WINS)
    later.finish()
    bets_keyed(later)
    draw(later, "9h", B)
    events = later.rule(r.Reconstruct(), 1, by=SUPERVISOR)
    assert only(events, e.OptionsGiven).people == ("bob",)
    assert not all_of(events, e.OptionTaken)


def bets_keyed(play: Play) -> None:
    """The next round, with a bet that the dealer keys for Bob."""
    play.call()
    play.do(c.Place("bob", 2, {"banker": 200_00}))
    play.close()


def check_take_back_leaves_the_others_alone(game: str) -> None:
    """1,000 may lie on one side more than on the other. That was asked at the close: Bob's bet is not cut afterwards.

    With Ann's 100 on Player 1,100 stand on Banker: all of 1,050, and of 1,300 that nobody noticed in time 1,100.
    """
    for placed, found, stood in ((1_050, 0, 1_050), (1_000, 50, 1_050), (1_000, 300, 1_100)):
        play = table_of(game, differential=Differential(1_000_00))
        play.call()
        play.bet("ann", {"player": 100_00})
        play.bet("bob", {"banker": placed * 100})
        play.close()
        if found:
            play.do(c.FindBet("bob", 2, "banker", found * 100))
        play.deal(PLAYER_WINS)
        play.do(c.Report("dealing_error", "the shoe was knocked"))
        play.rule(r.Reconstruct(), 1, by=SUPERVISOR)
        play.do(c.TakeOption("ann", False), "ann")
        play.do(c.TakeOption("bob", True), "bob")
        ends(play, (10_000, 10_000 - stood), "P 9hKd B 8cQs")


# --- displays, and what is not covered


def check_display(game: str, *, display: str) -> None:
    """A display that shows something else changes nothing, in a round or between rounds."""
    for play in (table_of(game), betting(game), dealt(game, "9h 8c"), settled(game, PLAYER_WINS)):
        before = play.table
        assert told(play, c.Report("display", " "))[0] == "bad_amount"
        assert play.do(c.Report("display", "the road shows Banker")) == (
            e.Noted("display", "the road shows Banker", display),
        )
        assert (play.table.balances, play.table.results, play.table.round) == (
            before.balances,
            before.results,
            before.round,
        )
        assert (play.table.incidents, play.table.phase) == ({}, before.phase)


def check_wrong_call(game: str, *, display: str, winner: str) -> None:
    """The dealer calls the wrong hand: the cards win and lose, not the call."""
    for result, paragraph, called in (("banker", display, "banker"), ("tie", display, "tie"), ("player", winner, "")):
        play = dealt(game, PLAYER_WINS)
        announced = only(play.do(c.Announce(result)), e.ResultAnnounced)  # type: ignore[arg-type]
        assert (announced.result, announced.called, announced.paragraph) == ("player", called, paragraph)
        assert stacks(play) == WON_BY_PLAYER
        assert [each.winner for each in play.table.results] == ["player"]


def check_void_at_discretion(game: str, *, uncovered: str) -> None:
    """The Shift Manager voids a round for a reason, before the cards, among them and after the last."""
    for play in (betting(game), dealt(game), dealt(game, "Kh 5c Kd"), dealt(game, PLAYER_WINS)):
        assert told(play, c.Propose(r.VoidRound())) == ("reason", uncovered)  # why?
        events = ruled(play, r.VoidRound(), 0, "shift_manager", uncovered, "a fight at the table")
        is_void(play, events, uncovered)
        assert only(events, e.RoundVoided).reason == "a fight at the table"
    over = settled(game, PLAYER_WINS)
    assert told(over, c.Propose(r.VoidRound(), 0, "a fight at the table"))[0] == "no_round"


def check_options_at_discretion(game: str, *, uncovered: str, go_on: str, take_back: str, close: str) -> None:
    """The Shift Manager lets the players take their bets back where no paragraph does."""
    early = betting(game)
    assert told(early, c.Propose(r.GiveOptions(), 0, "a fight")) == ("bets_open", close)
    play = dealt(game, PLAYER_WINS)
    assert told(play, c.Propose(r.GiveOptions())) == ("reason", uncovered)  # why?
    events = ruled(play, r.GiveOptions(), 0, "shift_manager", uncovered, "a fight at the table")
    asked(play, events, given=uncovered, go_on=go_on, take_back=take_back)
    assert told(play, c.Propose(r.GiveOptions(), 0, "once more"))[0] == "no_options"
    check_answers(play, go_on=go_on, take_back=take_back)
    ends(play, (10_075, 10_000), "P 9hKd B 8cQs")


def check_pay_at_discretion(game: str, *, uncovered: str) -> None:
    """The Shift Manager has somebody paid, or has somebody pay, in a round or between; what is lacking is owed."""
    for play in (table_of(game), dealt(game, "9h")):
        tray = play.table.balances["tray"]
        ann, bob = stacks(play)
        assert told(play, c.Propose(r.Pay("ann", 50_00))) == ("reason", uncovered)  # why?
        assert told(play, c.Propose(r.Pay("ann", 0), 0, "goodwill")) == ("bad_amount", uncovered)
        events = ruled(play, r.Pay("ann", 50_00), 0, "shift_manager", uncovered, "paid too little")
        assert only(events, e.MoneyRuled) == e.MoneyRuled(
            "ann", 50_00, (e.Transfer("tray", "chips:ann", 50_00),), uncovered, "paid too little"
        )
        events = ruled(play, r.Pay("bob", -20_00), 0, "shift_manager", uncovered, "paid too much")
        assert only(events, e.MoneyRuled).transfers == (e.Transfer("chips:bob", "tray", 20_00),)
        assert stacks(play) == (ann + 50, bob - 20)
        assert play.table.balances["tray"] == tray - 30_00
        assert play.table.round is None or current(play).wagers

    play.sit("eve", 3)
    play.do(c.Leave("eve"), "eve")
    events = play.rule(r.Pay("eve", 50_00), 0, "paid too little", SHIFT)
    assert only(events, e.MoneyRuled).transfers == (e.Transfer("tray", "held:eve", 50_00),)
    events = play.rule(r.Pay("eve", -70_00), 0, "paid too much", SHIFT)
    assert only(events, e.MoneyRuled).transfers == (
        e.Transfer("held:eve", "tray", 50_00),
        e.Transfer("owed:eve", "receivables", 20_00),
    )

    events = play.rule(r.Pay("cho", -10_400_00), 0, "paid too much", SHIFT)
    assert only(events, e.MoneyRuled).transfers == (
        e.Transfer("chips:cho", "tray", 10_000_00),
        e.Transfer("owed:cho", "receivables", 400_00),
    )
    debt = only(events, e.IncidentOpened)
    assert (debt.family, debt.person, debt.blocks) == ("debt", "cho", False)
    assert sum(play.table.balances.values()) == 0


def check_uncovered_incident(game: str, *, uncovered: str, go_on: str, take_back: str) -> None:
    """What the book does not know is recorded, play waits, and the Shift Manager rules, always with a reason."""
    start = dealt(game, "2h 3c Kd Qs")
    opened = only(start.do(c.Report("shoe_fault", "the shoe jams")), e.IncidentOpened)
    assert (opened.paragraph, opened.covered, opened.blocks) == (uncovered, False, True)
    waits(start, uncovered)
    assert told(start, c.Propose(r.PlayOn(), 1)) == ("reason", uncovered)  # why?
    assert told(start, c.Propose(r.Reconstruct(), 1, "why not")) == ("ruling", uncovered)

    play = branch(start)
    events = ruled(play, r.PlayOn(), 1, "shift_manager", uncovered, "it works again")
    assert not all_of(events, e.OptionsGiven)
    play.deal("5h 7s")
    ends(play, WON_BY_PLAYER, "P 2hKd5h B 3cQs7s")

    play = branch(start)
    is_void(play, ruled(play, r.VoidRound(), 1, "shift_manager", uncovered, "it is broken"), uncovered)

    play = branch(start)
    events = play.rule(r.GiveOptions(), 1, "it may be broken", SHIFT)
    asked_now = only(events, e.OptionsGiven)
    assert (asked_now.paragraph, asked_now.go_on, asked_now.take_back) == (uncovered, go_on, take_back)
    assert told(play, c.Deal(parse_cards("2c"))) == ("flagged", uncovered)  # the fault itself waits still
    check = only(play.do(c.TakeOption("ann", False), "ann"), e.OptionTaken)
    assert check.paragraph == take_back
    play.do(c.TakeOption("bob", True), "bob")
    play.rule(r.PlayOn(), 1, "it works again", SHIFT)
    play.deal("5h 7s")
    ends(play, (10_000, 9_750), "P 2hKd5h B 3cQs7s")


def check_damaged_card(game: str, *, uncovered: str) -> None:
    """The book has no word for a torn card: the Shift Manager says what it is."""
    play = dealt(game, "9h 8c Kd Qs")
    number = incident(play.do(c.Report("damaged_card", "torn", (2,))), "damaged_card", uncovered, (2,))
    assert told(play, c.Propose(r.ValueCard(3, Card("9c")), number, "it is half a 9")) == ("cards", uncovered)
    value = r.ValueCard(2, Card("7c"))
    events = ruled(play, value, number, "shift_manager", uncovered, "it is a 7")
    assert only(events, e.CardValued) == e.CardValued(2, Card("7c"), uncovered)
    ends(play, WON_BY_PLAYER, "P 9hKd B 7cQs")


def check_above_the_maximum(game: str, *, uncovered: str) -> None:
    """The book has no word for a bet over the maximum that nobody noticed: the Shift Manager says what stands of it."""
    found = dealt(game)
    number = incident(found.do(c.FindBet("bob", 2, "banker", 2_000_00)), "above_maximum", uncovered)
    waits(found, uncovered)
    for card in ("2h", "3c", "Kd", "Qs", "5h", "7s"):
        draw(found, card)
    stands = r.SetStake("bob", 2, "banker", 2_000_00)
    assert told(found, c.Propose(stands, number)) == ("reason", uncovered)  # why?
    assert told(found, c.Propose(r.SetStake("ann", 1, "player", 50_00), number, "so much"))[0] == "no_wager"
    assert told(found, c.Propose(r.SetStake("bob", 2, "banker", 2_205_00), number, "more"))[0] == "bad_amount"
    play = branch(found)
    events = ruled(play, stands, number, "shift_manager", uncovered, "the maximum")
    assert only(events, e.StakeRuled).transfers == (e.Transfer("layout:bob", "chips:bob", 200_00),)
    ends(play, (10_075, 7_950), "P 2hKd5h B 3cQs7s")

    second = only(found.do(c.FindBet("ann", 1, "player", 2_000_00)), e.IncidentOpened).number
    found.rule(r.GiveOptions(), 0, "too much money lies there", SHIFT)
    found.do(c.TakeOption("bob", False), "bob")  # with the bet the matter is gone
    found.do(c.TakeOption("ann", True), "ann")
    assert set(found.table.incidents) == {second}
    found.rule(r.SetStake("ann", 1, "player", 2_000_00), second, "the maximum", SHIFT)
    ends(found, (11_975, 10_000), "P 2hKd5h B 3cQs7s")


def check_identity_first(game: str, *, order: str, as_it_lies: str, identity: str) -> None:
    """Cards change places only when it is known what each of them is: a matter names its card by the number."""
    play = dealt(game)
    for card in ("9h", "8h"):
        play.do(c.Draw(Card(card)))
    play.do(c.Report("simultaneous", "the first two came together", (1, 2)))
    play.do(c.Turn(1, Card("7h")))  # the scanner has read a 9
    first, second = r.DecideOrder((2, 1)), r.ValueCard(1, Card("7h"))
    assert told(play, c.Propose(first, 1)) == ("flagged", identity)
    play.rule(second, 2, "the camera shows it", OTHER_DEALER)
    events = ruled(play, first, 1, "pit_supervisor", order)
    arranged(events, "reconstructed", (2, 1), (P, B))
    everybody_goes_on(play)
    assert [drawn.card for drawn in current(play).cards] == [Card("8h"), Card("7h")]

    lying = dealt(game)
    lying.do(c.Draw(Card("9h"), B))
    draw(lying, "2h", P)
    lying.do(c.Turn(1, Card("7h")))
    wrong, mismatch = min(lying.table.incidents), max(lying.table.incidents)
    assert told(lying, c.Propose(r.AsItLies(), wrong, "nobody knows")) == ("flagged", identity)
    lying.rule(second, mismatch, "the camera shows it", OTHER_DEALER)
    events = lying.rule(r.AsItLies(), wrong, "nobody knows", SUPERVISOR)
    assert only(events, e.CardsArranged).paragraph == as_it_lies
    assert [drawn.card for drawn in current(lying).cards] == [Card("2h"), Card("7h")]


def check_correction_of_a_card_that_moved(game: str) -> None:
    """What was proposed of a card is done to that card, wherever it counts now: its number is its own for life."""
    start = dealt(game, "9h 8c")
    start.do(c.Report("simultaneous", "the first two came together", (1, 2)))
    proposed = only(start.do(c.Propose(r.CorrectCard(1, Card("7h")), 0, "misread")), e.RulingProposed).number
    for order, cards in (((1, 2), ["7h", "8c"]), ((2, 1), ["8c", "7h"])):
        play = branch(start)
        play.rule(r.DecideOrder(order), 1, by=SUPERVISOR)
        play.do(c.Approve(proposed), OTHER_DEALER)
        assert [str(drawn.card) for drawn in current(play).cards] == cards


# --- the last round of a shoe, and the shoe before

TRULY_TOO_FEW, TRULY_TOO_MANY = parse_cards("Kh 5c 5d 2s"), parse_cards("Kh 5c 9d 2s 4h")
"""Of a round that was settled on Kh 5c 6d 2s, 6 to 7: Player had 5 and draws, or 9, and a fifth card was out."""


def last_round(game: str) -> Play:
    """A shoe that ended with the round in which the Cut Card appeared."""
    play = dealt(game)
    play.do(c.CutCard())
    play.deal("Kh 5c 6d 2s")
    ends(play, won_by_banker(game), "P Kh6d B 5c2s")
    assert play.table.shoe.ended
    return play


def check_missing_card_of_a_shoe_that_is_over(game: str, *, wrong_number: str) -> None:
    """The shoe that is over is still there: the card is drawn from it, and it is over once more."""
    play = last_round(game)
    number = incident(play.do(c.ReportRound(1, TRULY_TOO_FEW, "seen on camera")), "wrong_round", wrong_number)
    assert told(play, c.NewShoe("shuffled"))[0] == "flagged"
    ruled(play, r.Rectify(), number, "pit_supervisor", wrong_number)
    assert (play.table.shoe.ended, current(play).due) == (False, P)
    play.deal("4h")
    play.finish()
    assert (str(play.table.past[-1].coup), stacks(play)) == ("P Kh5d4h B 5c2s", WON_BY_PLAYER)
    shoe = play.table.shoe
    assert (shoe.ended, shoe.drawn, shoe.discards, shoe.rounds) == (True, 5, 5, 1)
    assert told(play, c.Call())[0] == "no_shoe"


def check_round_of_the_shoe_before(game: str, *, wrong_number: str, late: str, chips_decide: str, display: str) -> None:
    """Until the next call the error is found in time, but what the old shoe lacks the new one does not give."""
    start = last_round(game)
    start.shoe()
    lacks = branch(start)
    number = incident(lacks.do(c.ReportRound(1, TRULY_TOO_FEW, "seen on camera")), "wrong_round", wrong_number)
    assert told(lacks, c.Call()) == ("flagged", wrong_number)
    assert told(lacks, c.Propose(r.Rectify(), number)) == ("cards", wrong_number)
    ruled(lacks, r.VoidRound(), number, "pit_supervisor", wrong_number, "the shoe is gone")
    assert stacks(lacks) == UNTOUCHED

    extra = branch(start)
    events = extra.do(c.ReportRound(1, TRULY_TOO_MANY, "seen on camera"))
    events = extra.rule(r.Rectify(), only(events, e.IncidentOpened).number, by=SUPERVISOR)
    again, anew = only(events, e.RoundSettledAgain), only(events, e.CardsTold)
    assert (again.coup, anew.left_over, anew.carried) == ("P Kh9d B 5c2s", (Card("4h"),), False)
    assert stacks(extra) == WON_BY_PLAYER
    for play in (lacks, extra):
        shoe = play.table.shoe
        assert (shoe.number, shoe.drawn, shoe.discards, play.table.carried, play.table.results) == (2, 0, 0, (), ())

    for ruling, paragraph in (
        (r.CorrectCard(3, Card("9d"), 1), display),
        (r.CorrectBet("bob", 2, "banker", 0, round=1), chips_decide),
    ):
        given = only(branch(start).rule(ruling, 0, "keyed wrongly", MANAGER), e.RoundSettledAgain)
        assert given.paragraph == paragraph

    next_round(start)
    start.deal(PLAYER_WINS)
    start.finish()
    opened = only(branch(start).do(c.ReportRound(1, TRULY_TOO_FEW, "seen on camera")), e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.blocks) == ("late_discovery", late, False)
    start.do(c.EndShoe("done"), SUPERVISOR)
    start.shoe()
    assert told(start, c.ReportRound(1, TRULY_TOO_FEW, "seen on camera"))[0] == "no_round"  # two shoes back
    start.do(c.EndShoe("wet"), SUPERVISOR)
    start.shoe()  # not a round was played
    assert [each.number for each in start.table.previous] == [2]


def check_void_keeps_the_count_of_the_shoe(game: str, *, wrong_number: str) -> None:
    """Cards that were out are out, be the round void after all."""
    for cards, out in ((TRULY_TOO_FEW, 4), (TRULY_TOO_MANY, 5)):
        play = dealt(game, "Kh 5c 6d 2s")
        ends(play, won_by_banker(game), "P Kh6d B 5c2s")
        number = only(play.do(c.ReportRound(1, cards, "seen on camera")), e.IncidentOpened).number
        ruled(play, r.VoidRound(), number, "pit_supervisor", wrong_number, "they are in the holder")
        assert (play.table.shoe.drawn, play.table.shoe.discards, play.table.carried) == (out, out, ())
        assert play.table.past[-1].voided


def check_correction_above_the_maximum(game: str, *, uncovered: str, chips_decide: str) -> None:
    """Found before the settlement it is the Shift Manager's, and so it is afterwards."""
    play = dealt(game, PLAYER_WINS)
    play.finish()
    ruled(play, r.CorrectBet("ann", 1, "player", 2_000_00, round=1), 0, "pit_manager", chips_decide, "keyed")
    ruled(play, r.CorrectBet("ann", 1, "player", 2_005_00, round=1), 0, "shift_manager", uncovered, "keyed")
    assert stacks(play)[0] == 10_000 + 2_005 - 25
    moved = r.CorrectBet("ann", 1, TIE_BET[game], 25_00, to_bet="player", round=1)  # on top of what lies there
    ruled(play, moved, 0, "shift_manager", uncovered, "keyed")


def check_fault_of_a_shoe_that_is_over(game: str, *, wrong_card_set: str, wrong_number: str) -> None:
    """It is recorded, and voids nothing; what is known to be wrong gives no card any more."""
    assert told(open_table(game=game), c.ReportCards("wrong_card_set", "415 counted"))[0] == "no_shoe"
    play = last_round(game)
    events = play.do(c.ReportCards("wrong_card_set", "415 counted"))
    assert events == (e.CardsAtFault("wrong_card_set", "415 counted", wrong_card_set),)
    assert (stacks(play), play.table.incidents) == (won_by_banker(game), {})
    assert told(play, c.ReportCards("foreign_card", "a joker"))[0] == "already_there"
    number = only(play.do(c.ReportRound(1, TRULY_TOO_FEW, "seen on camera")), e.IncidentOpened).number
    assert told(play, c.Propose(r.Rectify(), number)) == ("cards", wrong_number)
    ruled(play, r.VoidRound(), number, "pit_supervisor", wrong_number, "it cannot be drawn")
    play.shoe()
    play.do(c.ReportCards("wrong_card_set", "415 counted again"))  # another set
