"""The keeper: append before answer, one effect a command, recovery, faults, the self-check."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.patience import until
from tests.store.build import KEY, NOW, Player, log_of, play, settings
from tests.store.conftest import OpenStore

from puntobanco.cards import parse_cards
from puntobanco.store import (
    Answer,
    Append,
    ConflictError,
    Keeper,
    MemoryStore,
    Posting,
    PrivateKey,
    Store,
    UnavailableError,
    make_manifest,
    verify_log,
)
from puntobanco.store import held as helds
from puntobanco.store import keeper as keepers
from puntobanco.store import manifest as manifests
from puntobanco.store.base import DAY, EVERYWHERE, Fault
from puntobanco.store.chain import kind_of, read_checkpoint, read_line
from puntobanco.store.keeper import DamagedError
from puntobanco.store.manifest import ManifestError, load_manifest, mismatches, save_manifest
from puntobanco.store.sqlite import SqliteStore
from puntobanco.store.verify import parse_seen
from puntobanco.store.witness import End, Ends, Witness
from puntobanco.table import commands as c
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.engine import Done, FindBook, execute
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import BetLimits
from puntobanco.table.state import Table
from puntobanco.words import worded

# --- commands


def test_a_table_comes_back_as_its_last_event_left_it(store: Store) -> None:
    keeper, player = play(5, store=store)
    player.do(c.Call())
    player.do(c.Place("ann", 1, {"banker": 10_00, "tie": 5_00}), "ann")
    again = Keeper(store, KEY)
    assert again.start(NOW, takeover=True) == {"T1": keeper.table("T1")}
    player.keeper = again
    player.rounds(3)
    report = verify_log(log_of(again), KEY.public)
    assert report.problem is None
    assert report.checkpoints == 9


def test_a_repeated_command_is_answered_as_the_first_time(store: Store) -> None:
    keeper, player = play(2, store=store)
    first = player.do(c.Call(), command="call it")
    player.do(c.Close())
    version = store.version("T1")
    for repeater in (keeper, Keeper(store, KEY)):
        answer = repeater.give("T1", Command("call it", HOUSE, NOW, c.Call()))
        assert isinstance(answer, Answer)
        assert answer.repeated
        assert answer.records == first.records
    assert store.version("T1") == version


def test_a_command_of_long_ago_is_remembered_by_the_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it would be refused now, or could be carried out once more."""
    monkeypatch.setattr(helds, "RECENT", 3)
    keeper, player = play(1, store=store)
    tip = player.do(c.BuyIn("ann", 5_00, "account"), "ann", command="money")
    call = player.do(c.Call(), command="call it")
    for _ in range(5):
        player.do(c.Place("ann", 1, {"banker": 10_00}), "ann")
    version, balance = store.version("T1"), store.balance("ann", "SGD")
    for _ in range(2):
        for command, first in (
            (Command("money", "ann", NOW, c.BuyIn("ann", 5_00, "account")), tip),
            (Command("call it", HOUSE, NOW, c.Call()), call),
        ):
            (answer,) = keeper.give_all("T1", [command])
            assert isinstance(answer, Answer)
            assert (answer.repeated, answer.records) == (True, first.records)
    assert (store.version("T1"), store.balance("ann", "SGD")) == (version, balance)


def test_200_identical_commands_in_flight_have_one_effect(store: Store) -> None:
    keeper, player = play(1, store=store)
    other = Keeper(store, KEY)
    before = store.balance("ann", "SGD")
    command = Command("buy", "ann", player.now, c.BuyIn("ann", 100_00, "account"))
    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(lambda number: (keeper, other)[number % 2].give("T1", command), range(200)))
    assert all(isinstance(answer, Answer) for answer in answers)
    assert len({answer.records for answer in answers if isinstance(answer, Answer)}) == 1
    assert sum(not answer.repeated for answer in answers if isinstance(answer, Answer)) == 1
    assert store.balance("ann", "SGD") == before - 100_00
    assert sum(b'"id":"buy"' in line for line in store.load("T1")) == 1
    assert verify_log(log_of(keeper), KEY.public).problem is None


def test_two_keepers_of_one_table_take_turns(store: Store) -> None:
    first, player = play(1, store=store)
    second = Keeper(store, KEY)
    for number in range(6):
        keeper = (first, second)[number % 2]
        chips = Command(f"chips {number}", HOUSE, player.now, c.ChipsIn("ann", 5_00))
        assert isinstance(keeper.give("T1", chips), Answer)
    assert verify_log(log_of(second), KEY.public).problem is None


def test_no_record_is_before_an_earlier_one_whosever_clock_is_behind(store: Store) -> None:
    """Two processes need not agree on the time; what they write is in its order all the same."""
    ahead, player = play(1, store=store)
    behind = Keeper(store, KEY)
    player.do(c.Call())
    told = [
        keeper.give("T1", Command(f"buy {number}", "ann", at, c.BuyIn("ann", 1_00, "account")))
        for number, (keeper, at) in enumerate(((behind, NOW - 60_000), (ahead, player.now + 9), (behind, NOW)))
    ]
    assert all(isinstance(answer, Answer) for answer in told), told
    times = [entry.command.at for entry in ahead.entries("T1", 0)]
    assert times == sorted(times)
    assert verify_log(log_of(behind), KEY.public).problem is None


def test_nothing_is_answered_before_it_is_stored() -> None:
    store = MemoryStore()
    _, player = play(1, store=store)
    store.close()
    before = store.version("T1")
    with pytest.raises(UnavailableError):
        player.do(c.Call())
    assert store.version("T1") == before


def test_a_refused_command_leaves_no_trace(store: Store) -> None:
    keeper, _ = play(1, store=store)
    before = log_of(keeper)
    answer = keeper.give("T1", Command("x", "ann", NOW, c.Place("ann", 1, {"banker": 10_00})))
    assert isinstance(answer, Refusal)
    assert answer.code in ("no_round", "bets_closed")
    assert log_of(keeper) == before


def test_money_does_not_change_its_currency_from_one_table_to_the_next(store: Store) -> None:
    """What was cashed out in Singapore dollars buys no chips in yen, nor in the dollars of another house."""
    keeper = Keeper(store, KEY)
    store.post(Posting("p1", "ann", "SGD", 1_000_00, NOW))

    def give(table: str, body: c.AnyCommand, actor: str = "ann") -> Answer | Refusal:
        return keeper.give(table, Command(f"{table} {body}", actor, NOW, body))

    for table, currency, game in (("S", "", "tiger-buffalo"), ("J", "JPY", "tiger-buffalo"), ("H", "", "super-six")):
        opened = give(table, c.OpenTable(settings(table, game, currency=currency)), HOUSE)
        assert isinstance(opened, Answer), opened
        assert isinstance(give(table, c.Join("ann", 1)), Answer)
    assert isinstance(give("S", c.BuyIn("ann", 1_000_00, "account")), Answer)
    assert isinstance(give("S", c.CashOut("ann", 1_000_00)), Answer)
    refused = give("J", c.BuyIn("ann", 100, "account"))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.fits) == ("currency", None)
    assert "ann holds no JPY" in worded(refused)
    store.post(Posting("p2", "ann", "JPY", 70, NOW))
    refused = give("J", c.BuyIn("ann", 100, "account"))
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.values, refused.fits) == ("funds", {"account": "ann", "amount": 70}, 70)
    assert isinstance(give("J", c.BuyIn("ann", 70, "account")), Answer)
    assert isinstance(give("H", c.BuyIn("ann", 400_00, "account")), Answer)
    assert store.balances("ann") == {"JPY": 0, "SGD": 600_00}
    assert isinstance(give("J", c.CashOut("ann", 70)), Answer)
    assert store.balances("ann") == {"JPY": 70, "SGD": 600_00}
    nobody = give("J", c.Join("bob", 2), "bob")
    assert isinstance(nobody, Answer)
    refused = give("J", c.BuyIn("bob", 100, "account"), "bob")
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.fits) == ("funds", 0), "who has nothing at all"


@pytest.mark.parametrize(("currency", "digits"), [("SGD", 0), ("JPY", 2), ("", 3), ("POINTS", 0)])
def test_a_table_counts_its_currency_as_accounts_do(currency: str, digits: int) -> None:
    keeper = Keeper(MemoryStore(), KEY)
    own = settings("T1", "tiger-buffalo", currency=currency, digits=digits)
    answer = keeper.give("T1", Command("open", HOUSE, NOW, c.OpenTable(own)))
    assert isinstance(answer, Refusal)
    assert answer.code == "bad_settings"
    assert f"digits {digits}: accounts in {currency or 'SGD'} have" in worded(answer)
    assert keeper.table("T1") is None


def test_a_buy_in_beyond_the_account_is_refused(store: Store) -> None:
    keeper, player = play(1, store=store)
    player.rounds(2)
    balance = store.balance("ann", "SGD")
    bought = Command("too much", "ann", player.now, c.BuyIn("ann", balance + 1, "account"))
    answer = keeper.give("T1", bought)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.fits) == ("funds", balance)
    assert store.balance("ann", "SGD") == balance
    store.post(Posting("more", "ann", "SGD", 1, NOW))
    assert isinstance(keeper.give("T1", bought), Answer)
    assert store.balance("ann", "SGD") == 0
    player.rounds(1)
    assert verify_log(log_of(keeper), KEY.public).problem is None


def test_an_amount_that_no_account_holds_is_refused() -> None:
    keeper, player = play(1)
    answer = keeper.give("T1", Command("huge", "ann", player.now, c.BuyIn("ann", 10**30, "account")))
    assert isinstance(answer, Refusal)
    assert answer.code == "bad_amount"
    assert isinstance(keeper.give("T1", Command("", HOUSE, player.now, c.Call())), Refusal)


def test_a_table_opens_under_its_own_name() -> None:
    answer = Keeper(MemoryStore(), KEY).give("T2", Command("c1", HOUSE, NOW, c.OpenTable(settings("T1"))))
    assert isinstance(answer, Refusal)
    assert answer.code == "bad_settings"


class Elsewhere(MemoryStore):
    """A store in which another process is always quicker."""

    def append(self, append: Append) -> None:
        raise ConflictError(append.table, append.expected, append.expected + 1)


def test_a_table_that_never_stands_still_is_given_up() -> None:
    with pytest.raises(ConflictError):
        Keeper(Elsewhere(), KEY).give("T1", Command("c1", HOUSE, NOW, c.OpenTable(settings())))


def test_the_witness_sees_every_checkpoint(tmp_path: Path) -> None:
    keeper = Keeper(MemoryStore(), KEY, witness=Witness(tmp_path / "witness"))
    player = Player(keeper, "T1", 1)
    player.open()
    player.rounds(4)
    seen = (tmp_path / "witness").read_bytes().splitlines()
    assert seen == [each.line for each in keeper.store.beside("T1")]
    assert [read_checkpoint(line).checkpoint.number for line in seen] == [1, 2, 3, 4]


class Unheard(MemoryStore):
    """A store whose answers are lost on their way now and then: it has done what was asked."""

    lose = False

    def append(self, append: Append) -> None:
        super().append(append)
        if self.lose and any(each.kind == "checkpoint" for each in append.beside):
            raise UnavailableError("the connection was lost")


def test_the_witness_sees_a_checkpoint_that_was_stored_though_the_answer_was_lost(tmp_path: Path) -> None:
    store, file = Unheard(), tmp_path / "witness"
    player = Player(Keeper(store, KEY, witness=Witness(file)), "T1", 1)
    player.open()
    player.rounds(1)
    store.lose = True
    with pytest.raises(UnavailableError):
        player.rounds(1)
    stored = [each.line for each in store.beside("T1")]
    assert len(stored) == 2
    assert file.read_bytes().splitlines() == stored[:1]
    player.keeper.table("T1")  # as for whatever is told of it
    assert file.read_bytes().splitlines() == stored
    store.lose = False
    player.rounds(2)
    assert file.read_bytes().splitlines() == [each.line for each in store.beside("T1")]


def test_a_witness_that_a_crash_has_torn_is_mended_at_the_start(tmp_path: Path) -> None:
    store, file = MemoryStore(), tmp_path / "witness"
    keeper = Keeper(store, KEY, witness=Witness(file))
    player = Player(keeper, "T1", 1)
    player.open()
    player.rounds(4)
    whole = file.read_bytes().splitlines()
    for kept, torn in ((2, 0), (2, 40), (3, 3), (0, 20), (0, 0)):
        file.write_bytes(b"".join(line + b"\n" for line in whole[:kept]) + whole[kept][:torn])
        Keeper(store, KEY, witness=Witness(file)).start(NOW)
        *lines, last = file.read_bytes().split(b"\n")
        assert last == b""
        assert [line for line in lines if line != whole[kept][:torn]] == whole
        warned: list[str] = []
        assert len(parse_seen(file.read_bytes(), "witness", KEY.public, warned.append)) == 4
        assert len(warned) == bool(torn)
    file.unlink()
    file.mkdir()
    again = Keeper(store, KEY, witness=Witness(file))
    again.start(NOW)
    assert "the witness file cannot be read" in again.faults[EVERYWHERE].reason


def test_a_witness_ends_a_torn_line_before_the_next(tmp_path: Path) -> None:
    file = tmp_path / "witness"
    file.write_bytes(b'{"check')
    Witness(file).see(b"whole")
    assert file.read_bytes() == b'{"check\nwhole\n'


def test_a_receipt_is_the_next_checkpoint() -> None:
    keeper, player = play(2)
    first, second = (each for each in keeper.store.beside("T1"))
    assert keeper.receipt("T1", 1) == keeper.receipt("T1", first.version) == first.line
    assert keeper.receipt("T1", first.version + 1) == second.line
    player.do(c.Call())
    assert keeper.receipt("T1", second.version + 1) is None


def test_without_a_witness_nobody_plays_on(tmp_path: Path) -> None:
    keeper = Keeper(MemoryStore(), KEY, witness=Witness(tmp_path / "no" / "such" / "folder"))
    player = Player(keeper, "T1", 1)
    player.open()
    with pytest.raises(AssertionError, match="the witness file cannot be written"):
        player.rounds(2)
    table = keeper.table("T1")
    assert table is not None
    assert (table.rounds, table.round) == (1, None)
    assert verify_log(log_of(keeper), KEY.public).problem is None


# --- several commands at once


def bets(player: Player, *, over: int = -1) -> list[Command]:
    """A run of commands: some fit, one twice, one is refused, and maybe one is beyond the account."""
    found = [Command(f"buy {n}", "ann", player.now, c.BuyIn("ann", 1_00, "account")) for n in range(4)]
    found.append(Command("nobody", "zoe", player.now, c.Place("zoe", 1, {"banker": 10_00})))
    found += [Command(f"buy {n}", "ben", player.now, c.BuyIn("ben", 1_00, "account")) for n in (2, 4, 5)]
    found.append(Command("call", HOUSE, player.now, c.Call()))
    found.append(Command("close", HOUSE, player.now, c.Close()))
    if over >= 0:
        found.insert(over, Command("over", "cam", player.now, c.BuyIn("cam", 10**9, "account")))
    return found


@pytest.mark.parametrize("over", range(-1, 11))
def test_many_commands_are_answered_as_one_after_the_other(over: int) -> None:
    one, alone = play(2)
    many, player = play(2)
    expected = [one.give("T1", command) for command in bets(alone, over=over)]
    assert many.give_all("T1", bets(player, over=over)) == expected
    assert log_of(many) == log_of(one)
    assert many.store.accounts() == one.store.accounts()
    assert many.table("T1") == one.table("T1")
    again = many.give_all("T1", bets(player, over=over))
    assert [isinstance(each, Answer) and each.repeated for each in again] == [
        isinstance(each, Answer) for each in expected
    ]
    assert verify_log(log_of(many), KEY.public).problem is None
    player.rounds(2)
    assert verify_log(log_of(many), KEY.public).problem is None
    assert many.give_all("T1", []) == []


def test_many_commands_wait_for_the_disk_about_once(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "record.db")
    keeper, player = play(1, store=store)
    assert store._jobs is not None
    groups: list[int] = []
    write, waiting = store._jobs._write, store._jobs._queue

    def counted(jobs: list[Any]) -> None:
        """A disk that takes so long that all others are there when the first is done."""
        groups.append(len(jobs))
        until(lambda: sum(groups) + waiting.qsize() == 50, "they wait for the disk one by one")
        write(jobs)

    store._jobs._write = counted
    commands = [Command(f"buy {n}", "ann", player.now, c.BuyIn("ann", 1_00, "account")) for n in range(50)]
    assert all(isinstance(answer, Answer) for answer in keeper.give_all("T1", commands))
    assert sum(groups) == 50
    assert len(groups) <= 2
    store.close()


def test_many_commands_to_a_store_that_fails_lose_and_double_nothing() -> None:
    def given(store: Store) -> tuple[bytes, dict[str, dict[str, int]]]:
        keeper, player = play(1, store=store)
        for _ in range(3):
            try:
                keeper.give_all("T1", bets(player))
                break
            except UnavailableError:
                continue
        return log_of(keeper), store.accounts()

    expected = given(MemoryStore())
    before = len(list(play(1)[0].store.load("T1")))
    for at in range(before + 1, before + 9):
        for after in (False, True):
            assert given(Failing(at, after=after)) == expected


def test_a_command_that_breaks_the_engine_leaves_those_before_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    keeper, player = play(1, store=store)
    version = store.version("T1")

    def breaking(table: Table | None, command: Command, books: FindBook) -> Done | Refusal:
        assert command.id != "broken"
        return execute(table, command, books)

    monkeypatch.setattr(keepers, "execute", breaking)
    first = Command("chips", HOUSE, player.now, c.ChipsIn("ann", 5_00))
    with pytest.raises(AssertionError):
        keeper.give_all("T1", [first, Command("broken", HOUSE, player.now, c.Call())])
    answer = keeper.give("T1", first)
    assert isinstance(answer, Answer)
    assert answer.repeated
    assert store.version("T1") == version + len(answer.records)
    player.rounds(1)
    assert verify_log(log_of(keeper), KEY.public).problem is None


# --- what has happened


def test_records_come_from_memory_or_from_the_store(store: Store) -> None:
    """Whatever the tail still has, and whoever has written: always all after the version, and nothing else."""
    _, player = play(2, store=store)
    keeper = Keeper(store, KEY, tail=10)
    expected = [record for line in store.load("T1") for record in read_line(line).records]
    for after in (0, 1, len(expected) - 11, len(expected) - 10, len(expected) - 3, len(expected), len(expected) + 5):
        assert keeper.records("T1", after) == expected[after:]
    assert keeper.records("T1", -5) == expected
    assert keeper.records("nobody", 0) == []
    # what another has written is there when it was read
    player.rounds(1)
    assert keeper.records("T1", 0) == expected
    keeper.refresh("T1")
    expected = [record for line in store.load("T1") for record in read_line(line).records]
    for after in (0, len(expected) - 11, len(expected) - 3):
        assert keeper.records("T1", after) == expected[after:]
    player.keeper = keeper
    answer = player.do(c.Call())
    assert keeper.records("T1", answer.records[0].version - 1) == list(answer.records)
    assert keeper.records("T1", 3) == expected[3:] + list(answer.records)


def test_records_in_the_tail_cost_no_reading() -> None:
    class Counted(MemoryStore):
        loads = 0

        def entries(self, table: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
            self.loads += 1
            return super().entries(table, after)

    store = Counted()
    keeper, _ = play(3, store=store)
    before = store.loads
    records = keeper.records("T1", 5)
    assert (records[0].version, records[-1].version, store.loads) == (6, store.version("T1"), before)
    assert keeper.refresh("T1") == keeper.table("T1")
    assert store.loads == before


def test_a_log_that_was_dropped_is_gone(store: Store) -> None:
    keeper, player = play(1, store=store)
    store.drop("T1", player.now + store.retention * DAY)
    assert keeper.refresh("T1") is None
    assert keeper.records("T1", 0) == []


def test_the_houses_own_logs_are_no_tables(store: Store) -> None:
    store.append(Append("@floor", 0, "c1", b"no entry of a table"))
    keeper, _ = play(1, store=store)
    again = Keeper(store, KEY, manifest=make_manifest(NOW, {"tiger": settings()}))
    assert list(again.start(NOW)) == ["T1"]
    assert again.faults == {}
    for each in (keeper, again):
        assert each.table("@floor") is each.refresh("@floor") is None
        assert each.records("@floor", 0) == []
        answer = each.give("@floor", Command("c2", HOUSE, NOW, c.OpenTable(settings("@floor"))))
        assert isinstance(answer, Refusal)
        assert answer.detail == "bad_settings.name"
    assert store.version("@floor") == 1
    assert keeper.faults == {}


# --- failing at every write boundary


class Failing(MemoryStore):
    """Fails at one write: before it, or after it and before the answer."""

    def __init__(self, at: int, *, after: bool) -> None:
        super().__init__()
        self.writes, self.at, self.after = 0, at, after

    def _boundary(self, after: bool) -> None:
        if self.writes == self.at and after is self.after:
            raise UnavailableError("the database is gone")

    def append(self, append: Append) -> None:
        self.writes += 1
        self._boundary(False)
        super().append(append)
        self._boundary(True)


class Stubborn(Keeper):
    """Gives a command again, under the same id, until it is known what became of it."""

    def give(self, name: str, command: Command) -> Answer | Refusal:
        for _ in range(3):
            try:
                return super().give(name, command)
            except UnavailableError:
                continue
        raise AssertionError


def test_a_store_that_fails_at_any_write_loses_and_doubles_nothing() -> None:
    def played(store: Store) -> tuple[bytes, dict[str, dict[str, int]]]:
        player = Player(Stubborn(store, KEY), "T1", 7)
        player.open()
        player.rounds(3)
        return log_of(player.keeper), store.accounts()

    expected = played(MemoryStore())
    writes = sum(kind_of(line) == "entry" for line in expected[0].splitlines())
    for at in range(1, writes + 1):
        for after in (False, True):
            assert played(Failing(at, after=after)) == expected


class Full(MemoryStore):
    """Answers questions and takes nothing while its disk is full."""

    full = False

    def __init__(self) -> None:
        super().__init__()
        self.read_from: list[int] = []

    def append(self, append: Append) -> None:
        if self.full:
            raise UnavailableError("the disk is full")
        super().append(append)

    def entries(self, table: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
        self.read_from.append(after)
        return super().entries(table, after)


def test_a_log_is_not_read_from_its_beginning_for_each_command_that_a_full_disk_refuses() -> None:
    store = Full()
    player = Player(Keeper(store, KEY), "T1", 7)
    player.open()
    player.rounds(2)
    before, version = log_of(player.keeper), store.version("T1")
    store.full, store.read_from = True, []
    for number in range(3):
        with pytest.raises(UnavailableError):
            player.keeper.give("T1", Command(f"full {number}", HOUSE, NOW, c.SignOn("sue", "dealer")))
    assert set(store.read_from) <= {version}
    store.full = False
    player.rounds(1)
    assert log_of(player.keeper).startswith(before)
    assert Keeper(store, KEY).table("T1") == player.keeper.table("T1")


# --- out of order


def test_a_fault_that_another_keeper_sets_is_heard_of(store: Store) -> None:
    keeper, player = play(1, store=store)
    keeper.start(NOW)
    other = Keeper(store, KEY)

    other.set_fault("T1", NOW, "why")
    until(lambda: "T1" in keeper.faults)
    other.clear_fault("T1")
    until(lambda: "T1" not in keeper.faults)
    player.rounds(1)


def test_a_fault_closes_the_table_and_survives_a_restart(store: Store) -> None:
    keeper, _ = play(1, store=store)
    keeper.set_fault("T1", NOW, "the drawer is open")
    for each in (keeper, Keeper(store, KEY)):
        each.start(NOW)
        answer = each.give("T1", Command("x", HOUSE, NOW, c.Call()))
        assert isinstance(answer, Refusal)
        assert (answer.detail, answer.values) == ("table_closed.fault", {"problem": "the drawer is open"})
        assert each.faults == {"T1": Fault("T1", NOW, "the drawer is open")}
    keeper.clear_fault("T1")
    assert isinstance(keeper.give("T1", Command("x", HOUSE, NOW, c.Call())), Answer)


class Tampered(MemoryStore):
    """A store whose lines somebody changed."""

    old, new = b"", b""

    def entries(self, table: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
        return ((last, line.replace(self.old, self.new)) for last, line in super().entries(table, after))


@pytest.mark.parametrize(
    ("old", "new"), [(b'"amount":500000', b'"amount":500001'), (b"player_joined", b"nothing"), (b'"box":2', b'"box":3')]
)
def test_a_damaged_log_puts_its_table_out_of_order(old: bytes, new: bytes) -> None:
    store = Tampered()
    play(1, store=store)
    store.old, store.new = old, new
    with pytest.raises(DamagedError, match="damaged at version"):
        Keeper(store, KEY).table("T1")
    keeper = Keeper(store, KEY)
    answer = keeper.give("T1", Command("x", HOUSE, NOW, c.Call()))
    assert isinstance(answer, Refusal)
    assert "damaged at version" in str(answer.values["problem"])
    store.clear_fault("T1")
    again = Keeper(store, KEY)
    assert again.start(NOW) == {}
    assert "damaged" in again.faults["T1"].reason


# --- the self-check


def test_what_is_installed_is_as_the_manifest_says(tmp_path: Path) -> None:
    manifest = make_manifest(NOW, {"tiger": settings()})
    assert mismatches(manifest) == ()
    save_manifest(manifest, KEY, tmp_path / "manifest")
    assert load_manifest(tmp_path / "manifest", KEY.public) == manifest
    with pytest.raises(ManifestError, match="not signed"):
        load_manifest(tmp_path / "manifest", PrivateKey.generate().public)
    text = (tmp_path / "manifest").read_text()
    (tmp_path / "manifest").write_text(text.replace('"at":18', '"at":19'))
    with pytest.raises(ManifestError, match="not signed"):
        load_manifest(tmp_path / "manifest", KEY.public)
    for bad in ("{}", "x"):
        (tmp_path / "manifest").write_text(bad)
        with pytest.raises(ManifestError):
            load_manifest(tmp_path / "manifest", KEY.public)
    with pytest.raises(ManifestError):
        load_manifest(tmp_path / "nothing", KEY.public)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package that can be changed, and is taken for the installed one."""
    copy = tmp_path / "puntobanco"
    shutil.copytree(manifests.PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(manifests.hash_of_code, "__defaults__", (copy,))
    monkeypatch.setattr(manifests.mismatches, "__defaults__", (copy,))
    return copy


@pytest.mark.parametrize("change", ["changed", "added", "missing"])
def test_changed_code_closes_the_tables(installed: Path, change: str) -> None:
    store = MemoryStore()
    manifest = make_manifest(NOW, {"tiger": settings()})
    keeper = Keeper(store, KEY, manifest=manifest)
    keeper.start(NOW)
    player = Player(keeper, "T1", 1)
    player.open()
    file = installed / ("bets.py" if change != "added" else "more.py")
    if change == "missing":
        file.unlink()
    else:
        file.write_text("PAYS = 2\n")
    # nobody looks for a day, unless asked to
    assert isinstance(keeper.give("T1", Command("a", HOUSE, NOW + DAY - 1, c.NewShoe("x"))), Answer)
    answer = keeper.give("T1", Command("b", HOUSE, NOW + DAY, c.Call()))
    assert isinstance(answer, Refusal)
    assert f"{file.name} " in str(answer.values["problem"])
    assert keeper.self_check(NOW + DAY) != ()
    again = Keeper(store, KEY, manifest=manifest)
    assert set(again.faults) == {EVERYWHERE}
    assert isinstance(again.give("T1", Command("b", HOUSE, NOW + DAY, c.Call())), Refusal)


def test_another_book_is_a_mismatch() -> None:
    manifest = make_manifest(NOW, {})
    other = manifests.Manifest(NOW, manifest.books | {"super-six": "00", "no-such-game": "00"}, manifest.code, {})
    assert mismatches(other) == ("the book super-six is another one", "the book no-such-game is missing")


def test_settings_need_approval() -> None:
    store = MemoryStore()
    manifest = make_manifest(NOW, {"tiger": settings()})
    keeper = Keeper(store, KEY, manifest=manifest)
    open_other = Command("c1", HOUSE, NOW, c.OpenTable(settings("T1", countdown=5)))
    answer = keeper.give("T1", open_other)
    assert isinstance(answer, Refusal)
    assert answer.code == "bad_settings"
    assert isinstance(keeper.give("T9", Command("c1", HOUSE, NOW, c.OpenTable(settings("T9")))), Answer)
    # a table that opened before the manifest came
    assert isinstance(Keeper(store, KEY).give("T1", open_other), Answer)
    again = Keeper(store, KEY, manifest=manifest)
    again.start(NOW)
    assert set(again.faults) == {"T1"}


def test_limits_changed_on_the_record_need_no_new_manifest() -> None:
    store = MemoryStore()
    keeper = Keeper(store, KEY, manifest=make_manifest(NOW, {"tiger": settings()}))
    keeper.start(NOW)
    keeper.give("T1", Command("c1", HOUSE, NOW, c.OpenTable(settings())))
    limits = BetLimits(10_00, 500_00, 5_00)
    keeper.give("T1", Command("c2", HOUSE, NOW, c.SignOn("mia", "pit_manager")))
    changed = keeper.give("T1", Command("c3", "mia", NOW, c.SetLimits(10_00, 500_00, 5_00)))
    assert isinstance(changed, Answer)
    assert changed.table.settings.limits == limits
    assert keeper.self_check(NOW) == ()
    # a table opens as it was approved, all the same
    wanted = settings("T2", limits=limits)
    assert isinstance(keeper.give("T2", Command("c1", HOUSE, NOW, c.OpenTable(wanted))), Refusal)


def test_settings_of_tables_are_compared_whenever_the_check_is_made() -> None:
    manifest = make_manifest(NOW, {"tiger": settings()})
    keeper = Keeper(MemoryStore(), KEY, manifest=lambda: manifest)
    keeper.start(NOW)
    keeper.give("T1", Command("c1", HOUSE, NOW, c.OpenTable(settings())))
    assert keeper.self_check(NOW) == ()
    manifest = make_manifest(NOW, {"tiger": settings(countdown=5)})
    assert keeper.self_check(NOW) == ("table T1 has settings that nobody approved",)
    assert "nobody approved" in keeper.faults["T1"].reason


def test_settings_of_the_house_need_approval() -> None:
    manifest = make_manifest(NOW, house={"idle": "30", "origins": "", "gone": "1"})
    keeper = Keeper(MemoryStore(), KEY, manifest=manifest)
    keeper.house = {"idle": "90", "origins": "", "new": ""}
    told: list[str] = []
    keeper.announce_refusing = told.append
    keeper.start(NOW)
    assert keeper.self_check(NOW) == (
        "the setting gone is nothing, and 1 was approved",
        "the setting idle is 90, and 30 was approved",
        "the setting new is empty, and nothing was approved",
    )
    assert keeper.refusing.endswith("was approved and 2 more")
    assert keeper.faults == {}, "others may have the approved ones"
    keeper.house = {"idle": "30", "origins": "", "gone": "1"}
    assert keeper.self_check(NOW) == ()
    assert (keeper.refusing, len(told)) == ("", 2), "told once, and that it is over"
    assert Keeper(MemoryStore(), KEY, manifest=make_manifest(NOW)).self_check(NOW) == ()


# --- many tables at once


def test_tables_play_side_by_side(new_store: OpenStore) -> None:
    store = new_store("sqlite")
    keeper = Keeper(store, KEY)

    def run(number: int) -> Player:
        player = Player(keeper, f"T{number}", number)
        player.open([f"p{number}-{each}" for each in range(3)])
        player.rounds(4)
        return player

    with ThreadPoolExecutor(8) as threads:
        players = list(threads.map(run, range(8)))
    for player in players:
        assert verify_log(log_of(keeper, player.name), KEY.public).problem is None
    assert Keeper(store, KEY).start(NOW) == {player.name: keeper.table(player.name) for player in players}


def test_a_future_of_a_store_is_done_when_it_is_durable(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "record.db")
    future: Future[Any] = store.submit(Append("T1", 0, "c1", b"{}"))
    assert future.result(5) is None
    assert not future.cancel()
    other = SqliteStore(tmp_path / "record.db", read_only=True)
    assert other.tables() == {"T1": 1}
    other.close()
    store.close()


# --- how far a log went, while cards lay on the table


def ends_of(folder: Path) -> Ends:
    return Ends(folder / "ends")


def in_a_round(store: MemoryStore, folder: Path) -> Player:
    """A table with two rounds, and five cards of a third one."""
    player = Player(Keeper(store, KEY, witness=Witness(folder / "witness"), ends=ends_of(folder)), "T1", 1)
    player.open()
    player.rounds(2)
    player.do(c.Call())
    player.do(c.Close())
    player.do(c.Deal(tuple(parse_cards("2h 3c 2d 2s"))))
    player.do(c.Deal(tuple(parse_cards("5c"))))
    return player


def cut(store: MemoryStore, entries: int) -> MemoryStore:
    """What whoever can write to the database makes of it: the last entries are gone."""
    gone = {line for _, line in store._entries["T1"][-entries:]}
    copy = MemoryStore()
    with store.rows() as rows:
        copy.fill(row for row in rows if row[0] != "entries" or row[1][4] not in gone)
    return copy


def test_lines_after_cards_cannot_be_cut_off_unseen(tmp_path: Path) -> None:
    store = MemoryStore()
    in_a_round(store, tmp_path)
    for entries in (1, 2, 3, 4):
        keeper = Keeper(cut(store, entries), KEY, witness=Witness(tmp_path / "witness"), ends=ends_of(tmp_path))
        keeper.start(NOW)
        assert keeper.faults["T1"].reason.endswith("the database is an older one")
        with pytest.raises(DamagedError, match="the database is an older one"):
            keeper.check_witnessed("T1")
    keeper = Keeper(store, KEY, witness=Witness(tmp_path / "witness"), ends=ends_of(tmp_path))
    keeper.start(NOW)
    assert not keeper.faults


def test_a_line_after_cards_cannot_be_written_anew(tmp_path: Path) -> None:
    """The last card, which no later line's hash and no checkpoint holds yet, becomes another one, twice over."""
    store = MemoryStore()
    in_a_round(store, tmp_path)
    forged = cut(store, 1)
    other = Player(Keeper(forged, KEY), "T1", 1)
    other.do(c.Deal(tuple(parse_cards("5d"))), command="forged")
    for _ in range(2):
        keeper = Keeper(forged, KEY, witness=Witness(tmp_path / "witness"), ends=ends_of(tmp_path))
        keeper.start(NOW)
        assert "is not the one that was witnessed at version" in keeper.faults["T1"].reason


def test_bets_wait_for_no_witness(tmp_path: Path) -> None:
    store = MemoryStore()
    player = in_a_round(store, tmp_path)
    player.do(c.Deal(tuple(parse_cards("Kd"))))
    before = (tmp_path / "ends").read_bytes()
    player.do(c.Call())
    player.do(c.Place("ann", 1, {"banker": 10_00}), "ann")
    player.do(c.Close())
    assert (tmp_path / "ends").read_bytes() == before
    player.do(c.Deal(tuple(parse_cards("2h 3c 2d 2s"))))
    assert (tmp_path / "ends").read_bytes() != before


def test_ends_do_not_grow_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puntobanco.store.witness.LARGEST", 1_000)
    ends = ends_of(tmp_path)
    for version in range(1, 200):
        ends.see(End("T1", version, "ab"))
        ends.see(End("T2", 2 * version, "cd"))
    assert (tmp_path / "ends").stat().st_size < 1_200
    assert {name: end.version for name, end in ends.seen().items()} == {"T1": 199, "T2": 398}


def test_ends_that_could_not_be_written_are_written_with_the_next(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    ends = Ends(folder / "ends")
    with pytest.raises(OSError, match="No such file"):
        ends.see(End("T1", 7, "ab"))
    folder.mkdir()
    ends.see(End("T2", 3, "cd"))
    assert {name: end.version for name, end in ends.seen().items()} == {"T1": 7, "T2": 3}


def test_ends_of_many_at_once_are_all_there(tmp_path: Path) -> None:
    ends = ends_of(tmp_path)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: ends.see(End(f"T{number}", 1, "ab")), range(200)))
    assert len(ends.seen()) == 200
