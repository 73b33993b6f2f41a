"""What went wrong: an incident opened, and what the cards told when it was noticed."""

from __future__ import annotations

from msgspec.structs import replace

from puntobanco.bets import decided, sure_to_be_decided
from puntobanco.coup import OPENING, Coup, reconstruct
from puntobanco.rules.policies import Established
from puntobanco.table import events as e
from puntobanco.table.about import Words
from puntobanco.table.cards.lying import open_prefix
from puntobanco.table.cases.state import Incident
from puntobanco.table.refusals import Refused
from puntobanco.table.state import PAYING, Round, Table

IDENTITY = ("damaged_card", "card_mismatch")
"""While one of these waits for a ruling, it is not known what a card is."""


def opened(
    table: Table,
    family: str,
    about: Words,
    cards: tuple[int, ...] = (),
    *,
    after: int = 0,
    blocks: bool = True,
    paragraph: str = "",
    reported: bool = False,
) -> e.IncidentOpened:
    """An incident of the round in progress; ``after`` others that are opened along with it."""
    slots = table.irregularities.of(family)
    return e.IncidentOpened(
        table.incidents_so_far + after + 1,
        family,
        about,
        paragraph or slots.main or table.book.uncovered.paragraph,
        table.round.number if table.round else 0,
        cards,
        blocks=blocks,
        covered=slots.covered,
        reported=reported,
    )


def cards_count(table: Table) -> str:
    """The paragraph by which the cards on the table decide, and not what was displayed, read or called."""
    return (
        table.irregularities.display.rule or table.irregularities.wrong_call.rule or table.procedures.table_of_play.rule
    )


def is_open(table: Table, *families: str) -> bool:
    """Whether an incident of one of these families waits for a ruling."""
    return any(incident.family in families for incident in table.incidents.values())


def round_being_dealt(table: Table) -> Round:
    """The round in which cards are out or coming; refused between rounds and while bets are taken."""
    current = table.round
    if current is None or table.phase is PAYING:
        raise Refused("no_round", table.procedures.call.rule)
    if not current.closed:
        raise Refused("bets_open", table.procedures.close.rule)
    return current


def established(table: Table, coup: Coup, out: int) -> bool:
    """Whether an outcome is established (reading E): of the game, or of any bet on this table's layout.

    By the cards that are known, or by how many are out: with four some bet is decided, open or face down.
    """
    if table.policies.outcome_established.value is Established.GAME:
        return _game_decided(table, coup)
    if decided(table.book, coup, table.layout).established:
        return True
    return sure_to_be_decided(table.book, table.layout, min(out, len(OPENING)))


def noticed(current: Round, incident: Incident) -> Coup:
    """What the cards told that lay open when the error was noticed, where they lie now (reading E)."""
    cards = tuple(drawn if drawn.number in incident.seen else replace(drawn, turned=False) for drawn in current.cards)
    hidden = sum(not drawn.turned for drawn in cards)
    return replace(current, cards=cards, hidden=hidden, coup=reconstruct(open_prefix(cards)).coup).known


def _game_decided(table: Table, coup: Coup) -> bool:
    """Whether Player, Banker or Tie is settled whatever comes."""
    space = table.book.space
    reachable = space.reachable(coup)
    return any(not reachable & ~space.where({"winner": (winner,)}) for winner in ("player", "banker", "tie"))
