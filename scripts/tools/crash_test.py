"""Kills a process that writes to a store, at random moments under load, over and over, and looks what is left.

The writer plays several tables at once. Through a pipe it says which command it is about to give, and what came of it
as soon as that was acknowledged. After each kill everything in the store is checked against that: 0 acknowledged events
lost, 0 effects doubled, money conserved, every log verifies. The next writer brings the tables back, gives the commands
that were in flight again under their ids, and plays on. Some take over as another process would; for the others the
rounds in progress were interrupted, which their logs must say, once, and the staff have to rule on where the book does
not. What was in flight before that may be refused from then on, and must have left no trace.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec
import psycopg
from tests.store.build import KEY, NOW, Player, log_of
from tests.store.server import PostgresServer

from puntobanco.store import Answer, Keeper, Posting, Store, verify_log
from puntobanco.store.base import account_moves
from puntobanco.store.chain import FIRST, encode, hash_of, read_line
from puntobanco.store.logs import open_store
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.events import Record
from puntobanco.table.refusals import Refusal

TABLES = 4
GAMES = ("tiger-buffalo", "super-six")
"""One whose book says what an interruption leads to, and one whose book does not."""
PEOPLE = 3
STAFF = ("eva", "art")
A_LIFE = 1_000_000
"""Milliseconds between the births of two writers by the tables' clocks."""
TAKEOVERS = 0.5
"""The share of writers that take over without an interruption."""
ANEW = 20
"""Kills after which an empty store is taken, so that the checks do not become longer and longer."""
LONGEST = 0.25
"""Seconds of load at most before a kill."""
STARTS_WITHIN = 60.0
EVERY = 10.0
"""Seconds between two lines of progress."""


class Try(msgspec.Struct, tag="try"):
    """The writer is about to give a command."""

    table: str
    command: Command


class Ack(msgspec.Struct, tag="ack"):
    """The writer was told that a command was carried out."""

    table: str
    id: str
    first: int
    last: int
    digest: str


class Refused(msgspec.Struct, tag="refused"):
    """A command in flight was refused after an interruption."""

    table: str
    id: str


class Failed(msgspec.Struct, tag="failed"):
    """The writer found something wrong by itself."""

    text: str


Said = Try | Ack | Refused
_said = msgspec.json.Decoder(Said | Failed)


def life_of(at: int) -> int:
    """Whose time that is, by the number of the life."""
    return (at - NOW) // A_LIFE


def digest(records: Sequence[Record]) -> str:
    return hashlib.sha256(encode(tuple(records))).hexdigest()


# --- the writer


class Voice:
    """Where the writer says what it does; a line is one write, so that none is torn."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._lock = threading.Lock()

    def say(self, what: Said | Failed) -> None:
        with self._lock:
            os.write(self._pipe, encode(what) + b"\n")


class Writer(Player):
    """Plays one table for as long as it lives, from wherever the last one left it."""

    def __init__(self, keeper: Keeper, name: str, life: int, voice: Voice) -> None:
        super().__init__(keeper, name, life, GAMES[int(name[1:]) % len(GAMES)])
        self.life = life
        self.voice = voice
        self.now += life * A_LIFE

    def do(self, body: AnyCommand, actor: str = HOUSE, command: str = "") -> Answer:
        self.number += 1
        self.now += 250
        return self.give(Command(command or f"{self.life}-{self.number}", actor, self.now, body))

    def give(self, command: Command) -> Answer:
        answer = self.try_to(command)
        assert isinstance(answer, Answer), (command, answer)
        return answer

    def try_to(self, command: Command) -> Answer | Refusal:
        self.voice.say(Try(self.name, command))
        answer = self.keeper.give(self.name, command)
        if isinstance(answer, Answer):
            records = answer.records
            self.voice.say(Ack(self.name, command.id, records[0].version, records[-1].version, digest(records)))
        return answer

    def run(self, in_flight: Sequence[Command], interrupted: int) -> None:
        for command in in_flight:
            if isinstance(answer := self.try_to(command), Refusal):
                assert life_of(command.at) < interrupted, (command, answer)
                self.voice.say(Refused(self.name, command.id))
        if self.keeper.table(self.name) is None:
            self.do(c.OpenTable(self.settings))
        for box in range(1, PEOPLE + 1):
            person = f"{self.name} {box}"
            if person not in self.people():
                self.keeper.store.post(Posting(person, person, "SGD", 50_000_00, self.now))
                self.do(c.Join(person, box), person)
                self.do(c.BuyIn(person, 5_000_00, "account"), person)
        for person in STAFF:
            if person not in self.people():
                self.do(c.SignOn(person, "assistant_director"))
        while True:
            self.step()

    def people(self) -> Container[str]:
        table = self.keeper.table(self.name)
        assert table is not None
        return table.people

    def step(self) -> None:
        """What comes next, after a ruling where one is waited for."""
        table = self.keeper.table(self.name)
        assert table is not None
        if table.proposals:
            self.do(c.Approve(min(table.proposals)), STAFF[1])
        elif table.incidents:
            self.do(c.Propose(r.PlayOn(), min(table.incidents), "cards and bets are all there"), STAFF[0])
        else:
            super().step()


def write(address: str, life: int, in_flight: Sequence[Try], interrupted: int, pipe: int) -> None:
    """The life of a writer: it ends by being killed. ``interrupted`` is the last one that did not take over."""
    voice = Voice(pipe)

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException:
            voice.say(Failed(traceback.format_exc()))

    def begin() -> None:
        keeper = Keeper(open_store(address), KEY)
        keeper.start(NOW + life * A_LIFE, takeover=interrupted < life)
        assert not keeper.faults, keeper.faults
        for number in range(TABLES):
            writer = Writer(keeper, f"T{number}", life, voice)
            again = [each.command for each in in_flight if each.table == writer.name]
            threading.Thread(target=guarded, args=(partial(writer.run, again, interrupted),), daemon=True).start()

    guarded(begin)
    threading.Event().wait()


# --- the killer


def live(address: str, life: int, in_flight: Sequence[Try], interrupted: int, chance: random.Random) -> list[Said]:
    """One life of a writer, from its start to its death; what it said."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            write(address, life, in_flight, interrupted, writing)
        finally:
            os._exit(1)
    os.close(writing)
    try:
        data = _listen(reading, STARTS_WITHIN, once=True)
        data += _listen(reading, chance.uniform(0, LONGEST), once=False)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    data += _listen(reading, STARTS_WITHIN, once=False)
    os.close(reading)
    said: list[Said] = []
    for each in map(_said.decode, data.splitlines()):
        if isinstance(each, Failed):
            raise AssertionError(each.text)
        said.append(each)
    return said


def _listen(pipe: int, seconds: float, *, once: bool) -> bytes:
    """What comes out of a pipe until it is closed or the time is over; ``once``: until something came."""
    until = time.monotonic() + seconds
    data = b""
    while (left := until - time.monotonic()) > 0 and select.select([pipe], [], [], left)[0]:
        read = os.read(pipe, 1 << 20)
        data += read
        if not read or once:
            break
    assert data or not once, "the writer does not come to life"
    return data


class Witness:
    """Everything that writers were told, to be compared with a store."""

    def __init__(self) -> None:
        self.acks: dict[tuple[str, str], Ack] = {}
        self.refused: set[tuple[str, str]] = set()
        self.in_flight: list[Try] = []
        self.given_again: set[tuple[str, str]] = set()
        self.takeovers: dict[int, bool] = {}
        """Which writers took over, by the number of their lives."""

    @property
    def interrupted(self) -> int:
        """The last life that began with an interruption: what was in flight before it may be refused after it."""
        return max((life for life, takeover in self.takeovers.items() if not takeover), default=0)

    def hear(self, said: Sequence[Said]) -> None:
        self.given_again |= {(each.table, each.command.id) for each in self.in_flight}
        waiting = {(each.table, each.command.id): each for each in self.in_flight}
        for each in said:
            if isinstance(each, Try):
                waiting[each.table, each.command.id] = each
            elif isinstance(each, Refused):
                del waiting[each.table, each.id]
                self.refused.add((each.table, each.id))
            else:
                waiting.pop((each.table, each.id), None)
                before = self.acks.setdefault((each.table, each.id), each)
                assert before == each, f"{each} was first answered with {before}"
        self.in_flight = list(waiting.values())

    def check(self, store: Store) -> Counter[str]:
        """Nothing lost, nothing doubled, no money gone, every log good."""
        money: Counter[str] = Counter()
        events = interruptions = 0
        for table in store.tables():
            records = _records(store, table)
            events += len(records)
            self._check_commands(table, records)
            interruptions += self._check_interruptions(table, records)
            money.update(account_moves(record.event for record in records))
            report = verify_log(log_of(Keeper(store, KEY), table), KEY.public)
            assert report.problem is None, f"table {table}: {report.problem}"
            assert report.events == len(records)
        with store.rows() as rows:
            for part, row in rows:
                if part == "postings":
                    money[row[1]] += row[3]
        assert {name: {"SGD": amount} for name, amount in (+money).items()} == store.accounts(), (
            "money was lost, or made"
        )
        return Counter(events=events, interruptions=interruptions)

    def _check_commands(self, table: str, records: Sequence[Record]) -> None:
        spans: dict[str, tuple[int, int]] = {}
        for record in records:
            first, last = spans.get(record.command, (record.version, record.version - 1))
            assert last == record.version - 1, f"command {record.command} at table {table} had an effect twice"
            spans[record.command] = (first, record.version)
        for command in spans:
            assert (table, command) not in self.refused, f"{command} was refused at table {table}, and is there"
        for (name, command), ack in self.acks.items():
            if name == table:
                assert spans.get(command) == (ack.first, ack.last), (
                    f"{ack} was acknowledged, and is {spans.get(command)}"
                )
                assert digest(records[ack.first - 1 : ack.last]) == ack.digest, f"{ack} is another one now"

    def _check_interruptions(self, table: str, records: Sequence[Record]) -> int:
        """Each writer that did not take over has said, before all else, that a round in progress was interrupted."""
        count = life = 0
        playing = waiting = sure = False
        for record in records:
            event = record.event
            reported = record.command == f"restart at {record.version - 1}"
            if (born := life_of(record.at)) > life:
                life = born
                if sure:
                    expected = playing and not waiting and not self.takeovers[life]
                    assert reported is expected, f"version {record.version} of {table}: {event}, life {life}"
            else:
                assert not reported, f"version {record.version} of {table} is no writer's first"
            assert reported is isinstance(event, e.PlayInterrupted), record
            count += reported
            if isinstance(event, e.PlayInterrupted):
                waiting = event.effect == "ruling"
            elif isinstance(event, e.RulingGiven | e.RoundCalled):
                waiting = False
            if isinstance(event, e.RoundCalled):
                playing = True
            elif isinstance(event, e.RoundSettled | e.RoundVoided):
                playing = False
            # of what was given again it is not known whose life it was carried out in
            sure = (table, record.command) not in self.given_again
        return count


def _records(store: Store, table: str) -> list[Record]:
    records: list[Record] = []
    head = FIRST
    for raw in store.load(table):
        line = read_line(raw)
        assert line.prev == head
        head = hash_of(raw)
        records += line.records
    return records


@contextmanager
def addresses(kind: str) -> Iterator[Callable[[], str]]:
    """Makes addresses of new, empty stores."""
    if kind == "postgres":
        with PostgresServer() as server:
            yield server.schema
        return
    folder = Path(tempfile.mkdtemp(prefix="pb-crash-"))
    try:
        yield lambda: tempfile.mkdtemp(dir=folder) + "/record.db"
    finally:
        shutil.rmtree(folder)


def _wait_for_the_server(address: str) -> None:
    """A server carries out what it was sent before the writer died: what is looked at must not change meanwhile."""
    if not address.startswith("postgresql:"):
        return
    until = time.monotonic() + STARTS_WITHIN
    others = "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
    with psycopg.connect(address, autocommit=True) as connection:
        while connection.execute(others).fetchone() != (0,):
            assert time.monotonic() < until, "the server still serves a writer that is dead"
            time.sleep(0.001)


def crash(kind: str, kills: int, seed: int) -> None:
    """So many lives and deaths of writers. Raises AssertionError at the first thing that does not hold."""
    chance = random.Random(seed)
    acked = events = again = interruptions = 0
    begun = shown = time.monotonic()
    with addresses(kind) as new:
        address, witness, before = "", Witness(), Counter[str]()
        for life in range(1, kills + 1):
            if life % ANEW == 1:
                address, witness, before = new(), Witness(), Counter()
                open_store(address).close()
            again += len(witness.in_flight)
            takeover = chance.random() < TAKEOVERS
            witness.takeovers[life] = takeover
            said = live(address, life, witness.in_flight, witness.interrupted, chance)
            acked += sum(isinstance(each, Ack) for each in said)
            witness.hear(said)
            _wait_for_the_server(address)
            store = open_store(address, read_only=True)
            try:
                found = witness.check(store)
            finally:
                store.close()
            events += found["events"] - before["events"]
            interruptions += found["interruptions"] - before["interruptions"]
            before = found
            if life == kills or time.monotonic() > shown + EVERY:
                shown = time.monotonic()
                counts = f"{acked:,} commands acknowledged, {events:,} events, {again:,} in flight given again"
                counts += f", {interruptions:,} interruptions"
                good = "0 lost, 0 doubled, money conserved, every chain verifies"
                print(f"{kind}: {life:,} kills in {shown - begun:.0f} s: {counts}; {good}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/crash-test", description=__doc__)
    parser.add_argument("--store", choices=["sqlite", "postgres"], action="append", help="which store (both)")
    parser.add_argument("--kills", type=int, default=10_000, help="how often to kill, for each store (10,000)")
    parser.add_argument("--seed", type=int, default=None, help="for the moments of the kills; else by the clock")
    options = parser.parse_args(arguments)
    seed = int(time.time()) if options.seed is None else options.seed
    for kind in options.store or ("sqlite", "postgres"):
        try:
            crash(kind, options.kills, seed)
        except AssertionError:
            traceback.print_exc()
            print(f"{kind} failed; seed {seed}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
