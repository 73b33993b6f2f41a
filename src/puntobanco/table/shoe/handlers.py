"""Who answers the commands of this concern."""

from __future__ import annotations

from puntobanco.table import commands as c
from puntobanco.table.base import Body
from puntobanco.table.handling import Handler
from puntobanco.table.shoe.burning import burn
from puntobanco.table.shoe.cut_card import cut_card
from puntobanco.table.shoe.faults import report_cards
from puntobanco.table.shoe.lifetime import cut, end_shoe, return_cards
from puntobanco.table.shoe.seeds import close_seeds, new_shoe, pledge_seed, show_seed

HANDLERS: dict[type[Body], Handler] = {
    c.NewShoe: new_shoe,
    c.CutShoe: cut,
    c.PledgeSeed: pledge_seed,
    c.ShowSeed: show_seed,
    c.CloseSeeds: close_seeds,
    c.Burn: burn,
    c.CutCard: cut_card,
    c.EndShoe: end_shoe,
    c.ReturnCards: return_cards,
    c.ReportCards: report_cards,
}
