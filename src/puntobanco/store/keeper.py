"""The keeper of tables: holds each as the fold of its log, and writes what happens before anyone hears of it.

A command goes through ``execute``, is sealed with its events into a line and appended with whatever they move on
players' accounts; only then is the table replaced and the answer given. A command that was carried out before is
answered with what it led to then. A table that is out of order answers nothing but a refusal, also after a restart.

Electronic tables get their cards here as well, by :meth:`Keeper.deal`, and their shoes are revealed with their end.

Several processes may keep the same tables: each reads on where another has written, and hears of faults that another
has set. Logs whose names begin with ``@`` are not tables, and are left alone.
"""

from __future__ import annotations

import errno
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import wait
from functools import partial
from itertools import takewhile
from typing import Protocol, TypeVar

import msgspec

from puntobanco.currencies import digits_of
from puntobanco.rules.library import OURS, Library
from puntobanco.script.log import LogError, next_table, other_engine
from puntobanco.shoes.commit import CommitmentError, Reveal
from puntobanco.shoes.dealer import DealerError, ShoeCommand
from puntobanco.shoes.history import ShoeHistory
from puntobanco.shoes.vault import VaultError
from puntobanco.store.base import (
    ANYTHING,
    DAY,
    EVERYWHERE,
    FAULTS,
    Append,
    BadNameError,
    Beside,
    ConflictError,
    Fault,
    OverdrawnError,
    RepeatedError,
    Store,
    StoreError,
    account_moves,
    is_table,
    outside,
)
from puntobanco.store.chain import (
    LineError,
    RevealLine,
    encode,
    hash_of,
    read_checkpoint,
    read_line,
    seal,
)
from puntobanco.store.held import Held, Step, covered, dealt
from puntobanco.store.keys import PrivateKey
from puntobanco.store.logs import export, lines_of
from puntobanco.store.manifest import Manifest, ManifestError, changed_settings, mismatches
from puntobanco.store.witness import End, Ends, Seen, Witness
from puntobanco.table.cases.incidents import is_open
from puntobanco.table.commands import HOUSE, Command, OpenTable, ReportInterruption
from puntobanco.table.engine import execute
from puntobanco.table.entry import Entry, make_entry
from puntobanco.table.events import Record
from puntobanco.table.refusals import Refusal
from puntobanco.table.state import PAYING, Table

SELF_CHECK = "the self-check found"
"""How the reasons of its faults begin."""
INTERRUPTED = "the system was restarted"
"""What an electronic table's log says of a restart."""
LACKING = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})
"""What passes by itself when others let go."""
MOST_UNSHOWN = 1_000
NOTHING = Seen({})
T = TypeVar("T")
ATTEMPTS = 20
"""How often a command is decided anew where another process keeps writing to the same table."""
TAIL = 1_000
"""Entries of each table that stay in memory, for clients that have missed some."""


class Shoes(Protocol):
    """Where electronic tables get their cards: :class:`puntobanco.shoes.dealer.ElectronicShoe`."""

    def next_command(self, table: Table, shoe: ShoeHistory | None) -> ShoeCommand | None:
        """What the shoe has to do now, if anything."""

    def reveal(self, table: Table) -> Reveal | None:
        """The order of the table's committed shoe, which is over, or on which the table has just closed."""


class Answer(msgspec.Struct, frozen=True):
    """A command that was carried out: what it led to, now or when it was first given."""

    table: Table
    entry: Entry
    repeated: bool = False

    @property
    def records(self) -> tuple[Record, ...]:
        """The events that the command led to."""
        return self.entry.records


class DamagedError(StoreError):
    """A log in the store that is not as it was written."""


class _ShoeError(Exception):
    """The electronic shoe cannot go on; the message names no card that is still to come."""


_SHOE_ERRORS = (DealerError, VaultError, CommitmentError)


class Keeper:
    """Keeps tables in a store. Threads may give commands to different tables at the same time."""

    def __init__(
        self,
        store: Store,
        key: PrivateKey,
        *,
        books: Library = OURS,
        manifest: Manifest | Callable[[], Manifest] | None = None,
        witness: Witness | None = None,
        ends: Ends | None = None,
        shoes: Shoes | None = None,
        tail: int = TAIL,
    ) -> None:
        self.store = store
        self._key = key
        self._tail = tail
        self.books = books
        self._read_manifest = (lambda: manifest) if isinstance(manifest, Manifest) else manifest
        self._manifest: Manifest | None = manifest if isinstance(manifest, Manifest) else None
        self._witness = witness
        self._ends = ends
        self._shoes = shoes
        self._unshown: tuple[bytes, ...] = ()
        """Checkpoints that the witness could not be shown for want of files or memory."""
        self._held: dict[str, Held] = {}
        self._guard = threading.Lock()
        self._reading = threading.Lock()
        self._faults = store.faults()
        self._checked: int | None = None
        self._listens = self._started = False
        self.refusing = ""
        """Why this keeper refuses all commands, though others may take them: its settings are not the approved ones."""
        self.house: Mapping[str, str] | None = None
        """The settings of the server of the tables, if they are to be compared with the manifest's."""
        self.dropped: Callable[[], Set[str]] = frozenset
        """The tables whose logs were kept long enough and are gone."""
        self.announce: Callable[[Fault], None] = lambda fault: None
        """Called with each fault that this keeper has set, once it is durable."""
        self.announce_refusing: Callable[[str], None] = lambda why: None
        """Called when this keeper begins to refuse all commands, and with nothing when it ends."""

    def start(self, now: int, *, takeover: bool = False) -> dict[str, Table]:
        """Check the installation and bring every table back; those whose log is damaged are out of order.

        Electronic tables with a round in progress were interrupted, and their logs say so and what follows; with
        ``takeover`` another process goes on without an interruption. At live tables the staff say what happened.
        From now on faults that other processes set and clear are heard of.
        """
        if not self._listens:
            self._listens = True
            self.store.listen(self._hear, own=False)
            self._read_faults()
        tables: dict[str, Table] = {}
        seen = self._seen(now)
        for name in filter(is_table, self.store.tables()):
            try:
                table = self.table(name)
            except DamagedError as error:
                self.set_fault(name, now, str(error))
                continue
            if table is not None:
                self._catch_witness_up(name, seen.get(name, NOTHING), now)
                tables[name] = table
        for name, told in self._missing(seen).items():
            self.set_fault(name, now, told)
        self._started = True
        self.self_check(now)
        return tables if takeover else {name: self._interrupted(table, now) for name, table in tables.items()}

    def _interrupted(self, table: Table, now: int) -> Table:
        """Reading X: the bets stand and their time starts again, or with cards out play goes on, or waits."""
        if not table.settings.electronic or not table.open or table.round is None or table.phase is PAYING:
            return table
        if is_open(table, "interruption"):
            return table  # it waits for a ruling since the last time
        # two processes that start at the same moment report the same interruption
        command = Command(f"restart at {table.version}", HOUSE, now, ReportInterruption(INTERRUPTED))
        answer = self.give(table.settings.table, command)
        return answer.table if isinstance(answer, Answer) else table

    def table(self, name: str) -> Table | None:
        """The table as its last event left it; None where it never opened."""
        if not is_table(name):
            return None
        held = self._hold(name)
        with held.lock:
            if not held.read:
                self._catch_up(held)
            return held.table

    def refresh(self, name: str) -> Table | None:
        """The table as its log has it now, with what other processes have written; one look where nothing is new."""
        if not is_table(name):
            return None
        held = self._hold(name)
        with held.lock:
            version = self.store.version(name)
            if version < held.version:
                held.forget()  # the log was dropped
            if not held.read or version > held.version:
                self._catch_up(held)
            return held.table

    def entries(self, name: str, after: int, most: int | None = None) -> list[Entry]:
        """What happened after a version, as far as this keeper has read the log: :meth:`refresh` reads on.

        The first entry may hold events up to that version as well, and the last ones more than ``most``.
        """
        held, after = self._hold(name), max(after, 0)
        last, entries = held.tail.after(after)
        if not last:
            self.table(name)
            last, entries = held.tail.after(after)
        if after < last and (not entries or entries[0].version > after + 1):
            stored = takewhile(lambda entry: entry[0] <= last, self.store.entries(name, after))
            entries = []
            for version, line in stored:
                entries.append(read_line(line))
                if most is not None and version >= after + most:
                    break  # nobody reads a year for the sake of an hour
        return entries

    def records(self, name: str, after: int, most: int | None = None) -> list[Record]:
        """The events of these entries one by one, those after the version only, and no more than ``most``."""
        found = [record for entry in self.entries(name, after, most) for record in entry.records]
        first = max(after, 0) - found[0].version + 1 if found else 0
        return found[first:] if most is None else found[first : first + most]

    def export(self, name: str) -> Iterator[bytes]:
        """The table's log, line by line."""
        return export(self.store, name)

    def export_open(self, name: str) -> Iterator[bytes]:
        """The same for people in the house while play goes on: it ends before the first card that lies face down.

        A log that is damaged leaves as it is: its table is out of order.
        """
        try:
            self.refresh(name)
            until: int | None = self._hold(name).open_at
        except DamagedError:
            until = None
        return export(self.store, name, until)

    def receipt(self, name: str, version: int) -> bytes | None:
        """The checkpoint line that covers an event, for anybody concerned to keep; None until there is one."""
        beside = self.store.beside(name, version - 1)
        return next((each.line for each in beside if each.kind == "checkpoint"), None)

    # --- commands

    def give(self, name: str, command: Command) -> Answer | Refusal:
        """Carry a command out and answer when that is durable; a repeated one is answered as the first time.

        Raises :class:`UnavailableError` where it is not known whether it was: give it again, under the same id.
        """
        return self._when_ready(name, command.at, lambda held: self._give(held, command))

    def give_all(self, name: str, commands: Sequence[Command]) -> list[Answer | Refusal]:
        """Carry commands out one after the other, as :meth:`give` would, and wait for the disk about once for all."""
        answers: list[Answer | Refusal] = []
        while left := commands[len(answers) :]:
            found = self._when_ready(name, left[0].at, partial(self._give_some, commands=left))
            answers += found if isinstance(found, list) else [found]
        return answers

    def deal(self, name: str, command: str, now: int) -> Answer | Refusal | None:
        """Let the electronic shoe do what is due, under this id: a new shoe, a burn, cards; None if nothing is.

        The cards come from where the table's log stands when they are recorded. A refusal says nothing about them.
        """
        return self._when_ready(name, now, lambda held: self._deal(held, command, now))

    def _when_ready(self, name: str, now: int, act: Callable[[Held], T]) -> T | Refusal:
        """Do something at a table that is as its log has it; again where somebody else has written meanwhile."""
        if not is_table(name):
            return Refusal.of("bad_settings.name", table=name)
        self.daily(now)
        if refusal := self._out_of_order(name):
            return refusal
        held = self._hold(name)
        with held.lock:
            for _ in range(ATTEMPTS):
                try:
                    if not held.read:
                        self._catch_up(held)
                    found = act(held)
                    if isinstance(found, Answer | list) or self.store.version(name) == held.version:
                        return found
                    held.read = False  # what was refused may be right by what another process has written
                except RepeatedError as error:
                    held.commands[error.command] = error.first
                    held.read = False
                except ConflictError:
                    held.read = False
                except _ShoeError as error:
                    return Refusal.of("cards.shoe", problem=str(error))
                except DamagedError as error:
                    held.forget()
                    self.set_fault(name, now, str(error))
                    return self._out_of_order(name) or _refused(str(error))
                except StoreError:
                    # read on from here at the next occasion: it went back to what the record surely has
                    held.read = False
                    raise
            raise ConflictError(name, held.version, self.store.tables().get(name, 0))

    def _deal(self, held: Held, command: str, now: int) -> Answer | Refusal | None:
        if (first := held.commands.get(command)) is not None:
            return self._again(held, command, first)
        if held.table is None or self._shoes is None:
            return None
        try:
            body = self._shoes.next_command(held.table, held.shoe)
        except _SHOE_ERRORS as error:
            raise _ShoeError(held.lost or str(error)) from None
        if body is None:
            return None
        answer = self._give(held, Command(command, HOUSE, now, body))
        # its values may name a card that nobody has seen
        return Refusal(answer.code, "withheld") if isinstance(answer, Refusal) else answer

    def _give(self, held: Held, command: Command) -> Answer | Refusal:
        found = self._give_some(held, (command,))
        return found if isinstance(found, Refusal) else found[0]

    def _give_some(self, held: Held, commands: Sequence[Command]) -> list[Answer] | Refusal:
        """Carry out the first command, and those after it as long as nothing but the disk has to be asked."""
        steps: list[Step] = []
        for command in commands:
            if (first := held.commands.get(command.id)) is not None:
                if not steps:
                    return self._given_before(held, command, first)
                break
            try:
                step = self._step(held, command, steps[-1].entry.command.id if steps else "")
            except _ShoeError:
                if not steps:
                    raise
                break
            except Exception:
                held.forget()  # what is on its way may land or not
                raise
            if isinstance(step, Refusal):
                if not steps:
                    # it may have been carried out so long ago that only the store remembers
                    answered = self.store.answered(held.name, command.id)
                    return step if answered is None else self._given_before(held, command, answered[0])
                break
            steps.append(step)
        return self._landed(held, steps)

    def _step(self, held: Held, command: Command, follows: str) -> Step | Refusal:
        """Decide a command and send what it leads to on its way; the held table is then ahead of the log."""
        if refusal := self._unfit(held, command):
            return refusal
        if command.at < held.last_at:  # by the clock of a process that is behind another one's
            command = msgspec.structs.replace(command, at=held.last_at)
        done = execute(held.table, command, self.books)
        if isinstance(done, Refusal):
            return done
        if held.table is None and (refusal := _miscounted(done.table)):
            return refusal
        entry = make_entry(held.table, command, done.events)
        line = seal(entry, held.head)
        reveal = self._reveal(held.table, done.table)
        before = held.place
        signed = held.checkpoints.sign(entry, line, self._key)
        beside = [Beside(entry.last, "checkpoint", signed)] if signed is not None else []
        if reveal is not None:
            beside.append(Beside(entry.last, "reveal", reveal))
        append = Append(
            *(held.name, held.version, command.id, line, len(entry.events), tuple(beside)),
            moves=account_moves(entry.events),
            follows=follows,
            currency=done.table.settings.currency,
        )
        stored = self.store.submit(append)
        held.commands[command.id] = held.version + 1
        held.last_at = command.at
        held.table, held.head = done.table, hash_of(line)
        if not covered(done.table):
            held.open_at = done.table.version
        if self._follows(done.table):
            for event in done.events:
                held.follow(event)
        return Step(entry, before, done.table, held.head, signed, stored)

    def _landed(self, held: Held, steps: Sequence[Step]) -> list[Answer] | Refusal:
        """Wait until steps are stored; the held table goes back to before the first that is not."""
        answers: list[Answer] = []
        for place, step in enumerate(steps):
            problem = step.stored.exception()
            if problem is not None:
                wait([each.stored for each in steps])
                held.back_to(steps[place:])
                held.unheard |= {each.entry.last: each.signed for each in steps[place:] if each.signed is not None}
                if isinstance(problem, OverdrawnError | BadNameError):
                    return answers or self._not_stored(problem)  # after others it is judged once more, by itself
                if answers and isinstance(problem, ConflictError | RepeatedError):
                    held.read = False
                    return answers
                raise problem
            held.tail.add((step.entry,))
            answers.append(Answer(step.table, step.entry))
            if step.signed is not None:
                self._show((step.signed,), step.entry.command.at)
            elif dealt(step.table):
                self._show_end(held, step.table.version, step.head, step.entry.command.at)
        return answers

    def _not_stored(self, problem: OverdrawnError | BadNameError) -> Refusal:
        if isinstance(problem, BadNameError):
            return Refusal.of("bad_amount.name", problem=str(problem))
        account, currency, balance = problem.account, problem.currency, problem.balance
        if not balance and any(self.store.balances(account).values()):
            return Refusal.of("currency", account=account, currency=currency)
        return Refusal.of("funds.account", "", balance, account=account, amount=balance)

    def _show(self, signed: Sequence[bytes], now: int) -> None:
        """Let the witness see checkpoints. Without one nobody plays on; what was done so far is done."""
        if self._witness is None or not signed:
            return
        with self._guard:
            signed = (*self._unshown, *signed)
            self._unshown = ()
        try:
            self._witness.see_all(signed)
        except OSError as error:
            with self._guard:
                self._unshown = (*signed, *self._unshown)[-MOST_UNSHOWN:]  # with the next one, or once it is seen to
            if error.errno not in LACKING or len(signed) >= MOST_UNSHOWN:
                self.set_fault(EVERYWHERE, now, f"the witness file cannot be written: {error.strerror}")

    def show_again(self) -> None:
        """What the witness files could not be shown. Raises :class:`DamagedError` where they still cannot."""
        try:
            if self._witness is not None:
                with self._guard:
                    signed = self._unshown
                self._witness.see_all(signed)
                with self._guard:
                    self._unshown = self._unshown[len(signed) :]
            if self._ends is not None:
                self._ends.see_all(())
        except OSError as error:
            raise DamagedError(f"the witness file cannot be written: {error.strerror}") from error

    def _show_end(self, held: Held, version: int, head: str, now: int) -> None:
        """Cards lie on the table: what was done so far is not to be undone by cutting the log off."""
        if self._ends is None or version <= held.end:
            return
        try:
            self._ends.see(End(held.name, version, head))
            held.end = version
        except OSError as error:
            if error.errno not in LACKING:
                self.set_fault(EVERYWHERE, now, f"the witness file cannot be written: {error.strerror}")

    def _seen(self, now: int) -> Mapping[str, Seen]:
        try:
            return self.witnessed()
        except OSError as error:
            self.set_fault(EVERYWHERE, now, f"the witness file cannot be read: {error.strerror}")
            return {}

    def witnessed(self) -> dict[str, Seen]:
        """What the witness files have of each table."""
        found = {name: Seen(each) for name, each in (self._witness.seen() if self._witness else {}).items()}
        for name, end in (self._ends.seen() if self._ends else {}).items():
            found[name] = found.get(name, NOTHING)._replace(end=end)
        return found

    def _catch_witness_up(self, name: str, seen: Seen, now: int) -> None:
        """A crash may have come between the record and the witness. A log that is another one stops its table."""
        checkpoints = {each.version: each.line for each in self.store.beside(name) if each.kind == "checkpoint"}
        if problem := self._not_witnessed(name, checkpoints, seen):
            self.set_fault(name, now, problem)
        elif self._witness is not None:
            self._show([line for version, line in checkpoints.items() if version not in seen.checkpoints], now)
        held = self._hold(name)
        with held.lock:
            if not problem and held.table is not None and dealt(held.table):
                self._show_end(held, held.version, held.head, now)

    def _not_witnessed(self, name: str, checkpoints: Mapping[int, bytes], seen: Seen) -> str:
        """That a log is not the one that was signed and witnessed; nothing where it is."""
        if checkpoints and not read_checkpoint(checkpoints[max(checkpoints)]).signed_by(self._key.public):
            return f"the log of table {name} is signed by another key than this house's"
        if seen.version > (ends := self.store.version(name)):
            told = f"the log of table {name} ends at version {ends}, and was witnessed at version {seen.version}"
            return f"{told}: the database is an older one"
        for version, found in sorted(seen.checkpoints.items()):
            if version not in checkpoints or hash_of(checkpoints[version]) != found:
                return f"the log of table {name} is not the one that was witnessed at version {version}"
        if seen.end is not None and not self._holds(seen.end):
            return f"the log of table {name} is not the one that was witnessed at version {seen.end.version}"
        return ""

    def _holds(self, end: End) -> bool:
        """Whether that very line is in the log: the chain of hashes says the same of all before it."""
        last, line = next(iter(self.store.entries(end.table, end.version - 1)), (0, b""))
        return last == end.version and hash_of(line) == end.head

    def missing(self) -> list[str]:
        """Tables that were witnessed and are not in the record."""
        return list(self._missing(self.witnessed()).values())

    def _missing(self, seen: Mapping[str, Seen]) -> dict[str, str]:
        gone = sorted(seen.keys() - self.store.tables().keys() - self.dropped())
        return {
            name: f"table {name} is not in the record, and was witnessed at version {seen[name].version}"
            for name in gone
        }

    def check_witnessed(self, name: str) -> None:
        """That a log is the one that was signed and witnessed. Raises :class:`DamagedError`."""
        checkpoints = {each.version: each.line for each in self.store.beside(name) if each.kind == "checkpoint"}
        if problem := self._not_witnessed(name, checkpoints, self.witnessed().get(name, NOTHING)):
            raise DamagedError(problem)

    def _unfit(self, held: Held, command: Command) -> Refusal | None:
        """A table opens under its own name, and with settings that were approved."""
        body = command.body
        if held.table is not None or not isinstance(body, OpenTable):
            return None
        if body.settings.table != held.name:
            return Refusal.of("bad_settings.table", table=body.settings.table)
        if self._manifest is not None and not self._manifest.allows(body.settings, self.books):
            return Refusal.of("bad_settings.manifest")
        return None

    def _given_before(self, held: Held, command: Command, first: int) -> list[Answer] | Refusal:
        """The answer to a command that was carried out; not where another one was given under its id."""
        answer = self._again(held, command.id, first)
        known = answer.entry.command.body
        if known != command.body and not isinstance(known, OpenTable):  # a table that is open says so itself
            return Refusal.of("already_there.command")
        return [answer]

    def _again(self, held: Held, command: str, first: int) -> Answer:
        assert held.table is not None
        entry = read_line(next(self.store.load(held.name, first - 1)))
        assert entry.command.id == command, (entry.command.id, command)
        return Answer(held.table, entry, repeated=True)

    def _reveal(self, before: Table | None, table: Table) -> bytes | None:
        """The order that is over with what has just been done, to stand after it."""
        over = table.order_over and before is not None and not before.order_over
        if self._shoes is None or not over or not table.shoe.commitment:
            return None
        try:
            reveal = self._shoes.reveal(table)
        except _SHOE_ERRORS as error:
            # an end without its reveal could not be made good any more
            raise _ShoeError(f"the shoe cannot be revealed: {outside(error)}") from None
        return encode(RevealLine(reveal)) if reveal is not None else None

    def _follows(self, table: Table) -> bool:
        return self._shoes is not None and table.settings.electronic

    # --- reading

    def _hold(self, name: str) -> Held:
        with self._guard:
            held = self._held.get(name)
            if held is None:
                held = self._held[name] = Held(name, self._tail)
            return held

    def _catch_up(self, held: Held) -> None:
        """Fold what the log holds beyond what was read. Raises :class:`DamagedError`."""
        table, head, at, open_at = held.table, held.head, held.version, held.open_at
        # as they are written: a thousand entries that were read are many things to keep, and to let go one by one
        tail: deque[bytes] = deque(maxlen=self._tail)
        stored: list[bytes] = []
        try:
            for kind, raw in lines_of(self.store, held.name, at):
                if kind == "entry":
                    at += 1
                    if table is None and (message := other_engine(raw)):
                        raise LineError(message)
                    entry = read_line(raw)
                    if entry.prev != head or entry.version != at:
                        raise LineError("the chain is broken")
                    table = next_table(table, entry, self.books)
                    head, at = hash_of(raw), table.version
                    open_at = open_at if covered(table) else at
                    tail.append(raw)
                    if self._follows(table):
                        for event in entry.events:
                            held.follow(event)
                elif kind == "checkpoint":
                    held.checkpoints.follow(raw, head)
                    if held.unheard.get(at) == raw:
                        stored.append(raw)
        except (LineError, LogError) as error:
            held.forget()
            raise DamagedError(f"the log of table {held.name} is damaged at version {at}: {error}") from error
        except StoreError:
            held.forget()
            raise
        held.table, held.head, held.read, held.open_at = table, head, True, open_at
        latest = [read_line(raw) for raw in tail]
        held.tail.add(latest)
        for each in latest:
            held.commands[each.command.id] = each.version
        if latest:
            held.last_at = latest[-1].command.at
        held.unheard = {version: line for version, line in held.unheard.items() if version > held.version}
        self._show(stored, held.last_at)
        # before the start has compared it, and where it has found another log, nothing is witnessed of it
        if self._started and held.name not in self._faults and table is not None and dealt(table):
            self._show_end(held, table.version, head, held.last_at)

    # --- out of order

    def self_check(self, now: int) -> tuple[str, ...]:
        """Compare what is installed with the manifest; on a mismatch every table is closed until somebody clears it.

        Settings are those of one process: with others than the approved ones it refuses itself, and nobody else.
        """
        self._checked = now
        found = self.mismatches()
        if found:
            self.set_fault(EVERYWHERE, now, f"{SELF_CHECK}: {_first_of(found)}")
        changed = self._changed()
        before = self.refusing
        self.refusing = f"{SELF_CHECK}: {_first_of(changed)}" if changed else ""
        if self.refusing != before:
            self.announce_refusing(self.refusing)
        return found + changed + tuple(self._unapproved(now))

    def mismatches(self) -> tuple[str, ...]:
        """What is not as it was approved, a manifest that cannot be believed included."""
        if self._read_manifest is None:
            return ()
        try:
            self._manifest = self._read_manifest()
        except ManifestError as error:
            return (str(error),)
        return mismatches(self._manifest, books=self.books)

    def _changed(self) -> tuple[str, ...]:
        """The settings of this process that nobody approved."""
        if self._manifest is None or self.house is None:
            return ()
        return changed_settings(self._manifest, self.house)

    def daily(self, now: int) -> None:
        """The self-check, if the last one was a day ago."""
        if self._read_manifest is not None and (self._checked is None or now - self._checked >= DAY):
            self.self_check(now)

    def _unapproved(self, now: int) -> Iterator[str]:
        """Tables whose settings nobody approved; each is closed."""
        with self._guard:
            tables = [held.table for held in self._held.values() if held.table is not None]
        for table in tables:
            if self._manifest is not None and table.open and not self._manifest.lets_play(table.settings, self.books):
                self.set_fault(table.settings.table, now, f"{SELF_CHECK}: settings that nobody approved")
                yield f"table {table.settings.table} has settings that nobody approved"

    def set_fault(self, name: str, now: int, reason: str) -> None:
        """Put a table, or all of them, out of order; durable before it returns."""
        known, fault = name in self._faults, Fault(name, now, reason)
        self.store.set_fault(fault)
        self._read_faults()
        if not known and self._faults.get(name) == fault:  # an earlier reason stays
            self.announce(fault)

    def clear_fault(self, name: str) -> None:
        """Somebody has looked, and the table may play again."""
        self.store.clear_fault(name)
        self._read_faults()

    def _hear(self, name: str) -> None:
        if name in (FAULTS, ANYTHING):
            self._read_faults()

    def _read_faults(self) -> None:
        with self._reading:  # who reads later also writes later
            self._faults = self.store.faults()

    @property
    def faults(self) -> dict[str, Fault]:
        """What is out of order, by table."""
        return dict(self._faults)

    def _out_of_order(self, name: str) -> Refusal | None:
        fault = self._faults.get(name) or self._faults.get(EVERYWHERE)
        if fault is None and self.refusing:
            return _refused(self.refusing)
        return _refused(fault.reason) if fault else None


def _first_of(found: Sequence[str]) -> str:
    return found[0] + (f" and {len(found) - 1} more" if len(found) > 1 else "")


def _miscounted(table: Table) -> Refusal | None:
    """A table counts its currency as accounts do; else a hundred would become ten thousand on the way."""
    currency, digits = table.settings.currency, table.settings.digits
    if digits == digits_of(currency):
        return None
    return Refusal.of("bad_settings.digits", digits=digits, currency=currency, count=digits_of(currency))


def _refused(reason: str) -> Refusal:
    return Refusal.of("table_closed.fault", problem=reason)
