"""Who answers the commands of this concern."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.base import Body
from puntobanco.table.cash.chips import buy_in, cash_out, chips_in, chips_out, tip
from puntobanco.table.cash.closing import close_table
from puntobanco.table.cash.fills import cancel_fill, request_fill, sign_fill
from puntobanco.table.cash.suspects import hold, resolve
from puntobanco.table.handling import Handler

HANDLERS: dict[type[Body], Handler] = {
    c.CloseTable: close_table,
    c.BuyIn: buy_in,
    c.CashOut: cash_out,
    c.ChipsIn: chips_in,
    c.ChipsOut: chips_out,
    c.Tip: tip,
    c.RequestFill: request_fill,
    c.SignFill: sign_fill,
    c.CancelFill: cancel_fill,
    c.HoldSuspect: hold,
    c.ResolveSuspect: resolve,
}
