"""The books that somebody has: our six games, and games of their own out of files or a folder of files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from puntobanco.rules.load import GAMES, find_book, load_book
from puntobanco.rules.model import RuleBook, UnknownName
from puntobanco.rules.read import BookError, Problem


class Library:
    """Finds a book by its game. Our own six are always there; ``sources`` are files and folders with further ones."""

    def __init__(self, *sources: str | Path, instead: bool = False) -> None:
        """With ``instead`` a book may take the place of one of the six, as to verify what an older version has made."""
        self._sources, self._instead = sources, instead
        self.files: Mapping[str, Path] = {}
        """The user's own games, and where each was found."""
        self._own: dict[str, RuleBook] = {}
        files: dict[str, Path] = {}
        for file in (file for source in sources for file in _files(Path(source))):
            book = load_book(file)
            if book.id in GAMES and not instead:
                raise _wrong(file, "id", f"{book.id} is one of the six games: choose another id")
            if book.id in files:
                raise _wrong(file, "id", f"{book.id} is the game in {files[book.id]} already")
            files[book.id], self._own[book.id] = file, book
        self.files = files

    @property
    def own(self) -> tuple[str, ...]:
        """The user's own games."""
        return tuple(self._own)

    @property
    def games(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*GAMES, *self._own)))

    def __call__(self, game: str) -> RuleBook:
        if game in self._own:
            return self._own[game]
        if game not in GAMES:
            raise UnknownName("game", game, list(self.games))
        return find_book(game)

    def again(self) -> Library:
        """The same sources as they are now. Raises :class:`BookError` where a file cannot be used any more."""
        return Library(*self._sources, instead=self._instead) if self._sources else self


OURS = Library()
"""The six games alone."""


def _files(source: Path) -> list[Path]:
    """The file itself, or all books of a folder."""
    if not source.is_dir():
        return [source]
    found = sorted(source.glob("*.toml"))
    if not found:
        raise _wrong(source, "", "is a folder without a book: a book is a file with a name like my-game.toml")
    return found


def _wrong(file: Path, key: str, message: str) -> BookError:
    return BookError(str(file), [Problem(key, message)])
