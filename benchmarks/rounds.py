"""How many complete rounds one core plays, five players with three wagers each: ``scripts/benchmark rounds [GAME …]``.

A round is ten commands or so through ``execute``, from the call for bets to its end, and comes out as events with their
transfers. The table announces, settles and confirms by itself. Times are the processor's. In the same run: the bare
``settle()`` of the core on the same wagers, a bet at tables with few and with very many people, and a fixed piece of
plain Python, to compare figures of two machines by.
"""

from __future__ import annotations

import itertools
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import cast

import msgspec
from rich.console import Console
from rich.table import Table as Grid
from scripts.tools.arguments import words

from puntobanco.bets import settle
from puntobanco.cards import CARDS, Card
from puntobanco.coup import Coup, reconstruct
from puntobanco.rules.load import GAMES, find_book
from puntobanco.table import commands as c
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.engine import Done, execute
from puntobanco.table.events import AnyEvent, Event, Record
from puntobanco.table.settings import ELECTRONIC, BetLimits, Differential, TableSettings
from puntobanco.table.state import Table

PLAYERS = ("ann", "ben", "cam", "dee", "eve")
LAYOUTS = {"dragon-tiger-commission": "A4", "dragon-tiger-non-commission": "A2"}
SECONDS = 3.0
CHUNK = 500
"""Rounds timed at once; the figure is the median over chunks for so many seconds."""
WANTED = 10_000
"""Rounds a second that every game is meant to reach."""
CROWDS = (7, 100, 2_000)
"""People at a table at which single bets are timed."""


class Play:
    """A table with five players who bet the same in every round, and an endless supply of cards."""

    def __init__(self, game: str, *, insuring: bool = False) -> None:
        self.insuring = insuring
        self.shoes = shuffled()
        self.cards: Iterator[Card] = iter(())
        book = find_book(game)
        layout = book.layouts[LAYOUTS.get(game, "A")]
        sides = [bet for bet in layout.bets if bet not in book.original_bets]
        self.wagers: list[dict[str, int]] = [
            {
                "banker" if number % 2 else "player": 100_00,
                sides[number % len(sides)]: 10_00,
                sides[(number + 1) % len(sides)]: 10_00,
            }
            for number in range(len(PLAYERS))
        ]
        settings = TableSettings(
            table=game,
            game=game,
            layout=layout.code,
            positions=min(count for count in layout.positions if count >= len(PLAYERS)),
            decks=8,
            limits=BetLimits(5_00, 10_000_00, 5_00),
            differential=Differential(5_000_00),
            automated=ELECTRONIC,
        )
        opened = execute(None, Command("", HOUSE, 0, c.OpenTable(settings)))
        assert isinstance(opened, Done), opened
        self.table: Table = opened.table
        self.boxes = dict(zip(PLAYERS, self.table.boxes, strict=False))
        for player, box in self.boxes.items():
            self.do(c.Join(player, box), player)
            self.do(c.BuyIn(player, 1_000_000_000_00, "account"), player)

    def do(self, body: AnyCommand, actor: str = HOUSE) -> tuple[Event, ...]:
        done = execute(self.table, Command("", actor, 0, body))
        assert isinstance(done, Done), (body, done)
        self.table = done.table
        return done.events

    def round(self) -> list[Event]:
        """Everything that happens in a round, with a new shoe before it where one is due."""
        events: list[Event] = []
        if self.table.shoe.ended:
            events += self.do(c.NewShoe("shuffled by machine"))
            self.cards = iter(next(self.shoes))
        cards = self.cards
        events += self.do(c.Call())
        for player, wagers in zip(PLAYERS, self.wagers, strict=True):
            events += self.do(c.Place(player, self.boxes[player], wagers), player)
        events += self.do(c.Close())
        events += self.do(c.Deal((next(cards), next(cards), next(cards), next(cards))))
        while (current := self.table.round) is not None:
            if current.window is None:
                events += self.do(c.Deal((next(cards),)))
                continue
            if self.insuring:
                offer = current.window.offers[0]
                player = offer.people[0]
                events += self.do(c.Insure(player, self.boxes[player], offer.hand, 10_00), player)
                current = self.table.round
            if current is not None and current.window is not None:
                events += self.do(c.CloseInsurance())
        return events


def shuffled() -> Iterator[list[Card]]:
    """Forty shoes of eight decks over and over, so that no shuffling is timed."""
    chance = random.Random(1)
    return itertools.cycle([chance.sample(CARDS * 8, len(CARDS) * 8) for _ in range(40)])


def some_coups() -> list[Coup]:
    """The first thousand coups of the same cards."""
    cards = itertools.chain.from_iterable(shuffled())
    found: list[Coup] = []
    dealt: list[Card] = []
    while len(found) < 1000:
        dealt.append(next(cards))
        coup = reconstruct(dealt).coup
        if coup.finished:
            found.append(coup)
            dealt.clear()
    return found


# --- measuring


def median(step: Callable[[], object], seconds: float = 0.5, chunk: int = CHUNK) -> float:
    """Microseconds of processor time for one step, the median over chunks."""
    for _ in range(chunk):
        step()
    times: list[float] = []
    until = time.process_time() + seconds
    while len(times) < 3 or time.process_time() < until:
        begun = time.process_time()
        for _ in range(chunk):
            step()
        times.append((time.process_time() - begun) / chunk)
    return statistics.median(times) * 1e6


def plain_python() -> int:
    """A fixed amount of work with a dictionary, integers and a sort."""
    counts: dict[int, int] = {}
    for number in range(1000):
        counts[number % 97] = counts.get(number % 97, 0) + number
    return sum(sorted(counts.values()))


def encoding(play: Play) -> float:
    """Microseconds to write the events of one round as JSON records."""
    encode = msgspec.json.Encoder().encode
    rounds = itertools.cycle([cast("list[AnyEvent]", play.round()) for _ in range(200)])
    return median(lambda: [encode(Record(1, 1, HOUSE, "c1", event)) for event in next(rounds)])


def settling(play: Play) -> float:
    """Microseconds of the core for the fifteen wagers of one round."""
    wagers = [pair for wagers in play.wagers for pair in wagers.items()]
    coups = itertools.cycle(some_coups())
    book, layout = play.table.book, play.table.layout
    return median(lambda: settle(book, next(coups), wagers, layout=layout))


def placing(people: int) -> float:
    """Microseconds for a bet at a table with so many people, the median over all of theirs in one round."""
    play = Play("super-six")
    bettors = [(f"p{number}", play.table.boxes[number % len(PLAYERS)]) for number in range(people)]
    for name, box in bettors:
        play.do(c.Join(name, box, seated=False), name)
        play.do(c.BuyIn(name, 1_000_000_00, "account"), name)
    play.do(c.NewShoe("shuffled by machine"))
    play.do(c.Call())
    times: list[float] = []
    for number in range(max(CROWDS)):
        name, box = bettors[number % people]
        wagers = {"player" if number % 2 else "banker": 5_00, "tie": 5_00}
        begun = time.process_time()
        play.do(c.Place(name, box, wagers), name)
        times.append(time.process_time() - begun)
    return statistics.median(times[len(times) // 2 :]) * 1e6


def main(games: Sequence[str]) -> None:
    grid = Grid(title="Complete rounds on one core, five players with three wagers each")
    for heading in ("game", "a round", "rounds/s", "as JSON records", "rounds/s", "settle() alone", "round : settle()"):
        grid.add_column(heading, justify="left" if heading == "game" else "right", no_wrap=heading == "game")
    slowest = 0.0
    for game in games or GAMES:
        has_insurance = find_book(game).insurance is not None
        for insuring in (False, True) if has_insurance else (False,):
            play = Play(game, insuring=insuring)
            rounds = median(play.round, SECONDS)
            records, bare = rounds + encoding(play), settling(play)
            slowest = max(slowest, 0 if insuring else rounds)
            grid.add_row(
                f"{game}, insurance taken whenever offered" if insuring else game,
                *(f"{rounds:.1f} µs", f"{1e6 / rounds:,.0f}", f"{records:.1f} µs", f"{1e6 / records:,.0f}"),
                *(f"{bare:.1f} µs", f"{rounds / bare:.1f}"),
            )
    console = Console(width=max(Console().width, 132))
    console.print(grid)
    console.print(
        f"slowest with three wagers each, insurance let pass: {1e6 / slowest:,.0f} rounds/s, wanted: {WANTED:,}"
    )
    bets = ", ".join(f"{placing(people):.1f} µs with {people:,}" for people in CROWDS)
    console.print(f"a bet by the number of people at the table: {bets}")
    console.print(f"the fixed piece of plain Python: {median(plain_python, chunk=100):.1f} µs")


if __name__ == "__main__":
    main(words(sys.argv[1:], __doc__, GAMES))
