"""The documents tell the truth: examples run, links lead somewhere, pictures are current."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import io
import json
import pkgutil
import re
import shlex
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from rich.text import Text

import puntobanco
from puntobanco import GAMES, find_book, parse_book
from puntobanco.cli import main
from puntobanco.outcomes import FEATURES
from puntobanco.rules.catalogue import BOOKS as FIVE_BOOKS
from puntobanco.rules.catalogue import paragraphs
from puntobanco.rules.geometry import geometry_of
from puntobanco.rules.slots import Irregularities

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
TOUR = ROOT / "docs" / "tour.md"
BOOKS = ROOT / "docs" / "books.md"
PAGES = [README, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = sorted(
    found.name for found in pkgutil.walk_packages(puntobanco.__path__, "puntobanco.") if "__main__" not in found.name
)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def fences(page: Path, language: str) -> Iterator[str]:
    """The code blocks of one language."""
    for match in re.finditer(rf"^```{language}\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL):
        yield match[1]


# --- Python examples ------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_examples_of_the_pages_run(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.failed == 0


@pytest.mark.parametrize("module", ["puntobanco", *MODULES])
def test_python_examples_of_the_modules_run(module: str) -> None:
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def test_the_readme_has_an_example_for_the_library() -> None:
    examples = doctest.DocTestParser().get_examples(text_of(README))
    assert 5 <= len(examples) <= 10


# --- shell examples -------------------------------------------------------------------------------------


class Shell(NamedTuple):
    """A command of a page, and what the page says it prints (nothing if it does not say)."""

    page: Path
    command: str
    shown: str


def shell_examples(page: Path) -> Iterator[Shell]:
    for block in fences(page, "console"):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = example.partition("\n")
            yield Shell(page, command, shown)


SHELL = [example for page in PAGES if page.parent.name != "guides" for example in shell_examples(page)]
"""Those of the guides are done in a folder of their own (test_guides.py)."""


def lines_of(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]


def as_shown(lines: list[str], shown: list[str]) -> list[str]:
    """The real output, with what the page leaves out behind a lone … left out here too."""
    kept: list[str] = []
    for index, line in enumerate(shown):
        if line != "…":
            kept += lines[:1]
            lines = lines[1:]
            continue
        kept.append(line)
        following = shown[index + 1] if index + 1 < len(shown) else None
        while lines and lines[0] != following:
            lines = lines[1:]
    return kept + lines


@pytest.mark.parametrize("example", SHELL, ids=lambda example: example.command)
def test_shell_examples_print_what_they_show(example: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "80")
    program, *arguments = shlex.split(example.command)
    assert program == "puntobanco"
    out, err, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
    if example.shown.startswith("puntobanco: "):
        assert (code, out.getvalue()) == (2, "")
        assert " ".join(err.getvalue().split()) == " ".join(example.shown.split())
    else:
        assert (code, err.getvalue()) == (0, "")
        if example.shown:
            assert as_shown(lines_of(out.getvalue()), lines_of(example.shown)) == lines_of(example.shown)


def test_the_readme_is_read_in_a_minute() -> None:
    """In 130 lines; the first screen, down to the two commands, aloud: 150 words a minute."""
    assert len(text_of(README).splitlines()) <= 130
    first, ended, _ = text_of(README).partition("scripts/test ")
    assert ended
    assert len(re.findall(r"[\w'’.]*\w", re.sub(r"\]\([^)]*\)", "]", first))) < 150


def test_the_tour_shows_every_command() -> None:
    shown = {example.command.split()[1] for example in shell_examples(TOUR)}
    pictured = set(re.findall(r"pictures/(\w+)\.svg", text_of(TOUR)))
    assert shown | pictured >= {"rules", "deal", "settle", "decided", "odds", "roads", "run", "verify"}


# --- links and pictures ---------------------------------------------------------------------------------

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def anchors(page: Path) -> set[str]:
    """What can be linked to on a page: headings as hosts of Markdown name them, and ids."""
    text = re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)">', text))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in _LINK.findall(re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def load_script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / "tools" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def letters(text: str) -> str:
    return "".join(text.split())


def test_pictures_show_what_the_commands_print() -> None:
    pictures = load_script("pictures")
    assert {file.name for file in pictures.FOLDER.iterdir() if file.is_file()} == set(pictures.PICTURES)
    for name, (columns, command) in pictures.PICTURES.items():
        svg = ET.parse(pictures.FOLDER / name)
        (matrix,) = (group for group in svg.iter() if group.get("class", "").endswith("-matrix"))
        printed = Text.from_ansi(pictures.printed(columns, command)).plain
        assert letters("".join(matrix.itertext())) == letters(f"$ {command}{printed}"), (
            f"{name} is out of date: run scripts/pictures"
        )


def test_pictures_fetch_nothing() -> None:
    for file in (ROOT / "docs" / "pictures").glob("*.svg"):
        addresses = set(re.findall(r"\w+://[^\s\"']+", text_of(file)))
        assert addresses <= {"http://www.w3.org/2000/svg"}


# --- tables that repeat what the code says --------------------------------------------------------------


def rows(page: Path, heading: str, level: str = "##") -> list[list[str]]:
    """The cells of the first table under a heading."""
    _, _, rest = text_of(page).partition(f"\n{level} {heading}\n")
    table = re.search(r"^\|.*?(?=\n\n)", rest, re.MULTILINE | re.DOTALL)
    assert table
    lines = table[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_the_games_of_the_readme() -> None:
    found = {cells[0].strip("`"): cells for cells in rows(README, "The games")}
    assert list(found) == list(GAMES)
    for game in GAMES:
        book, (_, title, decks, bets, banker) = find_book(game), found[game]
        assert int(bets) == len(book.bets)
        assert decks in (f"{book.decks.least}–{book.decks.most}", "not stated")
        assert book.casino in title
        assert book.in_force.partition(" ")[0] in title
        assert {str(line.odds) for line in book.bets["banker"].pays} == set(re.findall(r"[\d.]+ to \d", banker))


def test_the_keys_of_the_json() -> None:
    told = {cells[0].strip("`"): set(re.findall(r"`(\w+)`", cells[1])) for cells in rows(TOUR, "For scripts")}
    cards = ["--cards", "9h9cKdKs"]
    for command, arguments in {
        "odds": ["tiger-buffalo", "--insurance"],
        "settle": ["super-six", *cards, "--bet", "tie=1"],
        "decided": ["super-six", *cards],
        "deal": ["super-six", *cards],
        "roads": ["BBP"],
    }.items():
        with redirect_stdout(io.StringIO()) as out:
            main([command, *arguments, "--json"])
        found = json.loads(out.getvalue())
        keys = set(found)
        for part in (found.get("wagers"), found.get("insurance"), list(found.get("bets", {}).values())):
            if part and isinstance(part[0], dict):
                keys |= set(part[0])
                for line in part[0].get("lines", ()):
                    keys |= set(line)
        assert told[command] == keys


def test_the_number_of_paragraphs_in_the_readme() -> None:
    (number,) = re.findall(r"all ([\d,]+) numbered paragraphs", text_of(README))
    assert int(number.replace(",", "")) == sum(len(paragraphs(book)) for book in FIVE_BOOKS)


def test_the_features_of_the_reference() -> None:
    found = {cells[0].strip("`"): cells[1:] for cells in rows(BOOKS, "Conditions")}
    assert list(found) == list(FEATURES)
    for feature in FEATURES.values():
        values, meaning = found[feature.name]
        assert meaning == feature.meaning
        if values == "0 to 9":
            assert feature.values == tuple(range(10))
        else:
            told = tomllib.loads(f"values = [{values.replace('`', '')}]")["values"]
            assert set(map(str, told)) == set(map(str, feature.values))


# --- book files in the text -----------------------------------------------------------------------------


def test_the_smallest_book_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, *_ = fences(BOOKS, "toml")
    (tmp_path / "my-game.toml").write_text(book, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = [line for block in fences(BOOKS, "sh") for line in block.splitlines()]
    assert len(commands) == 4
    for command in commands:
        program, *arguments = shlex.split(command)
        assert program == "puntobanco"
        with redirect_stdout(io.StringIO()) as out:
            main(arguments)
        assert "Panda 8" in out.getvalue() or "panda_8" in out.getvalue()


HEAD = 'id = "x"\ntitle = "X"\ndecks = { least = 8, most = 8, paragraph = "1" }\n'


def test_snippets_of_books_are_sound() -> None:
    (bet,) = fences(TOUR, "toml")
    assert parse_book(HEAD + bet).bets["dragon_7"].name == "Dragon 7"
    smallest, pays, drawing, ranks, paragraphs, commission = fences(BOOKS, "toml")
    assert tomllib.loads(ranks).keys() == {"ranks", "authority"}
    for family, slots in tomllib.loads(paragraphs).items():
        assert {*slots, "also"} == {*Irregularities().of(family).names(), "also"}
    assert parse_book(f'{HEAD}[[bets]]\ncode = "banker"\nparagraph = "3"\n{pays}').bets["banker"].pays
    tie = (
        '[[bets]]\ncode = "{}"\nparagraph = "3"\n'
        + 'pays = [{{ odds = "8 to 1", when = {{ winner = "tie" }}, paragraph = "3" }}]\n'
    )
    banker = f'code = "banker"\nparagraph = "2"\n{pays.replace("1 to 1", "0.96 to 1").replace("1 to 2", "0.96 to 1")}'
    assert parse_book(f"{HEAD}[[bets]]\n{banker}\n{commission}").commission.paragraph == "2.4"
    book = parse_book(smallest + "".join(map(tie.format, ("banker", "tie", "dragon_7"))) + drawing)
    assert [row.height for row in geometry_of(book, book.layouts["A"]).rows] == [1, 2, 2]


def test_conditions_of_well_known_bets_are_sound() -> None:
    text = text_of(BOOKS)
    conditions = [found for found in re.findall(r"`(\{ [^`]+ \})`", text) if "odds" not in found and "=" in found]
    assert len(conditions) > 8
    for number, when in enumerate(conditions):
        if "is =" in when:
            continue
        bet = f'[[bets]]\ncode = "b{number}"\nparagraph = "1"\n'
        pays = f'pays = [{{ odds = "1 to 1", when = {when}, paragraph = "1" }}]\n'
        assert len(parse_book(f'features = ["suited"]\n{HEAD}{bet}{pays}').bets) == 1


@pytest.mark.parametrize("name", ["security", "asvs", "gli-19"])
def test_the_tests_that_a_checklist_names_are_there(name: str) -> None:
    """Each file, and each function of it; one without a folder is the floor's or the table's."""
    root, file = Path(__file__).parent, Path()
    found = re.findall(
        r"`((?:tests/)?[\w/.-]*)(?:::|…)(test_\w+)`|`((?:tests/)?[\w/]*test_\w+\.py)`", text_of_doc(name)
    )
    assert found
    for place, function, whole in found:
        if place or whole:
            named = (place or whole).removeprefix("tests/")
            tried = [root / folder / named for folder in ("", "floor", "table")]
            file = next((each for each in tried if each.is_file()), Path(named))
        assert file.is_file(), file
        assert not function or f"def {function}(" in file.read_text("utf-8"), (file.name, function)


def text_of_doc(name: str) -> str:
    return (Path(__file__).parents[1] / "docs" / f"{name}.md").read_text("utf-8")
