"""Shoes of the simulation, dealt by the table engine: one player with a unit on every bet of the layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from puntobanco.bets import payoffs
from puntobanco.cards import CARDS, Card, Rank
from puntobanco.coup import Coup
from puntobanco.lab import shoe_kernel as kernel
from puntobanco.lab.shoes import Dealing, card_of, check_seed, rules_of
from puntobanco.rules.load import find_book
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.settings import ELECTRONIC, BetLimits, TableSettings
from puntobanco.table.state import Table

UNIT = 100_00
LAYOUTS = {"dragon-tiger-commission": "A4", "dragon-tiger-non-commission": "A2"}


class Played(NamedTuple):
    """A shoe: the outcome of each round, and what each bet gained over all of them, in minor units."""

    outcomes: list[int]
    gains: Counter[str]


class Engine:
    """An electronic table that is fed with cards."""

    def __init__(self, game: str, dealing: Dealing) -> None:
        self.book = find_book(game)
        self.dealing = dealing
        layout = self.book.layouts[LAYOUTS.get(game, "A")]
        self.bets = layout.bets
        settings = TableSettings(
            table="lab",
            game=game,
            layout=layout.code,
            positions=layout.positions[0],
            decks=dealing.decks,
            limits=BetLimits(1, None, 1),
            automated=ELECTRONIC,
            burn="first_card" if isinstance(dealing.burn, str) else dealing.burn,
            cut_card=dealing.cut,
            rounds_after_cut=1 if dealing.after else 0,
        )
        opened = execute(None, Command("", HOUSE, 0, c.OpenTable(settings)))
        assert isinstance(opened, Done), opened
        self.table: Table = opened.table
        self.do(c.Join("ann", 1), "ann")
        self.do(c.BuyIn("ann", 10**15, "account"), "ann")

    def do(self, body: AnyCommand, actor: str = HOUSE) -> tuple[e.Event, ...]:
        done = execute(self.table, Command("", actor, 0, body))
        assert isinstance(done, Done), (body, done)
        self.table = done.table
        return done.events

    def shoe(self, order: list[Card]) -> Played:
        """Deal a shoe until the table says that it is over."""
        cards = iter(order)
        played = Played([], Counter())
        self.do(c.NewShoe("shuffled by the simulation"))
        if self.table.to_burn:
            first = next(cards)
            rule = self.dealing.burn
            burnt = rule if isinstance(rule, int) else 1 + (first.points or 10)
            self.do(c.Burn((first, *(next(cards) for _ in range(burnt - 1)))))
        while not self.table.shoe.ended:
            self._round(cards, played)
        return played

    def _round(self, cards: Iterator[Card], played: Played) -> None:
        self.do(c.Call())
        self.do(c.Place("ann", 1, dict.fromkeys(self.bets, UNIT)), "ann")
        events = [*self.do(c.Close()), *self.do(c.Deal(tuple(next(cards) for _ in range(4))))]
        while (current := self.table.round) is not None:
            events += self.do(c.CloseInsurance() if current.window is not None else c.Deal((next(cards),)))
        for event in events:
            if isinstance(event, e.RoundSettled):
                played.gains.update({line.bet: line.profit for line in event.lines})
                played.outcomes.append(self.book.space.outcome_of(Coup.parse(event.coup)))


def with_suits(cards: list[Card]) -> list[Card]:
    """Cards of which only the ranks count, in suits that decks hold: in turn."""
    seen: Counter[Rank] = Counter()
    found = []
    for card in cards:
        found.append(CARDS[card.rank.index * 4 + seen[card.rank] % 4])
        seen[card.rank] += 1
    return found


def same(game: str, dealing: Dealing, seed: int, shoes: int) -> int:
    """Assert that kernel and engine agree on so many shoes; the rounds they had."""
    engine = Engine(game, dealing)
    space, tables = engine.book.space, payoffs(engine.book)
    setup, rules = dealing.setup(suited=engine.book.suited), rules_of(space)
    outcomes = np.empty((shoes, dealing.most_rounds), np.int32)
    places = np.empty_like(outcomes)
    orders = np.empty((shoes, dealing.size), np.uint8)
    kernel.trace_shoes(check_seed(seed), 0, setup, rules, outcomes, places, orders)
    rounds = 0
    for shoe in range(shoes):
        expected = [number for number in outcomes[shoe].tolist() if number >= 0]
        cards = [card_of(byte) for byte in orders[shoe].tolist()]
        played = engine.shoe(cards if engine.book.suited else with_suits(cards))
        assert played.outcomes == expected, (game, dealing, seed, shoe)
        for bet in engine.bets:
            gained = sum(tables[bet].verdict(number).profit(UNIT) for number in expected)
            assert played.gains[bet] == gained, (game, dealing, seed, shoe, bet)
        rounds += len(expected)
    return rounds
