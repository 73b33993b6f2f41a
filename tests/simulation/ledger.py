"""What was told, what was promised, and what must hold of it: checked while a floor is simulated.

The ledger believes nobody. It keeps every record that a process has told, every command and posting that was
acknowledged, and holds the record in the store against them: after each start, now and then, and at the end.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from puntobanco.floor.floor import Floor
from puntobanco.floor.office import LOG
from puntobanco.floor.wire import Changed, Events, FromServer, ViewIs
from puntobanco.store.accounts_check import Posted
from puntobanco.store.base import is_table
from puntobanco.store.chain import FIRST, hash_of, read_checkpoint, read_line
from puntobanco.store.held import dealt
from puntobanco.store.witness import Ends, Witness
from puntobanco.table import events as e
from puntobanco.table.events import Record
from puntobanco.table.state import Table
from puntobanco.views import View, Viewer
from puntobanco.views import view as made

KEPT = 400
"""Tables as they were that are kept, for views that come late."""
WHOLE = 25
"""One in so many views is held against one made anew from the table, without what was made before it."""
ACCOUNT = "account:"
SECRET = ("account:", "chips:", "held:", "owed:", "layout:")
"""Accounts of people, which no other player is shown."""


def tag(event: Any) -> str:
    return str(event.__struct_config__.tag)


class _Reading:
    """What follows from a table's log, reckoned again from its events alone."""

    def __init__(self) -> None:
        self.version = 0
        self.head = FIRST
        self.at = 0
        self.commands: dict[str, tuple[int, int]] = {}
        self.kinds: dict[str, tuple[str, ...]] = {}
        """The kinds of events that each command led to."""
        self.balances: Counter[str] = Counter()
        self.betting = False
        self.until = 0
        self.electronic = False
        self.decks = 0
        self.out: list[str] = []
        """Cards that the electronic shoe has given and not got back, in order."""


class Ledger:
    """``broken`` is called with the first thing that does not hold, and everything after it."""

    def __init__(self, broken: Callable[[str], None], noted: Callable[[str], None]) -> None:
        self._broken, self._noted = broken, noted
        self.records: dict[str, list[Record]] = defaultdict(list)
        self.latest: dict[str, Table] = {}
        self._as_it_was: dict[str, dict[int, Table]] = defaultdict(dict)
        self.acknowledged: dict[tuple[str, str], int] = {}
        """The version that each command was said to have led to, by table and id."""
        self.posted: dict[str, tuple[str, int]] = {}
        """Postings that were said to be done, by id: account and amount."""
        self.events: Counter[str] = Counter()
        self.signed: dict[str, set[int]] = defaultdict(set)
        """Versions of checkpoints whose commands were acknowledged."""
        self.read: dict[str, _Reading] = defaultdict(_Reading)
        self.told: Callable[[Sequence[str]], None] = lambda kinds: None
        """Called with the kinds of events that have just happened."""
        self.dealt: dict[str, int] = {}
        """The latest version of each table that was told while cards lay on it."""
        self.rounds = 0
        self.checks: Counter[str] = Counter()

    # --- what is told

    def follow(self, name: str) -> _Follower:
        return _Follower(self, name)

    def happened(self, name: str, table: Table, records: Sequence[Record]) -> None:
        known = self.records[name]
        told = len(known)
        for record in records:
            if record.version <= len(known):
                if known[record.version - 1] != record:
                    self._broken(f"table {name} told {record.version} twice: {known[record.version - 1]} and {record}")
            elif record.version == len(known) + 1:
                known.append(record)
                self.events[tag(record.event)] += 1
                self.rounds += isinstance(record.event, e.RoundEnded)
                self._noted(f"{name} {record.version} {tag(record.event)}")
            else:
                self._broken(f"table {name} told {record.version} after {len(known)}")
        if fresh := [tag(record.event) for record in records if record.version > told]:
            self.told(fresh)
        last = records[-1].version
        if dealt(table):
            self.dealt[name] = max(last, self.dealt.get(name, 0))
        before = self._as_it_was[name].get(last)
        if before is not None and before != table:
            self._broken(f"table {name} at {last} is another than it was")
        self._as_it_was[name][last] = table
        while len(self._as_it_was[name]) > KEPT:
            del self._as_it_was[name][next(iter(self._as_it_was[name]))]
        if name not in self.latest or self.latest[name].version <= last:
            self.latest[name] = table

    # --- what is shown

    def shown(self, person: str, role: str, message: FromServer, raw: str) -> None:
        """A message has reached a client."""
        match message:
            case Events(table=name, events=events):
                for event in events:
                    self._check_event(person, role, name, event)
            case ViewIs() | Changed():
                pass  # judged as a whole, see viewed()
            case _:
                return
        self.checks["messages looked at"] += 1
        if role in ("player", "display"):
            self._check_secrets(person, raw)

    def _check_secrets(self, person: str, raw: str) -> None:
        for kind in SECRET:
            first = raw.find(f'"{kind}')
            while first >= 0:
                end = raw.find('"', first + 1)
                of = raw[first + 1 + len(kind) : end]
                if of != person:
                    self._broken(f"{person} was shown {raw[first:end]} in {raw[:400]}")
                    return
                first = raw.find(f'"{kind}', end)

    def _check_event(self, person: str, role: str, name: str, event: Any) -> None:
        known = self.records[name]
        if not 0 < event.version <= len(known):
            self._broken(f"{person} was shown {event.version} of table {name}, which ends at {len(known)}")
            return
        record = known[event.version - 1]
        if event.at != record.at:
            self._broken(f"{person} was shown another {event.version} of table {name}: {event}, not {record}")
        if event.event is None:
            return
        if tag(record.event) != _tag_of(event.event):
            self._broken(f"{person} was shown {event.event} of table {name} at {event.version}, not {record.event}")
        card = getattr(event.event, "card", msgspec.UNSET)
        if isinstance(record.event, e.CardDrawn) and card not in (msgspec.UNSET, None):
            self._broken(f"{person} was shown a card that lies face down: {event} of table {name}")

    def viewed(self, person: str, role: str, name: str, view: View) -> None:
        """A client has a view, put together from a whole one and all that has changed since."""
        self.checks["views judged"] += 1
        table = self._as_it_was[name].get(view.version)
        if table is None:
            if view.version > len(self.records[name]):
                self._broken(
                    f"{person} was shown table {name} at {view.version}, which ends at {len(self.records[name])}"
                )
            return
        told = f"{person} ({role}) was shown, at table {name} {view.version},"
        for wrong in self._wrong_in(table, person, role, view):
            self._broken(f"{told} {wrong}")
        if self.checks["views judged"] % WHOLE == 0:
            kind: Any = role if role in ("player", "dealer", "pit", "surveillance") else "display"
            whole = made(table, Viewer(kind, "" if kind == "display" else person), view.now)
            if whole != view:
                parts = [part for part in view.__struct_fields__ if getattr(whole, part) != getattr(view, part)]
                self._broken(f"{told} another {' and '.join(parts)} than is to be seen there")
            self.checks["views made again"] += 1

    def _wrong_in(self, table: Table, person: str, role: str, view: View) -> Iterator[str]:
        """Cards that lie face down, what is another's, and amounts that are not the table's."""
        seen = view.public
        for current, shown in ((table.round, seen.round), (table.last, seen.last)):
            if current is None or shown is None:
                continue
            cards = [each.card for each in shown.cards]
            lie_open = [drawn.card if drawn.turned else None for drawn in current.cards]
            if cards != lie_open:
                yield f"{cards}, where {lie_open} lie open"
        if role not in ("pit", "surveillance") and view.books is not None:
            yield "the table's books"
        if view.books is not None and view.books.tray != table.balances.get("tray", 0):
            yield f"{view.books.tray} in the tray, where {table.balances.get('tray', 0)} lie"
        if role not in ("player", "display", "admin"):
            return
        if view.felt is not None or view.matters is not None:
            yield "what only staff may see"
        if (own := view.own) is not None:
            if own.person != person:
                yield f"what is {own.person}'s"
            if own.stack != table.stack(person):
                yield f"a stack of {own.stack}, where {table.stack(person)} lie"
        raw = msgspec.json.encode(view)
        for other in table.people:
            if other != person and f'"{other}"'.encode() in raw:
                yield f"the name of {other}"

    # --- what was promised

    def done(self, table: str, command: str, version: int) -> None:
        before = self.acknowledged.setdefault((table, command), version)
        if before != version:
            self._broken(f"command {command} at table {table} was answered with {before} and with {version}")

    # --- what is there

    def check(self, floor: Floor, *, whole: bool = False, witnesses: Sequence[Path] = ()) -> None:
        """The store holds all that was told and promised, once, and nothing that must not be."""
        self.checks["looks at the whole record"] += 1
        store = floor.store
        tables = store.tables()
        for name, records in self.records.items():
            if tables.get(name, 0) < len(records):
                self._broken(f"table {name} was told as far as {len(records)}, and ends at {tables.get(name, 0)}")
        for name in filter(is_table, tables):
            self._read_on(floor, name)
        for (name, command), version in self.acknowledged.items():
            found = self.read[name].commands.get(command)
            if found is None or found[1] != version:
                told = f"command {command} at table {name} was acknowledged with {version}"
                self._broken(f"{told}, and the record has {found}")
        self._check_money(floor)
        if witnesses:
            self._check_witness(floor, witnesses)
        if whole:
            found_by_audit = floor.audit_all()
            if found_by_audit:
                self._broken(f"the audit found: {found_by_audit[0]}")

    def _read_on(self, floor: Floor, name: str) -> None:
        reading, known = self.read[name], self.records[name]
        for last, raw in floor.store.entries(name, reading.version):
            line = read_line(raw)
            if line.prev != reading.head or line.version != reading.version + 1:
                self._broken(f"the chain of table {name} is broken after {reading.version}")
            command = line.command
            if command.id in reading.commands:
                self._broken(
                    f"command {command.id} had its effect twice at table {name}: {reading.commands[command.id]}"
                )
            if command.at < reading.at:
                self._broken(f"the time went back at table {name}: {command.at} after {reading.at}, version {last}")
            reading.at = command.at
            reading.commands[command.id] = (line.version, last)
            reading.kinds[command.id] = tuple(tag(event) for event in line.events)
            for version, event in enumerate(line.events, line.version):
                if version <= len(known) and known[version - 1].event != event:
                    told = known[version - 1].event
                    self._broken(f"table {name} told {told} at {version}, and the record has {event}")
                self._reckon(name, reading, command, event)
            reading.version, reading.head = last, hash_of(raw)
        if sum(reading.balances.values()):
            self._broken(f"the money at table {name} adds up to {sum(reading.balances.values())}")

    def _reckon(self, name: str, reading: _Reading, command: Any, event: Any) -> None:
        for transfer in getattr(event, "transfers", ()):
            reading.balances[transfer.source] -= transfer.amount
            reading.balances[transfer.target] += transfer.amount
            if transfer.source.startswith(("chips:", "layout:", "held:")) and reading.balances[transfer.source] < 0:
                self._broken(f"{transfer.source} at table {name} has less than nothing after {event}")
        match event:
            case e.TableOpened(settings=settings):
                reading.electronic, reading.decks = settings.electronic, settings.decks
            case e.RoundCalled(until=until):
                reading.betting, reading.until = True, until
            case e.FreeHandCalled() | e.BetsClosed() | e.RoundVoided() | e.RoundEnded():
                reading.betting = False
            case e.PlayInterrupted(effect="bets_again", until=until):
                reading.betting, reading.until = True, until
            case e.WagersPlaced():
                late = reading.electronic and command.at > reading.until
                if not reading.betting or late:
                    self._broken(f"a bet after the close at table {name}: {event} at {command.at}, {reading.until}")
            case e.ShoeStarted():
                reading.out.clear()
            case e.CardsReturned(cards=count):
                del reading.out[:count]  # what waits for the next round came last
            case e.CardsRetrieved(cards=count):
                del reading.out[max(0, len(reading.out) - count) :]
            case e.CardDrawn(card=card) if card is not None and reading.electronic:
                self._card(name, reading, card)
            case e.CardsDealt(cards=cards) if reading.electronic:
                for card in cards:
                    self._card(name, reading, card)

    def _card(self, name: str, reading: _Reading, card: Any) -> None:
        reading.out.append(str(card))
        copies = reading.out.count(str(card))
        if copies > reading.decks:
            self._broken(f"{card} came {copies} times from {reading.decks} decks at table {name}")

    def _check_money(self, floor: Floor) -> None:
        """What is on accounts is what came from outside and what tables gave and took."""
        expected: Counter[str] = Counter()
        seen: set[str] = set()
        before = 0
        for raw in floor.store.load(LOG):
            line = msgspec.json.decode(raw)
            if line["at"] < before:
                self._broken(f"the time went back in the floor's log: {line['at']} after {before}")
            before, posting = line["at"], line["entry"].get("posting")
            if posting is not None:
                posting = msgspec.convert(posting, Posted)
                if posting.id in seen:
                    self._broken(f"posting {posting.id} stands twice in the floor's log")
                seen.add(posting.id)
                expected[posting.account] += posting.amount
        for id in self.posted:
            if id not in seen:
                self._broken(f"posting {id} was acknowledged, and the floor's log has no entry of it")
        for reading in self.read.values():
            for account, amount in reading.balances.items():
                if account.startswith(ACCOUNT):
                    expected[account.removeprefix(ACCOUNT)] += amount
        for account, balances in floor.store.accounts().items():
            if sum(balances.values()) != expected[account]:
                self._broken(f"account {account} holds {balances}, and {expected[account]} came to it")

    def _check_witness(self, floor: Floor, witnesses: Sequence[Path]) -> None:
        """Nobody was told of a round before the witness had its checkpoint."""
        if any(each.reason.startswith("the witness file") for each in floor.host.keeper.faults.values()):
            return
        seen: dict[str, dict[int, str]] = defaultdict(dict)
        ends: Counter[str] = Counter()
        for file in witnesses:
            for name, end in Ends(file.with_name("witness-ends.jsonl")).seen().items():
                ends[name] = max(end.version, ends[name])
            for name, versions in Witness(file).seen().items():
                seen[name] |= versions
        for name in self.read:
            told = len(self.records[name])
            if self.dealt.get(name, 0) > max(ends[name], *seen.get(name, ()), 0):
                self._broken(f"table {name} was told at {self.dealt[name]} with cards on it, and nothing witnesses it")
                return
            for beside in floor.store.beside(name):
                if beside.kind != "checkpoint" or beside.version > told:
                    continue
                found = seen.get(name, {}).get(beside.version)
                if found != hash_of(beside.line):
                    at = read_checkpoint(beside.line).checkpoint.version
                    self._broken(f"the witness has no checkpoint of table {name} at {at}, which was told")
                    return

    def digest(self) -> str:
        """Of everything that was told."""
        found = hashlib.sha256()
        for name, records in sorted(self.records.items()):
            found.update(f"{name} {len(records)} ".encode() + msgspec.json.encode(records[-1:]))
        return found.hexdigest()


class _Follower:
    """A watcher of a mailbox."""

    def __init__(self, ledger: Ledger, name: str) -> None:
        self._ledger, self._name = ledger, name

    def happened(self, table: Table, records: Sequence[Record]) -> None:
        self._ledger.happened(self._name, table, records)


def _tag_of(event: Any) -> str:
    return str(type(event).__struct_config__.tag)


def kinds_in(frames: Iterable[Any]) -> set[str]:
    """The kinds of events that frames to clients tell of."""
    found: set[str] = set()
    for frame in frames:
        if isinstance(frame, str) and '"m":"events"' in frame:
            for event in msgspec.json.decode(frame)["events"]:
                if event.get("event"):
                    found.add(event["event"]["event"])
    return found
