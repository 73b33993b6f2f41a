"""Which commands are facts and which are requests (reading A).

A *fact* is what somebody saw happen: a card left the shoe, chips lie there, a result was called. It is recorded in
every phase, and may be refused only where it cannot have been: somebody who is not here, a card that is not out. A
*request* is what somebody wants; it is refused where the book or the phase does not allow it. The *amendments* say
that a fact was keyed wrongly; they are proposed like rulings (:data:`puntobanco.table.cases.remedies.AMENDMENTS`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import About
from puntobanco.table.base import HOUSE
from puntobanco.table.cases.incidents import opened
from puntobanco.table.commands import Command
from puntobanco.table.handling import Handler
from puntobanco.table.refusals import Refused
from puntobanco.table.settings import ELECTRONIC
from puntobanco.table.state import Table

FACTS: tuple[type[c.Body], ...] = (
    c.Burn,
    c.CutCard,
    c.ReportCards,
    c.Draw,
    c.PutCard,
    c.Turn,
    c.FindBet,
    c.LateChips,
    c.WalkAway,
    c.ComeBack,
    c.MeantToInsure,
    c.Announce,
    c.Confirm,
    c.Report,
    c.ReportInterruption,
    c.ReportRound,
    c.RaiseDispute,
)
REQUESTS: tuple[type[c.Body], ...] = tuple(body for body in get_args(c.AnyCommand) if body not in FACTS)
PHASES = frozenset(
    {"round_open", "no_round", "bets_closed", "bets_open", "confirmations", "not_finished", "finished", "no_shoe"}
)
"""The refusals that say: not now. No fact at a live table meets one of them."""

CARDS = (c.Draw, c.PutCard, c.Turn)
CHIPS = (c.FindBet, c.LateChips)
"""What a person cannot say of an electronic table, for its own record is what lay on the felt."""


def by_whose_word(handler: Handler) -> Handler:
    """The handler of a fact about cards or chips, which is hearsay where a person says it of an electronic table."""

    def judged(table: Table, command: Command, body: Any) -> Sequence[e.Event]:
        return _heard(table, command) if _is_hearsay(table, command) else handler(table, command, body)

    return judged


def _is_hearsay(table: Table, command: Command) -> bool:
    """Whether a person says of an electronic table's cards or chips what only its own system knows."""
    if not table.settings.electronic or command.actor == HOUSE:
        return False
    body = command.body
    if isinstance(body, CHIPS):
        # a dealer's table with an electronic shoe has chips on its felt
        return set(ELECTRONIC) <= set(table.settings.automated)
    return not isinstance(body, c.Turn) or body.card is not None


def _heard(table: Table, command: Command) -> tuple[e.Event, ...]:
    """The word of a person against the machine's: a matter for two people, which changes nothing by itself."""
    about = _told(command.body)
    if any((found.family, found.about) == ("other", about) for found in table.incidents.values()):
        raise Refused("already_there.reported")
    return (opened(table, "other", about, blocks=False, reported=True),)


def _told(body: c.Body) -> About:
    """What the person says."""
    match body:
        case c.FindBet():
            return About.of("told.found", person=body.person, box=body.box, bet=body.bet, amount=body.amount)
        case c.LateChips(what="placed"):
            return About.of("told.placed", person=body.person, box=body.box, bet=body.bet, amount=body.amount)
        case c.LateChips():
            return About.of("told.withdrawn", person=body.person, box=body.box, bet=body.bet, amount=body.amount)
        case c.PutCard():
            return About.of("card.at", number=body.number, hand=body.hand.value)
        case c.Turn():
            return About.of("told.turned", number=body.number, card=str(body.card or ""))
    assert isinstance(body, c.Draw)
    return About.of("told.drawn", card=str(body.card or ""), hand=body.hand.value if body.hand else "")
