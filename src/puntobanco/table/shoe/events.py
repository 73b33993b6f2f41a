"""What happened to the shoe."""

from __future__ import annotations

from typing import Literal

from puntobanco.cards import Card
from puntobanco.table.about import Words
from puntobanco.table.base import Event


class ShoeStarted(Event, tag="shoe_started", frozen=True):
    """A shuffled shoe came into play, or a set of cards into the shuffler that deals."""

    number: int
    cards: int
    evidence: str
    commitment: str = ""
    shuffler: bool = False


class ShoeCut(Event, tag="shoe_cut", frozen=True):
    """Somebody cut the cards."""

    person: str
    position: int
    paragraph: str = ""


class SeedsAsked(Event, tag="seeds_asked", frozen=True):
    """Players may pledge seeds until then, except those who did not keep an earlier pledge."""

    until: int
    unkept: tuple[str, ...] = ()


class SeedPledged(Event, tag="seed_pledged", frozen=True):
    """A player pledged a seed."""

    person: str
    pledge: str


class SeedsDue(Event, tag="seeds_due", frozen=True):
    """Players who have pledged a seed must show it by then; no more are pledged."""

    until: int


class SeedShown(Event, tag="seed_shown", frozen=True):
    """A player showed the seed that was pledged."""

    person: str
    seed: str


class ShoeMixed(Event, tag="shoe_mixed", frozen=True):
    """The shoe is mixed by these seeds, in the order of their pledges; there may be none."""

    seeds: tuple[str, ...]
    withheld: tuple[str, ...] = ()
    """Who pledged a seed and did not show it."""


class CardsBurnt(Event, tag="cards_burnt", frozen=True):
    """Cards were burnt before the first round."""

    cards: tuple[Card | None, ...]
    paragraph: str = ""


class CutCardAppeared(Event, tag="cut_card_appeared", frozen=True):
    """``rounds_left`` may still be played, not counting this one."""

    rounds_left: int
    paragraph: str = ""


class ShoeEnded(Event, tag="shoe_ended", frozen=True):
    """The shoe went out of use."""

    number: int
    drawn: int
    discards: int
    reason: Words = ""


class CardsRetrieved(Event, tag="cards_retrieved", frozen=True):
    """Unseen cards went back into the shoe, and the burn comes first."""

    cards: int
    paragraph: str


class CardsReturned(Event, tag="cards_returned", frozen=True):
    """The cards in the discard holder went back into the shuffler, which deals in a new order from here on."""

    cards: int
    commitment: str = ""


class ShoeToBeReplaced(Event, tag="shoe_to_be_replaced", frozen=True):
    """The cards are replaced when the round is over."""

    paragraph: str
    reason: Words = ""


class ShoeChoiceDue(Event, tag="shoe_choice_due", frozen=True):
    """When the round is over, the players choose whether the shoe goes on."""

    paragraph: str


class ShoeChoiceGiven(Event, tag="shoe_choice_given", frozen=True):
    """Each player says whether the cards are to be replaced."""

    people: tuple[str, ...]
    paragraph: str


class ShoeChosen(Event, tag="shoe_chosen", frozen=True):
    """A player goes on with the shoe, or asks to have the cards replaced."""

    person: str
    goes_on: bool
    paragraph: str


class ShoeKept(Event, tag="shoe_kept", frozen=True):
    """The shoe goes on."""

    paragraph: str


class CardsAtFault(Event, tag="cards_at_fault", frozen=True):
    """The cards in use are not as they should be; this shoe is over."""

    fault: Literal["foreign_card", "wrong_card_set", "unshuffled"]
    about: Words
    paragraph: str = ""


ShoeEvent = (
    ShoeStarted
    | ShoeCut
    | SeedsAsked
    | SeedPledged
    | SeedsDue
    | SeedShown
    | ShoeMixed
    | CardsBurnt
    | CutCardAppeared
    | ShoeEnded
    | CardsRetrieved
    | CardsReturned
    | ShoeToBeReplaced
    | ShoeChoiceDue
    | ShoeChoiceGiven
    | ShoeChosen
    | ShoeKept
    | CardsAtFault
)
