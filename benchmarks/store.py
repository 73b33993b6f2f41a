"""How fast the record is: ``scripts/benchmark store [EVENTS]``.

Bringing back a table with a million events, verifying its log, and appending with 1, 10 and 100 tables at once on
SQLite and PostgreSQL, both on this machine's disk. Beside the absolute figures there are ratios to a baseline of the
same run: plain decoding for what reads, a bare write with fsync of the same bytes for what waits for the disk. What is
read takes the processor's time, which others on the machine do not change.
"""

from __future__ import annotations

import gc
import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from benchmarks.rounds import Play
from rich.console import Console
from rich.table import Table as Grid
from scripts.tools.arguments import counts
from tests.store.server import PostgresServer

from puntobanco.store import Append, Keeper, PrivateKey, Store, export, verify_log
from puntobanco.store.base import Beside
from puntobanco.store.chain import FIRST, Checkpoints, Line, hash_of, seal
from puntobanco.store.logs import open_store
from puntobanco.table.commands import HOUSE, AnyCommand, Call, Command, OpenTable
from puntobanco.table.engine import Done, execute
from puntobanco.table.entry import Entry, make_entry
from puntobanco.table.events import Event

EVENTS = 1_000_000
SECONDS = 4.0
"""For how long each kind of append is measured."""
A_ROUND = 14
"""Events that an append in the benchmark has: those of a round."""
KEY = PrivateKey.generate()
NOW = 1_800_000_000_000


class Recorded(Play):
    """A table that keeps its log."""

    def __init__(self, game: str) -> None:
        self.entries: list[Entry] = []
        super().__init__(game)
        opening = Command("c0", HOUSE, NOW, OpenTable(self.table.settings))
        done = execute(None, opening)
        assert isinstance(done, Done), done
        self.entries.insert(0, make_entry(None, opening, done.events))

    def do(self, body: AnyCommand, actor: str = HOUSE) -> tuple[Event, ...]:
        version = self.table.version
        command = Command(f"c{version}", actor, NOW + version, body)
        done = execute(self.table, command)
        assert isinstance(done, Done), (body, done)
        self.entries.append(make_entry(self.table, command, done.events))
        self.table = done.table
        return done.events


def entries(count: int) -> Iterator[Entry]:
    """The log of a table, with so many events at least."""
    play = Recorded("tiger-buffalo")
    while True:
        yield from play.entries
        if play.table.version >= count:
            return
        play.entries = []
        play.round()


def fill(store: Store, count: int) -> tuple[int, int]:
    """A table with so many events, sealed and signed; how many commands and events there are."""
    head, checkpoints, pending = FIRST, Checkpoints("tiger-buffalo"), []
    commands = events = 0
    for entry in entries(count):
        line = seal(entry, head)
        head = hash_of(line)
        signed = checkpoints.sign(entry, line, KEY)
        beside = (Beside(entry.last, "checkpoint", signed),) if signed is not None else ()
        pending.append(store.submit(Append("tiger-buffalo", events, entry.command.id, line, len(entry.events), beside)))
        commands, events = commands + 1, entry.last
        if len(pending) > 1000:
            for future in pending:
                future.result()
            pending = []
    for future in pending:
        future.result()
    return commands, events


def timed(work: Callable[[], object]) -> float:
    """Seconds of the processor."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


# --- reading


def reading(out: Console, count: int, folder: Path) -> None:
    address = str(folder / "record.db")
    store = open_store(address)
    commands, count = fill(store, count)
    store.close()
    store = open_store(address)
    lines = list(store.load("tiger-buffalo"))
    decode = msgspec.json.Decoder(Line).decode

    baseline = timed(lambda: deque(map(decode, lines), 0))
    lines.clear()
    back = timed(lambda: Keeper(store, KEY).table("tiger-buffalo"))
    log = b"".join(export(store, "tiger-buffalo"))
    store.close()
    gc.disable()
    reports = []
    verified = timed(lambda: reports.append(verify_log(log, KEY.public)))
    gc.enable()
    assert reports[0].problem is None
    grid = Grid(title=f"A table with {count:,} events of {commands:,} commands ({len(log) / 1e6:,.0f} MB), one core")
    for heading in ("", "seconds", "events/s", "× bare decoding", "wanted"):
        grid.add_column(heading, justify="left" if not heading else "right")
    grid.add_row("decoding alone", f"{baseline:.2f}", f"{count / baseline:,.0f}", "1.0", "")
    grid.add_row(
        *("back from SQLite: read, hash, decode, fold", f"{back:.2f}", f"{count / back:,.0f}"),
        *(f"{back / baseline:.1f}", f"{10 * count / EVENTS:.1f} s"),
    )
    grid.add_row(
        *(
            "verify: execute again, chain, signatures, literal, ledger",
            f"{verified:.2f}",
            f"{count / verified:,.0f}",
        ),
        *(f"{verified / baseline:.1f}", "50,000/s"),
    )
    out.print(grid)


# --- appending


def bare_sync(folder: Path, size: int) -> float:
    """Milliseconds of a bare write with fsync of so many bytes, the median."""
    times = []
    with (folder / "bare").open("wb", buffering=0) as file:
        data = os.urandom(size)
        until = time.monotonic() + 1
        while time.monotonic() < until:
            begun = time.perf_counter()
            file.write(data)
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - begun)
    return statistics.median(times) * 1000


def appending(store: Store, tables: int) -> list[float]:
    """Seconds that each append took, from many threads at once, one for each table."""
    times: list[list[float]] = [[] for _ in range(tables)]
    sample = [event for entry in entries(A_ROUND) for event in entry.events][:A_ROUND]
    until = time.monotonic() + SECONDS

    def write(number: int) -> None:
        table, version, head = f"{tables}-{number}", 0, FIRST
        while time.monotonic() < until:
            command = Command(f"c{version}", HOUSE, 0, Call())
            line = seal(Entry(version + 1, command, HOUSE, tuple(sample)), head)
            head = hash_of(line)
            begun = time.perf_counter()
            store.append(Append(table, version, command.id, line, A_ROUND))
            times[number].append(time.perf_counter() - begun)
            version += A_ROUND

    threads = [threading.Thread(target=write, args=(number,)) for number in range(tables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [each for many in times for each in many]


@contextmanager
def stores(folder: Path) -> Iterator[list[tuple[str, Store]]]:
    with PostgresServer(on_disk=True) as server:
        opened = [("SQLite", open_store(str(folder / "append.db"))), ("PostgreSQL", open_store(server.schema()))]
        yield opened
        for _, store in opened:
            store.close()


def writing(out: Console, folder: Path) -> None:
    grid = Grid(title=f"Appending, {A_ROUND} events at a time, durable before it returns")
    for heading in ("store", "tables", "appends/s", "events/s", "p50", "p99", "p50 × bare fsync"):
        grid.add_column(heading, justify="left" if heading == "store" else "right")
    sync = bare_sync(folder, A_ROUND * 330)
    with stores(folder) as opened:
        for name, store in opened:
            for tables in (1, 10, 100):
                times = appending(store, tables)
                rate = len(times) / SECONDS
                cuts = statistics.quantiles(times, n=100)
                p50, p99 = cuts[49] * 1000, cuts[98] * 1000
                grid.add_row(
                    *(name, str(tables), f"{rate:,.0f}", f"{rate * A_ROUND:,.0f}"),
                    *(f"{p50:.1f} ms", f"{p99:.1f} ms", f"{p50 / sync:.1f}"),
                )
    out.print(grid)
    out.print(f"a bare write of the same bytes with fdatasync: {sync:.2f} ms")


def main(arguments: Sequence[int]) -> None:
    out = Console()
    folder = Path(tempfile.mkdtemp(prefix="pb-bench-"))
    try:
        reading(out, arguments[0] if arguments else EVENTS, folder)
        writing(out, folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(counts(sys.argv[1:], __doc__, 1))
