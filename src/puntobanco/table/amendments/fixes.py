"""What the record of a round should have had, gathered from its amendments."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from puntobanco.cards import Card, Side
from puntobanco.insurance import BOXES
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import rulings as r
from puntobanco.table.bets.state import Wager, WagerKey
from puntobanco.table.bets.wagers import with_wagers
from puntobanco.table.cards.lying import card_changed
from puntobanco.table.cards.state import Drawn
from puntobanco.table.cash.accounts import chips_of
from puntobanco.table.fold_helpers import current_round
from puntobanco.table.state import Round, Table

ENOUGH = 10**15
"""Everybody's chips in a rerun: what lay on the layout lay there, whatever the record says of the stacks."""
InsurancePlace = tuple[str, int, Side, Window]
"""Person, box, hand and window of insurance."""


class Fixes:
    """What the record should have had."""

    def __init__(self, amendments: Sequence[r.Amendment]) -> None:
        self.cards: dict[int, Card] = {}
        self.hands: dict[int, Side] = {}
        self.struck: set[int] = set()
        self.added: dict[int, list[r.AddCard]] = {}
        self.bets: list[r.CorrectBet] = []
        self.insurance: dict[InsurancePlace, tuple[c.Insure, ...]] = {}
        self.true_cards: list[Card] = []
        self.told = self.carried = self.free = False
        self.face_down: list[Card] = []
        """Whether all cards of the round are reported again."""
        for amendment in amendments:
            self._note(amendment)

    def _note(self, amendment: r.Amendment) -> None:
        match amendment:
            case r.CorrectCard():
                self.cards[amendment.number] = amendment.card
            case r.CorrectHand():
                self.hands[amendment.number] = amendment.hand
            case r.StrikeCard():
                self.struck.add(amendment.number)
            case r.AddCard():
                self.added.setdefault(amendment.after, []).append(amendment)
            case r.CorrectOrder():
                self.cards |= zip(sorted(amendment.cards), amendment.became, strict=True)
            case r.TrueCards():
                self.cards, self.hands, self.struck, self.added = {}, {}, set(), {}
                self.true_cards, self.told = list(amendment.cards), True
                self.carried, self.free = amendment.carried, amendment.free
                self.face_down = list(amendment.face_down)
            case r.CorrectBet():
                if amendment.bet in BOXES:
                    self._insurance(amendment)
                else:
                    self.bets.append(amendment)

    def _insurance(self, fix: r.CorrectBet) -> None:
        assert fix.window is not None
        hand, to_hand = BOXES[fix.bet], BOXES[fix.to_bet or fix.bet]
        body = c.Insure(fix.to_person or fix.person, fix.to_box or fix.box, to_hand, fix.stake)
        place = fix.person, fix.box, hand, fix.window
        for other, bodies in self.insurance.items():
            # what an earlier amendment had brought there is part of what the record has there
            if other[3] is fix.window:
                self.insurance[other] = tuple(
                    each for each in bodies if (each.person, each.box, each.hand) != place[:3]
                )
        self.insurance[place] = (body,) if fix.stake else ()

    def concerns(self, body: c.Body) -> bool:
        """Whether the record of that step was wrong, and something else is known in its place."""
        if isinstance(body, c.Turn | c.PutCard):
            put = isinstance(body, c.PutCard) and body.number in self.hands
            return self.told or put or body.number in self.struck
        return False

    def left_over(self, table: Table) -> Table:
        """The table after the cards that were told and that the round has no use for."""
        count, shoe = len(self.true_cards), table.shoe
        shoe = replace(shoe, drawn=shoe.drawn + count, discards=shoe.discards + (0 if self.carried else count))
        left_over = tuple(Drawn(card, turned=card not in self.face_down, free=self.free) for card in self.true_cards)
        if self.carried:
            return replace(table, shoe=shoe, carried=table.carried + left_over)
        current = current_round(table)
        return replace(table, shoe=shoe, round=replace(current, discarded=current.discarded + left_over))

    def at_the_close(self, start: Table) -> Table:
        """The table right after the close, with the bets and the waiting cards that really were there."""
        assert start.round is not None
        current = start.round
        for fix in self.bets:
            current = corrected_bet(start, current, fix)
        carried = start.carried
        for number, card in self.cards.items():
            place = number - current.numbered
            if 0 < place <= len(carried) and carried[place - 1].card is not None:
                carried = card_changed(carried, place, card=card)
        balances = {**start.balances, **{chips_of(person): ENOUGH for person in start.people}}
        return replace(start, round=current, carried=carried, balances=balances)


def corrected_bet(table: Table, current: Round, fix: r.CorrectBet) -> Round:
    """The round with a bet as it lay there. What stands of it is decided at the settlement, for nobody noticed it."""
    person, box, bet = fix.to_person or fix.person, fix.to_box or fix.box, fix.to_bet or fix.bet
    wagers = dict(current.wagers)
    old = wagers.pop((fix.person, fix.box, fix.bet), None)
    key: WagerKey = (person, box, bet)
    if fix.stake:
        there = wagers.get(key)
        order = old.order if old else current.placements
        stays = old is not None and (old.person, old.box) == (person, box)
        seated = old.seated if old is not None and stays else _sits_at(table, person, box)
        wagers[key] = Wager(person, box, bet, fix.stake + (there.stake if there else 0), order, seated)
    after = with_wagers(table, current, wagers)
    return replace(after, placements=current.placements + (old is None), unnoticed=current.closed, found=True)


def _sits_at(table: Table, person: str, box: int) -> bool:
    found = table.people.get(person)
    return found is not None and found.seated and found.box == box
