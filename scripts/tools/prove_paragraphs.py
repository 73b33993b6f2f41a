"""Falsifies, one at a time, every data row and function named for a paragraph: the tests named after it must fail.

A row of a book gets other odds, another condition, another paragraph, or goes; a function is changed in small ways,
and if none of them is noticed it is switched off. What no falsification makes fail is a survivor: the paragraph's
tests do not hold it, or its entry in src/puntobanco/rules/paragraphs names the wrong thing. A whole run writes
docs/proof.md; with a book, or a book and numbers, only these paragraphs are tried and nothing is written.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MemberDescriptorType, ModuleType
from typing import Any

import pytest
from scripts.tools.bench import ROOT, Bench, Coverage, Outcome, Recorder, Trial, hold
from scripts.tools.falsify import falsifications, other_values, rows_of
from scripts.tools.mutants import CannotPatch, Mutant, function_mutants, import_mutants, patch, switched_off
from scripts.tools.paragraphs import TITLES, files_of_tests, games_and_path, paragraph_of_test

from puntobanco.rules.catalogue import BOOKS, Paragraph, paragraphs

PAGE = ROOT / "docs" / "proof.md"
SECONDS = 15.0
"""Time of the processor for a trial; what takes longer hangs."""
MOST_COLD = 20
"""Fresh imports cost the most and come last; no thing gets more of them."""

Try = Callable[[Bench, Sequence[str]], Trial]


@dataclass(frozen=True)
class Attempt:
    """A falsification, and how to try it."""

    change: str
    run: Try
    cold: bool = False
    """Whether it imports everything anew, which takes longer."""


@dataclass
class Thing:
    """A data row or function that carries a paragraph."""

    name: str
    tried: list[str] = field(default_factory=list)
    noticed: str = ""
    """The falsification that a named test failed for."""
    crashed: str = ""
    """One that a named test could not run with; it counts where there is no better."""

    @property
    def proved(self) -> bool:
        return bool(self.noticed or self.crashed)


@dataclass
class Proof:
    """A paragraph and what came of falsifying all that carries it."""

    book_id: str
    paragraph: Paragraph
    tests: Sequence[str]
    things: list[Thing] = field(default_factory=list)

    @property
    def survivors(self) -> list[Thing]:
        return [thing for thing in self.things if not thing.proved]


# --- What carries a paragraph ----------------------------------------------------------------------------


def attempts_of(book_id: str, pointer: str, lines: Callable[[Mutant], bool]) -> Iterator[tuple[str, Iterator[Attempt]]]:
    """The things a pointer names, each with its falsifications; ``lines`` tells whether a named test runs a change."""
    if pointer.startswith("books:"):
        games, path = games_and_path(pointer, book_id)
        for game in games:
            for row in rows_of(game, path):
                yield f"books:{row}", (_warm(change, step) for change, step in falsifications(row))
    else:
        module, names = _module_of(pointer)
        yield pointer, _code_attempts(module, names, lines)


def _module_of(pointer: str) -> tuple[ModuleType, list[str]]:
    names = pointer.split(".")
    for length in range(len(names) - 1, 0, -1):
        try:
            return importlib.import_module(".".join(["puntobanco", *names[:length]])), names[length:]
        except ModuleNotFoundError:
            continue
    raise LookupError(f"{pointer} names nothing")


def _code_attempts(module: ModuleType, names: Sequence[str], lines: Callable[[Mutant], bool]) -> Iterator[Attempt]:
    thing: object = module
    for name in names:
        owner, thing = thing, inspect.getattr_static(thing, name)
    qualified = ".".join(names)
    if isinstance(thing, MemberDescriptorType):
        assert isinstance(owner, type)
        yield from _field_attempts(owner, names[-1])
        return
    if not callable(thing) and not hasattr(thing, "__get__"):
        yield from _constant_attempts(qualified, thing)
    fine = function_mutants(module.__name__, qualified)
    for mutant in fine:
        if lines(mutant) and (attempt := _patched(mutant)) is not None:
            yield attempt
    if isinstance(thing, type):
        for name, member in vars(thing).items():
            if isinstance(member, MemberDescriptorType):
                yield from _field_attempts(thing, name)
    else:
        yield from filter(None, map(_patched, switched_off(module.__name__, qualified)))
    for mutant in [*fine, *import_mutants(module.__name__, qualified)][:MOST_COLD]:
        yield _imported_anew(mutant)


def _warm(change: str, step: Callable[[], object]) -> Attempt:
    return Attempt(change, lambda bench, tests: bench.trial(step, tests, SECONDS))


def _patched(mutant: Mutant) -> Attempt | None:
    try:
        step = patch(mutant)
    except CannotPatch:
        return None
    return _warm(f"{mutant.where}: {mutant.change}", step)


def _imported_anew(mutant: Mutant) -> Attempt:
    def run(bench: Bench, tests: Sequence[str]) -> Trial:
        return bench.cold_trial(mutant.module.name, mutant.compiled(), tests, SECONDS)

    return Attempt(f"{mutant.where}, imported anew: {mutant.change}", run, cold=True)


def _constant_attempts(name: str, value: object) -> Iterator[Attempt]:
    """A constant is another one, wherever it was imported to."""
    holders = [vars(module) for module in sys.modules.values() if vars(module).get(name) is value]
    for change, new in other_values(value):

        def step(new: object = new) -> None:
            for holder in holders:
                holder[name] = new

        yield _warm(f"{name}: {change}", step)


def _field_attempts(owner: type, name: str) -> Iterator[Attempt]:
    """A field of a value reads wrong, whoever asks."""
    descriptor = vars(owner)[name]

    def wrong(value: Any) -> Any:
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return value + 1
        return f"{value}9" if isinstance(value, str) else None

    def step() -> None:
        type.__setattr__(owner, name, property(lambda self: wrong(descriptor.__get__(self))))

    yield _warm(f"{owner.__qualname__}.{name} reads wrong", step)


# --- The proof -------------------------------------------------------------------------------------------


def prove(bench: Bench, coverage: Coverage, book_id: str, paragraph: Paragraph, tests: Sequence[str]) -> Proof:
    """Falsify all that carries a paragraph, thing by thing, until its tests notice."""
    proof = Proof(book_id, paragraph, tests)

    def is_run(mutant: Mutant) -> bool:
        return not coverage.lines_of(mutant.module.path, tests).isdisjoint(range(mutant.line, mutant.last_line + 1))

    for pointer in paragraph.code:
        for name, attempts in attempts_of(book_id, pointer, is_run):
            thing = Thing(name)
            proof.things.append(thing)
            for attempt in attempts if tests else ():
                outcome = attempt.run(bench, tests).outcome
                thing.tried.append(attempt.change)
                if outcome is Outcome.FAILED:
                    thing.noticed = attempt.change
                    break
                if outcome in (Outcome.CRASHED, Outcome.TIMED_OUT):
                    thing.crashed = thing.crashed or attempt.change
                if thing.crashed and attempt.cold:
                    break
    return proof


def tests_by_paragraph(items: Iterable[pytest.Item]) -> dict[tuple[str, str], list[str]]:
    """(Book, number) → the ids of the tests named after the paragraph."""
    books = {file.name: book_id for book_id in BOOKS for file in files_of_tests(book_id)}
    found: dict[tuple[str, str], list[str]] = {}
    for item in items:
        number = paragraph_of_test(getattr(item, "originalname", item.name))
        if number is not None and item.path.name in books:
            found.setdefault((books[item.path.name], number), []).append(item.nodeid)
    return found


def prove_all(bench: Bench, recorder: Recorder, chosen: Mapping[str, Sequence[Paragraph]]) -> list[Proof] | None:
    """A proof of every chosen paragraph; none at all where the tests fail as things are."""
    coverage, failing = recorder.record(bench)
    if failing:
        print("these tests fail as things are:", *failing, sep="\n  ", file=sys.stderr)
        return None
    named = tests_by_paragraph(bench.items.values())
    proofs = []
    for book_id, listed in chosen.items():
        start = time.perf_counter()
        for paragraph in listed:
            proof = prove(bench, coverage, book_id, paragraph, named.get((book_id, paragraph.number), ()))
            proofs.append(proof)
            for line in _survivor_lines(proof):
                print(line, flush=True)
        print(f"{book_id}: {len(listed)} paragraphs in {time.perf_counter() - start:.0f} s", flush=True)
    return proofs


# --- What came of it -------------------------------------------------------------------------------------


def _survivor_lines(proof: Proof) -> Iterator[str]:
    at = f"{proof.book_id} {proof.paragraph.number}"
    for thing in proof.survivors:
        if not proof.tests:
            yield f"- {at}, `{thing.name}`: no test is named after the paragraph"
        else:
            tried = "; ".join(f"`{change}`" for change in thing.tried[:6]) or "nothing to falsify"
            more = f" and {len(thing.tried) - 6} more" if len(thing.tried) > 6 else ""
            yield f"- {at}, `{thing.name}`: not noticed: {tried}{more}"


_INTRODUCTION = """\
# Proof of the paragraphs

Every data row and function that carries a paragraph was falsified, one at a time, and the tests named after the
paragraph were run: other odds, other conditions, another paragraph cited, a row removed; comparisons, conditions,
constants and results in a function changed. A thing is proved when a named test fails for one of its falsifications,
small ones first; where a test could only crash, that is counted apart. A survivor is a thing that could be wrong
without any of its paragraph's tests failing. `scripts/prove-paragraphs` writes this page.

| book | paragraphs with code | rows and functions | falsifications | proved | by a crash only | survivors |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |"""


def render(proofs: Sequence[Proof]) -> str:
    lines = [_INTRODUCTION]
    lines += [_row(TITLES[book_id], [proof for proof in proofs if proof.book_id == book_id]) for book_id in BOOKS]
    lines += [_row("all", proofs), "", "## Survivors", ""]
    lines += [line for proof in proofs for line in _survivor_lines(proof)] or ["None."]
    return "\n".join([*lines, ""])


def _row(name: str, proofs: Sequence[Proof]) -> str:
    things = [thing for proof in proofs for thing in proof.things]
    proved = sum(bool(thing.noticed) for thing in things)
    crashed = sum(thing.proved for thing in things) - proved
    tried = sum(len(thing.tried) for thing in things)
    figures = (len(proofs), len(things), tried, proved, crashed, len(things) - proved - crashed)
    return f"| {name} | {' | '.join(f'{figure:,}' for figure in figures)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/prove-paragraphs", description=__doc__)
    parser.add_argument("book", nargs="?", choices=BOOKS, help="only the paragraphs of this book")
    parser.add_argument("numbers", nargs="*", metavar="number", help="only these of the book")
    parser.add_argument("--verbose", action="store_true", help="say for each thing which falsification was noticed")
    options = parser.parse_args(arguments)
    books = (options.book,) if options.book else BOOKS
    chosen = {
        book_id: [
            paragraph
            for paragraph in paragraphs(book_id)
            if paragraph.code and (not options.numbers or paragraph.number in options.numbers)
        ]
        for book_id in books
    }
    recorder = Recorder()

    def work(bench: Bench) -> int:
        proofs = prove_all(bench, recorder, chosen)
        if proofs is None:
            return 2
        if options.verbose:
            for proof in proofs:
                for thing in proof.things:
                    what = thing.noticed or (f"only by a crash: {thing.crashed}" if thing.crashed else "survives")
                    print(f"{proof.book_id} {proof.paragraph.number} {thing.name}: {what}")
        if not options.book:
            PAGE.write_text(render(proofs), encoding="utf-8")
        survivors = sum(len(proof.survivors) for proof in proofs)
        print(f"{len(proofs)} paragraphs, {sum(len(proof.things) for proof in proofs)} things, {survivors} survivors")
        return 1 if survivors else 0

    return hold([file for book_id in books for file in files_of_tests(book_id)], work)


if __name__ == "__main__":
    sys.exit(main())
