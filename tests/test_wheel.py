"""What is installed from a wheel is what lies in the source folder, the rule books and the built page included."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from tests.patience import limit

from puntobanco.extras import EXTRAS

ROOT = Path(__file__).parents[1]


def shared_files() -> list[Path]:
    """What ``puntobanco help`` shows and copies."""
    return [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "guides").glob("*.md"), *(ROOT / "examples").glob("*/*")]


def test_the_wheel_carries_everything_of_the_package(tmp_path: Path) -> None:
    source = ROOT / "src"
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path))
    with zipfile.ZipFile(wheel) as opened:
        packed = {name for name in opened.namelist() if name.startswith("puntobanco/")}
    there = {
        file.relative_to(source).as_posix()
        for file in (source / "puntobanco").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and file.suffix not in (".nbi", ".nbc")
    }
    shared = {f"puntobanco/shared/{file.relative_to(ROOT).as_posix()}" for file in shared_files()}
    assert "puntobanco/shared/docs/guides/dealer.md" in shared
    assert "puntobanco/shared/examples/logs/house.pub" in shared
    assert packed == there | shared
    assert "puntobanco/floor/page/index.html" in packed, "build it first: scripts/build-page"
    assert sum(name.endswith(".toml") for name in packed) >= 5


def test_the_source_distribution_carries_the_page_and_what_builds_the_wheel(tmp_path: Path) -> None:
    (source,) = SdistBuilder(str(ROOT)).build(directory=str(tmp_path))
    with tarfile.open(source) as opened:
        packed = {name.partition("/")[2] for name in opened.getnames()}
    assert "src/puntobanco/floor/page/index.html" in packed, "build it first: scripts/build-page"
    assert {"hatch_build.py", "pyproject.toml", "requirements/floor.txt", "deploy/Containerfile"} <= packed


@pytest.mark.parametrize("builder", [WheelBuilder, SdistBuilder])
def test_nothing_is_built_without_the_page(builder: type[WheelBuilder] | type[SdistBuilder], tmp_path: Path) -> None:
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    package = tmp_path / "src" / "puntobanco"
    (package / "floor").mkdir(parents=True)
    shutil.copy(ROOT / "src" / "puntobanco" / "__init__.py", package)
    with pytest.raises(RuntimeError, match="the page is not built"):
        next(iter(builder(str(tmp_path)).build(directory=str(tmp_path / "dist"))))


# --- what each extra brings

BLOCK = """
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in set(sys.argv[1].split(",")):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""
CORE = (
    "import puntobanco.bets, puntobanco.insurance, puntobanco.table.engine, puntobanco.views.view, puntobanco.script\n"
)
COMMANDS = """
from puntobanco.cli import main
for command in sys.argv[2].split(";"):
    try:
        main(command.split())
    except SystemExit as end:
        print("EXIT", command.split()[0], end.code, file=sys.stderr)
"""


def without(modules: set[str], program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A program where these modules are not installed."""
    command = [sys.executable, "-c", BLOCK + program, ",".join(modules), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=limit(), cwd=ROOT, check=False)


def test_the_core_needs_msgspec_alone() -> None:
    done = without({*EXTRAS, "cyclopts", "rich"}, CORE)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_extras_the_rules_work_and_the_rest_says_what_it_needs() -> None:
    works = "games;rules super-six;settle super-six --cards Kh9c2dKc --bet banker=100;roads BBP;"
    works += "run examples/histories/first-round.txt"
    fails = "odds super-six;serve --port 0;verify examples/logs/table-day.jsonl;report examples/logs/table-day.jsonl"
    done = without(set(EXTRAS), COMMANDS, f"{works};{fails}")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    said = [line for line in done.stderr.splitlines() if line]
    assert [line for line in said if line.startswith("EXIT")] == [
        f"EXIT {command.split()[0]} 2" for command in fails.split(";")
    ]
    extras = re.findall(r"this needs (\w+), which is not installed: pip install 'puntobanco\[(\w+)\]'", done.stderr)
    assert [extra for _, extra in extras] == ["odds", "floor", "floor", "odds"]
    assert all(EXTRAS[module] == extra for module, extra in extras)


def test_extras_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {"odds", "floor", "postgres", "lab", "gpu", "cluster"} == set(project["optional-dependencies"])
    assert {re.split("[<>=]", each)[0] for each in project["dependencies"]} == {"msgspec", "cyclopts", "rich"}
    assert set(EXTRAS.values()) <= set(project["optional-dependencies"])
    for module, extra in EXTRAS.items():
        assert any(module in each for each in project["optional-dependencies"][extra]), module


def test_help_is_there_where_a_wheel_is_installed(tmp_path: Path) -> None:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path))
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(tmp_path / "installed")
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from puntobanco.cli import main;"
        "import puntobanco; assert puntobanco.__file__.startswith(sys.argv[1]);"
        "main(['help']); main(['help', 'dealer']); main(['help', '--examples', sys.argv[2]])"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "installed"), str(tmp_path / "examples")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit(), cwd=tmp_path, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "pit-manager" in done.stdout
    assert "# The dealer's guide" in done.stdout
    assert (tmp_path / "examples" / "logs" / "house.pub").is_file()
