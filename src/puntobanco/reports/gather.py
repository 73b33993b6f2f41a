"""Reads a table's record once and books every figure in the shift in which it arose.

What is put right later is booked when it is put right: the figures of a shift that is over never change.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from puntobanco.bets import Result
from puntobanco.reports.chances import Chances, Moments
from puntobanco.reports.figures import Additive, BetFigures, Figures, PersonFigures, Play, StaffFigures
from puntobanco.reports.periods import Period, divided, period_at
from puntobanco.rules.load import find_book
from puntobanco.rules.model import RuleBook
from puntobanco.script.log import CANNOT_BE, ImpossibleError, LogError, next_tables
from puntobanco.table import events as e
from puntobanco.table.engine import FindBook
from puntobanco.table.entry import Entry
from puntobanco.table.events import Record, SettledLine, Transfer
from puntobanco.table.rulings import kind_of
from puntobanco.table.settings import TableSettings
from puntobanco.table.settlement.commission import is_marked
from puntobanco.table.state import (
    CAGE,
    CASH,
    COMMISSION,
    DROP,
    FLOOR,
    MARKS,
    RECEIVABLES,
    TIPS,
    TRAY,
    InsuranceWager,
    Round,
    Table,
)

HOUSES = frozenset({TRAY, COMMISSION, DROP, RECEIVABLES, MARKS})
"""The accounts in which the House has what it has at the table."""


SomeFigures = TypeVar("SomeFigures", bound=Additive)


class Wagered(NamedTuple):
    """A settled wager of a round, with what the House got by it."""

    person: str
    bet: str
    stake: int
    win: int


class PlayedRound(msgspec.Struct, frozen=True):
    """A round that came to a result, as it counts in the end, in the shift that first settled it."""

    number: int
    period: Period
    shoe: int
    dealer: str
    outcome: int
    handle: int
    result: int
    """What the House got."""
    expected: Moments
    wagers: tuple[Wagered, ...] = ()
    """All but insurance."""


class Gathered(msgspec.Struct):
    """Everything that a table's record says, shift by shift."""

    settings: TableSettings
    book: RuleBook
    chances: Chances
    ends: int
    """When the last event happened."""
    events: int = 0
    closed: bool = False
    figures: dict[Period, Figures] = {}
    people: dict[Period, dict[str, PersonFigures]] = {}
    staff: dict[Period, dict[str, StaffFigures]] = {}
    rounds: dict[int, PlayedRound] = {}


class _Entry(NamedTuple):
    """A settled wager, as it was booked."""

    person: str
    bet: str
    stake: int
    win: int
    theoretical: Fraction


class _Booked(msgspec.Struct, frozen=True):
    """What is booked of a round."""

    entries: tuple[_Entry, ...]
    dealer: str
    free: bool
    void: bool = False


class Gatherer:
    """Reads a log, entry by entry; a live table's goes on for as long as the table does."""

    found: Gathered

    def __init__(self, books: FindBook = find_book, source: str = "") -> None:
        self._books = books
        self._source = source
        self._table: Table | None = None
        self._booked: dict[int, _Booked] = {}
        """The rounds of this shoe, as they count now."""
        self._dealer: tuple[int, str] = (0, "")
        """The round in progress, and who deals it."""
        self._here: dict[str, tuple[int, str]] = {}
        """Who is at the table: since when, and the rank of staff."""

    def read(self, entry: Entry) -> None:
        """One entry further. Raises :class:`LogError` where it cannot follow those before it."""
        tables = next_tables(self._table, entry, self._books, self._source)
        for record, table in zip(entry.records, tables, strict=True):
            self._note(self._table, record, table)
            self._table = table

    def _note(self, before: Table | None, record: Record, table: Table) -> None:
        """An event, with the table before and after it."""
        event = record.event
        if before is None:
            self.found = Gathered(table.settings, table.book, Chances(table.book, table.settings), record.at)
        self.found.events = record.version
        self.found.ends = max(self.found.ends, record.at)
        self._period = period_at(self.found.settings.shifts, record.at)
        self._now = self.found.figures.setdefault(self._period, Figures())
        self._post(getattr(event, "transfers", ()))
        if before is not None and len(table.disputes) < len(before.disputes):
            self._now.disputes_closed += 1
        handler = _HANDLERS.get(type(event))
        if handler is not None:
            try:
                handler(self, table, record, event)
            except CANNOT_BE as error:
                message = f"{event.__struct_config__.tag} does not fit what came before"
                raise ImpossibleError(record.version, message, self._source) from error

    def so_far(self, until: int | None = None) -> Gathered:
        """What was found, untouched by what is read later.

        Who is still at the table has been there until then, or until the last event.
        """
        if self._table is None:
            raise LogError(1, "the log is empty", self._source)
        found = replace(
            self.found,
            figures={period: figures.copy() for period, figures in self.found.figures.items()},
            people=_copied(self.found.people),
            staff=_copied(self.found.staff),
            rounds=self.found.rounds.copy(),
        )
        for person, (since, rank) in self._here.items():
            _spend(found, person, rank, since, found.ends if until is None else until)
        return found

    # --- the books

    def _person(self, name: str) -> PersonFigures:
        return self.found.people.setdefault(self._period, {}).setdefault(name, PersonFigures())

    def _staff(self, name: str) -> StaffFigures:
        staff = self.found.staff.setdefault(self._period, {}).setdefault(name, StaffFigures())
        _, rank = self._here.get(name, (0, ""))
        staff.rank = rank or staff.rank
        return staff

    def _post(self, transfers: Iterable[Transfer]) -> None:
        now = self._now
        for transfer in transfers:
            source, target, amount = transfer.source, transfer.target, transfer.amount
            if CAGE not in (source, target):
                now.ledger += amount * ((target in HOUSES) - (source in HOUSES))
            if target == DROP:
                now.cash_drop += amount if source == CASH else 0
                now.account_drop += amount if source != CASH else 0
            elif source == DROP:
                now.paid_back += amount
            elif COMMISSION in (source, target):
                now.commission += amount if target == COMMISSION else -amount
            elif target == RECEIVABLES:
                now.owed += amount
            elif target == TIPS:
                now.tips += amount
            elif source == FLOOR:
                now.chips_in += amount
            elif target == FLOOR:
                now.chips_out += amount

    def _book(self, booked: _Booked, sign: int = 1) -> None:
        now = self._now
        for entry in booked.entries:
            bet = now.bets.setdefault(entry.bet, BetFigures())
            bet.wagers += sign
            for play in (now, bet, self._person(entry.person)):
                _add(play, entry, sign)
        for person in {entry.person for entry in booked.entries}:
            self._person(person).rounds += sign
        if not booked.void:
            now.rounds += sign
            now.free_hands += sign * booked.free
            self._staff(booked.dealer).rounds += sign

    # --- people

    def _gone(self, person: str, until: int) -> None:
        since, rank = self._here.pop(person, (until, ""))
        _spend(self.found, person, rank, since, until)

    def _signed_on(self, table: Table, record: Record, event: e.StaffSignedOn) -> None:
        since, _ = self._here.get(event.person, (record.at, ""))
        self._here[event.person] = since, table.book.ranks.of(event.rank).title

    def _joined(self, table: Table, record: Record, event: e.PlayerJoined) -> None:
        self._here.setdefault(event.person, (record.at, ""))

    def _left(self, table: Table, record: Record, event: e.PlayerLeft | e.StaffSignedOff) -> None:
        self._gone(event.person, record.at)

    # --- money beside the play

    def _opened(self, table: Table, record: Record, event: e.TableOpened) -> None:
        self._now.opening += sum(transfer.amount for transfer in event.transfers)

    def _closed(self, table: Table, record: Record, event: e.TableClosed) -> None:
        self._now.closings += 1
        self._now.counted += event.closing
        self._now.difference += event.difference
        self.found.closed = True
        for person in tuple(self._here):
            self._gone(person, record.at)

    def _money_moved(self, table: Table, record: Record, event: e.MoneyMoved) -> None:
        if event.kind == "buy_in":
            self._person(event.person).drop += event.amount
        elif event.kind == "tip":
            self._person(event.person).tips += event.amount

    def _filled(self, table: Table, record: Record, event: e.FillSigned) -> None:
        if event.kind == "fill":
            self._now.fills += event.amount
        else:
            self._now.credits += event.amount

    def _money_ruled(self, table: Table, record: Record, event: e.MoneyRuled) -> None:
        self._now.ruled -= event.amount
        self._person(event.person).ruled -= event.amount

    def _debt_settled(self, table: Table, record: Record, event: e.DebtSettled) -> None:
        if event.how == "collected":
            self._now.collected += event.amount
        else:
            self._now.written_off += event.amount

    # --- rounds

    def _called(self, table: Table, record: Record, event: e.RoundCalled | e.FreeHandCalled) -> None:
        self._dealer = event.number, record.actor

    def _dealt(self, table: Table, record: Record, event: e.Event) -> None:
        current = table.round
        if current is not None and len(current.cards) == _cards(event) and not current.paid:
            self._dealer = current.number, record.actor

    def _new_shoe(self, table: Table, record: Record, event: e.ShoeStarted | e.CardsReturned) -> None:
        """What is too far back to be settled again is booked for good."""
        known = {each.number for each in table.known_rounds}
        for number in self._booked.keys() - known:
            del self._booked[number]

    def _settled(self, table: Table, record: Record, event: e.RoundSettled) -> None:
        found = _round(table, event.number)
        number, dealer = self._dealer
        booked = _Booked(
            self._entries(found, event.lines), dealer if number == event.number else record.actor, found.free
        )
        self._book(booked)
        self._booked[event.number] = booked
        self._played(table, found, booked, self._period, table.shoe.number)

    def _voided(self, table: Table, record: Record, event: e.RoundVoided) -> None:
        self._now.voids += 1

    def _settled_again(self, table: Table, record: Record, event: e.RoundSettledAgain) -> None:
        """What was booked of the round goes, and what counts now is booked."""
        before = self._booked[event.number]
        found = _round(table, event.number)
        lines = [line for line in event.lines if not event.void or line.result is not Result.RETURNED]
        booked = _Booked(self._entries(found, lines), before.dealer, before.free, event.void)
        self._book(before, -1)
        self._book(booked)
        self._booked[event.number] = booked
        self._now.settled_again += 1
        self._now.voids += event.void and not before.void
        played = self.found.rounds.pop(event.number, None)
        if played is not None and not event.void:
            self._played(table, found, booked, played.period, played.shoe)

    def _entries(self, found: Round, lines: Iterable[SettledLine]) -> tuple[_Entry, ...]:
        """The lines, with the exact theoretical win of each."""
        chances, coup = self.found.chances, found.coup
        insurance: dict[tuple[str, int, str], deque[InsuranceWager]] = defaultdict(deque)
        for taken in found.insurance:
            insurance[taken.person, taken.box, f"{taken.hand.value}_insurance"].append(taken)
        entries = []
        for line in lines:
            if line.insurance and (taken_then := insurance[line.person, line.box, line.bet]):
                edge = chances.insurance_edge(taken_then.popleft(), coup)
            elif line.insurance:
                edge = Fraction(0)  # chips that were no insurance, and went back
            else:
                edge = chances.edges[line.bet]
            # commission that is marked is the House's from then on, beside what the line pays
            win = -line.profit + (line.commission if is_marked(chances.book) else 0)
            entries.append(_Entry(line.person, line.bet, line.stake, win, edge * line.stake))
        return tuple(entries)

    def _played(self, table: Table, found: Round, booked: _Booked, period: Period, shoe: int) -> None:
        chances, codes = self.found.chances, table.book.bets
        stakes = tuple(sorted((entry.bet, entry.stake) for entry in booked.entries if entry.bet in codes))
        self.found.rounds[found.number] = PlayedRound(
            found.number,
            period,
            shoe,
            booked.dealer,
            table.book.space.outcome_of(found.coup),
            sum(entry.stake for entry in booked.entries),
            sum(entry.win for entry in booked.entries),
            chances.round_moments(stakes, found.insurance, found.coup),
            tuple(Wagered(*entry[:4]) for entry in booked.entries if entry.bet in codes),
        )

    # --- what went wrong

    def _incident(self, table: Table, record: Record, event: e.IncidentOpened) -> None:
        self._now.incidents[event.family, event.paragraph] += 1

    def _ruling(self, table: Table, record: Record, event: e.RulingGiven) -> None:
        kind = kind_of(event.ruling)
        kinds = self._now.corrections if kind.startswith("correct_") else self._now.rulings
        kinds[kind, event.paragraph] += 1
        self._staff(event.by).rulings += 1
        if event.approved_by:
            self._staff(event.approved_by).approvals += 1

    def _late_chips(self, table: Table, record: Record, event: e.LateChipsRefused) -> None:
        self._now.late_chips += 1

    def _dispute(self, table: Table, record: Record, event: e.DisputeRaised) -> None:
        self._now.disputes += 1


def _spend(found: Gathered, person: str, rank: str, since: int, until: int) -> None:
    """Book somebody's time at the table."""
    for period, milliseconds in divided(found.settings.shifts, since, until):
        found.figures.setdefault(period, Figures())
        if rank:
            staff = found.staff.setdefault(period, {}).setdefault(person, StaffFigures())
            staff.milliseconds += milliseconds
            staff.rank = rank
        else:
            player = found.people.setdefault(period, {}).setdefault(person, PersonFigures())
            player.milliseconds += milliseconds


def _copied(periods: dict[Period, dict[str, SomeFigures]]) -> dict[Period, dict[str, SomeFigures]]:
    return {period: {name: it.copy() for name, it in names.items()} for period, names in periods.items()}


def _add(play: Play, entry: _Entry, sign: int) -> None:
    play.handle += sign * entry.stake
    play.win += sign * entry.win
    play.theoretical += sign * entry.theoretical


def _round(table: Table, number: int) -> Round:
    """A round that can still be settled again."""
    return next(each for each in table.known_rounds if each.number == number)


def _cards(event: e.Event) -> int:
    """How many cards an event deals."""
    if isinstance(event, e.CardsDealt):
        return len(event.cards)
    return len(event.hands) if isinstance(event, e.CarriedCardsDealt) else 1


_HANDLERS: dict[type[e.Event], Callable[[Gatherer, Table, Record, Any], None]] = {
    e.TableOpened: Gatherer._opened,
    e.TableClosed: Gatherer._closed,
    e.StaffSignedOn: Gatherer._signed_on,
    e.StaffSignedOff: Gatherer._left,
    e.PlayerJoined: Gatherer._joined,
    e.PlayerLeft: Gatherer._left,
    e.MoneyMoved: Gatherer._money_moved,
    e.FillSigned: Gatherer._filled,
    e.MoneyRuled: Gatherer._money_ruled,
    e.DebtSettled: Gatherer._debt_settled,
    e.ShoeStarted: Gatherer._new_shoe,
    e.CardsReturned: Gatherer._new_shoe,
    e.RoundCalled: Gatherer._called,
    e.FreeHandCalled: Gatherer._called,
    e.CardsDealt: Gatherer._dealt,
    e.CardDrawn: Gatherer._dealt,
    e.CarriedCardsDealt: Gatherer._dealt,
    e.RoundSettled: Gatherer._settled,
    e.RoundVoided: Gatherer._voided,
    e.RoundSettledAgain: Gatherer._settled_again,
    e.IncidentOpened: Gatherer._incident,
    e.RulingGiven: Gatherer._ruling,
    e.LateChipsRefused: Gatherer._late_chips,
    e.DisputeRaised: Gatherer._dispute,
}
