"""Columns as files and as data frames. Polars, or else pandas, makes the frames, Polars the Parquet files."""

from __future__ import annotations

import csv
import importlib
import importlib.util
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puntobanco.lab.values import plain

Columns = Mapping[str, NDArray[Any]]
FORMATS = (".csv", ".json", ".parquet")


class FrameError(ValueError):
    """A file that cannot be made, or a library that is not there."""


def frame(columns: Columns) -> Any:
    """A data frame of Polars if that is installed, else of pandas."""
    for name in ("polars", "pandas"):
        try:
            library = importlib.import_module(name)
        except ImportError:
            continue
        return library.DataFrame({key: np.ascontiguousarray(column) for key, column in columns.items()})
    raise FrameError("a data frame needs polars or pandas: install one of them, as in `pip install polars`")


def file_format(file: str) -> str:
    """The format that a file's name asks for."""
    suffix = Path(file).suffix.lower()
    if suffix not in FORMATS:
        raise FrameError(f"{file}: the name must end in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    return suffix


def as_file(columns: Columns, kind: str) -> bytes:
    """The columns as the bytes of a CSV, JSON (a list of records) or Parquet file."""
    if kind == ".parquet":
        return _parquet(columns)
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    if kind == ".json":
        records = [dict(zip(columns, map(plain, row), strict=True)) for row in rows]
        return (json.dumps(records) + "\n").encode()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode()


def check_format(file: str) -> str:
    """The format, after a look whether it can be written here: before the work, not after it."""
    kind = file_format(file)
    if kind == ".parquet" and importlib.util.find_spec("polars") is None:
        raise FrameError(
            f"{file}: a Parquet file needs polars: install it, as in `pip install polars`, or write a .csv"
        )
    return kind


def _parquet(columns: Columns) -> bytes:
    out = io.BytesIO()
    arrays = {key: np.ascontiguousarray(column) for key, column in columns.items()}
    importlib.import_module("polars").DataFrame(arrays).write_parquet(out)
    return out.getvalue()
