"""The shoe from its shuffle to its end: put into play, cut, taken out of use."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.cards import CARDS_IN_DECK
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About, Words
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.state import Table


def new_shoe(table: Table, command: Command, body: c.NewShoe) -> Sequence[e.Event]:
    """A shoe comes into play."""
    if table.round is not None:
        raise Refused("round_open", round=table.round.number)
    if not table.shoe.ended:
        raise Refused("shoe_in_use", number=table.shoe.number)
    if any(incident.true_cards for incident in table.incidents.values()):
        raise Refused("flagged.old_shoe")
    if not body.evidence.strip():
        raise Refused("bad_amount.shuffle")
    _check_commitment(table, body.commitment)
    return (
        e.ShoeStarted(
            table.shoe.number + 1,
            table.settings.decks * CARDS_IN_DECK,
            body.evidence.strip(),
            body.commitment,
            table.settings.shuffler,
        ),
    )


def _check_commitment(table: Table, commitment: str) -> None:
    """Only a shoe that knows the order it deals by can commit to it, and reveal it once it is used up."""
    if commitment and not table.settings.electronic:
        raise Refused("cards.commitment")


def check_shoe(table: Table) -> None:
    """Refuse to go on without a shoe in use."""
    if table.shoe.ended:
        raise Refused("no_shoe")


def cut(table: Table, command: Command, body: c.CutShoe) -> Sequence[e.Event]:
    """By a player or the dealer, before the first card."""
    check_shoe(table)
    if table.settings.shuffler:
        raise Refused("cards.shuffler")
    if table.shoe.drawn:
        raise Refused("cards.cut_late")
    if body.person not in table.people:
        raise Refused("unknown_person", person=body.person)
    if not 1 <= body.position < table.shoe.size:
        raise Refused("bad_amount.cut", count=table.shoe.size - 1)
    return (e.ShoeCut(body.person, body.position, table.procedures.cut_card.cuts),)


def end_shoe(table: Table, command: Command, body: c.EndShoe) -> Sequence[e.Event]:
    """The shoe is taken out of use."""
    check_shoe(table)
    if table.round is not None:
        raise Refused("round_open", round=table.round.number)
    return (_ended(table, body.reason.strip()),)


def return_cards(table: Table, command: Command, body: c.ReturnCards) -> Sequence[e.Event]:
    """What lies in the discard holder goes back into the shuffler while no card of a round is out."""
    if not table.settings.shuffler:
        raise Refused("cards.no_shuffler")
    check_shoe(table)
    if not table.to_return:
        raise Refused("cards.none_to_return")
    _check_commitment(table, body.commitment)
    return (e.CardsReturned(table.shoe.discards, body.commitment),)


def _ended(table: Table, reason: Words) -> e.ShoeEnded:
    shoe = table.shoe
    return e.ShoeEnded(shoe.number, shoe.drawn, shoe.discards + len(table.carried), reason)


def end_when_over(table: Table, now: int) -> Sequence[e.Event]:
    """The shoe is over when no round is left after the Cut Card, or no card, or its cards are not to be used."""
    shoe = table.shoe
    if shoe.ended or table.blocked:
        return ()
    if shoe.at_fault:
        return (_ended(table, About.of("shoe.at_fault")),)
    if shoe.to_replace:
        return (_ended(table, About.of("shoe.replaced")),)
    if shoe.rounds_left != 0 and (shoe.left > 0 or table.carried or table.to_return):
        return ()
    return (_ended(table, About.of("shoe.last_round" if shoe.left else "shoe.empty")),)
