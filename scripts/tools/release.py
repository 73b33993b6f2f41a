"""Builds what a release consists of and checks it, or prepares one. Nothing is published.

``python -m scripts.tools.release`` builds the source distribution, and the wheel from it, into ``dist`` and checks
metadata, version, changelog and contents, and runs commands from the wheel. ``--prepare VERSION`` sets the version in
its one place and gives the changelog a section for it.
"""

from __future__ import annotations

import datetime
import email
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from trove_classifiers import classifiers

ROOT = Path(__file__).resolve().parents[2]
VERSION = Path("src/puntobanco/__init__.py")
_STATED = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_FORM = re.compile(r"\d+\.\d+\.\d+")
UNRELEASED = "## [Unreleased]"
TRIED = (
    ("--version",),
    ("games",),
    ("settle", "super-six", "--cards", "Kh9c2dKc", "--bet", "banker=100"),
    ("help", "dealer"),
)
"""Commands that work with nothing but the wheel."""


class ReleaseError(Exception):
    """What is wrong, in a sentence."""


def version_of(root: Path) -> str:
    """The version, from its one place."""
    return str(_STATED.findall((root / VERSION).read_text("utf-8"))[0])


def prepare(root: Path, version: str, today: datetime.date) -> None:
    """State another version, and move what is unreleased into its section of the changelog."""
    if not _FORM.fullmatch(version):
        raise ReleaseError(f"{version!r} is not a version: three numbers with points between them, as in 0.2.0")
    file, log = root / VERSION, root / "CHANGELOG.md"
    changes = log.read_text("utf-8")
    if f"## [{version}]" in changes:
        raise ReleaseError(f"the changelog has a section for {version} already")
    if not _section(changes, "Unreleased").strip():
        raise ReleaseError("nothing is under [Unreleased] in the changelog: what would be released?")
    file.write_text(_STATED.sub(f'__version__ = "{version}"', file.read_text("utf-8")), "utf-8")
    head = f"{UNRELEASED}\n\n## [{version}] - {today.isoformat()}"
    log.write_text(changes.replace(UNRELEASED, head, 1), "utf-8")


def _section(changes: str, name: str) -> str:
    found = re.search(rf"^## \[{re.escape(name)}\][^\n]*\n(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def build(root: Path, folder: Path) -> tuple[Path, Path]:
    """The source distribution, and the wheel that is built from what is in it."""
    (source,) = SdistBuilder(str(root)).build(directory=str(folder))
    with tempfile.TemporaryDirectory() as made:
        with tarfile.open(source) as packed:
            packed.extractall(made, filter="data")
        (inside,) = Path(made).iterdir()
        (wheel,) = WheelBuilder(str(inside)).build(directory=str(folder))
    return Path(source), Path(wheel)


def problems(root: Path, source: Path, wheel: Path) -> Iterator[str]:
    """What is wrong with the two files."""
    version = version_of(root)
    if not _section((root / "CHANGELOG.md").read_text("utf-8"), version).strip():
        yield f"the changelog has no section for {version}: scripts/release --prepare gives it one"
    for file in (source, wheel):
        if f"-{version}" not in file.name:
            yield f"{file.name} is not of version {version}"
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (metadata,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        told = email.message_from_bytes(packed.read(metadata))
        if broken := packed.testzip():
            yield f"{wheel.name}: {broken} is damaged"
    for name in ("Name", "Version", "Summary", "Requires-Python", "License-Expression"):
        if not told[name]:
            yield f"{wheel.name} does not state {name}"
    yield from (
        f"{each} is not a known classifier" for each in told.get_all("Classifier", ()) if each not in classifiers
    )
    for part in ("puntobanco/floor/page/index.html", "puntobanco/py.typed", "puntobanco/shared/docs/tour.md"):
        if part not in names:
            yield f"{wheel.name} lacks {part}"
    yield from _tried(wheel, version)


def _tried(wheel: Path, version: str) -> Iterator[str]:
    """Run commands from what the wheel has, and from nowhere else."""
    with tempfile.TemporaryDirectory() as made:
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(made)
        for command in TRIED:
            program = "import sys; sys.path.insert(0, sys.argv.pop(1)); from puntobanco.cli import main; main()"
            run = [sys.executable, "-I", "-c", program, made, *command]
            done = subprocess.run(run, capture_output=True, text=True, cwd=made, env=os.environ.copy(), check=False)
            if done.returncode or not done.stdout:
                yield f"puntobanco {' '.join(command)} fails from the wheel: {done.stderr.strip()[-300:]}"
            elif command == ("--version",) and done.stdout.strip() != version:
                yield f"the wheel says that it is {done.stdout.strip()}"


def main(arguments: Sequence[str]) -> int:
    try:
        match list(arguments):
            case []:
                source, wheel = build(ROOT, ROOT / "dist")
                found = list(problems(ROOT, source, wheel))
                for problem in found:
                    print(f"release: {problem}", file=sys.stderr)
                for file in (source, wheel):
                    print(f"{file.relative_to(ROOT)}  {file.stat().st_size:,} bytes")
                return 1 if found else 0
            case ["--prepare", version]:
                prepare(ROOT, version, datetime.datetime.now(datetime.UTC).date())
                print(f"release: {version} is prepared; scripts/par-sheets writes its number into docs/par")
                return 0
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 2
    print("usage: scripts/release [--prepare VERSION]", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
