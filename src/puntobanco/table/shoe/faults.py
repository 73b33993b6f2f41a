"""Cards that are not as they should be: a foreign one, too few or too many, not shuffled."""

from __future__ import annotations

from collections.abc import Sequence

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.cases.incidents import opened
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.reopening import opened_again, still_paying
from puntobanco.table.settlement.voiding import voided
from puntobanco.table.shoe.lifetime import check_shoe
from puntobanco.table.state import PAYING, Round, Table

AT_FAULT = "cards_at_fault"
"""Cards that are not as they should be, where the book has no paragraph."""


def report_cards(table: Table, command: Command, body: c.ReportCards) -> Sequence[e.Event]:
    """A fault of the cards voids the round in progress and nothing before it; the shoe is over, or was."""
    if not table.shoe.number:
        check_shoe(table)
    if table.shoe.at_fault:
        raise Refused("already_there", "the cards of this shoe are reported already")
    if not body.about.strip():
        raise Refused("bad_amount", "say what is wrong with the cards")
    paragraph = table.irregularity(body.fault)
    fault = e.CardsAtFault(body.fault, body.about.strip(), paragraph or table.book.uncovered.paragraph)
    current = table.round
    if current is None or (table.phase is PAYING and still_paying(table) is None):
        return (fault,)
    if paragraph:
        return (fault, voided(table, current, paragraph, body.about.strip()))
    again, table = opened_again(table, fault.paragraph)
    return (fault, *again, opened(table, AT_FAULT, body.about.strip(), reported=True))


def too_many_cards(table: Table, current: Round, about: str) -> Sequence[e.Event]:
    """More cards than the shoe should hold: the set is not whole."""
    paragraph = table.irregularity("wrong_card_set")
    if table.shoe.at_fault:
        raise Refused("cards", "the shoe is empty, and that is reported", table.irregularity("shoe_empty"))
    fault = e.CardsAtFault("wrong_card_set", about, paragraph or table.book.uncovered.paragraph)
    if paragraph:
        return (fault, voided(table, current, paragraph, about))
    return (fault, opened(table, AT_FAULT, about))
