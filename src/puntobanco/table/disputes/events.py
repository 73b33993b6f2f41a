"""The way of a dispute."""

from __future__ import annotations

from typing import Literal

from puntobanco.table.base import Event


class DisputeRaised(Event, tag="dispute_raised", frozen=True):
    """A player disputes something."""

    number: int
    person: str
    about: str
    paragraph: str
    round: int = 0


class DisputeNoted(Event, tag="dispute_noted", frozen=True):
    """A step in a dispute."""

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
    paragraph: str
    by: str


class DisputeDecided(Event, tag="dispute_decided", frozen=True):
    """The decision and the paragraphs of its grounds. What it pays waits for a second person (reading Z)."""

    dispute: int
    decision: str
    grounds: tuple[str, ...]
    cited: tuple[str, ...]
    paragraph: str
    by: str
    pays: int = 0


class DisputeAnswered(Event, tag="dispute_answered", frozen=True):
    """The player agrees with the decision, or does not."""

    dispute: int
    person: str
    agrees: bool
    paragraph: str


DisputesEvent = DisputeRaised | DisputeNoted | DisputeDecided | DisputeAnswered
