"""The burn before the first round (reading O)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.cards.free_hand import into_free_hand
from puntobanco.table.commands import Command
from puntobanco.table.folds import evolve
from puntobanco.table.refusals import Refused
from puntobanco.table.shoe.lifetime import check_shoe
from puntobanco.table.shoe.seeds import check_promised
from puntobanco.table.state import Table


def burn(table: Table, command: Command, body: c.Burn) -> Sequence[e.Event]:
    """As many as the table's setting says (reading O): by the first card's value, a fixed number, or none.

    What a dealer burnt is out of the shoe, even the wrong number of cards (reading A): no book says what then.
    """
    if not table.shoe.number or table.settings.electronic:
        check_shoe(table)
        check_promised(table)
    paragraph = table.procedures.burn.rule
    if not table.to_burn and table.settings.electronic:
        raise Refused("burn.none", paragraph)
    wanted = cards_to_burn(table, body.cards) if table.to_burn else 0
    burnt = len(body.cards)
    if not burnt or (burnt != wanted and table.settings.electronic):
        raise Refused("burn.count", paragraph, wanted=wanted, count=burnt)
    if not table.to_burn:
        return _burnt_again(table, body)
    back = _back_first(table)
    if burnt > (left := table.shoe.left + sum(event.cards for event in back)):
        raise Refused("cards.left", table.irregularities.shoe_empty.rule, left=left)
    # the burn that was forgotten, with nothing out yet
    late = tuple(number for number, found in table.incidents.items() if found.family == "burn_forgotten")
    burning = (*back, e.CardsBurnt(body.cards, paragraph), *map(e.IncidentClosed, late))
    # a card that shows behind those that were burnt opens the hand
    events = (*burning, *into_free_hand(reduce(evolve, burning, table)))
    if burnt == wanted:
        return events
    return (*events, _wrong_burn(table, About.of("burn.count", wanted=wanted, count=burnt)))


def _burnt_again(table: Table, body: c.Burn) -> Sequence[e.Event]:
    """Cards burnt when none were to be. A burn in two goes that adds up to the right number closes the case."""
    burnt, shoe, paragraph = len(body.cards), table.shoe, table.procedures.burn.rule or table.book.uncovered.paragraph
    if burnt > shoe.left:
        raise Refused("cards.left", table.irregularities.shoe_empty.rule, left=shoe.left)
    burning = e.CardsBurnt(body.cards, paragraph)
    open_still = [found.number for found in table.incidents.values() if found.family == "wrong_burn"]
    if open_still and table.settings.burn == shoe.burnt + burnt and shoe.drawn == shoe.burnt:
        return (burning, *map(e.IncidentClosed, open_still))
    if open_still or shoe.ended:
        return (burning,)
    return (burning, _wrong_burn(table, About.of("burn.none", count=burnt)))


def _back_first(table: Table) -> tuple[e.CardsRetrieved, ...]:
    """Cards that were out before the burn and that nobody has seen go back: they are the first to be burnt."""
    if not table.carried or any(drawn.seen for drawn in table.carried):
        return ()
    paragraph = table.irregularities.burn_forgotten.unseen or table.book.uncovered.paragraph
    return (e.CardsRetrieved(len(table.carried), paragraph),)


def _wrong_burn(table: Table, about: About) -> e.IncidentOpened:
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
        raise Refused("burn.show", table.procedures.burn.rule)
    return 1 + (first.points or 10)  # type: ignore[attr-defined]
