"""Bots that play: they come and go, buy in, bet, insure, squeeze, answer, tip, and now and then dispute."""

from __future__ import annotations

from puntobanco.demo.bot import AtTable, World, ask_of
from puntobanco.demo.plan import Seat
from puntobanco.table import commands as c
from puntobanco.table.shoe.seeds import pledge_of
from puntobanco.table.state import Phase
from puntobanco.views.judge import Action, Ask, fill
from puntobanco.views.view import View

MULTIPLES = (1, 1, 1, 2, 2, 3, 4, 5, 10, 20)
"""A bet in minimums; most are small."""
STAYS = (8, 60)
"""Rounds that a bot plays before it takes a break."""
BREAK = (20.0, 180.0)
"""Seconds of a break."""
LAST_MOMENT = 0.2
"""Seconds before the close at which a bot bets no more."""
SIDE_BET = 0.25
SIT_OUT = 0.1
TAKE_BACK = 0.04
INSURE = 0.4
SQUEEZE = 0.5
CUT = 0.3
TIP = 0.06
GO_ON = 0.85
DISPUTE = 0.002
AGREE = 0.7


class Player(AtTable):
    """A player with a place, a favourite hand and a purse."""

    def __init__(self, seat: Seat, world: World, table: str) -> None:
        super().__init__(seat.name, world, table)
        self.seat = seat
        self._stay = world.chance.randint(*STAYS)
        self._away_until = 0.0
        self._bet_in = 0
        self._squeezed_in = 0
        self._shoe_cut = 0
        self._looked_at = 0
        self._seed = ""
        self._mixed = (0, False)

    async def move(self) -> bool:
        view = self.view
        if view.public.phase is Phase.CLOSED:
            return False
        if view.own is None:
            return await self._arrive(view)
        return (
            await self._answer(view)
            or await self._insure(view)
            or await self._turn()
            or await self._squeeze(view)
            or await self._mix(view)
            or await self._bet(view)
            or await self._cut(view)
            or await self._after_round(view)
            or await self._go(view)
        )

    # --- coming and going

    async def _arrive(self, view: View) -> bool:
        if self.world.now() < self._away_until:
            return False
        for action in self.allowed("join", seated=self.seat.seated):
            boxes = ask_of(action, "box")
            if boxes is not None and self.seat.box in boxes.choices:
                await self.world.pause(0, 4)
                notice = {ask.field: True for ask in action.asks if ask.field == "accepts_no_insurance"}
                return await self.give(fill(action, {"box": self.seat.box, **notice}))
        return False

    async def _go(self, view: View) -> bool:
        own = view.own
        if self._stay > 0 or own is None or own.on_layout or self.can("leave") is None:
            return False
        if own.stack and await self.do("cash_out", {"amount": own.stack}):
            return True
        if not await self.do("leave"):
            return False
        self._stay = self.world.chance.randint(*STAYS)
        self._away_until = self.world.now() + self.world.chance.uniform(*BREAK) / self.world.speed
        return True

    # --- bets

    async def _bet(self, view: View) -> bool:
        current = view.public.round
        if view.public.phase is not Phase.BETTING or current is None or current.number == self._bet_in:
            return False
        self._bet_in = current.number
        self._stay -= 1
        await self.world.pause(0.5, 2)
        if self._stay > 0 and await self._buy_in(view):
            await self.world.pause(0.2, 1)
        if self.world.happens(SIT_OUT):
            return True
        for bet in self._choice(view):
            await self.world.pause(0.3, 2)
            if self.time_left() < LAST_MOMENT or (action := self._place_of(bet)) is None:
                continue
            box = ask_of(action, "box")
            amount = self._amount(ask_of(action, f"wagers.{bet}"))
            assert box is not None
            if self.seat.box in box.choices and amount:
                await self.give(fill(action, {"box": self.seat.box, f"wagers.{bet}": amount}))
        if self.world.happens(TAKE_BACK) and (action := self.can("withdraw")):
            await self.give(fill(action))
        return True

    async def _buy_in(self, view: View) -> bool:
        """More chips, when few are left: as many hundreds as suit the table."""
        assert view.own is not None
        least = max(bet.minimum for bet in view.public.sign.bets)
        if view.own.stack >= 20 * least or self.can("buy_in") is None:
            return False
        purse = (await self.client.account()).holds(view.public.sign.currency)
        amount = min(least * self.world.chance.choice((40, 60, 100)), purse - purse % least)
        return amount > 0 and await self.do("buy_in", {"amount": amount})

    def _choice(self, view: View) -> list[str]:
        """One hand, and perhaps a side bet or two."""
        chance = self.world.chance
        hands = [bet.code for bet in view.public.sign.bets if bet.hand is not None]
        sides = [bet.code for bet in view.public.sign.bets if bet.hand is None]
        found = [chance.choice(hands or sides)]
        sides = [bet for bet in sides if bet not in found]
        while sides and self.world.happens(SIDE_BET):
            found.append(sides.pop(chance.randrange(len(sides))))
        return found

    def _place_of(self, bet: str) -> Action | None:
        places = self.allowed("place")
        return next((action for action in places if ask_of(action, f"wagers.{bet}") is not None), None)

    def _amount(self, ask: Ask | None) -> int:
        """An amount that the table takes: some minimums, seldom many."""
        if ask is None or ask.least is None:
            return 0
        wanted = ask.least * self.world.chance.choice(MULTIPLES)
        most = ask.least if ask.most is None else ask.most
        wanted = min(wanted, max(ask.least, most // 3), most)
        return wanted - (wanted - ask.least) % ask.step

    # --- in the round

    async def _answer(self, view: View) -> bool:
        """Whether to go on, and what came of a dispute."""
        if view.own is not None and view.own.option is not None and self.can("take_option"):
            await self.world.pause(1, 4)
            return await self.do("take_option", {"goes_on": self._one_of("take_option", "goes_on", GO_ON)})
        if self.can("answer_dispute"):
            await self.world.pause(1, 4)
            return await self.do("answer_dispute", {"agrees": self._one_of("answer_dispute", "agrees", AGREE)})
        return False

    def _one_of(self, do: str, field: str, yes: float) -> bool:
        action = self.can(do)
        ask = ask_of(action, field) if action else None
        wanted = self.world.happens(yes)
        return wanted if ask is None or wanted in ask.choices else not wanted

    async def _insure(self, view: View) -> bool:
        if self.can("pass_insurance") is None or view.own is None or not view.own.offers:
            return False
        await self.world.pause(1, 3)
        offers = self.allowed("insure")
        if not offers or not self.world.happens(INSURE):
            return await self.do("pass_insurance")
        action = self.world.chance.choice(offers)
        ask = ask_of(action, "amount")
        most = ask.most if ask is not None and ask.most else 1
        part = most // self.world.chance.choice((1, 1, 2, 4))
        return await self.give(fill(action, {"amount": max(1, part - part % 100)}))

    async def _turn(self) -> bool:
        """Squeeze: take some time over it."""
        if not self.can("turn"):
            return False
        await self.world.pause(1.5, 5)
        return await self.do("turn")

    async def _squeeze(self, view: View) -> bool:
        current = view.public.round
        if view.public.phase is not Phase.DEALING or current is None or current.number == self._squeezed_in:
            return False
        wishes = [*self.allowed("ask_squeeze"), *self.allowed("ask_early_squeeze")]
        if not wishes:
            return False
        self._squeezed_in = current.number
        if not self.world.happens(SQUEEZE):
            return False
        action = self.world.chance.choice(wishes)
        how = ask_of(action, "how")
        values = {"how": self.world.chance.choice(how.choices)} if how is not None else {}
        return await self.give(fill(action, values))

    async def _mix(self, view: View) -> bool:
        """A part in the mixing of an electronic shoe: a seed pledged, then shown."""
        shoe = view.public.shoe
        if shoe.seeds is None or (shoe.number, shoe.seeds.due) == self._mixed:
            return False
        self._mixed = (shoe.number, shoe.seeds.due)
        if not shoe.seeds.due:
            self._seed = self.world.chance.randbytes(32).hex()
            return await self.give(c.PledgeSeed(self.name, pledge_of(shoe.commitment, self._seed)))
        return bool(self._seed) and await self.give(c.ShowSeed(self.name, self._seed))

    async def _cut(self, view: View) -> bool:
        action, shoe = self.can("cut"), view.public.shoe
        if action is None or shoe.number == self._shoe_cut:
            return False
        self._shoe_cut = shoe.number
        ask = ask_of(action, "position")
        if ask is None or ask.most is None or not self.world.happens(CUT):
            return False
        return await self.give(fill(action, {"position": self.world.chance.randint(ask.most // 4, ask.most)}))

    async def _after_round(self, view: View) -> bool:
        """A tip after a win, a dispute after a loss; once a round."""
        last = view.public.last
        if last is None or last.number == self._looked_at or view.own is None:
            return False
        self._looked_at = last.number
        won = sum(payment.pay for payment in view.own.payments)
        if won and self.world.happens(TIP):
            smallest = min(bet.minimum for bet in view.public.sign.bets)
            return await self.do("tip", {"amount": min(smallest, view.own.stack)})
        if not won and self.world.happens(DISPUTE):
            return await self.do("raise_dispute", {"about": "I was not paid what I should have been"})
        return False
