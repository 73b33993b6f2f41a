"""Inside the table imports go one way as well: what is declared comes before what decides, and no circles."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from puntobanco import table

FOLDER = Path(table.__file__).parent
FILES = {
    ".".join(file.relative_to(FOLDER).with_suffix("").parts): file
    for file in sorted(FOLDER.rglob("*.py"))
    if file.name != "__init__.py"
}
CONCERNS = sorted(file.parent.name for file in FOLDER.glob("*/__init__.py"))

# "*" stands for any concern. A module imports from its own step or from earlier ones, never from a later.
STEPS = (
    {"about", "base", "settings", "refusals", "layers", "cash.accounts"},
    {"*.rulings"},
    {"rulings"},
    {"*.commands", "*.events"},
    {"commands", "events"},
    {"*.state"},
    {"state"},
    {"authority", "ledger", "fold_helpers", "handling"},
    {"decisions", "*.folds", "folds"},
    {"*.handlers"},
    {"engine"},
)
STEP = {name: number for number, names in enumerate(STEPS) for name in names}


def step_of(module: str) -> int:
    concern, _, stem = module.rpartition(".")
    anywhere = STEP.get(f"*.{stem}") if concern else None
    return STEP.get(module, STEP["decisions"] if anywhere is None else anywhere)


@cache
def graph() -> dict[str, set[str]]:
    return {module: set(imported(module)) for module in FILES}


def imported(module: str) -> Iterator[str]:
    """The modules of the table that one of them imports."""
    for node in ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("puntobanco.table"):
            below = (node.module or "").removeprefix("puntobanco.table").removeprefix(".")
            for alias in node.names:
                inner = f"{below}.{alias.name}".removeprefix(".")
                yield inner if inner in FILES else below


@pytest.mark.parametrize("module", FILES)
def test_what_is_declared_comes_before_what_decides(module: str) -> None:
    for other in graph()[module]:
        assert other in FILES, f"{module} imports a whole package: {other or 'table'}"
        assert step_of(other) <= step_of(module), f"{module} imports {other}"


def test_no_module_imports_another_in_a_circle() -> None:
    assert [*TopologicalSorter(graph()).static_order()]


@pytest.mark.parametrize("concern", CONCERNS)
def test_a_concern_is_whole(concern: str) -> None:
    # what is put right in the record is ruled on: there is no command of its own
    stems = ("rulings" if concern == "amendments" else "commands", "events", "folds", "handlers")
    expected = {f"{concern}.{stem}" for stem in stems}
    assert expected <= FILES.keys()
