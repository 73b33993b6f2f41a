"""The book files: what the six games say, and every kind of mistake a file can hold, told with its key."""

from __future__ import annotations

import copy
import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from puntobanco.bets import Result, decided, payoffs, settle
from puntobanco.cards import Side, parse_cards
from puntobanco.coup import Coup, deal_finished
from puntobanco.insurance import rows_open
from puntobanco.rules.geometry import geometry_of
from puntobanco.rules.load import GAMES, find_book, load_book, parse_book
from puntobanco.rules.model import NO_RANK, USUAL_RANKS, Authority, RuleBook, UnknownName
from puntobanco.rules.policies import PLAIN
from puntobanco.rules.read import BookError

# --- a small writer of TOML, so that tests can change a book and read it again ----------------------


def write(value: object) -> str:
    """A value as TOML, tables in line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return f"[{', '.join(map(write, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{write(key)} = {write(item)}' for key, item in value.items())} }}"
    return str(value)


def document(data: dict[str, Any]) -> str:
    return "".join(f"{write(key)} = {write(value)}\n" for key, value in data.items())


def text_of(game: str) -> str:
    return (resources.files("puntobanco.rules") / "books" / f"{game}.toml").read_text(encoding="utf-8")


def data_of(game: str) -> dict[str, Any]:
    return tomllib.loads(text_of(game))


BOOK: dict[str, Any] = {
    "id": "house-game",
    "title": "House Game",
    "decks": {"least": 6, "most": 8, "paragraph": "2.1"},
    "bets": [
        {
            "code": "player",
            "hand": "player",
            "paragraph": "1.1",
            "pays": [{"odds": "1 to 1", "when": {"winner": "player"}, "paragraph": "4.1"}],
            "returns": [{"when": {"winner": "tie"}, "paragraph": "4.2"}],
        },
        {
            "code": "lucky",
            "name": "Lucky",
            "paragraph": "1.2",
            "pays": [
                {"name": "low", "odds": "3 to 2", "when": {"banker_total": [1, 2]}, "paragraph": "4.3"},
                {
                    "name": "high",
                    "odds": "9 to 1",
                    "when": {"banker_total": 9, "cards": 4},
                    "paragraph": "4.3",
                },
            ],
        },
    ],
    "layouts": [
        {"code": "A", "positions": "1-6 10", "paragraph": "5.1", "insurance": True},
        {"code": "B", "positions": "7", "paragraph": "5.2", "bets": ["player"], "language": "zh"},
    ],
    "insurance": {
        "paragraph": "6.1",
        "offer": "6.2",
        "windows": "6.3",
        "hands": "6.4",
        "cap": "6.5",
        "tie": "6.6",
        "caps": [{"odds": "10 to 1", "of_maximum": "1/4", "paragraph": "6.5"}],
        "rows": [
            {
                "window": "four_cards",
                "hand": "player",
                "own": [6, 7],
                "other": [0, 1],
                "odds": "5 to 2",
                "paragraph": "6.1",
            },
            {
                "window": "player_third",
                "hand": "player",
                "own": [9],
                "other": [0],
                "odds": "10 to 1",
                "paragraph": "6.1",
                "tie_pays": "6.7",
            },
        ],
    },
}


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    data = copy.deepcopy(BOOK)
    change(data)
    return document(data)


def problems(text: str) -> dict[str, str]:
    """The mistakes of a file, by key."""
    with pytest.raises(BookError) as error:
        parse_book(text, "house.toml")
    found = error.value
    of_the_file = len(found.problems) == 1 and not found.problems[0].key
    assert str(found).startswith("house.toml is" if of_the_file else f"house.toml: {len(found.problems)} mistake")
    assert all(str(problem) in str(found) for problem in found.problems)
    by_key = {problem.key: problem.message for problem in found.problems}
    assert len(by_key) == len(found.problems)
    return by_key


# --- a good file ------------------------------------------------------------------------------------


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(document(BOOK), encoding="utf-8")
    book = load_book(file)
    assert book == load_book(str(file)) == parse_book(document(BOOK))
    assert (book.id, book.title, book.casino, book.version) == ("house-game", "House Game", "", "")
    assert (book.decks.least, book.decks.most, book.decks.default) == (6, 8, 8)
    assert list(book.bets) == ["player", "lucky"]
    assert book.bets["player"].name == "Player"
    assert book.bets["player"].hand is Side.PLAYER
    assert book.bets["lucky"].hand is None
    assert book.layouts["A"].bets == ("player", "lucky")
    assert book.layouts["A"].positions == (1, 2, 3, 4, 5, 6, 10)
    assert (book.layouts["A"].name, book.layouts["A"].language) == ("Layout A", "en")
    assert (book.layouts["B"].bets, book.layouts["B"].positions) == (("player",), (7,))
    assert book.layouts["B"].insurance is False
    assert book.cite("4.1") == "house-game 4.1"
    assert not book.suited
    won, lost = settle(book, deal_finished(parse_cards("Ks Kh 9d 2h")), {"player": 100, "lucky": 100})
    assert (won.profit, lost.profit) == (100, 150)
    assert rows_open(book, Coup.parse("P Ks7d B KhQh")).player is not None


def test_the_least_a_file_must_say() -> None:
    book = parse_book(
        document({key: BOOK[key] for key in ("id", "title")})
        + 'decks = { least = 1, most = 2, paragraph = "1" }\n'
        + 'bets = [{ code = "tie", paragraph = "2", pays = '
        + '[{ odds = "8 to 1", when = { winner = "tie" }, paragraph = "3" }] }]'
    )
    assert book.decks.default == 2
    assert book.insurance is None
    assert not list(book.procedures.covered)
    assert not list(book.irregularities.covered)
    assert book.policies == PLAIN
    assert (book.uncovered.rank, book.uncovered.paragraph) == ("shift_manager", "")
    (layout,) = book.layouts.values()
    assert (layout.code, layout.bets, layout.positions) == ("A", ("tie",), (1, 2, 3, 4, 5, 6, 7))
    assert book.layout("a") == book.layout("A") == layout
    assert book.layout(None) is None


def test_suited_pairs() -> None:
    """A bet of another house: either hand opens with the same card twice, or both do."""
    perfect = {
        "code": "perfect_pair",
        "paragraph": "1.3",
        "pays": [
            {"odds": "25 to 1", "when": {"suited_pairs": 1}, "paragraph": "4.4"},
            {"odds": "200 to 1", "when": {"suited_pairs": 2}, "paragraph": "4.4"},
        ],
    }
    data = {"features": ["suited"], **BOOK, "bets": [*BOOK["bets"], perfect]}
    book = parse_book(document(data))
    assert book.suited

    def profit(cards: str) -> int:
        (wager,) = settle(book, deal_finished(parse_cards(cards)), {"perfect_pair": 1})
        return wager.profit

    assert profit("4s 9h 4s Kd") == 25
    assert profit("4s 9h 4h Kd") == -1
    assert profit("4s 9h 4s 9h") == 200
    assert profit("4s 9h 4s 9c") == 25
    assert profit("4s 4h 4s 4h") == 200
    early = decided(book, Coup.parse("P 4s4s B 9h")).bets
    assert early["perfect_pair"] is Result.WON
    assert "perfect_pair" not in decided(book, Coup.parse("P 4s4h B 9h")).bets
    del data["features"]
    assert problems(document(data)) == {
        f"bets[2] (perfect_pair).pays[{line}].when.suited_pairs": (
            'needs suits in the outcome space: add features = ["suited"] at the top of the file'
        )
        for line in (0, 1)
    }


# --- every kind of mistake --------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], object]


def put(*path: str | int, to: object) -> Change:
    """Put a value at a place of the book."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = to

    return change


def cut(*path: str | int) -> Change:
    """Take away what stands at a place of the book."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return change


def line(**parts: object) -> dict[str, object]:
    return {"odds": "1 to 1", "when": {"winner": "tie"}, "paragraph": "9"} | parts


LOW = ("bets", 1, "pays", 0)
LOW_KEY = "bets[1] (lucky).pays[0] (low)"
ROW = ("insurance", "rows", 0)
ROW_KEY = "insurance.rows[0]"

MISTAKES: dict[str, tuple[Change, str, str]] = {
    # unknown keys, at every depth
    "unknown key": (put("titel", to="x"), "titel", "unknown key; did you mean title?"),
    "unknown key far off": (put("zzz", to=1), "zzz", "unknown key; known are arrangements, authority, bets, casino"),
    "unknown key meant for a part left out": (put("insurence", to=1), "insurence", "did you mean insurance?"),
    "currency misspelt": (put("currency", to="SGX"), "currency", "'SGX' is not a currency; did you mean "),
    "currency in lower case": (put("currency", to="hkd"), "currency", "'hkd' is not a currency; did you mean HKD?"),
    "currency as a sign": (put("currency", to="$$$"), "currency", "is not a currency: write its code, as in SGD"),
    "currency as a number": (put("currency", to=5), "currency", "expected the code of a currency, as in SGD"),
    "in decks": (put("decks", "lest", to=4), "decks.lest", "unknown key; did you mean least?"),
    "in a bet": (put("bets", 1, "pay", to=4), "bets[1] (lucky).pay", "unknown key; did you mean pays?"),
    "in a bet without it": (put("bets", 1, "hands", to="x"), "bets[1] (lucky).hands", "did you mean hand?"),
    "in a pay line": (put(*LOW, "odd", to="x"), f"{LOW_KEY}.odd", "unknown key; did you mean odds?"),
    "in a return line": (
        put("bets", 0, "returns", 0, "odds", to="1 to 1"),
        "bets[0] (player).returns[0].odds",
        "unknown key; known are paragraph, when",
    ),
    "in a condition": (
        put(*LOW, "when", "winer", to="tie"),
        f"{LOW_KEY}.when.winer",
        "unknown feature; did you mean winner?",
    ),
    "in a layout": (put("layouts", 0, "bet", to=[]), "layouts[0] (A).bet", "unknown key; did you mean bets?"),
    "in insurance": (put("insurance", "ties", to="x"), "insurance.ties", "did you mean tie?"),
    "in an insurance row": (put(*ROW, "tie_pay", to="x"), f"{ROW_KEY}.tie_pay", "did you mean tie_pays?"),
    "in an insurance cap": (put("insurance", "caps", 0, "to", to=1), "insurance.caps[0].to", "unknown key"),
    # missing ones
    "no id": (cut("id"), "id", "missing; expected an id in lower case"),
    "no title": (cut("title"), "title", "missing; expected the name of the game"),
    "no decks": (cut("decks"), "decks", "missing; expected a table"),
    "no least": (cut("decks", "least"), "decks.least", "missing; expected a whole number from 1 to 10"),
    "no bets": (cut("bets"), "bets", "missing; expected an array of tables"),
    "no code": (cut("bets", 1, "code"), "bets[1].code", "missing; expected a code in snake case"),
    "no paragraph": (
        cut("bets", 1, "paragraph"),
        "bets[1] (lucky).paragraph",
        "missing; expected the number of the paragraph",
    ),
    "no pays": (cut("bets", 1, "pays"), "bets[1] (lucky).pays", "missing; expected an array of tables"),
    "no odds": (cut(*LOW, "odds"), f"{LOW_KEY}.odds", "missing; expected odds, as in 50 to 1"),
    "no when": (cut(*LOW, "when"), f"{LOW_KEY}.when", "missing; expected a table"),
    "no positions": (
        cut("layouts", 0, "positions"),
        "layouts[0] (A).positions",
        "missing; expected numbers of positions",
    ),
    "no rows": (cut("insurance", "rows"), "insurance.rows", "missing; expected an array of tables"),
    "no own": (cut(*ROW, "own"), f"{ROW_KEY}.own", "missing; expected a list of points from 0 to 9"),
    "no window": (
        cut(*ROW, "window"),
        f"{ROW_KEY}.window",
        "missing; expected one of four_cards, player_third",
    ),
    # empty ones
    "empty id": (
        put("id", to=""),
        "id",
        "expected an id in lower case with hyphens, as in my-game, found an empty one",
    ),
    "empty bets": (put("bets", to=[]), "bets", "expected at least one table, found an empty list"),
    "empty pays": (put("bets", 0, "pays", to=[]), "bets[0] (player).pays", "expected at least one table"),
    "empty layouts": (put("layouts", to=[]), "layouts", "expected at least one table"),
    "empty layout": (
        put("layouts", 0, "bets", to=[]),
        "layouts[0] (A).bets",
        "expected a list of bet codes, found []",
    ),
    "empty rows": (put("insurance", "rows", to=[]), "insurance.rows", "expected at least one table"),
    "empty condition": (put(*LOW, "when", to={}), f"{LOW_KEY}.when", "expected at least one condition"),
    "empty values": (
        put(*LOW, "when", "cards", to=[]),
        f"{LOW_KEY}.when.cards",
        "expected at least one value",
    ),
    "empty positions": (
        put("layouts", 0, "positions", to="  "),
        "layouts[0] (A).positions",
        "expected numbers of positions",
    ),
    # of the wrong type
    "id a number": (
        put("id", to=7),
        "id",
        "expected an id in lower case with hyphens, as in my-game, found 7",
    ),
    "decks a number": (put("decks", to=8), "decks", "expected a table, found 8"),
    "least a text": (
        put("decks", "least", to="4"),
        "decks.least",
        "expected a whole number from 1 to 10, found '4'",
    ),
    "least a truth": (
        put("decks", "least", to=True),
        "decks.least",
        "expected a whole number from 1 to 10, found True",
    ),
    "least a float": (
        put("decks", "least", to=4.0),
        "decks.least",
        "expected a whole number from 1 to 10, found 4.0",
    ),
    "bets a table": (put("bets", to={}), "bets", "expected an array of tables, found {}"),
    "a bet a text": (put("bets", 1, to="tie"), "bets[1]", "expected a table, found 'tie'"),
    "odds a number": (put(*LOW, "odds", to=8), f"{LOW_KEY}.odds", "expected odds, as in 50 to 1, found 8"),
    "when a text": (put(*LOW, "when", to="tie"), f"{LOW_KEY}.when", "expected a table, found 'tie'"),
    "points a text": (
        put(*LOW, "when", "banker_total", to="6"),
        f"{LOW_KEY}.when.banker_total",
        "expected 0, 1, 2, 3",
    ),
    "points a truth": (
        put(*LOW, "when", "banker_total", to=True),
        f"{LOW_KEY}.when.banker_total",
        "found True",
    ),
    "truth a number": (
        put(*LOW, "when", "player_pair", to=1),
        f"{LOW_KEY}.when.player_pair",
        "expected false, true, or a list",
    ),
    "points a list of lists": (put(*LOW, "when", "cards", to=[[4]]), f"{LOW_KEY}.when.cards", "found [4]"),
    "points a table": (put(*LOW, "when", "cards", to={"a": 1}), f"{LOW_KEY}.when.cards", "found {'a': 1}"),
    "insurance a truth": (put("insurance", to=True), "insurance", "expected a table, found True"),
    "insured a text": (
        put("layouts", 0, "insurance", to="yes"),
        "layouts[0] (A).insurance",
        "expected true or false, found 'yes'",
    ),
    "own a number": (
        put(*ROW, "own", to=5),
        f"{ROW_KEY}.own",
        "expected a list of points from 0 to 9, found 5",
    ),
    "own truths": (
        put(*ROW, "own", to=[True]),
        f"{ROW_KEY}.own",
        "expected a list of points from 0 to 9, found [True]",
    ),
    "features a text": (
        put("features", to="suited"),
        "features",
        "expected a list of added features, found 'suited'",
    ),
    # out of range, or not among the choices
    "too many decks": (
        put("decks", "most", to=11),
        "decks.most",
        "expected a whole number from 6 to 10, found 11",
    ),
    "most under least": (
        put("decks", "most", to=5),
        "decks.most",
        "expected a whole number from 6 to 10, found 5",
    ),
    "default outside": (
        put("decks", "default", to=9),
        "decks.default",
        "expected a whole number from 6 to 8, found 9",
    ),
    "no such points": (put(*LOW, "when", "banker_total", to=10), f"{LOW_KEY}.when.banker_total", "found 10"),
    "no such winner": (
        put(*LOW, "when", "winner", to="house"),
        f"{LOW_KEY}.when.winner",
        "expected player, banker, tie, or a list of those, found 'house'",
    ),
    "no such hand": (
        put("bets", 1, "hand", to="house"),
        "bets[1] (lucky).hand",
        "expected one of player, banker, found 'house'",
    ),
    "no such window": (
        put(*ROW, "window", to="six_cards"),
        f"{ROW_KEY}.window",
        "expected one of four_cards, player_third",
    ),
    "no such own": (
        put(*ROW, "own", to=[10]),
        f"{ROW_KEY}.own",
        "expected a list of points from 0 to 9, found [10]",
    ),
    "no such other": (
        put(*ROW, "other", to=[-1]),
        f"{ROW_KEY}.other",
        "expected a list of points from 0 to 9, found [-1]",
    ),
    "no such language": (
        put("layouts", 0, "language", to="fr"),
        "layouts[0] (A).language",
        "expected one of en, zh, found 'fr'",
    ),
    "no such feature": (
        put("features", to=["suits"]),
        "features",
        "unknown feature 'suits'; known are suited",
    ),
    "no such share": (
        put("insurance", "caps", 0, "of_maximum", to="5/4"),
        "insurance.caps[0].of_maximum",
        "expected a share of at most 1",
    ),
    "a share of nothing": (
        put("insurance", "caps", 0, "of_maximum", to="1/0"),
        "insurance.caps[0].of_maximum",
        "expected a share",
    ),
    # badly written
    "id in capitals": (put("id", to="My Game"), "id", "expected lower-case words joined by hyphens"),
    "code with hyphen": (
        put("bets", 1, "code", to="big-tiger"),
        "bets[1] (big-tiger).code",
        "expected lower-case words joined by underscores",
    ),
    "layout in lower case": (
        put("layouts", 0, "code", to="a"),
        "layouts[0] (a).code",
        "expected up to eight capitals and digits",
    ),
    "odds with a colon": (
        put(*LOW, "odds", to="8:1"),
        f"{LOW_KEY}.odds",
        "'8:1' is not odds: write two positive numbers",
    ),
    "odds of nothing": (put(*LOW, "odds", to="0 to 1"), f"{LOW_KEY}.odds", "'0 to 1' is not odds"),
    "insurance odds": (put(*ROW, "odds", to="5/2"), f"{ROW_KEY}.odds", "'5/2' is not odds"),
    "cap odds": (
        put("insurance", "caps", 0, "odds", to="ten"),
        "insurance.caps[0].odds",
        "'ten' is not odds",
    ),
    "positions backwards": (
        put("layouts", 0, "positions", to="6-1"),
        "layouts[0] (A).positions",
        "expected numbers of positions, as in 1-6 or 1-6 10-16, found '6-1'",
    ),
    "positions from zero": (
        put("layouts", 0, "positions", to="0-6"),
        "layouts[0] (A).positions",
        "found '0-6'",
    ),
    "positions half right": (
        put("layouts", 0, "positions", to="1-6 x"),
        "layouts[0] (A).positions",
        "found '1-6 x'",
    ),
    # contradictions
    "impossible": (
        put(*LOW, "when", to={"winner": "player", "player_total": 0}),
        f"{LOW_KEY}.when",
        "impossible: no coup can end like this",
    ),
    "impossible by the Table of Play": (
        put(*LOW, "when", to={"banker_total": 5, "banker_cards": 2, "player_cards": 2, "player_total": [6, 7]}),
        f"{LOW_KEY}.when",
        "impossible: no coup can end like this",
    ),
    "impossible return": (
        put("bets", 0, "returns", 0, "when", to={"cards": 4, "player_cards": 3}),
        "bets[0] (player).returns[0].when",
        "impossible",
    ),
    "overlap": (
        put("bets", 1, "pays", 1, "when", to={"banker_total": [2, 3]}),
        "bets[1] (lucky).pays[1] (high).when",
        "overlaps pays[0] (low): both hold when Player has",
    ),
    "overlap with a return": (
        put("bets", 0, "returns", 0, "when", to={"banker_total": 3}),
        "bets[0] (player).returns[0].when",
        "overlaps pays[0]: both hold when Player has",
    ),
    "overlapping insurance": (
        put(
            "insurance",
            "rows",
            1,
            to=copy.deepcopy(BOOK["insurance"]["rows"][0]) | {"own": [7], "other": [1, 2]},
        ),
        "insurance.rows[1]",
        "overlaps rows[0]: both cover own 7 against 1",
    ),
    "suits": (
        put(*LOW, "when", "player_suited_pair", to=True),
        f"{LOW_KEY}.when.player_suited_pair",
        "needs suits",
    ),
    "unknown bet on a layout": (
        put("layouts", 1, "bets", to=["playr"]),
        "layouts[1] (B).bets",
        "unknown bet 'playr'; did you mean player?",
    ),
    "insured layout without insurance": (
        cut("insurance"),
        "layouts[0] (A).insurance",
        "the book has no [insurance]",
    ),
    # twice
    "bet twice": (put("bets", 1, "code", to="player"), "bets[1] (player).code", "player is there twice"),
    "hand twice": (
        put("bets", 1, "hand", to="player"),
        "bets[1] (lucky).hand",
        "player is already the bet on that hand",
    ),
    "layout twice": (put("layouts", 1, "code", to="A"), "layouts[1] (A).code", "A is there twice"),
    "bet twice on a layout": (
        put("layouts", 1, "bets", to=["player", "player"]),
        "layouts[1] (B).bets",
        "expected each once",
    ),
    "value twice": (
        put(*LOW, "when", "banker_total", to=[1, 1]),
        f"{LOW_KEY}.when.banker_total",
        "expected each once, found [1, 1]",
    ),
    "points twice": (put(*ROW, "own", to=[6, 6]), f"{ROW_KEY}.own", "expected each once"),
}


@pytest.mark.parametrize(("change", "key", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake(change: Change, key: str, message: str) -> None:
    """One mistake in an otherwise good file is one line, with its key and what was expected."""
    found = problems(changed(change))
    assert message in found.pop(key)
    assert not found


def test_all_mistakes_are_told_at_once() -> None:
    def change(data: dict[str, Any]) -> None:
        data["titel"] = data.pop("title")
        data["decks"]["least"] = 0
        data["bets"][0]["pays"][0]["odds"] = "evens"
        data["bets"][0]["pays"][0]["paragraf"] = data["bets"][0]["pays"][0].pop("paragraph")
        data["bets"][1]["pays"][0]["when"] = {"banker_total": 99, "winer": "tie"}
        data["layouts"][1]["bets"] = ["lucky", "unlucky"]
        data["insurance"]["rows"][0] |= {"own": [12], "other": [-1], "odds": "x", "windo": 1}

    assert list(problems(changed(change))) == [
        "bets[0] (player).pays[0].odds",
        "bets[0] (player).pays[0].paragraph",
        "bets[0] (player).pays[0].paragraf",
        "bets[1] (lucky).pays[0] (low).when.banker_total",
        "bets[1] (lucky).pays[0] (low).when.winer",
        "insurance.rows[0].own",
        "insurance.rows[0].other",
        "insurance.rows[0].odds",
        "insurance.rows[0].windo",
        "title",
        "decks.least",
        "layouts[1] (B).bets",
        "titel",
    ]


def test_an_empty_file_lacks_what_a_book_needs() -> None:
    assert set(problems("")) == {"id", "title", "decks", "bets"}


def test_the_message() -> None:
    with pytest.raises(BookError) as error:
        parse_book(changed(put("titel", to="x")), "my.toml")
    assert str(error.value) == "my.toml: 1 mistake\n  titel: unknown key; did you mean title?"
    assert error.value.file == "my.toml"


@pytest.mark.parametrize(
    "text",
    [
        "id = ",
        "id = 'a'\nid = 'b'",
        "[decks\n",
        "\x00",
        "id = 'a\n'",
        "a = 2025-02-30",
        "a = " + "1" * 5000,
        "a = " + "[" * 5000,
    ],
    ids=[
        "no value",
        "twice",
        "half a table",
        "nul",
        "line break",
        "no date",
        "endless number",
        "endless nesting",
    ],
)
def test_no_toml(text: str) -> None:
    assert problems(text)[""].startswith("is not TOML: ")


@pytest.mark.parametrize(
    "value",
    ["0x" + "f" * 5000, "[" * 50 + "]" * 50, "inf", "nan", "1979-05-27T07:32:00Z", "'" + "x" * 5000 + "'"],
    ids=["endless number", "deep list", "infinity", "no number", "date", "endless text"],
)
@pytest.mark.parametrize("key", BOOK)
def test_values_that_are_hard_to_show(key: str, value: str) -> None:
    found = problems(f"{key} = {value}")
    assert len(found.get(key, "")) < 250
    assert len(found) <= 5


def test_a_value_too_deep_to_show() -> None:
    found = problems("a" + ".a" * 3000 + " = 1\nid" + ".a" * 3000 + " = 1")
    assert found["id"].endswith("found something too large to show")


def test_a_long_value_is_cut_short() -> None:
    assert problems(changed(put("decks", to="x" * 5000)))["decks"] == f"expected a table, found '{'x' * 98}…"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    def message(path: Path | str) -> str:
        with pytest.raises(BookError) as error:
            load_book(path)
        assert error.value.file == str(path)
        (problem,) = error.value.problems
        return str(problem)

    assert message(tmp_path / "none.toml") == "cannot be read: No such file or directory"
    assert message(tmp_path).startswith("cannot be read: ")
    assert message(f"{tmp_path}/a\x00b").startswith("cannot be read: ")
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'title = "Ti\xeager"')
    assert message(latin) == "is not UTF-8 text (byte 11)"
    broken = tmp_path / "broken.toml"
    broken.write_text("id = ", encoding="utf-8")
    assert message(broken).startswith("is not TOML: ")


# --- whatever the file holds, a book or a BookError -------------------------------------------------

PIECES = st.one_of(
    st.sampled_from(["", "player", "banker", "tie", "1-6", "8 to 1", "0 to 1", "suited", "four_cards", "A", "1/4"]),
    st.sampled_from([0, 1, 6, 9, 10, -1, 10**30, True, False, 1.5, float("inf")]),
    st.text(max_size=5),
)
VALUES = st.recursive(
    PIECES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a document, as the container and the key or index in it."""
    for key in list(data) if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], dict | list):
            yield from places(data[key])


def test_the_writer_writes_what_is_read() -> None:
    assert tomllib.loads(document(BOOK)) == BOOK
    for game in GAMES:
        assert tomllib.loads(document(data_of(game))) == data_of(game)


ORIGINALS = [BOOK, *(data_of(game) for game in ("super-six", "tiger-buffalo"))]


@given(st.data())
@settings(max_examples=250, deadline=None)
def test_a_mangled_book_is_a_book_or_a_book_error(draw: st.DataObject) -> None:
    data = copy.deepcopy(draw.draw(st.sampled_from(ORIGINALS), label="book"))
    for _ in range(draw.draw(st.integers(1, 3), label="changes")):
        everywhere = list(places(data))
        container, key = everywhere[draw.draw(st.integers(0, len(everywhere) - 1), label="place")]
        match draw.draw(st.sampled_from(["cut", "replace", "move", "add"]), label="change"):
            case "cut":
                del container[key]
            case "replace":
                container[key] = draw.draw(VALUES)
            case "move":
                other, place = everywhere[draw.draw(st.integers(0, len(everywhere) - 1), label="from")]
                container[key] = copy.deepcopy(other[place])
            case _ if isinstance(container, list):
                container.append(copy.deepcopy(container[key]))
            case _:
                container[draw.draw(st.text(max_size=6))] = container[key]
        if not data:
            break
    try:
        book = parse_book(document(data))
    except BookError:
        return
    usable(book)


def usable(book: RuleBook) -> None:
    """What a book that was let through must at least do."""
    coup = Coup.parse("P KsQd B 9hKd")
    assert len(settle(book, coup, dict.fromkeys(book.bets, 100))) == len(book.bets)
    for payoff in payoffs(book).values():
        assert payoff.sets[Result.WON]
        assert sum(payoff.sets.values()) == book.space.all
    for layout in book.layouts.values():
        assert layout.bets
        assert layout.positions
        decided(book, Coup(), layout)
        drawn = geometry_of(book, layout)
        assert Counter(box.bet for row in drawn.rows for box in row.boxes) == Counter(layout.boxes)
        assert len(drawn.numbers) == max(layout.positions)
    rows_open(book, Coup.parse("P Ks7d B KhQh"))
    assert book.decks.least <= book.decks.default <= book.decks.most
    assert len(book.hash) == 64


@given(st.text(max_size=80) | st.dictionaries(st.sampled_from(list(BOOK)), VALUES).map(document))
def test_any_text_is_a_book_or_a_book_error(text: str) -> None:
    try:
        parse_book(text)
    except BookError:
        return


@given(st.binary(max_size=40))
def test_any_file_is_a_book_or_a_book_error(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder, "any.toml")
        file.write_bytes(content)
        with pytest.raises(BookError):
            load_book(file)


# --- the six games ----------------------------------------------------------------------------------

FACTS = {
    # decks, bets, layouts, in force, Banker's pay lines
    "da-hu-ying-xiong": ((4, 10, 8), 8, "ABCD", "2019-11-19 08:00", ["0.95 to 1"]),
    "super-six": ((4, 8, 8), 6, "ABCDEF", "2013-10-22", ["0.95 to 1"]),
    "rws-baccarat": ((4, 10, 8), 33, "ABCDEFGH", "", ["1 to 2", "1 to 1"]),
    "tiger-buffalo": ((4, 10, 8), 20, "ABCDEFGHIJKLMNOPQ", "2025-11-21 08:00", ["1 to 2", "1 to 1"]),
    "dragon-tiger-commission": ((1, 10, 8), 10, ("A3", "A4"), "", ["0.95 to 1"]),
    "dragon-tiger-non-commission": ((1, 10, 8), 10, ("A1", "A2"), "", ["1 to 2", "1 to 1"]),
}


def test_a_house_has_a_currency() -> None:
    assert {game: find_book(game).currency for game in GAMES} == {
        "da-hu-ying-xiong": "SGD",
        "super-six": "SGD",
        "rws-baccarat": "SGD",
        "tiger-buffalo": "SGD",
        "dragon-tiger-commission": "HKD",
        "dragon-tiger-non-commission": "HKD",
    }


def test_the_six_games() -> None:
    assert tuple(FACTS) == GAMES
    files = {file.name for file in (resources.files("puntobanco.rules") / "books").iterdir()}
    assert files == {f"{game}.toml" for game in GAMES}


@pytest.mark.parametrize("game", GAMES)
def test_facts(game: str) -> None:
    decks, bets, layouts, in_force, banker = FACTS[game]
    book = find_book(game)
    assert book.id == game
    assert (book.decks.least, book.decks.most, book.decks.default) == decks
    assert len(book.bets) == bets
    assert list(book.layouts) == list(layouts)
    assert book.in_force == in_force
    assert [str(line.odds) for line in book.bets["banker"].pays] == banker
    assert {code for code, bet in book.bets.items() if bet.hand} == {"player", "banker"}
    assert all(book.bets[side.value].hand is side for side in Side)
    assert not book.suited
    with pytest.raises(UnknownName, match=r"no layout 'zz' at .*; there are A"):
        book.layout("zz")


POSITIONS: dict[str, dict[str, Sequence[int]]] = {
    "da-hu-ying-xiong": dict.fromkeys("ABCD", range(1, 8)),
    "super-six": {code: range(1, most + 1) for code, most in zip("ABCDEF", (9, 7, 8, 7, 6, 5), strict=True)},
    "rws-baccarat": dict.fromkeys("ABCDEFGH", range(1, 8)),
    "tiger-buffalo": dict.fromkeys("ABCGHJLMNPQ", range(1, 7))
    | dict.fromkeys("DEFI", range(1, 6))
    | {"K": range(10, 17), "O": [*range(1, 7), *range(10, 17)]},
    "dragon-tiger-commission": {"A3": range(1, 4), "A4": range(1, 6)},
    "dragon-tiger-non-commission": {"A1": range(1, 4), "A2": range(1, 6)},
}


@pytest.mark.parametrize("game", GAMES)
def test_positions(game: str) -> None:
    found = {code: list(layout.positions) for code, layout in find_book(game).layouts.items()}
    assert found == {code: list(positions) for code, positions in POSITIONS[game].items()}


def test_the_layouts_of_tiger_buffalo() -> None:
    carried = {
        "player banker tie": "ABCDEFGHIJKLMNOPQ",
        "player_pair banker_pair": "ABDEGJK",
        "big_tiger small_tiger big_buffalo small_buffalo": "ABCDEFGHIJKLNOPQ",
        "player_char_siu banker_char_siu": "ABCDEFGHIJKLNOPQ",
        "tiger_buffalo": "CFHI",
        "tiger_tie": "LNOPQ",
        "wu_dalang": "CFHIM",
        "banker_big_7 banker_small_7 player_big_7 player_small_7 tiger_pair tiger": "M",
    }
    book = find_book("tiger-buffalo")
    typed = {(bet, layout) for bets, layouts in carried.items() for bet in bets.split() for layout in layouts}
    assert {(bet, code) for code, layout in book.layouts.items() for bet in layout.bets} == typed
    assert {bet for bet, _ in typed} == set(book.bets)
    assert all(layout.insurance for layout in book.layouts.values())
    assert {code for code, layout in book.layouts.items() if layout.language == "zh"} == {"P", "Q"}


@pytest.mark.parametrize("game", [game for game in GAMES if game != "tiger-buffalo"])
def test_the_other_layouts_carry_everything(game: str) -> None:
    book = find_book(game)
    for layout in book.layouts.values():
        assert layout.bets == tuple(book.bets)
        assert book.menu(layout) == book.menu() == tuple(book.bets.values())
        assert not layout.insurance


@pytest.mark.parametrize(
    ("game", "rank", "paragraph"),
    [
        ("da-hu-ying-xiong", "shift_manager", "5.17"),
        ("super-six", "shift_manager", ""),
        ("rws-baccarat", "shift_manager", "5.17"),
        ("tiger-buffalo", "shift_manager", "5.23"),
        ("dragon-tiger-commission", "assistant_director", "7.20"),
        ("dragon-tiger-non-commission", "assistant_director", "7.20"),
    ],
)
def test_who_decides_what_is_not_covered(game: str, rank: str, paragraph: str) -> None:
    uncovered = find_book(game).uncovered
    assert (uncovered.rank, uncovered.paragraph) == (rank, paragraph)


def test_authority() -> None:
    assert list(Authority) == sorted(Authority)
    assert Authority.PIT_SUPERVISOR < Authority.PIT_MANAGER < Authority.SHIFT_MANAGER
    assert [authority.level for authority in Authority] == [0, 1, 2, 2, 3, 4, 5]
    one, other = Authority.PIT_SUPERVISOR, Authority.DEALER_INSPECTOR
    assert one <= other <= one
    assert one >= other >= one
    assert not one < other
    assert not one > other
    manager, dealer = Authority.PIT_MANAGER, Authority.DEALER
    assert not manager <= other
    assert not dealer >= other
    assert (Authority.PIT_MANAGER.value, Authority.PIT_MANAGER.title) == ("pit_manager", "Pit Manager")


def test_the_hoiana_games_differ_in_banker_alone() -> None:
    one, other = find_book("dragon-tiger-commission"), find_book("dragon-tiger-non-commission")
    differing = {code for code in one.bets if one.bets[code].pays != other.bets[code].pays}
    # Player's line differs in the paragraph of its pay table only
    assert differing == {"player", "banker"}
    assert [line.odds for line in one.bets["player"].pays] == [line.odds for line in other.bets["player"].pays]
    assert one.irregularities == other.irregularities


def test_no_such_game() -> None:
    with pytest.raises(UnknownName, match="no game 'baccarat'; there are da-hu-ying-xiong, super-six"):
        find_book("baccarat")


# --- the hash ---------------------------------------------------------------------------------------


def test_hashes_differ() -> None:
    assert len({find_book(game).hash for game in GAMES}) == 6


def turned(value: Any) -> Any:
    """The same tables with their keys the other way round."""
    if isinstance(value, dict):
        return {key: turned(item) for key, item in reversed(value.items())}
    return [turned(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("game", GAMES)
def test_a_hash_is_blind_to_layout_of_the_file(game: str) -> None:
    book = find_book(game)
    assert parse_book(text_of(game)).hash == book.hash
    assert parse_book("# a remark\n\n" + text_of(game).replace("\n", "\r\n")).hash == book.hash
    assert parse_book(document(data_of(game))).hash == book.hash
    assert parse_book(document(turned(data_of(game)))).hash == book.hash


def test_a_hash_is_blind_to_two_ways_of_writing_a_thing() -> None:
    book = parse_book(document(BOOK))
    for change in (
        put(*LOW, "when", "banker_total", to=[2, 1]),
        put("bets", 1, "pays", 1, "when", "cards", to=[4]),
        put(*LOW, "odds", to="1.5 to 1"),
        put("layouts", 0, "positions", to="10 4-6 1-3"),
        put("decks", "default", to=8),
    ):
        assert parse_book(changed(change)).hash == book.hash


def test_a_hash_sees_every_change() -> None:
    hashes = {parse_book(document(BOOK)).hash}
    changes = [
        put("title", to="Other"),
        put("decks", "default", to=7),
        put(*LOW, "odds", to="2 to 1"),
        put(*LOW, "when", "banker_total", to=1),
        put(*LOW, "paragraph", to="4.4"),
        put("layouts", 0, "positions", to="1-6"),
        put("layouts", 1, "bets", to=["lucky"]),
        put(*ROW, "odds", to="3 to 1"),
        cut("insurance", "rows", 1, "tie_pays"),
    ]
    hashes |= {parse_book(changed(change)).hash for change in changes}
    assert len(hashes) == len(changes) + 1


def test_a_file_far_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    huge = tmp_path / "huge.toml"
    huge.write_bytes(b"#" * 1_000_001)
    with pytest.raises(BookError, match="larger than 1,000,000 bytes"):
        load_book(huge)


def test_what_a_book_tells_of_itself() -> None:
    plain = find_book("tiger-buffalo")
    suited = replace(plain, features=("suited",))
    assert (plain.suited, suited.suited) == (False, True)
    assert plain.layout("a") is plain.layouts["A"]
    assert plain.layout(None) is None
    with pytest.raises(UnknownName, match="no layout 'Z' at Tiger Buffalo"):
        plain.layout("Z")
    assert plain.insurance is not None
    (cap,) = plain.insurance.caps
    other = replace(plain.insurance, caps=(replace(cap, of_maximum=cap.of_maximum / 2),))
    assert replace(plain, insurance=other).hash != plain.hash


def test_ranks_are_named_as_people_say_them() -> None:
    assert [rank.with_article for rank in (NO_RANK, *USUAL_RANKS.named.values())] == [
        "a Player",
        "a Dealer",
        "a Pit Supervisor",
        "a Pit Manager",
        "a Shift Manager",
        "an Assistant Director",
    ]
    assert sorted(Authority, reverse=True)[0] is Authority.ASSISTANT_DIRECTOR
    assert not Authority.DEALER < Authority.DEALER
    assert not Authority.DEALER > Authority.DEALER


@pytest.mark.parametrize("game", ["dragon-tiger-commission", "dragon-tiger-non-commission"])
def test_where_the_book_states_no_number_of_decks_it_is_left_to_the_table(game: str) -> None:
    decks = find_book(game).decks
    assert (decks.least, decks.most, decks.default) == (1, 10, 8)
