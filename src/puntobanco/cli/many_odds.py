"""Exact odds of many shoes on the command line: a CSV file in, a file or a table out."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from rich.console import Console

from puntobanco.cards import CARDS, RANKS
from puntobanco.cli.common import UsageError, check_apart, check_named, option, read_file, write_file
from puntobanco.cli.render import console, new_table, print_json, show, styled
from puntobanco.lab.words import percent
from puntobanco.rules.model import Layout, RuleBook

if TYPE_CHECKING:
    from puntobanco.lab.batch import BatchOdds

_MOST_DIGITS = 9


def odds_of_many(
    book: RuleBook, layout: Layout | None, file: str, output: str | None, *, insurance: bool, json: bool
) -> None:
    """The expectation of every bet for every shoe of a file."""
    counts = read_shoes(file)

    # numpy and numba take a while to load
    from puntobanco.lab.batch import Batch
    from puntobanco.lab.frames import check_format

    kind = None
    if output is not None:
        check_named(output, "--output: ")
        check_apart("--output", output, [file])
        with option("--output"):
            kind = check_format(output)
    with option("--shoes"):
        found = Batch(book, layout).solve(counts, insurance=insurance)
    columns = {"shoe": _numbers(len(counts)), **found.columns()}
    if output is not None and kind is not None:
        from puntobanco.lab.frames import as_file

        write_file(output, as_file(columns, kind), "--output")
    if json:
        print_json(_json(book, found))
    elif output is None:
        _print(book, found)
    if not json:
        _call_out_shoes(book, found)


def _numbers(count: int) -> Any:
    import numpy as np

    return np.arange(1, count + 1)


def read_shoes(file: str) -> list[list[int]]:
    """The compositions in a CSV file whose columns are ranks or cards, in any order."""
    with option("--shoes"):
        try:
            text = read_file(file).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UsageError(f"{file} is not a CSV file in UTF-8") from None
        rows = [row for row in csv.reader(io.StringIO(text)) if any(cell.strip() for cell in row)]
        if not rows:
            raise UsageError(f"{file} is empty: a first line A,2,…,9,T,J,Q,K was expected, and a line per shoe")
        names = [name.strip() for name in rows[0]]
        kinds = _kinds(file, names)
        if len(rows) == 1:
            raise UsageError(f"{file} has no shoe: a line with the cards left was expected below the names")
        return [_shoe(file, number, row, names, kinds) for number, row in enumerate(rows[1:], 1)]


def _kinds(file: str, names: list[str]) -> list[str]:
    ranks, cards = [str(rank.value) for rank in RANKS], [card.text for card in CARDS]
    names[:] = ["T" if name == "10" else name for name in names]
    for kinds in (ranks, cards):
        if sorted(names) == sorted(kinds):
            return kinds
    raise UsageError(
        f"{file}: the first line must name the columns {','.join(ranks)}, or all 52 cards ({cards[0]},{cards[1]},…), "
        f"not {','.join(names)}"
    )


def _shoe(file: str, number: int, row: list[str], names: list[str], kinds: list[str]) -> list[int]:
    if len(row) != len(names):
        raise UsageError(f"{file}, shoe {number}: {len(names)} counts were expected, not {len(row)}")
    counts = {}
    for name, cell in zip(names, row, strict=True):
        text = cell.strip()
        if not (text.isascii() and text.isdecimal()) or len(text) > _MOST_DIGITS:
            raise UsageError(f"{file}, shoe {number}: {cell!r} under {name} is not a number of cards")
        counts[name] = int(text)
    return [counts[kind] for kind in kinds]


def _json(book: RuleBook, found: BatchOdds) -> dict[str, Any]:
    from puntobanco.lab.values import plain

    columns = {name: plain(column) for name, column in found.columns().items()}
    return {
        "game": book.id,
        "shoes": [
            {
                "total": str(total),
                "ev": {name: column[number] for name, column in columns.items()},
            }
            for number, total in enumerate(found.total.tolist())
        ],
        "beatable": found.beatable,
    }


def _print(book: RuleBook, found: BatchOdds) -> None:
    out = console()
    out.print(styled(book.title, "bold"))
    out.print(f"{len(found):,} shoes\n")
    grid = new_table("bet", ">least", ">mean", ">most", ">shoes that favour the player")
    for index, code in enumerate(found.codes):
        column = found.ev[:, index]
        ahead = found.beatable.get(code, 0)
        grid.add_row(
            book.bets[code].name,
            *(percent(float(value)) for value in (column.min(), column.mean(), column.max())),
            f"{ahead:,}" if ahead else "",
        )
    show(out, grid)


def _call_out_shoes(book: RuleBook, found: BatchOdds) -> None:
    out = console()
    for code, ahead in found.beatable.items():
        best = float(found.of(code).max())
        out.print(
            styled(
                f"THE PLAYER HAS THE EDGE on {book.bets[code].name} in {ahead:,} of {len(found):,} shoes, "
                f"up to {percent(best)}",
                "bold red",
            )
        )


def call_out(out: Console, expectations: dict[str, float]) -> None:
    """Say loudly which bets the player is ahead on."""
    for name, expectation in expectations.items():
        if expectation > 0:
            out.print(styled(f"\nTHE PLAYER HAS THE EDGE on {name}: {percent(expectation)} of every stake", "bold red"))


def write_results(file: str, kind: str, summary: dict[str, Any], columns: dict[str, Any]) -> None:
    """All of it as JSON, the table as CSV or Parquet."""
    from puntobanco.lab.frames import as_file
    from puntobanco.lab.values import encode

    write_file(file, encode(summary) + b"\n" if kind == ".json" else as_file(columns, kind), "--output")
