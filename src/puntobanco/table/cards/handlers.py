"""Who answers the commands of this concern."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.base import Body
from puntobanco.table.cards.dealing import deal
from puntobanco.table.cards.drawing import draw, put_card
from puntobanco.table.cards.turning import turn
from puntobanco.table.handling import Handler

HANDLERS: dict[type[Body], Handler] = {
    c.Deal: deal,
    c.Draw: draw,
    c.PutCard: put_card,
    c.Turn: turn,
}
