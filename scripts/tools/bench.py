"""A pytest session held before its first test, in which changed programs are tried: each trial runs in a fork of it.

The fork inherits all imports and the collected tests, makes its change, runs the tests it was given and reports
through a pipe. Nothing of a change is left behind, and a trial costs little more than its tests.
"""

from __future__ import annotations

import contextlib
import enum
import gc
import importlib.abc
import importlib.util
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

import coverage
import pytest
from _pytest.runner import runtestprotocol
from scripts.tools.mutants import SOURCE

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 6 << 30
"""Address space for a trial, so that an endless loop does not take the machine with it."""
OPTIONS = (
    "-s",
    f"--rootdir={ROOT}",
    f"--config-file={ROOT / 'pyproject.toml'}",
    "-oaddopts=--import-mode=importlib",  # the rest is about output, and there is none
    *(f"-pno:{name}" for name in ("cacheprovider", "xdist", "terminal")),
)

CRASHES = ("TypeError", "AttributeError", "NameError", "UnboundLocalError", "KeyError", "IndexError")
"""Errors that only say that a changed program no longer runs."""


class Outcome(enum.Enum):
    """What the tests made of a change."""

    PASSED = "passed"
    FAILED = "failed"
    CRASHED = "crashed"
    """A test failed, but by an error that any test would have met there."""
    TIMED_OUT = "timed out"
    BROKEN = "broken"
    """The change could not be made, or the program does not even import with it."""


@dataclass(frozen=True)
class Trial:
    outcome: Outcome
    test: str = ""
    """The test that noticed."""


class Bench:
    """The collected tests by their ids, and the means to try a change on them."""

    def __init__(self, items: Iterable[pytest.Item]) -> None:
        self.items = {item.nodeid: item for item in items}

    def trial(self, change: Callable[[], object], tests: Sequence[str], seconds: float) -> Trial:
        """Make the change in a fork and run these tests there until one fails, for so long of the processor's time."""

        def work(report: Callable[[str], None]) -> Outcome:
            change()
            for test in tests:
                report(test)
                outcome = _run(self.items[test])
                if outcome is not Outcome.PASSED:
                    return outcome
            return Outcome.PASSED

        return _in_fork(work, seconds)

    def cold_trial(self, module: str, code: CodeType, tests: Sequence[str], seconds: float) -> Trial:
        """Import the package and the tests anew in a fork, with that code for the module, and run these tests."""

        def work(report: Callable[[str], None]) -> Outcome:
            for name in list(sys.modules):
                if name.partition(".")[0] in ("puntobanco", "tests"):
                    del sys.modules[name]
            sys.meta_path.insert(0, _Changed(module, code))
            watch = _Watch(report, tests)
            files = dict.fromkeys(str(self.items[test].path) for test in tests)
            exit_code = pytest.main([*OPTIONS, "-x", *files], plugins=[watch])
            return Outcome.PASSED if exit_code == pytest.ExitCode.OK else watch.outcome

        return _in_fork(work, seconds)


def _run(item: pytest.Item) -> Outcome:
    for report in runtestprotocol(item, log=False, nextitem=None):
        if report.failed:
            return _failure(report)
    return Outcome.PASSED


def _failure(report: pytest.TestReport) -> Outcome:
    crash = getattr(report.longrepr, "reprcrash", None)
    return Outcome.CRASHED if crash and crash.message.startswith(CRASHES) else Outcome.FAILED


def _in_fork(work: Callable[[Callable[[str], None]], Outcome], seconds: float) -> Trial:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _child(work, writing, seconds)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    _, status = os.waitpid(child, 0)
    last = lines[-1] if lines else ""
    if os.WIFSIGNALED(status):
        return Trial(Outcome.TIMED_OUT, last)
    code = os.waitstatus_to_exitcode(status)
    outcome = list(Outcome)[code] if code < len(Outcome) else Outcome.BROKEN
    return Trial(outcome, last if outcome is not Outcome.PASSED else "")


def _child(work: Callable[[Callable[[str], None]], Outcome], pipe: int, seconds: float) -> NoReturn:
    outcome = Outcome.BROKEN
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(nothing, standard)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        outcome = work(lambda line: _write(pipe, f"{line}\n"))
    finally:
        os._exit(list(Outcome).index(outcome))


def _write(pipe: int, text: str) -> None:
    os.write(pipe, text.encode())


class _Watch:
    """Runs these tests in their order, tells which is running, and how one failed."""

    def __init__(self, report: Callable[[str], None], tests: Sequence[str]) -> None:
        self.report = report
        self.order = {test: number for number, test in enumerate(tests)}
        self.outcome = Outcome.BROKEN

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.order]
        items.sort(key=lambda item: self.order[item.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "setup":
            self.report(report.nodeid)
        if report.failed:
            self.outcome = _failure(report)


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports one module from code of ours, and leaves all others to the finders after it."""

    def __init__(self, module: str, code: CodeType) -> None:
        self.module = module
        self.code = code

    def find_spec(self, fullname: str, path: object, target: ModuleType | None = None) -> Any:
        if fullname != self.module:
            return None
        return importlib.util.spec_from_file_location(fullname, self.code.co_filename, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        return self.code

    def get_source(self, fullname: str) -> str | None:
        return None

    def is_package(self, fullname: str) -> bool:
        return self.code.co_filename.endswith("__init__.py")


# --- The session -----------------------------------------------------------------------------------------


class _Hold:
    """Takes the place of pytest's own loop over the tests."""

    def __init__(self, work: Callable[[Bench], int]) -> None:
        self.work = work
        self.status = 2
        self.errors: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(str(report.longrepr))

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if self.errors:
            print("\n".join(self.errors), file=sys.stderr)
            return True
        gc.collect()
        gc.freeze()
        self.status = self.work(Bench(session.items))
        return True


def hold(tests: Sequence[str | Path], work: Callable[[Bench], int]) -> int:
    """Collect these tests, give them to ``work`` and return its exit status."""
    os.environ["CI"] = "1"  # hypothesis searches the same way every time
    plugin = _Hold(work)
    with _at_root():
        pytest.main([*OPTIONS, *map(str, tests)], plugins=[plugin])
    return plugin.status


@contextlib.contextmanager
def _at_root() -> Iterator[None]:
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        yield
    finally:
        os.chdir(before)


# --- Which test runs which line --------------------------------------------------------------------------


@dataclass(frozen=True)
class Coverage:
    """Which lines each test ran, how long it took, and which lines ran at import. Files are named from src."""

    seconds: dict[str, float]
    lines: dict[str, dict[str, list[int]]]
    """Test → file → lines."""
    at_import: dict[str, list[int]]

    @cached_property
    def _tests(self) -> Mapping[tuple[str, int], Sequence[str]]:
        found: dict[tuple[str, int], list[str]] = {}
        for test, files in self.lines.items():
            for file, lines in files.items():
                for line in lines:
                    found.setdefault((file, line), []).append(test)
        return found

    def lines_of(self, path: Path, tests: Iterable[str]) -> set[int]:
        """The lines of a file that any of these tests runs."""
        return {line for test in tests for line in self.lines[test].get(_from_source(path), ())}

    def tests_of(self, path: Path, lines: Iterable[int] | None = None) -> set[str]:
        """The tests that run any of these lines of a file, or anything in it."""
        file = _from_source(path)
        if lines is None:
            return {test for test, files in self.lines.items() if file in files}
        return {test for line in lines for test in self._tests.get((file, line), ())}

    def rarity(self, path: Path, lines: Iterable[int]) -> Mapping[str, int]:
        """For each test, how many tests run that line of these, among its own, which the fewest run."""
        rarest: dict[str, int] = {}
        for line in lines:
            tests = self._tests.get((_from_source(path), line), ())
            for test in tests:
                rarest[test] = min(rarest.get(test, len(tests)), len(tests))
        return rarest

    def ran_at_import(self, path: Path, lines: Iterable[int]) -> bool:
        return not set(lines).isdisjoint(self.at_import.get(_from_source(path), ()))


def _from_source(path: Path) -> str:
    return str(path.relative_to(SOURCE))


class Recorder:
    """Records which test runs which line. To see what runs at import, start it before the package is imported."""

    def __init__(self) -> None:
        self._coverage = coverage.Coverage(data_file=None, config_file=False, source=[str(SOURCE)], messages=False)
        self._coverage.start()

    def record(self, bench: Bench, tests: Iterable[str] | None = None) -> tuple[Coverage, list[str]]:
        """What these tests run, or all, and those of them that fail as things are."""
        found = Coverage({}, {}, {})
        failing: list[str] = []
        for test in bench.items if tests is None else tests:
            self._coverage.switch_context(test)
            start = time.process_time()  # a busy machine makes no test a slow one
            if _run(bench.items[test]) is not Outcome.PASSED:
                failing.append(test)
            found.seconds[test] = round(time.process_time() - start, 4)
            found.lines[test] = {}
        self._coverage.stop()
        data = self._coverage.get_data()
        for path in data.measured_files():
            file = _from_source(Path(path))
            for line, names in data.contexts_by_lineno(path).items():
                for name in names:
                    where = found.lines[name] if name else found.at_import
                    where.setdefault(file, []).append(line)
        return found, failing
