"""A floor says what is wrong with it: a store that is gone or full, settings that are not the approved ones."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from tests.floor.indoors import Indoors, code_of, indoors
from tests.patience import until
from tests.store.disk import Disk, Operation
from tests.store.server import PostgresServer

from puntobanco.floor import floor as floors
from puntobanco.store.backups import backup, restore
from puntobanco.store.logs import open_store
from puntobanco.store.postgres import PostgresStore
from puntobanco.store.sqlite import SqliteStore

ROOT = Path(__file__).parents[2]

SHOE = {"do": "new_shoe", "evidence": "new"}


def figure(house: Indoors, name: str) -> float:
    lines = house.ask("", "GET", "/metrics").text.splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"puntobanco_{name} "))


def is_ready(house: Indoors) -> bool:
    """As the load balancer, whoever looks and the metrics are told."""
    status = house.ask("", "GET", "/ready").status_code
    health = house.must("", "GET", "/health")
    return bool(status == 200 and health["status"] == "ok" and figure(house, "ready") == 1)


def problems(house: Indoors) -> str:
    return "\n".join(house.must("", "GET", "/health")["problems"])


@contextmanager
def told(caplog: pytest.LogCaptureFixture, level: int = logging.INFO) -> Iterator[list[str]]:
    said: list[str] = []
    with caplog.at_level(level):
        yield said
        said += [record.getMessage() for record in caplog.records]


def test_readiness_follows_postgres(postgres: PostgresServer, caplog: pytest.LogCaptureFixture) -> None:
    with told(caplog) as said, indoors(store=postgres.schema()) as house:
        house.open_live("T1")
        assert is_ready(house)
        assert problems(house) == ""
        store = house.floor.store
        assert isinstance(store, PostgresStore)
        patience, store.patience = store.patience, 0.1  # once it is gone, nobody need wait to be sure
        postgres.stop()
        try:
            until(lambda: not is_ready(house), "the floor thinks that its store is there")
            assert figure(house, "store_up") == 0
            assert "the store" in problems(house)
            heard = [house.ask("", "GET", "/health").text, house.ask("ann", "GET", "/api/account").text]
            heard.append(house.give("dan", "T1", "b", SHOE).text)
            inside = ("port", "host", "socket", "connection", str(postgres.folder))
            assert not any(word in each for each in heard for word in inside)
        finally:
            store.patience = patience
            postgres.start()
        until(lambda: is_ready(house), "the floor does not find its store again")
        assert problems(house) == ""
        assert code_of(house.give("dan", "T1", "a", SHOE)) == ""
    assert sum(line.startswith("not ready: the") for line in said) == 1
    assert sum(line.startswith("ready: the store answers again") for line in said) == 1


def test_a_full_disk_is_told_until_something_can_be_written_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    full = False

    def write(_: int, operation: Operation) -> None:
        if full and operation.kind == "write":
            raise apsw.FullError("the disk is full")

    disk = Disk(write)
    monkeypatch.setattr(floors, "open_store", lambda address: SqliteStore(address, vfs=disk.name))
    with told(caplog) as said, indoors() as house:
        house.open_live("T1")
        full = True
        heard = [house.give("dan", "T1", "a", SHOE).text]
        assert '"unavailable"' in heard[0]
        with house.socket("dan") as socket:
            heard.append(str(socket.do("T1", "a", SHOE)))
        heard.append(house.ask("sam", "POST", "/api/stops", {"kind": "person", "name": "ann", "why": "x"}).text)
        until(lambda: not is_ready(house), "the floor thinks that it can write")
        assert "cannot be written" in problems(house)
        heard.append(house.ask("", "GET", "/health").text)
        assert not any(str(house.folder) in each or ".db" in each for each in heard), "that is for the log"
        full = False
        until(lambda: is_ready(house), "the floor does not try to write again")
        assert code_of(house.give("dan", "T1", "a", SHOE)) == ""
    assert any("not ready: " in line and "record.db cannot be written" in line for line in said)


def test_a_process_with_other_settings_refuses_itself_and_nobody_else(
    postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    address = postgres.schema()
    with indoors(store=address) as house, told(caplog) as said:
        house.open_live("T1")
        (house.folder / "other").mkdir()
        for key in ("house.key", "house.key.pub", "shoes.key"):
            shutil.copy(house.folder / key, house.folder / "other" / key)
        drifted = Indoors(house.folder / "other", store=address, idle=45)
        try:
            says = "the self-check found: the setting idle is 45, and 30 was approved"
            assert not is_ready(drifted)
            assert problems(drifted) == says
            assert code_of(drifted.give("dan", "T1", "a", SHOE)) == "table_closed"
            assert drifted.must("root", "POST", "/api/self-check")["ok"] is False
            assert (is_ready(house), house.must("", "GET", "/health")["faults"]) == (True, {})
            assert code_of(house.give("dan", "T1", "b", SHOE)) == ""
            # who approves the other settings there has this process refuse itself, and that one serve
            drifted.floor.sign_manifest("root", "longer sessions")
            until(lambda: is_ready(drifted), "an approved process does not serve")
            assert code_of(drifted.give("dan", "T1", "c", {"do": "call"})) == ""
        finally:
            drifted.close()
    assert any("sign-manifest" in line and says in line for line in said)


def test_faults_openings_and_closings_are_logged_with_their_remedy(caplog: pytest.LogCaptureFixture) -> None:
    with told(caplog) as said, indoors() as house:
        house.open_live("T1")
        house.floor.host.keeper.set_fault("T1", house.floor.host.clock(), "a page is torn")
        assert problems(house).startswith("table T1 out of order: a page is torn; keep a copy of the record")
        assert is_ready(house), "one table is not the floor"
        house.must("root", "POST", "/api/tables/T1/clear-fault", {"why": "looked at it"})
        assert problems(house) == ""
        house.must("mia", "POST", "/api/tables/T1/commands", {"id": "z", "body": close_table(house)})
    assert "table T1 opened by mia: super-six, layout A" in said
    assert any(line.startswith("out of order, table T1: a page is torn; keep a copy") for line in said)
    assert "table T1 closed" in said


def test_an_older_backup_beside_newer_witnesses_says_what_is_missing(caplog: pytest.LogCaptureFixture) -> None:
    with told(caplog) as said, indoors() as house:
        house.open_live("T1")
        assert code_of(house.give("dan", "T1", "a", SHOE)) == ""
        backup(house.floor.store, house.folder / "old.jsonl")
        had = house.floor.store.version("T1")
        house.must("mia", "POST", "/api/tables/T1/commands", {"id": "z", "body": close_table(house)})
        ended = house.floor.store.version("T1")
        house.close()
        for file in house.folder.glob("record.db*"):
            file.unlink()
        older = open_store(str(house.folder / "record.db"))
        restore(older, house.folder / "old.jsonl")
        older.close()
        house.serve_again()
        for name in ("mia", "dan", "root"):
            house.sign_in(name)  # a backup holds no sessions
        missing = f"the log of table T1 ends at version {had}, and was witnessed at version {ended}"
        assert missing in problems(house)
        assert "look for the newer record" in problems(house)
        (table,) = house.must("mia", "GET", "/api/tables")
        assert missing in table["fault"], "the pit sees it"
        assert code_of(house.give("dan", "T1", "b", {"do": "call"})) == "table_closed"
        answer = house.ask("root", "POST", "/api/tables/T1/clear-fault", {"why": "it is nothing"})
        assert "the database is an older one" in answer.json()["message"]
        assert missing in problems(house)
    assert any(missing in line and "out of order" in line for line in said)


def test_alerts_and_dashboard_ask_for_figures_that_there_are() -> None:
    with indoors() as house:
        told = house.ask("", "GET", "/metrics").text
    there = {line.split()[0].partition("{")[0] for line in told.splitlines() if not line.startswith("#")}
    for name in ("alerts.yml", "grafana.json"):
        text = (ROOT / "deploy" / name).read_text()
        asked = set(re.findall(r"\bpuntobanco_\w+", text))
        assert asked, name
        assert asked <= there, name
    panels = msgspec.json.decode((ROOT / "deploy" / "grafana.json").read_text())["panels"]
    shown = {
        name for each in panels for target in each["targets"] for name in re.findall(r"puntobanco_\w+", target["expr"])
    }
    assert shown == {each for each in there if not each.endswith("_sum")}, "what is counted is shown"


def close_table(house: Indoors) -> dict[str, Any]:
    tray = house.view("mia", "T1")["books"]["tray"]
    return {"do": "close_table", "count": {} if not tray else {str(tray): 1}}
