"""Several processes at one store: what one writes the others hear, and what one holds no other does while it lives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.patience import until
from tests.store.build import KEY, NOW, append, log_of, play, settings
from tests.store.proxy import Proxy
from tests.store.server import PostgresServer
from tests.store.test_contract import Ear
from tests.store.test_crash import proxy as proxy

from puntobanco.store import (
    Answer,
    Document,
    Fault,
    Keeper,
    Posting,
    StaleError,
    Store,
    UnavailableError,
    open_store,
    verify_log,
)
from puntobanco.store.base import ANYTHING
from puntobanco.store.postgres import PostgresStore
from puntobanco.store.sqlite import SqliteStore
from puntobanco.table import commands as c
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.refusals import Refusal

ROOT = Path(__file__).parents[2]

HOLDER = """
import sys
import threading
from puntobanco.store import open_store

store = open_store(sys.argv[1])
print(store.alone(), *(store.claim(name) for name in sys.argv[2:]), flush=True)
sys.stdin.read()
"""


@contextmanager
def holder(address: str, *names: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Another process that serves from a store and claims names; what it was told."""
    command = [sys.executable, "-c", HOLDER, address, *names]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().split()
        finally:
            process.kill()


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "record.db")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.schema()


# --- claims


def test_a_claim_ends_with_its_process(address: str) -> None:
    with holder(address, "T1", "T2") as (process, told):
        assert told == ["True", "True", "True"]
        store = open_store(address)
        assert not store.alone()
        assert not store.claim("T1")
        process.send_signal(signal.SIGKILL)
        process.wait()
        until(lambda: store.claim("T1"))
        assert store.claim("T2")
        assert not store.alone(), "what was so at the start stays so"
    store.close()
    again = open_store(address)
    assert again.alone()
    assert again.claim("T1")
    again.close()


def test_a_claim_ends_with_its_store(address: str) -> None:
    first, second = open_store(address), open_store(address)
    assert first.claim("T1")
    assert not second.claim("T1")
    first.close()
    until(lambda: second.claim("T1"))
    second.close()


def test_a_file_has_one_process_that_serves(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "record.db")
    assert store.alone()
    with holder(str(tmp_path / "record.db"), "T1", "T2") as (_, told):
        assert told == ["False", "False", "False"]
    store.release("T1")
    store.close()
    assert not store.claim("T1")


def test_a_lock_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "record.db")
    (tmp_path / "record.db.lock").mkdir()
    with pytest.raises(UnavailableError, match=r"record\.db\.lock cannot be opened: Is a directory"):
        store.claim("T1")
    store.close()


def test_who_only_reads_claims_nothing(address: str) -> None:
    open_store(address).close()
    store = open_store(address, read_only=True)
    for ask in (lambda: store.claim("T1"), store.alone, lambda: store.keep(Document("a", "b", b""))):
        with pytest.raises(UnavailableError, match="reading only"):
            ask()
    store.close()


def test_processes_share_the_names_of_a_database(postgres: PostgresServer) -> None:
    address = postgres.schema()
    first, second = PostgresStore(address), PostgresStore(address)
    elsewhere = PostgresStore(postgres.schema())
    assert (first.claim("T1"), second.claim("T1"), elsewhere.claim("T1")) == (True, False, True)
    assert (second.claim("T2"), first.claim("T2")) == (True, False)
    first.release("T1")
    assert second.claim("T1")
    assert not first.claim("T1")
    assert [store.alone() for store in (first, second, elsewhere)] == [True, False, True]
    for store in (first, second, elsewhere):
        store.close()


def end_sessions(server: PostgresServer) -> None:
    with psycopg.connect(server.address, autocommit=True) as connection:
        connection.execute(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity"
            " where pid <> pg_backend_pid() and backend_type = 'client backend'"
        )


def test_no_claim_is_believed_after_its_connection_was_lost(postgres: PostgresServer) -> None:
    address = postgres.schema()
    first, second = PostgresStore(address), PostgresStore(address)
    assert first.alone()
    assert first.claim("T1")
    end_sessions(postgres)
    assert second.claim("T1"), "it is free"
    assert not first.claim("T1")
    assert first.claim("T2"), "with a new connection"
    assert not second.alone(), "and the first is still there"
    end_sessions(postgres)
    first.release("T2")
    assert second.claim("T2")
    for store in (first, second):
        store.close()


def test_nothing_is_held_while_the_database_is_gone() -> None:
    with PostgresServer() as server:
        store = PostgresStore(server.schema(), patience=0.2)
        assert store.claim("T1")
        server.stop(signal.SIGQUIT)
        assert not store.claim("T1")
        store.release("T1")
        with pytest.raises(UnavailableError):
            store.alone()
        server.start()
        assert store.claim("T1")
        store.close()


# --- listening


def test_what_another_process_writes_is_heard(postgres: PostgresServer) -> None:
    address = postgres.schema()
    here, there, elsewhere = PostgresStore(address), PostgresStore(address), PostgresStore(postgres.schema())
    ear, stranger = Ear(), Ear()
    stop = here.listen(ear)
    deaf = here.listen(stranger, own=False)
    here.append(append("T7", 0, 1, "c1"))
    elsewhere.append(append("T9", 0, 1, "c1"))
    there.append(append("T1", 0, 1, "c1", documents=(Document("person", "ann", b""),)))
    assert "T9" not in ear.wait_for("T1", "documents:person")
    assert "T7" not in stranger.wait_for("T1", "documents:person")  # whoever wrote it knows
    deaf()
    there.keep(Document("stop", "T1", b""))
    ear.wait_for("documents:stop")
    there.forget("stop", "T1")
    ear.wait_for("documents:stop")
    stop()
    for store in (here, there, elsewhere):
        store.close()


def test_a_listener_is_told_that_it_may_have_missed_something(postgres: PostgresServer) -> None:
    address = postgres.schema()
    here, there = PostgresStore(address), PostgresStore(address)
    ear = Ear()
    here.listen(ear)
    for number in range(3):
        end_sessions(postgres)
        ear.wait_for(ANYTHING)
        there.append(append("T1", number, 1, f"c{number}"))
        ear.wait_for("T1")
    here.close()
    there.close()
    with pytest.raises(UnavailableError):
        here.listen(ear)


def test_a_listener_outlives_its_server(monkeypatch: pytest.MonkeyPatch) -> None:
    with PostgresServer() as server:
        store = PostgresStore(server.schema(), patience=0.2)
        ear = Ear()
        store.listen(ear)
        tries = 0
        connect = psycopg.connect

        def try_to(*arguments: Any, **options: Any) -> Any:
            nonlocal tries
            tries += 1
            return connect(*arguments, **options)

        monkeypatch.setattr(psycopg, "connect", try_to)
        server.stop(signal.SIGQUIT)
        until(lambda: tries > 1, "it does not try again")
        server.start()
        ear.wait_for(ANYTHING)
        store.patience = 10
        store.append(append("T1", 0, 1, "c1"))
        ear.wait_for("T1")
        server.stop(signal.SIGQUIT)
        store.close()


@pytest.mark.parametrize("delivered", [False, True])
@pytest.mark.parametrize("direction", ["to_server", "to_client"])
def test_a_document_is_kept_once_over_a_connection_lost_at_any_message(
    postgres: PostgresServer, proxy: Proxy, direction: str, delivered: bool
) -> None:
    """The last message may be the commit: then the second attempt finds its own work, not somebody else's."""
    store = PostgresStore(proxy.address(postgres.schema()))
    for messages in range(1, 4):
        proxy.cut_after(direction, messages, delivered=delivered)
        before = proxy.cuts
        documents = [Document("person", f"{name} {messages}", b"1") for name in ("ann", "ben")]
        store.keep(*documents)
        assert proxy.cuts == before + 1
        with pytest.raises(StaleError):
            store.keep(*documents)
    assert [each.version for each in store.documents("person").values()] == [1] * 6
    store.close()


# --- keepers


def test_a_fault_set_by_another_process_is_seen(postgres: PostgresServer) -> None:
    address = postgres.schema()
    first, second = PostgresStore(address), PostgresStore(address)
    here, _ = play(1, store=first)
    here.start(NOW)
    there = Keeper(second, KEY)
    there.start(NOW)
    there.set_fault("T1", NOW, "the drawer is open")
    until(lambda: "T1" in here.faults)
    assert isinstance(here.give("T1", Command("x", HOUSE, NOW, c.Call())), Refusal)
    there.clear_fault("T1")
    until(lambda: not here.faults)
    end_sessions(postgres)
    second.set_fault(Fault("T1", NOW, "while nobody could hear"))
    until(lambda: "T1" in here.faults)
    first.close()
    second.close()


def test_a_keeper_reads_on_where_others_have_written(postgres: PostgresServer) -> None:
    address = postgres.schema()
    first, second = PostgresStore(address), PostgresStore(address)
    here, player = play(1, store=first)
    there = Keeper(second, KEY)
    assert there.refresh("T1") == here.table("T1")
    heard = Ear()
    second.listen(heard)
    for _ in range(5):
        seen = there.table("T1")
        assert seen is not None
        player.step()
        heard.wait_for("T1")
        assert there.refresh("T1") == here.table("T1")
        assert there.records("T1", seen.version) == list(player.answers[-1].records)
    first.close()
    second.close()


def test_keepers_that_send_many_commands_at_once_take_turns(postgres: PostgresServer) -> None:
    """Two processes send runs of commands to one table: each command has one effect, the chain stays whole."""
    address = postgres.schema()
    stores: list[Store] = [PostgresStore(address), PostgresStore(address)]
    keepers = [Keeper(store, KEY) for store in stores]
    opened = Command("open", HOUSE, NOW, c.OpenTable(settings()))
    assert isinstance(keepers[0].give("T1", opened), Answer)
    joined = Command("join", "ann", NOW, c.Join("ann", 1))
    assert isinstance(keepers[0].give("T1", joined), Answer)
    stores[0].post(Posting("p", "ann", "SGD", 5_000_00, NOW))

    answers: dict[int, list[Answer | Refusal]] = {0: [], 1: []}

    def send(number: int) -> None:
        for run in range(8):
            commands = [
                Command(
                    f"{number} {run} {each}", "ann", NOW, c.BuyIn("ann", 1_00 if each != 3 else 9_000_00, "account")
                )
                for each in range(6)
            ]
            answers[number] += keepers[number].give_all("T1", commands)

    threads = [threading.Thread(target=send, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for found in answers.values():
        assert [isinstance(each, Answer) for each in found] == [place % 6 != 3 for place in range(48)]
    assert stores[0].balance("ann", "SGD") == 5_000_00 - 2 * 8 * 5 * 1_00
    assert verify_log(log_of(keepers[0]), KEY.public).problem is None
    for store in stores:
        store.close()
