"""The shoes of a log against what was revealed of them, without key or vault: for auditors and players."""

from __future__ import annotations

from collections.abc import Iterable

from puntobanco.shoes.commit import CommitmentError, Reveal, check_dealt, check_reveal, read_order
from puntobanco.shoes.history import ShoeHistory, shoes_of
from puntobanco.shoes.mixing import mixed
from puntobanco.table import events as e


def check_shoe(shoe: ShoeHistory, reveal: Reveal, book_hash: str) -> None:
    """One shoe's cards are those of the order that was committed to under this book, and cut as the log says."""
    if reveal.shoe != shoe.number:
        raise CommitmentError(f"shoe {reveal.shoe} was revealed, not shoe {shoe.number}")
    if reveal.book != book_hash:
        raise CommitmentError(f"shoe {shoe.number} was committed to under another rule book")
    try:
        order = read_order(reveal.order)
        check_reveal(shoe.commitment, reveal.salt_bytes, book_hash, order)
        if len(order) != shoe.size:
            raise CommitmentError(f"{len(order)} cards were revealed of a shoe of {shoe.size}")
        check_dealt(mixed(order, shoe.commitment, shoe.seeds), shoe.cuts, (), shoe.gone)
    except CommitmentError as error:
        raise CommitmentError(f"shoe {shoe.number}: {error}", error.card) from None


def check_shoes(events: Iterable[e.Event], reveals: Iterable[Reveal]) -> int:
    """Every committed shoe that is over is revealed and true, and none was used twice; how many were checked."""
    events = tuple(events)
    opened = next((event for event in events if isinstance(event, e.TableOpened)), None)
    if opened is None:
        raise CommitmentError("a log begins with the table's opening")
    settings = opened.settings
    revealed = {reveal.shoe: reveal for reveal in reveals if reveal.table == settings.table}
    seen: dict[str, int] = {}
    checked = 0
    for shoe in shoes_of(events):
        if not shoe.commitment:
            if settings.electronic:
                raise CommitmentError(f"shoe {shoe.number} of an electronic table was not committed to")
            continue
        if (earlier := seen.setdefault(shoe.commitment, shoe.number)) != shoe.number:
            raise CommitmentError(f"shoe {shoe.number} has the commitment of shoe {earlier}")
        if not shoe.over:
            continue
        if shoe.number not in revealed:
            raise CommitmentError(f"shoe {shoe.number} is over and was not revealed")
        check_shoe(shoe, revealed[shoe.number], settings.book_hash)
        checked += 1
    return checked
