"""What a live table remembers of its rounds, so that one can be played again with its record put right."""

from __future__ import annotations

from msgspec.structs import replace

from puntobanco.table import events as e
from puntobanco.table.commands import Command
from puntobanco.table.state import Journal, Step, Table

ABOUT_A_ROUND = (e.InsuranceMissed, e.IntentionNoted, e.InsuranceMoved, e.BetsReturned, e.CardsTold)
"""What may be found or ruled about a round after it was settled."""


def remembered(before: Table, command: Command, events: tuple[e.Event, ...], after: Table) -> Table:
    """The table after a command, with what it remembers. An electronic table's record is the felt (reading A)."""
    if after.settings.electronic:
        return after
    # who gave it, when and what: its id and what it was made against say nothing of the round
    step, current = Step(Command("", command.actor, command.at, command.body), events), after.round
    after = _of_rounds_over(after, step)
    for journal in (before.journal, after.journal):
        if journal is not None and (journal is after.journal or journal.round != _number(after.journal)):
            after = _with_step(after, journal.round, step)
    journal = after.journal
    if journal is not None and (current is None or current.number != journal.round):
        return replace(after, journal=None, journals=_known(after) | {journal.round: journal})
    if current is None or not current.closed:
        return after if journal is None else replace(after, journal=None)
    if journal is None and current.number in after.journals:  # a round that is played on
        others = {number: each for number, each in after.journals.items() if number != current.number}
        return replace(after, journal=after.journals[current.number], journals=others)
    return after


def _number(journal: Journal | None) -> int:
    return journal.round if journal is not None else 0


def _with_step(table: Table, number: int, step: Step) -> Table:
    journal = table.journal
    if journal is not None and journal.round == number:
        return replace(table, journal=replace(journal, steps=(*journal.steps, step)))
    if number not in table.journals:
        return table
    journal = table.journals[number]
    return replace(table, journals=table.journals | {number: replace(journal, steps=(*journal.steps, step))})


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
