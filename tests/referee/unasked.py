"""Stories of insurance that was not offered to everybody, and of players who walk away (Tiger Buffalo 5.3, 5.17)."""

from __future__ import annotations

from fractions import Fraction

from tests.referee.amended import Amended
from tests.referee.felt import HANDS, PEOPLE
from tests.referee.hands import deal
from tests.referee.insurance import FOUR, Insured, becomes, late_cap, offered
from tests.referee.verdict import standing

from puntobanco.table import commands as c
from puntobanco.table import rulings as r


class Unasked(Amended):
    """A live table where the dealer forgets somebody, too."""

    def __init__(self, seed: int, game: str | None = None) -> None:
        super().__init__(seed, game)
        if self.book.insurance and self.one_in(2):
            # low cards first: there is more to insure
            self.shoe.sort(key=lambda card: card[0] in "A2346K")

    def draw(self, hand: str) -> None:
        if not self.story.free and self.one_in(25):
            self.walk_away()
        windows = len(self.asked)
        super().draw(hand)
        if not self.over and self.pending is None and windows:
            self.find_missed()

    def walk_away(self) -> None:
        """Bets stay, insurance is forgone, and who is asked goes on (5.3)."""
        there = sorted({lot.person for lot in self.story.lots} - self.absent - self.story.back)
        if not there:
            return
        self.seen["walked away"] += 1
        person = self.chance.choice(there)
        self.play.do(c.WalkAway(person))
        self.absent.add(person)
        if self.sign.forgo == "round":
            self.forgone |= {person}
        for asked in self.asked.values():
            asked -= {(person, hand) for hand in HANDS}
        if self.one_in(2):
            self.play.do(c.ComeBack(person))
            self.absent.discard(person)

    def find_missed(self) -> None:
        """The window before the last card was displayed, and somebody was not asked."""
        which = list(self.asked)[-1]
        if len(self.story.cards) != (5 if which == FOUR else 6):
            return
        stakes = standing(self.story)
        people = sorted(person for person, hand in self.asked[which] if (person, PEOPLE[person], hand) in stakes)
        now = offered(deal(self.story.cards))
        if not people or (not self.one_in(4) and not any(hand in now for _, hand in self.asked[which])):
            return
        self.seen["missed"] += 1
        person = self.chance.choice(people)
        missed = {(who, hand) for who, hand in self.asked[which] if who == person}
        self.asked[which] -= missed
        self.play.do(c.Report("insurance_missed", "not asked", person=person))
        self.forgone -= {person}
        self.silent = self.silent[0], self.silent[1] - {person}
        dealt = deal(self.story.cards)
        if any(hand in offered(dealt) for _, hand in missed):
            self.seen["offered late"] += 1
            self.late |= {place for place in missed if place[1] in offered(dealt)}
            self.put_right(r.OfferLate())
        elif dealt.due:
            self.put_right(r.PlayOn())
        else:
            self.return_bets(which, missed)

    def return_bets(self, which: str, missed: set[tuple[str, str]]) -> None:
        """To who had meant to insure and would have won; nothing to others (5.17.2)."""
        pays = offered(deal(self.story.cards[: 4 if which == FOUR else 5]))
        lucky = set()
        for person, hand in sorted(missed):
            if self.one_in(3):
                continue
            self.play.do(c.MeantToInsure(person, HANDS[hand]))
            meant = Insured(person, PEOPLE[person], hand, 1, which)
            if becomes(deal(self.story.cards), meant, pays[hand]):
                lucky.add((person, hand))
        if lucky:
            self.seen["returned"] += 1
            self.put_right(r.ReturnBets())
            self.story.returned |= lucky
        else:
            self.put_right(r.PlayOn())

    def late_room(self, person: str, hand: str) -> int:
        original = standing(self.story)[person, PEOPLE[person], hand]
        pays = offered(deal(self.story.cards))[hand]
        wins = sum(
            (
                each.amount * pays
                for each in self.story.insured
                if (each.person, each.hand, each.late) == (person, hand, True)
            ),
            start=Fraction(0),
        )
        return int((original - wins) / pays) if wins else late_cap(original, pays)
