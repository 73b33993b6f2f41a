"""A round played again, with entries of its record put right: the record went wrong, the felt did not (reading A).

A live round remembers the table as it was right after the close, and every step taken since. Played again, each step
meets the facts as they really were: the other card, the other hand, the bet that lay there. A request that was granted
is a fact by now: the chips lay on the felt. What is over a cap goes back, and so does insurance that no row fits. An
offer that would have been made and was not is a missed one (tiger-buffalo 5.17). A ruling stays (reading Y).

Nothing is settled here: the settlement is worked out from the round that results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from puntobanco.bets import Result
from puntobanco.cards import Side
from puntobanco.insurance import BOXES, window_of
from puntobanco.rules.model import Window
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table import rulings as r
from puntobanco.table.about import about_bet
from puntobanco.table.amendments.fixes import Fixes
from puntobanco.table.bets import found_chips, late_chips
from puntobanco.table.bets.stakes_that_stand import original_bet
from puntobanco.table.bets.wagers import taken_back
from puntobanco.table.cards import misdealt, waiting
from puntobanco.table.cards.drawing import draw, put_card
from puntobanco.table.cards.state import Drawn
from puntobanco.table.cards.turning import turn
from puntobanco.table.cases import options, reports
from puntobanco.table.cases.effects import carry_out
from puntobanco.table.cases.remedies import Case
from puntobanco.table.cases.state import Incident
from puntobanco.table.commands import HOUSE, Command
from puntobanco.table.folds import evolve
from puntobanco.table.handling import Handler
from puntobanco.table.insurance import missed, offers, repricing
from puntobanco.table.insurance.offers import insurance_paragraph
from puntobanco.table.insurance.taking import insure
from puntobanco.table.people import walking_away
from puntobanco.table.refusals import Refusal, Refused
from puntobanco.table.settlement.events import SettledLine
from puntobanco.table.settlement.voiding import void_without_cards
from puntobanco.table.shoe.cut_card import cut_card
from puntobanco.table.shoe.lifetime import return_cards
from puntobanco.table.squeeze import rights
from puntobanco.table.state import Journal, JournalStep, Round, Table

E = TypeVar("E", bound=e.Event)

JUDGED: dict[type[c.Body], Handler] = {
    c.CutCard: cut_card,
    c.ReturnCards: return_cards,
    c.AskSqueeze: rights.ask,
    c.AskEarlySqueeze: rights.ask_early,
    c.AnswerSqueeze: rights.answer,
    c.BarSqueeze: rights.bar,
    c.Draw: draw,
    c.PutCard: put_card,
    c.Turn: turn,
    c.OfferInsurance: offers.offer,
    c.Insure: insure,
    c.PassInsurance: offers.pass_insurance,
    c.CloseInsurance: offers.close_window,
    c.MeantToInsure: missed.meant_to_insure,
    c.FindBet: found_chips.find_bet,
    c.LateChips: late_chips.late_chips,
    c.WalkAway: walking_away.walk_away,
    c.ComeBack: walking_away.come_back,
    c.Report: reports.report,
    c.TakeOption: options.take,
}
"""What is judged anew. Nothing else that was done since the close has a part in how the round comes out."""

FollowUp: TypeAlias = Callable[[Table, int], Sequence[e.Event]]
FOLLOW_UPS: tuple[FollowUp, ...] = (
    found_chips.maximum_kept,
    late_chips.bet_gone,
    waiting.deal_waiting,
    options.follow_up,
    repricing.reprice,
    missed.passed_over,
    offers.offer_by_itself,
    void_without_cards,
)
"""What follows by itself while cards are out, short of the result."""

MISDEALT = frozenset({*misdealt.TOO_MANY, "wrong_side"})
"""What a card that is drawn shows by itself."""
STAYS = (r.VoidRound, r.SetStake, r.DecideOrder, r.ValueCard)
"""What stays ruled though the incident it was ruled on would not have come up (reading Y)."""
ABOUT_ORDER = (r.Reconstruct, r.AsItLies, r.DecideOrder, r.ValueCard)
OF_THE_ROUND = (*STAYS, *ABOUT_ORDER, r.PlayOn, r.GiveOptions, r.Dismiss, r.OfferLate, r.ReturnBets, r.MoveInsurance)
"""Rulings by which the round goes on or does not; others move money, shoes or the record."""


def play_again(journal: Journal, amendments: Sequence[r.Amendment]) -> Table:
    """The table with the round as it comes out by the amended record: bets closed, its cards out, not settled."""
    return _Rerun(journal, amendments).run()


FOUND_THERE = (e.BetFound, e.InsuranceCorrected)
"""Chips that are found are on record at once, but for those of a round that is settled: these are proposed."""


class _Rerun:
    """The steps of a round, taken once more."""

    def __init__(self, journal: Journal, amendments: Sequence[r.Amendment]) -> None:
        self.journal = journal
        self.fixes = Fixes(amendments)
        self.table = self.fixes.at_the_close(journal.start)
        told = [place for place, step in enumerate(journal.steps) if any(_events((step,), e.CardsTold))]
        times = sum(isinstance(amendment, r.TrueCards) for amendment in amendments)
        # cards that are told just now are all that the round had
        self.told_at = told[-1] if len(told) >= times > 0 else len(journal.steps)
        """Which step told the cards last; the number of steps where none did."""
        self.among_told = 0
        """How many cards that waited are still to come up which are among those that are told."""
        if self.fixes.told:
            dealt = _events(journal.steps[: self.told_at], e.CarriedCardsDealt)
            self.among_told = sum(len(event.hands) for event in dealt)
            waiting, shoe = self.table.carried, self.table.shoe
            carried = self._not_told(waiting)
            shoe = replace(shoe, drawn=shoe.drawn - len(waiting) + len(carried))
            self.table = replace(self.table, carried=carried, shoe=shoe)
        offered = tuple(_events(journal.steps, e.InsuranceOffered))
        self.asked = _told(event for event in offered if not event.late)
        keyed = [(each.person, each.box, each.hand, each.window) for each in _events(journal.steps, e.Insured)]
        self.insured = {(place[3], place[0]) for place in keyed if place not in self.fixes.insurance}
        """Who put chips down in a window: they were asked in it, and have not let it pass."""
        self.insured |= {(place[3], body.person) for place, bodies in self.fixes.insurance.items() for body in bodies}
        late = _told(event for event in offered if event.late)
        answered = self.insured | {(place[3], place[0]) for place in keyed}
        there = {(window, hand, person) for window, person in answered for hand in Side}
        # what was missed before it was offered late in the same window is missed again
        self.asked |= (late | there) - (late & _told(_events(journal.steps, e.InsuranceMissed)))
        self.known = {event.number: event for event in _events(journal.steps, e.IncidentOpened)}
        self.unmatched = dict(self.known)
        self.played_on = not any(_events(journal.steps, e.RoundVoided)) and not any(
            _events(journal.steps, e.PlayedFree)
        )
        self.came_up: set[int] = set()
        """Missed offers that nobody knew of then: play went on, and what was offered later was offered."""
        self.taken = False
        """Whether all steps are taken."""
        self.followed: list[int] = []
        """Cards after which others may have left the shoe that were never keyed."""
        self.unasked: dict[Window, tuple[e.Offer, ...]] = {}
        """Who would have been offered insurance and was not, by window."""

    def run(self) -> Table:
        self._follow_up(0)
        self.followed = [0, *(drawn.number for drawn in self.round.cards)]  # those that waited lie there already
        for place, step in enumerate(self.journal.steps):
            if place == self.told_at:
                self._never_keyed()
                self._truly_more()
                self.fixes.told = False
            for added in _events((step,), e.CardAdded):
                self._never_keyed(added.number)
            self._take(step)
            self._missed_when_paid(step)
            self._chips_in_the_window(step.command)
        self._never_keyed()
        self._truly_more()
        self.taken = True
        self._follow_up(0)
        self._never_on_offer()
        self._past(self.round.windows_past.difference(self.unasked))
        self.table = self._held()
        for event in () if self.round.voided else misdealt.misdealt_after_all(self.table, 0):
            self.table = evolve(self.table, event)
        return self.fixes.left_over(self.table)

    def _held(self) -> Table:
        """The table with what came up only now, which is to be ruled on like anything else."""
        incidents = self.table.incidents
        found = {number: replace(incidents[number], blocks=True) for number in self.came_up if number in incidents}
        return replace(self.table, incidents=incidents | found)

    @property
    def round(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    # --- one step

    def _take(self, step: JournalStep) -> None:
        body, command = step.command.body, step.command
        self._opened_again(step)
        for given in _events((step,), e.RulingGiven):
            self._ruled(command, given)
        if isinstance(body, c.Deal):
            for dealt in _events((step,), e.CardsDealt):
                first = self._numbered_before(step) + 1
                for number, (card, hand) in enumerate(zip(dealt.cards, dealt.hands, strict=True), first):
                    self._drawn(command, number, c.Draw(card, hand, True))
        elif isinstance(body, c.Draw):
            for drawn in _events((step,), e.CardDrawn):
                self._drawn(command, drawn.number, body)
        elif isinstance(body, c.Turn):
            self._turned(command, body)
        elif isinstance(body, c.Insure):
            self._insured(step, body)
        elif isinstance(body, c.TakeOption):
            self._chosen(step, body)
        elif isinstance(body, c.FindBet):
            only_proposed = any(_events((step,), e.RulingProposed)) and not any(_events((step,), FOUND_THERE))
            if not only_proposed and not self._corrected_since(step, body):
                self._do(command, body)
        elif type(body) in JUDGED and not self.fixes.concerns(body):
            self._do(command, body)
        elif self.round.window is not None and any(_events((step,), e.InsuranceClosed)):
            self._evolve((offers.closing(self.table, self.round, lacking=True),))  # it was paid so
        # no round comes after this one, from now on: what is left over waits for none
        if any(_events((step,), e.ShoeToBeReplaced)):
            self.table = replace(self.table, shoe=replace(self.table.shoe, to_replace=True))
        for waited in _events((step,), e.CarriedCardsDealt) if self.fixes.told else ():
            for _ in waited.hands:
                self._truly(command, self.round.numbered + 1)  # they are among the cards that are told, too

    def _opened_again(self, step: JournalStep) -> None:
        """The round was opened again: what had left the shoe since waits, and is dealt to it where a card is due."""
        if not step.waiting:
            return
        waiting, shoe = self._not_told(step.waiting), self.table.shoe
        current = replace(self.round, numbered=max(self.round.numbered, self._numbered_before(step)))
        shoe = replace(shoe, drawn=shoe.drawn + len(waiting))
        self.table = replace(self.table, carried=self.table.carried + waiting, shoe=shoe, round=current)
        self._follow_up(step.command.at)

    def _not_told(self, waiting: tuple[Drawn, ...]) -> tuple[Drawn, ...]:
        """The cards that wait, without those that are among the cards that are told."""
        told = min(self.among_told, len(waiting))
        self.among_told -= told
        return waiting[told:]

    def _corrected_since(self, step: JournalStep, body: c.FindBet) -> bool:
        """Whether the record of what was found was put right later: chips found after that are others."""
        if body.bet in BOXES:
            return True
        place = (body.person, body.box, body.bet)
        steps = self.journal.steps
        before = _events(steps[: steps.index(step)], e.BetCorrected)
        corrected = sum((event.person, event.box, event.bet) == place for event in before)
        return sum((fix.person, fix.box, fix.bet) == place for fix in self.fixes.bets) > corrected

    def _numbered_before(self, step: JournalStep) -> int:
        """How many cards of the round had a number then, before that step."""
        assert self.journal.start.round is not None
        count = self.journal.start.round.numbered
        for each in self.journal.steps:
            if each is step:
                break
            count = _numbers(each.events, count)
        return count

    def _do(self, command: Command, body: Any) -> Refusal | None:
        """Judge it anew, and let follow what follows. What is refused now has no effect."""
        if self.round.voided:
            return None
        try:
            events = JUDGED[type(body)](self.table, replace(command, body=body), body)
        except Refused as refused:
            return refused.refusal
        self._happened(events, command.at)
        return None

    def _happened(self, events: Iterable[e.Event], now: int) -> None:
        self._evolve(events)
        self._follow_up(now)

    def _evolve(self, events: Iterable[e.Event]) -> None:
        for event in events:
            if isinstance(event, e.InsuranceOffered):
                offered = self._offered(event)
                if offered is None:
                    continue
                event = offered
            if isinstance(event, e.InsuranceClosed):
                passed = (person for person in event.forgone if (event.window, person) not in self.insured)
                event = replace(event, forgone=tuple(passed))
            if isinstance(event, e.IncidentOpened):
                event = self._by_its_number(event)
                if event.family in MISDEALT and event.number not in self.known:
                    continue  # all that is wrong with the cards shows when all are out
                if event.family == missed.FAMILY and event.number not in self.known:
                    self.came_up.add(event.number)
                    event = replace(event, blocks=False)
            self.table = evolve(self.table, event)

    def _follow_up(self, now: int) -> None:
        in_vain: set[FollowUp] = set()
        """What was not offered then is not offered now, however often it comes up."""
        while not self.round.voided:
            left_out = in_vain | self._left_out()
            steps = ((step, step(self.table, now)) for step in FOLLOW_UPS if step not in left_out)
            step, events = next((found for found in steps if found[1]), (None, ()))
            if step is None:
                return
            before = self.table
            self._evolve(events)
            if self.table is before:
                in_vain.add(step)

    def _left_out(self) -> set[FollowUp]:
        """What does not follow by itself here and now."""
        found: set[FollowUp] = {waiting.deal_waiting} if self.fixes.told else set()  # they are among the cards told
        if self.played_on:
            found.add(options.follow_up)  # cards came, whoever had taken back
        if window_of(self.round.coup) in self.unasked and self.round.window is None and not self._somebody_asked():
            found.add(offers.offer_by_itself)
        return found

    def _by_its_number(self, event: e.IncidentOpened) -> e.IncidentOpened:
        """An incident that came up then keeps its number; another one has none of theirs."""
        alike = (number for number, then in self.unmatched.items() if _same(then, event))
        number = next(alike, None)
        if number is None:
            return replace(event, number=max((event.number, *(then + 1 for then in self.known))))
        del self.unmatched[number]
        return replace(event, number=number)

    # --- cards

    def _drawn(self, command: Command, number: int, body: c.Draw) -> None:
        """A card left the shoe, under the number that it had then; one that never did is passed over."""
        fixes = self.fixes
        if fixes.told or number not in fixes.struck:
            self._went_on(command)
            self._never_keyed()
            self._nobody_asked()
            if fixes.told:
                self._truly(command, number)
            else:
                card = fixes.cards.get(number, body.card) if body.card is not None else None
                self._draw(command, number, replace(body, card=card, hand=fixes.hands.get(number, body.hand)))
        self.followed.append(number)

    def _draw(self, command: Command, number: int, body: c.Draw) -> None:
        if self.round.voided:
            return
        highest = self.round.numbered
        self.table = replace(self.table, round=replace(self.round, numbered=number - 1))
        self._do(command, body)
        self.table = replace(self.table, round=replace(self.round, numbered=max(highest, self.round.numbered)))

    def _never_keyed(self, only: int = 0) -> None:
        """Cards that were never keyed: what was done before the next card, or before they came on record, came first.

        ``only`` is the one that is put on record now.
        """
        fixes = self.fixes
        for after in self.followed:  # which grows
            for added in fixes.added.get(after, ()):
                number = added.number
                if number in self.followed or only not in (0, number):
                    continue
                self.followed.append(number)
                if number not in fixes.struck:
                    self._nobody_asked()
                    card, hand = fixes.cards.get(number, added.card), fixes.hands.get(number, added.hand)
                    self._draw(_BY_THE_TABLE, number, c.Draw(card, hand, True))

    def _truly(self, command: Command, number: int) -> None:
        """The next card as it really left the shoe, where the Table of Play wants it."""
        due = self.table.due
        if self.fixes.true_cards and due is not None:
            card = self.fixes.true_cards.pop(0)
            self._draw(command, number, c.Draw(self.fixes.cards.get(number, card), due, True))

    def _truly_more(self) -> None:
        """More cards left the shoe than were keyed."""
        while self.fixes.true_cards and self.table.due is not None and not self.round.voided:
            self._nobody_asked()
            self._truly(_BY_THE_TABLE, self.round.numbered + 1)

    def _turned(self, command: Command, body: c.Turn) -> None:
        if self.fixes.concerns(body):
            return
        card = self.fixes.cards.get(body.number, body.card) if body.card is not None else None
        self._nobody_asked()
        self._do(command, replace(body, card=card))

    # --- insurance

    def _offered(self, event: e.InsuranceOffered) -> e.InsuranceOffered | None:
        """To those who were asked then. Others are offered it now if no card has come since, else it was missed."""
        asked, unasked = (
            tuple(
                replace(offer, people=people)
                for offer in event.offers
                if (people := tuple(who for who in offer.people if self._was_asked(event, offer, who) is was))
            )
            for was in (True, False)
        )
        if unasked and not event.late:
            self.unasked[event.window] = unasked
            return replace(event, offers=asked) if asked else None
        return event

    def _was_asked(self, event: e.InsuranceOffered, offer: e.Offer, person: str) -> bool:
        return (event.window, offer.hand, person) in self.asked

    def _somebody_asked(self) -> bool:
        """Whether somebody to whom insurance is due now was asked then: a bet may have come to light in the window."""
        window, due = window_of(self.round.coup), offers.offers_due(self.table)
        return any((window, offer.hand, person) in self.asked for offer in due for person in offer.people)

    def _nobody_asked(self) -> None:
        """A card comes: a player who was not asked before it has missed the insurance (tiger-buffalo 5.17)."""
        window = window_of(self.round.coup)
        if window is not None and (unasked := self.unasked.pop(window, ())):
            self._evolve(missed.not_offered(self.table, window, unasked))
            self._past(self.round.windows_past | {window})

    def _missed_when_paid(self, step: JournalStep) -> None:
        """The round was settled with a card lacking, and opened again: nobody was asked before that card."""
        window = window_of(self.round.coup)
        if window is None or not any(event.window is window for event in _events((step,), e.InsuranceMissed)):
            return
        on_offer = offers.offers_on(self.table, self.round.coup, again=True)
        if unasked := self.unasked.pop(window, ()) or offers.unasked(self.round, window, on_offer):
            self._evolve(missed.not_offered(self.table, window, unasked))

    def _past(self, windows: frozenset[Window]) -> None:
        self.table = replace(self.table, round=replace(self.round, windows_past=windows))

    def _insured(self, step: JournalStep, body: c.Insure) -> None:
        for then in _events((step,), e.Insured):
            if (then.person, then.box, then.hand, then.window) not in self.fixes.insurance:
                self._put_down(step.command, body)

    def _put_down(self, command: Command, body: c.Insure) -> None:
        """The chips lay there: what is over the cap goes back (3.12.2), all of it where nothing could be insured."""
        refusal = self._do(command, body)
        if refusal is None:
            return
        capped = refusal.code == "insurance_cap"
        taken = refusal.fits or 0 if capped else 0
        if taken:
            self._do(command, replace(body, amount=taken))
        insured = original_bet(self.table, self.round, body.person, body.box, body.hand)
        why = refusal.paragraph if capped and insured else self._why_not(body)
        self._sent_back(replace(body, amount=body.amount - taken), why)

    def _sent_back(self, body: c.Insure, paragraph: str) -> None:
        bet = f"{body.hand.value}_insurance"
        line = SettledLine(body.person, body.box, bet, body.amount, Result.RETURNED, 0, paragraph, insurance=True)
        self.table = replace(self.table, round=replace(self.round, sent_back=(*self.round.sent_back, line)))

    def _never_on_offer(self) -> None:
        """Chips in an insurance box whose window never opened on these cards."""
        for bodies in self.fixes.insurance.values():
            for body in bodies:
                self._sent_back(body, self._why_not(body))

    def _why_not(self, body: c.Insure) -> str:
        """The paragraph by which chips were no insurance: no bet to insure, let pass, or no row that fits."""
        if not original_bet(self.table, self.round, body.person, body.box, body.hand):
            return insurance_paragraph(self.table, "offer")
        if body.person in self.round.forgone:
            return self.table.irregularities.forgone_insurance.rule
        if self.round.waived and len(self.round.coup.player) == 3:
            return self.table.procedures.early_squeeze.rule
        return insurance_paragraph(self.table, "paragraph")

    def _chips_in_the_window(self, command: Command) -> None:
        """Insurance as it really lay there, once its window is open."""
        window = self.round.window
        if window is None:
            return
        for place, bodies in self.fixes.insurance.items():
            if place[3] is window.window and bodies:
                self.fixes.insurance[place] = ()
                for body in bodies:
                    self._put_down(command, body)

    # --- people and rulings

    def _went_on(self, command: Command) -> None:
        """A card came without the answers of those who were not asked then: nothing of theirs was taken back."""
        given = self.round.options
        if given is not None and not self.round.voided:
            self._happened([e.OptionTaken(person, True, given.go_on) for person in sorted(given.waiting)], command.at)

    def _chosen(self, step: JournalStep, body: c.TakeOption) -> None:
        """A player who took bets back then has them, whether or not the options would be given now."""
        if self._do(step.command, body) is None or body.goes_on:
            return
        for then in _events((step,), e.OptionTaken):
            if then.person == body.person:
                self.table = replace(self.table, round=taken_back(self.table, self.round, then.person, then.paragraph))

    def _ruled(self, command: Command, given: e.RulingGiven) -> None:
        ruling = given.ruling
        if not isinstance(ruling, OF_THE_ROUND) or self.round.voided:
            return
        if self.fixes.told and isinstance(ruling, ABOUT_ORDER):
            return
        incident = self.table.incidents.get(given.incident) or self._told_anew(given.incident)
        if incident is None and given.incident:
            if not isinstance(ruling, STAYS) or given.incident not in self.known:
                return
            incident = _as_it_was(self.known[given.incident])
        if incident is not None and incident.round not in (0, self.journal.round):
            return  # a ruling on an earlier round does not concern this one
        if isinstance(ruling, r.ValueCard):
            ruling = replace(ruling, card=self.fixes.cards.get(ruling.number, ruling.card))
        if isinstance(ruling, r.SetStake) and incident is not None:
            # what was ruled on the bet stays ruled where it really lay (reading Y)
            for fix in self.fixes.bets:
                if fix.stake and (fix.person, fix.box, fix.bet) == (ruling.person, ruling.box, ruling.bet):
                    place = fix.to_person or fix.person, fix.to_box or fix.box, fix.to_bet or fix.bet
                    ruling = r.SetStake(*place, min(ruling.stands, fix.stake))
            incident = replace(incident, about=about_bet(ruling.person, ruling.box, ruling.bet))
        case = Case(self.table, incident, given.paragraph, given.reason, command.at)
        try:
            events = carry_out(case, ruling)
        except Refused:
            return
        self._happened(events, command.at)

    def _told_anew(self, number: int) -> Incident | None:
        """The incident of that number, where an amendment opened it a second time: here it came up once."""
        then = self.known.get(number)
        found = self.table.incidents.values() if then is not None and then.cards else ()
        return next((each for each in found if then is not None and _same(then, each)), None)


def _same(then: e.IncidentOpened, now: e.IncidentOpened | Incident) -> bool:
    return (then.family, then.cards) == (now.family, now.cards)


def _as_it_was(event: e.IncidentOpened) -> Incident:
    return Incident(
        number=event.number,
        family=event.family,
        about=event.about,
        paragraph=event.paragraph,
        round=event.round,
        cards=event.cards,
        true_cards=event.true_cards,
        person=event.person,
    )


_BY_THE_TABLE = Command("", HOUSE, 0, c.CutCard())


def _events(steps: Iterable[JournalStep], kind: type[E] | tuple[type[E], ...]) -> Iterator[E]:
    return (event for step in steps for event in step.events if isinstance(event, kind))


def _told(events: Iterable[e.InsuranceOffered | e.InsuranceMissed]) -> set[tuple[Window, Side, str]]:
    return {(event.window, offer.hand, who) for event in events for offer in event.offers for who in offer.people}


def _numbers(events: Iterable[e.Event], count: int) -> int:
    for event in events:
        if isinstance(event, e.CardsDealt):
            count += len(event.cards)
        elif isinstance(event, e.CarriedCardsDealt):
            count += len(event.hands)
        elif isinstance(event, e.CardDrawn | e.CardAdded):
            count = max(count, event.number)
    return count
