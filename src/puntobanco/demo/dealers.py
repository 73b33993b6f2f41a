"""Bots that deal: they take the step that the view says is next, at the pace of people, and sometimes a wrong one."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from puntobanco.cards import Side
from puntobanco.demo.bot import AtTable, World, ask_of
from puntobanco.demo.mistakes import KINDS, Moment
from puntobanco.demo.plan import TablePlan, is_bot
from puntobanco.demo.ruling import ruling_on
from puntobanco.demo.shoe import EVIDENCE, HandShoe
from puntobanco.rules.model import Authority
from puntobanco.table import events as e
from puntobanco.table.commands import AnyCommand, SignOn
from puntobanco.table.state import Phase
from puntobanco.views.judge import fill
from puntobanco.views.seen import SEEN_TYPES
from puntobanco.views.steps import NextStep
from puntobanco.views.view import View

log = logging.getLogger(__name__)

CUT_CARD = (14, 30)
"""How many cards from the end the Cut Card is put."""
FOR_ANSWER, FOR_SQUEEZE = 45.0, 15.0
"""Seconds after which the dealer answers for a player, or turns a card that is squeezed."""
GRANT = 0.85


class Words:
    """What dealer and pit of a table say to each other."""

    def __init__(self) -> None:
        self.new_shoe_wanted = False
        """Whether the shoe in use is not to be dealt any further."""


class Dealer(AtTable):
    """The dealer of one table."""

    def __init__(self, plan: TablePlan, world: World, table: str, words: Words) -> None:
        super().__init__(plan.dealer, world, table)
        self._scanned = plan.scanned
        self._words = words
        self._shoe: HandShoe | None = None
        self._cut_card = 0
        self._planned = ""
        self._planned_for = 0
        self._yields = False
        self._steps: dict[str, Callable[[View, NextStep], Awaitable[bool]]] = {
            "new_shoe": self._new_shoe,
            "burn": self._burn,
            "call": self._call,
            "close": self._close,
            "draw": self._draw,
            "turn": self._turn,
            "offer_insurance": self._plainly,
            "close_insurance": self._close_insurance,
            "announce": self._announce,
            "settle": self._plainly,
            "confirm": self._confirm,
            "answer_squeeze": self._answer_squeeze,
            "take_option": self._take_option,
            "propose": self._propose,
            "approve": self._approve,
            "end_shoe": self._end_shoe,
        }

    async def move(self) -> bool:
        view = self.view
        if view.public.phase is Phase.CLOSED:
            return False
        if view.felt is None:
            return await self._sign_on()
        self._follow_cuts()
        if self._human_deals(view):
            return False
        step = view.next_step
        if step is None:
            return False
        if self.can("sign_fill"):
            await self.world.pause(2, 4)
            return await self.do("sign_fill")
        if view.public.phase is Phase.IDLE and self.can("come_back"):
            return await self.do("come_back")
        if (wrong := self._slip(view, step)) is not None:
            await self.world.pause(0.5, 1.5)
            return await self.give(wrong)
        return await self._steps[step.do](view, step)

    async def give(self, body: AnyCommand, *, against: int | None = None) -> bool:
        """Nothing, if somebody has since taken the bot's place."""
        return not self._human_deals(self.view) and await super().give(body, against=against)

    async def _sign_on(self) -> bool:
        return await self.give(SignOn(self.name, Authority.DEALER.value))

    def _human_deals(self, view: View) -> bool:
        """Whether somebody has taken the bot's place."""
        staff = view.felt.staff if view.felt is not None else ()
        others = [one.person for one in staff if one.rank == Authority.DEALER.value and not is_bot(one.person)]
        if bool(others) is not self._yields:
            self._yields = bool(others)
            self._words.new_shoe_wanted = False
            log.info("%s: %s %s", self.table, self.name, f"makes way for {others[0]}" if others else "deals again")
        return self._yields

    def _follow_cuts(self) -> None:
        """Any cut is of this shoe."""
        for seen in self.watched.waiting_events():
            if isinstance(seen.event, SEEN_TYPES[e.ShoeCut]) and self._shoe is not None and self._shoe.whole:
                self._shoe.cut(seen.event.position)  # type: ignore[attr-defined]

    # --- mistakes

    def _slip(self, view: View, step: NextStep) -> AnyCommand | None:
        """The mistake that was to happen in this round, if this is its moment."""
        number = len(view.public.rounds) + view.public.shoe.number * 1000
        if number != self._planned_for:
            self._planned_for = number
            self._planned = self.world.chance.choice(list(KINDS)) if self.world.happens(self.world.mistakes) else ""
        if not self._planned:
            return None

        def draw(hand: Side | None) -> AnyCommand | None:
            return self._card(view, hand)

        body = KINDS[self._planned](Moment(view, step, draw, self.world.chance))
        if body is not None:
            log.info("%s: %s at %r", self.table, self._planned, step.do)
            self._planned = ""
        return body

    # --- the shoe

    async def _new_shoe(self, view: View, step: NextStep) -> bool:
        await self.world.pause(4, 8)
        if not await self.do("new_shoe", {"evidence": EVIDENCE}):
            return False
        shoe = self.view.public.shoe
        self._shoe = HandShoe(self.view.public.sign.decks, shoe.number, whole=True)
        self._cut_card = self.world.chance.randint(*CUT_CARD)
        self._words.new_shoe_wanted = False
        await self.world.pause(3, 5)  # anybody may cut
        self._follow_cuts()
        if (action := self.can("cut", person=self.name)) is not None and self.world.happens(0.5):
            await self.give(fill(action, {"position": self.world.chance.randint(shoe.size // 4, 3 * shoe.size // 4)}))
        return True

    async def _burn(self, view: View, step: NextStep) -> bool:
        action = self.can("burn")
        ask = ask_of(action, "cards") if action else None
        if action is None or ask is None:
            return False
        await self.world.pause(2, 3)
        shoe = self._in_use(view)
        first = shoe.draw(view.public.shoe)
        count = ask.counts.get(first.rank.value, ask.least or 1)
        shoe.draw(view.public.shoe, count)
        cards = [first.value if ask.counts else None, *[None] * (count - 1)]
        return await self.give(fill(action, {"cards": cards}), against=view.version)

    def _in_use(self, view: View) -> HandShoe:
        """The shoe on the table. One that is not known, as after a restart, is stood in for until the round is over."""
        shoe = view.public.shoe
        if self._shoe is None or not self._shoe.fits(shoe):
            self._shoe = HandShoe(view.public.sign.decks, shoe.number, whole=False)
        return self._shoe

    async def _end_shoe(self, view: View, step: NextStep) -> bool:
        """The pit does that."""
        self._words.new_shoe_wanted = True
        return False

    # --- bets

    async def _call(self, view: View, step: NextStep) -> bool:
        assert view.felt is not None
        shoe = view.public.shoe
        if not self._in_use(view).whole:
            return await self._end_shoe(view, step)
        if not view.felt.players:
            return False
        await self.world.pause(2, 4)
        if shoe.left <= self._cut_card and not shoe.cut_card_seen and await self.do("cut_card"):
            return True
        return await self.do("call")

    async def _close(self, view: View, step: NextStep) -> bool:
        if (left := self.time_left()) > 0:
            await self.world.sleep(min(left, 0.5) + 0.01)
            return True
        return await self.do("close")

    # --- cards

    def _card(self, view: View, hand: Side | None) -> AnyCommand | None:
        """The next card to a hand: open or face down, read by the shoe or not."""
        current, shoe = view.public.round, self._in_use(view)
        turned = self._scanned and not view.public.sign.face_down and current is not None and hand is not None
        action = self.can("draw", turned=turned)
        if action is None:
            return None
        card = shoe.draw(view.public.shoe)
        values: dict[str, str] = {"card": card.value} if self._scanned else {}
        if hand is not None:
            values["hand"] = hand.value
        return fill(action, values)

    async def _draw(self, view: View, step: NextStep) -> bool:
        shoe = view.public.shoe
        await self.world.pause(0.6, 1.2)
        if shoe.left <= self._cut_card and not shoe.cut_card_seen and await self.do("cut_card"):
            return True
        body = self._card(self.view, step.hand)
        return body is not None and await self.give(body, against=self.view.version)

    async def _turn(self, view: View, step: NextStep) -> bool:
        if step.who == Authority.PLAYER.value and self.stands_for(step) < FOR_SQUEEZE:
            return False
        action, current = self.can("turn", number=step.number), view.public.round
        if action is None or current is None:
            return False
        await self.world.pause(0.4, 0.9)
        ask = ask_of(action, "card")
        keyed = ask is not None and not ask.optional
        card = self._in_use(view).lying(view.public.shoe, len(current.cards), step.number)
        return await self.give(fill(action, {"card": card.value} if keyed else {}))

    # --- insurance, result, money

    async def _plainly(self, view: View, step: NextStep) -> bool:
        await self.world.pause(0.5, 1)
        return await self.do(step.do)

    async def _close_insurance(self, view: View, step: NextStep) -> bool:
        if step.people and (left := self.time_left()) > 0:
            await self.world.sleep(min(left, 0.25) + 0.01)
            return True
        return await self._plainly(view, step)

    async def _announce(self, view: View, step: NextStep) -> bool:
        """What the dealer sees on the felt: the higher total."""
        current = view.public.round
        if current is None or current.player_total is None or current.banker_total is None:
            return False
        ahead = current.player_total - current.banker_total
        await self.world.pause(0.6, 1.2)
        return await self.do("announce", {"result": "player" if ahead > 0 else "banker" if ahead < 0 else "tie"})

    async def _confirm(self, view: View, step: NextStep) -> bool:
        await self.world.pause(0.4, 1)
        return await self.do("confirm", box=step.box)

    # --- other people

    async def _answer_squeeze(self, view: View, step: NextStep) -> bool:
        if not step.yours:
            return False
        await self.world.pause(0.5, 1.5)
        return await self.do("answer_squeeze", {"granted": self.world.happens(GRANT)}, person=step.people[0])

    async def _take_option(self, view: View, step: NextStep) -> bool:
        """A player who does not answer goes on."""
        if self.stands_for(step) < FOR_ANSWER:
            return False
        return await self.do("take_option", {"goes_on": True}, person=step.people[0])

    async def _propose(self, view: View, step: NextStep) -> bool:
        await self.world.pause(2, 4)
        body = ruling_on(self.view, step.incident, self.world.chance)
        return body is not None and await self.give(body)

    async def _approve(self, view: View, step: NextStep) -> bool:
        if not step.yours:
            return False
        await self.world.pause(1, 2)
        return await self.do("approve", proposal=step.proposal)
