"""How the tests search: by fresh chance for whoever develops, the same way every time where a change is judged.

Hypothesis has limits of time of its own, for an example and for making one. They would say how busy the machine is.
"""

from __future__ import annotations

import os
from asyncio import _get_running_loop, _set_running_loop
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from tests.memory import use_memory

if TYPE_CHECKING:
    from tests.floor.serving import Nursery
    from tests.store.server import PostgresServer

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("judge", settings.get_profile("patient"), derandomize=True)
settings.load_profile("judge" if os.environ.get("CI") else "patient")

use_memory()

ROOT = Path(__file__).parent
SERVERS = frozenset({"postgres", "nursery", "casino", "browser", "address", "new_store", "store"})
"""Fixtures that start a server or a browser, or may."""
LONG = (
    *("page", "floor", "demo", "lab", "reports", "shoes", "store", "views", "script"),
    *("test_cli.py", "test_docs.py", "test_examples.py", "test_odds.py", "test_odds_insurance.py", "test_page.py"),
    *("test_playthroughs.py", "test_proving.py", "test_schema.py", "test_wheel.py", "test_reference.py"),
    *("test_geometry.py", "table/test_properties.py", "table/test_close.py"),
)
"""Folders and files that take their time, or others' programs."""
SLOWEST = ("demo", "page", "simulation", "floor", "lab", "store", "shoes", "test_guides.py", "test_wheel.py")
"""What is begun with, the longest first."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where only quick tests are asked for, the others are not even read."""
    return True if config.getoption("markexpr") == "quick" and _takes_time(collection_path) else None


@cache
def _takes_time(place: Path) -> bool:
    return place.is_relative_to(ROOT) and place.relative_to(ROOT).as_posix().startswith(LONG)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, None, None]:
    """Mark what is quick: the rules, the table, and what they stand on. Of what was selected the longest come first."""
    for item in items:
        uses = set(getattr(item, "fixturenames", ()))
        if not _takes_time(item.path) and not uses & SERVERS:
            item.add_marker(pytest.mark.quick)
    yield
    if workers := getattr(config, "workerinput", {}).get("workercount"):
        items[:] = _longest_first(items, workers)


def _longest_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Each worker begins with an equal part: what takes longest stands first in all of them, a file in one piece.

    In the end they take the short tests from each other, and none is left alone with a long one.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    slow = sorted((path for path in files if _slowness(path) < len(SLOWEST)), key=_slowness)
    parts = [[item for path in slow[first::workers] for item in files[path]] for first in range(workers)]
    rest = [item for path, found in files.items() if path not in slow for item in found]
    ordered: list[pytest.Item] = []
    for number, part in enumerate(parts):
        size = (len(items) - len(ordered)) // (workers - number)
        short = size - len(part)
        rest = part[size:] + rest if short < 0 else rest
        ordered += part[:size] + rest[: max(short, 0)]
        rest = rest[max(short, 0) :]
    return ordered


@cache
def _slowness(path: Path) -> int:
    """Its place among what is slow; behind the last for everything else."""
    place = path.relative_to(ROOT).as_posix()
    return next((number for number, slow in enumerate(SLOWEST) if place.startswith(slow)), len(SLOWEST))


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Forks servers for everything that needs one."""
    from tests.floor.serving import Nursery  # the whole floor, which the quick tests do without

    with Nursery() as found:
        yield found


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server; fails, with what to do about it, where there can be none."""
    from tests.store.server import PostgresServer

    with PostgresServer() as server:
        yield server


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    yield from _without_the_browser_s_loop(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    yield from _without_the_browser_s_loop(item)


def _without_the_browser_s_loop(item: pytest.Item) -> Generator[None, None, None]:
    """An open browser keeps an event loop running. A test without one that comes after it wants to run its own."""
    loop = _get_running_loop()
    mine = "browser" in getattr(item, "fixturenames", ())
    if not mine:
        _set_running_loop(None)
    try:
        yield
    finally:
        if not mine:
            _set_running_loop(loop)
