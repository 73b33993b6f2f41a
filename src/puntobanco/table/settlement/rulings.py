"""What may be ruled on a round that is over, and on money."""

from __future__ import annotations

from puntobanco.table.base import Ruling


class Rectify(Ruling, tag="rectify", frozen=True):
    """The round is dealt again by the Table of Play and settled again."""


class LetStand(Ruling, tag="let_stand", frozen=True):
    """What was settled stands."""


class Pay(Ruling, tag="pay", frozen=True):
    """A player is paid, or pays where the amount is below zero."""

    person: str
    amount: int
    dispute: int = 0
    """The dispute in which it was decided: another person confirms it before it is paid."""
    given: int = 0
    """What the disputed round gave the person, as far as it is known: who confirms the rest is to see it."""


class Collect(Ruling, tag="collect", frozen=True):
    """A player pays what is owed, or a part of it."""

    amount: int


class WriteOff(Ruling, tag="write_off", frozen=True):
    """The House writes off what a player owes."""


SettlementRuling = Rectify | LetStand | Pay | Collect | WriteOff
