"""The shoes of a log against what was revealed of them, without key or vault: for auditors and players."""

from __future__ import annotations

from collections.abc import Iterable

from puntobanco.shoes.commit import CommitmentError, Reveal, check_dealt, check_reveal, read_order
from puntobanco.shoes.history import ShoeHistory, shoes_of
from puntobanco.shoes.mixing import mixed
from puntobanco.table import events as e


def check_shoe(shoe: ShoeHistory, reveal: Reveal, book_hash: str) -> None:
    """One shoe's cards are those of the order that was committed to under this book, and cut as the log says."""
    wanted, found = _order(shoe.number, shoe.mixed), _order(reveal.shoe, reveal.mixed)
    if found != wanted:
        raise CommitmentError(f"{found} was revealed, not {wanted}")
    if reveal.book != book_hash:
        raise CommitmentError(f"shoe {shoe.number} was committed to under another rule book")
    try:
        order = read_order(reveal.order)
        check_reveal(shoe.commitment, reveal.salt_bytes, book_hash, order)
        if len(order) != shoe.size:
            raise CommitmentError(f"{len(order)} cards were revealed of a shoe of {shoe.size}")
        check_dealt(mixed(order, shoe.commitment, shoe.seeds), shoe.cuts, (), shoe.gone)
    except CommitmentError as error:
        raise CommitmentError(f"{wanted}: {error}", error.card) from None


def _order(shoe: int, mixed: int) -> str:
    """A shoe, or one of the orders in which a shuffler deals, counted from 1."""
    return f"shoe {shoe}, order {mixed + 1}" if mixed else f"shoe {shoe}"


def check_shoes(events: Iterable[e.Event], reveals: Iterable[Reveal]) -> int:
    """Every committed shoe that is over is revealed and true, and none was used twice; how many were checked."""
    events = tuple(events)
    opened = next((event for event in events if isinstance(event, e.TableOpened)), None)
    if opened is None:
        raise CommitmentError("a log begins with the table's opening")
    settings = opened.settings
    revealed = {(reveal.shoe, reveal.mixed): reveal for reveal in reveals if reveal.table == settings.table}
    seen: dict[str, str] = {}
    checked = 0
    for shoe in shoes_of(events):
        order = _order(shoe.number, shoe.mixed)
        if not shoe.commitment:
            if settings.electronic:
                raise CommitmentError(f"{order} of an electronic table was not committed to")
            continue
        if (earlier := seen.setdefault(shoe.commitment, order)) != order:
            raise CommitmentError(f"{order} has the commitment of {earlier}")
        if not shoe.over:
            continue
        if (shoe.number, shoe.mixed) not in revealed:
            raise CommitmentError(f"{order} is over and was not revealed")
        check_shoe(shoe, revealed[shoe.number, shoe.mixed], settings.book_hash)
        checked += 1
    return checked
