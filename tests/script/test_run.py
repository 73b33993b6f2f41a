"""``puntobanco run``: what it prints, its exit codes, its JSON and its log."""

from __future__ import annotations

import io
import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.script.helpers import EXAMPLES, HEAD, ROOT

from puntobanco.cli import main
from puntobanco.script import fold_log, parse_log

ROUND = HEAD + "bet ann banker 100 tie 25\nbet bob player 10\nexpect refused below_minimum 3.5 fits 25\nclose\n"
ROUND += "deal 4h Kc 4d 6s\nexpect result player\n"  # a natural 8 against 6


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def run(*arguments: str | Path) -> Ran:
    out, err, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(list(map(str, arguments)))
        except SystemExit as stop:
            code = int(stop.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())


def write(folder: Path, text: str, name: str = "case.txt") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_the_examples_are_as_they_expect(file: Path) -> None:
    assert run("run", "--quiet", file) == (0, "", "")


def test_what_is_printed(tmp_path: Path) -> None:
    code, out, err = run("run", write(tmp_path, ROUND))
    assert (code, err) == (0, "")
    lines = [line.rstrip() for line in out.splitlines()]
    for part in (
        "15  bet ann banker 100 tie 25",
        "    → ann bets 100 on Banker and 25 on Tie in box 1  [tiger-buffalo 3.7]",
        "        chips:ann → layout:ann 125",
        "    ✗ refused below_minimum: the minimum on Player is 25.00 SGD, 25 would fit  [tiger-buffalo 3.5]",
        "17  ✓ expect refused below_minimum 3.5 fits 25",
        "    → Player wins: Player 8, Banker 6  [tiger-buffalo 3.16]",
        "        box 1, ann: 100 on Banker loses  [tiger-buffalo 3.16]",
        "        layout:ann → tray 125",
        "chips:ann      875.00",
        "Shoe 1: P_*",
        "1 round, 16 events, 1 refusal, 2 expectations met",
    ):
        assert part in lines, out


def test_an_unmet_expectation_ends_with_1_its_line_and_the_difference(tmp_path: Path) -> None:
    file = write(tmp_path, ROUND + "expect stack ann 900\nexpect stack bob 5\n")
    code, out, err = run("run", file)
    assert (code, err) == (1, "")
    assert "21  ✗ expect stack ann 900" in out
    assert out.endswith(
        f"{file}:21: expect stack ann 900\n    expected  stack ann 900\n    found     balance chips:ann 875 (25 less)\n"
    )
    assert run("run", "--quiet", file).out.strip() == "\n".join(out.splitlines()[-3:])


def test_a_refusal_that_was_not_expected_ends_with_1_and_how_to_expect_it(tmp_path: Path) -> None:
    code, out, _ = run("run", "--quiet", write(tmp_path, HEAD + "bet ann banker 20\n"))
    assert code == 1
    assert "case.txt:15: bet ann banker 20" in out
    assert "if that is meant, write below it: expect refused below_minimum 3.5 fits 25" in out


def test_unreadable_lines_end_with_2_all_of_them(tmp_path: Path) -> None:
    one = write(tmp_path, "game super-six\nopne\nbet ann\n", "one.txt")
    two = write(tmp_path, "shuffle\n", "two.txt")
    code, out, err = run("run", one, two, "--json")
    assert (code, out) == (2, "")
    assert err.startswith(
        f"puntobanco: {one}:2: opne\n    no line begins with opne; did you mean open?\n{one}:3: bet ann\n"
    )
    assert f"{two}:1: shuffle" in err


@pytest.mark.parametrize(
    ("name", "data", "part"),
    [("none.txt", None, "cannot be read: No such file"), ("latin.txt", b"# caf\xe9\n", "this is not UTF-8 text")],
)
def test_files_that_are_no_histories(tmp_path: Path, name: str, data: bytes | None, part: str) -> None:
    file = tmp_path / name
    if data is not None:
        file.write_bytes(data)
    code, out, err = run("run", file)
    assert (code, out) == (2, "")
    assert part in err


def _told_keys() -> str:
    page = (ROOT / "docs" / "history-format.md").read_text(encoding="utf-8")
    return page.partition("The JSON has ")[2].partition("\n\n")[0]


def test_json(tmp_path: Path) -> None:
    code, out, _ = run("run", "--json", write(tmp_path, ROUND))
    assert code == 0
    document: dict[str, Any] = json.loads(out)
    assert set(document) == set(re.findall(r"`(\w+)`", _told_keys())) - {"line", "null", "number", "expected", "found"}
    assert document["expectations"] == 2
    assert document["unmet"] is None
    assert document["balances"]["chips:ann"] == 875_00
    assert sum(document["balances"].values()) == 0
    (refusal,) = document["refusals"]
    assert refusal["line"] == 16
    assert (refusal["code"], refusal["paragraph"], refusal["fits"]) == ("below_minimum", "3.5", 25_00)
    assert document["events"][0]["event"]["event"] == "table_opened"
    assert document["results"] == {"1": "P_*"}


def test_json_of_something_unmet_and_of_several(tmp_path: Path) -> None:
    good, bad = write(tmp_path, ROUND, "good.txt"), write(tmp_path, ROUND + "expect result tie\n", "bad.txt")
    code, out, _ = run("run", "--json", good, bad)
    assert code == 1
    first, second = json.loads(out)
    assert first["unmet"] is None
    assert second["unmet"] == {
        "number": 21,
        "line": "expect result tie",
        "expected": "result tie",
        "found": "result player",
    }
    assert second["expectations"] == 2


def test_several_files_have_a_summary(tmp_path: Path) -> None:
    good, bad = write(tmp_path, ROUND, "good.txt"), write(tmp_path, ROUND + "expect result tie\n", "bad.txt")
    code, out, _ = run("run", bad, good)
    assert code == 1
    assert "not as expected in line 21" in out
    assert out.rstrip().endswith("1 of 2 histories as expected")
    assert "good.txt" not in run("run", bad, good, "--quiet").out


def test_the_log(tmp_path: Path) -> None:
    log = tmp_path / "out.jsonl"
    assert run("run", "--quiet", write(tmp_path, ROUND), "--log", log).code == 0
    entries = parse_log(log.read_bytes())
    assert entries[-1].last == 16
    assert fold_log(entries).stack("ann") == 875_00


FOUND_AFTER_TAKING_BACK = """\
game tiger-buffalo
open
staff dora dealer
staff sam pit supervisor
sit ann 1
sit bob 2
chips in ann 1000
chips in bob 1000
shoe "m"
call
bet ann player 100
bet bob player 100
close
draw 9h banker turned
rule reconstruct on 1
approve 1
take back bob
find bet bob tie 100
expect returned bob tie 100
"""


@pytest.mark.parametrize("text", [ROUND, FOUND_AFTER_TAKING_BACK], ids=["round", "found-after-taking-back"])
def test_the_log_of_a_history_is_verified_told_and_run_again(tmp_path: Path, text: str) -> None:
    """One kind of log for all commands; without hashes ``verify`` says that it has none to check."""
    log, again = tmp_path / "out.jsonl", tmp_path / "again.jsonl"
    assert run("run", "--quiet", write(tmp_path, text), "--log", log).code == 0
    verified = run("verify", log)
    assert verified.code == 0
    assert "every command leads to its events" in verified.out
    assert "no hashes or signatures" in verified.out + verified.err
    told = run("history", log, "--expect")
    assert told.code == 0, told.err
    assert run("run", "--quiet", write(tmp_path, told.out, "told.txt"), "--log", again).code == 0
    assert run("history", again, "--expect").out == told.out


def test_the_log_of_one_history_only(tmp_path: Path) -> None:
    file = write(tmp_path, ROUND)
    code, _, err = run("run", file, file, "--log", tmp_path / "out.jsonl")
    assert code == 2
    assert "--log takes the log of one history" in err
    code, _, err = run("run", file, "--log", tmp_path / "none" / "out.jsonl")
    assert code == 2
    assert "cannot be written" in err


def test_the_log_replaces_no_input(tmp_path: Path) -> None:
    file, book = write(tmp_path, ROUND), tmp_path / "book.toml"
    book.write_bytes((ROOT / "examples" / "books" / "ez-baccarat.toml").read_bytes())
    (tmp_path / "twin").hardlink_to(file)
    before = file.read_bytes(), book.read_bytes()
    for output in (file, tmp_path / "twin", tmp_path / "." / "book.toml"):
        code, out, err = run("run", file, "--book", book, "--log", output)
        assert (code, out) == (2, "")
        assert f"--log: {output} is an input as well, and would be lost" in err
    assert (file.read_bytes(), book.read_bytes()) == before


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a remark\n"])
def test_a_file_without_a_history_is_told(tmp_path: Path, text: str) -> None:
    empty = write(tmp_path, text, "empty.txt")
    told = f"puntobanco: {empty}: there is no history in it: one begins with its game, as in game tiger-buffalo\n"
    assert run("run", empty) == (2, "", told)
    assert run("run", write(tmp_path, ROUND), empty, "--quiet") == (2, "", told)


def test_a_book_of_your_own(tmp_path: Path) -> None:
    book = ROOT / "examples" / "books" / "ez-baccarat.toml"
    file = write(tmp_path, "game ez-baccarat\nopen\nexpect phase idle\n")
    assert run("run", "--quiet", file).code == 1
    assert run("run", "--quiet", file, "--book", book).code == 0


def test_from_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ROUND.encode())))
    assert run("run", "--quiet", "-").code == 0
