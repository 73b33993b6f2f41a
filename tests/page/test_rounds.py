"""A dealer and a player in browsers of their own play rounds of every game; every page shows what the log says."""

from __future__ import annotations

import pytest
from tests.page.casino import PAST
from tests.page.conftest import Crowd

from puntobanco.rules.load import find_book

GAMES = (
    "tiger-buffalo",
    "da-hu-ying-xiong",
    "super-six",
    "rws-baccarat",
    "dragon-tiger-commission",
    "dragon-tiger-non-commission",
)


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game(game: str, crowd: Crowd) -> None:
    casino = crowd.casino
    table = casino.open_table(game, PAST)
    sides = [bet for bet in casino.fold(table).layout.bets if bet not in find_book(game).original_bets]
    dealer = crowd.dealer(table)
    ann = crowd.player(table, "ann", 1)
    everybody = (dealer, ann, crowd.display(table))
    dealer.call()
    ann.bet(1, "banker", chip=100_00)
    for bet in sides[:6]:
        ann.bet(1, bet, chip=5_00)
    dealer.close()
    for screen in everybody:
        screen.agrees()
    dealer.deal("2h Ks 3c 2d 9d 4h")  # Player 4, Banker 6 with three cards
    dealer.announce("banker")
    for screen in everybody:
        screen.agrees()
    dealer.pay()
    for screen in everybody:
        view = screen.agrees()
        assert view.public.last is not None
        assert view.public.last.number == len(PAST) + 1
    casino.bets(table, {ann.person: (1, {"banker": 100_00})})  # test_chips.py puts down by the page what lay there
    casino.deal(table, "9h 4d Ts 5c", "tie", 1)  # a natural tie
    for screen in everybody:
        assert screen.agrees().public.roads.counts.tie == 3
