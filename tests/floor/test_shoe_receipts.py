"""The receipt of a shoe over the network, and its check by the command line from the receipt alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.floor.indoors import Indoors, Json, code_of, indoors
from tests.floor.serving import table_settings
from tests.patience import until

from puntobanco.cli.app import main

SEED = "5e" * 32


@pytest.fixture(scope="module")
def house() -> Iterator[Indoors]:
    """A table whose first shoe Ann has mixed and cut, and which has gone through it."""
    with indoors(idle=10_000, longest=100_000, for_cut=1_000) as house:
        settings = table_settings("T1", "tiger-buffalo", countdown=1, decks=6, cut_card=290, burn="first_card")
        house.open(_with(settings, seeds="required", cut="required"))
        for body in (
            {"do": "join", "person": "ann", "box": 1},
            {"do": "buy_in", "person": "ann", "amount": 100_000, "source": "account"},
        ):
            assert code_of(house.give("ann", "T1", str(body["do"]), body)) == ""
        until(lambda: "seeds_asked" in house.kinds("T1"))
        house.ahead += 60
        house.clock_looks("T1")
        assert house.kinds("T1")[-1] == "seeds_asked", "the table waits for a seed"
        commitment = house.view("ann", "T1")["public"]["shoe"]["commitment"]
        parts = (b"puntobanco seed pledge 1\0", bytes.fromhex(commitment), bytes.fromhex(SEED))
        pledge = hashlib.sha256(b"".join(parts)).hexdigest()
        assert house.ask("ann", "GET", "/api/tables/T1/shoes/1").status_code == 404, "it is in use"
        house.must("ann", "POST", "/api/tables/T1/commands", _give("pledge_seed", pledge=pledge))
        house.must("ann", "POST", "/api/tables/T1/commands", _give("show_seed", seed=SEED))
        house.ahead += 60
        house.clock_looks("T1")
        assert house.kinds("T1")[-1] == "shoe_mixed", "the table waits for a cut"
        house.must("ann", "POST", "/api/tables/T1/commands", _give("cut", position=100))

        def over() -> bool:
            house.ahead += 1
            return "shoe_ended" in house.kinds("T1")

        until(over)
        yield house


def _with(settings: Any, **changes: Any) -> Any:
    from msgspec.structs import replace

    return replace(settings, **changes)


def _give(do: str, **fields: Any) -> Json:
    return {"id": do, "body": {"do": do, "person": "ann", **fields}}


def receipt(house: Indoors) -> Json:
    found: Json = house.must("ann", "GET", "/api/tables/T1/shoes/1")
    return found


def checked(tmp_path: Path, found: Json, *options: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit code of the command, and what it says."""
    file = tmp_path / "receipt.json"
    file.write_text(json.dumps(found))
    code = 0
    try:
        main(["verify-shoe", str(file), *options])
    except SystemExit as end:
        code = int(str(end.code))
    told = capsys.readouterr()
    return code, " ".join((told.out + told.err).split())


def test_a_player_checks_the_shoe_from_the_receipt_alone(
    house: Indoors, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = receipt(house)
    key = str(house.folder / "house.key.pub")
    mine = ("--commitment", found["receipt"]["commitment"], "--seed", SEED, "--key", key)
    code, told = checked(tmp_path, found, *mine, capsys=capsys)
    assert code == 0, told
    assert "1 of 1 pledged seeds" in told
    assert "signed by the trusted key" in told
    report: Json = house.must("sue", "POST", "/api/tables/T1/verify")
    assert (report["ok"], report["shoes"]) == (True, 1), "and the record says the same"


def test_every_lie_has_its_word(house: Indoors, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = receipt(house)
    body = found["receipt"]
    named = next(place for place, card in enumerate(body["cards"]) if card)
    card = "As" if body["cards"][named] != "As" else "Kc"
    cards = {"cards": [*body["cards"][:named], card, *body["cards"][named + 1 :]]}
    lies: tuple[tuple[Json, tuple[str, ...], str], ...] = (
        ({}, ("--commitment", "00" * 32), "you saw the commitment"),
        ({}, ("--seed", "00" * 32), "is not among those"),
        (cards, (), f"card {named + 1} out of the shoe"),
        ({"cuts": []}, (), "out of the shoe"),
        ({"salt": body["salt"].upper().replace("0", "A")}, (), "in small letters"),
        ({"table": "T2"}, ("--key", str(house.folder / "house.key.pub")), "is not signed by the key"),
    )
    for changes, options, wanted in lies:
        code, told = checked(tmp_path, found | {"receipt": body | changes}, *options, capsys=capsys)
        assert code == 1, told
        assert wanted in told
    code, told = checked(tmp_path, {"no": "receipt"}, capsys=capsys)
    assert code == 2
    assert "not a receipt of a shoe" in told


def test_a_receipt_is_for_who_may_look_at_the_table(house: Indoors) -> None:
    assert receipt(house)["receipt"]["pledges"] == [
        {"pledge": receipt(house)["receipt"]["pledges"][0]["pledge"], "seed": SEED}
    ]
    assert "ann" not in json.dumps(receipt(house))
    for name, path, status in (
        ("", "T1/shoes/1", 401),
        ("ann", "T1/shoes/2", 404),
        ("ann", "T1/shoes/0", 404),
        ("ann", "T9/shoes/1", 404),
        ("ann", f"T1/shoes/{2**80}", 404),
        ("sue", "T1/shoes/1", 200),
    ):
        assert house.ask(name, "GET", f"/api/tables/{path}").status_code == status, (name, path)
