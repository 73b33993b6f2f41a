"""What a live table remembers of its rounds, so that one can be played again with its record put right."""

from __future__ import annotations

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.state import Journal, Step, Table

ABOUT_A_ROUND = (e.InsuranceMissed, e.IntentionNoted, e.InsuranceMoved, e.BetsReturned)
"""What may happen to a round after it was settled, beside amendments."""


def remembered(before: Table, command: Command, events: tuple[e.Event, ...], after: Table) -> Table:
    """The table after a command, with what it remembers. An electronic table's record is the felt (reading A)."""
    if after.settings.electronic:
        return after
    step = Step(command, events)
    after = _of_rounds_over(after, step)
    current, journal = after.round, after.journal
    if journal is not None and before.journal is not None:
        journal = replace(journal, steps=(*journal.steps, step))
        if current is not None and current.number == journal.round and current.closed:
            return replace(after, journal=journal)
        after = replace(after, journal=None)
        if current is None or current.number != journal.round:
            after = replace(after, journals=_known(after) | {journal.round: journal})
    if current is not None and current.closed and after.journal is None:
        known = after.journals.get(current.number)
        if known is not None:  # a round that is played on
            others = {number: each for number, each in after.journals.items() if number != current.number}
            return replace(after, journal=known, journals=others)
        start = replace(after, past=(), previous=(), last=None, results=(), journals={})
        return replace(after, journal=Journal(current.number, start))
    return after


def _of_rounds_over(table: Table, step: Step) -> Table:
    """What was found or ruled about a round after it was over is remembered with it."""
    rounds = {event.round for event in step.events if isinstance(event, ABOUT_A_ROUND)} & table.journals.keys()
    if not rounds:
        return table
    told = {number: table.journals[number] for number in rounds}
    more = {number: replace(journal, steps=(*journal.steps, step)) for number, journal in told.items()}
    return replace(table, journals=table.journals | more)


def _known(table: Table) -> dict[int, Journal]:
    """The journals of rounds that can still be put right."""
    rounds = (*table.previous, *table.past)
    first = rounds[0].number if rounds else table.rounds
    if first - 1 not in table.journals:
        return table.journals
    return {number: journal for number, journal in table.journals.items() if number >= first}
