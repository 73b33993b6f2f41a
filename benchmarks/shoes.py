"""What an electronic shoe costs, each step beside a baseline in the same run: ``scripts/benchmark shoes``.

Baselines: the standard library's shuffle by the operating system's bytes, and by its seeded generator; the bare hash
and the bare cipher on as many bytes; the table's own work for the cards that the shoe gives.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.rounds import median
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from rich.console import Console
from rich.table import Table as Grid
from scripts.tools.arguments import words

from puntobanco.shoes.audit import check_shoe
from puntobanco.shoes.commit import ShoeSecret
from puntobanco.shoes.dealer import ElectronicShoe
from puntobanco.shoes.history import ShoeHistory, follow_all
from puntobanco.shoes.keys import Key, KeyRing
from puntobanco.shoes.shuffle import shuffled
from puntobanco.shoes.vault import Label, SqliteVault, seal, unseal
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.settings import ELECTRONIC, TableSettings
from puntobanco.table.state import Table

DECKS = 8
BOOK = "ab" * 32
GENERATOR, SYSTEM = random.Random(1), random.SystemRandom()
SETTINGS = TableSettings(
    table="b1", game="super-six", layout="A", positions=7, decks=DECKS, automated=ELECTRONIC, burn="first_card"
)


class Row(NamedTuple):
    """Microseconds of a step, and of what it is compared with."""

    step: str
    time: float
    against: str
    baseline: float


class Game:
    """An electronic table without players."""

    def __init__(self, dealer: ElectronicShoe) -> None:
        self.dealer = dealer
        self.events: list[e.Event] = []
        self.table: Table | None = None
        self.do(c.OpenTable(SETTINGS))

    def do(self, body: AnyCommand) -> Table:
        done = execute(self.table, command(body))
        assert isinstance(done, Done), done
        self.table = done.table
        self.events += done.events
        return done.table

    @property
    def shoe(self) -> ShoeHistory | None:
        return follow_all(self.events)

    def ready_to_deal(self, cards: int) -> Table:
        """The table with its bets closed, after so many cards of the shoe."""
        assert self.table is not None
        table = self.do(self.dealer.new_shoe(self.table))
        while table.shoe.drawn < cards or table.round is None or not table.round.untouched:
            between = c.Call() if table.round is None else c.Close()
            table = self.do(self.dealer.next_command(table, self.shoe) or between)
        return table


def command(body: AnyCommand) -> Command:
    return Command("", HOUSE, 0, body)


def rows(folder: Path) -> list[Row]:
    keys, secret, label = KeyRing([Key.fresh()]), ShoeSecret.fresh(DECKS), Label("b1", 1, "c")
    plain, cipher, nonce = secret.salt + secret.order, ChaCha20Poly1305(keys.current.secret), os.urandom(12)
    sealed, numbers = seal(secret, label, keys), itertools.count(1)
    system = time(lambda: SYSTEM.shuffle(list(range(52 * DECKS))), 20)
    seeded = time(lambda: GENERATOR.shuffle(list(range(52 * DECKS))), 20)
    shuffling = time(lambda: shuffled(DECKS), 50)
    encrypting = time(lambda: cipher.encrypt(nonce, plain, b""))
    found = [
        Row("shuffle 8 decks", shuffling, "random.SystemRandom().shuffle", system),
        Row("", shuffling, "random.Random(1).shuffle, seeded", seeded),
        Row("commit", time(lambda: secret.commitment(BOOK)), "sha256", time(lambda: hashlib.sha256(plain).digest())),
        Row("seal", time(lambda: seal(secret, label, keys)), "ChaCha20-Poly1305", encrypting),
        Row("unseal", time(lambda: unseal(sealed, label, keys)), "ChaCha20-Poly1305", encrypting),
    ]
    with SqliteVault(folder / "vault") as vault:
        dealer = ElectronicShoe(vault, keys, wait_for_cut=False)
        putting = time(lambda: vault.put(Label("b0", next(numbers), "c"), sealed), 20)
        found.append(Row("put in the vault, durable", putting, "shuffle 8 decks", shuffling))
        found += [giving(dealer, 0), giving(dealer, 380)]
        found.append(Row("check a revealed shoe", checking(dealer), "shuffle 8 decks", shuffling))
    return found


def giving(dealer: ElectronicShoe, cards: int) -> Row:
    """The opening of a round after so many cards."""
    game = Game(dealer)
    table = game.ready_to_deal(cards)
    shoe = game.shoe
    body = dealer.next_command(table, shoe)
    assert isinstance(body, c.Deal)
    given, dealt = time(lambda: dealer.next_command(table, shoe)), time(lambda: execute(table, command(body)))
    return Row(f"give 4 cards after {cards}", given, "the table's own work for them", dealt)


def checking(dealer: ElectronicShoe) -> float:
    """A shoe of 380 cards and more, against its reveal."""
    game = Game(dealer)
    table = game.ready_to_deal(380)
    while table.round is not None:
        body = dealer.next_command(table, game.shoe)
        assert body is not None
        table = game.do(body)
    if not table.shoe.ended:
        table = game.do(c.EndShoe())
    shoe = game.shoe
    assert shoe is not None
    reveal = dealer.reveal(table)
    return time(lambda: check_shoe(shoe, reveal, table.settings.book_hash), 50)


def time(step: Callable[[], object], chunk: int = 200) -> float:
    return median(step, 0.3, chunk)


def main() -> None:
    grid = Grid(title="An electronic shoe, one core, processor time")
    for heading in ("step", "time", "a second", "against", "time", "ratio"):
        grid.add_column(heading, justify="left" if heading in ("step", "against") else "right")
    with tempfile.TemporaryDirectory() as folder:
        for step, taken, against, baseline in rows(Path(folder)):
            speed = f"{1e6 / taken:,.0f}"
            grid.add_row(step, f"{taken:.1f} µs", speed, against, f"{baseline:.1f} µs", f"{taken / baseline:.2f}")
    Console().print(grid)


if __name__ == "__main__":
    words(sys.argv[1:], __doc__)
    main()
