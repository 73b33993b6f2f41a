"""Stories in which cards go wrong: at the other hand, too many, too early, burnt, void rounds, bets found late."""

from __future__ import annotations

from tests.referee import limits
from tests.referee.books import options_due
from tests.referee.felt import HANDS, OTHER, Felt, Waiting
from tests.referee.hands import BANKER, PLAYER, deal
from tests.referee.verdict import standing
from tests.table.build import DIRECTOR

from puntobanco.cards import Card
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.rulings import AnyRuling

MOST_WAITING = 3


class Misdealt(Felt):
    """A live table where the dealer errs."""

    def rule(self, ruling: AnyRuling, incident: int = 0) -> tuple[e.Event, ...]:
        """The dealer proposes, and somebody of the highest rank approves where that is needed."""
        events = self.play.do(c.Propose(ruling, incident, "seen on the camera"))
        if isinstance(events[0], e.RulingProposed):
            return self.play.do(c.Approve(events[0].number), DIRECTOR)
        return events

    # --- between rounds

    def between(self) -> None:
        if self.one_in(25):
            self.burn()
        if self.one_in(15):
            self.early_card()
        elif self.one_in(30):
            self.card_shows()

    def card_shows(self) -> None:
        """The first card of the next hand is seen in the shoe: at Hoiana that hand is free (7.5), elsewhere nothing."""
        if self.waiting or self.shows:
            return
        self.seen["card shows"] += 1
        self.play.do(c.Report("face_up_in_shoe", "the next card shows"))
        if self.play.table.blocked is not None:
            self.put_right(r.PlayOn())
        self.shows = True

    def burn(self) -> None:
        """Cards burnt when none were to be: they are out of the shoe, and that is all."""
        if self.play.table.round is not None:
            return  # a Free Hand has begun
        self.seen["burnt"] += 1
        count = self.chance.randint(1, 3)
        self.play.do(c.Burn((None,) * count))
        del self.shoe[-count:]
        self.put_right(r.PlayOn())

    def early_card(self) -> None:
        """A card leaves the shoe before the call; at Hoiana a seen one makes a Free Hand (7.5)."""
        if self.story_is_free() or len(self.waiting) >= MOST_WAITING:
            return
        self.seen["early card"] += 1
        turned = self.one_in(2)
        card = self.shoe.pop()
        self.play.do(c.Draw(Card(card), None, turned))
        self.waiting.append(Waiting(card, turned, not turned))

    def begin(self) -> None:
        self.showed = self.shows
        hidden = [place for place, each in enumerate(self.waiting, 1) if each.hidden]
        super().begin()
        self.paid = False
        """Whether a box was paid before the last card."""
        for place in hidden:
            self.play.do(c.Turn(place))

    # --- cards

    def draw(self, hand: str) -> None:
        if not self.story.free and self.one_in(150):
            self.void()
        elif self.one_in(25):
            self.wrong_side(hand)
        else:
            if self.one_in(30):
                self.paid_too_early()
            super().draw(hand)
        if not self.over and not self.story.free and len(self.story.cards) != 4 and self.one_in(25):
            self.found_with_cards_open()

    def paid_too_early(self) -> None:
        """A box is paid with a card lacking: it is drawn before the next call, and the round settled again (I)."""
        dealt = deal(self.story.cards)
        boxes = [box for _, box, _ in standing(self.story)]
        if dealt.out < 4 or not boxes or self.book.insurance or self.paid:
            return  # insurance that such a payment passes over is told elsewhere
        self.seen["paid too early"] += 1
        self.paid = True
        self.play.do(c.Announce(dealt.winner))  # type: ignore[arg-type]
        self.play.do(c.Confirm(self.chance.choice(boxes)))
        self.put_right(r.Rectify())

    def wrong_side(self, hand: str) -> None:
        """The card is put at the other hand, and goes back to where it belongs."""
        self.seen["wrong side"] += 1
        super().draw(OTHER[hand])
        self.put_right(r.Reconstruct())
        self.options()

    def put_right(self, ruling: AnyRuling) -> None:
        incident = self.play.table.blocked
        self.same("something waits", True, incident is not None)
        assert incident is not None
        self.rule(ruling, incident.number)
        self.same("all is put right", None, self.play.table.blocked)

    def options(self) -> None:
        current = self.play.table.round
        assert current is not None
        due = set()
        if options_due(self.game, len(self.story.cards), deal(self.story.cards)):
            due = {lot.person for lot in self.story.lots} - self.story.back - self.absent
        self.same("options", due, set(current.options.waiting) if current.options is not None else set())
        if not due:
            return
        self.seen["options"] += 1
        for person in sorted(due):
            goes_on = not self.one_in(3)
            self.play.do(c.TakeOption(person, goes_on), person)
            if not goes_on:
                self.story.back.add(person)
        if self.story.back >= {lot.person for lot in self.story.lots}:
            self.seen["all back"] += 1
            self.ended_without_result()

    def void(self) -> None:
        self.seen["void"] += 1
        self.shows = self.showed and not self.story.cards  # the card is still in the shoe
        self.rule(r.VoidRound())
        self.ended_without_result()

    def ended_without_result(self) -> None:
        """Every bet went back, and no card waits."""
        self.over = True
        self.confirm()
        self.same("round over", None, self.play.table.round)
        self.same("money after no result", self.before, self.stacks)
        self.same("waiting", [], self.out_early())

    def found_with_cards_open(self) -> None:
        """On record at once; a second person confirms it or not (reading Z)."""
        if self.paid or (self.book.insurance and len(self.story.cards) > 4):
            return  # a window has passed: what insurance that was missed comes to is told elsewhere
        lot = self.lot()
        whole = limits.stakes([*self.story.lots, lot])[lot.key]
        if self.sign.kind == "rws" and self.sign.maximum is not None and whole > self.sign.maximum:
            return
        if lot.person in self.story.back:
            return
        self.seen["found with cards open"] += 1
        self.play.do(c.FindBet(lot.person, lot.box, lot.bet, lot.amount))
        self.confirm_found(lot)

    def insurance(self) -> None:
        """A bet that comes to light while the first window is open is offered it like any other (reading F)."""
        if not self.story.free and len(self.story.cards) == 4 and self.one_in(10):
            self.found_with_cards_open()
        super().insurance()

    # --- cards too many

    def settle(self) -> None:
        if self.one_in(8):
            self.excess()
        elif self.book.free_hand and self.one_in(30):
            self.card_shows()
        super().settle()

    def excess(self) -> None:
        """One or two cards after the last: they open the next round, or at Hoiana a Free Hand (7.5-7.7)."""
        surplus = []
        for _ in range(self.chance.choice([1, 1, 2])):
            hand = self.chance.choice([PLAYER, BANKER, ""])
            turned = not self.one_in(3)
            card = self.shoe.pop()
            self.play.do(c.Draw(Card(card), HANDS.get(hand), turned))
            surplus.append(Waiting(card, False, not turned, hand))
        self.seen["excess"] += 1
        self.put_right(r.Reconstruct())
        self.options()
        self.waiting = self.free_or_not(surplus)

    def free_or_not(self, surplus: list[Waiting]) -> list[Waiting]:
        """Seen, or the third at Player, which asks for no eyes (7.6): such a card makes the next hand free."""
        at_player = len(deal(self.story.cards).player)
        found = []
        for each in surplus:
            at_player += each.hand == PLAYER
            free = not each.hidden or (each.hand == PLAYER and at_player == 3)
            found.append(each._replace(free=free and self.book.free_hand))
        return found
