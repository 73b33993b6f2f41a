"""Imports go one way, and the core needs neither the odds engine nor chance."""

from __future__ import annotations

import ast
import doctest
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import puntobanco

PACKAGE = Path(puntobanco.__file__).parent

# A module imports from its own layer and from earlier ones. "puntobanco" is the package's front door.
LAYERS = (
    {"lazy", "printable", "extras"},
    {"cards"},
    {"coup"},
    {"outcomes"},
    {"money"},
    {"currencies"},
    {"rules"},
    {"bets"},
    {"insurance", "literal", "puntobanco"},
    {"roads", "odds"},
    {"lab"},
    {"table"},
    {"words"},
    {"views"},
    {"schema"},
    {"script"},
    {"shoes"},
    {"store"},
    {"reports"},
    {"floor"},
    {"client"},
    {"demo"},
    {"cli", "__main__"},
)
LAYER = {name: number for number, names in enumerate(LAYERS) for name in names}
CORE = {name for names in LAYERS[:8] for name in names}

FILES = sorted(PACKAGE.rglob("*.py"))


def module_of(file: Path) -> tuple[str, ...]:
    """The dotted name of a file, in parts, from the package on."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def part_of(module: tuple[str, ...]) -> str:
    """The part of the package to which a module belongs."""
    return module[1] if len(module) > 1 else module[0]


@cache
def imported(file: Path) -> frozenset[tuple[str, ...]]:
    return frozenset(_imported(file))


def _imported(file: Path) -> Iterator[tuple[str, ...]]:
    """What a file imports, inside functions too. A name imported from the package itself may be a module."""
    package = module_of(file) if file.name == "__init__.py" else module_of(file)[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), file)):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            if base == ("puntobanco",):
                yield from ((*base, alias.name) if alias.name in LAYER else base for alias in node.names)
            else:
                yield base


def name(file: Path) -> str:
    return str(file.relative_to(PACKAGE))


@pytest.mark.parametrize("file", FILES, ids=name)
def test_every_module_has_a_layer(file: Path) -> None:
    assert part_of(module_of(file)) in LAYER


@pytest.mark.parametrize("file", FILES, ids=name)
def test_imports_go_one_way(file: Path) -> None:
    own = LAYER[part_of(module_of(file))]
    for module in imported(file):
        if module[0] == "puntobanco":
            assert LAYER[part_of(module)] <= own, f"{name(file)} imports {'.'.join(module)}"


def test_the_literal_settlement_shares_nothing_with_the_tables() -> None:
    modules = {module for module in imported(PACKAGE / "literal.py") if module[0] == "puntobanco"}
    assert modules == {("puntobanco", "cards"), ("puntobanco", "coup")}


@pytest.mark.parametrize("file", [file for file in FILES if part_of(module_of(file)) in CORE], ids=name)
def test_the_core_knows_no_chance_and_no_arrays(file: Path) -> None:
    assert not {module[0] for module in imported(file)} & {
        "random",
        "secrets",
        "numpy",
        "numba",
        "rich",
        "cyclopts",
    }


def test_the_package_loads_without_the_odds_engine() -> None:
    script = "import sys, puntobanco; print(*(name for name in ('numpy', 'numba', 'rich') if name in sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_the_front_door() -> None:
    assert all(hasattr(puntobanco, exported) for exported in puntobanco.__all__)
    assert puntobanco.__version__
    assert doctest.testmod(puntobanco) == (0, 4)
