"""What is reported about the shoe: into play, cut, burnt, the Cut Card, its end, its faults."""

from __future__ import annotations

from typing import Literal

from puntobanco.cards import Card
from puntobanco.table.base import OWN, Body


class NewShoe(Body, tag="new_shoe", frozen=True):
    """A shuffled shoe comes into play; ``evidence`` says how it was shuffled and checked."""

    evidence: str
    commitment: str = ""


class CutShoe(Body, tag="cut", frozen=True):
    """Somebody cuts the cards; ``position`` cards from the top go below."""

    needs = OWN
    person: str
    position: int


class PledgeSeed(Body, tag="pledge_seed", frozen=True):
    """A player pledges a seed for the mixing of the shoe: ``pledge`` is its hash."""

    needs = OWN
    person: str
    pledge: str


class ShowSeed(Body, tag="show_seed", frozen=True):
    """A player shows the seed that was pledged."""

    needs = OWN
    person: str
    seed: str


class CloseSeeds(Body, tag="close_seeds", frozen=True):
    """The time for pledges, or for the seeds, is over."""


class Burn(Body, tag="burn", frozen=True):
    """Cards taken out before the first round; the first one may have been shown."""

    cards: tuple[Card | None, ...]


class CutCard(Body, tag="cut_card", frozen=True):
    """The Cut Card appeared."""


class EndShoe(Body, tag="end_shoe", frozen=True):
    """The shoe is taken out of use between rounds."""

    needs = "speaks"
    reason: str = ""


class ReturnCards(Body, tag="return_cards", frozen=True):
    """The discards go back into the shuffler; the commitment is to the order in which it deals from there on."""

    commitment: str = ""


class ReportCards(Body, tag="report_cards", frozen=True):
    """The cards are not as they should be: a foreign one, too few or too many, or not shuffled."""

    fault: Literal["foreign_card", "wrong_card_set", "unshuffled"]
    about: str


ShoeCommand = (
    NewShoe | CutShoe | PledgeSeed | ShowSeed | CloseSeeds | Burn | CutCard | EndShoe | ReturnCards | ReportCards
)
