"""The shoe in use."""

from __future__ import annotations

import msgspec

from puntobanco.cards import Card
from puntobanco.table.cards.state import Drawn


class Seeds(msgspec.Struct, frozen=True, gc=False):
    """What is asked of players before the shoe is mixed."""

    until: int
    due: bool = False
    """Whether pledges are over and seeds are shown."""
    pledges: dict[str, str] = {}
    """By person, in the order in which they came."""
    shown: dict[str, str] = {}


class Shoe(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The shoe in use. Cards are counted, their order is not known here."""

    number: int = 0
    size: int = 0
    commitment: str = ""
    """What an electronic shoe published about its order."""
    mixed: int = 0
    """How often discards went back into the shuffler."""
    seeds: Seeds | None = None
    """What is asked for before the first card; None where nothing is, or nothing is left to ask."""
    unkept: frozenset[str] = frozenset()
    """Who did not show a seed that was pledged, for this shoe or an earlier one."""
    was_cut: bool = False
    drawn: int = 0
    """Cards that are out of it; what went back in has not left it."""
    burnt: int = 0
    burn_due: bool = False
    discards: int = 0
    aside: tuple[Drawn, ...] = ()
    """Of those in the discard holder, the cards that were in no round: burnt, or still waiting when the shoe ended."""
    faces: dict[Card, int] = {}
    """How often each card was seen among those in the discard holder, but for the round in progress."""
    shown: int | None = None
    """How many cards had left the shoe when the next one was found face up in it; None where none was."""
    rounds: int = 0
    rounds_left: int | None = None
    """After the Cut Card: rounds that may still be called."""
    cut_seen: bool = False
    cut_next: bool = False
    """Whether the Cut Card was seen between rounds: it is the first card of the next."""
    recount: bool = False
    """Whether its faces are looked at anew: an earlier round was put right, cards went aside, or a round was void."""
    at_fault: bool = False
    surplus: int = 0
    """Cards beyond what its decks hold, when that was flagged last."""
    to_replace: bool = False
    """Whether the cards are replaced when the round is over."""
    choice_due: bool = False
    """Whether the players are asked after the round if the shoe goes on."""
    choosing: frozenset[str] | None = None
    """Who has not answered that yet; None where nobody is asked."""
    choices: int = 0
    asking: int = 0
    """Of those asked, how many want the cards replaced."""
    ended: bool = True

    @property
    def left(self) -> int:
        return self.size - self.drawn
