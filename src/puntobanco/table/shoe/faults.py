"""Cards that are not as they should be: a foreign one, too few or too many, not shuffled."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Literal

from msgspec.structs import replace

from puntobanco.rules import policies as p
from puntobanco.rules.policies import Stated
from puntobanco.rules.slots import CardsFault
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About, Words
from puntobanco.table.cases.incidents import opened
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.reopening import opened_again, still_paying
from puntobanco.table.settlement.voiding import voided
from puntobanco.table.shoe.copies import in_play, surplus
from puntobanco.table.shoe.lifetime import check_shoe
from puntobanco.table.state import PAYING, Round, Table

Fault = Literal["foreign_card", "wrong_card_set", "unshuffled"]
AT_FAULT = "cards_at_fault"
"""Cards that are not as they should be, where the book has no paragraph."""


def report_cards(table: Table, command: Command, body: c.ReportCards) -> Sequence[e.Event]:
    """A fault of the cards voids the round in progress and nothing before it; the shoe is over, or was."""
    if not table.shoe.number:
        check_shoe(table)
    if table.shoe.at_fault:
        raise Refused("already_there.reported")
    if not body.about.strip():
        raise Refused("bad_amount.what_happened")
    current = table.round
    if current is None or (table.phase is PAYING and still_paying(table) is None):
        current = None
    return _at_fault(table, current, body.fault, body.about.strip())


def _at_fault(table: Table, current: Round | None, fault: Fault, about: Words) -> Sequence[e.Event]:
    """Where the book says so the round in progress is void, else somebody rules on it."""
    stated: Stated[p.Fault] = getattr(table.policies, fault)
    ruled = stated.value is p.Fault.NOT_COVERED
    slots: CardsFault = getattr(table.irregularities, fault)
    paragraph = table.book.uncovered.paragraph if ruled else slots.rule
    found = e.CardsAtFault(fault, about, paragraph)
    if current is None:
        # what was settled stands
        return (replace(found, paragraph=slots.earlier or paragraph) if not ruled else found,)
    if not ruled:
        return (found, voided(table, current, slots.void or paragraph, about))
    again, table = opened_again(table, paragraph)
    return (found, *again, opened(table, AT_FAULT, about, reported=True))


def flag_surplus(table: Table, now: int) -> Sequence[e.Event]:
    """More copies of a card than the decks hold: flagged once for each, and no more once the record is put right.

    The set is not whole, or a card was read or keyed wrongly: the record alone cannot tell, so somebody rules on it.
    """
    shoe = table.shoe
    if shoe.at_fault:
        return _no_surplus_after_all(table) if shoe.surplus else ()
    if shoe.ended or not _copied(table):
        return ()
    more = surplus(table)
    if more.total() <= shoe.surplus or (table.round is not None and table.round.voided):
        return ()
    about = About.of("shoe.copies", count=table.settings.decks, cards=tuple(sorted(map(str, more))))
    paragraph = _surplus_paragraph(table)
    again, reopened = opened_again(table, paragraph or table.book.uncovered.paragraph)
    matter = opened(reopened, AT_FAULT, about, paragraph=paragraph, reported=True)
    found = e.CardsAtFault("wrong_card_set", about, matter.paragraph)
    return (found, *again, replace(matter, covered=bool(paragraph)))


def _copied(table: Table) -> bool:
    """Whether a card may have been seen more often than the decks hold: asked whenever cards were dealt.

    What other rounds have shown was looked at when it came, unless there is a reason to look at it anew.
    """
    shoe, decks = table.shoe, table.settings.decks
    before = shoe.faces
    if shoe.recount and max(before.values(), default=0) > decks:
        return True
    seen = [drawn.card for drawn in in_play(table) if drawn.turned and drawn.card is not None]
    # among so few cards none comes more often than this
    copies = 1 + len(seen) - len(set(seen))
    return bool(seen) and max(map(before.get, seen, repeat(0))) + copies > decks


def _surplus_paragraph(table: Table) -> str:
    """A card too many is one of a set that is not whole, or it does not belong to the set."""
    slots = table.irregularities
    return slots.wrong_card_set.rule or slots.foreign_card.rule


def _no_surplus_after_all(table: Table) -> Sequence[e.Event]:
    """A card was keyed wrongly, and the record has been put right since: nothing is left to rule on."""
    if surplus(table):
        return ()
    return tuple(
        e.IncidentClosed(found.number, unfounded=True)
        for found in table.incidents.values()
        if found.family == AT_FAULT and found.reported
    )


def too_many_cards(table: Table, current: Round, about: Words) -> Sequence[e.Event]:
    """More cards than the shoe should hold: the set is not whole."""
    if table.shoe.at_fault:
        raise Refused("cards.empty", table.irregularities.shoe_empty.rule)
    return _at_fault(table, current, "wrong_card_set", about)
