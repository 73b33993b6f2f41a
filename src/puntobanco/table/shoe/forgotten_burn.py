"""The burn that was forgotten: found out with nothing seen, or too late."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.rules.policies import BurnForgotten
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About
from puntobanco.table.cases.incidents import IDENTITY
from puntobanco.table.cases.remedies import Case
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table

UNBURNT = About.of("burn.forgotten")


def burn_forgotten(table: Table, number: int) -> e.IncidentOpened:
    """The first hand of the shoe, which has this number, begins without the burn; it does not wait for a ruling."""
    paragraph = table.irregularities.burn_forgotten.rule
    return e.IncidentOpened(
        table.incidents_so_far + 1,
        "burn_forgotten",
        UNBURNT,
        paragraph or table.book.uncovered.paragraph,
        number,
        blocks=False,
        covered=bool(paragraph),
    )


def burn_now(case: Case, ruling: r.BurnNow) -> Sequence[e.Event]:
    """Nothing was seen: the cards go back and the burn takes place."""
    table, current = case.table, current_round(case.table)
    if current.settled:
        raise Refused("burn.over", case.paragraph)
    out = (*current.cards, *table.carried)
    if any(drawn.seen for drawn in out):
        paragraph = table.irregularities.burn_forgotten.seen or case.paragraph
        raise Refused("burn.seen", paragraph)
    matters = [found for found in table.incidents.values() if found.cards]
    for found in matters:
        if found.family in IDENTITY:
            raise Refused("flagged.identity", found.paragraph, about=found.about)
    # what was about the cards is over with them
    over = (e.IncidentClosed(found.number) for found in matters)
    return (e.CardsRetrieved(len(out), case.paragraph), *over, *case.closed)


def played_out(case: Case) -> Sequence[e.Event]:
    """The first hand is played, and after it the shoe goes on or not, as the book says."""
    table = case.table
    seen = any(drawn.seen for drawn in (*current_round(table).cards, *table.carried))
    stated = table.policies.burn_forgotten_seen if seen else table.policies.burn_forgotten_unseen
    if stated.value is BurnForgotten.BURN_NOW:
        unseen = table.irregularities.burn_forgotten.unseen
        raise Refused("burn.unseen", unseen)
    if stated.value is BurnForgotten.GO_ON:
        return ()
    if stated.value is BurnForgotten.NEW_SHOE:
        return (e.ShoeToBeReplaced(case.paragraph, UNBURNT),)
    return (e.ShoeChoiceDue(case.paragraph),)


def forgotten_for_good(table: Table, now: int) -> Sequence[e.Event]:
    """The first hand is over and nobody has ruled; where no card was dealt in it, the burn is still to come.

    What the table has flagged has come to light in that hand, which was played to its end: what the book says of that
    follows. Where nobody has seen a card of it, the hand went by all the same.
    """
    found = next((incident for incident in table.incidents.values() if incident.family == "burn_forgotten"), None)
    if found is None:
        return ()
    if table.shoe.burn_due:
        return (e.IncidentClosed(found.number),)
    played, stated = table.last, table.policies.burn_forgotten_seen.value
    seen = played is not None and any(drawn.seen for drawn in played.cards)
    paragraph = table.irregularities.burn_forgotten.seen or found.paragraph
    if seen and stated is BurnForgotten.PLAYERS_CHOOSE:
        return (e.ShoeChoiceDue(paragraph), e.IncidentClosed(found.number))
    if seen and stated is BurnForgotten.NEW_SHOE:
        return (e.ShoeToBeReplaced(paragraph, UNBURNT), e.IncidentClosed(found.number))
    paragraph = table.irregularities.burn_forgotten.later or found.paragraph
    if table.policies.burn_forgotten_later.value is BurnForgotten.NEW_SHOE:
        return (e.ShoeToBeReplaced(paragraph, UNBURNT), e.IncidentClosed(found.number))
    noted = e.Noted("burn_forgotten", About.of("burn.too_late"), paragraph)
    return (noted, e.IncidentClosed(found.number))
