"""The commands verify and export, and the example that the README shows."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from scripts.tools import example_log
from tests.store.build import KEY, Player, play
from tests.store.server import PostgresServer

from puntobanco.cli import main
from puntobanco.store import Keeper, MemoryStore, PrivateKey, Store, load_private_key, load_public_key
from puntobanco.store.postgres import PostgresStore
from puntobanco.store.sqlite import SqliteStore


class Outcome:
    """How a command ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Run = Callable[..., Outcome]


class Files:
    """A folder with a log, its key, what was seen of it, and the store it is from."""

    def __init__(self, folder: Path) -> None:
        store = SqliteStore(folder / "record.db")
        keeper, player = play(4, store=store)
        player.close()
        self.folder = folder
        self.lines = list(keeper.export("T1"))
        self.write("log", b"".join(self.lines))
        self.write("pub", KEY.public.pem())
        self.write("witness", b"".join(each.line + b"\n" for each in store.beside("T1")))
        store.close()

    def write(self, name: str, data: bytes) -> str:
        (self.folder / name).write_bytes(data)
        return self.path(name)

    def path(self, name: str) -> str:
        return str(self.folder / name)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    def call(*arguments: str) -> Outcome:
        code = 0
        try:
            main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capfdbinary.readouterr()
        return Outcome(code, out.decode(), err.decode())

    return call


def test_a_log_out_of_a_store(files: Files, run: Run) -> None:
    outcome = run("export", files.path("record.db"), "T1")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.encode() == b"".join(files.lines)
    before = {file.name for file in files.folder.iterdir()}
    for wrong in (("record.db", "T2"), ("nothing", "T1"), ("log", "T1"), (".", "T1")):
        outcome = run("export", files.path(wrong[0]), wrong[1])
        assert (outcome.code, outcome.out) == (2, ""), wrong
        assert outcome.err.startswith("puntobanco: ")
    assert {file.name for file in files.folder.iterdir()} <= before | {"record.db-wal", "record.db-shm"}


def test_a_log_out_of_postgres(postgres: PostgresServer, run: Run) -> None:
    address = postgres.schema()
    store: Store = PostgresStore(address)
    keeper, _ = play(2, store=store)
    outcome = run("export", address, "T1")
    assert outcome.out.encode() == b"".join(keeper.export("T1"))
    store.close()
    outcome = run("export", postgres.schema(), "T1")
    assert outcome.code == 2
    assert "is not a record" in outcome.err


def test_a_good_log(files: Files, run: Run) -> None:
    outcome = run("verify", files.path("log"), "--key", files.path("pub"), "--seen", files.path("witness"))
    assert (outcome.code, outcome.err) == (0, "")
    assert f"✓ signed by the trusted key {KEY.public.fingerprint}" in outcome.out
    assert "✓ 5 checkpoints seen elsewhere" in outcome.out
    outcome = run("verify", files.path("log"))
    assert outcome.code == 0
    assert f"! signed by the key {KEY.public.fingerprint}" in outcome.out
    assert "consistent, which is all that can be said without a key you trust" in outcome.out


def test_the_end_of_a_log_may_be_unsigned(files: Files, run: Run) -> None:
    outcome = run("verify", files.write("short", b"".join(files.lines[:5])))
    assert outcome.code == 0
    assert "! 5 events after the last checkpoint: not signed yet" in outcome.out
    assert "no checkpoint yet: nothing is signed" in outcome.out
    assert "still open" in outcome.out


def test_a_bad_log_names_its_event(files: Files, run: Run) -> None:
    changed = files.lines[6].replace(b'"amount":', b'"amount":1')
    bad = files.write("bad", b"".join([*files.lines[:6], changed, *files.lines[7:]]))
    for options in ([], ["--key", files.path("pub")], ["--seen", files.path("witness")]):
        outcome = run("verify", bad, *options)
        assert (outcome.code, outcome.err) == (1, "")
        assert "✗ event 7: " in outcome.out
    outcome = run("verify", files.write("cut", b"".join(files.lines[:-1])), "--seen", files.path("witness"))
    assert outcome.code == 1
    assert "checkpoint" in outcome.out


def test_what_was_seen_must_be_of_this_table(files: Files, run: Run) -> None:
    log, witness = files.path("log"), files.path("witness")
    for empty in (files.write("empty", b""), files.write("unsigned", files.lines[0])):
        outcome = run("verify", log, "--seen", witness, "--seen", empty)
        assert (outcome.code, outcome.out) == (2, "")
        assert "holds no checkpoint" in outcome.err
    keeper = Keeper(MemoryStore(), KEY)
    player = Player(keeper, "T2", 1)
    player.open()
    player.rounds(2)
    others = files.write("others", b"".join(each.line + b"\n" for each in keeper.store.beside("T2")))
    for more in ((), ("--json",)):
        outcome = run("verify", log, "--seen", others, *more)
        assert outcome.code == 2
        assert "is about table T1" in outcome.err
    assert run("verify", log, "--seen", others, "--seen", witness).code == 0


def test_a_torn_line_of_a_witness_is_left_out_with_a_warning(files: Files, run: Run) -> None:
    whole = (files.folder / "witness").read_bytes()
    outcome = run("verify", files.path("log"), "--seen", files.write("torn", whole[:-50]))
    assert outcome.code == 0
    assert "torn:5: a torn line, left out" in outcome.err
    assert "4 checkpoints seen elsewhere" in outcome.out
    assert run("verify", files.path("log"), "--seen", files.write("torn", whole[:100])).code == 2


def test_another_key(files: Files, run: Run) -> None:
    other = files.write("other", PrivateKey.generate().public.pem())
    outcome = run("verify", files.path("log"), "--key", other)
    assert outcome.code == 1
    assert f"signed by the key {KEY.public.fingerprint}, which is not the trusted one" in outcome.out
    outcome = run("verify", files.path("log"), "--key", other, "--seen", files.path("witness"))
    assert outcome.code == 2


def test_for_scripts(files: Files, run: Run) -> None:
    found = json.loads(run("verify", files.path("log"), "--key", files.path("pub"), "--json").out)
    assert found["ok"]
    assert found["trusted"]
    assert (found["table"], found["checkpoints"], found["problem"]) == ("T1", 5, None)
    outcome = run("verify", files.write("bad", b"".join(files.lines[1:])), "--json")
    assert outcome.code == 1
    found = json.loads(outcome.out)
    assert not found["ok"]
    assert found["problem"]["event"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "nothing"),
        ("verify", "."),
        ("verify", "log", "--key", "log"),
        ("verify", "log", "--key", "nothing"),
        ("verify", "log", "--seen", "pub"),
        ("verify", "log", "--seen", "nothing"),
        ("verify", "log", "--book", "nothing"),
        ("verify", "--nothing"),
        ("verify",),
        ("export", "log"),
        ("export", "postgresql:///x?host=/nowhere&connect_timeout=1&port=nonsense", "T1"),
    ],
)
def test_bad_input_is_one_message(
    files: Files,
    run: Run,
    arguments: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(files.folder)
    monkeypatch.setattr("puntobanco.store.logs.IMPATIENCE", 0.1)
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("puntobanco: ")
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    "address",
    [
        *("postgresql://bad url", "postgresql://[::1/x", "postgresql://localhost/x?foo=1"),
        *("postgresql://me:secret@[::1/x", "postgres://me:secret%zz@localhost/x", "postgresql://host/x?pass=secret"),
    ],
)
def test_an_address_that_is_none_is_one_message_without_the_password(files: Files, run: Run, address: str) -> None:
    folder = files.path("floor")
    assert run("backup", files.path("record.db"), files.path("backup")).code == 0
    for arguments in (
        ("export", address, "T1"),
        ("backup", address, files.path("another")),
        ("restore", files.path("backup"), address),
        ("serve", "--folder", folder, "--port", "0", "--store", address),
        ("admin", "people", "--folder", str(files.folder), "--store", address),
        ("admin", "backup", files.path("another"), "--folder", folder, "--store", address),
    ):
        outcome = run(*arguments)
        assert (outcome.code, outcome.out) == (2, ""), arguments
        assert outcome.err.startswith("puntobanco: the address of the database cannot be read: write postgresql://")
        assert "secret" not in outcome.err


def test_a_log_of_any_bytes_is_no_traceback(files: Files, run: Run) -> None:
    for data in (b"", b"\n", b"\xff\xfe", b"{}\n{}", b"[1]", b'{"prev":1}', b"\x00" * 50):
        outcome = run("verify", files.write("odd", data))
        assert (outcome.code, outcome.err) == (1, ""), data
        assert "✗ event 1: " in outcome.out
    assert "the log is empty: there is no event in it" in run("verify", files.write("odd", b"")).out


def test_backup_and_restore(files: Files, run: Run) -> None:
    outcome = run("backup", files.path("record.db"), files.path("backup"))
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.endswith(" rows\n")
    assert run("restore", files.path("backup"), files.path("again.db")).code == 0
    assert run("export", files.path("again.db"), "T1").out.encode() == b"".join(files.lines)
    for wrong in (
        ("restore", files.path("backup"), files.path("again.db")),
        ("restore", files.path("log"), files.path("third.db")),
        ("restore", files.path("nothing"), files.path("third.db")),
        ("backup", files.path("nothing"), files.path("backup")),
        ("backup", files.path("record.db"), files.path("no/such/folder")),
    ):
        outcome = run(*wrong)
        assert (outcome.code, outcome.out) == (2, ""), wrong
    assert list(files.folder.glob("third*")) == []


def test_a_backup_replaces_nothing_but_an_earlier_backup(files: Files, run: Run) -> None:
    record, key = files.folder / "record.db", files.folder / "house.key"
    PrivateKey.generate().save(key)
    (files.folder / "link").symlink_to(record)
    (files.folder / "twin").hardlink_to(record)
    (files.folder / "empty").touch()
    os.mkfifo(files.folder / "pipe")
    (files.folder / "cut.gz").write_bytes(b"\x1f\x8b\x08")
    was = {name: (files.folder / name).read_bytes() for name in ("record.db", "house.key", "pub", "log", "empty")}
    for own in ("record.db", "link", "twin", "record.db-wal", "record.db-shm", "record.db.lock", "./record.db-wal"):
        outcome = run("backup", str(record), files.path(own))
        assert (outcome.code, outcome.out) == (2, ""), own
        assert "belongs to the store itself: write the backup to another file" in outcome.err
    outcome = run("backup", files.path("link"), str(record))
    assert (outcome.code, "belongs to the store itself" in outcome.err) == (2, True)
    for other in ("house.key", "pub", "log", "empty", "cut.gz", "pipe"):
        outcome = run("backup", str(record), files.path(other))
        assert (outcome.code, outcome.out) == (2, ""), other
        assert "already exists and is not a backup" in outcome.err
    assert "is a folder" in run("backup", str(record), str(files.folder)).err
    assert {name: (files.folder / name).read_bytes() for name in was} == was
    assert run("backup", str(record), files.path("backup")).code == 0
    assert run("backup", str(record), files.path("backup")).code == 0
    assert run("restore", files.path("backup"), files.path("again.db")).code == 0
    assert not list(files.folder.glob("*.part"))


def test_a_file_that_is_no_backup_says_what_it_is(files: Files, run: Run) -> None:
    assert run("backup", files.path("record.db"), files.path("backup")).code == 0
    whole = (files.folder / "backup").read_bytes()
    for name, data, says in (
        ("binary", b"\x00\xff" * 500, "is not a backup, or was changed"),
        ("text", b"no backup", "is not a backup, or was changed"),
        ("cut", whole[: len(whole) // 2], "is not a complete backup: it was cut short"),
    ):
        outcome = run("restore", files.write(name, data), files.path("third.db"))
        assert (outcome.code, outcome.out, says in outcome.err) == (2, "", True), outcome.err
    for name, says in (("nothing", "cannot be read: No such file"), (".", "cannot be read: Is a directory")):
        outcome = run("restore", files.path(name), files.path("third.db"))
        assert (outcome.code, outcome.out, says in outcome.err) == (2, "", True), outcome.err
        assert "Errno" not in outcome.err
    assert list(files.folder.glob("third*")) == []


def test_a_new_key(files: Files, run: Run) -> None:
    outcome = run("new-key", files.path("key"))
    key = load_private_key(files.path("key"))
    assert (outcome.code, outcome.out) == (0, f"{key.public.fingerprint}\n")
    assert load_public_key(files.path("key.pub")) == key.public
    for taken in ("key", "no/such/folder", "nul\0"):
        assert run("new-key", files.path(taken)).code == 2
    (files.folder / "other.pub").write_text("somebody's")
    assert run("new-key", files.path("other")).code == 2
    assert (files.folder / "other.pub").read_text() == "somebody's"
    assert not (files.folder / "other").exists()
    assert load_private_key(files.path("key")).public == key.public


def test_history_reads_a_log_out_of_a_store(files: Files, run: Run) -> None:
    outcome = run("history", files.path("log"), "--expect")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("table T1\n")


def test_the_example_is_up_to_date() -> None:
    for name, data in example_log.files().items():
        assert (example_log.FOLDER / name).read_bytes() == data, f"{name} is out of date: run scripts/example-log"
