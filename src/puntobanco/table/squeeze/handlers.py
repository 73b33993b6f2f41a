"""Who answers the commands of this concern."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.base import Body
from puntobanco.table.handling import Handler
from puntobanco.table.squeeze.rights import answer, ask, ask_early, bar

HANDLERS: dict[type[Body], Handler] = {
    c.AskSqueeze: ask,
    c.AskEarlySqueeze: ask_early,
    c.AnswerSqueeze: answer,
    c.BarSqueeze: bar,
}
