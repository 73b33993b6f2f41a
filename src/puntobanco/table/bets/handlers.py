"""Who answers the commands of this concern."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.base import Body
from puntobanco.table.bets.calling import call
from puntobanco.table.bets.closing import close
from puntobanco.table.bets.found_chips import find_bet
from puntobanco.table.bets.late_chips import late_chips
from puntobanco.table.bets.placing import place, refuse_balance
from puntobanco.table.bets.set_limits import set_differential, set_limits
from puntobanco.table.bets.withdrawing import withdraw
from puntobanco.table.handling import Handler

HANDLERS: dict[type[Body], Handler] = {
    c.SetLimits: set_limits,
    c.SetDifferential: set_differential,
    c.Call: call,
    c.Place: place,
    c.Withdraw: withdraw,
    c.RefuseBalance: refuse_balance,
    c.Close: close,
    c.FindBet: find_bet,
    c.LateChips: late_chips,
}
