"""The documentation on the command line: it comes with the package, so that it is there without a network."""

from __future__ import annotations

import difflib
import shutil
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.markdown import Markdown

from puntobanco.cli.common import UsageError
from puntobanco.cli.render import console

_PACKAGE = Path(__file__).resolve().parents[1]
_SHARED = _PACKAGE / "shared"
_ROOT = _SHARED if _SHARED.is_dir() else _PACKAGE.parents[1]
"""A wheel has docs and examples in ``puntobanco/shared``; a working copy beside ``src``."""


def help(
    topic: Annotated[str | None, Parameter(help="Which page; without one, all of them are listed.")] = None,
    *,
    examples: Annotated[
        str | None, Parameter(metavar="DIR", help="Copy the example histories, books and logs into a new folder.")
    ] = None,
) -> None:
    """Read the guides and the documentation, or get the example files."""
    if examples is not None:
        print(f"{_copy_examples(Path(examples))} files in {examples}")
        return
    pages = _pages()
    if topic is None:
        _list(pages)
        return
    name = topic.removeprefix("docs/").removeprefix("guides/").removesuffix(".md").lower()
    if name not in pages:
        close = difflib.get_close_matches(name, pages, n=1)
        hint = f"did you mean {close[0]}?" if close else "puntobanco help lists them all"
        raise UsageError(f"there is no page {topic!r}; {hint}")
    text = pages[name].read_text("utf-8")
    if sys.stdout.isatty():
        console().print(Markdown(text))
    else:
        print(text, end="")


def _pages() -> dict[str, Path]:
    """Every page by its name, the guides first."""
    docs = _ROOT / "docs"
    return {file.stem: file for folder in (docs / "guides", docs) for file in sorted(folder.glob("*.md"))}


def _list(pages: dict[str, Path]) -> None:
    width = max(map(len, pages))
    guides = True
    print("Guides")
    for name, file in pages.items():
        if guides and file.parent.name != "guides":
            guides = False
            print("\nReference")
        print(f"  {name.ljust(width)}  {_title(file)}")
    print("\npuntobanco help PAGE shows one.")


def _title(file: Path) -> str:
    with file.open(encoding="utf-8") as lines:
        return lines.readline().removeprefix("# ").strip()


def _copy_examples(folder: Path) -> int:
    """How many files there are in it now. A folder that is there is left alone."""
    try:
        shutil.copytree(_ROOT / "examples", folder)
    except FileExistsError:
        raise UsageError(f"{folder} already exists: name a new folder") from None
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from error
    return sum(file.is_file() for file in folder.rglob("*"))
