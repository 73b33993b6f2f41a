"""The self-check of a served floor: what is installed against what was approved."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.floor.indoors import Indoors, code_of, indoors
from tests.floor.serving import FAST, table_settings
from tests.test_cli import Ran, run

from puntobanco.floor import floor as floors
from puntobanco.floor.wire import OpenPlan
from puntobanco.store import manifest as manifests
from puntobanco.table.settings import LIVE

CALL = {"do": "new_shoe", "evidence": "new"}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package that can be changed, and is taken for the installed one."""
    copy = tmp_path / "puntobanco"
    shutil.copytree(manifests.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "page"))
    monkeypatch.setattr(manifests.hash_of_code, "__defaults__", (copy,))
    monkeypatch.setattr(manifests.mismatches, "__defaults__", (copy,))
    return copy


@pytest.fixture
def house(installed: Path) -> Iterator[Indoors]:
    with indoors() as found:
        found.open_live("T1")
        yield found


def upgrade(installed: Path) -> None:
    (installed / "bets.py").write_text("PAYS = 2\n")


def admin(house: Indoors, *arguments: str, **changes: int) -> Ran:
    """A command with the settings that the floor is served with, and changes."""
    lines = (f"{name} = {msgspec.json.encode(value).decode()}\n" for name, value in (FAST | changes).items())
    (house.folder / "floor.toml").write_text("".join(lines))
    return run("admin", *arguments, "--config", str(house.folder / "floor.toml"), "--folder", str(house.folder))


def test_a_floor_signs_what_is_installed_at_its_first_start_only(house: Indoors, installed: Path) -> None:
    (entry,) = house.entries("manifest signed")
    assert (entry["actor"], entry["why"]) == ("system", "the floor was set up")
    assert house.must("root", "POST", "/api/self-check") == {"ok": True, "found": []}
    house.restart()
    assert len(house.entries("manifest signed")) == 1
    assert house.must("", "GET", "/health")["faults"] == {}


def test_changed_code_closes_the_tables_at_the_next_start_until_somebody_approves_it(
    house: Indoors, installed: Path, caplog: pytest.LogCaptureFixture
) -> None:
    upgrade(installed)
    house.restart()
    says = "the self-check found: the file bets.py was changed"
    assert house.must("", "GET", "/health")["faults"] == {"*": says}
    assert f"out of order, all tables: {says}" in caplog.text
    assert [entry["after"] for entry in house.entries("fault")] == [says]
    assert code_of(house.give("dan", "T1", "a", CALL)) == "table_closed"
    still = house.ask("root", "POST", "/api/tables/*/clear-fault", {"why": "looked at it"})
    assert (code_of(still), "still out of order" in still.text) == ("table_closed", True)

    house.close()
    checked = admin(house, "selfcheck")
    assert (checked.code, checked.out) == (1, "the file bets.py was changed\n")
    assert admin(house, "sign-manifest", "--why", " ").code == 2
    assert admin(house, "sign-manifest", "--why", "version 2").out == "signed\n"
    assert admin(house, "selfcheck").code == 0
    house.serve_again()
    assert house.must("", "GET", "/health")["faults"] == {}
    assert code_of(house.give("dan", "T1", "a", CALL)) == ""
    first, second = house.entries("manifest signed")
    assert (second["before"], second["why"]) == (first["after"], "version 2")
    assert house.entries("fault cleared")[0]["before"] == says


def test_the_check_is_made_on_demand_and_once_a_day(house: Indoors, installed: Path) -> None:
    upgrade(installed)
    assert code_of(house.give("dan", "T1", "a", CALL)) == ""
    found = house.must("root", "POST", "/api/self-check")
    assert found == {"ok": False, "found": ["the file bets.py was changed"]}
    assert code_of(house.give("dan", "T1", "b", {"do": "call"})) == "table_closed"
    assert code_of(house.ask("mia", "POST", "/api/self-check")) == "role"

    house.floor.sign_manifest("root", "version 2")
    (installed / "cards.py").write_text("\n")
    keeper = house.floor.host.keeper
    keeper.daily(house.floor.host.clock())
    assert keeper.faults == {}
    keeper.daily(house.floor.host.clock() + floors.SWEEP * 1000 + 24 * 3600 * 1000)
    assert "cards.py" in keeper.faults["*"].reason


def test_a_process_with_changed_settings_refuses_itself_until_somebody_approves_them(house: Indoors) -> None:
    says = "the setting idle is 45, and 30 was approved"
    house.restart(idle=45, log_level="error")  # how a process talks is nobody's business
    health = house.must("", "GET", "/health")
    assert (health["status"], health["faults"]) == ("not ready", {})
    assert health["problems"] == [f"the self-check found: {says}"]
    assert house.must("root", "POST", "/api/self-check") == {"ok": False, "found": [says]}
    assert code_of(house.give("dan", "T1", "a", CALL)) == "table_closed"

    house.restart()  # put back: nobody else was refused, and nothing is to be cleared
    assert house.must("", "GET", "/health")["problems"] == []
    assert code_of(house.give("dan", "T1", "a", CALL)) == ""

    house.close()
    checked = admin(house, "selfcheck", idle=45)
    assert (checked.code, checked.out) == (1, f"{says}\n")
    assert admin(house, "selfcheck").out == "books, code and settings are as they were approved\n"
    house.serve_again()  # a command that is given other settings closes nothing
    assert house.must("", "GET", "/health")["faults"] == {}
    house.close()
    assert admin(house, "sign-manifest", "--why", "longer shifts", idle=45).code == 0
    house.serve_again(idle=45)
    assert house.must("", "GET", "/health")["faults"] == {}


def test_a_house_may_approve_the_settings_of_its_tables(house: Indoors) -> None:
    house.close()
    assert admin(house, "sign-manifest", "--why", "these and no others", "--tables").code == 0
    house.serve_again()
    house.open_live("T2")
    other = table_settings("T3", "super-six", automated=LIVE, countdown=99)
    refused = house.ask("mia", "POST", "/api/tables", OpenPlan(other))
    assert (code_of(refused), "does not allow" in refused.text) == ("bad_settings", True)
    assert house.must("root", "POST", "/api/self-check") == {"ok": True, "found": []}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ((b'"bets.py"', b'"gets.py"'), "is not signed by the key"),
        ((b'{"manifest"', b'{"manifold"'), "the manifest cannot be read"),
        (None, "the manifest is missing"),
    ],
)
def test_a_manifest_that_was_lost_or_forged_closes_the_tables(
    house: Indoors, change: tuple[bytes, bytes] | None, says: str
) -> None:
    store = house.floor.store
    document = store.document("manifest", "installed")
    assert document is not None
    if change is None:
        store.forget("manifest", "installed")
    else:
        assert change[0] in document.value
        store.keep(msgspec.structs.replace(document, value=document.value.replace(*change)))
    house.restart()
    assert says in house.must("", "GET", "/health")["faults"]["*"]
    assert len(house.entries("manifest signed")) == 1
    house.floor.sign_manifest("root", "put right")
    house.restart()
    assert house.must("", "GET", "/health")["faults"] == {}
