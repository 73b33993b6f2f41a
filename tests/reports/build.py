"""Evenings at a live table for the tests of reports: shuffled shoes, and people who play, insure, tip and leave."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.table.build import MANAGER, STAFF, SUPERVISOR, settings

from puntobanco.cards import CARDS, Card
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.entry import Entry, make_entry
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import Step, in_order
from puntobanco.table.state import Phase, Table

MORNING = 1_772_344_800_000
"""2026-03-01 06:00 UTC, when a gaming day begins."""
PLAYERS = ("ann", "bob", "cho")
DEALERS = ("dora", "dirk")


class Evening:
    """A table that keeps its log."""

    def __init__(self, seed: int, *, pace: int = 45, **changes: Any) -> None:
        self.chance = Random(seed)
        self.pace = pace
        """Seconds from one round to the next."""
        self.now = MORNING
        self.entries: list[Entry] = []
        self.table: Table | None = None
        self.commands = 0
        self.cards: list[Card] = []
        self.dealer = DEALERS[0]
        steps = in_order({Step.OFFER, Step.ANNOUNCE, Step.SETTLE, Step.CONFIRM})
        opened = settings(automated=steps, cut_card=20, **changes)
        self.do(c.OpenTable(opened, {1_000_00: 500, 100_00: 500, 5_00: 200}), HOUSE)
        for person, rank in {**STAFF, **dict.fromkeys(DEALERS, "dealer")}.items():
            self.do(c.SignOn(person, rank), HOUSE)
        for box, person in enumerate(PLAYERS, 1):
            self.do(c.Join(person, box), person)
            self.do(c.BuyIn(person, 2_000_00, "cash"), self.dealer)

    def ask(self, body: AnyCommand, actor: str) -> Done | Refusal:
        self.commands += 1
        command = Command(f"c{self.commands}", actor, self.now, body)
        answer = execute(self.table, command)
        if isinstance(answer, Done):
            self.entries.append(make_entry(self.table, command, answer.events))
            self.table = answer.table
        return answer

    def do(self, body: AnyCommand, actor: str = "") -> tuple[e.Event, ...]:
        answer = self.ask(body, actor or self.dealer)
        assert isinstance(answer, Done), (body, answer)
        return answer.events

    @property
    def open(self) -> Table:
        assert self.table is not None
        return self.table

    # --- play

    def play(self, rounds: int) -> None:
        for number in range(rounds):
            if number % 30 == 29:
                self.dealer = next(dealer for dealer in DEALERS if dealer != self.dealer)
            self.round()

    def shoe(self) -> None:
        if not self.open.shoe.ended:
            self.do(c.EndShoe("counted"), SUPERVISOR)
        self.do(c.NewShoe("shuffled by hand"))
        self.cards = [card for card in CARDS for _ in range(self.open.settings.decks)]
        self.chance.shuffle(self.cards)

    def round(self) -> None:
        if len(self.cards) < 20:
            self.shoe()
        self.do(c.Call())
        for person in PLAYERS:
            self.bet(person)
        self.now += self.pace * 1000
        self.do(c.Close())
        while self.open.phase is Phase.DEALING:
            self.insure()
            self.do(c.Deal((self.cards.pop(),)))
        if self.chance.random() < 0.05:
            self.beside()

    def bet(self, person: str) -> None:
        if self.open.stack(person) < 300_00:
            self.do(c.BuyIn(person, 1_000_00, self.chance.choice(["cash", "account"])))
        first = self.chance.choice(["player", "banker"])
        wagers = {first: self.amount(5, 20)}
        for bet in self.chance.sample(self.open.layout.bets, 2):
            if bet not in ("player", "banker") and self.chance.random() < 0.5:
                wagers[bet] = self.amount(1, 4)
        self.do(c.Place(person, self.open.people[person].box, wagers), person)

    def amount(self, least: int, most: int) -> int:
        return 5_00 * self.chance.randint(least, most)

    def insure(self) -> None:
        window = self.open.round.window if self.open.round else None
        if window is None:
            return
        for offer in window.offers:
            for person in offer.people:
                if self.chance.random() < 0.6:
                    amount = self.amount(1, 6)
                    self.ask(c.Insure(person, self.open.people[person].box, offer.hand, amount), person)
        if self.open.round and self.open.round.window:
            self.do(c.CloseInsurance())

    def beside(self) -> None:
        """Something beside the play."""
        person = self.chance.choice(PLAYERS)
        what = self.chance.randrange(4)
        if what == 0:
            self.do(c.Tip(person, 5_00), person)
        elif what == 1 and self.open.stack(person) > 500_00:
            self.do(c.CashOut(person, 100_00), self.dealer)
        elif what == 2:
            self.do(c.RequestFill(f"f{self.commands}", "fill", {100_00: 10}), self.dealer)
            self.do(c.SignFill(next(iter(self.open.fills))), SUPERVISOR)
        else:
            self.do(c.RaiseDispute(person, "the payout of the last round"), person)
            number = max(self.open.disputes)
            self.do(c.NoteOnDispute(number, "resolved", "shown the cards again"), SUPERVISOR)

    def finish(self) -> None:
        """Everybody leaves and the tray is counted, one chip of 5 short."""
        for person in PLAYERS:
            self.do(c.Leave(person), person)
        left = self.open.balances["tray"] + self.open.balances.get("commission", 0) - 5_00
        count = {}
        for value in self.open.settings.chips:
            count[value], left = divmod(left, value)
        self.do(c.CloseTable(count), MANAGER)


def evening(seed: int, rounds: int, **changes: Any) -> tuple[Entry, ...]:
    """The log of an evening."""
    table = Evening(seed, **changes)
    table.play(rounds)
    return tuple(table.entries)
