"""What became of squeezes that were asked for."""

from __future__ import annotations

from typing import Literal

from puntobanco.cards import Side
from puntobanco.table.base import Event


class SqueezeAsked(Event, tag="squeeze_asked", frozen=True):
    """Somebody asked to squeeze."""

    person: str
    hand: Side
    paragraph: str
    early: Literal["", "squeeze", "expose"] = ""


class SqueezeAnswered(Event, tag="squeeze_answered", frozen=True):
    """A granted early squeeze waives the insurance window after Player's third card for everybody."""

    person: str
    hand: Side
    granted: bool
    paragraph: str
    early: Literal["", "squeeze", "expose"] = ""


class SqueezeBarred(Event, tag="squeeze_barred", frozen=True):
    """Somebody may not squeeze in this round."""

    person: str
    paragraph: str
    reason: str = ""


SqueezeEvent = SqueezeAsked | SqueezeAnswered | SqueezeBarred
