"""What every store does, tested on each: in memory, SQLite, PostgreSQL."""

from __future__ import annotations

import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.patience import limit
from tests.store.build import NOW, an_entry, append
from tests.store.conftest import KINDS, OpenStore

from puntobanco.store import (
    Append,
    ConflictError,
    Document,
    Fault,
    Note,
    OverdrawnError,
    Posting,
    RepeatedError,
    StaleError,
    Store,
    StoreError,
    UnavailableError,
    backup,
    restore,
)
from puntobanco.store.backups import BackupError
from puntobanco.store.base import (
    DAY,
    EVERYWHERE,
    FAULTS,
    RETENTION,
    BadNameError,
    Beside,
    RetentionError,
    ReusedError,
    Row,
    account_moves,
)
from puntobanco.store.chain import hash_of
from puntobanco.table import events as e
from puntobanco.table.events import Transfer


def test_what_is_appended_comes_back_in_order(store: Store) -> None:
    first = append("T1", 0, 3, "c1")
    store.append(first)
    second = append("T1", 3, 2, "c2", hash_of(first.line))
    store.append(second)
    store.append(append("T2", 0, 1, "c1"))
    assert list(store.load("T1")) == [first.line, second.line]
    assert list(store.entries("T1")) == [(3, first.line), (5, second.line)]
    for after, expected in ((1, [first, second]), (2, [first, second]), (3, [second]), (4, [second]), (5, []), (9, [])):
        assert list(store.load("T1", after)) == [each.line for each in expected], after
    assert list(store.load("nobody")) == []
    assert store.tables() == {"T1": 5, "T2": 1}
    assert (store.version("T1"), store.version("nobody")) == (5, 0)


@pytest.mark.parametrize("expected", [0, 2, 4, 7])
def test_a_version_conflict_is_told_and_changes_nothing(store: Store, expected: int) -> None:
    store.append(append("T1", 0, 3, "c1"))
    with pytest.raises(ConflictError) as caught:
        store.append(append("T1", expected, 2, "c2"))
    assert (caught.value.table, caught.value.expected, caught.value.found) == ("T1", expected, 3)
    assert store.tables() == {"T1": 3}
    assert store.answered("T1", "c2") is None


def test_a_command_has_one_effect(store: Store) -> None:
    store.append(append("T1", 0, 3, "c1"))
    store.append(append("T1", 3, 1, "c2"))
    for after in (0, 3, 4):
        with pytest.raises(RepeatedError) as caught:
            store.append(append("T1", after, 3, "c1"))
        assert (caught.value.first, caught.value.last) == (1, 3)
    assert store.answered("T1", "c1") == (1, 3)
    assert store.answered("T1", "c3") is None
    assert store.version("T1") == 4


def test_the_same_command_id_is_another_command_at_another_table(store: Store) -> None:
    store.append(append("T1", 0, 1, "c1"))
    store.append(append("T2", 0, 2, "c1"))
    assert store.answered("T2", "c1") == (1, 2)


def test_200_identical_appends_in_flight_are_one(store: Store) -> None:
    one = append("T1", 0, 3, "c1", moves={"ann": 100})
    gate = threading.Barrier(20)

    def send(number: int) -> str:
        if number < 20:
            gate.wait()
        try:
            store.append(one)
        except RepeatedError:
            return "repeated"
        return "done"

    with ThreadPoolExecutor(20) as threads:
        answers = list(threads.map(send, range(200)))
    assert sorted(answers) == ["done", *["repeated"] * 199]
    assert store.version("T1") == 3
    assert store.balance("ann", "SGD") == 100


def test_one_conflict_leaves_its_neighbours_alone(store: Store) -> None:
    store.post(Posting("p1", "ann", "SGD", 50, NOW))
    futures = [store.submit(append(f"T{number}", 0, 2, "c1")) for number in range(30)]
    futures += [store.submit(append("T3", 0, 2, "c2")), store.submit(append("T4", 7, 2, "c2"))]
    futures += [store.submit(append("T90", 0, 1, "c1", moves={"ann": -51}))]
    futures += [store.submit(append(f"T{number}", 0, 2, "c1")) for number in range(30, 60)]
    kinds = [type(future.exception()).__name__ for future in futures]
    assert kinds == ["NoneType"] * 30 + ["ConflictError", "ConflictError", "OverdrawnError"] + ["NoneType"] * 30
    assert store.tables() == {f"T{number}": 2 for number in range(60)}


def test_threads_on_one_table_agree_on_an_order(store: Store) -> None:
    def add(thread: int) -> int:
        done = conflicts = 0
        while done < 10:
            try:
                store.append(append("T1", store.version("T1"), 2, f"{thread}-{done}"))
                done += 1
            except ConflictError:
                conflicts += 1
        return conflicts

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add, range(4)))
    assert store.version("T1") == 80
    spans = sorted(store.answered("T1", f"{thread}-{number}") or () for thread in range(4) for number in range(10))
    assert spans == [(first, first + 1) for first in range(1, 80, 2)]


def test_lines_beside_the_events(store: Store) -> None:
    beside = (
        Beside(2, "checkpoint", b'{"checkpoint":1}'),
        Beside(2, "reveal", b"\xff\x00"),
        Beside(3, "checkpoint", b"x"),
    )
    store.append(append("T1", 0, 3, "c1", beside=beside))
    assert list(store.beside("T1")) == list(beside)
    assert list(store.beside("T1", 2)) == [beside[2]]
    assert list(store.beside("T2")) == []


# --- accounts


def test_money_moves_with_the_append_or_not_at_all(store: Store) -> None:
    assert store.post(Posting("p1", "ann", "SGD", 1000, NOW)) == 1000
    store.append(append("T1", 0, 1, "c1", moves={"ann": -400, "ben": 5}))
    with pytest.raises(ConflictError):
        store.append(append("T1", 0, 1, "c2", moves={"ann": -400}))
    with pytest.raises(RepeatedError):
        store.append(append("T1", 1, 1, "c1", moves={"ann": -400}))
    with pytest.raises(OverdrawnError) as caught:
        store.append(append("T1", 1, 1, "c3", moves={"ben": 1, "ann": -601}))
    assert (caught.value.account, caught.value.balance, caught.value.wanted) == ("ann", 600, 601)
    with pytest.raises(OverdrawnError) as caught:
        store.append(append("T1", 1, 1, "c3", moves={"nobody": -1}))
    assert caught.value.balance == 0
    assert store.accounts() == {"ann": {"SGD": 600}, "ben": {"SGD": 5}}
    assert store.version("T1") == 1


def test_a_posting_counts_once(store: Store) -> None:
    for _ in range(3):
        assert store.post(Posting("p1", "ann", "SGD", 1000, NOW)) == 1000
    assert store.post(Posting("p2", "ann", "SGD", -300, NOW)) == 700
    with pytest.raises(OverdrawnError):
        store.post(Posting("p3", "ann", "SGD", -701, NOW))
    assert store.balance("ann", "SGD") == 700
    assert store.balance("nobody", "SGD") == 0


def test_an_account_holds_each_currency_apart(store: Store) -> None:
    assert store.post(Posting("p1", "ann", "SGD", 1000, NOW)) == 1000
    assert store.post(Posting("p2", "ann", "JPY", 7, NOW)) == 7
    store.append(append("T1", 0, 1, "c1", moves={"ann": 50, "ben": 5}, currency="HKD"))
    assert store.accounts() == {"ann": {"HKD": 50, "JPY": 7, "SGD": 1000}, "ben": {"HKD": 5}}
    assert list(store.balances("ann")) == ["HKD", "JPY", "SGD"]
    assert store.balances("nobody") == {}
    assert (store.balance("ann", "HKD"), store.balance("ann", "USD")) == (50, 0)
    with pytest.raises(OverdrawnError, match=r"account ann holds 0.50 HKD, not 0.51 HKD") as caught:
        store.append(append("T1", 1, 1, "c2", moves={"ann": -51}, currency="HKD"))
    assert (caught.value.account, caught.value.currency, caught.value.balance) == ("ann", "HKD", 50)
    with pytest.raises(OverdrawnError, match=r"account ben holds 0.00 SGD, not 0.01 SGD"):
        store.append(append("T1", 1, 1, "c2", moves={"ben": -1}, currency="SGD"))
    with pytest.raises(OverdrawnError, match=r"account ann holds 7 JPY, not 8 JPY"):
        store.post(Posting("p3", "ann", "JPY", -8, NOW))
    assert store.balances("ann") == {"HKD": 50, "JPY": 7, "SGD": 1000}


@pytest.mark.parametrize("currency", ["", "sgd", "S", "S$", "SGD ", "TOO LONG A CODE"])
def test_money_is_in_a_currency(store: Store, currency: str) -> None:
    with pytest.raises(BadNameError, match="is not a currency: write a code in capital letters, as in SGD"):
        store.post(Posting("p1", "ann", currency, 1000, NOW))
    with pytest.raises(BadNameError, match="is not a currency"):
        store.append(append("T1", 0, 1, "c1", moves={"ann": 1}, currency=currency))
    assert store.accounts() == {}


def test_the_id_of_a_posting_is_good_for_one_thing(store: Store) -> None:
    store.post(Posting("p1", "ann", "SGD", 1000, NOW))
    for other in (
        Posting("p1", "ann", "SGD", 2000, NOW),
        Posting("p1", "ben", "SGD", 1000, NOW),
        Posting("p1", "ann", "SGD", -1000, NOW),
        Posting("p1", "ann", "HKD", 1000, NOW),
    ):
        with pytest.raises(ReusedError, match=r"posting p1 was of 10.00 SGD for ann"):
            store.post(other)
    assert store.post(Posting("p1", "ann", "SGD", 1000, NOW + 5)) == 1000
    assert "ben" not in store.accounts()


def test_a_posting_and_its_note_are_made_together_or_not_at_all(store: Store) -> None:
    ear = Ear()
    store.listen(ear)
    balances: list[int] = []

    def note(expected: int, command: str, lines: int = 1) -> Note:
        def made(balance: int) -> Append:
            balances.append(balance)
            return append("@office", expected, lines, command)

        return Note("@office", made)

    assert store.post(Posting("p1", "ann", "SGD", 1000, NOW), note(0, "n1")) == 1000
    assert store.post(Posting("p1", "ann", "SGD", 1000, NOW), note(7, "n1")) == 1000, (
        "the same again, whatever the note is"
    )
    for posting, noted, problem in (
        (Posting("p2", "ann", "SGD", 5, NOW), note(0, "n2"), ConflictError),
        (Posting("p2", "ann", "SGD", 5, NOW), note(1, "n1"), RepeatedError),
        (Posting("p2", "ann", "SGD", -1001, NOW), note(1, "n2"), OverdrawnError),
        (Posting("p1", "ann", "SGD", 5, NOW), note(1, "n2"), ReusedError),
        (Posting("p2", "ann", "SGD", 5, NOW), note(1, ""), BadNameError),
    ):
        with pytest.raises(problem):
            store.post(posting, noted)
        assert (store.balance("ann", "SGD"), store.version("@office"), store.answered("@office", "n2")) == (
            1000,
            1,
            None,
        )
    assert store.post(Posting("p2", "ann", "SGD", 5, NOW), note(1, "n2", 2)) == 1005
    assert (store.version("@office"), store.answered("@office", "n2")) == (3, (2, 3))
    assert (balances[0], balances[-1]) == (0, 1000)
    ear.wait_for("@office")


def test_moves_come_from_transfers() -> None:
    bought = e.MoneyMoved("buy_in", "ann", 50, (Transfer("account:ann", "drop", 50), Transfer("tray", "chips:ann", 50)))
    left = e.PlayerLeft("ben", (Transfer("chips:ben", "tray", 70), Transfer("drop", "account:ben", 70)))
    assert account_moves([bought, left, bought]) == {"ann": -100, "ben": 70}
    assert account_moves(an_entry(3).events) == {}


@pytest.mark.parametrize(
    "bad",
    [
        Append("", 0, "c1", b""),
        Append("T\0", 0, "c1", b""),
        Append("T1", 0, "c\0", b""),
        Append("T1", 0, "c1", b"", events=0),
        Append("T1", 0, "c1", b"", moves={"a\0": 1}, currency="SGD"),
        Append("T1", 0, "c1", b"", moves={"ann": 2**63}, currency="SGD"),
        Append("T1", 0, "c1", b"", moves={"ann": 1}),
        Append("T1", 0, "c1", b"", moves={"ann": 1}, currency="sgd"),
        Append("T1", 0, "c1", b"", documents=(Document("", "ann", b""),)),
        Append("T1", 0, "c1", b"", documents=(Document("person", "a\0", b""),)),
        Append("T1", 0, "c1", b"", documents=(Document("person", "ann", b"", -1),)),
        Append("T1", 0, "c1", b"", documents=(Document("person", "ann", b"", 2**63),)),
    ],
)
def test_what_a_database_cannot_hold_is_refused(store: Store, bad: Append) -> None:
    with pytest.raises(BadNameError):
        store.append(bad)
    if bad.documents:
        with pytest.raises(BadNameError):
            store.keep(*bad.documents)


def test_names_in_any_script(store: Store) -> None:
    name, command = "桌 1 / 'quote' \"double\" %s", "命令 ; drop table events"
    store.append(append(name, 0, 2, command, moves={"安": 1}))
    assert store.tables() == {name: 2}
    assert store.answered(name, command) == (1, 2)
    assert store.accounts() == {"安": {"SGD": 1}}


# --- appends on their way together


def test_appends_that_follow_each_other_need_no_waiting(store: Store) -> None:
    futures = [store.submit(append("T1", 0, 2, "c0"))]
    futures += [store.submit(append("T1", 2 * n, 2, f"c{n}", follows=f"c{n - 1}")) for n in range(1, 20)]
    assert [future.exception() for future in futures] == [None] * 20
    assert store.version("T1") == 40


def test_an_append_that_follows_one_that_failed_fails(store: Store) -> None:
    """Also where somebody else has led to the very version that it was made for."""
    store.append(append("T1", 0, 2, "another's"))
    futures = [store.submit(append("T1", 0, 2, "c1"))]
    futures += [store.submit(append("T1", 2, 1, "c2", follows="c1"))]
    futures += [store.submit(append("T1", 3, 1, "c3", follows="c2"))]
    assert [type(future.exception()) for future in futures] == [ConflictError] * 3
    for follows in ("c1", "another"):
        with pytest.raises(ConflictError):
            store.append(append("T1", 2, 1, "c4", follows=follows))
    store.append(append("T1", 2, 1, "c4", follows="another's"))
    with pytest.raises(ConflictError):
        store.append(append("T1", 3, 1, "c5", follows="another's"))
    assert store.version("T1") == 3


# --- documents


def test_a_document_is_replaced_by_who_knows_its_version(store: Store) -> None:
    assert store.document("person", "ann") is None
    store.keep(Document("person", "ann", b"\x00\xff"), Document("person", "Zo\u00eb", b""))
    assert store.document("person", "ann") == Document("person", "ann", b"\x00\xff", 1)
    store.keep(Document("person", "ann", b"second", 1))
    assert store.documents("person") == {
        "Zo\u00eb": Document("person", "Zo\u00eb", b"", 1),
        "ann": Document("person", "ann", b"second", 2),
    }
    assert list(store.documents("person")) == ["Zo\u00eb", "ann"]
    assert store.documents("device") == {}


@pytest.mark.parametrize("key", ["a\0", "", "'; drop table documents", "桌" * 5000])
def test_a_document_under_any_name_is_asked_for_in_vain(store: Store, key: str) -> None:
    assert store.document("session", key) is None


@pytest.mark.parametrize(("version", "there"), [(0, 2), (1, 2), (3, 2), (1, 0)])
def test_documents_are_kept_all_or_none(store: Store, version: int, there: int) -> None:
    for number in range(there):
        store.keep(Document("plan", "T1", b"before", number))
    with pytest.raises(StaleError) as caught:
        store.keep(Document("person", "ann", b"new"), Document("plan", "T1", b"after", version))
    assert (caught.value.kind, caught.value.key, caught.value.found) == ("plan", "T1", there)
    assert store.documents("person") == {}
    assert store.document("plan", "T1") == (Document("plan", "T1", b"before", there) if there else None)


def test_the_same_document_twice_at_once_is_stale(store: Store) -> None:
    with pytest.raises(StaleError):
        store.keep(Document("person", "ann", b"1"), Document("person", "ann", b"2"))
    store.keep(Document("person", "ann", b"1"), Document("person", "ann", b"2", 1))
    assert store.document("person", "ann") == Document("person", "ann", b"2", 2)


def test_a_forgotten_document_is_new_again(store: Store) -> None:
    store.keep(Document("session", "s1", b"x"), Document("session", "s2", b"x"))
    store.forget("session", "s1")
    store.forget("session", "nobody's")
    assert set(store.documents("session")) == {"s2"}
    with pytest.raises(StaleError):
        store.keep(Document("session", "s1", b"y", 1))
    store.keep(Document("session", "s1", b"y"))
    assert store.document("session", "s1") == Document("session", "s1", b"y", 1)


def test_documents_go_with_the_append_or_not_at_all(store: Store) -> None:
    store.post(Posting("p1", "ann", "SGD", 100, NOW))
    opened = Document("stop", "T1", b"{}")
    store.append(append("T1", 0, 1, "c1", documents=(opened,), moves={"ann": -10}))
    assert store.document("stop", "T1") == Document("stop", "T1", b"{}", 1)
    again = Document("stop", "T1", b"again", 1)
    with pytest.raises(RepeatedError):
        store.append(append("T1", 1, 1, "c1", documents=(opened,)))
    with pytest.raises(ConflictError):
        store.append(append("T1", 0, 1, "c2", documents=(opened,)))
    new = Document("stop", "T2", b"")
    with pytest.raises(StaleError) as caught:
        store.append(append("T1", 1, 1, "c2", documents=(new, opened), moves={"ann": -1000}))
    assert (caught.value.kind, caught.value.key, caught.value.found) == ("stop", "T1", 1)
    with pytest.raises(OverdrawnError):
        store.append(append("T1", 1, 1, "c2", documents=(again,), moves={"ann": -1000}))
    assert (store.version("T1"), store.balance("ann", "SGD")) == (1, 90)
    assert list(store.documents("stop").values()) == [Document("stop", "T1", b"{}", 1)]
    assert store.answered("T1", "c2") is None


def test_documents_are_removed_with_the_append_or_not_at_all(store: Store) -> None:
    store.keep(Document("stop", "T1", b"{}"), Document("call", "T1", b"{}"), Document("call", "T2", b"{}"))
    gone = (("stop", "T1"), ("call", "T1"), ("call", "nobody's"))
    with pytest.raises(ConflictError):
        store.append(append("@floor", 1, 1, "c1", removed=gone))
    assert set(store.documents("call")) == {"T1", "T2"}
    store.append(append("@floor", 0, 1, "c1", removed=gone))
    assert (set(store.documents("call")), store.documents("stop")) == ({"T2"}, {})
    store.keep(Document("stop", "T1", b"new"))
    with pytest.raises(RepeatedError):
        store.append(append("@floor", 1, 1, "c1", removed=gone))
    assert set(store.documents("stop")) == {"T1"}


def test_a_stale_document_leaves_the_neighbours_alone(store: Store) -> None:
    claim = (Document("plan", "P", b""),)
    futures = [store.submit(append(f"T{number}", 0, 2, "c1", documents=claim)) for number in range(10)]
    kinds = [type(future.exception()).__name__ for future in futures]
    assert sorted(kinds) == ["NoneType"] + ["StaleError"] * 9
    (winner,) = store.tables()
    assert kinds[int(winner[1:])] == "NoneType"


def test_of_those_who_replace_a_document_at_once_one_wins_each_time(store: Store) -> None:
    store.keep(Document("count", "c", b"0"))

    def add(_: int) -> None:
        while True:
            found = store.document("count", "c")
            assert found is not None
            try:
                return store.keep(Document("count", "c", str(int(found.value) + 1).encode(), found.version))
            except StaleError:
                continue

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add, range(40)))
    assert store.document("count", "c") == Document("count", "c", b"40", 41)


# --- listening


class Ear:
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.threads: set[int] = set()

    def __call__(self, name: str) -> None:
        self.threads.add(threading.get_ident())
        self.heard.put(name)

    def wait_for(self, *names: str) -> list[str]:
        """Everything up to the moment when all of these were heard."""
        found: list[str] = []
        while not set(names) <= set(found):
            found.append(self.heard.get(timeout=limit()))
        return found


def test_whoever_listens_hears_what_was_written(store: Store) -> None:
    ear = Ear()
    stop = store.listen(ear)
    store.append(append("T1", 0, 1, "c1"))
    assert ear.wait_for("T1") == ["T1"]
    store.append(append("@floor", 0, 1, "c1", documents=(Document("person", "ann", b""),)))
    assert set(ear.wait_for("@floor", "documents:person")) == {"@floor", "documents:person"}
    store.keep(Document("device", "d", b""), Document("stop", "s", b""))
    ear.wait_for("documents:device", "documents:stop")
    store.forget("device", "d")
    assert ear.wait_for("documents:device") == ["documents:device"]
    store.append(append("@floor", 1, 1, "c2", removed=(("stop", "s"),)))
    assert set(ear.wait_for("@floor", "documents:stop")) == {"@floor", "documents:stop"}
    store.set_fault(Fault("T1", NOW, "why"))
    assert ear.wait_for(FAULTS) == [FAULTS]
    store.clear_fault("T1")
    assert ear.wait_for(FAULTS) == [FAULTS]
    assert threading.get_ident() not in ear.threads
    stop()
    other = Ear()
    store.listen(other)
    store.append(append("T2", 0, 1, "c1"))
    other.wait_for("T2")
    assert ear.heard.empty()


def test_who_knows_what_was_appended_here_hears_of_the_rest_only(store: Store) -> None:
    ear, other = Ear(), Ear()
    store.listen(ear, own=False)
    store.append(append("T1", 0, 1, "c1"))
    store.append(append("T2", 0, 1, "c1", documents=(Document("person", "ann", b""),)))
    store.set_fault(Fault("T1", NOW, "why"))
    assert set(ear.wait_for("documents:person", FAULTS)) == {"documents:person", FAULTS}
    stop = store.listen(other)
    store.append(append("T1", 1, 1, "c2"))
    other.wait_for("T1")
    stop()
    store.keep(Document("device", "d", b""))
    assert ear.wait_for("documents:device") == ["documents:device"]


def test_what_was_not_written_is_not_heard_of(store: Store) -> None:
    ear = Ear()
    store.listen(ear)
    store.append(append("T1", 0, 1, "c1"))
    ear.wait_for("T1")
    with pytest.raises(ConflictError):
        store.append(append("T1", 0, 1, "c2", documents=(Document("person", "ann", b""),)))
    with pytest.raises(StaleError):
        store.append(append("T1", 1, 1, "c2", documents=(Document("a", "a", b""), Document("b", "b", b"", 7))))
    with pytest.raises(StaleError):
        store.keep(Document("c", "c", b"", 1))
    store.append(append("T2", 0, 1, "c1"))
    assert ear.wait_for("T2") == ["T2"]


def test_what_is_heard_of_can_be_read(store: Store) -> None:
    versions: queue.SimpleQueue[int] = queue.SimpleQueue()
    store.listen(lambda name: versions.put(store.version(name)))
    for after in range(5):
        store.append(append("T1", after, 1, f"c{after}"))
        while versions.get(timeout=limit()) != after + 1:
            pass


def test_a_listener_that_fails_or_writes_disturbs_nobody(store: Store) -> None:
    ear = Ear()

    def write(name: str) -> None:
        if name == "T1":
            store.append(append("T2", 0, 1, "c1"))
        raise RuntimeError(name)

    store.listen(write)
    store.listen(ear)
    store.append(append("T1", 0, 1, "c1"))
    ear.wait_for("T1", "T2")
    assert store.tables() == {"T1": 1, "T2": 1}


def test_names_of_any_length_are_heard_of(store: Store) -> None:
    ear = Ear()
    store.listen(ear)
    name = "桌" * 700
    store.append(append(name, 0, 1, "c1"))
    assert ear.wait_for(name) == [name]
    store.keep(Document("x" * 9000, "key", b""))
    assert ear.heard.get(timeout=limit()) in ("*", f"documents:{'x' * 9000}")


# --- claims


def test_a_claim_is_held_until_it_is_released(store: Store) -> None:
    assert store.claim("clock of T1")
    assert store.claim("clock of T1")
    assert store.claim("桌 2")
    store.release("clock of T1")
    store.release("nobody's")
    assert store.claim("clock of T1")
    assert store.alone()
    assert store.alone()


def test_a_hundred_claims_take_a_fraction_of_a_second(store: Store) -> None:
    names = [f"T{number}" for number in range(100)]
    assert all(store.claim(name) for name in names)
    begun = time.process_time()
    assert all(store.claim(name) for name in names)
    assert time.process_time() - begun < limit(0.5)


# --- faults, retention, backup


def test_a_fault_stays_until_it_is_cleared(store: Store) -> None:
    assert store.faults() == {}
    store.set_fault(Fault("T1", NOW, "first"))
    store.set_fault(Fault("T1", NOW + 1, "second"))
    store.set_fault(Fault(EVERYWHERE, NOW, "all"))
    assert store.faults() == {"T1": Fault("T1", NOW, "first"), EVERYWHERE: Fault(EVERYWHERE, NOW, "all")}
    store.clear_fault("T1")
    store.clear_fault("T2")
    assert set(store.faults()) == {EVERYWHERE}


def test_a_log_is_kept_for_five_years(store: Store) -> None:
    assert store.retention == RETENTION == 1827
    store.append(append("T1", 0, 2, "c1", beside=(Beside(2, "checkpoint", b"x"),)))
    store.append(append("T2", 0, 2, "c1"))
    with pytest.raises(RetentionError, match="1 more"):
        store.drop("T1", NOW + RETENTION * DAY - 1)
    with pytest.raises(RetentionError, match="no table"):
        store.drop("T3", NOW)
    store.drop("T1", NOW + RETENTION * DAY)
    assert store.tables() == {"T2": 2}
    assert list(store.beside("T1")) == []
    store.retention = 10
    assert store.retention == 10
    store.drop("T2", NOW + 10 * DAY)
    assert store.tables() == {}
    with pytest.raises(ValueError, match="a day at least"):
        store.retention = 0


def fill_some(store: Store) -> None:
    store.post(Posting("p1", "ann", "SGD", 1000, NOW))
    beside = (Beside(2, "checkpoint", b"{}"), Beside(3, "reveal", b"\x00\xff"))
    store.append(append("T1", 0, 3, "c1", moves={"ann": -1}, beside=beside))
    store.append(append("桌", 0, 3, "c1"))
    store.set_fault(Fault("T1", NOW, "why"))
    store.retention = 3000
    store.keep(Document("person", "ann", b"\x00\xff"), Document("person", "桌", b"{}"))
    store.keep(Document("person", "ann", b"new", 1), Document("session", "s1", b"not backed up"))


def contents(store: Store) -> list[tuple[str, Row]]:
    with store.rows() as rows:
        return sorted(rows)


@pytest.mark.parametrize("into", KINDS)
def test_a_backup_fills_a_store_of_any_kind(store: Store, into: str, new_store: OpenStore, tmp_path: Path) -> None:
    fill_some(store)
    count = backup(store, tmp_path / "backup")
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith("backup")] == ["backup"]
    other = new_store(into)
    assert restore(other, tmp_path / "backup") == count == 10
    assert contents(other) == contents(store)
    assert (other.tables(), other.faults(), other.retention) == (store.tables(), store.faults(), 3000)
    assert other.documents("person") == store.documents("person")
    assert (len(store.documents("session")), other.documents("session")) == (1, {})
    other.append(append("T1", 3, 1, "c2"))
    with pytest.raises(RepeatedError):
        other.append(append("T1", 4, 1, "c1"))
    with pytest.raises(StoreError, match="empty store"):
        restore(other, tmp_path / "backup")


def test_a_backup_shows_one_moment(store: Store) -> None:
    fill_some(store)
    before = contents(store)
    with store.rows() as rows:
        found = [next(rows)]
        store.append(append("T1", 3, 1, "c2"))
        store.post(Posting("p2", "ann", "SGD", 5, NOW))
        found += rows
    assert sorted(found) == before


def test_a_store_with_nothing_but_a_document_is_not_empty(store: Store, new_store: OpenStore, tmp_path: Path) -> None:
    backup(new_store("memory"), tmp_path / "backup")
    store.keep(Document("person", "ann", b""))
    with pytest.raises(StoreError, match="empty store"):
        restore(store, tmp_path / "backup")


@pytest.mark.parametrize("damage", ["cut", "flip", "other", "none"])
def test_a_damaged_backup_fills_nothing(store: Store, new_store: OpenStore, tmp_path: Path, damage: str) -> None:
    fill_some(store)
    file = tmp_path / "backup"
    backup(store, file)
    data = bytearray(file.read_bytes())
    if damage == "cut":
        data = data[: len(data) // 2]
    elif damage == "flip":
        data[len(data) // 2] ^= 1
    elif damage == "other":
        data = bytearray(b"something else")
    else:
        file = tmp_path / "nothing"
    if damage != "none":
        file.write_bytes(data)
    other = new_store("memory")
    with pytest.raises(BackupError):
        restore(other, file)
    assert other.tables() == {}


def test_a_closed_store_takes_nothing(store: Store) -> None:
    pending = [store.submit(append(f"T{number}", 0, 1, "c1")) for number in range(20)]
    store.close()
    assert all(future.exception() is None for future in pending)
    with pytest.raises(UnavailableError):
        store.append(append("T1", 1, 1, "c2"))
    with pytest.raises(UnavailableError):
        store.post(Posting("p1", "ann", "SGD", 1, NOW))
    with pytest.raises(UnavailableError):
        store.keep(Document("person", "ann", b""))
    with pytest.raises(UnavailableError):
        store.forget("person", "ann")
