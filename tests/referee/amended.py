"""Stories in which the record goes wrong and the felt does not: cards keyed wrongly, and amended (readings A, Z).

The referee never hears of the wrong key: what a round comes to is what it would have come to without it.
"""

from __future__ import annotations

from tests.referee import limits
from tests.referee.felt import HANDS, OTHER, PEOPLE, SEATED
from tests.referee.hands import BANKER, PLAYER, deal
from tests.referee.limits import Key, Lot
from tests.referee.misdealt import Misdealt
from tests.referee.verdict import used_after

from puntobanco.cards import CARDS, Card
from puntobanco.table import commands as c
from puntobanco.table import rulings as r
from puntobanco.table.rulings import AnyRuling


class Amended(Misdealt):
    """A live table where the dealer keys wrongly, too."""

    def begin(self) -> None:
        super().begin()
        self.pending: AnyRuling | None = None
        """What will put the record right."""

    # --- cards

    @property
    def keyed(self) -> int:
        """The number of the last card on record."""
        current = self.play.table.round
        assert current is not None
        return current.cards[-1].number if current.cards else 0

    def draw(self, hand: str) -> None:
        if self.pending is not None:
            self.play.do(c.Draw(Card(self.take()), HANDS[hand], True))
        elif not self.one_in(20):
            super().draw(hand)
        else:
            wrong = [self.wrong_card, self.wrong_hand, self.phantom]
            if self.keyed:
                wrong.append(self.not_keyed)
            self.chance.choice(wrong)(hand)
        self.amend_in_time()

    def amend_in_time(self) -> None:
        """At once where the table waits or insurance is in question, else perhaps."""
        if self.pending is None or self.over:
            return
        dealt = deal(self.story.cards)
        at_once = self.play.table.blocked is not None or self.book.insurance or not dealt.due
        if at_once or self.one_in(2):
            self.amend()

    def amend(self) -> None:
        ruling, self.pending = self.pending, None
        assert ruling is not None
        self.seen[type(ruling).__name__] += 1
        self.rule(ruling)
        self.same("nothing waits once the record is right", None, self.play.table.blocked)
        current = self.play.table.round
        assert current is not None
        self.same("options after an amendment", None, current.options)
        dealt = deal(self.story.cards)
        lying = {side: [str(each.card) for each in current.cards if each.hand is HANDS[side]] for side in HANDS}
        self.same("hands", {PLAYER: list(dealt.player), BANKER: list(dealt.banker)}, lying)

    def take(self) -> str:
        """A card leaves the shoe."""
        card = self.shoe.pop()
        self.story.cards.append(card)
        return card

    def wrong_card(self, hand: str) -> None:
        card = self.take()
        wrong = self.chance.choice([each for each in CARDS if each.value != card])
        self.play.do(c.Draw(wrong, HANDS[hand], True))
        self.pending = r.CorrectCard(self.keyed, Card(card))

    def wrong_hand(self, hand: str) -> None:
        card = self.take()
        self.play.do(c.Draw(Card(card), HANDS[OTHER[hand]], True))
        self.pending = r.CorrectHand(self.keyed, HANDS[hand])

    def phantom(self, hand: str) -> None:
        """A card is keyed that never left the shoe."""
        self.play.do(c.Draw(self.chance.choice(CARDS), HANDS[self.chance.choice([hand, OTHER[hand]])], True))
        self.pending = r.StrikeCard(self.keyed)

    def not_keyed(self, hand: str) -> None:
        card = self.take()
        self.pending = r.AddCard(Card(card), HANDS[hand], self.keyed)

    # --- bets

    def after_close(self) -> None:
        super().after_close()
        if not self.story.free and self.one_in(8):
            self.correct_bet()

    def correct_bet(self, number: int = 0) -> None:
        """A bet was keyed wrongly: its amount, whose it is, or what it is on. A round that is over has a number."""
        places = [key for key in limits.stakes(self.story.lots) if key[0] not in self.story.back]
        if not places:
            return
        key = self.chance.choice(places)
        lot = self.as_it_lay(key)
        rest = [each for each in self.story.lots if each.key != key]
        if lot is None or (lot.key == key and lot.amount == limits.stakes(self.story.lots)[key]):
            return
        whole = limits.stakes([*rest, lot])[lot.key] if lot.amount else 0
        if self.sign.kind == "rws" and self.sign.maximum is not None and whole > self.sign.maximum:
            return
        person, box, bet = key
        to_person = lot.person if lot.person != person else ""
        to_bet = lot.bet if lot.bet != bet else ""
        self.seen["CorrectBet"] += 1
        self.rule(r.CorrectBet(person, box, bet, lot.amount, 0, to_bet, number, None, to_person))
        self.story.lots = [*rest, lot] if lot.amount else rest

    def as_it_lay(self, key: Key) -> Lot | None:
        """What was really there."""
        person, box, bet = key
        stake = limits.stakes(self.story.lots)[key]
        what = self.chance.choice(["amount", "amount", "none", "person", "bet"])
        if what == "person":
            person = next(each for each in PEOPLE if PEOPLE[each] == box and each != person) if box < 3 else person
            if person in self.story.back:
                return None
        elif what == "bet":
            bet = self.chance.choice(self.bets)
        elif what == "amount":
            stake = self.amount()
        else:
            stake = 0
        return Lot(person, box, bet, stake, person in SEATED)

    # --- a round that is settled

    def settle(self) -> None:
        super().settle()
        if self.over or self.story.free or self.story_is_free() or not self.one_in(6) or self.story.returned:
            return
        self.seen["amended when settled"] += 1
        if self.one_in(2):
            self.correct_bet(self.number)
        else:
            self.correct_settled_card()
        self.compare()
        self.used = used_after(self.story)

    def correct_settled_card(self) -> None:
        """A card that was keyed wrongly, where the right one makes no other card due or surplus.

        If one lay at the other hand, that is an error of its own, and the round is dealt again (reading I).
        """
        place = self.chance.randrange(len(self.story.cards))
        card = self.chance.choice(CARDS).value
        cards = [*self.story.cards[:place], card, *self.story.cards[place + 1 :]]
        dealt = deal(cards)
        if card == self.story.cards[place] or dealt.due or dealt.left_over:
            return
        found = next(each for each in self.play.table.known_rounds if each.number == self.number)
        self.seen["CorrectCard when settled"] += 1
        same = len(deal(self.story.cards).player) == len(dealt.player)
        self.story.cards = cards
        self.rule(r.CorrectCard(found.cards[place].number, Card(card), self.number))
        if not same and self.play.table.blocked is not None:  # unless the order was ruled already
            self.seen["Rectify"] += 1
            self.put_right(r.Rectify())
            self.waiting = self.free_or_not(self.waiting)
