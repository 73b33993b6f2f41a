"""What may be ruled on a round as a whole."""

from __future__ import annotations

from puntobanco.table.base import Ruling


class PlayOn(Ruling, tag="play_on", frozen=True):
    """The round goes on."""


class VoidRound(Ruling, tag="void", frozen=True):
    """The round has no result and every bet goes back."""


class GiveOptions(Ruling, tag="options", frozen=True):
    """The players may go on or take their bets back."""


class Dismiss(Ruling, tag="dismiss", frozen=True):
    """The report was unfounded: the table goes on as if nobody had made it."""


CasesRuling = PlayOn | VoidRound | GiveOptions | Dismiss
