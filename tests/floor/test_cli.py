"""``puntobanco serve`` and ``puntobanco admin`` as somebody at the command line meets them, and the settings."""

from __future__ import annotations

import asyncio
import io
import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from tests.floor.indoors import Json
from tests.floor.serving import HASHER, House, free_port, new_folder, table_settings
from tests.patience import come_true, limit, until
from tests.store.build import KEY, NOW, Player
from tests.test_cli import PROGRAM, Ran, run

from puntobanco.client import AsyncClient
from puntobanco.floor.office import Office
from puntobanco.floor.people import People
from puntobanco.floor.settings import ABOUT, PREFIX, FloorSettings, SettingsError, load_settings, settings_table
from puntobanco.floor.wire import Brief, Bye, Done, NewDevice, OpenPlan
from puntobanco.script.log import parse_log
from puntobanco.store import Keeper, open_store, postgres, verify_log
from puntobanco.store.base import DAY, Fault
from puntobanco.store.logs import export
from puntobanco.store.postgres import PostgresStore
from puntobanco.table import commands as c
from puntobanco.table.entry import records_of
from puntobanco.table.events import WagersPlaced


@pytest.fixture(autouse=True)
def quick_hasher(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords cost little here, but where a test is about what a floor really does."""
    if "true_hasher" not in request.fixturenames:
        monkeypatch.setattr("puntobanco.floor.people.PasswordHasher", lambda: HASHER)


@pytest.fixture
def true_hasher() -> None:
    """Passwords cost what they cost."""


@pytest.fixture
def folder() -> Iterator[Path]:
    with new_folder() as found:
        yield found


@pytest.fixture
def admin(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PUNTOBANCO_PASSWORD", "a password")

    def command(*arguments: str) -> Ran:
        return run("admin", *arguments, "--folder", str(folder))

    return command


@pytest.fixture(scope="module")
def known() -> Iterator[Path]:
    """The folder of a floor that knows one player."""
    with new_folder() as found, pytest.MonkeyPatch.context() as patched:
        patched.setenv("PUNTOBANCO_PASSWORD", "a password")
        assert run("admin", "add-person", "known", "player", "--folder", str(found)).code == 0
        assert run("admin", "money", "known", "100", "SGD", "--id", "at first", "--folder", str(found)).code == 0
        assert run("admin", "stop", "person", "known", "--why", "a quarrel", "--folder", str(found)).code == 0
        yield found


# --- admin


def test_people_come_change_and_are_listed(admin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert admin("add-person", "root", "admin").out == "root: admin\n"
    assert admin("add-person", "ann", "player").code == 0
    assert admin("add-person", "mia", "pit", "--rank", "pit_manager").out == "mia: pit, Pit Manager\n"
    assert admin("add-person", "dan", "dealer").code == 0
    assert admin("change-person", "dan", "--why", "promoted", "--role", "pit").out == "dan: pit, Pit Supervisor\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("43710965\n"))
    assert admin("change-person", "dan", "--why", "asked for", "--pin").code == 0
    assert admin("change-person", "dan", "--why", "forgotten", "--password").code == 0
    assert admin("revoke", "ann", "--why", "lost the phone").out == "0 sessions ended\n"
    assert admin("money", "ann", "25000", "SGD", "--id", "cage 1").out == "ann: 250.00 SGD\n"
    assert admin("money", "ann", "25000", "SGD", "--id", "cage 1").out == "ann: 250.00 SGD\n", "once, however often"
    listed = admin("people").out
    for word in ("root", "admin", "ann", "player", "mia", "Pit Manager", "dan", "Pit Supervisor", "250.00"):
        assert word in listed
    entries = [json.loads(line)["entry"] for line in admin("log").out.splitlines()]
    assert [entry["what"] for entry in entries] == [
        *["person added"] * 4,
        *["person changed"] * 3,
        "sessions revoked",
        "money posted",
    ]
    assert admin("log", "--check").out == "the chain is whole, and every entry is signed\n"
    assert "43710965" not in admin("log").out  # long enough not to be found by chance in a time or a hash


def test_a_password_is_not_kept_in_a_cheap_form(true_hasher: None, admin: Any, folder: Path) -> None:
    """What argon2 recommends, or more: three passes over 64 MiB."""
    admin("add-person", "ann", "player")
    record = b"".join(file.read_bytes() for file in folder.glob("record.db*"))
    ((memory, passes),) = set(re.findall(rb"\$argon2id\$v=19\$m=(\d+),t=(\d+),", record))
    assert (int(memory), int(passes)) >= (64 * 1024, 3)


def test_stops_are_made_and_lifted(admin: Any) -> None:
    admin("add-person", "ann", "player")
    assert admin("stop", "everything", "--why", "a fire alarm").out.startswith("everything : a fire alarm (")
    assert "person ann: a quarrel" in admin("stop", "person", "ann", "--why", "a quarrel").out
    assert "everything" not in admin("stop", "everything", "--why", "all clear", "--lift").out
    assert admin("stop", "person", "ann", "--why", "made up", "--lift").out == ""


def test_tables_are_listed_and_keys_are_rotated(admin: Any, folder: Path) -> None:
    assert admin("add-person", "ann", "player").code == 0
    assert admin("tables").code == 0
    before = (folder / "shoes.key").read_bytes()
    assert admin("rotate-shoe-key").out == "0 shoes sealed anew; 1 key in use\n"
    assert (folder / "shoes.key").read_bytes() != before
    assert "shoe key rotated" in admin("log").out


def test_a_broken_chain_is_told(admin: Any, folder: Path) -> None:
    for name in ("ann", "bob", "cat"):
        admin("add-person", name, "player")
    with apsw.Connection(str(folder / "record.db")) as database:
        ((line,),) = database.execute("select line from entries where log = '@office' and version = 2")
        changed = bytes(line).replace(b"bob", b"eve")
        database.execute("update entries set line = ? where log = '@office' and version = 2", (changed,))
    checked = admin("log", "--check")
    assert (checked.code, checked.out) == (
        1,
        "entry 2 does not follow the one before, or is not as the house has signed it\n",
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("add-person", "ann", "owner"), "a role is player"),
        (("add-person", "a/b", "player"), "a name has 1 to 64"),
        (("add-person", "house", "player"), "not a name"),
        (("add-person", "known", "player"), "already exists"),
        (("add-person", "dan", "dealer", "--rank", "pit_manager"), "cannot have the rank"),
        (("add-person", "dan", "dealer", "--rank", "king"), "rank"),
        (("add-person",), "add-person"),
        (("change-person", "nobody", "--why", "x"), "nobody called nobody"),
        (("change-person", "known"), "why"),
        (("change-person", "known", "--why", " "), "say why"),
        (("change-person", "known", "--why", "x", "--role", "owner"), "owner"),
        (("revoke", "nobody", "--why", "x"), "nobody called nobody"),
        (("money", "nobody", "100", "SGD", "--id", "1"), "nobody called nobody"),
        (("money", "known", "1.5", "SGD", "--id", "1"), "1.5"),
        (("money", "known", "-101", "SGD", "--id", "1"), "there are 1.00 SGD on the account"),
        (("money", "known", "9" * 30, "SGD", "--id", "1"), "at most 15 digits"),
        (("money", "known", "٣", "SGD", "--id", "1"), "whole minor units"),
        (("money", "known", "1e3", "SGD", "--id", "1"), "whole minor units"),
        (("money", "known", "0", "SGD", "--id", "1"), "not zero"),
        (("money", "known", "100", "SGD", "--id", ""), "id has 1 to 64"),
        (("stop", "shift", "x", "--why", "x"), "what is stopped is person, table, game or everything, not 'shift'"),
        (("add-person", "bob", "king"), "a role is player, dealer, pit, surveillance or admin, not 'king'"),
        (
            ("add-person", "bob", "pit", "--rank", "king"),
            "a rank is player, dealer, pit_supervisor, dealer_inspector,",
        ),
        (("change-person", "known", "--role", "king", "--why", "x"), "or admin, not 'king'"),
        (("stop", "table", "T1", "--why", "x"), "no table T1"),
        (("stop", "game", "whist", "--why", "x"), "whist"),
        (("stop", "person", "nobody", "--why", "x"), "nobody called nobody"),
        (("stop", "everything", "T1", "--why", "x"), "everything has no name"),
        (("stop", "everything", "--why", ""), "say why"),
        (("stop", "everything", "--why", "x", "--lift"), "is not stopped"),
        (("money", "known", "200", "SGD", "--id", "at first"), "another one needs another id"),
        (("stop", "person", "known", "--why", " ", "--lift"), "say why"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_orders_that_make_no_sense_get_one_clear_message(
    known: Path, arguments: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PUNTOBANCO_PASSWORD", "a password")
    ran = run("admin", *arguments, "--folder", str(known))
    assert ran.code == 2, ran
    assert says in ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err.strip().splitlines()) <= 3


def test_a_password_that_is_too_short_is_refused(admin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUNTOBANCO_PASSWORD", "short")
    ran = admin("add-person", "ann", "player")
    assert (ran.code, "8 to 256" in ran.err, "short" in ran.err) == (2, True, False)


@pytest.mark.parametrize("command", [("people",), ("tables",), ("log",), ("rotate-shoe-key",)])
def test_a_folder_that_cannot_be_used_is_told(tmp_path: Path, command: tuple[str, ...]) -> None:
    file = tmp_path / "a file"
    file.write_text("no folder")
    for given in (("--folder", str(file)), ("--config", str(tmp_path / "nothing.toml")), ("--store", str(tmp_path))):
        ran = run("admin", *command, "--folder", str(tmp_path / "new"), *given)
        assert ran.code != 0
        assert ran.err.strip()
        assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    "command",
    ["people", "tables", "log", "selfcheck", "devices", "backup b", "clear-fault T1 --why x", "drop-old --why x"],
)
def test_who_only_looks_makes_no_floor(tmp_path: Path, command: str) -> None:
    for given in ((), ("--store", str(tmp_path / "record"))):
        ran = run("admin", *command.split(), "--folder", str(tmp_path / "new"), *given)
        assert ran.code == 2, ran
        assert "there is no" in ran.err
        assert list(tmp_path.iterdir()) == []


def test_a_damaged_table_is_listed_among_the_others(admin: Any, folder: Path) -> None:
    with closing(open_store(str(folder / "record.db"))) as store:
        for name in ("T1", "T2"):
            player = Player(Keeper(store, KEY), name, 1)
            player.open()
    with apsw.Connection(str(folder / "record.db")) as database:
        ((line,),) = database.execute("select line from entries where log = 'T1' and version = 2")
        changed = bytes(line).replace(b"ann", b"eve")
        database.execute("update entries set line = ? where log = 'T1' and version = 2", (changed,))
    listed = admin("tables")
    assert listed.code == 0, listed
    assert "damaged" in listed.out
    assert "T2" in listed.out
    assert "tiger-buffalo" in listed.out


def test_faults_devices_and_backups(admin: Any, folder: Path, tmp_path: Path) -> None:
    with closing(open_store(str(folder / "record.db"))) as store:
        Player(Keeper(store, KEY), "T1", 1).open()
        store.set_fault(Fault("T1", NOW, "the drawer is open"))
        People(Office(store, KEY)).add_device("root", NOW, NewDevice("scan-1", "scanner", "T1"))
    assert admin("clear-fault", "T2", "--why", "x").code == 2
    assert admin("clear-fault", "T1", "--why", " ").code == 2
    assert admin("clear-fault", "T1", "--why", "it is shut").out == "T1: cleared\n"
    assert "fault cleared" in admin("log").out
    assert admin("clear-fault", "T1", "--why", "again").code == 2
    assert "scan-1" in admin("devices").out
    assert admin("backup", str(tmp_path / "b")).out.endswith(" rows\n")


def test_old_logs_are_dropped_after_their_retention_and_never_before(admin: Any, folder: Path) -> None:
    with closing(open_store(str(folder / "record.db"))) as store:
        for name, at in (("old", NOW - 3000 * DAY), ("young", int(time.time() * 1000))):
            player = Player(Keeper(store, KEY), name, 1)
            player.now = at
            player.open()
    assert admin("drop-old", "--why", " ").code == 2
    assert admin("drop-old", "--why", "kept long enough", "--dry-run").out == "old\n"
    assert admin("drop-old", "--why", "kept long enough").out == "old\n"
    assert admin("drop-old", "--why", "kept long enough").out == ""
    assert "young" in admin("tables").out
    assert "log dropped" in admin("log").out


def test_keys_that_are_damaged_are_told(folder: Path, admin: Any) -> None:
    admin("add-person", "ann", "player")
    for name in ("house.key", "shoes.key"):
        kept = (folder / name).read_bytes()
        (folder / name).write_bytes(b"rubbish")
        ran = admin("people")
        assert ran.code == 2, ran
        assert name in ran.err
        assert "Traceback" not in ran.err
        (folder / name).write_bytes(kept)


# --- settings


def test_settings_come_from_the_file_the_environment_and_the_options_each_before_the_last(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text('port = 1\nhost = "one"\nfolder = "a"\nhttps = true\norigins = ["https://x.example"]\nrate = 5\n')
    environment = {"PUNTOBANCO_PORT": "2", "PUNTOBANCO_HOST": "two", "PUNTOBANCO_PASSWORD": "x", "OTHER": "y"}
    found = load_settings(str(file), environment | {"PUNTOBANCO_HTTPS": "false"}, port=3, host=None)
    assert (found.port, found.host, found.folder, found.https, found.rate) == (3, "two", "a", False, 5.0)
    assert found.origins == ("https://x.example",)
    both = load_settings(None, {"PUNTOBANCO_ORIGINS": "https://x.example,https://y.example,"})
    assert both.origins == ("https://x.example", "https://y.example")


def test_a_variable_that_is_no_setting_is_refused_like_a_wrong_key() -> None:
    with pytest.raises(SettingsError, match=r"no setting 'prot' \(from PUNTOBANCO_PROT\); there are: folder, "):
        load_settings(None, {"PUNTOBANCO_PROT": "8000", "OTHER": "y"})
    assert load_settings(None, {"PUNTOBANCO_PASSWORD": "for admin add-person"}) == FloorSettings()


def test_every_setting_is_documented_and_can_be_given_by_the_environment() -> None:
    names = {field.name for field in msgspec.structs.fields(FloorSettings)}
    assert {setting.name for setting in settings_table()} == names == set(ABOUT)
    for setting in settings_table():
        environment = {f"{PREFIX}{setting.name.upper()}": setting.default}
        assert load_settings(None, environment) == FloorSettings(), setting.name


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("port", "eighty", "PUNTOBANCO_PORT='eighty': expected a whole number"),
        ("port", "70000", "0 to 65535"),
        ("port", "-1", "0 to 65535"),
        ("https", "perhaps", "expected true or false"),
        ("rate", "nan", "above zero"),
        ("rate", "inf", "above zero"),
        ("sign_ins", "inf", "above zero"),
        ("burst", "0", "above zero"),
        ("streams", "0", "1 or more"),
        ("failures", "0", "1 or more"),
        ("idle", "-5", "1 or more"),
        ("between_rounds", "-1", "0 or more"),
        ("log_level", "loud", "one of debug"),
        ("log_format", "xml", "text or json"),
        ("certificate", "x.pem", "go together"),
        ("grace", "-1", "0 or more"),
        ("retention", "-1", "0 or more"),
    ],
)
def test_settings_that_do_not_fit_are_told(name: str, value: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        load_settings(None, {f"PUNTOBANCO_{name.upper()}": value})


def test_all_mistakes_of_settings_are_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text('port = "80"\nprot = 80\nhots = "x"\nhttps = 1\norigins = "x"\nstreams = 0\nrate = "fast"\n')
    with pytest.raises(SettingsError) as caught:
        load_settings(str(file), {"PUNTOBANCO_GRACE": "long", "PUNTOBANCO_RATE": "5"})
    first, *mistakes = str(caught.value).split("\n")
    assert first == f"{file}: these do not fit"
    assert [told.partition("; ")[0].strip() for told in mistakes] == [
        "port = '80': expected a whole number",
        "there is no setting 'prot'",
        "there is no setting 'hots'",
        "https = 1: expected true or false",
        "origins = 'x': expected a list of texts",
        "PUNTOBANCO_GRACE='long': expected a whole number",
        "streams is 1 or more",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("port = ", "is not TOML"),
        ("prot = 80", "there is no setting 'prot'"),
        ('port = "80"', "port = '80': expected a whole number"),
        ("[floor]\nport = 80", "there is no setting 'floor'"),
        ("\x00", "is not TOML"),
        ("caf\udce9 = 1", "is not TOML"),
    ],
)
def test_a_file_of_settings_that_cannot_be_read_is_told(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(text, errors="surrogateescape")
    with pytest.raises(SettingsError, match=says):
        load_settings(str(file), {})
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(str(tmp_path), {})


# --- serve


@contextmanager
def serving(folder: Path, *options: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """``puntobanco serve`` as a process of its own."""
    given = {"PUNTOBANCO_LOG_LEVEL": "debug", "PUNTOBANCO_BETWEEN_ROUNDS": "50", "PUNTOBANCO_BETWEEN_CARDS": "10"}
    process = subprocess.Popen(
        [str(PROGRAM), "serve", "--folder", str(folder), "--port", "0", *options],
        env=os.environ | given | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("serving at "), line
    return line.removeprefix("serving at ").strip()


def ready(at: str) -> None:
    import httpx

    def answers() -> bool:
        with suppress(httpx.TransportError):
            return bool(httpx.get(f"{at}/ready", timeout=limit()).json()["status"] == "ok")
        return False

    until(answers)


def test_a_shutdown_says_good_bye_and_loses_nothing(folder: Path) -> None:
    """SIGTERM among bets: everybody gets a bye, what was acknowledged is there, and the process ends with 0."""
    house = House(folder)
    players = [f"player {number}" for number in range(6)]
    house.add_players(players)
    with serving(folder, PUNTOBANCO_LOG_FORMAT="json", PUNTOBANCO_RATE="1000000") as process:
        at = address(process)
        ready(at)
        accepted, byes = asyncio.run(bet_until_it_ends(house, at, players, process))
        out, err = process.communicate(timeout=limit())
        assert process.returncode == 0, err
    assert byes[: len(players)] == [Bye("unavailable", "the server is going down: connect again", True)] * len(players)
    assert "Traceback" not in out + err
    lines = [json.loads(line) for line in err.splitlines()]
    assert {"at", "level", "logger", "message"} <= set(lines[0])
    assert lines[-1]["message"] == "closed; nothing is left undone"
    for token in house.tokens.values():
        assert token not in out + err
    store = open_store(str(folder / "record.db"))
    data = b"".join(export(store, "T1"))
    store.close()
    assert verify_log(data).problem is None
    records = records_of(parse_log(data))
    placed = {record.command: record.version for record in records if isinstance(record.event, WagersPlaced)}
    assert accepted
    assert accepted.items() <= placed.items()


async def bet_until_it_ends(
    house: House, at: str, players: list[str], process: subprocess.Popen[str]
) -> tuple[dict[str, int], list[Bye]]:
    """Everybody bets; in the midst of it the server is told to stop. What was acknowledged, and the byes."""
    accepted: dict[str, int] = {}
    byes: list[Bye] = []
    async with AsyncClient(at, token=house.tokens["root"]) as root:
        await root.request("POST", "/api/tables", Brief, OpenPlan(table_settings("T1", countdown=900)))
    clients = [AsyncClient(at, token=house.tokens[name]) for name in players]

    async def play(client: AsyncClient, name: str, box: int) -> None:
        def heard(message: Any) -> None:
            if isinstance(message, Bye):
                byes.append(message)

        client.heard = heard
        await client.give("T1", c.Join(name, box))
        await client.give("T1", c.BuyIn(name, 10_000_00, "account"))
        watched = await client.watch("T1")
        await watched.until(lambda view: view.public.phase.value == "betting")
        for number in range(10_000):
            answer = await client.try_give("T1", c.Place(name, box, {"player": 1}), id=str(number))
            assert isinstance(answer, Done), answer
            accepted[f"{name}:{number}"] = answer.version

    tasks = [asyncio.create_task(play(*each)) for each in zip(clients, players, range(1, 7), strict=True)]
    await come_true(lambda: len(accepted) >= 30 or any(task.done() for task in tasks))
    assert not any(task.done() for task in tasks)
    process.send_signal(signal.SIGTERM)
    await come_true(lambda: len(byes) >= len(players))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for client in clients:
        await client.close()
    return accepted, byes


def test_an_administrator_is_told_that_the_floor_is_being_served(folder: Path, admin: Any) -> None:
    admin("add-person", "root", "admin")
    with serving(folder) as process:
        ready(address(process))
        ran = admin("people")
        assert ran.code == 2
        assert "is being served" in ran.err
        process.send_signal(signal.SIGINT)
        assert process.wait(limit()) == 0
    assert admin("people").code == 0


def test_a_record_that_is_being_served_is_served_by_nobody_else(folder: Path, admin: Any, tmp_path: Path) -> None:
    """A second server would not hear of what the first one does, and its self-check could stop the live floor."""
    admin("add-person", "root", "admin")
    link = tmp_path / "link.db"
    link.symlink_to(folder / "record.db")
    with serving(folder) as process:
        ready(address(process))
        before = {file.name: file.read_bytes() for file in folder.iterdir()}
        for options in (("--folder", str(folder)), ("--folder", str(tmp_path / "new"), "--store", str(link))):
            ran = run("serve", *options, "--port", str(free_port()))
            assert (ran.code, ran.out) == (2, "")
            assert "is being served" in ran.err
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
        assert list(tmp_path.iterdir()) == [link]
        process.kill()
        process.wait(limit())
    with serving(folder) as process:  # the lock went with its process
        ready(address(process))
        process.send_signal(signal.SIGTERM)
        assert process.wait(limit()) == 0


def test_a_backup_of_a_floor_spares_its_own_files(folder: Path, admin: Any) -> None:
    admin("add-person", "root", "admin")
    before = {name: (folder / name).read_bytes() for name in ("record.db", "house.key", "shoes.db")}
    for name in before:
        assert admin("backup", str(folder / name)).code == 2
    assert {name: (folder / name).read_bytes() for name in before} == before
    assert admin("people").code == 0


def test_an_address_that_is_taken_is_told(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ran = run("serve", "--folder", str(folder), "--port", str(taken.getsockname()[1]))
    assert ran.code == 2
    assert "cannot listen on" in ran.err


@pytest.mark.parametrize(
    ("options", "environment", "says"),
    [
        ((), {"PUNTOBANCO_PORT": "eighty"}, "PUNTOBANCO_PORT"),
        (("--host", "no such host.example"), {}, "cannot listen on"),
        (("--config", "nothing.toml"), {}, "nothing.toml cannot be read"),
        ((), {"PUNTOBANCO_CERTIFICATE": "a.pem", "PUNTOBANCO_PRIVATE_KEY": "b.pem"}, "a.pem"),
        (("--store", "postgresql://nobody@127.0.0.1:1/nothing"), {}, "127.0.0.1"),
        (("--store", "/proc/nothing/record.db"), {}, "/proc/nothing"),
    ],
)
def test_a_floor_that_cannot_start_says_why(
    folder: Path, options: tuple[str, ...], environment: Json, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "PostgresStore", partial(PostgresStore, patience=0.1))  # nobody will answer later
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    port = [] if environment else ["--port", str(free_port())]
    ran = run("serve", "--folder", str(folder), *port, *options)
    assert ran.code == 2
    assert says in ran.err
    assert "Traceback" not in ran.err
