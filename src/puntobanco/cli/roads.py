"""Scoreboards on the command line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from puntobanco.cli.common import STDIN, AsJson, UsageError, option, read_file, read_number
from puntobanco.cli.render import console, print_json
from puntobanco.roads import Roads, Tail, parse_results

MOST_ROWS = 100


def roads(
    *results: Annotated[
        str,
        Parameter(
            metavar="RESULTS",
            allow_leading_hyphen=True,
            help='Results in order, as in "BBPTP": B, P, T, each with marks ^ _ * (Banker pair, Player pair, '
            "natural), V for a void round, (B) for a Free Hand; - reads the input.",
        ),
    ],
    rows: Annotated[str, Parameter(metavar="N", help="Rows of the grids.")] = "6",
    tail: Annotated[Tail, Parameter(help="How a long streak bends.")] = "right",
    free_hands: Annotated[bool, Parameter(help="Whether Free Hands are shown.")] = True,
    json: AsJson = False,
) -> None:
    """Draw the five roads of a shoe."""
    height = read_number("--rows", rows)
    if not 1 <= height <= MOST_ROWS:
        raise UsageError(f"--rows: {height} is not from 1 to {MOST_ROWS}")
    text = _text(results)
    with option("RESULTS"):
        board = Roads(parse_results(text), rows=height, tail=tail, free_hands=free_hands)
    if json:
        print_json(board.to_json())
        return
    out = console()
    fitting = out.width if out.is_terminal or os.environ.get("COLUMNS") else None
    print(board.text(ansi=out.is_terminal and not out.no_color, width=fitting), end="")


def _text(results: Sequence[str]) -> str:
    """The results as they were typed, or as the input has them."""
    if not results:
        raise UsageError("roads needs RESULTS, see puntobanco roads --help")
    wrong = next((each for each in results if each.startswith("-") and each != STDIN), None)
    if wrong is not None:
        raise UsageError(f"there is no option {wrong}")
    return read_file(STDIN).decode(errors="replace") if STDIN in results else " ".join(results)
