"""The steps of a dispute."""

from __future__ import annotations

from typing import Literal, get_args

from puntobanco.table.base import OWN, Body

Ground = Literal[
    "game_rules",
    "published_information",
    "procedures",
    "internal_controls",
    "accounts",
    "surveillance",
    "other_evidence",
    "law",
]
"""What a decision in a dispute may rest on."""
GROUNDS: tuple[str, ...] = get_args(Ground)


class RaiseDispute(Body, tag="raise_dispute", frozen=True):
    """A player disputes something; it goes to the supervisor first."""

    needs = OWN
    person: str
    about: str
    round: int = 0


class NoteOnDispute(Body, tag="note_on_dispute", frozen=True):
    """A step on the way of a dispute, with what there is to say about it."""

    needs = "disputes_first"
    dispute: int
    what: Literal[
        "resolved",
        "escalated",
        "facts",
        "surveillance",
        "time_frame",
        "right_told",
        "complaint_filed",
        "complaint_waived",
    ]
    note: str


class DecideDispute(Body, tag="decide_dispute", frozen=True):
    """The decision, its grounds, and what the player is paid by it (below zero: pays)."""

    needs = "disputes_decided"
    dispute: int
    decision: str
    grounds: tuple[Ground, ...]
    pays: int = 0


class AnswerDispute(Body, tag="answer_dispute", frozen=True):
    """The player agrees with the decision, or does not."""

    needs = OWN
    person: str
    dispute: int
    agrees: bool


DisputesCommand = RaiseDispute | NoteOnDispute | DecideDispute | AnswerDispute
