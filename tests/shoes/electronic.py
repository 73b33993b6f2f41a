"""An electronic table with its log, its vault and its shoe, that can lose everything but files at any moment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.entries import as_entries

from puntobanco.cards import Side
from puntobanco.rules.load import find_book
from puntobanco.rules.policies import SqueezeBy
from puntobanco.shoes.commit import Reveal
from puntobanco.shoes.dealer import ElectronicShoe
from puntobanco.shoes.history import ShoeHistory, follow, follow_all
from puntobanco.shoes.keys import create_key_file, load_key_file
from puntobanco.shoes.vault import SqliteVault
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute, fold
from puntobanco.table.settings import ELECTRONIC, BetLimits, TableSettings
from puntobanco.table.state import Table
from puntobanco.views.steps import next_step

PLAYERS = ("ann", "ben")


def settings(game: str, **changes: Any) -> TableSettings:
    """An electronic table of a game, on its first layout."""
    book = find_book(game)
    layout = next(iter(book.layouts.values()))
    base: dict[str, Any] = {
        "table": "E1",
        "game": game,
        "layout": layout.code,
        "positions": max(layout.positions),
        "decks": book.decks.default,
        "limits": BetLimits(minimum=5_00, maximum=5_000_00, step=5_00),
        "automated": ELECTRONIC,
    }
    return TableSettings(**base | changes)


class ElectronicTable:
    """A table played by chance. Events are its log; table, history, vault and shoe are gone at each ``restart``."""

    def __init__(self, folder: Path, chance: Random, wanted: TableSettings) -> None:
        self.folder = folder
        self.chance = chance
        self.events: list[e.Event] = []
        self.reveals: list[Reveal] = []
        self.restarts = 0
        self.at = 0
        create_key_file(folder / "shoes.key")
        opened = execute(None, Command("", HOUSE, 0, c.OpenTable(wanted, {100_00: 100_000})))
        assert isinstance(opened, Done), opened
        self.events += opened.events
        self.vault = SqliteVault(folder / "shoes.vault")
        self.restart()
        for box, player in enumerate(PLAYERS, 1):
            self.do(c.Join(player, box), player)
            self.do(c.BuyIn(player, 10_000_000_00, "account"), player)

    def restart(self) -> None:
        """Everything from the log and the files, as after a crash."""
        self.vault.close()
        self.vault = SqliteVault(self.folder / "shoes.vault")
        self.dealer = ElectronicShoe(self.vault, load_key_file(self.folder / "shoes.key"))
        self.table: Table = fold(as_entries(self.events))
        self.shoe: ShoeHistory | None = follow_all(self.events)
        self.restarts += 1

    def do(self, body: AnyCommand, actor: str = HOUSE) -> tuple[e.Event, ...]:
        before = self.table
        done = execute(before, Command("", actor, self.at, body))
        assert isinstance(done, Done), (body, actor, done)
        self.table = done.table
        self.events += done.events
        for event in done.events:
            self.shoe = follow(self.shoe, event)
        if self.table.order_over and not before.order_over:
            self.reveals.append(self.dealer.reveal(self.table))
        return done.events

    def step(self) -> None:
        """The next proper step, by the shoe, the House or the players."""
        command = self.dealer.next_command(self.table, self.shoe)
        if command is not None:
            if self.chance.randrange(50) == 0 and not isinstance(command, c.NewShoe | c.ReturnCards):
                self.restart()  # the command was lost on its way: the same one comes again
                assert self.dealer.next_command(self.table, self.shoe) == command
            self.do(command)
            if isinstance(command, c.NewShoe) and not self.table.settings.shuffler:
                self.cut()
            return
        step = next_step(self.table)
        assert step is not None
        if step.do == "close":
            self.bets()
            self.do(c.Close())
            self.squeeze()
        elif step.do == "turn" and step.who == "player":
            self.do(c.Turn(step.number), step.people[0])
        else:
            bodies: dict[str, AnyCommand] = {
                "call": c.Call(),
                "close_insurance": c.CloseInsurance(),
                "end_shoe": c.EndShoe("no round is left in it"),
            }
            self.do(bodies[step.do])

    def cut(self) -> None:
        for player in PLAYERS[: self.chance.randrange(1, 3)]:
            self.do(c.CutShoe(player, self.chance.randrange(1, self.table.shoe.size)), player)

    def bets(self) -> None:
        for box, player in enumerate(PLAYERS, 1):
            hand = self.chance.choice(["player", "banker"])
            self.do(c.Place(player, box, {hand: 5_00 * self.chance.randrange(1, 20)}), player)

    def squeeze(self) -> None:
        if not self.table.settings.face_down or self.table.policies.squeeze.value is SqueezeBy.NONE:
            return
        for player in PLAYERS:
            body = c.AskSqueeze(player, self.chance.choice(list(Side)))
            done = execute(self.table, Command("", player, 0, body))
            if isinstance(done, Done) and self.chance.randrange(3) == 0:
                self.do(body, player)

    def play(self, shoes: int = 1, restart_one_in: int = 30) -> Iterator[None]:
        """Until so many shoes are over, stopping after each step, with restarts by chance."""
        wanted = len(self.reveals) + shoes
        while len(self.reveals) < wanted:
            self.step()
            if self.chance.randrange(restart_one_in) == 0:
                self.restart()
            yield
