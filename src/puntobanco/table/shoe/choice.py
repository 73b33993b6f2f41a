"""The players choose whether a shoe goes on that was not burnt."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.commands import Command
from puntobanco.table.people.lookup import find_player
from puntobanco.table.refusals import Refused
from puntobanco.table.state import IDLE, Table


def ask_about_shoe(table: Table, now: int) -> Sequence[e.Event]:
    """The hand is over: every player at the table says whether the cards are to be replaced."""
    shoe = table.shoe
    if shoe.ended or (shoe.choosing is None and not shoe.choice_due):
        return ()
    paragraph = table.irregularities.burn_forgotten.players_choose or table.book.uncovered.paragraph
    if shoe.choice_due:
        players = tuple(person.id for person in table.people.values() if not person.staff)
        gone = (e.ShoeChosen(person, True, paragraph) for person in players if person in table.absent)
        return (e.ShoeChoiceGiven(players, paragraph), *gone)
    if shoe.choosing:
        return ()
    wanted = {"any": 1, "majority": shoe.choices // 2 + 1, "all": max(shoe.choices, 1)}[table.settings.unburnt_shoe]
    if shoe.asking >= wanted:
        return (e.ShoeToBeReplaced(paragraph, About.of("shoe.asked")),)
    return (e.ShoeKept(paragraph),)


def choose_shoe(table: Table, command: Command, body: c.TakeOption) -> Sequence[e.Event]:
    """A player's answer between rounds: go on with the shoe, or have the cards replaced."""
    person = find_player(table, body.person)
    choosing = table.shoe.choosing
    paragraph = table.irregularities.burn_forgotten.players_choose or table.book.uncovered.paragraph
    if table.phase is not IDLE or choosing is None or person.id not in choosing:
        raise Refused("no_options.person", paragraph, person=person.id)
    return (e.ShoeChosen(person.id, body.goes_on, paragraph),)
