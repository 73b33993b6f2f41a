"""Stories in which the record goes wrong and the felt does not: cards keyed wrongly, and amended (readings A, Z).

The referee never hears of the wrong key: what a round comes to is what it would have come to without it.
"""

from __future__ import annotations

from tests.referee.felt import HANDS, OTHER
from tests.referee.hands import BANKER, PLAYER, deal
from tests.referee.misdealt import Misdealt

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
