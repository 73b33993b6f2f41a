"""The results of rounds as the roads show them."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from puntobanco import roads
from puntobanco.coup import Coup
from puntobanco.table.base import PLAYER
from puntobanco.table.state import Table


def road_result(coup: Coup, free: bool = False) -> roads.Result:
    """The result as the roads draw it."""
    player, banker, winner = coup.player, coup.banker, coup.winner
    name: roads.Winner = "tie" if winner is None else "player" if winner is PLAYER else "banker"
    return _one_result(name, player.pair, banker.pair, player.natural or banker.natural, free)


_one_result = cache(roads.Result)
"""There are no more than four dozen."""


def with_results(table: Table) -> Table:
    """The roads follow from the rounds of the shoe as they are settled now."""
    rounds = table.past if table.round is None else (*table.past, table.round)
    results = tuple(road_result(each.settled_on, each.free) for each in rounds if each.settled and not each.voided)
    return replace(table, results=results)
