"""Random stories of live rounds, told to the engine and to the referee alike, and compared."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import NamedTuple

from tests.referee import books, limits
from tests.referee.books import BOOKS, DH, GAMES, HOC, HON, RB, S6, TB
from tests.referee.hands import BANKER, PLAYER, deal
from tests.referee.insurance import Insured, window
from tests.referee.limits import Lot, Sign
from tests.referee.verdict import Line, Story, by_person, may_insure, settled, used_after
from tests.table.build import DIRECTOR, open_table

from puntobanco.cards import CARDS, Card, Side
from puntobanco.script import format_script, retell
from puntobanco.table import commands as c
from puntobanco.table.engine import Done
from puntobanco.table.refusals import Refusal
from puntobanco.table.settings import BetLimits, Differential
from puntobanco.table.state import Phase

SEATED = {"ann": 1, "bob": 2, "dan": 3}
STANDING = {"cho": 1, "eve": 2}
PEOPLE = SEATED | STANDING
RICH = 1_000_000_00
ROUNDS = 8
"""Of a story."""
LAYOUTS = {
    DH: "ABCD",
    S6: "ABCDEF",
    RB: "ABCDEFGH",
    TB: "ABCDEFGHIJLMNOPQ",
    HOC: ("A4",),
    HON: ("A2",),
}
HANDS = {PLAYER: Side.PLAYER, BANKER: Side.BANKER}
OTHER = {PLAYER: BANKER, BANKER: PLAYER}


class Waiting(NamedTuple):
    """A card that is out before its hand."""

    card: str
    free: bool = False
    """Whether it makes that hand a Free Hand."""
    hidden: bool = False
    hand: str = ""
    """Where it was put."""


class DifferenceError(AssertionError):
    """Referee and engine do not agree."""


def counts(line: Line) -> bool:
    """Insurance that went back has a line or none: by its row or by a cap, the money is the same."""
    return not (line.bet.endswith("insurance") and line.result == "returned")


def random_sign(chance: Random, game: str) -> Sign:
    minimum, step = chance.choice([(10_00, 5_00), (25_00, 5_00), (100_00, 100_00), (10_00, 1)])
    maximum = chance.choice([None, 500_00, 2_000_00, 1_333_00])
    differential = chance.choice([None, 300_00, 1_000_00, 717_00])
    layout = chance.choice(LAYOUTS[game])
    if step > 1 and maximum is not None:
        maximum -= maximum % step
    forgo = chance.choice(["round", "round", "window"])
    return Sign(game, layout, minimum, maximum, step, differential, chance.random() < 0.3, forgo)


class Felt:
    """A live table: what happens on it, keyed to the engine, and what the referee makes of it."""

    def __init__(self, seed: int, game: str | None = None) -> None:
        self.seed = seed
        self.chance = chance = Random(seed)
        self.game = game or chance.choice((*GAMES, TB))  # insurance is known there alone
        self.book = BOOKS[self.game]
        sign = random_sign(chance, self.game)
        scope = "box" if sign.by_box else "table"
        self.play = open_table(
            game=self.game,
            layout=sign.layout,
            positions=5,
            decks=8,
            limits=BetLimits(sign.minimum, sign.maximum, sign.step),
            differential=None if sign.differential is None else Differential(sign.differential, scope),  # type: ignore[arg-type]
            forgo=sign.forgo,
        )
        settings = self.play.table.settings
        by_box = settings.differential is not None and settings.differential.scope == "box"
        self.sign = sign._replace(by_box=by_box, forgo=settings.forgo)
        self.bets = (PLAYER, BANKER) * 4 + books.side_bets(self.game, sign.layout)
        for person, box in PEOPLE.items():
            self.play.do(c.Join(person, box, person in SEATED), person)
            self.play.do(c.ChipsIn(person, RICH), "house")
        self.play.do(c.NewShoe("shuffled by machine"), "house")
        self.shoe: list[str] = [card.value for card in CARDS] * 8
        chance.shuffle(self.shoe)
        self.waiting: list[Waiting] = []
        self.shows = False
        """Whether the first card of the next hand was seen in the shoe."""
        self.used: frozenset[str] = frozenset()
        self.seen: Counter[str] = Counter()
        self.story = Story(self.sign)

    # --- what is compared

    def same(self, what: str, referee: object, engine: object) -> None:
        if referee != engine:
            raise DifferenceError(
                f"seed {self.seed}, {self.game}: {what}: referee {referee}, engine {engine}\n{self.told()}"
            )

    def told(self) -> str:
        """Everything so far as a history that ``puntobanco run`` plays."""
        return format_script(retell(self.play.entries).script)

    def one_in(self, number: int) -> bool:
        return self.chance.randrange(number) == 0

    @property
    def stacks(self) -> dict[str, int]:
        balances = self.play.table.balances
        return {person: balances[f"chips:{person}"] for person in PEOPLE}

    def on_layout(self) -> dict[limits.Key, int]:
        current = self.play.table.round
        assert current is not None
        return {key: wager.stake for key, wager in current.wagers.items()}

    # --- a round

    def story_of(self, rounds: int) -> None:
        for _ in range(rounds):
            self.round()

    def round(self) -> None:
        self.seen["rounds"] += 1
        self.between()
        self.before = self.stacks
        self.story = Story(self.sign, self.used)
        self.forgone: frozenset[str] = frozenset()
        self.absent: set[str] = set()
        """Who has walked away."""
        self.late: set[tuple[str, str]] = set()
        """Whom insurance on a hand is offered late (5.17.1)."""
        self.asked: dict[str, set[tuple[str, str]]] = {}
        """By window, who was offered insurance on which hand and has said neither yes nor no."""
        self.passed: dict[str, set[str]] = {}
        """By window, who has said no."""
        self.silent: tuple[int, set[str]] = (0, set())
        """Who was offered insurance and has taken none, and how many cards were out then."""
        self.over = False
        self.number = self.play.table.rounds + 1
        if self.story_is_free():
            self.seen["free hand"] += 1
            self.number -= 1
            self.story.free = True
            current = self.play.table.round
            self.same("free hand", True, current is not None and current.free)
        else:
            self.same("free hand", False, self.play.table.round is not None)
            self.play.do(c.Call())
            self.betting()
            self.same("free hand", False, self.play.table.round is not None and self.play.table.round.free)
            self.play.do(c.Close())
            self.story.lots = limits.close(self.sign, self.story.lots)
            self.same("at the close", limits.stakes(self.story.lots), self.on_layout())
        self.begin()
        self.after_close()
        self.dealing()
        if not self.over:
            self.settle()

    def between(self) -> None:
        """What happens before the call."""

    def begin(self) -> None:
        """Cards that waited are the first of the round."""
        self.story.cards = [each.card for each in self.waiting]
        self.waiting = []
        self.shows = False

    def story_is_free(self) -> bool:
        return self.book.free_hand and (self.shows or any(each.free for each in self.waiting))

    # --- bets

    def amount(self) -> int:
        sign = self.sign
        if self.one_in(12):
            return self.chance.randint(1, sign.minimum)
        most = sign.maximum or sign.differential or 1_000_00
        step = max(sign.step, 1)
        amount = self.chance.choice([sign.minimum, most, self.chance.randint(1, most * 5 // 4), most // 3])
        return max(step, amount - amount % step) if not self.one_in(12) else max(1, amount)

    def lot(self) -> Lot:
        person = self.chance.choice(list(PEOPLE))
        return Lot(person, PEOPLE[person], self.chance.choice(self.bets), self.amount(), person in SEATED)

    def betting(self) -> None:
        for _ in range(self.chance.randrange(8)):
            self.seen["betting"] += 1
            if self.story.lots and self.one_in(6):
                self.withdraw()
            elif self.one_in(8):
                self.find_in_time()
            else:
                self.ask_bet()
            self.same("while betting", limits.stakes(self.story.lots), self.on_layout())

    def ask_bet(self) -> None:
        lot = self.lot()
        after = limits.ask(self.sign, self.story.lots, lot)
        answer = self.play.ask(c.Place(lot.person, lot.box, {lot.bet: lot.amount}), lot.person)
        self.same(f"asked {lot}", after is not None, isinstance(answer, Done))
        if after is not None:
            self.play.do(c.Place(lot.person, lot.box, {lot.bet: lot.amount}), lot.person)
            self.story.lots = after

    def withdraw(self) -> None:
        key, stake = self.chance.choice(list(limits.stakes(self.story.lots).items()))
        amount = stake if self.one_in(2) else self.chance.randrange(1, stake + 1)
        amount -= amount % self.sign.step
        left = stake - amount
        if not amount or 0 < left < self.sign.minimum or left % self.sign.step:
            amount = stake
        person, box, bet = key
        self.play.do(c.Withdraw(person, box, bet, amount), person)
        for place in reversed(range(len(self.story.lots))):
            lot = self.story.lots[place]
            if lot.key == key and amount:
                taken = min(amount, lot.amount)
                self.story.lots[place] = lot._replace(amount=lot.amount - taken)
                amount -= taken
        self.story.lots = [lot for lot in self.story.lots if lot.amount]

    def find_in_time(self) -> None:
        lot = self.lot()
        self.seen["found in time"] += 1
        self.play.do(c.FindBet(lot.person, lot.box, lot.bet, lot.amount))
        self.story.lots.append(lot)

    # --- after the close

    def after_close(self) -> None:
        if self.story.free:
            return
        if self.one_in(3):
            for _ in range(self.chance.randint(1, 3)):
                self.find_unnoticed()
        if self.one_in(10):
            self.late_chips()

    def find_unnoticed(self) -> None:
        lot = self.lot()
        whole = limits.stakes([*self.story.lots, lot])[lot.key]
        if self.sign.kind == "rws" and self.sign.maximum is not None and whole > self.sign.maximum:
            return
        self.seen["found late"] += 1
        self.play.do(c.FindBet(lot.person, lot.box, lot.bet, lot.amount))
        self.confirm_found(lot)

    def confirm_found(self, lot: Lot) -> None:
        """Where a card lies open a second person confirms it, or does not (reading Z)."""
        self.same("waits for a second person", bool(self.story.cards), bool(self.play.table.proposals))
        for number in self.play.table.proposals:
            if self.one_in(3):
                self.play.do(c.Decline(number, "nothing of it on the camera"), DIRECTOR)
                return
            self.play.do(c.Approve(number), DIRECTOR)
        self.story.lots.append(lot)

    def late_chips(self) -> None:
        lot = self.lot()
        laid = limits.stakes(self.story.lots)
        if self.one_in(2) or self.sign.kind == "hoiana" or not laid:
            self.seen["late chips"] += 1
            self.play.do(c.LateChips(lot.person, lot.box, lot.bet, lot.amount, "placed"))
        else:
            self.seen["late withdrawal"] += 1
            (person, box, bet), stake = self.chance.choice(list(laid.items()))
            self.play.do(c.LateChips(person, box, bet, stake, "withdrawn"))

    # --- cards

    def dealing(self) -> None:
        while not self.over:
            dealt = deal(self.story.cards)
            if window(dealt):
                self.insurance()
            if not dealt.due:
                break
            self.draw(dealt.due)

    def draw(self, hand: str) -> None:
        card = self.shoe.pop()
        self.story.cards.append(card)
        self.play.do(c.Draw(Card(card), HANDS[hand], True))

    # --- insurance

    def insurance(self) -> None:
        cards, silent = self.silent
        if len(self.story.cards) > cards and self.sign.forgo == "round":
            self.forgone |= silent  # a card left the shoe since they were asked
        may = may_insure(self.story, self.forgone | self.absent) if self.book.insurance and not self.story.free else {}
        current = self.play.table.round
        assert current is not None
        shown = current.window.offers if current.window is not None else ()
        gone = current.forgone | self.play.table.absent
        found = {
            (person, offer.hand.value): offer.odds for offer in shown for person in offer.people if person not in gone
        }
        which = window(deal(self.story.cards))
        self.silent = len(self.story.cards), {person for person, _ in may} - self.took(which)
        self.same("offers", sorted(may), sorted(found))
        answered = self.took(which) | self.passed.setdefault(which, set())
        asked = {(person, hand) for person, hand in set(may) - self.late if person not in answered}
        self.asked[which] = self.asked.get(which, set()) | asked
        if not may:
            return
        self.seen["windows"] += 1
        for (person, hand), (box, pays, most) in may.items():
            self.same("odds", pays, found[person, hand].fraction)
            for _ in range(self.chance.choice([0, 0, 1, 1, 2])):
                self.insure(person, box, hand, most, which)
            if self.one_in(4) and person not in self.passed[which]:
                # who wants no more, or none, may think better of it before the next card (5.3)
                self.seen["passed"] += 1
                self.play.do(c.PassInsurance(person), person)
                self.passed[which].add(person)
                self.asked[which] -= {(person, hand) for hand in HANDS}
            if self.one_in(6):
                self.insure(person, box, hand, most, which)

    def took(self, which: str) -> set[str]:
        """Who has insured in that window."""
        return {each.person for each in self.story.insured if each.window == which}

    def insure(self, person: str, box: int, hand: str, most: int, which: str) -> None:
        """Somebody asks for insurance, perhaps for more than may be."""
        before = [each for each in self.story.insured if (each.person, each.hand, each.window) == (person, hand, which)]
        taken, late = sum(each.amount for each in before), (person, hand) in self.late
        if late:
            most = min(most, taken + self.late_room(person, hand))
        amount = self.chance.choice([most, most // 2, most + 1, self.chance.randint(1, most + 10)]) or 1
        body = c.Insure(person, box, HANDS[hand], amount)
        answer = self.play.ask(body, person)
        self.same(f"insured {person} {hand} {amount} beside {taken}", taken + amount <= most, isinstance(answer, Done))
        if isinstance(answer, Refusal):
            self.same(f"what fits {answer.code}", most - taken, answer.fits)
        else:
            self.play.do(body, person)
            self.story.insured.append(Insured(person, box, hand, amount, which, late))
            self.silent = self.silent[0], self.silent[1] - {person}
            self.asked[which].discard((person, hand))
            self.seen["insured late" if late else "insured"] += 1

    def late_room(self, person: str, hand: str) -> int:
        """What may still be insured late: all of it wins no more than the Original Bet (5.17.1)."""
        raise NotImplementedError

    # --- the end

    def settle(self) -> None:
        dealt = deal(self.story.cards)
        self.play.do(c.Announce(dealt.winner))  # type: ignore[arg-type]
        self.confirm()
        self.compare()
        self.used = used_after(self.story)

    def confirm(self) -> None:
        """All boxes are paid."""
        while self.play.table.phase is Phase.PAYING:
            assert self.play.table.round is not None
            self.play.do(c.Confirm(min(self.play.table.round.unconfirmed)))

    def compare(self) -> None:
        """The round as it is settled now."""
        self.seen["settled"] += 1
        expected = settled(self.story)
        found = next(each for each in self.play.table.known_rounds if each.number == self.number)
        lines = [
            Line(
                each.person,
                each.box,
                each.bet,
                each.stake,
                each.result.value,
                -each.stake if each.result.value == "lost" else each.profit,
            )
            for each in found.lines
        ]
        self.same("lines", sorted(filter(counts, expected)), sorted(filter(counts, lines)))
        after = self.stacks
        gone = {person: after[person] - self.before[person] for person in PEOPLE}
        self.same("money", by_person(expected), {person: amount for person, amount in gone.items() if amount})
        self.same("waiting", [each.card for each in self.waiting], self.out_early())

    def out_early(self) -> list[str]:
        """Cards that wait for the next hand, or lie there already where that is a Free Hand."""
        current = self.play.table.round
        begun = current.cards if current is not None and current.free else ()
        return [str(each.card) for each in (*begun, *self.play.table.carried)]
