"""Writes docs/par: the PAR sheets of the six games, with limits that are an example.

--check compares instead of writing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from puntobanco.cli import main as puntobanco
from puntobanco.rules.load import GAMES

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "par"
LIMITS = ("--minimum", "25", "--maximum", "5000", "--differential", "20000")


def written(game: str) -> bytes:
    """The sheet as the command writes it."""
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()):
        file = Path(folder, f"{game}.html")
        puntobanco(["par", game, *LIMITS, "-o", str(file)])
        return file.read_bytes()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the sheets are up to date")
    check = parser.parse_args().check
    FOLDER.mkdir(exist_ok=True)
    stale = []
    for game in GAMES:
        file, page = FOLDER / f"{game}.html", written(game)
        if not check:
            file.write_bytes(page)
            print(f"{file.relative_to(FOLDER.parent.parent)}: {len(page):,} bytes")
        elif not file.exists() or file.read_bytes() != page:
            stale.append(file.name)
    if stale:
        print(f"out of date: {', '.join(stale)}; run scripts/par-sheets", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
