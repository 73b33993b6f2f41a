"""The tools that falsify the rules find a planted gap: a test that asserts nothing, a test that misses a limit."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from scripts.tools import falsify, mutants
from tests.patience import limit

from puntobanco import find_book

ROOT = Path(__file__).resolve().parent.parent

PLANTED = """
from puntobanco.cards import parse_cards
from puntobanco.coup import points

def odds():
    # here: what changes code imports everything anew, and need not make a book for it
    from puntobanco.rules.load import find_book
    return find_book("super-six").bets["tie"].pays[0].odds

def test_1_asserts_nothing():
    points(parse_cards("7h 6c"))

def test_2_holds():
    assert points(parse_cards("7h 6c")) == 3

def test_3_runs_and_crashes_only():
    points(parse_cards("7h 6c")) + 1

def test_4_asserts_nothing_of_a_book():
    odds()

def test_5_holds_of_a_book():
    assert str(odds()) == "8 to 1"

def test_6_is_not_about_the_book():
    points(parse_cards("7h 6c"))
"""

TRY = """
import sys
from scripts.tools import bench, mutants, prove_paragraphs
from puntobanco.rules.catalogue import Paragraph

def work(held):
    coverage, failing = recorder.record(held)
    assert not failing
    for number in "123456":
        paragraph = Paragraph(number, "planted", code=("coup.points" if number in "123" else "books:bets.tie",))
        tests = [test for test in held.items if f"::test_{number}_" in test]
        proof = prove_paragraphs.prove(held, coverage, "super-six", paragraph, tests)
        for thing in proof.things:
            print(number, thing.name, "noticed" if thing.noticed else "crashed" if thing.crashed else "survives")
    return 0

recorder = bench.Recorder()
sys.exit(bench.hold([sys.argv[1]], work))
"""


def run(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=limit(),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_test_that_asserts_nothing_proves_nothing(tmp_path: Path) -> None:
    planted = tmp_path / "test_planted.py"
    planted.write_text(PLANTED, encoding="utf-8")
    assert run(TRY, str(planted)).splitlines() == [
        "1 coup.points survives",
        "2 coup.points noticed",
        "3 coup.points crashed",
        "4 books:super-six bets.tie crashed",  # only where the row is gone
        "5 books:super-six bets.tie noticed",
        "6 books:super-six bets.tie survives",
    ]


LOOSE = """
from puntobanco.coup import player_draws

def test_player_draws():
    assert player_draws(3, 4)
"""

SCORE = """
import sys
from scripts.tools import bench, mutation_test

def work(held):
    coverage, failing = recorder.record(held)
    assert not failing
    chosen = [pair for pair in mutation_test.mutants_of("coup") if pair[0].function == "player_draws"]
    for result in mutation_test.run(held, coverage, chosen, {}):
        print(f"= {result.outcome}: {result.mutant.change}")
    return 0

recorder = bench.Recorder()
sys.exit(bench.hold([sys.argv[1]], work))
"""


def test_a_condition_that_no_test_needs_survives(tmp_path: Path) -> None:
    planted = tmp_path / "test_loose.py"
    planted.write_text(LOOSE, encoding="utf-8")
    lines = [line[2:] for line in run(SCORE, str(planted)).splitlines() if line.startswith("= ")]
    # that both conditions are needed is not asserted
    assert lines == [
        "killed: return player in PLAYER_DRAWS_ON and banker not in NATURALS → return None",
        "survived: player in PLAYER_DRAWS_ON and banker not in NATURALS → "
        "player in PLAYER_DRAWS_ON or banker not in NATURALS",
        "killed: player in PLAYER_DRAWS_ON → player not in PLAYER_DRAWS_ON",
        "killed: banker not in NATURALS → banker in NATURALS",
    ]


def test_falsified_rows_are_other_rows() -> None:
    book = find_book("tiger-buffalo")
    (row,) = falsify.rows_of("tiger-buffalo", ["bets", "big_tiger"])
    changes = [change for change, _ in falsify.falsifications(row)]
    assert changes[0] == "tiger-buffalo bets.big_tiger: odds 50 to 1 becomes 51 to 1"
    assert "tiger-buffalo bets.big_tiger: banker_total 6 becomes 0, 1, 2, 3, 4, 5, 7, 8, 9" in changes
    assert "tiger-buffalo bets.big_tiger: condition banker_cards dropped" in changes
    assert changes[-1] == "tiger-buffalo bets.big_tiger: removed"
    assert len(set(changes)) == len(changes)
    assert find_book("tiger-buffalo") is book
    assert "big_tiger" in book.bets  # making the list changes nothing


def test_mutants_leave_the_source_as_it_was() -> None:
    before = mutants.module_of("puntobanco.coup")
    text = ast.unparse(before.tree)
    found = [*mutants.function_mutants("puntobanco.coup"), *mutants.import_mutants("puntobanco.coup")]
    for mutant in found:
        mutant.compiled()
    assert ast.unparse(before.tree) == text
    assert len({mutant.key for mutant in found}) == len(found) > 100


@pytest.mark.parametrize("name", ["coup.Hand.total", "bets.payoffs", "outcomes.endings", "coup.Coup.parse"])
def test_functions_are_found_behind_their_wrappers(name: str) -> None:
    module, _, qualified = name.partition(".")
    assert mutants.live_function(f"puntobanco.{module}", qualified).__qualname__ == qualified
