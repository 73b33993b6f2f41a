"""What went wrong and what was ruled on it, the players' options, and corrections of the record."""

from __future__ import annotations

from typing import Literal

from puntobanco.cards import Card
from puntobanco.table.about import Words
from puntobanco.table.base import Event, Transfer
from puntobanco.table.rulings import AnyRuling


class IncidentOpened(Event, tag="incident_opened", frozen=True):
    """Something went wrong, and waits for a ruling. ``blocks``: play stops until then."""

    number: int
    family: str
    about: Words
    paragraph: str
    round: int = 0
    cards: tuple[int, ...] = ()
    true_cards: tuple[Card, ...] = ()
    """The cards of a round that is over, as they really left the shoe."""
    person: str = ""
    blocks: bool = True
    covered: bool = True
    """Whether the book has a paragraph for it."""
    reported: bool = False
    """Whether it rests on somebody's word alone, and can turn out unfounded."""
    what: str = ""
    """What was reported of a round that is over."""


class IncidentClosed(Event, tag="incident_closed", frozen=True):
    """The incident is dealt with, or the report was dismissed as unfounded."""

    number: int
    unfounded: bool = False


class Noted(Event, tag="noted", frozen=True):
    """Something went wrong that changes nothing: the book says how it counts."""

    family: str
    about: Words
    paragraph: str
    round: int = 0
    """The round it was in, where that is over."""
    cards: tuple[int, ...] = ()
    """Cards of the round in progress; those that wait for theirs are counted on after them."""


class RulingProposed(Event, tag="ruling_proposed", frozen=True):
    """A ruling waits for somebody of that rank or above, other than the person who proposed it."""

    number: int
    incident: int
    ruling: AnyRuling
    by: str
    needs: str
    paragraph: str
    reason: Words = ""


class RulingGiven(Event, tag="ruling_given", frozen=True):
    """A ruling takes effect: approved by somebody with the rank, or given where no approval is needed."""

    incident: int
    ruling: AnyRuling
    paragraph: str
    by: str
    """Who proposed it."""
    approved_by: str = ""
    proposal: int = 0
    reason: Words = ""


class RulingDeclined(Event, tag="ruling_declined", frozen=True):
    """A ruling that was proposed is not given."""

    proposal: int
    by: str
    reason: Words = ""


class OptionsGiven(Event, tag="options_given", frozen=True):
    """Each player with bets goes on or takes them back; play waits for the answers."""

    people: tuple[str, ...]
    paragraph: str
    go_on: str
    """The paragraph of going on."""
    take_back: str
    """The paragraph of taking back."""
    incident: int = 0
    """What they are given for, if for something in particular."""
    all_back: Literal["over", "free_hand", "new_shoe"] = "over"
    """What follows if everybody takes back: the round is over, goes on without money, or takes the shoe along."""


class OptionTaken(Event, tag="option_taken", frozen=True):
    """A player goes on, or took all bets back."""

    person: str
    goes_on: bool
    paragraph: str
    transfers: tuple[Transfer, ...] = ()
    by: str = ""


class PlayInterrupted(Event, tag="play_interrupted", frozen=True):
    """Play was interrupted. ``until`` is the new end of the betting time, where it starts again."""

    about: str
    lost: bool
    paragraph: str
    effect: Literal["bets_again", "goes_on", "void", "ruling"]
    until: int = 0


class Flagged(Event, tag="flagged", frozen=True):
    """Something is not as the book requires; the flag stays until it is dealt with."""

    flag: str
    about: Words
    paragraph: str = ""


class FlagCleared(Event, tag="flag_cleared", frozen=True):
    """What was flagged is put right, or stands as it lies."""

    flag: str
    about: Words
    stands: bool = False
    """Whether nothing was put right: the book sets no limit to what lies there."""


CasesEvent = (
    IncidentOpened
    | IncidentClosed
    | Noted
    | RulingProposed
    | RulingGiven
    | RulingDeclined
    | OptionsGiven
    | OptionTaken
    | PlayInterrupted
    | Flagged
    | FlagCleared
)
