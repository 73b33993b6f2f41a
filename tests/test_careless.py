"""Careless hands: what somebody types or feeds by mistake is told in words, and steers no terminal."""

from __future__ import annotations

import io
import logging
import sys
from pathlib import Path

import pytest
from tests.test_cli import refused, run

from puntobanco.cli import app
from puntobanco.cli.render import console, new_table, say, show, styled
from puntobanco.floor.serve import TextFormatter
from puntobanco.printable import printable, printable_json

ROOT = Path(__file__).parents[1]
LOG = ROOT / "examples" / "logs" / "table-day.jsonl"
ESCAPE = "\x1b[2J\x1b]0;owned\x07"
BOOK = """
id = "my-game"
title = "My \\u001b[31mGame\\u0007"
casino = "\\u009b2J"
decks = { least = 8, most = 8, paragraph = "1" }
[[bets]]
code = "player"
name = "Pl\\u202eayer"
hand = "player"
paragraph = "2\\r"
pays = [{ odds = "1 to 1", when = { winner = "player" }, paragraph = "2.1" }]
"""


class Terminal(io.TextIOWrapper):
    """An output that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def at_terminal(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> str:
    terminal = Terminal(written := io.BytesIO(), encoding="utf-8")
    with monkeypatch.context() as patched:
        patched.setenv("NO_COLOR", "1")
        patched.setattr(sys, "stdout", terminal)
        app.main(arguments)
        terminal.flush()
    return written.getvalue().decode()


def harmless(text: str) -> bool:
    return printable(text) == text


def test_what_steers_a_terminal_is_shown_and_not_obeyed() -> None:
    assert printable(f"ann{ESCAPE}") == r"ann\x1b[2J\x1b]0;owned\x07"
    assert printable("閒 庄 \tTab\n♥ é") == "閒 庄 \tTab\n♥ é"
    assert printable("\u202eabc\x9b\ud800") == r"\u202eabc\x9b\ud800"
    assert printable_json('"\x7f\x9b"') == r'"\u007f\u009b"'


@pytest.mark.parametrize("command", ["rules", "games", "odds"])
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_books_steer_no_terminal(command: str, more: tuple[str, ...], tmp_path: Path) -> None:
    book = tmp_path / "my-game.toml"
    book.write_text(BOOK, encoding="utf-8")
    done = run(command, "--book", str(book), *more)
    assert done.code == 0
    assert harmless(done.out)


def test_drawings_steer_no_terminal(tmp_path: Path) -> None:
    (tmp_path / "my-game.toml").write_text(BOOK, encoding="utf-8")
    assert harmless(run("rules", "--draw", "--book", str(tmp_path / "my-game.toml")).out)


def test_histories_and_logs_steer_no_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history, log = tmp_path / "h.txt", str(tmp_path / "log.jsonl")
    history.write_text(
        f"table t-1\ngame super-six\nlayout A\nlimits 5 to 5000\nopen\n"
        f'staff dan dealer\nshoe "evil{ESCAPE}"  # {ESCAPE}\n'
    )
    done = run("run", str(history), "--log", log)
    assert (done.code, harmless(done.out)) == (0, True)
    assert harmless(run("report", log, "--people").out)
    assert ESCAPE in run("history", log).out  # another program reads it as it is
    shown = at_terminal(monkeypatch, "history", log)
    assert harmless(shown)
    assert r"evil\x1b[2J" in shown


def test_tables_lines_and_logs_of_the_server_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    table = new_table("name")
    table.add_row(styled(f"ann{ESCAPE}", "bold"))
    out = console()
    show(out, table)
    out.print(f"bob{ESCAPE}")
    say(f"cat{ESCAPE}")
    say(f"dan{ESCAPE}", error=True)
    said = capsys.readouterr()
    assert harmless(said.out)
    assert harmless(said.err)
    record = logging.LogRecord("x", logging.INFO, "x", 1, "%s joined", (f"ann{ESCAPE}",), None)
    assert harmless(TextFormatter("%(message)s").format(record))


def test_a_report_says_that_its_log_does_not_verify(tmp_path: Path) -> None:
    lines = LOG.read_text().splitlines(keepends=True)
    log = tmp_path / "log.jsonl"
    log.write_text("".join(lines))
    assert (run("report", str(log)).code, run("report", str(log)).err) == (0, "")
    lines[20] = lines[20].replace('"prev":"', '"prev":"0', 1)
    log.write_text("".join(lines))
    problem = next(line for line in run("verify", str(log)).out.splitlines() if line.startswith("✗"))[2:]
    done = run("report", str(log))
    assert done.code == 1
    assert "REJECTED  this record does not verify" in done.out
    assert done.err == f"! {log}: verify rejects this log: {problem}\n"
    page = run("report", str(log), "--html", str(tmp_path / "r.html"))
    assert (page.code, "verify rejects" in page.err) == (1, True)
    assert "REJECTED" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_a_log_whose_line_ends_were_converted(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(LOG.read_bytes().replace(b"\n", b"\r\n"))
    done = run("verify", str(log))
    assert done.code == 1
    assert "its line ends in CR LF: the file was converted on its way" in done.out
    assert "CR LF" in run("report", str(log)).err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rules", "super-six", "tiger-buffalo"], "unexpected 'tiger-buffalo': rules takes one game, and text"),
        (["rules", "--book", "nowhere.toml"], "nowhere.toml cannot be read: No such file or directory"),
        (["nonsense"], "there is no command 'nonsense'; there are games, rules,"),
        (["rule"], "there is no command 'rule'; did you mean rules?"),
        (["admin", "poeple"], "there is no command 'poeple' of admin; did you mean people?"),
        (["roads"], "roads needs RESULTS"),
        (["roads", "--row", "3", "B"], "there is no option --row"),
    ],
)
def test_slips_are_told_in_words(arguments: list[str], says: str) -> None:
    assert refused(*arguments).startswith(says)


def test_the_list_of_commands_is_whole() -> None:
    assert refused("nonsense").endswith("serve, demo, help, admin")


def test_roads_are_read_from_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run("roads", "BBPTP").out
    assert run("roads", "BB", "PTP").out == whole
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"BBP\nTP\n")))
    assert run("roads", "-").out == whole


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    assert refused("export", str(tmp_path), "T1") == f"{tmp_path} is a folder: a record is a file in one"
    (tmp_path / "record.db").touch()
    inside = tmp_path / "record.db"
    assert refused("export", str(tmp_path), "T1") == f"{tmp_path} is a folder: name the record in it, {inside}"
    assert "is a folder" in refused("backup", str(tmp_path), str(tmp_path / "copy"))


def test_people_are_added_without_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PUNTOBANCO_PASSWORD", raising=False)
    add = ("admin", "add-person", "root", "admin", "--folder", str(tmp_path / "floor"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert refused(*add).startswith(
        "there is no terminal to ask for the password: give it as a line of the input, or set"
    )
    monkeypatch.setattr(sys, "stdin", io.StringIO("a password\r\n"))
    assert run(*add).out == "root: admin\n"
    monkeypatch.setenv("PUNTOBANCO_PASSWORD", "a password")
    pit = run("admin", "add-person", "sam", "pit", "--rank", "pit_supervisor", *add[-2:])
    assert pit.out == "sam: pit, Pit Supervisor\n"
