"""The shoe from its shuffle to its last round: cut, burn, Cut Card, change."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.cards import CARDS_IN_DECK
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement import wagers_off
from puntobanco.table.state import Phase, Table


def new_shoe(table: Table, command: Command, body: c.NewShoe) -> Sequence[e.Event]:
    if table.round is not None:
        raise Refused("round_open", "a new shoe comes between rounds")
    if not table.shoe.ended:
        raise Refused("shoe_in_use", f"shoe {table.shoe.number} is in use: end it first")
    if any(incident.true_cards for incident in table.incidents.values()):
        raise Refused("flagged", "a round of the old shoe still waits for a ruling")
    if not body.evidence.strip():
        raise Refused("bad_amount", "say how the cards were shuffled and checked")
    return (
        e.ShoeStarted(
            table.shoe.number + 1,
            table.settings.decks * CARDS_IN_DECK,
            body.evidence.strip(),
            body.commitment,
        ),
    )


def check_shoe(table: Table) -> None:
    if table.shoe.ended:
        raise Refused("no_shoe", "there is no shoe in use: put one up first")


def cut(table: Table, command: Command, body: c.Cut) -> Sequence[e.Event]:
    """By a player or the dealer, before the first card."""
    check_shoe(table)
    if table.shoe.drawn:
        raise Refused("cards", "cards have left the shoe: it is too late to cut")
    if body.person not in table.people:
        raise Refused("unknown_person", f"{body.person} is not at the table")
    if not 1 <= body.position < table.shoe.size:
        raise Refused("bad_amount", f"cut after 1 to {table.shoe.size - 1} cards")
    return (e.ShoeCut(body.person, body.position),)


def burn(table: Table, command: Command, body: c.Burn) -> Sequence[e.Event]:
    """As many as the table's setting says (reading O): by the first card's value, a fixed number, or none.

    What a dealer burnt is out of the shoe, be it the wrong number (reading A): no book says what then.
    """
    check_shoe(table)
    paragraph = table.cite("burn")
    if not table.to_burn:
        raise Refused("burn", "no cards are to be burnt now", paragraph)
    wanted = cards_to_burn(table, body.cards)
    burnt, about = len(body.cards), f"{wanted} cards were to be burnt, and {len(body.cards)} were"
    if not burnt or (burnt != wanted and table.settings.electronic):
        raise Refused("burn", f"{wanted} cards are to be burnt, not {burnt}", paragraph)
    back = _back_first(table)
    if burnt > (left := table.shoe.left + sum(event.cards for event in back)):
        raise Refused("cards", f"the shoe has {left} cards left", table.irregularity("shoe_empty"))
    # the burn that was forgotten, with nothing out yet
    late = tuple(number for number, found in table.incidents.items() if found.family == "burn_forgotten")
    burning = (*back, e.CardsBurnt(body.cards, paragraph), *map(e.IncidentClosed, late))
    # a card that shows behind those that were burnt opens the hand
    shows = table.shoe.shown == table.shoe.size - left + burnt
    events = (*burning, *(wagers_off(table) if shows else ()))
    return events if burnt == wanted else (*events, _wrong_burn(table, about))


def _back_first(table: Table) -> tuple[e.CardsRetrieved, ...]:
    """Cards that were out before the burn and that nobody has seen go back: they are the first to be burnt."""
    if not table.carried or any(drawn.seen for drawn in table.carried):
        return ()
    paragraph = table.irregularity("burn_forgotten", 1) or table.book.uncovered.paragraph
    return (e.CardsRetrieved(len(table.carried), paragraph),)


def _wrong_burn(table: Table, about: str) -> e.IncidentOpened:
    return e.IncidentOpened(
        table.incidents_so_far + 1,
        "wrong_burn",
        about,
        table.book.uncovered.paragraph,
        table.round.number if table.round else 0,
        covered=False,
    )


def cards_to_burn(table: Table, cards: Sequence[object]) -> int:
    """The first card itself included; a ten-valued card burns ten more."""
    rule = table.settings.burn
    if isinstance(rule, int):
        return rule
    first = cards[0] if cards else None
    if first is None:
        raise Refused("burn", "the first card must be shown: its value says how many to burn", table.cite("burn"))
    return 1 + (first.points or 10)  # type: ignore[attr-defined]


def burn_forgotten(table: Table, number: int) -> e.IncidentOpened:
    """The first hand of the shoe, which has this number, begins without the burn; it does not wait for a ruling."""
    paragraph = table.irregularity("burn_forgotten")
    return e.IncidentOpened(
        table.incidents_so_far + 1,
        "burn_forgotten",
        "cards were not burnt before the first round",
        paragraph or table.book.uncovered.paragraph,
        number,
        blocks=False,
        covered=bool(paragraph),
    )


def cut_card(table: Table, command: Command, body: c.CutCard) -> Sequence[e.Event]:
    check_shoe(table)
    if table.shoe.cut_seen:
        raise Refused("cards", "the Cut Card has appeared already", table.cite("cut_card"))
    return (_cut_card_event(table),)


def _cut_card_event(table: Table) -> e.CutCardAppeared:
    # between rounds it counts as the first card of the next one, which is then the last
    more = table.settings.rounds_after_cut + (table.phase is Phase.IDLE)
    in_mid_round = table.round is not None and bool(table.round.cards)
    paragraph = (in_mid_round and table.irregularity("cut_card")) or table.cite("cut_card")
    return e.CutCardAppeared(more, paragraph)


def mark_cut_card(table: Table, now: int) -> Sequence[e.Event]:
    """An electronic shoe knows where its Cut Card lies: it comes out before the card behind it."""
    shoe, current = table.shoe, table.round
    if shoe.cut_seen or shoe.ended or not table.settings.electronic or shoe.left > table.settings.cut_card:
        return ()
    at_the_mouth = shoe.left == table.settings.cut_card
    if at_the_mouth and (current is None or current.due is None):
        return ()
    return (_cut_card_event(table),)


def end_shoe(table: Table, command: Command, body: c.EndShoe) -> Sequence[e.Event]:
    check_shoe(table)
    if table.round is not None:
        raise Refused("round_open", "the round is not over")
    return (_ended(table, body.reason.strip()),)


def _ended(table: Table, reason: str) -> e.ShoeEnded:
    shoe = table.shoe
    return e.ShoeEnded(shoe.number, shoe.drawn, shoe.discards + len(table.carried), reason)


def follow_up(table: Table, now: int) -> Sequence[e.Event]:
    """The shoe is over when no round is left after the Cut Card, or no card, or its cards are not to be used."""
    shoe = table.shoe
    if shoe.ended or table.blocked:
        return ()
    if shoe.at_fault:
        return (_ended(table, "cards at fault"),)
    if shoe.to_replace:
        return (_ended(table, "cards replaced"),)
    if shoe.rounds_left != 0 and (shoe.left > 0 or table.carried):
        return ()
    return (_ended(table, "last round played" if shoe.left else "no cards left"),)
