"""What is left when something breaks: killed writers, torn and lost writes, full disks, lost connections."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import apsw
import psycopg
import pytest
from tests.memory import IN_MEMORY
from tests.patience import limit
from tests.search import far, search
from tests.store.build import KEY, NOW, Player, append, log_of
from tests.store.disk import Disk, Operation, Remains
from tests.store.proxy import Proxy
from tests.store.server import PostgresServer
from tests.store.test_keeper import Stubborn

from puntobanco.store import Append, Keeper, MemoryStore, Posting, Store, StoreError, UnavailableError, verify_log
from puntobanco.store.chain import read_line
from puntobanco.store.postgres import PostgresStore
from puntobanco.store.sqlite import SqliteStore

ROOT = Path(__file__).parents[2]


@search
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_killed_writer_loses_and_doubles_nothing(kind: str) -> None:
    """A few kills by the command that does ten thousand in the long run."""
    kills = far(10, 20)
    run = subprocess.run(
        [sys.executable, "-m", "scripts.tools.crash_test", "--store", kind, "--kills", str(kills)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=limit(),
    )
    assert run.returncode == 0, run.stderr
    assert f"{kills} kills" in run.stdout
    assert "0 lost, 0 doubled, money conserved, every chain verifies" in run.stdout
    assert re.search(r", [1-9][0-9]* interruptions;", run.stdout), run.stdout


# --- every write boundary of SQLite


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory where there is one: these tests write a lot, and sync is looked at, not waited for."""
    made = Path(tempfile.mkdtemp(prefix="pb-disk-", dir=IN_MEMORY))
    yield made
    shutil.rmtree(made)


class Moment:
    """What had been acknowledged when so many operations were done."""

    def __init__(self, operations: int, version: int, accounts: dict[str, dict[str, int]]) -> None:
        self.operations, self.version, self.accounts = operations, version, accounts


@search
def test_at_a_write_boundary_what_was_acknowledged_is_there(folder: Path) -> None:
    """At each of thousands: the process dies between two writes, in the middle of one, or the power goes.

    Here one in some is tried, with the moments just after an acknowledgement, where there is most to lose.
    """
    disk = Disk()
    (folder / "play").mkdir()
    store = SqliteStore(folder / "play" / "record.db", vfs=disk.name)
    assert store._writer is not None
    store._writer.execute("pragma wal_autocheckpoint = 25")
    moments = [Moment(0, 0, {})]

    def acknowledged() -> None:
        moments.append(Moment(len(disk.operations), store.version("T1"), store.accounts()))

    class Watched(Player):
        def do(self, *arguments, **named):  # type: ignore[no-untyped-def]
            answer = super().do(*arguments, **named)
            acknowledged()
            return answer

    player = Watched(Keeper(store, KEY), "T1", 4)
    player.open()
    player.rounds(36)
    expected = list(store.load("T1"))
    store.close()
    operations = disk.operations
    assert len(operations) > 2_000
    assert {operation.file for operation in operations} == {"record.db", "record.db-wal", "record.db-journal"}

    states = {moment.version: moment.accounts for moment in moments}
    remains, chance = Remains(), random.Random(1)
    reached, one_in = 0, far(4, 1)
    for done, operation in enumerate(operations):
        while reached + 1 < len(moments) and moments[reached + 1].operations <= done:
            reached += 1
        if done // 2 % one_in == 0 or moments[reached].operations == done:
            files = remains.torn(operation) if done % 2 else remains.after_power_cut(chance)
            version, accounts, lines = what_is_left(folder, files)
            assert version >= moments[reached].version, f"lost at operation {done}"
            assert lines == [line for line in expected if read_line(line).last <= version]
            assert version in states, f"half an append at operation {done}"
            # money that reached an account before the next command did
            assert {name: accounts[name] for name in states[version]} == states[version]
        remains.add(operation)
    assert what_is_left(folder, remains.files)[0] == read_line(expected[-1]).last


def what_is_left(folder: Path, files: dict[str, bytearray]) -> tuple[int, dict[str, dict[str, int]], list[bytes]]:
    """Open what a crash left, as a restart would."""
    place = folder / "left"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for file, data in files.items():
        (place / file).write_bytes(data)
    store = SqliteStore(place / "record.db")
    try:
        table = Keeper(store, KEY).table("T1")
        return table.version if table else 0, store.accounts(), list(store.load("T1"))
    finally:
        store.close()


def play_some(store: Store, rounds: int = 2) -> tuple[bytes, dict[str, dict[str, int]]]:
    """A few rounds by somebody who gives a command again until it is known what became of it."""
    player = Player(Stubborn(store, KEY), "T1", 7)
    player.open()
    player.rounds(rounds)
    return log_of(player.keeper), store.accounts()


def test_an_error_at_any_operation_is_told_and_survived(folder: Path) -> None:
    """The disk refuses one write, sync or truncation; whoever gives the command again gets one effect."""
    expected = play_some(MemoryStore())
    total = 0
    points = failures = 0
    for place in range(40, 10_000):

        def refuse(number: int, operation: Operation, place: int = place) -> None:
            if number == place:
                raise apsw.FullError if operation.kind == "write" else apsw.IOError

        disk = Disk(refuse)
        (folder / str(place)).mkdir()
        store = SqliteStore(folder / str(place) / "record.db", vfs=disk.name)
        patient = Patient(store)
        assert play_some(patient) == expected
        failures += patient.failures
        store.close()
        total = len(disk.operations)
        points += 1
        if place > total:
            break
    assert points > 100
    assert failures > 50


class Patient:
    """A store that somebody keeps asking, also for what is no append."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.failures = 0

    def submit(self, append: Append) -> Future[None]:
        future = self._store.submit(append)
        self.failures += isinstance(future.exception(), UnavailableError)
        return future

    def __getattr__(self, name: str):  # type: ignore[no-untyped-def]
        found = getattr(self._store, name)

        def ask(*arguments):  # type: ignore[no-untyped-def]
            try:
                return found(*arguments)
            except UnavailableError:
                self.failures += 1
                return found(*arguments)

        return ask if callable(found) else found


# --- a full disk


def test_a_full_disk_stops_the_writer_and_loses_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "record.db")
    keeper = Keeper(store, KEY)
    player = Player(keeper, "T1", 1)
    player.open()
    player.rounds(2)
    assert store._writer is not None
    ((pages,),) = store._writer.execute("pragma page_count").fetchall()
    store._writer.execute(f"pragma max_page_count = {int(str(pages)) + 2}")
    with pytest.raises(UnavailableError, match="full"):
        player.rounds(100)
    acknowledged = [record for answer in player.answers for record in answer.records]
    assert store.version("T1") == acknowledged[-1].version
    assert verify_log(log_of(keeper), KEY.public).problem is None
    # somebody makes room
    store._writer.execute("pragma max_page_count = 100000")
    player.rounds(2)
    assert verify_log(log_of(keeper), KEY.public).problem is None
    store.close()


def test_the_neighbours_of_what_does_not_fit_are_told_too(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "record.db")
    store.append(append("T1", 0, 1, "c1"))
    assert store._writer is not None
    ((pages,),) = store._writer.execute("pragma page_count").fetchall()
    store._writer.execute(f"pragma max_page_count = {int(str(pages)) + 1}")
    futures = [store.submit(append(f"T{number}", 0, 200, "c2")) for number in range(2, 6)]
    outcomes = [future.exception() for future in futures]
    assert all(outcome is None or isinstance(outcome, UnavailableError) for outcome in outcomes)
    assert any(outcomes)
    written = {f"T{number}" for number, outcome in enumerate(outcomes, 2) if outcome is None}
    assert set(store.tables()) == {"T1"} | written
    store.close()


# --- other files, and databases of other versions


def test_files_that_are_no_store(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("this is no database, and long enough to have a header" * 10)
    with pytest.raises(StoreError, match="not a SQLite database"):
        SqliteStore(tmp_path / "text")
    with pytest.raises(UnavailableError):
        SqliteStore(tmp_path / "no" / "such" / "folder.db")
    with pytest.raises(UnavailableError):
        SqliteStore(tmp_path / "nothing", read_only=True)
    apsw.Connection(str(tmp_path / "empty")).execute("create table t (a)")
    with pytest.raises(StoreError, match="is not a record"):
        SqliteStore(tmp_path / "empty", read_only=True)


def test_a_store_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "record.db").close()
    connection = apsw.Connection(str(tmp_path / "record.db"))
    connection.execute("insert into schema_version values (99, 'the future')")
    connection.close()
    for read_only in (False, True):
        with pytest.raises(StoreError, match="a later version"):
            SqliteStore(tmp_path / "record.db", read_only=read_only)


def test_a_store_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "record.db")
    store.append(append("T1", 0, 3, "c1"))
    store.close()
    connection = apsw.Connection(str(tmp_path / "record.db"))
    connection.execute("drop table faults; drop table settings; drop table documents")
    connection.execute("delete from schema_version where number > 2")
    connection.close()
    with pytest.raises(StoreError, match="lacks faults_and_settings"):
        SqliteStore(tmp_path / "record.db", read_only=True)
    store = SqliteStore(tmp_path / "record.db")
    assert (store.tables(), store.faults()) == ({"T1": 3}, {})
    store.close()
    connection = apsw.Connection(str(tmp_path / "record.db"))
    connection.execute("update schema_version set name = 'another' where number = 2")
    connection.close()
    with pytest.raises(StoreError, match="had migration 2 another"):
        SqliteStore(tmp_path / "record.db")


def test_a_postgres_schema_of_other_versions(postgres: PostgresServer) -> None:
    address = postgres.schema()
    with pytest.raises(StoreError, match="is not a record"):
        PostgresStore(address, read_only=True)
    store = PostgresStore(address)
    store.append(append("T1", 0, 3, "c1"))
    store.close()
    reader = PostgresStore(address, read_only=True)
    assert reader.tables() == {"T1": 3}
    with pytest.raises(UnavailableError, match="reading only"):
        reader.append(append("T1", 3, 3, "c2"))
    reader.close()
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("insert into schema_version values (99, 'the future')")
    with pytest.raises(StoreError, match="a later version"):
        PostgresStore(address)


# --- lost connections


@pytest.fixture
def proxy(postgres: PostgresServer) -> Iterator[Proxy]:
    made = Path(tempfile.mkdtemp(prefix="pb-proxy-"))
    running = Proxy(made, postgres.folder)
    yield running
    running.close()
    shutil.rmtree(made)


def test_a_connection_lost_at_any_message_is_survived(postgres: PostgresServer, proxy: Proxy) -> None:
    """Each message between client and server is the last one once: delivered, or lost with the connection."""
    expected = play_some(MemoryStore(), 1)
    cuts = 0
    for direction in ("to_server", "to_client"):
        for delivered in (False, True):
            for messages in (*range(1, 10, 2), *range(12, 40, 6)):
                store = PostgresStore(proxy.address(postgres.schema()), patience=20)
                proxy.cut_after(direction, messages, delivered=delivered)
                before = proxy.cuts
                assert play_some(store, 1) == expected, (direction, messages, delivered)
                assert proxy.cuts == before + 1
                cuts += 1
                store.close()
    assert cuts == 40


def test_connections_that_the_server_ends_under_load(postgres: PostgresServer) -> None:
    store = PostgresStore(postgres.schema())
    keeper = Keeper(store, KEY)
    over = threading.Event()

    def end_some() -> None:
        with psycopg.connect(postgres.address, autocommit=True) as connection:
            while not over.wait(0.03):
                connection.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where pid <> pg_backend_pid() and backend_type = 'client backend'"
                )

    killer = threading.Thread(target=end_some)
    killer.start()
    players = [Player(keeper, f"T{number}", number) for number in range(4)]

    def run(player: Player) -> None:
        player.open([f"{player.name} {number}" for number in range(3)])
        player.rounds(6)

    threads = [threading.Thread(target=run, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    over.set()
    killer.join()
    for player in players:
        assert verify_log(log_of(keeper, player.name), KEY.public).problem is None
        told = [record for answer in player.answers for record in answer.records]
        assert [record.version for record in told] == list(range(1, store.version(player.name) + 1))
    store.close()


def test_a_server_that_crashes_and_comes_back() -> None:
    with PostgresServer() as server:
        address = server.schema()
        store = PostgresStore(address, patience=30)
        keeper = Keeper(store, KEY)
        player = Player(keeper, "T1", 1)
        player.open()
        player.rounds(3)

        def crash() -> None:
            server.stop(signal.SIGQUIT)
            server.start()

        trouble = threading.Thread(target=crash)
        trouble.start()
        while trouble.is_alive():
            player.step()
        trouble.join()
        player.rounds(2)
        assert verify_log(log_of(keeper), KEY.public).problem is None
        told = [record.version for answer in player.answers for record in answer.records]
        assert told == list(range(1, store.version("T1") + 1))
        # and one that stays away
        store.patience = 0.2
        server.stop(signal.SIGQUIT)
        with pytest.raises(UnavailableError):
            store.append(append("T2", 0, 1, "c1"))
        with pytest.raises(UnavailableError):
            store.post(Posting("p1", "ann", "SGD", 1, NOW))
        server.start()
        store.patience = 10
        store.append(append("T2", 0, 1, "c1"))
        store.close()


def test_a_database_that_is_not_there() -> None:
    with pytest.raises(UnavailableError, match="cannot be reached"):
        PostgresStore("postgresql:///postgres?host=/nowhere", patience=0.1)
