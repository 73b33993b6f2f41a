"""A table on paper: its guests with their chips and bets, a ledger of its own, and the lines of its history.

The playthroughs of whole shoes are played on it, and what they expect is reckoned here; the table engine has no part in
that.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from scripts.tools.playthrough_cards import Chance, Pages, amount, cards_of
from scripts.tools.playthrough_plans import Plan

from puntobanco.cards import Card, Side
from puntobanco.literal import card_value

HANDS = {"player": Side.PLAYER, "banker": Side.BANKER}


@dataclass(eq=False)
class Guest:
    """A player, and the hand that he likes: one of the two, the one that won last, or none."""

    name: str
    box: int
    likes: str
    seated: bool = True
    arrives: int = 1
    leaves: int = 0
    here: bool = False


@dataclass(eq=False)
class Stake:
    """Chips on a bet."""

    guest: Guest
    box: int
    bet: str
    amount: int
    order: int

    @property
    def seated(self) -> bool:
        return self.guest.seated and self.guest.box == self.box

    @property
    def where(self) -> str:
        """Who, and in which box unless it is that person's own, as a history writes it."""
        return self.guest.name if self.box == self.guest.box else f"{self.guest.name} {self.box}"


@dataclass(eq=False)
class Cover:
    """Insurance that somebody took."""

    stake: Stake
    window: str
    hand: Side
    amount: int


def guests() -> list[Guest]:
    return [
        Guest("ann", 1, "banker"),
        Guest("bob", 2, "player", leaves=31),
        Guest("cho", 1, "last", seated=False),
        Guest("dee", 3, "none", arrives=3),
        Guest("eve", 3, "player", seated=False, arrives=6, leaves=26),
        Guest("fay", 2, "last", arrives=33),
    ]


class Paper:
    """A table, written down as it is played: acts, and under each what is expected of it."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.chance = Chance(plan.seed)
        self.order = self.chance.shuffled(cards_of(plan.decks))
        self.cut_after = 40 + self.chance.below(len(self.order) - 80)
        self.cards: list[Card] = [*self.order[self.cut_after :], *self.order[: self.cut_after]]
        self.out = 0
        self.pages = Pages()
        self.balances: dict[str, int] = defaultdict(int)
        self.guests = guests()
        self.stakes: list[Stake] = []
        self.covers: list[Cover] = []
        self.order_of_bets = 0
        self.round = 0
        self.last_winner = "banker"
        self.next_side = 0
        self.next_mistake = 0
        self.cut_card_out = False
        self.seen: set[str] = set()
        """What is to happen once in a shoe, and has."""

    # --- small things

    def say(self, line: str = "", note: str = "") -> None:
        self.pages.say(line, note)

    def money(self, minor: int) -> str:
        return amount(minor, self.plan.digits)

    def post(self, source: str, target: str, minor: int) -> None:
        self.balances[source] -= minor
        self.balances[target] += minor

    def chips(self, guest: Guest) -> int:
        return self.balances[f"chips:{guest.name}"]

    def refused(self, line: str, code: str, paragraph: str = "", fits: int | None = None, note: str = "") -> None:
        self.say(line, note)
        told = f" fits {self.money(fits)}" if fits is not None else ""
        self.say(f"expect refused {code}{' ' + paragraph if paragraph else ''}{told}")

    def once(self, what: str, from_round: int) -> bool:
        if self.round < from_round or what in self.seen:
            return False
        self.seen.add(what)
        return True

    @property
    def present(self) -> list[Guest]:
        return [guest for guest in self.guests if guest.here]

    @property
    def left(self) -> int:
        return len(self.cards) - self.out

    # --- opening and shoe

    def head(self) -> None:
        plan = self.plan
        self.pages.tell(f"A whole shoe of {plan.about}.")
        self.pages.tell(
            "Written by scripts/playthroughs. What is expected was reckoned from the rule book read literally"
            " (puntobanco.literal) and by plain sums, not by the table that plays it."
        )
        self.say(note=f"The {len(self.order)} cards as they were shuffled, the top of the shoe first:")
        for start in range(0, len(self.order), 26):
            self.say(note="  " + " ".join(map(str, self.order[start : start + 26])))
        self.say()
        self.settings()
        self.say()
        self.say("2026-03-01 12:00:00 open")
        self.post("cage", "tray", plan.tray_value)
        self.say("staff dora dealer")
        self.say("staff sam pit supervisor")
        self.say("staff max pit manager")
        if plan.void_rank:
            self.say(f"staff eva {plan.void_rank}")
        self.arrive(*(guest for guest in self.guests if guest.arrives == 1))
        self.say()
        self.shoe()

    def settings(self) -> None:
        plan = self.plan
        limits = f"{self.money(plan.minimum)} to {self.money(plan.maximum)} step {self.money(plan.step)}"
        side = (
            f"{self.money(plan.side_minimum)} to {self.money(plan.side_maximum)} step {self.money(plan.side_minimum)}"
        )
        self.say(f"table {plan.file}")
        self.say(f"game {plan.game}")
        self.say(f"layout {plan.layout}")
        self.say(f"positions {plan.positions}")
        self.say(f"decks {plan.decks}")
        if plan.currency != "SGD":
            self.say(f"currency {plan.currency}{' 0' if not plan.digits else ''}")
        if plan.chips:
            self.say(f"chips {plan.chips}")
        self.say(f"limits {limits}")
        for bet in plan.sides:
            self.say(f"limits on {bet} {side}")
        self.say(f"differential {self.money(plan.differential)}")
        self.say("electronic" if plan.electronic else "live")
        if plan.dealing in ("face down", "keyed"):
            self.say("face down")
        if plan.burn:
            self.say(f"burn rule {plan.burn}")
        self.say(f"cut card at {plan.behind_cut}")
        if plan.rounds_after_cut:
            self.say(f"rounds after cut {plan.rounds_after_cut}")
        self.say(f"float {plan.tray}")

    def shoe(self) -> None:
        plan = self.plan
        self.say(f'shoe "shuffled in two batches, {len(self.order)} cards counted"')
        self.say(f"cut ann {self.cut_after}", "so many cards go from the top to the bottom")
        if plan.burn:
            if plan.electronic:
                self.refused("call", "burn", plan.paragraphs.burn, note="first the burn")
            first = self.cards[0]
            count = 2 if plan.burn == "2" else 1 + (card_value(first) or 10)
            seen = str(first) if plan.burn == "first card" else "?"
            self.say(f"burn {' '.join([seen, *['?'] * (count - 1)])}")
            self.say(f"expect paragraph {plan.paragraphs.burn}")
            self.out += count

    # --- people and their chips

    def people(self) -> None:
        leaving = [guest for guest in self.present if guest.leaves == self.round]
        coming = [guest for guest in self.guests if guest.arrives == self.round and not guest.here]
        poor = [guest for guest in self.present if self.chips(guest) < 12 * self.plan.minimum and guest not in leaving]
        if (leaving or coming or poor) and self.round > 1:
            self.say()
        for guest in leaving:
            self.say(f"leave {guest.name}")
            chips = self.chips(guest)
            if self.plan.electronic:
                self.post(f"chips:{guest.name}", "tray", chips)
                self.post("drop", f"account:{guest.name}", chips)
                self.say(f"expect transfer drop account:{guest.name} {self.money(chips)}")
            else:
                self.post(f"chips:{guest.name}", "floor", chips)
                self.say(f"expect transfer chips:{guest.name} floor {self.money(chips)}")
            guest.here = False
        if self.round > 1:
            self.arrive(*coming)
        for guest in poor:
            self.buy_in(guest)

    def arrive(self, *guests: Guest) -> None:
        for guest in guests:
            self.say(f"{'sit' if guest.seated else 'stand'} {guest.name} {guest.box}")
            guest.here = True
            self.buy_in(guest)

    def buy_in(self, guest: Guest) -> None:
        money = 60 * self.plan.minimum
        if guest.name == "fay":
            self.say(f"chips in {guest.name} {self.money(money)}")
            self.post("floor", f"chips:{guest.name}", money)
            return
        account = self.plan.electronic or guest.name == "dee"
        self.say(f"buy in {guest.name} {self.money(money)}{' account' if account else ''}")
        self.post(f"account:{guest.name}" if account else "cash", "drop", money)
        self.post("tray", f"chips:{guest.name}", money)

    # --- bets

    def limits(self, bet: str) -> tuple[int, int, int]:
        """Minimum, maximum, step."""
        plan = self.plan
        if bet in HANDS:
            return plan.minimum, plan.maximum, plan.step
        return plan.side_minimum, plan.side_maximum, plan.side_minimum

    def lead(self) -> int:
        """How much more lies on Player than on Banker."""
        on = {hand: sum(stake.amount for stake in self.stakes if stake.bet == hand) for hand in HANDS}
        return on["player"] - on["banker"]

    def room(self, hand: str) -> int:
        """How much more the Differential lets onto a hand."""
        return self.plan.differential - self.lead() if hand == "player" else self.plan.differential + self.lead()

    def place(self, guest: Guest, wagers: dict[str, int], box: int = 0) -> None:
        box = box or guest.box
        named = f"{guest.name} {box}" if box != guest.box else guest.name
        self.say(f"bet {named} " + " ".join(f"{bet} {self.money(stake)}" for bet, stake in wagers.items()))
        for bet, stake in wagers.items():
            self.post(f"chips:{guest.name}", f"layout:{guest.name}", stake)
            before = self.stake_of(guest, box, bet)
            if before:
                before.amount += stake
                before.order = self.order_of_bets
            else:
                self.stakes.append(Stake(guest, box, bet, stake, self.order_of_bets))
            self.order_of_bets += 1

    def stake_of(self, guest: Guest, box: int, bet: str) -> Stake | None:
        found = [stake for stake in self.stakes if (stake.guest, stake.box, stake.bet) == (guest, box, bet)]
        return found[0] if found else None

    def bets(self) -> None:
        chance = self.chance
        for guest in self.present:
            box = guest.box
            if guest.name == "cho" and chance.one_in(6) and any(each.box == 2 and each.seated for each in self.present):
                box = 2
            wagers = self.wishes(guest)
            if wagers:
                self.place(guest, wagers, box)

    def wishes(self, guest: Guest) -> dict[str, int]:
        chance, plan = self.chance, self.plan
        wagers: dict[str, int] = {}
        hand = self.last_winner if guest.likes == "last" else guest.likes
        if hand in HANDS and not chance.one_in(7):
            stake = plan.minimum + plan.step * chance.below(8)
            if stake <= min(self.room(hand), self.chips(guest)):
                wagers[hand] = stake
        count = 3 if guest.likes == "none" else 1 if chance.one_in(3) else 0
        for _ in range(count):
            bet = plan.sides[self.next_side % len(plan.sides)]
            self.next_side += 1
            stake = plan.side_minimum * (1 + chance.below(4))
            if stake + sum(wagers.values()) <= self.chips(guest):
                wagers[bet] = stake
        return wagers

    def second_thoughts(self) -> None:
        """Somebody takes a bet back, or puts more on it."""
        chance = self.chance
        if not self.stakes or not chance.one_in(5):
            return
        stake = chance.pick(self.stakes)
        guest = stake.guest
        if stake.bet not in HANDS:
            self.say(f"withdraw {stake.where} {stake.bet}")
            self.post(f"layout:{guest.name}", f"chips:{guest.name}", stake.amount)
            self.stakes.remove(stake)
            self.say(f"expect wager {stake.where} {stake.bet} 0")
        elif self.plan.step <= min(self.room(stake.bet), self.chips(guest)):
            self.place(guest, {stake.bet: self.plan.step}, stake.box)
            self.say(f"expect wager {stake.where} {stake.bet} {self.money(stake.amount)}")
