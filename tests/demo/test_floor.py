"""The demo floor as a whole: it plays, errs and rules; what it writes proves right; it stops and goes on."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

import httpx
import pytest
from tests.patience import come_true, limit, no_hang, until

from puntobanco.client import AsyncClient
from puntobanco.demo.plan import CAGE, GUESTS, PASSWORD, PURSE, TABLES
from puntobanco.demo.process import Demo, DemoError, DemoPlan, Stop, running
from puntobanco.floor.wire import PersonSeen, Significant
from puntobanco.store.keys import load_public_key
from puntobanco.store.logs import export, open_store
from puntobanco.store.verify import verify_log
from puntobanco.table.commands import SignOff, SignOn

LIVE = tuple(plan.name for plan in TABLES if plan.dealer)
NAMES = tuple(plan.name for plan in TABLES)
ROUNDS = 3
"""Of each table, before the demo is stopped and goes on."""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long people wait for a demo to start and to stop is too short for a machine that is busy."""
    for name in ("PATIENCE", "FOR_BOTS", "FOR_SERVER"):
        monkeypatch.setattr(f"puntobanco.demo.process.{name}", limit())


def plan_in(
    folder: Path, *, fresh: bool = False, bots: bool = True, speed: float = 40.0, mistakes: float = 0.6
) -> DemoPlan:
    return DemoPlan(folder / "demo", port=0, fresh=fresh, bots=bots, speed=speed, mistakes=mistakes)


def events_of(folder: Path, table: str) -> list[dict[str, object]]:
    """What the record of a demo that has ended says of a table."""
    store = open_store(str(folder / "demo" / "record.db"), read_only=True)
    try:
        lines = map(json.loads, export(store, table))
        return [event for line in lines for event in line.get("events", ())]
    finally:
        store.close()


def counted(folder: Path, table: str, name: str) -> int:
    return sum(event["event"] == name for event in events_of(folder, table))


def ask(demo: Demo, work: Callable[[AsyncClient], Awaitable[None]], name: str, password: str = PASSWORD) -> None:
    """Do something at the floor as somebody."""

    async def signed_in() -> None:
        async with AsyncClient(demo.address) as client:
            await client.sign_in(name, password)
            await work(client)

    asyncio.run(signed_in())


VICTOR: dict[str, str] = {}
"""His token at each address: he looks often, and signs in once."""


def rounds_of(demo: Demo) -> dict[str, int]:
    """Rounds of all tables so far, counted over all shoes."""

    async def look() -> dict[str, int]:
        async with AsyncClient(demo.address, token=VICTOR.get(demo.address, "")) as client:
            if demo.address not in VICTOR:
                VICTOR[demo.address] = (await client.sign_in("victor", PASSWORD)).token
            return await rounds_seen(client)

    return asyncio.run(look())


async def rounds_seen(client: AsyncClient) -> dict[str, int]:
    found: dict[str, int] = {}
    for brief in await client.tables():
        last = (await client.view(brief.table)).public.last
        found[brief.table] = last.number if last else 0
    return found


def logs(folder: Path) -> str:
    return "\n".join((folder / "demo" / name).read_text() for name in ("server.log", "bots.log"))


def test_the_floor_plays_errs_rules_and_its_record_is_right(tmp_path: Path) -> None:
    begun: dict[str, int] = {}
    with running(plan_in(tmp_path)) as demo:
        until(lambda: all(rounds_of(demo).get(name, 0) >= ROUNDS for name in NAMES))
        until(lambda: any(counted(tmp_path, name, "ruling_given") for name in LIVE))  # chance decides when
    families = Counter[object]()
    rulings = Counter[object]()
    for name in NAMES:
        events = events_of(tmp_path, name)
        begun[name] = len(events)
        families.update(event["family"] for event in events if event["event"] == "incident_opened")
        rulings.update(event["event"] for event in events)
    assert len(families) >= 1, families
    assert rulings["ruling_given"] >= 1
    assert rulings["wagers_placed"] > 40
    assert_record_is_right(tmp_path)
    assert "Traceback" not in logs(tmp_path)
    assert "stumbled" not in logs(tmp_path)

    # it goes on where it was; at live tables with a new shoe
    with running(plan_in(tmp_path, mistakes=0.0)) as demo:
        before = rounds_of(demo)
        assert all(before[name] >= ROUNDS for name in NAMES)
        until(lambda: all(rounds_of(demo)[name] >= before[name] + 1 for name in NAMES))
        a_dealer_goes_without_a_word(demo, tmp_path)
    for name in NAMES:
        assert len(events_of(tmp_path, name)) > begun[name]
    for name in LIVE:
        assert counted(tmp_path, name, "shoe_started") >= 2
    assert_record_is_right(tmp_path)

    # and anew if that is wanted
    with running(plan_in(tmp_path, fresh=True, bots=False)) as demo:
        assert demo.bots is None
        assert set(rounds_of(demo).values()) == {0}
    assert all(len(events_of(tmp_path, name)) == 1 for name in NAMES)


def a_dealer_goes_without_a_word(demo: Demo, folder: Path) -> None:
    """Somebody signs on at a table and is seen no more: the bot signs her off and deals again."""

    async def come(client: AsyncClient) -> None:
        await client.give("TB-1", SignOn("dana", "dealer"))

    ask(demo, come, "dana")
    until(lambda: "bot-dealer-tb deals again" in logs(folder))
    before = rounds_of(demo)["TB-1"]
    until(lambda: rounds_of(demo)["TB-1"] >= before + 1)


def assert_record_is_right(folder: Path) -> None:
    """Every log verifies, and money comes from somewhere and goes somewhere."""
    key = load_public_key(folder / "demo" / "house.key.pub")
    store = open_store(str(folder / "demo" / "record.db"), read_only=True)
    at_tables = Counter[tuple[str, str]]()
    try:
        for name in NAMES:
            report = verify_log(b"".join(export(store, name)), key)
            currency = next(plan.currency for plan in TABLES if plan.name == name)
            assert report.problem is None, (name, report.problem)
            assert report.trusted
            assert sum(report.balances.values()) == 0
            for account, amount in report.balances.items():
                kind, _, person = account.partition(":")
                at_tables[person, currency] += amount if kind == "account" else 0
        accounts = store.accounts()
    finally:
        store.close()
    with closing(sqlite3.connect(folder / "demo" / "record.db")) as database:
        rows = database.execute("SELECT account, currency, sum(amount) FROM postings GROUP BY account, currency")
        posted = Counter({(person, currency): amount for person, currency, amount in rows})
    assert posted["alice", "SGD"] == posted["alice", "HKD"] == PURSE
    for person, currency in {*posted, *at_tables}:
        if person:
            held = accounts.get(person, {}).get(currency, 0)
            assert held == posted[person, currency] + at_tables[person, currency], (person, currency)
    assert {(person, currency) for person, held in accounts.items() for currency in held} <= {*posted, *at_tables}


def test_a_dealer_who_signs_on_takes_the_place_of_the_bot(tmp_path: Path) -> None:
    with running(plan_in(tmp_path, speed=10.0, mistakes=0.0)) as demo:
        until(lambda: rounds_of(demo).get("DT-1", 0) >= 1)

        async def deal(client: AsyncClient) -> None:
            await client.give("DT-1", SignOn("dana", "dealer"))
            await come_true(lambda: "makes way for dana" in logs(tmp_path))
            watched = await client.watch("DT-1", (await client.view("DT-1")).version)
            before = await rounds_seen(client)
            # as long as it takes the others to play on, the table of hers waits for her
            async with no_hang():
                now = before
                while any(now[name] < before[name] + 1 for name in NAMES if name != "DT-1"):
                    now = await rounds_seen(client)
            assert not [seen for seen in watched.waiting_events() if seen.actor == "bot-dealer-dt"]
            await client.give("DT-1", SignOff("dana"))

        ask(demo, deal, "dana")
        before = rounds_of(demo)["DT-1"]
        until(lambda: rounds_of(demo)["DT-1"] >= before + 1)


def test_everybody_can_sign_in_and_has_what_was_said(tmp_path: Path) -> None:
    """And whoever starts it a second time is told where the first one is."""
    plan = plan_in(tmp_path, bots=False)
    with running(plan) as demo:

        async def look(client: AsyncClient) -> None:
            assert client.who is not None
            guest = next(guest for guest in GUESTS if guest.name == client.who.person)
            assert client.who.role == guest.role
            assert guest.rank in (None, client.who.rank)
            if guest.money:
                account = await client.account()
                assert {each.currency: each.balance for each in account.balances} == guest.money
                assert account.holds("HKD") == PURSE
                assert account.holds("USD") == 0
            tables = await client.tables()
            assert {brief.table for brief in tables} == set(NAMES)
            assert all(brief.free for brief in tables)

        for guest in GUESTS:
            ask(demo, look, guest.name)

        async def staff(client: AsyncClient) -> None:
            people = await client.request("GET", "/api/people", list[PersonSeen])
            assert {guest.name for guest in GUESTS} < {person.name for person in people}
            entries = await client.request("GET", "/api/significant", list[Significant])
            assert entries[0].about == CAGE

        ask(demo, staff, "admin")
        told = re.escape(f"running already at {demo.address}")
        with pytest.raises(DemoError, match=told), running(plan):
            pass


def test_bots_that_die_are_started_again(tmp_path: Path) -> None:
    with command(tmp_path) as (process, out):
        address = out()
        killed = bots_of(process.pid)
        os.kill(killed, signal.SIGKILL)
        until(lambda: bots_of(process.pid) not in (0, killed))
        process.send_signal(signal.SIGTERM)
        assert process.wait(limit()) == 0
        with pytest.raises(httpx.HTTPError):
            httpx.get(address)


def test_nothing_is_left_when_the_demo_is_killed(tmp_path: Path) -> None:
    with command(tmp_path) as (process, out):
        out()
        children = children_of(process.pid)
        assert len(children) == 2
        process.kill()
        process.wait()
        until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


def test_ctrl_c_ends_it_with_a_word(tmp_path: Path) -> None:
    with command(tmp_path) as (process, out):
        out()
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=limit())
        assert process.returncode == 0
        assert "the floor is closed" in rest


def test_a_signal_never_waits_for_what_it_interrupts() -> None:
    """A handler that takes a lock of the waiting thread hangs: with an event it did, once in some thousand signals."""
    stop = Stop()
    came = []

    def ask(number: int, frame: FrameType | None) -> None:
        came.append(number)
        stop.ask(number, frame)

    before = signal.signal(signal.SIGALRM, ask)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.000_2)
        while len(came) < 5_000:
            stop.within(0.000_01)
            stop.asked = False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    stop = Stop()
    assert not stop.within(0)
    stop.ask(signal.SIGINT, None)
    assert stop.within(60)


@contextmanager
def command(folder: Path) -> Iterator[tuple[subprocess.Popen[str], Callable[[], str]]]:
    """``puntobanco demo`` as a process, and a function that waits until it is open and gives its address."""
    arguments = ["demo", "--folder", str(folder / "demo"), "--port", "0", "--pace", "50"]
    process = subprocess.Popen(
        [sys.executable, "-m", "puntobanco", *arguments], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stdout is not None

    def opened() -> str:
        address = ""
        for line in process.stdout or ():
            if line.startswith("page"):
                address = line.split()[1]
            if "Ctrl-C ends it" in line:
                return address
        raise AssertionError(f"it ended with {process.wait()}: {logs(folder)}")

    try:
        yield process, opened
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(limit())
        process.stdout.close()


def children_of(parent: int) -> list[int]:
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(child) for child in found.split()]


def bots_of(parent: int) -> int:
    """The process of the bots, or 0."""
    for child in children_of(parent):
        file = Path(f"/proc/{child}/cmdline")
        if file.exists() and b"puntobanco.demo.bots" in file.read_bytes():
            return child
    return 0


def test_a_demo_that_cannot_start_leaves_nothing_behind(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        plan = DemoPlan(tmp_path / "demo", port=port)
        with pytest.raises(DemoError, match="cannot listen on"), running(plan):
            pass
        assert list(tmp_path.iterdir()) == []
        # and what was there stays, even where it was to be forgotten
        (tmp_path / "demo").mkdir()
        for name in ("demo.lock", "record.db"):
            (tmp_path / "demo" / name).touch()
        with pytest.raises(DemoError), running(DemoPlan(tmp_path / "demo", port=port, fresh=True)):
            pass
        assert sorted(path.name for path in (tmp_path / "demo").iterdir()) == ["demo.lock", "record.db"]
