"""Every order is equally likely, and chance comes from the operating system alone."""

from __future__ import annotations

import ast
import itertools
import os
import random
import tokenize
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import puntobanco.shoes
from puntobanco.cards import CARDS, MAX_DECKS
from puntobanco.shoes.commit import ShoeSecret, check_order
from puntobanco.shoes.keys import Key
from puntobanco.shoes.shuffle import WORDS, ShuffleError, permutation, shuffled, take

FOLDER = Path(puntobanco.shoes.__file__).parent
FILES = sorted(FOLDER.glob("*.py"))


class Tape:
    """A source that plays known words, and says how much was taken."""

    def __init__(self, *words: int) -> None:
        self.bytes = b"".join(word.to_bytes(2, "big") for word in words)

    def __call__(self, count: int) -> bytes:
        given, self.bytes = self.bytes[:count], self.bytes[count:]
        return given


def test_known_bytes_make_a_known_order() -> None:
    # 4 places: swap the last with 1, then the third with 0, then the second with itself
    assert permutation(4, Tape(1, 0, 1)) == [2, 3, 0, 1]
    assert permutation(1, Tape()) == [0]


def test_each_draw_of_swaps_makes_an_order_of_its_own() -> None:
    """24 ways to draw, 24 orders: so equal draws are equal orders."""
    orders = Counter(tuple(permutation(4, Tape(*draw))) for draw in itertools.product(range(4), range(3), range(2)))
    assert set(orders) == set(itertools.permutations(range(4)))
    assert set(orders.values()) == {1}


def test_no_bias_in_any_swap() -> None:
    """What is rejected begins exactly where the rest of the words divides evenly, for every swap of every shoe."""
    words = np.arange(WORDS)
    for bound in range(2, 52 * MAX_DECKS + 1):
        limit = WORDS - WORDS % bound
        drawn = np.bincount(words[:limit] % bound, minlength=bound)
        assert drawn.min() == drawn.max() == WORDS // bound
        stay = list(range(bound - 2, 0, -1))  # each later place draws itself
        whole = list(range(bound))
        assert permutation(bound, Tape(limit - 1, *stay)) == whole
        assert permutation(bound, Tape(limit - bound, *stay)) == swapped(whole, 0)
        if limit < WORDS:
            for word in {limit, WORDS - 1}:
                tape = Tape(word, *stay, word, bound // 2)
                assert permutation(bound, tape) == swapped(whole, bound // 2)
                assert tape.bytes == b""


def swapped(order: list[int], place: int) -> list[int]:
    """The last card changed with another."""
    changed = order.copy()
    changed[-1], changed[place] = changed[place], changed[-1]
    return changed


def test_words_are_rejected_and_drawn_again() -> None:
    # of three places, 65,535 is one word too many
    tape = Tape(65_535, 1, 65_535, 65_535, 2)
    assert permutation(3, tape) == [0, 1, 2]
    assert tape.bytes == b""
    assert permutation(3, Tape(65_534, 0)) == [1, 0, 2]


def test_every_swap_has_fresh_bytes() -> None:
    asked: list[int] = []

    def source(count: int) -> bytes:
        asked.append(count)
        return os.urandom(count)

    shuffled(8, source)
    assert asked[0] == 2 * 415
    assert set(asked[1:]) <= {2}


@pytest.mark.parametrize("decks", [1, 4, 8, 10])
def test_a_shoe_is_whole(decks: int) -> None:
    order = shuffled(decks)
    check_order(order)
    assert Counter(order) == dict.fromkeys(range(len(CARDS)), decks)


def test_what_cannot_be_shuffled_is_named() -> None:
    for decks in (0, 11, -1):
        with pytest.raises(ShuffleError, match="1 to 10 decks"):
            shuffled(decks)
    for size in (0, 65_537):
        with pytest.raises(ShuffleError, match="can be shuffled"):
            permutation(size)


def test_a_source_that_runs_short_is_noticed() -> None:
    with pytest.raises(ShuffleError, match="gave 3 bytes where 102 were asked for"):
        shuffled(1, lambda count: b"abc")
    with pytest.raises(ShuffleError, match="gave 0 bytes where 2 were"):
        permutation(3, Tape(65_535, 1))
    with pytest.raises(ShuffleError):
        ShoeSecret.fresh(1, lambda count: b"")
    with pytest.raises(ShuffleError):
        Key.fresh(lambda count: b"")
    assert take(0) == b""


# --- no other chance


def imported(file: Path) -> set[str]:
    """The first part of every module that a file imports, at its top or inside functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level
            found.add(str(node.module).partition(".")[0])
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_generator_is_imported_or_named(file: Path) -> None:
    """``secrets`` is one too: it brings ``random`` along. Nor is anything imported by a name made up at run time."""
    assert not imported(file) & {"random", "secrets", "numpy", "numba", "uuid", "tempfile", "importlib", "hypothesis"}
    with file.open("rb") as text:
        names = {token.string.lower() for token in tokenize.tokenize(text.readline) if token.type == tokenize.NAME}
    assert not {name for name in names if "random" in name and name != "urandom"}
    assert not names & {"__import__", "import_module", "eval", "exec"}
    # those of players mix what was shuffled without one
    assert "seed" not in names or file.name in ("history.py", "mixing.py", "receipt.py")


def test_the_shuffle_needs_nothing_but_the_operating_system() -> None:
    """Followed through the package: what shuffle.py imports, and what that imports in turn."""
    package = FOLDER.parent
    seen: set[Path] = set()
    waiting = [FOLDER / "shuffle.py"]
    while waiting:
        file = waiting.pop()
        seen.add(file)
        assert not imported(file) & {"random", "secrets", "numpy", "numba"}
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("puntobanco."):
                found = package.joinpath(*str(node.module).split(".")[1:]).with_suffix(".py")
                assert found.exists()
                waiting += [found] if found not in seen else []
    assert {file.name for file in seen} == {"shuffle.py", "cards.py"}


def test_a_seeded_generator_changes_nothing_and_is_not_touched() -> None:
    random.seed(1)
    np.random.seed(1)
    before = random.getstate(), repr(np.random.get_state())
    first, again = shuffled(8), shuffled(8)
    assert (random.getstate(), repr(np.random.get_state())) == before
    random.seed(1)
    assert len({first, again, shuffled(8)}) == 3
