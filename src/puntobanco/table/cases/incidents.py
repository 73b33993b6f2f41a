"""What went wrong: an incident opened, and what the cards told when it was noticed."""

from __future__ import annotations

from msgspec.structs import replace

from puntobanco.bets import decided, sure_to_be_decided
from puntobanco.coup import OPENING, Coup, reconstruct
from puntobanco.table import events as e
from puntobanco.table.cards.lying import open_prefix
from puntobanco.table.cases.state import Incident
from puntobanco.table.refusals import Refused
from puntobanco.table.state import PAYING, Round, Table

IDENTITY = ("damaged_card", "card_mismatch")
"""While one of these waits for a ruling, it is not known what a card is."""


def opened(
    table: Table,
    family: str,
    about: str,
    cards: tuple[int, ...] = (),
    *,
    after: int = 0,
    blocks: bool = True,
    paragraph: str = "",
    reported: bool = False,
) -> e.IncidentOpened:
    """An incident of the round in progress; ``after`` others that are opened along with it."""
    covered = family in table.book.irregularities
    return e.IncidentOpened(
        table.incidents_so_far + after + 1,
        family,
        about,
        paragraph or table.irregularity(family) or table.book.uncovered.paragraph,
        table.round.number if table.round else 0,
        cards,
        blocks=blocks,
        covered=covered,
        reported=reported,
    )


def cards_count(table: Table) -> str:
    """The paragraph by which the cards on the table decide, and not what was displayed, read or called."""
    return table.irregularity("display") or table.irregularity("wrong_call") or table.cite("table_of_play")


def is_open(table: Table, *families: str) -> bool:
    """Whether an incident of one of these families waits for a ruling."""
    return any(incident.family in families for incident in table.incidents.values())


def round_being_dealt(table: Table) -> Round:
    """The round in which cards are out or coming; refused between rounds and while bets are taken."""
    current = table.round
    if current is None or table.phase is PAYING:
        raise Refused("no_round", "no cards are dealt between rounds", table.cite("call"))
    if not current.closed:
        raise Refused("bets_open", "the bets are not closed", table.cite("close"))
    return current


def established(table: Table, coup: Coup, out: int) -> bool:
    """Whether a bet on this table's layout is decided whatever comes (reading E).

    By the cards that are known, or by how many are out: with four something is, be they open or face down.
    """
    if decided(table.book, coup, table.layout).established:
        return True
    return sure_to_be_decided(table.book, table.layout, min(out, len(OPENING)))


def noticed(current: Round, incident: Incident) -> Coup:
    """What the cards told that lay open when the error was noticed, where they lie now (reading E)."""
    cards = tuple(drawn if drawn.number in incident.seen else replace(drawn, turned=False) for drawn in current.cards)
    hidden = sum(not drawn.turned for drawn in cards)
    return replace(current, cards=cards, hidden=hidden, coup=reconstruct(open_prefix(cards)).coup).known


def game_decided(table: Table, coup: Coup) -> bool:
    """Whether Player, Banker or Tie is settled whatever comes: Hoiana's narrower 'game outcome' (reading E)."""
    space = table.book.space
    reachable = space.reachable(coup)
    return any(not reachable & ~space.where({"winner": (winner,)}) for winner in ("player", "banker", "tie"))
