"""The mutation score of rules, settlement, irregularities and authority.

Every module is changed in small ways, one at a time; the tests that run the changed line should fail. What no test
notices is a survivor: a gap in the tests, a line that does nothing, or a change that makes no difference, which
tests/mutants.toml explains. A whole run writes docs/mutation.md, a sample with ``--page``. Which test runs which line
is kept in .cache until the test or what it tests changes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scripts.tools.bench import ROOT, Bench, Coverage, Outcome, Recorder, Trial, hold
from scripts.tools.mutants import (
    SOURCE,
    CannotPatch,
    Mutant,
    function_mutants,
    import_mutants,
    lines_of_function,
    patch,
    patch_values,
)

CONCERNS = ("bets", "cards", "cases", "disputes", "insurance", "settlement", "shoe", "squeeze")
"""Folders of the table; of each every module but those that only declare or collect."""
DECLARING = ("__init__", "commands", "events", "handlers", "state")
MODULES = (
    *("bets", "coup", "insurance", "rules.model", "table.authority"),
    *(
        f"table.{concern}.{file.stem}"
        for concern in CONCERNS
        for file in sorted((ROOT / "src" / "puntobanco" / "table" / concern).glob("*.py"))
        if file.stem not in DECLARING
    ),
)
"""Below the package; those that do not exist are passed over."""
LOGIC_ONLY = ("rules.model",)
"""Of these only the functions count: the rest declares the shape of values."""
TESTS = (
    *("tests/rules", "tests/table", "--ignore=tests/table/test_properties.py"),
    *(f"tests/test_{name}.py" for name in ("bets", "coup", "insurance", "playthroughs")),
)
KNOWN = ROOT / "tests" / "mutants.toml"
PAGE = ROOT / "docs" / "mutation.md"
CACHE = ROOT / ".cache" / "mutation.json"
LONGEST_TEST = 1.0
"""Seconds; tests that take longer search far and wide, and are no measure of what the others hold."""
MOST_SECONDS = 6.0
"""Tests of a mutant are taken, quickest first, up to this time in all."""


@dataclass(frozen=True)
class Result:
    mutant: Mutant
    outcome: str
    """``killed``, ``survived``, ``not covered`` or ``equivalent``."""
    by: str = ""
    """The test that noticed, or the reason why none can."""


# --- Which test runs which line --------------------------------------------------------------------------


def state_of_the_tree() -> str:
    """A digest of all that tests share: the package, and what lies beside the tests."""
    digest = hashlib.sha256()
    for folder in (SOURCE, ROOT / "tests"):
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".py", ".toml", ".txt") and not file.name.startswith("test_") and file != KNOWN:
                digest.update(f"{file.relative_to(ROOT)}\n".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()


def _states_of_tests(bench: Bench) -> dict[str, str]:
    """Test → a digest of its file."""
    digests = {item.path: hashlib.sha256(item.path.read_bytes()).hexdigest() for item in bench.items.values()}
    return {test: digests[item.path] for test, item in bench.items.items()}


def coverage_of(bench: Bench, recorder: Recorder) -> Coverage | None:
    """What is kept of unchanged tests, and the others run once; nothing where some fail as things are."""
    tree, states = state_of_the_tree(), _states_of_tests(bench)
    kept = json.loads(CACHE.read_text(encoding="utf-8")) if CACHE.exists() else {}
    if kept.get("tree") != tree:
        kept = {"states": {}, "seconds": {}, "lines": {}}
    known = [test for test, state in states.items() if kept["states"].get(test) == state]
    coverage, failing = recorder.record(bench, [test for test in bench.items if test not in set(known)])
    if failing:
        print("these tests fail as things are:", *failing, sep="\n  ", file=sys.stderr)
        return None
    for test in known:
        coverage.seconds[test] = kept["seconds"][test]
        coverage.lines[test] = kept["lines"][test]
    CACHE.parent.mkdir(exist_ok=True)
    kept = {"tree": tree, "states": states, "seconds": coverage.seconds, "lines": coverage.lines}
    CACHE.write_text(json.dumps(kept), encoding="utf-8")
    return coverage


# --- Trying mutants --------------------------------------------------------------------------------------


class Judge:
    """Tries mutants, with the tests first that noticed others in the same function."""

    def __init__(self, bench: Bench, coverage: Coverage) -> None:
        self.bench = bench
        self.coverage = coverage
        self.noticed: dict[str, Counter[str]] = {}

    def try_out(self, mutant: Mutant, *, at_import: bool) -> Result:
        path, lines = mutant.module.path, range(mutant.line, mutant.last_line + 1)
        close = self.coverage.tests_of(path, lines)
        # what is worked out once and kept runs in the first test that needs it, whichever that is
        kept = at_import or not mutant.module.short.startswith("table.")
        tests = self._order(mutant, close, self.coverage.tests_of(path) if kept else close)
        if not tests:
            return Result(mutant, "not covered")
        limit = 5.0 + 5 * sum(self.coverage.seconds[test] for test in tests)
        try:
            step = patch_values(mutant) if at_import else patch(mutant)
            trial = self.bench.trial(step, tests, limit)
            unsure = at_import or self.coverage.ran_at_import(path, lines)
        except CannotPatch:
            trial, unsure = Trial(Outcome.PASSED), True
        if trial.outcome is Outcome.PASSED and unsure:
            trial = self.bench.cold_trial(mutant.module.name, mutant.compiled(), tests, 2 * limit)
        if trial.outcome is Outcome.PASSED:
            return Result(mutant, "survived")
        if trial.test in self.coverage.seconds:
            self.noticed.setdefault(mutant.where.partition(" ")[2], Counter())[trial.test] += 1
        return Result(mutant, "killed", trial.test)

    def _order(self, mutant: Mutant, close: set[str], tests: set[str]) -> list[str]:
        best = self.noticed.get(mutant.where.partition(" ")[2], Counter())
        seconds = self.coverage.seconds
        name = mutant.module.short.rpartition(".")[2]
        namesake = f"test_{name}.py::"
        rarity = self.coverage.rarity(mutant.module.path, lines_of_function(mutant))
        ordered = sorted(
            tests,
            key=lambda test: (
                -best[test],
                test not in close,
                namesake not in test,
                rarity.get(test, len(seconds)),
                seconds[test],
                test,
            ),
        )
        taken: list[str] = []
        left = MOST_SECONDS
        for test in ordered:
            if seconds[test] <= min(left, LONGEST_TEST):
                taken.append(test)
                left -= seconds[test]
        return taken


# --- Known mutants ---------------------------------------------------------------------------------------


def known_mutants() -> dict[tuple[str, str, str], str]:
    """(Module, function, change) → why no test can notice it."""
    if not KNOWN.exists():
        return {}
    entries = tomllib.loads(KNOWN.read_text(encoding="utf-8")).get("equivalent", [])
    return {(entry["module"], entry["function"], entry["change"]): entry["reason"] for entry in entries}


# --- The report ------------------------------------------------------------------------------------------

_INTRODUCTION = """\
# Mutation score

Every module below was changed in small ways, one at a time: comparisons and their limits, `and` and `or`, negated
conditions, constants, codes and paragraphs, members of enumerations, arithmetic, returned values, statements and
entries removed. A change is killed when a test that runs the changed line fails. `scripts/mutation-test` writes this
page. The score leaves out changes that make no difference; `tests/mutants.toml` names them and says why.
"""


def render(results: Sequence[Result], of: int) -> str:
    """The page about these results, of so many mutants that there are."""
    sample = f"These are {len(results):,} of {of:,} changes, chosen by chance.\n"
    lines = [
        _INTRODUCTION,
        *([sample] if len(results) < of else []),
        "| module | mutants | killed | survived | equivalent | score |",
    ]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
    by_module: dict[str, list[Result]] = {}
    for result in results:
        by_module.setdefault(result.mutant.module.short, []).append(result)
    lines += [_row(f"`{name}`", found) for name, found in by_module.items()]
    lines.append(_row("all", results))
    lines += ["", "## Survivors", ""]
    survivors = [result for result in results if result.outcome in ("survived", "not covered")]
    lines += [_line(result) for result in survivors] or ["None."]
    lines += ["", "## Changes that make no difference", ""]
    lines += [f"{_line(result)}: {result.by}" for result in results if result.outcome == "equivalent"] or ["None."]
    return "\n".join([*lines, ""])


def _line(result: Result) -> str:
    mutant = result.mutant
    file = mutant.module.path.relative_to(ROOT)
    uncovered = " (no test runs it)" if result.outcome == "not covered" else ""
    return f"- {file}:{mutant.line} `{mutant.function}`: `{mutant.change}`{uncovered}"


def score(results: Iterable[Result]) -> tuple[int, int, int, int]:
    """Mutants, killed, survived, equivalent."""
    outcomes = Counter(result.outcome for result in results)
    return (
        outcomes.total(),
        outcomes["killed"],
        outcomes["survived"] + outcomes["not covered"],
        outcomes["equivalent"],
    )


def _row(name: str, results: Sequence[Result]) -> str:
    total, killed, survived, equivalent = score(results)
    share = f"{100 * killed / (killed + survived):.1f}%" if killed + survived else "–"
    return f"| {name} | {total:,} | {killed:,} | {survived:,} | {equivalent:,} | {share} |"


# --- The command -----------------------------------------------------------------------------------------


def mutants_of(short: str) -> list[tuple[Mutant, bool]]:
    """The mutants of a module, and whether each is one of what runs at import."""
    name = f"puntobanco.{short}"
    found = [(mutant, False) for mutant in function_mutants(name)]
    if short not in LOGIC_ONLY:
        found += [(mutant, True) for mutant in import_mutants(name)]
    return sorted(found, key=lambda pair: pair[0].line)


def existing(modules: Iterable[str]) -> list[str]:
    return [short for short in modules if SOURCE.joinpath("puntobanco", *short.split(".")).with_suffix(".py").exists()]


def run(
    bench: Bench,
    coverage: Coverage,
    chosen: Sequence[tuple[Mutant, bool]],
    known: Mapping[tuple[str, str, str], str],
) -> list[Result]:
    """What the tests make of each mutant; survivors are printed as they are found."""
    judge = Judge(bench, coverage)
    results: list[Result] = []
    last = time.monotonic()
    for mutant, at_import in chosen:
        if time.monotonic() - last > 20:
            last = time.monotonic()
            print(f"{len(results)} of {len(chosen)}", file=sys.stderr, flush=True)
        if mutant.key in known:
            result = Result(mutant, "equivalent", known[mutant.key])
        else:
            result = judge.try_out(mutant, at_import=at_import)
        results.append(result)
        if result.outcome in ("survived", "not covered"):
            print(_line(result), flush=True)
    return results


def _short_name(text: str) -> str:
    """``limits``, ``table.limits`` and ``src/puntobanco/table/limits.py`` all name a module."""
    short = text.removesuffix(".py").rpartition("puntobanco/")[2].replace("/", ".")
    found = [name for name in existing(MODULES) if name == short or name.endswith(f".{short}")]
    if not found and not existing([short]):
        raise SystemExit(f"no module {text}; by default there are {', '.join(existing(MODULES))}")
    return found[0] if found else short


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/mutation-test", description=__doc__)
    parser.add_argument("modules", nargs="*", metavar="module", help="only these, as in table.limits or limits")
    parser.add_argument("--sample", type=int, metavar="N", help="only N mutants, chosen by chance")
    parser.add_argument("--seed", type=int, default=1, help="of the chance by which a sample is chosen (1)")
    parser.add_argument("--page", action="store_true", help="write docs/mutation.md from a sample too")
    parser.add_argument("--least", type=float, default=90.0, help="exit 1 below this score in per cent (90)")
    options = parser.parse_args(arguments)
    modules = [_short_name(name) for name in options.modules] or existing(MODULES)
    recorder = Recorder()

    def work(bench: Bench) -> int:
        coverage = coverage_of(bench, recorder)
        if coverage is None:
            return 2
        every = chosen = [pair for short in modules for pair in mutants_of(short)]
        if options.sample is not None:
            taken = random.Random(options.seed).sample(range(len(every)), min(options.sample, len(every)))
            chosen = [every[index] for index in sorted(taken)]
        start = time.perf_counter()
        known = known_mutants()
        results = run(bench, coverage, chosen, known)
        whole = not options.modules and options.sample is None
        if whole or (options.page and not options.modules):
            PAGE.write_text(render(results, len(every)), encoding="utf-8")
        total, killed, survived, equivalent = score(results)
        reached = 100 * killed / max(killed + survived, 1)
        print(f"{total} mutants in {time.perf_counter() - start:.0f} s: {killed} killed, {survived} survived, ", end="")
        print(f"{equivalent} equivalent; score {reached:.1f}%")
        gone = known.keys() - {mutant.key for mutant, _ in chosen}
        if whole and gone:
            print("tests/mutants.toml names changes that there are not:", *sorted(gone), sep="\n  ", file=sys.stderr)
        return int(reached < options.least or (whole and bool(gone)))

    return hold(TESTS, work)


if __name__ == "__main__":
    sys.exit(main())
