"""Two games side by side, odds for a wanted edge, and the designer's loop."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.patience import limit

from puntobanco import GAMES, find_book, load_book
from puntobanco.cli import main
from puntobanco.lab.batch import removal_by_rank
from puntobanco.lab.compare import Entry, compare
from puntobanco.lab.design import EVERY, counting_gain, examine, versions
from puntobanco.lab.par_terms import Terms
from puntobanco.lab.solve import nearest, parse_edge, solve_all, solve_line
from puntobanco.money import MoneyError, Odds
from puntobanco.odds import odds, weights
from puntobanco.rules.model import Bet, RuleBook

EXAMPLES = Path(__file__).parents[2] / "examples" / "books"
EZ = EXAMPLES / "ez-baccarat.toml"
EIGHT = Terms(decks=8)


# --- compare ----------------------------------------------------------------------------------------------


def test_a_game_beside_itself_is_the_same() -> None:
    entry = Entry(find_book("super-six"), 8)
    pairings = compare(entry, entry)
    assert [each.name for each in pairings] == [bet.name for bet in entry.book.bets.values()]
    assert {each.change for each in pairings} == {0}


def test_bets_go_together_by_code_or_by_what_wins() -> None:
    found = compare(Entry(find_book("rws-baccarat"), 8), Entry(find_book("super-six"), 8))
    pairings = {each.name: each for each in found}
    assert pairings["Any Tie / Tie"].change == 0
    assert pairings["Banker Wins On 6 / Super Six"].change == pytest.approx(0.138181 - 0.353635, abs=1e-6)
    assert pairings["Tie Wins On 0"].second is None
    both = [each for each in compare(Entry(find_book("super-six"), 8), Entry(load_book(EZ), 8)) if each.first is None]
    assert [each.name for each in both] == ["Dragon 7", "Panda 8"]


def test_decks_are_compared() -> None:
    player, *_ = compare(Entry(find_book("super-six"), 6), Entry(find_book("super-six"), 8))
    assert player.change == pytest.approx(0.0123508 - 0.0123741, abs=1e-7)


def test_compare_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["compare", "super-six", "--book", str(EZ), "--decks", "6", "--decks", "8", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert (document["first"]["decks"], document["second"]["game"]) == (6, "ez-baccarat")
    banker = document["bets"][1]
    assert banker["first"]["pays"] == ["19/20"]
    assert banker["second"]["edge"] == pytest.approx(0.010183, abs=1e-6)
    assert document["bets"][-1]["first"] is None


# --- solve ------------------------------------------------------------------------------------------------


def with_odds(book: RuleBook, bet: Bet, new: dict[str, Odds]) -> RuleBook:
    pays = tuple(replace(line, odds=new.get(str(line.odds), line.odds)) for line in bet.pays)
    return replace(book, bets=book.bets | {bet.code: replace(bet, pays=pays)})


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("edge", [Fraction(1, 40), Fraction(1, 8)])
def test_solved_odds_give_the_edge_in_the_book(game: str, edge: Fraction) -> None:
    book = find_book(game)
    shoe = EIGHT.shoe(book)
    found = weights(shoe, book.space)
    # one bet of each kind: a single line, two lines, lines that pay alike
    for code in ("tie", "banker", "tiger", "tiger_pair", "tiger_buffalo", "dragon_tiger"):
        if code not in book.bets:
            continue
        bet = book.bets[code]
        for each in solve_line(bet, found, edge):
            if each.exact is not None:
                changed = with_odds(book, bet, {str(each.lines[0].odds): Odds.of(each.exact)})
                assert odds(changed, shoe)[code].ev == -edge
            for near in each.practical:
                changed = with_odds(book, bet, {str(each.lines[0].odds): near.odds[0]})
                assert odds(changed, shoe)[code].ev == -near.edge
            if len(each.practical) == 2:
                assert each.practical[0].edge > edge > each.practical[1].edge
        scaled = solve_all(bet, found, edge)
        assert (scaled is None) == (len({line.odds for line in bet.pays}) == 1)
        if scaled:
            new = {str(line.odds): Odds.of(line.odds.fraction * scaled.factor) for line in bet.pays}
            assert odds(with_odds(book, bet, new), shoe)[code].ev == -edge


@pytest.mark.parametrize(
    ("exact", "printed"),
    [
        ("0.97", "0.95 to 1, 1 to 1"),
        ("2.7", "5 to 2, 3 to 1"),
        ("57.6", "57 to 1, 58 to 1"),
        ("203", "200 to 1, 205 to 1"),
        ("8", "8 to 1"),
        ("0.01", "0.05 to 1"),
        ("-1", ""),
    ],
)
def test_practical_odds(exact: str, printed: str) -> None:
    assert ", ".join(map(str, nearest(Fraction(exact)))) == printed


def test_edges_are_read_exactly() -> None:
    assert parse_edge("2.5%") == parse_edge(" 0.025 ") == Fraction(1, 40)
    assert parse_edge("-1 %") == Fraction(-1, 100)
    for text in ("", "%", "2,5%", "1e3", "100%", "nan", "--1%", "1.2.3", "٢%", "9" * 30):
        with pytest.raises(MoneyError):
            parse_edge(text)


def test_solve_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["solve", "tiger-buffalo", "big_tiger", "--edge", "2.5%"])
    said = capsys.readouterr().out
    assert "the house edge is 15.2533%, wanted 2.5000%" in said
    assert re.search(r"50 to 1\s+57\.6749 to 1\s+57 to 1\s+3\.6214%", said)
    main(["solve", "--book", str(EZ), "dragon_7", "--edge", "5%", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["all"] is None
    assert [near["odds"] for near in document["lines"][0]["practical"]] == [["41/1"], ["42/1"]]


# --- design -----------------------------------------------------------------------------------------------


def test_counting_is_estimated_near_what_was_published() -> None:
    # units a shoe with counts of whole numbers, 8 decks, Cut Card 14 from the end: Dragon 7 0.597, Panda 8 0.237
    book = load_book(EZ)
    terms = Terms(decks=8, cut=14)
    base = odds(book, terms.shoe(book))
    effects = removal_by_rank(book, 8)
    gains = {code: counting_gain(float(base[code].ev), [*effects[code].values()], 8, 14) for code in base}
    assert 0.597 < (gains["dragon_7"] or 0) < 0.597 * 1.2
    assert 0.237 < (gains["panda_8"] or 0) < 0.237 * 1.2
    assert (gains["player"] or 0) < 0.01
    assert counting_gain(-0.1, (Fraction(0),) * 13, 8, 14) is None


def test_what_a_book_is_worth() -> None:
    found = {each.sheet.code: each for each in examine(load_book(EZ), EIGHT)}
    assert found["dragon_7"].sheet.odds.edge == pytest.approx(0.076113, abs=1e-6)
    assert {each.warning for each in found.values()} == {""}


def test_versions_follow_the_file(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    good = EZ.read_text(encoding="utf-8")
    file.write_text(good, encoding="utf-8")
    waited = []

    def edits() -> Iterator[None]:
        yield None  # nothing changes: nothing is told
        file.write_text(good.replace("40 to 1", "forty"), encoding="utf-8")
        yield None
        file.unlink()
        yield None
        file.write_text(good.replace("40 to 1", "45 to 1"), encoding="utf-8")
        yield None

    steps = edits()

    def pause(seconds: float) -> None:
        waited.append(seconds)
        next(steps)

    seen = versions(file, pause)
    first, broken, gone, last = (next(seen) for _ in range(4))
    assert first.book
    assert "'forty' is not odds" in broken.mistakes
    assert "cannot be read" in gone.mistakes
    assert last.book
    assert str(last.book.bets["dragon_7"].pays[0].odds) == "45 to 1"
    assert waited == [EVERY] * 4


def save(file: Path, text: str) -> None:
    """As editors do: whole or not at all, so that nobody reads half a file."""
    whole = file.with_suffix(".new")
    whole.write_text(text, encoding="utf-8")
    whole.replace(file)


def test_the_loop_shows_changes_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    good = EZ.read_text(encoding="utf-8")
    save(file, good)
    # a shell that starts us in the background has Ctrl-C ignored, and we would hand that on
    heed = (
        "import signal, runpy; signal.signal(signal.SIGINT, signal.default_int_handler); runpy.run_module('puntobanco')"
    )
    command = [sys.executable, "-c", heed, "design", str(file), "--watch"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as loop:
        hang = threading.Timer(limit(), loop.kill)
        hang.start()
        try:
            assert "7.6113%" in until(loop, "Ctrl-C ends")
            save(file, good.replace("40 to 1", "45 to 1"))
            better = until(loop, "Ctrl-C ends")
            assert "-11.2669" in better
            assert "Dragon 7: THE PLAYER HAS THE EDGE (-3.6556%)" in better
            save(file, good.replace("winner", "winer"))
            assert "did you mean winner?" in until(loop, "Ctrl-C ends")
            loop.send_signal(signal.SIGINT)
            assert loop.communicate()[1] == ""
            assert loop.returncode == 0
        finally:
            hang.cancel()
            loop.kill()


def until(loop: subprocess.Popen[str], words: str) -> str:
    """What the loop prints, up to a line with these words."""
    assert loop.stdout
    lines = []
    for line in loop.stdout:
        lines.append(line)
        if words in line:
            return "".join(lines)
    raise AssertionError(f"{words!r} never came: {lines}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("compare", "compare takes two games, and got 0"),
        ("compare super-six", "compare takes two games, and got 1"),
        ("compare super-six moon", "no game 'moon'"),
        ("compare super-six tiger-buffalo --decks 10", "--decks 10: Commission Baccarat with Super Six"),
        ("compare super-six tiger-buffalo --decks 4 --decks 5 --decks 6", "--decks: one number for both"),
        ("compare super-six --book nowhere.toml", "nowhere.toml cannot be read"),
        ("solve super-six", "which bet?"),
        ("solve super-six tie", "solve needs --edge"),
        ("solve super-six moon --edge 1%", "no bet 'moon'"),
        ("solve super-six tie --edge much", "--edge: 'much' is not an edge"),
        ("solve super-six tie --edge 99%", "--edge: no odds above zero give tie a house edge of 99.0000%"),
        ("solve super-six tie --edge 5% --decks 3", "--decks 3"),
        ("design nowhere.toml", "nowhere.toml cannot be read"),
        ("design", "design needs FILE"),
    ],
)
def test_bad_input_is_one_message(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments.split())
    said = capsys.readouterr()
    assert (stop.value.code, said.out) == (2, "")
    assert message in said.err
    assert "Traceback" not in said.err
