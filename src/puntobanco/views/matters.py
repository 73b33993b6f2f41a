"""What waits to be settled, as staff see it: incidents with their rulings, proposals, answers, debts, disputes.

A player sees only what concerns that player. What anybody sees, that play waits and by which paragraph, is in
:mod:`puntobanco.views.public`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from puntobanco.cards import Card, Side
from puntobanco.table import commands as c
from puntobanco.table.about import Words
from puntobanco.table.cases.remedies import choices
from puntobanco.table.commands import Command
from puntobanco.table.engine import refusal
from puntobanco.table.rulings import AnyRuling, kind_of
from puntobanco.table.state import Dispute, Incident, Proposal, Table, held_for, owed_by
from puntobanco.views.public import CardSeen, shoe_paragraph


class RulingSeen(msgspec.Struct, frozen=True):
    """A ruling that the book allows on an incident: the lowest rank that may give it, and by which paragraph."""

    kind: str
    rank: str
    paragraph: str
    approval: bool
    """Whether a second person of that rank approves it."""


class IncidentSeen(msgspec.Struct, frozen=True):
    """What went wrong, and what may be ruled on it."""

    number: int
    family: str
    about: Words
    paragraph: str
    round: int
    cards: tuple[int, ...]
    true_cards: tuple[Card, ...]
    """The cards of a round that is over, as they were reported."""
    person: str
    blocks: bool
    covered: bool
    rulings: tuple[RulingSeen, ...]


class ProposalSeen(msgspec.Struct, frozen=True):
    """A ruling that waits for approval: who proposed it, which rank it takes, and who at the table may approve it."""

    number: int
    incident: int
    ruling: AnyRuling
    by: str
    needs: str
    approvers: tuple[str, ...]
    paragraph: str
    reason: Words


class OptionsSeen(msgspec.Struct, frozen=True):
    """Who has not said yet whether the bets, or the shoe, go on."""

    about: Literal["bets", "shoe"]
    waiting: tuple[str, ...]
    go_on: str
    take_back: str


class OwnOption(msgspec.Struct, frozen=True):
    """What a player is asked: go on, or take the bets back (ask for new cards), each by its paragraph."""

    about: Literal["bets", "shoe"]
    go_on: str
    take_back: str


class Intended(msgspec.Struct, frozen=True):
    """Insurance that somebody had meant to take when it was not offered."""

    person: str
    hand: Side


class Sum(msgspec.Struct, frozen=True):
    """An amount and whose it is."""

    person: str
    amount: int


class DisputeSeen(msgspec.Struct, frozen=True):
    """A dispute that is open, and how far it has come; ``agreed`` is None until the player has answered."""

    number: int
    person: str
    about: str
    round: int
    escalated: bool
    facts: tuple[str, ...]
    surveillance: bool
    time_frame: str
    decision: str
    agreed: bool | None
    right_told: bool


class OwnDispute(msgspec.Struct, frozen=True):
    """A player's own dispute; what was found out stays with the House until it has decided."""

    number: int
    about: str
    round: int
    escalated: bool
    time_frame: str
    decision: str
    agreed: bool | None
    right_told: bool


class SuspectSeen(msgspec.Struct, frozen=True):
    """Chips or cash that may be counterfeit; nobody's name where they were the House's."""

    number: int
    what: Literal["chips", "cash"]
    amount: int
    about: str
    by: str
    person: str


class Matters(msgspec.Struct, frozen=True):
    """For staff: all that waits to be settled, and cards out of the shoe that wait for their round."""

    incidents: tuple[IncidentSeen, ...]
    proposals: tuple[ProposalSeen, ...]
    options: OptionsSeen | None
    intended: tuple[Intended, ...]
    carried: tuple[CardSeen, ...]
    """Counted on after the cards of the round, as they are when one is turned."""
    debts: tuple[Sum, ...]
    """Who owes the House how much."""
    held: tuple[Sum, ...]
    """Chips that the House keeps for people who are not at the table."""
    disputes: tuple[DisputeSeen, ...]
    suspects: tuple[SuspectSeen, ...] = ()


class Claims(msgspec.Struct, frozen=True):
    """What is open between one player and the House; also for one who has left."""

    owes: int
    held: int
    disputes: tuple[OwnDispute, ...]
    suspect: int = 0
    """Chips and cash of the player that may be counterfeit: held apart until that is known."""


def matters(table: Table, now: int) -> Matters:
    """Everything that waits to be settled."""
    current = table.round
    out = current.numbered if current else 0
    return Matters(
        tuple(_incident(table, incident) for incident in table.incidents.values()),
        tuple(_proposal(table, proposal, now) for proposal in table.proposals.values()),
        options(table),
        tuple(Intended(meant.person, meant.hand) for meant in current.intentions) if current else (),
        tuple(
            CardSeen(number, None, drawn.card if drawn.turned else None)
            for number, drawn in enumerate(table.carried, out + 1)
        ),
        tuple(Sum(person, -amount) for person, amount in _amounts(table, owed_by(""))),
        tuple(Sum(person, amount) for person, amount in _amounts(table, held_for(""))),
        tuple(_dispute(dispute) for dispute in table.disputes.values()),
        tuple(
            SuspectSeen(number, each.what, each.amount, each.about, each.by, each.person)
            for number, each in table.suspects.items()
        ),
    )


def _incident(table: Table, incident: Incident) -> IncidentSeen:
    return IncidentSeen(
        incident.number,
        incident.family,
        incident.about,
        incident.paragraph,
        incident.round,
        incident.cards,
        incident.true_cards,
        incident.person,
        incident.blocks,
        incident.covered,
        tuple(
            RulingSeen(kind_of(choice.kind), choice.by.code, choice.paragraph, choice.second)
            for choice in choices(table, incident)
        ),
    )


def _proposal(table: Table, proposal: Proposal, now: int) -> ProposalSeen:
    approval = c.Approve(proposal.number)
    staff = (person.id for person in table.people.values() if person.staff)
    return ProposalSeen(
        proposal.number,
        proposal.incident,
        proposal.ruling,
        proposal.by,
        proposal.needs,
        tuple(name for name in staff if refusal(table, Command("", name, now, approval)) is None),
        proposal.paragraph,
        proposal.reason,
    )


def options(table: Table) -> OptionsSeen | None:
    """Whose answers play waits for: about the bets of the round, or about the shoe."""
    if table.shoe.choosing:
        paragraph = shoe_paragraph(table)
        return OptionsSeen("shoe", tuple(sorted(table.shoe.choosing)), paragraph, paragraph)
    current = table.round
    if current is None or current.options is None:
        return None
    asked = current.options
    return OptionsSeen("bets", tuple(sorted(asked.waiting)), asked.go_on, asked.take_back)


def own_option(table: Table, name: str) -> OwnOption | None:
    """What one player is asked and has not answered."""
    asked = options(table)
    return OwnOption(asked.about, asked.go_on, asked.take_back) if asked and name in asked.waiting else None


def _amounts(table: Table, kind: str) -> list[tuple[str, int]]:
    """Accounts of one kind that hold something, by person."""
    return [
        (account.removeprefix(kind), amount)
        for account, amount in table.balances.items()
        if amount and account.startswith(kind)
    ]


def _dispute(dispute: Dispute) -> DisputeSeen:
    return DisputeSeen(
        dispute.number,
        dispute.person,
        dispute.about,
        dispute.round,
        dispute.escalated,
        dispute.facts,
        dispute.surveillance,
        dispute.time_frame,
        dispute.decision,
        dispute.agreed,
        dispute.right_told,
    )


def claims(table: Table, name: str) -> Claims | None:
    """What is open between a player and the House; None where nothing is."""
    owes = -table.balances.get(owed_by(name), 0)
    held = table.balances.get(held_for(name), 0)
    disputes = tuple(
        OwnDispute(
            dispute.number,
            dispute.about,
            dispute.round,
            dispute.escalated,
            dispute.time_frame,
            dispute.decision,
            dispute.agreed,
            dispute.right_told,
        )
        for dispute in table.disputes.values()
        if dispute.person == name
    )
    suspect = sum(each.amount for each in table.suspects.values() if each.person == name)
    return Claims(owes, held, disputes, suspect) if owes or held or disputes or suspect else None
