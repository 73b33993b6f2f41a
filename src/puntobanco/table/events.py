"""What happened at a table. State is the fold of these; each names the paragraph that decided it, where one did.

Each concern has its own; here they are collected.
"""

from __future__ import annotations

import msgspec

from puntobanco.table.amendments.events import *
from puntobanco.table.base import Event as Event
from puntobanco.table.base import Transfer as Transfer
from puntobanco.table.bets.events import *
from puntobanco.table.cards.events import *
from puntobanco.table.cases.events import *
from puntobanco.table.cash.events import *
from puntobanco.table.disputes.events import *
from puntobanco.table.insurance.events import *
from puntobanco.table.people.events import *
from puntobanco.table.settlement.events import *
from puntobanco.table.shoe.events import *
from puntobanco.table.squeeze.events import *

AnyEvent = (
    CashEvent
    | PeopleEvent
    | ShoeEvent
    | BetsEvent
    | CardsEvent
    | SqueezeEvent
    | InsuranceEvent
    | SettlementEvent
    | CasesEvent
    | AmendmentsEvent
    | DisputesEvent
)


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event of a log: its place in the table's history, and the command that caused it."""

    version: int
    at: int
    actor: str
    command: str
    event: AnyEvent
