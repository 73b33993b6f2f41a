"""Whole shoes with several players, and what must come of every bet.

What is expected comes from :mod:`puntobanco.literal`, the Table of Play of :mod:`scripts.tools.playthrough_cards` and
plain sums in a ledger of its own. The table engine has no part in it, so that the files can check it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scripts.tools.playthrough_cards import Deal
from scripts.tools.playthrough_mistakes import make_mistake, too_late
from scripts.tools.playthrough_plans import Plan
from scripts.tools.playthrough_table import HANDS, Cover, Paper, Stake

from puntobanco.cards import Card, Side
from puntobanco.literal import (
    literal_insurance_odds,
    literal_insurance_profit,
    literal_insurance_settle,
    literal_profit,
    literal_settle,
)

WINDOWS = {4: "four_cards", 5: "player_third"}
"""Cards on the table → the insurance window they open."""


class Shoe(Paper):
    """A shoe on paper, from the shuffle to the last round."""

    def play(self) -> str:
        self.head()
        last = False
        more = self.plan.rounds_after_cut
        while not last:
            self.round += 1
            over = self.cut_card_out
            self.people()
            self.one_round()
            if self.cut_card_out and (over or more == 0):
                last = True
        self.tail()
        return self.pages.text

    # --- a round

    def one_round(self) -> None:
        self.say()
        self.say(note=f"Round {self.round}")
        self.say(f"+{'10' if self.plan.electronic else '15'}s call")
        self.stakes, self.covers, self.order_of_bets = [], [], 0
        if not self.once("nobody bets", 9):
            self.bets()
            self.second_thoughts()
            if self.round % 3 == 0:
                make_mistake(self)
        else:
            self.say(note="nobody bets in this round")
        self.say("+20s close")
        if self.round % 10 == 7:
            too_late(self)
        deal = Deal()
        if self.plan.electronic:
            self.deal_by_machine(deal)
        elif self.plan.void_rank and self.once("void", 24):
            self.void_round(deal)
            return
        else:
            self.deal_by_hand(deal)
        self.settle(deal)
        if not self.plan.electronic:
            self.confirm()
        if self.round % 10 == 0:
            for guest in self.present:
                self.say(f"expect stack {guest.name} {self.money(self.chips(guest))}")

    def next_card(self, deal: Deal) -> tuple[Card, Side]:
        card = self.cards[self.out]
        self.out += 1
        return card, deal.take(card)

    # --- an electronic shoe

    def deal_by_machine(self, deal: Deal) -> None:
        forgone: set[str] = set()
        self.see_cut_card(deal)
        while not deal.over():
            dealt = [self.next_card(deal)[0]]
            while not deal.over() and not self.offered(deal, forgone):
                dealt.append(self.next_card(deal)[0])
            self.say(f"deal {' '.join(map(str, dealt))}", str(deal))
            self.see_cut_card(deal)
            for hand in HANDS:
                self.insure(deal, hand, forgone)

    def see_cut_card(self, deal: Deal) -> None:
        """It comes out before the card behind it: at the mouth of the shoe, only if this round takes another."""
        left = self.left + deal.over()
        if left <= self.plan.behind_cut and not self.cut_card_out:
            self.cut_card_out = True
            self.expect_cut_card(deal)

    def expect_cut_card(self, deal: Deal) -> None:
        paragraphs = self.plan.paragraphs
        paragraph = (deal.player and paragraphs.cut_card_in_round) or paragraphs.cut_card
        self.say(f"expect event cut_card_appeared {paragraph}".rstrip())

    def offered(self, deal: Deal, forgone: set[str]) -> bool:
        """Whether the cards so far bring an offer of insurance."""
        return any(self.to_insure(deal, hand, forgone) for hand in HANDS)

    def to_insure(self, deal: Deal, hand: str, forgone: set[str]) -> list[Stake]:
        if not self.plan.insurance or len(deal.player) < 2 or len(deal.banker) != 2:
            return []
        if literal_insurance_odds(deal.coup, HANDS[hand]) is None:
            return []
        return [stake for stake in self.stakes if stake.bet == hand and stake.guest.name not in forgone]

    def insure(self, deal: Deal, hand: str, forgone: set[str]) -> None:
        """Who insures, who passes, and who says nothing until the time is over."""
        stakes = self.to_insure(deal, hand, forgone)
        if not stakes:
            return
        odds = literal_insurance_odds(deal.coup, HANDS[hand])
        assert odds is not None
        window = WINDOWS[len(deal.player) + len(deal.banker)]
        for stake in stakes:
            self.say(f"expect offer {stake.guest.name} {hand} {odds.numerator} to {odds.denominator}")
        waiting = False
        for stake in stakes:
            most = self.most_insurance(stake, odds)
            if self.chance.one_in(5):
                over = most + self.plan.step
                line = f"insure {stake.where} {hand} {self.money(over)}"
                self.refused(line, "insurance_cap", "3.12.2", most, "more than allowed")
            choice = self.chance.below(5)
            taken = min(most, self.plan.side_minimum * (1 + self.chance.below(12)), self.chips(stake.guest))
            if choice < 3 and taken:
                self.say(f"insure {stake.where} {hand} {self.money(taken)}")
                self.post(f"chips:{stake.guest.name}", f"layout:{stake.guest.name}", taken)
                self.covers.append(Cover(stake, window, HANDS[hand], taken))
                continue
            forgone.add(stake.guest.name)
            if choice == 3:
                self.say(f"pass insurance {stake.guest.name}")
            else:
                waiting = True
        if waiting:
            self.refused(f"deal {self.cards[self.out]}", "insurance_open", "3.13", note="somebody has not answered")
            self.say("+10s close insurance")
            self.say("expect event insurance_closed 5.3")
            self.say("expect no offer")

    def most_insurance(self, stake: Stake, odds: Fraction) -> int:
        """The Original Bet; at 10 to 1 also a quarter of the maximum."""
        return min(stake.amount, self.plan.maximum // 4) if odds == 10 else stake.amount

    # --- a live table

    def draw(self, deal: Deal) -> tuple[Card, Side]:
        """A card leaves the shoe; the Cut Card comes before it where that lies there."""
        if self.left == self.plan.behind_cut:
            self.say("cut card", "it lies in front of the next card: this round is the last")
            self.expect_cut_card(deal)
            self.cut_card_out = True
        card, hand = self.next_card(deal)
        if self.plan.dealing == "open":
            self.say(f"draw {card} {hand} turned")
        elif self.plan.dealing == "keyed":
            self.say(f"draw {hand}")
        else:
            self.say(f"draw {card} {hand}")
        return card, hand

    def deal_by_hand(self, deal: Deal) -> None:
        squeezer = self.squeeze()
        drawn = [self.draw(deal) for _ in range(4)]
        if self.plan.dealing != "open":
            for number in (1, 3, 2, 4):
                self.turn(number, *drawn[number - 1], squeezer)
        number = 4
        while not deal.over():
            number += 1
            card, hand = self.draw(deal)
            if self.plan.dealing != "open":
                self.turn(number, card, hand, squeezer)
        called = deal.result
        if deal.result != "tie" and self.once("wrong call", 13):
            called = "banker" if deal.result == "player" else "player"
            self.say(f"announce {called}", f"the dealer calls it wrong, the cards decide: {deal}")
        else:
            self.say(f"announce {called}", str(deal))

    def turn(self, number: int, card: Card, hand: Side, squeezer: tuple[str, Side] | None) -> None:
        keyed = f" {card}" if self.plan.dealing == "keyed" else ""
        mine = squeezer is not None and squeezer[1] is hand
        who = f"{squeezer[0]}: " if squeezer and mine else ""
        self.say(f"{who}turn {number}{keyed}")

    def squeeze(self) -> tuple[str, Side] | None:
        """Now and then the seated player with the highest bet asks to squeeze the hand it is on."""
        if not self.plan.paragraphs.squeeze or self.round % 3 != 1:
            return None
        seated = [stake for stake in self.stakes if stake.bet in HANDS and stake.seated]
        if not seated:
            return None
        highest = min(seated, key=lambda stake: (-stake.amount, stake.order))
        others = [stake for stake in self.stakes if stake.bet in HANDS and stake.guest is not highest.guest]
        if others:
            line = f"squeeze {others[0].guest.name} {highest.bet}"
            self.refused(line, "squeeze", self.plan.paragraphs.squeeze, note="not the highest bet of those who sit")
        self.say(
            f"squeeze {highest.guest.name} {highest.bet}", "the highest bet of those who sit, the earlier of equals"
        )
        if self.chance.one_in(4):
            self.say(f"deny {highest.guest.name}")
            return None
        self.say(f"grant {highest.guest.name}")
        return highest.guest.name, HANDS[highest.bet]

    def void_round(self, deal: Deal) -> None:
        for _ in range(3):
            self.draw(deal)
        self.say('rule void "a fourth card fell to the floor and was lost"')
        self.say("approve 1", "what the book does not cover is eva's")
        self.say("expect paragraph 5.17")
        self.say("expect result void")
        for guest in self.present:
            back = sum(stake.amount for stake in self.stakes if stake.guest is guest)
            if back:
                self.say(f"expect transfer layout:{guest.name} chips:{guest.name} {self.money(back)}")
                self.post(f"layout:{guest.name}", f"chips:{guest.name}", back)
        self.say("expect phase idle")

    def confirm(self) -> None:
        """Box by box; where the dealer calls too early, the call is refused."""
        boxes = sorted({stake.box for stake in self.stakes})
        if not boxes:
            return
        if self.round % 8 == 4:
            paragraph = self.plan.paragraphs.round
            self.refused("call", "confirmations", paragraph, note="takes and pays are not confirmed yet")
        overridden = len(boxes) > 1 and self.once("override", 17)
        for box in boxes[:-1] if overridden else boxes:
            self.say(f"confirm {box}")
        if overridden:
            self.say(f'override "box {boxes[-1]} is paid, seen on camera 4"', "max, the Pit Manager, may")
        self.say("expect phase idle")

    # --- money

    def settle(self, deal: Deal) -> None:
        player, banker = deal.points
        self.say(f"expect points player {player} banker {banker}")
        self.say(f"expect result {deal.result}")
        cited: list[str] = []
        for stake in self.stakes:
            self.settle_bet(deal, stake, cited)
        for cover in self.covers:
            self.settle_insurance(deal, cover, cited)
        paragraphs = self.plan.paragraphs
        if deal.result == "tie":
            cited.insert(0, paragraphs.tie)
        elif self.round % 10 == 1:
            cited.insert(0, paragraphs.winner)
        for paragraph in dict.fromkeys(cited):
            self.say(f"expect paragraph {paragraph}")
        if deal.result != "tie":
            self.last_winner = deal.result

    def settle_bet(self, deal: Deal, stake: Stake, cited: list[str]) -> None:
        game, bet, name = self.plan.game, stake.bet, stake.guest.name
        gain = literal_profit(game, bet, deal.coup)
        what = f"{stake.where} {bet}"
        if gain < 0:
            self.say(f"expect lost {what} {self.money(stake.amount)}")
            self.post(f"layout:{name}", "tray", stake.amount)
            return
        self.post(f"layout:{name}", f"chips:{name}", stake.amount)
        if gain == 0:
            self.say(f"expect returned {what} {self.money(stake.amount)}")
            return
        profit = literal_settle(game, bet, stake.amount, deal.coup)
        note = "" if bet in HANDS else _odds(gain)
        self.say(f"expect won {what} {self.money(profit)}", note)
        self.post("tray", f"chips:{name}", profit)
        if self.plan.commission and bet == "banker":
            self.post("tray", "commission", stake.amount - profit)
        if bet not in HANDS:
            cited.append(self.plan.paragraphs.pays[bet])

    def settle_insurance(self, deal: Deal, cover: Cover, cited: list[str]) -> None:
        stake, name = cover.amount, cover.stake.guest.name
        gain = literal_insurance_profit(cover.window, cover.hand, deal.coup)
        what = f"{cover.stake.where} {cover.hand}_insurance"
        if gain < 0:
            self.say(f"expect lost {what} {self.money(stake)}")
            self.post(f"layout:{name}", "tray", stake)
            return
        self.post(f"layout:{name}", f"chips:{name}", stake)
        if gain == 0:
            self.say(f"expect returned {what} {self.money(stake)}")
            return
        profit = literal_insurance_settle(cover.window, cover.hand, stake, deal.coup)
        self.say(f"expect won {what} {self.money(profit)}", _odds(gain))
        self.post("tray", f"chips:{name}", profit)
        if deal.result == "tie":
            cited.append("4.2.1.a" if cover.hand is Side.PLAYER else "4.2.1.b")
        else:
            cited.append("4.1.14")

    # --- the end

    def tail(self) -> None:
        self.say("expect event shoe_ended", f"{self.out} cards were used, {self.left} are left")
        self.say()
        self.refused("call", "no_shoe", note="the shoe is over")
        if self.plan.commission:
            self.say()
            self.say(note="Commission lies in the tray and is counted with it.")
        self.say()
        assert sum(self.balances.values()) == 0
        for account in sorted(self.balances):
            self.say(f"expect balance {account} {self.money(self.balances[account])}")


def _odds(gain: Fraction) -> str:
    return f"{gain.numerator} to {gain.denominator}"


def shoe(plan: Plan) -> str:
    """The whole history of a shoe."""
    return Shoe(plan).play()


def shoes(plans: Sequence[Plan]) -> dict[str, str]:
    """File → text."""
    return {f"shoes/{plan.file}.txt": shoe(plan) for plan in plans}
