"""Whoever can write to the database or has its files: what he changes is named at the start and by the audit."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from scripts.tools import tamper_test
from scripts.tools.tamper_test import NOW, audit, build, floor_at
from tests.floor.indoors import Indoors, indoors
from tests.floor.serving import HASHER, PASSWORD

from puntobanco.cli import main
from puntobanco.floor.floor import open_floor
from puntobanco.floor.office import LOG, FloorError
from puntobanco.floor.people import Session, key_of
from puntobanco.floor.settings import FloorSettings
from puntobanco.floor.wire import NewPerson, Stop
from puntobanco.store import PrivateKey
from puntobanco.store.logs import open_store


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("floor") / "floor"
    folder.mkdir()
    build(folder)
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "floor"))


def change(folder: Path, sql: str) -> None:
    connection = apsw.Connection(str(folder / "record.db"))
    connection.execute(sql)
    assert connection.changes()
    connection.close()


CHANGES = {
    "update accounts set balance = 99999900 where name = 'ann'": "account ann holds 999999.00 SGD, and by the record",
    "delete from accounts where name = 'bob'": "account bob holds 0.00 SGD, and by the record 1000.00 SGD",
    "insert into accounts values ('eve', 'SGD', 5)": "account eve holds 0.05 SGD, and by the record 0.00 SGD",
    "delete from postings where id = 'ann:second'": "posting ann:second of -50.00 SGD is not in the database",
    "update postings set amount = 1 where id = 'bob:first'": "posting bob:first is not as it was signed: 0.01 SGD",
    "insert into postings values ('x', 'eve', 'SGD', 5, 1)": "posting x (0.05 SGD for eve) was never signed",
    "delete from entries where log = '@office' and version > 3": "the floor's log ends at entry 3, and",
    "delete from entries where log = '@office'": "the floor's log ends at entry 0, and",
    "update documents set content = cast(replace(content, 'player', 'admin') as blob) where key = 'ann'": (
        "person ann is not as the floor's log has it"
    ),
    "delete from documents where kind = 'stop'": "is not as the floor's log has it",
    "delete from faults": "the fault of L1 was removed, and nobody has cleared it",
    "delete from entries where log = 'L1' and version > 5": "the log of table L1 ends at version 5, and was witnessed",
    "delete from entries where log = 'L1'": "table L1 is not in the record, and was witnessed at version",
    "delete from entries where log = 'L1' and last = (select max(last) from entries where log = 'L1')": (
        "the database is an older one"
    ),
    "update entries set line = cast(replace(line, '3c', '3d') as blob) where log = 'L1'": (
        "the log of table L1 is not the one that was witnessed"
    ),
    "update entries set line = cast('x' as blob) where log = 'L1' and version = 3": "L1",
    "update documents set content = cast('x' as blob) where kind = 'person'": "is not as the floor's log has it",
}


@pytest.mark.parametrize("sql", CHANGES)
def test_what_is_changed_in_the_database_is_named(folder: Path, sql: str) -> None:
    change(folder, sql)
    assert any(CHANGES[sql] in said for said in audit(folder)), audit(folder)


def test_nothing_is_named_where_nothing_was_changed(folder: Path) -> None:
    assert audit(folder) == ()


def test_a_log_under_another_key_stops_its_table(folder: Path) -> None:
    (folder / "house.key").unlink()
    PrivateKey.generate().save(folder / "house.key")
    (folder / "witness.jsonl").unlink()
    floor = floor_at(folder)
    floor.host.keeper.clear_fault("L1")
    floor.host.keeper.start(NOW)
    assert floor.host.keeper.faults["L1"].reason == "the log of table L1 is signed by another key than this house's"
    floor.store.close()


def test_an_older_database_beside_a_newer_witness_stops_its_table(folder: Path) -> None:
    change(folder, "delete from entries where log = 'L1' and version > 12")
    change(folder, "delete from beside where log = 'L1'")
    floor = floor_at(folder)
    floor.host.keeper.clear_fault("L1")
    floor.host.keeper.start(NOW)
    assert floor.host.keeper.faults["L1"].reason.endswith("the database is an older one")
    with pytest.raises(FloorError, match="the database is an older one"):
        floor.host.clear_fault_now("root", "L1", "it is nothing")
    floor.store.close()


def test_a_session_in_the_database_lets_nobody_in(folder: Path) -> None:
    floor = floor_at(folder)
    forged = Session("root", NOW, NOW)
    floor.people._sessions.put(key_of("my own token"), forged)
    assert floor.people.who("my own token", NOW) is None
    assert floor.people.forged() == ["a session of root is not the house's"]
    token, _ = floor.people.sign_in(NOW, "root", PASSWORD, "here")
    found = floor.people.who(token, NOW)
    assert found is not None
    assert found.person == "root"
    floor.store.close()


def test_somebody_looks_and_accepts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(folder, "update accounts set balance = 7 where name = 'bob'")
    change(folder, "delete from documents where kind = 'stop'")
    audited = ["admin", "audit", "--folder", str(folder)]
    with pytest.raises(SystemExit) as ended:
        main(audited)
    assert ended.value.code == 1
    assert "account bob holds 0.07 SGD, and by the record 1000.00 SGD" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main([*audited, "--accept"])
    assert ended.value.code == 2
    main([*audited, "--accept", "--why", "restored by hand"])
    assert capsys.readouterr().out.endswith("accepted\n")
    assert audit(folder) == ()


def test_the_key_must_not_be_for_everybody(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.chmod(folder / "house.key", 0o644)
    with pytest.raises(SystemExit) as ended:
        main(["admin", "audit", "--folder", str(folder)])
    assert ended.value.code == 2
    assert "can be read by everybody on this machine: chmod 600" in capsys.readouterr().err


def test_files_are_for_their_own_account(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        floor = open_floor(FloorSettings(folder=str(tmp_path / "new")), HASHER)
        floor.people.add("setup", NOW, NewPerson("root", "admin", PASSWORD))
        floor.installation.set_up(NOW)
        modes = {file.name: file.stat().st_mode & 0o777 for file in floor.folder.iterdir()}
        assert {"house.key", "shoes.key", "record.db", "shoes.db", "witness-office.jsonl"} <= modes.keys()
        assert set(modes.values()) == {0o600}, modes
        assert floor.folder.stat().st_mode & 0o777 == 0o700
        floor.store.close()
    finally:
        os.umask(before)


def test_a_pin_cannot_be_guessed_from_the_database_alone(folder: Path) -> None:
    """Whoever has a backup and not the key file tries all four digits on his own machine, in vain."""
    stolen = open_store(str(folder / "record.db"))
    try:
        secret = stolen.document("secret", "sam")
        assert secret is not None
        assert b'"pin":"p:$argon2' in secret.value
    finally:
        stolen.close()
    floor = floor_at(folder)
    hashed = floor.people._secrets.get("sam")
    assert hashed is not None
    with pytest.raises(Exception, match="does not match"):
        floor.people._hasher.verify(hashed.pin.removeprefix("p:"), "2580")
    assert floor.people.check_pin(NOW, "sam", "2580", "here").person == "sam"
    floor.store.close()


def test_what_is_removed_goes_with_its_entry(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is killed after any of its writes leaves nothing that the floor's log says is gone."""
    floor = floor_at(folder)
    heard: list[tuple[str, ...]] = []
    real = floor.store._do  # type: ignore[attr-defined]

    def do(work: Any, *names: str, log: str = "") -> Any:
        heard.append((log, *names))
        return real(work, *names, log=log)

    monkeypatch.setattr(floor.store, "_do", do)
    before = [kind for kind in ("call", "device", "stop") if floor.store.documents(kind)]
    assert before == ["call", "device", "stop"]
    floor.calls.clear("sam", NOW, "L1")
    floor.people.remove_device("root", NOW, "eye")
    floor.people.lift("root", NOW, Stop("person", "bob", "back again"))
    assert {*heard} == {(LOG, f"documents:{kind}") for kind in before}
    assert not any(floor.store.documents(kind) for kind in before)
    assert not floor.calls.all()
    assert floor.audit() == []
    floor.store.close()


# --- at the start of a server


@pytest.fixture
def house() -> Iterator[Indoors]:
    with indoors() as found:
        found.open_live("T1")
        found.give("ann", "T1", "join", {"do": "join", "person": "ann", "box": 1})
        yield found


def test_a_server_says_at_its_start_what_is_wrong(house: Indoors, caplog: pytest.LogCaptureFixture) -> None:
    house.close()
    change(house.folder, "update accounts set balance = balance + 1 where name = 'ann'")
    house.serve_again()
    health = house.http.get("/health").json()
    assert "the audit found 1 thing amiss" in health["faults"]["*"]
    refused = house.give("bob", "T1", "b", {"do": "join", "person": "bob", "box": 2})
    assert "the audit found" in refused.json()["message"]
    told = str(health) + refused.text + house.ask("bob", "GET", "/api/tables").text
    assert "ann" not in told, "whose account it is, and what is on it, is for the house"
    (entry,) = house.entries("audit failed")
    assert entry["after"].startswith("account ann holds")
    assert "the audit found: account ann holds" in caplog.text


# --- by chance


def test_random_changes_are_named_or_do_no_harm() -> None:
    found = tamper_test.run(60, seed=7)
    missed = [each for each in found if not each.said and not each.harmless]
    assert not missed
    assert sum(bool(each.said) for each in found) > len(found) // 3
