"""Who answers chips that were found: those in an insurance box are an amendment."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.amendments.found_late import find_bet
from puntobanco.table.base import Body
from puntobanco.table.handling import Handler

HANDLERS: dict[type[Body], Handler] = {c.FindBet: find_bet}
