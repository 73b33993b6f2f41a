"""Tables for the tests: opened, staffed, with players at boxes, and rounds played by executing commands.

    play = open_table(game="tiger-buffalo", layout="A", positions=6)
    play.sit("alice", 1)
    play.round({"alice": {"banker": 100_00}}, "9h 8c 9d 8s")

A :class:`Play` holds the table as it is now; every command goes through ``execute``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from puntobanco.cards import parse_cards
from puntobanco.rules.contradictions import BORNE_OUT_BY
from puntobanco.rules.load import find_book
from puntobanco.rules.model import RuleBook
from puntobanco.rules.policies import Stated, choices_of
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.entry import Entry, make_entry
from puntobanco.table.refusals import Refusal
from puntobanco.table.rulings import AnyRuling, VoidRound
from puntobanco.table.settings import BetLimits, TableSettings
from puntobanco.table.state import Phase, Table

NOW = 1_800_000_000_000
DEALER, SUPERVISOR, MANAGER, SHIFT, DIRECTOR = "dana", "sue", "marco", "shirley", "diego"
STAFF = {
    DEALER: "dealer",
    SUPERVISOR: "pit_supervisor",
    MANAGER: "pit_manager",
    SHIFT: "shift_manager",
    DIRECTOR: "assistant_director",
}
FLOAT = {1_000_00: 100, 100_00: 200, 5_00: 200}


class Play:
    """A table in play, and everything that has happened at it."""

    def __init__(self, table: Table, entries: Sequence[Entry], now: int = NOW) -> None:
        self.table = table
        self.entries = list(entries)
        self.now = now
        self.commands = 0

    @property
    def events(self) -> list[e.Event]:
        """Everything that has happened, in order."""
        return [event for entry in self.entries for event in entry.events]

    def ask(self, body: AnyCommand, actor: str) -> Done | Refusal:
        """What the table would make of the command; nothing is done."""
        self.commands += 1
        self.command = Command(f"c{self.commands}", actor, self.now, body)
        return execute(self.table, self.command)

    def do(self, body: AnyCommand, actor: str = DEALER) -> tuple[e.Event, ...]:
        """Carry the command out; it must not be refused."""
        done = self.ask(body, actor)
        assert isinstance(done, Done), f"{body} by {actor}: {done}"
        self.entries.append(make_entry(self.table, self.command, done.events))
        self.table = done.table
        return done.events

    def refused(self, body: AnyCommand, actor: str = DEALER) -> Refusal:
        """The refusal that the command must meet."""
        answer = self.ask(body, actor)
        assert isinstance(answer, Refusal), f"{body} by {actor} is accepted: {answer.events}"
        return answer

    def rule(self, ruling: AnyRuling, incident: int = 0, reason: str = "", by: str = "") -> tuple[e.Event, ...]:
        """Propose a ruling as the dealer, and have it approved by that person where that is needed."""
        events = self.do(c.Propose(ruling, incident, reason))
        if isinstance(events[0], e.RulingProposed):
            if events[0].needs == "dealer":
                by = by or SUPERVISOR  # a second person of any rank
            assert by, f"{ruling} needs {events[0].needs}"
            return self.do(c.Approve(events[0].number), by)
        assert not by, f"{ruling} needs no approval"
        return events

    def void(self, reason: str, by: str = SHIFT) -> tuple[e.Event, ...]:
        """A round voided at discretion."""
        return self.rule(VoidRound(), 0, reason, by)

    def wait(self, seconds: float) -> None:
        self.now += round(seconds * 1000)

    # --- common steps

    def sit(self, person: str, box: int, chips: int = 10_000_00, *, seated: bool = True) -> None:
        """A player joins and buys in."""
        self.do(c.Join(person, box, seated, accepts_no_insurance=self.table.settings.no_insurance), person)
        if chips:
            self.do(c.BuyIn(person, chips), self.runner)

    def shoe(self) -> None:
        """A new shoe, burnt as the table wants it."""
        self.do(c.NewShoe("shuffled by machine"), self.runner)
        if self.table.shoe.burn_due:
            rule = self.table.settings.burn
            cards = (None,) * rule if isinstance(rule, int) else (*parse_cards("2c"), None, None)
            self.do(c.Burn(cards), self.runner)

    @property
    def runner(self) -> str:
        """Who keeps play going: the House's system or the dealer."""
        return HOUSE if self.table.settings.electronic or DEALER not in self.table.people else DEALER

    def call(self) -> None:
        if self.table.phase is Phase.IDLE:
            self.do(c.Call(), self.runner)

    def bet(self, person: str, wagers: Mapping[str, int], box: int | None = None) -> None:
        self.do(c.Place(person, box or self.table.people[person].box, dict(wagers)), person)

    def close(self) -> None:
        self.do(c.Close(), self.runner)

    def deal(self, cards: str) -> None:
        """Cards in the order they leave the shoe, one by one, open; insurance in between is let pass."""
        for card in parse_cards(cards):
            current = self.table.round
            if current is not None and current.window is not None:
                self.do(c.CloseInsurance(), self.runner)
            self.do(c.Deal((card,)), self.runner)

    def finish(self) -> None:
        """From the last card to the end of the round, whatever of it the table does not do by itself."""
        current = self.table.round
        if current is not None and not current.announced:
            winner = current.coup.winner
            self.do(c.Announce(winner.value if winner else "tie"), self.runner)
        current = self.table.round
        if current is not None and not current.settled:
            self.do(c.Settle(), self.runner)
        while self.table.phase is Phase.PAYING:
            assert self.table.round is not None
            self.do(c.Confirm(min(self.table.round.unconfirmed)), self.runner)

    def round(self, bets: Mapping[str, Mapping[str, int]], cards: str) -> None:
        """A whole round: bets of each person in the own box, cards, takes and pays."""
        if self.table.shoe.ended:
            self.shoe()
        self.call()
        for person, wagers in bets.items():
            self.bet(person, wagers)
        self.close()
        self.deal(cards)
        self.finish()


def settings(**changes: Any) -> TableSettings:
    """A tiger-buffalo table with six boxes unless told otherwise."""
    base: dict[str, Any] = {
        "table": "T1",
        "game": "tiger-buffalo",
        "layout": "A",
        "positions": 6,
        "decks": 8,
        "limits": BetLimits(minimum=5_00, maximum=5_000_00, step=5_00),
    }
    return TableSettings(**base | changes)


def book_without(*families: str, game: str = "tiger-buffalo") -> RuleBook:
    """The game's book as if it said nothing of some irregularities."""
    book = find_book(game)
    silent = {family: type(book.irregularities.of(family))() for family in families}
    unsaid = {name: choices_of(name) for name, family in BORNE_OUT_BY.items() if family in families}
    silence = {
        name: next((each for each in kind if each.value == "not_covered"), None) for name, kind in unsaid.items()
    }
    policies = {name: Stated(choice) for name, choice in silence.items() if choice is not None}
    irregularities = replace(book.irregularities, **silent)
    return replace(book, irregularities=irregularities, policies=replace(book.policies, **policies))


def open_table(*, staff: Mapping[str, str] = STAFF, book: RuleBook | None = None, **changes: Any) -> Play:
    """A table that has just opened, with staff of every rank signed on; by that book where one is given."""
    opening = Command("c0", HOUSE, NOW, c.OpenTable(settings(**changes), FLOAT))
    done = execute(None, opening) if book is None else execute(None, opening, lambda _: book)
    assert isinstance(done, Done), done
    play = Play(done.table, (make_entry(None, opening, done.events),))
    for person, rank in staff.items():
        play.do(c.SignOn(person, rank), HOUSE)
    return play
