"""What may be ruled on the shoe."""

from __future__ import annotations

from puntobanco.table.base import Ruling


class ReplaceShoe(Ruling, tag="replace_shoe", frozen=True):
    """The cards are replaced by a new set when the round is over."""


class BurnNow(Ruling, tag="burn_now", frozen=True):
    """The cards go back into the shoe, and the burn that was forgotten takes place."""


ShoeRuling = ReplaceShoe | BurnNow
