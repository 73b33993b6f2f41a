"""Rulings proposed by staff, and approved or declined by another person with the rank.

Nobody approves a proposal that is their own, and a proposal is approved once. Where the book leaves nothing to judge,
the dealer's word is enough and takes effect at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from puntobanco.rules.model import NO_RANK, Rank
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import About, Words
from puntobanco.table.amendments import effects as amendments
from puntobanco.table.amendments.amending import can_be_amended, not_confirmed
from puntobanco.table.cases import effects, late_discovery
from puntobanco.table.cases.remedies import AMENDMENTS, CORRECTIONS, Case, choice_for
from puntobanco.table.cases.state import Incident, Proposal
from puntobanco.table.commands import Command
from puntobanco.table.refusals import Refused
from puntobanco.table.settlement import debts
from puntobanco.table.state import Table

NEEDS_REASON = (
    r.VoidRound,
    r.AsItLies,
    r.GiveOptions,
    r.SetStake,
    r.ReplaceShoe,
    r.Pay,
    r.WriteOff,
    r.LetStand,
    r.Dismiss,
    *CORRECTIONS,
)
"""Rulings that somebody will want to know the reason of."""


Effect = Callable[[Case, Any], Sequence[e.Event]]
EFFECTS: dict[type[r.Ruling], Effect] = effects.EFFECTS | late_discovery.EFFECTS | amendments.EFFECTS
"""Ruling → what it leads to."""


def carry_out(case: Case, ruling: r.Ruling) -> Sequence[e.Event]:
    """The events that a ruling leads to; refused where it cannot be carried out."""
    return EFFECTS[type(ruling)](case, ruling)


def can_carry_out(case: Case, ruling: r.Ruling) -> Sequence[e.Event]:
    """Refuse what could not be carried out, without playing a round again."""
    return can_be_amended(case, ruling) if isinstance(ruling, AMENDMENTS) else carry_out(case, ruling)


def propose(table: Table, command: Command, body: c.Propose, reason: Words = "") -> Sequence[e.Event]:
    """A ruling that the book allows and that can be carried out now; the reason, where nobody has to give one."""
    return _proposed(table, command, body, carry_out, reason)


def can_propose(table: Table, command: Command, body: c.Propose) -> Sequence[e.Event]:
    """Refuse what :func:`propose` would."""
    return _proposed(table, command, body, can_carry_out)


def _proposed(
    table: Table, command: Command, body: c.Propose, carry_out: Effect, reason: Words = ""
) -> Sequence[e.Event]:
    incident = _incident(table, body.incident)
    if isinstance(body.ruling, r.CorrectBet) and body.ruling.found:
        raise Refused("bad_amount.found_chips")
    if isinstance(body.ruling, r.CorrectOrder) and body.ruling.became:
        raise Refused("bad_amount.order")
    if isinstance(body.ruling, r.Pay) and (body.ruling.dispute or body.ruling.given):
        raise Refused("bad_amount.dispute_payment")
    choice = choice_for(table, body.ruling, incident)
    reason = reason or body.reason.strip()
    at_discretion = incident is not None and not incident.covered and incident.family != debts.DEBT
    if not reason and (at_discretion or isinstance(body.ruling, NEEDS_REASON)):
        raise Refused("reason", choice.paragraph)
    case = Case(table, incident, choice.paragraph, reason, command.at)
    effects = can_carry_out(case, body.ruling) if choice.second else carry_out(case, body.ruling)
    if choice.second:
        ruling = _of_this_round(table, body.ruling)
        if any((other.incident, other.ruling) == (body.incident, ruling) for other in table.proposals.values()):
            raise Refused("already_there.proposed", choice.paragraph)
        number = table.proposals_so_far + 1
        return (
            e.RulingProposed(number, body.incident, ruling, command.actor, choice.by.code, choice.paragraph, reason),
        )
    given = e.RulingGiven(body.incident, body.ruling, choice.paragraph, command.actor, reason=reason)
    return (given, *effects)


def _of_this_round(table: Table, ruling: r.AnyRuling) -> r.AnyRuling:
    """A correction of the round in progress is one of that round, whenever it is approved."""
    if isinstance(ruling, AMENDMENTS) and not ruling.round:
        return replace(ruling, round=table.rounds)
    return ruling


def approve(table: Table, command: Command, body: c.Approve) -> Sequence[e.Event]:
    """A second person approves a proposal, and it takes effect."""
    proposal = _proposal(table, body.proposal)
    if command.actor == proposal.by:
        raise Refused("second_person.proposed", proposal.paragraph, person=command.actor)
    _check_decided(table, command.actor, proposal.rank, table.book.ranks.of(proposal.needs), proposal.paragraph)
    incident = _incident(table, proposal.incident)
    if command.actor in (getattr(proposal.ruling, "person", ""), incident.person if incident else ""):
        raise Refused("second_person.concerned", proposal.paragraph, person=command.actor)
    choice = choice_for(table, proposal.ruling, incident)
    # the incident may have changed since: who may approve is asked of the table as it is now
    _check_decided(table, command.actor, proposal.rank, choice.by, choice.paragraph)
    effects = carry_out(Case(table, incident, choice.paragraph, proposal.reason, command.at), proposal.ruling)
    given = e.RulingGiven(
        proposal.incident,
        proposal.ruling,
        choice.paragraph,
        proposal.by,
        command.actor,
        proposal.number,
        proposal.reason,
    )
    return (given, *effects)


def decline(table: Table, command: Command, body: c.Decline) -> Sequence[e.Event]:
    """By somebody with the rank, or taken back by its proposer. Chips that were found go back (reading Z)."""
    proposal = _proposal(table, body.proposal)
    if isinstance(proposal.ruling, r.CorrectBet) and proposal.ruling.found:
        return _not_confirmed(table, command, body, proposal, proposal.ruling)
    if command.actor != proposal.by:
        _check_decided(table, command.actor, NO_RANK, table.book.ranks.of(proposal.needs), proposal.paragraph)
    return (e.RulingDeclined(proposal.number, command.actor, body.reason.strip()),)


def _not_confirmed(
    table: Table, command: Command, body: c.Decline, proposal: Proposal, found: r.CorrectBet
) -> Sequence[e.Event]:
    """A second person says that the chips were not there in time: the finder cannot take that back alone."""
    if command.actor == proposal.by:
        raise Refused("second_person.found", proposal.paragraph, person=command.actor)
    _check_decided(table, command.actor, NO_RANK, table.book.ranks.of(proposal.needs), proposal.paragraph)
    reason: Words = body.reason.strip() or About.of("not_confirmed")
    back = not_confirmed(Case(table, None, proposal.paragraph, reason, command.at), found)
    return (e.RulingDeclined(proposal.number, command.actor, body.reason.strip()), *back)


def _proposal(table: Table, number: int) -> Proposal:
    proposal = table.proposals.get(number)
    if proposal is None:
        raise Refused("unknown_request.proposal", number=number)
    return proposal


def _check_decided(table: Table, actor: str, proposed: Rank, needs: Rank, paragraph: str) -> None:
    """One of the two has the rank that decides; where that is who proposed it, any other staff is the witness (Z)."""
    if table.rank_of(actor) < table.book.deals or max(table.rank_of(actor), proposed) < needs:
        raise Refused("rank.needed", paragraph or needs.paragraph, rank=needs.code)


def _incident(table: Table, number: int) -> Incident | None:
    if number == 0:
        return None
    incident = table.incidents.get(number)
    if incident is None:
        raise Refused("unknown_request.incident", number=number)
    return incident
