"""A real server with people and live tables, and its log, which is what every page is held against."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from tests.floor.serving import MONEY, PASSWORD, House, Nursery, Server, now

from puntobanco.cards import Side, parse_cards
from puntobanco.client import AsyncClient
from puntobanco.coup import Coup
from puntobanco.demo.plan import FLOAT
from puntobanco.floor.wire import Account, Brief, DeviceToken, Money, NewDevice, NewPerson, OpenPlan, PersonSeen
from puntobanco.rules.library import OURS, Library
from puntobanco.rules.model import Authority, RuleBook
from puntobanco.script.log import parse_log
from puntobanco.store import verify_log
from puntobanco.table import commands as c
from puntobanco.table.commands import AnyCommand
from puntobanco.table.engine import fold
from puntobanco.table.entry import Entry, records_of
from puntobanco.table.events import Record, TableOpened
from puntobanco.table.settings import LIVE, BetLimits, Differential, TableSettings
from puntobanco.table.state import Table
from puntobanco.views.view import View, Viewer, view

T = TypeVar("T")
Result = Literal["player", "banker", "tie"]
PIN = "2468"
PAST = (
    "8h 2c Kd 5s",  # Player, a natural
    "9h 9c Kd Ks",  # a tie
    "2h 6c 3d Ks 9h",  # Banker
    "Kh 8c 2d Kc",  # Banker, a natural
    "3h 7c 3d Ks",  # Banker, and a Player Pair
    "6h 5c Kd 5s Kc",  # Player, and a Banker Pair
    "Kh 9c 2d Kc",
    "4h 6d Kd Qs 9d",
    "8s 2d Kc 5h",
    "7h 7d Kd Ks",
)
"""Rounds that were played before anybody looks, in the order the cards left the shoe."""


def wait_for(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine although the browser's own loop runs in this thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


class Casino:
    """A server on SQLite; ``sam`` is a Pit Supervisor, ``pam`` a Pit Manager, ``dan`` deals, ``sue`` looks on."""

    def __init__(self, nursery: Nursery, folder: Path, players: Iterable[str] = (), books: str = "") -> None:
        self.books = Library(books) if books else OURS
        self.house = House(folder)
        self.house.add_players(players)
        self.server = Server(nursery, self.house, books=books).start()
        self._numbers = count(1)
        wait_for(self._add("sam", Authority.PIT_SUPERVISOR))

    async def _add(self, name: str, rank: Authority) -> None:
        async with self.house.client("root", self.server) as root:
            await root.request("POST", "/api/people", PersonSeen, NewPerson(name, "pit", PASSWORD, rank, PIN))
        async with AsyncClient(self.server.address) as client:
            self.house.tokens[name] = (await client.sign_in(name, PASSWORD)).token

    @property
    def address(self) -> str:
        return self.server.address

    def welcome(self, *names: str) -> None:
        """Players who come while the floor is open, with money on their accounts."""

        async def come() -> None:
            async with self.house.client("root", self.server) as root:
                for name in names:
                    await root.request("POST", "/api/people", PersonSeen, NewPerson(name, "player", PASSWORD))
                    money = Money(f"first money of {name}", MONEY, "SGD")
                    await root.request("POST", f"/api/people/{name}/money", Account, money)
            for name in names:
                async with AsyncClient(self.server.address) as client:
                    self.house.tokens[name] = (await client.sign_in(name, PASSWORD)).token

        wait_for(come())

    def number(self) -> int:
        """One that nobody has had."""
        return next(self._numbers)

    def open_table(self, game: str, past: Sequence[str] = (), *, shoe: bool = True, **changes: Any) -> str:
        """A live table, with a shoe and at which these rounds were played; its name."""
        initials = "".join(word[0] for word in game.split("-")).upper()
        name = str(changes.pop("table", "")) or f"{initials}-{self.number()}"
        wait_for(self._open(settings_of(name, self.books(game), **changes), past, shoe=shoe))
        return name

    async def _open(self, settings: TableSettings, past: Sequence[str], *, shoe: bool) -> None:
        async with self.house.client("root", self.server) as root:
            await root.request("POST", "/api/tables", Brief, OpenPlan(settings, FLOAT))
        if not shoe:
            return
        bodies = [c.NewShoe("shuffled by machine, 416 counted"), *(body for cards in past for body in _round(cards))]
        async with self.house.client("dan", self.server) as dan:
            for body in bodies:
                await dan.post_command(settings.table, body)

    def give(self, person: str, table: str, *bodies: AnyCommand) -> None:
        """Commands past the page."""

        async def send() -> None:
            async with self.house.client(person, self.server) as client:
                for body in bodies:
                    await client.post_command(table, body)

        wait_for(send())

    def seat(self, person: str, table: str, box: int, *, seated: bool = True) -> None:
        """A player takes a box, or stands behind it, with chips for 5,000."""
        self.give(person, table, c.Join(person, box, seated), c.BuyIn(person, 5_000_00, "account"))

    def bets(self, table: str, bets: Mapping[str, tuple[int, Mapping[str, int]]]) -> None:
        """A round is called, and these people bet: each in a box, so much on which bets."""
        self.give("dan", table, c.Call())
        for person, (box, amounts) in bets.items():
            self.give(person, table, c.Place(person, box, dict(amounts)))

    def deal(self, table: str, cards: str, result: Result | None = None, *boxes: int, after: str = "") -> None:
        """Bets are closed and cards dealt, or dealt after others; a result is called, and these boxes are paid."""
        coup = Coup()
        for card in parse_cards(after):
            coup = coup.receive(card)
        bodies: list[AnyCommand] = [] if after else [c.Close()]
        for card in parse_cards(cards):
            bodies.append(c.Draw(card, coup.due, True))
            coup = coup.receive(card)
        self.give("dan", table, *bodies)
        if result:
            self.pay(table, result, *boxes)

    def pay(self, table: str, result: Result, *boxes: int) -> None:
        """The result is called, and these boxes are paid."""
        self.give("dan", table, c.Announce(result), *map(c.Confirm, boxes))

    def scan(self, table: str, *bodies: c.Draw) -> None:
        """Cards that the scanner in the table's shoe reads."""
        name = f"scanner of {table}"

        async def fit() -> None:
            async with self.house.client("root", self.server) as root:
                device = NewDevice(name, "scanner", table)
                self.house.tokens[name] = (await root.request("POST", "/api/devices", DeviceToken, device)).token

        if name not in self.house.tokens:
            wait_for(fit())
        self.give(name, table, *bodies)

    def records(self, table: str) -> tuple[Record, ...]:
        """The events of the table's log."""
        return records_of(self.entries(table))

    def entries(self, table: str) -> tuple[Entry, ...]:
        """The table's log, verified."""

        async def fetch() -> bytes:
            async with self.house.client("sue", self.server) as sue:
                return await sue.log(table)

        data = wait_for(fetch())
        report = verify_log(data, books=self.books)
        assert report.problem is None, report.problem
        return parse_log(data)

    def fold(self, table: str) -> Table:
        """The table as its log has it."""
        entries = self.entries(table)
        opened = entries[0].events[0]
        assert isinstance(opened, TableOpened)
        return fold(entries, self.books(opened.settings.game))

    def balance(self, person: str) -> int:
        """What is on a player's account, by the store."""
        with self.house.open() as store:
            return store.balance(person, "SGD")

    def events(self, table: str) -> list[str]:
        """The names of the log's events."""
        return [msgspec.to_builtins(record.event)["event"] for record in self.records(table)]


def seen_by(table: Table, viewer: Viewer) -> View:
    return view(table, viewer, now())


def settings_of(table: str, book: RuleBook, **changes: Any) -> TableSettings:
    """A live table whose countdowns no test outlasts."""
    layout = next(iter(book.layouts.values()))
    side = BetLimits(5_00, 500_00, 5_00)
    base: dict[str, Any] = {
        "table": table,
        "game": book.id,
        "layout": layout.code,
        "positions": max(layout.positions),
        "decks": 8,
        "automated": LIVE,
        "currency": "SGD",  # which everybody has money in
        "limits": BetLimits(25_00, 5_000_00, 5_00),
        "bet_limits": {bet: side for bet in layout.bets if bet not in book.original_bets},
        "differential": Differential(10_000_00),
        "countdown": 900,
        "insurance_countdown": 900,
    }
    return TableSettings(**base | changes)


def _round(cards: str) -> Iterable[AnyCommand]:
    """A round at which nobody bets."""
    coup = Coup()
    yield c.Call()
    yield c.Close()
    for card in parse_cards(cards):
        yield c.Draw(card, coup.due, True)
        coup = coup.receive(card)
    yield c.Announce("tie" if coup.winner is None else "player" if coup.winner is Side.PLAYER else "banker")
