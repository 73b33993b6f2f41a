"""One catalogue: every refusal that is raised is in it, in every language and with the same values, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec
import pytest

import puntobanco
from puntobanco.rules.load import GAMES, find_book
from puntobanco.table.about import About, about_bet
from puntobanco.table.cases.remedies import RULINGS
from puntobanco.table.refusals import CODES, Refusal, Refused
from puntobanco.table.rulings import AnyRuling, kind_of
from puntobanco.views import steps
from puntobanco.words import (
    KINDS,
    LANGUAGES,
    Language,
    Terms,
    about_words,
    catalogue,
    language_wanted,
    notation,
    reasons,
    said,
    worded,
)

PACKAGE = Path(puntobanco.__file__).parent
MAKERS = {"Refused", "Refusal", "Refusal.of"}


class Made(NamedTuple):
    """A refusal in the source: its details, one or more where it depends, and the names of its values."""

    place: str
    details: frozenset[str]
    values: frozenset[str]


def details_of(call: ast.Call, function: ast.AST, known: Collection[str]) -> frozenset[str]:
    """Written there, or chosen from constants in the function."""
    first = call.args[1] if ast.unparse(call.func) == "Refusal" else call.args[0]
    if isinstance(first, ast.Constant):
        return frozenset({str(first.value)})
    searched = first if isinstance(first, ast.IfExp) else function
    constants = (node.value for node in ast.walk(searched) if isinstance(node, ast.Constant))
    return frozenset(value for value in constants if isinstance(value, str) and value in known)


def made(makers: Collection[str], known: Collection[str]) -> Iterator[Made]:
    for file, text in SOURCES.items():
        if not any(maker in text for maker in makers):
            continue
        for function, call in calls_in(TREES[file]):
            # what hands on a refusal as it came is no place where one is made
            if ast.unparse(call.func) in makers and not any(keyword.arg is None for keyword in call.keywords):
                names = frozenset(keyword.arg for keyword in call.keywords if keyword.arg is not None)
                place = f"{file.relative_to(PACKAGE)}:{call.lineno}"
                if "self." not in ast.unparse(call):
                    yield Made(place, details_of(call, function, known), names)


def calls_in(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef | ast.Module, ast.Call]]:
    """Every call, with each function around it, or with the module where there is none."""
    below: list[tuple[ast.AST, tuple[ast.FunctionDef, ...]]] = [(tree, ())]
    for node, around in below:
        inside = (*around, node) if isinstance(node, ast.FunctionDef) else around
        below += ((child, inside) for child in ast.iter_child_nodes(node))
        if isinstance(node, ast.Call):
            yield from ((function, node) for function in around or (tree,))


class Trees(dict[Path, ast.Module]):
    """Files as they are parsed, each once."""

    def __missing__(self, file: Path) -> ast.Module:
        self[file] = ast.parse(SOURCES[file])
        return self[file]


SOURCES = {file: file.read_text("utf-8") for file in sorted(PACKAGE.rglob("*.py"))}
TREES = Trees()
MADE = tuple(made(MAKERS, reasons()))
ABOUT = tuple(made({"About.of"}, catalogue("en")["about"]))
ALL_WORDED = (*(("refusal", each) for each in MADE), *(("about", each) for each in ABOUT))


def names_in(sentence: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", sentence))


@pytest.mark.parametrize(("section", "each"), ALL_WORDED, ids=[each.place for _, each in ALL_WORDED])
def test_what_is_said_can_be_worded(section: str, each: Made) -> None:
    assert each.details, "no detail that the catalogue knows"
    for detail in each.details:
        assert names_in(catalogue("en")[section][detail]) == each.values
    assert each.values <= KINDS.keys()


def test_every_sentence_is_needed() -> None:
    assert len(MADE) > 250
    modules = {Path(each.place.partition(":")[0]).parts[0] for each in MADE}
    assert {"table", "store", "floor"} <= modules
    assert set().union(*(each.details for each in MADE)) == set(reasons())
    assert set().union(*(each.details for each in ABOUT)) == set(catalogue("en")["about"])


def test_the_table_makes_no_sentence() -> None:
    """Texts of several words are docstrings, citations of readings, and what setting up or reading a log needs."""
    told = {"conservation.py", "settings.py", "refusals.py"}
    for file in sorted((PACKAGE / "table").rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        docs: set[ast.AST] = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        docs |= {part for node in ast.walk(tree) if isinstance(node, ast.Assert | ast.Raise) for part in ast.walk(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docs:
                words = re.search(r"[a-z]+ [a-z]+|^[a-z]+ $", node.value) and not node.value.startswith("reading ")
                assert not words or file.name in told, f"{file.name}:{node.lineno}: {node.value}"


def test_nothing_parses_a_sentence() -> None:
    """Nobody looks into what something is about but for the values it has."""
    texts = {"about", "reason"}
    folders = ("table", "views", "script", "words", "reports", "demo", "cli")
    for file in sorted(file for folder in folders for file in (PACKAGE / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr in texts:
                # what a person sends is stripped before it is taken in
                assert node.attr in {"code", "values", "strip"}, f"{file.name}:{node.lineno}: .{node.attr}"
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re."):
                assert not texts & {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    page = PACKAGE.parent.parent / "web" / "src"
    parsing = re.compile(r"\b(about|reason|message)\)?[?!]?\.(match|split|replace|startsWith|slice)")
    for file in [*page.rglob("*.ts"), *page.rglob("*.svelte")]:
        assert not parsing.search(file.read_text("utf-8")), file.name


def test_every_reason_belongs_to_a_code_and_every_code_has_one() -> None:
    assert {detail.partition(".")[0] for detail in reasons()} - {"withheld"} == set(CODES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_the_same_keys_and_values(language: Language) -> None:
    english, other = catalogue("en"), catalogue(language)
    assert {section: list(words) for section, words in other.items()} == {
        section: list(words) for section, words in english.items()
    }
    for section, words in other.items():
        for key, text in words.items():
            assert text.strip() == text != ""
            assert names_in(text) == names_in(english[section][key]), (section, key)


def test_chinese_is_written_in_chinese_and_vietnamese_is_no_copy() -> None:
    for section in ("refusal", "about"):
        for key, text in catalogue("zh-Hans")[section].items():
            assert re.search(r"[\u4e00-\u9fff]", text), key
            assert catalogue("vi")[section][key] != catalogue("en")[section][key]


@pytest.mark.parametrize("language", LANGUAGES)
def test_families_rulings_bets_and_ranks_of_every_book_have_words(language: Language) -> None:
    words = catalogue(language)
    assert set(RULINGS) <= words["family"].keys()
    assert {kind_of(each) for each in get_args(AnyRuling)} == words["ruling"].keys()
    for game in GAMES:
        terms = Terms(find_book(game))
        assert terms.book is not None
        assert set(terms.book.ranks.named) <= words["rank"].keys()
        for bet in terms.book.bets.values():
            name = said("bet", bet.code, language, terms)
            assert name == bet.name if language == "en" else name not in ("", bet.code.replace("_", " "))


def test_values_are_said_as_the_table_says_them() -> None:
    terms = Terms(find_book("tiger-buffalo"), 2, "SGD")
    refusal = Refusal.of("no_wager.bet", person="ann", bet="big_tiger", box=5)
    assert worded(refusal, "en", terms) == "ann has no bet on Big Tiger in box 5"
    assert worded(refusal, "zh-Hans", terms) == "ann 在 5 号位没有大老虎注"
    assert worded(refusal) == "ann has no bet on Big Tiger in box 5"
    low = Refusal.of("below_minimum", bet="player_wins_on_4", amount=25_00)
    assert worded(low, "en", terms) == "the minimum on Player Wins On 4 is 25.00 SGD"
    assert worded(low, "vi") == "mức tối thiểu của Con thắng 4 điểm là 25.00"
    assert worded(Refusal.of("rank.needed", rank="pit_manager"), "en", terms) == (
        "this needs the rank of Pit Manager or above"
    )
    assert worded(Refusal.of("rank.needed", rank="floor_walker")) == "this needs the rank of floor walker or above"
    assert worded(Refusal.of("confirmations.boxes", boxes=[3, 5, 9]), "zh-Hans", terms).endswith("3、5、9")
    assert worded(Refusal.of("players.commission", people=[])).endswith(": –")
    assert worded(Refusal.of("unknown_person.player", person="")) == "– is not a player at this table"


def test_what_people_write_is_not_read_as_a_sentence() -> None:
    told = Refusal.of("flagged.incident", family="other", about="{person} {0} %s")
    assert worded(told).endswith("waits for a ruling: {person} {0} %s")


def test_what_something_is_about_is_worded_inside_a_sentence_too() -> None:
    bet = about_bet("ann", 5, "big_tiger")
    told = Refusal.of("flagged.incident", family="above_maximum", about=bet)
    assert worded(told, "zh-Hans") == "超过上限的注码待裁定：ann 5 号位 大老虎"
    assert msgspec.convert(msgspec.to_builtins(told), Refusal) == told
    assert about_words(About.of("told.drawn", card="", hand="")) == "a card drawn: – at –"
    assert about_words("{person}", "vi") == notation("{person}") == "{person}"
    assert notation(About.of("chips", person="ann", amount=2_000_00), Terms(None, 2, "SGD")) == "ann 2000.00 SGD"
    assert {bet: 1}[about_bet("ann", 5, "big_tiger")] == 1


def test_every_step_has_a_sentence_and_every_sentence_a_step() -> None:
    calls = [
        node for node in ast.walk(ast.parse(Path(steps.__file__).read_text("utf-8"))) if isinstance(node, ast.Call)
    ]
    found: set[str] = set()
    for call in (each for each in calls if ast.unparse(each.func) == "NextStep"):
        assert isinstance(call.args[0], ast.Constant)
        found.add(str(call.args[0].value))
    found |= {"turn.squeezed", "take_option.shoe"}
    assert found == catalogue("en")["step"].keys()
    for detail in found:
        step = steps.NextStep(detail.partition(".")[0], "dealer", detail=detail, family="other", people=("ann",))
        assert len({steps.step_words(step, language) for language in LANGUAGES}) == len(LANGUAGES)


def test_refusals_compare_and_hash_by_what_they_say() -> None:
    one, same = (Refused("box.taken", "1.2", box=4).refusal for _ in range(2))
    other = Refusal.of("box.taken", "1.2", box=5)
    assert one == same != other
    assert len({one, same, other}) == 2
    assert (one.code, one.matches("box"), one.matches("box.taken"), one.matches("box.unknown")) == (
        "box",
        True,
        True,
        False,
    )
    with pytest.raises(AssertionError):
        Refused("brand_new.thing")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("vi-VN,vi;q=0.9", "vi"),
        ("zh-TW", "zh-Hans"),
        ("fr, ZH;q=0.5", "zh-Hans"),
        ("fr", "en"),
        ("en-SG, vi", "en"),
        ("village", "en"),
    ],
)
def test_the_language_of_who_asks(header: str, language: Language) -> None:
    assert language_wanted(header) == language
