"""A file that a script writes, or only looks at: ``--check`` says whether it is as it would be written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path


def written(file: Path, text: str, script: str, arguments: Sequence[str]) -> int:
    """Write the file where it differs. Returns the exit code."""
    if list(arguments) not in ([], ["--check"]):
        print(f"usage: python -m scripts.tools.{script} [--check]", file=sys.stderr)
        return 2
    same = file.exists() and file.read_text("utf-8") == text
    if same:
        return 0
    if arguments:
        print(f"{script}: {file.name} is out of date: run scripts/build-page", file=sys.stderr)
        return 1
    file.write_text(text, "utf-8")
    print(f"{script}: wrote {file.name}")
    return 0
