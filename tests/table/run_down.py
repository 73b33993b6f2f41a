"""Rounds that use a shoe up, down to a given number of cards, with no card more often than its decks hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import count
from random import Random

from tests.table.build import Play

from puntobanco.cards import CARDS, Card, parse_cards
from puntobanco.coup import Coup
from puntobanco.table.shoe.copies import in_play, with_faces
from puntobanco.table.state import Table


def cards_left(table: Table) -> Counter[Card]:
    """The cards that may still be in the shoe, by those that were seen."""
    seen = with_faces(table.shoe.faces, in_play(table))
    return Counter({card: table.settings.decks - seen.get(card, 0) for card in CARDS})


def run_down(play: Play, left: int, keep: str = "") -> None:
    """Rounds without bets until so many cards are left, those that are kept among them."""
    if play.table.shoe.ended:
        play.shoe()
    cards = cards_left(play.table) - Counter(parse_cards(keep))
    wanted = play.table.shoe.left - left
    assert wanted > 0
    for seed in count():
        order = sorted(cards.elements(), key=CARDS.index)
        Random(seed).shuffle(order)
        rounds = list(_rounds(order, wanted))
        if sum(len(coup.cards) for coup in rounds) == wanted:
            break
    for coup in rounds:
        play.round({}, " ".join(map(str, coup.cards)))
    assert play.table.shoe.left == left


def _rounds(cards: Iterable[Card], wanted: int) -> Iterable[Coup]:
    coup, dealt = Coup(), 0
    for card in cards:
        if dealt >= wanted:
            return
        coup, dealt = coup.receive(card), dealt + 1
        if coup.finished:
            yield coup
            coup = Coup()
