"""Cards are conserved, as money is: each one that left the shoe is in exactly one place.

Those places are the hands of a round, the cards that wait for the next one, and the discard holder with what was burnt
and what no round had a use for. What goes back into the shoe, or into a shuffler, has not left it. Everything here says
what is wrong in a sentence, or nothing.
"""

from __future__ import annotations

from puntobanco.table.shoe.copies import surplus, with_faces
from puntobanco.table.state import Table


def misplaced(table: Table) -> str | None:
    """A card of the shoe in use that is in two places, or in none."""
    shoe, current = table.shoe, table.round
    held = len(shoe.aside)
    for over in table.past:
        if not over.back:
            held += len(over.cards) + len(over.discarded)
    hands = 0
    if current is not None:
        held, hands = held + len(current.discarded), len(current.cards)
        numbers = {drawn.number for drawn in current.cards}
        if len(numbers) != hands:
            return f"two cards of round {current.number} have the same number"
    if shoe.discards != held:
        return f"the discard holder has {shoe.discards} cards by its count, and {held} by what went into it"
    out = held + hands + len(table.carried)
    if shoe.drawn != out:
        return f"{shoe.drawn} cards have left the shoe, and {out} are in hands, waiting or in the discard holder"
    if not 0 <= shoe.drawn <= shoe.size:
        return f"{shoe.drawn} cards have left a shoe of {shoe.size}"
    return None


def miscounted(table: Table) -> str | None:
    """A face that was counted wrongly, or that turned up more often than the decks hold without a word."""
    shoe = table.shoe
    seen = with_faces({}, shoe.aside)
    for over in table.past:
        if not over.back:
            seen = with_faces(seen, over.cards + over.discarded)
    for card in seen.keys() | shoe.faces.keys():
        if seen.get(card, 0) != shoe.faces.get(card, 0):
            return f"{card} was seen {seen.get(card, 0)} times, and counted {shoe.faces.get(card, 0)} times"
    void = table.round is not None and table.round.voided
    if shoe.at_fault or shoe.ended or void or (more := surplus(table)).total() <= shoe.surplus:
        return None
    return f"more copies than {table.settings.decks} decks hold, and nobody was told: {', '.join(map(str, more))}"
