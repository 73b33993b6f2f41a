"""What a live table remembers of its rounds, so that one can be played again with its record put right.

One command may end a round and begin the next, or tell of a round that is over while another is on. Each round
remembers its own part of what happened: cards of another would be dealt to it when it is played again.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.amendments.rerun import play_again
from puntobanco.table.cards.state import Drawn
from puntobanco.table.commands import Command
from puntobanco.table.state import Journal, JournalStep, Table

ABOUT_A_ROUND = (e.InsuranceMissed, e.IntentionNoted, e.InsuranceMoved, e.BetsReturned, e.CardsTold)
"""What may be found or ruled about a round after it was settled."""
OF_THE_TABLE = (e.RulingGiven, e.IncidentOpened)
"""What keeps its place among the steps of the round in progress, whichever round it is about."""

OF_A_ROUND = (e.RoundVoided, e.RoundPlayedAgain, e.RoundSettledAgain)
"""What names its round by ``number``."""


def remembered(before: Table, command: Command, events: tuple[e.Event, ...], after: Table) -> Table:
    """The table after a command, with what it remembers. An electronic table's record is the felt (reading A)."""
    if after.settings.electronic:
        return after
    # who gave it, when and what: its id and what it was made against say nothing of the round
    given, current = Command("", command.actor, command.at, command.body), after.round
    steps = [(number, JournalStep(given, share)) for number, share in _of_rounds_over(before, events)]
    for number, share, begun in _shares(before, events):
        again = any(isinstance(event, e.RoundReopened) for event in share)
        waiting = _drawn_since(before, before.journal_of(number)) if again else ()
        # what the command itself did lies before a round that it began
        body = c.Close() if begun else command.body
        steps.append((number, JournalStep(replace(given, body=body), tuple(share), waiting)))
    for number, step in steps:
        if step.events:
            after = _with_step(after, number, step)
    journal = after.journal
    if journal is not None and (current is None or current.number != journal.round):
        after = replace(after, journal=None, journals=_known(after) | {journal.round: journal})
        journal = None
    if current is None or not current.closed:
        return after if journal is None else replace(after, journal=None)
    if journal is None and current.number in after.journals:  # a round that is played on
        others = {number: each for number, each in after.journals.items() if number != current.number}
        return replace(after, journal=after.journals[current.number], journals=others)
    return after


def _shares(before: Table, events: Sequence[e.Event]) -> list[tuple[int, list[e.Event], bool]]:
    """The rounds in progress one after the other, with what happened in each, and whether it began here."""
    now = before.journal.round if before.journal is not None else 0
    number = before.round.number if before.round is not None else 0
    share: list[e.Event] = []
    shares = [(now, share, False)] if now else []
    for event in events:
        match event:
            case e.RoundCalled():
                number = event.number
            case e.BetsClosed() | e.FreeHandCalled():
                now = event.number if isinstance(event, e.FreeHandCalled) else number
                share = []
                shares.append((now, share, True))
            case e.RoundReopened() if event.number != now:
                now, share = event.number, [event]
                shares.append((now, share, False))
            case _ if now and (_about(event) in (0, now) or isinstance(event, OF_THE_TABLE)):
                share.append(event)
        if isinstance(event, e.RoundEnded):
            now = 0
    return shares


def _of_rounds_over(before: Table, events: Sequence[e.Event]) -> list[tuple[int, tuple[e.Event, ...]]]:
    """What was found or ruled about a round after it was over is remembered with it, and the ruling."""
    rounds = {event.round for event in events if isinstance(event, ABOUT_A_ROUND)} & before.journals.keys()
    return [
        (number, tuple(event for event in events if isinstance(event, e.RulingGiven) or _about(event) == number))
        for number in sorted(rounds)
    ]


def _about(event: e.Event) -> int:
    """The round that an event names; 0 for what happens in the round in progress, or in none."""
    if isinstance(event, OF_A_ROUND):
        return event.number
    return getattr(event, "round", 0)


def _drawn_since(table: Table, journal: Journal) -> tuple[Drawn, ...]:
    """The cards that wait, without those that the round was begun with or left over: these it knows."""
    known = play_again(journal, journal.amendments).carried
    return table.carried[len(known) :] if table.carried[: len(known)] == known else table.carried


def _with_step(table: Table, number: int, step: JournalStep) -> Table:
    journal = table.journal
    if journal is not None and journal.round == number:
        return replace(table, journal=replace(journal, steps=(*journal.steps, step)))
    if number not in table.journals:
        return table
    journal = table.journals[number]
    return replace(table, journals=table.journals | {number: replace(journal, steps=(*journal.steps, step))})


def _known(table: Table) -> dict[int, Journal]:
    """The journals of rounds that can still be put right."""
    # a round that is played on, and ends after the one that was called off for it, is not the last of them
    first = min((each.number for each in table.known_rounds), default=table.rounds)
    if first - 1 not in table.journals:
        return table.journals
    return {number: journal for number, journal in table.journals.items() if number >= first}
