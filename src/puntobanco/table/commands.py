"""What people ask of a table, and what they report to it.

A *request* (a bet, insurance, a cash-out) may be refused. A *fact* (a card left the shoe, it was turned) is recorded
whatever it is. Every command comes in an envelope with its id, who gives it, when, and the version it was made against.

Each concern has its own; here they are collected.
"""

from __future__ import annotations

import msgspec

from puntobanco.table.base import HOUSE as HOUSE
from puntobanco.table.base import Body as Body
from puntobanco.table.bets.commands import *
from puntobanco.table.cards.commands import *
from puntobanco.table.cases.commands import *
from puntobanco.table.cash.commands import *
from puntobanco.table.disputes.commands import *
from puntobanco.table.insurance.commands import *
from puntobanco.table.people.commands import *
from puntobanco.table.settlement.commands import *
from puntobanco.table.shoe.commands import *
from puntobanco.table.squeeze.commands import *

AnyCommand = (
    CashCommand
    | PeopleCommand
    | ShoeCommand
    | BetsCommand
    | CardsCommand
    | SqueezeCommand
    | InsuranceCommand
    | SettlementCommand
    | CasesCommand
    | DisputesCommand
)


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A command in its envelope. ``against`` is the version of the table it was made for, if that matters."""

    id: str
    actor: str
    at: int
    """Milliseconds since the epoch."""
    body: AnyCommand
    against: int | None = None
    device: str = ""
    """The terminal, scanner or shoe that it came from, where that is known."""
