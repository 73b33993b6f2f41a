"""Random changes to everything that a floor keeps: ``scripts/tamper-test [--changes N] [--seed S]``.

A small floor with people, money, a live table and an electronic one is copied for each change. A row of any part of the
record or of the vault is changed, deleted or added, or a file is cut, deleted or has a byte changed; then the whole
record is audited. Each change is named there or is of a kind that does no harm, with the reason.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import msgspec
from tests.floor.serving import HASHER, PASSWORD, table_settings

from puntobanco.cards import Side, parse_cards
from puntobanco.floor.floor import Floor
from puntobanco.floor.office import FloorError
from puntobanco.floor.settings import FloorSettings
from puntobanco.floor.wire import NewDevice, NewPerson, Stop
from puntobanco.rules.model import Authority
from puntobanco.shoes.keys import KeyFileError
from puntobanco.shoes.vault import VaultError
from puntobanco.store.base import StoreError
from puntobanco.store.keeper import Answer
from puntobanco.table import commands as c
from puntobanco.table.commands import HOUSE, AnyCommand, Command
from puntobanco.table.settings import LIVE

NOW = 1_800_000_000_000
PARTS = ("entries", "beside", "accounts", "postings", "faults", "settings", "documents")
FILES = ("witness.jsonl", "witness-ends.jsonl", "witness-office.jsonl", "house.key", "house.key.pub", "shoes.key")
HARMLESS: dict[tuple[str, str], str] = {
    ("settings", "*"): "says how long logs are kept; dropping one is a command of its own, in the floor's log",
    ("entries", "command"): "an index: whoever reads a log takes the command's id from its line",
    ("entries", "version"): "an index over lines that say their own versions, as long as their order is the same",
    ("entries", "last"): "an index over lines that say their own versions, as long as their order is the same",
    ("beside", "version"): "an index: a checkpoint says which version it is of",
    ("postings", "at"): "when it was posted stands in the floor's log, which is signed",
    ("documents", "version"): "counts changes, so that two at once are not mixed up",
    ("documents", "kind"): "nobody asks for documents of a kind that does not exist",
    ("documents", "key"): "a manifest under a name that nobody asks for",
    ("beside", "log"): "a checkpoint of a log that does not exist",
    ("session", "*"): "whose session it is and when it began is sealed; without it somebody has to sign in again",
    ("failures", "*"): "how often somebody has guessed wrongly; the floor's log has every try",
    ("addresses", "*"): "from where somebody has signed in; it only spares that person a lock that others cause",
    ("faults", "*"): "a fault that nobody has set closes a table and is seen at once; its reason stands in the log",
    ("vault", "*"): "a shoe that is over, or was never used: its order is revealed, or nobody will deal it",
    ("file", "witness.jsonl"): "what the witness lacks it gets at the next start; keep a copy elsewhere",
    ("file", "witness-ends.jsonl"): "what the witness lacks it gets with the next card; keep a copy elsewhere",
    ("file", "witness-office.jsonl"): "what the witness lacks it gets with the next entry; keep a copy elsewhere",
    ("file", "house.key"): "a bit of its PEM that means nothing: the key is the same",
    ("file", "shoes.key"): "its comment, or a letter's case: the keys are the same",
    ("file", "house.key.pub"): "a copy of what house.key has",
}
"""What may go unnamed, by part and column (``*``: any), and why."""
OPEN: dict[tuple[str, str], str] = {
    ("entries", "line"): "the last line of a log, which no later one's hash and no witness holds while no card is out",
    ("entries", "row"): "the last lines of a log since its last round, while no card is out",
}
"""What is not noticed yet, and is no harmless thing: docs/security.md."""


class Tampered(msgspec.Struct, frozen=True):
    """A change: what it was made to, how, and what the audit says."""

    part: str
    column: str
    how: str
    said: tuple[str, ...]

    @property
    def harmless(self) -> str:
        """Why it may go unnamed; empty where it may not."""
        key = (self.part, self.column)
        return HARMLESS.get(key) or HARMLESS.get((self.part, "*"), "") or OPEN.get(key, "")


def floor_at(folder: Path) -> Floor:
    return Floor(FloorSettings(folder=str(folder)), hasher=HASHER)


def build(folder: Path) -> None:
    """A floor with something of every kind in it."""
    floor = floor_at(folder)
    floor.store.retention = 1_000
    people, keeper = floor.people, floor.host.keeper
    people.add("setup", NOW, NewPerson("root", "admin", PASSWORD))
    people.add("setup", NOW, NewPerson("sam", "pit", PASSWORD, Authority.PIT_SUPERVISOR, "2580"))
    for name in ("ann", "bob"):
        people.add("setup", NOW, NewPerson(name, "player", PASSWORD))
        floor.office.post(NOW, "setup", name, "first", 1_000_00, "SGD")
    floor.office.post(NOW, "setup", "ann", "second", -50_00, "SGD")
    people.add_device("setup", NOW, NewDevice("eye", "scanner", "L1"))
    people.stop("setup", NOW, Stop("person", "bob", "asked for it"))
    floor.calls.call("sam", NOW, "L1", "a card face up")
    people.sign_in(NOW, "ann", PASSWORD, "here")
    with suppress(FloorError):
        people.sign_in(NOW, "ann", "wrong", "there")
    floor.installation.set_up(NOW)
    floor.host.documents_changed()
    numbers = iter(range(1_000))

    def give(table: str, body: AnyCommand, actor: str = HOUSE) -> None:
        answer = keeper.give(table, Command(f"c{next(numbers)}", actor, NOW, body))
        assert isinstance(answer, Answer), answer

    give("L1", c.OpenTable(table_settings("L1", automated=LIVE), {100_00: 100}))
    give("E1", c.OpenTable(table_settings("E1"), {100_00: 100}))
    for table in ("L1", "E1"):
        give(table, c.Join("ann", 1))
        give(table, c.BuyIn("ann", 200_00, "account"), "ann")
    give("L1", c.NewShoe("shuffled"))
    for _ in range(3):
        give("L1", c.Call())
        give("L1", c.Place("ann", 1, {"player": 10_00}), "ann")
        give("L1", c.Close())
        for card, hand in zip(parse_cards("9h 8c Kd Ks"), (*Side, *Side), strict=True):
            give("L1", c.Draw(card, hand, turned=True))
        give("L1", c.Announce("player"))
        give("L1", c.Confirm(1))
    give("L1", c.Call())
    give("L1", c.Place("ann", 1, {"banker": 10_00}), "ann")
    give("L1", c.Close())
    for card, hand in zip(parse_cards("4h 3c"), Side, strict=True):
        give("L1", c.Draw(card, hand, turned=True))
    for step in range(2):
        keeper.deal("E1", f"shoe {step}", NOW)
    keeper.set_fault("L1", NOW, "somebody saw smoke")
    floor.store.close()
    floor.vault.close()


def audit(folder: Path) -> tuple[str, ...]:
    """What a start or the audit says of a folder."""
    try:
        floor = floor_at(folder)
    except (FloorError, StoreError, KeyFileError, VaultError, apsw.Error) as error:
        return (str(error) or type(error).__name__,)
    try:
        return tuple(floor.audit_all())
    except (FloorError, StoreError) as error:
        return (str(error),)
    finally:
        floor.store.close()
        floor.vault.close()


def tamper(folder: Path, chance: random.Random) -> tuple[str, str, str]:
    """One change; what it was made to."""
    where = chance.choice((*PARTS, *PARTS, "vault", "file"))
    if where == "file":
        return _file(folder / chance.choice(FILES), chance)
    base, part = ("shoes.db", "shoes") if where == "vault" else ("record.db", where)
    connection = apsw.Connection(str(folder / base))
    try:
        columns = [str(row[1]) for row in connection.execute(f"pragma table_info({part})")]
        rows = list(connection.execute(f"select * from {part}"))
        return _row(connection, where, part, columns, rows, chance) if rows else ("refused", part, "nothing there")
    finally:
        connection.close()


def _row(
    connection: apsw.Connection,
    where: str,
    part: str,
    columns: Sequence[str],
    rows: Sequence[tuple[Any, ...]],
    chance: random.Random,
) -> tuple[str, str, str]:
    row = chance.choice(rows)
    told = str(row[0]) if part == "documents" and str(row[0]) in ("session", "failures", "addresses") else where
    this = " and ".join(f"{column} is ?" for column in columns)
    how = chance.choice(("change", "change", "delete", "add"))
    column = chance.choice(columns)
    place = columns.index(column)
    if how == "delete":
        connection.execute(f"delete from {part} where {this}", row)
        return told, "row", how
    other = _other(row[place], chance)
    values = (*row[:place], other, *row[place + 1 :])
    try:
        if how == "change":
            connection.execute(f"update {part} set {column} = ? where {this}", (other, *row))
        else:
            connection.execute(f"insert into {part} values ({', '.join('?' * len(columns))})", values)
    except apsw.Error:
        return "refused", column, "the database itself does not take it"
    return told, column, how


def _other(value: Any, chance: random.Random) -> Any:
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 100_00, -value, 2**40))
    data = bytearray(value.encode() if isinstance(value, str) else value or b"x")
    place = chance.randrange(len(data))
    if chance.randrange(4) == 0:
        del data[place:]
    else:
        data[place] = chance.choice(b"0aZ{}9")
    return data.decode("utf-8", "replace") if isinstance(value, str) else bytes(data)


def _file(file: Path, chance: random.Random) -> tuple[str, str, str]:
    data = bytearray(file.read_bytes())
    how = chance.choice(("cut", "byte", "delete"))
    if how == "delete":
        file.unlink()
    elif how == "cut":
        file.write_bytes(data[: chance.randrange(len(data))])
    else:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        file.write_bytes(data)
    return "file", file.name, how


def run(changes: int, seed: int) -> list[Tampered]:
    """So many changes, each to a copy of its own."""
    chance = random.Random(seed)
    found = []
    with tempfile.TemporaryDirectory() as name:
        original, copy = Path(name) / "floor", Path(name) / "copy"
        original.mkdir()
        build(original)
        assert audit(original) == (), audit(original)
        for _ in range(changes):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(original, copy)
            what = tamper(copy, chance)
            same = what[0] != "file" and _rows(copy) == _rows(original)
            if what[0] != "refused" and not same:
                found.append(Tampered(*what, audit(copy)))
    return found


def _rows(folder: Path) -> list[Any]:
    rows: list[Any] = []
    for base, parts in (("record.db", PARTS), ("shoes.db", ("shoes",))):
        connection = apsw.Connection(str(folder / base))
        rows += [list(connection.execute(f"select * from {part}")) for part in parts]
        connection.close()
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--changes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = run(given.changes, given.seed)
    named = sum(bool(each.said) for each in found)
    quiet = Counter((each.part, each.column) for each in found if not each.said and each.harmless)
    missed = [each for each in found if not each.said and not each.harmless]
    print(f"{len(found)} changes: {named} named, {quiet.total()} harmless, {len(missed)} missed")
    for (part, column), count in sorted(quiet.items()):
        why = Tampered(part, column, "", ()).harmless
        print(f"  {count:5} {part} {column}: {why}")
    for each in missed:
        print("missed:", each.part, each.column, each.how)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
