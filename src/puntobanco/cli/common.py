"""What the commands share: options, the chosen book, and how what the user typed is read."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from puntobanco.cards import Card, parse_cards
from puntobanco.coup import Coup
from puntobanco.rules.library import OURS, Library
from puntobanco.rules.load import GAMES, find_book, load_book
from puntobanco.rules.model import RuleBook

Game = Annotated[
    str | None,
    Parameter(metavar="GAME", help="Id of the game (see games); not needed with --book."),
]
BookFile = Annotated[str | None, Parameter(name="--book", metavar="FILE", help="A game of your own: a TOML book file.")]
BookFiles = Annotated[
    str | None,
    Parameter(name="--book", metavar="FILE", help="Games of your own: a TOML book file, or a folder of them."),
]
AsJson = Annotated[bool, Parameter(name="--json", negative=(), show_default=False, help="Print JSON for scripts.")]
LayoutCode = Annotated[str | None, Parameter(name="--layout", metavar="CODE", help="Only the bets of this layout.")]
Cards = Annotated[
    str,
    Parameter(
        name="--cards",
        metavar="CARDS",
        show_default=False,
        help='Cards in the order they left the shoe, as in "9h 4c 2d Ks".',
    ),
]


def unwrapped(command: Callable[..., None]) -> str:
    """A command's help for any width of terminal: its docstring, a line for each paragraph."""
    paragraphs = inspect.getdoc(command) or ""
    return "\n\n".join(" ".join(each.split()) for each in paragraphs.split("\n\n"))


class UsageError(ValueError):
    """A command line that cannot be obeyed."""


@contextmanager
def option(name: str) -> Iterator[None]:
    """Names the option in whatever is wrong with its value."""
    try:
        yield
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from error


def read_cards(text: str) -> tuple[Card, ...]:
    with option("--cards"):
        return parse_cards(text)


_WHOLE = re.compile(r"[+-]?[0-9]+")
_MOST_DIGITS = 1000
"""Far beyond all limits, so that the message names the limit of the number that was asked for."""


def read_number(name: str, text: str) -> int:
    """A whole number, written as one: ``8.0``, ``0x8`` and ``1_0`` are none."""
    if not _WHOLE.fullmatch(text.strip()):
        raise UsageError(f"{name}: {text!r} is not a whole number")
    if len(text) > _MOST_DIGITS:
        raise UsageError(f"{name}: a number of {len(text)} digits is too large")
    return int(text)


def choose_book(game: str | None, file: str | None) -> RuleBook:
    """The game asked for: one of ours, or the one in the user's file."""
    if file is None:
        if game is None:
            raise UsageError(f"which game? Name one of {', '.join(GAMES)}, or give your own with --book FILE")
        return find_book(game)
    book = own_book(file)
    if game is not None and game != book.id:
        raise UsageError(f"{file} holds {book.id!r}, not {game!r}; leave the game out or name the same")
    return book


def own_book(file: str) -> RuleBook:
    """The game in the user's file."""
    check_named(file, "--book: ")
    return load_book(file)


class OwnBooks(Library):
    """Our games and those in the user's file or folder; knows whether anybody asked for them."""

    def __init__(self, source: str) -> None:
        super().__init__(source, instead=True)
        self._source = source
        self._asked: set[str] = set()

    def __call__(self, game: str) -> RuleBook:
        self._asked.add(game)
        return super().__call__(game)

    def check_used(self) -> None:
        """A file that is named and not needed is a mistake: somebody thinks that it counts."""
        if not Path(self._source).is_dir() and self._asked.isdisjoint(self.own):
            played = ", ".join(sorted(self._asked))
            raise UsageError(f"--book: {self._source} holds {self.own[0]}, and what is read here is {played}")


def books_with(source: str | None) -> Library:
    """Finds our games, and those in the user's file or folder."""
    if source is None:
        return OURS
    check_named(source, "--book: ")
    return OwnBooks(source)


def check_used(books: Library) -> None:
    """That a book the user has named was needed."""
    if isinstance(books, OwnBooks):
        books.check_used()


STDIN = "-"


def check_named(file: str, what: str = "") -> None:
    """A name that was left empty, as by a variable of a shell that is not set, is not a file."""
    if not file:
        raise UsageError(f"{what}the name of the file is empty")


def read_file(file: str) -> bytes:
    """What a file holds, or the input for ``-``."""
    check_named(file)
    if file.startswith("-") and file != STDIN:
        raise UsageError(f"there is no option {file}")
    try:
        return sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:  # a name that no file can have
        raise UsageError(f"{file} cannot be read: {error}") from error


def write_file(file: str, data: bytes, option: str = "") -> None:
    """Write a file, which an option may have named."""
    where = f"{option}: " if option else ""
    check_named(file, where)
    try:
        Path(file).write_bytes(data)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{where}{file} cannot be written: {reason}") from error


def check_apart(option: str, output: str | Path, inputs: Iterable[str | None]) -> None:
    """An output must not replace what it is made from."""
    for file in inputs:
        if file and file != STDIN and _same(output, file):
            raise UsageError(f"{option}: {output} is an input as well, and would be lost: write to another file")


def _same(one: str | Path, other: str | Path) -> bool:
    with suppress(OSError, ValueError):  # what is not there, or no name, is the same as nothing
        return Path(one).samefile(other)
    return False


def winner_of(coup: Coup) -> str:
    return coup.winner.value if coup.winner else "tie"


def fraction_text(fraction: Fraction) -> str:
    return f"{fraction.numerator}/{fraction.denominator}"
