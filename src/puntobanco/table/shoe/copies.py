"""How often each card was seen, against what the decks hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace

from puntobanco.cards import Card
from puntobanco.table.cards.state import Drawn
from puntobanco.table.shoe.state import Shoe
from puntobanco.table.state import Table


def with_faces(faces: dict[Card, int], cards: Iterable[Drawn]) -> dict[Card, int]:
    """The counts with these cards, as far as they lay open."""
    counts = faces.copy()
    for drawn in cards:
        if drawn.turned and drawn.card is not None:
            counts[drawn.card] = counts.get(drawn.card, 0) + 1
    return counts


def without_faces(faces: dict[Card, int], cards: Iterable[Drawn]) -> dict[Card, int]:
    """The counts without these cards."""
    less = with_faces({}, cards)
    return {card: left for card, count in faces.items() if (left := count - less.get(card, 0))}


def put_aside(shoe: Shoe, cards: Iterable[Drawn]) -> Shoe:
    """The shoe, of which these cards went to the discard holder without a round."""
    return replace(shoe, aside=(*shoe.aside, *cards), faces=with_faces(shoe.faces, cards))


def in_play(table: Table) -> tuple[Drawn, ...]:
    """The cards that left the shoe and belong to the round in progress, or wait for one."""
    current = table.round
    return table.carried if current is None else current.cards + current.discarded + table.carried


def surplus(table: Table) -> Counter[Card]:
    """The cards of this shoe that lie open, or did, and are more than its decks hold."""
    seen, decks = with_faces(table.shoe.faces, in_play(table)), table.settings.decks
    return Counter({card: count - decks for card, count in seen.items() if count > decks})
