"""Who answers the commands of this concern."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.base import Body
from puntobanco.table.handling import Handler
from puntobanco.table.people.joining import join, leave, sign_off, sign_on
from puntobanco.table.people.walking_away import come_back, walk_away

HANDLERS: dict[type[Body], Handler] = {
    c.SignOn: sign_on,
    c.SignOff: sign_off,
    c.Join: join,
    c.Leave: leave,
    c.WalkAway: walk_away,
    c.ComeBack: come_back,
}
