"""What may be ruled on a bet."""

from __future__ import annotations

from puntobanco.table.base import Ruling


class SetStake(Ruling, tag="stake", frozen=True):
    """How much of a bet stands; the rest goes back."""

    person: str
    box: int
    bet: str
    stands: int


BetsRuling = SetStake
