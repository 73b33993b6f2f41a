"""Who answers the commands of this concern."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.base import Body
from puntobanco.table.handling import Handler
from puntobanco.table.settlement.announcing import announce
from puntobanco.table.settlement.confirming import confirm, override_confirmation
from puntobanco.table.settlement.paying import settle

HANDLERS: dict[type[Body], Handler] = {
    c.Announce: announce,
    c.Settle: settle,
    c.Confirm: confirm,
    c.OverrideConfirmation: override_confirmation,
}
