"""Who answers the commands of this concern."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.base import Body
from puntobanco.table.handling import Handler
from puntobanco.table.insurance.missed import meant_to_insure
from puntobanco.table.insurance.offers import close_window, offer, pass_insurance
from puntobanco.table.insurance.taking import insure
from puntobanco.table.insurance.waiver import waive

HANDLERS: dict[type[Body], Handler] = {
    c.OfferInsurance: offer,
    c.Insure: insure,
    c.PassInsurance: pass_insurance,
    c.CloseInsurance: close_window,
    c.MeantToInsure: meant_to_insure,
    c.WaiveInsurance: waive,
}
