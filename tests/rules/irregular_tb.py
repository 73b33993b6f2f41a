"""What the tests of Tiger Buffalo's irregularities share: live tables, cards drawn one by one, rulings and who may give
them, and what must hold of every table whatever went wrong at it.

Ann sits at box 1, Bob at box 2, Cho stands behind box 1; each has chips for 10,000. Amounts are whole currency units.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from tests.table.build import DEALER, DIRECTOR, MANAGER, SHIFT, SUPERVISOR, Play, open_table

from puntobanco.cards import Side, parse_cards
from puntobanco.rules.model import USUAL_RANKS
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import AnyCommand
from puntobanco.table.engine import fold
from puntobanco.table.rulings import AnyRuling
from puntobanco.table.settings import BetLimits, Step
from puntobanco.table.state import Incident, Phase, Round

P, B = Side.PLAYER, Side.BANKER
PEOPLE = ("ann", "bob", "cho")
Bets = Mapping[str, Mapping[str, int]]
BETS: Bets = {"ann": {"player": 100, "player_pair": 10}, "bob": {"banker": 200}, "cho": {"tie": 50}}

LIVE = (Step.OFFER, Step.SETTLE, Step.CONFIRM)
"""The dealer deals and calls the result; insurance is offered, and paid what is to be paid, without being asked."""
BY_HAND = (Step.SETTLE, Step.CONFIRM)
"""The dealer offers insurance, too, and may forget to."""

SECOND_DEALER = "dora"
ASCENDING = (DEALER, SUPERVISOR, MANAGER, SHIFT, DIRECTOR)
RANKS = dict(zip(ASCENDING, USUAL_RANKS.named, strict=True))


# --- tables


_opened: list[Play] = []


def seated(**changes: Any) -> Play:
    """A live table with the three players, a shoe, and no round yet."""
    limits = BetLimits(minimum=5_00, maximum=5_000_00, step=5_00)
    play = open_table(**{"game": "tiger-buffalo", "layout": "A", "limits": limits, "automated": LIVE, **changes})
    play.sit("ann", 1)
    play.sit("bob", 2)
    play.sit("cho", 1, seated=False)
    play.shoe()
    _opened.append(play)
    return play


def bets_down(play: Play, bets: Bets = BETS) -> None:
    """The next round is called and these bets are put down."""
    play.call()
    for person, wagers in bets.items():
        if wagers:
            play.bet(person, {bet: amount * 100 for bet, amount in wagers.items()})


def closed(bets: Bets = BETS, **changes: Any) -> Play:
    """A table with these bets and no card out yet."""
    play = seated(**changes)
    bets_down(play, bets)
    play.close()
    return play


def draw(play: Play, text: str) -> tuple[e.Event, ...]:
    """Cards that leave the shoe one by one, as in ``9hP 8cB``: each is put at that hand and lies open; ``9hP?`` lies
    face down, and nobody knows what ``..P`` is. What the last one led to."""
    events: tuple[e.Event, ...] = ()
    for each in text.split():
        card = None if each.startswith(".") else parse_cards(each[:2])[0]
        hand = P if each[2] == "P" else B
        events = play.do(c.Draw(card, hand, card is not None and not each.endswith("?")), DEALER)
    return events


def end(play: Play) -> tuple[e.Event, ...]:
    """The dealer calls the result of the cards; the table settles. What that led to."""
    winner = current(play).coup.winner
    return play.do(c.Announce(winner.value if winner else "tie"), DEALER)


def whole_round(play: Play, cards: str, bets: Bets = BETS) -> tuple[e.Event, ...]:
    """A round from the call to the settlement, insurance let pass."""
    bets_down(play, bets)
    play.close()
    play.deal(cards)
    return end(play)


# --- looking


def current(play: Play) -> Round:
    assert play.table.round is not None
    return play.table.round


def chips(play: Play) -> tuple[int, ...]:
    """What Ann, Bob and Cho hold."""
    return tuple(play.table.stack(person) // 100 for person in PEOPLE)


def layout(play: Play) -> tuple[int, ...]:
    """What Ann, Bob and Cho have on the layout."""
    return tuple(play.table.balances.get(f"layout:{person}", 0) // 100 for person in PEOPLE)


def coup(play: Play) -> str:
    return str(current(play).coup)


E = TypeVar("E", bound=e.Event)


def only(events: tuple[e.Event, ...], kind: type[E]) -> E:
    (found,) = all_of(events, kind)
    return found


def all_of(events: tuple[e.Event, ...] | list[e.Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def told(play: Play, body: AnyCommand, actor: str = DEALER) -> tuple[str, str]:
    """Code and paragraph of the refusal that the command must meet. A refusal changes nothing."""
    before = play.table
    refusal = play.refused(body, actor)
    assert play.table is before
    return refusal.code, refusal.paragraph


def lines(event: e.RoundSettled | e.RoundSettledAgain) -> dict[tuple[str, str], tuple[str, int]]:
    """(Person, bet) → what became of it, and the profit."""
    return {(line.person, line.bet): (line.result.value, line.profit // 100) for line in event.lines}


def winners(play: Play) -> list[str]:
    """The roads of the shoe: who won, round by round."""
    return [str(result.winner) for result in play.table.results]


def phase(play: Play) -> Phase:
    return play.table.phase


PLAYER_WINS = ("9hP", "8cB", "KdP", "KsB")
"""9 to 8 on two cards each."""


def rest_of(play: Play) -> str:
    """What of those cards is still to come."""
    return " ".join(PLAYER_WINS[len(current(play).cards) :])


# --- incidents and rulings


def waiting(play: Play) -> Incident:
    """The one matter that waits for a ruling; play waits with it."""
    (incident,) = (found for found in play.table.incidents.values() if found.blocks)
    body = c.Call() if play.table.phase is Phase.IDLE else c.Deal(parse_cards("2c"))
    if play.table.phase in (Phase.IDLE, Phase.DEALING):
        assert told(play, body) == ("flagged", incident.paragraph)
    return incident


def report(play: Play, what: str, cards: tuple[int, ...] = (), about: str = "as seen") -> Incident:
    """Something reported by the dealer, and the incident that it is from then on."""
    opened = only(play.do(c.Report(what, about, cards), DEALER), e.IncidentOpened)  # type: ignore[arg-type]
    assert (opened.family, opened.cards, opened.about) == (what, cards, about)
    return waiting(play)


def ruled(
    play: Play, ruling: AnyRuling, incident: int = 0, *, by: str, paragraph: str, reason: str = "seen by all"
) -> tuple[e.Event, ...]:
    """The dealer proposes a ruling and that person approves it. Nobody below may, nor who proposed it; and only once.

    What the approval led to.
    """
    before = play.table
    proposed = only(play.do(c.Propose(ruling, incident, reason), DEALER), e.RulingProposed)
    assert (proposed.needs, proposed.paragraph, proposed.by) == (RANKS[by], paragraph, DEALER)
    # nothing has happened yet
    assert (play.table.round, play.table.balances, play.table.past) == (before.round, before.balances, before.past)
    approve = c.Approve(proposed.number)
    assert play.refused(approve, DEALER).code == "second_person"
    for person in (*PEOPLE, *ASCENDING[1 : ASCENDING.index(by)]):
        if person in play.table.people:
            assert play.refused(approve, person).code == "rank", person
    events = play.do(approve, by)
    given = only(events, e.RulingGiven)
    assert (given.ruling, given.paragraph, given.by, given.approved_by) == (proposed.ruling, paragraph, DEALER, by)
    assert play.refused(approve, DIRECTOR).code == "unknown_request"
    return events


def given(play: Play, ruling: AnyRuling, incident: int, *, paragraph: str, reason: str = "") -> tuple[e.Event, ...]:
    """A ruling that is the dealer's to give, with a second person where something has followed; no player may."""
    body = c.Propose(ruling, incident, reason)
    assert play.refused(body, "ann").code == "rank"
    events, second = play.do(body, DEALER), ""
    if isinstance(events[0], e.RulingProposed):
        assert events[0].needs == "dealer"
        second = SUPERVISOR
        events = play.do(c.Approve(events[0].number), second)
    ruling_given = only(events, e.RulingGiven)
    assert (ruling_given.paragraph, ruling_given.by, ruling_given.approved_by) == (paragraph, DEALER, second)
    return events


# --- options


def asked(play: Play) -> frozenset[str]:
    """Who has not answered yet; play waits for them."""
    options = current(play).options if play.table.round else None
    return options.waiting if options else frozenset()


def options_in(events: tuple[e.Event, ...], paragraph: str, go_on: str) -> bool:
    """Whether the options are given, and then by these paragraphs, to go on and to take back."""
    found = all_of(events, e.OptionsGiven)
    for options in found:
        assert (options.paragraph, options.go_on, options.take_back) == (paragraph, go_on, "5.16.3")
    return bool(found)


def answer(play: Play, person: str, goes_on: bool, actor: str = "") -> tuple[e.Event, ...]:
    return play.do(c.TakeOption(person, goes_on), actor or person)


def all_go_on(play: Play) -> None:
    for person in sorted(asked(play)):
        answer(play, person, True)


# --- what must hold of every table


def checked_tables() -> Iterator[None]:
    """For a fixture around each test: the tables that it opened are sound at its end."""
    _opened.clear()
    yield
    for play in _opened:
        sound(play)


def sound(play: Play) -> None:
    """The table is the fold of what happened; money and cards are all accounted for."""
    table = play.table
    assert fold(play.entries) == table
    balances = table.balances
    assert sum(balances.values()) == 0
    for account, balance in balances.items():
        if account.startswith(("chips:", "layout:", "held:")):
            assert balance >= 0, account
    owed = sum(-balance for account, balance in balances.items() if account.startswith("owed:"))
    assert owed == balances.get("receivables", 0)
    assert owed >= 0
    down: dict[str, int] = {}
    now = table.round
    if now is not None and not now.settled and not now.voided and not now.paid:
        for wager in now.wagers.values():
            down[wager.person] = down.get(wager.person, 0) + wager.stake
        for taken in now.insurance:
            down[taken.person] = down.get(taken.person, 0) + taken.stake
    for person in table.people:
        assert balances.get(f"layout:{person}", 0) == down.get(person, 0), person
    out = table.shoe.discards + len(table.carried) + (len(now.cards) if now else 0)
    assert table.shoe.drawn == out, (table.shoe.drawn, table.shoe.discards, len(table.carried))
    settled = [each for each in (*table.past, *([now] if now else [])) if each.settled and not each.voided]
    assert len(table.results) == len(settled)
    assert table.phase is not Phase.CLOSED
