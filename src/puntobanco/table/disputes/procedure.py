"""Disputes (reading V): raised, taken to the Pit Manager, facts gathered, decided on named grounds, accepted or not.

A dispute neither stops play nor holds money. What its decision changes is posted anew, once a second person has
confirmed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from puntobanco.rules.model import NO_RANK, Rank
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.commands import Command
from puntobanco.table.disputes.commands import GROUNDS
from puntobanco.table.disputes.state import Dispute
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement.rulings import Pay
from puntobanco.table.state import Table

Step = Literal["raised", "facts", "time_frame", "decided", "disagreement", "complaint"]
"""The slots of a dispute's paragraphs."""


def _paragraph(table: Table, step: Step) -> str:
    known: str = getattr(table.irregularities.disputes, step)
    return known or table.book.uncovered.paragraph


def _ground(table: Table, ground: str) -> str:
    known: str = getattr(table.irregularities.dispute_grounds, ground)
    return known or table.book.uncovered.paragraph


def deciding_rank(table: Table) -> Rank:
    """Who decides."""
    return table.book.ranks.of(table.book.authority.disputes_decided.rank)


def noting_rank(table: Table, what: str) -> Rank:
    """Who takes a step: the inquiry, and that no complaint is wanted, is for the rank that decides.

    What the player is told, and helped with, the books leave to the staff: any supervisor may.
    """
    if what in ("facts", "surveillance", "complaint_waived"):
        return deciding_rank(table)
    return table.book.ranks.of(table.book.authority.disputes_first.rank)


def _find(table: Table, number: int) -> Dispute:
    dispute = table.disputes.get(number)
    if dispute is None:
        raise Refused("unknown_request.dispute", _paragraph(table, "raised"), number=number)
    return dispute


def _check_right(table: Table, actor: str, dispute: Dispute, rank: Rank, paragraph: str) -> None:
    if actor == dispute.person:
        raise Refused("second_person.dispute", paragraph, person=actor)
    if table.rank_of(actor) < rank:
        raise Refused("rank.needed", paragraph, rank=rank.code)


def outlives(table: Table, body: c.Body) -> bool:
    """Whether a command is about what its table's closing does not end: disputes (HO 8.5, 8.6), suspects (3.2.7)."""
    if isinstance(body, c.Approve | c.Decline):
        proposal = table.proposals.get(body.proposal)
        return proposal is not None and isinstance(proposal.ruling, Pay) and bool(proposal.ruling.dispute)
    if isinstance(body, c.SignOn):
        return bool(table.disputes or table.suspects)  # whoever takes it on need not have worked here
    if isinstance(body, c.ResolveSuspect):
        return bool(table.suspects)
    return isinstance(body, c.RaiseDispute | c.NoteOnDispute | c.DecideDispute | c.AnswerDispute)


def raise_dispute(table: Table, command: Command, body: c.RaiseDispute) -> Sequence[e.Event]:
    """By a player, or by staff for one; also by somebody who has just left."""
    if not body.person or not body.about.strip():
        raise Refused("bad_amount.dispute", _paragraph(table, "raised"))
    if table.rank_of(body.person) is not NO_RANK:
        raise Refused("rank.staff", table.book.deals.paragraph, person=body.person)
    if not 0 <= body.round <= table.rounds:
        raise Refused("no_round.unknown", _paragraph(table, "raised"), round=body.round)
    number = table.disputes_so_far + 1
    return (e.DisputeRaised(number, body.person, body.about.strip(), _paragraph(table, "raised"), body.round),)


def note(table: Table, command: Command, body: c.NoteOnDispute) -> Sequence[e.Event]:
    """A step on the way. A supervisor tries first; what the supervisor cannot resolve goes to the Pit Manager."""
    dispute = _find(table, body.dispute)
    if not body.note.strip():
        raise Refused("bad_amount.statement", _paragraph(table, "raised"))
    what, paragraph = body.what, _paragraph(table, STEPS[body.what])
    _check_right(table, command.actor, dispute, noting_rank(table, what), paragraph)
    if what in ("resolved", "escalated") and dispute.escalated:
        raise Refused("dispute.escalated", paragraph, number=dispute.number)
    if what in ("facts", "surveillance", "time_frame") and not dispute.escalated:
        raise Refused("dispute.not_escalated", paragraph, number=dispute.number)
    if what in ("facts", "surveillance", "time_frame") and dispute.decision:
        raise Refused("dispute.decided", paragraph, number=dispute.number)
    if what in ("right_told", "complaint_filed", "complaint_waived") and dispute.agreed is not False:
        raise Refused("dispute.no_disagreement", paragraph, person=dispute.person)
    if what in ("complaint_filed", "complaint_waived") and not dispute.right_told:
        raise Refused("dispute.right_first", paragraph, person=dispute.person)
    return (e.DisputeNoted(dispute.number, what, body.note.strip(), paragraph, command.actor),)


STEPS: dict[str, Step] = {
    "resolved": "raised",
    "escalated": "raised",
    "facts": "facts",
    "surveillance": "facts",
    "time_frame": "time_frame",
    "right_told": "disagreement",
    "complaint_filed": "complaint",
    "complaint_waived": "disagreement",
}
"""Step → the paragraph it stands in."""


def decide(table: Table, command: Command, body: c.DecideDispute) -> Sequence[e.Event]:
    """With at least one ground, when the facts are gathered and Surveillance is informed."""
    dispute = _find(table, body.dispute)
    paragraph = _paragraph(table, "decided")
    _check_right(table, command.actor, dispute, deciding_rank(table), paragraph)
    if dispute.decision:
        raise Refused("dispute.decided", paragraph, number=dispute.number)
    if not (dispute.escalated and dispute.facts and dispute.surveillance):
        raise Refused("dispute.too_early", _paragraph(table, "facts"))
    if not body.decision.strip():
        raise Refused("bad_amount.statement", paragraph)
    if not body.grounds or len(set(body.grounds)) != len(body.grounds):
        raise Refused("dispute.grounds", paragraph)
    grounds = tuple(ground for ground in GROUNDS if ground in body.grounds)
    cited = tuple(_ground(table, ground) for ground in grounds)
    if body.pays < 0 and not table.open:
        raise Refused("dispute.closed", paragraph, person=dispute.person)
    said = body.decision.strip()
    decided = e.DisputeDecided(dispute.number, said, grounds, cited, paragraph, command.actor, body.pays)
    if not body.pays:
        return (decided,)
    pays = Pay(dispute.person, body.pays, dispute.number, _given(table, dispute))
    needs = deciding_rank(table).code
    number = table.proposals_so_far + 1
    reason = About.of("dispute", number=dispute.number)
    return (decided, e.RulingProposed(number, 0, pays, command.actor, needs, paragraph, reason))


def _given(table: Table, dispute: Dispute) -> int:
    """What the round in dispute has given the person, as it was settled last."""
    found = next((each for each in table.known_rounds if each.number == dispute.round), None)
    return 0 if found is None else sum(line.profit for line in found.lines if line.person == dispute.person)


def answer(table: Table, command: Command, body: c.AnswerDispute) -> Sequence[e.Event]:
    """The player agrees, even after second thoughts, and the dispute is over; or is told of the right to complain."""
    dispute = _find(table, body.dispute)
    paragraph = _paragraph(table, "decided" if body.agrees else "disagreement")
    if dispute.person != body.person:
        raise Refused("not_yours.dispute", paragraph, number=dispute.number, person=dispute.person)
    if not dispute.decision:
        raise Refused("dispute.not_decided", paragraph, number=dispute.number)
    if dispute.agreed is not None and not body.agrees:
        raise Refused("already_there.answered", paragraph, person=body.person)
    return (e.DisputeAnswered(dispute.number, body.person, body.agrees, paragraph),)
