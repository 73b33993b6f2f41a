"""What may be ruled: each kind of ruling with what it leaves to say. Who may give it is :mod:`.cases.remedies`' matter.

A ruling is proposed at the table and takes effect when somebody with the rank for it approves. A *correction* is ruled
in the same way, but is not the same thing: the felt was right, and the entry in the record wrong.

Each concern has its own; here they are collected.
"""

from __future__ import annotations

from puntobanco.table.amendments.rulings import *
from puntobanco.table.base import Ruling as Ruling
from puntobanco.table.base import kind_of as kind_of
from puntobanco.table.bets.rulings import *
from puntobanco.table.cards.rulings import *
from puntobanco.table.cases.rulings import *
from puntobanco.table.insurance.rulings import *
from puntobanco.table.settlement.rulings import *
from puntobanco.table.shoe.rulings import *

AnyRuling = CardsRuling | ShoeRuling | BetsRuling | InsuranceRuling | SettlementRuling | CasesRuling | AmendmentsRuling
