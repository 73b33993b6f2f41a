"""What all commands, events and rulings are built on: their bases, transfers, and the two hands by name."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from puntobanco.cards import BANKER as BANKER
from puntobanco.cards import PLAYER as PLAYER

HOUSE = "house"
"""The operator's own system as an actor: it opens tables and signs staff on."""


Need = Literal["own", "anybody", "deals", "speaks", "manages", "bars_squeeze", "disputes_first", "disputes_decided"]
"""What the book must let somebody do (``table.authority``)."""
OWN: Need = "own"
"""The player, or staff for any player."""
DEALS: Need = "deals"


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", gc=False):
    """Base of all commands."""

    needs: ClassVar[Need] = DEALS
    """What it takes to give the command."""


class Transfer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Money from one named account to another; what leaves the one reaches the other, so sums are always zero."""

    source: str
    target: str
    amount: int


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True, gc=False):
    """Base of all events."""


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="ruling"):
    """Base of all rulings."""


def kind_of(ruling: Ruling | type[Ruling]) -> str:
    """A ruling's name, as it stands in the log."""
    return str(ruling.__struct_config__.tag)
