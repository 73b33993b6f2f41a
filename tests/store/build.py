"""Tables for the tests of the record: a keeper over a store, and random but proper play through it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from puntobanco.cards import CARDS, Card
from puntobanco.rules.load import find_book
from puntobanco.store import Answer, Keeper, MemoryStore, Posting, PrivateKey, Store
from puntobanco.store.base import Append
from puntobanco.store.chain import FIRST, seal
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.entry import Entry
from puntobanco.table.settings import ELECTRONIC, BetLimits, TableSettings
from puntobanco.table.shoe.copies import in_play, with_faces
from puntobanco.table.state import Phase

NOW = 1_800_000_000_000
PEOPLE = ("ann", "ben", "cam")
KEY = PrivateKey.generate()


def settings(table: str = "T1", game: str = "tiger-buffalo", **changes: object) -> TableSettings:
    """An electronic table."""
    layout = next(iter(find_book(game).layouts.values()))
    base: dict[str, object] = {
        "table": table,
        "game": game,
        "layout": layout.code,
        "positions": max(layout.positions),
        "decks": 8,
        "limits": BetLimits(5_00, 10_000_00, 5_00),
        "automated": ELECTRONIC,
    }
    return TableSettings(**base | changes)  # type: ignore[arg-type]


def an_entry(count: int, after: int = 0, command: str = "c1", at: int = NOW) -> Entry:
    """Some events, of staff who come."""
    versions = range(after + 1, after + count + 1)
    events = tuple(e.StaffSignedOn(f"staff {version}", "dealer") for version in versions)
    body = c.SignOn(f"staff {after + 1}", "dealer")
    return Entry(after + 1, Command(command, HOUSE, at, body), HOUSE, events)


def append(table: str, after: int, count: int, command: str, prev: str = FIRST, **changes: object) -> Append:
    """An append of some events."""
    line = seal(an_entry(count, after, command), prev)
    changes = {"currency": "SGD"} | changes
    return Append(table, after, command, line, count, **changes)  # type: ignore[arg-type]


class Player:
    """Plays a table through a keeper, by chance but as the rules want it; every command has an id of its own."""

    def __init__(self, keeper: Keeper, name: str, seed: int, game: str = "tiger-buffalo", **changes: object) -> None:
        self.keeper = keeper
        self.name = name
        self.chance = random.Random(f"{name} {seed}")
        self.settings = settings(name, game, **changes)
        book = find_book(game)
        self.currency = self.settings.currency or book.currency
        self.bets = book.layouts[self.settings.layout].bets
        self.number = 0
        self.now = NOW
        self.answers: list[Answer] = []

    def do(self, body: AnyCommand, actor: str = HOUSE, command: str = "") -> Answer:
        self.number += 1
        self.now += 250
        answer = self.keeper.give(self.name, Command(command or f"{self.name}-{self.number}", actor, self.now, body))
        assert isinstance(answer, Answer), (body, answer)
        self.answers.append(answer)
        return answer

    def open(self, people: Sequence[str] = PEOPLE, *, money: int = 5_000_00) -> None:
        """Open the table and let people sit down and buy in, each from the own account."""
        self.do(c.OpenTable(self.settings))
        for box, person in enumerate(people, 1):
            self.keeper.store.post(Posting(f"{self.name} {person}", person, self.currency, 2 * money, self.now))
            self.do(c.Join(person, box), person)
            self.do(c.BuyIn(person, money, "account"), person)

    def cards(self, count: int) -> tuple[Card, ...]:
        """Cards that the shoe may still hold."""
        table = self.keeper.table(self.name)
        assert table is not None
        seen = Counter(with_faces(table.shoe.faces, in_play(table)))
        found: list[Card] = []
        while len(found) < count:
            card = self.chance.choice(CARDS)
            if seen[card] < table.settings.decks:
                seen[card] += 1
                found.append(card)
        return tuple(found)

    def step(self) -> None:
        """Whatever comes next in play."""
        table = self.keeper.table(self.name)
        assert table is not None
        if table.phase is Phase.IDLE:
            if table.shoe.ended:
                self.do(c.NewShoe("shuffled by machine"))
            elif self.chance.random() < 0.1:
                self.money()
            else:
                self.do(c.Call())
        elif table.phase is Phase.BETTING:
            players = [person for person in table.people.values() if not person.staff]
            assert table.round is not None
            in_time = self.now + 1000 < table.round.until
            if players and in_time and len(table.round.wagers) < 4 and self.chance.random() < 0.8:
                person = self.chance.choice(players)
                bet = self.chance.choice(self.bets)
                if table.stack(person.id) >= 25_00:
                    self.do(c.Place(person.id, person.box, {bet: 5 * self.chance.randint(1, 5) * 100}), person.id)
                    return
            self.do(c.Close())
        else:
            current = table.round
            assert current is not None
            if current.window is not None:
                self.do(c.CloseInsurance())
            else:
                self.do(c.Deal(self.cards(4 if not current.cards else 1)))

    def money(self) -> None:
        """Somebody buys in or cashes out, as far as the money goes."""
        table = self.keeper.table(self.name)
        assert table is not None
        person = self.chance.choice([person.id for person in table.people.values() if not person.staff])
        if self.chance.random() < 0.5 and table.stack(person) >= 100_00:
            self.do(c.CashOut(person, 100_00), person)
        elif self.keeper.store.balance(person, self.currency) >= 50_00:
            self.do(c.BuyIn(person, 50_00, "account"), person)

    def rounds(self, count: int) -> None:
        """Play until so many rounds have ended."""
        table = self.keeper.table(self.name)
        assert table is not None
        until = table.rounds + count
        while table.rounds < until or table.round is not None:
            self.step()
            table = self.keeper.table(self.name)
            assert table is not None

    def close(self) -> None:
        """Everybody leaves with the chips, and the table closes."""
        table = self.keeper.table(self.name)
        assert table is not None
        for person in [person.id for person in table.people.values() if not person.staff]:
            self.do(c.Leave(person), HOUSE)
        self.do(c.CloseTable({}))


def play(
    count: int = 6, *, store: Store | None = None, key: PrivateKey = KEY, game: str = "tiger-buffalo", seed: int = 1
) -> tuple[Keeper, Player]:
    """A table that has played some rounds."""
    keeper = Keeper(store or MemoryStore(), key)
    player = Player(keeper, "T1", seed, game)
    player.open()
    player.rounds(count)
    return keeper, player


def log_of(keeper: Keeper, table: str = "T1") -> bytes:
    return b"".join(keeper.export(table))
