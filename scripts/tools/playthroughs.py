"""Writes the generated playthroughs below tests/playthroughs: whole shoes, and the insurance rows. --check compares."""

from __future__ import annotations

import sys
from pathlib import Path

from scripts.tools.playthrough_insurance import insurance
from scripts.tools.playthrough_plans import PLANS
from scripts.tools.playthrough_shoes import shoes

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "playthroughs"


def texts() -> dict[str, str]:
    """File below the folder → what it holds."""
    return shoes(PLANS) | insurance()


def main() -> None:
    check = "--check" in sys.argv[1:]
    stale = []
    for name, text in texts().items():
        file = FOLDER / name
        if not check:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        sys.exit(f"not up to date: {', '.join(stale)}: run scripts/playthroughs")


if __name__ == "__main__":
    main()
