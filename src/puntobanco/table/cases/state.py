"""What went wrong and waits for a ruling, the ruling that waits for approval, the players' options."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from puntobanco.cards import Card
from puntobanco.rules.model import NO_RANK, Rank
from puntobanco.table.about import Words
from puntobanco.table.rulings import AnyRuling

FlagKey: TypeAlias = tuple[str, Words]
"""What is flagged, and on what."""


class Incident(msgspec.Struct, frozen=True, kw_only=True):
    """Something that went wrong and waits for a ruling."""

    number: int
    family: str
    about: Words
    paragraph: str
    round: int = 0
    cards: tuple[int, ...] = ()
    true_cards: tuple[Card, ...] = ()
    person: str = ""
    blocks: bool = True
    covered: bool = True
    seen: frozenset[int] = frozenset()
    """The cards that lay open when it was noticed."""
    out: int = 0
    """How many were out then."""
    reported: bool = False
    """Whether it rests on somebody's word alone, and can turn out unfounded."""


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling that waits for approval."""

    number: int
    incident: int
    ruling: AnyRuling
    by: str
    needs: str
    """The rank that may approve it, or one above."""
    paragraph: str
    reason: Words
    rank: Rank = NO_RANK
    """That of the person who proposed it, at that moment."""


class Options(msgspec.Struct, frozen=True):
    """Players may go on or take their bets back, and who has not answered yet."""

    waiting: frozenset[str]
    go_on: str
    take_back: str
    all_back: str
