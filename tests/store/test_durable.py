"""What was acknowledged is on the disk: the settings that say so are read back, and syncs are looked at.

Processes that are killed show none of this, for the system writes on without them; only a power cut would.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.store.build import KEY, Player, append
from tests.store.disk import Disk
from tests.store.server import PostgresServer

from puntobanco.shoes.keys import create_key_file, rotate_key_file
from puntobanco.shoes.postgres_vault import PostgresVault
from puntobanco.shoes.vault import Label, SqliteVault
from puntobanco.store import Keeper, MemoryStore
from puntobanco.store.backups import backup
from puntobanco.store.postgres import PostgresStore
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.witness import Witness

FULL, EXTRA = 2, 3
"""As SQLite counts how synchronous it is."""
CARELESS = "%20-csynchronous_commit%3Doff"
"""Added to an address: sessions that wait for no disk unless they ask for it."""


class Syncs:
    """Stands before ``os.fsync``, and keeps what each file held when it was synced; of a folder, the names in it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[tuple[Path, bytes | list[str]]] = []
        self._sync = os.fsync
        monkeypatch.setattr(os, "fsync", self)

    def __call__(self, descriptor: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        held = sorted(os.listdir(path)) if path.is_dir() else path.read_bytes()
        self.made.append((path, held))
        self._sync(descriptor)

    def of(self, path: Path) -> list[bytes | list[str]]:
        return [held for synced, held in self.made if synced == path]


# --- SQLite


def test_the_connection_that_writes_the_record_waits_for_the_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "record.db")
    for _ in range(2):
        found = store._do(lambda writer: (writer.pragma("journal_mode"), writer.pragma("synchronous"))).result()
        assert found == ("wal", FULL)
        store.close()
        store = SqliteStore(tmp_path / "record.db")  # one that is there already is no different
    store.close()


def test_what_is_appended_is_synced_before_anybody_hears_of_it(tmp_path: Path) -> None:
    disk = Disk()
    store = SqliteStore(tmp_path / "record.db", vfs=disk.name)
    for after in range(5):
        before = len(disk.operations)
        store.append(append("T1", after, 1, f"c{after}"))
        made = [(operation.kind, operation.file) for operation in disk.operations[before:]]
        assert ("write", "record.db-wal") in made
        assert made[-1] == ("sync", "record.db-wal")
    store.close()


def test_the_connection_of_the_vault_waits_for_the_disk_and_leaves_nothing_behind(tmp_path: Path) -> None:
    vault = SqliteVault(tmp_path / "shoes.db")
    vault.put(Label("T1", 1, "c"), b"sealed")
    with vault._using() as connection:
        found = [connection.pragma(name) for name in ("journal_mode", "synchronous", "secure_delete")]
    assert found == ["delete", EXTRA, 1]
    vault.close()


# --- PostgreSQL


def test_a_record_on_a_careless_server_waits_for_the_disk_all_the_same(postgres: PostgresServer) -> None:
    store = PostgresStore(postgres.schema() + CARELESS)
    store.append(append("T1", 0, 1, "c1"))
    assert store._idle, "the connections that wrote"
    for connection in store._idle:
        assert connection.execute("show synchronous_commit").fetchone() == ("on",)
    store.close()


def test_a_vault_on_a_careless_server_waits_for_the_disk_all_the_same(postgres: PostgresServer) -> None:
    with PostgresVault(postgres.schema() + CARELESS) as vault:
        vault.put(Label("T1", 1, "c"), b"sealed")
        assert vault._connection is not None
        assert vault._connection.execute("show synchronous_commit").fetchone() == ("on",)


# --- files


def test_every_checkpoint_is_synced_to_the_witness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    syncs, file = Syncs(monkeypatch), tmp_path / "witness"
    keeper = Keeper(MemoryStore(), KEY, witness=Witness(file))
    player = Player(keeper, "T1", 1)
    player.open()
    for _ in range(4):
        player.rounds(1)
        assert syncs.of(file)[-1] == file.read_bytes()
    lines = file.read_bytes().splitlines(keepends=True)
    assert syncs.of(file) == [b"".join(lines[:count]) for count in range(1, 5)], "one for each checkpoint"


def test_a_key_of_shoes_is_synced_with_the_folder_it_is_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    syncs, file = Syncs(monkeypatch), tmp_path / "shoes.key"
    create_key_file(file)
    assert syncs.made == [(file, file.read_bytes()), (tmp_path, ["shoes.key"])]
    syncs.made.clear()
    rotate_key_file(file)
    new = tmp_path / "shoes.key.new"
    assert syncs.made == [
        (new, file.read_bytes()),  # the old one is there until the new one is on the disk
        (tmp_path, ["shoes.key", "shoes.key.new"]),
        (tmp_path, ["shoes.key"]),
    ]


def test_a_backup_is_synced_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    syncs, file = Syncs(monkeypatch), tmp_path / "backup"
    store = MemoryStore()
    store.append(append("T1", 0, 3, "c1"))
    backup(store, file)
    ((unfinished, held),) = syncs.made
    assert unfinished.name.endswith(".part")
    assert held == file.read_bytes()
