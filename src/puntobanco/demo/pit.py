"""Bots of the pit: they approve and rule, answer squeezes, end shoes, sign fills, and see to disputes.

Each follows what everybody sees of a table, and looks closer when there is something for the pit to do, or after a
while. What one of them may not do, the other one, of higher rank, does a moment later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from puntobanco.client.asynchronous import new_id
from puntobanco.demo import mistakes
from puntobanco.demo.bot import AtTable, World, allowed, ask_of
from puntobanco.demo.dealers import FOR_ANSWER, GRANT, Words
from puntobanco.demo.plan import FLOAT, TablePlan, is_bot
from puntobanco.demo.ruling import REASON, ruling_on
from puntobanco.rules.model import Authority
from puntobanco.table.commands import HOUSE, AnyCommand, SignOn
from puntobanco.table.state import Phase
from puntobanco.views.judge import Action, fill
from puntobanco.views.view import View

CLOSE_LOOK = 10.0
"""Seconds after which the pit looks closer, though nothing calls for it."""
FOR_HUMANS = 20.0
"""Seconds that a person of the pit who is signed on has to be first."""
FOR_DEALER = 8.0
"""Seconds that the dealer has to propose a ruling."""
RELIEF = 180.0
"""Seconds after which a person who deals, and does not, is signed off."""
LOW, HIGH = 150_000_00, 900_000_00
"""A tray below gets a fill, one above gives a credit."""
DECLINE = 0.04
ELECTRONIC_MISTAKES = 0.1
"""How often an electronic table has trouble, for each mistake at a live one."""
_NOT_FOR_PIT = (HOUSE, Authority.PLAYER.value, Authority.DEALER.value)
_ALSO_FOR_PIT = ("propose", "approve", "take_option")


class Deed(NamedTuple):
    """Something to do, what it is about, and how long to wait before."""

    about: tuple[object, ...]
    body: AnyCommand
    patience: float = 0.0


class Pit(AtTable):
    """Somebody of the pit, at one table."""

    def __init__(
        self, name: str, rank: Authority, patience: float, plan: TablePlan, world: World, table: str, words: Words
    ) -> None:
        super().__init__(name, world, table, public=True)
        self._rank = rank
        self._patience = patience
        self._live = bool(plan.dealer)
        self._words = words
        # the other one of higher rank must be left to approve
        self._proposes = rank is Authority.PIT_SUPERVISOR
        self._next_look = 0.0
        self._looked_for_trouble = 0
        self._soon = False

    async def wait(self, seconds: float) -> None:
        await super().wait(0.5 / self.world.speed if self._soon else seconds)

    async def move(self) -> bool:
        self._soon = False
        view, now = self.view, self.world.now()
        step = view.next_step
        if view.public.phase is Phase.CLOSED or step is None:
            return False
        called = step.who not in _NOT_FOR_PIT or step.do in _ALSO_FOR_PIT or self._words.new_shoe_wanted
        if not called and now < self._next_look:
            return False
        self._next_look = now + CLOSE_LOOK / self.world.speed
        seen = await self.client.view(self.table)
        if seen.felt is None or self.name not in {one.person for one in seen.felt.staff}:
            return await self.give(SignOn(self.name, self._rank.value))
        deed = next(self._deeds(seen), None)
        if deed is None:
            return False
        if self.stands_for(deed.about) < self._patience + deed.patience + FOR_HUMANS * self._human_there(seen):
            self._soon = True
            return False
        return await self.give(deed.body)

    def _human_there(self, seen: View) -> bool:
        assert seen.felt is not None
        return any(one.rank != Authority.DEALER.value and not is_bot(one.person) for one in seen.felt.staff)

    def _deeds(self, seen: View) -> Iterator[Deed]:
        """What there is to do, the most urgent first."""
        yield from self._approvals(seen)
        yield from self._step(seen)
        yield from self._money(seen)
        yield from self._matters(seen)
        yield from self._relief(seen)
        yield from self._trouble(seen)

    def _approvals(self, seen: View) -> Iterator[Deed]:
        for action in allowed(seen, "approve"):
            number = action.fixed["proposal"]
            declined = allowed(seen, "decline", proposal=number)
            if declined and self.world.happens(DECLINE):
                yield Deed(("approve", number), fill(declined[0], {"reason": "another ruling is better"}))
            yield Deed(("approve", number), fill(action))

    def _step(self, seen: View) -> Iterator[Deed]:
        step = seen.next_step
        if step is None:
            return
        about = (step.do, step.incident, step.people, seen.public.shoe.number)
        match step.do:
            case "propose" if self._proposes:
                body = ruling_on(seen, step.incident, self.world.chance)
                if body is not None:
                    yield Deed(about, body, FOR_DEALER * self._live)
            case "answer_squeeze" if step.who not in _NOT_FOR_PIT:
                for action in allowed(seen, "answer_squeeze", person=step.people[0]):
                    yield Deed(about, fill(action, {"granted": self.world.happens(GRANT)}))
            case "take_option":
                for action in allowed(seen, "take_option", person=step.people[0]):
                    yield Deed(about, fill(action, {"goes_on": True}), FOR_ANSWER * 1.5)
        if step.do == "end_shoe" or (self._words.new_shoe_wanted and step.do in ("call", "burn")):
            for action in allowed(seen, "end_shoe"):
                reason = "last round played" if step.do == "end_shoe" else "the shoe is changed"
                yield Deed(about, fill(action, {"reason": reason}))

    def _money(self, seen: View) -> Iterator[Deed]:
        for action in allowed(seen, "sign_fill"):
            yield Deed(("sign", action.fixed["request"]), fill(action))
        assert seen.felt is not None
        tray = seen.books.tray if seen.books is not None else LOW
        if LOW <= tray <= HIGH or seen.felt.fills:
            return
        for action in allowed(seen, "request_fill"):
            values = ask_of(action, "chips")
            chips = {value: FLOAT[value] // 2 for value in FLOAT if values is not None and value in values.choices}
            kind = "fill" if tray < LOW else "credit"
            yield Deed(
                ("tray", kind), fill(action, {"request": f"{kind} {new_id()[:8]}", "kind": kind, "chips": chips})
            )

    def _matters(self, seen: View) -> Iterator[Deed]:
        """What play does not wait for: debts, rounds found wrong later, disputes."""
        assert seen.matters is not None
        proposed = {proposal.incident for proposal in seen.matters.proposals}
        for incident in seen.matters.incidents:
            later = not incident.blocks and (incident.family == "debt" or incident.true_cards)
            if not later or not self._proposes or incident.number in proposed:
                continue
            body = ruling_on(seen, incident.number, self.world.chance)
            if body is not None:
                yield Deed(("matter", incident.number), body, FOR_DEALER)
        for action in allowed(seen, "note_on_dispute"):
            yield from self._dispute(action)

    def _dispute(self, action: Action) -> Iterator[Deed]:
        """Most are resolved at the table; others go their way until nothing more can be said."""
        ask = ask_of(action, "what")
        if ask is not None and "resolved" in ask.choices:
            about = ("dispute", action.fixed["dispute"])
            yield Deed(about, fill(action, {"what": "resolved", "note": REASON}), FOR_DEALER)

    def _relief(self, seen: View) -> Iterator[Deed]:
        """A dealer who has gone without a word is signed off, and the bot deals again."""
        assert seen.felt is not None
        gone = [one.person for one in seen.felt.staff if one.rank == Authority.DEALER.value and not is_bot(one.person)]
        for action in allowed(seen, "sign_off") if gone and self._live else ():
            yield Deed(("relief", seen.version), fill(action, {"person": gone[0]}), RELIEF)

    def _trouble(self, seen: View) -> Iterator[Deed]:
        """An electronic table has nobody who could drop a card; but power fails there, too."""
        current, often = seen.public.round, self.world.mistakes * ELECTRONIC_MISTAKES
        if self._live or current is None or seen.next_step is None or current.number == self._looked_for_trouble:
            return
        self._looked_for_trouble = current.number
        if not self.world.happens(often):
            return
        at = mistakes.Moment(seen, seen.next_step, lambda hand: None, self.world.chance)
        body = mistakes.interruption(at)
        if body is not None:
            yield Deed(("trouble", seen.version), body, -self._patience)
