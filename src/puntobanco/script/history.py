"""A log told as a history: every act as its line, what it led to as comments below.

A log holds events, not commands. Each act is found again from its events and then played: the line that is printed is
one that leads to exactly these events, so that the printed history, played, gives the same log. Where none does, the
log is not what the table's rules make of it, and the difference is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, get_args

import msgspec

from puntobanco.cards import Card, CardError
from puntobanco.rules.load import find_book
from puntobanco.script import grammar
from puntobanco.script import lines as x
from puntobanco.script.defaults import default_actor, later, without_box
from puntobanco.script.expect import tag_of
from puntobanco.script.lines import Line, Script
from puntobanco.script.log import CANNOT_BE, ImpossibleError, next_table
from puntobanco.script.words import Voice
from puntobanco.table import commands as c
from puntobanco.table import events as e
from puntobanco.table.cards.turning import MISMATCH
from puntobanco.table.commands import Command
from puntobanco.table.engine import Done, FindBook, execute
from puntobanco.table.events import Record
from puntobanco.table.state import Table

INDENT = 4
"""Spaces before a comment that tells what an act led to."""


class Difference(msgspec.Struct, frozen=True):
    """Where a log is not what the rules make of its acts: the version, and what is wrong there."""

    version: int
    message: str


class History(msgspec.Struct, frozen=True):
    """A log as a script, the table at its end, and where it does not follow from the rules."""

    script: Script
    table: Table
    differences: tuple[Difference, ...]


def retell(
    records: Sequence[Record], books: FindBook = find_book, *, expect: bool = False, source: str = ""
) -> History:
    """Tell a log as a history. ``expect`` adds lines by which it checks itself when it is played."""
    teller = _Teller(books, expect, source)
    for _, group in groupby(records, key=lambda record: (record.command, record.at, record.actor)):
        teller.tell(list(group))
    assert teller.table is not None
    if expect:
        teller.expect_balances()
    script = Script(tuple(teller.lines), teller.table.settings.digits)
    return History(script, teller.table, tuple(teller.differences))


class _Teller:
    """Writes the lines of a history while the table goes through it."""

    def __init__(self, books: FindBook, expect: bool, source: str) -> None:
        self.books = books
        self.expect = expect
        self.source = source
        self.table: Table | None = None
        self.clock = 0
        self.lines: list[Line] = []
        self.differences: list[Difference] = []

    def tell(self, group: list[Record]) -> None:
        """An act, from the records that it led to."""
        first = group[0]
        before, after = self.table, self.table
        for record in group:
            after = next_table(after, record.event, self.books, record.version, self.source)
        assert after is not None
        try:
            self._tell(before, after, group)
        except CANNOT_BE as error:
            message = f"the rules make nothing of {tag_of(first.event)} after what came before"
            raise ImpossibleError(first.version, message, self.source) from error
        self.table = after

    def _tell(self, before: Table | None, after: Table, group: list[Record]) -> None:
        first = group[0]
        body, message = self._find_act(before, group)
        if body is not None:
            self._write_act(before, body, first)
        if message:
            self.differences.append(Difference(first.version, message))
            self._comment(f"! {message}")
        voice = Voice(after.book, after.settings.digits)
        for record in group:
            head, *parts = voice.tell(record.event)
            self._comment(f"→ {head}")
            for part in parts:
                self._comment(str(part), INDENT + 2)
        if self.expect:
            self.lines += [Line(x.Outcome(result)) for result in _results(group)]

    def _find_act(self, table: Table | None, group: list[Record]) -> tuple[c.Body | None, str]:
        """The command that leads to just these events; the likeliest, and what is wrong, where none does."""
        events = tuple(record.event for record in group)
        likeliest: c.Body | None = None
        message = f"nobody's act leads to {tag_of(events[0])}"
        for body in _candidates(table, events):
            command = Command("", group[0].actor, group[0].at, body)  # type: ignore[arg-type]
            done = execute(table, command, self.books)
            if isinstance(done, Done) and done.events == events:
                return body, ""
            if likeliest is None:
                likeliest = body
                message = _otherwise(done, events)
        return likeliest, message

    def _write_act(self, table: Table | None, body: c.Body, first: Record) -> None:
        if isinstance(body, c.OpenTable):
            self.lines += [Line(setting) for setting in grammar.header(body)]
            self.lines.append(Line())
        if isinstance(body, c.Call | c.NewShoe):
            self.lines.append(Line())
        actor = None if first.actor == default_actor(table, body) else first.actor
        act = x.Open() if isinstance(body, c.OpenTable) else without_box(table, body)
        self.lines.append(Line(x.Act(act, self._time(first.at), actor)))  # type: ignore[arg-type]
        self.clock = first.at

    def _time(self, at: int) -> x.Time | None:
        if at == self.clock:
            return None
        clock = x.Clock(at % x.DAY)
        return clock if later(self.clock, clock) == at else x.Moment(at)

    def _comment(self, text: str, gap: int = INDENT) -> None:
        """What people wrote may hold anything, but a comment is one line."""
        self.lines.append(Line(note=" ".join(text.split()), gap=gap))

    def expect_balances(self) -> None:
        assert self.table is not None
        self.lines.append(Line())
        self.lines += [Line(x.Balance(account, amount)) for account, amount in sorted(self.table.balances.items())]


def _results(group: Sequence[Record]) -> Iterator[Literal["player", "banker", "tie", "void"]]:
    for record in group:
        if isinstance(record.event, e.ResultAnnounced):
            yield record.event.result
        elif isinstance(record.event, e.RoundVoided):
            yield "void"


def _otherwise(done: Any, events: Sequence[e.Event]) -> str:
    """How what the rules make of an act differs from what the log says."""
    if not isinstance(done, Done):
        return f"the rules refuse this: {done.code}, {done.message}"
    for number, (ruled, logged) in enumerate(zip(done.events, events, strict=False)):
        if ruled != logged:
            return (
                f"the rules lead to another {tag_of(ruled)}, event {number + 1} of this act: {_fields(ruled, logged)}"
            )
    more = len(done.events) - len(events)
    count = f"{abs(more)} event{'s' * (abs(more) != 1)}"
    return f"the rules lead to {count} {'more' if more > 0 else 'fewer'}"


def _fields(ruled: e.Event, logged: e.Event) -> str:
    if type(ruled) is not type(logged):
        return f"the log has {tag_of(logged)}"
    return "; ".join(
        _difference(name, getattr(ruled, name), getattr(logged, name))
        for name in ruled.__struct_fields__
        if getattr(ruled, name) != getattr(logged, name)
    )


def _difference(name: str, ruled: object, logged: object) -> str:
    """Both values as the log writes them; of two lists the first place where they differ."""
    if isinstance(ruled, tuple) and isinstance(logged, tuple) and len(ruled) == len(logged):
        place = next(number for number, pair in enumerate(zip(ruled, logged, strict=True)) if pair[0] != pair[1])
        return _difference(f"{name} {place + 1}", ruled[place], logged[place])
    return f"{name} {msgspec.json.encode(ruled).decode()}, not {msgspec.json.encode(logged).decode()}"


# --- from events to the act behind them

Events = Sequence[e.Event]


def _candidates(table: Table | None, events: Events) -> Iterator[c.Body]:
    if table is not None and table.shoe.left == 0 and any(isinstance(event, e.CardsAtFault) for event in events):
        yield c.Draw()
    for event in events:
        find = ACT_OF.get(type(event))
        body = find(table, event, events) if find else None
        if body is not None:
            yield body


def _money(table: Table | None, event: e.MoneyMoved, events: Events) -> c.Body | None:
    if event.via == "found":
        return None
    if event.kind == "buy_in":
        return c.BuyIn(event.person, event.amount, "account" if event.via == "account" else "cash")
    kind = {"cash_out": c.CashOut, "chips_in": c.ChipsIn, "chips_out": c.ChipsOut, "tip": c.Tip}[event.kind]
    return kind(event.person, event.amount)


def _join(table: Table | None, event: e.PlayerJoined, events: Events) -> c.Body:
    notice = table is not None and table.settings.no_insurance and event.person not in table.people
    return c.Join(event.person, event.box, event.seated, notice)


def _withdraw(table: Table | None, event: e.WagerReduced, events: Events) -> c.Body | None:
    if event.why != "withdrawn":
        return None
    wagers = table.round.wagers if table and table.round else {}
    wager = wagers.get((event.person, event.box, event.bet))
    whole = wager is not None and wager.stake == event.amount
    return c.Withdraw(event.person, event.box, event.bet, None if whole else event.amount)


def _ask(table: Table | None, event: e.SqueezeAsked, events: Events) -> c.Body:
    if event.early:
        return c.AskEarlySqueeze(event.person, "squeeze" if event.early == "squeeze" else "expose")
    return c.AskSqueeze(event.person, event.hand)


def _draw(table: Table | None, event: e.CardDrawn, events: Events) -> c.Body:
    hand = next((put.hand for put in events if isinstance(put, e.CardPut)), None)
    return c.Draw(event.card, hand, any(isinstance(turned, e.CardTurned) for turned in events))


def _early_draw(table: Table | None, event: e.EarlyCardDrawn, events: Events) -> c.Body:
    return c.Draw(event.card, turned=event.turned)


def _turn(table: Table | None, event: e.CardTurned, events: Events) -> c.Body:
    cards = (*(table.round.cards if table.round else ()), *table.carried) if table else ()
    known = 0 < event.number <= len(cards) and cards[event.number - 1].card is not None
    return c.Turn(event.number, _keyed(events) if known else event.card)


def _keyed(events: Events) -> Card | None:
    """The card that was keyed where the scanner had read another: the last word on the incident."""
    for event in events:
        if isinstance(event, e.IncidentOpened) and event.family == MISMATCH:
            try:
                return Card(event.about.split()[-1])
            except (CardError, IndexError):
                return None
    return None


def _confirmed(table: Table | None, event: e.BoxesConfirmed, events: Events) -> c.Body | None:
    return c.Confirm(event.boxes[0], event.by_reader) if len(event.boxes) == 1 else None


def _reported(table: Table | None, event: e.IncidentOpened | e.Noted, events: Events) -> c.Body | None:
    if isinstance(event, e.IncidentOpened) and event.true_cards:
        return c.ReportRound(event.round, event.true_cards, event.about)
    if event.family not in get_args(c.Incidental):
        return None
    cards = event.cards if isinstance(event, e.IncidentOpened) else ()
    missed = (each.round for each in events if isinstance(each, e.InsuranceMissed))
    return c.Report(event.family, event.about, cards, next(missed, 0))  # type: ignore[arg-type]


def _ruled(table: Table | None, event: e.RulingGiven, events: Events) -> c.Body:
    if event.approved_by:
        return c.Approve(event.proposal)
    return c.Propose(event.ruling, event.incident, event.reason)


ACT_OF: dict[type[e.Event], Callable[[Table | None, Any, Events], c.Body | None]] = {
    e.TableOpened: lambda table, event, events: c.OpenTable(event.settings, event.opening_float),
    e.TableClosed: lambda table, event, events: c.CloseTable(event.count),
    e.LimitsSet: lambda table, event, events: c.SetLimits(
        event.limits.minimum, event.limits.maximum, event.limits.step, event.bet
    ),
    e.DifferentialSet: lambda table, event, events: (
        c.SetDifferential(event.differential.limit, event.differential.scope)
        if event.differential
        else c.SetDifferential()
    ),
    e.StaffSignedOn: lambda table, event, events: c.SignOn(event.person, event.rank),
    e.StaffSignedOff: lambda table, event, events: c.SignOff(event.person),
    e.PlayerJoined: _join,
    e.PlayerLeft: lambda table, event, events: c.Leave(event.person),
    e.MoneyMoved: _money,
    e.FillRequested: lambda table, event, events: c.RequestFill(event.request, event.kind, event.chips),
    e.FillSigned: lambda table, event, events: c.SignFill(event.request),
    e.FillCancelled: lambda table, event, events: c.CancelFill(event.request),
    e.ShoeStarted: lambda table, event, events: c.NewShoe(event.evidence, event.commitment),
    e.ShoeCut: lambda table, event, events: c.Cut(event.person, event.position),
    e.CardsBurnt: lambda table, event, events: c.Burn(event.cards),
    e.CutCardAppeared: lambda table, event, events: c.CutCard(),
    e.ShoeEnded: lambda table, event, events: c.EndShoe(event.reason),
    e.RoundCalled: lambda table, event, events: c.Call(),
    e.WagersPlaced: lambda table, event, events: c.Place(event.person, event.box, event.wagers),
    e.WagerReduced: _withdraw,
    e.BetsClosed: lambda table, event, events: c.Close(),
    e.SqueezeAsked: _ask,
    e.SqueezeAnswered: lambda table, event, events: c.AnswerSqueeze(event.person, event.granted),
    e.SqueezeBarred: lambda table, event, events: c.BarSqueeze(event.person, event.reason),
    e.CardsDealt: lambda table, event, events: c.Deal(event.cards),
    e.CardDrawn: _draw,
    e.CardPut: lambda table, event, events: c.PutCard(event.number, event.hand),
    e.CardTurned: _turn,
    e.InsuranceOffered: lambda table, event, events: c.OfferInsurance(),
    e.Insured: lambda table, event, events: c.Insure(event.person, event.box, event.hand, event.amount),
    e.InsurancePassed: lambda table, event, events: c.PassInsurance(event.person),
    e.InsuranceClosed: lambda table, event, events: c.CloseInsurance(),
    e.ResultAnnounced: lambda table, event, events: c.Announce(event.called or event.result),
    e.RoundSettled: lambda table, event, events: c.Settle(),
    e.RoundSettledAgain: lambda table, event, events: c.Settle(),
    e.BoxesConfirmed: _confirmed,
    e.ConfirmationOverridden: lambda table, event, events: c.OverrideConfirmation(event.reason),
    e.BetFound: lambda table, event, events: c.FindBet(event.person, event.box, event.bet, event.amount),
    e.InsuranceCorrected: lambda table, event, events: c.FindBet(
        event.person, event.box, f"{event.hand.value}_insurance", event.stake - event.was, event.window
    ),
    e.LateChipsRefused: lambda table, event, events: c.LateChips(
        event.person, event.box, event.bet, event.amount, event.what
    ),
    e.WalkedAway: lambda table, event, events: c.WalkAway(event.person),
    e.CameBack: lambda table, event, events: c.ComeBack(event.person),
    e.CardsAtFault: lambda table, event, events: c.ReportCards(event.fault, event.about),
    e.EarlyCardDrawn: _early_draw,
    e.IncidentOpened: _reported,
    e.Noted: _reported,
    e.PlayInterrupted: lambda table, event, events: c.ReportInterruption(event.about, event.lost),
    e.IntentionNoted: lambda table, event, events: c.MeantToInsure(event.person, event.hand, event.round),
    e.RulingProposed: lambda table, event, events: c.Propose(event.ruling, event.incident, event.reason),
    e.RulingGiven: _ruled,
    e.RulingDeclined: lambda table, event, events: c.Decline(event.proposal, event.reason),
    e.OptionTaken: lambda table, event, events: c.TakeOption(event.person, event.goes_on),
    e.ShoeChosen: lambda table, event, events: c.TakeOption(event.person, event.goes_on),
    e.DisputeRaised: lambda table, event, events: c.RaiseDispute(event.person, event.about, event.round),
    e.DisputeNoted: lambda table, event, events: c.NoteOnDispute(event.dispute, event.what, event.note),
    e.DisputeDecided: lambda table, event, events: c.DecideDispute(
        event.dispute, event.decision, event.grounds, event.pays
    ),
    e.DisputeAnswered: lambda table, event, events: c.AnswerDispute(event.person, event.dispute, event.agrees),
}
"""Event → the act that it may be the core of; what is missing here only ever follows from something else."""
