"""What the tests of irregularities share: a round in which something goes wrong, and rulings with their ranks.

Ann sits at box 1 with 100 on Player and 25 on the tie, Bob at box 2 with 200 on Banker and 50 on the pair; Cho stands
behind box 1 and has no bets. Each has chips for 10,000.
"""

from __future__ import annotations

from typing import Any, TypeVar

from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, SUPERVISOR, Play, open_table

from puntobanco.cards import Card, Side, parse_cards
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import AnyCommand
from puntobanco.table.rulings import AnyRuling
from puntobanco.table.settings import BetLimits, Step
from puntobanco.table.state import Phase, Round

P, B = Side.PLAYER, Side.BANKER
OTHER_DEALER = "dan"
RANKS = {
    OTHER_DEALER: "dealer",
    SUPERVISOR: "pit_supervisor",
    MANAGER: "pit_manager",
    SHIFT: "shift_manager",
    DIRECTOR: "assistant_director",
}
"""Everybody who could approve what the dealer proposes, lowest first."""

TIE_BET = {"da-hu-ying-xiong": "tie", "rws-baccarat": "any_tie"}
PAIR_BET = {"da-hu-ying-xiong": "tiger_pair", "rws-baccarat": "player_pair"}
POSITIONS = {"da-hu-ying-xiong": 7, "rws-baccarat": 7}
BANKER_PROFIT = {"da-hu-ying-xiong": 190, "rws-baccarat": 200}
"""What 200 on Banker win, other than on 6 points."""

QUICK = (Step.OFFER, Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM)
"""A live table on which what follows the last card goes by itself."""

PLAYER_WINS = "9h 8c Kd Qs"


# --- a round


def table_of(game: str, **changes: Any) -> Play:
    """A table of the game with three players and two dealers, a shoe, and no round yet."""
    limits = BetLimits(minimum=25_00, maximum=2_000_00, step=5_00)
    play = open_table(**{"game": game, "positions": POSITIONS[game], "limits": limits, **changes})
    play.do(c.SignOn(OTHER_DEALER, "dealer"), MANAGER)
    play.sit("ann", 1)
    play.sit("bob", 2)
    play.sit("cho", 1, seated=False)
    play.shoe()
    return play


def bets(play: Play) -> None:
    """Bets are called for, and Ann and Bob place theirs."""
    game = play.table.settings.game
    play.call()
    play.bet("ann", {"player": 100_00, TIE_BET[game]: 25_00})
    play.bet("bob", {"banker": 200_00, PAIR_BET[game]: 50_00})


def betting(game: str, **changes: Any) -> Play:
    play = table_of(game, **changes)
    bets(play)
    return play


def dealt(game: str, cards: str = "", **changes: Any) -> Play:
    """A round with bets, closed, and these cards on the table, open."""
    play = betting(game, **changes)
    play.close()
    play.deal(cards)
    return play


def next_round(play: Play) -> None:
    """The same bets again, closed."""
    bets(play)
    play.close()


def branch(play: Play) -> Play:
    """The same table once more, to go another way."""
    return Play(play.table, tuple(play.entries), play.now)


def draw(play: Play, card: str, hand: Side | None = None) -> tuple[e.Event, ...]:
    """The dealer draws a card, puts it there and turns it, due or not."""
    return play.do(c.Draw(Card(card), hand, turned=True))


def lay(play: Play, *hands: Side) -> None:
    """The dealer draws cards and leaves them face down at these hands; the scanner does not read them."""
    for hand in hands:
        play.do(c.Draw(None, hand))


def confirm(play: Play) -> None:
    """Takes and pays are done at every box."""
    while play.table.phase is Phase.PAYING:
        play.do(c.Confirm(min(current(play).unconfirmed)))


def current(play: Play) -> Round:
    assert play.table.round is not None
    return play.table.round


# --- what came of it

E = TypeVar("E", bound=e.Event)


def all_of(events: tuple[e.Event, ...], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def only(events: tuple[e.Event, ...], kind: type[E]) -> E:
    (found,) = all_of(events, kind)
    return found


def told(play: Play, body: AnyCommand, actor: str = DEALER) -> tuple[str, str]:
    """The code and the paragraph of the refusal that the command must meet. A refusal changes nothing."""
    before = play.table
    refusal = play.refused(body, actor)
    assert play.table is before
    return refusal.code, refusal.paragraph


def stacks(play: Play) -> tuple[int, int]:
    """Ann's and Bob's chips in hand, in whole currency units."""
    return play.table.stack("ann") // 100, play.table.stack("bob") // 100


def layout(play: Play) -> tuple[int, int]:
    """Ann's and Bob's chips on the layout, in whole currency units."""
    balances = play.table.balances
    return balances["layout:ann"] // 100, balances["layout:bob"] // 100


UNTOUCHED = (10_000, 10_000)
WON_BY_PLAYER = (10_075, 9_750)
"""Ann and Bob after Player won and no hand had a pair."""


def won_by_banker(game: str) -> tuple[int, int]:
    """Ann and Bob after Banker won, other than on 6 points, and no hand had a pair."""
    return 9_875, 10_000 + BANKER_PROFIT[game] - 50


def ends(play: Play, stacks_after: tuple[int, int], coup: str) -> None:
    """The round is called and settled on these hands, and the money is that."""
    number = current(play).number
    play.finish()
    settled = [event for event in play.events if isinstance(event, e.RoundSettled)][-1]
    assert (settled.number, settled.coup) == (number, coup)
    assert stacks(play) == stacks_after
    assert layout(play) == (0, 0)
    assert sum(play.table.balances.values()) == 0


def is_void(play: Play, events: tuple[e.Event, ...], paragraph: str, stacks_after: tuple[int, int] = UNTOUCHED) -> None:
    """The round is over without a result: every bet is back, nobody waits for anything, and the next one may come."""
    voided = only(events, e.RoundVoided)
    assert voided.paragraph == paragraph
    assert (stacks(play), layout(play)) == (stacks_after, (0, 0))
    assert sum(play.table.balances.values()) == 0
    assert not all_of(events, e.RoundSettled)
    assert (play.table.round, play.table.incidents) == (None, {})


# --- rulings


def incident(events: tuple[e.Event, ...], family: str, paragraph: str, cards: tuple[int, ...] = ()) -> int:
    """The number of the one incident that was opened; it is of that family, keeps play waiting, and cites that."""
    opened = only(events, e.IncidentOpened)
    assert (opened.family, opened.paragraph, opened.cards) == (family, paragraph, cards)
    assert opened.blocks
    return opened.number


def waits(play: Play, paragraph: str) -> None:
    """Neither the result nor the next card nor the next call comes before the ruling."""
    code, cited = told(play, c.Deal(parse_cards("2c")))
    assert (code, cited) == ("flagged", paragraph)
    if current(play).finished:
        assert told(play, c.Settle()) == ("flagged", paragraph)
    assert told(play, c.Call())[0] == "round_open"


def ruled(
    play: Play, ruling: AnyRuling, number: int, needs: str, paragraph: str, reason: str = ""
) -> tuple[e.Event, ...]:
    """Proposed by the dealer and approved by somebody of that rank: not by the dealer, nor below it, nor twice."""
    before = play.table
    assert told(play, c.Propose(ruling, number, reason), "ann")[0] == "rank"
    proposed = only(play.do(c.Propose(ruling, number, reason)), e.RulingProposed)
    assert (proposed.needs, proposed.paragraph, proposed.by) == (needs, paragraph, DEALER)
    assert (play.table.balances, play.table.round) == (before.balances, before.round), "nothing happens before"
    approval = c.Approve(proposed.number)
    assert told(play, approval)[0] == "second_person"
    for person in (
        "ann",
        *(person for person, rank in RANKS.items() if not play.table.book.ranks.at_least(rank, needs)),
    ):
        assert told(play, approval, person)[0] == "rank"
    able = [person for person, rank in RANKS.items() if play.table.book.ranks.at_least(rank, needs)]
    for person in able[1:]:
        assert only(branch(play).do(approval, person), e.RulingGiven).approved_by == person
    events = play.do(approval, able[0])
    given = only(events, e.RulingGiven)
    assert (given.ruling, given.incident, given.paragraph) == (ruling, number, paragraph)
    assert (given.by, given.approved_by, given.reason) == (DEALER, able[0], reason)
    for person in (able[0], DIRECTOR):
        assert told(play, approval, person)[0] == "unknown_request"
    assert number not in play.table.incidents
    return events


def arranged(
    events: tuple[e.Event, ...], how: str, order: tuple[int, ...], hands: tuple[Side, ...], goes: str = ""
) -> None:
    """The cards as they count now."""
    found = only(events, e.CardsArranged)
    assert (found.how, found.order, found.hands, found.goes) == (how, order, hands, goes)


# --- options


def asked(
    play: Play, events: tuple[e.Event, ...], *, given: str, go_on: str, take_back: str, people: str = "ann bob"
) -> None:
    """Everybody with bets is asked, and play waits."""
    options = only(events, e.OptionsGiven)
    assert options.people == tuple(people.split())
    assert (options.paragraph, options.go_on, options.take_back) == (given, go_on, take_back)
    waits(play, go_on)


def not_asked(play: Play, events: tuple[e.Event, ...], late_withdrawal: str) -> None:
    """Nobody may take a bet back, and nothing waits."""
    assert not all_of(events, e.OptionsGiven)
    assert told(play, c.TakeOption("ann", False), "ann") == ("no_options", late_withdrawal)
    assert play.table.blocked is None


def everybody_goes_on(play: Play) -> None:
    for person in ("ann", "bob"):
        play.do(c.TakeOption(person, True), person)


def check_answers(play: Play, *, go_on: str, take_back: str) -> None:
    """The one goes on, the other takes back what lies on the layout, side bets, too; each once, and for good."""
    assert told(play, c.TakeOption("bob", False), "ann")[0] == "not_yours"
    assert told(play, c.TakeOption("cho", False), "cho")[0] == "no_options"  # she has no bets
    taken = only(play.do(c.TakeOption("ann", True), "ann"), e.OptionTaken)
    assert (taken.goes_on, taken.paragraph, taken.transfers, taken.by) == (True, go_on, (), "")
    assert told(play, c.TakeOption("ann", False), "ann") == ("no_options", go_on)
    waits(play, go_on)  # for Bob
    taken = only(play.do(c.TakeOption("bob", False), "bob"), e.OptionTaken)
    assert (taken.goes_on, taken.paragraph, taken.by) == (False, take_back, "")
    assert taken.transfers == (e.Transfer("layout:bob", "chips:bob", 250_00),)
    assert (stacks(play), layout(play)) == ((9_875, 10_000), (125, 0))
    assert {key[0] for key in current(play).wagers} == {"ann"}
    assert told(play, c.TakeOption("ann", False), "ann")[0] == "no_options"
    assert told(play, c.TakeOption("bob", True), "bob")[0] == "no_options"
