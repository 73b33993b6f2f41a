"""Who answers the commands of this concern."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.base import Body
from puntobanco.table.disputes.procedure import answer, decide, note, raise_dispute
from puntobanco.table.handling import Handler

HANDLERS: dict[type[Body], Handler] = {
    c.RaiseDispute: raise_dispute,
    c.NoteOnDispute: note,
    c.DecideDispute: decide,
    c.AnswerDispute: answer,
}
