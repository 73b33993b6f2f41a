"""A walk through a random table by random commands, and everything that must hold on the way.

:class:`Walk` opens a table and gives commands: anything by anybody, what fits the moment, what a view allows, and the
next proper step. After each of them it checks the money event by event, refusals, paragraphs, records and views.
``test_properties.py`` lets hypothesis choose and shrink; ``scripts/long-table-test`` walks on for millions of steps.
"""

from __future__ import annotations

from collections import Counter
from itertools import count as counting
from random import Random
from typing import Any, get_args

import msgspec
from tests.table.build import DIRECTOR, FLOAT, NOW, STAFF
from tests.table.opinions import wrong_late_return
from tests.table.strategies import (
    SITTING,
    STANDING,
    fitting_command,
    one_in,
    random_command,
    random_settings,
)
from tests.table.test_settlement import check_settlement
from tests.table.went_wrong import WENT_WRONG
from tests.views.test_views import check_answer, check_no_difference, commands_of

from puntobanco.cards import CARDS, Side
from puntobanco.rules.catalogue import book_of, book_paragraphs
from puntobanco.rules.model import Window
from puntobanco.rules.policies import OverDifferential
from puntobanco.rules.slots import Irregularities
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.about import about_bet
from puntobanco.table.amendments.journal import remembered
from puntobanco.table.bets.limits import excesses
from puntobanco.table.bets.outside_limits import BELOW, OVER, breaches
from puntobanco.table.bets.stakes_that_stand import original_bet
from puntobanco.table.cards.conservation import miscounted, misplaced
from puntobanco.table.cases.remedies import CORRECTIONS, choice_for, choices
from puntobanco.table.commands import HOUSE, NOTED, AnyCommand, Command
from puntobanco.table.disputes.procedure import outlives
from puntobanco.table.engine import FOLLOW_UPS, Done, execute, fold
from puntobanco.table.entry import make_entry
from puntobanco.table.facts import FACTS, PHASES
from puntobanco.table.folds import evolve
from puntobanco.table.insurance.offers import offers_due
from puntobanco.table.refusals import CODES, Refusal
from puntobanco.table.rulings import Collect, Dismiss, LetStand, Pay, Rectify, ReplaceShoe, VoidRound, WriteOff
from puntobanco.table.settings import Step, TableSettings
from puntobanco.table.state import (
    ABOVE,
    COMMISSION,
    SUSPECT,
    TIPS,
    TRAY,
    Dispute,
    Incident,
    Phase,
    Table,
    chips_of,
    layout_of,
)
from puntobanco.views import View, Viewer, ViewerKind, view
from puntobanco.views.actions import Action, Ask, fill
from puntobanco.views.steps import NextStep, next_step
from puntobanco.words import LANGUAGES, Terms, worded

RULER, SECOND = "the director", "the other director"
"""Two of every right, called in where a ruling is due; nobody else has the names."""
OF_THE_RECORD = (*CORRECTIONS, Collect, WriteOff)
"""Rulings that may have no paragraph: corrections of the record, and debts."""
STEPS_OF_A_ROUND = 60
"""More than a round ever takes by proper steps."""
RARE = frozenset(
    {"close_table", "leave", "sign_off", "end_shoe", "void_round", "cut_card", "cash_out", "chips_out", "report_cards"}
    | {"set_limits", "set_differential"}
)
"""What views allow nearly always and is chosen seldom, for it leaves little to do."""
KINDS: tuple[ViewerKind, ...] = get_args(ViewerKind)
ABOUT_THE_GAME = frozenset(CODES) - {
    *("unknown_person", "already_there", "not_yours", "rank", "second_person", "unknown_request", "bad_settings"),
    *("bad_amount", "reason", "stale", "table_closed", "table_open", "funds", "no_shoe", "shoe_in_use", "round_open"),
    *("bets_on_layout", "players", "cards", "no_wager", "box", "machine_record", "electronic", "seeds"),
}
"""Codes of refusals that a rule book has something to say about: bets, limits, squeeze, insurance, cards due."""

SILENCES = (
    ("burn", "CardsBurnt", "refused burn", "DH S6 RB TB", "a setting of the table (reading O)"),
    ("cut_card", "CutCardAppeared", "", "DH S6 RB", "a dash in the table of irregularities"),
    ("card_mismatch", "IncidentOpened card_mismatch", "refused flagged", "DH S6 RB TB HO", "no book knows of scanners"),
    ("debt", "IncidentOpened debt", "refused ruling", "DH S6 RB TB HO", "no book knows what cannot be collected"),
    ("standing", "PlayerJoined", "refused nobody_seated", "S6 HO", "tells no seated players from standing ones"),
    ("walk_away", "WalkedAway", "", "S6 HO", "goes to the Shift Manager, or the Assistant Director"),
    ("wrong_card_set", "CardsAtFault", "", "S6", "goes to the Shift Manager"),
    ("unshuffled", "CardsAtFault", "", "S6", "goes to the Shift Manager"),
    ("suspect", "SuspectHeld", "", "DH S6 RB TB", "goes to whoever decides what the book does not cover"),
    ("suspect", "SuspectResolved", "", "DH S6 RB TB", "goes to whoever decides what the book does not cover"),
    ("balance", "", "refused balance", "S6 HO", "gives nobody the right either"),
    ("squeeze", "", "refused squeeze", "S6", "knows no squeeze (reading P)"),
    ("insurance", "", "refused no_insurance", "DH S6 RB HO", "offers no insurance"),
)
"""Decisions and refusals for which a book has no paragraph: the matter, what would cite it, the books, and why."""
SILENT = {
    (what, book) for _, event, refused, books, _ in SILENCES for what in (event, refused) for book in books.split()
} | {("ShoeCut", book) for book in ("DH", "S6", "RB", "TB")}  # Hoiana alone says who cuts the cards
AT_DISCRETION = {
    *(event.__name__ for event in WENT_WRONG),
    *(f"{kind} {family}" for kind in ("IncidentOpened", "Noted") for family in Irregularities.__struct_fields__),
    *("IncidentOpened cards_at_fault", "IncidentOpened wrong_burn", "IncidentOpened other", "RoundVoided"),
    *(f"Noted {family}" for family in NOTED),
    *("refused ruling", "refused no_options", "refused dispute"),
    *("refused flagged", "refused burn", "refused not_finished", "refused no_round"),
}
"""What happens, and is refused, where the book does not cover the matter."""
INITIALS = {
    "da-hu-ying-xiong": "DH",
    "super-six": "S6",
    "rws-baccarat": "RB",
    "tiger-buffalo": "TB",
    "dragon-tiger": "HO",
}


class Walk:
    """A table, everything that happened at it, and who chooses what comes next."""

    def __init__(self, chance: Random, settings: TableSettings | None = None, *, looks: int = 4) -> None:
        self.chance = chance
        self.looks = looks
        """One in so many steps is seen through views, which take most of a walk's time."""
        self.now = NOW
        self.steps = 0
        self.seen: Counter[str] = Counter()
        """Commands granted and refused, events, and codes of refusals."""
        settings = settings or random_settings(chance)
        opening = Command("c0", HOUSE, self.now, c.OpenTable(settings, FLOAT))
        opened = execute(None, opening)
        assert isinstance(opened, Done), opened
        self.entries = [make_entry(None, opening, opened.events)]
        self.table = opened.table
        self.image = image(self.table)
        self.events: list[e.Event] = []
        self.balances: Counter[str] = Counter()
        self.mended = False
        """Whether cards of the round in progress were put right."""
        self.stakes: dict[tuple[str, int, str], int] | None = None
        """What lay on the layout at the close of the round in progress."""
        self.book = INITIALS[book_of(settings.game)]
        self.paragraphs = {paragraph.number for paragraph in book_paragraphs(settings.game)}
        for event in opened.events:
            self.check_event(self.table, event, self.table)
        self.people()

    def people(self) -> None:
        """Staff of every rank, players at boxes and behind them, with chips; perhaps a shoe that is nearly empty."""
        for person, rank in STAFF.items():
            self.give(c.SignOn(person, rank), HOUSE)
        for box, person in enumerate(SITTING, 1):
            self.give(c.Join(person, box, accepts_no_insurance=True), person)
        for box, person in enumerate(STANDING, 1):
            self.give(c.Join(person, box, seated=False, accepts_no_insurance=True), person)
        for person in (*SITTING, *STANDING):
            self.give(c.ChipsIn(person, self.chance.choice([500_00, 13_333_33])), HOUSE)
        if one_in(self.chance, 4):
            cards = self.chance.choice([7, 12, 30]) if self.table.settings.burn == "none" else 30
            short = e.ShoeStarted(1, cards, "what is left of one")
            command = Command("short", HOUSE, self.now, c.NewShoe(short.evidence))
            self.entries.append(make_entry(self.table, command, (short,)))
            self.happen(short)

    # --- steps

    def step(self) -> None:
        """Whatever comes next."""
        self.now += self.chance.choice([0, 0, 0, 500, 500, 500, 500, 3_000, 3_000, 25_000])
        waiting = self.table.round is not None and self.table.round.window is not None
        due = bool(offers_due(self.table)) or self.table.to_burn or bool(self.table.incidents)
        busy = waiting or due or self.table.phase is Phase.BETTING
        what = self.chance.randrange(20)
        if what < 4:
            self.anything()
        elif what < 6:
            self.something_allowed()
        elif what < (17 if busy else 9):
            self.something_fitting()
        else:
            self.proper()

    def anything(self) -> None:
        """Any command by anybody, perhaps made against another version."""
        body, actor = random_command(self.chance, self.table)
        against = None
        if one_in(self.chance, 4):
            against = self.table.version - self.chance.choice([0, 0, 1, 5, 40, -1])
        self.give(body, actor, against)

    def something_fitting(self) -> None:
        """What people do beside the next step: bets, insurance, squeezes."""
        found = fitting_command(self.chance, self.table)
        if found is not None:
            self.give(*found)

    def something_allowed(self) -> None:
        """One of the actions of somebody's view, with values of its own."""
        viewer = self.viewer()
        actions = [action for action in view(self.table, viewer, self.now).actions if action.allowed]
        kinds = sorted({action.do for action in actions} - (set() if one_in(self.chance, 10) else RARE))
        if kinds:
            kind = self.chance.choice(kinds)
            action = self.chance.choice([action for action in actions if action.do == kind])
            body = filled(self.chance, action)
            check_answer(viewer, action, self.give(body, viewer.person), body)

    def proper(self) -> None:
        """The next proper step, by whoever should take it."""
        step = next_step(self.table)
        if step is None:
            assert not self.table.open
            return
        actor = self.actor_of(step)
        body = None if one_in(self.chance, self.looks) else self.plain_body(step)
        if body is None:
            seen = view(self.table, Viewer("player" if step.who == "player" else "pit", actor), self.now)
            assert seen.next_step is not None
            assert seen.next_step.yours, (actor, step)
            body = self.body_of(step, seen)
        answer = self.give(body, actor)
        assert isinstance(answer, Done), (actor, step, body, answer)

    def actor_of(self, step: NextStep) -> str:
        if step.who == "player":
            return step.people[0]
        if step.who in ("house", "dealer") and step.do not in ("propose", "approve"):
            return HOUSE
        proposed = self.table.proposals.get(step.proposal)
        ruler = SECOND if proposed is not None and proposed.by == RULER else RULER
        if ruler not in self.table.people:
            self.give(c.SignOn(ruler, STAFF[DIRECTOR]), HOUSE)
        return ruler

    def plain_body(self, step: NextStep) -> AnyCommand | None:
        """The command of a step that leaves next to nothing to say."""
        match step.do:
            case "call":
                return c.Call()
            case "close":
                return c.Close()
            case "deal":
                return c.Deal((self.chance.choice(CARDS),))
            case "draw":
                return self.drawn(step)
            case "turn":
                read = self.table.round is not None and dict(self.table.numbered_cards)[step.number].card is not None
                return c.Turn(step.number, None if read else self.chance.choice(CARDS))
            case "offer_insurance":
                return c.OfferInsurance()
            case "close_insurance":
                return c.CloseInsurance()
            case "announce":
                return c.Announce(self.chance.choice(["player", "banker", "tie"]))
            case "settle":
                return c.Settle()
            case "confirm":
                return c.Confirm(step.box)
        return None

    def drawn(self, step: NextStep) -> c.Draw:
        """A card told by one fact or by more."""
        card = None if one_in(self.chance, 3) else self.chance.choice(CARDS)
        hand = None if one_in(self.chance, 3) else step.hand
        return c.Draw(card, hand, turned=card is not None and one_in(self.chance, 2))

    def body_of(self, step: NextStep, seen: View) -> AnyCommand:
        """The command of a step as a view offers it."""
        wanted = {
            "number": step.number,
            "box": step.box,
            "person": "".join(step.people[:1]),
            "incident": step.incident,
            "proposal": step.proposal,
        }
        if step.do in ("propose", "approve"):
            del wanted["number"], wanted["box"], wanted["person"]
        actions = [
            action
            for action in seen.actions
            if action.do == step.do
            and action.allowed
            and all(action.fixed.get(name, value) == value for name, value in wanted.items() if value)
        ]
        action = self.chance.choice(actions) if step.do == "propose" else actions[0]
        return self.drawn(step) if step.do == "draw" else filled(self.chance, action, optional=False)

    # --- one command

    def give(self, body: AnyCommand, actor: str, against: int | None = None) -> Done | Refusal:
        """Give a command and check all that must hold of the answer."""
        self.steps += 1
        command = Command(f"c{self.steps}", actor, self.now, body, against)
        before = self.table
        answer = execute(before, command)
        assert image(before) == self.image, f"{command} changed the table it was given to"
        name = type(body).__name__
        if isinstance(answer, Refusal):
            self.seen[f"{name} refused"] += 1
            self.seen[answer.code] += 1
            self.check_refusal(command, answer)
        else:
            self.seen[f"{name} granted"] += 1
            self.check_stale(command)
            assert answer.events, command
            self.entries.append(make_entry(before, command, answer.events))
            self.happen(*answer.events)
            self.table = remembered(before, command, answer.events, self.table)
            self.image = image(self.table)
            assert self.table == answer.table, f"{command}: not the fold of {answer.events}"
            # the engine asks only those that can have something to add
            more = [step.__name__ for step in FOLLOW_UPS[self.table.phase] if step(self.table, self.now)]
            assert not more, f"{command}: more would follow, by {more}"
        return answer

    def happen(self, *events: e.Event) -> None:
        """Go on, event by event, and look at each."""
        for event in events:
            before, self.table = self.table, evolve(self.table, event)
            self.check_event(before, event, self.table)
        self.image = image(self.table)
        self.check_state()
        if one_in(self.chance, self.looks):
            self.check_view()

    # --- what must hold

    def check_stale(self, command: Command) -> None:
        """What is granted was not made for an earlier round, nor for a version that is still to come."""
        if command.against is not None:
            latest = self.table.round or self.table.last
            assert command.against <= self.table.version
            assert latest is None or command.against >= latest.since

    def check_refusal(self, command: Command, refusal: Refusal) -> None:
        assert refusal.code in CODES
        if isinstance(command.body, FACTS) and not self.table.settings.electronic:
            # a fact is recorded whenever it is told; a shoe that was never put up has no cards
            asked_of = isinstance(command.body, c.MeantToInsure | c.ReportRound | c.FindBet | c.RaiseDispute | c.Report)
            never = refusal.code == "no_shoe" and not self.table.shoe.number
            assert refusal.code not in PHASES or never or (asked_of and refusal.code == "no_round"), (command, refusal)
        assert all(worded(refusal, language, Terms.of(self.table)).strip() for language in LANGUAGES)
        if refusal.code in ABOUT_THE_GAME:
            self.check_cited(f"refused {refusal.code}", refusal.paragraph)
        elif refusal.paragraph:
            self.check_cited(refusal.code, refusal.paragraph)
        assert refusal.fits is None or refusal.fits >= 0
        if refusal.fits:
            self.check_fits(command, refusal)

    def check_fits(self, command: Command, refusal: Refusal) -> None:
        """The amount that is said to fit does; by the Differential or as insurance, no more would have."""
        fits, body = refusal.fits, command.body
        assert fits is not None
        match body:
            case c.Place(wagers=wagers) if len(wagers) == 1:
                (bet,) = wagers
                limits = self.table.terms.limits_of(bet)
                answer = self.ask(msgspec.structs.replace(body, wagers={bet: fits}), command.actor)
                if refusal.code == "differential":
                    assert isinstance(answer, Done), (command, refusal, answer)
                    more = self.ask(msgspec.structs.replace(body, wagers={bet: fits + limits.step}), command.actor)
                    assert isinstance(more, Refusal), (command, refusal)
                elif isinstance(answer, Refusal):
                    assert answer.code != refusal.code or refusal.code == "funds", (command, refusal, answer)
            case c.Insure(amount=amount):
                answer = self.ask(msgspec.structs.replace(body, amount=fits), command.actor)
                assert fits < amount
                assert isinstance(answer, Done) or (refusal.code, answer.code) == ("insurance_cap", "funds"), answer
            case c.CashOut() | c.ChipsOut() | c.Tip():
                answer = self.ask(msgspec.structs.replace(body, amount=fits), command.actor)
                assert isinstance(answer, Done), (command, refusal, answer)

    def ask(self, body: AnyCommand, actor: str) -> Done | Refusal:
        """What the table would make of a command; nothing is done."""
        return execute(self.table, Command("", actor, self.now, body))

    def check_event(self, before: Table, event: e.Event, after: Table) -> None:
        self.events.append(event)
        self.seen[type(event).__name__] += 1
        record = e.Record(len(self.events), self.now, "somebody", "c1", event)  # type: ignore[arg-type]
        assert after.version == record.version
        assert msgspec.json.decode(msgspec.json.encode(record), type=e.Record) == record
        self.check_money(event, after)
        self.check_decision(event)
        match event:
            case e.WagersPlaced():
                assert before.phase is Phase.BETTING, "a bet after the close"
            case e.WagerReduced(person=person, box=box, bet=bet):
                assert before.round is not None
                assert after.round is not None
                cut_card_first = before.settings.high_limit and before.round.cut_first and before.round.untouched
                assert before.phase is Phase.BETTING or cut_card_first, "a bet taken back after the close"
                if cut_card_first:
                    self.change_stake(event, -event.amount)
                left = after.round.wagers.get((person, box, bet))
                assert left is None or left.stake >= after.terms.limits_of(bet).minimum
            case e.BetsClosed():
                assert after.round is not None
                self.stakes = {key: wager.stake for key, wager in after.round.wagers.items()}
                if after.irregularities.over_differential.rule:
                    assert excesses(after, after.round) == []
            case e.BetFound(noticed=noticed):
                assert noticed == (before.phase is Phase.BETTING)
                self.change_stake(event, event.amount)
            case e.StakeRuled(transfers=transfers):
                self.change_stake(event, -sum(transfer.amount for transfer in transfers))
            case e.StakesStand(cuts=cuts):
                for cut in cuts:
                    self.change_stake(cut, -cut.amount)
                check_standing(before, after)
            case e.OptionTaken(person=person, goes_on=False):
                assert self.stakes is not None
                self.stakes = {key: stake for key, stake in self.stakes.items() if key[0] != person}
            case e.BetsReturned(round=number) if number:
                assert wrong_late_return(before, event) is None
            case e.BetsReturned(wagers=wagers):
                assert self.stakes is not None
                self.stakes = {key: stake for key, stake in self.stakes.items() if key not in wagers}
            case e.BetCorrected(round=number) if before.round is not None and before.round.number == number:
                assert after.round is not None
                self.stakes = {key: wager.stake for key, wager in after.round.wagers.items()}
            case e.Flagged(flag="insurance_misplaced"):
                self.mended = True
            case e.CardsArranged() | e.CardCorrected() | e.CardValued() | e.InsuranceMoved() | e.InsuranceReread():
                self.mended = True
            case e.RoundPlayedAgain(number=number):
                self.mended = True
                if after.round is not None and after.round.number == number:
                    self.stakes = {key: wager.stake for key, wager in after.round.wagers.items()}
                check_insured(after, number)
            case e.RoundCalled() | e.FreeHandCalled():
                self.mended, self.stakes = False, {}
            case e.RoundSettled(lines=lines):
                settled = {(line.person, line.box, line.bet): line.stake for line in lines if not line.insurance}
                assert settled == self.stakes
                assert before.blocked is None
                assert before.round is not None
                assert before.round.options is None
                # insurance is by the points it was taken on, which a literal reading of the end does not know; nor does
                # that know of a round that was paid with a card lacking
                if before.round.coup.finished and not (self.mended and before.round.insurance):
                    check_settlement(before, event)
            case e.RoundSettledAgain():
                check_settled_again(before, event)
            case e.RulingGiven():
                self.check_ruling(before, event)

    def check_ruling(self, before: Table, given: e.RulingGiven) -> None:
        """Who gave a ruling had the rank, and nobody approved an own proposal."""
        incident = before.incidents.get(given.incident)
        choice = choice_for(before, given.ruling, incident)
        assert choice.paragraph == given.paragraph
        if given.approved_by:
            # perhaps more than is needed by now: a matter that wanted it may be over since the proposal
            assert given.approved_by != given.by
            # one of the two has the rank; where that is who proposed it, the other is a witness (reading Z)
            proposal = before.proposals[given.proposal]
            assert max(before.rank_of(given.approved_by), proposal.rank) >= choice.by
            assert before.rank_of(given.approved_by) >= before.book.deals
            assert proposal.ruling == given.ruling
        else:
            assert not choice.second
            assert choice.by.code == "dealer"

    def change_stake(self, found: e.BetFound | e.StakeRuled | e.WagerReduced | e.StakeCut, amount: int) -> None:
        """What is found after the close, and what comes off it, changes what is to be settled."""
        key = (found.person, found.box, found.bet)
        assert self.table.round is not None
        if self.table.round.closed:
            assert self.stakes is not None
            self.stakes[key] = self.stakes.get(key, 0) + amount
            if not self.stakes[key]:
                del self.stakes[key]

    def check_money(self, event: e.Event, after: Table) -> None:
        """Nothing comes from nowhere, and nobody has less than nothing."""
        for transfer in getattr(event, "transfers", ()):
            assert transfer.amount > 0, event
            assert transfer.source != transfer.target, event
            self.balances[transfer.source] -= transfer.amount
            self.balances[transfer.target] += transfer.amount
        assert {name: amount for name, amount in after.balances.items() if amount} == {
            name: amount for name, amount in self.balances.items() if amount
        }
        assert sum(after.balances.values()) == 0
        for name, amount in after.balances.items():
            assert amount >= 0 or not name.startswith(("chips:", "layout:", "held:", "receivables")), (event, name)
        owed = sum(amount for name, amount in after.balances.items() if name.startswith("owed:"))
        assert owed == -after.balances.get("receivables", 0)

    def check_decision(self, event: e.Event) -> None:
        """What the book decides names its paragraph."""
        if isinstance(event, e.RoundSettled):
            for line in event.lines:
                self.check_cited("settled line", line.paragraph)
        elif hasattr(event, "paragraph") and (event.paragraph or not isinstance(event, e.MoneyMoved | e.CardTurned)):
            name = type(event).__name__
            if isinstance(event, e.Flagged):
                name += f" {event.flag}"
            elif isinstance(event, e.IncidentOpened | e.Noted):
                name += f" {event.family}"
            elif isinstance(event, e.RulingProposed | e.RulingGiven) and isinstance(event.ruling, OF_THE_RECORD):
                return  # no book speaks of it
            self.check_cited(name, event.paragraph)

    def check_cited(self, what: str, paragraph: str) -> None:
        """A paragraph of this table's book, or a reading, or one of the cases where the book is silent."""
        if paragraph:
            assert paragraph in self.paragraphs or paragraph.startswith("reading "), (self.book, what, paragraph)
        elif self.book != "S6" or what not in AT_DISCRETION:
            # super-six names nobody for what it does not cover, and so no paragraph either
            assert (what, self.book) in SILENT, (self.book, what)

    def check_state(self) -> None:
        """What the parts of a table say agrees."""
        table, current = self.table, self.table.round
        on_layout: Counter[str] = Counter()
        if current is not None:
            if table.phase is not Phase.PAYING and not current.paid:
                for wager in current.wagers.values():
                    on_layout[layout_of(wager.person)] += wager.stake
                for taken in current.insurance:
                    on_layout[layout_of(taken.person)] += taken.stake
                assert on_layout.keys() <= {
                    layout_of(person.id) for person in table.people.values() if not person.staff
                }
            stakes = [(wager.bet, wager.stake) for wager in current.wagers.values()]
            assert current.on_player == sum(stake for bet, stake in stakes if bet == "player")
            assert current.on_banker == sum(stake for bet, stake in stakes if bet == "banker")
            assert current.hidden == sum(not drawn.turned for drawn in current.cards)
            if table.phase is Phase.BETTING:
                outside = {key for key in table.flags if key[0] in (OVER, BELOW, ABOVE)}
                assert outside == breaches(table, current).keys()
            above = {incident.about for incident in table.incidents.values() if incident.family == ABOVE}
            assert above <= {about_bet(*key) for key in current.wagers}, "a ruling is wanted on a bet that is not there"
            assert not above or current.closed
        lying = {name: amount for name, amount in table.balances.items() if name.startswith("layout:") and amount}
        assert lying == on_layout
        chips = {name for name, amount in table.balances.items() if name.startswith("chips:") and amount}
        assert chips <= {chips_of(person.id) for person in table.people.values() if not person.staff}
        assert misplaced(table) is None
        assert miscounted(table) is None

    # --- views

    def viewer(self) -> Viewer:
        """Somebody who looks: mostly as what he is, sometimes as what he is not."""
        name = self.chance.choice([*self.table.people, HOUSE, "zoe", ""])
        if one_in(self.chance, 4):
            return Viewer(self.chance.choice(KINDS), name)
        person = self.table.people.get(name)
        staff = name == HOUSE or (person is not None and person.staff)
        return Viewer(self.chance.choice(["dealer", "pit"]) if staff else "player", name)

    def check_view(self) -> None:
        """A view tells nothing it must not, and what it says of a few of its actions is true."""
        viewer = self.viewer()
        check_no_difference(self.table, viewer, self.now)
        seen = view(self.table, viewer, self.now)
        current = self.table.round
        if current is not None:
            assert seen.public.round is not None
            shown = [each.card for each in seen.public.round.cards]
            assert shown == [drawn.card if drawn.turned else None for drawn in current.cards]
        assert msgspec.json.decode(msgspec.json.encode(seen), type=View) == seen
        actions = list(seen.actions)
        for action in self.chance.sample(actions, min(4, len(actions))):
            body = filled(self.chance, action) if action.allowed else next(commands_of(action))
            check_answer(viewer, action, self.ask(body, viewer.person), body)

    # --- the end

    def finish(self) -> None:
        """The table is the fold of its events, and proper steps lead through the end of the round and the next one."""
        self.check_fold()
        if not self.table.open:
            return
        for _ in range(2):
            number = self.table.rounds
            for _ in range(STEPS_OF_A_ROUND):
                self.now += 1_000
                self.proper()
                if self.table.rounds > number:
                    break
            else:
                raise AssertionError(f"no way on: {self.events[-STEPS_OF_A_ROUND:]}")
        self.check_fold()

    def rule_on(self, matter: Incident) -> None:
        """A ruling on what a round left open that ends it."""
        kinds = {choice.kind for choice in choices(self.table, matter)}
        ends = (WriteOff(), LetStand(), Dismiss(), VoidRound(), Rectify())
        ruling = next(ruling for ruling in ends if type(ruling) in kinds)
        for person in (RULER, SECOND):
            if person not in self.table.people:
                self.give(c.SignOn(person, STAFF[DIRECTOR]), HOUSE)
        for proposal in [found for found in self.table.proposals.values() if found.incident == matter.number]:
            self.give(c.Decline(proposal.number), RULER)
        proposed = self.give(c.Propose(ruling, matter.number, "the day ends"), RULER)
        assert isinstance(proposed, Done), proposed
        if matter.number in self.table.incidents:
            approved = self.give(c.Approve(self.table.proposals_so_far), SECOND)
            assert isinstance(approved, Done), approved

    def decide(self, dispute: Dispute) -> None:
        """The steps that are left to the decision; one that was taken before is refused."""
        if RULER not in self.table.people:
            self.give(c.SignOn(RULER, STAFF[DIRECTOR]), HOUSE)
        for what in ("escalated", "facts", "surveillance"):
            self.give(c.NoteOnDispute(dispute.number, what, "the day ends"), RULER)
        self.give(c.DecideDispute(dispute.number, "so be it", ("game_rules",)), RULER)

    def close(self) -> None:
        """What waits is ruled on, everybody leaves, the day is reckoned; then only what outlives a table is granted."""
        if Step.CALL in self.table.settings.automated:
            self.last_shoe()
        for _ in range(6 * STEPS_OF_A_ROUND):
            if self.table.phase is not Phase.IDLE:
                self.proper()
            elif self.table.incidents:
                self.rule_on(next(iter(self.table.incidents.values())))
            else:
                break
        for dispute in list(self.table.disputes.values()):
            self.decide(dispute)
        for number in [number for number, found in self.table.proposals.items() if isinstance(found.ruling, Pay)]:
            self.give(c.Decline(number, "the day ends"), RULER)
        for name in self.table.fills:
            self.give(c.CancelFill(name), HOUSE)
        for person in list(self.table.people.values()):
            if not person.staff:
                self.give(c.Leave(person.id), HOUSE)
        for matter in list(self.table.incidents.values()):
            self.rule_on(matter)  # what a decision made somebody owe
        tray = self.balances[TRAY] + self.balances[COMMISSION]
        counted = max(0, tray // 100 + self.chance.choice([-1, 0, 1]))
        closed = self.give(c.CloseTable({1_00: counted}), HOUSE)
        assert isinstance(closed, Done), closed
        (event,) = closed.events
        assert isinstance(event, e.TableClosed)
        assert event.difference == counted * 100 - tray
        won = sum(-amount for name, amount in self.balances.items() if name.startswith(WORLD))
        kept = sum(amount for name, amount in self.balances.items() if name.startswith("held:"))
        kept += self.balances[SUSPECT]
        assert event.result == won - self.balances[TIPS] - kept + event.difference
        for _ in range(5):
            body, actor = random_command(self.chance, self.table)
            goes_on = outlives(self.table, body)
            answer = self.give(body, actor)
            if not goes_on:
                assert isinstance(answer, Refusal), body
                assert answer.code in ("table_closed", "table_open")
        self.check_fold()

    def last_shoe(self) -> None:
        """Where the table calls by itself it goes on as long as there are cards."""
        if not self.table.settings.shuffler:
            if not self.table.shoe.cut_seen:
                self.give(c.CutCard(), HOUSE)
            return
        for person in (RULER, SECOND):
            if person not in self.table.people:
                self.give(c.SignOn(person, STAFF[DIRECTOR]), HOUSE)
        self.give(c.Propose(ReplaceShoe(), 0, "the day ends"), RULER)
        self.give(c.Approve(self.table.proposals_so_far), SECOND)

    def check_fold(self) -> None:
        assert fold(self.entries, self.table.book) == self.table


WORLD = ("account:", "floor", "cash", "counterfeit")
"""Where players' money comes from and goes to; what is missing there at the end of the day the House has won."""


def check_settled_again(before: Table, event: e.RoundSettledAgain) -> None:
    """People get what the new lines give them more or less than the old, in chips, kept, or owed."""
    settled = next(each for each in before.known_rounds if each.number == event.number)
    old = settled.before if settled.paid else settled.lines
    expected: Counter[str] = Counter()
    for line in event.lines:
        expected[line.person] += line.profit
    for line in old:
        expected[line.person] -= line.profit
    moved: Counter[str] = Counter()
    for transfer in event.transfers:
        for account, amount in ((transfer.source, -transfer.amount), (transfer.target, transfer.amount)):
            kind, _, person = account.partition(":")
            if kind in ("chips", "held", "owed"):
                moved[person] += amount
    assert {person: amount for person, amount in expected.items() if amount} == {
        person: amount for person, amount in moved.items() if amount
    }


def check_insured(after: Table, number: int) -> None:
    """However its record was put right, what is insured of a bet in a window is at most that bet (3.12.2)."""
    found = next(each for each in after.known_rounds if each.number == number)
    insured: Counter[tuple[str, int, Side, Window]] = Counter()
    for taken in found.insurance:
        insured[taken.person, taken.box, taken.row.hand, taken.row.window] += taken.stake
    for (person, box, hand, _), amount in insured.items():
        assert amount <= original_bet(after, found, person, box, hand)


def check_standing(before: Table, after: Table) -> None:
    """What stands of bets that nobody noticed: within the Differential unless the minimums alone go beyond it."""
    assert before.round is not None
    assert after.round is not None
    for key, wager in before.round.wagers.items():
        left = after.round.wagers.get(key)
        limits = after.terms.limits_of(wager.bet)
        if left is None:
            # returned for good at Hoiana, or pro rata without a floor leaves less than the smallest coin
            whole = wager.person in before.under_minimum and wager.stake < limits.minimum
            assert whole or before.policies.over_differential_unnoticed.value is OverDifferential.PRO_RATA
        elif wager.stake < limits.minimum:
            assert left.stake == wager.stake
        elif before.irregularities.below_minimum.rule:
            assert left.stake >= limits.minimum
        elif before.irregularities.above_maximum_unnoticed.rule and limits.maximum is not None:
            assert left.stake <= limits.maximum
    if not before.irregularities.over_differential_unnoticed.rule:
        assert after.round.wagers == before.round.wagers
        return
    if before.round.taken_back or before.round.ruled:
        return  # what went back after the close does not open the question again (reading B)
    for excess in excesses(after, after.round):
        heavier = [
            (wager.stake, after.terms.limits_of(wager.bet).minimum)
            for wager in after.round.wagers.values()
            if wager.bet == excess.hand.value and excess.box in (0, wager.box)
        ]
        assert all(stake <= minimum for stake, minimum in heavier), excess


def image(table: Table) -> str:
    """Everything of a table that could be changed in place, as text."""
    current, last = table.round, table.last
    return repr(
        (
            *(table.version, table.open, table.people, table.balances, table.fills, table.shoe, table.flags),
            *(table.incidents, table.proposals, table.disputes, table.carried),
            *(current, last.wagers if last else None, table.results),
        )
    )


def filled(chance: Random, action: Action, *, optional: bool = True) -> AnyCommand:
    """The command of an action, with values by chance for all it asks."""
    asks = [ask for ask in action.asks if not ask.optional or (optional and one_in(chance, 2))]
    body = fill(action, {ask.field: value_of(chance, ask) for ask in asks})
    return sensible(body) if isinstance(body, c.SetLimits) else body


def sensible(sign: c.SetLimits) -> c.SetLimits:
    """Limits of which one fits the other, and that leave something to bet."""
    maximum = None if sign.maximum is None else max(sign.maximum, 1_000_00)
    return c.SetLimits(min(sign.minimum, 25_00), maximum, min(sign.step, 5_00), sign.bet)


_NEWCOMERS = counting(1)


def value_of(chance: Random, ask: Ask) -> Any:
    match ask.kind:
        case "amount":
            assert ask.least is not None
            most = ask.least + 5_000_00 if ask.most is None else ask.most
            steps = (most - ask.least) // ask.step
            amount = ask.least + ask.step * chance.choice([0, steps, chance.randint(0, steps)])
            if amount != ask.but:
                return amount
            return amount - ask.step if amount == ask.most else amount + ask.step
        case "choice":
            return chance.choice(ask.choices)
        case "text":
            return chance.choice(["because", "x" * 50])
        case "name":
            # a newcomer's: chance likes to say the same thing twice
            return f"n{next(_NEWCOMERS)}"
        case "some":
            assert ask.most is not None
            return chance.sample(ask.choices, chance.randint(ask.least or 0, ask.most))
        case "card":
            return chance.choice([card for card in CARDS if card.value != ask.but]).value
        case "cards" if ask.counts:
            rank, count = chance.choice(list(ask.counts.items()))
            return [f"{rank}h", *[None] * (count - 1)]
        case "cards":
            assert ask.least is not None
            assert ask.most is not None
            count = chance.randint(ask.least, ask.most)
            return [None if ask.unseen and one_in(chance, 2) else chance.choice(CARDS).value for _ in range(count)]
        case "chips":
            return {chance.choice(ask.choices): chance.randint(ask.least or 0, 20)}
