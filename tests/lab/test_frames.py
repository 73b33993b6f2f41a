"""Columns as CSV, JSON and Parquet files and as data frames, with and without the libraries that make them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pandas
import polars
import pytest
from tests.test_cli import refused, run

from puntobanco.cards import Composition
from puntobanco.lab.batch import Batch
from puntobanco.lab.exposure import exposure
from puntobanco.lab.frames import FrameError, as_file, check_format, frame
from puntobanco.lab.simulate import simulate
from puntobanco.lab.strategies import Strategy, play
from puntobanco.odds import odds
from puntobanco.rules.load import find_book

SUPER_SIX = find_book("super-six")
COLUMNS = {"shoe": np.array([1, 2]), "bet": np.array(["tie", "player"]), "ev": np.array([0.5, np.nan])}


def test_text_files() -> None:
    assert as_file(COLUMNS, ".csv") == b"shoe,bet,ev\n1,tie,0.5\n2,player,nan\n"
    assert json.loads(as_file(COLUMNS, ".json")) == [
        {"shoe": 1, "bet": "tie", "ev": 0.5},
        {"shoe": 2, "bet": "player", "ev": None},
    ]
    with pytest.raises(FrameError, match=r"must end in \.csv, \.json or \.parquet"):
        check_format("out.xlsx")


def test_a_parquet_file_keeps_types_and_values(tmp_path: Path) -> None:
    file = tmp_path / "out.parquet"
    file.write_bytes(as_file(COLUMNS, ".parquet"))
    found = polars.read_parquet(file)
    assert dict(found.schema) == {"shoe": polars.Int64, "bet": polars.String, "ev": polars.Float64}
    assert found["bet"].to_list() == ["tie", "player"]
    assert found["ev"][0] == 0.5
    assert np.isnan(found["ev"][1])


@pytest.mark.parametrize(
    ("arguments", "columns", "rows"),
    [
        (["odds", "super-six", "--shoes", "SHOES"], ["shoe", *SUPER_SIX.bets], 1),
        (["simulate", "super-six", "--shoes", "9"], ["bet", "ev", "se", "low", "high", "exact"], 6),
        (["exposure", "super-six", "--shoes", "2", "--bet", "tie"], ["bet", "correlation", "perfect_per_shoe"], 1),
        (["strategy", "super-six", "--sessions", "7"], ["result", "staked", "drawdown", "bets", "ruined"], 7),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_commands_write_the_same_figures_as_parquet_and_csv(
    tmp_path: Path, arguments: list[str], columns: list[str], rows: int
) -> None:
    shoes = tmp_path / "shoes.csv"
    shoes.write_text("A,2,3,4,5,6,7,8,9,T,J,Q,K\n" + ",".join(["24"] * 13))
    told = [str(shoes) if each == "SHOES" else each for each in arguments]
    for kind in ("parquet", "csv"):
        assert run(*told, "-o", str(tmp_path / f"out.{kind}")).code == 0
    found, text = polars.read_parquet(tmp_path / "out.parquet"), pandas.read_csv(tmp_path / "out.csv")
    assert found.columns[: len(columns)] == columns
    assert (found.height, found.columns) == (rows, list(text.columns))
    for name in found.columns:
        if found[name].dtype == polars.String:
            assert found[name].to_list() == text[name].to_list()
        else:
            np.testing.assert_allclose(found[name].to_numpy(), text[name].to_numpy(), rtol=1e-12)


def test_frames_of_all_results() -> None:
    exact = odds(SUPER_SIX, Composition.of_decks(6))["tie"].ev
    assert Batch(SUPER_SIX).solve([Composition.of_decks(6)]).frame()["tie"][0] == pytest.approx(float(exact))
    assert simulate(SUPER_SIX, shoes=5, cores=1).frame().height == 6
    assert exposure(SUPER_SIX, shoes=2).frame().height == 6
    assert play(SUPER_SIX, Strategy(bet="banker"), sessions=3).frame().height == 3


def test_pandas_where_there_is_no_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(frame(COLUMNS), polars.DataFrame)
    monkeypatch.setitem(sys.modules, "polars", None)
    found = frame(COLUMNS)
    assert isinstance(found, pandas.DataFrame)
    assert found["ev"].tolist()[0] == 0.5


def test_what_is_missing_is_named_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("polars", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(FrameError, match="a data frame needs polars or pandas: install one"):
        frame(COLUMNS)
    file = tmp_path / "run.parquet"
    told = refused("simulate", "super-six", "--rounds", "1e15", "-o", str(file))
    assert "a Parquet file needs polars: install it" in told
    assert not file.exists()
