"""The commands: what they print for people, what they promise to scripts, and how they refuse bad input."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from tests.patience import limit

from puntobanco import GAMES, find_book, format_amount
from puntobanco.cli import main
from puntobanco.lab.words import condition_words, odds_words, percent, ranges
from puntobanco.money import Odds
from puntobanco.outcomes import FEATURES

ROUND = "9h Kc 4d 2s 5c 4h"  # Player 9 4 5 makes 8, Banker K 2 4 makes 6
BONUS = str(Path(__file__).parents[1] / "examples" / "books" / "bonus.toml")
PROGRAM = Path(sys.executable).with_name("puntobanco")


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


def run(*arguments: str) -> Ran:
    """Run a command in this process."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), "utf-8"),
        io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace"),
    )
    code = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
    texts = []
    for stream in (out, err):
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        texts.append(stream.buffer.getvalue().decode())
    return Ran(code, *texts)


def refused(*arguments: str) -> str:
    """Run a command that must refuse its input, and give its message."""
    ran = run(*arguments)
    assert ran.code == 2, ran
    assert ran.out == ""
    assert ran.err.startswith("puntobanco: ")
    assert ran.err.count("puntobanco: ") == 1
    assert "Traceback" not in ran.err
    return ran.err.removeprefix("puntobanco: ").strip()


def fraction(text: str) -> Fraction:
    """An exact number as JSON carries it: ``n/d``, in lowest terms, the sign at the front."""
    numerator, denominator = text.split("/")
    found = Fraction(int(numerator), int(denominator))
    assert text == f"{found.numerator}/{found.denominator}"
    return found


# --- games and rules ------------------------------------------------------------------------------------


def test_games_are_the_six_games() -> None:
    assert [game["game"] for game in run("games", "--json").json] == list(GAMES)
    shown = run("games").out
    assert all(game in shown for game in GAMES)


def test_games_lists_a_book_of_ones_own_too() -> None:
    assert run("games", "--book", BONUS, "--json").json[-1]["game"] == "bonus"
    assert "Bonus Baccarat" in run("games", "--book", BONUS).out


@pytest.mark.parametrize("game", GAMES)
def test_rules_show_every_bet_with_its_paragraph(game: str) -> None:
    book, shown, data = find_book(game), run("rules", game).out, run("rules", game, "--json").json
    assert list(data["bets"]) == list(book.bets)
    assert data["hash"] == book.hash
    for bet in book.bets.values():
        assert bet.code in shown
        assert [line["odds"] for line in data["bets"][bet.code]["pays"]] == [
            f"{line.odds.fraction.numerator}/{line.odds.fraction.denominator}" for line in bet.pays
        ]
        for line in bet.pays:
            assert line.paragraph in shown
            assert str(line.odds) in shown
            assert condition_words(line.when) in " ".join(shown.split()) or len(condition_words(line.when)) > 40


def test_rules_of_a_layout_show_its_bets_only() -> None:
    data = run("rules", "tiger-buffalo", "--layout", "m", "--json").json
    assert list(data["layouts"]) == ["M"]
    assert "big_tiger" not in data["bets"]
    assert "wu_dalang" in data["bets"]
    shown = run("rules", "tiger-buffalo", "--layout", "M").out
    assert "big_tiger" not in shown
    assert "layout M: Appendix M, 1–6 positions (Appendix M)" in shown


def test_rules_show_the_insurance_table() -> None:
    data = run("rules", "tiger-buffalo", "--json").json
    assert len(data["insurance"]) == len(find_book("tiger-buffalo").insurance.rows)  # type: ignore[union-attr]
    assert {
        "window": "player_third",
        "hand": "player",
        "own": [9],
        "other": [0, 1, 2, 3, 4, 5, 6],
        "odds": "10/1",
        "tie": "won",
        "paragraph": "4.1.14",
    } in data["insurance"]
    assert "pays (4.2.1.b)" in run("rules", "tiger-buffalo").out
    assert run("rules", "super-six", "--json").json["insurance"] == []
    assert "Insurance" not in run("rules", "super-six").out


# --- deal -----------------------------------------------------------------------------------------------


def test_deal_reports_what_is_left_over() -> None:
    data = run("deal", "tiger-buffalo", "--cards", "9h 4c 2d Ks 3c 4d 5h", "--json").json
    assert data == {
        "player": ["9h", "2d", "3c"],
        "banker": ["4c", "Ks", "4d"],
        "player_total": 4,
        "banker_total": 8,
        "finished": True,
        "winner": "banker",
        "next": None,
        "left_over": ["5h"],
    }
    shown = run("deal", "tiger-buffalo", "--cards", "9h 4c 2d Ks 3c 4d 5h").out
    assert "Banker wins (tiger-buffalo 3.16)" in shown
    assert "Left over: 5♥" in shown


def test_deal_says_whose_card_is_next() -> None:
    data = run("deal", "tiger-buffalo", "--cards", "9h 4c 2d Ks", "--json").json
    assert (data["finished"], data["winner"], data["next"], data["left_over"]) == (False, None, "player", [])
    assert "The next card goes to Player" in run("deal", "tiger-buffalo", "--cards", "9h 4c 2d Ks").out
    assert "The next card goes to Player" in run("deal", "super-six", "--cards", "").out


def test_deal_announces_a_tie() -> None:
    assert "Tie (super-six" in run("deal", "super-six", "--cards", "9h 9c Kd Ks").out
    assert run("deal", "super-six", "--cards", "9h9cKdKs", "--json").json["winner"] == "tie"
    assert "\nTie\n" in run("deal", "--book", BONUS, "--cards", "9h9cKdKs").out  # a book that cites nothing


# --- settle ---------------------------------------------------------------------------------------------


def test_settle_keeps_its_contract() -> None:
    data = run(
        "settle", "tiger-buffalo", "--cards", "Kh 2c Qd 4s 3c", "--bet", "small_tiger=100", "--bet",
        "banker=250.50", "--bet", "player=1", "--json",
    ).json  # fmt: skip
    assert data == {
        "player_total": 3,
        "banker_total": 6,
        "winner": "banker",
        "wagers": [
            wager("small_tiger", "100.00", "won", "2200.00", "2300.00", "4.1.4"),
            wager("banker", "250.50", "won", "125.25", "375.75", "4.1.1"),
            wager("player", "1.00", "lost", "-1.00", "0.00", "3.16"),
        ],
    }


def wager(bet: str, stake: str, result: str, profit: str, back: str, paragraph: str) -> dict[str, str]:
    return {
        "bet": bet,
        "stake": stake,
        "result": result,
        "profit": profit,
        "back": back,
        "paragraph": paragraph,
    }


def test_settle_returns_what_a_tie_returns() -> None:
    data = run("settle", "super-six", "--cards", "9h9cKdKs", "--bet", "player=5", "--bet", "tie=1", "--json").json
    assert data["winner"] == "tie"
    assert [(w["result"], w["profit"], w["back"]) for w in data["wagers"]] == [
        ("returned", "0.00", "5.00"),
        ("won", "8.00", "9.00"),
    ]


def test_settle_shows_people_the_sum() -> None:
    shown = run("settle", "tiger-buffalo", "--cards", ROUND, "--bet", "player=10", "--bet", "tie=2.5").out
    assert "Player wins (tiger-buffalo 3.16)" in shown
    lines = {line.split()[0]: line.split() for line in shown.splitlines() if line.split()}
    assert lines["together"] == ["together", "12.50", "+7.50", "20.00"]
    assert lines["Tie"][2] == "lost"


def test_settle_rounds_as_told() -> None:
    def profit(*options: str) -> str:
        command = ("settle", "da-hu-ying-xiong", "--cards", "Kh 2c Qd 5s 3c", "--bet", "banker=0.33")
        return str(run(*command, *options, "--json").json["wagers"][0]["profit"])

    # 0.95 of 33 cents is 31.35 cents
    assert profit() == "0.31"
    assert profit("--rounding", "up") == "0.32"
    assert profit("--unit", "0.05") == "0.30"
    assert profit("--rounding", "up", "--unit", "0.05") == "0.35"


def test_the_same_bet_may_be_made_twice() -> None:
    data = run("settle", "super-six", "--cards", ROUND, "--bet", "player=1", "--bet", "player=2", "--json").json
    assert [w["stake"] for w in data["wagers"]] == ["1.00", "2.00"]


@settings(max_examples=50)
@given(st.integers(1, 10**15 - 1))
def test_settle_reads_and_writes_any_amount_exactly(cents: int) -> None:
    amount = format_amount(cents)
    data = run("settle", "super-six", "--cards", ROUND, "--bet", f"player={amount}", "--json").json
    assert data["wagers"][0] | {"paragraph": ""} == wager("player", amount, "won", amount, format_amount(2 * cents), "")


# --- decided --------------------------------------------------------------------------------------------


def test_decided_keeps_its_contract() -> None:
    assert run("decided", "tiger-buffalo", "--cards", "9h 4c", "--json").json == {
        "established": False,
        "bets": {},
    }
    assert run("decided", "tiger-buffalo", "--layout", "A", "--cards", "9h 4c 2d", "--json").json == {
        "established": True,
        "bets": {"player_pair": "lost", "small_buffalo": "lost"},
    }
    whole = run("decided", "super-six", "--cards", "9h9cKdKs", "--json").json
    assert set(whole["bets"]) == set(find_book("super-six").bets)
    assert (whole["bets"]["player"], whole["bets"]["tie"]) == ("returned", "won")


def test_decided_for_people() -> None:
    assert "No outcome is established" in run("decided", "super-six").out
    shown = run("decided", "tiger-buffalo", "--layout", "A", "--cards", "9h 4c 2d").out
    assert "An outcome is established: 2 of 11 bets decided" in shown
    assert "Left over and ignored: 2♥" in run("decided", "super-six", "--cards", "9h9cKdKs2h").out


# --- odds -----------------------------------------------------------------------------------------------


def test_odds_keep_their_contract() -> None:
    data = run("odds", "tiger-buffalo", "--decks", "8", "--insurance", "--json").json
    assert (data["game"], data["cards"], data["total"]) == ("tiger-buffalo", 416, "4998398275503360")
    assert list(data["bets"]) == list(find_book("tiger-buffalo").bets)
    assert data["bets"]["player"]["win"] == "2230518282592256"
    assert data["bets"]["player"]["push"] == "475627426473216"
    for bet in data["bets"].values():
        assert int(bet["win"]) + int(bet["push"]) + int(bet["lose"]) == int(data["total"])
        assert -float(fraction(bet["ev"])) == pytest.approx(bet["edge"], abs=1e-15)
        assert isinstance(bet["edge"], float)
        assert isinstance(bet["sd"], float)
    rows = {(row["window"], row["hand"], row["own"], row["other"]): row for row in data["insurance"]}
    row = rows["four_cards", "player", 6, 3]
    assert row["odds"] == "5/2"
    win, push, lose = (int(row[part]) for part in ("win", "push", "lose"))
    assert fraction(row["ev"]) == (Fraction(5, 2) * win - lose) / (win + push + lose)
    assert set(rows) >= {("player_third", "banker", own, 0) for own in range(1, 7)}


def test_odds_without_insurance_have_an_empty_list_of_it() -> None:
    assert run("odds", "tiger-buffalo", "--json").json["insurance"] == []
    assert run("odds", "super-six", "--insurance", "--json").json["insurance"] == []
    assert "No insurance here." in run("odds", "super-six", "--insurance").out


def test_odds_of_a_layout() -> None:
    data = run("odds", "tiger-buffalo", "--layout", "M", "--json").json
    assert tuple(data["bets"]) == find_book("tiger-buffalo").layouts["M"].bets


def test_a_shoe_is_written_by_ranks_and_what_is_not_named_counts_nothing() -> None:
    full = "A:32 2:32 3:32 4:32 5:32 6:32 7:32 8:32 9:32 T:32 J:32 Q:32 K:32"
    by_shoe = run("odds", "super-six", "--shoe", full, "--json").json
    assert by_shoe == run("odds", "super-six", "--json").json
    sevens = run("odds", "super-six", "--shoe", "7:6", "--json").json
    assert sevens["total"] == "720"
    assert sevens["bets"]["tie"]["win"] == "720"
    assert sevens["bets"]["player_pair"]["win"] == "720"


def test_cards_dealt_already_leave_the_shoe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    data = run("odds", "tiger-buffalo", "--cards", "9h 4c 9d", "--insurance", "--json").json
    assert data["cards"] == 413
    assert data["bets"]["player_pair"]["lose"] == "0"
    shown = run("odds", "tiger-buffalo", "--cards", "9h 4c 9d").out
    assert "9♥ 9♦" in shown
    assert "expected gain" in shown  # nobody can bet any more, so there is not an edge to speak of
    assert "+11.0000" in shown  # the pair of nines has won


def test_a_game_with_suits_wants_a_shoe_by_cards() -> None:
    said = refused("odds", "--book", BONUS, "--shoe", "A:32 2:32 3:32")
    assert "suited" in said
    assert "Ah:8" in said
    cards = " ".join(f"{rank}{suit}:8" for rank in "A23456789TJQK" for suit in "shdc")
    by_cards = run("odds", "--book", BONUS, "--shoe", cards, "--json").json
    assert by_cards == run("odds", "bonus", "--book", BONUS, "--json").json


def test_a_row_that_the_shoe_cannot_show_has_no_expectation() -> None:
    data = run("odds", "tiger-buffalo", "--shoe", "9:20", "--insurance", "--json").json
    assert {row["ev"] for row in data["insurance"]} == {None}
    assert "cannot occur" in run("odds", "tiger-buffalo", "--shoe", "9:20", "--insurance").out


def test_a_shoe_far_beyond_64_bits() -> None:
    huge = " ".join(f"{rank}:999999999" for rank in "A23456789TJQK")
    data = run("odds", "super-six", "--shoe", huge, "--json").json
    assert data["bets"]["tie"]["edge"] == pytest.approx(0.1406, abs=0.01)


# --- roads ----------------------------------------------------------------------------------------------


def test_roads_keep_their_contract() -> None:
    assert run("roads", "BBPPPBPTP", "--json").json == {
        "bead": "BBPPPBPTP",
        "big_road": [[0, 0], [1, 0], [0, 1], [1, 1], [2, 1], [0, 2], [0, 3], [1, 3]],
        "big_eye_boy": "RBBBB",
        "small_road": "BR",
        "cockroach_pig": "R",
    }


def test_roads_of_a_young_shoe_are_empty() -> None:
    assert run("roads", "", "--json").json["big_road"] == []
    assert "Bead plate" in run("roads", "").out


def test_roads_for_people_take_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Cockroach Pig" in run("roads", "BBPTP").out
    assert run("roads", "BB(P)", "--no-free-hands", "--json").json["bead"] == "BB"
    assert run("roads", "BBB", "--rows", "2", "--json").json["big_road"] == [[0, 0], [1, 0], [1, 1]]
    assert run("roads", "BBBBBPPPPP", "--rows", "3", "--tail", "step", "--json").code == 0
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, run("roads", "BP" * 200).out.splitlines())) <= 80


# --- bad input ------------------------------------------------------------------------------------------

SETTLE = ("settle", "tiger-buffalo", "--cards", ROUND)

BAD = {
    "no such command": (["frob"], "there is no command 'frob'"),
    "no such option": (["games", "--frob"], "Unknown option"),
    "an argument too many": (["rules", "super-six", "tiger-buffalo"], "unexpected 'tiger-buffalo'"),
    "cards without quotes": (["deal", "super-six", "--cards", "9h", "4c"], "needs quotes"),
    "no game": (["rules"], "which game?"),
    "no such game": (["rules", "chemin-de-fer"], "no game 'chemin-de-fer'"),
    "an empty game": (["odds", ""], "no game ''"),
    "no such layout": (["rules", "super-six", "--layout", "Z"], "no layout 'Z'"),
    "a bet that the layout lacks": (
        [*SETTLE, "--layout", "M", "--bet", "big_tiger=1"],
        "no bet 'big_tiger' at layout M",
    ),
    "no cards option": (["settle", "super-six", "--bet", "tie=1"], "settle needs --cards"),
    "an option without its value": (["deal", "super-six", "--cards"], "--cards needs a value"),
    "an option twice": (["deal", "super-six", "--cards", "9h", "--cards", "4c"], "multiple times"),
    "cards that are none": (["deal", "super-six", "--cards", "9h 4x"], "card 2 cannot be read at '4x'"),
    "a card too few": (
        ["settle", "super-six", "--cards", "9h 4c 2d Ks", "--bet", "tie=1"],
        "not finished: after 4 cards",
    ),
    "a card too many": (
        ["settle", "super-six", "--cards", "9h 9c Kd Ks 2h", "--bet", "tie=1"],
        "1 card too many",
    ),
    "no cards at all": (
        ["settle", "super-six", "--cards", "", "--bet", "tie=1"],
        "not finished: after 0 cards",
    ),
    "no bet": ([*SETTLE], "settle needs --bet"),
    "a bet without =": ([*SETTLE, "--bet", "banker"], "write bet=amount"),
    "a bet without a code": ([*SETTLE, "--bet", "=5"], "write bet=amount"),
    "an empty bet": ([*SETTLE, "--bet", ""], "write bet=amount"),
    "a bet without an amount": ([*SETTLE, "--bet", "banker="], "is not an amount"),
    "no such bet": ([*SETTLE, "--bet", "bnaker=1"], "no bet 'bnaker'"),
    "an amount finer than a cent": ([*SETTLE, "--bet", "banker=0.005"], "finer than the minor unit"),
    "a negative amount": ([*SETTLE, "--bet", "banker=-5"], "negative"),
    "nothing staked": ([*SETTLE, "--bet", "banker=0"], "is nothing"),
    "an amount that is not a number": ([*SETTLE, "--bet", "banker=ten"], "is not an amount"),
    "an infinite amount": ([*SETTLE, "--bet", "banker=inf"], "is not an amount"),
    "an amount with an exponent": ([*SETTLE, "--bet", "banker=1e3"], "is not an amount"),
    "an amount in other digits": ([*SETTLE, "--bet", "banker=１０"], "is not an amount"),
    "an enormous amount": ([*SETTLE, "--bet", "banker=" + "9" * 5000], "at most 15 digits"),
    "a unit of nothing": ([*SETTLE, "--bet", "banker=1", "--unit", "0"], "--unit"),
    "no such rounding": ([*SETTLE, "--bet", "banker=1", "--rounding", "sideways"], "--rounding"),
    "decks below the book's range": (["odds", "tiger-buffalo", "--decks", "3"], "4 to 10 decks"),
    "decks above the book's range": (["odds", "super-six", "--decks", "9"], "4 to 8 decks"),
    "negative decks": (["odds", "super-six", "--decks", "-8"], "4 to 8 decks"),
    "half a deck": (["odds", "super-six", "--decks", "7.5"], "not a whole number"),
    "decks in hexadecimal": (["odds", "super-six", "--decks", "0x8"], "not a whole number"),
    "enormous decks": (["odds", "super-six", "--decks", "9" * 5000], "is too large"),
    "decks and a shoe": (["odds", "super-six", "--decks", "8", "--shoe", "A:32"], "not both"),
    "an empty shoe": (["odds", "super-six", "--shoe", ""], "empty shoe"),
    "a shoe too short": (["odds", "super-six", "--shoe", "A:2 K:2"], "too short"),
    "a shoe without counts": (["odds", "super-six", "--shoe", "A 2 3"], "is not a count"),
    "a negative count": (["odds", "super-six", "--shoe", "A:-1"], "is not a count"),
    "a rank counted twice": (["odds", "super-six", "--shoe", "A:1 A:2"], "twice"),
    "a shoe by ranks and by cards": (["odds", "super-six", "--shoe", "A:8 Kh:8"], "not by both"),
    "a card that the shoe lacks": (
        ["odds", "super-six", "--shoe", "A:32", "--cards", "9h"],
        "not in the shoe",
    ),
    "a finished round and more": (["odds", "super-six", "--cards", "9h9cKdKs2h"], "left over"),
    "results that are none": (["roads", "BBXP"], "position 3"),
    "no results": (["roads"], "roads needs RESULTS"),
    "no rows": (["roads", "B", "--rows", "0"], "1 to 100"),
    "a tower of rows": (["roads", "B", "--rows", "999999999"], "1 to 100"),
    "no such tail": (["roads", "B", "--tail", "left"], "--tail"),
    "no such book": (["games", "--book", "/no/such.toml"], "cannot be read"),
    "a folder for a book": (["rules", "--book", "/"], "cannot be read"),
    "an empty name for a book": (["rules", "--book", ""], "is empty"),
    "a name for a book that no file has": (["rules", "--book", "a\0b"], "cannot be read"),
    "another game than the book's": (["rules", "super-six", "--book", BONUS], "holds 'bonus'"),
}


@pytest.mark.parametrize(("arguments", "says"), BAD.values(), ids=BAD)
def test_bad_input_is_one_clear_message(arguments: list[str], says: str) -> None:
    assert says in refused(*arguments)


@pytest.mark.parametrize("command", ["rules", "deal", "settle", "decided", "odds", "games"])
def test_a_faulty_book_is_refused_everywhere_with_all_its_mistakes(command: str, tmp_path: Path) -> None:
    book = tmp_path / "mine.toml"
    book.write_text('id = "My Game"\n[decks]\nleast = 0\nmost = 8\nparagraph = "1"\n', encoding="utf-8")
    options = {"deal": ["--cards", ""], "settle": ["--cards", "", "--bet", "a=1"]}.get(command, [])
    said = refused(command, "--book", str(book), *options)
    assert str(book) in said
    for key in ("id:", "title:", "decks.least:", "bets:"):
        assert f"\n  {key}" in said


def test_an_unreadable_book_is_refused(tmp_path: Path) -> None:
    book = tmp_path / "mine.toml"
    book.write_bytes(b"id = '\xff\xfe'")
    assert "not UTF-8" in refused("rules", "--book", str(book))
    book.write_text("id = ", encoding="utf-8")
    assert "not TOML" in refused("rules", "--book", str(book))


def test_a_message_is_fit_for_a_terminal() -> None:
    said = refused("deal", "super-six", "--cards", "\x1b[2Jx" + "y" * 10_000)
    assert "\x1b" not in said
    assert len(said) < 1200
    assert "\n" not in refused("games", "--\nfrob")
    assert "\n" not in refused("odds", "super-six", "--decks", "8\n9")


garbage = st.text(max_size=30) | st.text("AaKkTt0129sShHdDcC:=.,-+ []{}\"'\\\n\0♠♥☃", max_size=30)
helpful = {"-h", "--help", "--version"}
values = garbage.filter(lambda text: text.strip() not in helpful)


@settings(max_examples=80, deadline=None)
@given(values)
@example("9h" * 500)
@example("--json")
def test_any_cards_are_dealt_or_refused(text: str) -> None:
    ran = run("deal", "super-six", "--cards", text)
    assert ran.code == 0 or refused("deal", "super-six", "--cards", text)


@settings(max_examples=80, deadline=None)
@given(values, values)
def test_any_wager_is_settled_or_refused(cards: str, bet: str) -> None:
    refused("settle", "super-six", "--cards", cards, "--bet", bet)
    ran = run("settle", "super-six", "--cards", ROUND, "--bet", bet)
    assert ran.code == 0 or refused("settle", "super-six", "--cards", ROUND, "--bet", bet)


@settings(max_examples=60, deadline=None)
@given(values, st.integers(-(10**40), 10**40).map(str) | values)
def test_any_shoe_is_counted_or_refused(shoe: str, decks: str) -> None:
    assert run("odds", "super-six", "--shoe", shoe, "--json").code == 0 or refused(
        "odds", "super-six", "--shoe", shoe, "--json"
    )
    if decks.strip() not in {"4", "5", "6", "7", "8"}:
        ran = run("odds", "super-six", "--decks", decks, "--json")
        assert ran.code == 0 or refused("odds", "super-six", "--decks", decks, "--json")


@settings(max_examples=80, deadline=None)
@given(values | st.text("BPTV^_*() bpt,"))
def test_any_results_are_drawn_or_refused(text: str) -> None:
    assert run("roads", text).code == 0 or refused("roads", text)
    assert run("roads", text, "--json").code == run("roads", text).code


@settings(max_examples=80, deadline=None)
@given(st.lists(garbage | st.sampled_from(["games", "odds", "--json", "--cards", "--bet", "super-six"]), max_size=5))
def test_any_command_line_works_or_is_refused(arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code == 0 or refused(*arguments)


# --- how it looks ---------------------------------------------------------------------------------------

LOOKS = [
    *(["rules", game] for game in GAMES),
    *(["odds", game, "--insurance"] for game in GAMES),
    ["rules", "--book", BONUS],
    ["odds", "--book", BONUS],
    ["games"],
    ["deal", "rws-baccarat", "--cards", "9h 4c 2d Ks 3c 4d 5h"],
    ["decided", "rws-baccarat", "--cards", "9h 4c 2d"],
    [
        "settle",
        "rws-baccarat",
        "--cards",
        ROUND,
        "--bet",
        "player=9999.99",
        "--bet",
        "any_tie=9999999",
    ],
]


@pytest.mark.parametrize("columns", [80, 140])
@pytest.mark.parametrize("arguments", LOOKS, ids=" ".join)
def test_tables_fit_the_terminal(arguments: list[str], columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = run(*arguments).out
    assert max(map(cell_len, shown.splitlines())) <= columns
    assert "…" not in shown


@pytest.mark.parametrize("columns", ["1", "79", "80", "140"])
@pytest.mark.parametrize("game", GAMES)
def test_no_figure_is_ever_cut(game: str, columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    shown = run("odds", game, "--insurance").out
    data = run("odds", game, "--insurance", "--json").json
    for bet in data["bets"].values():
        assert f" {percent(bet['edge'])} " in shown
        assert f"{bet['sd']:.3f}" in shown
    for row in data["insurance"]:
        assert f"{percent(-Fraction(row['ev']))}\n" in shown


def test_amounts_wider_than_the_terminal_are_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    wagers = [f"--bet={code}=999999999999.99" for code in ("player", "any_tie", "player_wins_on_8")]
    shown = run("settle", "rws-baccarat", "--cards", ROUND, *wagers).out
    for whole in ("2999999999999.97", "+5999999999999.94", "6999999999999.93", "together", "paragraph"):
        assert whole in shown


def test_the_words_of_a_book_are_shown_as_they_are(tmp_path: Path) -> None:
    book = tmp_path / "mine.toml"
    text = Path(BONUS).read_text(encoding="utf-8")
    book.write_text(text.replace('"Bonus Baccarat"', '"[/bold] :heart: [red]x"').replace('"Big"', '"[Big]"'), "utf-8")
    assert "[/bold] :heart: [red]x" in run("games", "--book", str(book)).out
    assert "[/bold] :heart: [red]x" in run("rules", "--book", str(book)).out
    assert "[Big]" in run("odds", "--book", str(book)).out
    settled = run("settle", "--book", str(book), "--cards", ROUND, "--bet", "big=1")
    assert "[Big]" in settled.out


def test_several_odds_in_short() -> None:
    def words(*odds: str) -> str:
        return odds_words(map(Odds.parse, odds))

    assert words("8 to 1") == "8 to 1"
    assert words("10 to 1", "15 to 1", "50 to 1") == "10 / 15 / 50 to 1"
    assert words("1 to 2", "1 to 1") == "1 to 2, 1 to 1"
    assert words("6 to 1", "6 to 1") == "6 to 1"


def test_ranges_of_numbers() -> None:
    assert ranges([]) == ""
    assert ranges([1, 2, 3, 10, 11, 13]) == "1–3, 10–11, 13"


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ({"winner": ("tie",)}, "tie"),
        ({"winner": ("player", "banker")}, "Player wins or Banker wins"),
        (
            {"winner": ("banker",), "banker_total": (6,), "banker_cards": (3,)},
            "Banker wins on 6 with 3 cards",
        ),
        ({"winner": ("player",), "player_total": (7,), "banker_total": (6,)}, "Player wins on 7 against 6"),
        ({"winner": ("tie",), "banker_total": (1, 2, 3, 7)}, "tie on 1–3, 7"),
        ({"pair": ("player", "banker")}, "exactly one pair"),
        ({"pair": ("both", "twin")}, "two pairs of different ranks or two pairs of one rank"),
        ({"pairs": (0,)}, "no pairs"),
        ({"pairs": (1, 2)}, "1 or 2 pairs"),
        ({"suited_pairs": (1,)}, "1 suited pair"),
        ({"player_natural": (False,), "cards": (4,)}, "no Player natural, 4 cards in all"),
        ({"player_pair": (False, True), "margin": (4, 5)}, "4–5 points apart"),
    ],
)
def test_conditions_in_words(when: dict[str, Any], words: str) -> None:
    assert condition_words(when) == words


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("odds super-six --decks 99999999999999999999999", "is played with 4 to 8 decks (super-six 2.2.1)"),
        (f"odds super-six --decks {'9' * 2000}", "--decks: a number of 2000 digits is too large"),
        ("roads PB --rows 99999999999", "--rows: 99999999999 is not from 1 to 100"),
        ("odds super-six --shoe A:99999999999", "'A:99999999999' is too large: a count has at most 9 digits"),
        (
            "settle super-six --cards 9hKc4d2s5c4h --bet banker=9999999999999999",
            "--bet banker: '9999999999999999' is too large: an amount has at most 15 digits before the point",
        ),
        ("serve --port eighty", "--port: 'eighty' is not a whole number"),
        ("demo --pace fast", "--pace: 'fast' is not a number"),
        ("games --json=perhaps", "--json: 'perhaps' is neither true nor false"),
    ],
)
def test_a_number_that_does_not_fit_is_told_why(arguments: str, says: str) -> None:
    assert says in refused(*arguments.split())


@pytest.mark.parametrize(
    "arguments",
    [
        *(("run", ""), ("verify", ""), ("history", ""), ("report", ""), ("schema", "-o", ""), ("new-key", "")),
        *(("games", "--book", ""), ("rules", "--book", ""), ("verify", "x", "--key", ""), ("export", "", "T1")),
        *(("run", "x", "--log", ""), ("report", "x", "--html", ""), ("report", "x", "--csv", "")),
        *(("backup", "", "x"), ("backup", "x", ""), ("restore", "", "x"), ("restore", "x", "")),
    ],
    ids=" ".join,
)
def test_a_name_that_is_empty_is_told(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a variable of a shell makes it that is not set."""
    monkeypatch.chdir(tmp_path)
    assert refused(*arguments).endswith("the name of the file is empty")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("feature", FEATURES.values(), ids=FEATURES)
def test_every_condition_has_words(feature: Any) -> None:
    for value in feature.values:
        assert condition_words({feature.name: (value,)})
        for winner in ("player", "banker", "tie"):
            assert condition_words({"winner": (winner,), feature.name: (value,)})


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], *([name, "--help"] for name in (
    "games", "rules", "deal", "settle", "decided", "odds", "roads"))], ids=" ".join)  # fmt: skip
def test_every_command_has_help(arguments: list[str]) -> None:
    ran = run(*arguments)
    assert ran.code == 0
    assert "Usage: puntobanco" in ran.out
    assert ran.err == ""


# --- the installed program ------------------------------------------------------------------------------


def program(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [PROGRAM, *arguments], capture_output=True, env=os.environ | environment, timeout=limit(), check=False
    )


def test_the_program_runs() -> None:
    ran = program("settle", "super-six", "--cards", ROUND, "--bet", "player=5", "--json")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert json.loads(ran.stdout)["winner"] == "player"


def test_the_program_refuses() -> None:
    ran = program("settle", "super-six", "--cards", ROUND, "--bet", "player=nan")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"puntobanco: --bet player: 'nan' is not an amount")


def test_the_program_takes_bytes_that_are_no_text() -> None:
    command = [os.fsencode(PROGRAM), b"deal", b"super-six", b"--cards", b"\xff\xfe"]
    ran = subprocess.run(command, capture_output=True, timeout=limit(), check=False)
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize(
    "options", [["rules", "tiger-buffalo"], ["rules", "tiger-buffalo", "--json"], ["--help"], ["odds", "--help"]]
)
def test_a_reader_who_leaves_early_is_no_error(options: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        ran = subprocess.run([PROGRAM, *options], stdout=writer, stderr=subprocess.PIPE, timeout=limit(), check=False)
    finally:
        os.close(writer)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("options", [["games"], ["games", "--json"]])
def test_a_full_disk_is_told(options: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        ran = subprocess.run([PROGRAM, *options], stdout=full, stderr=subprocess.PIPE, timeout=limit(), check=False)
    assert ran.returncode == 1
    assert ran.stderr.startswith(b"puntobanco: the output cannot be written")
    assert b"Traceback" not in ran.stderr


def closed(streams: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The program as a shell runs it with streams closed."""
    command = f'exec "$@" {streams}'
    return subprocess.run(
        ["sh", "-c", command, "sh", str(PROGRAM), *arguments], capture_output=True, timeout=limit(), check=False
    )


@pytest.mark.parametrize("options", [["games"], ["games", "--json"], ["--help"], ["--version"]])
def test_an_output_that_is_closed_is_told(options: list[str]) -> None:
    ran = closed(">&-", *options)
    assert (ran.returncode, ran.stdout) == (1, b"")
    assert ran.stderr == b"puntobanco: the output cannot be written: Bad file descriptor\n"


def test_who_prints_nothing_needs_no_output(tmp_path: Path) -> None:
    ran = closed(">&-", "schema", "-o", str(tmp_path / "schema.json"))
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert (tmp_path / "schema.json").stat().st_size > 1000


def test_a_complaint_that_nobody_hears_is_no_output() -> None:
    ran = closed("2>&-", "odds", "nothing")
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, b"", b"")
    assert closed(">&- 2>&-", "games").returncode == 1


def test_an_input_that_is_closed_is_empty() -> None:
    ran = closed("<&-", "run", "-")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"puntobanco: -: there is no history in it")


def test_a_terminal_without_card_suits_gets_something_readable() -> None:
    ran = program("deal", "super-six", "--cards", "9h 9c Kd Ks", PYTHONIOENCODING="ascii")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert b"9? K?" in ran.stdout
    found = program("games", "--json", PYTHONIOENCODING="ascii")
    assert json.loads(found.stdout)[0]["game"] == GAMES[0]
