"""Disputes: a player, or one who has just left, raises one; staff take it on, step by step (reading V)."""

from __future__ import annotations

from collections.abc import Iterator

from puntobanco.table import commands as c
from puntobanco.table.commands import GROUNDS
from puntobanco.table.disputes.procedure import STEPS
from puntobanco.table.state import Dispute
from puntobanco.views.judge import Action, Ask, Judge
from puntobanco.views.ruling_actions import REASON


def of_player(judge: Judge, person: str) -> Iterator[Action]:
    """Disputing, and answering a decision. A player who has left may still dispute what happened in this shoe."""
    table = judge.table
    played = person in table.people or any(
        wager.person == person for each in table.known_rounds for wager in each.wagers.values()
    )
    if played:
        rounds = Ask("round", "amount", 1, table.rounds, optional=True)
        yield judge.action(c.RaiseDispute(person, REASON), Ask("about", "text"), *([rounds] if table.rounds else []))
    for dispute in table.disputes.values():
        if dispute.person == person:
            yield _answer(judge, dispute)


def _answer(judge: Judge, dispute: Dispute) -> Action:
    return judge.choose(c.AnswerDispute(dispute.person, dispute.number, True), "agrees", (True, False))


def of_staff(judge: Judge) -> Iterator[Action]:
    """The steps of every dispute that is open."""
    table = judge.table
    for person in table.people.values():
        if not person.staff:
            yield judge.action(c.RaiseDispute(person.id, REASON), Ask("about", "text"))
    grounds = Ask("grounds", "some", 1, len(GROUNDS), choices=GROUNDS)
    for number, dispute in table.disputes.items():
        steps = tuple(STEPS)
        note = c.NoteOnDispute(number, "resolved", REASON)
        yield judge.choose(note, "what", steps, Ask("note", "text"))
        pays = Ask("pays", "amount", -table.stack(dispute.person), optional=True)
        decision = c.DecideDispute(number, REASON, ("game_rules",))
        yield judge.action(decision, Ask("decision", "text"), grounds, pays)
        yield _answer(judge, dispute)
