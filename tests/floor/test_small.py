"""Small doors that were open: an id used twice, amounts in two spellings, paths in errors, a store that hangs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from tests.floor.indoors import Indoors, code_of, indoors
from tests.patience import limit

from puntobanco.table import commands as c
from puntobanco.table.commands import HOUSE, Command


@pytest.fixture(scope="module")
def house() -> Iterator[Indoors]:
    with indoors(idle=10_000, longest=100_000) as found:
        found.open_live("T1")
        found.must("ann", "POST", "/api/tables/T1/commands", {"id": "sit", "body": c.Join("ann", 1)})
        yield found


def test_an_id_stands_for_one_command(house: Indoors) -> None:
    """The same again is answered as before; another one under its id is refused, both ways in and after a restart."""
    first, other = c.BuyIn("ann", 100_00, "account"), c.BuyIn("ann", 200_00, "account")
    for _ in range(2):
        assert house.give("ann", "T1", "twice", first).status_code == 200

    def refused() -> None:
        answer = house.give("ann", "T1", "twice", other)
        assert (code_of(answer), answer.json()["detail"]) == ("already_there", "already_there.command")
        with house.socket("ann") as stream:
            assert stream.do("T1", "twice", other)["detail"] == "already_there.command"

    refused()
    house.restart()
    refused()
    table = house.floor.host.find("T1").table
    assert table is not None
    assert table.stack("ann") == 100_00


AMOUNTS = ["100", 100.0, 100.5, True, None, [100], "1e2", 2**63, 2**70, "NaN", -1]


@pytest.mark.parametrize("amount", AMOUNTS, ids=repr)
def test_both_ways_in_read_amounts_alike(house: Indoors, amount: Any) -> None:
    body = {"do": "buy_in", "person": "ann", "amount": amount, "source": "account"}
    by_http = house.give("ann", "T1", f"http {amount!r}", body)
    with house.socket("ann") as stream:
        stream.send({"op": "do", "table": "T1", "id": f"ws {amount!r}", "body": body})
        heard = stream.hear()
        while heard["m"] not in ("bad", "refused", "done"):
            heard = stream.hear()
    assert (by_http.status_code == 200) == (heard["m"] == "done")
    if by_http.status_code != 200:
        assert code_of(by_http) == heard["code"]


def test_a_player_does_not_fill_the_table_with_words(house: Indoors) -> None:
    """Whatever a player writes stays with the table, and goes out to everybody on the staff."""
    answers = [
        house.give("ann", "T1", f"long {length}", c.RaiseDispute("ann", "x" * length)) for length in (2_001, 2_000)
    ]
    assert [code_of(answer) for answer in answers] == ["too_large", ""]
    codes = [code_of(house.give("ann", "T1", f"again {number}", c.RaiseDispute("ann", "no"))) for number in range(21)]
    assert codes == [""] * 19 + ["too_many"] * 2
    assert code_of(house.give("sam", "T1", "for her", c.RaiseDispute("ann", "she disputes it again"))) == ""


def test_errors_tell_clients_no_paths(house: Indoors, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise OSError(2, "No such file or directory", str(house.folder / "record.db"))

    monkeypatch.setattr(house.floor.shoe_receipts, "of", fails)
    monkeypatch.setattr(house.floor.host.keeper, "receipt", fails)
    for path in ("/api/tables/T1/shoes/1", "/api/tables/T1/receipts/1", "/api/tables/../../etc/passwd", "/assets/../x"):
        answer = house.ask("ann", "GET", path)
        assert str(house.folder) not in answer.text
        assert "record.db" not in answer.text
        assert "Traceback" not in answer.text


def test_an_opening_that_a_kill_left_out_is_in_the_log_at_the_next_start(house: Indoors) -> None:
    """The table is in its own log, and its process ended before it had told the floor's."""
    settings = house.floor.host.find("T1").table.settings  # type: ignore[union-attr]
    opening = c.OpenTable(replace(settings, table="K1"), {})
    house.floor.host.keeper.give("K1", Command("open", HOUSE, house.floor.host.clock(), opening))
    assert not [each for each in house.entries("table opened") if each["about"] == "K1"]
    for _ in range(2):
        house.restart()
        (entry,) = [each for each in house.entries("table opened") if each["about"] == "K1"]
        assert (entry["actor"], entry["why"]) == ("system", "written down at a later start")


@pytest.mark.parametrize("asked", ["stopped", "alive"])
def test_a_store_that_does_not_answer_holds_up_nobody_else(
    house: Indoors, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """Whether a table is stopped and who may stay are questions to it: neither waits on the event loop."""
    people, waits, go_on = house.floor.people, threading.Event(), threading.Event()
    real = getattr(people, asked)

    def hangs(*arguments: Any, **named: Any) -> Any:
        waits.set()
        assert go_on.wait(limit())
        return real(*arguments, **named)

    with house.socket("ann"), ThreadPoolExecutor(1) as asking:
        monkeypatch.setattr(people, asked, hangs)
        try:
            lobby = asking.submit(house.must, "ann", "GET", "/api/tables") if asked == "stopped" else None
            if lobby is None:
                house.sign_in("bob")
            assert waits.wait(limit())
            assert httpx.get(f"{house.address}/health", timeout=limit()).status_code == 200
        finally:
            go_on.set()
        if lobby is not None:
            assert "T1" in [brief["table"] for brief in lobby.result()]
