"""Shoes sealed at rest: keys in a file of their own, three vaults with one contract."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest
from tests.patience import until
from tests.store.proxy import Proxy
from tests.store.server import PostgresServer

from puntobanco.shoes.commit import ShoeSecret
from puntobanco.shoes.keys import (
    Key,
    KeyFileError,
    KeyRing,
    create_key_file,
    load_key_file,
    retire_keys,
    rotate_key_file,
)
from puntobanco.shoes.postgres_vault import PostgresVault
from puntobanco.shoes.vault import (
    Label,
    MemoryVault,
    SqliteVault,
    Vault,
    VaultError,
    key_id,
    keys_in_use,
    open_vault,
    reseal,
    seal,
    unseal,
)
from puntobanco.store.backups import backup
from puntobanco.store.postgres import PostgresStore

LABEL = Label("T1", 1, "00")
Address = Callable[[str], str]


@pytest.fixture
def keys() -> KeyRing:
    return KeyRing([Key.fresh()])


KINDS = ("memory", "sqlite", "postgres")


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Address:
    """Where a new vault of a kind is."""

    def make(kind: str) -> str:
        if kind == "sqlite":
            return str(tmp_path / "shoes.vault")
        server: PostgresServer = request.getfixturevalue("postgres")
        return server.schema()

    return make


@pytest.fixture(params=KINDS)
def vault(request: pytest.FixtureRequest, address: Address) -> Iterator[Vault]:
    found = MemoryVault() if request.param == "memory" else open_vault(address(request.param))
    yield found
    found.close()


# --- sealing


def test_what_is_sealed_comes_back(keys: KeyRing) -> None:
    secret = ShoeSecret.fresh(8)
    back = unseal(seal(secret, LABEL, keys), LABEL, keys)
    assert (back.salt, back.order) == (secret.salt, secret.order)


def test_the_layout_is_as_documented(keys: KeyRing) -> None:
    sealed = seal(ShoeSecret.fresh(8), LABEL, keys)
    assert len(sealed) == 1 + 8 + 12 + 32 + 416 + 16
    assert sealed[0] == 1
    assert sealed[1:9] == key_id(sealed) == keys.current.id


def test_the_same_shoe_is_never_sealed_alike(keys: KeyRing) -> None:
    secret = ShoeSecret.fresh(1)
    assert len({seal(secret, LABEL, keys)[9:21] for _ in range(100)}) == 100


def test_every_bit_is_authenticated(keys: KeyRing) -> None:
    sealed = seal(ShoeSecret.fresh(1), LABEL, keys)
    for place in range(len(sealed)):
        changed = bytearray(sealed)
        changed[place] ^= 1 << place % 8
        with pytest.raises(VaultError):
            unseal(bytes(changed), LABEL, keys)
    for length in range(len(sealed)):
        with pytest.raises(VaultError):
            unseal(sealed[:length], LABEL, keys)


@pytest.mark.parametrize(
    "other",
    [
        Label("T2", 1, "00"),
        Label("T1", 2, "00"),
        Label("T1", 1, "01"),
        Label("", 1, "T100"),
    ],
)
def test_one_shoe_cannot_pass_for_another(keys: KeyRing, other: Label) -> None:
    with pytest.raises(VaultError, match=f"shoe {other.shoe} of table {other.table} cannot be opened"):
        unseal(seal(ShoeSecret.fresh(1), LABEL, keys), other, keys)


def test_without_the_key_nothing_opens(keys: KeyRing) -> None:
    sealed = seal(ShoeSecret.fresh(1), LABEL, keys)
    with pytest.raises(VaultError, match=f"under key {keys.current.id.hex()}, which is not in the key file"):
        unseal(sealed, LABEL, KeyRing([Key.fresh()]))
    other = Key.fresh()
    renamed = sealed[:1] + other.id + sealed[9:]
    with pytest.raises(VaultError, match="cannot be opened"):
        unseal(renamed, LABEL, KeyRing([other]))


# --- vaults


def test_a_shoe_is_put_once(vault: Vault, keys: KeyRing) -> None:
    first, second = (seal(ShoeSecret.fresh(1), LABEL, keys) for _ in range(2))
    vault.put(LABEL, first)
    with pytest.raises(VaultError, match="shoe 1 of table T1 is already in the vault"):
        vault.put(LABEL, second)
    assert vault.get(LABEL) == first


def test_what_is_not_there(vault: Vault) -> None:
    assert vault.labels() == ()
    for ask in (lambda: vault.get(LABEL), lambda: vault.replace(LABEL, b"x")):
        with pytest.raises(VaultError, match="shoe 1 of table T1 is not in the vault"):
            ask()
    assert vault.labels() == ()


def test_labels_in_order(vault: Vault) -> None:
    labels = [Label("T2", 1, "b"), Label("T1", 10, "a"), Label("T1", 9, "c"), Label("T1", 9, "b")]
    for label in labels:
        vault.put(label, b"sealed")
    assert vault.labels() == tuple(sorted(labels))


def test_rotation_of_keys(vault: Vault, tmp_path: Path) -> None:
    path = tmp_path / "shoes.key"
    old = create_key_file(path)
    secrets = {Label("T1", number, "c"): ShoeSecret.fresh(1) for number in range(1, 6)}
    for label, secret in secrets.items():
        vault.put(label, seal(secret, label, old))
    both = rotate_key_file(path)
    assert [key.id for key in both] == [both.current.id, old.current.id]
    assert both.current.id != old.current.id
    late = Label("T2", 1, "c")
    secrets[late] = ShoeSecret.fresh(1)
    vault.put(late, seal(secrets[late], late, both))
    # nothing is dropped as long as it is needed
    assert [key.id for key in retire_keys(path, keys_in_use(vault))] == [key.id for key in both]
    assert reseal(vault, load_key_file(path)) == 5
    assert reseal(vault, load_key_file(path)) == 0
    new = retire_keys(path, keys_in_use(vault))
    assert [key.id for key in load_key_file(path)] == [both.current.id]
    for label, secret in secrets.items():
        assert unseal(vault.get(label), label, new).order == secret.order
        with pytest.raises(VaultError, match="not in the key file"):
            unseal(vault.get(label), label, old)


def test_an_interrupted_rotation_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "shoes.key"
    create_key_file(path)
    (tmp_path / "shoes.key.new").write_text("half a ke")
    assert len(rotate_key_file(path)) == 2
    assert sorted(file.name for file in tmp_path.iterdir()) == ["shoes.key"]


@pytest.mark.parametrize("kind", KINDS[1:])
def test_what_was_put_is_there_after_a_restart(kind: str, address: Address, keys: KeyRing) -> None:
    place, secret = address(kind), ShoeSecret.fresh(8)
    first = open_vault(place)
    first.put(LABEL, seal(secret, LABEL, keys))
    first.close()
    with pytest.raises(VaultError):
        first.get(LABEL)
    again = open_vault(place)
    assert unseal(again.get(LABEL), LABEL, keys).order == secret.order
    again.close()


def test_the_file_of_a_vault_is_its_owners_alone(tmp_path: Path, keys: KeyRing) -> None:
    path, secret = tmp_path / "shoes.vault", ShoeSecret.fresh(8)
    with SqliteVault(path) as vault:
        vault.put(LABEL, seal(secret, LABEL, keys))
    assert path.stat().st_mode & 0o777 == 0o600
    with SqliteVault(path) as vault:
        assert unseal(vault.get(LABEL), LABEL, keys).order == secret.order
    assert [file.name for file in tmp_path.iterdir()] == ["shoes.vault"]


@pytest.mark.parametrize("kind", KINDS[1:])
def test_two_processes_may_use_a_vault(kind: str, address: Address) -> None:
    place = address(kind)
    first, second = open_vault(place), open_vault(place)
    first.put(LABEL, b"sealed")
    assert second.get(LABEL) == b"sealed"
    with pytest.raises(VaultError, match="already"):
        second.put(LABEL, b"other")
    second.replace(LABEL, b"again")
    assert first.get(LABEL) == b"again"
    first.close()
    second.close()


def test_threads_may_share_a_vault(vault: Vault) -> None:
    threads = [
        threading.Thread(target=lambda table: vault.put(Label(table, 1, "c"), b"s"), args=(f"T{number}",))
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(vault.labels()) == 8


def test_many_may_make_the_table_of_a_vault_at_once(address: Address) -> None:
    place = address("postgres")
    with ThreadPoolExecutor(8) as threads:
        vaults = list(threads.map(lambda _: open_vault(place), range(8)))
    vaults[0].put(LABEL, b"sealed")
    assert all(vault.get(LABEL) == b"sealed" for vault in vaults)
    for vault in vaults:
        vault.close()


@pytest.mark.parametrize("delivered", [False, True])
@pytest.mark.parametrize("direction", ["to_server", "to_client"])
def test_a_shoe_is_put_once_over_a_connection_lost_at_any_message(
    postgres: PostgresServer, proxy: Proxy, direction: str, delivered: bool
) -> None:
    """The last message may be the commit: then the second attempt finds its own shoe, not somebody else's."""
    vault = open_vault(proxy.address(postgres.schema()))
    for messages in range(1, 4):
        proxy.cut_after(direction, messages, delivered=delivered)
        before, label = proxy.cuts, Label("T1", messages, "c")
        vault.put(label, b"sealed")
        with pytest.raises(VaultError, match="already"):
            vault.put(label, b"sealed")
        # messages may travel together, and the last one is cut off after its delivery
        until(lambda: proxy.cuts > before)  # noqa: B023
        assert proxy.cuts == before + 1
    assert len(vault.labels()) == 3
    vault.close()


def test_a_vault_that_cannot_be_reached() -> None:
    with pytest.raises(VaultError, match="cannot be reached"):
        PostgresVault("postgresql:///postgres?host=/nowhere", patience=0.1)
    with pytest.raises(VaultError, match="the vault fails"):
        PostgresVault("postgresql:///postgres?nonsense=1", patience=0.1)


def test_what_no_vault_can_hold(address: Address) -> None:
    with PostgresVault(address("postgres")) as vault:
        with pytest.raises(VaultError, match="the vault fails"):
            vault.put(Label("T\0", 1, "c"), b"sealed")
        with pytest.raises(VaultError, match="the vault fails"):
            vault.put(Label("T1", 2**70, "c"), b"sealed")
        vault.put(LABEL, b"sealed")


def test_a_vault_in_the_logs_own_database_is_in_no_backup(address: Address, tmp_path: Path) -> None:
    place = address("postgres")
    store, vault = PostgresStore(place), open_vault(place)
    vault.put(LABEL, b"sealed")
    assert backup(store, tmp_path / "backup") == 0
    vault.close()
    store.close()


def test_a_file_that_is_no_vault(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_bytes(b"these are no pages of a database" * 100)
    with pytest.raises(VaultError, match=f"vault {path}: .*not a database"):
        SqliteVault(path)
    with pytest.raises(VaultError, match="cannot be opened: No such file or directory"):
        SqliteVault(tmp_path / "no" / "folder")
    with pytest.raises(VaultError, match="cannot be opened: Is a directory"):
        SqliteVault(tmp_path)
    later = tmp_path / "later"
    SqliteVault(later).close()
    connection = apsw.Connection(str(later))
    connection.pragma("user_version", 2)
    connection.close()
    with pytest.raises(VaultError, match="version 2; this program knows version 1"):
        SqliteVault(later)


# --- key files


def test_a_key_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "shoes.key"
    ring = create_key_file(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [key.id for key in load_key_file(path)] == [ring.current.id]
    with pytest.raises(KeyFileError, match="already exists: a key file is never overwritten"):
        create_key_file(path)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o660, 0o644, 0o610, 0o777])
def test_a_key_file_that_others_may_use_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "shoes.key"
    create_key_file(path)
    path.chmod(mode)
    with pytest.raises(KeyFileError, match=rf"is open to others \(mode {mode:04o}\): chmod 600 {path}"):
        load_key_file(path)
    with pytest.raises(KeyFileError, match="open to others"):
        rotate_key_file(path)
    path.chmod(0o400)
    load_key_file(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_a_key_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "shoes.key"
    create_key_file(path)
    os.chown(path, 12345, 12345)
    with pytest.raises(KeyFileError, match=r"belongs to another user \(12345\)"):
        load_key_file(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no key"),
        ("# only a remark\n\n", "holds no key"),
        ("00" * 31, "line 1: a key is 64 hexadecimal digits"),
        ("# x\n" + "00" * 32 + "\nsecret words\n", "line 3: a key is 64 hexadecimal digits"),
        ("\xff" * 64, "line 1: a key is 64"),
        ("#" * 70_000, "larger than 65,536 bytes"),
    ],
)
def test_a_key_file_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "shoes.key"
    path.write_bytes(text.encode("latin-1"))
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match=message) as caught:
        load_key_file(path)
    assert "secret words" not in str(caught.value)
    assert "00" * 31 not in str(caught.value)


def test_key_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="cannot be read: No such file"):
        load_key_file(tmp_path / "none")
    with pytest.raises(KeyFileError, match="cannot be read: Is a directory"):
        load_key_file(tmp_path)
    with pytest.raises(KeyFileError, match="cannot be written: No such file"):
        create_key_file(tmp_path / "no" / "folder")
    with pytest.raises(KeyFileError, match="is not a plain file"):
        load_key_file(Path("/dev/null"))
    with pytest.raises(KeyFileError, match="there is no key"):
        KeyRing([])
    with pytest.raises(KeyFileError, match="32 bytes, not 5"):
        Key(b"short")


def test_keys_show_nothing_and_are_not_written_out(keys: KeyRing) -> None:
    key = keys.current
    assert repr(key) == f"<Key {key.id.hex()}>"
    assert repr(keys) == "<KeyRing of 1>"
    assert key.id not in key.secret
    for secret in (key, keys):
        for write in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="neither pickled nor copied"):
                write(secret)


# --- a crash

WRITER = """
import sys
from pathlib import Path
from puntobanco.shoes.commit import ShoeSecret
from puntobanco.shoes.keys import load_key_file
from puntobanco.shoes.vault import Label, open_vault, seal

keys, vault = load_key_file(Path(sys.argv[1])), open_vault(sys.argv[2])
begin = len(vault.labels()) + 1
for number in range(begin, begin + 100_000):
    secret = ShoeSecret.fresh(8)
    label = Label("T1", number, secret.commitment("00" * 32))
    vault.put(label, seal(secret, label, keys))
    print(number, label.commitment, flush=True)
"""


@pytest.mark.parametrize("kind", KINDS[1:])
def test_what_was_put_survives_a_kill(kind: str, address: Address, tmp_path: Path) -> None:
    """The writing process is killed at any moment; every shoe that it had spoken of opens, and is the one meant."""
    keys, place, spoken = create_key_file(tmp_path / "key"), address(kind), []
    for kill in range(5):
        command = [sys.executable, "-c", WRITER, str(tmp_path / "key"), place]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            spoken += [process.stdout.readline().split() for _ in range(5 + 7 * kill)]
            process.kill()
            spoken += [line.split() for line in process.stdout.read().splitlines()]
    vault = open_vault(place)
    for number, commitment in (line for line in spoken if len(line) == 2):
        label = Label("T1", int(number), commitment)
        assert unseal(vault.get(label), label, keys).commitment("00" * 32) == commitment
    assert len(vault.labels()) - len(spoken) in range(-5, 6)  # put, and killed before it was said
    vault.close()
